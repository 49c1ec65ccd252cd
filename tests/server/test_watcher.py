"""What a question waits for before it takes the index for fresh."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from watchfiles import Change

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
        assert told == [None, ["a.py"]]
        assert not list(layout.folder.glob("cookie-*"))
        await watcher.close()

    asyncio.run(asked())


async def told_of(monkeypatch: pytest.MonkeyPatch, root: Path, batches: list[list[str]]) -> list[object]:
    """What a watcher makes of batches of changes (paths relative to the root)."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def watch(*_: str, watch_filter: Callable[[Change, str], bool], **__: Any) -> Iterator[set[tuple[Change, str]]]:
        for batch in batches:
            changes = {(Change.modified, str(root / path)) for path in batch}
            yield {change for change in changes if watch_filter(*change)}
        loop.call_soon_threadsafe(ended.set)

    monkeypatch.setattr(watcher_module, "watch", watch)
    told: list[object] = []
    watcher = Watcher(Layout.find(root), told.append)
    await asyncio.wait_for(ended.wait(), 20)
    await watcher.close()
    return told


async def test_all_files_are_compared_when_watching_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await told_of(monkeypatch, tmp_path, [[], [], ["a.py"]]) == [None, ["a.py"]]


async def test_all_files_are_compared_when_changes_may_have_been_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [f"node_modules/m{number}.js" for number in range(3_000)]
    assert await told_of(monkeypatch, tmp_path, [[], many, ["a.py"]]) == [None, None, ["a.py"]]


async def test_all_files_are_compared_when_git_tracks_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    names = iter([b"a.py\0", b"a.py\0", b"a.py\0ignored.py\0", b"a.py\0", b"a.py\0"])
    monkeypatch.setattr(watcher_module.git, "tracked", lambda _: next(names))
    batches = [[], [".git/index"], [".git/index", "a.py"]]
    switch = [[".git/index", ".git/HEAD"], [".git/index"], [".git/index", "a.py"]]
    assert await told_of(monkeypatch, tmp_path, [*batches, *switch]) == [None, None, None, None, ["a.py"]]


async def test_all_files_are_compared_when_git_is_told_to_ignore_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    batches = [[], [".git/info/exclude"], [".git/info/refs", ".git/HEAD"], ["a.py"]]
    assert await told_of(monkeypatch, tmp_path, batches) == [None, None, None, ["a.py"]]
