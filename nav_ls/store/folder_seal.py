"""Seals of folders that another engine keeps its files in: a checksum over each of them while nobody changes it.

As `seal`, for a folder.  Whoever changes one breaks its seal before, and puts it on again when everything is written
down; a folder without one is being changed, or was left in the middle of that.  An engine may make empty files ahead
of its need, on threads that nobody can wait for: such a file may appear beside what was sealed.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from zlib import crc32

import msgspec

from nav_ls.store.seal import Seal, place
from nav_ls.text.errors import DamagedError

Seals = dict[str, Seal]
"""What each file of a folder is, by its path in there."""

_DECODER = msgspec.json.Decoder(Seals)


class Ahead(msgspec.Struct, frozen=True):
    """Patterns of the paths that an engine makes ahead of its need: while it makes them, and when they are ready."""

    unfinished: str
    ready: str


def put(folder: Path, known: Mapping[str, Seal], ahead: Ahead) -> Seals:
    """Seal a folder; returns what was sealed.

    Only those files are read of which it is not `known` what they hold.  Nobody may be writing it.
    """
    seals = _seals(folder, known, ahead)
    fresh = place(folder).with_suffix(".seal-new")
    fresh.write_bytes(msgspec.json.encode(seals))
    os.replace(fresh, place(folder))
    return seals


def verified(folder: Path, ahead: Ahead) -> Seals | None:
    """What was sealed, None where there is no seal.  Raises DamagedError where the folder is not what was sealed."""
    sealed = _read(folder)
    if sealed is None:
        return None
    with contextlib.suppress(OSError):
        found = _seals(folder, sealed, ahead)
        expected = {path: seal.checksum for path, seal in sealed.items()}
        if expected == {
            path: seal.checksum for path, seal in found.items() if path in sealed or not fnmatchcase(path, ahead.ready)
        }:
            return found
    if _read(folder) != sealed:
        return None  # broken while we looked: somebody has opened it
    raise DamagedError(f"{folder} was changed by something else than nav", folder)


def _seals(folder: Path, known: Mapping[str, Seal], ahead: Ahead) -> Seals:
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not fnmatchcase(name, ahead.unfinished):
            found[name] = _sealed(path, known.get(name))
    return found


def _sealed(path: Path, known: Seal | None) -> Seal:
    stat = path.stat()
    if known is not None and (known.size, known.mtime_ns) == (stat.st_size, stat.st_mtime_ns):
        return known
    return Seal(stat.st_size, stat.st_mtime_ns, crc32(path.read_bytes()))


def _read(folder: Path) -> Seals | None:
    try:
        return _DECODER.decode(place(folder).read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None
