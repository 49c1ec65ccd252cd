"""Everybody at once: editors that save, hooks of agents, command lines, one server.  One command:

    python -m benchmarks.load PATH [--seconds 120] [--editors 2] [--hooks 8] [--commands 4] [--pause 0]

Works on a copy of a repository of Python.  Each client does one thing after the other until the time is over: an
editor changes a file, asks about it, saves it and asks again; a hook is told a prompt; a command line asks for callers,
definitions, a search, or the status.  Prints, for each kind of request, how many there were, how many failed or were
wrong, and how long they took; then the memory of each process of the server at the beginning and in the end: what is
resident, and how much of that is its own (the rest are files that the system can drop, counted once for each mapping).
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.editor import Editor
from benchmarks.hooks import ask, prompts
from benchmarks.processes import Resident, descendants, name, resident
from benchmarks.runtime import own_server
from nav_ls.client.call import call
from nav_ls.client.connection import RequestFailed

NAV = [sys.executable, "-c", "import sys; from nav_ls.main import nav; sys.exit(nav())"]
NAV_LS = [sys.executable, "-c", "import sys; from nav_ls.main import nav_ls; sys.exit(nav_ls())"]
SHOWN = 5
"""So many errors are printed in full."""


class Log:
    """What happened, from all threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._times: dict[str, list[float]] = {}
        self._errors: dict[str, list[str]] = {}

    @contextmanager
    def request(self, kind: str) -> Iterator[None]:
        """One request; an exception is an error of it."""
        begun = time.perf_counter()
        problem = ""
        try:
            yield
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        spent = time.perf_counter() - begun
        with self._guard:
            self._times.setdefault(kind, []).append(spent)
            if problem:
                self._errors.setdefault(kind, []).append(problem)

    def show(self, seconds: float) -> int:
        """Print the table; returns the number of errors."""
        print(f"{'':<24} {'done':>6} {'a second':>9} {'p50 ms':>8} {'p95 ms':>8} {'p99 ms':>8} {'errors':>7}")
        for kind, times in sorted(self._times.items()):
            ordered = sorted(times)
            shares = [1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] for part in (0.5, 0.95, 0.99)]
            wrong = len(self._errors.get(kind, ()))
            figures = " ".join(f"{value:>8.0f}" for value in shares)
            print(f"{kind:<24} {len(times):>6} {len(times) / seconds:>9.1f} {figures} {wrong:>7}")
        errors = [f"{kind}: {text}" for kind, texts in self._errors.items() for text in texts]
        for text in errors[:SHOWN]:
            print(f"  {text}")
        return len(errors)


