"""LSP's base protocol: a header with the length, an empty line, and a JSON body."""

from __future__ import annotations

import json
from typing import Any

LONGEST_HEADER = 8 * 1024
LARGEST_BODY = 256 * 1024 * 1024
"""Bytes.  Nothing sensible is larger; a bigger number is a broken or hostile peer."""

Message = dict[str, Any]


class FramingError(Exception):
    """The bytes are not LSP frames; the connection can't go on."""


def frame(message: Message) -> bytes:
    """A message as bytes, header included."""
    return framed(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))


def framed(body: bytes) -> bytes:
    """A body with its header."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def content_length(header: bytes) -> int:
    """The number of bytes of the body that follows `header` (without its empty line).

    Raises FramingError when there is none, or it is absurd.
    """
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return _checked_length(value.strip())
    raise FramingError("a message without Content-Length")


def _checked_length(value: bytes) -> int:
    if not value.isdigit() or len(value) > 12:
        raise FramingError(f"Content-Length {value[:40].decode('ascii', 'replace')!r} is not a number")
    length = int(value)
    if length > LARGEST_BODY:
        raise FramingError(f"a message of {length} bytes is too large")
    return length


class Frames:
    """Cuts a stream of bytes into message bodies."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._missing: int | None = None

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes; returns the bodies that are now complete.  Raises FramingError on anything but frames."""
        self._buffer += data
        bodies: list[bytes] = []
        while (body := self._next()) is not None:
            bodies.append(body)
        return bodies

    def _next(self) -> bytes | None:
        if self._missing is None and not self._read_header():
            return None
        assert self._missing is not None
        if len(self._buffer) < self._missing:
            return None
        body = bytes(self._buffer[: self._missing])
        del self._buffer[: self._missing]
        self._missing = None
        return body

    def _read_header(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n", 0, LONGEST_HEADER)
        if end < 0:
            if len(self._buffer) >= LONGEST_HEADER:
                raise FramingError("a header that does not end")
            return False
        self._missing = content_length(bytes(self._buffer[:end]))
        del self._buffer[: end + 4]
        return True


def parse(body: bytes) -> Message:
    """A body as a message.  Raises FramingError if it isn't a JSON object."""
    try:
        message = json.loads(body)
    except ValueError as error:
        raise FramingError(f"a message that is not JSON: {error}") from error
    if not isinstance(message, dict):
        raise FramingError("a message that is not a JSON object")
    return message
