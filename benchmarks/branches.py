"""How soon is the index fresh after `git switch`?  One command, any repository:

    python -m benchmarks.branches PATH [--files 200] [--rounds 3]

Works on a copy, in which a second branch differs in so many files of code: each of them gets a new function that
calls one of its own.  Prints the time of a cold index, and of switching there for the first time, back, and there
again: by `nav index` (with the start of its process) and through the server (from the end of `git switch` to the first
answer that speaks for the new branch).  Beside it: how many files were looked into, parsed and linked, and how many
texts were embedded, by an embedder that costs nothing and counts.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from nav_ls.client.call import call
from nav_ls.client.control import stop
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
    args = parser.parse_args()
    os.environ["NAV_SEARCH_BACKGROUND"] = "0"
    with tempfile.TemporaryDirectory(prefix="nv") as folder:
        root = Path(folder) / "copy"
        shutil.copytree(args.path, root, symlinks=True, ignore=shutil.ignore_patterns(".nav"))
        prepare(root, args.files, args.seed)
        in_process(root, args.rounds)
        by_command_line(root, args.rounds)
        with _runtime(Path(folder) / "r"):
            through_the_server(root, args.rounds)
    return 0


def prepare(root: Path, count: int, seed: int) -> None:
    """Commit what is there as `one`; make `two`, which differs in so many files of Python."""
    for command in ("init", "checkout -q -B one", "add -A", "commit -q --allow-empty -m one", "checkout -q -b two"):
        _git(root, *command.split())
    paths = sorted(path for path in root.rglob("*.py") if path.is_file() and b"\ndef " in path.read_bytes())
    for number, path in enumerate(random.Random(seed).sample(paths, min(count, len(paths)))):
        name = path.read_bytes().partition(b"\ndef ")[2].partition(b"(")[0].decode()
        with path.open("a") as file:
            file.write(f"\n\ndef {MARK}_{number}(*args):\n    return {name}(*args)\n")
    _git(root, "commit", "-qam", "two")
    _git(root, "checkout", "-q", "one")


def in_process(root: Path, rounds: int) -> None:
    """What is done, in an indexer that stays, as the server's does."""
    print(f"\nin a process that stays{'':19} seconds      CPU  looked at  parsed  linked  embedded", flush=True)
    embedder, parsed = Counting(), _count_parsed()
    indexer = Indexer(root)
    cold = 0.0
    for name, branch in _plan(rounds):
        _git(root, "checkout", "-q", branch)
        parsed.clear()
        before = embedder.texts
        report, wall, cpu = _measured(indexer.sync)
        layout = Layout.find(root)
        search = SearchIndex(root, layout.folder, layout.database(layout.view()))
        search.refresh()
        search.embed(embedder)
        search.close()
        cold = cold or wall
        looked = len(parsed)
        print(
            f"  {name:<38} {wall:>8.2f} {cpu:>8.2f} {looked:>10} {sum(parsed):>7} {report.relinked:>7} "
            f"{embedder.texts - before:>9}   {wall / cold:.3f} of a cold index",
            flush=True,
        )
    indexer.close()
    shutil.rmtree(Layout.find(root).folder)


def by_command_line(root: Path, rounds: int) -> None:
    """`nav index`, its start included."""
    print(f"\n`nav index`{'':31} seconds", flush=True)
    _switched(
        root, rounds, lambda _: subprocess.run([*_NAV, "index", "--no-server", "-C", root], check=True, stdout=-3)
    )
    shutil.rmtree(Layout.find(root).folder)


def through_the_server(root: Path, rounds: int) -> None:
    """From the end of `git switch` to the first answer of the new branch."""
    print(f"\nthrough the server{'':24} seconds", flush=True)

    def fresh(branch: str) -> None:
        while True:
            answer = call(root, "nav.symbols", {"text": f"{MARK}_0"}, 600)
            state = answer["freshness"]
            if state["branch"] == branch and not state["stale"] and bool(answer["symbols"]) == (branch == "two"):
                return

    _switched(root, rounds, fresh)


def _switched(root: Path, rounds: int, action: Callable[[str], object]) -> None:
    times: dict[str, list[float]] = {}
    for name, branch in _plan(rounds):
        _git(root, "checkout", "-q", branch)
        time.sleep(2.1)  # what was written within the last two seconds is read again, whatever its times say
        begun = time.perf_counter()
        action(branch)
        times.setdefault(name, []).append(time.perf_counter() - begun)
    cold = times["cold"][0]
    for name, found in times.items():
        print(f"  {name:<38} {statistics.median(found):>8.2f}   {statistics.median(found) / cold:.3f} of a cold index")


def _plan(rounds: int) -> Iterator[tuple[str, str]]:
    yield "cold", "one"
    yield "there for the first time", "two"
    for _ in range(rounds):
        yield "back", "one"
        yield "there again", "two"
    yield "back", "one"


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
    begun, cpu = time.perf_counter(), _cpu()
    report = action()
    return report, time.perf_counter() - begun, _cpu() - cpu


def _cpu() -> float:
    """CPU seconds of this process and of those of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(item.ru_utime + item.ru_stime for item in used)


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-C", root, *_IDENTITY, *arguments], check=True, env=git.environment(), stdout=subprocess.DEVNULL
    )


@contextmanager
def _runtime(folder: Path) -> Iterator[None]:
    folder.mkdir(mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    try:
        yield
    finally:
        stop(seconds=10)


if __name__ == "__main__":
    sys.exit(main())
