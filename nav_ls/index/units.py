"""Files to units of search: whole definitions, never windows.

A container yields its header and one unit per member; a closure stays with the function around it; what
stands between definitions is a unit too.  A file without definitions falls into sensible pieces: Markdown
at its headings, other text at its blank lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from nav_ls.graph.model import symbol_keys
from nav_ls.index.layers import framework_of, layer_of
from nav_ls.store.prose import Prose
from nav_ls.store.units import UnitRow, pack_words
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, VALUE_KINDS, FileFacts, Flag, Symbol
from nav_ls.text.comments import doc_text
from nav_ls.text.hashes import combined_hash, content_hash
from nav_ls.text.lines import LineTable
from nav_ls.text.prose import is_prose
from nav_ls.text.words import pieces, place_of, term_text, thin, words_of

VERSION = "6"
"""Of the rules on this page, the rendering included: another one makes every unit anew."""
TEXT_CHARS = 700
"""Characters of a unit that are embedded.  Twice as many cost twice the CPU and found nothing more."""
DOC_CHARS = 300
PIECE_WORDS = 200
"""A piece without a definition is divided at the first blank line after so many words.

Words, unlike lines, stay when a formatter has been at work.
"""
LABEL_KINDS = VALUE_KINDS - {"type"}
"""Kinds that name a piece of code without being a unit of their own."""
SPACE_KINDS = frozenset({"namespace", "module"})
"""Containers whose header says nothing."""

CODE, SECTION, TEXT = "code", "section", "text"
"""Kinds of units that are no definitions: between definitions, under a heading, of a plain file."""

_BLANK = 8
"""So many times the visible bytes that are wanted are looked at first."""
_FILES = 16
"""Files whose place is remembered: their units are made one after the other."""

_LINE = re.compile(rb"[^\n]*(?:\n|\Z)")
_WORDS = re.compile(rb"[\w\x80-\xff]+")
_HEADING = re.compile(rb"(?m)^#{1,6}[ \t]+(.+?)[ \t#]*$")
_RST_HEADING = re.compile(rb"(?m)^(\S.*)\n([=\-~^\"'`#*+])\2{2,}[ \t]*$")
_MARKDOWN = (".md", ".markdown", ".mdx")


class Made(NamedTuple):
    """A unit's row and the text that is embedded for it."""

    row: UnitRow
    text: str


class SourceFile(msgspec.Struct, frozen=True):
    """What units are made from.  `facts` is None for a file in no known language."""

    path: str
    language: str
    text: bytes
    facts: FileFacts | None = None
    test: bool = False
    generated: bool = False


class _Piece(msgspec.Struct, frozen=True):
    """A span that becomes a unit, with what names it."""

    start: int
    end: int
    kind: str
    name: str = ""
    qual: str = ""
    symbol: str = ""
    signature: str = ""
    doc: str = ""
    labels: tuple[str, ...] = ()  # further names that it defines: variables, fields
    members: tuple[str, ...] = ()  # signatures of what a container holds in units of its own
    test: bool = False  # marked as a test in a file that is none: `#[cfg(test)] mod tests`


ProseOf = Callable[[str], Prose | None]
"""What was written about a subject."""


def units_of(file: SourceFile, minimum: int = 24, prose_of: ProseOf = lambda subject: None) -> list[Made]:
    """The units of a file in order of position.

    Pieces of fewer than `minimum` visible bytes are left out, but for headers: `class Response` is short and names a
    large thing.
    """
    lines = LineTable.of(file.text)
    framework = _framework(file)
    return [
        _made(file, piece, lines, framework, prose_of)
        for piece in _pieces(file)
        if piece.members or _shows(file.text, piece.start, piece.end, minimum)
    ]


def _shows(text: bytes, start: int, end: int, minimum: int) -> bool:
    """Whether a span has so many visible bytes: as a rule its first ones do."""
    return any(len(b"".join(text[start:stop].split())) >= minimum for stop in (min(end, start + _BLANK * minimum), end))


def _framework(file: SourceFile) -> str:
    return framework_of(file.language, (item.module for item in file.facts.imports)) if file.facts else ""


def _pieces(file: SourceFile) -> Iterator[_Piece]:
    if file.facts and file.facts.symbols:
        yield from _code_pieces(file.text, file.facts)
    elif file.path.lower().endswith(_MARKDOWN):
        yield from _sections(file.text, [(m.start(), m[1]) for m in _HEADING.finditer(file.text)])
    elif file.path.lower().endswith(".rst"):
        yield from _sections(file.text, [(m.start(), m[1]) for m in _RST_HEADING.finditer(file.text)])
    elif file.language or is_prose(file.path):
        for start, end in _divided(file.text, 0, len(file.text)):
            yield _Piece(start, end, CODE if file.language else TEXT)


# -- code ---------------------------------------------------------------------------------------------------


def _code_pieces(text: bytes, facts: FileFacts) -> Iterator[_Piece]:
    keys = symbol_keys(facts)
    chosen = [i for i in range(len(facts.symbols)) if _is_unit(facts.symbols, i)]
    chosen.sort(key=lambda i: (facts.symbols[i].start, -facts.symbols[i].end))
    labels = _labelled(facts, set(chosen))
    yield from sorted(_spans(text, facts.symbols, keys, chosen, labels), key=lambda piece: (piece.start, -piece.end))


