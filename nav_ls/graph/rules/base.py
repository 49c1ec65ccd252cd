"""What differs between languages when names are linked.

`Rules` answers the questions that inference asks; its defaults suit a language with lexical scopes and
classes.  A `Layout` knows how a family's imports find files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from nav_ls.graph.model import Relation, Summary, SymbolRef
from nav_ls.graph.values import (
    UNKNOWN,
    ClassOf,
    Foreign,
    Function,
    Instance,
    Record,
    TypeVariable,
    Value,
    Values,
    merge,
)
from nav_ls.graph.view import View
from nav_ls.syntax.facts import NONE, TYPE_KINDS, Binding, Import, Site, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Ancestry, Env, Inference, Member
    from nav_ls.graph.project import Project


class Layout:
    """Where a family's modules lie.  Built from paths, summaries and manifests; rebuilt when `stale`."""

    manifests: ClassVar[frozenset[str]] = frozenset()
    """Names of the manifest files that it reads."""

    def __init__(self, project: Project):
        self.project = project

    def changed(self, path: str, before: Summary | None, after: Summary | None) -> set[str]:
        """Keys of this layout that a change of one file touches."""
        return set()

    def reads(self, name: str) -> bool:
        """Does it read manifest files of this name?"""
        return name in self.manifests

    def manifest_changed(self, path: str) -> set[str]:
        """A manifest was edited, appeared or vanished: forget what was read, name the keys that it touches."""
        return set()

    def stale(self, path: str, before: Summary | None, after: Summary | None) -> bool:
        """Must the layout be built anew?"""
        return (before is None) != (after is None) or (
            before is not None and after is not None and before.package != after.package
        )


