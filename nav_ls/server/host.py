"""The process: who is connected, which repositories are open, and when to end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from nav_ls.client.identity import build, is_newer, version
from nav_ls.config.settings import ServerSettings
from nav_ls.server.awake import Awake
from nav_ls.server.repository import Repository
from nav_ls.server.session import Session

log = logging.getLogger(__name__)

_DEFAULTS = ServerSettings()

REPOSITORY_SECONDS = 10 * 60.0
"""How long a repository is remembered after its last client."""

_SWEEP = 5.0
_THREADS = 4
"""Queries wait for the disk and for SQLite, which both let others run; more threads than this only compete."""


class Host:
    """What all sessions of one server process share.  Everything here runs on the loop's thread."""

    def __init__(self, *, shared: bool) -> None:
        self.shared = shared
        self.sessions: set[Session] = set()
        self.repositories: dict[Path, Repository] = {}
        self.stepping_aside = False
        self.on_step_aside: Callable[[], None] = lambda: None
        self.started = time.time()
        self._done = asyncio.Event()
        self._lonely_since = time.monotonic()
        self._environment = _minutes_of_environment()
        self._idle_seconds = 60.0 * (self._environment or _DEFAULTS.idle_minutes)
        self._awake = Awake(self._most_awake)
        self._threads = ThreadPoolExecutor(max_workers=_THREADS, thread_name_prefix="nav-query")

    # Life -----------------------------------------------------------------------------------------------------

    async def run_until_done(self) -> None:
        """Return when the process should end: stopped, replaced and unused, or idle for long."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError, RuntimeError):
                loop.add_signal_handler(number, self.stop)
        while not self._done.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._done.wait(), min(_SWEEP, self._idle_seconds))
            await self._sweep()

    def stop(self) -> None:
        """End the process soon."""
        self._done.set()

    async def close(self) -> None:
        """End all sessions and close all repositories."""
        for session in tuple(self.sessions):
            session.close()
        closing = [repository.close() for repository in self.repositories.values()]
        self.repositories.clear()
        await asyncio.gather(*closing, return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def _sweep(self) -> None:
        now = time.monotonic()
        settings = self._settings()
        if settings and self._environment is None:
            # The most patient of them: the others lose nothing by a server that stays.
            self._idle_seconds = 60.0 * max(one.idle_minutes for one in settings)
        if self.shared and not self.sessions and now - self._lonely_since >= self._idle_seconds:
            log.info("idle: ending")
            self.stop()
        for root, repository in tuple(self.repositories.items()):
            if repository.unused_for(now) >= REPOSITORY_SECONDS:
                del self.repositories[root]
                await repository.close()
        if settings:
            await self._awake.put_to_sleep(now - 60.0 * max(one.sleep_minutes for one in settings))

    def _settings(self) -> list[ServerSettings]:
        """Those of all repositories that could be opened."""
        return [found for one in self.repositories.values() if (found := one.settings) is not None]

    def _most_awake(self) -> int:
        return max((settings.awake for settings in self._settings()), default=_DEFAULTS.awake)

    # Sessions -------------------------------------------------------------------------------------------------

    def open_session(self, write: Callable[[bytes], None], hang_up: Callable[[], None]) -> Session:
        """A session for a client that has just connected."""
        session = Session(self, write, hang_up)
        self.sessions.add(session)
        return session

    def session_closed(self, session: Session) -> None:
        """A session has ended."""
        self.sessions.discard(session)
        if self.sessions:
            return
        self._lonely_since = time.monotonic()
        if not self.shared or self.stepping_aside:
            self.stop()

    def hello(self, params: Any) -> dict[str, Any]:
        """Compare versions with a client; a newer one makes this server step aside."""
        fields = params if isinstance(params, dict) else {}
        newer = self.shared and is_newer(str(fields.get("version", "")), str(fields.get("build", "")))
        if newer:
            self.step_aside()
        return {"version": version(), "build": build(), "pid": os.getpid(), "accepted": not self.stepping_aside}

    def step_aside(self) -> None:
        """Make room on the socket; end when the present clients have left."""
        if not self.stepping_aside:
            log.info("stepping aside")
            self.stepping_aside = True
            self.on_step_aside()

    def repository(self, root: Path) -> Repository:
        """The open repository at a root."""
        found = self.repositories.get(root)
        if found is None:
            found = self.repositories[root] = Repository(root, self._threads, self._awake)
        return found

    def status(self) -> dict[str, Any]:
        """What `nav server status` shows."""
        return {
            "version": version(),
            "build": build(),
            "pid": os.getpid(),
            "uptime_seconds": round(time.time() - self.started, 1),
            "idle_seconds": self._idle_seconds,
            "clients": [session.describe() for session in self.sessions],
            "repositories": [repository.describe() for repository in self.repositories.values()],
        }


def _minutes_of_environment() -> float | None:
    try:
        minutes = float(os.environ.get("NAV_SERVER_IDLE_MINUTES", ""))
    except ValueError:
        return None
    return minutes if minutes > 0 else None
