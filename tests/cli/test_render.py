from io import StringIO
from pathlib import Path

from nav_ls.cli import agents_view, render
from nav_ls.cli.terminal import Paint
from nav_ls.commands.search import HitRow
from nav_ls.commands.table import find, names
from nav_ls.query.search import Why

EXPORTED = {"graph.ExportResult", "hook.HookResult"}
"""Results that have a format of their own."""


def test_every_result_can_be_shown() -> None:
    results = {render.name_of(find(name).result) for name in names()}
    shown = render.RENDERERS.keys() | agents_view.RENDERERS.keys() | EXPORTED
    assert results <= shown, results - shown
    assert shown <= results, shown - results


def shown(hit: HitRow) -> list[str]:
    return list(render.Renderer(Paint("never", StringIO()), Path("/repo"))._hit(hit))[1:]


def hit(snippet: str, *, signature: str = "", summary: str = "") -> HitRow:
    return HitRow(
        "a.go", 1, 9, "render", "function", "", 1.0, Why(), signature=signature, snippet=snippet, summary=summary
    )


def test_tabs_of_a_snippet_are_no_escapes() -> None:
    assert shown(hit("if dark {\n\treturn night\n}")) == ["    if dark {", "        return night", "    }"]


def test_what_a_snippet_says_is_not_said_before_it() -> None:
    whole = "// It renders\n// all of it.\nfunc render(all bool) string {"
    told = {"signature": "func render(all bool) string", "summary": "It renders all of it."}
    assert shown(hit(whole, **told)) == [f"    {line}" for line in whole.split("\n")]
    assert shown(hit("return all", **told)) == [
        "    func render(all bool) string",
        "    It renders all of it.",
        "    return all",
    ]
