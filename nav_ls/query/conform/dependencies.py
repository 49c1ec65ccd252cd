"""A second package for a purpose that one serves already."""

from __future__ import annotations

from nav_ls.query.conform.change import Change
from nav_ls.query.conform.model import Finding
from nav_ls.query.conform.packages import purpose_of
from nav_ls.text.diff import FileChange

_USERS = 2
"""Files that use a package before it is what this repository uses."""


def find(change: Change) -> list[Finding]:
    """Imports of packages that are new here, where another one has the same purpose."""
    found = []
    for path, lines in change.files.items():
        if change.in_tests(path):
            continue
        text = change.read(path) or b""
        for link in change.snapshot.relations_of(path):
            if link.kind != "imports" or not link.outside:
                continue
            line, purpose = _line_naming(text, link.outside, lines), purpose_of(link.outside)
            if line and purpose:
                found += _second(change, path, line, link.outside, *purpose)
    return found


def _second(change: Change, path: str, line: int, package: str, purpose: str, known_as: str) -> list[Finding]:
    if _users(change, package) - set(change.files) or change.named_before(package.encode()):
        return []
    others = {name: _users(change, name) for name in change.packages if _serves(name, purpose, known_as)}
    usual = max(others, key=lambda name: (len(others[name]), name), default="")
    users = others.get(usual, set()) - set(change.files)
    if len(users) < _USERS:
        return []
    message = f"{package} is {purpose}; this repository uses {usual}"
    why = f"{usual} is imported by {len(users)} files, such as {min(users)}; {package} by none before"
    score = round(min(0.95, 0.6 + 0.05 * len(users)), 2)
    return [Finding("dependency", path, line, package, score, message, why, package=usual)]


def _users(change: Change, package: str) -> set[str]:
    found = {link.source.path for link in change.snapshot.relations_outside(package) if link.kind == "imports"}
    return {path for path in found if not change.in_tests(path)}


def _serves(package: str, purpose: str, known_as: str) -> bool:
    found = purpose_of(package)
    return found is not None and found[0] == purpose and found[1] != known_as


def _line_naming(text: bytes, package: str, lines: FileChange) -> int:
    """The new line that imports a package, 0 where none does."""
    new = [
        (number, line)
        for number, line in enumerate(text.split(b"\n"), 1)
        if any(a <= number <= b for a, b in lines.added)
    ]
    # In some languages its parts may stand apart: `from urllib import request`.
    needles = (package.encode(), package.split(".")[0].encode() if "/" not in package else package.encode())
    return next((number for needle in needles for number, line in new if needle in line), 0)
