"""What a question waits for before it takes the index for fresh."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nav_ls.server import watcher as watcher_module
from nav_ls.server.watcher import Watcher
from nav_ls.store.layout import Layout


def test_a_barrier_that_was_given_up_lets_no_later_question_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Watcher, "_watch", lambda _: None)  # the test tells what has changed, and when
    layout = Layout.find(tmp_path)
    layout.make_folder()

    async def cookie() -> str:
        await asyncio.sleep(0.01)
        (path,) = layout.folder.glob("cookie-*")
        return str(path)

    async def asked() -> None:
        told: list[object] = []
        watcher = Watcher(layout, told.append)
        watcher._tell(set())  # watching has begun
        monkeypatch.setattr(watcher_module, "BARRIER_SECONDS", 0.05)
        first = asyncio.ensure_future(watcher.barrier())
        late = await cookie()
        assert not await first
        monkeypatch.setattr(watcher_module, "BARRIER_SECONDS", 10.0)
        second = asyncio.ensure_future(watcher.barrier())
        own = await cookie()
        watcher._tell({late})
        await asyncio.sleep(0.01)
        assert not second.done()
        watcher._tell({own, str(tmp_path / "a.py")})
        assert await second
        assert told == [["a.py"]]
        assert not list(layout.folder.glob("cookie-*"))
        await watcher.close()

    asyncio.run(asked())
