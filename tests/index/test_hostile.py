"""Input that nobody writes on purpose, and faults at bad moments: each has one clear outcome."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nav_ls.index import extraction
from nav_ls.index.extraction import differs, extract_file
from nav_ls.index.indexer import Indexer
from nav_ls.index.model import Progress
from nav_ls.query import calls, targets
from nav_ls.store.layout import Layout
from nav_ls.store.reader import Reader
from nav_ls.text.admit import Limits
from nav_ls.text.errors import CancelledError
from nav_ls.workspace.workspace import Workspace
from tests.index.conftest import Make
from tests.index.dump import difference, dump

GOOD = b"def good():\n    pass\n\n\ngood()\n"


def reader(root: Path) -> Reader:
    layout = Layout.find(root)
    opened = Reader.open(layout.database(layout.view()))
    opened.begin()
    return opened


def reasons(root: Path) -> dict[str, str]:
    opened = reader(root)
    try:
        return {info.path: info.skip or info.problems for info in opened.files() if info.skip or info.problems}
    finally:
        opened.close()


def definitions(root: Path, path: str) -> dict[str, tuple[int, int]]:
    """Names of the definitions of a file with the position of each, from 0."""
    opened = reader(root)
    try:
        info = opened.file_at(path)
        assert info is not None
        lines = opened.lines(info.id)
        return {row.qual: lines.position(row.name_start) for row in opened.symbols_of(info.id) if row.key}
    finally:
        opened.close()


def test_odd_texts(tmp_path: Path, make: Make) -> None:
    files = {
        "empty.py": b"",
        "bom.py": b"\xef\xbb\xbf",
        "bom_text.py": b"\xef\xbb\xbfdef f(): pass\n",
        "crlf.py": b"x = 1\r\n\r\ndef f():\r\n    pass\r\n",
        "cr.py": b"x = 1\r\rdef f():\r    pass\r",
        "tabs.py": b"class A:\n\tdef f(self):\n\t\tpass\n",
        "latin.py": "# -*- coding: latin-1 -*-\nx = 'é'; \ndef f(): return 'é'\n".encode("latin-1"),
        "undeclared.py": "x = 'é'\ndef f(): pass\n".encode("latin-1"),
        "utf16.py": "def f(): pass\n".encode("utf-16"),
        "nul.py": b"x = '\0'\n" + b"y = 1\n" * 50 + b"def f(): pass\n",
        "wide.py": "x = '😀é'; y = lambda: 0\ndef f(): pass\n".encode(),
        "tail.py": b"def f(): pass",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    assert make().sync().files == len(files)
    found = {name: definitions(tmp_path, name) for name in files}
    assert found["empty.py"] == found["bom.py"] == {}
    assert found["bom_text.py"] == {"f": (0, 4)}
    assert found["crlf.py"] == found["cr.py"] == {"x": (0, 0), "f": (2, 4)}
    assert found["tabs.py"] == {"A": (0, 6), "A.f": (1, 5)}
    assert found["latin.py"] == {"x": (1, 0), "f": (2, 4)}
    assert found["undeclared.py"] == {"x": (0, 0), "f": (1, 4)}
    assert found["wide.py"] == {"x": (0, 0), "y": (0, 14), "f": (1, 4)}
    assert found["utf16.py"] == found["tail.py"] == {"f": (0, 4)}
    assert found["nul.py"] == {"x": (0, 0), "y": (1, 0), "f": (51, 4)}
    assert reasons(tmp_path) == {"nul.py": "encoding: 1 characters could not be read as utf-8"}


def test_what_is_left_out_has_a_reason(tmp_path: Path, make: Make) -> None:
    (tmp_path / "good.py").write_bytes(GOOD)
    (tmp_path / "binary.py").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "line.js").write_bytes(b"x=1;" * 1_300_000)
    (tmp_path / "minified.js").write_bytes(b"f();" * 10_000)
    (tmp_path / "large.py").write_bytes(b"x = 1\n" * 400_000)
    (tmp_path / ".env").write_bytes(b"PASSWORD=x\n")
    (tmp_path / "server.pem").write_bytes(b"x")
    (tmp_path / "link.py").symlink_to("good.py")
    (tmp_path / "README.md").write_bytes(b"text")
    report = make().sync()
    assert (report.files, report.skipped) == (1, 7)
    assert reasons(tmp_path) == {
        ".env": "looks like a secret",
        "binary.py": "binary",
        "large.py": "larger than 2,000,000 bytes",
        "line.js": "larger than 2,000,000 bytes",
        "link.py": "symbolic link",
        "minified.js": "minified or generated: mostly lines of more than 20,000 bytes",
        "server.pem": "looks like a secret",
    }
    assert make().sync().changed == 0


def test_a_secret_is_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_bytes(b"PASSWORD=x\n")

    def refuse(*_: object) -> None:
        pytest.fail("a secret was opened")

    monkeypatch.setattr(extraction, "_read", refuse)
    found = extract_file(str(tmp_path), ".env", Limits(), None)
    assert found.file is not None
    assert found.file.skip == "looks like a secret"


DEEP = {
    "deep.py": "[" * 10_000 + "]" * 10_000 + "\n",
    "open.py": "(" * 10_000 + "\n",
    "calls.py": "f(" * 5_000 + ")" * 5_000 + "\n",
    "attributes.py": "x" + ".y" * 5_000 + "()\n",
    "deep.go": "package a\n\nvar x = " + "(" * 5_000 + "1" + ")" * 5_000 + "\n",
    "deep.ts": "const x = " + "[" * 10_000 + "]" * 10_000 + ";\n",
    "deep.js": "f(() => " * 2_000 + "1" + ")" * 2_000 + ";\n",
    "blocks.go": "package a\n\nfunc f() " + "{" * 5_000 + "}" * 5_000 + "\n",
    "nested.py": "".join(f"{'  ' * n}def f{n}():\n" for n in range(90)) + "  " * 90 + "pass\n",
}


def test_deep_nesting_costs_nobody_else(tmp_path: Path, make: Make) -> None:
    (tmp_path / "good.py").write_bytes(GOOD)
    for name, text in DEEP.items():
        (tmp_path / name).write_text(text)
    started = time.monotonic()
    make().sync()
    assert time.monotonic() - started < 240  # a few seconds, where nobody else wants the processors
    assert definitions(tmp_path, "good.py") == {"good": (0, 4)}
    assert set(reasons(tmp_path)) <= DEEP.keys()


def test_a_syntax_error_leaves_the_other_definitions(tmp_path: Path, make: Make) -> None:
    (tmp_path / "a.py").write_text("def before(): pass\n\n\ndef typing(x, :\n    return x\n\n\ndef after(): before()\n")
    (tmp_path / "b.go").write_text("package b\n\nfunc before() {}\n\nfunc typing( {\n\nfunc after() { before() }\n")
    make().sync()
    assert {"before", "after"} <= definitions(tmp_path, "a.py").keys()
    assert "before" in definitions(tmp_path, "b.go")
    workspace = Workspace.open(tmp_path)
    with workspace.snapshot() as snapshot:
        found = calls.callers(snapshot, targets.resolve_one(snapshot, "a.py:before"))
        assert [item.symbol.qual for item in found.callers] == ["after"]
    workspace.close()


def test_strange_names(tmp_path: Path, make: Make) -> None:
    names = [
        "a b.py",
        "q'u\"ote.py",
        "new\nline.py",
        "emoji😀.py",
        "-dash.py",
        "back\\slash.py",
        "%s{}.py",
        "ümläut.py",
    ]
    for name in names:
        (tmp_path / name).write_bytes(GOOD)
    (tmp_path / os.fsdecode(b"bad\xff.py")).write_bytes(GOOD)
    assert make().sync().files == len(names)
    assert reasons(tmp_path) == {"bad\\udcff.py": "its name is not valid UTF-8"}
    workspace = Workspace.open(tmp_path)
    with workspace.snapshot() as snapshot:
        for name in names:
            symbol = targets.resolve_one(snapshot, f"{name}:good")
            assert len(calls.callers(snapshot, symbol).callers) == 1
    workspace.close()


def test_a_file_that_vanishes_or_changes_its_nature(tmp_path: Path, make: Make) -> None:
    (tmp_path / "a.py").write_bytes(GOOD)
    (tmp_path / "b.py").write_bytes(GOOD)
    folder = tmp_path / "d.py"
    folder.mkdir()
    (folder / "c.py").write_bytes(GOOD)
    indexer = make()
    assert indexer.sync().files == 3
    (tmp_path / "b.py").unlink()
    (tmp_path / "b.py").mkdir()
    (folder / "c.py").unlink()
    folder.rmdir()
    folder.write_bytes(GOOD)
    (tmp_path / "pipe.py").unlink(missing_ok=True)
    os.mkfifo(tmp_path / "pipe.py")
    report = indexer.sync()
    assert (report.files, report.removed, report.changed) == (2, 2, 1)
    assert definitions(tmp_path, "d.py") == {"good": (0, 4)}
    assert extract_file(str(tmp_path), "gone.py", Limits(), None).file is None
    assert extract_file(str(tmp_path), "pipe.py", Limits(), None).file is None


def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_bytes(GOOD)

    def denied(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(extraction, "_read", denied)
    found = extract_file(str(tmp_path), "a.py", Limits(), None)
    assert found.file is not None
    assert found.file.skip == "cannot be read: Permission denied"
    assert not differs(str(tmp_path), found.file, Limits())
    monkeypatch.undo()
    (tmp_path / "a.py").chmod(0o600)
    assert differs(str(tmp_path), found.file, Limits())


def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path, make: Make) -> None:
    (tmp_path / "good.py").write_bytes(GOOD)
    body = "".join(f"    x{n} = f(x{n}, [y.z(w) for y in x{n}])\n" for n in range(40))
    (tmp_path / "slow.py").write_text("".join(f"def f{n}():\n{body}" for n in range(1_000))[:1_990_000])
    report = make(limits=Limits(parse_seconds=0.1)).sync()
    assert report.files == 1
    assert reasons(tmp_path) == {"slow.py": "took too long"}
    assert definitions(tmp_path, "good.py") == {"good": (0, 4)}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are not kept everywhere")
def test_a_file_that_takes_too_much_memory_is_given_up(tmp_path: Path, make: Make) -> None:
    (tmp_path / "good.py").write_bytes(GOOD)
    (tmp_path / "huge.py").write_text("x = [" + "(a.b(c), [d])," * 130_000 + "]\n")
    make(limits=Limits(line_bytes=10_000_000, worker_bytes=250_000_000)).sync()
    assert definitions(tmp_path, "good.py") == {"good": (0, 4)}
    assert set(reasons(tmp_path)) == {"huge.py"}


def spawn(root: Path) -> subprocess.Popen[bytes]:
    code = "import sys; from nav_ls.main import nav; sys.exit(nav())"
    return subprocess.Popen(
        [sys.executable, "-c", code, "index", "--no-server", "-C", str(root)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(item) for item in found.stdout.split()]


def project(root: Path, count: int) -> None:
    for number in range(count):
        body = f"from m{(number + 1) % count} import f as g\n\n\ndef f():\n    return g()\n\n\nf()\n" * 3
        (root / f"m{number}.py").write_text(body)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_worker_costs_nothing(tmp_path: Path) -> None:
    project(tmp_path, 300)
    process = spawn(tmp_path)
    killed = 0
    while process.poll() is None and killed < 2:
        for pid in children(process.pid):
            time.sleep(0.3)
            try:
                os.kill(pid, signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                continue
    assert process.wait(60) == 0
    assert reasons(tmp_path) == {}
    assert_whole(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("delay", [0.15, 0.5, 0.9])
def test_a_killed_indexer_leaves_a_whole_index(tmp_path: Path, make: Make, delay: float) -> None:
    project(tmp_path, 200)
    process = spawn(tmp_path)
    time.sleep(delay)
    workers = children(process.pid)
    process.kill()
    process.wait()
    assert make().sync(wait=5).files == 200
    assert_whole(tmp_path)
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()], "workers outlive their parent"


def assert_whole(root: Path) -> None:
    layout = Layout.find(root)
    database = layout.database(layout.view())
    found = dump(database)
    indexer = Indexer(root, workers=1)
    indexer.sync(full=True)
    indexer.close()
    assert not difference(found, dump(database))
    assert not list(layout.folder.glob("*.new*"))


def test_a_listener_that_stops_the_work_keeps_the_old_index(tmp_path: Path, make: Make) -> None:
    project(tmp_path, 40)
    indexer = make()
    indexer.sync()
    before = dump(indexer.layout.database(indexer.layout.view()))
    project(tmp_path, 60)

    def stop(progress: Progress) -> None:
        if progress.phase == "link":
            raise CancelledError("enough")

    with pytest.raises(CancelledError):
        indexer.sync(progress=stop)
    assert not difference(before, dump(indexer.layout.database(indexer.layout.view())))
    assert indexer.sync().files == 60


@pytest.mark.slow
def test_fifty_thousand_files(tmp_path: Path) -> None:
    for number in range(50_000):
        folder = tmp_path / f"p{number // 500}"
        folder.mkdir(exist_ok=True)
        (folder / f"m{number}.py").write_text(f"def f{number}():\n    return f{number}()\n")
    indexer = Indexer(tmp_path)
    assert indexer.sync().files == 50_000
    time.sleep(2.1)
    indexer.sync()
    started = time.monotonic()
    assert indexer.sync().changed == 0
    assert time.monotonic() - started < 15
    indexer.close()
