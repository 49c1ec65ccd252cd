from __future__ import annotations

import time
from pathlib import Path

import pytest

from nav_ls.config.settings import Config, IndexSettings, SearchSettings
from nav_ls.workspace.embedding import Background
from nav_ls.workspace.workspace import Workspace


def test_the_worker_makes_units_behind_the_index_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAV_SEARCH_EMBEDDER", "none")
    (tmp_path / "a.py").write_text("def found(value):\n    return value + 1\n")
    config = Config(index=IndexSettings(workers=1), search=SearchSettings(embedder="none", background=True))
    workspace = Workspace.open(tmp_path, config, process=True)
    workspace.sync()
    _until(lambda: workspace.searching.pending().units == 1)
    (tmp_path / "b.py").write_text("def second(value):\n    return value + 2\n")
    workspace.sync()
    _until(lambda: workspace.searching.pending().units == 2)
    workspace.close()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_a_worker_that_has_ended_is_no_zombie(tmp_path: Path) -> None:
    background = Background(tmp_path / "nowhere")
    background.nudge()
    child = background._child
    assert child is not None
    _until(lambda: not Path(f"/proc/{child.pid}").exists())
    background.close()


def _until(condition: object, seconds: float = 30.0) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
