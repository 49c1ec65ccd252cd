"""A model endpoint that answers every request with one short sentence, and remembers what it was asked.

It speaks what the clients speak: Anthropic's Messages and OpenAI's chat completions, streamed or not.  A test may
plan tool calls: each is made once, in the first request that offers such a tool, so that no client can loop.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any, NamedTuple

from tests.endpoints.messages import events, message
from tests.endpoints.serving import serving

REPLY = "Understood."
_LARGEST_BODY = 64 * 1024 * 1024


class ToolCall(NamedTuple):
    """A call that the model is to make of the first offered tool whose name ends in `tool`, in a request that holds
    the text `where`."""

    tool: str
    arguments: dict[str, Any]
    number: int = 0
    where: str = ""


class FakeModel:
    """What the endpoint was asked (`requests`: path and decoded body, in order), and what it is still to do."""

    def __init__(self, planned: tuple[ToolCall, ...]) -> None:
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self._planned = list(planned)
        self._lock = threading.Lock()
        self.port = 0

    @property
    def url(self) -> str:
        """Where it listens, without a path."""
        return f"http://127.0.0.1:{self.port}"

    def texts(self) -> list[str]:
        """Every string of each request, joined: where to look for what was injected."""
        return ["\n".join(_strings(body)) for _path, body in self.requests]

    def tools(self) -> set[str]:
        """The names of all tools that were offered."""
        return {name for _path, body in self.requests for name in _offered(body)}

    def record(self, path: str, body: dict[str, Any]) -> ToolCall | None:
        """Remember a request; returns the tool call to answer with, if one is planned."""
        with self._lock:
            self.requests.append((path, body))
            offered = _offered(body)
            for index, call in enumerate(self._planned):
                names = [name for name in offered if name.endswith(call.tool)]
                if names and (not call.where or any(call.where in text for text in _strings(body))):
                    del self._planned[index]
                    return ToolCall(names[0], call.arguments, len(self.requests))
        return None


@contextmanager
def fake_model(*planned: ToolCall) -> Iterator[FakeModel]:
    """A running endpoint on a free port of this machine."""
    model = FakeModel(planned)
    with serving(_handler(model)) as model.port:
        yield model


def _handler(model: FakeModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Tests read `requests` instead."""

        def do_HEAD(self) -> None:
            self._send(200, b"", "application/json")

        def do_GET(self) -> None:
            self._send_json({"object": "list", "data": [{"id": "fake-model", "object": "model"}]})

        def do_POST(self) -> None:
            length = min(int(self.headers.get("Content-Length") or 0), _LARGEST_BODY)
            raw = self.rfile.read(length)
            try:
                body = json.loads(raw)
            except ValueError:
                body = {}
            path = self.path.partition("?")[0]
            if path.endswith("/count_tokens"):
                self._send_json({"input_tokens": 10})
            elif path.endswith("/messages"):
                self._answer(_anthropic(body, model.record(path, body)), body)
            elif path.endswith("/chat/completions"):
                self._answer(_openai(body, model.record(path, body)), body)
            else:
                self._send_json({})

        def _answer(self, answer: tuple[dict[str, Any], list[str]], body: dict[str, Any]) -> None:
            whole, events = answer
            if body.get("stream"):
                self._send(200, "".join(events).encode(), "text/event-stream")
            else:
                self._send_json(whole)

        def _send_json(self, value: Any) -> None:
            self._send(200, json.dumps(value).encode(), "application/json")

        def _send(self, status: int, data: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler


def _anthropic(body: dict[str, Any], call: ToolCall | None) -> tuple[dict[str, Any], list[str]]:
    block: dict[str, Any] = {"type": "text", "text": REPLY}
    if call is not None:
        block = {"type": "tool_use", "id": f"toolu_fake_{call.number}", "name": call.tool, "input": call.arguments}
    whole = message(body.get("model", "fake"), block, "end_turn" if call is None else "tool_use")
    return whole, events(whole)


def _openai(body: dict[str, Any], call: ToolCall | None) -> tuple[dict[str, Any], list[str]]:
    message: dict[str, Any] = {"role": "assistant", "content": REPLY}
    if call is not None:
        function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"index": 0, "id": f"call_fake_{call.number}", "type": "function", "function": function}],
        }
    reason = "stop" if call is None else "tool_calls"
    common = {"id": "chatcmpl-fake", "created": 0, "model": body.get("model", "fake")}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    choice = {"index": 0, "message": message, "finish_reason": reason}
    whole = common | {"object": "chat.completion", "choices": [choice], "usage": usage}
    chunk = common | {"object": "chat.completion.chunk"}
    chunks = [
        chunk | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage},
    ]
    return whole, [*(f"data: {json.dumps(part)}\n\n" for part in chunks), "data: [DONE]\n\n"]


def _offered(body: dict[str, Any]) -> list[str]:
    names = []
    for tool in body.get("tools") or []:
        name = tool.get("name") or tool.get("function", {}).get("name")
        if isinstance(name, str):
            names.append(name)
    return names


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
