"""What coding agents ask: nav.digest, nav.conventions, nav.impact, nav.outline."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from nav_ls.commands.context import budget
from nav_ls.commands.model import Command, Context, Freshness, Symbol
from nav_ls.commands.show import Shower, name_of
from nav_ls.query import digest as digests
from nav_ls.query import impact as impacts
from nav_ls.query import targets
from nav_ls.query.model import OutlineNode
from nav_ls.query.snapshot import Snapshot
from nav_ls.query.symbols import outline
from nav_ls.text.errors import NavError, NotFoundError, UsageError
from nav_ls.text.fence import clean, fence, overhead
from nav_ls.workspace.workspace import Workspace

# Parameters and results ---------------------------------------------------------------------------------------


class DigestParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`tokens`: the budget, four characters each; `characters`: a limit beside it, 0 for none."""

    tokens: int = 8000
    characters: int = 0


class TextResult(msgspec.Struct, frozen=True):
    """A text for a model, fenced and labelled as data."""

    text: str
    freshness: Freshness


class ImpactParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`target`: NAME, Class.name, path:Class.name or path:line; `depth`: steps of callers."""

    target: str
    depth: int = impacts.DEPTH
    limit: int = impacts.LIMIT


class ImpactRow(msgspec.Struct, frozen=True):
    """A definition that may be touched.  `evidence`: the weakest of the way; `via`: what it calls on that way."""

    path: str
    symbol: str
    line: int
    depth: int
    evidence: str
    via: str
    use: bool
    test: bool


class ImpactResult(msgspec.Struct, frozen=True):
    """Nearest first.  `possible`: sites that could not be proved; `cut`: there is more than the limit shows."""

    symbol: Symbol
    rows: tuple[ImpactRow, ...]
    possible: int
    cut: bool
    freshness: Freshness


class OutlineParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`path`: a file, or the end of its path."""

    path: str


class OutlineRow(msgspec.Struct, frozen=True):
    """A definition of the file; `depth` 0 is the top."""

    symbol: str
    kind: str
    line: int
    end_line: int
    signature: str
    depth: int


class OutlineResult(msgspec.Struct, frozen=True):
    """The definitions of one file in the order of the source."""

    path: str
    language: str
    rows: tuple[OutlineRow, ...]
    freshness: Freshness


# Commands -----------------------------------------------------------------------------------------------------


def run_digest(workspace: Workspace, params: DigestParams, context: Context) -> TextResult:
    """The map of the repository that a session starts with."""
    with workspace.snapshot() as snapshot:
        freshness = workspace.freshness(snapshot, context.behind)
        return TextResult(
            digest_text(workspace, snapshot, freshness, budget(params.tokens, params.characters)), freshness
        )


def run_conventions(workspace: Workspace, params: DigestParams, context: Context) -> TextResult:
    """How things are done in this repository, as its graph shows it."""
    with workspace.snapshot() as snapshot:
        freshness = workspace.freshness(snapshot, context.behind)
        found = _map(workspace, snapshot)
        what = f"Conventions of {clean(workspace.root.name)}."
        left = budget(params.tokens, params.characters) - overhead(what)
        lines = _fitting_lines(digests.habits(found), left) if found is not None else []
        return TextResult(fence("\n".join(lines), what) if lines else "", freshness)


def run_impact(workspace: Workspace, params: ImpactParams, context: Context) -> ImpactResult:
    """What a change of a definition may touch: callers, their callers, with evidence."""
    if not 1 <= params.depth <= 10:
        raise UsageError(f"depth must lie between 1 and 10, not {params.depth}")
    if not 1 <= params.limit <= 10_000:
        raise UsageError(f"limit must lie between 1 and 10,000, not {params.limit}")
    with workspace.snapshot() as snapshot:
        target = targets.resolve_one(snapshot, workspace.from_root(params.target))
        found = impacts.impact(snapshot, target, params.depth, params.limit)
        rows = tuple(
            ImpactRow(
                path=item.symbol.path,
                symbol=name_of(item.symbol),
                line=item.symbol.name_span.line + 1 if item.symbol.key else 0,
                depth=item.depth,
                evidence=item.evidence,
                via=name_of(item.via),
                use=item.use,
                test=item.test,
            )
            for item in found.reached
        )
        shown = Shower(workspace, snapshot).symbol(target)
        return ImpactResult(shown, rows, found.possible, found.cut, workspace.freshness(snapshot, context.behind))


