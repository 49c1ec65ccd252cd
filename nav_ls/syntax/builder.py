"""The one mutable thing in this room: what has been collected of a file so far.

A language's rules receive the captured nodes in document order and tell the builder what they mean;
the builder keeps the stacks (which scope, which definition am I in?) and turns it all into `FileFacts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from operator import itemgetter

import tree_sitter as ts

from nav_ls.syntax.facts import (
    NONE,
    Binding,
    Export,
    Expr,
    FileFacts,
    Flag,
    Import,
    Op,
    Param,
    Problem,
    Scope,
    Site,
    Symbol,
    TypeParam,
    key_prefixes,
)

_DEPRECATED = re.compile(
    r"(?im)@(?:\w+\.)*deprecated\b|#\[deprecated\b|\[\[[^\]]*\bdeprecated\b|\[(?:[^\]]*\W)?Obsolete\b|\bdeprecated::"
    r"|@available\([^)]*\bdeprecated\b|^\W*deprecated[:.]"
)
"""How languages mark a definition that should not be used any more."""

_LINE_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))(?://|#\s).*$")
_OPENING, _CLOSING = re.compile(r"([(\[]) "), re.compile(r",? ([)\]])")


def short_hash(data: bytes) -> str:
    """16 hex digits that stand for `data`."""
    return blake2b(data, digest_size=8).hexdigest()


def fold(text: str, limit: int = 400) -> str:
    """Code on one line, at most `limit` characters: without the comments and the commas that only several lines need."""
    line = " ".join(text.split())
    if "\n" in text:
        if "#" in line or "//" in line:
            line = " ".join(_LINE_COMMENT.sub("", text).split())
        line = _CLOSING.sub(r"\1", _OPENING.sub(r"\1", line))
    return line if len(line) <= limit else line[: limit - 1] + "…"


class Draft:
    """A definition that is still being read.  Becomes a `Symbol` when the file is done."""

    __slots__ = (
        "base_kinds",
        "bases",
        "body_end",
        "body_start",
        "decorators",
        "doc",
        "end",
        "flags",
        "header_end",
        "header_more",
        "index",
        "kind",
        "name",
        "name_end",
        "name_start",
        "params",
        "parent",
        "qual",
        "receiver",
        "returned",
        "returns",
        "scope",
        "signature",
        "start",
        "type_params",
        "visibility",
    )

    def __init__(
        self, index: int, name: str, qual: str, kind: str, start: int, end: int, name_start: int, name_end: int
    ):
        self.index = index
        self.name = name
        self.qual = qual
        self.kind = kind
        self.start = start
        self.end = end
        self.name_start = name_start
        self.name_end = name_end
        self.parent = NONE
        self.scope = NONE
        self.signature = ""
        self.doc = ""
        self.visibility = "public"
        self.flags = 0
        self.params: list[Param] = []
        self.returns = NONE
        self.returned: list[int] = []
        self.bases: list[int] = []
        self.base_kinds: list[str] = []
        self.decorators: list[int] = []
        self.type_params: list[TypeParam] = []
        self.receiver = NONE
        self.body_start = end
        self.body_end = end
        self.header_end = NONE  # where the header ends, if not where the body's scope begins
        self.header_more = b""  # what is said of the header's names elsewhere


class Builder:
    """Collects facts.  Rules use the methods; nothing here knows a language."""

    def __init__(self, text: bytes, language: str):
        self.text = text
        self.language = language
        self.package = ""
        self.doc = ""
        self.flags = 0
        self.generated = False
        self.extra: dict[str, str] = {}
        self.symbols: list[Draft] = []
        self.scopes: list[Scope] = [Scope("module", NONE, 0, len(text))]
        self.bindings: list[Binding] = []
        self.exprs: list[Expr] = []
        self.sites: list[Site] = []
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.problems: list[Problem] = []
        self.position = 0
        # Of ASCII text a slice of characters is one of bytes, and costs half as much as decoding that.
        self._characters = text.decode("ascii") if text.isascii() else None
        self._stays_until = len(text)
        self._scope_stack = [0]
        self._draft_stack: list[Draft] = []
        # Asked about each definition, which most files need not be.
        self._deprecates = any(word in text for word in (b"eprecated", b"EPRECATED", b"bsolete"))
        self._hashes: dict[int, bytes] = {}
        self._bound_at: dict[str, list[int]] = {}

    # --- text

    def slice(self, start: int, end: int) -> str:
        """Text between two offsets."""
        if self._characters is not None:
            return self._characters[start:end]
        return self.text[start:end].decode("utf-8", "replace")

    def of(self, node: ts.Node) -> str:
        """Text of a node (a slice: `node.text` is slower)."""
        if self._characters is not None:
            return self._characters[node.start_byte : node.end_byte]
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    # --- where am I?

    def move(self, position: int) -> None:
        """Go on to `position`: leave what has ended."""
        self.position = position
        if position < self._stays_until:
            return
        scopes, drafts = self._scope_stack, self._draft_stack
        while len(scopes) > 1 and self.scopes[scopes[-1]].end <= position:
            scopes.pop()
        while drafts and drafts[-1].body_end <= position:
            drafts.pop()
        end = self.scopes[scopes[-1]].end
        self._stays_until = min(end, drafts[-1].body_end) if drafts else end

    def scope_at(self, position: int) -> int:
        """The innermost open scope whose region holds `position`."""
        for index in reversed(self._scope_stack):
            scope = self.scopes[index]
            if scope.start <= position < scope.end:
                return index
        return 0

    def draft_at(self, position: int) -> Draft | None:
        """The innermost definition whose body holds `position`."""
        for draft in reversed(self._draft_stack):
            if draft.body_start <= position < draft.body_end:
                return draft
        return None

    def open_drafts(self, position: int) -> list[Draft]:
        """The definitions whose bodies hold `position`, outermost first."""
        return [d for d in self._draft_stack if d.body_start <= position < d.body_end]

    def caller_at(self, position: int) -> int:
        """Index of the definition that code at `position` belongs to, -1 for module level."""
        for draft in reversed(self._draft_stack):
            if draft.body_start <= position < draft.body_end and draft.kind not in ("namespace", "module"):
                return draft.index
        return NONE

    def enclosing(self, position: int, kinds: Iterable[str]) -> Draft | None:
        """The innermost definition of one of `kinds` around `position`."""
        wanted = frozenset(kinds)
        for draft in reversed(self._draft_stack):
            if draft.kind in wanted and draft.body_start <= position < draft.body_end:
                return draft
        return None

    # --- definitions and scopes

    def define(
        self,
        name: str,
        kind: str,
        node: ts.Node,
        name_node: ts.Node | None,
        *,
        start: int | None = None,
        container: str | None = None,
        parent: Draft | None = None,
    ) -> Draft:
        """Open a definition.  `container` overrides the qualified name of what encloses it.

        Where code that is being typed lacks a name the parser supposes one without letters: it gets one to be told by.
        """
        name = name or f"({kind})"
        begin = node.start_byte if start is None else start
        around = parent if parent is not None else self.draft_at(node.start_byte)
        prefix = container if container is not None else (around.qual if around else "")
        name_start = name_node.start_byte if name_node is not None else node.start_byte
        name_end = name_node.end_byte if name_node is not None else name_start
        draft = Draft(
            len(self.symbols),
            name,
            f"{prefix}.{name}" if prefix else name,
            kind,
            begin,
            node.end_byte,
            name_start,
            name_end,
        )
        draft.parent = around.index if around else NONE
        self.symbols.append(draft)
        return draft

    def assigned_field(self, owner: Draft, name: ts.Node) -> Draft:
        """A field that is there because a method assigns it: no part of an outline, and its place is its name alone."""
        field = self.define(self.of(name), "field", name, name, container=owner.qual, parent=owner)
        field.flags |= Flag.MINOR
        begin, end = self.text.rfind(b"\n", 0, field.start) + 1, self.text.find(b"\n", field.start)
        field.signature = fold(self.slice(begin, end if end >= 0 else len(self.text)), _FIELD_CHARS)
        return field

    def add(self, name: str, kind: str, start: int, end: int, name_start: int, name_end: int) -> Draft:
        """A top-level definition that no node stands for (a directive)."""
        draft = Draft(len(self.symbols), name, name, kind, start, end, name_start, name_end)
        self.symbols.append(draft)
        return draft

    def open_body(
        self, draft: Draft, start: int, end: int, scope_kind: str = "function", scope_start: int | None = None
    ) -> int:
        """The definition's body: code in `[start, end)` belongs to it and sees its scope.

        `scope_start`: where the scope begins, if names that it binds (type parameters) are seen before the body.
        """
        draft.body_start, draft.body_end = start, end
        draft.scope = self.open_scope(scope_kind, start if scope_start is None else scope_start, end, draft.index)
        self._draft_stack.append(draft)
        self._stays_until = min(self._stays_until, end)
        return draft.scope

    def open_scope(self, kind: str, start: int, end: int, owner: int = NONE) -> int:
        """A new scope inside the one at `start`."""
        parent = self.scope_at(start)
        self.scopes.append(Scope(kind, parent, start, end, owner))
        index = len(self.scopes) - 1
        self._scope_stack.append(index)
        self._stays_until = min(self._stays_until, end)
        return index

    def leave(self, scope: int) -> None:
        """Leave a scope whose end has not been reached (a type told in a comment)."""
        if self._scope_stack[-1] == scope:
            self._scope_stack.pop()

    def bind(
        self,
        name: str,
        kind: str,
        scope: int,
        pos: int,
        *,
        region: tuple[int, int] | None = None,
        value: int = NONE,
        type_: int = NONE,
        name_node: ts.Node | None = None,
    ) -> None:
        """A name gets a value in `scope`; `region` is the block that it stands in (default: the whole scope)."""
        start, end = region if region is not None else (self.scopes[scope].start, self.scopes[scope].end)
        name_start, name_end = (name_node.start_byte, name_node.end_byte) if name_node is not None else (NONE, NONE)
        self.bindings.append(Binding(scope, name, kind, pos, start, end, value, type_, name_start, name_end))

    # --- expressions

    def expr(self, *parts: object) -> int:
        """Add an expression, get its index."""
        self.exprs.append(parts)
        return len(self.exprs) - 1

    # --- the rest

    def site(
        self,
        kind: str,
        name: str,
        expr: int,
        start: int,
        end: int,
        at: int,
        *,
        call: int = NONE,
        caller: int | None = None,
    ) -> None:
        """A place that mentions something."""
        self.sites.append(
            Site(kind, name, expr, start, end, at, self.caller_at(at) if caller is None else caller, call)
        )

    def finish(self) -> FileFacts:
        """The facts, frozen."""
        return FileFacts(
            language=self.language,
            package=self.package,
            symbols=tuple(self._freeze(d) for d in self.symbols),
            scopes=tuple(self.scopes),
            bindings=tuple(self.bindings),
            exprs=tuple(self.exprs),
            sites=tuple(self.sites),
            imports=tuple(self.imports),
            exports=tuple(self.exports),
            problems=tuple(self.problems),
            doc=self.doc,
            flags=self.flags,
            generated=self.generated,
            extra=self.extra,
            offers=self._offers(),
        )

    def _freeze(self, d: Draft) -> Symbol:
        if self._deprecates and (_DEPRECATED.search(d.doc) or _DEPRECATED.search(self.slice(d.start, d.name_start))):
            d.flags |= Flag.DEPRECATED
        if not d.signature:
            d.signature = fold(self.slice(d.name_start, self._header_end(d)))
        return Symbol(
            name=d.name,
            qual=d.qual,
            kind=d.kind,
            start=d.start,
            end=d.end,
            name_start=d.name_start,
            name_end=d.name_end,
            parent=d.parent,
            scope=d.scope,
            signature=d.signature,
            doc=d.doc,
            visibility=d.visibility,
            flags=d.flags,
            params=tuple(d.params),
            returns=d.returns,
            returned=tuple(d.returned),
            bases=tuple(d.bases),
            base_kinds=tuple(d.base_kinds),
            decorators=tuple(d.decorators),
            type_params=tuple(d.type_params),
            receiver=d.receiver,
            body_start=self._header_end(d),
        )

    def _header_end(self, d: Draft) -> int:
        return min(d.body_start if d.header_end == NONE else d.header_end, d.end)

    # --- what other files can look up here

    def _offers(self) -> dict[str, str]:
        """Key → hash of what it stands for.  Keys: a qualified name, `qual()` for what a body returns.

        The hash covers, in order of position, header texts, declared types and assigned expressions, never positions: an edit
        inside a body that changes nothing another file can see changes no key.
        """
        parts: dict[str, list[tuple[int, bytes]]] = {}
        for b in self.bindings:
            self._bound_at.setdefault(b.name, []).append(b.pos)
        for d in self.symbols:
            if d.flags & Flag.MINOR and d.kind not in ("method", "function"):
                continue
            header_end = self._header_end(d)
            head = self.text[d.start : header_end] + d.header_more if d.kind != "namespace" else b""
            parts.setdefault(d.qual, []).append(
                (d.start, b"%s %d %s" % (d.kind.encode(), d.flags, b" ".join(head.split())))
            )
            if d.kind in ("function", "method", "property", "constructor") and d.returns == NONE:
                body = b" ".join(self.text[header_end : d.end].split())
                parts.setdefault(d.qual + "()", []).append((d.start, body))
        prefixes = key_prefixes(self.scopes, self.symbols)
        for b in self.bindings:
            prefix = prefixes[b.scope]
            if prefix is None or b.kind == "def":
                continue
            key = prefix + b.name.lstrip(":")
            parts.setdefault(key, []).append((b.pos, self._binding_text(b)))
        for e in self.exports:
            text = (
                f"export {e.module} {e.source} False".encode() + b" ".join(self.text[e.start : e.end].split())
                if e.value == NONE
                else f"export {e.name} ".encode() + self._expr_text(e.value)
            )
            parts.setdefault(e.name, []).append((e.start, text))
        # Python's rules look each name of a star import up by its own key as well; elsewhere the list is what is read.
        names = sorted(k for k in parts if "." not in k and "()" not in k) if self.language != "python" else []
        stars = sorted(f"{i.module}{i.level}" for i in self.imports if i.name == "*")
        extra = " ".join(self.extra.get(key, "") for key in ("all", "module", "globals"))
        parts["*"] = [(0, "\n".join([" ".join(names), " ".join(stars), extra]).encode())]
        imports = sorted(f"{i.module} {i.name} {i.alias} {i.kind} {i.level}" for i in self.imports)
        parts["=imports"] = [(0, "\n".join([self.package, *imports]).encode())]
        return {key: short_hash(_in_order(texts)) for key, texts in parts.items()}

    def _binding_text(self, b: Binding) -> bytes:
        if b.kind == "import":
            i = self.imports[b.value]
            return f"import {i.module} {i.name} {i.alias} {i.level} {i.kind}".encode()
        return b"%s %s %s" % (b.kind.encode(), self._expr_text(b.value), self._expr_text(b.type))

    def _expr_text(self, index: int, depth: int = 0) -> bytes:
        """An expression as text without positions.  Names that are local to a body bring that body along."""
        if index == NONE:
            return b"-"
        if depth > 12:
            return b"..."
        e = self.exprs[index]
        op = e[0]
        if op == Op.NAME:
            return str(e[1]).encode() + self._rank(e[1], e[3]) + self._local_body(e[2])
        if op == Op.SYMBOL:
            return self.symbols[e[1]].qual.encode()
        out = [str(op).encode()]
        for place, part in enumerate(e[1:], 1):
            if isinstance(part, str):
                out.append(part.encode())
            elif _is_operand(op, place):
                out.append(self._expr_text(part, depth + 1))
        return b"(" + b" ".join(out) + b")"

    def _rank(self, name: str, pos: int) -> bytes:
        """How many of a name's bindings come before a place: tells which one it may mean, where there are several."""
        places = self._bound_at.get(name, ())
        return b"#%d" % sum(place <= pos for place in places) if 1 < len(places) <= _MAX_RANKED else b""

    def _whole_hash(self, index: int) -> bytes:
        """Hash of a definition's whole text, white space folded; asked for once per definition."""
        return self._text_hash(index, self.symbols[index].start, self.symbols[index].end)

    def _text_hash(self, key: int, start: int, end: int) -> bytes:
        known = self._hashes.get(key)
        if known is None:
            known = self._hashes[key] = short_hash(b" ".join(self.text[start:end].split())).encode()
        return known

    def _local_body(self, scope: int) -> bytes:
        """A mark of the function body that `scope` lies in; nothing at module level."""
        while scope != NONE:
            info = self.scopes[scope]
            if info.kind in ("function", "arrow"):
                if info.owner != NONE:
                    return b"@" + self._whole_hash(info.owner)
                return b"@" + self._text_hash(-2 - scope, info.start, info.end)
            scope = info.parent
        return b""


def _in_order(texts: list[tuple[int, bytes]]) -> bytes:
    if len(texts) == 1:
        return texts[0][1]
    return b"\n".join(text for _, text in sorted(texts, key=_place))


_MAX_RANKED = 64
_FIELD_CHARS = 160  # of the line that makes a field
_place = itemgetter(0)

_SCALAR_PLACES = {
    Op.LAMBDA: {1, 3},
    Op.SUPER: {1},
    Op.THIS: {1},
    Op.ITEM: {2},
    Op.SYMBOL: {1},
    Op.IMPORT: {1},
    Op.OBJECT: {1},
    Op.ARGUMENT: {2},
    Op.PARAMETER: {2},
    Op.PARENT: {1},
    Op.HANDED: {2, 3},
    Op.EXPECTED: {2},
}


def _is_operand(op: int, place: int) -> bool:
    return place not in _SCALAR_PLACES.get(op, ())
