"""A file's facts with the look-up tables that linking needs, built when first asked for."""

from __future__ import annotations

from functools import cached_property

from nav_ls.graph.model import SymbolRef, symbol_keys
from nav_ls.syntax.facts import NONE, VALUE_KINDS, Binding, FileFacts, Import, Op, Site, Symbol, key_prefixes
from nav_ls.syntax.languages import family_of

_WITH_ARGUMENTS = (Op.CALL, Op.NEW, Op.INDEX)


class View:
    """One file.  Read-only."""

    __slots__ = ("__dict__", "bindings", "exprs", "facts", "family", "language", "path", "scopes", "symbols")

    def __init__(self, path: str, facts: FileFacts):
        self.path = path
        self.facts = facts
        self.language = facts.language
        self.family = family_of(facts.language)
        self.symbols = facts.symbols
        self.scopes = facts.scopes
        self.bindings = facts.bindings
        self.exprs = facts.exprs

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Key of each symbol."""
        return symbol_keys(self.facts)

    @cached_property
    def index_of(self) -> dict[str, int]:
        """Key → symbol index."""
        return {key: i for i, key in enumerate(self.keys)}

    def ref(self, index: int) -> SymbolRef:
        """The reference to a symbol."""
        return (self.path, self.keys[index])

    def symbol(self, key: str) -> Symbol | None:
        """The symbol of a key, None where there is none (any more)."""
        index = self.index_of.get(key)
        return None if index is None else self.symbols[index]

    @cached_property
    def table(self) -> dict[tuple[int, str], list[Binding]]:
        """(scope, name) → its bindings by position."""
        table: dict[tuple[int, str], list[Binding]] = {}
        for binding in self.bindings:
            table.setdefault((binding.scope, binding.name), []).append(binding)
        for group in table.values():
            if len(group) > 1:
                group.sort(key=lambda b: b.pos)
        return table

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that is bound in some scope."""
        return frozenset(binding.name for binding in self.bindings)

    @cached_property
    def values_at(self) -> dict[int, int]:
        """Where the name of a variable, a constant or a field stands in its definition → its symbol."""
        return {symbol.name_start: i for i, symbol in enumerate(self.symbols) if symbol.kind in VALUE_KINDS}

    @cached_property
    def entries(self) -> dict[int, int]:
        """What a property of an object type holds (an expression) → the property's symbol."""
        return {s.returns: i for i, s in enumerate(self.symbols) if s.kind == "field" and s.returns != NONE}

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """Symbol index → the symbols directly inside; -1 → top level."""
        children: dict[int, list[int]] = {}
        for index, symbol in enumerate(self.symbols):
            children.setdefault(symbol.parent, []).append(index)
        return children

    @cached_property
    def by_qual(self) -> dict[str, list[int]]:
        """Qualified name → symbols, in order of position."""
        table: dict[str, list[int]] = {}
        for index, symbol in enumerate(self.symbols):
            table.setdefault(symbol.qual, []).append(index)
        return table

    def _hands(self, site: Site) -> bool:
        """Does a site hand on arguments?  What only names a function (`f(...)` in PHP) has something else for a call."""
        return site.call != NONE and self.exprs[site.call][0] in _WITH_ARGUMENTS

    @cached_property
    def _calls(self) -> dict[str, list[Site]]:
        table: dict[str, list[Site]] = {}
        for site in self.facts.sites:
            if self._hands(site):
                table.setdefault(site.name, []).append(site)
        return table

    @cached_property
    def _aliases(self) -> dict[str, set[str]]:
        table: dict[str, set[str]] = {}
        for b in self.bindings:
            if b.value != NONE and b.kind in ("local", "field") and self.exprs[b.value][0] == Op.NAME:
                table.setdefault(self.exprs[b.value][1], set()).add(b.name)
        return table

    @cached_property
    def _handed(self) -> set[str]:
        handed: set[str] = set()
        for e in self.exprs:
            if e[0] == Op.CALL:
                for part in e[2:]:
                    given = self.exprs[part]
                    given = self.exprs[given[2]] if given[0] == Op.KEYWORD and given[2] != NONE else given
                    if given[0] in (Op.NAME, Op.ATTR):
                        handed.add(given[1] if given[0] == Op.NAME else given[2])
        return handed

    @cached_property
    def _called_parameters(self) -> list[Site]:
        names = {b.name for b in self.bindings if b.kind == "param"}
        sites = (s for s in self.facts.sites if s.name in names and s.expr != NONE and self._hands(s))
        return [s for s in sites if self.exprs[s.expr][0] == Op.NAME][:12]

    def maybe_calls_of(self, name: str) -> list[Site]:
        """Call sites that may mean a function: by its name, by names that it was assigned to, and where it is handed
        on, calls of parameters."""
        others = [name, *sorted(self._aliases.get(name, ()))]
        sites = [s for other in others for s in self.calls_of(other)]
        return sites + self._called_parameters if not self._handed.isdisjoint(others) else sites

    @cached_property
    def prefixes(self) -> tuple[str | None, ...]:
        """Scope → what the keys of the names bound in it begin with; None where a function's body holds it."""
        return key_prefixes(self.scopes, self.symbols)

    def calls_of(self, name: str) -> list[Site]:
        """Call sites that spell a name."""
        return self._calls.get(name, [])

    @cached_property
    def members(self) -> dict[tuple[int, str], list[int]]:
        """(parent symbol, simple name) → the symbols of that name directly inside."""
        table: dict[tuple[int, str], list[int]] = {}
        for index, symbol in enumerate(self.symbols):
            table.setdefault((symbol.parent, symbol.name), []).append(index)
        return table

    @cached_property
    def stars(self) -> dict[int, list[Import]]:
        """Scope → its imports of everything, in order."""
        table: dict[int, list[Import]] = {}
        for imp in self.facts.imports:
            if imp.name == "*":
                table.setdefault(imp.scope, []).append(imp)
        return table

    def named(self, scope: int, name: str) -> list[Binding]:
        """Bindings of a name in one scope."""
        return self.table.get((scope, name), [])

    def function_scope(self, scope: int) -> int:
        """The innermost function, class or module scope around `scope` (itself included)."""
        while self.scopes[scope].kind in ("block", "comprehension") and self.scopes[scope].parent != NONE:
            scope = self.scopes[scope].parent
        return scope

    def enclosing_symbol(self, scope: int, kinds: frozenset[str]) -> int:
        """The innermost symbol of one of `kinds` that owns `scope` or a scope around it."""
        while scope != NONE:
            owner = self.scopes[scope].owner
            if owner != NONE and self.symbols[owner].kind in kinds:
                return owner
            scope = self.scopes[scope].parent
        return NONE
