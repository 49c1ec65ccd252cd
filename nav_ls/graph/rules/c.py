"""C: what includes make visible, and which definition a declaration stands for."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, cast

from nav_ls.graph.model import Summary, SymbolRef
from nav_ls.graph.project import name_key
from nav_ls.graph.rules.base import Layout, Rules
from nav_ls.graph.rules.c_library import LIBRARY_HEADERS, LIBRARY_NAMES
from nav_ls.graph.values import UNKNOWN, ClassOf, Foreign, Function, Instance, Value, Values, merge
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, TYPE_KINDS, Binding, Flag, Import, Site, Symbol

if TYPE_CHECKING:
    from nav_ls.graph.infer import Inference
    from nav_ls.graph.project import Project

FAMILY = "c"
_NAME_KEY = "cname\0"
_CLOSURE_KEY = "cclosure\0"
_WITH_BODY = CALLABLE_KINDS | TYPE_KINDS
_ENUMERATORS = frozenset({"enum_member"})
_MAX_DEFINITIONS = 8  # of one function, one per platform


class CLayout(Layout):
    """Who includes whom, and which file offers which name at its top level.

    Kept up to date by `changed`; thrown away only when files come or go.
    """

    def __init__(self, project: Project):
        super().__init__(project)
        self._files: dict[str, list[str]] = {}
        self._specs: dict[str, tuple[str, ...]] = {}
        self._names: dict[str, set[str]] = {}
        self._closures: dict[str, dict[str, int]] = {}
        self._resolved: dict[tuple[str, str], str | None] = {}
        self._includers: dict[str, set[str]] = {}
        self._spaces: dict[str, set[str]] = {}
        self._inline_spaces: dict[str, set[str]] = {}
        self._opens: dict[str, dict[str, str]] = {}
        self._opened: dict[str, tuple[str, ...]] = {}
        for path in sorted(project.paths_of(FAMILY)):
            self._files.setdefault(path.rpartition("/")[2], []).append(path)
        for path in sorted(project.paths_of(FAMILY)):
            self._add(path, project.summaries[path])

    def _add(self, path: str, summary: Summary) -> None:
        for qual in summary.offers:
            if not qual.endswith("()") and qual != "*":
                self._names.setdefault(qual, set()).add(path)
        for entry in summary.entries:
            if entry.kind == "namespace":
                self._spaces.setdefault(entry.qual, set()).add(path)
        for qual in summary.extra.get("inline", "").split():
            self._inline_spaces.setdefault(qual, set()).add(path)
        for pair in summary.extra.get("opens", "").split():
            macro, _, space = pair.partition("=")
            self._opens.setdefault(macro, {})[path] = space
        if "opened" in summary.extra:
            self._opened[path] = tuple(summary.extra["opened"].split())
        specs = tuple(s for s in summary.extra.get("includes", "").split("\n") if s)
        self._specs[path] = specs
        for spec in specs:
            found = self.resolve(path, spec)
            if found is not None:
                self._includers.setdefault(found, set()).add(path)

    def _remove(self, path: str, summary: Summary) -> None:
        for qual in summary.offers:
            group = self._names.get(qual)
            if group is not None:
                group.discard(path)
        self._opened.pop(path, None)
        for opens in self._opens.values():
            opens.pop(path, None)
        for spaces in (*self._spaces.values(), *self._inline_spaces.values()):
            spaces.discard(path)
        for spec in self._specs.pop(path, ()):
            found = self._resolved.pop((path, spec), None)
            if found is not None:
                self._includers.get(found, set()).discard(path)

    # --- reading

    def offering(self, qual: str) -> set[str]:
        """The files that offer a name at their top level (or as a qualified name)."""
        return self._names.get(qual, set())

    def is_namespace(self, qual: str, closure: Container[str] | None = None) -> bool:
        """Does a file (of `closure`, if that is given) open a namespace of that name?"""
        opened = self._spaces.get(qual, ())
        known = any(p in closure for p in opened) if closure is not None else bool(opened)
        return known or any(qual in opens.values() for opens in self._opens.values())

    def inline_spaces(self, space: str) -> list[str]:
        """The inline namespaces of a namespace: their names are its own."""
        return sorted(q for q in self._inline_spaces if q.rpartition(".")[0] == space and self._inline_spaces[q])

    def opened_by_macro(self, path: str) -> set[str]:
        """The namespaces that a file's declarations are in because a macro opens them."""
        return {s for macro in self._opened.get(path, ()) for s in self._opens.get(macro, {}).values()}

    def resolve(self, importer: str, spec: str) -> str | None:
        """The file that `"x.h` or `<x.h` names, as seen from a file."""
        key = (importer, spec)
        if key not in self._resolved:
            self._resolved[key] = self._find(importer, spec[1:], spec[0] == "<")
        return self._resolved[key]

    def _find(self, importer: str, spec: str, system: bool) -> str | None:
        if system and spec in LIBRARY_HEADERS:
            return None
        candidates = self._files.get(spec.rpartition("/")[2], ())
        if not candidates:
            return None
        beside = _joined(importer.rpartition("/")[0], spec)
        if beside in candidates and not (system and beside == importer):
            return beside
        tail = "/" + "/".join(p for p in spec.split("/") if p not in (".", ".."))
        fitting = [c for c in candidates if ("/" + c).endswith(tail) and c != importer]
        return min(fitting, key=lambda c: _distance(importer, c)) if fitting else None

    def closure(self, path: str) -> dict[str, int]:
        """All files that a file sees through its includes, itself first, each with its place (nearest first)."""
        known = self._closures.get(path)
        if known is None:
            known = {path: 0}
            todo = [path]
            for current in todo:
                for spec in self._specs.get(current, ()):
                    found = self.resolve(current, spec)
                    if found is not None and found not in known:
                        known[found] = len(known)
                        todo.append(found)
            self._closures[path] = known
        return known

    def includes_outside(self, path: str) -> bool:
        """Does a file include something that is not in the repository?"""
        return any(self.resolve(path, spec) is None for spec in self._specs.get(path, ()))

    # --- writing

    def changed(self, path: str, before: Summary | None, after: Summary | None) -> set[str]:
        old, new = (before.offers if before else {}), (after.offers if after else {})
        keys = {_NAME_KEY + q for q in old.keys() | new.keys() if old.get(q) != new.get(q)}
        came_or_went = (before is None) != (after is None)
        includes = [s.extra.get("includes", "") for s in (before, after) if s is not None]
        spaces = [(s.extra.get("opens", ""), s.extra.get("opened", "")) for s in (before, after) if s is not None]
        if len(set(spaces)) > 1 or (came_or_went and spaces[0] != ("", "")):
            keys |= {_CLOSURE_KEY + p for p in self._specs}
        if came_or_went:
            touched = {path}
            filename = path.rpartition("/")[2]
            for other, specs in self._specs.items():
                if any(spec[1:].rpartition("/")[2] == filename for spec in specs):
                    touched.add(other)
            keys |= {_CLOSURE_KEY + p for p in self._above(touched)}
        elif len(set(includes)) > 1:
            keys |= {_CLOSURE_KEY + p for p in self._above({path})}
        if came_or_went or before is None or after is None:
            return keys
        self._remove(path, before)
        self._add(path, after)
        if len(set(includes)) > 1:
            self._closures.clear()
        return keys

    def _above(self, paths: set[str]) -> set[str]:
        """These files and all that include them, directly or not."""
        found = set(paths)
        todo = list(paths)
        while todo:
            for other in self._includers.get(todo.pop(), ()):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return found

    def stale(self, path: str, before: Summary | None, after: Summary | None) -> bool:
        return (before is None) != (after is None)


