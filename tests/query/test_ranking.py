from __future__ import annotations

from collections.abc import Mapping, Sequence

from nav_ls.query.ranking import DEFAULT_WEIGHTS, Corpus, FileCandidate, Question, Ranked, UnitCandidate, rank


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
