"""One conversation with the server: requests with a deadline over its socket.

Deadlines are absolute, in the seconds of `time.monotonic()`.
"""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from nav_ls.client.framing import Frames, FramingError, Message, frame, parse
from nav_ls.client.identity import HELLO, build, version
from nav_ls.client.peer import is_same_user, peer_pid

T = TypeVar("T")

Listener = Callable[[str, Any], None]
"""Called with method and params of each notification that arrives while somebody waits."""

_METHOD_NOT_FOUND = -32601


class ServerError(Exception):
    """Base of everything that can go wrong between a client and the server."""


class ServerUnavailable(ServerError):
    """There is no server, and none could be started; the message says why."""


class DeadlineExceeded(ServerError):
    """The answer did not come in time."""


class ConnectionLost(ServerError):
    """The server went away in the middle of the conversation."""


class RequestFailed(ServerError):
    """The server answered with an error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class Connection:
    """A connected socket that speaks LSP.  Not safe for use by several threads at once."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self.listener: Listener | None = None
        self._frames = Frames()
        self._waiting: list[bytes] = []
        self._ids = itertools.count(1)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up.  The server ends the session and drops what was still running for it."""
        self.socket.close()

    def send(self, *messages: Message, deadline: float) -> None:
        """Write messages in one go.  Raises DeadlineExceeded, ConnectionLost."""
        self._send(b"".join(frame(message) for message in messages), deadline)

    def notify(self, method: str, params: Any, deadline: float) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params}, deadline=deadline)

    def request(self, method: str, params: Any, deadline: float) -> Any:
        """Send a request and return its result.  Raises RequestFailed, DeadlineExceeded, ConnectionLost."""
        message = self.new_request(method, params)
        self.send(message, deadline=deadline)
        return self.wait_for(message["id"], deadline)

    def new_request(self, method: str, params: Any) -> Message:
        """A request with a fresh id, not yet sent (so that several can go out in one write)."""
        return {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}

    def wait_for(self, request_id: int, deadline: float) -> Any:
        """The result of the request with that id; what arrives before it is handled on the way."""
        while True:
            message = self._receive(deadline)
            if "method" in message:
                self._incoming(message, deadline)
            elif message.get("id") == request_id:
                return _result_of(message)

    def listen(self, deadline: float) -> None:
        """Hand what arrives to the listener until the deadline (DeadlineExceeded) or the end (ConnectionLost)."""
        while True:
            message = self._receive(deadline)
            if "method" in message:
                self._incoming(message, deadline)

    def _incoming(self, message: Message, deadline: float) -> None:
        if "id" in message:
            self.send(_reply_to(message), deadline=deadline)
        elif self.listener is not None:
            self.listener(message["method"], message.get("params"))

    def _receive(self, deadline: float) -> Message:
        while not self._waiting:
            data = self._timed(lambda: self.socket.recv(256 * 1024), deadline)
            if not data:
                raise ConnectionLost("the nav server closed the connection")
            try:
                self._waiting += self._frames.feed(data)
            except FramingError as error:
                raise ConnectionLost(str(error)) from error
        try:
            return parse(self._waiting.pop(0))
        except FramingError as error:
            raise ConnectionLost(str(error)) from error

    def _send(self, data: bytes, deadline: float) -> None:
        self._timed(lambda: self.socket.sendall(data), deadline)

    def _timed(self, action: Callable[[], T], deadline: float) -> T:
        left = deadline - time.monotonic()
        if left <= 0:
            raise DeadlineExceeded("the nav server did not answer in time")
        self.socket.settimeout(left)
        try:
            return action()
        except TimeoutError as error:
            raise DeadlineExceeded("the nav server did not answer in time") from error
        except OSError as error:
            raise ConnectionLost(f"the nav server went away: {error.strerror or error}") from error


def _reply_to(message: Message) -> Message:
    answer: Message = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] in {"window/workDoneProgress/create", "client/registerCapability"}:
        return answer | {"result": None}
    return answer | {"error": {"code": _METHOD_NOT_FOUND, "message": f"{message['method']} is not supported"}}


def _result_of(message: Message) -> Any:
    error = message.get("error")
    if error is None:
        return message.get("result")
    raise RequestFailed(int(error.get("code", 0)), str(error.get("message", "")), error.get("data"))


def dial(path: Path, deadline: float) -> Connection | None:
    """Connect and say hello.  None when nobody (or nobody fit to talk to) listens there.

    Raises DeadlineExceeded when somebody listens and does not answer.
    """
    sock = _open(path, deadline)
    if sock is None:
        return None
    connection = Connection(sock)
    try:
        if not is_same_user(sock):
            raise ServerUnavailable(f"{path} is served by another user")
        hello = connection.request(HELLO, {"version": version(), "build": build()}, deadline)
    except ConnectionLost:
        connection.close()
        return None
    except BaseException:
        connection.close()
        raise
    if isinstance(hello, dict) and hello.get("accepted"):
        return connection
    connection.close()
    return None


def listening_pid(path: Path) -> int | None:
    """The process that listens on a socket, also when it is too stuck to answer; None if nobody does."""
    sock = _open(path, time.monotonic() + 1.0)
    if sock is None:
        return None
    with sock:
        try:
            return peer_pid(sock)
        except OSError:
            return None


def _open(path: Path, deadline: float) -> socket.socket | None:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        while True:
            sock.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                sock.connect(str(path))
                return sock
            except BlockingIOError:
                # The queue of waiting connections is full for a moment.
                if time.monotonic() >= deadline:
                    raise DeadlineExceeded("the nav server takes no connections") from None
                time.sleep(0.005)
    except (FileNotFoundError, ConnectionRefusedError):
        sock.close()
        return None
    except TimeoutError:
        sock.close()
        raise DeadlineExceeded("the nav server takes no connections") from None
    except BaseException:
        sock.close()
        raise
