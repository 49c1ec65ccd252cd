"""The definitions that an agent should have seen before it writes a line: chosen for a task, whole, within a budget.

What the task names comes first, then what search finds, if it is near enough.  Silence is an answer: a prompt that
is about nothing in the repository gets nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from nav_ls.query import calls
from nav_ls.query.model import Caller, SymbolInfo
from nav_ls.query.prompts import Prompt
from nav_ls.query.snapshot import Snapshot
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS, Flag
from nav_ls.text.fence import clean, ticks
from nav_ls.text.hashes import content_hash

MOST_BLOCKS = 4
_FIRST = 3
CHARACTERS_PER_TOKEN = 4
_MOST_LISTED = 6
_LARGEST_CLASS = 2_500
"""Characters up to which a type is shown whole; above, its header and the signatures of its members."""
_MOST_MEMBERS = 40


class Gate(msgspec.Struct, frozen=True):
    """When a hit is near enough.  Measured on labelled prompts (`benchmarks/prompts.py`; docs/agents.md says how).

    `lead`: the relevance that the best hit needs.  `near`: the share of the best hit's that others need; `near_words`:
    the same where the best hit has no vector; `near_named`: the same for a task that names definitions, which needs
    fewer others; `near_last`: the same for a definition behind three others.  `words`: a task with fewer telling words
    than that is no question about code.
    """

    lead: float = 0.6
    near: float = 0.7
    near_words: float = 0.55
    near_named: float = 0.85
    near_last: float = 0.85
    words: int = 2


GATE = Gate()

STRENGTH_WEIGHT = 0.15
"""What a hit's words count beside its cosine."""
STRENGTH_ALONE = 0.36
"""The same where there is no cosine: as much as a hit with such words has with one, on the whole."""
LINKED = 1.1
"""What the best hit calls, or what calls it, is nearer than its own text says."""
ASIDE = 0.7
"""The share that is left to scripts, examples, generated and deprecated code, declarations and the like, unless asked
for."""
SLIGHT, SLIGHT_LINES = 0.8, 6
"""The share that is left to functions of so few lines: accessors and wrappers say in their names what others do."""
NAMESAKE = 0.8
"""The share that is left to what is called like something nearer: overrides, and the same for another type."""
BODILESS = Flag.ABSTRACT | Flag.DECLARATION | Flag.OVERLOAD


class Hit(msgspec.Struct, frozen=True):
    """A definition that search has found, by the place where it begins.

    `cosine` is None where there was no vector.  `strength`: its BM25 in units of a word that only one definition has.
    `aside`: it exercises or describes the code, and was not asked for.
    """

    path: str
    start: int
    cosine: float | None
    strength: float
    aside: bool = False

    @property
    def relevance(self) -> float:
        """How near it is to the task, on one scale for all repositories; around 0.4 for what shares a word by chance.

        Not the score by which search orders its list: that is relative to the best hit, and makes room for other files.
        """
        words = STRENGTH_ALONE if self.cosine is None else STRENGTH_WEIGHT
        return (max(self.cosine or 0.0, 0.0) + words * self.strength) * (ASIDE if self.aside else 1.0)


class Chosen(msgspec.Struct, frozen=True):
    """A definition and why it was chosen: "named", or "found" with its relevance as `score`."""

    symbol: SymbolInfo
    why: str
    score: float


class Shown(msgspec.Struct, frozen=True):
    """A block of the answer.  `id` names its text: what was shown once need not be shown again."""

    id: str
    path: str
    symbol: str
    line: int
    end_line: int
    why: str
    score: float


class Rendered(msgspec.Struct, frozen=True):
    """The text, what it shows whole, and what it only refers to."""

    text: str
    shown: tuple[Shown, ...]
    referred: tuple[Shown, ...]


Read = Callable[[str], bytes | None]
"""The text of a file as it is indexed; None where it has changed since, or cannot be read."""


def is_question(prompt: Prompt, gate: Gate = GATE) -> bool:
    """Whether a search makes sense: there are words that could find something."""
    return len(prompt.words) >= gate.words


def relevant(
    snapshot: Snapshot,
    hits: Sequence[Hit],
    gate: Gate = GATE,
    *,
    named: bool = False,
    tests: bool = False,
    deprecated: bool = False,
) -> list[Chosen]:
    """The hits that are near enough, nearest first; none where not even the best one is.

    `named`: see `Gate`.  `tests`, `deprecated`: whether these are asked for; some languages have tests in the files that
    they test, and nobody should be handed deprecated code to imitate.
    """
    found = _found(snapshot, hits)
    if not tests:
        found = [item for item in found if not item.symbol.flags & Flag.TEST]
    lead = max(found, key=lambda item: item.relevance, default=None)
    if lead is None or lead.relevance < gate.lead:
        return []
    share = gate.near_named if named else gate.near if lead.has_vector else gate.near_words
    chosen = [Chosen(item.symbol, "found", item.relevance * _worth(item.symbol, deprecated)) for item in found]
    chosen = _namesakes_back(_linked_forward(snapshot, _by_score(chosen), share))
    return [item for item in chosen if item.score >= share * chosen[0].score]


