"""Buffers follow the edits of an editor that counts in UTF-8, UTF-16 or UTF-32."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nav_ls.server.convert import bytes_before, split_lines, units_before
from nav_ls.server.documents import Change, Document

ENCODINGS = ("utf-8", "utf-16", "utf-32")
texts = st.text(st.sampled_from("ab \n\r\té€🎉\u2028\x0b\x0c\x85"), max_size=30)


def _units(text: str, encoding: str) -> int:
    if encoding == "utf-32":
        return len(text)
    return len(text.encode("utf-16-le")) // 2 if encoding == "utf-16" else len(text.encode())


def _position(text: str, index: int, encoding: str) -> tuple[int, int]:
    """The editor's position of an index, counted the slow way."""
    line, start, at = 0, 0, 0
    while at < index:
        if text[at] == "\r" and at + 1 < len(text) and text[at + 1] == "\n":
            at += 1
            if at >= index:
                break
        if text[at] in "\r\n":
            line, start = line + 1, at + 1
        at += 1
    return line, _units(text[start:index], encoding)


@given(
    texts, st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), texts), max_size=4), st.sampled_from(ENCODINGS)
)
def test_edits_arrive_where_they_were_made(text: str, edits: list[tuple[int, int, str]], encoding: str) -> None:
    document = Document("file:///x", text, 1)
    for version, (one, other, replacement) in enumerate(edits, 2):
        start, end = sorted((min(one, len(text)), min(other, len(text))))
        # No editor puts its cursor between the two bytes of one line end.
        start -= text[start - 1 : start + 1] == "\r\n"
        end += text[end - 1 : end + 1] == "\r\n"
        change = Change(replacement, _position(text, start, encoding), _position(text, end, encoding))
        document.apply([change], version, encoding)
        text = text[:start] + replacement + text[end:]
        assert document.text == text
        assert document.version == version


def test_the_whole_text_can_be_replaced_in_the_middle_of_edits() -> None:
    document = Document("file:///x", "one\ntwo", 1)
    document.apply([Change("abc"), Change("X", (0, 1), (0, 2))], 2, "utf-16")
    assert document.text == "aXc"


@pytest.mark.parametrize(
    "start, end",
    [((0, 99), (0, 99)), ((99, 0), (99, 5)), ((0, 3), (0, 1)), ((2**31 - 1, 2**31 - 1), (2**31 - 1, 2**31 - 1))],
)
def test_positions_beyond_the_text_are_moved_into_it(start: tuple[int, int], end: tuple[int, int]) -> None:
    document = Document("file:///x", "abc", 1)
    document.apply([Change("!", start, end)], 2, "utf-16")
    assert document.text == "abc!"


def test_lone_surrogates_become_one_character() -> None:
    document = Document("file:///x", "a\ud83db", 1)
    assert document.text == "a\ufffdb"
    document.apply([Change("c", (0, 2), (0, 3))], 2, "utf-16")
    assert document.text == "a\ufffdc"


@given(st.text(st.sampled_from("aé€🎉\t"), max_size=12), st.integers(0, 14), st.sampled_from(ENCODINGS))
def test_columns_survive_the_way_there_and_back(line: str, characters: int, encoding: str) -> None:
    data = line.encode()
    column = len(line[:characters].encode())
    units = units_before(data, column, encoding)
    assert units == _units(line[:characters], encoding)
    assert bytes_before(data, units, encoding) == column


@given(st.text(st.sampled_from("ab\n\r\u2028\x0b\x0c\x85é"), max_size=20))
def test_lines_end_at_line_feeds_and_carriage_returns_only(text: str) -> None:
    expected = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert [line.decode() for line in split_lines(text.encode())] == expected


def test_half_a_surrogate_pair_is_no_place() -> None:
    assert bytes_before("🎉x".encode(), 1, "utf-16") == 0
    assert bytes_before("🎉x".encode(), 2, "utf-16") == 4
