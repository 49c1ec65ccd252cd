"""How fast is search, and what does it take?

    python -m benchmarks.search PATH [--parts first throughput latency] [--texts 500] [--sizes 10000 50000 100000]
        [--work DIR] [--json FILE]

PATH is a repository; its copy shows how soon the first search answers, and how much of the embedder's bare throughput
the whole pipeline keeps.  The sizes are made-up repositories with so many definitions and random vectors, asked through
the server's socket: latency, memory of the server, size on disk.  They take minutes to make, and --work keeps them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import floor
from benchmarks.runtime import own_server, vectors_ready
from nav_ls.client.connection import Connection
from nav_ls.config.settings import Config
from nav_ls.index.search_index import packed
from nav_ls.query.search import SearchQuery
from nav_ls.store.units import UnitStore
from nav_ls.store.vectors import VectorCache
from nav_ls.workspace import wiring
from nav_ls.workspace.workspace import Workspace

Row = tuple[str, str]
PARTS = ("first", "throughput", "latency")
WORDS = (
    "account address batch buffer cache client cluster column commit config connection context cookie counter cursor "
    "database decode deploy document domain encode engine error event export factory field file filter flush format "
    "frame gateway handler header history image index input invoice item job key label layer ledger limit link "
    "list lock log mail manager map merge message method metric model module monitor network node notify object option "
    "order output owner page parse password path payment policy pool price process product profile project queue quota "
    "range record refresh region registry release remote render report request resource response retry role route row "
    "rule sample schedule schema score search secret section segment sender serial server service session shard ship "
    "signal size socket source stage state status step stock storage stream string sync table tag task template tenant "
    "thread ticket timer token topic trace transaction tree trigger type update upload user value version view volume "
    "wallet watch weight window worker writer zone"
).split()
PER_FILE = 20
QUESTIONS = 200
WARM_UP = 5.0
"""Seconds: a server that has just opened a repository looks through it first."""
MADE = ".nav/made"
"""Is there once a made-up repository is complete."""


def question(draw: random.Random) -> str:
    """Something that somebody might ask."""
    return f"where is the {draw.choice(WORDS)} {draw.choice(WORDS)} {draw.choice(['handled', 'created', 'checked'])}"


def first_answers(path: Path) -> Iterator[Row]:
    """A fresh clone: when the graph and when the first search answer, and what embedding costs."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "clone"
        shutil.copytree(path, root, symlinks=True, ignore=shutil.ignore_patterns(".nav"))
        begun = time.perf_counter()
        workspace = Workspace.open(root)
        try:
            workspace.sync()
            indexed = time.perf_counter() - begun
            made = workspace.searching.refresh()
            answer = workspace.searching.search(SearchQuery("where is the configuration loaded"))
            yield "graph indexed", f"{indexed:.2f} s"
            yield (
                "first search answered (words and graph)",
                f"{time.perf_counter() - begun:.2f} s, {len(answer.hits)} hits",
            )
            yield (
                "units made",
                f"{made.units:,} in {made.seconds:.2f} s ({made.units / max(made.seconds, 1e-9):,.0f} a second)",
            )
        finally:
            workspace.close()


