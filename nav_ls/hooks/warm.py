"""What git's hooks start, in the background: bring the index up to date, if there is one.

python -m nav_ls.hooks.warm HOOK
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

SECONDS = 120
"""A checkout of another year may take so long; after that the next question does the rest."""


def main() -> int:
    """Sync the index of the current folder's repository; the exit code is 0 whatever happens."""
    if hasattr(os, "setsid"):
        # Out of git's process group: an interrupt in the terminal is not meant for us.
        with contextlib.suppress(OSError):
            os.setsid()
        signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
        signal.alarm(SECONDS)
    with contextlib.suppress(OSError):
        os.nice(10)
    # git sets GIT_DIR and the like for its hooks; they would mislead whoever looks for the repository.
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    with contextlib.suppress(Exception):
        _sync(Path.cwd())
    return 0


def _sync(folder: Path) -> None:
    from nav_ls.store.layout import Layout

    layout = Layout.find(folder)
    if not layout.databases():
        return  # nobody has asked for an index here
    from nav_ls.client.call import call
    from nav_ls.client.connection import ServerError

    try:
        call(layout.root, "nav.index", {}, SECONDS, start=False)
    except ServerError:
        from nav_ls.workspace.workspace import Workspace

        workspace = Workspace.open(folder)
        try:
            workspace.sync()
        finally:
            workspace.close()


if __name__ == "__main__":
    home = str(Path(__file__).resolve().parent.parent.parent)
    if home not in sys.path:
        sys.path.insert(0, home)
    sys.exit(main())
