"""What Java, Kotlin and C# share: declared types, members in classes, anonymous functions with typed parameters.

Method names are a name space of their own: where a name is called, its expression holds it as `name()`, and
`new()` is a type's constructors.  So are types: where only a type can stand, its name is held as `:Name`.  Locals are bound in the scope of the function (or class body) that they stand
in, strictly visible in their block, so that an expression may be read before the blocks around it are opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

import tree_sitter as ts

from nav_ls.syntax.builder import Builder, Draft
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, TYPE_KINDS, Op, Use
from nav_ls.syntax.rules.base import Rules

MAX_ARGUMENTS = 64  # longer argument lists are cut: no declared parameter list is that long
_STARS = re.compile(r"^[ \t]*\*(?!/) ?", re.M)
CONSTRUCTORS = "new()"
TYPE_MARK = ":"
TRAILING = "{}"
"""The name of an argument that stands behind the brackets and is the last parameter's, whichever place it has."""


class TypedRules(Rules):
    """Helpers for the rules of statically typed languages with classes."""

    comment_types: ClassVar[frozenset[str]] = frozenset({"comment", "line_comment", "block_comment"})
    regions: ClassVar[frozenset[str]] = frozenset()
    """Nodes that the names of locals and patterns end with."""
    own_results: ClassVar[frozenset[str]] = frozenset()
    """Nodes whose `return`s are not those of the body around them."""
    untyped = ""
    """The node that stands for a type and gives none (`var`)."""

    def __init__(self, builder: Builder):
        super().__init__(builder)
        self._expectations: dict[int, int] = {}  # id of a node → what `read_expected` said of it
        self._types: dict[int, int] = {}
        self._callees: dict[int, int] = {}
        self._held: dict[str, list[tuple[int, int]]] = {}  # name → where locals hold it, of the first `_told` bindings
        self._told = 0

    # --- what is expected?

    def expected(self, node: ts.Node) -> int:
        """The type that is expected where a lambda, a method reference or `new()` stands; read once for each node."""
        known = self._expectations.get(node.id)
        if known is None:
            known = self._expectations[node.id] = self.read_expected(node)
        return known

    def read_expected(self, node: ts.Node) -> int:
        """What the place of a node says about its type."""
        return NONE

    def handed(self, node: ts.Node, place: int) -> int:
        """What is handed to the n-th parameter of a lambda that declares no type for it; -2: its receiver."""
        expected = self.expected(node)
        return self.b.expr(Op.PARAMETER, expected, place) if expected != NONE else NONE

    # --- types and callees, each read once

    def type_expr(self, node: ts.Node | None) -> int:
        """A declared type; -1 where there is none."""
        if node is None or node.type == self.untyped:
            return NONE
        known = self._types.get(node.id)
        if known is None:
            known = self._types[node.id] = self.read_type(node)
        return known

    def read_type(self, node: ts.Node) -> int:
        """The expression of a type."""
        return self.expr(node)

    def callee(self, node: ts.Node) -> int:
        """What a call calls."""
        known = self._callees.get(node.id)
        if known is None:
            known = self._callees[node.id] = self.read_callee(node)
        return known

    def read_callee(self, node: ts.Node) -> int:
        """The expression of what a call calls."""
        return NONE

    # --- bodies

    def region_end(self, node: ts.Node) -> int:
        """Where the block, case or function around a node ends."""
        current = node.parent
        while current is not None and current.type not in self.regions:
            current = current.parent
        return current.end_byte if current is not None else node.end_byte

    def results(self, body: ts.Node, statement: str) -> list[int]:
        """What the `return`s (or `yield`s) of a body hand on; those of lambdas and classes inside are not its own."""
        found: list[int] = []
        todo = [body]
        while todo:
            current = todo.pop()
            if current.type == statement:
                inner = self.first(current)
                if inner is not None:
                    found.append(self.expr(inner))
            elif current.type not in self.own_results and not current.type.endswith("_expression"):
                todo.extend(reversed(current.named_children))
        return found

    # --- where am I?

    def caller(self, position: int) -> int:
        """Who runs the code at `position`: the innermost callable, else the innermost type, else the module.

        What stands in the head of a type (what its base is handed) is run by that type.
        """
        scope = self.b.scopes[self.b.scope_at(position)]
        if scope.kind == "block" and scope.owner != NONE and self.b.symbols[scope.owner].kind in TYPE_KINDS:
            return scope.owner
        type_ = NONE
        for draft in reversed(self.b.open_drafts(position)):
            if draft.kind in CALLABLE_KINDS:
                return draft.index
            if type_ == NONE and draft.kind in TYPE_KINDS:
                type_ = draft.index
        return type_

    def container(self, position: int) -> str:
        """The qualified name that a definition at `position` goes below."""
        return next((d.qual for d in reversed(self.b.open_drafts(position)) if d.kind != "anonymous"), "")

    def site(self, kind: str, name: ts.Node, expr: int, at: ts.Node, *, call: int = NONE, text: str = "") -> None:
        """A site whose name is a node."""
        self.b.site(
            kind,
            text or self.b.of(name),
            expr,
            name.start_byte,
            name.end_byte,
            at.start_byte,
            call=call,
            caller=self.caller(at.start_byte),
        )

    # --- small things

    def real(self, nodes: Iterable[ts.Node]) -> list[ts.Node]:
        """Nodes without the comments among them."""
        return [n for n in nodes if n.type not in self.comment_types]

    def first(self, node: ts.Node) -> ts.Node | None:
        """The first named child that is no comment."""
        return next((c for c in node.named_children if c.type not in self.comment_types), None)

    def doc_before(self, node: ts.Node, opener: str = "/**") -> tuple[str, int]:
        """The doc comment in front of a definition, and where the definition with it begins."""
        before = node.prev_sibling
        if before is None or before.type not in self.comment_types:
            return "", node.start_byte
        text = self.b.of(before)
        if not text.startswith(opener):
            return "", node.start_byte
        if opener == "///":
            lines = [text]
            start = before
            while start.prev_sibling is not None and start.prev_sibling.type in self.comment_types:
                above = self.b.of(start.prev_sibling)
                if not above.startswith("///"):
                    break
                lines.insert(0, above)
                start = start.prev_sibling
            return "\n".join(line[3:].strip() for line in lines), start.start_byte
        return _STARS.sub("", text[3:-2]).strip(), before.start_byte

    def name_expr(self, text: str, node: ts.Node) -> int:
        """A bare name, as seen from where a node stands."""
        return self.b.expr(Op.NAME, text, self.b.scope_at(node.start_byte), node.start_byte)

    def literal(self, name: str) -> int:
        """A value of a built-in type."""
        return self.b.expr(Op.LITERAL, name)

    def bind_local(
        self, name: ts.Node, value: int, type_: int, region: tuple[int, int], at: ts.Node | None = None
    ) -> None:
        """A local: visible in `region` only."""
        place = name if at is None else at
        self.b.bind(
            self.b.of(name),
            "block",
            self.b.scope_at(place.start_byte),
            region[0],
            region=region,
            value=value,
            type_=type_,
            name_node=name,
        )

    def is_local(self, name: str, position: int) -> bool:
        """Does a local or a parameter hold a name there, so that no member is meant?"""
        for b in self.b.bindings[self._told :]:
            if b.kind in ("block", "param"):
                self._held.setdefault(b.name, []).append((b.start, b.end))
        self._told = len(self.b.bindings)
        return any(start <= position < end for start, end in self._held.get(name, ()))

    def type_site(self, name: ts.Node, expr: int) -> None:
        """A type is named."""
        self.site(Use.TYPE, name, expr, name)

    def open_callable(self, draft: Draft, node: ts.Node, body: ts.Node | None, scope_start: int | None = None) -> int:
        """The scope of a callable: from its header on, so that type parameters are seen there."""
        start = body.start_byte if body is not None else node.end_byte
        return self.b.open_body(
            draft, start, node.end_byte, scope_start=node.start_byte if scope_start is None else scope_start
        )
