"""Texts that are made for models, for people."""

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
    yield from result.notes


RENDERERS: dict[str, Callable[[Any], Iterator[str]]] = {
    "agents.TextResult": _text,
    "context.ContextResult": _context,
}