class _Found(msgspec.Struct, frozen=True):
    symbol: SymbolInfo
    relevance: float
    has_vector: bool


def _found(snapshot: Snapshot, hits: Sequence[Hit]) -> list[_Found]:
    """The definitions at the hits, each once, in the order of their places; signatures go where their function is there."""
    found: dict[tuple[str, str], _Found] = {}
    for hit in sorted(hits, key=lambda hit: (hit.path, hit.start)):
        symbol = _definition_at(snapshot, hit.path, hit.start)
        if symbol is not None:
            found.setdefault((symbol.path, symbol.key), _Found(symbol, hit.relevance, hit.cosine is not None))
    written = {(item.symbol.path, item.symbol.qual) for item in found.values() if not _is_bodiless(item.symbol)}
    return [
        item
        for item in found.values()
        if not _is_bodiless(item.symbol) or (item.symbol.path, item.symbol.qual) not in written
    ]


def _worth(symbol: SymbolInfo, deprecated: bool) -> float:
    """The share of its relevance that is left to a definition for what it is."""
    if _is_bodiless(symbol) or (symbol.flags & Flag.DEPRECATED and not deprecated):
        return ASIDE
    lines = symbol.span.end_line - symbol.name_span.line + 1
    return SLIGHT if symbol.kind in CALLABLE_KINDS and lines <= SLIGHT_LINES else 1.0


def _is_bodiless(symbol: SymbolInfo) -> bool:
    return symbol.kind in CALLABLE_KINDS and bool(symbol.flags & BODILESS)


def _by_score(chosen: Iterable[Chosen]) -> list[Chosen]:
    return sorted(chosen, key=lambda item: -item.score)


def _linked_forward(snapshot: Snapshot, chosen: Sequence[Chosen], share: float) -> list[Chosen]:
    """What the first of them calls, or what calls it, comes nearer; what no link could bring to the share is left out."""
    first = chosen[0].symbol
    called = _called(snapshot, first)

    def is_linked(symbol: SymbolInfo) -> bool:
        return symbol.id != first.id and (symbol.id in called or first.id in _called(snapshot, symbol))

    near = [item for item in chosen if LINKED * item.score >= share * chosen[0].score]
    return _by_score(_times(item, LINKED) if is_linked(item.symbol) else item for item in near)


def _namesakes_back(chosen: Sequence[Chosen]) -> list[Chosen]:
    """Of definitions of one name all but the nearest go back; overloads of one function may stay."""
    nearest: dict[str, tuple[str, str]] = {}
    moved = []
    for item in chosen:
        place = item.symbol.path, item.symbol.qual
        is_first = nearest.setdefault(item.symbol.name, place) == place
        moved.append(item if is_first else _times(item, NAMESAKE))
    return _by_score(moved)


def _times(item: Chosen, factor: float) -> Chosen:
    return msgspec.structs.replace(item, score=item.score * factor)


def _called(snapshot: Snapshot, symbol: SymbolInfo) -> set[int]:
    return {item.symbol.id for item in calls.callees(snapshot, symbol).callees}


def worth_showing(chosen: Sequence[Chosen], most: int, gate: Gate = GATE) -> int:
    """How many of the first to show whole, at most so many: of what follows three of them mostly nothing is of use.

    Who asks for more than usual gets more.
    """
    if most > MOST_BLOCKS:
        return most
    best = max((item.score for item in chosen if item.why == "found"), default=0.0)
    for place, item in enumerate(chosen[:most]):
        if place >= _FIRST and item.why == "found" and item.score < gate.near_last * best:
            return place
    return most


def choose(named: Sequence[SymbolInfo], found: Sequence[Chosen]) -> list[Chosen]:
    """What is named and what was found, without doubles."""
    chosen: dict[tuple[str, str], Chosen] = {}
    for item in (*(Chosen(symbol, "named", 1.0) for symbol in named), *found):
        chosen.setdefault((item.symbol.path, item.symbol.key), item)
    return list(chosen.values())


def render(
    snapshot: Snapshot,
    read: Read,
    chosen: Sequence[Chosen],
    characters: int,
    seen: Collection[str] = (),
    most: int = MOST_BLOCKS,
) -> Rendered:
    """Whole blocks, best first, in at most so many characters; what does not fit is referred to.

    `seen` are ids of blocks that the reader has already.
    """
    parts: list[str] = []
    shown: list[Shown] = []
    referred: list[tuple[Chosen, Shown]] = []
    left = characters
    for item in chosen:
        text = read(item.symbol.path)
        if text is None:
            referred.append((item, _shown(item, "")))
            continue
        block = _block(snapshot, item, text)
        about = _shown(item, block_id(item.symbol, block))
        if about.id in seen:
            continue
        if len(shown) >= most or len(block) + 2 > left:
            referred.append((item, about))
            continue
        parts.append(block)
        shown.append(about)
        left -= len(block) + 2
    lines, kept = _references(referred, left if parts else min(left, 600))
    return Rendered("\n\n".join([*parts, *([lines] if lines else [])]), tuple(shown), kept)


