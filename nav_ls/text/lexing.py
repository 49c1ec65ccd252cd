"""Code as tokens, without a grammar: good enough to compare two pieces of one language.

Comments and layout are gone.  In the *blind* form names that could be renamed without changing what the code does
(anything that is not called and not a member) are all alike, and so are the values of literals.
"""

from __future__ import annotations

import itertools
import re

_HASH_COMMENTS = frozenset({"python", "ruby", "bash", "elixir", "perl", "r"})
_STRINGS = rb'(?:[bBfFrRuU]{1,2}(?=["\']))?(?:"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`)'
_C_COMMENTS = rb"/\*.*?\*/|//[^\n]*"
_REST = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*|\d[\w.]*|->|=>|::|\?\.|==|!=|<=|>=|&&|\|\||[+\-*/%|&^]=|\*\*|[^\s\w]"
_ARROW_MEMBERS = frozenset({"c", "cpp", "php"})
"""Languages whose `->` leads to a member; elsewhere a type or a body stands behind it."""
_SLASH = re.compile(rb"(" + _C_COMMENTS + rb")|(" + _STRINGS + rb")|(" + _REST + rb")", re.S)
_HASH = re.compile(rb"(\#[^\n]*)|(" + _STRINGS + rb")|(" + _REST + rb")", re.S)
_WORD = re.compile(rb"[A-Za-z_$\x80-\xff]")

KEYWORDS = frozenset(
    b"""and as assert async await break case catch class const continue def default defer del do elif else end enum
    except export extends false False final finally fn for foreach from func function go goto if impl implements import
    in interface is lambda let loop match mut namespace new nil None not null or package pass pub raise range return
    select self static struct super switch this throw trait true True try type typeof union unless until use using var
    void when where while with yield""".split()
)

BRANCHES = frozenset(b"if elif else unless for foreach while until loop switch match when".split())
"""Keywords at which code may go one way or another."""

NAME, NUMBER, STRING = b"N", b"0", b"S"


def tokens(text: bytes, language: str) -> list[bytes]:
    """The tokens of a piece of code, comments left out."""
    pattern = _HASH if language in _HASH_COMMENTS else _SLASH
    return [text_ or other for comment, text_, other in pattern.findall(text) if not comment]


def statements(found: list[bytes]) -> list[bytes]:
    """Of the tokens behind a function's name those behind its parameters: what it takes is not what it does."""
    depth = 0
    for place, token in enumerate(found if found[:1] and found[0] in (b"(", b"<", b"[") else ()):
        depth += (token in (b"(", b"[")) - (token in (b")", b"]"))
        if token == b")" and not depth:
            return found[place + 1 :]
    return found


def blind(found: list[bytes], language: str) -> list[bytes]:
    """Tokens with all that a renaming may change made alike; what is called and members keep their names."""
    members = (b".", b"::", b"?.", b"->") if language in _ARROW_MEMBERS else (b".", b"::", b"?.")
    out: list[bytes] = []
    for place, token in enumerate(found):
        first = token[:1]
        if token[-1:] in (b'"', b"'", b"`"):
            out.append(STRING)
        elif first.isdigit():
            out.append(NUMBER)
        elif (
            token in KEYWORDS
            or not _WORD.match(token)
            or found[place + 1 : place + 2] == [b"("]
            or (place and found[place - 1] in members)
        ):
            out.append(token)
        else:
            out.append(NAME)
    return out


def calls(found: list[bytes]) -> int:
    """How many names an opening parenthesis follows: calls, and the heads of functions."""
    return sum(
        after == b"(" and bool(_WORD.match(token)) and token not in KEYWORDS
        for token, after in itertools.pairwise(found)
    )
