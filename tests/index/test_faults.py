"""Damage, full disks, locks: the answer is right or there is a clear message, and paid-for content is left alone."""

from __future__ import annotations

import errno
import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nav_ls.graph.link import Linker
from nav_ls.index import indexer as indexer_module
from nav_ls.index.pool import Lost, Pool
from nav_ls.store import content, database, lock, seal
from nav_ls.store.branch import BranchStore
from nav_ls.store.layout import Layout
from nav_ls.store.vectors import VectorCache
from nav_ls.text.errors import BusyError, DamagedError, LostFactsError, StorageError
from nav_ls.workspace.workspace import Workspace
from tests.index.conftest import Make
from tests.index.dump import difference, dump

FILES = {
    "a.py": "from b import f\n\n\ndef g():\n    return f()\n",
    "b.py": "def f():\n    return 1\n",
    "c.py": "import a\n\na.g()\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    return root


def path_of(root: Path) -> Path:
    layout = Layout.find(root)
    return layout.database(layout.view())


def problems_of(root: Path) -> dict[str, str]:
    with closing(BranchStore.open(path_of(root))) as store:
        return {path: row.problems for path, (_, row) in store.files().items()}


def flip(path: Path, place: int, bit: int = 0) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ (1 << bit)]))


def beginning_garbage(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"garbage" * 100)


