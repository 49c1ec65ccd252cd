"""Which definitions a task gets: those that the code stands on, not their copies, and nothing by mere chance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nav_ls.commands.context import context_for
from nav_ls.query import context as chosen
from nav_ls.query.context import Hit
from nav_ls.workspace.workspace import Workspace

PRICE = """export function formatPrice(amount, currency) {
  return roundHalfEven(amount).toFixed(2) + currency;
}
export function roundHalfEven(amount) { return Math.round(amount * 100) / 100; }
export function unrelated(tree) { return tree.leaves; }
"""
RUST = """pub fn parse_size(text: &str) -> u64 { text.len() as u64 }

#[cfg(test)]
mod tests {
    fn parse_size_works() { super::parse_size("1k"); }
}
"""
OLD = """/** @deprecated use roundPrice */
export function roundedPrice(price) { return Math.round(price); }

export function roundPrice(price) { return Math.round(price * 100) / 100; }
"""
FILES = {
    "lib/old.js": OLD,
    "package.json": '{"name": "shop"}',
    "lib/price.js": PRICE,
    "dist/shop.js": PRICE.replace("export ", ""),
    "dist/shop.d.ts": "export interface Options { maxRedirects: number; currencyCode: string }\n",
    "src/lib.rs": RUST,
    "lib/options.ts": "export class Options { maxRedirects = 5; currencyCode = 'EUR'; }\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    opened = Workspace.open(tmp_path)
    opened.sync()
    yield opened
    opened.close()


def shown(workspace: Workspace, task: str) -> list[tuple[str, str]]:
    blocks = context_for(workspace, task, 8000, 4, frozenset()).blocks
    return [(block.path, block.symbol) for block in blocks if block.why == "named"]


def test_a_bundle_is_no_second_definition(workspace: Workspace) -> None:
    assert shown(workspace, "`formatPrice` rounds wrongly") == [("lib/price.js", "formatPrice")]


def test_a_field_is_meant_only_where_it_is_marked(workspace: Workspace) -> None:
    assert shown(workspace, "raise maxRedirects to ten everywhere") == []
    assert shown(workspace, "raise `maxRedirects` to ten everywhere") == [("lib/options.ts", "Options.maxRedirects")]


def start(name: str) -> int:
    return PRICE.index(f"export function {name}")


def test_what_the_best_hit_calls_is_nearer(workspace: Workspace) -> None:
    hits = [
        Hit("lib/price.js", start("formatPrice"), 0.8, 1.0),
        Hit("lib/price.js", start("unrelated"), 0.5, 0.8),
        Hit("lib/price.js", start("roundHalfEven"), 0.5, 0.75),
    ]
    with workspace.snapshot() as snapshot:
        found = chosen.relevant(snapshot, hits)
    assert [item.symbol.qual for item in found] == ["formatPrice", "roundHalfEven"]


@pytest.mark.parametrize(
    "hits, named, passed",
    [
        ([Hit("lib/price.js", start("formatPrice"), 0.3, 1.0)], False, 0),
        ([Hit("lib/price.js", start("formatPrice"), 0.5, 1.0)], False, 1),
        # Words alone have to say more.
        ([Hit("lib/price.js", start("formatPrice"), None, 1.5)], False, 0),
        ([Hit("lib/price.js", start("formatPrice"), None, 2.0)], False, 1),
        # A task that names definitions wants fewer others.
        (
            [Hit("lib/price.js", start("formatPrice"), 0.8, 0), Hit("lib/price.js", start("unrelated"), 0.6, 0)],
            False,
            2,
        ),
        ([Hit("lib/price.js", start("formatPrice"), 0.8, 0), Hit("lib/price.js", start("unrelated"), 0.6, 0)], True, 1),
        ([Hit("lib/price.js", start("formatPrice"), 0.7, 0.5, aside=True)], False, 0),
        ([], False, 0),
    ],
)
def test_the_gate(workspace: Workspace, hits: list[Hit], named: bool, passed: int) -> None:
    with workspace.snapshot() as snapshot:
        assert len(chosen.relevant(snapshot, hits, named=named)) == passed


def test_tests_in_the_file_that_they_test_need_to_be_asked_for(workspace: Workspace) -> None:
    hits = [
        Hit("src/lib.rs", RUST.index("pub fn"), 0.7, 1.0),
        Hit("src/lib.rs", RUST.index("fn parse_size_w"), 0.9, 1.0),
    ]
    with workspace.snapshot() as snapshot:
        alone = [item.symbol.name for item in chosen.relevant(snapshot, hits)]
        both = [item.symbol.name for item in chosen.relevant(snapshot, hits, tests=True)]
    assert alone == ["parse_size"]
    assert both == ["parse_size_works", "parse_size"]


def test_deprecated_code_steps_back(workspace: Workspace) -> None:
    hits = [
        Hit("lib/old.js", OLD.index("/**"), 0.8, 1.0),
        Hit("lib/old.js", OLD.index("export function roundPrice"), 0.75, 1.0),
    ]
    with workspace.snapshot() as snapshot:
        fresh = [item.symbol.name for item in chosen.relevant(snapshot, hits)]
        asked = [item.symbol.name for item in chosen.relevant(snapshot, hits, deprecated=True)]
    assert (fresh, asked) == (["roundPrice", "roundedPrice"], ["roundedPrice", "roundPrice"])
    text = context_for(workspace, "what replaces the deprecated `roundedPrice`?", 8000, 4, frozenset()).text
    assert "### deprecated function roundedPrice" in text


WORK = """from abc import abstractmethod
from typing import overload


