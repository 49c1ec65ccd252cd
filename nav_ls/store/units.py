"""Units of search in a branch's database: writing them, and finding them by their words."""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec
import zstandard
from msgspec.structs import astuple

from nav_ls.store import database, seal

FILE_BITS = 16
MAX_UNITS = (1 << FILE_BITS) - 1
"""Units that one file can have."""
SEPARATOR = "\0"
_CHUNK = 500
_FREQUENT_FILES = 200
_KEPT_SPREADS = 256
"""Terms of at least so many files whose spread is kept, and how many of them: 16 bytes a file."""
NAME_WEIGHT, PLACE_WEIGHT, BODY_WEIGHT = 4.0, 2.0, 1.0
"""A term in a unit's name or in its file's name says more than one in its text."""

FILTERS = ("kind", "layer", "framework", "language")
"""What the vectors of units can be filtered by."""

_COLUMNS = (
    "symbol, name, qual, kind, start, end, first_line, last_line, layer, framework, signature, shape, "
    "subject, prose, content_hash"
)
_FIRST_UNIT = (
    f"(SELECT min(u.id) FROM units u WHERE u.id >= s.file_id << {FILE_BITS} "
    f"AND u.id < (s.file_id + 1) << {FILE_BITS} AND u.symbol = s.key)"
)
"""The unit that holds the definition `s` of `symbols`."""
_COLUMN_COUNT = len(_COLUMNS.split(", "))
_MARKS = ", ".join("?" * _COLUMN_COUNT)


class UnitRow(msgspec.Struct, frozen=True, array_like=True):
    """One row of `units`, without its id and its state."""

    symbol: str
    name: str
    qual: str
    kind: str
    start: int
    end: int
    first_line: int
    last_line: int
    layer: str
    framework: str
    signature: str
    shape: bytes
    subject: str
    prose: bytes
    content_hash: bytes
    words: tuple[str, str, str]  # terms of its name, its place and its body, separated by spaces
    packed: bytes  # `pack_words` of them


class StoredUnit(msgspec.Struct, frozen=True, array_like=True):
    """One row of `units` as search reads it, with what it needs of its file."""

    id: int
    symbol: str
    name: str
    qual: str
    kind: str
    start: int
    end: int
    first_line: int
    last_line: int
    layer: str
    framework: str
    signature: str
    shape: bytes
    subject: str
    prose: bytes
    content_hash: bytes
    embedded: int  # 1: it has a vector
    path: str
    language: str
    file_flags: int

    @property
    def file(self) -> int:
        """Id of its file."""
        return self.id >> FILE_BITS


class StaleFile(msgspec.Struct, frozen=True, array_like=True):
    """A file whose units are missing or were made from another text."""

    id: int
    path: str
    language: str
    facts: bytes
    hash: bytes
    flags: int


class FileUnits(msgspec.Struct, frozen=True, array_like=True):
    """The units of one file, with the texts to embed.  `source` is the hash of its bytes, `rules` name their version."""

    id: int
    source: bytes
    rules: str
    rows: Sequence[UnitRow]
    texts: Sequence[str]


