"""The terminal: colours where they are wanted, and a progress bar on stderr."""

from __future__ import annotations

import os
import sys
import time
from typing import TextIO

_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}
_PHASES = {
    "scan": "looking for changes",
    "extract": "reading",
    "link": "linking",
    "store": "storing",
    "units": "reading for search",
    "embed": "embedding",
    "evaluate": "evaluating",
    "enrich": "describing",
}
_WIDTH = 24
_EVERY_SECONDS = 0.05
_QUIET_SECONDS = 0.4
"""Work that is done before this shows no bar at all."""


class Paint:
    """Colours text, or leaves it alone."""

    def __init__(self, wanted: str, stream: TextIO) -> None:
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        self._on = wanted == "always" or (wanted == "auto" and stream.isatty() and not plain)

    def __call__(self, text: str, *styles: str) -> str:
        """`text` in some of: bold, dim, red, green, yellow, blue, magenta, cyan."""
        if not self._on or not text:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


class Bar:
    """A progress bar on stderr; nothing at all where stderr is no terminal."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()
        self._begun = self._last = time.monotonic()
        self._shown = False

    def show(self, phase: str, done: int, total: int) -> None:
        """Draw the state of one phase."""
        now = time.monotonic()
        if not self._on or now - self._begun < _QUIET_SECONDS or (now - self._last < _EVERY_SECONDS and done != total):
            return
        self._last = now
        label = _PHASES.get(phase, phase)
        if total:
            filled = _WIDTH * done // total
            text = f"{label:<20} {'█' * filled}{'░' * (_WIDTH - filled)} {done:,}/{total:,}"
        else:
            text = label
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
        self._shown = True

    def clear(self) -> None:
        """Take the bar away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
