"""The worker processes of an indexer: how many there are, and when."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from benchmarks.processes import descendants
from nav_ls.text.admit import Limits
from tests.index.conftest import Make


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are counted by /proc")
def test_an_idle_indexer_keeps_one_worker(tmp_path: Path, make: Make) -> None:
    for number in range(60):
        (tmp_path / f"m{number}.py").write_text(f"def f{number}(): pass\n")
    before = len(descendants(os.getpid()))
    indexer = make(workers=2)
    indexer.sync()
    assert len(descendants(os.getpid())) == before + 2
    for _ in range(2):
        indexer.settle()
        assert len(descendants(os.getpid())) == before + 1, "the next change finds one ready"
    (tmp_path / "m0.py").write_text("def g(): pass\n")
    assert indexer.sync().changed == 1


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are found by /proc")
def test_a_machine_that_was_busy_or_asleep_is_no_fault_of_a_file(tmp_path: Path, make: Make) -> None:
    (tmp_path / "a.py").write_text("def a(): pass\n")
    before = set(descendants(os.getpid()))
    indexer = make(workers=1, limits=Limits(parse_seconds=0.2))
    indexer.sync()
    (stopped,) = set(descendants(os.getpid())) - before
    (tmp_path / "b.py").write_text("def b(): pass\n")
    os.kill(stopped, signal.SIGSTOP)
    threading.Timer(1.7, os.kill, (stopped, signal.SIGCONT)).start()  # after the pool has looked how long it is silent
    indexer.sync()
    assert stopped in descendants(os.getpid())
