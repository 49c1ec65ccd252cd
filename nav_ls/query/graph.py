"""The graph as a whole: dependencies between files and packages, fan-in, all edges."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import msgspec

from nav_ls.query.calls import CALLING
from nav_ls.query.model import Span, SymbolInfo
from nav_ls.query.snapshot import Link, Mention, Snapshot
from nav_ls.store.rows import EVIDENCE_CODE, KIND_CODE, KINDS
from nav_ls.text.errors import NotFoundError, UsageError

OUTSIDE = "pkg:"
"""Before the name of a package outside of the repository."""


class FileLink(msgspec.Struct, frozen=True):
    """A file (or outside package) on the other side; `imports` by an import, `sites` that mention its definitions."""

    path: str
    imports: bool
    sites: int


class FileLinks(msgspec.Struct, frozen=True):
    """`files` were asked about."""

    files: tuple[str, ...]
    items: tuple[FileLink, ...]


class Called(msgspec.Struct, frozen=True):
    """A definition with the number of its callers and of the calling sites."""

    symbol: SymbolInfo
    callers: int
    sites: int


class ExportedEdge(msgspec.Struct, frozen=True):
    """One edge with its site."""

    kind: str
    evidence: str
    caller: SymbolInfo
    callee: SymbolInfo
    span: Span


def dependencies(snapshot: Snapshot, target: str) -> FileLinks:
    """What files depend on.  `target`: a file or folder, or the end of its path.  Raises NotFoundError."""
    files = _files(snapshot, target)
    own = set(files)
    imports: set[str] = set()
    sites: dict[str, int] = {}
    for path in files:
        for link in snapshot.relations_of(path):
            other = link.target.path if link.target is not None else OUTSIDE + link.outside
            if link.kind == "imports" and other not in own:
                imports.add(other)
        _count(sites, (item.callee.path for item in _mentions_in(snapshot, path) if item.callee.path not in own))
    return FileLinks(tuple(files), _links(imports, sites))


def dependents(snapshot: Snapshot, target: str) -> FileLinks:
    """What depends on files, or on a package outside of the repository (`pkg:name`).  Raises NotFoundError."""
    outside = _outside(snapshot, target)
    if outside:
        return FileLinks((OUTSIDE + target.removeprefix(OUTSIDE),), _links({link.source.path for link in outside}, {}))
    files = _files(snapshot, target)
    own = set(files)
    symbols = [symbol for path in files for symbol in snapshot.symbols_of(path)]
    modules = [symbol for symbol in symbols if not symbol.key]
    imports = {link.source.path for link in snapshot.relations_to(modules) if link.kind == "imports"} - own
    sites: dict[str, int] = {}
    _count(sites, (item.path for item in snapshot.mentions_of(symbols) if item.path not in own))
    return FileLinks(tuple(files), _links(imports, sites))


def most_called(snapshot: Snapshot, limit: int) -> list[Called]:
    """The definitions with the most proved callers; unsaved buffers do not count."""
    if snapshot.reader is None:
        return []
    kinds = [KIND_CODE[kind] for kind in sorted(CALLING)]
    rows = snapshot.reader.most_called(kinds, EVIDENCE_CODE["dispatch"], limit)
    symbols = snapshot.symbols_by_id(row[0] for row in rows)
    return [Called(symbols[callee], callers, sites) for callee, callers, sites in rows if callee in symbols]


def edges(snapshot: Snapshot, kinds: Collection[str], names: bool) -> Iterator[ExportedEdge]:
    """All edges of some kinds, by file and place; with `names` also those that only a name speaks for.

    Raises UsageError for a kind that does not exist.
    """
    unknown = set(kinds) - set(KINDS)
    if unknown:
        raise UsageError(f"no kind of edge is named {sorted(unknown)[0]!r}; there are: {', '.join(KINDS)}")
    for info in snapshot.files():
        if not info.language:
            continue
        for item in _mentions_in(snapshot, info.path):
            if item.kind in kinds and (names or item.evidence != "name"):
                span = snapshot.span(item.path, item.start, item.end)
                yield ExportedEdge(item.kind, item.evidence, item.caller, item.callee, span)


def _mentions_in(snapshot: Snapshot, path: str) -> list[Mention]:
    return snapshot.mentions_in(path, 0, 1 << 62)


def _files(snapshot: Snapshot, target: str) -> list[str]:
    wanted = target.strip().removeprefix("file:").removeprefix("./").rstrip("/")
    if not wanted:
        raise UsageError("name a file, a folder or a package")
    code = [info.path for info in snapshot.files() if info.language]
    if wanted == ".":
        return code
    for fits in (
        [path for path in code if path == wanted],
        [path for path in code if path.startswith(wanted + "/")],
        [path for path in code if path.endswith("/" + wanted)],
        [path for path in code if f"/{wanted}/" in path],
    ):
        if fits:
            return fits
    raise NotFoundError(f"no indexed file or folder is named {target!r}, and nothing imports a package of that name")


def _outside(snapshot: Snapshot, target: str) -> Sequence[Link]:
    return [link for link in snapshot.relations_outside(target.strip().removeprefix(OUTSIDE)) if link.kind == "imports"]


def _count(sites: dict[str, int], paths: Iterator[str]) -> None:
    for path in paths:
        sites[path] = sites.get(path, 0) + 1


def _links(imports: set[str], sites: dict[str, int]) -> tuple[FileLink, ...]:
    found = [FileLink(path, path in imports, sites.get(path, 0)) for path in imports | sites.keys()]
    return tuple(sorted(found, key=lambda item: (-item.sites, not item.imports, item.path)))
