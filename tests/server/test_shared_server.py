"""One server for all clients: started once, shared, replaced, found again after a crash."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lsp_editor import COMMAND, Editor, LspError

from nav_ls.client import identity
from nav_ls.client.call import call
from nav_ls.client.connection import Connection, ServerUnavailable, listening_pid
from nav_ls.client.control import is_running, status, stop
from nav_ls.client.framing import frame
from nav_ls.client.journal import CONTENT_MODIFIED

pytestmark = pytest.mark.usefixtures("runtime")


def _wait(condition, patience: float = 10.0) -> None:
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.01)


def test_two_editors_share_one_server(tmp_path: Path, runtime: Path) -> None:
    with Editor(tmp_path), Editor(tmp_path) as second:
        said = second.command("nav.server.status")
        assert len(said["clients"]) == 2
        assert [one["root"] for one in said["repositories"]] == [str(tmp_path)]
        assert said["pid"] == listening_pid(runtime / "server.sock")
    assert stat.S_IMODE((runtime / "server.sock").stat().st_mode) == 0o600


def test_an_editor_that_leaves_does_not_end_the_server(tmp_path: Path, runtime: Path) -> None:
    first = Editor(tmp_path)
    first.initialize()
    pid = listening_pid(runtime / "server.sock")
    assert first.stop() == 0
    assert status()["pid"] == pid


def test_standalone_shares_nothing(tmp_path: Path, runtime: Path) -> None:
    editor = Editor(tmp_path, "--standalone")
    editor.initialize()
    assert editor.command("nav.server.status")["pid"] == editor.process.pid
    assert not runtime.exists()
    assert editor.stop() == 0


def test_standalone_tells_an_exit_without_shutdown(tmp_path: Path) -> None:
    editor = Editor(tmp_path, "--standalone")
    editor.initialize()
    editor.notify("exit", None)
    assert editor.end() == 1


@pytest.mark.parametrize("count", [8, pytest.param(20, marks=pytest.mark.slow)])
def test_many_clients_at_once_start_one_server(count: int) -> None:
    code = "import time; from nav_ls.client.call import call;print(call(None, 'nav.server.status', {}, 60)['pid'])"
    clients = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(count)]
    answers = {client.communicate(timeout=90)[0] for client in clients}
    assert len(answers) == 1
    assert answers.pop().strip().isdigit()


def _kill_server(runtime: Path) -> int:
    pid = listening_pid(runtime / "server.sock")
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    _wait(lambda: not is_running(pid))
    return pid


def test_another_server_takes_over_from_a_killed_one(tmp_path: Path, runtime: Path) -> None:
    (tmp_path / "a.py").write_text("def saved():\n    pass\n")
    uri = (tmp_path / "a.py").as_uri()
    with Editor(tmp_path) as editor:
        text = "def typed():\n    pass\n"
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        editor.notify("textDocument/didOpen", {"textDocument": document})
        place = {"line": 0, "character": 9}
        change = {"range": {"start": place, "end": place}, "text": "_more"}
        editor.notify(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]}
        )
        pid = _kill_server(runtime)
        _wait(lambda: _names(editor, uri) == ["typed_more"], 30)
        assert editor.command("nav.server.status")["pid"] not in (pid, None)
        assert "taken over" in editor.said()


def _names(editor: Editor, uri: str) -> list[str]:
    """What is defined in a document; while nobody is there, requests are refused in a way that clients do not show."""
    try:
        found = editor.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    except LspError as error:
        if error.code != CONTENT_MODIFIED:
            raise
        return []
    return [symbol["name"] for symbol in found]


def test_a_session_that_loses_every_server_ends(tmp_path: Path, runtime: Path) -> None:
    editor = Editor(tmp_path)
    editor.initialize()
    for _ in range(3):
        _kill_server(runtime)
        _wait(lambda: _answers(editor), 30)
    _kill_server(runtime)
    assert editor.process.wait(10) == 1, "the editor has to learn that its server is gone"
    editor.end()
    assert editor.said().count("went away") == 4


def _answers(editor: Editor) -> bool:
    try:
        return editor.command("nav.server.status")["pid"] > 0
    except LspError as error:
        if error.code != CONTENT_MODIFIED:
            raise
        return False


def test_a_newer_client_makes_the_server_step_aside(tmp_path: Path, runtime: Path, monkeypatch) -> None:
    with Editor(tmp_path) as old:
        pid = status()["pid"]
        monkeypatch.setattr(identity, "version", lambda: "99.0")
        monkeypatch.setattr("nav_ls.client.connection.version", lambda: "99.0")
        with pytest.raises(ServerUnavailable):
            call(None, "nav.server.status", {}, 5, start=False)
        assert not (runtime / "server.sock").exists()
        assert old.command("nav.server.status")["pid"] == pid, "those who are here stay"
        monkeypatch.undo()
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime.parent))
        successor = call(None, "nav.server.status", {}, 30)
        assert successor["pid"] != pid
    _wait(lambda: not is_running(pid))


def _with_build(monkeypatch, changed: str) -> None:
    """Clients of this process take their code for one whose newest file has another time (in hexadecimal digits)."""
    folder, _, _newest = identity.build().partition("-")
    monkeypatch.setattr("nav_ls.client.connection.build", lambda: f"{folder}-{changed}")


def test_a_client_that_began_before_the_code_changed_is_served(runtime: Path, monkeypatch) -> None:
    pid = call(None, "nav.server.status", {}, 30)["pid"]
    _with_build(monkeypatch, "1")
    assert call(None, "nav.server.status", {}, 30)["pid"] == pid


def test_code_that_changed_under_a_server_replaces_it(runtime: Path, monkeypatch) -> None:
    pid = call(None, "nav.server.status", {}, 30)["pid"]
    _with_build(monkeypatch, "f" * 16)
    with pytest.raises(ServerUnavailable, match=r"changed since this program began.*start it anew"):
        call(None, "nav.server.status", {}, 30)
    monkeypatch.undo()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime.parent))
    assert call(None, "nav.server.status", {}, 30)["pid"] != pid


def test_it_ends_when_nobody_is_there(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("NAV_SERVER_IDLE_MINUTES", "0.005")
    with Editor(tmp_path):
        pid = status()["pid"]
        time.sleep(0.6)
        assert is_running(pid), "an editor is connected"
    _wait(lambda: not is_running(pid))


def test_a_deadline_holds_when_the_server_hangs(runtime: Path) -> None:
    pid = call(None, "nav.server.status", {}, 30)["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        with pytest.raises(Exception, match="in time"):
            call(None, "nav.server.status", {}, 0.3)
        assert time.monotonic() - began < 1.5
        assert stop(seconds=1.0), "a server that does not answer can still be ended"
    finally:
        if is_running(pid):
            os.kill(pid, signal.SIGCONT)
    assert listening_pid(runtime / "server.sock") is None


def test_what_is_no_frame_ends_only_that_client(tmp_path: Path, runtime: Path) -> None:
    with Editor(tmp_path) as editor:
        with socket.socket(socket.AF_UNIX) as stray:
            stray.connect(str(runtime / "server.sock"))
            stray.sendall(b"GET / HTTP/1.1\r\n\r\n")
            stray.settimeout(10)
            assert b"-32700" in stray.recv(4096)
            assert stray.recv(4096) == b"", "the server has to hang up"
        assert len(editor.command("nav.server.status")["clients"]) == 1


def test_a_client_of_another_user_is_turned_away(runtime: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become somebody else")
    call(None, "nav.server.status", {}, 30)
    os.chmod(runtime, 0o711)
    os.chmod(runtime.parent, 0o711)
    os.chmod(runtime / "server.sock", 0o666)
    code = (
        "import os, socket, sys; s = socket.socket(socket.AF_UNIX); os.setuid(12345);"
        "s.connect(sys.argv[1]); s.sendall(sys.stdin.buffer.read()); print(s.recv(100))"
    )
    hello = frame({"jsonrpc": "2.0", "id": 1, "method": "nav/hello", "params": {}})
    other = subprocess.run(
        [sys.executable, "-c", code, str(runtime / "server.sock")], input=hello, capture_output=True, timeout=30
    )
    os.chmod(runtime, 0o700)
    assert other.stdout.strip() in (b"b''", b"") or b"Reset" in other.stderr or b"Broken" in other.stderr


def test_bad_arguments() -> None:
    done = subprocess.run([*COMMAND, "--frobnicate"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 2
    assert "--frobnicate" in done.stderr
    assert done.stdout == ""


def test_a_server_that_cannot_start_says_why(monkeypatch, runtime: Path) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    runtime.mkdir(mode=0o700)
    (runtime / "server.log").write_text("of a server before\n")
    with pytest.raises(ServerUnavailable, match=r"did not start: no word in .*server\.log"):
        call(None, "nav.server.status", {}, 10)


def test_the_client_answers_requests_of_the_server() -> None:
    left, right = socket.socketpair()
    with left, Connection(right) as connection:
        ask = {"jsonrpc": "2.0", "id": 7, "method": "window/workDoneProgress/create", "params": {}}
        odd = {"jsonrpc": "2.0", "id": 8, "method": "workspace/configuration", "params": {}}
        left.sendall(frame(ask) + frame(odd) + frame({"jsonrpc": "2.0", "id": 1, "result": 42}))
        assert connection.request("x", None, time.monotonic() + 5) == 42
        sent = left.recv(4096)
        assert b'"result":null' in sent
        assert b"-32601" in sent
