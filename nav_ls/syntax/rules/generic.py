"""Languages without rules of their own: an outline of definitions, and calls by name.

Captures say what a node is (`@function`, `@class`, ...); its name is the field `name`, or else the first name
inside of it.  Nothing is known about types: what a call means is told by its name alone.
"""

from __future__ import annotations

import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import NONE, TYPE_KINDS, Flag, Import, Op, Use
from nav_ls.syntax.rules.base import Rules

_NAME_TYPES = frozenset(
    {
        "identifier", "simple_identifier", "type_identifier", "name", "word", "atom", "constant", "function_name",
        "simple_name", "value_name", "module_name", "type_constructor", "IDENTIFIER", "bareword", "package", "alias",
        "variable", "method_name", "class_name", "constructor", "field_identifier", "property_identifier",
    }
)  # fmt: skip
_DEEPEST = 6  # levels below a definition in which its name is looked for
_BODIES = frozenset({"function_body", "block", "Block"})


class GenericRules(Rules):
    """Handlers for the captures that all generic queries share."""

    def begin(self, root: ts.Node) -> None:
        self._names: set[tuple[int, int]] = set()
        self.b.extra["outline"] = "generic"

    # --- definitions

    def _define(self, node: ts.Node, kind: str) -> None:
        name = self._name_of(node)
        if name is None:
            return
        b = self.b
        around = b.draft_at(node.start_byte)
        text = b.of(name)
        parts = [p for p in text.replace("::", ".").replace(":", ".").split(".") if p]
        if not parts:
            return
        inner = self._last_name(name)
        self._names.add((inner.start_byte, inner.end_byte))
        if kind == "function" and around is not None and around.kind in TYPE_KINDS:
            kind = "method"
        prefix = around.qual if around is not None else b.package
        container = ".".join(filter(None, [prefix, *parts[:-1]]))
        draft = b.define(parts[-1], kind, node, inner, container=container)
        end = self._end_of(node)
        draft.end = end
        self._describe(draft, node, name)
        b.bind(draft.name, "def", b.scope_at(node.start_byte), inner.start_byte, value=draft.index, name_node=inner)
        scope = "class" if kind in TYPE_KINDS or kind in ("module", "namespace") else "function"
        b.open_body(draft, inner.end_byte, max(end, inner.end_byte + 1), scope)

    def _end_of(self, node: ts.Node) -> int:
        """Bodies that stand beside their signature (Dart, Zig) belong to the definition."""
        after = node.next_named_sibling
        if after is None and node.parent is not None and node.parent.type == "method_signature":
            after = node.parent.next_named_sibling
        return after.end_byte if after is not None and after.type in _BODIES else node.end_byte

    def _describe(self, draft: Draft, node: ts.Node, name: ts.Node) -> None:
        b = self.b
        line_end = b.text.find(b"\n", name.end_byte)
        head = b.slice(node.start_byte, line_end if 0 <= line_end < node.end_byte else node.end_byte)
        draft.signature = fold(head).rstrip("{ ")
        if draft.name.startswith("_"):
            draft.visibility = "private"
        lines: list[str] = []
        above, row = node.prev_named_sibling, node.start_point[0]
        while above is not None and "comment" in above.type and above.end_point[0] >= row - 1 and len(lines) < 100:
            lines.insert(0, b.of(above).strip().strip("/*#-; \t"))
            draft.start, row = above.start_byte, above.start_point[0]
            above = above.prev_named_sibling
        draft.doc = "\n".join(lines).strip()
        draft.flags |= b.flags & Flag.TEST

    def _name_of(self, node: ts.Node) -> ts.Node | None:
        if node.type == "call":  # Elixir: `def name(args) do`
            arguments = next((c for c in node.named_children if c.type == "arguments"), None)
            node = arguments if arguments is not None else node
        named = node.child_by_field_name("name")
        if named is not None:
            return named
        level = [node]
        for _ in range(_DEEPEST):
            below = [c for n in level for c in n.named_children[:8]]
            found = next((c for c in below if c.type in _NAME_TYPES), None)
            if found is not None:
                return found
            level = below
        return None

    def _last_name(self, node: ts.Node) -> ts.Node:
        while node.named_children and node.type not in _NAME_TYPES:
            node = node.named_children[-1]
        return node

    def on_function(self, node: ts.Node) -> None:
        self._define(node, "function")

    def on_constructor(self, node: ts.Node) -> None:
        around = self.b.draft_at(node.start_byte)
        if node.child_by_field_name("name") is not None and node.type != "init_declaration":
            self._define(node, "constructor")
        elif around is not None:
            draft = self.b.define("init", "constructor", node, None)
            draft.flags |= Flag.CONSTRUCTOR
            self.b.open_body(draft, node.start_byte, node.end_byte)

    def on_class(self, node: ts.Node) -> None:
        self._define(node, "class")

    def on_struct(self, node: ts.Node) -> None:
        self._define(node, "struct")

    def on_interface(self, node: ts.Node) -> None:
        self._define(node, "interface")

    def on_trait(self, node: ts.Node) -> None:
        self._define(node, "trait")

    def on_enum(self, node: ts.Node) -> None:
        self._define(node, "enum")

    def on_object(self, node: ts.Node) -> None:
        self._define(node, "object")

    def on_module(self, node: ts.Node) -> None:
        self._define(node, "module")

    def on_macro(self, node: ts.Node) -> None:
        self._define(node, "macro")

    def on_package(self, node: ts.Node) -> None:
        """A package statement that holds to the end of the file."""
        name = self._name_of(node)
        if name is not None:
            self.b.package = self.b.of(name).replace("::", ".")

    def on_named(self, node: ts.Node) -> None:
        """A function that is assigned to a name: the whole assignment is its definition."""
        whole = node.parent
        while whole is not None and whole.type in ("variable_list", "expression_list"):
            whole = whole.parent
        if whole is None:
            return
        b = self.b
        self._names.add((node.start_byte, node.end_byte))
        draft = b.define(b.of(node), "function", whole, node)
        self._describe(draft, whole, node)
        b.bind(draft.name, "def", b.scope_at(node.start_byte), node.start_byte, value=draft.index, name_node=node)
        b.open_body(draft, node.end_byte, max(whole.end_byte, node.end_byte + 1))

    # --- mentions

    def on_import(self, node: ts.Node) -> None:
        text = fold(self.b.of(node)).removeprefix("import ").strip()
        self.b.imports.append(Import(text, "*", "", 0, node.start_byte, node.end_byte))

    def on_call(self, node: ts.Node) -> None:
        if (node.start_byte, node.end_byte) in self._names or not node.end_byte > node.start_byte:
            return
        b = self.b
        expr = b.expr(Op.NAME, b.of(node), b.scope_at(node.start_byte), node.start_byte)
        b.site(Use.CALL, b.of(node), expr, node.start_byte, node.end_byte, node.start_byte)

    def on_call_member(self, node: ts.Node) -> None:
        b = self.b
        if (node.start_byte, node.end_byte) in self._names:
            return
        expr = b.expr(Op.ATTR, NONE, b.of(node))
        b.site(Use.CALL, b.of(node), expr, node.start_byte, node.end_byte, node.start_byte)


RULES = GenericRules
