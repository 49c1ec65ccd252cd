"""Rust: what its tree means.

Items hold in the whole of their module or block, whatever their order; locals hold strictly from the end of their
statement to the end of their block.  Names in type position and the first names of paths are looked up at
position -1, where no local holds: types and modules live in a name space of their own.

Macro arguments are tokens in the tree.  They are parsed again, in place, as the expressions or statements that
they mostly are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import ClassVar, NamedTuple

import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import NONE, Binding, Flag, Import, Op, Param, Scope, TypeParam, Use
from nav_ls.syntax.rules.base import Rules

_BLOCKS = frozenset(
    "block function_item match_arm closure_expression declaration_list source_file if_expression while_expression "
    "for_expression const_block".split()
)
_OPAQUE = frozenset(
    "quote quote_spanned parse_quote stringify concat_idents include include_str include_bytes env option_env".split()
)
_FILLING = frozenset("push push_back push_front insert".split())
_TEXTS = frozenset({"format", "concat", "stringify", "include_str", "env"})
_BOXING = frozenset({"Box::new", "Rc::new", "Arc::new", "Box::pin"})
_HOLDING = frozenset({"Some", "Ok"})
_TRUTHS = frozenset({"matches", "cfg"})
_BEFORE_VALUES = frozenset({":", "="})
_PLAIN_TYPES = frozenset({"type_identifier", "generic_type"})
_AROUND_ITEMS = frozenset({"source_file", "declaration_list"})
_TYPE_WORDS = frozenset({"struct", "enum", "union"})
_SEPARATORS = frozenset({",", ";", "=>", "if", "|"})
_TEST = re.compile(r"^#\[\s*(\w+::)*test\b|^#\[\s*(rstest|test_case|quickcheck|proptest)\b|^#\[\s*cfg\(\s*test\s*\)")
_PATH = re.compile(r'^#\[\s*path\s*=\s*"([^"]+)"')
_PLACEHOLDER = re.compile(r"(?<!\w)_(?!\w)")
_DECLARES = re.compile(
    rb"((?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|union)\s+([A-Z]\w*)[^{;(]*(?:\{[^{}]*\}|\([^()]*\)[^;{}]*;|;))"
)
_FOR = re.compile(r"\s+for\s+(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)?(?=[$(\[])")
_LIKE_TRY = re.compile(
    r"=>\s*[({\[]\s*\{?\s*(?:match\s+\$\w+\s*\{[^{}]*\b(?:Ok|Some)\((\w+)\)\s*=>\s*\1\b"
    r"|if\s+let\s+(?:\w+::)*(?:Ok|Some)\((\w+)\)\s*=\s*\$\w+\s*\{\s*\2\s*\})"
)
_SUFFIX = re.compile(rb"[iu](?:8|16|32|64|128|size)\Z|f(?:32|64)\Z")
_LAST_NAME = re.compile(r"\w+$")
_ASSIGNMENTS = frozenset({"assignment_expression", "compound_assignment_expr"})
_COMPARISONS = frozenset("== != < <= > >= && ||".split())
_MAX_ARGUMENTS = 12
_MAX_NESTING = 12

Parse = Callable[[list[tuple[int, int]]], ts.Node]


class _Context(NamedTuple):
    """What encloses items: `prefix` of their qualified names, their parent symbol, the scope of associated items."""

    end: int
    prefix: str
    draft: Draft | None = None
    items: int = NONE
    test: bool = False
    mods: tuple[str, ...] = ()


class RustRules(Rules):
    """Handlers for the captures of `queries/rust/facts.scm`."""

    like: ClassVar[Mapping[str, str]] = {
        "self": "identifier",
        "shorthand_field_identifier": "identifier",
        "crate": "type_identifier",
        "super": "type_identifier",
        "scoped_type_identifier": "scoped_identifier",
        "generic_type_with_turbofish": "generic_type",
        "pointer_type": "reference_type",
        "abstract_type": "dynamic_type",
        "unit_type": "tuple_type",
        "unsafe_block": "parenthesized_expression",
        "async_block": "parenthesized_expression",
        "else_clause": "parenthesized_expression",
        "unit_expression": "tuple_expression",
        "raw_string_literal": "string_literal",
    }

    def begin(self, root: ts.Node) -> None:
        b = self.b
        self._contexts: list[_Context] = [_Context(len(b.text) + 1, "")]
        self._locals: dict[str, int] = {}
        self._lets: dict[str, tuple[int, int]] = {}  # name → its scope, and where it ends
        self._embedded: dict[int, list[ts.Node]] = {}
        self._bodies: dict[int, list[ts.Node]] = {}
        self._mods: list[str] = []
        self._made: set[str] = set()
        self._undeclared: set[str] = set()
        parts = self.path.split("/")
        if "tests" in parts[:-1] or "benches" in parts[:-1] or parts[-1] in ("tests.rs", "test.rs"):
            b.flags |= Flag.TEST
        head = b.text[:2048]
        b.generated = b"@generated" in head or b"DO NOT EDIT" in head
        docs = [c for c in root.children[:200] if c.type == "line_comment" and b.text[c.start_byte :][:3] == b"//!"]
        b.doc = "\n".join(b.of(c)[3:].strip() for c in docs)

    def end(self, root: ts.Node) -> None:
        if self._mods:
            self.b.extra["mods"] = "\n".join(self._mods)
        if self._made:
            self.b.extra["made"] = " ".join(sorted(self._made))

    # --- macro arguments

    def embedded(self, captures: dict[str, list[ts.Node]], parse: Parse) -> list[ts.Node]:
        """The arguments of the macros among `captures`, parsed."""
        found: list[ts.Node] = []
        self._undeclared |= self._only_implemented(captures)
        for node in captures.get("macro_definition", ()):
            found += self._macro_bodies(node, parse)
        for node in captures.get("macro", ()):
            tokens = node.named_children[-1] if node.named_children else None
            if tokens is None or tokens.type != "token_tree" or self._macro_name(node) in _OPAQUE:
                continue
            if tokens.start_byte in self._embedded:
                continue
            roots: list[ts.Node] = []
            self._parse_tokens(tokens, parse, roots, 0)
            self._embedded[tokens.start_byte] = roots
            found += roots
        return found

    def _only_implemented(self, captures: dict[str, list[ts.Node]]) -> set[str]:
        """Types with impl blocks of their own that nothing here declares or imports: some macro does."""
        uses = captures.get("use", ())
        if any(
            node.parent is not None and node.parent.type == "source_file" and "*" in self.b.of(node) for node in uses
        ):
            return set()  # they may come from there
        known = {self.b.of(n) for c in ("type", "alias", "trait") for d in captures.get(c, ()) if (n := _name_of(d))}
        imported = [self.b.of(node) for node in uses]
        found: set[str] = set()
        for node in captures.get("impl", ()):
            target = node.child_by_field_name("type")
            if target is not None and node.child_by_field_name("trait") is None and target.type in _PLAIN_TYPES:
                found.add(self._base_name(target))
        return {n for n in found - known if not any(re.search(rf"\b{re.escape(n)}\b", use) for use in imported)}

    def _macro_bodies(self, node: ts.Node, parse: Parse) -> list[ts.Node]:
        """The types that a macro declares, parsed; keeps what it expands to where that is one expression."""
        found: list[ts.Node] = []
        names: set[bytes] = set()
        bodies: list[ts.Node] = []
        for rule in node.named_children:
            body = rule.child_by_field_name("right") if rule.type == "macro_rule" else None
            if body is None or body.end_byte - body.start_byte > 20_000:
                continue
            text = self.b.text[body.start_byte : body.end_byte]
            self._made.update(_traits_made(text.decode("utf-8", "replace")))
            for match in _DECLARES.finditer(text):
                if match[2] in names or b"$" in match[0]:
                    continue
                names.add(match[2])
                found.append(parse([(body.start_byte + match.start(1), body.start_byte + match.end())]))
            if len(text) < 400 and b"$(" not in text:
                root = self._parse_range(body.start_byte + 1, body.end_byte - 1, parse)
                if not root.has_error and len(root.named_children) == 1:
                    bodies.append(root)
        if bodies and len(bodies) == sum(r.type == "macro_rule" for r in node.named_children):
            self._bodies[node.start_byte] = bodies
        return [root for root in found if not root.has_error]

    def _parse_tokens(self, tokens: ts.Node, parse: Parse, found: list[ts.Node], depth: int) -> None:
        """A token tree as one expression or block; where it is none, its parts between separators."""
        if tokens.end_byte - tokens.start_byte <= 2 or depth > _MAX_NESTING:
            return
        root = self._parse_range(tokens.start_byte, tokens.end_byte, parse)
        if not root.has_error:
            found.append(root)
            return
        inside = self._parse_range(tokens.start_byte + 1, tokens.end_byte - 1, parse)
        if not inside.has_error:  # items or statements between parentheses
            found.append(inside)
            return
        part: list[ts.Node] = []
        for child in tokens.children[1:-1]:
            if child.type in _SEPARATORS or (child.type == "identifier" and self.b.of(child) == "if"):
                self._parse_part(part, parse, found, depth)
                part = []
            else:
                part.append(child)
        self._parse_part(part, parse, found, depth)

    def _parse_part(self, part: list[ts.Node], parse: Parse, found: list[ts.Node], depth: int) -> None:
        trees = [c for c in part if c.type == "token_tree"]
        if not trees:
            return  # nothing is called without parentheses
        root = self._parse_range(part[0].start_byte, part[-1].end_byte, parse)
        if not root.has_error:
            found.append(root)
            return
        begin = next((i for i, c in enumerate(part, 1) if c.type in _BEFORE_VALUES), len(part))
        if begin < len(part):  # `key: value`, `const NAME = value`
            self._parse_part(part[begin:], parse, found, depth)
            return
        for tree in trees:
            self._parse_tokens(tree, parse, found, depth + 1)

    def _parse_range(self, start: int, end: int, parse: Parse) -> ts.Node:
        """`[start, end)` with some semicolon behind it, so that it is a statement."""
        text = self.b.text
        semicolon = text.find(b";", end)
        if semicolon >= 0:
            return parse([(start, end), (semicolon, semicolon + 1)])
        opening, closing = text.rfind(b"{", 0, start), text.find(b"}", end)
        if opening >= 0 and closing >= 0:  # as the value of a block
            return parse([(opening, opening + 1), (start, end), (closing, closing + 1)])
        return parse([(start, end)])

    def _macro_name(self, node: ts.Node) -> str:
        name = node.child_by_field_name("macro")
        return self.b.of(name).rpartition("::")[2].strip() if name is not None else ""

    def on_macro(self, node: ts.Node) -> None:
        name = node.child_by_field_name("macro")
        if name is not None and name.type == "scoped_identifier":
            name = name.child_by_field_name("name")
        if name is None:
            return
        b = self.b
        text = b.of(name)
        expr = b.expr(Op.NAME, text + "!", self._scope(node.start_byte), NONE)
        b.site(Use.VALUE, text, expr, name.start_byte, name.end_byte, node.start_byte)
        around = (
            node.parent.parent
            if node.parent is not None and node.parent.type == "expression_statement"
            else node.parent
        )
        if around is not None and around.type in _AROUND_ITEMS:
            self._declared_by(node)

    def _declared_by(self, node: ts.Node) -> None:
        """The types that a macro declares by what it is given: `bitflags! { struct Flags: u32 { .. } }`, `newtype!(Id)`."""
        tokens = node.named_children[-1] if node.named_children else None
        if tokens is None or tokens.type != "token_tree":
            return
        read = self._embedded.get(tokens.start_byte, [])
        before: ts.Node | None = None
        todo = list(reversed(tokens.children))
        while todo:
            token = todo.pop()
            if token.type == "token_tree":
                todo += reversed(token.children)
            elif token.type == "identifier":
                text = self.b.of(token)
                told = before is not None and self.b.of(before) in _TYPE_WORDS
                if text in self._undeclared or (told and not any(_holds(root, token) for root in read)):
                    self._undeclared.discard(text)
                    self._declare(node, token)
            before = token

    def _declare(self, node: ts.Node, name: ts.Node) -> None:
        b = self.b
        draft = self._item(name, name, "struct")
        body = name.next_sibling
        while body is not None and body.type != "token_tree":
            body = body.next_sibling
        draft.end = draft.body_start = draft.body_end = body.end_byte if body is not None else name.end_byte
        draft.visibility = "public"
        scope = self._scope(node.start_byte)
        region = (draft.start, draft.end)
        b.bind(draft.name, "def", scope, draft.start, region=region, value=draft.index, name_node=name)

    # --- where am I?

    def _context(self, position: int) -> _Context:
        while len(self._contexts) > 1 and self._contexts[-1].end <= position:
            self._contexts.pop()
        return self._contexts[-1]

    def _open_generic(self, node: ts.Node, draft: Draft) -> int:
        """The scope of an item's type parameters; associated items around it are not in scope by bare name."""
        b = self.b
        around = self._scope(node.start_byte)
        index = b.open_scope("block", node.start_byte, node.end_byte, draft.index)
        b.scopes[index] = Scope("block", around, node.start_byte, node.end_byte, draft.index)
        return index

    def _scope(self, position: int) -> int:
        """The scope in which names are looked up: associated items and fields are not in scope by bare name."""
        index = self.b.scope_at(position)
        while self.b.scopes[index].kind == "class":
            index = self.b.scopes[index].parent
        return index

    # --- items

    def _item(self, node: ts.Node, name_node: ts.Node, kind: str) -> Draft:
        """A definition in the current context, with the attributes and doc comment above it."""
        b = self.b
        context = self._context(node.start_byte)
        start, doc, attributes = self._above(node)
        draft = b.define(
            b.of(name_node).removeprefix("r#"),
            kind,
            node,
            name_node,
            start=start,
            container=context.prefix,
        )
        draft.parent = context.draft.index if context.draft is not None else NONE
        draft.doc = doc
        draft.visibility = self._visibility(node, context)
        if context.test or any(_TEST.match(a) for a in attributes):
            draft.flags |= Flag.TEST
        self._attributes = attributes
        return draft

    def _visibility(self, node: ts.Node, context: _Context) -> str:
        marker = next((c for c in node.children[:2] if c.type == "visibility_modifier"), None)
        if marker is not None:
            return "public" if self.b.of(marker) == "pub" else "internal"
        return "public" if context.draft is not None and context.draft.kind == "trait" else "private"

    def _above(self, node: ts.Node) -> tuple[int, str, list[str]]:
        """(start with everything that belongs to an item, its doc comment, its attributes)."""
        start, lines, attributes = node.start_byte, [], []
        current = node.prev_sibling
        while current is not None and current.type in ("attribute_item", "line_comment", "block_comment"):
            text = self.b.of(current)
            if current.type == "attribute_item":
                attributes.append(text)
            elif text.startswith("///"):
                lines.append(text[3:].strip())
            elif text.startswith("/**"):
                lines.append("\n".join(p.strip().lstrip("*").strip() for p in text[3:-2].splitlines()))
            else:
                break
            start = current.start_byte
            current = current.prev_sibling
        return start, "\n".join(reversed(lines)).strip(), attributes[::-1]

    def on_mod(self, node: ts.Node) -> None:
        b = self.b
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return
        context = self._context(node.start_byte)
        draft = self._item(node, name_node, "module")
        name = draft.name
        b.bind(
            name,
            "def",
            self._scope(node.start_byte),
            node.start_byte,
            region=(node.start_byte, node.end_byte),
            value=draft.index,
            name_node=name_node,
        )
        if body is None:
            draft.flags |= Flag.DECLARATION
            path = next((m[1] for a in self._attributes if (m := _PATH.match(a))), "")
            self._mods.append("::".join([*context.mods, name]) + ("=" + path if path else ""))
            return
        draft.scope = b.open_scope("module", body.start_byte, node.end_byte, draft.index)
        b.scopes[draft.scope] = Scope("module", NONE, body.start_byte, node.end_byte, draft.index)
        draft.body_start = body.start_byte
        test = bool(draft.flags & Flag.TEST)
        self._contexts.append(_Context(node.end_byte, draft.qual, draft, draft.scope, test, (*context.mods, name)))

    def on_function(self, node: ts.Node) -> None:
        b = self.b
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return
        context = self._context(node.start_byte)
        owner = context.draft
        member = owner is not None and owner.kind in ("impl", "trait")
        draft = self._item(node, name_node, "method" if member else "function")
        if not member:
            b.bind(
                draft.name,
                "def",
                self._scope(node.start_byte),
                node.start_byte,
                region=(node.start_byte, node.end_byte),
                value=draft.index,
                name_node=name_node,
            )
        modifiers = next((c for c in node.children if c.type == "function_modifiers"), None)
        if modifiers is not None and any(c.type == "async" for c in modifiers.children):
            draft.flags |= Flag.ASYNC
        outer = self._open_generic(node, draft)
        self._type_params(draft, node, outer)
        begin = body.start_byte if body is not None else node.end_byte
        draft.signature = fold(b.slice(node.start_byte, begin))
        params = node.child_by_field_name("parameters")
        listed = [self._parameter(draft, c) for c in params.named_children] if params is not None else []
        result = node.child_by_field_name("return_type")
        draft.returns = self.expr(result) if result is not None else b.expr(Op.LITERAL, "tuple[]")
        if member and not any(p.kind == "self" for p in draft.params):
            draft.flags |= Flag.STATIC
        if body is None:
            draft.flags |= Flag.ABSTRACT if member else Flag.DECLARATION
            draft.body_start = node.end_byte
            return
        if owner is not None and owner.kind == "trait":
            draft.flags |= Flag.DEFAULT
        b.open_body(draft, body.start_byte, node.end_byte)
        self._contexts.append(_Context(node.end_byte, draft.qual, draft, NONE, bool(draft.flags & Flag.TEST)))
        region = (body.start_byte, node.end_byte)
        for pattern, type_ in listed:
            if pattern is None:
                continue
            if pattern.type in ("self", "self_parameter"):
                named = next((c for c in pattern.children if c.type == "self"), pattern)
                self._bind("self", named, region, NONE, type_)
            else:
                self._pattern(pattern, b.expr(Op.CAST, type_, NONE), region)

    def _parameter(self, draft: Draft, node: ts.Node) -> tuple[ts.Node | None, int]:
        b = self.b
        if node.type == "self_parameter":
            type_ = b.expr(Op.NAME, "Self", self._scope(node.start_byte), NONE)
            draft.params.append(Param("self", type_, kind="self"))
            return node, type_
        if node.type != "parameter":
            return None, NONE
        pattern, type_ = node.child_by_field_name("pattern"), self.expr(node.child_by_field_name("type"))
        name = b.of(pattern) if pattern is not None else ""
        draft.params.append(Param(fold(name, 40), type_, kind="self" if name == "self" else ""))
        return pattern, type_

    def _type_params(self, draft: Draft, node: ts.Node, scope: int) -> None:
        b = self.b
        params = node.child_by_field_name("type_parameters")
        bounds: dict[str, list[int]] = {}
        for child in params.named_children if params is not None else ():
            name = child.child_by_field_name("name")
            if child.type == "const_parameter" and name is not None:
                b.bind(
                    b.of(name), "param", scope, 0, type_=self.expr(child.child_by_field_name("type")), name_node=name
                )
            if child.type in ("type_parameter", "lifetime_parameter") and name is not None:
                b.bind(b.of(name), "typeparam", scope, 0, name_node=name)
            if child.type != "type_parameter" or name is None:
                continue
            default = child.child_by_field_name("default_type")
            bounds[b.of(name)] = self._bounds(child.child_by_field_name("bounds"))
            if default is not None and not bounds[b.of(name)]:  # what it is where nothing is given
                bounds[b.of(name)] = [self.expr(default)]
        where = next((c for c in node.named_children if c.type == "where_clause"), None)
        for predicate in where.named_children if where is not None else ():
            left = predicate.child_by_field_name("left")
            if left is None:
                continue
            asked = self._bounds(predicate.child_by_field_name("bounds"))
            if b.of(left) in bounds:
                bounds[b.of(left)] += asked
            elif asked and draft.kind == "method":
                self._ask_more(predicate, b.of(left), asked)
        for text, found in bounds.items():
            draft.type_params.append(TypeParam(text, self._all_of(found)))

    def _ask_more(self, predicate: ts.Node, name: str, asked: list[int]) -> None:
        """A method asks more of a parameter of its impl or trait.  Others don't use what they have not asked for."""
        owner = self._context(predicate.start_byte).draft
        for place, param in enumerate(owner.type_params if owner is not None else ()):
            if owner is not None and param.name == name:
                known = [param.bound] if param.bound != NONE else []
                owner.type_params[place] = TypeParam(name, self._all_of([*known, *asked]))
                owner.header_more += b"\n" + self.b.text[predicate.start_byte : predicate.end_byte]

    def _all_of(self, bounds: list[int]) -> int:
        if len(bounds) < 2:
            return bounds[0] if bounds else NONE
        return self.b.expr(Op.UNION, *bounds)

    def _bounds(self, node: ts.Node | None) -> list[int]:
        skipped = ("lifetime", "removed_trait_bound", "line_comment", "block_comment")
        return [self.expr(c) for c in node.named_children if c.type not in skipped] if node is not None else []

    def on_impl(self, node: ts.Node) -> None:
        b = self.b
        target, trait, body = (node.child_by_field_name(f) for f in ("type", "trait", "body"))
        if target is None or body is None:
            return
        context = self._context(node.start_byte)
        base = self._base_name(target)
        trait_name = self._base_name(trait) if trait is not None else ""
        draft = self._item(node, target, "impl")
        draft.name = f"impl {trait_name} for {base}" if trait is not None else f"impl {base}"
        draft.qual = f"{context.prefix}.{draft.name}" if context.prefix else draft.name
        draft.signature = fold(b.slice(node.start_byte, body.start_byte))
        draft.body_start = body.start_byte
        outer = self._open_generic(node, draft)
        self._type_params(draft, node, outer)
        if target.type == "type_identifier" and base in [p.name for p in draft.type_params]:
            draft.flags |= Flag.EXTENSION  # an impl for every type that fits
        draft.receiver = self.expr(target)
        b.bind("Self", "local", outer, node.start_byte, value=draft.receiver)
        if trait is not None:
            draft.bases.append(self.expr(trait))
            draft.base_kinds.append("implements")
        draft.scope = b.open_scope("class", body.start_byte, node.end_byte, draft.index)
        prefix = f"{context.prefix}.{base}" if context.prefix else base
        self._contexts.append(_Context(node.end_byte, prefix, draft, draft.scope, context.test, context.mods))

    def _base_name(self, node: ts.Node) -> str:
        """`&'a mut m::S<T>` → "S"."""
        kind = node.type
        if kind in ("type_identifier", "primitive_type", "identifier"):
            return self.b.of(node)
        field = {
            "scoped_type_identifier": "name",
            "generic_type": "type",
            "reference_type": "type",
            "pointer_type": "type",
        }
        inner = node.child_by_field_name(field[kind]) if kind in field else None
        if inner is not None:
            return self._base_name(inner)
        if kind in ("array_type", "tuple_type", "unit_type", "function_type"):
            return {"array_type": "[]", "function_type": "fn"}.get(kind, "()")
        names = [c for c in node.named_children if c.type not in ("lifetime", "removed_trait_bound")]
        return self._base_name(names[0]) if names else "?"

    def on_trait(self, node: ts.Node) -> None:
        b = self.b
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return
        context = self._context(node.start_byte)
        draft = self._type_item(node, name_node, "trait", body)
        b.bindings.pop()
        b.bind("Self", "typeparam", len(b.scopes) - 1, 0)
        for bound in self._bounds(node.child_by_field_name("bounds")):
            draft.bases.append(bound)
            draft.base_kinds.append("inherits")
        draft.body_start = body.start_byte
        draft.scope = b.open_scope("class", body.start_byte, node.end_byte, draft.index)
        self._contexts.append(_Context(node.end_byte, draft.qual, draft, draft.scope, context.test, context.mods))

    def _type_item(self, node: ts.Node, name_node: ts.Node, kind: str, body: ts.Node | None) -> Draft:
        b = self.b
        draft = self._item(node, name_node, kind)
        b.bind(
            draft.name,
            "def",
            self._scope(node.start_byte),
            node.start_byte,
            region=(node.start_byte, node.end_byte),
            value=draft.index,
            name_node=name_node,
        )
        draft.signature = fold(b.slice(node.start_byte, body.start_byte if body is not None else node.end_byte))
        derived = [a[2:-1].strip() for a in self._attributes if "derive" in a]
        draft.decorators = [b.expr(Op.TEXT, fold(d)) for d in derived]
        outer = self._open_generic(node, draft)
        self._type_params(draft, node, outer)
        b.bind("Self", "local", outer, node.start_byte, value=b.expr(Op.SYMBOL, draft.index))
        return draft

    def on_type(self, node: ts.Node) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return
        b = self.b
        kind = {"struct_item": "struct", "union_item": "union", "enum_item": "enum"}[node.type]
        draft = self._type_item(node, name_node, kind, body)
        context = self._context(node.start_byte)
        if body is not None:
            draft.scope = b.open_scope("class", body.start_byte, node.end_byte, draft.index)
            if kind == "enum":
                self._contexts.append(
                    _Context(node.end_byte, draft.qual, draft, draft.scope, context.test, context.mods)
                )
            else:
                self._fields(draft, body)

    def on_variant(self, node: ts.Node) -> None:
        b = self.b
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        context = self._context(node.start_byte)
        if name_node is None or context.draft is None or context.draft.kind != "enum":
            return
        draft = self._item(node, name_node, "enum_member")
        draft.visibility = context.draft.visibility
        draft.signature = fold(b.of(node))
        b.bind(
            draft.name,
            "def",
            context.items,
            node.start_byte,
            region=(node.start_byte, node.end_byte),
            value=draft.index,
            name_node=name_node,
        )
        if body is not None:
            draft.scope = b.open_scope("class", body.start_byte, node.end_byte, draft.index)
            self._fields(draft, body)

    def _fields(self, draft: Draft, body: ts.Node) -> None:
        b = self.b
        if body.type == "ordered_field_declaration_list":
            for place, type_ in enumerate(body.children_by_field_name("type")):
                self._place(draft, place, type_)
            return
        for field in body.named_children:
            name = field.child_by_field_name("name")
            if field.type != "field_declaration" or name is None:
                continue
            type_expr = self.expr(field.child_by_field_name("type"))
            b.bind(b.of(name), "field", draft.scope, field.start_byte, type_=type_expr, name_node=name)
            start, doc, _ = self._above(field)
            member = b.define(b.of(name), "field", field, name, start=start, container=draft.qual, parent=draft)
            member.doc, member.signature = doc, fold(b.of(field))
            member.visibility = self._visibility(field, self._contexts[0])

    def _place(self, owner: Draft, place: int, type_: ts.Node) -> None:
        """A field that is told by its place: its name is written nowhere, so it has a position and no length."""
        b, at = self.b, type_.start_byte
        field = b.define(str(place), "field", type_, None, container=owner.qual, parent=owner)
        field.signature, field.visibility = fold(b.of(type_)), owner.visibility
        field.flags |= Flag.MINOR
        body = b.scopes[owner.scope]
        held = self.expr(type_)
        b.bindings.append(Binding(owner.scope, field.name, "field", at, body.start, body.end, NONE, held, at, at))

    def on_alias(self, node: ts.Node) -> None:
        """`type X = ..`, at top level or in an impl, and a trait's `type X: Bound;`."""
        b = self.b
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return
        context = self._context(node.start_byte)
        scope = self._scope(node.start_byte)
        draft = self._item(node, name_node, "type")
        draft.signature = fold(b.of(node))
        outer = self._open_generic(node, draft)
        self._type_params(draft, node, outer)
        bounds = self._bounds(node.child_by_field_name("bounds"))
        value = self.expr(node.child_by_field_name("type"))
        if value == NONE and bounds:
            value = bounds[0] if len(bounds) == 1 else b.expr(Op.UNION, *bounds)
        if context.draft is not None and context.draft.kind in ("impl", "trait"):
            scope = context.items
        b.bind(draft.name, "local", scope, node.start_byte, value=value, name_node=name_node)

    def on_const(self, node: ts.Node) -> None:
        b = self.b
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return
        context = self._context(node.start_byte)
        scope = self._scope(node.start_byte)
        type_ = self.expr(node.child_by_field_name("type"))
        if context.draft is None or context.draft.kind in ("impl", "trait", "module"):
            draft = self._item(node, name_node, "constant" if node.type == "const_item" else "variable")
            draft.signature = fold(b.of(node), 200)
        if context.draft is not None and context.draft.kind in ("impl", "trait"):
            scope = context.items
        text = b.of(name_node)
        if text != "_":
            b.bind(text, "local", scope, node.start_byte, type_=type_, name_node=name_node)
        b.open_scope("function", node.start_byte, node.end_byte)

    def on_macro_definition(self, node: ts.Node) -> None:
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return
        b = self.b
        draft = self._item(node, name_node, "macro")
        draft.signature = f"macro_rules! {draft.name}"
        if any("macro_export" in a for a in self._attributes):
            draft.flags |= Flag.EXPORTED
            draft.visibility = "public"
        draft.body_start = node.end_byte
        for rule in self._bodies.get(node.start_byte, ()):
            draft.returned.append(self.expr(_content(rule)))
        if _LIKE_TRY.search(b.of(node)):
            draft.returned.append(b.expr(Op.ITEM, NONE, 0))  # of whatever it is called with
        b.bind(
            draft.name + "!",
            "def",
            self._scope(node.start_byte),
            node.start_byte,
            value=draft.index,
            name_node=name_node,
        )

    # --- imports

    def on_extern_crate(self, node: ts.Node) -> None:
        name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        if name is not None:
            shown = alias or name
            self._import(self.b.of(name), "", self.b.of(shown), shown, node, "mod")

    def on_use(self, node: ts.Node) -> None:
        argument = node.child_by_field_name("argument")
        public = any(c.type == "visibility_modifier" for c in node.children)
        if argument is not None:
            self._use(argument, "", node, "reexport" if public else "", 0)

    def _use(self, node: ts.Node, prefix: str, statement: ts.Node, kind: str, depth: int) -> None:
        b = self.b
        if depth > 30:
            return
        if node.type == "use_list":
            for child in node.named_children:
                self._use(child, prefix, statement, kind, depth + 1)
        elif node.type == "scoped_use_list":
            path, listed = node.child_by_field_name("path"), node.child_by_field_name("list")
            inner = _joined(prefix, self._path_text(path)) if path is not None else prefix
            if listed is not None:
                self._use(listed, inner, statement, kind, depth + 1)
        elif node.type == "use_as_clause":
            path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
            if path is not None and alias is not None:
                self._use_leaf(path, alias, prefix, statement, kind)
        elif node.type == "use_wildcard":
            inner = _joined(prefix, self._path_text(node.named_children[0])) if node.named_children else prefix
            b.imports.append(
                Import(inner, "*", "", self._scope(statement.start_byte), node.start_byte, node.end_byte, kind)
            )
        else:
            self._use_leaf(node, None, prefix, statement, kind)

    def _path_text(self, node: ts.Node) -> str:
        return re.sub(r"\s+", "", self.b.of(node))

    def _use_leaf(self, path: ts.Node, alias: ts.Node | None, prefix: str, statement: ts.Node, kind: str) -> None:
        whole = self._path_text(path)
        name_node = path.child_by_field_name("name") if path.type == "scoped_identifier" else path
        if name_node is None:
            return
        if path.type == "self":
            module, name = prefix, ""
            shown = self.b.of(alias) if alias is not None else prefix.rpartition("::")[2]
        else:
            module, _, name = (f"{prefix}::{whole}" if prefix else whole).rpartition("::")
            if not module and not whole.startswith("::"):
                module, name = name, ""
            shown = self.b.of(alias) if alias is not None else name or module
        self._import(module, name, shown, alias or name_node, statement, kind)
        if name:
            b = self.b
            expr = b.expr(Op.NAME, shown, self._scope(statement.start_byte), NONE)
            b.site(Use.IMPORT, name, expr, name_node.start_byte, name_node.end_byte, path.start_byte)

    def _import(self, module: str, name: str, alias: str, name_node: ts.Node, statement: ts.Node, kind: str) -> None:
        b = self.b
        scope = self._scope(statement.start_byte)
        b.imports.append(Import(module, name, alias, scope, name_node.start_byte, name_node.end_byte, kind))
        if alias != "_":
            b.bind(alias, "import", scope, statement.start_byte, value=len(b.imports) - 1, name_node=name_node)

    # --- locals

    def _bind(self, name: str, node: ts.Node | None, region: tuple[int, int], value: int, type_: int = NONE) -> None:
        scope = self._scope(self.b.position)
        name = name.removeprefix("r#")
        self.b.bind(name, "block", scope, region[0], region=region, value=value, type_=type_, name_node=node)
        self._locals[name] = max(self._locals.get(name, 0), region[1])

    def on_let(self, node: ts.Node) -> None:
        pattern, type_, value = (node.child_by_field_name(f) for f in ("pattern", "type", "value"))
        if pattern is None:
            return
        given = self.expr(value)
        if type_ is not None:
            partly = _PLACEHOLDER.search(self.b.of(type_)) is not None
            given = self.b.expr(Op.FILLED if partly else Op.CAST, self.expr(type_), given)
        name = pattern.named_children[-1] if pattern.type == "mut_pattern" else pattern
        if name.type == "identifier":
            self._lets[self.b.of(name)] = (self._scope(self.b.position), self._block_end(node))
        self._pattern(pattern, given, (node.end_byte, self._block_end(node)))

    def on_let_condition(self, node: ts.Node) -> None:
        pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        current = node.parent
        while current is not None and current.type not in ("if_expression", "while_expression", "match_arm", "block"):
            current = current.parent
        if pattern is None or current is None:
            return
        body = current.child_by_field_name("consequence") or current.child_by_field_name("body")
        end = body.end_byte if body is not None else current.end_byte
        self._pattern(pattern, self.expr(value), (node.end_byte, end))

    def on_match_arm(self, node: ts.Node) -> None:
        pattern = node.child_by_field_name("pattern")
        match = node.parent.parent if node.parent is not None else None
        subject = match.child_by_field_name("value") if match is not None else None
        if pattern is not None:
            self._pattern(pattern, self.expr(subject), (node.start_byte, node.end_byte))

    def on_for(self, node: ts.Node) -> None:
        pattern, value, body = (node.child_by_field_name(f) for f in ("pattern", "value", "body"))
        if pattern is not None and body is not None:
            iterated = self.b.expr(Op.ELEMENT, self.expr(value))
            self._pattern(pattern, iterated, (body.start_byte, node.end_byte))

    def on_closure(self, node: ts.Node) -> None:
        """Parameters without a type get what the callee hands to them."""
        b = self.b
        params = node.child_by_field_name("parameters")
        outer = self._unboxed(node)
        arguments = outer.parent
        callee, place, made = NONE, 0, self._declared_place(outer)
        if arguments is not None and arguments.type == "arguments" and arguments.parent is not None:
            callee = self.expr(arguments.parent.child_by_field_name("function"))
            given = [c for c in arguments.named_children if not c.type.endswith("comment")]
            place = next((i for i, c in enumerate(given) if c == outer), 0)
        region = (node.start_byte, node.end_byte)
        for index, param in enumerate(_parts(params) if params is not None else ()):
            pattern, value = param, NONE
            if param.type == "parameter":
                inner = param.child_by_field_name("pattern")
                if inner is None:
                    continue
                pattern, value = inner, b.expr(Op.CAST, self.expr(param.child_by_field_name("type")), NONE)
            elif made != NONE:
                value = b.expr(Op.PARAMETER, made, index)
            elif callee != NONE:
                call = self.expr(arguments.parent) if arguments is not None and arguments.parent is not None else NONE
                value = b.expr(Op.HANDED, callee, place, index, call)
            self._pattern(pattern, value, region)

    def _unboxed(self, node: ts.Node) -> ts.Node:
        """What is handed on with a closure in it: `&closure`, `Box::new(closure)`."""
        while node.parent is not None:
            around = node.parent
            if around.type == "arguments" and around.parent is not None:
                made = around.parent.child_by_field_name("function")
                if made is None or self.b.of(made) not in _BOXING:
                    break
                around = around.parent
            elif around.type not in ("reference_expression", "parenthesized_expression"):
                break
            node = around
        return node

    def _declared_place(self, node: ts.Node) -> int:
        """What the place that a value is put in is declared to hold; -1 where nothing is declared."""
        b = self.b
        around = node.parent
        if around is None:
            return NONE
        kind = around.type
        if kind in ("let_declaration", "const_item", "static_item"):
            return self._of_type(around.child_by_field_name("type"))
        if kind == "block" and around.parent is not None and around.parent.type == "function_item":
            return (
                self._of_type(around.parent.child_by_field_name("return_type")) if _first_last(around) == node else NONE
            )
        if kind == "return_expression":
            return self._of_type(_result_type(around))
        if kind == "assignment_expression":
            return self.expr(around.child_by_field_name("left"))
        if kind == "field_initializer":
            struct = around.parent.parent if around.parent is not None else None
            whole = self._of_type(struct.child_by_field_name("name")) if struct is not None else NONE
            field = around.child_by_field_name("field")
            return (
                b.expr(Op.ATTR, whole, f".{b.of(field).removeprefix('r#')}")
                if field is not None and whole != NONE
                else NONE
            )
        if kind == "array_expression":
            whole = self._declared_place(around)
            return b.expr(Op.ELEMENT, whole) if whole != NONE else NONE
        if kind == "arguments" and around.parent is not None:
            made = around.parent.child_by_field_name("function")
            if made is None or b.of(made) not in _HOLDING:
                return NONE
            whole = self._declared_place(around.parent)
            return b.expr(Op.ITEM, whole, 0) if whole != NONE else NONE
        return NONE

    def _of_type(self, type_: ts.Node | None) -> int:
        """A value of a declared type."""
        declared = self.expr(type_)
        return self.b.expr(Op.CAST, declared, NONE) if declared != NONE else NONE

    def _pattern(self, node: ts.Node, value: int, region: tuple[int, int], depth: int = 0) -> None:
        b = self.b
        kind = node.type
        if depth > 30:
            return
        if kind in ("identifier", "shorthand_field_identifier"):
            text = b.of(node)
            if not text[:1].isupper():
                self._bind(text, node, region, value)
        elif kind == "tuple_pattern":
            parts = _parts(node)
            rest = next((i for i, c in enumerate(parts) if c.type == "remaining_field_pattern"), len(parts))
            for place, part in enumerate(parts):
                at = place if place < rest else place - len(parts)
                self._pattern(part, b.expr(Op.ITEM, value, at), region, depth + 1)
        elif kind == "tuple_struct_pattern":
            type_ = node.child_by_field_name("type")
            parts = [c for c in _parts(node) if c != type_]
            for place, part in enumerate(parts):
                self._pattern(part, b.expr(Op.MATCHED, value, self.expr(type_), str(place)), region, depth + 1)
        elif kind == "struct_pattern":
            type_ = node.child_by_field_name("type")
            for field in node.named_children:
                name = field.child_by_field_name("name") if field.type == "field_pattern" else None
                if name is not None:
                    inner = field.child_by_field_name("pattern") or name
                    if inner.type != "field_identifier":
                        taken = b.expr(Op.MATCHED, value, self.expr(type_), b.of(name))
                        self._pattern(inner, taken, region, depth + 1)
        elif kind == "captured_pattern":
            for part in node.named_children:
                self._pattern(part, value, region, depth + 1)
        elif kind == "match_pattern":
            for part in node.named_children[:1]:
                self._pattern(part, value, region, depth + 1)
        elif kind == "slice_pattern":
            for part in node.named_children:
                self._pattern(part, b.expr(Op.ELEMENT, value), region, depth + 1)
        elif kind in ("ref_pattern", "mut_pattern", "reference_pattern", "or_pattern", "parenthesized_pattern"):
            for part in node.named_children:
                self._pattern(part, value, region, depth + 1)

    def _block_end(self, node: ts.Node) -> int:
        current = node.parent
        while current is not None and current.type not in _BLOCKS:
            current = current.parent
        if current is None or current.type == "source_file":
            scope = self.b.scopes[self._scope(node.start_byte)]
            return scope.end
        return current.end_byte

    # --- sites

    def on_call(self, node: ts.Node) -> None:
        b = self.b
        function = node.child_by_field_name("function")
        if function is None:
            return
        name = self._callee_name(function)
        callee, call = self.expr(function), self.expr(node)
        if name is None:
            b.site(Use.CALL, "", callee, function.start_byte, function.end_byte, node.start_byte, call=call)
        else:
            text = b.of(name).removeprefix("r#")
            b.site(Use.CALL, text, callee, name.start_byte, name.end_byte, node.start_byte, call=call)
            if text in _FILLING and function.type == "field_expression":
                self._filled(node, function, call)

    def _filled(self, node: ts.Node, function: ts.Node, call: int) -> None:
        """`items.push(x)`, `table.insert(k, v)`: what a container holds that began empty."""
        b = self.b
        holder = function.child_by_field_name("value")
        if holder is None or holder.type != "identifier":
            return
        scope, end = self._lets.get(b.of(holder), (NONE, 0))
        given = b.exprs[call][2:]
        if node.start_byte < end and 0 < len(given) < 3:
            pos = node.start_byte
            b.bind(b.of(holder), "item", scope, pos, region=(pos, node.end_byte), value=given[-1], type_=NONE)

    def _callee_name(self, node: ts.Node) -> ts.Node | None:
        if node.type == "generic_function":
            inner = node.child_by_field_name("function")
            return self._callee_name(inner) if inner is not None else None
        if node.type == "field_expression":
            field = node.child_by_field_name("field")
            return field if field is not None and field.type == "field_identifier" else None
        if node.type == "scoped_identifier":
            return node.child_by_field_name("name")
        return node if node.type == "identifier" else None

    def on_value(self, node: ts.Node) -> None:
        self._named(Use.VALUE, node)

    def on_written(self, node: ts.Node) -> None:
        self._named(Use.WRITE, node)

    def _named(self, kind: str, node: ts.Node) -> None:
        """A name that no local has."""
        b = self.b
        name = self._callee_name(node)
        if name is None or (node.type == "identifier" and self._locals.get(b.of(node), 0) > node.start_byte):
            return
        b.site(kind, b.of(name), self.expr(node), name.start_byte, name.end_byte, node.start_byte)

    def on_member(self, node: ts.Node) -> None:
        """A field is read or written; what is called has a site of its own."""
        field, parent = node.child_by_field_name("field"), node.parent
        if field is None or parent is None or parent.child_by_field_name("function") == node:
            return
        kind = Use.WRITE if parent.child_by_field_name("left") == node and parent.type in _ASSIGNMENTS else Use.READ
        self._field_site(kind, field, self.expr(node), node)

    def on_initialised(self, node: ts.Node) -> None:
        """`Point { x: 1 }`."""
        around = node.parent.parent if node.parent is not None else None
        field = node.child_by_field_name("field")
        if around is not None and field is not None:
            self._field_site(Use.WRITE, field, self._part_of(around.child_by_field_name("name"), field), node)

    def on_matched(self, node: ts.Node) -> None:
        """`Point { x: 1 }` as a pattern."""
        name = node.child_by_field_name("name")
        if node.parent is not None and name is not None:
            self._field_site(Use.READ, name, self._part_of(node.parent.child_by_field_name("type"), name), node)

    def on_shorthand(self, node: ts.Node) -> None:
        """`Point { x }`, which names a field beside the variable."""
        literal = node.parent.parent.parent if node.parent is not None and node.parent.parent is not None else None
        if literal is not None:
            self._field_site(Use.WRITE, node, self._part_of(literal.child_by_field_name("name"), node), node)

    def _part_of(self, constructor: ts.Node | None, field: ts.Node) -> int:
        """The field that a constructor has, whatever is taken apart or made."""
        return self.b.expr(Op.MATCHED, NONE, self.expr(constructor), self.b.of(field).removeprefix("r#"))

    def _field_site(self, kind: str, field: ts.Node, expr: int, node: ts.Node) -> None:
        name = self.b.of(field).removeprefix("r#")
        self.b.site(kind, name, expr, field.start_byte, field.end_byte, node.start_byte)

    def on_type_name(self, node: ts.Node) -> None:
        b = self.b
        parent = node.parent
        if parent is None or b.of(node) == "Self":
            return
        if parent.type in _NAMED and parent.child_by_field_name("name") == node:
            return
        whole = (
            parent if parent.type == "scoped_type_identifier" and parent.child_by_field_name("name") == node else node
        )
        b.site(Use.TYPE, b.of(node), self.expr(whole), node.start_byte, node.end_byte, whole.start_byte)

    def on_path(self, node: ts.Node) -> None:
        """A type that begins a path: `S::new`."""
        b = self.b
        if not b.of(node)[:1].isupper() or b.of(node) == "Self":
            return
        whole = node.parent if node.parent is not None and node.parent.child_by_field_name("name") == node else node
        expr = self.expr(whole) if whole.type == "scoped_identifier" else self.expr_type_identifier(node)
        b.site(Use.TYPE, b.of(node), expr, node.start_byte, node.end_byte, whole.start_byte)

    # --- expressions: names and types

    def expr_identifier(self, node: ts.Node) -> int:
        b = self.b
        return b.expr(Op.NAME, b.of(node).removeprefix("r#"), self._scope(node.start_byte), node.start_byte)

    def expr_type_identifier(self, node: ts.Node) -> int:
        """A name in type position or at the beginning of a path: locals don't count."""
        return self.b.expr(Op.NAME, self.b.of(node).removeprefix("r#"), self._scope(node.start_byte), NONE)

    def expr_primitive_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, self.b.of(node))

    def expr_scoped_identifier(self, node: ts.Node) -> int:
        path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
        text = self.b.of(name).removeprefix("r#") if name is not None else ""
        if path is None:
            return self.b.expr(Op.NAME, "::" + text, self._scope(node.start_byte), NONE)
        owner = self.expr_type_identifier(path) if path.type in ("identifier", "self") else self.expr(path)
        return self.b.expr(Op.ATTR, owner, text)

    def expr_bracketed_type(self, node: ts.Node) -> int:
        return self.expr(node.named_children[0]) if node.named_children else NONE

    def expr_qualified_type(self, node: ts.Node) -> int:
        """`<T as Trait>`: members of T, as the trait declares them where T does not tell."""
        return self.b.expr(
            Op.AS_TRAIT, self.expr(node.child_by_field_name("type")), self.expr(node.child_by_field_name("alias"))
        )

    def expr_generic_type(self, node: ts.Node) -> int:
        base, arguments = node.child_by_field_name("type"), node.child_by_field_name("type_arguments")
        return self.b.expr(Op.INDEX, self.expr(base), *self._type_arguments(arguments))

    def _type_arguments(self, node: ts.Node | None) -> list[int]:
        found: list[int] = []
        for child in node.named_children if node is not None else ():
            if child.type == "type_binding":
                found.append(self.expr(child.child_by_field_name("type")))
            elif child.type not in ("lifetime", "line_comment", "block_comment"):
                found.append(self.expr(child))
        return found

    def expr_reference_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.POINTER, self.expr(node.child_by_field_name("type")))

    def expr_dynamic_type(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("trait"))

    def expr_bounded_type(self, node: ts.Node) -> int:
        parts = self._bounds(node)
        return parts[0] if len(parts) == 1 else self.b.expr(Op.UNION, *parts)

    def expr_higher_ranked_trait_bound(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("type"))

    def expr_tuple_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "tuple[]", *(self.expr(c) for c in node.named_children))

    def expr_array_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "slice[]", self.expr(node.child_by_field_name("element")))

    def expr_function_type(self, node: ts.Node) -> int:
        params, result = node.child_by_field_name("parameters"), node.child_by_field_name("return_type")
        types: list[int] = []
        for child in params.named_children if params is not None else ():
            inner = child.child_by_field_name("type") if child.type == "parameter" else child
            types.append(self.expr(inner))
        return self.b.expr(Op.FUNCTION, self.expr(result), *types)

    # --- expressions: values

    def expr_field_expression(self, node: ts.Node) -> int:
        """`x.f` as a field is the member ".f": a method may have the same name."""
        value, field = node.child_by_field_name("value"), node.child_by_field_name("field")
        name = self.b.of(field).removeprefix("r#") if field is not None else ""
        around = node.parent
        if around is not None and around.type == "generic_function":
            called = True
        else:
            called = (
                around is not None
                and around.type == "call_expression"
                and around.child_by_field_name("function") == node
            )
        return self.b.expr(Op.ATTR, self.expr(value), name if called else "." + name)

    def expr_generic_function(self, node: ts.Node) -> int:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("type_arguments")
        return self.b.expr(Op.INDEX, self.expr(function), *self._type_arguments(arguments))

    def expr_call_expression(self, node: ts.Node) -> int:
        arguments = node.child_by_field_name("arguments")
        given = [c for c in arguments.named_children if not c.type.endswith("comment")] if arguments is not None else []
        callee = self.expr(node.child_by_field_name("function"))
        return self.b.expr(Op.CALL, callee, *(self.expr(c) for c in given[:_MAX_ARGUMENTS]))

    def expr_struct_expression(self, node: ts.Node) -> int:
        """`Name { a: x, y }`: the values tell type arguments that nobody wrote."""
        b = self.b
        body = node.child_by_field_name("body")
        given: list[int] = []
        for part in body.named_children[:_MAX_ARGUMENTS] if body is not None else ():
            if part.type == "field_initializer":
                field = part.child_by_field_name("field")
                name, value = b.of(field) if field is not None else "", self.expr(part.child_by_field_name("value"))
                given.append(b.expr(Op.KEYWORD, name, value))
            elif part.type == "shorthand_field_initializer" and part.named_children:
                given.append(b.expr(Op.KEYWORD, b.of(part), self.expr(part.named_children[-1])))
        return b.expr(Op.NEW, self.expr(node.child_by_field_name("name")), *given)

    def expr_index_expression(self, node: ts.Node) -> int:
        parts = [c for c in node.named_children if not c.type.endswith("comment")]
        ranged = len(parts) > 1 and parts[1].type == "range_expression"
        return self.b.expr(Op.ATTR, self.expr(parts[0]) if parts else NONE, "[..]" if ranged else "[]")

    def expr_try_expression(self, node: ts.Node) -> int:
        return self.b.expr(Op.ITEM, self.expr(_first(node)), 0)

    def expr_await_expression(self, node: ts.Node) -> int:
        return self.b.expr(Op.AWAIT, self.expr(_first(node)))

    def expr_reference_expression(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("value"))

    def expr_parenthesized_expression(self, node: ts.Node) -> int:
        inner = _first(node)
        return self.expr(inner) if inner is not None else self.b.expr(Op.TEXT, "")

    def expr_unary_expression(self, node: ts.Node) -> int:
        operand = _first(node)
        if operand is not None and node.children and node.children[0].type == "*":
            twice = operand.type == "unary_expression" and operand.children[0].type == "*"
            if not twice:
                return self.expr(operand)
            return self.b.expr(Op.DEREF, self.expr(operand), "**" if _is_reference(_first(operand)) else "*")
        sign = node.children[0].type if node.children else ""
        return self.b.expr(Op.BINARY, "-x" if sign == "-" else sign, self.expr(operand), NONE)

    def expr_type_cast_expression(self, node: ts.Node) -> int:
        value, type_ = node.child_by_field_name("value"), node.child_by_field_name("type")
        return self.b.expr(Op.CAST, self.expr(type_), self.expr(value))

    def expr_binary_expression(self, node: ts.Node) -> int:
        left, right, sign = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        if sign is not None and sign.type in _COMPARISONS:
            return self.b.expr(Op.LITERAL, "bool")
        return self.b.expr(Op.BINARY, sign.type if sign is not None else "", self.expr(left), self.expr(right))

    def expr_range_expression(self, node: ts.Node) -> int:
        inner = _first(node)
        return self.b.expr(Op.LITERAL, "iter", self.expr(inner) if inner is not None else NONE)

    def expr_closure_expression(self, node: ts.Node) -> int:
        body, result = node.child_by_field_name("body"), node.child_by_field_name("return_type")
        value = self.expr(body)
        if result is not None:
            value = self.b.expr(Op.CAST, self.expr(result), value)
        return self.b.expr(Op.LAMBDA, self._scope(node.start_byte), value)

    def expr_block(self, node: ts.Node) -> int:
        last = next((c for c in reversed(node.named_children) if not c.type.endswith("comment")), None)
        if last is None or last.type in ("let_declaration", "empty_statement") or last.type.endswith("_item"):
            return self.b.expr(Op.LITERAL, "tuple[]")
        if last.type == "expression_statement":
            if last.children and last.children[-1].type == ";":
                return self.b.expr(Op.LITERAL, "tuple[]")
            return self.expr(_first(last))
        return self.expr(last)

    def expr_expression_statement(self, node: ts.Node) -> int:
        return self.expr(_first(node))

    def expr_if_expression(self, node: ts.Node) -> int:
        parts = [node.child_by_field_name(f) for f in ("consequence", "alternative")]
        return self.b.expr(Op.UNION, *(self.expr(p) for p in parts if p is not None and not _leaves(p)))

    def expr_match_expression(self, node: ts.Node) -> int:
        body = node.child_by_field_name("body")
        arms = [c for c in body.named_children if c.type == "match_arm"] if body is not None else []
        values = [v for a in arms[:16] if (v := a.child_by_field_name("value")) is not None and not _leaves(v)]
        return self.b.expr(Op.UNION, *(self.expr(v) for v in values))

    def expr_loop_expression(self, node: ts.Node) -> int:
        """What its `break`s hand out; those of loops and closures inside are not its own."""
        values: list[int] = []
        todo = [node.child_by_field_name("body")]
        while todo and len(values) < 8:
            current = todo.pop()
            if current is not None and current.type == "break_expression":
                inner = next((c for c in reversed(current.named_children) if c.type != "label"), None)
                values += [self.expr(inner)] if inner is not None else []
            elif current is not None and current.type not in _OWN_BREAKS:
                todo.extend(reversed(current.named_children))
        return self.b.expr(Op.UNION, *values)

    def expr_array_expression(self, node: ts.Node, kind: str = "slice") -> int:
        parts = [c for c in node.named_children if not c.type.endswith("comment")][:4]
        return self.b.expr(Op.LITERAL, kind, *(self.expr(p) for p in parts))

    def expr_tuple_expression(self, node: ts.Node) -> int:
        parts = [c for c in node.named_children if not c.type.endswith("comment")]
        return self.b.expr(Op.LITERAL, "tuple", *(self.expr(p) for p in parts))

    def expr_integer_literal(self, node: ts.Node) -> int:
        return self._number(node, "i32")

    def expr_float_literal(self, node: ts.Node) -> int:
        return self._number(node, "f64")

    def _number(self, node: ts.Node, usual: str) -> int:
        suffix = _SUFFIX.search(self.b.text, node.start_byte, node.end_byte)
        return self.b.expr(Op.LITERAL, suffix[0].decode() if suffix is not None else usual)

    def expr_string_literal(self, node: ts.Node) -> int:
        if self.b.text[node.start_byte : node.start_byte + 1] == b"b":
            return self.b.expr(Op.LITERAL, "slice", self.b.expr(Op.LITERAL, "u8"))
        return self.b.expr(Op.LITERAL, "str")

    def expr_char_literal(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "u8" if self.b.text[node.start_byte : node.start_byte + 1] == b"b" else "char")

    def expr_boolean_literal(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "bool")

    def expr_macro_invocation(self, node: ts.Node) -> int:
        b = self.b
        name = self._macro_name(node)
        if name in _TEXTS:
            return b.expr(Op.LITERAL, "String")
        if name in _TRUTHS:
            return b.expr(Op.LITERAL, "bool")
        if name in ("write", "writeln"):
            return b.expr(Op.LITERAL, "Result")
        tokens = node.named_children[-1] if node.named_children else None
        roots = self._embedded.get(tokens.start_byte, []) if tokens is not None else []
        if name in ("vec", "smallvec"):
            inner = _content(roots[0]) if roots else None
            if inner is not None and inner.type == "array_expression":
                return self.expr_array_expression(inner, "Vec")
            return b.expr(Op.LITERAL, "Vec", *(self.expr(_content(r)) for r in roots[:1]))
        if name in ("dbg", "black_box") and roots:
            return self.expr(_content(roots[0]))
        call = b.expr(Op.CALL, b.expr(Op.NAME, name + "!", self._scope(node.start_byte), NONE))
        return b.expr(Op.EXPANDED, call, self.expr(_content(roots[0]))) if len(roots) == 1 else call


