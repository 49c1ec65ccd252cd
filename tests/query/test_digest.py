"""The parts of a map that are pure functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from nav_ls.query.digest import Section, _short_names, draw, fit
from nav_ls.query.landmarks import first_sentence
from nav_ls.workspace.workspace import Workspace


@pytest.mark.parametrize(
    "doc, sentence",
    [
        ("Take an item. Then more.\n\nAnd more.", "Take an item"),
        ("@internal", ""),
        ("const X: symbol = Symbol.for('x');", ""),
        ("base type     ////", "base type"),
        ("*********", ""),
        ("Prevented attack::   CSRF", ""),
        ("word " * 40, ""),
        ("`name` is kept", "`name` is kept"),
        ("Class User.", ""),
        ("The User class", ""),
        ("User of the shop.", "User of the shop."),
        ("eslint-disable-next-line no-undef", ""),
        ("noinspection PhpUnused", ""),
        ("@ts-ignore", ""),
    ],
)
def test_what_a_comment_says_about_a_definition(doc: str, sentence: str) -> None:
    assert first_sentence(doc, "User") == sentence


def test_paths_are_short_only_where_that_is_clear() -> None:
    paths = ["core/src/main/java/org/shop", "core/src/test/java/org/shop", "core/src/main/java/org/shop/pay", "web"]
    assert _short_names(paths) == {
        "core/src/main/java/org/shop": "\u2026/main/java/org/shop",
        "core/src/test/java/org/shop": "\u2026/test/java/org/shop",
        "core/src/main/java/org/shop/pay": "\u2026/pay",
        "web": "web",
    }


def test_sections_share_a_budget_and_lines_come_whole() -> None:
    sections = [Section("A", tuple("a" * 50 for _ in range(100)), 0.5), Section("B", ("b" * 50,), 0.5)]
    for characters in (10, 100, 300, 1000, 10_000):
        text = fit("head", sections, characters)
        assert len(text) <= characters
        assert all(line in ("a" * 50, "b" * 50) for line in text.splitlines() if line.startswith(("a", "b")))
    assert "## B" in fit("head", sections, 1000)


def drawn(root: Path, files: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """The lines of each section of the map of a repository."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    workspace = Workspace.open(root)
    try:
        workspace.sync()
        workspace.searching.refresh()
        with workspace.snapshot() as snapshot:
            found = draw(snapshot)
        assert found is not None
        return {section.title: section.lines for section in found.sections}
    finally:
        workspace.close()


def test_what_lies_in_a_namespace_names_a_package_and_is_told_without_it(tmp_path: Path) -> None:
    slice_ = (
        "namespace store {\nclass Slice {\n public:\n  int size() const { return 1; }\n};\nint measure(Slice s);\n}\n"
    )
    uses = '#include "base/slice.h"\nnamespace store {\nint %s(Slice s) { return s.size(); }\n}\n'
    files = {"base/slice.h": slice_} | {f"db/{name}.cc": uses % name for name in ("read", "write")}
    sections = drawn(tmp_path, files)
    assert sections["Packages (most depended-on first)"][0] == "- base (1 file, 4 definitions): Slice"
    (line, *_) = sections["Most depended-on definitions, by file"]
    assert line == "- base/slice.h: class Slice:2 (2 files); .size:4 (2 files)"


def test_a_program_starts_in_a_static_method_too(tmp_path: Path) -> None:
    sections = drawn(
        tmp_path,
        {
            "src/App.java": "class App {\n  static void main(String[] args) { new Cook().main(); }\n}\n",
            "src/Cook.java": "class Cook {\n  void main() {}\n}\n",
        },
    )
    assert sections["Entry points"] == ("- App.main (src/App.java:2)",)


def test_a_few_files_with_telling_names_are_no_layers(tmp_path: Path) -> None:
    code = "def {0}_{1}(x):\n    return x\n"
    files = {
        f"{folder}/{name}.py": code.format(folder, name)
        for folder, names in (("services", "abc"), ("repositories", "abc"), ("controllers", "ab"))
        for name in names
    }
    assert "Layers" not in drawn(tmp_path / "few", files)
    assert "Layers" in drawn(tmp_path / "more", files | {"controllers/c.py": code.format("controllers", "c")})


def test_a_type_that_has_the_methods_by_chance_is_not_derived(tmp_path: Path) -> None:
    named = 'package {0}\n\ntype {1} struct{{}}\n\nfunc (x {1}) Name() string {{ return "" }}\n'
    files = {"go.mod": "module shop\n", "bus/bus.go": "package bus\n\ntype Server interface {\n\tName() string\n}\n"}
    files |= {f"{name}/{name}.go": named.format(name, name.title()) for name in ("red", "green", "blue")}
    files |= {f"bus/{name}.go": named.format("bus", name.title()) for name in ("one", "two", "three")}
    (line,) = (line for line in drawn(tmp_path, files)["How things are done here"] if "base types" in line)
    assert line == "- base types: Server (bus/bus.go:3), 3 derived"


