"""nav.eval, nav.eval.scaffold: how well search finds things in this repository."""

from __future__ import annotations

import msgspec

from nav_ls.commands.model import Command, Context, Freshness
from nav_ls.commands.search import refresh_search
from nav_ls.evaluate.evaluation import Evaluation, failures, limits
from nav_ls.evaluate.sets import scaffold
from nav_ls.index.model import Progress
from nav_ls.query.search import MODES
from nav_ls.workspace import evaluating
from nav_ls.workspace.workspace import Workspace


class EvalParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`kind`: name, doc, curated (with `file`).  `fail_under` as in "recall@10=0.6,mrr=0.35", for `check_mode`."""

    kind: tuple[str, ...] = ("name", "doc")
    file: str = ""
    sample: int = 100
    modes: tuple[str, ...] = MODES
    seed: int = 1
    check_mode: str = "hybrid"
    fail_under: str = ""


class EvalResult(msgspec.Struct, frozen=True):
    """`ok` is false where something lies under its limit; `failed` says what."""

    evaluation: Evaluation
    ok: bool
    failed: tuple[str, ...]
    freshness: Freshness


class ScaffoldParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many rows."""

    count: int = 20


class ScaffoldResult(msgspec.Struct, frozen=True):
    """Rows of a JSONL file in which the questions still have to be written."""

    rows: tuple[str, ...]


def run_eval(workspace: Workspace, params: EvalParams, context: Context) -> EvalResult:
    """Measure search on questions made from this repository."""
    least = limits(params.fail_under)
    refresh_search(workspace, context)
    report = context.progress

    def progress(done: int, total: int) -> None:
        if report is not None:
            report(Progress("evaluate", done, total))

    kinds = tuple(dict.fromkeys((*params.kind, "curated"))) if params.file else params.kind
    wanted = evaluating.Wanted(kinds, params.file, params.sample, params.modes, params.seed)
    found = evaluating.run(workspace, wanted, progress)
    failed = tuple(failures(found, params.check_mode, least))
    with workspace.snapshot() as snapshot:
        return EvalResult(found, not failed, failed, workspace.freshness(snapshot, context.behind))


def run_scaffold(workspace: Workspace, params: ScaffoldParams, context: Context) -> ScaffoldResult:
    """Template rows for questions to be written by hand."""
    refresh_search(workspace, context)
    return ScaffoldResult(tuple(scaffold(evaluating.definitions(workspace), params.count)))


COMMANDS = (
    Command("nav.eval", EvalParams, EvalResult, run_eval, "how well search finds things in this repository"),
    Command("nav.eval.scaffold", ScaffoldParams, ScaffoldResult, run_scaffold, "template rows for questions"),
)
