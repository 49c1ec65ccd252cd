"""The search side of a workspace: keeps units and vectors up to date, and answers questions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from nav_ls.config.settings import Config
from nav_ls.index.pool import Pool
from nav_ls.index.search_index import Embedded, Refreshed, SearchIndex
from nav_ls.ports import Embedder, PortError, Progress, Reranker
from nav_ls.query.meaning import StoredMeaning
from nav_ls.query.ranking import DEFAULT_WEIGHTS, Weights
from nav_ls.query.search import SearchAnswer, SearchQuery, search
from nav_ls.store import content
from nav_ls.store.layout import Layout
from nav_ls.store.prose import ProseStore
from nav_ls.store.units import StoredUnit, UnitReader
from nav_ls.store.vectors import VectorCache
from nav_ls.text.errors import NavError
from nav_ls.workspace import wiring
from nav_ls.workspace.vectors import Behind, Here, Place, Preparing, Vectors

KEPT_PROSE = 20_000
"""Descriptions of definitions that no branch has (any more) are kept up to so many: they were paid for."""
PATIENCE = 5.0
"""Seconds that a question waits for vectors that are being read; one that has to be answered at once does not."""


class Pending(msgspec.Struct, frozen=True):
    """How far search is: units, how many of them have a vector, texts that wait for theirs."""

    units: int
    embedded: int
    waiting: int


class Searching:
    """Search over one repository.  May be asked from several threads; they take turns."""

    def __init__(
        self,
        layout: Layout,
        config: Config,
        text_of: Callable[[StoredUnit], str],
        pool: Callable[[], Pool] | None = None,
        *,
        behind: bool = False,
    ) -> None:
        """`behind`: vectors are made ready by a thread, and questions answered without them as long."""
        self._layout, self._config, self._text_of, self._pool = layout, config, text_of, pool
        self._guard = threading.RLock()
        self._reader: UnitReader | None = None
        self._inode = 0
        place = Place(layout, config, self._embedding)
        self._vectors: Vectors = Behind(place) if behind else Here(place)
        self._embedder: Embedder | None = None
        self._maker: Embedder | None = None
        self._reranker: Reranker | None = None
        self._reranker_known = False

    # --- writing

    def refresh(self, progress: Progress | None = None) -> Refreshed:
        """Make units of what has changed since the last time.  Raises BusyError, StorageError."""
        database = self._database()
        if database is None:
            return Refreshed()
        index = self._index(database)
        try:
            return index.refresh(progress)
        finally:
            index.close()

    def embed(
        self,
        seconds: float | None = None,
        progress: Progress | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Embedded:
        """Give waiting texts their vectors.  Raises PortError where there is no embedder."""
        database = self._database()
        if database is None:
            return Embedded()
        index = self._index(database)
        try:
            if self._maker is None:
                self._maker = wiring.embedder(self._config)
            return index.embed(self._maker, seconds=seconds, progress=progress, stop=stop)
        finally:
            index.close()

    def has_units(self) -> bool:
        """Whether there is anything to search; cheap, unlike `pending`, which looks at every unit."""
        with self._guard:
            reader = self._units()
            return reader is not None and reader.totals()[1] > 0

    def pending(self) -> Pending:
        """How far search is."""
        with self._guard:
            reader = self._units()
            if reader is None:
                return Pending(0, 0, 0)
            total, embedded = reader.counts()
            return Pending(total, embedded, reader.waiting())

    def collect(self) -> int:
        """Drop vectors that no branch needs, and collections of other models; returns how many vectors went.

        The caller holds the writer's lock.
        """
        contents, models, subjects = set[bytes](), set[str](), set[str]()
        for path in self._layout.databases():
            reader = UnitReader.open(path)
            try:
                contents.update(reader.contents())
                subjects.update(reader.subjects())
                model = reader.model()
            finally:
                reader.close()
            if model is not None:
                models.add(model)
        if not (self._layout.folder / content.NAME).is_file():
            return 0
        cache = VectorCache.writable(self._layout.folder / content.NAME)
        try:
            dropped = cache.keep_only(contents, models)
        finally:
            cache.close()
        prose = ProseStore.writable(self._layout.folder / content.NAME)
        try:
            prose.keep_only(subjects, KEPT_PROSE)
        finally:
            prose.close()
        wiring.drop_collections(self._config, self._layout, models)
        return dropped

    # --- reading

    def search(self, query: SearchQuery, weights: Weights = DEFAULT_WEIGHTS) -> SearchAnswer:
        """The best hits.  Raises UsageError."""
        (found,) = self.compare(query, (weights,))
        return found

    def compare(self, query: SearchQuery, weights: Sequence[Weights]) -> list[SearchAnswer]:
        """Like `search`, once for each of the weights.  Raises UsageError."""
        if not query.quick:
            try:
                return self._compared(query, weights, preparing=True)
            except Preparing:
                self._vectors.wait(PATIENCE)
        return self._compared(query, weights)

    def _compared(
        self, query: SearchQuery, weights: Sequence[Weights], *, preparing: bool = False
    ) -> list[SearchAnswer]:
        """With `preparing` it raises Preparing rather than answering without vectors that will be there soon."""
        with self._guard, self._vectors.asked():
            reader = self._units()
            if reader is None:
                return [SearchAnswer((), query.mode, ("nothing is indexed yet",))] * len(weights)
            with reader.reading():
                meaning, missing = self._meaning(reader, preparing) if query.mode != "lexical" else (None, "")
                reranker = self._reranking() if query.rerank else None
                return search(
                    reader,
                    query,
                    meaning,
                    weights,
                    reranker=reranker,
                    texts=self._text_of,
                    missing=missing,
                    project=self._project,
                )

    def units(self, ids: list[int]) -> dict[int, StoredUnit]:
        """Units by id."""
        with self._guard:
            reader = self._units()
            return reader.units(ids) if reader is not None else {}

    def definitions(self) -> list[StoredUnit]:
        """The units that are definitions."""
        with self._guard:
            reader = self._units()
            return reader.definitions() if reader is not None else []

    def symbols(self) -> dict[int, int]:
        """Ids of the definitions by those of the units that hold them."""
        with self._guard:
            reader = self._units()
            return reader.symbols() if reader is not None else {}

    def paths(self) -> list[str]:
        """The files that have units."""
        with self._guard:
            reader = self._units()
            return [path for _, path, _, _ in reader.files()] if reader is not None else []

    def around(self, unit: StoredUnit, limit: int = 8) -> tuple[list[str], list[str]]:
        """Names of the definitions that a unit calls, and of those that call it."""
        with self._guard:
            reader = self._units()
            if reader is None:
                return [], []
            sides = []
            for callers in (False, True):
                ids = reader.neighbours(unit, callers=callers, limit=limit)
                found = reader.units(ids)
                sides.append([found[id].qual for id in ids if id in found])
            return sides[0], sides[1]

    def close(self) -> None:
        """Release all files."""
        with self._guard:
            if self._reader is not None:
                self._reader.close()
                self._reader = None
        self._vectors.close()

    # --- inside

    def _database(self) -> Path | None:
        path = self._layout.database(self._layout.view())
        return path if path.is_file() else None

    def _index(self, database: Path) -> SearchIndex:
        minimum = self._config.search.min_unit_bytes
        return SearchIndex(self._layout.root, self._layout.folder, database, minimum=minimum, pool=self._pool)

    def _units(self) -> UnitReader | None:
        """The reader of what is checked out now."""
        path = self._database()
        inode = path.stat().st_ino if path is not None else 0
        if self._reader is not None and (self._reader.path != path or self._inode != inode):
            self._reader.close()
            self._reader = None
        if self._reader is None and path is not None:
            self._reader = UnitReader.open(path)
            self._inode = inode
        return self._reader

    @cached_property
    def _project(self) -> frozenset[str]:
        return wiring.names_of(self._layout)

    def _embedding(self) -> Embedder:
        """For questions: one thread is enough for a few words, and waits for no other."""
        if self._embedder is None:
            self._embedder = wiring.embedder(self._config, 1)
        return self._embedder

    def _reranking(self) -> Reranker | None:
        if not self._reranker_known:
            self._reranker_known = True
            try:
                self._reranker = wiring.reranker(self._config)
            except PortError:
                self._reranker = None
        return self._reranker

    def _meaning(self, reader: UnitReader, preparing: bool) -> tuple[StoredMeaning | None, str]:
        """Search by vectors as far as it is possible, and why it isn't."""
        try:
            if reader.model() is None:
                return None, "nothing is embedded yet"
            return self._vectors.meaning(reader), ""
        except Preparing as error:
            if preparing:
                raise
            return None, str(error)
        except (PortError, NavError, OSError) as error:
            return None, str(error)
