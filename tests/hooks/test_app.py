"""`nav hook`, `nav git-hook` and `nav mcp install` as people use them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from nav_ls.hooks import app, rules


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    # The deadline is tested elsewhere: a busy machine is no fault of what is installed.
    monkeypatch.setenv("NAV_HOOK_SECONDS", "30")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("NAV_SERVER_START", "0")
    return folder


def test_install_doctor_uninstall(home: Path, shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ["-C", str(shop)]
    assert app.main(["hook", "install", "--host", "claude", "--host", "cursor", "--dry-run", *place]) == 0
    assert "+++ " in capsys.readouterr().out
    assert list(home.iterdir()) == []
    assert app.main(["hook", "install", "--host", "claude", "--host", "cursor", *place]) == 0
    assert app.main(["hook", "install", "--host", "claude", *place]) == 0
    assert "nothing to change" in capsys.readouterr().out
    assert app.main(["hook", "doctor", "--host", "claude", "--host", "cursor", *place]) == 0
    told = capsys.readouterr().out
    assert "Claude Code, session-start: " in told
    assert "Cursor, user-prompt-submit: " in told
    assert "nav keeps an index of this repository" in told
    # What a prompt gets is shown on one that names a definition.
    assert told.count("no output") == 0
    assert app.main(["hook", "uninstall", "--host", "claude", "--host", "cursor", *place]) == 0
    assert not (home / ".claude" / "settings.json").exists()


def test_doctor_sees_a_hook_of_another_nav(home: Path, shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app.main(["hook", "install", "--host", "claude", "-C", str(shop)])
    settings = home / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace("/nav_ls/hooks/shim.py", "/old/nav_ls/hooks/shim.py"))
    assert app.main(["hook", "doctor", "--host", "claude", "-C", str(shop)]) == 1
    assert "another nav" in capsys.readouterr().out


def test_run_prints_what_the_host_gets(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    payload = tmp_path / "payload.json"
    payload.write_text(json.dumps({"session_id": "a", "prompt": "make `reserve_item` faster"}))
    monkeypatch.chdir(shop)
    monkeypatch.setenv("NAV_HOOK_SECONDS", "20")
    with payload.open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        import os

        saved = os.dup(0)
        os.dup2(stdin.fileno(), 0)
        try:
            assert app.main(["hook", "run", "claude", "user-prompt-submit"]) == 0
        finally:
            os.dup2(saved, 0)
            os.close(saved)
    out = json.loads(capfd.readouterr().out)
    assert "reserve_item" in out["hookSpecificOutput"]["additionalContext"]


def test_broken_settings_are_reported_and_kept(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{ not json")
    assert app.main(["hook", "install", "--host", "claude"]) == 1
    assert "nothing was changed" in capsys.readouterr().err
    assert settings.read_text() == "{ not json"


def test_a_home_that_cannot_be_written(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A file where the folder should be: also for root, who may write everywhere.
    (home / ".claude").write_text("")
    assert app.main(["hook", "install", "--host", "claude"]) == 5
    assert "nothing was changed" in capsys.readouterr().err


def test_mcp_install(home: Path, shop: Path) -> None:
    assert app.main(["mcp", "install", "--host", "cursor", "-C", str(shop)]) == 0
    assert "nav_ls/mcp" in (home / ".cursor" / "mcp.json").read_text()
    assert app.main(["mcp", "uninstall", "--host", "cursor", "-C", str(shop)]) == 0
    assert not (home / ".cursor" / "mcp.json").exists()


def test_rules_come_and_go(shop: Path) -> None:
    assert app.main(["hook", "rules", "--cursor", "--agents-md", "-C", str(shop)]) == 0
    cursor = shop / rules.CURSOR
    assert cursor.read_text().startswith("---\ndescription: ")
    assert "error types: ShopError" in cursor.read_text()
    assert "error types: ShopError" in (shop / "AGENTS.md").read_text()
    assert app.main(["hook", "rules", "--cursor", "--agents-md", "--remove", "-C", str(shop)]) == 0
    assert not cursor.exists()
    assert not (shop / "AGENTS.md").exists()


@pytest.mark.parametrize("before", ["# Mine\n", "# Mine", "# Mine\n\ntext\n\n"])
def test_the_rest_of_agents_md_stays(shop: Path, before: str) -> None:
    file = shop / "AGENTS.md"
    file.write_text(before)
    app.main(["hook", "rules", "--agents-md", "-C", str(shop)])
    once = file.read_text()
    assert once.startswith(before.rstrip("\n"))
    app.main(["hook", "rules", "--agents-md", "-C", str(shop)])
    assert file.read_text() == once
    app.main(["hook", "rules", "--agents-md", "--remove", "-C", str(shop)])
    assert file.read_text().rstrip("\n") == before.rstrip("\n")


def test_git_hooks_need_a_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["git-hook", "install", "-C", str(tmp_path)]) == 1
    assert "no git repository" in capsys.readouterr().err
