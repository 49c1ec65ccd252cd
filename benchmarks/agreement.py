"""Where nav and a language server that compiles lead a call to different definitions.

    python -m benchmarks.agreement REPO --server "clangd --background-index" --language cpp
    python -m benchmarks.agreement REPO --server "pyright-langserver --stdio" --language python [--sites 2000]

Call sites are drawn as `benchmarks.sites` draws them, and the server is asked by LSP for the definition of each.  It
must be able to answer: installed, and with what it needs of the repository (`compile_commands.json`, dependencies).
Prints how many of the answers are

    same       one of nav's edges leads to the server's definition (or to the constructor of its class, or from its
               declaration to the definition of the same name)
    other      nav has edges, none of them there
    missed     nav has no edge; `possible` says how many of those it tells as possible
    outside    the server leads out of the repository; `invented` says for how many of those nav has an edge
    silent     the server has no answer, or leads to a variable, a parameter or a field, which nav never calls a callee

and some of each kind that differs.  A server isn't the truth: it guesses too, most of all where types are missing.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from benchmarks.drawing import draw, indexed
from benchmarks.editor import Editor
from benchmarks.sites import Site, calls, edges, unlinked
from nav_ls.query.model import SymbolInfo
from nav_ls.query.snapshot import Snapshot
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS, Flag
from nav_ls.workspace.workspace import Workspace

DIFFERENT = ("other", "missed", "invented")


class Answer(NamedTuple):
    """What the two say about a call: its kind (see the module) and, for a reader, where they lead."""

    site: Site
    kind: str
    nav: list[str]
    server: list[str]


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", type=Path)
    parser.add_argument("--server", required=True, help="command of a language server that speaks on stdio")
    parser.add_argument("--language", required=True, help="as nav calls it; only its files are asked about")
    parser.add_argument("--sites", type=int, default=2000, help="calls to ask about (2000)")
    parser.add_argument("--seconds", type=float, default=600, help="stop asking after this time (600)")
    parser.add_argument("--show", type=int, default=10, help="differences to print of each kind (10)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    root = arguments.repo.resolve()
    with indexed(root) as (workspace, snapshot):
        drawn = draw(calls(workspace, snapshot, arguments.language), arguments.sites, arguments.seed)
        with Editor(shlex.split(arguments.server), root) as editor:
            until = time.monotonic() + arguments.seconds
            answers = list(asked(editor, workspace, snapshot, drawn, arguments.language, until))
    report(answers, arguments.show)
    return 0


def asked(
    editor: Editor, workspace: Workspace, snapshot: Snapshot, drawn: list[Site], language: str, until: float
) -> Iterator[Answer]:
    """The answers about each site, file by file, as long as there is time."""
    by_file: dict[str, list[Site]] = defaultdict(list)
    for site in drawn:
        by_file[site.path].append(site)
    for path, sites in by_file.items():
        text = workspace.text(path) or b""
        editor.open(path, text.decode("utf-8", "replace"), language)
        for site in sites:
            if time.monotonic() > until:
                return
            before = text[text.rfind(b"\n", 0, site.start) + 1 : site.start].decode("utf-8", "replace")
            at = {"line": site.line - 1, "character": len(before.encode("utf-16-le")) // 2}
            yield compared(snapshot, site, editor.root, editor.definitions(path, at))
        editor.close(path)


def compared(snapshot: Snapshot, site: Site, root: Path, places: list[tuple[str, int, int]]) -> Answer:
    """What nav says of a site beside the places (URI, line and character from 0) that a server named."""
    inside = [(path, line, character) for uri, line, character in places if (path := _below(root, uri))]
    targets = [symbol for place in inside for symbol in _defined(snapshot, *place)]
    found = [edge.callee for edge in edges(snapshot, site)]
    if places and not inside:
        kind = "invented" if found else "outside"
    elif not targets:
        kind = "silent"
    elif not found:
        kind = "possible" if unlinked(snapshot, site).startswith("?") else "missed"
    else:
        kind = "same" if any(_same(callee, target) for callee in found for target in targets) else "other"
    return Answer(
        site, kind, [_place(one) for one in found], [_place(one) for one in targets] or [uri for uri, _, _ in places]
    )


def report(answers: list[Answer], show: int) -> None:
    """The counts, and some of what differs."""
    count: dict[str, int] = defaultdict(int)
    for answer in answers:
        count[answer.kind] += 1
    print(
        f"{len(answers)} calls asked: same {count['same']}, other {count['other']},"
        f" missed {count['missed'] + count['possible']} (possible {count['possible']}),"
        f" outside {count['outside'] + count['invented']} (invented {count['invented']}), silent {count['silent']}"
    )
    for kind in (*DIFFERENT, "possible"):
        for answer in [one for one in answers if one.kind == kind][:show]:
            print(f"\n{kind}: {answer.site.path}:{answer.site.line} in {answer.site.caller}: {answer.site.name}")
            print(f"    {answer.site.code}\n    nav     {'; '.join(answer.nav) or '–'}")
            print(f"    server  {'; '.join(answer.server)}")


def _below(root: Path, uri: str) -> str | None:
    """The path of a URI from the root on; None outside of it."""
    path = Path(url2pathname(unquote(urlsplit(uri).path))).resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None


def _defined(snapshot: Snapshot, path: str, line: int, character: int) -> list[SymbolInfo]:
    """What can be called of the definitions whose names stand in a line: at a character, or right of it."""
    return [
        one
        for one in snapshot.symbols_of(path)
        if one.kind in CALLABLE_KINDS | TYPE_KINDS
        and one.name_span.line == line
        and character < one.name_span.end_column  # behind it stand parameters
    ]


def _same(callee: SymbolInfo, target: SymbolInfo) -> bool:
    if (callee.path, callee.name_span.line) == (target.path, target.name_span.line):
        return True
    if target.kind in TYPE_KINDS:
        return callee.qual.startswith(f"{target.qual}.")
    return callee.qual == target.qual and bool(target.flags & (Flag.DECLARATION | Flag.OVERLOAD))


def _place(symbol: SymbolInfo) -> str:
    return f"{symbol.path}:{symbol.name_span.line + 1} {symbol.qual}"


if __name__ == "__main__":
    sys.exit(main())
