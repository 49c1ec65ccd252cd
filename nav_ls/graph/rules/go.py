"""Go: packages over files, modules over packages, embedding, and interfaces that nobody declares to implement."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, cast

from nav_ls.graph.model import Relation, Summary, SymbolRef
from nav_ls.graph.rules.base import Layout, Rules
from nav_ls.graph.values import (
    UNKNOWN,
    ClassOf,
    Foreign,
    Instance,
    Package,
    TypeVariable,
    Value,
    Values,
    merge,
)
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, TYPE_KINDS, Binding, Import, Op, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Ancestry, Inference, Member
    from nav_ls.graph.project import Project

_DIR, _SYMBOL, _METHODS, _INTERFACE = "godir\0", "gosym\0", "gomethods\0", "goiface\0"
_MODULES = "gomodules"
_MODULE = re.compile(rb'^\s*module\s+"?([^\s"]+)', re.M)
_REPLACE = re.compile(rb'^\s*(?:replace\s+)?"?([^\s"(]+)"?(?:\s+v\S+)?\s+=>\s+"?(\.{1,2}(?:/[^\s"]*)?)"?', re.M)
_VERSION = re.compile(r"(?:^v\d+$)|(?:\.v\d+$)")
_NAME_LIMIT = 120


def folder_of(path: str) -> str:
    """The folder of a file, "" for the root."""
    return path.rpartition("/")[0]


def package_id(path: str, summary: Summary) -> str:
    """What names a package: its folder and its clause; a file that no build takes stands alone."""
    alone = "\n" + path if "ignored" in summary.extra else ""
    return f"{folder_of(path)}\n{summary.package}{alone}"


class GoLayout(Layout):
    """Import paths → folders (through go.mod, replace, vendor), folders → packages, packages → what they offer."""

    manifests: ClassVar[frozenset[str]] = frozenset({"go.mod"})

    def __init__(self, project: Project):
        super().__init__(project)
        self.packages: dict[str, list[str]] = {}
        self.folders: dict[str, dict[str, int]] = {}
        self._symbols: dict[str, dict[str, list[str]]] = {}
        self._interfaces: dict[str, list[SymbolRef]] | None = None
        for path in sorted(project.paths_of("go")):
            summary = project.summaries[path]
            self.packages.setdefault(package_id(path, summary), []).append(path)
            names = self.folders.setdefault(folder_of(path), {})
            if "ignored" not in summary.extra:
                names[summary.package] = names.get(summary.package, 0) + 1
        self.modules: dict[str, str] = {}
        self.replaced: dict[str, dict[str, str]] = {}
        self._read_modules()

    def _read_modules(self) -> None:
        probed: set[str] = set()
        for folder in sorted(self.folders):
            parts = folder.split("/") if folder else []
            for count in range(len(parts), -1, -1):
                root = "/".join(parts[:count])
                if root in probed:
                    break
                probed.add(root)
                text = self.project.source.text(f"{root}/go.mod" if root else "go.mod")
                match = _MODULE.search(text) if text is not None else None
                if text is None or match is None:
                    continue
                self.modules.setdefault(match[1].decode("utf-8", "replace"), root)
                self.replaced[root] = {
                    m[1].decode("utf-8", "replace"): _joined(root, m[2].decode("utf-8", "replace"))
                    for m in _REPLACE.finditer(text)
                }

    def root_of(self, path: str) -> str | None:
        """The folder of the go.mod that a file belongs to."""
        folder = folder_of(path)
        while True:
            if folder in self.replaced:
                return folder
            if not folder:
                return None
            folder = folder_of(folder)

    def candidates(self, imported: str, importer: str) -> list[str]:
        """The folders that an import path can mean, best first."""
        found: list[str] = []
        root = self.root_of(importer)
        if root is not None:
            found += _below(imported, self.replaced[root])
            found.append(f"{root}/vendor/{imported}" if root else f"vendor/{imported}")
        found += _below(imported, self.modules)
        parts = imported.split("/")
        if not self.modules and "." in parts[0]:  # no go.mod anywhere: a checkout below GOPATH
            found += ["/".join(parts[i:]) for i in range(1, len(parts))]
        return found

    def package_in(self, folder: str) -> str | None:
        """The package that importing a folder yields."""
        names = {n: c for n, c in self.folders.get(folder, {}).items() if not n.endswith("_test")}
        if not names:
            return None
        return f"{folder}\n{max(sorted(names), key=lambda n: names[n])}"

    def symbols(self, package: str) -> dict[str, list[str]]:
        """Key → the files of a package that offer it."""
        table = self._symbols.get(package)
        if table is None:
            table = {}
            for path in self.packages.get(package, ()):
                for key in self.project.summaries[path].offers:
                    table.setdefault(key, []).append(path)
                for qual in sorted({e.qual for e in self.project.summaries[path].entries if e.kind == "method"}):
                    owner, _, name = qual.rpartition(".")
                    table.setdefault(owner + ".\0", []).append(name)
            self._symbols[package] = table
        return table

    def interfaces(self, method: str) -> list[SymbolRef]:
        """Interfaces whose first method (by name) is this one; "" for those that only embed others."""
        if self._interfaces is None:
            table: dict[str, list[SymbolRef]] = {}
            for path in sorted(self.project.paths_of("go")):
                for qual, names in _interfaces_of(self.project.summaries[path]).items():
                    table.setdefault(names[0] if names else "", []).append((path, qual))
            self._interfaces = table
        return self._interfaces.get(method, [])

    def changed(self, path: str, before: Summary | None, after: Summary | None) -> set[str]:
        keys: set[str] = set()
        old, new = (before.offers if before else {}), (after.offers if after else {})
        packages = [package_id(path, s) for s in (before, after) if s is not None]
        moved = before is None or after is None or packages[0] != packages[1] or before.extra != after.extra
        if moved:
            keys.add(_DIR + folder_of(path))
            if self._modules_change(path, before, after):
                keys.add(_MODULES)
        touched = [q for q in old.keys() | new.keys() if moved or old.get(q) != new.get(q)]
        for package in packages:
            self._symbols.pop(package, None)
            for qual in touched:
                keys.add(f"{_SYMBOL}{package}\0{qual}")
                if "." in qual:
                    keys.add(f"{_METHODS}{package}\0{qual.rpartition('.')[0]}")
        self._interfaces = None
        known = [_interfaces_of(s) for s in (before, after) if s is not None]
        for qual in {q for table in known for q in table}:
            methods = sorted({m for table in known for m in table.get(qual, ())})
            if any(t == qual or t.startswith(qual + ".") for t in touched):
                keys.update(_INTERFACE + m for m in ["", *methods])
        return keys

    def manifest_changed(self, path: str) -> set[str]:
        """A go.mod was edited, appeared or vanished: import paths may lead elsewhere."""
        self.modules.clear()
        self.replaced.clear()
        self._read_modules()
        return {_MODULES}

    def _modules_change(self, path: str, before: Summary | None, after: Summary | None) -> bool:
        """Does a module come or go with a file?  (Modules are those that have Go files.)"""
        folder = folder_of(path)
        roots = ["/".join(folder.split("/")[:i]) for i in range(folder.count("/") + 2)] if folder else [""]
        if before is None:
            text = self.project.source.text
            return any(r not in self.replaced and text(f"{r}/go.mod" if r else "go.mod") is not None for r in roots)
        others = {folder_of(p) for files in self.packages.values() for p in files if p != path}
        return after is None and any(
            r in self.replaced and not any(f == r or not r or f.startswith(r + "/") for f in others) for r in roots
        )

    def stale(self, path: str, before: Summary | None, after: Summary | None) -> bool:
        if before is None or after is None:
            return True
        return before.package != after.package or before.extra != after.extra


def _interfaces_of(summary: Summary) -> dict[str, list[str]]:
    """The interfaces of a file with the names of their own methods."""
    table: dict[str, list[str]] = {e.qual: [] for e in summary.entries if e.kind == "interface"}
    for entry in summary.entries:
        owner, _, name = entry.qual.rpartition(".")
        if entry.kind == "method" and owner in table:
            table[owner].append(name)
    return {qual: sorted(set(names)) for qual, names in table.items()}


def _joined(root: str, relative: str) -> str:
    parts = root.split("/") if root else []
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _below(imported: str, modules: dict[str, str]) -> list[str]:
    """Folders of an import path below the modules whose path begins it, the longest first."""
    fitting = [m for m in modules if imported == m or imported.startswith(m + "/")]
    found: list[str] = []
    for module in sorted(fitting, key=len, reverse=True):
        rest = imported[len(module) :].strip("/")
        found.append("/".join(p for p in (modules[module], rest) if p))
    return found


def guessed_name(imported: str) -> str:
    """The likely package name of an import path from outside."""
    parts = imported.split("/")
    while len(parts) > 1 and re.fullmatch(r"v\d+", parts[-1]):
        parts.pop()
    name = _VERSION.sub("", parts[-1])
    return name.removeprefix("go-").removesuffix("-go").replace("-", "_")


class GoRules(Rules):
    """Go's answers."""

    nominal = False
    types_are_called = False
    redeclares = True

    def _layout(self, infer: Inference) -> GoLayout:
        return cast(GoLayout, infer.project.layout("go"))

    # --- names

    def free_name(self, infer: Inference, view: View, name: str, scope: int, pos: int) -> Values:
        return infer.query(("gofree", view.path, name), view.path, lambda: self._free(infer, view, name), UNKNOWN)

    def _free(self, infer: Inference, view: View, name: str) -> Values:
        found = self._from_package(infer, self._package(infer, view), name)
        if found is not None:
            return found
        guesses: list[str] = []
        for imp in view.facts.imports:
            if imp.alias or imp.kind in ("dot", "blank"):
                continue
            package = self._find(infer, view, imp.module)
            if package is None:
                guesses.append(imp.module)
            elif package.partition("\n")[2] == name:
                return (Package(package),)
        outside = next((g for g in guesses if guessed_name(g) == name), None)
        if outside is not None:
            return (Foreign(outside),)
        for imp in view.facts.imports:
            if imp.kind == "dot":
                package = self._find(infer, view, imp.module)
                found = self._from_package(infer, package, name) if package is not None else (Foreign(f"*.{name}"),)
                if found is not None and (package is not None or name not in _BUILTIN):
                    return found
        if name in _BUILTIN:
            return (Foreign(name),)
        outside = next((g for g in guesses if name in g), None)
        return (Foreign(outside),) if outside is not None else UNKNOWN

    def _package(self, infer: Inference, view: View) -> str:
        """The package that a file belongs to."""
        return package_id(view.path, infer.project.summaries[view.path])

    def _find(self, infer: Inference, view: View, imported: str) -> str | None:
        """The package of the repository that an import path names; files of one folder see the same."""
        key = ("package", imported, folder_of(view.path))
        return infer.query(key, "", lambda: self._found(infer, view.path, imported), None)

    def _found(self, infer: Inference, importer: str, imported: str) -> str | None:
        layout = self._layout(infer)
        infer.note_key(_MODULES)
        for folder in layout.candidates(imported, importer):
            infer.note_key(_DIR + folder)
            package = layout.package_in(folder)
            if package is not None:
                return package
        return None

    def _from_package(self, infer: Inference, package: str, name: str) -> Values | None:
        """A package-level name; None where the package has no such name."""
        infer.note_key(f"{_SYMBOL}{package}\0{name}")
        paths = [p for p in self._layout(infer).symbols(package).get(name, ()) if self._declares(infer, p, name)]
        return merge(*(infer.top_level(path, name) for path in paths)) if paths else None

    def free_variables(self, infer: Inference, view: View, name: str) -> tuple[SymbolRef, ...]:
        return self.package_variables(infer, self._package(infer, view), name)

    def package_variables(self, infer: Inference, package: str, name: str) -> tuple[SymbolRef, ...]:
        infer.note_key(f"{_SYMBOL}{package}\0{name}")
        paths = self._layout(infer).symbols(package).get(name, ())
        return tuple(ref for path in paths for ref in infer.top_level_variables(path, name))

    def _declares(self, infer: Inference, path: str, name: str) -> bool:
        """Is the name more than an import's alias, which holds in its own file only?"""
        view = infer.view(path)
        return view is not None and any(b.kind != "import" for b in view.named(0, name))

    def imported(self, infer: Inference, view: View, imp: Import) -> Values:
        package = self._find(infer, view, imp.module)
        return (Package(package),) if package is not None else (Foreign(imp.module),)

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        package = self._find(infer, view, imp.module)
        if package is None:
            return [("", imp.module)]
        paths = self._layout(infer).packages.get(package, ())
        return [(path, "") for path in paths if not path.endswith("_test.go")]

    def package_member(self, infer: Inference, package: str, name: str) -> Values:
        return self._from_package(infer, package, name) or UNKNOWN

    # --- types

    def type_variable(self, infer: Inference, view: View, owner: int, name: str) -> Values:
        """A method's receiver names the parameters of its type anew: they are the type's own."""
        symbol = view.symbols[owner]
        e = view.exprs[symbol.receiver] if symbol.receiver != NONE else ()
        while e and e[0] == Op.POINTER:
            e = view.exprs[e[1]]
        if not e or e[0] != Op.INDEX:
            return (TypeVariable(name, view.ref(owner)),)
        names = [view.exprs[key][1] for key in e[2:] if view.exprs[key][0] == Op.NAME]
        for value in infer.eval(view, e[1]):
            found = infer.symbol(value.ref) if isinstance(value, ClassOf) else None
            if found is not None and name in names and names.index(name) < len(found[1].type_params):
                return (TypeVariable(found[1].type_params[names.index(name)].name, found[0].ref(found[2])),)
        return (TypeVariable(name, view.ref(owner)),)

    def underlying(self, infer: Inference, value: Instance | ClassOf) -> Values:
        """What a defined type is made of: `type Names []string`."""
        found = infer.symbol(value.ref)
        if found is None or found[1].returns == NONE or found[1].kind != "newtype":
            return UNKNOWN
        view, symbol, _ = found
        made = infer.query(("gounder", value.ref), value.ref[0], lambda: infer.type_of(view, symbol.returns), UNKNOWN)
        return infer.substitute(made, infer.env_of(value.ref, value.args))

    def _plain(self, infer: Inference, values: Values, depth: int = 0) -> Values:
        """Values with defined types and type parameters replaced by what they are made of."""
        out: list[Values] = []
        for value in values:
            if isinstance(value, Instance):
                made = self.underlying(infer, value)
                out.append(self._plain(infer, made, depth + 1) if made and depth < 5 else (value,))
            elif isinstance(value, TypeVariable):
                out.append(self._plain(infer, infer.bound_of(value), depth + 1) if depth < 5 else UNKNOWN)
            else:
                out.append((value,))
        return merge(*out) if out else UNKNOWN

    def element(self, infer: Inference, values: Values) -> Values:
        """`range`: a tuple of what its one or two variables get."""
        out = [_ranged(v) for v in self._plain(infer, values)]
        return merge(*out) if out else UNKNOWN

    def item(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign):
                if value.name == "tuple":
                    out.append(value.args[place] if place < len(value.args) else UNKNOWN)
                else:
                    out.append((_foreign(f"{value.name}.{place}"),))
        return merge(*out) if out else UNKNOWN

    def awaited(self, infer: Inference, values: Values) -> Values:
        """`<-channel`."""
        out: list[Values] = []
        for value in self._plain(infer, values):
            if isinstance(value, Foreign):
                out.append((value.args[0] if value.args else UNKNOWN) if value.name == "chan" else (value,))
        return merge(*out) if out else UNKNOWN

    def indexed(self, infer: Inference, view: View, value: Value, keys: tuple[int, ...]) -> Values:
        plain = self._plain(infer, (value,))
        return merge(*(self.foreign_index(infer, v, ()) for v in plain if isinstance(v, Foreign))) if plain else UNKNOWN

    def generic_or_item(self, infer: Inference, view: View, value: Foreign, keys: tuple[int, ...]) -> Values:
        if "." in value.name and not value.args and not value.name.endswith(")"):
            return (Foreign(value.name, tuple(infer.type_of(view, k) for k in keys)),)
        return self.foreign_index(infer, value, ())

    def foreign_index(self, infer: Inference, value: Foreign, keys: tuple[Values, ...]) -> Values:
        if value.name in ("slice", "map"):
            return value.args[-1] if value.args else UNKNOWN
        return (Foreign("byte"),) if value.name == "string" else (_foreign(value.name + "[]"),)

    def instance_called(
        self, infer: Inference, view: View, value: Instance | TypeVariable, args: tuple[int, ...]
    ) -> Values:
        plain = self._plain(infer, (value,))
        return merge(*(self.foreign_call(infer, view, v, args) for v in plain if isinstance(v, Foreign)), UNKNOWN)

    def foreign_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        if value.name.startswith("struct "):
            names = value.name[7:].split(",")
            return value.args[names.index(name)] if name in names else UNKNOWN
        return (Foreign(f"{value.name}.{name}"[:_NAME_LIMIT], value.args),)

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        name = value.name
        if name == "function":
            return value.args[0] if value.args else UNKNOWN
        if name in ("new", "make") and args:
            return infer.type_of(view, args[0]) or infer.eval(view, args[0])
        if name == "append" and args:
            kept = infer.eval(view, args[0])
            return kept or ((Foreign("slice", (infer.eval(view, args[1]),)),) if len(args) > 1 else UNKNOWN)
        if name in _SAME_TYPE and args:
            return infer.eval(view, args[0])
        if name in _BUILTIN_TYPES or name in ("slice", "map", "chan"):
            return (value,)
        made = _library_call(infer, view, value, args)
        return made if made is not None else (_foreign(name + "()"),)

    # --- classes

    def ancestry_order(self, infer: Inference, ref: SymbolRef, bases: list[tuple[Values, str]]) -> Ancestry | None:
        """Embedding goes by depth: what is embedded less deeply wins."""
        from nav_ls.graph.infer import Ancestry

        found = infer.symbol(ref)
        own = tuple((TypeVariable(p.name, ref),) for p in found[1].type_params) if found is not None else ()
        entries: dict[SymbolRef, tuple[Values, ...]] = {ref: own}
        foreign: list[str] = []
        unknown = False
        level: list[tuple[SymbolRef, tuple[Values, ...]]] = [(ref, own)]
        while level:
            deeper: list[tuple[SymbolRef, tuple[Values, ...]]] = []
            for owner, args in level:
                there = infer.symbol(owner)
                if there is None:
                    unknown = True
                    continue
                env = infer.env_of(owner, args)
                for values, _ in bases if owner == ref else self.bases(infer, there[0], there[1], owner):
                    unknown |= not values
                    for value in values:
                        if isinstance(value, (ClassOf, Instance)):
                            if value.ref not in entries:
                                filled = tuple(infer.substitute(a, env) for a in value.args)
                                entries[value.ref] = filled
                                deeper.append((value.ref, filled))
                        elif isinstance(value, Foreign):
                            foreign.append(value.name)
            level = deeper if len(entries) < 60 else []
        return Ancestry(tuple(entries.items()), tuple(dict.fromkeys(foreign)), unknown)

    def outside_member(self, infer: Inference, view: View, index: int, name: str) -> Member | None:
        """A method in any file of the package; else what the type is made of has it."""
        from nav_ls.graph.infer import Member

        symbol = view.symbols[index]
        ref = view.ref(index)
        if symbol.kind == "interface":
            return None
        package, qual = self._package(infer, view), f"{symbol.qual}.{name}"
        infer.note_key(f"{_SYMBOL}{package}\0{qual}")
        paths = self._layout(infer).symbols(package).get(qual, ())
        for path in sorted(paths, key=lambda p: p != view.path):
            there = infer.view(path)
            group = [i for i in there.by_qual.get(qual, ()) if there.symbols[i].kind == "method"] if there else []
            if group:
                infer.note(path, qual)
                return Member(ref, (), tuple(group), (), path)
        if symbol.returns == NONE:
            return None
        for value in infer.type_of(view, symbol.returns):
            below = infer.member(value.ref, name)[0] if isinstance(value, Instance) and value.ref != ref else None
            if below is not None and (below.bindings or self._is_interface(infer, below.owner)):
                return Member(ref, (), below.symbols, below.bindings, below.path)
        return None

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        symbol = view.symbols[index]
        if symbol.kind == "interface":
            return tuple(
                i for i in view.by_qual.get(f"{symbol.qual}.{name}", ()) if view.symbols[i].parent == index
            ), ()
        if symbol.kind != "struct" or symbol.scope == NONE:
            return (), ()
        return (), tuple(b for b in view.named(symbol.scope, name) if b.kind == "field")

    def missing_member(self, infer: Inference, value: Instance | ClassOf, name: str, line: Ancestry) -> Values:
        if line.foreign:
            return (_foreign(f"{line.foreign[0]}.{name}"),)
        plain = self._plain(infer, (value,)) if isinstance(value, Instance) else UNKNOWN
        return merge(
            *(infer.attr(cast(View, infer.view(value.ref[0])), (v,), name) for v in plain if isinstance(v, Foreign)),
            UNKNOWN,
        )

    def _is_interface(self, infer: Inference, ref: SymbolRef) -> bool:
        found = infer.symbol(ref)
        return found is not None and found[1].kind == "interface"

    def canonical(self, infer: Inference, ref: SymbolRef) -> tuple[SymbolRef, ...]:
        """One definition per platform: all of them."""
        view = infer.view(ref[0])
        symbol = view.symbol(ref[1]) if view is not None else None
        if view is None or symbol is None or symbol.kind not in CALLABLE_KINDS:
            return (ref,)
        package = self._package(infer, view)
        infer.note_key(f"{_SYMBOL}{package}\0{symbol.qual}")
        summaries = infer.project.summaries
        paths = self._layout(infer).symbols(package).get(symbol.qual, [])
        others = [p for p in paths if p != ref[0] and "constraint" in summaries[p].extra]
        if not others or "constraint" not in view.facts.extra:
            return (ref,)
        return tuple(sorted([ref, *((p, symbol.qual) for p in others)]))

    # --- interfaces

    def relations(self, infer: Inference, view: View) -> list[Relation]:
        """Which interfaces of the repository the file's types satisfy, and which of their methods answer for them."""
        out: list[Relation] = []
        for index, symbol in enumerate(view.symbols):
            if symbol.kind in TYPE_KINDS:
                ref = view.ref(index)
                for interface, answers in self.satisfied(infer, ref):
                    out.append(Relation("implements", ref[1], interface))
                    out += [
                        Relation("overrides", method[1], wanted)
                        for wanted, method in answers
                        if method[0] == view.path and symbol.kind != "interface"
                    ]
            elif symbol.kind == "method" and symbol.parent == NONE:
                out += self._answers(infer, view, index)
        return list(dict.fromkeys(out))

    def _answers(self, infer: Inference, view: View, index: int) -> list[Relation]:
        """The interface methods that a method written apart from its type answers for."""
        ref = view.ref(index)
        return [
            Relation("overrides", ref[1], wanted)
            for value in infer.type_of(view, view.symbols[index].receiver)
            if isinstance(value, Instance)
            for _, answers in self.satisfied(infer, value.ref)
            for wanted, method in answers
            if method == ref
        ]

    def satisfied(
        self, infer: Inference, ref: SymbolRef
    ) -> tuple[tuple[SymbolRef, tuple[tuple[SymbolRef, SymbolRef], ...]], ...]:
        """The interfaces that a type satisfies, each with (its method, the type's method) pairs."""
        return infer.query(("gosat", ref), ref[0], lambda: self._satisfied(infer, ref), ())

    def _satisfied(
        self, infer: Inference, ref: SymbolRef
    ) -> tuple[tuple[SymbolRef, tuple[tuple[SymbolRef, SymbolRef], ...]], ...]:
        own = self.method_set(infer, ref)
        if own is None or not own[0]:
            return ()
        methods, foreign = own
        layout = self._layout(infer)
        candidates: list[SymbolRef] = []
        for name in ["", *sorted(methods)]:
            infer.note_key(_INTERFACE + name)
            candidates += layout.interfaces(name)
        found = []
        for interface in candidates:
            if interface == ref:
                continue
            wanted = self.method_set(infer, interface)
            if wanted is None or not wanted[0] or not self._covers(infer, wanted, methods, foreign):
                continue
            found.append((interface, tuple((wanted[0][n], methods[n]) for n in sorted(wanted[0]) if n in methods)))
        return tuple(found)

    def _covers(
        self,
        infer: Inference,
        wanted: tuple[dict[str, SymbolRef], frozenset[str]],
        methods: dict[str, SymbolRef],
        foreign: frozenset[str],
    ) -> bool:
        if not wanted[0].keys() <= methods.keys():
            return False
        for outside in wanted[1] - foreign:
            names = _LIBRARY_INTERFACES.get(outside)
            if names is None or not all(n in methods for n in names):
                return False
        return all(_agree(self.shape(infer, wanted[0][n]), self.shape(infer, methods[n])) for n in wanted[0])

    def method_set(self, infer: Inference, ref: SymbolRef) -> tuple[dict[str, SymbolRef], frozenset[str]] | None:
        """(name → method, what is embedded from outside) of a type or interface; None where that isn't known."""
        return infer.query(("gomset", ref), ref[0], lambda: self._method_set(infer, ref), None)

    def _method_set(self, infer: Inference, ref: SymbolRef) -> tuple[dict[str, SymbolRef], frozenset[str]] | None:
        line = infer.ancestry(ref)
        if line.open:
            return None
        methods: dict[str, SymbolRef] = {}
        for owner, _ in line.entries:
            found = infer.symbol(owner)
            if found is None:
                return None
            view, symbol, _ = found
            package = self._package(infer, view)
            infer.note_key(f"{_METHODS}{package}\0{symbol.qual}")
            for name in sorted(set(self._layout(infer).symbols(package).get(symbol.qual + ".\0", ()))):
                member = infer.own_member(owner, name) if name not in methods else None
                home = infer.view(member.path) if member is not None else None
                if member is not None and home is not None and member.symbols:
                    methods[name] = home.ref(member.symbols[0])
        return methods, frozenset(line.foreign)

    def shape(self, infer: Inference, ref: SymbolRef) -> tuple[object, ...]:
        """A method's signature in a form that can be compared."""
        found = infer.symbol(ref)
        if found is None:
            return ()
        view, symbol, _ = found
        return infer.query(("goshape", ref), ref[0], lambda: self._shape(infer, view, symbol), ())

    def _shape(self, infer: Inference, view: View, symbol: Symbol) -> tuple[object, ...]:
        params = tuple((p.kind, self._type_shape(infer, view, p.type)) for p in symbol.params if p.kind != "self")
        return (params, self._type_shape(infer, view, symbol.returns))

    def _type_shape(self, infer: Inference, view: View, index: int, depth: int = 0) -> object:
        if index == NONE or depth > 8:
            return None
        e = view.exprs[index]
        if e[0] in (Op.POINTER, Op.INDEX, Op.FUNCTION, Op.LITERAL, Op.UNION):
            first = (e[1],) if e[0] == Op.LITERAL else ()
            rest = e[2:] if e[0] == Op.LITERAL else e[1:]
            return (e[0], *first, *(self._type_shape(infer, view, i, depth + 1) for i in rest))
        values = infer.eval(view, index)
        if len(values) != 1 or isinstance(values[0], TypeVariable):
            return None
        value = values[0]
        if isinstance(value, ClassOf):
            return value.ref
        if isinstance(value, Foreign):
            return _SYNONYMS.get(value.name, value.name)
        return None


