"""New functions that make the calls which another one makes, in its order, whatever the code around them looks like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from nav_ls.query.calls import CALLING
from nav_ls.query.conform.change import Change
from nav_ls.query.conform.model import Finding
from nav_ls.query.model import SymbolInfo

_CALLS = 6
"""Calls in one order that two functions must have in common, and how many different functions they must reach: fewer
are a habit of the repository (open, read, close)."""
_DISTINCT = 5
_SHARE = 0.8
"""Their share of all calls of the repository's own functions that the two make."""
_MOST_CALLS = 200
_TOO_COMMON = 200
"""Who is called from more places says nothing about his callers."""
_COMPARED = 20


def find(change: Change, symbol: SymbolInfo) -> Finding | None:
    """The existing function in another file whose calls a new one repeats."""
    if change.is_apart(symbol.path):
        return None
    mine = in_order(change, symbol)
    if len(mine) < _CALLS or len(set(mine)) < _DISTINCT:
        return None
    best: tuple[float, int, SymbolInfo] | None = None
    for other in _candidates(change, symbol, set(mine)):
        theirs = in_order(change, other)
        common = in_common(mine, theirs)
        share = 2 * len(common) / (len(mine) + len(theirs))
        if (
            len(common) >= _CALLS
            and len(set(common)) >= _DISTINCT
            and share >= _SHARE
            and (not best or share > best[0])
        ):
            best = share, len(common), other
    if best is None:
        return None
    share, count, other = best
    message = f"{symbol.qual} makes the calls that {other.qual} makes, in the same order"
    why = f"{count} calls, {share:.0%} of those that the two make"
    return Finding(
        "sequence", symbol.path, symbol.name_span.line + 1, symbol.qual, round(share, 3), message, why, other
    )


def _candidates(change: Change, symbol: SymbolInfo, targets: Collection[int]) -> Iterator[SymbolInfo]:
    """The functions that call most of what a new one calls.  Overrides and files of the change have their own rules."""
    shared: Counter[int] = Counter()
    for target in change.snapshot.symbols_by_id(targets).values():
        callers = {item.caller for item in change.snapshot.raw_mentions_of([target]) if item.kind in CALLING}
        if len(callers) <= _TOO_COMMON:
            shared.update(callers)
    likely = [id for id, count in shared.most_common(_COMPARED) if count >= _DISTINCT]
    for other in change.snapshot.symbols_by_id(likely).values():
        if (
            other.key
            and other.path not in change.files
            and other.name != symbol.name
            and not change.is_apart(other.path)
        ):
            yield other


def in_order(change: Change, symbol: SymbolInfo) -> list[int]:
    """The ids of the repository's own functions that a function calls, call by call."""
    sites = [(site.span.start, c.symbol.id) for c in change.callees(symbol).callees for site in c.sites]
    return [target for _, target in sorted(sites)][:_MOST_CALLS]


def in_common(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """The longest row of calls that both make in the same order."""
    row: list[list[int]] = [[] for _ in range(len(other) + 1)]
    for x in one:
        before: list[int] = []
        for j, y in enumerate(other, 1):
            kept = row[j]
            row[j] = [*before, x] if x == y else max(row[j], row[j - 1], key=len)
            before = kept
    return row[-1]
