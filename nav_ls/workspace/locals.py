"""Names inside of single files, read when somebody points at one, in a process beside the one that writes the index.

That one may be busy for minutes, and who points at a name waits.
"""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec

from nav_ls.graph.model import Locals
from nav_ls.index.pool import Lost, Pool
from nav_ls.index.worker import Setup
from nav_ls.syntax.languages import language_of
from nav_ls.text.admit import Limits

_KEPT = 32
_DECODER = msgspec.msgpack.Decoder(Locals)


class LocalsReader:
    """Knows the files that were asked about last.  May be asked from several threads; they take turns."""

    def __init__(self, root: Path, limits: Limits) -> None:
        self._limits = limits
        self._pool = Pool(Setup(str(root), "", limits), 1)
        self._turn = threading.Lock()
        self._known: dict[str, tuple[bytes, Locals]] = {}

    def of(self, path: str, text: bytes) -> Locals:
        """What the names in a text mean; nothing where it takes too long to find out."""
        with self._turn:
            known = self._known.pop(path, None)
            if known is None or known[0] != text:
                known = (text, self._read(path, text))
            self._known[path] = known
            while len(self._known) > _KEPT:
                del self._known[next(iter(self._known))]
            return known[1]

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._pool.close()
            self._known.clear()

    def _read(self, path: str, text: bytes) -> Locals:
        language = language_of(path, text[:256])
        if language is None or len(text) > self._limits.file_bytes:
            return Locals()
        answer = self._pool.find_locals(path, text, language)
        return Locals() if isinstance(answer, Lost) else _DECODER.decode(answer)
