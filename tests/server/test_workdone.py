"""Progress begins before it is reported, and ends once."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from nav_ls.server import workdone
from nav_ls.server.protocol import Protocol


class Client:
    """Stands in for a client's protocol: takes the token, keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []

    async def ask(self, method: str, params: Any) -> None:
        assert method == "window/workDoneProgress/create"

    def tell(self, method: str, params: Any) -> None:
        assert method == "$/progress"
        self.told.append(params["value"])


async def test_it_begins_also_where_the_percentage_is_not_known_yet() -> None:
    client = Client()
    shown = workdone.WorkDone(cast(Protocol, client), "shop")
    shown.show({"state": "indexing", "message": "opening"})
    await asyncio.sleep(workdone._AFTER + 0.1)
    shown.show({"state": "indexing", "message": "scan", "percent": 3})
    shown.show({"state": "fresh", "message": ""})
    shown.show({"state": "fresh", "message": ""})
    assert [value["kind"] for value in client.told] == ["begin", "report", "end"]
    assert "percentage" not in client.told[0]
    assert client.told[1]["percentage"] == 3


async def test_what_is_over_soon_is_not_shown() -> None:
    client = Client()
    shown = workdone.WorkDone(cast(Protocol, client), "shop")
    shown.show({"state": "indexing", "message": "opening"})
    shown.show({"state": "fresh", "message": ""})
    await asyncio.sleep(workdone._AFTER + 0.1)
    assert client.told == []
