"""Ignore files with git's rules: nested, negated, the last pattern that fits wins, deeper files win over higher ones.

git compares bytes: a `?` or a class is one byte of a name in UTF-8.  Here each byte is a character.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

import msgspec

from nav_ls.text import globs

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
_FLAGS = re.DOTALL | re.ASCII


class Pattern(msgspec.Struct, frozen=True):
    """One line of an ignore file.  `anchored`: matched against the whole path below the file's folder, else the name."""

    regex: re.Pattern[str]
    negated: bool
    folders_only: bool
    anchored: bool


def parse(line: str) -> Pattern | None:
    """The pattern of a line; None for comments, empty lines and patterns that can match nothing."""
    line = _without_trailing_spaces(_bytes(line.removesuffix("\n").removesuffix("\r")))
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    line = line[negated:]
    folders_only = line.endswith("/")
    line = line.removesuffix("/")
    anchored = "/" in line
    try:
        expression = _translate(line.removeprefix("/"), anchored)
        return Pattern(re.compile(expression, _FLAGS), negated, folders_only, anchored) if expression else None
    except re.error:
        return None


def outermost_first(folder: str, known: Container[str]) -> Iterator[str]:
    """A folder and those that it lies in ("": the root), up to the first that is `known`, the outermost first.

    They may lie deeper in each other than functions may call each other.
    """
    missing = []
    while folder not in known:
        missing.append(folder)
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    return reversed(missing)


class IgnoreTree:
    """The ignore files of a root and of the folders below it, each read when it is first needed."""

    def __init__(self, root: Path, names: tuple[str, ...]) -> None:
        self._root = os.fspath(root)
        self._names = names
        self._rules: dict[str, tuple[_Rules, ...]] = {}
        self._folders: dict[str, bool] = {"": False}

    def ignored(self, path: str) -> bool:
        """Whether a file is excluded, by its own name or through one of the folders that it lies in."""
        return self._folder_ignored(path.rpartition("/")[0]) or self.ignored_here(path, is_folder=False)

    def ignored_here(self, path: str, is_folder: bool) -> bool:
        """The same for a path whose folders are known not to be excluded."""
        rules_here = self._of(path.rpartition("/")[0])
        path = _bytes(path)
        name = path[path.rfind("/") + 1 :]
        for rules in rules_here:
            for pattern in rules.patterns:
                if pattern.folders_only and not is_folder:
                    continue
                if pattern.regex.fullmatch(path[rules.start :] if pattern.anchored else name):
                    return not pattern.negated
        return False

    def enter(self, folder: str, names: Iterable[str]) -> None:
        """Tell which names a folder holds, so that they need not be looked for.  Those above it were entered before."""
        self._add(folder, [name for name in self._names if name in names])

    def _folder_ignored(self, folder: str) -> bool:
        for above in outermost_first(folder, self._folders):
            # A file below an excluded folder cannot be included again.
            outer = self._folders[above.rpartition("/")[0]]
            self._folders[above] = outer or self.ignored_here(above, is_folder=True)
        return self._folders[folder]

    def _of(self, folder: str) -> tuple[_Rules, ...]:
        """What holds in a folder: its own rules, then those of the folders above it that have any."""
        for above in outermost_first(folder, self._rules):
            self._add(above, self._names)
        return self._rules[folder]

    def _add(self, folder: str, names: Iterable[str]) -> tuple[_Rules, ...]:
        above = self._of(folder.rpartition("/")[0]) if folder else ()
        lines = [line for name in names for line in self._read(folder, name)]
        patterns = tuple(pattern for pattern in map(parse, reversed(lines)) if pattern is not None)
        own = (_Rules(len(_bytes(folder)) + 1 if folder else 0, patterns),) if patterns else ()
        self._rules[folder] = own + above
        return self._rules[folder]

    def _read(self, folder: str, name: str) -> list[str]:
        path = os.path.join(self._root, folder, name)
        try:
            if not stat.S_ISREG(os.lstat(path).st_mode):
                return []
            with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
                return file.read().removeprefix("\ufeff").split("\n")
        except OSError:
            return []


class _Rules(msgspec.Struct, frozen=True):
    """The patterns of one folder, the one that wins first; `start`: where the paths below it begin."""

    start: int
    patterns: tuple[Pattern, ...]


def _bytes(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("latin-1")


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
    return globs.expression(parts)


def _stars(pattern: str, index: int, anchored: bool) -> tuple[str, int]:
    end = index
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    whole = end - index >= 2 and (index == 0 or pattern[index - 1] == "/")
    if anchored and whole and end == len(pattern):
        return ".+" if index else globs.ACROSS, end
    if anchored and whole and pattern[end] == "/":
        return globs.FOLDERS, end + 1
    return globs.ANY, end


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
