"""How soon is the index fresh after `git switch`?  One command, any repository:

    python -m benchmarks.branches PATH [--files 200] [--rounds 3] [--only process command server]

Works on a copy, with branches that differ from the first one in so many files of Python: each of them gets a new
function that calls one of its own.  Prints the time of a cold index, and of switching there for the first time, back,
and there again: in a process that stays, by `nav index` (with the start of its process) and through the server (from
the end of `git switch` to the first answer that speaks for the new branch).  CPU time counts all processes.  Beside it:
how many files were looked into, parsed and linked, and how many texts were embedded, by an embedder that costs
nothing and counts.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from benchmarks.processes import cpu
from benchmarks.runtime import own_server
from nav_ls.client.call import call
from nav_ls.index.indexer import Indexer
from nav_ls.index.model import Report
from nav_ls.index.pool import Pool
from nav_ls.index.search_index import SearchIndex
from nav_ls.store.layout import Layout
from nav_ls.text import git

if TYPE_CHECKING:
    from nav_ls.ports import Vectors

MARK = "only_on_the_other_branch"
_IDENTITY = ("-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false", "-c", "gc.auto=0")
_WAYS = ("process", "command", "server")
_NAV = [sys.executable, "-c", "import sys; from nav_ls.main import nav; sys.exit(nav())"]


class Counting:
    """An embedder that costs nothing and counts."""

    model = "counting"
    dims = 8

    def __init__(self) -> None:
        self.texts = 0

    def documents(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        self.texts += len(texts)
        return np.ones((len(texts), self.dims), np.float32)

    def query(self, text: str) -> Any:
        return self.documents([text])[0]


def main() -> int:
    """Run everything; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--files", type=int, default=200, help="files in which the branches differ (default: 200)")
    parser.add_argument("--rounds", type=int, default=3, help="switches there and back after the first (default: 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=_WAYS, choices=_WAYS, help="ways to measure (default: all)")
    args = parser.parse_args()
    os.environ["NAV_SEARCH_BACKGROUND"] = "0"
    with tempfile.TemporaryDirectory(prefix="nv") as folder:
        root = Path(folder) / "copy"
        shutil.copytree(args.path, root, symlinks=True, ignore=shutil.ignore_patterns(".nav"))
        for command in ("init", "checkout -q -B main", "add -A", "commit -q --allow-empty -m main"):
            _git(root, *command.split())
        for number, name in enumerate(("one", "two", "three")):
            make_branch(root, name, args.files, args.seed + number)
        print(f"{'':<46} seconds      CPU  looked at  parsed  linked  embedded", flush=True)
        cold = 0.0
        if "process" in args.only:
            cold = in_process(root, args.rounds)
        if "command" in args.only:
            by_command_line(root, args.rounds, cold)
        if "server" in args.only:
            with own_server(Path(folder) / "r"):
                through_the_server(root, args.rounds, cold)
    return 0


def make_branch(root: Path, name: str, count: int, seed: int) -> None:
    """A branch that differs from `main` in so many files of Python."""
    _git(root, "checkout", "-q", "-b", name)
    paths = sorted(path for path in root.rglob("*.py") if path.is_file() and b"\ndef " in path.read_bytes())
    for number, path in enumerate(random.Random(seed).sample(paths, min(count, len(paths)))):
        called = path.read_bytes().partition(b"\ndef ")[2].partition(b"(")[0].decode()
        with path.open("a") as file:
            file.write(f"\n\ndef {MARK}_{name}_{number}(*args):\n    return {called}(*args)\n")
    _git(root, "commit", "-qam", name)
    _git(root, "checkout", "-q", "main")


def in_process(root: Path, rounds: int) -> float:
    """What is done, in an indexer that stays, as the server's does; returns the seconds of a cold index."""
    print("in a process that stays", flush=True)
    embedder, parsed = Counting(), _count_parsed()
    indexer = Indexer(root)
    cold = 0.0
    for name, branch in [("cold index", "main"), *_plan("one", rounds)]:
        _switch(root, branch)
        parsed.clear()
        before = embedder.texts
        report, wall, cpu = _measured(indexer.sync)
        layout = Layout.find(root)
        search = SearchIndex(root, layout.folder, layout.database(layout.view()))
        search.refresh()
        search.embed(embedder)
        search.close()
        cold = cold or wall
        work = f"{len(parsed):>10} {sum(parsed):>7} {report.relinked:>7} {embedder.texts - before:>9}"
        _show(name, wall, cold, f"{cpu:>8.2f} {work}")
    indexer.close()
    return cold


def by_command_line(root: Path, rounds: int, cold: float) -> None:
    """`nav index`, its start included."""
    print("`nav index`", flush=True)
    command = [*_NAV, "index", "--no-server", "-C", str(root)]
    for name, branch in _plan("two", rounds):
        _switch(root, branch)
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        _show(name, time.perf_counter() - begun, cold)


def through_the_server(root: Path, rounds: int, cold: float) -> None:
    """From the end of `git switch` to the first answer of the new branch."""
    print("through the server, to the first fresh answer", flush=True)

    def fresh(branch: str) -> bool:
        answer = call(root, "nav.symbols", {"query": f"{MARK}_three_0"}, 600)
        state = answer["freshness"]
        found = any(symbol["symbol"] == f"{MARK}_three_0" for symbol in answer["symbols"])
        return state["branch"] == branch and not state["stale"] and found == (branch == "three")

    begun = time.perf_counter()
    while not fresh("main"):
        time.sleep(0.1)
    cold = cold or time.perf_counter() - begun
    for name, branch in _plan("three", rounds):
        _switch(root, branch)
        begun = time.perf_counter()
        while not fresh(branch):
            time.sleep(0.01)
        _show(name, time.perf_counter() - begun, cold)


def _plan(branch: str, rounds: int) -> Iterator[tuple[str, str]]:
    yield "there for the first time", branch
    for _ in range(rounds):
        yield "back", "main"
        yield "there again", branch
    yield "back", "main"


def _switch(root: Path, branch: str) -> None:
    time.sleep(2.1)  # what was written within the last two seconds is read again, whatever its times say
    _git(root, "checkout", "-q", branch)


def _show(name: str, wall: float, cold: float, more: str = "") -> None:
    share = f"{wall / cold:.3f} of a cold index" if cold else ""
    print(f"  {name:<42} {wall:>9.2f} {more:<45} {share}", flush=True)


def _count_parsed() -> list[bool]:
    """A list that gets an entry for each file that a worker looks into: whether it was parsed."""
    seen: list[bool] = []
    real = Pool.extract

    def extract(pool: Pool, paths: Sequence[str], hashes: Any) -> Iterator[Any]:
        from nav_ls.index.extraction import Extracted

        for answer in real(pool, paths, hashes):
            seen.append(isinstance(answer, bytes) and bool(msgspec.msgpack.decode(answer, type=Extracted).data))
            yield answer

    Pool.extract = extract  # type: ignore[method-assign]
    return seen


def _measured(action: Callable[[], Report]) -> tuple[Report, float, float]:
    begun, used = time.perf_counter(), cpu(os.getpid())
    report = action()
    return report, time.perf_counter() - begun, cpu(os.getpid()) - used


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-C", root, *_IDENTITY, *arguments], check=True, env=git.environment(), stdout=subprocess.DEVNULL
    )


if __name__ == "__main__":
    sys.exit(main())
