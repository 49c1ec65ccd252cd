"""`nav-ls`: an editor's stdio on one side, the server's socket on the other, bytes copied between them.

The bridge understands no message.  It ends when either side does: with 0 after the editor's `exit`, with 1 when the
server was lost, so that the editor restarts it (and that starts a new server).
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import sys
import threading
import time
from collections.abc import Sequence
from typing import Literal

from nav_ls.client.connection import Connection, ServerError
from nav_ls.client.identity import version
from nav_ls.client.start import START_PATIENCE, connect

_CHUNK = 256 * 1024
_EXIT = re.compile(rb'"method"\s*:\s*"exit"')
_TAIL = 512
"""Bytes.  `exit` is the last and a short message: it lies whole in the last bytes that the editor wrote."""


USAGE = """usage: nav-ls [--standalone]

Serves the Language Server Protocol on stdin and stdout, through the server that all editors of this user share
(it is started if needed). With --standalone this process is the server, and nothing is shared.

  --standalone  serve in this process
  --version     print the version
  --help        print this text
"""


def mode_of(arguments: Sequence[str]) -> Literal["shared", "standalone"] | int:
    """How to serve; or the exit code, when the arguments asked for a text only or make no sense."""
    mode: Literal["shared", "standalone"] = "shared"
    for argument in arguments:
        if argument == "--standalone":
            mode = "standalone"
        elif argument == "--version":
            print(f"nav-ls {version()}")
            return 0
        elif argument in ("-h", "--help"):
            print(USAGE, end="")
            return 0
        # Editors add these by themselves; stdio is all there is, and its end tells that the editor is gone.
        elif argument != "--stdio" and not argument.startswith("--clientProcessId"):
            print(f"nav-ls: unknown argument {argument!r}\n{USAGE}", end="", file=sys.stderr)
            return 2
    return mode


def bridge() -> int | None:
    """Serve the editor on stdin and stdout through the shared server; returns the exit code.

    None if there is no server to be had (the reason is on stderr): nothing was read or written then, and the
    caller can still serve by itself.
    """
    try:
        connection = connect(time.monotonic() + START_PATIENCE)
    except ServerError as error:
        print(f"nav-ls: {error}; serving this editor alone", file=sys.stderr)
        return None
    return _Pump(connection, sys.stdin.fileno(), sys.stdout.fileno()).run()


class _Pump:
    """Copies both ways, one thread each way."""

    def __init__(self, connection: Connection, source: int, target: int) -> None:
        self._socket = connection.socket
        self._source = source
        self._target = target
        self._tail = b""
        self._source_ended = False

    def run(self) -> int:
        self._socket.settimeout(None)
        threading.Thread(target=self._upstream, daemon=True).start()
        self._downstream()
        if self._source_ended or _EXIT.search(self._tail):
            return 0
        print("nav-ls: the nav server went away", file=sys.stderr)
        return 1

    def _upstream(self) -> None:
        with contextlib.suppress(OSError):
            while data := os.read(self._source, _CHUNK):
                self._tail = (self._tail + data)[-_TAIL:]
                self._socket.sendall(data)
        self._source_ended = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def _downstream(self) -> None:
        with contextlib.suppress(OSError):
            while data := self._socket.recv(_CHUNK):
                view = memoryview(data)
                while view:
                    view = view[os.write(self._target, view) :]
