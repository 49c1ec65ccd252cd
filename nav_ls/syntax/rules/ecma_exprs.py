"""TypeScript and JavaScript: expressions and types → the expression table.

Names of types live beside names of values in these languages (`interface A` and `const A` are two things), so a
name in type position is looked up with a colon before it: `:A`.  Classes, enums and imports answer to both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

import tree_sitter as ts

from nav_ls.syntax.builder import fold
from nav_ls.syntax.facts import NONE, Import, Op
from nav_ls.syntax.rules.base import Rules

_MAX_ELEMENTS = 24  # of an argument list or an array: more say nothing new about its type
_MAX_MEMBERS = 400  # of an object: each of them can be asked for
WRAPPERS = frozenset(
    {
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
        "type_assertion",
    }
)
FUNCTION_NODES = frozenset({"function_expression", "arrow_function", "generator_function"})
_SHORT = 42  # bytes of a string whose value is kept
SUBJECTS = frozenset({"identifier", "member_expression"})
"""Expressions of which conditions may tell something."""
_NO_VALUES = frozenset({"undefined", "null"})
_UNTYPED = frozenset({"any", "unknown", "object", "void", "never", "undefined", "null"})


class Expressions(Rules):
    """Converters `expr_<node type>`; type nodes have other node types than expressions, so they share the table."""

    like: ClassVar[Mapping[str, str]] = {
        "function_expression": "arrow_function",
        "generator_function": "arrow_function",
        "class": "arrow_function",
        "function_declaration": "arrow_function",
        "generator_function_declaration": "arrow_function",
        "method_definition": "arrow_function",
        "class_declaration": "arrow_function",
        "abstract_class_declaration": "arrow_function",
        "shorthand_property_identifier": "identifier",
        "number": "update_expression",
        "index_type_query": "template_string",
        "template_literal_type": "template_string",
        "false": "true",
        "asserts_annotation": "type_predicate_annotation",
        "asserts": "type_predicate_annotation",
        "jsx_self_closing_element": "jsx_element",
        "parenthesized_type": "optional_type",
        "readonly_type": "optional_type",
        "rest_type": "optional_type",
        "intersection_type": "union_type",
        "call_signature": "function_type",
        "construct_signature": "constructor_type",
    }

    narrowed: dict[str, list[tuple[int, int, int]]]
    """Text of a member expression → stretches (start, end) in which a condition tells what it is (an expression)."""

    def text_of(self, node: ts.Node) -> str:
        """A property's or string's name without quotes."""
        text = self.b.of(node)
        return text[1:-1] if node.type == "string" else text

    def member_name(self, name: ts.Node) -> str:
        """What a member is called: `[key]` where its name is computed."""
        if name.type == "computed_property_name":
            return "[" + fold(self.b.slice(name.start_byte + 1, name.end_byte - 1), 60) + "]"
        return self.text_of(name)

    def unknown(self) -> int:
        """An expression that nothing is known about."""
        return self.b.expr(Op.TEXT, "")

    # --- functions and classes are filled in when their own node is reached

    def placeholder(self, node: ts.Node) -> int:
        """The expression of a function or class that has not been read yet."""
        return self.expr(node)

    def expr_arrow_function(self, node: ts.Node) -> int:
        return self.unknown()

    # --- names and members

    def expr_identifier(self, node: ts.Node) -> int:
        b = self.b
        return b.expr(Op.NAME, b.of(node), b.scope_at(node.start_byte), node.start_byte)

    def expr_this(self, node: ts.Node) -> int:
        return self.b.expr(Op.THIS, self.b.scope_at(node.start_byte))

    def expr_super(self, node: ts.Node) -> int:
        return self.b.expr(Op.SUPER, self.b.scope_at(node.start_byte))

    def expr_member_expression(self, node: ts.Node) -> int:
        object_, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        if object_ is not None and object_.type == "call_expression" and is_import(object_) and in_type(node):
            target = self.module_expr(object_, "type")
            return self.b.expr(Op.ATTR, target, ":" + (self.b.of(name) if name is not None else ""))
        return self.b.expr(Op.ATTR, self._object(object_), self.b.of(name) if name is not None else "")

    def _object(self, node: ts.Node | None) -> int:
        """The object of a member expression, seen as what conditions around it have told of it."""
        if self.narrowed and node is not None and node.type == "member_expression":
            for start, end, value in reversed(self.narrowed.get(self.b.of(node), ())):
                if start <= node.start_byte < end:
                    return value
        return self.expr(node)

    def narrow_member(self, subject: ts.Node, how: str, test: int, region: tuple[int, int]) -> None:
        """What a condition tells of a member expression holds in a stretch of code."""
        value = self.b.expr(Op.NARROWED, self._object(subject), how, test)
        self.narrowed.setdefault(self.b.of(subject), []).append((*region, value))

    def _guard(self, condition: ts.Node | None, guarded: ts.Node | None, holds: bool = True) -> None:
        """An expression that is evaluated only where a condition holds (or does not): what that tells of members."""
        if condition is None or guarded is None:
            return
        for subject, how, test in self.tests(condition, holds):
            if subject.type == "member_expression":
                self.narrow_member(subject, how, test, (guarded.start_byte, guarded.end_byte))

    def tests(self, condition: ts.Node, holds: bool) -> Iterator[tuple[ts.Node, str, int]]:
        """What a condition tells where it holds (or does not): subject, how and test, as in `Op.NARROWED`."""
        node = unwrap(condition)
        if node is None:
            return
        if node.type == "unary_expression":
            sign, argument = node.child_by_field_name("operator"), node.child_by_field_name("argument")
            if sign is not None and sign.type == "!" and argument is not None:
                yield from self.tests(argument, not holds)
        elif node.type == "call_expression":
            function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            subject = first(arguments) if arguments is not None else None
            if function is not None and function.type in SUBJECTS and subject is not None and subject.type in SUBJECTS:
                yield subject, "passes" if holds else "fails", self.expr(function)
        elif node.type == "member_expression":  # `result.ok`
            key, subject = node.child_by_field_name("property"), node.child_by_field_name("object")
            if key is not None and subject is not None and subject.type in SUBJECTS:
                other = self.b.expr(Op.CONST, "boolean", "false" if holds else "true")
                yield subject, "differs", self.b.expr(Op.KEYWORD, self.b.of(key), other)
        elif node.type == "binary_expression":
            yield from self._compared(node, holds)

    def _compared(self, node: ts.Node, holds: bool) -> Iterator[tuple[ts.Node, str, int]]:
        left, right, sign = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        if left is None or right is None or sign is None:
            return
        if sign.type == ("&&" if holds else "||"):
            yield from self.tests(left, holds)
            yield from self.tests(right, holds)
        elif sign.type in ("&&", "||"):
            yield from self._either(list(self.tests(left, holds)), list(self.tests(right, holds)))
        elif sign.type == "instanceof" and left.type in SUBJECTS:
            yield left, "instance" if holds else "no instance", self.expr(right)
        elif sign.type == "in" and left.type == "string" and right.type in SUBJECTS:
            yield right, "has" if holds else "has not", self.constant(left)
        elif sign.type in ("===", "==", "!==", "!="):
            equal = holds == sign.type.startswith("=")
            if left.type == "unary_expression":
                yield from self.sort_test(left, [right], equal)
                return
            member, constant = (left, right) if left.type == "member_expression" else (right, left)
            yield from self.key_test(member, [constant], equal)

    def _either(
        self, left: list[tuple[ts.Node, str, int]], right: list[tuple[ts.Node, str, int]]
    ) -> Iterator[tuple[ts.Node, str, int]]:
        """What is known of a subject where one of two conditions holds, if both tell something of it alone."""
        if len(left) != 1 or len(right) != 1 or self.b.of(left[0][0]) != self.b.of(right[0][0]):
            return
        parts = (self.b.expr(Op.KEYWORD, how, test) for _, how, test in (*left, *right))
        yield left[0][0], "either", self.b.expr(Op.UNION, *parts)

    def sort_test(
        self, operation: ts.Node, constants: list[ts.Node], equal: bool
    ) -> Iterator[tuple[ts.Node, str, int]]:
        """`typeof subject === constant`."""
        sign, subject = operation.child_by_field_name("operator"), unwrap(operation.child_by_field_name("argument"))
        if sign is None or sign.type != "typeof" or subject is None or subject.type not in SUBJECTS:
            return
        names = [self.text_of(c) for c in constants if c.type == "string"]
        if len(names) == len(constants) and not _NO_VALUES.intersection(names):
            parts = [self.b.expr(Op.CONST, "string", name) for name in names]
            test = parts[0] if len(parts) == 1 else self.b.expr(Op.UNION, *parts)
            yield subject, "sort" if equal else "other sort", test

    def key_test(self, member: ts.Node, constants: list[ts.Node], equal: bool) -> Iterator[tuple[ts.Node, str, int]]:
        """`subject.key === constant` tells a subject of several types by the literal types of their `key`."""
        key, subject = member.child_by_field_name("property"), member.child_by_field_name("object")
        parts = [self.constant(c) for c in constants]
        if key is None or subject is None or subject.type not in SUBJECTS or NONE in parts:
            return
        test = parts[0] if len(parts) == 1 else self.b.expr(Op.UNION, *parts)
        yield subject, "equals" if equal else "differs", self.b.expr(Op.KEYWORD, self.b.of(key), test)

    def constant(self, node: ts.Node) -> int:
        """A string, number, boolean or enum member as a constant; -1 for anything else."""
        if node.type == "string":
            return self.b.expr(Op.CONST, "string", self.text_of(node))
        if node.type in ("number", "true", "false"):
            return self.b.expr(Op.CONST, "number" if node.type == "number" else "boolean", self.b.of(node))
        if node.type == "member_expression" and node.named_children[0].type == "identifier":
            return self.b.expr(Op.CONST, "enum", self.b.of(node))
        return NONE

    def expr_subscript_expression(self, node: ts.Node) -> int:
        object_, index = self.expr(node.child_by_field_name("object")), node.child_by_field_name("index")
        if index is not None and index.type == "string":
            return self.b.expr(Op.ATTR, object_, self.text_of(index))
        if index is not None and index.type == "number" and self.b.of(index).isdecimal():
            return self.b.expr(Op.ITEM, object_, int(self.b.of(index)))
        return self.b.expr(Op.INDEX, object_, self.expr(index))

    # --- calls

    def expr_call_expression(self, node: ts.Node) -> int:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None:
            return self.unknown()
        if is_import(node):
            return self.b.expr(Op.LITERAL, "Promise", self.module_expr(node, "dynamic"))
        if self.is_require(node):
            return self.module_expr(node, "require")
        if function.type == "await_expression" and (awaited := first(function)) is not None:
            # the grammar reads `await f<T>(x)` as a call of `await f`
            call = self.b.expr(Op.CALL, self._applied(awaited, node), *self._arguments(arguments))
            return self.b.expr(Op.AWAIT, call)
        callee = self._applied(function, node)
        return self.b.expr(Op.CALL, callee, *self._arguments(arguments))

    def expr_new_expression(self, node: ts.Node) -> int:
        made = node.child_by_field_name("constructor")
        if made is None:
            return self.unknown()
        return self.b.expr(Op.NEW, self._applied(made, node), *self._arguments(node.child_by_field_name("arguments")))

    def _applied(self, callee: ts.Node, node: ts.Node) -> int:
        """The callee with the type arguments of the call, where there are any."""
        index = self.expr(callee)
        types = node.child_by_field_name("type_arguments")
        if types is None:
            return index
        return self.b.expr(Op.GENERIC, index, *(self.expr(t) for t in types.named_children))

    def _arguments(self, node: ts.Node | None) -> list[int]:
        if node is None or node.type != "arguments":
            return []
        children = [c for c in node.named_children if c.type != "comment"]
        return [self.expr(c) for c in children[:_MAX_ELEMENTS]]

    def expr_spread_element(self, node: ts.Node) -> int:
        return self.b.expr(Op.SPREAD, self.expr(first(node)))

    def is_require(self, node: ts.Node) -> bool:
        """Is it `require("...")`?"""
        function = node.child_by_field_name("function")
        return (
            function is not None
            and function.type == "identifier"
            and self.b.of(function) == "require"
            and self._module_string(node) is not None
        )

    def _module_string(self, node: ts.Node) -> ts.Node | None:
        arguments = node.child_by_field_name("arguments")
        child = first(arguments) if arguments is not None else None
        return child if child is not None and child.type == "string" else None

    def module_expr(self, node: ts.Node, kind: str) -> int:
        """The module that a `require` or `import()` names, entered as an import once."""
        return (
            self.once(node, lambda _, n: self._module_expr(n, kind))
            if kind == "type"
            else self._module_expr(node, kind)
        )

    def _module_expr(self, node: ts.Node, kind: str) -> int:
        string = self._module_string(node)
        if string is None:
            return self.unknown()
        b = self.b
        module = self.text_of(string)
        b.imports.append(Import(module, "", "", b.scope_at(node.start_byte), node.start_byte, node.end_byte, kind))
        return b.expr(Op.IMPORT, len(b.imports) - 1)

    # --- operators

    def expr_parenthesized_expression(self, node: ts.Node) -> int:
        inner = first(node)
        if inner is None:
            return self.unknown()
        type_ = self.cast_type(node)
        return self.expr(inner) if type_ == NONE else self.b.expr(Op.CAST, type_, self.expr(inner))

    def cast_type(self, node: ts.Node) -> int:
        """The type in a comment before parentheses (`/** @type {T} */ (x)`); -1 for none."""
        return NONE

    def expr_non_null_expression(self, node: ts.Node) -> int:
        inner = first(node)
        return self.expr(inner) if inner is not None else self.unknown()

    def expr_sequence_expression(self, node: ts.Node) -> int:
        return self.expr(node.named_children[-1]) if node.named_children else self.unknown()

    def expr_as_expression(self, node: ts.Node) -> int:
        parts = [c for c in node.named_children if c.type != "comment"]
        if len(parts) < 2:  # `as const`
            return self.expr(parts[0]) if parts else self.unknown()
        inner = unwrap(parts[0])
        if inner is not None and inner.type in FUNCTION_NODES:
            return self.expr(inner)  # the function itself says more than what it is made to look like
        return self.b.expr(Op.CAST, self.expr(parts[1]), self.expr(parts[0]))

    def expr_satisfies_expression(self, node: ts.Node) -> int:
        inner = first(node)
        return self.expr(inner) if inner is not None else self.unknown()

    def expr_type_assertion(self, node: ts.Node) -> int:
        parts = node.named_children
        if len(parts) == 2 and parts[0].named_children:
            return self.b.expr(Op.CAST, self.expr(parts[0].named_children[0]), self.expr(parts[1]))
        return self.expr(parts[-1]) if parts else self.unknown()

    def expr_assignment_expression(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("right"))

    def expr_augmented_assignment_expression(self, node: ts.Node) -> int:
        return self.b.expr(Op.UNION, *(self.expr(node.child_by_field_name(f)) for f in ("left", "right")))

    def expr_ternary_expression(self, node: ts.Node) -> int:
        condition = node.child_by_field_name("condition")
        self._guard(condition, node.child_by_field_name("consequence"))
        self._guard(condition, node.child_by_field_name("alternative"), False)
        return self.b.expr(Op.UNION, *(self.expr(node.child_by_field_name(f)) for f in ("consequence", "alternative")))

    def expr_await_expression(self, node: ts.Node) -> int:
        return self.b.expr(Op.AWAIT, self.expr(first(node)))

    def expr_binary_expression(self, node: ts.Node) -> int:
        left, right, sign = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        operator = sign.type if sign is not None else ""
        if operator in ("||", "??"):
            if operator == "||":
                self._guard(left, right, False)
            return self.b.expr(Op.UNION, self.expr(left), self.expr(right))
        if operator == "&&":
            self._guard(left, right)
            return self.expr(right)
        if operator in ("==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"):
            return self.b.expr(Op.LITERAL, "boolean")
        return self.b.expr(Op.LITERAL, "primitive")

    def expr_unary_expression(self, node: ts.Node) -> int:
        sign = node.child_by_field_name("operator")
        operator = sign.type if sign is not None else ""
        return self.b.expr(
            Op.LITERAL, {"typeof": "string", "!": "boolean", "delete": "boolean"}.get(operator, "number")
        )

    def expr_update_expression(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "number")

    # --- literals

    def expr_string(self, node: ts.Node) -> int:
        short = node.end_byte - node.start_byte <= _SHORT
        return self.b.expr(Op.CONST, "string", self.text_of(node)) if short else self.b.expr(Op.LITERAL, "string")

    def expr_template_string(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "string")

    def expr_true(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "boolean")

    def expr_type_predicate(self, node: ts.Node) -> int:
        """`x is T`: a boolean that says what its argument is."""
        return self.b.expr(Op.LITERAL, "is[]", self.type_expr(node.child_by_field_name("type")))

    def expr_type_predicate_annotation(self, node: ts.Node) -> int:
        inner = first(node)
        return self.expr(inner) if inner is not None else self.unknown()

    def expr_regex(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "RegExp")

    def expr_meta_property(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "import.meta")

    def expr_jsx_element(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "JSX.Element")

    def expr_array(self, node: ts.Node) -> int:
        children = [c for c in node.named_children if c.type != "comment"]
        name = "Array" if len(children) > 8 or any(c.type == "spread_element" for c in children) else "tuple"
        parts = [
            self.b.expr(Op.ELEMENT, self.expr(first(c))) if c.type == "spread_element" else self.expr(c)
            for c in children[:_MAX_ELEMENTS]
        ]
        return self.b.expr(Op.LITERAL, name, *parts)

    def expr_object(self, node: ts.Node) -> int:
        parts: list[int] = []
        for child in node.named_children[:_MAX_MEMBERS]:
            part = self._entry(child)
            if part != NONE:
                parts.append(part)
        return self.b.expr(Op.OBJECT, NONE, *parts)

    def _entry(self, child: ts.Node) -> int:
        b = self.b
        if child.type == "spread_element":
            return b.expr(Op.SPREAD, self.expr(first(child)))
        if child.type == "shorthand_property_identifier":
            return b.expr(Op.KEYWORD, b.of(child), self.expr(child))
        if child.type == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            return b.expr(Op.KEYWORD, self.member_name(key), self.expr(value)) if key is not None else NONE
        if child.type == "method_definition":
            name = child.child_by_field_name("name")
            return b.expr(Op.KEYWORD, self.member_name(name), self.placeholder(child)) if name is not None else NONE
        return NONE

    # --- types

    def type_expr(self, node: ts.Node | None) -> int:
        """A type annotation (with or without its colon) as an expression; -1 for none."""
        if node is None:
            return NONE
        if node.type.endswith("_annotation"):
            inner = first(node)
            return self.expr(inner) if inner is not None else NONE
        return self.expr(node)

    def expr_type_annotation(self, node: ts.Node) -> int:
        return self.type_expr(node)

    def expr_type_identifier(self, node: ts.Node) -> int:
        b = self.b
        return b.expr(Op.NAME, ":" + b.of(node), b.scope_at(node.start_byte), node.start_byte)

    def expr_nested_type_identifier(self, node: ts.Node) -> int:
        module, name = node.child_by_field_name("module"), node.child_by_field_name("name")
        return self.b.expr(Op.ATTR, self.expr(module), ":" + (self.b.of(name) if name is not None else ""))

    def expr_nested_identifier(self, node: ts.Node) -> int:
        object_, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        return self.b.expr(Op.ATTR, self.expr(object_), self.b.of(name) if name is not None else "")

    def expr_predefined_type(self, node: ts.Node) -> int:
        text = self.b.of(node)
        return self.unknown() if text in _UNTYPED else self.b.expr(Op.LITERAL, text)

    def expr_literal_type(self, node: ts.Node) -> int:
        inner = first(node)
        if inner is None or inner.type in ("null", "undefined"):
            return self.unknown()
        constant = self.constant(inner)
        return constant if constant != NONE else self.expr(inner)

    def expr_this_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "this")

    def expr_generic_type(self, node: ts.Node) -> int:
        name, types = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
        arguments = types.named_children if types is not None else []
        index = self.expr(name)
        if name is not None and name.type == "identifier":
            index = self.b.expr(Op.NAME, ":" + self.b.of(name), self.b.scope_at(name.start_byte), name.start_byte)
        return self.b.expr(Op.GENERIC, index, *(self.expr(a) for a in arguments))

    def expr_instantiation_expression(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("function"))

    def expr_array_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "Array[]", self.expr(first(node)))

    def expr_tuple_type(self, node: ts.Node) -> int:
        parts: list[int] = []
        for child in node.named_children:
            if child.type in ("rest_type",):
                return self.b.expr(Op.LITERAL, "Array[]", *parts, self.b.expr(Op.ELEMENT, self._cast(first(child))))
            inner = child.child_by_field_name("type") if child.type.endswith("_parameter") else child
            parts.append(self.type_expr(inner))
        return self.b.expr(Op.LITERAL, "tuple[]", *parts)

    def _cast(self, node: ts.Node | None) -> int:
        return self.b.expr(Op.CAST, self.expr(node), NONE)

    def expr_optional_type(self, node: ts.Node) -> int:
        inner = first(node)
        return self.expr(inner) if inner is not None else self.unknown()

    def expr_union_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.UNION, *(self.expr(c) for c in node.named_children if c.type != "comment"))

    def _own_types(self, node: ts.Node, names: Iterable[ts.Node | None], end: int) -> None:
        """The names of types that hold inside of one type only."""
        known = [name for name in names if name is not None]
        if not known:
            return
        scope = self.b.open_scope("block", node.start_byte, end)
        for name in known:
            self.b.bind(":" + self.b.of(name), "typeparam", scope, 0, name_node=name)

    def _generic(self, node: ts.Node) -> None:
        parameters = node.child_by_field_name("type_parameters")
        if parameters is not None:
            names = (child.child_by_field_name("name") for child in parameters.named_children)
            self._own_types(node, names, node.end_byte)

    def expr_function_type(self, node: ts.Node) -> int:
        self._generic(node)
        result = self.type_expr(node.child_by_field_name("return_type") or node.child_by_field_name("type"))
        return self.b.expr(Op.FUNCTION, result, *self._parameter_types(node))

    def expr_constructor_type(self, node: ts.Node) -> int:
        self._generic(node)
        result = self.type_expr(node.child_by_field_name("type"))
        return self.b.expr(Op.LITERAL, "new[]", result, *self._parameter_types(node))

    def _parameter_types(self, node: ts.Node) -> list[int]:
        parameters = node.child_by_field_name("parameters")
        out: list[int] = []
        for child in parameters.named_children if parameters is not None else ():
            pattern = child.child_by_field_name("pattern")
            if pattern is not None and pattern.type != "this":
                type_ = self.type_expr(child.child_by_field_name("type"))
                rest = self.b.exprs[type_] if pattern.type == "rest_pattern" and type_ != NONE else ()
                if rest and rest[:2] == (Op.LITERAL, "tuple[]"):
                    out += rest[2:]
                else:
                    out.append(self.b.expr(Op.SPREAD, type_) if rest else type_)
        return out

    def expr_type_query(self, node: ts.Node) -> int:
        inner = first(node)
        if inner is not None and inner.type == "call_expression" and is_import(inner):
            return self.b.expr(Op.TYPEOF, self.module_expr(inner, "type"))
        return self.b.expr(Op.TYPEOF, self.expr(inner))

    def expr_lookup_type(self, node: ts.Node) -> int:
        parts = node.named_children
        if len(parts) != 2:
            return self.unknown()
        held, key = self._cast(parts[0]), parts[1]
        if key.type == "literal_type" and key.named_children and key.named_children[0].type == "string":
            return self.b.expr(Op.ATTR, held, self.text_of(key.named_children[0]))
        if key.type == "predefined_type" and self.b.of(key) == "number":
            return self.b.expr(Op.ELEMENT, held)
        return self.unknown()

    def expr_conditional_type(self, node: ts.Node) -> int:
        yes, no = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        if yes is None or no is None:
            return self.unknown()
        self._own_types(node, _inferred(node.child_by_field_name("right")), yes.end_byte)
        if no.type == "predefined_type" and self.b.of(no) == "never":
            return self.expr(yes)
        if yes.type == "predefined_type" and self.b.of(yes) == "never":
            return self.expr(no)
        return self.b.expr(Op.CHOICE, self.expr(yes), self.expr(no))

    def expr_object_type(self, node: ts.Node) -> int:
        b = self.b
        parts: list[int] = []
        for child in node.named_children[:_MAX_MEMBERS]:
            name = child.child_by_field_name("name")
            if child.type == "property_signature" and name is not None:
                parts.append(b.expr(Op.KEYWORD, self.member_name(name), self.expr(child)))
            elif child.type == "method_signature" and name is not None:
                parts.append(b.expr(Op.KEYWORD, self.member_name(name), self.placeholder(child)))
            elif child.type in ("call_signature", "construct_signature"):
                key = "()" if child.type == "call_signature" else "new()"
                parts.append(b.expr(Op.KEYWORD, key, b.expr(Op.CAST, self.expr(child), NONE)))
            elif child.type == "index_signature":
                return self._indexed(child)
        return b.expr(Op.OBJECT, NONE, *parts)

    def expr_property_signature(self, node: ts.Node) -> int:
        """What a property of an object type holds; the definition of the property refers to this very expression."""
        return self.b.expr(Op.CAST, self.type_expr(node.child_by_field_name("type")), NONE)

    def _indexed(self, node: ts.Node) -> int:
        """`{ [key: string]: V }`; a mapped type that keeps its source's members is that source."""
        mapped = next((c for c in node.named_children if c.type == "mapped_type_clause"), None)
        value = node.child_by_field_name("type")
        if mapped is not None:
            self._own_types(node, [mapped.child_by_field_name("name")], node.end_byte)
        inner = first(value) if value is not None else None
        if inner is not None and inner.type == "conditional_type":
            inner = inner.child_by_field_name("left")
        if mapped is not None and inner is not None and inner.type == "lookup_type":
            keys = mapped.child_by_field_name("type")
            source = first(keys) if keys is not None and keys.type == "index_type_query" else None
            if source is not None and self.b.of(inner.named_children[0]) == self.b.of(source):
                return self.expr(source)
        if mapped is not None and inner is not None and inner.type not in ("type_identifier", "generic_type"):
            return self.unknown()
        return self.b.expr(Op.LITERAL, "Record[]", self.b.expr(Op.LITERAL, "string"), self.type_expr(value))

    def expr_method_signature(self, node: ts.Node) -> int:
        return self.unknown()


