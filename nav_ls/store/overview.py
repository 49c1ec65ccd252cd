"""The whole branch at once, in aggregates: what a map of the repository is drawn from."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from nav_ls.store.reader import Reader
from nav_ls.store.rows import EVIDENCE_CODE, RELATION_CODE


class Use(msgspec.Struct, frozen=True, array_like=True):
    """A file mentions a definition of another file (or its own) in so many places."""

    file_id: int
    callee: int
    callee_file: int
    sites: int


class Outside(msgspec.Struct, frozen=True, array_like=True):
    """A relation that leads out of the repository, and how many files have it; tests and the like are counted apart."""

    kind: int
    name: str
    files: int
    aside_files: int


class Heirs(msgspec.Struct, frozen=True, array_like=True):
    """A type of the repository and the number of those that extend or implement it."""

    symbol_id: int
    count: int


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
            "SELECT e.file_id, e.callee, s.file_id, count(*) FROM edges e JOIN symbols s ON s.id = e.callee "
            "WHERE e.evidence < ? GROUP BY e.file_id, e.callee",
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
        return dict(self._reader._execute("SELECT file_id, count(*) FROM symbols WHERE key != '' GROUP BY file_id"))

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

    def heirs(self, limit: int) -> list[Heirs]:
        """The types that are extended most."""
        marks = ", ".join("?" * len(_HEIR_KINDS))
        rows = self._reader._execute(
            f"SELECT dst, count(DISTINCT src) AS n FROM relations WHERE kind IN ({marks}) AND dst != 0 "
            "GROUP BY dst ORDER BY n DESC LIMIT ?",
            (*_HEIR_KINDS, limit),
        )
        return [Heirs(*row) for row in rows]

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

    def called_like(self, pattern: str, kind: int, limit: int) -> list[tuple[int, int]]:
        """(definition, mentions of a kind) of definitions whose name matches a GLOB pattern, most mentions first."""
        return [
            (row[0], row[1])
            for row in self._reader._execute(
                "SELECT s.id, count(*) AS n FROM symbols s JOIN edges e ON e.callee = s.id "
                "WHERE s.name GLOB ? AND e.kind = ? AND e.evidence < ? GROUP BY s.id ORDER BY n DESC LIMIT ?",
                (pattern, kind, _CERTAIN, limit),
            )
        ]
