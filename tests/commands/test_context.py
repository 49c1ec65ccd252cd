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
