"""TypeScript and JavaScript: relinking what a change touches yields what linking everything anew yields."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nav_ls.graph.link import Linker
from nav_ls.graph.model import Links
from nav_ls.syntax.extract import extract
from tests.cases.runner import Files, parse

FOLDER = Path(__file__).parent.parent / "cases"
CASES = [p for name in ("typescript", "javascript") for p in sorted((FOLDER / name).glob("*.case"))]
SEVERAL = [p for p in CASES if sum(f.endswith((".ts", ".tsx", ".js", ".mjs", ".cjs")) for f in parse(p).files) > 1]


def cold(source: Files) -> dict[str, Links]:
    linker = Linker(source)
    return {path: linker.link(path) for path in source.code()}


def relink(linker: Linker, source: Files, links: dict[str, Links], changed: set[str], path: str) -> None:
    for other in [*source.code()]:
        if other == path or other not in links or links[other].keys & changed:
            links[other] = linker.link(other)


@pytest.mark.parametrize("path", SEVERAL, ids=lambda p: p.stem)
def test_taking_a_file_away_and_back(path: Path) -> None:
    source = Files(parse(path).files)
    whole = cold(source)
    for victim in whole:
        linker = Linker(source)
        links = {p: linker.link(p) for p in source.code()}
        facts = source._facts.pop(victim)
        changed = linker.update(victim)
        links.pop(victim)
        relink(linker, source, links, changed, victim)
        assert links == cold(source), victim
        source._facts[victim] = facts
        changed = linker.update(victim)
        relink(linker, source, links, changed, victim)
        assert links == whole, victim


@pytest.mark.parametrize("path", SEVERAL, ids=lambda p: p.stem)
def test_renaming_what_a_file_defines(path: Path) -> None:
    source = Files(parse(path).files)
    for victim in sorted(source._facts):
        linker = Linker(source)
        links = {p: linker.link(p) for p in source.code()}
        before = source._facts[victim]
        for name in sorted({s.name for s in before.symbols if len(s.name) > 1 and s.name.isidentifier()}):
            text = re.sub(rb"\b%s\b" % name.encode(), name.encode() + b"Z", source.texts[victim])
            source._facts[victim] = extract(victim, text, before.language)
            changed = linker.update(victim)
            relink(linker, source, links, changed, victim)
            assert links == cold(source), (victim, name)
        source._facts[victim] = before


def test_a_changed_manifest_relinks_who_asked_for_it() -> None:
    files = {
        "tsconfig.json": b'{"compilerOptions": {"paths": {"@a": ["./one.ts"]}}}',
        "one.ts": b"export function f() {}\n",
        "two.ts": b"export function f() {}\n",
        "use.ts": b"import { f } from '@a';\nexport const run = () => f();\n",
    }
    source = Files(files)
    linker = Linker(source)
    links = {p: linker.link(p) for p in source.code()}
    source.texts["tsconfig.json"] = files["tsconfig.json"].replace(b"one", b"two")
    changed = linker.update_manifest("tsconfig.json")
    assert links["use.ts"].keys & changed
    relink(linker, source, links, changed, "")
    assert links == cold(source)
    assert any(e.callee == ("two.ts", "f") for e in links["use.ts"].edges)
