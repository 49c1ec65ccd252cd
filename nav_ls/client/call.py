"""One nav.* command through the server, with a deadline: what the command line, the hooks and MCP use."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nav_ls.client.connection import Connection, ServerUnavailable
from nav_ls.client.identity import version
from nav_ls.client.start import connect, find

Progress = Callable[[dict[str, Any]], None]
"""Called with each `value` of a `$/progress` notification (LSP's begin, report, end; or a partial result)."""

_TOKEN = "call"


def call(
    root: str | Path | None,
    command: str,
    params: dict[str, Any],
    seconds: float,
    *,
    start: bool = True,
    progress: Progress | None = None,
    options: dict[str, Any] | None = None,
) -> Any:
    """Run `command` (`nav.*`) on the repository at `root` and return its result as plain JSON values.

    `root` is None for commands about the server itself.  `seconds` bounds the whole call, starting a server
    included; with `start=False` a missing server raises ServerUnavailable at once.  `options` are those of the
    server: `{"sync": False}` answers from the index as it is.
    Raises ServerUnavailable, DeadlineExceeded, ConnectionLost, RequestFailed (all of them ServerError).
    """
    deadline = time.monotonic() + seconds
    connection = connect(deadline) if start else find(deadline)
    if connection is None:
        raise ServerUnavailable("no nav server is running")
    with connection:
        return call_on(connection, root, command, params, deadline, progress, options)


def call_on(
    connection: Connection,
    root: str | Path | None,
    command: str,
    params: dict[str, Any],
    deadline: float,
    progress: Progress | None = None,
    options: dict[str, Any] | None = None,
) -> Any:
    """As `call`, on a fresh connection that the caller opened; `deadline` is absolute (`time.monotonic()`)."""
    connection.listener = _listener(progress) if progress else None
    initialize = connection.new_request("initialize", _initialize(root))
    execute = connection.new_request(
        "workspace/executeCommand", _execute(command, [params, options or {}], progress is not None)
    )
    initialized = {"jsonrpc": "2.0", "method": "initialized", "params": {}}
    # One write for all three: the answers are read in order, and a round trip is saved.
    connection.send(initialize, initialized, execute, deadline=deadline)
    connection.wait_for(initialize["id"], deadline)
    return connection.wait_for(execute["id"], deadline)


def _initialize(root: str | Path | None) -> dict[str, Any]:
    folders = [] if root is None else [{"uri": Path(root).resolve().as_uri(), "name": Path(root).name}]
    return {
        "processId": None,
        "rootUri": None,
        "workspaceFolders": folders,
        "clientInfo": {"name": "nav", "version": version()},
        "capabilities": {"general": {"positionEncodings": ["utf-8"]}},
        # A single command: no file watching, no status, no progress of its own.
        "initializationOptions": {"oneShot": True},
    }


def _execute(command: str, arguments: list[Any], with_progress: bool) -> dict[str, Any]:
    execute: dict[str, Any] = {"command": command, "arguments": arguments}
    if with_progress:
        execute["workDoneToken"] = _TOKEN
    return execute


def _listener(progress: Progress) -> Callable[[str, Any], None]:
    def on_notification(method: str, params: Any) -> None:
        if method == "$/progress" and isinstance(params, dict) and params.get("token") == _TOKEN:
            progress(params["value"])

    return on_notification
