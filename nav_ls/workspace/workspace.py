"""One repository, open: its settings, its index, its unsaved buffers.  Everything above asks through this."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import msgspec

from nav_ls.config.settings import Config, load
from nav_ls.graph.model import Locals
from nav_ls.index.indexer import Indexer
from nav_ls.index.model import Listener, Report
from nav_ls.index.process import IndexProcess
from nav_ls.index.scan import differing, scan
from nav_ls.query.conform.library import Library
from nav_ls.query.model import Freshness
from nav_ls.query.snapshot import LiveBuffer, Snapshot
from nav_ls.store.health import Collected, collect
from nav_ls.store.layout import Layout, View
from nav_ls.store.lock import WAIT_SECONDS, writer
from nav_ls.store.prose import Prose
from nav_ls.store.reader import Reader
from nav_ls.store.rows import Buffer
from nav_ls.store.units import StoredUnit
from nav_ls.text import git, source
from nav_ls.text.errors import BusyError, StorageError
from nav_ls.text.hashes import content_hash
from nav_ls.text.source import Source
from nav_ls.text.walk import inside
from nav_ls.workspace.embedding import Background
from nav_ls.workspace.locals import LocalsReader
from nav_ls.workspace.prose import ProseKeeper
from nav_ls.workspace.searching import Searching

GIT_SECONDS = 1.0
"""How long a question waits for git to have changed all files."""
_GIT_POLL = 0.02
_MOST_SYNCS = 3
"""So often files are compared for a question while git changes them."""
_GIT_WORKS = "git is changing files"
_SWITCHED = "another branch has just been checked out"

_MOST_IDLE = 3
"""So many readers wait for the next question: each of them has a cache of its own, and the file mapped."""


class Writer(Protocol):
    """Who writes the index: an `Indexer` here, or one in a child process."""

    def sync(
        self,
        paths: Sequence[str] | None = None,
        *,
        full: bool = False,
        progress: Listener | None = None,
        wait: float = WAIT_SECONDS,
    ) -> Report:
        """Bring the index up to date."""

    def overlay(self, path: str, text: bytes | None) -> Buffer | None:
        """What an unsaved buffer says."""

    def warm(self) -> None:
        """Load what the next change will need."""

    def close(self) -> None:
        """Release everything."""


class Workspace:
    """An open repository.  Queries may come from several threads; each takes its own snapshot."""

    def __init__(self, layout: Layout, config: Config, writer: Writer, *, process: bool = False) -> None:
        self.layout = layout
        self.root = layout.root
        self.config = config
        self._writer = writer
        self._guard = threading.Lock()
        self._idle: list[_OpenReader] = []
        self._buffers: dict[str, Buffer] = {}
        self._live: dict[str, tuple[Buffer, Path | None, int, LiveBuffer]] = {}
        pool = writer.workers if isinstance(writer, Indexer) else None
        self.searching = Searching(layout, config, self._unit_text, pool, behind=process)
        self.prose = ProseKeeper(layout)
        self._locals = LocalsReader(layout.root, config.index.limits())
        self._background: Background | None = None
        self._nudged = False
        self._synced: Path | None = None
        self.library = Library()
        """Functions to compare a change with, once somebody has asked for that."""

    @classmethod
    def open(cls, path: Path, config: Config | None = None, *, process: bool = False) -> Workspace:
        """Open the repository that holds `path`.

        With `process` the index is written by a child process, another one embeds behind it, and a thread makes the
        vectors ready.  Raises UsageError where there is no such folder, ConfigError for bad settings.
        """
        layout = Layout.find(path)
        settings = config or load(layout.root)
        kind = IndexProcess if process else Indexer
        index = kind(layout.root, settings.index.limits(), settings.index.workers)
        opened = cls(layout, settings, index, process=process)
        if process and settings.search.background:
            opened._background = Background(layout.root)
        return opened

    def close(self) -> None:
        """Release all files and processes."""
        if self._background is not None:
            self._background.close()
        self.searching.close()
        self.prose.close()
        self._locals.close()
        self._writer.close()
        with self._guard:
            for item in self._idle:
                item.reader.close()
            self._idle.clear()

    # --- reading

    @property
    def indexed(self) -> bool:
        """Whether there is an index of what is checked out."""
        return self.layout.database(self.layout.view()).is_file()

    def from_root(self, path: str) -> str:
        """A path as the index has it, where an absolute one inside of the root was given."""
        return path.strip().removeprefix(f"{self.root}/")

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """One consistent state to ask; empty where nothing is indexed yet.  Raises DamagedError: see `repair`."""
        opened = self._reader()
        try:
            if opened is not None:
                opened.reader.begin()
            reader = opened.reader if opened else None
            yield Snapshot(reader, self._live_buffers(reader), self._written, self._locals_of)
        except BaseException:
            if opened is not None:
                opened.reader.close()
            raise
        if opened is not None:
            opened.reader.end()
            with self._guard:
                if len(self._idle) < _MOST_IDLE:
                    self._idle.append(opened)
                    return
            opened.reader.close()

    def freshness(self, snapshot: Snapshot, behind: str = "", *, check: bool = False) -> Freshness:
        """What an answer from a snapshot speaks for.

        `behind`: why it may be older than the files were when it was asked for, as whoever asks knows; `check` compares
        all files with the index (about 50 µs each).
        """
        view = self.layout.view()
        meta = snapshot.meta()
        if snapshot.reader is None:
            return Freshness(view.branch, view.commit, 0, 0.0, True, reason="not indexed yet")
        database = self.layout.database(view)
        if snapshot.reader.path != database:
            view = View(str(meta.get("branch", "")), str(meta.get("commit", "")))
        switched = snapshot.reader.path != database or self._synced not in (None, database)
        dirty = len(self.dirty()) if check else 0
        indexed_at = meta.get("indexed_at")
        reason = behind or (_SWITCHED if switched else _changed_since(dirty))
        return Freshness(
            branch=view.branch,
            commit=view.commit,
            generation=snapshot.generation,
            indexed_at=indexed_at if isinstance(indexed_at, float) else 0.0,
            stale=bool(reason),
            dirty=dirty,
            pending=snapshot.reader.pending(),
            reason=reason,
        )

    def dirty(self) -> list[str]:
        """Files that differ from the index; those whose stat leaves a doubt are read."""
        opened = self._reader()
        if opened is None:
            return []
        try:
            known = opened.reader.file_rows()
        finally:
            opened.reader.close()
        changes = scan(self.root, known)
        changed = differing(self.root, known, changes.suspects, self.config.index.limits())
        return sorted([*changed, *changes.gone, *(item.path for item in changes.passed)])

    def read(self, path: str) -> Source | None:
        """The text of a file, of its unsaved buffer if there is one; None where it cannot be read."""
        buffer = self._buffers.get(path)
        if buffer is not None:
            return Source(buffer.text, ascii=buffer.ascii)
        if not inside(self.root, path):
            return None
        try:
            return source.decode((self.root / path).read_bytes())
        except OSError:
            return None

    def text(self, path: str) -> bytes | None:
        """The normalised text of `read`."""
        found = self.read(path)
        return found.text if found is not None else None

    def _written(self, subject: str) -> Prose | None:
        return self.prose.about((subject,)).get(subject)

    def _locals_of(self, path: str, known: bytes) -> Locals:
        """The locals of an unsaved buffer, else of a file that is what was indexed: places in another one mean nothing."""
        text = self.buffer_text(path)
        if text is None and inside(self.root, path):
            try:
                data = (self.root / path).read_bytes()
            except OSError:
                return Locals()
            text = source.decode(data).text if content_hash(data) == known else None
        return self._locals.of(path, text) if text is not None else Locals()

    def _unit_text(self, unit: StoredUnit) -> str:
        return self.unit_text(unit.path, unit.start, unit.end)

    def unit_text(self, path: str, start: int, end: int) -> str:
        """A part of a file by offsets, with the indentation in front of it; "" where it cannot be read."""
        found = self.read(path)
        if found is None:
            return ""
        indent = len(found.text[:start]) - len(found.text[:start].rstrip(b" \t"))
        return found.text[start - indent : end].decode("utf-8", "replace")

    def relative(self, path: Path) -> str | None:
        """A path as the index names it, None where it lies outside of the root."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            pass
        try:
            # The file itself may be a link that was just deleted: only its folder is resolved.
            return (path.parent.resolve() / path.name).relative_to(self.root).as_posix()
        except (ValueError, OSError, RuntimeError):
            return None

    # --- writing

    def sync(
        self,
        paths: Sequence[str] | None = None,
        *,
        full: bool = False,
        progress: Listener | None = None,
        wait: float = WAIT_SECONDS,
    ) -> Report:
        """Bring the index up to date with all files or with some; blocks.  Raises as `Indexer.sync`."""
        compared = self.layout.database(self.layout.view()) if paths is None else None
        report = self._writer.sync(paths, full=full, progress=progress, wait=wait)
        if compared is not None:
            self._synced = compared
        if self._background is not None and (report.changed or report.removed or report.cold or not self._nudged):
            self._nudged = True
            self._background.nudge()
        if report.relinked:
            self._refresh_buffers()
        return report

    def ensure(self, progress: Listener | None = None) -> str:
        """Sync if that is possible; otherwise the last committed state answers.

        Returns why it does (see `freshness`), "" after a sync.  Raises what `sync` raises where there is no committed
        state to fall back on.
        """
        try:
            return self._sync_undisturbed(progress)
        except (BusyError, StorageError) as error:
            if not self.indexed:
                raise
            return str(error)

    def _sync_undisturbed(self, progress: Listener | None) -> str:
        """Sync until git has not changed files meanwhile; returns why the index may be of files half-way changed.

        git writes the files first and says at last on which branch they are.
        """
        repository = self.layout.repository
        if repository is None:
            self.sync(progress=progress)
            return ""
        until = time.monotonic() + GIT_SECONDS
        for _ in range(_MOST_SYNCS):
            while git.at_work(repository) and time.monotonic() < until:
                time.sleep(_GIT_POLL)
            before = git.stamp(repository)
            self.sync(progress=progress)
            if not git.at_work(repository) and git.stamp(repository) == before:
                return ""
        return _GIT_WORKS

    def repair(self, progress: Listener | None = None) -> Report:
        """Throw the database of what is checked out away and build it again."""
        with self._guard:
            for item in self._idle:
                item.reader.close()
            self._idle.clear()
        return self.sync(full=True, progress=progress)

    def collect(self) -> Collected:
        """Remove what no branch needs.  Raises BusyError while somebody writes.

        What was paid for goes only where it is known what needs it: the files as they are now, and every branch.
        """
        behind = self._behind_files()
        self.layout.make_folder()
        with writer(self.layout.folder):
            collected = collect(self.layout)
            kept = f"the newest changes are not known: {behind}" if behind else ""
            if collected.unread:
                kept = "what a branch needs whose database could not be read is not known"
            if kept:
                return msgspec.structs.replace(collected, kept=kept)
            return msgspec.structs.replace(collected, vectors=self.searching.collect())

    def _behind_files(self) -> str:
        """Why what is indexed, units of search included, may not be what the files say; "" where it is."""
        if not self.indexed:
            return ""
        try:
            behind = self.ensure()
            self.searching.refresh()
        except (BusyError, StorageError) as error:
            return str(error)
        return behind

    def warm(self) -> None:
        """Load what the next change will need."""
        self._writer.warm()

    def set_buffer(self, path: str, text: bytes | None) -> None:
        """An editor's unsaved text (normalised) takes the place of a file; None gives the file its place back."""
        buffer = self._writer.overlay(path, text)
        with self._guard:
            if buffer is None:
                self._buffers.pop(path, None)
            else:
                self._buffers[path] = buffer

    def buffer_text(self, path: str) -> bytes | None:
        """The unsaved text of a file, None where there is none."""
        buffer = self._buffers.get(path)
        return buffer.text if buffer is not None else None

    # --- inside

    def _reader(self) -> _OpenReader | None:
        path = self.layout.database(self.layout.view())
        try:
            inode = path.stat().st_ino
        except OSError:
            return None
        with self._guard:
            while self._idle:
                item = self._idle.pop()
                if item.path == path and item.inode == inode:
                    return item
                item.reader.close()
        try:
            return _OpenReader(path, inode, Reader.open(path))
        except FileNotFoundError:
            return None

    def _live_buffers(self, reader: Reader | None) -> dict[str, LiveBuffer]:
        state = (reader.path, reader.generation) if reader is not None else (None, 0)
        live: dict[str, LiveBuffer] = {}
        with self._guard:
            buffers = dict(self._buffers)
        for path, buffer in buffers.items():
            known = self._live.get(path)
            if known is None or known[0] is not buffer or known[1:3] != state:
                known = (buffer, *state, LiveBuffer(buffer, reader))
                self._live[path] = known
            live[path] = known[3]
        return live

    def _refresh_buffers(self) -> None:
        """Link the open buffers anew: what they refer to may have moved."""
        with self._guard:
            texts = {path: buffer.text for path, buffer in self._buffers.items()}
        for path, text in texts.items():
            self.set_buffer(path, text)


def _changed_since(count: int) -> str:
    if not count:
        return ""
    return "1 file has changed since" if count == 1 else f"{count:,} files have changed since"


class _OpenReader:
    def __init__(self, path: Path, inode: int, reader: Reader) -> None:
        self.path = path
        self.inode = inode
        self.reader = reader
