"""The server itself: is it there, end it, start it anew."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Any

from nav_ls.client.call import call
from nav_ls.client.connection import ServerError, ServerUnavailable, listening_pid
from nav_ls.client.runtime import find_runtime, supported
from nav_ls.client.start import started

_POLL = 0.01


def status(seconds: float = 2.0) -> dict[str, Any] | None:
    """What the running server says about itself (version, pid, clients, repositories); None if none runs.

    Raises DeadlineExceeded when one runs but does not answer.
    """
    try:
        answer = call(None, "nav.server.status", {}, seconds, start=False)
    except ServerUnavailable:
        return None
    assert isinstance(answer, dict)
    return answer


def stop(seconds: float = 5.0) -> bool:
    """End the running server, by force if it does not answer; returns whether there was one."""
    runtime = find_runtime() if supported() else None
    pid = listening_pid(runtime.socket) if runtime else None
    if pid is None:
        return False
    with contextlib.suppress(ServerError):
        call(None, "nav.server.stop", {}, seconds / 2, start=False)
    if _is_gone(pid, time.monotonic() + seconds / 2):
        return True
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        if _is_gone(pid, time.monotonic() + 1.0):
            break
    return True


def _is_gone(pid: int, deadline: float) -> bool:
    while is_running(pid):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL)
    return True


def is_running(pid: int) -> bool:
    """Whether a process still runs.  One that has ended and only waits for its parent to take note does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return not any(child.pid == pid and child.poll() is not None for child in started())
    return state != b"Z"
