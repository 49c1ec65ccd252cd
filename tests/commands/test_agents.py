"""Digest, context, impact, outline: what they say about a small repository, and their budgets."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from nav_ls.commands import agents
from nav_ls.commands.model import Context
from nav_ls.commands.table import execute, find, parse
from nav_ls.text.errors import NavError
from nav_ls.workspace.workspace import Workspace
from tests.agents.shop import FILES


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    for path, text in FILES.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    opened = Workspace.open(tmp_path)
    yield opened
    opened.close()


def ask(workspace: Workspace, name: str, **values: Any) -> Any:
    command = find(name)
    return execute(workspace, command, parse(command, values), Context())


def test_one_index_gives_one_digest(workspace: Workspace, tmp_path: Path) -> None:
    first = ask(workspace, "nav.digest").text
    workspace.sync(full=True)
    other = Workspace.open(tmp_path)
    try:
        assert ask(other, "nav.digest").text == first
    finally:
        other.close()


def test_a_map_that_takes_long_is_drawn_behind_the_answer(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agents, "_SLOW_SECONDS", 0.0)
    ask(workspace, "nav.digest")
    (tmp_path / "shop" / "new.py").write_text("def fresh_function():\n    return 1\n")
    assert "6 files of code" in ask(workspace, "nav.digest").text
    for _ in range(200):
        if "7 files of code" in ask(workspace, "nav.digest").text:
            break
        time.sleep(0.05)
    else:
        pytest.fail("the map was never drawn anew")


@pytest.mark.parametrize("characters", [900, 1000, 1500, 9000])
def test_a_digest_keeps_to_its_budget_and_to_whole_lines(workspace: Workspace, characters: int) -> None:
    whole = ask(workspace, "nav.digest").text
    text = ask(workspace, "nav.digest", characters=characters).text
    assert 0 < len(text) <= characters
    known = set(whole.splitlines())
    assert all(line in known or line.startswith(("- and ", "--- ")) for line in text.splitlines())


def test_a_digest_of_nothing_is_nothing(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path)
    try:
        assert ask(workspace, "nav.digest").text == ""
    finally:
        workspace.close()


def test_conventions(workspace: Workspace) -> None:
    text = ask(workspace, "nav.conventions").text
    assert "- error types: ShopError (shop/errors.py:1), 1 derived" in text
    assert "- test layout: 1 file; tests/ (1); named test_* (1)" in text


def test_impact_goes_up_the_calls(workspace: Workspace) -> None:
    found = ask(workspace, "nav.impact", target="reserve_item")
    rows = {(row.symbol, row.depth, row.via, row.test) for row in found.rows}
    assert rows == {
        ("OrderService.place_order", 1, "reserve_item", False),
        ("<module>", 2, "OrderService.place_order", False),
        ("test_place", 2, "OrderService.place_order", True),
    }
    assert all(row.evidence in {"exact", "type"} for row in found.rows)
    assert [row.depth for row in ask(workspace, "nav.impact", target="reserve_item", depth=1).rows] == [1]
    assert ask(workspace, "nav.impact", target="reserve_item", limit=1).cut


def test_an_outline(workspace: Workspace) -> None:
    found = ask(workspace, "nav.outline", path="orders.py")
    assert found.path == "shop/orders.py"
    assert [(row.symbol, row.line, row.depth) for row in found.rows] == [
        ("OrderService", 4, 0),
        ("OrderService.place_order", 5, 1),
    ]


@pytest.mark.parametrize(
    "name, values",
    [
        ("nav.outline", {"path": "nothing.py"}),
        ("nav.outline", {"path": ""}),
        ("nav.impact", {"target": "nothing_here"}),
        ("nav.impact", {"target": "reserve_item", "depth": 0}),
        ("nav.context", {"task": " "}),
        ("nav.context", {"task": "x", "tokens": 1}),
        ("nav.digest", {"tokens": 10**9}),
        ("nav.digest", {"unknown": 1}),
    ],
)
def test_requests_that_make_no_sense_are_told_so(workspace: Workspace, name: str, values: dict[str, Any]) -> None:
    with pytest.raises(NavError):
        ask(workspace, name, **values)


def test_context_is_whole_or_a_reference(workspace: Workspace) -> None:
    task = "make `reserve_item` and `OrderService.place_order` atomic"
    whole = ask(workspace, "nav.context", task=task)
    assert [block.symbol for block in whole.blocks] == ["reserve_item", "OrderService.place_order"]
    small = ask(workspace, "nav.context", task=task, characters=len(whole.text) - 1)
    assert len(small.text) < len(whole.text)
    assert [block.symbol for block in small.blocks] == ["reserve_item"]
    assert "OrderService.place_order" not in {block.symbol for block in small.blocks}
    known = ask(workspace, "nav.context", task=task, seen=[whole.blocks[0].id])
    assert [block.symbol for block in known.blocks] == ["OrderService.place_order"]


def test_secrets_do_not_leave(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "shop" / "pay.py").write_text("def pay_now():\n    api_key = 'a1b2c3d4e5f6a7b8'\n    return api_key\n")
    text = ask(workspace, "nav.context", task="change `pay_now`").text
    assert "pay_now" in text
    assert "a1b2c3d4" not in text


def test_results_are_plain_json(workspace: Workspace) -> None:
    for name, values in (
        ("nav.digest", {}),
        ("nav.context", {"task": "change `reserve_item`"}),
        ("nav.impact", {"target": "reserve_item"}),
        ("nav.outline", {"path": "shop/orders.py"}),
    ):
        assert msgspec.json.decode(msgspec.json.encode(ask(workspace, name, **values)))
