"""Languages without rules of their own: a call by a bare name means what is called so, if that is one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nav_ls.graph.project import name_key
from nav_ls.graph.rules.base import Rules
from nav_ls.graph.values import UNKNOWN, ClassOf, Function, Value, Values
from nav_ls.graph.view import View
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from nav_ls.graph.infer import Inference


class GenericRules(Rules):
    """Names alone: everything found this way has the evidence `name`."""

    resolves_names = True

    def resolve_name(self, infer: Inference, view: View, scope: int, name: str, pos: int) -> Values:
        own = [i for i, s in enumerate(view.symbols) if s.name == name and s.kind in CALLABLE_KINDS | TYPE_KINDS]
        if own:
            return _value(view, own[-1]) if len({view.symbols[i].qual for i in own}) == 1 else UNKNOWN
        infer.note_key(name_key(view.family, name))
        found = infer.project.named(view.family, name)
        if len(found) != 1:
            return UNKNOWN
        other = infer.view(found[0][0])
        return _value(other, found[0][1]) if other is not None else UNKNOWN

    def evidence(self, view: View, index: int, values: Values) -> str:
        return "name"


def _value(view: View, index: int) -> Values:
    symbol = view.symbols[index]
    if symbol.kind in TYPE_KINDS:
        value: Value = ClassOf(view.ref(index))
    elif symbol.kind in CALLABLE_KINDS:
        value = Function(view.ref(index))
    else:
        return UNKNOWN
    return (value,)
