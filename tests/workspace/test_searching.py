"""Search over a real index, with an embedder that costs nothing."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from nav_ls.adapters.exact import ExactVectors
from nav_ls.adapters.qdrant_edge import QdrantEdge
from nav_ls.config.settings import Config, IndexSettings, SearchSettings
from nav_ls.ports import Match, Point, Unavailable
from nav_ls.query.search import SearchAnswer, SearchQuery
from nav_ls.store import seal
from nav_ls.store.layout import Layout
from nav_ls.text import git
from nav_ls.text.errors import StorageError, UsageError
from nav_ls.text.words import stems
from nav_ls.workspace import wiring
from nav_ls.workspace.workspace import Workspace

FILES = {
    "app/auth/tokens.py": '''
import time


class TokenRefresher:
    """Renews expired credentials."""

    def refresh(self, token):
        """Exchange an old token for a new one."""
        return self.issue(token.user, time.time())

    def issue(self, user, now):
        return (user, now)
''',
    "app/services/mailer.py": '''
def send_mail(recipient, body):
    """Deliver a message over SMTP."""
    return connect().send(recipient, body)


def connect():
    """Open the connection to the mail server."""
    return object()
''',
    "tests/test_tokens.py": '''
from app.auth.tokens import TokenRefresher


def test_refresh_exchanges_an_old_token_for_a_new_one():
    """Exchange an old token for a new one."""
    assert TokenRefresher().refresh(object())
''',
    "README.md": "# Demo\n\nA small demonstration of things.\n\n## Mail\n\nHow mail is delivered to its recipients.\n",
}


class WordVectors:
    """Texts are near when they share words."""

    dims = 64
    max_chars = 10_000

    def __init__(self, model: str = "words/1") -> None:
        self.model = model
        self.texts = 0
        self.asked: list[str] = []

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += len(texts)
        rows = np.full((len(texts), self.dims), 1e-3, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for stem in stems(text):
                row[sum(stem.encode()) % self.dims] += 1
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def query(self, text: str) -> NDArray[np.float32]:
        self.asked.append(text)
        row: NDArray[np.float32] = self.documents([text])[0]
        return row


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> WordVectors:
    made = WordVectors()
    monkeypatch.setattr(wiring, "embedder", lambda config, threads=0: made)
    return made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    laid(tmp_path / "repo")
    return tmp_path / "repo"


def laid(root: Path) -> None:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


CONFIG = Config(index=IndexSettings(workers=1), search=SearchSettings(min_unit_bytes=10))


def opened(root: Path) -> Workspace:
    return Workspace.open(root, CONFIG)


@pytest.fixture
def workspace(root: Path, embedder: WordVectors) -> Iterator[Workspace]:
    made = opened(root)
    made.sync()
    made.searching.refresh()
    yield made
    made.close()


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace with vectors that no test changes."""
    root = tmp_path_factory.mktemp("repo")
    laid(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "embedder", lambda config, threads=0: WordVectors())
        made = opened(root)
        made.sync()
        made.searching.refresh()
        made.searching.embed()
        yield made
        made.close()


def ask(workspace: Workspace, text: str, **options: object) -> SearchAnswer:
    return workspace.searching.search(SearchQuery(text, **options))  # type: ignore[arg-type]


def symbols(answer: SearchAnswer) -> list[str]:
    return [hit.symbol for hit in answer.hits]


def test_words_answer_before_anything_is_embedded(workspace: Workspace) -> None:
    answer = ask(workspace, "exchange an old token")
    assert answer.mode == "lexical"
    assert "nothing is embedded yet" in answer.notes[0]
    assert symbols(answer)[0] == "TokenRefresher.refresh"


def test_hybrid_after_embedding(embedded: Workspace) -> None:
    assert embedded.searching.pending().waiting == 0
    answer = ask(embedded, "exchange an old token")
    assert (answer.mode, answer.notes) == ("hybrid", ())
    assert symbols(answer)[0] == "TokenRefresher.refresh"
    first = answer.hits[0]
    assert first.path == "app/auth/tokens.py"
    assert (first.start_line, first.end_line) == (5, 13)
    assert first.why.bm25 is not None
    assert first.why.cosine is not None


