"""Literals that look like secrets, taken out before code leaves for a model."""

from __future__ import annotations

import re

HIDDEN = "[redacted]"

_KNOWN = re.compile(
    r"AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}"  # AWS access keys
    r"|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,}|glpat-[A-Za-z0-9_-]{20,}"
    r"|xox[abprs]-[A-Za-z0-9-]{10,}"  # Slack
    r"|sk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}|AIza[0-9A-Za-z_-]{35}|sk_live_[0-9A-Za-z]{16,}|npm_[A-Za-z0-9]{36}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"  # JSON web tokens
)
# Where its end is not there, as much as may belong to it: what follows is somebody else's.
_KEY_BLOCK = re.compile(
    r"""(-----BEGIN [A-Z ]*PRIVATE KEY-----)(?:.*?(-----END [A-Z ]*PRIVATE KEY-----)|[\w+/=\s\\"',:-]*)""", re.DOTALL
)
# A name that says so, a separator, and a quoted value without spaces that is long and mixed enough to be no word.
_ASSIGNED = re.compile(
    r"""((?:passw(?:or)?d|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|auth)"""
    r"""[\w-]*["']?\s*(?::=|[:=]|=>)\s*(?:[bru]{0,2})["'])([^"'\s]{8,})(?=["'])""",
    re.IGNORECASE,
)
_LONG = 32
"""Characters from which one digit is mixture enough."""
_IN_URL = re.compile(r"(\w+://[^\s:/@\"']+:)([^\s@\"'/]{3,})(@)")


def redact(text: str) -> str:
    """The text with secret-looking literals replaced; everything else, lines included, stays as it is."""
    text = _KEY_BLOCK.sub(lambda found: f"{found[1]} {HIDDEN} {found[2] or ''}", text)
    text = _KNOWN.sub(HIDDEN, text)
    text = _IN_URL.sub(lambda found: found[0] if _is_placeholder(found[2]) else f"{found[1]}{HIDDEN}{found[3]}", text)
    return _ASSIGNED.sub(lambda found: f"{found[1]}{HIDDEN}" if _looks_random(found[2]) else found[0], text)


def _looks_random(value: str) -> bool:
    """Whether a value mixes letters and digits as no identifier or sentence does."""
    if _is_placeholder(value):
        return False
    digits = sum(char.isdigit() for char in value)
    letters = sum(char.isalpha() for char in value)
    return digits >= (1 if len(value) >= _LONG else 2) and letters >= 2 and len(set(value)) >= 6


def _is_placeholder(value: str) -> bool:
    return value[0] in "<{$%[" or HIDDEN in value or set(value) <= set("*x.X")
