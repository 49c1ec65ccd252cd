"""nav.search, nav.embed: questions in plain language, and the vectors behind them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from nav_ls.commands.model import Command, Context, Freshness
from nav_ls.index.model import Progress
from nav_ls.index.search_index import Embedded
from nav_ls.ports import PortError
from nav_ls.query.blocks import Block, block, snippet, within
from nav_ls.query.search import SearchHit, SearchQuery, Why
from nav_ls.store.prose import Prose
from nav_ls.text.comments import doc_text
from nav_ls.text.errors import BusyError, StorageError, UsageError
from nav_ls.text.words import question_terms
from nav_ls.workspace.workspace import Workspace

BUDGET = 4000
MAX_BUDGET = 200_000
SUMMARY = 300
"""Characters of a definition's own documentation that stand for a summary."""


class SearchParams(SearchQuery, frozen=True, forbid_unknown_fields=True):
    """A question with its filters.  `context`: also the blocks an agent would get, within `budget` tokens."""

    context: bool = False
    budget: int = BUDGET
    snippets: bool = True


class HitRow(msgspec.Struct, frozen=True):
    """A whole definition or piece, or several that follow each other: `symbol` is the best, `also` names the others.

    Lines count from 1, both ends included; `line` is where `symbol` begins.  Score: 0 to 1.
    `summary`: what a language model wrote about it (see nav.enrich), else how its own documentation begins.
    """

    path: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    layer: str
    score: float
    why: Why
    language: str = ""
    framework: str = ""
    signature: str = ""
    snippet: str = ""
    copies: int = 0
    summary: str = ""
    also: tuple[str, ...] = ()
    line: int = 0


class SearchResult(msgspec.Struct, frozen=True):
    """Hits, best first.  `mode` is what was done, `notes` say what was missing; `waiting`: texts without a vector."""

    hits: tuple[HitRow, ...]
    mode: str
    notes: tuple[str, ...]
    waiting: int
    freshness: Freshness
    context: tuple[Block, ...] = ()


class EmbedParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`seconds`: stop after about so long; 0: when all is done."""

    seconds: float = 0.0


class EmbedResult(msgspec.Struct, frozen=True):
    """What was embedded."""

    embedded: Embedded
    freshness: Freshness


def run_search(workspace: Workspace, params: SearchParams, context: Context) -> SearchResult:
    """Where something is, or how it is done, asked in plain language."""
    if not 1 <= params.budget <= MAX_BUDGET:
        raise UsageError(f"the budget must be between 1 and {MAX_BUDGET:,} tokens, not {params.budget}")
    notes = refresh_search(workspace, context)
    found = workspace.searching.search(params)
    terms = question_terms(params.query[:4000])
    prose = workspace.prose.about(hit.subject for hit in found.hits if hit.subject)
    rows = tuple(
        hit_row(workspace, hit, terms, snippets=params.snippets, prose=prose.get(hit.subject)) for hit in found.hits
    )
    blocks = tuple(_blocks(workspace, found.hits, params.budget, prose)) if params.context else ()
    with workspace.snapshot() as snapshot:
        freshness = workspace.freshness(snapshot, context.behind)
    waiting = freshness.pending
    return SearchResult(rows, found.mode, (*notes, *found.notes), waiting, freshness, blocks)


def run_embed(workspace: Workspace, params: EmbedParams, context: Context) -> EmbedResult:
    """Make the vectors that are missing."""
    refresh_search(workspace, context)
    report = context.progress

    def progress(done: int, total: int) -> None:
        if report is not None:
            report(Progress("embed", done, total))

    try:
        done = workspace.searching.embed(params.seconds or None, progress)
    except PortError as error:
        raise StorageError(str(error)) from error
    with workspace.snapshot() as snapshot:
        return EmbedResult(done, workspace.freshness(snapshot, context.behind))


def refresh_search(workspace: Workspace, context: Context) -> tuple[str, ...]:
    """Make units of what has changed; says so where that has to wait."""
    if not context.sync and workspace.searching.has_units():
        return ()  # whoever keeps the index fresh keeps the units so too
    report = context.progress

    def progress(done: int, total: int) -> None:
        if report is not None:
            report(Progress("units", done, total))

    try:
        workspace.searching.refresh(progress)
    except (BusyError, StorageError) as error:
        return (f"the newest changes are not searched yet: {error}",)
    return ()


def hit_row(
    workspace: Workspace, hit: SearchHit, terms: list[str], *, snippets: bool, prose: Prose | None = None
) -> HitRow:
    """A hit as clients get it, with the lines of its `symbol` that say the terms, and what a language model wrote."""
    code = workspace.unit_text(hit.path, *hit.own) if snippets else ""
    return HitRow(
        path=hit.path,
        start_line=hit.start_line,
        end_line=hit.end_line,
        symbol=hit.symbol,
        kind=hit.kind,
        layer=hit.layer,
        score=hit.score,
        why=hit.why,
        language=hit.language,
        framework=hit.framework,
        signature=hit.signature,
        snippet=snippet(code, terms) if code else "",
        copies=hit.copies,
        summary=prose.summary if prose else _documented(code) if hit.symbol else "",
        also=hit.also,
        line=hit.line,
    )


def _documented(code: str) -> str:
    """How the documentation of a definition begins."""
    return doc_text(code.encode()).partition("\n\n")[0][:SUMMARY]


def _blocks(workspace: Workspace, hits: tuple[SearchHit, ...], budget: int, prose: Mapping[str, Prose]) -> list[Block]:
    units = workspace.searching.units([hit.unit for hit in hits])
    made = []
    for hit in hits:
        unit = units.get(hit.unit)
        if unit is None:
            continue
        calls, called_by = workspace.searching.around(unit)
        code = workspace.unit_text(hit.path, hit.start, hit.end)
        made.append(block(hit, code, calls=calls, called_by=called_by, prose=prose.get(hit.subject)))
    return within(made, budget)


COMMANDS = (
    Command("nav.search", SearchParams, SearchResult, run_search, "code that answers a question in plain language"),
    Command("nav.embed", EmbedParams, EmbedResult, run_embed, "make the vectors that are missing"),
)
