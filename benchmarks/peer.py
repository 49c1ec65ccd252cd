"""Another index of the same files: CodeGraph (npm, its engine is compiled), as it is installed from its registry.

Its commands are run as a person would run them, without its daemon, for which nav has no counterpart here, and
without telling its makers.  It writes to `.codegraph` in the root.
"""

from __future__ import annotations

import os
import shutil
import statistics
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks.processes import Peaks, edits, timed
from tests import npm

PACKAGE, VERSION = "@colbymchenry/codegraph", "1.6.1"
_ENVIRONMENT = {"CODEGRAPH_NO_DAEMON": "1", "CODEGRAPH_TELEMETRY": "0", "DO_NOT_TRACK": "1"}
_INDEX = ".codegraph"
_TURNS = 3

Cost = tuple[float, float]
"""Wall and CPU seconds."""


class Popular(NamedTuple):
    """A symbol that many call: how nav is asked for it, its file, its name."""

    target: str
    path: str
    name: str


def codegraph(
    add: Callable[[str, float, str], None], root: Path, popular: Popular, ours: Mapping[str, Callable[[], Cost]]
) -> None:
    """What the peer takes for what nav is measured at; `add` takes a name, a figure and its unit.

    `ours` are jobs of nav that begin with nothing.  They take turns with the peer's, because a machine is seldom as fast
    twice.  Raises `npm.Unavailable` where the peer cannot be installed.
    """
    program = str(npm.install("codegraph", PACKAGE, VERSION) / ".bin" / "codegraph")
    os.environ.update(_ENVIRONMENT)
    os.environ["PATH"] = f"{npm.node_bin()}{os.pathsep}{os.environ['PATH']}"
    print(f"peer: {PACKAGE} {VERSION}")
    peaks = Peaks()
    theirs: list[Cost] = []
    mine: dict[str, list[Cost]] = {what: [] for what in ours}
    for _ in range(_TURNS):
        for what, job in ours.items():
            mine[what].append(job())
        shutil.rmtree(root / _INDEX, ignore_errors=True)
        theirs.append(timed([program, "init", str(root)], None if theirs else peaks))
    for place, time in enumerate(("wall", "CPU")):
        peer = statistics.median(cost[place] for cost in theirs)
        add(f"peer: cold index, {time}", peer, "s")
        for what, costs in mine.items():
            seconds = statistics.median(cost[place] for cost in costs)
            add(f"nav's cold {what} in turn with it, {time}", seconds, "s")
            add(f"nav's cold {what} / peer, {time}", seconds / peer, "times")
    add("peer: peak memory, all together", peaks.together / 1e6, "MB")
    size = sum(path.stat().st_size for path in (root / _INDEX).rglob("*") if path.is_file())
    add("peer: size on disk", size / 1e6, "MB")
    sync = [program, "sync", str(root)]
    add("peer: nothing changed", statistics.median(timed(sync)[0] for _ in range(5)), "s")
    add("peer: one edited file", statistics.median(edits(root / popular.path, sync)), "s")
    callers = [program, "callers", "--path", str(root), "--file", popular.path, popular.name]
    add("peer: callers", statistics.median(timed(callers)[0] for _ in range(5)), "s")
    shutil.rmtree(root / _INDEX)
