"""Relinking only the files whose looked-up keys changed gives what a cold linker gives, for every language's cases."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from nav_ls.graph.link import Linker
from nav_ls.graph.model import Links
from nav_ls.syntax.extract import extract
from nav_ls.syntax.languages import language_of
from tests.cases.runner import Files, parse

CASES = sorted((Path(__file__).parent.parent / "cases").rglob("*.case"))
ROUNDS = int(os.environ.get("NAV_ROUNDS", "6"))


class Workbench:
    """A case's files under edits: links kept up to date by keys."""

    def __init__(self, files: dict[str, bytes]):
        self.source = Files(files)
        self.linker = Linker(self.source)
        self.links: dict[str, Links] = {path: self.linker.link(path) for path in self.source.code()}

    def edit(self, path: str, text: bytes | None) -> None:
        """Change a file (None: remove it), then relink what its change touches."""
        language = language_of(path, text[:200] if text else b"") if text is not None else None
        facts = extract(path, text, language) if text is not None and language is not None else None
        if facts is None:
            self.source.texts.pop(path, None)
            self.source._facts.pop(path, None)
        else:
            assert text is not None
            self.source.texts[path] = text
            self.source._facts[path] = facts
        changed = self.linker.update(path)
        self.links.pop(path, None)
        stale = {p for p, links in self.links.items() if links.keys & changed}
        for stale_path in stale | ({path} if facts is not None else set()):
            self.links[stale_path] = self.linker.link(stale_path)

    def cold(self) -> dict[str, Links]:
        linker = Linker(self.source)
        return {path: linker.link(path) for path in self.source.code()}


def mutated(text: bytes, rng: random.Random, words: list[bytes]) -> bytes:
    """One small edit: a line goes, doubles, or a word becomes another one of the project."""
    lines = text.split(b"\n")
    place = rng.randrange(len(lines))
    kind = rng.randrange(4)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(place, lines[rng.randrange(len(lines))])
    elif words:
        parts = lines[place].split(b" ")
        parts[rng.randrange(len(parts))] = rng.choice(words)
        lines[place] = b" ".join(parts)
    return b"\n".join(lines)


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_incremental_equals_cold(path: Path) -> None:
    case = parse(path)
    rng = random.Random(f"{path.parent.name}/{path.stem}/{os.environ.get('NAV_SEED', '')}")
    bench = Workbench(case.files)
    original = {p: bench.source.texts[p] for p in bench.source.code()}
    words = sorted({w for t in original.values() for w in t.replace(b"\n", b" ").split(b" ") if w})
    for _ in range(ROUNDS):
        target = rng.choice(sorted(original))
        now = bench.source.texts.get(target)
        if now is None or rng.random() < 0.15:
            text: bytes | None = original[target]
        elif rng.random() < 0.2:
            text = None
        else:
            text = mutated(now, rng, words)
        bench.edit(target, text)
        cold = bench.cold()
        for file in cold:
            warm = bench.links[file]
            assert warm.edges == cold[file].edges, (file, target)
            assert warm.relations == cold[file].relations, (file, target)
            assert warm.unresolved == cold[file].unresolved, (file, target)


_TWO = b"def a(): pass\ndef b(): pass\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [(b"x = a\nx = b\n", b"x = b\nx = a\n"), (b"y = a\nx = y\ny = b\n", b"y = a\ny = b\nx = y\n")],
)
def test_the_order_of_assignments_counts(before: bytes, after: bytes) -> None:
    bench = Workbench({"m.py": _TWO + before, "use.py": b"from m import x\nx()\n"})
    bench.edit("m.py", _TWO + after)
    assert bench.links == bench.cold()
