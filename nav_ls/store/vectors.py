"""Vectors by the text that they are of: shared by all branches, and kept when everything else is built anew.

Stored as little-endian half precision: half the bytes, and a cosine changes in the fourth decimal only.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from nav_ls.store import database

_CHUNK = 500


class VectorCache:
    """Vectors by (hash of the text, model), as bytes of half-precision floats."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def writable(cls, path: Path) -> VectorCache:
        """Open or create; raises as `database.open_writable`."""
        return cls(path, database.open_writable(path, "content.sql"))

    @classmethod
    def readable(cls, path: Path) -> VectorCache:
        """Open for reading; raises FileNotFoundError where there is nothing yet."""
        return cls(path, database.open_readable(path, "content.sql"))

    def get(self, hashes: Iterable[bytes], model: str) -> dict[bytes, bytes]:
        """The vectors of these texts, as far as there are any."""
        found: dict[bytes, bytes] = {}
        with database.errors(self.path):
            for part in _chunks(list(hashes)):
                marks = ", ".join("?" * len(part))
                found.update(
                    self._connection.execute(
                        f"SELECT text_hash, data FROM vectors WHERE text_hash IN ({marks}) AND model = ?",
                        (*part, model),
                    )
                )
        return found

    def known(self, hashes: Iterable[bytes], model: str) -> set[bytes]:
        """Which of these texts have a vector."""
        found: set[bytes] = set()
        with database.errors(self.path):
            for part in _chunks(list(hashes)):
                marks = ", ".join("?" * len(part))
                rows = self._connection.execute(
                    f"SELECT text_hash FROM vectors WHERE text_hash IN ({marks}) AND model = ?", (*part, model)
                )
                found.update(row[0] for row in rows)
        return found

    def put(self, vectors: Mapping[bytes, bytes], model: str) -> None:
        """Keep vectors; they are safe when this returns."""
        with database.transaction(self._connection, self.path):
            self._connection.executemany(
                "INSERT OR REPLACE INTO vectors (text_hash, model, data) VALUES (?, ?, ?)",
                [(text, model, data) for text, data in vectors.items()],
            )

    def keep_only(self, hashes: Iterable[bytes], models: Iterable[str]) -> int:
        """Drop the vectors of all other texts and models; returns how many were dropped."""
        with database.transaction(self._connection, self.path):
            for table, kind in (("kept_texts", "BLOB"), ("kept_models", "TEXT")):
                self._connection.execute(
                    f"CREATE TEMP TABLE IF NOT EXISTS {table} (value {kind} PRIMARY KEY) WITHOUT ROWID"
                )
                self._connection.execute(f"DELETE FROM {table}")
            self._connection.executemany("INSERT OR IGNORE INTO kept_texts VALUES (?)", ((h,) for h in hashes))
            self._connection.executemany("INSERT OR IGNORE INTO kept_models VALUES (?)", ((m,) for m in models))
            return self._connection.execute(
                "DELETE FROM vectors WHERE text_hash NOT IN (SELECT value FROM kept_texts) "
                "OR model NOT IN (SELECT value FROM kept_models)"
            ).rowcount

    def count(self) -> dict[str, int]:
        """How many vectors there are of each model."""
        with database.errors(self.path):
            return dict(self._connection.execute("SELECT model, count(*) FROM vectors GROUP BY model"))

    def close(self) -> None:
        """Release the file."""
        self._connection.close()


def _chunks(values: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(values), _CHUNK):
        yield values[start : start + _CHUNK]
