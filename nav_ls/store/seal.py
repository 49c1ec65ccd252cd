"""Seals: a checksum over a database at rest, because SQLite does not notice a byte that was changed inside of a row.

A seal is put on a database whose write-ahead log is empty, and broken by the first transaction after that.  While
it is there, the file must be what it was; only where its size or time differ is the checksum computed.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import msgspec

from nav_ls.text.errors import DamagedError

_CHUNK = 1 << 20
_MOST = 1 << 30
_guard = threading.RLock()
_files: dict[tuple[int, int], int] = {}


class Seal(msgspec.Struct, frozen=True):
    """What a sealed file is: its size and time of change prove it unread, its checksum proves it anyway."""

    size: int
    mtime_ns: int
    checksum: int


_DECODER = msgspec.json.Decoder(Seal)


def place(path: Path) -> Path:
    """Where the seal of a database lies."""
    return path.with_name(path.name + ".seal")


def put(path: Path) -> None:
    """Seal a database.  Nobody may be writing it."""
    found = path.stat()
    text = msgspec.json.encode(Seal(found.st_size, found.st_mtime_ns, _checksum(path)))
    fresh = place(path).with_suffix(".seal-new")
    fresh.write_bytes(text)
    os.replace(fresh, place(path))


def break_off(path: Path) -> None:
    """Take the seal away: the database is about to change."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(place(path))


def verify(path: Path) -> bool:
    """Whether there is a seal.  Raises DamagedError where the database is not what was sealed."""
    seal = _read(path)
    if seal is None:
        return False
    try:
        found = path.stat()
        same = (found.st_size, found.st_mtime_ns) == (seal.size, seal.mtime_ns)
        if same or (found.st_size == seal.size and _checksum(path) == seal.checksum):
            return True
    except OSError:
        return False
    if _read(path) != seal:
        return False  # broken while we looked: somebody is writing
    raise DamagedError(f"{path} was changed by something else than nav", path)


def copy(path: Path, target: Path) -> bool:
    """Copy a database as it was sealed; False where there is no seal, or it cannot be done.  Nobody may be writing it.

    Quicker than SQLite's own way, which goes page by page.
    """
    if not verify(path):
        return False
    try:
        with _guard, _reading(path) as file:
            if not _copied_by_system(file, target):
                file.seek(0)
                with target.open("wb") as out:
                    shutil.copyfileobj(file, out, _CHUNK)
    except OSError:
        return False
    return True


def _copied_by_system(file: io.FileIO, target: Path) -> bool:
    """Let the system copy: quicker, and some file systems only note that two files share their blocks."""
    if sys.platform != "linux":
        return False
    try:
        file.seek(0)
        with target.open("wb", buffering=0) as out:
            while os.copy_file_range(file.fileno(), out.fileno(), _MOST):
                pass
            return os.fstat(out.fileno()).st_size == os.fstat(file.fileno()).st_size
    except OSError:
        return False  # not between these file systems


def _read(path: Path) -> Seal | None:
    try:
        return _DECODER.decode(place(path).read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None


def _checksum(path: Path) -> int:
    value = 0
    with _guard, _reading(path) as file:
        file.seek(0)
        while part := file.read(_CHUNK):
            value = crc32(part, value)
    return value


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[io.FileIO]:
    if sys.platform == "win32":  # where an open file cannot be removed, and locks belong to descriptors
        with path.open("rb", buffering=0) as file:
            yield file
    else:
        yield _kept_open(path)


def _kept_open(path: Path) -> io.FileIO:
    """The file for reading, which stays open until it is removed.

    Whichever descriptor of a file a process closes, the system then releases all of the locks that the process has on
    that file, SQLite's too: others would take it for closed, and remove the write-ahead log under our connection.
    """
    for key in [key for key, kept in _files.items() if os.fstat(kept).st_nlink == 0]:
        os.close(_files.pop(key))
    found = path.stat()
    if (found.st_dev, found.st_ino) not in _files:
        _files[found.st_dev, found.st_ino] = os.open(path, os.O_RDONLY)
    return io.FileIO(_files[found.st_dev, found.st_ino], closefd=False)
