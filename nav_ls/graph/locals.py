"""What the names inside of one file mean, as far as its own scopes tell: parameters, local variables, imports.

Asked for about one file at a time, when somebody points at a name; nothing of it is stored.  Scopes, bindings and
the way from a name to its binding are those that linking goes by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from nav_ls.graph.infer import Inference
from nav_ls.graph.model import Keyword, Local, Locals, Occurrence, Receiver
from nav_ls.graph.project import Project
from nav_ls.graph.view import View
from nav_ls.syntax.builder import fold
from nav_ls.syntax.facts import CALLABLE_KINDS, MEMBER_SCOPES, NONE, TYPE_KINDS, Binding, FileFacts, Op, Scope
from nav_ls.syntax.names import Name

_BINDING = frozenset({"param", "local", "block", "field", "import", "typeparam"})
"""Kinds of bindings that give a name to something; the others say more about one that has a name already."""
_RECEIVERS = TYPE_KINDS | {"module"}
"""Kinds of definitions that `this` and `self` may mean (Ruby's modules are objects)."""
_LINE_CHARS = 200


def find_locals(path: str, text: bytes, facts: FileFacts, names: Sequence[Name]) -> Locals:
    """What the names of a file mean."""
    return _Finder(path, text, facts).find(names)


class _Alone:
    """Facts of other files, where there are none: scopes don't ask for them."""

    name = ""

    def paths(self) -> Iterable[str]:
        return ()

    def facts(self, path: str) -> None:
        return None

    def summary(self, path: str) -> None:
        return None

    def text(self, path: str) -> None:
        return None


_Variable = tuple[object, ...]
"""What tells a variable from others of its name: where it lives."""


def _names_something(b: Binding) -> bool:
    # What a whole file binds without writing a name is nowhere that a cursor could be led to.
    unwritten = b.kind == "local" and b.name_start == NONE and b.scope == 0
    return (b.kind in _BINDING and not unwritten) or b.kind in ("def", "global", "nonlocal")


class _Finder:
    def __init__(self, path: str, text: bytes, facts: FileFacts) -> None:
        naming = tuple(b for b in facts.bindings if _names_something(b))
        self._view = View(path, msgspec.structs.replace(facts, bindings=naming))
        self._text = text
        self._infer = Inference(Project(_Alone()))
        self._infer.start(path)
        self._rules = self._infer.rules(self._view)
        self._bound: dict[int, Binding] = {b.name_start: b for b in reversed(naming) if b.name_start != NONE}
        self._names = {b.name for b in naming}
        self._first: dict[_Variable, Binding] = {}
        self._found: dict[_Variable, dict[int, Occurrence]] = {}

    def find(self, names: Sequence[Name]) -> Locals:
        """See `find_locals`."""
        receivers: list[Receiver] = []
        keywords: list[Keyword] = []
        for name, scope in self._in_scopes(names):
            if name.role == "receiver":
                owner = self._view.enclosing_symbol(scope, _RECEIVERS)
                if owner != NONE:
                    receivers.append(Receiver(name.start, name.end, self._view.keys[owner]))
            elif name.role == "keyword":
                keywords.append(Keyword(name.start, name.end, self._spelled(name), name.callee))
            else:
                self._mention(name, scope)
        self._add_unread({name.start for name in names})
        return Locals(tuple(self._local(v) for v in self._found), tuple(receivers), tuple(keywords))

    def _add_unread(self, read: set[int]) -> None:
        """The bindings of known variables that are no names by themselves (`import a.b` binds `a`)."""
        for b in self._view.bindings:
            variable = self._variable(b)
            if b.name_start != NONE and b.name_start not in read and variable in self._found:
                self._found[variable].setdefault(b.name_start, Occurrence(b.name_start, b.name_end, "binding"))

    def _in_scopes(self, names: Sequence[Name]) -> Iterable[tuple[Name, int]]:
        """Each name with the innermost scope around it."""
        coming = [(i, s) for i, s in enumerate(self._view.scopes) if s.kind not in MEMBER_SCOPES and i > 0]
        coming.sort(key=lambda item: (item[1].start, -item[1].end, item[0]), reverse=True)
        around: list[tuple[int, Scope]] = [(0, self._view.scopes[0])]
        for name in names:
            while coming and coming[-1][1].start <= name.start:
                around.append(coming.pop())
            while len(around) > 1 and around[-1][1].end <= name.start:
                around.pop()
            yield name, next((i for i, s in reversed(around) if name.start < s.end), 0)

    def _mention(self, name: Name, scope: int) -> None:
        spelled = self._spelled(name)
        bound = self._bound.get(name.start)
        if bound is not None and bound.name.lstrip(":") != spelled:
            bound = None
        group = self._looked_up(scope, spelled, name.start) if bound is None or self._is_outer(bound) else (bound,)
        role = "read" if bound is None and name.role != "write" else "write"
        if bound in group and name.role != "write":
            role = "binding"
        if not group or any(b.kind == "def" for b in group):
            return
        variable = self._variable(group[0])
        self._first.setdefault(variable, group[0])
        self._found.setdefault(variable, {})[name.start] = Occurrence(name.start, name.end, role)

    def _is_outer(self, b: Binding) -> bool:
        """Does it give a value to what is declared elsewhere (a block's variable, `global`, `nonlocal`)?"""
        group = self._view.named(b.scope, b.name)
        return b.kind == "local" and any(other.kind in ("block", "global", "nonlocal") for other in group)

    def _looked_up(self, scope: int, spelled: str, start: int) -> Sequence[Binding]:
        for name in (spelled, ":" + spelled):  # types are bound under names of their own where a value may share theirs
            found = self._infer.binders(self._view, scope, name, start) if name in self._names else []
            if found and (self._rules.functions_nest or self._is_near(found[0], scope)):
                return found
        return ()

    def _is_near(self, b: Binding, scope: int) -> bool:
        """Does a binding stand in the same function, or is it none of a local variable?"""
        same = self._view.function_scope(b.scope) == self._view.function_scope(scope)
        return same or b.kind not in ("local", "param", "block")

    def _spelled(self, name: Name) -> str:
        return self._text[name.start : name.end].decode("utf-8", "replace")

    def _variable(self, b: Binding) -> _Variable:
        written = self._bound.get(b.name_start, b)  # one name may be bound in several blocks (`switch t := x.(type)`)
        b = written if written.name == b.name else b
        if b.kind != "block":
            return (b.scope, b.name)
        return (b.scope, b.name, b.end) if self._rules.redeclares else (b.scope, b.name, b.start, b.end)

    def _local(self, variable: _Variable) -> Local:
        first, view = self._first[variable], self._view
        found = self._found[variable]
        occurrences = tuple(found[start] for start in sorted(found))
        written = next((item for item in occurrences if item.role == "binding"), occurrences[0])
        declared = written if first.name_start != NONE else Occurrence(first.start, first.start, "binding")
        symbol = next((view.keys[view.values_at[start]] for start in found if start in view.values_at), "")
        within = view.enclosing_symbol(first.scope, CALLABLE_KINDS | TYPE_KINDS)
        around = view.keys[within] if within != NONE else ""
        name, line = first.name.lstrip(":"), self._line(declared.start)
        return Local(name, self._kind(first), symbol, around, occurrences, declared, line)

    def _line(self, offset: int) -> str:
        """The line around an offset, without its indentation."""
        start = self._text.rfind(b"\n", 0, offset) + 1
        end = self._text.find(b"\n", offset)
        line = self._text[start : end if end >= 0 else len(self._text)].strip()
        return fold(line.decode("utf-8", "replace"), _LINE_CHARS)

    def _is_required(self, value: int) -> bool:
        """Is a value a module, or a member of one (`const { a } = require("b")`)?"""
        exprs = self._view.exprs
        while value != NONE and exprs[value][0] == Op.ATTR:
            value = exprs[value][1]
        return value != NONE and exprs[value][0] == Op.IMPORT

    def _kind(self, b: Binding) -> str:
        if b.kind in ("import", "typeparam"):
            return "import" if b.kind == "import" else "type parameter"
        if b.kind == "local" and self._is_required(b.value):
            return "import"
        outside = NONE != b.name_start < self._view.scopes[b.scope].start  # in front of the body that it is bound in
        return "parameter" if b.kind == "param" or outside else "variable"
