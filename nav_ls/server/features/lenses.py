"""Code lenses: how many callers a definition has.  Off unless the client asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from nav_ls.query.calls import callers
from nav_ls.server import present
from nav_ls.server.features.targets import Json, read_reference
from nav_ls.server.session import View
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS, Flag

if TYPE_CHECKING:
    from nav_ls.server.session import Session

COMMAND = "nav.showCallers"
"""Run by the editor, with the URI and the position of the definition."""


async def lenses(session: Session, params: types.CodeLensParams) -> list[Json] | None:
    """One lens for each definition that can be called; their texts come when they are resolved."""
    located = session.locate(params.text_document.uri)
    if located is None or not session.wants_lenses:
        return None
    folder, path = located

    def answer(view: View) -> list[Json]:
        return [
            {"range": view.convert.range(symbol.name_span), "data": present.reference_to(view, symbol)}
            for symbol in view.snapshot.symbols_of(path)
            if symbol.kind in CALLABLE_KINDS | TYPE_KINDS and not symbol.flags & Flag.MINOR
        ]

    return await session.ask(folder, answer)


async def resolve(session: Session, params: types.CodeLens) -> Json:
    """Count the callers of one definition."""
    lens: Json = session.plain(params)
    reference = read_reference(params.data)
    located = session.locate(reference.uri) if reference is not None else None
    if reference is None or located is None:
        return lens
    folder, path = located

    def answer(view: View) -> Json:
        symbol = view.snapshot.symbol(path, reference.key)
        if symbol is None:
            return {"title": "no longer there", "command": ""}
        found = callers(view.snapshot, symbol)
        place = view.convert.location(symbol.name_span)
        title = present.lens_title(found.total, found.possible_total)
        return {"title": title, "command": COMMAND, "arguments": [place["uri"], place["range"]["start"]]}

    return lens | {"command": await session.ask(folder, answer)}


HANDLERS = {
    types.TEXT_DOCUMENT_CODE_LENS: lenses,
    types.CODE_LENS_RESOLVE: resolve,
}
