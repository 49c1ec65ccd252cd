"""What processes use: theirs and that of all below them (Linux; elsewhere there is nothing to see)."""

from __future__ import annotations

import os
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
