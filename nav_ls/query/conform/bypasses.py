"""Calls past the layer that all others go through."""

from __future__ import annotations

from nav_ls.query import calls
from nav_ls.query.conform.change import Change, folder, functions
from nav_ls.query.conform.model import Finding
from nav_ls.query.model import SymbolInfo

_THROUGH = 3
"""Callers behind one door before going past it is worth a word."""


def find(change: Change, symbol: SymbolInfo) -> list[Finding]:
    """The first call of a new function that reaches behind a door."""
    if change.in_tests(symbol.path):
        return []
    for callee in change.callees(symbol).callees:
        target = callee.symbol
        if target.path == symbol.path or target.path in change.files:
            continue
        door = _door(change, target)
        if door and door != symbol.path and folder(door) != folder(symbol.path):
            message = f"{symbol.qual} calls {target.qual} directly; all others go through {door}"
            why = f"every other call of {target.qual} stands in {door}"
            line = callee.sites[0].span.line + 1
            return [Finding("bypass", symbol.path, line, symbol.qual, 0.7, message, why, target)]
    return []


def _door(change: Change, target: SymbolInfo) -> str:
    """The one file that all callers outside of the target's own folder stand in; "" where there is none."""
    found = calls.callers(change.snapshot, target)
    others = [c.symbol.path for c in found.callers if c.symbol.path not in change.files]
    outside = [path for path in others if not change.in_tests(path)]
    files = {path for path in outside if folder(path) != folder(target.path)}
    if len(files) != 1 or len(outside) < _THROUGH or found.possible_total or any(path not in files for path in outside):
        return ""
    door = files.pop()
    return door if _is_used(change, door) else ""


def _is_used(change: Change, path: str) -> bool:
    """Is the file itself a layer: called from several others?"""
    others: set[str] = set()
    for symbol in functions(change.snapshot, path):
        mentions = change.snapshot.mentions_of([symbol])
        others |= {m.path for m in mentions if m.kind == "calls" and m.path != path}
    return len(others) >= _THROUGH
