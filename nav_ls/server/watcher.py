"""Changes made outside of the editors: other programs, `git checkout`, generated code."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterable
from itertools import count

from watchfiles import Change, watch

from nav_ls.store.layout import Layout
from nav_ls.text import git
from nav_ls.text.walk import ALWAYS_IGNORED

log = logging.getLogger(__name__)

STEP_MS = 20
"""Changes are told after so long without another one,"""

DEBOUNCE_MS = 200
"""or when the first of them is so old."""

BARRIER_SECONDS = 0.5
FIRST_MS = 1000

POLL_SECONDS = 15.0
"""How often everything is compared where the system can't watch that many folders."""

_LOSSY = 2_000
"""Of so many changes at once the system may have dropped some, without a word that reaches us (Linux keeps 16,384 events
for us, of which each file makes several)."""

_NOISE = ALWAYS_IGNORED | {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".venv", "venv"}


def is_noise(path: str) -> bool:
    """Whether a path (relative, with "/") lies in a folder that tools write to and nobody indexes."""
    return not _NOISE.isdisjoint(path.split("/"))


class Watcher:
    """Calls `changed` with paths relative to the root, or with None when anything may have changed."""

    def __init__(self, layout: Layout, changed: Callable[[Iterable[str] | None], None]) -> None:
        self._root = os.fspath(layout.root)
        self._folder = os.fspath(layout.folder)
        self._repository = layout.repository
        self._git_folders: list[str] = []
        self._everything: frozenset[str] = frozenset()
        self._index = ""
        if layout.repository is not None:
            own, shared = os.fspath(layout.repository.git_dir), os.path.join(layout.repository.common_dir, "info")
            self._git_folders = [own, shared]
            self._everything = frozenset([os.path.join(own, "HEAD"), os.path.join(shared, "exclude")])
            self._index = os.path.join(own, "index")
        self._cookie = os.path.join(self._folder, f"cookie-{os.getpid()}-{id(self):x}")
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._numbers = count()
        self._passed: dict[str, asyncio.Future[None]] = {}
        self._watching = False
        self._seen = 0
        self._thread = threading.Thread(target=self._watch, name="nav-watch", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        await asyncio.to_thread(self._thread.join, 2.0)

    async def barrier(self) -> bool:
        """Wait until everything that was written before is known; False if that can't be told.

        A file of our own is made: when its change arrives, all earlier ones have.  Each question has one for itself: that
        of an earlier one, which was given up, may arrive before what was written since.
        """
        if not self._watching:
            return False
        cookie = f"{self._cookie}-{next(self._numbers)}"
        passed = self._passed[cookie] = self._loop.create_future()
        try:
            with open(cookie, "wb"):
                pass
            await asyncio.wait_for(passed, BARRIER_SECONDS)
        except (OSError, TimeoutError):
            return False
        finally:
            del self._passed[cookie]
            with contextlib.suppress(OSError):
                os.unlink(cookie)
        return True

    def _watch(self) -> None:
        """On a thread of its own: setting up the watches walks the whole tree."""
        tracked: int | None = self._tracked()
        try:
            for changes in watch(
                *self._places(),
                watch_filter=self._matters,
                debounce=DEBOUNCE_MS,
                step=STEP_MS,
                stop_event=self._stop,
                ignore_permission_denied=True,
                rust_timeout=FIRST_MS,
                yield_on_timeout=True,
            ):
                paths = {path for _, path in changes}
                anything, self._seen = self._seen >= _LOSSY or not self._everything.isdisjoint(paths), 0
                if self._index in paths:
                    # Where all files are compared anyway, nobody waits until git has been asked.
                    before, tracked = tracked, None if anything else self._tracked()
                    anything = anything or before != tracked
                self._on_loop(paths, anything)
        except (OSError, RuntimeError) as error:
            # Out of watches (a limit of the system), or a file system that has none.
            log.warning("can't watch %s (%s): comparing every %.0f s instead", self._root, error, POLL_SECONDS)
            while not self._stop.wait(POLL_SECONDS):
                self._on_loop(None)

    def _tracked(self) -> int:
        """What changes with the names in git's index: a file that is ignored counts as soon as it is added there."""
        return hash(git.tracked(self._repository)) if self._repository is not None else 0

    def _places(self) -> list[str]:
        # What belongs to a linked work tree lies elsewhere.
        others = [folder for folder in (*self._git_folders, self._folder) if os.path.isdir(folder)]
        return [self._root, *(folder for folder in others if not folder.startswith(self._root + os.sep))]

    def _on_loop(self, paths: set[str] | None, anything: bool = False) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._tell, paths, anything)

    def _tell(self, paths: set[str] | None, anything: bool = False) -> None:
        # Watching has begun for sure when it has told something, if only that nothing has happened: what was written
        # between the first look at the files and that moment nobody tells.
        begins = not self._watching
        self._watching = paths is not None
        if paths is None or begins or anything:
            self._changed(None)
        elif changed := [path for path in sorted(paths) if path != self._index and not path.startswith(self._cookie)]:
            self._changed([os.path.relpath(path, self._root) for path in changed])
        for cookie, passed in self._passed.items():
            if paths is not None and cookie in paths and not passed.done():
                passed.set_result(None)

    def _matters(self, _change: Change, path: str) -> bool:
        """Also counts what it is asked about: of changes that matter to nobody `watch` does not tell, however many."""
        self._seen += 1
        if not self._watching:
            self._on_loop(set())
        if path in self._everything or path == self._index or path.startswith(self._cookie):
            return True
        if not path.startswith(self._root + os.sep):
            return False
        return not is_noise(path[len(self._root) + 1 :].replace(os.sep, "/"))
