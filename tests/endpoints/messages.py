"""Answers as Anthropic's Messages API gives them."""

from __future__ import annotations

import json
from typing import Any

USAGE = {"input_tokens": 10, "output_tokens": 5}


def message(
    model: str, block: dict[str, Any], stop: str = "end_turn", usage: dict[str, int] | None = None
) -> dict[str, Any]:
    """A whole answer with one block of content."""
    return {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [block],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage or USAGE,
    }


def events(whole: dict[str, Any], pieces: int = 1) -> list[str]:
    """The same answer as server-sent events; a text comes in so many pieces."""
    block = whole["content"][0]
    if block["type"] == "text":
        opening: dict[str, Any] = {"type": "text", "text": ""}
        deltas = [{"type": "text_delta", "text": part} for part in _parts(block["text"], pieces)]
    else:
        opening = block | {"input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
    told = [
        {"type": "message_start", "message": whole | {"content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": opening},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": whole["usage"]["output_tokens"]},
        },
        {"type": "message_stop"},
    ]
    return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in told]


def _parts(text: str, count: int) -> list[str]:
    size = max(1, -(-len(text) // count))
    return [text[start : start + size] for start in range(0, len(text), size)]
