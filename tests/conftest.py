"""For all tests: commands run in their own process, unless a test is about the server."""

from __future__ import annotations

import os

os.environ["NAV_NO_SERVER"] = "1"
