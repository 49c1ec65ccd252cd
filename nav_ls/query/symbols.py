"""Definitions by name, by place and as an outline."""

from __future__ import annotations

from collections.abc import Collection

from nav_ls.query.model import OutlineNode, SymbolInfo
from nav_ls.query.snapshot import Snapshot
from nav_ls.store.rows import FileFlag
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS, Flag
from nav_ls.text.names import humps

LIMIT = 100
_CANDIDATES = 400
_SCANNED = 1000


def find_symbols(snapshot: Snapshot, text: str, limit: int = LIMIT, kinds: Collection[str] = ()) -> list[SymbolInfo]:
    """Definitions whose name fits what somebody typed, best first.

    Fits: the name itself, its start, its parts ("getresp" and "gR" find getHTTPResponse), any substring, and where
    these find too little its characters in their order.  "Owner.name" looks for the name below that owner.
    """
    text = text.strip()
    owner, _, name = text.replace("::", ".").replace("#", ".").rpartition(".")
    if not name:
        return []
    candidates = snapshot.names_like(name, _CANDIDATES)
    ranked = _ranked(candidates, name)
    if len(ranked) < limit and len(name) > 2:
        ranked = _ranked(dict.fromkeys([*candidates, *snapshot.names_with_letters(name, _SCANNED)]), name)
    found: list[SymbolInfo] = []
    for candidate in ranked:
        fitting = [
            symbol
            for symbol in snapshot.symbols_named(candidate)
            if (not kinds or symbol.kind in kinds) and (not owner or _below(symbol, owner))
        ]
        found += sorted(fitting, key=lambda symbol: _importance(snapshot, symbol))
        if len(found) >= limit:
            break
    return found[:limit]


def symbol_by_id(snapshot: Snapshot, symbol_id: int) -> SymbolInfo | None:
    """A definition by its id, None if it is gone."""
    return snapshot.symbols_by_id([symbol_id]).get(symbol_id)


def enclosing(snapshot: Snapshot, path: str, offset: int) -> SymbolInfo | None:
    """The innermost definition around an offset, else the file's own; None where the file is not indexed."""
    best: SymbolInfo | None = None
    for symbol in snapshot.symbols_of(path):
        if symbol.key == "" or (
            symbol.span.start <= offset < symbol.span.end and (best is None or _size(symbol) <= _size(best))
        ):
            best = symbol
    return best


def named_at(snapshot: Snapshot, path: str, offset: int) -> SymbolInfo | None:
    """The definition whose name stands at an offset (the end of the name counts)."""
    for symbol in snapshot.symbols_of(path):
        if symbol.key and symbol.name_span.start <= offset <= symbol.name_span.end:
            return symbol
    return None


def outline(snapshot: Snapshot, path: str) -> tuple[OutlineNode, ...]:
    """The definitions of a file as a tree, in the order of the source."""
    children: dict[str, list[SymbolInfo]] = {}
    symbols = [symbol for symbol in snapshot.symbols_of(path) if symbol.key and not symbol.flags & Flag.MINOR]
    shown = {symbol.key for symbol in symbols}
    for symbol in symbols:
        children.setdefault(symbol.parent_key if symbol.parent_key in shown else "", []).append(symbol)
    return _nodes(children, "")


def _nodes(children: dict[str, list[SymbolInfo]], parent: str) -> tuple[OutlineNode, ...]:
    return tuple(OutlineNode(symbol, _nodes(children, symbol.key)) for symbol in children.get(parent, ()))


def _size(symbol: SymbolInfo) -> int:
    return symbol.span.end - symbol.span.start


def _below(symbol: SymbolInfo, owner: str) -> bool:
    around = symbol.qual.rpartition(".")[0].lower()
    owner = owner.lower()
    return around == owner or around.endswith("." + owner)


def _ranked(names: Collection[str], text: str) -> list[str]:
    scored = ((_score(name, text), len(name), name) for name in names)
    return [name for _, _, name in sorted(item for item in scored if item[0] is not None)]


def _score(name: str, text: str) -> int | None:
    """How well a name fits a text; smaller is better, None if it does not fit at all."""
    lower, wanted = name.lower(), text.lower()
    if name == text:
        return 0
    if lower == wanted:
        return 1
    bare = lower.strip("_")
    if name.startswith(text):
        return 2
    if bare.startswith(wanted):
        return 3
    if _fits_humps(name, text):
        return 4
    if wanted in lower:
        return 5
    return 6 if _in_order(lower, wanted) else None


def _fits_humps(name: str, text: str) -> bool:
    """Whether the text is made of beginnings of the name's parts, in their order."""
    parts = [part.lower() for part in humps(name)]
    wanted = "".join(char for char in text.lower() if char.isalnum())
    # All ways through the parts at once: `reach` holds how much of the text they can have used up.
    reach = {0}
    for part in parts:
        more = set(reach)
        for used in reach:
            common = 0
            while common < len(part) and used + common < len(wanted) and part[common] == wanted[used + common]:
                common += 1
                more.add(used + common)
        reach = more
    return bool(wanted) and len(wanted) in reach


def _in_order(name: str, text: str) -> bool:
    at = 0
    for char in text:
        at = name.find(char, at) + 1
        if not at:
            return False
    return True


def _importance(snapshot: Snapshot, symbol: SymbolInfo) -> tuple[bool, bool, int, str, int]:
    """Code before tests and generated code, types and functions before values."""
    info = snapshot.file(symbol.path)
    minor = info is not None and bool(info.flags & (FileFlag.TEST | FileFlag.GENERATED | FileFlag.VENDORED))
    rank = 0 if symbol.kind in TYPE_KINDS else 1 if symbol.kind in CALLABLE_KINDS else 2
    return minor, bool(symbol.flags & (Flag.DECLARATION | Flag.MINOR)), rank, symbol.path, symbol.span.start