def _joined(folder: str, spec: str) -> str:
    parts = folder.split("/") if folder else []
    for part in spec.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part and part != ".":
            parts.append(part)
    return "/".join(parts)


def _distance(importer: str, path: str) -> tuple[int, int, str]:
    """Fewest steps between folders first; `include` folders before others."""
    here, there = importer.split("/")[:-1], path.split("/")[:-1]
    shared = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return (len(here) + len(there) - 2 * shared, len(there), path)


class CRules(Rules):
    """C's answers."""

    resolves_names = True
    flow_sensitive = True

    def layout(self, infer: Inference) -> CLayout:
        """The family's layout."""
        return cast(CLayout, infer.project.layout(FAMILY))

    # --- names

    def resolve_name(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> Values:
        found = infer.lookup(view, scope, name, pos)
        if found and found[0].scope != 0:
            return merge(*(infer.binding(view, b) for b in found))
        return self.visible(infer, view, name)

    def _own(self, view: View, group: list[Binding], name: str) -> list[Binding]:
        """Without what only stands in for a library function where a platform lacks it."""
        if name not in LIBRARY_NAMES:
            return group
        return [b for b in group if b.kind != "def" or not view.symbols[b.value].flags & Flag.PARTIAL]

    def _expanded(self, view: View, found: list[Binding]) -> list[Binding]:
        """A macro of the same name hides a function."""
        macros = (
            [b for b in found if b.kind == "def" and view.symbols[b.value].kind == "macro"] if len(found) > 1 else []
        )
        return macros or found

    def visible(self, infer: Inference, view: View, name: str) -> Values:
        """A name at file level: this file's, else what its includes offer, else the program's only one."""
        return infer.query(("g", view.path, name), view.path, lambda: self._visible(infer, view, name), UNKNOWN)

    def _visible(self, infer: Inference, view: View, name: str) -> Values:
        own = self.top_level(infer, view.path, name)
        if own:
            return own
        simple = name.rpartition(" ")[2]
        paths = self._offering(infer, view, simple)
        values = merge(*(self.top_level(infer, path, name) for path in paths)) if paths else UNKNOWN
        if values:
            return values
        if name in LIBRARY_NAMES:
            return (Foreign(name),)
        return self._program_wide(infer, view, name, simple)

    def _offering(self, infer: Inference, view: View, name: str) -> list[str]:
        """The files that a file includes which offer a name, the nearest first."""
        infer.note_key(_NAME_KEY + name)
        infer.note_key(_CLOSURE_KEY + view.path)
        layout = self.layout(infer)
        closure = layout.closure(view.path)
        return sorted((p for p in layout.offering(name) if p in closure and p != view.path), key=closure.__getitem__)

    def named_variables(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> tuple[SymbolRef, ...]:
        found = infer.lookup(view, scope, name, pos)
        if found and found[0].scope != 0:
            return ()
        return infer.query(("vc", view.path, name), view.path, lambda: self._visible_variables(infer, view, name), ())

    def _visible_variables(self, infer: Inference, view: View, name: str) -> tuple[SymbolRef, ...]:
        for path in (view.path, *self._offering(infer, view, name)):
            found = infer.top_level_variables(path, name) or self._constants(infer, path, name)
            if found:
                return found
        return ()

    def _constants(self, infer: Inference, path: str, name: str) -> tuple[SymbolRef, ...]:
        """Macros without parameters, which no scope holds."""
        view = infer.view(path)
        named = view.by_qual.get(name, ()) if view is not None else ()
        return tuple(view.ref(i) for i in named if view.symbols[i].kind == "constant") if view is not None else ()

    def top_level(self, infer: Inference, path: str, name: str) -> Values:
        """What a file itself offers under a name."""
        infer.note(path, name.rpartition(" ")[2])
        view = infer.view(path)
        if view is None:
            return UNKNOWN
        group = view.table.get((0, name)) or view.table.get((0, "struct " + name)) or []
        group = self._own(view, group, name)
        if not group:
            return UNKNOWN
        defs = self._expanded(view, [b for b in group if b.kind == "def"])
        return merge(*(infer.binding(view, b) for b in defs or group[-1:])) if group else UNKNOWN

    def _program_wide(self, infer: Inference, view: View, name: str, simple: str) -> Values:
        """No declaration in sight (a generated header, an implicit declaration): the only global of that name."""
        infer.note_key(name_key(FAMILY, simple))
        tagged = name != simple
        found: list[Value] = []
        known = macro = False
        for path, index in infer.project.named(FAMILY, simple):
            entry = infer.project.summaries[path].entries[index]
            known = True
            macro |= entry.kind == "macro"
            other = infer.view(path)
            if entry.qual != simple or other is None:
                continue
            if entry.kind in TYPE_KINDS:
                found.append(ClassOf(other.ref(index)))
            elif entry.kind == "function" and not tagged and not entry.flags & (Flag.STATIC | Flag.DECLARATION):
                found.append(Function(other.ref(index)))
        if (macro or not known) and not found and not tagged:
            return (Foreign(name),)
        return tuple(found) if len(found) == 1 else UNKNOWN

    def import_targets(self, infer: Inference, view: View, imp: Import) -> list[SymbolRef]:
        infer.note_key(_CLOSURE_KEY + view.path)
        spec = ("<" if imp.kind == "system" else '"') + imp.module
        found = self.layout(infer).resolve(view.path, spec)
        return [(found, "")] if found is not None else [("", imp.module)]

    # --- members

    def members(
        self, infer: Inference, view: View, index: int, name: str
    ) -> tuple[tuple[int, ...], tuple[Binding, ...]]:
        symbol = view.symbols[index]
        kinds = _ENUMERATORS if symbol.kind == "enum" else _WITH_BODY
        symbols = tuple(
            i
            for i in view.by_qual.get(f"{symbol.qual}.{name}", ())
            if view.symbols[i].parent == index and view.symbols[i].kind in kinds
        )
        if symbols or symbol.scope < 0:
            return symbols, ()
        return (), tuple(b for b in view.named(symbol.scope, name) if b.kind != "typeparam")

    def value_symbol(self, infer: Inference, view: View, index: int) -> Values:
        symbol = view.symbols[index]
        if symbol.kind == "enum_member" and symbol.parent != NONE:
            return (Instance(view.ref(symbol.parent)),)
        return (ClassOf(view.ref(index)),) if symbol.kind == "anonymous" else UNKNOWN

    def foreign_call(self, infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
        if value.name == "function":
            return value.args[0] if value.args else UNKNOWN
        return (Foreign(value.name + "()"),)

    # --- declarations and definitions

    def call_kind(self, infer: Inference, ref: SymbolRef) -> str:
        found = infer.symbol(ref)
        return "references" if found is not None and found[1].kind == "macro" else "calls"

    def bind_call(self, infer: Inference, target: View, index: int, view: View, site: Site) -> list[SymbolRef] | None:
        return list(self.canonical(infer, target.ref(index)))

    def declares(self, infer: Inference, view: View, index: int) -> tuple[SymbolRef, ...]:
        own = view.ref(index)
        return tuple(r for r in self.canonical(infer, own) if r != own)

    def canonical(self, infer: Inference, ref: SymbolRef) -> tuple[SymbolRef, ...]:
        found = infer.symbol(ref)
        if found is None or not found[1].flags & Flag.DECLARATION:
            return (ref,)
        view, symbol, _ = found
        return infer.query(("d", ref), ref[0], lambda: self._definitions(infer, view, symbol, ref), (ref,))

    def _definitions(self, infer: Inference, view: View, symbol: Symbol, ref: SymbolRef) -> tuple[SymbolRef, ...]:
        own = [i for i in view.by_qual[symbol.qual] if self._defines(view, i, symbol)]
        if own:
            return tuple(view.ref(i) for i in own)
        if symbol.flags & Flag.STATIC:
            return (ref,)
        infer.note_key(name_key(FAMILY, symbol.name))
        layout = self.layout(infer)
        seeing: list[SymbolRef] = []
        others: list[SymbolRef] = []
        for path, index in infer.project.named(FAMILY, symbol.name):
            entry = infer.project.summaries[path].entries[index]
            if (
                entry.qual != symbol.qual
                or entry.kind not in CALLABLE_KINDS
                or entry.flags & (Flag.DECLARATION | Flag.STATIC)
            ):
                continue
            other = infer.view(path)
            if other is None or other.symbols[index].kind == "macro":
                continue
            infer.note_key(_CLOSURE_KEY + path)
            (seeing if view.path in layout.closure(path) else others).append(other.ref(index))
        found = seeing or others
        return tuple(sorted(found, key=lambda r: _distance(view.path, r[0]))[:_MAX_DEFINITIONS]) or (ref,)

    def _defines(self, view: View, index: int, symbol: Symbol) -> bool:
        other = view.symbols[index]
        return other.kind == symbol.kind and not other.flags & Flag.DECLARATION
