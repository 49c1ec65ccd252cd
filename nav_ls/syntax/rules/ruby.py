"""Ruby: what its tree means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

import tree_sitter as ts

from nav_ls.syntax.builder import Draft, fold
from nav_ls.syntax.facts import NONE, Flag, Import, Op, Param, Use
from nav_ls.syntax.rules.base import Rules
from nav_ls.text.comments import comment_above

_OPENED = ("class", "module")
_METHOD_KINDS = ("method", "function")
_MAX_ELEMENTS = 24
_ACCESSORS = {"attr_reader": "r", "attr_writer": "w", "attr_accessor": "rw", "attr": "r"}
_MIXINS = {"include": "mixin", "prepend": "prepends", "extend": "extends"}
_EACH = frozenset(
    {
        "each", "map", "flat_map", "collect", "select", "filter", "reject", "find", "detect", "find_all", "any?", "all?",
        "none?", "each_with_index", "sort_by", "min_by", "max_by", "sum", "group_by", "partition", "each_with_object",
        "filter_map", "count", "reverse_each", "delete_if", "keep_if", "take_while", "drop_while", "each_value", "index_by", "find_each",
    }
)  # fmt: skip
_SELF_BLOCKS = frozenset({"tap", "then", "yield_self", "instance_eval"})
_NOT_CALLS = frozenset(
    {
        "method", "singleton_method", "method_parameters", "block_parameters", "lambda_parameters", "optional_parameter",
        "keyword_parameter", "splat_parameter", "hash_splat_parameter", "block_parameter", "left_assignment_list",
        "exception_variable", "alias", "undef", "destructured_parameter", "rest_assignment",
    }
)  # fmt: skip
_TEST_PATH = re.compile(r"(^|/)(spec|tests?)/|_(spec|test)\.rb$|(^|/)test_\w+\.rb$")
_ASSIGNED = re.compile(
    rb"(?<![\w.@$:])([a-z_]\w*(?:\s*,\s*[a-z_]\w*)*)\s*(?:\|\|)?=(?![=~>])|(?:\{|\bdo)\s*\|([^|\n]*)\|"
)
_COMMENT = re.compile(r"^\s*#+ ?", re.M)

_ASSIGNMENTS = frozenset({"assignment", "operator_assignment"})


class RubyRules(Rules):
    """Handlers for the captures of `queries/ruby/facts.scm`."""

    like: ClassVar[Mapping[str, str]] = {
        "class_variable": "instance_variable",
        "heredoc_beginning": "string",
        "chained_string": "string",
        "subshell": "string",
        "delimited_symbol": "simple_symbol",
        "hash_key_symbol": "simple_symbol",
        "float": "integer",
        "false": "true",
        "begin": "parenthesized_statements",
        "then": "parenthesized_statements",
        "else": "parenthesized_statements",
        "body_statement": "parenthesized_statements",
        "case": "if",
        "unless": "if",
    }

    def begin(self, root: ts.Node) -> None:
        self._locals: dict[int, set[str]] = {}
        self._blocks: list[tuple[int, int]] = []  # those that may still be open, the innermost last
        self._seen: dict[tuple[int, str], list[tuple[int, int]]] = {}  # (scope, local) → where it is seen
        self._visibility: dict[int, str] = {}
        self._singleton: list[tuple[int, int]] = []
        self._known: set[int] = set()
        self._assigned: set[tuple[str, str]] = (
            set()
        )  # (class, variable) of an instance or a class that has a definition
        if _TEST_PATH.search(self.path):
            self.b.flags |= Flag.TEST

    # --- definitions

    def on_class(self, node: ts.Node) -> None:
        draft = self._container(node, "class")
        superclass = node.child_by_field_name("superclass")
        if draft is not None and superclass is not None and superclass.named_children:
            draft.bases.append(self.expr(superclass.named_children[0]))
            draft.base_kinds.append("inherits")

    def on_module(self, node: ts.Node) -> None:
        self._container(node, "module")

    def _container(self, node: ts.Node, kind: str) -> Draft | None:
        b = self.b
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return None
        parts = [p for p in b.of(name_node).split("::") if p]
        around = b.draft_at(node.start_byte)
        prefix = around.qual if around is not None and around.kind in ("class", "module") else ""
        container = ".".join(filter(None, [prefix, *parts[:-1]]))
        last = name_node.child_by_field_name("name") or name_node
        draft = b.define(parts[-1], kind, node, last, container=container)
        self._document(draft, node)
        draft.signature = fold(b.slice(node.start_byte, node.end_byte).split("\n", 1)[0])
        if len(parts) == 1:
            b.bind(parts[0], "def", b.scope_at(node.start_byte), node.start_byte, value=draft.index, name_node=last)
        superclass = node.child_by_field_name("superclass")
        begin = superclass.end_byte if superclass is not None else last.end_byte
        b.open_body(draft, begin, max(node.end_byte, begin + 1), "class")
        return draft

    def on_singleton_class(self, node: ts.Node) -> None:
        self._singleton.append((node.start_byte, node.end_byte))

    def on_method(self, node: ts.Node) -> None:
        inside = any(start <= node.start_byte < end for start, end in self._singleton)
        self._method(node, Flag.CLASSMETHOD if inside else 0)

    def on_singleton_method(self, node: ts.Node) -> None:
        self._method(node, Flag.CLASSMETHOD)

    def _method(self, node: ts.Node, flags: int) -> Draft | None:
        b = self.b
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return None
        around = b.draft_at(node.start_byte)
        owner = around if around is not None and around.kind in ("class", "module") else self._owner(node.start_byte)
        name = b.of(name_node)
        draft = b.define(name, "method" if owner is not None else "function", node, name_node, parent=owner)
        draft.flags |= flags | (Flag.CONSTRUCTOR if name == "initialize" else 0)
        draft.flags |= b.flags & Flag.TEST
        if owner is None and self._in_block(node):
            draft.flags |= Flag.STATIC  # `describe ... do def helper`: nobody else's
        self._document(draft, node)
        parameters = node.child_by_field_name("parameters")
        head_end = parameters.end_byte if parameters is not None else name_node.end_byte
        draft.signature = fold(b.slice(node.start_byte, head_end))
        draft.visibility = self._visibility.get(owner.index, "public") if owner is not None else "public"
        b.bind(name, "def", b.scope_at(node.start_byte), name_node.start_byte, value=draft.index, name_node=name_node)
        scope = b.open_body(draft, name_node.end_byte, max(node.end_byte, name_node.end_byte + 1))
        draft.header_end = head_end
        self._parameters(draft, parameters, scope)
        body = node.child_by_field_name("body")
        if body is not None:
            self._result(draft, body)
        return draft

    def _in_block(self, node: ts.Node) -> bool:
        above = node.parent
        while above is not None:
            if above.type in ("do_block", "block"):
                return True
            above = above.parent
        return False

    def _owner(self, position: int) -> Draft | None:
        return self.b.enclosing(position, ("class", "module"))

    def _result(self, draft: Draft, body: ts.Node) -> None:
        """The value of a body: its last expression."""
        last = body.named_children[-1] if body.type == "body_statement" and body.named_children else body
        if body.type == "body_statement" and not body.named_children:
            return
        for node in self._endings(last, 0):
            draft.returned.append(self.expr(node))

    def _endings(self, node: ts.Node, depth: int) -> list[ts.Node]:
        if depth > 4:
            return []
        if node.type in ("if", "unless", "case", "then", "else", "begin", "when", "elsif", "body_statement"):
            out: list[ts.Node] = []
            if node.type in ("then", "else", "begin", "body_statement"):
                return self._endings(node.named_children[-1], depth + 1) if node.named_children else []
            for child in node.named_children:
                if child.type in ("then", "else", "when", "elsif"):
                    out += self._endings(child, depth + 1)
            return out[:8]
        return [] if node.type in ("return", "while", "until", "comment", "rescue", "ensure") else [node]

    def _parameters(self, draft: Draft, node: ts.Node | None, scope: int) -> None:
        b = self.b
        names = self._locals.setdefault(draft.index, set())
        for m in _ASSIGNED.finditer(b.text, draft.body_start, draft.body_end):
            names.update(re.findall(r"[a-z_]\w*", (m[1] or m[2] or b"").decode("utf-8", "replace")))
        for child in node.named_children if node is not None else ():
            if child.type == "destructured_parameter":
                self._destructured(child, b.scopes[scope].start, (b.scopes[scope].start, b.scopes[scope].end))
            named = child if child.type == "identifier" else child.child_by_field_name("name")
            if named is None:
                continue
            default = child.child_by_field_name("value")
            star = {"splat_parameter": "*", "hash_splat_parameter": "**", "block_parameter": "&"}.get(child.type, "")
            text = b.of(named)
            names.add(text)
            draft.params.append(Param(text, NONE, self.expr(default), star))
            b.bind(text, "param", scope, b.scopes[scope].start, value=self.expr(default), name_node=named)
            self._seen[scope, text] = [(b.scopes[scope].start, b.scopes[scope].end)]

    def on_alias(self, node: ts.Node) -> None:
        names = [self.b.of(n) for n in node.named_children[:2]]
        if len(names) == 2:
            self._rename(names[0].lstrip(":"), names[1].lstrip(":"), node)

    def _rename(self, new: str, old: str, node: ts.Node) -> None:
        b = self.b
        scope = b.scope_at(node.start_byte)
        value = b.expr(Op.NAME, old, scope, node.start_byte)
        b.bind(new, "field", scope, node.start_byte, value=value)

    # --- assignments

    def on_assignment(self, node: ts.Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        if left.type == "constant" and self._made_class(left, right, node):
            return
        self._assign(left, self.expr(right), node)

    def on_operator_assignment(self, node: ts.Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            self._assign(left, self.expr(right), node)

    def _made_class(self, left: ts.Node, right: ts.Node, node: ts.Node) -> bool:
        """`Name = Class.new(Base) do`, `Struct.new(:a)`, `Module.new`."""
        b = self.b
        if right.type != "call":
            return False
        receiver, method = right.child_by_field_name("receiver"), right.child_by_field_name("method")
        maker = f"{b.of(receiver)}.{b.of(method)}" if receiver is not None and method is not None else ""
        if maker not in ("Class.new", "Module.new", "Struct.new", "Data.define"):
            return False
        around = self._owner(node.start_byte)
        kind = "module" if maker == "Module.new" else "class"
        draft = b.define(b.of(left), kind, node, left, parent=around)
        draft.signature = fold(b.slice(node.start_byte, node.end_byte).split("\n", 1)[0])
        b.bind(draft.name, "def", b.scope_at(node.start_byte), node.start_byte, value=draft.index, name_node=left)
        self._known.add(left.id)
        arguments = right.child_by_field_name("arguments")
        b.open_body(draft, left.end_byte, node.end_byte, "class")
        for child in arguments.named_children if arguments is not None else ():
            if child.type == "simple_symbol":
                self._accessor(draft, child, "rw")
            elif maker == "Class.new":
                draft.bases.append(self.expr(child))
                draft.base_kinds.append("inherits")
        return True

    def _assign(self, left: ts.Node, value: int, node: ts.Node) -> None:
        b = self.b
        if left.type == "identifier":
            self._local(left, value, node.end_byte)
        elif left.type in ("instance_variable", "class_variable"):
            owner = self._owner(node.start_byte)
            if owner is not None and owner.scope != NONE:
                b.bind(b.of(left), "field", owner.scope, node.start_byte, value=value, name_node=left)
                if (owner.qual, b.of(left)) not in self._assigned:
                    self._assigned.add((owner.qual, b.of(left)))
                    b.assigned_field(owner, left).visibility = "private"
        elif left.type == "constant":
            symbol = b.define(b.of(left), "constant", node, left, parent=self._owner(node.start_byte))
            symbol.signature = fold(b.of(node))[:200]
            b.bind(b.of(left), "local", b.scope_at(node.start_byte), node.start_byte, value=value, name_node=left)
        elif left.type == "left_assignment_list":
            for place, part in enumerate(left.named_children):
                if part.type in ("identifier", "instance_variable", "class_variable"):
                    self._assign(part, b.expr(Op.ITEM, value, place), node)
                elif part.type in ("destructured_left_assignment", "rest_assignment"):
                    for name in _identifiers(part):
                        self._local(name, NONE, node.end_byte)
        elif left.type == "call":
            method = left.child_by_field_name("method")
            if method is not None:
                expr = b.expr(Op.ATTR, self.expr(left.child_by_field_name("receiver")), b.of(method) + "=")
                b.site(Use.CALL, b.of(method) + "=", expr, method.start_byte, method.end_byte, left.start_byte)

    def _local(self, name: ts.Node, value: int, pos: int, region: tuple[int, int] | None = None) -> None:
        """A local variable gets a value: one that is seen here, else a new one, of `region` or of the block around."""
        b = self.b
        text, at, scope = b.of(name), name.start_byte, b.scope_at(name.start_byte)
        draft = b.enclosing(at, _METHOD_KINDS)
        self._locals.setdefault(draft.index if draft is not None else NONE, set()).add(text)
        while self._blocks and self._blocks[-1][1] <= at:
            self._blocks.pop()
        kind, seen = "local", self._seen.setdefault((scope, text), [])
        if region is not None or not any(start <= at < end for start, end in seen):
            body = b.scopes[scope]
            inside = self._blocks and self._blocks[-1][0] >= body.start
            region = region or (self._blocks[-1] if inside else None)
            kind = "local" if region is None else "block"
            seen.append(region or (body.start, body.end))
        b.bind(text, kind, scope, pos, region=region, value=value, name_node=name)

    def on_pattern(self, node: ts.Node) -> None:
        """The names that `in` and `=>` take out of a value."""
        pattern = node.child_by_field_name("pattern")
        todo = [pattern] if pattern is not None else []
        while todo:
            current = todo.pop()
            key = current.child_by_field_name("key") if current.type == "keyword_pattern" else None
            if current.type == "identifier" or (key is not None and current.child_by_field_name("value") is None):
                self._local(key or current, NONE, node.start_byte)
            elif current.type not in ("variable_reference_pattern", "expression_reference_pattern"):
                todo += reversed([c for c in current.named_children if c != key])

    def on_for(self, node: ts.Node) -> None:
        pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        if pattern is not None and value is not None:
            inner = value.named_children[0] if value.type == "in" and value.named_children else value
            self._assign(pattern, self.b.expr(Op.ELEMENT, self.expr(inner)), node)

    def on_rescue(self, node: ts.Node) -> None:
        kinds, variable = node.child_by_field_name("exceptions"), node.child_by_field_name("variable")
        if kinds is None or variable is None or not variable.named_children:
            return
        made = [self.b.expr(Op.NEW, self.expr(k)) for k in kinds.named_children]
        self._assign(variable.named_children[0], self.b.expr(Op.UNION, *made), node)

    def on_block(self, node: ts.Node) -> None:
        b = self.b
        parameters = node.child_by_field_name("parameters")
        call = node.parent
        value = NONE
        if call is not None and call.type == "call":
            receiver, method = call.child_by_field_name("receiver"), call.child_by_field_name("method")
            name = b.of(method) if method is not None else ""
            if receiver is not None and name in _EACH:
                value = b.expr(Op.ELEMENT, self.expr(receiver))
            elif receiver is not None and name in _SELF_BLOCKS:
                value = self.expr(receiver)
        listed = parameters.named_children if parameters is not None else []
        local = parameters.children_by_field_name("locals") if parameters is not None else []
        names = [c for c in listed if c.type == "identifier" and c not in local]
        region = (node.start_byte, node.end_byte)
        self._blocks.append(region)
        for child in listed:
            if child not in names:
                self._destructured(child, node.start_byte, region)
        for place, name_node in enumerate(names):
            given = value if len(names) == 1 or place == 0 else NONE
            if len(names) > 1 and value != NONE and b.exprs[value][0] == Op.ELEMENT:
                pair = b.expr(Op.ITEM, value, place)
                given = b.expr(Op.UNION, pair, value) if place == 0 else pair
            self._local(name_node, given, node.start_byte, region)

    def _destructured(self, parameter: ts.Node, pos: int, region: tuple[int, int]) -> None:
        """Bind the names of a parameter of a block that is more than a name."""
        named = parameter.child_by_field_name("name")
        for name in [named] if named is not None else _identifiers(parameter):
            self._local(name, self.expr(parameter.child_by_field_name("value")), pos, region)

    def on_return(self, node: ts.Node) -> None:
        draft = self.b.enclosing(node.start_byte, _METHOD_KINDS)
        if draft is not None and node.named_children and len(draft.returned) < 12:
            arguments = node.named_children[0]
            if len(arguments.named_children) == 1:
                draft.returned.append(self.expr(arguments.named_children[0]))

    # --- calls

    def on_call(self, node: ts.Node) -> None:
        b = self.b
        method = node.child_by_field_name("method")
        if method is None:
            if node.child_by_field_name("receiver") is not None:  # `block.(x)`
                return
            return
        name = b.of(method)
        receiver = node.child_by_field_name("receiver")
        arguments = node.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None else []
        if receiver is None and self._declares(name, given, node):
            return
        if name in ("send", "public_send", "__send__", "method", "public_method") and given:
            first = given[0]
            if first.type in ("simple_symbol", "string"):
                self._named(node, receiver, first, Use.VALUE if "method" in name else Use.CALL)
        if receiver is None or name in ("helper_method", "rescue_from"):
            self._callbacks(name, given, node)
        for child in given:
            if (
                child.type == "block_argument"
                and child.named_children
                and child.named_children[0].type == "simple_symbol"
            ):
                self._symbol_to_proc(node, receiver, child.named_children[0])
        parent = node.parent
        if parent is not None and parent.type == "assignment" and parent.child_by_field_name("left") == node:
            return
        if method.type == "super":
            return
        b.site(
            Use.CALL,
            name,
            self._callee(node),
            method.start_byte,
            method.end_byte,
            node.start_byte,
            call=self.expr(node),
        )

    def _declares(self, name: str, given: list[ts.Node], node: ts.Node) -> bool:
        """Calls in a class body that declare something."""
        b = self.b
        if name in ("require", "require_relative", "load", "autoload"):
            text = next((c for c in given if c.type == "string"), None)
            if text is not None:
                module = b.of(text).strip("'\"")
                b.imports.append(Import(module, "*", "", 0, node.start_byte, node.end_byte, name))
            return True
        around = b.draft_at(node.start_byte)
        if around is None and name == "include" and node.parent is not None and node.parent.type == "program":
            self._include_everywhere(given)
            return True
        if around is None or around.kind not in ("class", "module"):
            return False
        if name in _ACCESSORS:
            for child in given:
                if child.type == "simple_symbol":
                    self._accessor(around, child, _ACCESSORS[name])
            return True
        if name in _MIXINS:
            for child in given:
                if child.type == "self":
                    around.flags |= Flag.STATIC
                else:
                    around.bases.append(self.expr(child))
                    around.base_kinds.append(_MIXINS[name])
            return True
        if name in ("private", "protected", "public", "module_function", "private_class_method", "private_constant"):
            self._visible(around, name, given)
            return True
        if name == "alias_method" and len(given) == 2:
            self._rename(b.of(given[0]).lstrip(":"), b.of(given[1]).lstrip(":"), node)
            return True
        if name == "define_method" and given and given[0].type == "simple_symbol":
            draft = b.define(b.of(given[0]).lstrip(":"), "method", node, given[0], parent=around)
            draft.name_start += 1
            draft.signature = fold(b.slice(node.start_byte, given[0].end_byte))
            scope = b.scope_at(node.start_byte)
            b.bind(draft.name, "def", scope, node.start_byte, value=draft.index)
            b.open_body(draft, given[0].end_byte, max(node.end_byte, given[0].end_byte + 1))
            return True
        return False

    def _include_everywhere(self, given: list[ts.Node]) -> None:
        """`include` in no class: the class of all objects has the module from then on."""
        names = [
            self.b.of(child).removeprefix("::") for child in given if child.type in ("constant", "scope_resolution")
        ]
        known = self.b.extra.get("included", "").split()
        self.b.extra["included"] = " ".join(dict.fromkeys([*known, *names]))

    def _visible(self, owner: Draft, word: str, given: list[ts.Node]) -> None:
        if not given:
            if word == "module_function":
                owner.flags |= Flag.STATIC
            else:
                self._visibility[owner.index] = word
            return
        if word == "module_function":
            owner.flags |= Flag.STATIC
            return
        names = {self.b.of(c).lstrip(":") for c in given if c.type == "simple_symbol"}
        for draft in self.b.symbols:
            if draft.parent == owner.index and draft.name in names and word in ("private", "protected", "public"):
                draft.visibility = word

    def _accessor(self, owner: Draft, symbol: ts.Node, mode: str) -> None:
        b = self.b
        name = b.of(symbol).lstrip(":")
        made = ([name] if "r" in mode else []) + ([name + "="] if "w" in mode else [])
        for text in made:
            draft = b.define(text, "method", symbol, symbol, parent=owner)
            draft.name_start += 1
            draft.flags |= Flag.MINOR | (Flag.SETTER if text.endswith("=") else Flag.GETTER)
            draft.signature = f"attr {text}"
            draft.visibility = self._visibility.get(owner.index, "public")
            if not text.endswith("=") and owner.scope != NONE:
                draft.scope = owner.scope
                draft.returned = [b.expr(Op.ATTR, b.expr(Op.THIS, owner.scope), "@" + text)]

    def _callbacks(self, name: str, given: list[ts.Node], node: ts.Node) -> None:
        """`before_action :check`: a method named by a symbol in a class body is used."""
        b = self.b
        around = b.draft_at(node.start_byte)
        if around is None or around.kind != "class" or around.scope == NONE:
            return
        for child in given[:8]:
            if child.type == "simple_symbol":
                text = b.of(child).lstrip(":")
                expr = b.expr(Op.ATTR, b.expr(Op.NEW, b.expr(Op.SYMBOL, around.index)), text)
                b.site(Use.VALUE, text, expr, child.start_byte + 1, child.end_byte, child.start_byte)

    def _named(self, node: ts.Node, receiver: ts.Node | None, symbol: ts.Node, kind: str) -> None:
        """`x.send(:name)`, `method(:name)`."""
        b = self.b
        text = b.of(symbol).strip(":'\"")
        base = self.expr(receiver) if receiver is not None else b.expr(Op.THIS, b.scope_at(node.start_byte))
        start = b.text.find(text.encode(), symbol.start_byte)
        expr = b.expr(Op.ATTR, base, text)
        b.site(kind, text, expr, start, start + len(text.encode()), node.start_byte)

    def _symbol_to_proc(self, node: ts.Node, receiver: ts.Node | None, symbol: ts.Node) -> None:
        if receiver is None:
            return
        b = self.b
        text = b.of(symbol).lstrip(":")
        method = node.child_by_field_name("method")
        given = self.expr(receiver)
        if method is None or b.of(method) not in _SELF_BLOCKS:
            given = b.expr(Op.ELEMENT, given)
        expr = b.expr(Op.ATTR, given, text)
        b.site(Use.CALL, text, expr, symbol.start_byte + 1, symbol.end_byte, node.start_byte)

    def on_super(self, node: ts.Node) -> None:
        b = self.b
        draft = b.enclosing(node.start_byte, _METHOD_KINDS)
        if draft is None:
            return
        expr = b.expr(Op.ATTR, b.expr(Op.SUPER, b.scope_at(node.start_byte)), draft.name)
        b.site(Use.CALL, draft.name, expr, node.start_byte, node.end_byte, node.start_byte)

    def on_identifier(self, node: ts.Node) -> None:
        """A bare word that is no local variable is a call without arguments."""
        b = self.b
        parent = node.parent
        if parent is None:
            return
        default = parent.type in ("optional_parameter", "keyword_parameter")
        if parent.type in _NOT_CALLS and not (default and parent.child_by_field_name("value") == node):
            return
        name = b.of(node)
        if parent.type == "call":
            if parent.child_by_field_name("method") == node:
                return
        elif parent.type in ("assignment", "operator_assignment") and parent.child_by_field_name("left") == node:
            return
        draft = b.enclosing(node.start_byte, _METHOD_KINDS)
        if name in self._locals.get(draft.index if draft is not None else NONE, ()):
            return
        around = b.draft_at(node.start_byte)
        if around is not None and around.kind in ("class", "module") and name in (
            "private", "protected", "public", "module_function",
        ):  # fmt: skip
            self._visible(around, name, [])
            return
        b.site(Use.CALL, name, self.expr_constant(node), node.start_byte, node.end_byte, node.start_byte)

    def on_constant(self, node: ts.Node) -> None:
        parent = node.parent
        if parent is None or node.id in self._known:
            return
        if parent.type in ("class", "module") and parent.child_by_field_name("name") == node:
            return
        if parent.type == "scope_resolution":
            grand = parent.parent
            named = parent.child_by_field_name("name") == node
            if named and grand is not None and grand.child_by_field_name("name") == parent and grand.type in _OPENED:
                return
            expr = self.expr(parent if named else node)
        elif parent.type == "assignment" and parent.child_by_field_name("left") == node:
            return
        else:
            expr = self.expr(node)
        self.b.site(Use.TYPE, self.b.of(node), expr, node.start_byte, node.end_byte, node.start_byte)

    def on_field(self, node: ts.Node) -> None:
        """A variable of an instance or a class."""
        parent = node.parent
        if parent is None:
            return
        listed = parent.type == "left_assignment_list"
        written = listed or (parent.type in _ASSIGNMENTS and parent.child_by_field_name("left") == node)
        kind = Use.WRITE if written else Use.READ
        self.b.site(kind, self.b.of(node), self.expr(node), node.start_byte, node.end_byte, node.start_byte)

    # --- expressions

    def expr_constant(self, node: ts.Node) -> int:
        b = self.b
        return b.expr(Op.NAME, b.of(node), b.scope_at(node.start_byte), node.start_byte)

    def expr_identifier(self, node: ts.Node) -> int:
        """A local variable, else what a call without arguments yields."""
        b = self.b
        draft = b.enclosing(node.start_byte, _METHOD_KINDS)
        name = self.expr_constant(node)
        local = b.of(node) in self._locals.get(draft.index if draft is not None else NONE, ())
        return name if local else b.expr(Op.CALL, name)

    def expr_instance_variable(self, node: ts.Node) -> int:
        b = self.b
        return b.expr(Op.ATTR, b.expr(Op.THIS, b.scope_at(node.start_byte)), b.of(node))

    def expr_self(self, node: ts.Node) -> int:
        return self.b.expr(Op.THIS, self.b.scope_at(node.start_byte))

    def expr_scope_resolution(self, node: ts.Node) -> int:
        b = self.b
        scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
        text = b.of(name) if name is not None else ""
        if scope is None:
            return b.expr(Op.NAME, "::" + text, 0, node.start_byte)
        return b.expr(Op.ATTR, self.expr(scope), text)

    def _callee(self, node: ts.Node) -> int:
        b = self.b
        receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
        name = b.of(method) if method is not None else "call"
        if receiver is None:
            if method is not None and method.type == "super":
                draft = b.enclosing(node.start_byte, _METHOD_KINDS)
                above = b.expr(Op.SUPER, b.scope_at(node.start_byte))
                return b.expr(Op.ATTR, above, draft.name if draft is not None else "")
            return b.expr(Op.NAME, name, b.scope_at(node.start_byte), node.start_byte)
        return b.expr(Op.ATTR, self.expr(receiver), name)

    def expr_call(self, node: ts.Node) -> int:
        b = self.b
        arguments = node.child_by_field_name("arguments")
        parts: list[int] = []
        for child in arguments.named_children[:_MAX_ELEMENTS] if arguments is not None else ():
            if child.type == "pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                parts.append(b.expr(Op.KEYWORD, b.of(key).strip(":") if key is not None else "", self.expr(value)))
            elif child.type not in ("block_argument", "comment"):
                parts.append(self.expr(child))
        return b.expr(Op.CALL, self._callee(node), *parts)

    def expr_element_reference(self, node: ts.Node) -> int:
        keys = node.named_children[1:4]
        return self.b.expr(Op.INDEX, self.expr(node.named_children[0]), *(self.expr(k) for k in keys))

    def expr_array(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "list", *(self.expr(c) for c in node.named_children[:_MAX_ELEMENTS]))

    def expr_hash(self, node: ts.Node) -> int:
        parts: list[int] = []
        for pair in node.named_children[:_MAX_ELEMENTS]:
            if pair.type == "pair":
                parts += [self.expr(pair.child_by_field_name("key")), self.expr(pair.child_by_field_name("value"))]
        return self.b.expr(Op.LITERAL, "dict", *parts)

    def expr_string(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "str")

    def expr_simple_symbol(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "symbol")

    def expr_integer(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "int")

    def expr_true(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "bool")

    def expr_nil(self, node: ts.Node) -> int:
        return self.b.expr(Op.UNION)

    def expr_regex(self, node: ts.Node) -> int:
        return self.b.expr(Op.LITERAL, "regex")

    def expr_parenthesized_statements(self, node: ts.Node) -> int:
        return self.expr(node.named_children[-1]) if node.named_children else self.b.expr(Op.TEXT, "")

    def expr_assignment(self, node: ts.Node) -> int:
        return self.expr(node.child_by_field_name("right"))

    def expr_operator_assignment(self, node: ts.Node) -> int:
        return self.b.expr(
            Op.UNION, self.expr(node.child_by_field_name("left")), self.expr(node.child_by_field_name("right"))
        )

    def expr_conditional(self, node: ts.Node) -> int:
        parts = [self.expr(node.child_by_field_name(f)) for f in ("consequence", "alternative")]
        return self.b.expr(Op.UNION, *(p for p in parts if p != NONE))

    def expr_if(self, node: ts.Node) -> int:
        return self.b.expr(Op.UNION, *(self.expr(n) for n in self._endings(node, 0)))

    def expr_binary(self, node: ts.Node) -> int:
        left, right, sign = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
        if sign is not None and sign.type in ("||", "or"):
            return self.b.expr(Op.UNION, self.expr(left), self.expr(right))
        if sign is not None and sign.type in ("&&", "and"):
            return self.expr(right)
        return self.b.expr(Op.BINARY, sign.type if sign is not None else "", self.expr(left), self.expr(right))

    def expr_lambda(self, node: ts.Node) -> int:
        body = node.child_by_field_name("body")
        inner = body.child_by_field_name("body") if body is not None else None
        result = self.expr(inner.named_children[-1]) if inner is not None and inner.named_children else NONE
        return self.b.expr(Op.LAMBDA, self.b.scope_at(node.start_byte), result)

    # --- comments

    def _document(self, draft: Draft, node: ts.Node) -> None:
        """The comment that stands directly above a definition belongs to it, and so does a `private` in front."""
        around = node.parent.parent if node.parent is not None and node.parent.type == "argument_list" else None
        first = around if around is not None and around.type == "call" else node
        begin = comment_above(self.b.text, first.start_byte, b"#", block=False)
        draft.doc = _COMMENT.sub("", self.b.slice(begin, first.start_byte)).strip()
        draft.start = begin


RULES = RubyRules


def _identifiers(node: ts.Node) -> list[ts.Node]:
    """The names below a node that is taken apart, in their order."""
    if node.type == "identifier":
        return [node]
    return [name for child in node.named_children for name in _identifiers(child)]
