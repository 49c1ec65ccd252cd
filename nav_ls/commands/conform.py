"""nav.conform: does a change reuse what the repository has?"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from nav_ls.commands.model import Command, Context, Freshness, Symbol
from nav_ls.commands.search import HitRow, hit_row
from nav_ls.commands.show import Shower
from nav_ls.query.conform.change import Change, Read
from nav_ls.query.conform.check import check
from nav_ls.query.search import SearchQuery
from nav_ls.text import diff, git
from nav_ls.text.diff import FileChange
from nav_ls.text.errors import UsageError
from nav_ls.workspace.workspace import Workspace

MOST_RELATED = 20
"""Related definitions of a function, and functions that they are looked up for."""


class ConformParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to check: `range` BASE..HEAD, the `staged` changes, a `patch` (the text of a diff); else the work tree
    against HEAD."""

    range: str = ""
    staged: bool = False
    patch: str = ""
    threshold: float = 0.0
    """Findings that are less sure are left out."""
    related: int = 0
    """Also so many existing definitions near in meaning to each added function: to look at, not to be warned of."""


class Related(msgspec.Struct, frozen=True):
    """What is near in meaning to an added function; `nearest` as `nav.search` has it, best first."""

    path: str
    line: int
    symbol: str
    nearest: tuple[HitRow, ...]


class FindingRow(msgspec.Struct, frozen=True):
    """One warning; `instead` is what to use, where there is one thing."""

    rule: str
    path: str
    line: int
    symbol: str
    score: float
    message: str
    why: str
    instead: Symbol | None
    package: str


class ConformResult(msgspec.Struct, frozen=True):
    """`reuse`: the share of the added calls with a known target that go to the repository's own definitions."""

    findings: tuple[FindingRow, ...]
    files: int
    own_calls: int
    outside_calls: int
    unknown_calls: int
    reuse: float
    freshness: Freshness
    related: tuple[Related, ...] = ()


def run_conform(workspace: Workspace, params: ConformParams, context: Context) -> ConformResult:
    """Check one change."""
    if not 0.0 <= params.threshold <= 1.0:
        raise UsageError(f"threshold must lie between 0 and 1, not {params.threshold}")
    if not 0 <= params.related <= MOST_RELATED:
        raise UsageError(f"related must lie between 0 and {MOST_RELATED}, not {params.related}")
    if sum(map(bool, (params.range, params.staged, params.patch))) > 1:
        raise UsageError("give one of: a range, --staged, --patch")
    repository = git.find_repository(workspace.root)
    if repository is None:
        raise UsageError(f"{workspace.root} is in no git repository: there is nothing to compare with")
    if not git.head(repository).commit:
        raise UsageError(f"{workspace.root} has no commit yet: there is nothing to compare with")
    with _after(workspace, repository, params, context) as (state, base, changes):

        def before(path: str) -> bytes | None:
            return git.run(repository, "cat-file", "blob", f"{base}:{path}")

        # Of another state an index was made just now.
        return _check(state, changes, before, params, context.behind if state is workspace else "")


def _check(
    workspace: Workspace, changes: tuple[FileChange, ...], before: Read, params: ConformParams, behind: str
) -> ConformResult:
    with workspace.snapshot() as snapshot:
        shower = Shower(workspace, snapshot)
        change = Change(snapshot, changes, workspace.text, before)
        findings, reuse = check(change, workspace.library)
        rows = tuple(
            FindingRow(
                f.rule,
                f.path,
                f.line,
                f.symbol,
                f.score,
                f.message,
                f.why,
                shower.symbol(f.instead) if f.instead is not None else None,
                f.package,
            )
            for f in findings
            if f.score >= params.threshold
        )
        return ConformResult(
            rows,
            len(changes),
            reuse.own,
            reuse.outside,
            reuse.unknown,
            round(reuse.share, 3),
            workspace.freshness(snapshot, behind),
            tuple(_related(workspace, change, params.related)) if params.related else (),
        )