def _agree(one: object, other: object) -> bool:
    """Do two shapes fit?  None fits everything (type parameters, what could not be evaluated)."""
    if one is None or other is None:
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(_agree(a, b) for a, b in zip(one, other, strict=True))
    return one == other


def _foreign(name: str) -> Foreign:
    return Foreign(name[:_NAME_LIMIT])


def _ranged(value: Value) -> Values:
    if not isinstance(value, Foreign):
        return UNKNOWN
    number: Values = (Foreign("int"),)
    name, args = value.name, value.args
    if name == "slice":
        pair = (number, args[0] if args else UNKNOWN)
    elif name == "map":
        pair = (args[0], args[1]) if len(args) > 1 else (UNKNOWN, UNKNOWN)
    elif name in ("chan", "iter.Seq", "iter.Seq2"):
        pair = (args[0] if args else UNKNOWN, args[1] if len(args) > 1 else UNKNOWN)
    elif name == "string":
        pair = (number, (Foreign("rune"),))
    elif name in _BUILTIN_TYPES:
        pair = ((value,), UNKNOWN)
    elif name == "function":  # func(yield func(K, V) bool)
        handed = args[1] if len(args) > 1 else UNKNOWN
        parts = handed[0].args[1:] if handed and isinstance(handed[0], Foreign) else ()
        pair = (parts[0] if parts else UNKNOWN, parts[1] if len(parts) > 1 else UNKNOWN)
    else:
        pair = ((_foreign(name + "[]"),), (_foreign(name + "[]"),))
    return (Foreign("tuple", pair),)


