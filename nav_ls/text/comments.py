"""Where a definition's own documentation stands in its source: the comment in front, or the docstring inside."""

from __future__ import annotations

import re

_COMMENT = re.compile(rb"\A(?:\s*(?://[^\n]*|#(?![\[!])[^\n]*|--[^\n]*|/\*.*?\*/)\n?)+", re.DOTALL)
_DOCSTRING = re.compile(rb"\A([^\n].*?:[ \t]*\n\s*)[rRuU]?(\"\"\"|''')(.*?)\2", re.DOTALL)
_MARKER = re.compile(r"(?m)^\s*(?:///?!?|/\*+!?|\*+/|\*|#+|--+)[ \t]?|\s*\*+/\s*$")
_MARKS = re.compile(r"^[ \t]*(?:/\*+!?|//+[!<]*|\*+/|\*(?!/))[ \t]?|[ \t]*\*+/[ \t]*$", re.M)
_HEADER_BYTES = 2000
"""A docstring that begins later belongs to something else."""


def comment_above(text: bytes, start: int, marker: bytes = b"//", *, block: bool = True) -> int:
    """Where the comment begins that stands on the lines directly above the one of `start`; `start` where there is none.

    Lines that begin with `marker`, or (`block`) one `/* ... */`.  What does not begin its line has no comment above it.
    """
    line = text.rfind(b"\n", 0, start) + 1
    if text[line:start].strip():
        return start
    begin = line
    while begin > 0:
        above = text.rfind(b"\n", 0, begin - 1) + 1
        row = text[above:begin].strip()
        if row.startswith(marker):
            begin = above
        elif block and begin == line and row.endswith(b"*/"):
            opened = text.rfind(b"/*", 0, begin)
            first = text.rfind(b"\n", 0, max(opened, 0)) + 1
            return start if opened < 0 or text[first:opened].strip() else opened
        else:
            break
    return start if begin == line else begin + len(text[begin:start]) - len(text[begin:start].lstrip())


def clean_comment(text: str) -> str:
    """A comment of C's family without its marks."""
    return _MARKS.sub("", text.replace("\r\n", "\n")).strip()


def doc_span(code: bytes) -> tuple[int, int] | None:
    """[start, end) of the documentation of a definition; None where it has none."""
    comment = _COMMENT.match(code)
    if comment and comment[0].strip():
        return comment.start(), comment.end()
    docstring = _DOCSTRING.match(code[:_HEADER_BYTES] if len(code) > _HEADER_BYTES else code)
    if docstring and b'"' not in docstring[1] and docstring[1].count(b"\n") <= docstring[1].count(b",") + 3:
        return docstring.end(1), docstring.end()
    return None


def doc_text(code: bytes) -> str:
    """The documentation of a definition without its markers; "" where it has none."""
    span = doc_span(code)
    if span is None:
        return ""
    text = code[slice(*span)].decode("utf-8", "replace").strip()
    for quote in ('"""', "'''"):
        if text.rstrip().endswith(quote):
            return text[text.index(quote) + 3 : text.rindex(quote)].strip()
    return _MARKER.sub("", text).strip()


def without_doc(code: bytes) -> bytes:
    """A definition with its documentation blanked: no line moves, and a body that was only a docstring stays one."""
    span = doc_span(code)
    if span is None:
        return code
    start, end = span
    blank = re.sub(rb"[^\n]", b" ", code[start:end])
    if start and len(blank) > 3:
        blank = b"..." + blank[3:] if blank[:3] == b"   " else b"0  " + blank[3:]
    return code[:start] + blank + code[end:]
