"""C++: namespaces, class scopes, overloads, and what the standard library's types do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from nav_ls.graph.infer import Inference, Member, choose
from nav_ls.graph.model import Relation, SymbolRef
from nav_ls.graph.project import name_key
from nav_ls.graph.rules.c import _CLOSURE_KEY, _NAME_KEY, FAMILY, CRules, _distance
from nav_ls.graph.rules.c_library import LIBRARY_NAMES
from nav_ls.graph.rules.cpp_library import (
    DERIVED,
    HANDS_OUT_POINTER,
    ITERATED,
    ITERATORS,
    SMART,
    container_member,
    is_library_class,
    is_number,
    is_promoted,
    is_text,
    type_trait,
)
from nav_ls.graph.rules.cpp_references import CONST_LVALUE, LVALUE, RVALUE, handed_out, passing, suits
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
    as_instances,
    merge,
)
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, TYPE_KINDS, Binding, Flag, Op, Site, Symbol, Use

if TYPE_CHECKING:
    from nav_ls.graph.infer import Ancestry

_MARK = "\0"  # between the file that looks and the namespace that it looks into
_COMPARING = frozenset("== != < > <= >= && ||".split())
_VARIABLES = frozenset({"param", "local", "block", "field"})
_METHOD_KINDS = frozenset({"function", "method", "constructor"})
_TYPES_AND_FUNCTIONS = TYPE_KINDS | {"function"}
_PASSED_ON = frozenset(
    {
        "std.move",
        "std.forward",
        "std.exchange",
        "std.as_const",
        "std.min",
        "std.max",
        "std.addressof",
        "std.launder",
        "std.copy",
        "std.move_if_noexcept",
    }
)
_MADE = {
    "std.make_unique": "std.unique_ptr",
    "std.make_shared": "std.shared_ptr",
    "std.make_optional": "std.optional",
    "std.allocate_shared": "std.shared_ptr",
    "std.dynamic_pointer_cast": "std.shared_ptr",
    "std.static_pointer_cast": "std.shared_ptr",
    "std.const_pointer_cast": "std.shared_ptr",
    "std.reinterpret_pointer_cast": "std.shared_ptr",
}


class CppRules(CRules):
    """C++'s answers."""

    nominal = False

    # --- names

    def named_variables(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> tuple[SymbolRef, ...]:
        if name.startswith("::"):
            return self._space_variables(infer, view, "", name[2:])
        found = infer.lookup(view, scope, name, pos)
        if found and found[0].scope != 0 and view.scopes[found[0].scope].kind not in ("class", "namespace"):
            return infer.variables(view, found) if found[0].kind == "using" else ()
        while scope > 0 and view.scopes[scope].owner == NONE:  # a block is in what the function around it is in
            scope = view.scopes[scope].parent
        key = ("vc", view.path, scope, name)
        return infer.query(key, view.path, lambda: self._variables_around(infer, view, scope, name), ())

    def imported_variables(self, infer: Inference, view: View, b: Binding) -> tuple[SymbolRef, ...]:
        """What `using Base::field` and `using space::name` name."""
        e = view.exprs[b.value] if b.kind == "using" else (Op.TEXT,)
        if e[0] != Op.ATTR:
            return ()
        found: list[SymbolRef] = []
        for value in infer.eval(view, e[1]):
            if isinstance(value, Package):
                found += self.package_variables(infer, value.name, e[2])
            elif isinstance(value, (Instance, ClassOf)):
                found += self.member_variables(infer, value, e[2])
        return tuple(found)

    def _variables_around(self, infer: Inference, view: View, scope: int, name: str) -> tuple[SymbolRef, ...]:
        for home in self._homes(infer, view, scope):
            if isinstance(home, str):
                found = self._space_variables(infer, view, home, name) or None
            else:
                found = infer.member_variables(home, name)
            if found is not None:
                return found
        return ()

    def _homes(self, infer: Inference, view: View, scope: int) -> Iterator[SymbolRef | str]:
        """The classes and namespaces that a bare name is looked up in, innermost first; "" is the global one."""
        while scope != NONE:
            info = view.scopes[scope]
            owner = view.symbols[info.owner] if info.owner != NONE else None
            if owner is not None and info.kind == "class":
                yield view.ref(info.owner)
            elif owner is not None and info.kind == "namespace":
                yield owner.qual
            elif scope == 0:
                yield ""
            if owner is not None and owner.receiver != NONE:
                yield from self._named_homes(infer, infer.eval(view, owner.receiver))
            scope = info.parent
        yield from self._used(infer, view)

    def _named_homes(self, infer: Inference, named: Values) -> Iterator[SymbolRef | str]:
        """What is around the body of a method or a class that is written outside of its class."""
        for value in named:
            if isinstance(value, Package):
                yield from (_space(value), *_spaces(_space(value)))
            current: SymbolRef | None = value.ref if isinstance(value, ClassOf) else None
            while current is not None and (found := infer.symbol(current)) is not None:
                yield current
                current = self._class_around(infer, found[0], found[1])
                if current is None:
                    yield from _spaces(found[1].qual)

    def package_variables(self, infer: Inference, package: str, name: str) -> tuple[SymbolRef, ...]:
        path, _, space = package.partition(_MARK)
        view = infer.view(path)
        return self._space_variables(infer, view, space, name) if view is not None else ()

    def _space_variables(self, infer: Inference, view: View, space: str, name: str) -> tuple[SymbolRef, ...]:
        """The variables that a namespace has, as far as a file's includes show; "" is the global one."""
        key = ("sv", view.path, space, name)
        return infer.query(key, view.path, lambda: self._variables_of(infer, view, space, name), ())

    def _variables_of(self, infer: Inference, view: View, space: str, name: str) -> tuple[SymbolRef, ...]:
        offering = self._offering(infer, view, f"{space}.{name}" if space else name)
        places = [(path, space) for path in (view.path, *offering)]
        if space:
            places += self._behind_macros(infer, view, space)
        for path, inner in places:
            found = self._file_variables(infer, path, inner, name)
            if found:
                return found
        inside = (
            self._space_variables(infer, view, inline, name) for inline in self.layout(infer).inline_spaces(space)
        )
        return next((found for found in inside if found), ())

    def _file_variables(self, infer: Inference, path: str, space: str, name: str) -> tuple[SymbolRef, ...]:
        """The variables that one file puts into a namespace under a name."""
        infer.note(path, f"{space}.{name}" if space else name)
        view = infer.view(path)
        if view is None:
            return ()
        bindings = [b for scope in _scopes_of(view, space) for b in view.named(scope, name)]
        return infer.variables(view, bindings) or (() if space else self._constants(infer, path, name))

    def resolve_name(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> Values:
        if name == "std":
            return (Foreign(name),)
        if name.startswith("::"):
            return self._in_namespace(infer, view, "", name[2:]) or self._nowhere(infer, view, name[2:], scope)
        head = pos == NONE  # in front of `::`, where variables don't count
        current = scope
        while current != NONE:
            info = view.scopes[current]
            if info.kind in ("class", "namespace") or current == 0:
                break
            group = _seen(view.table.get((current, name)), head)
            chosen = choose(group, pos, True) if group else None
            if chosen:
                return merge(*(infer.binding(view, b) for b in chosen))
            if info.owner != NONE and view.symbols[info.owner].receiver != NONE:
                return self._outside_method(infer, view, info.owner, info.parent, name, head)
            current = info.parent
        start = current
        return infer.query(
            ("n", view.path, start, name, head),
            view.path,
            lambda: self._from_scope(infer, view, start, name, head),
            UNKNOWN,
        )

    def _outside_method(self, infer: Inference, view: View, owner: int, outer: int, name: str, head: bool) -> Values:
        return infer.query(
            ("no", view.path, owner, name, head),
            view.path,
            lambda: self._from_method(infer, view, owner, outer, name, head),
            UNKNOWN,
        )

    def _from_method(self, infer: Inference, view: View, owner: int, outer: int, name: str, head: bool) -> Values:
        """From the body of a method or nested class that is written outside of its class."""
        for value in infer.eval(view, view.symbols[owner].receiver):
            if isinstance(value, ClassOf):
                found = self._in_class_and_around(infer, value.ref, name, head)
                if found:
                    return found
                other = infer.symbol(value.ref)
                if other is not None:
                    spaces = _spaces(other[1].qual)
                    for space in spaces:
                        found = self._in_namespace(infer, view, space, name)
                        if found:
                            return found
            elif isinstance(value, Package):
                for space in (_space(value), *_spaces(_space(value))):
                    found = self._in_namespace(infer, view, space, name)
                    if found:
                        return found
        return self._from_scope(infer, view, outer, name, head)

    def _in_class_and_around(self, infer: Inference, ref: SymbolRef, name: str, head: bool) -> Values:
        """A name in a class, its bases, and the classes around it."""
        current: SymbolRef | None = ref
        while current is not None:
            found = infer.symbol(current)
            if found is None:
                return UNKNOWN
            view, symbol, _ = found
            if symbol.name == name and symbol.kind in TYPE_KINDS:  # the class with its own parameters as arguments
                return (ClassOf(current, tuple((TypeVariable(p.name, current),) for p in symbol.type_params)),)
            if any(p.name == name for p in symbol.type_params):
                return (TypeVariable(name, current),)
            line = infer.ancestry(current)
            base = next((r for r, _ in line.entries[1:] if r[1].partition("#")[0].rpartition(".")[2] == name), None)
            if base is not None:
                return (ClassOf(base),)
            member, _ = infer.member(current, name)
            field = member is not None and member.bindings and all(b.type != NONE for b in member.bindings)
            if member is not None and not (head and field):
                return infer.member_values(member, Instance(current))
            outside = self._outside_type(infer, view, line, name)
            if outside:
                return outside
            current = self._class_around(infer, view, symbol)
        return UNKNOWN

    def _class_around(self, infer: Inference, view: View, symbol: Symbol) -> SymbolRef | None:
        """The class that a nested class is in, also where its definition stands outside of that."""
        if symbol.parent != NONE and view.symbols[symbol.parent].kind in TYPE_KINDS:
            return view.ref(symbol.parent)
        named = infer.eval(view, symbol.receiver) if symbol.receiver != NONE else UNKNOWN
        return next((v.ref for v in named if isinstance(v, ClassOf)), None)

    def _outside_type(self, infer: Inference, view: View, line: Ancestry, name: str) -> Values:
        """A nested type that is only declared in its class and defined elsewhere: `struct Outer::Inner {`.

        Where `using namespace` opened what is around the class, it has a shorter name there.
        """
        infer.note_key(name_key(FAMILY, name))
        written = [
            (path, index, infer.project.summaries[path].entries[index])
            for path, index in infer.project.named(FAMILY, name)
        ]
        written = [w for w in written if w[2].kind in TYPE_KINDS and "." in w[2].qual]
        for owner, _ in line.entries if written else ():
            full = f"{owner[1].partition('#')[0]}.{name}"
            fitting = [(len(e.qual), p, i) for p, i, e in written if f".{full}".endswith(f".{e.qual}")]
            for length, path, index in sorted(fitting, key=lambda f: (-f[0], f[1])):
                other = infer.view(path)
                if other is not None and (length == len(full) or self._sees(infer, path, owner[0])):
                    infer.note(path, other.symbols[index].qual)
                    return (ClassOf(other.ref(index)),)
        return UNKNOWN

    def _sees(self, infer: Inference, path: str, other: str) -> bool:
        """Does a file include another one?"""
        infer.note_key(_CLOSURE_KEY + path)
        return other in self.layout(infer).closure(path)

    def _from_scope(self, infer: Inference, view: View, scope: int, name: str, head: bool) -> Values:
        current = scope
        space = ""
        while current != NONE:
            info = view.scopes[current]
            if info.kind == "class" and info.owner != NONE:
                own = [b for b in view.named(current, name) if b.kind in ("typeparam", "param")]
                if own:
                    return infer.binding(view, own[-1])
                found = self._in_class_and_around(infer, view.ref(info.owner), name, head)
                if not found and view.symbols[info.owner].receiver != NONE:
                    return self._outside_method(infer, view, info.owner, info.parent, name, head)
            elif info.kind == "namespace" and info.owner != NONE:
                space = view.symbols[info.owner].qual
                found = self._in_namespace(infer, view, space, name)
            elif current == 0:
                found = self._in_namespace(infer, view, "", name)
            else:
                group = _seen(view.table.get((current, name)), head)
                found = merge(*(infer.binding(view, b) for b in group)) if group else UNKNOWN
                if group and not found:
                    return UNKNOWN
            if found:
                return found
            current = info.parent
        return self._nowhere(infer, view, name, scope)

    def _nowhere(self, infer: Inference, view: View, name: str, scope: int) -> Values:
        """Names from `using namespace`, macros, the library, another namespace of the arguments."""
        spaces = self._used(infer, view)
        for space in spaces:
            found = self._in_namespace(infer, view, space, name) if space != "std" else UNKNOWN
            if found:
                return found
        standard = "std" in spaces
        if name in LIBRARY_NAMES or name == "std":
            return (Foreign(name),)
        found = self._unseen_space(infer, view, name) or self._elsewhere(infer, view, name)
        if standard and found == (Foreign(name),):
            return (Foreign("std." + name),)
        if found:
            return found
        return (Foreign("std." + name),) if standard else UNKNOWN

    def _used(self, infer: Inference, view: View) -> tuple[str, ...]:
        """The namespaces that a file opens by `using namespace`."""
        return infer.query(("us", view.path), view.path, lambda: self._used_by(infer, view), ())

    def _used_by(self, infer: Inference, view: View) -> tuple[str, ...]:
        """Named from the root, or below one of the file's own or one that was opened before."""
        layout = self.layout(infer)
        own = sorted({s.qual for s in view.symbols if s.kind == "namespace"})
        found: dict[str, None] = {}
        for imp in (i for i in view.facts.imports if i.kind == "using"):
            candidates = [imp.module, *(f"{p}.{imp.module}" for p in (*own, *found))]
            for candidate in candidates:
                infer.note_key(_NAME_KEY + candidate)
            found.update(dict.fromkeys(c for c in candidates if c == "std" or layout.is_namespace(c)))
        return tuple(found)

    def _elsewhere(self, infer: Inference, view: View, name: str) -> Values:
        """A function found through its arguments' namespace, or the only global of that name in the program."""
        infer.note_key(name_key(FAMILY, name))
        infer.note_key(_CLOSURE_KEY + view.path)
        closure = self.layout(infer).closure(view.path)
        seen: list[Value] = []
        others: list[Value] = []
        known = macro = False
        for path, index in infer.project.named(FAMILY, name):
            entry = infer.project.summaries[path].entries[index]
            known = True
            macro |= entry.kind == "macro"
            other = infer.view(path)
            if other is None or entry.kind not in _TYPES_AND_FUNCTIONS:
                continue
            value: Value = ClassOf(other.ref(index)) if entry.kind in TYPE_KINDS else Function(other.ref(index))
            if path in closure and entry.kind == "function" and "." in entry.qual:
                seen.append(value)
            elif "." not in entry.qual and not entry.flags & (Flag.STATIC | Flag.DECLARATION):
                others.append(value)
        if seen:
            quals = {v.ref[1].partition("#")[0] for v in seen if isinstance(v, Function)}
            return tuple(seen) if len(quals) == 1 else UNKNOWN
        if not known or (macro and not others):
            return (Foreign(name),)
        types = [v for v in others if isinstance(v, ClassOf)]
        if len(types) > 1 and len(types) == len(others):  # declared ahead here, defined in several programs
            return (min(types, key=lambda v: _distance(view.path, v.ref[0])),)
        return tuple(others) if len(others) == 1 else UNKNOWN

    def _in_namespace(self, infer: Inference, view: View, space: str, name: str) -> Values:
        """A name that a namespace has, as far as a file's includes show; "" is the global one."""
        return infer.query(
            ("s", view.path, space, name), view.path, lambda: self._look_in(infer, view, space, name), UNKNOWN
        )

    def _look_in(self, infer: Inference, view: View, space: str, name: str) -> Values:
        layout = self.layout(infer)
        qual = f"{space}.{name}" if space else name
        infer.note_key(_NAME_KEY + qual)
        infer.note_key(_CLOSURE_KEY + view.path)
        closure = layout.closure(view.path)
        offering = layout.offering(qual)
        paths = sorted((p for p in offering if p in closure), key=closure.__getitem__)
        found = [self._in_file(infer, path, space, name) for path in paths]
        values = merge(*found) if found else UNKNOWN
        if not values and layout.is_namespace(qual, closure):
            return (Package(view.path + _MARK + qual),)
        if not values:
            for inline in layout.inline_spaces(space):
                infer.note_key(_NAME_KEY + inline)
                values = self._in_namespace(infer, view, inline, name)
                if values:
                    return values
        if not values and space:
            behind = self._behind_macros(infer, view, space)
            values = merge(*(self._in_file(infer, path, inner, name) for path, inner in behind))
        if not values and space and offering:
            values = self._unseen(infer, view, space, name, sorted(offering))
        return values

    def _behind_macros(self, infer: Inference, view: View, space: str) -> list[tuple[str, str]]:
        """The files that are in a namespace because a macro opens it, which they know nothing of: (path, space inside)."""
        layout = self.layout(infer)
        return [
            (path, space[len(opened) + 1 :])
            for path in layout.closure(view.path)
            for opened in layout.opened_by_macro(path)
            if space == opened or space.startswith(opened + ".")
        ]

    def _unseen(self, infer: Inference, view: View, space: str, name: str, paths: list[str]) -> Values:
        """Offered by the same namespace in files that no include leads to: types that are only declared ahead."""
        found = merge(*(self._in_file(infer, path, space, name) for path in paths[:8]))
        types = [v for v in found if isinstance(v, ClassOf)]
        return (min(types, key=lambda v: _distance(view.path, v.ref[0])),) if types else UNKNOWN

    def _in_file(self, infer: Inference, path: str, space: str, name: str) -> Values:
        """What one file puts into a namespace under a name."""
        infer.note(path, f"{space}.{name}" if space else name)
        view = infer.view(path)
        if view is None:
            return UNKNOWN
        out: list[Values] = []
        for scope in _scopes_of(view, space):
            group = view.table.get((scope, name)) or (view.table.get((scope, "struct " + name)) if not space else None)
            group = self._own(view, group, name) if group and not space else group
            if group:
                group = self._expanded(view, group)
                defs = [b for b in group if b.kind == "def"]
                out.append(merge(*(infer.binding(view, b) for b in defs or group[-1:])))
        for index in view.by_qual.get(f"{space}.{name}" if space else name, ()):
            symbol = view.symbols[index]
            if symbol.kind == "function" and symbol.receiver != NONE:
                out.append((Function(view.ref(index)),))
        return merge(*out) if out else UNKNOWN

    def _expanded(self, view: View, found: list[Binding]) -> list[Binding]:
        macros = [b for b in found if b.kind == "def" and view.symbols[b.value].kind == "macro"]
        return macros or found

    def visible(self, infer: Inference, view: View, name: str) -> Values:
        return self._in_namespace(infer, view, "", name)

    def package_member(self, infer: Inference, package: str, name: str) -> Values:
        path, _, space = package.partition(_MARK)
        view = infer.view(path)
        if view is None:
            return UNKNOWN
        return self._in_namespace(infer, view, space, name) or self._unseen_space(infer, view, f"{space}.{name}")

    def _unseen_space(self, infer: Inference, view: View, space: str) -> Values:
        """A namespace that no include shows, where nothing else has its name."""
        return (Package(view.path + _MARK + space),) if self.layout(infer).is_namespace(space) else UNKNOWN

    def namespace_value(self, infer: Inference, view: View, index: int) -> Values:
        return (Package(view.path + _MARK + view.symbols[index].qual),)

    # --- types

    def as_type(self, infer: Inference, values: Values) -> Values:
        return as_instances(values)

    def generic_or_item(self, infer: Inference, view: View, value: Foreign, keys: tuple[int, ...]) -> Values:
        """Template arguments for something from outside."""
        types = tuple(infer.type_of(view, k) for k in keys)
        known = type_trait(value.name.removesuffix("_t"), types) if value.name.endswith("_t") else None
        return known if known is not None else (Foreign(value.name, types),)

    def foreign_member(self, infer: Inference, value: Foreign, name: str) -> Values:
        known = type_trait(value.name, value.args) if name == "type" else None
        if known is not None:
            return known
        if name in ITERATORS and value.name in ITERATED and value.args:
            return (Foreign("iterator", (ITERATED[value.name](value.args),)),)
        if value.name == "std.pair" and len(value.args) == 2 and name in ("first", "second"):
            return value.args[0 if name == "first" else 1]
        if value.name in SMART and value.args and value.name != "std.optional" and name not in SMART[value.name]:
            return (Foreign(f"{value.name}.{name}"),)
        return (Foreign(f"{value.name}.{name}", value.args),)

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        name = value.name
        if name == "function":
            return value.args[0] if value.args else UNKNOWN
        if name == "std.function" and value.args:
            return merge(*(self.foreign_call(infer, view, v, args) for v in value.args[0] if isinstance(v, Foreign)))
        if name in _PASSED_ON:
            return infer.eval(view, args[0]) if args else UNKNOWN
        if name in _MADE:
            return (Foreign(_MADE[name], value.args),)
        if name in ("std.ref", "std.cref") and args:
            return (Foreign("std.reference_wrapper", (infer.eval(view, args[0]),)),)
        if name in ("std.make_pair", "std.pair") and len(args) == 2:
            return (Foreign("std.pair", tuple(infer.eval(view, a) for a in args)),)
        if name in ("std.begin", "std.end", "std.next", "std.prev", "std.find", "std.find_if", "std.lower_bound"):
            return (Foreign("iterator", (self.element(infer, infer.eval(view, args[0])),)),) if args else UNKNOWN
        known = container_member(name, value.args)
        if known is not None:
            return known
        if name.startswith("std.") and name.count(".") == 1 and name[4:5].islower() and value.args:
            return (value,)  # constructing a standard type
        return (Foreign(name + "()"),)

    def element(self, infer: Inference, values: Values) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.args:
                if value.name in ITERATED:
                    out.append(ITERATED[value.name](value.args))
                elif value.name in ("iterator", "std.initializer_list"):
                    out.append(value.args[0])
            elif isinstance(value, Instance):
                found = infer.symbol(value.ref)
                made = infer.call_member(found[0], value, "begin") if found is not None else UNKNOWN
                out.append(self._led_to(infer, found[0], made, "*") if found is not None else UNKNOWN)
        return merge(*out) if out else UNKNOWN

    def item(self, infer: Inference, values: Values, place: int) -> Values:
        out: list[Values] = []
        for value in values:
            if isinstance(value, Foreign) and value.name in ("std.pair", "std.tuple") and place < len(value.args):
                out.append(value.args[place])
            elif isinstance(value, Instance):
                found = infer.symbol(value.ref)
                if found is None:
                    continue
                view, symbol, index = found
                fields = [c for c in view.children.get(index, ()) if view.symbols[c].kind == "field"]
                if place < len(fields) and symbol.scope != NONE:
                    out.append(infer.attr(view, (value,), view.symbols[fields[place]].name))
        return merge(*out) if out else UNKNOWN

    def dereferenced(self, infer: Inference, view: View, operand: int, how: str) -> Values:
        values = infer.eval(view, operand)
        own = any(isinstance(v, Instance) and infer.member(v.ref, "operator" + how)[0] is not None for v in values)
        if own and self._levels(infer, view, operand) > 0:
            return values
        return self._led_to(infer, view, values, how)

    def _led_to(self, infer: Inference, view: View, values: Values, how: str) -> Values:
        """What objects lead to by their own operators."""
        return merge(*(self._pointed_to(infer, view, v, how) for v in values)) if values else UNKNOWN

    def _pointed_to(self, infer: Inference, view: View, value: Value, how: str, depth: int = 0) -> Values:
        if isinstance(value, Foreign):
            if (value.name in SMART or value.name == "iterator") and value.args:
                return value.args[0]
            if how == "[]" and value.args:
                if value.name in ITERATED and ITERATED[value.name](value.args) == value.args[0]:
                    return value.args[0]
                return value.args[1] if len(value.args) > 1 else value.args[0]
            return (value,)
        if isinstance(value, Instance):
            member, line = infer.member(value.ref, "operator" + how)
            other = infer.view(member.path) if member is not None else None
            if member is None or other is None or not member.symbols:
                bases = self._outside_bases(infer, value, line)
                led = ((base, self._pointed_to(infer, view, base, how)) for base in bases)
                return next((found for base, found in led if found != (base,)), (value,))
            if how == "*" and all(other.symbols[i].params for i in member.symbols):
                return (value,)
            made = infer.call_member(view, value, "operator" + how) or (value,)
            if (
                how != "->"
                or depth > 3
                or self._result_levels(infer, Function((other.path, other.keys[member.symbols[0]])))
            ):
                return made
            return merge(*(self._pointed_to(infer, view, v, how, depth + 1) for v in made))  # its own `->` is applied
        return (value,)

    def evaluate(self, infer: Inference, view: View, e: tuple[Any, ...], index: int) -> Values:
        return infer.eval(view, e[1]) if e[0] == Op.CONSTANT else UNKNOWN

    def binary(self, infer: Inference, view: View, e: tuple[Any, ...]) -> Values | None:
        """Comparing numbers and pointers yields a truth."""
        if e[1] not in _COMPARING or any(isinstance(v, (Instance, TypeVariable)) for v in infer.eval(view, e[2])):
            return None
        return (Foreign("bool"),)

    def operator_member(self, operator: str) -> str:
        return "operator" + operator

    def instance_call(self) -> str:
        return "operator()"

    def missing_member(self, infer: Inference, value: Instance | ClassOf, name: str, line: Ancestry) -> Values:
        if isinstance(value, ClassOf):
            found = infer.symbol(value.ref)
            if found is not None and found[1].kind == "enum":
                return (Instance(value.ref),)
            if found is not None and found[1].name == name:
                return (value,)
            outside = self._outside_type(infer, found[0], line, name) if found is not None else UNKNOWN
            if outside:
                return outside
        if line.foreign and not line.open:
            known = self._inherited_outside(infer, value, name, line) if isinstance(value, Instance) else UNKNOWN
            return known or (Foreign(f"{line.foreign[0]}.{name}"),)
        return UNKNOWN

    def _inherited_outside(self, infer: Inference, value: Instance, name: str, line: Ancestry) -> Values:
        """A member of the template of the library that a class inherits from."""
        plain: Values = UNKNOWN
        for base in self._outside_bases(infer, value, line):
            known = self.foreign_member(infer, base, name)
            if known != (Foreign(f"{base.name}.{name}", base.args),):
                return known
            plain = plain or known
        return plain

    def _outside_bases(self, infer: Inference, value: Instance, line: Ancestry) -> Iterator[Foreign]:
        """The templates of the library that a class inherits from, with their arguments."""
        own = infer.env_of(value.ref, value.args)
        for owner, args in line.entries if line.foreign else ():
            found = infer.symbol(owner)
            env = own if owner == value.ref else infer.env_of(owner, tuple(infer.substitute(a, own) for a in args))
            for values, _ in self.bases(infer, found[0], found[1], owner) if found is not None else ():
                for base in values:
                    if isinstance(base, Foreign) and base.args:
                        yield base._replace(args=tuple(infer.substitute(a, env) for a in base.args))

    # --- receivers and bases

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        """Beside a class's own functions what a using declaration brings: `using Base::name;`."""
        symbols, bindings = super().members(infer, view, index, name)
        scope = view.symbols[index].scope
        if symbols and scope != NONE:
            bindings = tuple(b for b in view.named(scope, name) if b.kind == "using")
        return symbols, bindings

    def receiver_of(self, infer: Inference, view: View, index: int) -> Instance | None:
        symbol = view.symbols[index]
        if symbol.receiver != NONE:
            for value in infer.eval(view, symbol.receiver):
                if isinstance(value, ClassOf):
                    return Instance(value.ref)
            return None
        return super().receiver_of(infer, view, index)

    def relations(self, infer: Inference, view: View) -> list[Relation]:
        """Overrides, told by the file that has the definition."""
        out: list[Relation] = []
        for index, symbol in enumerate(view.symbols):
            if symbol.kind != "method" or symbol.name.startswith("~"):
                continue
            if symbol.flags & Flag.DECLARATION and self.canonical(infer, view.ref(index)) != (view.ref(index),):
                continue
            receiver = self.receiver_of(infer, view, index)
            if receiver is None:
                continue
            for owner, _ in infer.ancestry(receiver.ref).entries[1:]:
                member = infer.own_member(owner, symbol.name)
                if member is None or not member.symbols:
                    continue
                base = self._overridden(infer, member, symbol)
                out += [Relation("overrides", view.keys[index], ref, "exact") for ref in base]
                break
        return out

    def _overridden(self, infer: Inference, member: Member, symbol: Symbol) -> list[SymbolRef]:
        view = infer.view(member.path)
        if view is None:
            return []
        fitting = [
            i
            for i in member.symbols
            if view.symbols[i].flags & (Flag.VIRTUAL | Flag.OVERRIDE)
            and len(view.symbols[i].params) == len(symbol.params)
        ]
        if len(fitting) > 1:
            shape = _shape(symbol, None)
            fitting = [i for i in fitting if len(view.symbols[i].params) == len(shape)]
        return [r for i in fitting for r in self.canonical(infer, view.ref(i))]

    # --- calls

    def bind_values(self, infer: Inference, view: View, site: Site, values: Values) -> list[SymbolRef] | None:
        """All overloads that a name stands for compete; the best one's definition is meant."""
        functions = [v for v in values if isinstance(v, Function)]
        if site.kind == Use.NEW and not any(isinstance(v, ClassOf) for v in values):
            made = self._initialised(infer, view, site, values)
            if made is not None or any(isinstance(v, Instance) for v in values):
                return made or []
        if site.expr != NONE and view.exprs[site.expr][0] in (Op.BINARY, Op.DEREF):
            return self._operator(infer, view, site)
        if not functions or len(functions) < len(values):
            return None
        refs = self._by_constness(infer, view, site.expr, list(dict.fromkeys(f.ref for f in functions)))
        return self._best(infer, view, refs, self._arguments(view, site))

    def _by_constness(self, infer: Inference, view: View, callee: int, refs: list[SymbolRef]) -> list[SymbolRef]:
        """Of methods that a const receiver can take and those it can't: the former for one, else the latter first."""
        if len(refs) < 2 or callee == NONE:
            return refs
        constant: list[SymbolRef] = []
        plain: list[SymbolRef] = []
        for ref in refs:
            found = infer.symbol(ref)
            if found is None or found[1].kind != "method" or found[1].flags & Flag.STATIC:
                return refs
            (constant if _is_const(found[1]) else plain).append(ref)
        if not constant or not plain:
            return refs
        e = view.exprs[callee]
        while e[0] == Op.INDEX:
            e = view.exprs[e[1]]
        if e[0] in (Op.ATTR, Op.DEREF, Op.BINARY):
            fixed = self._constant(infer, view, e[2] if e[0] == Op.BINARY else e[1])
        else:
            fixed = e[0] == Op.NAME and self._in_const_method(view, e[2])
        return constant if fixed else [*plain, *constant]

    def _one_a_shape(self, infer: Inference, refs: list[SymbolRef]) -> list[SymbolRef]:
        """The first of those that differ in nothing but `const`."""
        first: dict[tuple[str, ...], SymbolRef] = {}
        for ref in refs:
            found = infer.symbol(ref)
            first.setdefault(_shape(found[1], found[0])[:-1] if found is not None else (str(ref),), ref)
        return list(first.values())

    def _in_const_method(self, view: View, scope: int) -> bool:
        owner = view.enclosing_symbol(scope, CALLABLE_KINDS)
        return owner != NONE and _is_const(view.symbols[owner])

    def _constant(self, infer: Inference, view: View, index: int, depth: int = 0) -> bool:
        """May what an expression yields (or points to) not be changed?"""
        if index == NONE or depth > 12:
            return False
        e = view.exprs[index]
        op = e[0]
        if op == Op.CONSTANT:
            return True
        if op == Op.DEREF and any(isinstance(v, Foreign) and v.name in SMART for v in infer.eval(view, e[1])):
            return False
        if op in (Op.POINTER, Op.DEREF):
            return self._constant(infer, view, e[1], depth + 1)
        if op == Op.THIS:
            return self._in_const_method(view, e[1])
        if op == Op.CAST:
            return _is_constant_type(view, e[1])
        if op == Op.CALL:
            found = [infer.symbol(v.ref) for v in infer.eval(view, e[1]) if isinstance(v, Function)]
            return bool(found) and all(f is not None and _is_constant_type(f[0], f[1].returns) for f in found)
        if op == Op.NAME:
            bindings = infer.lookup(view, e[2], e[1], e[3])
            if bindings:
                return all(
                    _is_constant_type(view, b.type)
                    if b.type != NONE
                    else b.value != NONE and view.exprs[b.value][0] == Op.CONSTANT
                    for b in bindings
                )
            return self._constant_field(infer, infer.this(view, e[2]), e[1], self._in_const_method(view, e[2]))
        if op == Op.ATTR:
            fixed = self._constant(infer, view, e[1], depth + 1)
            return self._constant_field(infer, infer.eval(view, e[1]), e[2], fixed)
        return False

    def _constant_field(self, infer: Inference, owners: Values, name: str, fixed: bool) -> bool:
        """Is a field const: by its own type, or because it is a part (and no pointer) of something const?"""
        field = self._field_named(infer, owners, name)
        if field is None:
            return False
        view, bindings = field
        type_ = bindings[0].type
        return _is_constant_type(view, type_) or (fixed and self._type_levels(view, type_) == 0)

    def _field_named(self, infer: Inference, owners: Values, name: str) -> tuple[View, tuple[Binding, ...]] | None:
        """The field of a name that the first of some values has, as its class declares it."""
        for owner in owners:
            member = infer.member(owner.ref, name)[0] if isinstance(owner, (Instance, ClassOf)) else None
            view = infer.view(member.path) if member is not None else None
            if member is not None and view is not None and member.bindings:
                return view, member.bindings
        return None

    def _initialised(self, infer: Inference, view: View, site: Site, values: Values) -> list[SymbolRef] | None:
        """A member that a constructor initialises: its type's constructor, unless it is a pointer; None for no member."""
        owner = view.symbols[site.caller] if site.caller != NONE else None
        receiver = self.receiver_of(infer, view, site.caller) if owner is not None else None
        member = infer.member(receiver.ref, site.name)[0] if receiver is not None else None
        other = infer.view(member.path) if member is not None else None
        if member is None or other is None or not member.bindings:
            return None
        type_ = _bare(other, member.bindings[0].type)
        if type_ == NONE or other.exprs[type_][0] not in (Op.NAME, Op.ATTR, Op.INDEX):
            return []
        made = [self.construct(infer, ClassOf(v.ref, v.args), view, site) for v in values if isinstance(v, Instance)]
        return [r for refs in made for r in refs or ()]

    def evidence(self, view: View, index: int, values: Values) -> str:
        """A member that is called by its bare name goes through `this`: a receiver's type, and it may be overridden."""
        members = any(isinstance(v, Function) and any(isinstance(b, Instance) for b in v.bound) for v in values)
        return "type" if members and view.exprs[index][0] == Op.NAME else ""

    def pick(self, infer: Inference, view: View, candidates: list[int], site_args: int, mode: str) -> list[int]:
        return [] if mode == Use.WRITE else candidates  # `: Base(x)` looks like a field, and functions are not assigned

    def bind_call(self, infer: Inference, target: View, index: int, view: View, site: Site) -> list[SymbolRef] | None:
        return self._best(infer, view, [target.ref(index)], None)

    def _arguments(self, view: View, site: Site) -> tuple[int, ...] | None:
        return tuple(view.exprs[site.call][2:]) if site.call != NONE else None

    def _best(
        self, infer: Inference, view: View, refs: list[SymbolRef], arguments: tuple[int, ...] | None
    ) -> list[SymbolRef]:
        refs = list(dict.fromkeys(refs))
        if len(refs) > 1 and arguments is not None:
            given = [self._given(infer, view, a) for a in arguments]
            levels = [self._levels(infer, view, a) for a in arguments]
            scored = [(self._score(infer, r, given, levels), r) for r in refs]
            fitting = [(s, r) for s, r in scored if s is not None]
            if fitting:
                top = max(s for s, _ in fitting)
                refs = [r for s, r in fitting if s == top]
                if len(refs) > 1:
                    refs = self._by_category(infer, view, refs, arguments)
                refs = self._one_of(infer, refs)
            elif given:
                return []
        return list(dict.fromkeys(c for r in refs for c in self.canonical(infer, r)))

    def _by_category(
        self, infer: Inference, view: View, refs: list[SymbolRef], arguments: tuple[int, ...]
    ) -> list[SymbolRef]:
        """Of overloads that fit alike, those whose references suit best what is a variable and what a temporary value."""
        found = [infer.symbol(r) for r in refs]
        ways = [passing(f[1]) if f is not None else () for f in found]
        differ = [place for place in range(len(arguments)) if len({w[place : place + 1] for w in ways}) > 1]
        categories = {place: self._category(infer, view, arguments[place]) for place in differ}
        known = {place: category for place, category in categories.items() if category}
        scored: list[tuple[int, SymbolRef]] = []
        for ref, f, way in zip(refs, found, ways, strict=True):
            if f is None or any(place >= len(way) or place >= len(f[1].params) for place in known):
                return refs
            fits = [suits(way[p], known[p], self._deduced(infer, f[0], f[1].params[p].type)) for p in known]
            if all(fits):
                scored.append((sum(fits), ref))
        top = max((score for score, _ in scored), default=0)
        return [r for score, r in scored if score == top] or refs

    def _deduced(self, infer: Inference, view: View, type_: int) -> bool:
        values = infer.type_of(view, type_) if type_ != NONE else UNKNOWN
        return any(isinstance(v, TypeVariable) for v in values)

    def _category(self, infer: Inference, view: View, index: int) -> str:
        """Is an argument something that has a name, or a value that nobody else sees?  Empty where it is not known."""
        if index == NONE:
            return ""
        e = view.exprs[index]
        op = e[0]
        if op == Op.CALL:
            return self._result_category(infer, view, index)
        if op == Op.NAME:
            bindings = infer.lookup(view, e[2], e[1], e[3])
            if bindings:
                named = all(b.kind in _VARIABLES for b in bindings)
            else:
                named = self._field_named(infer, infer.this(view, e[2]), e[1]) is not None
        elif op == Op.ATTR:
            named = self._field_named(infer, infer.eval(view, e[1]), e[2]) is not None
        elif op == Op.DEREF:
            named = e[2] == "*"
        else:
            temporary = op in (Op.POINTER, Op.NEW, Op.THIS) or (op in (Op.LITERAL, Op.CONST) and is_number(e[1]))
            return RVALUE if temporary else ""
        if not named:
            return ""
        return CONST_LVALUE if self._constant(infer, view, index) else LVALUE

    def _result_category(self, infer: Inference, view: View, index: int) -> str:
        callees = infer.eval(view, view.exprs[index][1])
        categories: set[str] = set()
        for callee in callees:
            found = infer.symbol(callee.ref) if isinstance(callee, Function) else None
            if isinstance(callee, ClassOf) or (isinstance(callee, Foreign) and callee.name == "std.move"):
                categories.add(RVALUE)
            elif found is None or found[1].returns == NONE:
                return ""
            elif handed_out(found[1]) == "&":
                categories.add(CONST_LVALUE if self._constant(infer, view, index) else LVALUE)
            else:
                categories.add(RVALUE)
        return categories.pop() if len(categories) == 1 else ""

    def _given(self, infer: Inference, view: View, index: int) -> Values:
        """What an argument is; the address of a number is a pointer to one."""
        values = infer.eval(view, index)
        if index == NONE or view.exprs[index][0] != Op.POINTER:
            return values
        return tuple(Foreign(v.name + "*") if isinstance(v, Foreign) and is_number(v.name) else v for v in values)

    def _one_of(self, infer: Inference, refs: list[SymbolRef]) -> list[SymbolRef]:
        """Of overloads that fit alike, the first one (and what declares or defines the very same one)."""
        if len(refs) < 2:
            return refs
        first = infer.symbol(refs[0])
        if first is None:
            return refs
        shape = _shape(first[1], first[0])
        out = [refs[0]]
        for ref in refs[1:]:
            other = infer.symbol(ref)
            if other is None or other[1].qual != first[1].qual or _shape(other[1], other[0]) != shape:
                continue
            if passing(other[1]) == passing(first[1]):
                out.append(ref)
        if any(infer.symbol(r)[1].flags & Flag.DECLARATION for r in out):  # type: ignore[index]
            return out
        return out[:1] if all(r[0] == refs[0][0] for r in out) else out

    def _score(
        self, infer: Inference, ref: SymbolRef, given: list[Values], levels: list[int] | None = None
    ) -> int | None:
        """How well arguments fit a function's parameters; None where they cannot.

        `levels`: how many pointers are around each argument, as far as that is known.
        """
        found = infer.symbol(ref)
        if found is None:
            return None
        view, symbol, _ = found
        params = [p for p in symbol.params if p.kind != "self"]
        variadic = any(p.kind == "*" for p in params)
        needed = sum(1 for p in params if p.default == NONE and p.kind != "*")
        if len(given) < needed or (len(given) > len(params) and not variadic):
            return None if not (symbol.receiver != NONE and len(given) <= len(params)) else -2
        total = 0
        deduced: dict[Value, Values] = {}
        for place, (param, values) in enumerate(zip(params, given, strict=False)):
            if param.type == NONE or not values:
                continue
            declared = infer.type_of(view, param.type)
            fit = self._fit(infer, declared, values)
            total += 2 if fit == _DEDUCED and symbol.flags & Flag.CONSTRAINED else fit
            if len(declared) == 1 and isinstance(declared[0], TypeVariable):
                if not _alike(deduced.setdefault(declared[0], values), values):
                    return None  # it would have to be two types
            elif levels and any(isinstance(v, Instance) for v in declared):
                total -= levels[place] != self._type_levels(view, param.type)
        return total - (1 if symbol.receiver != NONE else 0)

    def _fit(self, infer: Inference, declared: Values, given: Values) -> int:
        if not declared:
            return 0
        return max(self._fits(infer, d, g) for d in declared for g in given)

    def _fits(self, infer: Inference, declared: Value, given: Value) -> int:
        """8: the same type; 7: a template's parameter; 6: a base, or a number promoted; 4: a number or text converted;
        2: converted by a constructor; 0: not known; below: it does not fit.
        """
        if isinstance(declared, TypeVariable) or isinstance(given, TypeVariable):
            return 2 if isinstance(given, TypeVariable) else 7
        if isinstance(declared, Instance) and isinstance(given, Instance):
            if declared.ref == given.ref:
                return 8
            if any(r == declared.ref for r, _ in infer.ancestry(given.ref).entries):
                return 6
            return 2 if self._converts(infer, declared.ref, given) else -8
        if isinstance(declared, Foreign) and isinstance(given, Foreign):
            return _fits_outside(declared.name, given.name)
        if isinstance(declared, Instance) and isinstance(given, Foreign):
            plain = is_number(given.name) or is_text(given.name)
            return 0 if not plain else 2 if self._converts(infer, declared.ref, given) else -2
        if isinstance(declared, Foreign) and isinstance(given, Instance):
            found = infer.symbol(given.ref) if is_number(declared.name) else None
            if found is not None and found[1].kind == "enum":
                return 4
            return -8 if is_number(declared.name) or is_text(declared.name) else -2
        return 0

    def _converts(self, infer: Inference, ref: SymbolRef, given: Instance | Foreign) -> bool:
        """Has a class a constructor that makes it of such a value, without another conversion in between?"""
        return infer.query(("cv", ref, given), ref[0], lambda: self._converting(infer, ref, given), False)

    def _converting(self, infer: Inference, ref: SymbolRef, given: Instance | Foreign) -> bool:
        found = infer.symbol(ref)
        member = infer.own_member(ref, found[1].name) if found is not None else None
        view = infer.view(member.path) if member is not None else None
        for constructor in [view.symbols[i] for i in member.symbols] if member is not None and view is not None else ():
            if view is None or not constructor.params or any(p.default == NONE for p in constructor.params[1:]):
                continue
            for declared in infer.type_of(view, constructor.params[0].type):
                if (
                    isinstance(declared, Foreign)
                    and isinstance(given, Foreign)
                    and self._fits(infer, declared, given) > 2
                ):
                    return True
                if isinstance(declared, Instance) and isinstance(given, Instance) and declared.ref == given.ref != ref:
                    return True
        return False

    def _operator(self, infer: Inference, view: View, site: Site) -> list[SymbolRef]:
        """The function behind an infix or subscript operator; none for built-in ones."""
        e = view.exprs[site.expr]
        operands: tuple[int, ...] = (e[1],) if e[0] == Op.DEREF else (e[2], e[3])
        values = infer.eval(view, operands[0])
        if any(isinstance(v, Instance) for v in values) and self._levels(infer, view, operands[0]) > 0:
            return []
        for value in values:
            if isinstance(value, Instance):
                member, _ = infer.member(value.ref, site.name)
                other = infer.view(member.path) if member is not None else None
                if member is not None and other is not None and member.symbols:
                    refs = self._by_constness(infer, view, site.expr, [other.ref(i) for i in member.symbols])
                    if e[0] == Op.DEREF:
                        return self._best(infer, view, self._one_a_shape(infer, refs), None)
                    return self._best(infer, view, refs, operands[1:])
        if e[0] == Op.DEREF:
            return []
        right = infer.eval(view, operands[1])
        if any(isinstance(v, Instance) for v in right) and self._levels(infer, view, operands[1]) > 0:
            return []
        if not any(isinstance(v, Instance) for v in (*values, *right)):
            return []
        refs = self._free_operators(infer, view, site.name, (*values, *right))
        good = [r for r in refs if (self._score(infer, r, [values, right]) or 0) > 4]
        return self._best(infer, view, good, operands) if good else []

    def _levels(self, infer: Inference, view: View, index: int, depth: int = 0) -> int:
        """How many pointers are around what an expression yields (values do not tell)."""
        if index == NONE or depth > 12:
            return 0
        e = view.exprs[index]
        op = e[0]
        if op == Op.POINTER:
            return 1 + self._levels(infer, view, e[1], depth + 1)
        if op == Op.CONSTANT:
            return self._levels(infer, view, e[1], depth + 1)
        if op in (Op.NEW, Op.THIS):
            return 1
        if op == Op.DEREF:
            return max(0, self._levels(infer, view, e[1], depth + 1) - 1)
        if op == Op.CAST:
            return self._type_levels(view, e[1])
        if op == Op.UNION:
            return max((self._levels(infer, view, i, depth + 1) for i in e[1:]), default=0)
        if op == Op.CALL:
            return max((self._result_levels(infer, v) for v in infer.eval(view, e[1])), default=0)
        if op == Op.NAME:
            bindings = infer.lookup(view, e[2], e[1], e[3]) or []
            if not bindings:
                receiver = infer.this(view, e[2])
                return self._field_levels(infer, receiver, e[1], depth)
            return max(self._binding_levels(infer, view, b, depth) for b in bindings)
        if op == Op.ATTR:
            return self._field_levels(infer, infer.eval(view, e[1]), e[2], depth)
        return 0

    def _result_levels(self, infer: Inference, callee: Value) -> int:
        """How many pointers are around what a call yields."""
        found = infer.symbol(callee.ref) if isinstance(callee, Function) else None
        if found is not None:
            return self._type_levels(found[0], found[1].returns)
        return 1 if isinstance(callee, Foreign) and callee.name in HANDS_OUT_POINTER else 0

    def _binding_levels(self, infer: Inference, view: View, b: Binding, depth: int) -> int:
        return self._type_levels(view, b.type) if b.type != NONE else self._levels(infer, view, b.value, depth + 1)

    def _field_levels(self, infer: Inference, owners: Values, name: str, depth: int) -> int:
        field = self._field_named(infer, owners, name)
        return max(self._binding_levels(infer, field[0], b, depth) for b in field[1]) if field is not None else 0

    def _type_levels(self, view: View, index: int) -> int:
        levels = 0
        while index != NONE:
            op, *operands = view.exprs[index]
            if op != Op.POINTER:
                break
            levels += 1
            index = operands[0]
        return levels

    def _free_operators(self, infer: Inference, view: View, name: str, operands: Values) -> list[SymbolRef]:
        spaces = {""}
        for value in operands:
            if isinstance(value, Instance):
                found = infer.symbol(value.ref)
                if found is not None:
                    spaces |= set(_spaces(found[1].qual))
        found_values = merge(*(self._in_namespace(infer, view, s, name) for s in sorted(spaces)))
        return [v.ref for v in found_values if isinstance(v, Function)]

    def construct(self, infer: Inference, value: ClassOf, view: View, site: Site) -> list[SymbolRef] | None:
        found = infer.symbol(value.ref)
        if found is None:
            return []
        owner, symbol, _ = found
        member = infer.own_member(value.ref, symbol.name)
        if member is None or not member.symbols:
            return []  # no function of the repository is called
        arguments = self._arguments(view, site) or ()
        given = [infer.eval(view, a) for a in arguments]
        if len(given) == 1 and any(isinstance(v, Instance) and v.ref == value.ref for v in given[0]):
            copies = [i for i in member.symbols if self._copies(infer, owner, i, value.ref)]
            if not copies:
                return []
            refs = self._by_category(infer, view, [owner.ref(i) for i in copies], arguments)
            return self._best(infer, view, refs[:1], None)
        return self._best(infer, view, [owner.ref(i) for i in member.symbols], arguments)

    def _copies(self, infer: Inference, view: View, index: int, ref: SymbolRef) -> bool:
        params = view.symbols[index].params
        if len(params) != 1:
            return False
        return any(isinstance(v, Instance) and v.ref == ref for v in infer.type_of(view, params[0].type))

    # --- declarations and definitions

    def _definitions(self, infer: Inference, view: View, symbol: Symbol, ref: SymbolRef) -> tuple[SymbolRef, ...]:
        if symbol.flags & Flag.ABSTRACT:
            return (ref,)
        infer.note_key(name_key(FAMILY, symbol.name))
        layout = self.layout(infer)
        own = [view.ref(i) for i in view.by_qual[symbol.qual] if self._defines(view, i, symbol)]
        same = self._same_signature(infer, own, symbol, view, True)
        if same:
            return tuple(same)
        found: list[SymbolRef] = []
        others: list[SymbolRef] = []
        if not (symbol.kind == "function" and symbol.flags & Flag.STATIC):
            for path, index in infer.project.named(FAMILY, symbol.name):
                other = infer.view(path) if path != view.path else None
                if other is None or not self._may_define(infer, path, index, symbol, other):
                    continue
                infer.note_key(_CLOSURE_KEY + path)
                (found if view.path in layout.closure(path) else others).append(other.ref(index))
        for exact in (True, False):  # another overload of as many parameters only where nothing fits
            for group in (own, found, others):
                same = self._same_signature(infer, group, symbol, view, exact)
                if same:
                    return self._nearest(view, same)
        return (ref,)

    def _nearest(self, view: View, found: list[SymbolRef]) -> tuple[SymbolRef, ...]:
        return tuple(sorted(found, key=lambda r: (_distance(view.path, r[0]), r[1]))[:8])

    def _may_define(self, infer: Inference, path: str, index: int, symbol: Symbol, other: View) -> bool:
        entry = infer.project.summaries[path].entries[index]
        if entry.flags & Flag.DECLARATION or entry.kind not in _METHOD_KINDS:
            return False
        if entry.kind == "function" and entry.flags & Flag.STATIC:
            return False
        if entry.qual != symbol.qual and not ("." in entry.qual and symbol.qual.endswith("." + entry.qual)):
            return False
        return self._defines(other, index, symbol)

    def _same_signature(
        self, infer: Inference, found: list[SymbolRef], symbol: Symbol, view: View, exact: bool
    ) -> list[SymbolRef]:
        if not found:
            return []
        wanted = _shape(symbol, view)
        shapes = []
        for ref in found:
            other = infer.symbol(ref)
            shapes.append(_shape(other[1], other[0]) if other is not None else ())
        same = [r for r, s in zip(found, shapes, strict=True) if (s == wanted if exact else len(s) == len(wanted))]
        if len(same) < 2:
            return same
        how = passing(symbol)
        alike = [r for r in same if (other := infer.symbol(r)) is not None and passing(other[1]) == how]
        return alike or same

    def _defines(self, view: View, index: int, symbol: Symbol) -> bool:
        other = view.symbols[index]
        inside = other.parent != NONE and view.symbols[other.parent].kind in TYPE_KINDS
        return other.kind in _METHOD_KINDS and not inside and not other.flags & Flag.DECLARATION


def _seen(group: list[Binding] | None, head: bool) -> list[Binding] | None:
    """The bindings of a name that count where it stands: in front of `::` no variables."""
    return [b for b in group if b.kind not in ("param", "block")] if group and head else group


def _space(package: Package) -> str:
    return package.name.partition(_MARK)[2]


def _spaces(qual: str) -> list[str]:
    """The name spaces around a qualified name, innermost first, without the global one."""
    out = []
    while "." in qual:
        qual = qual.rpartition(".")[0]
        out.append(qual)
    return out


def _scopes_of(view: View, space: str) -> list[int]:
    """The scopes of a file that are parts of a namespace."""
    if not space:
        return [0]
    return [view.symbols[i].scope for i in view.by_qual.get(space, ()) if view.symbols[i].kind == "namespace"]


def _alike(one: Values, other: Values) -> bool:
    """May two values be of one type?"""
    if len(one) != 1 or len(other) != 1:
        return True
    a, b = one[0], other[0]
    if isinstance(a, Instance) and isinstance(b, Instance):
        return a.ref == b.ref
    if isinstance(a, Foreign) and isinstance(b, Foreign):
        return a.name == b.name or not (is_number(a.name) and is_number(b.name))
    numbers = [v for v in (a, b) if isinstance(v, Foreign) and is_number(v.name)]
    return not (numbers and any(isinstance(v, Instance) for v in (a, b)))


_DEDUCED = 7  # of a template's parameter, see `_fits`


def _fits_outside(declared: str, given: str) -> int:
    """How well a value of one type from outside fits another one, see `CppRules._fits`."""
    if declared == given:
        return 8
    if declared == "va_list":
        return -8
    if declared.endswith("*") and given.endswith("*"):
        return 4 if declared == "void*" else -8
    numbers, texts = is_number(declared), is_text(declared)
    if numbers and is_number(given):
        return 6 if is_promoted(declared, given) else 4
    if texts and is_text(given):
        return 4
    if ((numbers or texts) and (is_number(given) or is_text(given))) or (texts and is_library_class(given)):
        return -8
    if given in DERIVED.get(declared, ()):
        return 6
    return -2 if declared.startswith("std.") and (is_number(given) or is_text(given)) else 0


def _shape(symbol: Symbol, view: View | None) -> tuple[str, ...]:
    """Parameter types by their last names, `const` methods apart."""
    if view is None:
        return tuple("" for _ in symbol.params)
    return (*(_last_name(view, p.type) for p in symbol.params), "const" if _is_const(symbol) else "")


def _is_const(symbol: Symbol) -> bool:
    """Is it a method that leaves its receiver as it is?"""
    return symbol.signature.rpartition(")")[2].lstrip().startswith("const")


def _is_constant_type(view: View, index: int) -> bool:
    while index != NONE and view.exprs[index][0] == Op.POINTER:
        index = view.exprs[index][1]
    return index != NONE and view.exprs[index][0] == Op.CONSTANT


def _bare(view: View, index: int) -> int:
    """A type without its `const`."""
    return int(view.exprs[index][1]) if index != NONE and view.exprs[index][0] == Op.CONSTANT else index


def _last_name(view: View, index: int) -> str:
    if index == NONE:
        return ""
    e = view.exprs[index]
    if e[0] == Op.ATTR:
        return str(e[2])
    if e[0] in (Op.INDEX, Op.CONSTANT):
        return _last_name(view, e[1])
    if e[0] in (Op.NAME, Op.LITERAL):
        return str(e[1])
    return str(e[0])
