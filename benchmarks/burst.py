"""Thousands of files that a program changes at once: how soon is the index fresh, and is anything told wrong meanwhile?

    python -m benchmarks.burst PATH [--files 5000] [--rounds 2]

Works on a copy.  Each round adds a function to so many files, as quickly as they can be written, while a client asks for
the function that is written last.  Prints, for each round: how long the writing took, how long after its end the answer
had it, how many generations were made, how many questions were answered, how many of them were told to be stale, and how
many were wrong: asked after the end, without the function, and not told to be stale.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.runtime import own_server
from nav_ls.client.call import call
from nav_ls.index.scan import scan

FUNCTIONS = {
    ".py": "def {}():\n    pass\n",
    ".js": "function {}() {{}}\n",
    ".ts": "function {}() {{}}\n",
    ".go": "func {}() {{}}\n",
    ".rb": "def {}\nend\n",
    ".c": "void {}(void) {{}}\n",
}
"""A function by the ending of a file's name."""


class Burst:
    """One round."""

    def __init__(self, root: Path, paths: Sequence[Path], number: int) -> None:
        self._root, self._paths, self._number = root, paths, number
        self._thread = threading.Thread(target=self._write)
        self._ended = 0.0
        self.answers = self.stale = self.wrong = 0

    def run(self) -> str:
        """Write and ask; returns the row."""
        before = self._ask()["freshness"]["generation"]
        begun = time.perf_counter()
        self._thread.start()
        while True:
            over = self._ended > 0.0
            answer = self._ask()
            self.answers += 1
            self.stale += answer["freshness"]["stale"]
            if answer["symbols"]:
                break
            self.wrong += over and not answer["freshness"]["stale"]
        fresh = time.perf_counter()
        self._thread.join()
        generations = answer["freshness"]["generation"] - before
        times = f"{self._ended - begun:>12.2f} {max(0.0, fresh - self._ended):>12.2f}"
        return f"{len(self._paths):>6} {times} {generations:>12} {self.answers:>8} {self.stale:>6} {self.wrong:>6}"

    def _write(self) -> None:
        for place, path in enumerate(self._paths):
            with path.open("a") as file:
                file.write("\n" + FUNCTIONS[path.suffix].format(self._name(place)))
        self._ended = time.perf_counter()

    def _ask(self) -> Any:
        return call(self._root, "nav.symbols", {"query": self._name(len(self._paths) - 1)}, 600)

    def _name(self, place: int) -> str:
        return f"burst_{self._number}_{place}"


def main() -> int:
    """Command line; the exit code is 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    os.environ["NAV_SEARCH_BACKGROUND"] = "0"
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="nv") as folder, own_server(Path(folder) / "r"):
        root = Path(folder) / "copy"
        shutil.copytree(args.path, root, symlinks=True, ignore=shutil.ignore_patterns(".nav"))
        call(root, "nav.graph.top", {"limit": 1}, 600)  # waits for the first index
        skipped = {row["path"] for row in call(root, "nav.status", {}, 600)["skipped"]}
        code = [path for path in scan(root, {}).suspects if Path(path).suffix in FUNCTIONS and path not in skipped]
        paths = [root / path for path in sorted(code)[: args.files]]
        print(
            f"{'files':>6} {'written in s':>12} {'fresh after':>12} {'generations':>12} {'answers':>8} {'stale':>6} {'wrong':>6}"
        )
        for number in range(args.rounds):
            burst = Burst(root, paths, number)
            print(burst.run(), flush=True)
            wrong += burst.wrong
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
