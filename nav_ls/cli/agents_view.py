"""Results of the commands that coding agents use, for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from nav_ls.text.fence import clean

if TYPE_CHECKING:
    from nav_ls.commands import agents, context


def _text(result: agents.TextResult) -> Iterator[str]:
    yield from clean(result.text).split("\n") if result.text else ["nothing to tell"]


def _context(result: context.ContextResult) -> Iterator[str]:
    if result.text:
        yield from clean(result.text).split("\n")
    if result.reason:
        yield result.reason


def _impact(result: agents.ImpactResult) -> Iterator[str]:
    yield f"{result.symbol.symbol}  {result.symbol.path}:{result.symbol.line}"
    for row in result.rows:
        where = f"{row.path}:{row.line}" if row.line else row.path
        verb = "uses" if row.use else "calls"
        test = "  (test)" if row.test else ""
        yield clean(f"{'  ' * row.depth}{where}  {row.symbol}  {verb} {row.via}  {row.evidence}{test}")
    more = "; there is more: raise --limit" if result.cut else ""
    yield f"{len(result.rows):,} reached, {result.possible:,} possible sites not proved{more}"


def _outline(result: agents.OutlineResult) -> Iterator[str]:
    for row in result.rows:
        yield clean(f"{result.path}:{row.line}  {'  ' * row.depth}{row.signature or f'{row.kind} {row.symbol}'}")


RENDERERS: dict[str, Callable[[Any], Iterator[str]]] = {
    "agents.TextResult": _text,
    "context.ContextResult": _context,
    "agents.ImpactResult": _impact,
    "agents.OutlineResult": _outline,
}
