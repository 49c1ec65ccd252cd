"""What expressions stand for: demand-driven, pure in the facts that it looks up.

Every look-up in another file costs a key.  Results that did not depend on where a cycle was cut are cached with the keys
that they cost, so that a cached answer leaves the same keys as a fresh one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from typing import Any, NamedTuple, TypeVar, cast

from nav_ls.graph.model import SymbolRef
from nav_ls.graph.project import Project, key_of
from nav_ls.graph.rules import rules_for
from nav_ls.graph.rules.base import Rules
from nav_ls.graph.values import (
    UNKNOWN,
    ClassOf,
    Closure,
    Foreign,
    Function,
    Instance,
    Module,
    Package,
    Record,
    TypeVariable,
    Value,
    Values,
    merge,
)
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, TYPE_KINDS, VALUE_KINDS, Binding, Flag, Op, Symbol

T = TypeVar("T")
_DEEPEST = 60  # queries inside queries: beyond this, "unknown" is the honest answer
_LONGEST_TRAIL = 8  # names and calls that are followed to the literal that a container was written as
_NEVER = NO_LIMIT = 1 << 30
_MOST_SHARED = 100_000  # answers that are kept between files
_STRICT = frozenset({"block", "narrow"})
_NO_IMPORTS = frozenset({"param", "def"})  # what is bound by anything else may come from another file


class Ancestry(NamedTuple):
    """A class and all that it inherits from, in look-up order.

    `open` = some base is not known, so a missing member proves nothing.
    """

    entries: tuple[tuple[SymbolRef, tuple[Values, ...]], ...]
    foreign: tuple[str, ...] = ()
    open: bool = False


class Member(NamedTuple):
    """A member found in a class: a symbol, or the bindings of a field, with the type arguments that hold there.

    `home`: the file that `symbols` and `bindings` are in, where that isn't the owner's (methods written elsewhere).
    """

    owner: SymbolRef
    args: tuple[Values, ...]
    symbols: tuple[int, ...] = ()
    bindings: tuple[Binding, ...] = ()
    home: str = ""

    @property
    def path(self) -> str:
        """The file that the member is in."""
        return self.home or self.owner[0]


class Cost:
    """What an answer cost: keys, and the costs of the answers that went into it.

    Those are not copied: many answers stand on one that cost hundreds of keys (the ancestry of a class).
    """

    __slots__ = ("keys", "others")

    def __init__(self, parts: Set[str | Cost]):
        self.keys = {part for part in parts if isinstance(part, str)}
        self.others = [part for part in parts if not isinstance(part, str)]


Env = dict[tuple[SymbolRef, str], Values]
_Answer = tuple[Any, str | Cost | None, int, bool]


class Inference:
    """Evaluates expressions of a project's files.  `start(path)` begins the session of one file."""

    def __init__(self, project: Project):
        self.project = project
        self._cost: set[str | Cost] = set()
        self._current = ""
        self._left = NO_LIMIT
        # Question → answer, what it cost, the outermost question that it waits for, does it hold in this session only?
        self._shared: dict[object, _Answer] = {}
        self._session: dict[object, _Answer] = {}
        self._looked_up: dict[tuple[int, str, int], list[Binding] | None] = {}  # in the file of this session
        self._stack: dict[object, int] = {}
        self._provisional: list[object] = []
        self._cut = _NEVER
        self._local = False

    def start(self, path: str) -> None:
        """A new session: what one file looks up from here on."""
        if len(self._shared) > _MOST_SHARED:
            self._shared.clear()
        self._cost = set()
        self._current = path
        self._session = {}
        self._looked_up = {}
        self._stack = {}
        self._provisional = []
        self._cut = _NEVER
        self._local = False
        self._left = NO_LIMIT

    def allow(self, lookups: int) -> None:
        """So many look-ups may be noted from here on."""
        self._left = lookups

    def forget(self) -> None:
        """Files changed: cached answers may be wrong."""
        self._shared.clear()

    # --- looking things up in other files

    def view(self, path: str) -> View | None:
        """A file's view."""
        return self.project.view(path)

    def note(self, path: str, qual: str) -> None:
        """Remember that `qual` was looked up in `path`.

        In the file of this session that costs nothing, but the answer holds here alone: for another file it would lack
        the key.  Raises RecursionError where that is one more than allowed: compiled code has no other end of a circle.
        """
        self._left -= 1
        if self._left < 0:
            raise RecursionError(qual)
        if path != self._current:
            self._cost.add(key_of(path, qual))
        else:
            self._local = True

    def note_key(self, key: str) -> None:
        """Remember any other key.  Raises as `note` does."""
        self._left -= 1
        if self._left < 0:
            raise RecursionError(key)
        self._cost.add(key)

    def all_keys(self) -> set[str]:
        """All that was remembered since the session began."""
        found: set[str] = set()
        seen: set[Cost] = set()
        todo = [Cost(self._cost)]
        while todo:
            cost = todo.pop()
            if cost not in seen:
                seen.add(cost)
                found |= cost.keys
                todo += cost.others
        return found

    def rules(self, view: View) -> Rules:
        """The rules of a file's language."""
        return rules_for(view.language)

    def rules_of(self, value: Instance | Foreign) -> Rules:
        """The rules of the language that a value's class is written in."""
        view = self.view(value.ref[0]) if isinstance(value, Instance) else None
        return self.rules(view or self.view(self._current))  # type: ignore[arg-type]

    def symbol(self, ref: SymbolRef) -> tuple[View, Symbol, int] | None:
        """A symbol with its view and index."""
        view = self.view(ref[0])
        if view is None:
            return None
        index = view.index_of.get(ref[1])
        if index is None:
            return None
        symbol = view.symbols[index]
        self.note(ref[0], symbol.qual)
        return view, symbol, index

    def query(self, key: tuple[object, ...], path: str, compute: Callable[[], T], unknown: T) -> T:
        """A cached question.  `path`: the file it is about; `unknown`: the answer inside of a cycle.

        What was answered inside of a cycle is forgotten once the question that closes the cycle has its answer:
        asked again it will know more.
        """
        own = path == self._current
        if own:
            self._local = True  # as in `note`
        known = self._session.get(key) if own else self._shared.get(key) or self._session.get(key)
        if known is not None:
            result, cost, cut, local = known
            if cost is not None:
                self._cost.add(cost)
            if cut < self._cut:
                self._cut = cut
            if local:
                self._local = True
            return cast(T, result)
        depth = len(self._stack)
        if key in self._stack:
            self._cut = min(self._cut, self._stack[key])
            return unknown
        if depth >= _DEEPEST:
            self._cut = 0
            return unknown
        outer_cost, outer_cut, outer_local, begun = self._cost, self._cut, self._local, len(self._provisional)
        self._cost, self._cut, self._local = set(), _NEVER, False
        self._stack[key] = depth
        try:
            result = compute()
        finally:
            del self._stack[key]
            mine, cut, local = _as_one(self._cost), self._cut, self._local
            self._cost, self._cut = outer_cost, outer_cut
            if mine is not None:
                outer_cost.add(mine)
            if cut < depth and cut < outer_cut:
                self._cut = cut
            self._local = outer_local or local
        if cut < depth:
            self._session[key] = (result, mine, cut, local)
            self._provisional.append(key)
            return result
        if cut == depth:
            for inner in self._provisional[begun:]:
                self._session.pop(inner, None)
            del self._provisional[begun:]
        if own or local:
            self._session[key] = (result, mine, _NEVER, local)
        else:
            self._shared[key] = (result, mine, _NEVER, False)
        return result

    # --- expressions

    def eval(self, view: View, index: int) -> Values:
        """What an expression can stand for."""
        if index == NONE:
            return UNKNOWN
        e = view.exprs[index]
        op = e[0]
        if op == Op.NAME:
            return self.name(view, e[2], e[1], e[3])
        if op == Op.ATTR:
            return self.attr(view, self.eval(view, e[1]), e[2])
        if op == Op.CALL:
            return self.query(("e", view.path, index), view.path, lambda: self._call(view, e), UNKNOWN)
        return self._eval_other(view, e, op, index)

    def _eval_other(self, view: View, e: tuple[Any, ...], op: int, index: int) -> Values:
        rules = self.rules(view)
        if op == Op.LITERAL:
            return self._literal(view, rules, e)
        if op == Op.CONST:
            return rules.literal(e[1], ())
        if op == Op.THIS:
            return self.this(view, e[1])
        if op == Op.SUPER:
            return self.super_of(view, e)
        if op == Op.NEW:
            return self._new(view, e)
        if op == Op.INDEX:
            return self._index(view, rules, e)
        if op == Op.AWAIT:
            return rules.awaited(self, self.eval(view, e[1]))
        if op == Op.UNION:
            return merge(*(self.eval(view, i) for i in e[1:]))
        if op in (Op.POINTER, Op.SPREAD, Op.YIELD):
            return self.eval(view, e[1])
        if op == Op.DEREF:
            return rules.dereferenced(self, view, e[1], e[2])
        if op == Op.CAST:
            return self.type_of(view, e[1])
        if op == Op.ELEMENT:
            return rules.element(self, self.eval(view, e[1]))
        if op == Op.ITEM:
            return rules.item(self, self.eval(view, e[1]), e[2])
        if op == Op.ENTER:
            return rules.entered(self, self.eval(view, e[1]))
        if op == Op.LAMBDA:
            return (Closure(view.path, e[2], index),)
        if op == Op.SYMBOL:
            return self.symbol_value(view, e[1])
        if op == Op.FUNCTION:
            return (Foreign("function", tuple(self.type_of(view, i) for i in e[1:])),)
        if op == Op.KEYWORD:
            return self.eval(view, e[2])
        if op == Op.BINARY:
            return self.binary(view, rules, e)
        if op == Op.ARGUMENT:
            return rules.argument(self, view, e[1], e[2])
        if op == Op.PARAMETER:
            return rules.function_part(self, self.eval(view, e[1]), e[2])
        if op == Op.NARROWED:
            return rules.narrowed(self, view, self.eval(view, e[1]), e[2], e[3])
        return rules.evaluate(self, view, e, index)

    def _literal(self, view: View, rules: Rules, e: tuple[Any, ...]) -> Values:
        name: str = e[1]
        if name.endswith("[]"):  # a container of declared types
            return rules.literal(name[:-2], tuple(self.type_of(view, i) for i in e[2:]))
        parts = tuple(self.eval(view, i) for i in e[2:])
        if name == "dict":
            return rules.literal(name, (merge(*parts[0::2]), merge(*parts[1::2])) if parts else ())
        if name == "tuple" or name.startswith("tuple:"):
            return rules.literal(name, parts)
        return rules.literal(name, (merge(*parts),) if parts else ())

    def type_of(self, view: View, index: int) -> Values:
        """What a value is whose declared type is this expression."""
        if index == NONE:
            return UNKNOWN
        e = view.exprs[index]
        if e[0] == Op.UNION:
            return merge(*(self.type_of(view, i) for i in e[1:]))
        if e[0] == Op.POINTER:
            return self.type_of(view, e[1])
        if e[0] == Op.TYPEOF:
            return self.eval(view, e[1])
        return self.rules(view).as_type(self, self.eval(view, index))

    def _new(self, view: View, e: tuple[Any, ...]) -> Values:
        out: list[Value] = []
        for value in self.eval(view, e[1]):
            if isinstance(value, ClassOf):
                out.extend(self.rules(view).constructed(self, view, value, e[2:]))
            else:
                out.extend(self.rules(view).other_new(self, view, value, e[2:]))
        return tuple(dict.fromkeys(out))

    def _index(self, view: View, rules: Rules, e: tuple[Any, ...]) -> Values:
        known = self._known_item(view, e)
        if known is not None:
            return known
        out: list[Values] = []
        owners = self.eval(view, e[1])
        if len(owners) > 1 and rules.own_names and any(isinstance(v, Function) for v in owners):
            args = tuple(self.type_of(view, i) for i in e[2:])  # overloads, maybe more than a union may have
            return tuple(v._replace(args=args) if isinstance(v, Function) else v for v in owners)
        for value in owners:
            if isinstance(value, ClassOf) and rules.index_applies:
                out.append((ClassOf(value.ref, tuple(self.type_of(view, i) for i in e[2:])),))
            elif isinstance(value, Foreign):
                out.append(rules.generic_or_item(self, view, value, e[2:]))
            elif isinstance(value, Function) and rules.index_applies:
                out.append((value._replace(args=tuple(self.type_of(view, i) for i in e[2:])),))
            else:
                out.append(rules.indexed(self, view, value, e[2:]))
        return merge(*out) if out else UNKNOWN

    def _known_item(self, view: View, e: tuple[Any, ...]) -> Values | None:
        """`name[constant]` where the container is written out in this file; None where it isn't."""
        wanted = self._constant(view, e[2]) if len(e) == 3 else None
        if wanted is None:
            return None
        stored = self._stored(view, e[1], wanted)
        if stored:
            return stored
        written = self._written(view, e[1])
        found = _literal_item(view, view.exprs[written], wanted) if written is not None else None
        return self.eval(view, found) if found is not None else None

    def _constant(self, view: View, index: int) -> tuple[Any, ...] | None:
        """The CONST that an expression is, through a name that is bound once, here or in the module that it comes from."""
        e = view.exprs[index] if index != NONE else (Op.TEXT,)
        if e[0] != Op.NAME:
            return e if e[0] == Op.CONST else None
        found = self.lookup(view, e[2], e[1], e[3]) or []
        if len(found) == 1 and found[0].kind == "import":
            imp = view.facts.imports[found[0].value]
            modules = [path for path, _ in self.rules(view).import_targets(self, view, imp) if path]
            home = self.view(modules[0]) if len(modules) == 1 and imp.name else None
            if home is None:
                return None
            self.note(home.path, imp.name)
            view, found = home, home.named(0, imp.name)
        if len(found) != 1 or found[0].kind not in ("local", "field") or found[0].value == NONE:
            return None
        written = view.exprs[found[0].value]
        return written if written[0] == Op.CONST else None

    def _written(self, view: View, index: int, depth: int = 0) -> int | None:
        """The literal that an expression is, through names bound once, constant keys and functions that return it."""
        e = view.exprs[index] if index != NONE and depth < _LONGEST_TRAIL else (Op.TEXT,)
        if e[0] == Op.NAME:
            found = [b for b in self.lookup(view, e[2], e[1], e[3]) or () if b.kind in ("local", "field")]
            return self._written(view, found[0].value, depth + 1) if len(found) == 1 else None
        if e[0] == Op.INDEX and len(e) == 3 and e[2] != NONE and view.exprs[e[2]][0] == Op.CONST:
            outer = self._written(view, e[1], depth + 1)
            inner = _literal_item(view, view.exprs[outer], view.exprs[e[2]]) if outer is not None else None
            return self._written(view, inner, depth + 1) if inner is not None else None
        if e[0] == Op.CALL and len(e) == 2:
            made = [v.ref for v in self.eval(view, e[1]) if isinstance(v, Function)]
            here = view.symbol(made[0][1]) if len(made) == 1 and made[0][0] == view.path else None
            return self._written(view, here.returned[0], depth + 1) if here and len(here.returned) == 1 else None
        return index if e[0] == Op.LITERAL else None

    def _stored(self, view: View, index: int, wanted: tuple[Any, ...]) -> Values:
        """What `name[constant] = ...` last stored under that constant."""
        holder = _holder(view, index)
        if holder is None:
            return UNKNOWN
        name, scope, pos = holder
        bound = self.lookup(view, scope, name.partition("[")[0], pos) or []
        if bound and bound[0].scope != scope:  # by then everything around is done
            scope, pos = bound[0].scope, _NEVER
        items = [b for b in view.table.get((scope, name), ()) if b.kind == "item" and b.pos <= pos and b.type != NONE]
        for b in reversed(items):
            if view.exprs[b.type] == wanted:
                return self.eval(view, b.value)
        return UNKNOWN

    def binary(self, view: View, rules: Rules, e: tuple[Any, ...]) -> Values:
        """`left op right`: the operator's member where there is one, else the left side where it is foreign."""
        known = rules.binary(self, view, e)
        if known is not None:
            return known
        out: list[Values] = []
        member = rules.operator_member(e[1])
        for value in self.eval(view, e[2]):
            if isinstance(value, Instance) and member:
                out.append(self.call_member(view, value, member))
            elif isinstance(value, Foreign):
                out.append((value,))
        return merge(*out) if out else UNKNOWN

    def call_member(self, view: View, value: Value, name: str) -> Values:
        """What calling `value.name(...)` yields."""
        return merge(*(self.result(view, v, ()) for v in self.attr(view, (value,), name))) if name else UNKNOWN

    def iterated(self, value: Instance, compute: Callable[[Inference, Instance], Values]) -> Values:
        """What iterating over an instance yields, as its language computes it; nothing where that is a circle."""
        return self.query(("i", value), value.ref[0], lambda: compute(self, value), UNKNOWN)

    # --- names

    def name(self, view: View, scope: int, name: str, pos: int) -> Values:
        """What a bare name stands for at a place."""
        rules = self.rules(view)
        if rules.resolves_names:
            return rules.resolve_name(self, view, scope, name, pos)
        found = self.lookup(view, scope, name, pos)
        if found is None:
            return self.rules(view).free_name(self, view, name, scope, pos)
        if len(found) == 1:
            return self.binding(view, found[0])
        return merge(*(self.binding(view, b) for b in found))

    def lookup(self, view: View, scope: int, name: str, pos: int) -> list[Binding] | None:
        """The bindings that a name can mean at a place; None where no scope of the file binds it."""
        if view.path != self._current:
            return self._look_up(view, scope, name, pos)
        self._local = True  # as in `note`
        place = (scope, name, pos)
        if place not in self._looked_up:
            self._looked_up[place] = self._look_up(view, scope, name, pos)
        return self._looked_up[place]

    def binders(self, view: View, scope: int, name: str, pos: int) -> list[Binding]:
        """All bindings of the variable that a name means at a place, whichever of them was the last before it."""
        return self._look_up(view, scope, name, pos, flow=False) or []

    def _look_up(self, view: View, scope: int, name: str, pos: int, *, flow: bool = True) -> list[Binding] | None:
        elsewhere = view.path != self._current
        if not elsewhere and name not in view.names:
            return None
        rules = self.rules(view)
        current, inner, own = scope, True, True
        while current != NONE:
            info = view.scopes[current]
            if elsewhere and (prefix := view.prefixes[current]) is not None:
                self._cost.add(key_of(view.path, prefix + name.lstrip(":")))
            group = view.table.get((current, name))
            if group is not None and (
                inner or info.kind != "class" or rules.class_scopes_nest or (own and _is_class_body(view, scope))
            ):
                first = group[0]
                if first.kind == "global":
                    return self._look_up(view, 0, name, pos, flow=flow) if current != 0 else None
                if info.kind == "class" and not rules.class_scopes_nest:
                    # A body reads what is bound so far, else what the scopes around it hold (`x = x`).
                    group = [b for b in group if b.kind != "field" and b.pos <= pos]
                if group and first.kind != "nonlocal":
                    chosen = choose(group, pos, flow and inner and rules.flow_sensitive)
                    if chosen:
                        return chosen
            if info.kind not in ("block", "comprehension"):
                inner = False
                own = own and info.kind == "class"
            current = info.parent
        return None

    def binding(self, view: View, b: Binding) -> Values:
        """What one binding gives its name."""
        if b.kind == "def":
            return self.symbol_value(view, b.value)
        key = ("b", view.path, b.scope, b.name, b.pos, b.kind, b.value)
        return self.query(key, view.path, lambda: self._binding(view, b), UNKNOWN)

    def _binding(self, view: View, b: Binding) -> Values:
        rules = self.rules(view)
        if b.kind == "item":
            return UNKNOWN
        if b.kind == "import":
            return rules.imported(self, view, view.facts.imports[b.value])
        if b.kind == "typeparam":
            owner = view.scopes[b.scope].owner
            return rules.type_variable(self, view, owner, b.name) if owner != NONE else UNKNOWN
        declared = self.type_of(view, b.type)
        if b.kind == "narrow":
            return declared if b.value == NONE else self.eval(view, b.value)
        if declared and (rules.declared_wins or b.kind in ("field", "param") or view.scopes[b.scope].kind == "class"):
            return declared
        if b.type != NONE and rules.own_names:
            return UNKNOWN
        assigned = self.eval(view, b.value)
        if declared:
            return assigned if assigned and all(isinstance(v, Instance) for v in assigned) else declared
        if b.kind == "param":
            return (
                assigned
                if view.exprs[b.value][0] == Op.THIS
                else merge(assigned, self.arguments(view, b))
                if assigned
                else self.arguments(view, b)
            )
        items = [
            i
            for i in view.table.get((b.scope, b.name), ())
            if i.kind == "item" and (b.kind != "block" or b.start <= i.pos < b.end)
        ]
        return (
            rules.with_items(self, assigned, merge(*(self.eval(view, i.value) for i in items[:8])))
            if items
            else assigned
        )

    def arguments(self, view: View, b: Binding) -> Values:
        """What callers in the same file hand to a parameter without a declared type.

        Only while that very file is linked: seen from another file the parameter stays unknown, so that an edit
        of a call never has to relink files elsewhere.
        """
        owner = view.scopes[b.scope].owner
        if view.path != self._current or owner == NONE:
            return self.rules(view).parameter(self, view, b)
        self._local = True  # holds in this session only: must not reach the shared cache
        symbol = view.symbols[owner]
        names = [p.name for p in symbol.params if p.kind != "self"]
        if b.name not in names:
            return UNKNOWN
        place, ref = names.index(b.name), view.ref(owner)
        sites = view.maybe_calls_of(symbol.name)
        if symbol.flags & Flag.CONSTRUCTOR and symbol.parent != NONE:
            sites = view.calls_of(view.symbols[symbol.parent].name)
        given = [
            self._argument(view, site.call, place, b.name)
            for site in sites[:12]
            if self._calls(view, site.expr, ref, symbol)
        ]
        handed = merge(*(self.eval(view, g) for g in given if g != NONE)) if given else UNKNOWN
        return handed or self.rules(view).parameter(self, view, b)

    def _calls(self, view: View, callee: int, ref: SymbolRef, symbol: Symbol) -> bool:
        owner = view.ref(symbol.parent) if symbol.parent != NONE else None
        return any(
            (isinstance(v, Function) and v.ref == ref)
            or (isinstance(v, ClassOf) and symbol.flags & Flag.CONSTRUCTOR and v.ref == owner)
            for v in self.eval(view, callee)
        )

    def _argument(self, view: View, call: int, place: int, name: str) -> int:
        """The expression that a call hands to its `place`-th parameter, or to the one called `name`."""
        plain = []
        for part in view.exprs[call][2:]:
            e = view.exprs[part]
            if e[0] == Op.KEYWORD:
                if e[1] == name:
                    return int(e[2])
            else:
                plain.append(part)
        return (
            plain[place]
            if place < len(plain) and all(view.exprs[p][0] != Op.SPREAD for p in plain[: place + 1])
            else NONE
        )

    def symbol_value(self, view: View, index: int) -> Values:
        """What the name of a definition stands for."""
        symbol = view.symbols[index]
        if symbol.decorators:
            changed = self.rules(view).decorated(self, view, index)
            if changed is not None:
                return changed
        return self.plain_symbol(view, index)

    def plain_symbol(self, view: View, index: int) -> Values:
        """The definition itself, whatever decorates it."""
        symbol, ref = view.symbols[index], view.ref(index)
        if symbol.kind in TYPE_KINDS:
            return (ClassOf(ref),)
        if symbol.kind in CALLABLE_KINDS:
            return (Function(ref),)
        if symbol.kind in ("namespace", "module"):
            return self.rules(view).namespace_value(self, view, index)
        return self.rules(view).value_symbol(self, view, index)

    def top_level(self, path: str, name: str) -> Values:
        """A module-level name of a file, as its last binding leaves it; no star imports."""
        self.note(path, name)
        view = self.view(path)
        group = view.table.get((0, name)) if view is not None else None
        if view is None or not group:
            return UNKNOWN
        chosen = choose(group, len(view.facts.scopes) and view.scopes[0].end, True) or group
        return merge(*(self.binding(view, b) for b in chosen))

    def variables(self, view: View, bindings: Iterable[Binding]) -> tuple[SymbolRef, ...]:
        """The variables, constants and fields that bindings of a name define, those behind imports included."""
        found: list[SymbolRef] = []
        for b in bindings:
            if b.name_start in view.values_at:
                found.append(view.ref(view.values_at[b.name_start]))
            elif b.kind not in _NO_IMPORTS:
                found += self._imported_variables(view, b)
        return tuple(dict.fromkeys(found))

    def _imported_variables(self, view: View, b: Binding) -> tuple[SymbolRef, ...]:
        rules = self.rules(view)
        key = ("w", view.path, b.scope, b.name, b.pos)
        return self.query(key, view.path, lambda: rules.imported_variables(self, view, b), ())

    def module_variables(self, path: str, name: str) -> tuple[SymbolRef, ...]:
        """What `module.name` names, where it is no function or class but a variable."""
        view = self.view(path)
        if view is None:
            return ()
        rules = self.rules(view)
        return self.query(("v", path, name), path, lambda: rules.module_variables(self, path, name), ())

    def top_level_variables(self, path: str, name: str) -> tuple[SymbolRef, ...]:
        """The variables that a module-level name of a file stands for."""
        self.note(path, name)
        view = self.view(path)
        return self.variables(view, view.named(0, name)) if view is not None else ()

    def member_variables(self, ref: SymbolRef, name: str) -> tuple[SymbolRef, ...] | None:
        """The fields of a name that a class has or inherits; None where it has no such member.

        What is only assigned in a class (TypeScript: `this.size = n`) is declared by one of its ancestors.
        """
        member, _ = self.member(ref, name)
        if member is None:
            return None
        found: tuple[SymbolRef, ...] = ()
        while member is not None and not found:
            view = self.view(member.path)
            if view is not None:
                values = tuple(view.ref(i) for i in member.symbols if view.symbols[i].kind in VALUE_KINDS)
                found = values or self.variables(view, member.bindings)
            member = self.member(ref, name, member.owner)[0] if not member.symbols else None
        return found

    # --- receivers

    def this(self, view: View, scope: int) -> Values:
        """The receiver, seen from a scope: an instance, or the class in class methods."""
        rules = self.rules(view)
        found = rules.this(self, view, scope)
        if found is not None:
            return found
        receiver = self._receiver(view, view.enclosing_symbol(scope, CALLABLE_KINDS))
        if receiver is not None:
            return (receiver,)
        container = view.enclosing_symbol(scope, TYPE_KINDS)
        return (Instance(view.ref(container)),) if container != NONE else UNKNOWN

    def _receiver(self, view: View, owner: int) -> Instance | ClassOf | None:
        """The receiver of a function, or of the method that it is written in."""
        rules = self.rules(view)
        while owner != NONE:
            symbol = view.symbols[owner]
            if symbol.kind in CALLABLE_KINDS:
                parent = rules.receiver_of(self, view, owner)
                if parent is not None:
                    of_class = symbol.flags & (Flag.CLASSMETHOD | Flag.STATIC)
                    return ClassOf(parent.ref, parent.args) if of_class else parent
            owner = symbol.parent
        return None

    def super_of(self, view: View, e: tuple[Any, ...]) -> Values:
        """What `super` stands for: the receiver's ancestors after a class (the enclosing one, if none is named)."""
        after: Values = self.eval(view, e[2]) if len(e) > 2 and e[2] != NONE else ()
        return tuple(
            Foreign("super", ((value,), after))
            for value in self.this(view, e[1])
            if isinstance(value, (Instance, ClassOf))
        )

    # --- classes

    def ancestry(self, ref: SymbolRef) -> Ancestry:
        """A class and its ancestors in look-up order."""
        return self.query(("m", ref), ref[0], lambda: self._ancestry(ref), Ancestry(((ref, ()),), (), True))

    def _ancestry(self, ref: SymbolRef) -> Ancestry:
        found = self.symbol(ref)
        if found is None:
            return Ancestry((), (), True)
        view, symbol, _ = found
        rules = self.rules(view)
        own = tuple((TypeVariable(p.name, ref),) for p in symbol.type_params)
        bases = rules.bases(self, view, symbol, ref)
        ordered = rules.ancestry_order(self, ref, bases)
        if ordered is not None:
            return ordered
        entries: dict[SymbolRef, tuple[Values, ...]] = {ref: own}
        foreign: list[str] = []
        unknown = False
        for values, _kind in bases:
            if not values:
                unknown = True
            for value in values:
                if isinstance(value, (ClassOf, Instance)):
                    above = self.ancestry(value.ref)
                    env = self.env_of(value.ref, value.args)
                    for other, args in above.entries:
                        entries.setdefault(other, tuple(self.substitute(a, env) for a in args))
                    foreign += above.foreign
                    unknown |= above.open
                elif isinstance(value, Foreign):
                    foreign.append(value.name)
                else:
                    unknown = True
        return Ancestry(tuple(entries.items()), tuple(dict.fromkeys(foreign)), unknown)

    def env_of(self, ref: SymbolRef, args: tuple[Values, ...]) -> Env:
        """What a class's type parameters stand for, given arguments."""
        if not args:
            return {}
        found = self.symbol(ref)
        if found is None:
            return {}
        rules = self.rules(found[0])
        names = rules.type_param_names(self, found[0], found[1], ref)
        if rules.own_names:  # a wildcard leaves the parameter open: its bound holds
            return {name: arg for name, arg in zip(names, args, strict=False) if arg}
        return dict(zip(names, args, strict=False))

    def substitute(self, values: Values, env: Env, depth: int = 0) -> Values:
        """Fill in type parameters."""
        if not env or depth > 4:
            return values
        out: list[Values] = []
        for value in values:
            if isinstance(value, TypeVariable):
                out.append(env.get((value.owner, value.name), (value,)))
            elif isinstance(value, (Instance, ClassOf, Foreign)) and value.args:
                args = tuple(self.substitute(a, env, depth + 1) for a in value.args)
                out.append((value._replace(args=args),))
            elif isinstance(value, Record) and value.open:
                filled = {key: self.substitute(v, env, depth + 1) for key, v in value.env}
                out.append((value._replace(env=tuple(sorted({**env, **filled}.items(), key=_env_key))),))
            else:
                out.append((value,))
        return merge(*out) if out else UNKNOWN

    def super_start(self, value: Foreign) -> SymbolRef:
        """The class after which a `super` look-up begins."""
        named = [v.ref for v in value.args[1] if isinstance(v, ClassOf)] if len(value.args) > 1 else []
        own = value.args[0][0]
        return named[0] if named else own.ref if isinstance(own, (Instance, ClassOf)) else ("", "")

    def member(self, ref: SymbolRef, name: str, after: SymbolRef | None = None) -> tuple[Member | None, Ancestry]:
        """The member that a look-up in a class finds first, with the ancestry that was searched.

        `after`: begin behind that ancestor (`super`).
        """
        line = self.ancestry(ref)
        entries = line.entries
        if after is not None:
            place = next((i for i, (owner, _) in enumerate(entries) if owner == after), 0)
            entries = entries[place + 1 :]
        for owner, args in entries:
            found = self.own_member(owner, name)
            if found is not None:
                return found._replace(args=args), line
        return None, line

    def own_member(self, ref: SymbolRef, name: str) -> Member | None:
        """A member that the class itself declares."""
        return self.query(("o", ref, name), ref[0], lambda: self._own_member(ref, name), None)

    def _own_member(self, ref: SymbolRef, name: str) -> Member | None:
        found = self.symbol(ref)
        if found is None:
            return None
        view, symbol, index = found
        self.note(ref[0], f"{symbol.qual}.{name.lstrip('.:')}")
        rules = self.rules(view)
        symbols, bindings = rules.members(self, view, index, name)
        if symbols or bindings:
            return Member(ref, (), symbols, bindings)
        return rules.outside_member(self, view, index, name)

    def heirs(self, ref: SymbolRef) -> tuple[SymbolRef, ...]:
        """The classes of the file that is being linked that inherit from one of its classes.

        Seen from another file there are none: an edit of a class never has to relink the files of its bases.
        """
        view = self.view(ref[0])
        if view is None or ref[0] != self._current:
            return ()
        self._local = True
        return self.query(("h", ref), ref[0], lambda: self._heirs(view, ref), ())

    def _heirs(self, view: View, ref: SymbolRef) -> tuple[SymbolRef, ...]:
        kinds = self.rules(view).type_kinds
        classes = [view.ref(i) for i, symbol in enumerate(view.symbols) if symbol.kind in kinds and symbol.bases]
        return tuple(c for c in classes if c != ref and any(owner == ref for owner, _ in self.ancestry(c).entries))

    def attr(self, view: View, values: Values, name: str) -> Values:
        """`value.name` for each possible value."""
        if len(values) == 1:
            return self._attr(view, values[0], name)
        return merge(*(self._attr(view, v, name) for v in values)) if values else UNKNOWN

    def _attr(self, view: View, value: Value, name: str) -> Values:
        if isinstance(value, (Instance, ClassOf)):
            # A class of one language is seen by another with that one's eyes: Kotlin has extensions where Java has none.
            key = ("a", view.language, value.__class__, value, name)
            return self.query(key, value.ref[0], lambda: self._class_attr(view, value, name), UNKNOWN)
        if isinstance(value, Module):
            other = self.view(value.path)
            rules = self.rules(other) if other is not None else self.rules(view)
            return self.query(
                ("t", value.path, name), value.path, lambda: rules.module_member(self, value.path, name), UNKNOWN
            )
        if isinstance(value, Package):
            return self.rules(view).package_member(self, value.name, name)
        if isinstance(value, Foreign):
            if value.name == "super" and value.args:
                return merge(*(self._class_attr(view, v, name, self.super_start(value)) for v in value.args[0]))
            return self.rules(view).foreign_attr(self, view, value, name)
        if isinstance(value, TypeVariable):
            return self.rules(view).variable_attr(self, view, value, name)
        return self.rules(view).function_member(self, value, name)

    def bound_of(self, variable: TypeVariable) -> Values:
        """What a type parameter is bounded by; in broken code it may be bounded by itself."""
        key = ("bound", variable.owner, variable.name)
        return self.query(key, variable.owner[0], lambda: self._bound_of(variable), UNKNOWN)

    def _bound_of(self, variable: TypeVariable) -> Values:
        found = self.symbol(variable.owner)
        if found is None:
            view = self.view(variable.owner[0])
            return self.rules(view).variable_bound(self, view, variable.name) if view is not None else UNKNOWN
        view, symbol, _ = found
        for param in symbol.type_params:
            if param.name == variable.name:
                return self.type_of(view, param.bound) or self.rules(view).root_bound(self)
        return self.rules(view).implied_bound(self, variable)

    def _class_attr(self, view: View, value: Value, name: str, after: SymbolRef | None = None) -> Values:
        if not isinstance(value, (Instance, ClassOf)):
            return UNKNOWN
        rules = self.rules(view)
        if rules.own_names:
            return rules.class_member(self, view, value, name, after)
        member, line = self.member(value.ref, rules.member_key(value, name), after)
        if member is None:
            return rules.missing_member(self, value, name, line)
        return self.member_values(member, value)

    def member_values(self, member: Member, value: Instance | ClassOf) -> Values:
        """What a found member stands for, taken from `value`."""
        view = self.view(member.path)
        if view is None:
            return UNKNOWN
        env = self.env_of(member.owner, member.args)
        if value.args:
            env = {k: self.substitute(v, self.env_of(value.ref, value.args)) for k, v in env.items()} or self.env_of(
                value.ref, value.args
            )
        out: list[Values] = []
        rules = self.rules(view)
        for index in member.symbols:
            symbol = view.symbols[index]
            if symbol.kind == "property" and (isinstance(value, Instance) or symbol.flags & Flag.STATIC):
                if symbol.flags & (Flag.SETTER | Flag.DELETER):
                    continue
                out.append(self.substitute(self.returns(view.ref(index), value), env))
            elif symbol.kind in CALLABLE_KINDS:
                changed = rules.decorated(self, view, index) if symbol.decorators else None
                if changed is None:
                    out.append((Function(view.ref(index), (value,)),))
                else:
                    out.append(tuple(Function(v.ref, (value,)) if isinstance(v, Function) else v for v in changed))
            else:
                out.append(self.substitute(self.symbol_value(view, index), env))
        for b in member.bindings:
            out.append(rules.field_value(self, value, self.substitute(self.binding(view, b), env)))
        found = merge(*out) if out else UNKNOWN
        return found or self._declared_above(member, value)

    def _declared_above(self, member: Member, value: Instance | ClassOf) -> Values:
        """What an ancestor tells of a field of which nothing is known where it is assigned."""
        if not member.bindings or member.symbols:
            return UNKNOWN
        above, _ = self.member(value.ref, member.bindings[0].name, after=member.owner)
        return self.member_values(above, value) if above is not None else UNKNOWN

    # --- calls

    def _call(self, view: View, e: tuple[Any, ...]) -> Values:
        callee = self.rules(view).select(self, view, self.eval(view, e[1]), e[2:])
        return merge(*(self.result(view, v, e[2:]) for v in callee)) if callee else UNKNOWN

    def result(self, view: View, value: Value, args: tuple[int, ...]) -> Values:
        """What calling a value yields."""
        rules = self.rules(view)
        if isinstance(value, ClassOf):
            return rules.constructed(self, view, value, args)
        if isinstance(value, Function):
            result = self.returns(value.ref, value.bound[0] if value.bound else None)
            return self._fill_in(view, value, args, result)
        if isinstance(value, (Instance, TypeVariable)):
            return rules.instance_called(self, view, value, args)
        if isinstance(value, Foreign):
            return rules.foreign_call(self, view, value, args)
        if isinstance(value, Closure):
            home = self.view(value.path)
            return self.eval(home, value.result) if home is not None else UNKNOWN
        return rules.other_result(self, view, value, args)

    def _fill_in(self, view: View, function: Function, args: tuple[int, ...], result: Values) -> Values:
        """Fill in a result's type parameters from the receiver and from the arguments."""
        if not any(_has_variables(v) for v in result):
            return result
        found = self.symbol(function.ref)
        if found is None:
            return result
        other, symbol, _ = found
        env: Env = {(function.ref, p.name): a for p, a in zip(symbol.type_params, function.args, strict=False)}
        self.rules(other).receiver_env(self, other, symbol, function, env)
        for value in function.bound:
            if isinstance(value, (Instance, ClassOf)):
                for owner, owner_args in self.ancestry(value.ref).entries:
                    for key, arg in self.env_of(owner, owner_args).items():
                        env[key] = self.substitute(arg, self.env_of(value.ref, value.args))
                env.update(self.env_of(value.ref, value.args))
        rules = self.rules(other)
        if rules.own_names:
            rules.learn_arguments(self, view, function, args, env, True)
            return self.substitute(self.substitute(result, env), env)
        self.learn(view, other, symbol, args, env)
        for variable in symbol.type_params:
            if variable.bound != NONE and (function.ref, variable.name) in env:
                self.unify(self.type_of(other, variable.bound), env[(function.ref, variable.name)], env)
        return self.substitute(result, env)

    def learn(self, view: View, other: View, symbol: Symbol, args: tuple[int, ...], env: Env) -> None:
        """Learn a function's type parameters from the arguments of a call in `view`, else from the defaults."""
        params = [p for p in symbol.params if p.kind != "self"]
        named = {view.exprs[a][1]: a for a in args if a != NONE and view.exprs[a][0] == Op.KEYWORD}
        plain = args[: len(args) - len(named)]
        for place, param in enumerate(params):
            if param.type == NONE:
                continue
            given = plain[place] if place < len(plain) else named.get(param.name, NONE)
            if given != NONE:
                self.unify(self.type_of(other, param.type), self.eval(view, given), env)
            elif param.default != NONE and place >= len(plain):
                self.unify(self.type_of(other, param.type), self.eval(other, param.default), env)

    def unify(self, declared: Values, given: Values, env: Env, depth: int = 0) -> None:
        """Learn type parameters from an argument."""
        if depth > 3:
            return
        for d in declared:
            if isinstance(d, TypeVariable):
                if given:
                    env.setdefault((d.owner, d.name), given)
            elif isinstance(d, Foreign) and d.name == "type" and d.args:
                made = tuple(Instance(g.ref, g.args) for g in given if isinstance(g, ClassOf))
                self.unify(d.args[0], made, env, depth + 1)
            elif isinstance(d, (Instance, Foreign)) and d.args:
                self.rules_of(d).learn(self, d, given, env)
                for g in given:
                    seen = self.function_type(g) if isinstance(d, Foreign) and d.name == "function" else g
                    if isinstance(seen, (Instance, Foreign)) and seen.args:
                        for a, b in zip(d.args, seen.args, strict=False):
                            self.unify(a, b, env, depth + 1)

    def function_type(self, value: Value) -> Value:
        """A function or closure as a function type: its result, then its parameters."""
        if isinstance(value, Closure):
            home = self.view(value.path)
            return Foreign("function", (self.eval(home, value.result) if home is not None else UNKNOWN,))
        found = self.symbol(value.ref) if isinstance(value, Function) else None
        if found is None or not isinstance(value, Function):
            return value
        params = tuple(self.type_of(found[0], p.type) for p in found[1].params if p.kind != "self")
        return Foreign("function", (self.returns(value.ref, value.bound[0] if value.bound else None), *params))

    def returns(self, ref: SymbolRef, receiver: Value | None = None) -> Values:
        """What a function yields when it is called, its type parameters not filled in."""
        found = self.symbol(ref)
        if found is None:
            return UNKNOWN
        view, symbol, index = found
        rules = self.rules(view)
        result = self.unbound_returns(ref)
        own = receiver or rules.receiver_of(self, view, index) or self._receiver(view, symbol.parent)
        return rules.bind_self(self, result, own)

    def unbound_returns(self, ref: SymbolRef) -> Values:
        """`returns` with the receiver's type left open."""
        found = self.symbol(ref)
        if found is None:
            return UNKNOWN
        view, symbol, index = found
        return self.query(("r", ref), ref[0], lambda: self._returns(view, symbol, index, ref), UNKNOWN)

    def _returns(self, view: View, symbol: Symbol, index: int, ref: SymbolRef) -> Values:
        rules = self.rules(view)
        if symbol.returns != NONE:
            return rules.called(self, symbol, ref, self.type_of(view, symbol.returns))
        self.note(ref[0], symbol.qual + "()")
        result = merge(*(rules.returned(self, view, i) for i in symbol.returned)) if symbol.returned else UNKNOWN
        return rules.called(self, symbol, ref, result)


