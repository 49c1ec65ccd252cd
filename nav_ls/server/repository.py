"""One repository that clients have open: its workspace, the buffers over it, and what is going on in it."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from nav_ls.config.settings import ServerSettings
from nav_ls.index.model import Listener
from nav_ls.query.snapshot import Snapshot
from nav_ls.server.awake import Awake
from nav_ls.server.convert import Lines, split_lines
from nav_ls.server.lane import Lane
from nav_ls.server.watcher import Watcher
from nav_ls.store.layout import FOLDER
from nav_ls.text import source
from nav_ls.text.errors import BusyError, DamagedError, NavError
from nav_ls.workspace.workspace import Workspace

if TYPE_CHECKING:
    from nav_ls.server.session import Session

log = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds that an answer waits for the files changed before it was asked for; then it speaks for the state before."""

TYPED_PATIENCE = 5.0
"""Seconds that it waits for what was typed: there is no way to tell an editor that an answer is about another text."""

_MOST_CACHED = 256
_LARGEST_READ = 4 * 1024 * 1024


class _Open(NamedTuple):
    """What an open repository has, and one that sleeps has not."""

    workspace: Workspace
    lane: Lane
    watcher: Watcher

    async def close(self) -> None:
        """End what runs."""
        await self.watcher.close()
        await self.lane.close()
        await asyncio.to_thread(self.workspace.close)