def test_the_project_s_name_is_no_part_of_what_is_meant(tmp_path: Path, embedder: WordVectors) -> None:
    """Two of four files mention `app`, one mentions `smtp`."""
    for name, meant in (("app", "renew tokens of the smtp"), ("smtp", "renew tokens of the smtp app")):
        laid(tmp_path / name)
        with closing(opened(tmp_path / name)) as workspace:
            workspace.sync()
            workspace.searching.refresh()
            workspace.searching.embed()
            embedder.asked.clear()
            ask(workspace, "renew tokens of the smtp app")
        assert embedder.asked == [meant]


def test_a_project_is_called_like_its_folder_and_like_its_remote(tmp_path: Path) -> None:
    root = tmp_path / "Working"
    root.mkdir()
    assert wiring.names_of(Layout.find(root)) == {"working"}
    for arguments in (["init", "-q"], ["remote", "add", "origin", "git@host:team/Tool.git"]):
        subprocess.run(["git", *arguments], cwd=root, check=True, env=git.environment())
    assert wiring.names_of(Layout.find(root)) == {"working", "tool"}


def test_tests_come_after_the_code_and_can_be_asked_for(embedded: Workspace) -> None:
    paths = [hit.path for hit in ask(embedded, "exchange an old token for a new one").hits]
    assert paths.index("app/auth/tokens.py") < paths.index("tests/test_tokens.py")
    assert ask(embedded, "test that an old token is exchanged").hits[0].path == "tests/test_tokens.py"
    assert all(hit.layer != "test" for hit in ask(embedded, "token", exclude_tests=True).hits)


def test_words_that_nothing_is_called_by_are_found_however_frequent_they_are(
    embedded: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nav_ls.query.search.MATCHES", 0)
    assert symbols(ask(embedded, "token refresher", mode="lexical"))[0] == "TokenRefresher"
    assert symbols(ask(embedded, "smtp", mode="lexical"))[0] == "send_mail"


def test_where_frequent_words_occur_is_known_anew_after_a_change(
    workspace: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nav_ls.store.units._FREQUENT_FILES", 1)
    before = {hit.path for hit in ask(workspace, "exchange").hits}
    assert {hit.path for hit in ask(workspace, "exchange").hits} == before
    (root / "app" / "exchange.py").write_text("def exchange(old):\n    return exchange_for_new(old)\n")
    workspace.sync()
    workspace.searching.refresh()
    found = ask(workspace, "exchange").hits
    assert {hit.path for hit in found} == before | {"app/exchange.py"}
    assert found[0].path == "app/exchange.py"
    assert found[0].why.parts["spread"] > 0


def test_filters(embedded: Workspace) -> None:
    assert set(symbols(ask(embedded, "token mail", type=("class",)))) == {"TokenRefresher"}
    assert {hit.path for hit in ask(embedded, "token mail", path=("app/services/**",)).hits} == {
        "app/services/mailer.py"
    }
    assert {hit.path for hit in ask(embedded, "token mail", path=("app", "!app/auth")).hits} == {
        "app/services/mailer.py"
    }
    assert {hit.layer for hit in ask(embedded, "token mail", layer=("service",)).hits} == {"service"}
    assert {hit.language for hit in ask(embedded, "token mail", lang=("python",)).hits} == {"python"}
    assert len(ask(embedded, "token mail", per_file=1).hits) == len({h.path for h in ask(embedded, "token mail").hits})
    assert ask(embedded, "token", path=("nowhere/**",)).hits == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layer": ("nonsense",)}, "there are: .*service"),
        ({"type": ("nonsense",)}, "there are: .*class"),
        ({"lang": ("cobol",)}, "there are: python"),
        ({"framework": ("nonsense",)}, "there are: none"),
        ({"threshold": 1.5}, "between 0 and 1"),
        ({"mode": "psychic"}, "hybrid, vector, lexical"),
        ({"k": 0}, "between 1 and"),
        ({"expand": "all"}, "callees or impact"),
    ],
)
def test_bad_options_say_what_would_do(embedded: Workspace, options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ask(embedded, "token", **options)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "where is the token " * 6_000,
        "the of and",
        "как обновить токен",
        "\u65e5\u672c\u8a9e",
        "?!",
        "\0",
        '"(OR NEAR*',
    ],
)
def test_strange_questions_are_answered(embedded: Workspace, text: str) -> None:
    ask(embedded, text)