class UnitStore:
    """Writes the units of one branch; only one process at a time may."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> UnitStore:
        """Open the branch's database; raises as `database.open_writable`."""
        return cls(path, database.open_writable(path, "schema.sql"))

    def close(self) -> None:
        """Release the file; what was written is sealed."""
        if not seal.place(self.path).exists():
            database.settle(self._connection, self.path)
        self._connection.close()

    def stale(self, rules: str) -> list[StaleFile]:
        """Files to make units of anew.  `rules` name the version of those by which units are made."""
        with database.errors(self.path):
            rows = self._connection.execute(
                "SELECT f.id, f.path, f.language, f.facts, f.hash, f.flags FROM files f "
                "LEFT JOIN unit_files u ON u.file_id = f.id "
                "WHERE f.skip = '' AND (u.source IS NOT f.hash OR u.rules IS NOT ?) ORDER BY f.path",
                (rules,),
            ).fetchall()
        return [StaleFile(*row) for row in rows]

    def gone(self) -> list[int]:
        """Ids of files that have units and are no longer indexed."""
        with database.errors(self.path):
            rows = self._connection.execute(
                "SELECT file_id FROM unit_files WHERE file_id NOT IN (SELECT id FROM files WHERE skip = '')"
            ).fetchall()
        return [row[0] for row in rows]

    def replace(self, made: Iterable[FileUnits], removed: Sequence[int] = ()) -> None:
        """Set the units of files, and drop those of others.

        A unit whose content was embedded before keeps that state, wherever in its file it stands now; the texts of
        the others wait for their vector.
        """
        with database.transaction(self._connection, self.path):
            for file_id in removed:
                self._drop(file_id)
                self._connection.execute("DELETE FROM unit_files WHERE file_id = ?", (file_id,))
            for file in made:
                embedded = self._drop(file.id)
                self._add(file.id, file.rows[:MAX_UNITS], embedded)
                self._connection.executemany(
                    "INSERT OR IGNORE INTO unit_texts VALUES (?, ?)",
                    [
                        (row.content_hash, text)
                        for row, text in zip(file.rows, file.texts, strict=True)
                        if row.content_hash not in embedded
                    ],
                )
                self._connection.execute(
                    "INSERT OR REPLACE INTO unit_files VALUES (?, ?, ?, ?, random())",
                    (file.id, file.source, file.rules, min(len(file.rows), MAX_UNITS)),
                )

    def _drop(self, file_id: int) -> set[bytes]:
        bounds = (file_id << FILE_BITS, (file_id + 1) << FILE_BITS)
        rows = self._connection.execute(
            "SELECT id, words, embedded_hash FROM units WHERE id >= ? AND id < ?", bounds
        ).fetchall()
        self._connection.executemany(
            "INSERT INTO unit_words (unit_words, rowid, name, place, body) VALUES ('delete', ?, ?, ?, ?)",
            [(unit_id, *_unpacked(words)) for unit_id, words, _ in rows],
        )
        self._connection.execute("DELETE FROM units WHERE id >= ? AND id < ?", bounds)
        return {row[2] for row in rows if row[2] is not None}

    def _add(self, file_id: int, rows: Sequence[UnitRow], embedded: set[bytes]) -> None:
        first = file_id << FILE_BITS
        self._connection.executemany(
            f"INSERT INTO units (id, {_COLUMNS}, embedded_hash, words) VALUES (?, {_MARKS}, ?, ?)",
            [
                (
                    first + place,
                    *astuple(row)[:_COLUMN_COUNT],
                    row.content_hash if row.content_hash in embedded else None,
                    row.packed,
                )
                for place, row in enumerate(rows)
            ],
        )
        self._connection.executemany(
            "INSERT INTO unit_words (rowid, name, place, body) VALUES (?, ?, ?, ?)",
            [(first + place, *row.words) for place, row in enumerate(rows)],
        )

    def start_model(self, model: str) -> None:
        """Note which model the vectors are of.  Where it was another one, every unit is made anew, text and all."""
        with database.transaction(self._connection, self.path):
            known = self._connection.execute("SELECT value FROM meta WHERE key = 'embedder'").fetchone()
            if known is None or known[0] != model:
                if known is not None:
                    self._connection.execute("UPDATE units SET embedded_hash = NULL")
                    self._connection.execute("UPDATE unit_files SET rules = '', state = random()")
                self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('embedder', ?)", (model,))

    def prose_seen(self) -> str:
        """The stamp (see `ProseStore.stamp`) of the prose that units were last compared with."""
        with database.errors(self.path):
            row = self._connection.execute("SELECT value FROM meta WHERE key = 'prose'").fetchone()
        return str(row[0]) if row else ""

    def made_with(self, subjects: Collection[str]) -> dict[str, set[bytes]]:
        """The hashes of the prose that units of these subjects, and all others that have any, were made with."""
        found: dict[str, set[bytes]] = {}
        with database.errors(self.path):
            for subject, prose in self._connection.execute("SELECT DISTINCT subject, prose FROM units"):
                if subject in subjects or prose:
                    found.setdefault(subject, set()).add(prose)
        return found

    def prose_changed(self, subjects: Iterable[str], stamp: str) -> None:
        """Files with these subjects are made anew."""
        with database.transaction(self._connection, self.path):
            for subject in subjects:
                files = "SELECT id >> 16 FROM units WHERE subject = ?"
                self._connection.execute(f"UPDATE unit_files SET rules = '' WHERE file_id IN ({files})", (subject,))
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('prose', ?)", (stamp,))

    def vectors_of(self) -> bytes:
        """In which store of vectors (see `ContentStore.identity`) those of the embedded units were last seen."""
        with database.errors(self.path):
            row = self._connection.execute("SELECT value FROM meta WHERE key = 'vectors'").fetchone()
        return bytes(row[0]) if row else b""

    def forget_all_but(self, known: Collection[bytes], identity: bytes) -> int:
        """Units whose vector is not among those that are known have none (any more): they are made anew, text and all.

        Notes the identity of the store that knows; returns how many contents have lost their vector.
        """
        with database.transaction(self._connection, self.path):
            rows = self._connection.execute("SELECT DISTINCT embedded_hash FROM units WHERE embedded_hash IS NOT NULL")
            lost = [row[0] for row in rows if row[0] not in known]
            for value in lost:
                files = "SELECT id >> 16 FROM units WHERE content_hash = ?"
                self._connection.execute(
                    f"UPDATE unit_files SET rules = '', state = random() WHERE file_id IN ({files})", (value,)
                )
                self._connection.execute("UPDATE units SET embedded_hash = NULL WHERE embedded_hash = ?", (value,))
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('vectors', ?)", (identity,))
        return len(lost)

    def pending(self, limit: int) -> dict[bytes, str]:
        """Texts without a vector by their hash: the most depended-on definitions first, then the rest, tests last."""
        with database.errors(self.path):
            rows = self._connection.execute(
                "SELECT t.content_hash, t.text FROM unit_texts t "
                "JOIN units u ON u.content_hash = t.content_hash "
                "LEFT JOIN symbols s ON s.file_id = u.id >> 16 AND s.key = u.symbol AND u.symbol != '' "
                "LEFT JOIN (SELECT callee, count(*) AS uses FROM edges GROUP BY callee) e ON e.callee = s.id "
                "GROUP BY t.content_hash "
                "ORDER BY min(u.layer = 'test'), min(u.symbol = ''), max(coalesce(e.uses, 0)) DESC, min(u.id) LIMIT ?",
                (limit,),
            ).fetchall()
        return dict(rows)

    def waiting(self) -> int:
        """How many texts wait for their vector."""
        with database.errors(self.path):
            row = self._connection.execute("SELECT count(*) FROM unit_texts").fetchone()
        return int(row[0])

    def mark_embedded(self, hashes: Sequence[bytes]) -> None:
        """Units with this content have their vector."""
        values = [(value,) for value in hashes]
        with database.transaction(self._connection, self.path):
            self._connection.executemany("UPDATE units SET embedded_hash = content_hash WHERE content_hash = ?", values)
            self._connection.executemany(
                "UPDATE unit_files SET state = random() "
                f"WHERE file_id IN (SELECT id >> {FILE_BITS} FROM units WHERE content_hash = ?)",
                values,
            )
            self._connection.executemany("DELETE FROM unit_texts WHERE content_hash = ?", values)

    def drop_orphans(self) -> None:
        """Forget waiting texts whose units are gone."""
        with database.transaction(self._connection, self.path):
            self._connection.execute(
                "DELETE FROM unit_texts WHERE content_hash NOT IN (SELECT content_hash FROM units)"
            )


