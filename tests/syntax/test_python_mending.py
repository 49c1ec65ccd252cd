"""While somebody types, the definitions around stay what they were."""

from __future__ import annotations

import argparse
import ast
import inspect
from pathlib import Path

import pytest

from nav_ls.syntax.extract import extract
from nav_ls.syntax.rules.python_mending import mend

CODE = '''
import os


class Outer(Base):
    """A class."""

    limit = [
        1,
    ]

    @property
    def one(self):
        return self.limit

    @decorated("x")
    async def two(self, a=(1, 2)):
        """Two."""
        if a:
            call(
                a,
                *self.more,
            )
        return {"a": 1}

    class Inner:
        def three(self): pass


def four():
    x = 1
    with open("x") as file:
        return file
'''
HALF = [
    "call(", "x = call(a, ", "def typing(x, :", "def typing(x,", "def ", "class ", "class Typing(", "async def f(",
    "if call(a, b", "if x and", "while", "for x in", "with open(", "return {", "x = [1, 2", "x.", "x = y if", "x =",
    "@", '"""', "x = 'abc", "lambda", "import", "from x import (", "else", "x = f(g(1), h[", "@deco(", "assert",
]  # fmt: skip


def definitions(text: str) -> list[str]:
    return [symbol.qual for symbol in extract("a.py", text.encode(), "python").symbols]


@pytest.mark.parametrize("half", HALF)
def test_a_half_typed_line_swallows_no_definition(half: str) -> None:
    lines = CODE.split("\n")
    expected = set(definitions(CODE))
    assert {"Outer.Inner.three", "four"} < expected
    for number, line in enumerate(lines):
        if line.lstrip().startswith(("def", "async", "@", "class", "return", "x =", "if", "with")):
            indentation = line[: len(line) - len(line.lstrip())]
            typed = "\n".join([*lines[:number], indentation + half, *lines[number:]])
            missing = expected - set(definitions(typed))
            # What stands under a half typed decorator or header may be taken for its own.
            assert not missing, typed


def test_what_is_not_closed_is_told() -> None:
    facts = extract("a.py", b"x = call(\n\n\ndef after():\n    pass\n", "python")
    assert [(problem.kind, problem.start, problem.end) for problem in facts.problems] == [("syntax", 8, 9)]
    assert [(symbol.qual, symbol.start) for symbol in facts.symbols] == [("x", 0), ("after", 12)]


def test_mending_keeps_every_place() -> None:
    for half in HALF:
        text = f"{half}\n{CODE}\n{half}".encode()
        mended, _ = mend(text)
        assert len(mended) == len(text)
        assert [i for i, c in enumerate(mended) if c == 10] == [i for i, c in enumerate(text) if c == 10]


def test_code_that_is_whole_is_left_alone() -> None:
    for module in (ast, inspect, argparse):
        text = Path(str(module.__file__)).read_bytes()
        assert mend(text) == (text, [])
