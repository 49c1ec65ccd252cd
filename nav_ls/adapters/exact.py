"""Vectors in memory, searched one by one: for a process that finds the embedded store in another's hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nav_ls.ports import Condition, Match, Point

if TYPE_CHECKING:
    from nav_ls.ports import Vector, Vectors


class ExactVectors:
    """A collection that lives as long as the process.  100k vectors of 384 dimensions take 150 MB and 10 ms."""

    def __init__(self) -> None:
        self._points: dict[str, Point] = {}
        self._matrix: tuple[list[str], Vectors] | None = None

    def upsert(self, points: Sequence[Point]) -> None:
        self._points.update((point.id, point) for point in points)
        self._matrix = None

    def delete(self, ids: Sequence[str]) -> None:
        for id in ids:
            self._points.pop(id, None)
        self._matrix = None

    def search(self, vector: Vector, limit: int, where: Sequence[Condition] = ()) -> list[Match]:
        import numpy as np

        if not self._points:
            return []
        names, matrix = self._packed()
        scores = matrix @ np.asarray(vector, dtype=np.float32)
        found: list[Match] = []
        for row in np.argsort(-scores, kind="stable").tolist():
            if len(found) == limit:
                break
            if _meets(self._points[names[row]].payload, where):
                found.append(Match(names[row], float(scores[row])))
        return found

    def ids(self) -> set[str]:
        return set(self._points)

    def count(self) -> int:
        return len(self._points)

    def clear(self) -> None:
        self._points.clear()
        self._matrix = None

    def flush(self) -> None:
        """Nothing to write down."""

    def close(self) -> None:
        self.clear()

    def _packed(self) -> tuple[list[str], Vectors]:
        import numpy as np

        if self._matrix is None:
            rows = [point.vector for point in self._points.values()]
            matrix = np.array(rows, dtype=np.float32) if rows else np.zeros((0, 0), dtype=np.float32)
            norms = np.linalg.norm(matrix, axis=1, keepdims=True) if rows else 1.0
            self._matrix = (list(self._points), matrix / norms)
        return self._matrix


def _meets(payload: dict[str, str | list[str]], where: Sequence[Condition]) -> bool:
    for condition in where:
        value = payload.get(condition.key, [])
        values = [value] if isinstance(value, str) else value
        if any(v in condition.any_of for v in values) == condition.negate:
            return False
    return True
