"""One file on disk → all that the store keeps of it.  Runs in worker processes."""

from __future__ import annotations

import os
import stat
import time
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import msgspec

from nav_ls.graph.model import Locals, summarize, symbol_keys
from nav_ls.store import facts as fact_store
from nav_ls.store.rows import FileFlag, FileRow, SymbolRow
from nav_ls.syntax import facts as syntax_facts
from nav_ls.syntax.facts import FileFacts, Flag
from nav_ls.syntax.languages import language_of
from nav_ls.text.admit import Limits, looks_built, looks_secret, looks_vendored, refuse
from nav_ls.text.hashes import combined_hash, content_hash
from nav_ls.text.lines import LineTable
from nav_ls.text.manifests import is_manifest
from nav_ls.text.prose import is_prose
from nav_ls.text.source import Source, decode

_HEAD = 256
_SOURCE, _COMPILED = frozenset({".py", ".scm"}), frozenset({".so", ".pyd"})
_PACKAGES = Path(__file__).parents[2]


class Extracted(msgspec.Struct, frozen=True, array_like=True):
    """What became of one file.

    `file` is None where the file is gone.  `same`: it has the content that the caller expected, nothing else was
    looked at.  `data` and `summary` are packed facts; empty where the store has them
    already and where the file is not indexed.
    """

    path: str
    file: FileRow | None
    symbols: tuple[SymbolRow, ...] = ()
    data: bytes = b""
    summary: bytes = b""
    same: bool = False


class Facts(Protocol):
    """What knows facts by their key: a store, or who has just found them."""

    def get(self, key: bytes) -> bytes | None:
        """Encoded facts, None where they are not known."""


@cache
def version_of(package: str) -> str:
    """A hash over the code of one of nav's packages: facts and links made by other code are made again.

    Compiled code is other code: it reads what is nested deeper than Python's frames may be.
    """
    folder = _PACKAGES.joinpath(*package.split("."))
    digest = blake2b(digest_size=8)
    for path in sorted(item for item in folder.rglob("*") if item.suffix in _SOURCE or item.suffix in _COMPILED):
        content = path.read_bytes() if path.suffix in _SOURCE else b""
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + content)
    return digest.hexdigest()


def is_compiled() -> bool:
    """Whether the rooms that only compute are compiled (`run.py compile`)."""
    module = find_spec("nav_ls.graph.infer")
    return module is not None and Path(module.origin or "").suffix in _COMPILED


def wanted(path: str) -> bool:
    """Whether a file may be code, a manifest, prose or a secret, by its name alone; the rest is never opened."""
    name = path.rpartition("/")[2]
    known = language_of(path, b"") is not None or is_manifest(path) or is_prose(path)
    return "." not in name or known or looks_secret(path)


def extract_file(root: str, path: str, limits: Limits, known: Facts | None, expected: bytes | None = None) -> Extracted:
    """Read one file and find out all about it, unless its bytes have the `expected` hash.  Never fails."""
    row, data = _look(root, path, limits)
    if row is None or row.skip:
        return Extracted(path, row)
    if row.hash == expected:
        return Extracted(path, row, same=True)
    language = language_of(path, data[:_HEAD])
    if language is None and not is_manifest(path):
        return Extracted(path, row)
    reason = refuse(data, limits)
    if reason:
        return Extracted(path, msgspec.structs.replace(row, skip=reason))
    source = decode(data)
    if language is None:
        return _manifest(row, source)
    return _code(row, source, language, known)


def differs(root: str, known: FileRow, limits: Limits) -> bool:
    """Whether `extract_file` would find something else than a row says; reads the file at most."""
    row, _ = _look(root, known.path, limits)
    if row is None:
        return True
    if known.hash:
        return row.hash != known.hash
    # It was left out unread, as it is now, or it was given up: only what the file system says can tell.
    return row.skip != known.skip and row.stat != known.stat


def extract_known(root: str, path: str, limits: Limits, text: bytes, facts: FileFacts) -> Extracted | None:
    """As `extract_file`, of a file whose text was extracted before; None where it has another text now."""
    key = facts_key(path, language_of(path, text[:_HEAD]) or "", text)
    try:
        with open(os.path.join(root, path), "rb") as file:
            if decode(file.read()).text != text:
                return None
    except (OSError, ValueError):
        return None
    encoded = syntax_facts.encode(facts)
    found = extract_file(root, path, limits, _Known(key, encoded))
    if found.file is None or found.file.facts != key:
        return None
    return msgspec.structs.replace(found, data=fact_store.pack(key, encoded), summary=_packed_summary(key, facts))


class _Known(msgspec.Struct, frozen=True):
    """The facts of one text, where a store is asked for them."""

    key: bytes
    encoded: bytes

    def get(self, key: bytes) -> bytes | None:
        return self.encoded if key == self.key else None


def extract_text(path: str, text: bytes, language: str) -> FileFacts:
    """The facts of a normalised text, which need not be on disk."""
    from nav_ls.syntax.extract import extract  # loads the grammars, which only workers need

    return extract(path, text, language)


def locals_of(path: str, text: bytes, language: str) -> Locals:
    """What the names of a normalised text mean inside of it."""
    from nav_ls.graph.locals import find_locals
    from nav_ls.syntax.extract import names  # as above

    return find_locals(path, text, extract_text(path, text, language), names(path, text, language))


