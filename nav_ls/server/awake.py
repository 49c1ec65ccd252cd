"""Which repositories are ready at once: a bounded number, those that were asked last."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

_BUILDS = 2
"""So many repositories may be indexed for the first time at once."""

_LOOK_AGAIN = 0.1
"""Seconds after which it is looked again for somebody who has nothing to do; nobody tells when that begins."""


class Sleeper(Protocol):
    """What can be put to sleep."""

    @property
    def busy(self) -> bool:
        """Whether it works on something, or somebody waits for its answer."""

    @property
    def used_at(self) -> float:
        """When it was last of use to somebody (`time.monotonic()`)."""

    @property
    def closed(self) -> bool:
        """Whether nobody wants it any more."""

    async def sleep(self) -> None:
        """Give up all that takes memory, if it is not busy."""


class Awake:
    """Who is awake.  Runs on the loop's thread."""

    def __init__(self, most: Callable[[], int]) -> None:
        self._most = most
        self.builds = asyncio.Semaphore(_BUILDS)
        self._members: set[Sleeper] = set()
        self._queue = asyncio.Lock()

    async def enter(self, sleeper: Sleeper) -> None:
        """Wait until there is room for one more: whoever has not been of use for longest goes to sleep for it."""
        async with self._queue:
            while len(self._members) >= max(1, self._most()) and not sleeper.closed:
                idle = [member for member in self._members if not member.busy]
                if idle:
                    await min(idle, key=lambda member: member.used_at).sleep()
                else:
                    await asyncio.sleep(_LOOK_AGAIN)
            self._members.add(sleeper)

    def leave(self, sleeper: Sleeper) -> None:
        """It sleeps, or is gone."""
        self._members.discard(sleeper)

    async def put_to_sleep(self, unused_since: float) -> None:
        """Send those to sleep that have been of no use since then (`time.monotonic()`)."""
        for member in tuple(self._members):
            if member.used_at <= unused_since and not member.busy:
                await member.sleep()
