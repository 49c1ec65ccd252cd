"""Go: what its tree means.

Types are static, so a variable's binding never changes: locals hold strictly in the block that declares them,
from the end of their declaration on.  Package-level names are bound in the file's module scope; the graph joins
the files of a package.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import NONE, Flag, Import, Op, Param, TypeParam, Use
from nav_ls.syntax.rules.base import Rules

_GENERATED = re.compile(rb"^// Code generated .* DO NOT EDIT\.\r?$", re.M)
_CONSTRAINT = re.compile(rb"^//go:build (.*?)\r?$|^// ?\+build (.*?)\r?$", re.M)
_TEST_NAME = re.compile(r"(Test|Benchmark|Fuzz|Example)(?![a-z])")
_SYSTEMS = frozenset(
    "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos "
    "386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm".split()
)
_BLOCKS = frozenset(
    "block if_statement for_statement expression_switch_statement type_switch_statement select_statement "
    "communication_case expression_case type_case default_case func_literal function_declaration "
    "method_declaration source_file".split()
)
_PREDECLARED = frozenset(
    "bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 "
    "uint32 uint64 uintptr any comparable nil".split()
)
_COMPARISONS = frozenset("== != < <= > >= && ||".split())
_MAX_ARGUMENTS = 16
_MAX_NESTED = 8  # literals in literals
_ELEMENTS = {
    "slice_type": "element",
    "array_type": "element",
    "implicit_length_array_type": "element",
    "map_type": "value",
}
"""Types of containers → the field of their node that tells what they hold."""


class GoRules(Rules):
    """Handlers for the captures of `queries/go/facts.scm`."""

    like: ClassVar[Mapping[str, str]] = {
        "type_identifier": "identifier",
        "package_identifier": "identifier",
        "func_literal": "function_type",
        "parenthesized_type": "parenthesized_expression",
        "variadic_argument": "parenthesized_expression",
        "negated_type": "parenthesized_expression",
        "expression_statement": "parenthesized_expression",
        "type_constraint": "type_elem",
        "array_type": "slice_type",
        "implicit_length_array_type": "slice_type",
        "iota": "int_literal",
        "raw_string_literal": "interpreted_string_literal",
        "false": "true",
    }

    def begin(self, root: ts.Node) -> None:
        b = self.b
        self._locals: dict[str, int] = {}
        self._packages: set[str] = set()  # names that imports are likely to have
        self._methods: list[tuple[Draft, str]] = []
        self._types: dict[str, Draft] = {}
        clause = next((c for c in root.named_children if c.type == "package_clause"), None)
        head = b.text[: clause.start_byte if clause is not None else min(len(b.text), 4096)]
        b.generated = _GENERATED.search(head) is not None
        if clause is not None:
            b.doc = self._doc(clause)
        self._constraints(head)

    def _constraints(self, head: bytes) -> None:
        """Which builds the file belongs to: kept where it is not all of them."""
        b = self.b
        match = _CONSTRAINT.search(head)
        tags = (match[1] or match[2]).decode("utf-8", "replace") if match else ""
        stem = self.path.rpartition("/")[2].removesuffix(".go").removesuffix("_test")
        parts = [p for p in stem.split("_")[1:][-2:] if p in _SYSTEMS]
        if tags or parts:
            b.extra["constraint"] = " ".join([tags, *parts]).strip()
        if tags in ("ignore", "none", "tools"):
            b.extra["ignored"] = "1"

    def end(self, root: ts.Node) -> None:
        for draft, name in self._methods:
            owner = self._types.get(name)
            if owner is not None:
                draft.parent = owner.index
        for owner in self._types.values():
            owner.body_start = owner.end

    def on_package(self, node: ts.Node) -> None:
        self.b.package = self.b.of(node)

    def on_import(self, node: ts.Node) -> None:
        b = self.b
        path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
        if path is None:
            return
        module = b.of(path).strip('"`')
        kind = {"dot": "dot", "blank_identifier": "blank"}.get(name.type, "") if name is not None else ""
        alias = b.of(name) if name is not None and not kind else ""
        imported = "*" if kind == "dot" else ""
        b.imports.append(Import(module, imported, alias, 0, node.start_byte, node.end_byte, kind))
        self._packages.add(alias or module.rpartition("/")[2])
        if alias and name is not None:
            b.bind(alias, "import", 0, node.start_byte, value=len(b.imports) - 1, name_node=name)

    # --- functions

    def on_function(self, node: ts.Node) -> None:
        b = self.b
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return
        doc_start = self._doc_start(node)
        name = b.of(name_node)
        draft = b.define(name, "function", node, name_node, start=doc_start, container="")
        if name not in ("init", "_"):
            b.bind(name, "def", 0, name_node.start_byte, value=draft.index, name_node=name_node)
        if b.flags & Flag.TEST and (_TEST_NAME.match(name) or name == "TestMain"):
            draft.flags |= Flag.TEST
        self._callable(draft, node)

    def on_method(self, node: ts.Node) -> None:
        b = self.b
        name_node, receiver = node.child_by_field_name("name"), node.child_by_field_name("receiver")
        if name_node is None or receiver is None:
            return
        declared = next((c for c in receiver.named_children if c.type == "parameter_declaration"), None)
        type_node = declared.child_by_field_name("type") if declared is not None else None
        owner = self._base_name(type_node)
        draft = b.define(b.of(name_node), "method", node, name_node, start=self._doc_start(node), container=owner)
        self._methods.append((draft, owner))
        self._callable(draft, node, declared, type_node)

    def _base_name(self, node: ts.Node | None) -> str:
        """`*S[T]` → "S"."""
        while node is not None and node.type not in ("type_identifier", "identifier"):
            if node.type == "generic_type":
                node = node.child_by_field_name("type")
            else:
                node = node.named_children[-1] if node.named_children else None
        return self.b.of(node) if node is not None else ""

    def _callable(
        self, draft: Draft, node: ts.Node, receiver: ts.Node | None = None, receiver_type: ts.Node | None = None
    ) -> None:
        b = self.b
        self._common(draft, node)
        body = node.child_by_field_name("body")
        outer = b.open_scope("block", node.start_byte, node.end_byte, draft.index)
        self._type_params(draft, node, outer)
        self._receiver_params(receiver_type, outer)
        begin = body.start_byte if body is not None else node.end_byte
        draft.signature = fold(b.slice(node.start_byte, begin))
        draft.receiver = self.expr(receiver_type)
        params, results = node.child_by_field_name("parameters"), node.child_by_field_name("result")
        if receiver is not None and receiver_type is not None:
            name = receiver.child_by_field_name("name")
            draft.params.append(Param(b.of(name) if name is not None else "", draft.receiver, kind="self"))
        listed = self._parameters(params)
        for text, type_, variadic, _ in listed:
            draft.params.append(Param(text, type_, kind="*" if variadic else ""))
        draft.returns = self._results(results)
        if body is None:
            draft.flags |= Flag.DECLARATION
            draft.body_start = node.end_byte
            return
        scope = b.open_body(draft, body.start_byte, node.end_byte)
        if receiver is not None:
            self._param(receiver.child_by_field_name("name"), scope, draft.receiver)
        self._bind_parameters(listed, results, scope)

    def _common(self, draft: Draft, node: ts.Node) -> None:
        draft.doc = self._doc(node)
        draft.visibility = "public" if draft.name[:1].isupper() else "internal"

    def _parameters(self, node: ts.Node | None) -> list[tuple[str, int, bool, ts.Node | None]]:
        """(name, type, variadic?, name node) of each parameter; of a variadic one the type of one argument."""
        found: list[tuple[str, int, bool, ts.Node | None]] = []
        for child in node.named_children if node is not None else ():
            if child.type not in ("parameter_declaration", "variadic_parameter_declaration"):
                continue
            type_ = self.expr(child.child_by_field_name("type"))
            variadic = child.type == "variadic_parameter_declaration"
            names: list[ts.Node | None] = [*child.children_by_field_name("name")]
            for name in names or [None]:
                found.append((self.b.of(name) if name is not None else "", type_, variadic, name))
        return found

    def _bind_parameters(
        self, listed: list[tuple[str, int, bool, ts.Node | None]], results: ts.Node | None, scope: int
    ) -> None:
        for _, type_, variadic, name in listed:
            self._param(name, scope, self.b.expr(Op.LITERAL, "slice[]", type_) if variadic else type_)
        if results is not None and results.type == "parameter_list":
            for _, type_, _, name in self._parameters(results):
                self._param(name, scope, type_)

    def _param(self, name: ts.Node | None, scope: int, type_: int) -> None:
        if name is None:
            return
        b = self.b
        start, end = b.scopes[scope].start, b.scopes[scope].end
        b.bind(b.of(name), "local", scope, start, type_=type_, name_node=name)
        self._local(b.of(name), end)

    def _results(self, node: ts.Node | None) -> int:
        if node is None:
            return self.b.expr(Op.LITERAL, "tuple[]")
        if node.type != "parameter_list":
            return self.expr(node)
        types = [type_ for _, type_, _, _ in self._parameters(node)]
        return types[0] if len(types) == 1 else self.b.expr(Op.LITERAL, "tuple[]", *types)

    def _type_params(self, draft: Draft, node: ts.Node, scope: int) -> None:
        b = self.b
        params = node.child_by_field_name("type_parameters")
        for child in params.named_children if params is not None else ():
            names = child.children_by_field_name("name")
            for name in names:
                b.bind(b.of(name), "typeparam", scope, 0, name_node=name)
                self._local(b.of(name), node.end_byte)
            bound = self.expr(child.child_by_field_name("type"))
            draft.type_params += [TypeParam(b.of(name), bound) for name in names]

    def _receiver_params(self, node: ts.Node | None, scope: int) -> None:
        """`func (s *S[T]) ..` names the type's parameters anew."""
        while node is not None and node.type in ("pointer_type", "parenthesized_type"):
            node = node.named_children[-1] if node.named_children else None
        arguments = node.child_by_field_name("type_arguments") if node is not None else None
        for element in arguments.named_children if arguments is not None else ():
            for name in element.named_children[:1] if element.type == "type_elem" else [element]:
                if name.type == "type_identifier":
                    self.b.bind(self.b.of(name), "typeparam", scope, 0, name_node=name)

    def on_func_literal(self, node: ts.Node) -> None:
        body, results = node.child_by_field_name("body"), node.child_by_field_name("result")
        listed = self._parameters(node.child_by_field_name("parameters"))
        scope = self.b.open_scope("function", node.start_byte, node.end_byte)
        if body is not None:
            self._bind_parameters(listed, results, scope)

    # --- types

    def on_type_spec(self, node: ts.Node) -> None:
        b = self.b
        name_node, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name_node is None or type_ is None:
            return
        kind = {"struct_type": "struct", "interface_type": "interface"}.get(type_.type, "newtype")
        draft = self._type_symbol(node, name_node, kind, type_)
        outer = b.open_scope("block", node.start_byte, node.end_byte, draft.index)
        self._type_params(draft, node, outer)
        draft.scope = outer
        if kind == "newtype":
            draft.returns = self.expr(type_)
        else:
            b.open_body(draft, type_.start_byte, node.end_byte, "class")
            if kind == "struct":
                self._fields(draft, type_)
            else:
                self._embedded_interfaces(draft, type_)

    def on_type_alias(self, node: ts.Node) -> None:
        b = self.b
        name_node, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name_node is None or type_ is None:
            return
        draft = self._symbol(node, name_node, "type")
        draft.doc = self._doc(self._statement(node))
        scope = self._scope(node.start_byte)
        outer = b.open_scope("block", node.start_byte, node.end_byte, draft.index)
        self._type_params(draft, node, outer)
        self._bind_value(name_node, node, self.expr(type_), NONE, scope)

    def _type_symbol(self, node: ts.Node, name_node: ts.Node, kind: str, type_: ts.Node) -> Draft:
        b = self.b
        draft = self._symbol(node, name_node, kind)
        draft.doc = self._doc(self._statement(node))
        text = fold(b.slice(node.start_byte, type_.start_byte if kind != "newtype" else node.end_byte))
        keyword = {"struct": " struct", "interface": " interface"}.get(kind, "")
        draft.signature = f"type {text}{keyword}"
        scope = self._scope(node.start_byte)
        b.bind(draft.name, "def", scope, name_node.start_byte, value=draft.index, name_node=name_node)
        if scope == 0:
            self._types[draft.name] = draft
        else:
            self._local(draft.name, b.scopes[scope].end)
        return draft

    def _symbol(self, node: ts.Node, name_node: ts.Node, kind: str) -> Draft:
        b = self.b
        statement = self._statement(node)
        draft = b.define(b.of(name_node), kind, node, name_node, start=self._doc_start(statement))
        draft.visibility = "public" if draft.name[:1].isupper() else "internal"
        return draft

    def _statement(self, node: ts.Node) -> ts.Node:
        """The declaration around a spec where the spec is all of it (its doc comment stands above the keyword)."""
        parent = node.parent
        if parent is not None and parent.type in ("type_declaration", "var_declaration", "const_declaration"):
            specs = [c for c in parent.named_children if c.type != "comment"]
            if len(specs) == 1 and not any(c.type == "(" for c in parent.children):
                return parent
        return node

    def _fields(self, draft: Draft, type_: ts.Node) -> None:
        b = self.b
        for field in self._field_nodes(type_):
            declared = field.child_by_field_name("type")
            type_expr = self.expr(declared)
            names = field.children_by_field_name("name")
            for name in names:
                self._field(draft, field, b.of(name), name, type_expr)
            if not names and declared is not None:
                draft.bases.append(type_expr)
                draft.base_kinds.append("embeds")
                last = self._last_name(declared)
                if last is not None:
                    self._field(draft, field, b.of(last), last, type_expr)

    def _field(self, draft: Draft, node: ts.Node, name: str, name_node: ts.Node, type_: int) -> None:
        b = self.b
        b.bind(name, "field", draft.scope, node.start_byte, type_=type_, name_node=name_node)
        field = b.define(name, "field", node, name_node, parent=draft)
        field.signature = fold(b.of(node))
        field.visibility = "public" if name[:1].isupper() else "internal"
        field.doc = self._doc(node)

    def _field_nodes(self, type_: ts.Node) -> list[ts.Node]:
        body = next((c for c in type_.named_children if c.type == "field_declaration_list"), None)
        return [c for c in body.named_children if c.type == "field_declaration"] if body is not None else []

    def _last_name(self, node: ts.Node) -> ts.Node | None:
        """The node that names a type: `*pkg.T[int]` → T."""
        if node.type == "generic_type":
            inner = node.child_by_field_name("type")
            return self._last_name(inner) if inner is not None else None
        if node.type == "qualified_type":
            return node.child_by_field_name("name")
        if node.type in ("pointer_type", "parenthesized_type", "type_elem"):
            return self._last_name(node.named_children[-1]) if node.named_children else None
        return node if node.type == "type_identifier" else None

    def _embedded_interfaces(self, draft: Draft, type_: ts.Node) -> None:
        for child in type_.named_children:
            if child.type == "type_elem" and len(child.named_children) == 1:
                inner = child.named_children[0]
                if inner.type in ("type_identifier", "qualified_type", "generic_type"):
                    draft.bases.append(self.expr(inner))
                    draft.base_kinds.append("embeds")

    def on_method_elem(self, node: ts.Node) -> None:
        """A method of an interface; those of anonymous interfaces are no definitions."""
        b = self.b
        name_node = node.child_by_field_name("name")
        owner = b.draft_at(node.start_byte)
        parent = node.parent.parent if node.parent is not None else None
        if name_node is None or owner is None or owner.kind != "interface" or parent is None:
            return
        if parent.type != "type_spec":
            return
        draft = b.define(b.of(name_node), "method", node, name_node, start=self._doc_start(node))
        draft.flags |= Flag.ABSTRACT
        self._common(draft, node)
        for name, type_, variadic, _ in self._parameters(node.child_by_field_name("parameters")):
            draft.params.append(Param(name, type_, kind="*" if variadic else ""))
        draft.returns = self._results(node.child_by_field_name("result"))
        draft.signature = fold(b.of(node))
        draft.body_start = node.end_byte

    # --- variables

    def on_var(self, node: ts.Node) -> None:
        self._spec(node, "variable", self.expr(node.child_by_field_name("type")), node.child_by_field_name("value"))

    def on_consts(self, node: ts.Node) -> None:
        type_, value = NONE, None
        for spec in node.named_children:
            if spec.type != "const_spec":
                continue
            given = spec.child_by_field_name("value")
            if given is not None:  # a spec without a value repeats the one above it
                type_, value = self.expr(spec.child_by_field_name("type")), given
            self._spec(spec, "constant", type_, value)

    def _spec(self, node: ts.Node, kind: str, type_: int, value: ts.Node | None) -> None:
        b = self.b
        names = node.children_by_field_name("name")
        names = [n for n in names if n.type == "identifier"]
        values = self._values(value, len(names)) if type_ == NONE else []
        for place, name in enumerate(names):
            assigned = values[place] if place < len(values) else NONE
            self._bind_value(name, node, assigned, type_)
            if self._scope(node.start_byte) == 0:
                draft = self._symbol(node, name, kind)
                draft.doc = self._doc(self._statement(node))
                draft.signature = fold(f"{'const' if kind == 'constant' else 'var'} {b.of(node)}", 200)

    def _bind_value(self, name: ts.Node, node: ts.Node, value: int, type_: int, scope: int | None = None) -> None:
        b = self.b
        text = b.of(name)
        if text == "_":
            return
        if scope is None:
            scope = self._scope(node.start_byte)
        if scope == 0:
            b.bind(text, "local", 0, name.start_byte, value=value, type_=type_, name_node=name)
            return
        region = (node.end_byte, self._block_end(node))
        b.bind(text, "block", scope, node.end_byte, region=region, value=value, type_=type_, name_node=name)
        self._local(text, region[1])

    def _values(self, node: ts.Node | None, count: int) -> list[int]:
        """The expression for each of `count` names on the left."""
        if node is None:
            return []
        parts = [c for c in node.named_children if c.type != "comment"] if node.type == "expression_list" else [node]
        if len(parts) == count:
            return [self.expr(p) for p in parts]
        if len(parts) != 1:
            return []
        value, b = self.expr(parts[0]), self.b
        inner = parts[0]
        while inner.type == "parenthesized_expression" and inner.named_children:
            inner = inner.named_children[0]
        if inner.type in ("index_expression", "type_assertion_expression", "unary_expression"):  # comma, ok
            return [value, b.expr(Op.LITERAL, "bool")][:count]
        return [b.expr(Op.ITEM, value, place) for place in range(count)]

    def on_short_var(self, node: ts.Node) -> None:
        self._declare(node, node.child_by_field_name("left"), node.child_by_field_name("right"))

    def on_receive(self, node: ts.Node) -> None:
        left = node.child_by_field_name("left")
        if left is not None and any(c.type == ":=" for c in node.children):
            self._declare(node, left, node.child_by_field_name("right"))

    def _declare(self, node: ts.Node, left: ts.Node | None, right: ts.Node | None) -> None:
        names = left.named_children if left is not None else []
        values = self._values(right, len(names))
        for place, name in enumerate(names):
            if name.type == "identifier":
                self._bind_value(name, node, values[place] if place < len(values) else NONE, NONE)

    def on_range(self, node: ts.Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or not any(c.type == ":=" for c in node.children):
            return
        pairs = self.b.expr(Op.ELEMENT, self.expr(right))
        for place, name in enumerate(left.named_children):
            if name.type == "identifier":
                self._bind_value(name, node, self.b.expr(Op.ITEM, pairs, place), NONE)

    def on_type_switch(self, node: ts.Node) -> None:
        b = self.b
        alias, value = node.child_by_field_name("alias"), node.child_by_field_name("value")
        names = [c for c in alias.named_children if c.type == "identifier"] if alias is not None else []
        if not names:
            return
        name, subject = names[0], self.expr(value)
        for case in node.named_children:
            if case.type not in ("type_case", "default_case"):
                continue
            types = case.children_by_field_name("type")
            single = types[0] if len(types) == 1 and b.of(types[0]) != "nil" else None
            region = (case.start_byte, case.end_byte)
            scope = self._scope(case.start_byte)
            type_ = self.expr(single)
            b.bind(
                b.of(name),
                "block",
                scope,
                case.start_byte,
                region=region,
                value=NONE if single is not None else subject,
                type_=type_,
                name_node=name,
            )
        self._local(b.of(name), node.end_byte)

    # --- sites

    def on_call(self, node: ts.Node) -> None:
        function = node.child_by_field_name("function")
        if function is not None:
            self._call_site(node, function)

    def on_generic_call(self, node: ts.Node) -> None:
        """`pkg.F[T](x)` with one argument reads like a conversion."""
        type_ = node.child_by_field_name("type")
        inner = type_.child_by_field_name("type") if type_ is not None else None
        if inner is not None:
            self._call_site(node, inner)

    def _call_site(self, node: ts.Node, function: ts.Node) -> None:
        b = self.b
        name: ts.Node | None = function
        while name is not None and name.type in ("parenthesized_expression", "index_expression"):
            name = name.named_children[0] if name.named_children else None
        if name is not None and name.type == "selector_expression":
            self._owner(name)
            name = name.child_by_field_name("field")
        elif name is not None and name.type == "qualified_type":
            name = name.child_by_field_name("name")
        call = self.expr(node)
        callee = b.exprs[call][1] if b.exprs[call][0] == Op.CALL else self.expr(function)
        if name is None or name.type not in ("identifier", "field_identifier", "type_identifier"):
            start, end, text = function.start_byte, function.end_byte, ""
        else:
            start, end, text = name.start_byte, name.end_byte, b.of(name)
        b.site(Use.CALL, text, callee, start, end, node.start_byte, call=call)

    def on_instantiation(self, node: ts.Node) -> None:
        """`F[A, B]` that is not called."""
        inner = node.child_by_field_name("type")
        name = self._last_name(inner) if inner is not None else None
        if inner is not None and name is not None:
            self.b.site(Use.VALUE, self.b.of(name), self.expr(inner), name.start_byte, name.end_byte, inner.start_byte)

    def on_value(self, node: ts.Node) -> None:
        """A variable or a member that is read; what a bare key of a literal means is for the literal's type to say."""
        parent = node.parent
        key = parent is not None and node.type == "identifier" and parent.type == "literal_element" and _is_key(parent)
        if parent is not None and not key and not _is_callee(parent):
            self._named(Use.VALUE, node)

    def on_written(self, node: ts.Node) -> None:
        self._named(Use.WRITE, node)

    def _named(self, use: str, node: ts.Node) -> None:
        b, name = self.b, node
        if node.type == "selector_expression":
            self._owner(node)
            name = node.child_by_field_name("field") or node
        elif self._is_local(b.of(node), node.start_byte):
            return
        b.site(use, b.of(name), self.expr(node), name.start_byte, name.end_byte, node.start_byte)

    def _owner(self, node: ts.Node) -> None:
        """What stands before a dot: most often a local or a package, which have no site."""
        owner = node.child_by_field_name("operand")
        if owner is not None and owner.type == "identifier" and self.b.of(owner) not in self._packages:
            self._named(Use.VALUE, owner)

    def on_composite(self, node: ts.Node) -> None:
        """`T{field: value}`; lists in lists leave their types out."""
        type_, body = node.child_by_field_name("type"), node.child_by_field_name("body")
        if type_ is not None and body is not None and b":" in self.b.text[body.start_byte : body.end_byte]:
            self._filled(body, type_, self.expr(type_), 0)

    def _filled(self, body: ts.Node, type_: ts.Node | None, owner: int, depth: int) -> None:
        """What the keys of a literal name, and those of the literals in it that have no type of their own.

        `type_`: the type as it is written, None where only its expression `owner` is known.
        """
        b = self.b
        inner = (
            type_.child_by_field_name(_ELEMENTS[type_.type]) if type_ is not None and type_.type in _ELEMENTS else None
        )
        while inner is not None and inner.type == "pointer_type" and inner.named_children:
            inner = inner.named_children[0]
        for element in body.named_children:
            key, value = element, element
            if element.type == "keyed_element":
                key, value = (element.child_by_field_name(f) or element for f in ("key", "value"))
            name = key.named_children[0] if key.named_children else key
            if key != value and name.type == "identifier" and inner is not None:
                self._named(Use.VALUE, name)
            elif key != value and name.type == "identifier":
                field = b.expr(Op.ATTR, owner, b.of(name))
                b.site(Use.WRITE, b.of(name), field, name.start_byte, name.end_byte, name.start_byte)
            given = value.named_children[0] if value.named_children else value
            if given.type == "literal_value" and depth < _MAX_NESTED:
                held = self.expr(inner) if inner is not None else b.expr(Op.ELEMENT, b.expr(Op.NEW, owner))
                self._filled(given, inner, held, depth + 1)

    def on_type(self, node: ts.Node) -> None:
        b = self.b
        name = b.of(node)
        parent = node.parent
        if parent is None or name in _PREDECLARED:
            return
        if parent.type in ("type_spec", "type_alias") and parent.child_by_field_name("name") == node:
            return
        whole = parent if parent.type == "qualified_type" else node
        b.site(Use.TYPE, name, self.expr(whole), node.start_byte, node.end_byte, whole.start_byte)

    # --- expressions

    def expr_identifier(self, node: ts.Node) -> int:
        return self.b.expr(Op.NAME, self.b.of(node), self._scope(node.start_byte), node.start_byte)

    def expr_selector_expression(self, node: ts.Node) -> int:
        return self._member(node.child_by_field_name("operand"), node.child_by_field_name("field"))

    def expr_qualified_type(self, node: ts.Node) -> int:
        return self._member(node.child_by_field_name("package"), node.child_by_field_name("name"))

    def _member(self, owner: ts.Node | None, name: ts.Node | None) -> int:
        return self.b.expr(Op.ATTR, self.expr(owner), self.b.of(name) if name is not None else "")

    def expr_call_expression(self, node: ts.Node) -> int:
        callee = self.expr(node.child_by_field_name("function"))
        types = node.child_by_field_name("type_arguments")
        if types is not None:
            callee = self.b.expr(Op.INDEX, callee, *(self.expr(c) for c in types.named_children))
        arguments = node.child_by_field_name("arguments")
        given = [c for c in arguments.named_children if c.type != "comment"] if arguments is not None else []
        return self.b.expr(Op.CALL, callee, *(self.expr(c) for c in given[:_MAX_ARGUMENTS]))

    def expr_type_conversion_expression(self, node: ts.Node) -> int:
        type_, operand = node.child_by_field_name("type"), node.child_by_field_name("operand")
        if type_ is not None and type_.type == "generic_type":
            return self.b.expr(Op.CALL, self.expr(type_), self.expr(operand))
        return self.b.expr(Op.CAST, self.expr(type_), self.expr(operand))

    def expr_type_assertion_expression(self, node: ts.Node) -> int:
        type_, operand = node.child_by_field_name("type"), node.child_by_field_name("operand")
        return self.b.expr(Op.CAST, self.expr(type_), self.expr(operand))

    def expr_composite_literal(self, node: ts.Node) -> int:
        return self.b.expr(Op.NEW, self.expr(node.child_by_field_name("type")))

    def expr_function_type(self, node: ts.Node) -> int:
        results = node.child_by_field_name("result")
        result = self._results(results) if results is not None else NONE
        params = [
            self.b.expr(Op.LITERAL, "slice[]", type_) if variadic else type_
            for _, type_, variadic, _ in self._parameters(node.child_by_field_name("parameters"))
        ]
        return self.b.expr(Op.FUNCTION, result, *params)

    def expr_index_expression(self, node: ts.Node) -> int:
        operand, index = node.child_by_field_name("operand"), node.child_by_field_name("index")
        return self.b.expr(Op.INDEX, self.expr(operand), self.expr(index))

    def expr_type_instantiation_expression(self, node: ts.Node) -> int:
        parts = node.named_children
        return self.b.expr(Op.INDEX, *(self.expr(p) for p in parts))

    def expr_generic_type(self, node: ts.Node) -> int:
        arguments = node.child_by_field_name("type_arguments")
        keys = arguments.named_children if arguments is not None else []
        return self.b.expr(Op.INDEX, self.expr(node.child_by_field_name("type")), *(self.expr(k) for k in keys))

    def expr_slice_expression(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("operand"))

    def expr_parenthesized_expression(self, node: ts.Node) -> int:
        inner = next((c for c in node.named_children if c.type != "comment"), None)
        return self.expr(inner) if inner is not None else self.b.expr(Op.TEXT, "")

    def expr_unary_expression(self, node: ts.Node) -> int:
        sign = node.children[0].type if node.children else ""
        if sign == "!":
            return self.b.expr(Op.LITERAL, "bool")
        operand = self.expr(node.child_by_field_name("operand"))
        return self.b.expr(Op.AWAIT, operand) if sign == "<-" else operand

    def expr_binary_expression(self, node: ts.Node) -> int:
        left, right, sign = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        if sign is not None and sign.type in _COMPARISONS:
            return self.b.expr(Op.LITERAL, "bool")
        return self.b.expr(Op.UNION, self.expr(left), self.expr(right))

    def expr_type_elem(self, node: ts.Node) -> int:
        parts = [c for c in node.named_children if c.type != "comment"]
        if len(parts) == 1:
            return self.expr(parts[0])
        return self.b.expr(Op.UNION, *(self.expr(p) for p in parts))

    def expr_pointer_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.POINTER, self.expr(node.named_children[-1]) if node.named_children else NONE)

    def expr_slice_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "slice[]", self.expr(node.child_by_field_name("element")))

    def expr_map_type(self, node: ts.Node) -> int:
        parts = (self.expr(node.child_by_field_name(f)) for f in ("key", "value"))
        return self.b.expr(Op.LITERAL, "map[]", *parts)

    def expr_channel_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "chan[]", self.expr(node.child_by_field_name("value")))

    def expr_interface_type(self, node: ts.Node) -> int:
        """An anonymous interface: its methods are no definitions; what it embeds still has members."""
        embedded = [c for c in node.named_children if c.type == "type_elem"]
        if embedded and not any(c.type == "method_elem" for c in node.named_children):
            return self.b.expr(Op.UNION, *(self.expr(c) for c in embedded))
        return self.b.expr(Op.LITERAL, "interface")

    def expr_struct_type(self, node: ts.Node) -> int:
        """An anonymous struct: a container that knows its fields by name."""
        names: list[str] = []
        types: list[int] = []
        for field in self._field_nodes(node):
            declared = field.child_by_field_name("type")
            listed = [self.b.of(n) for n in field.children_by_field_name("name")]
            last = self._last_name(declared) if declared is not None and not listed else None
            for name in listed or [self.b.of(last) if last is not None else "_"]:
                names.append(name)
                types.append(self.expr(declared))
        return self.b.expr(Op.LITERAL, f"struct {','.join(names)}[]", *types)

    def expr_int_literal(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "int")

    def expr_float_literal(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "float64")

    def expr_rune_literal(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "rune")

    def expr_interpreted_string_literal(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "string")

    def expr_true(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "bool")

    def expr_nil(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "nil")

    # --- small things

    def _scope(self, position: int) -> int:
        """The scope in which a name is looked up: the fields of a struct are not in scope inside of it."""
        index = self.b.scope_at(position)
        while self.b.scopes[index].kind == "class":
            index = self.b.scopes[index].parent
        return index

    def _local(self, name: str, end: int) -> None:
        self._locals[name] = max(self._locals.get(name, 0), end)

    def _is_local(self, name: str, position: int) -> bool:
        return name in ("nil", "true", "false", "iota", "_") or self._locals.get(name, 0) > position

    def _block_end(self, node: ts.Node) -> int:
        """Where the block that a statement stands in ends."""
        current = node.parent
        while current is not None and current.type not in _BLOCKS:
            current = current.parent
        return current.end_byte if current is not None else len(self.b.text)

    def _comments(self, node: ts.Node) -> list[ts.Node]:
        """The comment lines directly above a declaration."""
        found: list[ts.Node] = []
        line = node.start_point.row
        current = node.prev_sibling
        while current is not None and current.type == "comment" and current.end_point.row == line - 1:
            before = current.prev_sibling
            if before is not None and before.type != "comment" and before.end_point.row == current.start_point.row:
                break  # it stands behind something else
            found.append(current)
            line = current.start_point.row
            current = before
        return found[::-1]

    def _doc_start(self, node: ts.Node) -> int:
        comments = self._comments(node)
        return comments[0].start_byte if comments else node.start_byte

    def _doc(self, node: ts.Node) -> str:
        lines: list[str] = []
        for comment in self._comments(node):
            text = self.b.of(comment)
            if text.startswith("/*"):
                lines += [part.strip().lstrip("*").strip() for part in text[2:-2].splitlines()]
            elif not text.startswith(("//go:", "//nolint", "//export")):
                lines.append(text[2:].strip())
        return "\n".join(lines).strip()


def _is_key(element: ts.Node) -> bool:
    around = element.parent
    return around is not None and around.type == "keyed_element" and around.child_by_field_name("key") == element


def _is_callee(node: ts.Node) -> bool:
    """`f[int]`, `(f)` in front of arguments: what is called has a site of its own."""
    around = node.parent if node.type in ("index_expression", "parenthesized_expression") else None
    return around is not None and around.type == "call_expression"  # its arguments lie in a list of their own


RULES = GoRules
