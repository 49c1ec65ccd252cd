"""What a session's journal knows is what another server has to be told."""

from __future__ import annotations

import json
from typing import Any

from nav_ls.client.framing import Frames
from nav_ls.client.journal import CONTENT_MODIFIED, Journal


def body(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0"} | message).encode()


def told(journal: Journal) -> list[dict[str, Any]]:
    return [json.loads(one) for one in Frames().feed(journal.rest())]


def journal() -> Journal:
    begun = Journal()
    begun.sent(body(id=0, method="initialize", params={}))
    begun.received(body(id=0, result={}))
    begun.sent(body(method="initialized", params={}))
    return begun


def opened(uri: str, text: str) -> bytes:
    return body(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "text": text}})


def changed(uri: str, **change: Any) -> bytes:
    params = {"textDocument": {"uri": uri}, "contentChanges": [change]}
    return body(method="textDocument/didChange", params=params)


def test_open_documents_and_their_edits_are_told_again() -> None:
    known = journal()
    known.sent(opened("a", "x"))
    known.sent(changed("a", range={}, text="y"))
    known.sent(opened("b", "x"))
    known.sent(body(method="textDocument/didClose", params={"textDocument": {"uri": "b"}}))
    known.sent(changed("unopened", range={}, text="y"))
    assert [message["method"] for message in told(known)] == [
        "initialized",
        "textDocument/didOpen",
        "textDocument/didChange",
    ]


def test_a_whole_text_takes_the_place_of_the_edits_before_it() -> None:
    known = journal()
    known.sent(opened("a", "x"))
    for _ in range(3):
        known.sent(changed("a", range={}, text="y"))
    known.sent(changed("a", text="whole"))
    assert told(known)[2:] == [json.loads(changed("a", text="whole"))]


def test_open_requests_are_refused_once() -> None:
    known = journal()
    known.sent(body(id=1, method="a", params=None))
    known.sent(body(id="two", method="b", params=None))
    known.received(body(id=1, result=None))
    (refused,) = (json.loads(one) for one in Frames().feed(known.given_up()))
    assert (refused["id"], refused["error"]["code"]) == ("two", CONTENT_MODIFIED)
    assert known.given_up() == b""


def test_a_long_answer_is_recognised_by_its_id() -> None:
    known = journal()
    known.sent(body(id=1, method="a", params=None))
    known.received(b'{"jsonrpc":"2.0","id":1,"result":"' + b"x" * 100_000 + b'"}')
    assert known.given_up() == b""


def test_answers_to_a_lost_server_do_not_reach_the_next_one() -> None:
    known = journal()
    known.received(body(id="q", method="client/registerCapability", params={}))
    known.given_up()
    assert not known.sent(body(id="q", result=None))
    known.received(body(id="q", method="client/registerCapability", params={}))
    assert known.sent(body(id="q", result=None))


def test_who_has_begun_to_leave_is_not_taken_over() -> None:
    known = journal()
    assert known.can_be_taken_over
    known.sent(body(id=9, method="shutdown"))
    assert not known.can_be_taken_over


def test_nonsense_is_left_to_the_server() -> None:
    known = journal()
    for message in (
        b"[]",
        b"{",
        body(id={}, method="a"),
        body(id=[1], method=[]),
        body(method=7),
        body(id={}, result=1),
    ):
        assert known.sent(message)
    known.sent(body(method="textDocument/didOpen", params=[1]))
    known.sent(body(method="textDocument/didChange", params={"textDocument": 3}))
    assert known.given_up() == b""
    assert [message["method"] for message in told(known)] == ["initialized"]
