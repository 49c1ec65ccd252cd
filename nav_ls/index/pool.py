"""Worker processes, watched: a file that hangs or kills its worker is given up, the rest goes on."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from nav_ls.index import wire, worker
from nav_ls.index.links import PackedLinks
from nav_ls.index.unit_maker import Maker
from nav_ls.store.units import StaleFile
from nav_ls.text import heap
from nav_ls.text.errors import LostFactsError, NavError

_BATCH = 24
"""Files per message: enough to hide the way there and back, few enough to share the work evenly at the end."""

_HERE = -1
"""The slot of who helps the workers: the last one."""

_START_SECONDS = 30.0
_WAITS = 1 if worker.OUT_OF_TIME is None else 10
"""How many times longer a worker may be silent than a file may take: it limits its own time on the processor, if it can."""
_TOO_LONG = "took too long"

_STILLBORN = 4
"""So many workers in a row that die before they say a word are no accident."""

_ENCODER = msgspec.msgpack.Encoder()
_LINKS = msgspec.msgpack.Decoder(PackedLinks)


class Lost(msgspec.Struct, frozen=True):
    """A file that could not be worked on, and why."""

    path: str
    reason: str


class _Process:
    """One worker with what it has still to answer."""

    def __init__(self, number: int, setup: worker.Setup, inbox: queue.SimpleQueue[_Event]) -> None:
        self.number = number
        self.project: worker.Project | None = None
        self.open: deque[str] = deque()
        self.since = time.monotonic()
        self.answered = 0
        # Its own code comes from where ours came from, its errors are ours to see.
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[2])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=heap.environment(),
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._input = self.process.stdin
        self._output = self.process.stdout
        self._inbox = inbox
        self._reader = threading.Thread(target=self._read, name=f"worker-{number}", daemon=True)
        self._reader.start()
        self.send(setup)

    def send(self, request: worker.Request) -> None:
        """Send a request.  A dead worker is noticed by its reader, not here."""
        try:
            wire.send(self._input, _ENCODER.encode(request))
        except (OSError, ValueError):
            return

    def load(self, project: worker.Project) -> None:
        """Let it load a project, unless it has."""
        if project != self.project:
            self.project = project
            self.send(project)

    def fate(self) -> str:
        """Why it has ended by itself."""
        ended_by = -self.process.wait()
        return _TOO_LONG if ended_by == worker.OUT_OF_TIME else "ended its worker process"

    def stop(self) -> None:
        """End the process and its reader.  It has nothing to save, and would spend long on tidying up its memory."""
        self.process.kill()
        with contextlib.suppress(OSError):
            self._input.close()
        self.process.wait()
        self._reader.join(timeout=5)
        self._output.close()

    def _read(self) -> None:
        while True:
            try:
                message = wire.receive(self._output)
            except (OSError, ValueError):
                message = None
            self._inbox.put((self, message))
            if message is None:
                return


_Event = tuple[_Process, bytes | None]
_START = "import sys; sys.path.insert(0, sys.argv[1]); from nav_ls.index.worker import main; main()"


_Request = Callable[[list[str]], worker.Request]


class _Job:
    """Files that are being worked on: those that nobody has yet, and how many answers are to come.

    Everybody has a stretch of the paths of its own, because files of one folder need the same facts of others; who has
    finished helps the one that has most left.
    """

    def __init__(self, paths: Sequence[str], slots: int, request: _Request, project: worker.Project | None) -> None:
        self.request = request
        self.project = project
        self.left = len(paths)
        self.suspects: set[str] = set()
        share = -(-len(paths) // slots)
        self._pending = [deque(paths[slot * share : (slot + 1) * share]) for slot in range(slots)]

    def take(self, slot: int, most: int = _BATCH) -> list[str]:
        """The next files for who has a slot, none when there is nothing left; towards the end they become few."""
        own = self._pending[slot]
        if own:
            return [own.popleft() for _ in range(min(most, -(-len(own) // 2)))]
        fullest = max(self._pending, key=len)
        return [fullest.pop() for _ in range(min(most, -(-len(fullest) // 2)))]

    def give_back(self, slot: int, paths: Sequence[str]) -> None:
        """Files that who has a slot could not get to."""
        self._pending[slot].extendleft(reversed(paths))


class Pool:
    """A few workers for one root.  They start with the first job and stay until `close`.

    A job is a generator; one that is closed before its end takes the workers down with it.
    """

    def __init__(self, setup: worker.Setup, size: int = 0) -> None:
        self._setup = setup
        self._size = size or default_size()
        self._workers: list[_Process] = []
        self._inbox: queue.SimpleQueue[_Event] = queue.SimpleQueue()
        self._started = 0
        self._stillborn = 0
        self._ready = worker.ready()

    def extract(self, paths: Sequence[str], hashes: Mapping[str, bytes]) -> Iterator[bytes | Lost]:
        """Extract files; yields an encoded `Extracted` or a Lost for each, in any order.

        `hashes`: of those whose content is known; one that still has it is not extracted.
        """
        return self._run(
            paths, lambda batch: worker.Extract(batch, {path: hashes[path] for path in batch if path in hashes})
        )

    def extract_text(self, path: str, text: bytes, language: str) -> bytes | Lost:
        """Extract the text of a buffer; returns encoded facts."""
        (answer,) = self._run([path], lambda _: worker.ExtractText(path, text, language))
        return answer

    def find_locals(self, path: str, text: bytes, language: str) -> bytes | Lost:
        """Read the names of a text; returns encoded `Locals`."""
        (answer,) = self._run([path], lambda _: worker.FindLocals(path, text, language))
        return answer

    def load(self, project: worker.Project, *, helped: bool) -> None:
        """Let those workers load a project already that are going to link its files; `helped`: see `link`."""
        for process in self._crew(helped=helped):
            process.load(project)

    def link(
        self, project: worker.Project, paths: Sequence[str], here: Callable[[str], PackedLinks | Lost] | None = None
    ) -> Iterator[PackedLinks | Lost]:
        """Link files; yields what was found or a Lost for each, in any order.

        `here` links a file in this process, which helps then in the place of one worker.
        """
        with self._at_work(paths, worker.Link, project, helped=here is not None) as job:
            while job.left:
                if here is not None and self._inbox.empty() and (mine := job.take(_HERE, 1)):
                    job.left -= 1
                    yield here(mine[0])
                    continue
                for answer in self._events(job):
                    yield answer if isinstance(answer, Lost) else _LINKS.decode(answer)

    def units(self, maker: Maker, files: Mapping[str, StaleFile]) -> Iterator[bytes | Lost]:
        """Divide indexed files into units of search; yields an encoded `FileUnits | None` or a Lost for each."""
        return self._run(list(files), lambda batch: worker.Units(maker, [files[path] for path in batch]))

    def start(self, count: int) -> None:
        """Start workers until there are so many, or as many as there may be."""
        while len(self._workers) < min(self._size, count):
            self._workers.append(self._start())

    def rest(self) -> bool:
        """Give back what a large job has left in the memory of the workers; returns whether there was any."""
        if len(self._workers) < 2 and all(process.project is None for process in self._workers):
            return False
        self.close()
        return True

    def close(self) -> None:
        """End all workers."""
        for process in self._workers:
            process.stop()
        self._workers.clear()

    def _run(self, paths: Sequence[str], request: _Request) -> Iterator[bytes | Lost]:
        with self._at_work(paths, request) as job:
            while job.left:
                yield from self._events(job)

    @contextlib.contextmanager
    def _at_work(
        self,
        paths: Sequence[str],
        request: _Request,
        project: worker.Project | None = None,
        *,
        helped: bool = False,
    ) -> Iterator[_Job]:
        """A job that the workers have begun with."""
        # Starting a worker costs as much as a dozen files.
        self.start(min(-(-len(paths) // _BATCH), self._size - helped))
        crew = self._crew(helped=helped)
        job = _Job(paths, len(crew) + helped, request, project)
        for process in crew:
            self._feed(process, job)
        try:
            yield job
        finally:
            if job.left:  # given up half-way: answers that are still to come would be taken for the next job's
                self.close()

    def _crew(self, *, helped: bool) -> list[_Process]:
        """The workers of a job."""
        return self._workers[: self._size - helped]

    def _events(self, job: _Job) -> Iterator[bytes | Lost]:
        """What happened next: at most one answer, and those that are given up."""
        try:
            process, message = self._inbox.get(timeout=1.0)
        except queue.Empty:
            for stalled in [item for item in self._workers if self._stalled(item)]:
                yield from self._give_up(stalled, job, _TOO_LONG)
            return
        if process not in self._workers:
            return  # the last words of one that was given up
        if message is None:
            if not process.answered:
                self._stillborn += 1
            if self._stillborn >= _STILLBORN:
                self.close()
                raise NavError("worker processes cannot be started; run `nav doctor`")
            if process.open and not process.answered:
                self._start_over(process, job)
            elif process.open:
                yield from self._give_up(process, job, process.fate())
            else:
                self._replace(process)
            return
        process.since = time.monotonic()
        process.answered += 1
        if process.answered == 1:
            self._greet(message)
            return
        path = process.open.popleft()
        job.left -= 1
        if len(process.open) <= _BATCH // 4:
            self._feed(process, job)
        if message[:1] == worker.LOST_FACTS:
            raise LostFactsError(message[1:].decode("utf-8", "replace"))
        yield message[1:] if message[:1] == worker.DONE else Lost(path, message[1:].decode("utf-8", "replace"))

    def _start_over(self, process: _Process, job: _Job) -> None:
        """A worker that died before it began takes no file with it."""
        job.give_back(self._workers.index(process), list(process.open))
        self._feed(self._replace(process), job)

    def _greet(self, message: bytes) -> None:
        self._stillborn = 0
        if message != self._ready:
            self.close()
            raise NavError("nav was replaced by another version while it ran; start it again")

    def _feed(self, process: _Process, job: _Job) -> None:
        batch = job.take(self._workers.index(process))
        if not batch:
            return
        if job.project is not None:
            process.load(job.project)
        if not process.open:
            process.since = time.monotonic()
        process.open.extend(batch)
        process.send(job.request(batch))

    def _stalled(self, process: _Process) -> bool:
        allowed = _WAITS * self._setup.limits.parse_seconds + (0 if process.answered else _START_SECONDS)
        return bool(process.open) and time.monotonic() - process.since > allowed

    def _give_up(self, process: _Process, job: _Job, reason: str) -> Iterator[Lost]:
        """A worker is lost with the file that it was busy with; what it had not begun goes to others.

        The file gets a second chance with a worker of its own: the first one may have died for another reason.
        """
        path = process.open.popleft()
        slot = self._workers.index(process)
        if process.open:
            job.give_back(slot, list(process.open))
        fresh = self._replace(process)
        if path in job.suspects:
            job.left -= 1
            yield Lost(path, reason)
        else:
            job.suspects.add(path)
            job.give_back(slot, [path])
        self._feed(fresh, job)

    def _replace(self, process: _Process) -> _Process:
        process.stop()
        fresh = self._start()
        self._workers[self._workers.index(process)] = fresh
        return fresh

    def _start(self) -> _Process:
        self._started += 1
        return _Process(self._started, self._setup, self._inbox)


def default_size() -> int:
    """As many workers as there are processors for this process, eight at most."""
    try:
        available = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        available = os.cpu_count() or 1
    return max(1, min(available, 8))