class Repository:
    """Shared by all sessions that have it open.  Runs on the loop's thread, but for what `ask` is given.

    One that nobody has asked for long sleeps: it has no processes, no open files and no watches.  The next question
    wakes it, and is answered when all files have been compared with the index.
    """

    def __init__(self, root: Path, threads: ThreadPoolExecutor, awake: Awake) -> None:
        self.root = root
        self.sessions: set[Session] = set()
        self.problem = ""
        self.settings: ServerSettings | None = None
        self.used_at = time.monotonic()
        self.closed = False
        self._threads = threads
        self._awake = awake
        self._unused_since = time.monotonic()
        self._questions = 0
        self._buffers: dict[str, dict[Session, str]] = {}
        self._lines = _LineCache(root)
        self._open: _Open | None = None
        self._turn = asyncio.Lock()
        self._waking = asyncio.ensure_future(self._wake())

    # Life -----------------------------------------------------------------------------------------------------

    async def _wake(self) -> None:
        async with self._turn:
            if self._open is not None or self.closed:
                return
            await self._awake.enter(self)
            try:
                if not self.closed:
                    self._open = await self._opened()
                self.problem = ""
            except NavError as error:
                self.problem = str(error)
                log.warning("%s: %s", self.root, error)
            finally:
                if self._open is None:
                    self._awake.leave(self)
            self._changed()

    async def _opened(self) -> _Open:
        _require_project(self.root)
        workspace = await asyncio.to_thread(Workspace.open, self.root, process=True)
        self.settings = workspace.config.server
        lane = Lane(workspace, self._changed, self._awake.builds)
        lane.sync_all()
        for path in self._buffers:
            lane.set_buffer(path, self.buffer(path))
        return _Open(workspace, lane, Watcher(workspace.layout, lane.sync))

    async def sleep(self) -> None:
        """Give up all that takes memory, if nothing goes on."""
        async with self._turn:
            if not self.busy:
                await self._put_down()
        self._changed()

    async def close(self) -> None:
        """End what runs for it."""
        self.closed = True
        async with self._turn:
            await self._put_down()

    async def _put_down(self) -> None:
        opened, self._open = self._open, None
        self._lines = _LineCache(self.root)
        if opened is not None:
            await opened.close()
        self._awake.leave(self)

    @property
    def busy(self) -> bool:
        """Whether its index is being changed, or somebody waits for its answer."""
        return self._questions > 0 or (self._open is not None and self._open.lane.busy)

    @asynccontextmanager
    async def used(self) -> AsyncIterator[Workspace]:
        """The open workspace, which stays open within this; raises NavError with the reason if it can't be opened."""
        self._questions += 1
        try:
            if self._open is None:
                if self._waking.done():
                    self._waking = asyncio.ensure_future(self._wake())
                await asyncio.shield(self._waking)
            if self._open is None:
                raise NavError(self.problem or f"{self.root} is closed")
            yield self._open.workspace
        finally:
            self._questions -= 1
            self.used_at = time.monotonic()

    def attach(self, session: Session) -> None:
        """A client has it open."""
        self.sessions.add(session)

    def detach(self, session: Session) -> None:
        """A client has left; its unsaved buffers count no longer."""
        self.sessions.discard(session)
        for path in [path for path, texts in self._buffers.items() if session in texts]:
            self.close_buffer(session, path)
        if not self.sessions:
            self._unused_since = time.monotonic()

    def unused_for(self, now: float) -> float:
        """Seconds since the last client left (0 while there is one); `now` is `time.monotonic()`."""
        return 0.0 if self.sessions else now - self._unused_since

    def _changed(self) -> None:
        for session in tuple(self.sessions):
            session.repository_changed(self)

    def status(self) -> dict[str, Any]:
        """What is going on, as in `nav/status`.

        state: fresh | indexing (with `percent` where it is known) | stale (the last committed state answers, and
        `message` says why) | asleep (nobody has asked for long) | off (there is no index; `message` says why).
        """
        if self.problem:
            return {"state": "off", "message": self.problem}
        if self._open is not None:
            return self._open.lane.status()
        if self._waking.done():
            return {"state": "asleep", "message": "the next question wakes it"}
        return {"state": "indexing", "message": "waiting for its turn"}

    def describe(self) -> dict[str, Any]:
        """For `nav server status`."""
        counts = {"clients": len(self.sessions), "buffers": len(self._buffers)}
        return {"root": str(self.root)} | counts | self.status()

    # Questions ------------------------------------------------------------------------------------------------

    async def ask(self, question: Callable[[Snapshot], T], *, built: bool = False) -> T:
        """The answer of `question`, asked on another thread about the present state.

        With `built` not before there is an index: for what an editor asks once and does not ask again.
        """
        loop = asyncio.get_running_loop()
        async with self.used() as workspace:
            if built:
                await self.current(lambda progress: None, sync=False)
            await self._settled()
            try:
                return await loop.run_in_executor(self._threads, _asked, workspace, question)
            except DamagedError as error:
                log.warning("%s: %s; building it again", self.root, error)
                assert self._open is not None, "what is used stays open"
                self._open.lane.repair()
                await self._settled()
                return await loop.run_in_executor(self._threads, _asked, workspace, question)

    async def current(self, listen: Listener, *, sync: bool) -> str:
        """Wait until there is an index; with `sync`, one that knows all that was written to disk so far.

        For as long as the first index takes (`listen` is told how far it is), but no longer than PATIENCE for changes.
        Returns why an answer that is read from now on may lack some of it, "" if it does not.
        """
        assert self._open is not None, "what is used stays open"
        if sync and not await self._open.watcher.barrier():
            self.files_changed(None)
        missed = await self._open.lane.built(listen, PATIENCE if sync else 0.0)
        return self._open.lane.reason if missed.written else ""

    @property
    def behind(self) -> str:
        """As `current`, without waiting."""
        lane = self._open.lane if self._open is not None else None
        return lane.reason if lane is not None and lane.missed().written else ""

    async def _settled(self) -> None:
        """Wait until the index knows all that was changed so far, but not for long, nor for a whole build.

        Raises BusyError where an answer would be about a text that no editor shows any more.  While a build runs
        everybody is told that, and it is the last committed state that answers.
        """
        assert self._open is not None, "what is used stays open"
        lane = self._open.lane
        missed = await lane.settled(PATIENCE, TYPED_PATIENCE)
        if missed.typed and lane.status()["state"] != "indexing":
            raise BusyError("what was typed last has not been looked at yet; ask again")

    # Changes --------------------------------------------------------------------------------------------------

    def files_changed(self, paths: list[str] | None) -> None:
        """Files (or folders) have changed on disk; None: any may have.  One that sleeps finds out when it wakes."""
        if self._open is not None:
            self._open.lane.sync(paths)

    def set_buffer(self, session: Session, path: str, text: str) -> None:
        """An editor shows this text for a file; it counts instead of the file.

        Where several editors have one file open, the one that was edited last counts.
        """
        texts = self._buffers.setdefault(path, {})
        texts.pop(session, None)
        texts[session] = text
        self._buffer_changed(path, text)

    def close_buffer(self, session: Session, path: str) -> None:
        """An editor has closed a file."""
        texts = self._buffers.get(path, {})
        if texts.pop(session, None) is None:
            return
        if not texts:
            del self._buffers[path]
        self._buffer_changed(path, self.buffer(path))

    def buffer(self, path: str) -> str | None:
        """The text that editors show for a file; None if none has it open."""
        texts = self._buffers.get(path)
        return next(reversed(texts.values())) if texts else None

    def _buffer_changed(self, path: str, text: str | None) -> None:
        self.used_at = time.monotonic()
        if self._open is not None:
            self._open.lane.set_buffer(path, text)

    def lines(self, path: str) -> Lines | None:
        """The lines of a file as nav sees it: the buffer if there is one, else the file; None if it can't be read.

        Safe on any thread.
        """
        return self._lines.get(path, self.buffer(path))


