"""What a language's rules are: a table from capture names to handlers, over one builder.

A rules class names its handlers `on_<capture>`; they get each captured node in document order.
Methods named `expr_<node type>` turn a node into the index of an expression.
"""

from __future__ import annotations

from collections.abc import Callable

import tree_sitter as ts

from nav_ls.syntax.builder import Builder
from nav_ls.syntax.facts import NONE, Op, Problem

Handler = Callable[[ts.Node], None]
Converter = Callable[[ts.Node], int]


class Rules:
    """One file's reading.  Subclasses add `on_<capture>` handlers and expression converters."""

    def __init__(self, builder: Builder):
        self.b = builder
        self.path = ""
        self._memo = builder.memo
        self._converters: dict[int, Converter | None] = {}

    def handler(self, capture: str) -> Handler | None:
        """The handler of a capture, None where the rules have none."""
        found: Handler | None = getattr(self, "on_" + capture.replace(".", "_"), None)
        return found

    def prepare(self, text: bytes) -> bytes:
        """The text that is parsed: same length, with what the grammar does not know blanked out."""
        return text

    def mended(self, text: bytes) -> bytes:
        """What is parsed instead of a text that the parser did not understand: same length, what is half typed closed."""
        return text

    def begin(self, root: ts.Node) -> None:
        """Before the first node."""

    def end(self, root: ts.Node) -> None:
        """After the last node."""

    def embedded(
        self, captures: dict[str, list[ts.Node]], parse: Callable[[list[tuple[int, int]]], ts.Node]
    ) -> list[ts.Node]:
        """Roots of code inside of code, parsed by `parse(byte ranges)`; its captures are read like the file's own."""
        return []

    def on_error(self, node: ts.Node) -> None:
        """The parser could not make sense of this stretch."""
        if len(self.b.problems) < 20:
            self.b.problems.append(Problem("syntax", "not understood", node.start_byte, node.end_byte))

    def expr(self, node: ts.Node | None) -> int:
        """The expression of a node, -1 for none.  Converters are methods named `expr_<node type>`."""
        if node is None:
            return NONE
        known = self._memo.get(node.id)
        return known if known is not None else self.b.once(node, self._convert)

    def _convert(self, node: ts.Node) -> int:
        kind = node.kind_id  # unlike its name it costs no string
        if kind not in self._converters:
            self._converters[kind] = getattr(self, "expr_" + node.type, None)
        convert = self._converters[kind]
        return convert(node) if convert is not None else self.b.expr(Op.TEXT, "")
