"""Globs as regular expressions that take little time, whatever the glob: they come from people, agents and repositories.

Written out star by star, a glob of many stars tries every way to share a path among them, and their number grows with
each. A star need only find the first place where what stands behind it fits, since the next star takes what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

ANY = "[^/]*?"
"""A star within one name."""

ACROSS = ".*?"
"""A star that crosses folders."""

FOLDERS = "(?:.*?/)??"
"""Any folders, or none; what stands before it ends with a slash."""

_CROSSING = frozenset([ACROSS, FOLDERS])
_WITHIN = frozenset([ANY])


def expression(parts: Sequence[str]) -> str:
    """The expression of a whole glob, for `fullmatch`: its stars, and expressions for one character each."""
    return "".join(_bound(parts, _CROSSING, _names))


def _names(parts: Sequence[str]) -> str:
    """What stands between two stars that cross folders: name by name."""
    out: list[str] = []
    start = 0
    for end in [*(at for at, part in enumerate(parts) if part == "/"), len(parts)]:
        out += _bound(parts[start:end], _WITHIN, "".join)
        out += parts[end : end + 1]
        start = end + 1
    return "".join(out)


def _bound(parts: Sequence[str], stars: frozenset[str], inner: Callable[[Sequence[str]], str]) -> Iterator[str]:
    """Every star with what stands behind it, held to the first place where that fits; the last one may look further."""
    at = [index for index, part in enumerate(parts) if part in stars]
    at.append(len(parts))
    yield inner(parts[: at[0]])
    for index, end in pairwise(at):
        text = parts[index] + inner(parts[index + 1 : end])
        yield text if end == len(parts) else f"(?>{text})"
