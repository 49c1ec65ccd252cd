from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nav_ls.index.indexer import Indexer
from nav_ls.index.search_index import MANY, SearchIndex
from nav_ls.index.units import Made, SourceFile, embedded_text, units_of
from nav_ls.store.units import UnitReader
from nav_ls.syntax.extract import extract

CODE = b'''"""Accounts."""
import os

LIMIT = 10
OTHER = {
    "a": 1,
}


class Account:
    """Keeps money."""

    currency = "EUR"

    def deposit(self, amount):
        """Add to the balance."""

        def check(value):
            return value > 0

        return check(amount)

    rate = 3.14159265358979

    @property
    def balance(self):
        return self._balance


def transfer(a, b, amount):
    return a.withdraw(b.deposit(amount))


if __name__ == "__main__":
    transfer(Account(), Account(), LIMIT)
'''


def python(text: bytes, path: str = "bank/accounts.py", minimum: int = 10) -> list[Made]:
    return units_of(SourceFile(path, "python", text, extract(path, text, "python")), minimum)


def shown(made: list[Made]) -> list[tuple[str, str, int, int]]:
    return [(unit.row.kind, unit.row.qual, unit.row.first_line, unit.row.last_line) for unit in made]


def test_units_are_whole_definitions_and_what_stands_between_them() -> None:
    assert shown(python(CODE)) == [
        ("code", "", 1, 7),
        ("class", "Account", 10, 13),
        ("method", "Account.deposit", 15, 21),
        ("code", "Account", 23, 23),
        ("property", "Account.balance", 25, 27),
        ("function", "transfer", 30, 31),
        ("code", "", 34, 35),
    ]


def test_names_of_variables_lead_to_the_piece_that_defines_them() -> None:
    first = python(CODE)[0].row
    assert {"limit", "oth"} <= set(first.words[0].split())


def test_small_pieces_are_left_out() -> None:
    assert ("code", "Account", 23, 23) not in shown(python(CODE, minimum=40))


def test_the_embedded_text_starts_with_what_it_is_for() -> None:
    text = embedded_text(
        "method",
        "Account.deposit",
        "src/bank/accounts.py",
        "Add to\n  the balance.",
        ["def", "deposit", "self"],
        layer="model",
    )
    assert text == "model method account deposit. src bank accounts. Add to the balance.\ndef deposit self"


def test_white_space_and_place_in_the_file_do_not_change_what_is_embedded() -> None:
    moved = b"# a new first line\n\n\n" + CODE.replace(b"    ", b"\t").replace(
        b"(a, b, amount)", b"(\n\ta,\n\tb,\n\tamount,\n)"
    )

    def contents(text: bytes) -> dict[str, bytes]:
        return {unit.row.qual: unit.row.content_hash for unit in python(text) if unit.row.kind != "code"}

    assert contents(CODE) == contents(moved)


def test_a_comment_in_front_belongs_to_its_definition() -> None:
    text = b"""int a;

/* Adds
 * numbers. */

int add(int a, int b) {
  return a + b;
}

// lone



// one
// two
int two(void) {
  return 2;
}
"""
    made = units_of(SourceFile("a.c", "c", text, extract("a.c", text, "c")), 4)
    assert shown(made) == [
        ("code", "", 1, 1),
        ("function", "add", 3, 8),
        ("code", "", 10, 10),
        ("function", "two", 14, 18),
    ]
    assert "Adds numbers." in made[1].text


def test_a_header_ends_before_the_comment_of_its_first_member() -> None:
    text = b"""# frozen_string_literal: true

require "json"

module Web
  # Collects what goes
  # back to the client.
  class Response
    # The status.
    def status
      @status
    end
  end
end
"""
    made = units_of(SourceFile("a.rb", "ruby", text, extract("a.rb", text, "ruby")), 4)
    assert shown(made) == [
        ("code", "", 1, 3),
        ("class", "Web.Response", 6, 8),
        ("method", "Web.Response.status", 9, 12),
    ]
    header = next(unit for unit in made if unit.row.kind == "class")
    assert "Collects what goes back to the client." in header.text


def test_a_header_is_never_too_small() -> None:
    text = b"class A {\n  constructor(x, y) {\n    this.x = x\n  }\n}\nlet b\n"
    made = units_of(SourceFile("a.js", "javascript", text, extract("a.js", text, "javascript")), 20)
    assert shown(made) == [("class", "A", 1, 1), ("constructor", "A.constructor", 2, 4)]


