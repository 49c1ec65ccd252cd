"""A model that describes what it is asked about, as the real ones do, and whatever else a test wants of it."""

from __future__ import annotations

import json
import re
from typing import Any

_HEADING = re.compile(r"^\[(\w+) definition (\d+)\]\n(.+)$", re.MULTILINE)
_AGAIN = re.compile(r"^- id (\d+):", re.MULTILINE)


def asked_about(body: dict[str, Any]) -> dict[int, str]:
    """The definitions of a request by number: the first line about each."""
    text = body["messages"][0]["content"]
    mark = re.search(r'begins with a line "\[(\w+) definition N\]"', text)
    found = {int(n): head for used, n, head in _HEADING.findall(text) if mark and used == mark[1]}
    if len(body["messages"]) > 1:
        wanted = {int(n) for n in _AGAIN.findall(body["messages"][-1]["content"])}
        return {n: head for n, head in found.items() if n in wanted}
    return found


def item(number: int, head: str) -> dict[str, Any]:
    """A good description."""
    return {
        "id": number,
        "summary": f"Handles the tidal business of {head}.",
        "tags": ["tides", "moonlight", "harbour"],
        "why": "Ships must leave the harbour in time.",
        "responsibilities": ["watch the moon"],
    }


def describe(body: dict[str, Any]) -> str:
    """An overview for the first request of a run, descriptions for the others."""
    about = asked_about(body)
    if not about:
        return "# Overview\nA project about ships."
    return json.dumps({"items": [item(number, head) for number, head in about.items()]})
