"""The embedding worker: a process of its own that makes units and vectors behind everything else.

    python -m nav_ls.workspace.embedding ROOT

It works while its standard input is open: a line there means that the index has changed, its end that the
worker is no longer wanted.  It ends by itself when there has been nothing to do for a while, so that the model
doesn't stay in memory.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from nav_ls.ports import PortError
from nav_ls.text import heap
from nav_ls.text.errors import NavError

if TYPE_CHECKING:
    from nav_ls.workspace.workspace import Workspace

log = logging.getLogger(__name__)

SLICE = 5.0
"""Seconds of embedding after which changes of the index are looked at again."""
SETTLE = 1.0
"""Seconds to wait after a change: more may follow."""
IDLE = 120.0
NICENESS = 10


class Background:
    """Starts the worker of one root when it is needed, and tells it of changes.  Safe for several threads."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._guard = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None

    def nudge(self) -> None:
        """The index has changed."""
        with self._guard:
            if self._child is None or self._child.poll() is not None or not self._told():
                self._child = self._started()

    def close(self) -> None:
        """End the worker; what it has committed is kept."""
        with self._guard:
            child, self._child = self._child, None
        if child is None:
            return
        with contextlib.suppress(OSError):
            if child.stdin is not None:
                child.stdin.close()
        try:
            child.wait(timeout=2 * SLICE)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def _told(self) -> bool:
        stdin = self._child.stdin if self._child is not None else None
        if stdin is None:
            return False
        try:
            stdin.write(b"\n")
            stdin.flush()
        except OSError:
            return False
        return True

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is not None:
            if self._child.stdin is not None:
                with contextlib.suppress(OSError):
                    self._child.stdin.close()
            self._child.wait()
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "nav_ls.workspace.embedding", os.fspath(self._root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=heap.environment(),
        )
        # It ends when it is idle: somebody has to wait for it, or the system keeps it as a zombie.
        threading.Thread(target=child.wait, name="embedding", daemon=True).start()
        return child


def main(root: Path) -> None:
    """Work until nobody wants it any more."""
    from nav_ls.workspace.workspace import Workspace

    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    told: queue.SimpleQueue[bool] = queue.SimpleQueue()
    ended = threading.Event()
    threading.Thread(target=_listen, args=(told, ended), daemon=True).start()
    workspace = Workspace.open(root)
    try:
        while not ended.is_set():
            _work(workspace, told, ended)
            try:
                if not told.get(timeout=IDLE):
                    return
            except queue.Empty:
                return
            time.sleep(SETTLE)
    finally:
        workspace.close()


def _work(workspace: Workspace, told: queue.SimpleQueue[bool], ended: threading.Event) -> None:
    """Make units and vectors until there is nothing left to do."""
    searching = workspace.searching
    while not ended.is_set():
        while not told.empty():
            told.get()
        try:
            searching.refresh()
            done = searching.embed(SLICE, stop=ended.is_set)
        except (NavError, PortError):
            return  # busy, away or damaged: whoever changes the index next will tell us
        if done.repaired:
            log.warning("%s: %s (%d vectors)", workspace.root, done.repaired, done.lost)
        if not done.waiting:
            return


def _listen(told: queue.SimpleQueue[bool], ended: threading.Event) -> None:
    for _ in sys.stdin.buffer:
        told.put(True)
    ended.set()
    told.put(False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
