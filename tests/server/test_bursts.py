"""Thousands of files that change at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nav_ls.client.call import call
from nav_ls.server.lane import BURST_SECONDS

COUNT = 5_000


def _write(root: Path, value: int) -> None:
    for number in range(COUNT):
        (root / f"p{number % 50}" / f"m{number}.py").write_text(f"def f{number}_{value}():\n    return {value}\n")


@pytest.fixture
def root(make_repo: Callable[[dict[str, str]], Path], runtime: Path) -> Path:
    """A repository of many files that a server knows."""
    made = make_repo({f"p{number}/__init__.py": "" for number in range(50)})
    _write(made, 0)
    assert _asked(made, 0)["symbols"]
    return made


def _asked(root: Path, value: int) -> Any:
    """The answer about the file that is written last."""
    return call(root, "nav.symbols", {"query": f"f{COUNT - 1}_{value}"}, 120)


@pytest.mark.slow
def test_five_thousand_changed_files_are_one_batch(root: Path) -> None:
    before = _asked(root, 0)["freshness"]["generation"]
    begun = time.monotonic()
    _write(root, 1)
    while not (answer := _asked(root, 1))["symbols"]:
        time.sleep(0.1)
    # Who writes for longer than a burst is waited for gets a sync in between, and one may have begun at the end.
    most = 2 + (time.monotonic() - begun) // BURST_SECONDS
    assert answer["freshness"]["generation"] - before <= most


@pytest.mark.slow
def test_questions_meanwhile_get_what_is_right_or_are_told_that_it_is_not(root: Path) -> None:
    writing = threading.Thread(target=_write, args=(root, 1))
    writing.start()
    while True:
        written = not writing.is_alive()
        answer = _asked(root, 1)
        if answer["symbols"]:
            break
        assert answer["freshness"]["stale"] or not written
    writing.join()
