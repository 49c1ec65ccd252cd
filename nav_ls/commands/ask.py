"""nav.ask: a question about the code, answered by a language model from what search finds, with checked citations.

For clients of the server: `workspace/executeCommand` with `arguments: [{"question": "how does auth refresh work?"}]` and
a `workDoneToken`.  While the answer is written, `$/progress` of that token brings reports with
`{"kind": "report", "partial": {"text": "..."}}`: its next piece, to be appended.  The command's result is `AskResult`:
the whole answer again, with every citation of it checked.  A follow-up names the same `session`.  Where no model is
configured the request fails with `data.kind` "NotConfiguredError", and its message says how to configure one.
Cancelling the request ends the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from nav_ls.commands.model import Command, Context, Freshness
from nav_ls.commands.search import refresh_search
from nav_ls.enrich import ask, plan, prompts
from nav_ls.enrich.ask import Citation, Excerpt
from nav_ls.ports import Completion, PortError, Usage
from nav_ls.query.aside import asides
from nav_ls.query.search import SearchHit, SearchQuery
from nav_ls.store.prose import Asked, Prose, Spent
from nav_ls.store.units import StoredUnit
from nav_ls.text.errors import BusyError, ServiceError, StorageError, UsageError
from nav_ls.text.tokens import estimate
from nav_ls.workspace import wiring
from nav_ls.workspace.enriching import rates
from nav_ls.workspace.workspace import Workspace

HITS = 14
TOKENS = 12_000
_MOST_TOKENS = 150_000
_MOST_QUESTION = 8_000
_FEWEST_LINES = 8
"""Of a definition that does not fit whole so many lines at least are worth showing."""
_SESSION = re.compile(r"[\w.@:-]{1,80}")


class AskParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`expand`: also show what the best hits call, and what calls them.  `tokens`: of the excerpts that are shown.

    `session`: a name of letters, digits and `. @ : - _`; questions of one session are follow-ups.  `model` takes the
    place of the configured ones.
    """

    question: str
    expand: bool = True
    model: str = ""
    session: str = ""
    tokens: int = TOKENS


class ShownPlace(msgspec.Struct, frozen=True):
    """Lines that the model was shown, both included, from 1."""

    path: str
    line: int
    end_line: int
    symbol: str


class AskResult(msgspec.Struct, frozen=True):
    """`answer` is what the model wrote, `marked` the same with every citation marked that does not hold.

    status: "answered" (every citation holds), "doubtful" (one does not, or there is none), "nothing" (the code that was
    shown doesn't show it), "broken" (the answer broke off or was cut), "refused".
    `usage` and `usd` are this question's, `asked` is the sum over all questions of the repository.
    """

    question: str
    answer: str
    marked: str
    status: str
    citations: tuple[Citation, ...]
    shown: tuple[ShownPlace, ...]
    model: str
    usage: Usage
    usd: float
    asked: Spent
    notes: tuple[str, ...]
    freshness: Freshness


def run_ask(workspace: Workspace, params: AskParams, context: Context) -> AskResult:
    """Answer a question from the code and nothing else."""
    _check(params)
    settings = workspace.config.llm
    llm = wiring.llm(workspace.config, (params.model,) if params.model else settings.ask_models)
    try:
        notes = refresh_search(workspace, context)
        before = workspace.prose.conversation(params.session).asked if params.session else ()
        found = workspace.searching.search(_query(params, [item.question for item in before[-1:]]))
        excerpts, shown = _excerpts(workspace, found.hits, params.tokens)
        with workspace.snapshot() as snapshot:
            freshness = workspace.freshness(snapshot, context.behind)
        if not excerpts:
            answer = f"{ask.NOTHING} A search for the question found nothing."
            asked = workspace.prose.spent()
            return _result(params, answer, (), (), asked=asked, notes=(*notes, *found.notes), freshness=freshness)
        _, overview = workspace.prose.latest_text(prompts.README_PROMPT)
        turns = [turn for item in before for turn in item.turns]
        request = ask.request(params.question, excerpts, turns, overview)
        rate = rates(settings, llm.models[0]) or plan.Rates()
        cost = rate.cost(Usage(sum(plan.tokens_of(request)), request.max_tokens))
        if cost > settings.budget:
            raise UsageError(f"this may cost ${cost:.2f}, more than llm.budget: ask with fewer --tokens")
        completion = llm.complete(request, context.partial or _unheard)
    except PortError as error:
        raise ServiceError(str(error)) from error
    finally:
        llm.close()
    usd = rate.cost(completion.usage)
    notes = (*notes, *_remember(workspace, params, completion, usd))
    return _result(
        params,
        completion.text,
        excerpts,
        shown,
        stop=completion.stop,
        model=completion.model,
        usage=completion.usage,
        usd=usd,
        asked=workspace.prose.spent(),
        notes=(*notes, *found.notes),
        freshness=freshness,
    )


