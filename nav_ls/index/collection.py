"""Keeps a vector store equal to what the database says has a vector.  The store is derived: it can be lost.

A point is a text: its id is the text's hash, so branches and work trees share points.  What of them a branch
really has, and where, is read from its database when hits come back.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from nav_ls.index.search_index import unpacked
from nav_ls.ports import Point, VectorStore
from nav_ls.store.units import FILTERS, UnitReader
from nav_ls.store.vectors import VectorCache

KEYS = FILTERS
"""Payload that the store can filter by.  Empty values are left out."""
HASH_BYTES = 16
BATCH = 256
"""Points that are added at a time: the engine lets nobody else do anything meanwhile, for some milliseconds."""


class Caught(msgspec.Struct, frozen=True):
    """What catching up did."""

    added: int = 0
    removed: int = 0


class _File(msgspec.Struct, frozen=True, gc=False):
    """The hashes of a file's texts that have a vector, put together, and the state (see `UnitReader.states`) of it.

    As one string of bytes, because the garbage collector would look at a hundred thousand of them in the midst of an
    answer.
    """

    state: int
    joined: bytes = b""

    @property
    def contents(self) -> list[bytes]:
        """The hashes."""
        return [self.joined[start : start + HASH_BYTES] for start in range(0, len(self.joined), HASH_BYTES)]


class Collection:
    """A vector store that follows the database of a branch.  Not for several threads at once.

    `wanted_elsewhere` says which of some texts other branches than that of a database want: their points stay.
    """

    def __init__(
        self,
        store: VectorStore,
        cache: VectorCache,
        model: str,
        wanted_elsewhere: Callable[[Path, set[bytes]], set[bytes]] = lambda path, contents: set(),
    ) -> None:
        self._store, self._cache, self._model = store, cache, model
        self._wanted_elsewhere = wanted_elsewhere
        self._path: Path | None = None
        self._files: dict[int, _File] = {}

    def follow(self, reader: UnitReader, pause: Callable[[], None] = lambda: None) -> Caught:
        """Add the points that are missing, from the stored vectors, and drop those that nobody wants.

        All of them are compared the first time, then those of the files that have changed.  `pause` is called between
        two steps; what it raises ends the work, which then begins anew.
        """
        first = reader.path != self._path
        known = {} if first else self._files
        self._path = None
        states = reader.states()
        changed = [file for file, state in states.items() if file not in known or known[file].state != state]
        pause()
        contents = _by_file(reader.embedded(None if first else changed))
        present = self._present() if first else set[bytes]()
        for file in (*changed, *(known.keys() - states.keys())):
            present.update(known[file].contents if file in known else ())
        target = set[bytes]().union(*contents.values())
        added = self._add(reader, sorted(target - present), pause)
        removed = self._drop(reader, present - target)
        kept = {file: known[file] for file in known.keys() & states.keys()}
        fresh = {file: _File(states[file], b"".join(contents.get(file, ()))) for file in changed}
        self._files, self._path = kept | fresh, reader.path
        return Caught(added, removed)

    def _present(self) -> set[bytes]:
        return {text_hash(point) for point in self._store.ids()}

    def _add(self, reader: UnitReader, missing: list[bytes], pause: Callable[[], None]) -> int:
        added = 0
        for start in range(0, len(missing), BATCH):
            pause()
            part = missing[start : start + BATCH]
            found = self._cache.get(part, self._model)
            if found:
                payloads = reader.payloads(found)
                vectors = zip(found, unpacked(list(found.values())), strict=True)
                self._store.upsert([Point(point_id(key), vector, dict(payloads[key])) for key, vector in vectors])
            added += len(found)
        return added

    def _drop(self, reader: UnitReader, unwanted: set[bytes]) -> int:
        dropped = unwanted - {content for content, _ in reader.of_contents(unwanted)}
        if dropped:
            dropped -= self._wanted_elsewhere(reader.path, dropped)
        self._store.delete([point_id(key) for key in dropped])
        return len(dropped)


def _by_file(rows: Iterable[tuple[int, bytes]]) -> dict[int, list[bytes]]:
    found: dict[int, list[bytes]] = {}
    for file, content in rows:
        found.setdefault(file, []).append(content)
    return found


def point_id(text_hash: bytes) -> str:
    """The id of a text's point."""
    return str(uuid.UUID(bytes=text_hash))


def text_hash(point: str) -> bytes:
    """The inverse of `point_id`."""
    return uuid.UUID(point).bytes


def collection_name(project: str, model: str) -> str:
    """The name of a project's collection: checkouts of one project share it, two models never do.

    `project` says which project it is: its remote's address or its first commit, else its path.
    """
    digest = hashlib.blake2b(project.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    return f"nav-{digest}-{hashlib.blake2b(model.encode(), digest_size=4).hexdigest()}"
