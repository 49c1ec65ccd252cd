"""Who waits for the index waits for what was changed before, and for no more."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

from nav_ls.index.model import Report
from nav_ls.server.lane import Lane, Missed


class Slow:
    """A workspace whose syncs take until they are let go."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.indexed = True
        self.let_go = threading.Event()
        self.texts: list[bytes | None] = []

    def sync(self, paths: Any, progress: Any) -> Report:
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
