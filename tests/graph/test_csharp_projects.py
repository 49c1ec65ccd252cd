"""Global usings of C# project files: an edit of one relinks what may see them."""

from __future__ import annotations

from nav_ls.graph.link import Linker
from tests.cases.runner import Files

PROJECT = "app/app.csproj"
FILES = {
    PROJECT: b"<Project></Project>",
    "app/Main.cs": b"class Main { void Run() { Hammer.Hit(); } }",
    "lib/Hammer.cs": b"namespace Lib { static class Hammer { public static void Hit() { } } }",
}


def test_a_project_that_gains_a_using_relinks_its_files() -> None:
    source = Files(FILES)
    linker = Linker(source)
    before = linker.link("app/Main.cs")
    assert not [e for e in before.edges if e.kind == "calls"]
    source.texts[PROJECT] = b'<Project><ItemGroup><Using Include="Lib" /></ItemGroup></Project>'
    assert linker.update_manifest(PROJECT) & before.keys
    after = linker.link("app/Main.cs")
    assert [e.callee for e in after.edges if e.kind == "calls"] == [("lib/Hammer.cs", "Lib.Hammer.Hit")]
