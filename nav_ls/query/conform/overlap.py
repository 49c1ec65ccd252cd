"""How two functions lie over each other, token by token and in order: what tells a copy from two of one shape."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

from nav_ls.text.lexing import BRANCHES, NAME, NUMBER, STRING, blind, statements, tokens

_PASSAGE = 8
"""Tokens in a row that both must have: shorter rows are found between any two functions."""


class Overlap(msgspec.Struct, frozen=True):
    """`tokens` that both have in the same order, and the `share` of the two functions that they are.

    `names`: the share of the renamed names that are renamed alike each time.  `literals`: the share of the literals that
    are the same.  `branches` among the tokens: straight lines of calls are alike where they call one thing.  `is_twin`:
    one waits and the other does not.
    """

    tokens: int
    share: float
    names: float
    literals: float
    branches: int
    is_twin: bool


def overlap(one: bytes, other: bytes, language: str) -> Overlap:
    """How the bodies of two functions lie over each other."""
    a, b = statements(tokens(one, language)), statements(tokens(other, language))
    plain = blind(a, language)
    pairs = list(_pairs(plain, blind(b, language)))
    renamed: defaultdict[bytes, Counter[bytes]] = defaultdict(Counter)
    literals = []
    for i, j in pairs:
        if plain[i] == NAME:
            renamed[a[i]][b[j]] += 1
        elif plain[i] in (STRING, NUMBER):
            literals.append(a[i] == b[j])
    alike = sum(max(names.values()) for names in renamed.values())
    return Overlap(
        len(pairs),
        2 * len(pairs) / (len(a) + len(b)) if pairs else 0.0,
        _share(alike, sum(names.total() for names in renamed.values())),
        _share(sum(literals), len(literals)),
        sum(plain[i] in BRANCHES for i, _ in pairs),
        (b"await" in a) != (b"await" in b),
    )


def _pairs(one: Sequence[bytes], other: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks():
        if block.size >= _PASSAGE:
            yield from zip(range(block.a, block.a + block.size), range(block.b, block.b + block.size), strict=True)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
