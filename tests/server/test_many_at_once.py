"""Several editors, cancelled requests, and processes that die at the wrong moment."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import Editor, LspError

from nav_ls.client.connection import listening_pid

pytestmark = pytest.mark.usefixtures("shared_runtime")

FILES = {
    "lib.py": "def helper():\n    pass\n",
    "user.py": "from lib import helper\n\n\ndef user():\n    helper()\n",
}


_PADDING = "".join(f"def pad{n}(x):\n    return x.y(pad{n})\n" for n in range(50))


@pytest.fixture
def root(make_repo: Callable[[dict[str, str]], Path]) -> Path:
    return make_repo(FILES)


def _incoming(editor: Editor) -> dict[str, Any]:
    item = editor.request("textDocument/prepareCallHierarchy", editor.at("lib.py", 0, 5))[0]
    calls = editor.request("callHierarchy/incomingCalls", {"item": item})
    return {call["from"]["name"]: call["fromRanges"][0]["start"] for call in calls}


def test_what_one_editor_has_not_saved_the_other_one_sees(root: Path, ready: Callable[[Editor], Editor]) -> None:
    text = "from lib import helper\n\n\ndef other():\n    '🎉'; helper()\n"
    with Editor(root) as first, Editor(root, encodings=("utf-8",)) as second:
        ready(first)
        first.open("user.py", text)
        first.request("workspace/symbol", {"query": "other"})
        assert _incoming(first) == {"other": {"line": 4, "character": 10}}
        assert _incoming(second) == {"other": {"line": 4, "character": 12}}
        second.open("user.py")
        assert list(_incoming(second)) == ["user"], "the last edit counts"
        second.close_file("user.py")
        assert list(_incoming(second)) == ["other"], "the other editor still has it open"
        first.process.kill()
        first.end()
        until = time.monotonic() + 10
        while list(_incoming(second)) != ["user"]:
            assert time.monotonic() < until, "a dead editor's text must not stay"


def test_a_request_can_be_cancelled(root: Path, ready: Callable[[Editor], Editor]) -> None:
    with Editor(root) as editor:
        ready(editor)
        ask = {"id": "a", "method": "workspace/symbol", "params": {"query": "helper"}}
        editor.send(ask, {"method": "$/cancelRequest", "params": {"id": "a"}})
        assert editor.answer("a")["error"]["code"] == -32800
        editor.notify("$/cancelRequest", {"id": "never sent"})
        assert editor.request("workspace/symbol", {"query": "helper"})


def test_two_requests_with_one_id(root: Path) -> None:
    with Editor(root) as editor:
        ask = {"id": "a", "method": "workspace/symbol", "params": {"query": "helper"}}
        editor.send(ask, ask)
        editor.wait(lambda: len([m for m in editor.messages if m.get("id") == "a"]) == 2)
        answers = [message for message in editor.messages if message.get("id") == "a"]
        assert sorted("error" in answer for answer in answers) == [False, True]


def test_answers_come_while_the_first_index_is_made(make_repo: Callable[[dict[str, str]], Path]) -> None:
    files = {f"m{n}.py": f"def f{n}():\n    pass\n" * 20 for n in range(300)}
    with Editor(make_repo(files)) as editor:
        begun = time.monotonic()
        editor.request("workspace/symbol", {"query": "f1"})
        assert time.monotonic() - begun < 5
        editor.notification("nav/status", lambda status: status["state"] == "fresh")
        assert editor.request("workspace/symbol", {"query": "f1"})


def test_an_editor_that_does_not_read_harms_nobody(root: Path, ready: Callable[[Editor], Editor]) -> None:
    with Editor(root) as editor:
        ready(editor)
        deaf = Editor(root)
        deaf.initialize()
        os.kill(deaf.process.pid, signal.SIGSTOP)
        try:
            for _ in range(20):
                assert _incoming(editor)
        finally:
            os.kill(deaf.process.pid, signal.SIGCONT)
        deaf.stop()


def test_a_large_answer_to_many_at_once(make_repo: Callable[[dict[str, str]], Path], ready: Any) -> None:
    root = make_repo({"big.py": "".join(f"def function_number_{n}():\n    pass\n" for n in range(2000))})
    with Editor(root) as first, Editor(root) as second:
        ready(first)
        params = {"textDocument": {"uri": first.uri("big.py")}}
        asked = [(one, one.start("textDocument/documentSymbol", params)) for one in (first, second) * 5]
        assert [len(one.finish(number)) for one, number in asked] == [2000] * 10


def test_a_large_message_arrives_whole(root: Path, ready: Callable[[Editor], Editor]) -> None:
    with Editor(root) as editor:
        ready(editor)
        text = "# " + "x" * 1000 + "\n"
        editor.open("user.py", text * 1500 + FILES["user.py"])
        assert _incoming(editor) == {"user": {"line": 1504, "character": 4}}


@pytest.mark.slow
def test_the_indexing_process_is_killed(make_repo: Callable[[dict[str, str]], Path], runtime: Path) -> None:
    files = {f"m{n}.py": f"from lib import helper\ndef f{n}():\n    helper()\n" + _PADDING for n in range(400)}
    with Editor(make_repo(FILES | files)) as editor:
        server = listening_pid(runtime / "server.sock")
        assert server is not None
        killed: list[int] = []
        watch = threading.Thread(target=_kill_children, args=(server, killed))
        watch.start()
        editor.notification("nav/status", lambda status: status["state"] == "fresh", patience=60)
        watch.join()
        assert killed
        assert len(_incoming(editor)) > 300


def _kill_children(server: int, killed: list[int]) -> None:
    children = Path(f"/proc/{server}/task/{server}/children")
    until = time.monotonic() + 5
    while not killed and time.monotonic() < until:
        for task in children.parent.parent.iterdir():
            for pid in (task / "children").read_text().split():
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a git that has told what was asked
                    if b"nav_ls.index" not in Path(f"/proc/{pid}/cmdline").read_bytes():
                        continue
                    time.sleep(0.3)
                    os.kill(int(pid), signal.SIGKILL)
                    killed.append(int(pid))
        time.sleep(0.02)


@pytest.mark.slow
def test_the_server_is_killed_while_it_indexes(make_repo: Callable[[dict[str, str]], Path], runtime: Path) -> None:
    files = {f"m{n}.py": f"from lib import helper\ndef f{n}():\n    helper()\n" + _PADDING for n in range(400)}
    root = make_repo(FILES | files)
    first = Editor(root)
    first.initialize()
    first.notification("nav/status", lambda status: status["state"] == "indexing")
    time.sleep(0.5)
    server = listening_pid(runtime / "server.sock")
    assert server is not None
    os.kill(server, signal.SIGKILL)
    # Another server takes the session over, and builds the index from what is there.
    first.notification("nav/status", lambda status: status["state"] == "fresh", patience=60)
    assert listening_pid(runtime / "server.sock") not in (None, server)
    assert len(_incoming(first)) > 300
    first.stop()


def test_bad_settings_of_a_repository_are_told(make_repo: Callable[[dict[str, str]], Path]) -> None:
    root = make_repo({"nav.toml": "[index]\nworkers = 'many'\n"})
    with Editor(root) as editor:
        said = editor.notification("nav/status", lambda status: status["state"] == "off")
        assert "workers" in said["message"]
        with pytest.raises(LspError, match="workers") as caught:
            editor.request("workspace/symbol", {"query": "x"})
        assert caught.value.code == -32803
