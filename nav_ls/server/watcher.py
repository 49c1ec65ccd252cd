"""Changes made outside of the editors: other programs, `git checkout`, generated code."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Iterable

from watchfiles import Change, awatch

from nav_ls.store.layout import Layout
from nav_ls.text.walk import ALWAYS_IGNORED

log = logging.getLogger(__name__)

DEBOUNCE_MS = 100
"""Changes that come closer together are told together."""

POLL_SECONDS = 15.0
"""How often everything is compared where the system can't watch that many folders."""

_NOISE = ALWAYS_IGNORED | {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".venv", "venv"}


def is_noise(path: str) -> bool:
    """Whether a path (relative, with "/") lies in a folder that tools write to and nobody indexes."""
    return not _NOISE.isdisjoint(path.split("/"))


class Watcher:
    """Calls `changed` with paths relative to the root, or with None when anything may have changed."""

    def __init__(self, layout: Layout, changed: Callable[[Iterable[str] | None], None]) -> None:
        self._root = os.fspath(layout.root)
        self._git_dir = os.fspath(layout.repository.git_dir) if layout.repository is not None else ""
        self._head = os.path.join(self._git_dir, "HEAD") if self._git_dir else ""
        self._changed = changed
        self._stop = asyncio.Event()
        self._task = asyncio.ensure_future(self._watch())

    async def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _watch(self) -> None:
        try:
            await self._tell_changes()
        except (OSError, RuntimeError) as error:
            # Out of watches (a limit of the system), or a file system that has none.
            log.warning("can't watch %s (%s): comparing every %.0f s instead", self._root, error, POLL_SECONDS)
            while True:
                await asyncio.sleep(POLL_SECONDS)
                self._changed(None)

    async def _tell_changes(self) -> None:
        places = [self._root]
        if self._git_dir and not self._git_dir.startswith(self._root + os.sep):
            places.append(self._git_dir)
        watching = awatch(
            *places,
            watch_filter=self._matters,
            debounce=DEBOUNCE_MS,
            stop_event=self._stop,
            ignore_permission_denied=True,
        )
        async for changes in watching:
            paths = {path for _, path in changes}
            if self._head in paths:
                self._changed(None)
            else:
                self._changed([os.path.relpath(path, self._root) for path in sorted(paths)])

    def _matters(self, _change: Change, path: str) -> bool:
        if path == self._head:
            return True
        if not path.startswith(self._root + os.sep):
            return False
        return not is_noise(path[len(self._root) + 1 :].replace(os.sep, "/"))
