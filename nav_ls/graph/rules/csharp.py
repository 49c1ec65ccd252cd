"""C#: namespaces and usings, partial types, properties, extension methods, delegates, tasks, LINQ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, cast

from nav_ls.graph.library import LIBRARY, library_extensions, library_named, library_packages
from nav_ls.graph.model import Entry, Summary, SymbolRef
from nav_ls.graph.rules.base import Layout
from nav_ls.graph.rules.typed import ARRAY, CONSTRUCTORS, MAYBE, NEVER, STRICT, TYPE_MARK, Header, TypedRules, distance
from nav_ls.graph.values import (
    UNKNOWN,
    ClassOf,
    Foreign,
    Function,
    Instance,
    Package,
    TypeVariable,
    Value,
    Values,
    merge,
)
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, TYPE_KINDS, Binding, Flag, Import, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Ancestry, Env, Inference
    from nav_ls.graph.project import Project

_TYPE_KEY = "cstype\0"
_EXTENSION_KEY = "csextension\0"
_USINGS_KEY = "csusings\0"
_SYSTEM = f"{LIBRARY}csharp/System.cs"
_GENERIC = f"{LIBRARY}csharp/System.Collections.Generic.cs"
_TASKS = f"{LIBRARY}csharp/System.Threading.Tasks.cs"
_OBJECT: SymbolRef = (_SYSTEM, "Object")
_STRING: SymbolRef = (_SYSTEM, "String")
_TYPE: SymbolRef = (_SYSTEM, "Type")
_ENUMERABLE: SymbolRef = (_GENERIC, "IEnumerable")
_ASYNC_ENUMERABLE: SymbolRef = (_GENERIC, "IAsyncEnumerable")
_TASK: SymbolRef = (_TASKS, "Task#1")
INDEXER = "this[]"
_USING_ITEM = re.compile(rb"<Using\s[^<>]*>")
_XML_ATTRIBUTE = re.compile(rb'(\w+)\s*=\s*"([^"]*)"')
_SAME = "same()"  # a call that yields what it carries
_IMPLICIT = (
    "System",
    "System.IO",
    "System.Linq",
    "System.Net.Http",
    "System.Threading",
    "System.Threading.Tasks",
    "System.Collections.Generic",
)
_BOXES = {
    "bool": "Boolean", "byte": "Byte", "sbyte": "SByte", "short": "Int16", "ushort": "UInt16", "int": "Int32",
    "uint": "UInt32", "long": "Int64", "ulong": "UInt64", "float": "Single", "double": "Double",
    "decimal": "Decimal", "char": "Char",
}  # fmt: skip
_UNBOXES = {(_SYSTEM, box): name for name, box in _BOXES.items()}
_WIDER = {
    "sbyte": "short int long float double decimal",
    "byte": "short ushort int uint long ulong float double decimal",
    "short": "int long float double decimal",
    "ushort": "int uint long ulong float double decimal",
    "int": "long float double decimal",
    "uint": "long ulong float double decimal",
    "long": "float double decimal",
    "ulong": "float double decimal",
    "char": "ushort int uint long ulong float double decimal",
    "float": "double",
    "double": "",
    "decimal": "",
    "bool": "",
}


class CSharpLayout(Layout):
    """Full names of types (all parts, all numbers of type parameters), extension methods, global usings."""

    manifests: ClassVar[frozenset[str]] = frozenset({"Directory.Build.props", "Directory.Build.targets"})

    def __init__(self, project: Project):
        super().__init__(project)
        self._types: dict[str, list[SymbolRef]] = {}
        self._extensions: dict[str, list[SymbolRef]] = {}
        self._namespaces: set[str] = set()
        usings: list[tuple[str, str]] = []
        self._project_usings = self._read_projects()
        for path in sorted(project.paths_of("csharp")):
            summary = project.summaries[path]
            usings += [(path.rpartition("/")[0], u) for u in summary.extra.get("global_usings", "").split(" ") if u]
            for entry, key in _keyed(summary):
                ref = (path, key)
                if entry.kind in TYPE_KINDS:
                    self._types.setdefault(entry.qual, []).append(ref)
                elif entry.kind == "namespace":
                    name = entry.qual
                    while name:
                        self._namespaces.add(name)
                        name = name.rpartition(".")[0]
                elif entry.flags & Flag.EXTENSION:
                    self._extensions.setdefault(entry.qual.rpartition(".")[2], []).append(ref)
        self._usings = tuple(sorted(usings))
        self._usings_in: dict[str, tuple[str, ...]] = {}

    def _read_projects(self) -> tuple[tuple[str, str], ...]:
        """The global usings that project files declare, each with the folder of its file."""
        found: list[tuple[str, str]] = []
        for path in self.project.source.paths():
            folder, _, name = path.rpartition("/")
            text = self.project.source.text(path) if self.reads(name) else None
            for m in _USING_ITEM.finditer(_without_comments(text or b"")):
                attributes = {k.decode().lower(): v.decode("utf-8", "replace") for k, v in _XML_ATTRIBUTE.findall(m[0])}
                included, alias = attributes.get("include", ""), attributes.get("alias", "")
                static = attributes.get("static", "").lower() == "true"
                for target in filter(None, (t.strip() for t in included.split(";"))):
                    found.append((folder, f"static:{target}" if static else f"{alias}={target}" if alias else target))
        return tuple(found)

    def reads(self, name: str) -> bool:
        return super().reads(name) or name.endswith(".csproj")

    def manifest_changed(self, path: str) -> set[str]:
        self._project_usings = self._read_projects()
        self._usings_in.clear()
        return {_USINGS_KEY}

    def usings(self, path: str) -> tuple[str, ...]:
        """The global usings as a file sees them: those of folders around it (its project's) before all others."""
        folder = path.rpartition("/")[0]
        known = self._usings_in.get(folder)
        if known is None:
            declared = (*self._usings, *self._project_usings)
            around = [u for f, u in declared if not f or folder == f or folder.startswith(f + "/")]
            known = tuple(dict.fromkeys([*around, *(u for _, u in declared)]))
            self._usings_in[folder] = known
        return known

    def find(self, name: str) -> list[SymbolRef]:
        """All types and parts of types of a full name."""
        return self._types.get(name, [])

    def extensions(self, name: str) -> list[SymbolRef]:
        """All extension methods of a name."""
        return self._extensions.get(name, [])

    def is_namespace(self, name: str) -> bool:
        """Is there anything in or below a namespace?"""
        return name in self._namespaces

    def changed(self, path: str, before: Summary | None, after: Summary | None) -> set[str]:
        old, new = _offered(before), _offered(after)
        changed = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
        return changed | {_USINGS_KEY for key in changed if key.startswith(_USINGS_KEY)}

    def stale(self, path: str, before: Summary | None, after: Summary | None) -> bool:
        return before is None or after is None or _offered(before) != _offered(after)


def _without_comments(xml: bytes) -> bytes:
    """XML without its comments."""
    first, *rest = xml.split(b"<!--")
    return first + b"".join(part.partition(b"-->")[2] for part in rest)


def _keyed(summary: Summary | None) -> Iterator[tuple[Entry, str]]:
    """The definitions of a file with their keys."""
    counts: dict[str, int] = {}
    for entry in summary.entries if summary is not None else ():
        count = counts.get(entry.qual, 0)
        counts[entry.qual] = count + 1
        yield entry, f"{entry.qual}#{count}" if count else entry.qual


def _offered(summary: Summary | None) -> dict[str, list[str]]:
    """Keys of the layout that a file has a part in → the keys of the definitions behind them."""
    out: dict[str, list[str]] = {}
    for entry, key in _keyed(summary):
        if entry.kind in TYPE_KINDS:
            out.setdefault(_TYPE_KEY + entry.qual, []).append(key)
        elif entry.kind == "namespace":
            name = entry.qual
            while name:
                out.setdefault(_TYPE_KEY + name, []).append("")
                name = name.rpartition(".")[0]
        elif entry.flags & Flag.EXTENSION:
            out.setdefault(_EXTENSION_KEY + entry.qual.rpartition(".")[2], []).append(key)
    if summary is not None and summary.extra.get("global_usings"):
        out[_USINGS_KEY + summary.extra["global_usings"]] = []
    return out


class CSharpRules(TypedRules):
    """C#'s answers."""

    calls_locals = True
    primitives: ClassVar[Mapping[str, frozenset[str]]] = {
        name: frozenset([name, *wider.split()]) for name, wider in _WIDER.items()
    }

    def _layout(self, infer: Inference) -> CSharpLayout:
        return cast(CSharpLayout, infer.project.layout("csharp"))

    # --- names

    def top_scope(self, view: View, scope: int) -> int:
        while scope > 0 and view.scopes[scope].kind != "namespace":
            scope = view.scopes[scope].parent
        return max(scope, 0)

    def outer_name(self, infer: Inference, view: View, name: str, scope: int) -> Values:
        infer.note(view.path, "=imports")
        if name.endswith("()"):
            return self._static_using(infer, view, name)
        plain, _, count = name.partition("`")
        arity = int(count) if count else 0
        top = view.scopes[self.top_scope(view, scope)]
        namespace = view.symbols[top.owner].qual if top.owner != NONE else ""
        while True:
            found = self.type_named(infer, view, _join(namespace, plain), arity)
            if found:
                return found
            if not arity and namespace and self._is_namespace(infer, _join(namespace, plain)):
                return (Package(_join(namespace, plain)),)
            if not namespace:
                break
            namespace = namespace.rpartition(".")[0]
        for b in view.named(0, plain):
            if b.type != NONE:  # a using alias
                return tuple(
                    ClassOf(v.ref, v.args) if isinstance(v, Instance) else v for v in infer.type_of(view, b.type)
                )
        return self._using(infer, view, plain, arity) or self._otherwise(infer, view, name)

    def _otherwise(self, infer: Inference, view: View, name: str) -> Values:
        found = self._static_using(infer, view, name)
        if found:
            return found
        if "`" not in name and (self._is_namespace(infer, name) or name in ("System", "Microsoft")):
            return (Package(name),)
        return (Foreign("?." + name.partition("`")[0]),) if name[:1].isupper() else UNKNOWN

    def _is_namespace(self, infer: Inference, name: str) -> bool:
        infer.note_key(_TYPE_KEY + name)
        return self._layout(infer).is_namespace(name) or any(
            p == name or p.startswith(name + ".") for p in library_packages("csharp")
        )

    def usings(self, infer: Inference, view: View) -> list[str]:
        """The namespaces that a file's usings open, the repository's global ones among them."""
        return infer.query(("u", view.path), view.path, lambda: self._usings_of(infer, view), [])

    def _usings_of(self, infer: Inference, view: View) -> list[str]:
        infer.note_key(_USINGS_KEY)
        own = [n for i in view.facts.imports if i.kind == "" and i.name == "*" for n in self._opened(infer, view, i)]
        shared = [u for u in self._layout(infer).usings(view.path) if ":" not in u and "=" not in u]
        return list(dict.fromkeys([*own, *shared, *_IMPLICIT]))

    def _opened(self, infer: Inference, view: View, imp: Import) -> list[str]:
        """The namespace that a using opens: inside of a namespace it may be named relative to that."""
        owner = view.scopes[imp.scope].owner
        around = view.symbols[owner].qual if owner != NONE else ""
        while around:
            relative = _join(around, imp.module)
            if self._is_namespace(infer, relative):
                return [relative]
            around = around.rpartition(".")[0]
        return [imp.module]

    def _using(self, infer: Inference, view: View, name: str, arity: int) -> Values:
        for namespace in self.usings(infer, view):
            found = self.type_named(infer, view, _join(namespace, name), arity)
            if found:
                return found
        for shared in self._layout(infer).usings(view.path):
            alias, _, target = shared.partition("=")
            if target and alias == name:
                return self.type_named(infer, view, target, arity) or (Foreign(target),)
        return UNKNOWN

    def _static_using(self, infer: Inference, view: View, name: str) -> Values:
        modules = [i.module for i in view.facts.imports if i.kind == "static"]
        infer.note_key(_USINGS_KEY)
        modules += [u.removeprefix("static:") for u in self._layout(infer).usings(view.path) if u.startswith("static:")]
        for module in modules:
            for owner in self.type_named(infer, view, module, 0):
                found = self.find(infer, owner, name) if isinstance(owner, ClassOf) else None
                if found:
                    return found
        return UNKNOWN

    def type_named(self, infer: Inference, view: View, name: str, arity: int) -> Values:
        """The type of a full name with so many type parameters: its first part."""
        infer.note_key(_TYPE_KEY + name)
        refs = self._layout(infer).find(name)
        if not refs:
            package, _, last = name.rpartition(".")
            if package in library_packages("csharp"):
                refs = list(library_named("csharp", package, ".cs").get(last, ()))
        fitting = [ref for ref in refs if self._arity(infer, ref) == arity]
        if len(fitting) > 1 and not all(self._is_part(infer, ref) for ref in fitting):  # one for each project
            fitting.sort(key=lambda ref: distance(ref[0], view.path))
        return (ClassOf(fitting[0]),) if fitting else UNKNOWN

    def _is_part(self, infer: Inference, ref: SymbolRef) -> bool:
        found = infer.symbol(ref)
        return found is not None and bool(found[1].flags & Flag.PARTIAL)

    def _arity(self, infer: Inference, ref: SymbolRef) -> int:
        found = infer.symbol(ref)
        return len(found[1].type_params) if found is not None else -1

    def package_member(self, infer: Inference, package: str, name: str) -> Values:
        plain, _, count = name.removeprefix(TYPE_MARK).partition("`")
        full = f"{package}.{plain}"
        view = infer.view(infer._current)
        found = self.type_named(infer, view, full, int(count) if count else 0) if view is not None else ()
        if found:
            return found
        return (Package(full),) if self._is_namespace(infer, full) else (Foreign(full),)

    def imported(self, infer: Inference, view: View, imp: Import) -> Values:
        return self.type_named(infer, view, imp.module, 0)

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        found = self.type_named(infer, view, imp.module, 0)
        inside = [(v.ref[0], "") for v in found if isinstance(v, ClassOf) and not v.ref[0].startswith(LIBRARY)]
        return inside or ([] if self._layout(infer).is_namespace(imp.module) else [("", imp.module)])

    # --- types

    def literal(self, name: str, elements: tuple[Values, ...]) -> Values:
        if name == "string":
            return (Instance(_STRING),)
        if name in ("object", "dynamic"):
            return (Instance(_OBJECT),) if name == "object" else UNKNOWN
        if name == "typeof":
            return (Instance(_TYPE),)
        if name == "[]#":
            return (Foreign(ARRAY, elements),)
        if name == "query#":
            return (Instance(_ENUMERABLE, elements),)
        if name == "task#":
            return (Instance(_TASK, elements),)
        return (Foreign(name, elements),)

    def boxed(self, infer: Inference, name: str) -> SymbolRef | None:
        box = _BOXES.get(name)
        return (_SYSTEM, box) if box else None

    def unboxed(self, ref: SymbolRef) -> str:
        return _UNBOXES.get(ref, "")

    def as_type(self, infer: Inference, values: Values) -> Values:
        return tuple(
            Foreign(_UNBOXES[v.ref]) if isinstance(v, Instance) and v.ref in _UNBOXES else v
            for v in super().as_type(infer, values)
        )

    def root(self, infer: Inference) -> SymbolRef | None:
        return _OBJECT

    def array_fits(self, infer: Inference, wanted: Instance) -> int:
        return STRICT if wanted.ref[0] in (_SYSTEM, _GENERIC) and wanted.ref[1].startswith("I") else NEVER

    def implied_bases(
        self, infer: Inference, symbol: Symbol, ref: SymbolRef, bases: list[tuple[Values, str]]
    ) -> list[tuple[Values, str]]:
        if ref == _OBJECT:
            return bases
        implied = {"enum": "Enum", "struct": "ValueType"}.get(symbol.kind, "Object")
        return [*bases, ((ClassOf((_SYSTEM, implied)),), "inherits")]

    def bases(self, infer: Inference, view: View, symbol: Symbol, ref: SymbolRef) -> list[tuple[Values, str]]:
        out: list[tuple[Values, str]] = []
        for values, kind in super().bases(infer, view, symbol, ref):
            for value in values[:1]:
                found = infer.symbol(value.ref) if isinstance(value, (ClassOf, Instance)) else None
                if found is not None and symbol.kind != "interface":
                    kind = "implements" if found[1].kind == "interface" else "inherits"
            out.append((values, kind))
        return out

    def parts(self, infer: Inference, ref: SymbolRef) -> list[SymbolRef]:
        """The other parts of a partial type."""
        found = infer.symbol(ref)
        if found is None or not found[1].flags & Flag.PARTIAL:
            return []
        infer.note_key(_TYPE_KEY + found[1].qual)
        arity = len(found[1].type_params)
        return [r for r in self._layout(infer).find(found[1].qual) if r != ref and self._arity(infer, r) == arity]

    def same_type(self, a: SymbolRef, b: SymbolRef) -> bool:
        return a == b or (a[1].partition("#")[0] == b[1].partition("#")[0] and not a[0].startswith(LIBRARY))

    def ancestry_order(self, infer: Inference, ref: SymbolRef, bases: list[tuple[Values, str]]) -> Ancestry | None:
        parts = self.parts(infer, ref)
        for part in parts:
            found = infer.symbol(part)
            if found is not None:
                bases = [*bases, *self.bases(infer, found[0], found[1], part)]
        line = super().ancestry_order(infer, ref, bases)
        if line is None or not parts:
            return line
        own = line.entries[0]
        return line._replace(entries=(own, *((part, own[1]) for part in parts), *line.entries[1:]))

    def _same_header(self, infer: Inference, a: Header, b: Header) -> bool:
        return a.generic == b.generic and super()._same_header(infer, a, b)

    def hidden(self, symbol: Symbol, owner: SymbolRef, seen_from: SymbolRef) -> bool:
        return symbol.visibility == "private" and not self.same_type(owner, seen_from)

    def constructors_of(self, infer: Inference, ref: SymbolRef) -> list[SymbolRef]:
        out: list[SymbolRef] = []
        for part in (ref, *self.parts(infer, ref)):
            for constructor in super().constructors_of(infer, part):
                found = infer.symbol(constructor)
                if found is not None and not found[1].flags & Flag.STATIC:
                    out.append(constructor)
            found = infer.symbol(part)
            if found is not None and found[1].params and found[1].kind != "interface":
                out.append(part)
        return out

    def called(self, infer: Inference, symbol: Symbol, ref: SymbolRef, result: Values) -> Values:
        return (
            (self.itself(infer, ref),)
            if symbol.kind in TYPE_KINDS and symbol.kind != "interface"
            else super().called(infer, symbol, ref, result)
        )

    # --- members

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        symbols = view.symbols
        if name.startswith(TYPE_MARK):
            plain, _, count = name[1:].partition("`")
            infer.note(view.path, f"{symbols[index].qual}.{plain}")
            arity = int(count) if count else 0
            found = view.members.get((index, plain), ())
            return tuple(i for i in found if symbols[i].kind in TYPE_KINDS and len(symbols[i].type_params) == arity), ()
        if name.endswith("()") and name != CONSTRUCTORS:
            found_methods, _ = super().members(infer, view, index, name)
            return tuple(i for i in found_methods if symbols[i].receiver == NONE), ()
        if name == CONSTRUCTORS:
            return super().members(infer, view, index, name)
        found = [
            i
            for i in view.members.get((index, name), ())
            if symbols[i].kind != "constructor" and symbols[i].receiver == NONE
        ]
        return tuple(found), ()

    def find(
        self, infer: Inference, value: Instance | ClassOf, name: str, after: SymbolRef | None = None
    ) -> Values | None:
        found = super().find(infer, value, name, after)
        if found is None and name.endswith("()"):  # a delegate that a field or property holds
            member, _ = infer.member(value.ref, name[:-2], after)
            if member is not None:
                return infer.member_values(member, value) or (Foreign("delegate"),)
        return found

    def class_member(
        self, infer: Inference, view: View, value: Instance | ClassOf, name: str, after: SymbolRef | None
    ) -> Values:
        found = self.find(infer, value, name, after)
        extensions: Values = ()
        if name.endswith("()") and name != CONSTRUCTORS and after is None and isinstance(value, Instance):
            extensions = self.extensions(infer, value, name[:-2])
        if found or extensions:
            return (*(found or ()), *extensions)
        if isinstance(value, Instance):
            special = self._implied(infer, value, name)
            if special:
                return special
        line = infer.ancestry(value.ref)
        if found is None and (line.foreign or value.ref[0].startswith(LIBRARY)):
            outside = line.foreign[0] if line.foreign else value.ref[1]
            return (Foreign(f"{outside}.{name}"),)
        return UNKNOWN

    def _implied(self, infer: Inference, value: Instance, name: str) -> Values:
        """Members of a nullable value, `Invoke` of a delegate."""
        symbol = infer.symbol(value.ref)
        if name in ("Value", "GetValueOrDefault()") and symbol is not None and symbol[1].kind in ("struct", "enum"):
            return (value,) if name == "Value" else (Foreign(_SAME, ((value,),)),)
        if name == "Invoke()" and self.functional(infer, value.ref) is not None:
            return (Foreign(_SAME, (self.function_part(infer, (value,), -1),)),)
        return UNKNOWN

    def extensions(self, infer: Inference, value: Value, name: str) -> Values:
        """The extension methods of a name that take such a receiver."""
        infer.note_key(_EXTENSION_KEY + name)
        out: list[Value] = []
        for ref in (*self._layout(infer).extensions(name), *library_extensions("csharp", ".cs").get(name, ())):
            header = self.header(infer, ref)
            if header.types and self._takes(infer, value, header.types[0]):
                out.append(Function(ref, (value,)))
        return tuple(out)

    def _takes(self, infer: Inference, value: Value, wanted: Values) -> bool:
        """Does an extension method take such a receiver?

        What is not known to fit is taken for it only where the names tell of one kind of thing (a `SqlConnection`
        for an `IDbConnection`).
        """
        level = self.fits_any(infer, (value,), wanted)
        if level != MAYBE or not isinstance(value, Foreign):
            return level not in (NEVER,)
        return any(_last_word(value.name) == _last_word(_type_name(w)) for w in wanted)

    def _is_extension_call(self, infer: Inference, function: Function) -> bool:
        if not function.bound or isinstance(function.bound[0], ClassOf):
            return False
        found = infer.symbol(function.ref)
        if found is None or not found[1].flags & Flag.EXTENSION:
            return False
        receiver = function.bound[0]  # the class itself, where it calls its own method by its bare name
        owner = found[0].ref(found[1].parent) if found[1].parent != NONE else ("", "")
        return not isinstance(receiver, Instance) or not self.same_type(receiver.ref, owner)

    def _header_for(self, infer: Inference, function: Function) -> Header:
        header = super()._header_for(infer, function)
        if not self._is_extension_call(infer, function):
            return header
        env: Env = {}
        infer.unify(header.types[0], self._boxed_values(infer, function.bound), env)
        types = tuple(infer.substitute(t, env) for t in header.types[1:])
        return header._replace(types=types, required=header.required - 1, names=header.names[1:])

    def _receiver_env(self, infer: Inference, function: Function) -> Env:
        if not self._is_extension_call(infer, function):
            return super()._receiver_env(infer, function)
        env: Env = {}
        return env

    def learn_arguments(
        self, infer: Inference, view: View, function: Function, args: tuple[int, ...], env: Env, functions: bool
    ) -> None:
        if self._is_extension_call(infer, function):
            header = self.header(infer, function.ref)
            infer.unify(header.types[0], self._boxed_values(infer, function.bound), env)
        super().learn_arguments(infer, view, function, args, env, functions)

    def parameters(self, infer: Inference, function: Function) -> Header:
        header = self.header(infer, function.ref)
        if not self._is_extension_call(infer, function):
            return header
        return header._replace(types=header.types[1:], names=header.names[1:])

    def only(self, infer: Inference, function: Function) -> bool:
        return not self._is_extension_call(infer, function)

    def _pick(self, infer: Inference, view: View, group: list[Function], args: tuple[int, ...]) -> list[Function]:
        group = self._as_generic(infer, group)
        extensions = [f for f in group if self._is_extension_call(infer, f)]
        own = [f for f in group if f not in extensions]
        if own and (not extensions or self._applies(infer, view, own, args)):
            return super()._pick(infer, view, self._most_derived(infer, view, own, args), args)
        visible = [f for f in extensions if self._is_visible(infer, view, f)]
        if visible:
            return super()._pick(infer, view, visible, args)
        return super()._pick(infer, view, own, args) if own else []

    def _applies(self, infer: Inference, view: View, group: list[Function], args: tuple[int, ...]) -> bool:
        given = [infer.eval(view, a) for a in args]
        for function in group:
            header = self._header_for(infer, function)
            if header.required > len(args) or (len(args) > len(header.types) and not header.variadic):
                continue
            if self._score(infer, view, header, given, args)[0] < NEVER:
                return True
        return False

    def _most_derived(
        self, infer: Inference, view: View, group: list[Function], args: tuple[int, ...]
    ) -> list[Function]:
        """Methods of a class come before those of its bases, if any of them is applicable."""
        if len(group) < 2:
            return group
        first = group[0].ref[1].partition("#")[0].rpartition(".")[0]
        derived = [f for f in group if f.ref[1].partition("#")[0].rpartition(".")[0] == first]
        if len(derived) == len(group):
            return group
        fresh = [f for f in derived if not self._overrides(infer, f)]
        return derived if fresh and self._applies(infer, view, fresh, args) else group

    def _overrides(self, infer: Inference, function: Function) -> bool:
        found = infer.symbol(function.ref)
        return found is not None and bool(found[1].flags & Flag.OVERRIDE)

    def _is_visible(self, infer: Inference, view: View, function: Function) -> bool:
        """Do a file's usings or namespaces open the namespace of an extension method?"""
        path, key = function.ref
        if path.startswith(LIBRARY):
            namespace = path.rpartition("/")[2].removesuffix(".cs")
        else:
            other = infer.view(path)
            index = other.index_of.get(key) if other is not None else None
            namespace = ""
            while other is not None and index is not None and index != NONE:
                if other.symbols[index].kind == "namespace":
                    namespace = other.symbols[index].qual
                    break
                index = other.symbols[index].parent
        if not namespace or namespace in self.usings(infer, view):
            return True
        own = {s.qual for s in view.symbols if s.kind == "namespace"}
        return any(n == namespace or n.startswith(namespace + ".") for n in own)

    def canonical(self, infer: Inference, ref: SymbolRef) -> tuple[SymbolRef, ...]:
        found = infer.symbol(ref)
        if found is None:
            return (ref,)
        view, symbol, _ = found
        if symbol.parent == NONE:
            return (ref,)
        if not symbol.flags & Flag.DECLARATION:
            return self._per_platform(view, symbol, ref)
        owner = view.ref(symbol.parent)
        for part in (owner, *self.parts(infer, owner)):
            member = infer.own_member(part, self.member_name(symbol))
            other = infer.view(part[0]) if member is not None else None
            for index in member.symbols if member is not None and other is not None else ():
                candidate = other.symbols[index] if other is not None else None
                if (
                    other is not None
                    and candidate is not None
                    and not candidate.flags & Flag.DECLARATION
                    and len(candidate.params) == len(symbol.params)
                ):
                    return (other.ref(index),)
        return (ref,)

    def _per_platform(self, view: View, symbol: Symbol, ref: SymbolRef) -> tuple[SymbolRef, ...]:
        """A method and those that differ from it in nothing: only `#if` lets them stand beside it."""
        group = view.members.get((symbol.parent, symbol.name), ())
        if len(group) < 2 or symbol.kind not in CALLABLE_KINDS:
            return (ref,)
        return tuple(
            view.ref(i)
            for i in group
            if view.symbols[i].kind == symbol.kind
            and view.symbols[i].signature == symbol.signature
            and not view.symbols[i].flags & Flag.DECLARATION
        )

    # --- values

    def awaited(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Instance) and value.ref[0] == _TASKS:
                out.append(value.args[0] if value.args else (Foreign("void"),))
            elif isinstance(value, Instance):
                found = infer.symbol(value.ref)
                made = infer.call_member(found[0], value, "GetAwaiter()") if found is not None else UNKNOWN
                out.extend(infer.call_member(found[0], m, "GetResult()") for m in made if found is not None)
            elif isinstance(value, Foreign):
                out.append((Foreign(value.name + "()"),))
        return merge(*out) if out else UNKNOWN

    def element(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.name == ARRAY:
                out.append(value.args[0] if value.args else UNKNOWN)
            elif isinstance(value, Instance):
                args = self.seen_as(infer, value, _ENUMERABLE) or self.seen_as(infer, value, _ASYNC_ENUMERABLE)
                if args:
                    out.append(args[0])
                    continue
                found = infer.symbol(value.ref)
                made = infer.call_member(found[0], value, "GetEnumerator()") if found is not None else UNKNOWN
                out.extend(infer.attr(found[0], (m,), "Current") for m in made if found is not None)
        return merge(*out) if out else UNKNOWN

    def item(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if (isinstance(value, Foreign) and value.name.startswith("tuple")) or (
                isinstance(value, Instance) and value.ref == (_GENERIC, "KeyValuePair")
            ):
                out.append(value.args[place] if place < len(value.args) else UNKNOWN)
            elif isinstance(value, Instance):
                out.append(self._deconstructed(infer, value, place))
        return merge(*out) if out else UNKNOWN

    def _deconstructed(self, infer: Inference, value: Instance, place: int) -> Values:
        for ref in self.group(infer, value.ref, "Deconstruct()", None):
            types = self.header(infer, ref).types
            if place < len(types):
                return infer.substitute(types[place], self._receiver_env(infer, Function(ref, (value,))))
        return self.component(infer, value, place)

    def indexed(self, infer: Inference, view: View, value: Value, keys: tuple[int, ...]) -> Values:
        if not isinstance(value, Instance):
            return UNKNOWN
        picked = self.indexers(infer, view, value, keys)
        env = self._receiver_env(infer, Function(picked[0], (value,))) if picked else {}
        return merge(*(infer.substitute(infer.returns(ref, value), env) for ref in picked)) if picked else UNKNOWN

    def indexers(
        self, infer: Inference, view: View, value: Instance | ClassOf, args: tuple[int, ...]
    ) -> list[SymbolRef]:
        group = [Function(ref, (value,)) for ref in self.group(infer, value.ref, INDEXER, None)]
        return (
            [f.ref for f in super()._pick(infer, view, self._most_derived(infer, view, group, args), args)]
            if group
            else []
        )

    def index_member(self) -> str:
        return INDEXER

    def generic_or_item(self, infer: Inference, view: View, value: Foreign, keys: tuple[int, ...]) -> Values:
        if value.name == ARRAY:
            return value.args[0] if value.args else UNKNOWN
        return (Foreign(value.name, tuple(infer.type_of(view, k) for k in keys)),)

    def foreign_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        if value.name.startswith("tuple:"):
            names = value.name[6:].split(",")
            if name in names[: len(value.args)]:
                return value.args[names.index(name)]
            if name.startswith("Item") and name[4:].isdecimal() and int(name[4:]) <= len(value.args):
                return value.args[int(name[4:]) - 1]
        if value.name == ARRAY or value.name in self.primitives:
            return self._built_in_member(infer, value, name)
        if name == CONSTRUCTORS:
            return (value,)
        plain = name.removeprefix(TYPE_MARK).partition("`")[0]
        found = (Foreign(f"{value.name}.{plain}"),)
        if name.endswith("()") and not self.is_unknown(value):
            return (*self.extensions(infer, value, name[:-2]), *found)
        return found

    def _built_in_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        if name in ("Value", "GetValueOrDefault()") and value.name != ARRAY:
            return (value,)
        ref = (_SYSTEM, "Array") if value.name == ARRAY else self.boxed(infer, value.name)
        own = self.find(infer, Instance(ref), name) if ref is not None else None
        extensions = self.extensions(infer, value, name[:-2]) if name.endswith("()") else ()
        return (*(own or ()), *extensions) or (Foreign(f"{value.name}.{name}"),)

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        if value.name == _SAME:
            return value.args[0]
        return (Foreign(value.name if value.name.endswith("()") else value.name + "()"),)

    def instance_called(
        self, infer: Inference, view: View, value: Instance | TypeVariable, args: tuple[int, ...]
    ) -> Values:
        return self.function_part(infer, (value,), -1)

    def function_member(self, infer: Inference, value: Value, name: str) -> Values:
        return (Foreign("function." + name),)

    # --- delegates

    def _functional(self, infer: Inference, ref: SymbolRef) -> tuple[SymbolRef, tuple[Values, ...], SymbolRef] | None:
        found = infer.symbol(ref)
        if found is None or found[1].kind != "interface" or found[1].returns == NONE:
            return None
        own = tuple((TypeVariable(p.name, ref),) for p in found[1].type_params)
        return ref, own, ref

    def function_part(self, infer: Inference, values: Values, place: int) -> Values:
        inner: list[Value] = []
        for value in values:
            if isinstance(value, Instance) and value.ref[1] == "Expression" and value.args:
                inner.extend(value.args[0])
            else:
                inner.append(value)
        return super().function_part(infer, tuple(inner), place)

    def function_fits(self, infer: Inference, given: Value, wanted: Instance) -> int:
        if wanted.ref[1] == "Expression" and wanted.args:
            return self.fits_any(infer, (given,), wanted.args[0])
        if wanted.ref == (_SYSTEM, "Delegate"):
            return STRICT
        return super().function_fits(infer, given, wanted)

    def _fits_class(self, infer: Inference, given: Value, wanted: Instance) -> int:
        if isinstance(given, Foreign) and given.name.startswith("tuple:"):  # and anonymous objects
            return STRICT if wanted.ref in (_OBJECT, (_SYSTEM, "ValueType")) else NEVER
        level = super()._fits_class(infer, given, wanted)
        if level == NEVER and isinstance(given, Function) and wanted.ref == self.root(infer):
            return STRICT
        return level

    def operator_member(self, operator: str) -> str:
        return f"operator{operator}()"

    def binary(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values | None:
        left, right = infer.eval(view, e[2]), infer.eval(view, e[3])
        if e[1] == "+" and any(v == Instance(_STRING) for v in (*left, *right)):
            return (Instance(_STRING),)
        for value in (*left[:1], *right[:1]):
            if isinstance(value, Instance) and not value.ref[0].startswith(LIBRARY):
                found = infer.symbol(value.ref)
                enum = found is not None and found[1].kind == "enum"
                return (value,) if enum else infer.call_member(view, value, f"operator{e[1]}()")
        names = [v.name for v in (*left[:1], *right[:1]) if isinstance(v, Foreign) and v.name in self.primitives]
        if len(names) < 2:
            return left or right
        for name in ("decimal", "double", "float", "ulong", "long", "uint"):
            if name in names:
                return (Foreign(name),)
        return (Foreign("bool"),) if "bool" in names else (Foreign("int"),)


def _type_name(value: Value) -> str:
    if isinstance(value, (Instance, ClassOf)):
        return value.ref[1].partition("#")[0]
    return value.name if isinstance(value, Foreign) else ""


def _last_word(name: str) -> str:
    """The last capitalised word of a type's name."""
    words = re.findall(r"[A-Z][a-z0-9]+", name.rpartition(".")[2])
    return words[-1] if words else name


def _join(namespace: str, name: str) -> str:
    return f"{namespace}.{name}" if namespace else name


RULES = {"csharp": CSharpRules}
LAYOUT = CSharpLayout