def run_outline(workspace: Workspace, params: OutlineParams, context: Context) -> OutlineResult:
    """The definitions of a file."""
    with workspace.snapshot() as snapshot:
        wanted = workspace.from_root(params.path).removeprefix("./")
        files = [info for info in snapshot.files_ending(wanted, 20) if info.language] if wanted else []
        exact = [info for info in files if info.path == wanted]
        if len(exact or files) > 1:
            raise UsageError(f"{wanted} fits several files: {', '.join(info.path for info in files)}")
        if not files:
            raise NotFoundError(f"no indexed file is named {params.path!r}{_like(snapshot, wanted)}")
        info = (exact or files)[0]
        rows = tuple(_outline_rows(outline(snapshot, info.path), 0))
        return OutlineResult(info.path, info.language, rows, workspace.freshness(snapshot, context.behind))


def _like(snapshot: Snapshot, path: str) -> str:
    """Files of the same name elsewhere, for a message."""
    name = path.rpartition("/")[2]
    found = [info.path for info in snapshot.files_ending(name, 5) if info.language] if name else []
    return f"; did you mean {', '.join(found)}?" if found else ""


# Digest -------------------------------------------------------------------------------------------------------

_GUIDE = (
    "nav keeps an index of this repository. Ask it before searching by hand, with its MCP tools where they are "
    'connected, else on the command line: nav search "question", nav context "task", nav defs NAME, '
    "nav callers NAME, nav impact NAME, nav outline PATH."
)
_MOST_DRAWN = 4
_SLOW_SECONDS = 0.2
"""A map that takes more CPU than that to draw is shown as it was at first, and drawn anew for the next time."""


class _Drawn(msgspec.Struct):
    """A map, the state that it is of, and how long it took; `redrawing`: a newer one is under way."""

    state: tuple[int, int]
    found: digests.Map | None
    seconds: float
    redrawing: bool = False


_drawn: dict[Path, _Drawn] = {}
_drawn_guard = threading.Lock()


def digest_text(workspace: Workspace, snapshot: Snapshot, freshness: Freshness, characters: int) -> str:
    """The map with the words around it in at most so many characters; "" where there is nothing to draw."""
    found = _map(workspace, snapshot)
    if found is None:
        return ""
    what = f"{_GUIDE}\nThe map below is drawn from its call graph."
    body = digests.digest(found, freshness, clean(workspace.root.name), characters - overhead(what))
    return fence(body, what) if body else ""


def _map(workspace: Workspace, snapshot: Snapshot) -> digests.Map | None:
    """The map of a committed state; those of the last few repositories are kept."""
    if snapshot.reader is None:
        return None
    key = snapshot.reader.path
    try:
        # A database that was built again counts from 1 again.
        state = (key.stat().st_ino, snapshot.generation)
    except OSError:
        return digests.draw(snapshot)
    with _drawn_guard:
        known = _drawn.get(key)
        if known is not None and known.state == state:
            return known.found
        if known is not None and known.seconds > _SLOW_SECONDS and known.state[0] == state[0]:
            # In a repository of this size a few files do not change the map, and nobody waits for it.
            if not known.redrawing:
                known.redrawing = True
                threading.Thread(target=_redraw, args=(workspace,), daemon=True).start()
            return known.found
    return _draw(key, state, snapshot)


def _draw(key: Path, state: tuple[int, int], snapshot: Snapshot) -> digests.Map | None:
    start = time.thread_time()
    found = digests.draw(snapshot)
    with _drawn_guard:
        _drawn.pop(key, None)
        _drawn[key] = _Drawn(state, found, time.thread_time() - start)
        while len(_drawn) > _MOST_DRAWN:
            del _drawn[next(iter(_drawn))]
    return found


def _redraw(workspace: Workspace) -> None:
    try:
        with workspace.snapshot() as snapshot:
            if snapshot.reader is not None:
                key = snapshot.reader.path
                _draw(key, (key.stat().st_ino, snapshot.generation), snapshot)
    except (NavError, OSError):
        return  # the next question finds out what is wrong


def _fitting_lines(lines: Sequence[str], left: int) -> list[str]:
    kept = []
    for line in lines:
        if len(line) + 1 > left:
            break
        kept.append(line)
        left -= len(line) + 1
    return kept


def _outline_rows(nodes: Sequence[OutlineNode], depth: int) -> list[OutlineRow]:
    rows: list[OutlineRow] = []
    for node in nodes:
        symbol = node.symbol
        line, end = symbol.name_span.line + 1, symbol.span.end_line + 1
        rows.append(OutlineRow(symbol.qual, symbol.kind, line, end, symbol.signature, depth))
        rows += _outline_rows(node.children, depth + 1)
    return rows


COMMANDS = (
    Command("nav.digest", DigestParams, TextResult, run_digest, "a map of the repository for the start of a session"),
    Command("nav.conventions", DigestParams, TextResult, run_conventions, "how things are done in this repository"),
    Command("nav.impact", ImpactParams, ImpactResult, run_impact, "what a change of a definition may touch"),
    Command("nav.outline", OutlineParams, OutlineResult, run_outline, "the definitions of a file"),
)
