"""Parameters and local variables in an editor's session, saved and unsaved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import Editor

FILES = {
    "use.py": """\
import numpy as np
from fetch import LIMIT, Client, fetch


def load(url, names):
    total = '🎉'; total += url
    for name in names:  # name by name
        total = fetch(total, timeout=LIMIT) + np.sum(name)
    Client(retries=3)
    return total
""",
    "fetch.py": """\
LIMIT = 3


def fetch(url, timeout=1):
    return url * timeout


class Client:
    def __init__(self, retries):
        self.retries = retries
""",
    "count.go": "package p\n\nfunc count(items []int) int {\n\tn := 0\n\tfor range items {\n\t\tn++\n\t}\n\treturn n\n}\n",
}

pytestmark = pytest.mark.usefixtures("shared_runtime")


@pytest.fixture(scope="module")
def editor(
    make_repo: Callable[[dict[str, str]], Path], shared_runtime: Path, ready: Callable[[Editor], Editor]
) -> Iterator[Editor]:
    session = Editor(make_repo(FILES))
    session.initialize(textDocument={"hover": {"contentFormat": ["markdown"]}})
    yield ready(session)
    session.stop()


def _definition(editor: Editor, path: str, line: int, character: int) -> list[tuple[str, int, int]]:
    return _places(editor.request("textDocument/definition", editor.at(path, line, character)))


def _places(found: list[Any]) -> list[tuple[str, int, int]]:
    starts = [(one["uri"].rpartition("/")[2], one["range"]["start"]) for one in found]
    return [(name, start["line"], start["character"]) for name, start in starts]


def _references(editor: Editor, path: str, line: int, character: int, declaration: bool) -> list[tuple[str, int, int]]:
    params = editor.at(path, line, character) | {"context": {"includeDeclaration": declaration}}
    return _places(editor.request("textDocument/references", params))


def _highlight(editor: Editor, path: str, line: int, character: int) -> list[tuple[int, int, int, int]]:
    found = editor.request("textDocument/documentHighlight", editor.at(path, line, character))
    spans = [(one["range"]["start"], one["range"]["end"], one["kind"]) for one in found]
    return [(start["line"], start["character"], end["character"], kind) for start, end, kind in spans]


def _hover(editor: Editor, path: str, line: int, character: int) -> str:
    found = editor.request("textDocument/hover", editor.at(path, line, character))
    text: str = found["contents"]["value"] if found is not None else ""
    return text


def test_a_local_leads_to_where_it_is_bound(editor: Editor) -> None:
    assert _definition(editor, "use.py", 9, 13) == [("use.py", 5, 4)]
    assert _definition(editor, "use.py", 5, 28) == [("use.py", 4, 9)]
    assert _definition(editor, "count.go", 7, 8) == [("count.go", 3, 1)]


def test_references_of_a_local(editor: Editor) -> None:
    uses = [("use.py", 5, 18), ("use.py", 7, 8), ("use.py", 7, 22), ("use.py", 9, 11)]
    assert _references(editor, "use.py", 9, 12, declaration=False) == uses
    assert _references(editor, "use.py", 9, 12, declaration=True) == [("use.py", 5, 4), *uses]


def test_highlights_tell_reading_from_writing(editor: Editor) -> None:
    assert _highlight(editor, "use.py", 5, 20) == [
        (5, 4, 9, 3),
        (5, 18, 23, 3),
        (7, 8, 13, 3),
        (7, 22, 27, 2),
        (9, 11, 16, 2),
    ]
    assert _highlight(editor, "count.go", 3, 1) == [(3, 1, 2, 3), (5, 2, 3, 3), (7, 8, 9, 2)]


def test_hover_shows_the_line_that_declares(editor: Editor) -> None:
    shown = _hover(editor, "use.py", 7, 53)
    assert "for name in names:" in shown
    assert "variable of load · use.py:7" in shown
    assert "parameter of load · use.py:5" in _hover(editor, "use.py", 6, 17)


def test_keyword_arguments_lead_to_parameters(editor: Editor) -> None:
    assert _definition(editor, "use.py", 7, 31) == [("fetch.py", 3, 15)]
    assert _definition(editor, "use.py", 8, 12) == [("fetch.py", 8, 23)]
    assert "parameter of fetch · fetch.py:4" in _hover(editor, "use.py", 7, 31)


def test_the_receiver_is_a_parameter(editor: Editor) -> None:
    assert _definition(editor, "fetch.py", 9, 9) == [("fetch.py", 8, 17)]


def test_imports_lead_to_what_they_bring_else_to_themselves(editor: Editor) -> None:
    assert _definition(editor, "use.py", 1, 19) == [("fetch.py", 0, 0)]
    assert _definition(editor, "use.py", 7, 47) == [("use.py", 0, 16)]
    assert _highlight(editor, "use.py", 1, 19) == [(1, 18, 23, 3), (7, 37, 42, 2)]
    assert _references(editor, "fetch.py", 0, 1, declaration=False) == [("use.py", 1, 18), ("use.py", 7, 37)]


def test_nothing_in_comments_and_strings(editor: Editor) -> None:
    assert _definition(editor, "use.py", 6, 26) == []
    assert _highlight(editor, "use.py", 6, 26) == []
    assert _hover(editor, "use.py", 5, 14) == ""


def test_unsaved_text_counts(editor: Editor) -> None:
    editor.open("count.go", FILES["count.go"].replace("\tn := 0\n", "\tm := 1\n\tn := m\n"))
    assert _definition(editor, "count.go", 8, 8) == [("count.go", 4, 1)]
    assert _highlight(editor, "count.go", 4, 6) == [(3, 1, 2, 3), (4, 6, 7, 2)]
    editor.change("count.go", 2, {"text": "package p\n\nfunc count(items []int) int {\n\treturn len(items.\n}\n"})
    assert _definition(editor, "count.go", 3, 13) == [("count.go", 2, 11)]
    editor.open("fresh.ts", "export function f(width: number) {\n  return width;\n}\n")
    assert _definition(editor, "fresh.ts", 1, 11) == [("fresh.ts", 0, 18)]
