"""Rust: crates and modules, impl blocks wherever they are, traits, and what the library does to types."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

from nav_ls.graph.model import Relation, Summary, SymbolRef
from nav_ls.graph.project import name_key
from nav_ls.graph.rules import rust_library as library
from nav_ls.graph.rules.base import Layout, Rules
from nav_ls.graph.values import (
    UNKNOWN,
    ClassOf,
    Closure,
    Foreign,
    Function,
    Instance,
    Module,
    Package,
    TypeVariable,
    Value,
    Values,
    merge,
)
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, Binding, Flag, Import, Op, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Ancestry, Env, Inference, Member
    from nav_ls.graph.project import Project

    _Offer = tuple[str, int, SymbolRef, Member]
    """An impl for all types of some kind, by its file and symbol, with its trait and what that says of a method."""

_PLACE, _CHILD, _IMPLS, _CRATE, _ALIASES = "rsplace\0", "rschild\0", "rsimpls\0", "rscrate\0", "rsaliases\0"
_ADOPTED, _MADE = "rsadopted\0", "rsmade\0"
_SEPARATOR = "\0"
_NAME_LIMIT = 120
_OPERATORS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "&": "bitand", "|": "bitor", "^": "bitxor",
    "<<": "shl", ">>": "shr", "-x": "neg", "!": "not",
}  # fmt: skip
"""Operator → the method of its trait."""
_OPERATOR_TRAITS = {
    "+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "%": "Rem", "&": "BitAnd", "|": "BitOr", "^": "BitXor",
    "<<": "Shl", ">>": "Shr", "-x": "Neg", "!": "Not",
}  # fmt: skip
_ENDS = ("start", "end")
_ROOT_FOLDERS = ("src/bin", "tests", "examples", "benches")
Place = tuple[str, tuple[str, ...]]
"""A module: its file, and the inline modules inside of it."""


class RustLayout(Layout):
    """Crates by name, the tree of modules, and which impl blocks there are for a type's name."""

    manifests: ClassVar[frozenset[str]] = frozenset({"Cargo.toml"})

    def __init__(self, project: Project):
        super().__init__(project)
        paths = sorted(project.paths_of("rust"))
        self._mods = {p: project.summaries[p].extra.get("mods", "") for p in paths}
        self.crates: dict[str, str] = {}
        self._roots = self._find_roots(paths)
        self.tree = _placed(self._mods, self._roots)
        self._members: dict[tuple[str, str], list[tuple[str, int]]] | None = None
        self._impls: dict[str, list[tuple[str, int]]] = {}
        self._made: frozenset[str] | None = None

    def _find_roots(self, paths: list[str]) -> list[str]:
        """The root files of all crates, libraries first; fills in the names of the libraries."""
        known = set(paths)
        folders: set[str] = {""}
        for path in paths:
            parts = path.split("/")[:-1]
            folders.update("/".join(parts[:i]) for i in range(1, len(parts) + 1))
        libraries: list[str] = []
        others: list[str] = []
        for folder in sorted(folders):
            manifest = self._manifest(folder)
            if manifest is None:
                continue
            package = manifest.get("package")
            if not isinstance(package, dict):
                continue
            declared = manifest.get("lib")
            lib = declared if isinstance(declared, dict) else {}
            root = _join(folder, str(lib.get("path", "src/lib.rs")))
            if root in known:
                libraries.append(root)
                name = str(lib.get("name", package.get("name", ""))).replace("-", "_")
                self.crates.setdefault(name, root)
            others += [p for p in (_join(folder, "src/main.rs"), _join(folder, "build.rs")) if p in known]
            for kind in ("bin", "test", "example", "bench"):
                for target in manifest.get(kind, ()) if isinstance(manifest.get(kind), list) else ():
                    path = _join(folder, str(target.get("path", ""))) if isinstance(target, dict) else ""
                    others += [path] if path in known else []
            for inner in _ROOT_FOLDERS:
                base = _join(folder, inner) + "/"
                below = [p for p in paths if p.startswith(base)]
                others += [p for p in below if "/" not in p[len(base) :]]
                others += [p for p in below if p.endswith("/main.rs") and p[len(base) :].count("/") == 1]
        return list(dict.fromkeys([*libraries, *others]))

    def _manifest(self, folder: str) -> dict[str, Any] | None:
        text = self.project.source.text(_join(folder, "Cargo.toml"))
        if text is None:
            return None
        try:
            return tomllib.loads(text.decode("utf-8", "replace"))
        except tomllib.TOMLDecodeError:
            return None

    def members_of(self, base: str, name: str) -> list[tuple[str, int]]:
        """Associated items called `name` in impl blocks of types called `base`: (path, symbol index)."""
        if self._members is None:
            table: dict[tuple[str, str], list[tuple[str, int]]] = {}
            self._impls = {}
            for path in sorted(self.project.paths_of("rust")):
                for place, entry in enumerate(self.project.summaries[path].entries):
                    if entry.kind == "impl":
                        target = "*" if entry.flags & Flag.EXTENSION else entry.qual.rpartition(" ")[2]
                        self._impls.setdefault(target, []).append((path, place))
                    elif entry.kind in ("method", "type", "constant"):
                        owner, _, last = entry.qual.rpartition(".")
                        table.setdefault((owner.rpartition(".")[2], last), []).append((path, place))
            aliases = self._aliases()
            for alias in sorted(aliases.intersection(self._impls)):
                self._impls.setdefault("=", []).extend(self._impls[alias])
            for (owner, last), found in sorted(table.items()):
                if owner in aliases:
                    table.setdefault(("=", last), []).extend(found)
            self._members = table
        return self._members.get((base, name), [])

    def _aliases(self) -> frozenset[str]:
        """Names that are only ever aliases of types: impl blocks may be written for them."""
        aliases: set[str] = set()
        types: set[str] = set()
        for path in self.project.paths_of("rust"):
            for entry in self.project.summaries[path].entries:
                if entry.kind == "type":
                    aliases.add(entry.qual.rpartition(".")[2])
                elif entry.kind in ("struct", "enum", "union", "trait"):
                    types.add(entry.qual.rpartition(".")[2])
        return frozenset(aliases - types)

    def impls_of(self, base: str) -> list[tuple[str, int]]:
        """The impl blocks of types called `base`; "*": those of type parameters."""
        self.members_of("", "")
        return self._impls.get(base, [])

    def changed(self, path: str, before: Summary | None, after: Summary | None) -> set[str]:
        keys: set[str] = set()
        self._members = self._made = None
        if _kinds(before) != _kinds(after):
            keys.add(_ALIASES)
        old, new = _impl_names(before), _impl_names(after)
        for base in old.keys() | new.keys():
            if old.get(base) != new.get(base):
                keys.add(_IMPLS + base)
                if base in self._aliases():
                    keys.add(_ALIASES)
        mods = dict(self._mods)
        mods.pop(path, None)
        if after is not None:
            mods[path] = after.extra.get("mods", "")
        if mods != self._mods:
            keys |= self._moved(mods)
        return keys | {_MADE + name for name in _made(before) ^ _made(after)}

    def is_made(self, trait: str) -> bool:
        """Has some macro impls of a trait of this name?"""
        if self._made is None:
            files = self.project.paths_of("rust")
            self._made = frozenset(name for path in files for name in _made(self.project.summaries[path]))
        return trait in self._made

    def manifest_changed(self, path: str) -> set[str]:
        """A manifest names crates and the roots of their trees of modules."""
        self.crates.clear()
        keys = self._moved(self._mods)
        self._roots = self._find_roots(sorted(self._mods))
        self.tree = _placed(self._mods, self._roots)
        return keys

    def _moved(self, mods: dict[str, str]) -> set[str]:
        """Keys of all files whose place in the tree of modules changes."""
        old, new = self.tree, _placed(mods, self._find_roots(sorted(mods)))
        keys = {_CRATE} | {_PLACE + path for path, _ in old.parents.items() ^ new.parents.items()}
        keys |= {_PLACE + path for path, _ in old.root_of.items() ^ new.root_of.items()}
        keys |= {f"{_CHILD}{file}\0{name}" for (file, name), _ in old.children.items() ^ new.children.items()}
        return keys | {_ADOPTED + file for (file, _), _ in old.adopted.items() ^ new.adopted.items()}

    def stale(self, path: str, before: Summary | None, after: Summary | None) -> bool:
        if before is None or after is None:
            return True
        return before.extra.get("mods") != after.extra.get("mods")


