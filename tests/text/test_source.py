import pytest
from hypothesis import given
from hypothesis import strategies as st

from nav_ls.text.source import decode, from_text, is_binary


@pytest.mark.parametrize(
    ("data", "text", "encoding", "bom"),
    [
        (b"", "", "utf-8", False),
        (b"\xef\xbb\xbf", "", "utf-8", True),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n", "utf-8", True),
        ("é".encode(), "é", "utf-8", False),
        (b"\xff\xfea\x00b\x00", "ab", "utf-16-le", True),
        (b"\xfe\xff\x00a", "a", "utf-16-be", True),
        (b"\xff\xfe\x00\x00a\x00\x00\x00", "a", "utf-32-le", True),
        (b"x = 'caf\xe9'\n", "x = 'café'\n", "latin-1", False),
        (b"# coding: cp1252\nx = '\x80'\n", "# coding: cp1252\nx = '€'\n", "cp1252", False),
        (b"# coding: hex\nx = '\xe9'\n", "# coding: hex\nx = 'é'\n", "latin-1", False),
        ("é é é".encode() + b"\xff", "é é é\ufffd", "utf-8", False),
        (b"a\0b", "a b", "utf-8", False),
    ],
)
def test_decode(data: bytes, text: str, encoding: str, bom: bool) -> None:
    source = decode(data)
    assert (source.text.decode(), source.encoding, source.bom) == (text, encoding, bom)
    assert source.ascii == text.isascii()


@given(st.binary())
def test_any_bytes_become_valid_text(data: bytes) -> None:
    source = decode(data)
    source.text.decode("utf-8")
    assert b"\0" not in source.text


@given(st.text())
def test_text_of_a_buffer_equals_that_of_its_file(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    if not text.startswith(("\ufeff", "\ufffe")):
        assert from_text(text).text == decode(text.encode()).text


def test_binary() -> None:
    assert is_binary(b"\x7fELF\x02\x01\x01\0\0\0\0")
    assert not is_binary(b"\xff\xfea\0b\0")
    assert not is_binary(b"x = 1\n" * 100 + b"\0")
    assert not is_binary(b"")
