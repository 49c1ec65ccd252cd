"""C#: what its tree means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, Flag, Import, Op, Param, TypeParam, Use
from nav_ls.syntax.rules.typed import CONSTRUCTORS, MAX_ARGUMENTS, TYPE_MARK, TypedRules

_TYPE_DEFS = {
    "class_declaration": "class",
    "struct_declaration": "struct",
    "interface_declaration": "interface",
    "record_declaration": "record",
    "enum_declaration": "enum",
}
_TYPES = frozenset({"class", "struct", "interface", "record", "enum"})
_TEST_ATTRIBUTES = frozenset({"Fact", "Theory", "Test", "TestCase", "TestMethod", "DataTestMethod", "Benchmark"})
_BOOLEAN_OPERATORS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_BUILT_IN_OPERANDS = frozenset(
    {"integer_literal", "real_literal", "string_literal", "boolean_literal", "null_literal", "character_literal",
     "verbatim_string_literal", "interpolated_string_expression", "raw_string_literal"}
)  # fmt: skip
INDEXER = "this[]"
INDEXED = "[]"


class CSharpRules(TypedRules):
    """Handlers for the captures of `queries/csharp/facts.scm`."""

    like: ClassVar[Mapping[str, str]] = {
        "predefined_type": "generic_name",
        "qualified_name": "generic_name",
        "this_expression": "this",
        "base_expression": "base",
        "checked_expression": "parenthesized_expression",
        "ref_expression": "parenthesized_expression",
        "with_expression": "parenthesized_expression",
        "is_expression": "is_pattern_expression",
        "anonymous_method_expression": "lambda_expression",
        "verbatim_string_literal": "string_literal",
        "interpolated_string_expression": "string_literal",
        "raw_string_literal": "string_literal",
    }

    regions: ClassVar[frozenset[str]] = frozenset(
        {"block", "switch_section", "switch_expression_arm", "lambda_expression", "arrow_expression_clause",
     "declaration_list", "compilation_unit", "accessor_list"}
    )  # fmt: skip
    own_results: ClassVar[frozenset[str]] = frozenset(
        {"lambda_expression", "anonymous_method_expression", "local_function_statement"}
    )
    untyped = "implicit_type"

    def prepare(self, text: bytes) -> bytes:
        text = without_directives(text) if b"#" in text else text
        return _EXTENSION_BLOCK.sub(rb"\1class  E_", text) if b"extension" in text else text

    def begin(self, root: ts.Node) -> None:
        self._waiting: dict[int, list[tuple[int, int]]] = {}  # argument list being read → (expression, place)
        self._extended: list[tuple[int, Param]] = []  # blocks of extension members: where each ends, its receiver

    # --- namespaces and usings

    def on_namespace(self, node: ts.Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            self._namespace(node, name, body.start_byte, body.end_byte)

    def on_file_namespace(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            self._namespace(node, name, node.end_byte, len(self.b.text) + 1)

    def _namespace(self, node: ts.Node, name: ts.Node, start: int, end: int) -> None:
        b = self.b
        text = "".join(b.of(name).split())
        draft = b.define(text, "namespace", node, name, container=self.container(node.start_byte))
        draft.signature = "namespace " + text
        b.open_body(draft, start, end, "namespace")
        if not b.package:
            b.package = draft.qual

    def on_using(self, node: ts.Node) -> None:
        b = self.b
        alias = node.child_by_field_name("name")
        target = next((c for c in reversed(node.named_children) if alias is None or c.id != alias.id), None)
        if target is None:
            return
        words = {c.type for c in node.children}
        text = "".join(b.of(target).split()).removeprefix("global::")
        if "global" in words:
            kept = b.extra.get("global_usings", "")
            mark = "static:" if "static" in words else f"{b.of(alias)}=" if alias is not None else ""
            b.extra["global_usings"] = f"{kept} {mark}{text}".strip()
        if alias is not None:
            expr = self.type_expr(target)
            b.bind(b.of(alias), "local", 0, node.start_byte, type_=expr, name_node=alias)
            b.imports.append(Import(text, "", b.of(alias), 0, node.start_byte, node.end_byte, "alias"))
            return
        kind = "static" if "static" in words else ""
        b.imports.append(Import(text, "*", "", b.scope_at(node.start_byte), node.start_byte, node.end_byte, kind))

    # --- types

    def on_type_def(self, node: ts.Node) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return
        b = self.b
        if b.text.startswith(b"extension", node.start_byte):
            self._extension_block(node)
            return
        kind = _TYPE_DEFS[node.type]
        if kind == "record" and any(c.type == "struct" for c in node.children):
            kind = "struct"
        draft = self._define(node, name_node, kind)
        start = body.start_byte if body is not None else node.end_byte
        draft.signature = fold(b.slice(self._header_start(node), start)).rstrip(";").rstrip()
        header = b.open_scope("block", node.start_byte, node.end_byte, draft.index)
        self._type_params(draft, node, header)
        self._bases(draft, node)
        primary = next((c for c in node.named_children if c.type == "parameter_list"), None)
        scope = b.open_body(draft, start, node.end_byte, "class")
        if primary is not None:
            self._primary(draft, node, primary, scope)

    def _extension_block(self, node: ts.Node) -> None:
        """`extension<T>(Receiver r) { .. }`, read as a class with a primary constructor: its members are the outer one's."""
        b = self.b
        around = b.draft_at(node.start_byte)
        scope = b.open_scope("block", node.start_byte, node.end_byte, around.index if around is not None else NONE)
        listed = next((c for c in node.named_children if c.type == "type_parameter_list"), None)
        for child in listed.named_children if listed is not None else ():
            name = child.child_by_field_name("name")
            if name is not None:
                b.bind(b.of(name), "typeparam", scope, 0, name_node=name)
        primary = next((c for c in node.named_children if c.type == "parameter_list"), None)
        for name, type_, _, _ in self._parameter_nodes(primary)[:1]:
            receiver = Param(b.of(name), self.type_expr(type_))
            region = (node.start_byte, node.end_byte)
            b.bind(receiver.name, "block", scope, node.start_byte, region=region, type_=receiver.type, name_node=name)
            self._extended.append((node.end_byte, receiver))

    def _primary(self, draft: Draft, node: ts.Node, parameters: ts.Node, scope: int) -> None:
        b = self.b
        for name, type_, star, default in self._parameter_nodes(parameters):
            type_expr = self.type_expr(type_)
            draft.params.append(Param(b.of(name), type_expr, default, star))
            declared = b.expr(Op.LITERAL, "[][]", type_expr) if star == "*" else type_expr
            if node.type == "record_declaration":
                field = b.define(b.of(name), "field", name, name, container=draft.qual, parent=draft)
                field.returns = declared
            else:
                b.bind(
                    b.of(name), "block", scope, node.start_byte, region=(node.start_byte, node.end_byte),
                    type_=declared, name_node=name,
                )  # fmt: skip

    def _define(self, node: ts.Node, name_node: ts.Node, kind: str, name: str = "") -> Draft:
        b = self.b
        doc, start = self.doc_before(node, "///")
        draft = b.define(
            name or b.of(name_node), kind, node, name_node, start=start, container=self.container(node.start_byte)
        )
        draft.doc = doc.replace("<summary>", "").replace("</summary>", "").strip()
        self._modifiers(draft, node)
        return draft

    def _header_start(self, node: ts.Node) -> int:
        for child in node.children:
            if child.type != "attribute_list" and child.type not in self.comment_types:
                return child.start_byte
        return node.start_byte

    def _modifiers(self, draft: Draft, node: ts.Node) -> None:
        around = self.b.draft_at(node.start_byte)
        kind = around.kind if around is not None else ""
        draft.visibility = "public" if kind in ("interface", "enum") else "private" if kind in _TYPES else "internal"
        for child in node.children:
            if child.type == "modifier":
                text = self.b.of(child)
                if text in ("public", "private", "protected", "internal"):
                    draft.visibility = text
                draft.flags |= _MODIFIER_FLAGS.get(text, 0)
            elif child.type == "attribute_list":
                for attribute in child.named_children:
                    name = attribute.child_by_field_name("name")
                    if name is not None and self.b.of(name).rpartition(".")[2] in _TEST_ATTRIBUTES:
                        draft.flags |= Flag.TEST

    def _type_params(self, draft: Draft, node: ts.Node, scope: int) -> None:
        b = self.b
        listed = next((c for c in node.named_children if c.type == "type_parameter_list"), None)
        bounds: dict[str, int] = {}
        for clause in node.named_children:
            if clause.type == "type_parameter_constraints_clause" and clause.named_children:
                for constraint in clause.named_children[1:]:
                    type_ = constraint.child_by_field_name("type")
                    name = b.of(clause.named_children[0])
                    if type_ is not None and name not in bounds:
                        bounds[name] = self.type_expr(type_)
        for child in listed.named_children if listed is not None else ():
            name_node = child.child_by_field_name("name")
            if name_node is not None:
                name = b.of(name_node)
                draft.type_params.append(TypeParam(name, bounds.get(name, NONE)))
                b.bind(name, "typeparam", scope, 0, name_node=name_node)

    def _bases(self, draft: Draft, node: ts.Node) -> None:
        listed = next((c for c in node.named_children if c.type == "base_list"), None)
        if draft.kind == "enum":
            return
        for child in listed.named_children if listed is not None else ():
            if child.type == "argument_list" or child.type in self.comment_types:
                continue
            type_ = child.child_by_field_name("type") if child.type == "primary_constructor_base_type" else child
            text = self.b.of(type_).rpartition(".")[2] if type_ is not None else ""
            interface = draft.kind == "struct" or (text[:1] == "I" and text[1:2].isupper())
            draft.bases.append(self.type_expr(type_))
            draft.base_kinds.append("implements" if interface and draft.kind != "interface" else "inherits")

    def on_base_call(self, node: ts.Node) -> None:
        arguments = next((c for c in node.named_children if c.type == "argument_list"), None)
        type_ = node.child_by_field_name("type")
        if arguments is not None and type_ is not None:
            self._base_arguments(type_, arguments, node)

    def on_base_arguments(self, node: ts.Node) -> None:
        type_ = node.prev_named_sibling
        if type_ is not None:
            self._base_arguments(type_, node, type_)

    def _base_arguments(self, type_: ts.Node, arguments: ts.Node, node: ts.Node) -> None:
        b = self.b
        owner = next((d for d in reversed(b.symbols) if d.kind in _TYPES and d.start <= node.start_byte < d.end), None)
        target = self.type_expr(type_)
        call = b.expr(Op.NEW, target, *self._arguments(arguments))
        name = _simple_name(type_)
        b.site(
            Use.CALL, b.of(name), b.expr(Op.ATTR, target, CONSTRUCTORS), name.start_byte, name.end_byte,
            node.start_byte, call=call, caller=owner.index if owner is not None else NONE,
        )  # fmt: skip

    def on_enum_member(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        enum = self.b.draft_at(node.start_byte)
        if name is not None and enum is not None:
            draft = self._define(node, name, "enum_member")
            draft.flags |= Flag.STATIC | Flag.FINAL
            draft.returns = self.b.expr(Op.SYMBOL, enum.index)

    def on_delegate(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        b = self.b
        draft = self._define(node, name, "interface")
        draft.signature = fold(b.slice(self._header_start(node), node.end_byte)).rstrip(";")
        header = b.open_scope("block", node.start_byte, node.end_byte, draft.index)
        self._type_params(draft, node, header)
        draft.returns = self.type_expr(node.child_by_field_name("type") or node.child_by_field_name("returns"))
        for param, type_, star, default in self._parameter_nodes(node.child_by_field_name("parameters")):
            draft.params.append(Param(b.of(param), self.type_expr(type_), default, star))

    # --- callables

    def on_callable(self, node: ts.Node) -> None:
        b = self.b
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        kind, name = "method", ""
        if node.type == "operator_declaration":
            sign = node.child_by_field_name("operator")
            name = "operator" + (b.of(sign) if sign is not None else "")
            name_node = sign
        elif node.type == "conversion_operator_declaration":
            name_node = node.child_by_field_name("type")
            name = "operator " + (b.of(name_node) if name_node is not None else "")
        elif node.type == "destructor_declaration":
            name = "~" + (b.of(name_node) if name_node is not None else "")
        elif node.type == "constructor_declaration":
            kind = "constructor"
        elif node.type == "local_function_statement":
            kind = "function"
        if name_node is None:
            return
        around = b.draft_at(node.start_byte)
        draft = self._define(node, name_node, kind, name)
        start = body.start_byte if body is not None else node.end_byte
        draft.signature = fold(b.slice(self._header_start(node), start)).rstrip(";").rstrip()
        if kind == "constructor":
            draft.flags |= Flag.CONSTRUCTOR
        if body is None and around is not None and around.kind == "interface":
            draft.flags |= Flag.ABSTRACT
        if body is None and draft.flags & Flag.PARTIAL:
            draft.flags |= Flag.DECLARATION
        if kind == "function":
            scope = b.scope_at(node.start_byte)
            block = node.parent
            if block is not None and block.type == "global_statement":
                block = block.parent
            region = (block.start_byte, block.end_byte) if block is not None else None
            b.bind(draft.name, "def", scope, node.start_byte, region=region, value=draft.index, name_node=name_node)
        draft.receiver = self._explicit(node)
        initializer = next((c for c in node.named_children if c.type == "constructor_initializer"), None)
        scope = self.open_callable(draft, node, initializer or body)
        self._type_params(draft, node, scope)
        if kind != "constructor":
            draft.returns = self.type_expr(node.child_by_field_name("returns") or node.child_by_field_name("type"))
        self._receive(draft, node)
        self._parameters(draft, node.child_by_field_name("parameters"), scope)

    def _receive(self, draft: Draft, node: ts.Node) -> None:
        """A method in a block of extension members takes the block's receiver first."""
        while self._extended and self._extended[-1][0] <= node.start_byte:
            self._extended.pop()
        if self._extended and draft.kind == "method" and not draft.flags & Flag.STATIC:
            draft.params.append(self._extended[-1][1])
            draft.flags |= Flag.EXTENSION

    def _explicit(self, node: ts.Node) -> int:
        """The interface of an explicit implementation."""
        explicit = next((c for c in node.named_children if c.type == "explicit_interface_specifier"), None)
        return self.type_expr(explicit.named_children[0]) if explicit is not None and explicit.named_children else NONE

    def _parameters(self, draft: Draft, parameters: ts.Node | None, scope: int) -> None:
        b = self.b
        for name, type_, star, default in self._parameter_nodes(parameters):
            if star == "this":
                draft.flags |= Flag.EXTENSION
                star = ""
            expr = self.type_expr(type_)
            draft.params.append(Param(b.of(name), expr, default, star))
            declared = b.expr(Op.LITERAL, "[][]", expr) if star == "*" else expr
            b.bind(b.of(name), "param", scope, b.scopes[scope].start, type_=declared, name_node=name)

    def _parameter_nodes(self, parameters: ts.Node | None) -> list[tuple[ts.Node, ts.Node | None, str, int]]:
        """(name, type, "*" | "this" | "", default) of each parameter."""
        out: list[tuple[ts.Node, ts.Node | None, str, int]] = []
        if parameters is None:
            return out
        if parameters.type == "implicit_parameter":
            return [(parameters, None, "", NONE)]
        for child in parameters.named_children:
            if child.type == "parameter":
                name, type_ = child.child_by_field_name("name"), child.child_by_field_name("type")
                words = {self.b.of(c) for c in child.children if c.type == "modifier"}
                after = child.named_children[-1] if child.named_children else None
                default = NONE
                if after is not None and name is not None and after.start_byte > name.start_byte:
                    default = self.expr(after)
                if name is not None:
                    out.append((name, type_, "this" if "this" in words else "*" if "params" in words else "", default))
        star = parameters.child_by_field_name("name")
        if star is not None:
            type_ = parameters.child_by_field_name("type")
            if type_ is not None and type_.type == "array_type":
                type_ = type_.child_by_field_name("type")
            out.append((star, type_, "*", NONE))
        return out

    def on_property(self, node: ts.Node) -> None:
        b = self.b
        name_node = node.child_by_field_name("name")
        name = ""
        if node.type == "indexer_declaration":
            name_node = next((c for c in node.children if c.type == "this"), None)
            name = INDEXER
        if name_node is None:
            return
        draft = self._define(node, name_node, "property", name)
        body = node.child_by_field_name("accessors")
        value = node.child_by_field_name("value")
        if body is None and value is not None and value.type == "arrow_expression_clause":
            body = value
        start = body.start_byte if body is not None else node.end_byte
        end = body.end_byte if body is not None else node.end_byte
        draft.signature = fold(b.slice(self._header_start(node), start)).rstrip(";").rstrip()
        draft.receiver = self._explicit(node)
        draft.returns = self.type_expr(node.child_by_field_name("type"))
        around = b.draft_at(node.start_byte)
        written = any(c.named_children or c.child_by_field_name("body") for c in body.named_children) if body else False
        if around is not None and around.kind == "interface" and not written:
            draft.flags |= Flag.ABSTRACT
        scope = b.open_body(draft, start, end, scope_start=node.start_byte)
        self._parameters(draft, node.child_by_field_name("parameters"), scope)
        if body is not None and body.type == "accessor_list":
            b.bind("value", "param", scope, b.scopes[scope].start, type_=draft.returns)

    # --- fields and locals

    def on_field(self, node: ts.Node) -> None:
        declaration = next((c for c in node.named_children if c.type == "variable_declaration"), None)
        if declaration is None:
            return
        type_ = self.type_expr(declaration.child_by_field_name("type"))
        for child in declaration.named_children:
            name = child.child_by_field_name("name") if child.type == "variable_declarator" else None
            if name is None:
                continue
            draft = self._define(node, name, "field")
            if any(c.type == "modifier" and self.b.of(c) == "const" for c in node.children):
                draft.kind = "constant"
                draft.flags |= Flag.STATIC
            draft.returns = type_
            draft.signature = fold(self.b.slice(self._header_start(node), name.end_byte))

    def on_local(self, node: ts.Node) -> None:
        declaration = next((c for c in node.named_children if c.type == "variable_declaration"), None)
        if declaration is None:
            return
        block: ts.Node | None = node
        if node.type == "local_declaration_statement":
            block = node.parent
            while block is not None and block.type.startswith(("preproc", "global_statement")):
                block = block.parent
        end = block.end_byte if block is not None else node.end_byte
        type_ = self.type_expr(declaration.child_by_field_name("type"))
        for child in declaration.named_children:
            if child.type != "variable_declarator":
                continue
            name = child.child_by_field_name("name")
            parts = self.real(child.named_children)
            value = self.expr(parts[-1]) if len(parts) > 1 else NONE
            if name is not None:
                self._local(name, value, type_, (child.start_byte, end))
            elif parts and parts[0].type == "tuple_pattern":
                self._destructure(parts[0], value, (child.start_byte, end))

    def _local(self, name: ts.Node, value: int, type_: int, region: tuple[int, int]) -> None:
        self.bind_local(name, value, type_, region)

    def _destructure(self, pattern: ts.Node, value: int, region: tuple[int, int]) -> None:
        for place, part in enumerate(self.real(pattern.named_children)):
            if part.type == "identifier":
                self._local(part, self.b.expr(Op.ITEM, value, place), NONE, region)
            elif part.type == "tuple_pattern":
                self._destructure(part, self.b.expr(Op.ITEM, value, place), region)

    def on_for_each(self, node: ts.Node) -> None:
        left = node.child_by_field_name("left")
        element = self.b.expr(Op.ELEMENT, self.expr(node.child_by_field_name("right")))
        if any(c.type == "await" for c in node.children):
            element = self.b.expr(Op.ELEMENT, self.expr(node.child_by_field_name("right")))
        region = (node.start_byte, node.end_byte)
        if left is not None and left.type == "identifier":
            self._local(left, element, self.type_expr(node.child_by_field_name("type")), region)
        elif left is not None:
            self._destructure(left, element, region)

    def on_catch(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        type_ = self.type_expr(node.child_by_field_name("type"))
        if name is not None and node.parent is not None:
            self._local(name, NONE, type_, (node.start_byte, node.parent.end_byte))

    def on_pattern(self, node: ts.Node) -> None:
        type_ = self.type_expr(node.child_by_field_name("type"))
        name = node.child_by_field_name("name")
        if name is not None and name.type == "identifier":
            value = self._subject(node) if type_ == NONE else NONE
            self._local(name, value, type_, (node.start_byte, self.region_end(node)))

    def _subject(self, node: ts.Node) -> int:
        """What a pattern is matched against."""
        parent = node.parent
        if parent is None:
            return NONE
        if parent.type == "is_pattern_expression":
            return self.expr(parent.child_by_field_name("expression"))
        if parent.type == "switch_expression_arm" and parent.parent is not None:
            return self.expr(self.first(parent.parent))
        if parent.type == "switch_section" and parent.parent is not None and parent.parent.parent is not None:
            return self.expr(parent.parent.parent.child_by_field_name("value"))
        if parent.type == "subpattern" and parent.parent is not None and parent.parent.parent is not None:
            return self._part(parent, parent.parent, parent.parent.parent)
        if parent.type == "list_pattern":
            return self.b.expr(Op.ELEMENT, self._subject(parent))
        return self._subject(parent) if parent.type in _COMBINED_PATTERNS else NONE

    def _part(self, part: ts.Node, clause: ts.Node, pattern: ts.Node) -> int:
        """What `(a, b)` and `{ Name: a }` take out of the subject, seen as the pattern's type."""
        b = self.b
        owner = self._subject(pattern)
        type_ = self.type_expr(pattern.child_by_field_name("type"))
        if type_ != NONE:
            owner = b.expr(Op.NARROWED, owner, "instance", type_)
        if clause.type == "positional_pattern_clause":
            return b.expr(Op.ITEM, owner, self.real(clause.named_children).index(part))
        field = self.first(part)
        return self._member_of(owner, field) if field is not None else NONE

    def _member_of(self, owner: int, field: ts.Node) -> int:
        """`Name` and `Outer.Name` in a property pattern."""
        outer, name = field.child_by_field_name("expression"), field.child_by_field_name("name")
        if outer is not None and name is not None:
            owner, field = self._member_of(owner, outer), name
        return self.b.expr(Op.ATTR, owner, self.b.of(field))

    def on_matched(self, node: ts.Node) -> None:
        """`{ Name: ... }` and `{ Outer.Name: ... }` read what they name."""
        part = node.parent
        clause = part.parent if part is not None else None
        if part is None or clause is None or clause.parent is None:
            return
        expr, field = self._part(part, clause, clause.parent), node
        while field.type == "member_access_expression":
            outer, name = field.child_by_field_name("expression"), field.child_by_field_name("name")
            if outer is None or name is None:
                return
            self.site(Use.READ, name, expr, node)
            expr, field = self.b.exprs[expr][1], outer
        self.site(Use.READ, field, expr, node)

    def on_declaration(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        if name is None or name.type != "identifier":
            return
        type_ = self.type_expr(node.child_by_field_name("type"))
        value = self.expected(node) if type_ == NONE else NONE
        self._local(name, value, type_, (node.start_byte, self.region_end(node)))

    def on_range(self, node: ts.Node) -> None:
        """`from x in xs`, `let x = y`, `join x in xs`."""
        parts = self.real(node.named_children)
        name = node.child_by_field_name("name") or next((c for c in parts if c.type == "identifier"), None)
        sources = [c for c in parts if name is not None and c.id != name.id and c.start_byte > name.start_byte]
        query = node.parent
        if name is None or not sources or query is None:
            return
        value = self.expr(sources[0])
        if node.type != "let_clause":
            value = self.b.expr(Op.ELEMENT, value)
        type_ = self.type_expr(node.child_by_field_name("type"))
        self._local(name, value, type_, (node.start_byte, query.end_byte))

    def on_lambda(self, node: ts.Node) -> None:
        for place, (name, type_, _, _) in enumerate(self._parameter_nodes(node.child_by_field_name("parameters"))):
            declared = self.type_expr(type_)
            value = self.handed(node, place) if declared == NONE else NONE
            self.bind_local(name, value, declared, (node.start_byte, node.end_byte), node)

    def read_expected(self, node: ts.Node) -> int:
        """The type that is expected where a lambda, a method group or `new()` stands."""
        b = self.b
        parent = node.parent
        if parent is None:
            return NONE
        kind = parent.type
        if kind == "argument" and parent.parent is not None and parent.parent.parent is not None:
            return self._expected_argument(parent, parent.parent, parent.parent.parent)
        if kind == "variable_declarator" and parent.parent is not None:
            type_ = self.type_expr(parent.parent.child_by_field_name("type"))
            return b.expr(Op.CAST, type_, NONE) if type_ != NONE else NONE
        if kind in ("property_declaration", "cast_expression"):
            type_ = self.type_expr(parent.child_by_field_name("type"))
            return b.expr(Op.CAST, type_, NONE) if type_ != NONE else NONE
        if kind == "assignment_expression":
            left = parent.child_by_field_name("left")
            if left is not None and left.id != node.id:
                return self._initialised(left) if self._initialises(parent) else self.expr(left)
            return NONE
        if kind == "initializer_expression":
            return self._expected_element(parent, node)
        if kind == "expression_element" and parent.parent is not None and parent.parent.parent is not None:
            whole = self.expected(parent.parent.parent)
            return b.expr(Op.ELEMENT, whole) if whole != NONE else NONE
        if kind in ("parenthesized_expression", "conditional_expression"):
            return self.expected(parent)
        if kind in ("return_statement", "arrow_expression_clause"):
            return self._expected_result(parent)
        if kind == "lambda_expression":
            outer = self.expected(parent)
            return b.expr(Op.PARAMETER, outer, -1) if outer != NONE else NONE
        return NONE

    def _expected_element(self, listed: ts.Node, node: ts.Node) -> int:
        """What an initializer expects of an element: what an array holds, else what `Add` takes there."""
        b = self.b
        holder, place, count = listed.parent, 0, 1
        if holder is not None and holder.type == "initializer_expression":  # { key, value }
            elements = self.real(listed.named_children)
            place, count = next((i for i, c in enumerate(elements) if c.id == node.id), 0), len(elements)
            holder = holder.parent
        if holder is None:
            return NONE
        if holder.type == "array_creation_expression":
            return b.expr(Op.ELEMENT, self.expr(holder))
        if holder.type == "variable_declarator":
            whole = self.expected(listed)
            return b.expr(Op.ELEMENT, whole) if whole != NONE else NONE
        if holder.type not in ("object_creation_expression", "implicit_object_creation_expression"):
            return NONE
        add = b.expr(Op.CALL, b.expr(Op.ATTR, self.expr(holder), "Add()"), *[NONE] * count)
        return b.expr(Op.ARGUMENT, add, place)

    def _expected_argument(self, argument: ts.Node, listed: ts.Node, owner: ts.Node) -> int:
        b = self.b
        place = next((i for i, c in enumerate(self.real(listed.named_children)) if c.id == argument.id), -1)
        function = owner.child_by_field_name("function")
        if function is not None and function.type == "is_pattern_expression":
            return self._tested(function, place)
        if listed.id in self._waiting:  # the call is being read right now: it is told when it is known
            placeholder = b.expr(Op.TEXT, "")
            if argument.child_by_field_name("name") is None and place >= 0:
                self._waiting[listed.id].append((placeholder, place))
            return placeholder
        if owner.type == "implicit_object_creation_expression":
            target = self.expected(owner)
            call = self._new(owner, target) if target != NONE else NONE
        elif owner.type in ("invocation_expression", "object_creation_expression"):
            call = self.expr(owner)
        elif owner.type in ("constructor_initializer", "primary_constructor_base_type"):
            call = self._initializer_call(owner)
        else:
            return NONE
        name = argument.child_by_field_name("name")
        if call == NONE or place < 0 or b.exprs[call][0] not in (Op.CALL, Op.NEW):
            return NONE
        return b.expr(Op.ARGUMENT, call, place) if name is None else NONE

    def _tested(self, test: ts.Node, place: int) -> int:
        """`value is Type(a, b)`, which the grammar takes for a call of `value is Type`: the part at a place."""
        b = self.b
        pattern = test.child_by_field_name("pattern")
        type_ = self.type_expr(self.first(pattern)) if pattern is not None else NONE
        if type_ == NONE or place < 0:
            return NONE
        value = self.expr(test.child_by_field_name("expression"))
        return b.expr(Op.ITEM, b.expr(Op.NARROWED, value, "instance", type_), place)

    def _expected_result(self, node: ts.Node) -> int:
        current = node.parent if node.type == "return_statement" else node
        while current is not None and current.type != "declaration_list":
            if current.type in self.own_results and current.type != "local_function_statement":
                outer = self.expected(current)
                return self.b.expr(Op.PARAMETER, outer, -1) if outer != NONE else NONE
            if current.type in _RESULTS:
                draft = self.b.enclosing(node.start_byte, CALLABLE_KINDS)
                return self.b.expr(Op.CAST, draft.returns, NONE) if draft and draft.returns != NONE else NONE
            current = current.parent
        return NONE

    # --- sites

    def on_call(self, node: ts.Node) -> None:
        function = node.child_by_field_name("function")
        if function is None:
            return
        name = self._callee_name(function)
        if name is not None:
            if self.b.of(name) == "nameof":
                return
            self.site(Use.CALL, name, self.callee(node), node, call=self.expr(node))

    def _callee_name(self, function: ts.Node) -> ts.Node | None:
        name: ts.Node | None = function
        if function.type == "member_access_expression":
            name = function.child_by_field_name("name")
        elif function.type == "conditional_access_expression":
            binding = function.named_children[-1] if function.named_children else None
            name = binding.child_by_field_name("name") if binding is not None else None
        if name is not None and name.type == "generic_name":
            name = self.first(name)
        return name if name is not None and name.type == "identifier" else None

    def on_new(self, node: ts.Node) -> None:
        b = self.b
        type_ = node.child_by_field_name("type")
        if node.type == "implicit_object_creation_expression":
            target = self.expected(node)
            if target != NONE:
                word = node.children[0]
                self.site(Use.NEW, word, b.expr(Op.ATTR, target, CONSTRUCTORS), node, call=self._new(node, target))
        elif type_ is not None:
            target = self.type_expr(type_)
            name = _simple_name(type_)
            self.site(Use.NEW, name, b.expr(Op.ATTR, target, CONSTRUCTORS), node, call=self._new(node, target))

    def on_constructor_call(self, node: ts.Node) -> None:
        call = self._initializer_call(node)
        word = next((c for c in node.children if c.type in ("base", "this")), None)
        if word is not None and call != NONE:
            self.site(Use.CALL, word, self.b.exprs[call][1], node, call=call)

    def _initializer_call(self, node: ts.Node) -> int:
        known = self._callees.get(-node.id)
        if known is None:
            b = self.b
            scope = b.scope_at(node.start_byte)
            base = any(c.type == "base" for c in node.children)
            arguments = next((c for c in node.named_children if c.type == "argument_list"), None)
            target = b.expr(Op.ATTR, b.expr(Op.SUPER if base else Op.THIS, scope), CONSTRUCTORS)
            known = self._callees[-node.id] = self._call(Op.CALL, target, arguments)
        return known

    def on_member(self, node: ts.Node) -> None:
        parent = node.parent
        name = self._callee_name(node)
        if parent is None or name is None or _is_matched(node):
            return
        if parent.type == "invocation_expression" and parent.child_by_field_name("function") == node:
            return
        expr = self.expr(node)
        if expr == NONE or self.b.exprs[expr][0] != Op.ATTR:
            return
        if parent.type != "argument" or not self._is_named_only(parent):
            self._use(name, expr, node, parent)

    def _is_named_only(self, argument: ts.Node) -> bool:
        """`nameof(argument)` mentions a name and runs nothing."""
        call = argument.parent.parent if argument.parent is not None else None
        function = call.child_by_field_name("function") if call is not None else None
        return function is not None and function.type == "identifier" and self.b.of(function) == "nameof"

    def _use(self, name: ts.Node, expr: int, node: ts.Node, parent: ts.Node) -> None:
        if parent.type == "assignment_expression" and parent.child_by_field_name("left") == node:
            sign = parent.child_by_field_name("operator")
            if sign is not None and self.b.of(sign) != "=":
                self.site(Use.READ, name, expr, node)
            self.site(Use.WRITE, name, expr, node)
            return
        if parent.type in ("member_access_expression", "conditional_access_expression", "element_access_expression"):
            self.site(Use.READ, name, expr, node)
            return
        self.site(Use.VALUE, name, expr, node, call=self.expected(node))
        if parent.type == "postfix_unary_expression" and self.b.of(parent).endswith(("++", "--")):
            self.site(Use.WRITE, name, expr, node)

    def on_value(self, node: ts.Node) -> None:
        text = self.b.of(node)
        parent = node.parent
        if parent is None or (self.is_local(text, node.start_byte)):
            return
        if parent.type == "variable_declarator" and parent.child_by_field_name("name") == node:
            return
        if parent.type == "argument" and (parent.child_by_field_name("name") == node or self._is_named_only(parent)):
            return
        self.site(Use.VALUE, node, self.expr(node), node, call=self.expected(node))

    def on_read(self, node: ts.Node) -> None:
        text = self.b.of(node)
        if not self.is_local(text, node.start_byte) and not _is_matched(node):
            self.site(Use.READ, _simple_name(node), self.expr(node), node)

    def on_written(self, node: ts.Node) -> None:
        parent = node.parent
        text = self.b.of(node)
        if parent is not None and not self._initialises(parent) and not self.is_local(text, node.start_byte):
            self._use(node, self.expr(node), node, parent)

    def on_initialised(self, node: ts.Node) -> None:
        expr = self._initialised(node)
        if expr != NONE:
            self.site(Use.WRITE, node, expr, node)

    def _initialises(self, assignment: ts.Node) -> bool:
        parent = assignment.parent
        return parent is not None and parent.type == "initializer_expression"

    def _initialised(self, name: ts.Node) -> int:
        """The member that `Name = value` sets in an object initialiser or a `with`."""
        holder = name.parent
        while holder is not None and holder.type not in _MADE:
            if holder.type in ("block", "argument_list"):
                return NONE
            holder = holder.parent
        if holder is None:
            return NONE
        owner = self.expr(self.first(holder)) if holder.type == "with_expression" else self.expr(holder)
        if owner == NONE:
            return NONE
        if name.type == "element_binding_expression":
            keys = (self.expr(self.first(argument)) for argument in self.real(name.named_children))
            return self.b.expr(Op.INDEX, owner, *keys)
        return self.b.expr(Op.ATTR, owner, self.b.of(name))

    def on_element(self, node: ts.Node) -> None:
        subscript = node.child_by_field_name("subscript")
        parent = node.parent
        object_ = node.child_by_field_name("expression")
        if subscript is None or object_ is None or parent is None:
            return
        written = parent.type == "assignment_expression" and parent.child_by_field_name("left") == node
        expr = self.b.expr(Op.ATTR, self.expr(object_), INDEXER)
        arguments = self.b.expr(Op.CALL, NONE, *self._arguments(subscript))
        self.b.site(
            Use.WRITE if written else Use.READ, INDEXER, expr, subscript.start_byte, subscript.start_byte + 1,
            node.start_byte, call=arguments, caller=self.caller(node.start_byte),
        )  # fmt: skip

    def on_binary(self, node: ts.Node) -> None:
        left, right, sign = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        if left is None or right is None or sign is None or sign.type in ("&&", "||", "??"):
            return
        if left.type in _BUILT_IN_OPERANDS or right.type in _BUILT_IN_OPERANDS:
            return
        self._operator(sign, left, [left, right], node)

    def on_unary(self, node: ts.Node) -> None:
        sign = node.children[0]
        operand = self.first(node)
        if operand is not None and sign.type in ("-", "!", "~", "+", "++", "--"):
            self._operator(sign, operand, [operand], node)

    def _operator(self, sign: ts.Node, left: ts.Node, operands: list[ts.Node], node: ts.Node) -> None:
        b = self.b
        values = [self.expr(o) for o in operands]
        target = b.expr(Op.ATTR, self.expr(left), f"operator{sign.type}()")
        call = b.expr(Op.CALL, target, *values)
        b.site(
            Use.CALL, "", target, sign.start_byte, sign.end_byte, node.start_byte, call=call,
            caller=self.caller(node.start_byte),
        )  # fmt: skip

    def on_attribute(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            last = _simple_name(name)
            scope = self.b.scope_at(node.start_byte)
            text = TYPE_MARK + self.b.of(last)
            plain = self.b.expr(Op.NAME, text, scope, node.start_byte)
            suffixed = self.b.expr(Op.NAME, text + "Attribute", scope, node.start_byte)
            self.site(Use.DECORATOR, last, self.b.expr(Op.UNION, suffixed, plain), node)

    # --- types

    def read_type(self, node: ts.Node) -> int:
        b = self.b
        kind = node.type
        if kind == "identifier":
            expr = self.name_expr(TYPE_MARK + b.of(node), node)
            self.type_site(node, expr)
            return expr
        if kind == "generic_name":
            return self._generic(node, NONE)
        if kind == "qualified_name":
            return self._qualified(node)
        if kind == "alias_qualified_name":
            name = node.child_by_field_name("name")
            return self.type_expr(name)
        if kind == "predefined_type":
            return self.literal(_PREDEFINED.get(b.of(node), b.of(node)))
        if kind == "array_type":
            rank = node.child_by_field_name("rank")
            inner = self.type_expr(node.child_by_field_name("type"))
            for _ in range(b.of(rank).count("[") if rank is not None else 1):
                inner = b.expr(Op.LITERAL, "[][]", inner)
            return inner
        if kind == "tuple_type":
            names, types = [], []
            for place, element in enumerate(self.real(node.named_children), 1):
                name = element.child_by_field_name("name")
                names.append(b.of(name) if name is not None else f"Item{place}")
                types.append(self.type_expr(element.child_by_field_name("type")))
            return b.expr(Op.LITERAL, f"tuple:{','.join(names)}[]", *types)
        if kind in ("nullable_type", "ref_type", "scoped_type", "pointer_type"):
            return self.type_expr(node.child_by_field_name("type") or self.first(node))
        if kind == "member_access_expression":
            object_, name = node.child_by_field_name("expression"), node.child_by_field_name("name")
            if object_ is not None and name is not None:
                return b.expr(Op.ATTR, self.expr(object_), TYPE_MARK + b.of(_simple_name(name)))
        return b.expr(Op.TEXT, b.of(node))

    def _generic(self, node: ts.Node, owner: int) -> int:
        b = self.b
        name = self.first(node)
        listed = next((c for c in node.named_children if c.type == "type_argument_list"), None)
        if name is None or listed is None:
            return b.expr(Op.TEXT, "")
        arguments = [self.type_expr(c) for c in self.real(listed.named_children)]
        count = len(arguments) if arguments else b.of(listed).count(",") + 1
        text = f"{TYPE_MARK}{b.of(name)}`{count}"
        expr = self.name_expr(text, node) if owner == NONE else b.expr(Op.ATTR, owner, text)
        self.type_site(name, expr)
        return b.expr(Op.INDEX, expr, *arguments) if arguments else expr

    def _qualified(self, node: ts.Node) -> int:
        b = self.b
        qualifier, name = node.child_by_field_name("qualifier"), node.child_by_field_name("name")
        if qualifier is None or name is None:
            return b.expr(Op.TEXT, "")
        owner = self._qualifier(qualifier)
        if name.type == "generic_name":
            return self._generic(name, owner)
        expr = b.expr(Op.ATTR, owner, TYPE_MARK + b.of(name))
        self.type_site(name, expr)
        return expr

    def _qualifier(self, node: ts.Node) -> int:
        """A name in front of a dot in a type: a namespace or a type."""
        if node.type == "qualified_name":
            qualifier, name = node.child_by_field_name("qualifier"), node.child_by_field_name("name")
            if qualifier is not None and name is not None and name.type == "identifier":
                return self.b.expr(Op.ATTR, self._qualifier(qualifier), self.b.of(name))
            return self._qualified(node)
        if node.type == "alias_qualified_name":
            name = node.child_by_field_name("name")
            return self.name_expr(self.b.of(name), node) if name is not None else NONE
        return self.name_expr(self.b.of(node), node) if node.type == "identifier" else self.type_expr(node)

    # --- expressions

    def expr_identifier(self, node: ts.Node) -> int:
        return self.name_expr(self.b.of(node), node)

    def expr_generic_name(self, node: ts.Node) -> int:
        return self.type_expr(node)

    def expr_alias_qualified_name(self, node: ts.Node) -> int:
        name = node.child_by_field_name("name")
        return self.expr(name)

    def expr_this(self, node: ts.Node) -> int:
        return self.b.expr(Op.THIS, self.b.scope_at(node.start_byte))

    def expr_base(self, node: ts.Node) -> int:
        return self.b.expr(Op.SUPER, self.b.scope_at(node.start_byte))

    def expr_member_access_expression(self, node: ts.Node) -> int:
        return self._attribute(node, "")

    def expr_conditional_access_expression(self, node: ts.Node) -> int:
        parts = self.real(node.named_children)
        if len(parts) > 1 and parts[-1].type == "element_binding_expression":
            return self.b.expr(Op.INDEX, self.expr(parts[0]), *self._arguments(parts[-1]))
        if len(parts) > 1 and parts[-1].type != "member_binding_expression":
            return self.expr(parts[-1])
        return self._attribute(node, "")

    def _attribute(self, node: ts.Node, suffix: str) -> int:
        """`a.b`, `a?.b` as a member of `a`; with suffix "()" as the method that is called."""
        b = self.b
        if node.type == "conditional_access_expression":
            object_ = node.child_by_field_name("condition") or self.first(node)
            binding = node.named_children[-1]
            name = binding.child_by_field_name("name")
        else:
            object_, name = node.child_by_field_name("expression"), node.child_by_field_name("name")
        if object_ is None or name is None:
            return b.expr(Op.TEXT, "")
        owner = self.expr(object_)
        if name.type != "generic_name":
            return b.expr(Op.ATTR, owner, b.of(name) + suffix)
        if not suffix:
            return self._generic(name, owner)
        plain = self.first(name)
        expr = b.expr(Op.ATTR, owner, (b.of(plain) if plain is not None else "") + suffix)
        return self._applied(expr, name)

    def _applied(self, expr: int, name: ts.Node) -> int:
        listed = next((c for c in name.named_children if c.type == "type_argument_list"), None)
        arguments = [self.type_expr(c) for c in self.real(listed.named_children)] if listed is not None else []
        return self.b.expr(Op.INDEX, expr, *arguments) if arguments else expr

    def read_callee(self, node: ts.Node) -> int:
        function = node.child_by_field_name("function")
        if function is None:
            return self.b.expr(Op.TEXT, "")
        if function.type == "identifier":
            return self.name_expr(self.b.of(function) + "()", function)
        if function.type == "generic_name":
            plain = self.first(function)
            text = (self.b.of(plain) if plain is not None else "") + "()"
            return self._applied(self.name_expr(text, function), function)
        if function.type == "member_access_expression" or (
            function.type == "conditional_access_expression"
            and function.named_children
            and function.named_children[-1].type == "member_binding_expression"
        ):
            return self._attribute(function, "()")
        return self.expr(function)

    def _call(self, op: int, target: int, listed: ts.Node | None) -> int:
        """A call.  Arguments that are what it expects of them (`new()`) learn of it once it is known."""
        b = self.b
        if listed is None:
            return b.expr(op, target)
        waiting: list[tuple[int, int]] = []
        self._waiting[listed.id] = waiting
        call = b.expr(op, target, *self._arguments(listed))
        del self._waiting[listed.id]
        for placeholder, place in waiting:
            b.exprs[placeholder] = (Op.ARGUMENT, call, place)
        return call

    def _arguments(self, node: ts.Node | None) -> list[int]:
        b = self.b
        out: list[int] = []
        for argument in self.real(node.named_children)[:MAX_ARGUMENTS] if node is not None else ():
            if argument.type != "argument":
                continue
            name = argument.child_by_field_name("name")
            parts = self.real(argument.named_children)
            value = self.expr(parts[-1]) if parts else NONE
            out.append(b.expr(Op.KEYWORD, b.of(name), value) if name is not None and len(parts) > 1 else value)
        return out

    def expr_invocation_expression(self, node: ts.Node) -> int:
        function = node.child_by_field_name("function")
        if function is not None and function.type == "identifier" and self.b.of(function) == "nameof":
            return self.literal("string")
        return self._call(Op.CALL, self.callee(node), node.child_by_field_name("arguments"))

    def _new(self, node: ts.Node, target: int) -> int:
        known = self._callees.get(node.id)
        if known is None:
            arguments = next((c for c in node.named_children if c.type == "argument_list"), None)
            known = self._callees[node.id] = self._call(Op.NEW, target, arguments)
        return known

    def expr_object_creation_expression(self, node: ts.Node) -> int:
        return self._new(node, self.type_expr(node.child_by_field_name("type")))

    def expr_implicit_object_creation_expression(self, node: ts.Node) -> int:
        return self.expected(node)

    def expr_anonymous_object_creation_expression(self, node: ts.Node) -> int:
        """`new { a.Name, Other = b }`: like a tuple whose parts have these names."""
        names: list[str] = []
        values: list[int] = []
        for part in self.real(node.named_children):
            if part.next_sibling is not None and part.next_sibling.type == "=":
                names.append(self.b.of(part))
                continue
            if len(names) == len(values):
                last = self._callee_name(part)
                names.append(self.b.of(last) if last is not None else "")
            values.append(self.expr(part))
        return self.b.expr(Op.LITERAL, f"tuple:{','.join(names)}", *values)

    def expr_array_creation_expression(self, node: ts.Node) -> int:
        return self.b.expr(Op.CAST, self.type_expr(node.child_by_field_name("type")), NONE)

    def expr_implicit_array_creation_expression(self, node: ts.Node) -> int:
        values = next((c for c in node.named_children if c.type == "initializer_expression"), None)
        first = self.first(values) if values is not None else None
        return self.b.expr(Op.LITERAL, "[]#", self.expr(first)) if first is not None else self.literal("[]#")

    def expr_typeof_expression(self, node: ts.Node) -> int:
        self.type_expr(node.child_by_field_name("type"))
        return self.literal("typeof")

    def expr_default_expression(self, node: ts.Node) -> int:
        type_ = self.type_expr(node.child_by_field_name("type"))
        return self.b.expr(Op.CAST, type_, NONE) if type_ != NONE else self.literal("null")

    def expr_cast_expression(self, node: ts.Node) -> int:
        value = self.expr(node.child_by_field_name("value"))
        return self.b.expr(Op.CAST, self.type_expr(node.child_by_field_name("type")), value)

    def expr_as_expression(self, node: ts.Node) -> int:
        value = self.expr(node.child_by_field_name("left"))
        return self.b.expr(Op.CAST, self.type_expr(node.child_by_field_name("right")), value)

    def expr_parenthesized_expression(self, node: ts.Node) -> int:
        inner = self.first(node)
        return self.expr(inner) if inner is not None else self.b.expr(Op.TEXT, "")

    def expr_await_expression(self, node: ts.Node) -> int:
        inner = self.first(node)
        return self.b.expr(Op.AWAIT, self.expr(inner)) if inner is not None else self.b.expr(Op.TEXT, "")

    def expr_conditional_expression(self, node: ts.Node) -> int:
        parts = (node.child_by_field_name(f) for f in ("consequence", "alternative"))
        return self.b.expr(Op.UNION, *(self.expr(p) for p in parts if p is not None))

    def expr_switch_expression(self, node: ts.Node) -> int:
        results: list[int] = []
        for arm in node.named_children:
            if arm.type == "switch_expression_arm" and arm.named_children:
                last = arm.named_children[-1]
                if last.type != "throw_expression":
                    results.append(self.expr(last))
        return self.b.expr(Op.UNION, *results[:16])

    def expr_assignment_expression(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("left"))

    def expr_binary_expression(self, node: ts.Node) -> int:
        left, right, operator = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        sign = operator.type if operator is not None else ""
        if sign == "??":
            return self.b.expr(Op.UNION, self.expr(left), self.expr(right))
        if sign in _BOOLEAN_OPERATORS:
            return self.literal("bool")
        return self.b.expr(Op.BINARY, sign, self.expr(left), self.expr(right))

    def expr_prefix_unary_expression(self, node: ts.Node) -> int:
        inner = self.first(node)
        if node.children[0].type == "!":
            return self.literal("bool")
        return self.expr(inner)

    def expr_postfix_unary_expression(self, node: ts.Node) -> int:
        return self.expr(self.first(node))

    def expr_is_pattern_expression(self, node: ts.Node) -> int:
        return self.literal("bool")

    def expr_element_access_expression(self, node: ts.Node) -> int:
        arguments = self._arguments(node.child_by_field_name("subscript"))
        return self.b.expr(Op.INDEX, self.expr(node.child_by_field_name("expression")), *arguments)

    def expr_tuple_expression(self, node: ts.Node) -> int:
        names, values = [], []
        for place, argument in enumerate(self.real(node.named_children), 1):
            name = argument.child_by_field_name("name")
            parts = self.real(argument.named_children)
            names.append(self.b.of(name) if name is not None else f"Item{place}")
            values.append(self.expr(parts[-1]) if parts else NONE)
        return self.b.expr(Op.LITERAL, f"tuple:{','.join(names)}", *values)

    def expr_query_expression(self, node: ts.Node) -> int:
        last = next((c for c in reversed(node.named_children) if c.type in ("select_clause", "group_clause")), None)
        inner = self.first(last) if last is not None else None
        return self.b.expr(Op.LITERAL, "query#", self.expr(inner)) if inner is not None else self.literal("query#")

    def expr_lambda_expression(self, node: ts.Node) -> int:
        b = self.b
        body = node.child_by_field_name("body") or next((c for c in node.named_children if c.type == "block"), None)
        result = NONE
        if body is not None and body.type == "block":
            results = self.results(body, "return_statement")[:8]
            result = results[0] if len(results) == 1 else b.expr(Op.UNION, *results) if results else NONE
        elif body is not None:
            result = self.expr(body)
        if result != NONE and any(b.of(c) == "async" for c in node.children[:2]):
            result = b.expr(Op.LITERAL, "task#", result)
        arity = len(self._parameter_nodes(node.child_by_field_name("parameters")))
        return b.expr(Op.LAMBDA, b.scope_at(node.start_byte), result, arity)

    def expr_string_literal(self, node: ts.Node) -> int:
        return self.literal("string")

    def expr_character_literal(self, node: ts.Node) -> int:
        return self.literal("char")

    def expr_boolean_literal(self, node: ts.Node) -> int:
        return self.literal("bool")

    def expr_null_literal(self, node: ts.Node) -> int:
        return self.literal("null")

    def expr_integer_literal(self, node: ts.Node) -> int:
        text = self.b.of(node).lower()
        name = "ulong" if text.endswith(("ul", "lu")) else "long" if text.endswith("l") else "int"
        return self.literal("uint" if text.endswith("u") and not text.startswith("0x") else name)

    def expr_real_literal(self, node: ts.Node) -> int:
        return self.literal({"f": "float", "m": "decimal"}.get(self.b.of(node)[-1:].lower(), "double"))


_EXTENSION_BLOCK = re.compile(
    rb"^([ \t]*)extension\b(?=\s*(?:<[^<>(){};]*>)?\s*\([^(){};]*\)\s*(?:where\b[^{};]*)?\{)", re.M
)
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(if|elif|else|endif|region|endregion|pragma|nullable|define|undef|warning|error|line)\b[^\r\n]*",
    re.M,
)


def without_directives(text: bytes) -> bytes:
    """The text with its preprocessor lines blanked out, so that the grammar reads what stands between them.

    All branches of a condition stay where each is whole (balanced, and ends a statement or a member); else only
    the first one, because two beginnings of one statement are none.
    """
    out = bytearray(text)
    groups: list[list[int]] = []  # places of the directives of each open condition: ends and starts, in turn
    for match in _DIRECTIVE.finditer(text):
        word, start, end = match[1], match.start(), match.end()
        out[start:end] = b" " * (end - start)
        if word == b"if":
            groups.append([end])
        elif word in (b"elif", b"else") and groups:
            groups[-1] += [start, end]
        elif word == b"endif" and groups:
            places = [*groups.pop(), start]
            branches = list(zip(places[0::2], places[1::2], strict=False))
            if len(branches) > 1 and not all(_is_whole(bytes(out[a:b])) for a, b in branches):
                for a, b in branches[1:]:
                    out[a:b] = re.sub(rb"[^\r\n]", b" ", bytes(out[a:b]))
    return bytes(out)


def _is_whole(branch: bytes) -> bool:
    stripped = branch.rstrip()
    return not stripped or (
        stripped.endswith((b";", b"}"))
        and branch.count(b"{") == branch.count(b"}")
        and branch.count(b"(") == branch.count(b")")
        and not branch.lstrip().startswith((b"else", b".", b":", b"?"))
    )


def _simple_name(node: ts.Node) -> ts.Node:
    """The simple name in a type."""
    while node.type in ("generic_name", "qualified_name", "alias_qualified_name", "nullable_type", "array_type"):
        if node.type == "generic_name":
            inner: ts.Node | None = node.named_children[0] if node.named_children else None
        else:
            inner = node.child_by_field_name("name") or node.child_by_field_name("type")
        if inner is None:
            break
        node = inner
    return node


def _is_matched(node: ts.Node) -> bool:
    """Is this the path of a property pattern, or the beginning of one?"""
    above = node.parent
    while above is not None and above.type == "member_access_expression":
        above = above.parent
    return above is not None and above.type == "subpattern"


_COMBINED_PATTERNS = frozenset({"parenthesized_pattern", "and_pattern", "or_pattern"})
_NEWS = ("object_creation_expression", "implicit_object_creation_expression")
_MADE = (*_NEWS, "with_expression")
_RESULTS = frozenset(
    {"method_declaration", "local_function_statement", "property_declaration", "indexer_declaration",
     "operator_declaration", "conversion_operator_declaration", "accessor_declaration"}
)  # fmt: skip
_PREDEFINED = {"nint": "long", "nuint": "ulong"}
_MODIFIER_FLAGS = {
    "static": Flag.STATIC,
    "abstract": Flag.ABSTRACT,
    "virtual": Flag.VIRTUAL,
    "override": Flag.OVERRIDE,
    "sealed": Flag.FINAL,
    "partial": Flag.PARTIAL,
    "async": Flag.ASYNC,
}

RULES = CSharpRules
