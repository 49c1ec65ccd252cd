"""Java: imports, packages (which Kotlin shares), primitive types, the JDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, cast

from nav_ls.graph.library import LIBRARY, library_packages, library_types
from nav_ls.graph.model import Summary, SymbolRef
from nav_ls.graph.rules.base import Layout
from nav_ls.graph.rules.typed import ARRAY, CONSTRUCTORS, NEVER, STRICT, TypedRules, distance
from nav_ls.graph.values import (
    UNKNOWN,
    ClassOf,
    Closure,
    Foreign,
    Function,
    Instance,
    Package,
    Value,
    Values,
    merge,
)
from nav_ls.graph.view import View
from nav_ls.syntax.facts import TYPE_KINDS, Flag, Import, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Inference
    from nav_ls.graph.project import Project

_TYPE_KEY = "jvmtype\0"
EXTENSION_KEY = "jvmextension\0"
_LANG = f"{LIBRARY}java/java.lang.java"
_OBJECT: SymbolRef = (_LANG, "Object")
_STRING: SymbolRef = (_LANG, "String")
_CLASS: SymbolRef = (_LANG, "Class")
_ITERABLE: SymbolRef = (_LANG, "Iterable")
_ROOTS = frozenset(
    [
        "java",
        "javax",
        "jdk",
        "sun",
        "com",
        "org",
        "net",
        "io",
        "edu",
        "gov",
        "kotlin",
        "kotlinx",
        "scala",
        "groovy",
        "android",
        "androidx",
        "jakarta",
        "junit",
        "dev",
        "me",
        "de",
    ]
)
_BOXES = {
    "boolean": "Boolean",
    "byte": "Byte",
    "short": "Short",
    "char": "Character",
    "int": "Integer",
    "long": "Long",
    "float": "Float",
    "double": "Double",
}
_UNBOXES = {(_LANG, box): name for name, box in _BOXES.items()}
_WIDER = ("byte", "short", "int", "long", "float", "double")
_WIDENINGS = {name: frozenset(_WIDER[place:]) for place, name in enumerate(_WIDER)} | {
    "char": frozenset({"char", "int", "long", "float", "double"}),
    "boolean": frozenset({"boolean"}),
}
_ROOT_METHODS = frozenset({"equals", "hashCode", "toString"})


class JvmLayout(Layout):
    """Full names of top-level types → the files that define them."""

    def __init__(self, project: Project):
        super().__init__(project)
        self._types: dict[str, list[SymbolRef]] = {}
        self._packages: set[str] = set()
        self._functions: dict[str, list[SymbolRef]] = {}
        self._extensions: dict[str, list[SymbolRef]] = {}
        for path in sorted(project.paths_of("jvm")):
            summary = project.summaries[path]
            for full, name, key in _top_functions(summary):
                self._functions.setdefault(full, []).append((path, key))
                if name:
                    self._extensions.setdefault(name, []).append((path, key))
            for name in _top_types(summary):
                self._types.setdefault(_join(summary.package, name), []).append((path, name))
            package = summary.package
            while package:
                self._packages.add(package)
                package = package.rpartition(".")[0]

    def find(self, name: str, importer: str) -> SymbolRef | None:
        """The type of a full name; of several, the one nearest to the importer."""
        found = self._types.get(name)
        if not found:
            return None
        return found[0] if len(found) == 1 else min(found, key=lambda ref: distance(ref[0], importer))

    def functions(self, name: str) -> list[SymbolRef]:
        """The top-level functions and properties of a full name (Kotlin)."""
        return self._functions.get(name, [])

    def extensions(self, name: str) -> list[SymbolRef]:
        """All extensions of a simple name."""
        return self._extensions.get(name, [])

    def is_package(self, name: str) -> bool:
        """Is there anything in or below a package?"""
        return name in self._packages

    def changed(self, path: str, before: Summary | None, after: Summary | None) -> set[str]:
        old = {_join(before.package, n) for n in _top_types(before)} if before is not None else set()
        new = {_join(after.package, n) for n in _top_types(after)} if after is not None else set()
        keys = {_TYPE_KEY + name for name in old ^ new}
        for full, name, _ in set(_top_functions(before)) ^ set(_top_functions(after)):
            keys |= {_TYPE_KEY + full, EXTENSION_KEY + name}
        if (before.package if before else None) != (after.package if after else None):
            for summary in (before, after):
                package = summary.package if summary is not None else ""
                while package:
                    keys.add(_TYPE_KEY + package)
                    package = package.rpartition(".")[0]
        return keys

    def stale(self, path: str, before: Summary | None, after: Summary | None) -> bool:
        if before is None or after is None or before.package != after.package:
            return True
        return set(_top_types(before)) != set(_top_types(after)) or _top_functions(before) != _top_functions(after)


def _top_types(summary: Summary) -> list[str]:
    return [e.qual for e in summary.entries if "." not in e.qual and e.kind in TYPE_KINDS]


def _top_functions(summary: Summary | None) -> list[tuple[str, str, str]]:
    """(full name, name if it is an extension, key) of what stands outside of all types, and of all extensions."""
    if summary is None or summary.language != "kotlin":
        return []
    out: list[tuple[str, str, str]] = []
    counts: dict[str, int] = {}
    for entry in summary.entries:
        count = counts.get(entry.qual, 0)
        counts[entry.qual] = count + 1
        key = f"{entry.qual}#{count}" if count else entry.qual
        top = "." not in entry.qual and entry.kind in ("function", "property", "variable", "type")
        extension = entry.qual.rpartition(".")[2] if entry.flags & Flag.EXTENSION else ""
        if top or extension:
            out.append((_join(summary.package, entry.qual), extension, key))
    return out


def _join(package: str, name: str) -> str:
    return f"{package}.{name}" if package else name


class JavaRules(TypedRules):
    """Java's answers."""

    primitives: ClassVar[Mapping[str, frozenset[str]]] = _WIDENINGS

    # --- names

    def outer_name(self, infer: Inference, view: View, name: str, scope: int) -> Values:
        infer.note(view.path, "=imports")
        if name.endswith("()"):
            return self._static_import(infer, view, name)
        for imp in view.facts.imports:
            if imp.kind == "" and imp.name == name:
                return self.full_name(infer, view, _join(imp.module, name)) or (Foreign(_join(imp.module, name)),)
        found = self.type_named(infer, view, _join(view.facts.package, name))
        if found:
            return found
        found = self._static_import(infer, view, name)
        if found and not all(isinstance(v, Foreign) for v in found):
            return found
        demanded = self._on_demand(infer, view, name)
        if demanded or name[:1].isupper():
            return demanded or found or self._package_root(infer, name)
        return self._package_root(infer, name) or found  # a library's static star import tells nothing of packages

    def _on_demand(self, infer: Inference, view: View, name: str) -> Values:
        for imp in view.facts.imports:
            if imp.kind == "" and imp.name == "*":
                found = self.type_named(infer, view, _join(imp.module, name))
                if found:
                    return found
                outer = self.full_name(infer, view, imp.module) if imp.module.rpartition(".")[2][:1].isupper() else ()
                for value in outer:
                    if isinstance(value, ClassOf):
                        inner = self.find(infer, value, name)
                        if inner:
                            return inner
        return self.type_named(infer, view, "java.lang." + name)

    def _package_root(self, infer: Inference, name: str) -> Values:
        if name[:1].isupper():
            return (Foreign("?." + name),)
        infer.note_key(_TYPE_KEY + name)
        layout = cast(JvmLayout, infer.project.layout("jvm"))
        return (Package(name),) if name in _ROOTS or layout.is_package(name) else UNKNOWN

    def _static_import(self, infer: Inference, view: View, name: str) -> Values:
        plain = name[:-2] if name.endswith("()") else name
        outside: Values = ()
        for wanted in (plain, "*"):
            found: list[Values] = []
            for imp in view.facts.imports:
                if imp.kind != "static" or imp.name != wanted:
                    continue
                owners = self.full_name(infer, view, imp.module)
                for owner in owners:
                    if isinstance(owner, ClassOf):
                        found.append(self.find(infer, owner, name) or ())
                if not owners or any(isinstance(o, Foreign) for o in owners):
                    outside = (*outside, Foreign(f"{imp.module}.{name}"))
            values = tuple(v for group in found for v in group)
            if values:
                return values
        return outside[:1]

    def imported_members(self, infer: Inference, view: View, name: str) -> list[tuple[SymbolRef, Symbol]]:
        infer.note(view.path, "=imports")
        imports = [imp for imp in view.facts.imports if imp.kind == "static" and imp.name in (name, "*")]
        for imp in sorted(imports, key=lambda imp: imp.name == "*"):
            for owner in self.full_name(infer, view, imp.module):
                found = self.member_values(infer, owner.ref, name) if isinstance(owner, ClassOf) else None
                if found:
                    return found
        return []

    def imported(self, infer: Inference, view: View, imp: Import) -> Values:
        return self.full_name(infer, view, _join(imp.module, imp.name))

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        name = imp.module if imp.name == "*" or imp.kind == "static" else _join(imp.module, imp.name)
        found = [(v.ref[0], "") for v in self.full_name(infer, view, name) if isinstance(v, ClassOf)]
        inside = [ref for ref in found if not ref[0].startswith(LIBRARY)]
        return inside or [("", imp.module)]

    def type_named(self, infer: Inference, view: View, name: str) -> Values:
        """The top-level type of a full name; the repository's before the JDK's."""
        infer.note_key(_TYPE_KEY + name)
        layout = cast(JvmLayout, infer.project.layout("jvm"))
        ref = layout.find(name, view.path)
        if ref is not None:
            return (ClassOf(ref),)
        package, _, last = name.rpartition(".")
        if view.path.startswith(LIBRARY) or package in library_packages("java"):
            ref = library_types("java", package, ".java").get(last)
        return (ClassOf(ref),) if ref is not None else UNKNOWN

    def full_name(self, infer: Inference, view: View, name: str) -> Values:
        """The type of a full name, nested ones included."""
        found = self.type_named(infer, view, name)
        if found or "." not in name:
            return found
        head, _, last = name.rpartition(".")
        if not head.rpartition(".")[2][:1].isupper():
            return UNKNOWN
        out: list[Values] = []
        for outer in self.full_name(infer, view, head):
            if isinstance(outer, ClassOf):
                out.append(self.find(infer, outer, last) or ())
        return merge(*out) if out else UNKNOWN

    def package_member(self, infer: Inference, package: str, name: str) -> Values:
        full = f"{package}.{name}"
        infer.note_key(_TYPE_KEY + full)
        layout = cast(JvmLayout, infer.project.layout("jvm"))
        ref = layout.find(full, "") or library_types("java", package, ".java").get(name)
        if ref is not None:
            return (ClassOf(ref),)
        if name[:1].isupper() and not layout.is_package(full):
            return (Foreign(full),)
        return (Package(full),)

    # --- types

    def literal(self, name: str, elements: tuple[Values, ...]) -> Values:
        if name == "String":
            return (Instance(_STRING),)
        if name == "class":
            return (Instance(_CLASS, elements),)
        return (Foreign(name, elements),)

    def boxed(self, infer: Inference, name: str) -> SymbolRef | None:
        box = _BOXES.get(name)
        return (_LANG, box) if box else None

    def unboxed(self, ref: SymbolRef) -> str:
        return _UNBOXES.get(ref, "")

    def is_final(self, ref: SymbolRef) -> bool:
        return ref == _STRING or super().is_final(ref)

    def root(self, infer: Inference) -> SymbolRef | None:
        return _OBJECT

    def from_root(self, name: str) -> bool:
        return name in _ROOT_METHODS

    def array_fits(self, infer: Inference, wanted: Instance) -> int:
        return STRICT if wanted.ref in (_OBJECT, (_LANG, "Cloneable")) or wanted.ref[1] == "Serializable" else NEVER

    def implied_bases(
        self, infer: Inference, symbol: Symbol, ref: SymbolRef, bases: list[tuple[Values, str]]
    ) -> list[tuple[Values, str]]:
        if ref == _OBJECT:
            return bases
        implied = {"enum": "Enum", "record": "Record"}.get(symbol.kind, "Object")
        return [*bases, ((ClassOf((_LANG, implied)),), "inherits")]

    def hidden(self, symbol: Symbol, owner: SymbolRef, seen_from: SymbolRef) -> bool:
        return symbol.visibility == "private"

    def binary(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values | None:
        left, right = infer.eval(view, e[2]), infer.eval(view, e[3])
        if e[1] == "+" and any(v == Instance(_STRING) for v in (*left, *right)):
            return (Instance(_STRING),)
        names = [self._number(v) for v in (*left[:1], *right[:1])]
        if len(names) < 2 or not all(names):
            return UNKNOWN if "+" in e[1] else (Foreign("int"),) if not any(names) else (Foreign(max(names)),)
        if e[1] in ("<<", ">>", ">>>"):
            names = names[:1]
        if "boolean" in names:
            return (Foreign("boolean"),)
        for name in ("double", "float", "long"):
            if name in names:
                return (Foreign(name),)
        return (Foreign("int"),)

    def _number(self, value: Value) -> str:
        if isinstance(value, Foreign) and value.name in _WIDENINGS:
            return value.name
        return _UNBOXES.get(value.ref, "") if isinstance(value, Instance) else ""

    def element(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.name == ARRAY:
                out.append(value.args[0] if value.args else UNKNOWN)
            elif isinstance(value, Instance):
                args = self.seen_as(infer, value, _ITERABLE)
                out.append(args[0] if args else UNKNOWN)
        return merge(*out) if out else UNKNOWN

    def item(self, infer: Inference, values: Values, place: int) -> Values:
        out = [self.component(infer, value, place) for value in values if isinstance(value, Instance)]
        return merge(*out) if out else UNKNOWN

    def generic_or_item(self, infer: Inference, view: View, value: Foreign, keys: tuple[int, ...]) -> Values:
        if value.name == ARRAY:
            return value.args[0] if value.args else UNKNOWN
        return (Foreign(value.name, tuple(infer.type_of(view, k) for k in keys)),)

    def foreign_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        if value.name == ARRAY:
            if name == "length":
                return (Foreign("int"),)
            if name == "clone()":
                return (Foreign("[].clone()", ((value,),)),)
            return self.find(infer, Instance(_OBJECT), name) or UNKNOWN
        if name == CONSTRUCTORS:
            return (value,)
        return (Foreign(f"{value.name}.{name}"),)

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        if value.name == "[].clone()":
            return value.args[0]
        return (Foreign(value.name if value.name.endswith("()") else value.name + "()"),)

    def function_member(self, infer: Inference, value: Value, name: str) -> Values:
        return UNKNOWN if isinstance(value, (Function, Closure)) else (Foreign("function." + name),)

    def accessor(self, infer: Inference, value: Instance | ClassOf, name: str) -> Values | None:
        """`record.component()` and an enum's implied methods."""
        found = infer.symbol(value.ref)
        if found is None:
            return None
        view, symbol, index = found
        if symbol.kind == "record":
            for child in view.members.get((index, name), ()):
                component = view.symbols[child]
                if component.kind == "field" and component.returned:
                    return (Closure(view.path, component.returned[0], component.returned[0]),)
        if symbol.kind == "enum" and name == "values":
            return (Foreign("[].clone()", ((Foreign(ARRAY, ((Instance(value.ref),),)),),)),)
        if symbol.kind == "enum" and name == "valueOf":
            return (Foreign("[].clone()", ((Instance(value.ref),),)),)
        return None
