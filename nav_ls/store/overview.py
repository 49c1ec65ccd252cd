"""The whole branch at once, in aggregates: what a map of the repository is drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from nav_ls.store.reader import Reader
from nav_ls.store.rows import EVIDENCE_CODE, RELATION_CODE
from nav_ls.syntax.facts import Flag


class Use(msgspec.Struct, frozen=True, array_like=True):
    """A file mentions a definition of another file, or its own."""

    file_id: int
    callee: int
    callee_file: int


class Outside(msgspec.Struct, frozen=True, array_like=True):
    """A relation that leads out of the repository, and how many files have it; tests and the like are counted apart."""

    kind: int
    name: str
    files: int
    aside_files: int


_DECLARED = f"NOT (s.kind = 'field' AND s.flags & {Flag.MINOR})"
"""A field that is only assigned, or told by a type's shape, is nothing to draw a map by."""
_CERTAIN = EVIDENCE_CODE["name"]
_HEIR_KINDS = tuple(RELATION_CODE[kind] for kind in ("inherits", "implements", "embeds"))
_IMPORTS = RELATION_CODE["imports"]


class Overview:
    """Aggregates over a reader's present state."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def uses(self) -> list[Use]:
        """Which definitions each file mentions; a mention that only a name speaks for does not count."""
        rows = self._reader._execute(
            "SELECT DISTINCT e.file_id, e.callee, s.file_id FROM edges e JOIN symbols s ON s.id = e.callee "
            f"WHERE e.evidence < ? AND {_DECLARED}",
            (_CERTAIN,),
        )
        return [Use(*row) for row in rows]

    def imports(self) -> list[tuple[int, int]]:
        """(importing file, imported file)."""
        rows = self._reader._execute(
            "SELECT DISTINCT r.file_id, s.file_id FROM relations r JOIN symbols s ON s.id = r.dst WHERE r.kind = ?",
            (_IMPORTS,),
        )
        return [(row[0], row[1]) for row in rows]

    def definitions(self) -> dict[int, int]:
        """How many definitions each file has."""
        counted = f"SELECT s.file_id, count(*) FROM symbols s WHERE s.key != '' AND {_DECLARED} GROUP BY s.file_id"
        return dict(self._reader._execute(counted))

    def outside(self, asides: Iterable[int]) -> list[Outside]:
        """What is imported or extended from outside of the repository; `asides` are the files to count apart."""
        known = set(asides)
        found: dict[tuple[int, str], list[set[int]]] = {}
        for kind, name, file_id in self._reader._execute(
            "SELECT DISTINCT kind, dst_name, file_id FROM relations WHERE dst = 0 AND dst_name != ''"
        ):
            code, aside = found.setdefault((kind, name), [set(), set()])
            (aside if file_id in known else code).add(file_id)
        return [Outside(kind, name, len(code), len(aside)) for (kind, name), (code, aside) in sorted(found.items())]

    def layers(self) -> list[tuple[int, str, int]]:
        """(file, layer, definitions of that layer in it), as far as search knows the files."""
        return self._reader._execute(
            "SELECT id >> 16, layer, count(*) FROM units WHERE layer != '' AND symbol != '' GROUP BY id >> 16, layer"
        )

    def heirs(self) -> dict[int, list[tuple[int, int, int]]]:
        """Of each type that is extended or implemented at all: (the other type, its file, the type's own file) of each."""
        marks = ", ".join("?" * len(_HEIR_KINDS))
        found: dict[int, list[tuple[int, int, int]]] = {}
        for target, source, file_id, target_file in self._reader._execute(
            f"SELECT DISTINCT r.dst, r.src, r.file_id, s.file_id FROM relations r JOIN symbols s ON s.id = r.dst "
            f"WHERE r.kind IN ({marks})",
            _HEIR_KINDS,
        ):
            found.setdefault(target, []).append((source, file_id, target_file))
        return found

    def extends_outside(self, pattern: str) -> list[int]:
        """Definitions that extend an outside type whose name matches a LIKE pattern."""
        marks = ", ".join("?" * len(_HEIR_KINDS))
        rows = self._reader._execute(
            f"SELECT DISTINCT src FROM relations WHERE dst = 0 AND kind IN ({marks}) AND dst_name LIKE ?",
            (*_HEIR_KINDS, pattern),
        )
        return [row[0] for row in rows]

    def named(self, names: Iterable[str]) -> list[int]:
        """Callable definitions with one of some names."""
        wanted = list(names)
        marks = ", ".join("?" * len(wanted))
        rows = self._reader._execute(
            f"SELECT id FROM symbols WHERE name IN ({marks}) AND kind IN ('function', 'method')", tuple(wanted)
        )
        return [row[0] for row in rows]

    def mentioned(self, kind: int) -> dict[int, int]:
        """How often each definition is mentioned in one way, if at all."""
        rows = self._reader._execute(
            "SELECT callee, count(*) FROM edges WHERE kind = ? AND evidence < ? GROUP BY callee", (kind, _CERTAIN)
        )
        return dict(rows)

    def named_like(self, patterns: Sequence[str]) -> list[int]:
        """Definitions whose name matches one of some GLOB patterns."""
        where = " OR ".join(["name GLOB ?"] * len(patterns))
        return [row[0] for row in self._reader._execute(f"SELECT id FROM symbols WHERE {where}", tuple(patterns))]
