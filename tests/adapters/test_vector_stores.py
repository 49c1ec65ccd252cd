"""One contract for every vector store."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from qdrant_client import QdrantClient

from nav_ls.adapters.exact import ExactVectors
from nav_ls.adapters.qdrant_edge import AHEAD, QdrantEdge
from nav_ls.adapters.qdrant_server import QdrantServer, connector
from nav_ls.ports import Condition, Corrupt, Locked, Point, PortError, Unavailable, VectorStore
from nav_ls.store import folder_seal, seal

DIMS = 8
KEYS = ("kind", "folders")


def point(number: int, **payload: str | list[str]) -> Point:
    vector = np.zeros(DIMS, dtype=np.float32)
    vector[number % DIMS] = 1.0
    vector[(number + 1) % DIMS] = 0.1 * (number // DIMS)
    return Point(str(uuid.UUID(int=number + 1)), vector / np.linalg.norm(vector), payload)


def memory_client() -> QdrantClient:
    return QdrantClient(":memory:")


@pytest.fixture(params=["edge", "client", "exact", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorStore]:
    made: VectorStore
    if request.param == "edge":
        made = QdrantEdge(tmp_path / "edge", DIMS, KEYS)
    elif request.param == "client":
        made = QdrantServer(memory_client, "c", DIMS)
    elif request.param == "exact":
        made = ExactVectors()
    else:
        url = os.environ.get("QDRANT_URL")
        if not url:
            pytest.skip("QDRANT_URL is not set")
        made = QdrantServer(connector(url, os.environ.get("QDRANT_API_KEY")), f"nav-test-{uuid.uuid4()}", DIMS, KEYS)
    yield made
    if request.param == "server":
        made.clear()
    made.close()


def test_finds_the_nearest_first(store: VectorStore) -> None:
    points = [point(n) for n in range(5)]
    store.upsert(points)
    found = store.search(points[3].vector, 2)
    assert found[0].id == points[3].id
    assert found[0].score == pytest.approx(1.0, abs=1e-3)
    assert len(found) == 2
    assert found[0].score >= found[1].score


def test_upsert_replaces(store: VectorStore) -> None:
    store.upsert([point(1)])
    moved = Point(point(1).id, point(5).vector, {"kind": "class"})
    store.upsert([moved])
    assert store.count() == 1
    assert store.search(point(5).vector, 1)[0].score == pytest.approx(1.0, abs=1e-3)


def test_delete_and_unknown_ids(store: VectorStore) -> None:
    store.upsert([point(1), point(2)])
    store.delete([point(1).id, str(uuid.UUID(int=999))])
    store.delete([])
    assert store.ids() == {point(2).id}


def test_filters(store: VectorStore) -> None:
    store.upsert(
        [
            point(1, kind="method", folders=["src", "src/a"]),
            point(2, kind="class", folders=["src"]),
            point(3, kind="method", folders=["tests"]),
        ]
    )
    vector = point(1).vector

    def ids(*where: Condition) -> set[str]:
        return {match.id for match in store.search(vector, 10, where)}

    assert ids(Condition("kind", ("method",))) == {point(1).id, point(3).id}
    assert ids(Condition("kind", ("method", "class"))) == {point(1).id, point(2).id, point(3).id}
    assert ids(Condition("folders", ("src",)), Condition("kind", ("class",))) == {point(2).id}
    assert ids(Condition("folders", ("tests",), negate=True)) == {point(1).id, point(2).id}
    assert ids(Condition("kind", ("nothing",))) == set()


def test_ids_of_many(store: VectorStore) -> None:
    points = [point(n) for n in range(1200)]
    store.upsert(points)
    assert store.count() == 1200
    assert store.ids() == {p.id for p in points}


def test_clear_leaves_a_usable_collection(store: VectorStore) -> None:
    store.upsert([point(1)])
    store.clear()
    assert store.count() == 0
    assert store.search(point(1).vector, 3) == []
    store.upsert([point(2)])
    store.flush()
    assert store.count() == 1


def test_edge_keeps_points_over_reopening(tmp_path: Path) -> None:
    first = QdrantEdge(tmp_path / "edge", DIMS, KEYS)
    first.upsert([point(1, kind="method")])
    first.close()
    second = QdrantEdge(tmp_path / "edge", DIMS, KEYS)
    assert second.ids() == {point(1).id}
    assert len(second.search(point(1).vector, 5, [Condition("kind", ("method",))])) == 1
    second.close()


def test_edge_says_who_holds_it(tmp_path: Path) -> None:
    first = QdrantEdge(tmp_path / "edge", DIMS)
    with pytest.raises(Locked):
        QdrantEdge(tmp_path / "edge", DIMS)
    first.close()


def test_edge_says_that_it_is_corrupt(tmp_path: Path) -> None:
    first = QdrantEdge(tmp_path / "edge", DIMS)
    first.upsert([point(n) for n in range(20)])
    first.flush()
    first.close()
    for file in (tmp_path / "edge").rglob("segment.json"):
        file.write_bytes(b"\x00garbage")
    (tmp_path / "edge" / "edge_config.json").write_bytes(b"{")
    with pytest.raises(Corrupt):
        QdrantEdge(tmp_path / "edge", DIMS)


def test_edge_notices_a_byte_that_was_changed_in_any_file(tmp_path: Path) -> None:
    folder = tmp_path / "edge"
    first = QdrantEdge(folder, DIMS, KEYS)
    first.upsert([point(n) for n in range(20)])
    first.close()
    files = [path for path in [*folder.rglob("*"), seal.place(folder)] if path.is_file()]
    assert len(files) > 10
    for path in files:
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.seek(size // 2)
            byte = file.read(1)
            file.seek(size // 2)
            file.write(bytes([byte[0] ^ 1]))
        with pytest.raises(Corrupt):
            QdrantEdge(folder, DIMS, KEYS)
        with path.open("r+b") as file:
            file.seek(size // 2)
            file.write(byte)
    again = QdrantEdge(folder, DIMS, KEYS)
    assert len(again.ids()) == 20
    again.close()


def test_edge_notices_files_that_are_gone_or_too_many(tmp_path: Path) -> None:
    folder = tmp_path / "edge"
    QdrantEdge(folder, DIMS, KEYS).close()
    (folder / "more").touch()
    with pytest.raises(Corrupt, match="changed by something else"):
        QdrantEdge(folder, DIMS, KEYS)
    (folder / "more").unlink()
    QdrantEdge(folder, DIMS, KEYS).close()
    next(folder.rglob("status.dat")).unlink()
    with pytest.raises(Corrupt, match="changed by something else"):
        QdrantEdge(folder, DIMS, KEYS)


def test_edge_notices_that_its_process_was_killed(tmp_path: Path) -> None:
    folder = tmp_path / "edge"
    QdrantEdge(folder, DIMS, KEYS).close()
    seal.place(folder).unlink()  # as while it is being changed
    with pytest.raises(Corrupt, match="in the middle of a change"):
        QdrantEdge(folder, DIMS, KEYS)


def test_edge_is_taken_over_after_a_kill_between_two_changes(tmp_path: Path) -> None:
    folder, left = tmp_path / "edge", tmp_path / "left"
    store = QdrantEdge(folder, DIMS, KEYS)
    store.upsert([point(n) for n in range(20)])
    assert not seal.place(folder).exists()
    store.flush()
    store.search(point(1).vector, 3)
    shutil.copytree(folder, left)  # what a killed process leaves
    shutil.copy(seal.place(folder), seal.place(left))
    store.upsert([point(20)])
    assert not seal.place(folder).exists()
    store.close()
    again = QdrantEdge(left, DIMS, KEYS)
    assert len(again.ids()) == 20
    again.close()


def test_edge_stays_sealed_where_another_process_wants_it(tmp_path: Path) -> None:
    store = QdrantEdge(tmp_path / "edge", DIMS)
    store.flush()
    with pytest.raises(Locked):
        QdrantEdge(tmp_path / "edge", DIMS)
    assert folder_seal.verified(tmp_path / "edge", AHEAD)
    store.close()


def test_edge_is_locked_rather_than_corrupt_while_it_is_in_use(tmp_path: Path) -> None:
    folder = tmp_path / "edge"
    store = QdrantEdge(folder, DIMS, KEYS)
    store.upsert([point(n) for n in range(20)])
    store.flush()
    (folder / "more").touch()  # damage, or what the engine itself writes
    with pytest.raises(Locked):
        QdrantEdge(folder, DIMS, KEYS)
    with pytest.raises(Locked):
        QdrantEdge(folder, DIMS, KEYS, anew=True)
    assert store.count() == 20
    store.close()


def test_edge_that_is_corrupt_is_begun_anew(tmp_path: Path) -> None:
    folder = tmp_path / "edge"
    store = QdrantEdge(folder, DIMS, KEYS)
    store.upsert([point(n) for n in range(20)])
    store.close()
    (folder / "more").touch()
    with pytest.raises(Corrupt):
        QdrantEdge(folder, DIMS, KEYS)
    again = QdrantEdge(folder, DIMS, KEYS, anew=True)
    assert again.count() == 0
    again.close()


def test_edge_stays_sealed_when_its_engine_prepares_the_next_part_of_its_log(tmp_path: Path) -> None:
    folder, left = tmp_path / "edge", tmp_path / "left"
    store = QdrantEdge(folder, DIMS, KEYS)
    store.upsert([point(n) for n in range(20)])
    store.flush()
    shutil.copytree(folder, left)  # what a killed process leaves: a thread of the engine is never waited for
    shutil.copy(seal.place(folder), seal.place(left))
    store.close()
    log = left / "wal"
    shutil.copy(log / "open-2", log / "open-3")
    shutil.copy(log / "open-2", log / "tmp-open-4")
    assert folder_seal.verified(left, AHEAD)
    again = QdrantEdge(left, DIMS, KEYS)
    assert len(again.ids()) == 20
    again.close()


def test_edge_refuses_another_length(tmp_path: Path) -> None:
    store = QdrantEdge(tmp_path / "edge", DIMS)
    with pytest.raises(PortError):
        store.upsert([Point(str(uuid.uuid4()), np.ones(3, dtype=np.float32), {})])
    store.close()


class Flaky:
    """A client whose next calls fail."""

    def __init__(self, failures: int, after: int = 0) -> None:
        self.inner = memory_client()
        self.failures, self.after, self.calls = failures, after, 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        real = getattr(self.inner, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if self.calls > self.after and self.failures > 0:
                self.failures -= 1
                raise ConnectionError("connection refused")
            return real(*args, **kwargs)

        return call


def test_server_is_tried_again_with_pauses() -> None:
    pauses: list[float] = []
    client = Flaky(2)
    store = QdrantServer(lambda: client, "c", DIMS, sleep=pauses.append)
    store.upsert([point(1)])
    assert store.count() == 1
    assert pauses == [0.2, 0.4]
    client.inner.close()


def test_a_dead_server_costs_one_timeout_and_heals() -> None:
    now = [100.0]
    client = Flaky(3)
    store = QdrantServer(lambda: client, "c", DIMS, sleep=lambda _: None, clock=lambda: now[0])
    with pytest.raises(Unavailable):
        store.count()
    calls = client.calls
    with pytest.raises(Unavailable):
        store.search(point(1).vector, 1)
    assert client.calls == calls
    now[0] += 60
    assert store.count() == 0
    client.inner.close()


def test_server_dying_during_an_upsert_leaves_a_store_that_can_go_on() -> None:
    now = [100.0]
    client = Flaky(1, after=3)  # collection_exists, create_collection, one batch
    store = QdrantServer(lambda: client, "c", DIMS, attempts=1, sleep=lambda _: None, clock=lambda: now[0])
    points = [point(n) for n in range(600)]
    with pytest.raises(Unavailable):
        store.upsert(points)
    now[0] += 60
    assert 0 < store.count() < 600
    store.upsert(points)
    assert store.count() == 600
    client.inner.close()
