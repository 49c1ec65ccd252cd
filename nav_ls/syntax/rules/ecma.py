"""TypeScript and JavaScript: what their tree means."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

import msgspec
import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import NONE, Export, Flag, Import, Op, Param, Scope, TypeParam, Use
from nav_ls.syntax.rules.ecma_doc import Parsed, imports, parse, tags, templates
from nav_ls.syntax.rules.ecma_exprs import FUNCTION_NODES, WRAPPERS, Expressions, first, is_import, unwrap

_ASSERTION = re.compile(r"(\w+\.)?(assert|ensure|invariant)\w*$")
"""Functions that are asked to return only if something holds."""
_NO_WRAPPER = frozenset(
    "map filter reduce reduceRight forEach find findIndex findLast findLastIndex some every flatMap sort toSorted then "
    "catch finally replace replaceAll from all race allSettled any on once entries keys values fromEntries".split()
)
"""Methods of the library that take a function and hand out data: their result is no function of its own."""
_INHERITS = frozenset({"inherits", "util.inherits", "_inherits", "__extends", "Object.setPrototypeOf"})
_ASSIGNS = frozenset({"Object.assign", "_.extend", "_.assign", "extend", "assign", "$.extend", "jQuery.extend"})
_PROPERTY_NAMES = frozenset({"property_identifier", "shorthand_property_identifier_pattern"})
_KEYS = frozenset({"property_identifier", "shorthand_property_identifier"})
_DECLARATORS = frozenset({"variable_declarator", "public_field_definition", "field_definition"})
_LITERAL_PARTS = frozenset({"object", "array", "pair", "parenthesized_expression", "ternary_expression"})
_DECLARING = frozenset(
    {
        "variable_declarator",
        "public_field_definition",
        "as_expression",
        "satisfies_expression",
        "return_statement",
        "arrow_function",
    }
)
"""What a literal stands in where somebody may have declared what is expected of it."""
_PUTTING = {"push": 0, "unshift": 0, "add": 0, "set": 1}
"""Methods that put something into a container → which argument that is."""
_ACCESSORS = {"get": Flag.GETTER, "set": Flag.SETTER}
_FUNCTION_OWNERS = frozenset(
    {
        "function_declaration",
        "generator_function_declaration",
        "function_expression",
        "generator_function",
        "arrow_function",
        "method_definition",
    }
)


@dataclass
class Frame:
    """A function or class body that is being read: where its results and its `this` go."""

    end: int
    kind: str  # function | arrow | class
    draft: Draft | None = None
    expr: int = NONE  # what stands for it in the table
    scope: int = NONE
    owner: tuple[str, int] | None = None  # what `this.x = ...` adds to: see `EcmaRules._target`
    result: int = NONE  # declared result
    described: int = NONE  # the result as the doc comment tells it
    wrap: str = ""  # Promise | Generator: what an anonymous function's results come in
    context: int = NONE  # what its surroundings expect it to be
    returned: list[int] = field(default_factory=list)


@dataclass
class Naming:
    """What a function or class expression is bound to."""

    name: str
    node: ts.Node | None
    outer: ts.Node
    kind: str = "function"
    container: str | None = None
    parent: Draft | None = None
    bind: str = ""  # hoisted | here | var
    flags: int = 0
    receiver: int = NONE


class EcmaRules(Expressions):
    """Handlers for the captures of `queries/ecma*/facts.scm`."""

    def prepare(self, text: bytes) -> bytes:
        return text if self.b.language == "javascript" else _separated(text)

    def begin(self, root: ts.Node) -> None:
        self._typed = self.b.language != "javascript"
        self._documented = b"@type" in self.b.text
        self.narrowed = {}
        self._frames: list[Frame] = []
        self._all_frames: dict[int, Frame] = {}  # scope → frame
        self._names: dict[tuple[int, str], Draft] = {}  # definitions as they are found
        self._told: list[tuple[int, str, int, tuple[int, int]]] = []  # what conditions tell of names
        self._assigned: list[tuple[int, str, int, int, tuple[int, int], ts.Node]] = []
        self._additions: list[tuple[int, str, int, ts.Node, int]] = []
        self._bases: list[tuple[int, int]] = []
        self._put: list[tuple[int, ts.Node, int]] = []  # scope, container, what is put in
        self._holders: dict[tuple[str, int], int] = {}
        self._added: dict[tuple[str, int, str], int] = {}
        self._declared: set[tuple[int, str]] = set()  # members that classes and interfaces declare
        self._called: set[int] = set()  # nodes that are callees
        self._foreign: set[int] = set()  # objects beside something from elsewhere: see `_extended`
        comment = root.named_children[0] if root.named_children else None
        if comment is not None and comment.type == "comment" and self.b.of(comment).startswith("/**"):
            following = comment.next_named_sibling
            if following is None or following.start_point[0] > comment.end_point[0] + 1:
                self.b.doc = _plain(self.b.of(comment))

    def end(self, root: ts.Node) -> None:
        self._close_frames(len(self.b.text) + 1)
        self._bind_assigned()
        self._bind_additions()

    # --- functions

    def on_function(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        b = self.b
        index = self.placeholder(node)
        naming = self._naming(node)
        context = self._context(node) if naming is None or naming.kind != "constructor" else NONE
        draft = self._define(node, naming) if naming is not None else None
        own = node.child_by_field_name("name")
        arrow = node.type == "arrow_function"
        start = own.end_byte if own is not None and node.type != "method_definition" else node.start_byte
        body = node.child_by_field_name("body")
        if draft is not None:
            b.exprs[index] = (Op.SYMBOL, draft.index)
            scope = b.open_body(draft, start, node.end_byte, "arrow" if arrow else "function")
            draft.header_end = body.start_byte if body is not None else node.end_byte
        else:
            scope = b.open_scope("arrow" if arrow else "function", start, node.end_byte)
        frame = Frame(node.end_byte, "arrow" if arrow else "function", draft, index, scope)
        frame.owner = self._this_owner(node, draft, naming)
        frame.context = context
        if draft is None and not arrow:
            self._bind_this(node, scope)
        self._frames.append(frame)
        self._all_frames[scope] = frame
        if own is not None and node.type in FUNCTION_NODES:
            b.bind(b.of(own), "local", scope, start, value=index)
        self._signature(node, draft, scope, context, frame)
        if body is not None and arrow and body.type != "statement_block":
            frame.returned.append(self.expr(body))

    def _signature(self, node: ts.Node, draft: Draft | None, scope: int, context: int, frame: Frame) -> None:
        self._type_params(node, draft, scope)
        text = "" if self._typed else draft.doc if draft is not None else self._comment_before(node)
        if draft is not None and "@template" in text:
            for name in templates(text):
                draft.type_params.append(TypeParam(name))
                self.b.bind(":" + name, "typeparam", scope, 0)
        doc = self._jsdoc(text) if text else {}
        if draft is not None and "@this" in doc:
            draft.receiver = self.b.expr(Op.CAST, doc["@this"], NONE)
        self._parameters(node, draft, scope, context, doc)
        frame.result = self.type_expr(node.child_by_field_name("return_type"))
        frame.described = doc.get("@returns", NONE)
        kinds = {c.type for c in node.children[:4]}
        if "async" in kinds:
            frame.wrap = "Promise"
        if "*" in kinds or node.type.startswith("generator"):
            frame.wrap = "Generator"
        if draft is not None:
            draft.flags |= (Flag.ASYNC if "async" in kinds else 0) | (
                Flag.GENERATOR if frame.wrap == "Generator" else 0
            )
            draft.returns = frame.result
            if frame.result == NONE and context != NONE and self.b.exprs[context][0] == Op.CAST:
                draft.returns = self.b.expr(Op.CALL, context)

    def _bind_this(self, node: ts.Node, scope: int) -> None:
        """`a[name] = function` sees `a` as its `this`; TypeScript can declare `this` as a parameter."""
        b = self.b
        parent = node.parent
        if parent is not None and parent.type == "assignment_expression":
            left = parent.child_by_field_name("left")
            if left is not None and left.type == "subscript_expression":
                value = self.expr(left.child_by_field_name("object"))
                b.bind("this", "local", scope, b.scopes[scope].start, value=value)
        params = node.child_by_field_name("parameters")
        head = params.named_children[0] if params is not None and params.named_children else None
        if head is not None and (pattern := head.child_by_field_name("pattern")) is not None and pattern.type == "this":
            type_ = self.type_expr(head.child_by_field_name("type"))
            b.bind("this", "local", scope, b.scopes[scope].start, type_=type_)

    def _comment_before(self, node: ts.Node) -> str:
        """The doc comment that stands right before a function literal."""
        before = node.prev_sibling
        if before is None or before.type != "comment":
            return ""
        text = self.b.of(before)
        return _plain(text) if text.startswith("/**") else ""

    def _define(self, node: ts.Node, naming: Naming) -> Draft:
        b = self.b
        scope = b.scope_at(naming.outer.start_byte)
        begin, doc = self._doc(naming.outer)
        draft = b.define(
            naming.name,
            naming.kind,
            naming.outer,
            naming.node,
            start=begin,
            container=naming.container,
            parent=naming.parent,
        )
        draft.doc = doc
        draft.flags |= naming.flags | (b.flags & Flag.TEST)
        draft.receiver = naming.receiver
        draft.visibility = self._visibility(
            naming.outer if naming.outer.type != "export_statement" else node, naming.name
        )
        body = node.child_by_field_name("body")
        start = naming.node.start_byte if naming.node is not None else node.start_byte
        draft.signature = fold(
            b.slice(min(start, node.start_byte), body.start_byte if body is not None else node.end_byte)
        )
        if naming.bind == "var":
            scope = self._function_scope(scope)
        if naming.bind:
            pos = b.scopes[scope].start if naming.bind == "hoisted" else naming.outer.end_byte
            self._bind_definition(draft, scope, pos, naming.node)
        return draft

    def _bind_definition(self, draft: Draft, scope: int, pos: int, name_node: ts.Node | None) -> None:
        b = self.b
        b.bind(draft.name, "def", scope, pos, value=draft.index, name_node=name_node)
        self._names[(scope, draft.name)] = draft
        if draft.kind in ("class", "enum", "namespace") and self._typed:
            self._names[(scope, ":" + draft.name)] = draft
            b.bind(":" + draft.name, "def", scope, pos, value=draft.index)

    def _visibility(self, node: ts.Node, name: str) -> str:
        if name.startswith("#"):
            return "private"
        modifier = next((c for c in node.children if c.type == "accessibility_modifier"), None)
        return self.b.of(modifier) if modifier is not None else "public"

    # --- what is it called?

    def _naming(self, node: ts.Node) -> Naming | None:
        name = node.child_by_field_name("name")
        if node.type in ("function_declaration", "generator_function_declaration"):
            if name is None:
                return Naming("default", None, _statement(node), bind="")
            return Naming(self.b.of(name), name, _statement(node), bind="hoisted")
        if node.type == "method_definition":
            return self._method_naming(node, name)
        return self._expression_naming(node, name, "function")

    def _method_naming(self, node: ts.Node, name: ts.Node | None) -> Naming | None:
        if name is None:
            return None
        text = self.member_name(name)
        flags = 0
        for child in node.children:
            flags |= Flag.STATIC if child.type == "static" else _ACCESSORS.get(child.type, 0)
            if child == name:
                break
        kind = "property" if flags & (Flag.GETTER | Flag.SETTER) else "method"
        parent = node.parent
        if parent is not None and parent.type == "object":
            return self._object_member(node, name, text, kind, flags)
        owner = self._class_draft()
        if text == "constructor" and not flags:
            kind, flags = "constructor", Flag.CONSTRUCTOR
        return Naming(text, name, node, kind, self._inside(owner), owner, flags=flags)

    def _inside(self, owner: Draft | None) -> str | None:
        """The container of a class's members: an anonymous class has no name of its own."""
        if owner is None:
            return None
        return owner.qual if owner.kind != "anonymous" else owner.qual.rpartition(".")[0]

    def _object_member(self, node: ts.Node, name: ts.Node, text: str, kind: str, flags: int) -> Naming:
        object_ = node.parent
        assert object_ is not None
        receiver = self.expr(object_)
        expected = self._context(object_) if self._typed else NONE
        if expected != NONE:
            receiver = self.b.expr(Op.FALLBACK, expected, receiver)
        owner = self._prototype_owner(object_)
        if owner is not None:
            return Naming(text, name, node, kind, owner.qual, owner, flags=flags)
        return Naming(text, name, node, kind, self._object_path(object_), flags=flags | Flag.MINOR, receiver=receiver)

    def _prototype_owner(self, object_: ts.Node) -> Draft | None:
        """The function whose prototype an object literal becomes: `A.prototype = {...}`, `Object.assign(A.prototype, {...})`."""
        parent = object_.parent
        target: ts.Node | None = None
        if parent is not None and parent.type == "assignment_expression":
            target = parent.child_by_field_name("left")
        elif parent is not None and parent.type == "arguments" and parent.parent is not None:
            callee = parent.parent.child_by_field_name("function")
            if callee is not None and self.b.of(callee) in _ASSIGNS:
                target = first(parent)
        if target is None or target.type != "member_expression" or target == object_:
            return None
        name, owner = target.child_by_field_name("property"), target.child_by_field_name("object")
        if name is None or owner is None or self.b.of(name) != "prototype":
            return None
        return self._known(owner)

    def _known(self, node: ts.Node) -> Draft | None:
        """The function or class that an identifier names here, where it was defined above."""
        if node.type != "identifier":
            return None
        name, scope = self.b.of(node), self.b.scope_at(node.start_byte)
        while scope != NONE:
            found = self._names.get((scope, name))
            if found is not None:
                return found
            scope = self.b.scopes[scope].parent
        return None

    def _object_path(self, object_: ts.Node) -> str | None:
        """The name that an object literal is bound to, with what encloses it; None where it is bound to none."""
        parts: list[str] = []
        node, parent = object_, object_.parent
        while parent is not None:
            if parent.type in WRAPPERS or (parent.type == "object" and node.type == "pair"):
                node, parent = parent, parent.parent
                continue
            if parent.type == "pair" and parent.child_by_field_name("value") == node:
                key = parent.child_by_field_name("key")
                parts.append(self.member_name(key) if key is not None else "")
                node, parent = parent, parent.parent
                continue
            break
        head = self._bound_path(node, parent)
        if head is None:
            return None
        around = self.b.draft_at(object_.start_byte)
        return ".".join(filter(None, [around.qual if around else "", head, *reversed(parts)]))

    def _bound_path(self, node: ts.Node, parent: ts.Node | None) -> str | None:
        if parent is None:
            return None
        if parent.type == "variable_declarator":
            name = parent.child_by_field_name("name")
            return self.b.of(name) if name is not None and name.type == "identifier" else None
        if parent.type == "assignment_expression":
            left = parent.child_by_field_name("left")
            if left is None or left.type not in ("identifier", "member_expression"):
                return None
            return _exported(self.b.of(left)).replace("this.", "", 1)
        if parent.type in ("public_field_definition", "field_definition"):
            name = parent.child_by_field_name("name") or parent.child_by_field_name("property")
            return self.member_name(name) if name is not None else None
        if parent.type == "export_statement":
            return "default"
        return None

    def _expression_naming(self, node: ts.Node, own: ts.Node | None, kind: str) -> Naming | None:
        """A function or class expression takes the name of what it is bound to, else its own."""
        bound, parent = node, node.parent
        while parent is not None and parent.type in WRAPPERS:
            bound, parent = parent, parent.parent
        found = self._bound_naming(bound, parent, own, kind) if parent is not None else None
        if found is None and own is not None:
            found = Naming(self.b.of(own), own, node, kind, flags=Flag.MINOR)
        return found

    def _bound_naming(self, bound: ts.Node, parent: ts.Node, own: ts.Node | None, kind: str) -> Naming | None:
        if parent.type == "variable_declarator":
            name = parent.child_by_field_name("name")
            if name is not None and name.type == "identifier":
                declaration = parent.parent
                var = declaration is not None and declaration.type == "variable_declaration"
                return Naming(self.b.of(name), name, _declaration(parent), kind, bind="var" if var else "here")
        elif parent.type == "assignment_expression" and parent.child_by_field_name("right") == bound:
            return self._assigned_naming(parent, own, kind)
        elif parent.type == "pair" and parent.child_by_field_name("value") == bound:
            key = parent.child_by_field_name("key")
            if key is not None and key.type != "computed_property_name":
                return self._object_member(parent, key, self.text_of(key), "method" if kind == "function" else kind, 0)
        elif parent.type in ("public_field_definition", "field_definition"):
            name = parent.child_by_field_name("name") or parent.child_by_field_name("property")
            owner = self._class_draft()
            if name is not None:
                flags = Flag.STATIC if any(c.type == "static" for c in parent.children) else 0
                kind = "method" if kind == "function" else kind
                return Naming(self.member_name(name), name, parent, kind, self._inside(owner), owner, flags=flags)
        elif parent.type == "export_statement" and parent.child_by_field_name("value") == bound:
            return Naming(self.b.of(own) if own is not None else "default", own, parent, kind, flags=Flag.DEFAULT)
        return None

    def _assigned_naming(self, node: ts.Node, own: ts.Node | None, kind: str) -> Naming | None:
        left = node.child_by_field_name("left")
        if left is None:
            return None
        outer = _statement(node)
        if left.type == "identifier":
            return Naming(self.b.of(left), left, outer, kind)
        if left.type == "subscript_expression":
            return None
        name, object_ = left.child_by_field_name("property"), left.child_by_field_name("object")
        if name is None or object_ is None:
            return None
        text, holder = self.b.of(name), self.b.of(object_)
        if f"{holder}.{text}" == "module.exports":
            return Naming(self.b.of(own) if own is not None else "exports", own or name, outer, kind)
        if holder in ("exports", "module.exports"):
            return Naming(text, name, outer, kind, "", receiver=self.expr(object_))
        return self._member_naming(text, name, object_, outer, kind)

    def _member_naming(self, text: str, name: ts.Node, object_: ts.Node, outer: ts.Node, kind: str) -> Naming:
        receiver = self.expr(object_)
        around = self.b.draft_at(object_.start_byte)
        prefix = around.qual + "." if around else ""
        method = "method" if kind == "function" else kind
        if object_.type == "this":
            owner = self._this_draft()
            if owner is not None:
                return Naming(text, name, outer, method, self._inside(owner), None, receiver=receiver)
            return Naming(text, name, outer, kind, receiver=receiver)
        holder = object_
        last = object_.child_by_field_name("property") if object_.type == "member_expression" else None
        if last is not None and self.b.of(last) == "prototype":
            holder = object_.child_by_field_name("object") or object_
        known = self._known(holder)
        container = known.qual if known is not None else prefix + fold(self.b.of(holder), 80)
        return Naming(text, name, outer, method if known is not None else kind, container, receiver=receiver)

    # --- parameters

    def _type_params(self, node: ts.Node, draft: Draft | None, scope: int) -> None:
        params = node.child_by_field_name("type_parameters")
        for child in params.named_children if params is not None else ():
            name = child.child_by_field_name("name")
            if name is None:
                continue
            # Where nothing says what it is, a type parameter is its default: that then is all one knows of it.
            constraint, value = child.child_by_field_name("constraint"), child.child_by_field_name("value")
            default = self.type_expr(first(value)) if value is not None else NONE
            bound = self.type_expr(first(constraint)) if constraint is not None else default
            text = self.b.of(name)
            if draft is not None:
                draft.type_params.append(TypeParam(text, bound, default))
            self.b.bind(":" + text, "typeparam", scope, 0, name_node=name)

    def _parameters(self, node: ts.Node, draft: Draft | None, scope: int, context: int, doc: dict[str, int]) -> None:
        b = self.b
        single = node.child_by_field_name("parameter")
        params = node.child_by_field_name("parameters")
        children = [single] if single is not None else params.named_children if params is not None else []
        place = 0
        for child in children:
            if child.type in ("comment", "decorator"):
                continue
            pattern = child.child_by_field_name("pattern") if child.type.endswith("_parameter") else child
            default = child.child_by_field_name("value") if child.type.endswith("_parameter") else None
            if pattern is None:
                continue
            if pattern.type == "this":
                if draft is not None:
                    draft.receiver = b.expr(Op.CAST, self.type_expr(child.child_by_field_name("type")), NONE)
                continue
            if pattern.type == "assignment_pattern":
                default, pattern = pattern.child_by_field_name("right"), pattern.child_by_field_name("left") or pattern
            self._parameter(child, pattern, default, draft, scope, context, place, doc)
            place += 1

    def _parameter(
        self,
        node: ts.Node,
        pattern: ts.Node,
        default: ts.Node | None,
        draft: Draft | None,
        scope: int,
        context: int,
        place: int,
        doc: dict[str, int],
    ) -> None:
        b = self.b
        star = ""
        if pattern.type == "rest_pattern":
            star, pattern = "*", first(pattern) or pattern
        type_ = self.type_expr(node.child_by_field_name("type")) if node.type.endswith("_parameter") else NONE
        name = b.of(pattern) if pattern.type == "identifier" else ""
        if type_ == NONE and doc:
            type_ = doc.get(name, NONE) if name else doc.get(f"#{place}", NONE)
        value = self.expr(default)
        given = b.expr(Op.PARAMETER, context, place) if context != NONE and type_ == NONE else NONE
        if draft is not None:
            optional = "?" if node.type == "optional_parameter" or default is not None else ""
            draft.params.append(Param(name or fold(b.of(pattern), 60), type_, value, star or optional))
        if type_ != NONE and not name:
            given = b.expr(Op.CAST, type_, NONE)
        parts = [i for i in (given, value) if i != NONE]
        whole = b.expr(Op.UNION, *parts) if len(parts) > 1 else parts[0] if parts else NONE
        if star and type_ == NONE:
            whole = b.expr(Op.LITERAL, "Array", *([given] if given != NONE else []))
        if name:
            b.bind(name, "param", scope, b.scopes[scope].start, value=whole, type_=type_, name_node=pattern)
            self._parameter_property(node, draft, name, pattern, type_, value)
        else:
            self._pattern(pattern, whole, scope, b.scopes[scope].start, None, "param")

    def _parameter_property(
        self, node: ts.Node, draft: Draft | None, name: str, pattern: ts.Node, type_: int, value: int
    ) -> None:
        """`constructor(private x: T)` declares a field."""
        if draft is None or draft.kind != "constructor" or not node.type.endswith("_parameter"):
            return
        if not any(c.type in ("accessibility_modifier", "readonly", "override_modifier") for c in node.children):
            return
        owner = self._class_draft()
        if owner is not None:
            holder = self._holder("members", owner.index)
            self.b.bind(name, "field", holder, pattern.start_byte, value=value, type_=type_, name_node=pattern)
            self._value_symbol(name, "field", node, pattern, owner)

    def _pattern(
        self,
        pattern: ts.Node | None,
        value: int,
        scope: int,
        pos: int,
        region: tuple[int, int] | None,
        kind: str,
    ) -> None:
        """Bind every name of a destructuring pattern to its part of `value`."""
        if pattern is None:
            return
        b = self.b
        if pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
            b.bind(b.of(pattern), kind, scope, pos, region=region, value=value, name_node=pattern)
        elif pattern.type in ("assignment_pattern", "object_assignment_pattern"):
            left, right = pattern.child_by_field_name("left"), self.expr(pattern.child_by_field_name("right"))
            if left is not None and left.type == "shorthand_property_identifier_pattern" and value != NONE:
                value = self._taken(value, left)
            self._pattern(left, b.expr(Op.UNION, value, right) if value != NONE else right, scope, pos, region, kind)
        elif pattern.type == "object_pattern":
            self._object_pattern(pattern, value, scope, pos, region, kind)
        elif pattern.type == "array_pattern":
            self._array_pattern(pattern, value, scope, pos, region, kind)
        elif pattern.type == "rest_pattern":
            self._pattern(first(pattern), NONE, scope, pos, region, kind)

    def _object_pattern(
        self, pattern: ts.Node, value: int, scope: int, pos: int, region: tuple[int, int] | None, kind: str
    ) -> None:
        for child in pattern.named_children:
            part, target = NONE, child
            if child.type == "pair_pattern":
                key, inner = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or inner is None:
                    continue
                target = inner
                if value != NONE and key.type != "computed_property_name":
                    part = self._taken(value, key)
            elif child.type == "shorthand_property_identifier_pattern" and value != NONE:
                part = self._taken(value, child)
            elif child.type == "object_assignment_pattern":
                part = value
            elif child.type == "rest_pattern":
                part = value
                target = first(child) or child
            self._pattern(target, part, scope, pos, region, kind)

    def _taken(self, value: int, key: ts.Node) -> int:
        """The member that a pattern takes out of a value, which is a mention of it."""
        name = self.text_of(key)
        part = self.b.expr(Op.ATTR, value, name)
        if key.type in _PROPERTY_NAMES:
            self.b.site(Use.READ, name, part, key.start_byte, key.end_byte, key.start_byte)
        return part

    def on_object(self, node: ts.Node) -> None:
        """The keys of a literal name members of the type that a declaration or a result wants.

        Not of what is handed to a call: what is expected there is dear to find out, and most often generic.
        """
        keys = [k for c in node.named_children if (k := c.child_by_field_name("key") or c).type in _KEYS]
        if not self._typed or not keys or _is_handed_on(node):
            return
        self._close_frames(node.start_byte)
        expected = self._context(node)
        for key in keys if expected != NONE else ():
            text = self.b.of(key)
            member = self.b.expr(Op.ATTR, expected, text)
            self.b.site(Use.WRITE, text, member, key.start_byte, key.end_byte, key.start_byte)

    def _array_pattern(
        self, pattern: ts.Node, value: int, scope: int, pos: int, region: tuple[int, int] | None, kind: str
    ) -> None:
        b = self.b
        place = 0
        for child in pattern.children:
            if child.type == ",":
                place += 1
            elif child.is_named and child.type != "comment":
                if child.type == "rest_pattern":
                    rest = b.expr(Op.LITERAL, "Array", b.expr(Op.ELEMENT, value)) if value != NONE else NONE
                    self._pattern(first(child), rest, scope, pos, region, kind)
                else:
                    part = b.expr(Op.ITEM, value, place) if value != NONE else NONE
                    self._pattern(child, part, scope, pos, region, kind)

    # --- what is expected here?

    def _context(self, node: ts.Node, depth: int = 0) -> int:
        """An expression for the type that the surroundings expect of a function literal; -1 where they expect none."""
        parent = node.parent
        if parent is None or depth > 8:
            return NONE
        kind = parent.type
        if kind == "arguments":
            return self._argument_context(parent, node)
        if kind in _DECLARATORS:
            type_ = parent.child_by_field_name("type")
            written = self.type_expr(type_) if type_ is not None else self._doc_type(parent)
            return self.b.expr(Op.CAST, written, NONE) if written != NONE else NONE
        if kind == "assignment_expression":
            return self._assigned_context(parent)
        if kind in ("parenthesized_expression", "ternary_expression", "binary_expression"):
            cast = self.cast_type(parent) if kind == "parenthesized_expression" else NONE
            return self.b.expr(Op.CAST, cast, NONE) if cast != NONE else self._context(parent, depth + 1)
        if kind in ("as_expression", "satisfies_expression"):
            parts = parent.named_children
            return self.b.expr(Op.CAST, self.expr(parts[-1]), NONE) if len(parts) == 2 and parts[0] == node else NONE
        if kind == "pair" or (kind == "object" and node.type == "method_definition"):
            return self._member_context(parent if kind == "pair" else node, depth)
        if kind == "array":
            whole = self._context(parent, depth + 1)
            return self.b.expr(Op.ELEMENT, whole) if whole != NONE else NONE
        if kind in ("return_statement", "arrow_function") and self._frames:
            return self._result_context(self._frames[-1])
        return NONE

    def _assigned_context(self, assignment: ts.Node) -> int:
        """What the left side of an assignment was declared to hold."""
        left = assignment.child_by_field_name("left")
        if left is None or left.type != "member_expression":
            return NONE
        if self._typed:
            return self.expr(left)
        written = self.comment_type(_statement(assignment))
        return self.b.expr(Op.CAST, written, NONE) if written != NONE else NONE

    def _result_context(self, frame: Frame) -> int:
        """What is expected of a function's result: what it declares, else what its surroundings expect of it."""
        b = self.b
        if frame.result != NONE:
            return NONE if frame.wrap == "Generator" else b.expr(Op.AWAIT, b.expr(Op.CAST, frame.result, NONE))
        if frame.described != NONE and frame.wrap != "Generator":
            return b.expr(Op.AWAIT, b.expr(Op.CAST, frame.described, NONE))
        if frame.context == NONE or frame.wrap == "Generator":
            return NONE
        return b.expr(Op.AWAIT, b.expr(Op.PARAMETER, frame.context, -1))

    def _argument_context(self, arguments: ts.Node, node: ts.Node) -> int:
        call = arguments.parent
        if call is None or call.type not in ("call_expression", "new_expression"):
            return NONE
        children = [c for c in arguments.named_children if c.type != "comment"]
        place = next((i for i, c in enumerate(children) if c == node), NONE)
        if not 0 <= place < 12:
            return NONE
        expected = self._context(call, 4) if self._typed and call.type == "call_expression" else NONE
        if expected != NONE:
            return self.b.expr(Op.EXPECTED, self.expr(call), place, expected)
        return self.b.expr(Op.ARGUMENT, self.expr(call), place)

    def _member_context(self, member: ts.Node, depth: int) -> int:
        object_ = member.parent
        key = member.child_by_field_name("key") or member.child_by_field_name("name")
        if object_ is None or key is None or key.type == "computed_property_name":
            return NONE
        whole = self._context(object_, depth + 1)
        return self.b.expr(Op.ATTR, whole, self.text_of(key)) if whole != NONE else NONE

    # --- frames

    def _close_frames(self, position: int) -> None:
        while self._frames and self._frames[-1].end <= position:
            self._finish(self._frames.pop())

    def _finish(self, frame: Frame) -> None:
        """An anonymous function is done: what it returns is known now."""
        b = self.b
        if frame.kind == "class" or frame.draft is not None:
            if frame.draft is not None and frame.kind != "class":
                self._results(frame.draft, frame)
            return
        parts = frame.returned[:16]
        result = NONE if not parts else parts[0] if len(parts) == 1 else b.expr(Op.UNION, *parts)
        if frame.result != NONE:
            result = b.expr(Op.CAST, frame.result, NONE)
        elif frame.described != NONE:
            result = b.expr(Op.FALLBACK, b.expr(Op.CAST, frame.described, NONE), result)
        elif frame.wrap:
            result = b.expr(Op.LITERAL, frame.wrap, *([result] if result != NONE else []))
        b.exprs[frame.expr] = (Op.LAMBDA, frame.scope, result)

    def _results(self, draft: Draft, frame: Frame) -> None:
        b = self.b
        parts = frame.returned[:16]
        if frame.described != NONE:
            body = b.expr(Op.UNION, *parts)
            parts = [b.expr(Op.FALLBACK, b.expr(Op.CAST, frame.described, NONE), body)]
        draft.returned.extend(parts)

    def on_return(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        value = first(node)
        if value is not None and self._frames and self._frames[-1].kind != "class":
            self._frames[-1].returned.append(self.expr(value))

    def on_yield(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        value = first(node)
        if value is None or not self._frames or self._frames[-1].kind == "class":
            return
        delegated = any(c.type == "*" for c in node.children)
        inner = self.expr(value)
        self._frames[-1].returned.append(self.b.expr(Op.YIELD, self.b.expr(Op.ELEMENT, inner) if delegated else inner))

    def _class_draft(self) -> Draft | None:
        """The class whose body is being read."""
        for frame in reversed(self._frames):
            if frame.kind == "class":
                return frame.draft
        return None

    def _this_draft(self) -> Draft | None:
        """The class or constructor function whose instance `this` is, where that can be told from the text."""
        for frame in reversed(self._frames):
            if frame.kind != "arrow":
                if frame.owner is not None and frame.owner[0] in ("members", "statics"):
                    return self.b.symbols[frame.owner[1]]
                return None
        return None

    def _this_owner(self, node: ts.Node, draft: Draft | None, naming: Naming | None) -> tuple[str, int] | None:
        if node.type == "arrow_function" or naming is None or draft is None:
            return None
        parent = naming.parent
        if parent is not None:
            return ("statics" if draft.flags & Flag.STATIC else "members", parent.index)
        if draft.receiver != NONE:
            return ("expr", draft.receiver)
        if draft.kind == "function":
            return ("members", draft.index)
        return None

    # --- classes

    def on_class(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        b = self.b
        index = self.placeholder(node)
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if body is None:
            return
        if node.type == "class":
            naming = self._expression_naming(node, name, "class")
        elif name is None:
            naming = Naming("default", None, _statement(node), "class", flags=Flag.DEFAULT)
        else:
            naming = Naming(b.of(name), name, _statement(node), "class", bind="hoisted")
        anonymous = naming is None
        draft = self._define(node, naming or Naming("(class)", None, node, "anonymous", flags=Flag.MINOR))
        b.exprs[index] = (Op.SYMBOL, draft.index)
        draft.signature = fold(b.slice(node.start_byte, body.start_byte))
        if node.type == "abstract_class_declaration":
            draft.flags |= Flag.ABSTRACT
        start = name.end_byte if name is not None else node.start_byte
        if anonymous:
            draft.scope = b.open_scope("class", start, node.end_byte, draft.index)
            draft.body_start = draft.body_end = body.start_byte
        else:
            b.open_body(draft, start, node.end_byte, "class")
            draft.header_end = body.start_byte
        if name is not None and node.type == "class":
            b.bind(b.of(name), "local", draft.scope, start, value=index)
        self._frames.append(Frame(node.end_byte, "class", draft, index, draft.scope, ("members", draft.index)))
        self._all_frames[draft.scope] = self._frames[-1]
        self._type_params(node, draft, draft.scope)
        if not self._typed and "@template" in draft.doc:
            for parameter in templates(draft.doc):
                draft.type_params.append(TypeParam(parameter))
                b.bind(":" + parameter, "typeparam", draft.scope, 0)
        self._heritage(node, draft)

    def _heritage(self, node: ts.Node, draft: Draft) -> None:
        heritage = next((c for c in node.named_children if c.type == "class_heritage"), None)
        for part in heritage.named_children if heritage is not None else ():
            if part.type == "extends_clause":
                value, types = part.child_by_field_name("value"), part.child_by_field_name("type_arguments")
                base = self.expr(value)
                if types is not None:
                    base = self.b.expr(Op.GENERIC, base, *(self.expr(t) for t in types.named_children))
                self._base(draft, base, "inherits")
            elif part.type == "implements_clause":
                for child in part.named_children:
                    self._base(draft, self.expr(child), "implements")
            elif part.type != "comment":
                base, told = self.expr(part), self._told_base(draft)
                self._base(draft, base if told == NONE else self.b.expr(Op.FALLBACK, told, base), "inherits")

    def _told_base(self, draft: Draft) -> int:
        """`@extends {Base<T>}`: the base class with its type arguments; -1 where a comment tells of none."""
        if "@extends" not in draft.doc and "@augments" not in draft.doc:
            return NONE
        b, told = self.b, [parse(tag.type) for tag in tags(draft.doc) if tag.kind == "extends"]
        if not told or not told[0].parts:
            return NONE
        here, b.position = b.position, b.scopes[draft.scope].start  # where the class's type parameters are known
        base = self._written_type(told[0])
        b.position = here
        return base

    def _base(self, draft: Draft, base: int, kind: str) -> None:
        draft.bases.append(base)
        draft.base_kinds.append(kind)

    def on_static_block(self, node: ts.Node) -> None:
        """A static block runs like a function that has the class as its `this`."""
        self._close_frames(node.start_byte)
        owner = self._class_draft()
        if owner is None:
            return
        b = self.b
        scope = b.open_scope("function", node.start_byte, node.end_byte)
        b.bind("this", "local", scope, node.start_byte, value=b.expr(Op.SYMBOL, owner.index))
        frame = Frame(node.end_byte, "function", None, self.placeholder(node), scope, ("statics", owner.index))
        self._frames.append(frame)
        self._all_frames[scope] = frame

    def on_field(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        name = node.child_by_field_name("name") or node.child_by_field_name("property")
        value = node.child_by_field_name("value")
        owner = self._class_draft()
        if name is None or owner is None:
            return
        inner = unwrap(value)
        if inner is not None and (inner.type in FUNCTION_NODES or inner.type == "class"):
            return
        text = self.member_name(name)
        static = any(c.type == "static" for c in node.children)
        type_ = self.type_expr(node.child_by_field_name("type"))
        if type_ == NONE and not self._typed:
            type_ = self.comment_type(node)
        self._field(owner, text, node, name, static, self.expr(value), type_)

    def _field(
        self, owner: Draft, text: str, node: ts.Node, name: ts.Node, static: bool, value: int, type_: int
    ) -> None:
        holder = self._holder("statics" if static else "members", owner.index)
        self.b.bind(text, "field", holder, name.start_byte, value=value, type_=type_, name_node=name)
        self._value_symbol(text, "field", node, name, owner)

    def _value_symbol(self, text: str, kind: str, node: ts.Node, name: ts.Node, owner: Draft | None = None) -> Draft:
        """A variable, constant or field for outlines and searches: neither caller nor container."""
        begin, doc = self._doc(node)
        container = self._inside(owner)
        draft = self.b.define(text, kind, node, name, start=begin, container=container, parent=owner)
        draft.doc = doc
        draft.visibility = self._visibility(node, text)
        draft.signature = fold(self.b.of(node), 160)
        draft.header_end = draft.end
        return draft

    # --- types

    def on_interface(self, node: ts.Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return
        b = self.b
        draft = self._type_definition(node, name, "interface", body)
        draft.flags |= Flag.ABSTRACT
        b.open_body(draft, name.end_byte, node.end_byte, "class")
        draft.header_end = body.start_byte
        self._frames.append(Frame(node.end_byte, "class", draft, NONE, draft.scope, ("members", draft.index)))
        self._type_params(node, draft, draft.scope)
        for clause in node.named_children:
            if clause.type == "extends_type_clause":
                for child in clause.named_children:
                    base = self.expr(child)
                    if child.type == "identifier":
                        base = b.expr(Op.NAME, ":" + b.of(child), draft.scope, child.start_byte)
                    self._base(draft, base, "inherits")

    def _type_definition(self, node: ts.Node, name: ts.Node, kind: str, body: ts.Node) -> Draft:
        self._close_frames(node.start_byte)
        b = self.b
        outer = _statement(node)
        begin, doc = self._doc(outer)
        draft = b.define(b.of(name), kind, outer, name, start=begin)
        draft.doc = doc
        draft.flags |= b.flags & Flag.TEST
        draft.signature = fold(b.slice(node.start_byte, body.start_byte))
        scope = b.scope_at(node.start_byte)
        if kind != "namespace":
            self._names[(scope, ":" + draft.name)] = draft
        elif (scope, ":" + draft.name) in self._names:
            return draft
        b.bind(":" + draft.name, "def", scope, b.scopes[scope].start, value=draft.index, name_node=name)
        return draft

    def on_alias(self, node: ts.Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None:
            return
        b = self.b
        draft = self._type_definition(node, name, "type", value)
        draft.header_end = draft.end
        draft.scope = b.open_scope("block", name.end_byte, node.end_byte, draft.index)
        self._type_params(node, draft, draft.scope)
        draft.returns = self.expr(value)

    def on_enum(self, node: ts.Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return
        b = self.b
        draft = self._type_definition(node, name, "enum", body)
        scope = b.scope_at(node.start_byte)
        b.bind(draft.name, "def", scope, b.scopes[scope].start, value=draft.index, name_node=name)
        self._names[(scope, draft.name)] = draft
        b.open_body(draft, body.start_byte, node.end_byte, "class")
        holder = self._holder("statics", draft.index)
        for child in body.named_children:
            member = child.child_by_field_name("name") if child.type == "enum_assignment" else child
            if member is not None and member.type in ("property_identifier", "string"):
                text = self.text_of(member)
                b.bind(text, "field", holder, member.start_byte, value=b.expr(Op.LITERAL, "number"), name_node=member)
                self._value_symbol(text, "enum_member", child, member, draft)

    def on_namespace(self, node: ts.Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return
        b = self.b
        draft = self._type_definition(node, name, "namespace", body)
        draft.name = draft.name.strip("\"'")
        scope = b.scope_at(node.start_byte)
        if name.type != "string":
            first_part = draft.name.split(".")[0]
            if (scope, first_part) not in self._names:  # what it merges with has the name
                b.bind(first_part, "def", scope, b.scopes[scope].start, value=draft.index, name_node=name)
        b.open_body(draft, body.start_byte, node.end_byte, "block")

    def on_signature(self, node: ts.Node) -> None:
        """A function without a body: an overload or a declaration."""
        self._close_frames(node.start_byte)
        name = node.child_by_field_name("name")
        if name is None:
            return
        outer = _statement(node)
        ambient = outer.type == "ambient_declaration" or any(c.type == "ambient_declaration" for c in outer.children)
        flags = Flag.DECLARATION | (0 if ambient else Flag.OVERLOAD)
        draft = self._define(node, Naming(self.b.of(name), name, outer, bind="hoisted", flags=flags))
        self._bodiless(node, draft, name)

    def on_member_signature(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        name = node.child_by_field_name("name")
        parent = node.parent
        if name is None or parent is None:
            return
        kinds = {c.type for c in node.children}
        flags = Flag.STATIC if "static" in kinds else 0
        kind = "method"
        if kinds & {"get", "set"} and self.b.of(name) not in ("get", "set"):
            kind, flags = "property", flags | (Flag.GETTER if "get" in kinds else Flag.SETTER)
        owner = self._class_draft() if parent.type in ("class_body", "interface_body") else None
        if parent.type == "class_body" and node.type == "method_signature":
            flags |= Flag.DECLARATION | Flag.OVERLOAD
        else:
            flags |= Flag.ABSTRACT
        if parent.type == "class_body" and self.text_of(name) == "constructor":
            kind, flags = "constructor", Flag.DECLARATION | Flag.OVERLOAD | Flag.CONSTRUCTOR
        container = self._inside(owner) if owner is not None else self._alias_path(parent)
        draft = self._define(node, Naming(self.member_name(name), name, node, kind, container, owner, flags=flags))
        if parent.type == "object_type":
            self.b.exprs[self.placeholder(node)] = (Op.SYMBOL, draft.index)
        self._bodiless(node, draft, name)

    def on_type_signature(self, node: ts.Node) -> None:
        """`(x: A): B` and `new (x: A): B` in an interface."""
        owner = self._class_draft()
        if owner is not None and node.parent is not None and node.parent.type == "interface_body":
            name = "()" if node.type == "call_signature" else "new()"
            holder = self._holder("members", owner.index)
            self.b.bind(name, "field", holder, node.start_byte, type_=self.expr(node))

    def _alias_path(self, object_: ts.Node) -> str | None:
        """Members of an object type are named after the type alias or the property that it belongs to."""
        node = object_.parent
        while node is not None and (node.type.endswith("_type") or node.type == "type_annotation"):
            node = node.parent
        name = node.child_by_field_name("name") if node is not None else None
        if node is None or name is None or node.type not in ("type_alias_declaration", "property_signature"):
            return None
        if node.parent is not None and node.parent.type == "object_type":
            around = self._alias_path(node.parent)
        else:
            holder = self.b.draft_at(object_.start_byte)
            around = holder.qual if holder is not None else ""
        return ".".join(filter(None, [around, self.b.of(name)]))

    def _bodiless(self, node: ts.Node, draft: Draft, name: ts.Node) -> None:
        scope = self.b.open_body(draft, name.end_byte, node.end_byte, "function")
        draft.header_end = node.end_byte
        self._type_params(node, draft, scope)
        self._parameters(node, draft, scope, NONE, {})
        draft.returns = self.type_expr(node.child_by_field_name("return_type"))

    def on_property(self, node: ts.Node) -> None:
        """A property of an interface or of an object type."""
        self._close_frames(node.start_byte)
        name, owner = node.child_by_field_name("name"), self._class_draft()
        if name is not None and node.parent is not None and node.parent.type == "object_type":
            self._object_property(node, name, node.parent)
        if name is None or owner is None or node.parent is None or node.parent.type != "interface_body":
            return
        self._field(
            owner, self.member_name(name), node, name, False, NONE, self.type_expr(node.child_by_field_name("type"))
        )

    def _object_property(self, node: ts.Node, name: ts.Node, object_: ts.Node) -> None:
        """A member of an object type is told by the expression that its type has there (see `View.entries`)."""
        container = self._alias_path(object_)
        draft = self._value_symbol(self.member_name(name), "field", node, name)
        around = draft.qual.rpartition(".")[0]
        draft.qual = f"{container or '.'.join(filter(None, [around, '(type)']))}.{draft.name}"
        draft.flags |= Flag.MINOR
        draft.returns = self.expr(node)

    # --- variables

    def on_declarator(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        b = self.b
        name, value, type_ = (node.child_by_field_name(f) for f in ("name", "value", "type"))
        if name is None:
            return
        region = self._block(node)
        scope = self._variable_scope(node)
        declared = self.type_expr(type_)
        index = self.expr(value)
        inner = unwrap(value)
        if name.type != "identifier":
            whole = b.expr(Op.CAST, declared, index) if declared != NONE else index
            self._pattern(name, whole, scope, node.end_byte, region, "local")
            return
        if inner is not None and (inner.type in FUNCTION_NODES or inner.type == "class"):
            return
        text = b.of(name)
        if inner is not None and inner.type == "call_expression" and self._wraps(node, inner):
            self._wrapped(node, name, inner, index, declared, scope)
            return
        if declared == NONE and not self._typed:
            declared = self._doc_type(node)
        b.bind(text, "local", scope, node.end_byte, region=region, value=index, type_=declared, name_node=name)
        if scope == 0 or (b.scopes[scope].owner != NONE and b.symbols[b.scopes[scope].owner].kind == "namespace"):
            constant = _is_constant(node)
            self._value_symbol(text, "constant" if constant else "variable", _declaration(node), name)

    def _variable_scope(self, node: ts.Node) -> int:
        b = self.b
        scope = b.scope_at(node.start_byte)
        if node.parent is not None and node.parent.type == "variable_declaration":
            return self._function_scope(scope)
        return scope

    def _function_scope(self, scope: int) -> int:
        """The scope that a `var` in `scope` belongs to."""
        b = self.b
        while b.scopes[scope].kind == "block" and b.scopes[scope].parent != NONE and b.scopes[scope].owner == NONE:
            scope = b.scopes[scope].parent
        return scope

    def _block(self, node: ts.Node) -> tuple[int, int]:
        """The innermost block or body that a statement stands in."""
        scope = self.b.scopes[self.b.scope_at(node.start_byte)]
        return scope.start, scope.end

    def _wraps(self, node: ts.Node, call: ts.Node) -> bool:
        """`const X = wrap(function ...)`: is the constant a function of its own?"""
        if not _is_constant(node):
            return False
        callee, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if callee is None or arguments is None or arguments.type != "arguments":
            return False
        if callee.type == "member_expression":
            name, object_ = callee.child_by_field_name("property"), callee.child_by_field_name("object")
            if name is None or object_ is None or object_.type != "identifier" or self.b.of(name) in _NO_WRAPPER:
                return False
        elif callee.type != "identifier":
            return False
        return any(
            (inner := unwrap(c)) is not None and (inner.type in FUNCTION_NODES or inner.type == "class")
            for c in arguments.named_children
        )

    def _wrapped(self, node: ts.Node, name: ts.Node, call: ts.Node, index: int, declared: int, scope: int) -> None:
        b = self.b
        naming = Naming(b.of(name), name, _declaration(node), flags=Flag.DECORATED)
        draft = self._define(call, naming)
        draft.signature = fold(b.slice(name.start_byte, call.start_byte) + self._callee_text(call), 160)
        draft.receiver = b.expr(Op.CAST, declared, index) if declared != NONE else index
        draft.returned.append(b.expr(Op.CALL, draft.receiver))
        self._bind_definition(draft, scope, node.end_byte, name)
        b.open_body(draft, call.start_byte, call.end_byte, "block")

    def _callee_text(self, call: ts.Node) -> str:
        callee = call.child_by_field_name("function")
        return self.b.of(callee) + "(…)" if callee is not None else ""

    def on_assignment(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        value = self.expr(right)
        if left.type == "identifier":
            self._assign_name(left, value, node)
        elif left.type in ("object_pattern", "array_pattern"):
            self._assign_pattern(left, value, node)
        elif left.type == "member_expression":
            self._member_site(left, Use.WRITE)
            self._assign_member(left, left.child_by_field_name("property"), value)
        elif left.type == "subscript_expression":
            self._assign_member(left, left.child_by_field_name("index"), value)

    def _assign_name(self, name: ts.Node, value: int, node: ts.Node) -> None:
        scope = self.b.scope_at(node.start_byte)
        self._assigned.append((scope, self.b.of(name), value, node.end_byte, self._block(node), name))

    def _assign_pattern(self, pattern: ts.Node, value: int, node: ts.Node) -> None:
        b = self.b
        before = len(b.bindings)
        self._pattern(pattern, value, b.scope_at(node.start_byte), node.end_byte, self._block(node), "local")
        found, b.bindings[before:] = b.bindings[before:], []
        for binding in found:
            name = pattern.descendant_for_byte_range(binding.name_start, binding.name_end) or pattern
            self._assigned.append(
                (binding.scope, binding.name, binding.value, binding.pos, (binding.start, binding.end), name)
            )

    def _assign_member(self, left: ts.Node, name: ts.Node | None, value: int) -> None:
        b = self.b
        object_ = left.child_by_field_name("object")
        if object_ is None or name is None:
            return
        text, holder = self._key(name) if left.type == "subscript_expression" else b.of(name), b.of(object_)
        if f"{holder}.{text}" == "module.exports":
            b.exports.append(Export("export=", value, start=left.start_byte, end=left.end_byte))
            return
        if holder in ("exports", "module.exports"):
            if text and name.type != "identifier":
                b.exports.append(Export(text, value, start=left.start_byte, end=left.end_byte))
            return
        if text:
            type_ = self.comment_type(_statement(left.parent or left))
            self._additions.append((self.expr(object_), text, value, name, type_))

    def _key(self, index: ts.Node) -> str:
        """The member that `x[index]` means; "" where only running it tells."""
        if index.type == "string":
            return self.text_of(index)
        return f"[{self.b.of(index)}]" if index.type == "identifier" else ""

    def on_augmented(self, node: ts.Node) -> None:
        left, right, sign = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        if left is None or right is None:
            return
        if left.type == "member_expression":
            self._member_site(left, Use.READ)
            self._member_site(left, Use.WRITE)
        if left.type == "identifier" and sign is not None and sign.type in ("||=", "??=", "&&="):
            self._close_frames(node.start_byte)
            self._assign_name(left, self.b.expr(Op.UNION, self.expr(left), self.expr(right)), node)

    def on_for_in(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        b = self.b
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        iterated = self.expr(right)
        keys = operator is not None and operator.type == "in"
        value = b.expr(Op.LITERAL, "string") if keys else b.expr(Op.ELEMENT, iterated)
        if any(c.type == "await" for c in node.children[:3]):
            value = b.expr(Op.AWAIT, value)
        outer = b.scope_at(node.start_byte)
        scope = b.open_scope("block", node.start_byte, node.end_byte)
        kind = node.child_by_field_name("kind")
        if kind is None and left is not None and left.type == "identifier":
            self._assigned.append((scope, b.of(left), value, node.start_byte, (node.start_byte, node.end_byte), left))
            return
        target = scope
        if kind is not None and kind.type == "var":
            target = outer
            while b.scopes[target].kind == "block" and b.scopes[target].parent != NONE:
                target = b.scopes[target].parent
        self._pattern(left, value, target, node.start_byte, (node.start_byte, node.end_byte), "local")

    def on_catch(self, node: ts.Node) -> None:
        parameter = node.child_by_field_name("parameter")
        scope = self.b.open_scope("block", node.start_byte, node.end_byte)
        self._pattern(parameter, NONE, scope, node.start_byte, None, "param")

    def on_block(self, node: ts.Node) -> None:
        parent = node.parent
        if parent is not None and parent.type in _FUNCTION_OWNERS:
            return
        if parent is not None and parent.type in ("internal_module", "module", "catch_clause", "for_in_statement"):
            return
        if parent is not None and parent.type == "ambient_declaration":  # `declare global`: seen everywhere, here too
            declared = [leaf for child in node.named_children for leaf in _declared_names(child)]
            self.b.extra["globals"] = " ".join([self.b.extra.get("globals", ""), *map(self.b.of, declared)]).strip()
            return
        self.b.open_scope("block", node.start_byte, node.end_byte)

    # --- narrowing

    def on_if(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        condition = node.child_by_field_name("condition")
        body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
        if condition is None or body is None:
            return
        self._narrow(condition, (body.start_byte, body.end_byte), True)
        alternative = node.child_by_field_name("alternative")
        if alternative is not None:
            self._narrow(condition, (alternative.start_byte, alternative.end_byte), False)
        elif node.type == "if_statement" and _leaves(body) and node.parent is not None:
            self._narrow(condition, (node.end_byte, node.parent.end_byte), False)

    def on_ternary(self, node: ts.Node) -> None:
        condition = node.child_by_field_name("condition")
        for side, holds in (("consequence", True), ("alternative", False)):
            branch = node.child_by_field_name(side)
            if condition is not None and branch is not None:
                self._narrow(condition, (branch.start_byte, branch.end_byte), holds)

    def on_and(self, node: ts.Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            self._narrow(left, (right.start_byte, right.end_byte), True)

    def on_or(self, node: ts.Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            self._narrow(left, (right.start_byte, right.end_byte), False)

    def on_switch(self, node: ts.Node) -> None:
        """`switch (subject.kind)`, `switch (typeof subject)`: what each case tells of the subject; cases without a body
        share the next one's."""
        member, body = unwrap(node.child_by_field_name("value")), node.child_by_field_name("body")
        if member is None or body is None or member.type not in ("member_expression", "unary_expression"):
            return
        test = self.key_test if member.type == "member_expression" else self.sort_test
        values: list[ts.Node] = []
        seen: list[ts.Node] = []
        for case in body.named_children:
            value = case.child_by_field_name("value")
            region = (case.start_byte, case.end_byte)
            if case.type == "switch_default":
                self._tell(test(member, seen, False) if seen else (), region)
            elif value is not None:
                values.append(value)
                seen.append(value)
                if case.child_by_field_name("body") is not None:
                    self._tell(test(member, values, True), region)
                    values = values if not _leaves(case) else []

    def _narrow(self, condition: ts.Node, region: tuple[int, int], holds: bool) -> None:
        """What a condition tells in what it guards."""
        self._tell(self.tests(condition, holds), region)

    def _tell(self, tests: Iterable[tuple[ts.Node, str, int]], region: tuple[int, int]) -> None:
        for subject, how, test in tests:
            if subject.type == "member_expression":
                self.narrow_member(subject, how, test, region)
            else:
                value = self.b.expr(Op.NARROWED, self.expr(subject), how, test)
                self._told.append((self.b.scope_at(subject.start_byte), self.b.of(subject), value, region))

    # --- modules

    def on_import(self, node: ts.Node) -> None:
        b = self.b
        b.extra["module"] = "es"
        source = node.child_by_field_name("source")
        clause = next((c for c in node.named_children if c.type in ("import_clause", "import_require_clause")), None)
        if clause is not None and clause.type == "import_require_clause":
            source = clause.child_by_field_name("source")
        if source is None:
            return
        module = self.text_of(source)
        kind = "type" if any(c.type == "type" for c in node.children) else ""
        if clause is None:
            b.imports.append(Import(module, "", "", 0, node.start_byte, node.end_byte, "blank"))
            return
        for child in clause.named_children:
            if child.type == "identifier":
                require = clause.type == "import_require_clause"
                self._import(module, "" if require else "default", child, child, node, "require" if require else kind)
            elif child.type == "namespace_import":
                name = first(child)
                if name is not None:
                    self._import(module, "", name, child, node, kind or "namespace")
            elif child.type == "named_imports":
                for specifier in child.named_children:
                    self._import_specifier(module, specifier, node, kind)

    def _import_specifier(self, module: str, node: ts.Node, statement: ts.Node, kind: str) -> None:
        name = node.child_by_field_name("name")
        alias = node.child_by_field_name("alias") or name
        if name is not None and alias is not None:
            self._import(module, self.text_of(name), alias, node, statement, kind)
            b = self.b
            expr = b.expr(Op.NAME, b.of(alias), b.scope_at(node.start_byte), statement.end_byte)
            b.site(Use.IMPORT, self.text_of(name), expr, name.start_byte, name.end_byte, name.start_byte)

    def _import(self, module: str, name: str, alias: ts.Node, node: ts.Node, statement: ts.Node, kind: str) -> None:
        b = self.b
        scope, text = b.scope_at(node.start_byte), b.of(alias)
        pos = b.scopes[scope].start
        for prefix in ("", ":") if self._typed and name else ("",):
            imported = prefix + name if name else name
            b.imports.append(Import(module, imported, prefix + text, scope, node.start_byte, node.end_byte, kind))
            b.bind(prefix + text, "import", scope, pos, value=len(b.imports) - 1, name_node=alias)

    def on_import_alias(self, node: ts.Node) -> None:
        parts = node.named_children
        if len(parts) == 2:
            b = self.b
            scope = b.scope_at(node.start_byte)
            for prefix in ("", ":"):
                b.bind(prefix + b.of(parts[0]), "local", scope, node.end_byte, value=self.expr(parts[1]))

    def on_export(self, node: ts.Node) -> None:
        b = self.b
        self._close_frames(node.start_byte)
        if b.scope_at(node.start_byte) != 0:  # of a namespace, or of a module that is declared by its name
            self._export_inside(node)
            return
        b.extra["module"] = "es"
        source = node.child_by_field_name("source")
        module = self.text_of(source) if source is not None else ""
        declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
        default = any(c.type == "default" for c in node.children)
        if declaration is not None:
            self._export_declaration(declaration, node, default)
        elif value is not None:
            self._export("default", self.expr(value), node)
        elif any(c.type == "=" for c in node.children):
            named = first(node)
            if named is not None:
                self._export("export=", self.expr(named), node)
        else:
            self._export_names(node, module)
        if source is not None:
            b.imports.append(Import(module, "", "", 0, node.start_byte, node.end_byte, "reexport"))

    def _export_inside(self, node: ts.Node) -> None:
        """`export default` and `export =` in `declare module "name"`."""
        declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
        if any(c.type == "=" for c in node.children):
            value = first(node)
        elif not any(c.type == "default" for c in node.children):
            return
        named = declaration.child_by_field_name("name") if declaration is not None else value
        if named is not None:
            scope = self.b.scope_at(node.start_byte)
            self.b.bind("default", "local", scope, node.end_byte, value=self.expr_identifier(named))

    def _export(self, name: str, value: int, node: ts.Node, module: str = "", source: str = "") -> None:
        self.b.exports.append(Export(name, value, module, source, node.start_byte, node.end_byte))

    def _export_names(self, node: ts.Node, module: str) -> None:
        namespace = next((c for c in node.named_children if c.type == "namespace_export"), None)
        clause = next((c for c in node.named_children if c.type == "export_clause"), None)
        if namespace is not None and namespace.named_children:
            self._export(self.text_of(namespace.named_children[0]), NONE, namespace, module, "*")
        elif clause is None:
            if module:
                self._export("*", NONE, node, module, "*")
            return
        for child in clause.named_children if clause is not None else ():
            name = child.child_by_field_name("name")
            alias = child.child_by_field_name("alias") or name
            if name is not None and alias is not None:
                self._export(self.text_of(alias), NONE, child, module, self.text_of(name))

    def _export_declaration(self, node: ts.Node, statement: ts.Node, default: bool) -> None:
        if node.type == "ambient_declaration" and node.named_children:
            node = node.named_children[0]
        if node.type in ("lexical_declaration", "variable_declaration"):
            for child in node.named_children:
                name = child.child_by_field_name("name")
                for leaf in _names(name) if name is not None else ():
                    self._export(self.b.of(leaf), NONE, leaf, "", self.b.of(leaf))
            return
        name = node.child_by_field_name("name")
        if default:
            if name is None:
                self._export("default", self.placeholder(node), statement)
            else:
                self._export("default", NONE, statement, "", self.b.of(name))
        elif name is not None:
            text = self.b.of(name)
            self._export(text, NONE, name, "", text)

    # --- sites

    def on_call(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        function = node.child_by_field_name("function")
        if function is None or is_import(node) or self.is_require(node):
            self.expr(node)
            return
        self._called.add(function.id)
        self._call_site(Use.CALL, node, function)
        text = self.b.of(function) if function.end_byte - function.start_byte < 40 else ""
        self._asserted(text, node)
        if function.type == "member_expression":
            self._put_in(function, node)
        if text in _INHERITS or text in _ASSIGNS or text == "Object.defineProperty":
            self._library_call(text, node)

    def _put_in(self, callee: ts.Node, call: ts.Node) -> None:
        """`x.push(v)`, `x.add(v)`, `x.set(k, v)`: what a container holds that was made empty."""
        object_, method = callee.child_by_field_name("object"), callee.child_by_field_name("property")
        arguments = call.child_by_field_name("arguments")
        place = _PUTTING.get(self.b.of(method)) if method is not None else None
        if place is None or object_ is None or arguments is None:
            return
        given = [c for c in arguments.named_children if c.type != "comment"]
        value = self.expr(given[place]) if len(given) == place + 1 else NONE
        if value != NONE and self.b.exprs[value][0] not in (Op.CONST, Op.LITERAL):
            self._put.append((self.b.scope_at(call.start_byte), object_, value))

    def _asserted(self, callee: str, node: ts.Node) -> None:
        """`assertIsT(x);` and `assert(x instanceof T);`: what comes back only if it holds."""
        if not _ASSERTION.match(callee):
            return
        statement, arguments = node.parent, node.child_by_field_name("arguments")
        if statement is None or statement.type != "expression_statement":
            return
        condition = first(arguments) if arguments is not None else None
        block = statement.parent
        if condition is not None and block is not None:
            region = (statement.end_byte, block.end_byte)
            self._narrow(node, region, True)
            self._narrow(condition, region, True)

    def on_new(self, node: ts.Node) -> None:
        self._close_frames(node.start_byte)
        made = node.child_by_field_name("constructor")
        if made is not None:
            self._call_site(Use.NEW, node, made)

    def _call_site(self, kind: str, node: ts.Node, function: ts.Node) -> None:
        b = self.b
        call = self.expr(node)
        callee = _callee(function)
        if callee.type == "super":
            target = b.expr(Op.PARENT, b.scope_at(node.start_byte))
            b.site(kind, "super", target, callee.start_byte, callee.end_byte, node.start_byte, call=call)
            return
        if callee.type == "subscript_expression":
            key = callee.child_by_field_name("index")
            if key is not None and key.type == "identifier":
                b.site(
                    kind, self._key(key), self.expr(callee), key.start_byte, key.end_byte, node.start_byte, call=call
                )
                return
        name = callee.child_by_field_name("property") if callee.type == "member_expression" else callee
        if name is None or callee.type not in ("identifier", "member_expression"):
            if callee.type in ("arrow_function",) or (
                callee.type in FUNCTION_NODES and not callee.child_by_field_name("name")
            ):
                return
            b.site(kind, "", self.expr(function), callee.start_byte, callee.end_byte, node.start_byte, call=call)
            return
        b.site(kind, b.of(name), self.expr(callee), name.start_byte, name.end_byte, node.start_byte, call=call)

    def _library_call(self, text: str, node: ts.Node) -> None:
        """Calls that add members to a class or object, or tell its base."""
        arguments = node.child_by_field_name("arguments")
        given = [c for c in arguments.named_children if c.type != "comment"] if arguments is not None else []
        if len(given) < 2:
            return
        target = self.expr(given[0])
        if text in _INHERITS:
            self._bases.append((target, self.expr(given[1])))
        elif text in _ASSIGNS:
            for child in given[1:6]:
                self._additions.append((target, "...", self.expr(child), child, NONE))
        elif len(given) == 3 and given[1].type == "string" and given[2].type == "object":
            self._defined_property(given[2], target, self.text_of(given[1]), given[1])

    def _defined_property(self, descriptor: ts.Node, target: int, name: str, node: ts.Node) -> None:
        for entry in descriptor.named_children:
            key = entry.child_by_field_name("key") or entry.child_by_field_name("name")
            text = self.b.of(key) if key is not None else ""
            value = self.expr(entry.child_by_field_name("value")) if entry.type == "pair" else self.placeholder(entry)
            if text == "value":
                self._additions.append((target, name, value, node, NONE))
            elif text == "get":
                self._additions.append((target, name, self.b.expr(Op.CALL, value), node, NONE))

    def on_member(self, node: ts.Node) -> None:
        parent = node.parent if node.id not in self._called else None  # looking for a parent is slow in deep trees
        if parent is None:
            return
        kind = parent.type
        if kind == "new_expression" and parent.child_by_field_name("constructor") == node:
            return
        if kind in ("assignment_expression", "augmented_assignment_expression"):
            if parent.child_by_field_name("left") == node:
                return
        elif kind in (
            "decorator",
            "extends_clause",
            "class_heritage",
            "jsx_opening_element",
            "jsx_closing_element",
            "jsx_self_closing_element",
            "nested_identifier",
            "array_pattern",
            "object_pattern",
            "type_query",
        ):
            return
        elif kind == "update_expression":
            self._member_site(node, Use.READ)
            self._member_site(node, Use.WRITE)
            return
        elif kind == "unary_expression" and any(c.type == "delete" for c in parent.children):
            self._member_site(node, Use.DELETE)
            return
        elif kind in WRAPPERS and self._is_callee(parent):
            return
        reads = kind in ("member_expression", "subscript_expression")
        self._member_site(node, Use.READ if reads else Use.VALUE)

    def _is_callee(self, node: ts.Node) -> bool:
        """Is a wrapped member (`a.b!()`) called?"""
        inner, parent = node, node.parent
        while parent is not None and parent.type in WRAPPERS:
            inner, parent = parent, parent.parent
        return (
            parent is not None and parent.type == "call_expression" and parent.child_by_field_name("function") == inner
        )

    def _member_site(self, node: ts.Node, kind: str) -> None:
        name = node.child_by_field_name("property")
        if name is not None:
            self.b.site(kind, self.b.of(name), self.expr(node), name.start_byte, name.end_byte, node.start_byte)

    def on_value(self, node: ts.Node) -> None:
        self._name_site(Use.VALUE, node)

    def on_read(self, node: ts.Node) -> None:
        """A name whose member is taken."""
        self._name_site(Use.READ, node)

    def on_wrapped(self, node: ts.Node) -> None:
        """A name in parentheses or a cast, which may be called."""
        if node.parent is None or not self._is_callee(node.parent):
            self._name_site(Use.VALUE, node)

    def _name_site(self, kind: str, node: ts.Node) -> None:
        self.b.site(kind, self.b.of(node), self.expr(node), node.start_byte, node.end_byte, node.start_byte)

    def on_type(self, node: ts.Node) -> None:
        parent = node.parent
        if parent is None or (
            parent.child_by_field_name("name") == node
            and parent.type
            not in (
                "generic_type",
                "nested_type_identifier",
            )
        ):
            return
        whole = parent if parent.type == "nested_type_identifier" else node
        name = node.child_by_field_name("property") if node.type == "member_expression" else node
        if name is not None:
            self.b.site(Use.TYPE, self.b.of(name), self.expr(whole), name.start_byte, name.end_byte, whole.start_byte)

    def on_decorator(self, node: ts.Node) -> None:
        inner = first(node)
        if inner is None or inner.type == "call_expression":
            return
        name = inner.child_by_field_name("property") if inner.type == "member_expression" else inner
        if name is not None:
            self.b.site(
                Use.DECORATOR, self.b.of(name), self.expr(inner), name.start_byte, name.end_byte, inner.start_byte
            )

    def on_jsx(self, node: ts.Node) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        last = name.child_by_field_name("property") if name.type == "member_expression" else name
        if last is None or (name.type == "identifier" and not self.b.of(name)[:1].isupper()):
            return
        if name.type in ("identifier", "member_expression"):
            self.b.site(Use.JSX, self.b.of(last), self.expr(name), last.start_byte, last.end_byte, node.start_byte)

    # --- at the end of the file

    def _bind_assigned(self) -> None:
        """Assignments to names and what conditions tell of them: they belong to the scope that declares the name."""
        b = self.b
        declared: dict[tuple[int, str], bool] = {}  # True: what is assigned later does not change its type
        for binding in b.bindings:
            key = (binding.scope, binding.name)
            fixed = binding.type != NONE or binding.kind in ("def", "import")
            declared[key] = declared.get(key, False) or fixed
        changed: dict[tuple[int, str], list[int]] = {}
        for scope, name, value, pos, region, node in self._assigned:
            where = self._declaring(scope, name, declared)
            if where == NONE:
                if name in ("exports", "module"):
                    continue
                where = 0
            changed.setdefault((where, name), []).append(pos)
            if declared.get((where, name)):
                continue
            b.bind(name, "local", where, pos, region=region, value=value, name_node=node)
        for scope, name, value, (start, end) in self._told:
            where = max(self._declaring(scope, name, declared), 0)
            until = min((pos for pos in changed.get((where, name), ()) if start <= pos < end), default=end)
            b.bind(name, "narrow", where, start, region=(start, until), value=value)
        for scope, container, value in self._put:
            where = self._declaring(scope, b.of(container), declared) if container.type == "identifier" else NONE
            if where != NONE:
                b.bind(b.of(container), "item", where, container.start_byte, value=value)

    def _declaring(self, scope: int, name: str, declared: Container[tuple[int, str]]) -> int:
        """The scope that declares a name, seen from another; -1 where none does."""
        while scope != NONE and (scope, name) not in declared:
            scope = self.b.scopes[scope].parent
        return scope

    def _bind_additions(self) -> None:
        """What is assigned to members: fields of classes, static members, members of objects, exports."""
        b = self.b
        table: dict[tuple[int, str], list[tuple[str, int]]] = {}
        for binding in b.bindings:
            if binding.kind != "narrow":
                table.setdefault((binding.scope, binding.name), []).append((binding.kind, binding.value))
        self._quals = {d.qual for d in b.symbols}
        self._declared = {(d.parent, d.name) for d in b.symbols if d.kind in ("method", "property")}
        for target, base in self._bases:
            found = self._target(target, table, 0)
            if found is not None and found[0] == "object":
                b.bind("...", "field", self._holder(*found), 0, value=base)
            elif found is not None and found[0] in ("members", "statics"):
                self._base(b.symbols[found[1]], base, "inherits")
        for target, name, value, node, type_ in self._additions:
            if name.startswith("[") and (0, name[1:-1]) not in table:
                continue  # any key, not one that is a constant of the module
            found = self._target(target, table, 0)
            if found is not None:
                self._add_member(found, name, value, node, type_)
        for scope, container, value in self._put:
            member = container.child_by_field_name("property")
            held = container.child_by_field_name("object")
            if held is None or held.type != "this" or member is None:
                continue
            found = self._this_target(scope, table, 0)
            if found is not None and found[0] in ("members", "statics"):
                b.bind(b.of(member), "item", self._holder(*found), container.start_byte, value=value)

    def _add_member(self, found: tuple[str, int], name: str, value: int, node: ts.Node, type_: int) -> None:
        b = self.b
        kind, index = found
        self._added[(kind, index, name)] = value
        if kind == "exports":
            b.exports.append(
                Export(name if name != "..." else "export=", value, start=node.start_byte, end=node.end_byte)
            )
            return
        made = b.exprs[value] if value != NONE else ()
        written = bool(made) and made[0] == Op.SYMBOL and b.symbols[made[1]].name == name
        if kind == "object" and index in self._foreign and not written:
            return  # what hides behind an alias there may be the other object's own
        if name == "prototype" and kind == "statics":
            if made and made[0] == Op.OBJECT:
                b.bind("...", "field", self._holder("members", index), node.start_byte, value=value)
            else:
                self._base(b.symbols[index], value, "inherits")
            return
        if kind in ("members", "statics") and made and made[0] == Op.SYMBOL:
            draft = b.symbols[made[1]]
            own = (index, name) in self._declared
            if draft.qual == f"{b.symbols[index].qual}.{name}" and draft.kind == "method" and not own:
                draft.parent = index
                draft.receiver = NONE
                draft.flags |= Flag.STATIC if kind == "statics" else 0
        if (kind, name) == ("statics", "..."):
            return
        holder = self._holder(kind, index)
        b.bind(name, "field", holder, node.start_byte, value=value, type_=type_, name_node=node)
        if not self._typed and kind == "members" and b.of(node) == name:
            self._assigned_field(b.symbols[index], name, node)

    def _assigned_field(self, owner: Draft, name: str, node: ts.Node) -> None:
        """JavaScript: a field is there once it is assigned, where nothing else of the class has its name."""
        qual = f"{owner.qual}.{name}"
        if qual not in self._quals:
            self._quals.add(qual)
            self.b.assigned_field(owner, node)

    def _target(
        self, expr: int, table: dict[tuple[int, str], list[tuple[str, int]]], depth: int
    ) -> tuple[str, int] | None:
        """What an assignment to a member of `expr` adds to: (members | statics, symbol), (object, expr), (exports, 0)."""
        b = self.b
        if expr == NONE or depth > 6:
            return None
        e = b.exprs[expr]
        op = e[0]
        if op == Op.OBJECT:
            return ("object", expr)
        if op == Op.SYMBOL:
            return ("statics", e[1])
        if op == Op.ATTR and e[2] == "prototype":
            found = self._target(e[1], table, depth + 1)
            return ("members", found[1]) if found is not None and found[0] == "statics" else None
        if op == Op.ATTR and e[2] == "exports" and b.exprs[e[1]][:2] == (Op.NAME, "module"):
            return ("exports", 0)
        if op == Op.ATTR:
            return self._member_target(e[1], e[2], table, depth)
        if op == Op.THIS:
            return self._this_target(e[1], table, depth)
        if op == Op.NAME:
            return self._name_target(e[1], e[2], table, depth)
        if op == Op.UNION:  # `ns || {}`
            return next(filter(None, (self._target(part, table, depth + 1) for part in reversed(e[1:]))), None)
        if op == Op.CALL and e[2:] and b.exprs[e[1]][0] == Op.ATTR and b.exprs[e[1]][2] == "freeze":
            return self._target(e[2], table, depth + 1)
        return None

    def _member_target(
        self, base: int, name: str, table: dict[tuple[int, str], list[tuple[str, int]]], depth: int
    ) -> tuple[str, int] | None:
        """What `base.name` holds, as far as this file says."""
        found = self._target(base, table, depth + 1)
        if found is None:
            return None
        value = self._added.get((*found, name), NONE)
        if value == NONE and found[0] == "exports":
            value = next((x.value for x in self.b.exports if x.name == name and x.value != NONE), NONE)
        if value == NONE and found[0] == "object":
            entries = [self.b.exprs[part] for part in self.b.exprs[found[1]][2:]]
            value = next((x[2] for x in entries if x[0] == Op.KEYWORD and x[1] == name), NONE)
        return self._target(value, table, depth + 1)

    def _this_target(
        self, scope: int, table: dict[tuple[int, str], list[tuple[str, int]]], depth: int
    ) -> tuple[str, int] | None:
        while scope != NONE:
            frame = self._all_frames.get(scope)
            if frame is not None and frame.kind != "arrow":
                owner = frame.owner
                if owner is not None and owner[0] == "expr":
                    return self._target(owner[1], table, depth + 1)
                return owner
            scope = self.b.scopes[scope].parent
        return None

    def _name_target(
        self, name: str, scope: int, table: dict[tuple[int, str], list[tuple[str, int]]], depth: int
    ) -> tuple[str, int] | None:
        while scope != NONE:
            group = table.get((scope, name))
            if group is not None:
                for kind, value in group:
                    if kind == "def":
                        draft = self.b.symbols[value]
                        if draft.kind in ("function", "class", "method", "namespace", "enum"):
                            return ("statics", value)
                    elif kind in ("local", "field"):
                        found = self._target(value, table, depth + 1)
                        if found is not None:
                            return found
                return self._extended(scope, name, group)
            scope = self.b.scopes[scope].parent
        return ("exports", 0) if name == "exports" else None

    def _extended(self, scope: int, name: str, group: list[tuple[str, int]]) -> tuple[str, int] | None:
        """A variable that holds something from elsewhere: what is added to it is an object of its own beside that."""
        b = self.b
        if len(group) != 1 or group[0][0] != "local" or group[0][1] == NONE or b.exprs[group[0][1]][0] == Op.IMPORT:
            return None
        for place, binding in enumerate(b.bindings):
            if (binding.scope, binding.name, binding.kind) == (scope, name, "local"):
                added = b.expr(Op.OBJECT, NONE)
                b.bindings[place] = msgspec.structs.replace(binding, value=b.expr(Op.UNION, binding.value, added))
                group.append(("local", added))
                self._foreign.add(added)
                return ("object", added)
        return None

    def _holder(self, kind: str, index: int) -> int:
        """The scope that holds the members of a symbol or object."""
        found = self._holders.get((kind, index))
        if found is None:
            b = self.b
            b.scopes.append(Scope(kind, 0, 0, len(b.text), index if kind != "object" else NONE))
            found = self._holders[(kind, index)] = len(b.scopes) - 1
            if kind == "object":
                e = b.exprs[index]
                b.exprs[index] = (Op.OBJECT, found, *e[2:])
        return found

    # --- comments

    def _doc(self, node: ts.Node) -> tuple[int, str]:
        """Where a definition with its comment starts, and the comment as plain text."""
        comment = node.prev_named_sibling
        if comment is None or comment.type != "comment" or node.start_point[0] - comment.end_point[0] > 1:
            return node.start_byte, ""
        text = self.b.of(comment)
        if text.startswith("/*"):
            return comment.start_byte, _plain(text)
        lines, start = [text], comment.start_byte
        before = comment.prev_named_sibling
        while before is not None and before.type == "comment" and before.end_point[0] == comment.start_point[0] - 1:
            text = self.b.of(before)
            if not text.startswith("//"):
                break
            lines.append(text)
            comment, start = before, before.start_byte
            before = comment.prev_named_sibling
        trailing = before is not None and before.end_point[0] == comment.start_point[0]
        if trailing:  # it belongs to the line before
            return node.start_byte, ""
        return start, "\n".join(line.lstrip("/").strip() for line in reversed(lines))

    def _jsdoc(self, text: str) -> dict[str, int]:
        """Types of parameters by name, and of the result (`@returns`), as a comment tells them."""
        out: dict[str, int] = {}
        if "{" not in text:
            return out
        places: dict[str, int] = {}
        parts: dict[str, list[tuple[str, int]]] = {}
        for tag in tags(text):
            if tag.kind == "param" and "." not in tag.name:
                type_ = self._written_type(parse(tag.type))
                out.setdefault(tag.name, type_)
                out[f"#{len(places)}"] = type_
                places.setdefault(tag.name, len(places))
            elif tag.kind == "param" and tag.name.count(".") == 1:
                head, _, field_name = tag.name.partition(".")
                parts.setdefault(head, []).append((field_name, self._written_type(parse(tag.type))))
            elif tag.kind in ("returns", "this", "type"):
                out.setdefault("@" + tag.kind, self._written_type(parse(tag.type)))
        for head, fields in parts.items():
            if out.get(head, NONE) == NONE:
                out[head] = self._written_object(fields)
                if head in places:
                    out[f"#{places[head]}"] = out[head]
        return {k: v for k, v in out.items() if v != NONE}

    def _written_type(self, found: Parsed) -> int:
        """A type of a comment as an expression; -1 where it says nothing."""
        b = self.b
        scope, at = b.scope_at(b.position), b.position
        if found.kind == "name":
            if found.name.lower() in _VAGUE:
                return NONE
            head, *rest = found.name.split(".")
            expr = b.expr(Op.NAME, ":" + head, scope, at)
            for name in rest:
                expr = b.expr(Op.ATTR, expr, name)
            return expr
        if found.kind == "import":
            b.imports.append(Import(found.name, found.member and ":" + found.member, "", scope, at, at, "type"))
            named = b.expr(Op.IMPORT, len(b.imports) - 1)
            return b.expr(Op.GENERIC, named, *map(self._written_type, found.parts)) if found.parts else named
        if found.kind == "literal":
            return b.expr(Op.LITERAL, found.name)
        if found.kind == "object":
            fields = [(f.name, self._written_type(f.parts[0])) for f in found.parts]
            return self._written_object(fields)
        parts = [self._written_type(p) for p in found.parts]
        if found.kind == "union":
            known = [p for p in parts if p != NONE]
            return b.expr(Op.UNION, *known) if known else NONE
        if found.kind == "array":
            return b.expr(Op.LITERAL, "Array[]", *parts) if parts[0] != NONE else NONE
        if found.kind == "generic":
            name = {"Object": "Record", "array": "Array"}.get(found.name, found.name)
            return b.expr(Op.GENERIC, b.expr(Op.NAME, ":" + name, scope, at), *parts)
        if found.kind == "function":
            return b.expr(Op.FUNCTION, *parts)
        return b.expr(Op.TYPEOF, parts[0]) if found.kind == "typeof" and parts[0] != NONE else NONE

    def _written_object(self, fields: list[tuple[str, int]]) -> int:
        b = self.b
        parts = [b.expr(Op.KEYWORD, name, b.expr(Op.CAST, type_, NONE)) for name, type_ in fields if type_ != NONE]
        return b.expr(Op.OBJECT, NONE, *parts)

    def on_comment(self, node: ts.Node) -> None:
        """`@typedef` makes a type, `@import` binds names of types."""
        b = self.b
        if self._typed:
            return
        self._close_frames(node.start_byte)
        text = _plain(b.of(node))
        scope = b.scope_at(node.start_byte)
        for module, name, local in imports(text) if "@import" in text else ():
            wanted = ":" + name if name not in ("", "default") else name
            b.imports.append(Import(module, wanted, local, scope, node.start_byte, node.end_byte, "type"))
            b.bind(":" + local, "import", scope, b.scopes[scope].start, value=len(b.imports) - 1)
        if "@typedef" not in text:
            return
        name, type_ = "", ""
        fields: list[tuple[str, str]] = []
        for tag in tags(text):
            if tag.kind == "typedef":
                self._typedef(name, type_, fields, node, text)
                name, type_, fields = tag.name, tag.type, []
            elif tag.kind == "property" and "." not in tag.name:
                fields.append((tag.name, tag.type))
        self._typedef(name, type_, fields, node, text)

    def _typedef(self, name: str, type_: str, fields: list[tuple[str, str]], node: ts.Node, text: str) -> None:
        b = self.b
        if not name:
            return
        scope = b.scope_at(node.start_byte)
        draft = b.define(name, "type", node, None)
        place = b.text.find(name.encode(), node.start_byte, node.end_byte)
        draft.name_start, draft.name_end = place, place + len(name.encode())
        draft.signature, draft.header_end = fold(f"type {name}"), draft.end
        b.bind(":" + name, "def", scope, b.scopes[scope].start, value=draft.index)
        draft.scope = b.open_scope("block", node.start_byte, node.end_byte, draft.index)
        for parameter in templates(text):
            draft.type_params.append(TypeParam(parameter))
            b.bind(":" + parameter, "typeparam", draft.scope, 0)
        if fields:
            draft.returns = self._written_object([(f, self._written_type(parse(t))) for f, t in fields])
        else:
            draft.returns = self._written_type(parse(type_))
        b.leave(draft.scope)

    def cast_type(self, node: ts.Node) -> int:
        if not self._documented:
            return NONE
        parent = node.parent
        while node.prev_sibling is None and parent is not None and parent.start_byte == node.start_byte:
            node, parent = parent, parent.parent  # `/** @type {T} */ (x).y()`: the tree has it before the whole call
        return self.comment_type(node)

    def comment_type(self, node: ts.Node) -> int:
        """`/** @type {T} */` before a node; -1 for none."""
        if not self._documented:
            return NONE
        before = node.prev_sibling
        if before is None or before.type != "comment":
            return NONE
        return self._jsdoc(_plain(self.b.of(before))).get("@type", NONE)

    def _doc_type(self, node: ts.Node) -> int:
        """`/** @type {T} */` before a declaration."""
        if not self._documented:
            return NONE
        return self.comment_type(_declaration(node))


_VAGUE = frozenset({"object", "function", "any", "undefined", "null", "void", "unknown", "never", "this", "mixed"})


_SIGNATURE_LINE = re.compile(rb"\n[ \t]+[<(]")
_TYPE_BODY = re.compile(rb"\b(?:interface\s+[\w$]+[^{};()]{0,400}+|type\s+[\w$]+\s*(?:<[^={}()]{0,400}+>)?\s*=\s*)\{")
_TOKEN = re.compile(
    rb"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|=>|\n[ \t]+(?=[<(])|[\w$]+|\S""",
    re.S,
)
_OPEN, _CLOSE = frozenset(b"{[(<"), frozenset(b"}])>")
_ENDS_MEMBER = re.compile(rb"[\w$\"'`>\])}]\Z")


def _separated(text: bytes) -> bytes:
    """Puts a semicolon before call signatures that only a line end parts from the member before.

    The grammar takes `<` and `(` at the start of a line for a continuation of what stands above; in the body of an
    interface they begin a member.
    """
    if not _SIGNATURE_LINE.search(text):
        return text
    out: bytearray | None = None
    for body in _TYPE_BODY.finditer(text):
        places = _unseparated(text, body.end())
        if places is None:
            break
        for place in places:
            out = bytearray(text) if out is None else out
            out[place] = ord(";")
    return text if out is None else bytes(out)


def _unseparated(text: bytes, start: int) -> list[int] | None:
    """Where semicolons are missing in the type body that begins at `start`; None where it never ends."""
    places: list[int] = []
    depth, last = 0, b"{"
    for match in _TOKEN.finditer(text, start):
        token = match[0]
        if token[:1] == b"\n":
            if depth == 0 and _ENDS_MEMBER.search(last):
                places.append(match.end() - 1)
            continue
        if token[:2] in (b"//", b"/*"):
            continue
        if len(token) == 1 and token[0] in _OPEN:
            depth += 1
        elif len(token) == 1 and token[0] in _CLOSE:
            depth -= 1
            if depth < 0:
                return places
        last = token
    return None


def _exported(path: str) -> str:
    """`module.exports.a` and `exports.a` are named `a`."""
    for prefix in ("module.exports", "exports"):
        if path == prefix:
            return ""
        if path.startswith(prefix + "."):
            return path[len(prefix) + 1 :]
    return path


def _statement(node: ts.Node) -> ts.Node:
    """The statement that a declaration or assignment makes up, with `export` and `declare`."""
    parent = node.parent
    while parent is not None and parent.type in (
        "export_statement",
        "ambient_declaration",
        "expression_statement",
        "assignment_expression",
    ):
        node, parent = parent, parent.parent
    return node


def _declaration(node: ts.Node) -> ts.Node:
    """The whole of a variable's declaration where it declares nothing else."""
    parent = node.parent
    if parent is None or parent.type not in ("lexical_declaration", "variable_declaration"):
        return node
    if parent.named_child_count > 1:
        return node
    return _statement(parent)


def _is_constant(node: ts.Node) -> bool:
    """Is a variable declared with `const`?"""
    parent = node.parent
    first_word = parent.child(0) if parent is not None else None
    return first_word is not None and first_word.type == "const"


def _callee(node: ts.Node) -> ts.Node:
    """What is called, without parentheses, casts and `(0, f)`."""
    while True:
        if node.type in WRAPPERS:
            inner = unwrap(node)
        elif node.type == "sequence_expression" and node.named_children:
            inner = node.named_children[-1]
        elif node.type == "await_expression":
            inner = first(node)
        else:
            return node
        if inner is None or inner == node:
            return node
        node = inner


def _is_handed_on(node: ts.Node) -> bool:
    """Is a literal, or the one that it is a part of, an argument?"""
    around = node.parent
    while around is not None and around.type in _LITERAL_PARTS:
        around = around.parent
    return around is None or around.type not in _DECLARING


def _names(pattern: ts.Node) -> list[ts.Node]:
    """The names that a pattern binds."""
    if pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
        return [pattern]
    out: list[ts.Node] = []
    for child in pattern.named_children:
        if pattern.type == "pair_pattern" and child == pattern.child_by_field_name("key"):
            continue
        if pattern.type in ("assignment_pattern", "object_assignment_pattern") and child == pattern.child_by_field_name(
            "right"
        ):
            continue
        out += _names(child)
    return out


def _leaves(body: ts.Node) -> bool:
    """Does a branch end by leaving?"""
    if body.type in ("statement_block", "switch_case"):
        return bool(body.named_children) and _leaves(body.named_children[-1])
    return body.type in ("return_statement", "throw_statement", "continue_statement", "break_statement")


def _declared_names(node: ts.Node) -> list[ts.Node]:
    """The names that a declaration binds."""
    if node.type in ("lexical_declaration", "variable_declaration"):
        names = [child.child_by_field_name("name") for child in node.named_children]
        return [leaf for name in names if name is not None for leaf in _names(name)]
    own = node.child_by_field_name("name")
    return [own] if own is not None else []


def _plain(text: str) -> str:
    """A block comment without its markers."""
    lines = text.removeprefix("/*").lstrip("*!").removesuffix("*/").rstrip("*").split("\n")
    return "\n".join(line.strip().removeprefix("*").strip() for line in lines).strip()


RULES = EcmaRules
