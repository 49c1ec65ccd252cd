"""The answer of a hook where no server runs: the same command, in a process of its own, on the index as it is.

python -m nav_ls.hooks.cold DEADLINE      (of the monotonic clock; parameters of nav.hook as JSON on stdin)
python -m nav_ls.hooks.cold start-server
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

_LARGEST_INPUT = 8 * 1024 * 1024


def main(argument: str) -> int:
    """Write `{"text": ..., "reason": ...}` to stdout; nothing at all if it takes too long."""
    if argument == "start-server":
        from nav_ls.client.start import start_in_background

        start_in_background()
        return 0
    left = float(argument) - time.monotonic()
    if left <= 0:
        return 1
    signal.signal(signal.SIGALRM, lambda *_: os._exit(1))
    signal.setitimer(signal.ITIMER_REAL, left)
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read(_LARGEST_INPUT)))
    sys.stdout.buffer.flush()
    return 0


def answer(asked: bytes) -> bytes:
    """The result of nav.hook for its parameters, both as JSON."""
    import msgspec

    from nav_ls.commands.model import NOT_COMPARED, Context
    from nav_ls.commands.table import execute, find, parse
    from nav_ls.config.settings import load
    from nav_ls.store.layout import Layout
    from nav_ls.workspace.workspace import Workspace

    command = find("nav.hook")
    values = msgspec.json.decode(asked)
    params = parse(command, values)
    folder = Path(str(values.get("folder") or "."))
    config = load(Layout.find(folder).root)
    # By words and the graph alone: vectors take longer to open than to ask, and a process that ends at its deadline would
    # leave them as one that was killed, to be made again.
    by_words = msgspec.structs.replace(config, search=msgspec.structs.replace(config.search, embedder="none"))
    workspace = Workspace.open(folder, by_words)
    try:
        return msgspec.json.encode(execute(workspace, command, params, Context(sync=False, behind=NOT_COMPARED)))
    finally:
        workspace.close()


if __name__ == "__main__":
    code = main(sys.argv[1] if len(sys.argv) > 1 else "0")
    # Readers of a database and the like need no farewell, and the host waits.
    os._exit(code)
