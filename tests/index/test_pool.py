"""The worker processes of an indexer: how many there are, and when."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.processes import descendants
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
