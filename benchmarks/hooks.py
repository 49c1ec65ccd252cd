"""What a hook costs, as its host sees it: from starting the process to the end of its output.

    python -m benchmarks.hooks REPOSITORY [--runs 40] [--saves 4]

REPOSITORY is a checkout that `nav index` has indexed.  Situations: a warm server, no server at all, a warm server
while four editors save a file each twice a second, and a server that has just taken the place of one that was killed.
Events: the digest of a session's start, prompts about definitions of the repository, prompts about nothing in it, and
machine-made prompts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from benchmarks.machine import floor
from benchmarks.runtime import own_server, vectors_ready
from nav_ls.client.connection import listening_pid
from nav_ls.client.runtime import open_runtime
from nav_ls.client.start import connect
from nav_ls.hooks import install
from nav_ls.hooks.hosts import BY_NAME
from nav_ls.query.digest import CHARACTERS_PER_TOKEN
from nav_ls.store import seal
from nav_ls.store.layout import FOLDER
from nav_ls.text.names import humps
from nav_ls.workspace.wiring import VECTORS
from nav_ls.workspace.workspace import Workspace

HOST = BY_NAME["claude"]
TALK = ("thanks, that is all", "run the tests again", "yes, go ahead", "commit this and push", "try again, please")
MACHINE = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>"
SAVE_SECONDS = 0.5
QUESTIONS = 40
WARM_UP = 10
"""Other prompts that a server has answered before it counts as warm: the first ones read the index from the disk."""


class Figures(msgspec.Struct, frozen=True):
    """Milliseconds, and what was injected.  `cpu`: of the hook and its server together, for one run on average."""

    name: str
    times: tuple[float, ...]
    characters: tuple[int, ...]
    cpu: float

    def line(self) -> str:
        """One row of the table."""
        ordered = sorted(self.times)
        p50, p95, p99 = (ordered[min(len(ordered) - 1, int(part * len(ordered)))] for part in (0.5, 0.95, 0.99))
        told = [size for size in self.characters if size]
        mean = sum(told) / len(told) if told else 0
        return (
            f"{self.name:44} {len(ordered):4} {p50:7.0f} {p95:7.0f} {p99:7.0f} {self.cpu:7.0f}   "
            f"{len(told):3} told, {mean:6.0f} characters, {mean / CHARACTERS_PER_TOKEN:5.0f} tokens, "
            f"most {max(self.characters, default=0):5}"
        )


def prompts(root: Path, count: int) -> list[str]:
    """Requests about definitions of the repository: half by name, half in the words of their documentation."""
    workspace = Workspace.open(root)
    try:
        with workspace.snapshot() as snapshot:
            assert snapshot.reader is not None, f"{root} is not indexed"
            rows = snapshot.reader.most_called([0], 2, 4000)
            symbols = [symbol for symbol in snapshot.symbols_by_id(row[0] for row in rows).values() if symbol.doc]
    finally:
        workspace.close()
    chosen = random.Random(1).sample(sorted(symbols, key=lambda symbol: (symbol.path, symbol.key)), count)
    made = []
    for index, symbol in enumerate(chosen):
        about = symbol.doc.partition("\n")[0].rstrip(".")
        named = f"Please change `{symbol.qual}` so that it logs what it does"
        made.append(named if index % 2 else f"Where do we {' '.join(humps(symbol.name)).lower()}? I mean: {about}")
    return made


def ask(root: Path, event: str, payload: dict[str, str], environment: dict[str, str]) -> tuple[float, int]:
    """Run a hook as a host does; milliseconds and characters of the text."""
    words = install.command(HOST, HOST.hooks[event], event, 20.0)
    data = json.dumps({"cwd": str(root), "hook_event_name": HOST.hooks[event].name} | payload).encode()
    start = time.perf_counter()
    done = subprocess.run(words, input=data, capture_output=True, cwd=root, env=environment, check=True)
    elapsed = (time.perf_counter() - start) * 1000
    text = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""
    return elapsed, len(text)


def measure(
    root: Path, label: str, runs: int, environment: dict[str, str], asked: Sequence[str], server: int = 0
) -> Iterator[Figures]:
    """All events in one situation; every prompt comes in a session of its own.  `server`: its process id, if any."""
    kinds: tuple[tuple[str, str, Sequence[str]], ...] = (
        ("session start", "session-start", ("",)),
        ("prompt", "user-prompt-submit", asked),
        ("prompt about nothing", "user-prompt-submit", TALK),
        ("machine-made prompt", "user-prompt-submit", (MACHINE,)),
    )
    for name, event, texts in kinds:
        rows = []
        before = _cpu_seconds(server)
        for run in range(runs):
            session = f"{label}-{name}-{run}-{time.time_ns()}"
            payload = {"session_id": session, "prompt": texts[run % len(texts)], "source": "startup"}
            rows.append(ask(root, event, payload, environment))
        cpu = 1000 * (_cpu_seconds(server) - before) / runs
        yield Figures(f"{label}: {name}", tuple(row[0] for row in rows), tuple(row[1] for row in rows), cpu)


def _cpu_seconds(server: int) -> float:
    """Of all processes that have ended, and of the server; without /proc the server's is not counted."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = ended.ru_utime + ended.ru_stime
    stat = Path(f"/proc/{server}/stat")
    if not server or not stat.exists():
        return own
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return own + (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _server_id() -> int:
    """The process id of the server that runs; 0 where the system does not tell."""
    return listening_pid(open_runtime().socket) or 0


def after_kill(root: Path, runs: int, environment: dict[str, str], asked: Sequence[str], anew: bool) -> Figures:
    """Prompts from the moment on at which another server has taken the place of a killed one.

    With `anew` the server was killed in the middle of a change, and the collection of vectors has to be made again.
    """
    server = _server_id()
    os.kill(server, signal.SIGKILL)
    while _server_id() == server:
        time.sleep(0.01)
    for folder in (root / FOLDER / VECTORS).glob("*/") if anew else ():
        seal.break_off(folder)
    connect(time.monotonic() + 60).close()
    name = "server killed in a change: prompt" if anew else "server killed: prompt"
    rows = []
    for run in range(runs):
        payload = {"session_id": f"{name}-{run}-{time.time_ns()}", "prompt": asked[run % len(asked)]}
        rows.append(ask(root, "user-prompt-submit", payload, environment))
    return Figures(name, tuple(row[0] for row in rows), tuple(row[1] for row in rows), 0.0)


def until_ready(root: Path) -> float:
    """Seconds until vectors take part in the answers of the server, where there are any."""
    began = time.monotonic()
    with connect(began + 60) as connection:
        folders = [{"uri": root.as_uri(), "name": "x"}]
        connection.request(
            "initialize", {"processId": None, "capabilities": {}, "workspaceFolders": folders}, began + 60
        )
        vectors_ready(connection, root)
    return time.monotonic() - began


@contextmanager
def editor(root: Path, path: str) -> Iterator[None]:
    """An editor that changes and saves one file twice a second, and puts it back in the end."""
    file = root / path
    before = file.read_bytes()
    stop = threading.Event()
    thread = threading.Thread(target=_save, args=(root, file, before, stop))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        file.write_bytes(before)


def _save(root: Path, file: Path, before: bytes, stop: threading.Event) -> None:
    text = before.decode("utf-8", "replace")
    deadline = time.monotonic() + 3600
    with connect(deadline) as connection:
        folder = [{"uri": root.as_uri(), "name": "x"}]
        connection.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": folder}, deadline)
        connection.notify("initialized", {}, deadline)
        item = {"uri": file.as_uri(), "languageId": "python", "version": 0, "text": text}
        connection.notify("textDocument/didOpen", {"textDocument": item}, deadline)
        version = 0
        while not stop.wait(SAVE_SECONDS):
            version += 1
            changed = f"{text}\n\ndef added_by_benchmark_{version}() -> int:\n    return {version}\n"
            document = {"uri": file.as_uri(), "version": version}
            change = {"textDocument": document, "contentChanges": [{"text": changed}]}
            connection.notify("textDocument/didChange", change, deadline)
            file.write_text(changed)
            connection.notify("textDocument/didSave", {"textDocument": {"uri": file.as_uri()}}, deadline)


def main(argv: Sequence[str]) -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--saves", type=int, default=4, help="how many editors save at once")
    args = parser.parse_args(argv)
    root = args.repository.resolve()
    drawn = prompts(root, WARM_UP + QUESTIONS)
    before, asked = drawn[:WARM_UP], drawn[WARM_UP:]
    print(floor())
    print(f"{'':44} {'runs':>4} {'p50 ms':>7} {'p95 ms':>7} {'p99 ms':>7} {'CPU ms':>7}   injected")
    with tempfile.TemporaryDirectory() as folder, own_server(Path(folder)):
        environment = dict(os.environ)
        cold = environment | {"NAV_SERVER_START": "0"}
        for figures in measure(root, "no server", max(5, args.runs // 4), cold, asked):
            print(figures.line(), flush=True)
        with connect(time.monotonic() + 60):
            until_ready(root)
            ask(root, "session-start", {"session_id": "warm-up"}, environment)
            for number, prompt in enumerate(before):
                ask(root, "user-prompt-submit", {"session_id": f"warm-up-{number}", "prompt": prompt}, environment)
            server = _server_id()
            for figures in measure(root, "warm", args.runs, environment, asked, server):
                print(figures.line(), flush=True)
            print(floor(), flush=True)
            with ExitStack() as editors:
                for path in _edited(root, args.saves):
                    editors.enter_context(editor(root, path))
                time.sleep(2)
                label = f"warm, {args.saves} editors saving"
                for figures in measure(root, label, args.runs, environment, asked, server):
                    print(figures.line(), flush=True)
        for anew in (False, True):
            print(after_kill(root, args.runs, environment, asked, anew).line(), flush=True)
            print(f"    after them until vectors took part: {until_ready(root):.1f} s", flush=True)
    return 0


def _edited(root: Path, count: int) -> list[str]:
    """Files of ordinary size for the editors."""
    workspace = Workspace.open(root)
    try:
        with workspace.snapshot() as snapshot:
            files = [info.path for info in snapshot.files() if info.language and 2_000 < info.size < 40_000]
    finally:
        workspace.close()
    return random.Random(2).sample(files, count)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
