"""What the cursor of an editor is on, and everything that belongs to it.

A name that the scopes of its own file explain (a parameter, a local variable) is answered from these, anything else
from the index: what only one function sees is not stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

import msgspec

from nav_ls.graph.model import Keyword, Local, Occurrence
from nav_ls.query.calls import callers, evidence_of
from nav_ls.query.model import Highlight, Hover, LocalHover, Span, SymbolInfo, Target
from nav_ls.query.navigate import bound_at, fields_at, references, span_at
from nav_ls.query.snapshot import Snapshot
from nav_ls.query.symbols import named_at
from nav_ls.syntax.facts import Flag


class Cursor(msgspec.Struct, frozen=True):
    """What a place means.  `span`: the name that stands there.

    `symbols`: the definitions; where there are none, `local` is what is meant, in the file `home`; `fields`: what its
    name means as well there (`Point { x }`).
    """

    span: Span
    symbols: tuple[SymbolInfo, ...] = ()
    local: Local | None = None
    home: str = ""
    fields: tuple[SymbolInfo, ...] = ()


def at(snapshot: Snapshot, path: str, offset: int) -> Cursor | None:
    """What stands at an offset; None on white space, in comments and in strings."""
    # Asked first: on a definition's own name the index is right, and the file need not be read for its locals.
    named = named_at(snapshot, path, offset)
    if named is not None:
        return Cursor(named.name_span, (named,))
    known = snapshot.locals(path)
    mention = _touched(offset, (item for local in known.variables for item in local.occurrences))
    local = next((one for one in known.variables if mention in one.occurrences), None)
    symbols = _bound_here(snapshot, path, local) if local is not None and local.kind != "import" else None
    if symbols is None:
        symbols = tuple(bound_at(snapshot, path, offset))
    if mention is not None:
        fields = () if symbols else tuple(fields_at(snapshot, path, mention.start))
        return Cursor(snapshot.span(path, mention.start, mention.end), symbols, local, path, fields)
    span = span_at(snapshot, path, offset) if symbols else None
    if span is not None:
        return Cursor(span, symbols)
    receiver = _touched(offset, known.receivers)
    owner = snapshot.symbol(path, receiver.type) if receiver is not None else None
    if receiver is not None and owner is not None:
        return Cursor(snapshot.span(path, receiver.start, receiver.end), (owner,))
    keyword = _touched(offset, known.keywords)
    return _handed(snapshot, path, keyword) if keyword is not None else None


def _bound_here(snapshot: Snapshot, path: str, local: Local) -> tuple[SymbolInfo, ...] | None:
    """The definition of a variable, which is meant and not what it holds; () for a local, None where it is not known."""
    symbol = snapshot.symbol(path, local.symbol) if local.symbol else None
    return (symbol,) if symbol is not None else None if local.symbol else ()


def definitions(snapshot: Snapshot, path: str, offset: int) -> list[Target]:
    """Where what stands at an offset is defined; definitions before declarations."""
    found = at(snapshot, path, offset)
    if found is None:
        return []
    if found.symbols:
        return [Target(found.span, symbol.span, symbol.name_span) for symbol in _ordered(found)]
    assert found.local is not None, "what is no definition is a variable"
    declared = _span(snapshot, found.home, found.local.declared)
    fields = [Target(found.span, field.span, field.name_span) for field in found.fields]
    # Who stands where the variable gets its name is there already.
    return fields if fields and found.span == declared else [Target(found.span, declared, declared), *fields]


def mentions(snapshot: Snapshot, path: str, offset: int, declaration: bool = True) -> list[Span]:
    """All mentions of what stands at an offset, by path and place; where it is defined among them if `declaration`."""
    found = at(snapshot, path, offset)
    if found is None:
        return []
    homes = {symbol.path for symbol in found.symbols} | {found.home}
    spans = {(home, one.start): _span(snapshot, home, one) for home in homes for one in _scoped(snapshot, home, found)}
    for symbol in found.symbols:
        spans |= {(one.span.path, one.span.start): one.span for one in references(snapshot, symbol)}
    if not declaration:
        for place in _declared(found):
            spans.pop(place, None)
    return [spans[place] for place in sorted(spans)]


def highlight(snapshot: Snapshot, path: str, offset: int) -> list[Highlight]:
    """All mentions in the same file of what stands at an offset."""
    found = at(snapshot, path, offset)
    if found is None:
        return []
    marked = {
        one.start: Highlight(_span(snapshot, path, one), "read" if one.role == "read" else "write")
        for one in _scoped(snapshot, path, found)
    }
    for symbol in found.symbols:
        if symbol.path == path and symbol.key and symbol.name_span.end > symbol.name_span.start:
            marked[symbol.name_span.start] = Highlight(symbol.name_span, "write")
        for item in snapshot.mentions_of([symbol]):
            if item.path == path:
                kind = "write" if item.kind == "writes" else "read"
                marked.setdefault(item.start, Highlight(snapshot.span(path, item.start, item.end), kind))
    return [marked[start] for start in sorted(marked)]


def hover(snapshot: Snapshot, path: str, offset: int) -> Hover | LocalHover | None:
    """What is worth knowing about what stands at an offset, None where nothing is known."""
    found = at(snapshot, path, offset)
    if found is None:
        return None
    if not found.symbols:
        return _local_hover(snapshot, found)
    symbol = _ordered(found)[0]
    calling = callers(snapshot, symbol, 1, 1)
    uses = sum(1 for item in snapshot.raw_mentions_of([symbol]) if item.kind == "references")
    evidence, prose = evidence_of(snapshot, symbol), snapshot.prose(symbol)
    return Hover(symbol, found.span, calling.total, calling.possible_total, uses, evidence, prose)


def _local_hover(snapshot: Snapshot, found: Cursor) -> LocalHover:
    assert found.local is not None, "what is no definition is a variable"
    local, file = found.local, snapshot.file(found.home)
    within = snapshot.symbol(found.home, local.within) if local.within else None
    declared = _span(snapshot, found.home, local.declared)
    return LocalHover(local.kind, local.line, file.language if file else "", found.span, declared, within)


def _ordered(found: Cursor) -> list[SymbolInfo]:
    """Definitions before declarations."""
    return sorted(found.symbols, key=lambda symbol: bool(symbol.flags & Flag.DECLARATION))


def _declared(found: Cursor) -> Iterator[tuple[str, int]]:
    yield from ((symbol.path, symbol.name_span.start) for symbol in found.symbols)
    if not found.symbols and found.local is not None:
        yield found.home, found.local.declared.start


def _scoped(snapshot: Snapshot, path: str, found: Cursor) -> Iterator[Occurrence]:
    """The mentions in a file that its scopes alone explain; not all of them are sites."""
    keys = {symbol.key for symbol in found.symbols if symbol.path == path}
    for local in snapshot.locals(path).variables:
        if (local.symbol and local.symbol in keys) or (local == found.local and path == found.home):
            yield from local.occurrences


def _handed(snapshot: Snapshot, path: str, keyword: Keyword) -> Cursor | None:
    """The parameter that a keyword argument names, or the field, in whatever file what is called stands."""
    span = snapshot.span(path, keyword.start, keyword.end)
    called = [one.callee for one in snapshot.mentions_in(path, keyword.callee, keyword.callee + 1)]
    for callee in called:
        for local in snapshot.locals(callee.path).variables:
            if (local.kind, local.within, local.name.lstrip("$")) == ("parameter", callee.key, keyword.name):
                return Cursor(span, (), local, callee.path)
    fields = [snapshot.symbol(callee.path, f"{callee.key}.{keyword.name}") for callee in called]
    known = tuple(field for field in fields if field is not None)
    return Cursor(span, known) if known else None


def _span(snapshot: Snapshot, path: str, item: Occurrence) -> Span:
    return snapshot.span(path, item.start, item.end)


class _Stretch(Protocol):
    """A part of a file."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


S = TypeVar("S", bound=_Stretch)


def _touched(offset: int, items: Iterable[S]) -> S | None:
    """The one that holds an offset; where two touch, the one that begins there."""
    near = [item for item in items if item.start <= offset <= item.end]
    return max(near, key=lambda item: item.start, default=None)
