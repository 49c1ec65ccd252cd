"""Hooks with a running server: the same answers as without, unsaved buffers included."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from nav_ls.client.connection import Connection
from nav_ls.client.start import connect
from tests.hooks.conftest import Ask

pytestmark = pytest.mark.slow

PROMPT = {"session_id": "a", "prompt": "Please make `reserve_item` log what it takes"}


@pytest.fixture
def server(runtime: Path) -> Path:
    """The folder that holds the runtime folder of a server that runs for one test."""
    connect(time.monotonic() + 60).close()
    return runtime.parent


def editor(root: Path) -> Connection:
    deadline = time.monotonic() + 60
    connection = connect(deadline)
    folders = [{"uri": root.as_uri(), "name": "shop"}]
    connection.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": folders}, deadline)
    connection.notify("initialized", {}, deadline)
    return connection


def said(output: bytes) -> str:
    """What an agent reads, but for whether the files were compared with the index: without a server nobody does that."""
    text = json.loads(output)["hookSpecificOutput"]["additionalContext"]
    return re.sub(r"index up to date|stale: [^.]*|repository data [0-9a-f]+", "", text)


def test_warm_and_cold_say_the_same(ask: Ask, server: Path) -> None:
    runtime = {"XDG_RUNTIME_DIR": str(server)}
    for event, payload in (
        ("session-start", {"session_id": "a", "source": "startup"}),
        ("user-prompt-submit", PROMPT),
    ):
        warm = ask("claude", event, payload | {"session_id": "warm"}, **runtime)
        cold = ask("claude", event, payload | {"session_id": "cold"})
        assert said(warm.stdout) == said(cold.stdout)
    assert not (server / "nav" / "nav-hook.log").exists()


def test_what_the_server_told_is_not_told_again_without_it(ask: Ask, server: Path) -> None:
    assert ask("claude", "user-prompt-submit", PROMPT, XDG_RUNTIME_DIR=str(server)).stdout
    assert ask("claude", "user-prompt-submit", PROMPT).stdout == b""


def test_an_unsaved_buffer_is_what_counts(ask: Ask, server: Path, shop: Path) -> None:
    file = shop / "shop" / "stock.py"
    text = file.read_text().replace("amount > 10", "amount > 77")
    with editor(shop) as connection:
        item = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": text}
        connection.notify("textDocument/didOpen", {"textDocument": item}, time.monotonic() + 10)
        told = b""
        for attempt in range(50):
            payload = PROMPT | {"session_id": f"s{attempt}"}
            told = ask("claude", "user-prompt-submit", payload, XDG_RUNTIME_DIR=str(server)).stdout
            if b"amount > 77" in told:
                break
            time.sleep(0.1)
    assert b"amount > 77" in told


def test_bad_input_does_not_harm_the_server(ask: Ask, server: Path) -> None:
    runtime = {"XDG_RUNTIME_DIR": str(server)}
    for data in (b'{"prompt": "a"}]}} x {"b": 1}', b'{"prompt": "\xff"}', b'{"a": ' + b"[" * 100_000 + b"}", b"{}"):
        done = ask("claude", "user-prompt-submit", data, seconds=5, **runtime)
        assert (done.returncode, done.stdout) == (0, b"")
    assert b"reserve_item" in ask("claude", "user-prompt-submit", PROMPT, **runtime).stdout
