"""How identifiers fall into parts: camelCase humps, snake_case words, runs of capitals, digits."""

from __future__ import annotations

import re

_JOINT = re.compile(r"::|(?<=\w)(?:->|#)(?=[^\W\d])")
_HUMP = re.compile(r"[^\W\d_]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])|[A-Z]|\d+")


def humps(name: str) -> list[str]:
    """The parts of a name: `getHTTPResponse2_x` → get, HTTP, Response, 2, x."""
    return _HUMP.findall(name)


def dotted(name: str) -> str:
    """A qualified name with dots, whichever language joined it: `Owner::name`, `Owner#name`, `owner->name`."""
    return _JOINT.sub(".", name)


def spoken(qual: str) -> str:
    """A qualified name as code writes it: without companion objects and what has no name (`Point.(struct).x`)."""
    if ".Companion." not in qual and ".(" not in qual:
        return qual
    *around, name = qual.split(".")
    return ".".join([*(part for part in around if part != "Companion" and not part.startswith("(")), name])


def search_words(name: str) -> str:
    """What a name is found by: its parts and their initials, in lower case, with spaces between them."""
    parts = [part.lower() for part in humps(name)]
    if len(parts) < 2:
        return " ".join(parts)
    return " ".join([*parts, "".join(part[0] for part in parts)])
