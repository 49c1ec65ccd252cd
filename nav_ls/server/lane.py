"""The one thing at a time that changes a repository's index: buffers first, then files, then all of it.

What comes in while something runs is put together: of a buffer only its last text counts, and of a thousand changed
files one sync is made.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from nav_ls.index.model import Listener, Progress, Report
from nav_ls.text import git, source
from nav_ls.text.errors import CancelledError, NavError
from nav_ls.workspace.workspace import Workspace

log = logging.getLogger(__name__)

QUIET = 0.15
"""Seconds without a keystroke after which a buffer is looked at, unless somebody asks earlier."""

_BURST = 20
"""From so many files on a program is at work (`git switch`, a formatter, an agent): it is waited for."""

BURST_SECONDS = 3.0
"""But not longer than that."""

_MANY = 500
_SHORT = 0.7
_FIRST_RETRY = 2.0
_LAST_RETRY = 60.0
_REPORT_EVERY = 0.1

# What share of a cold index each phase takes, in percent: where it begins and how long it is.
_PHASES = {"scan": (0, 3), "extract": (3, 62), "link": (65, 30), "store": (95, 5)}


def percent_of(progress: Progress) -> int:
    """How much of a cold index is done."""
    begin, share = _PHASES.get(progress.phase, (0, 0))
    return begin + (share * progress.done // progress.total if progress.total else 0)


class _Count(NamedTuple):
    """How often something was typed, and how often files were written."""

    typed: int
    written: int


class Missed(NamedTuple):
    """Whether there is something that was typed, or written, and is not known yet."""

    typed: bool
    written: bool


class Lane:
    """Runs the changes of one workspace in order, in a thread of its own.  Used on the loop's thread only."""

    def __init__(self, workspace: Workspace, changed: Callable[[], None], builds: asyncio.Semaphore) -> None:
        self._workspace = workspace
        self._changed = changed
        self._builds = builds
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="nav-lane")
        self._open: dict[str, str] = {}
        self._buffers: dict[str, str | None] = {}
        self._put_off: dict[str, str | None] = {}
        self._paths: dict[str, None] = {}
        self._all = False
        self._repair = False
        self._wake = asyncio.Event()
        self._hurry = asyncio.Event()
        self._came = _Count(0, 0)
        self._done = _Count(0, 0)
        self._waiting: list[tuple[_Count, asyncio.Future[None]]] = []
        self._busy = False
        self._building = False
        self._listeners: list[Listener] = []
        self._began = 0.0
        self._failures = 0
        self._closed = False
        self._progress: Progress | None = None
        self._told = 0.0
        self._report: Report | None = None
        self._overlaid: dict[str, bytes] = {}
        self.problem = ""
        self._task = asyncio.ensure_future(self._run())

    # What there is to do --------------------------------------------------------------------------------------

    def set_buffer(self, path: str, text: str | None) -> None:
        """An editor shows other text for a file; None: it no longer does."""
        if text is None:
            self._open.pop(path, None)
        else:
            self._open[path] = text
        self._buffers[path] = text
        self._came = self._came._replace(typed=self._came.typed + 1)
        self._wake.set()

    def sync(self, paths: Iterable[str] | None) -> None:
        """Files have changed on disk; None: any may have."""
        if paths is None:
            self._all = True
        else:
            self._paths.update(dict.fromkeys(paths))
            self._all = self._all or len(self._paths) > _MANY
        self._came = self._came._replace(written=self._came.written + 1)
        self._hurry.set()
        self._wake.set()

    def sync_all(self) -> None:
        """Compare every file with the index."""
        self.sync(None)

    def repair(self) -> None:
        """The index is damaged: build it anew."""
        self._repair = True
        self.sync(None)

    async def settled(self, patience: float, typing_patience: float = 0.0) -> Missed:
        """Wait until all that was told before is done: not longer than `patience` seconds, nor for a build.

        For what was typed it may be longer.  Returns what is not known yet.
        """
        told = self._came
        if self.busy and not self._is_long():
            self._hurry.set()
            if told.typed > self._done.typed:
                await self._wait(_Count(told.typed, 0), max(patience, typing_patience))
            await self._wait(told, patience)
        return self.missed(told)

    def missed(self, told: _Count | None = None) -> Missed:
        """What is not known yet of what was told up to then (to now if it is None)."""
        told = told or self._came
        return Missed(self.busy and told.typed > self._done.typed, told.written > self._done.written)

    async def _wait(self, told: _Count, patience: float) -> None:
        if not self._is_done(told):
            done: asyncio.Future[None] = self._loop.create_future()
            self._waiting.append((told, done))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(done, patience)

    async def built(self, listen: Listener, patience: float) -> Missed:
        """Wait until there is an index, for as long as it takes; then as `settled`."""
        self._listeners.append(listen)
        try:
            while not self._workspace.indexed and not self.problem:
                done: asyncio.Future[None] = self._loop.create_future()
                self._waiting.append((_Count(0, 0), done))  # something has been done
                await done
            return await self.settled(patience)
        finally:
            self._listeners.remove(listen)

    @property
    def reason(self) -> str:
        """Why something that was written is not known yet."""
        if self.problem:
            return self.problem
        if self._all or self._building:
            return "not all files have been compared with the index yet"
        return "files have changed, and the index is still being brought up to date"

    def _is_long(self) -> bool:
        """Whether a build runs that nobody should wait for: comparing all files is quick, a cold index is not."""
        return self._building and self._loop.time() - self._began > _SHORT

    def status(self) -> dict[str, Any]:
        """As `Repository.status`."""
        report = self._report
        known = {"generation": report.generation, "files": report.files} if report is not None else {}
        if self.problem:
            return {"state": "stale" if self._workspace.indexed else "off", "message": self.problem} | known
        if self._building or report is None:
            percent = {} if self._progress is None else {"percent": percent_of(self._progress)}
            return {"state": "indexing", "message": self._message()} | percent | known
        return {"state": "fresh", "message": ""} | known

    def _message(self) -> str:
        progress = self._progress
        if progress is None:
            return ""
        return f"{progress.phase} {progress.done}/{progress.total}" if progress.total else progress.phase

    async def close(self) -> None:
        """Stop; what runs is broken off (nothing of it is kept)."""
        self._closed = True
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await asyncio.to_thread(self._thread.shutdown)

    # How it is done -------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether something is being done, or is to be done."""
        return self._busy or self._pending()

    def _pending(self) -> bool:
        return bool(self._buffers or self._paths or self._all)

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if not self._paths and not self._all:
                await self._quiet()
            while self._pending():
                self._busy = True
                try:
                    if not self._buffers:
                        await self._end_of_burst()
                    await self._step()
                except CancelledError:
                    pass
                except NavError as error:
                    self._failed(error)
                except Exception:
                    log.exception("the index of %s could not be changed", self._workspace.root)
                finally:
                    self._busy = False
                    self._building = False
                self._release()
            self._hurry.clear()

    def _is_done(self, told: _Count) -> bool:
        return told.typed <= self._done.typed and told.written <= self._done.written

    def _release(self) -> None:
        """Let those go on who waited for no more than what is done; all of them where there is nothing left to do."""
        for told, future in self._waiting:
            if not future.done() and (not self.busy or self._is_done(told)):
                future.set_result(None)
        self._waiting = [(told, future) for told, future in self._waiting if not future.done()]

    async def _end_of_burst(self) -> None:
        """Wait until a program that changes many files has done: what it leaves half-way nobody wants to know.

        `git switch` writes the files first and says at last on which branch they are.
        """
        until = self._loop.time() + BURST_SECONDS
        while (len(self._paths) > _BURST or self._git_works()) and self._loop.time() < until:
            came = self._came.written
            await asyncio.sleep(QUIET)
            if came == self._came.written and not self._git_works():
                return

    def _git_works(self) -> bool:
        repository = self._workspace.layout.repository
        return repository is not None and git.at_work(repository)

    async def _quiet(self) -> None:
        """Wait until the typing pauses, or somebody asks."""
        with contextlib.suppress(TimeoutError):
            while not self._hurry.is_set():
                self._wake.clear()
                hurry = asyncio.ensure_future(self._hurry.wait())
                typing = asyncio.ensure_future(self._wake.wait())
                done, rest = await asyncio.wait({hurry, typing}, timeout=QUIET, return_when=asyncio.FIRST_COMPLETED)
                for task in rest:
                    task.cancel()
                if not done:
                    return

    async def _step(self) -> None:
        told = self._came
        if self._buffers:
            buffers, self._buffers = self._buffers, {}
            try:
                await self._in_thread(self._set_buffers, buffers)
            except NavError as error:
                log.warning("%s: unsaved text waits for the next sync: %s", self._workspace.root, error)
                self._put_off |= buffers
            self._done = self._done._replace(typed=told.typed)
            return
        paths: list[str] | None = list(self._paths)
        if self._all:
            paths = None
            self._building, self._began = True, self._loop.time()
            self._changed()
        self._paths, self._all = {}, False
        repair, self._repair = self._repair, False
        # A first index takes all processors: many of them at once would only take more memory.
        async with contextlib.nullcontext() if self._workspace.indexed else self._builds:
            report = await self._in_thread(self._sync, paths, repair)
        self._report, self._progress, self._building = report, None, False
        self._failures, self.problem = 0, ""
        self._done = self._done._replace(written=told.written)
        # Whether a buffer is what is on disk may have changed with the disk.
        again = {path: text for path, text in self._open.items() if paths is None or path in paths}
        self._buffers = self._put_off | again | self._buffers
        self._put_off = {}
        self._changed()
        if paths is None:
            self._release()
            await self._in_thread(self._workspace.warm)

    def _failed(self, error: NavError) -> None:
        self._progress, self._building = None, False
        self.problem = str(error)
        log.warning("%s: %s", self._workspace.root, error)
        self._changed()
        # Another process is writing, the disk is full, the indexing process was killed: all of that passes.
        delay = min(_FIRST_RETRY * 2**self._failures, _LAST_RETRY)
        self._failures += 1
        self._loop.call_later(delay, self._retry)

    def _retry(self) -> None:
        if not self._closed:
            self.sync(None)

    async def _in_thread(self, action: Callable[..., Any], *arguments: Any) -> Any:
        return await self._loop.run_in_executor(self._thread, action, *arguments)

    # On the lane's thread -------------------------------------------------------------------------------------

    def _set_buffers(self, buffers: dict[str, str | None]) -> None:
        indexed = self._workspace.indexed
        for path, text in buffers.items():
            wanted = None if text is None else source.from_text(text).text
            if indexed and wanted is not None and self._on_disk(path) == wanted:
                wanted = None  # as it was saved: the index knows more about it than a buffer can
            if wanted == self._overlaid.get(path):
                continue
            self._workspace.set_buffer(path, wanted)
            if wanted is None:
                del self._overlaid[path]
            else:
                self._overlaid[path] = wanted

    def _on_disk(self, path: str) -> bytes | None:
        try:
            return source.decode((self._workspace.root / path).read_bytes()).text
        except (OSError, ValueError):
            return None

    def _sync(self, paths: list[str] | None, repair: bool) -> Report:
        if repair:
            return self._workspace.repair(self._listen)
        return self._workspace.sync(paths, progress=self._listen)

    def _listen(self, progress: Progress) -> None:
        if self._closed:
            raise CancelledError("closed")
        now = time.monotonic()
        if now - self._told >= _REPORT_EVERY:
            self._told = now
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._advance, progress)

    def _advance(self, progress: Progress) -> None:
        self._progress = progress
        for listen in self._listeners:
            with contextlib.suppress(CancelledError):
                listen(progress)
        if self._building:
            self._changed()
