"""A root that is a Python package itself: its files import each other by its name."""

from __future__ import annotations

from pathlib import Path

from nav_ls.graph.link import Linker
from nav_ls.index.indexer import Indexer
from nav_ls.syntax.extract import extract
from tests.cases.runner import Files

FILES = {
    "__init__.py": b"",
    "text.py": b"def slug(value): ...\n",
    "forms/__init__.py": b"",
    "forms/fields.py": b"from shop.text import slug\nimport shop.text as t\n\ndef clean(v):\n    t.slug(v)\n    return slug(v)\n",
}
CALLS = [("text.py", "slug"), ("text.py", "slug")]


def _calls(linker: Linker) -> list[tuple[str, str]]:
    return [edge.callee for edge in linker.link("forms/fields.py").edges if edge.kind == "calls"]


def test_imports_by_the_name_of_the_root() -> None:
    assert _calls(Linker(Files(FILES, "shop"))) == CALLS


def test_another_name_is_somebody_elses() -> None:
    assert _calls(Linker(Files(FILES, "store"))) == []


def test_a_root_that_is_no_package_has_no_name() -> None:
    assert _calls(Linker(Files({path: text for path, text in FILES.items() if path != "__init__.py"}, "shop"))) == []


def test_a_root_that_becomes_a_package() -> None:
    source = Files({path: text for path, text in FILES.items() if path != "__init__.py"}, "shop")
    linker = Linker(source)
    before = linker.link("forms/fields.py")
    source._facts["__init__.py"] = extract("__init__.py", b"", "python")
    changed = linker.update("__init__.py")
    assert before.keys & changed, "the file that imports by that name is linked again"
    assert _calls(linker) == CALLS
    linked = linker.link("forms/fields.py")
    del source._facts["__init__.py"]
    assert linked.keys & linker.update("__init__.py")
    assert _calls(linker) == []


def test_a_folder_that_is_renamed(tmp_path: Path) -> None:
    for path, text in FILES.items():
        file = tmp_path / "shop" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
    for name, relinked in (("shop", 4), ("shop", 0), ("store", 4)):
        root = tmp_path / name
        if not root.exists():
            (tmp_path / "shop").rename(root)
        indexer = Indexer(root)
        assert indexer.sync().relinked == relinked
        indexer.close()
