"""Find the server, or start it: at most one wins, however many clients come at once."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import nav_ls
from nav_ls.client.connection import Connection, ServerUnavailable, dial, listening_pid
from nav_ls.client.runtime import Runtime, RuntimeFolderError, find_runtime, obstacle, open_runtime, supported, try_lock
from nav_ls.text import heap

if TYPE_CHECKING:
    import subprocess

START_PATIENCE = 20.0
"""Seconds that a server may take to start: a cold disk, a busy machine."""

_LARGEST_LOG = 4 * 1024 * 1024
_POLL = 0.01

# Children that outlive us: kept so that Python does not complain about a process nobody waited for.
_started: list[subprocess.Popen[bytes]] = []


def find(deadline: float) -> Connection | None:
    """A connection to the running server; None if none runs.  Never starts one."""
    runtime = find_runtime() if supported() else None
    return dial(runtime.socket, deadline) if runtime else None


def connect(deadline: float) -> Connection:
    """A connection to the server, which is started if needed.

    Raises ServerUnavailable when it can't be, DeadlineExceeded when it takes too long.
    """
    runtime = _runtime()
    while True:
        if connection := dial(runtime.socket, deadline):
            return connection
        with try_lock(runtime.start_lock) as mine:
            if mine:
                return _start(runtime, deadline)
        _require_time(deadline, "another client is still starting the nav server")
        time.sleep(_POLL)


def started() -> list[subprocess.Popen[bytes]]:
    """The servers that this process has started."""
    return _started


def start_in_background() -> None:
    """Start the server for next time, without waiting for it.  Never raises for want of a server."""
    if not supported():
        return
    try:
        runtime = open_runtime()
        with try_lock(runtime.start_lock) as mine:
            if mine and listening_pid(runtime.socket) is None:
                _spawn(runtime)
    except (OSError, RuntimeFolderError, ServerUnavailable):
        return


def _runtime() -> Runtime:
    if why := obstacle():
        raise ServerUnavailable(why)
    try:
        return open_runtime()
    except RuntimeFolderError as error:
        raise ServerUnavailable(str(error)) from error


def _start(runtime: Runtime, deadline: float) -> Connection:
    # Somebody may have started it between our call and our lock.
    if connection := dial(runtime.socket, deadline):
        return connection
    before = _size(runtime.log)
    child = _spawn(runtime)
    while True:
        # Asked before dialling: a server that found another one on the socket ends, and that one answers.
        ended = child.poll() is not None
        if connection := dial(runtime.socket, deadline):
            return connection
        if ended:
            raise ServerUnavailable(_why_it_ended(child.returncode, runtime.log, before))
        _require_time(deadline, f"the nav server is slow to start; its log: {runtime.log}")
        time.sleep(_POLL)


def _require_time(deadline: float, why: str) -> None:
    if time.monotonic() >= deadline:
        raise ServerUnavailable(why)


def _spawn(runtime: Runtime) -> subprocess.Popen[bytes]:
    """Start a server that outlives this process, its terminal and its working folder."""
    import subprocess

    _limit(runtime.log)
    log = os.open(runtime.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        child = subprocess.Popen(
            [os.path.abspath(sys.executable), "-P", "-m", "nav_ls.server", str(runtime.folder)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=runtime.folder,
            env=_environment(),
            start_new_session=True,
        )
    except OSError as error:
        raise ServerUnavailable(f"can't run {sys.executable}: {error.strerror or error}") from error
    finally:
        os.close(log)
    _started.append(child)
    return child


def _environment() -> dict[str, str]:
    """Ours, with import paths that hold from any folder, and the package where this one was found."""
    environment = heap.environment()
    paths = [os.path.abspath(path) for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    home = str(Path(nav_ls.__file__).resolve().parent.parent)
    if not home.endswith(("site-packages", "dist-packages")) and home not in paths:
        paths.insert(0, home)
    if paths:
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    return environment


def _limit(log: Path) -> None:
    try:
        if log.stat().st_size > _LARGEST_LOG:
            log.replace(log.with_suffix(".old.log"))
    except OSError:
        return


def _size(log: Path) -> int:
    try:
        return log.stat().st_size
    except OSError:
        return 0


def _why_it_ended(code: int, log: Path, before: int) -> str:
    """Why a server of ours has ended before it served us; its words come after the first `before` bytes of the log."""
    if code == 0:
        return (
            "the nav server ended at once: nav's code has changed since this program began (start it anew), "
            "or somebody stopped the server"
        )
    return f"the nav server did not start: {_last_words(log, before)}"


def _last_words(log: Path, before: int) -> str:
    try:
        with log.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            # A log that is shorter than before was begun anew.
            file.seek(max(before if before <= size else 0, size - 4096))
            lines = file.read().decode("utf-8", "replace").strip().splitlines()
    except OSError:
        lines = []
    return lines[-1] if lines else f"no word in {log}"
