"""What the change at hand reinvents, shown where it stands: for clients that ask for it, after each save."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from nav_ls.commands.conform import ConformParams, FindingRow, run_conform
from nav_ls.commands.model import Context
from nav_ls.server.uris import Uris, uri_of
from nav_ls.text.errors import NavError

if TYPE_CHECKING:
    from nav_ls.server.session import Folder, Session

log = logging.getLogger(__name__)

Json = dict[str, Any]


class Diagnostics:
    """Checks the work tree of a saved file against its last commit.  Runs on the loop's thread.

    Saves that come in while a check runs are answered by one more check.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._waiting: dict[str, Folder] = {}
        self._shown: dict[str, set[str]] = {}
        self._task: asyncio.Task[None] | None = None

    def saved(self, folder: Folder) -> None:
        """A file of a folder was written."""
        self._waiting[folder.uri] = folder
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._run())

    def close(self) -> None:
        """Nobody is there to show anything to."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while self._waiting:
            _, folder = self._waiting.popitem()
            try:
                rows = await _check(folder)
            except NavError as error:  # no git, no commit yet: nothing to compare with
                log.info("%s: no diagnostics: %s", folder.repository.root, error)
                continue
            self._show(folder, rows)

    def _show(self, folder: Folder, rows: tuple[FindingRow, ...]) -> None:
        uris = Uris(uri_of(folder.repository.root), uri_of(folder.path), folder.inner)
        found: dict[str, list[Json]] = defaultdict(list)
        for row in rows:
            found[uris.of(row.path)].append(_diagnostic(row, uris))
        before = self._shown.get(folder.uri, set())
        self._shown[folder.uri] = set(found)
        for uri in sorted(before | found.keys()):
            params = {"uri": uri, "diagnostics": found.get(uri, [])}
            self._session.protocol.tell(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)


async def _check(folder: Folder) -> tuple[FindingRow, ...]:
    repository = folder.repository
    async with repository.used() as workspace:
        behind = await repository.current(lambda progress: None, sync=True)
        context = Context(sync=False, behind=behind)
        result = await asyncio.to_thread(run_conform, workspace, ConformParams(), context)
    return result.findings


def _diagnostic(row: FindingRow, uris: Uris) -> Json:
    found: Json = {
        "range": _line(row.line),
        "severity": types.DiagnosticSeverity.Information,
        "source": "nav",
        "code": row.rule,
        "message": f"{row.message}: {row.why}",
    }
    if row.instead is not None:
        place = {"uri": uris.of(row.instead.path), "range": _line(row.instead.line)}
        found["relatedInformation"] = [{"location": place, "message": row.instead.symbol}]
    return found


def _line(line: int) -> Json:
    """A whole line, which counts from 1 here: up to the beginning of the next one."""
    return {"start": {"line": line - 1, "character": 0}, "end": {"line": line, "character": 0}}
