"""nav.index, nav.status, nav.gc, nav.doctor: the index itself."""

from __future__ import annotations

import msgspec

from nav_ls.commands.model import Command, Context, Freshness
from nav_ls.commands.search import refresh_search
from nav_ls.index.model import Report
from nav_ls.store import health
from nav_ls.store.health import Chained, Collected
from nav_ls.store.prose import Spent
from nav_ls.workspace import wiring
from nav_ls.workspace.doctor import Check, doctor
from nav_ls.workspace.workspace import Workspace


class IndexParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`full`: read and link everything again; `paths`: look at these files only."""

    full: bool = False
    paths: tuple[str, ...] = ()


class IndexResult(msgspec.Struct, frozen=True):
    """What was done."""

    report: Report
    freshness: Freshness


class NoParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command without parameters."""


class SkippedFile(msgspec.Struct, frozen=True):
    """A file that is left out or not read whole, and why."""

    path: str
    reason: str


class StatusResult(msgspec.Struct, frozen=True):
    """What is indexed, and what is not.  `sizes` in bytes by file under `.nav`; `chain`: databases of branches.

    `described`: definitions that a language model has described; `asked`: what all questions of `nav ask` took.
    """

    root: str
    indexed: bool
    files: int
    symbols: int
    edges: int
    unresolved: int
    described: int
    asked: Spent
    languages: dict[str, int]
    skipped: tuple[SkippedFile, ...]
    problems: tuple[SkippedFile, ...]
    sizes: dict[str, int]
    chain: tuple[Chained, ...]
    ignored_settings: tuple[str, ...]
    """What the repository's settings say and may not decide."""
    leaves_machine: tuple[str, ...]
    """Where source text may be sent, as configured; empty: nowhere."""
    freshness: Freshness


class GcResult(msgspec.Struct, frozen=True):
    """What was removed."""

    collected: Collected


class DoctorResult(msgspec.Struct, frozen=True):
    """One check a line."""

    ok: bool
    checks: tuple[Check, ...]


def run_index(workspace: Workspace, params: IndexParams, context: Context) -> IndexResult:
    """Bring the index up to date."""
    report = workspace.sync(list(params.paths) or None, full=params.full, progress=context.progress)
    refresh_search(workspace, context)
    with workspace.snapshot() as snapshot:
        return IndexResult(report, workspace.freshness(snapshot))


def run_status(workspace: Workspace, params: NoParams, context: Context) -> StatusResult:
    """What the index holds and how fresh it is; changes nothing."""
    with workspace.snapshot() as snapshot:
        files = snapshot.files()
        counts = snapshot.reader.counts() if snapshot.reader is not None else {}
        languages: dict[str, int] = {}
        for info in files:
            if info.language:
                languages[info.language] = languages.get(info.language, 0) + 1
        return StatusResult(
            root=str(workspace.root),
            indexed=snapshot.reader is not None,
            files=counts.get("files", 0),
            symbols=counts.get("symbols", 0),
            edges=counts.get("edges", 0),
            unresolved=counts.get("unresolved", 0),
            described=snapshot.reader.described() if snapshot.reader is not None else 0,
            asked=workspace.prose.spent(),
            languages=dict(sorted(languages.items(), key=lambda item: -item[1])),
            skipped=tuple(SkippedFile(info.path, info.skip) for info in files if info.skip),
            problems=tuple(SkippedFile(info.path, info.problems) for info in files if info.problems),
            sizes=health.sizes(workspace.layout),
            chain=tuple(health.chain(workspace.layout)),
            ignored_settings=workspace.config.ignored,
            leaves_machine=tuple(wiring.leaves_machine(workspace.config)),
            freshness=workspace.freshness(snapshot, check=True),
        )


def run_gc(workspace: Workspace, params: NoParams, context: Context) -> GcResult:
    """Remove what no branch needs."""
    return GcResult(workspace.collect())


def run_doctor(workspace: Workspace, params: NoParams, context: Context) -> DoctorResult:
    """Check everything that nav needs."""
    checks = tuple(doctor(workspace.layout))
    return DoctorResult(all(check.ok for check in checks), checks)


COMMANDS = (
    Command("nav.index", IndexParams, IndexResult, run_index, "bring the index up to date", reads=False),
    Command(
        "nav.status",
        NoParams,
        StatusResult,
        run_status,
        "what is indexed, how fresh it is, what is left out",
        reads=False,
    ),
    Command("nav.gc", NoParams, GcResult, run_gc, "remove what no branch needs", reads=False),
    Command("nav.doctor", NoParams, DoctorResult, run_doctor, "check everything that nav needs", reads=False),
)
