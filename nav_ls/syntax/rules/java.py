"""Java: what its tree means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, Flag, Import, Op, Param, TypeParam, Use
from nav_ls.syntax.rules.typed import CONSTRUCTORS, MAX_ARGUMENTS, TYPE_MARK, TypedRules

_TYPE_DEFS = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "interface",
}
_CALLS = frozenset({"method_invocation", "object_creation_expression", "explicit_constructor_invocation"})
_TEST_ANNOTATIONS = frozenset(
    {"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "Before", "After", "BeforeEach", "AfterEach"}
)
_BOOLEAN_OPERATORS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


class JavaRules(TypedRules):
    """Handlers for the captures of `queries/java/facts.scm`."""

    like: ClassVar[Mapping[str, str]] = {
        "floating_point_type": "integral_type",
        "boolean_type": "integral_type",
        "void_type": "integral_type",
        "explicit_constructor_invocation": "method_invocation",
        "false": "true",
        "hex_integer_literal": "decimal_integer_literal",
        "octal_integer_literal": "decimal_integer_literal",
        "binary_integer_literal": "decimal_integer_literal",
        "hex_floating_point_literal": "decimal_floating_point_literal",
    }

    regions: ClassVar[frozenset[str]] = frozenset(
        {
            "block",
            "constructor_body",
            "switch_rule",
            "switch_block_statement_group",
            "lambda_expression",
            "class_body",
            "program",
        }
    )
    own_results: ClassVar[frozenset[str]] = frozenset(
        {"lambda_expression", "class_body", "class_declaration", "record_declaration", "enum_declaration"}
    )

    def begin(self, root: ts.Node) -> None:
        self._anonymous: dict[int, Draft] = {}

    # --- packages and imports

    def on_package(self, node: ts.Node) -> None:
        name = next((c for c in node.named_children if c.type in ("identifier", "scoped_identifier")), None)
        if name is not None:
            self.b.package = self.b.of(name)

    def on_import(self, node: ts.Node) -> None:
        b = self.b
        path = next((c for c in node.named_children if c.type in ("identifier", "scoped_identifier")), None)
        if path is None:
            return
        static = any(c.type == "static" for c in node.children)
        star = any(c.type == "asterisk" for c in node.children)
        module, _, name = ("", "", b.of(path)) if star else b.of(path).rpartition(".")
        if star:
            module, name = name, "*"
        kind = "static" if static else ""
        b.imports.append(Import(module, name, "" if star else name, 0, node.start_byte, node.end_byte, kind))
        last = path.child_by_field_name("name")
        if last is not None and not star and not static:
            expr = b.expr(Op.NAME, name, 0, node.end_byte)
            b.site(Use.IMPORT, name, expr, last.start_byte, last.end_byte, node.start_byte, caller=NONE)

    # --- types

    def on_type_def(self, node: ts.Node) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return
        b = self.b
        draft = self._define(node, name_node, _TYPE_DEFS[node.type])
        body_start = body.start_byte if body is not None else node.end_byte
        draft.signature = fold(b.slice(self._header_start(node), body_start))
        if b.draft_at(node.start_byte) is not None:
            around = b.draft_at(node.start_byte)
            if around is not None and around.kind in ("interface",):
                draft.visibility = "public"
        self._bind_name(draft, name_node, node)
        header = b.open_scope("block", node.start_byte, node.end_byte, draft.index)
        self._type_params(draft, node, header)
        self._bases(draft, node)
        b.open_body(draft, body_start, node.end_byte, "class")
        if node.type == "record_declaration":
            self._components(draft, node)

    def _define(self, node: ts.Node, name_node: ts.Node, kind: str) -> Draft:
        b = self.b
        doc, start = self.doc_before(node)
        draft = b.define(b.of(name_node), kind, node, name_node, start=start, container=self.container(node.start_byte))
        draft.doc = doc
        self._modifiers(draft, node)
        return draft

    def _header_start(self, node: ts.Node) -> int:
        modifiers = next((c for c in node.children if c.type == "modifiers"), None)
        for child in modifiers.children if modifiers is not None else ():
            if child.type not in ("marker_annotation", "annotation") and child.type not in self.comment_types:
                return child.start_byte
        if modifiers is not None and modifiers.next_sibling is not None:
            return modifiers.next_sibling.start_byte
        return node.start_byte

    def _modifiers(self, draft: Draft, node: ts.Node) -> None:
        draft.visibility = "internal"
        modifiers = next((c for c in node.children if c.type == "modifiers"), None)
        for child in modifiers.children if modifiers is not None else ():
            if child.type in ("public", "private", "protected"):
                draft.visibility = child.type
            elif child.type in _MODIFIER_FLAGS:
                draft.flags |= _MODIFIER_FLAGS[child.type]
            elif child.type in ("marker_annotation", "annotation"):
                name = child.child_by_field_name("name")
                text = self.b.of(name).rpartition(".")[2] if name is not None else ""
                if text == "Override":
                    draft.flags |= Flag.OVERRIDE
                elif text in _TEST_ANNOTATIONS:
                    draft.flags |= Flag.TEST

    def _bind_name(self, draft: Draft, name_node: ts.Node, node: ts.Node) -> None:
        b = self.b
        scope = b.scope_at(node.start_byte)
        local = b.scopes[scope].kind == "function" and node.parent is not None
        region = (node.parent.start_byte, node.parent.end_byte) if local and node.parent is not None else None
        b.bind(draft.name, "def", scope, name_node.start_byte, region=region, value=draft.index, name_node=name_node)

    def _type_params(self, draft: Draft, node: ts.Node, scope: int) -> None:
        params = node.child_by_field_name("type_parameters")
        for child in params.named_children if params is not None else ():
            if child.type != "type_parameter":
                continue
            name = next((c for c in child.named_children if c.type in ("type_identifier", "identifier")), None)
            bound = next((c for c in child.named_children if c.type == "type_bound"), None)
            if name is None:
                continue
            bounds = [self.expr(c) for c in bound.named_children] if bound is not None else []
            expr = NONE if not bounds else bounds[0] if len(bounds) == 1 else self.b.expr(Op.UNION, *bounds)
            draft.type_params.append(TypeParam(self.b.of(name), expr))
            self.b.bind(self.b.of(name), "typeparam", scope, 0, name_node=name)

    def _bases(self, draft: Draft, node: ts.Node) -> None:
        for child in node.children:
            if child.type == "superclass":
                self._base(draft, self.real(child.named_children), "inherits")
            elif child.type in ("super_interfaces", "extends_interfaces"):
                kind = "implements" if child.type == "super_interfaces" else "inherits"
                for inner in child.named_children:
                    listed = inner.named_children if inner.type in ("type_list", "interface_type_list") else [inner]
                    self._base(draft, self.real(listed), kind)

    def _base(self, draft: Draft, nodes: list[ts.Node], kind: str) -> None:
        for base in nodes:
            draft.bases.append(self.expr(base))
            draft.base_kinds.append(kind)

    def _components(self, draft: Draft, node: ts.Node) -> None:
        """A record's components: private fields with accessors, and its canonical parameters."""
        b = self.b
        parameters = node.child_by_field_name("parameters")
        for name, type_, star in self._parameter_nodes(parameters):
            type_expr = self._typed(type_, name)
            declared = b.expr(Op.LITERAL, "[][]", type_expr) if star else type_expr
            draft.params.append(Param(b.of(name), type_expr, NONE, star))
            field = b.define(b.of(name), "field", name, name, container=draft.qual, parent=draft)
            field.returns = declared
            field.visibility = "private"
            field.returned.append(b.expr(Op.CAST, declared, NONE))

    def on_enum_constant(self, node: ts.Node) -> None:
        b = self.b
        name = node.child_by_field_name("name")
        enum = b.draft_at(node.start_byte)
        if name is None or enum is None:
            return
        draft = self._define(node, name, "enum_member")
        draft.visibility = "public"
        draft.flags |= Flag.STATIC | Flag.FINAL
        draft.returns = b.expr(Op.SYMBOL, enum.index)
        arguments = node.child_by_field_name("arguments")
        call = b.expr(Op.NEW, draft.returns, *self._arguments(arguments))
        self._callees[node.id] = call
        target = b.expr(Op.ATTR, draft.returns, CONSTRUCTORS)
        self.site(Use.NEW, name, target, name, call=call)
        body = node.child_by_field_name("body")
        if body is not None:
            draft.bases.append(draft.returns)
            draft.base_kinds.append("inherits")
            b.open_body(draft, body.start_byte, node.end_byte, "class")

    def on_anonymous(self, node: ts.Node) -> None:
        draft = self._anonymous_class(node)
        body = next(c for c in node.named_children if c.type == "class_body")
        self.b.open_body(draft, body.start_byte, node.end_byte, "class")

    def _anonymous_class(self, node: ts.Node) -> Draft:
        known = self._anonymous.get(node.id)
        if known is None:
            b = self.b
            around = self.container(node.start_byte)
            known = b.define("<anonymous>", "anonymous", node, None, container=around)
            known.flags |= Flag.MINOR
            base = node.child_by_field_name("type")
            known.bases.append(self.expr(base))
            known.base_kinds.append("inherits")
            known.signature = fold("new " + (b.of(base) if base is not None else ""))
            self._anonymous[node.id] = known
        return known

    # --- callables

    def on_callable(self, node: ts.Node) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return
        b = self.b
        around = b.draft_at(node.start_byte)
        constructor = node.type in ("constructor_declaration", "compact_constructor_declaration")
        draft = self._define(node, name_node, "constructor" if constructor else "method")
        draft.signature = fold(b.slice(self._header_start(node), body.start_byte if body else node.end_byte))
        draft.signature = draft.signature.rstrip(";").rstrip()
        if constructor:
            draft.flags |= Flag.CONSTRUCTOR
        if around is not None and around.kind == "interface":
            if draft.visibility == "internal":
                draft.visibility = "public"
            if body is None:
                draft.flags |= Flag.ABSTRACT
        scope = self.open_callable(draft, node, body)
        self._type_params(draft, node, scope)
        type_ = node.child_by_field_name("type")
        if type_ is not None:
            draft.returns = self._typed(type_, node)
        if node.type == "compact_constructor_declaration" and around is not None:
            draft.params.extend(around.params)
            for param in around.params:
                b.bind(param.name, "param", scope, b.scopes[scope].start, type_=self._declared(param))
            return
        for name, kind, star in self._parameter_nodes(node.child_by_field_name("parameters")):
            param = Param(b.of(name), self._typed(kind, name), NONE, star)
            draft.params.append(param)
            b.bind(param.name, "param", scope, b.scopes[scope].start, type_=self._declared(param), name_node=name)

    def _declared(self, param: Param) -> int:
        return self.b.expr(Op.LITERAL, "[][]", param.type) if param.kind == "*" else param.type

    def _parameter_nodes(self, parameters: ts.Node | None) -> list[tuple[ts.Node, ts.Node | None, str]]:
        """(name, type, "*" for a variable number) of each parameter."""
        out: list[tuple[ts.Node, ts.Node | None, str]] = []
        for child in parameters.named_children if parameters is not None else ():
            if child.type == "formal_parameter":
                name = child.child_by_field_name("name")
                if name is not None:
                    out.append((name, child.child_by_field_name("type"), ""))
            elif child.type == "spread_parameter":
                declarator = next((c for c in child.named_children if c.type == "variable_declarator"), None)
                name = declarator.child_by_field_name("name") if declarator is not None else None
                type_ = next(
                    (c for c in child.named_children if c.type != "modifiers" and c.type not in self.comment_types),
                    None,
                )
                if name is not None:
                    out.append((name, type_, "*"))
        return out

    def _typed(self, type_: ts.Node | None, declarator: ts.Node) -> int:
        """A declared type, with the brackets that may follow the name."""
        expr = self._type(type_)
        holder = declarator if declarator.type != "identifier" else declarator.parent
        dimensions = holder.child_by_field_name("dimensions") if holder is not None else None
        if dimensions is not None and expr != NONE:
            for _ in range(self.b.of(dimensions).count("[")):
                expr = self.b.expr(Op.LITERAL, "[][]", expr)
        return expr

    def _type(self, node: ts.Node | None) -> int:
        if node is None or (node.type == "type_identifier" and self.b.of(node) == "var"):
            return NONE
        return self.expr(node)

    # --- fields and locals

    def on_field(self, node: ts.Node) -> None:
        b = self.b
        type_ = node.child_by_field_name("type")
        around = b.draft_at(node.start_byte)
        for child in node.children_by_field_name("declarator"):
            name = child.child_by_field_name("name")
            if name is None:
                continue
            draft = self._define(node, name, "field")
            draft.name_start, draft.name_end = name.start_byte, name.end_byte
            if around is not None and around.kind == "interface":
                draft.visibility = "public"
                draft.flags |= Flag.STATIC | Flag.FINAL
            if draft.flags & Flag.STATIC and draft.flags & Flag.FINAL:
                draft.kind = "constant"
            draft.returns = self._typed(type_, child)
            draft.signature = fold(b.slice(self._header_start(node), name.end_byte))

    def on_local(self, node: ts.Node) -> None:
        type_ = node.child_by_field_name("type")
        block = node.parent
        if block is not None and block.type == "switch_block_statement_group":
            block = block.parent
        end = block.end_byte if block is not None else node.end_byte
        for child in node.children_by_field_name("declarator"):
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None:
                self.bind_local(name, self.expr(value), self._typed(type_, child), (child.start_byte, end))

    def on_for_each(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            element = self.b.expr(Op.ELEMENT, self.expr(node.child_by_field_name("value")))
            declared = self._typed(node.child_by_field_name("type"), node)
            self.bind_local(name, element, declared, (node.start_byte, node.end_byte))

    def on_catch(self, node: ts.Node) -> None:
        parameter = next((c for c in node.named_children if c.type == "catch_formal_parameter"), None)
        name = parameter.child_by_field_name("name") if parameter is not None else None
        kinds = next((c for c in parameter.named_children if c.type == "catch_type"), None) if parameter else None
        if name is None or kinds is None:
            return
        types = [self.expr(c) for c in self.real(kinds.named_children)]
        union = types[0] if len(types) == 1 else self.b.expr(Op.UNION, *types)
        self.bind_local(name, NONE, union, (node.start_byte, node.end_byte))

    def on_resource(self, node: ts.Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        statement = node.parent.parent if node.parent is not None else None
        if name is not None and statement is not None:
            type_ = self._type(node.child_by_field_name("type"))
            self.bind_local(name, self.expr(value), type_, (node.start_byte, statement.end_byte))

    def on_instanceof(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            type_ = self._type(node.child_by_field_name("right"))
            self.bind_local(name, NONE, type_, (node.start_byte, self.region_end(node)))

    def on_type_pattern(self, node: ts.Node) -> None:
        parts = self.real(node.named_children)
        if len(parts) >= 2 and parts[-1].type == "identifier":
            self.bind_local(parts[-1], NONE, self._type(parts[-2]), (node.start_byte, self.region_end(node)))

    def on_record_pattern(self, node: ts.Node) -> None:
        type_ = self.first(node)
        if type_ is not None and type_.type == "identifier":
            self.type_site(type_, self._pattern_type(type_))
        for place, part in enumerate(self._pattern_parts(node)):
            inner = self.real(part.named_children)
            if part.type == "record_pattern_component" and len(inner) == 2 and inner[1].type == "identifier":
                declared = self._type(inner[0])
                value = self.b.expr(Op.ITEM, self._matched(node), place) if declared == NONE else NONE
                self.bind_local(inner[1], value, declared, (node.start_byte, self.region_end(node)))

    def _pattern_parts(self, pattern: ts.Node) -> list[ts.Node]:
        body = next((c for c in pattern.named_children if c.type == "record_pattern_body"), None)
        return self.real(body.named_children) if body is not None else []

    def _pattern_type(self, type_: ts.Node) -> int:
        return self.name_expr(TYPE_MARK + self.b.of(type_), type_) if type_.type == "identifier" else self.expr(type_)

    def _matched(self, pattern: ts.Node) -> int:
        """The record that a pattern takes apart: the subject, seen as the pattern's type."""
        type_ = self.first(pattern)
        expr = self._pattern_type(type_) if type_ is not None else NONE
        return self.b.expr(Op.NARROWED, self._subject(pattern), "instance", expr)

    def _subject(self, pattern: ts.Node) -> int:
        """What a record pattern is matched against."""
        current = pattern.parent
        while current is not None and current.type not in _SUBJECTS:
            current = current.parent
        if current is None or current.type == "record_pattern":
            place = next((i for i, c in enumerate(self._pattern_parts(current)) if c == pattern), 0) if current else 0
            return self.b.expr(Op.ITEM, self._matched(current), place) if current is not None else NONE
        return self.expr(current.child_by_field_name(_SUBJECTS[current.type]))

    def on_lambda(self, node: ts.Node) -> None:
        for place, (name, type_) in enumerate(self._lambda_parameters(node)):
            declared = self._type(type_)
            value = self.handed(node, place) if declared == NONE else NONE
            self.bind_local(name, value, declared, (node.start_byte, node.end_byte), node)

    def _lambda_parameters(self, node: ts.Node) -> list[tuple[ts.Node, ts.Node | None]]:
        parameters = node.child_by_field_name("parameters")
        if parameters is None:
            return []
        if parameters.type == "identifier":
            return [(parameters, None)]
        if parameters.type == "inferred_parameters":
            return [(c, None) for c in parameters.named_children if c.type == "identifier"]
        return [(name, type_) for name, type_, _ in self._parameter_nodes(parameters)]

    def read_expected(self, node: ts.Node) -> int:
        """The type that is expected where a lambda or a method reference stands."""
        b = self.b
        parent = node.parent
        if parent is None:
            return NONE
        kind = parent.type
        if kind == "argument_list" and parent.parent is not None:
            call = self._callees.get(parent.parent.id, NONE) if parent.parent.type == "enum_constant" else NONE
            if parent.parent.type in _CALLS:
                call = self.expr(parent.parent)
            if call == NONE:
                return NONE
            arguments = self.real(parent.named_children)
            place = next((i for i, c in enumerate(arguments) if c.id == node.id), -1)
            if place < 0:
                return NONE
            result = self._declared_result(parent.parent)
            return b.expr(Op.EXPECTED, call, place, result) if result != NONE else b.expr(Op.ARGUMENT, call, place)
        if kind == "variable_declarator" and parent.parent is not None:
            type_ = self._typed(parent.parent.child_by_field_name("type"), parent)
            return b.expr(Op.CAST, type_, NONE) if type_ != NONE else NONE
        if kind == "cast_expression":
            return b.expr(Op.CAST, self.expr(parent.child_by_field_name("type")), NONE)
        if kind == "assignment_expression":
            return self.expr(parent.child_by_field_name("left"))
        if kind in ("parenthesized_expression", "ternary_expression"):
            return self.expected(parent)
        if kind == "array_initializer":
            whole = self.expected(parent)
            return b.expr(Op.ELEMENT, whole) if whole != NONE else NONE
        if kind == "array_creation_expression":
            return self.expr(parent)
        if kind == "lambda_expression":
            outer = self.expected(parent)
            return b.expr(Op.PARAMETER, outer, -1) if outer != NONE else NONE
        if kind == "return_statement":
            return self._expected_result(parent)
        return NONE

    def _declared_result(self, call: ts.Node) -> int:
        """What the place that a call stands in is declared to hold; -1 where it is none, or the argument of a call."""
        around = call.parent
        while around is not None and around.type in ("parenthesized_expression", "ternary_expression"):
            call, around = around, around.parent
        return self.expected(call) if around is not None and around.type in _DECLARED_PLACES else NONE

    def _expected_result(self, node: ts.Node) -> int:
        current = node.parent
        while current is not None and current.type not in ("lambda_expression", "class_body", "program"):
            if current.type == "method_declaration":
                draft = self.b.enclosing(node.start_byte, CALLABLE_KINDS)
                return self.b.expr(Op.CAST, draft.returns, NONE) if draft and draft.returns != NONE else NONE
            current = current.parent
        if current is not None and current.type == "lambda_expression":
            outer = self.expected(current)
            return self.b.expr(Op.PARAMETER, outer, -1) if outer != NONE else NONE
        return NONE

    # --- sites

    def on_call(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            call = self.expr(node)
            self.site(Use.CALL, name, self.callee(node), node, call=call)

    def on_new(self, node: ts.Node) -> None:
        type_ = node.child_by_field_name("type")
        if type_ is None:
            return
        expr = self.b.expr(Op.ATTR, self._new_type(node), CONSTRUCTORS)
        self.site(Use.NEW, _last_name(type_), expr, node, call=self.expr(node))

    def on_constructor_call(self, node: ts.Node) -> None:
        which = node.child_by_field_name("constructor")
        if which is not None:
            self.site(Use.CALL, which, self.callee(node), node, call=self.expr(node))

    def on_method_reference(self, node: ts.Node) -> None:
        name = node.children[-1]
        expr = self.expr(node)
        if expr != NONE and self.b.exprs[expr][0] == Op.ATTR:
            self.site(Use.VALUE, name, expr, node, call=self.expected(node))

    def on_member(self, node: ts.Node) -> None:
        field = node.child_by_field_name("field")
        parent = node.parent
        if field is None or field.type != "identifier" or parent is None:
            return
        written = parent.type == "assignment_expression" and parent.child_by_field_name("left") == node
        self.site(Use.WRITE if written else Use.READ, field, self.expr(node), node)

    def on_qualifier(self, node: ts.Node) -> None:
        if not self.is_local(self.b.of(node), node.start_byte):
            self.site(Use.READ, node, self.expr(node), node)

    def on_value(self, node: ts.Node) -> None:
        if not self.is_local(self.b.of(node), node.start_byte):
            self.site(Use.VALUE, node, self.expr(node), node)

    def on_written(self, node: ts.Node) -> None:
        if not self.is_local(self.b.of(node), node.start_byte):
            self.site(Use.WRITE, node, self.expr(node), node)

    def on_type(self, node: ts.Node) -> None:
        parent = node.parent
        if parent is None or (parent.type == "type_parameter" and parent.named_children[0] == node):
            return
        if self.b.of(node) != "var":
            holder = parent if parent.type == "scoped_type_identifier" and parent.named_children[-1] == node else node
            self.type_site(node, self.expr(holder))

    def on_annotation(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            last = name.child_by_field_name("name") or name
            self.site(Use.DECORATOR, last, self.expr(name), name)

    # --- expressions

    def expr_identifier(self, node: ts.Node) -> int:
        return self.name_expr(self.b.of(node), node)

    def expr_type_identifier(self, node: ts.Node) -> int:
        return self.name_expr(TYPE_MARK + self.b.of(node), node)

    def expr_scoped_identifier(self, node: ts.Node) -> int:
        name = node.child_by_field_name("name")
        return self.b.expr(
            Op.ATTR, self.expr(node.child_by_field_name("scope")), self.b.of(name) if name is not None else ""
        )

    def expr_scoped_type_identifier(self, node: ts.Node) -> int:
        parts = [c for c in node.named_children if c.type not in ("marker_annotation", "annotation")]
        if len(parts) < 2:
            return self.expr(parts[0]) if parts else self.b.expr(Op.TEXT, "")
        return self.b.expr(Op.ATTR, self.expr(parts[0]), self.b.of(parts[-1]))

    def expr_generic_type(self, node: ts.Node) -> int:
        parts = self.real(node.named_children)
        arguments = parts[-1].named_children if parts[-1].type == "type_arguments" else []
        inner = [self.expr(c) for c in arguments if c.type not in self.comment_types]
        return self.b.expr(Op.INDEX, self.expr(parts[0]), *inner) if inner else self.expr(parts[0])

    def expr_wildcard(self, node: ts.Node) -> int:
        bound = next(
            (c for c in node.named_children if c.type not in ("super", "marker_annotation", "annotation")), None
        )
        return self.expr(bound) if bound is not None else self.b.expr(Op.TEXT, "?")

    def expr_array_type(self, node: ts.Node) -> int:
        expr = self.expr(node.child_by_field_name("element"))
        dimensions = node.child_by_field_name("dimensions")
        for _ in range(self.b.of(dimensions).count("[") if dimensions is not None else 1):
            expr = self.b.expr(Op.LITERAL, "[][]", expr)
        return expr

    def expr_annotated_type(self, node: ts.Node) -> int:
        return self.expr(node.named_children[-1])

    def expr_integral_type(self, node: ts.Node) -> int:
        return self.literal(self.b.of(node))

    def expr_field_access(self, node: ts.Node) -> int:
        field, object_ = node.child_by_field_name("field"), node.child_by_field_name("object")
        if field is not None and field.type == "this":
            return self.b.expr(Op.CAST, self.expr(object_), NONE)
        return self.b.expr(Op.ATTR, self.expr(object_), self.b.of(field) if field is not None else "")

    def read_callee(self, node: ts.Node) -> int:
        b = self.b
        object_ = node.child_by_field_name("object")
        if node.type == "explicit_constructor_invocation":
            which = node.child_by_field_name("constructor")
            scope = b.scope_at(node.start_byte)
            op = Op.SUPER if which is not None and which.type == "super" else Op.THIS
            return b.expr(Op.ATTR, b.expr(op, scope), CONSTRUCTORS)
        name = node.child_by_field_name("name")
        text = (b.of(name) if name is not None else "") + "()"
        if object_ is None:
            return self.name_expr(text, node)
        owner = self.expr(object_)
        if any(c.type == "super" for c in node.children) and object_.type != "super":
            around = self._class_around(node.start_byte, b.of(object_))
            owner = b.expr(Op.SUPER, around) if around != NONE else b.expr(Op.CAST, owner, NONE)
        callee = b.expr(Op.ATTR, owner, text)
        arguments = node.child_by_field_name("type_arguments")
        types = [self.expr(c) for c in self.real(arguments.named_children)] if arguments is not None else []
        return b.expr(Op.INDEX, callee, *types) if types else callee

    def _class_around(self, position: int, name: str) -> int:
        """The scope of the class of that name around a position, -1 where there is none (the name of an interface)."""
        b = self.b
        scope = b.scope_at(position)
        while scope != NONE:
            owner = b.scopes[scope].owner
            if b.scopes[scope].kind == "class" and owner != NONE and b.symbols[owner].name == name:
                return NONE if b.symbols[owner].kind == "interface" else scope
            scope = b.scopes[scope].parent
        return NONE

    def _arguments(self, node: ts.Node | None) -> list[int]:
        return [self.expr(c) for c in self.real(node.named_children)[:MAX_ARGUMENTS]] if node is not None else []

    def expr_method_invocation(self, node: ts.Node) -> int:
        return self.b.expr(Op.CALL, self.callee(node), *self._arguments(node.child_by_field_name("arguments")))

    def expr_object_creation_expression(self, node: ts.Node) -> int:
        arguments = self._arguments(node.child_by_field_name("arguments"))
        if any(c.type == "class_body" for c in node.named_children):
            draft = self._anonymous_class(node)
            return self.b.expr(Op.NEW, self.b.expr(Op.SYMBOL, draft.index), *arguments)
        return self.b.expr(Op.NEW, self._new_type(node), *arguments)

    def _new_type(self, node: ts.Node) -> int:
        """What is constructed; in `outer.new Inner()` a type of `outer`'s class."""
        type_ = node.child_by_field_name("type")
        outer = self.first(node)
        if type_ is None or outer is None or outer.start_byte >= type_.start_byte or node.children[0].type == "new":
            return self.expr(type_)
        return self.b.expr(Op.ATTR, self.expr(outer), TYPE_MARK + self.b.of(_last_name(type_)))

    def expr_method_reference(self, node: ts.Node) -> int:
        parts = self.real(node.named_children)
        name = node.children[-1]
        text = CONSTRUCTORS if name.type == "new" else self.b.of(name) + "()"
        return self.b.expr(Op.ATTR, self.expr(parts[0]), text) if parts else self.b.expr(Op.TEXT, "")

    def expr_this(self, node: ts.Node) -> int:
        return self.b.expr(Op.THIS, self.b.scope_at(node.start_byte))

    def expr_super(self, node: ts.Node) -> int:
        return self.b.expr(Op.SUPER, self.b.scope_at(node.start_byte))

    def expr_parenthesized_expression(self, node: ts.Node) -> int:
        inner = self.first(node)
        return self.expr(inner) if inner is not None else self.b.expr(Op.TEXT, "")

    def expr_ternary_expression(self, node: ts.Node) -> int:
        return self.b.expr(Op.UNION, *(self.expr(node.child_by_field_name(f)) for f in ("consequence", "alternative")))

    def expr_cast_expression(self, node: ts.Node) -> int:
        value = node.child_by_field_name("value")
        return self.b.expr(Op.CAST, self.expr(node.child_by_field_name("type")), self.expr(value))

    def expr_array_access(self, node: ts.Node) -> int:
        return self.b.expr(
            Op.INDEX, self.expr(node.child_by_field_name("array")), self.expr(node.child_by_field_name("index"))
        )

    def expr_array_creation_expression(self, node: ts.Node) -> int:
        expr = self.expr(node.child_by_field_name("type"))
        for child in node.named_children:
            if child.type == "dimensions_expr":
                expr = self.b.expr(Op.LITERAL, "[][]", expr)
            elif child.type == "dimensions":
                for _ in range(self.b.of(child).count("[")):
                    expr = self.b.expr(Op.LITERAL, "[][]", expr)
        return self.b.expr(Op.CAST, expr, NONE)

    def expr_class_literal(self, node: ts.Node) -> int:
        inner = self.first(node)
        return self.b.expr(Op.LITERAL, "class[]", self.expr(inner)) if inner is not None else self.literal("class")

    def expr_assignment_expression(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("left"))

    def expr_update_expression(self, node: ts.Node) -> int:
        inner = self.first(node)
        return self.expr(inner) if inner is not None else NONE

    def expr_unary_expression(self, node: ts.Node) -> int:
        operator, operand = node.child_by_field_name("operator"), node.child_by_field_name("operand")
        if operator is not None and operator.type == "!":
            return self.literal("boolean")
        if operand is not None and operand.type.endswith("_literal"):
            return self.expr(operand)
        return self.b.expr(Op.BINARY, "-", self.expr(operand), self.literal("int"))

    def expr_binary_expression(self, node: ts.Node) -> int:
        left, right, operator = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        sign = operator.type if operator is not None else ""
        if sign in _BOOLEAN_OPERATORS:
            return self.literal("boolean")
        return self.b.expr(Op.BINARY, sign, self.expr(left), self.expr(right))

    def expr_instanceof_expression(self, node: ts.Node) -> int:
        return self.literal("boolean")

    def expr_switch_expression(self, node: ts.Node) -> int:
        results: list[int] = []
        body = node.child_by_field_name("body")
        for rule in body.named_children if body is not None else ():
            if rule.type == "switch_rule" and rule.named_children:
                last = rule.named_children[-1]
                if last.type == "expression_statement" and last.named_children:
                    results.append(self.expr(last.named_children[0]))
                elif last.type == "block":
                    results.extend(self.results(last, "yield_statement"))
            elif rule.type == "switch_block_statement_group":
                results.extend(self.results(rule, "yield_statement"))
        return self.b.expr(Op.UNION, *results[:16])

    def expr_lambda_expression(self, node: ts.Node) -> int:
        b = self.b
        body = node.child_by_field_name("body")
        result = NONE
        if body is not None and body.type == "block":
            results = self.results(body, "return_statement")[:8]
            result = results[0] if len(results) == 1 else b.expr(Op.UNION, *results) if results else NONE
        elif body is not None:
            result = self.expr(body)
        return b.expr(Op.LAMBDA, b.scope_at(node.start_byte), result, len(self._lambda_parameters(node)))

    def expr_string_literal(self, node: ts.Node) -> int:
        return self.literal("String")

    def expr_character_literal(self, node: ts.Node) -> int:
        return self.literal("char")

    def expr_true(self, node: ts.Node) -> int:
        return self.literal("boolean")

    def expr_null_literal(self, node: ts.Node) -> int:
        return self.literal("null")

    def expr_decimal_integer_literal(self, node: ts.Node) -> int:
        return self.literal("long" if self.b.text[node.end_byte - 1 : node.end_byte] in (b"l", b"L") else "int")

    def expr_decimal_floating_point_literal(self, node: ts.Node) -> int:
        return self.literal("float" if self.b.text[node.end_byte - 1 : node.end_byte] in (b"f", b"F") else "double")


def _last_name(node: ts.Node) -> ts.Node:
    """The simple name in a type."""
    while node.type in ("generic_type", "scoped_type_identifier", "annotated_type", "array_type"):
        parts = [c for c in node.named_children if c.type in _NAMED_TYPES]
        if not parts:
            break
        node = parts[-1] if node.type != "generic_type" else parts[0]
    return node


_DECLARED_PLACES = frozenset({"variable_declarator", "return_statement", "assignment_expression", "cast_expression"})
_SUBJECTS = {"record_pattern": "", "instanceof_expression": "left", "switch_expression": "condition"}
"""What may hold a pattern → the field of what is matched."""
_NAMED_TYPES = ("type_identifier", "scoped_type_identifier", "identifier", "generic_type")
_MODIFIER_FLAGS = {
    "static": Flag.STATIC,
    "abstract": Flag.ABSTRACT,
    "final": Flag.FINAL,
    "default": Flag.DEFAULT,
}

RULES = JavaRules
