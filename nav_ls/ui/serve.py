"""`nav ui`: the graph page on 127.0.0.1.

Only this machine can reach it, only with the secret in the address (the page is one random path deep), and only
under a loopback name, so that no other site can ask through the user's browser.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from urllib.parse import quote

Ask = Callable[[str, dict[str, Any]], Any]
"""Runs `nav.<name>` with params; raises an exception whose text is meant for people."""

Status = dict[str, Any]
"""state, message, percent: what `nav/status` says."""

Watch = Callable[[Callable[[Status], None], threading.Event], None]
"""Calls back with each status until the event is set."""

COMMANDS = frozenset({"callers", "callees", "search", "symbols", "status"})
_FILES = {
    "": ("index.html", "text/html"),
    "graph.css": ("graph.css", "text/css"),
    "graph.js": ("graph.js", "text/javascript"),
}
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'"
)
_HEARTBEAT = 15.0
"""Seconds: a reader of events that has gone away is noticed when it is written to."""
_LONGEST_BODY = 64 * 1024
_LOOPBACK = frozenset({"127.0.0.1", "localhost"})


def serve(
    ask: Ask, watch: Watch, port: int = 0, *, browse: bool = True, target: str = "", as_json: bool = False
) -> int:
    """Serve until interrupted; prints the address on stdout.  Returns the exit code."""
    server = make_server(ask, port)
    threading.Thread(target=watch, args=(server.feed.tell, server.feed.closed), daemon=True).start()
    address = f"{server.address}{'?target=' + quote(target) if target else ''}"
    print(json.dumps({"address": address}) if as_json else address, flush=True)
    if browse:
        webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    finally:
        server.server_close()
    return 0


class Feed:
    """The last status, for all that want to follow it; used by several threads."""

    def __init__(self) -> None:
        self.closed = threading.Event()
        self._news = threading.Condition()
        self._last: Status | None = None
        self._number = 0

    def tell(self, status: Status) -> None:
        """There is a new status."""
        with self._news:
            self._last = status
            self._number += 1
            self._news.notify_all()

    def close(self) -> None:
        """Nobody is told any more."""
        self.closed.set()
        with self._news:
            self._news.notify_all()

    def follow(self) -> Iterator[Status | None]:
        """The status now and each later one, the newest where several came; None after a while without any."""
        seen = 0
        while not self.closed.is_set():
            with self._news:
                while self._number == seen and not self.closed.is_set() and self._news.wait(_HEARTBEAT):
                    pass
                last = self._last if self._number != seen else None
                seen = self._number
            if not self.closed.is_set():
                yield last


class PageServer(ThreadingHTTPServer):
    """The page and its questions, below a secret path."""

    daemon_threads = True

    def __init__(self, ask: Ask, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.ask = ask
        self.feed = Feed()
        self.secret = secrets.token_urlsafe(18)

    def server_close(self) -> None:
        """Stop listening, and end the streams of events."""
        self.feed.close()
        super().server_close()

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.server_address[1]}/{self.secret}/"


def make_server(ask: Ask, port: int = 0) -> PageServer:
    """A server that is bound and not running yet; port 0 takes a free one."""
    return PageServer(ask, port)


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    server_version = "nav"
    sys_version = ""

    def do_GET(self) -> None:
        path = self._path()
        if path == "events":
            self._stream()
            return
        if path is None or path not in _FILES:
            self._reply(HTTPStatus.NOT_FOUND, b"not found", "text/plain")
            return
        name, kind = _FILES[path]
        page = resources.files("nav_ls.ui").joinpath("page", name).read_text("utf-8")
        text = page.replace("{{base}}", ".").replace("{{csp}}", _POLICY)
        self._reply(HTTPStatus.OK, text.encode(), kind)

    def _stream(self) -> None:
        self._head(HTTPStatus.OK, "text/event-stream", {"Connection": "close"})
        with contextlib.suppress(OSError):  # the page was closed
            for status in self.server.feed.follow():
                line = b": still here" if status is None else b"data: " + json.dumps(status).encode()
                self.wfile.write(line + b"\n\n")
                self.wfile.flush()

    def do_POST(self) -> None:
        path = self._path()
        if path is None or not path.startswith("api/"):
            self._reply(HTTPStatus.NOT_FOUND, b"not found", "text/plain")
            return
        try:
            status, body = HTTPStatus.OK, self._answer(path.removeprefix("api/"))
        except Exception as error:
            status, body = HTTPStatus.BAD_REQUEST, {"error": str(error)}
        self._reply(status, json.dumps(body).encode(), "application/json")

    def _answer(self, command: str) -> Any:
        if command not in COMMANDS:
            raise ValueError(f"there is no question {command!r}; there are: {', '.join(sorted(COMMANDS))}")
        length = int(self.headers.get("Content-Length") or 0)
        if length > _LONGEST_BODY:
            raise ValueError("the question is too long")
        params = json.loads(self.rfile.read(length) or b"{}")
        if not isinstance(params, dict):
            raise ValueError("params must be an object")
        return self.server.ask(command, params)

    def _path(self) -> str | None:
        """The path below the secret; None where the request is not for this page."""
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        origin = self.headers.get("Origin")
        if host not in _LOOPBACK or (origin and origin.rpartition(":")[0].rpartition("/")[2] not in _LOOPBACK):
            return None
        first, _, rest = self.path.split("?")[0].lstrip("/").partition("/")
        return rest if secrets.compare_digest(first, self.server.secret) else None

    def _reply(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        self._head(status, kind, {"Content-Length": str(len(body))})
        self.wfile.write(body)

    def _head(self, status: HTTPStatus, kind: str, more: Mapping[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Security-Policy", _POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        for name, value in more.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the address holds a secret, and stderr is the user's."""
