"""Checks of everything that nav needs, each with what to do where it fails."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

import msgspec

from nav_ls.config.settings import load
from nav_ls.index.extraction import is_compiled
from nav_ls.index.pool import Lost, Pool
from nav_ls.index.worker import Setup
from nav_ls.store import health, lock
from nav_ls.store.layout import Layout
from nav_ls.text import git
from nav_ls.text.admit import Limits
from nav_ls.text.errors import NavError

_FREE_BYTES = 100_000_000


class Check(msgspec.Struct, frozen=True):
    """One check.  `detail` says what was found, and what to do where `ok` is false."""

    name: str
    ok: bool
    detail: str


def doctor(layout: Layout) -> Iterator[Check]:
    """All checks, in the order in which they depend on each other."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check("Python", sys.version_info >= (3, 11), f"{version} ({sys.executable}); 3.11 or later is needed")
    yield Check("code", True, "compiled" if is_compiled() else "not compiled, which is well but slower")
    yield _git(layout)
    for name, there in health.features().items():
        yield Check(f"SQLite: {name}", there, "there" if there else "missing: use a Python whose SQLite has FTS5")
    yield _workers(layout)
    yield _settings(layout)
    yield _folder(layout)
    yield from _databases(layout)


def _git(layout: Layout) -> Check:
    if shutil.which("git") is None:
        return Check("git", False, "not found; files are listed without it, and branches cannot be told apart")
    if layout.repository is None:
        return Check("git", True, f"{layout.root} is not in a repository: all files below it belong to the index")
    listed = git.list_files(layout.repository)
    if listed is None:
        return Check("git", False, f"`git ls-files` fails in {layout.root}: run it there to see why")
    return Check("git", True, f"{len(listed)} files in {layout.root}")


def _workers(layout: Layout) -> Check:
    pool = Pool(Setup(str(layout.root), "", Limits()), 1)
    try:
        answer = pool.extract_text("probe.py", b"def probe(): pass\n", "python")
    except NavError:
        answer = Lost("probe.py", "the process does not start; is the installation complete?")
    finally:
        pool.close()
    if isinstance(answer, Lost):
        return Check("worker process", False, answer.reason)
    return Check("worker process", True, "starts and parses")


def _settings(layout: Layout) -> Check:
    try:
        found = load(layout.root)
    except NavError as error:
        return Check("settings", False, str(error))
    if found.ignored:
        return Check("settings", False, "; ".join(found.ignored))
    return Check("settings", True, "can be read")


def _folder(layout: Layout) -> Check:
    name = "index folder"
    try:
        layout.make_folder()
        with lock.writer(layout.folder, wait=0.5):
            free = shutil.disk_usage(layout.folder).free
    except NavError as error:
        return Check(name, False, str(error))
    if not os.access(layout.folder, os.W_OK):
        return Check(name, False, f"{layout.folder} is not writable: check its owner and permissions")
    if free < _FREE_BYTES:
        return Check(name, False, f"only {free // 1_000_000} MB are free where {layout.folder} is")
    return Check(name, True, f"{layout.folder} can be written and locked")


def _databases(layout: Layout) -> Iterator[Check]:
    for path in [
        *layout.databases(),
        *sorted(layout.folder.glob("facts.db")),
        *sorted(layout.folder.glob("content*.db")),
    ]:
        try:
            good = health.sound(path)
            detail = "sound" if good else "damaged or of another format: `nav index` builds it again"
        except NavError as error:
            good, detail = False, str(error)
        yield Check(path.name, good, detail)
