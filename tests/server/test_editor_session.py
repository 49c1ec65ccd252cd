"""What an editor asks, answered by a real process about a small repository."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import Editor, LspError

FILES = {
    "app.py": """\
from lib import Base, helper


class Child(Base):
    def run(self):
        return helper(1) + self.twice()


def main():
    child = Child()
    child.run()
    return helper(2)


print(main())
""",
    "lib.py": '''\
class Base:
    """The base."""

    def twice(self):
        return helper(0)


def helper(number):
    """Help."""
    return number


def guess(thing):
    return thing.run()


handlers = [helper]
''',
    "wide.py": "def ärger(): pass\n\n\ns = '🎉🎉'; ärger(); s = '🎉'; ärger()\n",
    "old.py": "@deprecated('Use twofold.')\ndef double(n):\n    return twofold(n)\n\n\ndef twofold(n):\n    return 2 * n\n",
    "sub/deep file.py": "from lib import helper\n\n\ndef below():\n    helper(3)\n",
}


pytestmark = pytest.mark.usefixtures("shared_runtime")


@pytest.fixture(scope="module")
def root(make_repo: Callable[[dict[str, str]], Path], shared_runtime: Path) -> Path:
    return make_repo(FILES)


@pytest.fixture(scope="module")
def editor(root: Path, ready: Callable[[Editor], Editor]) -> Iterator[Editor]:
    session = Editor(root, codeLens=True)
    session.initialize(
        textDocument={
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
            "hover": {"contentFormat": ["markdown"]},
            "definition": {"linkSupport": True},
        },
        window={"workDoneProgress": True},
    )
    yield ready(session)
    session.stop()


def _item(editor: Editor, path: str, line: int, character: int) -> Any:
    return editor.request("textDocument/prepareCallHierarchy", editor.at(path, line, character))[0]


def _incoming(editor: Editor, path: str, line: int, character: int) -> dict[str, list[int]]:
    calls = editor.request("callHierarchy/incomingCalls", {"item": _item(editor, path, line, character)})
    return {call["from"]["name"]: [one["start"]["line"] for one in call["fromRanges"]] for call in calls}


def _names(nodes: Any) -> Any:
    return [(node["name"], _names(node["children"])) for node in nodes]


def test_incoming_calls(editor: Editor) -> None:
    assert _incoming(editor, "lib.py", 7, 5) == {"run": [5], "main": [11], "twice": [4], "below": [4]}


def test_a_place_that_refers_to_it_does_as_well(editor: Editor) -> None:
    assert _item(editor, "app.py", 11, 12)["name"] == "helper"
    assert _item(editor, "app.py", 11, 17)["name"] == "helper", "the end of the name counts"


def test_a_module_is_a_caller(editor: Editor, root: Path) -> None:
    calls = editor.request("callHierarchy/incomingCalls", {"item": _item(editor, "app.py", 8, 5)})
    assert [call["from"]["name"] for call in calls] == ["app.py"]
    assert calls[0]["from"]["uri"] == (root / "app.py").as_uri()
    assert "module level" in calls[0]["from"]["detail"]


def test_evidence_is_shown_and_possible_callers_are_told_apart(editor: Editor) -> None:
    calls = editor.request("callHierarchy/incomingCalls", {"item": _item(editor, "app.py", 4, 9)})
    details = {call["from"]["name"]: call["from"]["detail"] for call in calls}
    assert details["main"].startswith("type")
    assert details["guess (possible)"].startswith("possible: the receiver's type is not known")


def test_the_items_of_an_answer_can_be_asked_further(editor: Editor) -> None:
    calls = editor.request("callHierarchy/incomingCalls", {"item": _item(editor, "lib.py", 7, 5)})
    run = next(call["from"] for call in calls if call["from"]["name"] == "run")
    above = editor.request("callHierarchy/incomingCalls", {"item": run})
    assert above[0]["from"]["name"] == "main"


def test_outgoing_calls_in_the_order_of_the_source(editor: Editor) -> None:
    calls = editor.request("callHierarchy/outgoingCalls", {"item": _item(editor, "app.py", 4, 9)})
    assert [(call["to"]["name"], call["fromRanges"][0]["start"]) for call in calls] == [
        ("helper", {"line": 5, "character": 15}),
        ("twice", {"line": 5, "character": 32}),
    ]


def test_outgoing_calls_of_a_module(editor: Editor) -> None:
    calls = editor.request("callHierarchy/incomingCalls", {"item": _item(editor, "app.py", 8, 5)})
    outgoing = editor.request("callHierarchy/outgoingCalls", {"item": calls[0]["from"]})
    assert "main" in [call["to"]["name"] for call in outgoing]


def test_nothing_under_the_cursor(editor: Editor) -> None:
    at = editor.at("app.py", 1, 0)
    assert editor.request("textDocument/prepareCallHierarchy", at) is None
    assert editor.request("textDocument/hover", at) is None
    assert editor.request("textDocument/definition", at) == []


def test_document_symbols(editor: Editor, root: Path) -> None:
    symbols = editor.request("textDocument/documentSymbol", {"textDocument": {"uri": (root / "app.py").as_uri()}})
    assert _names(symbols) == [("Child", [("run", [])]), ("main", [])]
    assert symbols[0]["kind"] == 5
    assert symbols[0]["selectionRange"]["start"] == {"line": 3, "character": 6}
    assert symbols[0]["children"][0]["detail"].startswith("def run")


def test_deprecated_symbols_are_tagged(editor: Editor, root: Path) -> None:
    uri = (root / "old.py").as_uri()
    symbols = editor.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [(symbol["name"], symbol.get("tags")) for symbol in symbols] == [("double", [1]), ("twofold", None)]
    assert editor.request("workspace/symbol", {"query": "double"})[0]["tags"] == [1]
    (item,) = editor.request("textDocument/prepareCallHierarchy", editor.at("old.py", 5, 6))
    (call,) = editor.request("callHierarchy/incomingCalls", {"item": item})
    assert (item.get("tags"), call["from"]["tags"]) == (None, [1])


def test_workspace_symbols(editor: Editor) -> None:
    found = editor.request("workspace/symbol", {"query": "hlp"})
    assert found[0]["name"] == "helper"
    resolved = editor.request("workspaceSymbol/resolve", found[0])
    assert resolved["location"] == found[0]["location"]
    assert editor.request("workspace/symbol", {"query": "Child.run"})[0]["name"] == "run"
    assert editor.request("workspace/symbol", {"query": ""}) == []


def test_definition(editor: Editor, root: Path) -> None:
    links = editor.request("textDocument/definition", editor.at("app.py", 5, 17))
    assert [link["targetUri"] for link in links] == [(root / "lib.py").as_uri()]
    assert links[0]["targetSelectionRange"]["start"] == {"line": 7, "character": 4}
    assert links[0]["originSelectionRange"]["start"] == {"line": 5, "character": 15}


def test_references(editor: Editor) -> None:
    params = editor.at("lib.py", 7, 5)
    with_it = editor.request("textDocument/references", params | {"context": {"includeDeclaration": True}})
    without = editor.request("textDocument/references", params | {"context": {"includeDeclaration": False}})
    assert len(with_it) == len(without) + 1
    assert {(one["uri"].rsplit("/", 1)[1], one["range"]["start"]["line"]) for one in without} >= {
        ("app.py", 5),
        ("app.py", 11),
        ("lib.py", 4),
        ("lib.py", 16),
        ("deep%20file.py", 4),
    }


def test_type_hierarchy(editor: Editor) -> None:
    base = editor.request("textDocument/prepareTypeHierarchy", editor.at("lib.py", 0, 7))[0]
    below = editor.request("typeHierarchy/subtypes", {"item": base})
    assert [item["name"] for item in below] == ["Child"]
    assert [item["name"] for item in editor.request("typeHierarchy/supertypes", {"item": below[0]})] == ["Base"]
    assert editor.request("textDocument/prepareTypeHierarchy", editor.at("lib.py", 7, 5)) is None


def test_implementation(editor: Editor) -> None:
    found = editor.request("textDocument/implementation", editor.at("lib.py", 0, 7))
    assert [one["range"]["start"] for one in found] == [{"line": 3, "character": 6}]


def test_document_highlight(editor: Editor) -> None:
    found = editor.request("textDocument/documentHighlight", editor.at("app.py", 11, 12))
    assert [one["range"]["start"]["line"] for one in found] == [0, 5, 11]


def test_hover_counts_callers_with_their_evidence(editor: Editor) -> None:
    text = editor.request("textDocument/hover", editor.at("lib.py", 7, 5))["contents"]["value"]
    assert text.startswith("```python\ndef helper(number)")
    assert "4 callers (call sites: 4 exact), 1 use as a value" in text
    text = editor.request("textDocument/hover", editor.at("app.py", 4, 9))["contents"]["value"]
    assert "1 caller (call sites: 1 type), 1 possible" in text


def test_code_lenses(editor: Editor) -> None:
    lenses = editor.request("textDocument/codeLens", {"textDocument": {"uri": editor.uri("lib.py")}})
    assert all("command" not in lens for lens in lenses), "they are counted when they are shown"
    lens = next(lens for lens in lenses if lens["range"]["start"]["line"] == 7)
    command = editor.request("codeLens/resolve", lens)["command"]
    assert command["title"] == "4 callers"
    assert command["arguments"] == [editor.uri("lib.py"), {"line": 7, "character": 4}]


def test_no_lenses_unless_asked_for(root: Path) -> None:
    session = Editor(root)
    assert "codeLensProvider" not in session.initialize()["capabilities"]
    session.stop()


@pytest.mark.parametrize(
    "encoding, first, second",
    [("utf-8", 16, 38), ("utf-16", 12, 31), ("utf-32", 10, 28)],
)
def test_columns_in_each_encoding(
    root: Path, ready: Callable[[Editor], Editor], encoding: str, first: int, second: int
) -> None:
    session = Editor(root, encodings=(encoding,))
    assert session.initialize()["capabilities"]["positionEncoding"] == encoding
    ready(session)
    calls = session.request("callHierarchy/incomingCalls", {"item": _item(session, "wide.py", 0, 5)})
    assert [one["start"]["character"] for one in calls[0]["fromRanges"]] == [first, second]
    back = session.request("textDocument/definition", session.at("wide.py", 3, second + 1))
    assert back[0]["range"]["start"] == {"line": 0, "character": 4}
    session.stop()


def test_a_client_that_names_no_encoding_gets_utf16(root: Path) -> None:
    session = Editor(root, encodings=("utf-7",))
    assert session.initialize()["capabilities"]["positionEncoding"] == "utf-16"
    session.stop()


def test_unsaved_text_counts(editor: Editor) -> None:
    text = FILES["app.py"]
    editor.open("app.py")
    addition = "\n\ndef extra():\n    helper(4)\n"
    end = {"line": len(text.splitlines()), "character": 0}
    editor.change("app.py", 2, {"range": {"start": end, "end": end}, "text": addition})
    assert "extra" in _incoming(editor, "lib.py", 7, 5)
    start = {"line": 0, "character": 0}
    editor.change("app.py", 3, {"range": {"start": start, "end": start}, "text": "# moved\r\n"})
    assert _incoming(editor, "lib.py", 7, 5)["main"] == [12]
    editor.close_file("app.py")
    assert _incoming(editor, "lib.py", 7, 5) == {"run": [5], "main": [11], "twice": [4], "below": [4]}


def test_broken_unsaved_text_keeps_the_rest(editor: Editor) -> None:
    editor.open("app.py", FILES["app.py"].replace("child.run()", "child.run("))
    assert "run" in _incoming(editor, "lib.py", 7, 5)
    editor.close_file("app.py")


def test_a_saved_file_has_its_new_caller(editor: Editor, root: Path) -> None:
    before = FILES["sub/deep file.py"]
    path = "sub/deep file.py"
    editor.open(path)
    after = before + "\n\ndef fresh():\n    helper(5)\n"
    editor.change(path, 2, {"text": after})
    editor.save(path, after)
    assert "fresh" in _incoming(editor, "lib.py", 7, 5)
    editor.change(path, 3, {"text": before})
    editor.save(path, before)
    assert "fresh" not in _incoming(editor, "lib.py", 7, 5)
    editor.close_file(path)


def test_an_item_is_found_again_after_the_file_moved_on(editor: Editor) -> None:
    item = _item(editor, "app.py", 8, 5)
    editor.open("app.py", "\n\n" + FILES["app.py"])
    calls = editor.request("callHierarchy/incomingCalls", {"item": item})
    assert [one["start"]["line"] for one in calls[0]["fromRanges"]] == [16]
    editor.close_file("app.py")
    item = _item(editor, "app.py", 8, 5) | {"data": None}
    assert editor.request("callHierarchy/incomingCalls", {"item": item}), "by its place, without our data"


def test_a_file_outside_of_the_workspace_is_nobodys(editor: Editor, root: Path) -> None:
    for uri in (
        "file:///etc/passwd",
        (root.parent / "x.py").as_uri(),
        f"{root.as_uri()}/../x.py",
        "untitled:1",
        "%",
        f"{root.as_uri()}/%FF.py",
        f"{root.as_uri()}/{'x' * 9000}.py",
        f"{root.as_uri()}/a%00.py",
    ):
        params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        assert not editor.request("textDocument/prepareCallHierarchy", params)
        assert not editor.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})


@pytest.mark.parametrize(
    "method, params",
    [
        ("textDocument/hover", None),
        ("textDocument/hover", []),
        ("textDocument/hover", {"textDocument": 3}),
        ("textDocument/hover", {"textDocument": {"uri": "file:///x"}, "position": {"line": "a", "character": 1}}),
        ("textDocument/hover", {"textDocument": {"uri": "file:///x"}, "position": {"line": -1, "character": 1}}),
        ("callHierarchy/incomingCalls", {"item": {"name": "x"}}),
        ("workspace/symbol", {}),
        ("workspace/executeCommand", {"command": "nav.nonsense"}),
        ("workspace/executeCommand", {"command": 7, "arguments": "x"}),
    ],
)
def test_bad_params_get_a_clear_error(editor: Editor, method: str, params: Any) -> None:
    with pytest.raises(LspError) as caught:
        editor.request(method, params)
    assert caught.value.code == -32602
    assert "Traceback" not in caught.value.message
    assert editor.request("workspace/symbol", {"query": "helper"})


@pytest.mark.parametrize(
    "data",
    [None, 7, "x", {}, {"id": "x"}, {"id": 10**30}, {"id": 1, "generation": 1, "uri": "", "path": "../x", "key": "\0"}],
)
def test_an_item_with_foreign_data(editor: Editor, data: Any) -> None:
    item = _item(editor, "app.py", 8, 5) | {"data": data}
    assert editor.request("callHierarchy/incomingCalls", {"item": item})[0]["from"]["name"] == "app.py"


def test_positions_beyond_the_text(editor: Editor) -> None:
    for line, character in ((0, 2**31 - 1), (2**31 - 1, 0), (2**31 - 1, 2**31 - 1)):
        editor.request("textDocument/hover", editor.at("wide.py", line, character))


def test_an_unknown_method_is_refused(editor: Editor) -> None:
    with pytest.raises(LspError) as caught:
        editor.request("textDocument/formatting", {})
    assert caught.value.code == -32601
    editor.notify("$/unknown", {"x": 1})
    editor.notify("unknown/unknown", None)
    assert editor.request("workspace/symbol", {"query": "helper"})


def test_messages_that_are_none(editor: Editor) -> None:
    for body in (b"{", b"[]", b"7", b'"x"', b"null", b'{"jsonrpc":"2.0","id":{},"method":"x"}', b"\xff\xfe"):
        editor.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    editor.send({"id": "unasked", "result": 1}, {"id": None, "method": "shutdown"}, {"method": 5})
    assert editor.request("workspace/symbol", {"query": "helper"})


def test_before_initialize_and_after_shutdown(root: Path) -> None:
    session = Editor(root)
    with pytest.raises(LspError) as caught:
        session.request("workspace/symbol", {"query": "x"})
    assert caught.value.code == -32002
    session.initialize()
    with pytest.raises(LspError, match="initialized already"):
        session.initialize()
    session.request("shutdown", None)
    with pytest.raises(LspError) as caught:
        session.request("workspace/symbol", {"query": "x"})
    assert caught.value.code == -32600
    session.notify("exit", None)
    assert session.end() == 0


def test_buffers_with_what_json_can_carry(editor: Editor) -> None:
    editor.send_bytes(
        _raw(
            '{"textDocument":{"uri":"%s","languageId":"x","version":1,"text":"s = \'\\ud83d\'; main()\\u2028"}}',
            editor.uri("new.py"),
        )
    )
    outline = editor.request("textDocument/documentSymbol", {"textDocument": {"uri": editor.uri("new.py")}})
    assert [symbol["name"] for symbol in outline] == ["s"]
    editor.close_file("new.py")


def _raw(params: str, uri: str) -> bytes:
    body = ('{"jsonrpc":"2.0","method":"textDocument/didOpen","params":' + params % uri + "}").encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def test_several_folders(editor: Editor, make_repo: Callable[[dict[str, str]], Path]) -> None:
    other = make_repo({"other.py": "def helper_of_other(): pass\n"})
    folder = {"uri": other.as_uri(), "name": "other"}
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    editor.notification("nav/status", lambda s: s["root"] == other.as_uri() and s["state"] == "fresh")
    names = [symbol["name"] for symbol in editor.request("workspace/symbol", {"query": "helper"})]
    assert {"helper", "helper_of_other"} <= set(names)
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
    names = [symbol["name"] for symbol in editor.request("workspace/symbol", {"query": "helper"})]
    assert "helper_of_other" not in names


def test_a_folder_inside_of_the_repository_behind_a_link(root: Path, tmp_path: Path, ready) -> None:
    link = tmp_path / "link"
    link.symlink_to(root / "sub")
    session = Editor(link)
    session.initialize()
    ready(session)
    item = _item(session, "deep file.py", 3, 5)
    assert item["name"] == "below"
    session.stop()


def test_a_change_outside_of_the_editor_arrives(editor: Editor, root: Path) -> None:
    late = root / "late.py"
    late.write_text("from lib import helper\n\n\ndef late():\n    helper(6)\n")
    try:
        _eventually(lambda: "late" in _incoming(editor, "lib.py", 7, 5))
    finally:
        late.unlink()
    _eventually(lambda: "late" not in _incoming(editor, "lib.py", 7, 5))


def _eventually(condition: Callable[[], bool]) -> None:
    import time

    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_progress_is_shown_only_to_those_who_can(root: Path) -> None:
    session = Editor(root)
    session.initialize()
    session.request("workspace/symbol", {"query": "helper"})
    methods = {message["method"] for message in session.messages if "method" in message}
    assert methods <= {"nav/status"}
    session.stop()


@pytest.mark.parametrize(
    "uri", ["untitled:x", "file:///nowhere/at/all", "file:///etc/passwd", "%%%", "file:///" + "x" * 9000]
)
def test_folders_that_are_none(uri: str) -> None:
    session = Editor(None)
    folders = [{"uri": uri, "name": "x"}]
    session.request("initialize", {"processId": None, "rootUri": uri, "capabilities": {}, "workspaceFolders": folders})
    assert session.request("workspace/symbol", {"query": "x"}) == []
    with pytest.raises(LspError, match="no workspace folder"):
        session.command("nav.status")
    session.stop()


def test_a_home_folder_is_not_indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "x.py").write_text("def x(): pass\n")
    session = Editor(tmp_path, "--standalone")
    session.initialize()
    assert "no project" in session.notification("nav/status", lambda status: status["state"] == "off")["message"]
    with pytest.raises(LspError, match="no project"):
        session.command("nav.status")
    session.stop()
