"""For all tests: commands run in their own process, unless a test is about the server."""

from __future__ import annotations

import os

os.environ["NAV_NO_SERVER"] = "1"

os.environ.setdefault("NAV_SEARCH_BACKGROUND", "0")
"""Servers that tests start would otherwise embed their repositories, on processors that the tests need."""

os.environ.setdefault("NAV_SERVER_IDLE_MINUTES", "2")
"""A server that was still starting when its test ended is not met by the test's `stop`."""

for _name in ("NAV_API_KEY", "NAV_MODEL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
    os.environ.pop(_name, None)  # no test asks a model that costs money
