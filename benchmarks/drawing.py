"""Places of a repository's own code, drawn at random for a person to judge what nav says of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Protocol, TypeVar

from nav_ls.query.snapshot import Snapshot
from nav_ls.syntax.extract import extract
from nav_ls.syntax.facts import FileFacts, Flag
from nav_ls.workspace.workspace import Workspace


class Placed(Protocol):
    """Something at an offset of a file."""

    @property
    def path(self) -> str: ...

    @property
    def start(self) -> int: ...


T = TypeVar("T", bound=Placed)


@contextmanager
def indexed(repo: Path) -> Iterator[tuple[Workspace, Snapshot]]:
    """A repository and its state now.  Its files are only read; nav keeps its index of them in `.nav`."""
    workspace = Workspace.open(repo)
    try:
        workspace.sync()
        with workspace.snapshot() as snapshot:
            yield workspace, snapshot
    finally:
        workspace.close()


def own_code(
    workspace: Workspace, snapshot: Snapshot, language: str | None
) -> Iterator[tuple[str, str, bytes, FileFacts]]:
    """Path, language, text and facts of each file of code (of one language) that is neither test nor generated."""
    for info in snapshot.files():
        text = workspace.text(info.path) if info.language and language in (None, info.language) else None
        if text is None:
            continue
        facts = extract(info.path, text, info.language)
        if not facts.generated and not facts.flags & Flag.TEST:
            yield info.path, info.language, text, facts


def draw(found: Iterable[T], count: int, seed: int) -> list[T]:
    """Some of the places at random: the same ones in every version of nav that finds them, whatever else it finds."""
    return sorted(found, key=lambda one: blake2b(f"{seed} {one.path} {one.start}".encode()).digest())[:count]
