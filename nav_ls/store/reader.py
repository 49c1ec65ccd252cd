"""The database of one branch, seen by those who ask.  A reader sees one committed state from `begin` to `end`."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from nav_ls.store import database, seal
from nav_ls.store.rows import FileRow
from nav_ls.store.units import FILE_BITS
from nav_ls.text.lines import LineTable
from nav_ls.text.names import humps

T = TypeVar("T")

_CHUNK = 500
"""How many ids go into one statement."""

_LINE_TABLES = 2000
_FILE = "id, path, language, flags, skip, problems, size, hash"
_SYMBOL = (
    "s.id, s.file_id, s.key, s.name, s.qual, s.kind, s.start, s.end, s.name_start, s.name_end, s.parent, s.flags, "
    "s.visibility, s.signature, s.doc, s.body_start"
)
_EDGE = "file_id, start, callee, kind, caller, evidence, end"


class FileInfo(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a file.  `language` is "" where it is not indexed, `skip` says why."""

    id: int
    path: str
    language: str
    flags: int
    skip: str
    problems: str
    size: int
    hash: bytes


class StoredSymbol(msgspec.Struct, frozen=True, array_like=True):
    """A row of `symbols` with its ids."""

    id: int
    file_id: int
    key: str
    name: str
    qual: str
    kind: str
    start: int
    end: int
    name_start: int
    name_end: int
    parent: str
    flags: int
    visibility: str
    signature: str
    doc: str
    body_start: int


class StoredEdge(msgspec.Struct, frozen=True, array_like=True):
    """A row of `edges`."""

    file_id: int
    start: int
    callee: int
    kind: int
    caller: int
    evidence: int
    end: int


class StoredUnresolved(msgspec.Struct, frozen=True, array_like=True):
    """A row of `unresolved`."""

    file_id: int
    start: int
    name: str
    caller: int
    end: int
    why: str


class StoredRelation(msgspec.Struct, frozen=True, array_like=True):
    """A row of `relations`."""

    file_id: int
    kind: int
    src: int
    dst: int
    dst_name: str
    evidence: int


