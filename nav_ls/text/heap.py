"""How the processes that nav starts get their memory: in pages of 2 MB, where Linux has them to give.

An index is a large heap of small things.  In pages of 4 KB it costs an entry of the address tables for each of them,
and a hypervisor keeps tables of its own, which it drops for what is not in use: a server that nobody asked for a
while then waits for each page anew (measured in one virtual machine, idle for 0.2 s: 12 µs a page of 4 KB, .06 µs
per 4 KB in large pages).  glibc asks the kernel for large pages if it is told to before the process starts, and only
in its main arena: so it gets no other.

Python's own allocator takes its arenas past glibc.  Inside of a virtual machine it is left out: there the large
pages bring more than the slower allocator costs (10–35 % more instructions).  On bare hardware it stays.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_GLIBC = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", "MALLOC_ARENA_MAX": "1"}
"""Two variables: of several tunables in one, a process hands on only the first (glibc 2.36)."""
_WITHOUT_ARENAS = {"PYTHONMALLOC": "malloc"}
_CPU, _LARGE_PAGES = Path("/proc/cpuinfo"), Path("/sys/kernel/mm/transparent_hugepage/enabled")
_GLIBC_WITH_LARGE_PAGES = (2, 35)
_ONE_CPU = 8192
"""Bytes of `/proc/cpuinfo` that hold the first processor's flags."""


def environment(of: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a process that nav starts: `of` (default: our own), with the settings of its heap.

    Whoever has set one of these variables knows better: then all stay as they are.
    """
    found = dict(os.environ if of is None else of)
    settings = _settings()
    return found if found.keys() & settings.keys() else found | settings


def _settings() -> dict[str, str]:
    if not _has_large_pages():
        return {}
    return _GLIBC | _WITHOUT_ARENAS if _is_virtual() else _GLIBC


@cache
def _has_large_pages() -> bool:
    """Whether the kernel gives large pages to those who ask, and the C library is one that asks."""
    return "[never]" not in _start_of(_LARGE_PAGES, "[never]") and _glibc() >= _GLIBC_WITH_LARGE_PAGES


@cache
def _is_virtual() -> bool:
    """Whether a hypervisor says so; on processors other than x86 nobody says."""
    return "hypervisor" in _start_of(_CPU, "").split()


def _glibc() -> tuple[int, ...]:
    """Its version; (0,) for any other C library."""
    try:
        name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
    except (AttributeError, ValueError, OSError):  # no such question on Windows, on macOS, with musl
        return (0,)
    return tuple(int(part) for part in version.split(".") if part.isdigit()) if name == "glibc" else (0,)


def _start_of(path: Path, otherwise: str) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_ONE_CPU).decode("ascii", "replace")
    except OSError:
        return otherwise