_OWN_BREAKS = frozenset("loop_expression while_expression for_expression closure_expression function_item".split())
_NAMED = frozenset("struct_item enum_item union_item trait_item type_item associated_type type_parameter".split())


def _joined(prefix: str, path: str) -> str:
    return f"{prefix}::{path}" if prefix else path


def _parts(node: ts.Node) -> list[ts.Node]:
    """The parts of a pattern or parameter list by place: `_` is one too."""
    return [c for c in node.children if c.type not in ("(", ")", ",", "|") and not c.type.endswith("comment")]


def _result_type(node: ts.Node) -> ts.Node | None:
    """What the function around a `return` is declared to return; None in a closure."""
    around = node.parent
    while around is not None and around.type not in ("function_item", "closure_expression", "async_block"):
        around = around.parent
    return around.child_by_field_name("return_type") if around is not None and around.type == "function_item" else None


def _first_last(block: ts.Node) -> ts.Node | None:
    return next((c for c in reversed(block.named_children) if not c.type.endswith("comment")), None)


def _content(root: ts.Node) -> ts.Node | None:
    """The expression that the arguments of a macro were parsed to."""
    node: ts.Node | None = _first(root)
    while node is not None and node.type in ("expression_statement", "block") and len(node.named_children) == 1:
        node = _first(node)
    return node


