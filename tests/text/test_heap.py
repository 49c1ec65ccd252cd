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
ALL = LARGE | {"PYTHONMALLOC": "malloc"}
ASKED, NEW = "always [madvise] never\n", "glibc 2.36"
Machine = Callable[[str | None, str | None, float], None]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Sets what the system says of its large pages and its C library (None: nothing), and what a small page costs."""

    def be(pages: str | None, library: str | None, microseconds: float) -> None:
        path = tmp_path / "enabled"
        if pages is not None:
            path.write_text(pages)
        monkeypatch.setattr(heap, "_LARGE_PAGES", path)
        monkeypatch.setattr(os, "confstr", lambda _: library, raising=False)
        monkeypatch.setattr(heap, "_page_microseconds", lambda: microseconds)

    heap._settings.cache_clear()
    yield be
    heap._settings.cache_clear()


@pytest.mark.parametrize(
    ("pages", "library", "microseconds", "added"),
    [
        (ASKED, NEW, 0.2, LARGE),
        (ASKED, NEW, 25.0, ALL),
        ("[always] madvise never\n", NEW, 0.2, LARGE),
        ("always madvise [never]\n", NEW, 25.0, {}),
        (None, NEW, 25.0, {}),
        (ASKED, "glibc 2.31", 25.0, {}),
        (ASKED, "glibc", 25.0, {}),
        (ASKED, None, 25.0, {}),
    ],
)
def test_what_the_machine_has_decides(
    machine: Machine, pages: str | None, library: str | None, microseconds: float, added: dict[str, str]
) -> None:
    machine(pages, library, microseconds)
    assert heap.environment({"HOME": "/h"}) == {"HOME": "/h"} | added


def test_a_page_costs_something() -> None:
    assert 0 < heap._page_microseconds() < 10_000


@pytest.mark.parametrize("own", [{"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}, {"MALLOC_ARENA_MAX": "8"}])
def test_a_users_own_settings_stay_alone(machine: Machine, own: dict[str, str]) -> None:
    machine(ASKED, NEW, 25.0)
    assert heap.environment(own) == own


def test_children_of_children_have_them_too(machine: Machine) -> None:
    machine(ASKED, NEW, 0.2)
    show = "import os; print(os.environ['GLIBC_TUNABLES'], os.environ['MALLOC_ARENA_MAX'])"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {show!r}], check=True)"
    done = subprocess.run(
        [sys.executable, "-c", nested], env=heap.environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "glibc.malloc.hugetlb=1 1\n"