class UnitReader:
    """Finds units over a read-only connection to a branch's database."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._spreads = _Spreads()

    @classmethod
    def open(cls, path: Path) -> UnitReader:
        """Open for reading; raises FileNotFoundError where there is no index."""
        return cls(path, database.open_readable(path, "schema.sql"))

    @contextmanager
    def reading(self) -> Iterator[UnitReader]:
        """Within this, all answers are of one committed state."""
        with database.errors(self.path):
            self._connection.execute("BEGIN")
            try:
                yield self
            finally:
                self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def counts(self) -> tuple[int, int]:
        """How many units there are, and how many of them have a vector."""
        row = self._connection.execute("SELECT count(*), count(embedded_hash IS content_hash OR NULL) FROM units")
        total, embedded = row.fetchone()
        return total, embedded

    def waiting(self) -> int:
        """How many texts wait for their vector."""
        return int(self._connection.execute("SELECT count(*) FROM unit_texts").fetchone()[0])

    def version(self) -> int:
        """A number that changes whenever somebody else has written to the database."""
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def totals(self) -> tuple[int, int]:
        """How many files have units, and how many units they have together."""
        files, units = self._connection.execute("SELECT count(*), coalesce(sum(units), 0) FROM unit_files").fetchone()
        return files, units

    def model(self) -> str | None:
        """Which model the vectors are of."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'embedder'").fetchone()
        return row[0] if row else None

    def best(
        self, terms: Sequence[str], limit: int, files: Sequence[int] | None = None, *, in_names: Sequence[str] = ()
    ) -> list[tuple[int, float]]:
        """Units by their BM25 over weighted fields, best first: (unit id, score).

        Terms `in_names` count where a unit is called so.  `files` restricts to these ids.
        """
        wanted = [*map(_quoted, terms), *(f"name : {_quoted(term)}" for term in in_names)]
        if not wanted:
            return []
        where, values = _within(files)
        rows = self._connection.execute(
            f"SELECT rowid, -bm25(unit_words, {NAME_WEIGHT}, {PLACE_WEIGHT}, {BODY_WEIGHT}) AS score FROM unit_words "
            f"WHERE unit_words MATCH ? {where} ORDER BY score DESC LIMIT ?",
            (" OR ".join(wanted), *values, limit),
        )
        return [(row[0], row[1]) for row in rows]

    def spread(self, term: str, files: Sequence[int] | None = None) -> dict[int, int]:
        """In how many units of each file a term occurs."""
        if files is None and (known := self._spreads.get(term, self.version())) is not None:
            return known
        where, values = _within(files)
        rows = self._connection.execute(
            f"SELECT rowid >> 16 AS file, count(*) FROM unit_words WHERE unit_words MATCH ? {where} GROUP BY file",
            (_quoted(term), *values),
        )
        found = dict(rows.fetchall())
        if files is None:
            self._spreads.put(term, found)
        return found

    def sizes(self, files: Sequence[int]) -> dict[int, int]:
        """How many units files have."""
        rows = self._connection.execute(
            "SELECT file_id, units FROM unit_files WHERE file_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(files)),),
        )
        return dict(rows.fetchall())

    def units(self, ids: Iterable[int]) -> dict[int, StoredUnit]:
        """Units by id; unknown ids are left out."""
        return {unit.id: unit for unit in self._select("u.id IN (SELECT value FROM json_each(?))", list(ids))}

    def contents(self) -> set[bytes]:
        """The contents of all units."""
        return {row[0] for row in self._connection.execute("SELECT DISTINCT content_hash FROM units")}

    def definitions(self) -> list[StoredUnit]:
        """The units that are definitions."""
        return self._select("u.symbol != '' AND u.kind != 'code'", None)

    def of_contents(self, hashes: Iterable[bytes]) -> list[tuple[bytes, int]]:
        """(content hash, unit id) of the units that have one of these contents."""
        found: list[tuple[bytes, int]] = []
        for part in _chunks(hashes):
            marks = ", ".join("?" * len(part))
            found += self._connection.execute(
                f"SELECT content_hash, id FROM units WHERE content_hash IN ({marks})", part
            ).fetchall()
        return found

    def symbols(self) -> dict[int, int]:
        """Ids of the definitions by those of the units that hold them."""
        rows = self._connection.execute(
            "SELECT u.id, s.id FROM units u JOIN symbols s ON s.file_id = u.id >> 16 AND s.key = u.symbol "
            "WHERE u.subject != ''"
        )
        return dict(rows.fetchall())

    def subjects(self) -> set[str]:
        """The subjects of all units."""
        return {row[0] for row in self._connection.execute("SELECT DISTINCT subject FROM units WHERE subject != ''")}

    def named(self, names: Iterable[str]) -> list[int]:
        """Ids of the units that define one of these names."""
        rows = self._connection.execute(
            "SELECT id FROM units WHERE name IN (SELECT value FROM json_each(?)) AND symbol != '' LIMIT 500",
            (json.dumps(list(names)),),
        )
        return [row[0] for row in rows]

    def files(self) -> list[tuple[int, str, str, int]]:
        """(id, path, language, flags) of every file that has units."""
        rows = self._connection.execute(
            "SELECT f.id, f.path, f.language, f.flags FROM files f JOIN unit_files u ON u.file_id = f.id"
        )
        return rows.fetchall()

    def values(self, column: str) -> list[str]:
        """The distinct values of `kind`, `layer` or `framework`, the frequent ones first."""
        if column not in ("kind", "layer", "framework"):
            raise ValueError(column)
        rows = self._connection.execute(
            f"SELECT {column} FROM units WHERE {column} != '' GROUP BY {column} ORDER BY count(*) DESC"
        )
        return [row[0] for row in rows]

    def states(self) -> dict[int, int]:
        """For every file a number that changes whenever its units do, or which of them have a vector."""
        return dict(self._connection.execute("SELECT file_id, state FROM unit_files").fetchall())

    def embedded(self, files: Sequence[int] | None = None) -> list[tuple[int, bytes]]:
        """(file id, content hash) of every unit (of these files) that has a vector."""
        if files is not None:
            return [(unit >> FILE_BITS, content) for unit, content in self.contents_of(files)]
        rows = self._connection.execute(
            f"SELECT id >> {FILE_BITS}, content_hash FROM units WHERE embedded_hash IS content_hash"
        )
        return rows.fetchall()

    def payloads(self, contents: Iterable[bytes]) -> dict[bytes, dict[str, str]]:
        """What the vectors of these contents are filtered by: `FILTERS`, without those that are empty."""
        found = {}
        for part in _chunks(contents):
            rows = self._connection.execute(
                f"SELECT u.content_hash, {', '.join(FILTERS)} FROM units u JOIN files f ON f.id = u.id >> {FILE_BITS} "
                f"WHERE u.content_hash IN ({', '.join('?' * len(part))})",
                part,
            )
            for content, *values in rows:
                found[content] = {name: value for name, value in zip(FILTERS, values, strict=True) if value}
        return found

    def contents_of(self, files: Sequence[int]) -> list[tuple[int, bytes]]:
        """(unit id, content hash) of the units of these files that have a vector."""
        rows = self._connection.execute(
            f"SELECT u.id, u.content_hash FROM json_each(?) f CROSS JOIN units u "
            f"ON u.id >= f.value << {FILE_BITS} AND u.id < (f.value + 1) << {FILE_BITS} "
            "WHERE u.embedded_hash IS u.content_hash",
            (json.dumps(list(files)),),
        )
        return rows.fetchall()

    def neighbours(self, unit: StoredUnit, *, callers: bool, limit: int) -> list[int]:
        """Units of the definitions that a unit calls (or that call it), the most used first."""
        here, there = ("callee", "caller") if callers else ("caller", "callee")
        # What a definition calls, it calls in its own file: without that every edge would be looked at.
        near = "" if callers else "AND e.file_id = me.file_id "
        rows = self._connection.execute(
            f"SELECT {_FIRST_UNIT} FROM symbols me JOIN edges e ON e.{here} = me.id {near}"
            f"JOIN symbols s ON s.id = e.{there} "
            "WHERE me.file_id = ? AND me.key = ? AND e.kind = 0 AND e.evidence < 3 AND s.key != '' AND s.id != me.id "
            "GROUP BY s.id ORDER BY min(e.evidence), count(*) DESC, s.id LIMIT ?",
            (unit.file, unit.symbol, limit),
        )
        return [row[0] for row in rows if row[0] is not None] if unit.symbol else []

    def _select(self, where: str, ids: list[int] | None) -> list[StoredUnit]:
        rows = self._connection.execute(
            f"SELECT u.id, {', '.join('u.' + name for name in _COLUMNS.split(', '))}, "
            "u.embedded_hash IS NOT NULL, f.path, f.language, f.flags "
            f"FROM units u JOIN files f ON f.id = u.id >> 16 WHERE {where}",
            (json.dumps(ids),) if ids is not None else (),
        )
        return [StoredUnit(*row) for row in rows]


