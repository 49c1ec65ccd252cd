"""What was paid for, by content (`content.db`): no row is ever wrong, and as few as possible are ever lost.

Each row carries a checksum over its key and its data, and everything is written twice, into the database and into a
copy beside it.  Where one of the two is not what it should be, both are made anew from all rows, wherever they are
found, whose checksum fits.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Self

import msgspec

from nav_ls.store import database, pages, seal
from nav_ls.text.errors import DamagedError, NavError

NAME = "content.db"
_SCHEMA = "content.sql"
_UNSEALED = 1
"""The format before rows had seals."""
_OLD = (_UNSEALED, 2)
"""Formats whose rows are taken over."""
_AT_ONCE = 500
"""Rows that one statement reads: looked up one by one, the vectors of a question are half of its statements."""

Key = tuple[str | bytes, ...]


class Kind(msgspec.Struct, frozen=True):
    """One kind of content: a table, and the columns that name a row of it."""

    table: str
    columns: tuple[str, ...]


VECTORS = Kind("vectors", ("text_hash", "model"))
PROSE = Kind("prose", ("content_hash", "prompt", "model"))
RECORDS = Kind("records", ("kind", "name"))
_KINDS = (VECTORS, PROSE, RECORDS)


class ContentStore:
    """Content by kind and key.  `repaired` says what was wrong with it, "" if nothing was."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, copy: sqlite3.Connection | None, repaired: str = ""
    ) -> None:
        self.path = path
        self.repaired = repaired
        self._connection = connection
        self._copy = copy

    @classmethod
    def writable(cls, path: Path) -> ContentStore:
        """Open or create, and repair what is damaged.  The caller holds the writer's lock, for this call only.

        Raises StorageError where it cannot be written.
        """
        repaired = _repaired(path)
        connection = database.open_writable(path, _SCHEMA)
        try:
            copy = database.open_writable(copy_of(path), _SCHEMA)
        except BaseException:
            connection.close()
            raise
        return cls(path, connection, copy, repaired)

    @classmethod
    def readable(cls, path: Path) -> ContentStore:
        """Open for reading; raises FileNotFoundError where there is nothing yet, DamagedError as `open_readable`."""
        return cls(path, database.open_readable(path, _SCHEMA), None)

    def identity(self) -> bytes:
        """Another one for every file that was made anew."""
        with database.errors(self.path):
            row = self._connection.execute("SELECT value FROM identity").fetchone()
        return bytes(row[0]) if row else b""

    def get(self, kind: Kind, keys: Iterable[Key]) -> dict[Key, bytes]:
        """What is stored under these keys, as far as it is there and whole."""
        found: dict[Key, bytes] = {}
        damaged = False
        names = [f"k{place}" for place in range(len(kind.columns))]
        same = " AND ".join(f"{column} = {name}" for column, name in zip(kind.columns, names, strict=True))
        marks = f"({', '.join('?' for _ in names)})"
        wanted = list(keys)
        with database.errors(self.path):
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                # A join, because SQLite uses no index for `(a, b) IN (VALUES …)`; CROSS keeps its order.
                rows = self._connection.execute(
                    f"WITH wanted ({', '.join(names)}) AS (VALUES {', '.join([marks] * len(part))}) "
                    f"SELECT {', '.join(kind.columns)}, data, seal FROM wanted CROSS JOIN {kind.table} ON {same}",
                    list(chain.from_iterable(part)),
                )
                for *key, data, mark in rows:
                    if mark == sealed(kind, tuple(key), data):
                        found[tuple(key)] = data
                    else:
                        damaged = True
        if damaged:
            seal.break_off(self.path)  # who writes next looks through all of it
        return found

    def below(self, kind: Kind, beginnings: Iterable[Key]) -> dict[Key, bytes]:
        """What is stored under the keys that begin like these, as far as it is whole."""
        found: list[Key] = []
        columns = ", ".join(kind.columns)
        with database.errors(self.path):
            for beginning in beginnings:
                where = " AND ".join(f"{column} = ?" for column in kind.columns[: len(beginning)])
                found += self._connection.execute(f"SELECT {columns} FROM {kind.table} WHERE {where}", beginning)
        return self.get(kind, found)

    def stamp(self, kind: Kind) -> str:
        """Another one whenever something of a kind was put, or the file was made anew."""
        with database.errors(self.path):
            newest = self._connection.execute(f"SELECT coalesce(max(rowid), 0) FROM {kind.table}").fetchone()[0]
        return f"{self.identity().hex()}/{newest}"

    def put(self, kind: Kind, values: Mapping[Key, bytes]) -> None:
        """Keep content; it is safe when this returns."""
        columns = (*kind.columns, "data", "seal")
        statement = (
            f"INSERT OR REPLACE INTO {kind.table} ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})"
        )
        rows = [(*key, data, sealed(kind, key, data)) for key, data in values.items()]
        for path, connection in self._both():
            with database.transaction(connection, path):
                connection.executemany(statement, rows)

    def drop(self, kind: Kind, where: str, kept: Mapping[str, Collection[str | bytes]]) -> int:
        """Delete rows by a condition over temporary tables `kept`, of one column `value`; returns how many."""
        dropped = 0
        # The copy first: what is missing in the copy only is no loss if this is killed.
        for path, connection in reversed(self._both()):
            with database.transaction(connection, path):
                for table, values in kept.items():
                    connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {table} (value PRIMARY KEY) WITHOUT ROWID")
                    connection.execute(f"DELETE FROM {table}")
                    connection.executemany(f"INSERT OR IGNORE INTO {table} VALUES (?)", ((item,) for item in values))
                dropped = connection.execute(f"DELETE FROM {kind.table} WHERE {where}").rowcount
        return dropped

    def keys(self, kind: Kind) -> Iterator[Key]:
        """Everything that is stored; whether it is whole shows when it is got."""
        with database.errors(self.path):
            yield from self._connection.execute(f"SELECT {', '.join(kind.columns)} FROM {kind.table}")

    def close(self) -> None:
        """Release the files; what was written is sealed."""
        for path, connection in self._both():
            if self._copy is not None and not seal.place(path).exists():
                database.settle(connection, path)
            connection.close()

    def _both(self) -> list[tuple[Path, sqlite3.Connection]]:
        both = [(self.path, self._connection)]
        return both if self._copy is None else [*both, (copy_of(self.path), self._copy)]


