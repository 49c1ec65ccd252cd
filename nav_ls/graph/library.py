"""Declarations of standard libraries, so that types keep flowing through what a repository does not define.

Each language has a folder below `libraries/` with one file a package, written in the language itself: only the
declarations that matter for types.  They are read like any other file, lie at paths that no repository can
have, and nothing ever binds to them.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from nav_ls.graph.model import SymbolRef
from nav_ls.graph.view import View
from nav_ls.syntax.extract import extract
from nav_ls.syntax.facts import NONE, TYPE_KINDS, Flag
from nav_ls.syntax.languages import language_of

LIBRARY = "\0library/"


@cache
def library_view(path: str) -> View | None:
    """The declarations at a library path, None where there are none."""
    language, _, name = path.removeprefix(LIBRARY).partition("/")
    source = resources.files("nav_ls.graph").joinpath("libraries", language, name)
    if not source.is_file():
        return None
    return View(path, extract(name, source.read_bytes(), language_of(name) or language))


@cache
def library_types(language: str, package: str, extension: str) -> dict[str, SymbolRef]:
    """The top-level types that a package of a language's library declares: name → reference."""
    path = f"{LIBRARY}{language}/{package}{extension}"
    view = library_view(path) if package else None
    if view is None:
        return {}
    return {
        symbol.name: view.ref(index)
        for index, symbol in enumerate(view.symbols)
        if symbol.kind in TYPE_KINDS and (symbol.parent == NONE or view.symbols[symbol.parent].kind == "namespace")
    }


@cache
def library_named(language: str, package: str, extension: str) -> dict[str, tuple[SymbolRef, ...]]:
    """The same where one name may stand for several types (C#: by the number of type parameters)."""
    path = f"{LIBRARY}{language}/{package}{extension}"
    view = library_view(path) if package else None
    table: dict[str, tuple[SymbolRef, ...]] = {}
    for index, symbol in enumerate(view.symbols if view is not None else ()):
        if view is not None and symbol.kind in TYPE_KINDS and symbol.parent == NONE:
            table[symbol.name] = (*table.get(symbol.name, ()), view.ref(index))
    return table


@cache
def library_extensions(language: str, extension: str) -> dict[str, tuple[SymbolRef, ...]]:
    """The extension methods of a language's library: name → references."""
    table: dict[str, tuple[SymbolRef, ...]] = {}
    for package in sorted(library_packages(language)):
        view = library_view(f"{LIBRARY}{language}/{package}{extension}")
        for index, symbol in enumerate(view.symbols if view is not None else ()):
            if view is not None and symbol.flags & Flag.EXTENSION:
                table[symbol.name] = (*table.get(symbol.name, ()), view.ref(index))
    return table


@cache
def library_packages(language: str) -> frozenset[str]:
    """The packages of a language's library."""
    folder = resources.files("nav_ls.graph").joinpath("libraries", language)
    return frozenset(entry.name.rpartition(".")[0] for entry in folder.iterdir()) if folder.is_dir() else frozenset()


def library_name(ref: SymbolRef) -> str:
    """The full name of a library's type."""
    package = ref[0].rpartition("/")[2].rpartition(".")[0]
    return f"{package}.{ref[1].partition('#')[0]}"
