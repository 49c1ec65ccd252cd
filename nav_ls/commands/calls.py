"""nav.callers, nav.callees, nav.defs, nav.symbols."""

from __future__ import annotations

import msgspec

from nav_ls.commands.model import (
    CallerRow,
    Command,
    Context,
    Freshness,
    Place,
    PossibleRow,
    Symbol,
    SymbolsResult,
)
from nav_ls.commands.show import Shower
from nav_ls.query import calls, symbols, targets
from nav_ls.query.model import Unknown
from nav_ls.text.errors import UsageError
from nav_ls.workspace.workspace import Workspace

_MAX_LIMIT = 100_000


class TargetParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`target`: name, Class.name, path:Class.name or path:line."""

    target: str
    limit: int = calls.LIMIT


class SearchParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`query`: what somebody typed."""

    query: str
    limit: int = symbols.LIMIT
    kinds: tuple[str, ...] = ()


class CallersResult(msgspec.Struct, frozen=True):
    """`uses`: where it is passed as a value.  `possible` could not be proved.  Totals count before the limit."""

    symbol: Symbol
    callers: tuple[CallerRow, ...]
    uses: tuple[CallerRow, ...]
    possible: tuple[PossibleRow, ...]
    total: int
    possible_total: int
    freshness: Freshness


class UnknownRow(msgspec.Struct, frozen=True):
    """A call whose target is not known."""

    name: str
    why: str
    sites: tuple[Place, ...]


class CalleesResult(msgspec.Struct, frozen=True):
    """`uses`: what it passes on as a value.  `unknown`: calls whose target could not be found out."""

    symbol: Symbol
    callees: tuple[CallerRow, ...]
    uses: tuple[CallerRow, ...]
    unknown: tuple[UnknownRow, ...]
    freshness: Freshness


def run_callers(workspace: Workspace, params: TargetParams, context: Context) -> CallersResult:
    """Who calls a definition."""
    with workspace.snapshot() as snapshot:
        shower = Shower(workspace, snapshot)
        limit = checked(params.limit)
        first, *others = targets.resolve_whole(snapshot, workspace.from_root(params.target))
        found = calls.callers(snapshot, first, limit, limit, together=others)
        return CallersResult(
            shower.symbol(found.symbol),
            tuple(map(shower.caller, found.callers)),
            tuple(map(shower.caller, found.uses)),
            tuple(map(shower.possible, found.possible)),
            found.total,
            found.possible_total,
            workspace.freshness(snapshot, context.behind),
        )


def run_callees(workspace: Workspace, params: TargetParams, context: Context) -> CalleesResult:
    """Whom a definition calls."""
    with workspace.snapshot() as snapshot:
        shower = Shower(workspace, snapshot)
        first, *others = targets.resolve_whole(snapshot, workspace.from_root(params.target))
        found = calls.callees(snapshot, first, together=others)
        limit = checked(params.limit)
        return CalleesResult(
            shower.symbol(found.symbol),
            tuple(map(shower.caller, found.callees[:limit])),
            tuple(map(shower.caller, found.uses[:limit])),
            _unknown(shower, found.unknown[:limit]),
            workspace.freshness(snapshot, context.behind),
        )


def run_defs(workspace: Workspace, params: TargetParams, context: Context) -> SymbolsResult:
    """Where something is defined: all definitions that a name fits."""
    with workspace.snapshot() as snapshot:
        shower = Shower(workspace, snapshot)
        found = targets.resolve_any(snapshot, workspace.from_root(params.target))
        shown = tuple(map(shower.symbol, found[: checked(params.limit)]))
        return SymbolsResult(shown, workspace.freshness(snapshot, context.behind))


def run_symbols(workspace: Workspace, params: SearchParams, context: Context) -> SymbolsResult:
    """Definitions whose name fits a search text."""
    with workspace.snapshot() as snapshot:
        shower = Shower(workspace, snapshot)
        found = symbols.find_symbols(snapshot, params.query, checked(params.limit), params.kinds)
        return SymbolsResult(tuple(map(shower.symbol, found)), workspace.freshness(snapshot, context.behind))


def checked(limit: int) -> int:
    """A limit that makes sense; raises UsageError for others."""
    if not 1 <= limit <= _MAX_LIMIT:
        raise UsageError(f"limit must lie between 1 and {_MAX_LIMIT:,}, not {limit}")
    return limit


def _unknown(shower: Shower, unknown: tuple[Unknown, ...]) -> tuple[UnknownRow, ...]:
    groups: dict[tuple[str, str], list[Place]] = {}
    for item in unknown:
        groups.setdefault((item.name, item.why), []).append(shower.place(item.span))
    return tuple(UnknownRow(name, why, tuple(sites)) for (name, why), sites in sorted(groups.items()))


COMMANDS = (
    Command("nav.callers", TargetParams, CallersResult, run_callers, "who calls a definition, with evidence"),
    Command("nav.callees", TargetParams, CalleesResult, run_callees, "whom a definition calls"),
    Command("nav.defs", TargetParams, SymbolsResult, run_defs, "where something is defined"),
    Command("nav.symbols", SearchParams, SymbolsResult, run_symbols, "definitions whose name fits a search text"),
)
