"""Lines of a text: they end at LF, CRLF or a lone CR, and at nothing else."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from operator import sub


class LineTable:
    """Where each line starts.  Offsets and columns are bytes, lines count from 0."""

    __slots__ = ("size", "starts")

    def __init__(self, starts: Sequence[int], size: int) -> None:
        self.starts = starts
        self.size = size

    @classmethod
    def of(cls, text: bytes) -> LineTable:
        """The table of a text."""
        # Bytes are divided at these three line ends only, unlike strings.
        starts = list(accumulate(map(len, text.splitlines(keepends=True)), initial=0))
        if text and text[-1:] not in b"\r\n":
            starts.pop()
        return cls(starts, len(text))

    def position(self, offset: int) -> tuple[int, int]:
        """(line, column) of an offset; one behind the end is taken as the end."""
        # Called for every place of every answer: comparing costs half of what min and max do.
        if offset > self.size:
            offset = self.size
        elif offset < 0:
            offset = 0
        line = bisect_right(self.starts, offset) - 1
        return line, offset - self.starts[line]

    def offset(self, line: int, column: int) -> int:
        """The offset of a position; positions behind a line's or the text's end are moved to it."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return self.size
        end = self.starts[line + 1] if line + 1 < len(self.starts) else self.size
        return min(self.starts[line] + max(column, 0), end)

    def span(self, line: int) -> tuple[int, int]:
        """[start, end) of a line with its terminator."""
        start = self.offset(line, 0)
        return start, self.offset(line + 1, 0)

    def __len__(self) -> int:
        """The number of lines; an empty text has one."""
        return len(self.starts)

    def pack(self) -> bytes:
        """The table as bytes: the lengths of all lines, in the narrowest width that holds the longest."""
        ends = [*self.starts[1:], self.size]
        lengths = list(map(sub, ends, self.starts))
        longest = max(lengths)
        code = "B" if longest < 1 << 8 else "H" if longest < 1 << 16 else "I"
        return code.encode() + array(code, lengths).tobytes()

    @classmethod
    def unpack(cls, packed: bytes) -> LineTable:
        """The inverse of `pack`."""
        lengths = array(chr(packed[0]))
        lengths.frombytes(packed[1:])
        ends = list(accumulate(lengths))
        return cls([0, *ends[:-1]], ends[-1])
