"""How the processes that nav starts get their memory: in pages of 2 MB, where Linux has them to give.

An index is a large heap of small things.  In pages of 4 KB it costs an entry of the address tables for each of them,
and a hypervisor may keep tables of its own and drop them for what is not in use: a server that nobody asked for a
while then waits for each page anew (measured in one virtual machine, idle for 0.2 s: 12 µs a page of 4 KB, .06 µs
per 4 KB in large pages).  glibc asks the kernel for large pages if it is told to before the process starts, and only
in its main arena: so it gets no other.

Python's own allocator takes its arenas past glibc.  It is the faster one, and stays, unless small pages are so dear
when nav starts that large ones bring more.  A cold index of 967 files in that virtual machine, without settings,
and with glibc's allocator for everything: 6.0 and 7.0 s where a new page cost 4 µs, 16 and 11 s where it cost 20.
"""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_GLIBC = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", "MALLOC_ARENA_MAX": "1"}
"""Two variables: of several tunables in one, a process hands on only the first (glibc 2.36)."""
_WITHOUT_ARENAS = {"PYTHONMALLOC": "malloc"}
_LARGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
_GLIBC_WITH_LARGE_PAGES = (2, 35)
_DEAR = 10.0
"""Microseconds for a new page of 4 KB: between the two at which it was measured."""
_TRIED_PAGES = 1024


def environment(of: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a process that nav starts: `of` (default: our own), with the settings of its heap.

    Whoever has set one of these variables knows better, be it a user or the process that started this one: then all
    stay as they are.
    """
    found = dict(os.environ if of is None else of)
    settings = _settings()
    return found if found.keys() & settings.keys() else found | settings


@cache
def _settings() -> dict[str, str]:
    if "[never]" in _read(_LARGE_PAGES, "[never]") or _glibc() < _GLIBC_WITH_LARGE_PAGES:
        return {}
    return _GLIBC | _WITHOUT_ARENAS if _page_microseconds() > _DEAR else _GLIBC


def _page_microseconds() -> float:
    """What a page costs at its first use, on average; takes 4 ms where that is 4 µs."""
    with mmap.mmap(-1, _TRIED_PAGES * mmap.PAGESIZE) as memory:
        begun = time.perf_counter()
        memory[:: mmap.PAGESIZE] = bytes(_TRIED_PAGES)
        return (time.perf_counter() - begun) * 1e6 / _TRIED_PAGES


def _glibc() -> tuple[int, ...]:
    """Its version; (0,) for any other C library."""
    try:
        name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
    except (AttributeError, ValueError, OSError):  # no such question on Windows, on macOS, with musl
        return (0,)
    return tuple(int(part) for part in version.split(".") if part.isdigit()) if name == "glibc" else (0,)


def _read(path: Path, otherwise: str) -> str:
    try:
        return path.read_text("ascii", "replace")
    except OSError:
        return otherwise
