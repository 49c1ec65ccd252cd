"""Facts of one file, seen in the light of the others → its edges."""

from __future__ import annotations

from typing import Any

from nav_ls.graph.infer import NO_LIMIT, Inference
from nav_ls.graph.library import LIBRARY, library_name
from nav_ls.graph.model import Edge, FactSource, Links, Relation, SymbolRef, Unresolved
from nav_ls.graph.project import Project, key_of
from nav_ls.graph.values import ClassOf, Foreign, Function, Instance, Module, Package, Record, Value, Values
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, Binding, Flag, Op, Site, Use

_CALLS = frozenset({Use.CALL, Use.NEW, Use.JSX})
_LOOKUPS = 20_000
"""For one site.  In 4,000 files of six languages none took more than 1,200: one that takes more goes in a circle."""
_OPEN_SCOPES = frozenset({"module", "namespace", "class"})
_EDGE_KINDS = {
    Use.VALUE: "references",
    Use.READ: "reads",
    Use.WRITE: "writes",
    Use.DELETE: "writes",
    Use.TYPE: "types",
    Use.DECORATOR: "decorates",
    Use.IMPORT: "imports",
}


class Linker:
    """Links files against each other.  Pure in the facts: the same files yield the same links, in any order."""

    def __init__(self, source: FactSource):
        self.project = Project(source)
        self.infer = Inference(self.project)

    def update(self, path: str) -> set[str]:
        """The source has other facts of a file, or none.  Returns the keys that changed: who looked one up must be relinked."""
        changed = self.project.update(path)
        self.infer.forget()
        return changed

    def update_manifest(self, path: str) -> set[str]:
        """A manifest was edited, appeared or vanished.  Returns the keys that changed, as `update` does."""
        changed = self.project.update_manifest(path)
        if changed:
            self.infer.forget()
        return changed

    def link(self, path: str) -> Links:
        """The links of an indexed file; empty where the path is not indexed."""
        self.project.let_go()
        view = self.project.view(path)
        if view is None:
            return Links()
        self.infer.start(path)
        return _FileLinker(self.infer, view).run()