def test_markdown_falls_into_sections() -> None:
    text = b"intro text here\n\n# Install\n\nrun the installer\n\n## Options\n\nthere are some options\n"
    made = units_of(SourceFile("README.md", "", text), 5)
    assert shown(made) == [("section", "", 1, 1), ("section", "Install", 3, 5), ("section", "Options", 7, 9)]
    assert {unit.row.layer for unit in made} == {"docs"}


def test_other_text_is_divided_at_blank_lines() -> None:
    text = b"".join(b"line %d of the notes\n" % n + (b"\n" if n % 10 == 9 else b"") for n in range(100))
    made = units_of(SourceFile("notes.txt", "", text))
    assert len(made) > 1
    assert all(unit.row.last_line - unit.row.first_line < 60 for unit in made)


def test_nothing_comes_of_nothing() -> None:
    assert units_of(SourceFile("a.md", "", b"")) == []
    assert units_of(SourceFile("a.bin", "", b"some bytes that nobody asked for")) == []
    assert python(b"") == []


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([line + b"\n" for line in CODE.split(b"\n")]), max_size=60))
def test_units_cover_every_visible_line_once(lines: list[bytes]) -> None:
    text = b"".join(lines)
    spans = [(unit.row.start, unit.row.end) for unit in python(text, minimum=1)]
    assert spans == sorted(spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans)), spans
    covered = bytearray(text)
    for start, end in spans:
        covered[start:end] = b" " * (end - start)
    assert not bytes(covered).strip()


def test_workers_make_the_units_that_this_process_makes(tmp_path: Path) -> None:
    for number in range(MANY + 2):
        tmp_path.joinpath(f"m{number}.py").write_text(
            f'def f{number}():\n    """Do {number}."""\n    return {number}\n'
        )
    indexer = Indexer(tmp_path, workers=2)
    indexer.sync()
    database = indexer.layout.database(indexer.layout.view())
    found = []
    for pool in (None, indexer.workers):
        search = SearchIndex(tmp_path, indexer.layout.folder, database, minimum=12 if pool is None else 13, pool=pool)
        assert search.refresh().files == MANY + 2
        search.close()
        reader = UnitReader.open(database)
        found.append([msgspec.structs.replace(unit, embedded=0) for unit in reader.definitions()])
        reader.close()
    indexer.close()
    assert len(found[0]) == MANY + 2
    assert found[0] == found[1]


def test_a_file_that_cannot_be_divided_has_no_units_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.joinpath("good.py").write_text("def good():\n    return 'something'\n")
    tmp_path.joinpath("bad.py").write_text("def bad():\n    return 'something'\n")
    indexer = Indexer(tmp_path)
    indexer.sync()
    indexer.close()

    def divided(file: SourceFile, *rest: Any) -> list[Made]:
        if file.path == "bad.py":
            raise ValueError("a mistake of ours")
        return units_of(file, *rest)

    monkeypatch.setattr("nav_ls.index.unit_maker.units_of", divided)
    database = indexer.layout.database(indexer.layout.view())
    search = SearchIndex(tmp_path, indexer.layout.folder, database)
    search.refresh()
    assert search.refresh().files == 0
    search.close()
    reader = UnitReader.open(database)
    assert [unit.name for unit in reader.definitions()] == ["good"]
    reader.close()


def test_a_test_inside_a_source_file_is_a_test() -> None:
    text = b"""
pub fn parse(text: &str) -> usize {
    text.len()
}

#[cfg(test)]
mod tests {
    use super::parse;

    const TEXT: &str = "three";

    fn expected() -> usize {
        5
    }

    #[test]
    fn parses() {
        assert_eq!(parse(TEXT), expected());
    }
}
"""
    made = units_of(SourceFile("src/parser.rs", "rust", text, extract("src/parser.rs", text, "rust")), 10)
    assert {unit.row.name: unit.row.layer for unit in made} == {
        "parse": "",
        "": "test",
        "expected": "test",
        "parses": "test",
    }


def test_a_name_alone_makes_no_test() -> None:
    text = b"<?php\nclass Mailer {\n    public function testConnection(): bool {\n        return $this->ping();\n    }\n}\n"
    made = units_of(SourceFile("src/Mailer.php", "php", text, extract("src/Mailer.php", text, "php")), 10)
    assert {unit.row.layer for unit in made if unit.row.name == "testConnection"} == {""}
