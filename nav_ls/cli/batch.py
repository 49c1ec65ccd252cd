"""`nav search --batch`: many questions from a JSONL file, one line of JSON for each answer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from nav_ls.commands.model import NOT_COMPARED, Context
from nav_ls.commands.search import SearchParams
from nav_ls.commands.table import execute, find, parse
from nav_ls.text.errors import UsageError
from nav_ls.workspace.workspace import Workspace

_KEPT = ("id", "repo", "query")
"""What of a question's line is repeated in its answer's line."""
_FIELDS = frozenset(SearchParams.__struct_fields__)


def run(args: argparse.Namespace, repo: Path) -> int:
    """Answer every line of `args.batch`; the options of the command line hold where a line doesn't say otherwise.

    The index is brought up to date once, before the first question.  A question that makes no sense has an `error` for
    an answer and keeps no other from being answered; the exit code is 2 then.
    """
    rows = list(_rows(Path(args.batch)))
    workspace = Workspace.open(repo)
    failed = False
    try:
        sync = not getattr(args, "no_sync", False)
        for row in rows:
            values = {**args.values(args), **{key: value for key, value in row.items() if key in _FIELDS}}
            try:
                answer = _answer(workspace, values, sync=sync)
                sync = False
            except UsageError as error:
                answer, failed = {"error": str(error)}, True
            kept = {key: row[key] for key in _KEPT if key in row}
            sys.stdout.write(msgspec.json.encode(kept | answer).decode() + "\n")
    finally:
        workspace.close()
    return 2 if failed else 0


def _answer(workspace: Workspace, values: Mapping[str, Any], *, sync: bool) -> dict[str, Any]:
    command = find("nav.search")
    found: dict[str, Any] = msgspec.to_builtins(
        execute(workspace, command, parse(command, values), Context(sync=sync, behind="" if sync else NOT_COMPARED))
    )
    return found


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path} cannot be read: {reason}") from error
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
