"""workspace/executeCommand: the nav.* table, and the commands about the server itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

if TYPE_CHECKING:
    from nav_ls.server.session import Session


def names() -> list[str]:
    """The names of all commands."""
    return [*_SERVER_COMMANDS]


def execute(session: Session, params: types.ExecuteCommandParams) -> Any:
    """Run a command.  `arguments` is `[params, {"root": path or URI}]`; both may be left out."""
    command = _SERVER_COMMANDS.get(params.command)
    if command is not None:
        return command(session)
    raise JsonRpcInvalidParams(f"there is no command {params.command!r}")


def _status(session: Session) -> dict[str, Any]:
    return session.host.status()


def _stop(session: Session) -> None:
    session.host.stop()


_SERVER_COMMANDS: dict[str, Callable[[Session], Any]] = {
    "nav.server.status": _status,
    "nav.server.stop": _stop,
}

HANDLERS = {types.WORKSPACE_EXECUTE_COMMAND: execute}
