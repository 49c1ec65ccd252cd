"""What linking yields: the edges of one file, and the questions that a linker may ask about others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec

from nav_ls.syntax.facts import FileFacts

SymbolRef = tuple[str, str]
"""(path, key) of a definition.  Key "" is the file itself; path "" is outside of the repository."""


class Edge(msgspec.Struct, frozen=True, array_like=True):
    """A site that is bound to a definition.

    kind: calls | accesses (reading, writing or deleting runs an accessor: a caller too) | references (named as a
    value) | reads | writes | types | decorates | imports.
    evidence, best first: exact (scope or import), type (the receiver's inferred type), dispatch (a possible
    override or implementation), name (only the name fits).
    caller: key of the enclosing definition in this file, "" at module level.  `[start, end)` is the name at the site.
    """

    kind: str
    evidence: str
    caller: str
    callee: SymbolRef
    start: int
    end: int


def may_dispatch(family: str, evidence: str) -> bool:
    """Can a call land in an override?  In the C family one that names its class (`Base::f()`, exact) cannot."""
    return family != "c" or evidence != "exact"


class Unresolved(msgspec.Struct, frozen=True, array_like=True):
    """A call whose receiver is not known: a possible caller of every method of that name."""

    name: str
    caller: str
    start: int
    end: int
    why: str = ""


class Relation(msgspec.Struct, frozen=True, array_like=True):
    """Two definitions, files or packages that belong together.

    kind: inherits | implements | embeds | mixin | prepends | overrides | imports | declares (a prototype, and the
    definition elsewhere).  `src` is a key in this file, "" the file itself;
    a `dst` of ("", name) is a package or type outside of the repository.
    """

    kind: str
    src: str
    dst: SymbolRef
    evidence: str = "exact"


class Links(msgspec.Struct, frozen=True, array_like=True):
    """All that linking found out about one file, and every key that it looked up elsewhere (misses too)."""

    edges: tuple[Edge, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    relations: tuple[Relation, ...] = ()
    keys: frozenset[str] = frozenset()


class Occurrence(msgspec.Struct, frozen=True, array_like=True):
    """One mention of a variable.  role: binding | write | read."""

    start: int
    end: int
    role: str


class Local(msgspec.Struct, frozen=True, array_like=True):
    """A variable as the scopes of its file know it.

    kind: parameter | variable | type parameter | import.  `symbol`: the key of its definition, "" where it has none
    (which is what makes it a local); `within`: that of the definition around it.
    """

    name: str
    kind: str
    symbol: str
    within: str
    occurrences: tuple[Occurrence, ...]
    declared: Occurrence
    """Where it gets its name first; where its block begins if it is bound without being written (`it`)."""
    line: str
    """The line that it is declared on."""


class Receiver(msgspec.Struct, frozen=True, array_like=True):
    """A `this` or `self`, and the key of the type around it."""

    start: int
    end: int
    type: str


class Keyword(msgspec.Struct, frozen=True, array_like=True):
    """The name of a parameter in front of an argument, and where the name of what is called begins."""

    start: int
    end: int
    name: str
    callee: int


class Locals(msgspec.Struct, frozen=True, array_like=True):
    """What the names of one file mean, as far as its own scopes tell (see `nav_ls.graph.locals`)."""

    variables: tuple[Local, ...] = ()
    receivers: tuple[Receiver, ...] = ()
    keywords: tuple[Keyword, ...] = ()


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One definition in a summary."""

    qual: str
    kind: str
    flags: int


class Summary(msgspec.Struct, frozen=True, array_like=True):
    """The little of a file that indexes over all files need: much smaller than its facts."""

    language: str
    package: str
    entries: tuple[Entry, ...]
    offers: dict[str, str]
    extra: dict[str, str] = {}


def summarize(facts: FileFacts) -> Summary:
    """The summary of a file."""
    entries = tuple(Entry(s.qual, s.kind, s.flags) for s in facts.symbols)
    return Summary(facts.language, facts.package, entries, facts.offers, facts.extra)


class FactSource(Protocol):
    """Where a linker reads facts.  Implementations decode lazily and cache.

    `name`: the name of the root folder, which a package bears whose folder it is.
    """

    name: str

    def paths(self) -> Iterable[str]:
        """Every indexed path, relative to the root with "/" between parts."""

    def facts(self, path: str) -> FileFacts | None:
        """The facts of a file, None where it is not indexed."""

    def summary(self, path: str) -> Summary | None:
        """`summarize(facts)` of a file, None where it is not indexed: much cheaper to load than its facts."""

    def text(self, path: str) -> bytes | None:
        """The normalised text of a manifest (go.mod, package.json, tsconfig.json, ...), None where there is none."""


def symbol_keys(facts: FileFacts) -> tuple[str, ...]:
    """The key of each symbol of a file, in the order of `facts.symbols`.

    A key is the qualified name; where several definitions share it, the second one in the file is `name#1`,
    the third one `name#2`, and so on by position.
    """
    order = sorted(range(len(facts.symbols)), key=lambda i: (facts.symbols[i].start, facts.symbols[i].name_start, i))
    seen: dict[str, int] = {}
    keys = [""] * len(order)
    for index in order:
        qual = facts.symbols[index].qual
        count = seen.get(qual, 0)
        seen[qual] = count + 1
        keys[index] = f"{qual}#{count}" if count else qual
    return tuple(keys)
