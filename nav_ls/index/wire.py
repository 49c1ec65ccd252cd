"""Messages between the processes of one index: length, then MessagePack."""

from __future__ import annotations

import struct
from typing import IO

_LENGTH = struct.Struct("<I")
MAX_BYTES = 1 << 31


def send(stream: IO[bytes], message: bytes) -> None:
    """Write one message and flush; raises OSError (BrokenPipeError) or ValueError if nobody reads any more."""
    stream.write(_LENGTH.pack(len(message)) + message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """Read one message; None when the other side has closed or died."""
    head = _exactly(stream, _LENGTH.size)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    return _exactly(stream, length) if length <= MAX_BYTES else None


def _exactly(stream: IO[bytes], size: int) -> bytes | None:
    data = stream.read(size)
    while data and len(data) < size:  # unbuffered streams return what there is
        more = stream.read(size - len(data))
        if not more:
            return None
        data += more
    return data if len(data) == size else None
