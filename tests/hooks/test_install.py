"""Installing into each host's settings, and taking it out again."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from nav_ls.hooks import install
from nav_ls.hooks.hosts import BY_NAME, HOSTS, Host
from nav_ls.hooks.install import Place

NAMES = [host.name for host in HOSTS]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    return Place(tmp_path / "home", tmp_path / "project")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("tools", [False, True])
def test_install_twice_and_uninstall(place: Place, name: str, tools: bool) -> None:
    host = BY_NAME[name]
    install.apply(install.plan_hooks(place, host, tools=tools))
    assert set(install.installed(place, host)) >= {"session-start", "user-prompt-submit"}
    assert install.plan_hooks(place, host, tools=tools) == []
    install.apply(install.plan_removal(place, host))
    assert not place.settings(host).exists()
    assert install.installed(place, host) == {}


@pytest.mark.parametrize("host", [host for host in HOSTS if host.style != "plugin"])
def test_what_was_there_comes_back(place: Place, host: Host) -> None:
    path = place.settings(host)
    path.parent.mkdir(parents=True)
    before = b'{\r\n   // mine\r\n   "version": 1,\r\n   "hooks": {"Stop": []},\r\n}'
    path.write_bytes(before)
    path.chmod(0o600)
    install.apply(install.plan_hooks(place, host, tools=True))
    assert path.read_bytes() != before
    assert path.stat().st_mode & 0o777 == 0o600
    install.apply(install.plan_removal(place, host))
    assert path.read_bytes() == before


def test_tool_hooks_go_when_they_are_no_longer_wanted(place: Place) -> None:
    host = BY_NAME["claude"]
    install.apply(install.plan_hooks(place, host, tools=False))
    plain = place.settings(host).read_text()
    install.apply(install.plan_hooks(place, host, tools=True))
    assert "post-tool-use" in install.installed(place, host)
    install.apply(install.plan_hooks(place, host, tools=False))
    assert place.settings(host).read_text() == plain


@pytest.mark.parametrize("name", NAMES)
def test_mcp_in_and_out(place: Place, name: str) -> None:
    host = BY_NAME[name]
    path = place.mcp(host)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = '{\n    "mcpServers": {"other": {"command": "x"}}, // c\n    "mcp": {}\n}\n'
    if host.mcp_style == "toml":
        before = '[mcp_servers.other] # c\ncommand = "x"\n'
    path.write_text(before)
    install.apply(install.plan_mcp(place, host))
    assert install.plan_mcp(place, host) == []
    assert "nav_ls/mcp" in path.read_text()
    install.apply(install.plan_mcp_removal(place, host))
    assert path.read_text() == before


def test_hooks_and_mcp_of_one_file_do_not_disturb_each_other(place: Place) -> None:
    host = BY_NAME["qwen"]
    install.apply(install.plan_hooks(place, host, tools=False))
    install.apply(install.plan_mcp(place, host))
    install.apply(install.plan_removal(place, host))
    assert "nav_ls/mcp" in place.mcp(host).read_text()
    install.apply(install.plan_mcp_removal(place, host))
    assert not place.mcp(host).exists()


def test_settings_behind_a_link_stay_behind_it(place: Place, tmp_path: Path) -> None:
    host = BY_NAME["claude"]
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    link = place.settings(host)
    link.parent.mkdir()
    link.symlink_to(real)
    install.apply(install.plan_hooks(place, host, tools=False))
    assert link.is_symlink()
    assert "SessionStart" in real.read_text()


def test_broken_settings_are_left_alone(place: Place) -> None:
    host = BY_NAME["claude"]
    path = place.settings(host)
    path.parent.mkdir()
    path.write_text('{"hooks": ')
    with pytest.raises(install.jsonc.SettingsError, match=r"settings\.local\.json: line 1: .*; nothing was changed"):
        install.plan_hooks(place, host, tools=False)


def test_a_diff_shows_what_would_change(place: Place) -> None:
    (change,) = install.plan_hooks(place, BY_NAME["claude"], tools=False)
    shown = install.diff(change)
    assert shown.startswith("--- /dev/null\n+++ ")
    assert '+    "SessionStart": [' in shown
    assert not place.settings(BY_NAME["claude"]).exists()


def test_the_command_survives_a_python_that_is_gone(place: Place) -> None:
    host = BY_NAME["claude"]
    install.apply(install.plan_hooks(place, host, tools=False))
    settings = json.loads(place.settings(host).read_text())
    line = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"]
    words = shlex.split(line.removesuffix(" || exit 0"))
    assert os.path.isabs(words[0])
    assert words[1:3] == ["-I", "-S"]
    gone = line.replace("shim.py", "gone/nav_ls/hooks/shim.py")
    done = subprocess.run(["/bin/sh", "-c", gone], input=b"{}", capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout == b""


def test_every_form_is_one_the_shim_knows() -> None:
    from nav_ls.hooks import shim

    for host in HOSTS:
        for hook in host.hooks.values():
            head, tail = shim._shape(hook.form)
            if head:
                assert json.loads(head + b'"x"' + tail)


def test_settings_that_cannot_be_written_stop_nothing_half_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from nav_ls.hooks.app import main

    # A file in the place of the home: nobody can write below it, whoever runs the test.
    home = tmp_path / "home"
    home.write_text("mine")
    monkeypatch.setenv("HOME", str(home))
    for words in (["hook", "install"], ["mcp", "install"]):
        assert main([*words, "--host", "claude"]) == 5
        assert "nothing was changed there" in capsys.readouterr().err
    assert home.read_text() == "mine"


def test_what_is_left_to_do_by_hand_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from nav_ls.hooks.app import main

    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["hook", "install", "--host", "codex"]) == 0
    assert BY_NAME["codex"].note in capsys.readouterr().out
