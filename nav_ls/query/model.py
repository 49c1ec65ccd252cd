"""The values that queries return.

Lines are 0-based, columns are bytes from the start of the line, offsets are bytes into the normalised text
of the file (UTF-8 without a byte order mark); paths are relative to the root, with "/" between their parts.
"""

from __future__ import annotations

import msgspec

from nav_ls.store.prose import Prose


class Span(msgspec.Struct, frozen=True):
    """A range of one file, `[start, end)`."""

    path: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


class SymbolInfo(msgspec.Struct, frozen=True):
    """A definition, or a whole file (`key` "", `kind` "file") where code at module level is meant.

    `id` is stable as long as the file keeps a definition of that key; it is negative for one that only an
    unsaved buffer has.  `(path, key)` names it across branches and rebuilds.
    """

    id: int
    path: str
    key: str
    name: str
    qual: str
    kind: str
    language: str
    signature: str
    doc: str
    visibility: str
    flags: int
    span: Span
    name_span: Span
    parent_key: str = ""
    """Key of the enclosing definition, "" at the top of the file."""

    @property
    def is_file(self) -> bool:
        """Whether this stands for the code at the top of a file."""
        return self.key == ""


class Site(msgspec.Struct, frozen=True):
    """One place that mentions a symbol.  `evidence`: exact | type | dispatch | name."""

    span: Span
    kind: str
    evidence: str


class Caller(msgspec.Struct, frozen=True):
    """A definition (or file, for code at module level) with its sites; `evidence` is the best of its sites'."""

    symbol: SymbolInfo
    evidence: str
    sites: tuple[Site, ...]


class Possible(msgspec.Struct, frozen=True):
    """A caller that could not be proved.

    `why`: "unresolved" (a call of that name on a receiver that is not known), "name" (only the name fits),
    "dispatch" (a call of a method that this one overrides or implements).
    """

    symbol: SymbolInfo
    why: str
    sites: tuple[Site, ...]
    via: SymbolInfo | None = None
    """The overridden definition that is called, for "dispatch"."""


class Callers(msgspec.Struct, frozen=True):
    """Who calls a symbol.  `uses`: where it is passed as a value.  Totals count before `limit` was applied."""

    symbol: SymbolInfo
    callers: tuple[Caller, ...]
    uses: tuple[Caller, ...]
    possible: tuple[Possible, ...]
    total: int
    possible_total: int


class Unknown(msgspec.Struct, frozen=True):
    """A call out of a definition whose target is not known."""

    name: str
    span: Span
    why: str


class Callees(msgspec.Struct, frozen=True):
    """Whom a symbol calls, and whom it mentions as a value."""

    symbol: SymbolInfo
    callees: tuple[Caller, ...]
    uses: tuple[Caller, ...]
    unknown: tuple[Unknown, ...]


class Reference(msgspec.Struct, frozen=True):
    """A mention of a symbol.  kind: definition | calls | references | reads | writes | types | imports."""

    span: Span
    kind: str
    evidence: str
    within: SymbolInfo


class Related(msgspec.Struct, frozen=True):
    """A type or method on the other side of a relation.  kind: inherits | implements | embeds | overrides."""

    symbol: SymbolInfo
    kind: str
    evidence: str


class OutlineNode(msgspec.Struct, frozen=True):
    """A definition of one file with those nested in it, in the order of the source."""

    symbol: SymbolInfo
    children: tuple[OutlineNode, ...]


class Target(msgspec.Struct, frozen=True):
    """Where a name leads: from the name, to a definition and its own name."""

    origin: Span
    span: Span
    name_span: Span


class Highlight(msgspec.Struct, frozen=True):
    """A mention in the same file.  kind: text | read | write."""

    span: Span
    kind: str


class Hover(msgspec.Struct, frozen=True):
    """What is worth knowing about the symbol under the cursor."""

    symbol: SymbolInfo
    span: Span
    callers: int
    possible: int
    uses: int
    evidence: dict[str, int]
    """How many calling sites there are of each evidence."""
    prose: Prose | None = None


class LocalHover(msgspec.Struct, frozen=True):
    """What is worth knowing about a name that only its own file explains.

    kind: as in `graph.model.Local`; `line`: the text of the line that declares it; `within`: the definition around it.
    """

    kind: str
    line: str
    language: str
    span: Span
    declared: Span
    within: SymbolInfo | None


class Freshness(msgspec.Struct, frozen=True):
    """What an answer speaks for.

    branch: name, "" where HEAD is detached or there is no git; commit: "" where there is none.
    indexed_at: seconds since the epoch, of the last sync.  stale: files are known to differ from the index
    (`dirty`: how many of them are known), or the index is still being built.  pending: definitions that wait for
    their embedding.
    """

    branch: str
    commit: str
    generation: int
    indexed_at: float
    stale: bool
    dirty: int = 0
    pending: int = 0
    reason: str = ""
