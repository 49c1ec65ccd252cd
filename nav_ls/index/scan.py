"""What has changed on disk since the last sync, found without reading files that have not."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from nav_ls.index.extraction import differs, wanted
from nav_ls.store.rows import FileRow
from nav_ls.text.admit import Limits
from nav_ls.text.walk import Entry, Passed, file_stat, inside, walk

RACY_NS = 2_000_000_000
"""A file may change twice within one tick of its file system's clock (2 s on FAT): younger stats prove nothing."""

_IGNORE_FILES = frozenset({".gitignore", ".navignore"})

Known = Mapping[str, tuple[int, FileRow]]


class Changes(msgspec.Struct, frozen=True):
    """`suspects` may have changed and must be read; `gone` are no longer there; `passed` are left out unread."""

    suspects: list[str]
    gone: list[str]
    passed: list[Passed]


def scan(root: Path, known: Known) -> Changes:
    """Compare a whole root with what is known of it."""
    found = walk(root, wanted)
    present = {entry.path for entry in found.entries} | {item.path for item in found.passed}
    return Changes(
        [entry.path for entry in found.entries if not _same(entry, known.get(entry.path))],
        [path for path in known if path not in present],
        [item for item in found.passed if _reason(known.get(item.path)) != item.reason],
    )


def differing(root: Path, known: Known, suspects: Sequence[str], limits: Limits) -> list[str]:
    """Those of the suspects that the index really has to say something else about."""
    folder = os.fspath(root)
    return [path for path in suspects if path not in known or differs(folder, known[path][1], limits)]


def scan_paths(root: Path, known: Known, paths: Sequence[str]) -> Changes:
    """Compare some files with what is known of them; a path that is not one of them makes it look at the whole root."""
    suspects, gone = [], []
    for path in dict.fromkeys(paths):
        if _needs_walk(root, known, path):
            return scan(root, known)
        if path not in known:
            continue
        found = file_stat(os.path.join(root, path)) if inside(root, path) else None
        if found is None:
            gone.append(path)
        elif not _same(Entry(path, found), known[path]):
            suspects.append(path)
    return Changes(suspects, gone, [])


def _needs_walk(root: Path, known: Known, path: str) -> bool:
    """Whether only a walk can tell what has become of a path: git's own list knows what is ignored."""
    if path not in known:
        return _matters(root, known, path)
    # What the walk has left out was never looked at; and it may leave out now what is a file no longer.
    return not known[path][1].read_ns or (root / path).is_symlink()


def _matters(root: Path, known: Known, path: str) -> bool:
    """Whether the index may depend on a path that it has no row for: a new file, a folder, an ignore file."""
    name = path.rpartition("/")[2]
    if wanted(path) or name in _IGNORE_FILES or (root / path).is_dir():
        return True
    return any(other.startswith(path + "/") for other in known)


def _same(entry: Entry, known: tuple[int, FileRow] | None) -> bool:
    if known is None:
        return False
    row, found = known[1], entry.stat
    return found == row.stat and max(found.mtime_ns, found.ctime_ns) + RACY_NS < row.read_ns


def _reason(known: tuple[int, FileRow] | None) -> str:
    return known[1].skip if known is not None else ""
