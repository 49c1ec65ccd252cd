"""What a check finds."""

from __future__ import annotations

import msgspec

from nav_ls.query.model import SymbolInfo


class Finding(msgspec.Struct, frozen=True):
    """One warning.

    rule: clone | sequence | dependency | bypass | deviation.  `score` 0 to 1: how sure the rule is.
    `path` and `line` (from 1) are where the change is; `instead` is what to use, None where there is no one thing.
    """

    rule: str
    path: str
    line: int
    symbol: str
    score: float
    message: str
    why: str
    instead: SymbolInfo | None = None
    package: str = ""


class Reuse(msgspec.Struct, frozen=True):
    """Where the calls that a change adds go: the repository's own definitions, its usual packages, new packages."""

    own: int = 0
    outside: int = 0
    unknown: int = 0

    @property
    def share(self) -> float:
        """The share of the calls with a known target that reuse the repository's own definitions."""
        known = self.own + self.outside
        return self.own / known if known else 1.0
