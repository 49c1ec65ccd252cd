"""Every request of a client gets an answer, also one that the SDK does not understand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nav_ls.mcp.lines import INVALID, answerable


def _line(**fields: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0"} | fields).encode() + b"\n"


@pytest.mark.parametrize(
    "line", [_line(id=1, method="ping"), b"garbage\n", b"\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n"]
)
def test_what_nobody_waits_for_stays_as_it_is(line: bytes) -> None:
    assert answerable(line) == line


def test_half_a_character_becomes_a_question_mark() -> None:
    line = _line(id=1, method="tools/call", params={"name": "search", "arguments": {"question": "cut \ud83d"}})
    assert json.loads(answerable(line))["params"]["arguments"] == {"question": "cut ?"}


@pytest.mark.parametrize("wrong", [{"params": []}, {"params": "x"}, {"method": 7}, {"jsonrpc": "1.0"}])
def test_an_invalid_request_is_refused(wrong: dict[str, Any]) -> None:
    line = _line(**{"id": "a", "method": "tools/call"} | wrong)
    assert json.loads(answerable(line)) == {"jsonrpc": "2.0", "id": "a", "method": INVALID}


def test_over_stdio(shop: Path, tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    asked = {"name": "definition", "arguments": {"name": "no\0such\ud83d"}}
    sent = [
        _line(id=1, method="initialize", params=hello),
        _line(method="notifications/initialized"),
        _line(id=2, method="tools/call", params=[]),
        _line(id=3, method="tools/call", params=asked),
        b'{"jsonrpc": "2.0", "id": 4, "meth',
    ]
    command = [sys.executable, "-m", "nav_ls.main", "mcp", "-C", str(shop)]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "NAV_SERVER_IDLE_MINUTES": "0.1"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in sent:
            process.stdin.write(line)
        process.stdin.flush()
        answers = {answer["id"]: answer for answer in (json.loads(process.stdout.readline()) for _ in range(3))}
        process.stdin.close()
        assert process.wait(30) == 0
    assert answers[2]["error"]["data"] == INVALID
    assert "no definition" in answers[3]["result"]["content"][0]["text"]
