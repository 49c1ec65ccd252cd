"""An indexer that is told of one change after the other takes no more memory for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.processes import descendants, resident
from nav_ls.index.process import IndexProcess

SAVED, MEASURED = 120, 120
BODY = "".join(
    f"def function_{n}(first, second):\n    return first.method_{n}(second.field_{n})\n\n\n" for n in range(300)
)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="memory is measured by /proc")
def test_hundreds_of_saves_leave_its_memory_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    before = set(descendants(os.getpid()))
    indexer = IndexProcess(tmp_path, workers=1)

    def save(number: int) -> None:
        text = f"{BODY}def added_{number}():\n    return {number}\n"
        indexer.overlay("a.py", text.encode())
        file.write_text(text)
        assert indexer.sync(["a.py"]).changed == 1

    try:
        for number in range(SAVED):
            save(number)
        own = min(set(descendants(os.getpid())) - before)
        begun = resident(own).own
        for number in range(SAVED, SAVED + MEASURED):
            save(number)
        grown = (resident(own).own - begun) / MEASURED
        assert grown < 10_000, f"{grown:.0f} bytes a save"
    finally:
        indexer.close()
