"""Where a definition's own documentation stands in its source: the comment in front, or the docstring inside."""

from __future__ import annotations

import re

_COMMENT = re.compile(rb"\A(?:\s*(?://[^\n]*|#(?![\[!])[^\n]*|--[^\n]*|/\*.*?\*/)\n?)+", re.DOTALL)
_DOCSTRING = re.compile(rb"\A([^\n].*?:[ \t]*\n\s*)[rRuU]?(\"\"\"|''')(.*?)\2", re.DOTALL)
_MARKER = re.compile(r"(?m)^\s*(?:///?!?|/\*+!?|\*+/|\*|#+|--+)[ \t]?|\s*\*+/\s*$")
_HEADER_BYTES = 2000
"""A docstring that begins later belongs to something else."""


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
