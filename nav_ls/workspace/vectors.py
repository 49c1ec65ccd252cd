"""The vectors of a repository, ready to be asked: opened, and kept equal to the index.

Opening them takes a second, making a collection anew many.  In a server a thread does that behind the questions, which
words and the graph answer meanwhile; elsewhere whoever asks does it.
"""

from __future__ import annotations

import contextlib
import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

import msgspec

from nav_ls.config.settings import Config
from nav_ls.index.collection import Caught, Collection
from nav_ls.ports import Embedder, Locked, PortError, Unavailable, VectorStore
from nav_ls.query.meaning import StoredMeaning
from nav_ls.store import content
from nav_ls.store.layout import Layout
from nav_ls.store.units import UnitReader
from nav_ls.store.vectors import VectorCache
from nav_ls.text.errors import NavError, StorageError
from nav_ls.workspace import wiring

SHARE = 10
"""Following the index takes at most one part in so many of the time while embedding goes on."""
QUIET = 3.0
"""Seconds without a change after which the store writes down what it has."""
GIVE_WAY = 0.2
"""Seconds that a step of the work waits for questions that are being answered."""
LOCKED = 10.0
"""Seconds that the store may be in the hands of another server, which is about to end."""
_ONCE_MORE = 0.25
PREPARING = "the vectors are still being read"

Pause = Callable[[], None]


class Preparing(PortError):
    """There will be something to ask."""


class Vectors(Protocol):
    """Search by vectors over one repository.  Questions may come from one thread at a time."""

    def meaning(self, reader: UnitReader) -> StoredMeaning:
        """What finds by vectors.  Raises PortError (Preparing if it passes), NavError, OSError where nothing does."""

    def asked(self) -> contextlib.AbstractContextManager[None]:
        """Within this a question is answered: what `meaning` has returned stays open."""

    def wait(self, seconds: float) -> None:
        """Wait until `meaning` has something to say."""

    def close(self) -> None:
        """Release all files; what was changed is written down."""


class Place(msgspec.Struct, frozen=True):
    """Where the vectors of a repository are, and what embeds a question."""

    layout: Layout
    config: Config
    embedder: Callable[[], Embedder]

    @property
    def stored(self) -> int:
        """Which file holds the vectors: another one after they were stored anew.  Raises FileNotFoundError."""
        return (self.layout.folder / content.NAME).stat().st_ino


class State(msgspec.Struct, frozen=True):
    """What the vectors have to be equal to: a branch's database at a version, and the file that holds the vectors."""

    database: Path
    version: int
    stored: int


class Here:
    """Whoever asks does the work."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._engine: _Engine | None = None
        self._done: State | None = None

    def meaning(self, reader: UnitReader) -> StoredMeaning:
        state = State(reader.path, reader.version(), self._place.stored)
        try:
            if self._engine is not None and self._engine.stored != state.stored:
                self.close()
            if self._engine is None:
                self._engine = _opened(self._place, reader)
            if state != self._done:
                self._engine.follow(reader)
                self._done = state
        except BaseException:
            self.close()
            raise
        return self._engine.meaning

    @contextmanager
    def asked(self) -> Iterator[None]:
        yield

    def wait(self, seconds: float) -> None:
        """There is nothing to wait for."""

    def close(self) -> None:
        engine, self._engine, self._done = self._engine, None, None
        if engine is not None:
            engine.close()


class Behind:
    """A thread does the work, and gives way to questions; they are answered from what it has ready."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._turn = threading.Condition()
        self._thread: threading.Thread | None = None
        self._engine: _Engine | None = None
        self._wanted: State | None = None
        self._done: State | None = None
        self._problem: Exception | None = None
        self._asking = 0
        self._closed = False

    def meaning(self, reader: UnitReader) -> StoredMeaning:
        state = State(reader.path, reader.version(), self._place.stored)
        with self._turn:
            self._wanted = state
            if self._problem is not None:
                self._done = None  # it is tried again whenever somebody asks
            self._turn.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="vectors", daemon=True)
                self._thread.start()
            if self._problem is not None:
                raise self._problem
            if self._engine is None or self._engine.stored != state.stored:
                raise Preparing(PREPARING)
            return self._engine.meaning

    @contextmanager
    def asked(self) -> Iterator[None]:
        with self._turn:
            self._asking += 1
        try:
            yield
        finally:
            with self._turn:
                self._asking -= 1
                self._turn.notify_all()

    def wait(self, seconds: float) -> None:
        with self._turn:
            self._turn.wait_for(lambda: self._engine or self._problem or self._closed, seconds)

    def close(self) -> None:
        with self._turn:
            self._closed = True
            self._turn.notify_all()
        if self._thread is not None:
            self._thread.join()

    # --- on the thread

    def _work(self) -> None:
        engine: _Engine | None = None
        try:
            while True:
                state = self._told(QUIET if engine is not None and engine.changed else None)
                began, before = time.monotonic(), engine
                try:
                    engine = self._step(engine, state)
                except (PortError, NavError, OSError) as error:
                    self._retire(engine, error)
                    engine = None
                if engine is not None and engine is before:
                    self._rest(SHARE * (time.monotonic() - began))
        except _Stopped:
            self._retire(engine)

    def _told(self, seconds: float | None) -> State | None:
        """What is wanted next; None where nothing was for so long.  Raises _Stopped."""
        with self._turn:
            self._turn.wait_for(lambda: self._closed or self._wanted != self._done, seconds)
            if self._closed:
                raise _Stopped
            state, self._done = (self._wanted, self._wanted) if self._wanted != self._done else (None, self._done)
            return state

    def _step(self, engine: _Engine | None, state: State | None) -> _Engine | None:
        if state is None:
            self._pause()
            if engine is not None:
                engine.write_down()
            return engine
        if engine is not None and engine.stored != self._place.stored:
            self._retire(engine)  # the vectors were stored anew
            engine = None
        with contextlib.closing(UnitReader.open(state.database)) as reader, reader.reading():
            if engine is None:
                engine = _opened(self._place, reader, self._pause, LOCKED)
            engine.follow(reader, self._pause)
        with self._turn:
            if self._engine is None:
                gc.freeze()  # the engine and what it needs stay: looking through them takes longer than a question
            self._engine, self._problem = engine, None
            self._turn.notify_all()
        return engine

    def _retire(self, engine: _Engine | None, why: Exception | None = None) -> None:
        """Close what nobody is using any more."""
        with self._turn:
            self._engine, self._problem = None, why
            self._turn.notify_all()
            self._turn.wait_for(lambda: self._asking == 0)
        if engine is not None:
            engine.close()

    def _pause(self) -> None:
        """Let questions go first.  Raises _Stopped."""
        with self._turn:
            self._turn.wait_for(lambda: self._asking == 0 or self._closed, GIVE_WAY)
            if self._closed:
                raise _Stopped

    def _rest(self, seconds: float) -> None:
        with self._turn:
            self._turn.wait_for(lambda: self._closed, seconds)


