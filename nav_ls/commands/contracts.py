"""What an edit has changed of the contracts of definitions: their parameters, found in the texts before and after.

By the time that a hook runs the index may know the edit already, so the text before is worked out from the edit itself.
No parsing: a definition is the place where what stands before its name on its line stands before the same name again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from nav_ls.query.model import SymbolInfo
from nav_ls.syntax.facts import CALLABLE_KINDS

_OPEN, _CLOSE = "([{<", ")]}>"
_LONGEST = 20_000
"""Characters in which the parameters of a definition must end."""
_ASSIGNED = re.compile(r"\s*=\s*(?:async\s*)?(?:function\b\s*\w*\s*)?(?=[(<])")


def text_before(now: str, tool_input: Mapping[str, Any], tool_response: object) -> str | None:
    """The text of a file before a tool edited it; None where the edit does not tell.

    Hosts that hand over the original are taken at their word; a replacement is taken back.
    """
    if isinstance(tool_response, Mapping):
        original = tool_response.get("originalFile")
        if isinstance(original, str):
            return original
    edits = tool_input.get("edits")
    steps = [step for step in edits if isinstance(step, Mapping)] if isinstance(edits, list) else [tool_input]
    text = now
    for step in reversed(steps):
        old, new = step.get("old_string"), step.get("new_string")
        if not isinstance(old, str) or not isinstance(new, str) or not new or new not in text:
            return None
        text = text.replace(new, old, -1 if step.get("replace_all") is True else 1)
    return text


def changed(before: str, after: bytes, symbols: Iterable[SymbolInfo]) -> list[SymbolInfo]:
    """The callables of a file that were there before, with other parameters."""
    found = []
    for symbol in symbols:
        if symbol.kind not in CALLABLE_KINDS or not symbol.key:
            continue
        line_start = after.rfind(b"\n", 0, symbol.name_span.start) + 1
        lead = after[line_start : symbol.name_span.start].decode("utf-8", "replace").strip()
        name = after[symbol.name_span.start : symbol.name_span.end].decode("utf-8", "replace")
        rest = after[symbol.name_span.end : symbol.name_span.end + _LONGEST].decode("utf-8", "replace")
        known = set(_definitions(before, lead, name))
        if name and known and _parameters(rest) not in known:
            found.append(symbol)
    return found


def _definitions(text: str, lead: str, name: str) -> Iterable[str]:
    """The parameters of each definition of a name in a text."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        line_start = text.rfind("\n", 0, at) + 1
        if text[line_start:at].strip() == lead and not text[end : end + 1].isalnum():
            yield _parameters(text[end : end + _LONGEST])
        at = text.find(name, end)


def _parameters(text: str) -> str:
    """What stands behind a name: from `(`, or from `<` or `[` before it, to the `)` that ends it; "" for neither."""
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] not in ("(", "<", "["):
        assigned = _ASSIGNED.match(text)
        if assigned is None:
            return ""
        start = assigned.end()
    depth = 0
    for place in range(start, len(text)):
        char = text[place]
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE and text[place - 1 : place] not in ("-", "="):
            depth -= 1
            if depth == 0 and char == ")":
                return "".join(text[start : place + 1].split()).replace(",)", ")")
    return ""
