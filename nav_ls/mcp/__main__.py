"""`python .../nav_ls/mcp/__main__.py`, which agents start: by its path, so that a checkout needs no settings."""

import sys
from pathlib import Path

if __name__ == "__main__":
    home = str(Path(__file__).resolve().parent.parent.parent)
    if home not in sys.path:
        sys.path.insert(0, home)
    from nav_ls.mcp.app import main

    sys.exit(main(sys.argv[1:]))
