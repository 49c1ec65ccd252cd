"""Type hierarchy, and the implementations of a type or method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from nav_ls.query import navigate
from nav_ls.query.model import Related, SymbolInfo
from nav_ls.query.snapshot import Snapshot
from nav_ls.server import present
from nav_ls.server.features.targets import Json, at, refind
from nav_ls.server.session import View
from nav_ls.syntax.facts import TYPE_KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from nav_ls.server.session import Session


async def prepare(session: Session, params: types.TypeHierarchyPrepareParams) -> list[Json] | None:
    """The types that the cursor is on."""
    place = session.place(params)
    if place is None:
        return None

    def answer(view: View) -> list[Json] | None:
        found = [symbol for symbol in at(view, place) if symbol.kind in TYPE_KINDS]
        return [present.hierarchy_item(view, symbol) for symbol in found] or None

    return await session.ask(place.folder, answer)


async def supertypes(session: Session, params: types.TypeHierarchySupertypesParams) -> list[Json] | None:
    """What a type extends, implements or embeds."""
    return await _related(session, params.item, navigate.supertypes)


async def subtypes(session: Session, params: types.TypeHierarchySubtypesParams) -> list[Json] | None:
    """What extends, implements or embeds a type."""
    return await _related(session, params.item, navigate.subtypes)


async def _related(
    session: Session, item: types.TypeHierarchyItem, query: Callable[[Snapshot, SymbolInfo], list[Related]]
) -> list[Json] | None:
    located = session.locate(item.uri)
    if located is None:
        return None
    folder, path = located

    def answer(view: View) -> list[Json] | None:
        symbol = refind(view, path, item)
        if symbol is None:
            return None
        return [
            present.hierarchy_item(view, one.symbol, present.related_detail(one))
            for one in query(view.snapshot, symbol)
        ]

    return await session.ask(folder, answer)


async def implementation(session: Session, params: types.ImplementationParams) -> list[Json] | None:
    """Where a type or method is implemented or overridden."""
    place = session.place(params)
    if place is None:
        return None

    def answer(view: View) -> list[Json]:
        found = [one for symbol in at(view, place) for one in navigate.implementations(view.snapshot, symbol)]
        places = {(one.symbol.path, one.symbol.span.start): one.symbol.name_span for one in found}
        return [view.convert.location(span) for span in places.values()]

    return await session.ask(place.folder, answer)


HANDLERS = {
    types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY: prepare,
    types.TYPE_HIERARCHY_SUPERTYPES: supertypes,
    types.TYPE_HIERARCHY_SUBTYPES: subtypes,
    types.TEXT_DOCUMENT_IMPLEMENTATION: implementation,
}