def middle_garbage(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(os.urandom(5000))


DAMAGE: dict[str, Callable[[Path], None]] = {
    "empty": lambda path: path.write_bytes(b"") and None,
    "text": lambda path: path.write_bytes(b"this is not a database\n" * 50) and None,
    "beginning": beginning_garbage,
    "middle": middle_garbage,
    "half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "gone": lambda path: path.unlink(),
}


@pytest.mark.parametrize("damage", sorted(DAMAGE))
@pytest.mark.parametrize("name", ["branch", "facts"])
def test_a_damaged_file_is_built_again(root: Path, make: Make, name: str, damage: str) -> None:
    indexer = make(root)
    indexer.sync()
    indexer.close()
    expected = dump(path_of(root))
    DAMAGE[damage](path_of(root) if name == "branch" else root / ".nav" / "facts.db")
    (root / "b.py").write_text(FILES["b.py"] + "\n\nf()\n")
    make(root).sync()
    (root / "b.py").write_text(FILES["b.py"])
    make(root).sync()
    assert not difference(expected, dump(path_of(root)))


def test_facts_that_are_lost_while_nothing_changes_are_extracted_again(root: Path, make: Make) -> None:
    indexer = make(root)
    indexer.sync()
    indexer.close()
    (root / ".nav" / "facts.db").unlink()
    again = make(root)
    assert not again.sync().changed
    with pytest.raises(LostFactsError):
        again.warm()
    assert again.sync().relinked == len(FILES)
    again.warm()


def test_queries_repair_what_is_damaged(root: Path) -> None:
    workspace = Workspace.open(root)
    workspace.sync()
    workspace.close()
    DAMAGE["middle"](path_of(root))
    workspace = Workspace.open(root)
    with pytest.raises(DamagedError), workspace.snapshot():
        pass
    workspace.repair()
    with workspace.snapshot() as snapshot:
        assert snapshot.symbols_named("g")
    workspace.close()


def test_every_flipped_byte_is_noticed(root: Path, make: Make) -> None:
    indexer = make(root)
    indexer.sync()
    indexer.close()
    path = path_of(root)
    whole = path.read_bytes()
    expected = dump(path)
    chance = random.Random(1)
    for _ in range(4):
        path.write_bytes(whole)
        seal.break_off(path)
        seal.put(path)
        flip(path, chance.randrange(len(whole)), chance.randrange(8))
        report_of = make(root)
        assert report_of.sync().rebuilt
        report_of.close()
        assert not difference(expected, dump(path))


def test_a_sync_mends_what_was_paid_for(root: Path, make: Make) -> None:
    path = path_of(root).parent / content.NAME
    path.parent.mkdir()
    VectorCache.writable(path).close()
    make(root).sync()
    path.write_bytes(path.read_bytes()[:2000])
    assert "content.db was damaged" in make(root).sync().rebuilt
    assert content.whole(path)
    assert make(root).sync().rebuilt == ""


def test_a_copy_of_the_folder_is_not_damage(root: Path, make: Make) -> None:
    indexer = make(root)
    indexer.sync()
    indexer.close()
    os.utime(path_of(root), (1, 1))
    report = make(root).sync()
    assert (report.rebuilt, report.changed) == ("", 0)


def test_an_index_of_another_version_is_built_again(root: Path, make: Make) -> None:
    indexer = make(root)
    indexer.sync()
    indexer.close()
    connection = sqlite3.connect(path_of(root))
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()
    seal.put(path_of(root))
    report = make(root).sync()
    assert report.cold
    assert "another version" in report.rebuilt


def test_content_survives_a_rebuild_of_the_graph(root: Path, make: Make) -> None:
    make(root).sync()
    vectors = VectorCache.writable(root / ".nav" / "content.db")
    vectors.put({b"text": b"vector"}, "model")
    vectors.close()
    DAMAGE["middle"](path_of(root))
    make(root).sync()
    make(root).sync(full=True)
    vectors = VectorCache.readable(root / ".nav" / "content.db")
    assert vectors.get([b"text"], "model") == {b"text": b"vector"}
    vectors.close()


def test_a_full_disk_leaves_the_old_index(root: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make(root).sync()
    before = dump(path_of(root))
    for number in range(50):
        (root / f"n{number}.py").write_text("".join(f"def f{n}():\n    '''{'x' * 500}'''\n" for n in range(20)))
    opened = database.open_writable

    def small(path: Path, schema: str, **settings: str) -> sqlite3.Connection:
        connection = opened(path, schema, **settings)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 10}")
        return connection

    monkeypatch.setattr(database, "open_writable", small)
    workspace = Workspace.open(root)
    with pytest.raises(StorageError, match="the disk is full"):
        workspace.sync()
    behind = workspace.ensure()
    with workspace.snapshot() as snapshot:
        assert snapshot.symbols_named("g")
        freshness = workspace.freshness(snapshot, behind)
        assert freshness.stale
        assert "the disk is full" in freshness.reason
    workspace.close()
    assert not difference(before, dump(path_of(root)))
    monkeypatch.undo()
    assert make(root).sync().changed == 50


def hold_lock(folder: Path) -> subprocess.Popen[str]:
    code = (
        "import sys, time; from pathlib import Path; from nav_ls.store import lock\n"
        "with lock.writer(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.mark.slow
def test_who_cannot_write_answers_from_the_last_state(root: Path, make: Make) -> None:
    make(root).sync()
    holder = hold_lock(root / ".nav")
    try:
        (root / "b.py").write_text("def f():\n    return 2\n\n\ndef fresh(): pass\n")
        with pytest.raises(BusyError, match=f"process {holder.pid}"):
            make(root).sync(wait=0.2)
        workspace = Workspace.open(root)
        started = time.monotonic()
        behind = workspace.ensure()
        assert 3 < time.monotonic() - started < 8
        with workspace.snapshot() as snapshot:
            assert snapshot.symbols_named("g")
            assert workspace.freshness(snapshot, behind).stale
        workspace.close()
    finally:
        holder.kill()
        holder.wait()
        assert holder.stdout is not None
        holder.stdout.close()
    assert make(root).sync().changed == 1


def test_threads_take_turns(tmp_path: Path) -> None:
    inside: list[int] = []
    seen: list[int] = []

    def work() -> None:
        with lock.writer(tmp_path, wait=10):
            inside.append(1)
            seen.append(len(inside))
            time.sleep(0.01)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 8


def test_a_thread_that_waits_in_vain_does_not_release_the_lock(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from nav_ls.store import lock; from nav_ls.text.errors import BusyError\n"
        "try:\n  with lock.writer(Path(sys.argv[1]), 0.1): print('free')\nexcept BusyError: print('busy')"
    )
    with lock.writer(tmp_path):
        said: list[str] = []

        def waits() -> None:
            with pytest.raises(BusyError, match=f"process {os.getpid()}"), lock.writer(tmp_path, 0.1):
                pass
            done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True)
            said.append(done.stdout.strip())

        thread = threading.Thread(target=waits)
        thread.start()
        thread.join()
    assert said == ["busy"]


def test_sealing_leaves_the_database_open_for_others(root: Path, make: Make) -> None:
    indexer = make(root)
    indexer.sync()
    (root / "b.py").write_text(FILES["b.py"] + "\n\nf()\n")
    indexer.sync()
    indexer.settle()
    assert seal.verify(path_of(root))
    os.utime(path_of(root), (1, 1))
    assert seal.verify(path_of(root))
    code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); print(c.execute('SELECT count(*) FROM files').fetchone()); c.close()"
    subprocess.run([sys.executable, "-c", code, path_of(root)], check=True, capture_output=True)
    assert path_of(root).with_name(path_of(root).name + "-wal").exists(), "whoever closes last removes the log"
    (root / "b.py").write_text(FILES["b.py"])
    indexer.sync()
    with closing(sqlite3.connect(path_of(root))) as other:
        assert other.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone() == (3,)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS])
