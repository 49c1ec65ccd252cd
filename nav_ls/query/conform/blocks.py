"""Blocks that a change pastes into several functions that were there before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import msgspec

from nav_ls.query.conform.change import Change, functions
from nav_ls.query.conform.model import Finding
from nav_ls.query.model import SymbolInfo
from nav_ls.text.diff import FileChange
from nav_ls.text.lexing import BRANCHES, blind, statements, tokens

_TIMES = 3
"""Functions that get the same block before it is worth a word."""
_LINES, _TOKENS = 3, 16
"""What a block has at least; and something must be decided in it: calls in a row are alike where they call one thing."""
_LISTED = 6
_SCORE = 0.8


class _Block(msgspec.Struct, frozen=True):
    """Lines that a change adds to a function; `plain` are their tokens with all names made alike."""

    symbol: SymbolInfo
    first: int
    lines: int
    plain: tuple[bytes, ...]


def find(change: Change, added: Collection[SymbolInfo]) -> Iterator[Finding]:
    """One finding for each block that several functions get, in the file with most of them; new functions as a whole are
    another matter."""
    new = {(symbol.path, symbol.key) for symbol in added}
    groups: dict[tuple[bytes, ...], list[_Block]] = {}
    for file in change.files.values():
        if not change.is_apart(file.path):
            for block in _blocks(change, file, new):
                groups.setdefault(block.plain, []).append(block)
    for blocks in groups.values():
        symbols = list({(block.symbol.path, block.symbol.key): block.symbol for block in blocks}.values())
        if len(symbols) >= _TIMES:
            files = Counter(block.symbol.path for block in blocks)
            yield _told(max(blocks, key=lambda block: files[block.symbol.path]), symbols)


def _told(block: _Block, symbols: Sequence[SymbolInfo]) -> Finding:
    names = ", ".join(symbol.qual for symbol in symbols[:_LISTED])
    more = f" and {len(symbols) - _LISTED} more" if len(symbols) > _LISTED else ""
    message = f"the same {block.lines} lines are added to {len(symbols)} functions: {names}{more}"
    return Finding(
        "clone",
        block.symbol.path,
        block.first,
        block.symbol.qual,
        _SCORE,
        message,
        "the same but for names and literals",
    )


def _blocks(change: Change, file: FileChange, new: Collection[tuple[str, str]]) -> Iterator[_Block]:
    lines = (change.read(file.path) or b"").split(b"\n")
    held = [symbol for symbol in functions(change.snapshot, file.path) if (symbol.path, symbol.key) not in new]
    for first, last in file.added:
        inside = [s for s in held if s.name_span.line + 1 < first and last <= s.span.end_line + 1]
        if not inside or last - first + 1 < _LINES:
            continue
        symbol = min(inside, key=lambda s: s.span.end - s.span.start)
        found = statements(tokens(b"\n".join(lines[first - 1 : last]), symbol.language))
        if len(found) >= _TOKENS and any(token in BRANCHES for token in found):
            yield _Block(symbol, first, last - first + 1, tuple(blind(found, symbol.language)))
