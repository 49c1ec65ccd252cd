"""What a prompt's hook injects, against what a senior engineer of the project would point at.

    python -m benchmarks.prompts --checkouts DIR [--fresh] [--lexical] [--detail] [--work DIR]

`benchmarks/prompts/NAME.jsonl` holds 20 prompts for the repository whose checkout is DIR/NAME: ten that need to know
definitions, with those definitions, and ten that need none.  The checkout is copied, indexed and embedded first; with `--work` the copies stay there for the
next time.
With `--fresh` those of `benchmarks/prompts/fresh` instead, which no figure of the gate was chosen by.

A prompt that needs context scores by the definitions that were injected whole: recall is the share of the labelled
ones, precision the share of injected ones that are labelled (a type counts for its members and a member for its
type).  One that needs none should get nothing.  Before calibration: everything that search finds is let through.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec

from nav_ls.commands.context import ContextResult, context_for
from nav_ls.query import context as chosen
from nav_ls.query.context import GATE, Gate
from nav_ls.query.prompts import is_machine_made
from nav_ls.workspace.workspace import Workspace

PROMPTS = Path(__file__).with_name("prompts")
FRESH = PROMPTS / "fresh"
OPEN = Gate(lead=0.0, near=0.0, near_words=0.0, near_named=0.0, near_last=0.0, words=0)
"""Lets everything through."""
CHARACTERS = 8850
LEADS = [round(0.30 + 0.05 * step, 2) for step in range(10)]
NEARS = [round(0.50 + 0.05 * step, 2) for step in range(8)]


class Labelled(msgspec.Struct, frozen=True):
    """A prompt with the definitions that it needs, (path, symbol)."""

    prompt: str
    definitions: tuple[tuple[str, str], ...]


class Score(msgspec.Struct, frozen=True):
    """Of a set of prompts.  `quiet`: share of the prompts without need that got nothing; `told`: of the others, something."""

    recall: float
    precision: float
    told: float
    quiet: float
    injected: float
    """Definitions per prompt that got any."""


def load(file: Path) -> list[Labelled]:
    """The prompts of one repository."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [
        Labelled(row["prompt"], tuple((item["path"], item["symbol"]) for item in row["definitions"])) for row in rows
    ]


def inject(workspace: Workspace, prompt: str, gate: Gate) -> ContextResult | None:
    """What a prompt's hook would inject, with another gate."""
    if is_machine_made(prompt):
        return None
    return context_for(workspace, prompt, CHARACTERS, chosen.MOST_BLOCKS, frozenset(), gate)


def score(results: Sequence[tuple[Labelled, ContextResult | None]]) -> Score:
    """Micro-averages over definitions, shares over prompts."""
    found = wanted = right = shown = told = need = quiet = 0
    for labelled, result in results:
        blocks = [(block.path, block.symbol) for block in result.blocks] if result is not None else []
        if not labelled.definitions:
            quiet += not blocks
            continue
        need += 1
        told += bool(blocks)
        wanted += len(labelled.definitions)
        found += sum(any(_meets(block, item) for block in blocks) for item in labelled.definitions)
        shown += len(blocks)
        right += sum(any(_meets(block, item) for item in labelled.definitions) for block in blocks)
    without = len(results) - need
    # What a prompt without need gets is wrong as well.
    shown += sum(len(result.blocks) for labelled, result in results if result and not labelled.definitions)
    got = told + without - quiet
    return Score(
        recall=found / max(1, wanted),
        precision=right / max(1, shown),
        told=told / max(1, need),
        quiet=quiet / max(1, without),
        injected=shown / max(1, got),
    )


def _meets(block: tuple[str, str], item: tuple[str, str]) -> bool:
    if block[0] != item[0]:
        return False
    one, other = block[1], item[1]
    return one == other or one.startswith(other + ".") or other.startswith(one + ".")


def workspaces(prompts: Path, checkouts: Path, folder: Path, *, lexical: bool) -> Iterator[tuple[Path, Workspace]]:
    """An indexed copy of each repository that has prompts, with the file that holds these."""
    for file in sorted(prompts.glob("*.jsonl")):
        root = folder / ("words" if lexical else "hybrid") / file.stem
        if not root.exists():
            shutil.copytree(checkouts / file.stem, root, ignore=shutil.ignore_patterns(".nav", ".git"), symlinks=True)
        workspace = Workspace.open(root)
        workspace.sync()
        workspace.searching.refresh()
        if not lexical:
            workspace.searching.embed()
        yield file, workspace


