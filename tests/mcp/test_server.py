"""The MCP server through the SDK's own client."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from nav_ls.hooks.install import program
from nav_ls.mcp.app import INSTRUCTIONS, build
from nav_ls.mcp.ask import Asker
from nav_ls.mcp.render import fitting_depth, outline, page

TOOLS = {"search", "context", "definition", "callers", "callees", "impact", "outline", "map", "conventions", "conform"}


@asynccontextmanager
async def connected(shop: Path) -> AsyncIterator[Client]:
    asker = Asker(shop)
    async with Client(build(asker._in_process, "shop")) as client:
        yield client
    if asker._workspace is not None:
        asker._workspace.close()


async def ask(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    text = "".join(part.text for part in result.content if part.type == "text")
    return f"error: {text}" if result.is_error else text


ROUNDING = """def round_prices(prices: list[float], step: float) -> list[float]:
    rounded = []
    for price in prices:
        if price < 0:
            raise ValueError("a price below zero")
        steps = int(price / step)
        rest = price - steps * step
        if rest * 2 >= step:
            steps += 1
        rounded.append(steps * step)
    return rounded
"""


async def test_few_tools_well_described(shop: Path) -> None:
    async with connected(shop) as client:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        for tool in tools:
            assert 40 < len(tool.description or "") < 200
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
            assert "tokens" in tool.input_schema["properties"]
        assert all(f"`{name}`" in INSTRUCTIONS for name in TOOLS - {"callees"})


async def test_a_change_is_checked_before_it_is_finished(shop: Path) -> None:
    shutil.rmtree(shop / ".git")
    (shop / "shop" / "rounding.py").write_text(ROUNDING)
    git = ["git", "-C", str(shop), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    async with connected(shop) as client:
        assert "0 findings in 0 changed files" in await ask(client, "conform")
        (shop / "shop/counter.py").write_text(ROUNDING.replace("round_prices", "tidy_amounts"))
        told = await ask(client, "conform")
        assert "shop/counter.py:1: clone: tidy_amounts does what round_prices does already" in told
        assert "use round_prices (shop/rounding.py:1)" in told


async def test_answers(shop: Path) -> None:
    async with connected(shop) as client:
        assert "OrderService.place_order (shop/orders.py:5) at line 6 [exact]" in await ask(
            client, "callers", name="reserve_item"
        )
        assert "reserve_item (shop/stock.py:4) called at 6 [exact]" in await ask(
            client, "callees", name="OrderService.place_order"
        )
        assert "2: test_place (tests/test_orders.py:4) (test) calls OrderService.place_order" in await ask(
            client, "impact", name="reserve_item"
        )
        assert "4-8: def reserve_item(item: str, amount: int) -> int" in await ask(client, "outline", path="stock.py")
        assert "raise OutOfStock(item)" in await ask(client, "definition", name="reserve_item")
        assert "# Map of shop-repository" in await ask(client, "map")
        assert "error types: ShopError" in await ask(client, "conventions")
        assert "raise OutOfStock(item)" in await ask(client, "context", task="make `reserve_item` faster")
        assert "function reserve_item (shop/stock.py:4-8" in await ask(
            client, "search", question="reserve an item in stock"
        )


async def test_nothing_is_an_answer_with_advice(shop: Path) -> None:
    async with connected(shop) as client:
        assert "Try `search`" in await ask(client, "context", task="hello there")


async def test_mistakes_are_told_to_the_model(shop: Path) -> None:
    async with connected(shop) as client:
        unknown = await ask(client, "callers", name="nothing_of_that_name")
        assert unknown.startswith("error: ")
        assert "`search` finds code" in unknown
        assert (await ask(client, "outline", path="nothing.py")).startswith("error: ")
        assert "did you mean shop/stock.py?" in await ask(client, "outline", path="src/stock.py")
        assert (await ask(client, "callers", name="reserve_item", tokens=1)).startswith("error: ")


async def test_resources(shop: Path) -> None:
    async with connected(shop) as client:
        listed = (await client.list_resources()).resources
        assert {str(resource.uri) for resource in listed} == {"nav://map", "nav://conventions"}
        read = (await client.read_resource("nav://outline/shop/stock.py")).contents
        assert "reserve_item" in str(read[0])


async def test_secrets_do_not_reach_an_agent(shop: Path) -> None:
    (shop / "shop" / "keys.py").write_text(
        'API_KEY = "0f9e8d7c6b5a4938"\n\n\ndef sign(token="0f9e8d7c6b5a4938"): ...\n'
    )
    async with connected(shop) as client:
        for tool, arguments in (
            ("outline", {"path": "shop/keys.py"}),
            ("search", {"question": "sign token API_KEY"}),
            ("definition", {"name": "sign"}),
        ):
            text = await ask(client, tool, **arguments)
            assert "[redacted]" in text, tool
            assert "0f9e8d7c6b5a4938" not in text, tool


async def test_a_resource_that_cannot_be_read_says_why(shop: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with connected(shop) as client:
        with pytest.raises(MCPError, match=r"no indexed file is named 'nothing\.py'") as missing:
            await client.read_resource("nav://outline/nothing.py")
        assert missing.value.code == -32602
        (shop / "other").mkdir()
        (shop / "other" / "stock.py").write_text("def nothing(): ...\n", "utf-8")
        with pytest.raises(MCPError, match=r"shop/stock\.py"):
            await client.read_resource("nav://outline/stock.py")
    assert "Traceback" not in caplog.text


def test_pages_are_whole_lines_within_their_budget() -> None:
    lines = [f"line {number} {'x' * 80}" for number in range(200)]
    seen: list[str] = []
    while len(seen) < 200:
        text = page(lines[len(seen) :], "Lines.", 500, len(seen), 200)
        assert len(text) <= 2000
        got = [line for line in text.splitlines() if line.startswith("line ")]
        assert got
        seen += got
        assert (f"offset={len(seen)}" in text) == (len(seen) < 200)
    assert seen == lines


def test_an_outline_shows_as_many_levels_as_fit() -> None:
    rows = [
        {"symbol": f"C{n}", "kind": "class", "line": n, "end_line": n + depth, "signature": "", "depth": depth}
        for n in range(40)
        for depth in (0, 1, 2)
    ]
    result = {"rows": rows}
    assert fitting_depth(result, "x", 20_000) == 3
    assert fitting_depth(result, "x", 500) == 2
    assert fitting_depth(result, "x", 300) == 1
    assert outline(result, 2)[:3] == ["0: class C0", "  0-1: class C0", "1: class C1"]


async def test_over_stdio_without_a_server(shop: Path, tmp_path: Path) -> None:
    environment = dict(os.environ) | {"XDG_RUNTIME_DIR": str(tmp_path), "NAV_SERVER_IDLE_MINUTES": "0.1"}
    server = StdioServerParameters(
        command=sys.executable, args=["-P", program("mcp/__main__.py")], cwd=str(shop), env=environment
    )
    async with Client(stdio_client(server)) as client:
        assert "place_order" in await ask(client, "callers", name="reserve_item")