def _require_project(root: Path) -> None:
    """An editor that was opened without a project may name the home folder; nobody wants all of that indexed."""
    everything = (Path.home(), Path(root.anchor))
    if root in everything and not any((root / name).exists() for name in (".git", FOLDER, "nav.toml")):
        raise NavError(f"{root} is no project; open a folder inside of it (or create {root / 'nav.toml'})")


def _asked(workspace: Workspace, question: Callable[[Snapshot], T]) -> T:
    with workspace.snapshot() as snapshot:
        return question(snapshot)


class _LineCache:
    """Lines of the files that were asked about last."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._guard = threading.Lock()
        self._known: dict[str, tuple[object, Lines]] = {}

    def get(self, path: str, buffer: str | None) -> Lines | None:
        """The lines of a buffer, or of the file where that is None."""
        stamp = buffer if buffer is not None else self._stamp(path)
        if stamp is None:
            return None
        with self._guard:
            known = self._known.get(path)
        # A buffer's text is compared by identity first: that is what it is unless it was edited.
        if known is not None and (known[0] is stamp or known[0] == stamp):
            return known[1]
        if buffer is None and not self._inside(path):
            return None
        lines = split_lines(source.from_text(buffer).text if buffer is not None else self._read(path))
        with self._guard:
            self._known.pop(path, None)
            if len(self._known) >= _MOST_CACHED:
                del self._known[next(iter(self._known))]
            self._known[path] = stamp, lines
        return lines

    def _stamp(self, path: str) -> object | None:
        """Tells which file this is and in which state; None for one that cannot be read or is too large."""
        try:
            info = os.stat(os.path.join(self._root, path))
        except (OSError, ValueError):
            return None
        if info.st_size > _LARGEST_READ:
            return None
        return info.st_mtime_ns, info.st_size, info.st_ino, info.st_dev

    def _inside(self, path: str) -> bool:
        """What a link outside of the repository points to is none of our business.

        Asked before a file is read, and not with each position in it: that would take longer than all the rest.
        """
        try:
            return (self._root / path).resolve(strict=True).is_relative_to(self._root)
        except (OSError, ValueError, RuntimeError):
            return False

    def _read(self, path: str) -> bytes:
        try:
            return source.decode((self._root / path).read_bytes()).text
        except OSError:
            return b""
