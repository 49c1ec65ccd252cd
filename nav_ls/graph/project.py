"""All files of a repository as linking sees them: views, indexes over names, and who offers which key.

Nothing outside of this file hands a linker another file's facts, and everything here that is looked up
leaves a key behind: that is what makes incremental linking equal a cold one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from nav_ls.graph.library import LIBRARY, library_view
from nav_ls.graph.model import Entry, FactSource, Summary
from nav_ls.graph.view import View
from nav_ls.syntax.languages import family_of

if TYPE_CHECKING:
    from nav_ls.graph.rules.base import Layout

SEPARATOR = "\0"
_KEPT_VIEWS = 400
"""So many views, and as many older ones, are kept: about 0.2 MB each.  Files that are linked together ask for the same."""


def key_of(path: str, qual: str) -> str:
    """The key under which a file offers a name."""
    return path + SEPARATOR + qual


def file_key(path: str) -> str:
    """The key of a path's being there."""
    return "file" + SEPARATOR + path


def name_key(family: str, name: str) -> str:
    """The key of all definitions of a name in a family of languages."""
    return "name" + SEPARATOR + family + SEPARATOR + name


class Project:
    """Files, their views and the indexes.  `update` is the only writer."""

    def __init__(self, source: FactSource):
        self.source = source
        self.summaries: dict[str, Summary] = {}
        self._views: dict[str, View] = {}
        self._older: dict[str, View] = {}
        self._names: dict[tuple[str, str], list[tuple[str, int]]] = {}
        self._layouts: dict[str, Layout] = {}
        for path in source.paths():
            summary = source.summary(path)
            if summary is not None:
                self.summaries[path] = summary
                self._index(path, summary)

    # --- reading

    def has(self, path: str) -> bool:
        """Is the path indexed?"""
        return path in self.summaries

    def view(self, path: str) -> View | None:
        """The file's view, None where it is not indexed."""
        view = self._views.get(path)
        if view is not None:
            return view
        if path.startswith(LIBRARY):
            return library_view(path)
        view = self._older.get(path)
        if view is None and path in self.summaries:
            facts = self.source.facts(path)
            view = View(path, facts) if facts is not None else None
        if view is not None:
            self._views[path] = view
        return view

    def let_go(self) -> None:
        """Drop the views that were not asked for of late.  Not while a file is linked: what it has found goes by them."""
        if len(self._views) > _KEPT_VIEWS:
            self._older, self._views = self._views, {}

    def named(self, family: str, name: str) -> list[tuple[str, int]]:
        """Every definition of a simple name in a family: (path, symbol index)."""
        return sorted(self._names.get((family, name), ()))

    def paths_of(self, family: str) -> Iterable[str]:
        """All indexed paths of a family."""
        return (p for p, s in self.summaries.items() if family_of(s.language) == family)

    def layout(self, family: str) -> Layout:
        """How the family's imports find files; built when first asked for, again after files came or went."""
        found = self._layouts.get(family)
        if found is None:
            from nav_ls.graph.rules import layout_of  # the rules import this module

            found = self._layouts[family] = layout_of(family, self)
        return found

    # --- writing

    def update(self, path: str) -> set[str]:
        """The source has other facts of a file, or none.  Returns the keys that changed, appeared or vanished."""
        before, after = self.summaries.get(path), self.source.summary(path)
        changed: set[str] = set()
        old, new = (before.offers if before else {}), (after.offers if after else {})
        for qual in old.keys() | new.keys():
            if old.get(qual) != new.get(qual):
                changed.add(key_of(path, qual))
        changed |= self._changed_names(before, after)
        if (before is None) != (after is None):
            changed.add(file_key(path))
        for family in {family_of(s.language) for s in (before, after) if s is not None}:
            # Built here if need be: what linking in another process looked up in it counts as well.
            layout = self.layout(family)
            changed |= layout.changed(path, before, after)
            if layout.stale(path, before, after):
                del self._layouts[family]
        self._replace(path, before, after)
        return changed

    def update_manifest(self, path: str) -> set[str]:
        """A manifest (package.json, tsconfig.json, go.mod, ...) was edited, appeared or vanished: the keys it touches."""
        name = path.rpartition("/")[2]
        touched: set[str] = set()
        # A layout outlives the last file of its family, and has to know when the next one comes.
        for family in sorted({family_of(s.language) for s in self.summaries.values()} | self._layouts.keys()):
            layout = self.layout(family)
            if layout.reads(name):
                touched |= layout.manifest_changed(path)
        return touched

    def _replace(self, path: str, before: Summary | None, after: Summary | None) -> None:
        if before is not None:
            self._unindex(path, before)
        self._views.pop(path, None)
        self._older.pop(path, None)
        if after is None:
            self.summaries.pop(path, None)
            return
        self.summaries[path] = after
        self._index(path, after)

    def _changed_names(self, before: Summary | None, after: Summary | None) -> set[str]:
        changed: set[str] = set()
        old, new = _by_name(before), _by_name(after)
        for key in old.keys() | new.keys():
            if old.get(key) != new.get(key):
                changed.add(name_key(*key))
        return changed

    def _index(self, path: str, summary: Summary) -> None:
        family = family_of(summary.language)
        for place, entry in enumerate(summary.entries):
            name = entry.qual.rpartition(".")[2]
            self._names.setdefault((family, name), []).append((path, place))

    def _unindex(self, path: str, summary: Summary) -> None:
        family = family_of(summary.language)
        for name in {entry.qual.rpartition(".")[2] for entry in summary.entries}:
            group = self._names.get((family, name))
            if group is not None:
                group[:] = [item for item in group if item[0] != path]
                if not group:
                    del self._names[(family, name)]


def _by_name(summary: Summary | None) -> dict[tuple[str, str], list[Entry]]:
    table: dict[tuple[str, str], list[Entry]] = {}
    if summary is not None:
        family = family_of(summary.language)
        for entry in summary.entries:
            table.setdefault((family, entry.qual.rpartition(".")[2]), []).append(entry)
    return table
