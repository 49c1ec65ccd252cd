"""Asks every question in every mode, and says how well each mode does, how sure that is, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from nav_ls.evaluate.measures import Interval, Result, interval, measure
from nav_ls.evaluate.measures import hits as is_hit
from nav_ls.evaluate.sets import Item
from nav_ls.text.errors import UsageError

METRICS = ("recall@1", "recall@5", "recall@10", "mrr", "ndcg@10")
INSTEAD = 3
"""How many of the hits that came before the right one are told."""


class Found(msgspec.Struct, frozen=True):
    """A hit as a question's answer lists it.  `why` is short and for people."""

    result: Result
    symbol: str
    score: float
    why: str


Ask = Callable[[Item, str], Sequence[Found]]
"""(question, mode) → hits, best first."""


class Answered(msgspec.Struct, frozen=True):
    """One question in one mode.  `rank` of the right answer counts from 1, 0 where it is missing."""

    mode: str
    rank: int
    values: dict[str, float]
    instead: tuple[Found, ...]


class Asked(msgspec.Struct, frozen=True):
    """One question in all modes."""

    item: Item
    answers: tuple[Answered, ...]


class Score(msgspec.Struct, frozen=True):
    """How well a mode does on a set."""

    kind: str
    mode: str
    questions: int
    metrics: dict[str, Interval]


class Evaluation(msgspec.Struct, frozen=True):
    """The scores by set and mode, and every question."""

    scores: tuple[Score, ...]
    questions: tuple[Asked, ...]


def evaluate(
    items: Sequence[Item], modes: Sequence[str], ask: Ask, progress: Callable[[int, int], None] | None = None
) -> Evaluation:
    """Ask everything."""
    asked = []
    for done, item in enumerate(items):
        asked.append(Asked(item, tuple(_answered(item, mode, ask(item, mode)) for mode in modes)))
        if progress:
            progress(done + 1, len(items))
    kinds = list(dict.fromkeys(item.kind for item in items))
    scores = tuple(_score(kind, mode, asked) for kind in kinds for mode in modes)
    return Evaluation(scores, tuple(asked))


def _answered(item: Item, mode: str, found: Sequence[Found]) -> Answered:
    results = [hit.result for hit in found]
    rank = next((n for n, result in enumerate(results, 1) if any(is_hit(result, t) for t in item.targets)), 0)
    before = found[: rank - 1] if rank else found
    return Answered(mode, rank, measure(results, item.targets), tuple(before[:INSTEAD]))


def _score(kind: str, mode: str, asked: Sequence[Asked]) -> Score:
    rows = [answer.values for one in asked if one.item.kind == kind for answer in one.answers if answer.mode == mode]
    metrics = {name: interval({"all": [row[name] for row in rows]}) for name in METRICS}
    return Score(kind, mode, len(rows), metrics)


def limits(text: str) -> dict[str, float]:
    """`recall@10=0.6,mrr=0.35` as a table.  Raises UsageError."""
    found: dict[str, float] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, value = part.partition("=")
        if name not in METRICS:
            raise UsageError(f"there is no measure {name!r}; there are: {', '.join(METRICS)}")
        try:
            found[name] = float(value)
        except ValueError:
            raise UsageError(f"{part!r} is not NAME=NUMBER") from None
    return found


def failures(evaluation: Evaluation, mode: str, least: Mapping[str, float]) -> list[str]:
    """What lies under its limit, in words.  Raises UsageError where the mode was not asked."""
    scores = [score for score in evaluation.scores if score.mode == mode]
    if least and not scores:
        raise UsageError(f"the mode {mode!r} was not evaluated")
    return [
        f"{score.kind}: {name} of {mode} is {score.metrics[name].mean:.3f}, under {value:g}"
        for score in scores
        for name, value in least.items()
        if score.metrics[name].mean < value
    ]
