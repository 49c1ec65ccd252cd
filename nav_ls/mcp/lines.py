"""What a client writes, a message a line, so that every request among it gets an answer.

The SDK drops a line that is no valid message, and who asked waits for good.  A host does write such lines: JavaScript
escapes half of a character that lies outside of the basic plane (an emoji that was cut) as it is, and no parser of
UTF-8 takes that.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from typing import Any, BinaryIO

INVALID = "invalid request"
"""The method that a request gets which cannot be understood: it is refused, as every method that does not exist."""


def answerable(line: bytes) -> bytes:
    """A line as the SDK understands it: as it is, without what is no text, or as a request that is refused."""
    if _is_message(line):
        return line
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return line
    clean = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    if _is_message(clean):
        return clean
    number = message.get("id") if isinstance(message, dict) else None
    if not isinstance(number, (int, str)) or "method" not in message:
        return line
    refused: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": INVALID}
    return json.dumps(refused, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _is_message(line: bytes) -> bool:
    from mcp.types import jsonrpc_message_adapter

    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return False
    return True


def make_stdin_answerable() -> None:
    """Put a pipe in the place of stdin that carries its lines as `answerable` makes them."""
    import mcp.types  # noqa: F401 (here, because of two threads that import the SDK at once one finds half of it)

    source = os.fdopen(os.dup(0), "rb")
    reading, writing = os.pipe()
    threading.Thread(target=_copy, args=(source, os.fdopen(writing, "wb")), daemon=True).start()
    sys.stdin = os.fdopen(reading, encoding="utf-8")
    with open(os.devnull, "rb") as nothing:  # no child is to read what is meant for us
        os.dup2(nothing.fileno(), 0)


def _copy(source: BinaryIO, target: BinaryIO) -> None:
    with contextlib.suppress(OSError), target:
        for line in source:
            target.write(answerable(line))
            target.flush()
