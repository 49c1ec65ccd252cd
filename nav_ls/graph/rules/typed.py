"""What linking Java, Kotlin and C# has in common: static types, method groups, overloads by argument types.

Method names are asked for as `name()`, constructors as `new()` (see `nav_ls.syntax.rules.typed`).  A method
group is a tuple of `Function`s, one for each overload that the type declares or inherits; `select` picks the
one that the arguments mean, by the phases of the Java language specification (which C#'s betterness rules agree
with wherever declared types are plain): without boxing, with it, with a variable number of arguments; then the
most specific one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from nav_ls.graph.library import LIBRARY
from nav_ls.graph.model import SymbolRef
from nav_ls.graph.rules.base import Rules
from nav_ls.graph.values import (
    UNKNOWN,
    ClassOf,
    Closure,
    Foreign,
    Function,
    Instance,
    TypeVariable,
    Value,
    Values,
    as_instances,
    merge,
)
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, TYPE_KINDS, VALUE_KINDS, Binding, Flag, Op, Scope, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Ancestry, Env, Inference

ARRAY = "[]"
TRAILING = "{}"
CONSTRUCTORS = "new()"
TYPE_MARK = ":"
NULL = "null"

STRICT, MAYBE, BOXED, NEVER = 0, 1, 2, 9
"""How well a value fits a type: by subtyping, perhaps (a type is not known), by boxing, not at all."""


class Header(NamedTuple):
    """The declared parameters of a callable: their types, and whether the last one takes any number."""

    types: tuple[Values, ...]
    variadic: bool
    required: int  # how many have no default
    names: tuple[str, ...] = ()
    generic: int = 0  # how many type parameters it has itself

    def place(self, name: str) -> int:
        """Where the parameter stands that an argument names; -1 where there is none."""
        if name == TRAILING:
            return len(self.types) - 1
        return self.names.index(name) if name in self.names else -1


class TypedRules(Rules):
    """Rules of statically typed languages with classes.  Subclasses say what scopes and types are."""

    own_names = True
    resolves_names = True
    type_kinds: ClassVar[frozenset[str]] = TYPE_KINDS | {"anonymous", "enum_member"}
    calls_locals = False
    """Can a local be called as if it were a method (local functions, delegates)?"""

    primitives: ClassVar[Mapping[str, frozenset[str]]] = {}
    """Primitive type → those that it widens to, itself included."""

    # --- what languages differ in

    def boxed(self, infer: Inference, name: str) -> SymbolRef | None:
        """The class of a primitive's values."""
        return None

    def unboxed(self, ref: SymbolRef) -> str:
        """The primitive of a class of boxed values."""
        return ""

    def root(self, infer: Inference) -> SymbolRef | None:
        """The class that all others inherit from."""
        return None

    def root_bound(self, infer: Inference) -> Values:
        root = self.root(infer)
        return (Instance(root),) if root is not None else UNKNOWN

    def outer_name(self, infer: Inference, view: View, name: str, scope: int) -> Values:
        """A name that no scope of the file binds: imports, packages, namespaces."""
        return UNKNOWN

    def hidden(self, symbol: Symbol, owner: SymbolRef, seen_from: SymbolRef) -> bool:
        """Is a member of an ancestor not inherited?"""
        return symbol.visibility == "private"

    # --- names

    def resolve_name(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> Values:
        method = name.endswith("()")
        plain = name.removeprefix(TYPE_MARK)
        current = scope
        while current != NONE:
            info = view.scopes[current]
            group = None if method else view.table.get((current, plain))
            if group and plain is not name:
                group = [b for b in group if b.kind in ("def", "typeparam")]
            if group:
                found = self.local(infer, view, group, pos, info.kind != "class" and current != 0)
                if found is not None:
                    return found
            if info.owner != NONE and (info.kind == "class" or (method and self._is_header(view, info))):
                inherited = self.scope_member(infer, view, current, name)
                if inherited is not None:
                    return inherited
            elif (info.kind == "function" or current == 0) and method and self.calls_locals:
                group = view.table.get((current, plain[:-2]))
                found = self.local(infer, view, group, pos, True) if group else None
                if found is not None:
                    return found
            current = info.parent
        found = infer.query(
            ("f", view.path, plain, self.top_scope(view, scope)),
            view.path,
            lambda: self.outer_name(infer, view, plain, scope),
            UNKNOWN,
        )
        return found or self._inherited_from_outside(infer, view, plain, scope)

    def _is_header(self, view: View, scope: Scope) -> bool:
        """Is a scope the head of a type?  What its base is handed may come from the type's own methods."""
        return scope.kind == "block" and view.symbols[scope.owner].kind in TYPE_KINDS

    def named_members(
        self, infer: Inference, view: View, scope: int, name: str, pos: int
    ) -> list[tuple[SymbolRef, Symbol]]:
        current = scope
        while current != NONE:
            info = view.scopes[current]
            group = view.table.get((current, name))
            if group and self.local(infer, view, group, pos, info.kind != "class" and current != 0) is not None:
                return []
            if info.kind == "class" and info.owner != NONE:
                found = self.member_values(infer, view.ref(info.owner), name)
                if found is not None:
                    return found
            current = info.parent
        return self.imported_members(infer, view, name)

    def member_values(self, infer: Inference, owner: SymbolRef, name: str) -> list[tuple[SymbolRef, Symbol]] | None:
        """The fields and properties of a name in a type; None where it has no such member."""
        member, _ = infer.member(owner, name)
        view = infer.view(member.path) if member is not None else None
        if member is None or view is None:
            return None
        found = [(view.ref(i), view.symbols[i]) for i in member.symbols]
        return [(ref, symbol) for ref, symbol in found if symbol.kind in VALUE_KINDS | {"property"}]

    def imported_members(self, infer: Inference, view: View, name: str) -> list[tuple[SymbolRef, Symbol]]:
        """The fields and properties that a bare name means which no class around it has."""
        return []

    def top_scope(self, view: View, scope: int) -> int:
        """What besides the file decides about a name that no scope binds: a namespace's scope."""
        return 0

    def local(self, infer: Inference, view: View, group: list[Binding], pos: int, loose: bool) -> Values | None:
        """The innermost local of that name that is visible at `pos`; None where there is none."""
        best: Binding | None = None
        for b in group:
            visible = b.kind in ("block", "narrow") and b.start <= pos < b.end
            if visible and (best is None or (b.end - b.start, -b.pos) < (best.end - best.start, -best.pos)):
                best = b
        if best is not None:
            return infer.binding(view, best)
        if not loose:
            return None
        for b in reversed(group):
            if b.kind not in ("block", "narrow") and b.start <= pos < b.end:
                return infer.binding(view, b)
        return None

    def scope_member(self, infer: Inference, view: View, scope: int, name: str) -> Values | None:
        """A member of the type whose body a scope is, as a bare name sees it; None where it has none."""
        ref = view.ref(view.scopes[scope].owner)
        return infer.query(("i", ref, name), view.path, lambda: self.find(infer, self.itself(infer, ref), name), None)

    def itself(self, infer: Inference, ref: SymbolRef) -> Instance:
        """A type seen from inside: its own type parameters as arguments."""
        found = infer.symbol(ref)
        params = found[1].type_params if found is not None else ()
        return Instance(ref, tuple((TypeVariable(p.name, ref),) for p in params))

    def this(self, infer: Inference, view: View, scope: int) -> Values:
        while scope != NONE:
            info = view.scopes[scope]
            if info.kind == "class" and info.owner != NONE:
                return (self.itself(infer, view.ref(info.owner)),)
            scope = info.parent
        return UNKNOWN

    def _inherited_from_outside(self, infer: Inference, view: View, name: str, scope: int) -> Values:
        """A name that nothing defines may come from a base class outside of the repository."""
        while scope != NONE:
            info = view.scopes[scope]
            if info.kind == "class" and info.owner != NONE:
                line = infer.ancestry(view.ref(info.owner))
                outside = [
                    owner[1] for owner, _ in line.entries if owner[0].startswith(LIBRARY) and owner != self.root(infer)
                ]
                if line.foreign or outside:
                    return (Foreign(f"{[*line.foreign, *outside][0]}.{name}"),)
            scope = info.parent
        return UNKNOWN

    # --- members

    def member_name(self, symbol: Symbol) -> str:
        return symbol.name + "()" if symbol.kind in ("method", "function") else symbol.name

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        symbols = view.symbols
        if name == CONSTRUCTORS:
            infer.note(view.path, f"{symbols[index].qual}.{symbols[index].name}")
            found = [i for i in view.children.get(index, ()) if symbols[i].kind == "constructor"]
        elif name.endswith("()"):
            infer.note(view.path, f"{symbols[index].qual}.{name[:-2]}")
            found = [i for i in view.members.get((index, name[:-2]), ()) if symbols[i].kind in ("method", "function")]
        elif name.startswith(TYPE_MARK):
            infer.note(view.path, f"{symbols[index].qual}.{name[1:]}")
            found = [i for i in view.members.get((index, name[1:]), ()) if symbols[i].kind in TYPE_KINDS]
        else:
            found = [
                i
                for i in view.members.get((index, name), ())
                if symbols[i].kind not in ("method", "function", "constructor", "anonymous")
            ]
        return tuple(found), ()

    def class_member(
        self, infer: Inference, view: View, value: Instance | ClassOf, name: str, after: SymbolRef | None
    ) -> Values:
        found = self.find(infer, value, name, after)
        if found is not None:
            return found
        line = infer.ancestry(value.ref)
        if line.foreign or value.ref[0].startswith(LIBRARY):
            outside = line.foreign[0] if line.foreign else value.ref[1]
            return (Foreign(f"{outside}.{name}"),)
        return UNKNOWN

    def find(
        self, infer: Inference, value: Instance | ClassOf, name: str, after: SymbolRef | None = None
    ) -> Values | None:
        """`value.name`; None where neither the type nor its ancestors have such a member."""
        if name == CONSTRUCTORS:
            return self._constructors(infer, value, after is not None)
        if name.endswith("()"):
            group = self.group(infer, value.ref, name, after)
            if not group:
                return self.accessor(infer, value, name[:-2])
            return tuple(Function(ref, (value,)) for ref in group)
        member, _ = infer.member(value.ref, name, after)
        if member is None:
            return None
        return infer.member_values(member, value)

    def accessor(self, infer: Inference, value: Instance | ClassOf, name: str) -> Values | None:
        """A method that nobody wrote: the accessor of a record's component and the like."""
        return None

    def _constructors(self, infer: Inference, value: Instance | ClassOf, of_super: bool) -> Values | None:
        target: Instance | ClassOf = value
        if of_super:
            above = self.super_class(infer, value)
            if not above:
                return (Foreign("Object.new()"),)
            if not isinstance(above[0], (Instance, ClassOf)):
                return above
            target = above[0]
        found = tuple(Function(ref, (target,)) for ref in self.constructors_of(infer, target.ref))
        return found or (ClassOf(target.ref, target.args),)

    def constructors_of(self, infer: Inference, ref: SymbolRef) -> list[SymbolRef]:
        """The constructors that a type declares."""
        member = infer.own_member(ref, CONSTRUCTORS)
        view = infer.view(ref[0])
        return [view.ref(i) for i in member.symbols] if member is not None and view is not None else []

    def super_class(self, infer: Inference, value: Instance | ClassOf) -> Values:
        """The direct base class of a type."""
        found = infer.symbol(value.ref)
        if found is None:
            return UNKNOWN
        view, symbol, _ = found
        for values, kind in self.bases(infer, view, symbol, value.ref):
            if kind == "inherits" and values:
                return values
        return UNKNOWN

    def group(self, infer: Inference, ref: SymbolRef, name: str, after: SymbolRef | None) -> tuple[SymbolRef, ...]:
        """All overloads of a name that a type has: its own and the inherited ones that nothing overrides."""
        return infer.query(("g", ref, name, after), ref[0], lambda: self._group(infer, ref, name, after), ())

    def _group(self, infer: Inference, ref: SymbolRef, name: str, after: SymbolRef | None) -> tuple[SymbolRef, ...]:
        out: list[SymbolRef] = []
        seen: list[Header] = []
        entries = infer.ancestry(ref).entries
        if after is not None:
            place = next((i for i, (owner, _) in enumerate(entries) if owner == after), 0)
            entries = tuple(e for e in entries[place + 1 :] if not self.same_type(e[0], after))
        for owner, args in entries:
            member = infer.own_member(owner, name)
            view = infer.view(owner[0]) if member is not None else None
            if member is None or view is None:
                continue
            env = infer.env_of(owner, args)
            below = len(seen)
            for index in member.symbols:
                if owner != ref and after is None and self.hidden(view.symbols[index], owner, ref):
                    continue
                other = view.ref(index)
                header = self.header(infer, other)
                types = tuple(infer.substitute(t, env) for t in header.types) if env else header.types
                header = header._replace(types=types)
                if any(self._same_header(infer, header, h) for h in seen[:below]):
                    continue
                out.append(other)
                seen.append(header)
        return tuple(out)

    def same_type(self, a: SymbolRef, b: SymbolRef) -> bool:
        """Are these parts of one type?"""
        return a == b

    def _same_header(self, infer: Inference, a: Header, b: Header) -> bool:
        return (
            len(a.types) == len(b.types)
            and a.variadic == b.variadic
            and all(self._same_type(infer, x, y) for x, y in zip(a.types, b.types, strict=True))
        )

    def _same_type(self, infer: Inference, a: Values, b: Values) -> bool:
        if not a or not b or a == b:
            return True
        x, y = self._erased(infer, a[0]), self._erased(infer, b[0])
        return x is None or y is None or x == y

    def _erased(self, infer: Inference, value: Value, depth: int = 0) -> object:
        """A type without its arguments; None where it isn't known."""
        if isinstance(value, TypeVariable):
            bound = infer.bound_of(value)
            return self._erased(infer, bound[0], depth + 1) if bound and depth < 4 else self.root(infer)
        if isinstance(value, Instance):
            return value.ref
        if isinstance(value, Foreign):
            if value.name == ARRAY and value.args and value.args[0]:
                return (ARRAY, self._erased(infer, value.args[0][0], depth + 1))
            return value.name
        return None

    def overridden(
        self, infer: Inference, view: View, index: int, other: View, candidates: tuple[int, ...]
    ) -> tuple[int, ...]:
        header = self.header(infer, view.ref(index))
        own_type = view.symbols[index].parent
        line = infer.ancestry(view.ref(own_type)).entries if own_type != NONE else ()
        out: list[int] = []
        for candidate in candidates:
            symbol = other.symbols[candidate]
            if symbol.flags & (Flag.STATIC | Flag.CONSTRUCTOR) or symbol.visibility == "private":
                continue
            owner = other.ref(symbol.parent) if symbol.parent != NONE else ("", "")
            args = next((a for o, a in line if o == owner), ())
            theirs = self.header(infer, other.ref(candidate))
            env = infer.env_of(owner, args)
            theirs = theirs._replace(types=tuple(infer.substitute(t, env) for t in theirs.types))
            if self._same_header(infer, header, theirs):
                out.append(candidate)
        return tuple(out)

    def parameters(self, infer: Inference, function: Function) -> Header:
        """The parameters that a call of a function fills in."""
        return self.header(infer, function.ref)

    def header(self, infer: Inference, ref: SymbolRef) -> Header:
        """The declared parameters of a callable."""
        return infer.query(("h", ref), ref[0], lambda: self._header(infer, ref), Header((), True, 0))

    def _header(self, infer: Inference, ref: SymbolRef) -> Header:
        found = infer.symbol(ref)
        if found is None:
            return Header((), True, 0)
        view, symbol, _ = found
        params = [p for p in symbol.params if p.kind != "self"]
        types = tuple(infer.type_of(view, p.type) for p in params)
        required = sum(1 for p in params if p.default == NONE and p.kind != "*")
        names = tuple(p.name for p in params)
        return Header(types, bool(params) and params[-1].kind == "*", required, names, len(symbol.type_params))

    # --- values of symbols

    def value_symbol(self, infer: Inference, view: View, index: int) -> Values:
        symbol = view.symbols[index]
        if symbol.kind == "anonymous":
            return (ClassOf(view.ref(index)),)
        if symbol.kind in ("field", "constant", "enum_member", "variable", "property"):
            key = ("v", view.path, index)
            return infer.query(key, view.path, lambda: self._field(infer, view, symbol), UNKNOWN)
        return UNKNOWN

    def _field(self, infer: Inference, view: View, symbol: Symbol) -> Values:
        if symbol.returns != NONE:
            return infer.type_of(view, symbol.returns)
        return merge(*(infer.eval(view, r) for r in symbol.returned)) if symbol.returned else UNKNOWN

    def as_type(self, infer: Inference, values: Values) -> Values:
        return as_instances(values)

    def constructed(self, infer: Inference, view: View, value: ClassOf, args: tuple[int, ...]) -> Values:
        found = infer.symbol(value.ref)
        if found is None or value.args or not found[1].type_params or not args:
            return (Instance(value.ref, value.args),)
        own = tuple((TypeVariable(p.name, value.ref),) for p in found[1].type_params)
        callee = self.select(infer, view, self._constructors(infer, value, False) or (), args)
        for function in callee:
            if isinstance(function, Function):
                env: Env = {}
                self.learn_arguments(infer, view, function, args, env, True)
                filled = tuple(infer.substitute(a, env) for a in own)
                return (Instance(value.ref, tuple(() if f == a else f for f, a in zip(filled, own, strict=True))),)
        return (Instance(value.ref, value.args),)

    def called(self, infer: Inference, symbol: Symbol, ref: SymbolRef, result: Values) -> Values:
        if symbol.kind == "constructor":
            view = infer.view(ref[0])
            return (self.itself(infer, view.ref(symbol.parent)),) if view is not None and symbol.parent != NONE else ()
        return result

    # --- overloads

    def select(self, infer: Inference, view: View, callee: Values, args: tuple[int, ...]) -> Values:
        functions = [v for v in callee if isinstance(v, Function)]
        if not functions:
            return callee
        if len(functions) == 1 and self.only(infer, functions[0]):
            return callee
        rest = tuple(v for v in callee if not isinstance(v, Function))
        groups: dict[tuple[Value, ...], list[Function]] = {}
        for function in functions:
            groups.setdefault(function.bound, []).append(function)
        chosen = [f for group in groups.values() for f in self._pick(infer, view, group, args)]
        return (*rest, *chosen)

    def only(self, infer: Inference, function: Function) -> bool:
        """Is a single candidate to be taken without looking at its parameters?"""
        return False

    def _as_generic(self, infer: Inference, group: list[Function]) -> list[Function]:
        """Where a call spells out type arguments: the overloads with so many type parameters."""
        count = len(group[0].args)
        return [f for f in group if self.header(infer, f.ref).generic == count] or group if count else group

    def _pick(self, infer: Inference, view: View, group: list[Function], args: tuple[int, ...]) -> list[Function]:
        count = len(args)
        headers = [(f, self._header_for(infer, f)) for f in self._as_generic(infer, group)]
        fitting = [(f, h) for f, h in headers if h.required <= count and (count <= len(h.types) or h.variadic)]
        if not fitting:
            return self.no_fit(infer, view, group)
        if len(fitting) == 1:
            return [fitting[0][0]]
        given = [infer.eval(view, a) for a in args]
        names = [_keyword(view, a) for a in args]
        if any(names):
            fitting = [(f, _in_order(h, names)) for f, h in fitting if all(h.place(n) >= 0 for n in names if n)]
            if not fitting:
                return self.no_fit(infer, view, group)
        scored = [(self._score(infer, view, h, given, args), f, h) for f, h in fitting]
        best = min(s for s, _, _ in scored)
        kept = [(f, h) for s, f, h in scored if s[0] == best[0] and (s[0] < NEVER or s == best)]
        if len(kept) > 1:
            kept = self._most_specific(infer, kept, given, best[0] >= 3)
        if len(kept) > 1:
            fewest = min(s[1] for s, f, _ in scored if any(f is k for k, _ in kept))
            kept = [(f, h) for s, f, h in scored if any(f is k for k, _ in kept) and s[1] == fewest]
        if len(kept) > 1:  # what is not known is rather anything than something special
            kept.sort(key=lambda fh: -self._general(infer, fh[1], given))
        return [kept[0][0]]

    def _general(self, infer: Inference, header: Header, given: list[Values]) -> int:
        """How many unknown arguments go where anything is taken."""
        root = self.root(infer)
        return sum(
            1
            for wanted, value in zip(header.types, given, strict=False)
            if not value
            and any(isinstance(w, TypeVariable) or (isinstance(w, Instance) and w.ref == root) for w in wanted)
        )

    def no_fit(self, infer: Inference, view: View, group: list[Function]) -> list[Function]:
        """No overload takes that many arguments: the one that is meant is not in the repository, or code is broken."""
        for function in group:
            for value in function.bound:
                if isinstance(value, Foreign):
                    return []
                if isinstance(value, (Instance, ClassOf)) and infer.ancestry(value.ref).foreign:
                    return []
        return group[:1]

    def _header_for(self, infer: Inference, function: Function) -> Header:
        """A callable's parameters, as its receiver's type arguments make them."""
        header = self.header(infer, function.ref)
        env = self._receiver_env(infer, function)
        if not env:
            return header
        return header._replace(types=tuple(infer.substitute(t, env) for t in header.types))

    def _receiver_env(self, infer: Inference, function: Function) -> Env:
        env: Env = {}
        found = infer.symbol(function.ref) if function.args else None
        if found is not None:
            env.update({(function.ref, p.name): a for p, a in zip(found[1].type_params, function.args, strict=False)})
        for value in function.bound:
            if isinstance(value, (Instance, ClassOf)):
                own = infer.env_of(value.ref, value.args)
                for owner, owner_args in infer.ancestry(value.ref).entries:
                    for key, arg in infer.env_of(owner, owner_args).items():
                        env[key] = infer.substitute(arg, own)
                env.update(own)
        return env

    def _score(
        self, infer: Inference, view: View, header: Header, given: list[Values], args: tuple[int, ...]
    ) -> tuple[int, int]:
        """(phase, how much is not certain): 0 by subtyping, 1 by boxing, 3 by a variable number, 9 + misfits."""
        fixed = self._phase(infer, header.types, given) if len(given) <= len(header.types) else (NEVER, 99)
        if not header.variadic:
            return fixed
        last = header.types[-1]
        types = header.types[:-1] + (last,) * max(0, len(given) - len(header.types) + 1)
        array = (Foreign(ARRAY, (last,)),)
        whole = (
            self._phase(infer, (*header.types[:-1], array), given) if len(given) == len(header.types) else (NEVER, 99)
        )
        if whole[0] < NEVER and given and given[-1]:
            return whole
        spread = self._phase(infer, types, given)
        return (3, spread[1]) if spread[0] < NEVER else min(fixed, spread)

    def _phase(self, infer: Inference, types: tuple[Values, ...], given: list[Values]) -> tuple[int, int]:
        worst, unsure, wrong = 0, 0, 0
        for wanted, value in zip(types, given, strict=False):
            level = self.fits_any(infer, value, wanted)
            if level == NEVER:
                wrong += 1
            elif level == BOXED:
                worst = 1
            elif level == MAYBE:
                unsure += 1
        return (NEVER, wrong * 8 + unsure) if wrong else (worst, unsure)

    def _most_specific(
        self, infer: Inference, kept: list[tuple[Function, Header]], given: list[Values], spread: bool
    ) -> list[tuple[Function, Header]]:
        def at(header: Header, place: int) -> Values:
            if header.variadic and not spread and place == len(header.types) - 1:
                return (Foreign(ARRAY, (header.types[place],)),)
            if place < len(header.types):
                return header.types[place]
            return header.types[-1] if header.types else UNKNOWN

        def alike(argument: Values, a: Values, b: Values) -> bool:
            """Functional interfaces: what a lambda or method reference makes of them is not compared."""
            return (
                all(isinstance(v, (Closure, Function)) for v in argument)
                and all(isinstance(v, Instance) and self.functional(infer, v.ref) is not None for v in (*a, *b))
                and self.fits_any(infer, b, a) != STRICT
            )

        def better(a: Header, b: Header) -> bool:
            return all(
                self.fits_any(infer, at(a, i), at(b, i)) in (STRICT, MAYBE) or alike(argument, at(a, i), at(b, i))
                for i, argument in enumerate(given)
            )

        best = [(f, h) for f, h in kept if all(better(h, other) for g, other in kept if g is not f)]
        if len(best) > 1:  # equal: the one with fewer parameters, or that is not variadic
            plain = [(f, h) for f, h in best if not h.variadic]
            return plain or best
        return best or kept

    def fits_any(self, infer: Inference, given: Values, wanted: Values) -> int:
        """How well a value of one type fits a parameter of another."""
        if not given or not wanted:
            return MAYBE
        if wanted == given:
            return STRICT
        best = NEVER
        for w in wanted:
            worst = max(self.fits(infer, g, w) for g in given)
            best = min(best, worst)
        return best

    def fits(self, infer: Inference, given: Value, wanted: Value) -> int:
        """How well one value fits one type."""
        if isinstance(wanted, TypeVariable):
            return self._fits_variable(infer, given, wanted)
        if isinstance(wanted, Foreign):
            return self._fits_foreign(infer, given, wanted)
        if isinstance(wanted, Instance):
            return self._fits_class(infer, given, wanted)
        return MAYBE

    def _fits_variable(self, infer: Inference, given: Value, wanted: TypeVariable) -> int:
        if given == wanted:
            return STRICT
        bounds = infer.bound_of(wanted)
        level = STRICT
        if isinstance(given, Foreign) and given.name in self.primitives:
            level = BOXED
            ref = self.boxed(infer, given.name)
            if ref is not None:
                given = Instance(ref)
        for bound in bounds:
            if bound != wanted and not isinstance(bound, TypeVariable):
                level = max(level, self.fits(infer, given, bound))
        return level

    def _fits_foreign(self, infer: Inference, given: Value, wanted: Foreign) -> int:
        if wanted.name in self.primitives:
            return self._fits_primitive(infer, given, wanted.name)
        if wanted.name == ARRAY:
            if isinstance(given, Foreign):
                if given.name == NULL:
                    return STRICT
                if given.name == ARRAY:
                    return self._fits_array(infer, given, wanted)
                return MAYBE if self.is_unknown(given) else NEVER
            return NEVER
        if isinstance(given, Foreign):
            if given.name in (wanted.name, NULL):
                return STRICT
            return NEVER if given.name in self.primitives or given.name == ARRAY else MAYBE
        if isinstance(given, Instance):
            line = infer.ancestry(given.ref)
            if wanted.name in line.foreign:
                return STRICT
            return MAYBE if line.open or line.foreign else NEVER
        return MAYBE

    def _fits_array(self, infer: Inference, given: Foreign, wanted: Foreign) -> int:
        g, w = given.args[0] if given.args else UNKNOWN, wanted.args[0] if wanted.args else UNKNOWN
        if not g or not w:
            return MAYBE
        if self._is_primitive(g[0]) or self._is_primitive(w[0]):
            return STRICT if g[0] == w[0] else NEVER
        level = self.fits(infer, g[0], w[0])
        return level if level in (STRICT, MAYBE) else NEVER

    def _is_primitive(self, value: Value) -> bool:
        return isinstance(value, Foreign) and value.name in self.primitives

    def _fits_primitive(self, infer: Inference, given: Value, wanted: str) -> int:
        if isinstance(given, Foreign):
            if given.name in self.primitives:
                return STRICT if wanted in self.primitives[given.name] else NEVER
            return MAYBE if self.is_unknown(given) else NEVER
        if isinstance(given, Instance):
            name = self.unboxed(given.ref)
            return BOXED if name and wanted in self.primitives[name] else NEVER
        return NEVER

    def is_unknown(self, value: Foreign) -> bool:
        """Is this a value from outside whose type nothing tells (the result of a library's method)?"""
        head, _, last = value.name.rpartition(".")
        if "()" in value.name:
            return True
        return bool(head) and (last[:1].islower() or last.isupper()) and head.rpartition(".")[2][:1].isupper()

    def _fits_class(self, infer: Inference, given: Value, wanted: Instance) -> int:
        if isinstance(given, Foreign):
            return self._foreign_fits_class(infer, given, wanted)
        if wanted.ref == self.root(infer):
            return STRICT
        if isinstance(given, Instance):
            return self._instance_fits(infer, given, wanted)
        if isinstance(given, TypeVariable):
            bounds = [b for b in infer.bound_of(given) if b != given and not isinstance(b, TypeVariable)]
            return min((self.fits(infer, b, wanted) for b in bounds), default=NEVER)
        return self.function_fits(infer, given, wanted)

    def _instance_fits(self, infer: Inference, given: Instance, wanted: Instance) -> int:
        if given.ref == wanted.ref:
            return STRICT
        line = infer.ancestry(given.ref)
        if any(owner == wanted.ref for owner, _ in line.entries):
            return STRICT
        library = wanted.ref[0].startswith(LIBRARY)
        return MAYBE if line.open or (line.foreign and library) else NEVER

    def _foreign_fits_class(self, infer: Inference, given: Foreign, wanted: Instance) -> int:
        if given.name == NULL:
            return STRICT
        if given.name in self.primitives:
            ref = self.boxed(infer, given.name)
            if ref is None:
                return MAYBE
            return BOXED if self._fits_class(infer, Instance(ref), wanted) == STRICT else NEVER
        if wanted.ref == self.root(infer):
            return MAYBE if self.is_unknown(given) else STRICT
        if given.name == ARRAY:
            return self.array_fits(infer, wanted)
        if self.is_unknown(given):
            return MAYBE
        return MAYBE if wanted.ref[0].startswith(LIBRARY) and not self.is_final(wanted.ref) else NEVER

    def is_final(self, ref: SymbolRef) -> bool:
        """Is this a class of the library that nothing extends?"""
        return bool(self.unboxed(ref))

    def array_fits(self, infer: Inference, wanted: Instance) -> int:
        """Does an array fit a class?"""
        return NEVER

    # --- functions as values

    def function_fits(self, infer: Inference, given: Value, wanted: Instance) -> int:
        """Does a lambda or method reference fit a type?  By the number of its parameters."""
        method = self.functional(infer, wanted.ref)
        if method is None:
            return NEVER
        header = self.header(infer, method[0])
        if isinstance(given, Closure):
            arity = self.arity(infer, given)
            if arity is not None and arity != len(header.types):
                return NEVER
            return STRICT
        if isinstance(given, Function):
            own = self.header(infer, given.ref)
            count = len(header.types)
            return STRICT if own.variadic or count in (len(own.types), len(own.types) + 1) else NEVER
        return MAYBE

    def arity(self, infer: Inference, value: Closure) -> int | None:
        """How many parameters an anonymous function has."""
        view = infer.view(value.path)
        e = view.exprs[value.expr] if view is not None else ()
        return int(e[3]) if len(e) > 3 else None

    def functional(self, infer: Inference, ref: SymbolRef) -> tuple[SymbolRef, tuple[Values, ...], SymbolRef] | None:
        """The one abstract method of a functional interface: (method, type arguments of its owner, owner)."""
        return infer.query(("s", ref), ref[0], lambda: self._functional(infer, ref), None)

    def _functional(self, infer: Inference, ref: SymbolRef) -> tuple[SymbolRef, tuple[Values, ...], SymbolRef] | None:
        found = infer.symbol(ref)
        if found is None or found[1].kind != "interface":
            return None
        only: tuple[SymbolRef, tuple[Values, ...], SymbolRef] | None = None
        seen: set[tuple[str, int]] = set()  # what an interface nearer by declares, abstract or not
        for owner, args in infer.ancestry(ref).entries:
            symbol = infer.symbol(owner)
            if symbol is None or symbol[1].kind != "interface":
                continue
            view, _, index = symbol
            infer.note(owner[0], "*")
            for child in view.children.get(index, ()):
                method = view.symbols[child]
                known = (method.name, len(method.params))
                if method.kind != "method" or known in seen or self.from_root(method.name):
                    continue
                seen.add(known)
                if method.flags & Flag.ABSTRACT:
                    if only is not None:
                        return None
                    only = view.ref(child), args, owner
        return only

    def from_root(self, name: str) -> bool:
        """Is a method of that name one that every object has?"""
        return False

    def function_part(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Instance):
                method = self.functional(infer, value.ref)
                if method is None:
                    continue
                ref, args, owner = method
                own = infer.env_of(value.ref, value.args)
                env = {k: infer.substitute(v, own) for k, v in infer.env_of(owner, args).items()}
                if place < 0:
                    out.append(infer.substitute(infer.returns(ref), env))
                else:
                    header = self.header(infer, ref)
                    if place < len(header.types):
                        out.append(infer.substitute(header.types[place], env))
            elif isinstance(value, Foreign) and value.name == "function" and value.args:
                out.append(value.args[0] if place < 0 else value.args[place + 1] if place + 1 < len(value.args) else ())
        return merge(*out) if out else UNKNOWN

    def component(self, infer: Inference, value: Instance, place: int) -> Values:
        """The n-th parameter in the header of a value's class: a component of a record or data class."""
        types = self.header(infer, value.ref).types
        return infer.substitute(types[place], infer.env_of(value.ref, value.args)) if place < len(types) else UNKNOWN

    def argument(self, infer: Inference, view: View, call: int, place: int) -> Values:
        key = ("A", view.path, call, place)
        return infer.query(key, view.path, lambda: self._argument(infer, view, call, place), UNKNOWN)

    def evaluate(self, infer: Inference, view: View, e: tuple[Any, ...], index: int) -> Values:
        if e[0] == Op.EXPECTED:
            return self._argument(infer, view, e[1], e[2], e[3])
        return super().evaluate(infer, view, e, index)

    def _argument(self, infer: Inference, view: View, call: int, place: int, expected: int = NONE) -> Values:
        """What a call's callee takes there; `expected`: what its result should be."""
        e = view.exprs[call]
        callee = infer.eval(view, e[1])
        if e[0] == Op.NEW:
            callee = infer.attr(view, callee, CONSTRUCTORS)
        out: list[Values] = []
        for function in self.select(infer, view, callee, e[2:]):
            if not isinstance(function, Function):
                continue
            header = self.parameters(infer, function)
            types = header.types
            name = _keyword(view, e[2 + place]) if 2 + place < len(e) else ""
            at = header.place(name) if name else place
            if at < 0 or (at >= len(types) and not header.variadic):
                continue
            declared = types[at] if at < len(types) else types[-1]
            env = self._receiver_env(infer, function)
            self.learn_arguments(infer, view, function, e[2:], env, False)
            if expected != NONE:
                infer.unify(infer.returns(function.ref), infer.eval(view, expected), env)
            out.append(infer.substitute(infer.substitute(declared, env), env))
        return merge(*out) if out else UNKNOWN

    def learn_arguments(
        self, infer: Inference, view: View, function: Function, args: tuple[int, ...], env: Env, functions: bool
    ) -> None:
        for key in [k for k, v in env.items() if v == (TypeVariable(k[1], k[0]),)]:
            del env[key]  # a parameter that stands for itself is still to be learned
        header = self.parameters(infer, function)
        for place, given in enumerate(args):
            named = header.place(_keyword(view, given))
            place = named if named >= 0 else place
            if place >= len(header.types) and not header.variadic:
                break
            if given == NONE:
                continue
            values = infer.eval(view, given)
            if not functions and not self._says_its_type(infer, values):
                continue
            declared = header.types[place] if place < len(header.types) else header.types[-1]
            if header.variadic and place == len(header.types) - 1 and _all_arrays(values):
                declared = (Foreign(ARRAY, (declared,)),)
            infer.unify(declared, self._boxed_values(infer, values), env)

    def _says_its_type(self, infer: Inference, values: Values) -> bool:
        """Is the type of an argument known before it is known what the parameters of lambdas are?"""
        for value in values:
            if isinstance(value, Closure) and self.arity(infer, value) != 0:
                return False
            if isinstance(value, Function) and len(values) > 1:
                return False
        return True

    def _boxed_values(self, infer: Inference, values: Values) -> Values:
        out: list[Value] = []
        for value in values:
            if isinstance(value, Foreign) and value.name in self.primitives:
                ref = self.boxed(infer, value.name)
                if ref is not None:
                    out.append(Instance(ref))
                    continue
            if isinstance(value, Foreign) and value.name == NULL:
                continue
            out.append(value)
        return tuple(out)

    def learn(self, infer: Inference, declared: Instance | Foreign, given: Values, env: Env) -> None:
        if not isinstance(declared, Instance):
            return
        for value in given:
            if isinstance(value, (Closure, Function, ClassOf)):
                self._learn_from_function(infer, declared, value, env)
            elif isinstance(value, Instance):
                args = value.args if value.ref == declared.ref else self.seen_as(infer, value, declared.ref)
                for a, b in zip(declared.args, args or (), strict=False):
                    self._learn_open(infer, a, b, env)
                    infer.unify(a, b, env, 1)

    def _learn_open(self, infer: Inference, declared: Values, given: Values, env: Env) -> None:
        """What is wanted fills in what an argument's own call left open: `collect(Collectors.toList())`."""
        for value in given:
            if isinstance(value, TypeVariable) and value.owner[0].startswith(LIBRARY):
                known = infer.substitute(declared, env)
                if known and not any(isinstance(v, TypeVariable) for v in known):
                    env.setdefault((value.owner, value.name), known)

    def _learn_from_function(
        self, infer: Inference, declared: Instance, value: Closure | Function | ClassOf, env: Env
    ) -> None:
        wanted = self.function_part(infer, (declared,), -1)
        if not wanted:
            return
        if isinstance(value, Closure):
            view = infer.view(value.path)
            result = infer.eval(view, value.result) if view is not None else UNKNOWN
        elif isinstance(value, ClassOf):
            result = (Instance(value.ref, value.args),)
        else:
            result = infer.returns(value.ref, value.bound[0] if value.bound else None)
            result = infer.substitute(result, self._receiver_env(infer, value))
        infer.unify(wanted, self._boxed_values(infer, result), env, 1)

    def seen_as(self, infer: Inference, value: Instance, ref: SymbolRef) -> tuple[Values, ...] | None:
        """The type arguments of an ancestor, as a value's own arguments fill them in."""
        for owner, args in infer.ancestry(value.ref).entries:
            if owner == ref:
                env = infer.env_of(value.ref, value.args)
                return tuple(infer.substitute(a, env) for a in args) if env else args
        return None

    def selected(self, infer: Inference, view: View, callee: Values, expected: int) -> Values:
        functions = [v for v in callee if isinstance(v, Function)]
        if len(functions) < 2 or expected == NONE:
            return callee[:1] if functions else callee
        wanted = infer.eval(view, expected)
        places = [self.function_part(infer, wanted, i) for i in range(8)]
        counts = {
            len(self.header(infer, m[0]).types)
            for v in wanted
            if isinstance(v, Instance) and (m := self.functional(infer, v.ref)) is not None
        }
        scored: list[tuple[int, Function, Header, list[Values]]] = []
        for function in functions:
            header = self._header_for(infer, function)
            static = self._is_static(infer, function)
            for count in counts or {len(header.types)}:
                shift = count - len(header.types)
                if (shift not in (0, 1) or (shift == 1 and static)) and not header.variadic:
                    continue
                given = places[1:count] if shift == 1 and not static else places[:count]
                phase, unsure = self._phase(infer, header.types, given)
                scored.append((phase * 8 + unsure, function, header, given))
        if not scored:
            return callee[:1]
        least, _, _, given = min(scored, key=lambda s: s[0])
        kept = [(f, h) for score, f, h, _ in scored if score == least]
        return (self._most_specific(infer, kept, given, False)[0][0],)

    def _is_static(self, infer: Inference, function: Function) -> bool:
        found = infer.symbol(function.ref)
        return found is not None and bool(found[1].flags & (Flag.STATIC | Flag.CONSTRUCTOR))

    def ancestry_order(self, infer: Inference, ref: SymbolRef, bases: list[tuple[Values, str]]) -> Ancestry | None:
        """Classes first, then interfaces; the root of all classes last."""
        from nav_ls.graph.infer import Ancestry  # infer imports this module's package

        found = infer.symbol(ref)
        if found is None:
            return None
        own = tuple((TypeVariable(p.name, ref),) for p in found[1].type_params)
        entries: dict[SymbolRef, tuple[Values, ...]] = {ref: own}
        foreign: list[str] = []
        unknown = False
        ordered = sorted(self.implied_bases(infer, found[1], ref, bases), key=lambda b: b[1] != "inherits")
        for values, _kind in ordered:
            unknown |= not values
            for value in values:
                if isinstance(value, (ClassOf, Instance)):
                    above = infer.ancestry(value.ref)
                    env = infer.env_of(value.ref, value.args)
                    early = [e for e, _ in above.entries if e in entries]
                    for other, args in above.entries:
                        if other not in entries:
                            filled = tuple(infer.substitute(a, env) for a in args)
                            entries = self._before_its_bases(infer, entries, other, filled, early)
                    foreign += above.foreign
                    unknown |= above.open
                elif isinstance(value, Foreign):
                    foreign.append(value.name)
        root = self.root(infer)
        if root is not None and ref != root:
            last = entries.pop(root, ())
            entries[root] = last
        return Ancestry(tuple(entries.items()), tuple(dict.fromkeys(foreign)), unknown)

    def _before_its_bases(
        self,
        infer: Inference,
        entries: dict[SymbolRef, tuple[Values, ...]],
        ref: SymbolRef,
        args: tuple[Values, ...],
        early: list[SymbolRef],
    ) -> dict[SymbolRef, tuple[Values, ...]]:
        """Ancestors with one more: at the end, or before those `early` ones that it inherits from itself."""
        root = self.root(infer)
        above = {e for e, _ in infer.ancestry(ref).entries[1:] if e in early and e != root} if early else set()
        if not above:
            entries[ref] = args
            return entries
        out: dict[SymbolRef, tuple[Values, ...]] = {}
        for known, known_args in entries.items():
            if known in above:
                out.setdefault(ref, args)
            out[known] = known_args
        return out

    def implied_bases(
        self, infer: Inference, symbol: Symbol, ref: SymbolRef, bases: list[tuple[Values, str]]
    ) -> list[tuple[Values, str]]:
        """Written bases and those that the language adds."""
        return bases

    def result_of(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values:
        """The operands' common value in a binary expression."""
        return merge(infer.eval(view, e[2]), infer.eval(view, e[3]))

    def is_callable(self, symbol: Symbol) -> bool:
        """Can the symbol be called?"""
        return symbol.kind in CALLABLE_KINDS


def distance(path: str, importer: str) -> tuple[int, int, str]:
    """How far a file is from one that names it: most folders in common first."""
    here, there = importer.split("/"), path.split("/")
    shared = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return (-shared, len(there), path)


def _all_arrays(values: Values) -> bool:
    return bool(values) and all(isinstance(v, Foreign) and v.name == ARRAY for v in values)


def _keyword(view: View, argument: int) -> str:
    """The name that an argument is given under, "" where there is none."""
    e = view.exprs[argument] if argument != NONE else ()
    return str(e[1]) if e and e[0] == Op.KEYWORD else ""


def _in_order(header: Header, names: list[str]) -> Header:
    """A header as a call with named arguments sees it: its parameters in the order of the arguments."""
    places = [header.place(name) if name else place for place, name in enumerate(names)]
    if any(place >= len(header.types) for place in places):
        return header
    rest = [i for i in range(len(header.types)) if i not in places]
    return header._replace(types=tuple(header.types[i] for i in (*places, *rest)), variadic=False)
