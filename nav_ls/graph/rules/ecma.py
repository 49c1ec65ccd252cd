"""TypeScript and JavaScript: modules, classes and prototypes, object types, and what the library does to types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from nav_ls.graph.model import SymbolRef
from nav_ls.graph.project import key_of, name_key
from nav_ls.graph.rules.base import Rules
from nav_ls.graph.rules.ecma_library import GLOBAL_TYPES, GLOBALS, HOLDERS, callback, called, member, same_type
from nav_ls.graph.rules.ecma_modules import EcmaLayout
from nav_ls.graph.values import (
    UNKNOWN,
    ClassOf,
    Closure,
    Foreign,
    Function,
    Instance,
    Module,
    Record,
    TypeVariable,
    Value,
    Values,
    merge,
)
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, TYPE_KINDS, Binding, Export, Flag, Import, Op, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Ancestry, Env, Inference

_THIS = TypeVariable("this", ("", ""))
_CLASSLIKE = TYPE_KINDS | {"anonymous"}
_DECLARATION_FILES = (".d.ts", ".d.mts", ".d.cts")
_GLOBAL_OBJECTS = frozenset({"window", "self", "globalThis"})
_MOST_DECLARING = 16  # files with a name that are asked whether they declare it for all
_OBJECT_MEMBERS = frozenset(
    {"hasOwnProperty", "toString", "valueOf", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "constructor"}
)
_PRIMITIVES = frozenset({"string", "number", "boolean", "bigint", "symbol"})
_SIGNATURES = frozenset({"function", "new"})  # what takes arguments: of calls, of `new`
_OBJECTS = frozenset({"Array", "tuple", "Map", "Set", "Promise", "Record", "RegExp", "Date", "Generator"})
_FUNCTION_MEMBERS = frozenset({"name", "length", "toString", "arguments", "caller"})


_SAME_MEMBERS = frozenset({"Partial", "Required", "Readonly", "Pick", "Omit", "NonNullable"})


class EcmaRules(Rules):
    """The answers of TypeScript and JavaScript."""

    index_applies = False

    # --- names and modules

    def free_name(self, infer: Inference, view: View, name: str, scope: int, pos: int) -> Values:
        if name.startswith(":"):
            if name[1:] in GLOBAL_TYPES or name[1:] in GLOBALS:
                return (Foreign(name[1:]),)
            return self._value_as_type(infer, view, name[1:], scope, pos) or self._ambient(infer, name)
        if name == "exports":
            return (Module(view.path),)
        if name == "module":
            return (Foreign("module", ((Module(view.path),),)),)
        return (Foreign(name),) if name in GLOBALS else self._ambient(infer, name)

    def _ambient(self, infer: Inference, name: str) -> Values:
        """A global of the repository: what a declaration file without imports and exports declares, or `declare global`."""
        for path in self._declaring(infer, name.lstrip(":")):
            found = infer.top_level(path, name)
            if found:
                return found
        return UNKNOWN

    def _declaring(self, infer: Inference, name: str) -> list[str]:
        """The files that declare a global of the repository."""
        infer.note_key(name_key("ecma", name))
        out: list[str] = []
        for path in dict.fromkeys(path for path, _ in infer.project.named("ecma", name)[:_MOST_DECLARING]):
            infer.note(path, "*")
            summary = infer.project.summaries.get(path)
            extra = summary.extra if summary is not None else {}
            script = path.endswith(_DECLARATION_FILES) and not extra.get("module")
            if script or name in extra.get("globals", "").split():
                out.append(path)
        return out

    def _ambient_module(self, infer: Inference, specifier: str) -> tuple[Values, bool]:
        """`declare module "specifier"` somewhere in the repository, and is it the whole of it?

        In a file that is a module itself it only adds to a package from outside.
        """
        for quote in "'\"":
            name = f"{quote}{specifier}{quote}"
            infer.note_key(name_key("ecma", name))
            for path, index in infer.project.named("ecma", name)[:1]:
                view = infer.view(path)
                if view is not None:
                    infer.note(path, view.symbols[index].qual)
                    infer.note(path, "*")
                    return (ClassOf(view.ref(index)),), not view.facts.extra.get("module")
        return UNKNOWN, False

    def foreign_attr(self, infer: Inference, view: View, value: Foreign, name: str) -> Values:
        """Also what the repository adds to the global object."""
        if value.name in _GLOBAL_OBJECTS:
            for path in self._declaring(infer, "Window"):
                for window in self.as_type(infer, infer.top_level(path, ":Window")):
                    found = infer.attr(view, (window,), name)
                    if found:
                        return found
            added = self._ambient(infer, name)
            if added:
                return added
        return super().foreign_attr(infer, view, value, name)

    def _value_as_type(self, infer: Inference, view: View, name: str, scope: int, pos: int) -> Values:
        """JavaScript has no names of types: comments name classes and constructor functions."""
        found = infer.lookup(view, scope, name, pos) if view.language == "javascript" else None
        return merge(*(infer.binding(view, b) for b in found)) if found else UNKNOWN

    def resolve(self, infer: Inference, specifier: str, importer: str) -> str | None:
        """The file of an import specifier."""
        layout = cast(EcmaLayout, infer.project.layout("ecma"))
        return layout.resolve(infer, specifier, importer)

    def imported(self, infer: Inference, view: View, imp: Import) -> Values:
        path = self.resolve(infer, imp.module, view.path)
        if path is None:
            if imp.module.startswith("."):
                return UNKNOWN
            name = imp.name.lstrip(":")
            declared, whole = self._ambient_module(infer, imp.module)
            found = infer.attr(view, declared, imp.name) if name else declared if whole else UNKNOWN
            if found or whole:
                return found or (declared if name == "default" else UNKNOWN)  # a default import of an old-style module
            return (Foreign(f"{imp.module}.{name}" if name and name != "default" else imp.module),)
        if imp.name:
            return infer.attr(view, (Module(path),), imp.name)
        return self.whole_module(infer, view, path)

    def whole_module(self, infer: Inference, view: View, path: str) -> Values:
        """What `require(path)` yields: what `module.exports` was set to, and the module for what was added to it."""
        infer.note(path, "export=")
        other = infer.view(path)
        if other is None:
            return (Module(path),)
        table = _exports(other)
        assigned = table.get("export=")
        if not assigned:
            return (Module(path),)
        infer.note(path, "*")  # what else there is counts
        values = infer.query(
            ("whole", path), path, lambda: merge(*(infer.eval(other, e.value) for e in assigned)), UNKNOWN
        )
        return merge(values, (Module(path),)) if len(table) > 1 or not values else values

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        path = self.resolve(infer, imp.module, view.path)
        if path is not None:
            return [(path, "")]
        if imp.module.startswith("."):
            return []
        parts = imp.module.removeprefix("node:").split("/")
        return [("", "/".join(parts[: 2 if imp.module.startswith("@") else 1]))]

    def module_member(self, infer: Inference, path: str, name: str) -> Values:
        found = self._exported_name(infer, path, name)
        if found:
            return found
        beside = cast(EcmaLayout, infer.project.layout("ecma")).declaration_of(infer, path)
        return self._exported_name(infer, beside, name) if beside is not None else UNKNOWN

    def _exported_name(self, infer: Inference, path: str, name: str) -> Values:
        prefix, plain = (":", name[1:]) if name.startswith(":") else ("", name)
        infer.note(path, plain)
        view = infer.view(path)
        if view is None:
            return UNKNOWN
        table = _exports(view)
        if prefix and view.language == "javascript" and (0, name) in view.table:
            return infer.top_level(path, name)  # a `@typedef`: every one is exported
        if plain in table:
            found = merge(*(self._exported(infer, view, e, prefix) for e in table[plain]))
            if found:
                return found
            infer.note(path, "export=")
            if "export=" not in table:
                return found
        if "export=" in table:
            infer.note(path, "export=")
            values = merge(*(self._exported(infer, view, e, prefix) for e in table["export="]))
            return self.whole_module(infer, view, path) if plain == "default" else infer.attr(view, values, name)
        infer.note(path, "*")
        for export in table.get("*", ()) if plain != "default" else ():
            target = self.resolve(infer, export.module, path)
            if target is not None:
                found = infer.attr(view, (Module(target),), name)
                if found:
                    return found
        if plain == "default" and "export=" not in table and not view.facts.extra.get("module"):
            return (Module(path),)
        if not table:
            return infer.top_level(path, name) or UNKNOWN
        return UNKNOWN

    def imported_variables(self, infer: Inference, view: View, b: Binding) -> tuple[SymbolRef, ...]:
        if b.kind == "import":
            imp = view.facts.imports[b.value]
            path = self.resolve(infer, imp.module, view.path)
            return infer.module_variables(path, imp.name) if path is not None and imp.name else ()
        e = view.exprs[b.value] if b.value != NONE else (Op.TEXT,)
        if e[0] != Op.ATTR:  # `const { name } = require(...)`
            return ()
        modules = [value.path for value in infer.eval(view, e[1]) if isinstance(value, Module)]
        return tuple(ref for path in modules for ref in infer.module_variables(path, e[2]))

    def module_variables(self, infer: Inference, path: str, name: str) -> tuple[SymbolRef, ...]:
        infer.note(path, name)
        infer.note(path, "*")
        view = infer.view(path)
        if view is None:
            return ()
        table = _exports(view)
        own = [ref for export in table.get(name, ()) for ref in self._exported_variables(infer, view, export)]
        if own or name in table or name == "default":
            return tuple(own)
        for export in table.get("*", ()):
            target = self.resolve(infer, export.module, path)
            found = infer.module_variables(target, name) if target is not None else ()
            if found:
                return found
        return () if table else infer.top_level_variables(path, name)

    def _exported_variables(self, infer: Inference, view: View, export: Export) -> tuple[SymbolRef, ...]:
        if export.module:
            target = self.resolve(infer, export.module, view.path)
            return infer.module_variables(target, export.source) if target is not None else ()
        if export.source:
            return infer.top_level_variables(view.path, export.source)
        e = view.exprs[export.value] if export.value != NONE else (Op.TEXT,)
        if e[0] != Op.NAME:
            return ()
        return infer.variables(view, infer.lookup(view, e[2], e[1], e[3]) or ())

    def _exported(self, infer: Inference, view: View, export: Export, prefix: str) -> Values:
        if export.module:
            target = self.resolve(infer, export.module, view.path)
            if target is None:
                return UNKNOWN if export.module.startswith(".") else (Foreign(f"{export.module}.{export.source}"),)
            if export.source == "*":
                return self.whole_module(infer, view, target)
            return infer.attr(view, (Module(target),), prefix + export.source)
        if export.source:
            if prefix and (0, prefix + export.source) not in view.table:
                prefix = ""
            return infer.top_level(view.path, prefix + export.source)
        e = view.exprs[export.value] if prefix and export.value != NONE else (Op.TEXT,)
        named = infer.lookup(view, e[2], prefix + e[1], e[3]) if e[0] == Op.NAME else None
        return merge(*(infer.binding(view, b) for b in named)) if named else infer.eval(view, export.value)

    # --- expressions

    def evaluate(self, infer: Inference, view: View, e: tuple[Any, ...], index: int) -> Values:
        op = e[0]
        if op == Op.OBJECT:
            return (Record(view.path, index, (), _mentions(view, index)),)
        if op == Op.IMPORT:
            return self.imported(infer, view, view.facts.imports[e[1]])
        if op == Op.GENERIC:
            return self._applied(infer, view, e)
        if op == Op.EXPECTED:
            return self._argument(infer, view, e[1], e[2], e[3])
        if op == Op.FALLBACK:
            return infer.eval(view, e[1]) or infer.eval(view, e[2])
        if op == Op.CHOICE:
            return _common(infer.type_of(view, e[1]), infer.type_of(view, e[2]))
        if op == Op.PARENT:
            return self._parent(infer, view, e[1])
        return infer.eval(view, e[1]) if op == Op.TYPEOF else UNKNOWN

    def literal(self, name: str, elements: tuple[Values, ...]) -> Values:
        if name == "this":
            return (_THIS,)
        if name == "Promise":
            return _promise(merge(*elements) if elements else UNKNOWN)
        return (Foreign(name, elements),)

    def _applied(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values:
        args = tuple(infer.type_of(view, i) for i in e[2:])
        out: list[Value] = []
        for value in infer.eval(view, e[1]):
            if isinstance(value, (ClassOf, Function, Instance)):
                out.append(value._replace(args=args))
            elif isinstance(value, Foreign):
                out.extend(self._foreign_type(infer, value.name, args))
            else:
                out.append(value)
        return tuple(dict.fromkeys(out))

    def _foreign_type(self, infer: Inference, name: str, args: tuple[Values, ...]) -> Values:
        kind = same_type(name)
        if kind == "same":
            if name in ("Exclude", "Extract") and len(args) > 1:
                return self.sorted_out(infer, args[0], args[1], name == "Extract") or args[0]
            return args[0] if args else UNKNOWN
        if kind == "parameters":
            functions = [f for f in map(infer.function_type, args[0]) if isinstance(f, Foreign)] if args else []
            return (Foreign("tuple", functions[0].args[1:]),) if len(functions) == 1 else UNKNOWN
        if kind == "awaited":
            return self.awaited(infer, args[0]) if args else UNKNOWN
        if kind == "result":
            return merge(*(self._result_of(infer, v) for v in args[0])) if args else UNKNOWN
        if kind == "instance":
            return self.as_type(infer, args[0]) if args else UNKNOWN
        return (Foreign(kind, args),)

    # --- overloads

    def select(self, infer: Inference, view: View, callee: Values, args: tuple[int, ...]) -> Values:
        """Of overloads, the first signature that takes so many arguments; its implementation is not for callers."""
        if not any(isinstance(value, Function) for value in callee):
            return callee
        callee = tuple(dict.fromkeys(v for value in callee for v in self._overloads(infer, value)))
        if len(callee) < 2:
            return callee
        groups: dict[object, list[Function]] = {}
        for value in callee:
            if isinstance(value, Function):
                groups.setdefault((value.ref[0], value.ref[1].partition("#")[0], value.bound), []).append(value)
        dropped: set[Value] = set()
        for group in groups.values():
            if len(group) > 1:
                dropped |= set(group) - set(self._fitting(infer, view, group, args))
        return tuple(v for v in callee if v not in dropped) if dropped else callee

    def _overloads(self, infer: Inference, value: Value) -> Values:
        """A function that was found by its name: the signatures before it stand for it."""
        found = infer.symbol(value.ref) if isinstance(value, Function) and not value.bound else None
        if found is None or not isinstance(value, Function):
            return (value,)
        view, symbol, index = found
        same = view.by_qual[symbol.qual]
        if len(same) < 2 or symbol.flags & Flag.DECLARATION:
            return (value,)
        before = [i for i in _beside(view, index, same) if view.symbols[i].flags & Flag.DECLARATION]
        return tuple(value._replace(ref=view.ref(i)) for i in (*before, index))

    def _fitting(self, infer: Inference, view: View, group: list[Function], args: tuple[int, ...]) -> list[Function]:
        symbols = [(value, found[1]) for value in group if (found := infer.symbol(value.ref)) is not None]
        signatures = [(v, s) for v, s in symbols if s.flags & (Flag.DECLARATION | Flag.ABSTRACT)]
        if not signatures:
            return group
        if any(a != NONE and view.exprs[a][0] == Op.SPREAD for a in args):
            return [v for v, _ in signatures]
        fitting = [(v, s) for v, s in signatures if _takes(s, len(args))]
        if len(fitting) < 2:
            return [v for v, _ in fitting or signatures]
        return [next((v for v, s in fitting if self._suits(infer, view, v, s, args)), fitting[0][0])]

    def _suits(self, infer: Inference, view: View, value: Function, symbol: Symbol, args: tuple[int, ...]) -> bool:
        home = infer.view(value.ref[0])
        params = [p.type for p in symbol.params if p.kind != "*"]
        return home is not None and self._accepts(infer, view, home, params[: len(args)], args[: len(params)])

    def _result_of(self, infer: Inference, value: Value) -> Values:
        if isinstance(value, Function):
            return infer.returns(value.ref)
        if isinstance(value, Foreign) and value.name == "function" and value.args:
            return value.args[0]
        view = infer.view(
            value.path if isinstance(value, Record) else value.ref[0] if isinstance(value, Instance) else ""
        )
        return infer.result(view, value, ()) if view is not None else UNKNOWN

    # --- what is expected of an argument

    def argument(self, infer: Inference, view: View, call: int, place: int) -> Values:
        return self._argument(infer, view, call, place, NONE)

    def _argument(self, infer: Inference, view: View, call: int, place: int, expected: int) -> Values:
        e = view.exprs[call]
        out: list[Values] = []
        for value in self.select(infer, view, infer.eval(view, e[1]), e[2:]):
            if isinstance(value, (Function, ClassOf)):
                out.append(self._declared_parameter(infer, view, value, e[2:], place, expected))
            elif isinstance(value, Foreign):
                if value.name in _SIGNATURES:
                    out.append(value.args[place + 1] if place + 1 < len(value.args) else UNKNOWN)
                else:
                    given = infer.eval(view, e[3]) if value.name.endswith(".reduce") and len(e) > 3 else UNKNOWN
                    source = infer.eval(view, e[2]) if value.name == "Array.from" and len(e) > 2 else UNKNOWN
                    out.append(callback(value, place, given, self.element(infer, source)))
            elif isinstance(value, (Instance, Record)):
                new = e[0] == Op.NEW
                found = infer.attr(view, (value,), "new()") if new else self._signature(infer, view, value, e[2:])
                out.append(self.function_part(infer, found, place))
        return merge(*out) if out else UNKNOWN

    def _declared_parameter(
        self,
        infer: Inference,
        view: View,
        value: Function | ClassOf,
        args: tuple[int, ...],
        place: int,
        expected: int = NONE,
    ) -> Values:
        ref = value.ref
        if isinstance(value, ClassOf):
            found_member, _ = infer.member(ref, "constructor")
            other = infer.view(found_member.path) if found_member is not None and found_member.symbols else None
            if found_member is None or other is None:
                return UNKNOWN
            ref = other.ref(found_member.symbols[-1])
        found = infer.symbol(ref)
        if found is None:
            return UNKNOWN
        other, symbol, _ = found
        if place >= len(symbol.params) and not (symbol.params and symbol.params[-1].kind == "*"):
            return UNKNOWN
        param = symbol.params[min(place, len(symbol.params) - 1)]
        if param.type == NONE:
            return UNKNOWN
        declared = infer.type_of(other, param.type)
        if param.kind == "*":
            declared = self.element(infer, declared)
        env = self._environment(infer, view, value, ref, args, place)
        if expected != NONE and symbol.returns != NONE:
            infer.unify(infer.type_of(other, symbol.returns), infer.eval(view, expected), env)
        return infer.substitute(declared, env)

    def _environment(
        self, infer: Inference, view: View, value: Function | ClassOf, ref: SymbolRef, args: tuple[int, ...], place: int
    ) -> Env:
        """What a call's type parameters stand for, told by everything but the argument in question."""
        env: Env = {}
        found = infer.symbol(ref)
        if found is None:
            return env
        other, symbol, _ = found
        for holder in value.bound if isinstance(value, Function) else (value,):
            if isinstance(holder, (Instance, ClassOf)):
                env.update(self._holder_env(infer, holder))
        for param, arg in zip(symbol.type_params, value.args, strict=False):
            env[(ref, param.name)] = arg
        others = tuple(NONE if i == place or _is_function(view, a) else a for i, a in enumerate(args))
        infer.learn(view, other, symbol, others, env)
        return env

    def function_part(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.name in _SIGNATURES:
                if place + 1 < len(value.args):
                    out.append(value.args[place + 1])
            elif isinstance(value, Function) and place < 0:
                out.append(infer.returns(value.ref))
            elif isinstance(value, Function):
                home = infer.view(value.ref[0])
                out.append(self._declared_parameter(infer, home, value, (), place) if home is not None else UNKNOWN)
            elif isinstance(value, Record):
                signature = self._record_member(infer, value, "()")
                out.append(self.function_part(infer, signature, place) if signature else UNKNOWN)
            elif isinstance(value, Instance) and (home := infer.view(value.ref[0])) is not None:
                out.append(self.function_part(infer, infer.attr(home, (value,), "()"), place))
        return merge(*out) if out else UNKNOWN

    def _signature(self, infer: Inference, view: View, value: Instance | Record, args: tuple[int, ...]) -> Values:
        """The call signature of an interface or object type that takes such arguments: the first that does."""
        if isinstance(value, Record):
            found = _record_signatures(infer.view(value.path), value.expr)
        else:
            member, _ = infer.member(value.ref, "()")
            found = [(infer.view(member.path), b.type) for b in member.bindings] if member is not None else []
        home, type_ = found[0] if found else (None, NONE)
        if len(found) > 1:
            fitting = (
                (v, t) for v, t in found if v is not None and self._accepts(infer, view, v, v.exprs[t][2:], args)
            )
            home, type_ = next(fitting, found[0])
        if home is None:
            return UNKNOWN
        if isinstance(value, Record):
            return infer.substitute(infer.type_of(home, type_), dict(value.env))
        return infer.substitute(infer.type_of(home, type_), self._holder_env(infer, value))

    def _accepts(self, infer: Inference, view: View, home: View, params: Sequence[int], args: tuple[int, ...]) -> bool:
        """Do declared parameters take so many arguments, and of such types as far as one can tell?"""
        if len(params) != len(args):
            return False
        for param, arg in zip(params, args, strict=True):
            op = view.exprs[arg] if arg != NONE else (Op.TEXT,)
            literals = _constants(home, param)
            if op[0] == Op.CONST and literals is not None and op[2] not in literals:
                return False
            wanted = infer.type_of(home, param)
            if op[0] in (Op.LAMBDA, Op.SYMBOL):
                if wanted and not any(_takes_function(v) for v in wanted):
                    return False
            elif wanted and (given := infer.eval(view, arg)) and not self._any_fits(infer, given, wanted):
                return False
        return True

    def _any_fits(self, infer: Inference, given: Values, wanted: Values) -> bool:
        return any(self._fits(infer, g, w) for g in given for w in wanted)

    def _fits(self, infer: Inference, given: Value, wanted: Value) -> bool:
        """Can a value be handed where a type is wanted?  Yes, unless it is clear that it can't."""
        if isinstance(wanted, Foreign) and wanted.name in _PRIMITIVES:
            return given.name == wanted.name if isinstance(given, Foreign) else isinstance(given, TypeVariable)
        if isinstance(given, Foreign) and given.name in _PRIMITIVES:
            return isinstance(wanted, TypeVariable)
        if not isinstance(given, Instance) or not isinstance(wanted, Instance):
            return not _is_callable(wanted) or not isinstance(given, Instance)
        found = infer.symbol(wanted.ref)
        if found is None or found[1].kind != "class":
            return True  # a structural type
        return any(owner == wanted.ref for owner, _ in infer.ancestry(given.ref).entries)

    def _holder_env(self, infer: Inference, holder: Instance | ClassOf) -> Env:
        """What the type parameters of a value's class and of its ancestors stand for."""
        env: Env = {}
        inner = infer.env_of(holder.ref, holder.args)
        for owner, owner_args in infer.ancestry(holder.ref).entries:
            for key, arg in infer.env_of(owner, owner_args).items():
                env[key] = infer.substitute(arg, inner)
        env.update(inner)
        env[(_THIS.owner, "this")] = (holder,)
        return env

    # --- this and super

    def this(self, infer: Inference, view: View, scope: int) -> Values | None:
        static = False
        while scope != NONE:
            info = view.scopes[scope]
            static |= info.owner != NONE and bool(view.symbols[info.owner].flags & Flag.STATIC)
            if info.kind == "function":
                if info.owner == NONE:
                    return merge(*(infer.binding(view, b) for b in view.named(scope, "this")))
                return self._function_this(infer, view, info.owner)
            if info.kind == "class" and info.owner != NONE:
                ref = view.ref(info.owner)
                return (ClassOf(ref),) if static else (Instance(ref),)
            scope = info.parent
        return UNKNOWN

    def _function_this(self, infer: Inference, view: View, index: int) -> Values:
        symbol = view.symbols[index]
        parent = symbol.parent
        if parent != NONE and (symbol.receiver == NONE or symbol.kind == "constructor"):
            owner = view.symbols[parent]
            if owner.kind in _CLASSLIKE or (owner.kind in CALLABLE_KINDS and symbol.kind in ("method", "property")):
                if symbol.flags & Flag.STATIC:
                    return (ClassOf(view.ref(parent)),) if owner.kind in _CLASSLIKE else (Function(view.ref(parent)),)
                return (Instance(view.ref(parent)),)
        if symbol.receiver != NONE and not symbol.flags & Flag.DECORATED:
            return infer.eval(view, symbol.receiver)
        return (Instance(view.ref(index)),) if _constructs(view, index) else UNKNOWN

    def _parent(self, infer: Inference, view: View, scope: int) -> Values:
        """The base class of the class around a scope."""
        while scope != NONE:
            info = view.scopes[scope]
            if info.kind == "class" and info.owner != NONE:
                symbol = view.symbols[info.owner]
                kinds = symbol.base_kinds or ("inherits",) * len(symbol.bases)
                found = [b for b, kind in zip(symbol.bases, kinds, strict=False) if kind == "inherits"]
                return infer.eval(view, found[0]) if found else UNKNOWN
            scope = info.parent
        return UNKNOWN

    # --- types

    def as_type(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, ClassOf):
                out.append(self._instance_type(infer, value))
            elif isinstance(value, Function):  # `T["method"]` is the method, a constructor function is a class
                out.append((value,) if value.bound else (Instance(value.ref),))
            elif isinstance(value, Module):
                continue  # what was added to `module.exports` beside the class that it is
            elif isinstance(value, Foreign) and not value.args:
                out.append(self._foreign_type(infer, value.name, ()))
            else:
                out.append((value,))
        return merge(*out) if out else UNKNOWN

    def _instance_type(self, infer: Inference, value: ClassOf) -> Values:
        found = infer.symbol(value.ref)
        if found is None:
            return UNKNOWN
        view, symbol, _ = found
        args = self._with_defaults(infer, value, view, symbol)
        if symbol.kind != "type":
            return (Instance(value.ref, args),)
        key = ("alias", value.ref)
        expanded = infer.query(key, value.ref[0], lambda: infer.type_of(view, symbol.returns), UNKNOWN)
        return infer.substitute(expanded, infer.env_of(value.ref, args))

    def _with_defaults(self, infer: Inference, value: ClassOf, view: View, symbol: Symbol) -> tuple[Values, ...]:
        """The type arguments of a type, those that are left out as declared; what says nothing stays open."""
        left = symbol.type_params[len(value.args) :]
        if not left or left[0].default == NONE:
            return value.args
        args = value.args
        for param in left:
            default = infer.substitute(infer.type_of(view, param.default), infer.env_of(value.ref, args))
            telling = default and not any(isinstance(v, Foreign) for v in default)
            args = (*args, default if telling else (TypeVariable(param.name, value.ref),))
        return args

    def type_variable(self, infer: Inference, view: View, owner: int, name: str) -> Values:
        return (TypeVariable(name.lstrip(":"), view.ref(owner)),)

    def value_symbol(self, infer: Inference, view: View, index: int) -> Values:
        return (ClassOf(view.ref(index)),)

    def bind_self(self, infer: Inference, result: Values, receiver: Value | None) -> Values:
        if receiver is None:
            return result
        held = (Instance(receiver.ref, receiver.args),) if isinstance(receiver, ClassOf) else (receiver,)
        return infer.substitute(result, {(_THIS.owner, "this"): held})

    def returned(self, infer: Inference, view: View, index: int) -> Values:
        return (_THIS,) if view.exprs[index][0] == Op.THIS else infer.eval(view, index)

    def called(self, infer: Inference, symbol: Symbol, ref: SymbolRef, result: Values) -> Values:
        if symbol.returns != NONE:
            return result
        if symbol.flags & Flag.GENERATOR:
            return (Foreign("Generator", (result,)),)
        if symbol.flags & Flag.ASYNC:
            return _promise(result)
        return result

    def awaited(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.name in ("Promise", "PromiseLike"):
                out.append(value.args[0] if value.args else UNKNOWN)
            else:
                out.append((value,))
        return merge(*out) if out else UNKNOWN

    def with_items(self, infer: Inference, container: Values, items: Values) -> Values:
        """An array, a map or a set that was made empty, and what was put in later."""
        return tuple(
            Foreign("Array", (merge(*v.args, items),))
            if isinstance(v, Foreign) and v.name in ("tuple", "Array")
            else Foreign(v.name, (UNKNOWN, items) if v.name in ("Map", "WeakMap") else (items,))
            if isinstance(v, Foreign) and v.name in ("Map", "WeakMap", "Set", "WeakSet") and not v.args
            else v
            for v in container
        )

    def element(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign):
                if value.name == "tuple":
                    out.append(merge(*value.args) if value.args else UNKNOWN)
                elif value.name == "Map":
                    out.append((Foreign("tuple", value.args),) if value.args else UNKNOWN)
                elif value.name == "string":
                    out.append((value,))
                elif value.args:
                    out.append(value.args[0])
            elif isinstance(value, Instance):
                container = self._container(infer, value)
                found = self.element(infer, container) if container else UNKNOWN
                out.append(found or infer.iterated(value, self._iterated))
        return merge(*out) if out else UNKNOWN

    def _container(self, infer: Inference, value: Instance | ClassOf) -> Values:
        """The library's container, with what it holds, that a class of the repository extends."""
        line = infer.ancestry(value.ref)
        if not line.foreign or HOLDERS.isdisjoint(line.foreign):
            return UNKNOWN
        key = ("container", value)
        return infer.query(key, value.ref[0], lambda: self._held_above(infer, value, line), UNKNOWN)

    def _held_above(self, infer: Inference, value: Instance | ClassOf, line: Ancestry) -> Values:
        for owner, args in line.entries:
            found = infer.symbol(owner)
            for values, _ in self.bases(infer, found[0], found[1], owner) if found is not None else ():
                containers = tuple(v for v in values if isinstance(v, Foreign) and v.name in HOLDERS)
                if containers:
                    env = {**infer.env_of(owner, args), **infer.env_of(value.ref, value.args)}
                    return infer.substitute(infer.substitute(containers, env), infer.env_of(value.ref, value.args))
        return UNKNOWN

    def _iterated(self, infer: Inference, value: Instance) -> Values:
        """What the iterator of an object hands out, by its own `next` or, where it is another iterable, by that's."""
        view = infer.view(value.ref[0])
        made = infer.call_member(view, value, "[Symbol.iterator]") if view is not None else UNKNOWN
        if view is None or not made:
            return UNKNOWN
        given = merge(*(infer.call_member(view, v, "next") for v in made if isinstance(v, Instance)))
        return infer.attr(view, given, "value") or self.element(infer, made)

    def item(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.name == "tuple":
                out.append(value.args[place] if place < len(value.args) else UNKNOWN)
            elif isinstance(value, Foreign) and value.args and value.name in ("Array", "Set", "Generator"):
                out.append(value.args[0])
            elif isinstance(value, Foreign) and value.name == "Record" and len(value.args) > 1:
                out.append(value.args[1])
            elif isinstance(value, TypeVariable):
                out.append(self.item(infer, infer.bound_of(value), place))
            elif isinstance(value, Instance):
                out.append(self.item(infer, self._container(infer, value), place))
        return merge(*out) if out else UNKNOWN

    def generic_or_item(self, infer: Inference, view: View, value: Foreign, keys: tuple[int, ...]) -> Values:
        if value.name == "Record":
            return value.args[1] if len(value.args) > 1 else UNKNOWN
        return self.element(infer, (value,)) if value.name != "Map" else UNKNOWN

    def indexed(self, infer: Inference, view: View, value: Value, keys: tuple[int, ...]) -> Values:
        """Also a member under a symbol or another constant, which is declared as `[name]`."""
        key = _key(view, keys[0]) if len(keys) == 1 else ""
        found = infer.attr(view, (value,), f"[{key}]") if key else UNKNOWN
        return found or super().indexed(infer, view, value, keys)

    # --- what conditions tell

    def narrowed(self, infer: Inference, view: View, values: Values, how: str, test: int) -> Values:
        """Also "has" | "has not" a member, a member that "equals" | "differs" from constants (`test`: KEYWORD of its
        name and them), is of a "sort" | "other sort" as `typeof` calls them, and "either" of two tests (KEYWORDs of how
        and test)."""
        if how == "either":
            parts = [view.exprs[part] for part in view.exprs[test][1:]]
            left = [self.narrowed(infer, view, values, part[1], part[2]) for part in parts]
            return merge(*left) if all(left) else values
        if how in ("sort", "other sort"):
            return _of_sorts(values, _constants(view, test) or frozenset(), how == "sort")
        if how not in ("has", "has not", "equals", "differs"):
            return super().narrowed(infer, view, values, how, test)
        if len(values) < 2:
            return values
        e = view.exprs[test]
        if how in ("has", "has not"):
            return tuple(v for v in values if self._has(infer, view, v, e[2]) == (how == "has"))
        wanted, equal = _constants(view, e[2]) or frozenset(), how == "equals"
        keys = [(v, self._literals(infer, v, e[1])) for v in values]
        return tuple(v for v, key in keys if key is None or (key & wanted if equal else key - wanted))

    def record_variables(self, infer: Inference, value: Record, name: str) -> tuple[SymbolRef, ...]:
        view = infer.view(value.path)
        if view is None:
            return ()
        entries = (view.exprs[part] for part in reversed(view.exprs[value.expr][2:]))
        held = next((e[2] for e in entries if e[:2] == (Op.KEYWORD, name)), NONE)
        return (view.ref(view.entries[held]),) if held in view.entries else ()

    def unwrapped(self, values: Values) -> Values:
        """The library's types that have the members of another one, or some of them."""
        return tuple(
            inner
            for value in values
            for inner in (
                value.args[0] if isinstance(value, Foreign) and value.name in _SAME_MEMBERS and value.args else (value,)
            )
        )

    def _has(self, infer: Inference, view: View, value: Value, name: str) -> bool:
        if isinstance(value, Instance):
            return infer.member(value.ref, name)[0] is not None
        if isinstance(value, Record):
            return self._entry_type(infer, value, name) is not None
        return bool(infer.attr(view, (value,), name))

    def _literals(self, infer: Inference, value: Value, name: str) -> frozenset[str] | None:
        """The constants that a member may be by its declared type; None where it may be anything."""
        if isinstance(value, Record):
            found = self._entry_type(infer, value, name)
            home = infer.view(value.path)
            return _constants(home, found) if found is not None and home is not None else None
        member = infer.member(value.ref, name)[0] if isinstance(value, Instance) else None
        home = infer.view(member.path) if member is not None else None
        if member is None or home is None or len(member.bindings) != 1:
            return None
        b = member.bindings[0]
        return _constants(home, b.type if b.type != NONE else b.value)

    def _entry_type(self, infer: Inference, value: Record, name: str) -> int | None:
        """The type that an object type declares for a member, in its own file."""
        view = infer.view(value.path)
        for part in view.exprs[value.expr][2:] if view is not None else ():
            entry = view.exprs[part] if view is not None else ()
            if entry[:2] == (Op.KEYWORD, name) and view is not None:
                held = view.exprs[entry[2]]
                return int(held[1]) if held[0] == Op.CAST else int(entry[2])
        return None

    # --- library

    def foreign_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        if value.name == "module" and name == "exports" and value.args:
            return value.args[0]
        return member(value, name)

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        if value.name == "function":
            return value.args[0] if value.args else UNKNOWN
        if value.name == "bind":
            return value.args[0]
        given = [infer.eval(view, a) for a in args[:3]]
        results = [
            merge(*(infer.result(view, f, ()) for f in g if not isinstance(f, Foreign) or f.name == "function"))
            if g
            else UNKNOWN
            for g in given
        ]
        awaited = [self.awaited(infer, r) for r in results]
        return called(value, given, awaited, lambda v: self.element(infer, v), lambda v: self.awaited(infer, v))

    def other_new(self, infer: Inference, view: View, value: Value, args: tuple[int, ...]) -> Values:
        if isinstance(value, Function):
            found = infer.symbol(value.ref)
            if found is not None and found[1].flags & Flag.DECORATED:
                held = infer.eval(found[0], found[1].receiver)
                return merge(*(self.other_new(infer, view, v, args) for v in held if not isinstance(v, ClassOf)))
            return (Instance(value.ref),)
        if isinstance(value, Foreign):
            if value.name == "new":
                return value.args[0] if value.args else UNKNOWN
            if value.name in ("Set", "Array") and not value.args and args and value.name == "Set":
                return (Foreign("Set", (self.element(infer, infer.eval(view, args[0])),)),)
            return (value,)
        if isinstance(value, Record):
            return self._made(infer, self._record_member(infer, value, "new()"))
        if isinstance(value, Instance):
            return self._made(infer, infer.attr(view, (value,), "new()"))
        if isinstance(value, TypeVariable):
            out = [self.other_new(infer, view, bound, args) for bound in infer.bound_of(value)]
            return merge(*out) if out else UNKNOWN
        return UNKNOWN

    def _made(self, infer: Inference, signature: Values) -> Values:
        return merge(*(v.args[0] for v in signature if isinstance(v, Foreign) and v.name == "new" and v.args))

    def other_result(self, infer: Inference, view: View, value: Value, args: tuple[int, ...]) -> Values:
        if isinstance(value, Record):
            return merge(*(infer.result(view, v, args) for v in self._signature(infer, view, value, args)))
        return UNKNOWN

    def instance_called(
        self, infer: Inference, view: View, value: Instance | TypeVariable, args: tuple[int, ...]
    ) -> Values:
        if isinstance(value, TypeVariable):
            return merge(*(infer.result(view, v, args) for v in infer.bound_of(value)))
        return merge(*(infer.result(view, v, args) for v in self._signature(infer, view, value, args)))

    # --- members

    def member_key(self, value: Value, name: str) -> str:
        return "." + name if isinstance(value, ClassOf) and name != "constructor" else name

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        static, plain = name.startswith("."), name.lstrip(".:")
        found: list[int] = []
        bindings: list[Binding] = []
        for owner in _merged(view, index):
            symbol = view.symbols[owner]
            if symbol.kind == "namespace":
                found += [i for i in _children(view).get((owner, plain), ()) if view.symbols[i].kind not in _VALUES]
                if symbol.scope != NONE and not found:
                    wanted = ":" + plain if name.startswith((":", ".:")) else plain
                    bindings += [b for b in view.named(symbol.scope, wanted) if b.kind != "def"]
                continue
            for child in _children(view).get((owner, plain), ()):
                part = view.symbols[child]
                if part.kind in _MEMBER_KINDS and (bool(part.flags & Flag.STATIC) == static or plain == "constructor"):
                    found.append(child)
            holder = _holders(view).get((owner, "statics" if static else "members"))
            if holder is not None:
                bindings += [b for b in view.named(holder, plain) if b.kind != "item"]
        return (tuple(found), ()) if found else ((), tuple(bindings))

    def missing_member(self, infer: Inference, value: Instance | ClassOf, name: str, line: Ancestry) -> Values:
        if isinstance(value, ClassOf) and name == "prototype":
            return (Instance(value.ref, value.args),)
        declared = self._declared_elsewhere(infer, value, name)
        if declared:
            return declared
        for ref, _ in line.entries:
            mixed = self._mixed(infer, ref, "statics" if isinstance(value, ClassOf) else "members")
            found = [v for m in mixed for v in infer.attr(m[0], m[1], name)]
            real = tuple(v for v in found if not isinstance(v, Foreign))
            if real:
                return tuple(dict.fromkeys(real))
        if line.foreign and not line.open:
            container = self._container(infer, value) if isinstance(value, Instance) else UNKNOWN
            held = merge(*(member(c, name) for c in container if isinstance(c, Foreign)), UNKNOWN)
            return held or (Foreign(f"{line.foreign[0]}.{name}"),)
        if name in _OBJECT_MEMBERS or (isinstance(value, ClassOf) and name in ("call", "apply", "bind", "name")):
            return (Foreign("Object." + name),)
        return UNKNOWN

    def _declared_elsewhere(self, infer: Inference, value: Instance | ClassOf, name: str) -> Values:
        """A member that another file adds to a global interface."""
        whole = value.ref[1].partition("#")[0]
        if not self._declares_global(infer, value.ref[0], whole):
            return UNKNOWN
        infer.note_key(name_key("ecma", name))
        for path, index in infer.project.named("ecma", name)[:_MOST_DECLARING]:
            view = infer.view(path) if path != value.ref[0] else None
            if view is None or view.symbols[index].qual != f"{whole}.{name}":
                continue
            if self._declares_global(infer, path, whole):
                infer.note(path, whole)
                return infer.attr(view, (value._replace(ref=view.ref(view.symbols[index].parent)),), name)
        return UNKNOWN

    def _declares_global(self, infer: Inference, path: str, name: str) -> bool:
        """Does a file say `declare global` of a name?  Its own answer counts for others, so the key is always noted."""
        infer.note_key(key_of(path, "*"))
        summary = infer.project.summaries.get(path)
        return summary is not None and name in summary.extra.get("globals", "").split()

    def _mixed(self, infer: Inference, ref: SymbolRef, kind: str) -> list[tuple[View, Values]]:
        """Objects whose members were copied into a class (`Object.assign(A.prototype, {...})`)."""
        found = infer.symbol(ref)
        if found is None:
            return []
        view, symbol, index = found
        infer.note(ref[0], f"{symbol.qual}....")
        holder = _holders(view).get((index, kind))
        group = view.named(holder, "...") if holder is not None else []
        return [(view, infer.binding(view, b)) for b in group]

    def function_member(self, infer: Inference, value: Value, name: str) -> Values:
        if isinstance(value, Record):
            return self._record_member(infer, value, name)
        if name in ("call", "apply"):
            return (value,)
        if name == "bind":
            return (Foreign("bind", ((value,),)),)
        if not isinstance(value, Function):
            return (Foreign("function." + name),)
        if name == "prototype":
            return (Instance(value.ref),)
        found, _ = infer.member(value.ref, "." + name)
        if found is not None:
            return infer.member_values(found, ClassOf(value.ref))
        symbol = infer.symbol(value.ref)
        if symbol is not None and symbol[1].flags & Flag.DECORATED:
            return infer.attr(symbol[0], infer.eval(symbol[0], symbol[1].receiver), name)
        return (Foreign("function." + name),) if name in _FUNCTION_MEMBERS else UNKNOWN

    def _record_member(self, infer: Inference, value: Record, name: str) -> Values:
        view = infer.view(value.path)
        if view is None:
            return UNKNOWN
        if view.language == "javascript":
            name = name.lstrip(":")  # comments name the classes of `module.exports = { ... }`
        key = ("record", value.path, value.expr, name)
        found = infer.query(key, value.path, lambda: self._entry(infer, view, value, name), UNKNOWN)
        found = self.bind_self(infer, found, value)
        return infer.substitute(found, dict(value.env)) if value.env else found

    def _entry(self, infer: Inference, view: View, value: Record, name: str) -> Values:
        e = view.exprs[value.expr]
        added: Values = UNKNOWN
        if e[1] != NONE:
            infer.note(value.path, ".." + name)  # see `Builder._offers`: objects have no name
            added = merge(*(infer.binding(view, b) for b in view.named(e[1], name)))
        for part in reversed(e[2:]):
            entry = view.exprs[part]
            if entry[0] == Op.KEYWORD and entry[1] == name:
                return merge(self._held(infer, view, entry[2], value), added)
            if entry[0] == Op.SPREAD:
                found = infer.attr(view, infer.eval(view, entry[1]), name)
                if found:
                    return merge(found, added)
        if added or e[1] == NONE:
            return added
        infer.note(value.path, ".....")
        mixed = [infer.attr(view, infer.binding(view, b), name) for b in view.named(e[1], "...")]
        return merge(*mixed) if mixed else UNKNOWN

    def _held(self, infer: Inference, view: View, index: int, value: Record) -> Values:
        """What an entry holds: a getter's result, not the getter."""
        e = view.exprs[index]
        if e[0] == Op.SYMBOL and view.symbols[e[1]].kind == "property":
            return infer.returns(view.ref(e[1]), value)
        return infer.eval(view, index)

    # --- classes

    def bases(self, infer: Inference, view: View, symbol: Symbol, ref: SymbolRef) -> list[tuple[Values, str]]:
        out: list[tuple[Values, str]] = []
        kinds = symbol.base_kinds or ("inherits",) * len(symbol.bases)
        for base, kind in zip(symbol.bases, kinds, strict=False):
            values: list[Value] = []
            for value in infer.eval(view, base):
                if isinstance(value, Function):
                    values.append(ClassOf(value.ref))
                elif isinstance(value, ClassOf):
                    values.extend(self._instance_type(infer, value))
                elif isinstance(value, TypeVariable):
                    values.extend(self._made(infer, infer.bound_of(value)))
                elif isinstance(value, Foreign) and value.name == "new":
                    values.extend(self._made(infer, (value,)))
                else:
                    values.append(value)
            out.append((tuple(values), kind))
            e = view.exprs[base]
            given = [v for a in e[2:] for v in infer.eval(view, a)] if e[0] == Op.CALL else []
            out += [((v,), "contains") for v in given if isinstance(v, ClassOf)]  # what `Mixin(Base)` extends
        if symbol.kind == "interface" and symbol.name in view.facts.extra.get("globals", "").split():
            for first in self._declaring(infer, symbol.name)[:1]:
                if first != view.path:  # a later declaration of the same interface has what the first one inherits
                    out.append((infer.top_level(first, ":" + symbol.name), "contains"))
        return out

    def constructed(self, infer: Inference, view: View, value: ClassOf, args: tuple[int, ...]) -> Values:
        if value.args:
            return (Instance(value.ref, value.args),)
        found = infer.symbol(value.ref)
        if found is None or not found[1].type_params:
            return (Instance(value.ref),)
        constructor, _ = infer.member(value.ref, "constructor")
        other = infer.view(constructor.path) if constructor is not None and constructor.symbols else None
        if constructor is None or other is None:
            return (Instance(value.ref),)
        env: dict[tuple[SymbolRef, str], Values] = {}
        infer.learn(view, other, other.symbols[constructor.symbols[-1]], args, env)
        names = [(value.ref, p.name) for p in found[1].type_params]
        return (Instance(value.ref, tuple(env.get(n, UNKNOWN) for n in names)),) if env else (Instance(value.ref),)

    def constructors(self) -> tuple[str, ...]:
        return ("constructor",)

    def pick(self, infer: Inference, view: View, candidates: list[int], site_args: int, mode: str) -> list[int]:
        """Accessors by kind of access."""
        if len(candidates) < 2 or not any(view.symbols[i].kind == "property" for i in candidates):
            return candidates
        flag = Flag.SETTER if mode == "write" else Flag.GETTER
        return [i for i in candidates if view.symbols[i].flags & flag] or candidates

    def canonical(self, infer: Inference, ref: SymbolRef) -> tuple[SymbolRef, ...]:
        """An overload signature stands for the implementation that follows it; an interface and a constant of one
        name are one symbol, which the interface declares."""
        found = infer.symbol(ref)
        if found is None:
            return (ref,)
        view, symbol, index = found
        if symbol.flags & Flag.DECORATED:
            named = view.by_qual[symbol.qual]
            merged = [i for i in _beside(view, index, named) if view.symbols[i].kind == "interface"]
            return (view.ref(merged[0]),) if merged else (ref,)
        if symbol.flags & Flag.ABSTRACT and symbol.kind == "method":
            return (view.ref(min(_children(view).get((symbol.parent, symbol.name), [index]))),)
        if not symbol.flags & Flag.DECLARATION:
            return (ref,)
        group = _beside(view, index, view.by_qual[symbol.qual])
        for other in group:
            part = view.symbols[other]
            if other > index and not part.flags & Flag.DECLARATION and part.kind == symbol.kind:
                return (view.ref(other),)
        same = [i for i in group if view.symbols[i].flags & Flag.DECLARATION]
        return (view.ref(same[0] if same else index),)


def _constants(view: View, index: int) -> frozenset[str] | None:
    """The constants that a literal type allows; None for any other type."""
    e = view.exprs[index] if index != NONE else (Op.TEXT,)
    if e[0] == Op.CONST:
        return frozenset({e[2]})
    if e[0] == Op.ATTR and view.exprs[e[1]][0] == Op.NAME:  # a member of an enum
        return frozenset({f"{view.exprs[e[1]][1].lstrip(':')}.{e[2].lstrip(':')}"})
    parts = [_constants(view, part) for part in e[1:]] if e[0] == Op.UNION else [None]
    return None if None in parts else frozenset(c for part in parts if part is not None for c in part)


def _of_sorts(values: Values, sorts: frozenset[str], wanted: bool) -> Values:
    """Of some values those that `typeof` puts into some sorts, or the others.  What is a string holds nothing else."""
    found = [(v, _sort(v)) for v in values]
    if not wanted:
        return tuple(v for v, sort in found if sort not in sorts)
    sure = tuple(v for v, sort in found if sort in sorts)
    if sorts <= _PRIMITIVES:
        return sure or tuple(Foreign(sort) for sort in sorted(sorts))
    return tuple(v for v, sort in found if sort in sorts or not sort) or values


def _sort(value: Value) -> str:
    """What `typeof` calls a value; "" where that is open."""
    if isinstance(value, (Function, ClassOf, Closure)):
        return "function"
    if isinstance(value, Foreign):
        if value.name in _PRIMITIVES or value.name == "function":
            return value.name
        return "object" if value.name in _OBJECTS else ""
    return "object" if isinstance(value, (Instance, Record)) else ""


def _key(view: View, index: int) -> str:
    """A name with its qualifiers, as it stands in brackets; "" for anything else."""
    e = view.exprs[index] if index != NONE else (Op.TEXT,)
    if e[0] == Op.NAME:
        return str(e[1])
    outer = _key(view, e[1]) if e[0] == Op.ATTR else ""
    return f"{outer}.{e[2]}" if outer else ""


_VALUES = frozenset({"variable", "constant", "field", "enum_member"})
_MEMBER_KINDS = frozenset({"method", "property", "constructor"})


def _record_signatures(view: View | None, index: int) -> list[tuple[View | None, int]]:
    """The call signatures of an object type."""
    if view is None:
        return []
    parts = [view.exprs[part] for part in view.exprs[index][2:]]
    held = [view.exprs[p[2]] for p in parts if p[0] == Op.KEYWORD and p[1] == "()" and p[2] != NONE]
    return [(view, e[1]) for e in held if e[0] == Op.CAST]


def _is_callable(value: Value) -> bool:
    return isinstance(value, Foreign) and value.name == "function"


def _takes_function(value: Value) -> bool:
    """Can a value of this type be a function?"""
    return not isinstance(value, Foreign) or value.name not in (
        "string",
        "number",
        "boolean",
        "Array",
        "tuple",
        "RegExp",
    )


def _takes(symbol: Symbol, count: int) -> bool:
    """Can a function be called with so many arguments?"""
    plain = [p for p in symbol.params if p.kind != "*"]
    least = sum(p.kind == "" for p in plain)
    return least <= count and (count <= len(plain) or len(plain) < len(symbol.params))


def _common(one: Values, other: Values) -> Values:
    """What two types have in common, type arguments aside."""
    there = {(type(v), v.ref if isinstance(v, (Instance, ClassOf)) else v) for v in other}
    return tuple(v for v in one if (type(v), v.ref if isinstance(v, (Instance, ClassOf)) else v) in there)


def _promise(values: Values) -> Values:
    """A promise of a value; promises do not nest."""
    flat = (
        merge(
            *(
                (v.args[0] if v.args else UNKNOWN) if isinstance(v, Foreign) and v.name == "Promise" else (v,)
                for v in values
            )
        )
        if values
        else UNKNOWN
    )
    return (Foreign("Promise", (flat,)),)


def _exports(view: View) -> dict[str, list[Export]]:
    """Exported name → exports, made once per view."""
    table: dict[str, list[Export]] | None = view.__dict__.get("ecma_exports")
    if table is None:
        table = {}
        for export in view.facts.exports:
            table.setdefault(export.name, []).append(export)
        view.__dict__["ecma_exports"] = table
    return table


def _children(view: View) -> dict[tuple[int, str], list[int]]:
    """(symbol, name) → the symbols inside of it that bear the name."""
    table: dict[tuple[int, str], list[int]] | None = view.__dict__.get("ecma_children")
    if table is None:
        table = {}
        for index, symbol in enumerate(view.symbols):
            if symbol.parent != NONE:
                table.setdefault((symbol.parent, symbol.name), []).append(index)
        view.__dict__["ecma_children"] = table
    return table


def _holders(view: View) -> dict[tuple[int, str], int]:
    """(symbol, members | statics) → the scope that holds what is assigned to them."""
    table: dict[tuple[int, str], int] | None = view.__dict__.get("ecma_holders")
    if table is None:
        table = {(s.owner, s.kind): i for i, s in enumerate(view.scopes) if s.kind in ("members", "statics")}
        view.__dict__["ecma_holders"] = table
    return table


def _merged(view: View, index: int) -> list[int]:
    """A class or interface with the declarations of the same name that merge with it."""
    symbol = view.symbols[index]
    if symbol.kind not in ("interface", "class", "namespace", "enum", "function"):
        return [index]
    group = view.by_qual[symbol.qual]
    if len(group) == 1:
        return [index]
    same = [
        i
        for i in _beside(view, index, group)
        if i != index and view.symbols[i].kind in ("interface", "class", "namespace")
    ]
    if symbol.kind in ("function", "class"):
        same = [
            i
            for i in same
            if view.symbols[i].kind != "class" and (symbol.kind == "class" or view.symbols[i].kind == "namespace")
        ]
    return [index, *same]


def _beside(view: View, index: int, named: list[int]) -> list[int]:
    """Of definitions with one qualified name, those in the closure or block of one of them: functions without a name,
    such as the callbacks of tests, are no part of a qualified name."""
    parent, around = view.symbols[index].parent, _around(view, index)
    return [
        i for i in named if view.symbols[i].parent == parent and (around == NONE or _around(view, i) in (around, NONE))
    ]


def _around(view: View, index: int) -> int:
    """The scope that a definition stands in; NONE where its body opens none."""
    scope = view.symbols[index].scope
    return view.scopes[scope].parent if scope != NONE else NONE


def _constructs(view: View, index: int) -> bool:
    """Is a plain function used as a constructor: does it have members?"""
    if (index, "members") in _holders(view):
        return True
    return any(view.symbols[i].kind == "method" for i in view.children.get(index, ()))


def _is_function(view: View, index: int) -> bool:
    return index != NONE and view.exprs[index][0] == Op.LAMBDA


def _mentions(view: View, index: int) -> bool:
    """Does an expression name a type parameter (or `this` as a type)?"""
    memo: dict[int, bool] = view.__dict__.setdefault("ecma_mentions", {})
    known = memo.get(index)
    if known is not None:
        return known
    memo[index] = False
    e = view.exprs[index]
    if e[0] == Op.NAME:
        found = e[1].startswith(":") and _is_parameter(view, e[2], e[1])
    elif e[0] == Op.LITERAL and e[1] == "this":
        found = True
    elif e[0] == Op.SYMBOL:
        symbol = view.symbols[e[1]]
        parts = [p.type for p in symbol.params] + [symbol.returns]
        found = any(_mentions(view, p) for p in parts if p != NONE)
    else:
        skip = 2 if e[0] == Op.OBJECT else 1
        found = any(_mentions(view, p) for p in e[skip:] if isinstance(p, int) and 0 <= p < index)
    memo[index] = found
    return found


def _is_parameter(view: View, scope: int, name: str) -> bool:
    while scope != NONE:
        group = view.table.get((scope, name))
        if group is not None:
            return group[0].kind == "typeparam"
        scope = view.scopes[scope].parent
    return False


RULES = {"typescript": EcmaRules, "tsx": EcmaRules, "javascript": EcmaRules}
LAYOUT = EcmaLayout
