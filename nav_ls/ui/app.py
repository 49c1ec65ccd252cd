"""`nav ui`: open the graph page of a repository in a browser."""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nav_ls.client.call import call
from nav_ls.client.connection import ServerError
from nav_ls.client.watch import watch
from nav_ls.ui.serve import serve

_SECONDS = 120.0
"""A first question may have to wait for the index."""


def parser() -> argparse.ArgumentParser:
    """The parser of `nav ui`."""
    found = argparse.ArgumentParser(prog="nav ui", description=__doc__)
    found.add_argument("target", nargs="?", default="", metavar="NAME", help="the definition to begin with")
    found.add_argument("-C", "--repo", default=".", metavar="DIR", help="the repository (default: the current folder)")
    found.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: a free one)")
    found.add_argument("--no-browser", action="store_true", help="only print the address")
    found.add_argument("--json", action="store_true", help="print the address as JSON")
    return found


def main(argv: Sequence[str]) -> int:
    """Run `nav ui`; returns the exit code."""
    args = parser().parse_args(argv)
    root = Path(args.repo).resolve()
    if not root.is_dir():
        print(f"nav: {root}: no such folder", file=sys.stderr)
        return 2
    try:
        watching = functools.partial(watch, root)
        return serve(
            _asker(root), watching, args.port, browse=not args.no_browser, target=args.target, as_json=args.json
        )
    except (OSError, OverflowError) as error:
        print(f"nav: port {args.port} cannot be used: {error}", file=sys.stderr)
        return 1


def _asker(root: Path) -> Any:
    def ask(command: str, params: dict[str, Any]) -> Any:
        try:
            return call(root, f"nav.{command}", params, _SECONDS)
        except ServerError as error:
            raise ValueError(str(error)) from error

    return ask
