"""Retrieval on labelled questions: lexical, vector and hybrid, at two scopes, and what each part of the ranking brings.

    python benchmarks/retrieval.py QUESTIONS.jsonl --checkouts DIR --work DIR [--repos repos.json] [--ablate]

QUESTIONS.jsonl: {"repo", "query", "targets" or "gold": [{"path", "start_line"?, "end_line"?}], "category"?, "language"?,
"parent_commit"? or "commit"?} a line.  DIR/<repo>/ (or DIR/<repo>@<commit>/) holds the tree that is searched; it is
linked or copied into --work, where the index lives from one run to the next.  repos.json names each repository's
"root", which the scope `root` searches alone.  Runs are written beside the index, for other scorers.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
PARTS: Mapping[str, Mapping[str, float]] = {
    "words (best units)": {"lexical": 0.0},
    "words (spread)": {"spread": 0.0},
    "meaning": {"meaning": 0.0},
    "file name": {"stem": 0.0},
    "folders": {"folder": 0.0},
    "named definitions": {"named": 0.0},
    "files as a whole": {"file": 0.0},
    "units on their own": {"file": 1.0},
    "pieces step back": {"piece": 1.0},
    "tests and docs step back": {"aside": 1.0},
    "other systems step back": {"foreign": 1.0},
    "repeated files step back": {"repeat": 1.0},
    "callees and callers of the best": {"linked": 0.0},
    "neighbours as one hit": {"screen": 0},
}


def questions(path: Path, only: Sequence[str]) -> dict[tuple[str, str], list[Row]]:
    """Rows by (repository, commit or "")."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            row = json.loads(line)
            if not only or row["repo"] in only:
                found[row["repo"], row.get("parent_commit") or row.get("commit") or ""].append(row)
    return dict(sorted(found.items()))


def lay(tree: Path, root: Path) -> None:
    """Make `root` hold the files of `tree`, and keep the index that is there."""
    root.mkdir(parents=True, exist_ok=True)
    for item in root.iterdir():
        if item.name != ".nav":
            shutil.rmtree(item) if item.is_dir() and not item.is_symlink() else item.unlink()
    for folder, dirs, names in os.walk(tree):
        dirs[:] = [name for name in dirs if name not in (".nav", ".git")]
        target = root / os.path.relpath(folder, tree)
        target.mkdir(exist_ok=True)
        for name in names:
            source = os.path.join(folder, name)
            if not os.path.islink(source):
                _link(source, target / name)


def _link(source: str, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def prepared(tree: Path, root: Path, embed: bool) -> Workspace:
    """An indexed workspace of the tree."""
    lay(tree, root)
    workspace = Workspace.open(root)
    workspace.sync()
    workspace.searching.refresh()
    if embed:
        workspace.searching.embed()
    return workspace


def answers(
    workspace: Workspace, row: Row, mode: str, path: str | None, weights: Weights, per_file: int
) -> list[Result]:
    """What search finds for one question."""
    query = SearchQuery(row["query"], k=50, mode=mode, path=(path,) if path else (), per_file=per_file)
    found = workspace.searching.search(query, weights)
    if found.mode != mode:
        sys.exit(f"{mode} is not possible: {', '.join(found.notes)}")
    return [Result(hit.path, hit.start_line, hit.end_line) for hit in found.hits]


def targets(row: Row) -> list[Target]:
    """What a question should find."""
    wanted = row.get("targets") or row.get("gold") or []
    return [Target(item["path"], item.get("start_line"), item.get("end_line")) for item in wanted]


def variants(args: argparse.Namespace) -> Iterator[tuple[str, str, str, Weights, int]]:
    """(name, scope, mode, weights, hits a file) of every run."""
    for scope in args.scope:
        for mode in args.modes:
            yield f"{scope}/{mode}", scope, mode, DEFAULT_WEIGHTS, 0
        last = args.modes[-1]
        yield f"{scope}/{last}, one hit a file", scope, last, DEFAULT_WEIGHTS, 1
        if args.ablate and last == "hybrid":
            for name, change in PARTS.items():
                yield (
                    f"{scope}/hybrid without {name}",
                    scope,
                    "hybrid",
                    msgspec.structs.replace(DEFAULT_WEIGHTS, **change),
                    0,
                )


def run(args: argparse.Namespace) -> dict[str, list[tuple[Row, dict[str, float]]]]:
    """Every variant's measures of every question."""
    roots = {row["repo"]: row.get("root") for row in json.loads(args.repos.read_text("utf-8"))} if args.repos else {}
    measured: dict[str, list[tuple[Row, dict[str, float]]]] = defaultdict(list)
    runs: dict[str, list[str]] = defaultdict(list)
    for (repo, commit), rows in questions(args.questions, args.repo).items():
        tree = args.checkouts / (f"{repo}@{commit}" if commit else repo)
        if not tree.is_dir():
            sys.exit(f"no tree at {tree}")
        started = time.monotonic()
        workspace = prepared(tree, args.work / repo, "vector" in args.modes or "hybrid" in args.modes)
        try:
            for name, scope, mode, weights, per_file in variants(args):
                root = roots.get(repo) if scope == "root" else None
                for row in rows:
                    found = answers(workspace, row, mode, f"{root}/**" if root else None, weights, per_file)
                    measured[name].append((row, measure(found, targets(row))))
                    kept = {key: row.get(key) for key in ("id", "repo", "query")}
                    runs[name].append(json.dumps({**kept, "results": [msgspec.to_builtins(item) for item in found]}))
        finally:
            workspace.close()
        print(
            f"{repo} {commit[:10]} {len(rows)} questions, {time.monotonic() - started:.1f} s",
            file=sys.stderr,
            flush=True,
        )
    for name, lines in runs.items():
        file = (
            args.work / f"run-{args.questions.stem}-{name.replace('/', '-').replace(' ', '-').replace(',', '')}.jsonl"
        )
        file.write_text("\n".join(lines) + "\n", "utf-8")
    return measured


def by(rows: Sequence[tuple[Row, dict[str, float]]], metric: str, key: str) -> dict[str, dict[str, list[float]]]:
    """Values by the row's `key`, then by repository."""
    out: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row, values in rows:
        out[row.get(key) or "all"][row["repo"]].append(values[metric])
    return out


def report(measured: Mapping[str, Sequence[tuple[Row, dict[str, float]]]], args: argparse.Namespace) -> None:
    """Print the tables."""
    names = [name for name in measured if " without " not in name]
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
    if args.ablate and "hybrid" in args.modes:
        _ablation(measured)


def _ablation(measured: Mapping[str, Sequence[tuple[Row, dict[str, float]]]]) -> None:
    print(
        "\n| what the part brings (with, minus without) | ndcg@10 | 95 %, paired | recall@10 | repositories it helps : harms |"
    )
    print("|---|--:|--:|--:|--:|")
    for name, rows in measured.items():
        scope, _, part = name.partition("/hybrid without ")
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
    args = parser.parse_args()
    args.scope = args.scope or (["root", "whole"] if args.repos else ["whole"])
    args.work.mkdir(parents=True, exist_ok=True)
    measured = run(args)
    report(measured, args)
    if args.json:
        rows = {
            name: [{**{k: row.get(k) for k in ("id", "repo", "query")}, **values} for row, values in found]
            for name, found in measured.items()
        }
        args.json.write_text(json.dumps(rows), "utf-8")


if __name__ == "__main__":
    main()
