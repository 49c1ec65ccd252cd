"""The write side of search: units of every indexed file, then vectors of their texts.

Both passes compare what is there with what should be, so they can be stopped at any point and go on later:
units follow the files of the branch's database, vectors follow the texts that wait for one.  Each batch is
one transaction under the writer's lock; what was committed is never done again.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from nav_ls.index.pool import Lost, Pool
from nav_ls.index.unit_maker import Maker
from nav_ls.index.units import VERSION, prose_hash
from nav_ls.ports import Embedder, Progress
from nav_ls.store import content, lock
from nav_ls.store import facts as fact_store
from nav_ls.store.facts import FactStore
from nav_ls.store.prose import ProseStore
from nav_ls.store.units import FileUnits, StaleFile, UnitStore
from nav_ls.store.vectors import VectorCache
from nav_ls.text.errors import NavError

if TYPE_CHECKING:
    from nav_ls.ports import Vectors

FILES = 200
"""Files whose units are written in one transaction."""
MANY = 48
"""From so many files on workers make the units: starting them costs as much as a few dozen files."""
TEXTS = 64
"""Texts that are embedded before their vectors are written down: what a stop may lose, one or two seconds."""
ALIKE = 512
"""Texts that are sorted by length before they are embedded: texts of one length need no padding."""
PLANNED = 4096
"""Texts whose order is settled at a time; what is changed meanwhile comes in with the next round."""


class Refreshed(msgspec.Struct, frozen=True):
    """What a pass over the units did.  `left` counts files that changed under our hands and have to be indexed again."""

    files: int = 0
    units: int = 0
    removed: int = 0
    left: int = 0
    seconds: float = 0.0


class Embedded(msgspec.Struct, frozen=True):
    """What a pass over waiting texts did.  `reused` had a vector already, `waiting` are still without one.

    `repaired`: what was wrong with the stored vectors, "" if nothing was; `lost`: texts whose vector was gone.
    """

    embedded: int = 0
    reused: int = 0
    waiting: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    repaired: str = ""
    lost: int = 0


_MADE = msgspec.msgpack.Decoder(FileUnits | None)


class SearchIndex:
    """Writes the search side of one branch's database.  Not for several threads at once.

    `pool`: hands out worker processes that make the units of many files; without it they are made here.
    """

    def __init__(
        self, root: Path, folder: Path, database: Path, *, minimum: int = 24, pool: Callable[[], Pool] | None = None
    ) -> None:
        self._root, self._folder, self._pool = root, folder, pool
        self._store = UnitStore.open(database)
        self._maker = Maker(f"{VERSION}/{minimum}", minimum)

    def close(self) -> None:
        """Release all files."""
        self._store.close()

    def refresh(self, progress: Progress | None = None) -> Refreshed:
        """Make the units of all files that are new or have changed, and drop those of files that are gone."""
        started = time.monotonic()
        self._follow_prose()
        stale, gone = self._store.stale(self._maker.rules), self._store.gone()
        if not stale and not gone:
            return Refreshed()
        made = units = 0
        removed: Sequence[int] = gone
        for files in _batches(self._made(stale), len(stale)):
            with lock.writer(self._folder):
                self._store.replace(files, removed)
            removed = ()
            made += len(files)
            units += sum(len(file.rows) for file in files)
            if progress:
                progress(made, len(stale))
        with lock.writer(self._folder):
            self._store.drop_orphans()
        return Refreshed(made, units, len(gone), len(stale) - made, time.monotonic() - started)

    def _follow_prose(self) -> None:
        """Where prose was written since we last looked, the files that it is about are made anew."""
        path = self._folder / content.NAME
        try:
            prose = ProseStore.readable(path)
        except (NavError, FileNotFoundError):
            return  # nothing was written, or it cannot be read: then it is looked for the next time
        try:
            stamp = prose.stamp()
            self._maker = msgspec.structs.replace(self._maker, prose=str(path), stamp=stamp)
            if stamp == self._store.prose_seen():
                return
            made_with = self._store.made_with(prose.subjects())
            hashes = {subject: prose_hash(item) for subject, item in prose.get(made_with).items()}
        finally:
            prose.close()
        changed = [subject for subject, made in made_with.items() if {hashes.get(subject, b"")} != made]
        with lock.writer(self._folder):
            self._store.prose_changed(changed, stamp)

    def _made(self, stale: Sequence[StaleFile]) -> Iterator[FileUnits]:
        """The units of files, without those that changed meanwhile, in any order.

        One that cannot be divided has none: trying it again and again would help nobody.
        """
        if self._pool is not None and len(stale) >= MANY:
            yield from self._made_by_workers(self._pool(), stale)
            return
        with self._stored_facts() as facts:
            for row in stale:
                try:
                    made = self._maker.made(self._root, facts, row)
                except NavError:
                    raise
                except Exception:
                    made = self._maker.without_units(row)
                if made is not None:
                    yield made

    @contextlib.contextmanager
    def _stored_facts(self) -> Iterator[FactStore | None]:
        try:
            facts = FactStore.readable(self._folder / fact_store.NAME)
        except FileNotFoundError:
            yield None  # somebody has removed it: whoever changes the index next makes it again
            return
        with contextlib.closing(facts):
            yield facts

    def _made_by_workers(self, pool: Pool, stale: Sequence[StaleFile]) -> Iterator[FileUnits]:
        rows = {row.path: row for row in stale}
        for answer in pool.units(self._maker, rows):
            if isinstance(answer, Lost):
                yield self._maker.without_units(rows[answer.path])
            elif (made := _MADE.decode(answer)) is not None:
                yield made

    def waiting(self) -> int:
        """How many texts wait for a vector."""
        return self._store.waiting()

    def embed(
        self,
        embedder: Embedder,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Embedded:
        """Give waiting texts their vectors, for at most about `seconds`, or until `stop` says so.

        `progress` is told how many of the texts that waited at the start are done.
        """
        started, cpu = time.monotonic(), time.process_time()
        with lock.writer(self._folder):
            cache = VectorCache.writable(self._folder / content.NAME)
        try:
            lost = self._start(embedder.model, cache)
            total, embedded, reused = self._store.waiting(), 0, 0
            for texts in self._batches(cache, embedder.model):
                if stop() or (seconds is not None and time.monotonic() - started > seconds):
                    break
                fresh, known = texts
                if fresh:
                    vectors = embedder.documents(list(fresh.values()))
                    cache.put(dict(zip(fresh, packed(vectors), strict=True)), embedder.model)
                with lock.writer(self._folder):
                    self._store.mark_embedded([*known, *fresh])
                embedded, reused = embedded + len(fresh), reused + len(known)
                if progress:
                    progress(min(embedded + reused, total), total)
        finally:
            cache.close()
        return Embedded(
            embedded,
            reused,
            self._store.waiting(),
            time.monotonic() - started,
            time.process_time() - cpu,
            cache.repaired,
            lost,
        )

    def _start(self, model: str, cache: VectorCache) -> int:
        """Make units anew where their vectors are of another model or have been lost; returns how many were lost."""
        lost = 0
        with lock.writer(self._folder):
            self._store.start_model(model)
            if self._store.vectors_of() != cache.identity():
                lost = self._store.forget_all_but(cache.known(model), cache.identity())
        self.refresh()
        return lost

    def _batches(self, cache: VectorCache, model: str) -> Iterator[tuple[dict[bytes, str], list[bytes]]]:
        """(texts to embed, hashes that have a vector already), in the order in which they are wanted."""
        while pending := self._store.pending(PLANNED):
            known = cache.known(model) & pending.keys()
            if known:
                yield {}, list(known)
            fresh = [(key, text) for key, text in pending.items() if key not in known]
            for start in range(0, len(fresh), ALIKE):
                alike = sorted(fresh[start : start + ALIKE], key=lambda item: len(item[1]))
                for first in range(0, len(alike), TEXTS):
                    yield dict(alike[first : first + TEXTS]), []


def packed(vectors: Vectors) -> list[bytes]:
    """Vectors as the store keeps them."""
    import numpy as np

    return [row.astype("<f2").tobytes() for row in np.asarray(vectors)]


def unpacked(data: Sequence[bytes]) -> Vectors:
    """The inverse of `packed`: shape (n, dims)."""
    import numpy as np

    return np.frombuffer(b"".join(data), dtype="<f2").astype(np.float32).reshape(len(data), -1)


def _batches(made: Iterator[FileUnits], total: int) -> Iterator[list[FileUnits]]:
    """What is written in one transaction: at least one batch, so that files that are gone go."""
    yield list(islice(made, FILES))
    for _ in range(0, total, FILES):
        if files := list(islice(made, FILES)):
            yield files
