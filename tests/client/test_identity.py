"""Which of two programs is the newer nav."""

from __future__ import annotations

import pytest

from nav_ls.client import identity


@pytest.mark.parametrize(
    ("version", "build", "newer"),
    [
        ("1.2.0", "aa-10", False),
        ("1.2.0", "aa-11", True),
        ("1.2.0", "aa-100", True),
        ("1.2.0", "aa-f", False),
        ("1.2.0", "bb-1", True),
        ("1.2.0", "", True),
        ("1.3.0", "aa-1", True),
        ("1.1.9", "aa-ff", False),
        ("1.2.0", "aa-nonsense", False),
    ],
)
def test_what_is_newer(monkeypatch: pytest.MonkeyPatch, version: str, build: str, newer: bool) -> None:
    monkeypatch.setattr(identity, "version", lambda: "1.2.0")
    monkeypatch.setattr(identity, "build", lambda: "aa-10")
    assert identity.is_newer(version, build) is newer
