"""Ignore files with git's rules: nested, negated, the last pattern that fits wins, deeper files win over higher ones."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

_POSIX_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class Pattern(msgspec.Struct, frozen=True):
    """One line of an ignore file.  `anchored`: matched against the whole path below the file's folder, else the name."""

    regex: re.Pattern[str]
    negated: bool
    folders_only: bool
    anchored: bool


def parse(line: str) -> Pattern | None:
    """The pattern of a line; None for comments, empty lines and patterns that can match nothing."""
    line = line.removesuffix("\n").removesuffix("\r")
    line = _without_trailing_spaces(line)
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    line = line[negated:]
    folders_only = line.endswith("/")
    line = line.removesuffix("/")
    anchored = "/" in line
    try:
        expression = _translate(line.removeprefix("/"), anchored)
        return Pattern(re.compile(expression, re.DOTALL), negated, folders_only, anchored) if expression else None
    except re.error:
        return None


class IgnoreTree:
    """The ignore files of a root and of the folders below it, each read when it is first needed."""

    def __init__(self, root: Path, names: tuple[str, ...]) -> None:
        self._root = root
        self._names = names
        self._patterns: dict[str, tuple[Pattern, ...]] = {}
        self._folders: dict[str, bool] = {"": False}

    def ignored(self, path: str) -> bool:
        """Whether a file is excluded, by its own name or through one of the folders that it lies in."""
        return self._folder_ignored(path.rpartition("/")[0]) or self.ignored_here(path, is_folder=False)

    def ignored_here(self, path: str, is_folder: bool) -> bool:
        """The same for a path whose folders are known not to be excluded."""
        name = path.rpartition("/")[2]
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            below = path[len(folder) + 1 :] if folder else path
            for pattern in self._of(folder):
                if pattern.folders_only and not is_folder:
                    continue
                if pattern.regex.fullmatch(below if pattern.anchored else name):
                    return not pattern.negated
        return False

    def _folder_ignored(self, folder: str) -> bool:
        known = self._folders.get(folder)
        if known is None:
            # A file below an excluded folder cannot be included again.
            known = self._folder_ignored(folder.rpartition("/")[0]) or self.ignored_here(folder, is_folder=True)
            self._folders[folder] = known
        return known

    def _of(self, folder: str) -> tuple[Pattern, ...]:
        """The patterns of one folder, the one that wins first."""
        known = self._patterns.get(folder)
        if known is None:
            lines = [line for name in self._names for line in self._read(folder, name)]
            known = tuple(pattern for pattern in map(parse, reversed(lines)) if pattern is not None)
            self._patterns[folder] = known
        return known

    def _read(self, folder: str, name: str) -> list[str]:
        path = self._root / folder / name
        try:
            if path.is_symlink() or not path.is_file():
                return []
            return path.read_text("utf-8", "surrogateescape").removeprefix("\ufeff").split("\n")
        except OSError:
            return []


def _without_trailing_spaces(line: str) -> str:
    bare = line.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    if len(bare) < len(line) and backslashes % 2:
        return bare + " "  # the first of them is escaped
    return bare


def _translate(pattern: str, anchored: bool) -> str:
    """A regular expression; "" where the pattern can match nothing."""
    parts: list[str] = []
    index = 0
    while index < len(pattern):
        char = pattern[index]
        if char == "*":
            text, index = _stars(pattern, index, anchored)
        elif char == "?":
            text, index = "[^/]", index + 1
        elif char == "[":
            text, index = _bracket(pattern, index)
        elif char == "\\":
            if index + 1 == len(pattern):
                return ""
            text, index = re.escape(pattern[index + 1]), index + 2
        else:
            text, index = re.escape(char), index + 1
        parts.append(text)
    return "".join(parts)


def _stars(pattern: str, index: int, anchored: bool) -> tuple[str, int]:
    end = index
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    whole = end - index == 2 and (index == 0 or pattern[index - 1] == "/")
    if anchored and whole and end == len(pattern):
        return ".+" if index else ".*", end
    if anchored and whole and pattern[end] == "/":
        return "(?:.*/)?", end + 1
    return "[^/]*", end


def _bracket(pattern: str, index: int) -> tuple[str, int]:
    """The class that starts at `index`; raises re.error where it is not closed (such a pattern matches nothing)."""
    at = index + 1
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    members: list[str] = []
    first = True
    while at < len(pattern) and (first or pattern[at] != "]"):
        first = False
        if pattern.startswith("[:", at) and ":]" in pattern[at:]:
            end = pattern.index(":]", at)
            name = pattern[at + 2 : end]
            if name not in _POSIX_CLASSES:
                raise re.error(f"no class {name}")
            members.append(_POSIX_CLASSES[name])
            at = end + 2
            continue
        low, at = _member(pattern, at)
        if pattern.startswith("-", at) and at + 1 < len(pattern) and pattern[at + 1] != "]":
            high, at = _member(pattern, at + 1)
            members.append(f"{re.escape(low)}-{re.escape(high)}" if low <= high else "")
        else:
            members.append(re.escape(low))
    if at >= len(pattern):
        raise re.error("unclosed class")
    inner = "".join(members)
    if not inner:
        return ("[^/]" if negated else "(?!)"), at + 1
    return f"(?!/)[{'^' if negated else ''}{inner}]", at + 1


def _member(pattern: str, at: int) -> tuple[str, int]:
    if pattern[at] == "\\" and at + 1 < len(pattern):
        return pattern[at + 1], at + 2
    return pattern[at], at + 1
