"""All rules over one change.

The snapshot holds the state *after* the change; `changes` says which of its lines are new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from nav_ls.query import calls
from nav_ls.query.conform import clones, deviations
from nav_ls.query.conform.model import Finding, Reuse, Unit
from nav_ls.query.conform.packages import purpose_of
from nav_ls.query.model import Callees, SymbolInfo
from nav_ls.query.snapshot import Snapshot
from nav_ls.store.rows import FileFlag
from nav_ls.syntax.facts import CALLABLE_KINDS
from nav_ls.syntax.languages import family_of
from nav_ls.text.diff import FileChange

Read = Callable[[str], bytes | None]
"""The normalised text of a file, None where it cannot be read."""


_CALLS_IN_ORDER = 5
"""Calls in one order that two functions must share to be told alike by them alone."""
_MOSTLY_NEW = 0.8
"""Share of a definition's lines that must be new for it to count as added rather than edited."""
_USERS = 2
"""Files that use a package before it is what this repository uses."""
_THROUGH = 3
"""Callers behind one door before going past it is worth a word."""


class Checker:
    """One check; the indexes that several rules need are built once."""

    def __init__(self, snapshot: Snapshot, changes: Sequence[FileChange], read: Read) -> None:
        self._snapshot = snapshot
        self._read = read
        self._changes = {change.path: change for change in changes if _is_code(snapshot, change.path)}
        self._callees: dict[int, Callees] = {}

    def run(self) -> tuple[list[Finding], Reuse]:
        """The findings by place, and where the added calls go."""
        added = self._added()
        found = [*self._clones(added), *self._dependencies()]
        told = {(f.path, f.line) for f in found}
        for symbol in added:
            more = [*self._bypasses(symbol), *self._deviations(symbol)]
            found += [f for f in more if (f.path, f.line) not in told]
        return sorted(found, key=lambda f: (f.path, f.line, f.rule)), self._reuse(added)

    def _added(self) -> list[SymbolInfo]:
        """Functions that are new; edits of existing ones are the business of their reviewers."""
        return [
            symbol
            for path, change in self._changes.items()
            for symbol in self._functions(path)
            if change.share(symbol.span.line + 1, symbol.span.end_line + 1) >= _MOSTLY_NEW
        ]

    def _functions(self, path: str) -> list[SymbolInfo]:
        return [s for s in self._snapshot.symbols_of(path) if s.key and s.kind in CALLABLE_KINDS]

    def _calls(self, symbol: SymbolInfo) -> Callees:
        if symbol.id not in self._callees:
            self._callees[symbol.id] = calls.callees(self._snapshot, symbol)
        return self._callees[symbol.id]

    # --- copies

    def _clones(self, added: Sequence[SymbolInfo]) -> list[Finding]:
        new = [s for s in added if not self._in_tests(s.path)]
        if not new:
            return []
        units = self._units({family_of(s.language) for s in new})
        prints = [clones.fingerprint(u.body, u.symbol.language) for u in units]
        index = clones.Index(prints)
        places = {(u.symbol.path, u.symbol.key): i for i, u in enumerate(units)}
        fresh = {places[(s.path, s.key)] for s in added if (s.path, s.key) in places}
        out = []
        for symbol in new:
            mine = prints[places[(symbol.path, symbol.key)]] if (symbol.path, symbol.key) in places else None
            if mine is None:
                continue
            for pair in index.like(mine, least=clones.threshold(mine)):
                other = units[pair.index].symbol
                if pair.index not in fresh and not self._expected_alike(symbol, other):
                    out.append(self._clone(symbol, other, pair))
                    break
        return out

    def _clone(self, symbol: SymbolInfo, other: SymbolInfo, pair: clones.Pair) -> Finding:
        order = self._same_calls(symbol, other)
        why = "token by token the same" if pair.exact else f"{pair.score:.0%} of its code is the same but for names"
        if order >= _CALLS_IN_ORDER:
            why += f", and {order} calls in the same order"
        return Finding(
            "clone",
            symbol.path,
            symbol.name_span.line + 1,
            symbol.qual,
            1.0 if pair.exact else pair.score,
            f"{symbol.qual} does what {other.qual} does already",
            why,
            other,
        )

    def _same_calls(self, one: SymbolInfo, other: SymbolInfo) -> int:
        """The length of the longest run of calls that both make in the same order."""
        a, b = (self._order(s) for s in (one, other))
        row = [0] * (len(b) + 1)
        for x in a:
            before = 0
            for j, y in enumerate(b, 1):
                kept = row[j]
                row[j] = before + 1 if x == y else max(row[j], row[j - 1])
                before = kept
        return row[-1]

    def _order(self, symbol: SymbolInfo) -> list[int]:
        sites = [(site.span.start, c.symbol.id) for c in self._calls(symbol).callees for site in c.sites]
        return [target for _, target in sorted(sites)][:200]

    def _expected_alike(self, symbol: SymbolInfo, other: SymbolInfo) -> bool:
        """Overrides, accessors and implementations of one interface are alike because they have to be."""
        if other.path == symbol.path and other.key == symbol.key:
            return True
        if self._in_tests(other.path) or self._generated(other.path):
            return True
        if (
            symbol.name == other.name
            and symbol.kind == other.kind == "method"
            and symbol.parent_key != other.parent_key
        ):
            return True  # two types that offer the same: for sync and async, for each format
        related = {symbol.key, other.key}
        for info in (symbol, other):
            for link in self._snapshot.relations_of(info.path):
                if link.kind == "overrides" and link.source.key in related and link.source.path == info.path:
                    return symbol.name == other.name
        return False

    def _units(self, families: set[str]) -> list[Unit]:
        out = []
        for file in self._snapshot.files():
            if not file.language or family_of(file.language) not in families:
                continue
            text = self._read(file.path)
            if text is not None:
                out += [Unit(s, text[s.span.start : s.span.end]) for s in self._functions(file.path)]
        return out

    # --- packages

    def _dependencies(self) -> list[Finding]:
        out = []
        for path, change in self._changes.items():
            if self._in_tests(path):
                continue
            text = self._read(path) or b""
            for link in self._snapshot.relations_of(path):
                if link.kind != "imports" or not link.outside:
                    continue
                line = _line_naming(text, link.outside, change)
                purpose = purpose_of(link.outside)
                if line and purpose:
                    out += self._second(path, line, link.outside, *purpose)
        return out

    def _second(self, path: str, line: int, package: str, purpose: str, known_as: str) -> list[Finding]:
        """The package is new here, and another one has its purpose already."""
        if self._users(package) - set(self._changes):
            return []
        others = {name: self._users(name) for name in self._outside() if _serves(name, purpose, known_as)}
        usual = max(others, key=lambda name: (len(others[name]), name), default="")
        users = others.get(usual, set()) - set(self._changes)
        if len(users) < _USERS:
            return []
        where = min(users)
        return [
            Finding(
                "dependency",
                path,
                line,
                package,
                round(min(0.95, 0.6 + 0.05 * len(users)), 2),
                f"{package} is {purpose}; this repository uses {usual}",
                f"{usual} is imported by {len(users)} files, such as {where}; {package} by none before",
                package=usual,
            )
        ]

    def _users(self, package: str) -> set[str]:
        found = {link.source.path for link in self._snapshot.relations_outside(package) if link.kind == "imports"}
        return {path for path in found if not self._in_tests(path)}

    def _outside(self) -> Iterable[str]:
        names = {
            link.outside
            for file in self._snapshot.files()
            for link in (self._snapshot.relations_of(file.path) if file.language else ())
            if link.kind == "imports" and link.outside
        }
        return sorted(names)

    # --- layers

    def _bypasses(self, symbol: SymbolInfo) -> list[Finding]:
        """A call of something that everybody else reaches through one file."""
        out = []
        for callee in self._calls(symbol).callees:
            target = callee.symbol
            if target.path == symbol.path or self._in_tests(symbol.path) or target.path in self._changes:
                continue
            door = self._door(target)
            if door and door != symbol.path and _folder(door) != _folder(symbol.path):
                line = callee.sites[0].span.line + 1
                out.append(
                    Finding(
                        "bypass",
                        symbol.path,
                        line,
                        symbol.qual,
                        0.7,
                        f"{symbol.qual} calls {target.qual} directly; all others go through {door}",
                        f"every other call of {target.qual} stands in {door}",
                        target,
                    )
                )
        return out[:1]

    def _door(self, target: SymbolInfo) -> str:
        """The one file that all callers outside of the target's own folder stand in; "" where there is none."""
        found = calls.callers(self._snapshot, target)
        outside = [c for c in found.callers if c.symbol.path not in self._changes and not self._in_tests(c.symbol.path)]
        files = {c.symbol.path for c in outside if _folder(c.symbol.path) != _folder(target.path)}
        if (
            len(files) != 1
            or len(outside) < _THROUGH
            or found.possible_total
            or len(outside) != len([c for c in outside if c.symbol.path in files])
        ):
            return ""
        door = files.pop()
        return door if self._is_used(door) else ""

    def _is_used(self, path: str) -> bool:
        """Is the file itself a layer: called from several others?"""
        others: set[str] = set()
        for symbol in self._functions(path):
            others |= {m.path for m in self._snapshot.mentions_of([symbol]) if m.kind == "calls" and m.path != path}
        return len(others) >= _THROUGH

    # --- habits

    def _deviations(self, symbol: SymbolInfo) -> list[Finding]:
        if self._in_tests(symbol.path):
            return []
        text = self._read(symbol.path)
        siblings = [
            sibling
            for file in self._snapshot.files()
            if file.path != symbol.path
            and _folder(file.path) == _folder(symbol.path)
            and file.language == symbol.language
            and file.path not in self._changes
            if (sibling := self._read(file.path)) is not None
        ]
        if text is None:
            return []
        return deviations.find(symbol, text, siblings)

    # --- reuse

    def _reuse(self, added: Sequence[SymbolInfo]) -> Reuse:
        own = outside = unknown = 0
        for symbol in added:
            found = self._calls(symbol)
            own += sum(len(c.sites) for c in found.callees if c.symbol.path not in self._changes)
            unknown += len(found.unknown)
            outside += self._outside_calls(symbol, found)
        return Reuse(own, outside, unknown)

    def _outside_calls(self, symbol: SymbolInfo, found: Callees) -> int:
        """Calls that are neither the repository's nor unknown: those of packages."""
        text = (self._read(symbol.path) or b"")[symbol.span.start : symbol.span.end]
        total = text.count(b"(") - 1
        return max(0, total - sum(len(c.sites) for c in found.callees) - len(found.unknown)) // 2

    # --- files

    def _in_tests(self, path: str) -> bool:
        info = self._snapshot.file(path)
        return info is not None and bool(info.flags & FileFlag.TEST)

    def _generated(self, path: str) -> bool:
        info = self._snapshot.file(path)
        return info is not None and bool(info.flags & FileFlag.GENERATED)


def _is_code(snapshot: Snapshot, path: str) -> bool:
    info = snapshot.file(path)
    return info is not None and bool(info.language)


def _serves(package: str, purpose: str, known_as: str) -> bool:
    found = purpose_of(package)
    return found is not None and found[0] == purpose and found[1] != known_as


def _line_naming(text: bytes, package: str, change: FileChange) -> int:
    """The new line that imports a package, 0 where none does."""
    needle = package.split(".")[0].encode() if "/" not in package else package.encode()
    for number, line in enumerate(text.split(b"\n"), 1):
        if needle in line and any(a <= number <= b for a, b in change.added):
            return number
    return 0


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
