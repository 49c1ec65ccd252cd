"""Python: what its tree means."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import ClassVar

import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import NONE, Flag, Import, Op, Param, Problem, TypeParam, Use
from nav_ls.syntax.rules.base import Rules
from nav_ls.syntax.rules.python_mending import mend

_GENERATORS = frozenset({"Generator", "AsyncGenerator"})
_FUNCTION_KINDS = ("function", "method", "property")
_QUOTES = re.compile(r"""^[rRuUbBfF]*("{3}|'{3}|"|')""")
_NO_DOCSTRING = frozenset("fb")
"""Prefixes of strings that Python takes for no documentation."""
_BODIES = frozenset({"function_definition", "class_definition"})
_OUTERMOST = _BODIES | {"module", "lambda"}
_OF_THE_LIBRARY = frozenset(
    {"list", "tuple", "set", "dictionary", "string", "list_comprehension", "set_comprehension", "generator_expression"}
)
"""Expressions whose members no file of a repository writes."""
_FILLING = {"append": 0, "appendleft": 0, "add": 0, "insert": 1, "extend": 0, "update": 0}
"""Methods of the library's containers that take an element, or several of them, with the place of that argument."""
_NO_TYPES = frozenset({"TypeAlias", "Final", "ClassVar"})
"""Annotations that say something of a name, and nothing of what it holds."""
_SUBJECTS = frozenset({"identifier", "attribute"})
"""Expressions of which conditions may tell something."""
_TYPE = re.compile(r"[\w\s.,|\[\]]+")
_GUARD = re.compile(r"_?(is|has)[_A-Z]")
_SHORT = 42  # bytes of a string literal whose value is kept
_VALUE_CHARS = 160  # of the signature of a variable
_DEEPEST_LITERAL = 8  # literals in literals around a lambda, whose declared type is looked for
_MAX_ELEMENTS = 24  # of a literal or an argument list: more say nothing new about its type


class PythonRules(Rules):
    """Handlers for the captures of `queries/python/facts.scm`."""

    like: ClassVar[Mapping[str, str]] = {
        "type": "parenthesized_expression",
        "expression_list": "tuple",
        "concatenated_string": "string",
        "false": "true",
        "comparison_operator": "not_operator",
        "dictionary_splat": "list_splat",
    }

    def begin(self, root: ts.Node) -> None:
        self._stub = self.path.endswith(".pyi")
        self._called: set[int] = set()  # ids of what calls call: a call comes before what it is made of
        self._named: set[tuple[int, str]] = set()  # (scope, name) of what has a definition
        self._assigned: dict[tuple[int, str], ts.Node] = {}  # (class, attribute) → where a method assigns it first
        self._blocks: dict[int, tuple[int, int] | None] = {}
        self._told: dict[
            str, list[tuple[int, int, int]]
        ] = {}  # member → stretches in which a condition tells what it is
        self.b.doc = self._docstring(root)

    def mended(self, text: bytes) -> bytes:
        mended, unclosed = mend(text)
        self.b.problems += [Problem("syntax", "not closed", place.start, place.end) for place in unclosed]
        return mended

    def end(self, root: ts.Node) -> None:
        known = {draft.qual for draft in self.b.symbols}
        for (owner, text), name in self._assigned.items():
            draft = self.b.symbols[owner]
            if f"{draft.qual}.{text}" not in known:
                self.b.assigned_field(draft, name).visibility = _visibility(text)

    # --- definitions

    def on_class(self, node: ts.Node) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return
        b = self.b
        outer = node.parent if node.parent is not None and node.parent.type == "decorated_definition" else node
        draft = b.define(b.of(name_node), "class", outer, name_node)
        self._common(draft, outer, node, body, name_node)
        arguments = node.child_by_field_name("superclasses")
        if arguments is not None:
            for base in arguments.named_children:
                kind = "inherits"
                if base.type == "keyword_argument":
                    key, kind = base.child_by_field_name("name"), "metaclass"
                    value = base.child_by_field_name("value")
                    if key is None or value is None or b.of(key) != kind:
                        continue
                    base = value
                draft.bases.append(self.expr(base))
                draft.base_kinds.append(kind)
                self._type_sites(base)
        b.open_body(draft, body.start_byte, node.end_byte, "class")
        self._bind_type_params(draft, node)

    def on_function(self, node: ts.Node) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return
        b = self.b
        outer = node.parent if node.parent is not None and node.parent.type == "decorated_definition" else node
        around = b.draft_at(outer.start_byte)
        in_class = around is not None and around.kind == "class"
        draft = b.define(b.of(name_node), "method" if in_class else "function", outer, name_node)
        self._common(draft, outer, node, body, name_node)
        if node.children and node.children[0].type == "async":
            draft.flags |= Flag.ASYNC
        self._decorated(draft, outer)
        if in_class and draft.name == "__init__":
            draft.flags |= Flag.CONSTRUCTOR
        draft.returns = self._annotation(node.child_by_field_name("return_type"))
        type_params = node.child_by_field_name("type_parameters")
        scope_start = type_params.start_byte if type_params is not None else None
        scope = b.open_body(draft, body.start_byte, node.end_byte, scope_start=scope_start)
        self._bind_type_params(draft, node)
        self._parameters(draft, node.child_by_field_name("parameters"), scope, in_class)

    def _common(self, draft: Draft, outer: ts.Node, node: ts.Node, body: ts.Node, name_node: ts.Node) -> None:
        b = self.b
        draft.doc = self._docstring(body)
        draft.signature = fold(b.slice(node.start_byte, body.start_byte)).rstrip(":").rstrip()
        name = draft.name
        draft.visibility = _visibility(name)
        scope = b.scope_at(outer.start_byte)
        self._named.add((scope, name))
        b.bind(
            name, "def", scope, name_node.start_byte, region=self._block(outer), value=draft.index, name_node=name_node
        )

    def _decorated(self, draft: Draft, outer: ts.Node) -> None:
        if outer.type != "decorated_definition":
            return
        for child in outer.named_children:
            if child.type != "decorator" or not child.named_children:
                continue
            inner = child.named_children[0]
            draft.decorators.append(self.expr(inner))
            text = self.b.of(inner)
            last = text.split("(")[0].rsplit(".", 1)[-1]
            draft.flags |= _DECORATOR_FLAGS.get(last, Flag.DECORATED)
            if last in ("property", "cached_property", "abstractproperty", "setter", "deleter", "getter"):
                draft.kind = "property"

    def _parameters(self, draft: Draft, node: ts.Node | None, scope: int, in_class: bool) -> None:
        b = self.b
        written = [c for c in node.named_children if c.type != "comment"] if node is not None else []
        for place, child in enumerate(written):
            name, type_, default, star = child, None, None, ""
            if child.type in ("typed_parameter", "typed_default_parameter", "default_parameter"):
                type_, default = child.child_by_field_name("type"), child.child_by_field_name("value")
                name = child.child_by_field_name("name") or child.named_children[0]
            if name.type == "list_splat_pattern":
                star, name = "*", name.named_children[0]
            elif name.type == "dictionary_splat_pattern":
                star, name = "**", name.named_children[0]
            if name.type != "identifier":
                continue
            receiver = in_class and place == 0 and not draft.flags & Flag.STATIC and not star
            annotated = self._annotation(type_)
            value = self.expr(default)
            text = b.of(name)
            draft.params.append(Param(text, annotated, value, "self" if receiver else star))
            if receiver and annotated == NONE:
                value = b.expr(Op.THIS, scope)
            if star and annotated != NONE:
                annotated = self._container("tuple" if star == "*" else "dict", annotated)
            elif star:
                value = b.expr(Op.LITERAL, "tuple" if star == "*" else "dict")
            b.bind(text, "param", scope, b.scopes[scope].start, value=value, type_=annotated, name_node=name)

    def _container(self, name: str, element: int) -> int:
        key = (element,) if name == "tuple" else (self.b.expr(Op.LITERAL, "str"), element)
        return self.b.expr(Op.LITERAL, name + "[]", *key)

    def _bind_type_params(self, draft: Draft, node: ts.Node) -> None:
        params = node.child_by_field_name("type_parameters")
        for child in params.named_children if params is not None else ():
            name = next((n for n in _walk_identifiers(child)), None)
            if name is not None:
                draft.type_params.append(TypeParam(self.b.of(name)))
                self.b.bind(self.b.of(name), "typeparam", draft.scope, 0, name_node=name)

    def on_lambda(self, node: ts.Node) -> None:
        b = self.b
        body, params = node.child_by_field_name("body"), node.child_by_field_name("parameters")
        if body is None:
            return
        scope = b.scope_at(node.start_byte)
        wanted = self._wanted(node)
        for place, child in enumerate(params.named_children if params is not None else ()):
            for name in list(_walk_identifiers(child))[:1]:
                default = child.child_by_field_name("value")
                value = (
                    b.expr(Op.PARAMETER, wanted, place) if wanted != NONE and default is None else self.expr(default)
                )
                b.bind(
                    b.of(name),
                    "block",
                    scope,
                    node.start_byte,
                    region=(node.start_byte, node.end_byte),
                    value=value,
                    name_node=name,
                )

    def _wanted(self, node: ts.Node, depth: int = 0) -> int:
        """What the place that a value is put in wants there, by its declared type or by what is called; -1 if unknown."""
        b = self.b
        around = node.parent
        if around is None or depth > _DEEPEST_LITERAL:
            return NONE
        kind = around.type
        if kind == "argument_list":
            return self._handed(around, node)
        if kind == "keyword_argument":
            return self._handed(around.parent, around)
        if kind in ("parenthesized_expression", "conditional_expression", "boolean_operator"):
            return self._wanted(around, depth + 1)
        if kind == "typed_default_parameter":
            return self._declared(around.child_by_field_name("type"))
        if kind == "assignment":
            left, type_ = around.child_by_field_name("left"), around.child_by_field_name("type")
            if type_ is None and left is not None and left.type == "attribute":
                return self.expr(left)
            return self._declared(type_)
        if kind == "return_statement":
            return self._declared(_result_type(around))
        if kind == "pair":
            if around.child_by_field_name("value") != node or around.parent is None:
                return NONE
            whole = self._wanted(around.parent, depth + 1)
            return b.expr(Op.INDEX, whole, self.expr(around.child_by_field_name("key"))) if whole != NONE else NONE
        if kind in ("list", "set", "tuple"):
            whole = self._wanted(around, depth + 1)
            if whole == NONE or kind != "tuple":
                return b.expr(Op.ELEMENT, whole) if whole != NONE else NONE
            return b.expr(Op.ITEM, whole, _place(around, node))
        return NONE

    def _declared(self, type_: ts.Node | None) -> int:
        """A value of a declared type."""
        return self.b.expr(Op.CAST, self._annotation(type_), NONE) if type_ is not None else NONE

    def _handed(self, arguments: ts.Node | None, argument: ts.Node) -> int:
        """What the callee of a call wants for an argument; -1 where it is no call."""
        call = arguments.parent if arguments is not None else None
        if call is None or arguments is None or call.type != "call":
            return NONE
        return self.b.expr(Op.ARGUMENT, self.expr(call), _place(arguments, argument))

    def on_comprehension(self, node: ts.Node) -> None:
        for child in node.named_children:
            if child.type == "for_in_clause":
                iterated = self.b.expr(Op.ELEMENT, self.expr(child.child_by_field_name("right")))
                self._implicit("__iter__", child.child_by_field_name("right"), child)
                self._assign(
                    child.child_by_field_name("left"),
                    iterated,
                    node.start_byte,
                    (node.start_byte, node.end_byte),
                    "block",
                )
            elif child.type == "if_clause" and child.named_children:
                self._narrow(child.named_children[0], (node.start_byte, node.end_byte), True)

    # --- imports

    def on_import(self, node: ts.Node) -> None:
        b = self.b
        scope = b.scope_at(node.start_byte)
        for child in node.children_by_field_name("name"):
            if child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
                if name is None or alias is None:
                    continue
                self._import(b.of(name), "", b.of(alias), scope, child, 0, alias, node)
            else:
                dotted = b.of(child)
                self._import(dotted, "", dotted.split(".")[0], scope, child, 0, child, node)

    def on_import_from(self, node: ts.Node) -> None:
        b = self.b
        scope = b.scope_at(node.start_byte)
        module = node.child_by_field_name("module_name")
        text = b.of(module).replace(" ", "") if module is not None else ""
        level = len(text) - len(text.lstrip("."))
        names = node.children_by_field_name("name")
        if not names and any(c.type == "wildcard_import" for c in node.children):
            b.imports.append(Import(text[level:], "*", "", scope, node.start_byte, node.end_byte, "", level))
        for child in names:
            name = child.child_by_field_name("name") if child.type == "aliased_import" else child
            alias = child.child_by_field_name("alias") if child.type == "aliased_import" else child
            if name is None or alias is None:
                continue
            self._import(text[level:], b.of(name), b.of(alias), scope, child, level, alias, node)
            b.site(
                Use.IMPORT,
                b.of(name),
                b.expr(Op.NAME, b.of(alias), scope, node.end_byte),
                name.start_byte,
                name.end_byte,
                name.start_byte,
            )

    def _import(
        self,
        module: str,
        name: str,
        alias: str,
        scope: int,
        node: ts.Node,
        level: int,
        name_node: ts.Node,
        statement: ts.Node,
    ) -> None:
        b = self.b
        b.imports.append(Import(module, name, alias, scope, node.start_byte, node.end_byte, "", level))
        b.bind(
            alias,
            "import",
            scope,
            node.start_byte,
            region=self._block(statement),
            value=len(b.imports) - 1,
            name_node=name_node,
        )

    # --- bindings

    def on_assignment(self, node: ts.Node) -> None:
        left, right, type_ = (node.child_by_field_name(f) for f in ("left", "right", "type"))
        declared = self._annotation(type_)
        if left is None:
            return
        if type_ is not None and self.b.of(type_).rpartition(".")[2] in _NO_TYPES:
            declared = NONE
        if left.type == "identifier" and self.b.of(left) == "__all__" and right is not None:
            self._all(right)
        while right is not None and right.type == "assignment":
            right = right.child_by_field_name("right")
        if right is not None or declared != NONE:
            self._assign(left, self.expr(right), node.end_byte, self._block(node), "local", declared)
            self._values(left, node)

    def _values(self, target: ts.Node, node: ts.Node) -> None:
        """The variables of a module and the attributes of a class that an assignment defines, where nothing else did."""
        if target.type in ("pattern_list", "tuple_pattern", "list_pattern"):
            for part in target.named_children:
                self._values(part, node)
        b = self.b
        scope = b.scope_at(node.start_byte)
        kind = {"module": "variable", "class": "field"}.get(b.scopes[scope].kind)
        name = b.of(target)
        if target.type != "identifier" or kind is None or (scope, name) in self._named:
            return
        self._named.add((scope, name))
        draft = b.define(name, "constant" if name.isupper() else kind, node, target)
        draft.signature = fold(b.of(node), _VALUE_CHARS)
        draft.visibility = _visibility(name)
        draft.header_end = draft.end

    def on_augmented(self, node: ts.Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and left.type == "identifier" and self.b.of(left) == "__all__" and right is not None:
            self._all(right)
        if left is not None and left.type == "attribute":
            self._member_site(left, Use.WRITE)

    def _all(self, node: ts.Node) -> None:
        """`__all__`; "*" stands for what cannot be read off (`__all__ = a.__all__ + [...]`)."""
        written = node.type in ("list", "tuple")
        names = [self.b.of(c).strip("\"'") for c in node.named_children if c.type == "string"] if written else ["*"]
        self.b.extra["all"] = " ".join(filter(None, [self.b.extra.get("all", ""), *names]))

    def on_walrus(self, node: ts.Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None:
            self._assign(name, self.expr(value), node.start_byte, self._block(node), "local")

    def on_for(self, node: ts.Node) -> None:
        iterated = self.b.expr(Op.ELEMENT, self.expr(node.child_by_field_name("right")))
        self._implicit("__iter__", node.child_by_field_name("right"), node)
        self._assign(
            node.child_by_field_name("left"), iterated, node.start_byte, (node.start_byte, node.end_byte), "local"
        )

    def on_with_item(self, node: ts.Node) -> None:
        value = node.child_by_field_name("value")
        statement = node.parent.parent if node.parent is not None else None
        manager = _first(value) if value is not None and value.type == "as_pattern" else value
        self._implicit("__enter__", manager, statement)
        if value is None or value.type != "as_pattern" or len(value.named_children) < 2:
            return
        target = value.named_children[1]
        target = target.named_children[0] if target.type == "as_pattern_target" and target.named_children else target
        entered = self.b.expr(Op.ENTER, self.expr(value.named_children[0]))
        self._assign(target, entered, node.start_byte, self._block(node), "local")

    def on_except(self, node: ts.Node) -> None:
        pattern = next((c for c in node.named_children if c.type == "as_pattern"), None)
        caught, name = node.child_by_field_name("value"), node.child_by_field_name("alias")
        if pattern is not None and len(pattern.named_children) > 1:
            caught, name = pattern.named_children[0], pattern.named_children[1]
            self._type_sites(caught)
        if caught is None or name is None:
            return
        if name.type == "as_pattern_target" and name.named_children:
            name = name.named_children[0]
        kinds = caught.named_children if caught.type == "tuple" else [caught]
        union = self.b.expr(Op.UNION, *(self.expr(k) for k in kinds))
        self.b.bind(
            self.b.of(name),
            "local",
            self.b.scope_at(node.start_byte),
            node.start_byte,
            region=(node.start_byte, node.end_byte),
            type_=union,
            name_node=name,
        )

    def on_case(self, node: ts.Node) -> None:
        match = node.parent.parent if node.parent is not None else None
        subject = match.child_by_field_name("subject") if match is not None else None
        region = (node.start_byte, node.end_byte)
        for pattern in (c for c in node.named_children if c.type == "case_pattern"):
            self._pattern(pattern, self.expr(subject), region)
            kinds = self._pattern_kinds(pattern)
            if kinds and subject is not None and subject.type in _SUBJECTS:
                union = self.b.expr(Op.UNION, *(self.expr(k) for k in kinds))
                self._tell(subject, self.b.expr(Op.CAST, union, self.expr(subject)), region)

    def _pattern_kinds(self, pattern: ts.Node) -> list[ts.Node]:
        """The classes of which a pattern asks its subject to be one; none where it may be anything."""
        if pattern.type in ("case_pattern", "as_pattern") and pattern.named_children:
            return self._pattern_kinds(pattern.named_children[0])
        if pattern.type == "union_pattern":
            parts = [self._pattern_kinds(p) for p in pattern.named_children]
            return [kind for part in parts for kind in part] if all(parts) else []
        return pattern.named_children[:1] if pattern.type == "class_pattern" else []

    def _pattern(self, pattern: ts.Node, value: int, region: tuple[int, int]) -> None:
        """Bind the names that a pattern captures out of a value."""
        b, parts = self.b, pattern.named_children
        if pattern.type == "case_pattern" and parts:
            self._pattern(parts[0], value, region)
        elif pattern.type == "union_pattern":
            for part in parts:
                self._pattern(part, value, region)
        elif pattern.type == "as_pattern" and len(parts) > 1:
            kinds = self._pattern_kinds(parts[0])
            held = b.expr(Op.CAST, b.expr(Op.UNION, *(self.expr(k) for k in kinds)), value) if kinds else value
            self._capture(parts[-1], held, region)
            self._pattern(parts[0], value, region)
        elif pattern.type == "class_pattern" and parts:
            self._type_sites(parts[0])
            made = b.expr(Op.CAST, self.expr(parts[0]), value)
            for part in parts[1:]:
                inner = part.named_children[0] if part.type == "case_pattern" and part.named_children else part
                alias = inner.named_children[-1] if inner.type == "as_pattern" else None
                while alias is not None and inner.type != "keyword_pattern" and inner.named_children:
                    inner = inner.named_children[0]  # the grammar reads `key=T() as name` as `(key=T()) as name`
                if inner.type == "keyword_pattern" and len(inner.named_children) == 2:
                    key, held_by = inner.named_children
                    held = b.expr(Op.ATTR, made, b.of(key))
                    b.site(Use.READ, b.of(key), held, key.start_byte, key.end_byte, key.start_byte)
                    self._pattern(held_by, held, region)
                    classes = [self.expr(k) for k in self._pattern_kinds(held_by)]
                    if alias is not None:
                        self._capture(
                            alias, b.expr(Op.CAST, b.expr(Op.UNION, *classes), held) if classes else held, region
                        )
                else:
                    self._pattern(part, NONE, region)  # by `__match_args__`
        elif pattern.type in ("list_pattern", "tuple_pattern"):
            for place, part in enumerate(parts):
                self._pattern(part, b.expr(Op.ITEM, value, place), region)
        elif pattern.type == "splat_pattern" and parts:
            self._capture(parts[0], NONE, region)
        elif pattern.type == "dict_pattern":
            for part in parts:
                if part.type == "splat_pattern":
                    self._pattern(part, NONE, region)
            for key, part in zip(
                pattern.children_by_field_name("key"), pattern.children_by_field_name("value"), strict=False
            ):
                self._pattern(part, b.expr(Op.INDEX, value, self.expr(key)), region)
        elif pattern.type in ("dotted_name", "identifier") and len(parts) < 2 and b.of(pattern) != "_":
            self._capture(pattern, value, region)

    def _capture(self, name: ts.Node, value: int, region: tuple[int, int]) -> None:
        scope = self.b.scope_at(name.start_byte)
        self.b.bind(self.b.of(name), "local", scope, region[0], region=region, value=value, name_node=name)

    def on_global(self, node: ts.Node) -> None:
        for name in node.named_children:
            self.b.bind(self.b.of(name), "global", self.b.scope_at(node.start_byte), node.start_byte)

    def on_nonlocal(self, node: ts.Node) -> None:
        for name in node.named_children:
            self.b.bind(self.b.of(name), "nonlocal", self.b.scope_at(node.start_byte), node.start_byte)

    def on_delete(self, node: ts.Node) -> None:
        for target in node.named_children:
            for inner in target.named_children if target.type == "expression_list" else [target]:
                if inner.type == "attribute":
                    self._member_site(inner, Use.DELETE)

    def on_type_alias(self, node: ts.Node) -> None:
        children = [c for c in node.named_children if c.type == "type"]
        if len(children) == 2:
            names = list(_walk_identifiers(children[0]))
            if names:
                b = self.b
                b.bind(
                    b.of(names[0]),
                    "local",
                    b.scope_at(node.start_byte),
                    node.start_byte,
                    value=self._annotation(children[1]),
                    name_node=names[0],
                )

    def _assign(
        self, target: ts.Node | None, value: int, pos: int, region: tuple[int, int], kind: str, declared: int = NONE
    ) -> None:
        if target is None:
            return
        b = self.b
        if target.type == "identifier":
            b.bind(
                b.of(target),
                kind,
                b.scope_at(target.start_byte),
                pos,
                region=region,
                value=value,
                type_=declared,
                name_node=target,
            )
        elif target.type in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list"):
            self._unpack(target.named_children, value, pos, region, kind)
        elif target.type == "subscript":
            self._store_item(target, value, pos, region)
        elif target.type == "attribute":
            self._member_site(target, Use.WRITE)
            self._field(target, value, declared, pos)

    def _unpack(self, parts: list[ts.Node], value: int, pos: int, region: tuple[int, int], kind: str) -> None:
        """`a, *b, c = value`: places after a star count from the end."""
        b = self.b
        starred = next((i for i, part in enumerate(parts) if part.type == "list_splat_pattern"), len(parts))
        for place, part in enumerate(parts):
            if place == starred:
                rest = b.expr(Op.LITERAL, "list", b.expr(Op.ELEMENT, value))
                self._assign(_first(part), rest, pos, region, kind)
            else:
                self._assign(
                    part, b.expr(Op.ITEM, value, place if place < starred else place - len(parts)), pos, region, kind
                )

    def _store_item(self, target: ts.Node, value: int, pos: int, region: tuple[int, int]) -> None:
        """`holder[key] = value`"""
        holder, keys = target.child_by_field_name("value"), target.children_by_field_name("subscript")
        if holder is not None and keys:
            self._store(holder, value, pos, region, self.expr(keys[0]))

    def _store(self, holder: ts.Node, value: int, pos: int, region: tuple[int, int], key: int = NONE) -> None:
        """A container gets an element: one that a name holds, `self.name`, or an element of a container itself."""
        keys = holder.children_by_field_name("subscript") if holder.type == "subscript" else []
        trail = ""
        while len(keys) == 1 and keys[0].type in ("string", "integer"):
            trail = f"[{self.b.exprs[self.expr(keys[0])][-1]}]{trail}"
            holder = holder.child_by_field_name("value") or holder
            keys = holder.children_by_field_name("subscript") if holder.type == "subscript" else []
        if holder.type == "identifier":
            scope = self.b.scope_at(holder.start_byte)
            self.b.bind(self.b.of(holder) + trail, "item", scope, pos, region=region, value=value, type_=key)
        elif holder.type == "attribute" and not trail:
            self._field(holder, value, key, pos, "item")

    def _field(self, target: ts.Node, value: int, type_: int, pos: int, kind: str = "field") -> None:
        """`self.x = value` in a method is a field of the class, `self.x[key] = value` an item of it."""
        b = self.b
        object_, name = target.child_by_field_name("object"), target.child_by_field_name("attribute")
        method = b.enclosing(target.start_byte, _FUNCTION_KINDS)
        if object_ is None or name is None or object_.type != "identifier" or method is None:
            return
        first = method.params[0] if method.params else None
        if first is None or first.kind != "self" or b.of(object_) != first.name or method.parent == NONE:
            return
        owner = b.symbols[method.parent]
        if owner.scope != NONE:
            b.bind(b.of(name), kind, owner.scope, pos, value=value, type_=type_, name_node=name)
            if kind == "field":
                self._assigned.setdefault((owner.index, b.of(name)), name)

    # --- narrowing

    def on_if(self, node: ts.Node) -> None:
        condition = node.child_by_field_name("condition")
        body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
        if condition is None or body is None:
            return
        self._narrow(condition, (body.start_byte, body.end_byte), True)
        whole = node.parent if node.type == "elif_clause" else node
        if whole is None or node.type == "while_statement":
            return
        if node.end_byte < whole.end_byte:  # an `elif` before other branches
            self._narrow(condition, (node.end_byte, whole.end_byte), False)
        elif node.child_by_field_name("alternative") is not None:
            self._narrow(condition, (body.end_byte, node.end_byte), False)
        elif node.type == "if_statement" and _leaves(body) and node.parent is not None:
            self._narrow(condition, (node.end_byte, node.parent.end_byte), False)

    def on_ternary(self, node: ts.Node) -> None:
        self._narrow_parts(node, members=False)

    def on_boolean(self, node: ts.Node) -> None:
        self._narrow_parts(node, members=False)

    def on_assert(self, node: ts.Node) -> None:
        if node.named_children and node.parent is not None:
            self._narrow(node.named_children[0], (node.end_byte, node.parent.end_byte), True)

    def _narrow_parts(self, node: ts.Node, members: bool) -> None:
        """The parts of `a and b`, `a or b` and `b if a else c` that run only where another part holds, or does not.

        `members`: what that tells of members, which has to be known before the parts are converted; else of names.
        """
        if node.type == "conditional_expression":
            parts = [c for c in node.named_children if c.type != "comment"]
            guarded = [(parts[0], True), (parts[2], False)] if len(parts) == 3 else []
            condition = parts[1] if len(parts) == 3 else None
        else:
            operator, right = node.child_by_field_name("operator"), node.child_by_field_name("right")
            condition = node.child_by_field_name("left")
            guarded = [(right, operator is not None and operator.type == "and")] if right is not None else []
        for part, holds in guarded:
            for subject, value in self._tests(condition, holds) if condition is not None else ():
                if (subject.type == "attribute") == members:
                    self._tell(subject, value, (part.start_byte, part.end_byte))

    def _narrow(self, condition: ts.Node, region: tuple[int, int], holds: bool) -> None:
        """What a condition that holds (or does not) tells in what it guards."""
        for subject, value in self._tests(condition, holds):
            self._tell(subject, value, region)

    def _tell(self, subject: ts.Node, value: int, region: tuple[int, int]) -> None:
        b = self.b
        if subject.type == "identifier":
            scope = b.scope_at(subject.start_byte)
            b.bind(b.of(subject), "narrow", scope, region[0], region=region, value=value)
        else:
            self._told.setdefault(b.of(subject), []).append((*region, value))

    def _tests(self, condition: ts.Node, holds: bool) -> Iterator[tuple[ts.Node, int]]:
        """What a condition tells of names and members: (subject, what it then is)."""
        while condition.type == "parenthesized_expression" and condition.named_children:
            condition = condition.named_children[0]
        if condition.type == "not_operator" and condition.named_children:
            yield from self._tests(condition.named_children[0], not holds)
        elif condition.type == "boolean_operator":
            operator = condition.child_by_field_name("operator")
            if operator is not None and operator.type == ("and" if holds else "or"):
                for side in (condition.child_by_field_name("left"), condition.child_by_field_name("right")):
                    yield from self._tests(side, holds) if side is not None else ()
        elif condition.type == "call":
            yield from self._called_test(condition, holds)
        elif condition.type == "comparison_operator" and len(condition.named_children) == 2:
            yield from self._type_test(condition, holds)

    def _called_test(self, node: ts.Node, holds: bool) -> Iterator[tuple[ts.Node, int]]:
        """`isinstance(subject, T)`, `issubclass(subject, T)` and type guards, which are named like `is_t(subject)`."""
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None and arguments.type == "argument_list" else []
        if function is None or not given or given[0].type not in _SUBJECTS:
            return
        b, name, subject = self.b, self.b.of(function), given[0]
        if name in ("isinstance", "issubclass") and len(given) == 2:
            kinds = given[1].named_children if given[1].type == "tuple" else [given[1]]
            union = b.expr(Op.UNION, *(self.expr(k) for k in kinds))
            if name == "issubclass":
                yield from ((subject, union),) if holds else ()
            else:
                how = "instance" if holds else "no instance"
                yield subject, b.expr(Op.NARROWED, self.expr(subject), how, union)
        elif _GUARD.match(name.rpartition(".")[2]):
            how = "passes" if holds else "fails"
            yield subject, b.expr(Op.NARROWED, self.expr(subject), how, self.expr(function))

    def _type_test(self, node: ts.Node, holds: bool) -> Iterator[tuple[ts.Node, int]]:
        """`type(subject) is T`"""
        left, right = node.named_children
        same = self.b.slice(left.end_byte, right.start_byte).strip() in ("is", "==")
        arguments = left.child_by_field_name("arguments") if left.type == "call" else None
        function = left.child_by_field_name("function") if left.type == "call" else None
        if arguments is None or function is None or self.b.of(function) != "type" or same != holds:
            return
        if len(arguments.named_children) == 1 and arguments.named_children[0].type in _SUBJECTS:
            subject = arguments.named_children[0]
            yield subject, self.b.expr(Op.CAST, self.expr(right), self.expr(subject))

    # --- constructs that run members

    def on_raise(self, node: ts.Node) -> None:
        raised = _first(node)
        if raised is not None and raised.type in ("identifier", "attribute"):
            self._implicit("__init__", raised, node)

    def _implicit(self, member: str, value: ts.Node | None, construct: ts.Node | None) -> None:
        """A construct runs a member of a value; `async` before the construct, that member's asynchronous twin."""
        if value is None or value.type in _OF_THE_LIBRARY:
            return
        if construct is not None and any(c.type == "async" for c in construct.children[:1]):
            member = "__a" + member[2:]
        start = value.start_byte
        self.b.site(Use.IMPLICIT, member, self.expr(value), start, value.end_byte, start)

    # --- results

    def on_return(self, node: ts.Node) -> None:
        draft = self.b.enclosing(node.start_byte, _FUNCTION_KINDS)
        if draft is not None and node.named_children and len(draft.returned) < 16:
            draft.returned.append(self.expr(node.named_children[0]))

    def on_yield(self, node: ts.Node) -> None:
        draft = self.b.enclosing(node.start_byte, _FUNCTION_KINDS)
        if draft is None:
            return
        draft.flags |= Flag.GENERATOR
        if node.named_children and len(draft.returned) < 16:
            value = self.expr(node.named_children[0])
            delegated = any(c.type == "from" for c in node.children)
            draft.returned.append(self.b.expr(Op.YIELD, self.b.expr(Op.ELEMENT, value) if delegated else value))

    # --- sites

    def on_call(self, node: ts.Node) -> None:
        function = node.child_by_field_name("function")
        if function is None:
            return
        self._called.add(function.id)
        name = function.child_by_field_name("attribute") if function.type == "attribute" else function
        if name is None or name.type != "identifier":
            # `f(x)(y)`, `table[key](x)`: the name is the last thing before the arguments
            self.b.site(
                Use.CALL,
                "",
                self.expr(function),
                function.start_byte,
                function.end_byte,
                node.start_byte,
                call=self.expr(node),
            )
            return
        text = self.b.of(name)
        if name is not function and text in _FILLING:
            self._filled(function, text, node)
        self.b.site(
            Use.CALL,
            text,
            self.expr(function),
            name.start_byte,
            name.end_byte,
            node.start_byte,
            call=self.expr(node),
        )

    def _filled(self, function: ts.Node, method: str, call: ts.Node) -> None:
        """`holder.append(value)` and the like: what a container is given."""
        place = _FILLING[method]
        holder, arguments = function.child_by_field_name("object"), call.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None and arguments.type == "argument_list" else []
        if holder is None or len(given) != place + 1:
            return
        value = given[place]
        if method == "update":
            for pair in value.named_children if value.type == "dictionary" else ():
                key, item = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                if key is not None and item is not None:
                    self._store(holder, self.expr(item), call.end_byte, self._block(call), self.expr(key))
        else:
            element = self.b.expr(Op.ELEMENT, self.expr(value)) if method == "extend" else self.expr(value)
            self._store(holder, element, call.end_byte, self._block(call))

    def on_attribute(self, node: ts.Node) -> None:
        if node.id in self._called:
            return
        parent = node.parent
        if parent is None:
            return
        kind = parent.type
        if kind in ("assignment", "augmented_assignment") and parent.child_by_field_name("left") == node:
            if kind == "augmented_assignment":
                self._member_site(node, Use.READ)
            return
        if kind in ("delete_statement", "pattern_list", "tuple_pattern", "decorator", "type"):
            return
        self._member_site(node, Use.READ if kind == "attribute" else Use.VALUE)

    def on_decorator(self, node: ts.Node) -> None:
        inner = node.named_children[0] if node.named_children else None
        if inner is None:
            return
        if inner.type == "call":  # what the call yields is then applied to the definition
            self._implicit("__call__", inner, None)
            return
        name = inner.child_by_field_name("attribute") if inner.type == "attribute" else inner
        if name is not None and name.type == "identifier":
            self.b.site(
                Use.DECORATOR, self.b.of(name), self.expr(inner), name.start_byte, name.end_byte, inner.start_byte
            )

    def on_value(self, node: ts.Node) -> None:
        self._name_site(node, Use.VALUE)

    def on_read(self, node: ts.Node) -> None:
        self._name_site(node, Use.READ)

    def _name_site(self, node: ts.Node, kind: str) -> None:
        start = node.start_byte
        self.b.site(kind, self.b.of(node), self.expr(node), start, node.end_byte, start)

    def on_type(self, node: ts.Node) -> None:
        self._type_sites(node)

    def _type_sites(self, node: ts.Node) -> None:
        if node.type == "identifier":
            self.b.site(Use.TYPE, self.b.of(node), self.expr(node), node.start_byte, node.end_byte, node.start_byte)
        elif node.type == "attribute":
            name = node.child_by_field_name("attribute")
            if name is not None:
                self.b.site(Use.TYPE, self.b.of(name), self.expr(node), name.start_byte, name.end_byte, node.start_byte)
        elif node.type == "dotted_name" and node.named_children:
            name = node.named_children[-1]
            self.b.site(Use.TYPE, self.b.of(name), self.expr(node), name.start_byte, name.end_byte, node.start_byte)
        elif node.type in ("subscript", "tuple"):
            for child in node.named_children:
                self._type_sites(child)

    def _member_site(self, node: ts.Node, kind: str) -> None:
        name = node.child_by_field_name("attribute")
        if name is not None:
            self.b.site(kind, self.b.of(name), self.expr(node), name.start_byte, name.end_byte, node.start_byte)

    # --- expressions

    def expr_identifier(self, node: ts.Node) -> int:
        b = self.b
        return b.expr(Op.NAME, b.of(node), b.scope_at(node.start_byte), node.start_byte)

    def expr_attribute(self, node: ts.Node) -> int:
        name = node.child_by_field_name("attribute")
        return self.b.expr(
            Op.ATTR, self._object(node.child_by_field_name("object")), self.b.of(name) if name is not None else ""
        )

    def _object(self, node: ts.Node | None) -> int:
        """The object of a member expression, seen as what conditions around it have told of it."""
        if self._told and node is not None and node.type == "attribute":
            for start, end, value in reversed(self._told.get(self.b.of(node), ())):
                if start <= node.start_byte < end:
                    return value
        return self.expr(node)

    def expr_dotted_name(self, node: ts.Node) -> int:
        parts = node.named_children
        name = self.expr(parts[0])
        for part in parts[1:]:
            name = self.b.expr(Op.ATTR, name, self.b.of(part))
        return name

    def expr_subscript(self, node: ts.Node) -> int:
        keys = node.children_by_field_name("subscript")
        return self.b.expr(Op.INDEX, self.expr(node.child_by_field_name("value")), *(self.expr(k) for k in keys))

    def expr_slice(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "slice")

    def expr_generic_type(self, node: ts.Node) -> int:
        parts = node.named_children
        arguments = parts[1].named_children if len(parts) > 1 else []
        return self.b.expr(Op.INDEX, self.expr(parts[0]), *(self.expr(a) for a in arguments))

    def expr_string(self, node: ts.Node) -> int:
        if node.end_byte - node.start_byte <= _SHORT:
            return self.b.expr(Op.CONST, "str", self.b.of(node).strip("\"'"))
        return self.b.expr(Op.LITERAL, "str")

    def expr_integer(self, node: ts.Node) -> int:
        return self.b.expr(Op.CONST, "int", self.b.of(node))

    def expr_float(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "float")

    def expr_none(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "None")

    def expr_true(self, node: ts.Node) -> int:
        return self.b.expr(Op.CONST, "bool", self.b.of(node))

    def expr_not_operator(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "bool")

    def expr_unary_operator(self, node: ts.Node) -> int:
        operand = node.child_by_field_name("argument")
        return self.b.expr(Op.BINARY, self.b.of(node)[:1] + "x", self.expr(operand), self.expr(operand))

    def expr_list(self, node: ts.Node) -> int:
        return self._sequence("list", node)

    def expr_set(self, node: ts.Node) -> int:
        return self._sequence("set", node)

    def expr_tuple(self, node: ts.Node) -> int:
        return self._sequence("tuple", node)

    def _sequence(self, name: str, node: ts.Node) -> int:
        elements = [c for c in node.named_children if c.type != "comment"][:_MAX_ELEMENTS]
        return self.b.expr(Op.LITERAL, name, *(self.expr(c) for c in elements))

    def expr_list_comprehension(self, node: ts.Node) -> int:
        return self._comprehension("list", node)

    def expr_set_comprehension(self, node: ts.Node) -> int:
        return self._comprehension("set", node)

    def expr_generator_expression(self, node: ts.Node) -> int:
        return self._comprehension("generator", node)

    def _comprehension(self, name: str, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, name, self.expr(node.child_by_field_name("body")))

    def expr_dictionary_comprehension(self, node: ts.Node) -> int:
        pair = node.child_by_field_name("body")
        parts = [self.expr(pair.child_by_field_name(f)) for f in ("key", "value")] if pair is not None else []
        return self.b.expr(Op.LITERAL, "dict", *parts)

    def expr_parenthesized_expression(self, node: ts.Node) -> int:
        inner = _first(node)
        return self.expr(inner) if inner is not None else self.b.expr(Op.TEXT, "")

    def expr_named_expression(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("value"))

    def expr_conditional_expression(self, node: ts.Node) -> int:
        self._narrow_parts(node, members=True)
        parts = node.named_children
        return self.b.expr(Op.UNION, self.expr(parts[0]), self.expr(parts[-1]))

    def expr_boolean_operator(self, node: ts.Node) -> int:
        self._narrow_parts(node, members=True)
        return self.b.expr(Op.UNION, *(self.expr(node.child_by_field_name(f)) for f in ("left", "right")))

    def expr_union_type(self, node: ts.Node) -> int:
        return self.b.expr(Op.UNION, *(self.expr(c) for c in node.named_children))

    def expr_yield(self, node: ts.Node) -> int:
        """What is sent to a generator: `Generator[yielded, sent, returned]` says it."""
        b = self.b
        draft = b.enclosing(node.start_byte, _FUNCTION_KINDS)
        declared = b.exprs[draft.returns] if draft is not None and draft.returns != NONE else (Op.TEXT,)
        if declared[0] != Op.INDEX or len(declared) < 4:
            return b.expr(Op.TEXT, "")
        base = b.exprs[declared[1]]
        name = base[2] if base[0] == Op.ATTR else base[1]
        return b.expr(Op.CAST, declared[3], NONE) if name in _GENERATORS else b.expr(Op.TEXT, "")

    def expr_await(self, node: ts.Node) -> int:
        return self.b.expr(Op.AWAIT, self.expr(_first(node)))

    def expr_lambda(self, node: ts.Node) -> int:
        return self.b.expr(Op.LAMBDA, self.b.scope_at(node.start_byte), self.expr(node.child_by_field_name("body")))

    def expr_list_splat(self, node: ts.Node) -> int:
        return self.b.expr(Op.SPREAD, self.expr(_first(node)))

    def expr_call(self, node: ts.Node) -> int:
        b = self.b
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is not None and function.type == "identifier" and b.of(function) == "super":
            given = arguments.named_children if arguments is not None else []
            return b.expr(Op.SUPER, b.scope_at(node.start_byte), self.expr(given[0]) if given else NONE)
        parts: list[int] = []
        if arguments is not None and arguments.type == "generator_expression":
            parts.append(self.expr(arguments))
        elif arguments is not None:
            for child in arguments.named_children[:_MAX_ELEMENTS]:
                if child.type == "keyword_argument":
                    name = child.child_by_field_name("name")
                    value = self.expr(child.child_by_field_name("value"))
                    parts.append(b.expr(Op.KEYWORD, b.of(name) if name is not None else "", value))
                elif child.type != "comment":
                    parts.append(self.expr(child))
        return b.expr(Op.CALL, self.expr(function), *parts)

    def expr_dictionary(self, node: ts.Node) -> int:
        parts: list[int] = []
        for pair in node.named_children[:_MAX_ELEMENTS]:
            if pair.type == "pair":
                key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                parts += [self.expr(key), self.expr(value)]
        return self.b.expr(Op.LITERAL, "dict", *parts)

    def expr_binary_operator(self, node: ts.Node) -> int:
        left, right, sign = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        if sign is not None and sign.type == "|":
            return self.b.expr(Op.UNION, self.expr(left), self.expr(right))
        return self.b.expr(Op.BINARY, sign.type if sign is not None else "", self.expr(left), self.expr(right))

    def _annotation(self, node: ts.Node | None) -> int:
        """A type annotation; what is quoted in it is read as if it were not quoted."""
        inner = _first(node) if node is not None and node.type == "type" else node
        if inner is None:
            return NONE
        written = self.b.of(inner)
        if '"' in written or "'" in written:
            self._unquote(inner)
        return self.expr(inner)

    def _unquote(self, node: ts.Node) -> None:
        if node.type == "string":
            self.once(node, lambda _, n: self._quoted(n))
        elif not self.b.of(node).partition("[")[0].endswith("Literal"):
            for child in node.named_children:
                self._unquote(child)

    def _quoted(self, node: ts.Node) -> int:
        """A string in a type annotation."""
        text = self.b.of(node)
        inner = _QUOTES.sub("", text).rstrip("\"'")
        if not _TYPE.fullmatch(inner):
            return self.b.expr(Op.TEXT, text)
        try:
            parsed = ast.parse(inner.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            return self.b.expr(Op.TEXT, text)
        return self._type(parsed, self.b.scope_at(node.start_byte), node.start_byte)

    def _type(self, node: ast.expr, scope: int, at: int) -> int:
        """A type that was parsed out of a string."""
        b = self.b
        if isinstance(node, ast.Name):
            return b.expr(Op.NAME, node.id, scope, at)
        if isinstance(node, ast.Attribute):
            return b.expr(Op.ATTR, self._type(node.value, scope, at), node.attr)
        if isinstance(node, ast.Subscript):
            return b.expr(Op.INDEX, self._type(node.value, scope, at), self._type(node.slice, scope, at))
        if isinstance(node, ast.BinOp):
            return b.expr(Op.UNION, *(self._type(side, scope, at) for side in (node.left, node.right)))
        if isinstance(node, (ast.Tuple, ast.List)):
            name = "tuple" if isinstance(node, ast.Tuple) else "list"
            return b.expr(Op.LITERAL, name, *(self._type(part, scope, at) for part in node.elts))
        if isinstance(node, ast.Constant) and node.value is None:
            return b.expr(Op.LITERAL, "None")
        return b.expr(Op.TEXT, "")

    # --- small things

    def _block(self, node: ts.Node) -> tuple[int, int]:
        """The innermost branch that a statement stands in; its whole scope where it stands in none."""
        parent = node.parent
        branch = self._branch(parent) if parent is not None else None
        if branch is not None:
            return branch
        scope = self.b.scopes[self.b.scope_at(node.start_byte)]
        return scope.start, scope.end

    def _branch(self, around: ts.Node) -> tuple[int, int] | None:
        """The innermost branch that a node lies in, itself included.  Statements of a block share the climb to it."""
        if around.id in self._blocks:
            return self._blocks[around.id]
        found = None
        parent = around.parent
        if around.type == "block" and parent is not None and parent.type not in _BODIES:
            found = around.start_byte, around.end_byte
        elif around.type not in _OUTERMOST and parent is not None:
            found = self._branch(parent)
        self._blocks[around.id] = found
        return found

    def _docstring(self, body: ts.Node) -> str:
        # The grammar has a lone string for a statement of its own.
        literal = next((c for c in body.named_children if c.type != "comment"), None)
        if literal is not None and literal.type == "expression_statement" and literal.named_children:
            literal = literal.named_children[0]
        if literal is None or literal.type != "string":
            return ""
        written = self.b.of(literal)
        opening = _QUOTES.match(written)
        if opening is None or _NO_DOCSTRING.intersection(opening[0].lower()):
            return ""
        text = written[opening.end() :].rstrip("\"'")
        head, _, rest = text.partition("\n")
        return (head.strip() + "\n" + textwrap.dedent(rest)).strip()


def _visibility(name: str) -> str:
    dunder = name.startswith("__") and name.endswith("__")
    return "public" if dunder or not name.startswith("_") else "private" if name.startswith("__") else "protected"


def _first(node: ts.Node) -> ts.Node | None:
    return next((c for c in node.named_children if c.type != "comment"), None)


def _place(around: ts.Node, child: ts.Node) -> int:
    """The how-manieth of the elements of a literal or the arguments of a call something is."""
    return [c.id for c in around.named_children if c.type != "comment"].index(child.id)


def _result_type(statement: ts.Node) -> ts.Node | None:
    """What the function around a `return` declares to return."""
    around = statement.parent
    while around is not None and around.type not in _OUTERMOST:
        around = around.parent
    return around.child_by_field_name("return_type") if around is not None else None


def _leaves(body: ts.Node) -> bool:
    """Does the block end by leaving (so that what follows runs only if its condition did not hold)?"""
    last = body.named_children[-1] if body.named_children else None
    return last is not None and last.type in (
        "return_statement",
        "raise_statement",
        "continue_statement",
        "break_statement",
    )


def _walk_identifiers(node: ts.Node) -> list[ts.Node]:
    found: list[ts.Node] = []
    todo = [node]
    while todo:
        current = todo.pop()
        if current.type == "identifier":
            found.append(current)
        todo.extend(reversed(current.named_children))
    return found


_DECORATOR_FLAGS = {
    "staticmethod": Flag.STATIC,
    "classmethod": Flag.CLASSMETHOD,
    "property": Flag.GETTER,
    "cached_property": Flag.GETTER,
    "abstractproperty": Flag.GETTER | Flag.ABSTRACT,
    "getter": Flag.GETTER,
    "setter": Flag.SETTER,
    "deleter": Flag.DELETER,
    "abstractmethod": Flag.ABSTRACT,
    "overload": Flag.OVERLOAD | Flag.DECLARATION,
    "override": Flag.OVERRIDE,
    "final": Flag.FINAL,
}

RULES = PythonRules
