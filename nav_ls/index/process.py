"""An indexer in a child process: parsing and linking never run in the process that answers editors."""

from __future__ import annotations

import contextlib
import gc
import os
import select
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import msgspec

from nav_ls.index import wire
from nav_ls.index.indexer import Indexer
from nav_ls.index.model import Listener, Progress, Report
from nav_ls.store.lock import WAIT_SECONDS
from nav_ls.store.rows import Buffer
from nav_ls.text import errors, heap
from nav_ls.text.admit import Limits


class Open(msgspec.Struct, frozen=True, tag="open"):
    """Sent first: what to index."""

    root: str
    limits: Limits
    workers: int


class Sync(msgspec.Struct, frozen=True, tag="sync"):
    """Answered with any number of Progress, then a Report."""

    paths: list[str] | None
    full: bool
    wait: float


class Overlay(msgspec.Struct, frozen=True, tag="overlay"):
    """Answered with an Overlaid."""

    path: str
    text: bytes | None


class Warm(msgspec.Struct, frozen=True, tag="warm"):
    """Answered with an Overlaid of nothing."""


class Told(msgspec.Struct, frozen=True, tag="progress"):
    """Progress of a sync."""

    progress: Progress


class Synced(msgspec.Struct, frozen=True, tag="synced"):
    """The end of a sync."""

    report: Report


class Overlaid(msgspec.Struct, frozen=True, tag="overlaid"):
    """What a buffer says."""

    buffer: Buffer | None


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """The end of a request that went wrong: a class of `text.errors` and its message."""

    kind: str
    message: str


Request = Open | Sync | Overlay | Warm
Answer = Told | Synced | Overlaid | Failed
_REQUESTS = msgspec.msgpack.Decoder(Request)
_ANSWERS = msgspec.msgpack.Decoder(Answer)
_ENCODER = msgspec.msgpack.Encoder()
_IDLE_SECONDS = 3.0
_COLLECT_EVERY = 200
"""Requests after which rubbish is collected although others wait."""
_START = "import sys; sys.path.insert(0, sys.argv[1]); from nav_ls.index.process import main; main()"


class IndexProcess:
    """The same methods as `Indexer`, carried out in a child.  Safe to use from several threads: they take turns."""

    def __init__(self, root: Path, limits: Limits | None = None, workers: int = 0) -> None:
        self._open = Open(str(root), limits or Limits(), workers)
        self._turn = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._buffers: dict[str, bytes] = {}

    def sync(
        self,
        paths: Sequence[str] | None = None,
        *,
        full: bool = False,
        progress: Listener | None = None,
        wait: float = WAIT_SECONDS,
    ) -> Report:
        """As `Indexer.sync`.  A listener that raises ends the child: nothing of the sync is kept."""
        with self._turn:
            answer = self._ask(Sync(None if paths is None else list(paths), full, wait), progress)
        assert isinstance(answer, Synced), "a sync ends with its report"
        return answer.report

    def overlay(self, path: str, text: bytes | None) -> Buffer | None:
        """As `Indexer.overlay`."""
        with self._turn:
            if text is None:
                self._buffers.pop(path, None)
            else:
                self._buffers[path] = text
            answer = self._ask(Overlay(path, text))
        assert isinstance(answer, Overlaid), "an overlay is answered with a buffer"
        return answer.buffer

    def warm(self) -> None:
        """As `Indexer.warm`."""
        with self._turn:
            self._ask(Warm())

    def close(self) -> None:
        """End the child."""
        with self._turn:
            self._stop(kill=False)

    def _ask(self, request: Request, progress: Listener | None = None) -> Answer:
        child = self._running()
        assert child.stdin is not None, "the child was started with pipes"
        assert child.stdout is not None, "the child was started with pipes"
        try:
            wire.send(child.stdin, _ENCODER.encode(request))
            while (message := wire.receive(child.stdout)) is not None:
                answer = _ANSWERS.decode(message)
                if isinstance(answer, Failed):
                    raise _error(answer)
                if not isinstance(answer, Told):
                    return answer
                if progress is not None:
                    progress(answer.progress)
        except errors.NavError as error:
            if not isinstance(error, errors.CancelledError):
                raise
            self._stop(kill=True)
            raise
        except (OSError, ValueError):
            self._stop(kill=True)
        except BaseException:
            self._stop(kill=True)
            raise
        else:
            self._stop(kill=True)
        raise errors.NavError("the indexing process ended unexpectedly; the last committed index is untouched")

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        self._stop(kill=True)
        self._child = child = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[2])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=heap.environment(),
        )
        assert child.stdin is not None, "the child was started with pipes"
        wire.send(child.stdin, _ENCODER.encode(self._open))
        for path, text in self._buffers.items():
            self._ask(Overlay(path, text))
        return child

    def _stop(self, *, kill: bool) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        if kill:
            child.kill()
        assert child.stdin is not None, "the child was started with pipes"
        assert child.stdout is not None, "the child was started with pipes"
        with contextlib.suppress(OSError):
            child.stdin.close()
        try:
            child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        child.stdout.close()


def main() -> None:
    """Serve requests on stdin and stdout, until stdin ends."""
    # To look through all that a sync has made takes as long as a small sync: that is done while nobody waits.
    gc.disable()
    # Unbuffered: what lies in a buffer does not wake up who waits for the descriptor.
    requests, answers = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not end up between two messages.
    os.dup2(2, 1)

    def tell(answer: Answer) -> None:
        wire.send(answers, _ENCODER.encode(answer))

    indexer: Indexer | None = None
    served = 0
    try:
        while (message := _next(requests, indexer)) is not None:
            request = _REQUESTS.decode(message)
            if isinstance(request, Open):
                indexer = Indexer(Path(request.root), request.limits, request.workers)
                continue
            assert indexer is not None, "a root is opened first"
            try:
                tell(_carried_out(indexer, request, lambda progress: tell(Told(progress))))
            except (BrokenPipeError, KeyboardInterrupt):
                break
            except Exception as error:
                tell(Failed(type(error).__name__, str(error)))
            served += 1
            if served % _COLLECT_EVERY == 0:
                gc.collect()
    finally:
        if indexer is not None:
            indexer.close()


def _next(requests: IO[bytes], indexer: Indexer | None) -> bytes | None:
    """The next message; while there is none, what was written is settled."""
    if indexer is not None and sys.platform != "win32" and not select.select([requests], [], [], _IDLE_SECONDS)[0]:
        indexer.settle()
        gc.collect()
    return wire.receive(requests)


def _carried_out(indexer: Indexer, request: Request, listener: Listener) -> Answer:
    if isinstance(request, Sync):
        return Synced(indexer.sync(request.paths, full=request.full, progress=listener, wait=request.wait))
    if isinstance(request, Overlay):
        return Overlaid(indexer.overlay(request.path, request.text))
    indexer.warm()
    return Overlaid(None)


def _error(failed: Failed) -> errors.NavError:
    kind = getattr(errors, failed.kind, None)
    if isinstance(kind, type) and issubclass(kind, errors.NavError):
        return kind(failed.message)
    return errors.NavError(f"indexing failed: {failed.kind}: {failed.message}")


if __name__ == "__main__":
    main()
