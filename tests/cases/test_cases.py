"""Every `.case` file below this folder, and below the folders named in NAV_CASES (separated like PATH)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nav_ls.index.links import pack
from nav_ls.syntax.languages import BY_NAME
from tests.cases.runner import Project, parse

FOLDERS = [Path(__file__).parent, *(Path(p) for p in os.environ.get("NAV_CASES", "").split(os.pathsep) if p)]
CASES = sorted(path for folder in FOLDERS for path in folder.rglob("*.case"))


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_case(path: Path) -> None:
    case = parse(path)
    if case.header["language"] not in BY_NAME:
        pytest.skip(f"no rules for {case.header['language']} yet")
    assert case.expect
    project = Project(case.files)
    for linked, links in project.links.items():
        pack(linked, links)  # whatever a language's rules yield, the store has a number for
    failures = project.failures(case)
    assert not failures, "\n".join([case.header["about"], *failures])
