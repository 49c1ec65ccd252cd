"""New functions that do what another one does already."""

from __future__ import annotations

from collections.abc import Sequence

from nav_ls.query.conform.change import Change
from nav_ls.query.conform.library import Alike, Library
from nav_ls.query.conform.model import Finding
from nav_ls.query.model import SymbolInfo
from nav_ls.syntax.languages import family_of

_CALLS_IN_ORDER = 5
"""Calls in one order that are worth a word besides the tokens."""
_BESIDE = 0.95
"""How alike two functions of one file must be: who wrote the second had the first before them, and took its shape."""
_MOST_CALLS = 200


def find(change: Change, added: Sequence[SymbolInfo], library: Library) -> list[Finding]:
    """Copies among the added functions, each with the function that it repeats; tests may repeat things."""
    new = [s for s in added if not change.in_tests(s.path)]
    if not new:
        return []
    library.update(change.snapshot, {family_of(s.language) for s in new}, change.read)
    fresh = {(s.path, s.key) for s in added}
    found = []
    for symbol in new:
        for alike in library.like(symbol):
            other = alike.symbol
            if other.path == symbol.path and alike.score < _BESIDE:
                continue
            if (other.path, other.key) not in fresh and not _has_to_be_alike(change, symbol, other):
                found.append(_finding(change, symbol, alike))
                break
    return found


def _finding(change: Change, symbol: SymbolInfo, alike: Alike) -> Finding:
    other, order = alike.symbol, _same_calls(change, symbol, alike.symbol)
    why = "token by token the same" if alike.exact else f"{alike.score:.0%} of its code is the same but for names"
    if order >= _CALLS_IN_ORDER:
        why += f", and {order} calls in the same order"
    message = f"{symbol.qual} does what {other.qual} does already"
    score = 1.0 if alike.exact else alike.score
    return Finding("clone", symbol.path, symbol.name_span.line + 1, symbol.qual, score, message, why, other)


def _same_calls(change: Change, one: SymbolInfo, other: SymbolInfo) -> int:
    """The length of the longest row of calls that both make in the same order."""
    a, b = _in_order(change, one), _in_order(change, other)
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b, 1):
            kept = row[j]
            row[j] = before + 1 if x == y else max(row[j], row[j - 1])
            before = kept
    return row[-1]


def _in_order(change: Change, symbol: SymbolInfo) -> list[int]:
    sites = [(site.span.start, c.symbol.id) for c in change.callees(symbol).callees for site in c.sites]
    return [target for _, target in sorted(sites)][:_MOST_CALLS]


def _has_to_be_alike(change: Change, symbol: SymbolInfo, other: SymbolInfo) -> bool:
    """Overrides, accessors and implementations of one interface are alike because they have to be."""
    if change.in_tests(other.path) or change.is_generated(other.path):
        return True
    if symbol.name == other.name and symbol.kind == other.kind == "method" and symbol.parent_key != other.parent_key:
        return True  # two types that offer the same: for sync and async, for each format
    return symbol.name == other.name and (_overrides(change, symbol) or _overrides(change, other))


def _overrides(change: Change, symbol: SymbolInfo) -> bool:
    relations = change.snapshot.relations_of(symbol.path)
    return any(link.kind == "overrides" and link.source.key == symbol.key for link in relations)
