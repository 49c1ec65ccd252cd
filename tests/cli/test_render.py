from nav_ls.cli import agents_view, render
from nav_ls.commands.table import find, names

EXPORTED = {"graph.ExportResult", "hook.HookResult"}
"""Results that have a format of their own."""


def test_every_result_can_be_shown() -> None:
    results = {render.name_of(find(name).result) for name in names()}
    shown = render.RENDERERS.keys() | agents_view.RENDERERS.keys() | EXPORTED
    assert results <= shown, results - shown
    assert shown <= results, shown - results
