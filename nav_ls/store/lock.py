"""One writer at a time: a lock that the operating system takes back when its holder dies."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nav_ls.text.errors import BusyError, StorageError

WAIT_SECONDS = 4.0
WRITING = "writing"
_FILES = {WRITING: "lock"}
_POLL_SECONDS = 0.02
_threads: dict[str, threading.Lock] = {}
"""The operating system's lock is per process: these keep the threads of one process apart."""

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        # Not flock: children inherit such locks, and a worker that outlives its parent would keep it.
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0)


@contextmanager
def writer(folder: Path, wait: float = WAIT_SECONDS, name: str = WRITING) -> Iterator[None]:
    """Hold the writer's lock of an index folder, or another one (named after what its holder is doing).

    Raises BusyError when another process keeps it for longer than `wait` seconds, StorageError on file systems
    where locks do not work.
    """
    path = folder / _FILES.get(name, name)
    deadline = time.monotonic() + wait
    inner = _threads.setdefault(os.fspath(path), threading.Lock())
    if not inner.acquire(timeout=wait):
        # Not `_signed`: closing a descriptor of the lock's file would release the lock that this process has.
        raise _busy(path, name, os.getpid())
    try:
        descriptor = _acquire(path, deadline, name)
        try:
            _sign(descriptor)
            yield
        finally:
            os.close(descriptor)
    finally:
        inner.release()


def holder(folder: Path) -> int | None:
    """The process that signed the lock last (it may be gone), None if none did."""
    return _signed(folder / _FILES[WRITING])


def _signed(path: Path) -> int | None:
    try:
        with path.open("rb") as file:
            file.seek(1)
            text = file.read(24).strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


def _acquire(path: Path, deadline: float, name: str) -> int:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise StorageError(f"cannot open {path} for writing: {error.strerror}") from error
    while True:
        try:
            _lock(descriptor)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                os.close(descriptor)
                raise StorageError(
                    f"{path}: this file system does not support locks ({error.strerror}); the index is read-only"
                ) from error
            if time.monotonic() >= deadline:
                os.close(descriptor)
                raise _busy(path, name, _signed(path)) from error
            time.sleep(_POLL_SECONDS)
        else:
            return descriptor


def _busy(path: Path, name: str, pid: int | None) -> BusyError:
    by = f" (process {pid})" if pid else ""
    return BusyError(f"another nav{by} is {name} {path.parent}; try again when it has finished")


def _sign(descriptor: int) -> None:
    with contextlib.suppress(OSError):  # the signature is a courtesy: a full disk must not keep the lock away
        os.lseek(descriptor, 1, os.SEEK_SET)  # the first byte is the locked one, which Windows lets nobody read
        os.write(descriptor, f"{os.getpid()}\n".encode().ljust(24))
