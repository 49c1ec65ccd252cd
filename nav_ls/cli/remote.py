"""A command through the shared server: its index is warm, and knows what editors have not saved yet."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from nav_ls.cli.terminal import Bar
from nav_ls.client.call import call
from nav_ls.client.connection import RequestFailed, ServerError
from nav_ls.client.runtime import supported
from nav_ls.commands.model import Command
from nav_ls.store.layout import Layout
from nav_ls.text import errors

NO_SERVER = "NAV_NO_SERVER"
"""In the environment, to anything but "" or "0": commands run in this process, as with --no-server."""

_PATIENCE = 24 * 3600.0
"""Seconds.  A person at a terminal ends what takes too long; the first index of a huge repository takes long."""


def wanted(no_server: bool) -> bool:
    """Whether commands should go through the server."""
    return supported() and not no_server and os.environ.get(NO_SERVER, "") in ("", "0")


def run(
    command: Command,
    params: msgspec.Struct,
    repo: Path,
    *,
    sync: bool,
    partial: Callable[[str], None] | None = None,
) -> tuple[msgspec.Struct, Path] | None:
    """The result and the root of the repository; None if there is no server to be had (the reason is on stderr).

    `partial` gets an answer piece by piece.  Raises NavError as the command itself does.
    """
    root = Layout.find(repo).root
    bar = Bar()

    def show(value: dict[str, Any]) -> None:
        piece = value.get("partial")
        if isinstance(piece, dict) and partial is not None:
            bar.clear()
            partial(str(piece.get("text", "")))
        progress = value.get("progress")
        if isinstance(progress, dict):
            bar.show(progress["phase"], progress["done"], progress["total"])

    options = {"root": str(root), "sync": sync}
    try:
        found = call(root, command.name, msgspec.to_builtins(params), _PATIENCE, progress=show, options=options)
    except RequestFailed as error:
        raise _as_raised(error) from error
    except ServerError as error:
        bar.clear()
        print(f"nav: {error}; doing it here", file=sys.stderr)
        return None
    finally:
        bar.clear()
    return msgspec.convert(found, command.result), root


def _as_raised(error: RequestFailed) -> errors.NavError:
    """The error that the server's command has raised."""
    name = error.data.get("kind", "") if isinstance(error.data, dict) else ""
    kind = getattr(errors, name, errors.NavError)
    return kind(error.message) if issubclass(kind, errors.NavError) else errors.NavError(error.message)
