"""Links of files → rows of edges: keys become ids, and every row finds its table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from nav_ls.index.links import OUTSIDE, PackedLinks
from nav_ls.store.branch import BranchStore

_BATCH_EDGES = 20_000
_FAILURE = "links: "


def has_failure(problems: str) -> bool:
    """Do a file's problems tell that it could not be linked?"""
    return _FAILURE in problems


def with_failure(problems: str, reason: str | None) -> str:
    """A file's problems with why it could not be linked; without that where there is no reason (any more)."""
    others = problems.partition(_FAILURE)[0].removesuffix("; ")
    return "; ".join(filter(None, [others, _FAILURE + reason if reason is not None else ""]))


class Ids:
    """Ids of definitions by path and key; a file's are read when they are first needed."""

    def __init__(self, store: BranchStore, files: Mapping[str, int]) -> None:
        self._store = store
        self._files = files
        self._symbols: dict[str, dict[str, int]] = {}

    def file(self, path: str) -> int | None:
        """The id of a file, None if it is not indexed."""
        return self._files.get(path)

    def symbols(self, path: str) -> dict[str, int]:
        """Ids of the definitions of a file by key."""
        known = self._symbols.get(path)
        if known is None:
            file_id = self._files.get(path)
            known = self._store.symbol_ids(file_id) if file_id is not None else {}
            self._symbols[path] = known
        return known

    def set(self, path: str, ids: dict[str, int]) -> None:
        """Note what was just written."""
        self._symbols[path] = ids


class LinkWriter:
    """Writes the links of many files, in batches; `dangling` counts ends that do not exist."""

    def __init__(self, store: BranchStore, ids: Ids) -> None:
        self._store = store
        self._ids = ids
        self.dangling = 0
        self._edges: list[tuple[int, int, int, int, int, int, int]] = []
        self._unresolved: list[tuple[int, int, str, int, int, str]] = []
        self._relations: list[tuple[int, int, int, int, str, int]] = []
        self._deps: list[tuple[int, bytes]] = []

    def add(self, links: PackedLinks) -> None:
        """Add the links of one file, which has none in the store."""
        file_id = self._ids.file(links.path)
        if file_id is None:
            return
        own = self._ids.symbols(links.path)
        module = own[""]
        callers = [own.get(key, module) for key in links.callers]
        refs = [self._ids.symbols(path).get(key, 0) for path, key in links.refs]
        self.dangling += refs.count(0)
        self._edges += [
            (file_id, start, refs[ref], kind, callers[caller], evidence, end)
            for start, ref, kind, caller, evidence, end in links.edges
            if refs[ref]
        ]
        self._unresolved += [
            (file_id, start, name, callers[caller], end, why) for start, name, caller, end, why in links.unresolved
        ]
        self._relations += _relations(file_id, links.relations, callers, refs)
        self._deps.append((file_id, links.keys))
        if len(self._edges) > _BATCH_EDGES:
            self.flush()

    def flush(self) -> None:
        """Write what is still held back."""
        self._store.add_links(self._edges, self._unresolved, self._relations, self._deps)
        self._edges, self._unresolved, self._relations, self._deps = [], [], [], []


def _relations(
    file_id: int,
    relations: Iterable[tuple[int, int, int, str, int]],
    callers: Sequence[int],
    refs: Sequence[int],
) -> Iterator[tuple[int, int, int, int, str, int]]:
    for kind, source, ref, outside, evidence in relations:
        target = 0 if ref == OUTSIDE else refs[ref]
        if target or outside:
            yield file_id, kind, callers[source], target, outside, evidence
