"""Retrieval on labelled questions: lexical, vector and hybrid, at two scopes, and what each part of the ranking brings.

    python benchmarks/retrieval.py QUESTIONS.jsonl --checkouts DIR --work DIR [--repos repos.json] [--ablate]

QUESTIONS.jsonl: {"repo", "query", "targets" or "gold": [{"path", "start_line"?, "end_line"?}], "category"?, "language"?,
"parent_commit"? or "commit"?} a line.  DIR/<repo>/ (or DIR/<repo>@<commit>/) holds the tree that is searched; it is
linked or copied into --work, where the index and all vectors live from one run, and from one commit, to the next.  repos.json names each repository's
"root", which the scope `root` searches alone.  Runs are written beside the index, for other scorers.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from nav_ls.evaluate.measures import Result, Target, interval, macro, measure
from nav_ls.query.ranking import DEFAULT_WEIGHTS, Weights
from nav_ls.query.search import SearchQuery
from nav_ls.workspace.workspace import Workspace

Row = dict[str, Any]
MODES = ("lexical", "vector", "hybrid")
METRICS = ("ndcg@10", "mrr", "recall@1", "recall@5", "recall@10", "recall@100L", "recall@300L")
WITHOUT, WITH = " without ", " with "
PARTS: Mapping[str, Mapping[str, float]] = {
    "words (best units)": {"lexical": 0.0},
    "words (spread)": {"spread": 0.0},
    "meaning": {"meaning": 0.0, "cosine": 0.0},
    "meaning of files": {"meaning": 0.0},
    "meaning of units": {"cosine": 0.0},
    "file name": {"stem": 0.0},
    "folders": {"folder": 0.0},
    "named definitions": {"named": 0.0},
    "files as a whole": {"file": 0.0},
    "units on their own": {"file": 1.0},
    "pieces step back": {"piece": 1.0},
    "tests and docs step back": {"aside": 1.0, "mentioned": 1.0},
    "the same where they are mentioned": {"mentioned": 1.0},
    "other systems step back": {"foreign": 1.0},
    "repeated files step back": {"repeat": 1.0},
    "callees and callers of the best": {"linked": 0.0},
    "neighbours as one hit": {"screen": 0},
}
OTHERS: Mapping[str, tuple[float, ...]] = {
    "lexical": (0.25, 1.0),
    "spread": (0.25, 1.0),
    "meaning": (0.5, 2.0),
    "cosine": (0.25, 1.0),
    "stem": (0.4, 1.5),
    "folder": (0.0, 0.5),
    "named": (0.25, 1.0),
    "file": (0.4, 0.8),
    "piece": (0.6, 1.0),
    "aside": (0.25, 0.75),
    "mentioned": (0.5, 1.0),
    "foreign": (0.6, 1.0),
    "repeat": (0.55, 0.85),
    "linked": (0.05, 0.2),
    "screen": (25, 100),
}
"""Values that each weight might have instead: about half and about double."""


def questions(path: Path, only: Sequence[str]) -> dict[str, dict[str, list[Row]]]:
    """Rows by repository, then by commit ("": none is named); commits in order of time, so that neighbours differ least."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    found: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in sorted(rows, key=lambda row: (row["repo"], row.get("date") or "")):
        if not only or row["repo"] in only:
            found[row["repo"]][row.get("parent_commit") or row.get("commit") or ""].append(row)
    return found


def lay(tree: Path, root: Path) -> None:
    """Make `root` hold the files of `tree`.  What is the same already stays as it is, and so does the index."""
    wanted = files_of(tree)
    for name in files_of(root) - wanted:
        (root / name).unlink()
    for name in wanted:
        if not _same(tree / name, root / name):
            _link(tree / name, root / name)


def files_of(root: Path) -> set[str]:
    """The files of a tree, relative to it; neither links nor what git and nav keep there."""
    found: set[str] = set()
    for folder, dirs, names in os.walk(root):
        dirs[:] = [name for name in dirs if name not in (".nav", ".git")]
        paths = (os.path.join(folder, name) for name in names)
        found.update(os.path.relpath(path, root) for path in paths if not os.path.islink(path))
    return found


def _same(one: Path, other: Path) -> bool:
    return other.is_file() and (os.path.samefile(one, other) or filecmp.cmp(one, other, shallow=False))


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir():  # it was one in another tree
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def prepare(workspace: Workspace, tree: Path, embed: bool) -> None:
    """Let a workspace hold a tree, and index it."""
    lay(tree, workspace.root)
    workspace.sync()
    workspace.searching.refresh()
    if embed:
        workspace.searching.embed()


