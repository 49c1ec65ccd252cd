"""Rows of a SQLite file that SQLite itself no longer reads: every page is looked at by itself.

Nothing that is found can be trusted: rows that were deleted turn up, and damaged ones.  Whoever asks has a checksum
in each row.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

Row = tuple[object, ...]
"""Values as SQLite stores them: None, int, float, str, bytes."""

_LEAF = 0x0D
_FILE_HEADER = 100
_LOG_HEADER, _FRAME_HEADER = 32, 24
_USUAL_PAGE = 4096
_LONGEST_CHAIN = 4096
_MOST_COLUMNS = 64
_FIXED_INTS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


def rows(path: Path) -> Iterator[Row]:
    """All rows of tables (those with rowids) in a database file and in the write-ahead log beside it."""
    data = _read(path)
    size = _page_size(data)
    pages = {number + 1: data[start : start + size] for number, start in enumerate(range(0, len(data), size))}
    logged = list(_logged(_read(path.with_name(path.name + "-wal")), size))
    newest = pages | dict(logged)
    for number, page in [*pages.items(), *logged]:
        start = _FILE_HEADER if number == 1 else 0
        if len(page) == size and page[start] == _LEAF:
            yield from _of_page(page, start, newest)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _page_size(data: bytes) -> int:
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    return size if size in {1 << power for power in range(9, 17)} else _USUAL_PAGE


def _logged(log: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    for start in range(_LOG_HEADER, len(log), _FRAME_HEADER + size):
        number = int.from_bytes(log[start : start + 4], "big")
        yield number, log[start + _FRAME_HEADER : start + _FRAME_HEADER + size]


def _of_page(page: bytes, start: int, pages: dict[int, bytes]) -> Iterator[Row]:
    cells = min(int.from_bytes(page[start + 3 : start + 5], "big"), (len(page) - start) // 2)
    for place in range(start + 8, start + 8 + 2 * cells, 2):
        at = int.from_bytes(page[place : place + 2], "big")
        try:
            yield _values(_payload(page, at, pages))
        except (ValueError, IndexError, struct.error):
            continue


def _payload(page: bytes, at: int, pages: dict[int, bytes]) -> bytes:
    length, at = _varint(page, at)
    _rowid, at = _varint(page, at)
    usable = len(page)
    if length <= usable - 35:
        return page[at : at + length]
    least = (usable - 12) * 32 // 255 - 23
    local = least + (length - least) % (usable - 4)
    local = local if local <= usable - 35 else least
    parts = [page[at : at + local]]
    after = int.from_bytes(page[at + local : at + local + 4], "big")
    left = length - local
    for _ in range(_LONGEST_CHAIN):
        if left <= 0:
            break
        more = pages.get(after, b"")
        if not more:
            raise ValueError("a page of a long row is missing")
        parts.append(more[4 : 4 + left])
        left -= usable - 4
        after = int.from_bytes(more[:4], "big")
    return b"".join(parts)


def _values(payload: bytes) -> Row:
    header, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < header:
        kind, at = _varint(payload, at)
        kinds.append(kind)
        if len(kinds) > _MOST_COLUMNS:
            raise ValueError("too many columns")
    found: list[object] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        found.append(value)
    return tuple(found)


def _value(payload: bytes, at: int, kind: int) -> tuple[object, int]:
    if kind == 0:
        return None, at
    if kind in _FIXED_INTS:
        end = at + _FIXED_INTS[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind == 7:
        return struct.unpack_from(">d", payload, at)[0], at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind < 12:
        raise ValueError("a reserved type")
    end = at + (kind - 12) // 2
    if end > len(payload):
        raise ValueError("a value that is cut off")
    return (payload[at:end].decode("utf-8") if kind % 2 else payload[at:end]), end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = data[at + count]
        if count == 8:
            return (value << 8) | byte, at + 9
        value = (value << 7) | (byte & 0x7F)
        if byte < 0x80:
            return value, at + count + 1
    raise ValueError("unreachable")