def first(node: ts.Node) -> ts.Node | None:
    """The first child that is code."""
    return next((c for c in node.named_children if c.type != "comment"), None)


def _inferred(node: ts.Node | None) -> Iterator[ts.Node]:
    """The names that `infer` gives to parts of a type."""
    todo = [node] if node is not None else []
    while todo:
        current = todo.pop()
        if current.type == "infer_type":
            yield from current.named_children[:1]
        elif current.type != "conditional_type":
            todo += current.named_children


def is_import(node: ts.Node) -> bool:
    """Is it `import("...")`?"""
    function = node.child_by_field_name("function")
    return function is not None and function.type == "import"


def in_type(node: ts.Node) -> bool:
    """Does a member expression stand in type position (`import("x").Y`)?"""
    parent = node.parent
    while parent is not None and parent.type in ("member_expression", "generic_type", "nested_type_identifier"):
        parent = parent.parent
    return parent is not None and (
        parent.type.endswith("_type") or parent.type in ("type_annotation", "type_arguments", "type_alias_declaration")
    )


def unwrap(node: ts.Node | None) -> ts.Node | None:
    """The expression inside of parentheses and casts."""
    while node is not None and node.type in WRAPPERS:
        node = node.named_children[-1] if node.type == "type_assertion" and node.named_children else first(node)
    return node
