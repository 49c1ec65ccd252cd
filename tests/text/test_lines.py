from hypothesis import given
from hypothesis import strategies as st

from nav_ls.text.lines import LineTable

texts = st.lists(st.sampled_from([b"\r", b"\n", b"\r\n", b"a", b"\x0c", "\u2028".encode(), b"x" * 300])).map(b"".join)


def test_lines_end_at_lf_crlf_and_cr_only() -> None:
    table = LineTable.of(b"a\nb\r\nc\rd\x0b\x0ce")
    assert list(table.starts) == [0, 2, 5, 7]
    assert table.position(6) == (2, 1)
    assert table.offset(3, 2) == 9
    assert table.span(1) == (2, 5)


def test_positions_out_of_range_are_moved_inside() -> None:
    table = LineTable.of(b"ab\ncd")
    assert table.position(99) == (1, 2)
    assert table.position(-1) == (0, 0)
    assert table.offset(9, 9) == 5
    assert table.offset(0, 99) == 3


@given(texts)
def test_offsets_and_positions_are_inverse(text: bytes) -> None:
    table = LineTable.of(text)
    for offset in range(len(text) + 1):
        assert table.offset(*table.position(offset)) == offset


@given(texts)
def test_packing_loses_nothing(text: bytes) -> None:
    table = LineTable.of(text)
    again = LineTable.unpack(table.pack())
    assert list(again.starts) == list(table.starts)
    assert again.size == table.size
