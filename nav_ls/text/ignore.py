"""Ignore files with git's rules: nested, negated, the last pattern that fits wins, deeper files win over higher ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class IgnoreTree:
    """The ignore files of a root and of the folders below it, each read when it is first needed."""

    def __init__(self, root: Path, names: tuple[str, ...]) -> None:
        self._root = root
        self._names = names
        self._specs: dict[str, tuple[GitIgnoreSpec, ...]] = {}
        self._folders: dict[str, bool] = {"": False}

    def ignored(self, path: str) -> bool:
        """Whether a file is excluded, by its own name or through one of the folders that it lies in."""
        return self._folder_ignored(path.rpartition("/")[0]) or self.ignored_here(path, is_folder=False)

    def ignored_here(self, path: str, is_folder: bool) -> bool:
        """The same for a path whose folders are known not to be excluded."""
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            below = path[len(folder) + 1 :] if folder else path
            for spec in self._of(folder):
                verdict = spec.check_file(below + "/" if is_folder else below).include
                if verdict is not None:
                    return verdict
        return False

    def _folder_ignored(self, folder: str) -> bool:
        known = self._folders.get(folder)
        if known is None:
            # A file below an excluded folder cannot be included again.
            known = self._folder_ignored(folder.rpartition("/")[0]) or self.ignored_here(folder, is_folder=True)
            self._folders[folder] = known
        return known

    def _of(self, folder: str) -> tuple[GitIgnoreSpec, ...]:
        known = self._specs.get(folder)
        if known is None:
            read = (self._read(folder, name) for name in reversed(self._names))
            known = tuple(spec for spec in read if spec is not None)
            self._specs[folder] = known
        return known

    def _read(self, folder: str, name: str) -> GitIgnoreSpec | None:
        path = self._root / folder / name
        try:
            if path.is_symlink() or not path.is_file():
                return None
            lines = path.read_text("utf-8", "replace").splitlines()
        except OSError:
            return None
        from pathspec import GitIgnoreSpec  # costs 15 ms, and most repositories need git's list only

        return GitIgnoreSpec.from_lines(lines)
