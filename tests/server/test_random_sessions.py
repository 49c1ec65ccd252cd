"""Whatever an editor does in which order, no request ends in an internal error, and the server lives on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lsp_editor import Editor

FILES = {
    "a.py": "from b import Base, f\n\n\nclass A(Base):\n    def m(self):\n        return f(self.m())\n\n\nx = A().m\n",
    "b.py": "class Base:\n    def m(self):\n        pass\n\n\ndef f(x):\n    '🎉'; return f(x)\n",
    "c.go": "package c\n\ntype T struct{}\n\nfunc (t T) M() { N() }\n\nfunc N() { T{}.M() }\n",
}
PATHS = [*FILES, "new.py", "folder/none.go"]
PIECES = st.sampled_from(
    ["", "\n", "\r\n", "f(", ")", "def f():\n", "🎉", "é", "class A:\n  ", "func X() {", "\t", "'"]
)
LINES = st.integers(0, 12)
CHARACTERS = st.integers(0, 30)
AT_A_PLACE = [
    "textDocument/prepareCallHierarchy",
    "textDocument/prepareTypeHierarchy",
    "textDocument/definition",
    "textDocument/implementation",
    "textDocument/documentHighlight",
    "textDocument/hover",
    "textDocument/references",
]
FURTHER = {
    "textDocument/prepareCallHierarchy": ["callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"],
    "textDocument/prepareTypeHierarchy": ["typeHierarchy/supertypes", "typeHierarchy/subtypes"],
}

COMMANDS = {
    "nav.callers": "target",
    "nav.callees": "target",
    "nav.defs": "target",
    "nav.impact": "target",
    "nav.show": "target",
    "nav.symbols": "query",
    "nav.search": "query",
    "nav.outline": "path",
    "nav.graph.deps": "target",
    "nav.graph.dependents": "target",
    "nav.digest": "",
    "nav.status": "",
    "nav.index": "",
    "nav.nonsense": "",
}
"""And the name of a parameter that is a text."""
TARGETS = st.one_of(st.sampled_from(["f", "A.m", "b.py:Base.m", "c.go:5", "a.py", "new.py:1", ""]), st.text(max_size=8))

steps = st.one_of(
    st.tuples(st.just("open"), st.sampled_from(PATHS)),
    st.tuples(st.just("close"), st.sampled_from(PATHS)),
    st.tuples(st.just("edit"), st.sampled_from(PATHS), LINES, CHARACTERS, LINES, CHARACTERS, PIECES),
    st.tuples(st.just("save"), st.sampled_from(PATHS), st.lists(PIECES, max_size=6).map("".join)),
    st.tuples(st.just("delete"), st.sampled_from(PATHS)),
    st.tuples(st.just("ask"), st.sampled_from(AT_A_PLACE), st.sampled_from(PATHS), LINES, CHARACTERS),
    st.tuples(st.just("outline"), st.sampled_from(PATHS)),
    st.tuples(st.just("find"), st.text(max_size=5)),
    st.tuples(st.just("lenses"), st.sampled_from(PATHS)),
    st.tuples(st.just("command"), st.sampled_from([*COMMANDS]), TARGETS, st.booleans()),
    st.tuples(st.just("cancel")),
    st.tuples(st.just("leave and come back")),
    st.tuples(st.just("configure")),
)


@pytest.fixture(scope="module")
def editor(make_repo: Callable[[dict[str, str]], Path], ready: Callable[[Editor], Editor]) -> Iterator[Editor]:
    with Editor(make_repo(FILES), "--standalone", codeLens=True) as session:
        yield ready(session)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(steps, min_size=1, max_size=25))
def test_no_order_of_messages_is_an_internal_error(editor: Editor, actions: list[tuple[Any, ...]]) -> None:
    asked: list[int] = []
    for version, action in enumerate(actions, 2):
        _do(editor, asked, version, *action)
    for number in asked:
        answer = editor.answer(number)
        assert answer.get("error", {}).get("code") not in (-32603, -32700, -32600), answer
    for path in PATHS:
        editor.close_file(path)
    assert editor.process.poll() is None


def _do(editor: Editor, asked: list[int], version: int, action: str, *details: Any) -> None:
    assert editor.root is not None
    if action == "open":
        file = editor.root / details[0]
        editor.open(details[0], file.read_bytes().decode() if file.is_file() else "")
    elif action == "close":
        editor.close_file(details[0])
    elif action == "edit":
        path, line, character, end_line, end_character, text = details
        start, end = sorted([(line, character), (end_line, end_character)])
        places = [{"line": one[0], "character": one[1]} for one in (start, end)]
        editor.change(path, version, {"range": {"start": places[0], "end": places[1]}, "text": text})
    elif action == "save":
        (editor.root / details[0]).parent.mkdir(exist_ok=True)
        editor.save(details[0], FILES.get(details[0], "") + details[1])
    elif action == "delete":
        (editor.root / details[0]).unlink(missing_ok=True)
        changes = [{"uri": editor.uri(details[0]), "type": 3}]
        editor.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    elif action == "ask":
        _ask(editor, asked, *details)
    elif action == "outline":
        asked.append(editor.start("textDocument/documentSymbol", {"textDocument": {"uri": editor.uri(details[0])}}))
    elif action == "find":
        asked.append(editor.start("workspace/symbol", {"query": details[0]}))
        _resolve(editor, asked, "workspaceSymbol/resolve")
    elif action == "lenses":
        asked.append(editor.start("textDocument/codeLens", {"textDocument": {"uri": editor.uri(details[0])}}))
        _resolve(editor, asked, "codeLens/resolve")
    elif action == "command":
        _command(editor, asked, *details)
    elif action == "cancel":
        for number in asked[-1:]:
            editor.notify("$/cancelRequest", {"id": number})
    elif action == "leave and come back":
        folder = [{"uri": editor.root.as_uri(), "name": "root"}]
        for event in ({"added": [], "removed": folder}, {"added": folder, "removed": []}):
            editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    else:
        editor.notify("workspace/didChangeConfiguration", {"settings": None})


def _resolve(editor: Editor, asked: list[int], method: str) -> None:
    found = editor.answer(asked[-1]).get("result") or []
    asked += [editor.start(method, one) for one in found[:3]]


def _command(editor: Editor, asked: list[int], name: str, text: str, wanted: bool) -> None:
    """Run a command: with the parameter that it wants, or with one that it does not know."""
    parameter = COMMANDS[name] if wanted else "nonsense"
    arguments = [{parameter: text} if parameter else {}, {"sync": wanted}]
    params = {"command": name, "arguments": arguments, "workDoneToken": len(asked)}
    asked.append(editor.start("workspace/executeCommand", params))


def _ask(editor: Editor, asked: list[int], method: str, path: str, line: int, character: int) -> None:
    params = editor.at(path, line, character) | {"context": {"includeDeclaration": True}}
    asked.append(editor.start(method, params))
    for further in FURTHER.get(method, []):
        items = editor.answer(asked[-1]).get("result") or []
        asked += [editor.start(further, {"item": item}) for item in items]
