"""The tables of docs/search.md, from the measures that `benchmarks/retrieval.py --json` has written.

    python -m benchmarks.retrieval_summary RUN.json... [--published published.json]

Every run holds one or more repositories.  published.json: repository → system → NDCG@10, for the systems to compare with.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.retrieval import WITHOUT
from nav_ls.evaluate.measures import interval, macro

Row = dict[str, Any]
METRIC = "ndcg@10"
SCOPES = ("root", "whole")
PARTS = {"words": "lexical", "meaning": "vector", "both": "hybrid"}
NOTHING = 0.001
"""A smaller gain helps no repository."""
SYSTEMS = {"semble": "semble", "CodeRankEmbed hybrid": "coderankembed_hybrid", "BM25": "bm25_raw"}


class Runs:
    """Measures of several runs, by variant (`root/hybrid`), then by repository."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._rows: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
        for path in paths:
            for variant, rows in json.loads(path.read_text("utf-8")).items():
                for row in rows:
                    self._rows[variant][row["repo"]].append(row)

    def repositories(self) -> dict[str, str]:
        """Their languages, by name."""
        return {repo: rows[0]["language"] for repo, rows in sorted(self._rows["whole/hybrid"].items())}

    def values(self, variant: str, category: str = "") -> dict[str, list[float]]:
        """The metric of every question (of a category), by repository, in the order of the questions."""
        return {
            repo: [row["measures"][METRIC] for row in rows if category in ("", row["category"])]
            for repo, rows in self._rows[variant].items()
        }

    def categories(self) -> list[str]:
        """What kinds of questions there are."""
        return sorted({row["category"] for rows in self._rows["whole/hybrid"].values() for row in rows})

    def parts(self) -> list[str]:
        """The parts of the ranking that were left out in turn."""
        return [name.partition(WITHOUT)[2] for name in self._rows if name.startswith(f"whole/hybrid{WITHOUT}")]


def beside_others(runs: Runs, published: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """Both scopes of each repository beside other systems; the best at `root` is bold."""
    yield from _head("repository", "language", *(f"nav, {scope}" for scope in SCOPES), *SYSTEMS)
    columns: list[dict[str, float]] = [{repo: macro({repo: v}) for repo, v in runs.values("root/hybrid").items()}]
    columns += [{repo: found[key] for repo, found in published.items() if key in found} for key in SYSTEMS.values()]
    whole = {repo: macro({repo: v}) for repo, v in runs.values("whole/hybrid").items()}
    repositories = runs.repositories()
    for repo, language in repositories.items():
        ours, *theirs = _bold([column.get(repo) for column in columns])
        yield _line(repo, language, ours, _cell(whole[repo]), *theirs)
    means = [_mean([column[repo] for repo in repositories if repo in column]) for column in columns]
    ours, *theirs = _bold(means)
    yield _line("mean", "", ours, _cell(_mean(list(whole.values()))), *theirs)


def by_part(runs: Runs) -> Iterator[str]:
    """Words, meaning and both of each repository; what both bring beyond the better part, with its paired interval."""
    yield from _head("repository", *(f"{scope}: {part}" for scope in SCOPES for part in (*PARTS, "gain, 95 %")))
    for repo in runs.repositories():
        cells: list[str] = []
        for scope in SCOPES:
            found = [runs.values(f"{scope}/{mode}")[repo] for mode in PARTS.values()]
            cells += _bold([_mean(values) for values in found])
            *parts, both = found
            better = max(parts, key=_mean)
            spread = interval({repo: [a - b for a, b in zip(both, better, strict=True)]})
            cells.append(f"{spread.low:+.2f} to {spread.high:+.2f}")
        yield _line(repo, *cells)
    means = [[macro(runs.values(f"{scope}/{mode}")) for mode in PARTS.values()] for scope in SCOPES]
    yield _line("mean", *(cell for row in means for cell in (*_bold(row), "")))


def by_category(runs: Runs) -> Iterator[str]:
    """The same by kind of question: means over the repositories that have such questions."""
    yield from _head("questions", *(f"{scope}: {part}" for scope in SCOPES for part in PARTS))
    for category in runs.categories():
        means = [[macro(runs.values(f"{scope}/{mode}", category)) for mode in PARTS.values()] for scope in SCOPES]
        yield _line(category, *(cell for row in means for cell in _bold(row)))


def of_parts(runs: Runs) -> Iterator[str]:
    """What each part of the ranking brings: with it, less without it, over paired questions."""
    yield from _head(
        "part", *(f"{scope}: {column}" for scope in SCOPES for column in ("gain", "95 %", "helps : harms"))
    )
    for part in runs.parts():
        cells: list[str] = []
        for scope in SCOPES:
            with_it, without = runs.values(f"{scope}/hybrid"), runs.values(f"{scope}/hybrid{WITHOUT}{part}")
            gains = {repo: [a - b for a, b in zip(with_it[repo], without[repo], strict=True)] for repo in with_it}
            means = [_mean(values) for values in gains.values()]
            spread = interval(gains)
            helped, harmed = sum(mean > NOTHING for mean in means), sum(mean < -NOTHING for mean in means)
            cells += [f"{spread.mean:+.3f}", f"{spread.low:+.3f} to {spread.high:+.3f}", f"{helped} : {harmed}"]
        yield _line(part, *cells)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _head(*names: str) -> Iterator[str]:
    yield _line(*names)
    yield (
        "|"
        + "|".join("---" if name in ("repository", "language", "questions", "part") else "--:" for name in names)
        + "|"
    )


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".removeprefix("0")


def _bold(values: Sequence[float | None]) -> list[str]:
    """The cells of a row, the best of them bold."""
    cells = [_cell(value) for value in values]
    best = max((value for value in values if value is not None), default=None)
    return [f"**{cell}**" if cell and cell == _cell(best) else cell for cell in cells]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--published", type=Path)
    args = parser.parse_args()
    runs = Runs(args.runs)
    published = json.loads(args.published.read_text("utf-8")) if args.published else {}
    tables = [beside_others(runs, published), by_part(runs), by_category(runs)]
    if runs.parts():
        tables.append(of_parts(runs))
    for table in tables:
        print("\n".join(table), end="\n\n")


if __name__ == "__main__":
    main()
