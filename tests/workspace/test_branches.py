"""Branches, work trees and detached commits: each its own view, and none is built from nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nav_ls.index.indexer import Indexer
from nav_ls.index.model import Report
from nav_ls.store import health
from nav_ls.store.facts import FactStore
from nav_ls.store.layout import Layout, View
from nav_ls.text import git
from nav_ls.text.errors import StorageError
from nav_ls.workspace import workspace as workspace_module
from nav_ls.workspace.workspace import Workspace
from tests.index.dump import difference, dump

FILES = {
    "a.py": "from b import f\n\n\ndef g():\n    return f()\n",
    "b.py": "def f():\n    return 1\n",
    "c.py": "import a\n\na.g()\n",
}


def run(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", root, *identity, *arguments], check=True, env=git.environment(), capture_output=True)


def commit(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).write_text(text)
    run(root, "add", "-A")
    run(root, "commit", "-qm", "change")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "main"
    root.mkdir()
    run(root, "init", "-q", "-b", "main")
    commit(root, FILES)
    return root


def sync(root: Path) -> Report:
    indexer = Indexer(root, workers=1)
    try:
        return indexer.sync()
    finally:
        indexer.close()


def assert_equals_cold(root: Path, tmp_path: Path) -> None:
    layout = Layout.find(root)
    found = dump(layout.database(layout.view()))
    kept = tmp_path / "kept"
    layout.folder.rename(kept)
    try:
        sync(root)
        cold = dump(layout.database(layout.view()))
    finally:
        shutil.rmtree(layout.folder)
        kept.rename(layout.folder)
    assert not difference(found, cold), difference(found, cold)


def test_a_new_branch_starts_from_its_parent(root: Path, tmp_path: Path) -> None:
    assert sync(root).cold
    run(root, "switch", "-qc", "feature/x")
    commit(root, {"b.py": "def f():\n    return 2\n\n\ndef new():\n    return f()\n"})
    report = sync(root)
    assert (report.cold, report.changed) == (False, 1)
    assert_equals_cold(root, tmp_path)
    (own, parent) = health.chain(Layout.find(root))
    assert (own.branch, own.parent, parent.branch) == ("feature/x", "main", "main")
    run(root, "switch", "-q", "main")
    assert sync(root).changed == 0
    assert_equals_cold(root, tmp_path)


def large_switch(root: Path) -> None:
    """A new branch that differs from the one before in so many files that their linking is shared out."""
    run(root, "switch", "-qc", "large")
    commit(root, {f"m{number}.py": f"from b import f\n\n\ndef h{number}():\n    return f()\n" for number in range(90)})


def test_an_open_index_goes_on_as_the_one_of_a_new_branch(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[FactStore] = []
    real = FactStore.summaries
    monkeypatch.setattr(FactStore, "summaries", lambda store: (loaded.append(store), real(store))[1])
    with closing(Indexer(root, workers=2)) as indexer:
        indexer.sync()
        indexer.warm()
        loaded.clear()
        large_switch(root)
        report = indexer.sync()
        assert (report.cold, report.changed, report.relinked) == (False, 90, 90)
        assert not loaded, "what was known of the parent is known of the branch"
        assert_equals_cold(root, tmp_path)
        run(root, "switch", "-q", "main")
        assert indexer.sync().changed == 0
        assert_equals_cold(root, tmp_path)
        indexer.settle()
        commit(root, {"b.py": "def f():\n    return 3\n\n\ndef other(): pass\n"})
        assert indexer.sync().changed == 1
        assert_equals_cold(root, tmp_path)


def test_a_new_branch_does_not_begin_as_a_damaged_one(root: Path, tmp_path: Path) -> None:
    layout = Layout.find(root)
    with closing(Indexer(root, workers=1)) as indexer:
        indexer.sync()
        indexer.settle()
        parent = layout.database(layout.view())
        data = bytearray(parent.read_bytes())
        data[-2000] ^= 1
        parent.write_bytes(data)
        run(root, "switch", "-qc", "feature")
        commit(root, {"b.py": "def f():\n    return 2\n"})
        assert "changed by something else" in indexer.sync().rebuilt
        assert_equals_cold(root, tmp_path)


def test_the_nearest_branch_is_the_parent(root: Path) -> None:
    sync(root)
    run(root, "switch", "-qc", "far")
    for number in range(3):
        commit(root, {"d.py": f"x = {number}\n"})
    sync(root)
    run(root, "switch", "-qc", "near")
    commit(root, {"e.py": ""})
    sync(root)
    own = next(iter(health.chain(Layout.find(root))))
    assert own.parent == "far"


def test_names_that_look_alike_have_their_own_databases(root: Path) -> None:
    databases = set()
    for name in ("feature/a", "feature_a", "feature-a", "Feature/a"):
        run(root, "switch", "-qc", name)
        layout = Layout.find(root)
        databases.add(layout.database(layout.view()))
    assert len(databases) == 4


def test_detached_commits_are_bounded(root: Path, tmp_path: Path) -> None:
    for number in range(8):
        commit(root, {"d.py": f"def f{number}(): pass\n"})
    sync(root)
    for number in range(8):
        run(root, "checkout", "-q", "--detach", f"main~{number}")
        sync(root)
    assert_equals_cold(root, tmp_path)
    chain = list(health.chain(Layout.find(root)))
    assert sum(1 for item in chain if not item.branch) <= 6
    assert [item.branch for item in chain if item.branch] == ["main"]
    run(root, "switch", "-q", "main")
    assert not sync(root).changed


def test_a_detached_work_tree_keeps_its_database_while_another_one_bisects(root: Path, tmp_path: Path) -> None:
    for number in range(8):
        commit(root, {"d.py": f"def f{number}(): pass\n"})
    sync(root)
    run(root, "worktree", "add", "-q", "--detach", "../linked", "main~3")
    sync(tmp_path / "linked")
    for number in range(8):
        run(root, "checkout", "-q", "--detach", f"main~{number}")
        sync(root)
    layout = Layout.find(tmp_path / "linked")
    assert layout.database(layout.view()).exists()


def other_branch(root: Path) -> Workspace:
    """A workspace on `main` whose other branch, `other`, was indexed before."""
    sync(root)
    run(root, "switch", "-qc", "other")
    commit(root, {"b.py": "def f():\n    return 2\n\n\ndef new(): ...\n"})
    sync(root)
    run(root, "switch", "-q", "main")
    workspace = Workspace.open(root)
    workspace.sync()
    return workspace


def test_a_branch_that_nobody_has_looked_at_since_is_not_fresh(root: Path) -> None:
    workspace = other_branch(root)
    with workspace.snapshot() as snapshot:
        assert not workspace.freshness(snapshot).stale
        run(root, "switch", "-q", "other")
        said = workspace.freshness(snapshot)
        assert (said.branch, said.stale) == ("main", True)
    with workspace.snapshot() as snapshot:
        said = workspace.freshness(snapshot)
        assert (said.branch, said.stale) == ("other", True)
    workspace.sync(["b.py"])
    with workspace.snapshot() as snapshot:
        assert workspace.freshness(snapshot).stale
    workspace.sync()
    with workspace.snapshot() as snapshot:
        assert not workspace.freshness(snapshot).stale
        run(root, "commit", "-q", "--allow-empty", "-m", "nothing")
        assert not workspace.freshness(snapshot).stale
    workspace.close()


def test_git_that_works_while_files_are_compared_has_them_compared_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = other_branch(root)
    inner, calls = workspace.sync, 0

    def switching(**options: Any) -> Report:
        nonlocal calls
        calls += 1
        if calls == 1:  # as a switch leaves it for a moment: the files of one branch, the name of the other
            run(root, "restore", "--source", "other", "b.py")
        report = inner(**options)
        if calls == 1:
            run(root, "restore", "b.py")
            run(root, "switch", "-q", "other")
        return report

    monkeypatch.setattr(workspace, "sync", switching)
    assert workspace.ensure() == ""
    assert calls == 2
    with workspace.snapshot() as snapshot:
        assert snapshot.symbols_named("new")
        assert workspace.freshness(snapshot).branch == "other"
    workspace.close()


def test_what_is_asked_while_git_works_is_not_fresh(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_module, "GIT_SECONDS", 0.05)
    workspace = other_branch(root)
    lock = root / ".git" / "index.lock"
    lock.touch()
    assert workspace.ensure() == "git is changing files"
    os.utime(lock, (1_000_000_000, 1_000_000_000))  # left by one that was killed
    assert workspace.ensure() == ""
    workspace.close()


def test_linked_work_trees_share_a_folder_and_have_their_own_views(root: Path, tmp_path: Path) -> None:
    sync(root)
    run(root, "worktree", "add", "-q", "-b", "other", "../linked")
    linked = tmp_path / "linked"
    (linked / "b.py").write_text("def f():\n    return 3\n\n\nf()\n")
    report = sync(linked)
    assert (report.cold, report.changed) == (False, 1)
    assert not (linked / ".nav").exists()
    assert_equals_cold(linked, tmp_path)
    assert sync(root).changed == 0
    assert_equals_cold(root, tmp_path)


def test_a_repository_without_commits(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a.py").write_text("def f(): pass\n")
    assert sync(tmp_path).files == 1
    commit(tmp_path, {})
    report = sync(tmp_path)
    assert (report.changed, report.cold) == (0, False)
    with_commit = next(iter(health.chain(Layout.find(tmp_path))))
    assert len(with_commit.commit) == 40


def test_a_sparse_checkout_indexes_what_is_there(root: Path, tmp_path: Path) -> None:
    (root / "sub").mkdir()
    commit(root, {"sub/d.py": "def d(): pass\n"})
    sync(root)
    run(root, "sparse-checkout", "set", "sub")
    run(root, "sparse-checkout", "reapply")
    report = sync(root)
    assert report.files == 4 - report.removed
    assert_equals_cold(root, tmp_path)


def test_submodules_belong_to_the_tree(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    run(other, "init", "-q", "-b", "main")
    commit(other, {"lib.py": "def lib(): pass\n"})
    run(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "vendored")
    assert sync(root).files == 4
    nested = Layout.find(root / "vendored")
    assert nested.folder == root / "vendored" / ".nav"


def test_collecting_drops_what_no_branch_needs(root: Path, tmp_path: Path) -> None:
    sync(root)
    run(root, "switch", "-qc", "gone")
    commit(root, {"d.py": "def only_here(): pass\n"})
    sync(root)
    run(root, "switch", "-q", "main")
    run(root, "branch", "-qD", "gone")
    workspace = Workspace.open(root)
    workspace.sync()
    collected = workspace.collect()
    assert len(collected.databases) == 1
    assert collected.facts == 1
    assert workspace.sync().changed == 0
    workspace.close()
    assert_equals_cold(root, tmp_path)


def test_collecting_drops_what_cannot_be_read(root: Path) -> None:
    """Of another version of nav, or damaged: of other branches, which nobody may ever check out again."""
    sync(root)
    for name, text in (("older", b"SQLite format 3\0" + bytes(4080)), ("damaged", b"x" * 4096)):
        run(root, "branch", name)
        layout = Layout.find(root)
        layout.database(View(name, "")).write_bytes(text)
    workspace = Workspace.open(root)
    collected = workspace.collect()
    assert len(collected.databases) == len(collected.unread) == 2
    assert collected.kept == "what a branch needs whose database could not be read is not known"
    collected = workspace.collect()
    assert (collected.databases, collected.kept) == ((), "")
    workspace.close()


def test_a_work_tree_that_was_removed_leaves_nothing(root: Path, tmp_path: Path) -> None:
    sync(root)
    run(root, "worktree", "add", "-q", "-b", "other", "../linked")
    run(root, "worktree", "add", "-q", "--detach", "../detached")
    for name in ("linked", "detached"):
        sync(tmp_path / name)
    workspace = Workspace.open(root)
    assert workspace.collect().databases == ()
    run(root, "worktree", "remove", "../linked")
    run(root, "worktree", "remove", "../detached")
    assert len(workspace.collect().databases) == 2
    workspace.close()


def test_a_work_tree_that_is_removed_while_it_is_open_is_not_indexed_again(root: Path, tmp_path: Path) -> None:
    run(root, "worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    with closing(Indexer(tmp_path / "tree", workers=1)) as indexer:
        indexer.sync()
        before = Layout.find(root).databases()
        run(root, "worktree", "remove", "--force", str(tmp_path / "tree"))
        with pytest.raises(StorageError, match="tree is gone"):
            indexer.sync()
    assert Layout.find(root).databases() == before


def test_a_new_branch_takes_the_place_of_those_that_are_gone(root: Path, tmp_path: Path) -> None:
    sync(root)
    run(root, "switch", "-qc", "first")
    commit(root, {"d.py": "def only_here(): pass\n"})
    sync(root)
    run(root, "branch", "-m", "first", "renamed")
    assert sync(root).changed == 0
    assert {item.branch: item.parent for item in health.chain(Layout.find(root))} == {"renamed": "first", "main": ""}
    assert_equals_cold(root, tmp_path)


def test_merges_rebases_and_stashes(root: Path, tmp_path: Path) -> None:
    sync(root)
    run(root, "switch", "-qc", "topic")
    commit(root, {"b.py": "def f():\n    return 2\n\n\ndef h(): return f()\n"})
    sync(root)
    run(root, "switch", "-q", "main")
    commit(root, {"c.py": "import a\nimport b\n\na.g()\nb.f()\n"})
    sync(root)
    run(root, "merge", "-q", "--no-edit", "topic")
    sync(root)
    assert_equals_cold(root, tmp_path)
    run(root, "switch", "-q", "topic")
    run(root, "rebase", "-q", "main")
    sync(root)
    assert_equals_cold(root, tmp_path)
    (root / "a.py").write_text("def unsaved(): pass\n")
    sync(root)
    run(root, "stash", "-q")
    sync(root)
    assert_equals_cold(root, tmp_path)


def test_facts_stay_in_bounds(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nav_ls.index.indexer._SPARE", 5)
    indexer = Indexer(root, workers=1)
    for number in range(30):
        (root / "b.py").write_text(f"def f():\n    return {number}\n")
        indexer.sync(["b.py"])
    with closing(FactStore.readable(root / ".nav" / "facts.db")) as facts:
        assert facts.count() <= 4 * 3 + 5 + 1
    assert indexer.sync(full=True).files == 3
    indexer.close()
