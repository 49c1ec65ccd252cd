from __future__ import annotations

from collections.abc import Mapping, Sequence

from nav_ls.query.ranking import (
    DEFAULT_WEIGHTS,
    JOINED,
    Corpus,
    FileCandidate,
    Question,
    Ranked,
    UnitCandidate,
    joined,
    lifted,
    rank,
)


def ranked(
    text: str,
    units: Sequence[UnitCandidate],
    files: Sequence[FileCandidate],
    spread: Mapping[str, Mapping[int, int]] | None = None,
) -> list[Ranked]:
    return rank(Question.of(text), units, files, Corpus(10, 100, spread or {}), DEFAULT_WEIGHTS, 50)


def ids(hits: Sequence[Ranked]) -> list[int]:
    return [hit.id for hit in hits]


FILES = [FileCandidate(1, "sessions", "flask"), FileCandidate(2, "app", "flask"), FileCandidate(3, "views", "flask")]


def test_words_and_meaning_add_up() -> None:
    units = [
        UnitCandidate(10, 1, lexical=5.0, cosine=0.5),
        UnitCandidate(20, 2, lexical=5.0, cosine=0.1),
        UnitCandidate(30, 3, lexical=1.0, cosine=0.5),
    ]
    assert ids(ranked("open a socket", units, FILES))[0] == 10


def test_a_file_called_like_the_question_wins() -> None:
    units = [UnitCandidate(10, 1, lexical=3.0, cosine=0.4), UnitCandidate(20, 2, lexical=3.2, cosine=0.42)]
    assert ids(ranked("session handling", units, FILES))[0] == 10


def test_the_project_s_name_in_a_file_s_name_says_nothing() -> None:
    """Where a question names the project, half of the files would be called like it."""
    files = [FileCandidate(1, "createFlaskClient", ""), FileCandidate(2, "router", ""), FileCandidate(3, "flask", "")]
    units = [UnitCandidate(10, 1, lexical=5.0, cosine=0.5), UnitCandidate(20, 2, lexical=5.0, cosine=0.5)]
    named = Question.of("how is a Flask client made", frozenset({"flask"}))
    parts = {hit.id: hit.parts for hit in rank(named, [*units, UnitCandidate(30, 3)], files, Corpus(10, 100, {}))}
    assert {id: found["stem"] for id, found in parts.items()} == {10: 0.5, 20: 0.0, 30: 1.0}


def test_an_identifier_that_begins_with_a_word_does_not_say_it() -> None:
    files = [FileCandidate(1, "from_extractor", ""), FileCandidate(2, "requests", "")]
    units = [UnitCandidate(10, 1, lexical=5.0), UnitCandidate(20, 2, lexical=5.0)]
    parts = {
        hit.id: hit.parts for hit in rank(Question.of("extractors by FromRequest"), units, files, Corpus(10, 100, {}))
    }
    assert {id: found["stem"] for id, found in parts.items()} == {10: 0.5, 20: 1.0}


def test_a_definition_that_is_named_wins() -> None:
    units = [UnitCandidate(10, 1, lexical=4.0, cosine=0.4), UnitCandidate(20, 2, lexical=3.5, cosine=0.38, named=1.0)]
    assert ids(ranked("how does FooBar work", units, FILES))[0] == 20


def test_tests_step_back() -> None:
    units = [UnitCandidate(10, 1, lexical=6.0, cosine=0.6, aside=True), UnitCandidate(20, 2, lexical=4.0, cosine=0.4)]
    assert ids(ranked("open a socket", units, FILES))[0] == 20


def test_further_hits_of_a_file_make_room() -> None:
    units = [
        UnitCandidate(10, 1, lexical=6.0, cosine=0.60),
        UnitCandidate(11, 1, lexical=5.9, cosine=0.59),
        UnitCandidate(20, 2, lexical=5.5, cosine=0.55),
        UnitCandidate(21, 2, lexical=3.5, cosine=0.35),
    ]
    assert ids(ranked("open a socket", units, FILES))[:2] == [10, 20]


