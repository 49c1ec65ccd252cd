"""The open database of a view, and what is known of it between two syncs."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nav_ls.index.source import StoreSource
from nav_ls.store import database
from nav_ls.store.branch import BranchStore
from nav_ls.store.layout import Layout, View
from nav_ls.store.rows import Buffer
from nav_ls.syntax.facts import FileFacts
from nav_ls.text import git
from nav_ls.text.errors import DamagedError, NavError

if TYPE_CHECKING:
    from nav_ls.graph.link import Linker

_CANDIDATES = 8
"""So many databases are considered as the parent of a new branch: each costs a question to git."""


class Linked(NamedTuple):
    """A buffer that was linked; its links hold until the linker is told of something that they came by."""

    facts: FileFacts
    buffer: Buffer


class State:
    """A view that is open for writing.

    `scratch`: the database has not got its final name yet, and is thrown away unless it is published.  `empty`:
    it holds nothing yet.  `rebuilt`: why an existing one was thrown away.
    """

    def __init__(self, view: View, store: BranchStore, *, scratch: bool = False, rebuilt: str = "") -> None:
        self.view = view
        self.scratch = scratch
        self.rebuilt = rebuilt
        self.meta = store.meta()
        self.known = store.files()
        self.empty = not self.meta
        self.linker: Linker | None = None
        self.source: StoreSource | None = None
        self.laid: dict[str, FileFacts] = {}
        """Facts of buffers that the linker takes for the files' own at the moment."""
        self.linked: dict[str, Linked] = {}
        self._store: BranchStore | Future[BranchStore] = store
        self._identity = identity(store.path)

    @property
    def store(self) -> BranchStore:
        """The database; waits for one that is still being copied, and raises what went wrong with that."""
        if isinstance(self._store, Future):
            self._store = self._store.result()
        return self._store

    def branch_off(self, view: View, scratch: Path) -> None:
        """Go on as the state of another view, which begins as this one.

        All that is known stays known: while a thread copies the database, it can be compared with the files.
        """
        thread = ThreadPoolExecutor(1, "nav-copy")
        self._store = thread.submit(_copied, self.store, scratch)
        thread.shutdown(wait=False)
        self.view, self.scratch, self.rebuilt = view, True, ""
        self.meta["parent"] = _name(self.meta)

    @property
    def generation(self) -> int:
        """How many changes have been committed."""
        return int(self.meta.get("generation", 0))

    def serves(self, view: View, path: Path) -> bool:
        """Whether this can go on for a view: the same database, and nobody else has written it."""
        return (
            not self.scratch
            and self.view.token == view.token
            and identity(path) == self._identity
            and self.store.meta().get("generation") == self.meta.get("generation")
        )

    def forget_linker(self) -> None:
        """The next one begins with what is stored then."""
        self.linker = self.source = None
        self.laid.clear()
        self.linked.clear()

    def touched(self, keys: set[str]) -> None:
        """The linker was told of changes: what came by these keys is no longer known."""
        for path in [path for path, one in self.linked.items() if not one.buffer.links.keys.isdisjoint(keys)]:
            del self.linked[path]

    def publish(self, path: Path) -> None:
        """Give a scratch database its final name and go on with it."""
        self.store.publish(path)
        self.scratch = False
        self._store = BranchStore.open(path)
        self._identity = identity(path)

    def close(self, *, failed: bool = False) -> None:
        """Release the file; a scratch database is removed.  `failed`: what it holds may be damaged."""
        try:
            store = self.store
        except (NavError, OSError):
            return  # it could not be copied
        if not self.scratch and not failed:
            store.settle()
        store.close()
        if self.scratch:
            database.remove(store.path)


def identity(path: Path) -> tuple[int, int] | None:
    """What tells one file from another of the same name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def open_state(layout: Layout, view: View, current: State | None) -> State:
    """Open the database of a view.  A new branch begins as a copy of the nearest one; a damaged file is replaced.

    `current` is the state of another view, or one that others have overtaken: it is closed, or goes on as this one.
    """
    path = layout.database(view)
    scratch = path.with_suffix(".new")
    if current is not None:
        current.store.settle()
    parents = [] if path.exists() else _parents(layout, view, path)
    if current is not None:
        if parents and current.serves(current.view, parents[0]):
            current.branch_off(view, scratch)
            return current
        current.close()
    rebuilt = ""
    if path.exists():
        try:
            return State(view, BranchStore.open(path))
        except DamagedError as error:
            rebuilt = str(error)
            database.remove(path)
            parents = _parents(layout, view, path)
    for parent in parents:
        try:
            store = _copy(parent, scratch)
        except NavError:
            continue  # damaged: it will be noticed when it is opened for itself
        state = State(view, store, scratch=True, rebuilt=rebuilt)
        state.meta["parent"] = _name(state.meta)
        return state
    return State(view, BranchStore.scratch(scratch), scratch=True, rebuilt=rebuilt)


def _parents(layout: Layout, view: View, own: Path) -> list[Path]:
    """Databases to begin with, the nearest in history first; without a history the latest."""
    found = [path for path in layout.databases() if path != own][:_CANDIDATES]
    if layout.repository is None or not view.commit or len(found) < 2:
        return found
    distances = {path: _distance(layout.repository, path, view.commit) for path in found}
    return sorted(found, key=lambda path: distances[path])


def _distance(repository: git.Repository, path: Path, commit: str) -> int:
    far = 1 << 30
    try:
        store = BranchStore.open(path)
    except NavError:
        return far
    try:
        other = str(store.meta().get("commit", ""))
    finally:
        store.close()
    counted = git.distance(repository, other, commit) if other else None
    return far if counted is None else counted


def _copied(parent: BranchStore, target: Path) -> BranchStore:
    """Close a database and go on with a copy of it."""
    parent.close()
    return _copy(parent.path, target)


def _copy(parent: Path, target: Path) -> BranchStore:
    """A copy of a database, open; leaves nothing behind where that fails."""
    database.remove(target)
    try:
        store = BranchStore.open(parent)
        try:
            store.copy_to(target)
        finally:
            store.close()
        return BranchStore.scratch(target, keep=True)
    except BaseException:
        database.remove(target)
        raise


def _name(meta: dict[str, Any]) -> str:
    """What a view is called by those that descend from it."""
    return str(meta.get("branch") or str(meta.get("commit", ""))[:10])
