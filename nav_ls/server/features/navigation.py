"""Definition, references, highlights and hover: all about what the cursor is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from nav_ls.query import cursor
from nav_ls.query.model import Target
from nav_ls.server import present
from nav_ls.server.features.targets import Json, offset_of
from nav_ls.server.session import View

if TYPE_CHECKING:
    from nav_ls.server.session import Session

_HIGHLIGHT_KINDS = {"text": 1, "read": 2, "write": 3}


async def definition(session: Session, params: types.DefinitionParams) -> list[Json] | None:
    """Where what the cursor is on is defined."""
    place = session.place(params)
    if place is None:
        return None

    def answer(view: View) -> list[Json]:
        offset = offset_of(view, place)
        if offset is None:
            return []
        found = cursor.definitions(view.snapshot, place.path, offset)
        if not session.knows_links:
            return [view.convert.location(target.name_span) for target in found]
        return [_link(view, target) for target in found]

    return await session.ask(place.folder, answer)


def _link(view: View, target: Target) -> Json:
    return {
        "originSelectionRange": view.convert.range(target.origin),
        "targetUri": view.convert.uri(target.span.path),
        "targetRange": view.convert.range(target.span),
        "targetSelectionRange": view.convert.range(target.name_span),
    }


async def references(session: Session, params: types.ReferenceParams) -> list[Json] | None:
    """All mentions of what the cursor is on."""
    place = session.place(params)
    if place is None:
        return None
    declaration = params.context.include_declaration

    def answer(view: View) -> list[Json]:
        offset = offset_of(view, place)
        found = [] if offset is None else cursor.mentions(view.snapshot, place.path, offset, declaration)
        return [view.convert.location(span) for span in found]

    return await session.ask(place.folder, answer)


async def highlight(session: Session, params: types.DocumentHighlightParams) -> list[Json] | None:
    """Mentions in the same file."""
    place = session.place(params)
    if place is None:
        return None

    def answer(view: View) -> list[Json]:
        offset = offset_of(view, place)
        found = [] if offset is None else cursor.highlight(view.snapshot, place.path, offset)
        return [{"range": view.convert.range(one.span), "kind": _HIGHLIGHT_KINDS[one.kind]} for one in found]

    return await session.ask(place.folder, answer)


async def hover(session: Session, params: types.HoverParams) -> Json | None:
    """Signature, documentation and callers of what the cursor is on."""
    place = session.place(params)
    if place is None:
        return None
    markdown = session.knows_markdown

    def answer(view: View) -> Json | None:
        offset = offset_of(view, place)
        found = None if offset is None else cursor.hover(view.snapshot, place.path, offset)
        if found is None:
            return None
        text = present.hover_text(found, markdown=markdown)
        kind = "markdown" if markdown else "plaintext"
        return {"contents": {"kind": kind, "value": text}, "range": view.convert.range(found.span)}

    return await session.ask(place.folder, answer)


HANDLERS = {
    types.TEXT_DOCUMENT_DEFINITION: definition,
    types.TEXT_DOCUMENT_REFERENCES: references,
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: highlight,
    types.TEXT_DOCUMENT_HOVER: hover,
}
