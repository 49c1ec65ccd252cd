"""New functions that do what another one does already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from nav_ls.query.conform import clones
from nav_ls.query.conform.change import Change, functions
from nav_ls.query.conform.library import Alike, Library, body
from nav_ls.query.conform.model import Finding
from nav_ls.query.conform.overlap import Overlap, overlap
from nav_ls.query.conform.sequences import in_common, in_order
from nav_ls.query.model import SymbolInfo
from nav_ls.syntax.languages import family_of

_CALLS_IN_ORDER = 5
"""Calls in one order that are worth a word besides the tokens."""
_TOGETHER = 2
"""Copies of one file's functions in another file that are told as one."""
_LISTED = 6
"""Functions that are named where several are told as one."""


class _Measure(msgspec.Struct, frozen=True):
    """What two functions must have in common at least; see `Overlap`.

    Those that may be alike for a reason are told only where something is decided in them: what only calls one thing
    after another is alike where it is about the same thing.
    """

    tokens: int
    share: float
    names: float = 0.9
    literals: float = 0.7
    branches: int = 1

    def holds(self, found: Overlap) -> bool:
        return (
            found.branches >= self.branches
            and found.tokens >= self.tokens
            and found.share >= self.share
            and found.names >= self.names
            and found.literals >= self.literals
        )


_ELSEWHERE = _Measure(0, 0.0, names=0.85, literals=0.5, branches=0)
"""Any two functions whose runs of tokens are mostly the same: a copy has its names replaced one by one."""
_CALLBACK = _Measure(0, 0.0, names=0.85, literals=0.5)
"""The same for one that stands within another function: where it decides nothing, it is no helper to reuse."""
_BESIDE = _Measure(60, 0.85)
"""Functions of one file or of one change: who wrote the second knew the first, and took its shape on purpose.  It is
worth a word where they are large and differ in little."""
_SERIES = _Measure(30, 0.95)
"""The same for small ones: not worth a word alone, but in numbers."""
_MANY = 4
_NAMESAKES = _Measure(100, 0.85)
"""Methods of one name in two types (for each format, for each backend) and overrides have to be alike; but not to be
large and nearly the same."""


_NEAR_NAMES = 0.5
"""Called functions and members that those must have in common of which each token is compared afterwards."""


class _Copy(msgspec.Struct, frozen=True):
    """`small`: not worth a word alone."""

    symbol: SymbolInfo
    other: SymbolInfo
    score: float
    why: str
    fresh: bool = False
    small: bool = False


def find(change: Change, added: Sequence[SymbolInfo], library: Library) -> list[Finding]:
    """Copies among the added functions, each with the function that it repeats; tests may repeat things."""
    new = [s for s in added if not change.is_apart(s.path)]
    if not new:
        return []
    library.update(change.snapshot, {family_of(s.language) for s in new}, change.read)
    fresh = {(s.path, s.key) for s in added}
    candidates: list[list[_Copy]] = []
    for symbol in new:
        if not any(_encloses(copies[0].symbol, symbol) for copies in candidates):
            copies = list(_copies(change, symbol, library, fresh))
            if copies:
                candidates.append(copies)
    # Where a whole file was copied, each of its functions is told as a copy from there, though others are alike too.
    sources = Counter(path for copies in candidates for path in {_source(copy) for copy in copies})
    found: dict[tuple[str, str], list[_Copy]] = {}
    for copies in candidates:
        copy = max(copies, key=lambda copy: sources[_source(copy)])
        found.setdefault(_source(copy), []).append(copy)
    return [finding for copies in found.values() for finding in _told(copies)]


def _source(copy: _Copy) -> tuple[str, str]:
    """The file with the copy, and the file that it was made from."""
    return copy.symbol.path, copy.other.path


def _copies(change: Change, symbol: SymbolInfo, library: Library, fresh: set[tuple[str, str]]) -> Iterator[_Copy]:
    """The functions that a new one repeats; those that were there before come first, and of each file the best."""
    seen: set[str] = set()
    alike = sorted(library.like(symbol, _NEAR_NAMES), key=lambda one: (one.symbol.path, one.symbol.key) in fresh)
    for one in alike:
        other = one.symbol
        is_fresh = (other.path, other.key) in fresh
        is_first = is_fresh and _place(symbol) < _place(other)
        if (
            other.path in seen
            or is_first
            or (is_fresh and _is_mirror(symbol.path, other.path))
            or change.is_apart(other.path)
            or _encloses(symbol, other)
            or _encloses(other, symbol)
        ):
            continue
        if is_fresh or other.path == symbol.path or _are_namesakes(change, symbol, other):
            copy = _near(change, symbol, other, is_fresh=is_fresh)
        elif one.names >= clones.SAME_NAMES and _measure(change, symbol).holds(_overlap(change, symbol, other)):
            copy = _Copy(symbol, other, 1.0 if one.exact else one.score, _why(change, symbol, one))
        else:
            continue
        if copy is not None:
            seen.add(other.path)
            yield copy


