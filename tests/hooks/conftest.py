"""A small indexed repository, and the shim as a host would start it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nav_ls.hooks import install
from nav_ls.hooks.hosts import BY_NAME
from tests.agents.shop import make


@pytest.fixture(scope="session")
def indexed_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository, indexed once; not to be changed."""
    root = tmp_path_factory.mktemp("template") / "shop-repository"
    make(root)
    return root


@pytest.fixture
def shop(indexed_shop: Path, tmp_path: Path) -> Path:
    """A copy of the repository with its index."""
    root = tmp_path / indexed_shop.name
    shutil.copytree(indexed_shop, root)
    return root


Ask = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def ask(shop: Path, tmp_path: Path) -> Ask:
    """Start the shim for an event with a payload (or raw bytes), in the repository, without a server."""
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    (runtime / "nav").mkdir(mode=0o700)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE", "QWEN", "GEMINI", "CURSOR"))
    }
    environment |= {"XDG_RUNTIME_DIR": str(runtime), "NAV_SERVER_START": "0", "HOME": str(tmp_path)}

    def run(
        host: str, event: str, payload: Any, *, seconds: float = 20.0, cwd: Path | None = None, **extra: str
    ) -> subprocess.CompletedProcess[bytes]:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        words = install.command(BY_NAME[host], BY_NAME[host].hooks[event], event, seconds)
        return subprocess.run(
            words, input=data, capture_output=True, cwd=cwd or shop, env=environment | extra, check=False, timeout=60
        )

    return run
