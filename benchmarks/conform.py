"""How often `nav conform` speaks, and how often it is right.

    python -m benchmarks.conform copies REPO...             copies made of REPO's functions; the others' are the new ones
    python -m benchmarks.conform commits REPO... [-n 10]    each of the last commits with new code, checked by itself
                                                            (--spread: commits from all over the history instead)
    python -m benchmarks.conform known REPO...              commits that are known to have written something once more

The first prints recall for each kind of copy and the precision over all; the second prints every finding with the
place of what it names, to be judged by a reader; the third says which of the commits in `reinvented.jsonl` (found in the
histories of public repositories: what a later commit makes one of, as its message says) get a finding in the file that
it is about; REPO has the name that stands there.  Repositories are given as folders (with their history) and are read
only: nav keeps its index of them in `.nav`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LEAST_LINES, MOST_LINES = 30, 600
"""Added lines of a commit that is looked at: enough to hold a function, few enough to be one thing."""


REINVENTED = Path(__file__).with_name("reinvented.jsonl")


class Failed(Exception):
    """A command of nav failed."""


def main() -> int:
    """Run one of the two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("copies", "commits", "known"))
    parser.add_argument("repos", nargs="+", type=Path)
    parser.add_argument("-n", type=int, default=10, help="commits of each repository (10)")
    parser.add_argument("--spread", action="store_true", help="commits from all over the history, not the newest")
    parser.add_argument("--sample", type=int, default=200, help="functions to copy (200)")
    arguments = parser.parse_args()
    if arguments.what == "copies":
        copies(arguments.repos, arguments.sample)
    elif arguments.what == "commits":
        commits(arguments.repos, arguments.n, spread=arguments.spread)
    else:
        known(arguments.repos)
    return 0


def nav(repo: Path, *arguments: str) -> Any:
    """The answer of one command line, as values.  Raises Failed with what it said."""
    command = [sys.executable, "-m", "nav_ls.main", "-C", str(repo), "--json", "--no-server", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(done.stderr.strip())
    return json.loads(done.stdout)


def copies(repos: list[Path], sample: int) -> None:
    """Recall and precision on copies of each repository's functions."""
    print(f"{'repository':16}{'copy':16}{'tried':>7}{'found':>7}{'recall':>8}")
    for place, repo in enumerate(repos):
        other = [] if len(repos) == 1 else ["--negatives", str(repos[place - 1])]
        result = nav(repo, "eval", "conformance", "--sample", str(sample), *other)
        for row in result["rows"]:
            print(f"{repo.name:16}{row['transform']:16}{row['tried']:>7}{row['found']:>7}{row['recall']:>8.3f}")
        said = f"{result['false']} of {result['negatives']} new functions taken for copies"
        print(f"{repo.name:16}precision {result['precision']:.3f} ({said})")


def commits(repos: list[Path], count: int, *, spread: bool) -> None:
    """Every finding in commits that add code outside of tests: the newest, or some from all over the history."""
    checked = found = 0
    for repo in repos:
        for commit, subject in _commits(repo, count, spread=spread):
            try:
                result = nav(repo, "conform", f"{commit}^..{commit}")
            except Failed as why:  # a clone without its largest files cannot be checked out
                print(f"{repo.name} {commit[:10]} left out: {why}", file=sys.stderr)
                continue
            checked, found = checked + 1, found + len(result["findings"])
            print(f"{repo.name} {commit[:10]} {subject[:70]}: {len(result['findings'])} ({result['reuse']:.0%} reuse)")
            for row in result["findings"]:
                print(
                    f"    {row['path']}:{row['line']} {row['rule']} {row['score']:.2f} {row['message']}: {row['why']}"
                )
                if row["instead"] is not None:
                    print(f"        {row['instead']['path']}:{row['instead']['line']}")
    print(f"{checked} commits, {found} findings")


def known(repos: list[Path]) -> None:
    """Which commits that wrote something once more are found out."""
    tried = hit = 0
    for row in map(json.loads, REINVENTED.read_text("utf-8").splitlines()):
        repo = next((repo for repo in repos if repo.name == row["repo"]), None)
        if repo is None:
            continue
        findings = nav(repo, "conform", f"{row['commit']}^..{row['commit']}")["findings"]
        found = [finding for finding in findings if finding["path"] == row["path"]]
        tried, hit = tried + 1, hit + bool(found)
        print(f"{'found ' if found else 'missed'} {row['repo']} {row['commit'][:10]} {row['path']}: {row['why']}")
    print(f"{hit} of {tried} found")


def _commits(repo: Path, count: int, *, spread: bool) -> list[tuple[str, str]]:
    newest = [] if spread else ["-n", str(40 * count)]
    log = ["git", "-C", str(repo), "log", "--no-merges", "--format=%x00%H %s", "--numstat", *newest]
    text = subprocess.run(log, capture_output=True, check=True).stdout.decode("utf-8", "replace")
    found = []
    for entry in text.split("\0")[1:]:
        head, *rows = entry.strip().splitlines()
        commit, _, subject = head.partition(" ")
        if LEAST_LINES <= sum(map(_added, rows)) <= MOST_LINES:
            found.append((commit, subject))
    step = max(1, len(found) // count) if spread else 1
    return found[::step][:count]


def _added(row: str) -> int:
    """Lines that a row of --numstat adds, those of tests and texts left out."""
    added, _, path = row.split("\t") if row.count("\t") == 2 else ("", "", "")
    is_code = not path.endswith((".md", ".rst", ".txt", ".json", ".lock", ".yml", ".yaml", ".toml"))
    return int(added) if added.isdigit() and is_code and "test" not in path.lower() else 0


if __name__ == "__main__":
    sys.exit(main())
