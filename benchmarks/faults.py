"""Break things on purpose, and count what went wrong.  One command:

    python -m benchmarks.faults [--rounds N] [--seed S] [--only kills,flips,...]

Works on a repository that it makes for itself.  After each fault the command line is asked: an answer must be right
or missing with a message, never wrong, never a traceback; what costs money to make (`content.db`) must be there; and
the next sync must bring the index to what a cold one is.  The faults of `server_faults` are done to a server.

`full` limits the size of files (RLIMIT_FSIZE); `disk` and `readonly` mount a small tmpfs as `.nav`, which needs root,
and are left out where that is not possible.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import server_faults
from benchmarks.server_faults import PATIENCE
from nav_ls.store.layout import Layout
from tests.index.dump import difference, dump

_MODULES = 40
_NAV = [sys.executable, "-c", "import sys; from nav_ls.main import nav; sys.exit(nav())"]


class _Module(NamedTuple):
    """What a module of the repository says: whose `f` its own calls, and how many classes call that."""

    other: int
    classes: int

    def text(self, value: int) -> str:
        """The source."""
        text = f"from m{self.other} import f as g\n\n\ndef f(value={value}):\n    return g(value)\n\n\n"
        classes = (f"class C{number}:\n    def run(self):\n        return f()\n\n\n" for number in range(self.classes))
        return text + "".join(classes)


@dataclass
class Count:
    """What one kind of fault came to."""

    runs: int = 0
    refused: int = 0
    wrong: int = 0
    lost: int = 0
    tracebacks: int = 0


class Campaign:
    """A repository with an index, and the ways to hurt it."""

    def __init__(self, base: Path, seed: int) -> None:
        self.base = base
        self.root = base / "root"
        self.folder = self.root / ".nav"
        self.chance = random.Random(seed)
        self.edits = 0
        self._modules: dict[int, _Module] = {}
        self._jump = 0
        self.root.mkdir()
        for number in range(_MODULES):
            self.write(number)
        self.nav("embed")
        self._paid = self._vectors()

    # --- faults

    def kills(self, count: Count) -> None:
        """kill -9 of the indexer or of one of its workers, at a random moment."""
        for _ in range(self.chance.randrange(1, 40)):
            self.write(self.chance.randrange(_MODULES))
        process = subprocess.Popen(
            [*_NAV, "index", "--no-server", "-C", str(self.root), *(["--full"] if self.chance.random() < 0.3 else [])],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(self.chance.random() * 1.2)
        victims = [process.pid, *_children(process.pid)]
        with contextlib.suppress(ProcessLookupError):  # it may have finished
            os.kill(self.chance.choice(victims), signal.SIGKILL)
        process.wait(PATIENCE)
        self.check(count)

    def collecting(self, count: Count) -> None:
        """kill -9 while unneeded facts are dropped."""
        for _ in range(10):
            self.write(self.chance.randrange(_MODULES))
        self.nav("index")
        process = subprocess.Popen(
            [*_NAV, "gc", "--no-server", "-C", str(self.root)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(self.chance.random() * 0.6)
        process.kill()
        process.wait()
        self.check(count)

    def embedding(self, count: Count) -> None:
        """kill -9 while vectors are made."""
        for _ in range(10):
            self.write(self.chance.randrange(_MODULES))
        process = subprocess.Popen(
            [*_NAV, "embed", "--no-server", "-C", str(self.root)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(self.chance.random() * 2)
        process.kill()
        process.wait()
        self.check(count)

    def flips(self, count: Count) -> None:
        """A few random bits of a random file below `.nav` change."""
        self._flip(self.chance.choice(self._files()))
        self.check(count)

    def content(self, count: Count) -> None:
        """A few random bits change in what is paid for, or in the copy of it."""
        self._flip(self.folder / self.chance.choice(["content.db", "content-copy.db"]))
        self.check(count)

    def meaning(self, count: Count) -> None:
        """A few random bits change in the collection of vectors: the same is found as before."""
        self.nav("search", "value of run", "--mode", "vector")
        files = [path for path in (self.folder / "vectors").rglob("*") if path.is_file() and path.stat().st_size]
        before = self._scores()
        self._flip(self.chance.choice(files))
        after = self._scores(count)
        count.wrong += bool(after) and after != before
        self.check(count)

    def cuts(self, count: Count) -> None:
        """A random file below `.nav` is cut short, emptied or removed."""
        path = self.chance.choice(self._files())
        if self.chance.random() < 0.3:
            path.unlink()
        else:
            os.truncate(path, self.chance.randrange(path.stat().st_size + 1))
        self.check(count)

    def full(self, count: Count) -> None:
        """No file may grow beyond a random size: what a full disk or a quota does."""
        for _ in range(self.chance.randrange(1, 40)):
            self.write(self.chance.randrange(_MODULES))
        largest = max(item.stat().st_size for item in self._files())
        self.nav("index", limit=int(largest * self.chance.uniform(0.2, 1.2)), count=count)
        self.check(count)

    def disk(self, count: Count) -> None:
        """The disk is full at a random moment of indexing, embedding or collecting."""
        for _ in range(self.chance.randrange(1, 40)):
            self.write(self.chance.randrange(_MODULES))
        with self._mounted():
            ballast = self.folder / "ballast"
            free = shutil.disk_usage(self.folder).free
            ballast.write_bytes(bytes(max(0, free - int(free * self.chance.random() ** 3))))
            self.nav(self.chance.choice(["index", "embed", "gc"]), count=count)
            answer = self.nav("callers", "m0.py:f", "--json", count=count)
            ballast.unlink(missing_ok=True)
            if answer is not None and not answer["freshness"]["stale"]:
                count.wrong += not self.is_right(answer, 0)
            self.check(count)

    def readonly(self, count: Count) -> None:
        """Nothing can be written below `.nav`: the last committed state answers and says so."""
        before = self.nav("callers", "m0.py:f", "--json")
        with self._mounted():
            self.write(self.chance.randrange(_MODULES))
            _mount("-o", "remount,ro", str(self.folder))
            answer = self.nav("callers", "m0.py:f", "--json", count=count)
            _mount("-o", "remount,rw", str(self.folder))
            if answer is None:
                count.refused += 1
            else:
                count.wrong += answer["callers"] != before["callers"] or not answer["freshness"]["stale"]
            self.check(count)

    def clocks(self, count: Count) -> None:
        """Files are edited without a change of size, with times from anywhere; the clock of nav jumps as well."""
        self._jump = self.chance.choice([0, -(10**6), 10**6, -(10**9)])
        for _ in range(5):
            path = self.root / f"m{self.chance.randrange(_MODULES)}.py"
            before = path.stat()
            text = path.read_text()
            path.write_text(text.replace("value", "other") if "value" in text else text.replace("other", "value"))
            moment = self.chance.choice([before.st_mtime_ns, 0, before.st_mtime_ns + 10**12, before.st_mtime_ns - 1])
            os.utime(path, ns=(moment, moment))
        self.check(count)
        self._jump = 0

    # --- what must hold

    def check(self, count: Count) -> None:
        """Ask, compare with a cold index, look for what was paid for."""
        count.runs += 1
        number = self.chance.randrange(_MODULES)
        answer = self.nav("callers", f"m{number}.py:f", "--json", count=count)
        if answer is None:
            count.refused += 1
        elif not answer["freshness"]["stale"]:
            count.wrong += not self.is_right(answer, number)
        cold = self.cold()
        if self.nav("index", count=count) is None:
            count.refused += 1
        elif difference(_graph(dump(self._database())), _graph(cold)):
            count.wrong += 1
        # A vector is lost if there was one, its text is still there, and it is not.
        needed = {row[8] for row in cold["units"]}
        vectors = self._vectors()
        count.lost += bool((self._paid & needed) - vectors)
        self._paid = vectors

    def nav(self, *arguments: str, limit: int = 0, count: Count | None = None) -> Any:
        """Run nav; its JSON, or None where it failed with a message."""
        code = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); " if limit else ""
        if self._jump:
            code += f"import time; a, b, j = time.time, time.time_ns, {self._jump}; "
            code += "time.time = lambda: a() + j; time.time_ns = lambda: b() + j * 10**9; "
        command = [_NAV[0], "-c", code + _NAV[2], *arguments, "--no-server", "-C", str(self.root)]
        if "--json" not in arguments:
            command.append("--json")
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
        if count is not None:
            count.tracebacks += "Traceback" in done.stderr + done.stdout or "internal error" in done.stderr
        return json.loads(done.stdout) if done.returncode == 0 else None

    # --- inside

    def write(self, number: int) -> None:
        self.edits += 1
        module = self._modules[number] = _Module(self.chance.randrange(_MODULES), self.edits % 7)
        (self.root / f"m{number}.py").write_text(module.text(self.edits))

    def _files(self) -> list[Path]:
        return [path for path in sorted(self.folder.iterdir()) if path.is_file() and path.name != ".gitignore"]

    def _flip(self, path: Path) -> None:
        data = bytearray(path.read_bytes())
        for _ in range(self.chance.randrange(1, 4)):
            if data:
                data[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)
        path.write_bytes(data)

    def _scores(self, count: Count | None = None) -> dict[tuple[str, int], float]:
        answer = self.nav("search", "value of run", "--mode", "vector", count=count)
        return {(hit["path"], hit["start_line"]): round(hit["score"], 3) for hit in answer["hits"]} if answer else {}

    @contextlib.contextmanager
    def _mounted(self) -> Iterator[None]:
        """`.nav` on a small file system of its own."""
        kept = self.base / "kept"
        self.folder.rename(kept)
        self.folder.mkdir()
        size = sum(path.stat().st_size for path in kept.iterdir() if path.is_file())
        _mount("-t", "tmpfs", "-o", f"size={3 * size}", "tmpfs", str(self.folder))
        try:
            for path in kept.iterdir():
                if path.is_file():  # the collection of vectors is made again
                    shutil.copy2(path, self.folder / path.name)
            yield
            shutil.rmtree(kept)
            shutil.copytree(self.folder, kept)
        finally:
            subprocess.run(["umount", str(self.folder)], check=True)
            self.folder.rmdir()
            kept.rename(self.folder)

    def _database(self) -> Path:
        layout = Layout.find(self.root)
        return layout.database(layout.view())

    def cold(self) -> dict[str, list[tuple[Any, ...]]]:
        twin = self.base / "twin"
        shutil.rmtree(twin, ignore_errors=True)
        shutil.copytree(self.root, twin, ignore=shutil.ignore_patterns(".nav"))
        subprocess.run(
            [*_NAV, "index", "--no-server", "-C", str(twin)], check=True, capture_output=True, timeout=PATIENCE
        )
        layout = Layout.find(twin)
        return dump(layout.database(layout.view()))

    def is_right(self, answer: Any, number: int) -> bool:
        """Whether an answer names the callers of `f` in a module, as the modules were written."""
        others = {(f"m{caller}.py", "f") for caller, module in self._modules.items() if module.other == number}
        own = {(f"m{number}.py", f"C{index}.run") for index in range(self._modules[number].classes)}
        return sorted(others | own) == sorted((row["path"], row["symbol"]) for row in answer["callers"])

    def _vectors(self) -> set[str]:
        """The hashes of all texts that have a vector, in hexadecimal, in the store or in its copy."""
        return self._vectors_in("content.db") | self._vectors_in("content-copy.db")

    def _vectors_in(self, name: str) -> set[str]:
        path = self.folder / name
        if not path.exists():
            return set()
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        try:
            return {row[0] for row in connection.execute("SELECT hex(text_hash) FROM vectors WHERE length(data) > 0")}
        except sqlite3.DatabaseError:
            return set()
        finally:
            connection.close()


def _graph(rows: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """All but what waits for an embedding: that depends on what was embedded before."""
    return {name: found for name, found in rows.items() if name not in ("unit texts", "outbox")}


def _children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(item) for item in found.stdout.split()]


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True, capture_output=True)


def _can_mount() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        try:
            _mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", folder)
        except (OSError, subprocess.CalledProcessError):
            return False
        subprocess.run(["umount", folder], check=True)
    return True


FAULTS: dict[str, Callable[[Campaign, Count], None]] = {
    "kills": Campaign.kills,
    "collecting": Campaign.collecting,
    "embedding": Campaign.embedding,
    "flips": Campaign.flips,
    "content": Campaign.content,
    "cuts": Campaign.cuts,
    "meaning": Campaign.meaning,
    "full": Campaign.full,
    "clocks": Campaign.clocks,
    "disk": Campaign.disk,
    "readonly": Campaign.readonly,
    "starts": server_faults.starts,
    "leavers": server_faults.leavers,
    "deaf": server_faults.deaf,
}
_NEED_MOUNT = {"disk", "readonly"}


def main() -> int:
    """Command line; the exit code is 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="faults of each kind (default: 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(FAULTS), help="kinds of fault (default: all)")
    args = parser.parse_args()
    bad = 0
    print(f"{'fault':<12} {'runs':>5} {'refused':>8} {'wrong':>6} {'lost':>5} {'tracebacks':>11}  seconds")
    for name in args.only.split(","):
        if name in _NEED_MOUNT and not _can_mount():
            print(f"{name:<12} left out: nothing can be mounted here")
            continue
        started = time.monotonic()
        count = Count()
        with tempfile.TemporaryDirectory(prefix="nav-faults-") as base:
            campaign = Campaign(Path(base), args.seed)
            for _ in range(args.rounds):
                FAULTS[name](campaign, count)
        bad += count.wrong + count.lost + count.tracebacks
        row = f"{name:<12} {count.runs:>5} {count.refused:>8} {count.wrong:>6} {count.lost:>5} {count.tracebacks:>11}"
        print(f"{row}  {time.monotonic() - started:.0f}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
