"""Vectors in Qdrant's engine, embedded in this process (`qdrant-edge-py`).

One process at a time can hold the folder.  Every vector is looked at: with the indexing threshold out of reach no
graph is built, so nothing is ever optimised behind a request.  Vectors are kept as 8-bit codes, a fourth of the
memory and of the time (3 ms for 100k points instead of 15): a score is off in the third decimal, and among the nearest
300 of 100k random vectors three are others.
Payload values are keywords; the engine's boolean conditions match nothing in this version.

The folder is sealed whenever all that was written lies in its files (`flush`), and its seal broken by the next change:
a process that is killed between two changes leaves a collection that can be taken over as it is.  A lock of our own is
held from before the seal is looked at until it is put on for the last time: the engine takes its lock only after it has
opened all files for writing, and gives it back before they are sealed.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nav_ls.ports import Condition, Corrupt, Locked, Match, Point, PortError
from nav_ls.store import folder_seal, lock, seal
from nav_ls.text.errors import BusyError, DamagedError

if TYPE_CHECKING:
    from nav_ls.ports import Vector

BATCH = 512
SCROLL = 10_000
NEVER_INDEX = 2_000_000_000
"""Kilobytes of vectors beyond which the engine would build a graph."""
AHEAD = folder_seal.Ahead("wal/tmp-open-*", "wal/open-*")
"""The next part of the engine's log."""
_IN_USE = "the vectors are in use by another process"


class QdrantEdge:
    """A collection in `folder`, made if it isn't there.  `keys` are the payload keys to filter by.

    What is there is removed before if it is to be begun `anew`.  Raises Locked where somebody else holds it, Corrupt
    where it is not what was left there, StorageError where nothing can be written.
    """

    def __init__(self, folder: Path, dims: int, keys: Sequence[str] = (), anew: bool = False) -> None:
        self._folder, self._dims, self._keys = folder, dims, tuple(keys)
        self._seals: folder_seal.Seals = {}
        self._sealed = False
        with contextlib.ExitStack() as held:
            _hold(folder, held)
            if anew:
                discard(folder)
            self._shard: Any = self._open()
            self._held = held.pop_all()

    def upsert(self, points: Sequence[Point]) -> None:
        import qdrant_edge as edge

        self._unseal()
        for start in range(0, len(points), BATCH):
            part = [_point(point) for point in points[start : start + BATCH]]
            self._do(partial(self._update, edge.UpdateOperation.upsert_points(part)))

    def delete(self, ids: Sequence[str]) -> None:
        import qdrant_edge as edge

        if ids:
            self._unseal()
            self._do(partial(self._update, edge.UpdateOperation.delete_points(list(ids))))

    def search(self, vector: Vector, limit: int, where: Sequence[Condition] = ()) -> list[Match]:
        import qdrant_edge as edge

        nearest: Any = vector
        request = edge.QueryRequest(limit=limit, query=edge.Query.Nearest(nearest), filter=_filter(where))
        return [Match(str(hit.id), hit.score) for hit in self._do(lambda: self._shard.query(request))]

    def ids(self) -> set[str]:
        return set(self._scroll())

    def count(self) -> int:
        import qdrant_edge as edge

        return int(self._do(lambda: self._shard.count(edge.CountRequest(exact=True))))

    def clear(self) -> None:
        self._close_shard()
        discard(self._folder)
        self._shard = self._open()

    def flush(self) -> None:
        if not self._sealed:
            self._do(self._shard.flush)
            self._seal()

    def close(self) -> None:
        with self._held:
            self._close_shard()

    def _close_shard(self) -> None:
        if self._shard is not None:
            shard, self._shard = self._shard, None
            self._do(shard.close)
            if not self._sealed:
                self._seal()

    def _seal(self) -> None:
        with contextlib.suppress(OSError):  # one without a seal is made again
            self._seals = folder_seal.put(self._folder, self._seals, AHEAD)
            self._sealed = True

    def _unseal(self) -> None:
        self._sealed = False
        seal.break_off(self._folder)

    def _update(self, operation: Any) -> None:
        self._shard.update(operation)

    def _scroll(self) -> Iterator[str]:
        import qdrant_edge as edge

        offset: Any = None
        while True:
            request = edge.ScrollRequest(offset=offset, limit=SCROLL, with_payload=False, with_vector=False)
            records, offset = self._do(partial(self._shard.scroll, request))
            yield from (str(record.id) for record in records)
            if offset is None:
                return

    def _open(self) -> Any:
        import qdrant_edge as edge

        config = edge.EdgeConfig(
            vectors=edge.EdgeVectorParams(
                size=self._dims, distance=edge.Distance.Cosine, datatype=edge.VectorStorageDatatype.Turbo8
            ),
            optimizers=edge.EdgeOptimizersConfig(indexing_threshold=NEVER_INDEX),
        )
        self._folder.mkdir(parents=True, exist_ok=True)
        if any(self._folder.iterdir()):
            return self._loaded(lambda: edge.EdgeShard.load(str(self._folder), config))
        seal.break_off(self._folder)
        shard = self._do(lambda: edge.EdgeShard.create(str(self._folder), config), opening=True)
        for key in self._keys:
            operation = edge.UpdateOperation.create_field_index(key, edge.PayloadSchemaType.Keyword)
            self._do(partial(shard.update, operation))
        return shard

    def _loaded(self, load: Callable[[], Any]) -> Any:
        """The shard in the folder, if it is what was left there: the engine itself has no checksums."""
        try:
            seals = folder_seal.verified(self._folder, AHEAD)
        except DamagedError as error:
            raise Corrupt(str(error)) from None
        if seals is None:
            raise Corrupt(f"{self._folder} was left in the middle of a change")
        shard = self._do(load, opening=True)
        self._seals = seals
        self._seal()  # anew: loading writes the settings down again
        return shard

    @staticmethod
    def _do(action: Callable[[], Any], opening: bool = False) -> Any:
        """`action`'s result, with the engine's failures (Rust panics among them) as our own errors."""
        try:
            return action()
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except BaseException as error:
            text = str(error)
            if opening and "WouldBlock" in text:
                raise Locked(_IN_USE) from None
            if opening:
                raise Corrupt(f"the vectors cannot be opened: {text}") from None
            raise PortError(f"the vector store failed: {text}") from None


def _hold(folder: Path, held: contextlib.ExitStack) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        held.enter_context(lock.writer(folder.parent, 0, f"{folder.name}.lock"))
    except BusyError:
        raise Locked(_IN_USE) from None


def _point(point: Point) -> Any:
    import qdrant_edge as edge

    vector: Any = point.vector
    return edge.Point(point.id, vector, dict(point.payload))


def _filter(where: Sequence[Condition]) -> Any:
    import qdrant_edge as edge

    if not where:
        return None
    fields = [(c, edge.FieldCondition(key=c.key, match=edge.MatchAny(list(c.any_of)))) for c in where]
    return edge.Filter(
        must=[field for c, field in fields if not c.negate], must_not=[field for c, field in fields if c.negate]
    )


def discard(folder: Path) -> None:
    """Remove a collection and its seal."""
    seal.break_off(folder)
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(folder)
