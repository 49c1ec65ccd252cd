"""A Messages and Message Batches endpoint that does what a test plans for it, faults included, and counts.

Every request that it answered in full counts as paid (`FakeMessages.paid`): nothing may be paid twice.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from typing import Any, NamedTuple

from tests.endpoints.messages import events, message
from tests.endpoints.serving import serving

Answer = Callable[[dict[str, Any]], str]


class Fault(NamedTuple):
    """What goes wrong with one request.

    kind: status (with `status`, `retry_after`, `text`) | malformed | truncated | refusal | drip | reset | lost (done,
    but the answer never arrives) | length | overloaded (an error event inside of a stream).
    """

    kind: str
    status: int = 500
    retry_after: str = ""
    text: str = "a fault"


class Asked(NamedTuple):
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float


class FakeMessages:
    """`faults` are taken one a request, in order, `outcomes` one a request of a batch (None: it goes well).

    `answer` makes the text of an answer from the request's body.
    """

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[Asked] = []
        self.paid: list[dict[str, Any]] = []
        self.faults: deque[Fault] = deque()
        self.outcomes: deque[Fault | None] = deque()
        self.always: Fault | None = None
        self.busy: dict[str, Fault] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.batch_polls = 1
        self.pieces = 4
        self.seconds = 0.0
        self.usage = {"input_tokens": 1000, "output_tokens": 200}
        self.port = 0
        self.guard = threading.Lock()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def asked_at(self, path: str) -> list[Asked]:
        """The requests to one path."""
        return [item for item in self.asked if item.path == path]

    def everything(self) -> str:
        """All bodies, to look for what must not be in them."""
        return json.dumps([item.body for item in self.asked], ensure_ascii=False)

    def take(self, asked: Asked) -> Fault | None:
        """Remember a request; what is to go wrong with it."""
        with self.guard:
            self.asked.append(asked)
            busy = self.busy.get(asked.body.get("model", ""))
            if busy is not None:
                return busy
            return self.faults.popleft() if self.faults else self.always

    def pay(self, body: dict[str, Any]) -> dict[str, Any]:
        """Answer a request in full."""
        with self.guard:
            self.paid.append(body)
        if self.seconds:
            time.sleep(self.seconds)
        return message(body.get("model", ""), {"type": "text", "text": self.answer(body)}, usage=self.usage)

    def batch(self, items: list[dict[str, Any]]) -> dict[str, Any]:
        """Take a batch in."""
        with self.guard:
            name = f"msgbatch_{len(self.batches) + 1}"
            self.batches[name] = {"items": items, "polls": 0, "created": datetime.now(UTC).isoformat(), "results": None}
        return self.state(name)

    def state(self, name: str) -> dict[str, Any]:
        """A batch as the API shows it."""
        found = self.batches[name]
        total, ended = len(found["items"]), found["polls"] >= self.batch_polls
        counts = {"processing": 0 if ended else total, "succeeded": total if ended else 0}
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts | {"errored": 0, "canceled": 0, "expired": 0},
            "created_at": found["created"],
            "results_url": f"{self.url}/elsewhere/{name}" if ended else None,
        }

    def results(self, name: str) -> str:
        """The results of a batch; its requests are answered once, however often they are fetched."""
        found = self.batches[name]
        if found["results"] is None:
            found["results"] = "".join(
                json.dumps({"custom_id": item["custom_id"], "result": self._outcome(item["params"])}) + "\n"
                for item in found["items"]
            )
        return str(found["results"])

    def _outcome(self, body: dict[str, Any]) -> dict[str, Any]:
        fault = self.outcomes.popleft() if self.outcomes else None
        if fault is not None:
            return {"type": "errored", "error": {"type": "error", "error": {"type": fault.kind, "message": fault.text}}}
        return {"type": "succeeded", "message": self.pay(body)}


@contextmanager
def fake_messages(answer: Answer = lambda body: "Understood.") -> Iterator[FakeMessages]:
    """A running endpoint."""
    fake = FakeMessages(answer)
    with serving(_handler(fake)) as fake.port:
        yield fake


def _handler(fake: FakeMessages) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Tests read `asked` instead."""

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            fault = fake.take(
                Asked(path, {name.lower(): value for name, value in self.headers.items()}, {}, time.monotonic())
            )
            parts = path.strip("/").split("/")
            if fault is not None:
                self._fail(fault, {})
            elif path == "/v1/messages/batches":
                listed = [fake.state(name) for name in fake.batches]
                for batch in fake.batches.values():
                    batch["polls"] += 1
                self._json({"data": listed, "has_more": False})
            elif parts[-1] == "results" and parts[-2] in fake.batches:
                self._send(200, fake.results(parts[-2]).encode(), "application/x-jsonl")
            elif parts[-1] in fake.batches:
                fake.batches[parts[-1]]["polls"] += 1
                self._json(fake.state(parts[-1]))
            else:
                self._error(404, "not_found_error", "no such batch")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
            path = self.path.partition("?")[0]
            fault = fake.take(
                Asked(path, {name.lower(): value for name, value in self.headers.items()}, body, time.monotonic())
            )
            if path == "/v1/messages/batches":
                if fault is None or fault.kind == "lost":
                    state = fake.batch(body["requests"])
                    self._json(state) if fault is None else self._reset()
                else:
                    self._fail(fault, body)
            elif fault is not None:
                self._fail(fault, body)
            else:
                self._answer(fake.pay(body), body)

        def _answer(self, whole: dict[str, Any], body: dict[str, Any]) -> None:
            if body.get("stream"):
                self._send(200, "".join(events(whole, fake.pieces)).encode(), "text/event-stream")
            else:
                self._json(whole)

        def _fail(self, fault: Fault, body: dict[str, Any]) -> None:
            if fault.kind == "status":
                extra = {"retry-after": fault.retry_after} if fault.retry_after else {}
                self._error(fault.status, "error", fault.text, extra)
            elif fault.kind == "reset":
                self._reset()
            elif fault.kind == "lost":
                fake.pay(body)
                self._reset()
            elif fault.kind == "malformed":
                self._send(200, b'{"id": "msg', "application/json")
            elif fault.kind in ("refusal", "length"):
                stop = "refusal" if fault.kind == "refusal" else "max_tokens"
                self._answer(message(body["model"], {"type": "text", "text": fault.text}, stop, fake.usage), body)
            elif fault.kind == "overloaded":
                event = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
                self._send(200, f"event: error\ndata: {json.dumps(event)}\n\n".encode(), "text/event-stream")
            elif fault.kind in ("truncated", "drip"):
                self._part(fault, body)

        def _part(self, fault: Fault, body: dict[str, Any]) -> None:
            """Half an answer; then the connection ends, or goes on byte by byte."""
            whole = message(body["model"], {"type": "text", "text": fake.answer(body)}, usage=fake.usage)
            text = "".join(events(whole, fake.pieces)) if body.get("stream") else json.dumps(whole)
            data = text.encode()
            half = data.find(b"content_block_stop") if body.get("stream") else len(data) // 2
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream" if body.get("stream") else "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.close_connection = True
            try:
                if fault.kind == "truncated":
                    self.wfile.write(data[:half])
                    return
                for index in range(len(data)):
                    self.wfile.write(data[index : index + 1])
                    self.wfile.flush()
                    time.sleep(0.02)
            except OSError:
                return  # nobody listens any more

        def _reset(self) -> None:
            """End the connection as a crash does: with a reset."""
            self.close_connection = True
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.rfile = self.wfile = open("/dev/null", "r+b", buffering=0)  # noqa: SIM115  the base class flushes

        def _error(self, status: int, kind: str, text: str, extra: dict[str, str] | None = None) -> None:
            value = {"type": "error", "error": {"type": kind, "message": text}}
            self._send(status, json.dumps(value).encode(), "application/json", extra)

        def _json(self, value: Any) -> None:
            self._send(200, json.dumps(value).encode(), "application/json")

        def _send(self, status: int, data: bytes, kind: str, extra: dict[str, str] | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            for name, value in (extra or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    return Handler
