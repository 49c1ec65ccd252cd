"""Which nav this is: what client and server compare before they talk."""

from __future__ import annotations

import functools
import os
import zlib
from pathlib import Path

import nav_ls

HELLO = "nav/hello"
"""The first request on a connection: params `{"version", "build"}`, result `{"version", "build", "pid", "accepted"}`.

`accepted` is false when the client is newer: this server takes no new client, ends when its present ones have
left, and has made room on the socket for its successor.
"""


@functools.cache
def version() -> str:
    """The version of the installed nav."""
    return nav_ls.__version__


@functools.cache
def build() -> str:
    """Tells source checkouts apart ("" for an installed nav, where the version says it all).

    In a checkout the code changes while the version stays; a server that runs yesterday's code must not answer.
    """
    package = Path(nav_ls.__file__).resolve().parent
    if not (package.parent / "pyproject.toml").is_file():
        return ""
    newest = 0
    for folder, _folders, files in os.walk(package):
        for name in files:
            if name.endswith((".py", ".scm", ".sql")):
                newest = max(newest, os.stat(os.path.join(folder, name)).st_mtime_ns)
    return f"{zlib.crc32(os.fsencode(package)):08x}-{newest:x}"


def is_newer(other_version: str, other_build: str) -> bool:
    """Whether a peer with that version and build should replace this process."""
    mine, theirs = _numbers(version()), _numbers(other_version)
    if mine != theirs:
        return theirs > mine
    return other_build != build() and not _is_older(other_build)


def _is_older(other_build: str) -> bool:
    """Whether a build is of our own checkout as it was before: an editor or an agent that began then is served still."""
    (folder, _, newest), (our_folder, _, our_newest) = other_build.partition("-"), build().partition("-")
    return folder == our_folder != "" and _time(newest) < _time(our_newest)


def _time(digits: str) -> int:
    try:
        return int(digits, 16)
    except ValueError:
        return 0


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in text.split(".")[:4])
