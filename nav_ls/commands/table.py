"""The table of `nav.*` commands.  Modules are imported when a command of theirs is first asked for."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module

import msgspec

from nav_ls.commands.model import Command, Context
from nav_ls.text.errors import AmbiguousError, DamagedError, NotFoundError, UsageError
from nav_ls.workspace.workspace import Workspace

MODULES = {
    "nav.callers": "calls",
    "nav.callees": "calls",
    "nav.defs": "calls",
    "nav.symbols": "calls",
    "nav.graph.deps": "graph",
    "nav.graph.dependents": "graph",
    "nav.graph.top": "graph",
    "nav.graph.export": "graph",
    "nav.search": "search",
    "nav.embed": "search",
    "nav.eval": "evaluate",
    "nav.eval.scaffold": "evaluate",
    "nav.eval.conformance": "eval_conformance",
    "nav.index": "index",
    "nav.status": "index",
    "nav.gc": "index",
    "nav.doctor": "index",
    "nav.digest": "agents",
    "nav.conventions": "agents",
    "nav.impact": "agents",
    "nav.outline": "agents",
    "nav.context": "context",
    "nav.show": "context",
    "nav.hook": "hook",
    "nav.conform": "conform",
    "nav.enrich": "enrich",
    "nav.ask": "ask",
}
"""Which module of this package holds a command."""


def names() -> tuple[str, ...]:
    """The names of all commands."""
    return tuple(MODULES)


@cache
def find(name: str) -> Command:
    """A command by name; raises UsageError for one that does not exist."""
    if name not in MODULES:
        raise UsageError(f"there is no command {name!r}; there are: {', '.join(MODULES)}")
    module = import_module(f"nav_ls.commands.{MODULES[name]}")
    commands: tuple[Command, ...] = module.COMMANDS
    return next(command for command in commands if command.name == name)


def parse(command: Command, values: object) -> msgspec.Struct:
    """Parameters as they come in from JSON; raises UsageError that names the wrong one."""
    try:
        params: msgspec.Struct = msgspec.convert({} if values is None else _text(values), command.params)
    except msgspec.ValidationError as error:
        raise UsageError(f"{command.name}: {error}") from error
    return params


def _text(values: object) -> object:
    """Values without halves of characters, which JSON can escape and which neither a database nor an answer takes."""
    try:
        msgspec.json.encode(values)
    except UnicodeEncodeError:
        return msgspec.json.decode(json.dumps(values, ensure_ascii=False).encode("utf-8", "replace"))
    return values


def execute(workspace: Workspace, command: Command, params: msgspec.Struct, context: Context) -> msgspec.Struct:
    """Run a command on an index that is as fresh as the context wants it; a damaged one is built again first."""
    if command.reads and (context.sync or not workspace.indexed):
        context = msgspec.structs.replace(context, behind=workspace.ensure(context.progress))
    try:
        return command.run(workspace, params, context)
    except DamagedError:
        workspace.repair(context.progress)
        return command.run(workspace, params, context)
    except (NotFoundError, AmbiguousError) as error:
        if not context.behind:
            raise
        # That there is nothing, or not just one, is an answer too: it may be another one by now.
        said, line_feed, candidates = str(error).partition("\n")
        raise type(error)(f"{said} (stale: {context.behind}){line_feed}{candidates}") from error