def main() -> int:
    """Run it; the exit code is 1 if there was an error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--editors", type=int, default=2)
    parser.add_argument("--hooks", type=int, default=8)
    parser.add_argument("--commands", type=int, default=4)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds that each client waits between two requests")
    args = parser.parse_args()
    os.environ["NAV_SEARCH_BACKGROUND"] = "0"
    with tempfile.TemporaryDirectory(prefix="nv") as folder:
        root = Path(folder) / "copy"
        shutil.copytree(args.path, root, symlinks=True, ignore=shutil.ignore_patterns(".nav"))
        with own_server(Path(folder) / "r"):
            subprocess.run([*NAV, "index", "--no-server", "-C", str(root)], check=True)
            return 1 if run(root, args) else 0


def run(root: Path, args: argparse.Namespace) -> int:
    """All clients, for the time that was asked for; returns the number of errors."""
    log, over = Log(), threading.Event()
    asked, wanted = prompts(root, 40), _called(root, 20)
    clients: list[Callable[[], None]] = []
    paths = _edited(root, args.editors)
    clients += [lambda path=path: edit(root, path, log, over, args.pause) for path in paths]  # type: ignore[misc]
    clients += [lambda n=n: hook(root, n, asked, log, over, args.pause) for n in range(args.hooks)]  # type: ignore[misc]
    clients += [lambda n=n: command(root, n, wanted, log, over, args.pause) for n in range(args.commands)]  # type: ignore[misc]
    threads = [threading.Thread(target=client) for client in clients]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    server = int(call(None, "nav.server.status", {}, 60)["pid"])
    over.wait(min(15.0, args.seconds / 4))  # by now everybody has asked for everything once
    before = _memory(server)
    over.wait(max(0.0, args.seconds - (time.perf_counter() - begun)))
    after = _memory(server)
    over.set()
    for thread in threads:
        thread.join()
    errors = log.show(time.perf_counter() - begun)
    print(f"\n{'MB':<24} {'begin':>8} {'end':>8} {'own, begin':>11} {'end':>8}")
    none = Resident(0, 0)
    rows = [(f"{name(pid)} {pid}", before.get(pid, none), after.get(pid, none)) for pid in sorted({*before, *after})]
    rows.append(("together", _sum(before.values()), _sum(after.values())))
    for said, one, other in rows:
        print(
            f"{said:<24} {one.all / 1e6:>8.1f} {other.all / 1e6:>8.1f} {one.own / 1e6:>11.1f} {other.own / 1e6:>8.1f}"
        )
    return errors


def edit(root: Path, path: str, log: Log, over: threading.Event, pause: float) -> None:
    """An editor: types, asks, saves, asks."""
    file = root / path
    text = file.read_text()
    with Editor(NAV_LS, root) as editor:
        editor.wait_until_fresh()
        editor.open(path, text)
        for number in itertools.count():
            if over.wait(pause):
                break
            added = f"added_by_the_load_test_{number}"
            changed = f"{text}\n\ndef {added}():\n    return {number}\n"
            editor.replace(path, changed)
            with log.request("editor: outline, unsaved"):
                places = dict(editor.outline(path))
                _require(added in places, f"{added} is not in the outline of a buffer that has it")
            file.write_text(changed)
            editor.saved(path)
            with log.request("editor: outline, saved"):
                places = dict(editor.outline(path))
                _require(added in places, f"{added} is not in the outline of a file that has it")
            with log.request("editor: callers"):
                editor.callers(path, next(iter(places.values())))
            with log.request("editor: symbols"):
                editor.symbols(added[:-1])
            with log.request("editor: hover"):
                _require(editor.hover(path, places[added]) is not None, "no hover over a definition")


def hook(root: Path, number: int, asked: list[str], log: Log, over: threading.Event, pause: float) -> None:
    """An agent's hook: a prompt, a session after the other."""
    environment = dict(os.environ)
    for count in itertools.count():
        if over.wait(pause):
            break
        prompt = asked[(number * 7 + count) % len(asked)]
        with log.request("hook: prompt"):
            payload = {"session_id": f"load-{number}-{count}", "prompt": prompt, "source": "startup"}
            ask(root, "user-prompt-submit", payload, environment)


def command(
    root: Path, number: int, wanted: list[tuple[str, int]], log: Log, over: threading.Event, pause: float
) -> None:
    """A command line: one question after the other."""
    kinds: tuple[tuple[str, Callable[[str], list[str]]], ...] = (
        ("callers", lambda target: ["callers", target]),
        ("defs", lambda target: ["defs", target]),
        ("search", lambda target: ["search", target.replace("_", " ")]),
        ("status", lambda _: ["status"]),
    )
    for count in itertools.count(number):
        if over.wait(pause):
            break
        kind, words = kinds[count % len(kinds)]
        target, callers = wanted[count // len(kinds) % len(wanted)]
        with log.request(f"command: {kind}"):
            done = subprocess.run(
                [*NAV, *words(target), "--json", "-C", str(root)], capture_output=True, text=True, check=False
            )
            _require(done.returncode == 0, f"{kind} {target} ended with {done.returncode}: {done.stderr[-300:]}")
            _require("Traceback" not in done.stderr, done.stderr[-300:])
            if kind == "callers":
                found = json.loads(done.stdout)["callers"]
                _require(len(found) >= callers, f"{len(found)} instead of {callers} callers of {target}")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise RuntimeError(otherwise)


def _called(root: Path, count: int) -> list[tuple[str, int]]:
    """Definitions that are called, as `path:Qualified.name`, with the number of their callers."""
    top: Any = call(root, "nav.graph.top", {"limit": count}, 120)
    found: list[tuple[str, int]] = []
    for row in top["rows"]:
        target = f"{row['symbol']['path']}:{row['symbol']['symbol']}"
        with contextlib.suppress(RequestFailed):  # one of several definitions of the same name
            found.append((target, len(call(root, "nav.callers", {"target": target}, 120)["callers"])))
    return found


def _edited(root: Path, count: int) -> list[str]:
    """Files of ordinary size, each with a definition at its top level."""
    fit = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*.py"))
        if 2_000 < path.stat().st_size < 40_000 and b"\ndef " in path.read_bytes() and b"\r" not in path.read_bytes()
    ]
    return random.Random(2).sample(fit, count)


def _memory(server: int) -> dict[int, Resident]:
    return {pid: resident(pid) for pid in descendants(server)}


def _sum(parts: Iterable[Resident]) -> Resident:
    return Resident(*map(sum, zip(*parts, strict=True)))


if __name__ == "__main__":
    sys.exit(main())
