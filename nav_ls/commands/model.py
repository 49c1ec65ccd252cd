"""What a command is, and the values that most commands share.

Commands speak to people and agents: lines and columns count from 1, columns count characters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from nav_ls.index.model import Progress
from nav_ls.query.model import Freshness
from nav_ls.workspace.workspace import Workspace

NOT_COMPARED = "the files have not been compared with the index"
"""Why an answer may be older than the files where nobody has looked at them."""


class Context(msgspec.Struct, frozen=True):
    """Who runs a command: where progress goes (raising there stops the work), and whether to look for changes first.

    `partial` gets an answer piece by piece while it is written, from commands that write one.  `behind` is why the
    index is older than the files were when the question came in, "" where it is not: it belongs to this question alone,
    since whoever changes the index meanwhile may have begun before.
    """

    progress: Callable[[Progress], None] | None = None
    sync: bool = True
    partial: Callable[[str], None] | None = None
    behind: str = ""


class Command(msgspec.Struct, frozen=True):
    """One row of the table.  `run(workspace, params, context)`; `reads`: it answers from an index that must exist."""

    name: str
    params: type[msgspec.Struct]
    result: type[msgspec.Struct]
    run: Callable[[Workspace, Any, Context], msgspec.Struct]
    help: str
    reads: bool = True


class Place(msgspec.Struct, frozen=True):
    """A place in a file that the context names."""

    line: int
    column: int


class Symbol(msgspec.Struct, frozen=True):
    """A definition.  `symbol` is its qualified name, "<module>" for the code at the top of a file (line 0)."""

    path: str
    symbol: str
    kind: str
    line: int
    column: int
    end_line: int
    language: str
    signature: str = ""
    doc: str = ""


class CallerRow(msgspec.Struct, frozen=True):
    """A definition on the other side of calls or uses; `line` is that of its name, 0 for code at the top of a file.

    `test`: it is part of the tests.
    """

    path: str
    symbol: str
    line: int
    evidence: str
    sites: tuple[Place, ...]
    test: bool = False


class PossibleRow(msgspec.Struct, frozen=True):
    """A possible caller.  `why`: unresolved | name | dispatch (through `via`); `test`: it is part of the tests."""

    path: str
    symbol: str
    line: int
    why: str
    sites: tuple[Place, ...]
    via: str = ""
    test: bool = False


class SymbolsResult(msgspec.Struct, frozen=True):
    """Definitions, best first."""

    symbols: tuple[Symbol, ...]
    freshness: Freshness


__all__ = [
    "CallerRow",
    "Command",
    "Context",
    "Freshness",
    "Place",
    "PossibleRow",
    "Progress",
    "Symbol",
    "SymbolsResult",
]
