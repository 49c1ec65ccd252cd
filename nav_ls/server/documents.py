"""The buffers that one editor has open, kept in step with its edits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


class Change(NamedTuple):
    """An edit: `text` replaces `[start, end)`, given as (line, character) in the client's units; all of it if None."""

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


class Document:
    """One open buffer."""

    def __init__(self, uri: str, text: str, version: int) -> None:
        self.uri = uri
        self.version = version
        self._set(text)

    @property
    def text(self) -> str:
        """What the editor shows; lone surrogates (JavaScript editors may send them) are U+FFFD."""
        return self._text

    def apply(self, changes: Sequence[Change], version: int, encoding: str) -> None:
        """Apply edits in order.  `encoding` ("utf-8", "utf-16", "utf-32") is what their characters count in."""
        for change in changes:
            if change.start is None or change.end is None:
                self._set(change.text)
                continue
            start = self._offset(change.start, encoding)
            end = max(start, self._offset(change.end, encoding))
            self._set(self._text[:start] + change.text + self._text[end:])
        self.version = version

    def _set(self, text: str) -> None:
        self._text = _LONE_SURROGATE.sub("\ufffd", text)
        self._starts: list[int] | None = None

    def _offset(self, position: tuple[int, int], encoding: str) -> int:
        """Index into the text; a position past a line's end is that end, as LSP wants it."""
        line, units = position
        starts = self._line_starts()
        if line >= len(starts):
            return len(self._text)
        start = starts[line]
        end = starts[line + 1] if line + 1 < len(starts) else len(self._text)
        content = self._text[start:end].rstrip("\r\n")
        return start + characters_in(content, units, encoding)

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(self._text))]
        return self._starts


def characters_in(text: str, units: int, encoding: str) -> int:
    """How many characters of `text` the first `units` code units cover; a cut character is left out."""
    if encoding == "utf-32" or text.isascii():
        return min(units, len(text))
    if encoding == "utf-16":
        return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))
    return len(text.encode("utf-8")[:units].decode("utf-8", "ignore"))
