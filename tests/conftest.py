"""For all tests: commands run in their own process, unless a test is about the server."""

from __future__ import annotations

import os

os.environ["NAV_NO_SERVER"] = "1"

os.environ.setdefault("NAV_SEARCH_BACKGROUND", "0")
"""Servers that tests start would otherwise embed their repositories, on processors that the tests need."""
