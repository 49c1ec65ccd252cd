"""What git knows about a folder, read without trusting the repository.

Branch and commit are read from git's own files, so that a check for freshness starts no process.  Where git
itself is asked, everything in the repository's configuration that could run a program is switched off.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

_NEUTRAL = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.gitProxy=false",
    "core.askPass=",
    "diff.external=",
    "credential.helper=",
    "protocol.allow=never",
    "submodule.recurse=false",
)
_CONVERTING = frozenset({"apply", "diff", "show", "status", "worktree"})
"""Commands that may hand what is in files to filters."""

_FILTERS = r"^filter\..*\.(clean|smudge|process|required)$"
_TIMEOUT = 120.0
_LEFT_SECONDS = 60.0
"""A lock of the index that is older was left by a git that was killed."""
_MOST_NAMES = 5
"""So many references may lead to another one, as in git."""


class Repository(msgspec.Struct, frozen=True):
    """A work tree.  `git_dir` is its own, `common_dir` is shared by all its linked work trees."""

    root: Path
    git_dir: Path
    common_dir: Path

    @property
    def linked(self) -> bool:
        """Whether this is a linked work tree."""
        return self.git_dir != self.common_dir


class Head(msgspec.Struct, frozen=True):
    """What is checked out: `branch` is "" when detached, `commit` is "" before the first one."""

    branch: str
    commit: str


def find_repository(start: Path) -> Repository | None:
    """The work tree that holds `start`, None where there is none."""
    for folder in (start, *start.parents):
        marker = folder / ".git"
        git_dir = _git_dir(marker)
        if git_dir is not None:
            return Repository(folder, git_dir, _common_dir(git_dir))
    return None


def head(repository: Repository) -> Head:
    """The branch and commit that are checked out."""
    text = _read(repository.git_dir / "HEAD")
    if not text.startswith("ref:"):
        return Head("", text)
    ref = text[4:].strip()
    branch = ref.removeprefix("refs/heads/")
    if branch == ".invalid":  # the reftable format keeps its references elsewhere
        return _ask_head(repository)
    return Head(branch, _commit(repository, ref))


def at_work(repository: Repository) -> bool:
    """Whether git has begun to change files, and has not told its index yet."""
    try:
        began = (repository.git_dir / "index.lock").stat().st_mtime
    except OSError:
        return False
    return time.time() - began < _LEFT_SECONDS


def stamp(repository: Repository) -> tuple[str, int]:
    """What is another one after git has changed files: what is checked out, and when the index was written."""
    try:
        written = (repository.git_dir / "index").stat().st_mtime_ns
    except OSError:
        written = 0
    return _read(repository.git_dir / "HEAD"), written


def main_root(repository: Repository) -> Path:
    """The root of the main work tree, which all linked ones share; the work tree's own where there is no main one."""
    common = repository.common_dir
    if repository.linked and common.name == ".git" and common.parent.is_dir():
        return common.parent
    return repository.root


def branches(repository: Repository) -> frozenset[str] | None:
    """The names of all local branches, None where git cannot be asked."""
    listed = run(repository, "for-each-ref", "--format=%(refname)", "refs/heads")
    if listed is None:
        return None
    lines = listed.decode("utf-8", "replace").split("\n")
    return frozenset(line.removeprefix("refs/heads/") for line in lines if line)


def work_trees(repository: Repository) -> frozenset[str]:
    """The names of all linked work trees that git knows."""
    try:
        return frozenset(os.listdir(repository.common_dir / "worktrees"))
    except OSError:
        return frozenset()


def merge_base(repository: Repository, one: str, other: str) -> str | None:
    """The best common ancestor of two commits, None where there is none."""
    found = run(repository, "merge-base", "--end-of-options", one, other)
    return found.decode("ascii", "replace").strip() if found else None


def distance(repository: Repository, base: str, tip: str) -> int | None:
    """How many commits `tip` has that `base` does not have, and the other way round; None if that is not known."""
    counted = run(repository, "rev-list", "--count", "--end-of-options", f"{base}...{tip}")
    return int(counted) if counted and counted.strip().isdigit() else None


def list_files(repository: Repository) -> list[bytes] | None:
    """Tracked files and those that are not ignored, relative to the root; None where git is not usable.

    Folders in it (with or without a final slash) are other repositories: submodules or nested clones.
    """
    listed = run(repository, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if listed is None:
        return None
    return sorted(set(listed.split(b"\0")) - {b""})


def tracked(repository: Repository) -> bytes | None:
    """The names of all tracked files, each with a NUL behind it; None where git is not usable."""
    return run(repository, "ls-files", "-z", "--cached")


def run(repository: Repository, *arguments: str) -> bytes | None:
    """The output of a git command in this work tree; None if it fails or there is no git."""
    settings = list(_NEUTRAL)
    if arguments[0] in _CONVERTING:
        named = _output(repository, settings, ("config", "-z", "--name-only", "--get-regexp", _FILTERS)) or b""
        for name in sorted({os.fsdecode(raw) for raw in named.split(b"\0")} - {""}):
            settings.append(f"{name}={'false' if name.endswith('.required') else ''}")
    return _output(repository, settings, arguments)


def _output(repository: Repository, settings: Sequence[str], arguments: Sequence[str]) -> bytes | None:
    command = ["git", "--no-optional-locks", f"--git-dir={repository.git_dir}", f"--work-tree={repository.root}"]
    for setting in settings:
        command += ["-c", setting]
    try:
        done = subprocess.run(
            [*command, *arguments],
            cwd=repository.root,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def environment() -> dict[str, str]:
    """The environment for git: none of the variables that a hook or an outer git sets."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    return kept | quiet | {"LC_ALL": "C"}


def _git_dir(marker: Path) -> Path | None:
    try:
        if marker.is_dir():
            return marker.resolve() if (marker / "HEAD").is_file() else None
        if not marker.is_file():
            return None
        text = _read(marker)
    except OSError:
        return None
    if not text.startswith("gitdir:"):
        return None
    git_dir = (marker.parent / text[7:].strip()).resolve()
    return git_dir if (git_dir / "HEAD").is_file() else None


def _common_dir(git_dir: Path) -> Path:
    text = _read(git_dir / "commondir")
    return (git_dir / text).resolve() if text else git_dir


def _commit(repository: Repository, ref: str) -> str:
    """The commit that a reference leads to, by way of others where it is a name for them; "" where it leads nowhere."""
    for _ in range(_MOST_NAMES):
        text = _stored(repository, ref)
        if not text.startswith("ref:"):
            return text
        ref = text[4:].strip()
    return ""


def _stored(repository: Repository, ref: str) -> str:
    for folder in (repository.git_dir, repository.common_dir):
        text = _read(folder / ref)
        if text:
            return text
    packed = _read(repository.common_dir / "packed-refs")
    for line in packed.splitlines():
        commit, _, name = line.partition(" ")
        if name == ref:
            return commit
    return ""


def _ask_head(repository: Repository) -> Head:
    branch = run(repository, "symbolic-ref", "--quiet", "--short", "HEAD")
    commit = run(repository, "rev-parse", "--verify", "--quiet", "HEAD")
    return Head(*((text or b"").decode("utf-8", "replace").strip() for text in (branch, commit)))


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
