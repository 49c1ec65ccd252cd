"""Entry points.  Each picks a face and imports that one only, so that `nav --help` stays fast."""

from __future__ import annotations

import sys


def nav() -> int:
    """The `nav` command; returns its exit code."""
    if sys.argv[1:2] == ["mcp"] and sys.argv[2:3] not in (["install"], ["uninstall"]):
        from nav_ls.mcp.app import main as mcp

        return mcp(sys.argv[2:])
    if sys.argv[1:2] in (["hook"], ["git-hook"], ["mcp"]):
        from nav_ls.hooks.app import main as hooks

        return hooks(sys.argv[1:])
    if sys.argv[1:2] == ["ui"]:
        from nav_ls.ui.app import main as ui

        return ui(sys.argv[2:])
    from nav_ls.cli.app import main

    return main(sys.argv[1:])


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