def _labelled(facts: FileFacts, chosen: set[int]) -> list[tuple[int, str]]:
    """(position, name) of what a file or a type defines besides its units: variables, constants, fields."""
    outer = {i for i, scope in enumerate(facts.scopes) if scope.kind in ("module", "class")}
    found = {
        (b.name_start if b.name_start != NONE else b.pos - 1, b.name)
        for b in facts.bindings
        if b.scope in outer and b.kind in ("local", "field")
    }
    found |= {(s.start, s.name) for i, s in enumerate(facts.symbols) if i not in chosen and s.kind in LABEL_KINDS}
    return sorted(found)


def _is_unit(symbols: Sequence[Symbol], index: int) -> bool:
    symbol = symbols[index]
    if symbol.flags & Flag.MINOR or symbol.kind in LABEL_KINDS:
        return False
    parent = symbol.parent
    while parent != NONE:
        if symbols[parent].kind in CALLABLE_KINDS:
            return False
        parent = symbols[parent].parent
    return True


def _spans(
    text: bytes,
    symbols: Sequence[Symbol],
    keys: Sequence[str],
    chosen: Sequence[int],
    labels: Sequence[tuple[int, str]],
) -> Iterator[_Piece]:
    """Units from definitions that are nested like brackets, given in order of position."""
    open_: list[tuple[Symbol | None, str, int]] = [(None, "", 0)]  # container, its key, where its next gap starts
    for place, index in enumerate(chosen):
        symbol = symbols[index]
        while (top := open_[-1][0]) is not None and symbol.start >= top.end:
            yield from _close(text, open_, labels)
        top, key, reached = open_[-1]
        if symbol.start < reached:
            continue  # overlaps its predecessor: damaged code
        symbol = _with_comment(text, reached, symbol)
        yield from _gap(text, top, key, reached, symbol.start, labels)
        members = (
            symbol.kind not in CALLABLE_KINDS
            and place + 1 < len(chosen)
            and symbols[chosen[place + 1]].start < symbol.end
        )
        if members:
            first = _with_comment(text, symbol.start, symbols[chosen[place + 1]]).start
            if symbol.kind not in SPACE_KINDS:
                header = _definition(text, symbol, keys[index], first, labels)
                yield msgspec.structs.replace(header, members=_members(symbols, index))
            open_.append((symbol, keys[index], first if symbol.kind not in SPACE_KINDS else _body(symbol)))
        else:
            yield _definition(text, symbol, keys[index], symbol.end, labels)
            open_[-1] = (top, key, symbol.end)
    while len(open_) > 1:
        yield from _close(text, open_, labels)
    yield from _gap(text, None, "", open_[0][2], len(text), labels)


def _with_comment(text: bytes, reached: int, symbol: Symbol) -> Symbol:
    """A definition with the comment in front of it, where that is none of its own already.

    Blank lines between them don't count: formatters drop them.
    """
    if text.startswith((b"//", b"/*"), symbol.start):
        return symbol
    comment = text[reached : symbol.start].rstrip()
    if comment.endswith(b"*/"):
        start = comment.rfind(b"/*")
        first = comment.rfind(b"\n", 0, max(start, 0)) + 1
        if start < 0 or comment[first:start].strip():
            return symbol
    else:
        lines = comment.split(b"\n")
        count = 0
        while count < len(lines) and lines[-1 - count].lstrip().startswith(b"//"):
            count += 1
        if not count:
            return symbol
        start = len(comment) - len(b"\n".join(lines[len(lines) - count :]).lstrip())
    return msgspec.structs.replace(symbol, start=reached + start)


def _close(
    text: bytes, open_: list[tuple[Symbol | None, str, int]], labels: Sequence[tuple[int, str]]
) -> Iterator[_Piece]:
    container, key, reached = open_.pop()
    if container is not None:
        yield from _gap(text, container, key, reached, container.end, labels)
        outer, outer_key, _ = open_[-1]
        open_[-1] = (outer, outer_key, container.end)


def _body(symbol: Symbol) -> int:
    return symbol.body_start if symbol.body_start != NONE else symbol.start


def _definition(text: bytes, symbol: Symbol, key: str, end: int, labels: Sequence[tuple[int, str]]) -> _Piece:
    end = symbol.start + len(text[symbol.start : end].rstrip())
    named = _labels(labels, symbol.start, end) if symbol.kind not in CALLABLE_KINDS else ()
    return _Piece(
        symbol.start,
        end,
        symbol.kind,
        symbol.name,
        symbol.qual,
        key,
        symbol.signature,
        symbol.doc,
        labels=named,
        test=_is_test(symbol),
    )


def _members(symbols: Sequence[Symbol], container: int) -> tuple[str, ...]:
    return tuple(symbol.signature or symbol.name for symbol in symbols if symbol.parent == container)


