"""What a language's rules are: a table from capture names to handlers, over one builder.

A rules class names its handlers `on_<capture>`; they get each captured node in document order.
Methods named `expr_<node type>` turn a node into the index of an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import tree_sitter as ts

from nav_ls.syntax.builder import Builder, Draft
from nav_ls.syntax.facts import NONE, Op, Problem
from nav_ls.text.comments import clean_comment, comment_above

Handler = Callable[[ts.Node], None]
Converter = Callable[["Rules", ts.Node], int]

_MAX_DEPTH = 200  # deeper expressions are told by their text: recursion must not run away on hostile input


class Rules:
    """One file's reading.  Subclasses add `on_<capture>` handlers and expression converters."""

    like: ClassVar[Mapping[str, str]] = {}
    """Types of nodes that have no converter of their own → the one whose converter reads them."""

    def __init__(self, builder: Builder):
        self.b = builder
        self.path = ""
        self._memo: dict[int, int] = {}  # id of a node → its expression
        self._depth = 0
        # Plain functions: bound methods would make a cycle, and all that was found here would wait for the collector.
        self._converters: dict[int, Converter] = {}

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

    def document(self, draft: Draft) -> None:
        """The comment of C's family that stands directly above a definition belongs to it."""
        begin = comment_above(self.b.text, draft.start)
        draft.doc = clean_comment(self.b.slice(begin, draft.start))
        draft.start = begin

    def expr(self, node: ts.Node | None) -> int:
        """The expression of a node, -1 for none.  Converters are methods named `expr_<node type>`."""
        if node is None:
            return NONE
        key = node.id
        known = self._memo.get(key)
        if known is not None:
            return known
        kind = node.kind_id  # unlike its name it costs no string
        convert = self._converters.get(kind)
        if convert is None:
            convert = self._converters[kind] = self._converter(node.type)
        return self._converted(node, key, convert)

    def _converter(self, kind: str) -> Converter:
        own: Converter | None = getattr(type(self), "expr_" + kind, None)
        return own if own is not None else getattr(type(self), "expr_" + self.like.get(kind, ""), _by_text)

    def once(self, node: ts.Node, convert: Converter) -> int:
        """The expression of `node`, converted by `convert` the first time it is asked for."""
        known = self._memo.get(node.id)
        return known if known is not None else self._converted(node, node.id, convert)

    def _converted(self, node: ts.Node, key: int, convert: Converter) -> int:
        if self._depth >= _MAX_DEPTH:
            return _by_text(self, node)
        self._depth += 1
        index = self._memo[key] = convert(self, node)
        self._depth -= 1
        return index


def _by_text(rules: Rules, _: ts.Node) -> int:
    return rules.b.expr(Op.TEXT, "")
