"""An answer is about all that was written before it was asked for, or says that it is not."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from nav_ls.commands import table
from nav_ls.commands.model import Context, SymbolsResult
from nav_ls.config.settings import Config
from nav_ls.index.indexer import Indexer
from nav_ls.index.model import Report
from nav_ls.query.snapshot import Snapshot
from nav_ls.query.symbols import outline
from nav_ls.server import repository as repositories
from nav_ls.server.awake import Awake
from nav_ls.server.repository import Repository
from nav_ls.store.layout import Layout
from nav_ls.text.errors import BusyError, NotFoundError
from nav_ls.workspace.workspace import Workspace


class Gated(Indexer):
    """An indexer with a door before each sync and one behind it; or each is refused."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, workers=1)
        self.root = root
        self.doors = {"before": threading.Event(), "behind": threading.Event()}
        self.arrived = {"before": threading.Semaphore(0), "behind": threading.Semaphore(0)}
        self.refused = False

    def sync(self, paths: Sequence[str] | None = None, **options: Any) -> Report:
        self._pass("before")
        if self.refused:
            raise BusyError("another nav is writing")
        report = super().sync(paths, **options)
        self._pass("behind")
        return report

    def _pass(self, door: str) -> None:
        self.arrived[door].release()
        assert self.doors[door].wait(20)

    def open(self) -> None:
        """Nothing is held any longer."""
        for door in self.doors.values():
            door.set()

    async def arrives(self, door: str) -> None:
        """Wait until a sync stands before a door."""
        assert await asyncio.to_thread(self.arrived[door].acquire, timeout=20)


@pytest.fixture
def writer(make_repo: Callable[[dict[str, str]], Path]) -> Gated:
    return Gated(make_repo({"a.py": "def first():\n    pass\n"}))


@pytest.fixture
async def repository(writer: Gated, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Repository]:
    """An indexed repository in which nobody waits for a sync."""
    layout = Layout.find(writer.root)
    monkeypatch.setattr(Workspace, "open", lambda *_, **__: Workspace(layout, Config(), writer))
    monkeypatch.setattr(repositories, "PATIENCE", 0.0)
    writer.open()
    with ThreadPoolExecutor(1) as threads:
        opened = Repository(writer.root, threads, Awake(lambda: 1))
        assert (await fresh_answer(opened, "first")).symbols
        yield opened
        writer.open()
        await opened.close()


async def rest(repository: Repository) -> None:
    """Wait until nothing is done or to be done."""
    while repository.busy:
        await asyncio.sleep(0.01)


async def asked(
    repository: Repository, name: str, between: Callable[[], Any] | None = None, command: str = "nav.symbols"
) -> SymbolsResult:
    """Ask for a definition as a client does; `between`: what happens when it is known how fresh the index is."""
    row = table.find(command)
    params = table.parse(row, {"query" if command == "nav.symbols" else "target": name})
    async with repository.used() as workspace:
        behind = await repository.current(lambda progress: None, sync=True)
        if between is not None:
            await between()
        context = Context(sync=False, behind=behind)
        result = table.execute(workspace, row, params, context)
    assert isinstance(result, SymbolsResult)
    return result


async def fresh_answer(repository: Repository, name: str) -> SymbolsResult:
    """As `asked`, again until the answer is not told to be stale."""
    while (answer := await asked(repository, name)).freshness.stale:
        await rest(repository)
    return answer


async def test_a_sync_that_began_before_a_change_does_not_make_an_answer_fresh(
    repository: Repository, writer: Gated
) -> None:
    for door in ("before", "behind"):
        writer.doors[door].clear()
        writer.arrived[door] = threading.Semaphore(0)
    repository.files_changed(["a.py"])
    await writer.arrives("before")
    writer.doors["before"].set()
    await writer.arrives("behind")
    writer.doors["before"].clear()
    (writer.root / "b.py").write_text("def second():\n    pass\n")

    async def ends() -> None:
        writer.doors["behind"].set()
        await writer.arrives("before")  # the next one

    answer = await asked(repository, "second", ends)
    assert not answer.symbols
    assert answer.freshness.stale


async def test_what_could_not_be_synced_is_told_until_it_is(repository: Repository, writer: Gated) -> None:
    (writer.root / "b.py").write_text("def second():\n    pass\n")
    writer.refused = True
    repository.files_changed(["b.py"])
    await rest(repository)
    answer = await asked(repository, "second")
    assert not answer.symbols
    assert answer.freshness.reason == "another nav is writing"
    with pytest.raises(NotFoundError, match=r"no definition named 'second' \(stale: another nav is writing\)"):
        await asked(repository, "second", command="nav.defs")
    writer.refused = False
    repository.files_changed(["b.py"])
    assert (await fresh_answer(repository, "second")).symbols


async def test_an_outline_waits_for_the_first_index(writer: Gated, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout.find(writer.root)
    monkeypatch.setattr(Workspace, "open", lambda *_, **__: Workspace(layout, Config(), writer))
    monkeypatch.setattr(repositories, "PATIENCE", 0.0)

    def names(snapshot: Snapshot) -> list[str]:
        return [node.symbol.name for node in outline(snapshot, "a.py")]

    with ThreadPoolExecutor(2) as threads:
        repository = Repository(writer.root, threads, Awake(lambda: 1))
        asked = asyncio.create_task(repository.ask(names, built=True))
        await writer.arrives("before")
        assert await repository.ask(names) == []
        assert not asked.done()
        writer.open()
        assert await asked == ["first"]
        await repository.close()
