"""How good a ranking is, and how sure that is.  Standard library only."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

import msgspec

KS = (1, 5, 10)
LINE_BUDGETS = (100, 300)
ROUNDS = 2000
CONFIDENCE = 0.95


class Target(msgspec.Struct, frozen=True):
    """What should be found: a file, or lines of it (from 1, both ends included)."""

    path: str
    start_line: int | None = None
    end_line: int | None = None


class Result(msgspec.Struct, frozen=True):
    """What was found.  Lines count from 1, both ends included."""

    path: str
    start_line: int
    end_line: int


class Interval(msgspec.Struct, frozen=True):
    """A mean with its bootstrap interval."""

    mean: float
    low: float
    high: float


def hits(result: Result, target: Target) -> bool:
    """Whether a result counts for a target: same path, and at least one line in common where the target has lines."""
    if result.path != target.path:
        return False
    if target.start_line is None or target.end_line is None:
        return True
    return result.start_line <= target.end_line and target.start_line <= result.end_line


def measure(results: Sequence[Result], targets: Sequence[Target], k: int = 10) -> dict[str, float]:
    """ndcg@k, mrr, recall@1/5/10, and recall within the first 100 and 300 returned lines, of one question.

    A target's rank is that of the first result that hits it; a position counts once, whatever it hits.
    """
    ranks = [_rank(results[:k], target) for target in targets]
    found = [rank for rank in ranks if rank]
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(k, len(targets)) + 1))
    gained = sum(1 / math.log2(place + 1) for place in set(found))
    out = {
        f"ndcg@{k}": gained / ideal if ideal else 0.0,
        "mrr": 1 / min(found) if found else 0.0,
    }
    for limit in KS:
        out[f"recall@{limit}"] = _share(sum(rank <= limit for rank in found), targets)
    for budget in LINE_BUDGETS:
        shown = _within(results, budget)
        out[f"recall@{budget}L"] = _share(sum(bool(_rank(shown, target)) for target in targets), targets)
    return out


def _share(count: int, targets: Sequence[Target]) -> float:
    return count / len(targets) if targets else 0.0


def _rank(results: Sequence[Result], target: Target) -> int:
    """From 1; 0 where nothing hits."""
    return next((place for place, result in enumerate(results, 1) if hits(result, target)), 0)


def _within(results: Sequence[Result], budget: int) -> list[Result]:
    spent, out = 0, []
    for result in results:
        spent += max(1, result.end_line - result.start_line + 1)
        if spent > budget:
            break
        out.append(result)
    return out


def macro(groups: Mapping[str, Sequence[float]]) -> float:
    """Mean over groups of the mean in each."""
    means = [sum(values) / len(values) for values in groups.values() if values]
    return sum(means) / len(means) if means else 0.0


def interval(groups: Mapping[str, Sequence[float]], seed: int = 7) -> Interval:
    """The macro mean with its interval: values are drawn anew within each group, so groups count as given."""
    draw = random.Random(seed)
    filled = [list(values) for values in groups.values() if values]
    if not filled:
        return Interval(0.0, 0.0, 0.0)
    means = []
    for _ in range(ROUNDS):
        picked = [sum(draw.choices(values, k=len(values))) / len(values) for values in filled]
        means.append(sum(picked) / len(picked))
    means.sort()
    edge = (1 - CONFIDENCE) / 2
    return Interval(macro(groups), means[int(edge * ROUNDS)], means[min(ROUNDS - 1, int((1 - edge) * ROUNDS))])
