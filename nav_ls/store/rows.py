"""Rows as the store keeps them, and the small numbers that stand for words in them."""

from __future__ import annotations

import msgspec

from nav_ls.graph.model import Links
from nav_ls.text.walk import FileStat

KINDS = ("calls", "accesses", "references", "reads", "writes", "types", "decorates", "imports", "implicit", "invokes")
EVIDENCE = ("exact", "type", "dispatch", "name")
"""Best first: the smaller number is the better evidence."""
RELATIONS = ("inherits", "implements", "embeds", "overrides", "imports", "declares", "mixin", "prepends")

KIND_CODE = {word: code for code, word in enumerate(KINDS)}
EVIDENCE_CODE = {word: code for code, word in enumerate(EVIDENCE)}
RELATION_CODE = {word: code for code, word in enumerate(RELATIONS)}


class FileFlag:
    """Bits of `FileRow.flags`."""

    ASCII = 1 << 0
    GENERATED = 1 << 1
    TEST = 1 << 2
    MANIFEST = 1 << 3
    VENDORED = 1 << 4


class FileRow(msgspec.Struct, frozen=True, array_like=True):
    """One row of `files`, without its id."""

    path: str
    language: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    read_ns: int
    hash: bytes = b""
    facts: bytes = b""
    lines: bytes = b""
    flags: int = 0
    skip: str = ""
    problems: str = ""

    @property
    def stat(self) -> FileStat:
        """What the file system said of it when it was looked at."""
        return FileStat(self.size, self.mtime_ns, self.ctime_ns, self.inode)


class SymbolRow(msgspec.Struct, frozen=True, array_like=True):
    """One row of `symbols`, without ids."""

    key: str
    name: str
    qual: str
    kind: str
    start: int
    end: int
    name_start: int
    name_end: int
    parent: str
    flags: int
    visibility: str
    signature: str
    doc: str
    body_start: int


class Buffer(msgspec.Struct, frozen=True, array_like=True):
    """What an unsaved buffer says: its definitions, its line table (packed) and its links."""

    path: str
    language: str
    text: bytes
    ascii: bool
    symbols: tuple[SymbolRow, ...]
    lines: bytes
    links: Links
