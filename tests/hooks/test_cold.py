"""Hooks without a server: what they read, and what they leave alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nav_ls.config.settings import Config
from nav_ls.hooks import cold
from nav_ls.workspace.workspace import Workspace


def test_vectors_are_left_alone(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ends at its deadline would leave them as one that was killed."""
    opened: list[Config] = []
    as_it_is = Workspace.open

    def noted(path: Path, config: Config) -> Workspace:
        opened.append(config)
        return as_it_is(path, config)

    monkeypatch.setattr(Workspace, "open", noted)
    payload = {"session_id": "a", "prompt": "Please make `reserve_item` log what it takes"}
    asked = {"host": "claude", "event": "user-prompt-submit", "payload": payload, "folder": str(shop)}
    found = json.loads(cold.answer(json.dumps(asked).encode()))
    assert "reserve_item" in found["text"]
    assert [config.search.embedder for config in opened] == ["none"]