def _gap(
    text: bytes, container: Symbol | None, key: str, start: int, end: int, labels: Sequence[tuple[int, str]]
) -> Iterator[_Piece]:
    for low, high in _divided(text, start, end):
        qual, test = (container.qual, _is_test(container)) if container else ("", False)
        yield _Piece(low, high, CODE, "", qual, key, labels=_labels(labels, low, high), test=test)


def _is_test(symbol: Symbol) -> bool:
    return bool(symbol.flags & Flag.TEST)


def _labels(labels: Sequence[tuple[int, str]], start: int, end: int) -> tuple[str, ...]:
    return tuple(name for position, name in labels if start <= position < end)


# -- text ---------------------------------------------------------------------------------------------------


def _sections(text: bytes, headings: Sequence[tuple[int, bytes]]) -> Iterator[_Piece]:
    """A section reaches to the next heading of any level."""
    starts = [0, *(start for start, _ in headings)]
    titles = ["", *(title.decode("utf-8", "replace").strip() for _, title in headings)]
    for start, end, title in zip(starts, [*starts[1:], len(text)], titles, strict=True):
        for low, high in _divided(text, start, end):
            yield _Piece(low, high, SECTION, title, title)


def _divided(text: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A span without its outer blank lines, divided at blank lines where it is long."""
    if end - start < 2 * PIECE_WORDS:  # words have something between them
        yield from _trimmed(text, start, end)
        return
    low = start
    count = 0
    for match in _LINE.finditer(text, start, end):
        if words := len(_WORDS.findall(match[0])):
            count += words
        elif count >= PIECE_WORDS and not match[0].strip():
            yield from _trimmed(text, low, match.start())
            low, count = match.end(), 0
    yield from _trimmed(text, low, end)


def _trimmed(text: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if left < right:
        yield start + left, start + right


# -- rows ---------------------------------------------------------------------------------------------------


def _made(file: SourceFile, piece: _Piece, lines: LineTable, framework: str, prose_of: ProseOf) -> Made:
    code = file.text[piece.start : piece.end].decode("utf-8", "replace")
    parts, words = code.split(), words_of(code)
    container = piece.qual.rpartition(".")[0]
    layer = layer_of(
        file.path, test=file.test or piece.test, generated=file.generated, name=piece.name, container=container
    )
    doc = piece.doc or (doc_text(file.text[piece.start : piece.end]) if piece.symbol else "")
    subject = _subject(file.language, piece, parts)
    prose = prose_of(subject) if subject else None
    purpose = f"{prose.searched} {doc}" if prose else doc
    text = embedded_text(piece.kind, piece.qual, file.path, purpose, words, layer=layer, framework=framework)
    fields = _fields(file.path, piece, [*words, *words_of(prose.searched)] if prose else words)
    row = UnitRow(
        symbol=piece.symbol,
        name=piece.name,
        qual=piece.qual,
        kind=piece.kind,
        start=piece.start,
        end=piece.end,
        first_line=lines.position(piece.start)[0] + 1,
        last_line=lines.position(max(piece.start, piece.end - 1))[0] + 1,
        layer=layer,
        framework=framework,
        signature=piece.signature,
        shape=content_hash(" ".join(parts).encode()),
        subject=subject,
        prose=prose_hash(prose),
        content_hash=content_hash(text.encode("utf-8", "surrogatepass")),
        words=fields,
        packed=pack_words(fields),
    )
    return Made(row, text)


def prose_hash(prose: Prose | None) -> bytes:
    """Tells apart what a unit was made with; empty without prose."""
    return content_hash(msgspec.json.encode(prose)) if prose else b""


def _subject(language: str, piece: _Piece, parts: Sequence[str]) -> str:
    """What prose about a definition is kept under: its name and its text without white space, wherever it stands.

    "" for no definition.  Its documentation is a part of it.  A container is known by its header and the signatures of
    what it holds.
    """
    if not piece.symbol or piece.kind == CODE:
        return ""
    return combined_hash(language, piece.kind, piece.qual, "".join(parts), "\0".join(piece.members)).hex()


def _fields(path: str, piece: _Piece, code: Sequence[str]) -> tuple[str, str, str]:
    names = words_of(" ".join((piece.name, *piece.labels)))
    return term_text(names), _place_terms(path), term_text(code)


@lru_cache(maxsize=_FILES)
def _place_terms(path: str) -> str:
    stem, folders = place_of(path)
    return term_text(words_of(" ".join((stem, stem, *folders))))


@lru_cache(maxsize=_FILES)
def _place_text(path: str) -> str:
    stem, folders = place_of(path)
    return " ".join(" ".join(pieces(part)) for part in (*folders, stem))


def embedded_text(
    kind: str, qual: str, path: str, doc: str, code: Sequence[str], *, layer: str = "", framework: str = ""
) -> str:
    """What of a unit is embedded: what it is and what it is for first, then the words of its code.

    White space and punctuation don't reach it, so reformatted code has the same text.
    """
    head = " ".join(part for part in (layer, framework, kind, " ".join(pieces(qual.replace(".", "_")))) if part)
    purpose = " ".join(doc.split())[:DOC_CHARS]
    return f"{head}. {_place_text(path)}. {purpose}\n{thin(code, TEXT_CHARS)}"[:TEXT_CHARS]
