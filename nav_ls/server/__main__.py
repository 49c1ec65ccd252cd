"""What a client runs to start the server: `python -m nav_ls.server FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from nav_ls.server.app import serve_socket

if __name__ == "__main__":
    sys.exit(serve_socket(Path(sys.argv[1])))
