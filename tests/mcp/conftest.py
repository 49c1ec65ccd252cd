"""A small indexed repository."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

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
