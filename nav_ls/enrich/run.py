"""Asks about definitions, and keeps every answer before it does anything else.

Requests run in threads; what comes back is handled in the caller's, one after the other.  A run may be killed at any
moment: what was kept is not asked again, and a batch that was handed in is looked for by the next run.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol, TypeVar

import msgspec

from nav_ls.enrich import prompts
from nav_ls.enrich.plan import Candidate, Describe, Rates, expected, grouped
from nav_ls.ports import LLM, Batch, BatchLLM, Completion, Limited, PortError, Rejected, Request, Unavailable, Usage
from nav_ls.store.prose import Pending, Prose, Written

BATCH_REQUESTS = 1_000
"""Requests in one batch: its results come when all of it is done."""
KEPT_AT_ONCE = 50
_USED_UP = "the budget is used up"
POLL_SECONDS = 20.0
GRACE_SECONDS = 30.0
"""How long the provider may take to list a batch whose acceptance we did not see."""
T = TypeVar("T")
_FAILURES = 3
"""After so many failures one after the other the service is taken to be away."""


class Keeper(Protocol):
    """Where answers are kept.  What a method did is safe when it returns."""

    def put(self, prompt: str, model: str, written: Mapping[str, Written]) -> None:
        """Keep answers by subject."""

    def note(self, batch: Pending) -> None:
        """Remember a batch."""

    def forget(self, batch: Pending) -> None:
        """A batch is done with."""

    def pending(self) -> list[Pending]:
        """The batches that are not done with."""


class Budget:
    """What a run may still take.  `usd` and `tokens` are limits, 0 tokens for none."""

    def __init__(self, usd: float, tokens: int = 0) -> None:
        self._usd, self._tokens = usd, tokens
        self.spent_usd = 0.0
        self.spent = Usage()
        self._held: dict[int, tuple[float, int]] = {}
        self._next = 0

    def hold(self, usd: float, tokens: int) -> int | None:
        """Set something aside; None where there is not enough left."""
        held_usd = sum(item[0] for item in self._held.values())
        held_tokens = sum(item[1] for item in self._held.values())
        if self.spent_usd + held_usd + usd > self._usd:
            return None
        if self._tokens and self.spent.total + held_tokens + tokens > self._tokens:
            return None
        self._next += 1
        self._held[self._next] = (usd, tokens)
        return self._next

    def pay(self, hold: int | None, usage: Usage, usd: float) -> None:
        """What was set aside became this."""
        if hold is not None:
            self._held.pop(hold, None)
        self.spent = self.spent.plus(usage)
        self.spent_usd += usd


class Outcome(msgspec.Struct, frozen=True):
    """What a run did.

    `failed`: there is no usable answer, and none will be asked for again unless somebody wants it; `left`: not asked
    yet; `stopped`: why it ended early; `running`: requests in batches at the provider.
    """

    described: int = 0
    failed: int = 0
    left: int = 0
    requests: int = 0
    usage: Usage = Usage()
    usd: float = 0.0
    stopped: str = ""
    running: int = 0


class _Task(msgspec.Struct, frozen=True):
    """One request: about which subjects it is, by number; the tokens of attempts before that gave nothing."""

    subjects: tuple[str, ...]
    request: Request
    numbers: tuple[int, ...]
    hold: int | None = None
    repair: bool = False
    paid: Usage = Usage()
    paid_usd: float = 0.0


Progress = Callable[[int, int], None]
"""Called with how many of the definitions are done with.  It may raise to end the run; what is paid is kept first."""


class Enricher:
    """One run.  `rates` give the prices of a model."""

    def __init__(
        self,
        llm: LLM,
        keeper: Keeper,
        describe: Describe,
        shared: str,
        rates: Callable[[str], Rates],
        budget: Budget,
        progress: Progress | None = None,
        concurrency: int = 4,
    ) -> None:
        self._llm, self._keeper, self._describe = llm, keeper, describe
        self._shared, self._rates, self._budget = shared, rates, budget
        self._progress, self._concurrency = progress, concurrency
        self._described = self._failed = self._requests = self._total = self._failures = 0
        self._stopped = ""
        self.unusable: set[str] = set()
        """Subjects that a batch has answered without anything that could be used."""

    def outcome(self, left: int = 0, running: int = 0) -> Outcome:
        """What was done so far."""
        spent = self._budget.spent
        return Outcome(
            self._described,
            self._failed,
            left,
            self._requests,
            spent,
            self._budget.spent_usd,
            self._stopped,
            running,
        )

    # --- one by one

    def run(self, candidates: Sequence[Candidate]) -> Outcome:
        """Describe definitions, in their order."""
        self._total += len(candidates)
        before = self._described + self._failed
        again: deque[_Task] = deque()
        ahead = self._tasks(candidates)
        running: dict[Future[Completion], _Task] = {}
        with ThreadPoolExecutor(self._concurrency, thread_name_prefix="nav-llm") as threads:
            try:
                while True:
                    while len(running) < self._concurrency and (task := self._next(again, ahead, bool(running))):
                        running[threads.submit(self._llm.complete, task.request)] = task
                        self._requests += 1
                    if not running:
                        break
                    self._handle_done(running, again)
            except BaseException:
                # Whatever ends the run: what is under way is paid, so it is waited for and kept.
                self._stopped = self._stopped or "it was broken off"
                while running:
                    self._handle_done(running, deque(), tell=False)
                raise
        return self.outcome(left=len(candidates) - (self._described + self._failed - before))

    def _tasks(self, candidates: Sequence[Candidate]) -> Iterator[_Task]:
        for group in grouped(candidates):
            definitions = self._describe(group)
            if definitions:
                request = prompts.definitions_request(definitions, self._shared)
                subjects = tuple(item.subject for item in definitions)
                yield _Task(subjects, request, tuple(range(1, len(subjects) + 1)))

    def _next(self, again: deque[_Task], ahead: Iterator[_Task], waiting: bool) -> _Task | None:
        """The next request that the budget has room for; what is under way may leave more than was set aside for it."""
        if self._stopped:
            return None
        task = again.popleft() if again else next(ahead, None)
        if task is None:
            return None
        model = self._llm.models[0]
        usage = expected(task.request, len(task.numbers), self._rates(model), cached=self._requests > 0)
        hold = self._budget.hold(self._rates(model).cost(usage), usage.total)
        if hold is None:
            again.appendleft(task)
            self._stopped = "" if waiting else _USED_UP
            return None
        return msgspec.structs.replace(task, hold=hold)

    def _handle_done(self, running: dict[Future[Completion], _Task], again: deque[_Task], *, tell: bool = True) -> None:
        """Wait for an answer; keep it and all others that are there, then tell."""
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            task = running.pop(future)
            try:
                completion = future.result()
            except PortError as error:
                self._budget.pay(task.hold, Usage(), 0.0)
                self._note_failure(error)
                continue
            self._failures = 0
            again.extend(self._handle(task, completion))
        if tell and self._progress:
            self._progress(self._described + self._failed, self._total)

    def _note_failure(self, error: PortError) -> None:
        self._failures += 1
        if isinstance(error, (Rejected, Limited)) or self._failures >= _FAILURES:
            self._stopped = self._stopped or str(error)

    def _handle(self, task: _Task, completion: Completion) -> list[_Task]:
        """Keep what can be used of an answer; what is to be asked again."""
        usd = self._rates(completion.model).cost(completion.usage)
        self._budget.pay(task.hold, completion.usage, usd)
        paid, paid_usd = task.paid.plus(completion.usage), task.paid_usd + usd
        if completion.stop in ("refused", "length", "broken"):
            return self._handle_cut(task, completion, paid, paid_usd)
        read = prompts.read_answer(completion.text, task.numbers)
        final = read.problems if task.repair else {}
        kept = self._keep(task, completion.model, read.prose, final, paid, paid_usd)
        if task.repair or not read.problems:
            return []
        request = prompts.repair_request(task.request, completion.text, read.problems)
        return [
            _Task(
                task.subjects,
                request,
                tuple(read.problems),
                repair=True,
                paid=Usage() if kept else paid,
                paid_usd=0.0 if kept else paid_usd,
            )
        ]

    def _handle_cut(self, task: _Task, completion: Completion, paid: Usage, paid_usd: float) -> list[_Task]:
        """An answer that is none: of several definitions each is asked about alone."""
        subjects = [task.subjects[number - 1] for number in task.numbers]
        if len(subjects) == 1 or task.repair:
            why = "the model refused" if completion.stop == "refused" else "the answer was cut"
            self._keep(task, completion.model, {}, dict.fromkeys(task.numbers, why), paid, paid_usd)
            return []
        alone = [Candidate(subject, 0, 0.0, 0) for subject in subjects]
        tasks = [
            _Task((item.subject,), prompts.definitions_request([item], self._shared), (1,))
            for candidate in alone
            for item in self._describe([candidate])
        ]
        if tasks:
            tasks[0] = msgspec.structs.replace(tasks[0], paid=paid, paid_usd=paid_usd)
        return tasks

    def _keep(
        self,
        task: _Task,
        model: str,
        prose: Mapping[int, Prose],
        problems: Mapping[int, str],
        paid: Usage,
        usd: float,
    ) -> bool:
        """Keep answers; what was paid is noted with the first one.  Whether there were any."""
        now = time.time()
        items = [(number, Written(prose=item, at=now)) for number, item in prose.items()]
        items += [(number, Written(problem=problem, at=now)) for number, problem in problems.items()]
        written = {task.subjects[number - 1]: item for number, item in items}
        if not written:
            return False
        first = next(iter(written))
        written[first] = msgspec.structs.replace(written[first], usage=paid, usd=usd)
        self._keeper.put(prompts.PROMPT, model, written)
        self._described += len(prose)
        self._failed += len(problems)
        return True

    # --- batches

    def hand_in(self, llm: BatchLLM, candidates: Sequence[Candidate]) -> int:
        """Hand requests in as batches; returns how many definitions they are about."""
        model, asked = llm.model, 0
        for tasks in _chunks(self._tasks(candidates), BATCH_REQUESTS):
            fitting = []
            for task in tasks:
                usage = expected(task.request, len(task.numbers), self._rates(model), cached=False)
                hold = self._budget.hold(self._rates(model).cost(usage, batch=True), usage.total)
                if hold is None:
                    self._stopped = _USED_UP
                    break
                fitting.append(task)
            if fitting:
                self._submit(llm, fitting)
                asked += sum(len(task.subjects) for task in fitting)
            if self._stopped:
                break
        return asked

    def _submit(self, llm: BatchLLM, tasks: Sequence[_Task]) -> None:
        nonce = secrets.token_hex(6)
        requests = {f"{nonce}-{number}": task for number, task in enumerate(tasks)}
        about = {name: list(task.subjects) for name, task in requests.items()}
        batch = Pending(nonce, "", prompts.PROMPT, llm.model, time.time(), about)
        self._keeper.note(batch)
        try:
            made = llm.submit({name: task.request for name, task in requests.items()})
        except Rejected:
            self._keeper.forget(batch)
            raise
        except Unavailable:
            return  # it may have been taken all the same: `collect` looks for it
        self._keeper.note(msgspec.structs.replace(batch, id=made.id))

    def collect(self, llm: BatchLLM, *, patient: bool, sleep: Callable[[float], object] = time.sleep) -> int:
        """Keep the results of batches that have ended; with `patient` wait for all.  How many requests still run."""
        while True:
            running = sum(self._collect_one(llm, batch) for batch in self._keeper.pending())
            if not running or not patient:
                return running
            if self._progress:
                self._progress(self._described + self._failed, max(self._total, self._described + self._failed))
            sleep(POLL_SECONDS)

    def _collect_one(self, llm: BatchLLM, batch: Pending) -> int:
        """How many requests of a batch are still running."""
        if not batch.id:
            found = _find(llm, batch, {item.id for item in self._keeper.pending()})
            if found is None:
                if time.time() - batch.created < GRACE_SECONDS:
                    return len(batch.requests)
                self._keeper.forget(batch)
                self._stopped = self._stopped or "the provider did not take the batch; run it again"
                return 0
            if not found.id:
                return len(batch.requests)
            batch = msgspec.structs.replace(batch, id=found.id)
            self._keeper.note(batch)
        try:
            state = llm.batch(batch.id)
        except Rejected:
            self._keeper.forget(batch)  # its results were kept for a month, and are gone
            return 0
        if not state.ended:
            return state.total - state.done or 1
        self._take(llm.results(batch.id), batch)
        self._keeper.forget(batch)
        return 0

    def _take(self, results: Iterable[tuple[str, Completion | PortError]], batch: Pending) -> None:
        """Keep what can be used; what cannot is asked again one by one, as if it had never been in a batch."""
        seen: set[str] = set()
        for part in _chunks(results, KEPT_AT_ONCE):
            written: dict[str, dict[str, Written]] = {}
            for name, answer in part:
                subjects = batch.requests.get(name)
                if subjects is None or name in seen:
                    continue
                seen.add(name)
                if not isinstance(answer, Completion):
                    self.unusable.update(subjects)
                    continue
                usd = self._rates(answer.model).cost(answer.usage, batch=True)
                self._budget.pay(None, answer.usage, usd)
                self._requests += 1
                prose = prompts.read_answer(answer.text, range(1, len(subjects) + 1)).prose
                self.unusable.update(subjects[n - 1] for n in range(1, len(subjects) + 1) if n not in prose)
                kept = {subjects[n - 1]: Written(prose=item, at=time.time()) for n, item in prose.items()}
                for subject in list(kept)[:1]:
                    kept[subject] = msgspec.structs.replace(kept[subject], usage=answer.usage, usd=usd)
                written.setdefault(answer.model, {}).update(kept)
                self._described += len(kept)
            for model, items in written.items():
                if items:
                    self._keeper.put(batch.prompt, model, items)


def _find(llm: BatchLLM, batch: Pending, known: set[str]) -> Batch | None:
    """A batch whose acceptance we did not see, by the names in its results; without an id while it may be one that runs."""
    listed = [item for item in llm.recent(batch.created - 120) if item.id not in known]
    fitting = [item for item in listed if item.total == len(batch.requests)]
    for item in fitting:
        if item.ended:
            with contextlib.suppress(PortError):
                name, _ = next(iter(llm.results(item.id)))
                if name in batch.requests:
                    return item
    running = [item for item in fitting if not item.ended]
    return msgspec.structs.replace(running[0], id="") if running else None


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    part: list[T] = []
    for item in items:
        part.append(item)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
