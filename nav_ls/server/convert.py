"""Between nav's positions (lines and byte columns) and an editor's (lines and UTF-8, -16 or -32 code units).

The only place that knows of code units.  What goes out are plain dicts in the shapes of LSP: on large answers
lsprotocol's objects cost several times as much as the query.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from nav_ls.query.model import Span
from nav_ls.server.uris import Uris

Lines = Sequence[bytes]
LinesOf = Callable[[str], Lines | None]
"""The lines of a file by its path in the repository, without their ends; None where they can't be had."""

_LINE_END = re.compile(rb"\r\n|\n|\r")


def split_lines(text: bytes) -> Lines:
    """Lines end at LF, CRLF and lone CR, and nowhere else."""
    return text.split(b"\n") if b"\r" not in text else _LINE_END.split(text)


def units_before(line: bytes, column: int, encoding: str) -> int:
    """Code units of `encoding` in the first `column` bytes of a line of UTF-8."""
    head = line[:column]
    if encoding == "utf-8" or head.isascii():
        return column
    text = head.decode("utf-8", "replace")
    return len(text) if encoding == "utf-32" else len(text.encode("utf-16-le")) // 2


def bytes_before(line: bytes, units: int, encoding: str) -> int:
    """Bytes of a line of UTF-8 that its first `units` code units take; not past the line's end."""
    if encoding == "utf-8" or line.isascii():
        return min(units, len(line))
    text = line.decode("utf-8", "replace")
    if encoding == "utf-32":
        return len(text[:units].encode())
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore").encode())


class Converter:
    """Converts for one client and one repository; `lines_of` gives the text that columns refer to."""

    def __init__(self, uris: Uris, encoding: str, lines_of: LinesOf) -> None:
        self._uris = uris
        self._encoding = encoding
        self._lines_of = lines_of

    def uri(self, path: str) -> str:
        """The URI of a path in the repository."""
        return self._uris.of(path)

    def position(self, path: str, line: int, column: int) -> dict[str, int]:
        """LSP's Position of a line and a byte column."""
        return {"line": line, "character": self._units(path, line, column)}

    def range(self, span: Span) -> dict[str, Any]:
        """LSP's Range of a span."""
        return {
            "start": self.position(span.path, span.line, span.column),
            "end": self.position(span.path, span.end_line, span.end_column),
        }

    def location(self, span: Span) -> dict[str, Any]:
        """LSP's Location of a span."""
        return {"uri": self.uri(span.path), "range": self.range(span)}

    def column(self, path: str, line: int, character: int) -> int:
        """The byte column of an editor's position."""
        if self._encoding == "utf-8":
            return character
        lines = self._lines_of(path)
        if lines is None or line >= len(lines):
            return character
        return bytes_before(lines[line], character, self._encoding)

    def _units(self, path: str, line: int, column: int) -> int:
        if column == 0 or self._encoding == "utf-8":
            return column
        lines = self._lines_of(path)
        if lines is None or line >= len(lines):
            return column
        return units_before(lines[line], column, self._encoding)