def test_an_empty_question_is_refused(embedded: Workspace) -> None:
    with pytest.raises(UsageError, match="empty"):
        ask(embedded, "  ")


def test_neighbours_are_one_hit_unless_every_definition_counts(embedded: Workspace) -> None:
    first = ask(embedded, "exchange an old token", path=("app",)).hits[0]
    assert (first.symbol, first.start_line, first.end_line) == ("TokenRefresher.refresh", 5, 13)
    assert first.also == ("TokenRefresher", "TokenRefresher.issue")
    text = embedded.unit_text(first.path, first.start, first.end)
    assert text.startswith("class TokenRefresher")
    assert text.endswith("return (user, now)")
    assert embedded.unit_text(first.path, *first.own).startswith("    def refresh(")
    alone = ask(embedded, "exchange an old token", path=("app",), join=False).hits
    assert (alone[0].symbol, alone[0].start_line, alone[0].end_line) == ("TokenRefresher.refresh", 8, 10)
    assert {"TokenRefresher", "TokenRefresher.issue"} < {hit.symbol for hit in alone}


def test_threshold(embedded: Workspace) -> None:
    everything = ask(embedded, "token")
    some = ask(embedded, "token", threshold=0.7)
    assert 0 < len(some.hits) < len(everything.hits)
    assert all(hit.score >= 0.7 for hit in some.hits)


def test_callees_and_callers_of_the_best_hits(embedded: Workspace) -> None:
    answer = ask(embedded, "send_mail", k=1, expand="callees")
    assert [(hit.symbol, hit.why.via) for hit in answer.hits] == [("send_mail", ""), ("connect", "callee of send_mail")]
    answer = ask(embedded, "open the connection", k=1, expand="impact")
    assert ("send_mail", "caller of connect") in [(hit.symbol, hit.why.via) for hit in answer.hits]


def test_only_what_changed_is_embedded_again(workspace: Workspace, root: Path, embedder: WordVectors) -> None:
    workspace.searching.embed()
    before = embedder.texts
    path = root / "app/auth/tokens.py"
    path.write_text(
        "# moved down\n\n\n"
        + path.read_text()
        .replace("    return", "    return ")
        .replace("(user, now)", "(\n            user,\n            now,\n        )")
    )
    workspace.sync()
    assert workspace.searching.refresh().files == 1
    workspace.searching.embed()
    assert embedder.texts - before <= 1  # the new comment at the top of the file
    assert ask(workspace, "exchange an old token", join=False).hits[0].start_line == 11


def test_what_search_has_written_is_sealed(workspace: Workspace, root: Path) -> None:
    database = workspace.layout.database(workspace.layout.view())
    workspace.searching.embed()
    assert seal.verify(database)
    (root / "README.md").write_text("# Another one\n\nEntirely.\n")
    workspace.sync()
    workspace.searching.refresh()
    assert seal.verify(database)


def test_deleted_definitions_lose_their_units_and_points(workspace: Workspace, root: Path) -> None:
    workspace.searching.embed()
    assert ask(workspace, "exchange an old token").hits[0].path == "app/auth/tokens.py"
    (root / "app/auth/tokens.py").unlink()
    workspace.sync()
    assert workspace.searching.refresh().removed == 1
    assert "app/auth/tokens.py" not in {hit.path for hit in ask(workspace, "exchange an old token", mode="vector").hits}


