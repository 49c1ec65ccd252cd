import subprocess
from pathlib import Path

from nav_ls.text import git


def run(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", "-C", root, *identity, *arguments], check=True, env=git.environment(), capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(root: Path, text: str) -> str:
    (root / "a.py").write_text(text)
    run(root, "add", "-A")
    run(root, "commit", "-qm", text)
    return run(root, "rev-parse", "HEAD")


def repository(root: Path) -> git.Repository:
    found = git.find_repository(root)
    assert found is not None
    return found


def test_head_in_every_state(tmp_path: Path) -> None:
    assert git.find_repository(tmp_path) is None or git.find_repository(tmp_path).root != tmp_path  # type: ignore[union-attr]
    run(tmp_path, "init", "-q", "-b", "main")
    assert git.head(repository(tmp_path)) == git.Head("main", "")
    first = commit(tmp_path, "one")
    assert git.head(repository(tmp_path)) == git.Head("main", first)
    run(tmp_path, "switch", "-qc", "feature/a")
    second = commit(tmp_path, "two")
    assert git.head(repository(tmp_path)) == git.Head("feature/a", second)
    run(tmp_path, "pack-refs", "--all")
    assert git.head(repository(tmp_path)) == git.Head("feature/a", second)
    run(tmp_path, "checkout", "-q", "--detach")
    assert git.head(repository(tmp_path)) == git.Head("", second)
    assert git.branches(repository(tmp_path)) == {"main", "feature/a"}
    assert git.merge_base(repository(tmp_path), first, second) == first
    assert git.distance(repository(tmp_path), first, second) == 1


def test_a_branch_that_is_another_name_for_one(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "-b", "main")
    first = commit(tmp_path, "one")
    run(tmp_path, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    run(tmp_path, "switch", "-q", "alias")
    assert git.head(repository(tmp_path)) == git.Head("alias", first)
    run(tmp_path, "symbolic-ref", "refs/heads/alias", "refs/heads/alias")
    assert git.head(repository(tmp_path)) == git.Head("alias", "")


def test_linked_work_trees_share_a_main_root(tmp_path: Path) -> None:
    main = tmp_path / "main"
    run(tmp_path, "init", "-q", "-b", "main", "main")
    first = commit(main, "one")
    run(main, "worktree", "add", "-q", "-b", "other", "../other")
    linked = repository(tmp_path / "other")
    assert linked.linked
    assert git.main_root(linked) == main
    assert git.main_root(repository(main)) == main
    assert git.head(linked) == git.Head("other", first)


def test_a_work_tree_of_a_bare_repository_is_its_own_root(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "-b", "main", "seed")
    commit(tmp_path / "seed", "one")
    run(tmp_path, "clone", "-q", "--bare", "seed", "bare")
    run(tmp_path / "bare", "worktree", "add", "-q", "../tree")
    tree = repository(tmp_path / "tree")
    assert git.main_root(tree) == tmp_path / "tree"
