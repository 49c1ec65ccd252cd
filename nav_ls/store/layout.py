"""Where an index lives: one folder `.nav` per repository, one database per branch and work tree in it."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path

import msgspec

from nav_ls.text import git
from nav_ls.text.errors import StorageError, UsageError

FOLDER = ".nav"
DETACHED = "@"
"""Begins the token of a detached commit; that of a branch never holds it."""

_UNREADABLE = re.compile(r"[^A-Za-z0-9.]+")


class View(msgspec.Struct, frozen=True):
    """What is looked at: a work tree with the branch or commit that it has checked out.

    `branch` is "" when detached or without git, `commit` "" before the first one or without git; `tree` names a
    linked work tree, "" for the main one.
    """

    branch: str
    commit: str
    tree: str = ""

    @property
    def token(self) -> str:
        """The readable, unambiguous name that its database has."""
        readable = _UNREADABLE.sub("_", self.branch)[:60].strip("._") or "branch"
        exact = f"branch\0{self.branch}\0{self.tree}"
        if not self.branch and self.commit:
            readable, exact = DETACHED + self.commit[:12], f"commit\0{self.commit}\0{self.tree}"
        elif not self.branch:
            readable, exact = "files", f"files\0{self.tree}"
        short = blake2b(exact.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
        return f"{readable}-{short}"


class Layout(msgspec.Struct, frozen=True):
    """The folders of one indexed root.  `repository` is None without git."""

    root: Path
    folder: Path
    repository: git.Repository | None

    @classmethod
    def find(cls, start: Path) -> Layout:
        """The layout of the repository (or else indexed folder, or else the folder itself) that holds `start`."""
        start = _existing_folder(start)
        repository = git.find_repository(start)
        if repository is not None:
            return cls(repository.root, git.main_root(repository) / FOLDER, repository)
        for folder in (start, *start.parents):
            if (folder / FOLDER).is_dir():
                return cls(folder, folder / FOLDER, None)
        return cls(start, start / FOLDER, None)

    def view(self) -> View:
        """What is checked out now; reads a few small files."""
        if self.repository is None:
            return View("", "")
        head = git.head(self.repository)
        tree = self.repository.git_dir.name if self.repository.linked else ""
        return View(head.branch, head.commit, tree)

    def database(self, view: View) -> Path:
        """The database of a view."""
        return self.folder / f"nav-{view.token}.db"

    def databases(self) -> list[Path]:
        """All branch databases that exist, the one that was written last first."""
        return sorted(self.folder.glob("nav-*.db"), key=lambda path: -_modified(path))

    def make_folder(self) -> None:
        """Create `.nav`, which hides itself from git.  Raises StorageError where that is not possible.

        Nor is it where the root is gone: a linked work tree that was removed leaves the folder that it shared.
        """
        if not self.root.is_dir():
            raise StorageError(f"{self.root} is gone")
        try:
            if self.folder.is_symlink():
                raise StorageError(
                    f"{self.folder} is a symbolic link; remove it, nav writes only inside the repository"
                )
            self.folder.mkdir(exist_ok=True)
            ignore = self.folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n")
        except OSError as error:
            raise StorageError(f"cannot create {self.folder}: {error.strerror}") from error


def _existing_folder(start: Path) -> Path:
    try:
        folder = start.expanduser().resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{start}: no such folder") from error
    if folder.is_dir():
        return folder
    if not folder.is_file():
        raise UsageError(f"{start} is neither a folder nor a file")
    return folder.parent


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
