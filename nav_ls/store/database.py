"""Opening SQLite files, and telling a full disk, a damaged file and a busy one apart."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from zlib import crc32

from nav_ls.store import seal
from nav_ls.text.errors import BusyError, DamagedError, StorageError

CONTENT_FORMAT = 3
"""Of the schema of paid-for content.  It is the one that would be migrated: what it holds cost money to make."""

_APPLICATION = 0x6E617631  # "nav1"
_BUSY_SECONDS = 5.0

_CACHE = 4 << 20
"""Bytes of a connection's page cache.  It fills with whatever is read or written until it holds so much, and there are
a dozen connections; what is not in it is copied from the system's cache.  With 4 and with 64 MB, a server asked by 14
clients for a minute had 123 and 305 MB, in the same times, as those of single prompts and searches were."""

_SCRATCH_CACHE = 64 << 20
"""Of a database that is made anew: rows come by file, and belong into its indexes at all places."""


def open_writable(path: Path, schema: str, *, synchronous: str = "NORMAL", journal: str = "WAL") -> sqlite3.Connection:
    """Open a database for writing, and lay the schema (a file in this package) if it is new.

    With journal "OFF" nothing can be rolled back: for files that are thrown away if the work on them fails.
    Raises DamagedError if the file is no database of this format, StorageError if it cannot be written.
    """
    with errors(path):
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            connection.execute(f"PRAGMA synchronous = {synchronous}")
            _set_cache(connection, _SCRATCH_CACHE if journal == "OFF" else _CACHE)
            connection.execute("PRAGMA temp_store = MEMORY")
            if _is_new(connection):
                _lay(connection, schema)
            _check_format(connection, path, schema)
            set_journal(connection, path, journal)
            connection.execute("PRAGMA journal_size_limit = 16777216")
        except BaseException:
            connection.close()
            raise
    return connection


def format_of(schema: str) -> int:
    """The format that a database must have: an index of any other schema is built again, never migrated."""
    if schema == "content.sql":
        return CONTENT_FORMAT
    return crc32(_script(schema).encode()) & 0x7FFFFFFF


def open_readable(path: Path, schema: str) -> sqlite3.Connection:
    """Open an existing database for reading only; raises like `open_writable`, FileNotFoundError if there is none."""
    if not path.is_file():
        raise FileNotFoundError(path)
    with errors(path):
        uri = path.absolute().as_uri() + "?mode=ro"
        connection = sqlite3.connect(
            uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA query_only = ON")
            # The cache lies in the heap (text/heap.py); a map of the file would lie in pages of 4 KB.
            _set_cache(connection, _CACHE)
            _check_format(connection, path, schema)
        except BaseException:
            connection.close()
            raise
    return connection


def set_journal(connection: sqlite3.Connection, path: Path, journal: str) -> None:
    """Change the journal mode; raises StorageError where the file system is not up to it."""
    with errors(path):
        mode = connection.execute(f"PRAGMA journal_mode = {journal}").fetchone()[0]
    if mode != journal.lower():
        raise StorageError(f"{path}: this file system does not support SQLite's journal mode {journal}")


def remove(path: Path) -> None:
    """Delete a database with the files that SQLite keeps beside it."""
    seal.break_off(path)
    for suffix in ("-wal", "-shm", "-journal", ""):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def settle(connection: sqlite3.Connection, path: Path) -> None:
    """Empty the write-ahead log and seal the file, unless somebody else is at it."""
    try:
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("BEGIN IMMEDIATE")  # from here on nobody writes
        try:
            log = path.with_name(path.name + "-wal")
            if not log.exists() or log.stat().st_size == 0:
                seal.put(path)
        finally:
            connection.execute("ROLLBACK")
            connection.execute(f"PRAGMA busy_timeout = {int(_BUSY_SECONDS * 1000)}")
    except (sqlite3.Error, OSError):
        return  # without a seal the file is looked through before it is written again


def check(connection: sqlite3.Connection) -> bool:
    """Whether the structure of the whole file is sound (slow: reads all of it)."""
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False


@contextmanager
def errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ones that say what happened to which file."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(error, path) from error


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """One write transaction: all of it is kept, or nothing."""
    with errors(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            seal.break_off(path)
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _translated(error: sqlite3.Error, path: Path) -> StorageError | BusyError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_FULL,):
        return StorageError(f"the disk is full: {path} was left as it was; free some space and run the command again")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BusyError(f"{path} is being written by another process; try again in a moment")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN):
        return StorageError(f"{path} cannot be opened for writing ({error}); check the permissions of its folder")
    if code == sqlite3.SQLITE_IOERR:
        return StorageError(f"{path}: the disk reports an error ({error}); the last committed index is untouched")
    return DamagedError(f"{path} is damaged ({error})", path)


def _set_cache(connection: sqlite3.Connection, size: int) -> None:
    connection.execute(f"PRAGMA cache_size = -{size >> 10}")


def _is_new(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0)


def _lay(connection: sqlite3.Connection, schema: str) -> None:
    marks = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {format_of(schema)};"
    connection.executescript(f"BEGIN; {_script(schema)} {marks} COMMIT;")


@cache
def _script(schema: str) -> str:
    return files("nav_ls.store").joinpath(schema).read_text("utf-8")


def _check_format(connection: sqlite3.Connection, path: Path, schema: str) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if (application, version) != (_APPLICATION, format_of(schema)):
        raise DamagedError(f"{path} was made by another version of nav", path)
