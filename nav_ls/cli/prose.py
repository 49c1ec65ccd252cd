"""The commands that a language model answers: what can be said, what is asked before money is spent, what is shown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nav_ls.cli import here

if TYPE_CHECKING:
    from nav_ls.commands.ask import AskResult
    from nav_ls.commands.enrich import EnrichResult
    from nav_ls.enrich.plan import Estimate
    from nav_ls.ports import Usage
    from nav_ls.store.prose import Spent

Add = Callable[..., argparse.ArgumentParser]
Paint = Callable[..., str]


def arguments(add: Add) -> None:
    """Add the subcommands; `add(name, help, command, values)` makes one."""
    found = add("enrich", "describe definitions by a language model, and search by that", "nav.enrich", _enrich_values)
    here.add_path(found, "paths", "only files, folders or globs (tests too, then)", nargs="*")
    found.add_argument("--dry-run", action="store_true", help="say what it would take, in tokens and money")
    found.add_argument("--yes", action="store_true", help="do not ask before money is spent")
    found.add_argument("--batch", action="store_true", help="as a batch: half the price, within a day")
    found.add_argument("--no-wait", action="store_true", help="hand a batch in and come back later")
    found.add_argument(
        "--budget", type=_money, default=0.0, metavar="USD", help="at most so much (default: llm.budget)"
    )
    found.add_argument("--tokens", type=_count, default=0, metavar="N", help="at most so many tokens")
    found.add_argument("--limit", type=_count, default=0, metavar="N", help="at most so many definitions")
    found.add_argument("--retry", action="store_true", help="also what gave no usable answer before")
    found.add_argument("--model", default="", metavar="MODEL", help="default: llm.models")

    found = add("ask", "answer a question from the code, with checked citations", "nav.ask", _ask_values)
    found.add_argument("question", metavar="QUESTION", help='such as "how does auth refresh work?"')
    found.add_argument(
        "--no-expand", action="store_true", help="show only what search finds, not its callers and callees"
    )
    found.add_argument("--model", default="", metavar="MODEL", help="default: NAV_MODEL, else llm.ask_models")
    found.add_argument("--session", default="", metavar="NAME", help="a conversation: the next question is a follow-up")
    found.add_argument("--tokens", type=_count, default=12_000, metavar="N", help="of code that is shown (12000)")


def _ask_values(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "question": args.question,
        "expand": not args.no_expand,
        "model": args.model,
        "session": args.session,
        "tokens": args.tokens,
    }


def _enrich_values(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "dry_run": args.dry_run,
        "batch": args.batch,
        "wait": not args.no_wait,
        "budget": args.budget,
        "tokens": args.tokens,
        "limit": args.limit,
        "paths": args.paths,
        "retry": args.retry,
        "model": args.model,
    }


def agreed(args: argparse.Namespace, found: EnrichResult, lines: Sequence[str]) -> bool:
    """Whether a run should go on, after its estimate.  Raises NavError where nobody can be asked."""
    from nav_ls.text.errors import NotConfiguredError, UsageError

    if not found.configured:
        raise NotConfiguredError(found.notes[0])
    if not found.estimate.definitions and not found.pending:
        return False
    if args.yes:
        return True
    for line in lines:
        print(line, file=sys.stderr)
    if not sys.stdin.isatty():
        raise UsageError("this asks a language model: say --yes, or --dry-run to see what it takes")
    print("Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def enriched(paint: Paint, found: EnrichResult) -> Iterator[str]:
    """What a run would take, or what it did."""
    outcome = found.outcome
    if outcome is None:
        yield from _estimate(paint, found, found.estimate)
    else:
        yield paint(f"{outcome.described:,} definitions described", "bold") + f" by {found.model}"
        used = outcome.usage
        cached = f", {used.cached_tokens:,} of them from the cache" if used.cached_tokens else ""
        read = used.input_tokens + used.cached_tokens + used.written_tokens
        yield f"{outcome.requests:,} requests; {read:,} tokens read{cached}, {used.output_tokens:,} written; {usd(outcome.usd)}"
        if outcome.failed:
            yield paint(f"{outcome.failed:,} without a usable answer (--retry asks again)", "yellow")
        if outcome.running:
            yield f"{outcome.running:,} requests are still running in batches"
        if outcome.stopped:
            yield paint(f"stopped: {outcome.stopped}", "yellow")
        if outcome.left:
            yield f"{outcome.left:,} definitions are left"
    yield f"{found.described:,} definitions have a description; {usd(found.spent_usd)} paid for them in all"
    for note in found.notes:
        yield paint(note, "yellow")


def _estimate(paint: Paint, found: EnrichResult, estimate: Estimate) -> Iterator[str]:
    yield paint(f"{estimate.definitions:,} definitions to describe", "bold") + f" by {found.model}"
    if found.pending:
        yield f"{found.pending:,} more are in batches at the provider"
    usage = estimate.usage
    yield f"{estimate.requests:,} requests of about {estimate.shared_tokens:,} shared and {estimate.request_tokens:,} own tokens"
    read = usage.input_tokens + usage.cached_tokens + usage.written_tokens
    yield f"about {read:,} tokens read ({usage.cached_tokens:,} from the cache), {usage.output_tokens:,} written"
    if not estimate.priced:
        yield paint(f"what that costs is not known: there is no price for {found.model} (llm.prices)", "yellow")
    elif not estimate.usd_uncached and estimate.definitions:
        yield f"free: an endpoint of your own, and no price for {found.model} (llm.prices)"
    elif estimate.usd_uncached > estimate.usd:
        yield paint(f"about {usd(estimate.usd)}", "bold") + f", {usd(estimate.usd_uncached)} where nothing is cached"
    else:
        yield paint(f"about {usd(estimate.usd)}", "bold")


_EXIT_CODES = {"answered": 0, "nothing": 3, "doubtful": 7}


def exit_code(status: str) -> int:
    """Of `nav ask`: 0 where every citation holds, 3 where the code does not show it, 7 where one does not hold or there
    is none, 1 where the answer is no whole one."""
    return _EXIT_CODES.get(status, 1)


def live(piece: str) -> None:
    """The next piece of an answer, as it comes."""
    sys.stdout.write(_shown(piece))
    sys.stdout.flush()


def answered(paint: Paint, found: AskResult, *, heard: bool) -> Iterator[str]:
    """An answer and what its citations are worth; one that was shown while it was written is not shown again."""
    if heard and found.model:
        yield ""
    else:
        yield from _shown(found.marked).split("\n")
    for item in found.citations:
        if item.status == "absent":
            yield paint(f"{_shown(item.text)}: cited, but not among what was shown", "red")
        elif item.status == "unseen":
            yield paint(f"{_shown(item.text)}: cited, but these lines were not shown", "red")
    if found.status == "doubtful" and not found.citations:
        yield paint("nothing is cited: take it as a guess", "red")
    if found.status in ("broken", "refused"):
        yield paint("the answer broke off" if found.status == "broken" else "the model refused to answer", "red")
    for note in found.notes:
        yield paint(_shown(note), "yellow")
    if found.model:
        valid = sum(item.status == "valid" for item in found.citations)
        cited = f"{valid} of {len(found.citations)} citations hold"
        took = f"{tokens(found.usage)}; {usd(found.usd)}"
        yield paint(f"{found.model}; {len(found.shown)} excerpts shown; {cited}; {took}", "dim")
        if found.asked.questions > 1:
            yield paint(spent(found.asked), "dim")


def spent(asked: Spent) -> str:
    """What all questions of a repository took."""
    questions = "1 question" if asked.questions == 1 else f"{asked.questions:,} questions"
    return f"{questions} so far: {tokens(asked.usage)}; {usd(asked.usd)}"


def tokens(usage: Usage) -> str:
    """What was read and written."""
    read = usage.input_tokens + usage.cached_tokens + usage.written_tokens
    return f"{read:,} tokens read, {usage.output_tokens:,} written"


def _shown(text: str) -> str:
    """A model's words must not move the cursor: control characters are spelled out."""
    return "".join(char if char.isprintable() or char in "\n\t" else repr(char)[1:-1] for char in text)


def usd(amount: float) -> str:
    """An amount of money."""
    return f"${amount:,.2f}" if amount >= 0.1 or not amount else f"${amount:.4f}"


def _money(text: str) -> float:
    try:
        value = float(text.removeprefix("$"))
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of US dollars")
    return value


def _count(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of things")
    return int(text)
