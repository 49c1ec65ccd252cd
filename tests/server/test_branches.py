"""The server follows what is checked out."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nav_ls.client.call import call

FILES = {"lib.py": "def helper():\n    pass\n", "user.py": "from lib import helper\n\n\ndef user():\n    helper()\n"}
OTHER = "from lib import helper\n\n\ndef somebody_else():\n    helper()\n"


def _git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True)


def _callers(root: Path) -> tuple[str, list[str]]:
    answer = call(root, "nav.callers", {"target": "helper"}, 60)
    return answer["freshness"]["branch"], [caller["symbol"] for caller in answer["callers"]]


@pytest.fixture(scope="module")
def root(make_repo: Callable[[dict[str, str]], Path], shared_runtime: Path) -> Path:
    root = make_repo(FILES)
    _git(root, "add", ".")
    _git(root, "commit", "-qm", "one")
    _git(root, "checkout", "-qb", "feature/a")
    (root / "user.py").write_text(OTHER)
    _git(root, "commit", "-qam", "two")
    _git(root, "checkout", "-q", "main")
    return root


def test_a_switch_of_branches_shows_at_once(root: Path) -> None:
    assert _callers(root) == ("main", ["user"])
    for _ in range(3):
        _git(root, "checkout", "-q", "feature/a")
        assert _callers(root) == ("feature/a", ["somebody_else"])
        _git(root, "checkout", "-q", "main")
        assert _callers(root) == ("main", ["user"])
    _git(root, "checkout", "-q", "--detach", "feature/a")
    assert _callers(root) == ("", ["somebody_else"])
    _git(root, "checkout", "-q", "main")


def test_a_linked_work_tree_is_served_beside_the_main_one(root: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    _git(root, "worktree", "add", "-q", str(tree), "feature/a")
    assert _callers(tree) == ("feature/a", ["somebody_else"])
    assert _callers(root) == ("main", ["user"])
    (tree / "more.py").write_text(OTHER.replace("somebody_else", "more"))
    assert _callers(tree) == ("feature/a", ["more", "somebody_else"])
    assert _callers(root) == ("main", ["user"])
    _git(tree, "checkout", "-q", "-b", "third")
    assert _callers(tree) == ("third", ["more", "somebody_else"])
    _git(root, "worktree", "remove", "--force", str(tree))
