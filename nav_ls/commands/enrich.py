"""nav.enrich: prose about the project and its definitions, written by a language model and kept by content."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

import msgspec

from nav_ls.commands.model import Command, Context, Freshness
from nav_ls.commands.search import refresh_search
from nav_ls.enrich import plan as plans
from nav_ls.enrich import prompts
from nav_ls.enrich.plan import Estimate, Rates
from nav_ls.enrich.run import Budget, Enricher, Outcome
from nav_ls.index.model import Progress
from nav_ls.ports import LLM, BatchLLM, Completion, PortError, Request, Unavailable, Usage
from nav_ls.store.prose import Written
from nav_ls.text.errors import ConfigError, ServiceError, UsageError
from nav_ls.workspace import wiring
from nav_ls.workspace.enriching import Enriching, Plan, rates
from nav_ls.workspace.workspace import Workspace


class EnrichParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`dry_run`: only say what it would take.  `batch`: at half the price, within a day; `wait`: until it is done.

    `budget` in US dollars and `tokens` limit this run (0: as configured).  `limit`: at most so many definitions;
    `paths`: only those in files that fit (globs; folders stand for what is in them).  `retry`: also those that gave no
    usable answer before.  `model` takes the place of the configured ones.
    """

    dry_run: bool = False
    batch: bool = False
    wait: bool = True
    budget: float = 0.0
    tokens: int = 0
    limit: int = 0
    paths: tuple[str, ...] = ()
    retry: bool = False
    model: str = ""


class EnrichResult(msgspec.Struct, frozen=True):
    """`estimate`: of what was left to do at the start, `described` at the end.  `overview`: there is one of the project.

    `pending`: definitions that batches at the provider are about.  `outcome` is None for a dry run.  `spent_usd`: all
    that was paid for what is kept, this run included.
    """

    model: str
    configured: bool
    estimate: Estimate
    described: int
    pending: int
    overview: bool
    spent_usd: float
    notes: tuple[str, ...]
    freshness: Freshness
    outcome: Outcome | None = None
    ok: bool = True


def run_enrich(workspace: Workspace, params: EnrichParams, context: Context) -> EnrichResult:
    """Describe the project and its definitions, the most depended-on first; every answer is kept as it comes."""
    if params.budget < 0 or params.tokens < 0 or params.limit < 0:
        raise UsageError("budget, tokens and limit cannot be negative")
    refresh_search(workspace, context)
    run = _Run(workspace, Enriching(workspace), params, context)
    return run.look() if params.dry_run else run.work()


class _Both(LLM, BatchLLM, Protocol):
    """Answers one by one, and in batches."""