def test_near_copies_collapse_into_the_one_that_is_no_test() -> None:
    units = [
        UnitCandidate(10, 1, lexical=5.0, shape=b"same", aside=True),
        UnitCandidate(20, 2, lexical=4.0, shape=b"same"),
        UnitCandidate(30, 3, lexical=1.0, shape=b"other"),
    ]
    hits = ranked("open a socket", units, FILES)
    assert ids(hits) == [20, 30]
    assert hits[0].copies == (10,)


def test_words_spread_through_a_file_count() -> None:
    units = [UnitCandidate(10, 1, lexical=3.0), UnitCandidate(20, 2, lexical=3.0)]
    question = Question.of("retry budget")
    spread = {term: {2: 6} for term in question.terms}
    assert ids(ranked("retry budget", units, FILES, spread))[0] == 20


def test_scores_lie_between_0_and_1_and_nothing_is_fine() -> None:
    assert ranked("anything", [], []) == []
    hits = ranked("open", [UnitCandidate(n, 1 + n % 3, lexical=float(n), cosine=n / 100) for n in range(60)], FILES)
    assert all(0 <= hit.score <= 1 for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def hits(*scores: tuple[int, float]) -> list[Ranked]:
    return [Ranked(id, score, {}) for id, score in scores]


def test_what_the_best_hits_are_linked_to_comes_nearer() -> None:
    moved = lifted(hits((1, 1.0), (2, 0.6), (3, 0.55), (4, 0.5)), {1: [3, 99], 2: [3]}, 0.1)
    assert [(hit.id, round(hit.score, 3)) for hit in moved] == [(1, 1.0), (3, 0.65), (2, 0.6), (4, 0.5)]
    assert moved[1].parts == {"graph": 0.1}
    assert lifted([], {}, 0.1) == []


def runs(order: Sequence[int], lines: Mapping[int, tuple[int, int]], screen: int = 50) -> list[tuple[int, list[int]]]:
    return [(hit.id, run) for hit, run in joined(hits(*((id, 1.0) for id in order)), lines, screen)]


def test_neighbours_that_fit_on_a_screen_are_one_hit_in_the_place_of_the_best() -> None:
    lines = {7: (1, 10), 8: (12, 20), 9: (22, 30), 20: (1, 5)}
    assert runs([8, 20, 9, 7], lines) == [(8, [7, 8, 9]), (20, [20])]
    assert runs([8, 20, 9, 7], lines, screen=20) == [(8, [8, 9]), (20, [20]), (7, [7])]
    assert runs([8, 20, 9, 7], lines, screen=0) == [(8, [8]), (20, [20]), (9, [9]), (7, [7])]


def test_a_neighbour_that_was_not_found_keeps_hits_apart() -> None:
    assert runs([7, 9], {7: (1, 3), 9: (9, 10)}) == [(7, [7]), (9, [9])]


def test_a_long_hit_stays_alone_and_is_not_cut() -> None:
    assert runs([7, 8], {7: (1, 200), 8: (201, 203)}) == [(7, [7]), (8, [8])]


def test_hits_far_down_the_list_are_not_pulled_up() -> None:
    order = [1, *range(100, 100 + 2 * JOINED, 2), 2]
    lines = {id: (id, id) for id in order}
    assert runs(order, lines)[0] == (1, [1])


def test_words_tell_a_file_s_definitions_apart_better_than_meaning() -> None:
    units = [UnitCandidate(10, 1, lexical=5.0, cosine=0.3), UnitCandidate(11, 1, lexical=3.0, cosine=0.5)]
    assert ids(ranked("open a socket", units, FILES))[0] == 10


def test_tests_that_are_mentioned_step_back_a_little() -> None:
    def first(test: float) -> int:
        code = UnitCandidate(20, 2, lexical=4.0, cosine=0.4)
        return ids(
            ranked("test client", [UnitCandidate(10, 1, test, test / 10, aside=True, mentioned=True), code], FILES)
        )[0]

    assert first(test=4.5) == 20
    assert first(test=7.0) == 10
