"""Sessions of real editors, as they were recorded (see `record.py`), said again to the server of today."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import Editor
from lsprotocol import converters, types

from nav_ls.server.documents import Change, Document
from nav_ls.server.uris import path_of

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.jsonl"))
CONVERTER = converters.get_converter()


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda path: path.stem)
def test_a_recorded_session(
    recording: Path, make_repo: Callable[[dict[str, str]], Path], ready: Callable[[Editor], Editor]
) -> None:
    lines = recording.read_text("utf-8").splitlines()
    root = make_repo(json.loads(lines[0])["files"])
    said = [json.loads(line.replace("${root}", str(root))) for line in lines[1:]]
    session = Editor(root, "--standalone")
    documents: dict[str, Document] = {}
    for one in said:
        message = one["say"]
        _follow(documents, message)
        session.send(message)
        if "id" in message:
            _check(session.answer(message["id"]), message, answered=one["answered"])
        if message["method"] == "initialized":
            ready(session)
    assert session.end() == 0
    _check_progress([one for one in session.messages if one.get("method") == "$/progress"])


def _follow(documents: dict[str, Document], message: dict[str, Any]) -> None:
    """Do to the disk what the editor did."""
    method, params = message["method"], message.get("params")
    if method == types.TEXT_DOCUMENT_DID_OPEN:
        item = params["textDocument"]
        documents[item["uri"]] = Document(item["uri"], item["text"], item["version"])
    elif method == types.TEXT_DOCUMENT_DID_CHANGE:
        changes = [_change(change) for change in params["contentChanges"]]
        documents[params["textDocument"]["uri"]].apply(changes, params["textDocument"]["version"], "utf-16")
    elif method == types.TEXT_DOCUMENT_DID_SAVE:
        uri = params["textDocument"]["uri"]
        path = path_of(uri)
        assert path is not None
        path.write_bytes(documents[uri].text.encode())


def _change(change: dict[str, Any]) -> Change:
    if "range" not in change:
        return Change(change["text"])
    start, end = ((at["line"], at["character"]) for at in (change["range"]["start"], change["range"]["end"]))
    return Change(change["text"], start, end)


def _check(answer: dict[str, Any], message: dict[str, Any], *, answered: bool) -> None:
    """An answer is no error, is of the type that LSP gives it, and is not empty where it was not."""
    assert "error" not in answer, (message, answer)
    if answered:
        assert answer["result"], (message, answer)
    _, response, *_ = types.METHOD_TO_TYPES[message["method"]]
    CONVERTER.structure(answer, response)  # raises where the answer has another shape


def _check_progress(said: list[dict[str, Any]]) -> None:
    kinds: dict[Any, list[str]] = {}
    for one in said:
        kinds.setdefault(one["params"]["token"], []).append(one["params"]["value"]["kind"])
    for told in kinds.values():
        assert told[0] == "begin"
        assert told[-1] == "end"
        assert set(told[1:-1]) <= {"report"}