class _Run:
    def __init__(self, workspace: Workspace, enriching: Enriching, params: EnrichParams, context: Context) -> None:
        self._workspace, self._enriching, self._params, self._context = workspace, enriching, params, context
        self._settings = workspace.config.llm
        self._models = (params.model,) if params.model else self._settings.models
        self._notes: list[str] = []
        self._overviews = 0
        """Requests for an overview that were made."""

    def look(self) -> EnrichResult:
        """What it would take."""
        if not self._settings.configured:
            self._notes.append(wiring.HOW_TO)
        subject, material = self._enriching.material()
        known, readme = self._enriching.keeper.latest_text(prompts.README_PROMPT)
        if known != subject:
            # The overview is not written yet: the project's own documents are about as long.
            readme = readme or "\n".join(material.documents.values())[: 4 * prompts.README_TOKENS]
        found = self._plan()
        estimate = self._estimate(found, prompts.shared(readme, material.map))
        if known != subject and found.candidates:
            self._notes.append("one of the requests is for an overview of the project, which comes first")
            estimate = plans.with_overview(estimate, prompts.readme_request(material), self._rates(self._models[0]))
        return self._result(found, estimate, bool(known))

    def work(self) -> EnrichResult:
        """Do it."""
        for model in self._models:
            if rates(self._settings, model) is None:
                raise ConfigError(
                    f"there is no price for {model}: put [llm.prices.{model!r}] with input, output, cache_read and "
                    "cache_write (US dollars for a million tokens) into your own settings"
                )
        llm = wiring.llm(self._workspace.config, self._models)
        try:
            with self._enriching.alone():
                return self._work(llm)
        except PortError as error:
            raise ServiceError(str(error)) from error
        finally:
            llm.close()

    def _work(self, llm: _Both) -> EnrichResult:
        params = self._params
        budget = Budget(params.budget or self._settings.budget, params.tokens or self._settings.budget_tokens)
        shared = self._shared(llm, budget)
        enricher = Enricher(
            llm,
            self._enriching.keeper,
            self._enriching.describe,
            shared,
            self._rates,
            budget,
            self._progress(),
            self._settings.concurrency,
        )
        running = enricher.collect(llm, patient=False)
        found = self._plan()
        estimate = self._estimate(found, shared)
        try:
            if params.batch:
                outcome = self._batch(llm, enricher, found)
            else:
                outcome = msgspec.structs.replace(enricher.run(found.candidates), running=running)
        finally:
            self._flow()
        outcome = msgspec.structs.replace(outcome, requests=outcome.requests + self._overviews)
        overview = bool(self._enriching.keeper.latest_text(prompts.README_PROMPT)[0])
        return self._result(found, estimate, overview, outcome)

    def _batch(self, llm: BatchLLM, enricher: Enricher, found: Plan) -> Outcome:
        enricher.hand_in(llm, found.candidates)
        running = enricher.collect(llm, patient=self._params.wait)
        if running:
            self._notes.append("the batch goes on at the provider; the next `nav enrich` collects what is done")
        else:
            unusable = tuple(item for item in self._plan().candidates if item.subject in enricher.unusable)
            enricher.run(unusable)  # one by one
        wanted = {item.subject for item in found.candidates}
        left = sum(item.subject in wanted for item in self._plan().candidates)
        return enricher.outcome(left=left, running=running)

    def _shared(self, llm: LLM, budget: Budget) -> str:
        """The beginning of all requests; the overview in it is written first where the project has changed."""
        subject, material = self._enriching.material()
        keeper = self._enriching.keeper
        known, readme = keeper.latest_text(prompts.README_PROMPT)
        if known != subject:
            readme = self._overview(llm, budget, subject, prompts.readme_request(material)) or readme
        return prompts.shared(readme, material.map)

    def _overview(self, llm: LLM, budget: Budget, subject: str, request: Request) -> str:
        model = self._models[0]
        usage = Usage(sum(plans.tokens_of(request)), request.max_tokens)
        hold = budget.hold(self._rates(model).cost(usage), usage.total)
        if hold is None:
            self._notes.append("the budget is too small for the overview of the project")
            return ""
        self._overviews += 1
        try:
            answer = llm.complete(request)
        except Unavailable as error:
            budget.pay(hold, Usage(), 0.0)
            self._notes.append(f"the overview of the project could not be written: {error}")
            return ""
        usd = self._rates(answer.model).cost(answer.usage)
        budget.pay(hold, answer.usage, usd)
        return self._kept(subject, answer, usd)

    def _kept(self, subject: str, answer: Completion, usd: float) -> str:
        text = prompts.readme_text(answer.text) if answer.stop == "end" else ""
        if not text:
            self._notes.append(f"the overview of the project could not be written: the answer was {answer.stop}")
        problem = "" if text else answer.stop
        written = Written(text=text, problem=problem, at=time.time(), usage=answer.usage, usd=usd)
        self._enriching.keeper.put(prompts.README_PROMPT, answer.model, {subject: written})
        return text

    def _flow(self) -> None:
        """New prose becomes part of what is searched; only what it is about is embedded again."""
        refresh_search(self._workspace, self._context)
        report = self._context.progress

        def progress(done: int, total: int) -> None:
            if report is not None:
                report(Progress("embed", done, total))

        try:
            if self._workspace.searching.pending().embedded:
                self._workspace.searching.embed(None, progress)
        except PortError as error:
            self._notes.append(f"not embedded: {error}")

    def _plan(self) -> Plan:
        params = self._params
        return self._enriching.plan(params.paths, params.limit, retry=params.retry)

    def _estimate(self, found: Plan, shared: str) -> Estimate:
        rate = rates(self._settings, self._models[0])
        made = plans.estimated(found.candidates, shared, rate or Rates(), batch=self._params.batch)
        return msgspec.structs.replace(made, priced=rate is not None)

    def _rates(self, model: str) -> Rates:
        """The prices of a model; of one that answers under a name of its own those of the one that was asked."""
        return rates(self._settings, model) or rates(self._settings, self._models[0]) or Rates()

    def _progress(self) -> Callable[[int, int], None]:
        report = self._context.progress

        def progress(done: int, total: int) -> None:
            if report is not None:
                report(Progress("enrich", done, total))

        return progress

    def _result(self, found: Plan, estimate: Estimate, overview: bool, outcome: Outcome | None = None) -> EnrichResult:
        keeper = self._enriching.keeper
        kept = [*keeper.settled(prompts.PROMPT).values(), *keeper.settled(prompts.README_PROMPT).values()]
        with self._workspace.snapshot() as snapshot:
            freshness = self._workspace.freshness(snapshot, self._context.behind)
        return EnrichResult(
            model=self._models[0],
            configured=self._settings.configured,
            estimate=estimate,
            described=self._enriching.described(self._params.paths) if outcome else found.done,
            pending=found.skipped,
            overview=overview,
            spent_usd=sum(item.usd for item in kept),
            notes=tuple(self._notes),
            freshness=freshness,
            outcome=outcome,
            ok=outcome is None or not outcome.stopped,
        )


COMMANDS = (Command("nav.enrich", EnrichParams, EnrichResult, run_enrich, "describe definitions by a language model"),)