def _traits_made(text: str) -> set[str]:
    """The traits that the body of a macro has impls of, for types that are told by whoever calls it or for tuples."""
    found: set[str] = set()
    for match in _FOR.finditer(text):
        head = text[: match.start()]
        while head.endswith(">"):  # its arguments
            depth, place = 0, len(head)
            while place and (depth or place == len(head)):
                place -= 1
                depth += {">": 1, "<": -1}.get(head[place], 0)
            head = head[:place].rstrip()
        name = _LAST_NAME.search(head)
        if name is not None and head[name.start() - 1 : name.start()] != "$":
            found.add(name[0])
    return found


def _holds(root: ts.Node, node: ts.Node) -> bool:
    return root.start_byte <= node.start_byte < root.end_byte


def _name_of(node: ts.Node) -> ts.Node | None:
    return node.child_by_field_name("name")


def _is_reference(node: ts.Node | None) -> bool:
    """Is it `self` or a parameter that the function around takes by reference?"""
    if node is None or node.type not in ("self", "identifier"):
        return False
    around = node.parent
    while around is not None and around.type != "function_item":
        around = around.parent
    params = around.child_by_field_name("parameters") if around is not None else None
    for param in params.named_children if params is not None else ():
        if param.type == "self_parameter" and node.type == "self":
            return param.children[0].type == "&"
        pattern, type_ = param.child_by_field_name("pattern"), param.child_by_field_name("type")
        if pattern is not None and type_ is not None and pattern.text == node.text:
            return type_.type == "reference_type"
    return False


def _first(node: ts.Node) -> ts.Node | None:
    return next((c for c in node.named_children if not c.type.endswith("comment")), None)


def _leaves(node: ts.Node) -> bool:
    """Does a branch end by leaving, so that it yields nothing?"""
    if node.type in ("return_expression", "break_expression", "continue_expression"):
        return True
    if node.type == "macro_invocation":
        first = node.children[0] if node.children else None
        return first is not None and first.text in (b"panic", b"unreachable", b"todo", b"unimplemented", b"bail")
    if node.type in ("block", "expression_statement", "else_clause"):
        last = next((c for c in reversed(node.named_children) if not c.type.endswith("comment")), None)
        return last is not None and _leaves(last)
    return False


RULES = RustRules
