"""What somebody means by `name`, `Class.name`, `path:Class.name` or `path:line`."""

from __future__ import annotations

from nav_ls.query.model import SymbolInfo
from nav_ls.query.navigate import givers
from nav_ls.query.snapshot import Snapshot
from nav_ls.query.symbols import enclosing, find_symbols, is_assigned_field
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS, Flag
from nav_ls.text.errors import AmbiguousError, NotFoundError, UsageError
from nav_ls.text.names import dotted, spoken

_SHOWN = 20
_ACCESSOR = Flag.GETTER | Flag.SETTER | Flag.DELETER


def resolve(snapshot: Snapshot, spec: str) -> list[SymbolInfo]:
    """All definitions that a spec may mean; functions and types before values of the same name.

    `path` may be the end of a path; a whole one means that file alone.  A line counts from 1 and means the innermost definition around it.
    `Class.name` means what the class inherits under that name, where it has none of its own.
    """
    path, rest = _parts(spec)
    return _written(snapshot, path, rest) or _inherited(snapshot, path, rest)


def _written(snapshot: Snapshot, path: str | None, rest: str) -> list[SymbolInfo]:
    if path is None:
        return _preferred(_by_name(snapshot, rest))
    files = _files(snapshot, path.removeprefix("./"))
    if rest.isdigit() and int(rest) > 0:
        found = (_at_line(snapshot, file, int(rest) - 1) for file in files)
        return [symbol for symbol in found if symbol is not None]
    if rest == "<module>":
        return [symbol for file in files if (symbol := snapshot.symbol(file, "")) is not None]
    return _preferred([symbol for file in files for symbol in snapshot.symbols_of(file) if _fits(symbol, rest)])


def _inherited(snapshot: Snapshot, path: str | None, rest: str) -> list[SymbolInfo]:
    """The member that the nearest ancestors of a class have under a name; of two that are equally near, both."""
    owner, _, name = rest.rpartition(".")
    near = [symbol for symbol in _written(snapshot, path, owner) if symbol.kind in TYPE_KINDS] if owner else []
    seen = {(symbol.path, symbol.key) for symbol in near}
    while near:
        above = [giver for symbol in near for giver in givers(snapshot, symbol)]
        near = [symbol for symbol in above if (symbol.path, symbol.key) not in seen]
        seen |= {(symbol.path, symbol.key) for symbol in near}
        members = [m for symbol in near for m in snapshot.symbols_of(symbol.path) if m.parent_key == symbol.key]
        if found := _preferred([member for member in members if member.name == name]):
            return found
    return []


def resolve_any(snapshot: Snapshot, spec: str) -> list[SymbolInfo]:
    """As `resolve`.  Raises UsageError for an empty spec, NotFoundError (with what is near) where nothing fits."""
    if not spec.strip():
        raise UsageError("a name is missing: give NAME, Class.name, path:Class.name or path:line")
    found = resolve(snapshot, spec)
    if not found:
        raise NotFoundError(_not_found(snapshot, spec))
    return found


def resolve_one(snapshot: Snapshot, spec: str) -> SymbolInfo:
    """The one definition that a spec means; of a property its first accessor.  Raises as `resolve_whole`."""
    return resolve_whole(snapshot, spec)[0]


def resolve_whole(snapshot: Snapshot, spec: str) -> list[SymbolInfo]:
    """What a spec means: one definition, or all accessors of one property (who names it means reading and writing it).

    Raises as `resolve_any`, and AmbiguousError (with all candidates).
    """
    found = resolve_any(snapshot, spec)
    if len(found) > 1 and not _is_one_property(found):
        raise AmbiguousError(_ambiguous(spec, found))
    return found


def _is_one_property(found: list[SymbolInfo]) -> bool:
    """Are these the getter, the setter and the deleter of one name in one class?"""
    first = found[0]
    return all(
        symbol.flags & _ACCESSOR
        and (symbol.path, symbol.qual, symbol.parent_key) == (first.path, first.qual, first.parent_key)
        for symbol in found
    )


def exact_spec(symbol: SymbolInfo, among: list[SymbolInfo] | None = None) -> str:
    """A spec that means this definition and none of the others."""
    twins = [item for item in among or [] if item.path == symbol.path and item.qual == symbol.qual]
    if len(twins) > 1 or not symbol.key:
        return f"{symbol.path}:{symbol.name_span.line + 1}" if symbol.key else f"{symbol.path}:<module>"
    return f"{symbol.path}:{symbol.qual}"


def _parts(spec: str) -> tuple[str | None, str]:
    """The path that a spec begins with, None where it has none, and the name or line, with dots."""
    path, colon, rest = spec.strip().replace("::", ".").rpartition(":")
    return path if colon else None, dotted(rest)


def _files(snapshot: Snapshot, path: str) -> list[str]:
    found = [info.path for info in snapshot.files_ending(path)]
    return [path] if path in found else found


def _by_name(snapshot: Snapshot, spec: str) -> list[SymbolInfo]:
    name = spec.rpartition(".")[2]
    return [symbol for symbol in snapshot.symbols_named(name) if _fits(symbol, spec)]


def _fits(symbol: SymbolInfo, spec: str) -> bool:
    quals = {symbol.qual, spoken(symbol.qual)}
    return bool(symbol.key) and (symbol.key == spec or any(q == spec or q.endswith("." + spec) for q in quals))


def _at_line(snapshot: Snapshot, path: str, line: int) -> SymbolInfo | None:
    lines = snapshot.lines(path)
    if lines is None or line >= len(lines):
        return None
    named = [
        symbol
        for symbol in snapshot.symbols_of(path)
        if symbol.key and symbol.name_span.line == line and not is_assigned_field(symbol)
    ]
    if named:
        return min(named, key=lambda symbol: symbol.name_span.start)
    start, end = lines.span(line)
    first = enclosing(snapshot, path, start)
    last = enclosing(snapshot, path, max(start, end - 1))
    # A line may begin outside of the only definition on it (indentation, a decorator before it).
    return last if first is not None and first.key == "" else first


def _preferred(found: list[SymbolInfo]) -> list[SymbolInfo]:
    """Where a declaration stands beside its definition, or a value beside a function, the latter is meant.

    A field that is only assigned is meant where nothing else has its name.
    """
    callable_or_type = [symbol for symbol in found if symbol.kind in CALLABLE_KINDS | TYPE_KINDS]
    found = callable_or_type or [symbol for symbol in found if not symbol.flags & Flag.MINOR] or found
    defined = [symbol for symbol in found if not symbol.flags & Flag.DECLARATION]
    return defined or found


def _not_found(snapshot: Snapshot, spec: str) -> str:
    path, rest = _parts(spec)
    if path is not None and not snapshot.files_ending(path.removeprefix("./")):
        return f"no indexed file is named {path!r}; `nav status` lists what was left out and why"
    near = find_symbols(snapshot, rest, 5)
    hint = "".join(f"\n  {symbol.path}:{symbol.name_span.line + 1}  {symbol.qual}" for symbol in near)
    where = f"on line {rest} of {path}" if path is not None and rest.isdigit() else f"named {spec!r}"
    return f"no definition {where}" + (f"; did you mean one of these?{hint}" if near else "")


def _ambiguous(spec: str, found: list[SymbolInfo]) -> str:
    lines = [f"  {exact_spec(symbol, found)}  ({symbol.kind})" for symbol in found[:_SHOWN]]
    more = f"\n  ... and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"{spec!r} fits {len(found)} definitions; name one of them:\n" + "\n".join(lines) + more
