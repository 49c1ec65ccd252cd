"""PHP: what its tree means.

Variables and properties carry their `$` in names (`$x`), functions their brackets (`f()`), so that the three
name spaces of the language stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import NONE, TYPE_KINDS, Expr, Flag, Import, Op, Param, TypeParam, Use
from nav_ls.syntax.rules import php_doc
from nav_ls.syntax.rules.base import Rules
from nav_ls.text.comments import clean_comment, comment_above

_FUNCTION_KINDS = ("function", "method", "constructor")
_MAX_ELEMENTS = 24
_LONGEST_KEY = 42
_DEEPEST_TYPE = 6
_NAMES = frozenset({"name", "qualified_name", "relative_scope", "named_type"})
_DOC_TYPE = re.compile(r"(\\?[A-Za-z_$][\w\\-]*)\s*([<{(].*)?", re.S)
_ITERABLES = frozenset(
    "array list iterable iterator iteratoraggregate generator traversable arrayobject arrayiterator"
    " splqueue splstack spldoublylinkedlist splobjectstorage splfixedarray splpriorityqueue".split()
)
_BLOCKS = frozenset({"compound_statement", "program", "case_statement", "default_statement", "colon_block"})
_LEAVING = frozenset(
    {"return_statement", "continue_statement", "break_statement", "throw_expression", "exit_statement"}
)
_HERITAGE = ("base_clause", "class_interface_clause")
_CALLS = frozenset(
    "function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression".split()
)
_ASSERTIONS = {"assertInstanceOf": (1, 0), "isInstanceOf": (0, 1)}
"""Assertions of PHPUnit and others → the places of their subject and of its class."""
_SCALARS = frozenset(
    "int string float bool array mixed void null callable iterable object never false true integer boolean double resource".split()
)
_TEST_PATH = re.compile(r"(^|/)tests?/|Test\.php$", re.I)


class _Closure(NamedTuple):
    """A function in an expression: names that it takes from outside, names of its own that have been bound."""

    start: int
    end: int
    used: set[str]
    bound: set[str]


class PhpRules(Rules):
    """Handlers for the captures of `queries/php/facts.scm`."""

    like: ClassVar[Mapping[str, str]] = {
        "qualified_name": "name",
        "relative_scope": "name",
        "nullsafe_member_access_expression": "member_access_expression",
        "member_call_expression": "function_call_expression",
        "nullsafe_member_call_expression": "function_call_expression",
        "scoped_call_expression": "function_call_expression",
        "clone_expression": "parenthesized_expression",
        "by_ref": "parenthesized_expression",
        "encapsed_string": "string",
        "nowdoc": "heredoc",
        "boolean": "float",
        "unary_op_expression": "float",
        "cast_expression": "float",
    }

    def begin(self, root: ts.Node) -> None:
        if _TEST_PATH.search(self.path):
            self.b.flags |= Flag.TEST
        self._templates: dict[str, str] = {}  # type parameters of doc comments → their bounds
        self._own_templates: frozenset[str] = frozenset()  # those of the function whose comment is read
        self._returning = False
        self._closures: list[_Closure] = []  # those that may still be open, the innermost last
        self._narrowed: dict[str, list[tuple[int, int, int]]] = {}  # text of a member → (start, end, what it is there)

    # --- names

    def on_namespace(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        if name is not None and not self.b.package:
            self.b.package = self.b.of(name).replace(" ", "")

    def on_use(self, node: ts.Node) -> None:
        b = self.b
        prefix = next((b.of(c) for c in node.named_children if c.type == "namespace_name"), "")
        function = any(c.type == "function" for c in node.children)
        constant = any(c.type == "const" for c in node.children)
        body = node.child_by_field_name("body")
        for clause in (body if body is not None else node).named_children:
            if clause.type != "namespace_use_clause" or not clause.named_children:
                continue
            target = b.of(clause.named_children[0]).strip("\\")
            full = f"{prefix}\\{target}" if prefix else target
            alias = clause.child_by_field_name("alias")
            name = b.of(alias) if alias is not None else full.rpartition("\\")[2]
            own = function or any(c.type == "function" for c in clause.children)
            kind = "function" if own else "const" if constant else ""
            b.imports.append(Import(full, full.rpartition("\\")[2], name, 0, clause.start_byte, clause.end_byte, kind))
            bound = name + "()" if own else name
            b.bind(bound, "import", 0, clause.start_byte, value=len(b.imports) - 1, name_node=clause.named_children[0])

    def on_include(self, node: ts.Node) -> None:
        found = re.search(r"['\"]([^'\"]+\.php)['\"]", self.b.of(node))
        if found is not None:
            self.b.imports.append(Import(found[1].lstrip("/"), "*", "", 0, node.start_byte, node.end_byte, "include"))

    # --- definitions

    def on_class(self, node: ts.Node) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return
        b = self.b
        kind = node.type.removesuffix("_declaration")
        draft = b.define(b.of(name_node), kind, node, name_node, container="")
        draft.signature = fold(b.slice(node.start_byte, body.start_byte))
        self.document(draft)
        self._templates = php_doc.templates(draft.doc)
        if any(c.type == "abstract_modifier" for c in node.children):
            draft.flags |= Flag.ABSTRACT
        b.bind(draft.name, "def", b.scope_at(node.start_byte), node.start_byte, value=draft.index, name_node=name_node)
        self._heritage(draft, node)
        b.open_body(draft, body.start_byte, node.end_byte, "class")

    def on_anonymous_class(self, node: ts.Node) -> None:
        b = self.b
        body = node.child_by_field_name("body")
        if body is None:
            return
        draft = b.define("(class)", "class", node, None)
        draft.flags |= Flag.MINOR
        draft.kind = "anonymous"
        self._heritage(draft, node)
        b.open_body(draft, body.start_byte, body.end_byte, "class")

    def _heritage(self, draft: Draft, node: ts.Node) -> None:
        for child in node.named_children:
            if child.type in _HERITAGE:
                kind = "implements" if child.type == "class_interface_clause" else "inherits"
                for name in child.named_children:
                    draft.bases.append(self._name_expr(name))
                    draft.base_kinds.append(kind)

    def on_use_trait(self, node: ts.Node) -> None:
        owner = self.b.draft_at(node.start_byte)
        if owner is None or owner.kind not in TYPE_KINDS | {"anonymous"}:
            return
        for name in node.named_children:
            if name.type in ("name", "qualified_name"):
                owner.bases.append(self._name_expr(name))
                owner.base_kinds.append("mixin")
                self._type_site(name)

    def on_function(self, node: ts.Node) -> None:
        b = self.b
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return
        around = b.draft_at(node.start_byte)
        inside = around is not None and around.kind in TYPE_KINDS | {"anonymous"}
        name = b.of(name_node)
        kind = "function" if not inside else "constructor" if name == "__construct" else "method"
        container = None
        if around is not None and around.kind == "anonymous":
            outer = next((d for d in reversed(b.symbols[: around.index]) if d.index == around.parent), None)
            container = outer.qual if outer is not None else ""
        draft = b.define(name, kind, node, name_node, container=container)
        if kind == "constructor":
            draft.flags |= Flag.CONSTRUCTOR
        body, parameters = node.child_by_field_name("body"), node.child_by_field_name("parameters")
        for child in node.children:
            if child.type == "static_modifier":
                draft.flags |= Flag.STATIC
            elif child.type == "abstract_modifier":
                draft.flags |= Flag.ABSTRACT
            elif child.type == "visibility_modifier":
                draft.visibility = b.of(child)
        if body is None:
            draft.flags |= Flag.ABSTRACT
        draft.flags |= b.flags & Flag.TEST
        end = body.start_byte if body is not None else node.end_byte
        draft.signature = fold(b.slice(node.start_byte, end)).rstrip("; {")
        self.document(draft)
        if inside:
            b.bind(name, "def", b.scope_at(node.start_byte), node.start_byte, value=draft.index, name_node=name_node)
        else:
            b.bind(name + "()", "def", 0, node.start_byte, value=draft.index, name_node=name_node)
        begin = parameters.start_byte if parameters is not None else name_node.end_byte
        scope = b.open_body(draft, begin, max(node.end_byte, begin + 1))
        draft.header_end = end
        self._own_templates = self._parametrise(draft, scope, begin)
        tags = self._tags(draft.doc, scope, begin)
        self._own_templates = frozenset()
        draft.returns = self._told(self._type(node.child_by_field_name("return_type")), tags.get("return", NONE))
        self._parameters(draft, parameters, scope, tags, around)

    def _parametrise(self, draft: Draft, scope: int, at: int) -> frozenset[str]:
        """The type parameters of a function, as its doc comment has them."""
        own = php_doc.templates(draft.doc) if "template" in draft.doc else {}
        for name, bound in own.items():
            self.b.bind(_template(name), "typeparam", scope, 0)
            draft.type_params.append(TypeParam(_template(name), self._doc_type(bound, scope, at) if bound else NONE))
        return frozenset(own)

    def _parameters(
        self, draft: Draft, node: ts.Node | None, scope: int, tags: dict[str, int], around: Draft | None
    ) -> None:
        b = self.b
        for child in node.named_children if node is not None else ():
            name = child.child_by_field_name("name")
            if name is None:
                continue
            text = b.of(name)
            declared = self._told(self._type(child.child_by_field_name("type")), tags.get(text, NONE))
            default = self.expr(child.child_by_field_name("default_value"))
            star = "*" if child.type == "variadic_parameter" else ""
            draft.params.append(Param(text, declared, default, star))
            bound = b.expr(Op.LITERAL, "list[]", declared) if star and declared != NONE else declared
            b.bind(text, "param", scope, b.scopes[scope].start, value=default, type_=bound, name_node=name)
            if child.type == "property_promotion_parameter" and around is not None and around.scope != NONE:
                b.bind(text, "field", around.scope, name.start_byte, type_=declared, name_node=name)
                field = b.define(text, "field", child, name, parent=around)
                field.signature = fold(b.of(child))

    def on_closure(self, node: ts.Node) -> None:
        b = self.b
        parameters = node.child_by_field_name("parameters")
        if node.type == "anonymous_function":
            taken = next((c for c in node.named_children if c.type == "anonymous_function_use_clause"), None)
            parts = taken.named_children if taken is not None else []
            used = {b.of(c.named_children[0] if c.type == "by_ref" else c) for c in parts}
            listed = parameters.named_children if parameters is not None else []
            bound = {b.of(name) for c in listed if (name := c.child_by_field_name("name")) is not None}
            self._closures.append(_Closure(node.start_byte, node.end_byte, used, bound))
        scope = b.scope_at(node.start_byte)
        region = (node.start_byte, node.end_byte)
        for place, child in enumerate(parameters.named_children if parameters is not None else ()):
            name = child.child_by_field_name("name")
            if name is not None:
                declared = self._type(child.child_by_field_name("type"))
                value = self._handed(node, place) if declared == NONE else NONE
                b.bind(
                    b.of(name),
                    "block",
                    scope,
                    node.start_byte,
                    region=region,
                    value=value,
                    type_=declared,
                    name_node=name,
                )

    def _handed(self, closure: ts.Node, place: int) -> int:
        """What the function that is given a closure hands to a parameter of it."""
        argument = closure.parent
        arguments = argument.parent if argument is not None and argument.type == "argument" else None
        call = arguments.parent if arguments is not None else None
        if argument is None or arguments is None or call is None or call.type not in _CALLS:
            return NONE
        given = [c.start_byte for c in arguments.named_children if c.type == "argument"].index(argument.start_byte)
        return self.b.expr(Op.HANDED, self._callee(call), given, place, self.expr(call))

    def on_property(self, node: ts.Node) -> None:
        b = self.b
        owner = b.draft_at(node.start_byte)
        if owner is None or owner.scope == NONE:
            return
        begin = comment_above(b.text, node.start_byte)
        doc = clean_comment(b.slice(begin, node.start_byte))
        tags = self._tags(doc, owner.scope, node.start_byte)
        declared = self._told(self._type(node.child_by_field_name("type")), tags.get("var", NONE))
        for child in node.named_children:
            name = child.child_by_field_name("name") if child.type == "property_element" else None
            if name is None:
                continue
            field = b.define(b.of(name), "field", node, name, start=begin, parent=owner)
            field.signature, field.doc = fold(b.of(node)).rstrip(";"), doc
            value = self.expr(child.child_by_field_name("default_value"))
            b.bind(b.of(name), "field", owner.scope, name.start_byte, value=value, type_=declared, name_node=name)

    def on_const(self, node: ts.Node) -> None:
        b = self.b
        owner = b.draft_at(node.start_byte)
        for child in node.named_children:
            if child.type == "const_element" and len(child.named_children) > 1:
                name = child.named_children[0]
                symbol = b.define(b.of(name), "constant", node, name)
                symbol.signature = fold(b.of(node)).rstrip(";")
                scope = owner.scope if owner is not None and owner.scope != NONE else 0
                value = self.expr(child.named_children[1])
                b.bind(b.of(name), "field", scope, name.start_byte, value=value, name_node=name)

    def on_enum_case(self, node: ts.Node) -> None:
        b = self.b
        name = node.child_by_field_name("name")
        owner = b.draft_at(node.start_byte)
        if name is not None and owner is not None and owner.scope != NONE:
            member = b.define(b.of(name), "enum_member", node, name)
            member.signature = fold(b.of(node)).rstrip(";")
            value = b.expr(Op.NEW, b.expr(Op.SYMBOL, owner.index))
            b.bind(b.of(name), "field", owner.scope, name.start_byte, value=value, name_node=name)

    # --- bindings

    def on_assignment(self, node: ts.Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        value = self.expr(right)
        self._assign(left, value, node, self._told_before(node.parent))

    def _told_before(self, statement: ts.Node | None) -> dict[str, int]:
        """Types that a comment right before a statement declares for what the statement binds."""
        comment = statement.prev_named_sibling if statement is not None else None
        if comment is None or comment.type != "comment" or "@var" not in self.b.of(comment):
            return {}
        at = comment.end_byte
        return self._tags(clean_comment(self.b.of(comment)), self.b.scope_at(at), at)

    def _assign(self, left: ts.Node, value: int, node: ts.Node, told: dict[str, int]) -> None:
        b = self.b
        scope = b.scope_at(node.start_byte)
        if left.type == "member_access_expression":
            target, name = left.child_by_field_name("object"), left.child_by_field_name("name")
            owner = b.enclosing(node.start_byte, TYPE_KINDS)
            if target is None or name is None or owner is None or owner.scope == NONE:
                return
            if b.of(target) == "$this" and name.type == "name":
                b.bind("$" + b.of(name), "field", owner.scope, node.start_byte, value=value, name_node=name)
        elif left.type == "subscript_expression" and left.named_children:
            base = left.named_children[0]
            if base.type == "variable_name":
                held = b.expr(Op.LITERAL, "list", value)
                b.bind(b.of(base), "local", scope, node.end_byte, value=held)
        for variable, part in self._targets(left, value):
            declared = told.get(b.of(variable), told.get("var", NONE) if variable == left else NONE)
            self._variable(variable, node.end_byte, part, declared)

    def _targets(self, left: ts.Node, value: int) -> Iterator[tuple[ts.Node, int]]:
        """The variables that are bound when a value is taken apart, each with its part of it."""
        if left.type == "by_ref" and left.named_children:
            left = left.named_children[0]
        if left.type == "variable_name":
            yield left, value
        if left.type not in ("list_literal", "array_creation_expression"):
            return
        key, place = NONE, 0
        for child in left.children:
            if child.type == ",":
                key, place = NONE, place + 1
            elif child.next_sibling is not None and child.next_sibling.type == "=>":
                key = self.expr(child)
            elif child.is_named:
                parts = child.named_children if child.type == "array_element_initializer" else [child]
                if len(parts) == 2:
                    key = self.expr(parts[0])
                part = self.b.expr(Op.ITEM, value, place) if key == NONE else self.b.expr(Op.INDEX, value, key)
                if parts:
                    yield from self._targets(parts[-1], part)

    def on_foreach(self, node: ts.Node) -> None:
        b = self.b
        parts = [c for c in node.named_children if c.type != "comment"]
        if len(parts) < 2:
            return
        element = b.expr(Op.ELEMENT, self.expr(parts[0]))
        target = parts[1]
        told = self._told_before(node)
        region = (node.start_byte, node.end_byte)
        if target.type == "pair" and target.named_children:
            for name, _ in self._targets(target.named_children[0], NONE):
                self._variable(name, name.start_byte, NONE, told.get(b.of(name), NONE), region)
            target = target.named_children[-1]
        for name, value in self._targets(target, element):
            self._variable(name, name.start_byte, value, told.get(b.of(name), NONE), region)

    def on_declared(self, node: ts.Node) -> None:
        """`global $x` and `static $x = 1`."""
        name = node if node.type == "variable_name" else node.child_by_field_name("name")
        if name is not None:
            self._variable(name, node.end_byte, self.expr(node.child_by_field_name("value")))

    def _variable(
        self, name: ts.Node, pos: int, value: int, declared: int = NONE, region: tuple[int, int] | None = None
    ) -> None:
        """A variable of the function gets a value; of the closure around, where that takes none of the name from outside."""
        b = self.b
        text, scope, kind = b.of(name), b.scope_at(name.start_byte), "local"
        while self._closures and self._closures[-1].end <= name.start_byte:
            self._closures.pop()
        own = next((c for c in reversed(self._closures) if text not in c.used), None)
        if own is not None and own.start >= b.scopes[scope].start and text not in own.bound:
            own.bound.add(text)
            kind, region = "block", (own.start, own.end)
        b.bind(text, kind, scope, pos, region=region, value=value, type_=declared, name_node=name)

    def on_catch(self, node: ts.Node) -> None:
        b = self.b
        type_, name = node.child_by_field_name("type"), node.child_by_field_name("name")
        if type_ is not None and name is not None:
            region = (node.start_byte, node.end_byte)
            scope = b.scope_at(node.start_byte)
            b.bind(b.of(name), "block", scope, name.start_byte, region=region, type_=self._type(type_), name_node=name)

    def on_member(self, node: ts.Node) -> None:
        """A property or a constant of a class is read or written."""
        name, parent = node.child_by_field_name("name") or node.named_children[-1], node.parent
        text, expr = self.b.of(name), self.expr(node)
        if name.type not in ("name", "variable_name") or self.b.exprs[expr][0] != Op.ATTR or parent is None:
            return
        written = parent.type == "assignment_expression" and parent.child_by_field_name("left") == node
        kind = Use.WRITE if written or parent.type == "update_expression" else Use.READ
        self.b.site(kind, text, expr, name.start_byte, name.end_byte, node.start_byte)

    # --- what conditions tell

    def on_if(self, node: ts.Node) -> None:
        """`if ($x instanceof T)` tells the type inside; where its body leaves, what follows knows the contrary."""
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        if condition is None or body is None:
            return
        self._narrow(condition, body, True)
        others = node.children_by_field_name("alternative")
        for other in others:
            self._narrow(condition, other, False)
        block = node.parent
        if not others and block is not None and _leaves(body):
            self._narrow_in(condition, (node.end_byte, block.end_byte), False)

    def on_and(self, node: ts.Node) -> None:
        """The right side of `&&` is reached where the left side holds, that of `||` where it does not."""
        left, sign, right = (node.child_by_field_name(f) for f in ("left", "operator", "right"))
        if sign is not None:
            self._narrow(left, right, self.b.of(sign) in ("&&", "and"))

    def on_expression(self, node: ts.Node) -> None:
        """An expression that narrows what it holds."""
        self.expr(node)

    def on_match_arm(self, node: ts.Node) -> None:
        """An arm of `match (true)`."""
        conditions = node.child_by_field_name("conditional_expressions")
        if conditions is not None and len(conditions.named_children) == 1:
            self._narrow(conditions.named_children[0], node.child_by_field_name("return_expression"), True)

    def _narrow(self, condition: ts.Node | None, code: ts.Node | None, holds: bool) -> None:
        if condition is not None and code is not None:
            self._narrow_in(condition, (code.start_byte, code.end_byte), holds)

    def _narrow_in(self, condition: ts.Node, region: tuple[int, int], holds: bool) -> None:
        """What a condition tells of variables and members holds in a stretch of code."""
        b = self.b
        for subject, types in self._tests(condition, holds):
            names = [self._name_expr(type_) for type_ in types]
            type_ = names[0] if len(names) == 1 else b.expr(Op.UNION, *names)
            if subject.type == "variable_name":
                scope = b.scope_at(condition.start_byte)
                b.bind(b.of(subject), "narrow", scope, region[0], region=region, type_=type_)
            elif subject.type == "member_access_expression" or _is_getter(subject):
                self._narrowed.setdefault(b.of(subject), []).append((*region, b.expr(Op.CAST, type_, NONE)))

    def _tests(self, node: ts.Node, holds: bool) -> Iterator[tuple[ts.Node, list[ts.Node]]]:
        """(subject, types) for each `instanceof` that is true where a condition holds, or does not.

        Several types: it is one of them.
        """
        while node.type == "parenthesized_expression" and node.named_children:
            node = node.named_children[0]
        if node.type == "unary_op_expression" and node.children[0].type == "!":
            argument = node.child_by_field_name("argument")
            if argument is not None:
                yield from self._tests(argument, not holds)
        if node.type != "binary_expression":
            return
        left, sign, right = (node.child_by_field_name(f) for f in ("left", "operator", "right"))
        if left is None or sign is None or right is None:
            return
        operator = self.b.of(sign)
        if operator == "instanceof" and holds and right.type in _NAMES:
            yield left, [right]
        if operator not in ("&&", "and", "||", "or"):
            return
        sides = [list(self._tests(side, holds)) for side in (left, right)]
        if (operator in ("&&", "and")) == holds:
            yield from [*sides[0], *sides[1]]
        elif len(sides[0]) == len(sides[1]) == 1:
            (one, types), (other, more) = sides[0][0], sides[1][0]
            if self.b.of(one) == self.b.of(other):
                yield one, types + more

    def on_comment(self, node: ts.Node) -> None:
        """`/** @var T $x */` tells what a variable is from there on."""
        if node.parent is None or node.parent.type not in _BLOCKS or "@var" not in self.b.of(node):
            return
        b = self.b
        scope, region = b.scope_at(node.start_byte), (node.end_byte, node.parent.end_byte)
        for name, type_ in self._tags(clean_comment(b.of(node)), scope, node.end_byte).items():
            if name.startswith("$"):
                b.bind(name, "narrow", scope, node.end_byte, region=region, type_=type_)

    def on_return(self, node: ts.Node) -> None:
        draft = self.b.enclosing(node.start_byte, _FUNCTION_KINDS)
        if draft is None or not node.named_children or len(draft.returned) >= 12:
            return
        above = node.parent
        while above is not None and above.type not in ("function_definition", "method_declaration"):
            if above.type in ("anonymous_function", "arrow_function"):
                return
            above = above.parent
        draft.returned.append(self.expr(node.named_children[0]))

    # --- sites

    def on_call(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name") or node.child_by_field_name("function")
        if name is None or name.type not in ("name", "qualified_name", "variable_name"):
            return
        if name.type == "variable_name" and node.type != "function_call_expression":
            return
        last = name.named_children[-1] if name.type == "qualified_name" and name.named_children else name
        text = self.b.of(last)
        if text == "assert":
            self._asserted(node)
        elif text in _ASSERTIONS:
            self._told_by_assertion(node, *_ASSERTIONS[text])
        narrowed = _is_getter(node) and self._known_here(node) is not None
        self.b.site(
            Use.VALUE if self._is_named(node) else Use.CALL,
            self.b.of(last),
            self._callee(node),
            last.start_byte,
            last.end_byte,
            node.start_byte,
            call=self._call(node) if narrowed else self.expr(node),
        )

    def _asserted(self, node: ts.Node) -> None:
        """`assert($x instanceof T);` tells the type from there on."""
        arguments, statement = node.child_by_field_name("arguments"), node.parent
        first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        if first is None or not first.named_children or statement is None or statement.parent is None:
            return
        self._narrow_in(first.named_children[-1], (statement.end_byte, statement.parent.end_byte), True)

    def _told_by_assertion(self, node: ts.Node, subject: int, type_: int) -> None:
        """`assertInstanceOf(T::class, $x);` or `T::assertInstanceOf($x);` tells the type from there on."""
        arguments, statement = node.child_by_field_name("arguments"), node.parent
        given = [c.named_children[-1] for c in arguments.named_children if c.named_children] if arguments else []
        if not given or statement is None or statement.parent is None:
            return
        name = given[subject if len(given) > 1 else 0]
        named = node.child_by_field_name("scope")
        if len(given) > 1:
            named = given[type_].named_children[0] if given[type_].type == "class_constant_access_expression" else None
        if name.type != "variable_name" or named is None:
            return
        scope, region = self.b.scope_at(node.start_byte), (statement.end_byte, statement.parent.end_byte)
        told = self.b.expr(Op.NARROWED, self.expr(name), "instance", self._name_expr(named))
        self.b.bind(self.b.of(name), "narrow", scope, region[0], region=region, value=told)

    def on_new(self, node: ts.Node) -> None:
        name = next((c for c in node.named_children if c.type in _NAMES), None)
        if name is None:
            return
        last = name.named_children[-1] if name.type == "qualified_name" and name.named_children else name
        made = self.expr(node)
        self.b.site(
            Use.NEW, self.b.of(last), self._name_expr(name), last.start_byte, last.end_byte, node.start_byte, call=made
        )

    def on_array(self, node: ts.Node) -> None:
        """`[$this, 'method']` and `[Name::class, 'method']` are methods as values."""
        b = self.b
        parts = [
            c.named_children[-1]
            for c in node.named_children
            if c.type == "array_element_initializer" and c.named_children
        ]
        if len(parts) != 2 or len(node.named_children) != 2 or parts[1].type not in ("string", "encapsed_string"):
            return
        text = b.of(parts[1]).strip("'\"")
        if not text.isidentifier() or parts[0].type not in ("variable_name", "class_constant_access_expression"):
            return
        expr = b.expr(Op.ATTR, self.expr(parts[0]), text)
        start = parts[1].start_byte + 1
        b.site(Use.VALUE, text, expr, start, start + len(text), node.start_byte)

    def on_type(self, node: ts.Node) -> None:
        self._type_site(node)

    def _type_site(self, node: ts.Node) -> None:
        inner = node.named_children[0] if node.type == "named_type" and node.named_children else node
        last = inner.named_children[-1] if inner.type == "qualified_name" and inner.named_children else inner
        text = self.b.of(last)
        if text not in ("self", "static", "parent"):
            expr = self._name_expr(inner)
            self.b.site(Use.TYPE, text, expr, last.start_byte, last.end_byte, node.start_byte)

    # --- types

    def _name_expr(self, node: ts.Node) -> int:
        b = self.b
        if node.type == "named_type" and node.named_children:
            node = node.named_children[0]
        text = b.of(node).replace(" ", "")
        if text == "parent":
            return b.expr(Op.SUPER, b.scope_at(node.start_byte))
        return b.expr(Op.NAME, text, b.scope_at(node.start_byte), node.start_byte)

    def _type(self, node: ts.Node | None) -> int:
        b = self.b
        if node is None:
            return NONE
        kind = node.type
        if kind in ("optional_type", "type_list", "union_type", "intersection_type", "disjunctive_normal_form_type"):
            parts = [self._type(c) for c in node.named_children]
            parts = [p for p in parts if p != NONE]
            return parts[0] if len(parts) == 1 else b.expr(Op.UNION, *parts)
        if kind in ("named_type", "name", "qualified_name"):
            text = b.of(node)
            return b.expr(Op.LITERAL, "static") if text == "static" else self._name_expr(node)
        return b.expr(Op.LITERAL, b.of(node) or "mixed")

    def _tags(self, doc: str, scope: int, at: int) -> dict[str, int]:
        """Types that a doc comment declares: "return", "var", and `$name` for parameters and variables."""
        found: dict[str, int] = {}
        if "@" not in doc:
            return found
        outer = self._templates
        self._templates = outer | php_doc.templates(doc)
        for tag, text, variable in php_doc.tags(doc):
            self._returning = tag == "return"
            type_ = self._doc_type(text, scope, at)
            if type_ != NONE:
                found["$" + variable if variable and tag != "return" else tag] = type_
        self._templates = outer
        return found

    def _told(self, declared: int, told: int) -> int:
        """What is declared, or what the doc comment says where that is more: what an array or a container holds."""
        exprs = self.b.exprs
        if told == NONE or declared == NONE or exprs[declared][0] == Op.LITERAL:
            return declared if told == NONE else told
        parts = exprs[told][1:] if exprs[told][0] == Op.UNION else (told,)
        return told if any(exprs[p][0] == Op.LITERAL or _is_template(exprs[p]) for p in parts) else declared

    def _doc_type(self, text: str, scope: int, at: int, depth: int = 0) -> int:
        if depth > _DEEPEST_TYPE:
            return NONE
        parts = [self._doc_choice(choice, scope, at, depth) for choice in php_doc.split(text, "|&")]
        parts = [p for p in parts if p != NONE]
        return NONE if not parts else parts[0] if len(parts) == 1 else self.b.expr(Op.UNION, *parts)

    def _doc_choice(self, text: str, scope: int, at: int, depth: int) -> int:
        """One part of a union."""
        b = self.b
        text = text.lstrip("?")
        if text.endswith("[]"):
            return self._listed(self._doc_type(text[:-2], scope, at, depth + 1))
        if text.startswith("(") and text.endswith(")"):
            return self._doc_type(text[1:-1], scope, at, depth + 1)
        found = _DOC_TYPE.fullmatch(text)
        if found is None:
            return NONE
        name, rest = found[1], found[2] or ""
        if rest.startswith("("):  # callable(A, B): C
            taken, *result = php_doc.split(rest, ":")
            params = [
                self._doc_type(t.partition(" ")[0], scope, at, depth + 1) for t in php_doc.split(taken[1:-1], ",")
            ]
            return b.expr(Op.FUNCTION, self._doc_type(result[-1] if result else "", scope, at, depth + 1), *params)
        if rest.startswith("{"):
            entries = php_doc.shape(rest[1:-1])
            keys = ",".join(key for key, _ in entries)
            return b.expr(Op.LITERAL, f"tuple:{keys}[]", *(self._doc_type(t, scope, at, depth + 1) for _, t in entries))
        if rest and name == "class-string":
            inner = self._doc_type(rest[1:-1], scope, at, depth + 1)
            of_own = inner != NONE and _is_template(b.exprs[inner])
            return b.expr(Op.LITERAL, "type[]", inner) if of_own else NONE
        if rest:
            listed = self._listed(self._doc_type(php_doc.split(rest[1:-1], ",")[-1], scope, at, depth + 1))
            if name.lower().removeprefix("non-empty-").lstrip("\\") in _ITERABLES:
                return listed
            if name.endswith("Collection") and listed != NONE:  # has members of its own, and yields what it holds
                return b.expr(Op.UNION, b.expr(Op.NAME, name, scope, at), listed)
        if name in ("static", "$this"):
            return b.expr(Op.LITERAL, "static") if self._returning else b.expr(Op.NAME, "static", scope, at)
        if name in self._own_templates:
            return b.expr(Op.NAME, _template(name), scope, at)
        if name in self._templates:
            return self._doc_type(self._templates[name], scope, at, depth + 1)
        if name.lower() in _SCALARS or "-" in name or "$" in name:
            return NONE
        return b.expr(Op.NAME, name, scope, at)

    def _listed(self, inner: int) -> int:
        return self.b.expr(Op.LITERAL, "list[]", inner) if inner != NONE else NONE

    # --- expressions

    def expr_variable_name(self, node: ts.Node) -> int:
        b = self.b
        text = b.of(node)
        scope = b.scope_at(node.start_byte)
        return b.expr(Op.THIS, scope) if text == "$this" else b.expr(Op.NAME, text, scope, node.start_byte)

    def expr_name(self, node: ts.Node) -> int:
        return self._name_expr(node)

    def expr_member_access_expression(self, node: ts.Node) -> int:
        known = self._known_here(node)
        if known is not None:
            return known
        name = node.child_by_field_name("name")
        text = "$" + self.b.of(name) if name is not None and name.type == "name" else ""
        return self.b.expr(Op.ATTR, self.expr(node.child_by_field_name("object")), text)

    def _known_here(self, node: ts.Node) -> int | None:
        """What a condition around tells of a member, or of what a method without arguments returns."""
        for start, end, value in reversed(self._narrowed.get(self.b.of(node), ()) if self._narrowed else ()):
            if start <= node.start_byte < end:
                return value
        return None

    def expr_scoped_property_access_expression(self, node: ts.Node) -> int:
        name = node.child_by_field_name("name")
        scope = node.child_by_field_name("scope")
        return self.b.expr(Op.ATTR, self.expr(scope), self.b.of(name) if name is not None else "")

    def expr_class_constant_access_expression(self, node: ts.Node) -> int:
        b = self.b
        if len(node.named_children) < 2:
            return b.expr(Op.TEXT, "")
        owner = self.expr(node.named_children[0])
        name = b.of(node.named_children[1])
        return owner if name == "class" else b.expr(Op.ATTR, owner, name)

    def _callee(self, node: ts.Node) -> int:
        b = self.b
        function = node.child_by_field_name("function")
        if function is not None:
            if function.type in ("name", "qualified_name"):
                return b.expr(Op.NAME, b.of(function) + "()", b.scope_at(node.start_byte), node.start_byte)
            return self.expr(function)
        name = node.child_by_field_name("name")
        text = b.of(name) if name is not None and name.type == "name" else ""
        owner = node.child_by_field_name("object") or node.child_by_field_name("scope")
        return b.expr(Op.ATTR, self.expr(owner), text)

    def _is_named(self, node: ts.Node) -> bool:
        """`f(...)` names a function and does not call it."""
        arguments = node.child_by_field_name("arguments")
        return arguments is not None and any(c.type == "variadic_placeholder" for c in arguments.named_children)

    def expr_function_call_expression(self, node: ts.Node) -> int:
        if self._is_named(node):
            return self._callee(node)
        known = self._known_here(node) if _is_getter(node) else None
        return known if known is not None else self._call(node)

    def _call(self, node: ts.Node) -> int:
        arguments = self._arguments(node.child_by_field_name("arguments"))
        return self.b.expr(Op.CALL, self._callee(node), *arguments)

    def _arguments(self, node: ts.Node | None) -> list[int]:
        out: list[int] = []
        for child in node.named_children[:_MAX_ELEMENTS] if node is not None else ():
            if child.type == "argument" and child.named_children:
                value = self.expr(child.named_children[-1])
                name = child.child_by_field_name("name")
                out.append(self.b.expr(Op.KEYWORD, self.b.of(name), value) if name is not None else value)
        return out

    def expr_object_creation_expression(self, node: ts.Node) -> int:
        b = self.b
        arguments = next((c for c in node.named_children if c.type == "arguments"), None)
        name = next((c for c in node.named_children if c.type in _NAMES), None)
        made = next((c for c in node.named_children if c.type == "anonymous_class"), None)
        if made is not None:  # known by what it extends
            above = [n for c in made.named_children if c.type in _HERITAGE for n in c.named_children]
            return b.expr(Op.UNION, *(b.expr(Op.NEW, self._name_expr(n)) for n in above))
        return b.expr(Op.NEW, self._name_expr(name) if name is not None else NONE, *self._arguments(arguments))

    def expr_assignment_expression(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("right"))

    def expr_parenthesized_expression(self, node: ts.Node) -> int:
        return self.expr(node.named_children[0]) if node.named_children else self.b.expr(Op.TEXT, "")

    def expr_conditional_expression(self, node: ts.Node) -> int:
        condition = node.child_by_field_name("condition")
        self._narrow(condition, node.child_by_field_name("body"), True)
        self._narrow(condition, node.child_by_field_name("alternative"), False)
        parts = [self.expr(node.child_by_field_name(f)) for f in ("body", "alternative")]
        return self.b.expr(Op.UNION, *(p for p in parts if p != NONE))

    def expr_binary_expression(self, node: ts.Node) -> int:
        sign = node.child_by_field_name("operator")
        if sign is not None and sign.type in ("??", "?:"):
            sides = [self.expr(node.child_by_field_name(f)) for f in ("left", "right")]
            return self.b.expr(Op.UNION, *sides)
        return self.b.expr(Op.LITERAL, "scalar")

    def expr_match_expression(self, node: ts.Node) -> int:
        body = node.child_by_field_name("body")
        arms = [c.child_by_field_name("return_expression") for c in body.named_children] if body is not None else []
        return self.b.expr(Op.UNION, *(self.expr(a) for a in arms[:8] if a is not None))

    def expr_subscript_expression(self, node: ts.Node) -> int:
        parts = node.named_children
        return self.b.expr(Op.INDEX, self.expr(parts[0]), *(self.expr(p) for p in parts[1:2])) if parts else NONE

    def expr_array_creation_expression(self, node: ts.Node) -> int:
        values: list[int] = []
        for child in node.named_children[:_MAX_ELEMENTS]:
            if child.type == "array_element_initializer" and child.named_children:
                values.append(self.expr(child.named_children[-1]))
        return self.b.expr(Op.LITERAL, "list", *values)

    def expr_string(self, node: ts.Node) -> int:
        """A short one may be the key of a shape."""
        text = self.b.of(node)
        short = len(text) <= _LONGEST_KEY
        return self.b.expr(Op.CONST, "string", text[1:-1]) if short else self.b.expr(Op.LITERAL, "string")

    def expr_heredoc(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "string")

    def expr_integer(self, node: ts.Node) -> int:
        return self.b.expr(Op.CONST, "scalar", self.b.of(node))

    def expr_float(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "scalar")

    def expr_null(self, node: ts.Node) -> int:
        return self.b.expr(Op.UNION)

    def expr_arrow_function(self, node: ts.Node) -> int:
        return self.b.expr(Op.LAMBDA, self.b.scope_at(node.start_byte), self.expr(node.child_by_field_name("body")))

    def expr_anonymous_function(self, node: ts.Node) -> int:
        returned = self._type(node.child_by_field_name("return_type"))
        if returned != NONE:
            return self.b.expr(Op.FUNCTION, returned)
        return self.b.expr(Op.LAMBDA, self.b.scope_at(node.start_byte), NONE)


def _template(name: str) -> str:
    """A type parameter's name among those of classes and variables."""
    return f"$<{name}>"


def _is_template(e: Expr) -> bool:
    return e[0] == Op.NAME and str(e[1]).startswith("$<")


def _is_getter(node: ts.Node) -> bool:
    """A method call without arguments: asked again it returns the same, as far as conditions tell."""
    arguments = node.child_by_field_name("arguments") if node.type == "member_call_expression" else None
    return arguments is not None and arguments.named_child_count == 0


def _leaves(body: ts.Node) -> bool:
    """Does what follows not run after this body?"""
    last = body.named_children[-1] if body.type == "compound_statement" and body.named_children else body
    if last.type == "expression_statement" and last.named_children:
        last = last.named_children[0]
    return last.type in _LEAVING


RULES = PhpRules
