"""Entry points.  Each picks a face and imports that one only, so that `nav --help` stays fast."""

from __future__ import annotations

import sys


def nav() -> int:
    """The `nav` command; returns its exit code."""
    from nav_ls.cli.app import main

    return main(sys.argv[1:])
