"""What was paid for is never wrong, and lost only where both the store and its copy are hit in the same row."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nav_ls.store import content, pages, seal
from nav_ls.store.content import PROSE, VECTORS, ContentStore, Key

_CHANCE = random.Random(1)
ROWS: dict[Key, bytes] = {(b"%016d" % number, "model"): _CHANCE.randbytes(768) for number in range(300)}
TEXTS: dict[Key, bytes] = {
    (f"hash{number}", "1", "model"): f"What {number} does. ".encode() * 700 for number in range(5)
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / content.NAME
    with closing(ContentStore.writable(path)) as store:
        store.put(VECTORS, ROWS)
        store.put(PROSE, TEXTS)
        assert store.repaired == ""
    return path


def rows_of(store: ContentStore) -> dict[Key, bytes]:
    return store.get(VECTORS, ROWS) | store.get(PROSE, TEXTS)


def flip(path: Path, chance: random.Random, count: int = 1) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(count):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def test_what_was_put_is_got(path: Path) -> None:
    with closing(ContentStore.readable(path)) as store:
        assert rows_of(store) == ROWS | TEXTS
        assert set(store.keys(VECTORS)) == ROWS.keys()
        assert store.get(VECTORS, [(b"unknown", "model")]) == {}


def test_a_closed_store_is_sealed_and_opened_without_being_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "whole", lambda _: 1 // 0)
    with closing(ContentStore.writable(path)) as store:
        assert rows_of(store) == ROWS | TEXTS


@pytest.mark.parametrize("name", ["content.db", "content-copy.db"])
def test_flips_in_one_of_the_two_lose_nothing(path: Path, name: str) -> None:
    chance = random.Random(7)
    for _ in range(8):
        flip(path.with_name(name), chance, chance.randrange(1, 30))
        with closing(ContentStore.writable(path)) as store:
            assert rows_of(store) == ROWS | TEXTS
        assert content.whole(path)
        assert content.whole(content.copy_of(path))


def test_flips_in_both_lose_no_more_than_the_rows_that_are_hit_twice(path: Path) -> None:
    chance = random.Random(3)
    for _ in range(10):
        flip(path, chance, 3)
        flip(content.copy_of(path), chance, 3)
        with closing(ContentStore.writable(path)) as store:
            found = rows_of(store)
            lost = (ROWS | TEXTS).keys() - found.keys()
            assert len(lost) <= 3
            assert all(found[key] == (ROWS | TEXTS)[key] for key in found)
            store.put(VECTORS, {key: ROWS[key] for key in lost if key in ROWS})
            store.put(PROSE, {key: TEXTS[key] for key in lost if key in TEXTS})


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 3)


def scribble(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"garbage" * 700)


DAMAGE: dict[str, Callable[[Path], None]] = {
    "gone": Path.unlink,
    "empty": lambda path: path.write_bytes(b"") and None,
    "text": lambda path: path.write_bytes(b"no database\n" * 900) and None,
    "cut": cut,
    "scribbled": scribble,
}


@pytest.mark.parametrize("damage", sorted(DAMAGE))
@pytest.mark.parametrize("name", ["content.db", "content-copy.db"])
def test_either_file_is_made_again_from_the_other(path: Path, name: str, damage: str) -> None:
    DAMAGE[damage](path.with_name(name))
    with closing(ContentStore.writable(path)) as store:
        assert rows_of(store) == ROWS | TEXTS
        assert ("was damaged" in store.repaired) == (damage != "gone")


@pytest.mark.parametrize("damage", sorted(DAMAGE))
@pytest.mark.parametrize("name", ["content.db", "content-copy.db"])
def test_damage_is_mended_before_the_other_file_is_hit_too(path: Path, name: str, damage: str) -> None:
    assert content.mend(path) == ""
    DAMAGE[damage](path.with_name(name))
    assert ("was damaged" in content.mend(path)) == (damage != "gone")
    assert content.whole(path)
    assert content.whole(content.copy_of(path))
    assert seal.verify(path)
    assert seal.verify(content.copy_of(path))


def test_a_damaged_seal_is_put_on_anew(path: Path) -> None:
    seal.place(path).write_bytes(b"{")
    assert content.mend(path) == ""
    assert seal.verify(path)


def test_a_store_in_use_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(ContentStore.writable(path)) as store:
        store.put(VECTORS, {(b"more", "model"): b"x"})
        monkeypatch.setattr(content, "_repaired", lambda _: 1 // 0)
        assert content.mend(path) == ""
    assert content.mend(path.with_name("nothing.db")) == ""


def test_rows_are_saved_from_a_file_without_a_beginning_and_without_a_copy(path: Path) -> None:
    content.copy_of(path).unlink()
    scribble(path)
    with closing(ContentStore.writable(path)) as store:
        found = rows_of(store)
        assert "was damaged" in store.repaired
    assert len(found) >= len(ROWS) + len(TEXTS) - 12  # two pages of rows at most
    assert found.items() <= (ROWS | TEXTS).items()


def test_a_row_with_another_key_or_other_data_is_not_there(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE vectors SET data = zeroblob(768) WHERE rowid = 3")
        connection.execute("UPDATE vectors SET text_hash = x'00' WHERE rowid = 4")
        connection.execute("UPDATE prose SET data = 'something else' WHERE rowid = 1")
    with closing(ContentStore.readable(path)) as store:
        found = rows_of(store)
    assert len(found) == len(ROWS) + len(TEXTS) - 3
    assert found.items() <= (ROWS | TEXTS).items()
    assert not seal.place(path).exists()
    with closing(ContentStore.writable(path)) as store:
        assert rows_of(store) == ROWS | TEXTS


def test_a_writer_that_was_killed_between_the_two(path: Path) -> None:
    more: dict[Key, bytes] = {(b"new", "model"): b"vector"}
    with closing(ContentStore.writable(path)) as store:
        identity = store.identity()
        store._copy, copy = None, store._copy
        store.put(VECTORS, more)
        assert copy is not None
        copy.close()
    with closing(ContentStore.writable(path)) as store:
        assert store.get(VECTORS, more) == more
        assert store.repaired == ""
        assert store.identity() != identity
    path.unlink()
    with closing(ContentStore.writable(path)) as store:
        assert store.get(VECTORS, more) == more


def test_dropping_reaches_both(path: Path) -> None:
    kept = list(ROWS)[:10]
    with closing(ContentStore.writable(path)) as store:
        dropped = store.drop(VECTORS, "text_hash NOT IN (SELECT value FROM kept)", {"kept": [key[0] for key in kept]})
        assert dropped == len(ROWS) - 10
    path.unlink()
    with closing(ContentStore.writable(path)) as store:
        assert rows_of(store) == {key: ROWS[key] for key in kept} | TEXTS


def test_a_store_from_before_rows_had_seals_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / content.NAME
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            f"""
            PRAGMA application_id = {0x6E617631}; PRAGMA user_version = 1;
            CREATE TABLE vectors (text_hash BLOB NOT NULL, model TEXT NOT NULL, data BLOB NOT NULL,
              UNIQUE (text_hash, model));
            CREATE TABLE prose (content_hash TEXT NOT NULL, prompt TEXT NOT NULL, model TEXT NOT NULL,
              data BLOB NOT NULL, UNIQUE (content_hash, prompt, model));
            """
        )
        connection.executemany("INSERT INTO vectors VALUES (?, ?, ?)", [(*key, data) for key, data in ROWS.items()])
        connection.commit()
    with closing(ContentStore.writable(path)) as store:
        assert rows_of(store) == ROWS
        assert store.repaired == ""


def test_a_sealed_store_of_an_older_format_is_taken_over(path: Path) -> None:
    for file in (path, content.copy_of(path)):
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript("DROP TABLE records; PRAGMA user_version = 2; PRAGMA wal_checkpoint(TRUNCATE);")
        seal.put(file)
    with closing(ContentStore.writable(path)) as store:
        assert rows_of(store) == ROWS | TEXTS
        assert store.repaired == ""


def test_rows_are_read_page_by_page(tmp_path: Path) -> None:
    path = tmp_path / "any.db"
    rows = [(None, number, -number * 10**9, number / 7, "x" * number * 30, bytes(number * 50)) for number in range(400)]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (a, b, c, d, e, f)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows[:200])
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows[200:])
        connection.execute("COMMIT")
        found = [row for row in pages.rows(path) if len(row) == 6]
    assert set(found) >= set(rows)


def test_anything_can_be_read_page_by_page(tmp_path: Path) -> None:
    path = tmp_path / "noise.db"
    for seed in range(20):
        path.write_bytes(random.Random(seed).randbytes(30_000))
        path.with_name("noise.db-wal").write_bytes(random.Random(seed + 50).randbytes(9_000))
        list(pages.rows(path))
