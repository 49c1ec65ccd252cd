"""A change, as the rules look at it: the repository after it, and which of its lines are new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from nav_ls.query import calls
from nav_ls.query.conform import clones
from nav_ls.query.model import Callees, SymbolInfo
from nav_ls.query.snapshot import Snapshot
from nav_ls.store.rows import FileFlag
from nav_ls.syntax.facts import CALLABLE_KINDS
from nav_ls.text.diff import FileChange

Read = Callable[[str], bytes | None]
"""The normalised text of a file, None where it cannot be read."""

_MOSTLY_NEW = 0.8
"""Share of a definition's lines that must be new for it to count as added rather than edited."""
_REALLY_NEW = 0.5
"""Share of its runs of tokens of which the file has more than before."""


class Change:
    """What several rules ask, asked once.  `snapshot` and `read` tell the state *after* the change, `before` reads the
    files as they were."""

    def __init__(self, snapshot: Snapshot, changes: Sequence[FileChange], read: Read, before: Read) -> None:
        self.snapshot = snapshot
        self.read = read
        self._before = before
        self.files = {change.path: change for change in changes if _is_code(snapshot, change.path)}
        self._callees: dict[int, Callees] = {}
        self._beside: dict[tuple[str, str], list[bytes]] = {}

    def added(self) -> list[SymbolInfo]:
        """Functions that are new; edits of existing ones are the business of their reviewers."""
        return [symbol for change in self.files.values() for symbol in self._added(change)]

    def _added(self, change: FileChange) -> Iterator[SymbolInfo]:
        found = [
            symbol
            for symbol in functions(self.snapshot, change.path)
            if change.share(symbol.span.line + 1, symbol.span.end_line + 1) >= _MOSTLY_NEW
        ]
        if not found:
            return
        old = self._before(change.old) if change.old else None
        if old is None:
            yield from found
            return
        # Lines are new, too, where code was formatted, moved or annotated: what counts is that there is more of it.
        text, language = self.read(change.path) or b"", found[0].language
        more = Counter(clones.runs(text, language)) - Counter(clones.runs(old, language))
        for symbol in found:
            runs = clones.runs(self.text(symbol), language)
            if sum(run in more for run in runs) >= _REALLY_NEW * len(runs):
                yield symbol

    def callees(self, symbol: SymbolInfo) -> Callees:
        """Whom a function calls."""
        if symbol.id not in self._callees:
            self._callees[symbol.id] = calls.callees(self.snapshot, symbol)
        return self._callees[symbol.id]

    @cached_property
    def packages(self) -> list[str]:
        """All packages outside of the repository that it imports, by name."""
        links = (
            link for file in self.snapshot.files() if file.language for link in self.snapshot.relations_of(file.path)
        )
        return sorted({link.outside for link in links if link.kind == "imports" and link.outside})

    def beside(self, symbol: SymbolInfo) -> list[bytes]:
        """The texts of the files beside a changed one, in its language, that the change leaves alone."""
        key = folder(symbol.path), symbol.language
        if key not in self._beside:
            files = self.snapshot.files()
            paths = [f.path for f in files if (folder(f.path), f.language) == key and f.path not in self.files]
            self._beside[key] = [text for path in paths if (text := self.read(path)) is not None]
        return self._beside[key]

    def named_before(self, name: bytes) -> bool:
        """Whether one of the changed files had a name in it before."""
        return any(name in (self._before(file.old) or b"") for file in self.files.values() if file.old)

    def text(self, symbol: SymbolInfo) -> bytes:
        """The text of a definition."""
        return (self.read(symbol.path) or b"")[symbol.span.start : symbol.span.end]

    def in_tests(self, path: str) -> bool:
        """Whether a file holds tests."""
        return self._has(path, FileFlag.TEST)

    def is_generated(self, path: str) -> bool:
        """Whether a program wrote a file."""
        return self._has(path, FileFlag.GENERATED)

    def is_apart(self, path: str) -> bool:
        """Whether a file may repeat things: tests and generated code."""
        return self.in_tests(path) or self.is_generated(path)

    def _has(self, path: str, flag: int) -> bool:
        info = self.snapshot.file(path)
        return info is not None and bool(info.flags & flag)


def functions(snapshot: Snapshot, path: str) -> list[SymbolInfo]:
    """The functions and methods of a file."""
    return [symbol for symbol in snapshot.symbols_of(path) if symbol.key and symbol.kind in CALLABLE_KINDS]


def folder(path: str) -> str:
    """The folder that a file lies in, "" at the root."""
    return path.rpartition("/")[0]


def _is_code(snapshot: Snapshot, path: str) -> bool:
    info = snapshot.file(path)
    return info is not None and bool(info.language)
