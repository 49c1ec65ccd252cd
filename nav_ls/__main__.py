"""`python -m nav_ls` is the `nav` command."""

import sys

from nav_ls.main import nav

if __name__ == "__main__":
    sys.exit(nav())
