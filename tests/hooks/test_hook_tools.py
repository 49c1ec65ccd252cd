"""Git hooks beside the real husky, lefthook and pre-commit, whichever was there first."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nav_ls.hooks import githooks
from nav_ls.text.git import Repository, find_repository
from tests import npm

pytestmark = pytest.mark.slow

HUSKY = ("husky", "husky", "9.1.7")
LEFTHOOK = ("lefthook", "lefthook", "2.0.13")


class Project:
    """A repository in which a tool of others runs `echo mine >> ran` before each commit."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = dict(os.environ) | {
            "HOME": str(root.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "n",
            "GIT_AUTHOR_EMAIL": "e@example.org",
            "GIT_COMMITTER_NAME": "n",
            "GIT_COMMITTER_EMAIL": "e@example.org",
        }
        root.mkdir()
        self.run("git", "init", "-q")

    def run(self, *words: str) -> None:
        """Run a program in the repository; it must succeed."""
        done = subprocess.run(words, cwd=self.root, env=self.environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr

    def commit(self) -> int:
        """Commit something; returns how often the tool's hook has run so far."""
        (self.root / "file").write_text(os.urandom(8).hex())
        self.run("git", "add", "file")
        self.run("git", "commit", "-q", "-m", "x")
        return (self.root / "ran").read_text().count("mine") if (self.root / "ran").exists() else 0

    @property
    def repository(self) -> Repository:
        """What git hooks are installed into."""
        found = find_repository(self.root)
        assert found is not None
        return found


def program(name: str, package: str, version: str) -> str:
    """A program from npm."""
    try:
        return str(npm.install(name, package, version) / ".bin" / name)
    except npm.Unavailable as why:
        pytest.skip(str(why))


def husky(project: Project) -> None:
    (project.root / ".husky").mkdir(exist_ok=True)
    (project.root / ".husky" / "pre-commit").write_text("echo mine >> ran\n")
    project.run(str(npm.node_bin() / "node"), program(*HUSKY))


def lefthook(project: Project) -> None:
    (project.root / "lefthook.yml").write_text("pre-commit:\n  commands:\n    mine:\n      run: echo mine >> ran\n")
    node = str(npm.node_bin())
    project.environment["PATH"] = f"{Path(program(*LEFTHOOK)).parent}{os.pathsep}{node}{os.pathsep}{os.environ['PATH']}"
    project.run("lefthook", "install")


def pre_commit(project: Project) -> None:
    if shutil.which("pre-commit") is None:
        pytest.skip("pre-commit is not on the path")
    hook = "{id: mine, name: mine, language: system, entry: sh -c 'echo mine >> ran', always_run: true}"
    text = f"repos:\n- repo: local\n  hooks:\n  - {hook}\n"
    (project.root / ".pre-commit-config.yaml").write_text(text)
    project.run("git", "add", ".pre-commit-config.yaml")
    project.run("pre-commit", "install")


@pytest.mark.parametrize("tool", [husky, lefthook, pre_commit])
@pytest.mark.parametrize("first", ["tool", "nav"])
def test_both_run_and_nav_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: Callable[[Project], None], first: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(githooks, "python", lambda: "/nowhere/python")
    project = Project(tmp_path / "root")
    if first == "nav":
        githooks.install(project.repository)
    tool(project)
    githooks.install(project.repository)
    assert githooks.installed(project.repository) == list(githooks.NAMES)
    assert project.commit() == 1
    # The tool writes its hooks anew, as it does with every installation of packages: nothing breaks.
    tool(project)
    assert project.commit() == 2
    githooks.install(project.repository)
    assert githooks.installed(project.repository) == list(githooks.NAMES)
    assert project.commit() == 3
    githooks.uninstall(project.repository)
    assert project.commit() == 4
    folder = githooks.folder(project.repository)
    assert not [path for path in folder.iterdir() if b"# >>> nav" in path.read_bytes()]