def evaluate(spaces: Sequence[tuple[Path, Workspace]], gate: Gate) -> list[tuple[str, Labelled, ContextResult | None]]:
    """All prompts of all repositories."""
    return [
        (file.stem, labelled, inject(workspace, labelled.prompt, gate))
        for file, workspace in spaces
        for labelled in load(file)
    ]


def main(argv: Sequence[str]) -> int:
    """Print the figures before and after calibration, and a line for each threshold of the grid."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkouts", type=Path, required=True, help="folder with a checkout of each repository")
    parser.add_argument("--fresh", action="store_true", help="the prompts that played no part in the calibration")
    parser.add_argument("--lexical", action="store_true", help="without vectors, as where no server runs")
    parser.add_argument("--detail", action="store_true", help="each prompt with what it got")
    parser.add_argument("--work", type=Path, help="where the indexed copies are kept (default: nowhere)")
    args = parser.parse_args(argv)
    with nullcontext(args.work) if args.work else tempfile.TemporaryDirectory() as folder:
        prompts = FRESH if args.fresh else PROMPTS
        spaces = list(workspaces(prompts, args.checkouts, Path(folder), lexical=args.lexical))
        try:
            _report(spaces, args.detail, grid=not args.fresh)
        finally:
            for _, workspace in spaces:
                workspace.close()
    return 0


Rows = Sequence[tuple[str, Labelled, ContextResult | None]]


def _report(spaces: Sequence[tuple[Path, Workspace]], detail: bool, *, grid: bool) -> None:
    print(f"{'gate':28} recall  precision  told  quiet  per prompt")
    _line("before: all that is found", evaluate(spaces, OPEN))
    after = evaluate(spaces, GATE)
    _line("after: as calibrated", after)
    for file, _ in spaces:
        _line(f"  {file.stem}", [row for row in after if row[0] == file.stem])
    if grid:
        _grid(spaces)
    if detail:
        for name, labelled, result in after:
            _explain(name, labelled, result)


def _grid(spaces: Sequence[tuple[Path, Workspace]]) -> None:
    """Along each of the two lines through the gate; and what repositories get that took no part in choosing it."""
    gates = [msgspec.structs.replace(GATE, lead=lead) for lead in LEADS]
    gates += [msgspec.structs.replace(GATE, near=near) for near in NEARS]
    found = {(gate.lead, gate.near): evaluate(spaces, gate) for gate in gates}
    _line("after, held out", _held_out(found))
    for (lead, near), rows in found.items():
        _line(f"  lead {lead:.2f}, near {near:.2f}", rows)


def _held_out(grid: dict[tuple[float, float], Rows]) -> Rows:
    """Each repository with the gate that is best on the others: what a new repository may expect."""
    names = sorted({row[0] for rows in grid.values() for row in rows})
    found: list[tuple[str, Labelled, ContextResult | None]] = []
    for name in names:
        best = max(grid, key=lambda step: _worth([row for row in grid[step] if row[0] != name]))
        found += [row for row in grid[best] if row[0] == name]
    return found


def _worth(rows: Rows) -> float:
    """Harmonic mean of precision and recall, times the share of prompts that rightly got nothing."""
    s = score([(labelled, result) for _, labelled, result in rows])
    return s.quiet * 2 * s.precision * s.recall / max(1e-9, s.precision + s.recall)


def _line(label: str, rows: Rows) -> None:
    s = score([(labelled, result) for _, labelled, result in rows])
    print(f"{label:28} {s.recall:6.3f}  {s.precision:9.3f}  {s.told:4.2f}  {s.quiet:5.2f}  {s.injected:10.1f}")


def _explain(name: str, labelled: Labelled, result: ContextResult | None) -> None:
    print(f"\n{name}: {labelled.prompt}")
    for item in labelled.definitions:
        print(f"  wanted {item[0]}: {item[1]}")
    for block in result.blocks if result is not None else ():
        right: Any = "+" if any(_meets((block.path, block.symbol), item) for item in labelled.definitions) else "-"
        print(f"  {right} {block.path}: {block.symbol} ({block.why} {block.score})")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
