"""Call hierarchy: who calls this, and whom does it call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from nav_ls.query import calls
from nav_ls.query.model import Site, SymbolInfo
from nav_ls.server import present
from nav_ls.server.features.targets import Json, at, refind
from nav_ls.server.session import View
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from nav_ls.server.session import Session

_MOST_CANDIDATES = 20
_MOST_POSSIBLE = 50
"""Possible callers that are listed: the proved ones come first, and these must not bury them."""

# A variable may hold a function, and calls through it are recorded; a file is its code at module level.
_ITEM_KINDS = CALLABLE_KINDS | TYPE_KINDS | {"variable", "constant", "field", "file"}


async def prepare(session: Session, params: types.CallHierarchyPrepareParams) -> list[Json] | None:
    """The definitions that the cursor is on."""
    place = session.place(params)
    if place is None:
        return None

    def answer(view: View) -> list[Json] | None:
        found = [symbol for symbol in at(view, place) if symbol.kind in _ITEM_KINDS]
        return [present.hierarchy_item(view, symbol) for symbol in found[:_MOST_CANDIDATES]] or None

    return await session.ask(place.folder, answer)


async def incoming(session: Session, params: types.CallHierarchyIncomingCallsParams) -> list[Json] | None:
    """Who calls an item: proved callers first, then possible ones, marked as such."""
    located = session.locate(params.item.uri)
    if located is None:
        return None
    folder, path = located

    def answer(view: View) -> list[Json] | None:
        symbol = refind(view, path, params.item)
        if symbol is None:
            return None
        found = calls.callers(view.snapshot, symbol)
        proved = [_entry(view, one.symbol, present.caller_detail(one), one.sites) for one in found.callers]
        return proved + [
            _entry(view, one.symbol, present.possible_detail(one), one.sites, " (possible)")
            for one in found.possible[:_MOST_POSSIBLE]
        ]

    return await session.ask(folder, answer)


def _entry(view: View, symbol: SymbolInfo, detail: str, sites: Sequence[Site], mark: str = "") -> Json:
    item = present.hierarchy_item(view, symbol, detail)
    item["name"] += mark
    return {"from": item, "fromRanges": [view.convert.range(site.span) for site in sites]}


async def outgoing(session: Session, params: types.CallHierarchyOutgoingCallsParams) -> list[Json] | None:
    """Whom an item calls."""
    located = session.locate(params.item.uri)
    if located is None:
        return None
    folder, path = located

    def answer(view: View) -> list[Json] | None:
        symbol = refind(view, path, params.item)
        if symbol is None:
            return None
        callees = calls.callees(view.snapshot, symbol).callees
        return [
            {
                "to": present.hierarchy_item(view, callee.symbol, present.caller_detail(callee)),
                "fromRanges": [view.convert.range(site.span) for site in callee.sites],
            }
            for callee in sorted(callees, key=lambda callee: callee.sites[0].span.start)
        ]

    return await session.ask(folder, answer)


HANDLERS = {
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: prepare,
    types.CALL_HIERARCHY_INCOMING_CALLS: incoming,
    types.CALL_HIERARCHY_OUTGOING_CALLS: outgoing,
}
