"""For all tests: commands run in their own process, unless a test is about the server."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ["NAV_NO_SERVER"] = "1"

os.environ.setdefault("NAV_SEARCH_BACKGROUND", "0")
"""Servers that tests start would otherwise embed their repositories, on processors that the tests need."""

os.environ.setdefault("NAV_SERVER_IDLE_MINUTES", "2")
"""A server that was still starting when its test ended is not met by the test's `stop`."""

for _name in ("NAV_API_KEY", "NAV_MODEL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
    os.environ.pop(_name, None)  # no test asks a model that costs money


@contextlib.contextmanager
def own_runtime() -> Iterator[Path]:
    """A runtime folder (short: a socket's path has a limit), whose servers have ended when it is left."""
    from nav_ls.client.control import stop
    from nav_ls.client.start import started

    with tempfile.TemporaryDirectory(prefix="nv") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", folder)
        before = len(started())
        yield Path(folder) / "nav"
        stop(seconds=10)
        for child in started()[before:]:
            child.wait(30)


@pytest.fixture
def runtime() -> Iterator[Path]:
    """A runtime folder that only this test uses."""
    with own_runtime() as folder:
        yield folder