def _constructor_name(view: View, index: int) -> str:
    """The last name of what makes or takes apart a value: a struct's, or a variant's."""
    e = view.exprs[index] if index != NONE else (Op.TEXT, "")
    while e[0] == Op.INDEX:
        e = view.exprs[e[1]]
    return str(e[2] if e[0] == Op.ATTR else e[1])


def _kinds(summary: Summary | None) -> set[tuple[str, bool]]:
    """The names of a file's types and aliases."""
    kinds = ("type", "struct", "enum", "union", "trait")
    entries = summary.entries if summary is not None else ()
    return {(e.qual.rpartition(".")[2], e.kind == "type") for e in entries if e.kind in kinds}


def _made(summary: Summary | None) -> set[str]:
    """The traits that a file's macros have impls of."""
    return set(summary.extra.get("made", "").split()) if summary is not None else set()


def _impl_names(summary: Summary | None) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for entry in summary.entries if summary is not None else ():
        if entry.kind == "impl":
            target = "*" if entry.flags & Flag.EXTENSION else entry.qual.rpartition(" ")[2]
            table.setdefault(target, []).append(entry.qual)
    return table


def _join(folder: str, rest: str) -> str:
    parts = folder.split("/") if folder else []
    for part in rest.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


class _Tree(NamedTuple):
    """Modules and files.  `children`: (file, module path inside) → the file of what a `mod` declares."""

    parents: dict[str, Place]
    children: dict[tuple[str, str], str]
    adopted: dict[tuple[str, str], str]  # (file, name) → a file beside it that no `mod` declares
    root_of: dict[str, str]  # file → root file of its crate


def _placed(mods: dict[str, str], roots: list[str]) -> _Tree:
    tree = _Tree({}, {}, {}, {})
    for root in roots:
        if root not in tree.root_of:
            _grow(tree, root, mods)
    for file in sorted((p for p in mods if p not in tree.root_of), key=_depth):
        if file in tree.root_of:
            continue
        above, name = _neighbour(file, mods)
        if above in tree.root_of:  # some macro declares all files of a folder
            tree.root_of[file] = tree.root_of[above]
            tree.parents[file] = (above, ())
            tree.adopted[above, name] = file
        _grow(tree, file, mods)
    return tree


def _grow(tree: _Tree, first: str, mods: dict[str, str]) -> None:
    """Put all that the modules of a file declare into the tree."""
    todo = [first]
    tree.root_of.setdefault(first, first)
    while todo:
        file = todo.pop()
        for inline, name, found in _declared(file, mods, file == tree.root_of[file]):
            tree.children[file, "::".join([*inline, name])] = found
            if found not in tree.root_of:
                tree.root_of[found] = tree.root_of[file]
                tree.parents[found] = (file, inline)
                todo.append(found)


def _depth(path: str) -> tuple[bool, int, bool, str]:
    """An order in which the file that holds a module comes before the module's own."""
    return not path.endswith(("/lib.rs", "/main.rs")), path.count("/"), not path.endswith("/mod.rs"), path


def _neighbour(path: str, mods: dict[str, str]) -> tuple[str, str]:
    """The file that would declare a file as its module, "" where there is none, and the module's name."""
    folder, _, filename = path.rpartition("/")
    name = filename.removesuffix(".rs")
    if name in ("lib", "main"):
        return "", name
    if name == "mod":
        folder, _, name = folder.rpartition("/")
    candidates = [*(_join(folder, f"{stem}.rs") for stem in ("mod", "lib", "main")), f"{folder}.rs"]
    return next((c for c in candidates if c in mods and c != path), ""), name


def _declared(file: str, mods: dict[str, str], is_root: bool) -> list[tuple[tuple[str, ...], str, str]]:
    """The files that a file's `mod name;` declare: (inline modules around, name, file)."""
    found: list[tuple[tuple[str, ...], str, str]] = []
    folder, _, filename = file.rpartition("/")
    base = folder if is_root or filename == "mod.rs" else _join(folder, filename.removesuffix(".rs"))
    for line in mods.get(file, "").split("\n") if mods.get(file) else ():
        dotted, _, path = line.partition("=")
        *inline, name = dotted.split("::")
        inner = _join(base, "/".join(inline))
        if path:
            candidates = [_join(inner if inline else folder, path)]
        else:
            candidates = [_join(inner, f"{name}.rs"), _join(inner, f"{name}/mod.rs")]
        for candidate in candidates:
            if candidate in mods:
                found.append((tuple(inline), name, candidate))
                break
    return found


