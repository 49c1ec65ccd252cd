"""Who waits for the index waits for what was changed before, and for no more."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

from nav_ls.index.model import Report
from nav_ls.server.lane import BURST_SECONDS, Lane, Missed
from nav_ls.store.layout import Layout


class Slow:
    """A workspace whose syncs take until they are let go."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.layout = Layout.find(root)
        self.synced: list[int | None] = []
        self.indexed = True
        self.let_go = threading.Event()
        self.texts: list[bytes | None] = []

    def sync(self, paths: list[str] | None, progress: Any) -> Report:
        self.synced.append(None if paths is None else len(paths))
        assert self.let_go.wait(20)
        return Report(1, 1, 0, 0, 0, 0, 0.0, False, 0)

    def set_buffer(self, path: str, text: bytes | None) -> None:
        self.texts.append(text)

    def warm(self) -> None:
        pass


async def test_what_was_typed_is_waited_for_longer_than_what_was_written(tmp_path: Path) -> None:
    workspace = Slow(tmp_path)
    lane = Lane(workspace, lambda: None, asyncio.Semaphore(1))  # type: ignore[arg-type]
    lane.sync(["a.py"])
    assert await lane.settled(0.1) == Missed(typed=False, written=True)
    lane.set_buffer("a.py", "x = 1\n")
    assert await lane.settled(0.1, 0.2) == Missed(typed=True, written=True)
    asyncio.get_running_loop().call_later(0.5, workspace.let_go.set)
    assert await lane.settled(0.1, 20.0) == Missed(typed=False, written=False)
    assert workspace.texts == [b"x = 1\n"]
    await lane.close()


async def test_what_others_type_meanwhile_is_not_waited_for(tmp_path: Path) -> None:
    workspace = Slow(tmp_path)
    lane = Lane(workspace, lambda: None, asyncio.Semaphore(1))  # type: ignore[arg-type]
    lane.set_buffer("a.py", "x = 1\n")
    waiting = asyncio.ensure_future(lane.settled(5.0, 5.0))
    await asyncio.sleep(0)
    lane.sync(["b.py"])  # which is not let go
    assert await asyncio.wait_for(waiting, 3) == Missed(typed=False, written=False)
    workspace.let_go.set()
    await lane.close()


async def test_a_burst_is_one_sync(tmp_path: Path) -> None:
    workspace = Slow(tmp_path)
    workspace.let_go.set()
    lane = Lane(workspace, lambda: None, asyncio.Semaphore(1))  # type: ignore[arg-type]
    for part in range(8):  # as a watcher tells it: a part every 50 ms
        lane.sync([f"m{part}_{number}.py" for number in range(50)])
        await asyncio.sleep(0.05)
    await lane.settled(10.0)
    assert workspace.synced == [400]
    lane.sync(["a.py"])
    await lane.settled(10.0)
    assert workspace.synced == [400, 1]
    await lane.close()


async def test_git_is_waited_for_while_it_switches_branches(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    busy = tmp_path / ".git" / "index.lock"
    busy.touch()
    workspace = Slow(tmp_path)
    workspace.let_go.set()
    lane = Lane(workspace, lambda: None, asyncio.Semaphore(1))  # type: ignore[arg-type]
    lane.sync(["a.py"])
    await asyncio.sleep(0.5)
    assert workspace.synced == []
    lane.sync(None)
    busy.unlink()
    await lane.settled(10.0)
    assert workspace.synced == [None]
    # A git that was killed leaves its lock behind.
    busy.touch()
    lane.sync(["b.py"])
    await lane.settled(2 * BURST_SECONDS)
    assert workspace.synced == [None, 1]
    await lane.close()
