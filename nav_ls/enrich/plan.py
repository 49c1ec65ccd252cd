"""What enriching will take: requests in the order of their worth, tokens, and money."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from nav_ls.enrich import prompts
from nav_ls.ports import Request, Usage
from nav_ls.text.tokens import estimate

GROUP_ITEMS = 8
GROUP_TOKENS = 1_600
"""Definitions share a request up to so many of them and so many tokens: the overview is then read once for all of them.
More in one request would lose more where an answer is cut or refused."""
ANSWER_TOKENS = 190
"""Tokens of the prose about one definition, on average."""
HEADING_TOKENS = 60
"""Tokens around a definition's code: its place, its callers and callees."""
TOKENIZER = 1.2
"""How many tokens the models of today count for one of our estimate."""
BATCH_SHARE = 0.5
MILLION = 1_000_000


class Rates(msgspec.Struct, frozen=True):
    """US dollars for a million tokens of each sort; nothing is cached of a beginning shorter than `cache_min`."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0
    cache_min: int = 0

    def cost(self, usage: Usage, *, batch: bool = False) -> float:
        """US dollars."""
        full = (
            usage.input_tokens * self.input
            + usage.output_tokens * self.output
            + usage.cached_tokens * self.cache_read
            + usage.written_tokens * self.cache_write
        ) / MILLION
        return full * BATCH_SHARE if batch else full


class Candidate(msgspec.Struct, frozen=True):
    """A definition that nothing was written about.  `tokens` of its code; `rank`: how much the rest leans on it."""

    subject: str
    unit: int
    rank: float
    tokens: int


class Estimate(msgspec.Struct, frozen=True):
    """What a run will take, about.

    `usd` is with the provider's cache where it works, `usd_uncached` without, both for a batch if one is meant.
    `shared_tokens` begin every request, `request_tokens` are the average of the rest.
    """

    definitions: int
    requests: int
    shared_tokens: int
    request_tokens: int
    usage: Usage
    usd: float
    usd_uncached: float
    priced: bool = True


def grouped(candidates: Sequence[Candidate], items: int = 0) -> Iterator[tuple[Candidate, ...]]:
    """The definitions of each request, in their order; at most `items` in one, or as many as pay."""
    items = items or GROUP_ITEMS
    group: list[Candidate] = []
    tokens = 0
    for candidate in candidates:
        if group and (len(group) >= items or tokens + candidate.tokens > GROUP_TOKENS):
            yield tuple(group)
            group, tokens = [], 0
        group.append(candidate)
        tokens += candidate.tokens
    if group:
        yield tuple(group)


def tokens_of(request: Request) -> tuple[int, int]:
    """(tokens that may be cached, the others) of what a request sends, about."""
    schema = estimate(msgspec.json.encode(request.schema).decode()) if request.schema else 0
    beginning = estimate(request.system) + estimate(request.shared) + schema
    return round(beginning * TOKENIZER), round(sum(estimate(turn.text) for turn in request.turns) * TOKENIZER)


def expected(request: Request, definitions: int, rates: Rates, *, cached: bool) -> Usage:
    """What a request will take; `cached`: its beginning was sent before."""
    beginning, rest = tokens_of(request)
    written = round(definitions * ANSWER_TOKENS * TOKENIZER)
    if not cached or beginning < rates.cache_min:
        return Usage(beginning + rest, written)
    return Usage(rest, written, beginning)


def estimated(
    candidates: Sequence[Candidate], shared: str, rates: Rates, *, batch: bool = False, items: int = 0
) -> Estimate:
    """What it takes to describe definitions."""
    empty = prompts.definitions_request((), shared)
    beginning, frame = tokens_of(empty)
    groups = list(grouped(candidates, items))
    each = [frame + round(sum(item.tokens + HEADING_TOKENS for item in group) * TOKENIZER) for group in groups]
    count = len(groups)
    written = round(len(candidates) * ANSWER_TOKENS * TOKENIZER)
    plain = Usage(sum(each) + beginning * count, written)
    usage = plain
    if count and beginning >= rates.cache_min:
        usage = Usage(sum(each), written, beginning * (count - 1), beginning)
    return Estimate(
        definitions=len(candidates),
        requests=count,
        shared_tokens=beginning,
        request_tokens=round(sum(each) / count) if count else 0,
        usage=usage,
        usd=rates.cost(usage, batch=batch),
        usd_uncached=rates.cost(plain, batch=batch),
    )


def with_overview(made: Estimate, request: Request, rates: Rates) -> Estimate:
    """The same with the overview of the project, which is asked for before anything else, and never in a batch."""
    usage = Usage(sum(tokens_of(request)), round(prompts.README_TOKENS * TOKENIZER))
    usd = rates.cost(usage)
    return msgspec.structs.replace(
        made,
        requests=made.requests + 1,
        usage=made.usage.plus(usage),
        usd=made.usd + usd,
        usd_uncached=made.usd_uncached + usd,
    )


Describe = Callable[[Sequence[Candidate]], list[prompts.Definition]]
"""Reads what is shown of definitions; those that have changed meanwhile are left out."""
