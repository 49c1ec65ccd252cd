"""Search by vectors: an embedder for the question, a vector store for the nearest, stored vectors for the rest."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from nav_ls.ports import Condition, Embedder, VectorStore
from nav_ls.store.vectors import VectorCache

if TYPE_CHECKING:
    from nav_ls.ports import Vector

REMEMBERED = 256
"""Questions whose vectors are kept: an agent asks again with other filters."""


class StoredMeaning:
    """Implements `search.Meaning`.  For one question at a time: nothing else may be asked before `nearest` is done."""

    def __init__(self, embedder: Embedder, store: VectorStore, cache: VectorCache) -> None:
        self._embedder, self._store, self._cache = embedder, store, cache
        self._thread = ThreadPoolExecutor(1, "meaning")
        self._asked: OrderedDict[str, Vector] = OrderedDict()

    def nearest(self, text: str, limit: int, where: Sequence[Condition]) -> Future[list[tuple[bytes, float]]]:
        """(content hash, cosine) of the texts nearest to a question; looked for on a thread.

        The store says which; how near they are is reckoned from the stored vectors, whose rows have checksums.
        """
        return self._thread.submit(self._nearest, text, limit, where)

    def _nearest(self, text: str, limit: int, where: Sequence[Condition]) -> list[tuple[bytes, float]]:
        matches = self._store.search(self._vector(text), limit, where)
        exact = self.cosines(text, [bytes.fromhex(match.id.replace("-", "")) for match in matches])
        return sorted(exact.items(), key=lambda item: -item[1])

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(cancel_futures=True)

    def cosines(self, text: str, contents: Iterable[bytes]) -> dict[bytes, float]:
        """Cosines of texts that have a vector."""
        import numpy as np

        found = self._cache.get(contents, self._embedder.model)
        if not found:
            return {}
        matrix = np.frombuffer(b"".join(found.values()), dtype="<f2").astype(np.float32).reshape(len(found), -1)
        return dict(zip(found, (matrix @ self._vector(text)).tolist(), strict=True))

    def _vector(self, text: str) -> Vector:
        known = self._asked.get(text)
        if known is None:
            known = self._embedder.query(text)
            self._asked[text] = known
            if len(self._asked) > REMEMBERED:
                self._asked.popitem(last=False)
        return known
