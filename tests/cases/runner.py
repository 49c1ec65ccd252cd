"""Data-driven cases: a small project and what must bind to what in it.

A `.case` file has a header (`language:`, `about:`), the files of the project (`--- file PATH`, with
`(escaped)` for bytes that a text cannot hold) and expectations (`--- expect`):

    callers X = A, B      exactly the definitions with a call that binds to X
    callees A = X, Y      exactly the definitions that calls in A bind to
    uses X = A            exactly the definitions that name X as a value without calling it
    possible A = X        what calls in A may reach besides, through overrides and implementations
    implements T = I      exactly what T extends or implements directly
    symbols P = a, B.m    exactly the definitions in file P
    range X = 3:5-3:9     where X's name stands (lines and UTF-16 columns from 1)
    nocallers X           no call binds to X
    runs X = A, B         exactly the definitions with a construct that runs X without naming it (`for`, `with`, ...)

X is `path:Qualified.name`, `path:name@7` for the definition whose name stands on line 7, `path:<module>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nav_ls.graph.link import Linker
from nav_ls.graph.model import Edge, Links, Relation, Summary, SymbolRef, may_dispatch, summarize
from nav_ls.graph.view import View
from nav_ls.syntax.extract import extract
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS, FileFacts, Flag, Symbol
from nav_ls.syntax.languages import language_of
from nav_ls.text.source import decode

_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.S)
_SIMPLE = {"n": b"\n", "r": b"\r", "t": b"\t", "f": b"\f", "v": b"\v", "\\": b"\\"}
_LINE_END = re.compile(rb"\r\n|\n|\r")
_CALLS = ("calls", "accesses")


@dataclass
class Case:
    """One parsed case file."""

    name: str
    header: dict[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    expect: list[tuple[str, str, str]] = field(default_factory=list)  # kind, left, right


def parse(path: Path) -> Case:
    """Read a case file."""
    case = Case(path.stem)
    section, name, escaped, body = "head", "", False, []

    def close() -> None:
        if section == "file":
            text = "".join(body)
            case.files[name] = _unescape(text.replace("\n", "")) if escaped else text.encode()

    for line in path.read_text("utf-8").splitlines(keepends=True):
        text = line.rstrip("\n")
        if text.startswith("--- "):
            close()
            body = []
            if text == "--- expect":
                section = "expect"
            else:
                match = re.fullmatch(r"--- file (\S+?)( \(escaped\))?", text)
                assert match, f"{path}: {text}"
                section, name, escaped = "file", match[1], bool(match[2])
        elif section == "head":
            key, _, value = text.partition(": ")
            case.header[key] = value
        elif section == "file":
            body.append(line)
        else:
            text = re.sub(r"(^|\s)# .*$", "", text).rstrip()
            if text:
                left, _, right = text.partition(" =")
                kind, _, subject = left.partition(" ")
                case.expect.append((kind, subject.strip(), right.strip()))
    close()
    return case


def _unescape(text: str) -> bytes:
    out, position = b"", 0
    for match in _ESCAPE.finditer(text):
        out += text[position : match.start()].encode()
        code = match[1]
        if code[0] == "x" and len(code) == 3:
            out += bytes([int(code[1:], 16)])
        elif code[0] in "uU" and len(code) > 1:
            out += chr(int(code[1:], 16)).encode()
        else:
            out += _SIMPLE[code]
        position = match.end()
    return out + text[position:].encode()


class Files:
    """A fact source over texts in memory."""

    def __init__(self, files: dict[str, bytes], name: str = "project"):
        self.name = name
        self.texts = {path: decode(data).text for path, data in files.items()}
        self._facts: dict[str, FileFacts] = {}
        for path, text in self.texts.items():
            language = language_of(path, text[:200])
            if language is not None:
                self._facts[path] = extract(path, text, language)

    def paths(self) -> Iterable[str]:
        return sorted(self.texts)

    def code(self) -> list[str]:
        """The paths that have facts."""
        return sorted(self._facts)

    def facts(self, path: str) -> FileFacts | None:
        return self._facts.get(path)

    def summary(self, path: str) -> Summary | None:
        facts = self._facts.get(path)
        return summarize(facts) if facts is not None else None

    def text(self, path: str) -> bytes | None:
        return self.texts.get(path)


def is_definition(view: View, index: int) -> bool:
    """Does the case format count this symbol as a definition?"""
    return view.symbols[index].kind in (CALLABLE_KINDS | TYPE_KINDS) - {"macro"}


class Project:
    """A linked case, and the answers to its expectations."""

    def __init__(self, files: dict[str, bytes]):
        self.source = Files(files)
        self.linker = Linker(self.source)
        self.links: dict[str, Links] = {path: self.linker.link(path) for path in self.source.code()}

    # --- names

    def view(self, path: str) -> View:
        view = self.linker.project.view(path)
        assert view is not None, path
        return view

    def name(self, ref: SymbolRef) -> str:
        """path:Qualified.name, with @line where the file has several definitions of the name that stay apart."""
        path, key = ref
        if not key:
            return f"{path}:<module>"
        view = self.view(path)
        symbol = view.symbol(key)
        assert symbol is not None, ref
        same = [s for s in view.symbols if s.qual == symbol.qual and not s.flags & Flag.DECLARATION]
        if len(same) > 1:
            return f"{path}:{symbol.qual}@{self.line(path, symbol.name_start)}"
        return f"{path}:{symbol.qual}"

    def line(self, path: str, offset: int) -> int:
        return len(_LINE_END.findall(self.source.texts[path], 0, offset)) + 1

    def place(self, path: str, offset: int) -> tuple[int, int]:
        """Line and UTF-16 column, from 1."""
        text = self.source.texts[path]
        start = max((m.end() for m in _LINE_END.finditer(text, 0, offset)), default=0)
        return self.line(path, offset), len(text[start:offset].decode().encode("utf-16-le")) // 2 + 1

    def definition(self, ref: SymbolRef) -> SymbolRef:
        """The enclosing definition that the format names: values (constants, fields) are none."""
        path, key = ref
        view = self.view(path)
        index = view.index_of.get(key, -1)
        while index >= 0 and not is_definition(view, index):
            index = view.symbols[index].parent
        return (path, view.keys[index] if index >= 0 else "")

    def edges(self) -> Iterable[tuple[SymbolRef, Edge]]:
        for path, links in self.links.items():
            for edge in links.edges:
                yield self.definition((path, edge.caller)), edge

    def relations(self) -> Iterable[tuple[SymbolRef, Relation]]:
        for path, links in self.links.items():
            for relation in links.relations:
                yield (path, relation.src), relation

    # --- answers

    def answer(self, kind: str, left: str) -> set[str]:
        if kind in ("callers", "nocallers"):
            return {self.name(c) for c, e in self.edges() if e.kind in _CALLS and self._is(e.callee, left)}
        if kind == "runs":
            return {self.name(c) for c, e in self.edges() if e.kind == "implicit" and self._is(e.callee, left)}
        if kind == "uses":
            return {self.name(c) for c, e in self.edges() if e.kind == "references" and self._is(e.callee, left)}
        if kind == "callees":
            return {self.name(e.callee) for c, e in self.edges() if e.kind in _CALLS and self._is(c, left, exact=True)}
        if kind == "implements":
            wanted = ("inherits", "implements", "mixin")
            return {
                self.name(r.dst)
                for s, r in self.relations()
                if r.kind in wanted and r.dst[0] and self._is(s, left, exact=True)
            }
        if kind == "possible":
            return self._possible(left)
        assert kind == "symbols", kind
        view = self.view(left)
        elsewhere = {r.src for r in self.links[left].relations if r.kind == "declares"}
        return {s.qual for i, s in enumerate(view.symbols) if is_definition(view, i) and view.keys[i] not in elsewhere}

    def _possible(self, left: str) -> set[str]:
        calls = [(c, e) for c, e in self.edges() if e.kind in _CALLS and self._is(c, left, exact=True)]
        bound = {e.callee for _, e in calls}
        virtual = {e.callee for c, e in calls if may_dispatch(self.view(c[0]).family, e.evidence)}
        below: dict[SymbolRef, list[SymbolRef]] = {}
        for src, relation in self.relations():
            if relation.kind == "overrides":
                below.setdefault(relation.dst, []).append(src)
        found: set[SymbolRef] = set()
        todo = list(virtual)
        while todo:
            for ref in below.get(todo.pop(), ()):
                if ref not in found:
                    found.add(ref)
                    todo.append(ref)
        return {self.name(r) for r in found - bound if not self._symbol(r).flags & Flag.ABSTRACT}

    def _symbol(self, ref: SymbolRef) -> Symbol:
        symbol = self.view(ref[0]).symbol(ref[1])
        assert symbol is not None
        return symbol

    def _is(self, ref: SymbolRef, wanted: str, exact: bool = False) -> bool:
        """Is `ref` what an expectation names?  A type and its constructor count as one unless `exact`."""
        if ref[0] == "" or (not ref[1] and not wanted.endswith(":<module>")):
            return False
        names = {self.name(ref), self.name(ref).split("@")[0]}
        if ref[1]:
            names.add(f"{ref[0]}:{self._symbol(ref).qual}@{self.line(ref[0], self._symbol(ref).name_start)}")
        if wanted in names:
            return True
        return not exact and ref[1] != "" and self._one(ref, wanted)

    def _one(self, ref: SymbolRef, wanted: str) -> bool:
        symbol = self._symbol(ref)
        view = self.view(ref[0])
        if symbol.flags & Flag.CONSTRUCTOR and symbol.parent >= 0:
            return self.name(view.ref(symbol.parent)) == wanted
        return False

    def range(self, left: str) -> str:
        path, _, name = left.partition(":")
        view = self.view(path)
        qual, _, line = name.partition("@")
        for symbol in view.symbols:
            if symbol.qual == qual and (not line or self.line(path, symbol.name_start) == int(line)):
                (l1, c1), (l2, c2) = self.place(path, symbol.name_start), self.place(path, symbol.name_end)
                return f"{l1}:{c1}-{l2}:{c2}"
        return "none"

    def failures(self, case: Case) -> list[str]:
        """Expectations that do not hold, each with what was found instead."""
        out: list[str] = []
        for kind, left, right in case.expect:
            if kind == "range":
                found = self.range(left)
                if found != right:
                    out.append(f"{kind} {left} = {right}; found {found}")
                continue
            wanted = {part for part in re.split(r",\s+", right) if part}
            found_set = self.answer(kind, left)
            if not self._equal(found_set, wanted):
                out.append(
                    f"{kind} {left} = {', '.join(sorted(wanted))}; found {', '.join(sorted(found_set)) or 'nothing'}"
                )
        return out

    def _equal(self, found: set[str], wanted: set[str]) -> bool:
        def fits(one: str, other: str) -> bool:
            return one in (other, other.partition("@")[0]) or self._as_type(one) == self._as_type(other)

        return all(any(fits(w, f) for f in found) for w in wanted) and all(
            any(fits(w, f) for w in wanted) for f in found
        )

    def _as_type(self, name: str) -> str:
        """A constructor's name → its type's."""
        path, _, qual = name.partition(":")
        if path not in self.links:
            return name
        for symbol in self.view(path).symbols:
            if symbol.qual == qual.partition("@")[0] and symbol.flags & Flag.CONSTRUCTOR and symbol.parent >= 0:
                return f"{path}:{self.view(path).symbols[symbol.parent].qual}"
        return name
