"""nav.eval.conformance: how well copies are told from new functions, measured on this repository's own code."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec

from nav_ls.commands.model import Command, Context
from nav_ls.evaluate.transforms import TRANSFORMS
from nav_ls.query.conform import clones
from nav_ls.query.conform.change import functions
from nav_ls.query.conform.library import body
from nav_ls.store.rows import FileFlag
from nav_ls.text.errors import UsageError
from nav_ls.workspace.workspace import Workspace


class _Function(msgspec.Struct, frozen=True):
    """A function to copy: its name, and the text behind it."""

    name: str
    language: str
    body: bytes


class EvalParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`sample`: functions that each transformation is tried on; `seed` makes the choice repeatable.

    `negatives`: a folder with another repository in the same language, whose functions are new here for certain.
    Without it this repository's own functions are looked up with themselves taken out.
    """

    sample: int = 200
    seed: int = 1
    negatives: str = ""


class Row(msgspec.Struct, frozen=True):
    """One transformation: `found` of `tried` copies led to the function that they were made from."""

    transform: str
    tried: int
    found: int
    recall: float


class EvalResult(msgspec.Struct, frozen=True):
    """`negatives`: new functions that were looked up; `false`: those that were called a copy all the same.

    Without another repository a function that this one really has twice counts as false: the precision is then a
    lower bound.  `precision` is over all copies found and all false alarms, with as many negatives as copies tried.
    `elsewhere`: whether the negatives are another repository's.
    """

    rows: tuple[Row, ...]
    negatives: int
    false: int
    precision: float
    elsewhere: bool


def run_eval(workspace: Workspace, params: EvalParams, context: Context) -> EvalResult:
    """Make copies, look them up, count."""
    if not 1 <= params.sample <= 10_000:
        raise UsageError(f"sample must lie between 1 and 10,000, not {params.sample}")
    units = _units(workspace)
    prints = [clones.fingerprint(f.body, f.language) for f in units]
    index = clones.Index(prints)
    chance = random.Random(params.seed)
    candidates = [i for i, one in enumerate(prints) if one is not None]
    chosen = sorted(chance.sample(candidates, min(params.sample, len(candidates))))
    rows = tuple(_try(name, units, index, chosen, params.seed) for name in TRANSFORMS)
    if params.negatives:
        others = [clones.fingerprint(f.body, f.language) for f in _elsewhere(Path(params.negatives), context)]
        new = [one for one in others if one is not None]
        false = sum(bool(index.like(one, least=clones.threshold(one))) for one in new)
    else:
        new = [one for i in chosen if (one := prints[i]) is not None]
        false = sum(_has_twin(i, prints, index) for i in chosen)
    tried, found = sum(r.tried for r in rows), sum(r.found for r in rows)
    alarms = false * tried / len(new) if new else 0.0
    precision = found / (found + alarms) if found else 0.0
    return EvalResult(rows, len(new), false, round(precision, 3), bool(params.negatives))


def _try(name: str, units: list[_Function], index: clones.Index, chosen: list[int], seed: int) -> Row:
    chance = random.Random(seed)
    tried = found = 0
    for i in chosen:
        unit = units[i]
        copy = TRANSFORMS[name](unit.name, unit.body.decode("utf-8", "replace"), chance)
        if copy is None:
            continue
        made = clones.fingerprint(copy.encode(), unit.language)
        if made is None:
            continue
        tried += 1
        best = index.like(made, least=clones.threshold(made))
        found += any(pair.index == i for pair in best[:5]) or _is_twin(index, best[:1], i)
    return Row(name, tried, found, round(found / tried, 3) if tried else 0.0)


def _is_twin(index: clones.Index, best: list[clones.Pair], i: int) -> bool:
    """Did the look-up lead to a function that is the same as the original but for names?"""
    return any(index.runs(pair.index) == index.runs(i) for pair in best)


def _has_twin(i: int, prints: list[clones.Print | None], index: clones.Index) -> bool:
    mine = prints[i]
    return mine is not None and any(pair.index != i for pair in index.like(mine, least=clones.threshold(mine)))


def _elsewhere(folder: Path, context: Context) -> list[_Function]:
    other = Workspace.open(folder)
    try:
        other.sync(progress=context.progress)
        return _units(other)
    finally:
        other.close()


def _units(workspace: Workspace) -> list[_Function]:
    units = []
    with workspace.snapshot() as snapshot:
        for file in snapshot.files():
            if not file.language or file.flags & (FileFlag.TEST | FileFlag.GENERATED):
                continue
            text = workspace.text(file.path)
            if text is not None:
                found = functions(snapshot, file.path)
                units += [_Function(symbol.name, file.language, body(symbol, text)) for symbol in found]
    return units


COMMANDS = (
    Command("nav.eval.conformance", EvalParams, EvalResult, run_eval, "how well copies are told from new functions"),
)
