"""Which files besides code are searched: documentation, configuration, queries, build files."""

from __future__ import annotations

_SUFFIXES = (
    ".md .markdown .mdx .rst .adoc .txt .sql .graphql .gql .proto .toml .yaml .yml .ini .cfg .conf .properties "
    ".json .xml .gradle .cmake .tf .hcl .html .css .scss .less .vue .svelte .jinja .j2 .tmpl .erb .ejs .hbs"
)
_SUFFIX_SET = tuple(_SUFFIXES.split())
_SKIPPED_SUFFIXES = (".lock", ".snap", ".min.css", ".min.js", "-lock.json", "-lock.yaml", ".svg.html")
_SKIPPED_NAMES = frozenset({"packages.lock.json", "requirements.txt", "composer.lock", "go.sum"})
_NAMES = frozenset({"readme", "makefile", "dockerfile", "rakefile", "gemfile", "justfile", "procfile", "changelog"})

MAX_BYTES = 200_000
"""Longer files of this sort are data."""


def is_prose(path: str) -> bool:
    """Whether a file that is no code is searched, by its name."""
    name = path.rpartition("/")[2].lower()
    if name in _SKIPPED_NAMES or name.endswith(_SKIPPED_SUFFIXES):
        return False
    return name.endswith(_SUFFIX_SET) or name in _NAMES
