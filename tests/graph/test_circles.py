"""A circle that a language's rules do not see costs the call in it, and not the links of its file."""

from __future__ import annotations

import sys

import pytest

from nav_ls.graph.infer import Inference
from nav_ls.graph.link import Linker
from nav_ls.graph.rules.base import Rules
from nav_ls.graph.rules.python import PythonRules
from nav_ls.graph.values import Values
from tests.cases.runner import Files

TEXT = b"""
def known():
    return [1]

def caller():
    for item in known():
        item.unknowable()
    known()
"""


LIMIT = sys.getrecursionlimit()


@pytest.mark.parametrize("deepest", [LIMIT, 100 * LIMIT], ids=["frames end it", "look-ups end it"])
def test_a_circle_costs_one_call(deepest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code has no frames that could be counted."""

    looked_up: list[str] = []

    def element(rules: Rules, infer: Inference, values: Values) -> Values:
        looked_up.append("other")
        infer.note("b.py", "other")
        return element(rules, infer, values)

    monkeypatch.setattr(PythonRules, "element", element)
    sys.setrecursionlimit(deepest)
    try:
        links = Linker(Files({"a.py": TEXT})).link("a.py")
    finally:
        sys.setrecursionlimit(LIMIT)
    assert [(edge.callee[1], edge.caller) for edge in links.edges if edge.kind == "calls"] == [("known", "caller")] * 2
    assert [(call.name, call.caller, call.why) for call in links.unresolved] == [("unknowable", "caller", "receiver")]
    assert len(looked_up) < 50 * LIMIT
