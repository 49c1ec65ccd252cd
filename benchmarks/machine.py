"""What a machine costs by itself at this minute: figures of waiting are read beside it."""

from __future__ import annotations

import mmap
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

_TIMES = 9
_REST = 0.2
_MEGABYTES = 16
_PAGE = 4096


def floor() -> str:
    """One line: an interpreter that does nothing, and memory that lay idle for a moment.

    A virtual machine may drop the tables of what is not in use, and then each page of 4 KB is waited for anew: of whatever
    was idle, be it a model, an index or this memory.
    """
    process = _median_ms(lambda: subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True))
    with mmap.mmap(-1, _MEGABYTES << 20) as memory:
        memory[::_PAGE] = b"1" * len(memory[::_PAGE])
        idle = _median_ms(lambda: memory[::_PAGE], rest=_REST)
    return (
        f"this machine, now: an interpreter that does nothing {process:.0f} ms, "
        f"{_MEGABYTES} MB read again after {_REST} s {idle:.1f} ms"
    )


def _median_ms(action: Callable[[], object], rest: float = 0.0) -> float:
    taken = []
    for _ in range(_TIMES):
        time.sleep(rest)
        begun = time.perf_counter()
        action()
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)
