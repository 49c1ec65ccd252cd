"""All rules over one change."""

from __future__ import annotations

from collections.abc import Sequence

from nav_ls.query.conform import blocks, bypasses, copies, dependencies, deviations, sequences
from nav_ls.query.conform.change import Change
from nav_ls.query.conform.library import Library
from nav_ls.query.conform.model import Finding, Reuse
from nav_ls.query.model import SymbolInfo
from nav_ls.text import lexing


def check(change: Change, library: Library) -> tuple[list[Finding], Reuse]:
    """The findings by place, and where the added calls go."""
    added = change.added()
    found = [*copies.find(change, added, library), *blocks.find(change, added), *dependencies.find(change)]
    told = {(f.path, f.line) for f in found}
    for symbol in added:
        more = [*bypasses.find(change, symbol), *_deviations(change, symbol)]
        if (repeated := sequences.find(change, symbol)) is not None:
            more.append(repeated)
        found += [f for f in more if (f.path, f.line) not in told]
    return sorted(found, key=lambda f: (f.path, f.line, f.rule)), _reuse(change, added)


def _deviations(change: Change, symbol: SymbolInfo) -> list[Finding]:
    text = change.read(symbol.path)
    if text is None or change.in_tests(symbol.path):
        return []
    return deviations.find(symbol, text, change.beside(symbol), lambda name: bool(change.snapshot.symbols_named(name)))


def _reuse(change: Change, added: Sequence[SymbolInfo]) -> Reuse:
    own = outside = unknown = 0
    for symbol in added:
        found = change.callees(symbol)
        bound = sum(len(c.sites) for c in found.callees)
        written = lexing.calls(lexing.tokens(change.text(symbol), symbol.language))
        own += sum(len(c.sites) for c in found.callees if c.symbol.path not in change.files)
        unknown += len(found.unknown)
        # One "call" is the definition's own head, whose name an opening parenthesis follows as well.
        outside += max(0, written - 1 - bound - len(found.unknown))
    return Reuse(own, outside, unknown)
