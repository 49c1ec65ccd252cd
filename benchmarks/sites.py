"""Call sites drawn at random, with what nav says about each, for a person to check against the source.

    python -m benchmarks.sites REPO... [--sites 20] [--seed 1] [--language go]
    python -m benchmarks.sites REPO... --missing 20

Sites are drawn out of every call that is written in the repository, outside of tests and generated code, whether nav
links it or not.  Below each stands one of

    → path:line name (kind of edge, evidence)    what the call runs; several lines where it may run several things
    ? possible                                   the receiver is not known: whatever bears the name may be called
    – nothing                                    it leads out of the repository, or to a value that is called

and the answer is right, wrong, or a miss where the repository has a target that is not named.  With `--missing` the
calls without an edge whose name some function of the repository bears are counted by what is called, most frequent
first, with one place each: a kind of call that is never linked stands at the top.

Repositories are read only; nav keeps its index of them in `.nav`.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.drawing import draw, indexed, own_code
from nav_ls.query.calls import CALLING
from nav_ls.query.snapshot import Mention, Snapshot
from nav_ls.syntax.facts import CALLABLE_KINDS, NONE, Flag, Use
from nav_ls.workspace.workspace import Workspace

_CALLS = frozenset({Use.CALL, Use.NEW, Use.JSX})
_WIDEST = 200


class Site(NamedTuple):
    """A call: the name that is called lies in `[start, end)` of the text; `called` is the source up to its end."""

    path: str
    name: str
    start: int
    end: int
    line: int
    caller: str
    called: str
    code: str


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repos", nargs="+", type=Path)
    parser.add_argument("--sites", type=int, default=20, help="sites of each repository (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", help="only files of this language")
    parser.add_argument("--missing", type=int, default=0, help="count calls without an edge instead: how many rows")
    arguments = parser.parse_args()
    for repo in arguments.repos:
        with indexed(repo) as (workspace, snapshot):
            found = list(calls(workspace, snapshot, arguments.language))
            if arguments.missing:
                missing(snapshot, found, arguments.missing)
                continue
            print(f"{repo.name}: {len(found)} calls")
            for number, site in enumerate(draw(found, arguments.sites, arguments.seed), 1):
                show(snapshot, number, site)
    return 0


def calls(workspace: Workspace, snapshot: Snapshot, language: str | None) -> Iterator[Site]:
    """Every call that is written in code of the repository that is neither test nor generated, by place."""
    for path, _, text, facts in own_code(workspace, snapshot, language):
        for site in facts.sites:
            caller = facts.symbols[site.caller] if site.caller != NONE else None
            if site.kind in _CALLS and not (caller and caller.flags & Flag.TEST):
                line_start = text.rfind(b"\n", 0, site.at) + 1
                line_end = text.find(b"\n", site.end)
                yield Site(
                    path,
                    site.name,
                    site.start,
                    site.end,
                    text.count(b"\n", 0, site.start) + 1,
                    caller.qual if caller else "<module>",
                    _on_one_line(text[site.at : site.end]),
                    _on_one_line(text[line_start : line_end if line_end >= 0 else len(text)]),
                )


def show(snapshot: Snapshot, number: int, site: Site) -> None:
    """One site, for a reader."""
    print(f"\n{number}. {site.path}:{site.line} in {site.caller}: {site.name}\n    {site.code}")
    targets = [
        f"→ {m.callee.path}:{m.callee.name_span.line + 1} {m.callee.qual} ({m.kind}, {m.evidence})"
        for m in edges(snapshot, site)
    ]
    for answer in targets or [unlinked(snapshot, site)]:
        print(f"    {answer}")


def edges(snapshot: Snapshot, site: Site) -> list[Mention]:
    """What nav says that a call runs."""
    found = snapshot.mentions_in(site.path, site.start, site.end)
    return [m for m in found if m.start == site.start and m.kind in CALLING]


def unlinked(snapshot: Snapshot, site: Site) -> str:
    """What nav says about a call without an edge."""
    guesses = snapshot.guesses_in(site.path, site.start, site.end)
    return "? possible" if guesses else "– nothing"


def missing(snapshot: Snapshot, found: list[Site], rows: int) -> None:
    """The calls without an edge that could have one, by what is called."""
    names = {s.name for info in snapshot.files() for s in snapshot.symbols_of(info.path) if s.kind in CALLABLE_KINDS}
    lost = [site for site in found if site.name in names and not edges(snapshot, site)]
    places: dict[tuple[str, str], list[Site]] = defaultdict(list)
    for site in lost:
        places[unlinked(snapshot, site), site.called].append(site)
    print(f"{len(lost)} of {len(found)} calls have no edge although something of the repository bears the name")
    for (answer, called), sites in sorted(places.items(), key=lambda item: -len(item[1]))[:rows]:
        print(f"{len(sites):6}  {answer:10}  {called:60} {sites[0].path}:{sites[0].line}")


def _on_one_line(code: bytes) -> str:
    line = " ".join(code.decode("utf-8", "replace").split())
    return line if len(line) <= _WIDEST else line[: _WIDEST - 1] + "…"


if __name__ == "__main__":
    sys.exit(main())