class Part:
    """One kind of what a store holds, in terms of those who use it: how they all open and close the store."""

    def __init__(self, content: ContentStore) -> None:
        self._content = content

    @classmethod
    def writable(cls, path: Path) -> Self:
        """Open or create, and repair; raises as `ContentStore.writable`.  The caller holds the writer's lock for this."""
        return cls(ContentStore.writable(path))

    @classmethod
    def readable(cls, path: Path) -> Self:
        """Open for reading; raises as `ContentStore.readable`."""
        return cls(ContentStore.readable(path))

    @property
    def repaired(self) -> str:
        """What was wrong with the store when it was opened for writing, "" if nothing was."""
        return self._content.repaired

    def close(self) -> None:
        """Release the files."""
        self._content.close()


def copy_of(path: Path) -> Path:
    """Where the copy of a store lies."""
    return path.with_name(f"{path.stem}-copy{path.suffix}")


def copy_to(path: Path, target: Path) -> None:
    """Begin another store with all that is in this one."""
    source = database.open_readable(path, _SCHEMA)
    try:
        with database.errors(path), contextlib.closing(sqlite3.connect(target)) as other:
            source.backup(other)
    finally:
        source.close()


def sealed(kind: Kind, key: Key, data: bytes) -> bytes:
    """The checksum of a row: 8 bytes."""
    parts = [part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part for part in (*key, data)]
    # Hashed at once: a question reads hundreds of rows.
    framed = b"".join([piece for part in parts for piece in (len(part).to_bytes(8, "little"), part)])
    return blake2b(framed, digest_size=8, person=kind.table.encode()).digest()


def whole(path: Path) -> bool:
    """Whether a store (or its copy) is sound and each of its rows what it was (reads all of it)."""
    try:
        connection = database.open_readable(path, _SCHEMA)
    except (NavError, FileNotFoundError):
        return False
    try:
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            return False
        rows = ((kind, row) for kind in _KINDS for row in connection.execute(f"SELECT * FROM {kind.table}"))
        return all(_fits(kind, row) for kind, row in rows)
    except sqlite3.Error:
        return False
    finally:
        connection.close()


# --- repairs


