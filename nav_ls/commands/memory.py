"""What agents were told already, by session: nothing is said twice until the session forgets it.

A small file per session under `.nav/sessions`, so that it outlives the server and two hosts do not mix.
"""

from __future__ import annotations

import contextlib
import os
import time
from hashlib import blake2b
from pathlib import Path

_FOLDER = "sessions"
_LONGEST = 256 * 1024
_DAYS = 7


class Memory:
    """The blocks that one session of one host has seen.  A folder that cannot be written remembers nothing."""

    def __init__(self, nav_folder: Path, host: str, session: str) -> None:
        name = blake2b(f"{host}\0{session}".encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        self._file = nav_folder / _FOLDER / name if session else None

    def seen(self) -> frozenset[str]:
        """Ids of the blocks."""
        if self._file is None:
            return frozenset()
        try:
            with self._file.open("rb") as file:
                return frozenset(file.read(_LONGEST).decode("utf-8", "replace").split("\n"))
        except OSError:
            return frozenset()

    def add(self, ids: list[str]) -> None:
        """Remember blocks."""
        if self._file is None or not ids:
            return
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(mode=0o700, exist_ok=True)
            with self._file.open("ab") as file:
                if file.tell() < _LONGEST:
                    file.write("".join(f"{id}\n" for id in ids).encode("utf-8", "replace"))

    def forget(self) -> None:
        """A session begins, or has lost what it was told; sessions of last week go as well."""
        if self._file is None:
            return
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
            oldest = time.time() - _DAYS * 86400
            for entry in os.scandir(self._file.parent):
                if entry.stat().st_mtime < oldest:
                    os.unlink(entry.path)
