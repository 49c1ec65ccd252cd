"""Relinking only the files whose keys a change touches yields what linking everything anew yields.

The projects are the cases; each file is taken away, brought back, cut short and edited in turn.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from nav_ls.graph.link import Linker
from nav_ls.graph.model import Links
from nav_ls.syntax.extract import extract
from nav_ls.syntax.languages import language_of
from tests.cases.runner import Files, parse

FOLDER = Path(__file__).parent.parent / "cases"
LANGUAGES = ("c", "cpp", "ruby", "php")
CASES = sorted(path for language in LANGUAGES for path in (FOLDER / language).glob("*.case"))


class _Incremental:
    """Links that are kept up to date by keys."""

    def __init__(self, files: dict[str, bytes]):
        self.source = Files(files)
        self.linker = Linker(self.source)
        self.links: dict[str, Links] = {path: self.linker.link(path) for path in self.source.code()}

    def change(self, path: str, text: bytes | None) -> None:
        language = language_of(path)
        assert language is not None
        facts = extract(path, text, language) if text is not None else None
        known = self.source._facts
        if facts is None:
            known.pop(path, None)
            self.links.pop(path, None)
        else:
            known[path] = facts
        changed = self.linker.update(path)
        stale = {p for p, links in self.links.items() if links.keys & changed} | ({path} if facts else set())
        for other in sorted(stale):
            self.links[other] = self.linker.link(other)


def _cold(files: dict[str, bytes]) -> dict[str, Links]:
    source = Files(files)
    linker = Linker(source)
    return {path: linker.link(path) for path in source.code()}


def _plain(links: Links) -> tuple[object, ...]:
    return (sorted(map(repr, links.edges)), sorted(map(repr, links.unresolved)), sorted(map(repr, links.relations)))


def _edits(text: bytes) -> list[bytes | None]:
    """Gone, back, the first half, another name for something, and as it was."""
    half = text[: len(text) // 2]
    return [None, text, half, text.replace(b"run", b"ran").replace(b"get", b"got").replace(b"int ", b"long "), text]


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_relinking_equals_linking_anew(path: Path) -> None:
    case = parse(path)
    state = dict(case.files)
    live = _Incremental(state)
    for name in sorted(case.files)[:2]:
        if language_of(name) is None:
            continue
        for text in _edits(case.files[name]):
            if text is None:
                state.pop(name, None)
            else:
                state[name] = text
            live.change(name, text)
            cold = _cold(state)
            assert live.links.keys() == cold.keys()
            for other, links in cold.items():
                assert _plain(live.links[other]) == _plain(links), (name, other)


def test_a_new_name_in_a_module_relinks_only_those_who_look_it_up() -> None:
    project = _Incremental(
        {
            "lib.py": b"def f(): pass\n",
            "through.py": b"from lib import *\n",
            "one.py": b"from through import *\n\nf()\n",
            "two.py": b"from through import *\n\ng()\n",
        }
    )
    project.source._facts["lib.py"] = extract("lib.py", b"def f(): pass\n\n\ndef g(): pass\n", "python")
    changed = project.linker.update("lib.py")
    assert [path for path, links in sorted(project.links.items()) if links.keys & changed] == ["two.py"]
    project.source._facts["lib.py"] = extract(
        "lib.py", b"__all__ = ['g']\n\n\ndef f(): pass\n\n\ndef g(): pass\n", "python"
    )
    changed = project.linker.update("lib.py")
    assert {path for path, links in project.links.items() if links.keys & changed} >= {"one.py", "two.py"}