def _remember(workspace: Workspace, params: AskParams, completion: Completion, usd: float) -> tuple[str, ...]:
    """Count the question and continue the session; says so where that is not possible."""
    continues = params.session and completion.stop == "end"
    try:
        workspace.prose.spend(completion.usage, usd)
        if continues:
            workspace.prose.say(params.session, Asked(params.question, completion.text))
    except (BusyError, StorageError) as error:
        what = "the session does not know this answer" if continues else "what this took is not in the sum"
        return (f"{what}: {error}",)
    return ()


def _unheard(text: str) -> None:
    """Answers are streamed even where nobody listens: a long one would otherwise look like a silent endpoint."""


def _check(params: AskParams) -> None:
    if not params.question.strip():
        raise UsageError("the question is empty")
    if len(params.question) > _MOST_QUESTION:
        raise UsageError(f"the question has more than {_MOST_QUESTION:,} characters")
    if not 500 <= params.tokens <= _MOST_TOKENS:
        raise UsageError(f"tokens must lie between 500 and {_MOST_TOKENS:,}, not {params.tokens}")
    if params.session and not _SESSION.fullmatch(params.session):
        raise UsageError(f"{params.session!r} is no name of a session: use letters, digits and . @ : - _")


def _query(params: AskParams, before: Sequence[str]) -> SearchQuery:
    """A follow-up ("and where is that called?") is searched for together with the question before it."""
    text = " ".join([*before, params.question])
    return SearchQuery(
        query=text, k=HITS, exclude_tests="test" in asides(text), expand="impact" if params.expand else "", join=False
    )


def _excerpts(
    workspace: Workspace, hits: Sequence[SearchHit], tokens: int
) -> tuple[tuple[Excerpt, ...], tuple[ShownPlace, ...]]:
    """What is shown, best first, as far as the budget reaches."""
    units = workspace.searching.units([hit.unit for hit in hits])
    prose = workspace.prose.about(hit.subject for hit in hits if hit.subject)
    made: list[tuple[Excerpt, str]] = []
    left = tokens
    for hit in hits:
        unit = units.get(hit.unit)
        excerpt = _excerpt(workspace, unit, prose, left) if unit is not None else None
        if excerpt is None or _known(excerpt, (item for item, _ in made)):
            continue
        left -= estimate(ask.shown(excerpt))
        made.append((excerpt, hit.symbol))
    places = tuple(ShownPlace(item.path, item.first, item.last, symbol) for item, symbol in made)
    return tuple(item for item, _ in made), places


def _known(excerpt: Excerpt, others: Iterable[Excerpt]) -> bool:
    return any(
        other.path == excerpt.path and other.first <= excerpt.first and excerpt.last <= other.last for other in others
    )


def _excerpt(workspace: Workspace, unit: StoredUnit, prose: Mapping[str, Prose], left: int) -> Excerpt | None:
    """A unit as far as it fits; None where it does not."""
    text = workspace.unit_text(unit.path, unit.start, unit.end).rstrip()
    if not text:
        return None
    calls, called_by = workspace.searching.around(unit)
    told = prose.get(unit.subject)
    facts = (
        ("", f"{unit.kind} {unit.qual}" if unit.qual else ""),
        ("called by: ", ", ".join(called_by)),
        ("calls: ", ", ".join(calls)),
        ("summary: ", told.summary if told else ""),
        ("why: ", told.why if told else ""),
    )
    about = tuple(name + value for name, value in facts if value)
    lines = text.split("\n")
    whole = Excerpt(unit.path, unit.first_line, unit.first_line + len(lines) - 1, text, about)
    size = estimate(ask.shown(whole))
    if size <= left:
        return whole
    fitting = len(lines) * left // size * 9 // 10
    if fitting < _FEWEST_LINES:
        return None
    cut = "\n".join(lines[:fitting])
    return Excerpt(unit.path, unit.first_line, unit.first_line + fitting - 1, cut, about)


def _result(
    params: AskParams,
    answer: str,
    excerpts: Sequence[Excerpt],
    shown: tuple[ShownPlace, ...],
    *,
    stop: str = "end",
    model: str = "",
    usage: Usage = Usage(),  # noqa: B008
    usd: float = 0.0,
    asked: Spent,
    notes: tuple[str, ...],
    freshness: Freshness,
) -> AskResult:
    cited = ask.citations(answer, excerpts)
    return AskResult(
        question=params.question,
        answer=answer,
        marked=ask.marked(answer, cited),
        status=_status(answer, cited, stop),
        citations=cited,
        shown=shown,
        model=model,
        usage=usage,
        usd=usd,
        asked=asked,
        notes=notes,
        freshness=freshness,
    )


def _status(answer: str, cited: Sequence[Citation], stop: str) -> str:
    if stop == "refused":
        return "refused"
    if stop != "end" or not answer.strip():
        return "broken"
    doubtful = any(item.status != ask.VALID for item in cited)
    if ask.says_nothing(answer):
        return "doubtful" if doubtful else "nothing"
    return "answered" if cited and not doubtful else "doubtful"


COMMANDS = (
    Command("nav.ask", AskParams, AskResult, run_ask, "answer a question from the code, with checked citations"),
)