class Store:
    @abstractmethod
    def drop_range(self, first, last): ...

    @property
    def dropped(self):
        return self._dropped


class Cache(Store):
    def drop_range(self, first, last):
        kept = []
        for key in sorted(self.entries):
            if first <= key <= last:
                self._dropped += 1
            else:
                kept.append(key)
        self.entries = {key: self.entries[key] for key in kept}


class Mirror(Store):
    def drop_range(self, first, last):
        for target in self.targets:
            if target.is_open:
                target.drop_range(first, last)
            else:
                target.reopen()
                target.drop_range(first, last)


@overload
def parse(text: str) -> str: ...
@overload
def parse(text: bytes) -> bytes: ...
def parse(text):
    if isinstance(text, bytes):
        head, _, tail = text.partition(b"=")
    else:
        head, _, tail = text.partition("=")
    if not tail:
        raise ValueError(head)
    return tail
"""


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "work.py").write_text(WORK)
    opened = Workspace.open(tmp_path)
    opened.sync()
    yield opened
    opened.close()


def found(workspace: Workspace, *definitions: tuple[str, float]) -> list[tuple[str, float]]:
    """The definitions (as they begin, with their cosine) that are near enough, with their score."""
    hits = [Hit("work.py", WORK.encode().index(text.encode()), cosine, 0.0) for text, cosine in definitions]
    with workspace.snapshot() as snapshot:
        return [(item.symbol.qual, round(item.score, 2)) for item in chosen.relevant(snapshot, hits)]


def test_where_the_work_is_done_comes_before_signatures_and_accessors(work: Workspace) -> None:
    declared, accessor, done = "@abstractmethod", "@property", "def drop_range(self, first, last):\n        kept"
    assert (
        found(work, (declared, 0.8), (accessor, 0.8), (done, 0.75))
        == [
            ("Cache.drop_range", 0.75),
            ("Store.dropped", 0.64),
            ("Store.drop_range", 0.56),
        ][:2]
    )


def test_a_namesake_goes_back(work: Workspace) -> None:
    here, there = (f"def drop_range(self, first, last):\n        {word}" for word in ("kept", "for"))
    assert found(work, (here, 0.8), (there, 0.7)) == [("Cache.drop_range", 0.8), ("Mirror.drop_range", 0.56)]


def test_signatures_of_a_function_are_not_told_beside_it(work: Workspace) -> None:
    one, other = "@overload\ndef parse(text: str)", "@overload\ndef parse(text: bytes)"
    assert found(work, (one, 0.9), (other, 0.9), ("def parse(text):", 0.7)) == [("parse", 0.7)]


def test_a_fourth_has_to_be_nearly_as_near_as_the_best(work: Workspace) -> None:
    with work.snapshot() as snapshot:
        symbols = [symbol for symbol in snapshot.symbols_of("work.py") if symbol.key]
    items = [chosen.Chosen(symbol, "found", 0.8 if place else 1.0) for place, symbol in enumerate(symbols[:5])]
    assert chosen.worth_showing(items, 4) == 3
    assert chosen.worth_showing([*items[:3], chosen.Chosen(symbols[3], "found", 0.9)], 4) == 4
    assert chosen.worth_showing([*items[:3], chosen.Chosen(symbols[3], "named", 1.0)], 4) == 4
    assert chosen.worth_showing(items, 2) == 2
    assert chosen.worth_showing(items, 5) == 5