def test_embedding_goes_on_where_it_was_stopped(
    workspace: Workspace, embedder: WordVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nav_ls.index.search_index.TEXTS", 2)
    real, calls = embedder.documents, 0

    def dies(texts: Sequence[str]) -> NDArray[np.float32]:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return real(texts)

    monkeypatch.setattr(embedder, "documents", dies)
    with pytest.raises(KeyboardInterrupt):
        workspace.searching.embed()
    state = workspace.searching.pending()
    assert state.embedded >= 4
    assert state.waiting > 0
    monkeypatch.setattr(embedder, "documents", real)
    before = embedder.texts
    workspace.searching.embed()
    assert embedder.texts - before == state.waiting


def test_another_model_replaces_the_vectors(workspace: Workspace, embedder: WordVectors) -> None:
    workspace.searching.embed()
    first = embedder.texts
    embedder.model = "words/2"
    assert ask(workspace, "token").mode == "lexical"
    workspace.searching.embed()
    assert embedder.texts >= 2 * first
    assert ask(workspace, "token").mode == "hybrid"


def test_collecting_drops_what_no_branch_needs(workspace: Workspace, root: Path) -> None:
    workspace.searching.embed()
    ask(workspace, "token")
    assert workspace.collect().vectors == 0
    (root / "app/auth/tokens.py").unlink()
    workspace.sync()
    workspace.searching.refresh()
    assert workspace.collect().vectors >= 3
    assert ask(workspace, "mail").mode == "hybrid"


def test_collecting_keeps_what_the_files_need_that_were_not_looked_at_yet(
    workspace: Workspace, root: Path, embedder: WordVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = root / "app/auth/tokens.py"
    text = tokens.read_text()
    workspace.searching.embed()
    tokens.write_text("")
    workspace.sync()
    workspace.searching.refresh()
    tokens.write_text(text)
    with monkeypatch.context() as patch:
        patch.setattr(workspace, "sync", full_disk)
        collected = workspace.collect()
    assert collected.vectors == 0
    assert collected.kept == "the newest changes are not known: disk full"
    assert workspace.collect().vectors == 0
    before = embedder.texts
    workspace.searching.embed()
    assert embedder.texts == before


def full_disk(**_: object) -> None:
    raise StorageError("disk full")


def test_vectors_that_are_lost_are_made_again(workspace: Workspace, root: Path, embedder: WordVectors) -> None:
    first = workspace.searching.embed().embedded
    for path in (root / ".nav").glob("content*"):
        path.unlink()
    done = workspace.searching.embed()
    assert (done.lost, done.embedded, done.repaired) == (first, first, "")
    assert embedder.texts == 2 * first
    assert ask(workspace, "exchange an old token").mode == "hybrid"
    assert workspace.searching.embed().lost == 0


def test_damaged_vectors_come_from_their_copy(workspace: Workspace, root: Path, embedder: WordVectors) -> None:
    first = workspace.searching.embed().embedded
    before = ask(workspace, "exchange an old token").hits
    with (root / ".nav" / "content.db").open("r+b") as file:
        file.write(b"garbage" * 2000)
    done = workspace.searching.embed()
    assert "content.db was damaged" in done.repaired
    assert (done.lost, done.embedded, first > 0) == (0, 0, True)
    assert ask(workspace, "exchange an old token").hits == before


@pytest.mark.parametrize("damage", ["UPDATE facts SET data = zeroblob(50)", ""])
def test_units_without_stored_facts_are_the_same(workspace: Workspace, root: Path, damage: str) -> None:
    before = workspace.searching.definitions()
    if damage:
        with closing(sqlite3.connect(root / ".nav" / "facts.db")) as connection, connection:
            connection.execute(damage)
    else:
        (root / ".nav" / "facts.db").unlink()
    with closing(sqlite3.connect(workspace.layout.database(workspace.layout.view()))) as connection, connection:
        connection.execute("UPDATE unit_files SET rules = ''")
    workspace.searching.refresh()
    assert workspace.searching.definitions() == before


def test_a_corrupt_vector_folder_is_made_again_without_embedding(
    workspace: Workspace, root: Path, embedder: WordVectors
) -> None:
    workspace.searching.embed()
    ask(workspace, "token")
    workspace.close()
    for file in (root / ".nav" / "vectors").rglob("*.json"):
        file.write_bytes(b"\x00")
    before = embedder.texts
    again = opened(root)
    answer = again.searching.search(SearchQuery("exchange an old token"))
    again.close()
    assert answer.mode == "hybrid"
    assert answer.hits[0].why.cosine is not None
    assert embedder.texts == before + 1  # the question itself


def test_a_changed_byte_among_the_vectors_costs_no_hit_and_no_embedding(
    workspace: Workspace, root: Path, embedder: WordVectors, caplog: pytest.LogCaptureFixture
) -> None:
    workspace.searching.embed()
    question = "exchange an old token"
    before = ask(workspace, question, mode="vector").hits
    workspace.close()
    (chunk,) = (root / ".nav" / "vectors").rglob("chunk_0.mmap")
    with chunk.open("r+b") as file:
        file.write(b"\x7f" * 4000)  # as the engine sees it, nearly everything lies elsewhere
    texts = embedder.texts
    again = opened(root)
    answer = ask(again, question, mode="vector")
    again.close()
    assert answer.hits == before
    assert "made again from the stored vectors" in caplog.text
    assert embedder.texts == texts + 1  # the question itself


def test_a_store_that_lies_about_nearness_is_not_believed(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.searching.embed()
    before = ask(workspace, "deliver a message", mode="vector").hits
    search = QdrantEdge.search

    def lies(self: QdrantEdge, *arguments: object) -> list[Match]:
        return [Match(match.id, 1 - match.score) for match in search(self, *arguments)]  # type: ignore[arg-type]

    monkeypatch.setattr(QdrantEdge, "search", lies)
    assert ask(workspace, "deliver a message", mode="vector").hits == before


def test_a_folder_in_use_does_not_keep_another_process_from_answering(workspace: Workspace, root: Path) -> None:
    workspace.searching.embed()
    ask(workspace, "token")
    second = opened(root)
    answer = second.searching.search(SearchQuery("exchange an old token"))
    second.close()
    assert answer.mode == "hybrid"


def test_without_an_embedder_words_and_the_graph_answer(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.searching.embed()
    fresh = opened(workspace.root)

    def unavailable(config: Config, threads: int = 0) -> None:
        raise Unavailable("the model file is missing")

    monkeypatch.setattr(wiring, "embedder", unavailable)
    answer = fresh.searching.search(SearchQuery("exchange an old token"))
    fresh.close()
    assert answer.mode == "lexical"
    assert "the model file is missing" in answer.notes[0]
    assert answer.hits


def test_a_store_that_dies_during_an_upsert_is_done_without_until_it_is_back(
    workspace: Workspace, embedder: WordVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ExactVectors()
    real, calls = store.upsert, 0

    def dies(points: Sequence[Point]) -> None:
        nonlocal calls
        calls += 1
        real(points[: len(points) // 2])
        raise Unavailable("Qdrant is away")

    monkeypatch.setattr(store, "upsert", dies)
    monkeypatch.setattr(wiring, "vector_store", lambda *args: store)
    workspace.searching.embed()
    before = embedder.texts
    answer = ask(workspace, "exchange an old token")
    assert (answer.mode, calls) == ("lexical", 1)
    assert "Qdrant is away" in answer.notes[0]
    assert symbols(answer)[0] == "TokenRefresher.refresh"
    monkeypatch.setattr(store, "upsert", real)
    assert ask(workspace, "exchange an old token").mode == "hybrid"
    assert store.count() == workspace.searching.pending().embedded
    assert embedder.texts <= before + 2  # the question; nothing was embedded again


def test_an_index_that_is_gone_is_no_error(workspace: Workspace) -> None:
    shutil.rmtree(workspace.root / ".nav")
    assert ask(workspace, "token").hits == ()


def test_generation_by_generation_equals_a_fresh_index(workspace: Workspace, root: Path, tmp_path: Path) -> None:
    (root / "app/new.py").write_text("def added(value):\n    return value + 1\n")
    (root / "app/services/mailer.py").write_text(FILES["app/services/mailer.py"].replace("SMTP", "carrier pigeon"))
    workspace.sync()
    workspace.searching.refresh()
    workspace.searching.embed()
    shutil.copytree(root, tmp_path / "cold", ignore=shutil.ignore_patterns(".nav"))
    cold = opened(tmp_path / "cold")
    cold.sync()
    cold.searching.refresh()
    cold.searching.embed()
    for text in ("carrier pigeon", "added value", "token"):
        warm_hits, cold_hits = ask(workspace, text).hits, ask(cold, text).hits
        assert [(h.path, h.symbol, h.score) for h in warm_hits] == [(h.path, h.symbol, h.score) for h in cold_hits]
    cold.close()