def mend(path: Path) -> str:
    """Repair a store at rest that something else has changed; returns what was wrong, "" if nothing was.

    Done before somebody needs it: as long as the other one of the two files is whole, nothing is lost.  Looks no further
    than sizes and times where these fit.  The caller holds the writer's lock.
    """
    there = [file for file in (path, copy_of(path)) if file.exists()]
    try:
        # Who has it open has taken the seal away; one that is there and says nothing was damaged itself.
        sound = all(seal.verify(file) or not seal.place(file).exists() for file in there)
    except DamagedError:
        sound = False
    if sound and len(there) != 1:
        return ""
    with contextlib.closing(ContentStore.writable(path)) as store:
        return store.repaired


def _repaired(path: Path) -> str:
    """Make the store and its copy whole and equal; returns what was wrong, "" if nothing was."""
    copy = copy_of(path)
    with contextlib.suppress(NavError):
        if all(seal.verify(file) and _is_current(file) for file in (path, copy)):
            return ""
    for file in (path, copy):
        seal.break_off(file)
    there = [file for file in (path, copy) if file.exists()]
    damaged = [file.name for file in there if not whole(file) and _version(file) not in _OLD]
    if len(there) == 2 and not damaged and _keys(path) == _keys(copy) is not None:
        return ""
    kept = _make(path, there)
    if not damaged:
        return ""
    return f"{' and '.join(damaged)} was damaged; {kept:,} rows were saved, and what is lost is made again"


def _is_current(path: Path) -> bool:
    """Whether a store has today's format."""
    try:
        database.open_readable(path, _SCHEMA).close()
    except (NavError, FileNotFoundError):
        return False
    return True


def _keys(path: Path) -> set[tuple[object, ...]] | None:
    """What is stored; None where that cannot be read."""
    try:
        connection = database.open_readable(path, _SCHEMA)
    except NavError:
        return None
    try:
        return {
            (kind.table, *row)
            for kind in _KINDS
            for row in connection.execute(f"SELECT {', '.join(kind.columns)} FROM {kind.table}")
        }
    except sqlite3.Error:
        return None
    finally:
        connection.close()


def _make(path: Path, sources: Sequence[Path]) -> int:
    """Write the store and its copy anew from all rows of the sources whose seals fit; returns how many there were."""
    fresh = path.with_suffix(".new")
    database.remove(fresh)
    kept = 0
    connection = database.open_writable(fresh, _SCHEMA, journal="DELETE")
    try:
        with database.transaction(connection, fresh):
            connection.execute("INSERT INTO identity VALUES (?)", (secrets.token_bytes(8),))
            for kind, row in _found(sources):
                marks = ", ".join("?" for _ in row)
                kept += connection.execute(f"INSERT OR IGNORE INTO {kind.table} VALUES ({marks})", row).rowcount
    finally:
        connection.close()
    second = fresh.with_name(f"copy-{fresh.name}")
    shutil.copyfile(fresh, second)
    for made, final in ((second, copy_of(path)), (fresh, path)):
        _flush(made)
        database.remove(final)
        os.replace(made, final)
    return kept


def _found(sources: Sequence[Path]) -> Iterator[tuple[Kind, tuple[object, ...]]]:
    for source in sources:
        if _version(source) == _UNSEALED:
            yield from _unsealed(source)
        for row in pages.rows(source):
            yield from ((kind, row) for kind in _KINDS if _fits(kind, row))


def _fits(kind: Kind, row: tuple[object, ...]) -> bool:
    if len(row) != len(kind.columns) + 2 or not all(isinstance(value, (str, bytes)) for value in row):
        return False
    *key, data, mark = row
    return isinstance(data, bytes) and mark == sealed(kind, tuple(key), data)  # type: ignore[arg-type]


def _version(path: Path) -> int:
    """The format of a store that is sound as SQLite sees it, 0 for any other file."""
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            return int(version) if database.check(connection) else 0
    except sqlite3.Error:
        return 0


def _unsealed(path: Path) -> Iterator[tuple[Kind, tuple[object, ...]]]:
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        for kind in (VECTORS, PROSE):
            for *key, data in connection.execute(f"SELECT * FROM {kind.table}"):
                yield kind, (*key, data, sealed(kind, tuple(key), data))


def _flush(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
