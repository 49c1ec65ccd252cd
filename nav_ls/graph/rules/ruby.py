"""Ruby: constants by nesting, classes that are open in many files, mixins, and implicit receivers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, cast

from nav_ls.graph.infer import Ancestry, Member
from nav_ls.graph.model import Summary, SymbolRef
from nav_ls.graph.project import name_key
from nav_ls.graph.rules.base import Layout, Rules
from nav_ls.graph.values import UNKNOWN, ClassOf, Foreign, Function, Instance, Value, Values, merge
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, Binding, Flag, Import, Site, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Inference
    from nav_ls.graph.project import Project

FAMILY = "ruby"
_KEY = "rbname\0"
_FILE = "rbfile\0"
_INCLUDED = "rbincluded\0"
_CONTAINERS = frozenset({"class", "module"})
_METHODS = frozenset({"method", "function", "property"})
_SAME = frozenset(
    {
        "select", "filter", "reject", "sort_by", "sort", "reverse", "compact", "uniq", "first_n", "take", "drop", "to_a",
        "each", "find_all", "take_while", "drop_while", "shuffle", "dup", "freeze", "flatten", "each_with_index", "concat", "push",
    }
)  # fmt: skip
_ONE = frozenset(
    {"first", "last", "find", "detect", "pop", "shift", "sample", "min_by", "max_by", "fetch", "delete_at", "dig"}
)

_CORE = frozenset(
    """
    Array BasicObject Binding Class Comparable Complex Data Dir ENV Encoding Enumerable Enumerator Exception FalseClass
    Fiber File FileTest Float GC Hash IO Integer Kernel Marshal Math Method Module Mutex NilClass Numeric Object
    ObjectSpace Proc Process Queue Ractor Random Range Rational Regexp RubyVM Set Signal SizedQueue StandardError String
    StringIO Struct Symbol Thread Time TracePoint TrueClass UnboundMethod Warning
    ArgumentError EOFError FrozenError IOError IndexError Interrupt KeyError LoadError NameError NoMethodError
    NotImplementedError RangeError RuntimeError ScriptError SecurityError StopIteration SyntaxError SystemExit
    SystemCallError TypeError ZeroDivisionError
    """.split()
)
"""Constants that every program has: where no scope around a name opens one, it is that of the language."""


class RubyLayout(Layout):
    """Qualified names → files, and where `require` finds files."""

    def __init__(self, project: Project):
        super().__init__(project)
        self._names: dict[str, set[str]] = {}
        self._files: dict[str, list[str]] = {}
        self._included: dict[str, str] = {}  # file → the modules that it includes outside of any class
        for path in sorted(project.paths_of(FAMILY)):
            self._files.setdefault(path.rpartition("/")[2], []).append(path)
            self._add(path, project.summaries[path])

    def _add(self, path: str, summary: Summary) -> None:
        for qual in summary.offers:
            if not qual.endswith("()") and qual != "*":
                self._names.setdefault(qual, set()).add(path)
        if "included" in summary.extra:
            self._included[path] = summary.extra["included"]

    def included(self) -> list[str]:
        """The full names of the modules that every object has."""
        lines = (self._included[path].replace("::", ".").split() for path in sorted(self._included))
        return list(dict.fromkeys(chain.from_iterable(lines)))

    def offering(self, qual: str) -> list[str]:
        """The files that say something about a qualified name."""
        return sorted(self._names.get(qual, ()))

    def find(self, importer: str, name: str, relative: bool) -> str | None:
        """The file of a `require`."""
        name = name if name.endswith(".rb") else name + ".rb"
        candidates = self._files.get(name.rpartition("/")[2], [])
        parts: list[str] = importer.split("/")[:-1] if relative else []
        for part in name.split("/"):
            if part == "..":
                parts = parts[:-1]
            elif part != ".":
                parts.append(part)
        joined = "/".join(parts)
        if joined in candidates:
            return joined
        fitting = [c for c in candidates if c.endswith("/" + joined)] if not relative else []
        return min(fitting, key=lambda c: (c.count("/"), c)) if fitting else None

    def changed(self, path: str, before: Summary | None, after: Summary | None) -> set[str]:
        old, new = (before.offers if before else {}), (after.offers if after else {})
        keys = {_KEY + q for q in old.keys() | new.keys() if old.get(q) != new.get(q)}
        if before is None or after is None:
            keys.add(_FILE + path.rpartition("/")[2])
        if _including(before) != _including(after):
            keys.add(_INCLUDED)
        if before is None or after is None:
            return keys
        self._included.pop(path, None)
        for qual in old:
            self._names.get(qual, set()).discard(path)
        self._add(path, after)
        return keys

    def stale(self, path: str, before: Summary | None, after: Summary | None) -> bool:
        return (before is None) != (after is None)


def _including(summary: Summary | None) -> str:
    return summary.extra.get("included", "") if summary is not None else ""


class RubyRules(Rules):
    """Ruby's answers."""

    resolves_names = True
    functions_nest = False
    nominal = False

    def layout(self, infer: Inference) -> RubyLayout:
        """The family's layout."""
        return cast(RubyLayout, infer.project.layout(FAMILY))

    # --- names

    def resolve_name(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> Values:
        bare = name.removeprefix("::")
        if bare[:1].isupper():
            start = 0 if name.startswith("::") else scope
            return infer.query(
                ("k", view.path, self._class_scope(view, start), bare),
                view.path,
                lambda: self._constant(infer, view, start, bare),
                UNKNOWN,
            )
        found = self._local(infer, view, scope, name, pos)
        if found is not None:
            return found
        this = infer.this(view, scope)
        values = infer.attr(view, this, name) if this else UNKNOWN
        if not any(isinstance(v, Function) for v in values):
            values = self._of_instances(infer, view, scope, name) or values
        return values or self._top_level(infer, view, name, bool(this))

    def this(self, infer: Inference, view: View, scope: int) -> Values | None:
        """In the body of a class the receiver is the class itself."""
        home = view.scopes[view.function_scope(scope)]
        return (ClassOf(view.ref(home.owner)),) if home.kind == "class" and home.owner != NONE else None

    def _of_instances(self, infer: Inference, view: View, scope: int, name: str) -> Values:
        """A name in a block of a class body (`it`, `before`, `get '/'`): such blocks are often run on an instance."""
        home = view.scopes[view.function_scope(scope)]
        if home.kind != "class" or home.owner == NONE:
            return UNKNOWN
        found = infer.attr(view, (Instance(view.ref(home.owner)),), name)
        return tuple(v for v in found if isinstance(v, Function))

    def _local(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> Values | None:
        """A local variable or parameter: methods and classes do not see those outside."""
        found = infer.lookup(view, scope, name, pos)
        if not found or any(b.kind in ("def", "field") for b in found):
            return None
        home = view.function_scope(scope)
        if view.function_scope(found[0].scope) != home:
            return None
        return merge(*(infer.binding(view, b) for b in found))

    def _class_scope(self, view: View, scope: int) -> int:
        while scope > 0 and view.scopes[scope].kind != "class":
            scope = view.scopes[scope].parent
        return max(scope, 0)

    def _constant(self, infer: Inference, view: View, scope: int, name: str) -> Values:
        for qual in chain(self._candidates(infer, view, scope, name), self._of_all(infer, name)):
            found = self._global(infer, qual)
            if found:
                return found
        return self._outside(infer, name)

    def _candidates(self, infer: Inference, view: View, scope: int, name: str) -> Iterator[str]:
        """The full names that a constant may have: by nesting, globally, by the ancestors of the innermost class."""
        current = self._class_scope(view, scope)
        innermost: SymbolRef | None = None
        while current > 0:
            owner = view.scopes[current].owner
            if owner != NONE:
                symbol = view.symbols[owner]
                innermost = innermost or view.ref(owner)
                yield f"{symbol.qual}.{name}"
            current = self._class_scope(view, view.scopes[current].parent)
        yield name  # before the ancestors, which are found by looking constants up
        if innermost is not None:
            yield from self._inherited(infer, innermost, name)
            around = innermost[1].partition("#")[0]
            while "." in around:  # `class A::B::C` nests in name only, but its neighbours are what is meant
                around = around.rpartition(".")[0]
                yield f"{around}.{name}"

    def _of_all(self, infer: Inference, name: str) -> Iterator[str]:
        """The full names of a constant of the modules that every object has."""
        infer.note_key(_INCLUDED)
        for module in self.layout(infer).included():
            yield f"{module}.{name}"

    def _inherited(self, infer: Inference, ref: SymbolRef, name: str) -> Iterator[str]:
        """The full names that a constant has which a class inherits."""
        for above, _ in infer.ancestry(ref).entries[1:]:
            other = infer.symbol(above)
            if other is not None:
                yield f"{other[1].qual}.{name}"

    def named_variables(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> tuple[SymbolRef, ...]:
        bare = name.removeprefix("::")
        if not bare[:1].isupper():
            return ()
        start = 0 if name.startswith("::") else self._class_scope(view, scope)
        key = ("kv", view.path, start, bare)
        return infer.query(
            key, view.path, lambda: self._first_assigned(infer, self._candidates(infer, view, start, bare)), ()
        )

    def member_variables(self, infer: Inference, value: Instance | ClassOf, name: str) -> tuple[SymbolRef, ...]:
        found = infer.symbol(value.ref)
        if name.startswith("@"):
            return self._everywhere(infer, value.ref, name)
        if found is None or not name[:1].isupper():
            return super().member_variables(infer, value, name)
        own = f"{found[1].qual}.{name}"
        return self._first_assigned(infer, chain((own,), self._inherited(infer, value.ref, name)))

    def _everywhere(self, infer: Inference, ref: SymbolRef, name: str) -> tuple[SymbolRef, ...]:
        """Where the class that has a variable assigns it: each file that opens the class may."""
        owner = infer.member(ref, name)[0]
        found = infer.symbol(owner.owner) if owner is not None else None
        if found is None:
            return ()
        return self._assigned(infer, f"{found[1].qual}.{name}")

    def _first_assigned(self, infer: Inference, quals: Iterable[str]) -> tuple[SymbolRef, ...]:
        return next((found for qual in quals if (found := self._assigned(infer, qual))), ())

    def _assigned(self, infer: Inference, qual: str) -> tuple[SymbolRef, ...]:
        """The constants and fields of a full name that are assigned, and not opened as a class or module."""
        return infer.query(("qv", qual), "", lambda: self._assigned_as(infer, qual), ())

    def _assigned_as(self, infer: Inference, qual: str) -> tuple[SymbolRef, ...]:
        infer.note_key(_KEY + qual)
        views = (infer.view(path) for path in self.layout(infer).offering(qual))
        named = [(view, i) for view in views if view is not None for i in view.by_qual.get(qual, ())]
        return tuple(view.ref(i) for view, i in named if view.symbols[i].kind in ("constant", "field"))

    def _outside(self, infer: Inference, name: str) -> Values:
        if name in _CORE:
            return (Foreign(name),)
        infer.note_key(name_key(FAMILY, name))
        return UNKNOWN if infer.project.named(FAMILY, name) else (Foreign(name),)

    def _global(self, infer: Inference, qual: str) -> Values:
        """A constant by its full name: a class wherever it is opened first, or what is assigned."""
        return infer.query(("q", qual), "", lambda: self._global_of(infer, qual), UNKNOWN)

    def _global_of(self, infer: Inference, qual: str) -> Values:
        infer.note_key(_KEY + qual)
        owner, _, name = qual.rpartition(".")
        assigned: Values = UNKNOWN
        for path in self.layout(infer).offering(qual):
            view = infer.view(path)
            if view is None:
                continue
            for index in view.by_qual.get(qual, ()):
                if view.symbols[index].kind in _CONTAINERS:
                    return (ClassOf(view.ref(index)),)
            scopes = [view.symbols[i].scope for i in view.by_qual.get(owner, ())] if owner else [0]
            for scope in scopes:
                for b in view.named(scope, name):
                    if b.kind == "local" and not assigned:
                        infer.note(path, qual)
                        assigned = infer.binding(view, b)
        return assigned

    def _top_level(self, infer: Inference, view: View, name: str, inside: bool) -> Values:
        """A method of the main object: this file's, or the only one in the program."""
        infer.note_key(_KEY + name)
        infer.note_key(name_key(FAMILY, name))
        found: list[Value] = []
        for path in self.layout(infer).offering(name):
            other = infer.view(path)
            for index in other.by_qual.get(name, ()) if other is not None else ():
                if other is not None and other.symbols[index].kind == "function":
                    if path != view.path and other.symbols[index].flags & Flag.STATIC:
                        continue
                    if path == view.path:
                        return (Function(other.ref(index)),)
                    found.append(Function(other.ref(index)))
        if len(found) == 1:
            return tuple(found)
        shared = self._shared_method(infer, view, name) if not found else UNKNOWN
        if shared:
            return shared
        if not infer.project.named(FAMILY, name):
            return (Foreign(name),)
        return UNKNOWN

    def _shared_method(self, infer: Inference, view: View, name: str) -> Values:
        """A method that every object has by a module."""
        infer.note_key(_INCLUDED)
        modules = (v for qual in self.layout(infer).included() for v in self._global(infer, qual))
        found = (infer.attr(view, (Instance(m.ref),), name) for m in modules if isinstance(m, ClassOf))
        return tuple(v for values in found for v in values if isinstance(v, Function))

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        infer.note_key(_FILE + (imp.module.rpartition("/")[2].removesuffix(".rb") + ".rb"))
        found = self.layout(infer).find(view.path, imp.module, imp.kind == "require_relative")
        return [(found, "")] if found is not None else [("", imp.module.partition("/")[0])]

    # --- classes

    def namespace_value(self, infer: Inference, view: View, index: int) -> Values:
        return (ClassOf(view.ref(index)),)

    def receiver_of(self, infer: Inference, view: View, index: int) -> Instance | None:
        parent = view.symbols[index].parent
        while parent != NONE and view.symbols[parent].kind not in _CONTAINERS:
            parent = view.symbols[parent].parent
        if parent == NONE:
            return None
        whole = self._global(infer, view.symbols[parent].qual)
        return Instance(whole[0].ref if whole and isinstance(whole[0], ClassOf) else view.ref(parent))

    def _openings(self, infer: Inference, qual: str) -> list[tuple[View, int]]:
        """Every place that opens a class or module."""
        infer.note_key(_KEY + qual)
        out: list[tuple[View, int]] = []
        for path in self.layout(infer).offering(qual):
            view = infer.view(path)
            for index in view.by_qual.get(qual, ()) if view is not None else ():
                if view is not None and view.symbols[index].kind in _CONTAINERS:
                    infer.note(path, qual)
                    out.append((view, index))
        return out

    def bases(self, infer: Inference, view: View, symbol: Symbol, ref: SymbolRef) -> list[tuple[Values, str]]:
        opened = self._opened_with(infer, symbol.qual)
        return [(infer.eval(other, base), kind) for other, base, kind in opened if kind != "extends"]

    def _opened_with(self, infer: Inference, qual: str) -> Iterator[tuple[View, int, str]]:
        """What a class inherits, includes or extends itself with, at any of its places: file, expression, kind."""
        for view, index in self._openings(infer, qual):
            opened = view.symbols[index]
            for base, kind in zip(opened.bases, opened.base_kinds, strict=False):
                yield view, base, kind

    def ancestry_order(self, infer: Inference, ref: SymbolRef, bases: list[tuple[Values, str]]) -> Ancestry | None:
        """Prepended modules, the class, included modules (the last one first), the superclass."""
        groups: dict[str, list[Values]] = {}
        for values, kind in bases:
            groups.setdefault(kind, []).append(values)
        order: list[SymbolRef] = []
        foreign: list[str] = []
        unknown = False
        plan: list[Values | None] = [
            *reversed(groups.get("prepends", [])),
            None,
            *reversed(groups.get("mixin", [])),
            *groups.get("inherits", []),
        ]
        for group in plan:
            if group is None:
                order.append(ref)
                continue
            unknown |= not group
            for value in group:
                if isinstance(value, (ClassOf, Instance)) and value.ref != ref:
                    above = infer.ancestry(value.ref)
                    order += [r for r, _ in above.entries]
                    foreign += above.foreign
                    unknown |= above.open
                elif isinstance(value, Foreign):
                    foreign.append(value.name)
        entries = tuple((r, ()) for r in dict.fromkeys(order))
        return Ancestry(entries, tuple(dict.fromkeys(foreign)), unknown)

    def member_key(self, value: Value, name: str) -> str:
        return "." + name if isinstance(value, ClassOf) else name

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        return self._in_file(view, view.symbols[index].qual, name)

    def _in_file(self, view: View, qual: str, name: str) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        single = name.startswith(".")
        bare = name.removeprefix(".")
        symbols = tuple(
            i
            for i in view.by_qual.get(f"{qual}.{bare}", ())
            if view.symbols[i].kind in CALLABLE_KINDS and self._fits(view, i, single)
        )
        if symbols:
            return symbols[-1:], ()
        bindings = [
            b
            for i in view.by_qual.get(qual, ())
            if view.symbols[i].kind in _CONTAINERS
            for b in view.named(view.symbols[i].scope, bare)
            if b.kind == "field"
        ]
        return (), tuple(bindings[:8])

    def _fits(self, view: View, index: int, single: bool) -> bool:
        symbol = view.symbols[index]
        if bool(symbol.flags & Flag.CLASSMETHOD) == single:
            return True
        owner = view.symbols[symbol.parent] if symbol.parent != NONE else None
        return single and owner is not None and bool(owner.flags & Flag.STATIC)

    def outside_member(self, infer: Inference, view: View, index: int, name: str) -> Member | None:
        """A class is open: its other places, and what it extends itself with."""
        qual, ref = view.symbols[index].qual, view.ref(index)
        bare = name.removeprefix(".")
        infer.note_key(f"{_KEY}{qual}.{bare}")
        for path in self.layout(infer).offering(f"{qual}.{bare}"):
            other = infer.view(path) if path != view.path else None
            if other is None:
                continue
            symbols, bindings = self._in_file(other, qual, name)
            if symbols or bindings:
                infer.note(path, f"{qual}.{bare}")
                return Member(ref, (), symbols, bindings, path)
        for module in self._extensions(infer, qual, ref) if name.startswith(".") else ():
            found = infer.member(module.ref, bare)[0]
            if found is not None:
                return Member(ref, (), found.symbols, found.bindings, found.path)
        return None

    def _extensions(self, infer: Inference, qual: str, ref: SymbolRef) -> tuple[ClassOf, ...]:
        """The modules that a class extends itself with, wherever it is opened; asked for each of its methods."""
        return infer.query(("extends", ref), ref[0], lambda: self._extending(infer, qual), ())

    def _extending(self, infer: Inference, qual: str) -> tuple[ClassOf, ...]:
        return tuple(
            value
            for view, base, kind in self._opened_with(infer, qual)
            if kind == "extends"
            for value in infer.eval(view, base)
            if isinstance(value, ClassOf)
        )

    def missing_member(self, infer: Inference, value: Instance | ClassOf, name: str, line: Ancestry) -> Values:
        if isinstance(value, ClassOf):
            if name == "new":
                return (value,)
            if name[:1].isupper():
                found = infer.symbol(value.ref)
                return self._global(infer, f"{found[1].qual}.{name}") if found is not None else UNKNOWN
        elif name in ("class", "singleton_class"):
            return (Foreign("class_of", ((ClassOf(value.ref),),)),)
        elif name in ("dup", "clone", "tap", "freeze", "itself"):
            return (Foreign("same", ((value,),)),)
        if line.foreign and not line.open:
            return (Foreign(f"{line.foreign[0]}.{name}"),)
        return UNKNOWN

    def construct(self, infer: Inference, value: ClassOf, view: View, site: Site) -> list[SymbolRef] | None:
        member, _ = infer.member(value.ref, "initialize")
        home = infer.view(member.path) if member is not None else None
        if member is None or home is None or not member.symbols:
            return [value.ref]
        return [home.ref(member.symbols[-1])]

    def bind_call(self, infer: Inference, target: View, index: int, view: View, site: Site) -> list[SymbolRef] | None:
        return [target.ref(index)]

    def instance_call(self) -> str:
        return "call"

    def index_member(self) -> str:
        return "[]"

    def operator_member(self, operator: str) -> str:
        return operator

    # --- what comes from outside

    def foreign_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        if value.name in ("class_of", "same") and value.args:
            return UNKNOWN
        if name[:1].isupper():  # `class Library::Thing` opens a class of somebody else's module
            opened = self._global(infer, f"{value.name}.{name}")
            if opened:
                return opened
        return (Foreign(f"{value.name}.{name}", value.args),)

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        owner, _, method = value.name.rpartition(".")
        if value.name in ("class_of", "same"):
            return value.args[0] if value.args else UNKNOWN
        if value.name == "Set.new" and args:
            return (Foreign("list", (self.element(infer, infer.eval(view, args[0])),)),)
        if owner == "list" and value.args:
            if method in _ONE:
                return value.args[0]
            if method in _SAME:
                return (Foreign("list", value.args),)
        if owner == "dict" and len(value.args) > 1:
            if method in ("fetch", "dig", "delete", "[]"):
                return value.args[1]
            if method in ("values", "values_at"):
                return (Foreign("list", (value.args[1],)),)
            if method == "each_value":
                return (Foreign("dict", value.args),)
        return (Foreign(value.name + "()"),)

    def foreign_index(self, infer: Inference, value: Foreign, keys: tuple[Values, ...]) -> Values:
        if value.name == "dict":
            return value.args[1] if len(value.args) > 1 else UNKNOWN
        return value.args[0] if value.name == "list" and value.args else UNKNOWN

    def element(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.args:
                out.append((Foreign("tuple", value.args),) if value.name == "dict" else value.args[0])
        return merge(*out) if out else UNKNOWN


RULES = {"ruby": RubyRules}
LAYOUT = RubyLayout
