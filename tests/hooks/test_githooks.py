"""Git hooks: beside what is there, without a trace when they are taken out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from nav_ls.hooks import githooks
from nav_ls.text.git import Repository, find_repository

FOREIGN = {
    "shell": b'#!/bin/sh\necho mine > "$(git rev-parse --show-toplevel)/ran"\n',
    "pre-commit": b'#!/usr/bin/env bash\nset -e\necho mine > ran\nexec true "$@"\n',
    "python": b"#!/usr/bin/env python3\nopen('ran', 'w').write('mine')\n",
}


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, check=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    # What the hooks start would look for an index and find none; here nothing needs to start at all.
    monkeypatch.setattr(githooks, "python", lambda: "/nowhere/python")
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q")
    found = find_repository(root)
    assert found is not None
    return found


def test_new_hooks_come_and_go(repository: Repository) -> None:
    hooks = repository.common_dir / "hooks"
    before = sorted(hooks.iterdir())
    changed = githooks.install(repository)
    assert [path.name for path in changed] == list(githooks.NAMES)
    assert githooks.installed(repository) == list(githooks.NAMES)
    assert githooks.install(repository) == []
    git(repository.root, "commit", "-q", "--allow-empty", "-m", "x")
    githooks.uninstall(repository)
    assert sorted(hooks.iterdir()) == before


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_hook_that_is_there_still_runs_and_comes_back(repository: Repository, kind: str) -> None:
    path = repository.common_dir / "hooks" / "pre-commit"
    path.write_bytes(FOREIGN[kind])
    path.chmod(0o750)
    githooks.install(repository)
    git(repository.root, "commit", "-q", "--allow-empty", "-m", "x")
    assert (repository.root / "ran").read_text().strip() == "mine"
    githooks.uninstall(repository)
    assert path.read_bytes() == FOREIGN[kind]
    assert path.stat().st_mode & 0o777 == 0o750


def test_a_foreign_hook_that_says_no_is_obeyed(repository: Repository) -> None:
    path = repository.common_dir / "hooks" / "pre-commit"
    path.write_bytes(b"#!/usr/bin/env python3\nraise SystemExit(1)\n")
    path.chmod(0o755)
    githooks.install(repository)
    with pytest.raises(subprocess.CalledProcessError):
        git(repository.root, "commit", "-q", "--allow-empty", "-m", "x")


def test_a_linked_hook_does_not_change_the_file_behind_it(repository: Repository) -> None:
    script = repository.root / "check.sh"
    script.write_bytes(FOREIGN["shell"])
    script.chmod(0o755)
    path = repository.common_dir / "hooks" / "pre-commit"
    path.symlink_to(script)
    githooks.install(repository)
    assert script.read_bytes() == FOREIGN["shell"]
    git(repository.root, "commit", "-q", "--allow-empty", "-m", "x")
    assert (repository.root / "ran").exists()
    githooks.uninstall(repository)
    assert path.is_symlink()


def test_husky_runs_both(repository: Repository) -> None:
    generated = repository.root / ".husky" / "_"
    generated.mkdir(parents=True)
    (generated / "h").write_bytes(
        b'#!/usr/bin/env sh\nsh -e "$(dirname "$(dirname "$0")")/$(basename "$0")"\nexit $?\n'
    )
    (generated / "pre-commit").write_bytes(b'#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n')
    (generated / "pre-commit").chmod(0o755)
    (repository.root / ".husky" / "pre-commit").write_bytes(b"echo mine > ran\n")
    git(repository.root, "config", "core.hooksPath", ".husky/_")
    githooks.install(repository)
    assert (repository.root / ".husky" / "pre-commit").read_bytes() == b"echo mine > ran\n"
    git(repository.root, "commit", "-q", "--allow-empty", "-m", "x")
    assert (repository.root / "ran").exists()


def test_a_shared_hooks_folder_needs_consent(repository: Repository, tmp_path: Path) -> None:
    git(repository.root, "config", "core.hooksPath", str(tmp_path / "everywhere"))
    with pytest.raises(githooks.HookError, match="--shared"):
        githooks.install(repository)
    assert githooks.install(repository, shared=True)


def test_our_lines_start_in_the_background_and_never_fail(repository: Repository) -> None:
    githooks.install(repository)
    path = repository.common_dir / "hooks" / "pre-commit"
    assert subprocess.run([path], cwd=repository.root, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("suffix", [".legacy", ".old"])
def test_lines_that_another_tool_moved_aside_are_found_again(repository: Repository, suffix: str) -> None:
    hooks = repository.common_dir / "hooks"
    githooks.install(repository)
    path, aside = hooks / "pre-commit", hooks / f"pre-commit{suffix}"
    path.rename(aside)
    path.write_bytes(FOREIGN["pre-commit"])
    path.chmod(0o755)
    # Only once: pre-commit runs what it moved aside as well.
    githooks.install(repository)
    assert not aside.exists()
    assert githooks.installed(repository) == list(githooks.NAMES)
    path.rename(aside)
    path.write_bytes(FOREIGN["shell"])
    githooks.uninstall(repository)
    assert aside.read_bytes() == FOREIGN["pre-commit"]
    assert path.read_bytes() == FOREIGN["shell"]
