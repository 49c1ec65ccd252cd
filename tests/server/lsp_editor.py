"""A thin editor for tests: a real `nav-ls` process, spoken to over its stdio."""

from __future__ import annotations

import contextlib
import itertools
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from nav_ls.client.framing import Frames, frame, parse

PATIENCE = 30.0
COMMAND = [sys.executable, "-c", "import sys; from nav_ls.main import nav_ls; sys.exit(nav_ls())"]


class LspError(Exception):
    """The server answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]
        self.message = error["message"]


class Editor:
    """One editor session."""

    def __init__(self, root: Path | None, *arguments: str, encodings: tuple[str, ...] = ("utf-16",), **options: Any):
        self.root = root
        self.encodings = encodings
        self.options = options
        self.messages: list[dict[str, Any]] = []
        self._answers: dict[Any, dict[str, Any]] = {}
        self._arrived = threading.Condition()
        self._ids = itertools.count(1)
        self._ended = False
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.errors: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Editor:
        self.initialize()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # Talking ---------------------------------------------------------------------------------------------------

    def initialize(self, **capabilities: Any) -> Any:
        """Introduce ourselves; returns the answer."""
        folders = [] if self.root is None else [{"uri": self.root.as_uri(), "name": "root"}]
        answer = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": None,
                "workspaceFolders": folders,
                "capabilities": {"general": {"positionEncodings": list(self.encodings)}} | capabilities,
                "initializationOptions": self.options,
            },
        )
        self.notify("initialized", {})
        return answer

    def send_bytes(self, data: bytes) -> None:
        """Write raw bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages: dict[str, Any]) -> None:
        """Write messages in one go."""
        self.send_bytes(b"".join(frame({"jsonrpc": "2.0"} | message) for message in messages))

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def start(self, method: str, params: Any) -> int:
        """Send a request without waiting for its answer; returns its id."""
        request_id = next(self._ids)
        self.send({"id": request_id, "method": method, "params": params})
        return request_id

    def answer(self, request_id: Any, patience: float = PATIENCE) -> dict[str, Any]:
        """The whole answer to a request, error or not."""
        found: dict[str, Any] = self.wait(lambda: self._answers.get(request_id), patience)
        return found

    def finish(self, request_id: int, patience: float = PATIENCE) -> Any:
        """The result of a request.  Raises LspError."""
        answer = self.answer(request_id, patience)
        if "error" in answer:
            raise LspError(answer["error"])
        return answer["result"]

    def request(self, method: str, params: Any, patience: float = PATIENCE) -> Any:
        """Send a request and return its result.  Raises LspError."""
        return self.finish(self.start(method, params), patience)

    def command(self, name: str, *arguments: Any, patience: float = PATIENCE) -> Any:
        """Execute a command of the server."""
        return self.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)}, patience)

    def wait(self, found: Any, patience: float = PATIENCE) -> Any:
        """Wait until `found()` is truthy and return it."""
        until = time.monotonic() + patience
        with self._arrived:
            while not (value := found()):
                left = until - time.monotonic()
                if left <= 0 or self._ended:
                    raise TimeoutError(f"nothing came; last messages {self.messages[-3:]}; {self.said()}")
                self._arrived.wait(left)
            return value

    def notification(self, method: str, fits: Any = lambda params: True, patience: float = PATIENCE) -> Any:
        """The params of the first notification of that method (so far, or still to come) that fits."""

        def found() -> Any:
            for message in self.messages:
                if message.get("method") == method and fits(message.get("params")):
                    return message
            return None

        return self.wait(found, patience)["params"]

    # Files -----------------------------------------------------------------------------------------------------

    def uri(self, path: str) -> str:
        """The URI of a file under the root."""
        assert self.root is not None
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> None:
        """Open a file (with other text than it has on disk, if given)."""
        assert self.root is not None
        content = (self.root / path).read_bytes().decode() if text is None else text
        document = {"uri": self.uri(path), "languageId": "x", "version": 1, "text": content}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, path: str, version: int, *changes: dict[str, Any]) -> None:
        """Edit an open file."""
        document = {"uri": self.uri(path), "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def save(self, path: str, text: str) -> None:
        """Write a file and say that it was saved."""
        assert self.root is not None
        (self.root / path).write_bytes(text.encode())
        self.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(path)}})

    def close_file(self, path: str) -> None:
        """Close an open file."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    def at(self, path: str, line: int, character: int) -> dict[str, Any]:
        """Params for a position."""
        return {"textDocument": {"uri": self.uri(path)}, "position": {"line": line, "character": character}}

    # Ending ----------------------------------------------------------------------------------------------------

    def stop(self) -> int:
        """Leave as editors do; returns the exit code of `nav-ls`."""
        if self.process.poll() is None and not self._ended:
            try:
                self.request("shutdown", None, 10)
                self.notify("exit", None)
            except (TimeoutError, OSError, LspError):
                self.process.kill()
        return self.end()

    def end(self) -> int:
        """Close our pipes and wait for the process; returns its exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            code = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        for thread in self._threads:
            thread.join(5)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def said(self) -> str:
        """What `nav-ls` has written to stderr since the last call."""
        parts = []
        while not self.errors.empty():
            parts.append(self.errors.get())
        return b"".join(parts).decode("utf-8", "replace")

    def _read(self) -> None:
        assert self.process.stdout is not None
        frames = Frames()
        while data := self.process.stdout.read1(1 << 16):  # type: ignore[union-attr]
            for body in frames.feed(data):
                self._take(parse(body))
        with self._arrived:
            self._ended = True
            self._arrived.notify_all()

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while data := self.process.stderr.read1(1 << 16):  # type: ignore[union-attr]
            self.errors.put(data)

    def _take(self, message: dict[str, Any]) -> None:
        with self._arrived:
            if "method" not in message:
                self._answers[message.get("id")] = message
            self.messages.append(message)
            self._arrived.notify_all()
        if "method" in message and "id" in message:
            self.send({"id": message["id"], "result": None})
