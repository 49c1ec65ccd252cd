"""`nav ui`: the graph page on 127.0.0.1.

Only this machine can reach it, only with the secret in the address (the page is one random path deep), and only
under a loopback name, so that no other site can ask through the user's browser.
"""

from __future__ import annotations

import json
import secrets
import sys
import webbrowser
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from urllib.parse import quote

Ask = Callable[[str, dict[str, Any]], Any]
"""Runs `nav.<name>` with params; raises an exception whose text is meant for people."""

COMMANDS = frozenset({"callers", "callees", "search", "symbols", "status"})
_FILES = {
    "": ("index.html", "text/html"),
    "graph.css": ("graph.css", "text/css"),
    "graph.js": ("graph.js", "text/javascript"),
}
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'"
)
_LONGEST_BODY = 64 * 1024
_LOOPBACK = frozenset({"127.0.0.1", "localhost"})


def serve(ask: Ask, port: int = 0, *, browse: bool = True, target: str = "") -> int:
    """Serve until interrupted; prints the address on stdout.  Returns the exit code."""
    server = make_server(ask, port)
    address = f"{server.address}{'?target=' + quote(target) if target else ''}"
    print(address, flush=True)
    if browse:
        webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    finally:
        server.server_close()
    return 0


class PageServer(ThreadingHTTPServer):
    """The page and its questions, below a secret path."""

    daemon_threads = True

    def __init__(self, ask: Ask, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.ask = ask
        self.secret = secrets.token_urlsafe(18)

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
        if path is None or path not in _FILES:
            self._reply(HTTPStatus.NOT_FOUND, b"not found", "text/plain")
            return
        name, kind = _FILES[path]
        page = resources.files("nav_ls.ui").joinpath("page", name).read_text("utf-8")
        text = page.replace("{{base}}", ".").replace("{{csp}}", _POLICY)
        self._reply(HTTPStatus.OK, text.encode(), kind)

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
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", _POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the address holds a secret, and stderr is the user's."""
