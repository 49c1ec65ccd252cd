"""PHP: namespaces and imports, classes with traits, declared and documented types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from nav_ls.graph.model import Summary, SymbolRef
from nav_ls.graph.rules.base import Layout, Rules
from nav_ls.graph.values import UNKNOWN, ClassOf, Foreign, Function, Instance, TypeVariable, Value, Values, merge
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, TYPE_KINDS, Binding, Import, Op, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Ancestry, Inference
    from nav_ls.graph.project import Project

FAMILY = "php"
_KEY = "phpname\0"
_FILE = "phpfile\0"
_LISTS = frozenset(
    {"array_filter", "array_values", "array_reverse", "array_slice", "array_unique", "iterator_to_array"}
)
_BARE = frozenset({"array", "iterable", "list"})
_TAKEN = frozenset(
    f"list.{m}"
    for m in ("dequeue", "pop", "shift", "top", "bottom", "current", "extract", "offsetGet", "first", "last")
)
_SHAPE = "tuple:"
_DOUBLES = frozenset(
    "createMock createStub createConfiguredMock createConfiguredStub createPartialMock createTestProxy mock spy "
    "getMockForAbstractClass getMockForTrait getMockBuilder prophesize".split()
)
"""Methods of PHPUnit, Prophecy and Mockery that make a double of the class that they are given."""
_BUILDERS = frozenset({"getMockBuilder", "prophesize"})
_BUILT = frozenset({"getMock", "getMockForAbstractClass", "reveal"})
_BUILDER = "double"
_HOLDING = frozenset({"list", _BUILDER})
_GIVEN: dict[str, Mapping[int, int]] = {
    "array_map": {place: place + 1 for place in range(8)},
    "array_reduce": {1: 0},
    **{name: {0: 0} for name in ("array_walk", "array_find", "array_any", "array_all", "array_filter")},
    **{name: {0: 0, 1: 0} for name in ("usort", "uasort", "array_udiff", "array_uintersect")},
}
"""Function → place of a parameter of the closure that it is given → which of its arguments holds what that gets."""
_ITEMS = frozenset({"reset", "end", "current", "array_pop", "array_shift", "next", "prev"})


class PhpLayout(Layout):
    """Full names (`App\\Models\\User`, `App\\helper()`) → where they are declared."""

    def __init__(self, project: Project):
        super().__init__(project)
        self._names: dict[str, set[tuple[str, int]]] = {}
        self._files: dict[str, list[str]] = {}
        for path in sorted(project.paths_of(FAMILY)):
            self._files.setdefault(path.rpartition("/")[2], []).append(path)
            self._add(path, project.summaries[path])

    def _full_names(self, summary: Summary) -> list[tuple[str, int]]:
        out = []
        for place, entry in enumerate(summary.entries):
            if entry.kind in TYPE_KINDS or entry.kind == "function":
                name = entry.qual + ("()" if entry.kind == "function" else "")
                out.append(((f"{summary.package}\\{name}" if summary.package else name).lower(), place))
        return out

    def _add(self, path: str, summary: Summary) -> None:
        for name, place in self._full_names(summary):
            self._names.setdefault(name, set()).add((path, place))

    def find(self, full: str) -> list[tuple[str, int]]:
        """Where a full name is declared: (path, symbol index)."""
        return sorted(self._names.get(full.lower(), ()))

    def file(self, importer: str, name: str) -> str | None:
        """The file of an include."""
        candidates = self._files.get(name.rpartition("/")[2], [])
        folder = importer.rpartition("/")[0]
        beside = f"{folder}/{name}" if folder else name
        if beside in candidates:
            return beside
        fitting = [c for c in candidates if ("/" + c).endswith("/" + name.lstrip("./"))]
        return fitting[0] if len(fitting) == 1 else None

    def changed(self, path: str, before: Summary | None, after: Summary | None) -> set[str]:
        old = {n for n, _ in self._full_names(before)} if before else set()
        new = {n for n, _ in self._full_names(after)} if after else set()
        keys = {_KEY + n for n in old ^ new}
        if before is None or after is None:
            return keys | {_FILE + path.rpartition("/")[2]}
        for group in self._names.values():
            if any(p == path for p, _ in group):
                group.difference_update({item for item in group if item[0] == path})
        self._add(path, after)
        return keys

    def stale(self, path: str, before: Summary | None, after: Summary | None) -> bool:
        return (before is None) != (after is None)


class PhpRules(Rules):
    """PHP's answers."""

    resolves_names = True
    functions_nest = False
    declared_wins = True

    def layout(self, infer: Inference) -> PhpLayout:
        """The family's layout."""
        return cast(PhpLayout, infer.project.layout(FAMILY))

    # --- names

    def resolve_name(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> Values:
        if name.startswith("$"):
            found = infer.lookup(view, scope, name, pos)
            if not found or view.function_scope(found[0].scope) != view.function_scope(scope):
                return UNKNOWN
            return merge(*(infer.binding(view, b) for b in found))
        if name in ("self", "static"):
            owner = view.enclosing_symbol(scope, TYPE_KINDS)
            return (ClassOf(view.ref(owner)),) if owner != NONE else UNKNOWN
        return infer.query(("n", view.path, name), view.path, lambda: self._named(infer, view, name), UNKNOWN)

    def _named(self, infer: Inference, view: View, name: str) -> Values:
        """A class or (with brackets) a function: imported, in the namespace, or global."""
        if name.startswith("\\"):
            return self._full(infer, name[1:]) or (Foreign(name[1:]),)
        first, _, rest = name.partition("\\")
        for b in view.named(0, first):
            if b.kind == "import":
                module = view.facts.imports[b.value].module
                full = f"{module}\\{rest}" if rest else module + ("()" if name.endswith("()") else "")
                return self._full(infer, full) or (Foreign(full),)
        own = [b for b in view.named(0, name) if b.kind == "def"]
        if own:
            return infer.binding(view, own[-1])
        package = view.facts.package
        if package:
            found = self._full(infer, f"{package}\\{name}")
            if found:
                return found
        if not package or name.endswith("()"):
            return self._full(infer, name) or (Foreign(name),)
        return (Foreign(name),)

    def _full(self, infer: Inference, full: str) -> Values:
        infer.note_key(_KEY + full.lower())
        out: list[Value] = []
        for path, index in self.layout(infer).find(full):
            view = infer.view(path)
            if view is None:
                continue
            infer.note(path, view.symbols[index].qual)
            ref = view.ref(index)
            out.append(Function(ref) if full.endswith("()") else ClassOf(ref))
        return tuple(out[:4])

    def imported(self, infer: Inference, view: View, imp: Import) -> Values:
        full = imp.module + ("()" if imp.kind == "function" else "")
        return self._full(infer, full) or (Foreign(full),)

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        if imp.kind == "include":
            infer.note_key(_FILE + imp.module.rpartition("/")[2])
            path = self.layout(infer).file(view.path, imp.module)
            return [(path, "")] if path is not None else []
        found = self.imported(infer, view, imp)
        inside = [(v.ref[0], "") for v in found if isinstance(v, (ClassOf, Function))]
        return inside or [("", imp.module.partition("\\")[0])]

    # --- types

    def as_type(self, infer: Inference, values: Values) -> Values:
        out: list[Value] = []
        for value in values:
            if isinstance(value, ClassOf):
                out.append(Instance(value.ref, value.args))
            elif isinstance(value, (Foreign, TypeVariable)):
                out.append(value)
        return tuple(dict.fromkeys(out))

    def called(self, infer: Inference, symbol: Symbol, ref: SymbolRef, result: Values) -> Values:
        """A mere array is what an overridden method says it is."""
        if result and all(isinstance(v, Foreign) and v.name in _BARE and not v.args for v in result):
            return self._inherited_result(infer, symbol, ref) or result
        return result

    def _inherited_result(self, infer: Inference, symbol: Symbol, ref: SymbolRef) -> Values:
        """What the nearest overridden method yields."""
        found = infer.symbol(ref)
        owner = found[0].ref(symbol.parent) if found is not None and symbol.parent != NONE else None
        member = infer.member(owner, symbol.name, owner)[0] if owner is not None else None
        home = infer.view(member.path) if member is not None and member.symbols else None
        return (
            infer.unbound_returns(home.ref(member.symbols[0])) if member is not None and home is not None else UNKNOWN
        )

    def bind_self(self, infer: Inference, result: Values, receiver: Value | None) -> Values:
        """`static` is the class that the method was called on."""
        if not any(isinstance(v, Foreign) and v.name == "static" for v in result):
            return result
        own: Values = (Instance(receiver.ref),) if isinstance(receiver, (Instance, ClassOf)) else UNKNOWN
        return merge(own, tuple(v for v in result if not (isinstance(v, Foreign) and v.name == "static")))

    def value_symbol(self, infer: Inference, view: View, index: int) -> Values:
        return (ClassOf(view.ref(index)),) if view.symbols[index].kind == "anonymous" else UNKNOWN

    def receiver_of(self, infer: Inference, view: View, index: int) -> Instance | None:
        parent = view.symbols[index].parent
        if parent != NONE and view.symbols[parent].kind in TYPE_KINDS | {"anonymous"}:
            return Instance(view.ref(parent))
        return None

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        symbol = view.symbols[index]
        symbols = tuple(
            i
            for i in view.children.get(index, ())
            if view.symbols[i].name.lower() == name.lower() and view.symbols[i].kind in CALLABLE_KINDS
        )
        if symbols or symbol.scope == NONE:
            return symbols[:1], ()
        return (), tuple(b for b in view.named(symbol.scope, name) if b.kind == "field")

    def missing_member(self, infer: Inference, value: Instance | ClassOf, name: str, line: Ancestry) -> Values:
        if line.foreign and not line.open:
            return (Foreign(f"{line.foreign[0]}.{name}"),)
        return UNKNOWN

    def constructors(self) -> tuple[str, ...]:
        return ("__construct",)

    def instance_call(self) -> str:
        return "__invoke"

    # --- what comes from outside

    def foreign_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        return (Foreign(f"{value.name}.{name}", value.args if value.name in _HOLDING else ()),)

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        name = value.name.removesuffix("()").rpartition("\\")[2]
        if name == "function":
            return value.args[0] if value.args else UNKNOWN
        if name == "array_merge":
            return merge(*(infer.eval(view, a) for a in args)) if args else UNKNOWN
        if name in _LISTS and args:
            return infer.eval(view, args[0])
        if name in _TAKEN and value.args:
            return value.args[0]
        holder, _, method = name.rpartition(".")
        if holder == _BUILDER:
            return value.args[0] if method in _BUILT else (Foreign(_BUILDER, value.args),)
        if method in _DOUBLES and holder and args:
            double = self.as_type(infer, infer.eval(view, args[0]))
            return (Foreign(_BUILDER, (double,)),) if method in _BUILDERS else double
        if name in _ITEMS and args:
            return self.element(infer, infer.eval(view, args[0]))
        if name == "array_map" and len(args) > 1:
            made = merge(*(infer.result(view, f, ()) for f in infer.eval(view, args[0])))
            return (Foreign("list", (made,)),)
        return (Foreign(value.name + "()"),)

    def narrowed(self, infer: Inference, view: View, values: Values, how: str, test: int) -> Values:
        """What is of the repository loses nothing by being something from outside too."""
        kinds = infer.type_of(view, test)
        if values and all(isinstance(k, Foreign) for k in kinds):
            return values
        return self.sorted_out(infer, values, kinds, how == "instance")

    def evaluate(self, infer: Inference, view: View, e: tuple[Any, ...], index: int) -> Values:
        if e[0] != Op.HANDED:
            return UNKNOWN
        given = view.exprs[e[4]][2:] if view.exprs[e[4]][0] == Op.CALL else ()
        out: list[Values] = []
        for value in infer.eval(view, e[1]):
            if isinstance(value, Function):
                out.append(self._taken_by(infer, view, value, e[2], e[3]))
            elif isinstance(value, Foreign):
                place = _GIVEN.get(value.name.removesuffix("()").rpartition("\\")[2], {}).get(e[3], NONE)
                if 0 <= place < len(given):
                    out.append(self.element(infer, infer.eval(view, given[place])))
        return merge(*out) if out else UNKNOWN

    def _taken_by(self, infer: Inference, view: View, value: Function, argument: int, place: int) -> Values:
        """What a function of the repository says that it hands to a closure."""
        found = infer.symbol(value.ref)
        if found is None or argument >= len(found[1].params):
            return UNKNOWN
        declared = infer.type_of(found[0], found[1].params[argument].type)
        functions = [v for v in declared if isinstance(v, Foreign) and v.name == "function" and place + 1 < len(v.args)]
        known = merge(*(v.args[place + 1] for v in functions)) if functions else UNKNOWN
        return tuple(v for v in known if not isinstance(v, TypeVariable))

    def generic_or_item(self, infer: Inference, view: View, value: Foreign, keys: tuple[int, ...]) -> Values:
        """`$shape['key']` is what the shape says."""
        key = view.exprs[keys[0]] if keys and keys[0] != NONE else (Op.TEXT,)
        parts = _shape(value)
        return parts[key[2]] if key[0] == Op.CONST and key[2] in parts else self.element(infer, (value,))

    def element(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.args:
                out.append(merge(*value.args) if value.name.startswith(_SHAPE) else value.args[0])
            elif isinstance(value, Instance):
                out.append(infer.iterated(value, self._iterated))
        return merge(*out) if out else UNKNOWN

    def _iterated(self, infer: Inference, value: Instance) -> Values:
        """What an iterator hands out, or the one that an `IteratorAggregate` makes."""
        view = infer.view(value.ref[0])
        if view is None:
            return UNKNOWN
        given = infer.call_member(view, value, "current")
        return given or self.element(infer, infer.call_member(view, value, "getIterator"))

    def item(self, infer: Inference, values: Values, place: int) -> Values:
        return merge(*(_shape(v).get(str(place)) or self.element(infer, (v,)) for v in values)) if values else UNKNOWN


def _shape(value: Value) -> dict[str, Values]:
    """Key → type of what a shape (`array{0: A, b: B}`) has there; empty for anything else."""
    if not isinstance(value, Foreign) or not value.name.startswith(_SHAPE):
        return {}
    return dict(zip(value.name.removeprefix(_SHAPE).split(","), value.args, strict=False))


RULES = {"php": PhpRules}
LAYOUT = PhpLayout
