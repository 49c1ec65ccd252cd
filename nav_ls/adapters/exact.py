"""Vectors in memory, searched one by one: for a process that finds the embedded store in another's hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nav_ls.ports import Condition, Match, Point

if TYPE_CHECKING:
    from nav_ls.ports import Vector, Vectors


class ExactVectors:
    """A collection that lives as long as the process.  100k vectors of 384 dimensions take 150 MB and 10 ms.

    One thread may search while another one changes it: what is searched is replaced, never changed.
    """

    def __init__(self) -> None:
        self._points: dict[str, Point] = {}
        self._matrix: tuple[list[Point], Vectors] | None = None

    def upsert(self, points: Sequence[Point]) -> None:
        self._replace(self._points | {point.id: point for point in points})

    def delete(self, ids: Sequence[str]) -> None:
        gone = set(ids)
        self._replace({id: point for id, point in self._points.items() if id not in gone})

    def search(self, vector: Vector, limit: int, where: Sequence[Condition] = ()) -> list[Match]:
        import numpy as np

        points, matrix = self._packed()
        if not points:
            return []
        scores = matrix @ np.asarray(vector, dtype=np.float32)
        found: list[Match] = []
        for row in np.argsort(-scores, kind="stable").tolist():
            if len(found) == limit:
                break
            if _meets(points[row].payload, where):
                found.append(Match(points[row].id, float(scores[row])))
        return found

    def ids(self) -> set[str]:
        return set(self._points)

    def count(self) -> int:
        return len(self._points)

    def clear(self) -> None:
        self._replace({})

    def flush(self) -> None:
        """Nothing to write down."""

    def close(self) -> None:
        self.clear()

    def _replace(self, points: dict[str, Point]) -> None:
        self._points, self._matrix = points, None

    def _packed(self) -> tuple[list[Point], Vectors]:
        import numpy as np

        packed = self._matrix
        if packed is None:
            points = list(self._points.values())
            matrix = np.array([point.vector for point in points], dtype=np.float32)
            norms = np.linalg.norm(matrix, axis=-1, keepdims=True)
            packed = self._matrix = points, matrix / norms
        return packed


def _meets(payload: dict[str, str | list[str]], where: Sequence[Condition]) -> bool:
    for condition in where:
        value = payload.get(condition.key, [])
        values = [value] if isinstance(value, str) else value
        if any(v in condition.any_of for v in values) == condition.negate:
            return False
    return True
