"""One indexed file → its units of search.  Runs in worker processes where there are many files."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from nav_ls.index.extraction import extract_text
from nav_ls.index.units import Made, SourceFile, units_of
from nav_ls.store.facts import FactStore
from nav_ls.store.prose import Prose, ProseStore
from nav_ls.store.rows import FileFlag
from nav_ls.store.units import FileUnits, StaleFile
from nav_ls.syntax import facts as syntax_facts
from nav_ls.syntax.facts import FileFacts
from nav_ls.text.admit import looks_secret
from nav_ls.text.errors import NavError
from nav_ls.text.hashes import content_hash
from nav_ls.text.prose import MAX_BYTES, is_prose
from nav_ls.text.source import decode, is_binary


class Maker(msgspec.Struct, frozen=True, array_like=True):
    """How units are made.  `rules` name the version of that; `minimum`: visible bytes of the smallest unit.

    `prose`: where what a language model wrote is kept, "" for nowhere; `stamp`: the state of it that is meant.
    """

    rules: str
    minimum: int
    prose: str = ""
    stamp: str = ""

    def made(self, root: Path, facts: FactStore | None, row: StaleFile) -> FileUnits | None:
        """The units of a file; None where it is no longer the one that was indexed."""
        made: Sequence[Made] = ()
        if row.language or (is_prose(row.path) and not looks_secret(row.path)):
            try:
                data = (root / row.path).read_bytes()
            except OSError:
                return None
            if content_hash(data) != row.hash:
                return None
            if row.language or (len(data) <= MAX_BYTES and not is_binary(data)):
                made = units_of(_source(row, data, facts), self.minimum, _book(self.prose, self.stamp).get)
        return FileUnits(row.id, row.hash, self.rules, [m.row for m in made], [m.text for m in made])

    def without_units(self, row: StaleFile) -> FileUnits:
        """A file that cannot be divided."""
        return FileUnits(row.id, row.hash, self.rules, [], [])


@lru_cache(maxsize=2)
def _book(path: str, stamp: str) -> dict[str, Prose]:
    """All prose by subject: files are many, and each has many definitions without any."""
    if not path:
        return {}
    try:
        store = ProseStore.readable(Path(path))
    except (NavError, FileNotFoundError):
        return {}
    try:
        return store.get(store.subjects())
    finally:
        store.close()


def _source(row: StaleFile, data: bytes, facts: FactStore | None) -> SourceFile:
    text = decode(data).text
    return SourceFile(
        path=row.path,
        language=row.language,
        text=text,
        facts=_facts(facts, row, text),
        test=bool(row.flags & FileFlag.TEST),
        generated=bool(row.flags & (FileFlag.GENERATED | FileFlag.VENDORED)),
    )


def _facts(store: FactStore | None, row: StaleFile, text: bytes) -> FileFacts | None:
    """The facts of a file of code: the stored ones, else (they are damaged or gone) from its text."""
    if not row.language:
        return None
    data = store.get(row.facts) if store is not None else None
    if data is not None:
        with contextlib.suppress(msgspec.MsgspecError):
            return syntax_facts.decode_outline(data)
    return extract_text(row.path, text, row.language)
