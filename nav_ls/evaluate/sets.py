"""Sets of questions with known answers: made from a repository's own definitions, or written by hand."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from nav_ls.evaluate.measures import Target
from nav_ls.text.errors import UsageError
from nav_ls.text.words import pieces

NAME, DOC, CURATED = "name", "doc", "curated"
KINDS = (NAME, DOC, CURATED)
MIN_LINES = 4
"""Shorter functions say too little to be told apart."""
MIN_NAME_WORDS = 2
MIN_DOC_WORDS = 4
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|\n\s*\n|\n\s*[@:\\]|\s{2,}[-*]\s")


class Definition(msgspec.Struct, frozen=True):
    """A function or type of the repository that may become a question.  Lines count from 1, both ends included."""

    path: str
    start_line: int
    end_line: int
    symbol: str
    name: str
    kind: str
    doc: str
    layer: str = ""

    @property
    def lines(self) -> int:
        """How long it is."""
        return self.end_line - self.start_line + 1


class Item(msgspec.Struct, frozen=True):
    """One question.  `symbol` names the definition that it was made from, if it was."""

    kind: str
    query: str
    targets: tuple[Target, ...]
    symbol: str = ""


def by_name(definitions: Iterable[Definition], count: int, seed: int = 1) -> list[Item]:
    """Names as plain words → their definitions; only names that one definition of the repository has."""
    usable = [item for item in definitions if _meaty(item) and len(pieces(item.name)) >= MIN_NAME_WORDS]
    names = Counter(pieces(item.name) for item in usable)
    unique = [item for item in usable if names[pieces(item.name)] == 1]
    return [_item(NAME, " ".join(pieces(item.name)), item) for item in _sample(unique, count, seed)]


def by_doc(definitions: Iterable[Definition], count: int, seed: int = 1) -> list[Item]:
    """First sentences of doc comments → their definitions (which must be searched without their doc comments)."""
    usable = [
        (sentence, item)
        for item in definitions
        if _meaty(item) and len((sentence := first_sentence(item.doc)).split()) >= MIN_DOC_WORDS
    ]
    said = Counter(sentence for sentence, _ in usable)
    unique = {item: sentence for sentence, item in usable if said[sentence] == 1}
    return [_item(DOC, unique[item], item) for item in _sample(list(unique), count, seed)]


def first_sentence(doc: str) -> str:
    """The first sentence of a doc comment, on one line."""
    return " ".join(_SENTENCE.split(doc.strip(), maxsplit=1)[0].split())


def curated(text: str, origin: str) -> list[Item]:
    """Questions written by hand: {"query", "path", "start_line"?, "end_line"?} a line.  Raises UsageError."""
    grouped: dict[str, list[Target]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line, type=_CuratedRow)
        except msgspec.MsgspecError as error:
            raise UsageError(f"{origin}:{number}: {error}") from error
        if not row.query.strip() or row.query.startswith(TODO):
            continue
        grouped.setdefault(row.query, []).append(Target(row.path, row.start_line, row.end_line))
    if not grouped:
        raise UsageError(f"{origin}: no questions (rows that begin with {TODO!r} still have to be written)")
    return [Item(CURATED, query, tuple(targets)) for query, targets in grouped.items()]


class _CuratedRow(msgspec.Struct, frozen=True):
    query: str
    path: str
    start_line: int | None = None
    end_line: int | None = None


TODO = "TODO"


def scaffold(definitions: Iterable[Definition], count: int) -> list[str]:
    """Template rows for the meatiest functions: somebody still has to put a question where it says TODO."""
    meaty = sorted(
        (item for item in definitions if _meaty(item)), key=lambda item: (-item.lines, item.path, item.start_line)
    )
    rows = []
    for item in meaty[:count]:
        hint = f"{TODO}: ask for {item.symbol} without naming it" + (
            f" ({first_sentence(item.doc)})" if item.doc else ""
        )
        row = {"query": hint, "path": item.path, "start_line": item.start_line, "end_line": item.end_line}
        rows.append(msgspec.json.encode(row).decode())
    return rows


def _meaty(item: Definition) -> bool:
    return item.lines >= MIN_LINES and item.layer not in ("test", "generated", "docs")


def _sample(items: Sequence[Definition], count: int, seed: int) -> list[Definition]:
    """The same ones every time, whatever order the index yields them in."""
    ordered = sorted(items, key=lambda item: (item.path, item.start_line, item.symbol))
    if len(ordered) <= count:
        return ordered
    picked = random.Random(seed).sample(range(len(ordered)), count)
    return [ordered[index] for index in sorted(picked)]


def _item(kind: str, query: str, item: Definition) -> Item:
    return Item(kind, query, (Target(item.path, item.start_line, item.end_line),), item.symbol)
