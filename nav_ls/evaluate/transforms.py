"""Copies of a function as people make them: renamed, reordered, with a loop written otherwise.

All work on the text behind a function's name, for every language: the copy need not run, it has to look like what
somebody would have written.  Each gets (name, body) and returns the new body, None where it cannot be applied.
"""

from __future__ import annotations

import random
import re

from nav_ls.text.lexing import KEYWORDS

_NAME = re.compile(r"(?<![\w.$\"'])([a-z_]\w*)(?!\s*\(|\w|[\"'])")
"""Parameters and locals; types and constants, which begin with a capital, keep their names in a copy."""
_STATEMENT = re.compile(r"^\s*[\w.\[\]]+\s*(?::=|=|\+=|-=)\s*[^=]|^\s*[\w.]+\(.*\);?\s*$")
_FOR_EACH = (
    (re.compile(r"^(\s*)for (\w+) in (.+):$", re.M), r"\1for index in range(len(\3)):\n\1    \2 = \3[index]"),
    (re.compile(r"^(\s*)for \(const (\w+) of (.+)\) \{$", re.M), r"\1for (let index = 0; index < \3.length; index++) {\n\1  const \2 = \3[index];"),
    (re.compile(r"^(\s*)for _, (\w+) := range (.+) \{$", re.M), r"\1for index := 0; index < len(\3); index++ {\n\1\t\2 := \3[index]"),
    (re.compile(r"^(\s*)for \((?:final )?(\w[\w<>]*) (\w+) : (.+)\) \{$", re.M), r"\1for (int index = 0; index < \4.size(); index++) {\n\1  \2 \3 = \4.get(index);"),
)  # fmt: skip


def pasted(name: str, body: str, chance: random.Random) -> str | None:
    """The body as it is, under another name."""
    return body


def renamed(name: str, body: str, chance: random.Random) -> str | None:
    """Parameters and locals renamed."""
    kept = {word.decode() for word in KEYWORDS} | {"self", "this", name}
    found = dict.fromkeys(n for n in _NAME.findall(body) if n not in kept)
    if len(found) < 2:
        return None
    names = {old: f"{old[0]}{chance.randrange(10, 99)}{'xyzuvw'[i % 6]}" for i, old in enumerate(found)}
    return _NAME.sub(lambda m: names.get(m[1], m[1]), body)


def reordered(name: str, body: str, chance: random.Random) -> str | None:
    """Neighbouring statements swapped, wherever two simple ones of one block follow each other; and renamed."""
    lines = body.split("\n")
    swapped, place = False, 1
    while place < len(lines) - 2:
        first, second = lines[place], lines[place + 1]
        if _indent(first) == _indent(second) and _STATEMENT.match(first) and _STATEMENT.match(second):
            lines[place], lines[place + 1] = second, first
            swapped, place = True, place + 2
        else:
            place += 1
    return renamed(name, "\n".join(lines), chance) if swapped else None


def rewritten_loop(name: str, body: str, chance: random.Random) -> str | None:
    """A loop over elements written as a loop over indexes."""
    for pattern, replacement in _FOR_EACH:
        if pattern.search(body):
            return pattern.sub(replacement, body)
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


TRANSFORMS = {"pasted": pasted, "renamed": renamed, "reordered": reordered, "rewritten loop": rewritten_loop}
