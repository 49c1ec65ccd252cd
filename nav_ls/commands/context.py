"""nav.context: the definitions that somebody should know before working on a task."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from nav_ls.commands.model import Command, Context, Freshness
from nav_ls.query import context as chosen
from nav_ls.query import targets
from nav_ls.query.aside import asides, is_aside
from nav_ls.query.context import GATE, Gate, Hit, Shown
from nav_ls.query.prompts import Prompt, named, named_files, read_prompt
from nav_ls.query.search import SearchQuery
from nav_ls.query.snapshot import Snapshot
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS
from nav_ls.text.errors import BusyError, StorageError, UsageError
from nav_ls.text.fence import clean, fence, overhead
from nav_ls.text.hashes import content_hash
from nav_ls.text.roles import is_declaration
from nav_ls.text.words import question_terms, stem
from nav_ls.workspace.workspace import Workspace

CHARACTERS_PER_TOKEN = 4
_MOST_TOKENS = 50_000
SYNC_SECONDS = 0.4
"""How long a prompt waits for the writer of an index, if a file that it needs has just changed."""

_HITS = 25
_WHAT = "Definitions of this repository that may matter for the request, chosen by nav: reuse them, follow their style."


class ContextParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`task`: a prompt or a question; `seen`: ids of blocks that are known already; `blocks`: at most so many."""

    task: str
    tokens: int = 4000
    characters: int = 0
    blocks: int = chosen.MOST_BLOCKS
    seen: tuple[str, ...] = ()


class ShowParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`target`: NAME, Class.name, path:Class.name or path:line."""

    target: str
    tokens: int = 4000


class ContextResult(msgspec.Struct, frozen=True):
    """`text` is empty where nothing is relevant enough, and `reason` says so; `notes` say what the search lacked."""

    text: str
    blocks: tuple[Shown, ...]
    references: tuple[Shown, ...]
    reason: str
    freshness: Freshness
    notes: tuple[str, ...] = ()


def run_context(workspace: Workspace, params: ContextParams, context: Context) -> ContextResult:
    """The definitions that somebody should know before working on a task."""
    if not params.task.strip():
        raise UsageError("the task is empty: say what is to be done")
    if not 1 <= params.blocks <= 50:
        raise UsageError(f"blocks must lie between 1 and 50, not {params.blocks}")
    characters = budget(params.tokens, params.characters)
    return context_for(workspace, params.task, characters, params.blocks, frozenset(params.seen), behind=context.behind)


def run_show(workspace: Workspace, params: ShowParams, context: Context) -> ContextResult:
    """The whole text of the definitions that a name fits, with their callers and callees."""
    characters = budget(params.tokens, 0)
    what = f"Definitions that {clean(params.target)[:100]} fits."
    with workspace.snapshot() as snapshot:
        symbols = targets.resolve_any(snapshot, workspace.from_root(params.target))
        picked = chosen.choose(symbols, ())
        found = chosen.render(snapshot, _Read(workspace, snapshot), picked, characters - overhead(what), most=20)
        reason = "" if found.shown else "too long for the budget, or changed since it was indexed"
        freshness = workspace.freshness(snapshot, context.behind)
        return ContextResult(fence(found.text, what), found.shown, found.referred, reason, freshness)


def budget(tokens: int, characters: int) -> int:
    """Characters that a text may have.  Raises UsageError for a budget that makes no sense."""
    if not 100 <= tokens <= _MOST_TOKENS:
        raise UsageError(f"tokens must lie between 100 and {_MOST_TOKENS:,}, not {tokens}")
    allowed = tokens * CHARACTERS_PER_TOKEN
    return min(allowed, characters) if characters > 0 else allowed


def context_for(
    workspace: Workspace,
    task: str,
    characters: int,
    blocks: int,
    seen: frozenset[str],
    gate: Gate | None = None,
    behind: str = "",
) -> ContextResult:
    """What a task should know, in at most so many characters; `gate` takes the place of the calibrated one.

    `behind` as in `Context`.
    """
    prompt = read_prompt(task)
    gate = gate or msgspec.structs.replace(GATE, lead=workspace.config.hooks.threshold or GATE.lead)
    stale: set[str] = set()
    # Twice: a file that has changed since it was indexed is read anew, and the choice made again.
    for attempt in (0, 1):
        with workspace.snapshot() as snapshot:
            freshness = workspace.freshness(snapshot, behind)
            picked, reason, notes = _pick(workspace, snapshot, prompt, gate)
            read = _Read(workspace, snapshot)
            most = chosen.worth_showing(picked, blocks, gate)
            found = chosen.render(snapshot, read, picked, characters - overhead(_WHAT), seen, most)
            stale = read.stale
        if attempt or not stale or not _synced(workspace, sorted(stale)):
            break
    if not found.shown and (not found.referred or not any(item.why == "named" for item in found.referred)):
        return ContextResult("", (), found.referred, reason or "nothing new is relevant enough", freshness, notes)
    return ContextResult(fence(found.text, _WHAT), found.shown, found.referred, "", freshness, notes)


_DEPRECATED = stem("deprecated")


def _pick(
    workspace: Workspace, snapshot: Snapshot, prompt: Prompt, gate: Gate
) -> tuple[list[chosen.Chosen], str, tuple[str, ...]]:
    """What to show, why there is nothing, and what the search lacked."""
    meant = named(snapshot, prompt)
    if not meant and not named_files(snapshot, prompt) and not chosen.is_question(prompt, gate):
        return [], "no word of it could find code", ()
    hits, notes = _search(workspace, prompt)
    terms = question_terms(prompt.question)
    found = chosen.relevant(
        snapshot,
        hits,
        gate,
        named=bool(meant),
        tests="test" not in asides(prompt.question),
        deprecated=_DEPRECATED in terms,
    )
    return chosen.choose(meant, found), "" if meant or found else "nothing is relevant enough", notes


def _search(workspace: Workspace, prompt: Prompt) -> tuple[list[Hit], tuple[str, ...]]:
    """The definitions that search finds for a prompt, and what it lacked."""
    back = asides(prompt.question)
    query = SearchQuery(
        query=prompt.question, k=_HITS, rerank=False, exclude_tests="test" in back, join=False, quick=True
    )
    answer = workspace.searching.search(query)
    rarest = math.log(2 + answer.units)
    hits = [
        Hit(
            hit.path,
            hit.start,
            hit.why.cosine,
            (hit.why.bm25 or 0.0) / rarest,
            aside=(hit.layer in back and is_aside(hit.layer, hit.kind)) or is_declaration(hit.path),
        )
        for hit in answer.hits
        if hit.kind in CALLABLE_KINDS | TYPE_KINDS
    ]
    return hits, answer.notes


class _Read:
    """Texts of files as they are indexed; `stale` collects those that are not any more."""

    def __init__(self, workspace: Workspace, snapshot: Snapshot) -> None:
        self._workspace = workspace
        self._snapshot = snapshot
        self._known: dict[str, bytes | None] = {}
        self.stale: set[str] = set()

    def __call__(self, path: str) -> bytes | None:
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> bytes | None:
        buffer = self._snapshot.text(path)
        if buffer is not None:
            return buffer
        info = self._snapshot.file(path)
        try:
            data = (self._workspace.root / path).read_bytes()
        except OSError:
            self.stale.add(path)
            return None
        if info is None or content_hash(data) != info.hash:
            self.stale.add(path)
            return None
        source = self._workspace.read(path)
        return source.text if source is not None else None


def _synced(workspace: Workspace, paths: Sequence[str]) -> bool:
    try:
        workspace.sync(paths, wait=SYNC_SECONDS)
    except (BusyError, StorageError):
        return False
    return True


COMMANDS = (
    Command("nav.context", ContextParams, ContextResult, run_context, "the definitions to know before a task"),
    Command("nav.show", ShowParams, ContextResult, run_show, "the text of a definition, its callers and callees"),
)
