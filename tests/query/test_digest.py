"""The parts of a map that are pure functions."""

from __future__ import annotations

import pytest

from nav_ls.query.digest import Section, _first_sentence, _short_names, fit


@pytest.mark.parametrize(
    "doc, sentence",
    [
        ("Take an item. Then more.\n\nAnd more.", "Take an item"),
        ("@internal", ""),
        ("const X: symbol = Symbol.for('x');", ""),
        ("base type     ////", "base type"),
        ("*********", ""),
        ("word " * 40, ""),
        ("`name` is kept", "`name` is kept"),
    ],
)
def test_what_a_comment_says_about_a_definition(doc: str, sentence: str) -> None:
    assert _first_sentence(doc) == sentence


def test_paths_are_short_only_where_that_is_clear() -> None:
    paths = ["core/src/main/java/org/shop", "core/src/test/java/org/shop", "core/src/main/java/org/shop/pay", "web"]
    assert _short_names(paths) == {
        "core/src/main/java/org/shop": "\u2026/main/java/org/shop",
        "core/src/test/java/org/shop": "\u2026/test/java/org/shop",
        "core/src/main/java/org/shop/pay": "\u2026/pay",
        "web": "web",
    }


def test_sections_share_a_budget_and_lines_come_whole() -> None:
    sections = [Section("A", tuple("a" * 50 for _ in range(100)), 0.5), Section("B", ("b" * 50,), 0.5)]
    for characters in (10, 100, 300, 1000, 10_000):
        text = fit("head", sections, characters)
        assert len(text) <= characters
        assert all(line in ("a" * 50, "b" * 50) for line in text.splitlines() if line.startswith(("a", "b")))
    assert "## B" in fit("head", sections, 1000)
