"""Many repositories in one server: those that nobody asks sleep, and lose nothing by it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import Editor

from nav_ls.client.control import status
from nav_ls.server.awake import Awake

AWAKE = 2


def _states() -> dict[str, str]:
    found = status()
    assert found is not None
    return {repository["root"]: repository["state"] for repository in found["repositories"]}


def _until(holds: Callable[[], Any], patience: float = 60.0) -> None:
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, _states()
        time.sleep(0.05)


def _processes() -> int:
    found = status()
    assert found is not None
    tasks = Path(f"/proc/{found['pid']}/task")
    return sum(len((task / "children").read_text().split()) for task in tasks.iterdir())


def _symbols(editor: Editor, query: str) -> list[str]:
    return [symbol["name"] for symbol in editor.request("workspace/symbol", {"query": query})]


def test_more_repositories_than_may_be_awake(
    make_repo: Callable[[dict[str, str]], Path], runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAV_SERVER_AWAKE", str(AWAKE))
    roots = [make_repo({"a.py": f"def unlike{number}():\n    pass\n"}) for number in range(6)]
    editors = [Editor(root) for root in roots]
    try:
        for editor in editors:
            editor.initialize()
        _until(lambda: sorted(_states().values()) == ["asleep"] * 4 + ["fresh"] * AWAKE)
        _until(lambda: _processes() == AWAKE)  # one for each that is awake; a git that was asked for names ends soon
        asleep = next(number for number, root in enumerate(roots) if _states()[str(root)] == "asleep")
        editor, root = editors[asleep], roots[asleep]
        editor.open("a.py", "def typed_asleep():\n    pass\n")
        (root / "b.py").write_text("def written_asleep():\n    pass\n")
        assert _states()[str(root)] == "asleep", "typing alone wakes nobody"
        assert _symbols(editor, "asleep") == ["typed_asleep", "written_asleep"]
        for number, other in enumerate(editors):
            names = _symbols(other, "unlike")
            assert names == ([] if number == asleep else [f"unlike{number}"])
            assert sum(state != "asleep" for state in _states().values()) <= AWAKE
        editor.close_file("a.py")
        assert _symbols(editor, "asleep") == ["written_asleep"]
    finally:
        for editor in editors:
            editor.stop()


def test_who_is_not_asked_for_long_sleeps(
    make_repo: Callable[[dict[str, str]], Path], runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAV_SERVER_SLEEP_MINUTES", "0.01")
    with Editor(make_repo({"a.py": "def f():\n    pass\n"})) as editor:
        told = editor.notification("nav/status", lambda told: told["state"] == "asleep")
        assert told["message"]
        assert _processes() == 0
        assert _symbols(editor, "f") == ["f"]


class _Sleeper:
    def __init__(self, used_at: float) -> None:
        self.used_at = used_at
        self.busy = False
        self.closed = False
        self.sleeps = 0
        self.awake: Awake | None = None

    async def sleep(self) -> None:
        self.sleeps += 1
        assert self.awake is not None
        self.awake.leave(self)


async def _entered(awake: Awake, *sleepers: _Sleeper) -> None:
    for sleeper in sleepers:
        sleeper.awake = awake
        await awake.enter(sleeper)


async def test_the_one_that_was_used_first_makes_room() -> None:
    awake = Awake(lambda: 2)
    old, new, newest = (_Sleeper(time) for time in (1.0, 2.0, 3.0))
    await _entered(awake, new, old, newest)
    assert (old.sleeps, new.sleeps, newest.sleeps) == (1, 0, 0)
    await awake.put_to_sleep(2.5)
    assert (old.sleeps, new.sleeps, newest.sleeps) == (1, 1, 0)


async def test_nobody_is_put_to_sleep_at_work() -> None:
    awake = Awake(lambda: 1)
    first, second, third = (_Sleeper(time) for time in (1.0, 2.0, 3.0))
    await _entered(awake, first)
    first.busy = True
    await awake.put_to_sleep(10.0)
    entering = asyncio.ensure_future(_entered(awake, second))
    await asyncio.sleep(0.3)
    assert not entering.done()
    first.busy = False
    await asyncio.wait_for(entering, 5)
    assert first.sleeps == 1
    # Whoever is no longer wanted does not wait for those who work.
    second.busy = third.closed = True
    await asyncio.wait_for(_entered(awake, third), 5)
    assert second.sleeps == 0
