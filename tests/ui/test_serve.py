"""The page of `nav ui` answers its own page, and nobody else."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from nav_ls.ui.serve import PageServer, make_server


def answer(command: str, params: dict[str, Any]) -> Any:
    if params.get("target") == "nowhere":
        raise ValueError("no definition named 'nowhere'")
    return {"asked": command, **params}


@pytest.fixture
def page() -> Iterator[PageServer]:
    server = make_server(answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def request(page: PageServer, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", page.server_address[1], timeout=10)
    connection.request(method, path, body or None, headers)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, text


def test_the_page_and_its_parts(page: PageServer) -> None:
    for name, part in (("", "<title>nav: graph</title>"), ("graph.js", "use strict"), ("graph.css", ":root")):
        status, text = request(page, "GET", f"/{page.secret}/{name}")
        assert status == 200
        assert part in text
        assert "{{" not in text


def test_a_question(page: PageServer) -> None:
    status, text = request(page, "POST", f"/{page.secret}/api/callers", '{"target": "f"}')
    assert (status, json.loads(text)) == (200, {"asked": "callers", "target": "f"})


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("callers", '{"target": "nowhere"}', "no definition"),
        ("index", "{}", "there is no question"),
        ("callers", "[1]", "must be an object"),
        ("callers", "{", "Expecting"),
        ("callers", json.dumps({"x": "y" * 70_000}), "too long"),
    ],
)
def test_bad_questions_are_told(page: PageServer, path: str, body: str, message: str) -> None:
    status, text = request(page, "POST", f"/{page.secret}/api/{path}", body)
    assert status == 400
    assert message in json.loads(text)["error"]


def test_without_the_secret_there_is_nothing(page: PageServer) -> None:
    assert request(page, "GET", "/")[0] == 404
    assert request(page, "GET", "/wrong/")[0] == 404
    assert request(page, "GET", "/wrong/events")[0] == 404
    assert request(page, "POST", "/wrong/api/callers", "{}")[0] == 404
    assert request(page, "GET", f"/{page.secret}/../serve.py")[0] == 404


def test_other_sites_cannot_ask(page: PageServer) -> None:
    path = f"/{page.secret}/api/callers"
    assert request(page, "POST", path, "{}", Origin="https://elsewhere.example")[0] == 404
    assert request(page, "POST", path, "{}", Host="elsewhere.example:80")[0] == 404


def test_events_tell_the_last_status_and_each_later_one(page: PageServer) -> None:
    page.feed.tell({"state": "indexing", "percent": 1})
    page.feed.tell({"state": "indexing", "percent": 43})
    connection = http.client.HTTPConnection("127.0.0.1", page.server_address[1], timeout=10)
    connection.request("GET", f"/{page.secret}/events")
    reply = connection.getresponse()
    assert reply.headers["Content-Type"].startswith("text/event-stream")
    assert reply.readline() == b'data: {"state": "indexing", "percent": 43}\n'
    assert reply.readline() == b"\n"
    page.feed.tell({"state": "fresh"})
    assert reply.readline() == b'data: {"state": "fresh"}\n'
    page.feed.close()
    assert reply.read() == b"\n"
    connection.close()
