"""Python: modules, the MRO, and what its library's containers do to types."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from nav_ls.graph.model import Summary, SymbolRef
from nav_ls.graph.project import file_key
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
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, VALUE_KINDS, Binding, Flag, Import, Op, Param, Symbol, Use

if TYPE_CHECKING:
    from nav_ls.graph.infer import Ancestry, Env, Inference, Member
    from nav_ls.graph.project import Project

_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__path__", "__class__", "reveal_type"}
_METACLASS = "metaclass"  # kind of a base that classes are instances of
_MODULE_KEY = "pymodule\0"


class PythonLayout(Layout):
    """Dotted module names → files.

    A file's root is the first folder above it without `__init__.py`; its module name counts from there.
    It also answers to the name counted from the repository's root (namespace packages).  A repository whose root is a
    package itself bears that package's name.
    """

    def __init__(self, project: Project):
        super().__init__(project)
        self._files: dict[str, list[str]] = {}
        self._packages: dict[str, list[str]] = {}
        paths = sorted(project.paths_of("python"))
        self._known = frozenset(paths)
        for path in paths:
            for name in self.names_of(path):
                self._files.setdefault(name, []).append(path)
                while "." in name:
                    name = name.rpartition(".")[0]
                    self._packages.setdefault(name, []).append(path)

    def names_of(self, path: str) -> list[str]:
        """The module names that a file answers to."""
        folder, _, filename = path.rpartition("/")
        stem = filename.rsplit(".", 1)[0]
        parts = folder.split("/") if folder else []
        root = len(parts)
        while root > 0 and self._is_package("/".join(parts[:root])):
            root -= 1
        tail = [] if stem == "__init__" else [stem]
        names = {".".join(parts[root:] + tail), ".".join(parts + tail)}
        if root == 0 and self._is_package(""):
            names.add(".".join([self.project.source.name, *parts, *tail]))
        if parts and parts[0] in ("src", "lib"):
            names.add(".".join(parts[1:] + tail))
        return [n for n in names if n]

    def _is_package(self, folder: str) -> bool:
        prefix = folder + "/" if folder else ""
        return f"{prefix}__init__.py" in self._known or f"{prefix}__init__.pyi" in self._known

    def find(self, name: str, importer: str) -> str | None:
        """The file of an absolute module name, as seen from a file: the nearest one."""
        return nearest(self._files.get(name, ()), importer)

    def is_namespace(self, name: str) -> bool:
        """Is there anything below this dotted name?"""
        return name in self._packages

    def changed(self, path: str, before: Summary | None, after: Summary | None) -> set[str]:
        if (before is None) == (after is None):
            return set()
        keys = {_MODULE_KEY + name for name in self.names_of(path)}
        folder, _, filename = path.rpartition("/")
        if filename.startswith("__init__."):  # everything below gets other names
            below = [p for p in self._known if p.startswith(folder + "/" if folder else "")]
            keys |= {_MODULE_KEY + n for p in below for n in self.names_of(p)}
            keys |= {_MODULE_KEY + p.rpartition("/")[2].rsplit(".", 1)[0] for p in below}
            keys |= {
                _MODULE_KEY + ".".join(p.rsplit(".", 1)[0].split("/")[i:])
                for p in below
                for i in range(p.count("/") + 1)
            }
            if not folder:
                keys |= {f"{_MODULE_KEY}{self.project.source.name}.{n}" for p in below for n in self.names_of(p)}
                keys.add(_MODULE_KEY + self.project.source.name)
        for name in list(keys):
            while "." in name:
                name = name.rpartition(".")[0]
                keys.add(name)
        return keys


def nearest(paths: list[str] | tuple[str, ...], importer: str) -> str | None:
    """Of several files with one name, the one that shares most folders with the importer; stubs last."""
    if not paths:
        return None
    if len(paths) == 1:
        return paths[0]
    here = importer.split("/")[:-1]

    def closeness(path: str) -> tuple[int, int, int, str]:
        there = path.split("/")[:-1]
        shared = next(
            (i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there))
        )
        return (path.endswith(".pyi"), -shared, len(there), path)

    return min(paths, key=closeness)


class PythonRules(Rules):
    """Python's answers."""

    class_scopes_nest = False
    declared_wins = False
    inherits_constructors = True

    # --- names and modules

    def free_name(self, infer: Inference, view: View, name: str, scope: int, pos: int) -> Values:
        found = self._through_stars(infer, view, name)
        if found:
            return found
        if name in _BUILTINS:
            return (Foreign(name),)
        if any(imp.name == "*" and not self._module(infer, view, imp) for imp in view.facts.imports):
            return (Foreign("*." + name),)
        return UNKNOWN

    def imported(self, infer: Inference, view: View, imp: Import) -> Values:
        if imp.name == "":
            if imp.alias == imp.module.split(".")[0] and "." in imp.module:
                return self._absolute(infer, view, imp.alias)
            return self._absolute(infer, view, imp.module)
        target = self._module(infer, view, imp) or self._beside(infer, view, imp)
        if not target:
            return (Foreign(f"{imp.module}.{imp.name}"),)
        return self._from_module(infer, view, target, imp.name) or UNKNOWN

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        found = self._absolute(infer, view, imp.module) if imp.level == 0 else self._module(infer, view, imp)
        below = self._from_module(infer, view, found, imp.name) if imp.name not in ("", "*") else UNKNOWN
        modules = [v.path for v in below if isinstance(v, Module)] or [v.path for v in found if isinstance(v, Module)]
        if modules:
            return [(path, "") for path in modules]
        return [("", v.name.split(".")[0]) for v in found if isinstance(v, Foreign)]

    def _module(self, infer: Inference, view: View, imp: Import) -> Values:
        """The module that an import statement names; unknown = it is not in the repository."""
        if imp.level == 0:
            found = self._absolute(infer, view, imp.module)
            return UNKNOWN if found and isinstance(found[0], Foreign) else found
        folder = view.path.rpartition("/")[0].split("/")
        folder = folder[: len(folder) - (imp.level - 1)] if imp.level > 1 else folder
        base = "/".join(p for p in folder if p)
        return self._at_path(infer, "/".join(filter(None, [base, imp.module.replace(".", "/")])))

    def _at_path(self, infer: Inference, base: str) -> Values:
        for candidate in (f"{base}.py", f"{base}/__init__.py", f"{base}.pyi", f"{base}/__init__.pyi"):
            infer.note_key(file_key(candidate))
            if infer.project.has(candidate):
                return (Module(candidate),)
        return (Package("/" + base),) if base else UNKNOWN

    def _absolute(self, infer: Inference, view: View, name: str) -> Values:
        infer.note_key(_MODULE_KEY + name)
        layout = cast(PythonLayout, infer.project.layout("python"))
        path = layout.find(name, view.path)
        if path is not None:
            return (Module(path),)
        if layout.is_namespace(name):
            return (Package(name),)
        return (Foreign(name),)

    def _beside(self, infer: Inference, view: View, imp: Import) -> Values:
        """A module in the importing file's own folder, as a script sees it.

        Inside a package such an import means something else, so there the imported name has to be in it.
        """
        if imp.level or imp.module.split(".")[0] in sys.stdlib_module_names:
            return UNKNOWN
        folder = view.path.rpartition("/")[0]
        found = self._at_path(infer, "/".join(filter(None, [folder, imp.module.replace(".", "/")])))
        if not found or (isinstance(found[0], Module) and found[0].path == view.path):
            return UNKNOWN
        if isinstance(found[0], Package):  # a folder, if there is such a file in it
            below = self._from_module(infer, view, found, imp.name) if imp.name not in ("", "*") else UNKNOWN
            return found if any(isinstance(v, Module) for v in below) else UNKNOWN
        return found if imp.name in ("", "*") or self._from_module(infer, view, found, imp.name) else UNKNOWN

    def _from_module(self, infer: Inference, view: View, target: Values, name: str) -> Values:
        return merge(*(infer.attr(view, (t,), name) for t in target)) if target else UNKNOWN

    def module_member(self, infer: Inference, path: str, name: str) -> Values:
        infer.note(path, name)
        view = infer.view(path)
        if view is None:
            return UNKNOWN
        group = view.table.get((0, name))
        if group:
            found = infer.top_level(path, name)
            if found:
                return found
        if path.endswith(("/__init__.py", "/__init__.pyi")):
            below = self._at_path(infer, f"{path.rpartition('/')[0]}/{name}")
            if below and isinstance(below[0], Module):
                return below
        if group:
            return UNKNOWN
        infer.note(path, "*")
        return self._through_stars(infer, view, name)

    def imported_variables(self, infer: Inference, view: View, b: Binding) -> tuple[SymbolRef, ...]:
        imp = view.facts.imports[b.value] if b.kind == "import" else None
        if imp is None or imp.name in ("", "*"):
            return ()
        targets = self._module(infer, view, imp) or self._beside(infer, view, imp)
        return tuple(ref for t in targets if isinstance(t, Module) for ref in infer.module_variables(t.path, imp.name))

    def module_variables(self, infer: Inference, path: str, name: str) -> tuple[SymbolRef, ...]:
        view = infer.view(path)
        if view is None or (0, name) in view.table:
            return infer.top_level_variables(path, name)
        infer.note(path, name)
        infer.note(path, "*")
        return self.free_variables(infer, view, name)

    def free_variables(self, infer: Inference, view: View, name: str) -> tuple[SymbolRef, ...]:
        for imp in reversed(view.facts.imports):
            for target in self._module(infer, view, imp) if imp.name == "*" else ():
                if isinstance(target, Module) and self._is_offered(infer, target.path, name):
                    found = infer.module_variables(target.path, name)
                    if found:
                        return found
        return ()

    def _through_stars(self, infer: Inference, view: View, name: str) -> Values:
        """A name that one of the file's star imports brings; the last one wins."""
        for imp in reversed(view.facts.imports):
            if imp.name != "*":
                continue
            for target in self._module(infer, view, imp):
                if isinstance(target, Module) and self._is_offered(infer, target.path, name):
                    found = infer.attr(view, (target,), name)
                    if found:
                        return found
        return UNKNOWN

    def _is_offered(self, infer: Inference, path: str, name: str) -> bool:
        """Does `from module import *` bring the name?"""
        infer.note(path, "*")
        view = infer.view(path)
        if view is None:
            return False
        listed = view.facts.extra.get("all")
        if listed is None or "*" in listed.split():
            return listed is not None or not name.startswith("_")
        return name in listed.split()

    def package_member(self, infer: Inference, package: str, name: str) -> Values:
        if package.startswith("/"):
            return self._at_path(infer, f"{package[1:]}/{name}")
        infer.note_key(f"{_MODULE_KEY}{package}.{name}")
        layout = cast(PythonLayout, infer.project.layout("python"))
        path = layout.find(f"{package}.{name}", "")
        if path is not None:
            return (Module(path),)
        return (Package(f"{package}.{name}"),) if layout.is_namespace(f"{package}.{name}") else UNKNOWN

    # --- types

    def as_type(self, infer: Inference, values: Values) -> Values:
        out: list[Value] = []
        for value in values:
            if isinstance(value, ClassOf):
                out.append(Instance(value.ref, value.args))
            elif isinstance(value, Foreign):
                out.extend(_foreign_type(value))
            elif isinstance(value, TypeVariable):
                out.append(value)
        return tuple(dict.fromkeys(out))

    def generic_or_item(self, infer: Inference, view: View, value: Foreign, keys: tuple[int, ...]) -> Values:
        name = value.name.rpartition(".")[2]
        if name in _GENERICS and not value.args:
            parts: list[int] = []
            for key in keys:
                e = view.exprs[key] if key != NONE else (Op.TEXT, "")
                parts.extend(e[2:] if e[0] == Op.LITERAL and e[1] in ("tuple", "list") else [key])
            if name in ("Optional", "Union"):
                return merge(*(self._named(infer, view, p) for p in parts))
            if name == "Literal":
                return infer.eval(view, parts[0]) if parts else UNKNOWN
            if name in ("Annotated", "ClassVar", "Final", "Required", "NotRequired", "InitVar"):
                return infer.eval(view, parts[0]) if parts else UNKNOWN
            return (Foreign(_GENERICS[name], tuple(self._written_type(infer, view, p) for p in parts)),)
        if len(keys) == 1 and view.exprs[keys[0]][:2] == (Op.LITERAL, "slice"):
            return (Foreign("list", (merge(*value.args),)),) if name == "tuple" else (value,)
        if name == "tuple" and len(keys) == 1 and value.args:
            e = view.exprs[keys[0]]
            if e[0] == Op.TEXT or e[0] != Op.LITERAL:
                return merge(*value.args)
        if value.name == "dict":
            return value.args[1] if len(value.args) > 1 else UNKNOWN
        if value.args:
            return value.args[0]
        return UNKNOWN

    def element(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign):
                if value.name == "tuple":
                    out.append(merge(*value.args) if value.args else UNKNOWN)
                elif value.args:
                    out.append(value.args[0])
                elif value.name == "str":
                    out.append((value,))
            elif isinstance(value, ClassOf) and self._is_enum(infer, value):
                out.append((Instance(value.ref),))
            elif isinstance(value, Instance):
                out.append(self._iterated(infer, value))
        return merge(*out) if out else UNKNOWN

    def _iterated(self, infer: Inference, value: Instance) -> Values:
        """What the iterator of an instance hands out; that of a library container, what its base was given."""
        view = infer.view(value.ref[0])
        if view is None or infer.member(value.ref, "__iter__")[0] is None:
            return _inherited_element(infer, infer.ancestry(value.ref))
        made = infer.call_member(view, value, "__iter__")
        return merge(
            *(
                infer.call_member(view, v, "__next__") if isinstance(v, Instance) else self.element(infer, (v,))
                for v in made
            )
        )

    def item(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.args:
                if value.name == "tuple":
                    out.append(value.args[place] if -len(value.args) <= place < len(value.args) else UNKNOWN)
                else:
                    out.append(value.args[0])
            elif isinstance(value, Instance):
                fields = self._fields(infer, value)
                within = -len(fields) <= place < len(fields)
                out.append(fields[place] if within else self.element(infer, (value,)))
        return merge(*out) if out else UNKNOWN

    def _fields(self, infer: Inference, value: Instance) -> list[Values]:
        """The fields of a named tuple in order; none for any other class."""
        line = infer.ancestry(value.ref)
        if not any(name.rpartition(".")[2] == "NamedTuple" for name in line.foreign):
            return []
        for ref, _ in reversed(line.entries):
            found = infer.symbol(ref)
            own = [b for b in found[0].bindings if b.scope == found[1].scope and b.type != NONE] if found else []
            if own and found is not None:
                infer.note(ref[0], found[1].qual)
                return [infer.attr(found[0], (value,), b.name) for b in sorted(own, key=_position)]
        return []

    def indexed(self, infer: Inference, view: View, value: Value, keys: tuple[int, ...]) -> Values:
        """Also `typed_dict["field"]` and `named_tuple[0]`."""
        key = view.exprs[keys[0]] if len(keys) == 1 and keys[0] != NONE else (Op.TEXT,)
        if isinstance(value, Instance) and key[0] == Op.CONST and infer.member(value.ref, "__getitem__")[0] is None:
            if key[1] == "str":
                return infer.attr(view, (value,), key[2])
            return self.item(infer, (value,), int(key[2])) if key[2].isdecimal() else UNKNOWN
        return super().indexed(infer, view, value, keys)

    # --- overloads, and what functions are handed

    def select(self, infer: Inference, view: View, callee: Values, args: tuple[int, ...]) -> Values:
        """Of a function's overload signatures, the first that takes the arguments says what comes back."""
        if len(callee) == 1:
            return (self._overload(infer, view, callee[0], args),)
        return tuple(dict.fromkeys(self._overload(infer, view, v, args) for v in callee))

    def _overload(self, infer: Inference, view: View, value: Value, args: tuple[int, ...]) -> Value:
        found = infer.symbol(value.ref) if isinstance(value, Function) else None
        if found is None or not isinstance(value, Function):
            return value
        home, symbol, _ = found
        same = home.by_qual[symbol.qual]
        if len(same) < 2:
            return value
        for index in same:
            signature = home.symbols[index]
            overload = signature.flags & Flag.OVERLOAD and signature.parent == symbol.parent
            if overload and self._accepts(infer, view, home, signature, args):
                return value._replace(ref=home.ref(index))
        return value

    def _accepts(self, infer: Inference, view: View, home: View, signature: Symbol, args: tuple[int, ...]) -> bool:
        """Does a signature take the arguments, as far as one can tell?"""
        params = [p for p in signature.params if p.kind != "self"]
        if any(view.exprs[a][0] == Op.SPREAD for a in args if a != NONE):
            return True
        given = dict(_by_parameter(view, params, args))
        if len(given) < len(args):
            return False
        if any(p.default == NONE and not p.kind and p.name not in given for p in params):
            return False
        types = {p.name: p.type for p in params}
        return all(
            self._takes(infer, view, home, types[name], arg) for name, arg in given.items() if types[name] != NONE
        )

    def _takes(self, infer: Inference, view: View, home: View, declared: int, arg: int) -> bool:
        literals = _literals(home, declared)
        e = view.exprs[arg] if arg != NONE else (Op.TEXT,)
        if literals is not None and e[0] == Op.CONST and e[2] not in literals:
            return False
        wanted, given = infer.type_of(home, declared), infer.eval(view, arg)
        return not wanted or not given or any(_may_be(infer, g, w) for g in given for w in wanted)

    def argument(self, infer: Inference, view: View, call: int, place: int) -> Values:
        e = view.exprs[call]
        if e[0] != Op.CALL or place + 2 >= len(e):
            return UNKNOWN
        out: list[Values] = []
        for value in infer.eval(view, e[1]):
            if isinstance(value, Foreign):
                out.append(self._wanted_by_library(infer, view, value, e[2:], place))
                continue
            member = infer.member(value.ref, "__init__")[0] if isinstance(value, ClassOf) else None
            home = infer.view(member.path) if member is not None and member.symbols else None
            ref = (
                value.ref if isinstance(value, Function) else home.ref(member.symbols[-1]) if home and member else None
            )
            found = infer.symbol(ref) if ref is not None else None
            if found is None:
                continue
            params = [p for p in found[1].params if p.kind != "self"]
            named = [
                n
                for n, arg in _by_parameter(view, params, e[2:])
                if arg in (e[place + 2], _unnamed(view, e[place + 2]))
            ]
            for param in params:
                if named and param.name == named[0] and param.type != NONE:
                    others = tuple(a if i != place else NONE for i, a in enumerate(e[2:]))
                    env: Env = {}
                    infer.learn(view, found[0], found[1], others, env)
                    out.append(infer.substitute(infer.type_of(found[0], param.type), env))
        return merge(*out) if out else UNKNOWN

    def _wanted_by_library(
        self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...], place: int
    ) -> Values:
        """The function that `map`, `sorted` and their like want: it takes an element of what they go through."""
        name = value.name.rpartition(".")[2]
        if name in ("map", "filter") and place == 0:
            parts = [self.element(infer, infer.eval(view, a)) for a in args[1:]]
        elif name in ("sorted", "min", "max", "groupby") and place:
            parts = [self.element(infer, infer.eval(view, args[0]))]
        elif name == "sort" and value.args:
            parts = [value.args[0]]
        else:
            return UNKNOWN
        return (Foreign("callable", (*parts, UNKNOWN)),)

    def function_part(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.name == "callable" and place < len(value.args) - 1:
                out.append(value.args[place])
            elif isinstance(value, Instance) and _is_protocol(infer, value):
                out.append(self._taken_by(infer, value, place))
        return merge(*out) if out else UNKNOWN

    def _taken_by(self, infer: Inference, value: Instance, place: int) -> Values:
        """What the `__call__` of a protocol declares to take."""
        member = infer.member(value.ref, "__call__")[0]
        types = _declared_parameters(infer, member) if member is not None else {}
        taken = list(types.values())[place] if place < len(types) else UNKNOWN
        return infer.substitute(taken, infer.env_of(value.ref, value.args))

    def parameter(self, infer: Inference, view: View, binding: Binding) -> Values:
        """What the method that a method overrides declares for its parameter of that name."""
        owner = view.scopes[binding.scope].owner
        if owner == NONE or view.symbols[owner].kind != "method" or view.symbols[owner].parent == NONE:
            return UNKNOWN
        method = view.symbols[owner]
        own = view.ref(method.parent)
        for above, args in infer.ancestry(own).entries:
            overridden = infer.own_member(above, method.name) if above != own else None
            if overridden is not None and overridden.symbols:
                types = _declared_parameters(infer, overridden._replace(args=args))
                if types.get(binding.name):
                    return types[binding.name]
        return UNKNOWN

    def learn(self, infer: Inference, declared: Instance | Foreign, given: Values, env: Env) -> None:
        if isinstance(declared, Foreign) and declared.name == "callable":
            for g in given:
                made = infer.function_type(g) if isinstance(g, (Function, Closure)) else g
                if isinstance(made, Foreign) and made.name == "function":
                    infer.unify(declared.args[-1], made.args[0], env, 1)
                elif isinstance(made, ClassOf):
                    infer.unify(declared.args[-1], (Instance(made.ref, made.args),), env, 1)
        elif isinstance(declared, Instance) and _is_protocol(infer, declared):
            for g in given:
                if isinstance(g, (Instance, ClassOf)) and g.ref != declared.ref:
                    self._learn_protocol(infer, declared, g, env)

    def _learn_protocol(self, infer: Inference, declared: Instance, given: Instance | ClassOf, env: Env) -> None:
        """Learn a protocol's arguments from what the methods of its name yield in a class that has them."""
        view, _, index = cast(tuple[View, Symbol, int], infer.symbol(declared.ref))
        learned: Env = {}
        for child in view.children.get(index, ()):
            method = view.symbols[child]
            if method.kind in CALLABLE_KINDS:
                made = infer.call_member(view, given, method.name)
                infer.unify(infer.unbound_returns(view.ref(child)), made, learned)
        for parameter, wanted in infer.env_of(declared.ref, declared.args).items():
            if parameter in learned:
                infer.unify(wanted, learned[parameter], env, 1)

    def awaited(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.name in ("coroutine", "Awaitable", "Task", "Future", "Coroutine"):
                out.append(value.args[-1] if value.args else UNKNOWN)
            elif isinstance(value, Instance):
                found = infer.symbol(value.ref)
                made = infer.call_member(found[0], value, "__await__") if found is not None else UNKNOWN
                out.append(made)
            elif isinstance(value, Foreign):
                out.append((value,))
        return merge(*out) if out else UNKNOWN

    def narrowed(self, infer: Inference, view: View, values: Values, how: str, test: int) -> Values:
        # What callers happen to hand in is narrower than what is asked for, and says less of what may come;
        # only what containers hold is worth keeping.
        if how in ("instance", "passes"):
            values = tuple(v for v in values if isinstance(v, Foreign) and v.args)
        return super().narrowed(infer, view, values, how, test)

    def entered(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Instance):
                found = infer.symbol(value.ref)
                if found is None:
                    continue
                for name in ("__enter__", "__aenter__"):
                    made = infer.call_member(found[0], value, name)
                    out.append(self.awaited(infer, made) if name == "__aenter__" else made)
                if not any(out):
                    out.append((value,))
            elif isinstance(value, Foreign):
                out.append(value.args[0] if value.name in _ENTERED and value.args else (value,))
        return merge(*out) if out else UNKNOWN

    def called(self, infer: Inference, symbol: Symbol, ref: SymbolRef, result: Values) -> Values:
        if symbol.returns == NONE and symbol.flags & Flag.GENERATOR:
            return (Foreign("generator", (result,)),)
        if symbol.flags & Flag.ASYNC and not symbol.flags & Flag.GENERATOR and symbol.kind != "property":
            return (Foreign("coroutine", (result,)),)
        return result

    def bind_self(self, infer: Inference, result: Values, receiver: Value | None) -> Values:
        bound: Values = ()
        if isinstance(receiver, ClassOf):
            bound = (Instance(receiver.ref, receiver.args),)
        elif isinstance(receiver, Instance):
            bound = (receiver,)
        return _put_self(result, bound)

    def returned(self, infer: Inference, view: View, index: int) -> Values:
        if self._is_receiver(infer, view, index, 0):
            return (Foreign("Self"),)
        return infer.eval(view, index)

    def _is_receiver(self, infer: Inference, view: View, index: int, depth: int) -> bool:
        """Is this `self`, or something of its very class: type(self)(), cls(), the result of a method that returns it?"""
        e = view.exprs[index] if index != NONE else (Op.TEXT,)
        if depth > 6:
            return False
        if e[0] == Op.THIS:
            return True
        if e[0] == Op.NAME:
            found = infer.lookup(view, e[2], e[1], e[3]) or []
            return bool(found) and all(
                b.kind in ("param", "local") and b.type == NONE and self._is_receiver(infer, view, b.value, depth + 1)
                for b in found
            )
        if e[0] != Op.CALL:
            return False
        callee = view.exprs[e[1]] if e[1] != NONE else (Op.TEXT,)
        if callee[0] == Op.NAME:
            return self._is_receiver(infer, view, e[1], depth + 1) and any(
                isinstance(v, ClassOf) for v in infer.eval(view, e[1])
            )
        if callee[0] == Op.ATTR and self._is_receiver(infer, view, callee[1], depth + 1):
            if callee[2] == "__class__":
                return True
            methods = infer.eval(view, e[1])
            return bool(methods) and all(isinstance(m, Function) and self._hands_back(infer, m.ref) for m in methods)
        inner = view.exprs[callee[1]] if callee[0] == Op.CALL and callee[1] != NONE else (Op.TEXT,)
        return (
            inner[0] == Op.NAME
            and inner[1] == "type"
            and len(callee) == 3
            and self._is_receiver(infer, view, callee[2], depth + 1)
        )

    def _hands_back(self, infer: Inference, ref: SymbolRef) -> bool:
        """Does a method return its receiver's own type?"""
        return infer.unbound_returns(ref) == (Foreign("Self"),)

    def variable_bound(self, infer: Inference, view: View, name: str) -> Values:
        infer.note(view.path, name)
        for b in view.named(0, name):
            e = view.exprs[b.value] if b.value != NONE else (Op.TEXT,)
            for part in e[2:] if e[0] == Op.CALL else ():
                if view.exprs[part][0] == Op.KEYWORD and view.exprs[part][1] == "bound":
                    return self._written_type(infer, view, view.exprs[part][2])
        return UNKNOWN

    def _written_type(self, infer: Inference, view: View, index: int) -> Values:
        """A type outside of an annotation, where a forward reference is a string like any other."""
        return self.as_type(infer, self._named(infer, view, index))

    def _named(self, infer: Inference, view: View, index: int) -> Values:
        """What an expression in a type stands for; a string names it."""
        e = view.exprs[index] if index != NONE else (Op.TEXT,)
        if e[0] == Op.UNION:
            return merge(*(self._named(infer, view, part) for part in e[1:]))
        if e[:2] != (Op.CONST, "str"):
            return infer.eval(view, index)
        head, *rest = e[2].split(".")
        values = infer.name(view, 0, head, view.scopes[0].end)
        for name in rest:
            values = infer.attr(view, values, name)
        return values

    def receiver_env(self, infer: Inference, view: View, symbol: Symbol, function: Function, env: Env) -> None:
        """`def m(self: T)` and `def m(cls: type[T])`: T is what the method was taken from."""
        first = symbol.params[0] if symbol.params else None
        if first is None or first.kind != "self" or first.type == NONE or not function.bound:
            return
        held = function.bound[0]
        given = ClassOf(held.ref, held.args) if isinstance(held, Instance) and symbol.flags & Flag.CLASSMETHOD else held
        infer.unify(infer.type_of(view, first.type), (given,), env)

    def literal(self, name: str, elements: tuple[Values, ...]) -> Values:
        # Nobody calls a method of None: where it stands, something else is meant to come, and what is not known.
        return UNKNOWN if name == "None" else super().literal(name, elements)

    # --- what the library does to types

    def foreign_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        base = value.name.rpartition(".")[2]
        if value.args and base in _CONTAINERS:
            return (Foreign(f"{base}.{name}", value.args),)
        return (Foreign(f"{value.name}.{name}"),)

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        name = value.name
        last = name.rpartition(".")[2]
        first = args[0] if args else NONE
        if value.args:
            made = _container_method(name, value.args)
            if made is not None:
                return made
        if name == "callable" and value.args:
            return value.args[-1]
        if last in ("create_task", "ensure_future", "wait_for", "shield") and args:
            return infer.eval(view, first)
        if name == "asyncio.run" and args:
            return self.awaited(infer, infer.eval(view, first))
        if last == "cast" and len(args) == 2:
            return self._written_type(infer, view, first)
        if name in ("list", "set", "frozenset", "sorted", "reversed", "tuple", "iter", "deque", "filter") or last in (
            "deque",
            "chain",
        ):
            source = args[-1] if name == "filter" and args else first
            elements = self.element(infer, infer.eval(view, source)) if args else UNKNOWN
            return (Foreign("list" if name != "set" else "set", (elements,)),)
        if name in ("next", "min", "max") and args:
            return (
                self.element(infer, infer.eval(view, first)) or infer.eval(view, first)
                if len(args) == 1 or name == "next"
                else merge(*(infer.eval(view, a) for a in args if view.exprs[a][0] != Op.KEYWORD))
            )
        if name in ("staticmethod", "classmethod") and args:
            return infer.eval(view, first)
        if last in ("copy", "deepcopy", "replace") and args and name.split(".")[0] in ("copy", "dataclasses"):
            return infer.eval(view, first)
        if name == "enumerate" and args:
            pair = (Foreign("tuple", ((Foreign("int"),), self.element(infer, infer.eval(view, first)))),)
            return (Foreign("list", (pair,)),)
        if name == "zip":
            parts = tuple(self.element(infer, infer.eval(view, a)) for a in args)
            return (Foreign("list", ((Foreign("tuple", parts),),)),)
        if name == "map" and len(args) > 1:
            made = merge(*(infer.result(view, f, ()) for f in infer.eval(view, first)))
            return (Foreign("list", (made,)),)
        if name == "type" and len(args) == 1:
            return tuple(ClassOf(v.ref, v.args) for v in infer.eval(view, first) if isinstance(v, Instance)) or UNKNOWN
        if name == "type" and len(args) == 3:
            return self._made_class(infer, view, args[1])
        if name in ("weakref.ref", "weakref.proxy") and args:
            referent = infer.eval(view, first)
            return referent if last == "proxy" else (Foreign("ref", (referent,)),)
        if name == "ref" and value.args:
            return value.args[0]
        if name == "getattr":
            return self._getattr(infer, view, args)
        if last == "partial" and args:
            return infer.eval(view, first)
        if last == "TypeVar" and args and view.exprs[first][0] == Op.CONST:
            return (TypeVariable(view.exprs[first][2], (view.path, "")),)
        if last in ("ParamSpec", "TypeVarTuple"):
            return UNKNOWN
        if last == "NewType" and len(args) == 2:
            return self._named(infer, view, args[1])
        if last == "gather":
            parts = tuple(self.awaited(infer, infer.eval(view, a)) for a in args if view.exprs[a][0] != Op.KEYWORD)
            held = (
                Foreign("tuple", parts)
                if all(view.exprs[a][0] != Op.SPREAD for a in args)
                else Foreign("list", parts[:1])
            )
            return (Foreign("coroutine", ((held,),)),)
        if value.args and name in ("type",):
            return value.args[0]
        return (Foreign(name + "()"),)

    def _made_class(self, infer: Inference, view: View, bases: int) -> Values:
        """`type(name, bases, members)`: seen as its bases, if they are known; of more members nothing is."""
        found = tuple(part for value in infer.eval(view, bases) if isinstance(value, Foreign) for part in value.args)
        return merge(*found) if all(isinstance(v, ClassOf) for part in found for v in part) else UNKNOWN

    def _getattr(self, infer: Inference, view: View, args: tuple[int, ...]) -> Values:
        """`getattr(value, "name"[, default])`"""
        key = view.exprs[args[1]] if len(args) > 1 else ()
        if key[:2] != (Op.CONST, "str"):
            return UNKNOWN
        return merge(infer.attr(view, infer.eval(view, args[0]), key[2]), *(infer.eval(view, a) for a in args[2:3]))

    # --- classes

    def constructed(self, infer: Inference, view: View, value: ClassOf, args: tuple[int, ...]) -> Values:
        made = Instance(value.ref, value.args)
        if value.args:
            return (made,)
        found = infer.symbol(value.ref)
        names = self.type_param_names(infer, found[0], found[1], value.ref) if found is not None else []
        if names and found is not None:
            member, _ = infer.member(value.ref, "__init__")
            other = infer.view(member.owner[0]) if member is not None and member.symbols else None
            if member is not None and other is not None:
                env: dict[tuple[SymbolRef, str], Values] = {}
                params = [p for p in other.symbols[member.symbols[0]].params if p.kind != "self"]
                for param, arg in zip(params, args, strict=False):
                    if param.type != NONE and view.exprs[arg][0] != Op.KEYWORD:
                        infer.unify(infer.type_of(other, param.type), infer.eval(view, arg), env)
                return (Instance(value.ref, tuple(env.get(n, UNKNOWN) for n in names)),) if env else (made,)
        return (made,)

    def ancestry_order(self, infer: Inference, ref: SymbolRef, bases: list[tuple[Values, str]]) -> Ancestry | None:
        """C3, as Python does it; falls back to depth first where the bases contradict each other."""
        from nav_ls.graph.infer import Ancestry

        found = infer.symbol(ref)
        names = self.type_param_names(infer, found[0], found[1], ref) if found is not None else []
        own = tuple((TypeVariable(n[1], n[0]),) for n in names)
        args: dict[SymbolRef, tuple[Values, ...]] = {ref: own}
        foreign: list[str] = []
        unknown = False
        lines: list[list[SymbolRef]] = []
        direct: list[SymbolRef] = []
        for values, _ in bases:
            unknown |= not values
            for value in values:
                if isinstance(value, (ClassOf, Instance)):
                    above = infer.ancestry(value.ref)
                    env = infer.env_of(value.ref, value.args)
                    for other, other_args in above.entries:
                        args.setdefault(other, tuple(infer.substitute(a, env) for a in other_args))
                    lines.append([r for r, _ in above.entries])
                    direct.append(value.ref)
                    foreign += above.foreign
                    unknown |= above.open
                elif isinstance(value, Foreign):
                    if value.name not in _NO_MEMBERS:
                        foreign.append(value.name)
                else:
                    unknown = True
        order = _c3([*lines, direct]) or list(dict.fromkeys(r for line in lines for r in line))
        entries = tuple((r, args[r]) for r in dict.fromkeys([ref, *order]))
        return Ancestry(entries, tuple(dict.fromkeys(foreign)), unknown)

    def type_param_names(
        self, infer: Inference, view: View, symbol: Symbol, ref: SymbolRef
    ) -> list[tuple[SymbolRef, str]]:
        if symbol.type_params:
            return [(ref, p.name) for p in symbol.type_params]
        names: list[tuple[SymbolRef, str]] = []
        for base in symbol.bases:
            e = view.exprs[base]
            if e[0] == Op.INDEX:
                for key in e[2:]:
                    parts = view.exprs[key][2:] if view.exprs[key][0] == Op.LITERAL else (key,)
                    for part in parts:
                        for value in infer.eval(view, part):
                            if isinstance(value, TypeVariable):
                                names.append((value.owner, value.name))
        return list(dict.fromkeys(names))

    def missing_member(self, infer: Inference, value: Instance | ClassOf, name: str, line: Ancestry) -> Values:
        if name == "__class__" and isinstance(value, Instance):
            return (ClassOf(value.ref, value.args),)
        if isinstance(value, ClassOf):
            made = infer.attr(cast(View, infer.view(value.ref[0])), self._metaclass(infer, value), name)
            if made:
                return made
        dynamic = isinstance(value, Instance) and not name.startswith("__")
        if dynamic and infer.member(value.ref, "__getattr__")[0] is not None:
            return infer.call_member(cast(View, infer.view(value.ref[0])), value, "__getattr__")
        if line.foreign and not line.open:
            return (Foreign(f"{line.foreign[0]}.{name}"),)
        if not line.open and name.startswith("__") and name.endswith("__"):
            return (Foreign("object." + name),)
        if line.open:
            return UNKNOWN
        # Nothing above has it: a class that is meant to be inherited from calls what its heirs bring.
        view = infer.view(value.ref[0])
        heirs = tuple(value._replace(ref=heir, args=()) for heir in infer.heirs(value.ref))
        return infer.attr(view, heirs, name) if view is not None else UNKNOWN

    def bases(self, infer: Inference, view: View, symbol: Symbol, ref: SymbolRef) -> list[tuple[Values, str]]:
        return [base for base in super().bases(infer, view, symbol, ref) if base[1] != _METACLASS]

    def _metaclass(self, infer: Inference, value: ClassOf) -> Values:
        """The nearest metaclass that a class or an ancestor of it declares, as the type that the class is an instance of."""
        for ref, _ in infer.ancestry(value.ref).entries:
            found = infer.symbol(ref)
            for base, kind in zip(found[1].bases, found[1].base_kinds, strict=True) if found is not None else ():
                if kind == _METACLASS and found is not None:
                    return self.as_type(infer, infer.eval(found[0], base))
        return UNKNOWN

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        symbol = view.symbols[index]
        named = view.members.get((index, name), ())
        symbols = tuple(i for i in named if view.symbols[i].kind not in VALUE_KINDS)
        if symbols or symbol.scope == NONE:
            return symbols, ()
        return (), tuple(b for b in view.named(symbol.scope, name) if b.kind not in ("typeparam", "item"))

    def field_value(self, infer: Inference, value: Instance | ClassOf, values: Values) -> Values:
        """A member of an enum is one of its instances; a descriptor hands out what its `__get__` yields."""
        if isinstance(value, ClassOf) and values and all(isinstance(v, Foreign) for v in values):
            return (Instance(value.ref),) if self._is_enum(infer, value) else values
        if not any(isinstance(v, Instance) and self._is_descriptor(infer, v.ref) for v in values):
            return values
        view = infer.view(value.ref[0])
        return merge(*(infer.call_member(view, v, "__get__") or (v,) for v in values)) if view is not None else values

    def _is_descriptor(self, infer: Inference, ref: SymbolRef) -> bool:
        found: bool = infer.query(("get", ref), ref[0], lambda: infer.member(ref, "__get__")[0] is not None, False)
        return found

    def _is_enum(self, infer: Inference, value: ClassOf) -> bool:
        return any(name.rpartition(".")[2] in _ENUMS for name in infer.ancestry(value.ref).foreign)

    def function_member(self, infer: Inference, value: Value, name: str) -> Values:
        if name in ("__wrapped__", "func") and isinstance(value, (Function, Closure)):
            return (value,)
        made = self._made_of(infer, value.ref) if isinstance(value, Function) else UNKNOWN
        view = infer.view(made[0].ref[0]) if made and isinstance(made[0], Instance) else None
        return infer.attr(view, made, name) if view is not None else (Foreign("function." + name),)

    def _made_of(self, infer: Inference, ref: SymbolRef) -> Values:
        """The objects that the decorators of a function make of it (`@group() def cli(): ...` is a Group)."""
        found = infer.symbol(ref)
        if found is None:
            return UNKNOWN
        view, symbol, _ = found
        made = [
            infer.result(view, self._overload(infer, view, decorator, (NONE,)), ())
            for index in symbol.decorators
            for decorator in infer.eval(view, index)
        ]
        return tuple(v for v in merge(*made) if isinstance(v, Instance)) if made else UNKNOWN

    def decorated(self, infer: Inference, view: View, index: int) -> Values | None:
        """A decorator of the repository that returns another function: the name stands for that one's behaviour.

        Only decorators from outside that are known to change what a name is are looked at; any other decorator is
        taken to hand back what it was given (`functools.wraps` and the like), so a call of the name is a call
        of the function that was written under it.
        """
        symbol = view.symbols[index]
        for decorator in symbol.decorators:
            e = view.exprs[decorator]
            text = e[1] if e[0] == Op.NAME else e[2] if e[0] == Op.ATTR else ""
            if text in ("contextmanager", "asynccontextmanager"):
                return infer.plain_symbol(view, index)
        return None

    def constructors(self) -> tuple[str, ...]:
        return ("__init__", "__new__")

    def instance_call(self) -> str:
        return "__call__"

    def implied(self, infer: Inference, view: View, value: Instance | ClassOf | Function, name: str) -> list[SymbolRef]:
        if isinstance(value, Function):
            return [value.ref] if name == "__call__" else []
        if isinstance(value, ClassOf) or not name:
            return super().implied(infer, view, value, name) if name in ("", "__init__") else []
        first = infer.attr(view, (value,), name)
        follows, after = _FOLLOWING.get(name, ("", ""))
        holder = merge(*(infer.result(view, f, ()) for f in first)) if after == "result" else (value,)
        then = infer.attr(view, tuple(v for v in holder if isinstance(v, Instance)), follows) if first else UNKNOWN
        return [v.ref for v in (*first, *then) if isinstance(v, Function)]

    def index_member(self) -> str:
        return "__getitem__"

    def accessor_kind(self, use: str) -> str:
        return "calls" if use == Use.CALL else "accesses"  # `value.name()`: the call names the property

    def operator_member(self, operator: str) -> str:
        return _OPERATORS.get(operator, "")

    def pick(self, infer: Inference, view: View, candidates: list[int], site_args: int, mode: str) -> list[int]:
        """Accessors by kind of access; the definition rather than its overload signatures."""
        flag = {"write": Flag.SETTER, "delete": Flag.DELETER}.get(mode, 0)
        accessors = Flag.SETTER | Flag.DELETER
        fitting = [
            i for i in candidates if (view.symbols[i].flags & flag if flag else not view.symbols[i].flags & accessors)
        ]
        whole = [i for i in fitting if not view.symbols[i].flags & Flag.DECLARATION]
        return whole or fitting[-1:] or candidates[-1:]


_ENTERED = frozenset({"contextmanager", "generator", "list"})
"""What `with` looks into: the last one is the `Iterator` that a context manager's function is declared to return."""


def _position(b: Binding) -> int:
    return b.pos


def _unnamed(view: View, arg: int) -> int:
    """The value of a keyword argument; any other argument itself."""
    return int(view.exprs[arg][2]) if arg != NONE and view.exprs[arg][0] == Op.KEYWORD else arg


def _by_parameter(view: View, params: list[Param], args: tuple[int, ...]) -> Iterator[tuple[str, int]]:
    """(parameter, argument) for the arguments that a parameter takes; variadic ones stand once."""
    plain = [p for p in params if p.kind == ""]
    names = {p.name for p in plain}
    rest = {p.kind: p.name for p in params if p.kind}
    for place, arg in enumerate(args):
        e = view.exprs[arg] if arg != NONE else (Op.TEXT,)
        if e[0] == Op.KEYWORD:
            taker = e[1] if e[1] in names else rest.get("**")
        else:
            taker = plain[place].name if place < len(plain) else rest.get("*")
        if taker is not None:
            yield taker, _unnamed(view, arg)


def _literals(view: View, index: int) -> frozenset[str] | None:
    """The constants that `Literal[...]` allows; None for any other type."""
    e = view.exprs[index]
    head = view.exprs[e[1]] if e[0] == Op.INDEX else (Op.TEXT, "")
    if head[1 if head[0] == Op.NAME else -1] != "Literal":
        return None
    parts = [
        view.exprs[p] for key in e[2:] for p in ((key,) if view.exprs[key][0] != Op.LITERAL else view.exprs[key][2:])
    ]
    return frozenset(p[2] for p in parts if p[0] == Op.CONST)


def _declared_parameters(infer: Inference, member: Member) -> dict[str, Values]:
    """What a method declares to take, without its receiver, by name and in order."""
    view = infer.view(member.path)
    if view is None or not member.symbols:
        return {}
    env = infer.env_of(member.owner, member.args)
    method = view.symbols[member.symbols[-1]]
    return {p.name: infer.substitute(infer.type_of(view, p.type), env) for p in method.params if p.kind != "self"}


def _is_protocol(infer: Inference, value: Instance) -> bool:
    """Is it a protocol of the repository?"""
    found = infer.symbol(value.ref)
    return found is not None and any(_base_name(found[0], base) == "Protocol" for base in found[1].bases)


def _base_name(view: View, index: int) -> str:
    e = view.exprs[index]
    while e[0] == Op.INDEX:
        e = view.exprs[e[1]]
    return str(e[2] if e[0] == Op.ATTR else e[1])


def _has_all(infer: Inference, given: Instance | ClassOf, protocol: Instance) -> bool:
    """Has a class every method that a protocol asks for?  Yes, where some of its bases are not known."""
    found = infer.symbol(protocol.ref)
    if found is None or infer.ancestry(given.ref).open or infer.ancestry(given.ref).foreign:
        return True
    view, _, index = found
    methods = [view.symbols[i].name for i in view.children.get(index, ()) if view.symbols[i].kind in CALLABLE_KINDS]
    return all(infer.member(given.ref, name)[0] is not None for name in methods)


def _may_be(infer: Inference, given: Value, wanted: Value) -> bool:
    """Can a value be handed where a type is wanted?  Yes, unless it is clear that it can't."""
    if isinstance(wanted, Instance) and isinstance(given, (Instance, ClassOf)) and _is_protocol(infer, wanted):
        return _has_all(infer, given, wanted)
    if isinstance(given, Instance) and isinstance(wanted, Instance):
        line = infer.ancestry(given.ref)
        return line.open or any(owner == wanted.ref for owner, _ in line.entries)
    if isinstance(given, Foreign) and isinstance(wanted, Foreign):
        return given.name == wanted.name or not {given.name, wanted.name} <= _SCALARS
    scalar = [v for v in (given, wanted) if isinstance(v, Foreign) and v.name in _SCALARS]
    return not scalar or not any(isinstance(v, Instance) for v in (given, wanted))


def _foreign_type(value: Foreign) -> list[Value]:
    """A library type in an annotation → what a value of it is."""
    last = value.name.rpartition(".")[2]
    if last in ("None", "NoneType"):
        return []
    if last == "Any":
        return []
    if last == "Self":
        return [Foreign("Self")]
    if last in ("Type", "type") and value.args:
        return [ClassOf(v.ref, v.args) if isinstance(v, Instance) else v for v in value.args[0]]
    if last in _GENERICS:
        return [Foreign(_GENERICS[last], value.args)]
    return [value]


def _put_self(values: Values, receiver: Values) -> Values:
    """Replace the mark of a self type, also inside of coroutines and containers."""
    if not any(isinstance(v, Foreign) and (v.name == "Self" or v.args) for v in values):
        return values
    out: list[Values] = []
    for value in values:
        if isinstance(value, Foreign) and value.name == "Self":
            out.append(receiver)
        elif isinstance(value, Foreign) and value.args:
            out.append((value._replace(args=tuple(_put_self(a, receiver) for a in value.args)),))
        else:
            out.append((value,))
    return merge(*out)


def _inherited_element(infer: Inference, line: Ancestry) -> Values:
    """Iterating over a subclass of a library container: what its base was given as element."""
    for ref, _ in line.entries:
        found = infer.symbol(ref)
        if found is None:
            continue
        for base in found[1].bases:
            for value in infer.eval(found[0], base):
                if isinstance(value, Foreign) and value.args:
                    return value.args[0]
    return UNKNOWN


def _container_method(name: str, args: tuple[Values, ...]) -> Values | None:
    """What the methods of library containers hand out; None where nothing is known."""
    base, _, method = name.rpartition(".")
    if base == "dict" or base == "defaultdict":
        value = args[1] if len(args) > 1 else UNKNOWN
        if method in ("get", "pop", "setdefault", "__getitem__"):
            return value
        if method == "values":
            return (Foreign("list", (value,)),)
        if method == "keys":
            return (Foreign("list", (args[0],)),)
        if method == "items":
            return (Foreign("list", ((Foreign("tuple", (args[0], value)),),)),)
        if method == "copy":
            return (Foreign("dict", args),)
        return None
    if method in ("pop", "popleft", "__next__", "__getitem__") and base in _CONTAINERS:
        return args[0]
    if method in ("copy", "union", "intersection", "difference") and base in _CONTAINERS:
        return (Foreign(base, args),)
    if base in ("ContextVar", "Queue", "Future", "Task") and method in ("get", "get_nowait", "result"):
        return args[0]
    if base in ("contextmanager", "generator") and method == "send":
        return args[0]
    return None


def _c3(lines: list[list[SymbolRef]]) -> list[SymbolRef] | None:
    """The C3 merge; None where there is no consistent order."""
    rest = [list(line) for line in lines if line]
    out: list[SymbolRef] = []
    while rest:
        for line in rest:
            head = line[0]
            if not any(head in other[1:] for other in rest):
                break
        else:
            return None
        out.append(head)
        rest = [[r for r in line if r != head] for line in rest]
        rest = [line for line in rest if line]
    return out


_GENERICS = {
    "List": "list", "list": "list", "Sequence": "list", "MutableSequence": "list", "Iterable": "list", "Iterator": "list",
    "Collection": "list", "Set": "set", "set": "set", "FrozenSet": "set", "frozenset": "set", "AbstractSet": "set", "MutableSet": "set",
    "Deque": "list", "deque": "list", "Dict": "dict", "dict": "dict", "Mapping": "dict", "MutableMapping": "dict",
    "DefaultDict": "dict", "defaultdict": "dict", "OrderedDict": "dict", "Counter": "dict", "ChainMap": "dict",
    "Tuple": "tuple", "tuple": "tuple", "Generator": "generator", "AsyncGenerator": "generator", "AsyncIterator": "list",
    "AsyncIterable": "list", "Awaitable": "coroutine", "Coroutine": "coroutine", "Type": "type", "type": "type",
    "ContextManager": "contextmanager", "AbstractContextManager": "contextmanager", "Callable": "callable",
    "TypeGuard": "is", "TypeIs": "is", "Optional": "", "Union": "", "Literal": "", "Annotated": "", "ClassVar": "", "Final": "", "Required": "", "NotRequired": "", "InitVar": "",
    "ContextVar": "ContextVar", "Queue": "Queue", "Future": "Future", "Task": "Task", "ref": "ref", "ReferenceType": "ref",
    "ReversibleIterable": "list", "KeysView": "list", "ValuesView": "list",
}  # fmt: skip
_CONTAINERS = frozenset(
    "list set dict tuple generator defaultdict contextmanager frozenset ContextVar Queue Future Task".split()
)
_FOLLOWING = {
    "__iter__": ("__next__", "result"),
    "__aiter__": ("__anext__", "result"),
    "__enter__": ("__exit__", "value"),
    "__aenter__": ("__aexit__", "value"),
}
"""What runs after the first member of a construct: of the same value, or of what that member yields."""
_NO_MEMBERS = frozenset(
    {"object", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol", "abc.ABC", "Generic"}
)
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TextChoices", "IntegerChoices"})
_SCALARS = frozenset({"str", "int", "float", "bytes", "bool"})
_OPERATORS = {
    "-x": "__neg__",
    "+x": "__pos__",
    "~x": "__invert__",
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "**": "__pow__",
    "&": "__and__",
    "^": "__xor__",
    "@": "__matmul__",
    "<<": "__lshift__",
    ">>": "__rshift__",
}

RULES = {"python": PythonRules}
LAYOUT = PythonLayout
