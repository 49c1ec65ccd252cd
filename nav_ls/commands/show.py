"""Query values → what commands show: qualified names, lines and columns from 1, columns in characters."""

from __future__ import annotations

from collections.abc import Iterable

from nav_ls.commands.model import CallerRow, Place, PossibleRow, Symbol
from nav_ls.query.model import Caller, Possible, Site, Span, SymbolInfo
from nav_ls.query.ranks import is_test
from nav_ls.query.snapshot import Snapshot
from nav_ls.text.lines import LineTable
from nav_ls.workspace.workspace import Workspace

MODULE = "<module>"


class Shower:
    """Converts values of one snapshot; reads the text of files that are not plain ASCII, each once."""

    def __init__(self, workspace: Workspace, snapshot: Snapshot) -> None:
        self._workspace = workspace
        self._snapshot = snapshot
        self._texts: dict[str, tuple[bytes, LineTable] | None] = {}
        self._tests: dict[str, bool] = {}

    def symbol(self, symbol: SymbolInfo) -> Symbol:
        """A definition with all that is shown of it."""
        place = self.place(symbol.name_span)
        line = place.line if symbol.key else 0
        return Symbol(
            symbol.path,
            name_of(symbol),
            symbol.kind,
            line,
            place.column if symbol.key else 0,
            symbol.span.end_line + 1,
            symbol.language,
            symbol.signature,
            symbol.doc,
        )

    def caller(self, caller: Caller) -> CallerRow:
        """One caller, or one callee."""
        symbol = caller.symbol
        sites, test = self.sites(caller.sites), self._is_test(symbol.path)
        return CallerRow(symbol.path, name_of(symbol), line_of(symbol), caller.evidence, sites, test)

    def possible(self, possible: Possible) -> PossibleRow:
        """One possible caller."""
        symbol = possible.symbol
        via = f"{possible.via.path}:{possible.via.qual}" if possible.via is not None else ""
        sites, test = self.sites(possible.sites), self._is_test(symbol.path)
        return PossibleRow(symbol.path, name_of(symbol), line_of(symbol), possible.why, sites, via, test)

    def sites(self, sites: Iterable[Site]) -> tuple[Place, ...]:
        """Where the sites begin."""
        return tuple(self.place(site.span) for site in sites)

    def place(self, span: Span) -> Place:
        """Where a range begins."""
        if self._snapshot.is_ascii(span.path):
            return Place(span.line + 1, span.column + 1)
        found = self._text(span.path)
        if found is None:
            return Place(span.line + 1, span.column + 1)
        text, lines = found
        start = lines.offset(span.line, 0)
        return Place(span.line + 1, len(text[start : start + span.column].decode("utf-8", "replace")) + 1)

    def _is_test(self, path: str) -> bool:
        if path not in self._tests:
            info = self._snapshot.file(path)
            self._tests[path] = info is not None and is_test(info)
        return self._tests[path]

    def _text(self, path: str) -> tuple[bytes, LineTable] | None:
        if path not in self._texts:
            source = self._workspace.read(path)
            self._texts[path] = (source.text, LineTable.of(source.text)) if source is not None else None
        return self._texts[path]


def name_of(symbol: SymbolInfo) -> str:
    """The qualified name, `<module>` for the code at the top of a file."""
    return symbol.qual if symbol.key else MODULE


def line_of(symbol: SymbolInfo) -> int:
    """The line of the name from 1, 0 for the code at the top of a file."""
    return symbol.name_span.line + 1 if symbol.key else 0
