"""Hashes.  All are BLAKE2b: fast on 64-bit machines, and in the standard library."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from hashlib import blake2b

DIGEST = 16
"""Bytes of a content hash: 128 bits, so that two different texts never share one by accident."""


def content_hash(data: bytes) -> bytes:
    """The hash of a text or blob."""
    return blake2b(data, digest_size=DIGEST).digest()


def combined_hash(*parts: bytes | str) -> bytes:
    """The hash of several parts; their borders count."""
    digest = blake2b(digest_size=DIGEST)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()


@lru_cache(maxsize=1 << 18)
def key_hash(key: str) -> int:
    """A link key as a signed 64-bit number.  A collision costs a needless relink, nothing else."""
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def pack_keys(keys: Iterable[str]) -> bytes:
    """The hashes of keys, sorted, eight bytes each."""
    return array("q", sorted(set(map(key_hash, keys)))).tobytes()


def touched(packed: Mapping[int, bytes], changed: Set[int]) -> set[int]:
    """Whose packed keys hold one of the changed hashes."""
    if len(changed) > _FEW:
        return {owner for owner, keys in packed.items() if not changed.isdisjoint(array("q", keys))}
    # An edit changes a key or two, and is asked about every file: searching the bytes makes no object of each key.
    sought = [array("q", (key,)).tobytes() for key in changed]
    return {owner for key in sought for owner, keys in packed.items() if key in keys and _holds(keys, key)}


def _holds(packed: bytes, key: bytes) -> bool:
    at = packed.find(key)
    while at % 8 and at >= 0:
        at = packed.find(key, at + 1)
    return at >= 0


_FEW = 16
