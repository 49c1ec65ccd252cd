"""A file's bytes as normalised text: UTF-8, no byte order mark, no NULs."""

from __future__ import annotations

import codecs
import re

import msgspec

SAMPLE = 8192
"""How many bytes are looked at to tell text from binary data."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the same two bytes
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_CONTROL = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x1b")) + b"\x7f"
_VALID_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


class Source(msgspec.Struct, frozen=True):
    """Normalised text.

    `text` is UTF-8 without a byte order mark; `encoding` is what the file was read as; `ascii` says that one
    byte is one character everywhere; `bom` that a mark was taken off; `damaged` counts characters that had to
    be replaced (undecodable ones, NULs).
    """

    text: bytes
    encoding: str = "utf-8"
    ascii: bool = False
    bom: bool = False
    damaged: int = 0


def decode(data: bytes) -> Source:
    """Normalise a file's bytes.  Never fails: what cannot be decoded is replaced and counted."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding, bom=True)
    if data.isascii():
        return _finish(data, "utf-8", ascii_only=True)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _decoded(data, _declared(data) or _guess(data), bom=False)
    return _finish(data, "utf-8")


def from_text(text: str) -> Source:
    """Normalise the text of an editor's buffer (lone surrogates are replaced)."""
    data = text.encode("utf-8", "replace")
    return _finish(data, "utf-8", ascii_only=data.isascii())


def is_binary(data: bytes) -> bool:
    """Whether this is no text: more than a few control characters near the start, and no mark of UTF-16 or UTF-32."""
    head = data[:SAMPLE]
    if any(head.startswith(mark) for mark, _ in _BOMS):
        return False
    control = len(head) - len(head.translate(None, _CONTROL))
    return control * 50 > len(head)


def _finish(text: bytes, encoding: str, *, ascii_only: bool = False, bom: bool = False, damaged: int = 0) -> Source:
    # A NUL means "end of input" to several grammars; a space keeps every offset and loses nothing.
    nuls = text.count(b"\0")
    if nuls:
        text = text.replace(b"\0", b" ")
    return Source(text, encoding, ascii_only, bom, damaged + nuls)


def _decoded(data: bytes, encoding: str, *, bom: bool) -> Source:
    decoded = data.decode(encoding, "replace")
    text = decoded.encode("utf-8", "replace")
    # Some codecs turn other bytes into a byte order mark; it would take a column that no editor counts.
    if text.startswith(codecs.BOM_UTF8):
        text, bom = text[len(codecs.BOM_UTF8) :], True
    return _finish(text, encoding, ascii_only=text.isascii(), bom=bom, damaged=decoded.count("\ufffd"))


def _declared(data: bytes) -> str | None:
    """The encoding that a Python-style coding comment in the first two lines names."""
    for line in data[:400].splitlines()[:2]:
        found = _CODING.match(line)
        if found is None:
            continue
        name = found[1].decode("ascii", "replace")
        try:
            "".encode(name)
        except (LookupError, UnicodeError, ValueError):
            return None  # unknown, or not a text encoding ("hex", "rot13")
        return name
    return None


def _guess(data: bytes) -> str:
    """UTF-8 with a few broken bytes, or Latin-1?  Whichever explains more of the bytes above 127."""
    explained = sum(map(len, _VALID_SEQUENCE.findall(data)))
    high = len(data) - len(data.translate(None, bytes(range(128, 256))))
    return "utf-8" if explained * 2 > high else "latin-1"