def throughput(path: Path, texts: int) -> Iterator[Row]:
    """The whole way against the embedder alone, on the same texts."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "clone"
        shutil.copytree(path, root, symlinks=True, ignore=shutil.ignore_patterns(".nav"))
        workspace = Workspace.open(root)
        workspace.sync()
        workspace.searching.refresh()
        embedder = wiring.embedder(Config())
        embedder.query("load the model")
        store = UnitStore.open(workspace.layout.database(workspace.layout.view()))
        sample = list(store.pending(texts).values())
        store.close()
        bare = cpu_of(lambda: embedder.documents(sample))
        limit = [0]

        def enough() -> bool:
            limit[0] += 1
            return limit[0] > -(-len(sample) // 64)

        done: list[Any] = []
        whole = cpu_of(lambda: done.append(workspace.searching.embed(stop=enough)))
        workspace.close()
        count = done[0].embedded
        yield (
            "embedder alone",
            f"{len(sample) / bare:,.1f} texts a CPU second ({np.mean([len(t) for t in sample]):.0f} characters each)",
        )
        yield (
            "whole pipeline",
            f"{count / whole:,.1f} texts a CPU second: {count / whole / (len(sample) / bare):.2f} of it",
        )


def cpu_of(action: Callable[[], object]) -> float:
    """CPU seconds of this process, all threads."""
    begun = time.process_time()
    action()
    return time.process_time() - begun


def made_up(root: Path, size: int) -> None:
    """A repository of `size` small functions, indexed, with random vectors; nothing is done where there is one."""
    if (root / MADE).exists():
        return
    shutil.rmtree(root, ignore_errors=True)
    draw = random.Random(size)
    for number in range(size // PER_FILE):
        package = root / draw.choice(WORDS) / draw.choice(WORDS)
        package.mkdir(parents=True, exist_ok=True)
        lines = []
        for _ in range(PER_FILE):
            name = f"{draw.choice(WORDS)}_{draw.choice(WORDS)}_{draw.randrange(10 * size)}"
            doc = " ".join(draw.choices(WORDS, k=8))
            body = "\n".join(
                f"    {draw.choice(WORDS)} = {draw.choice(WORDS)}.{draw.choice(WORDS)}({draw.choice(WORDS)})"
                for _ in range(8)
            )
            lines.append(f'def {name}({draw.choice(WORDS)}, {draw.choice(WORDS)}):\n    """{doc}."""\n{body}\n\n\n')
        (package / f"{draw.choice(WORDS)}_{number}.py").write_text("".join(lines))
    workspace = Workspace.open(root)
    workspace.sync()
    workspace.searching.refresh()
    embedder = wiring.embedder(Config())
    with_random_vectors(workspace, embedder.model, embedder.dims)
    workspace.searching.search(SearchQuery(question(draw)))
    workspace.close()
    (root / MADE).touch()


def with_random_vectors(workspace: Workspace, model: str, dims: int) -> None:
    """Give every text a vector without embedding it."""
    numbers = np.random.default_rng(1)
    store = UnitStore.open(workspace.layout.database(workspace.layout.view()))
    cache = VectorCache.writable(workspace.layout.folder / "content.db")
    store.start_model(model)
    while pending := store.pending(5000):
        rows = numbers.normal(size=(len(pending), dims)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        cache.put(dict(zip(pending, packed(rows), strict=True)), model)
        store.mark_embedded(list(pending))
    cache.close()
    store.close()


@contextmanager
def server(root: Path) -> Iterator[tuple[Connection, int]]:
    """A connection to a server of our own, and the server's process."""
    from nav_ls.client.control import status
    from nav_ls.client.start import connect

    with tempfile.TemporaryDirectory(prefix="nav") as folder, own_server(Path(folder)):
        os.environ["NAV_SEARCH_BACKGROUND"] = "0"
        connection = connect(time.monotonic() + 30)
        if connection is None:
            sys.exit("no server can be started")
        found = status() or {}
        folders = [{"uri": root.as_uri(), "name": root.name}]
        params = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}, "workspaceFolders": folders}
        connection.request("initialize", params, time.monotonic() + 30)
        connection.notify("initialized", {}, time.monotonic() + 5)
        try:
            yield connection, int(found.get("pid", 0))
        finally:
            connection.close()


def latency(size: int, work: Path) -> Iterator[Row]:
    """Warm searches through the socket at one size."""
    root = work / f"made-up-{size}"
    made_up(root, size)
    disk = sum(file.stat().st_blocks * 512 for file in (root / ".nav").rglob("*") if file.is_file())
    draw = random.Random(7)
    with server(root) as (connection, pid):
        vectors_ready(connection, root)
        begun = time.monotonic()
        while time.monotonic() - begun < WARM_UP:
            ask(connection, root, question(draw), "hybrid")
        for mode in ("hybrid", "lexical"):
            times = [ask(connection, root, question(draw), mode) for _ in range(QUESTIONS)]
            yield f"{size:,} definitions, {mode}", percentiles(times)
        yield f"{size:,} definitions, memory of the server", f"{resident(pid) / 1e6:,.0f} MB"
    yield f"{size:,} definitions, on disk", f"{disk / 1e6:,.0f} MB"


def ask(connection: Connection, root: Path, text: str, mode: str) -> float:
    """Milliseconds for one question."""
    arguments = [{"query": text, "mode": mode}, {"root": str(root), "sync": False}]
    begun = time.perf_counter()
    params = {"command": "nav.search", "arguments": arguments}
    answer = connection.request("workspace/executeCommand", params, time.monotonic() + 60)
    took = 1000 * (time.perf_counter() - begun)
    if answer["mode"] != mode:
        sys.exit(f"{mode}: {answer['notes']}")
    return took


def percentiles(times: list[float]) -> str:
    """p50 and p95."""
    ordered = sorted(times)
    return f"p50 {statistics.median(ordered):.1f} ms, p95 {ordered[int(0.95 * len(ordered))]:.1f} ms"


def resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 where that cannot be read."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Print one row for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("path", type=Path)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--texts", type=int, default=500)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 50_000, 100_000])
    parser.add_argument("--work", type=Path, help="keep the made-up repositories here")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rows: list[Row] = []
    print(floor(), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        steps = {
            "first": [first_answers(args.path)],
            "throughput": [throughput(args.path, args.texts)],
            "latency": [latency(size, args.work or Path(folder)) for size in args.sizes],
        }
        for name, value in (row for part in args.parts for step in steps[part] for row in step):
            rows.append((name, value))
            print(f"{name:<50} {value}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(dict(rows), indent=1), "utf-8")


if __name__ == "__main__":
    main()
