"""Types in PHP's doc comments, as text: where one ends, and what it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TAG = re.compile(r"@(?:phpstan-|psalm-)?(return|var|param)\s+")
_VARIABLE = re.compile(r"\s*&?(?:\.\.\.)?\$(\w+)")
_TEMPLATE = re.compile(r"@(?:phpstan-|psalm-)?template(?:-\w+)?\s+(\w+)(?:\s+(?:of|as)\s+(\S+))?")
_ENTRY = re.compile(r"(?:(['\"]?)([\w-]+)\1\??\s*:(?!:))?\s*(.*)", re.S)
_OPENING, _CLOSING = "<({[", ">)}]"


def tags(doc: str) -> Iterator[tuple[str, str, str]]:
    """(return | var | param, type, variable or "") for each declaration of a comment, in order."""
    for found in _TAG.finditer(doc):
        end = _type_end(doc, found.end())
        named = _VARIABLE.match(doc, end)
        yield found[1], doc[found.end() : end], named[1] if named else ""


def templates(doc: str) -> dict[str, str]:
    """Type parameters → their bounds, "" where they have none."""
    return {found[1]: found[2] or "" for found in _TEMPLATE.finditer(doc)}


def split(text: str, separators: str) -> list[str]:
    """The parts of a type between separators that stand in no brackets."""
    parts, depth, begin = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if depth == 0 and letter in separators:
            parts.append(text[begin:place].strip())
            begin = place + 1
    return [*parts, text[begin:].strip()]


def shape(text: str) -> list[tuple[str, str]]:
    """(key, type) for each entry of `array{...}`, given what stands in the braces."""
    entries = [_ENTRY.fullmatch(part) for part in split(text, ",") if part and not part.startswith("...")]
    return [(entry[2] or str(place), entry[3]) for place, entry in enumerate(entries) if entry is not None]


def _type_end(doc: str, start: int) -> int:
    """Where the type that begins at `start` ends: at a space outside of brackets that no `|` or `:` stands beside."""
    depth = 0
    for place in range(start, len(doc)):
        letter = doc[place]
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if (
            depth <= 0
            and letter.isspace()
            and doc[place - 1] not in "|:"
            and not doc[place:].lstrip(" ").startswith("|")
        ):
            return place
    return len(doc)
