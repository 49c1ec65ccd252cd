"""What a language's rules are: a table from capture names to handlers, over one builder.

A rules class names its handlers `on_<capture>`; they get each captured node in document order.
`expr` turns a node into the index of an expression.
"""

from __future__ import annotations

from collections.abc import Callable

import tree_sitter as ts

from nav_ls.syntax.builder import Builder
from nav_ls.syntax.facts import NONE, Op, Problem

Handler = Callable[[ts.Node], None]


class Rules:
    """One file's reading.  Subclasses add `on_<capture>` handlers and expression converters."""

    def __init__(self, builder: Builder):
        self.b = builder
        self.path = ""
        self._handlers: dict[str, Handler | None] = {}

    def handler(self, capture: str) -> Handler | None:
        """The handler of a capture, None where the rules have none."""
        if capture not in self._handlers:
            self._handlers[capture] = getattr(self, "on_" + capture.replace(".", "_"), None)
        return self._handlers[capture]

    def begin(self, root: ts.Node) -> None:
        """Before the first node."""

    def end(self, root: ts.Node) -> None:
        """After the last node."""

    def on_error(self, node: ts.Node) -> None:
        """The parser could not make sense of this stretch."""
        if len(self.b.problems) < 20:
            self.b.problems.append(Problem("syntax", "not understood", node.start_byte, node.end_byte))

    def expr(self, node: ts.Node | None) -> int:
        """The expression of a node, -1 for none."""
        return NONE if node is None else self.b.once(node, self.convert)

    def convert(self, node: ts.Node) -> int:
        """Node → expression; subclasses know their node types."""
        return self.b.expr(Op.TEXT, "")
