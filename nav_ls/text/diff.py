"""Unified diffs as values: which lines of which file are new."""

from __future__ import annotations

import re

import msgspec

from nav_ls.text.errors import UsageError

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


_PREFIXES = ("a/", "b/", "c/", "i/", "o/", "w/")
"""What git writes before paths, with `diff.mnemonicPrefix` too."""


class FileChange(msgspec.Struct, frozen=True):
    """`added`: ranges of new or changed lines in the new file, `[first, last]` from 1; `old`: its path before, "" for a
    new file."""

    path: str
    added: tuple[tuple[int, int], ...]
    old: str = ""

    def share(self, first: int, last: int) -> float:
        """Which share of the lines `first` to `last` is new, 0 to 1."""
        lines = sum(max(0, min(last, b) - max(first, a) + 1) for a, b in self.added)
        return lines / max(1, last - first + 1)


def parse(diff: str) -> tuple[FileChange, ...]:
    """The changes of a diff, deleted files left out.  Raises UsageError for what is no unified diff."""
    files: list[tuple[str, str, list[tuple[int, int]]]] = []
    old, line, left, deleted = "", 0, 0, 0
    for text in diff.split("\n"):  # not splitlines: the lines that are compared may hold form feeds and the like
        sign = text[:1] or " "
        if (left > 0 or deleted > 0) and sign in "+- \\":
            if sign == "+":
                _extend(files[-1][2], line)
            line, left = (line + 1, left - 1) if sign in "+ " else (line, left)
            deleted -= sign in "- "
        elif text.startswith("--- "):
            old = _name(text[4:])
        elif text.startswith("+++ "):
            files.append((_name(text[4:]), "" if old == "/dev/null" else old, []))
        elif files and (match := _HUNK.match(text)):
            deleted, line, left = int(match[1] or 1), int(match[2]), int(match[3] or 1)
    # A file that is only renamed, or binary, has a head and no lines.
    if not files and diff.strip() and not diff.startswith("diff --git "):
        raise UsageError("this is no unified diff: no line begins with '+++ '")
    return tuple(FileChange(path, tuple(added), old) for path, old, added in files if added and path != "/dev/null")


def _extend(added: list[tuple[int, int]], line: int) -> None:
    if added and added[-1][1] == line - 1:
        added[-1] = (added[-1][0], line)
    else:
        added.append((line, line))


def _name(text: str) -> str:
    name = text.split("\t")[0].removesuffix("\r")
    if name.startswith('"') and name.endswith('"'):
        name = (
            name[1:-1]
            .encode("latin-1", "backslashreplace")
            .decode("unicode_escape")
            .encode("latin-1")
            .decode("utf-8", "replace")
        )
    return name[2:] if name[:2] in _PREFIXES else name
