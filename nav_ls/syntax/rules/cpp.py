"""C++: C's rules and what the language adds."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import ClassVar

import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import NONE, TYPE_KINDS, Flag, Import, Op, TypeParam, Use
from nav_ls.syntax.rules.c import CRules, Declarator

_FUNCTION_KINDS = ("function", "method", "constructor")
_CLASS_TYPES = frozenset({Op.NAME, Op.ATTR, Op.INDEX})
_CASTS = frozenset({"static_cast", "dynamic_cast", "reinterpret_cast", "const_cast"})
_GTEST = frozenset({"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P", "MOCK_TEST"})
_CONSTRAINT = re.compile(rb"enable_if|\brequires\b|\bconcept\b|is_same|conjunction")
_NUMBER_TYPES = ("primitive_type", "sized_type_specifier")
_NAMED_TYPES = frozenset({"type_identifier", "qualified_identifier", "template_type"})
_VALUE_PARAMETERS = frozenset({"parameter_declaration", "optional_parameter_declaration"})
_PLAIN_TYPES = frozenset({"type_identifier", "qualified_identifier"})


class CppRules(CRules):
    """Handlers for the captures of `queries/cpp/facts.scm`."""

    like: ClassVar[Mapping[str, str]] = {
        **CRules.like,
        "template_function": "template_type",
        "template_method": "template_type",
        "operator_name": "template_type",
        "field_identifier": "template_type",
        "dependent_name": "dependent_type",
        "argument_list": "initializer_list",
    }

    tag_prefix = False

    def begin(self, root: ts.Node) -> None:
        self._anonymous: list[tuple[int, int]] = []
        self._handed: list[tuple[int, int]] = []  # arguments that look like the types of parameters
        self._sections: dict[int, tuple[list[int], list[str]]] = {}
        super().begin(root)

    # --- namespaces

    def on_namespace(self, node: ts.Node) -> None:
        b = self.b
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if body is None:
            return
        if name is None:
            self._anonymous.append((body.start_byte, body.end_byte))
            return
        parts = name.named_children if name.type == "nested_namespace_specifier" else [name]
        inline = any(c.type == "inline" for c in node.children)
        draft: Draft | None = None
        for part in self._flat(parts):
            draft = b.define(b.of(part), "namespace", node, part, parent=draft)
            draft.signature = f"namespace {draft.name}"
            scope = b.scope_at(node.start_byte) if part is parts[0] else b.scope_at(body.start_byte)
            b.bind(draft.name, "def", scope, part.start_byte, value=draft.index, name_node=part)
            b.open_body(draft, body.start_byte, body.end_byte, "namespace")
            if inline:
                b.extra["inline"] = " ".join(filter(None, [b.extra.get("inline", ""), draft.qual]))

    def _flat(self, parts: list[ts.Node]) -> list[ts.Node]:
        out: list[ts.Node] = []
        for part in parts:
            out += self._flat(part.named_children) if part.type == "nested_namespace_specifier" else [part]
        return out

    def on_namespace_alias(self, node: ts.Node) -> None:
        b = self.b
        name = node.child_by_field_name("name")
        target = node.named_children[-1] if len(node.named_children) > 1 else None
        if name is not None and target is not None:
            scope = b.scope_at(node.start_byte)
            b.bind(b.of(name), "local", scope, node.start_byte, value=self.expr(target), name_node=name)

    def on_using(self, node: ts.Node) -> None:
        b = self.b
        if not node.named_children:
            return
        target = node.named_children[0]
        scope = b.scope_at(node.start_byte)
        if any(c.type == "namespace" for c in node.children):
            name = b.of(target).replace("::", ".").replace(" ", "").strip(".")
            b.imports.append(Import(name, "*", "", scope, node.start_byte, node.end_byte, "using"))
            return
        if target.type == "qualified_identifier":
            self._named(Use.IMPORT, target)
            last = self._path(target)[-1]
            value = self.expr(target)
            b.bind(self._part_name(last), "using", scope, node.start_byte, value=value, name_node=last)

    def on_alias(self, node: ts.Node) -> None:
        b = self.b
        name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None or type_ is None:
            return
        inner = type_.child_by_field_name("type")
        if inner is not None and inner.child_by_field_name("body") is not None:
            self._specifier(inner, b.of(name), name)
            return
        alias = b.define(b.of(name), "type", node, name)
        alias.signature = fold(b.of(node)).rstrip(";")
        self.document(alias)
        self._access(alias, node)
        b.bind(
            alias.name, "local", b.scope_at(node.start_byte), name.start_byte, value=self.expr(type_), name_node=name
        )

    # --- classes

    def expr_class_specifier(self, node: ts.Node) -> int:
        return self.expr_struct_specifier(node)

    def _tag_name(self, tag: ts.Node) -> str:
        while tag.type in ("template_type", "qualified_identifier"):
            inner = tag.child_by_field_name("name")
            if inner is None:
                break
            tag = inner
        return self.b.of(tag)

    def _new_type(self, name: str, kind: str, node: ts.Node, named: ts.Node | None, anonymous: bool) -> Draft:
        template = self._template(node)
        start = template.start_byte if template is not None else node.start_byte
        container = None
        if named is not None and named.type == "qualified_identifier":
            around = self.b.draft_at(node.start_byte)
            path = [self._part_name(p) for p in self._path(named)[:-1]]
            container = ".".join([around.qual, *path] if around is not None and around.qual else path)
        draft = self.b.define(name or f"({kind})", kind, node, named, start=start, container=container)
        if named is not None and container is not None:
            draft.receiver = self._scope_expr(self._path(named)[:-1], NONE)
        if anonymous:
            draft.kind = "anonymous"
            draft.flags |= Flag.MINOR
        if self._in_anonymous(node.start_byte):
            draft.visibility = "private"
        self._access(draft, node)
        return draft

    def _before_body(self, draft: Draft, node: ts.Node) -> None:
        for child in node.named_children:
            if child.type == "base_class_clause":
                self._in_bases(draft, child, self._template(node))
                for base in child.named_children:
                    if base.type in _NAMED_TYPES:
                        draft.bases.append(self.expr(base))
                        draft.base_kinds.append("inherits")

    def _in_bases(self, draft: Draft, clause: ts.Node, template: ts.Node | None) -> None:
        """Bases see the template's parameters, and not what is in the class."""
        if template is None:
            return
        scope = self.b.open_scope("block", clause.start_byte, clause.end_byte, draft.index)
        for child, name in self._template_parameters(template):
            if child.type not in _VALUE_PARAMETERS:
                self.b.bind(self.b.of(name), "typeparam", scope, 0, name_node=name)

    def _after_body(self, draft: Draft, node: ts.Node) -> None:
        if draft.scope == NONE:
            return
        body = node.child_by_field_name("body")
        positions: list[int] = []
        names: list[str] = []
        for child in body.named_children if body is not None else ():
            if child.type == "access_specifier":
                positions.append(child.start_byte)
                names.append(self.b.of(child).strip())
        default = "private" if node.type == "class_specifier" else "public"
        self._sections[draft.index] = (positions, [default, *names])
        self._type_parameters(draft, self._template(node), draft.scope)

    def _outer_scope(self, position: int) -> int:
        return self.b.scope_at(position)

    def _enumerator_scope(self, body: ts.Node) -> int:
        scoped = body.parent is not None and any(c.type in ("class", "struct") for c in body.parent.children)
        return NONE if scoped else super()._enumerator_scope(body)

    def _access(self, draft: Draft, node: ts.Node) -> None:
        owner = self.b.draft_at(node.start_byte)
        known = self._sections.get(owner.index) if owner is not None else None
        if known is None and owner is not None and owner.kind in TYPE_KINDS:
            known = ([], ["private" if owner.kind == "class" else "public"])
        if known is not None:
            positions, names = known
            draft.visibility = names[bisect_right(positions, node.start_byte)]

    def _in_anonymous(self, position: int) -> bool:
        return any(start <= position < end for start, end in self._anonymous)

    # --- templates

    def _template(self, node: ts.Node) -> ts.Node | None:
        """The `template <...>` around a declaration."""
        parent = node.parent
        if parent is not None and parent.type in ("friend_declaration", "field_declaration", "declaration"):
            parent = parent.parent
        found = None
        while parent is not None and parent.type in ("template_declaration", "requires_clause"):
            found = parent
            parent = parent.parent
        return found

    def _template_parameters(self, template: ts.Node | None) -> Iterator[tuple[ts.Node, ts.Node]]:
        """Template parameters and their names.  Of `template <> template <class T>` all lists count."""
        while template is not None:
            parameters = template.child_by_field_name("parameters")
            for child in parameters.named_children if parameters is not None else ():
                name = self._parameter_name(child)
                if name is not None:
                    yield child, name
            template = next((c for c in template.named_children if c.type == "template_declaration"), None)

    def _type_parameters(self, draft: Draft, template: ts.Node | None, scope: int) -> None:
        """Bind template parameters."""
        b = self.b
        for child, name in self._template_parameters(template):
            text = b.of(name)
            draft.type_params.append(TypeParam(text))
            if child.type in _VALUE_PARAMETERS:
                b.bind(text, "param", scope, 0, type_=self.expr(child.child_by_field_name("type")), name_node=name)
            else:
                b.bind(text, "typeparam", scope, 0, name_node=name)

    def _parameter_name(self, node: ts.Node) -> ts.Node | None:
        if node.type in _VALUE_PARAMETERS:
            declarator = node.child_by_field_name("declarator")
            return self.declarator(declarator).name if declarator is not None else None
        named = node.child_by_field_name("name")
        if named is not None:
            return named
        return next((c for c in node.named_children if c.type == "type_identifier"), None)

    # --- functions

    def declarator(self, node: ts.Node) -> Declarator:
        d = super().declarator(node)
        name = d.name
        while name is not None and name.type == "qualified_identifier":
            name = name.child_by_field_name("name")
        if name is not None and name.type == "operator_cast" and d.function is None:
            function = name.child_by_field_name("declarator")
            if function is not None:
                d.function, d.outer = function, []
        return d

    def _path(self, node: ts.Node) -> list[ts.Node]:
        """`a::b<T>::c` as its parts."""
        parts: list[ts.Node] = []
        current: ts.Node | None = node
        while current is not None and current.type == "qualified_identifier":
            scope = current.child_by_field_name("scope")
            if scope is not None:
                parts.append(scope)
            current = current.child_by_field_name("name")
        if current is not None:
            parts.append(current)
        return parts

    def _part_name(self, node: ts.Node) -> str:
        """The name of one part: without template arguments, operators without spaces."""
        if node.type in ("template_type", "template_function", "template_method"):
            inner = node.child_by_field_name("name")
            return self.b.of(inner) if inner is not None else ""
        if node.type == "operator_cast":
            type_ = node.child_by_field_name("type")
            return "operator " + (self.b.of(type_) if type_ is not None else "")
        text = self.b.of(node)
        if node.type == "operator_name":
            rest = text[len("operator") :].strip()
            return "operator" + (" " + rest if rest[:1].isalpha() else rest.replace(" ", ""))
        if node.type == "destructor_name":
            return text.replace(" ", "")
        return text

    def _new_function(self, node: ts.Node, d: Declarator) -> Draft:
        assert d.name is not None
        macro = self._macro_definition(node, d)
        if macro is not None:
            return self._macro_function(node, d, macro)
        parts = self._path(d.name)
        name = parts[-1]
        draft = self._function_draft(node, d, parts)
        if len(parts) == 1:
            scope = self.b.scope_at(node.start_byte)
            if self._is_friend(node):
                scope = self._namespace_scope(scope)
            self.b.bind(draft.name, "def", scope, name.start_byte, value=draft.index, name_node=name)
        return draft

    def _is_friend(self, node: ts.Node) -> bool:
        parent = node.parent
        if parent is not None and parent.type == "template_declaration":
            parent = parent.parent
        return parent is not None and parent.type == "friend_declaration"

    def _namespace_scope(self, scope: int) -> int:
        b = self.b
        while b.scopes[scope].kind == "class" and b.scopes[scope].parent != NONE:
            scope = b.scopes[scope].parent
        return scope

    def _function_draft(self, node: ts.Node, d: Declarator, parts: list[ts.Node]) -> Draft:
        """Open a function, method or constructor under its qualified name."""
        b = self.b
        name_node = parts[-1]
        name = self._part_name(name_node)
        template = self._template(node)
        start = template.start_byte if template is not None else node.start_byte
        around = b.draft_at(node.start_byte)
        friend = self._is_friend(node)
        if friend:
            while around is not None and around.kind in TYPE_KINDS:
                around = b.symbols[around.parent] if around.parent != NONE else None
        in_class = around is not None and around.kind in TYPE_KINDS | {"anonymous"}
        container = None
        path = [self._part_name(p) for p in parts[:-1]]
        if path or friend:
            prefix = around.qual if around is not None and around.kind not in _FUNCTION_KINDS else ""
            container = ".".join(filter(None, [prefix, *path]))
        owner = path[-1] if path else around.name if in_class and around is not None else ""
        kind = "function" if not owner else "constructor" if name == owner else "method"
        draft = b.define(name, kind, node, name_node, start=start, container=container)
        if friend:
            draft.parent = around.index if around is not None else NONE
        if kind == "constructor":
            draft.flags |= Flag.CONSTRUCTOR
        if path:
            draft.receiver = self._scope_expr(parts[:-1], NONE)
        if template is not None and _CONSTRAINT.search(b.text, start, name_node.start_byte):
            draft.flags |= Flag.CONSTRAINED
        self._method_flags(draft, node, d)
        self._linkage(draft, node)
        if in_class and not path:
            self._access(draft, node)
        return draft

    def _scope_expr(self, parts: list[ts.Node], base: int) -> int:
        for place, part in enumerate(parts, 1):
            base = self._part_expr(part, base, NONE if place < len(parts) else part.start_byte)
        return base

    def _part_expr(self, part: ts.Node, base: int, pos: int) -> int:
        """One part of a qualified name, below what stands before it; `pos` NONE: in front of `::` no variable counts."""
        b = self.b
        name = self._part_name(part)
        if base == NONE:
            expr = b.expr(Op.NAME, name, b.scope_at(part.start_byte), pos)
        else:
            expr = b.expr(Op.ATTR, base, name)
        if part.type in ("template_type", "template_function", "template_method"):
            return b.expr(Op.INDEX, expr, *self._template_arguments(part))
        return expr

    def _template_arguments(self, node: ts.Node) -> list[int]:
        arguments = node.child_by_field_name("arguments")
        return [self.expr(c) for c in arguments.named_children[:8]] if arguments is not None else []

    def _method_flags(self, draft: Draft, node: ts.Node, d: Declarator) -> None:
        for child in node.children:
            if child.type in ("virtual", "virtual_function_specifier"):
                draft.flags |= Flag.VIRTUAL
            elif child.type == "delete_method_clause":
                draft.flags |= Flag.DECLARATION
            elif child.type == "pure_virtual_clause":
                draft.flags |= Flag.ABSTRACT | Flag.VIRTUAL | Flag.DECLARATION
        for child in d.function.named_children if d.function is not None else ():
            if child.type == "virtual_specifier":
                draft.flags |= Flag.OVERRIDE | Flag.VIRTUAL if self.b.of(child) == "override" else Flag.FINAL
        default = node.child_by_field_name("default_value")
        if default is not None and self.b.of(default) == "0":
            draft.flags |= Flag.ABSTRACT | Flag.VIRTUAL

    def _linkage(self, draft: Draft, node: ts.Node) -> None:
        super()._linkage(draft, node)
        if draft.kind in ("function", "variable") and self._in_anonymous(node.start_byte):
            draft.flags |= Flag.STATIC
            draft.visibility = "private"

    def _result(self, node: ts.Node, d: Declarator) -> int:
        for child in d.function.named_children if d.function is not None else ():
            if child.type == "trailing_return_type" and child.named_children:
                return self.expr(child.named_children[0])
        type_ = node.child_by_field_name("type")
        if type_ is None or type_.type == "placeholder_type_specifier":
            return NONE
        return super()._result(node, d)

    def _base_type(self, node: ts.Node, type_: ts.Node | None) -> int:
        base = super()._base_type(node, type_)
        return self._constant(node, base) if base != NONE and self.b.exprs[base][0] in _CLASS_TYPES else base

    def _constant(self, node: ts.Node, index: int) -> int:
        """Mark what a declaration with `const` declares."""
        if any(c.type == "type_qualifier" and self.b.of(c) == "const" for c in node.children):
            return self.b.expr(Op.CONSTANT, index)
        return index

    def _before_header(self, draft: Draft, node: ts.Node) -> None:
        """A scope of its own for template parameters, so that they are known in the types of the header."""
        template = self._template(node)
        if template is not None:
            scope = self.b.open_scope("function", template.start_byte, node.end_byte, draft.index)
            self._type_parameters(draft, template, scope)

    # --- macros that define functions

    def _macro_definition(self, node: ts.Node, d: Declarator) -> ts.Node | None:
        if d.name is None or d.name.type != "identifier":
            return None
        around = self.b.draft_at(node.start_byte)
        if around is not None and around.name == self.b.of(d.name):
            return None
        return super()._macro_definition(node, d)

    def _macro_function(self, node: ts.Node, d: Declarator, first: ts.Node) -> Draft:
        b = self.b
        assert d.name is not None
        macro = b.of(d.name)
        parameters = d.function.child_by_field_name("parameters") if d.function is not None else None
        names = [p.child_by_field_name("type") for p in parameters.named_children] if parameters is not None else []
        second = names[1] if len(names) > 1 else None
        if macro in _GTEST and second is not None:
            around = b.draft_at(node.start_byte)
            container = ".".join(filter(None, [around.qual if around is not None else "", b.of(first)]))
            draft = b.define(b.of(second), "method", node, second, container=container)
            draft.flags |= Flag.TEST
            draft.receiver = self.expr(first)
            return draft
        draft = b.define(self._macro_head(d) or b.of(first), "function", node, first)
        self._linkage(draft, node)
        b.bind(draft.name, "def", b.scope_at(node.start_byte), first.start_byte, value=draft.index, name_node=first)
        return draft

    def on_macro_body(self, node: ts.Node) -> None:
        """`TEST_CASE("title") { ... }`: to the grammar a call and a block; it defines what only its title tells of."""
        b = self.b
        before = node.prev_named_sibling
        call = before.named_children[0] if before is not None and before.named_children else None
        function = call.child_by_field_name("function") if call is not None else None
        arguments = call.child_by_field_name("arguments") if call is not None else None
        if before is None or function is None or function.type != "identifier" or arguments is None:
            return
        title = next((c for c in arguments.named_children if c.type == "string_literal"), None)
        if title is None or not b.of(function).isupper():
            return
        name = f"{b.of(function)}({fold(b.of(title), 80).replace('.', '_')})"
        draft = b.define(name, "function", node, function, start=before.start_byte)
        draft.signature = fold(b.of(before)).rstrip(";")
        draft.flags |= Flag.STATIC
        first = arguments.named_children[0]
        if first.type in _PLAIN_TYPES or first.type == "identifier":  # the fixture that it is a method of
            draft.receiver = self.expr(first)
        b.open_body(draft, node.start_byte, node.end_byte)

    # --- declarations

    def on_declaration(self, node: ts.Node) -> None:
        owner = self.b.draft_at(node.start_byte)
        if owner is not None and owner.kind in TYPE_KINDS:
            self._member_declaration(node)
            return
        super().on_declaration(node)

    def _member_declaration(self, node: ts.Node) -> None:
        """Constructors, destructors, conversions and templates inside a class."""
        type_ = node.child_by_field_name("type")
        if type_ is not None and type_.child_by_field_name("body") is not None:
            self._specifier(type_, "")
        for child in node.children_by_field_name("declarator"):
            d = self.declarator(child)
            if d.name is None:
                continue
            if d.function is not None:
                if self._is_friend(node):
                    self._prototype(node, d)
                else:
                    self._method(node, d)
            elif not self._is_friend(node):
                self._variable(node, child, type_, d)

    def _method(self, node: ts.Node, d: Declarator) -> bool:
        if d.name is None or d.function is None:
            return False
        draft = self._function_draft(node, d, self._path(d.name))
        draft.flags |= Flag.DECLARATION
        self._declared_function(draft, node, d)
        scope = self.b.scope_at(node.start_byte)
        self.b.bind(draft.name, "def", scope, d.name.start_byte, value=draft.index, name_node=d.name)
        return True

    def _declared_function(self, draft: Draft, node: ts.Node, d: Declarator) -> None:
        """Signature, comment, result and parameters of a prototype."""
        assert d.function is not None
        self.document(draft)
        draft.signature = fold(self.b.of(node)).rstrip("; ")
        self._before_header(draft, node)
        draft.returns = self._result(node, d)
        self._parameters(draft, d.function, NONE)

    def _prototype(self, node: ts.Node, d: Declarator) -> None:
        b = self.b
        assert d.name is not None
        parts = self._path(d.name)
        draft = self._function_draft(node, d, parts)
        draft.flags |= Flag.DECLARATION
        self._declared_function(draft, node, d)
        if len(parts) > 1:
            return
        scope = b.scope_at(node.start_byte)
        if self._is_friend(node):
            scope = self._namespace_scope(scope)
        local = b.scopes[scope].kind == "function"
        region = self._block(node) if local else None
        b.bind(draft.name, "def", scope, d.name.start_byte, region=region, value=draft.index, name_node=d.name)

    def _is_variable(self, node: ts.Node, child: ts.Node, d: Declarator) -> bool:
        """`Foo x(a);` in a function looks like a prototype: arguments are names of values."""
        b = self.b
        if child.type != "function_declarator" or b.enclosing(node.start_byte, _FUNCTION_KINDS) is None:
            return False
        type_ = node.child_by_field_name("type")
        parameters = d.function.child_by_field_name("parameters") if d.function is not None else None
        if type_ is None or type_.type not in _NAMED_TYPES or parameters is None or not parameters.named_children:
            return False
        return all(
            p.type == "parameter_declaration"
            and p.child_by_field_name("declarator") is None
            and getattr(p.child_by_field_name("type"), "type", "") in _PLAIN_TYPES
            for p in parameters.named_children
        )

    def _variable(self, node: ts.Node, child: ts.Node, type_: ts.Node | None, d: Declarator) -> None:
        if d.name is not None and d.name.type == "structured_binding_declarator":
            self._unpack(d.name, self._initial(node, child, d), self._block(node))
            return
        if d.name is not None and d.name.type == "qualified_identifier":
            self._named(Use.WRITE, d.name)
            self._constructed(node, child, type_, d)
            return
        super()._variable(node, child, type_, d)
        self._constructed(node, child, type_, d)

    def _unpack(self, names: ts.Node, value: int, region: tuple[int, int]) -> None:
        b = self.b
        owner = b.enclosing(names.start_byte, _FUNCTION_KINDS)
        scope = b.scope_at(names.start_byte)
        for place, name in enumerate(names.named_children):
            if name.type != "identifier":
                continue
            if owner is not None:
                self._hide(owner.index, b.of(name), (name.start_byte, region[1]))
            item = b.expr(Op.ITEM, value, place)
            b.bind(b.of(name), "block", scope, name.start_byte, region=region, value=item, name_node=name)

    def _constructed(self, node: ts.Node, child: ts.Node, type_: ts.Node | None, d: Declarator) -> None:
        """A variable of a class type calls a constructor."""
        if type_ is None or type_.type not in _NAMED_TYPES or d.outer or d.yields_function:
            return
        if any(c.type == "storage_class_specifier" and self.b.of(c) == "extern" for c in node.children):
            return
        arguments: list[int] = []
        if child.type == "init_declarator":
            value = child.child_by_field_name("value")
            if value is None or value.type not in ("argument_list", "initializer_list"):
                return
            if value.type == "initializer_list" and any(c.type == "=" for c in child.children):
                return
            arguments = self._arguments(value)
        elif d.function is not None:
            parameters = d.function.child_by_field_name("parameters")
            kinds = [p.child_by_field_name("type") for p in parameters.named_children] if parameters is not None else []
            for value in filter(None, kinds):
                arguments.append(self.expr(value))
                self._named(Use.VALUE, value)
                self._handed.append((value.start_byte, value.end_byte))
        self._construct_site(type_, arguments, node.start_byte, Op.CALL)

    def _construct_site(self, type_: ts.Node, arguments: list[int], at: int, op: int) -> None:
        name = self._path(type_)[-1] if type_.type == "qualified_identifier" else type_
        if name.type in ("template_type", "template_function"):
            name = name.child_by_field_name("name") or name
        b = self.b
        expr = self.expr(type_)
        call = b.expr(op, expr, *arguments)
        b.site(Use.NEW, b.of(name), expr, name.start_byte, name.end_byte, at, call=call)

    def _declared(self, node: ts.Node, type_: ts.Node | None, d: Declarator) -> int:
        if type_ is not None and type_.type == "placeholder_type_specifier":
            return NONE
        if d.function is not None and not d.yields_function and self._is_variable_of(d):
            return self.expr(type_)
        return super()._declared(node, type_, d)

    def _is_variable_of(self, d: Declarator) -> bool:
        return d.function is not None and d.kinds == ["function_declarator"]

    def _initial(self, node: ts.Node, child: ts.Node, d: Declarator) -> int:
        if child.type != "init_declarator":  # `if (auto *x = f())` has its value beside the declarator
            return self.expr(node.child_by_field_name("value"))
        value = child.child_by_field_name("value")
        if value is not None and value.type in ("argument_list", "initializer_list") and len(value.named_children) == 1:
            value = value.named_children[0]
        found = self.expr(value)
        type_ = node.child_by_field_name("type")
        automatic = type_ is not None and type_.type == "placeholder_type_specifier" and found != NONE
        return self._constant(node, found) if automatic else found

    def on_for_range(self, node: ts.Node) -> None:
        b = self.b
        type_, declarator, right = (node.child_by_field_name(f) for f in ("type", "declarator", "right"))
        if declarator is None:
            return
        d = self.declarator(declarator)
        element = self._constant(node, b.expr(Op.ELEMENT, self.expr(right)))
        region = (node.start_byte, node.end_byte)
        if d.name is None:
            return
        if d.name.type == "structured_binding_declarator":
            self._unpack(d.name, element, region)
            return
        owner = b.enclosing(node.start_byte, _FUNCTION_KINDS)
        if owner is not None:
            self._hide(owner.index, b.of(d.name), region)
        declared = self._declared(node, type_, d)
        b.bind(
            b.of(d.name),
            "block",
            b.scope_at(node.start_byte),
            d.name.start_byte,
            region=region,
            value=element,
            type_=declared,
            name_node=d.name,
        )

    def on_catch(self, node: ts.Node) -> None:
        parameters = node.child_by_field_name("parameters")
        self._block_parameters(parameters, node)

    def on_lambda(self, node: ts.Node) -> None:
        declarator = node.child_by_field_name("declarator")
        parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
        self._block_parameters(parameters, node)
        captures, b = node.child_by_field_name("captures"), self.b
        for child in captures.named_children if captures is not None else ():
            name = child.child_by_field_name("left") if child.type == "lambda_capture_initializer" else None
            if name is not None:
                region, value = (node.start_byte, node.end_byte), self.expr(child.child_by_field_name("right"))
                scope = b.scope_at(node.start_byte)
                b.bind(b.of(name), "block", scope, name.start_byte, region=region, value=value, name_node=name)

    def _block_parameters(self, parameters: ts.Node | None, node: ts.Node) -> None:
        b = self.b
        scope = b.scope_at(node.start_byte)
        for child in parameters.named_children if parameters is not None else ():
            declarator = child.child_by_field_name("declarator")
            d = self.declarator(declarator) if declarator is not None else None
            if d is None or d.name is None:
                continue
            type_ = self._declared(child, child.child_by_field_name("type"), d)
            region = (node.start_byte, node.end_byte)
            b.bind(b.of(d.name), "block", scope, d.name.start_byte, region=region, type_=type_, name_node=d.name)

    def on_return(self, node: ts.Node) -> None:
        draft = self.b.enclosing(node.start_byte, _FUNCTION_KINDS)
        if draft is None or draft.returns != NONE or not node.named_children or len(draft.returned) >= 8:
            return
        current = node.parent
        while current is not None and current.type != "function_definition":
            if current.type == "lambda_expression":
                return
            current = current.parent
        draft.returned.append(self.expr(node.named_children[0]))

    # --- sites

    def on_field_initializer(self, node: ts.Node) -> None:
        """`: Base(x), member_(y)`: a base's constructor, or that of a member's type."""
        b = self.b
        name = node.named_children[0] if node.named_children else None
        if name is None:
            return
        arguments = next((c for c in node.named_children[1:] if c.type in ("argument_list", "initializer_list")), None)
        parts = self._path(name)
        expr = self._scope_expr(parts, NONE)
        last = parts[-1]
        if last.type in ("template_method", "template_type"):
            last = last.child_by_field_name("name") or last
        call = b.expr(Op.CALL, expr, *self._arguments(arguments))
        b.site(Use.NEW, b.of(last), expr, last.start_byte, last.end_byte, node.start_byte, call=call)
        if name.type == "field_identifier":
            field = b.expr(Op.ATTR, b.expr(Op.THIS, b.scope_at(node.start_byte)), b.of(name))
            b.site(Use.WRITE, b.of(name), field, name.start_byte, name.end_byte, node.start_byte)

    def on_new(self, node: ts.Node) -> None:
        type_ = node.child_by_field_name("type")
        if type_ is None or type_.type not in _NAMED_TYPES:
            return
        if self.b.text[type_.end_byte : node.end_byte].lstrip().startswith(b"*"):  # the parser saw no star
            return
        arguments = self._arguments(node.child_by_field_name("arguments"))
        self._construct_site(type_, arguments, node.start_byte, Op.NEW)

    def on_construct(self, node: ts.Node) -> None:
        type_ = node.child_by_field_name("type")
        if type_ is not None and type_.type in _NAMED_TYPES:
            self._construct_site(type_, self._arguments(node.child_by_field_name("value")), node.start_byte, Op.NEW)

    def on_call(self, node: ts.Node) -> None:
        function = node.child_by_field_name("function")
        if function is not None and function.type == "template_function":
            name = function.child_by_field_name("name")
            if name is not None and self.b.of(name) in _CASTS:
                return
        super().on_call(node)

    def _callee_name(self, function: ts.Node) -> ts.Node | None:
        kind = function.type
        if kind == "qualified_identifier":
            return self._callee_name(self._path(function)[-1])
        if kind in ("template_function", "template_method", "template_type", "dependent_name"):
            inner = function.child_by_field_name("name") or (
                function.named_children[0] if function.named_children else None
            )
            return self._callee_name(inner) if inner is not None else None
        if kind == "field_expression":
            field = function.child_by_field_name("field")
            return self._callee_name(field) if field is not None else None
        if kind in ("identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name"):
            return function
        return None

    def on_operator(self, node: ts.Node) -> None:
        """Operators that may be a class's own: which one they are, types will tell."""
        b = self.b
        if node.type == "subscript_expression":
            argument = node.child_by_field_name("argument")
            if argument is None or argument.type not in ("identifier", "field_expression", "call_expression"):
                return
            at = argument.end_byte
            b.site(Use.CALL, "operator[]", self.expr(node), at, at + 1, node.start_byte, call=self.expr(node))
            return
        left, right, sign = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        if left is None or right is None or sign is None or sign.type in ("&&", "||", "=", ","):
            return
        if left.type.endswith("_literal") or (right.type.endswith("_literal") and left.type == "number_literal"):
            return
        name = "operator" + sign.type
        expr = b.expr(Op.BINARY, sign.type, self.expr(left), self.expr(right))
        b.site(Use.CALL, name, expr, sign.start_byte, sign.end_byte, node.start_byte, call=expr)

    def _named(self, kind: str, node: ts.Node) -> None:
        if node.type != "qualified_identifier":
            super()._named(kind, node)
            return
        last = self._path(node)[-1]
        if last.type in ("identifier", "type_identifier", "operator_name"):
            self.b.site(kind, self.b.of(last), self.expr(node), last.start_byte, last.end_byte, node.start_byte)

    def on_type(self, node: ts.Node) -> None:
        parent = node.parent
        if parent is None or (parent.type == "qualified_identifier" and parent.child_by_field_name("name") != node):
            return
        if any(start <= node.start_byte < end for start, end in reversed(self._handed[-4:])):
            return
        if parent.type == "template_type":
            outer = parent.parent
            if outer is not None and outer.type == "class_specifier":
                return
        if parent.type == "qualified_identifier":
            top = parent
            while top.parent is not None and top.parent.type == "qualified_identifier":
                top = top.parent
            expr = self.expr(top)
            self.b.site(Use.TYPE, self.b.of(node), expr, node.start_byte, node.end_byte, top.start_byte)
            return
        super().on_type(node)

    def on_in_front(self, node: ts.Node) -> None:
        """`Name::` may name a class (namespaces are looked up, too, and lead nowhere)."""
        b, text = self.b, self.b.of(node)
        if text == "std":
            return
        around = node.parent.parent if node.parent is not None else None
        if around is not None and around.type == "qualified_identifier":
            before = self._before(around)
            if not before or b.of(before[0]) == "std":
                return
            base = NONE
            for part in before:
                base = self._part_expr(part, base, NONE)
            expr = b.expr(Op.ATTR, base, text)
        else:
            expr = b.expr(Op.NAME, text, b.scope_at(node.start_byte), NONE)
        b.site(Use.TYPE, text, expr, node.start_byte, node.end_byte, node.start_byte)

    def _before(self, node: ts.Node | None) -> list[ts.Node]:
        """What stands before the last `::` of a qualified name, from the left; nothing where it begins with `::`."""
        parts: list[ts.Node] = []
        while node is not None and node.type == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            if scope is None:
                return []
            parts.insert(0, scope)
            node = node.parent
        return parts

    # --- expressions

    def expr_namespace_identifier(self, node: ts.Node) -> int:
        return self.expr_identifier(node)

    def expr_nested_namespace_specifier(self, node: ts.Node) -> int:
        return self._scope_expr(self._flat([node]), NONE)

    def expr_qualified_identifier(self, node: ts.Node) -> int:
        b = self.b
        parts = self._path(node)
        if not parts:
            return b.expr(Op.TEXT, "")
        if b.text[node.start_byte : node.start_byte + 2] == b"::":
            base = b.expr(Op.NAME, "::" + self._part_name(parts[0]), b.scope_at(node.start_byte), node.start_byte)
            return self._scope_expr(parts[1:], base)
        return self._scope_expr(parts, NONE)

    def expr_template_type(self, node: ts.Node) -> int:
        return self._part_expr(node, NONE, node.start_byte)

    def expr_dependent_type(self, node: ts.Node) -> int:
        return self.expr(node.named_children[0]) if node.named_children else NONE

    def expr_this(self, node: ts.Node) -> int:
        return self.b.expr(Op.THIS, self.b.scope_at(node.start_byte))

    def expr_field_expression(self, node: ts.Node) -> int:
        b = self.b
        argument, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
        base = self.expr(argument)
        if argument is not None and argument.type != "this" and any(c.type == "->" for c in node.children):
            base = b.expr(Op.DEREF, base, "->")
        if field is None:
            return base
        if field.type == "dependent_name" and field.named_children:
            field = field.named_children[0]
        if field.type == "qualified_identifier":
            parts = self._path(field)
            return self._part_expr(parts[-1], self._scope_expr(parts[:-1], NONE), field.start_byte)
        return self._part_expr(field, base, field.start_byte)

    def expr_call_expression(self, node: ts.Node) -> int:
        function = node.child_by_field_name("function")
        if function is not None and function.type == "template_function":
            name = function.child_by_field_name("name")
            if name is not None and self.b.of(name) in _CASTS:
                types = self._template_arguments(function)
                values = self._arguments(node.child_by_field_name("arguments"))
                return self.b.expr(Op.CAST, types[0] if types else NONE, values[0] if values else NONE)
        if function is not None and function.type in _NUMBER_TYPES:  # `int64_t(x)`
            return self.expr(function)
        return super().expr_call_expression(node)

    def expr_new_expression(self, node: ts.Node) -> int:
        arguments = self._arguments(node.child_by_field_name("arguments"))
        return self.b.expr(Op.NEW, self.expr(node.child_by_field_name("type")), *arguments)

    def expr_lambda_expression(self, node: ts.Node) -> int:
        b = self.b
        declarator, body = node.child_by_field_name("declarator"), node.child_by_field_name("body")
        for child in declarator.named_children if declarator is not None else ():
            if child.type == "trailing_return_type" and child.named_children:
                return b.expr(Op.FUNCTION, self.expr(child.named_children[0]))
        result = NONE
        for child in body.named_children if body is not None else ():
            if child.type == "return_statement" and child.named_children:
                result = self.expr(child.named_children[0])
        return b.expr(Op.LAMBDA, b.scope_at(node.start_byte), result)

    def expr_binary_expression(self, node: ts.Node) -> int:
        left, right, sign = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        if sign is None or sign.type in ("&&", "||"):
            return self.b.expr(Op.LITERAL, "bool")
        return self.b.expr(Op.BINARY, sign.type, self.expr(left), self.expr(right))

    def expr_unary_expression(self, node: ts.Node) -> int:
        operand = node.child_by_field_name("argument")
        return self.expr(operand) if operand is not None else NONE

    def expr_initializer_list(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "std.initializer_list", *self._arguments(node))

    def expr_placeholder_type_specifier(self, node: ts.Node) -> int:
        return NONE

    def expr_nullptr(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "null")


RULES = CppRules
