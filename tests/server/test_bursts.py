"""Thousands of files that change at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nav_ls.client.call import call

COUNT = 5_000


def _write(root: Path, value: int) -> None:
    for number in range(COUNT):
        (root / f"p{number % 50}" / f"m{number}.py").write_text(f"def f{number}_{value}():\n    return {value}\n")


@pytest.mark.slow
def test_five_thousand_changed_files_are_one_batch(make_repo: Callable[[dict[str, str]], Path], runtime: Path) -> None:
    root = make_repo({f"p{number}/__init__.py": "" for number in range(50)})
    _write(root, 0)

    def ask(name: str) -> Any:
        return call(root, "nav.symbols", {"query": name}, 120)

    assert [row["symbol"] for row in ask("f4999_0")["symbols"]] == ["f4999_0"]
    before = ask("f4999_0")["freshness"]["generation"]
    writing = threading.Thread(target=_write, args=(root, 1))
    writing.start()
    while True:
        written = not writing.is_alive()
        answer = ask("f4999_1")
        if written and not answer["freshness"]["stale"]:
            break
    assert [row["symbol"] for row in answer["symbols"]] == ["f4999_1"], "what is not told to be stale is right"
    writing.join()
    # One sync may have begun with what the program had written by then.
    assert answer["freshness"]["generation"] - before <= 2
