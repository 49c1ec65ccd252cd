"""The model of a real agent calls a tool of nav, and reads the answer in its next request."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nav_ls.hooks import install
from nav_ls.hooks.hosts import BY_NAME
from nav_ls.hooks.install import Place
from tests.agents import clients
from tests.agents.fake import FakeModel, ToolCall, fake_model
from tests.agents.run import Sandbox, claude, opencode, qwen
from tests.npm import Unavailable

pytestmark = pytest.mark.slow

PROMPT = "Who calls the function that reserves items?"
CALL = ToolCall("callers", {"name": "reserve_item"})
ANSWER = "OrderService.place_order (shop/orders.py:5) at line 6 [exact]"


@pytest.fixture
def sandbox(shop: Path, tmp_path: Path) -> Iterator[Sandbox]:
    made = Sandbox(tmp_path, shop)
    yield made
    subprocess.run(
        [sys.executable, "-m", "nav_ls", "server", "stop"], env=made.environment(), capture_output=True, check=False
    )


def available(client: clients.Client) -> None:
    try:
        clients.install(client)
    except Unavailable as why:
        pytest.skip(str(why))


def test_claude(sandbox: Sandbox) -> None:
    available(clients.CLAUDE)
    place = Place(sandbox.home, sandbox.project)
    install.apply(install.plan_mcp(place, BY_NAME["claude"]))
    options = ["--mcp-config", ".mcp.json", "--strict-mcp-config", "--allowedTools", "mcp__nav__callers"]
    with fake_model(CALL) as model:
        done = claude(sandbox, model, PROMPT, *options, ENABLE_TOOL_SEARCH="false")
    assert done.returncode == 0, done.stderr
    assert "mcp__nav__callers" in model.tools()
    assert answered(model)


def test_qwen(sandbox: Sandbox) -> None:
    available(clients.QWEN)
    install.apply(install.plan_mcp(Place(sandbox.home), BY_NAME["qwen"]))
    # Qwen Code shows tools of MCP servers by name only, and calls them through one of its own.
    look = ToolCall("tool_search", {"query": "select:mcp__nav__callers"})
    through = ToolCall("tool_call", {"name": "mcp__nav__callers", "arguments": CALL.arguments})
    with fake_model(look, through) as model:
        done = qwen(sandbox, model, PROMPT, "--approval-mode", "yolo")
    assert done.returncode == 0, done.stderr
    assert any('"mcp__nav__callers": "Who calls or uses a definition' in text for text in model.texts())
    assert answered(model)


@pytest.mark.parametrize("project", [False, True], ids=["user", "project"])
def test_opencode(sandbox: Sandbox, project: bool) -> None:
    available(clients.OPENCODE)
    place = Place(sandbox.home, sandbox.project if project else None)
    install.apply(install.plan_mcp(place, BY_NAME["opencode"]))
    with fake_model(CALL) as model:
        done = opencode(sandbox, model, PROMPT)
    assert done.returncode == 0, done.stderr
    assert "nav_callers" in model.tools()
    assert answered(model)


def answered(model: FakeModel) -> bool:
    return any(ANSWER in text for text in model.texts())


def test_cursors_settings_are_what_it_documents(sandbox: Sandbox) -> None:
    place = Place(sandbox.home, sandbox.project)
    install.apply(install.plan_mcp(place, BY_NAME["cursor"]))
    entry = json.loads((sandbox.project / ".cursor" / "mcp.json").read_text())["mcpServers"]["nav"]
    assert set(entry) == {"command", "args"}