def _as_one(parts: Set[str | Cost]) -> str | Cost | None:
    if len(parts) < 2:
        return next(iter(parts), None)
    return Cost(parts)


def _is_class_body(view: View, scope: int) -> bool:
    return view.scopes[view.function_scope(scope)].kind == "class"


def choose(group: list[Binding], pos: int, flow: bool) -> list[Binding]:
    """Among the bindings of a name in one scope, those that can hold at `pos`."""
    if len(group) == 1:
        only = group[0]
        if only.kind in _STRICT:
            return group if only.start <= pos < only.end else []
        return group if only.kind != "item" else []
    strict = [b for b in group if b.kind in _STRICT and b.start <= pos < b.end]
    loose = [b for b in group if b.kind not in _STRICT and b.kind != "item"]
    if strict:
        smallest = min(strict, key=lambda b: (b.end - b.start, -b.pos))
        same = [b for b in strict if (b.start, b.end) == (smallest.start, smallest.end)]
        if not flow:
            return same
        later = [b for b in loose if smallest.pos < b.pos <= pos and smallest.start <= b.pos < smallest.end]
        sure = next((i for i in reversed(range(len(later))) if later[i].start <= pos < later[i].end), None)
        return same[-1:] + later if sure is None else later[sure:]
    if not flow:
        last = {(b.start, b.end): b for b in loose if b.kind == "def"}
        return [b for b in loose if b.kind != "def" or last[(b.start, b.end)] is b]
    chosen: list[Binding] = []
    for b in reversed(loose):
        if b.pos > pos:
            continue
        chosen.append(b)
        if b.start <= pos < b.end:
            return chosen[::-1]
    return chosen[::-1] or loose


