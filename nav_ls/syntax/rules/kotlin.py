"""Kotlin: what its tree means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, TYPE_KINDS, Flag, Import, Op, Param, TypeParam, Use
from nav_ls.syntax.rules.typed import CONSTRUCTORS, MAX_ARGUMENTS, TRAILING, TYPE_MARK, TypedRules
from nav_ls.text.comments import clean_comment, comment_above

RECEIVER = "<this>"  # the name under which an anonymous function's receiver is bound
_HEADER = re.compile(
    rb"(\bclass\s+\w+(?:\s*<(?:[^<>{}]|<[^<>{}]*>)*>)?)"
    rb"(\s+(?:@[\w.:]+(?:\([^()]*\))?\s+|(?:internal|private|protected|public)\s+)*)(constructor\s*\()"
)
_DELEGATED = re.compile(
    rb"((?:\)|\b(?:class|object)\s+\w+(?:\s*<[^<>{}]*>)?)\s*:[^{}=\n]{0,200}(?:\n[^{}=\n]{0,200}){0,4}?)"
    rb"(\bby\s+[\w.]+)(\s*\{)"
)
_GUARD = re.compile(
    rb"^([ \t]*(?:!?is\s+[\w.]+(?:<[^<>\n]*>)?\??|(?!return\b|else\b|throw\b|do\b|try\b)[\w.]+(?=\s+if\b[^\n{}]*->))\s+)if\b",
    re.M,
)
_DOLLARS = re.compile(rb'\${2,}(?=")')
_TYPE_NODES = frozenset({"user_type", "nullable_type", "function_type", "parenthesized_type", "type_projection"})
_OPERATORS = {"+": "plus", "-": "minus", "*": "times", "/": "div", "%": "rem"}
_CLASS_KINDS = TYPE_KINDS | {"anonymous"}


class KotlinRules(TypedRules):
    """Handlers for the captures of `queries/kotlin/facts.scm`."""

    like: ClassVar[Mapping[str, str]] = {
        "interpolated_identifier": "simple_identifier",
        "parenthesized_expression": "directly_assignable_expression",
        "postfix_expression": "directly_assignable_expression",
        "control_structure_body": "directly_assignable_expression",
        "spread_expression": "directly_assignable_expression",
        "multiplicative_expression": "additive_expression",
        "multi_line_string_literal": "string_literal",
        "hex_literal": "integer_literal",
        "bin_literal": "integer_literal",
        "comparison_expression": "check_expression",
        "equality_expression": "check_expression",
        "conjunction_expression": "boolean_literal",
        "disjunction_expression": "boolean_literal",
    }

    comment_types: ClassVar[frozenset[str]] = frozenset({"comment", "line_comment", "multiline_comment"})
    regions: ClassVar[frozenset[str]] = frozenset(
        {"statements", "lambda_literal", "function_body", "class_body", "control_structure_body", "source_file"}
    )

    def prepare(self, text: bytes) -> bytes:
        """What the grammar does not know, so that it would lose the class around it.

        A `constructor` on a line of its own gets to stand beside the name, `a..<b` becomes `a.. b`, `$$"text"` a text;
        `class A : B by c {` loses `by c`, which would take the class's body for the lambda of a call; the guard in
        `is A if b ->` becomes a second condition.
        """
        if b"..<" in text:
            text = text.replace(b"..<", b".. ")
        if b'$$"' in text:
            text = _DOLLARS.sub(lambda m: b" " * len(m[0]), text)
        if b"constructor" in text:
            text = _HEADER.sub(lambda m: m[1] + b" " * len(m[2]) + m[3], text)
        if b" if" in text:
            text = _GUARD.sub(rb"\1, ", text)
        if b" by " in text:
            text = _DELEGATED.sub(lambda m: m[1] + b" " * len(m[2]) + m[3], text)
        return text

    def begin(self, root: ts.Node) -> None:
        self._anonymous: dict[int, Draft] = {}

    def _child(self, node: ts.Node | None, *kinds: str) -> ts.Node | None:
        return next((c for c in node.children if c.type in kinds), None) if node is not None else None

    def _has(self, node: ts.Node, word: str) -> bool:
        return any(c.type == word for c in node.children)

    # --- packages and imports

    def on_package(self, node: ts.Node) -> None:
        name = self._child(node, "identifier")
        if name is not None:
            self.b.package = "".join(self.b.of(name).split()).replace("`", "")

    def on_import(self, node: ts.Node) -> None:
        b = self.b
        path = self._child(node, "identifier")
        if path is None:
            return
        full = "".join(b.of(path).split()).replace("`", "")
        if self._child(node, "wildcard_import") is not None:
            b.imports.append(Import(full, "*", "", 0, node.start_byte, node.end_byte))
            return
        module, _, name = full.rpartition(".")
        alias = self._child(self._child(node, "import_alias"), "type_identifier", "simple_identifier")
        b.imports.append(Import(module, name, b.of(alias) if alias else name, 0, path.start_byte, path.end_byte))
        last = path.named_children[-1] if path.named_children else None
        if last is not None:
            shown = b.of(alias) if alias else name
            for text in (TYPE_MARK + shown, shown + "()"):
                expr = b.expr(Op.NAME, text, 0, node.end_byte)
                b.site(Use.IMPORT, name, expr, last.start_byte, last.end_byte, node.start_byte, caller=NONE)

    # --- types

    def on_type_def(self, node: ts.Node) -> None:
        b = self.b
        name_node = self._child(node, "type_identifier", "simple_identifier")
        body = self._child(node, "class_body", "enum_class_body")
        kind = "class"
        if node.type != "class_declaration":
            kind = "object"
        elif self._has(node, "interface"):
            kind = "interface"
        elif self._has(node, "enum") or (body is not None and body.type == "enum_class_body"):
            kind = "enum"
        if name_node is None and node.type != "companion_object":
            return
        draft = self._define(node, name_node or node.children[0], kind, "" if name_node else "Companion")
        start = body.start_byte if body is not None else node.end_byte
        draft.signature = fold(b.slice(self._header_start(node), start))
        self._bind_name(draft, node)
        header = b.open_scope("block", node.start_byte, node.end_byte, draft.index)
        self._type_params(draft, node, header)
        scope = b.open_body(draft, start, node.end_byte, "class")
        self._primary(draft, self._child(node, "primary_constructor"), scope, node)
        self._bases(draft, node)

    def _bind_name(self, draft: Draft, node: ts.Node) -> None:
        b = self.b
        scope = b.scope_at(node.start_byte)
        if b.scopes[scope].kind == "function" and node.parent is not None:
            region = (node.parent.start_byte, node.parent.end_byte)
            b.bind(draft.name, "def", scope, node.start_byte, region=region, value=draft.index)

    def _define(self, node: ts.Node, name_node: ts.Node, kind: str, name: str = "") -> Draft:
        doc, start = self._doc_before(node)
        text = name or self.b.of(name_node).strip("`")
        draft = self.b.define(text, kind, node, name_node, start=start, container=self.container(node.start_byte))
        draft.doc = doc
        modifiers = self._child(node, "modifiers")
        for child in modifiers.named_children if modifiers is not None else ():
            words = self.b.of(child)
            if words in ("private", "protected", "internal"):
                draft.visibility = words
            draft.flags |= _MODIFIER_FLAGS.get(words, 0)
            if child.type == "annotation" and words.lstrip("@").partition("(")[0].endswith("Test"):
                draft.flags |= Flag.TEST
        return draft

    def _doc_before(self, node: ts.Node) -> tuple[str, int]:
        """As `doc_before`, where the grammar takes what stands in front for something else.

        `@A("x")` above `fun` is an expression to it, and a comment below the imports a part of the last one.
        """
        before = node.prev_sibling
        annotated = (
            before is not None and before.type == "prefix_expression" and before.children[0].type == "annotation"
        )
        first = before if before is not None and annotated else node
        doc, start = self.doc_before(first)
        above = comment_above(self.b.text, start)
        if not doc and self.b.text.startswith(b"/**", above):
            return clean_comment(self.b.slice(above, start)), above
        return doc, start

    def _header_start(self, node: ts.Node) -> int:
        for child in node.children:
            if child.type != "modifiers" and child.type not in self.comment_types:
                return child.start_byte
        return node.start_byte

    def _type_params(self, draft: Draft, node: ts.Node, scope: int) -> None:
        bounds: dict[str, int] = {}
        for constraint in (c for c in node.named_children if c.type == "type_constraints"):
            for part in constraint.named_children:
                name = self._child(part, "type_identifier", "simple_identifier")
                if name is not None:
                    bounds[self.b.of(name)] = self.type_expr(self._child(part, *_TYPE_NODES))
        params = self._child(node, "type_parameters")
        for child in params.named_children if params is not None else ():
            name = self._child(child, "type_identifier")
            if name is not None:
                text = self.b.of(name)
                bound = self._child(child, *_TYPE_NODES)
                draft.type_params.append(
                    TypeParam(text, self.type_expr(bound) if bound is not None else bounds.get(text, NONE))
                )
                self.b.bind(text, "typeparam", scope, 0, name_node=name)

    def _primary(self, draft: Draft, constructor: ts.Node | None, scope: int, node: ts.Node) -> None:
        b = self.b
        for child in constructor.named_children if constructor is not None else ():
            name = self._child(child, "simple_identifier")
            if child.type != "class_parameter" or name is None:
                continue
            type_ = self.type_expr(self._child(child, *_TYPE_NODES))
            default = child.named_children[-1]
            value = self.expr(default) if default.type not in _TYPE_NODES and default.id != name.id else NONE
            star = "*" if "vararg" in b.slice(child.start_byte, name.start_byte).split() else ""
            draft.params.append(Param(b.of(name), type_, value, star))
            declared = b.expr(Op.LITERAL, "[][]", type_) if star else type_
            if self._child(child, "binding_pattern_kind") is not None:
                field = b.define(b.of(name), "field", child, name, container=draft.qual, parent=draft)
                field.returns = declared
                field.signature = fold(b.of(child))
            else:
                b.bind(b.of(name), "block", scope, node.start_byte, region=(node.start_byte, node.end_byte),
                       type_=declared, name_node=name)  # fmt: skip

    def _bases(self, draft: Draft, node: ts.Node) -> None:
        for child in node.named_children:
            if child.type != "delegation_specifier":
                continue
            called = self._child(child, "constructor_invocation")
            holder = called or self._child(child, "explicit_delegation") or child
            type_ = self._child(holder, *_TYPE_NODES)
            if type_ is not None:
                draft.bases.append(self.type_expr(type_))
                interface = called is None and draft.kind != "interface"
                draft.base_kinds.append("implements" if interface else "inherits")

    def on_enum_entry(self, node: ts.Node) -> None:
        b = self.b
        name = self._child(node, "simple_identifier")
        enum = b.draft_at(node.start_byte)
        if name is None or enum is None:
            return
        draft = self._define(node, name, "enum_member")
        draft.flags |= Flag.STATIC | Flag.FINAL
        draft.returns = b.expr(Op.SYMBOL, enum.index)
        arguments = self._child(node, "value_arguments")
        if arguments is not None:
            call = b.expr(Op.NEW, draft.returns, *self._arguments(arguments, None))
            self._callees[node.id] = call
            self.site(Use.NEW, name, b.expr(Op.ATTR, draft.returns, CONSTRUCTORS), name, call=call)
        body = self._child(node, "class_body")
        if body is not None:
            draft.bases.append(draft.returns)
            draft.base_kinds.append("inherits")
            b.open_body(draft, body.start_byte, node.end_byte, "class")

    def on_anonymous(self, node: ts.Node) -> None:
        draft = self._anonymous_class(node)
        body = self._child(node, "class_body")
        start = body.start_byte if body is not None else node.end_byte
        self.b.open_body(draft, start, node.end_byte, "class")

    def _anonymous_class(self, node: ts.Node) -> Draft:
        known = self._anonymous.get(node.id)
        if known is None:
            known = self.b.define("<anonymous>", "anonymous", node, None, container=self.container(node.start_byte))
            known.flags |= Flag.MINOR
            self._bases(known, node)
            self._anonymous[node.id] = known
        return known

    def on_alias(self, node: ts.Node) -> None:
        name = self._child(node, "type_identifier")
        if name is not None:
            draft = self._define(node, name, "type")
            self._type_params(draft, node, self.b.open_scope("block", node.start_byte, node.end_byte, draft.index))
            draft.returns = self.type_expr(next((c for c in reversed(node.children) if c.type in _TYPE_NODES), None))

    # --- callables

    def on_callable(self, node: ts.Node) -> None:
        b = self.b
        constructor = node.type == "secondary_constructor"
        name_node = self._child(node, "constructor" if constructor else "simple_identifier")
        around = b.draft_at(node.start_byte)
        if name_node is None:
            return
        inside = around is not None and (around.kind in TYPE_KINDS or around.kind in ("anonymous", "enum_member"))
        kind = "constructor" if constructor else "method" if inside else "function"
        draft = self._define(node, name_node, kind, around.name if constructor and around is not None else "")
        body = self._child(node, "statements" if constructor else "function_body")
        delegation = self._child(node, "constructor_delegation_call")
        start = (delegation or body).start_byte if (delegation or body) is not None else node.end_byte  # type: ignore[union-attr]
        draft.signature = fold(
            b.slice(self._header_start(node), body.start_byte if body is not None else node.end_byte)
        )
        if constructor:
            draft.flags |= Flag.CONSTRUCTOR
        elif body is None:
            draft.flags |= Flag.ABSTRACT
        if kind == "function":
            self._bind_name(draft, node)
        scope = b.open_body(draft, start, node.end_byte, scope_start=node.start_byte)
        self._type_params(draft, node, scope)
        receiver = self._child(node, "receiver_type")
        if receiver is not None:
            draft.receiver = self.type_expr(self._child(receiver, *_TYPE_NODES))
            draft.flags |= Flag.EXTENSION
            b.bind(RECEIVER, "param", scope, b.scopes[scope].start, type_=draft.receiver)
        self._parameters(draft, self._child(node, "function_value_parameters"), scope)
        self._result(draft, node, body)

    def _result(self, draft: Draft, node: ts.Node, body: ts.Node | None) -> None:
        after = False
        for child in node.children:
            if child.type == "function_value_parameters":
                after = True
            elif after and child.type in _TYPE_NODES:
                draft.returns = self.type_expr(child)
                return
        if body is not None and self._has(body, "="):
            inner = self.first(body)
            if inner is not None:
                draft.returned.append(self.expr(inner))

    def _parameters(self, draft: Draft, parameters: ts.Node | None, scope: int) -> None:
        b = self.b
        star = ""
        for child in parameters.named_children if parameters is not None else ():
            if child.type == "parameter_modifiers":
                star = "*" if "vararg" in b.of(child) else ""
            elif child.type == "parameter":
                name = self._child(child, "simple_identifier")
                if name is None:
                    continue
                type_ = self.type_expr(self._child(child, *_TYPE_NODES))
                draft.params.append(Param(b.of(name), type_, NONE, star))
                declared = b.expr(Op.LITERAL, "[][]", type_) if star else type_
                b.bind(b.of(name), "param", scope, b.scopes[scope].start, type_=declared, name_node=name)
                star = ""
            elif draft.params and child.type not in self.comment_types:
                draft.params[-1] = Param(draft.params[-1].name, draft.params[-1].type, self.expr(child), "")

    # --- properties and locals

    def on_property(self, node: ts.Node) -> None:
        b = self.b
        declared = self._child(node, "variable_declaration")
        delegate = self._child(node, "property_delegate")
        value = self._initialiser(node)
        around = b.draft_at(node.start_byte)
        top = node.parent is not None and node.parent.type in ("source_file", "class_body", "enum_class_body")
        if not top:
            self._local_property(node, declared, value, delegate)
            return
        name = self._child(declared, "simple_identifier")
        if name is None:
            return
        accessors = self._accessors(node)
        kind = "property" if accessors else "field" if around is not None else "variable"
        draft = self._define(node, name, kind)
        draft.signature = fold(b.slice(self._header_start(node), (declared or name).end_byte))
        draft.returns = self.type_expr(self._child(declared, *_TYPE_NODES))
        receiver = self._child(node, "receiver_type")
        if receiver is not None:
            draft.receiver = self.type_expr(self._child(receiver, *_TYPE_NODES))
            draft.flags |= Flag.EXTENSION
        if value != NONE:
            draft.returned.append(value)
        if accessors:
            draft.end = max(draft.end, accessors[-1].end_byte)
            scope = b.open_body(draft, accessors[0].start_byte, accessors[-1].end_byte)
            if draft.receiver != NONE:
                b.bind(RECEIVER, "param", scope, b.scopes[scope].start, type_=draft.receiver)
            for accessor in accessors:
                parameter = self._child(accessor, "parameter_with_optional_type")
                handed = self._child(parameter, "simple_identifier")
                if handed is not None:
                    region = (accessor.start_byte, accessor.end_byte)
                    b.bind(
                        b.of(handed), "block", scope, region[0], region=region, type_=draft.returns, name_node=handed
                    )
            body = self._child(accessors[0], "function_body")
            if accessors[0].type == "getter" and body is not None and self._has(body, "="):
                inner = self.first(body)
                if inner is not None and draft.returns == NONE:
                    draft.returned.append(self.expr(inner))

    def _accessors(self, node: ts.Node) -> list[ts.Node]:
        found = [c for c in node.named_children if c.type in ("getter", "setter")]
        following = node.next_named_sibling
        while following is not None and following.type in ("getter", "setter"):
            found.append(following)
            following = following.next_named_sibling
        return [a for a in found if self._child(a, "function_body") is not None]

    def _initialiser(self, node: ts.Node) -> int:
        delegate = self._child(node, "property_delegate")
        if delegate is not None:
            inner = self.first(delegate)
            return self.b.expr(Op.ATTR, self.expr(inner), "value") if inner is not None else NONE
        equals = next((i for i, c in enumerate(node.children) if c.type == "="), -1)
        return self.expr(node.children[equals + 1]) if 0 <= equals < len(node.children) - 1 else NONE

    def _local_property(self, node: ts.Node, declared: ts.Node | None, value: int, delegate: ts.Node | None) -> None:
        region = (node.end_byte, self.region_end(node))  # not seen by its own value
        if declared is not None:
            self._declare(declared, value, region)
            return
        several = self._child(node, "multi_variable_declaration")
        if several is not None:
            self._destructure(several, value, region)

    def _declare(self, declared: ts.Node, value: int, region: tuple[int, int], at: ts.Node | None = None) -> None:
        name = self._child(declared, "simple_identifier") if declared.type != "simple_identifier" else declared
        if name is not None:
            self.bind_local(name, value, self.type_expr(self._child(declared, *_TYPE_NODES)), region, at)

    def _destructure(self, node: ts.Node, value: int, region: tuple[int, int], at: ts.Node | None = None) -> None:
        for place, part in enumerate(c for c in node.named_children if c.type == "variable_declaration"):
            self._declare(part, self.b.expr(Op.ITEM, value, place), region, at)

    def on_for_each(self, node: ts.Node) -> None:
        parts = self.real(node.named_children)
        variable = next((c for c in parts if c.type in ("variable_declaration", "multi_variable_declaration")), None)
        if variable is None:
            return
        iterated = next((c for c in parts if c.start_byte > variable.end_byte), None)
        value = self.b.expr(Op.ELEMENT, self.expr(iterated))
        region = (node.start_byte, node.end_byte)
        if variable.type == "variable_declaration":
            self._declare(variable, value, region)
        else:
            self._destructure(variable, value, region)

    def on_catch(self, node: ts.Node) -> None:
        name, type_ = self._child(node, "simple_identifier"), self._child(node, *_TYPE_NODES)
        if name is not None:
            self.bind_local(name, NONE, self.type_expr(type_), (node.start_byte, node.end_byte))

    def on_lambda(self, node: ts.Node) -> None:
        b = self.b
        region = (node.start_byte, node.end_byte)
        scope = b.scope_at(node.start_byte)
        if node.type == "anonymous_function":
            for child in (self._child(node, "function_value_parameters") or node).named_children:
                if child.type == "parameter":
                    self._declare(child, NONE, region, node)
            return
        parameters = self._child(node, "lambda_parameters")
        if self.expected(node) != NONE:
            b.bind(RECEIVER, "block", scope, node.start_byte, region=region, value=self.handed(node, -2))
            if parameters is None:
                b.bind("it", "block", scope, node.start_byte, region=region, value=self.handed(node, 0))
        for place, part in enumerate(self.real(parameters.named_children) if parameters is not None else ()):
            value = self.handed(node, place)
            if part.type == "multi_variable_declaration":
                self._destructure(part, value, region, node)
            else:
                self._declare(part, value, region, node)

    def read_expected(self, node: ts.Node) -> int:
        """The type that is expected where a lambda stands."""
        b = self.b
        parent = node.parent
        if parent is None:
            return NONE
        if parent.type == "annotated_lambda" and parent.parent is not None and parent.parent.parent is not None:
            call = self.expr(parent.parent.parent)
            place = len(b.exprs[call]) - 3
            return self._handed(parent.parent.parent, place) if b.exprs[call][0] == Op.CALL else NONE
        if parent.type == "value_argument" and parent.parent is not None:
            suffix = parent.parent.parent
            owner = suffix.parent if suffix is not None and suffix.type == "call_suffix" else suffix
            place = next((i for i, c in enumerate(self.real(parent.parent.named_children)) if c.id == parent.id), -1)
            if owner is None or owner.type not in ("call_expression", "constructor_invocation") or place < 0:
                return NONE
            return self._handed(owner, place) if b.exprs[self.expr(owner)][0] in (Op.CALL, Op.NEW) else NONE
        if parent.type == "parenthesized_expression":
            return self.expected(parent)
        return self._declared_place(parent, node)

    def _handed(self, owner: ts.Node, place: int) -> int:
        """What a call takes there, if its result is what its own place is declared to hold."""
        call = self.expr(owner)
        result = self._declared_place(owner.parent, owner) if owner.parent is not None else NONE
        if result != NONE:
            return self.b.expr(Op.EXPECTED, call, place, result)
        return self.b.expr(Op.ARGUMENT, call, place)

    def _declared_place(self, parent: ts.Node, node: ts.Node) -> int:
        """What a property or a function's result is declared to be."""
        b = self.b
        if parent.type == "property_declaration":
            declared = self._child(parent, "variable_declaration")
            type_ = self.type_expr(self._child(declared, *_TYPE_NODES))
            return b.expr(Op.CAST, type_, NONE) if type_ != NONE else NONE
        if parent.type == "function_body" or (parent.type == "jump_expression" and parent.children[0].type == "return"):
            draft = b.enclosing(node.start_byte, CALLABLE_KINDS)
            return b.expr(Op.CAST, draft.returns, NONE) if draft is not None and draft.returns != NONE else NONE
        return NONE

    # --- narrowing

    def on_if(self, node: ts.Node) -> None:
        condition = node.child_by_field_name("condition")
        body = node.child_by_field_name("consequence")
        if condition is not None and body is not None:
            self._narrow(condition, (body.start_byte, body.end_byte))

    def on_conjunction(self, node: ts.Node) -> None:
        parts = self.real(node.named_children)
        if len(parts) == 2:
            self._narrow(parts[0], (parts[1].start_byte, parts[1].end_byte))

    def _narrow(self, condition: ts.Node, region: tuple[int, int]) -> None:
        if condition.type in ("conjunction_expression", "parenthesized_expression"):
            for part in condition.named_children:
                self._narrow(part, region)
        elif condition.type == "check_expression" and not self._has(condition, "!is"):
            name, type_ = self.first(condition), self._child(condition, *_TYPE_NODES)
            if name is not None and name.type == "simple_identifier" and type_ is not None:
                self._narrowed(self.b.of(name), type_, region)

    def _narrowed(self, name: str, type_: ts.Node, region: tuple[int, int]) -> None:
        scope = self.b.scope_at(region[0])
        self.b.bind(name, "narrow", scope, region[0], region=region, type_=self.type_expr(type_))

    def on_when_subject(self, node: ts.Node) -> None:
        """`when (val x = ..)`."""
        declared, value = self._child(node, "variable_declaration"), node.named_children[-1]
        if declared is not None and node.parent is not None:
            self._declare(declared, self.expr(value), (value.end_byte, node.parent.end_byte))

    def on_when(self, node: ts.Node) -> None:
        subject = self._child(node.parent, "when_subject")
        body = self._child(node, "control_structure_body")
        conditions = [c for c in node.named_children if c.type == "when_condition"]
        if body is None or not conditions:
            return
        test = self._child(conditions[0], "type_test")
        region = (body.start_byte, body.end_byte)
        if len(conditions) > 1:
            if self.b.slice(conditions[0].end_byte, conditions[1].start_byte).strip() != "if":
                return
            region = (conditions[1].start_byte, body.end_byte)
        type_ = self._child(test, *_TYPE_NODES)
        if subject is None:
            inner = self.first(conditions[0])
            if inner is not None:
                self._narrow(inner, region)
        elif type_ is not None and test is not None and not self._has(test, "!is"):
            names = [c for c in subject.named_children if c.type in ("simple_identifier", "variable_declaration")]
            name = names[0] if names else None
            if name is not None and name.type == "variable_declaration":
                name = self._child(name, "simple_identifier")
            if name is not None:
                self._narrowed(self.b.of(name), type_, region)

    # --- sites

    def on_call(self, node: ts.Node) -> None:
        function = self.first(node)
        name = self._callee_name(function)
        if name is not None:
            self.site(Use.CALL, name, self.callee(node), node, call=self.expr(node), text=self.b.of(name).strip("`"))

    def _callee_name(self, function: ts.Node | None) -> ts.Node | None:
        if function is None:
            return None
        if function.type == "navigation_expression":
            return self._child(function.named_children[-1], "simple_identifier")
        return function if function.type == "simple_identifier" else None

    def on_constructor(self, node: ts.Node) -> None:
        type_ = self._child(node, "user_type")
        parent = node.parent
        if type_ is None or parent is None or parent.type not in ("delegation_specifier",):
            return
        target = self.type_expr(type_)
        call = self.b.expr(Op.NEW, target, *self._arguments(self._child(node, "value_arguments"), None))
        owner = next((d for d in reversed(self.b.symbols) if d.scope != NONE and d.start <= node.start_byte < d.end
                      and d.kind in _CLASS_KINDS), None)  # fmt: skip
        name = self._child(type_, "type_identifier") or type_
        who = self.caller(node.start_byte) if owner is None or owner.kind == "anonymous" else owner.index
        self.b.site(Use.CALL, self.b.of(name), self.b.expr(Op.ATTR, target, CONSTRUCTORS), name.start_byte,
                    name.end_byte, node.start_byte, call=call, caller=who)  # fmt: skip

    def on_delegation(self, node: ts.Node) -> None:
        b = self.b
        word = self._child(node, "this", "super")
        if word is not None:
            op = Op.SUPER if word.type == "super" else Op.THIS
            target = b.expr(Op.ATTR, b.expr(op, b.scope_at(node.start_byte)), CONSTRUCTORS)
            call = b.expr(Op.CALL, target, *self._arguments(self._child(node, "value_arguments"), None))
            self.site(Use.CALL, word, target, node, call=call)

    def on_reference(self, node: ts.Node) -> None:
        name = self._child(node, "simple_identifier")
        if name is not None:
            self.site(Use.VALUE, name, self.expr(node), node, call=self.expected(node))

    def on_member(self, node: ts.Node) -> None:
        parent = node.parent
        name = self._child(node.named_children[-1], "simple_identifier") if node.named_children else None
        if name is None or parent is None or parent.type == "call_expression":
            return
        written = parent.type == "directly_assignable_expression"
        kind = Use.WRITE if written else Use.READ if parent.type == "navigation_expression" else Use.VALUE
        self.site(kind, name, self.expr(node), node)

    def on_assigned(self, node: ts.Node) -> None:
        """`a.b[c].d = value`: the parser puts all that stands before the sign side by side."""
        b = self.b
        base, *suffixes = self.real(node.named_children)
        expr = self.expr(base)
        for suffix in suffixes:
            name = self._child(suffix, "simple_identifier") if suffix.type == "navigation_suffix" else None
            if name is None:
                keys = [self.expr(key) for key in self.real(suffix.named_children)]
                expr = b.expr(Op.CALL, b.expr(Op.ATTR, expr, "get()"), *keys)
                continue
            expr = b.expr(Op.ATTR, expr, b.of(name).strip("`"))
            self.site(Use.WRITE if suffix == suffixes[-1] else Use.READ, name, expr, node)
        if base.type == "simple_identifier" and suffixes:
            self._bare(Use.READ, base)

    def on_read(self, node: ts.Node) -> None:
        self._bare(Use.READ, node)

    def on_value(self, node: ts.Node) -> None:
        parent = node.parent
        named = parent.named_children if parent is not None and parent.type == "infix_expression" else []
        if len(named) < 2 or named[1] != node:
            self._bare(Use.VALUE, node)

    def on_written(self, node: ts.Node) -> None:
        self._bare(Use.WRITE, node)

    def _bare(self, kind: str, node: ts.Node) -> None:
        if not self.is_local(self.b.of(node).strip("`"), node.start_byte):
            self.site(kind, node, self.expr(node), node)

    def on_infix(self, node: ts.Node) -> None:
        parts = self.real(node.named_children)
        if len(parts) == 3:
            call = self.expr(node)
            self.site(Use.CALL, parts[1], self.b.exprs[call][1], node, call=call)

    def on_operator(self, node: ts.Node) -> None:
        parts = self.real(node.named_children)
        sign = next((c for c in node.children if c.type in _OPERATORS), None)
        if len(parts) == 2 and sign is not None and not parts[0].type.endswith("_literal"):
            call = self.expr(node)
            self.b.site(Use.CALL, "", self.b.exprs[call][1], sign.start_byte, sign.end_byte, node.start_byte,
                        call=call, caller=self.caller(node.start_byte))  # fmt: skip

    def on_indexing(self, node: ts.Node) -> None:
        suffix = self._child(node, "indexing_suffix")
        object_ = self.first(node)
        if suffix is not None and object_ is not None:
            call = self.expr(node)
            self.b.site(Use.CALL, "", self.b.exprs[call][1], suffix.start_byte, suffix.start_byte + 1,
                        node.start_byte, call=call, caller=self.caller(node.start_byte))  # fmt: skip

    def on_type(self, node: ts.Node) -> None:
        names = [c for c in node.named_children if c.type == "type_identifier"]
        if names:
            self.type_site(names[-1], self._named_type(node))

    # --- types

    def read_type(self, node: ts.Node) -> int:
        b = self.b
        if node.type == "user_type":
            arguments = next((c for c in reversed(node.named_children) if c.type == "type_arguments"), None)
            inner = [self.type_expr(c) for c in self.real(arguments.named_children)] if arguments is not None else []
            expr = self._named_type(node)
            return b.expr(Op.INDEX, expr, *inner) if inner else expr
        if node.type == "function_type":
            return self._function_type(node)
        if node.type in ("nullable_type", "parenthesized_type", "type_projection"):
            return (
                self.type_expr(self._child(node, *_TYPE_NODES))
                if self._child(node, *_TYPE_NODES)
                else b.expr(Op.TEXT, "*")
            )
        return b.expr(Op.TEXT, "")

    def _named_type(self, node: ts.Node) -> int:
        names = [c for c in node.named_children if c.type == "type_identifier"]
        if not names:
            return self.b.expr(Op.TEXT, "")
        known = self._callees.get(-node.id)
        if known is None:
            known = self.name_expr((TYPE_MARK if len(names) == 1 else "") + self.b.of(names[0]), names[0])
            for place, name in enumerate(names[1:], 2):
                mark = TYPE_MARK if place == len(names) else ""
                known = self.b.expr(Op.ATTR, known, mark + self.b.of(name))
            self._callees[-node.id] = known
        return known

    def _function_type(self, node: ts.Node) -> int:
        """Its result and parameters; with a receiver, that comes first."""
        parameters = self._child(node, "function_type_parameters")
        types: list[int] = []
        result = NONE
        receiver = NONE
        for child in node.named_children:
            if child.type in _TYPE_NODES and parameters is not None:
                if child.start_byte < parameters.start_byte:
                    receiver = self.type_expr(child)
                else:
                    result = self.type_expr(child)
            elif child.type == "receiver_type":
                receiver = self.type_expr(self._child(child, *_TYPE_NODES))
        for child in parameters.named_children if parameters is not None else ():
            inner = self._child(child, *_TYPE_NODES) if child.type == "parameter" else child
            if inner is not None and inner.type in _TYPE_NODES:
                types.append(self.type_expr(inner))
        if receiver != NONE:
            return self.b.expr(Op.LITERAL, "tuple:extension[]", result, receiver, *types)
        return self.b.expr(Op.FUNCTION, result, *types)

    # --- expressions

    def expr_simple_identifier(self, node: ts.Node) -> int:
        return self.name_expr(self.b.of(node).strip("`"), node)

    def expr_directly_assignable_expression(self, node: ts.Node) -> int:
        inner = self.first(node)
        return self.expr(inner)

    def expr_prefix_expression(self, node: ts.Node) -> int:
        return self.literal("Boolean") if node.children[0].type == "!" else self.expr(self.first(node))

    def expr_navigation_expression(self, node: ts.Node) -> int:
        return self._attribute(node, "")

    def _attribute(self, node: ts.Node, suffix: str) -> int:
        object_ = self.first(node)
        name = self._child(node.named_children[-1], "simple_identifier")
        if object_ is None or name is None:
            return self.b.expr(Op.TEXT, "")
        return self.b.expr(Op.ATTR, self.expr(object_), self.b.of(name).strip("`") + suffix)

    def read_callee(self, node: ts.Node) -> int:
        function = self.first(node)
        if function is None:
            expr = self.b.expr(Op.TEXT, "")
        elif function.type == "simple_identifier":
            expr = self.name_expr(self.b.of(function).strip("`") + "()", function)
        elif function.type == "navigation_expression":
            expr = self._attribute(function, "()")
        else:
            expr = self.expr(function)
        suffix = self._child(node, "call_suffix")
        arguments = self._child(suffix, "type_arguments")
        types = [self.type_expr(c) for c in self.real(arguments.named_children)] if arguments is not None else []
        return self.b.expr(Op.INDEX, expr, *types) if types else expr

    def _arguments(self, values: ts.Node | None, trailing: ts.Node | None) -> list[int]:
        b = self.b
        out: list[int] = []
        for argument in self.real(values.named_children)[:MAX_ARGUMENTS] if values is not None else ():
            parts = self.real(argument.named_children)
            if argument.type != "value_argument" or not parts:
                continue
            value = self.expr(parts[-1])
            named = self._has(argument, "=") and parts[0].type == "simple_identifier" and len(parts) > 1
            out.append(b.expr(Op.KEYWORD, b.of(parts[0]), value) if named else value)
        if trailing is not None:
            inner = self._child(trailing, "lambda_literal")
            if inner is not None:
                out.append(b.expr(Op.KEYWORD, TRAILING, self.expr(inner)))
        return out

    def expr_call_expression(self, node: ts.Node) -> int:
        suffix = self._child(node, "call_suffix")
        arguments = self._arguments(self._child(suffix, "value_arguments"), self._child(suffix, "annotated_lambda"))
        return self.b.expr(Op.CALL, self.callee(node), *arguments)

    def expr_constructor_invocation(self, node: ts.Node) -> int:
        target = self.type_expr(self._child(node, "user_type"))
        return self.b.expr(Op.NEW, target, *self._arguments(self._child(node, "value_arguments"), None))

    def expr_infix_expression(self, node: ts.Node) -> int:
        parts = self.real(node.named_children)
        if len(parts) != 3:
            return self.b.expr(Op.TEXT, "")
        callee = self.b.expr(Op.ATTR, self.expr(parts[0]), self.b.of(parts[1]) + "()")
        return self.b.expr(Op.CALL, callee, self.expr(parts[2]))

    def expr_additive_expression(self, node: ts.Node) -> int:
        parts = self.real(node.named_children)
        sign = next((c.type for c in node.children if c.type in _OPERATORS), "")
        if len(parts) != 2 or not sign:
            return self.b.expr(Op.TEXT, "")
        callee = self.b.expr(Op.ATTR, self.expr(parts[0]), _OPERATORS[sign] + "()")
        return self.b.expr(Op.CALL, callee, self.expr(parts[1]))

    def expr_range_expression(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "range", self.expr(self.first(node)))

    def expr_indexing_expression(self, node: ts.Node) -> int:
        suffix = self._child(node, "indexing_suffix")
        keys = [self.expr(c) for c in self.real(suffix.named_children)] if suffix is not None else []
        return self.b.expr(Op.CALL, self.b.expr(Op.ATTR, self.expr(self.first(node)), "get()"), *keys)

    def expr_callable_reference(self, node: ts.Node) -> int:
        b = self.b
        name, owner = self._child(node, "simple_identifier"), self._child(node, "type_identifier")
        if name is None:
            return self.literal("KClass")
        text = b.of(name).strip("`")
        if owner is not None:
            return b.expr(Op.ATTR, self.name_expr(b.of(owner), owner), text + "()")
        object_ = self.first(node)
        if object_ is not None and object_.id != name.id:
            return b.expr(Op.ATTR, self.expr(object_), text + "()")
        return self.name_expr(text + "()", name)

    def expr_as_expression(self, node: ts.Node) -> int:
        type_ = self.type_expr(next((c for c in reversed(node.named_children) if c.type in _TYPE_NODES), None))
        return self.b.expr(Op.CAST, type_, self.expr(self.first(node)))

    def expr_elvis_expression(self, node: ts.Node) -> int:
        parts = [p for p in self.real(node.named_children) if p.type != "jump_expression"]
        return self.b.expr(Op.UNION, *(self.expr(p) for p in parts))

    def expr_if_expression(self, node: ts.Node) -> int:
        parts = (node.child_by_field_name(f) for f in ("consequence", "alternative"))
        return self.b.expr(Op.UNION, *(self._last(p) for p in parts if p is not None))

    def _last(self, node: ts.Node) -> int:
        """What a block's last statement yields."""
        body = self._child(node, "statements") or node
        parts = self.real(body.named_children)
        return self.expr(parts[-1]) if parts and parts[-1].type not in ("jump_expression", "assignment") else NONE

    def expr_when_expression(self, node: ts.Node) -> int:
        bodies = (self._child(c, "control_structure_body") for c in node.named_children if c.type == "when_entry")
        results = [self._last(b) for b in bodies if b is not None][:16]
        return self.b.expr(Op.UNION, *(r for r in results if r != NONE))

    def expr_try_expression(self, node: ts.Node) -> int:
        return self._last(node)

    def expr_object_literal(self, node: ts.Node) -> int:
        return self.b.expr(Op.NEW, self.b.expr(Op.SYMBOL, self._anonymous_class(node).index))

    def expr_lambda_literal(self, node: ts.Node) -> int:
        parameters = self._child(node, "lambda_parameters")
        body = self._child(node, "statements")
        result = self._last(body) if body is not None else NONE
        scope = self.b.scope_at(node.start_byte)
        if parameters is None:  # `it`, or none at all
            return self.b.expr(Op.LAMBDA, scope, result)
        return self.b.expr(Op.LAMBDA, scope, result, len(self.real(parameters.named_children)))

    def expr_anonymous_function(self, node: ts.Node) -> int:
        parameters = self._child(node, "function_value_parameters")
        count = len([c for c in parameters.named_children if c.type == "parameter"]) if parameters is not None else 0
        return self.b.expr(Op.LAMBDA, self.b.scope_at(node.start_byte), NONE, count)

    def expr_this_expression(self, node: ts.Node) -> int:
        label = self._child(node, "type_identifier")
        if label is not None:
            return self.b.expr(Op.CAST, self.name_expr(TYPE_MARK + self.b.of(label), node), NONE)
        return self.name_expr(RECEIVER, node)

    def expr_super_expression(self, node: ts.Node) -> int:
        return self.b.expr(Op.SUPER, self.b.scope_at(node.start_byte))

    def expr_string_literal(self, node: ts.Node) -> int:
        return self.literal("String")

    def expr_integer_literal(self, node: ts.Node) -> int:
        return self.literal("Int")

    def expr_long_literal(self, node: ts.Node) -> int:
        return self.literal("Long")

    def expr_real_literal(self, node: ts.Node) -> int:
        return self.literal("Float" if self.b.of(node)[-1:] in "fF" else "Double")

    def expr_character_literal(self, node: ts.Node) -> int:
        return self.literal("Char")

    def expr_null_literal(self, node: ts.Node) -> int:
        return self.literal("null")

    def expr_boolean_literal(self, node: ts.Node) -> int:
        return self.literal("Boolean")


_MODIFIER_FLAGS = {
    "abstract": Flag.ABSTRACT,
    "override": Flag.OVERRIDE,
    "open": Flag.VIRTUAL,
    "final": Flag.FINAL,
    "suspend": Flag.ASYNC,
    "const": Flag.STATIC,
}

RULES = KotlinRules
