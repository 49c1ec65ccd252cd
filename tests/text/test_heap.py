"""Settings of the heap: they are for systems that have large pages, and never overrule a user's."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nav_ls.text import heap

LARGE = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", "MALLOC_ARENA_MAX": "1"}
VIRTUAL = "processor\t: 0\nflags\t\t: fpu vme hypervisor lahf_lm\n"
ASKED, NEW = "always [madvise] never\n", "glibc 2.36"
BARE = "processor\t: 0\nflags\t\t: fpu vme lahf_lm\n"
Machine = Callable[[str | None, str | None, str | None], None]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Sets what the system says of its pages, its processor and its C library; None: it says nothing."""

    def be(pages: str | None, cpu: str | None, library: str | None) -> None:
        monkeypatch.setattr(os, "confstr", lambda _: library, raising=False)
        for name, text in (("_LARGE_PAGES", pages), ("_CPU", cpu)):
            path = tmp_path / name
            if text is not None:
                path.write_text(text)
            monkeypatch.setattr(heap, name, path)

    _forget()
    yield be
    _forget()


def _forget() -> None:
    heap._has_large_pages.cache_clear()
    heap._is_virtual.cache_clear()


@pytest.mark.parametrize(
    ("pages", "cpu", "library", "added"),
    [
        (ASKED, VIRTUAL, NEW, LARGE | {"PYTHONMALLOC": "malloc"}),
        ("[always] madvise never\n", VIRTUAL, NEW, LARGE | {"PYTHONMALLOC": "malloc"}),
        (ASKED, BARE, NEW, LARGE),
        (ASKED, None, NEW, LARGE),
        ("always madvise [never]\n", VIRTUAL, NEW, {}),
        (None, VIRTUAL, NEW, {}),
        (ASKED, VIRTUAL, "glibc 2.31", {}),
        (ASKED, VIRTUAL, "glibc", {}),
        (ASKED, VIRTUAL, None, {}),
    ],
)
def test_what_the_machine_has_decides(
    machine: Machine, pages: str | None, cpu: str | None, library: str | None, added: dict[str, str]
) -> None:
    machine(pages, cpu, library)
    assert heap.environment({"HOME": "/h"}) == {"HOME": "/h"} | added


@pytest.mark.parametrize(
    "own", [{"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}, {"MALLOC_ARENA_MAX": "8"}, {"PYTHONMALLOC": "debug"}]
)
def test_a_users_own_settings_stay_alone(machine: Machine, own: dict[str, str]) -> None:
    machine(ASKED, VIRTUAL, NEW)
    assert heap.environment(own) == own


def test_children_of_children_have_them_too(machine: Machine) -> None:
    machine(ASKED, VIRTUAL, NEW)
    show = "import os; print(os.environ['GLIBC_TUNABLES'], os.environ['MALLOC_ARENA_MAX'])"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {show!r}], check=True)"
    done = subprocess.run(
        [sys.executable, "-c", nested], env=heap.environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "glibc.malloc.hugetlb=1 1\n"
