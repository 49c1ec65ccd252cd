"""C++: how a function takes its arguments and hands out its result, read from its header.

The types of an index do not tell references apart, and only overloads that fit alike otherwise need them.
"""

from __future__ import annotations

import re

from nav_ls.syntax.facts import Symbol

RVALUE = "rvalue"
LVALUE = "lvalue"
CONST_LVALUE = "const lvalue"

_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_REFERENCE = re.compile(r"&&?")
_LAST_REFERENCE = re.compile(r"(&&?)\s*$")
_NAME = re.compile(
    r"(?:\w+(?:<[^()]*>)?\s*::\s*)*~?\w+\s*$"
)  # with the classes that a definition outside of them names
_LOW, _GOOD, _BEST = 1, 2, 3


def passing(symbol: Symbol) -> tuple[str, ...]:
    """Of each parameter `const&`, `&`, `&&`, or nothing for a copy; empty where the header was cut short."""
    header = symbol.signature
    start = _parameters(symbol)
    if start < 0:
        return ()
    out: list[str] = []
    depth, begin = 0, start
    for place in range(start, len(header)):
        char = header[place]
        if depth == 0 and char in ",)":
            if header[begin:place].strip():
                out.append(_kind(header[begin:place]))
            if char == ")":
                return tuple(out)
            begin = place + 1
        elif char in _CLOSING:
            depth += 1
        elif char in ")]}>" and not (char == ">" and header[place - 1] == "-"):
            depth -= 1
    return ()


def handed_out(symbol: Symbol) -> str:
    """What a function's result is: `&`, `&&`, or nothing for a value."""
    start = _parameters(symbol)
    before = _NAME.sub("", symbol.signature[: max(0, start - 1)])
    found = _LAST_REFERENCE.search(before)
    return found.group(1) if found is not None else ""


def suits(how: str, category: str, deduced: bool) -> int:
    """How well a parameter takes an argument of a category (3 best); 0 where it cannot.

    `deduced`: its type is a parameter of the function's template, so that `&&` takes anything.
    """
    if how == "":
        return _BEST
    if how == "const&":
        return {CONST_LVALUE: _BEST, RVALUE: _GOOD}.get(category, _LOW)
    if how == "&":
        return {LVALUE: _BEST, CONST_LVALUE: _LOW if deduced else 0}.get(category, 0)
    return _BEST if category == RVALUE else _GOOD if deduced else 0


def _parameters(symbol: Symbol) -> int:
    """Where in its header a function's parameters begin."""
    found = re.search(rf"(?<![\w]){re.escape(symbol.name)}\s*\(", symbol.signature)
    return found.end() if found is not None else -1


def _kind(parameter: str) -> str:
    plain = re.sub(r"<.*>", "", parameter.partition("=")[0])
    found = _REFERENCE.search(plain)
    if found is None:
        return ""
    constant = re.search(r"\bconst\b", plain[: found.start()]) is not None and "*" not in plain
    return "const&" if constant and found.group() == "&" else found.group()
