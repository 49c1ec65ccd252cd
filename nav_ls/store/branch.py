"""The database of one branch, seen by the one process that writes it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nav_ls.store import database, seal
from nav_ls.store.rows import FileRow, SymbolRow
from nav_ls.text.errors import DamagedError
from nav_ls.text.names import search_words

_LARGE_LOG = 4_000_000
"""Bytes of a write-ahead log that are worth moving."""

_SYMBOL_COLUMNS = (
    "key, name, qual, kind, start, end, name_start, name_end, parent, flags, visibility, signature, doc, body_start"
)
_SYMBOL_UPDATE = ", ".join(f"{name} = excluded.{name}" for name in _SYMBOL_COLUMNS.split(", ")[1:])
_FILE_COLUMNS = "path, language, size, mtime_ns, ctime_ns, inode, read_ns, hash, facts, lines, flags, skip, problems"
_FILE_UPDATE = ", ".join(f"{name} = excluded.{name}" for name in _FILE_COLUMNS.split(", ")[1:])


def marks(columns: str) -> str:
    """As many question marks as there are columns."""
    return ", ".join("?" for _ in columns.split(", "))


class BranchStore:
    """Writes one branch.  All changes are made inside of `transaction`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._next_file = self._first_free("files")
        self._next_symbol = self._first_free("symbols")
        self._later: list[str] = []
        self._deps: dict[int, bytes] | None = None

    @classmethod
    def open(cls, path: Path) -> BranchStore:
        """Open or create; raises as `database.open_writable`.

        A file that was not sealed (its last writer was killed) is looked through first.
        """
        sealed = not path.exists() or seal.verify(path)
        opened = cls._opened(path, database.open_writable(path, "schema.sql"))
        if not sealed and not opened.sound():
            opened.close()
            raise DamagedError(f"{path} is damaged", path)
        return opened

    @classmethod
    def scratch(cls, path: Path, *, keep: bool = False) -> BranchStore:
        """Open one that is thrown away if the work on it fails: faster, and without a way back.

        With `keep` an existing file (a copy) is gone on with.
        """
        if keep:
            return cls._opened(path, database.open_writable(path, "schema.sql", synchronous="OFF", journal="OFF"))
        database.remove(path)
        opened = cls._opened(path, database.open_writable(path, "schema.sql", synchronous="OFF", journal="OFF"))
        opened._put_off_indexes()
        return opened

    def publish(self, path: Path) -> None:
        """Give a scratch database its final name, where there is none yet, and close it."""
        with database.errors(self.path):
            for statement in self._later:
                self._connection.execute(statement)
        database.set_journal(self._connection, self.path, "DELETE")
        database.set_journal(self._connection, self.path, "WAL")
        self.close()
        with self.path.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(self.path, path)
        seal.put(path)

    @classmethod
    def _opened(cls, path: Path, connection: sqlite3.Connection) -> BranchStore:
        try:
            with database.errors(path):
                return cls(path, connection)
        except BaseException:
            connection.close()
            raise

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of the changes made inside are kept together, or none."""
        try:
            with database.transaction(self._connection, self.path):
                yield
                # Ids are not used twice: who holds one of a definition that is gone must not find another.
                self.set_meta({"next_file": self._next_file, "next_symbol": self._next_symbol})
        except BaseException:
            self._deps = None
            with database.errors(self.path):
                self._next_file = self._first_free("files")
                self._next_symbol = self._first_free("symbols")
            raise

    def meta(self) -> dict[str, Any]:
        """The settings of the database."""
        with database.errors(self.path):
            return dict(self._connection.execute("SELECT key, value FROM meta"))

    def set_meta(self, values: Mapping[str, object]) -> None:
        """Change settings."""
        self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))

    def files(self) -> dict[str, tuple[int, FileRow]]:
        """Every known file with its id; the line tables are left out."""
        columns = _FILE_COLUMNS.replace("lines", "x''")
        with database.errors(self.path):
            rows = self._connection.execute(f"SELECT id, {columns} FROM files").fetchall()
        return {row[1]: (row[0], FileRow(*row[1:])) for row in rows}

    def put_file(self, row: FileRow, file_id: int | None = None) -> int:
        """Add a file or replace what is known of it; returns its id."""
        if file_id is None:
            file_id = self._next_file
            self._next_file += 1
        self._connection.execute(
            f"INSERT INTO files (id, {_FILE_COLUMNS}) VALUES (?, {marks(_FILE_COLUMNS)}) "
            f"ON CONFLICT (id) DO UPDATE SET path = excluded.path, {_FILE_UPDATE}",
            (
                file_id,
                row.path,
                row.language,
                row.size,
                row.mtime_ns,
                row.ctime_ns,
                row.inode,
                row.read_ns,
                row.hash,
                row.facts,
                row.lines,
                row.flags,
                row.skip,
                row.problems,
            ),
        )
        return file_id

    def touch_files(self, stats: Iterable[tuple[int, int, int, int, int, int]]) -> None:
        """Note new (size, mtime_ns, ctime_ns, inode, read_ns, id) of files whose content is as it was."""
        self._connection.executemany(
            "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, read_ns = ? WHERE id = ?", stats
        )

    def set_problems(self, problems: Mapping[int, str]) -> None:
        """Note what is wrong with files, by id."""
        values = [(text, file_id) for file_id, text in problems.items()]
        self._connection.executemany("UPDATE files SET problems = ? WHERE id = ?", values)

    def remove_files(self, file_ids: Sequence[int]) -> None:
        """Forget files with everything that was found in them."""
        for file_id in file_ids:
            self._drop_symbols(file_id, "file_id = ?", (file_id,))
        self.clear_links(file_ids)
        self._connection.executemany("DELETE FROM files WHERE id = ?", [(file_id,) for file_id in file_ids])

    def symbol_ids(self, file_id: int) -> dict[str, int]:
        """Ids of a file's definitions by key."""
        return dict(self._connection.execute("SELECT key, id FROM symbols WHERE file_id = ?", (file_id,)))

    def all_symbol_ids(self) -> dict[int, dict[str, int]]:
        """The same for all files, by file id."""
        found: dict[int, dict[str, int]] = {}
        for file_id, key, symbol_id in self._connection.execute("SELECT file_id, key, id FROM symbols"):
            found.setdefault(file_id, {})[key] = symbol_id
        return found

    def add_symbols(self, file_id: int, rows: Sequence[SymbolRow]) -> dict[str, int]:
        """Add the definitions of a file that has none yet; returns their ids by key."""
        first = self._next_symbol
        self._next_symbol += len(rows)
        self._connection.executemany(
            f"INSERT INTO symbols (id, file_id, {_SYMBOL_COLUMNS}) VALUES (?, ?, {marks(_SYMBOL_COLUMNS)})",
            [(first + index, file_id, *_tuple(row)) for index, row in enumerate(rows)],
        )
        return {row.key: first + index for index, row in enumerate(rows)}

    def replace_symbols(self, file_id: int, rows: Sequence[SymbolRow]) -> dict[str, int]:
        """Bring a file's definitions up to date; those that keep their key keep their id."""
        known = self.symbol_ids(file_id)
        ids: dict[str, int] = {}
        values = []
        for row in rows:
            symbol_id = known.pop(row.key, None)
            if symbol_id is None:
                symbol_id = self._next_symbol
                self._next_symbol += 1
            ids[row.key] = symbol_id
            values.append((symbol_id, file_id, *_tuple(row)))
        for symbol_id in known.values():
            self._drop_symbols(file_id, "id = ?", (symbol_id,))
        self._connection.executemany(
            f"INSERT INTO symbols (id, file_id, {_SYMBOL_COLUMNS}) VALUES (?, ?, {marks(_SYMBOL_COLUMNS)}) "
            f"ON CONFLICT (id) DO UPDATE SET {_SYMBOL_UPDATE}",
            values,
        )
        return ids

    def add_names(self, names: Collection[str]) -> None:
        """Make names findable; known ones cost a look-up."""
        known = self._known_names(names)
        first = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM names").fetchone()[0]
        added = list(enumerate((name for name in names if name not in known), first))
        self._connection.executemany("INSERT INTO names (id, name) VALUES (?, ?)", added)
        self._connection.executemany("INSERT INTO name_grams (rowid, name) VALUES (?, ?)", added)
        self._connection.executemany(
            "INSERT INTO name_words (rowid, words) VALUES (?, ?)",
            ((row_id, search_words(name)) for row_id, name in added),
        )

    def _known_names(self, names: Collection[str]) -> set[str]:
        known: set[str] = set()
        wanted = list(names)
        for start in range(0, len(wanted), 500):
            part = wanted[start : start + 500]
            rows = self._connection.execute(
                f"SELECT name FROM names WHERE name IN ({', '.join('?' * len(part))})", part
            )
            known.update(row[0] for row in rows)
        return known

    def clear_links(self, file_ids: Iterable[int]) -> None:
        """Drop what linking found in files."""
        ids = [(file_id,) for file_id in file_ids]
        for table in ("edges", "unresolved", "relations", "deps"):
            self._connection.executemany(f"DELETE FROM {table} WHERE file_id = ?", ids)
        if self._deps is not None:
            for (file_id,) in ids:
                self._deps.pop(file_id, None)

    def add_links(
        self,
        edges: Iterable[tuple[int, int, int, int, int, int, int]],
        unresolved: Iterable[tuple[int, int, str, int, int, str]],
        relations: Iterable[tuple[int, int, int, int, str, int]],
        deps: Sequence[tuple[int, bytes]],
    ) -> None:
        """Add what linking found; the columns are those of the tables, in their order."""
        # Of two edges between the same ends at the same place the one with the better evidence stays.
        self._connection.executemany(
            "INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (file_id, start, callee, kind) "
            "DO UPDATE SET evidence = min(evidence, excluded.evidence)",
            edges,
        )
        self._connection.executemany("INSERT OR IGNORE INTO unresolved VALUES (?, ?, ?, ?, ?, ?)", unresolved)
        self._connection.executemany("INSERT OR IGNORE INTO relations VALUES (?, ?, ?, ?, ?, ?)", relations)
        self._connection.executemany("INSERT OR REPLACE INTO deps VALUES (?, ?)", deps)
        if self._deps is not None:
            self._deps.update(deps)

    def deps(self) -> Mapping[int, bytes]:
        """What linking each file looked up: packed key hashes by file id.  Every save asks, so they are kept."""
        if self._deps is None:
            with database.errors(self.path):
                self._deps = dict(self._connection.execute("SELECT file_id, keys FROM deps"))
        return self._deps

    def facts_keys(self) -> list[bytes]:
        """The keys of all facts that this branch uses."""
        with database.errors(self.path):
            return [row[0] for row in self._connection.execute("SELECT facts FROM files WHERE facts != x''")]

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database where no reader is in the way; keeps it from growing.

        Only once it has grown: this waits for the disk, which a single saved file should not.
        """
        log = self.path.with_name(self.path.name + "-wal")
        if not log.exists() or log.stat().st_size < _LARGE_LOG:
            return
        with database.errors(self.path):
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def settle(self) -> None:
        """After a burst of changes: empty the write-ahead log and seal the file."""
        if not seal.place(self.path).exists():
            database.settle(self._connection, self.path)

    def copy_to(self, path: Path) -> None:
        """Write a whole, consistent copy.  Nobody else may be writing."""
        with database.errors(path):
            if seal.copy(self.path, path):
                return
            target = sqlite3.connect(path)
            try:
                self._connection.backup(target)
            finally:
                target.close()

    def sound(self) -> bool:
        """Whether the file's structure is sound (reads all of it)."""
        return database.check(self._connection)

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def _drop_symbols(self, file_id: int, where: str, values: tuple[int, ...]) -> None:
        self._connection.execute(f"DELETE FROM symbols WHERE {where}", values)

    def _put_off_indexes(self) -> None:
        """Drop the indexes that only queries need: made at the end, over sorted rows, they cost half as much."""
        rows = self._connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE INDEX %'"
        ).fetchall()
        for name, statement in rows:
            self._connection.execute(f"DROP INDEX {name}")
            self._later.append(statement)

    def _first_free(self, table: str) -> int:
        kept = self._connection.execute("SELECT value FROM meta WHERE key = ?", (f"next_{table[:-1]}",)).fetchone()
        return int(kept[0]) if kept else 1


def _tuple(row: SymbolRow) -> tuple[object, ...]:
    return (
        row.key,
        row.name,
        row.qual,
        row.kind,
        row.start,
        row.end,
        row.name_start,
        row.name_end,
        row.parent,
        row.flags,
        row.visibility,
        row.signature,
        row.doc,
        row.body_start,
    )
