"""Vectors that are made ready behind the questions, as in a server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nav_ls.adapters.exact import ExactVectors
from nav_ls.adapters.qdrant_edge import QdrantEdge
from nav_ls.ports import Locked, Point, Unavailable
from nav_ls.query.search import SearchQuery
from nav_ls.store import seal
from nav_ls.workspace import vectors, wiring
from nav_ls.workspace.searching import Searching
from tests.workspace.test_searching import CONFIG, FILES, WordVectors, laid, opened

QUESTION = "exchange an old token"


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> WordVectors:
    made = WordVectors()
    monkeypatch.setattr(wiring, "embedder", lambda config, threads=0: made)
    return made


@pytest.fixture
def root(tmp_path: Path, embedder: WordVectors) -> Path:
    """A repository whose definitions have vectors, and no collection of them yet."""
    laid(tmp_path / "repo")
    workspace = opened(tmp_path / "repo")
    workspace.sync()
    workspace.searching.refresh()
    workspace.searching.embed()
    workspace.close()
    return tmp_path / "repo"


@pytest.fixture
def searching(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Searching]:
    monkeypatch.setattr("nav_ls.workspace.searching.PATIENCE", 60.0)
    workspace = opened(root)
    made = Searching(workspace.layout, CONFIG, lambda unit: "", behind=True)
    yield made
    made.close()
    workspace.close()


def mode(searching: Searching, *, quick: bool = True) -> str:
    return searching.search(SearchQuery(QUESTION, quick=quick)).mode


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_who_has_to_be_answered_at_once_gets_words_until_the_vectors_are_ready(
    searching: Searching, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = threading.Event()

    def slow(*_: object) -> ExactVectors:
        assert ready.wait(30)
        return ExactVectors()

    monkeypatch.setattr(wiring, "vector_store", slow)
    answer = searching.search(SearchQuery(QUESTION, quick=True))
    assert (answer.mode, answer.hits[0].symbol) == ("lexical", "TokenRefresher.refresh")
    assert answer.notes == ("the vectors are still being read: answered by words and the graph",)
    ready.set()
    until(lambda: mode(searching) == "hybrid")


def test_others_wait_for_the_vectors(searching: Searching) -> None:
    assert mode(searching, quick=False) == "hybrid"


def test_what_has_changed_comes_in_and_nothing_else(
    root: Path, searching: Searching, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "SHARE", 0)
    assert mode(searching, quick=False) == "hybrid"
    told: list[Point] = []
    upsert = QdrantEdge.upsert

    def listening(self: QdrantEdge, points: Any) -> None:
        told.extend(points)
        upsert(self, points)

    monkeypatch.setattr(QdrantEdge, "upsert", listening)
    (root / "app/services/mailer.py").write_text(FILES["app/services/mailer.py"].replace("SMTP", "carrier pigeon"))
    workspace = opened(root)
    workspace.sync()
    workspace.searching.refresh()
    workspace.searching.embed()
    workspace.close()

    def found() -> bool:
        hits = searching.search(SearchQuery("carrier pigeon", mode="vector", quick=True)).hits
        return bool(hits) and hits[0].symbol == "send_mail" and bool(told)

    until(found)
    assert len(told) == 1


def test_what_is_not_changed_any_more_is_sealed(
    root: Path, searching: Searching, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "QUIET", 0.0)
    monkeypatch.setattr(vectors, "SHARE", 0)
    assert mode(searching, quick=False) == "hybrid"
    (folder,) = (path for path in (root / ".nav" / "vectors").iterdir() if path.is_dir())
    until(seal.place(folder).exists)


def test_a_folder_that_another_server_is_about_to_leave_is_waited_for(
    searching: Searching, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, tried = ExactVectors(), []

    def soon(*_: object) -> ExactVectors:
        tried.append(1)
        if len(tried) < 3:
            raise Locked("in use")
        return store

    monkeypatch.setattr(wiring, "vector_store", soon)
    monkeypatch.setattr(vectors, "_ONCE_MORE", 0.0)
    assert mode(searching, quick=False) == "hybrid"
    assert store.count() > 0


def test_a_store_that_is_away_is_tried_again(searching: Searching, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> ExactVectors:
        raise Unavailable("Qdrant is away")

    with monkeypatch.context() as patch:
        patch.setattr(wiring, "vector_store", away)
        answer = searching.search(SearchQuery(QUESTION))
        assert answer.notes == ("Qdrant is away: answered by words and the graph",)
        assert answer.hits
    until(lambda: mode(searching) == "hybrid")
