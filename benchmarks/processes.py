"""What processes use: theirs and that of all below them (Linux; elsewhere there is nothing to see)."""

from __future__ import annotations

import os
import resource
import subprocess
import threading
import time
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")


def descendants(root: int) -> list[int]:
    """A process and all below it."""
    found = [root]
    for pid in found:
        try:
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
        except (OSError, ValueError):
            continue
    return found


class Resident(NamedTuple):
    """Bytes of a process that are in memory, and those of them that are its own: no part of a file."""

    all: int
    own: int


def memory(pid: int) -> tuple[int, int]:
    """Peak and present resident set of one process, in bytes; 0 where it is gone."""
    values = _status(pid)
    return values.get("VmHWM", 0), values.get("VmRSS", 0)


def resident(pid: int) -> Resident:
    """What one process has in memory; nothing where it is gone."""
    values = _status(pid)
    return Resident(values.get("VmRSS", 0), values.get("RssAnon", 0))


def _status(pid: int) -> dict[str, int]:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return {}
    fields = (line.split(":") for line in lines if line.startswith(("VmHWM", "VmRSS", "RssAnon")))
    return {key: 1024 * int(value.split()[0]) for key, value in fields}


def cpu(root: int) -> float:
    """CPU seconds of a process and of all below it, those that have ended included."""
    total = 0
    for pid in descendants(root):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / _TICKS


def name(pid: int) -> str:
    """What a process is, in a word or two."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return "?"
    text = " ".join(words)
    for part, said in _KINDS.items():
        if part in text:
            return said
    return words[0].rpartition("/")[2]


_KINDS = {
    "nav_ls.server": "server",
    "nav_ls.index.process": "indexer",
    "nav_ls.index.worker": "worker",
    "nav_ls.workspace.embedding": "embedding",
}


def timed(command: list[str], peaks: Peaks | None = None) -> tuple[float, float]:
    """Wall and CPU seconds of a command with all of its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if peaks is not None:
        peaks.watch(child.pid)
    errors = child.communicate()[1]
    wall = time.perf_counter() - begun
    if peaks is not None:
        peaks.end()
    if child.returncode:
        raise RuntimeError(f"{' '.join(command[3:])}: {errors.decode('utf-8', 'replace')}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def edits(file: Path, command: list[str]) -> list[float]:
    """Wall seconds of a command after each of three edits of a file, which is then as it was."""
    before = file.read_bytes()
    seconds = []
    for number in range(3):
        file.write_bytes(before + b"\n" * (number + 1))
        seconds.append(timed(command)[0])
    file.write_bytes(before)
    return seconds


class Peaks:
    """Peak memory of a process and all below it, by looking often (Linux; elsewhere there is nothing to see)."""

    def __init__(self) -> None:
        self.peaks: dict[int, int] = {}
        self.parents: dict[int, int] = {}
        self.together = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._root = 0

    def watch(self, pid: int) -> None:
        """Look at a process until `end`."""
        self._root = pid
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop looking."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def named(self) -> dict[str, int]:
        """Bytes by role, the largest ones first."""
        others = sorted((peak for pid, peak in self.peaks.items() if pid != self._root), reverse=True)
        rows = {"main process": self.peaks.get(self._root, 0)} if self.peaks else {}
        return rows | {f"process {number}": peak for number, peak in enumerate(others, 1) if peak > 20e6}

    @classmethod
    def of_tree(cls, pid: int) -> dict[str, int]:
        """Peaks so far of a running process and those below it."""
        found = cls()
        found._root = pid
        found._once()
        return found.named()

    def _look(self) -> None:
        while not self._stop.wait(0.05):
            self._once()

    def _once(self) -> None:
        now = 0
        for pid in descendants(self._root):
            peak, resident = memory(pid)
            self.peaks[pid] = max(peak, self.peaks.get(pid, 0))
            now += resident
        self.together = max(self.together, now)