class _Spreads:
    """In which files frequent terms occur, until the database changes: the same words are asked for again and again."""

    def __init__(self) -> None:
        self._version = -1
        self._known: dict[str, tuple[array[int], array[int]]] = {}

    def get(self, term: str, version: int) -> dict[int, int] | None:
        """What is known of a term at this version of the database."""
        if version != self._version:
            self._known.clear()
            self._version = version
        known = self._known.get(term)
        return dict(zip(*known, strict=True)) if known else None

    def put(self, term: str, found: Mapping[int, int]) -> None:
        """Keep what was read at the version that was asked for last."""
        if len(found) >= _FREQUENT_FILES:
            if len(self._known) >= _KEPT_SPREADS:
                self._known.pop(next(iter(self._known)))
            self._known[term] = array("q", found), array("q", found.values())


def _chunks(values: Iterable[bytes]) -> Iterator[list[bytes]]:
    """The values in lists that one statement takes."""
    rest = iter(values)
    while part := list(islice(rest, _CHUNK)):
        yield part


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _within(files: Sequence[int] | None) -> tuple[str, tuple[str, ...]]:
    if files is None:
        return "", ()
    return "AND rowid >> 16 IN (SELECT value FROM json_each(?))", (json.dumps(list(files)),)


def pack_words(words: tuple[str, str, str]) -> bytes:
    """The terms of a unit as they are stored."""
    return _compressor().compress(SEPARATOR.join(words).encode("utf-8", "surrogatepass"))


def _unpacked(words: bytes) -> Sequence[str]:
    return _decompressor().decompress(words).decode("utf-8", "surrogatepass").split(SEPARATOR)


@cache
def _compressor() -> zstandard.ZstdCompressor:
    return zstandard.ZstdCompressor(level=1)


@cache
def _decompressor() -> zstandard.ZstdDecompressor:
    return zstandard.ZstdDecompressor()