class Rules:
    """One language.  Stateless: everything comes in through `infer`."""

    class_scopes_nest = True
    """Do functions inside a class see its members as bare names?  (Python: no)"""

    declared_wins = True
    """Does a declared type hold whatever is assigned?  (Python narrows on assignment)"""

    flow_sensitive = True
    """Does the last assignment before a use decide?"""

    index_applies = True
    """Does `Class[...]` apply a generic class or function?  (JavaScript: it reads a member)"""

    functions_nest = True
    """Do functions see the local variables around them?  (PHP, Ruby: no)"""

    redeclares = False
    """Does a declaration assign to what its own block has declared under that name?  (Go: `:=`)"""

    own_names = False
    """Does the language look up members and `this` by its own rules (`class_member`, `this`)?"""

    type_kinds: ClassVar[frozenset[str]] = TYPE_KINDS
    """Kinds of symbols that have bases and members."""

    receiver_names: frozenset[str] = frozenset()

    nominal = True
    """Do methods override those of the same name in the declared bases?  (Go: no, see `relations`)"""

    types_are_called = True
    """Is `T(..)` a call of T?  (Go: a conversion; Rust: neutral construction)"""

    inherits_constructors = False
    """Does constructing a class without a constructor of its own run that of an ancestor, arguments and all?"""

    resolves_names = False
    """Does the language look names up by `resolve_name` instead of by lexical scopes alone?"""

    # --- names

    def resolve_name(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> Values:
        """What a bare name stands for, where `resolves_names`."""
        return UNKNOWN

    def free_name(self, infer: Inference, view: View, name: str, scope: int, pos: int) -> Values:
        """A name that no scope of the file binds: package scope, implicit imports, built-ins."""
        return UNKNOWN

    def imported(self, infer: Inference, view: View, imp: Import) -> Values:
        """What an import binds."""
        return UNKNOWN

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        """Files (path, "") and outside packages ("", name) that an import makes this file depend on."""
        return []

    def module_member(self, infer: Inference, path: str, name: str) -> Values:
        """`module.name` from outside."""
        return infer.top_level(path, name)

    def named_variables(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> tuple[SymbolRef, ...]:
        """The variables that a bare name means."""
        if self.resolves_names:
            return ()
        found = infer.lookup(view, scope, name, pos)
        return self.free_variables(infer, view, name) if found is None else infer.variables(view, found)

    def free_variables(self, infer: Inference, view: View, name: str) -> tuple[SymbolRef, ...]:
        """The variables that a name means which no scope of the file binds."""
        return ()

    def imported_variables(self, infer: Inference, view: View, b: Binding) -> tuple[SymbolRef, ...]:
        """The variables of other files that a binding brings under its name; none where it is no import."""
        return ()

    def module_variables(self, infer: Inference, path: str, name: str) -> tuple[SymbolRef, ...]:
        """The variables that `module.name` means from outside."""
        return infer.top_level_variables(path, name)

    def package_variables(self, infer: Inference, package: str, name: str) -> tuple[SymbolRef, ...]:
        """The variables that `package.name` means."""
        return ()

    def member_variables(self, infer: Inference, value: Instance | ClassOf, name: str) -> tuple[SymbolRef, ...]:
        """The fields and constants that `value.name` means."""
        return infer.member_variables(value.ref, self.member_key(value, name)) or ()

    def record_variables(self, infer: Inference, value: Record, name: str) -> tuple[SymbolRef, ...]:
        """The properties of an object type that `value.name` means."""
        return ()

    def other_variables(self, infer: Inference, view: View, e: tuple[Any, ...]) -> tuple[SymbolRef, ...]:
        """The variables that an expression of the language's own means."""
        return ()

    def unwrapped(self, values: Values) -> Values:
        """Whose fields are meant where something is taken from values: what is inside of boxes and the like."""
        return values

    def package_member(self, infer: Inference, package: str, name: str) -> Values:
        """`package.name`."""
        return UNKNOWN

    def class_member(
        self, infer: Inference, view: View, value: Instance | ClassOf, name: str, after: SymbolRef | None
    ) -> Values:
        """`value.name`, in languages with `own_names`; `after`: only ancestors behind that one."""
        return UNKNOWN

    # --- overloads and anonymous functions

    def select(self, infer: Inference, view: View, callee: Values, args: tuple[int, ...]) -> Values:
        """Of what a callee stands for, what a call with these arguments runs."""
        return callee

    def selected(self, infer: Inference, view: View, callee: Values, expected: int) -> Values:
        """Of what a method reference stands for, what it means where the type `expected` is wanted."""
        return callee

    def argument(self, infer: Inference, view: View, call: int, place: int) -> Values:
        """What the callee of a call declares its n-th argument to be."""
        return UNKNOWN

    def function_part(self, infer: Inference, values: Values, place: int) -> Values:
        """The n-th parameter of a function type; -1: its result."""
        return UNKNOWN

    def learn(self, infer: Inference, declared: Instance | Foreign, given: Values, env: Env) -> None:
        """Learn type parameters from arguments that `unify` does not understand (functions, subclasses)."""

    def learn_arguments(
        self, infer: Inference, view: View, function: Function, args: tuple[int, ...], env: Env, functions: bool
    ) -> None:
        """Learn type parameters from a call's arguments, in languages with `own_names`.

        `functions`: from what anonymous functions among them return, too.
        """

    def binary(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values | None:
        """`left op right` by the language's own rules; None for the default."""
        return None

    # --- types

    def literal(self, name: str, elements: tuple[Values, ...]) -> Values:
        """The value of a literal."""
        return (Foreign(name, elements),)

    def as_type(self, infer: Inference, values: Values) -> Values:
        """An expression in type position: what a value declared so is."""
        out: list[Values] = []
        for value in values:
            if isinstance(value, ClassOf):
                out.append((Instance(value.ref, value.args),))
            elif isinstance(value, (Function, Instance)):
                continue
            else:
                out.append((value,))
        return tuple(dict.fromkeys(v for group in out for v in group))

    def ancestry_order(self, infer: Inference, ref: SymbolRef, bases: list[tuple[Values, str]]) -> Ancestry | None:
        """A language's own order of look-up; None for depth first."""
        return None

    def foreign_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        """A member of something from outside."""
        return (Foreign(f"{value.name}.{name}"),)

    def variable_attr(self, infer: Inference, view: View, value: TypeVariable, name: str) -> Values:
        """A member of a value whose type is a parameter: what its bound has."""
        return infer.attr(view, infer.bound_of(value), name)

    def foreign_attr(self, infer: Inference, view: View, value: Foreign, name: str) -> Values:
        """A member of something from outside, seen from a file."""
        return self.foreign_member(infer, value, name)

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        """What calling something from outside yields."""
        return (Foreign(value.name + "()"),)

    def foreign_index(self, infer: Inference, value: Foreign, keys: tuple[Values, ...]) -> Values:
        """`value[key]`."""
        return value.args[-1] if value.args else UNKNOWN

    def with_items(self, infer: Inference, container: Values, items: Values) -> Values:
        """A container that was filled by `name[key] = item`: what it holds now."""
        out = tuple(
            Foreign(v.name, (*v.args[:-1], merge(v.args[-1], items)) if v.args else (items,))
            if isinstance(v, Foreign) and v.name in ("list", "set")
            else Foreign(
                "dict", (v.args[0] if v.args else UNKNOWN, merge(v.args[1] if len(v.args) > 1 else UNKNOWN, items))
            )
            if isinstance(v, Foreign)
            and v.name.rpartition(".")[2].rstrip("()") in ("dict", "OrderedDict", "defaultdict")
            else v
            for v in container
        )
        return out or container

    def element(self, infer: Inference, values: Values) -> Values:
        """What iterating over `values` yields."""
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign):
                out.append(value.args[0] if value.args else UNKNOWN)
        return tuple(dict.fromkeys(v for group in out for v in group))

    def item(self, infer: Inference, values: Values, place: int) -> Values:
        """The n-th part of an unpacked value."""
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.args:
                out.append(
                    value.args[place]
                    if value.name == "tuple" and place < len(value.args)
                    else value.args[0]
                    if value.name != "tuple"
                    else UNKNOWN
                )
        return tuple(dict.fromkeys(v for group in out for v in group))

    def narrowed(self, infer: Inference, view: View, values: Values, how: str, test: int) -> Values:
        """What a condition leaves of a value.

        how: "instance" | "no instance" of the classes `test`, "passes" | "fails" the type guard `test`; what else
        there is, the languages add.
        """
        if how in ("passes", "fails"):
            kinds = self._guarded(infer, view, infer.eval(view, test))
            return self.sorted_out(infer, values, kinds, how == "passes") if kinds else values
        return self.sorted_out(infer, values, infer.type_of(view, test), how == "instance")

    def _guarded(self, infer: Inference, view: View, callee: Values) -> Values:
        """What a type guard says that its argument is; unknown where the callee is none, or where that depends on the call."""
        said = [
            v.args[0] for f in callee for v in infer.result(view, f, ()) if isinstance(v, Foreign) and v.name == "is"
        ]
        kinds = merge(*said) if said else UNKNOWN
        return UNKNOWN if any(isinstance(k, TypeVariable) for k in kinds) else kinds

    def sorted_out(self, infer: Inference, values: Values, kinds: Values, wanted: bool) -> Values:
        """The possibilities that are of some kinds, or those that are not.  What is one of them is at least that kind."""
        if len(values) < 2 and not wanted:
            return values
        refs = {k.ref for k in kinds if isinstance(k, Instance)}
        names = {k.name for k in kinds if isinstance(k, Foreign)}
        fitting = [
            v
            for v in values
            if (isinstance(v, Instance) and any(owner in refs for owner, _ in infer.ancestry(v.ref).entries))
            or (isinstance(v, Foreign) and v.name in names)
        ]
        return tuple(fitting) or kinds if wanted else tuple(v for v in values if v not in fitting)

    def awaited(self, infer: Inference, values: Values) -> Values:
        """`await value`."""
        return values

    def dereferenced(self, infer: Inference, view: View, operand: int, how: str) -> Values:
        """What a pointer-like operand leads to: `*x` ("*"), `x->` ("->"), `x[i]` ("[]")."""
        return infer.eval(view, operand)

    def entered(self, infer: Inference, values: Values) -> Values:
        """`with value as x`."""
        return values

    def parameter(self, infer: Inference, view: View, binding: Binding) -> Values:
        """A parameter without a declared type."""
        return UNKNOWN

    def called(self, infer: Inference, symbol: Symbol, ref: SymbolRef, result: Values) -> Values:
        """What calling a function yields, given what its body or annotation says."""
        return result

    def decorated(self, infer: Inference, view: View, index: int) -> Values | None:
        """What a decorated name stands for; None where decoration changes nothing that matters."""
        return None

    def generic_or_item(self, infer: Inference, view: View, value: Foreign, keys: tuple[int, ...]) -> Values:
        """`value[...]` on something from outside: an item, or (in types) the application of a generic."""
        return self.foreign_index(infer, value, tuple(infer.eval(view, k) for k in keys))

    def indexed(self, infer: Inference, view: View, value: Value, keys: tuple[int, ...]) -> Values:
        """`value[...]` on anything that is no class, no function and not from outside."""
        return infer.call_member(view, value, self.index_member()) if isinstance(value, Instance) else UNKNOWN

    def receiver_env(self, infer: Inference, view: View, symbol: Symbol, function: Function, env: Env) -> None:
        """Fill in type parameters that stand for a method's receiver."""

    def implied_bound(self, infer: Inference, variable: TypeVariable) -> Values:
        """The bound of a type variable that is no declared parameter."""
        return UNKNOWN

    def instance_called(
        self, infer: Inference, view: View, value: Instance | TypeVariable, args: tuple[int, ...]
    ) -> Values:
        """What calling an instance yields."""
        return infer.call_member(view, value, self.instance_call())

    def type_variable(self, infer: Inference, view: View, owner: int, name: str) -> Values:
        """What a type parameter that the symbol `owner` declares stands for."""
        return (TypeVariable(name, view.ref(owner)),)

    def constructed(self, infer: Inference, view: View, value: ClassOf, args: tuple[int, ...]) -> Values:
        """What calling a class yields."""
        return (Instance(value.ref, value.args),)

    def bind_self(self, infer: Inference, result: Values, receiver: Value | None) -> Values:
        """Put the receiver in the place of a "self type" in a method's result."""
        return result

    def returned(self, infer: Inference, view: View, index: int) -> Values:
        """What a returned expression says about a function's result."""
        return infer.eval(view, index)

    def variable_bound(self, infer: Inference, view: View, name: str) -> Values:
        """The bound of a type variable that is not a type parameter of a definition."""
        return UNKNOWN

    def evaluate(self, infer: Inference, view: View, e: tuple[Any, ...], index: int) -> Values:
        """An expression whose operator only this language has."""
        return UNKNOWN

    def named_members(
        self, infer: Inference, view: View, scope: int, name: str, pos: int
    ) -> list[tuple[SymbolRef, Symbol]]:
        """The fields and properties that a bare name means, in languages with `own_names`."""
        return []

    def this(self, infer: Inference, view: View, scope: int) -> Values | None:
        """The receiver as seen from a scope; None for the usual answer (the innermost method's type)."""
        return None

    def other_result(self, infer: Inference, view: View, value: Value, args: tuple[int, ...]) -> Values:
        """What calling a value yields that is none of the usual callables."""
        return UNKNOWN

    def other_new(self, infer: Inference, view: View, value: Value, args: tuple[int, ...]) -> Values:
        """What constructing yields where the callee is no class of the repository."""
        if isinstance(value, Function):
            return (Instance(value.ref),)
        return (value,) if isinstance(value, Foreign) else UNKNOWN

    # --- containers of names

    def namespace_value(self, infer: Inference, view: View, index: int) -> Values:
        """What the name of a namespace or inline module stands for."""
        return (ClassOf(view.ref(index)),)

    def value_symbol(self, infer: Inference, view: View, index: int) -> Values:
        """What the name of a variable, constant or type alias stands for (where rules make symbols of them)."""
        return UNKNOWN

    # --- classes

    def bases(self, infer: Inference, view: View, symbol: Symbol, ref: SymbolRef) -> list[tuple[Values, str]]:
        """Direct bases: (what the base expression stands for, relation kind)."""
        kinds = symbol.base_kinds or ("inherits",) * len(symbol.bases)
        return [(infer.eval(view, b), kind) for b, kind in zip(symbol.bases, kinds, strict=False)]

    def type_param_names(
        self, infer: Inference, view: View, symbol: Symbol, ref: SymbolRef
    ) -> list[tuple[SymbolRef, str]]:
        """The type parameters of a class in order, as (owner, name)."""
        return [(ref, p.name) for p in symbol.type_params]

    def root_bound(self, infer: Inference) -> Values:
        """What a type parameter without a bound is bounded by."""
        return UNKNOWN

    def receiver_of(self, infer: Inference, view: View, index: int) -> Instance | None:
        """The type whose method this symbol is; None for plain functions."""
        parent = view.symbols[index].parent
        if parent != NONE and view.symbols[parent].kind in TYPE_KINDS:
            return Instance(view.ref(parent))
        return None

    def relations(self, infer: Inference, view: View) -> list[Relation]:
        """Relations of a file's definitions besides those to their declared bases."""
        return []

    # --- members

    def outside_member(self, infer: Inference, view: View, index: int, name: str) -> Member | None:
        """A member that is written in another file than its class."""
        return None

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        """What a class itself declares under a name: symbols, or else field bindings."""
        symbol = view.symbols[index]
        symbols = tuple(i for i in view.by_qual.get(f"{symbol.qual}.{name}", ()) if view.symbols[i].parent == index)
        if symbols or symbol.scope == NONE:
            return symbols, ()
        return (), tuple(b for b in view.named(symbol.scope, name) if b.kind != "typeparam")

    def member_name(self, symbol: Symbol) -> str:
        """The name under which `members` finds a callable."""
        return symbol.name

    def overridden(
        self, infer: Inference, view: View, index: int, other: View, candidates: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Of an ancestor's members of the same name, those that a method overrides."""
        return candidates

    def member_key(self, value: Value, name: str) -> str:
        """The name under which a member of `value` is looked up: languages that part static members mark it."""
        return name

    def missing_member(self, infer: Inference, value: Instance | ClassOf, name: str, line: Ancestry) -> Values:
        """A member that no ancestor inside the repository has."""
        if line.foreign and not line.open:
            return (Foreign(f"{line.foreign[0]}.{name}"),)
        return UNKNOWN

    def field_value(self, infer: Inference, value: Instance | ClassOf, values: Values) -> Values:
        """What a field holds, seen from a value."""
        return values

    def function_member(self, infer: Inference, value: Value, name: str) -> Values:
        """A member of a function or closure."""
        return (Foreign("function." + name),)

    def index_member(self) -> str:
        """The member behind `value[key]`."""
        return ""

    def indexers(
        self, infer: Inference, view: View, value: Instance | ClassOf, args: tuple[int, ...]
    ) -> list[SymbolRef]:
        """What `value[args]` runs, in languages with `own_names`."""
        return []

    def operator_member(self, operator: str) -> str:
        """The member behind a binary operator."""
        return ""

    def constructors(self) -> tuple[str, ...]:
        """Names of constructor members."""
        return ()

    def instance_call(self) -> str:
        """The member that runs when an instance is called."""
        return ""

    def canonical(self, infer: Inference, ref: SymbolRef) -> tuple[SymbolRef, ...]:
        """The definitions that a declaration stands for (prototype → definition, overloads → implementation)."""
        return (ref,)

    def pick(self, infer: Inference, view: View, candidates: list[int], site_args: int, mode: str) -> list[int]:
        """Among several members of one name: the one that this use means (overloads, accessors)."""
        return candidates

    def bind_values(self, infer: Inference, view: View, site: Site, values: Values) -> list[SymbolRef] | None:
        """The definitions that a call means, where all that its name stands for must be weighed together."""
        return None

    def evidence(self, view: View, index: int, values: Values) -> str:
        """How sure a call is, where the form of its callee does not tell; "" where it does."""
        return ""

    def bind_call(self, infer: Inference, target: View, index: int, view: View, site: Site) -> list[SymbolRef] | None:
        """The definitions that a call of a function means, where overloads are told apart by more than a count."""
        return None

    def call_kind(self, infer: Inference, ref: SymbolRef) -> str:
        """The kind of edge that a call leads along (expanding a macro is no call)."""
        return "calls"

    def construct(self, infer: Inference, value: ClassOf, view: View, site: Site) -> list[SymbolRef] | None:
        """What constructing a class calls, where its constructors are not members of fixed names."""
        return None

    def implied(self, infer: Inference, view: View, value: Instance | ClassOf | Function, name: str) -> list[SymbolRef]:
        """The definitions that a construct runs for a value without naming them.

        `name`: the first member that runs; "": a class is constructed, and its own constructors are named by that.
        """
        for constructor in self.constructors() if isinstance(value, ClassOf) else ():
            member, _ = infer.member(value.ref, constructor)
            home = infer.view(member.path) if member is not None else None
            if member is not None and home is not None and member.symbols:
                return [home.ref(member.symbols[-1])] if name or member.owner != value.ref else []
        return []

    def declares(self, infer: Inference, view: View, index: int) -> tuple[SymbolRef, ...]:
        """The definitions elsewhere that this declaration stands for."""
        return ()

    def accessor_kind(self, use: str) -> str:
        """The kind of edge from a use of a property to its accessor."""
        return "accesses"

    def access_calls(self, symbol: Symbol, use: str) -> bool:
        """Does reading, writing or deleting this member run code?"""
        return symbol.kind == "property"
