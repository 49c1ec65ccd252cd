"""What describing a repository would take: prompt sizes, tokens and money, and what caching, sharing and batches change.

    python -m benchmarks.enrich PATH

Asks nobody, and costs nothing.  Prices are those of the configuration.  Tokens are counted by nav's own estimate, times
what the models' tokenizers count for one of its tokens (`nav_ls/enrich/plan.py`).
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from nav_ls.config.settings import LIST_PRICES
from nav_ls.enrich import plan, prompts
from nav_ls.enrich.plan import Candidate, Rates
from nav_ls.workspace.enriching import Enriching
from nav_ls.workspace.workspace import Workspace

SAMPLE = 60
"""Requests that are really made up, to compare their size with the estimate."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    args = parser.parse_args()
    workspace = Workspace.open(args.path)
    try:
        workspace.sync()
        workspace.searching.refresh()
        show(Enriching(workspace))
    finally:
        workspace.close()


def show(enriching: Enriching) -> None:
    started = time.perf_counter()
    found = enriching.plan()
    print(f"{len(found.candidates):,} definitions to describe (planned in {time.perf_counter() - started:.1f} s)")
    _, material = enriching.material()
    readme = "\n".join(material.documents.values())[: 4 * prompts.README_TOKENS]
    shared = prompts.shared(readme, material.map)
    sizes = [candidate.tokens for candidate in found.candidates]
    print(f"tokens of a definition's code: median {statistics.median(sizes):.0f}, mean {statistics.mean(sizes):.0f}")
    asked = plan.tokens_of(prompts.readme_request(material))
    print(f"the request for the overview: {sum(asked):,} tokens\n")
    _sizes(enriching, found.candidates, shared)
    for model in ("claude-haiku-5-5", "claude-sonnet-5-5"):
        _money(model, found.candidates, shared)
    _worth(found.candidates)


def _sizes(enriching: Enriching, candidates: tuple[Candidate, ...], shared: str) -> None:
    groups = list(plan.grouped(candidates))
    step = max(1, len(groups) // SAMPLE)
    real, guessed = [], []
    for group in groups[::step]:
        request = prompts.definitions_request(enriching.describe(group), shared)
        real.append(plan.tokens_of(request)[1])
        guessed.append(plan.estimated(group, shared, Rates()).request_tokens)
    whole = plan.estimated(candidates, shared, Rates())
    print(f"{whole.requests:,} requests, {len(candidates) / whole.requests:.1f} definitions each")
    print(f"shared beginning {whole.shared_tokens:,} tokens; own part {whole.request_tokens:,} on average")
    print(
        f"{len(real)} requests made up: own part {statistics.mean(real):,.0f} tokens, estimated {statistics.mean(guessed):,.0f}\n"
    )


def _money(model: str, candidates: tuple[Candidate, ...], shared: str) -> None:
    price = LIST_PRICES[model]
    rates = Rates(price.input, price.output, price.cache_read, price.cache_write, price.cache_min)
    print(f"{model} ({price.input:g} in, {price.output:g} out, {price.cache_read:g} cached, for a million tokens)")
    print(f"  {'':<34}{'requests':>9}{'read':>14}{'of it cached':>14}{'written':>12}{'USD':>10}")
    for name, items, batch in (
        ("one definition a request", 1, False),
        ("shared by up to eight", 8, False),
        ("in batches", 8, True),
    ):
        made = plan.estimated(candidates, shared, rates, batch=batch, items=items)
        used = made.usage
        read = used.input_tokens + used.cached_tokens + used.written_tokens
        row = f"{made.requests:>9,}{read:>14,}"
        print(f"  {name + ', no cache':<34}{row}{0:>14}{used.output_tokens:>12,}{made.usd_uncached:>10.2f}")
        print(f"  {name + ', cache':<34}{row}{used.cached_tokens:>14,}{used.output_tokens:>12,}{made.usd:>10.2f}")
    print()


def _worth(candidates: tuple[Candidate, ...]) -> None:
    """How much of the rank (what the rest leans on) the first part of the money describes."""
    costs = [candidate.tokens + plan.HEADING_TOKENS + 5 * plan.ANSWER_TOKENS for candidate in candidates]
    total_cost, total_rank = sum(costs), sum(candidate.rank for candidate in candidates)
    for share in (0.1, 0.25, 0.5):
        spent, rank = 0.0, 0.0
        for candidate, cost in zip(candidates, costs, strict=True):
            if spent + cost > share * total_cost:
                break
            spent, rank = spent + cost, rank + candidate.rank
        print(f"the first {share:.0%} of the money describes {rank / total_rank:.0%} of what the code leans on")


if __name__ == "__main__":
    main()
