"""Rules and layouts by language.  A new language is a row here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from nav_ls.graph.rules.base import Layout, Rules
from nav_ls.graph.rules.generic import GenericRules
from nav_ls.syntax.languages import family_of

if TYPE_CHECKING:
    from nav_ls.graph.project import Project

_MODULES = {
    "python": "python",
    "go": "go",
    "rust": "rust",
    "c": "cfamily",
    "ruby": "ruby",
    "php": "php",
    "jvm": "jvm",
    "csharp": "csharp",
    "ecma": "ecma",
}
"""Family → module of this folder.  Each module has RULES (language → rules class) and LAYOUT."""


@cache
def rules_for(language: str) -> Rules:
    """The rules of a language; names alone where it has none of its own."""
    module = _MODULES.get(family_of(language))
    if module is None:
        return GenericRules()
    table: dict[str, type[Rules]] = import_module(f"{__name__}.{module}").RULES
    return table[language]()


def layout_of(family: str, project: Project) -> Layout:
    """How a family's modules lie in a project."""
    module = _MODULES.get(family)
    if module is None:
        return Layout(project)
    layout: type[Layout] = import_module(f"{__name__}.{module}").LAYOUT
    return layout(project)
