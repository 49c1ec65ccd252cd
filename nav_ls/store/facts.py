"""The store of facts by content (`facts.db`)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path

import zstandard

from nav_ls.store import database

NAME = "facts.db"


_SEAL = 8


def pack(key: bytes, encoded: bytes) -> bytes:
    """Encoded facts as they are stored under a key: compressed, with a checksum over both."""
    data = _compressor().compress(encoded)
    return _seal(key, data) + data


def unpack(key: bytes, packed: bytes) -> bytes | None:
    """The inverse of `pack`; None for what is damaged or belongs to another key."""
    data = packed[_SEAL:]
    if packed[:_SEAL] != _seal(key, data):
        return None
    try:
        return _decompressor().decompress(data)
    except zstandard.ZstdError:
        return None


def _seal(key: bytes, data: bytes) -> bytes:
    return blake2b(data, key=key, digest_size=_SEAL).digest()


@cache
def _compressor() -> zstandard.ZstdCompressor:
    # Level 1: higher ones cost more CPU than they save in writing.
    return zstandard.ZstdCompressor(level=1, write_checksum=False)


@cache
def _decompressor() -> zstandard.ZstdDecompressor:
    return zstandard.ZstdDecompressor()


class FactStore:
    """Facts by key.  One writer, any number of readers."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def writable(cls, path: Path) -> FactStore:
        """Open for writing; what a power cut may destroy here is made again from the sources."""
        return cls(path, database.open_writable(path, "facts.sql", synchronous="OFF"))

    @classmethod
    def readable(cls, path: Path) -> FactStore:
        """Open for reading; raises FileNotFoundError where there is nothing yet."""
        return cls(path, database.open_readable(path, "facts.sql"))

    def get(self, key: bytes) -> bytes | None:
        """Encoded facts, None where they are missing or damaged."""
        with database.errors(self.path):
            row = self._connection.execute("SELECT data FROM facts WHERE key = ?", (key,)).fetchone()
        return None if row is None else unpack(key, row[0])

    def summary(self, key: bytes) -> bytes | None:
        """An encoded summary, None where it is missing or damaged."""
        with database.errors(self.path):
            row = self._connection.execute("SELECT summary FROM facts WHERE key = ?", (key,)).fetchone()
        return None if row is None else unpack(key, row[0])

    def summaries(self) -> dict[bytes, bytes]:
        """All packed summaries by key: one pass is cheaper than many look-ups."""
        with database.errors(self.path):
            return dict(self._connection.execute("SELECT key, summary FROM facts"))

    def add(self, packed: Iterable[tuple[bytes, bytes, bytes]]) -> None:
        """Keep (key, packed summary, packed facts), in one transaction."""
        with database.transaction(self._connection, self.path):
            self._connection.executemany("INSERT OR REPLACE INTO facts (key, summary, data) VALUES (?, ?, ?)", packed)

    def count(self) -> int:
        """Of how many files there are facts."""
        with database.errors(self.path):
            return int(self._connection.execute("SELECT count(*) FROM facts").fetchone()[0])

    def keep_only(self, keys: Iterable[bytes]) -> int:
        """Drop all other facts; returns how many were dropped."""
        with database.transaction(self._connection, self.path):
            self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY) WITHOUT ROWID")
            self._connection.execute("DELETE FROM kept")
            self._connection.executemany("INSERT OR IGNORE INTO kept VALUES (?)", ((key,) for key in keys))
            dropped = self._connection.execute("DELETE FROM facts WHERE key NOT IN (SELECT key FROM kept)").rowcount
        with database.errors(self.path):
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return dropped

    def close(self) -> None:
        """Release the file."""
        self._connection.close()
