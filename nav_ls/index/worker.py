"""A worker process: extracts and links files, one answer per file, until its input ends.

It is a process of its own because parsing holds the interpreter's lock, and because a file that hangs or kills
the parser must cost one worker and not the index.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from nav_ls.index import links, wire
from nav_ls.index.extraction import extract_file, extract_text, locals_of, version_of
from nav_ls.index.source import StoreSource
from nav_ls.index.unit_maker import Maker
from nav_ls.store.facts import FactStore
from nav_ls.store.units import StaleFile
from nav_ls.syntax.facts import encode
from nav_ls.text.admit import Limits
from nav_ls.text.errors import LostFactsError

if TYPE_CHECKING:
    from nav_ls.graph.link import Linker


class Setup(msgspec.Struct, frozen=True, tag="setup"):
    """Sent first: what to read and within which limits.  `facts`: the store of facts, "" if there is none yet."""

    root: str
    facts: str
    limits: Limits


class Extract(msgspec.Struct, frozen=True, tag="extract"):
    """Files to extract; each is answered with an `Extracted`, in this order.

    `hashes`: of files whose content is known; one that still has it is not extracted.
    """

    paths: list[str]
    hashes: dict[str, bytes]


class ExtractText(msgspec.Struct, frozen=True, tag="text"):
    """The text of an open buffer; answered with encoded `FileFacts`."""

    path: str
    text: bytes
    language: str


class FindLocals(msgspec.Struct, frozen=True, tag="locals"):
    """The text of a file, open or not; answered with `Locals`."""

    path: str
    text: bytes
    language: str


class Project(msgspec.Struct, frozen=True, tag="project"):
    """All files of the view, before the first `Link`.  Not answered."""

    code: dict[str, bytes]
    manifests: dict[str, bytes]


class Link(msgspec.Struct, frozen=True, tag="link"):
    """Files to link; each is answered with a `PackedLinks`, in this order."""

    paths: list[str]


class Units(msgspec.Struct, frozen=True, tag="units"):
    """Files to divide into units of search; each is answered with a `FileUnits`, or None where it has changed."""

    maker: Maker
    files: list[StaleFile]


def ready() -> bytes:
    """The first thing that a worker says: which code it runs."""
    return b"ready " + version_of("nav_ls.index").encode()


OUT_OF_TIME = getattr(signal, "SIGPROF", None)
"""The signal that ends a worker when one file has cost it more time on the processor than it may.

That is not the time that passes: on a busy machine, or one that was asleep, a worker waits through no fault of a file.
Windows has no such signal.
"""

DONE = b"\0"
FAILED = b"\1"
LOST_FACTS = b"\2"
"""First byte of an answer: the rest is what was asked for, or why there is none."""

Request = Setup | Extract | ExtractText | FindLocals | Project | Link | Units
_DECODER = msgspec.msgpack.Decoder(Request)
_ENCODER = msgspec.msgpack.Encoder()


def internal(error: Exception) -> str:
    """What is told of a mistake of our own that one file brought to light."""
    return f"internal error: {type(error).__name__}: {error}"


class _Worker:
    def __init__(self, setup: Setup) -> None:
        self._root = setup.root
        self._limits = setup.limits
        self._store = FactStore.readable(Path(setup.facts)) if setup.facts else None
        self._project: Project | None = None
        self._linker: Linker | None = None
        self._stale: dict[str, StaleFile] = {}

    def answers(self, request: Request) -> list[str]:
        """The paths that are to be answered one by one; prepares what they need."""
        if isinstance(request, Project):
            self._project, self._linker = request, None
            with contextlib.suppress(Exception):  # it is told to whoever asks for links
                self._linked()
        if isinstance(request, (ExtractText, FindLocals)):
            return [request.path]
        if isinstance(request, Units):
            self._stale = {row.path: row for row in request.files}
            return list(self._stale)
        return request.paths if isinstance(request, (Extract, Link)) else []

    def answer(self, request: Request, path: str) -> bytes:
        """What is known of one file; a failure is an answer too."""
        try:
            return DONE + self._result(request, path)
        except LostFactsError as error:
            return LOST_FACTS + str(error).encode("utf-8", "replace")
        except Exception as error:
            return FAILED + internal(error).encode("utf-8", "replace")

    def _result(self, request: Request, path: str) -> bytes:
        if isinstance(request, Extract):
            return _ENCODER.encode(extract_file(self._root, path, self._limits, self._store, request.hashes.get(path)))
        if isinstance(request, ExtractText):
            return encode(extract_text(path, request.text, request.language))
        if isinstance(request, FindLocals):
            return _ENCODER.encode(locals_of(path, request.text, request.language))
        if isinstance(request, Units):
            return _ENCODER.encode(request.maker.made(Path(self._root), self._store, self._stale[path]))
        return _ENCODER.encode(links.pack(path, self._linked().link(path)))

    def _linked(self) -> Linker:
        if self._linker is None:
            from nav_ls.graph.link import Linker  # costs as much as everything else here, and not every worker links

            assert self._store is not None, "linking reads stored facts"
            assert self._project is not None, "a project is sent before its files"
            source = StoreSource(os.path.basename(self._root), self._store, self._project.code, self._project.manifests)
            self._linker = Linker(source)
            source.forget_summaries()
            gc.freeze()
        return self._linker


def main() -> None:
    """Serve requests on stdin and stdout."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not end up between two messages.
    os.dup2(2, 1)
    gc.disable()
    wire.send(answers, ready())
    worker: _Worker | None = None
    seconds = 0.0
    while (message := wire.receive(requests)) is not None:
        request = _DECODER.decode(message)
        if isinstance(request, Setup):
            _limit_memory(request.limits.worker_bytes)
            worker, seconds = _Worker(request), request.limits.parse_seconds
            continue
        assert worker is not None, "the set-up is sent first"
        for path in worker.answers(request):
            _limit_time(seconds)
            wire.send(answers, worker.answer(request, path))
        _limit_time(0)
        gc.collect(0)


def _limit_time(seconds: float) -> None:
    """End this process after so much more time on the processor; 0 takes the limit away."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory(size: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = size if hard == resource.RLIM_INFINITY else min(size, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ValueError, OSError):
        return  # not every system lets a process do that; the time limit still holds


if __name__ == "__main__":
    main()
