"""Which words of a question are looked for, and which definitions it names."""

from __future__ import annotations

import pytest

from nav_ls.query.aside import asides, is_aside, mentioned
from nav_ls.query.ranking import Corpus, Question
from nav_ls.query.search import MATCHES, named_by, searched


def corpus(counts: dict[str, int]) -> Corpus:
    return Corpus(1000, 200_000, {term: {1: count} for term, count in counts.items()})


def test_the_rarest_words_are_looked_for_everywhere_as_long_as_they_do_not_bring_too_much() -> None:
    question = Question.of("cache request token")
    counts = {"cach": MATCHES // 2, "request": MATCHES, "token": 10}
    assert set(question.terms) == set(counts)
    found = searched(question, corpus(counts), quick=False)
    assert found.everywhere[:2] == ("token", "cach")
    assert found.in_names == ("request",)


def test_words_that_are_everywhere_are_looked_for_in_names() -> None:
    question = Question.of("cache request quux")
    found = searched(question, corpus({"cach": 3 * MATCHES, "request": 2 * MATCHES, "quux": 0}), quick=False)
    assert found.everywhere == ("quux", *sorted(question.pairs))
    assert found.in_names == ("request", "cach")


def test_all_words_of_a_question_on_a_small_repository_are_looked_for_everywhere() -> None:
    question = Question.of("cache request token")
    found = searched(question, corpus({"cach": 500, "request": 900, "token": 10}), quick=False)
    assert set(question.terms) <= set(found.everywhere)
    assert found.in_names == ()


def test_what_is_named_by_its_identifier_counts_and_not_what_is_spelled_nearly_so() -> None:
    names = {1: "TypeAdapter", 2: "TypeAdapters", 3: "read"}
    assert named_by(Question.of("TypeAdapter"), names) == {1}


def test_saying_the_words_of_a_name_names_it_where_nothing_is_written() -> None:
    names = {1: "TypeAdapters", 2: "read"}
    assert named_by(Question.of("type adapters"), names) == {1}
    assert named_by(Question.of("read"), {3: "reads"}) == set()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("how tRPC routers are merged", "how routers are merged"),
        ("how are trpc's routers merged?", "how are routers merged?"),
        ("what createTRPCClient does in trpc", "what createTRPCClient does in"),
        ("tRPC", "tRPC"),
        ("what is tRPC?", "what is tRPC?"),
    ],
)
def test_what_is_meant_by_a_question_is_not_the_project_that_it_names(text: str, meant: str) -> None:
    assert Question.of(text, frozenset({"trpc"})).meant == meant


def test_files_that_set_up_the_code_step_back_unless_they_are_asked_for() -> None:
    assert is_aside("config", "text")
    assert not is_aside("config", "class")
    assert "config" in asides("how are routers merged")
    assert "config" not in asides("which workflow publishes it")


@pytest.mark.parametrize(
    ("question", "layers"),
    [
        ("tests for session cookies", {"test": True}),
        ("where is url_for tested?", {"test": True}),
        ("which tests cover streaming", {"test": True}),
        ("documentation about blueprints", {"docs": True}),
        ("how does the test client keep cookies", {"test": False}),
        ("how are doc comments parsed", {"docs": False}),
        ("what does test_client do", {}),
    ],
)
def test_a_word_that_goes_with_the_next_one_does_not_ask_for_its_layer(question: str, layers: dict[str, bool]) -> None:
    assert mentioned(question) == layers
