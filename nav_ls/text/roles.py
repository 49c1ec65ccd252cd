"""What part a file plays, by its path alone."""

from __future__ import annotations

import re
from functools import lru_cache

_FOLDER = r"(^|/)(tests?|__tests__|__mocks__|specs?|testing|testdata|test[-_]?data|fixtures|e2e|[^/]*[-._][Tt]ests?|Tests?|[a-z]+Tests?|tests?[-._][^/]*)/"
_FILE = r"(^|/)(test_[^/]*|tests|conftest|[^/]*[._-](test|tests|spec|e2e)|[^/]*(Tests?|Spec|IT|TestCase))\.[^/.]+$"
_TEST = re.compile(f"{_FOLDER}|{_FILE}")
# Python's `test` and `testing` packages are as often what tests are written with as tests themselves.
_PYTHON = re.compile(
    r"(^|/)(tests|testdata|test[-_]data|fixtures|e2e|[^/]*[-_.]tests)/|(^|/)(test_[^/]*|tests|conftest|[^/]*_tests?)\.pyi?$"
)


@lru_cache(maxsize=256)
def is_test(path: str) -> bool:
    """Whether a path is that of a test, or of what only tests use, by the conventions of the common languages."""
    pattern = _PYTHON if path.endswith((".py", ".pyi")) else _TEST
    return pattern.search(path) is not None


def is_declaration(path: str) -> bool:
    """Whether a file declares for compilers and checkers what is written elsewhere."""
    return path.endswith((".d.ts", ".d.mts", ".d.cts", ".pyi"))