class RustRules(Rules):
    """Rust's answers."""

    nominal = False
    types_are_called = False
    flow_sensitive = False

    def _layout(self, infer: Inference) -> RustLayout:
        return cast(RustLayout, infer.project.layout("rust"))

    # --- names

    def free_name(self, infer: Inference, view: View, name: str, scope: int, pos: int) -> Values:
        if name.endswith("!"):
            return self._macro(infer, view, name[:-1])
        if name == "crate":
            return self._crate(infer, view.path)
        if name == "super":
            return self._above(infer, self._module_at(view, scope))
        if name == "self":
            return (self._module_at(view, scope),) if pos == NONE else UNKNOWN
        if name.startswith("::"):
            return self._extern(infer, view, name[2:]) or (Foreign(name[2:]),)
        chain = self._globbed(view, scope)
        key = ("rsfree", view.path, chain, name, pos == NONE)
        return infer.query(key, view.path, lambda: self._free(infer, view, name, chain, pos == NONE), UNKNOWN)

    def _globbed(self, view: View, scope: int) -> tuple[int, ...]:
        """The scopes from here up to the module that have glob imports."""
        chain: list[int] = []
        while scope != NONE and view.stars:
            if scope in view.stars:
                chain.append(scope)
            scope = view.scopes[scope].parent
        return tuple(chain)

    def _free(self, infer: Inference, view: View, name: str, chain: tuple[int, ...], is_path: bool) -> Values:
        outside = False
        passed: Values = UNKNOWN
        for scope in chain:
            each: list[Values] = []  # one for each configuration, if there are several
            for imp in view.stars[scope]:
                found, foreign = self._through_glob(infer, view, imp, name)
                if found and not all(isinstance(v, Foreign) and v.name.startswith("*::") for v in found):
                    each.append(found)
                passed = passed or found
                outside |= foreign
            if each:
                return merge(*each)
        if is_path or name[:1].islower():
            root = self._extern(infer, view, name) or (self._undeclared(infer, view, name) if is_path else UNKNOWN)
            if root:
                return root
        if name == "None":
            return (Foreign("Option", (UNKNOWN,)),)
        if name in library.PRELUDE:
            return (Foreign(name),)
        if outside or passed:
            return passed or (Foreign("*::" + name),)
        return (Foreign(name),) if is_path and name[:1].islower() else UNKNOWN

    def _through_glob(self, infer: Inference, view: View, imp: Import, name: str) -> tuple[Values, bool]:
        """What `use module::*` yields for a name, and whether the module is from outside."""
        module = self._imported_from(infer, view, imp)
        known = tuple(v for v in module if not isinstance(v, Foreign))
        found = merge(*(infer.attr(view, (v,), name) for v in known)) if known else UNKNOWN
        return tuple(v for v in found if not isinstance(v, Foreign) or v.name[:1] != "~"), len(known) < len(module)

    def _imported_from(self, infer: Inference, view: View, imp: Import) -> Values:
        """What a `use` names before its last part: asked for each name that a glob may bring, answered once."""
        key = ("rsuse", view.path, imp.start, imp.module, imp.name, imp.alias)
        path = imp.module.split("::")
        return infer.query(key, view.path, lambda: self._path(infer, view, imp.scope, path, imp, True), UNKNOWN)

    def _extern(self, infer: Inference, view: View, name: str) -> Values:
        """A crate of the repository by its name."""
        infer.note_key(_CRATE)
        root = self._layout(infer).crates.get(name)
        return (Module(root),) if root is not None else UNKNOWN

    def _crate(self, infer: Inference, path: str) -> Values:
        infer.note_key(_PLACE + path)
        return (Module(self._layout(infer).tree.root_of.get(path, path)),)

    def _module_at(self, view: View, scope: int) -> Module | Package:
        """The module that a scope is in."""
        while scope > 0 and view.scopes[scope].kind != "module" and view.scopes[scope].parent != NONE:
            scope = view.scopes[scope].parent
        owner = view.scopes[scope].owner
        if scope <= 0 or owner == NONE:
            return Module(view.path)
        return Package(view.path + _SEPARATOR + view.symbols[owner].qual)

    def _above(self, infer: Inference, module: Value) -> Values:
        """`super`."""
        if isinstance(module, Package):
            path, _, qual = module.name.partition(_SEPARATOR)
            outer = qual.rpartition(".")[0]
            return (Package(path + _SEPARATOR + outer) if outer else Module(path),)
        if not isinstance(module, Module):
            return UNKNOWN
        infer.note_key(_PLACE + module.path)
        place = self._layout(infer).tree.parents.get(module.path)
        if place is None:
            return UNKNOWN
        file, inline = place
        return (Package(file + _SEPARATOR + ".".join(inline)) if inline else Module(file),)

    def _macro(self, infer: Inference, view: View, name: str) -> Values:
        """A macro of the repository by its name: one of this file, else of this crate, else the only one."""
        infer.note_key(name_key("rust", name))
        found = [
            (path, index)
            for path, index in infer.project.named("rust", name)
            if infer.project.summaries[path].entries[index].kind == "macro"
        ]
        if not found:
            return (Foreign(name + "!"),)
        infer.note_key(_PLACE + view.path)
        roots = self._layout(infer).tree.root_of
        here = [f for f in found if f[0] == view.path] or [
            f for f in found if roots.get(f[0]) == roots.get(view.path, "")
        ]
        chosen = here or (found if len(found) == 1 and name not in library.MACROS else [])
        out: list[Value] = []
        for path, index in chosen[-1:]:
            other = infer.view(path)
            if other is not None:
                out.append(Function(other.ref(index)))
        return tuple(out) or (Foreign(name + "!"),)

    # --- paths and modules

    def imported(self, infer: Inference, view: View, imp: Import) -> Values:
        segments = [*imp.module.split("::"), *([imp.name] if imp.name else [])]
        return self._path(infer, view, imp.scope, segments, imp)

    def _path(
        self, infer: Inference, view: View, scope: int, segments: list[str], exclude: Import, is_module: bool = False
    ) -> Values:
        """A path as a `use` declaration writes it; `exclude` is that declaration itself."""
        if segments and segments[0] == "":
            segments = segments[1:]
            values = self._extern(infer, view, segments[0]) or (Foreign(segments[0]),) if segments else UNKNOWN
        else:
            values = self._first(infer, view, scope, segments[0], exclude)
        for place, segment in enumerate(segments[1:], 2):
            if not values:
                break
            inner = is_module or place < len(segments)
            values = merge(
                *((inner and self._submodule(infer, v, segment)) or infer.attr(view, (v,), segment) for v in values)
            )
        return values

    def _submodule(self, infer: Inference, value: Value, name: str) -> Values:
        """A module that a module declares itself: what its imports say under the same name is not asked."""
        if not isinstance(value, (Module, Package)):
            return UNKNOWN
        path, _, qual = (value.path if isinstance(value, Module) else value.name).partition(_SEPARATOR)
        view = infer.view(path)
        if view is None:
            return UNKNOWN
        wanted = f"{qual}.{name}" if qual else name
        infer.note(path, wanted)
        found = [i for i in view.by_qual.get(wanted, ()) if view.symbols[i].kind == "module"]
        return merge(*(self.namespace_value(infer, view, i) for i in found), UNKNOWN)

    def _first(self, infer: Inference, view: View, scope: int, name: str, exclude: Import) -> Values:
        if name in ("crate", "super", "self"):
            return self.free_name(infer, view, name, scope, NONE)
        current = scope
        functions: Values = UNKNOWN  # no path goes through one: a module may have the same name
        while current != NONE:
            group = [
                b
                for b in view.named(current, name)
                if b.kind not in ("block", "item")
                and not (b.kind == "import" and view.facts.imports[b.value] is exclude)
            ]
            if group:
                found = merge(*(infer.binding(view, b) for b in group))
                known = tuple(v for v in found if not isinstance(v, Function))
                if known:
                    return known
                functions = functions or found
            current = view.scopes[current].parent
        beyond = self.free_name(infer, view, name, scope, NONE)
        return (functions if all(isinstance(v, Foreign) for v in beyond) else beyond) or beyond or (Foreign(name),)

    # --- variables

    def named_variables(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> tuple[SymbolRef, ...]:
        found = infer.lookup(view, scope, name, pos)
        if found is not None:
            return infer.variables(view, found)
        chain = self._globbed(view, scope)
        key = ("rsvariables", view.path, chain, name)
        return infer.query(key, view.path, lambda: self._globbed_variables(infer, view, chain, name), ())

    def _globbed_variables(
        self, infer: Inference, view: View, chain: tuple[int, ...], name: str
    ) -> tuple[SymbolRef, ...]:
        """What glob imports bring under a name, those of inner scopes first."""
        for scope in chain:
            for imp in view.stars.get(scope, ()):
                found = self._offered(infer, view, imp, name)
                if found:
                    return found
        return ()

    def _offered(self, infer: Inference, view: View, imp: Import, name: str) -> tuple[SymbolRef, ...]:
        """The variables, constants and variants that what an import names has under a name."""
        found: list[SymbolRef] = []
        for value in self._imported_from(infer, view, imp):
            if isinstance(value, Module):
                found += infer.module_variables(value.path, name)
            elif isinstance(value, Package):
                found += self.package_variables(infer, value.name, name)
            elif isinstance(value, ClassOf):
                found += infer.member_variables(value.ref, name) or ()
        return tuple(dict.fromkeys(found))

    def imported_variables(self, infer: Inference, view: View, b: Binding) -> tuple[SymbolRef, ...]:
        imp = view.facts.imports[b.value] if b.kind == "import" else None
        return self._offered(infer, view, imp, imp.name) if imp is not None and imp.name not in ("", "*") else ()

    def module_variables(self, infer: Inference, path: str, name: str) -> tuple[SymbolRef, ...]:
        view = infer.view(path)
        infer.note(path, name)
        return self._variables_in(infer, view, 0, name) if view is not None else ()

    def package_variables(self, infer: Inference, package: str, name: str) -> tuple[SymbolRef, ...]:
        path, _, qual = package.partition(_SEPARATOR)
        view = infer.view(path)
        infer.note(path, qual)
        infer.note(path, f"{qual}.{name}")
        modules = [i for i in view.by_qual.get(qual, ()) if view.symbols[i].kind == "module"] if view else []
        if view is None or not modules:
            return ()
        scope = view.symbols[modules[0]].scope
        key = ("rsmodule", path, qual, name)
        return infer.query(key, path, lambda: self._variables_in(infer, view, scope, name), ())

    def _variables_in(self, infer: Inference, view: View, scope: int, name: str) -> tuple[SymbolRef, ...]:
        group = view.named(scope, name)
        if group:
            return infer.variables(view, group)
        infer.note(view.path, "*")
        return self._globbed_variables(infer, view, (scope,), name)

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        values = self._path(infer, view, imp.scope, imp.module.split("::"), imp)
        out: list[SymbolRef] = []
        for value in values:
            if isinstance(value, Module):
                out.append((value.path, ""))
            elif isinstance(value, Package):
                out.append((value.name.partition(_SEPARATOR)[0], ""))
            elif isinstance(value, (ClassOf, Function)):
                out.append((value.ref[0], ""))
            elif isinstance(value, Foreign):
                out.append(("", value.name.partition("::")[0]))
        return list(dict.fromkeys(out))

    def module_member(self, infer: Inference, path: str, name: str) -> Values:
        view = infer.view(path)
        infer.note(path, name)
        return self._in_module(infer, view, 0, "", name) if view is not None else UNKNOWN

    def package_member(self, infer: Inference, package: str, name: str) -> Values:
        path, _, qual = package.partition(_SEPARATOR)
        view = infer.view(path)
        infer.note(path, qual)
        modules = [i for i in view.by_qual.get(qual, ()) if view.symbols[i].kind == "module"] if view else []
        if view is None or not modules:
            return UNKNOWN
        scope = view.symbols[modules[0]].scope
        key = ("rsmember", path, qual, name)
        return infer.query(key, path, lambda: self._in_module(infer, view, scope, qual, name), UNKNOWN)

    def _in_module(self, infer: Inference, view: View, scope: int, qual: str, name: str) -> Values:
        here: Value = Package(view.path + _SEPARATOR + qual) if qual else Module(view.path)
        if name == "self":
            return (here,)
        if name == "super":
            return self._above(infer, here)
        infer.note(view.path, f"{qual}.{name}" if qual else name)
        group = [b for b in view.named(scope, name) if b.kind != "block"]
        known = merge(*(infer.binding(view, b) for b in group)) if group else UNKNOWN
        if group and not all(isinstance(v, (Module, Package)) for v in known):
            return known
        infer.note(view.path, "*")
        outside: Values = UNKNOWN
        for imp in view.stars.get(scope, ()):
            found, foreign = self._through_glob(infer, view, imp, name)
            if known:  # a module: functions have names of their own
                found = tuple(v for v in found if isinstance(v, Function))
            if found and not isinstance(found[0], Foreign):
                return merge(known, found)
            outside = outside or found or ((Foreign("*::" + name),) if foreign else UNKNOWN)
        return known or outside or (self._undeclared(infer, view, name) if not qual else UNKNOWN)

    def _undeclared(self, infer: Inference, view: View, name: str) -> Values:
        """A module that no `mod` of its folder's file declares."""
        infer.note_key(_ADOPTED + view.path)
        child = self._layout(infer).tree.adopted.get((view.path, name))
        return (Module(child),) if child is not None else UNKNOWN

    def namespace_value(self, infer: Inference, view: View, index: int) -> Values:
        symbol = view.symbols[index]
        if not symbol.flags & Flag.DECLARATION:
            return (Package(view.path + _SEPARATOR + symbol.qual),)
        name = symbol.qual.replace(".", "::")
        infer.note_key(f"{_CHILD}{view.path}\0{name}")
        child = self._layout(infer).tree.children.get((view.path, name))
        return (Module(child),) if child is not None else UNKNOWN

    def value_symbol(self, infer: Inference, view: View, index: int) -> Values:
        symbol = view.symbols[index]
        if symbol.kind == "enum_member" and symbol.parent != NONE:
            return (Instance(view.ref(symbol.parent)),)
        return UNKNOWN

    # --- types

    def literal(self, name: str, elements: tuple[Values, ...]) -> Values:
        return (Foreign(name, elements),)

    def generic_or_item(self, infer: Inference, view: View, value: Foreign, keys: tuple[int, ...]) -> Values:
        types = tuple(infer.type_of(view, k) for k in keys)
        if value.name.count(".") and value.args:  # a method with a turbofish
            return (Foreign(value.name, (value.args[0], *types)),)
        if value.args:
            return (_fill_alias(value, types),)
        iterator = library.applied(value.name, types, lambda inner: self.element(infer, inner))
        if iterator is not None:
            return (iterator,)
        name = value.name.rpartition("::")[2]
        return (Foreign(name if name in library.KNOWN else value.name, types),)

    def as_type(self, infer: Inference, values: Values) -> Values:
        found = super().as_type(infer, values)
        return tuple(
            Foreign("iter")
            if isinstance(v, Foreign) and not v.args and v.name.rpartition("::")[2] in library.ITERATING_TRAITS
            else v
            for v in found
        )

    def element(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign):
                inner = library.element_of(value)
                out.append(self.element(infer, value.args[0]) if inner is None and value.args else inner or UNKNOWN)
            elif isinstance(value, (Instance, ClassOf)):  # a unit struct's name is its value
                out.append(infer.iterated(Instance(value.ref, value.args), self._items))
            elif isinstance(value, TypeVariable):
                out.append(self.element(infer, infer.bound_of(value)))
        return merge(*out) if out else UNKNOWN

    def _items(self, infer: Inference, value: Instance) -> Values:
        """What iterating over a type of the repository yields: its `Item`, as it or its iterator says."""
        view = infer.view(value.ref[0])
        if view is None:
            return UNKNOWN
        item = self.as_type(infer, infer.attr(view, (ClassOf(value.ref, value.args),), "Item"))
        known = tuple(v for v in item if not (isinstance(v, Foreign) and v.name.startswith("~")))
        if known:
            return known
        target = self._target(infer, value)
        return self.element(infer, target) if target and target != (value,) else UNKNOWN

    def item(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign):
                if value.name == "tuple":
                    fits = -len(value.args) <= place < len(value.args)
                    out.append(value.args[place] if fits else UNKNOWN)
                elif value.name in ("Option", "Result") or value.name in library.WRAPPERS:
                    out.append(value.args[0] if value.args else UNKNOWN)
                else:
                    out.append((_foreign(f"{value.name}.{place}"),))
            elif isinstance(value, TypeVariable):
                out.append(self.item(infer, infer.bound_of(value), place))
        return merge(*out) if out else UNKNOWN

    def with_items(self, infer: Inference, container: Values, items: Values) -> Values:
        return tuple(library.filled(v, items) for v in container)

    def awaited(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.args and value.name in library.WRAPPERS:
                out.append(self.awaited(infer, value.args[0]))
            elif isinstance(value, Foreign) and value.name.rpartition("::")[2] in ("Future", "JoinHandle"):
                out.append(value.args[0] if value.args else UNKNOWN)
            elif isinstance(value, Instance):
                out.append(self._output(infer, value) or (value,))
            else:
                out.append((value,))
        return merge(*out) if out else UNKNOWN

    def _output(self, infer: Inference, value: Instance) -> Values:
        """What awaiting a type of the repository yields: the `Output` of its `Future` or `IntoFuture`."""
        for name in ("into_future", "poll"):
            member = infer.own_member(value.ref, name)
            view = infer.view(member.path) if member is not None else None
            if member is None or view is None or not member.symbols:
                continue
            impl = view.symbols[member.symbols[0]].parent
            infer.note(view.path, f"{view.symbols[member.symbols[0]].qual.rpartition('.')[0]}.Output")
            scope = view.symbols[impl].scope if impl != NONE else NONE
            if scope != NONE:
                found = merge(*(infer.binding(view, b) for b in view.named(scope, "Output")), UNKNOWN)
                return infer.substitute(self.as_type(infer, found), infer.env_of(value.ref, value.args))
        return UNKNOWN

    def dereferenced(self, infer: Inference, view: View, operand: int, how: str) -> Values:
        """`**value`: the first star takes off the reference, the second one the box.

        Of other values it is not known what the first star takes off: `how` is "**" where it is a reference.
        """
        out: list[Value] = []
        for value in infer.eval(view, operand):
            if isinstance(value, Foreign) and value.name in library.WRAPPERS and value.args:
                out += value.args[0]
            elif isinstance(value, Instance) and how == "**":
                out += self._target(infer, value) or (value,)
            else:
                out.append(value)
        return tuple(out)

    def binary(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values | None:
        """Arithmetic on type parameters mostly stays within them, as `T: Num` has it, unless a bound says otherwise."""
        left = infer.eval(view, e[2])
        if not left or not all(isinstance(v, TypeVariable) for v in left):
            return None
        operator = _OPERATOR_TRAITS.get(e[1], "")
        bounds = [b for v in left if isinstance(v, TypeVariable) for b in infer.bound_of(v)]
        told = [b for b in bounds if isinstance(b, Foreign) and b.name.rpartition("::")[2] == operator]
        return merge(*(b.args[-1] for b in told if b.args), UNKNOWN) if told else left

    def operator_member(self, operator: str) -> str:
        return _OPERATORS.get(operator, "")

    def constructed(self, infer: Inference, view: View, value: ClassOf, args: tuple[int, ...]) -> Values:
        found = infer.symbol(value.ref) if args and not value.args else None
        if found is None or not found[1].type_params or found[1].scope == NONE:
            return (Instance(value.ref, value.args),)
        home, symbol, _ = found
        env: Env = {}
        for place, given in enumerate(args):
            e = view.exprs[given]
            field, part = (e[1], e[2]) if e[0] == Op.KEYWORD else (str(place), given)
            infer.note(home.path, f"{symbol.qual}.{field}")
            for b in home.named(symbol.scope, field):
                infer.unify(infer.type_of(home, b.type), infer.eval(view, part), env)
        learned = tuple(env.get((value.ref, p.name), UNKNOWN) for p in symbol.type_params)
        return (Instance(value.ref, learned if any(learned) else ()),)

    def implied_bound(self, infer: Inference, variable: TypeVariable) -> Values:
        return (Instance(variable.owner),) if variable.name == "Self" else UNKNOWN

    def receiver_env(self, infer: Inference, view: View, symbol: Symbol, function: Function, env: Env) -> None:
        if symbol.parent == NONE or not function.bound:
            return
        bound = tuple(Instance(v.ref, v.args) if isinstance(v, ClassOf) else v for v in function.bound)
        owner = view.symbols[symbol.parent]
        if owner.kind == "trait":
            env[(view.ref(symbol.parent), "Self")] = bound
        elif owner.kind == "impl":
            infer.unify(infer.type_of(view, owner.receiver), bound, env)

    def instance_called(
        self, infer: Inference, view: View, value: Instance | TypeVariable, args: tuple[int, ...]
    ) -> Values:
        if isinstance(value, TypeVariable):
            bound = infer.bound_of(value)
            return merge(*(v.args[0] for v in bound if isinstance(v, Foreign) and v.args), UNKNOWN)
        return (value,)  # an enum's variant

    def evaluate(self, infer: Inference, view: View, e: tuple[Any, ...], index: int) -> Values:
        if e[0] == Op.MATCHED:
            return self._matched(infer, view, e)
        if e[0] == Op.FILLED:
            return self._filled(infer, view, e)
        if e[0] == Op.EXPANDED:
            return self._expanded(infer, view, e)
        if e[0] == Op.AS_TRAIT:
            values = infer.eval(view, e[1])
            known = tuple(v for v in values if not isinstance(v, TypeVariable))
            return known or infer.eval(view, e[2]) or values
        return self._handed(infer, view, e) if e[0] == Op.HANDED else UNKNOWN

    def _expanded(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values:
        """What a macro yields; one like `try!` hands out what its argument holds."""
        for value in infer.eval(view, view.exprs[e[1]][1]):
            found = infer.symbol(value.ref) if isinstance(value, Function) else None
            if found is not None and any(found[0].exprs[i] == (Op.ITEM, NONE, 0) for i in found[1].returned):
                return self.item(infer, infer.eval(view, e[2]), 0)
        return infer.eval(view, e[1])

    def variable_attr(self, infer: Inference, view: View, value: TypeVariable, name: str) -> Values:
        """A method of the library that keeps the type yields the parameter itself."""
        found = infer.attr(view, infer.bound_of(value), name)
        if (name in library.KEEPING or name == "default") and all(isinstance(v, Foreign) for v in found):
            told = tuple(v for v in found if isinstance(v, Foreign) and library.converts(v))
            return told or (Foreign("~same." + name, ((value,),)),)
        return found

    def function_part(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in self.unwrapped(values):
            if isinstance(value, Foreign) and value.name == "function" and place + 1 < len(value.args):
                out.append(value.args[place + 1])
        return merge(*out) if out else UNKNOWN

    def select(self, infer: Inference, view: View, values: Values, args: tuple[int, ...]) -> Values:
        """Of several impls of one trait with parameters (`From<A>`, `From<B>`): the one that takes the argument."""
        functions = [v for v in values if isinstance(v, Function) and not self._is_free(infer, v)]
        checked = any(isinstance(v, Foreign) and v.name.startswith("?") for v in values)
        if not args or (len(functions) < 2 and not checked):
            return values
        if len({self._owner(infer, f) for f in functions}) == len(functions) > 1:
            return values  # one for each configuration
        given = infer.eval(view, args[0])
        fits: list[tuple[int, Value]] = []
        for function in functions:
            found = infer.symbol(function.ref)
            params = [p for p in found[1].params if p.kind != "self"] if found is not None else []
            if found is None or not params:
                return values
            declared = infer.type_of(found[0], params[0].type)
            fits.append((_fit(declared, given), function))
        best = max((rank for rank, _ in fits), default=0)
        if best < 2 and functions:
            converted = self._converted(infer, functions[0], given)
            if converted:
                return converted
        if checked:
            outside = tuple(Foreign(v.name[1:], v.args) for v in values if isinstance(v, Foreign))
            return tuple(f for rank, f in fits if rank == 2) or outside
        if best:
            return tuple(f for rank, f in fits if rank == best)
        return self._made_from_unknown(infer, functions[0])

    def _made_from_unknown(self, infer: Inference, function: Function) -> Values:
        """Whichever `from` is meant, it makes the type that it was asked of."""
        found = infer.symbol(function.ref)
        if found is None or found[1].name not in library.CONVERTING:
            return UNKNOWN
        made = tuple(Instance(v.ref, v.args) for v in self._owner(infer, function) if isinstance(v, ClassOf))
        return (Foreign("~new.", (made,)),) if made else UNKNOWN

    def _converted(self, infer: Inference, function: Function, given: Values) -> Values:
        """The `from` that takes an argument, wherever its impl is."""
        found = infer.symbol(function.ref)
        if found is None or found[1].name not in library.CONVERTING:
            return UNKNOWN
        out: list[Value] = []
        for owner in self._owner(infer, function):
            home = infer.symbol(owner.ref) if isinstance(owner, ClassOf) else None
            members = self._layout(infer).members_of(home[1].name, found[1].name) if home is not None else ()
            for path, index in members:
                there = cast(View, infer.view(path))
                method = there.symbols[index]
                if method.parent == NONE or not method.params or not self._is_for(infer, there, method.parent, owner):
                    continue
                infer.note(path, method.qual)
                if _fit(infer.type_of(there, method.params[0].type), given) == 2:
                    out.append(Function(there.ref(index), function.bound))
        return tuple(out)

    def _owner(self, infer: Inference, function: Function) -> Values:
        """The type whose impl a function is in."""
        found = infer.symbol(function.ref)
        parent = found[1].parent if found is not None else NONE
        return infer.eval(found[0], found[0].symbols[parent].receiver) if found and parent != NONE else UNKNOWN

    def _is_free(self, infer: Inference, function: Function) -> bool:
        """Is it a plain function?  If there are several, each is for one configuration."""
        found = infer.symbol(function.ref)
        return found is not None and found[1].kind == "function"

    def _filled(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values:
        """`let v: Vec<_> = value`."""
        declared, value = infer.type_of(view, e[1]), view.exprs[e[2]] if e[2] != NONE else (Op.TEXT, "")
        if value[0] == Op.CALL:
            for callee in infer.eval(view, value[1]):
                if isinstance(callee, Foreign) and callee.name == "iter.collect" and callee.args:
                    return library.collected(declared, self.element(infer, callee.args[0]))
        given = infer.eval(view, e[2])
        return given if any(isinstance(v, (Instance, Foreign)) and v.args for v in given) else declared or given

    def _matched(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values:
        """A field that a pattern takes out: `Some(x)`, `Point { x, .. }`, `Shape::Circle(r)`."""
        subject = infer.eval(view, e[1])
        name = _constructor_name(view, e[2])
        out: list[Values] = []
        for value in infer.eval(view, e[2]) if e[2] != NONE else ():
            if isinstance(value, (Instance, ClassOf)):
                out.append(self._field_of(infer, value, name, e[3], subject))
            elif isinstance(value, Foreign):
                out.append(self._foreign_part(infer, value.name.rpartition("::")[2], subject))
        return merge(*out) if out else UNKNOWN

    def other_variables(self, infer: Inference, view: View, e: tuple[Any, ...]) -> tuple[SymbolRef, ...]:
        if e[0] != Op.MATCHED or e[2] == NONE:
            return ()
        variant = _constructor_name(view, e[2])
        parts = (
            self._parts(infer, value.ref, variant, e[3])
            for value in infer.eval(view, e[2])
            if isinstance(value, (Instance, ClassOf))
        )
        return tuple(ref for part in parts if part is not None for ref in infer.variables(*part))

    def _field_of(
        self, infer: Inference, value: Instance | ClassOf, variant: str, field: str, subject: Values
    ) -> Values:
        part = self._parts(infer, value.ref, variant, field)
        if part is None:
            return UNKNOWN
        view, bindings = part
        values = merge(*(infer.binding(view, b) for b in bindings), UNKNOWN)
        for given in self.unwrapped(subject):
            if isinstance(given, Instance) and given.ref == value.ref and given.args:
                return infer.substitute(values, infer.env_of(given.ref, given.args))
        return values

    def _parts(self, infer: Inference, ref: SymbolRef, variant: str, field: str) -> tuple[View, list[Binding]] | None:
        """The field of a struct, or of a variant of an enum."""
        found = infer.symbol(ref)
        if found is None:
            return None
        view, symbol, index = found
        scope = symbol.scope
        if symbol.kind == "enum":
            infer.note(view.path, f"{symbol.qual}.{variant}")
            variants = [i for i in view.children.get(index, ()) if view.symbols[i].name == variant]
            scope = view.symbols[variants[0]].scope if variants else NONE
        if scope == NONE:
            return None
        infer.note(view.path, f"{symbol.qual}.{variant}.{field}" if symbol.kind == "enum" else f"{symbol.qual}.{field}")
        return view, view.named(scope, field)

    def unwrapped(self, values: Values, depth: int = 0) -> Values:
        out: list[Value] = []
        for value in values:
            if isinstance(value, Foreign) and value.name in library.WRAPPERS and value.args and depth < 5:
                out += self.unwrapped(value.args[0], depth + 1)
            else:
                out.append(value)
        return tuple(out)

    def _foreign_part(self, infer: Inference, name: str, subject: Values) -> Values:
        out: list[Values] = []
        for value in self.unwrapped(subject):
            if not isinstance(value, Foreign):
                continue
            if value.name in ("Option", "Result", "Poll") and name in ("Some", "Ok", "Ready"):
                out.append(value.args[0] if value.args else UNKNOWN)
            elif value.name == "Result" and name == "Err":
                out.append(value.args[1] if len(value.args) > 1 else UNKNOWN)
            else:
                out.append((_foreign(f"{value.name}.{name}"),))
        return merge(*out) if out else UNKNOWN

    def _handed(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values:
        """What a callee hands to a parameter of a closure."""
        out: list[Values] = []
        for value in infer.eval(view, e[1]):
            if isinstance(value, Function):
                out.append(self._closure_parameter(infer, view, value, e))
            elif isinstance(value, Foreign) and value.args:
                base, _, method = value.name.rpartition(".")
                args = view.exprs[e[4]][2:] if e[4] != NONE else ()
                given = library.handed(infer, view, base, method, value.args[0], args, e[2], e[3])
                out.append(given or ((_foreign(value.name + "|"),) if _is_outside(value) else UNKNOWN))
            elif isinstance(value, Foreign) and value.name != "function":
                out.append((_foreign(value.name + "|"),))
        return merge(*out) if out else UNKNOWN

    def _closure_parameter(self, infer: Inference, view: View, value: Function, e: tuple[Any, ...]) -> Values:
        found = infer.symbol(value.ref)
        if found is None:
            return UNKNOWN
        other, symbol, _ = found
        params = [p for p in symbol.params if p.kind != "self"]
        if e[2] >= len(params):
            return UNKNOWN
        env: Env = {}
        self.receiver_env(infer, other, symbol, value, env)
        for bound in value.bound:
            if isinstance(bound, (Instance, ClassOf)):
                env.update(infer.env_of(bound.ref, bound.args))
        if e[4] != NONE:
            given = view.exprs[e[4]][2:]
            infer.learn(view, other, symbol, (*given[: e[2]], NONE, *given[e[2] + 1 :]), env)
        out: list[Values] = []
        for declared in infer.type_of(other, params[e[2]].type):
            kinds = infer.bound_of(declared) if isinstance(declared, TypeVariable) else (declared,)
            for kind in self.unwrapped(kinds):
                if isinstance(kind, Foreign) and kind.name == "function" and len(kind.args) > e[3] + 1:
                    out.append(infer.substitute(kind.args[e[3] + 1], env))
        return merge(*out) if out else UNKNOWN

    # --- members

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        symbol = view.symbols[index]
        if name.startswith("."):
            if symbol.kind not in ("struct", "union") or symbol.scope == NONE:
                return (), ()
            infer.note(view.path, symbol.qual + name)
            return (), tuple(b for b in view.named(symbol.scope, name[1:]) if b.kind == "field")
        wanted = ("enum_member",) if symbol.kind == "enum" else CALLABLE_KINDS if symbol.kind == "trait" else ()
        found = tuple(
            i
            for i in view.by_qual.get(f"{symbol.qual}.{name}", ())
            if view.symbols[i].parent == index and view.symbols[i].kind in wanted
        )
        if found or symbol.kind != "trait" or symbol.scope == NONE:
            return found, ()
        return (), tuple(view.named(symbol.scope, name))

    def outside_member(self, infer: Inference, view: View, index: int, name: str) -> Member | None:
        """An associated item: of an inherent impl, of a trait's impl, or what a trait offers by default."""
        symbol = view.symbols[index]
        if name.startswith((".", "[")) or symbol.kind == "trait":
            return None
        ref = view.ref(index)
        return (
            self._from_impls(infer, ref, symbol.name, name, ClassOf(ref))
            or self._default_of(infer, ref, symbol.name, name, ClassOf(ref))
            or self._blanket(infer, ref, name)
        )

    def _from_impls(self, infer: Inference, ref: SymbolRef, base: str, name: str, target: Value) -> Member | None:
        infer.note_key(name_key("rust", name))
        best: list[tuple[int, str, int]] = []
        layout = self._layout(infer)
        infer.note_key(_ALIASES)
        for path, index in [*layout.members_of(base, name), *layout.members_of("=", name)]:
            there = infer.view(path)
            if there is None:
                continue
            parent = there.symbols[index].parent
            if parent == NONE or there.symbols[parent].kind != "impl" or not self._is_for(infer, there, parent, target):
                continue
            traits = there.symbols[parent].bases
            look_alike = isinstance(target, Foreign) and name not in library.CONVERTING
            if look_alike and traits and not self._is_own_trait(infer, there, traits[0]):
                continue
            best.append((len(traits), path, index))
        if not best:
            return None
        rank = min(r for r, _, _ in best)
        if rank and isinstance(target, Foreign):
            best = self._in_scope(infer, ref[0], best)
        roots = layout.tree.root_of
        infer.note_key(_PLACE + ref[0])
        near = roots.get(ref[0])
        chosen = sorted((p != ref[0], roots.get(p) != near, p, i) for r, p, i in best if r == rank)
        home = chosen[0][2]
        view = cast(View, infer.view(home))
        indexes = [i for *_, p, i in chosen if p == home]
        infer.note(home, view.symbols[indexes[0]].qual)
        symbols = tuple(i for i in indexes if view.symbols[i].kind in CALLABLE_KINDS)
        if symbols:
            return _member(ref, symbols, (), home)
        bindings = [b for i in indexes for b in view.named(view.symbols[view.symbols[i].parent].scope, name)]
        return _member(ref, (), tuple(bindings), home)

    def _in_scope(self, infer: Inference, path: str, members: list[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
        """Those of the members of several traits whose trait a file names: one that is not in scope is not meant."""
        asking = infer.view(path)
        views = [cast(View, infer.view(home)) for _, home, _ in members]
        traits = [_trait_of(v, v.symbols[m[2]].parent) for v, m in zip(views, members, strict=True)]
        if asking is None or len(set(traits)) < 2:
            return members
        named = [m for m, trait in zip(members, traits, strict=True) if _names(asking, trait)]
        return named or members

    def _is_own_trait(self, infer: Inference, view: View, index: int) -> bool:
        """Is a trait of the repository, so that its methods are no look-alikes of the library's?"""
        return any(isinstance(v, ClassOf) for v in infer.eval(view, index))

    def _args_fit(self, infer: Inference, wanted: tuple[Values, ...], given: tuple[Values, ...]) -> bool:
        """Can an impl for `Arc<T>` be one for what the box holds here?"""
        for want, have in zip(wanted, given, strict=False):
            if len(want) != 1 or len(have) != 1:
                continue
            one, other = want[0], have[0]
            if isinstance(one, TypeVariable) and isinstance(other, Instance):
                found = infer.symbol(other.ref)
                asked = [v.ref for v in infer.bound_of(one) if isinstance(v, Instance)]
                if found is None or not asked:
                    continue
                traits = [other.ref, *self._traits(infer, found[1].name, ClassOf(other.ref))]
                if found[1].kind == "trait":
                    traits += [r for r, _ in infer.ancestry(other.ref).entries]
                if not all(a in traits for a in asked):
                    return False
            elif (isinstance(one, Instance) and isinstance(other, Instance) and one.ref != other.ref) or (
                isinstance(one, Foreign) and isinstance(other, (Foreign, Instance)) and not _same_name(one, other)
            ):
                return False
        return True

    def _is_for(self, infer: Inference, view: View, impl: int, target: Value) -> bool:
        """Is an impl block one of this type?"""
        symbol = view.symbols[impl]
        infer.note(view.path, symbol.qual)
        values = infer.query(
            ("rstarget", view.path, impl), view.path, lambda: infer.eval(view, symbol.receiver), UNKNOWN
        )
        for value in values:
            if isinstance(value, ClassOf) and isinstance(target, ClassOf) and value.ref == target.ref:
                return True
            if isinstance(value, Foreign) and isinstance(target, Foreign) and value.name == target.name:
                if value.name == "tuple" and len(value.args) != len(target.args):
                    return False
                return self._args_fit(infer, value.args, target.args)
        return False

    def _traits(self, infer: Inference, base: str, target: Value) -> tuple[SymbolRef, ...]:
        """The traits of the repository that a type has impl blocks for."""
        if not isinstance(target, ClassOf):
            return self._traits_of(infer, base, target)
        path, key = target.ref
        # Each blanket impl asks anew, and each asks all impls of the type.
        return infer.query(("rstraits", path, key), path, lambda: self._traits_of(infer, base, target), ())

    def _traits_of(self, infer: Inference, base: str, target: Value) -> tuple[SymbolRef, ...]:
        infer.note_key(_IMPLS + base)
        infer.note_key(_ALIASES)
        out: list[SymbolRef] = []
        layout = self._layout(infer)
        for path, index in [*layout.impls_of(base), *layout.impls_of("=")]:
            there = infer.view(path)
            if there is None or not there.symbols[index].bases or not self._is_for(infer, there, index, target):
                continue
            for value in infer.eval(there, there.symbols[index].bases[0]):
                if isinstance(value, ClassOf):
                    out.append(value.ref)
        return tuple(dict.fromkeys(out))

    def _default_of(self, infer: Inference, ref: SymbolRef, base: str, name: str, target: Value) -> Member | None:
        for trait in self._traits(infer, base, target):
            found = infer.own_member(trait, name)
            if found is not None and found.symbols:
                return _member(ref, found.symbols, found.bindings, found.path)
        return None

    def _blanket(
        self,
        infer: Inference,
        ref: SymbolRef | None,
        name: str,
        outside: Foreign | None = None,
        asking: View | None = None,
    ) -> Member | None:
        """A method that an impl for all types of some kind offers: to a type, or to a value from outside."""
        none: tuple[_Offer, ...] = ()
        for path, index, owner, trait in infer.query(
            ("rsblanket", name), "", lambda: self._blankets(infer, name), none
        ):
            there = cast(View, infer.view(path))
            if ref is not None and not self._fits(infer, there, index, ref):
                continue
            if outside is not None and not self._may_fit(infer, there, index, outside):
                continue
            if asking is not None and not asking.stars and not _names(asking, _trait_of(there, index)):
                continue  # a trait that is not in scope
            own = [i for i in there.children.get(index, ()) if there.symbols[i].name == name]
            if own:
                return _member(ref or owner, tuple(own), (), path)
            return _member(ref or owner, trait.symbols, (), trait.path)
        return None

    def _blankets(self, infer: Inference, name: str) -> tuple[_Offer, ...]:
        """The impls for all types of some kind whose trait has a method."""
        infer.note_key(_IMPLS + "*")
        infer.note_key(name_key("rust", name))
        offers: list[_Offer] = []
        for path, index in self._layout(infer).impls_of("*"):
            there = infer.view(path)
            if there is None or not there.symbols[index].bases:
                continue
            for value in infer.eval(there, there.symbols[index].bases[0]):
                trait = infer.own_member(value.ref, name) if isinstance(value, ClassOf) else None
                if isinstance(value, ClassOf) and trait is not None and trait.symbols:
                    offers.append((path, index, value.ref, trait))
        return tuple(offers)

    def _fits(self, infer: Inference, view: View, impl: int, ref: SymbolRef) -> bool:
        """Does a type have the traits of the repository that a blanket impl asks for?"""
        symbol = view.symbols[impl]
        name = symbol.qual.rpartition(" ")[2]
        found = infer.symbol(ref)
        for param in symbol.type_params:
            if param.name != name or found is None:
                continue
            if self._asks_for_function(infer, view, param.bound):
                return False
            bounds = [v.ref for v in infer.type_of(view, param.bound) if isinstance(v, Instance)]
            if "Iterator" in _bound_names(view, param.bound) and infer.own_member(ref, "next") is None:
                return False
            have = self._traits(infer, found[1].name, ClassOf(ref))
            return all(b in have for b in bounds)
        return found is not None

    def _may_fit(self, infer: Inference, view: View, impl: int, value: Foreign) -> bool:
        """Can a blanket impl be for a value from outside?  One for iterators is not for a list."""
        symbol = view.symbols[impl]
        name = symbol.qual.rpartition(" ")[2]
        params = [p for p in symbol.type_params if p.name == name]
        asked = [n for p in params for n in _bound_names(view, p.bound)]
        if "Iterator" in asked and library.is_iterator(value) is False:
            return False
        if value.name in library.WRAPPERS and value.args:  # what is asked of the box, not of what it holds
            own = [v.ref for p in params for v in infer.type_of(view, p.bound) if isinstance(v, Instance)]
            have = self._traits(infer, value.name, Foreign(value.name)) if own else ()
            if not all(trait in have for trait in own):
                return False
        for_functions = any(self._asks_for_function(infer, view, p.bound) for p in params)
        return not for_functions or _is_callable(value)

    def _asks_for_function(self, infer: Inference, view: View, bound: int) -> bool:
        """Is a type parameter bounded by `Fn`, `FnMut` or `FnOnce`?"""
        return any(isinstance(v, Foreign) and v.name == "function" for v in infer.type_of(view, bound))

    def missing_member(self, infer: Inference, value: Instance | ClassOf, name: str, line: Ancestry) -> Values:
        found = infer.symbol(value.ref)
        if found is None:
            return UNKNOWN
        view, symbol, _ = found
        if symbol.kind == "trait":
            above = [v for b, _ in self.bases(infer, view, symbol, value.ref) for v in b if isinstance(v, Foreign)]
            inherited = merge(*(infer.attr(view, (v,), name) for v in self.as_type(infer, tuple(above))), UNKNOWN)
            return inherited or (_foreign(f"~{symbol.name}.{name}"),)
        unit = symbol.kind == "struct" and symbol.scope == NONE and name in library.ITERATING  # `Unit.map(..)`
        if isinstance(value, ClassOf) and not unit:
            made = (Instance(value.ref, value.args),)
            return (Foreign("~new." + name, (made,)),)
        value = Instance(value.ref, value.args)
        if name in ("[]", "[..]"):
            output = self._associated(infer, view, value, "Output")
            if output:
                return output
        target = self._target(infer, value)
        if target and value not in target:
            return infer.attr(view, target, name)
        if name in library.KEEPING:
            return (Foreign("~same." + name, ((value,),)),)
        if name in library.ITERATING:
            item = self._associated(infer, view, value, "Item")
            if item:
                return infer.attr(view, (Foreign("iter", (item,)),), name)
        return (_foreign(f"~{symbol.name}.{name}"),)

    def _associated(self, infer: Inference, view: View, value: Instance, name: str) -> Values:
        """An associated type of a type of the repository."""
        member = infer.own_member(value.ref, name)
        if member is None:
            return UNKNOWN
        found = self.as_type(infer, infer.attr(view, (ClassOf(value.ref, value.args),), name))
        home = infer.view(member.path)
        if home is None or not member.bindings:
            return found
        impl = home.scopes[member.bindings[0].scope].owner
        if impl == NONE or home.symbols[impl].receiver == NONE:
            return found
        env: Env = {}
        infer.unify(infer.type_of(home, home.symbols[impl].receiver), (value,), env)
        return infer.substitute(found, env)

    def _target(self, infer: Inference, value: Instance) -> Values:
        """What a value dereferences to."""
        view = infer.view(value.ref[0])
        if view is None or infer.own_member(value.ref, "deref") is None:
            return UNKNOWN
        return self._associated(infer, view, value, "Target")

    def function_member(self, infer: Inference, value: Value, name: str) -> Values:
        if name.startswith("."):
            return (_foreign("function" + name),)
        infer.note_key(name_key("rust", name))
        if not isinstance(value, (Closure, Function)) or not infer.project.named("rust", name):
            return UNKNOWN
        found = self._blanket(infer, None, name, Foreign("function"))
        home = infer.view(found.path) if found is not None else None
        return tuple(Function(home.ref(i), (value,)) for i in found.symbols) if found and home else UNKNOWN

    def foreign_attr(self, infer: Inference, view: View, value: Foreign, name: str) -> Values:
        if name.startswith("."):
            return self._foreign_field(infer, view, value, name)
        if name.startswith("["):
            return self._foreign_item(infer, view, value, name)
        if name.isupper() and value.name in library.PRIMITIVES:
            return (Foreign("u32") if name in library.COUNTS else value,)
        extension = self._extension(infer, view, value, name)
        if extension:
            return extension
        own = library.GUARDS_OWN if value.name == "Guard" else library.WRAPPERS_OWN
        if value.name in library.WRAPPERS and value.args and name not in own:
            inner = infer.attr(view, value.args[0], name)
            if inner:
                return inner
        if value.args or value.name in library.KNOWN or value.name.startswith("~"):
            return (Foreign(f"{value.name}.{name}"[:_NAME_LIMIT], ((value,),)),)
        if name in library.CONTAINERS:
            return (Foreign(name),)
        return (_foreign(f"{value.name}::{name}"),)

    def _foreign_field(self, infer: Inference, view: View, value: Foreign, name: str) -> Values:
        if value.name == "tuple" and name[1:].isdecimal():
            place = int(name[1:])
            return value.args[place] if place < len(value.args) else UNKNOWN
        if value.args and (
            (name == ".0" and value.name in library.HOLDERS) or (name[1:] in _ENDS and value.name in library.RANGES)
        ):
            return value.args[0]
        if value.name in library.WRAPPERS and value.args:
            return infer.attr(view, value.args[0], name)
        return (_foreign(value.name + name),)

    def _foreign_item(self, infer: Inference, view: View, value: Foreign, name: str) -> Values:
        """`value[i]`, `value[a..b]`."""
        if value.name in library.WRAPPERS and value.args:
            return infer.attr(view, value.args[0], name)
        if name == "[..]":
            return (library.cut(value),)
        if value.name in library.SEQUENCES or value.name in library.MAPS:
            return value.args[-1] if value.args else UNKNOWN
        return (_foreign(value.name + "[]"),)

    def _extension(self, infer: Inference, view: View, value: Foreign, name: str) -> Values:
        """A trait of the repository that has an impl for a type from outside."""
        infer.note_key(name_key("rust", name))
        if not infer.project.named("rust", name) or value.name[:1] in "~*":
            return UNKNOWN
        if name in library.INHERENT.get(value.name, ()):
            return UNKNOWN
        here = (view.path, "")
        for base in library.seen_as(value.name):
            name_there = library.TARGETS.get(base, base)
            target = Foreign(name_there, value.args if name_there == value.name else ())
            found = self._from_impls(infer, here, base, name, target) or self._default_of(
                infer, here, base, name, target
            )
            if found is None and name not in library.ITERATING and value.name in library.KNOWN:
                found = self._blanket(infer, None, name, value, view)
            home = infer.view(found.path) if found is not None else None
            if found is not None and home is not None and found.symbols:
                functions = tuple(Function(home.ref(i), (value,)) for i in found.symbols)
                if name in library.CONVERTING:  # one of the library's impls may be meant: see `select`
                    return (*functions, Foreign(f"?{value.name}.{name}", ((value,),)))
                return functions
        return self._made_by_macro(infer, view, value, name)

    def _made_by_macro(self, infer: Inference, view: View, value: Foreign, name: str) -> Values:
        """What a trait in scope declares, where a macro writes its impls for numbers, tuples and the like."""
        if value.name not in library.BARE or name in library.KEEPING or name in library.FLOAT_OF_STD:
            return UNKNOWN
        found: dict[SymbolRef, Function] = {}
        for path, index in infer.project.named("rust", name):
            owner = infer.project.summaries[path].entries[index].qual.rpartition(".")[0].rpartition(".")[2]
            if not owner or not _names(view, owner):
                continue
            infer.note_key(_MADE + owner)
            there = infer.view(path)
            if there is None or not self._layout(infer).is_made(owner):
                continue
            parent = there.symbols[index].parent
            if parent != NONE and there.symbols[parent].kind == "trait":
                infer.note(path, there.symbols[parent].qual)
                found[there.ref(parent)] = Function(there.ref(index), (value,))
        return tuple(found.values()) if len(found) == 1 else UNKNOWN

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        return library.call(infer, view, value, args)

    # --- relations

    def relations(self, infer: Inference, view: View) -> list[Relation]:
        """Types → traits they have impl blocks for, wherever those are; their methods → the traits' methods."""
        out: list[Relation] = []
        for index, symbol in enumerate(view.symbols):
            if symbol.kind in ("struct", "enum", "union"):
                ref = view.ref(index)
                out += [Relation("implements", ref[1], t) for t in self._traits(infer, symbol.name, ClassOf(ref))]
            elif symbol.kind == "impl" and symbol.bases:
                traits = [v.ref for v in infer.eval(view, symbol.bases[0]) if isinstance(v, ClassOf)]
                for child in view.children.get(index, ()):
                    if view.symbols[child].kind not in CALLABLE_KINDS:
                        continue
                    for trait in traits:
                        found = infer.own_member(trait, view.symbols[child].name)
                        home = infer.view(found.path) if found is not None else None
                        if found is not None and home is not None:
                            out += [Relation("overrides", view.keys[child], home.ref(i)) for i in found.symbols]
        return list(dict.fromkeys(out))


def _trait_of(view: View, impl: int) -> str:
    """The name of the trait that an impl is for."""
    bases = view.symbols[impl].bases
    names = _bound_names(view, bases[0]) if bases else []
    return names[0] if names else ""


def _names(view: View, name: str) -> bool:
    """Does a file import something of a name, or declare a trait of it?"""
    return any(i.name == name for i in view.facts.imports) or any(
        s.name == name and s.kind == "trait" for s in view.symbols
    )


def _is_callable(value: Foreign) -> bool:
    """Is something from outside a function, or does it hold one (`Box<dyn Fn()>`)?"""
    held = value.args[0] if value.args and value.name != "function" else (value,)
    return any(isinstance(v, (Closure, Function)) or (isinstance(v, Foreign) and v.name == "function") for v in held)


def _bound_names(view: View, index: int) -> list[str]:
    """The traits that a bound names."""
    if index == NONE:
        return []
    e = view.exprs[index]
    if e[0] == Op.NAME:
        return [e[1]]
    if e[0] == Op.ATTR:
        return [e[2]]
    if e[0] in (Op.INDEX, Op.GENERIC, Op.POINTER):
        return _bound_names(view, e[1])
    return [n for i in e[1:] for n in _bound_names(view, i)] if e[0] in (Op.UNION, Op.CHOICE) else []


def _is_outside(value: Value, depth: int = 0) -> bool:
    """Is nothing of the repository inside of a type from outside?"""
    if not isinstance(value, Foreign):
        return False
    return depth > 4 or all(group and all(_is_outside(v, depth + 1) for v in group) for group in value.args)


def _same_name(one: Foreign, other: Foreign | Instance) -> bool:
    """Is it the same type from outside?  A literal number ("i32") fits every number."""
    if isinstance(other, Instance):
        return False
    return one.name == other.name or (other.name == "i32" and one.name in library.PRIMITIVES)


def _fit(declared: Values, given: Values) -> int:
    """2: the argument is of that type; 1: it may be; 0: it isn't."""
    if not given or not declared or any(isinstance(d, TypeVariable) for d in declared):
        return 1
    for d in declared:
        for g in given:
            if isinstance(d, Instance) and isinstance(g, (Instance, ClassOf)) and d.ref == g.ref:
                return 2
            if isinstance(d, Foreign) and isinstance(g, Foreign) and _same_name(d, g):
                return 2
            if isinstance(d, Foreign) and isinstance(g, Foreign) and _may_be(d, g):
                return 1
    return 0


def _may_be(one: Foreign, other: Foreign) -> bool:
    """May a value of the one be of the other's type: is it not known, or is the one a slice of the other?"""
    unknown = other.name not in library.KNOWN or "." in other.name
    return unknown or library.cut(one).name == library.cut(other).name


def _member(ref: SymbolRef, symbols: tuple[int, ...], bindings: tuple[Binding, ...], home: str) -> Member:
    from nav_ls.graph.infer import Member

    return Member(ref, (), symbols, bindings, home)


def _foreign(name: str) -> Foreign:
    return Foreign(name[:_NAME_LIMIT])


def _fill_alias(value: Foreign, types: tuple[Values, ...]) -> Foreign:
    """`Result<T>` where `type Result<T> = std::result::Result<T, Error>`: put the arguments in order of appearance."""
    given = list(types)
    filled: dict[Value, Values] = {}

    def fill(values: Values) -> Values:
        out: list[Values] = []
        for v in values:
            if isinstance(v, TypeVariable):
                if v not in filled:
                    filled[v] = given.pop(0) if given else (v,)
                out.append(filled[v])
            elif isinstance(v, (Foreign, Instance, ClassOf)) and v.args:
                out.append((v._replace(args=tuple(fill(a) for a in v.args)),))
            else:
                out.append((v,))
        return merge(*out) if out else UNKNOWN

    return Foreign(value.name, tuple(fill(a) for a in value.args))


RULES = {"rust": RustRules}
LAYOUT = RustLayout
