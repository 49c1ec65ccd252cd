"""Functions that do what another one does already: renamed, reordered or lightly rewritten copies.

Two functions are compared by the runs of four tokens that they share, names that a renaming may change made
alike.  Runs that many functions have (a loop's header, a guard) count little: each weighs the more the rarer it is.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from nav_ls.text.lexing import KEYWORDS, NAME, NUMBER, STRING, blind, tokens

_WORD = re.compile(rb"[A-Za-z_$\x80-\xff]")
RUN = 4
"""Tokens in a run."""
SMALLEST = 24
"""Tokens of a body below which two functions are alike by chance."""
_SMALL = 45
"""Tokens below which two functions have to be nearly the same to be told alike."""
_SAME_NAMES = 0.75
"""Share of the called functions and members that two functions must have in common."""
_TOO_COMMON = 400
"""A run that more functions have is no reason to compare two of them."""


class Print(msgspec.Struct, frozen=True):
    """The fingerprint of a function: its runs, its tokens as they are, and the members and functions that it names."""

    runs: frozenset[int]
    size: int
    exact: int
    names: frozenset[bytes]


class Pair(msgspec.Struct, frozen=True):
    """`index` of the function that is like the one asked about; `score` 0 to 1; `exact`: token by token the same."""

    index: int
    score: float
    exact: bool


def threshold(one: Print) -> float:
    """Similarity from which a function is told to be a copy; measured by `nav eval conformance`."""
    return 0.72 if one.size < _SMALL else 0.5


def fingerprint(body: bytes, language: str) -> Print | None:
    """The fingerprint of what stands behind a function's name, None where it is too small to say anything."""
    found = tokens(body, language)
    if len(found) < SMALLEST:
        return None
    plain = blind(found)
    runs = frozenset(hash(tuple(plain[i : i + RUN])) for i in range(len(plain) - RUN + 1))
    names = frozenset(t for t in plain if t not in KEYWORDS and t not in (NAME, NUMBER, STRING) and _WORD.match(t))
    return Print(runs, len(found), hash(tuple(found)), names)


def _same_names(one: Print, other: Print) -> bool:
    """Do both call and read mostly the same things?  Two that only have the same shape do something else each."""
    either = len(one.names | other.names)
    return len(one.names & other.names) >= _SAME_NAMES * either


class Index:
    """Fingerprints of many functions, by run."""

    def __init__(self, prints: Sequence[Print | None]) -> None:
        self._prints = prints
        self._by_run: dict[int, list[int]] = {}
        for index, one in enumerate(prints):
            for run in one.runs if one is not None else ():
                self._by_run.setdefault(run, []).append(index)
        self._count = max(1, sum(one is not None for one in prints))

    def runs(self, index: int) -> frozenset[int]:
        """The runs of one of the functions."""
        one = self._prints[index]
        return one.runs if one is not None else frozenset()

    def like(self, wanted: Print, among: Iterable[int] | None = None, least: float = 0.5) -> list[Pair]:
        """The functions most like one, best first; `among` limits which."""
        allowed = None if among is None else set(among)
        shared: Counter[int] = Counter()
        for run in wanted.runs:
            holders = self._by_run.get(run, ())
            if len(holders) <= _TOO_COMMON:
                shared.update(holders)
        pairs = []
        for index, _ in shared.most_common(60):
            other = self._prints[index]
            if other is None or (allowed is not None and index not in allowed):
                continue
            score = self._similarity(wanted, other)
            if score >= least and _same_names(wanted, other):
                pairs.append(Pair(index, round(score, 3), other.exact == wanted.exact))
        return sorted(pairs, key=lambda p: (-p.exact, -p.score, p.index))

    def _similarity(self, one: Print, other: Print) -> float:
        """Weighted Jaccard: the share of the two functions' runs that both have."""
        both = sum(map(self._weight, one.runs & other.runs))
        either = both + sum(map(self._weight, one.runs ^ other.runs))
        return both / either if either else 0.0

    def _weight(self, run: int) -> float:
        return math.log(1 + self._count / (1 + len(self._by_run.get(run, ()))))
