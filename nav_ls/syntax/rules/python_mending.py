"""Python in the middle of typing: what was opened and not closed is closed, so that it swallows no definition.

The parser recovers well inside of a line.  A bracket or a string without its end takes everything up to the next one
along, a header without a body or an operator without its right side what comes after it.  Where a statement begins
inside of brackets, they were never closed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    rb"#[^\n]*"
    rb'|"""|\'\'\''
    rb'|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?'
    rb"|[()\[\]{}]"
    rb"|(?<![.])[.](?=[ \t]*(?:\n|\Z))|[=+\-/%<>&|^@](?=[ \t]*(?:\n|\Z))"
    rb"|\b(?:and|as|assert|class|def|del|elif|for|from|if|import|in|is|lambda|not|or|while|with)(?=[ \t]*(?:\n|\Z))"
    rb"|\n[ \t]*(?:(?:async[ \t]+def|def|class|return|import|raise|try|while|with|pass|break|continue)(?![\w.,=)])|@\w)",
    re.DOTALL,
)
_DEFINITION = re.compile(rb"^[ \t]*(?:async[ \t]+def|def|class)[ \t]+\w+[^\n]*[:(,]$", re.MULTILINE)
_COMPOUND = re.compile(rb"[ \t]*(?:async|class|def|elif|except|for|if|match|while|with)\b")
_INDENTATION = re.compile(rb"[ \t]*")
_SAYING = re.compile(rb"\n([ \t]*)(?=[^\s#])")
_QUOTES = frozenset({b'"""', b"'''"})
_PAIRS = {b"(": b"()", b"[": b"[]", b"{": b"{}"}


class Unclosed(NamedTuple):
    """Where something was opened, where it is taken to end, and what to read instead."""

    start: int
    end: int
    instead: bytes


def mend(text: bytes) -> tuple[bytes, list[Unclosed]]:
    """A text of the same length in which everything is closed, and what was not."""
    found = _unclosed(text)
    mended = bytearray(text)
    for place in found:
        mended[place.start : place.end] = place.instead.ljust(place.end - place.start)
    return bytes(mended), found


def _unclosed(text: bytes, odd: bytes | None = None) -> list[Unclosed]:
    """What is not closed.  `odd`: quotes of which there is one too many; the first pair around a definition was none."""
    found: list[Unclosed] = []
    brackets: list[int] = []
    position = 0
    while (token := _TOKEN.search(text, position)) is not None:
        position, kind = token.end(), token[0]
        if kind in _QUOTES:
            end = text.find(kind, position)
            if end < 0 and odd is None:
                return _unclosed(text, kind)
            if end < 0 or (kind == odd and _DEFINITION.search(text, position, end)):
                found.append(Unclosed(token.start(), position, b""))
                odd = b""
            else:
                position = end + len(kind)
        elif kind in _PAIRS:
            brackets.append(token.start())
        elif kind in b")]}":
            del brackets[-1:]
        elif kind[:1] == b"\n":
            if brackets:
                found.append(_closed(text, brackets[0]))
                brackets.clear()
            position = token.end() - len(kind.lstrip())  # the statement is looked at too
        elif kind[:1] not in b"#\"'" and not brackets:
            found.append(_statement(text, token.start()))
    return [*found, *(_closed(text, start) for start in brackets[:1])]


def _closed(text: bytes, start: int) -> Unclosed:
    """What was opened at `start` ends with its line; the line as a whole is taken away where there is no room for that."""
    end = _line_end(text, start)
    closing = _PAIRS[text[start : start + 1]]
    if _COMPOUND.match(text, text.rfind(b"\n", 0, start) + 1):
        closing += b":" if _has_body(text, start, end) else b":0"
    elif end - start == 1 and text[start - 1 : start].isalnum():
        closing = b""  # what was going to be called is still named
    return Unclosed(start, end, closing) if len(closing) <= end - start else _statement(text, start)


def _statement(text: bytes, position: int) -> Unclosed:
    """The line around a position, without its indentation.

    An expression stands for it, because its block must not be empty; nothing where a decorator was begun.
    """
    start, end = text.rfind(b"\n", 0, position) + 1, _line_end(text, position)
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return Unclosed(start, end, b"" if text[start : start + 1] == b"@" else b"0")


def _line_end(text: bytes, position: int) -> int:
    end = text.find(b"\n", position)
    return end if end >= 0 else len(text)


def _has_body(text: bytes, position: int, end: int) -> bool:
    """Is the next line that says something indented more than the one around `position`?"""
    following = _SAYING.search(text, end)
    line = _INDENTATION.match(text, text.rfind(b"\n", 0, position) + 1)
    return following is not None and line is not None and len(following[1]) > len(line[0])
