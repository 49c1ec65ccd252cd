"""How many tokens of a language model a text takes, roughly: enough to keep a budget, without a tokenizer."""

from __future__ import annotations

import re

_RUN = re.compile(r"[^\W\d_]+|\d+|_+|[^\w\s]|\n|[ \t]{2,}")
LETTERS = 6
"""Letters of a word that one token holds on average; the next ones cost another."""
DIGITS = 3


def estimate(text: str) -> int:
    """Tokens of a text: within a tenth or two of what the common tokenizers count on code, rather above than below."""
    count = 0
    for run in _RUN.findall(text):
        if run[0].isalpha():
            count += 1 + (len(run) - 1) // LETTERS if run.isascii() else len(run)
        elif run[0].isdigit():
            count += 1 + (len(run) - 1) // DIGITS
        else:
            count += 1
    return count
