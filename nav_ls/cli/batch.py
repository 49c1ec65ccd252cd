"""`nav search --batch`: many questions from a JSONL file, one line of JSON for each answer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from nav_ls.commands.model import Context
from nav_ls.commands.search import SearchParams
from nav_ls.commands.table import execute, find, parse
from nav_ls.text.errors import UsageError
from nav_ls.workspace.workspace import Workspace

_KEPT = ("id", "repo", "query")
"""What of a question's line is repeated in its answer's line."""
_FIELDS = frozenset(SearchParams.__struct_fields__)


def run(args: argparse.Namespace, repo: Path) -> int:
    """Answer every line of `args.batch`; the options of the command line hold where a line doesn't say otherwise.

    The index is brought up to date once, before the first question.
    """
    rows = list(_rows(Path(args.batch)))
    command = find("nav.search")
    workspace = Workspace.open(repo)
    try:
        sync = not getattr(args, "no_sync", False)
        for row in rows:
            values = {**args.values(args), **{key: value for key, value in row.items() if key in _FIELDS}}
            params = parse(command, values)
            context = Context(None, sync)
            result = execute(workspace, command, params, context)
            sync = False
            answer = {key: row[key] for key in _KEPT if key in row} | msgspec.to_builtins(result)
            sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
    finally:
        workspace.close()
    return 0


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line)
        except msgspec.DecodeError as error:
            raise UsageError(f"{path}:{number}: {error}") from error
        if not isinstance(row, dict) or not isinstance(row.get("query"), str):
            raise UsageError(f'{path}:{number}: a question needs a string "query"')
        yield row
