"""What a name under the cursor means, where a variable holds something that has a definition too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nav_ls.query import cursor
from nav_ls.query.model import Hover
from nav_ls.query.snapshot import Snapshot
from nav_ls.workspace.locals import LocalsReader
from nav_ls.workspace.workspace import Workspace

APP = "const { make } = require('./make');\nconst app = make();\napp();\nmake();\n"
MAKE = "function serve() {}\nfunction make() { return serve; }\nmodule.exports = { make };\n"
STORE = """struct Link { Link(int d) : depth(d) {} int depth; };
class Store {
  Link link_;
  Store(int n);
};
Store::Store(int n) : link_(n) {}
"""


@contextmanager
def _snapshot(root: Path, files: dict[str, str]) -> Iterator[Snapshot]:
    for name, text in files.items():
        (root / name).write_text(text)
    workspace = Workspace.open(root)
    try:
        workspace.sync()
        with workspace.snapshot() as snapshot:
            yield snapshot
    finally:
        workspace.close()


def test_a_variable_is_meant_and_not_what_it_holds(tmp_path: Path) -> None:
    with _snapshot(tmp_path, {"app.js": APP, "make.js": MAKE}) as snapshot:
        (bound,) = cursor.definitions(snapshot, "app.js", APP.index("app()"))
        assert (bound.name_span.path, bound.name_span.line) == ("app.js", 1)
        marked = cursor.highlight(snapshot, "app.js", APP.index("app()"))
        assert [(item.span.line, item.kind) for item in marked] == [(1, "write"), (2, "read")]
        (required,) = cursor.definitions(snapshot, "app.js", APP.rindex("make"))
        assert (required.name_span.path, required.name_span.line) == ("make.js", 1)


def test_the_field_is_meant_whose_constructor_runs(tmp_path: Path) -> None:
    with _snapshot(tmp_path, {"store.cc": STORE}) as snapshot:
        (field,) = cursor.definitions(snapshot, "store.cc", STORE.index("link_(n)"))
        assert field.name_span.line == 2
        spans = cursor.mentions(snapshot, "store.cc", STORE.index("link_;"))
        assert [span.line for span in spans] == [2, 5]


def test_a_definition_is_known_by_its_name_without_reading_its_file_for_locals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "make.js").write_text(MAKE)
    workspace = Workspace.open(tmp_path)
    try:
        workspace.sync()
        monkeypatch.setattr(LocalsReader, "of", lambda *_: pytest.fail("read"))
        with workspace.snapshot() as snapshot:
            known = cursor.hover(snapshot, "make.js", MAKE.index("make"))
            assert isinstance(known, Hover)
            assert (known.symbol.qual, known.span.column) == ("make", 9)
    finally:
        workspace.close()


def test_a_shorthand_means_the_variable_and_the_field(tmp_path: Path) -> None:
    text = "pub struct P { x: i32 }\nfn f(x: i32) -> P {\n    P { x }\n}\nfn g(p: P) -> i32 {\n    let P { x } = p;\n    x\n}\n"
    with _snapshot(tmp_path, {"p.rs": text}) as snapshot:

        def lines(place: str, after: int = 0) -> list[int]:
            return [t.name_span.line for t in cursor.definitions(snapshot, "p.rs", text.index(place) + after)]

        assert lines("P { x }\n", 4) == [1, 0]
        assert lines("P { x } =", 4) == [0]  # the variable is defined right there
        assert lines("x\n}\n", 0) == [5]
        assert [span.line for span in cursor.mentions(snapshot, "p.rs", text.index("x: i32 }"))] == [0, 2, 5]
        assert [span.line for span in cursor.mentions(snapshot, "p.rs", text.index("x: i32)"))] == [1, 2]


def test_a_field_without_a_name_hides_nothing(tmp_path: Path) -> None:
    text = "struct A;\nstruct Pair(A, A);\nfn f(p: Pair) -> A { Pair(A, A); p.1 }\n"
    with _snapshot(tmp_path, {"p.rs": text}) as snapshot:
        (struct,) = cursor.definitions(snapshot, "p.rs", text.index("A, A);"))
        assert struct.name_span.line == 0
        (field,) = cursor.definitions(snapshot, "p.rs", text.index("1 }"))
        assert (field.name_span.line, field.name_span.column) == (1, 15)
        (made,) = cursor.definitions(snapshot, "p.rs", text.index("Pair(A, A); p"))
        assert made.name_span.line == 1


def test_macros_are_found_in_their_own_file(tmp_path: Path) -> None:
    text = (
        "int a;\n#define MAX 3\n#define OLD NEW\nint f(int n) { return MAX + OLD; }\nint g(int MAX) { return MAX; }\n"
    )
    with _snapshot(tmp_path, {"m.c": text}) as snapshot:
        for name, line in (("MAX +", 1), ("OLD;", 2), ("MAX; }", 4)):
            (found,) = cursor.definitions(snapshot, "m.c", text.index(name))
            assert found.name_span.line == line, name
        assert [span.line for span in cursor.mentions(snapshot, "m.c", text.index("MAX 3"))] == [1, 3]


def test_what_stands_in_front_of_colons_is_a_class(tmp_path: Path) -> None:
    files = {
        "a.php": "<?php\nclass Shop { const MAX = 1; static $n; static function make() {} }\n"
        "function f() { return Shop::make() + Shop::$n + \\Shop::MAX . Shop::class; }\n",
        "a.cc": "struct Shop {\n  static int n;\n  static int make();\n};\n"
        "int Shop::make() { return 1; }\nint f() { return Shop::make() + Shop::n; }\n",
    }
    with _snapshot(tmp_path, files) as snapshot:
        for name, text in files.items():
            first, *mentions = (m.start() for m in re.finditer("Shop", text))
            for place in mentions:
                assert [t.name_span.start for t in cursor.definitions(snapshot, name, place)] == [first]


def test_self_is_the_class_or_module_around_it(tmp_path: Path) -> None:
    text = "module Shop\n  def self.open\n    self\n  end\nend\nclass Cart\n  def sum = self\nend\n"
    with _snapshot(tmp_path, {"shop.rb": text}) as snapshot:
        for place, line in ((text.index("self\n  end"), 0), (text.rindex("self"), 5)):
            (owner,) = cursor.definitions(snapshot, "shop.rb", place)
            assert owner.name_span.line == line
