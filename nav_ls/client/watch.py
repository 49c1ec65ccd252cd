"""What goes on in a repository, as the server tells it: for faces that show it."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nav_ls.client.connection import Connection, DeadlineExceeded, ServerError
from nav_ls.client.identity import version
from nav_ls.client.start import START_PATIENCE, connect

Told = Callable[[dict[str, Any]], None]
"""Called with `state` (fresh | indexing | stale | off), `message`, and where it is known `percent`."""

_FIRST_DELAY = 0.5
_LAST_DELAY = 30.0
_TURN = 1.0
"""Seconds after which it is looked whether anybody still wants to know."""


def watch(root: Path, told: Told, stop: threading.Event) -> None:
    """Tell each change of the status of the repository at `root` until `stop` is set; a lost server is found again."""
    delay = _FIRST_DELAY
    while not stop.is_set():
        try:
            with connect(time.monotonic() + START_PATIENCE) as connection:
                _introduce(connection, root, told)
                delay = _FIRST_DELAY
                while not stop.is_set():
                    with contextlib.suppress(DeadlineExceeded):
                        connection.listen(time.monotonic() + _TURN)
        except ServerError as error:
            told({"state": "off", "message": str(error)})
        stop.wait(delay)
        delay = min(2 * delay, _LAST_DELAY)


def _introduce(connection: Connection, root: Path, told: Told) -> None:
    def listen(method: str, params: Any) -> None:
        if method == "nav/status":
            told(params)

    connection.listener = listen
    deadline = time.monotonic() + START_PATIENCE
    params = {
        "processId": None,
        "rootUri": None,
        "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        "clientInfo": {"name": "nav", "version": version()},
        "capabilities": {},
    }
    connection.request("initialize", params, deadline)
    connection.notify("initialized", {}, deadline)
