"""One repository that clients have open: its workspace, the buffers over it, and what is going on in it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nav_ls.server.convert import Lines, split_lines
from nav_ls.text import source

if TYPE_CHECKING:
    from nav_ls.server.session import Session

_MOST_CACHED = 64
_LARGEST_READ = 4 * 1024 * 1024


class Repository:
    """Shared by all sessions that have it open.  Everything here runs on the loop's thread."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sessions: set[Session] = set()
        self._unused_since = time.monotonic()
        self._buffers: dict[str, dict[Session, str]] = {}
        self._lines: dict[str, tuple[object, Lines]] = {}

    # Sessions -------------------------------------------------------------------------------------------------

    def attach(self, session: Session) -> None:
        """A client has it open."""
        self.sessions.add(session)

    def detach(self, session: Session) -> None:
        """A client has left; its unsaved buffers count no longer."""
        self.sessions.discard(session)
        for path in [path for path, texts in self._buffers.items() if session in texts]:
            self.close_buffer(session, path)
        if not self.sessions:
            self._unused_since = time.monotonic()

    def unused_for(self, now: float) -> float:
        """Seconds since the last client left (0 while there is one); `now` is `time.monotonic()`."""
        return 0.0 if self.sessions else now - self._unused_since

    async def close(self) -> None:
        """End what runs for it."""

    def describe(self) -> dict[str, Any]:
        """For `nav server status`."""
        return {"root": str(self.root), "clients": len(self.sessions), "buffers": len(self._buffers)}

    # Buffers --------------------------------------------------------------------------------------------------

    def set_buffer(self, session: Session, path: str, text: str) -> None:
        """An editor shows this text for a file; it counts instead of the file.

        Where several editors have one file open, the one that was edited last counts.
        """
        texts = self._buffers.setdefault(path, {})
        texts.pop(session, None)
        texts[session] = text
        self._buffer_changed(path, text)

    def close_buffer(self, session: Session, path: str) -> None:
        """An editor has closed a file."""
        texts = self._buffers.get(path, {})
        if texts.pop(session, None) is None:
            return
        if not texts:
            del self._buffers[path]
        self._buffer_changed(path, self.buffer(path))

    def buffer(self, path: str) -> str | None:
        """The text that editors show for a file; None if none has it open."""
        texts = self._buffers.get(path)
        return next(reversed(texts.values())) if texts else None

    def _buffer_changed(self, path: str, text: str | None) -> None:
        self._lines.pop(path, None)

    def lines(self, path: str) -> Lines | None:
        """The lines of a file as nav sees it: the buffer if there is one, else the file; None if it can't be read."""
        text = self.buffer(path)
        stamp: object = text
        if text is None:
            stamp = self._stamp(path)
            if stamp is None:
                return None
        found = self._lines.get(path)
        if found is not None and (found[0] is stamp or found[0] == stamp):
            return found[1]
        lines = split_lines(self._read(path, text))
        if len(self._lines) >= _MOST_CACHED:
            del self._lines[next(iter(self._lines))]
        self._lines[path] = stamp, lines
        return lines

    def _stamp(self, path: str) -> object | None:
        file = self.root / path
        try:
            real = file.resolve(strict=True)
            info = real.stat()
        except (OSError, ValueError):
            return None
        # A link out of the repository is none of our business.
        if not real.is_relative_to(self.root) or info.st_size > _LARGEST_READ:
            return None
        return info.st_mtime_ns, info.st_size, info.st_ino

    def _read(self, path: str, text: str | None) -> bytes:
        if text is not None:
            return source.from_text(text).text
        try:
            return source.decode((self.root / path).read_bytes()).text
        except OSError:
            return b""
