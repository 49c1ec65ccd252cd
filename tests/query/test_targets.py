"""What somebody means by a name, however they write it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from nav_ls.query import symbols, targets
from nav_ls.query.snapshot import Snapshot
from nav_ls.store.overview import Overview
from nav_ls.text.errors import NotFoundError, UsageError
from nav_ls.workspace.workspace import Workspace

APP = "class Flask:\n    def run(self):\n        pass\n\n\nif True:\n    def f(): pass\nelse:\n    def f(): pass\n"
CART = (
    "class Cart:\n    size: int\n\n    def __init__(self, items):\n        self.items = items\n\n"
    "class Other:\n    def __init__(self):\n        self.size = 1\n"
)
OPTIONS = "class Options {\n    companion object {\n        fun of(n: Int) = n\n    }\n}\n"
SECRET = "class Vault {\n  #key() { return 1; }\n  open() { return this.#key(); }\n}\n"
SHOP = "from cart import Cart\n\n\nclass Shop(Cart):\n    pass\n\n\nclass Corner(Shop):\n    weight = 3\n"
DOG = "module Walks\n  def walk; end\nend\n\nclass Dog\n  include Walks\nend\n"
OUTER = "package p\n\ntype Inner struct{}\n\nfunc (i Inner) Start() {}\n\ntype Outer struct{ Inner }\n"
TRAIT = "<?php\ntrait Logs { function note() {} }\nclass Job { use Logs; }\n"
FACE = "interface Face { default int eyes() { return 2; } }\nclass Cat implements Face {}\n"
POINTER = "struct Link { Link* operator->(); };\n"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    root = tmp_path_factory.mktemp("targets")
    (root / "a#b").mkdir()
    for path, text in {
        "app.py": APP,
        "options.kt": OPTIONS,
        "cart.py": CART,
        "shop.py": SHOP,
        "dog.rb": DOG,
        "outer.go": OUTER,
        "job.php": TRAIT,
        "Cat.java": FACE,
        "a#b/vault.js": SECRET,
        "link.cc": POINTER,
    }.items():
        (root / path).write_text(text)
    workspace = Workspace.open(root)
    workspace.sync()
    with workspace.snapshot() as found:
        yield found
    workspace.close()


@pytest.mark.parametrize(
    ("spec", "qual"),
    [
        ("Flask.run", "Flask.run"),
        ("Flask#run", "Flask.run"),
        ("Flask->run", "Flask.run"),
        ("Flask::run", "Flask.run"),
        ("app.py:Flask#run", "Flask.run"),
        ("app.py:Flask::run", "Flask.run"),
        ("a#b/vault.js:Vault#open", "Vault.open"),
        ("Vault.#key", "Vault.#key"),
        ("Link::operator->", "Link.operator->"),
        ("Options.of", "Options.Companion.of"),
        ("Options.Companion.of", "Options.Companion.of"),
    ],
)
def test_names_are_joined_as_any_language_does_it(snapshot: Snapshot, spec: str, qual: str) -> None:
    assert targets.resolve_one(snapshot, spec).qual == qual
    if ":" not in spec.replace("::", ""):
        assert symbols.find_symbols(snapshot, spec)[0].qual == qual


@pytest.mark.parametrize(
    ("spec", "qual"),
    [
        ("Shop.__init__", "Cart.__init__"),
        ("shop.py:Corner.__init__", "Cart.__init__"),
        ("Corner.weight", "Corner.weight"),
        ("Dog#walk", "Walks.walk"),
        ("Outer.Start", "Inner.Start"),
        ("Job::note", "Logs.note"),
        ("Cat.eyes", "Face.eyes"),
    ],
)
def test_a_class_is_asked_for_what_it_inherits(snapshot: Snapshot, spec: str, qual: str) -> None:
    assert targets.resolve_one(snapshot, spec).qual == qual


def test_a_member_that_no_ancestor_has_is_not_found(snapshot: Snapshot) -> None:
    with pytest.raises(NotFoundError):
        targets.resolve_any(snapshot, "Corner.weigh")


def test_twins_are_told_apart_by_their_number(snapshot: Snapshot) -> None:
    assert [symbol.key for symbol in targets.resolve(snapshot, "app.py:f#1")] == ["f#1"]


def test_what_is_near_is_told_whatever_the_joint(snapshot: Snapshot) -> None:
    with pytest.raises(NotFoundError, match=r"no definition named 'Flask::ru'; did you mean"):
        targets.resolve_any(snapshot, "Flask::ru")
    with pytest.raises(NotFoundError, match=r"no indexed file is named 'none\.py'"):
        targets.resolve_any(snapshot, "none.py:Flask::run")


def test_kinds_that_do_not_exist_are_refused(snapshot: Snapshot) -> None:
    assert [one.kind for one in symbols.find_symbols(snapshot, "run", kinds=["method"])] == ["method"]
    with pytest.raises(UsageError, match=r"no kind of definition is named 'nosuch'; there are: .*function.*method"):
        symbols.find_symbols(snapshot, "run", kinds=["method", "nosuch"])


def test_a_field_that_is_only_assigned_steps_back(snapshot: Snapshot) -> None:
    assert targets.resolve_one(snapshot, "Cart.items").kind == "field"
    assert targets.resolve_one(snapshot, "cart.py:5").qual == "Cart.__init__"  # code stands in the method
    assert targets.resolve_one(snapshot, "size").qual == "Cart.size"
    file = next(info for info in snapshot.reader.files() if info.path == "cart.py")
    assert Overview(snapshot.reader).definitions()[file.id] == 5  # two classes, two methods and what is declared
    assert [node.symbol.qual for node in symbols.outline(snapshot, "cart.py")[0].children] == [
        "Cart.size",
        "Cart.__init__",
    ]


@pytest.mark.parametrize("name", ["a\0b", "Flask\0", "x" * 1_000_000, "aB" * 100_000, '"' * 3000, "a." * 20_000 + "b"])
def test_names_that_no_code_can_have_are_not_found(snapshot: Snapshot, name: str) -> None:
    began = time.process_time()
    assert symbols.find_symbols(snapshot, name) == []
    with pytest.raises(NotFoundError):
        targets.resolve_any(snapshot, name)
    assert time.process_time() - began < 2.0
