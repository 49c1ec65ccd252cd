"""The commands that coding agents use, for people: digest, conventions, context, show, impact, outline."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from nav_ls.cli import here

Add = Callable[..., argparse.ArgumentParser]


def arguments(add: Add) -> None:
    """Add the subcommands; `add(name, help, command, values)` makes one."""
    for name, text, tokens in (
        ("digest", "a map of the repository, as an agent's session starts with it", 8000),
        ("conventions", "how things are done here, as the graph shows it", 2000),
    ):
        found = add(name, text, f"nav.{name}", lambda args: {"tokens": args.tokens})
        _tokens(found, tokens)
    found = add(
        "context",
        "the definitions to know before a task",
        "nav.context",
        lambda args: {"task": args.task, "tokens": args.tokens, "blocks": args.blocks},
    )
    found.add_argument("task", metavar="TASK", help="what is to be done, in a sentence or two")
    found.add_argument("--blocks", type=int, default=5, metavar="N", help="at most so many definitions (5)")
    _tokens(found, 4000)
    found = add(
        "show",
        "the source of a definition, with its callers and callees",
        "nav.show",
        lambda args: {"target": args.target, "tokens": args.tokens},
    )
    here.add_target(found)
    _tokens(found, 4000)
    found = add(
        "impact",
        "what a change of a definition may touch: callers, their callers, with evidence",
        "nav.impact",
        lambda args: {"target": args.target, "depth": args.depth, "limit": args.limit},
    )
    here.add_target(found)
    found.add_argument("--depth", type=int, default=3, metavar="N", help="steps of callers (3)")
    found.add_argument("--limit", type=int, default=200, metavar="N", help="at most so many (200)")
    found = add("outline", "the definitions of a file", "nav.outline", lambda args: {"path": args.path})
    here.add_path(found, "path", "a file, or the end of its path")


def elsewhere(commands: Any) -> None:
    """Name the subcommands that other faces of nav answer, for the list of commands."""
    commands.add_parser("hook", help="hooks of coding agents: install, uninstall, doctor, run, rules")
    commands.add_parser("git-hook", help="git hooks that keep the index warm: install, uninstall, status")
    commands.add_parser("ui", help="the graph of calls in a browser")
    commands.add_parser("mcp", help="serve agents over MCP; mcp install, mcp uninstall")


def _tokens(found: argparse.ArgumentParser, default: int) -> None:
    found.add_argument("--tokens", type=int, default=default, metavar="N", help=f"budget of the text ({default})")
