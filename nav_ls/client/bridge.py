"""`nav-ls`: an editor's stdio on one side, the server's socket on the other, messages copied between them.

It ends with the editor: with 0 after `exit`.  When the server is lost (killed, restarted), another one takes over the
session: it is told what the editor said (see `journal`), and what was asked and not answered is refused with "content
modified".  With 1 it ends when that goes wrong, or too often: then the editor has to start it again.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Sequence
from typing import Literal

from nav_ls.client.connection import Connection, ConnectionLost, ServerError
from nav_ls.client.framing import Frames, FramingError, framed, parse
from nav_ls.client.identity import version
from nav_ls.client.journal import Journal
from nav_ls.client.start import START_PATIENCE, connect

_CHUNK = 256 * 1024
_MOST_LOSSES, _LOSSES_SECONDS = 3, 60.0
"""A session that loses more servers than that, so quickly, is what kills them."""

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
    """Copies both ways, one thread each way; whole messages only, so that a server can be replaced between two."""

    def __init__(self, connection: Connection, source: int, target: int) -> None:
        self._socket = connection.socket
        self._source = source
        self._target = target
        self._journal = Journal()
        self._guard = threading.Lock()
        self._source_ended = False
        self._losses: list[float] = []

    def run(self) -> int:
        self._socket.settimeout(None)
        threading.Thread(target=self._upstream, daemon=True).start()
        while True:
            with contextlib.suppress(OSError, FramingError):
                self._downstream()
            with self._guard:
                if self._source_ended or self._journal.ending:
                    return 0
                print("nav-ls: the nav server went away", file=sys.stderr, flush=True)
                if not self._taken_over():
                    return 1

    def _upstream(self) -> None:
        frames = Frames()
        with contextlib.suppress(OSError, FramingError):
            while data := os.read(self._source, _CHUNK):
                bodies = frames.feed(data)
                with self._guard:
                    for body in bodies:
                        if self._journal.sent(body):
                            self._send(framed(body))
        self._source_ended = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def _send(self, data: bytes) -> None:
        # A server that is gone is noticed by the other thread; what it had to know is in the journal.
        with contextlib.suppress(OSError):
            self._socket.sendall(data)

    def _downstream(self) -> None:
        frames = Frames()
        while data := self._socket.recv(_CHUNK):
            bodies = frames.feed(data)
            with self._guard:
                for body in bodies:
                    self._journal.received(body)
            self._write(b"".join(map(framed, bodies)))

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._target, view) :]

    def _taken_over(self) -> bool:
        """Let another server go on with the session; False where that cannot be."""
        now = time.monotonic()
        self._losses = [loss for loss in self._losses if now - loss < _LOSSES_SECONDS] + [now]
        if not self._journal.can_be_taken_over or len(self._losses) > _MOST_LOSSES:
            return False
        self._write(self._journal.given_up())
        self._socket.close()
        deadline = now + START_PATIENCE
        try:
            connection = connect(deadline)
            first = self._introduced(connection, deadline)
        except (ServerError, OSError) as error:
            print(f"nav-ls: {error}", file=sys.stderr, flush=True)
            return False
        self._socket = connection.socket
        self._socket.settimeout(None)
        if self._journal.waits_for_initialize():
            self._journal.received(first)
            self._write(framed(first))
        self._send(self._journal.rest())
        print("nav-ls: another nav server has taken over", file=sys.stderr, flush=True)
        return True

    def _introduced(self, connection: Connection, deadline: float) -> bytes:
        """Say `initialize` once more; returns the body of the answer."""
        opening, number = self._journal.opening()
        connection.socket.settimeout(max(0.1, deadline - time.monotonic()))
        connection.socket.sendall(opening)
        frames = Frames()
        while data := connection.socket.recv(_CHUNK):
            for body in frames.feed(data):
                message = parse(body)
                if message.get("id") == number and "method" not in message:
                    return body
        raise ConnectionLost("the new nav server went away as well")
