"""nav.graph.*: dependencies of files and packages, what is called most, the whole graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from nav_ls.commands.calls import checked
from nav_ls.commands.model import Command, Context, Freshness, Symbol
from nav_ls.commands.show import Shower, line_of, name_of
from nav_ls.query import graph
from nav_ls.query.snapshot import Snapshot
from nav_ls.workspace.workspace import Workspace


class DepsParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`target`: a file or folder (or the end of its path), or the name of a package outside of the repository."""

    target: str
    limit: int = 1000


class Dependency(msgspec.Struct, frozen=True):
    """`path`: a file of the repository or `pkg:name` outside of it; `why`: imports, or how many sites mention it."""

    path: str
    imports: bool
    sites: int


class DepsResult(msgspec.Struct, frozen=True):
    """`files`: what the target was taken for."""

    files: tuple[str, ...]
    dependencies: tuple[Dependency, ...]
    freshness: Freshness


class TopParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many of the most called definitions."""

    limit: int = 20


class TopRow(msgspec.Struct, frozen=True):
    """A definition with the number of its proved callers and sites."""

    symbol: Symbol
    callers: int
    sites: int


class TopResult(msgspec.Struct, frozen=True):
    """Most callers first."""

    rows: tuple[TopRow, ...]
    freshness: Freshness


class ExportParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`kinds`: kinds of edge; `names`: also edges that only a name speaks for."""

    kinds: tuple[str, ...] = ("calls",)
    names: bool = False


class EdgeRow(msgspec.Struct, frozen=True):
    """One edge.  Lines count from 1; a caller at the top of a file has line 0."""

    kind: str
    evidence: str
    caller_path: str
    caller_name: str
    caller_line: int
    callee_path: str
    callee_name: str
    callee_line: int
    site_line: int
    site_col: int


class ExportResult(msgspec.Struct, frozen=True):
    """All edges, by file and place."""

    edges: tuple[EdgeRow, ...]
    freshness: Freshness


def run_deps(workspace: Workspace, params: DepsParams, context: Context) -> DepsResult:
    """What a file or folder depends on."""
    return _deps(workspace, params, context, graph.dependencies)


def run_dependents(workspace: Workspace, params: DepsParams, context: Context) -> DepsResult:
    """What depends on a file, a folder or an outside package."""
    return _deps(workspace, params, context, graph.dependents)


def run_top(workspace: Workspace, params: TopParams, context: Context) -> TopResult:
    """The definitions with the most callers."""
    with workspace.snapshot() as snapshot:
        shower = Shower(workspace, snapshot)
        rows = graph.most_called(snapshot, checked(params.limit))
        shown = tuple(TopRow(shower.symbol(item.symbol), item.callers, item.sites) for item in rows)
        return TopResult(shown, workspace.freshness(snapshot, context.behind))


def run_export(workspace: Workspace, params: ExportParams, context: Context) -> ExportResult:
    """All edges of the graph."""
    with workspace.snapshot() as snapshot:
        shower = Shower(workspace, snapshot)
        edges = tuple(_edges(shower, graph.edges(snapshot, params.kinds, params.names)))
        return ExportResult(edges, workspace.freshness(snapshot, context.behind))


def _deps(
    workspace: Workspace, params: DepsParams, context: Context, find: Callable[[Snapshot, str], graph.FileLinks]
) -> DepsResult:
    with workspace.snapshot() as snapshot:
        found = find(snapshot, workspace.from_root(params.target))
        rows = tuple(Dependency(item.path, item.imports, item.sites) for item in found.items[: checked(params.limit)])
        return DepsResult(found.files, rows, workspace.freshness(snapshot, context.behind))


def _edges(shower: Shower, edges: Iterable[graph.ExportedEdge]) -> Iterator[EdgeRow]:
    for edge in edges:
        place = shower.place(edge.span)
        yield EdgeRow(
            edge.kind,
            edge.evidence,
            edge.caller.path,
            name_of(edge.caller),
            line_of(edge.caller),
            edge.callee.path,
            name_of(edge.callee),
            line_of(edge.callee),
            place.line,
            place.column,
        )


COMMANDS = (
    Command("nav.graph.deps", DepsParams, DepsResult, run_deps, "what a file or folder depends on"),
    Command(
        "nav.graph.dependents", DepsParams, DepsResult, run_dependents, "what depends on a file, folder or package"
    ),
    Command("nav.graph.top", TopParams, TopResult, run_top, "the definitions with the most callers"),
    Command("nav.graph.export", ExportParams, ExportResult, run_export, "all edges of the graph"),
)
