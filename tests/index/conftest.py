from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nav_ls.index.indexer import Indexer
from nav_ls.text.admit import Limits

Make = Callable[..., Indexer]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes indexers of a root (default: the test's own folder) and closes them."""
    made: list[Indexer] = []

    def indexer(root: Path | None = None, limits: Limits | None = None, workers: int = 1) -> Indexer:
        made.append(Indexer(root or tmp_path, limits, workers))
        return made[-1]

    yield indexer
    for item in made:
        item.close()
