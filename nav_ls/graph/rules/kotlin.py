"""Kotlin: top-level functions, extensions, objects, scope functions; Java's packages beside its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, cast

from nav_ls.graph.library import LIBRARY, library_extensions, library_named, library_packages
from nav_ls.graph.model import SymbolRef
from nav_ls.graph.rules.java import EXTENSION_KEY, JavaRules, JvmLayout
from nav_ls.graph.rules.typed import ARRAY, CONSTRUCTORS, MAYBE, NEVER, STRICT, TYPE_MARK
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
    merge,
)
from nav_ls.graph.view import View
from nav_ls.syntax.facts import NONE, TYPE_KINDS, VALUE_KINDS, Flag, Import, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Env, Inference

_KOTLIN = f"{LIBRARY}kotlin/kotlin.kt"
_REFLECT = f"{LIBRARY}kotlin/kotlin.reflect.kt"
_COLLECTIONS = f"{LIBRARY}kotlin/kotlin.collections.kt"
_ANY: SymbolRef = (_KOTLIN, "Any")
_ARRAY: SymbolRef = (_KOTLIN, "Array")
_ITERABLES = ((_COLLECTIONS, "Iterable"), _ARRAY, (_COLLECTIONS, "Sequence"))
_COMPONENT = re.compile(r"component(\d+)$")
_MAP_ENTRY: SymbolRef = (_COLLECTIONS, "Map.Entry")
_DEFAULTS = ("kotlin", "kotlin.collections", "kotlin.text", "kotlin.io", "java.lang")
_TYPE_KEY = "jvmtype\0"
_RECEIVER = "<this>"
_EXTENSION = "tuple:extension"
_LITERALS = frozenset({"String", "Int", "Long", "Float", "Double", "Char", "Boolean"})


class KotlinRules(JavaRules):
    """Kotlin's answers."""

    calls_locals = True
    primitives: ClassVar[Mapping[str, frozenset[str]]] = {}

    # --- names

    def resolve_name(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> Values:
        if name == _RECEIVER:
            return self._receiver(infer, view, scope, pos)
        receivers = [] if name.startswith(TYPE_MARK) else self._receivers(infer, view, scope, pos)
        if receivers and not self._is_local_name(infer, view, scope, name, pos):
            for receiver in receivers:
                found = self._on_receiver(infer, view, receiver, name)
                if found:
                    return found
        return self._without_receiver(infer, super().resolve_name(infer, view, scope, name, pos))

    def _without_receiver(self, infer: Inference, values: Values) -> Values:
        """Of extensions for several types none is meant for sure where the receiver is not known."""
        wanted: set[Values] = set()
        for value in values if len(values) > 1 else ():
            found = infer.symbol(value.ref) if isinstance(value, Function) and not value.bound else None
            if found is None or not found[1].flags & Flag.EXTENSION:
                return values
            wanted.add(infer.type_of(found[0], found[1].receiver))
        return UNKNOWN if len(wanted) > 1 else values

    def scope_member(self, infer: Inference, view: View, scope: int, name: str) -> Values | None:
        """Members of a class as its own code sees them, and the extensions that take it."""
        found = super().scope_member(infer, view, scope, name)
        if not name.endswith("()") or any(not isinstance(v, Function) for v in found or ()):
            return found
        ref = view.ref(view.scopes[scope].owner)
        key = ("ie", ref, name)
        own = infer.query(key, view.path, lambda: self._own_extensions(infer, view, ref, name), UNKNOWN)
        return (*(found or ()), *own) if own else found

    def _own_extensions(self, infer: Inference, view: View, ref: SymbolRef, name: str) -> Values:
        extensions = self.extensions(infer, self.itself(infer, ref), name[:-2])
        return tuple(e for e in extensions if isinstance(e, Function) and self._is_visible(infer, view, e))

    def _on_receiver(self, infer: Inference, view: View, receiver: Value, name: str) -> Values:
        found: Values = ()
        if isinstance(receiver, (Instance, ClassOf)):
            found = self.find(infer, receiver, name) or ()
        elif isinstance(receiver, TypeVariable):
            found = merge(*(self._on_receiver(infer, view, v, name) for v in infer.bound_of(receiver) if v != receiver))
        extensions = self.extensions(infer, receiver, name[:-2]) if name.endswith("()") else ()
        visible = (e for e in extensions if isinstance(e, Function) and self._is_visible(infer, view, e))
        return tuple(dict.fromkeys((*found, *visible)))

    def _is_local_name(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> bool:
        plain = name.removesuffix("()")
        while scope != NONE:
            group = view.table.get((scope, plain))
            if group and self.local(infer, view, group, pos, view.scopes[scope].kind == "function") is not None:
                return True
            scope = view.scopes[scope].parent
        return False

    def _receivers(self, infer: Inference, view: View, scope: int, pos: int) -> list[Value]:
        """The receivers of lambdas and extension functions around a place, innermost first; not the classes."""
        out: list[Value] = []
        while scope != NONE:
            group = view.table.get((scope, _RECEIVER), ())
            inside = [b for b in group if b.start <= pos < b.end]
            for b in sorted(inside, key=lambda b: b.end - b.start):
                out.extend(infer.binding(view, b))
            scope = view.scopes[scope].parent
        return out

    def _receiver(self, infer: Inference, view: View, scope: int, pos: int) -> Values:
        current = scope
        while current != NONE:
            info = view.scopes[current]
            group = [b for b in view.table.get((current, _RECEIVER), ()) if b.start <= pos < b.end]
            for b in sorted(group, key=lambda b: b.end - b.start):
                found = infer.binding(view, b)
                if found:
                    return found
            if info.kind == "class" and info.owner != NONE:
                break
            current = info.parent
        return self.this(infer, view, scope)

    def outer_name(self, infer: Inference, view: View, name: str, scope: int) -> Values:
        infer.note(view.path, "=imports")
        plain = name.removesuffix("()")
        for imp in view.facts.imports:
            if imp.name != "*" and imp.alias == plain:
                return self._full(infer, view, imp.module, imp.name, name) or (
                    Foreign(f"{imp.module}.{imp.name}" + ("()" if name.endswith("()") else "")),
                )
        packages = [view.facts.package, *(i.module for i in view.facts.imports if i.name == "*"), *_DEFAULTS]
        for package in packages:
            found = self._full(infer, view, package, plain, name)
            if found:
                return found
        if name.endswith("()"):
            return UNKNOWN
        return self._package_root(infer, plain)

    def _full(self, infer: Inference, view: View, package: str, plain: str, name: str) -> Values:
        """What a package (or an object) offers under a name; `name` says whether it is called."""
        full = f"{package}.{plain}" if package else plain
        infer.note_key(_TYPE_KEY + full)
        layout = cast(JvmLayout, infer.project.layout("jvm"))
        refs = [*layout.functions(full), *self._library_functions(package, plain)]
        called = name.endswith("()")
        found = [v for ref in refs for v in self._top_value(infer, ref, called)]
        if called and found:
            return tuple(found)
        types = self.type_named(infer, view, full)
        if not types and package.rpartition(".")[2][:1].isupper():
            owners = [o for o in self.full_name(infer, view, package) if isinstance(o, ClassOf)]
            return merge(*(self.find(infer, o, name) or () for o in owners)) if owners else UNKNOWN
        if called:
            return (
                merge(*(self.find(infer, t, CONSTRUCTORS) or () for t in types if isinstance(t, ClassOf)))
                if (types)
                else UNKNOWN
            )
        return types or tuple(found)

    def named_members(
        self, infer: Inference, view: View, scope: int, name: str, pos: int
    ) -> list[tuple[SymbolRef, Symbol]]:
        receivers = self._receivers(infer, view, scope, pos)
        if receivers and not self._is_local_name(infer, view, scope, name, pos):
            bounds = (infer.bound_of(r) if isinstance(r, TypeVariable) else (r,) for r in receivers)
            owners = (v.ref for values in bounds for v in values if isinstance(v, (Instance, ClassOf)))
            found = next((f for ref in owners if (f := self.member_values(infer, ref, name)) is not None), None)
            if found is not None:
                return found
        return super().named_members(infer, view, scope, name, pos)

    def member_values(self, infer: Inference, owner: SymbolRef, name: str) -> list[tuple[SymbolRef, Symbol]] | None:
        found = super().member_values(infer, owner, name)
        companions = self._companions(infer, owner) if found is None and name != "Companion" else []
        inside = (super(KotlinRules, self).member_values(infer, one.ref, name) for one in companions)
        return next((values for values in inside if values), found)

    def imported_members(self, infer: Inference, view: View, name: str) -> list[tuple[SymbolRef, Symbol]]:
        infer.note(view.path, "=imports")
        named = [(imp.module, imp.name) for imp in view.facts.imports if imp.name != "*" and imp.alias == name]
        packages = [view.facts.package, *(imp.module for imp in view.facts.imports if imp.name == "*")]
        for package, plain in named or [(package, name) for package in packages]:
            found = self._top_members(infer, view, package, plain)
            if found:
                return found
        return []

    def _top_members(self, infer: Inference, view: View, package: str, name: str) -> list[tuple[SymbolRef, Symbol]]:
        """The properties of a package; of an object or an enumeration where that is what is imported from."""
        full = f"{package}.{name}" if package else name
        infer.note_key(_TYPE_KEY + full)
        refs = cast(JvmLayout, infer.project.layout("jvm")).functions(full)
        known = [(ref, found[1]) for ref in refs if (found := infer.symbol(ref)) is not None]
        values = [(ref, symbol) for ref, symbol in known if symbol.kind in VALUE_KINDS | {"property"}]
        if values or not package.rpartition(".")[2][:1].isupper():
            return values
        owners = [value.ref for value in self.full_name(infer, view, package) if isinstance(value, ClassOf)]
        return [item for owner in owners for item in self.member_values(infer, owner, name) or []]

    def _library_functions(self, package: str, name: str) -> list[SymbolRef]:
        if package not in library_packages("kotlin"):
            return []
        from nav_ls.graph.library import library_view

        view = library_view(f"{LIBRARY}kotlin/{package}.kt")
        if view is None:
            return []
        return [view.ref(i) for i in view.members.get((NONE, name), ()) if view.symbols[i].kind not in TYPE_KINDS]

    def _top_value(self, infer: Inference, ref: SymbolRef, called: bool) -> Values:
        found = infer.symbol(ref)
        if found is None:
            return UNKNOWN
        view, symbol, index = found
        if symbol.kind == "function":
            return (Function(ref),) if called else UNKNOWN
        if symbol.kind == "type":
            return tuple(
                ClassOf(v.ref, v.args) if isinstance(v, Instance) else v for v in infer.type_of(view, symbol.returns)
            )
        return self.value_symbol(infer, view, index)

    def type_named(self, infer: Inference, view: View, name: str) -> Values:
        found = super().type_named(infer, view, name)
        package, _, last = name.rpartition(".")
        if package in library_packages("kotlin") and (not found or found[0].ref[0].startswith(LIBRARY)):  # type: ignore[union-attr]
            refs = library_named("kotlin", package, ".kt").get(last, ())
            return (ClassOf(refs[0]),) if refs else found
        if not found:
            layout = cast(JvmLayout, infer.project.layout("jvm"))
            for ref in layout.functions(name):
                symbol = infer.symbol(ref)
                if symbol is not None and symbol[1].kind == "type":
                    return self._top_value(infer, ref, False)
        return found

    def package_member(self, infer: Inference, package: str, name: str) -> Values:
        plain = name.removeprefix(TYPE_MARK)
        view = infer.view(infer._current)
        found = self._full(infer, view, package, plain.removesuffix("()"), plain) if view is not None else ()
        return found or super().package_member(infer, package, plain)

    def imported(self, infer: Inference, view: View, imp: Import) -> Values:
        return self._full(infer, view, imp.module, imp.name, imp.name)

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        values = self._full(infer, view, imp.module, imp.name, imp.name) or self._full(
            infer, view, imp.module, imp.name, imp.name + "()"
        )
        inside = [
            (v.ref[0], "")
            for v in values
            if isinstance(v, (ClassOf, Function, Instance)) and not v.ref[0].startswith(LIBRARY)
        ]
        return inside or [("", imp.module)]

    # --- types

    def literal(self, name: str, elements: tuple[Values, ...]) -> Values:
        if name in _LITERALS:
            return (Instance((_KOTLIN, name)),)
        if name == "KClass":
            return (Instance((_REFLECT, name)),)
        if name == ARRAY:
            return (Instance(_ARRAY, elements),)
        if name == "range":
            return (Instance(_ITERABLES[0], elements),)
        return (Foreign(name, elements),)

    def root(self, infer: Inference) -> SymbolRef | None:
        return _ANY

    def implied_bases(
        self, infer: Inference, symbol: Symbol, ref: SymbolRef, bases: list[tuple[Values, str]]
    ) -> list[tuple[Values, str]]:
        if ref == _ANY:
            return bases
        implied = "Enum" if symbol.kind == "enum" else "Any"
        return [*bases, ((ClassOf((_KOTLIN, implied)),), "inherits")]

    def bases(self, infer: Inference, view: View, symbol: Symbol, ref: SymbolRef) -> list[tuple[Values, str]]:
        out: list[tuple[Values, str]] = []
        for values, kind in super().bases(infer, view, symbol, ref):
            found = infer.symbol(values[0].ref) if values and isinstance(values[0], (ClassOf, Instance)) else None
            if found is not None and symbol.kind != "interface":
                kind = "implements" if found[1].kind == "interface" else "inherits"
            out.append((values, kind))
        return out

    def fits(self, infer: Inference, given: Value, wanted: Value) -> int:
        if isinstance(given, ClassOf):  # an object, or a class in the place of its companion
            found = infer.symbol(given.ref)
            own = [given] if found is not None and found[1].kind == "object" else self._companions(infer, given.ref)
            return min((self.fits(infer, Instance(o.ref), wanted) for o in own), default=NEVER)
        if (
            isinstance(given, Instance)
            and isinstance(wanted, Instance)
            and given.ref[0].startswith(LIBRARY)
            and _simple(given.ref) == _simple(wanted.ref)
        ):
            return STRICT  # Java's view of a Kotlin type, or the other way around
        if isinstance(wanted, Foreign) and wanted.name == ARRAY and isinstance(given, Instance) and given.ref == _ARRAY:
            return self.fits_any(infer, given.args[0] if given.args else UNKNOWN, wanted.args[0])
        if isinstance(wanted, Foreign) and wanted.name in ("function", _EXTENSION):
            return self._function_type_takes(infer, given, len(wanted.args) - (2 if wanted.name == _EXTENSION else 1))
        return super().fits(infer, given, wanted)

    def _function_type_takes(self, infer: Inference, given: Value, count: int) -> int:
        """Does a value fit a function type of so many parameters?"""
        if isinstance(given, Closure):
            arity = self.arity(infer, given)
            return STRICT if arity == count or (arity is None and count < 2) else NEVER
        if isinstance(given, Function):
            found = infer.symbol(given.ref)
            header = self.header(infer, given.ref)
            member = found is not None and found[1].kind == "method" and bool(given.bound)
            own = len(header.types)
            return STRICT if header.variadic or count == own or (member and count == own + 1) else NEVER
        return NEVER if isinstance(given, Instance) else MAYBE

    def function_part(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.name == _EXTENSION:
                where = 0 if place == -1 else 1 if place == -2 else place + 2
                out.append(value.args[where] if where < len(value.args) else UNKNOWN)
            elif place >= -1:
                out.append(super().function_part(infer, (value,), place))
        return merge(*out) if out else UNKNOWN

    def learn(self, infer: Inference, declared: Instance | Foreign, given: Values, env: Env) -> None:
        if isinstance(declared, Foreign) and declared.name == _EXTENSION:
            for value in given:
                view = infer.view(value.path) if isinstance(value, Closure) else None
                if isinstance(value, Closure) and view is not None:
                    infer.unify(declared.args[0], infer.eval(view, value.result), env, 1)
            return
        super().learn(infer, declared, given, env)

    def generic_or_item(self, infer: Inference, view: View, value: Foreign, keys: tuple[int, ...]) -> Values:
        """An alias of a function type keeps its parts: the arguments fill in the alias's own parameters."""
        if value.name not in ("function", _EXTENSION):
            return super().generic_or_item(infer, view, value, keys)
        env: Env = {}
        for variable in (v for part in value.args for v in part if isinstance(v, TypeVariable)):
            alias = infer.symbol(variable.owner)
            names = [p.name for p in alias[1].type_params] if alias is not None else []
            given = (infer.type_of(view, k) for k in keys)
            env.update({(variable.owner, n): a for n, a in zip(names, given, strict=False) if a})
        return infer.substitute((value,), env)

    def instance_called(self, infer: Inference, view: View, value: Value, args: tuple[int, ...]) -> Values:
        return infer.call_member(view, value, "invoke()") or self.function_part(infer, (value,), -1)

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        if value.name in ("function", _EXTENSION):
            return value.args[0] if value.args else UNKNOWN
        return super().foreign_call(infer, view, value, args)

    def element(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Instance):
                args = next((a for ref in _ITERABLES if (a := self.seen_as(infer, value, ref))), None)
                if args is None and value.ref[1] in ("Map", "MutableMap", "HashMap", "LinkedHashMap") and value.args:
                    out.append((Instance(_MAP_ENTRY, value.args),))
                elif args is None:
                    out.append(super().element(infer, (value,)) or self._iterated(infer, value))
                else:
                    out.append(args[0])
            else:
                out.append(super().element(infer, (value,)))
        return merge(*out) if out else UNKNOWN

    def _iterated(self, infer: Inference, value: Instance) -> Values:
        found = infer.symbol(value.ref)
        if found is None:
            return UNKNOWN
        made = infer.call_member(found[0], value, "iterator()")
        return merge(*(infer.call_member(found[0], m, "next()") for m in made)) if made else UNKNOWN

    def item(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if not isinstance(value, Instance):
                continue
            found = infer.symbol(value.ref)
            if found is None:
                continue
            view, symbol, _ = found
            if value.ref[1] in ("Pair", "Triple", "Map.Entry", "MutableMap.MutableEntry"):
                out.append(value.args[place] if place < len(value.args) else UNKNOWN)
            elif symbol.params and place < len(symbol.params):
                out.append(self.component(infer, value, place))
            else:
                out.append(infer.call_member(view, value, f"component{place + 1}()") or self.element(infer, (value,)))
        return merge(*out) if out else UNKNOWN

    # --- members

    def find(
        self, infer: Inference, value: Instance | ClassOf, name: str, after: SymbolRef | None = None
    ) -> Values | None:
        found = self._declared(infer, value, name, after)
        if found is not None or name == CONSTRUCTORS:
            return found
        for companion in self._companions(infer, value.ref) if name != "Companion" else ():
            inner = self._declared(infer, companion, name, None)
            if inner is not None:
                return inner
        if not name.endswith("()") and isinstance(value, Instance):
            return self._java_property(infer, value, name)
        return None

    def _declared(
        self, infer: Inference, value: Instance | ClassOf, name: str, after: SymbolRef | None
    ) -> Values | None:
        """A member, or what a property holds that is called; companions (which may inherit from the class) aside."""
        found = super().find(infer, value, name, after)
        if found is not None or not name.endswith("()") or name == CONSTRUCTORS:
            return found
        member, _ = infer.member(value.ref, name[:-2], after)
        return (self._invoked(infer, infer.member_values(member, value)) or None) if member is not None else None

    def _companions(self, infer: Inference, ref: SymbolRef) -> list[ClassOf]:
        """The companions of a class and of its ancestors."""
        out: list[ClassOf] = []
        for owner, _ in infer.ancestry(ref).entries:
            companion = infer.own_member(owner, "Companion")
            view = infer.view(owner[0]) if companion is not None else None
            out += (
                [ClassOf(view.ref(i)) for i in companion.symbols] if companion is not None and view is not None else []
            )
        return out

    def _java_property(self, infer: Inference, value: Instance, name: str) -> Values | None:
        """`value.name` for Java's `getName()`."""
        for getter in (f"get{name[:1].upper()}{name[1:]}()", f"{name}()" if name.startswith("is") else ""):
            group = self.group(infer, value.ref, getter, None) if getter else ()
            if group and not self.header(infer, group[0]).types:
                found = infer.symbol(group[0])
                if found is not None and found[0].language == "java":
                    return infer.returns(group[0], value)
        return None

    def _invoked(self, infer: Inference, values: Values) -> Values:
        """What calling a property's value runs: a class's constructors, an object's `invoke`, a function's result."""
        out: list[Value] = []
        for value in values:
            if isinstance(value, ClassOf):
                found = infer.symbol(value.ref)
                if found is not None and found[1].kind == "object":
                    out.extend(self.find(infer, value, "invoke()") or ())
                else:
                    out.extend(self._constructors(infer, value, False) or ())
            elif not isinstance(value, Instance) or self._is_invokable(infer, value):
                out.append(value)
        return tuple(out)

    def _is_invokable(self, infer: Inference, value: Instance) -> bool:
        return bool(self.find(infer, value, "invoke()") or self.extensions(infer, value, "invoke"))

    def constructors_of(self, infer: Inference, ref: SymbolRef) -> list[SymbolRef]:
        out = super().constructors_of(infer, ref)
        found = infer.symbol(ref)
        if found is not None and found[0].language == "kotlin" and (found[1].params or not out):
            out.append(ref)
        return out

    def called(self, infer: Inference, symbol: Symbol, ref: SymbolRef, result: Values) -> Values:
        if symbol.kind in TYPE_KINDS:
            return (self.itself(infer, ref),)
        return super().called(infer, symbol, ref, result)

    def accessor(self, infer: Inference, value: Instance | ClassOf, name: str) -> Values | None:
        """`copy` and `component1`, which a data class has without anybody writing them."""
        found = infer.symbol(value.ref)
        if found is None or found[0].language != "kotlin":
            return super().accessor(infer, value, name)
        place = _COMPONENT.match(name)
        if not isinstance(value, Instance) or not found[1].params or not (place or name == "copy"):
            return None
        made = self.component(infer, value, int(place[1]) - 1) if place else (value,)
        return (Foreign("[].clone()", (made,)),)

    def members(self, infer: Inference, view: View, index: int, name: str):  # type: ignore[no-untyped-def]
        found, rest = super().members(infer, view, index, name)
        return tuple(i for i in found if view.symbols[i].receiver == NONE), rest

    def class_member(
        self, infer: Inference, view: View, value: Instance | ClassOf, name: str, after: SymbolRef | None
    ) -> Values:
        found = self.find(infer, value, name, after)
        if name == CONSTRUCTORS or after is not None:
            return found or super().class_member(infer, view, value, name, after)
        called = name.endswith("()")
        extensions = self.extensions(infer, value, name[:-2]) if called else self._extension_value(infer, value, name)
        if found or extensions:
            return (*(found or ()), *extensions) if called else (found or extensions)
        if isinstance(value, ClassOf) and called:
            inner = self.find(infer, value, TYPE_MARK + name[:-2])
            if inner:
                return self._invoked(infer, inner)
        line = infer.ancestry(value.ref)
        if found is None and (line.foreign or value.ref[0].startswith(LIBRARY)):
            return (Foreign(f"{(line.foreign or (value.ref[1],))[0]}.{name}"),)
        return UNKNOWN

    def _candidates(self, infer: Inference, name: str) -> list[SymbolRef]:
        infer.note_key(EXTENSION_KEY + name)
        layout = cast(JvmLayout, infer.project.layout("jvm"))
        return [*layout.extensions(name), *library_extensions("kotlin", ".kt").get(name, ())]

    def extensions(self, infer: Inference, value: Value, name: str) -> Values:
        """The extension functions of a name that take such a receiver."""
        out: list[Value] = []
        for ref in self._candidates(infer, name):
            found = infer.symbol(ref)
            if found is None or found[1].kind not in ("function", "method"):
                continue
            level = self.fits_any(infer, (value,), infer.type_of(found[0], found[1].receiver))
            if level == STRICT or (level == MAYBE and not isinstance(value, Foreign)):
                out.append(Function(ref, (value,)))
        return tuple(out)

    def _extension_value(self, infer: Inference, value: Value, name: str) -> Values:
        for ref in self._candidates(infer, name):
            found = infer.symbol(ref)
            if found is None or found[1].kind not in ("property", "field", "variable"):
                continue
            if self.fits_any(infer, (value,), infer.type_of(found[0], found[1].receiver)) == STRICT:
                return self.value_symbol(infer, found[0], found[2])
        return UNKNOWN

    def foreign_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        if value.name in ("function", _EXTENSION) and name == "invoke()":
            return (value,)
        own = super().foreign_member(infer, value, name) if value.name != ARRAY else UNKNOWN
        if name.endswith("()") and not self.is_unknown(value):
            return (*self.extensions(infer, value, name[:-2]), *own)
        return own

    # --- extension calls

    def _is_extension(self, infer: Inference, function: Function) -> bool:
        found = infer.symbol(function.ref)
        return bool(function.bound) and found is not None and bool(found[1].flags & Flag.EXTENSION)

    def _receiver_env(self, infer: Inference, function: Function) -> Env:
        env = super()._receiver_env(infer, function)
        if self._is_extension(infer, function):
            found = infer.symbol(function.ref)
            if found is not None:
                infer.unify(infer.type_of(found[0], found[1].receiver), function.bound, env)
        return env

    def learn_arguments(
        self, infer: Inference, view: View, function: Function, args: tuple[int, ...], env: Env, functions: bool
    ) -> None:
        if self._is_extension(infer, function):
            found = infer.symbol(function.ref)
            if found is not None:
                infer.unify(infer.type_of(found[0], found[1].receiver), function.bound, env)
        super().learn_arguments(infer, view, function, args, env, functions)

    def select(self, infer: Inference, view: View, callee: Values, args: tuple[int, ...]) -> Values:
        """A value that is called stands for its `invoke`."""
        opened = tuple(v for value in callee for v in self._called_value(infer, view, value, args))
        return super().select(infer, view, opened, args)

    def _called_value(self, infer: Inference, view: View, value: Value, args: tuple[int, ...]) -> Values:
        if isinstance(value, Instance):
            invoked = infer.attr(view, (value,), "invoke()")
        elif isinstance(value, Function) and not self._constructs(infer, value, len(args)):
            invoked = merge(
                *(self._declared(infer, c, "invoke()", None) or () for c in self._companions(infer, value.ref))
            )
        else:
            return (value,)
        return invoked if any(isinstance(v, Function) for v in invoked) else (value,)

    def _constructs(self, infer: Inference, function: Function, count: int) -> bool:
        """Can so many arguments be for this function, where it is a class that is constructed?"""
        found = infer.symbol(function.ref)
        if found is None or found[1].kind not in TYPE_KINDS:
            return True
        header = self.header(infer, function.ref)
        return (
            found[1].kind != "interface"
            and header.required <= count
            and (count <= len(header.types) or header.variadic)
        )

    def only(self, infer: Inference, function: Function) -> bool:
        return not self._is_extension(infer, function)

    def _pick(self, infer: Inference, view: View, group: list[Function], args: tuple[int, ...]) -> list[Function]:
        extensions = [f for f in group if self._is_extension(infer, f)]
        own = [f for f in group if f not in extensions]
        if own and (not extensions or any(self._takes(infer, view, f, args) for f in own)):
            return super()._pick(infer, view, own, args)
        visible = [f for f in extensions if self._is_visible(infer, view, f)]
        ranks = [self._nearness(infer, view, f) for f in visible]
        nearest = [f for f, rank in zip(visible, ranks, strict=True) if rank == min(ranks)]
        return super()._pick(infer, view, nearest or own, args) if nearest or own else []

    def _nearness(self, infer: Inference, view: View, function: Function) -> int:
        """Which extensions come first: imported by name, of a class of this file, of a package, of a class elsewhere."""
        found = infer.symbol(function.ref)
        if found is None:
            return 3
        other, symbol, _ = found
        if symbol.kind == "method":
            return 1 if other.path == view.path else 3
        imported = any(i.module == other.facts.package and i.name == symbol.name for i in view.facts.imports)
        return 0 if imported else 2

    def no_fit(self, infer: Inference, view: View, group: list[Function]) -> list[Function]:
        """What an import from outside brings under the same name is meant."""
        found = infer.symbol(group[0].ref)
        name = found[1].name if found is not None else ""
        outside = any(
            i.alias == name
            and all(isinstance(v, Foreign) for v in self._full(infer, view, i.module, i.name, f"{i.name}()"))
            for i in view.facts.imports
        )
        return [] if outside else super().no_fit(infer, view, group)

    def _takes(self, infer: Inference, view: View, function: Function, args: tuple[int, ...]) -> bool:
        header = self._header_for(infer, function)
        if header.required > len(args) or (len(args) > len(header.types) and not header.variadic):
            return False
        return self._score(infer, view, header, [infer.eval(view, a) for a in args], args)[0] < NEVER

    def _is_visible(self, infer: Inference, view: View, function: Function) -> bool:
        found = infer.symbol(function.ref)
        if found is None:
            return False
        other, symbol, _ = found
        if function.ref[0].startswith(LIBRARY) or symbol.kind == "method" or other.path == view.path:
            return True
        if symbol.parent != NONE:  # declared in the body of a function
            return False
        package = other.facts.package
        return package == view.facts.package or any(
            i.module == package and i.name in ("*", symbol.name) for i in view.facts.imports
        )


def _simple(ref: SymbolRef) -> str:
    name = ref[1].rpartition(".")[2]
    return {"Integer": "Int", "Character": "Char", "Object": "Any"}.get(name, name).removeprefix("Mutable")
