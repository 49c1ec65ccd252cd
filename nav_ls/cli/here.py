"""Paths between the current folder, where people type and click them, and the root of a repository."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any, NamedTuple


class Here(NamedTuple):
    """A folder that somebody works in, and the root of the repository that is asked about; both without links."""

    folder: Path
    root: Path

    def shown(self, path: str) -> str:
        """A path of the repository as it can be clicked here: from this folder if one of the two lies in the other."""
        whole = self.root / path
        near = self.folder.is_relative_to(self.root) or self.root.is_relative_to(self.folder)
        return os.path.relpath(whole, self.folder) if near else str(whole)

    def meant(self, path: str) -> str:
        """What was typed, from the root if it is there as seen from here; else as it is: the end of a path will do."""
        whole = Path(os.path.abspath(self.folder / path))
        try:
            there = bool(path) and whole.exists() and whole.is_relative_to(self.root)
        except (OSError, ValueError):  # too long for a path, or with a NUL in it
            there = False
        return os.path.relpath(whole, self.root) if there else path

    def definition(self, target: str) -> str:
        """`path:name` and `path:line` likewise; names are left alone."""
        path, colon, rest = target.rpartition(":")
        return f"{self.meant(path)}:{rest}" if colon else target


def add_target(parser: argparse.ArgumentParser) -> None:
    """The argument `target`: a definition."""
    parser.add_argument("target", metavar="NAME", help="NAME, Class.name, path:Class.name or path:line")
    parser.set_defaults(meant={"target": Here.definition})


def add_path(parser: argparse.ArgumentParser, name: str, text: str, **options: Any) -> None:
    """An argument that is a file or folder."""
    parser.add_argument(name, metavar="PATH", help=text, **options)
    parser.set_defaults(meant={name: Here.meant})


def as_meant(args: argparse.Namespace, here: Here) -> None:
    """Turn the paths that were typed into those that commands know."""
    for name, meaning in getattr(args, "meant", {}).items():
        typed = getattr(args, name)
        meant = [meaning(here, text) for text in typed] if isinstance(typed, list) else meaning(here, typed)
        setattr(args, name, meant)
