"""Many repositories open at once in one server: what memory they take, and how soon one that sleeps answers.  One command:

    python -m benchmarks.many PATH... [--awake 8 --awake 100]

Works on copies, one editor each.  When all of them are indexed, a file is written into one after the other, and its
editor asks for what stands in it at once: the answer must have it, whether the repository was awake or asleep, or say
that it is stale; then it is asked again.  Prints a line for each number of repositories that may be awake: the memory
of the server and of all processes below it (megabytes resident: the highest that was seen, when all were indexed, and
after the questions), how many processes and open files there were then, and how long the questions took.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.editor import Editor
from benchmarks.processes import descendants, memory
from benchmarks.runtime import own_server
from nav_ls.client.call import call

NAV_LS = [sys.executable, "-c", "import sys; from nav_ls.main import nav_ls; sys.exit(nav_ls())"]
LOOK = 0.25
"""Seconds between two looks at the memory."""


class Watch:
    """The memory of a server with all below it, looked at again and again."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.peak = 0
        self._thread.start()

    def now(self) -> int:
        """Bytes at present."""
        return sum(memory(pid)[1] for pid in descendants(self._server))

    def end(self) -> None:
        """Look no more."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(LOOK):
            self.peak = max(self.peak, self.now())


def main() -> int:
    """Run it; the exit code is 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--awake", type=int, action="append", help="how many may be awake (default: nav's own)")
    args = parser.parse_args()
    os.environ["NAV_SEARCH_BACKGROUND"] = "0"
    print(
        f"{len(args.paths)} repositories\n{'awake':>5} {'indexed s':>9} {'peak MB':>8} {'then MB':>8} {'after MB':>9} "
        f"{'server MB':>9} {'processes':>9} {'files':>6} {'awake ms':>9} {'asleep ms':>9} {'slowest':>8} {'wrong':>6}"
    )
    wrong = 0
    for awake in args.awake or [0]:
        if awake:
            os.environ["NAV_SERVER_AWAKE"] = str(awake)
        with tempfile.TemporaryDirectory(prefix="nv") as folder:
            wrong += run(Path(folder), args.paths, awake)
    return 1 if wrong else 0


def run(folder: Path, paths: list[Path], awake: int) -> int:
    """One line; returns how many answers were wrong."""
    roots = [folder / f"{number}-{path.name}" for number, path in enumerate(paths)]
    for path, root in zip(paths, roots, strict=True):
        shutil.copytree(path, root, symlinks=True, ignore=shutil.ignore_patterns(".nav"))
    begun = time.perf_counter()
    with own_server(folder / "r"), _editors(roots) as editors:
        server = int(call(None, "nav.server.status", {}, 60)["pid"])
        watch = Watch(server)
        try:
            while any(state not in ("fresh", "asleep") for state in _states().values()):
                time.sleep(LOOK)
            indexed, then = time.perf_counter() - begun, watch.now()
            times: dict[str, list[float]] = {"fresh": [], "asleep": []}
            twice = [editor for editor in editors for _ in range(2)]  # the second time it is awake for sure
            wrong = sum(not _ask(editor, times) for editor in twice)
            after, processes = watch.now(), descendants(server)
        finally:
            watch.end()
        every = [*times["fresh"], *times["asleep"]]
        print(
            f"{awake or '':>5} {indexed:>9.1f} {watch.peak / 1e6:>8.0f} {then / 1e6:>8.0f} {after / 1e6:>9.0f} "
            f"{memory(server)[1] / 1e6:>9.0f} {len(processes):>9} {sum(map(_files, processes)):>6} "
            f"{_middle(times['fresh']):>9} {_middle(times['asleep']):>9} {max(every) * 1000:>8.0f} {wrong:>6}",
            flush=True,
        )
    return wrong


def _ask(editor: Editor, times: dict[str, list[float]]) -> bool:
    """Whether an editor sees what was written just before it asked."""
    name = f"written_{uuid.uuid4().hex}"
    state = _states()[str(editor.root)]
    (editor.root / f"{name}.py").write_text(f"def {name}():\n    return 1\n")
    begun = time.perf_counter()
    # As agents and command lines ask, who promise freshness: what is told to be stale is asked for again.
    question = {"command": "nav.symbols", "arguments": [{"query": name}, {"root": str(editor.root)}]}
    found: Any = {"symbols": [], "freshness": {"stale": True}}
    while not found["symbols"] and found["freshness"]["stale"]:
        found = editor.request("workspace/executeCommand", question)
    times[state].append(time.perf_counter() - begun)
    return len(found["symbols"]) == 1


@contextlib.contextmanager
def _editors(roots: list[Path]) -> Iterator[list[Editor]]:
    editors = [Editor(NAV_LS, root) for root in roots]
    for editor in editors:
        editor.initialize()
    yield editors
    for editor in editors:
        editor.leave()


def _states() -> dict[str, str]:
    found: Any = call(None, "nav.server.status", {}, 60)
    return {one["root"]: one["state"] for one in found["repositories"]}


def _files(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def _middle(times: list[float]) -> str:
    return f"{statistics.median(times) * 1000:.0f}" if times else "-"


if __name__ == "__main__":
    sys.exit(main())
