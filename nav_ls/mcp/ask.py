"""How the MCP server gets its answers: from nav's server, or in this process where there can be none."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from nav_ls.client.call import call
from nav_ls.client.connection import RequestFailed, ServerError
from nav_ls.text.errors import NavError, NotFoundError
from nav_ls.text.git import find_repository

SECONDS = 120.0
"""A first question may have to wait for a whole index."""


class AskError(Exception):
    """The question cannot be answered; the message says why, for the model to read.  `missing`: nothing is so named."""

    def __init__(self, message: str, *, missing: bool = False) -> None:
        super().__init__(message)
        self.missing = missing


class Asker:
    """Runs nav.* commands on one repository.  Values are plain JSON."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._guard = threading.Lock()
        self._workspace: Any = None

    @classmethod
    def at(cls, folder: Path) -> Asker:
        """For the repository that holds a folder."""
        found = find_repository(folder.resolve())
        return cls(found.root if found is not None else folder.resolve())

    def __call__(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a command.  Raises AskError."""
        try:
            return dict(call(self.root, command, params, SECONDS))
        except RequestFailed as error:
            kind = error.data.get("kind") if isinstance(error.data, dict) else ""
            raise AskError(error.message, missing=kind == NotFoundError.__name__) from error
        except ServerError:
            return self._in_process(command, params)

    def _in_process(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        import msgspec

        from nav_ls.commands.model import Context
        from nav_ls.commands.table import execute, find, parse
        from nav_ls.workspace.workspace import Workspace

        with self._guard:
            try:
                row = find(command)
                if self._workspace is None:
                    self._workspace = Workspace.open(self.root)
                result = execute(self._workspace, row, parse(row, params), Context())
            except NavError as error:
                raise AskError(str(error), missing=isinstance(error, NotFoundError)) from error
            plain: dict[str, Any] = msgspec.to_builtins(result)
            return plain


def project_folder() -> Path:
    """The folder that the client works in."""
    for name in ("CLAUDE_PROJECT_DIR", "QWEN_PROJECT_DIR", "GEMINI_PROJECT_DIR"):
        folder = os.environ.get(name)
        if folder and os.path.isdir(folder):
            return Path(folder)
    return Path.cwd()
