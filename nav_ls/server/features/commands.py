"""workspace/executeCommand: the nav.* table, and the commands about the server itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from nav_ls.commands import table
from nav_ls.commands.model import Command, Context
from nav_ls.index.model import Progress
from nav_ls.server.lane import percent_of
from nav_ls.server.repository import Repository
from nav_ls.text.errors import CancelledError, NavError, UsageError

if TYPE_CHECKING:
    from nav_ls.server.session import Session


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The second argument of a command.

    `root`: which of the session's folders it is about (a path or a URI).  `sync`: whether to wait until all that
    was written to disk before is known.
    """

    root: str | None = None
    sync: bool = True


def names() -> list[str]:
    """The names of all commands."""
    return [*table.names(), *_SERVER_COMMANDS]


def execute(session: Session, params: types.ExecuteCommandParams) -> Any:
    """Run a command.  `arguments` is `[params, options]` (see `Options`); both may be left out."""
    about_server = _SERVER_COMMANDS.get(params.command)
    if about_server is not None:
        return about_server(session)
    arguments = session.plain(params.arguments) or []
    try:
        command = table.find(params.command)
        values = table.parse(command, arguments[0] if arguments else None)
        options = msgspec.convert(arguments[1] if len(arguments) > 1 else {}, Options)
    except UsageError as error:
        raise JsonRpcInvalidParams(str(error)) from error
    except msgspec.ValidationError as error:
        raise JsonRpcInvalidParams(f"{params.command}: second argument: {error}") from error
    repository = session.folder_at(options.root).repository
    return _run(session, repository, command, values, options.sync, params.work_done_token)


async def _run(
    session: Session,
    repository: Repository,
    command: Command,
    values: msgspec.Struct,
    sync: bool,
    token: str | int | None,
) -> msgspec.Struct:
    tell = _Reporter(session, token, command.help if command.name == "nav.ask" else "indexing")
    try:
        async with repository.used() as workspace:
            behind = await repository.current(tell.progress, sync=sync) if command.reads else repository.behind
            # What was written is known by now; asking the disk once more would cost as much as the rest.
            context = Context(tell.progress, sync=False, partial=tell.partial, behind=behind)
            return await asyncio.to_thread(table.execute, workspace, command, values, context)
    except NavError as error:
        raise _refusal(error) from error
    finally:
        tell.end()


def _refusal(error: NavError) -> JsonRpcException:
    """The error as LSP has it; `data` tells our own clients which of nav's errors it is."""
    code = types.ErrorCodes.InvalidParams if isinstance(error, UsageError) else types.LSPErrorCodes.RequestFailed
    data = {"kind": type(error).__name__, "exit_code": error.exit_code}
    return JsonRpcException(str(error), code=code.value, data=data)


class _Reporter:
    """Shows a command's progress to the client that wants to see it; on any thread."""

    def __init__(self, session: Session, token: str | int | None, title: str) -> None:
        self._session = session
        self._title = title
        self._token = token
        self._begun = False
        self._ended = False

    def progress(self, progress: Progress) -> None:
        """How far it is.  Raises CancelledError when nobody waits any more."""
        message = f"{progress.phase} {progress.done}/{progress.total}"
        self._report({"message": message, "percentage": percent_of(progress), "progress": progress})

    def partial(self, text: str) -> None:
        """The next piece of an answer.  Raises as `progress`."""
        self._report({"partial": {"text": text}})

    def _report(self, value: dict[str, Any]) -> None:
        if self._ended:
            raise CancelledError("the client does not want the answer any more")
        if self._token is None:
            return
        if not self._begun:
            self._begun = True
            self._send({"kind": "begin", "title": f"nav: {self._title}"})
        self._send({"kind": "report"} | value)

    def end(self) -> None:
        """The command is over, or nobody waits for it."""
        self._ended = True
        if self._begun:
            self._send({"kind": "end"})

    def _send(self, value: dict[str, Any]) -> None:
        self._session.protocol.tell("$/progress", {"token": self._token, "value": value})


def _status(session: Session) -> dict[str, Any]:
    return session.host.status()


def _stop(session: Session) -> None:
    session.host.stop()


_SERVER_COMMANDS: dict[str, Callable[[Session], Any]] = {
    "nav.server.status": _status,
    "nav.server.stop": _stop,
}

HANDLERS = {types.WORKSPACE_EXECUTE_COMMAND: execute}
