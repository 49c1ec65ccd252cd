"""What indexing reports."""

from __future__ import annotations

from collections.abc import Callable

import msgspec


class Progress(msgspec.Struct, frozen=True):
    """How far indexing is.  phase: scan | extract | link | store; `total` is 0 where it is not known."""

    phase: str
    done: int
    total: int


Listener = Callable[[Progress], None]
"""Called often, from the thread that indexes.  It may raise to stop the work: nothing is kept then."""


class Report(msgspec.Struct, frozen=True):
    """What a sync did.

    `files` counts those of code, as `relinked` does; of the `changed` files, which had other content, `others` are none
    (texts, settings, what is left out).  `relinked` includes those that only depend on them; `dangling` counts links
    to definitions that do not exist (always 0 unless a linker is wrong).
    """

    generation: int
    files: int
    changed: int
    removed: int
    relinked: int
    skipped: int
    seconds: float
    cold: bool
    others: int = 0
    dangling: int = 0
    rebuilt: str = ""
    """Why an existing index was thrown away first, "" if it was not."""
