"""How the server runs: for all clients of a user on a socket, or for one editor on stdio."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import queue
import socket
import sys
import threading
from pathlib import Path
from typing import BinaryIO

from nav_ls.client.identity import build
from nav_ls.client.runtime import Runtime, try_lock
from nav_ls.server.host import Host
from nav_ls.server.link import Link

log = logging.getLogger(__name__)

_BACKLOG = 128
COLLECTED_AT = 10_000
"""Objects after which the garbage collector looks at the young ones."""

SWITCH_SECONDS = 0.0005
"""How long a thread may go on while another one waits for its turn."""

_CHUNK = 64 * 1024
_OWNER_PATIENCE = 5.0
"""Seconds that a starting server waits for its predecessor to let go of the socket."""


def serve_socket(folder: Path) -> int:
    """Be the server of this user until it is idle or replaced; returns the exit code."""
    _log_to_stderr()
    build()  # as it is now, when our code is read: not as it will be when the first client asks
    runtime = Runtime(folder)
    with contextlib.ExitStack() as ownership:
        if not ownership.enter_context(try_lock(runtime.owner_lock, _OWNER_PATIENCE)):
            print("another nav server owns the socket", file=sys.stderr)
            return 1
        asyncio.run(_listen(runtime, ownership))
    return 0


def serve_stdio() -> int:
    """Serve one editor on stdin and stdout, in this process; returns LSP's exit code."""
    _log_to_stderr()
    # Whatever a library prints must not end up between the frames.
    frames = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return asyncio.run(_stdio(sys.stdin.buffer, frames))


def _settle() -> None:
    """What was imported stays: the collector need not look at it again and again, in the middle of an answer.

    An answer makes thousands of objects that are no garbage: it is begun less often than by default.  And an answer asks
    the database hundreds of things, after each of which it would wait for 5 ms while another thread has something to do.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECTED_AT, *gc.get_threshold()[1:])
    sys.setswitchinterval(SWITCH_SECONDS)


async def _listen(runtime: Runtime, ownership: contextlib.ExitStack) -> None:
    _settle()
    listener, identity = _bind(runtime)
    host = Host(shared=True)
    loop = asyncio.get_running_loop()
    server = await loop.create_unix_server(lambda: Link(host), sock=listener, backlog=_BACKLOG)

    def step_aside() -> None:
        """Take no new clients; those that are here stay."""
        server.close()
        with contextlib.suppress(FileNotFoundError):
            if runtime.socket.stat().st_ino == identity:
                runtime.socket.unlink()
        ownership.close()  # last: a successor starts as soon as it is free

    host.on_step_aside = step_aside
    log.info("listening on %s", runtime.socket)
    try:
        await host.run_until_done()
    finally:
        step_aside()
        await host.close()


def _bind(runtime: Runtime) -> tuple[socket.socket, int]:
    """The listening socket, and the number of its file (to tell it from a successor's)."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # Under another name first: a client must never find a socket that nobody listens on yet, or that others may open.
    fresh = runtime.folder / f"{os.getpid()}.sock"
    with contextlib.suppress(FileNotFoundError):
        fresh.unlink()
    mask = os.umask(0o177)
    try:
        listener.bind(str(fresh))
    finally:
        os.umask(mask)
    listener.listen(_BACKLOG)
    listener.setblocking(False)
    fresh.replace(runtime.socket)
    return listener, runtime.socket.stat().st_ino


async def _stdio(source: BinaryIO, target: BinaryIO) -> int:
    _settle()
    host = Host(shared=False)
    loop = asyncio.get_running_loop()
    # Threads rather than pipes of the loop: those take no files and no Windows console, and a slow reader of our
    # stdout must not stop the loop.
    outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    session = host.open_session(outgoing.put, lambda: outgoing.put(None))

    def read() -> None:
        with contextlib.suppress(OSError, ValueError):
            while data := source.raw.read(_CHUNK) if hasattr(source, "raw") else source.read(_CHUNK):
                loop.call_soon_threadsafe(session.feed, data)
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(session.close)

    def write() -> None:
        with contextlib.suppress(OSError, ValueError):
            while (data := outgoing.get()) is not None:
                view = memoryview(data)
                while view:
                    view = view[target.write(view) :]
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(session.close)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    threading.Thread(target=read, daemon=True).start()
    await host.run_until_done()
    await asyncio.to_thread(writer.join, 2.0)
    await host.close()
    return 0 if session.was_shut_down else 1


def _log_to_stderr() -> None:
    level = os.environ.get("NAV_LOG", "WARNING").upper()
    known = logging.getLevelNamesMapping()
    logging.basicConfig(
        stream=sys.stderr,
        level=known.get(level, logging.WARNING),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    # It logs every message it sends, source code included.
    logging.getLogger("pygls").setLevel(max(logging.WARNING, known.get(level, logging.WARNING)))