def test_what_starts_most_comes_first(tmp_path: Path) -> None:
    files = {
        "build/check.py": "def main():\n    pass\n",
        "shop/cart.py": "def fill():\n    pass\n",
        "shop/run.py": "from shop.cart import fill\n\n\ndef main():\n    fill()\n",
    }
    assert drawn(tmp_path, files)["Entry points"] == ("- main (shop/run.py:4)", "- main (build/check.py:1)")


def definitions(root: Path, files: dict[str, str]) -> tuple[str, ...]:
    """The lines about the most depended-on definitions."""
    return drawn(root, files)["Most depended-on definitions, by file"]


def test_heirs_that_differ_in_name_alone_share_a_line(tmp_path: Path) -> None:
    """But one that others use by more than its name has its own."""
    names = ["Red", "Green", "Blue", "Pink"]
    files = {"guard/base.py": "class Guard:\n    def run(self):\n        return 1\n"}
    for name in names:
        files[f"guard/{name.lower()}.py"] = (
            f"from guard.base import Guard\n\n\nclass {name}(Guard):\n    def run(self):\n        return 2\n\n"
            "    def stop(self):\n        return 3\n"
        )
        files[f"use/{name.lower()}.py"] = f"from guard.{name.lower()} import {name}\n\n{name}()\n"
    files["use/pink.py"] += "Pink().stop()\n"
    lines = definitions(tmp_path, files)
    assert [line for line in lines if "heirs" in line] == ["- guard: 3 heirs of Guard: Blue, Green, Red"]
    assert not any(line.startswith(("- guard/red.py", "- guard/blue.py")) for line in lines)
    assert any(line.startswith("- guard/pink.py") for line in lines)


def test_a_defined_type_of_go_is_no_class(tmp_path: Path) -> None:
    files = {
        "go.mod": "module shop\n",
        "bus/bus.go": "package bus\n\n// Level says how loud it is.\ntype Level int\n\nfunc (l Level) Loud() bool { return l > 3 }\n",
        "run/run.go": 'package run\n\nimport "shop/bus"\n\nfunc Run(l bus.Level) bool { return l.Loud() }\n',
    }
    assert definitions(tmp_path, files)[0].startswith("- bus/bus.go: newtype Level:4 ")


def test_code_of_another_language_under_its_own_licence_is_somebody_elses(tmp_path: Path) -> None:
    header = "int mix(int a);\n"
    files = {"LICENSE": "All of us.\n", "go.mod": "module shop\n", "crypto/libmix/COPYING": "Only them.\n"}
    files |= {f"core/{name}.go": f"package core\n\nfunc {name.title()}() int {{ return 1 }}\n" for name in "abcdefg"}
    files["core/use.go"] = "package core\n\nfunc use() int { return A() + B() + C() }\n"
    for folder in ("crypto/libmix", "bindings/cpp"):
        files[f"{folder}/mix.h"] = header
        files |= {f"{folder}/{n}.c": f'#include "mix.h"\nint {n}(int a) {{ return mix(a); }}\n' for n in ("x", "y")}
    files["bindings/cpp/COPYING"] = "Some of us.\n"
    sections = drawn(tmp_path, files)
    packages = sections["Packages (most depended-on first)"]
    assert packages[-1] == "- tests, examples and the like: crypto/libmix (3 files)"
    assert any(line.startswith("- bindings/cpp (3 files") for line in packages)


def test_a_namespace_that_the_path_spells_is_not_told_again(tmp_path: Path) -> None:
    files = {
        "Shop.Core/Items/Base.cs": "namespace Shop.Core.Items;\npublic class Base { public int Id() { return 1; } }\n",
        "Shop.Core/Odd.cs": "namespace Other;\npublic class Odd { public int Id() { return 1; } }\n",
    }
    for name in ("One", "Two"):
        files[f"Shop.Web/{name}.cs"] = (
            f"using Shop.Core.Items;\nusing Other;\nnamespace Shop.Web;\n"
            f"public class {name} {{ int F(Base b, Odd o) {{ return b.Id() + o.Id(); }} }}\n"
        )
    sections = drawn(tmp_path, files)
    packages = sections["Packages (most depended-on first)"]
    assert any(line.startswith("- Shop.Core/Items (") and line.endswith(": Base") for line in packages)
    lines = sections["Most depended-on definitions, by file"]
    assert "- Shop.Core/Items/Base.cs: class Base:2 (2 files); .Id:2 (2 files)" in lines
    assert "- Shop.Core/Odd.cs: class Other.Odd:2 (2 files); .Id:2 (2 files)" in lines


def test_one_name_stands_once_in_the_line_of_its_file(tmp_path: Path) -> None:
    files = {
        "half.h": "#ifdef FAST\nstatic int half(int a) { return a >> 1; }\n#else\nstatic int half(int a) { return a / 2; }\n#endif\n"
    }
    files |= {f"{name}.c": f'#include "half.h"\nint {name}(int a) {{ return half(a); }}\n' for name in ("x", "y")}
    (line,) = (line for line in definitions(tmp_path, files) if "half.h" in line)
    assert line.count("half:") == 1
