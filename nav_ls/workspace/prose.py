"""Where what a language model wrote is kept, for one repository."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from nav_ls.ports import Usage
from nav_ls.store import content, lock
from nav_ls.store.layout import Layout
from nav_ls.store.prose import Asked, Conversation, Pending, Prose, ProseStore, Spent, Written
from nav_ls.text.errors import NavError

PATIENCE = 600.0
"""Seconds that a paid answer waits for whoever writes the index."""
CONVERSATIONS = 50
QUESTIONS = 6
"""Questions of a conversation that a follow-up is told of."""

T = TypeVar("T")


class ProseKeeper:
    """Keeps answers under the writer's lock: nobody can put another file in the store's place meanwhile."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._path = layout.folder / content.NAME
        self._store: ProseStore | None = None
        self._inode = 0
        self._guard = threading.Lock()
        self._reader: tuple[int, ProseStore] | None = None

    def put(self, prompt: str, model: str, written: Mapping[str, Written]) -> None:
        """Keep answers by subject."""
        self._write(lambda store: store.put(prompt, model, written))

    def note(self, batch: Pending) -> None:
        """Remember a batch."""
        self._write(lambda store: store.note(batch))

    def forget(self, batch: Pending) -> None:
        """A batch is done with."""
        self._write(lambda store: store.forget(batch))

    def say(self, name: str, asked: Asked) -> None:
        """Continue a conversation.  Raises BusyError: it is not worth a long wait."""
        self._write(lambda store: store.say(name, asked, QUESTIONS, CONVERSATIONS), lock.WAIT_SECONDS)

    def spend(self, usage: Usage, usd: float) -> None:
        """Count a question.  Raises BusyError: it is not worth a long wait."""
        self._write(lambda store: store.spend(usage, usd), lock.WAIT_SECONDS)

    def spent(self) -> Spent:
        """What all questions took so far."""
        return self._read(lambda store: store.spent(), Spent())

    def pending(self) -> list[Pending]:
        """The batches that are not done with."""
        return self._read(lambda store: store.pending(), [])

    def settled(self, prompt: str) -> dict[str, Written]:
        """What is kept of a version of a prompt."""
        return self._read(lambda store: store.settled(prompt), {})

    def latest_text(self, prompt: str) -> tuple[str, str]:
        """(subject, text) of the latest text."""
        return self._read(lambda store: store.latest_text(prompt), ("", ""))

    def about(self, subjects: Iterable[str]) -> dict[str, Prose]:
        """The prose about subjects."""
        return self._read(lambda store: store.get(subjects), {})

    def conversation(self, name: str) -> Conversation:
        """A conversation so far."""
        return self._read(lambda store: store.conversation(name), Conversation())

    def close(self) -> None:
        """Release the files."""
        self._close_writer()
        with self._guard:
            self._close_reader()

    def _close_writer(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            store.close()

    def _close_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader[1].close()

    def _write(self, write: Callable[[ProseStore], None], patience: float = PATIENCE) -> None:
        self._layout.make_folder()
        with lock.writer(self._layout.folder, patience):
            if self._store is not None and self._inode != _inode(self._path):
                self._close_writer()  # it was repaired: another file is in its place
            if self._store is None:
                self._store = ProseStore.writable(self._path)
                self._inode = _inode(self._path)
            write(self._store)

    def _read(self, read: Callable[[ProseStore], T], otherwise: T) -> T:
        """Questions ask for prose all the time, so the file stays open until another one is in its place."""
        with self._guard:
            try:
                inode = _inode(self._path)
                if self._reader is None or self._reader[0] != inode:
                    self._close_reader()
                    self._reader = inode, ProseStore.readable(self._path)
                return read(self._reader[1])
            except (NavError, FileNotFoundError):
                self._close_reader()
                return otherwise


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