def answers(
    workspace: Workspace, row: Row, path: str | None, mode: str, per_file: int, weights: Sequence[Weights]
) -> list[list[Result]]:
    """What search finds for one question, once for each of the weights."""
    query = SearchQuery(row["query"], k=50, mode=mode, path=(path,) if path else (), per_file=per_file)
    found = workspace.searching.compare(query, weights)
    if found[0].mode != mode:
        sys.exit(f"{mode} is not possible: {', '.join(found[0].notes)}")
    return [[Result(hit.path, hit.start_line, hit.end_line) for hit in answer.hits] for answer in found]


def targets(row: Row) -> list[Target]:
    """What a question should find."""
    wanted = row.get("targets") or row.get("gold") or []
    return [Target(item["path"], item.get("start_line"), item.get("end_line")) for item in wanted]


def variants(args: argparse.Namespace) -> Iterator[tuple[str, str, int, dict[str, Weights]]]:
    """(scope, mode, hits a file, weights by the name of the run) of every query that is asked."""
    for scope in args.scope:
        for mode in args.modes:
            runs = {f"{scope}/{mode}": DEFAULT_WEIGHTS}
            if args.ablate and mode == "hybrid":
                for name, change in PARTS.items():
                    runs[f"{scope}/hybrid{WITHOUT}{name}"] = msgspec.structs.replace(DEFAULT_WEIGHTS, **change)
                for field, values in OTHERS.items():
                    for value in values:
                        runs[f"{scope}/hybrid{WITH}{field} {value:g}"] = msgspec.structs.replace(
                            DEFAULT_WEIGHTS, **{field: value}
                        )
            yield scope, mode, 0, runs
        yield scope, args.modes[-1], 1, {f"{scope}/{args.modes[-1]}, one hit a file": DEFAULT_WEIGHTS}


