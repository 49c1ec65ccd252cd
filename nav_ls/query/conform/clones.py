"""Functions that do what another one does already: renamed, reordered or lightly rewritten copies.

Two functions are compared by the runs of four tokens that they share, names that a renaming may change made
alike.  Runs that many functions have (a loop's header, a guard) count little: each weighs the more the rarer it is.
"""

from __future__ import annotations

import heapq
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from nav_ls.text.lexing import BRANCHES, KEYWORDS, NAME, NUMBER, STRING, blind, statements, tokens

_STEP_TOKENS = (*BRANCHES, *b"try except catch finally with using defer yield await = := += -=".split())
_WORD = re.compile(rb"[A-Za-z_$\x80-\xff]")
RUN = 4
"""Tokens in a run."""
SMALLEST = 24
"""Tokens of a body below which two functions are alike by chance."""
_STEPS = 2
"""Branches, loops, assignments and further statements that a body needs: one that only passes things on is a name
for a call, and many of those are alike."""
_SMALL = 45
"""Tokens below which two functions have to be nearly the same to be told alike."""
SAME_NAMES = 0.75
"""Share of the called functions and members that two functions must have in common: two that only have the same shape
do something else each."""
_TOO_COMMON = 400
"""A run that more functions have is no reason to compare two of them."""
_COMPARED = 60
"""Functions with the most runs in common that are compared in full."""


class Print(msgspec.Struct, frozen=True):
    """The fingerprint of a function: its runs, its tokens as they are, and the members and functions that it names."""

    runs: frozenset[int]
    size: int
    exact: int
    names: frozenset[bytes]


class Pair(msgspec.Struct, frozen=True):
    """`index` of the function that is like the one asked about; `score` 0 to 1; `exact`: token by token the same;
    `names`: the share of the called functions and members that they have in common."""

    index: int
    score: float
    exact: bool
    names: float


def threshold(one: Print) -> float:
    """Similarity from which a function is told to be a copy; measured by `nav eval conformance`."""
    return 0.72 if one.size < _SMALL else 0.5


def fingerprint(body: bytes, language: str) -> Print | None:
    """The fingerprint of what stands behind a function's name, None where it is too small to say anything."""
    found = statements(tokens(body, language))
    if len(found) < SMALLEST or _steps(found) < _STEPS:
        return None
    plain = blind(found, language)
    names = frozenset(t for t in plain if t not in KEYWORDS and t not in (NAME, NUMBER, STRING) and _WORD.match(t))
    return Print(frozenset(_hashed(plain)), len(found), zlib.crc32(b" ".join(found)), names)


def runs(code: bytes, language: str) -> list[int]:
    """The hashed runs of a piece of code, in order."""
    return list(_hashed(blind(tokens(code, language), language)))


def _hashed(plain: Sequence[bytes]) -> Iterator[int]:
    # Not Python's own hash: that of bytes is another one in every process, and with it the order of equals.
    return (zlib.crc32(b" ".join(plain[i : i + RUN])) for i in range(len(plain) - RUN + 1))


def _steps(found: Sequence[bytes]) -> int:
    """What a body does besides one expression."""
    counted = Counter(found)
    return sum(counted[token] for token in _STEP_TOKENS) + max(0, counted[b";"] - 1)


def _same_names(one: Print, other: Print) -> float:
    either = len(one.names | other.names)
    return len(one.names & other.names) / either if either else 1.0


class Index:
    """Fingerprints by number, found by their runs."""

    def __init__(self, prints: Sequence[Print | None] = ()) -> None:
        self._prints: dict[int, Print] = {}
        self._by_run: dict[int, list[int]] = {}
        for number, one in enumerate(prints):
            if one is not None:
                self.put(number, one)

    def put(self, number: int, one: Print) -> None:
        """Take a function in, under a number that is free."""
        self._prints[number] = one
        for run in one.runs:
            self._by_run.setdefault(run, []).append(number)

    def drop(self, number: int) -> None:
        """Forget a function."""
        for run in self._prints.pop(number).runs:
            self._by_run[run].remove(number)

    def runs(self, number: int) -> frozenset[int]:
        """The runs of one of the functions; none where it is too small to have any."""
        one = self._prints.get(number)
        return one.runs if one is not None else frozenset()

    def like(self, wanted: Print, least: float = 0.5, names: float = SAME_NAMES) -> list[Pair]:
        """The functions most like one, best first; `least` score, and `names` in common."""
        shared: Counter[int] = Counter()
        for run in wanted.runs:
            holders = self._by_run.get(run, ())
            if len(holders) <= _TOO_COMMON:
                shared.update(holders)
        pairs = []
        for number, _ in heapq.nsmallest(_COMPARED, shared.items(), key=lambda item: (-item[1], item[0])):
            other = self._prints[number]
            score, common = self._similarity(wanted, other), _same_names(wanted, other)
            if score >= least and common >= names:
                pairs.append(Pair(number, round(score, 3), other.exact == wanted.exact, common))
        return sorted(pairs, key=lambda p: (-p.exact, -p.score, p.index))

    def _similarity(self, one: Print, other: Print) -> float:
        """Weighted Jaccard: the share of the two functions' runs that both have."""
        both = sum(map(self._weight, one.runs & other.runs))
        either = both + sum(map(self._weight, one.runs ^ other.runs))
        return both / either if either else 0.0

    def _weight(self, run: int) -> float:
        return math.log(1 + len(self._prints) / (1 + len(self._by_run.get(run, ()))))
