"""The functions of a repository with their fingerprints, kept from one check to the next."""

from __future__ import annotations

import threading
from collections.abc import Collection
from hashlib import blake2b

import msgspec

from nav_ls.query.conform import clones
from nav_ls.query.conform.change import Read, functions
from nav_ls.query.model import SymbolInfo
from nav_ls.query.snapshot import Snapshot
from nav_ls.store.reader import FileInfo
from nav_ls.syntax.languages import family_of


class Function(msgspec.Struct, frozen=True):
    """A function; `print` is None where it is too small to compare."""

    symbol: SymbolInfo
    print: clones.Print | None


class Alike(msgspec.Struct, frozen=True):
    """A function that is like the one asked about; `score`, `exact` and `names` as in `clones.Pair`."""

    symbol: SymbolInfo
    score: float
    exact: bool
    names: float


class Library:
    """Fingerprints by file: an update reads only what has changed since the last one."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._files: dict[str, tuple[bytes, dict[int, Function]]] = {}
        self._symbols: dict[int, SymbolInfo] = {}
        self._index = clones.Index()
        self._next = 0

    def update(self, snapshot: Snapshot, families: Collection[str], read: Read) -> None:
        """Take in the functions of some families of languages as they are now."""
        with self._guard:
            files = {f.path: f for f in snapshot.files() if f.language and family_of(f.language) in families}
            for path in self._files.keys() - files.keys():
                self._drop(path)
            for path, info in files.items():
                version = _version(snapshot, info)
                if path not in self._files or self._files[path][0] != version:
                    self._drop(path)
                    self._put(path, version, _functions(snapshot, info, read))

    def like(self, symbol: SymbolInfo, names: float = clones.SAME_NAMES) -> list[Alike]:
        """The functions most like one of them, best first, without itself; `names` in common."""
        with self._guard:
            mine = self._find(symbol)
            if mine is None:
                return []
            number, one = mine
            found = self._index.like(one, least=clones.threshold(one), names=names)
            return [Alike(self._symbols[p.index], p.score, p.exact, p.names) for p in found if p.index != number]

    def _find(self, symbol: SymbolInfo) -> tuple[int, clones.Print] | None:
        _, known = self._files.get(symbol.path, (b"", {}))
        for number, function in known.items():
            if function.symbol.key == symbol.key and function.print is not None:
                return number, function.print
        return None

    def _put(self, path: str, version: bytes, found: list[Function]) -> None:
        numbered = dict(enumerate(found, self._next))
        self._next += len(found)
        self._files[path] = version, numbered
        for number, function in numbered.items():
            if function.print is not None:
                self._index.put(number, function.print)
                self._symbols[number] = function.symbol

    def _drop(self, path: str) -> None:
        _, known = self._files.pop(path, (b"", {}))
        for number, function in known.items():
            if function.print is not None:
                self._index.drop(number)
                del self._symbols[number]


def body(symbol: SymbolInfo, text: bytes) -> bytes:
    """A function's text behind its name: a copy has another one, and what stands before it (decorators, doc) is no
    code.  `text` is that of the file."""
    return text[symbol.name_span.end : symbol.span.end]


def _functions(snapshot: Snapshot, info: FileInfo, read: Read) -> list[Function]:
    text = read(info.path)
    if text is None:
        return []
    return [Function(s, clones.fingerprint(body(s, text), info.language)) for s in functions(snapshot, info.path)]


def _version(snapshot: Snapshot, info: FileInfo) -> bytes:
    unsaved = snapshot.text(info.path)
    return info.hash if unsaved is None else blake2b(unsaved, digest_size=16).digest()
