"""Which language a file is in, and what its row needs: grammar, query, rules.

Adding a language: a row here, a folder in `queries/`, and a rules module where a generic outline is not enough.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


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
    queries: tuple[str, ...] = ()  # folders of `queries/` that make up its query; () = the one of its name


_CPP_EXTENSIONS = (
    ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".inl", ".inc.cc", ".cppm", ".ixx", ".cu", ".cuh",
)  # fmt: skip

_OUTLINED: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("bash", (".sh", ".bash", ".zsh", ".bats"), ("sh", "bash", "zsh", "dash", "ksh")),
    ("dart", (".dart",), ()),
    ("elixir", (".ex", ".exs"), ("elixir",)),
    ("erlang", (".erl", ".hrl"), ("escript",)),
    ("haskell", (".hs",), ("runhaskell",)),
    ("julia", (".jl",), ("julia",)),
    ("lua", (".lua",), ("lua", "luajit")),
    ("objc", (".m", ".mm"), ()),
    ("ocaml", (".ml",), ("ocaml",)),
    ("perl", (".pl", ".pm"), ("perl",)),
    ("powershell", (".ps1", ".psm1"), ("pwsh",)),
    ("r", (".r",), ("Rscript",)),
    ("scala", (".scala", ".sc"), ("scala",)),
    ("solidity", (".sol",), ()),
    ("swift", (".swift",), ("swift",)),
    ("zig", (".zig",), ()),
)
"""Languages with a generic outline (definitions, calls by name): name, extensions, interpreters."""

LANGUAGES: tuple[Language, ...] = (
    Language("python", "python", "python", (".py", ".pyi", ".pyw"), "python", interpreters=("python", "python3")),
    Language("go", "go", "go", (".go",), "go"),
    Language("c", "c", "c", (".c", ".h"), "c"),
    Language("cpp", "cpp", "c", _CPP_EXTENSIONS, "cpp"),
    Language("java", "java", "jvm", (".java",), "java"),
    Language("kotlin", "kotlin", "jvm", (".kt", ".kts"), "kotlin"),
    Language("csharp", "csharp", "csharp", (".cs",), "csharp"),
    Language(
        "typescript",
        "typescript",
        "ecma",
        (".ts", ".mts", ".cts"),
        "ecma",
        queries=("ecma", "ecma_types"),
        interpreters=("ts-node", "tsx", "deno", "bun"),
    ),
    Language("tsx", "tsx", "ecma", (".tsx",), "ecma", queries=("ecma", "ecma_types", "ecma_jsx")),
    Language(
        "javascript",
        "javascript",
        "ecma",
        (".js", ".mjs", ".cjs", ".jsx"),
        "ecma",
        queries=("ecma", "ecma_script", "ecma_jsx"),
        interpreters=("node",),
    ),
    Language("rust", "rust", "rust", (".rs",), "rust"),
    Language("php", "php", "php", (".php", ".phtml"), "php", interpreters=("php",)),
    Language(
        "ruby",
        "ruby",
        "ruby",
        (".rb", ".rake", ".gemspec", ".ru"),
        "ruby",
        filenames=("Rakefile", "Gemfile", "Guardfile", "Capfile"),
        interpreters=("ruby",),
    ),
    *(
        Language(name, name, name, extensions, interpreters=interpreters)
        for name, extensions, interpreters in _OUTLINED
    ),
)

BY_NAME = {row.name: row for row in LANGUAGES}
_BY_EXTENSION = {ext: row.name for row in LANGUAGES for ext in row.extensions}
_BY_FILENAME = {name: row.name for row in LANGUAGES for name in row.filenames}
_BY_INTERPRETER = {name: row.name for row in LANGUAGES for name in row.interpreters}


def language_of(path: str, head: bytes = b"") -> str | None:
    """The language of a file by its name, else by the `#!` line in `head`; None where no row fits."""
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    found = _BY_FILENAME.get(name) or (_BY_EXTENSION.get(dot + extension.lower()) if stem else None)
    if found is None and head.startswith(b"#!"):
        words = head.split(b"\n", 1)[0][2:].decode("utf-8", "replace").replace("/", " ").split()
        found = next((_BY_INTERPRETER[w] for w in words if w in _BY_INTERPRETER), None)
    return found


_CPP_MARKS = re.compile(
    rb"^(?![ \t]*(?:\*|//|/\*))[ \t]*(?:"
    rb"template\s*<|(?:inline\s+)?namespace\s+\w[\w:]*\s*\{|namespace\s*\{|class\s+\w[^;()=]*[{:]|class\s+\w+;"
    rb"|using\s+(?:namespace\b|\w+\s*=|\w+::)|(?:public|private|protected)\s*:|[A-Z_]*NAMESPACE[A-Z_]*[ \t]*$"
    rb"|#[ \t]*include[ \t]*<(?:string|vector|memory|map|set|utility|functional|algorithm|iostream|type_traits|c(?:std|float|limits|errno)\w+)>"
    rb"|(?!else\b|return\b|do\b|case\b|typedef\b|static\b|#)\w[\w \t]*[ \t*&]+\w+\([^;{}()/\n]*\)[ \t]*(?:const|noexcept|override)\b"
    rb"|\w[\w \t*]*[ \t*]\w+\([^;{}()/\n]*\w[ \t]*=[^;{}()=\n]*\);"
    rb"|[^\n\"]*(?:\w::\w|\bconst\s+\w+\s*&\s*\w*\s*[,)]|\bnullptr\b|\boperator[ \t]*(?:[-+*%^&|~!=<>]=?|\(\)|\[\])[ \t]*\())"
    rb"|^[ \t]+(?!else\b|return\b|do\b|case\b|typedef\b)\w+[ \t*&]+\w+\([^;{}()/\n]*\)[ \t]*\{",
    re.M,
)


def dialect_of(path: str, text: bytes, language: str) -> str:
    """A header called `.h` can be C or C++: what its text says."""
    if language == "c" and path.endswith((".h", ".H")) and _CPP_MARKS.search(text) is not None:
        return "cpp"
    return language


def family_of(language: str) -> str:
    """The family of a language: `c` and `cpp` share one, so do TypeScript and JavaScript."""
    row = BY_NAME.get(language)
    return row.family if row else language
