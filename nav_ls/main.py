"""Entry points.  Each picks a face and imports that one only, so that `nav --help` stays fast."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_WITH_VALUE = ("-C", "--repo", "--color")
"""Options of the command line that may stand before the command, and have their value in the next word."""


def nav() -> int:
    """The `nav` command; returns its exit code."""
    words = _command_first(sys.argv[1:])
    if words[:1] == ["mcp"] and words[1:2] not in (["install"], ["uninstall"]):
        from nav_ls.mcp.app import main as mcp

        return mcp(words[1:])
    if words[:1] in (["hook"], ["git-hook"], ["mcp"]):
        from nav_ls.hooks.app import main as hooks

        return hooks(words)
    if words[:1] == ["ui"]:
        from nav_ls.ui.app import main as ui

        return ui(words[1:])
    from nav_ls.cli.app import main

    return main(sys.argv[1:])


def _command_first(words: Sequence[str]) -> list[str]:
    """Options that stand before the command go behind it, where all faces look for theirs."""
    start = 0
    while start < len(words) and words[start].startswith("-"):
        start += 2 if words[start] in _WITH_VALUE else 1
    return [*words[start:], *words[:start]]


def nav_ls() -> int:
    """The `nav-ls` command, which editors start; returns its exit code."""
    from nav_ls.client import bridge

    mode = bridge.mode_of(sys.argv[1:])
    if isinstance(mode, int):
        return mode
    if mode == "shared":
        code = bridge.bridge()
        if code is not None:
            return code
    from nav_ls.server.app import serve_stdio

    return serve_stdio()


if __name__ == "__main__":
    sys.exit(nav())
