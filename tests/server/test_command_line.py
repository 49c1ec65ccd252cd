"""The command line through the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lsp_editor import Editor

from nav_ls.client.control import status

NAV = [sys.executable, "-c", "import sys; from nav_ls.main import nav; sys.exit(nav())"]
FILES = {"lib.py": "def helper():\n    pass\n", "user.py": "from lib import helper\n\n\ndef user():\n    helper()\n"}


@pytest.fixture(scope="module")
def root(make_repo: Callable[[dict[str, str]], Path], shared_runtime: Path) -> Path:
    return make_repo(FILES)


def _nav(root: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*NAV, *arguments, "-C", str(root)],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"NAV_NO_SERVER": "0"} | environment,
    )


def test_it_prints_the_same_with_and_without_a_server(root: Path) -> None:
    done = _nav(root, "callers", "helper", "--json")
    assert done.returncode == 0, done.stderr
    assert status() is not None
    answers = [json.loads(one.stdout) for one in (done, _nav(root, "callers", "helper", "--json", "--no-server"))]
    for answer in answers:
        del answer["freshness"]
    assert answers[0] == answers[1]
    assert [caller["symbol"] for caller in answers[0]["callers"]] == ["user"]


def test_it_sees_what_an_editor_has_not_saved(root: Path) -> None:
    with Editor(root) as editor:
        editor.open("user.py", FILES["user.py"] + "\n\ndef unsaved():\n    helper()\n")
        editor.command("nav.callers", {"target": "helper"})
        assert "unsaved" in _nav(root, "callers", "helper").stdout
        assert "unsaved" not in _nav(root, "callers", "helper", "--no-server").stdout


@pytest.mark.parametrize("arguments", [("callers", "nothing_like_it"), ("symbols", "helper", "--limit", "0")])
def test_errors_are_those_of_the_command(root: Path, arguments: tuple[str, ...]) -> None:
    through, alone = _nav(root, *arguments), _nav(root, *arguments, "--no-server")
    assert through.returncode == alone.returncode != 0
    assert through.stderr == alone.stderr
    assert "Traceback" not in through.stderr


def test_no_server_is_started_where_none_is_wanted(root: Path, runtime: Path) -> None:
    assert _nav(root, "callers", "helper", "--no-server").returncode == 0
    assert _nav(root, "callers", "helper", NAV_NO_SERVER="1").returncode == 0
    assert not runtime.exists()


def test_status_says_why_there_can_be_no_server(root: Path, runtime: Path) -> None:
    assert _nav(root, "server", "status").stdout == "no server is running; the next client starts one\n"
    runtime.mkdir(mode=0o777)
    runtime.chmod(0o777)
    why = f"{runtime} can be opened by other users (mode 777)"
    assert _nav(root, "server", "status").stdout == f"no server is running, and none can be: {why}\n"
    again = _nav(root, "server", "restart")
    assert again.returncode != 0
    assert again.stderr == f"nav: {why}\n"
    runtime.rmdir()


def test_without_a_server_to_be_had_it_works_all_the_same(root: Path, runtime: Path) -> None:
    runtime.mkdir(mode=0o755)
    done = _nav(root, "callers", "helper")
    assert done.returncode == 0
    assert "user" in done.stdout
    assert "doing it here" in done.stderr
    runtime.rmdir()
