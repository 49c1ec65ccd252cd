"""From what an editor sends to the definition that is meant."""

from __future__ import annotations

from typing import Any

import msgspec

from nav_ls.query.model import SymbolInfo
from nav_ls.query.navigate import symbols_at
from nav_ls.query.symbols import named_at
from nav_ls.server import present
from nav_ls.server.session import Place, View

Json = dict[str, Any]


class Reference(msgspec.Struct, frozen=True):
    """`data` of an item, as `present.reference_to` made it."""

    id: int
    generation: int
    uri: str
    path: str
    key: str


def offset_of(view: View, place: Place) -> int | None:
    """The offset of a place in nav's text; None where the file is not indexed."""
    return offset_at(view, place.path, place.line, place.character)


def offset_at(view: View, path: str, line: int, character: int) -> int | None:
    """As `offset_of`, for a client's line and character."""
    lines = view.snapshot.lines(path)
    return None if lines is None else lines.offset(line, view.convert.column(path, line, character))


def at(view: View, place: Place) -> list[SymbolInfo]:
    """The definitions that the cursor is on, or that what it is on refers to."""
    offset = offset_of(view, place)
    return [] if offset is None else symbols_at(view.snapshot, place.path, offset)


def refind(view: View, path: str, item: Any) -> SymbolInfo | None:
    """The definition of a hierarchy item (its `data`, `name` and `selection_range` count), None if it is gone.

    By id while the index is in the state that the item speaks of; else by its key, else by its place.
    """
    reference = read_reference(item.data)
    if reference is not None and reference.path == path:
        found = _by_reference(view, reference)
        if found is not None and item.name.startswith(present.short_name(found)):
            return found
    start = item.selection_range.start
    offset = offset_at(view, path, start.line, start.character)
    return None if offset is None else named_at(view.snapshot, path, offset)


def read_reference(data: Any) -> Reference | None:
    """`data` of an item; None if it isn't one of ours."""
    try:
        return msgspec.convert(data, Reference)
    except msgspec.ValidationError:
        return None


def _by_reference(view: View, reference: Reference) -> SymbolInfo | None:
    snapshot = view.snapshot
    if reference.generation == snapshot.generation:
        found = snapshot.symbols_by_id([reference.id]).get(reference.id)
        if found is not None and found.path == reference.path:
            return found
    return snapshot.symbol(reference.path, reference.key)
