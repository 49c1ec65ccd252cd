"""Which files of a folder are candidates for the index, and what the file system says about each."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from nav_ls.text import git
from nav_ls.text.ignore import IgnoreTree, outermost_first
from nav_ls.text.manifests import is_manifest

ALWAYS_IGNORED = frozenset({".git", ".hg", ".svn", ".nav", "node_modules", "bower_components"})
"""Folders that are never walked into, also where they are tracked."""

IGNORED_WITHOUT_GIT = ALWAYS_IGNORED | {
    "__pycache__",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".eggs",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".gradle",
    ".idea",
    ".vscode-test",
}
"""Folders that only ever hold what tools made: left out where no `.gitignore` can say so."""

_MAX_NESTED = 8


class FileStat(msgspec.Struct, frozen=True, array_like=True):
    """What tells whether a file has changed without reading it."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Entry(msgspec.Struct, frozen=True):
    """A regular file below the root; `path` uses "/"."""

    path: str
    stat: FileStat


class Passed(msgspec.Struct, frozen=True):
    """A file that is left out, and why."""

    path: str
    reason: str


class Walk(msgspec.Struct, frozen=True):
    """All candidates of a root, in the order of their paths."""

    entries: list[Entry]
    passed: list[Passed]
    with_git: bool


def walk(root: Path, wanted: Callable[[str], bool] = lambda path: True) -> Walk:
    """List a root's files: git's own list where there is git, else every file that no `.gitignore` excludes.

    Only paths that are `wanted` are looked at.
    """
    listed = _from_git(root, 0)
    with_git = listed is not None
    names = sorted(set(listed)) if listed is not None else sorted(_from_disk(root))
    entries: list[Entry] = []
    passed: list[Passed] = []
    ignored = _nav_ignore(root, names) if with_git else None
    folders = _Folders(root)
    prefix = os.fspath(root) + "/"
    for name in filter(wanted, names):
        found = _entry(prefix, name, folders, ignored)
        if isinstance(found, Entry):
            entries.append(found)
        elif found is not None:
            passed.append(found)
    return Walk(entries, passed, with_git)


def file_stat(path: str) -> FileStat | None:
    """The stat of a regular file; None for anything else (symbolic links too) and for what is not there."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return _stat(found) if stat.S_ISREG(found.st_mode) else None


def inside(root: Path, path: str) -> bool:
    """Whether a relative path stays below the root without passing through a symbolic link."""
    parts = path.split("/")
    if path.startswith("/") or any(part in ("", ".", "..") for part in parts) or "\0" in path:
        return False
    return _Folders(root).plain(path.rpartition("/")[0])


def _stat(found: os.stat_result) -> FileStat:
    return FileStat(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _entry(prefix: str, name: str, folders: _Folders, ignored: IgnoreTree | None) -> Entry | Passed | None:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return Passed(name.encode("utf-8", "backslashreplace").decode(), "its name is not valid UTF-8")
    folder = name.rpartition("/")[0]
    if folders.always_ignored(folder):
        return None
    if not folders.plain(folder):
        return None
    try:
        found = os.lstat(prefix + name)
    except (OSError, ValueError):
        return None  # tracked but not there (deleted, sparse checkout), or gone since it was listed
    if stat.S_ISLNK(found.st_mode):
        return Passed(name, "symbolic link")
    if not stat.S_ISREG(found.st_mode):
        return None
    if ignored is not None and ignored.ignored(name):
        return Passed(name, "excluded by .navignore")
    return Entry(name, _stat(found))


class _Folders:
    """Which folders are reached without passing through a symbolic link; each is looked at once."""

    def __init__(self, root: Path) -> None:
        self._prefix = os.fspath(root) + "/"
        self._plain: dict[str, bool] = {"": True}
        self._always: dict[str, bool] = {}

    def plain(self, folder: str) -> bool:
        for above in outermost_first(folder, self._plain):
            self._plain[above] = self._plain[above.rpartition("/")[0]] and self._is_folder(above)
        return self._plain[folder]

    def always_ignored(self, folder: str) -> bool:
        known = self._always.get(folder)
        if known is None:
            known = not ALWAYS_IGNORED.isdisjoint(folder.split("/"))
            self._always[folder] = known
        return known

    def _is_folder(self, folder: str) -> bool:
        try:
            return stat.S_ISDIR(os.lstat(self._prefix + folder).st_mode)
        except (OSError, ValueError):
            return False


def _from_git(root: Path, depth: int) -> list[str] | None:
    repository = git.find_repository(root)
    if repository is None or repository.root != root:
        return None
    listed = git.list_files(repository)
    if listed is None:
        return None
    names: list[str] = []
    for raw in listed:
        name = os.fsdecode(raw)
        if _may_be_repository(root, name):
            names.extend(_nested(root, name.rstrip("/"), depth))
        else:
            names.append(name)
    return names


def _may_be_repository(root: Path, name: str) -> bool:
    if name.endswith("/"):
        return True
    # A submodule is listed without a final slash.  Only names without a suffix are looked at: a look at each
    # file of a large repository would cost more than git's whole list.
    return "." not in name.rpartition("/")[2] and (root / name / ".git").exists() and not (root / name).is_symlink()


def _nested(root: Path, name: str, depth: int) -> Iterator[str]:
    folder = root / name
    if depth >= _MAX_NESTED:
        return
    below = _from_git(folder, depth + 1)
    for path in below if below is not None else _from_disk(folder):
        yield f"{name}/{path}"


def _from_disk(root: Path) -> Iterator[str]:
    """Every regular file or link below a root that its ignore files do not exclude; folders that are links are not entered."""
    tree = IgnoreTree(root, (".gitignore", ".navignore"))
    prefix = os.fspath(root) + "/"
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            found = list(os.scandir(prefix + folder))
        except OSError:
            continue
        tree.enter(folder, {item.name for item in found})
        for item in found:
            path = f"{folder}/{item.name}" if folder else item.name
            is_folder = item.is_dir(follow_symlinks=False)
            if is_folder and item.name in IGNORED_WITHOUT_GIT:
                continue
            # Without git nobody knows that an ignored manifest is tracked all the same; linking needs it.
            if tree.ignored_here(path, is_folder) and (is_folder or not is_manifest(path)):
                continue
            if is_folder:
                pending.append(path)
            else:
                yield path


def _nav_ignore(root: Path, names: list[str]) -> IgnoreTree | None:
    if not any(name == ".navignore" or name.endswith("/.navignore") for name in names):
        return None
    return IgnoreTree(root, (".navignore",))