def facts_key(path: str, language: str, text: bytes) -> bytes:
    """Where the facts of a file are kept.  The path counts: it decides what is a test or a package."""
    return combined_hash(version_of("nav_ls.syntax"), path, language, text)


def symbol_rows(path: str, facts: FileFacts, size: int) -> tuple[SymbolRow, ...]:
    """The definitions of a file as rows; the first one stands for the file."""
    keys = symbol_keys(facts)
    name = path.rpartition("/")[2]
    rows = [SymbolRow("", name, "", "file", 0, size, 0, 0, "", facts.flags, "public", "", facts.doc, 0)]
    for key, symbol in zip(keys, facts.symbols, strict=True):
        rows.append(
            SymbolRow(
                key,
                symbol.name,
                symbol.qual,
                symbol.kind,
                symbol.start,
                symbol.end,
                symbol.name_start,
                symbol.name_end,
                keys[symbol.parent] if symbol.parent >= 0 else "",
                symbol.flags,
                symbol.visibility,
                symbol.signature,
                symbol.doc,
                symbol.body_start,
            )
        )
    return tuple(rows)


def _code(row: FileRow, source: Source, language: str, known: Facts | None) -> Extracted:
    key = facts_key(row.path, language, source.text)
    stored = known.get(key) if known is not None else None
    facts = decoded(stored)
    data = summary = b""
    if facts is None:
        facts = extract_text(row.path, source.text, language)
        data = fact_store.pack(key, syntax_facts.encode(facts))
        summary = _packed_summary(key, facts)
    row = msgspec.structs.replace(
        row,
        language=language,
        facts=key,
        lines=LineTable.of(source.text).pack(),
        flags=_flags(row.path, source, facts),
        problems=_problems(source, facts),
    )
    return Extracted(row.path, row, symbol_rows(row.path, facts, len(source.text)), data, summary)


def _packed_summary(key: bytes, facts: FileFacts) -> bytes:
    return fact_store.pack(key, msgspec.msgpack.encode(summarize(facts)))


def decoded(stored: bytes | None) -> FileFacts | None:
    """Stored facts, decoded; None where there are none or they cannot be read."""
    if stored is None:
        return None
    try:
        return syntax_facts.decode(stored)
    except msgspec.MsgspecError:
        return None


def _manifest(row: FileRow, source: Source) -> Extracted:
    key = facts_key(row.path, "", source.text)
    row = msgspec.structs.replace(row, facts=key, flags=FileFlag.MANIFEST)
    return Extracted(row.path, row, (), fact_store.pack(key, source.text), fact_store.pack(key, b""))


def _flags(path: str, source: Source, facts: FileFacts) -> int:
    flags = FileFlag.ASCII if source.ascii else 0
    flags |= FileFlag.VENDORED if looks_vendored(path) else 0
    flags |= FileFlag.GENERATED if facts.generated or looks_built(path) else 0
    return flags | (FileFlag.TEST if facts.flags & Flag.TEST else 0)


def _problems(source: Source, facts: FileFacts) -> str:
    kinds = list(dict.fromkeys(f"{problem.kind}: {problem.message}" for problem in facts.problems))
    if source.damaged:
        kinds.append(f"encoding: {source.damaged} characters could not be read as {source.encoding}")
    return "; ".join(kinds[:5])


def _look(root: str, path: str, limits: Limits) -> tuple[FileRow | None, bytes]:
    """What a file is without knowing what it says: its row and its bytes; None if it is gone or no regular file.

    One that is not read has its reason in the row, all others their hash.
    """
    if looks_secret(path):
        return _passed(root, path, time.time_ns(), "looks like a secret"), b""
    read_ns = time.time_ns()
    try:
        data, found = _read(os.path.join(root, path), limits)
    except FileNotFoundError:
        return None, b""
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return _passed(root, path, read_ns, f"cannot be read: {reason}"), b""
    if found is None:
        return None, b""
    # Of a giant only the first part is hashed: whatever changes the rest changes its size or times as well.
    return _row(path, found, read_ns, hash=content_hash(data)), data


def _passed(root: str, path: str, read_ns: int, reason: str) -> FileRow | None:
    try:
        found = os.lstat(os.path.join(root, path))
    except (OSError, ValueError):
        return None
    return _row(path, found, read_ns, skip=reason)


def _row(path: str, found: os.stat_result, read_ns: int, *, hash: bytes = b"", skip: str = "") -> FileRow:
    stat = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    return FileRow(path, "", *stat, read_ns, hash=hash, skip=skip)


def passed_row(root: str, path: str, reason: str) -> Extracted:
    """A file that is left out for a reason that only the caller knows (its worker died, it took too long)."""
    return Extracted(path, _passed(root, path, time.time_ns(), reason))


def _read(path: str, limits: Limits) -> tuple[bytes, os.stat_result | None]:
    """The bytes of a regular file (the first ones of a giant) and its stat; None if it is something else."""
    # A link is not followed, and a pipe that appears under the name does not block.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    with open(descriptor, "rb", buffering=0) as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return b"", None
        parts = []
        left = limits.file_bytes + 1
        while left > 0:
            part = file.read(left)
            if not part:
                break
            parts.append(part)
            left -= len(part)
    return b"".join(parts), found
