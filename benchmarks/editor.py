"""The little of an editor that a benchmark needs: a language server on pipes, requests one after the other."""

from __future__ import annotations

import itertools
import subprocess
import time
from pathlib import Path
from typing import Any

from nav_ls.client.framing import Frames, frame, parse

_TOP = {5, 12}


class Editor:
    """One session.  Notifications of the server are read on the way."""

    def __init__(self, command: list[str], root: Path) -> None:
        self.root = root
        self.begun = time.perf_counter()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._frames = Frames()
        self._waiting: list[bytes] = []
        self._ids = itertools.count(1)
        self._version = 1
        self._state = ""

    def __enter__(self) -> Editor:
        self.initialize()
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    @property
    def pid(self) -> int:
        """The process of the server (of `nav-ls`: its bridge)."""
        return self._process.pid

    def initialize(self) -> None:
        """Introduce ourselves as an editor that counts in UTF-16."""
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": self.root.as_uri(),
                "workspaceFolders": [{"uri": self.root.as_uri(), "name": self.root.name}],
                "capabilities": {
                    "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
                },
            },
        )
        self.notify("initialized", {})

    def leave(self) -> None:
        """Shut down and wait."""
        self.request("shutdown", None)
        self.notify("exit", None)
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)

    def request(self, method: str, params: Any) -> Any:
        """Send a request and return its result; raises RuntimeError on an error."""
        number = next(self._ids)
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self._receive()
            if "method" in message and "id" in message:
                self._answer(message)
            elif message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def wait_until_fresh(self) -> None:
        """Wait until the index is up to date."""
        while self._state != "fresh":
            self._receive()

    def outline(self, path: str) -> list[tuple[str, dict[str, int]]]:
        """Top-level functions and classes of a file with the places of their names."""
        symbols = self.request("textDocument/documentSymbol", {"textDocument": self._document(path)})
        return [(one["name"], one["selectionRange"]["start"]) for one in symbols if one["kind"] in _TOP]

    def callers(self, path: str, at: dict[str, int]) -> set[str]:
        """Names of the callers of what stands at a place."""
        params = {"textDocument": self._document(path), "position": at}
        items = self.request("textDocument/prepareCallHierarchy", params) or []
        found: set[str] = set()
        for item in items[:1]:
            found |= {call["from"]["name"] for call in self.request("callHierarchy/incomingCalls", {"item": item})}
        return found

    def symbols(self, query: str) -> Any:
        """workspace/symbol."""
        return self.request("workspace/symbol", {"query": query})

    def hover(self, path: str, at: dict[str, int]) -> Any:
        """textDocument/hover."""
        return self.request("textDocument/hover", {"textDocument": self._document(path), "position": at})

    def definitions(self, path: str, at: dict[str, int]) -> list[tuple[str, int, int]]:
        """textDocument/definition: URIs with line and character (from 0, in UTF-16) of the names there."""
        found = self.request("textDocument/definition", {"textDocument": self._document(path), "position": at}) or []
        places = []
        for one in [found] if isinstance(found, dict) else found:
            start = (one.get("targetSelectionRange") or one["range"])["start"]
            places.append((one.get("targetUri") or one["uri"], start["line"], start["character"]))
        return places

    def open(self, path: str, text: str, language: str = "") -> None:
        """didOpen."""
        document = self._document(path) | {"languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def replace(self, path: str, text: str) -> None:
        """didChange of the whole text."""
        self._version += 1
        document = self._document(path) | {"version": self._version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def saved(self, path: str) -> None:
        """didSave."""
        self.notify("textDocument/didSave", {"textDocument": self._document(path)})

    def close(self, path: str) -> None:
        """didClose."""
        self.notify("textDocument/didClose", {"textDocument": self._document(path)})

    def _answer(self, message: dict[str, Any]) -> None:
        """Grant what a server asks of its editor, and have no settings."""
        items = (message.get("params") or {}).get("items", [])
        settings = [None] * len(items) if message["method"] == "workspace/configuration" else None
        self._send({"id": message["id"], "result": settings})

    def _document(self, path: str) -> dict[str, Any]:
        return {"uri": (self.root / path).as_uri()}

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(frame({"jsonrpc": "2.0"} | message))
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        while not self._waiting:
            data = self._process.stdout.read1(1 << 18)  # type: ignore[attr-defined]
            if not data:
                raise RuntimeError("the server has ended")
            self._waiting += self._frames.feed(data)
        message = parse(self._waiting.pop(0))
        if message.get("method") == "nav/status":
            self._state = message["params"]["state"]
        return message
