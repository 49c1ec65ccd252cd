"""Where the server of this user lives: a private folder, and the files in it.

The folder is `$XDG_RUNTIME_DIR/nav` where that variable is set, else `<temporary folder>/nav-<uid>`.  It belongs to
the user and nobody else may look into it; a folder that somebody else made is refused, because whoever owns the
socket sees unsaved source code.

Windows has no unix sockets in Python: `supported()` is false there, and `nav-ls` serves stdio by itself, in one
process, as with `--standalone`.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

if sys.platform != "win32":
    import fcntl

# The shortest limit among the systems we run on (macOS: 104 bytes with the closing NUL).
_LONGEST_SOCKET_PATH = 100
_SOCKET_NAME = "server.sock"


class RuntimeFolderError(Exception):
    """The private folder can't be had; the message says which folder and why."""


class Runtime(NamedTuple):
    """The server's folder and the files in it."""

    folder: Path

    @property
    def socket(self) -> Path:
        """The socket that the server listens on."""
        return self.folder / _SOCKET_NAME

    @property
    def start_lock(self) -> Path:
        """Held by the client that is starting a server."""
        return self.folder / "start.lock"

    @property
    def owner_lock(self) -> Path:
        """Held by the server that listens."""
        return self.folder / "owner.lock"

    @property
    def log(self) -> Path:
        """What the server writes to its stderr."""
        return self.folder / "server.log"


def supported() -> bool:
    """Whether a shared server is possible on this system."""
    return sys.platform != "win32" and hasattr(socket, "AF_UNIX")


def open_runtime() -> Runtime:
    """The user's runtime folder, made if needed.  Raises RuntimeFolderError if it isn't private."""
    folder = _folder()
    try:
        folder.mkdir(mode=0o700, parents=False, exist_ok=True)
        _require_private(folder)
    except OSError as error:
        raise RuntimeFolderError(f"{folder}: {error.strerror or error}") from error
    return Runtime(folder)


def find_runtime() -> Runtime | None:
    """The user's runtime folder if it exists and is private; never makes one."""
    folder = _folder()
    try:
        _require_private(folder)
    except (OSError, RuntimeFolderError):
        return None
    return Runtime(folder)


def obstacle() -> str:
    """Why no server can be had here; "" where nothing stands against it."""
    if not supported():
        return "this system has no unix sockets; use nav-ls --standalone and nav --no-server"
    try:
        _require_private(_folder())
    except FileNotFoundError:
        return ""
    except (OSError, RuntimeFolderError) as error:
        return str(error)
    return ""


def _folder() -> Path:
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if not os.path.isabs(base) or not os.path.isdir(base):
        return _temporary("")
    wanted = Path(base) / "nav"
    if len(os.fsencode(wanted / _SOCKET_NAME)) <= _LONGEST_SOCKET_PATH:
        return wanted
    # Too long for a socket's address: a folder of its own per runtime folder, so that two of them stay apart.
    return _temporary(f"-{zlib.crc32(os.fsencode(wanted)):08x}")


def _temporary(suffix: str) -> Path:
    import tempfile  # slow to import, and a start with XDG_RUNTIME_DIR doesn't need it

    return Path(tempfile.gettempdir()) / f"nav-{os.getuid()}{suffix}"


def _require_private(folder: Path) -> None:
    info = os.lstat(folder)
    if not stat.S_ISDIR(info.st_mode):
        raise RuntimeFolderError(f"{folder} is not a folder")
    if info.st_uid != os.getuid():
        raise RuntimeFolderError(f"{folder} belongs to another user (uid {info.st_uid})")
    if info.st_mode & 0o077:
        raise RuntimeFolderError(f"{folder} can be opened by other users (mode {stat.S_IMODE(info.st_mode):o})")


@contextlib.contextmanager
def try_lock(path: Path, patience: float = 0.0) -> Iterator[bool]:
    """Take the lock file for the length of a `with` block; yields whether it could be had within `patience` seconds.

    The system drops the lock when the process ends, however it ends.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _flock(descriptor, patience)
    finally:
        os.close(descriptor)


def _flock(descriptor: int, patience: float) -> bool:
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(0.01)
