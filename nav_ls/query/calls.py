"""Who calls a definition, and whom it calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from nav_ls.graph.model import may_dispatch
from nav_ls.query.model import Callees, Caller, Callers, Possible, Site, SymbolInfo, Unknown
from nav_ls.query.snapshot import Guess, Mention, Raw, Snapshot
from nav_ls.store.rows import EVIDENCE
from nav_ls.syntax.facts import TYPE_KINDS, Flag
from nav_ls.syntax.languages import family_of

CALLING = frozenset({"calls", "accesses", "implicit", "invokes"})
"""Kinds of mention that run the definition, or what a variable holds (`invokes`)."""

LIMIT = 1000
"""How many callers are returned at most, unless somebody asks for more."""

POSSIBLE_LIMIT = 200
"""The same for possible callers: a common name has thousands, and nobody reads them."""

_RANK = {evidence: rank for rank, evidence in enumerate(EVIDENCE)}
_GUESSES = 20_000
_MAX_DEPTH = 50


def callers(
    snapshot: Snapshot,
    symbol: SymbolInfo,
    limit: int = LIMIT,
    possible_limit: int = POSSIBLE_LIMIT,
    *,
    together: Sequence[SymbolInfo] = (),
) -> Callers:
    """Who calls a definition: proved callers, uses as a value, and possible callers with the reason for each.

    The callers of a class are those that construct it.  `together`: what is asked about along with the definition,
    the other accessors of a property.
    """
    targets = [*with_constructors(snapshot, symbol), *together]
    mentions = snapshot.raw_mentions_of(targets)
    calls = [item for item in mentions if item.kind in CALLING]
    proved, total = _grouped(snapshot, (item for item in calls if item.evidence != "name"), limit)
    uses, _ = _grouped(snapshot, (item for item in mentions if item.kind == "references"), limit)
    possible: list[Possible] = []
    possible_total = 0
    for why, sites, base in _possible(snapshot, symbol, targets, mentions):
        found, count = _grouped(snapshot, sites, max(0, possible_limit - len(possible)))
        possible += [Possible(item.symbol, why, item.sites, base) for item in found]
        possible_total += count
    return Callers(symbol, tuple(proved), tuple(uses), tuple(possible), total, possible_total)


def evidence_of(snapshot: Snapshot, symbol: SymbolInfo) -> dict[str, int]:
    """How many proved calling sites a definition has of each evidence."""
    counts: dict[str, int] = {}
    for item in snapshot.raw_mentions_of(with_constructors(snapshot, symbol)):
        if item.kind in CALLING and item.evidence != "name":
            counts[item.evidence] = counts.get(item.evidence, 0) + 1
    return counts


def callees(snapshot: Snapshot, symbol: SymbolInfo, *, together: Sequence[SymbolInfo] = ()) -> Callees:
    """Whom a definition calls, from its own body: what is nested in it and has a name speaks for itself.

    `together` as for `callers`.
    """
    mentions: list[Mention] = []
    guesses: list[Guess] = []
    for asked in (symbol, *together):
        start, end = (asked.span.start, asked.span.end) if asked.key else (0, asked.span.end + 1)
        mentions += [
            item
            for item in snapshot.mentions_in(asked.path, start, end)
            if item.caller.key == asked.key and item.evidence != "name"
        ]
        guesses += [item for item in snapshot.guesses_in(asked.path, start, end) if item.caller.key == asked.key]
    called = _by_callee(snapshot, (item for item in mentions if item.kind in CALLING))
    used = _by_callee(snapshot, (item for item in mentions if item.kind == "references"))
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


_Sites = Iterable[Raw]


def _possible(
    snapshot: Snapshot, symbol: SymbolInfo, targets: Sequence[SymbolInfo], mentions: Sequence[Raw]
) -> Iterator[tuple[str, _Sites, SymbolInfo | None]]:
    """Calls that may land here: why, where, and through which definition."""
    own = {(item.path, item.key) for item in targets}
    own_ids = {item.id for item in targets}
    for base in overridden(snapshot, symbol):
        if (base.path, base.key) not in own:
            # `super().f()` in the override itself calls the base, whatever the object is.
            sites = [item for item in snapshot.raw_mentions_of([base]) if item.caller not in own_ids]
            yield "dispatch", (item for item in sites if _may_land_elsewhere(item)), base
    yield "name", (item for item in mentions if item.kind in CALLING and item.evidence == "name"), None
    family = family_of(symbol.language)
    known = {(item.path, item.start) for item in mentions}
    guesses = snapshot.raw_guesses_named(symbol.name, _GUESSES)
    fitting = (item for item in guesses if family_of(item.language) == family and (item.path, item.start) not in known)
    yield "unresolved", fitting, None


def _may_land_elsewhere(item: Raw) -> bool:
    return item.kind in CALLING and item.evidence != "name" and may_dispatch(family_of(item.language), item.evidence)


def _grouped(snapshot: Snapshot, sites: _Sites, limit: int) -> tuple[list[Caller], int]:
    """Sites by their callers, in the order of the source, and how many callers there are before the limit."""
    groups: dict[int, list[Raw]] = {}
    for item in sites:
        groups.setdefault(item.caller, []).append(item)
    order = sorted(groups, key=lambda caller: (groups[caller][0].path, min(item.start for item in groups[caller])))
    callers = snapshot.symbols_by_id(order[:limit])
    found = [
        _caller(callers[caller], [_site(snapshot, item) for item in groups[caller]])
        for caller in order[:limit]
        if caller in callers
    ]
    return sorted(found, key=_order), len(order)


def _by_callee(snapshot: Snapshot, mentions: Iterable[Mention]) -> list[Caller]:
    groups: dict[tuple[str, str], tuple[SymbolInfo, list[Site]]] = {}
    for item in mentions:
        site = Site(snapshot.span(item.path, item.start, item.end), item.kind, item.evidence)
        groups.setdefault((item.callee.path, item.callee.key), (item.callee, []))[1].append(site)
    return sorted((_caller(symbol, sites) for symbol, sites in groups.values()), key=_order)


def _site(snapshot: Snapshot, item: Raw) -> Site:
    return Site(snapshot.span(item.path, item.start, item.end), item.kind, item.evidence)


def _caller(symbol: SymbolInfo, sites: Sequence[Site]) -> Caller:
    best = min((site.evidence for site in sites), key=lambda evidence: _RANK[evidence])
    return Caller(symbol, best, tuple(sorted(sites, key=lambda site: site.span.start)))


def _order(caller: Caller) -> tuple[str, int, str]:
    return caller.symbol.path, caller.symbol.span.start, caller.symbol.key
