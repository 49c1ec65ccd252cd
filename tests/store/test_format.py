"""A database of another schema is told apart, to be built again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from nav_ls.store import database
from nav_ls.text.errors import DamagedError


def test_each_schema_has_its_format() -> None:
    assert database.format_of("schema.sql") != database.format_of("facts.sql")
    assert database.format_of("content.sql") == database.CONTENT_FORMAT


def test_another_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    database.open_writable(path, "schema.sql").close()
    database.open_readable(path, "schema.sql").close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(DamagedError, match="another version"):
        database.open_readable(path, "schema.sql")
