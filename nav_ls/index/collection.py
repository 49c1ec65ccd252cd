"""Keeps a vector store equal to what the database says has a vector.  The store is derived: it can be lost.

A point is a text: its id is the text's hash, so branches and work trees share points.  What of them a branch
really has, and where, is read from its database when hits come back.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Mapping

import msgspec

from nav_ls.index.search_index import unpacked
from nav_ls.ports import Point, VectorStore
from nav_ls.store.vectors import VectorCache

KEYS = ("kind", "layer", "framework", "language")
"""Payload that the store can filter by.  Empty values are left out."""
BATCH = 2048

Wanted = Mapping[bytes, Mapping[str, str]]
"""Text hash → payload."""


class Caught(msgspec.Struct, frozen=True):
    """What catching up did."""

    added: int = 0
    removed: int = 0


def wanted(rows: Iterable[tuple[bytes, str, str, str, str]]) -> dict[bytes, dict[str, str]]:
    """Points from (content hash, kind, layer, framework, language)."""
    return {key: {name: value for name, value in zip(KEYS, values, strict=True) if value} for key, *values in rows}


def point_id(text_hash: bytes) -> str:
    """The id of a text's point."""
    return str(uuid.UUID(bytes=text_hash))


def text_hash(point: str) -> bytes:
    """The inverse of `point_id`."""
    return uuid.UUID(point).bytes


def catch_up(
    store: VectorStore,
    target: Wanted,
    cache: VectorCache,
    model: str,
    wanted_elsewhere: Callable[[set[bytes]], set[bytes]] = set,
) -> Caught:
    """Add the points that are missing, from the stored vectors, and drop those that nobody wants.

    `wanted_elsewhere` says which of some texts other branches want: their points stay.
    """
    present = {text_hash(point) for point in store.ids()}
    missing = [key for key in target if key not in present]
    added = 0
    for start in range(0, len(missing), BATCH):
        added += _add(store, missing[start : start + BATCH], target, cache, model)
    dropped = present - target.keys()
    if dropped:
        dropped -= wanted_elsewhere(dropped)
    store.delete([point_id(key) for key in dropped])
    return Caught(added, len(dropped))


def _add(store: VectorStore, keys: list[bytes], target: Wanted, cache: VectorCache, model: str) -> int:
    found = cache.get(keys, model)
    if not found:
        return 0
    matrix = unpacked(list(found.values()))
    store.upsert([Point(point_id(key), vector, dict(target[key])) for key, vector in zip(found, matrix, strict=True)])
    return len(found)


def collection_name(project: str, model: str) -> str:
    """The name of a project's collection: checkouts of one project share it, two models never do.

    `project` says which project it is: its remote's address or its first commit, else its path.
    """
    digest = hashlib.blake2b(project.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    return f"nav-{digest}-{hashlib.blake2b(model.encode(), digest_size=4).hexdigest()}"
