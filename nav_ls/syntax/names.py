"""The names in one file that may mean variables, told apart by how they stand there.

Which nodes of a tree they are says `queries/<language>/locals.scm`.  Captures: `name` (a mention), `write` (one that
is assigned), `receiver` (`this`, `self` as a keyword), `keyword` (a parameter that an argument names), `other` (it
looks like a name, and is a member, a label or a key), `format` (a text with names in braces).  Where a node has several, the last of them in this list counts.
What the names mean is not asked here: the scopes and bindings of the file's facts tell (`nav_ls.graph.locals`).
"""

from __future__ import annotations

import re

import msgspec
import tree_sitter as ts

from nav_ls.syntax.facts import NONE

_ROLES = ("name", "write", "receiver", "keyword", "other")
_INTERPOLATED = re.compile(rb"(?<!\{)\{([A-Za-z_]\w*)(?=[:}])")
_ARGUMENTS = frozenset({"argument_list", "arguments", "value_arguments", "call_suffix"})


class Name(msgspec.Struct, frozen=True, array_like=True):
    """One name: `role` is a capture of the query; `callee`: where the name of what a keyword is handed to begins."""

    start: int
    end: int
    role: str
    callee: int = NONE


def read_names(query: ts.Query, root: ts.Node) -> tuple[Name, ...]:
    """The names below a node, by place."""
    captures = ts.QueryCursor(query).captures(root)
    found: dict[int, Name] = {}
    for node in captures.get("format", ()):
        for match in _INTERPOLATED.finditer(node.text or b""):
            start, end = (node.start_byte + place for place in match.span(1))
            found[start] = Name(start, end, "name")
    for role in _ROLES:
        for node in captures.get(role, ()):
            callee = _callee(node) if role == "keyword" else NONE
            found[node.start_byte] = Name(node.start_byte, node.end_byte, role, callee)
    return tuple(found[start] for start in sorted(found) if found[start].role != "other")


def _callee(keyword: ts.Node) -> int:
    """Where the name begins of what a call calls in whose arguments a keyword stands."""
    node: ts.Node | None = keyword
    while node is not None and node.type not in _ARGUMENTS:
        node = node.parent
    while node is not None and node.prev_named_sibling is None:
        node = node.parent
    callee = node.prev_named_sibling if node is not None else None
    while callee is not None and callee.named_children:
        callee = callee.named_children[-1]
    return callee.start_byte if callee is not None else NONE
