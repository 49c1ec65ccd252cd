"""Blocks of code as an agent gets them: whole definitions with what there is to know of them, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import dedent

import msgspec

from nav_ls.query.search import SearchHit
from nav_ls.store.prose import Prose
from nav_ls.text.tokens import estimate
from nav_ls.text.words import WORD, word_terms

SNIPPET_LINES = 6


class Block(msgspec.Struct, frozen=True):
    """A definition, rendered.  `tokens` is an estimate."""

    path: str
    start_line: int
    end_line: int
    symbol: str
    text: str
    tokens: int


def block(
    hit: SearchHit,
    code: str,
    *,
    calls: Sequence[str] = (),
    called_by: Sequence[str] = (),
    prose: Prose | None = None,
) -> Block:
    """The block of a hit: a head of facts, each on its own line, then its code."""
    facts = [
        ("symbol", hit.symbol),
        ("with", ", ".join(hit.also)),
        ("kind", hit.kind),
        ("signature", hit.signature),
        ("layer", hit.layer),
        ("framework", hit.framework),
        ("calls", ", ".join(calls)),
        ("called by", ", ".join(called_by)),
        *_told(prose),
    ]
    head = "\n".join(f"{name}: {value}" for name, value in facts if value)
    text = f"{hit.path}:{hit.start_line}-{hit.end_line}\n{head}\n\n{dedent(code).rstrip()}\n"
    return Block(hit.path, hit.start_line, hit.end_line, hit.symbol, text, estimate(text))


def _told(prose: Prose | None) -> list[tuple[str, str]]:
    """What a language model wrote."""
    if prose is None:
        return []
    return [
        ("summary", prose.summary),
        ("why", prose.why),
        ("responsibilities", "; ".join(prose.responsibilities)),
        ("tags", ", ".join(prose.tags)),
    ]


def within(blocks: Iterable[Block], budget: int) -> list[Block]:
    """Blocks in their order as far as the budget of tokens reaches; one that is too large is passed over."""
    taken, left = [], budget
    for item in blocks:
        if item.tokens <= left:
            taken.append(item)
            left -= item.tokens
    return taken


def snippet(code: str, terms: Iterable[str]) -> str:
    """The few neighbouring lines that say most of the question's words; the first ones where none does."""
    lines = code.rstrip().split("\n")
    wanted = set(terms)
    said = [{term for word in WORD.findall(line) for term in word_terms(word)} & wanted for line in lines]
    starts = range(max(1, len(lines) - SNIPPET_LINES + 1))
    best = max(starts, key=lambda i: (len(set().union(*said[i : i + SNIPPET_LINES])), -i))
    return dedent("\n".join(lines[best : best + SNIPPET_LINES])).strip("\n")
