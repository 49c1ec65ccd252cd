"""A server of its own for each test, in a folder of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from nav_ls.client.control import stop


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A runtime folder that only this test uses (short: a socket's path has a limit)."""
    with tempfile.TemporaryDirectory(prefix="nv") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder) / "nav"
        stop(seconds=10)
