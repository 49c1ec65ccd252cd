"""LSP's work-done progress for indexing, as one client sees it."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from nav_ls.server.protocol import Protocol

_AFTER = 0.4
"""Seconds: what is done sooner is not worth a flicker."""


class WorkDone:
    """Shows the status of a repository as progress that begins, goes on and ends."""

    def __init__(self, protocol: Protocol, name: str) -> None:
        self._protocol = protocol
        self._name = name
        self._token = ""
        self._task: asyncio.Task[None] | None = None
        self._status: dict[str, Any] = {}

    def show(self, status: dict[str, Any]) -> None:
        """What goes on now."""
        self._status = status
        if status["state"] == "indexing":
            if self._task is None:
                self._task = asyncio.ensure_future(self._begin())
            elif self._token:
                self._send({"kind": "report", **self._figures()})
            return
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self._token:
            self._send({"kind": "end", "message": status["message"] or "done"})
            self._token = ""

    async def _begin(self) -> None:
        await asyncio.sleep(_AFTER)
        token = f"nav-{uuid.uuid4()}"
        try:
            await self._protocol.ask("window/workDoneProgress/create", {"token": token})
        except JsonRpcException:
            return  # the client does not want it
        self._token = token
        self._send({"kind": "begin", "title": f"nav: indexing {self._name}", "cancellable": False, **self._figures()})

    def _figures(self) -> dict[str, Any]:
        figures: dict[str, Any] = {"message": self._status["message"]}
        if "percent" in self._status:
            figures["percentage"] = self._status["percent"]
        return figures

    def _send(self, value: dict[str, Any]) -> None:
        self._protocol.tell("$/progress", {"token": self._token, "value": value})
