"""The real coding agents that the tests drive, installed from npm into the tests' cache at pinned versions.

`python -m tests.agents.clients` installs those that are missing and prints where they are.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from tests import npm
from tests.npm import Unavailable


class Client(NamedTuple):
    """One agent: its package on npm, the pinned version, and the name of its program."""

    name: str
    package: str
    version: str


CLAUDE = Client("claude", "@anthropic-ai/claude-code", "2.1.332")
QWEN = Client("qwen", "@qwen-code/qwen-code", "0.24.4")
OPENCODE = Client("opencode", "opencode-ai", "1.18.33")
CLIENTS = (CLAUDE, QWEN, OPENCODE)


def install(client: Client) -> Path:
    """The folder with a client's program, installed if it is not there yet.  Raises Unavailable where it cannot be."""
    return npm.install(client.name, client.package, client.version) / ".bin"


def main() -> int:
    """Install all clients; the exit code says whether all are there."""
    missing = 0
    for client in CLIENTS:
        try:
            print(f"{client.name} {client.version}: {install(client) / client.name}")
        except Unavailable as why:
            missing += 1
            print(f"{client.name} {client.version}: {why}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
