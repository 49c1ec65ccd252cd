"""Definitions by name, by place and as an outline."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from nav_ls.query.model import OutlineNode, SymbolInfo
from nav_ls.query.snapshot import Candidate, Snapshot
from nav_ls.store.rows import FileFlag
from nav_ls.syntax.facts import CALLABLE_KINDS, SYMBOL_KINDS, TYPE_KINDS, Flag
from nav_ls.text.errors import UsageError
from nav_ls.text.names import dotted, humps, spoken

LIMIT = 100
_CANDIDATES = 400
_SCANNED = 1000
_ENOUGH = 20
"""Where so many fit better, nobody looks for those that only hold the letters (which takes a look at every name)."""
_LONGEST_ABBREVIATION = 12
"""Who has typed more than that, and sees names that begin with it, does not mean others with these letters apart."""
_LONGEST_TEXT = 1000
"""Characters.  Nobody types that much of a name, and to compare it with all names would take minutes."""
_NAMES_AT_ONCE = 50
_DEFINITIONS = 5000


def find_symbols(snapshot: Snapshot, text: str, limit: int = LIMIT, kinds: Collection[str] = ()) -> list[SymbolInfo]:
    """Definitions whose name fits what somebody typed, best first.

    Fits: the name itself, its start, its parts ("getresp" and "gR" find getHTTPResponse), any substring, and where
    these find too little its characters in their order.  "Owner.name" looks for the name below that owner.
    Raises UsageError for a kind that does not exist.
    """
    text = text.strip()
    unknown = set(kinds) - SYMBOL_KINDS
    if unknown:
        listed = ", ".join(sorted(SYMBOL_KINDS))
        raise UsageError(f"no kind of definition is named {min(unknown)!r}; there are: {listed}")
    owner, _, name = dotted(text).rpartition(".")
    if not name or len(text) > _LONGEST_TEXT or "\0" in text:  # SQLite ends a pattern at a NUL
        return []
    names = snapshot.names_like(name, _CANDIDATES)
    found = _ranked_symbols(snapshot, names, name, owner, limit, kinds)
    abbreviated = len(name) > 2 and (not found or len(name) <= _LONGEST_ABBREVIATION)
    if abbreviated and len(found) < min(limit, _ENOUGH):
        names = list(dict.fromkeys([*names, *snapshot.names_with_letters(name, _SCANNED)]))
        found = _ranked_symbols(snapshot, names, name, owner, limit, kinds)
    return [snapshot.shown(candidate) for candidate in found]


def _ranked_symbols(
    snapshot: Snapshot, names: Collection[str], text: str, owner: str, limit: int, kinds: Collection[str]
) -> list[Candidate]:
    ranked = _ranked(names, text)
    found: list[Candidate] = []
    for start in range(0, len(ranked), _NAMES_AT_ONCE):
        part = ranked[start : start + _NAMES_AT_ONCE]
        place = {name: index for index, name in enumerate(part)}
        fitting = [
            item
            for item in snapshot.candidates(part, _DEFINITIONS)
            if (not kinds or item.kind in kinds) and (not owner or _below(item.qual, owner))
        ]
        found += sorted(fitting, key=lambda item: (place[item.name], _importance(item)))
        if len(found) >= limit:
            break
    return found[:limit]


def symbol_by_id(snapshot: Snapshot, symbol_id: int) -> SymbolInfo | None:
    """A definition by its id, None if it is gone."""
    return snapshot.symbols_by_id([symbol_id]).get(symbol_id)


def is_assigned_field(symbol: SymbolInfo) -> bool:
    """Is it a field that is there only because it is assigned?"""
    return symbol.kind == "field" and bool(symbol.flags & Flag.MINOR)


def enclosing(snapshot: Snapshot, path: str, offset: int) -> SymbolInfo | None:
    """The innermost definition around an offset, else the file's own; None where the file is not indexed.

    Code stands in the method that assigns a field, not in the field.
    """
    best: SymbolInfo | None = None
    around = snapshot.symbols_where(path, lambda row: row.key == "" or row.start <= offset < row.end)
    for symbol in (s for s in around if not is_assigned_field(s)):
        if symbol.key == "" or best is None or _size(symbol) <= _size(best):
            best = symbol
    return best


def named_at(snapshot: Snapshot, path: str, offset: int) -> SymbolInfo | None:
    """The definition whose name stands at an offset (the end of the name counts); some have none that is written."""
    found = snapshot.symbols_where(
        path, lambda row: row.key != "" and row.name_start <= offset <= row.name_end > row.name_start
    )
    return found[0] if found else None


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


def _below(qual: str, owner: str) -> bool:
    owner = owner.lower()
    arounds = (name.rpartition(".")[0].lower() for name in {qual, spoken(qual)})
    return any(around == owner or around.endswith("." + owner) for around in arounds)


def _ranked(names: Collection[str], text: str) -> list[str]:
    scored = ((_score(name, text), len(name), name) for name in names)
    return [name for _, _, name in sorted(item for item in scored if item[0] is not None)]


def _score(name: str, text: str) -> int | None:
    """How well a name fits a text; smaller is better, None if it does not fit at all."""
    lower, wanted = name.lower(), text.lower()
    if not _in_order(lower, wanted) and not _fits_humps(name, text):
        return None
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
    return 6


def _fits_humps(name: str, text: str) -> bool:
    """Whether the text is made of beginnings of the name's parts, in their order."""
    parts = _parts(name)
    wanted = "".join(filter(str.isalnum, text.lower()))
    if not wanted or all(part[0] != wanted[0] for part in parts):
        return False
    # All ways through the parts at once: `reach` holds how much of the text they can have used up.
    reach = {0}
    for part in parts:
        for used in tuple(reach):
            if wanted.startswith(part[0], used):
                reach.update(range(used + 1, used + 1 + _common(part, wanted, used)))
        if len(wanted) in reach:
            return True
    return False


def _common(part: str, text: str, start: int) -> int:
    """How many letters of a part stand in a text from `start` on."""
    count = 1
    while count < len(part) and text.startswith(part[count], start + count):
        count += 1
    return count


@lru_cache(maxsize=20_000)
def _parts(name: str) -> tuple[str, ...]:
    """The parts of a name in small letters; the same names are ranked with each letter that somebody types."""
    return tuple(part.lower() for part in humps(name) if part)


def _in_order(name: str, text: str) -> bool:
    at = 0
    for char in text:
        at = name.find(char, at) + 1
        if not at:
            return False
    return True


def _importance(item: Candidate) -> tuple[bool, bool, int, str, int]:
    """Code before tests and generated code, types and functions before values."""
    minor = bool(item.file.flags & (FileFlag.TEST | FileFlag.GENERATED | FileFlag.VENDORED))
    rank = 0 if item.kind in TYPE_KINDS else 1 if item.kind in CALLABLE_KINDS else 2
    return minor, bool(item.flags & (Flag.DECLARATION | Flag.MINOR)), rank, item.file.path, item.start
