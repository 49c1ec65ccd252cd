"""Unsaved buffers answer for their file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from nav_ls.graph.model import Locals
from nav_ls.query import calls, cursor, symbols, targets
from nav_ls.workspace.workspace import Workspace
from tests.index.dump import difference, dump

BASE = "def helper():\n    return 1\n"
USE = "from base import helper\n\n\ndef caller():\n    return helper()\n"


@pytest.fixture(params=["inline", "process"])
def workspace(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Workspace]:
    (tmp_path / "base.py").write_text(BASE)
    (tmp_path / "use.py").write_text(USE)
    opened = Workspace.open(tmp_path, process=request.param == "process")
    opened.sync()
    yield opened
    opened.close()


def callers(workspace: Workspace, target: str) -> list[str]:
    with workspace.snapshot() as snapshot:
        found = calls.callers(snapshot, targets.resolve_one(snapshot, target))
        return [f"{item.symbol.path}:{item.symbol.key}" for item in found.callers]


def test_a_buffer_replaces_its_file_and_gives_it_back(workspace: Workspace) -> None:
    assert callers(workspace, "helper") == ["use.py:caller"]
    with workspace.snapshot() as snapshot:
        before = symbols.find_symbols(snapshot, "caller")[0].id
    workspace.set_buffer("use.py", (USE + "\n\ndef second():\n    helper()\n").encode())
    assert callers(workspace, "helper") == ["use.py:caller", "use.py:second"]
    with workspace.snapshot() as snapshot:
        assert symbols.find_symbols(snapshot, "caller")[0].id == before
        (new,) = symbols.find_symbols(snapshot, "second")
        assert new.id < 0
        assert symbols.symbol_by_id(snapshot, new.id) == new
        assert [item.symbol.name for item in calls.callees(snapshot, new).callees] == ["helper"]
    workspace.set_buffer("use.py", b"")
    assert callers(workspace, "helper") == []
    workspace.set_buffer("use.py", None)
    assert callers(workspace, "helper") == ["use.py:caller"]


def test_two_buffers_see_each_other(workspace: Workspace) -> None:
    workspace.set_buffer("base.py", (BASE + "\n\ndef fresh():\n    pass\n").encode())
    workspace.set_buffer("use.py", b"from base import fresh\n\nfresh()\n")
    assert callers(workspace, "fresh") == ["use.py:"]
    assert callers(workspace, "helper") == []


def test_a_buffer_without_a_file(workspace: Workspace) -> None:
    workspace.set_buffer("new.py", b"import base\n\nbase.helper()\n")
    assert callers(workspace, "helper") == ["new.py:", "use.py:caller"]


def test_saving_another_file_links_open_buffers_anew(workspace: Workspace, tmp_path: Path) -> None:
    workspace.set_buffer("use.py", b"from base import renamed\n\nrenamed()\n")
    (tmp_path / "base.py").write_text("def renamed():\n    return 1\n")
    workspace.sync(["base.py"])
    assert callers(workspace, "renamed") == ["use.py:"]


def test_buffers_do_not_leak_into_the_index(workspace: Workspace, tmp_path: Path) -> None:
    workspace.set_buffer("base.py", b"def other():\n    return 1\n")
    (tmp_path / "use.py").write_text(USE + "\nhelper()\n")
    workspace.sync()
    workspace.set_buffer("base.py", None)
    assert callers(workspace, "helper") == ["use.py:", "use.py:caller"]


def test_positions_in_a_buffer(workspace: Workspace) -> None:
    text = "'é😀'; from base import helper; helper()\n".encode()
    workspace.set_buffer("use.py", text)
    with workspace.snapshot() as snapshot:
        (definition,) = cursor.definitions(snapshot, "use.py", text.rindex(b"helper"))
        assert (definition.span.path, definition.name_span.start) == ("base.py", 4)
        assert not snapshot.is_ascii("use.py")
        hover = cursor.hover(snapshot, "use.py", text.rindex(b"helper"))
        assert hover is not None
        assert (hover.callers, hover.evidence) == (1, {"exact": 1})


def test_a_snapshot_does_not_move(workspace: Workspace, tmp_path: Path) -> None:
    with workspace.snapshot() as snapshot:
        generation = snapshot.generation
        (tmp_path / "use.py").write_text("")
        workspace.sync()
        assert snapshot.generation == generation
        helper = targets.resolve_one(snapshot, "helper")
        assert len(calls.callers(snapshot, helper).callers) == 1
    assert callers(workspace, "helper") == []


def test_what_was_found_in_a_buffer_holds_for_the_file_that_it_is_saved_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "base.py").write_text(BASE)
    (tmp_path / "use.py").write_text(USE)
    workspace = Workspace.open(tmp_path)
    workspace.sync()
    text = USE + "\n\ndef second():\n    helper()\n"
    workspace.set_buffer("use.py", text.encode())
    monkeypatch.setattr("nav_ls.index.pool.Pool.extract", lambda *_: pytest.fail("it was extracted already"))
    (tmp_path / "use.py").write_text(text)
    assert workspace.sync(["use.py"]).changed == 1
    workspace.set_buffer("use.py", None)
    incremental = dump(workspace.layout.database(workspace.layout.view()))
    assert callers(workspace, "helper") == ["use.py:caller", "use.py:second"]
    workspace.close()
    monkeypatch.undo()
    workspace.sync(full=True)
    assert not difference(incremental, dump(workspace.layout.database(workspace.layout.view())))
    workspace.close()


def test_a_buffer_counts_also_when_the_linker_has_let_go_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nav_ls.graph.project._KEPT_VIEWS", 0)
    (tmp_path / "base.py").write_text(BASE)
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "other.py").write_text("import use\n\nuse.caller()\n")
    workspace = Workspace.open(tmp_path)
    workspace.sync()
    workspace.set_buffer("base.py", (BASE + "\n\nclass Fresh:\n    def go(self):\n        pass\n").encode())
    for text in (USE, "from base import Fresh\n\nFresh().go()\n"):
        workspace.set_buffer("other.py", text.encode())
        workspace.set_buffer("use.py", text.encode())
    assert callers(workspace, "Fresh.go") == ["other.py:", "use.py:"]
    workspace.set_buffer("base.py", None)
    workspace.set_buffer("use.py", b"from base import Fresh\n\nFresh().go() or 1\n")
    with workspace.snapshot() as snapshot:
        assert not targets.resolve(snapshot, "Fresh.go")
    workspace.close()


def test_locals_of_a_buffer_and_of_what_was_indexed(workspace: Workspace, tmp_path: Path) -> None:
    workspace.set_buffer("use.py", b"def f(a):\n    return a\n")
    with workspace.snapshot() as snapshot:
        (local,) = snapshot.locals("use.py").variables
        assert (local.name, local.kind, len(local.occurrences)) == ("a", "parameter", 2)
        assert snapshot.locals("base.py").variables == ()
        assert snapshot.locals("gone.py") == Locals()
    (tmp_path / "base.py").write_text("def g(b):\n    return b\n")
    with workspace.snapshot() as snapshot:
        assert snapshot.locals("base.py") == Locals(), "what is on disk has other places than the index"
    workspace.sync()
    with workspace.snapshot() as snapshot:
        assert [local.name for local in snapshot.locals("base.py").variables] == ["b"]
