"""From a place in a file to what it names, and from a definition to everything that belongs to it."""

from __future__ import annotations

from nav_ls.query.calls import overriding
from nav_ls.query.model import Reference, Related, Span, SymbolInfo
from nav_ls.query.snapshot import Link, Mention, Snapshot
from nav_ls.query.symbols import named_at
from nav_ls.syntax.facts import TYPE_KINDS

LIMIT = 5000
_ACCESSES = frozenset({"reads", "writes"})
_TYPE_RELATIONS = frozenset({"inherits", "implements", "embeds"})
_GIVING = _TYPE_RELATIONS | {"mixin", "prepends"}


def symbols_at(snapshot: Snapshot, path: str, offset: int) -> list[SymbolInfo]:
    """What stands at an offset: the definition whose name it is, or those that the site there is bound to."""
    named = named_at(snapshot, path, offset)
    return [named] if named is not None else bound_at(snapshot, path, offset)


def bound_at(snapshot: Snapshot, path: str, offset: int) -> list[SymbolInfo]:
    """The definitions that the site at an offset is bound to."""
    sites = _sites_at(snapshot, path, offset)
    # A field that is initialised may run a constructor, which is not what stands there.
    sites = [item for item in sites if item.kind == "writes"] or sites
    return list({(item.callee.path, item.callee.key): item.callee for item in sites}.values())


def fields_at(snapshot: Snapshot, path: str, start: int) -> list[SymbolInfo]:
    """The fields that are read or written by a name that begins at an offset."""
    sites = [item for item in _sites_at(snapshot, path, start) if item.start == start and item.kind in _ACCESSES]
    return list({(i.callee.path, i.callee.key): i.callee for i in sites if i.callee.kind == "field"}.values())


def span_at(snapshot: Snapshot, path: str, offset: int) -> Span | None:
    """The name of the site at an offset, None where there is none."""
    sites = _sites_at(snapshot, path, offset)
    return snapshot.span(path, sites[0].start, sites[0].end) if sites else None


def references(snapshot: Snapshot, symbol: SymbolInfo, declaration: bool = True, limit: int = LIMIT) -> list[Reference]:
    """All mentions of a definition, by path and place; its own name among them if `declaration`."""
    found = [
        Reference(snapshot.span(item.path, item.start, item.end), item.kind, item.evidence, item.caller)
        for item in snapshot.mentions_of([symbol])
    ]
    if declaration and symbol.key:
        found.append(Reference(symbol.name_span, "definition", "exact", symbol))
    unique = {(item.span.path, item.span.start): item for item in found}
    return [unique[place] for place in sorted(unique)][:limit]


def implementations(snapshot: Snapshot, symbol: SymbolInfo) -> list[Related]:
    """Types that extend or implement a type, at any depth; for a method all that override or implement it."""
    if symbol.kind not in TYPE_KINDS:
        return [Related(item, "overrides", "exact") for item in overriding(snapshot, symbol)]
    found: dict[tuple[str, str], Related] = {}
    pending = [symbol]
    while pending:
        below = [item for near in pending for item in subtypes(snapshot, near)]
        fresh = [item for item in below if (item.symbol.path, item.symbol.key) not in found]
        found.update(((item.symbol.path, item.symbol.key), item) for item in fresh)
        pending = [item.symbol for item in fresh]
    found.pop((symbol.path, symbol.key), None)
    return list(found.values())


def supertypes(snapshot: Snapshot, symbol: SymbolInfo) -> list[Related]:
    """Types that a type extends, implements or embeds directly (those in the repository)."""
    return _above(snapshot, symbol, _TYPE_RELATIONS)


def givers(snapshot: Snapshot, symbol: SymbolInfo) -> list[SymbolInfo]:
    """What a type gets members from directly: its supertypes, and modules and traits that are mixed in."""
    return [item.symbol for item in _above(snapshot, symbol, _GIVING)]


def subtypes(snapshot: Snapshot, symbol: SymbolInfo) -> list[Related]:
    """Types that extend, implement or embed a type directly."""
    found = [link for link in snapshot.relations_to([symbol]) if link.kind in _TYPE_RELATIONS]
    return [Related(link.source, link.kind, link.evidence) for link in sorted(found, key=_place)]


def _above(snapshot: Snapshot, symbol: SymbolInfo, kinds: frozenset[str]) -> list[Related]:
    return [
        Related(link.target, link.kind, link.evidence)
        for link in snapshot.relations_of(symbol.path)
        if link.kind in kinds and link.source.key == symbol.key and link.target is not None
    ]


def _sites_at(snapshot: Snapshot, path: str, offset: int) -> list[Mention]:
    # Longer names are not looked for: what starts earlier does not reach the offset.
    near = snapshot.mentions_in(path, max(0, offset - 256), offset + 1)
    sites = [item for item in near if item.start <= offset <= item.end]
    # Where two names touch, the one that begins here is meant.
    inside = [item for item in sites if offset < item.end]
    return inside or sites


def _place(link: Link) -> tuple[str, int]:
    return link.source.path, link.source.span.start
