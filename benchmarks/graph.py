"""How fast is the main job, and what does it take?  One command, any repository:

    python3 run.py benchmark graph PATH [--peer] [--json FILE]

Works on a copy, so the repository stays as it is.  Prints one row for each figure: the graph from nothing (scan,
extract, link, store) and the whole of `nav index`, which makes the units of search as well, each as a ratio to the CPU
time of a bare parse of the same bytes in the same run; memory and disk, nothing changed, one edited file, and what an
editor feels through `nav-ls` on stdio.  CPU time counts all processes; memory (Linux) is each process's
peak resident set.  `--peer` measures another index of the same files in the same run (`benchmarks/peer.py`).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.editor import Editor
from benchmarks.peer import Popular, codegraph
from benchmarks.processes import Peaks, edits, timed
from benchmarks.runtime import own_server
from nav_ls.index.extraction import is_compiled

NAV = [sys.executable, "-c", "import sys; from nav_ls.main import nav; sys.exit(nav())"]
GRAPH = """
import sys
from pathlib import Path
from nav_ls.workspace.workspace import Workspace
workspace = Workspace.open(Path(sys.argv[1]))
workspace.sync()
workspace.close()
"""
NAV_LS = [sys.executable, "-c", "import sys; from nav_ls.main import nav_ls; sys.exit(nav_ls())"]

# Reads what nav indexed and parses it, nothing else: the yardstick for the whole job.
BARE_PARSE = """
import json, resource, sys, time
import tree_sitter, tree_sitter_language_pack
from nav_ls.syntax.languages import BY_NAME
files = json.load(sys.stdin)
parsers = {}
total = 0
begun = resource.getrusage(resource.RUSAGE_SELF)
wall = time.perf_counter()
for path, language in files:
    parser = parsers.get(language)
    if parser is None:
        parsers[language] = parser = tree_sitter.Parser(
            tree_sitter_language_pack.get_language(BY_NAME[language].grammar))
    with open(path, "rb") as file:
        data = file.read()
    total += len(data)
    parser.parse(data)