def _library_call(infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values | None:
    """Functions and methods of the library that hand on what they are given."""
    name = value.name
    if name in _FIRST_ARGUMENT and args:
        return infer.eval(view, args[0])
    if name in _ITERATED and args:
        source = infer.eval(view, args[0])
        pairs = infer.rules(view).element(infer, source)
        place = _ITERATED[name]
        parts = [infer.rules(view).item(infer, pairs, p) for p in place]
        return (Foreign("iter.Seq2" if len(place) == 2 else "iter.Seq", tuple(parts)),)
    if name in ("slices.Collect", "slices.Sorted") and args:
        first = infer.rules(view).item(infer, infer.rules(view).element(infer, infer.eval(view, args[0])), 0)
        return (Foreign("slice", (first,)),)
    if name in ("sync.OnceValue",) and args:
        return infer.eval(view, args[0])
    base, _, last = name.rpartition(".")
    if value.args and base in ("sync/atomic.Pointer", "atomic.Pointer") and last in ("Load", "Swap"):
        return value.args[0]
    return None


_BUILTIN_TYPES = frozenset(
    "bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 "
    "uint32 uint64 uintptr any comparable".split()
)
_BUILTIN = _BUILTIN_TYPES | frozenset(
    "append cap clear close complex copy delete imag len make max min new panic print println real recover "
    "true false nil iota".split()
)
_SAME_TYPE = frozenset({"min", "max"})
_SYNONYMS = {"byte": "uint8", "rune": "int32", "interface": "any"}
_FIRST_ARGUMENT = frozenset(
    f"slices.{n}"
    for n in "Clone Clip Compact CompactFunc Concat Delete DeleteFunc Grow Insert Replace Repeat AppendSeq".split()
) | {"maps.Clone", "slices.Max", "slices.Min", "cmp.Or"}
_ITERATED = {
    "slices.Values": (1,),
    "slices.All": (0, 1),
    "slices.Backward": (0, 1),
    "maps.Keys": (0,),
    "maps.Values": (1,),
    "maps.All": (0, 1),
}
_LIBRARY_INTERFACES = {
    "error": ("Error",),
    "fmt.Stringer": ("String",),
    "io.Reader": ("Read",),
    "io.Writer": ("Write",),
    "io.Closer": ("Close",),
    "io.Seeker": ("Seek",),
    "io.ReaderAt": ("ReadAt",),
    "io.WriterTo": ("WriteTo",),
    "io.ReaderFrom": ("ReadFrom",),
    "io.ByteReader": ("ReadByte",),
    "io.ReadCloser": ("Read", "Close"),
    "io.WriteCloser": ("Write", "Close"),
    "io.ReadWriter": ("Read", "Write"),
    "io.ReadWriteCloser": ("Read", "Write", "Close"),
    "io.ReadSeeker": ("Read", "Seek"),
    "sort.Interface": ("Len", "Less", "Swap"),
    "net/http.Handler": ("ServeHTTP",),
    "net/http.ResponseWriter": ("Header", "Write", "WriteHeader"),
    "net/http.Flusher": ("Flush",),
    "encoding/json.Marshaler": ("MarshalJSON",),
    "encoding/json.Unmarshaler": ("UnmarshalJSON",),
    "encoding.TextMarshaler": ("MarshalText",),
    "encoding.TextUnmarshaler": ("UnmarshalText",),
    "flag.Value": ("String", "Set"),
}  # fmt: skip

RULES = {"go": GoRules}
LAYOUT = GoLayout