class _FileLinker:
    def __init__(self, infer: Inference, view: View):
        self.infer = infer
        self.view = view
        self.rules = infer.rules(view)
        self.edges: list[Edge] = []
        self.unresolved: list[Unresolved] = []
        self.relations: list[Relation] = []
        self._known: dict[int, Values] = {}  # expression → what it stands for
        self._bound: dict[int, Values] = {}  # binding → what it gives its name
        self._fields: dict[tuple[Value, str], tuple[SymbolRef, ...]] = {}

    def run(self) -> Links:
        for site in self.view.facts.sites:
            self.infer.allow(_LOOKUPS)
            try:
                self._site(site)
            except RecursionError:  # a circle that we did not see: that costs this site, and not the file
                if site.kind in _CALLS and site.name:
                    self._possible(site)
        self.infer.allow(NO_LIMIT)
        self._relate_types()
        self._relate_imports()
        self._relate_declarations()
        own = key_of(self.view.path, "")  # an answer that is shared with other files may have named this one
        keys = frozenset(key for key in self.infer.all_keys() if not key.startswith(own))
        return Links(_unique(self.edges), tuple(self.unresolved), _unique(self.relations), keys)

    def _eval(self, index: int) -> Values:
        """As `Inference.eval`, once for each expression: the same object stands before the dots of many sites.

        Its keys are noted by then, and asked outside of any question the answer is always the same.
        """
        known = self._known.get(index)
        if known is None:
            e = self.view.exprs[index] if index != NONE else (Op.TEXT,)
            if e[0] == Op.ATTR:
                known = self.infer.attr(self.view, self._eval(e[1]), e[2])
            elif e[0] == Op.NAME and (binding := self._only_binding(e)) is not None:
                known = self._held(binding)
            else:
                known = self.infer.eval(self.view, index)
            self._known[index] = known
        return known

    def _only_binding(self, e: tuple[Any, ...]) -> Binding | None:
        """The binding that a name means, if it is one alone: what that holds is asked for once, however often it is named."""
        found = None if self.rules.resolves_names else self.infer.lookup(self.view, e[2], e[1], e[3])
        return found[0] if found is not None and len(found) == 1 else None

    def _held(self, binding: Binding) -> Values:
        key = id(binding)  # the view keeps them
        known = self._bound.get(key)
        if known is None:
            known = self._bound[key] = self.infer.binding(self.view, binding)
        return known

    # --- sites

    def _site(self, site: Site) -> None:
        if site.kind in _CALLS:
            self._call(site)
        elif site.kind == Use.IMPLICIT:
            self._implied(site, self._eval(site.expr), site.name)
        elif site.kind in (Use.READ, Use.WRITE, Use.DELETE, Use.VALUE) and self._is_member(site):
            self._member_use(site)
        else:
            self._mention(site)

    def _possible(self, site: Site) -> None:
        """A call of which nothing is known but the name."""
        why = "receiver" if self._is_member(site) else "name"
        self.unresolved.append(Unresolved(site.name, self._caller(site), site.start, site.end, why))

    def _caller(self, site: Site) -> str:
        return self.view.keys[site.caller] if site.caller != NONE else ""

    def _is_member(self, site: Site) -> bool:
        return site.expr != NONE and self.view.exprs[site.expr][0] == Op.ATTR

    def _call(self, site: Site) -> None:
        values = self._eval(site.expr)
        if site.call != NONE:
            values = self.rules.select(self.infer, self.view, values, self.view.exprs[site.call][2:])
        if not any(isinstance(v, Function) and v.bound for v in values) and self._is_member(site):
            self._called_accessor(site)
        bound = self.rules.bind_values(self.infer, self.view, site, values)
        targets = bound if bound is not None else [r for value in values for r in self.targets(value, site)]
        if targets:
            evidence = self._evidence_of_call(site, values)
            for ref in dict.fromkeys(targets):
                self._edge(self.rules.call_kind(self.infer, ref), evidence, site, ref)
            if self.rules.inherits_constructors:
                self._implied(site, tuple(v for v in values if isinstance(v, ClassOf)), "")
        elif bound is None:
            self._unbound_call(site, values)

    def _unbound_call(self, site: Site, values: Values) -> None:
        """A call that runs no known definition: of what a variable holds, a conversion, or of what nothing is known about."""
        named = self._variables(site)
        for ref in named:
            self._edge("invokes", self._evidence_of_call(site, values), site, ref)
        for ref in () if named else self._conversions(values):
            self._edge("types", self._evidence_of_call(site, values), site, ref)
        # A field that is only assigned may hold whatever has its name.
        declared = any(not self._is_minor(ref) for ref in named)
        if not declared and _names_nothing(values) and site.name and not self._is_local(site):
            self._possible(site)

    def _is_minor(self, ref: SymbolRef) -> bool:
        found = self.infer.symbol(ref)
        return found is not None and bool(found[1].flags & Flag.MINOR)

    def _conversions(self, values: Values) -> tuple[SymbolRef, ...]:
        """The types that `T(x)` names where it runs nothing: a conversion, or what makes a plain value."""
        return () if self.rules.types_are_called else tuple(v.ref for v in values if isinstance(v, ClassOf))

    def _implied(self, site: Site, values: Values, name: str) -> None:
        """What runs without being named: the members behind a construct, a constructor that is inherited (`name` "")."""
        for value in (v for v in values if isinstance(v, (Instance, ClassOf, Function))):
            for ref in self.rules.implied(self.infer, self.view, value, name):
                self._edge("implicit", "type", site, ref)

    def _called_accessor(self, site: Site) -> None:
        """`value.name(...)` where `name` is a property: its accessor runs, and what it yields is called."""
        e = self.view.exprs[site.expr]
        for value in self._eval(e[1]):
            if isinstance(value, Instance):
                self._member_edge(site, value, e[2], "", self._evidence(site.expr))

    def targets(self, value: Value, site: Site) -> list[SymbolRef]:
        """The definitions that calling a value runs."""
        infer = self.infer
        if isinstance(value, Function):
            return self._resolved(value.ref, site)
        if isinstance(value, ClassOf):
            return self._constructor(value, site) if self.rules.types_are_called else []
        if isinstance(value, Instance):
            name = self.rules.instance_call()
            found = infer.attr(self.view, (value,), name) if name else ()
            return [r for f in found if isinstance(f, Function) for r in self._resolved(f.ref, site)]
        return []

    def _resolved(self, ref: SymbolRef, site: Site) -> list[SymbolRef]:
        view = self.infer.view(ref[0])
        if view is None:
            return []
        index = view.index_of.get(ref[1])
        if index is None:
            return []
        rules = self.infer.rules(view)
        bound = rules.bind_call(self.infer, view, index, self.view, site)
        if bound is not None:
            return bound
        group = view.by_qual[view.symbols[index].qual]
        if len(group) > 1:
            picked = rules.pick(
                self.infer,
                view,
                [i for i in group if view.symbols[i].parent == view.symbols[index].parent],
                self._argument_count(site),
                site.kind,
            )
            if index not in picked:
                return [r for i in picked for r in rules.canonical(self.infer, view.ref(i))]
        return list(rules.canonical(self.infer, ref))

    def _argument_count(self, site: Site) -> int:
        return len(self.view.exprs[site.call]) - 2 if site.call != NONE else -1

    def _constructor(self, value: ClassOf, site: Site) -> list[SymbolRef]:
        infer = self.infer
        bound = self.rules.construct(infer, value, self.view, site)
        if bound is not None:
            return bound
        for name in self.rules.constructors():
            member = infer.own_member(value.ref, name)
            if member is not None and member.symbols:
                view = infer.view(member.path)
                if view is not None:
                    return self._resolved(view.ref(member.symbols[-1]), site)
        return list(self.rules.canonical(infer, value.ref))

    def _member_use(self, site: Site) -> None:
        """A member that is read, written or handed on: a property's accessor runs, anything else is a mention."""
        e = self.view.exprs[site.expr]
        kind = _EDGE_KINDS[site.kind]
        evidence = self._evidence(site.expr)
        if e[2].endswith("()"):
            self._reference(site, evidence)
            return
        if self.rules.own_names:
            named = self._eval(site.expr)
            if named and all(isinstance(v, Function) for v in named):
                self._reference(site, evidence)
                return
        for value in self.rules.unwrapped(self._eval(e[1])):
            if isinstance(value, Foreign) and value.name == "super" and value.args:
                for inner in value.args[0]:
                    self._member_edge(site, inner, e[2], kind, evidence, self.infer.super_start(value))
            elif isinstance(value, (Instance, ClassOf)):
                self._member_edge(site, value, e[2], kind, evidence)
            elif isinstance(value, Record):
                held = self.infer.attr(self.view, (value,), e[2])
                methods = tuple(v.ref for v in held if isinstance(v, Function))
                for ref in self.rules.record_variables(self.infer, value, e[2]) or methods:
                    self._edge(kind, evidence, site, ref)
            elif isinstance(value, (Module, Package)):
                found = self.infer.attr(self.view, (value,), e[2])
                defined = [v.ref for v in found if isinstance(v, (Function, ClassOf))]
                for ref in defined or self._module_variables(value, e[2]):
                    self._edge(kind, "exact", site, ref)

    def _reference(self, site: Site, evidence: str) -> None:
        """A method that is named and not called: which overload, the type says that is expected there."""
        values = self._eval(site.expr)
        for value in self.rules.selected(self.infer, self.view, values, site.call):
            for ref in self.targets(value, site):
                self._edge("references", evidence, site, ref)

    def _member_edge(
        self, site: Site, value: Value, name: str, kind: str, evidence: str, after: SymbolRef | None = None
    ) -> None:
        if not isinstance(value, (Instance, ClassOf)):
            return
        if self.rules.own_names and name == self.rules.index_member() and site.call != NONE:
            args = self.view.exprs[site.call][2:]
            for ref in self.rules.indexers(self.infer, self.view, value, args):
                self._edge("accesses", evidence, site, ref)
            return
        member, _ = self.infer.member(value.ref, self.rules.member_key(value, name), after)
        view = self.infer.view(member.path) if member is not None else None
        if member is None or view is None:
            return
        if not member.symbols:
            plain = after is None and not self.rules.own_names
            found = self._member_variables(value, name) if plain else self.infer.variables(view, member.bindings)
            for ref in found if kind else ():
                self._edge(kind, evidence, site, ref)
            return
        rules = self.infer.rules(view)
        for index in rules.pick(self.infer, view, list(member.symbols), -1, site.kind):
            symbol = view.symbols[index]
            runs = rules.access_calls(symbol, site.kind) and (
                isinstance(value, Instance) or bool(symbol.flags & Flag.STATIC)
            )
            for ref in rules.canonical(self.infer, view.ref(index)) if runs or kind else ():
                self._edge(rules.accessor_kind(site.kind) if runs else kind, evidence, site, ref)

    def _mention(self, site: Site) -> None:
        """A bare name in a value or type position, an import, a decorator."""
        if site.kind == Use.VALUE and self._is_local(site):
            return
        kind = _EDGE_KINDS.get(site.kind, "references")
        e = self.view.exprs[site.expr] if site.expr != NONE else (Op.TEXT,)
        if self.rules.own_names and e[0] == Op.NAME:
            for ref, symbol in self.rules.named_members(self.infer, self.view, e[2], e[1], e[3]):
                runs = self.rules.access_calls(symbol, site.kind)
                self._edge("accesses" if runs else kind, "exact", site, ref)
        values: Values = self._eval(site.expr)
        if self.rules.own_names:
            values = self.rules.selected(self.infer, self.view, values, site.call)
        defined = [value for value in values if isinstance(value, (Function, ClassOf))]
        for value in defined:
            for ref in (
                self._resolved(value.ref, site)
                if isinstance(value, Function)
                else self.rules.canonical(self.infer, value.ref)
            ):
                self._edge(kind, "exact", site, ref)
        for ref in () if defined else self._variables(site):
            self._edge(self._variable_kind(kind, ref), "exact", site, ref)

    def _variable_kind(self, kind: str, ref: SymbolRef) -> str:
        """What looks like a type may be a constant all the same."""
        found = self.infer.symbol(ref) if kind == "types" else None
        return "references" if found is not None and found[1].kind != "type" else kind

    def _variables(self, site: Site) -> tuple[SymbolRef, ...]:
        """The variables, constants and fields that an expression names; typed languages find theirs by themselves."""
        e = self.view.exprs[site.expr] if site.expr != NONE else (Op.TEXT,)
        if e[0] == Op.NAME:
            return self.rules.named_variables(self.infer, self.view, e[2], e[1], e[3])
        if e[0] != Op.ATTR:
            return self.rules.other_variables(self.infer, self.view, e)
        if self.rules.own_names:
            return ()
        return tuple(dict.fromkeys(ref for value in self._eval(e[1]) for ref in self._member_variables(value, e[2])))

    def _member_variables(self, value: Value, name: str) -> tuple[SymbolRef, ...]:
        if isinstance(value, Record):
            return self.rules.record_variables(self.infer, value, name)
        if not isinstance(value, (Instance, ClassOf)):
            return self._module_variables(value, name)
        key = (value, name)
        if key not in self._fields:
            self._fields[key] = self.rules.member_variables(self.infer, value, name)
        return self._fields[key]

    def _module_variables(self, value: Value, name: str) -> tuple[SymbolRef, ...]:
        if isinstance(value, Module):
            return self.infer.module_variables(value.path, name)
        return self.rules.package_variables(self.infer, value.name, name) if isinstance(value, Package) else ()

    def _is_local(self, site: Site) -> bool:
        """Is the name a parameter or a plain local (so that nothing of the repository is named here)?"""
        e = self.view.exprs[site.expr] if site.expr != NONE else ()
        if not e or e[0] != Op.NAME:
            return False
        found = self.infer.lookup(self.view, e[2], e[1], e[3])
        if not found:
            return False
        return all(
            b.kind not in ("def", "import", "using") and self.view.scopes[b.scope].kind not in _OPEN_SCOPES
            for b in found
        )

    def _evidence_of_call(self, site: Site, values: Values) -> str:
        return self.rules.evidence(self.view, site.expr, values) or self._evidence(site.expr)

    def _evidence(self, index: int) -> str:
        """`exact` where scope and imports alone lead to the callee, `type` where a receiver's type was inferred."""
        e = self.view.exprs[index] if index != NONE else ()
        while e and e[0] == Op.ATTR:
            if all(isinstance(v, (Module, Package, ClassOf)) for v in self._eval(e[1])):
                return "exact"
            return "type"
        return "exact" if e and e[0] in (Op.NAME, Op.SYMBOL) else "type"

    def _edge(self, kind: str, evidence: str, site: Site, callee: SymbolRef) -> None:
        if callee[0].startswith(LIBRARY):
            return
        self.edges.append(Edge(kind, evidence, self._caller(site), callee, site.start, site.end))

    # --- relations

    def _relate_types(self) -> None:
        for index, symbol in enumerate(self.view.symbols):
            if symbol.kind not in self.rules.type_kinds:
                continue
            ref = self.view.ref(index)
            for values, kind in self.rules.bases(self.infer, self.view, symbol, ref):
                if kind == "contains":
                    continue
                for value in values:
                    if isinstance(value, (ClassOf, Instance)) and value.ref[0].startswith(LIBRARY):
                        self.relations.append(Relation(kind, ref[1], ("", library_name(value.ref))))
                    elif isinstance(value, (ClassOf, Instance)):
                        self.relations.append(Relation(kind, ref[1], value.ref))
                    elif isinstance(value, Foreign) and value.name:
                        self.relations.append(Relation(kind, ref[1], ("", value.name)))
            if self.rules.nominal:
                self._relate_overrides(index)
        self.relations += self.rules.relations(self.infer, self.view)

    def _relate_overrides(self, index: int) -> None:
        line = self.infer.ancestry(self.view.ref(index)).entries[1:]
        if not line:
            return
        for child in self.view.children.get(index, ()):
            symbol = self.view.symbols[child]
            if symbol.kind not in CALLABLE_KINDS or symbol.name in self.rules.constructors():
                continue
            for owner, _ in line:
                if owner[0].startswith(LIBRARY):
                    continue
                member = self.infer.own_member(owner, self.rules.member_name(symbol))
                view = self.infer.view(member.path) if member is not None else None
                if member is None or view is None:
                    continue
                overridden = self.rules.overridden(self.infer, self.view, child, view, member.symbols)
                for other in overridden:
                    self.relations.append(Relation("overrides", self.view.keys[child], view.ref(other), "exact"))
                if overridden:
                    break

    def _relate_declarations(self) -> None:
        for index, symbol in enumerate(self.view.symbols):
            if symbol.flags & Flag.DECLARATION:
                for ref in self.rules.declares(self.infer, self.view, index):
                    self.relations.append(Relation("declares", self.view.keys[index], ref))

    def _relate_imports(self) -> None:
        for imp in self.view.facts.imports:
            for target in self.rules.import_targets(self.infer, self.view, imp):
                if target != (self.view.path, ""):
                    self.relations.append(Relation("imports", "", target))


def _names_nothing(values: Values) -> bool:
    """Is nothing known about what is called, or no more than that it is some function, with members or without?"""
    return all(
        isinstance(value, Record) or (isinstance(value, Foreign) and value.name == "function") for value in values
    )


def _unique(items: list) -> tuple:  # type: ignore[type-arg]
    return tuple(dict.fromkeys(items))