def block_id(symbol: SymbolInfo, block: str) -> str:
    """Names a definition in the state that was shown."""
    return f"{symbol.path}:{symbol.key}:{content_hash(block.encode('utf-8', 'replace')).hex()[:12]}"


def _shown(item: Chosen, id: str) -> Shown:
    span = item.symbol.span
    name = item.symbol.qual or "<module>"
    return Shown(id, item.symbol.path, name, span.line + 1, span.end_line + 1, item.why, round(item.score, 4))


def _references(items: Sequence[tuple[Chosen, Shown]], left: int) -> tuple[str, tuple[Shown, ...]]:
    lines: list[str] = []
    kept: list[Shown] = []
    used = len("Also relevant, not shown (open the file, or ask nav for the definition):")
    for item, about in items[:8]:
        line = f"- {item.symbol.kind} {about.symbol} ({about.path}:{about.line})"
        if used + len(line) + 1 > left:
            break
        used += len(line) + 1
        lines.append(line)
        kept.append(about)
    if not lines:
        return "", ()
    return "\n".join(["Also relevant, not shown (open the file, or ask nav for the definition):", *lines]), tuple(kept)


def _definition_at(snapshot: Snapshot, path: str, start: int) -> SymbolInfo | None:
    """The definition that begins at a place."""
    wanted = CALLABLE_KINDS | TYPE_KINDS
    return next((symbol for symbol in snapshot.symbols_starting(path, start) if symbol.kind in wanted), None)


# Blocks -------------------------------------------------------------------------------------------------------


def _block(snapshot: Snapshot, item: Chosen, text: bytes) -> str:
    symbol = item.symbol
    span = symbol.span
    state = "deprecated " if symbol.flags & Flag.DEPRECATED else ""
    head = f"### {state}{symbol.kind} {symbol.qual} — {symbol.path}:{span.line + 1}-{span.end_line + 1}"
    code = _code(snapshot, symbol, text)
    fence = ticks(code)
    lines = [head, *_told(snapshot, symbol), *_neighbours(snapshot, symbol)]
    return "\n".join([*lines, f"{fence}{symbol.language}", code, fence])


def _told(snapshot: Snapshot, symbol: SymbolInfo) -> list[str]:
    """What a language model wrote about it: a sentence of what it does and one of what for."""
    prose = snapshot.prose(symbol)
    return [clean(line) for line in (prose.summary, prose.why) if line] if prose is not None else []


def _code(snapshot: Snapshot, symbol: SymbolInfo, text: bytes) -> str:
    whole = _slice(text, symbol.span.start, symbol.span.end)
    if symbol.kind not in TYPE_KINDS or len(whole) <= _LARGEST_CLASS:
        return whole
    members = [s for s in snapshot.symbols_of(symbol.path) if s.parent_key == symbol.key and s.key]
    inside = [s for s in members if symbol.span.start <= s.span.start < symbol.span.end and s.kind != "field"]
    if not inside:
        return whole
    head = _slice(text, symbol.span.start, inside[0].span.start).rstrip()
    if len(head) > _LARGEST_CLASS:
        head = symbol.signature
    lines = [f"    {s.signature or s.name}  // line {s.name_span.line + 1}" for s in inside[:_MOST_MEMBERS]]
    more = len(inside) - len(lines)
    return "\n".join([head, *lines, *([f"    ... and {more} more"] if more > 0 else [])])


def _slice(text: bytes, start: int, end: int) -> str:
    """The lines of a range, moved left as far as they all are indented."""
    line_start = max(text.rfind(b"\n", 0, start), text.rfind(b"\r", 0, start)) + 1
    lead = text[line_start:start]
    begin = line_start if not lead.strip() else start
    code = clean(text[begin:end].decode("utf-8", "replace"))
    lines = code.split("\n")
    filled = [line for line in lines if line.strip()]
    margin = min((len(line) - len(line.lstrip(" \t")) for line in filled), default=0)
    indent = filled[0][:margin] if filled else ""
    return "\n".join(line.removeprefix(indent) if line.strip() else "" for line in lines)


def _neighbours(snapshot: Snapshot, symbol: SymbolInfo) -> list[str]:
    """Who calls it, and what it calls."""
    found = calls.callers(snapshot, symbol, 50)
    lines = []
    if found.callers:
        lines.append(f"called by {_listed(found.callers, found.total)}")
    if found.possible_total:
        sites = "site" if found.possible_total == 1 else "sites"
        lines.append(
            f"{'' if found.callers else '0 resolved callers; '}{found.possible_total} possible {sites} by name"
        )
    called = calls.callees(snapshot, symbol).callees
    if called:
        lines.append(f"calls {_listed(called, len(called))}")
    return lines


def _listed(items: Sequence[Caller], total: int) -> str:
    shown = [
        f"{item.symbol.qual or 'module level'} ({item.symbol.path}:{item.symbol.name_span.line + 1})"
        for item in items[:_MOST_LISTED]
    ]
    rest = total - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest > 0 else "")
