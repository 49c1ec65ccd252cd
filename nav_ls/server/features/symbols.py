"""Symbols of a file, and of the whole workspace by name."""

from __future__ import annotations

import asyncio
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from lsprotocol import types

from nav_ls.query.symbols import find_symbols, outline
from nav_ls.server import present
from nav_ls.server.features.targets import Json, read_reference
from nav_ls.server.session import View

if TYPE_CHECKING:
    from nav_ls.server.session import Session

MOST_SYMBOLS = 100
"""Nobody reads more, and an answer of 1,000 takes longer than the query."""


async def document_symbols(session: Session, params: types.DocumentSymbolParams) -> list[Json] | None:
    """The outline of a file.  No editor asks for it again because an index is there at last."""
    located = session.locate(params.text_document.uri)
    if located is None:
        return None
    folder, path = located

    def answer(view: View) -> list[Json]:
        nodes = outline(view.snapshot, path)
        shape = present.document_symbols if session.knows_nested_symbols else present.flat_symbols
        return shape(view, nodes)

    return await session.ask(folder, answer, built=True)


async def workspace_symbols(session: Session, params: types.WorkspaceSymbolParams) -> list[Json]:
    """Definitions by name: its start, its humps, any part of it; best first."""

    def answer(view: View) -> list[Json]:
        return [present.workspace_symbol(view, one) for one in find_symbols(view.snapshot, params.query, MOST_SYMBOLS)]

    found = await asyncio.gather(*(session.ask(folder, answer) for folder in session.repositories()))
    # Each list is ranked, and ranks of different repositories can't be compared: take turns.
    mixed = chain.from_iterable(zip_longest(*found))
    return [one for one in mixed if one is not None][:MOST_SYMBOLS]


async def resolve(session: Session, params: types.WorkspaceSymbol) -> Json:
    """The place of a symbol as it is now."""
    reference = read_reference(params.data)
    located = session.locate(reference.uri) if reference is not None else None
    unchanged: Json = session.plain(params)
    if reference is None or located is None:
        return unchanged
    folder, path = located

    def answer(view: View) -> Json | None:
        symbol = view.snapshot.symbol(path, reference.key)
        return None if symbol is None else present.workspace_symbol(view, symbol)

    found = await session.ask(folder, answer)
    return unchanged if found is None else found


HANDLERS = {
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: document_symbols,
    types.WORKSPACE_SYMBOL: workspace_symbols,
    types.WORKSPACE_SYMBOL_RESOLVE: resolve,
}
