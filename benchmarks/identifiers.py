"""Identifiers drawn at random, with what an editor gets for each, for a person to check against the source.

    python -m benchmarks.identifiers REPO... [--count 10] [--seed 1] [--language go]

Drawn are names of variables, members, functions and types, outside of tests and generated code.  Below each stands
where its definition leads, and how many highlights (those that write in brackets) and references there are:

    → path:line  the line of the definition
    – nothing    no definition

Repositories are read only; nav keeps its index of them in `.nav`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.drawing import draw, indexed, own_code
from nav_ls.query import cursor
from nav_ls.query.snapshot import Snapshot
from nav_ls.syntax.extract import names
from nav_ls.workspace.workspace import Workspace


class Identifier(NamedTuple):
    """A name at a place of a file."""

    path: str
    start: int
    end: int


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repos", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=10, help="identifiers of each repository (10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", help="only files of this language")
    arguments = parser.parse_args()
    for repo in arguments.repos:
        with indexed(repo) as (workspace, snapshot):
            found = list(identifiers(workspace, snapshot, arguments.language))
            print(f"{repo.name}: {len(found)} identifiers")
            for number, one in enumerate(draw(found, arguments.count, arguments.seed), 1):
                show(workspace, snapshot, number, one)
    return 0


def identifiers(workspace: Workspace, snapshot: Snapshot, language: str | None) -> Iterator[Identifier]:
    """Every name of a repository's own code that a variable, a member, a function or a type may bear."""
    for path, written_in, text, facts in own_code(workspace, snapshot, language):
        mentioned = {site.start: site.end for site in facts.sites if site.name}
        spans = mentioned | {name.start: name.end for name in names(path, text, written_in)}
        yield from (Identifier(path, start, end) for start, end in sorted(spans.items()))


def show(workspace: Workspace, snapshot: Snapshot, number: int, one: Identifier) -> None:
    """What an editor gets for one identifier."""
    text = workspace.text(one.path) or b""
    name = text[one.start : one.end].decode("utf-8", "replace")
    line = text.count(b"\n", 0, one.start) + 1
    print(f"\n{number}. {one.path}:{line} {name}\n    {_line(workspace, one.path, one.start)}")
    targets = cursor.definitions(snapshot, one.path, one.start)
    for target in targets:
        span = target.name_span
        print(f"    → {span.path}:{span.line + 1}  {_line(workspace, span.path, span.start)}")
    if not targets:
        print("    – nothing")
    marked = cursor.highlight(snapshot, one.path, one.start)
    shown = [f"[{m.span.line + 1}]" if m.kind == "write" else str(m.span.line + 1) for m in marked]
    print(f"    lines {' '.join(shown)}; {len(cursor.mentions(snapshot, one.path, one.start))} references")


def _line(workspace: Workspace, path: str, offset: int) -> str:
    text = workspace.text(path) or b""
    start, end = text.rfind(b"\n", 0, offset) + 1, text.find(b"\n", offset)
    return text[start : end if end >= 0 else len(text)].decode("utf-8", "replace").strip()


if __name__ == "__main__":
    sys.exit(main())
