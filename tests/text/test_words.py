from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nav_ls.text.words import WORD, joined_pairs, named_in, pieces, question_terms, stem, terms, thin, words_of


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("getHTTPServer_v2", ("get", "http", "server", "v", "2")),
        ("snake_case", ("snake", "case")),
        ("__init__", ("init",)),
        ("SCREAMING_CASE", ("screaming", "case")),
        ("naïve_größe", ("naïve", "größe")),
        ("日本語", ("日本", "本語")),
        ("x", ("x",)),
    ],
)
def test_pieces(identifier: str, expected: tuple[str, ...]) -> None:
    assert pieces(identifier) == expected


def test_forms_of_a_word_meet() -> None:
    assert len({stem(w) for w in ("register", "registers", "registered", "registering")}) == 1
    assert len({stem(w) for w in ("query", "queries")}) == 1
    assert len({stem(w) for w in ("parse", "parser", "parsing", "parsed")}) == 1
    assert len({stem(w) for w in ("utils", "utility", "utilities")}) == 1
    assert stem("class") != stem("clas")
    assert stem("status") == "status"


def test_a_compound_is_a_term_besides_its_pieces() -> None:
    assert terms("self.parse_args(x)") == ["self", "parse_args", "pars", "arg", "x"]


def test_stop_words_count_only_when_alone() -> None:
    assert question_terms("How is the session opened?") == ["sess", "open"]
    assert question_terms("where is it") == ["wher", "is", "it"]
    assert question_terms("") == []
    assert question_terms("?! …") == []


def test_a_long_question_is_bounded() -> None:
    assert len(question_terms(" ".join(f"word{n}" for n in range(10_000)))) == 64


def test_names_in_a_question() -> None:
    assert named_in("How does fmt::format_to use JsonReader") == {"format_to", "JsonReader"}
    assert named_in("Where is Flask configured") == {"Flask"}
    assert named_in("session") == {"session"}
    assert named_in("Opening files") == set()


def test_neighbours_are_joined() -> None:
    assert joined_pairs("thread pool queue") == {"threadpool", "poolqueue"}


def test_thin_keeps_the_words_of_code() -> None:
    assert thin(words_of("if (user.isActive()) { return x_1; }"), 100) == "if user is active return x 1"


def test_thin_gives_as_much_as_is_asked_for() -> None:
    words = words_of("alpha beta _ gammaDelta")
    assert thin(words, 10)[:10] == "alpha beta"
    assert thin(words, 100) == "alpha beta  gamma delta"


@given(st.text(st.sampled_from("aZ_09 .-\n\té²\x00\x1c\x7f")))
def test_words_are_found_as_their_pattern_says(text: str) -> None:
    assert words_of(text) == WORD.findall(text)