wall = time.perf_counter() - wall
ended = resource.getrusage(resource.RUSAGE_SELF)
cpu = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
print(json.dumps({"cpu": cpu, "wall": wall, "bytes": total, "files": len(files)}))
"""


TYPED = 0.4
"""Seconds between the last keystroke and the save of somebody who types."""


class Table:
    """Collects rows and prints them as they come."""

    def __init__(self) -> None:
        self.rows: dict[str, Any] = {}

    def add(self, name: str, value: float, unit: str, aim: str = "") -> None:
        """One figure."""
        self.rows[name] = round(value, 4)
        shown = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
        print(f"  {name:<46} {shown:>10} {unit:<8} {aim}", flush=True)


def main() -> int:
    """Run everything; returns the exit code."""
    options = _options()
    table = Table()
    with tempfile.TemporaryDirectory(prefix="nv") as folder, own_server(Path(folder) / "r"):
        root = Path(folder) / options.repository.resolve().name
        shutil.copytree(options.repository, root, symlinks=True, ignore=shutil.ignore_patterns(".nav", "node_modules"))
        print(
            f"{root.name}: {os.cpu_count()} cores, Python {sys.version.split()[0]}, code {'' if is_compiled() else 'not '}compiled"
        )
        cold(table, root)
        if options.peer:
            codegraph(table.add, root, _popular(root), {"graph": lambda: _graph(root), "index": lambda: _cold(root)})
        command_line(table, root)
        editor(table, root, random.Random(options.seed), options.samples)
        starts(table, root)
    if options.json:
        options.json.write_text(json.dumps(table.rows, indent=2) + "\n")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How fast is the main job on a repository?")
    parser.add_argument("repository", type=Path)
    parser.add_argument("--samples", type=int, default=200, help="requests of each kind (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peer", action="store_true", help="measure CodeGraph, from npm, beside it")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    return parser.parse_args()


# The index ----------------------------------------------------------------------------------------------------


def cold(table: Table, root: Path) -> None:
    """Index from nothing, beside a bare parse of the same bytes."""
    peaks = Peaks()
    graph_wall, graph_cpu = _graph(root)
    wall, cpu = _cold(root, peaks)
    parse = _bare_parse(root)
    megabytes = parse["bytes"] / 1e6
    print("from nothing; the graph: scan, extract, link, store; the index: units of search as well")
    table.add("files", parse["files"], "")
    table.add("source", megabytes, "MB")
    table.add("bare parse, CPU", parse["cpu"], "s")
    table.add("bare parse, speed", megabytes / parse["cpu"], "MB/s")
    for what, seconds, processor in (("graph", graph_wall, graph_cpu), ("index", wall, cpu)):
        table.add(f"cold {what}, wall", seconds, "s")
        table.add(f"cold {what}, CPU", processor, "s")
        table.add(f"cold {what}, speed", parse["files"] / seconds, "files/s")
        table.add(f"cold {what}, speed in bytes", megabytes / seconds, "MB/s")
        table.add(f"cold {what}, CPU / bare parse", processor / parse["cpu"], "times", "aim: within 2.5")
        table.add(f"cold {what}, wall / bare parse", seconds / parse["cpu"], "times", "aim: below 1 on two cores")
    for name, peak in peaks.named().items():
        table.add(f"peak memory, {name}", peak / 1e6, "MB")
    table.add("peak memory, all together", peaks.together / 1e6, "MB")
    sizes = {path: path.stat().st_size for path in (root / ".nav").rglob("*") if path.is_file()}
    table.add("size of .nav", sum(sizes.values()) / 1e6, "MB")
    table.add("size of .nav / source", sum(sizes.values()) / parse["bytes"], "times")


def _cold(root: Path, peaks: Peaks | None = None) -> tuple[float, float]:
    shutil.rmtree(root / ".nav", ignore_errors=True)
    return timed([*NAV, "index", "--no-server", "-C", str(root)], peaks)


def _graph(root: Path) -> tuple[float, float]:
    """What a call graph needs, as the server does it before the units of search."""
    shutil.rmtree(root / ".nav", ignore_errors=True)
    return timed([sys.executable, "-c", GRAPH, str(root)])


def _bare_parse(root: Path) -> dict[str, Any]:
    from nav_ls.workspace.workspace import Workspace

    workspace = Workspace.open(root)
    with workspace.snapshot() as snapshot:
        files = [(str(root / info.path), info.language) for info in snapshot.files() if info.language]
    workspace.close()
    done = subprocess.run(
        [sys.executable, "-c", BARE_PARSE], input=json.dumps(files), capture_output=True, text=True, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def command_line(table: Table, root: Path) -> None:
    """What a person at a terminal waits for, without a server."""
    print("command line, without a server")
    index = [*NAV, "index", "--no-server", "-C", str(root)]
    table.add("nothing changed", _median(lambda: timed(index)[0], 5), "s", "aim: under 0.3 for 3,000 files")
    popular = _popular(root)
    table.add("one edited file", statistics.median(edits(root / popular.path, index)), "s")
    timed(index)
    callers = [*NAV, "callers", "--no-server", "-C", str(root), popular.target]
    table.add("nav callers, with its check for changes", _median(lambda: timed(callers)[0], 5), "s")
    table.add("nav callers --no-sync", _median(lambda: timed([*callers, "--no-sync"])[0], 5), "s")
    shared = [argument for argument in callers if argument != "--no-server"]
    timed(shared)
    table.add("nav callers, through the server", _median(lambda: timed(shared)[0], 5), "s")


def _popular(root: Path) -> Popular:
    """What many call."""
    done = subprocess.run(
        [*NAV, "graph", "top", "--no-server", "--json", "-C", str(root)], capture_output=True, text=True, check=True
    )
    symbol = json.loads(done.stdout)["rows"][0]["symbol"]
    return Popular(f"{symbol['path']}:{symbol['line']}", symbol["path"], symbol["symbol"].rpartition(".")[2])


# The editor ---------------------------------------------------------------------------------------------------


def editor(table: Table, root: Path, chance: random.Random, samples: int) -> None:
    """What an editor feels through nav-ls, with a warm server."""
    print("editor, through nav-ls on stdio")
    with Editor(NAV_LS, root) as session:
        session.wait_until_fresh()
        paths = _code_files(root)
        chosen = [chance.choice(paths) for _ in range(samples)]
        outlines = {path: session.outline(path) for path in dict.fromkeys(chosen)}
        _latency(table, "documentSymbol", [lambda path=path: session.outline(path) for path in chosen])
        functions = [(path, name, at) for path in chosen for name, at in outlines[path]]
        picked = [chance.choice(functions) for _ in range(samples)]
        _latency(table, "prepare + incomingCalls", [lambda one=one: session.callers(one[0], one[2]) for one in picked])
        _latency(table, "workspace/symbol", [lambda one=one: session.symbols(_typed(one[1], chance)) for one in picked])
        _latency(table, "hover", [lambda one=one: session.hover(one[0], one[2]) for one in picked])
        _saves(table, session, root, chance, picked[: min(40, samples)])
        pid = session.request("workspace/executeCommand", {"command": "nav.server.status"})["pid"]
        for name, peak in Peaks.of_tree(pid).items():
            table.add(f"peak memory while serving, {name}", peak / 1e6, "MB")


def _latency(table: Table, name: str, actions: list[Callable[[], Any]]) -> None:
    for action in actions[:5]:
        action()
    milliseconds = sorted(_seconds(action) * 1000 for action in actions)
    table.add(f"{name}, p50", statistics.median(milliseconds), "ms")
    table.add(f"{name}, p95", milliseconds[math.ceil(0.95 * len(milliseconds)) - 1], "ms", "aim: under 10")


def _typed(name: str, chance: random.Random) -> str:
    """A name as somebody types it: the beginning of it."""
    return name[: chance.randint(2, max(2, len(name)))]


def _saves(table: Table, session: Editor, root: Path, chance: random.Random, picked: list[Any]) -> None:
    """From didSave to an answer that has the new caller.

    Typed: the text was in the editor for a moment, as when a person saves.  At once: text and save come together, as
    when a tool writes; then all of the work lies in between.
    """
    for name, pause in (("typed", TYPED), ("at once", 0.0)):
        milliseconds = [
            found * 1000
            for number, (path, symbol, at) in enumerate(picked)
            if (found := _saved(session, root, path, at, _calling(path, symbol, f"bench_{number}"), pause)) is not None
        ]
        if milliseconds:
            milliseconds.sort()
            table.add(f"save to fresh answer, {name}, samples", len(milliseconds), "")
            table.add(f"save to fresh answer, {name}, p50", statistics.median(milliseconds), "ms")
            p95 = milliseconds[math.ceil(0.95 * len(milliseconds)) - 1]
            table.add(f"save to fresh answer, {name}, p95", p95, "ms", "aim: under 100")


def _saved(session: Editor, root: Path, path: str, at: Any, addition: str | None, pause: float) -> float | None:
    """Seconds until a function that was added to a file is a caller of the one at `at`; None where it never is."""
    if addition is None:
        return None
    before = (root / path).read_bytes()
    after = before + addition.encode()
    session.open(path, before.decode("utf-8", "replace"))
    session.replace(path, after.decode("utf-8", "replace"))
    time.sleep(pause)
    (root / path).write_bytes(after)
    begun = time.perf_counter()
    session.saved(path)
    fresh = None
    while fresh is None and time.perf_counter() - begun < 10:
        if any("bench_" in caller for caller in session.callers(path, at)):
            fresh = time.perf_counter() - begun
    (root / path).write_bytes(before)
    session.saved(path)
    session.close(path)
    session.callers(path, at)
    return fresh


def _calling(path: str, name: str, caller: str) -> str | None:
    """A new function at the end of a file that calls one of its own top-level functions or classes."""
    suffix = path.rpartition(".")[2]
    if suffix == "py":
        return f"\n\ndef {caller}():\n    return {name}()\n"
    if suffix in ("ts", "tsx", "js", "jsx", "mjs", "cjs"):
        return f"\nfunction {caller}() {{ return {name}(); }}\n"
    if suffix == "go":
        return f"\nfunc {caller}() {{ {name}() }}\n"
    return None


def _code_files(root: Path) -> list[str]:
    from nav_ls.workspace.workspace import Workspace

    workspace = Workspace.open(root)
    with workspace.snapshot() as snapshot:
        found = [info.path for info in snapshot.files() if info.language and 500 < info.size < 200_000]
    workspace.close()
    return found


def starts(table: Table, root: Path) -> None:
    """From starting nav-ls to its answer to initialize."""
    print("start of nav-ls")

    def warm() -> None:
        session = Editor(NAV_LS, root)
        session.initialize()
        seconds.append(time.perf_counter() - session.begun)
        session.leave()

    seconds: list[float] = []
    for _ in range(11):
        warm()
    table.add("nav-ls start, server running", statistics.median(seconds) * 1000, "ms", "aim: under 150")
    seconds.clear()
    for _ in range(3):
        subprocess.run([*NAV, "server", "stop"], check=False, capture_output=True)
        warm()
    table.add("nav-ls start, no server yet", statistics.median(seconds) * 1000, "ms")


# Measuring ----------------------------------------------------------------------------------------------------


def _seconds(action: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def _median(action: Callable[[], float], times: int) -> float:
    return statistics.median(action() for _ in range(times))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
