"""Hooks in the real agents: what they send to their model holds what nav says, whole, and nothing when it is silent."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nav_ls.hooks import install
from nav_ls.hooks.hosts import BY_NAME
from nav_ls.hooks.install import Place
from tests.agents import clients
from tests.agents.fake import REPLY, FakeModel, ToolCall, fake_model
from tests.agents.run import Sandbox, claude, opencode, qwen
from tests.npm import Unavailable

pytestmark = pytest.mark.slow

PROMPT = "Please make `reserve_item` log what it takes"
IRRELEVANT = "thanks, that is all for today"
Run = Callable[..., subprocess.CompletedProcess[str]]
RUNS: dict[str, Run] = {"claude": claude, "qwen": qwen, "opencode": opencode}
BY_CLIENT = {client.name: client for client in clients.CLIENTS}


@pytest.fixture(params=list(RUNS))
def host(request: pytest.FixtureRequest) -> str:
    """A host whose client can be had here."""
    try:
        clients.install(BY_CLIENT[request.param])
    except Unavailable as why:
        pytest.skip(str(why))
    return str(request.param)


@pytest.fixture
def sandbox(shop: Path, tmp_path: Path) -> Iterator[Sandbox]:
    made = Sandbox(tmp_path, shop)
    yield made
    subprocess.run(
        [sys.executable, "-m", "nav_ls", "server", "stop"], env=made.environment(), capture_output=True, check=False
    )


def installed(sandbox: Sandbox, host: str, *, project: bool = False, tools: bool = False) -> None:
    place = Place(sandbox.home, sandbox.project if project else None)
    # The deadline itself is tested elsewhere: here a busy machine must not make the answer come too late.
    install.apply(install.plan_hooks(place, BY_NAME[host], tools=tools, seconds=8))


def conversation(model: FakeModel, prompt: str) -> str:
    """All that the first request with the prompt says."""
    texts = [text for text in model.texts() if prompt in text]
    assert texts, "the prompt never reached the model"
    return texts[0]


@pytest.mark.parametrize("project", [False, True], ids=["user", "project"])
def test_digest_and_context_arrive_whole(sandbox: Sandbox, host: str, project: bool) -> None:
    installed(sandbox, host, project=project)
    with fake_model() as model:
        done = RUNS[host](sandbox, model, PROMPT)
        text = conversation(model, PROMPT)
    assert done.returncode == 0, done.stderr
    assert REPLY in done.stdout
    assert "# Map of shop-repository" in text
    assert "- error types: ShopError (shop/errors.py:1), 1 derived" in text
    assert "### function reserve_item — shop/stock.py:4-8" in text
    assert "        raise OutOfStock(item)\n    return amount" in text
    begun = re.findall(r"--- repository data (\w+) begins ---", text)
    ended = re.findall(r"--- repository data (\w+) ends ---", text)
    assert len(set(begun)) == 2
    assert begun == ended


def test_a_prompt_without_relevance_gets_nothing(sandbox: Sandbox, host: str) -> None:
    installed(sandbox, host)
    with fake_model() as model:
        done = RUNS[host](sandbox, model, IRRELEVANT)
        text = conversation(model, IRRELEVANT)
    assert done.returncode == 0
    assert "# Map of shop-repository" in text
    assert "Definitions of this repository" not in text


@pytest.mark.parametrize("broken", ["index", "shim", "python"])
def test_a_broken_nav_never_stops_the_prompt(sandbox: Sandbox, host: str, broken: str) -> None:
    installed(sandbox, host)
    settings = Place(sandbox.home).settings(BY_NAME[host])
    if broken == "index":
        for database in (sandbox.project / ".nav").glob("nav-*.db*"):
            database.write_bytes(b"no database")
    else:
        old, new = ("shim.py", "gone.py") if broken == "shim" else (install.python(), "/nowhere/python")
        settings.write_text(settings.read_text().replace(old, new))
    with fake_model() as model:
        done = RUNS[host](sandbox, model, PROMPT)
        text = conversation(model, PROMPT)
    assert done.returncode == 0, done.stderr
    assert REPLY in done.stdout
    if broken != "index":
        assert "Map of" not in text


def test_two_hosts_in_one_work_tree_do_not_mix(sandbox: Sandbox) -> None:
    try:
        clients.install(clients.CLAUDE)
        clients.install(clients.QWEN)
    except Unavailable as why:
        pytest.skip(str(why))
    installed(sandbox, "claude")
    installed(sandbox, "qwen")
    for host in ("claude", "qwen", "claude"):
        with fake_model() as model:
            RUNS[host](sandbox, model, PROMPT)
            assert "### function reserve_item" in conversation(model, PROMPT)


OLD = "def reserve_item(item: str, amount: int)"
NEW = "def reserve_item(item: str, amount: int, shelf: str)"
# How each client's model is made to look for a name, and to read and edit a file; and what lets it do so unasked.
TOOLS: dict[str, tuple[tuple[str, str, str], tuple[str, ...]]] = {
    "claude": (("Grep", "Read", "Edit"), ("--permission-mode", "acceptEdits", "--allowedTools", "Grep,Read,Edit")),
    "qwen": (("grep_search", "read_file", "edit"), ("--approval-mode", "yolo")),
}


@pytest.mark.parametrize("name", list(TOOLS))
def test_before_a_search_and_after_an_edit(sandbox: Sandbox, name: str) -> None:
    try:
        clients.install(BY_CLIENT[name])
    except clients.Unavailable as why:
        pytest.skip(str(why))
    installed(sandbox, name, tools=True)
    (search, read, edit), options = TOOLS[name]
    file = str(sandbox.project / "shop" / "stock.py")
    planned = (
        ToolCall(search, {"pattern": "reserve_item"}),
        ToolCall(read, {"file_path": file}),
        ToolCall(edit, {"file_path": file, "old_string": OLD, "new_string": NEW}),
    )
    with fake_model(*planned) as model:
        done = RUNS[name](sandbox, model, PROMPT, *options)
        texts = model.texts()
    assert done.returncode == 0, done.stderr
    assert NEW in Path(file).read_text()
    assert any("nav knows this about reserve_item." in text for text in texts), model.tools()
    after = [text for text in texts if "The signature of these definitions has just changed" in text]
    assert after
    assert "called by OrderService.place_order (shop/orders.py:6)" in after[0]