class Measured:
    """What was measured and found so far, by the name of the run."""

    def __init__(self) -> None:
        self.measures: dict[str, list[tuple[Row, dict[str, float]]]] = defaultdict(list)
        self._runs: dict[str, list[str]] = defaultdict(list)

    def add(self, name: str, row: Row, found: list[Result]) -> None:
        """What one run found for one question."""
        self.measures[name].append((row, measure(found, targets(row))))
        if WITH not in name and WITHOUT not in name:
            kept = {key: row.get(key) for key in ("id", "repo", "query")}
            self._runs[name].append(json.dumps({**kept, "results": msgspec.to_builtins(found)}))

    def write(self, folder: Path, questions: str) -> None:
        """Write what was found, for other scorers."""
        for name, lines in self._runs.items():
            plain = name.replace("/", "-").replace(" ", "-").replace(",", "")
            (folder / f"run-{questions}-{plain}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def run(args: argparse.Namespace) -> dict[str, list[tuple[Row, dict[str, float]]]]:
    """Every variant's measures of every question.  A repository's trees follow each other in one workspace."""
    roots = {row["repo"]: row.get("root") for row in json.loads(args.repos.read_text("utf-8"))} if args.repos else {}
    measured = Measured()
    for repo, trees in questions(args.questions, args.repo).items():
        (args.work / repo).mkdir(exist_ok=True)
        with closing(Workspace.open(args.work / repo)) as workspace:
            for commit, rows in trees.items():
                tree = args.checkouts / (f"{repo}@{commit}" if commit else repo)
                if not tree.is_dir():
                    sys.exit(f"no tree at {tree}")
                started = time.monotonic()
                prepare(workspace, tree, set(args.modes) != {"lexical"})
                ready = time.monotonic()
                _ask(args, workspace, roots.get(repo), rows, measured)
                print(
                    f"{repo} {commit[:10]} {len(rows)} questions, {ready - started:.1f} s to index, "
                    f"{time.monotonic() - ready:.1f} s to answer",
                    file=sys.stderr,
                    flush=True,
                )
    measured.write(args.work, args.questions.stem)
    return measured.measures


def _ask(args: argparse.Namespace, workspace: Workspace, root: str | None, rows: list[Row], measured: Measured) -> None:
    for scope, mode, per_file, chosen in variants(args):
        path = f"{root}/**" if root and scope == "root" else None
        for row in rows:
            made = answers(workspace, row, path, mode, per_file, list(chosen.values()))
            for name, found in zip(chosen, made, strict=True):
                measured.add(name, row, found)


def by(rows: Sequence[tuple[Row, dict[str, float]]], metric: str, key: str) -> dict[str, dict[str, list[float]]]:
    """Values by the row's `key`, then by repository."""
    out: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row, values in rows:
        out[row.get(key) or "all"][row["repo"]].append(values[metric])
    return out


def report(measured: Mapping[str, Sequence[tuple[Row, dict[str, float]]]]) -> None:
    """Print the tables."""
    names = [name for name in measured if WITHOUT not in name and WITH not in name]
    print("\n| run | " + " | ".join(METRICS) + " | 95 % of ndcg@10 |\n|---|" + "--:|" * (len(METRICS) + 1))
    for name in names:
        groups = {metric: by(measured[name], metric, "repo") for metric in METRICS}
        flat = {metric: {repo: values[repo] for repo, values in found.items()} for metric, found in groups.items()}
        cells = [f"{macro(flat[metric]):.3f}" for metric in METRICS]
        spread = interval(flat["ndcg@10"])
        print(f"| {name} | " + " | ".join(cells) + f" | {spread.low:.3f} to {spread.high:.3f} |")
    for key in ("repo", "category", "language"):
        print(f"\n| ndcg@10 by {key} | " + " | ".join(names) + " |\n|---|" + "--:|" * len(names))
        tables = {name: by(measured[name], "ndcg@10", key) for name in names}
        for group in sorted(tables[names[0]]):
            print(f"| {group} | " + " | ".join(f"{macro(tables[name][group]):.3f}" for name in names) + " |")
    if any(WITHOUT in name for name in measured):
        _ablation(measured)
        _left_out(measured)


def _ablation(measured: Mapping[str, Sequence[tuple[Row, dict[str, float]]]]) -> None:
    print(
        "\n| what the part brings (with, minus without) | ndcg@10 | 95 %, paired | recall@10 | repositories it helps : harms |"
    )
    print("|---|--:|--:|--:|--:|")
    for name, rows in measured.items():
        scope, _, part = name.partition(f"/hybrid{WITHOUT}")
        if not part:
            continue
        whole = measured[f"{scope}/hybrid"]
        gains: dict[str, dict[str, list[float]]] = {"ndcg@10": defaultdict(list), "recall@10": defaultdict(list)}
        for (row, with_it), (_, without) in zip(whole, rows, strict=True):
            for metric, groups in gains.items():
                groups[row["repo"]].append(with_it[metric] - without[metric])
        spread = interval(gains["ndcg@10"])
        means = [sum(values) / len(values) for values in gains["ndcg@10"].values()]
        helped, harmed = sum(mean > 0.001 for mean in means), sum(mean < -0.001 for mean in means)
        print(
            f"| {scope}: {part} | {spread.mean:+.4f} | {spread.low:+.3f} to {spread.high:+.3f} | "
            f"{macro(gains['recall@10']):+.4f} | {helped} : {harmed} |"
        )


def _left_out(measured: Mapping[str, Sequence[tuple[Row, dict[str, float]]]]) -> None:
    """Each weight chosen on all repositories but one, and measured on that one."""
    print("\n| weight, chosen without the repository that it is measured on | ndcg@10 | with ours | 95 %, paired |")
    print("|---|--:|--:|--:|")
    tables = {name: by(rows, "ndcg@10", "")["all"] for name, rows in measured.items()}
    for scope in dict.fromkeys(name.partition("/")[0] for name in measured if WITH in name):
        ours = f"{scope}/hybrid"
        for field in ["any one of them", *OTHERS]:
            prefix = f"{ours}{WITH}{'' if field not in OTHERS else field + ' '}"
            rivals = [ours, *(name for name in tables if name.startswith(prefix))]
            gains, kept = {}, {}
            for repo in tables[ours]:
                best = max(rivals, key=lambda name: macro({r: v for r, v in tables[name].items() if r != repo}))
                kept[repo] = tables[best][repo]
                gains[repo] = [a - b for a, b in zip(kept[repo], tables[ours][repo], strict=True)]
            spread = interval(gains)
            print(
                f"| {scope}: {field} | {macro(kept):.4f} | {macro(tables[ours]):.4f} "
                f"| {spread.low:+.3f} to {spread.high:+.3f} |"
            )


def main() -> None:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--checkouts", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--repo", action="append", default=[], help="only these repositories")
    parser.add_argument(
        "--scope", action="append", choices=("root", "whole"), help="default: whole, and root with --repos"
    )
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(MODES))
    parser.add_argument("--ablate", action="store_true", help="also leave each part of the ranking out")
    parser.add_argument("--json", type=Path, help="write every question's measures here")
    parser.add_argument("--add", type=Path, nargs="+", default=[], help="measures of other runs, to report on together")
    args = parser.parse_args()
    args.scope = args.scope or (["root", "whole"] if args.repos else ["whole"])
    args.work.mkdir(parents=True, exist_ok=True)
    measured = run(args)
    for path in args.add:
        for name, rows in json.loads(path.read_text("utf-8")).items():
            measured.setdefault(name, []).extend((row, row["measures"]) for row in rows)
    report(measured)
    if args.json:
        keys = ("id", "repo", "query", "category", "language")
        rows = {
            name: [{**{k: row.get(k) for k in keys}, "measures": values} for row, values in found]
            for name, found in measured.items()
        }
        args.json.write_text(json.dumps(rows), "utf-8")


if __name__ == "__main__":
    main()
