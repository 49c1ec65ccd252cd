"""The command line: parses arguments, runs a command, prints its result."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from nav_ls import __version__


def main(argv: Sequence[str]) -> int:
    """Run one command line; returns the exit code."""
    parser().parse_args(argv)
    return 0


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    root = argparse.ArgumentParser(prog="nav", description="Who calls this?  Where is X handled?")
    root.add_argument("--version", action="version", version=f"nav {__version__}")
    return root
