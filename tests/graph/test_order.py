"""What a file's links are does not depend on which files were linked before it, and nor do the keys that they cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from nav_ls.graph.link import Linker
from nav_ls.graph.model import Links
from tests.cases.runner import Files, parse

FOLDER = Path(__file__).parent.parent / "cases"
CASES = sorted(FOLDER.glob("*/*.case"))


def _plain(links: Links) -> tuple[object, ...]:
    rows = (links.edges, links.unresolved, links.relations)
    return (*(sorted(map(repr, part)) for part in rows), sorted(links.keys))


@pytest.mark.parametrize("folder", sorted({path.parent.name for path in CASES}))
def test_links_do_not_depend_on_the_order_of_linking(folder: str) -> None:
    for path in (path for path in CASES if path.parent.name == folder):
        source = Files(parse(path).files)
        code = sorted(source.code())
        alone = {name: _plain(Linker(source).link(name)) for name in code}
        for order in (code, code[::-1]):
            linker = Linker(source)
            for name in order:
                assert _plain(linker.link(name)) == alone[name], f"{path.stem}: {name}"
