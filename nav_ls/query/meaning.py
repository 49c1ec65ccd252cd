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
    """Implements `search.Meaning`.  Not for several threads at once."""

    def __init__(self, embedder: Embedder, store: VectorStore, cache: VectorCache) -> None:
        self._embedder, self._store, self._cache = embedder, store, cache
        self._thread = ThreadPoolExecutor(1, "question")
        self._asked: OrderedDict[str, Future[Vector]] = OrderedDict()

    def begin(self, text: str) -> None:
        """Embed a question that will be asked about, beside whatever else is done meanwhile."""
        known = self._asked.get(text)
        if known is None or known.cancelled() or (known.done() and known.exception() is not None):
            self._asked[text] = self._thread.submit(self._embedder.query, text)
            if len(self._asked) > REMEMBERED:
                self._asked.popitem(last=False)

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def nearest(self, text: str, limit: int, where: Sequence[Condition]) -> list[tuple[bytes, float]]:
        """(content hash, cosine) of the texts nearest to a question.

        The store says which; how near they are is reckoned from the stored vectors, whose rows have checksums.
        """
        matches = self._store.search(self._vector(text), limit, where)
        exact = self.cosines(text, [bytes.fromhex(match.id.replace("-", "")) for match in matches])
        return sorted(exact.items(), key=lambda item: -item[1])

    def cosines(self, text: str, contents: Iterable[bytes]) -> dict[bytes, float]:
        """Cosines of texts that have a vector."""
        import numpy as np

        found = self._cache.get(contents, self._embedder.model)
        if not found:
            return {}
        matrix = np.frombuffer(b"".join(found.values()), dtype="<f2").astype(np.float32).reshape(len(found), -1)
        return dict(zip(found, (matrix @ self._vector(text)).tolist(), strict=True))

    def _vector(self, text: str) -> Vector:
        self.begin(text)
        return self._asked[text].result()