class Reader:
    """Reads one branch.  Not for several threads at once."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._generation = -1
        self._files: dict[int, FileInfo] = {}
        self._ids: dict[str, int] = {}
        self._lines: dict[int, LineTable] = {}

    @classmethod
    def open(cls, path: Path) -> Reader:
        """Open for reading; raises FileNotFoundError where there is no index, DamagedError where it is corrupt."""
        seal.verify(path)
        return cls(path, database.open_readable(path, "schema.sql"))

    def begin(self) -> None:
        """From here to `end` nothing changes, whatever is written meanwhile."""
        self._execute("BEGIN")
        generation = self.generation
        if generation != self._generation:
            self._generation = generation
            self._files.clear()
            self._ids.clear()
            self._lines.clear()

    def end(self) -> None:
        """Let go of the state."""
        if self._connection.in_transaction:
            self._execute("ROLLBACK")

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    @property
    def generation(self) -> int:
        """How many changes have been committed."""
        rows = self._execute("SELECT value FROM meta WHERE key = 'generation'")
        return int(rows[0][0]) if rows else 0

    def meta(self) -> dict[str, Any]:
        """The settings of the database."""
        return dict(self._execute("SELECT key, value FROM meta"))

    def counts(self) -> dict[str, int]:
        """Rows of each kind: files, symbols, edges, unresolved, pending embeddings."""
        return {
            "files": self._count("files WHERE language != ''"),
            "symbols": self._count("symbols WHERE key != ''"),
            "edges": self._count("edges"),
            "unresolved": self._count("unresolved"),
            "pending": self._count("unit_texts"),
        }

    def described(self) -> int:
        """How many definitions have prose."""
        return self._count("units WHERE prose != x''")

    def pending(self) -> int:
        """How many definitions wait for their embedding."""
        return self._count("unit_texts")

    # --- files

    def file(self, file_id: int) -> FileInfo:
        """A file by id."""
        known = self._files.get(file_id)
        if known is None:
            known = FileInfo(*self._execute(f"SELECT {_FILE} FROM files WHERE id = ?", (file_id,))[0])
            self._files[file_id] = known
        return known

    def load_files(self, ids: Iterable[int]) -> None:
        """Read the rows of many files at once, for `file` to find."""
        missing = [file_id for file_id in set(ids) if file_id not in self._files]
        for part in _chunks(missing):
            marks = ", ".join("?" * len(part))
            for row in self._execute(f"SELECT {_FILE} FROM files WHERE id IN ({marks})", part):
                self._files[row[0]] = FileInfo(*row)

    def file_at(self, path: str) -> FileInfo | None:
        """A file by path."""
        known = self._ids.get(path)
        if known is not None:
            return self.file(known)
        rows = self._execute(f"SELECT {_FILE} FROM files WHERE path = ?", (path,))
        if not rows:
            return None
        found = FileInfo(*rows[0])
        self._ids[path] = found.id
        self._files[found.id] = found
        return found

    def files(self) -> list[FileInfo]:
        """All files, by path."""
        return [FileInfo(*row) for row in self._execute(f"SELECT {_FILE} FROM files ORDER BY path")]

    def file_rows(self) -> dict[str, tuple[int, FileRow]]:
        """What tells whether files have changed: id and row by path, as `BranchStore.files`."""
        rows = self._execute(
            "SELECT id, path, language, size, mtime_ns, ctime_ns, inode, read_ns, hash, facts, x'', flags, skip FROM files"
        )
        return {row[1]: (row[0], FileRow(*row[1:])) for row in rows}

    def files_ending(self, suffix: str, limit: int) -> list[FileInfo]:
        """Files whose path is `suffix` or ends with "/" and it."""
        rows = self._execute(
            f"SELECT {_FILE} FROM files WHERE path = ?1 OR substr(path, -length(?1) - 1) = '/' || ?1 ORDER BY path LIMIT ?2",
            (suffix, limit),
        )
        return [FileInfo(*row) for row in rows]

    def lines(self, file_id: int) -> LineTable:
        """The line table of a file."""
        known = self._lines.get(file_id)
        if known is None:
            packed = self._execute("SELECT lines FROM files WHERE id = ?", (file_id,))[0][0]
            known = LineTable.unpack(packed) if packed else LineTable([0], 0)
            if len(self._lines) >= _LINE_TABLES:
                del self._lines[next(iter(self._lines))]
            self._lines[file_id] = known
        return known

    # --- symbols

    def symbols(self, ids: Iterable[int]) -> dict[int, StoredSymbol]:
        """Definitions by id; those that are gone are missing."""
        found: dict[int, StoredSymbol] = {}
        wanted = list(dict.fromkeys(ids))
        for start in range(0, len(wanted), _CHUNK):
            part = wanted[start : start + _CHUNK]
            marks = ", ".join("?" * len(part))
            for row in self._execute(f"SELECT {_SYMBOL} FROM symbols s WHERE s.id IN ({marks})", part):
                found[row[0]] = StoredSymbol(*row)
        return found

    def symbol(self, file_id: int, key: str) -> StoredSymbol | None:
        """A definition by key."""
        rows = self._execute(f"SELECT {_SYMBOL} FROM symbols s WHERE s.file_id = ? AND s.key = ?", (file_id, key))
        return StoredSymbol(*rows[0]) if rows else None

    def subject(self, file_id: int, key: str) -> str:
        """What prose about a definition is kept under, "" where there can be none."""
        rows = self._execute(
            "SELECT subject FROM units WHERE id >= ? AND id < ? AND symbol = ? AND subject != '' LIMIT 1",
            (file_id << FILE_BITS, (file_id + 1) << FILE_BITS, key),
        )
        return str(rows[0][0]) if rows else ""

    def symbols_of(self, file_id: int) -> list[StoredSymbol]:
        """All definitions of a file in the order of the source, the one that stands for the file first."""
        rows = self._execute(
            f"SELECT {_SYMBOL} FROM symbols s WHERE s.file_id = ? ORDER BY s.key != '', s.start, s.end DESC", (file_id,)
        )
        return [StoredSymbol(*row) for row in rows]

    def symbols_starting(self, file_id: int, start: int) -> list[StoredSymbol]:
        """Definitions of a file that begin at an offset, the outermost first."""
        rows = self._execute(
            f"SELECT {_SYMBOL} FROM symbols s WHERE s.file_id = ? AND s.start = ? AND s.key != '' ORDER BY s.end DESC",
            (file_id, start),
        )
        return [StoredSymbol(*row) for row in rows]

    def symbols_named(self, name: str, limit: int = 1000) -> list[StoredSymbol]:
        """Definitions of a simple name."""
        rows = self._execute(
            f"SELECT {_SYMBOL} FROM symbols s WHERE s.name = ? AND s.key != '' ORDER BY s.id LIMIT ?", (name, limit)
        )
        return [StoredSymbol(*row) for row in rows]

    def symbols_named_any(self, names: Sequence[str], limit: int) -> list[StoredSymbol]:
        """Definitions that have one of some simple names, at most `limit` for each few hundred of the names."""
        return [
            StoredSymbol(*row)
            for part in _chunks(names)
            for row in self._execute(
                f"SELECT {_SYMBOL} FROM symbols s WHERE s.name IN ({', '.join('?' * len(part))}) AND s.key != '' LIMIT ?",
                (*part, limit),
            )
        ]

    def names_like(self, text: str, limit: int) -> list[str]:
        """Distinct names that may fit a search text: by prefix, by the parts of the name, by substring."""
        found: dict[str, None] = {}
        for statement, values in _name_queries(text):
            if len(found) >= limit:
                break
            for (name,) in self._execute(f"{statement} LIMIT ?", (*values, limit)):
                found[name] = None
        return list(found)

    def names_with_letters(self, text: str, limit: int) -> list[str]:
        """Distinct names that hold the characters of a text in their order (looks at every name)."""
        pattern = "%" + "%".join(_like(char) for char in text) + "%"
        rows = self._execute("SELECT name FROM names WHERE name LIKE ? ESCAPE '\\' LIMIT ?", (pattern, limit))
        return [row[0] for row in rows]

    # --- links

    def edges_to(self, ids: Sequence[int], limit: int = -1) -> list[StoredEdge]:
        """Mentions of definitions, by place."""
        return [
            StoredEdge(*row)
            for part in _chunks(ids)
            for row in self._execute(
                f"SELECT {_EDGE} FROM edges WHERE callee IN ({', '.join('?' * len(part))}) LIMIT ?", (*part, limit)
            )
        ]

    def edges_in(self, file_id: int, start: int, end: int) -> list[StoredEdge]:
        """Mentions inside of a range of a file."""
        rows = self._execute(
            f"SELECT {_EDGE} FROM edges WHERE file_id = ? AND start >= ? AND start < ?", (file_id, start, end)
        )
        return [StoredEdge(*row) for row in rows]

    def unresolved_named(self, name: str, limit: int) -> list[StoredUnresolved]:
        """Calls of a name whose receiver is not known."""
        rows = self._execute(
            "SELECT file_id, start, name, caller, end, why FROM unresolved WHERE name = ? LIMIT ?", (name, limit)
        )
        return [StoredUnresolved(*row) for row in rows]

    def count_unresolved(self, name: str) -> int:
        """How many there are of them."""
        return int(self._execute("SELECT count(*) FROM unresolved WHERE name = ?", (name,))[0][0])

    def unresolved_in(self, file_id: int, start: int, end: int) -> list[StoredUnresolved]:
        """Calls inside of a range of a file whose receiver is not known."""
        rows = self._execute(
            "SELECT file_id, start, name, caller, end, why FROM unresolved WHERE file_id = ? AND start >= ? AND start < ?",
            (file_id, start, end),
        )
        return [StoredUnresolved(*row) for row in rows]

    def relations_to(self, ids: Sequence[int]) -> list[StoredRelation]:
        """Relations that point to definitions."""
        return [
            StoredRelation(*row)
            for part in _chunks(ids)
            for row in self._execute(f"SELECT * FROM relations WHERE dst IN ({', '.join('?' * len(part))})", part)
        ]

    def relations_of(self, file_id: int) -> list[StoredRelation]:
        """Relations that start in a file."""
        return [StoredRelation(*row) for row in self._execute("SELECT * FROM relations WHERE file_id = ?", (file_id,))]

    def relations_outside(self, name: str) -> list[StoredRelation]:
        """Relations to a package or type outside of the repository."""
        rows = self._execute("SELECT * FROM relations WHERE dst = 0 AND dst_name = ?", (name,))
        return [StoredRelation(*row) for row in rows]

    def all_edges(self, kinds: Sequence[int]) -> Iterable[StoredEdge]:
        """All mentions of some kinds, by file and place; read as they are consumed."""
        with database.errors(self.path):
            marks = ", ".join("?" * len(kinds))
            for row in self._connection.execute(f"SELECT {_EDGE} FROM edges WHERE kind IN ({marks})", tuple(kinds)):
                yield StoredEdge(*row)

    def most_called(self, kinds: Sequence[int], worst: int, limit: int) -> list[tuple[int, int, int]]:
        """(definition, distinct callers, sites), most callers first; evidence worse than `worst` does not count."""
        marks = ", ".join("?" * len(kinds))
        return self._execute(
            "SELECT callee, count(DISTINCT caller) AS callers, count(*) FROM edges "
            f"WHERE kind IN ({marks}) AND evidence <= ? GROUP BY callee ORDER BY callers DESC, callee LIMIT ?",
            (*kinds, worst, limit),
        )

    def _count(self, table: str) -> int:
        return int(self._execute(f"SELECT count(*) FROM {table}")[0][0])

    def _execute(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        with database.errors(self.path):
            return self._connection.execute(statement, values).fetchall()


def _chunks(ids: Sequence[T]) -> Iterable[Sequence[T]]:
    for start in range(0, len(ids), _CHUNK):
        yield ids[start : start + _CHUNK]


def _name_queries(text: str) -> list[tuple[str, tuple[str, ...]]]:
    queries: list[tuple[str, tuple[str, ...]]] = [("SELECT name FROM names WHERE name = ?", (text,))]
    high = text + "\U0010ffff"
    queries.append(("SELECT name FROM names WHERE name >= ? AND name < ?", (text, high)))
    by_words = "SELECT n.name FROM name_words w JOIN names n ON n.id = w.rowid WHERE name_words MATCH ?"
    parts = [part.lower() for part in humps(text)]
    if parts:
        queries.append((by_words, (" AND ".join(f'"{part}"*' for part in parts),)))
        whole = "".join(parts)
        if len(parts) > 1 or len(whole) > 1:
            queries.append((by_words, (f'"{whole}"*',)))
    grams = [text[index : index + 3] for index in range(len(text) - 2)]
    if grams:
        match = " AND ".join('"' + gram.replace('"', '""') + '"' for gram in grams)
        queries.append(("SELECT name FROM name_grams WHERE name_grams MATCH ?", (match,)))
    return queries


_SPECIAL = re.compile(r"([%_\\])")


def _like(char: str) -> str:
    return _SPECIAL.sub(r"\\\1", char)
