"""A circle that a language's rules do not see costs the call in it, and not the links of its file."""

from __future__ import annotations

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


def test_a_circle_costs_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def element(rules: Rules, infer: Inference, values: Values) -> Values:
        return element(rules, infer, values)

    monkeypatch.setattr(PythonRules, "element", element)
    links = Linker(Files({"a.py": TEXT})).link("a.py")
    assert [(edge.callee[1], edge.caller) for edge in links.edges if edge.kind == "calls"] == [("known", "caller")] * 2
    assert [(call.name, call.caller, call.why) for call in links.unresolved] == [("unknowable", "caller", "receiver")]