def _related(workspace: Workspace, change: Change, count: int) -> Iterator[Related]:
    workspace.searching.refresh()
    for symbol in change.added()[:MOST_RELATED]:
        if change.in_tests(symbol.path):
            continue
        text = change.text(symbol).decode("utf-8", "replace")
        # Its own unit and those of the other changed files are found first.
        query = SearchQuery(text, k=count + 20, lang=(symbol.language,), exclude_tests=True, join=False)
        hits = [hit for hit in workspace.searching.search(query).hits if hit.path not in change.files]
        rows = tuple(hit_row(workspace, hit, [], snippets=False) for hit in hits[:count])
        yield Related(symbol.path, symbol.name_span.line + 1, symbol.qual, rows)


@contextmanager
def _after(
    workspace: Workspace, repository: git.Repository, params: ConformParams, context: Context
) -> Iterator[tuple[Workspace, str, tuple[FileChange, ...]]]:
    """A workspace whose index holds the state after the change, the commit before it, and what the change adds."""
    if params.range:
        base, tip = _ends(repository, params.range)
        text = _git(repository, "diff", "--no-ext-diff", "--no-textconv", "-U0", "-M", "--end-of-options", base, tip)
        if tip == git.head(repository).commit and _is_clean(repository):
            yield workspace, base, diff.parse(text)
            return
        with _elsewhere(repository, tip, "", context) as other:
            yield other, base, diff.parse(text)
    elif params.patch:
        changes = diff.parse(params.patch)
        with _elsewhere(repository, "HEAD", params.patch, context) as other:
            yield other, "HEAD", changes
    else:
        cached = ["--cached"] if params.staged else []
        text = _git(repository, "diff", "--no-ext-diff", "--no-textconv", "-U0", "-M", *cached, "HEAD")
        untracked = () if params.staged else _untracked(workspace, repository)
        yield workspace, "HEAD", (*diff.parse(text), *untracked)


def _untracked(workspace: Workspace, repository: git.Repository) -> Iterator[FileChange]:
    """Files that git does not know yet: new from the first line to the last."""
    for name in _git(repository, "ls-files", "--others", "--exclude-standard", "-z").split("\0"):
        text = workspace.text(name) if name else None
        if text:
            yield FileChange(name, ((1, text.count(b"\n") + 1),))


def _ends(repository: git.Repository, text: str) -> tuple[str, str]:
    base, dots, tip = text.partition("..")
    tip = tip.removeprefix(".") or "HEAD"
    if not dots:
        base, tip = text, "HEAD"
    ends = []
    for name in (base or "HEAD", tip):
        wanted = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        found = git.run(repository, *wanted) if "\0" not in name else None
        if not found:
            raise UsageError(f"there is no commit {name!r}")
        ends.append(found.decode().strip())
    if "..." in text:
        ends[0] = git.merge_base(repository, *ends) or ends[0]
    return ends[0], ends[1]


def _is_clean(repository: git.Repository) -> bool:
    return not _git(repository, "status", "--porcelain", "--untracked-files=no").strip()


@contextmanager
def _elsewhere(repository: git.Repository, commit: str, patch: str, context: Context) -> Iterator[Workspace]:
    """The state of another commit, with a patch applied, in a work tree that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="nav-conform-") as folder:
        tree = Path(folder) / "tree"
        _git(repository, "worktree", "add", "--detach", "--quiet", str(tree), commit)
        try:
            if patch:
                file = Path(folder) / "change.patch"
                file.write_text(patch, "utf-8", newline="")
                other = git.find_repository(tree)
                if other is None or git.run(other, "apply", "--whitespace=nowarn", str(file)) is None:
                    raise UsageError("the patch does not apply to HEAD")
            state = Workspace.open(tree)
            try:
                state.sync(progress=context.progress)
                yield state
            finally:
                state.close()
        finally:
            git.run(repository, "worktree", "remove", "--force", str(tree))


def _git(repository: git.Repository, *arguments: str) -> str:
    found = git.run(repository, *arguments)
    if found is None:
        raise UsageError(f"git {arguments[0]} failed: is the range right?")
    return found.decode("utf-8", "replace")


COMMANDS = (Command("nav.conform", ConformParams, ConformResult, run_conform, "does a change reuse what is there?"),)
