"""The state of an index folder: sizes, databases of branches, what can go, what is broken."""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from nav_ls.store import content, database
from nav_ls.store import facts as fact_store
from nav_ls.store.branch import BranchStore
from nav_ls.store.facts import FactStore
from nav_ls.store.layout import Layout
from nav_ls.store.reader import Reader
from nav_ls.text import git
from nav_ls.text.errors import DamagedError, NavError

KEPT_COMMITS = 5
"""So many databases of detached commits survive in each work tree; bisecting makes one for each step."""


class Chained(msgspec.Struct, frozen=True):
    """The database of one branch (or commit, where `branch` is "") in one work tree ("" for the main one).

    `parent`: the branch or commit as a copy of whose database it began.
    """

    database: str
    branch: str
    commit: str
    tree: str
    parent: str
    generation: int
    indexed_at: float
    size: int


class Collected(msgspec.Struct, frozen=True):
    """What was removed: databases by name, how many facts and vectors, how many bytes in all.

    `unread`: those of the databases that could not be read; `kept`: why nothing that was paid for was removed.
    """

    databases: tuple[str, ...]
    facts: int
    bytes: int
    vectors: int = 0
    unread: tuple[str, ...] = ()
    kept: str = ""


def sizes(layout: Layout) -> dict[str, int]:
    """Bytes of each file of the index."""
    found: dict[str, int] = {}
    with contextlib.suppress(OSError):
        for path in sorted(layout.folder.iterdir()):
            with contextlib.suppress(OSError):
                found[path.name] = path.stat().st_size
    return found


def chain(layout: Layout) -> Iterator[Chained]:
    """All databases of branches, the one that was written last first; those that cannot be read are left out."""
    for path in layout.databases():
        with contextlib.suppress(NavError, FileNotFoundError):
            yield _chained(path)


def _chained(path: Path) -> Chained:
    """What a database says of itself.  Raises DamagedError (also for one of another version), FileNotFoundError."""
    reader = Reader.open(path)
    try:
        meta = reader.meta()
    finally:
        reader.close()
    return Chained(
        path.name,
        str(meta.get("branch", "")),
        str(meta.get("commit", "")),
        str(meta.get("tree", "")),
        str(meta.get("parent", "")),
        int(meta.get("generation", 0)),
        float(meta.get("indexed_at", 0.0)),
        path.stat().st_size,
    )


def collect(layout: Layout) -> Collected:
    """Remove databases that no branch and no work tree needs or that cannot be read, and facts that no database needs.

    The caller holds the writer's lock.
    """
    before = sum(sizes(layout).values())
    removed, unread = collect_databases(layout), _collect_unread(layout)
    dropped = _collect_facts(layout)
    freed = max(0, before - sum(sizes(layout).values()))
    return Collected(removed + unread, dropped, freed, unread=unread)


def sound(path: Path) -> bool:
    """Whether a database can be read from end to end.  Raises NavError where it may not be opened here."""
    if path.stem.startswith("content"):
        return content.whole(path)
    try:
        connection = database.open_readable(path, "facts.sql" if path.name == fact_store.NAME else "schema.sql")
    except (DamagedError, FileNotFoundError):
        return False
    try:
        return database.check(connection)
    finally:
        connection.close()


def features() -> dict[str, bool]:
    """Which of the things that nav needs this SQLite has."""
    connection = sqlite3.connect(":memory:")
    found: dict[str, bool] = {}
    try:
        for name, tokenizer in (("full-text search", "unicode61"), ("trigram index", "trigram")):
            try:
                connection.execute(f"CREATE VIRTUAL TABLE {tokenizer} USING fts5 (a, tokenize = '{tokenizer}')")
                found[name] = True
            except sqlite3.OperationalError:
                found[name] = False
    finally:
        connection.close()
    return found


def collect_databases(layout: Layout) -> tuple[str, ...]:
    """Remove the databases of branches and work trees that are gone, of all but a few detached commits, and those of
    builds that were killed; returns their names.

    The caller holds the writer's lock.
    """
    return _removed([*_unneeded(layout), *layout.folder.glob("nav-*.new")])


def _collect_unread(layout: Layout) -> tuple[str, ...]:
    """Remove the databases of other branches that are damaged or of another version: who needs one builds it again."""
    current = layout.database(layout.view())
    return _removed([path for path in layout.databases() if path != current and _is_unread(path)])


def _is_unread(path: Path) -> bool:
    try:
        _chained(path)
    except DamagedError:
        return True
    except (NavError, FileNotFoundError):
        pass
    return False


def _removed(paths: Sequence[Path]) -> tuple[str, ...]:
    for path in paths:
        database.remove(path)
    return tuple(path.name for path in paths)


def _unneeded(layout: Layout) -> list[Path]:
    current = layout.database(layout.view())
    known = git.branches(layout.repository) if layout.repository is not None else frozenset()
    trees = git.work_trees(layout.repository) if layout.repository is not None else frozenset()
    gone: list[Path] = []
    commits: Counter[str] = Counter()
    for path in layout.databases():
        if path == current:
            continue
        try:
            item = _chained(path)
        except (NavError, FileNotFoundError):
            continue
        if item.branch:
            # Where git cannot be asked no branch is known to be gone.
            unneeded = known is not None and item.branch not in known
        else:
            commits[item.tree] += 1
            unneeded = commits[item.tree] > KEPT_COMMITS
        if unneeded or (item.tree and item.tree not in trees):
            gone.append(path)
    return gone


def _collect_facts(layout: Layout) -> int:
    path = layout.folder / fact_store.NAME
    if not path.exists():
        return 0
    store = FactStore.writable(path)
    try:
        return collect_facts(layout, store)
    finally:
        store.close()


def collect_facts(layout: Layout, store: FactStore) -> int:
    """Drop the facts that no branch needs; returns how many.  The caller holds the writer's lock."""
    keys: set[bytes] = set()
    for path in layout.databases():
        try:
            branch = BranchStore.open(path)
        except NavError:
            continue  # damaged: it is built again when it is needed, and its facts with it
        try:
            keys.update(branch.facts_keys())
        finally:
            branch.close()
    return store.keep_only(keys)