def test_where_locks_do_not_work_the_last_state_answers(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    make(root).sync()
    (root / "b.py").write_text("def f():\n    return 2\n\n\ndef fresh(): pass\n")

    def refuse(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(lock, "_lock", refuse)
    with closing(Workspace.open(root)) as workspace:
        behind = workspace.ensure()
        with workspace.snapshot() as snapshot:
            assert snapshot.symbols_named("g")
            freshness = workspace.freshness(snapshot, behind)
    assert freshness.stale
    assert "does not support locks" in freshness.reason
    assert "read-only" in freshness.reason


@pytest.mark.slow
def test_two_processes_index_at_once(root: Path) -> None:
    code = "import sys; from nav_ls.main import nav; sys.exit(nav())"
    command = [sys.executable, "-c", code, "index", "--no-server", "-C", str(root)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    for process in processes:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    found = dump(path_of(root))
    assert len(found["files"]) == 3


def test_the_folder_removed_under_an_open_indexer(root: Path, make: Make) -> None:
    indexer = make(root)
    indexer.sync()
    expected = dump(path_of(root))
    for path in (root / ".nav").iterdir():
        path.unlink()
    (root / ".nav").rmdir()
    report = indexer.sync()
    assert report.cold
    assert not difference(expected, dump(path_of(root)))
    (root / "b.py").write_text("def other(): pass\n")
    assert indexer.sync().changed == 1


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(root: Path, make: Make) -> None:
    root.chmod(0o555)
    try:
        with pytest.raises(StorageError, match="cannot create"):
            make(root).sync()
    finally:
        root.chmod(0o755)


def test_a_link_instead_of_the_folder(root: Path, tmp_path: Path, make: Make) -> None:
    (tmp_path / "elsewhere").mkdir()
    (root / ".nav").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="symbolic link"):
        make(root).sync()
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("spread", [False, True])
def test_a_file_that_cannot_be_linked_costs_only_its_own_links(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch, spread: bool
) -> None:
    indexer = make(root)
    indexer.sync()
    sound = dump(path_of(root))
    if spread:
        monkeypatch.setattr(indexer_module, "_SPREAD", 1)
        monkeypatch.setattr(
            Pool, "link", lambda _pool, _project, paths, _here: (Lost(path, "took too long") for path in paths)
        )
        reason = "took too long"
    else:
        real = Linker.link
        monkeypatch.setattr(Linker, "link", lambda self, path: {}[path] if path == "a.py" else real(self, path))
        reason = "internal error: KeyError: 'a.py'"
    (root / "a.py").write_text(FILES["a.py"] + "\n\ng()\n")
    assert indexer.sync().relinked
    problems = problems_of(root)
    assert problems["a.py"] == f"links: {reason}"
    assert spread or (problems["b.py"], problems["c.py"]) == ("", "")
    buffer = indexer.overlay("a.py", b"from b import f\n\nf()\n")
    assert buffer is not None
    assert bool(buffer.links.edges) == spread
    assert indexer.overlay("a.py", None) is None
    monkeypatch.undo()
    (root / "a.py").write_text(FILES["a.py"])
    indexer.sync()
    assert not difference(sound, dump(path_of(root)))


def test_a_file_that_could_not_be_linked_is_tried_again(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Linker.link
    monkeypatch.setattr(Linker, "link", lambda self, path: {}[path] if path == "a.py" else real(self, path))
    indexer = make(root)
    assert indexer.sync().cold
    monkeypatch.undo()
    (root / "c.py").write_text(FILES["c.py"] + "\n")
    indexer.sync()
    expected = dump(path_of(root))
    indexer.sync(full=True)
    assert not difference(expected, dump(path_of(root)))
    assert not any(problems_of(root).values())


def test_a_change_that_the_linker_cannot_take_in_is_linked_anew(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexer = make(root)
    indexer.sync()
    real = Linker.update

    def update(self: Linker, path: str) -> set[str]:
        changed = real(self, path)  # what it has done by then must not be built upon
        if path == "a.py":
            raise KeyError("a mistake of ours")
        return changed

    monkeypatch.setattr(Linker, "update", update)
    (root / "a.py").write_text(FILES["a.py"] + "\n\ndef added():\n    return g()\n")
    (root / "c.py").write_text(FILES["c.py"] + "\n\nX = 1\n")
    report = indexer.sync()
    assert "a.py" in report.rebuilt
    assert "KeyError" in report.rebuilt
    incremental = dump(path_of(root))
    monkeypatch.undo()
    assert indexer.sync().rebuilt == ""
    indexer.sync(full=True)
    assert not difference(incremental, dump(path_of(root)))


def test_a_buffer_that_the_linker_cannot_take_in_stops_no_other(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexer = make(root)
    indexer.sync()
    real = Linker.update
    monkeypatch.setattr(Linker, "update", lambda self, path: 1 // 0 if path == "b.py" else real(self, path))
    bad = indexer.overlay("b.py", b"def f():\n    return 3\n")
    good = indexer.overlay("a.py", b"from b import f\n\n\ndef g():\n    return f()\n")
    assert bad is not None
    assert [row.name for row in bad.symbols] == ["b.py", "f"]
    assert good is not None
    assert [edge.callee for edge in good.links.edges if edge.kind == "calls"] == [("b.py", "f")]
    monkeypatch.undo()
    (root / "a.py").write_text(FILES["a.py"] + "\n\ng()\n")
    indexer.sync()
    incremental = dump(path_of(root))
    indexer.sync(full=True)
    assert not difference(incremental, dump(path_of(root)))
