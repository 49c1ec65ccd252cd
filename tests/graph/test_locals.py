"""Parameters and local variables: which mentions belong together, in every language.

`locals/<extension>.txt` holds the cases.  `$0` stands where the cursor is; below a line `~~~` marks names that are
bound, `===` names that are assigned and `^^^` names that are read, where they stand in the line with its `$0`.
Without marks the cursor is on nothing that the scopes of the file explain.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nav_ls.graph.locals import find_locals
from nav_ls.graph.model import Local, Locals
from nav_ls.syntax.extract import extract, names
from nav_ls.syntax.languages import language_of

_FOLDER = Path(__file__).parent / "locals"
_MARKS = re.compile(r"[ \t]*[~=^][~=^ ]*")
_ROLES = {"~": "binding", "=": "write", "^": "read"}
_CURSOR = "$0"


def _cases() -> list[object]:
    found: list[object] = []
    for file in sorted(_FOLDER.iterdir()):
        for case in file.read_text("utf-8").split("--- ")[1:]:
            title, _, body = case.partition("\n")
            found.append(pytest.param(f"case.{file.stem}", body, id=f"{file.stem} {title}"))
    return found


def _read(body: str) -> tuple[bytes, int, list[tuple[int, int, str]]]:
    """The text without marks, the cursor, and the mentions that are marked."""
    text, cursor, above, line = b"", -1, 0, ""
    marked: list[tuple[int, int, str]] = []
    for row in body.splitlines():
        if _MARKS.fullmatch(row):
            for mark in re.finditer(r"~+|=+|\^+", row):
                start, end = (above + len(line[:place].replace(_CURSOR, "").encode()) for place in mark.span())
                marked.append((start, end, _ROLES[mark[0][0]]))
            continue
        above, line = len(text), row
        if _CURSOR in line:
            cursor = above + len(line[: line.index(_CURSOR)].encode())
        text += line.replace(_CURSOR, "").encode() + b"\n"
    assert cursor >= 0, "a case has a cursor"
    return text, cursor, sorted(marked)


def _found(path: str, text: bytes) -> Locals:
    language = language_of(path)
    assert language is not None
    return find_locals(path, text, extract(path, text, language), names(path, text, language))


def _at(found: Locals, offset: int) -> Local | None:
    return next((v for v in found.variables for o in v.occurrences if o.start <= offset <= o.end), None)


@pytest.mark.parametrize(("path", "body"), _cases())
def test_mentions_that_belong_together(path: str, body: str) -> None:
    text, cursor, expected = _read(body)
    local = _at(_found(path, text), cursor)
    if local is not None and not expected:
        assert local.symbol or local.kind == "import", local
        return
    shown = [(o.start, o.end, o.role) for o in local.occurrences] if local is not None else []
    assert _told(text, shown) == _told(text, expected)


def _told(text: bytes, marked: list[tuple[int, int, str]]) -> list[str]:
    """Places as they are easier to compare for a reader."""
    return [f"{text.count(10, 0, a) + 1}:{a - text.rfind(10, 0, a)} {text[a:b]!r} {role}" for a, b, role in marked]
