"""A server of a benchmark's own, beside whatever its user runs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nav_ls.client.connection import Connection
from nav_ls.client.control import stop
from nav_ls.workspace.vectors import PREPARING

READY_SECONDS = 60.0


@contextmanager
def own_server(folder: Path) -> Iterator[None]:
    """Servers that are started in here lie in `folder`, which is made if it is not there, and end with it.

    Short paths only: a socket's may have about a hundred bytes.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed nav has its bytecode
    try:
        yield
    finally:
        stop(seconds=20)
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before


def vectors_ready(connection: Connection, root: Path) -> None:
    """Wait until a server has read the vectors of a repository: until then it answers by words and the graph."""
    until = time.monotonic() + READY_SECONDS
    arguments = [{"query": "where is it read"}, {"root": str(root), "sync": False}]
    while time.monotonic() < until:
        params = {"command": "nav.search", "arguments": arguments}
        answer = connection.request("workspace/executeCommand", params, until + READY_SECONDS)
        if not any(PREPARING in note for note in answer["notes"]):
            return
