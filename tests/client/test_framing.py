"""Frames survive any cut of the stream, and nonsense is refused."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nav_ls.client.framing import LONGEST_HEADER, Frames, FramingError, frame, parse

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(), children, max_size=3),
    max_leaves=5,
)
messages = st.dictionaries(st.text(), json_values, max_size=4)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)  # a busy machine is not the test's fault
@given(st.lists(messages, max_size=5), st.integers(1, 40))
def test_any_cut_gives_the_same_messages(sent: list[dict], size: int) -> None:
    stream = b"".join(frame(message) for message in sent)
    frames = Frames()
    got = []
    for start in range(0, len(stream), size):
        got += [parse(body) for body in frames.feed(stream[start : start + size])]
    assert got == sent


def test_other_headers_are_skipped() -> None:
    data = b"content-type: application/vscode-jsonrpc\r\nCONTENT-LENGTH:  2\r\n\r\n{}Content-Length: 2\r\n\r\n{}"
    assert Frames().feed(data) == [b"{}", b"{}"]


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 99999999999999999\r\n\r\n",
        b"Content-Length: 999999999999\r\n\r\n",
        b"Content-Length: two\r\n\r\n",
        b"x" * LONGEST_HEADER,
    ],
)
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(FramingError):
        Frames().feed(data)


@pytest.mark.parametrize("body", [b"", b"[1]", b"{", b"\xff"])
def test_a_body_must_be_a_json_object(body: bytes) -> None:
    with pytest.raises(FramingError):
        parse(body)
