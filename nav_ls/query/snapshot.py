"""One consistent state to ask: what was committed last, with the unsaved buffers laid over it.

A buffer replaces its file: the definitions and mentions that the store has of that file do not count while it
is open.  Its definitions keep the ids that the stored ones of the same key have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from nav_ls.graph.model import Edge, Locals, Relation, SymbolRef, Unresolved
from nav_ls.query.model import Span, SymbolInfo
from nav_ls.store.prose import Prose
from nav_ls.store.reader import FileInfo, Reader, StoredEdge, StoredRelation, StoredSymbol, StoredUnresolved
from nav_ls.store.rows import (
    EVIDENCE,
    KINDS,
    RELATIONS,
    Buffer,
    FileFlag,
    SymbolRow,
)
from nav_ls.text.lines import LineTable


class Mention(msgspec.Struct, frozen=True):
    """A site bound to a definition; `caller` encloses it."""

    path: str
    start: int
    end: int
    kind: str
    evidence: str
    caller: SymbolInfo
    callee: SymbolInfo


class Raw(NamedTuple):
    """A mention, or a call with an unknown receiver (`callee` 0), whose ends have not been looked up yet."""

    path: str
    start: int
    end: int
    kind: str
    evidence: str
    caller: int
    callee: int
    language: str


class Guess(msgspec.Struct, frozen=True):
    """A call whose receiver is not known."""

    path: str
    start: int
    end: int
    name: str
    why: str
    caller: SymbolInfo


class Link(msgspec.Struct, frozen=True):
    """A relation.  `target` is None where it leads out of the repository, to `outside`."""

    kind: str
    evidence: str
    source: SymbolInfo
    target: SymbolInfo | None
    outside: str


class Candidate(msgspec.Struct, frozen=True):
    """A definition with no more than what ranking needs: to turn all of them into SymbolInfo costs too much."""

    name: str
    qual: str
    kind: str
    flags: int
    start: int
    file: FileInfo
    origin: StoredSymbol | SymbolInfo


class LiveBuffer:
    """An unsaved buffer, ready to be asked."""

    def __init__(self, buffer: Buffer, reader: Reader | None) -> None:
        self.buffer = buffer
        self.path = buffer.path
        self.lines = LineTable.unpack(buffer.lines)
        stored = reader.file_at(buffer.path) if reader is not None else None
        ids = {row.key: row.id for row in reader.symbols_of(stored.id)} if reader and stored else {}
        self.file_id = stored.id if stored else 0
        self.symbols = {
            row.key: self._info(row, ids.get(row.key) or synthetic_id(buffer.path, row.key)) for row in buffer.symbols
        }
        self._to: dict[SymbolRef, list[Edge]] = {}
        for edge in buffer.links.edges:
            self._to.setdefault(edge.callee, []).append(edge)

    def edges_to(self, ref: SymbolRef) -> Sequence[Edge]:
        """Sites in this buffer that are bound to a definition."""
        return self._to.get(ref, ())

    def caller(self, key: str) -> SymbolInfo:
        """A definition of this buffer; the file itself for a key that is not there."""
        return self.symbols.get(key) or self.symbols[""]

    def _info(self, row: SymbolRow, symbol_id: int) -> SymbolInfo:
        return SymbolInfo(
            symbol_id,
            self.path,
            row.key,
            row.name,
            row.qual,
            row.kind,
            self.buffer.language,
            row.signature,
            row.doc,
            row.visibility,
            row.flags,
            make_span(self.path, self.lines, row.start, row.end),
            make_span(self.path, self.lines, row.name_start, row.name_end),
            row.parent,
        )


class Snapshot:
    """What queries read.  Made and ended by the workspace; `reader` is None where nothing is indexed yet."""

    def __init__(
        self,
        reader: Reader | None,
        buffers: Mapping[str, LiveBuffer],
        written: Callable[[str], Prose | None] = lambda subject: None,
        locals_of: Callable[[str, bytes], Locals] = lambda path, known: Locals(),
    ) -> None:
        """`written` looks up what a language model wrote about a subject (see `Reader.subject`).

        `locals_of` reads the names of a file, if its bytes still have the hash that is given along.
        """
        self._reader = reader
        self._written = written
        self._locals_of = locals_of
        self._locals: dict[str, Locals] = {}
        self._buffers = buffers
        self._hidden = {live.file_id for live in buffers.values() if live.file_id}
        self._symbols: dict[int, SymbolInfo] = {
            live.id: live for item in buffers.values() for live in item.symbols.values()
        }

    @property
    def reader(self) -> Reader | None:
        """The store's own view, without buffers."""
        return self._reader

    @property
    def generation(self) -> int:
        """Of the committed state, 0 where there is none."""
        return self._reader.generation if self._reader is not None else 0

    def prose(self, symbol: SymbolInfo) -> Prose | None:
        """What a language model wrote about a definition, as it was when it was last indexed."""
        info = self._reader.file_at(symbol.path) if self._reader is not None else None
        subject = self._reader.subject(info.id, symbol.key) if self._reader and info and symbol.key else ""
        return self._written(subject) if subject else None

    def locals(self, path: str) -> Locals:
        """What the names of a file mean inside of it; nothing where it is not indexed, or has changed since."""
        known = self._locals.get(path)
        if known is None:
            info = self.file(path)
            known = self._locals_of(path, info.hash) if info is not None else Locals()
            self._locals[path] = known
        return known

    def meta(self) -> Mapping[str, object]:
        """Settings of the database."""
        return self._reader.meta() if self._reader is not None else {}

    # --- files

    def file(self, path: str) -> FileInfo | None:
        """A file by path; an open buffer that was never saved is one too."""
        live = self._buffers.get(path)
        stored = self._reader.file_at(path) if self._reader is not None else None
        if live is None:
            return stored
        flags = (stored.flags if stored else 0) & ~FileFlag.ASCII | (FileFlag.ASCII if live.buffer.ascii else 0)
        hashed = stored.hash if stored else b""
        return FileInfo(live.file_id, path, live.buffer.language, flags, "", "", len(live.buffer.text), hashed)

    def files(self) -> list[FileInfo]:
        """All files, by path."""
        stored = {info.path: info for info in self._reader.files()} if self._reader is not None else {}
        for path in self._buffers:
            info = self.file(path)
            if info is not None:
                stored[path] = info
        return [stored[path] for path in sorted(stored)]

    def files_ending(self, suffix: str, limit: int = 50) -> list[FileInfo]:
        """Files whose path is `suffix` or ends with "/" and it."""
        stored = self._reader.files_ending(suffix, limit) if self._reader is not None else []
        known = {info.path for info in stored}
        for path in self._buffers:
            info = self.file(path)
            if path not in known and info is not None and (path == suffix or path.endswith("/" + suffix)):
                stored.append(info)
        return stored

    def is_ascii(self, path: str) -> bool:
        """Whether one byte is one character everywhere in a file (columns need no conversion)."""
        info = self.file(path)
        return info is not None and bool(info.flags & FileFlag.ASCII)

    def text(self, path: str) -> bytes | None:
        """The text of an unsaved buffer, None where there is none."""
        live = self._buffers.get(path)
        return live.buffer.text if live is not None else None

    def lines(self, path: str) -> LineTable | None:
        """The line table of a file, None where it is not indexed."""
        live = self._buffers.get(path)
        if live is not None:
            return live.lines
        info = self._reader.file_at(path) if self._reader is not None else None
        return self._reader.lines(info.id) if self._reader is not None and info is not None else None

    def span(self, path: str, start: int, end: int) -> Span:
        """A range with its lines and columns."""
        return make_span(path, self.lines(path) or LineTable([0], end), start, end)

    # --- symbols

    def symbol(self, path: str, key: str) -> SymbolInfo | None:
        """A definition by path and key."""
        live = self._buffers.get(path)
        if live is not None:
            return live.symbols.get(key)
        if self._reader is None:
            return None
        info = self._reader.file_at(path)
        row = self._reader.symbol(info.id, key) if info is not None else None
        return self._info(row) if row is not None else None

    def symbols_by_id(self, ids: Iterable[int]) -> dict[int, SymbolInfo]:
        """Definitions by id; those that are gone, or gone from their open buffer, are missing."""
        wanted = set(ids)
        found = {symbol_id: self._symbols[symbol_id] for symbol_id in wanted if symbol_id in self._symbols}
        missing = [symbol_id for symbol_id in wanted if symbol_id not in found and symbol_id > 0]
        if missing and self._reader is not None:
            for symbol_id, row in self._reader.symbols(missing).items():
                if row.file_id not in self._hidden:
                    found[symbol_id] = self._info(row)
        return found

    def symbols_of(self, path: str) -> list[SymbolInfo]:
        """All definitions of a file in the order of the source; the one that stands for the file first."""
        return self.symbols_where(path, lambda row: True)

    def symbols_where(self, path: str, fits: Callable[[StoredSymbol | SymbolRow], bool]) -> list[SymbolInfo]:
        """Those of them whose row fits: to turn all of a large file's into SymbolInfo for one costs too much."""
        live = self._buffers.get(path)
        if live is not None:
            found = [live.symbols[row.key] for row in live.buffer.symbols if fits(row)]
            return sorted(found, key=lambda s: (s.key != "", s.span.start, -s.span.end))
        info = self._reader.file_at(path) if self._reader is not None else None
        if self._reader is None or info is None:
            return []
        return [self._info(row) for row in self._reader.symbols_of(info.id) if fits(row)]

    def symbols_starting(self, path: str, start: int) -> list[SymbolInfo]:
        """Definitions that begin at an offset of a file, the outermost first."""
        if path in self._buffers:
            return self.symbols_where(path, lambda row: row.start == start and row.key != "")
        info = self._reader.file_at(path) if self._reader is not None else None
        if self._reader is None or info is None:
            return []
        return [self._info(row) for row in self._reader.symbols_starting(info.id, start)]

    def symbols_named(self, name: str) -> list[SymbolInfo]:
        """Definitions of a simple name, by path and place."""
        found = [
            symbol
            for live in self._buffers.values()
            for symbol in live.symbols.values()
            if symbol.key and symbol.name == name
        ]
        if self._reader is not None:
            rows = self._reader.symbols_named(name)
            found += [self._info(row) for row in rows if row.file_id not in self._hidden]
        return sorted(found, key=lambda s: (s.path, s.span.start))

    def candidates(self, names: Sequence[str], limit: int) -> list[Candidate]:
        """Definitions that have one of some simple names, in no order; `shown` turns them into SymbolInfo."""
        wanted = set(names)
        found: list[Candidate] = []
        for live in self._buffers.values():
            file = self.file(live.path)
            for symbol in live.symbols.values():
                if file is not None and symbol.key and symbol.name in wanted:
                    start = symbol.span.start
                    found.append(Candidate(symbol.name, symbol.qual, symbol.kind, symbol.flags, start, file, symbol))
        if self._reader is not None:
            for row in self._reader.symbols_named_any(names, limit):
                if row.file_id not in self._hidden:
                    file = self._reader.file(row.file_id)
                    found.append(Candidate(row.name, row.qual, row.kind, row.flags, row.start, file, row))
        return found

    def shown(self, candidate: Candidate) -> SymbolInfo:
        """The definition of a candidate."""
        origin = candidate.origin
        return origin if isinstance(origin, SymbolInfo) else self._info(origin)

    def names_like(self, text: str, limit: int) -> list[str]:
        """Names that may fit a search text."""
        found = dict.fromkeys(self._buffer_names())
        if self._reader is not None:
            found.update(dict.fromkeys(self._reader.names_like(text, limit)))
        return list(found)

    def names_with_letters(self, text: str, limit: int) -> list[str]:
        """Names that hold the characters of a text in their order."""
        found = dict.fromkeys(self._buffer_names())
        if self._reader is not None:
            found.update(dict.fromkeys(self._reader.names_with_letters(text, limit)))
        return list(found)

    # --- links

    def mentions_of(self, symbols: Sequence[SymbolInfo]) -> list[Mention]:
        """All sites that are bound to one of some definitions."""
        found: list[Mention] = []
        stored = [symbol.id for symbol in symbols if symbol.id > 0]
        if self._reader is not None and stored:
            found += self._mentions(edge for edge in self._reader.edges_to(stored) if edge.file_id not in self._hidden)
        for live in self._buffers.values():
            for symbol in symbols:
                found += [_live_mention(live, edge, symbol) for edge in live.edges_to((symbol.path, symbol.key))]
        return found

    def raw_mentions_of(self, symbols: Sequence[SymbolInfo]) -> list[Raw]:
        """All sites that are bound to one of some definitions, their ends as ids: cheap where there are thousands."""
        found: list[Raw] = []
        stored = [symbol.id for symbol in symbols if symbol.id > 0]
        if self._reader is not None and stored:
            edges = [edge for edge in self._reader.edges_to(stored) if edge.file_id not in self._hidden]
            self._reader.load_files(edge.file_id for edge in edges)
            for edge in edges:
                file = self._reader.file(edge.file_id)
                kind, evidence = KINDS[edge.kind], EVIDENCE[edge.evidence]
                found.append(
                    Raw(file.path, edge.start, edge.end, kind, evidence, edge.caller, edge.callee, file.language)
                )
        for live in self._buffers.values():
            for symbol in symbols:
                for item in live.edges_to((symbol.path, symbol.key)):
                    caller = live.caller(item.caller).id
                    language = live.buffer.language
                    found.append(
                        Raw(live.path, item.start, item.end, item.kind, item.evidence, caller, symbol.id, language)
                    )
        return found

    def raw_guesses_named(self, name: str, limit: int) -> list[Raw]:
        """Calls of a name whose receiver is not known, their callers as ids."""
        found: list[Raw] = []
        if self._reader is not None:
            rows = [row for row in self._reader.unresolved_named(name, limit) if row.file_id not in self._hidden]
            self._reader.load_files(row.file_id for row in rows)
            for row in rows:
                file = self._reader.file(row.file_id)
                found.append(Raw(file.path, row.start, row.end, "calls", "name", row.caller, 0, file.language))
        for live in self._buffers.values():
            for site in live.buffer.links.unresolved:
                if site.name == name:
                    caller = live.caller(site.caller).id
                    language = live.buffer.language
                    found.append(Raw(live.path, site.start, site.end, "calls", "name", caller, 0, language))
        return found

    def mentions_in(self, path: str, start: int, end: int) -> list[Mention]:
        """All sites inside of a range of a file, by place."""
        live = self._buffers.get(path)
        if live is not None:
            found = []
            for edge in live.buffer.links.edges:
                callee = self.symbol(*edge.callee) if start <= edge.start < end else None
                if callee is not None:
                    found.append(_live_mention(live, edge, callee))
            return found
        info = self._reader.file_at(path) if self._reader is not None else None
        if self._reader is None or info is None:
            return []
        return self._mentions(self._reader.edges_in(info.id, start, end))

    def guesses_in(self, path: str, start: int, end: int) -> list[Guess]:
        """Calls inside of a range whose receiver is not known."""
        live = self._buffers.get(path)
        if live is not None:
            return [_live_guess(live, site) for site in live.buffer.links.unresolved if start <= site.start < end]
        info = self._reader.file_at(path) if self._reader is not None else None
        if self._reader is None or info is None:
            return []
        return self._guesses(self._reader.unresolved_in(info.id, start, end))

    def relations_to(self, symbols: Sequence[SymbolInfo]) -> list[Link]:
        """Relations that point to one of some definitions (or files)."""
        found: list[Link] = []
        stored = [symbol.id for symbol in symbols if symbol.id > 0]
        if self._reader is not None and stored:
            rows = self._reader.relations_to(stored)
            found += self._relations([row for row in rows if row.file_id not in self._hidden])
        refs = {(symbol.path, symbol.key): symbol for symbol in symbols}
        for live in self._buffers.values():
            for relation in live.buffer.links.relations:
                target = refs.get(relation.dst)
                if target is not None:
                    found.append(_live_relation(live, relation, target))
        return found

    def relations_outside(self, name: str) -> list[Link]:
        """Relations that point to a package or type outside of the repository."""
        found: list[Link] = []
        if self._reader is not None:
            rows = self._reader.relations_outside(name)
            found += self._relations([row for row in rows if row.file_id not in self._hidden])
        for live in self._buffers.values():
            found += [
                _live_relation(live, relation, None)
                for relation in live.buffer.links.relations
                if relation.dst == ("", name)
            ]
        return found

    def relations_of(self, path: str) -> list[Link]:
        """Relations that start in a file."""
        live = self._buffers.get(path)
        if live is not None:
            found = []
            for relation in live.buffer.links.relations:
                target = self.symbol(*relation.dst) if relation.dst[0] else None
                if target is not None or not relation.dst[0]:
                    found.append(_live_relation(live, relation, target))
            return found
        info = self._reader.file_at(path) if self._reader is not None else None
        if self._reader is None or info is None:
            return []
        return self._relations(self._reader.relations_of(info.id))

    # --- rows to values

    def _info(self, row: StoredSymbol) -> SymbolInfo:
        known = self._symbols.get(row.id)
        if known is not None:
            return known
        assert self._reader is not None, "rows come from a reader"
        file = self._reader.file(row.file_id)
        lines = self._reader.lines(row.file_id)
        found = SymbolInfo(
            row.id,
            file.path,
            row.key,
            row.name,
            row.qual,
            row.kind,
            file.language,
            row.signature,
            row.doc,
            row.visibility,
            row.flags,
            make_span(file.path, lines, row.start, row.end),
            make_span(file.path, lines, row.name_start, row.name_end),
            row.parent,
        )
        self._symbols[row.id] = found
        return found

    def _mentions(self, edges: Iterable[StoredEdge]) -> list[Mention]:
        rows = list(edges)
        ends = self.symbols_by_id([row.caller for row in rows] + [row.callee for row in rows])
        return [
            Mention(
                ends[row.caller].path,
                row.start,
                row.end,
                KINDS[row.kind],
                EVIDENCE[row.evidence],
                ends[row.caller],
                ends[row.callee],
            )
            for row in rows
            if row.caller in ends and row.callee in ends
        ]

    def _guesses(self, rows: Sequence[StoredUnresolved]) -> list[Guess]:
        callers = self.symbols_by_id(row.caller for row in rows)
        return [
            Guess(callers[row.caller].path, row.start, row.end, row.name, row.why, callers[row.caller])
            for row in rows
            if row.caller in callers
        ]

    def _relations(self, rows: Sequence[StoredRelation]) -> list[Link]:
        ends = self.symbols_by_id([row.src for row in rows] + [row.dst for row in rows])
        return [
            Link(RELATIONS[row.kind], EVIDENCE[row.evidence], ends[row.src], ends.get(row.dst), row.dst_name)
            for row in rows
            if row.src in ends and (row.dst in ends or not row.dst)
        ]

    def _buffer_names(self) -> Iterator[str]:
        for live in self._buffers.values():
            for symbol in live.symbols.values():
                if symbol.key:
                    yield symbol.name


def synthetic_id(path: str, key: str) -> int:
    """The id of a definition that only a buffer has: negative, and the same in every snapshot."""
    digest = blake2b(f"{path}\0{key}".encode("utf-8", "surrogatepass"), digest_size=7).digest()
    return -1 - int.from_bytes(digest, "little")


def make_span(path: str, lines: LineTable, start: int, end: int) -> Span:
    """A range with its lines and columns."""
    return Span(path, start, end, *lines.position(start), *lines.position(end))


def _live_mention(live: LiveBuffer, edge: Edge, callee: SymbolInfo) -> Mention:
    return Mention(live.path, edge.start, edge.end, edge.kind, edge.evidence, live.caller(edge.caller), callee)


def _live_guess(live: LiveBuffer, site: Unresolved) -> Guess:
    return Guess(live.path, site.start, site.end, site.name, site.why, live.caller(site.caller))


def _live_relation(live: LiveBuffer, relation: Relation, target: SymbolInfo | None) -> Link:
    outside = "" if relation.dst[0] else relation.dst[1]
    return Link(relation.kind, relation.evidence, live.caller(relation.src), target, outside)
