"""What changing a definition may touch: its callers, their callers, and how sure each step is."""

from __future__ import annotations

import msgspec

from nav_ls.query import calls
from nav_ls.query.model import SymbolInfo
from nav_ls.query.ranks import is_test
from nav_ls.query.snapshot import Snapshot
from nav_ls.store.rows import EVIDENCE

DEPTH = 3
LIMIT = 200
_PER_STEP = 300
_RANK = {evidence: rank for rank, evidence in enumerate(EVIDENCE)}


class Reached(msgspec.Struct, frozen=True):
    """A definition that reaches the changed one in `depth` steps.

    `evidence` is the weakest on the way, `via` the definition that it calls or uses on that way; `use`: the last
    step passes it on as a value.
    """

    symbol: SymbolInfo
    depth: int
    evidence: str
    via: SymbolInfo
    use: bool
    test: bool


class Impact(msgspec.Struct, frozen=True):
    """What is reached, nearest first.  `possible`: unproved sites that call something of that name, by definition.

    `cut`: the limit ended the search before everything was reached.
    """

    symbol: SymbolInfo
    reached: tuple[Reached, ...]
    possible: int
    cut: bool


def impact(snapshot: Snapshot, symbol: SymbolInfo, depth: int = DEPTH, limit: int = LIMIT) -> Impact:
    """Everything that calls or uses a definition, directly or through others, up to `depth` steps."""
    seen = {(symbol.path, symbol.key)}
    reached: list[Reached] = []
    front: list[tuple[SymbolInfo, str]] = [(symbol, EVIDENCE[0])]
    possible = 0
    for step in range(1, depth + 1):
        following: list[tuple[SymbolInfo, str]] = []
        for target, evidence in front:
            found = calls.callers(snapshot, target, _PER_STEP)
            possible += found.possible_total if step == 1 else 0
            for caller, use in [(c, False) for c in found.callers] + [(c, True) for c in found.uses]:
                at = (caller.symbol.path, caller.symbol.key)
                if at in seen:
                    continue
                if len(reached) >= limit:
                    return Impact(symbol, tuple(reached), possible, True)
                seen.add(at)
                weakest = max(evidence, caller.evidence, key=_RANK.__getitem__)
                info = snapshot.file(caller.symbol.path)
                test = info is not None and is_test(info)
                reached.append(Reached(caller.symbol, step, weakest, target, use, test))
                # Code at the top of a file is run by an import: nobody calls it.
                if caller.symbol.key:
                    following.append((caller.symbol, weakest))
        front = following
    return Impact(symbol, tuple(reached), possible, False)
