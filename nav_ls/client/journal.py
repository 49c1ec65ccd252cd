"""What an editor has told its server and another server would have to know: enough to take over a session.

Kept as the messages themselves, so nothing here has to understand texts or positions.
"""

from __future__ import annotations

import re
from typing import Any

from nav_ls.client.framing import FramingError, Message, frame, framed, parse

CONTENT_MODIFIED = -32801
"""What a client takes for "ask again if you still want to know", and shows to nobody."""

_MOST_BYTES = 16 * 1024 * 1024
"""Of edits since the documents were opened; a session with more is not taken over."""
_LARGE = 64 * 1024
_ID = re.compile(rb'"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")')
_LASTING = frozenset({"workspace/didChangeWorkspaceFolders", "workspace/didChangeConfiguration"})


class Journal:
    """The state of one session.  Used under its owner's lock."""

    def __init__(self) -> None:
        self.ending = False
        """The editor has asked for the end: there is nothing to take over any more."""
        self._initialize: Message | None = None
        self._initialized: bytes | None = None
        self._lasting: list[bytes] = []
        self._documents: dict[str, list[bytes]] = {}
        self._bytes = 0
        self._open: dict[Any, str] = {}
        self._asked: set[Any] = set()
        self._stale: set[Any] = set()

    @property
    def can_be_taken_over(self) -> bool:
        """Whether another server can be told everything."""
        return self._initialize is not None and not self.ending and self._bytes <= _MOST_BYTES

    def sent(self, body: bytes) -> bool:
        """Note what the editor says; returns whether the server should hear it."""
        try:
            message = parse(body)
        except FramingError:
            return True  # the server knows how to complain
        method, number = message.get("method"), message.get("id")
        if not isinstance(number, (int, str, type(None))) or not isinstance(method, (str, type(None))):
            return True  # and here
        if method is None:
            return not self._is_stale_answer(number)
        if number is not None:
            self._open[number] = method
        self._note(method, message, body)
        return True

    def received(self, body: bytes) -> None:
        """Note what the server says."""
        if len(body) > _LARGE:  # a long list of results: looking for its id is enough
            found = _ID.search(body[:200]) or _ID.search(body[-200:])
            self._open.pop(_number(found[1]) if found else None, None)
            return
        message = parse(body)
        if "method" not in message:
            self._open.pop(message.get("id"), None)
        elif "id" in message:
            self._asked.add(message["id"])

    def opening(self) -> tuple[bytes, Any]:
        """The `initialize` of the session as a frame, and its id."""
        assert self._initialize is not None, "it can be taken over"
        return frame(self._initialize), self._initialize["id"]

    def rest(self) -> bytes:
        """What follows once `initialize` was answered, as frames."""
        if self._initialized is None:
            return b""
        edits = [body for bodies in self._documents.values() for body in bodies]
        return b"".join(map(framed, [self._initialized, *self._lasting, *edits]))

    def given_up(self) -> bytes:
        """Answers to what the lost server left open, as frames; `initialize` is asked again by `opening`."""
        error = {"code": CONTENT_MODIFIED, "message": "the nav server was restarted; ask again"}
        lost = [number for number, method in self._open.items() if method != "initialize"]
        for number in lost:
            del self._open[number]
        self._stale |= self._asked
        self._asked.clear()
        return b"".join(frame({"jsonrpc": "2.0", "id": number, "error": error}) for number in lost)

    def waits_for_initialize(self) -> bool:
        """Whether the editor itself still waits for the answer to `initialize`."""
        return "initialize" in self._open.values()

    def _is_stale_answer(self, number: Any) -> bool:
        self._asked.discard(number)
        if number in self._stale:
            self._stale.discard(number)
            return True
        return False

    def _note(self, method: str, message: Message, body: bytes) -> None:
        if method == "initialize":
            self._initialize = message
        elif method == "initialized":
            self._initialized = body
        elif method in ("shutdown", "exit"):
            self.ending = True
        elif method in _LASTING:
            self._keep(self._lasting, body)
        elif method.startswith("textDocument/did"):
            self._document(method, message.get("params"), body)

    def _document(self, method: str, params: Any, body: bytes) -> None:
        document = params.get("textDocument") if isinstance(params, dict) else None
        uri = document.get("uri") if isinstance(document, dict) else None
        if not isinstance(uri, str):
            return
        if method == "textDocument/didOpen":
            self._forget(uri)
            self._keep(self._documents.setdefault(uri, []), body)
        elif method == "textDocument/didClose":
            self._forget(uri)
        elif method == "textDocument/didChange" and uri in self._documents:
            if _is_whole(params):  # what was before is of no account, but for how the document was opened
                later = self._documents[uri][1:]
                self._bytes -= sum(map(len, later))
                del self._documents[uri][1:]
            self._keep(self._documents[uri], body)

    def _keep(self, bodies: list[bytes], body: bytes) -> None:
        bodies.append(body)
        self._bytes += len(body)

    def _forget(self, uri: str) -> None:
        self._bytes -= sum(map(len, self._documents.pop(uri, ())))


def _is_whole(params: dict[str, Any]) -> bool:
    changes = params.get("contentChanges")
    first = changes[0] if isinstance(changes, list) and changes else None
    return isinstance(first, dict) and "range" not in first


def _number(written: bytes) -> Any:
    return int(written) if written[:1] != b'"' else written[1:-1].decode("utf-8", "replace")