def _measure(change: Change, symbol: SymbolInfo) -> _Measure:
    outer = (function.key for function in functions(change.snapshot, symbol.path))
    return _CALLBACK if symbol.parent_key in outer else _ELSEWHERE


def _near(change: Change, symbol: SymbolInfo, other: SymbolInfo, *, is_fresh: bool) -> _Copy | None:
    """A copy of a function that may be alike for a reason: only where there is more to it than that.  Where one waits and
    the other does not, few languages let them be one."""
    found = _overlap(change, symbol, other)
    if found.is_twin:
        return None
    why = f"{found.share:.0%} of their code is the same but for names"
    copy = _Copy(symbol, other, round(found.share, 3), why, is_fresh)
    if _are_namesakes(change, symbol, other):
        return copy if _NAMESAKES.holds(found) else None
    if _BESIDE.holds(found):
        return copy
    return msgspec.structs.replace(copy, small=True) if _SERIES.holds(found) else None


def _told(copies: Sequence[_Copy]) -> Iterator[Finding]:
    """The findings about the copies that one file has of another's functions."""
    small = sum(copy.small for copy in copies)
    kept = [copy for copy in copies if not copy.small or small >= _MANY]
    if len(kept) >= _TOGETHER:
        yield _finding(kept[0], *_together(kept))
        return
    for copy in kept:
        already = "does, which is new as well" if copy.fresh else "does already"
        yield _finding(copy, f"{copy.symbol.qual} does what {copy.other.qual} {already}", copy.why)


def _together(copies: Sequence[_Copy]) -> tuple[str, str]:
    path = copies[0].other.path
    where = "this file" if path == copies[0].symbol.path else path
    pairs = [(copy.symbol.qual, copy.other.qual) for copy in copies[:_LISTED]]
    names = ", ".join(mine if mine == theirs else f"{mine} ({theirs})" for mine, theirs in pairs)
    more = f" and {len(copies) - _LISTED} more" if len(copies) > _LISTED else ""
    message = f"{len(copies)} functions do what others of {where} do: {names}{more}"
    least = min(copy.score for copy in copies)
    return message, f"{'' if least == 1.0 else f'{least:.0%} or more of '}the code of each is the same but for names"


def _finding(copy: _Copy, message: str, why: str) -> Finding:
    symbol = copy.symbol
    return Finding("clone", symbol.path, symbol.name_span.line + 1, symbol.qual, copy.score, message, why, copy.other)


def _why(change: Change, symbol: SymbolInfo, one: Alike) -> str:
    order = len(in_common(in_order(change, symbol), in_order(change, one.symbol)))
    why = "token by token the same" if one.exact else f"{one.score:.0%} of its code is the same but for names"
    return f"{why}, and {order} calls in the same order" if order >= _CALLS_IN_ORDER else why


def _is_mirror(one: str, other: str) -> bool:
    """Whether two changed files stand at one place in two trees: a program keeps the one for the other."""
    (first, _, rest), (second, _, place) = one.partition("/"), other.partition("/")
    return first != second and rest == place != ""


def _are_namesakes(change: Change, symbol: SymbolInfo, other: SymbolInfo) -> bool:
    """Overrides, accessors and implementations of one interface are alike because they have to be."""
    if symbol.name != other.name:
        return False
    if symbol.kind == other.kind == "method" and symbol.parent_key != other.parent_key:
        return True  # two types that offer the same: for sync and async, for each format
    return _overrides(change, symbol) or _overrides(change, other)


def _overrides(change: Change, symbol: SymbolInfo) -> bool:
    relations = change.snapshot.relations_of(symbol.path)
    return any(link.kind == "overrides" and link.source.key == symbol.key for link in relations)


def _place(symbol: SymbolInfo) -> tuple[str, int]:
    return symbol.path, symbol.span.start


def _encloses(outer: SymbolInfo, inner: SymbolInfo) -> bool:
    return outer.path == inner.path and outer.span.start <= inner.span.start and inner.span.end <= outer.span.end


def _overlap(change: Change, one: SymbolInfo, other: SymbolInfo) -> Overlap:
    a, b = (body(symbol, change.read(symbol.path) or b"") for symbol in (one, other))
    return overlap(a, b, one.language)
