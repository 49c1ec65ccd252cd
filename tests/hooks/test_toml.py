"""Our table in a TOML file: everything else keeps its bytes."""

from __future__ import annotations

import tomllib

import pytest

from nav_ls.hooks import tomlc
from nav_ls.hooks.jsonc import SettingsError

PATH = ("mcp_servers", "nav")
VALUES: dict[str, str | list[str]] = {"command": 'C:\\py "3"', "args": ["-P", "\u00fc\x7f", "x"]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "model = 'x'",
        "model = 'x'\n",
        '# mine\r\n[mcp_servers.other] # why\r\ncommand = "o"\r\n',
        "[[a]]\nb = 1\n\n\n",
        "   [features]\n   hooks = false\n\n[mcp_servers]\n",
    ],
)
def test_in_and_out_without_a_trace(text: str) -> None:
    once = tomlc.put(text, PATH, VALUES)
    assert tomllib.loads(once)["mcp_servers"]["nav"] == VALUES
    assert once.startswith(text)
    assert tomlc.put(once, PATH, VALUES) == once
    assert tomlc.drop(once) == text
    if "\r\n" in text:
        assert "\n" not in once.replace("\r\n", "")


def test_what_was_written_behind_ours_stays() -> None:
    behind = tomlc.put("a = 1\n", PATH, VALUES) + "[later]\nb = 2\n"
    moved = tomlc.put(behind, PATH, {"command": "elsewhere", "args": []})
    assert tomllib.loads(moved)["mcp_servers"]["nav"] == {"command": "elsewhere", "args": []}
    assert tomlc.drop(moved) == "a = 1\n[later]\nb = 2\n"


@pytest.mark.parametrize(
    "text", ["a =", "[mcp_servers.nav]\ncommand = 'mine'\n", 'mcp_servers = { nav = { command = "m" } }']
)
def test_what_cannot_be_edited_safely_is_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        tomlc.put(text, PATH, VALUES)


def test_without_ours_nothing_goes() -> None:
    assert tomlc.drop("[mcp_servers.nav]\ncommand = 'mine'\n") == "[mcp_servers.nav]\ncommand = 'mine'\n"
