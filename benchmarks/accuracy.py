"""Score the call graph against the truths of compilers and type checkers.

    python benchmarks/accuracy.py --truth TRUTH --checkouts CHECKOUTS [REPO ...] [--evidence exact,type,dispatch]

TRUTH holds a folder per repository (`edges.jsonl.gz`, `symbols.jsonl.gz`, `stats.json`, ...) and `score.py`;
CHECKOUTS the sources at the commits that the truths were made from, one folder of the same name each.  A folder
whose truth lists cases (`cases.json`) holds one folder a case; each is indexed on its own.

Each repository is indexed from nothing by the command line in a scratch copy of its tree (exporting the graph of
what has no index makes one), its call edges are exported, and the scorer's table is printed, with how long the cold index took.

Truths of repositories list written calls. Suites of cases list whatever runs: accessors, decorators, iteration and
context managers as well, so there the edges of those kinds count too.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_WRITTEN = ("calls",)
_RUN = (*_WRITTEN, "accesses", "implicit", "decorates")
_NOT_COPIED = shutil.ignore_patterns(".git", ".nav", "node_modules")


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repos", nargs="*", help="folders of TRUTH (default: all)")
    parser.add_argument("--truth", type=Path, required=True)
    parser.add_argument("--checkouts", type=Path, required=True)
    parser.add_argument("--evidence", default="exact,type,dispatch")
    parser.add_argument("--examples", type=int, default=0, help="misses and wrong edges to show of each kind")
    args = parser.parse_args()
    evidence = frozenset(args.evidence.split(","))
    names = args.repos or sorted(p.parent.name for p in args.truth.glob("*/stats.json"))
    with tempfile.TemporaryDirectory() as scratch:
        predictions = Path(scratch) / "predictions.jsonl"
        with predictions.open("w") as out:
            for name in names:
                _predict(args.truth / name, args.checkouts / name, evidence, Path(scratch), out)
        command = [sys.executable, str(args.truth / "score.py"), "--truth", str(args.truth), "--pred", str(predictions)]
        return subprocess.run(
            [*command, *(["--examples", str(args.examples)] if args.examples else ["--quiet"])], check=False
        ).returncode


def _predict(truth: Path, checkout: Path, evidence: frozenset[str], scratch: Path, out: object) -> None:
    repo = json.loads((truth / "stats.json").read_text())["repo"]
    if not checkout.is_dir():
        print(f"{repo}: no sources at {checkout}, left out", file=sys.stderr)
        return
    cases = truth / "cases.json"
    folders = sorted(p for p in checkout.iterdir() if p.is_dir()) if cases.exists() else [checkout]
    kinds = _RUN if cases.exists() else _WRITTEN
    started = time.perf_counter()
    edges = 0
    with ThreadPoolExecutor(os.cpu_count() if cases.exists() else 1) as pool:
        for rows in pool.map(lambda folder: list(_edges(folder, scratch, kinds)), folders):
            for row in rows:
                if row["evidence"] in evidence:
                    edges += 1
                    print(json.dumps({"repo": repo, **row}), file=out)  # type: ignore[call-overload]
    print(
        f"{repo}: {edges} edges, copied, indexed and exported in {time.perf_counter() - started:.1f} s", file=sys.stderr
    )


def _edges(folder: Path, scratch: Path, kinds: Iterable[str]) -> Iterator[dict[str, object]]:
    """Index a copy of `folder` from nothing and read its edges of some kinds."""
    copy = Path(tempfile.mkdtemp(dir=scratch)) / folder.name
    shutil.copytree(folder, copy, symlinks=True, ignore=_NOT_COPIED)
    try:
        nav = [sys.executable, "-m", "nav_ls", "--no-server", "-C", str(copy)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        export = [*nav, "graph", "export", "--format", "jsonl", *(f"--kind={kind}" for kind in kinds)]
        done = subprocess.run(export, check=True, stdout=subprocess.PIPE, env=environment)
        for line in done.stdout.splitlines():
            yield json.loads(line)
    finally:
        shutil.rmtree(copy.parent, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
