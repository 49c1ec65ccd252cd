"""Globs of many stars fit what they should, and soon."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence

import pytest

from nav_ls.query.search import path_filter
from nav_ls.text.errors import UsageError
from nav_ls.text.globs import ACROSS, ANY, FOLDERS, expression
from nav_ls.text.ignore import parse

LONG = "/".join(["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"] * 6)
HOSTILE = ["**/" * 40 + "b", "*a" * 40 + "*b", "**a" * 40 + "b", "**/*a*a*a*a*a*a*a*a*/" * 12 + "b", "*" * 4000 + "b"]


@pytest.mark.parametrize("glob", HOSTILE)
def test_many_stars_take_no_time(glob: str) -> None:
    began = time.process_time()
    assert not path_filter([glob])(LONG)
    pattern = parse("/" + glob)
    assert pattern is not None
    assert pattern.regex.fullmatch(LONG) is None
    assert time.process_time() - began < 2.0


def test_one_longer_than_any_path_is_refused() -> None:
    with pytest.raises(UsageError, match="longer than any path"):
        path_filter(["x" * 1_000_000])


def _plain(parts: Sequence[str]) -> str:
    """The same, written out star by star."""
    return "".join({ANY: "[^/]*", ACROSS: ".*", FOLDERS: "(?:.*/)?"}.get(part, part) for part in parts)


def test_they_fit_what_a_plain_expression_fits() -> None:
    chance = random.Random(7)
    fitted = 0
    for _ in range(4000):
        parts: list[str] = []
        for _ in range(chance.randrange(1, 9)):
            part = chance.choice(["a", "b", "/", "[^/]", ANY, ACROSS, FOLDERS])
            if part != FOLDERS or not parts or parts[-1] == "/":
                parts.append(part)
        path = "".join(chance.choice("aab/") for _ in range(chance.randrange(10)))
        expected = re.fullmatch(_plain(parts), path) is not None
        assert (re.fullmatch(expression(parts), path) is not None) is expected, (parts, path)
        fitted += expected
    assert fitted > 200


def test_folders_stand_between_slashes() -> None:
    fits = path_filter(["a**/b"])
    assert fits("a/b")
    assert fits("ax/y/b")
    assert not fits("ab")