def _holder(view: View, index: int) -> tuple[str, int, int] | None:
    """Under which name, scope and place elements of an expression are stored: `name`, `name[constant]`."""
    e = view.exprs[index] if index != NONE else (Op.TEXT,)
    if e[0] == Op.NAME:
        return e[1], e[2], e[3]
    outer = _holder(view, e[1]) if e[0] == Op.INDEX and len(e) == 3 and e[2] != NONE else None
    key = view.exprs[e[2]] if outer is not None else (Op.TEXT,)
    return (f"{outer[0]}[{key[2]}]", outer[1], outer[2]) if outer is not None and key[0] == Op.CONST else None


def _literal_item(view: View, literal: tuple[Any, ...], wanted: tuple[Any, ...]) -> int | None:
    """The element of a written-out dict, list or tuple under a constant key."""
    if literal[1] == "dict":
        found = [value for key, value in zip(literal[2::2], literal[3::2], strict=False) if view.exprs[key] == wanted]
        return found[-1] if found else None
    if (
        literal[1] in ("list", "tuple")
        and wanted[1] == "int"
        and wanted[2].isdecimal()
        and int(wanted[2]) < len(literal) - 2
    ):
        return int(literal[2 + int(wanted[2])])
    return None


def _env_key(item: tuple[tuple[SymbolRef, str], Values]) -> tuple[SymbolRef, str]:
    return item[0]


def _has_variables(value: Value, depth: int = 0) -> bool:
    if isinstance(value, TypeVariable) or (isinstance(value, Record) and value.open):
        return True
    if depth < 3 and isinstance(value, (Instance, ClassOf, Foreign)):
        return any(_has_variables(v, depth + 1) for arg in value.args for v in arg)
    return False
