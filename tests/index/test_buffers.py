"""What is known of an unsaved buffer is used again when it is saved, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from nav_ls.graph.link import Linker
from nav_ls.index.indexer import Indexer
from nav_ls.index.pool import Pool
from tests.index.conftest import Make
from tests.index.dump import difference, dump

FILES = {
    "a.py": "from b import f\n\n\ndef g():\n    return f()\n",
    "b.py": "def f():\n    return 1\n",
}
TYPED = FILES["a.py"] + "\n\ndef h():\n    return g()\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def linked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are linked from here on."""
    paths: list[str] = []
    real = Linker.link
    monkeypatch.setattr(Linker, "link", lambda self, path: paths.append(path) or real(self, path))
    return paths


def _as_cold(indexer: Indexer) -> bool:
    database = indexer.layout.database(indexer.layout.view())
    found = dump(database)
    indexer.sync(full=True)
    return not difference(found, dump(database))


def test_a_saved_buffer_is_not_linked_again(root: Path, make: Make, linked: list[str]) -> None:
    indexer = make(root)
    indexer.sync()
    indexer.overlay("a.py", TYPED.encode())
    linked.clear()
    (root / "a.py").write_text(TYPED)
    assert indexer.sync(["a.py"]).relinked == 1
    assert linked == []
    assert _as_cold(indexer)


@pytest.mark.parametrize("other", ["saved", "unsaved", "moved"])
def test_where_what_it_refers_to_has_changed_it_is(root: Path, make: Make, linked: list[str], other: str) -> None:
    indexer = make(root)
    indexer.sync()
    if other == "unsaved":
        indexer.overlay("b.py", b"def other(): ...\n")
    indexer.overlay("a.py", TYPED.encode())
    if other == "saved":
        (root / "b.py").write_text("def other(): ...\n")
    if other == "moved":
        (root / "b").mkdir()
        (root / "b.py").rename(root / "b" / "__init__.py")
    linked.clear()
    (root / "a.py").write_text(TYPED)
    indexer.sync()
    assert "a.py" in linked
    assert _as_cold(indexer)


def test_other_buffers_are_linked_again_where_a_save_touches_them(root: Path, make: Make, linked: list[str]) -> None:
    (root / "c.py").write_text("def alone():\n    return alone()\n")
    indexer = make(root)
    indexer.sync()
    for name in ("a.py", "c.py"):
        indexer.overlay(name, (root / name).read_bytes() + b"\n\nx = 1\n")
    (root / "b.py").write_text("def other(): ...\n")
    indexer.sync()
    linked.clear()
    for name in ("a.py", "c.py"):
        indexer.overlay(name, (root / name).read_bytes() + b"\n\nx = 1\n")
    assert linked == ["a.py"]


def test_a_buffer_that_holds_what_its_file_does_is_not_extracted(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexer = make(root)
    indexer.sync()
    monkeypatch.setattr(Pool, "extract_text", lambda *_: pytest.fail("its facts are known"))
    buffer = indexer.overlay("a.py", FILES["a.py"].encode())
    assert buffer is not None
    assert [edge.callee for edge in buffer.links.edges if edge.kind == "calls"] == [("b.py", "f")]
