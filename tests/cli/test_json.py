"""Every command takes `--json`: the parsers of all faces are walked, so that a new command cannot be without."""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nav_ls import main
from nav_ls.cli import arguments
from nav_ls.hooks import app as hooks
from nav_ls.mcp import app as mcp
from nav_ls.ui import app as ui

PROTOCOLS = {
    "hook run": "prints what the host gets, in the host's own format",
    "mcp": "speaks MCP on stdout, which is JSON by itself",
}
"""Commands whose output is not theirs to choose: they take the option, say so in their help, and go on as without."""


def leaves(
    parser: argparse.ArgumentParser, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for action in below:
        for name, child in action.choices.items():
            yield from leaves(child, (*path, name))
    if not below:
        yield " ".join(path), parser


def commands() -> dict[str, argparse.ArgumentParser]:
    """All commands of `nav`, each with the parser that reads it."""
    elsewhere = {"ui": ui.parser(), "mcp": mcp.parser(), **dict(leaves(hooks.parser()))}
    groups = {name.split()[0] for name in elsewhere}
    own = {name: found for name, found in leaves(arguments.parser()) if name not in groups}
    assert set(dict(leaves(arguments.parser()))) - set(own) == groups, "`nav --help` names the commands of all faces"
    return own | elsewhere


def test_every_command_takes_json() -> None:
    found = commands()
    assert len(found) >= 40
    without = [name for name, one in found.items() if "--json" not in one._option_string_actions]
    assert without == []


def test_what_speaks_a_protocol_says_why_json_changes_nothing() -> None:
    found = commands()
    for name, reason in PROTOCOLS.items():
        told = " ".join(found[name].format_help().split())
        assert reason in told, name


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home, root = tmp_path / "home", tmp_path / "repo"
    home.mkdir()
    root.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("NAV_NO_SERVER", "1")
    monkeypatch.setenv("NAV_SEARCH_BACKGROUND", "0")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "a.py").write_text("def a():\n    pass\n")
    return root


def test_hooks_and_settings_as_json(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = repo.parent / "home"

    def told(*words: str, code: int = 0) -> dict[str, object]:
        monkeypatch.setattr(sys, "argv", ["nav", *words, "-C", str(repo), "--json"])
        assert main.nav() == code
        value = json.loads(capsys.readouterr().out)
        assert isinstance(value, dict)
        return value

    codex = {"path": str(home / ".codex" / "hooks.json")}
    note = "Codex runs a hook only once you trust it: open /hooks in it."
    planned = told("hook", "install", "--host", "codex", "--dry-run")
    (change,) = planned["changes"]  # type: ignore[misc]
    assert change.pop("diff").startswith("--- /dev/null\n")
    assert planned == {"changes": [codex | {"change": "created"}], "dry_run": True, "notes": []}
    assert told("hook", "install", "--host", "codex") == {
        "changes": [codex | {"change": "created"}],
        "dry_run": False,
        "notes": [note],
    }
    assert told("hook", "install", "--host", "codex") == {"changes": [], "dry_run": False, "notes": [note]}
    *run, gemini = told("hook", "doctor", "--host", "codex", "--host", "gemini")["hooks"]  # type: ignore[misc]
    assert [(event["host"], event["event"], event["ok"]) for event in run] == [
        ("codex", "session-start", True),
        ("codex", "user-prompt-submit", True),
    ]
    assert gemini == {"host": "gemini", "installed": False, "path": str(home / ".gemini" / "settings.json")}
    assert told("hook", "uninstall", "--host", "codex")["changes"] == [codex | {"change": "removed"}]
    toml = {"path": str(home / ".codex" / "config.toml")}
    assert told("mcp", "install", "--host", "codex")["changes"] == [toml | {"change": "created"}]
    assert told("mcp", "uninstall", "--host", "codex")["changes"] == [toml | {"change": "removed"}]
    assert told("hook", "rules")["changes"] == [{"path": str(repo / ".cursor/rules/nav.mdc"), "change": "created"}]

    hook = str(repo / ".git" / "hooks" / "pre-commit")
    names = ["pre-commit", "post-checkout", "post-merge", "post-rewrite"]
    assert told("git-hook", "status", code=1)["hooks"] == [{"name": name, "installed": False} for name in names]
    assert told("git-hook", "install")["changes"][0] == {"path": hook, "change": "changed"}  # type: ignore[index]
    assert told("git-hook", "status") == {"hooks": [{"name": name, "installed": True} for name in names]}
    assert told("git-hook", "uninstall")["changes"][0] == {"path": hook, "change": "restored"}  # type: ignore[index]
    assert told("git-hook", "uninstall") == {"changes": []}


def test_what_was_done_before_a_failure_is_told(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = repo.parent / "home"
    (home / ".gemini").symlink_to("/proc/nowhere")  # reads as missing, and nobody can make it
    assert hooks.main(["hook", "install", "--host", "codex", "--host", "gemini", "-C", str(repo), "--json"]) == 5
    captured = capsys.readouterr()
    assert "nothing was changed there" in captured.err
    done = json.loads(captured.out)["changes"]
    assert done == [{"path": str(home / ".codex" / "hooks.json"), "change": "created"}]


def test_a_completion_script_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["nav", "completion", "bash", "--json"])
    assert main.nav() == 0
    found = json.loads(capsys.readouterr().out)
    assert found["shell"] == "bash"
    assert "complete -o default -F _nav nav" in found["script"]