class _Stopped(Exception):
    """Nobody wants the vectors any more."""


class _Engine:
    """An open store of vectors, and what asks it.  `changed`: it has something to write down."""

    def __init__(self, place: Place, embedder: Embedder, store: VectorStore) -> None:
        path = place.layout.folder / content.NAME
        self.stored = place.stored
        self.changed = False
        self._store = store
        # Two of them: one thread asks while another one follows.
        self._caches = VectorCache.readable(path), VectorCache.readable(path)
        self.meaning = StoredMeaning(embedder, store, self._caches[0])
        self._collection = Collection(store, self._caches[1], embedder.model, partial(_wanted_elsewhere, place))

    def follow(self, reader: UnitReader, pause: Pause = lambda: None) -> None:
        """Bring the store up to date."""
        done = self._collection.follow(reader, pause)
        self.changed = self.changed or done != Caught()

    def write_down(self) -> None:
        """Leave nothing to be replayed, or to be made anew, if this process is killed."""
        self._store.flush()
        self.changed = False

    def close(self) -> None:
        """Release all files."""
        self.meaning.close()
        for cache in self._caches:
            cache.close()
        with contextlib.suppress(PortError):
            self._store.close()


def _opened(place: Place, reader: UnitReader, pause: Pause = lambda: None, patience: float = 0.0) -> _Engine:
    """An engine for the vectors of a database.  Raises PortError, NavError, OSError."""
    embedder = place.embedder()
    if embedder.model != reader.model():
        raise Unavailable(f"the vectors are of another model ({reader.model()})")
    store = _store(place, embedder, pause, time.monotonic() + patience)
    try:
        return _Engine(place, embedder, store)
    except BaseException:
        store.close()
        raise


def _store(place: Place, embedder: Embedder, pause: Pause, until: float) -> VectorStore:
    while True:
        try:
            return wiring.vector_store(place.config, place.layout, embedder.model, embedder.dims)
        except Locked:
            if time.monotonic() > until:
                from nav_ls.adapters.exact import ExactVectors

                return ExactVectors()
        except OSError as error:
            raise StorageError(f"the vectors cannot be opened: {error}") from error
        pause()
        time.sleep(_ONCE_MORE)


def _wanted_elsewhere(place: Place, database: Path, contents: set[bytes]) -> set[bytes]:
    """Which texts other branches have.  On a shared server other checkouts may want all of them."""
    if place.config.qdrant.url:
        return contents
    found: set[bytes] = set()
    for path in place.layout.databases():
        if path == database:
            continue
        with contextlib.suppress(NavError, FileNotFoundError), contextlib.closing(UnitReader.open(path)) as reader:
            found.update(content for content, _ in reader.of_contents(contents - found))
    return found
