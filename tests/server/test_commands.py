"""The nav.* table through the server: for editors, and for clients that run a single command."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import Editor, LspError

from nav_ls.client.call import call
from nav_ls.client.connection import DeadlineExceeded, RequestFailed, ServerUnavailable
from tests.endpoints.fake_messages import fake_messages

FILES = {"lib.py": "def helper():\n    pass\n\n\ndef twin(): pass\n", "other.py": "def twin(): pass\n"}


@pytest.fixture(scope="module")
def root(make_repo: Callable[[dict[str, str]], Path], shared_runtime: Path) -> Path:
    return make_repo(FILES)


@pytest.fixture(scope="module")
def editor(root: Path) -> Iterator[Editor]:
    with Editor(root) as session:
        yield session


def _callers(root: Path, **options: Any) -> list[str]:
    answer = call(root, "nav.callers", {"target": "helper"}, 60, **options)
    return [caller["symbol"] for caller in answer["callers"]]


def test_the_first_command_waits_for_the_first_index(root: Path) -> None:
    (root / "user.py").write_text("from lib import helper\n\n\ndef user():\n    helper()\n")
    told: list[dict[str, Any]] = []
    assert _callers(root, progress=told.append) == ["user"]
    assert told[0]["kind"] == "begin"
    assert told[-1]["kind"] == "end"
    (root / "user.py").unlink()


def test_what_was_written_before_the_question_is_known(root: Path) -> None:
    assert _callers(root) == []
    for number in range(5):
        (root / f"user{number}.py").write_text(f"from lib import helper\n\n\ndef user{number}():\n    helper()\n")
        assert f"user{number}" in _callers(root)
        (root / f"user{number}.py").unlink()
        assert _callers(root) == []


def test_unsaved_text_of_an_editor_counts_for_commands(root: Path, editor: Editor) -> None:
    editor.open("lib.py", FILES["lib.py"] + "\n\ndef unsaved():\n    helper()\n")
    editor.command("nav.callers", {"target": "helper"})
    assert _callers(root) == ["unsaved"]
    editor.close_file("lib.py")


def test_an_editor_runs_commands(editor: Editor, root: Path) -> None:
    answer = editor.command("nav.symbols", {"query": "hel"})
    assert [symbol["symbol"] for symbol in answer["symbols"]] == ["helper"]
    assert answer["freshness"]["stale"] is False
    assert editor.command("nav.symbols", {"query": "hel"}, {"root": str(root)})["symbols"]
    assert editor.command("nav.symbols", {"query": "hel"}, {"root": root.as_uri()})["symbols"]


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([{"target": 3}], "target"),
        ([{}], "target"),
        ([{"target": "helper", "frobnicate": 1}], "frobnicate"),
        (["x"], "object"),
        ([{"target": "helper", "limit": -1}], "limit"),
        ([{"target": "helper"}, {"root": "/nowhere"}], "no workspace folder"),
        ([{"target": "helper"}, {"root": 3}], "second argument"),
        ([{"target": "helper"}, 3], "second argument"),
        ([{"target": "twin"}], "other.py:twin"),
    ],
)
def test_bad_params_say_what_is_wrong(editor: Editor, arguments: list[Any], said: str) -> None:
    with pytest.raises(LspError, match=said) as caught:
        editor.command("nav.callers", *arguments)
    assert caught.value.code == -32602


def test_our_own_clients_learn_which_error_it_is(root: Path) -> None:
    with pytest.raises(RequestFailed) as caught:
        call(root, "nav.callers", {"target": "nothing_of_that_name"}, 60)
    assert caught.value.data == {"kind": "NotFoundError", "exit_code": 3}


def test_no_server_and_none_wanted(tmp_path: Path, runtime: Path) -> None:
    with pytest.raises(ServerUnavailable):
        call(tmp_path, "nav.status", {}, 5, start=False)


def test_an_answer_that_comes_too_late(root: Path) -> None:
    call(root, "nav.status", {}, 60)
    with pytest.raises(DeadlineExceeded):
        call(root, "nav.status", {}, 0.0001)
    assert call(root, "nav.status", {}, 60)["root"] == str(root)


def test_indexing_shows_its_progress(editor: Editor) -> None:
    params = {"command": "nav.index", "arguments": [{"full": True}], "workDoneToken": "t"}
    answer = editor.request("workspace/executeCommand", params)
    assert answer["report"]["files"] == 2
    assert editor.notification("$/progress", lambda said: said["value"]["kind"] == "end")["token"] == "t"


def test_many_clients_ask_at_once(root: Path) -> None:
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(_callers(root))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == [[]] * 12


def test_a_folder_that_is_none(tmp_path: Path, shared_runtime: Path) -> None:
    with pytest.raises(RequestFailed, match="no workspace folder"):
        call(tmp_path / "missing", "nav.status", {}, 30)


def test_an_index_that_was_deleted_is_made_again(root: Path) -> None:
    assert _callers(root) == []
    shutil.rmtree(root / ".nav")
    assert _callers(root) == []
    assert (root / ".nav").is_dir()


def test_an_index_that_was_damaged_is_made_again(root: Path) -> None:
    assert _callers(root) == []
    for database in (root / ".nav").glob("nav-*.db*"):
        database.write_bytes(b"nonsense" * 1000)
    assert _callers(root) == []


def test_an_answer_is_streamed_while_it_is_written(
    make_repo: Callable[[dict[str, str]], Path], runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake_messages(lambda body: "It does nothing [lib.py:1-2].") as fake:
        monkeypatch.setenv("NAV_LLM_URL", fake.url)
        monkeypatch.setenv("NAV_SEARCH_EMBEDDER", "none")
        monkeypatch.setenv("NAV_SEARCH_MIN_UNIT_BYTES", "4")
        with Editor(make_repo(FILES), "--standalone") as editor:
            params = {"command": "nav.ask", "arguments": [{"question": "what does helper do?"}], "workDoneToken": "t"}
            answer = editor.request("workspace/executeCommand", params)
            assert (answer["status"], answer["answer"]) == ("answered", "It does nothing [lib.py:1-2].")
            assert answer["citations"][0]["status"] == "valid"
            told = [message["params"]["value"] for message in editor.messages if message.get("method") == "$/progress"]
            pieces = [value["partial"]["text"] for value in told if "partial" in value]
            assert len(pieces) > 1
            assert "".join(pieces) == answer["answer"]


def test_half_a_character_in_a_parameter_is_answered(root: Path) -> None:
    for params, why in [
        ({"target": "he\ud800"}, "no definition named 'he?'"),
        ({"target": "x", "limit": "\ud800"}, "limit"),
    ]:
        with pytest.raises(RequestFailed, match=why.replace("?", r"\?")):
            call(root, "nav.callers", params, 60)


def test_an_error_that_quotes_half_a_character_reaches_the_client(editor: Editor) -> None:
    with pytest.raises(LspError, match="there is no command"):
        editor.request("workspace/executeCommand", {"command": "\ud800"})
    assert editor.command("nav.server.status")["pid"]


@pytest.mark.usefixtures("shared_runtime")
def test_a_range_with_a_nul_is_no_range(make_repo: Callable[[dict[str, str]], Path]) -> None:
    root = make_repo(FILES)
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    subprocess.run(["git", "-C", str(root), *identity, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    with pytest.raises(RequestFailed, match="there is no commit"):
        call(root, "nav.conform", {"range": "a\0b"}, 60)
