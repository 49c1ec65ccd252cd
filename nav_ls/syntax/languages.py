"""Which language a file is in, and what its row needs: grammar, query, rules.

Adding a language: a row here, a folder in `queries/`, and a rules module where a generic outline is not enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Language:
    """One row of the table."""

    name: str
    grammar: str  # name in tree-sitter-language-pack
    family: str  # languages of one family link to each other
    extensions: tuple[str, ...]
    rules: str = ""  # module in nav_ls.syntax.rules; "" = generic outline
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()  # names after `#!`


LANGUAGES: tuple[Language, ...] = (
    Language("python", "python", "python", (".py", ".pyi", ".pyw"), "python", interpreters=("python", "python3")),
    Language("go", "go", "go", (".go",), "go"),
)

BY_NAME = {row.name: row for row in LANGUAGES}
_BY_EXTENSION = {ext: row.name for row in LANGUAGES for ext in row.extensions}
_BY_FILENAME = {name: row.name for row in LANGUAGES for name in row.filenames}
_BY_INTERPRETER = {name: row.name for row in LANGUAGES for name in row.interpreters}


def language_of(path: str, head: bytes = b"") -> str | None:
    """The language of a file by its name, else by the `#!` line in `head`; None where no row fits."""
    pure = PurePosixPath(path)
    found = _BY_FILENAME.get(pure.name) or _BY_EXTENSION.get(pure.suffix.lower())
    if found is None and head.startswith(b"#!"):
        words = head.split(b"\n", 1)[0][2:].decode("utf-8", "replace").replace("/", " ").split()
        found = next((_BY_INTERPRETER[w] for w in words if w in _BY_INTERPRETER), None)
    return found


def family_of(language: str) -> str:
    """The family of a language: `c` and `cpp` share one, so do TypeScript and JavaScript."""
    row = BY_NAME.get(language)
    return row.family if row else language
