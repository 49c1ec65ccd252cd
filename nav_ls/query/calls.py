"""Who calls a definition, and whom it calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nav_ls.graph.model import may_dispatch
from nav_ls.query.model import Callees, Caller, Callers, Possible, Site, SymbolInfo, Unknown
from nav_ls.query.snapshot import Guess, Mention, Snapshot
from nav_ls.store.rows import EVIDENCE
from nav_ls.syntax.facts import TYPE_KINDS, Flag
from nav_ls.syntax.languages import family_of

CALLING = frozenset({"calls", "accesses"})
"""Kinds of mention that run the definition."""

LIMIT = 1000
"""How many callers and possible callers are returned at most."""

_RANK = {evidence: rank for rank, evidence in enumerate(EVIDENCE)}
_GUESSES = 5000
_MAX_DEPTH = 50


def callers(snapshot: Snapshot, symbol: SymbolInfo, limit: int = LIMIT) -> Callers:
    """Who calls a definition: proved callers, uses as a value, and possible callers with the reason for each.

    The callers of a class are those that construct it.
    """
    targets = with_constructors(snapshot, symbol)
    mentions = snapshot.mentions_of(targets)
    proved = _grouped(snapshot, (item for item in mentions if _is_call(item) and item.evidence != "name"))
    uses = _grouped(snapshot, (item for item in mentions if item.kind == "references"))
    possible = [
        *_by_dispatch(snapshot, symbol, targets),
        *_by_name(snapshot, (item for item in mentions if _is_call(item) and item.evidence == "name")),
        *_unresolved(snapshot, symbol, {(item.path, item.start) for item in mentions}),
    ]
    return Callers(
        symbol, tuple(proved[:limit]), tuple(uses[:limit]), tuple(possible[:limit]), len(proved), len(possible)
    )


def callees(snapshot: Snapshot, symbol: SymbolInfo) -> Callees:
    """Whom a definition calls, from its own body: what is nested in it and has a name speaks for itself."""
    start, end = (symbol.span.start, symbol.span.end) if symbol.key else (0, symbol.span.end + 1)
    mentions = [
        item
        for item in snapshot.mentions_in(symbol.path, start, end)
        if item.caller.key == symbol.key and item.evidence != "name"
    ]
    guesses = [item for item in snapshot.guesses_in(symbol.path, start, end) if item.caller.key == symbol.key]
    called = _grouped(snapshot, (item for item in mentions if _is_call(item)), by_callee=True)
    used = _grouped(snapshot, (item for item in mentions if item.kind == "references"), by_callee=True)
    unknown = tuple(Unknown(item.name, snapshot.span(item.path, item.start, item.end), item.why) for item in guesses)
    return Callees(symbol, tuple(called), tuple(used), unknown)


def with_constructors(snapshot: Snapshot, symbol: SymbolInfo) -> list[SymbolInfo]:
    """A class together with its constructors: constructing it runs them.  Anything else alone."""
    if symbol.kind not in TYPE_KINDS:
        return [symbol]
    members = snapshot.symbols_where(symbol.path, lambda row: row.key != "" and row.parent == symbol.key)
    return [symbol, *(item for item in members if is_constructor(item))]


def is_constructor(symbol: SymbolInfo) -> bool:
    """Whether constructing a class runs this."""
    return symbol.kind == "constructor" or bool(symbol.flags & Flag.CONSTRUCTOR)


def overridden(snapshot: Snapshot, symbol: SymbolInfo) -> list[SymbolInfo]:
    """All definitions that a method overrides or implements, nearest first."""
    found: dict[tuple[str, str], SymbolInfo] = {}
    pending = [symbol]
    for _ in range(_MAX_DEPTH):
        above = [
            link.target
            for item in pending
            for link in snapshot.relations_of(item.path)
            if link.kind == "overrides" and link.source.key == item.key and link.target is not None
        ]
        pending = [item for item in above if (item.path, item.key) not in found]
        found.update(((item.path, item.key), item) for item in pending)
        if not pending:
            break
    found.pop((symbol.path, symbol.key), None)
    return list(found.values())


def overriding(snapshot: Snapshot, symbol: SymbolInfo) -> list[SymbolInfo]:
    """All definitions that override or implement a method, nearest first."""
    found: dict[tuple[str, str], SymbolInfo] = {}
    pending = [symbol]
    for _ in range(_MAX_DEPTH):
        below = [link.source for link in snapshot.relations_to(pending) if link.kind == "overrides"]
        pending = [item for item in below if (item.path, item.key) not in found]
        found.update(((item.path, item.key), item) for item in pending)
        if not pending:
            break
    found.pop((symbol.path, symbol.key), None)
    return list(found.values())


def _is_call(mention: Mention) -> bool:
    return mention.kind in CALLING


def _grouped(snapshot: Snapshot, mentions: Iterable[Mention], *, by_callee: bool = False) -> list[Caller]:
    groups: dict[tuple[str, str], tuple[SymbolInfo, list[Site]]] = {}
    for item in mentions:
        other = item.callee if by_callee else item.caller
        site = Site(snapshot.span(item.path, item.start, item.end), item.kind, item.evidence)
        groups.setdefault((other.path, other.key), (other, []))[1].append(site)
    found = [Caller(other, _best(sites), _ordered(sites)) for other, sites in groups.values()]
    return sorted(found, key=lambda item: (item.symbol.path, item.symbol.span.start, item.symbol.key))


def _best(sites: Sequence[Site]) -> str:
    return min((site.evidence for site in sites), key=lambda evidence: _RANK[evidence])


def _ordered(sites: Iterable[Site]) -> tuple[Site, ...]:
    return tuple(sorted(sites, key=lambda site: site.span.start))


def _by_dispatch(snapshot: Snapshot, symbol: SymbolInfo, targets: Sequence[SymbolInfo]) -> list[Possible]:
    """Callers of what this definition overrides: at run time the call may land here."""
    own = {(item.path, item.key) for item in targets}
    found: list[Possible] = []
    for base in overridden(snapshot, symbol):
        if (base.path, base.key) in own:
            continue
        mentions = (
            item
            for item in snapshot.mentions_of([base])
            if _is_call(item)
            and item.evidence != "name"
            and may_dispatch(family_of(item.caller.language), item.evidence)
        )
        found += [
            Possible(item.symbol, "dispatch", item.sites, base)
            for item in _grouped(snapshot, mentions)
            if (item.symbol.path, item.symbol.key) not in own  # `super().f()` in the override itself
        ]
    return found


def _by_name(snapshot: Snapshot, mentions: Iterable[Mention]) -> list[Possible]:
    return [Possible(item.symbol, "name", item.sites) for item in _grouped(snapshot, mentions)]


def _unresolved(snapshot: Snapshot, symbol: SymbolInfo, known: set[tuple[str, int]]) -> list[Possible]:
    family = family_of(symbol.language)
    groups: dict[tuple[str, str], tuple[SymbolInfo, list[Guess]]] = {}
    for item in snapshot.guesses_named(symbol.name, _GUESSES):
        if family_of(item.caller.language) == family and (item.path, item.start) not in known:
            groups.setdefault((item.caller.path, item.caller.key), (item.caller, []))[1].append(item)
    found = [
        Possible(
            caller,
            "unresolved",
            _ordered(Site(snapshot.span(item.path, item.start, item.end), "calls", "name") for item in items),
        )
        for caller, items in groups.values()
    ]
    return sorted(found, key=lambda item: (item.symbol.path, item.symbol.span.start))
