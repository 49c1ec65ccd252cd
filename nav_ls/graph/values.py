"""What an expression can stand for, as far as one can tell without running it.

Evaluating an expression yields a tuple of these, the possible ones; the empty tuple means unknown.
All are small frozen tuples: cheap to make, to compare and to cache.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from nav_ls.graph.model import SymbolRef


class ClassOf(NamedTuple):
    """A class (struct, interface, ...) itself, with type arguments where they are written down."""

    ref: SymbolRef
    args: tuple[Values, ...] = ()
    sort: str = "class"  # tuples of one shape are equal: this keeps a class and its instances apart


class Instance(NamedTuple):
    """A value of a class of the repository."""

    ref: SymbolRef
    args: tuple[Values, ...] = ()
    sort: str = "instance"


class Function(NamedTuple):
    """A function or method of the repository; `bound` is what it was taken from, `args` explicit type arguments."""

    ref: SymbolRef
    bound: tuple[Value, ...] = ()
    args: tuple[Values, ...] = ()


class Module(NamedTuple):
    """A file of the repository, seen as a module."""

    path: str


class Package(NamedTuple):
    """A name space that is not one file: a directory of modules, a Go or Java package, a C++ namespace."""

    name: str


class Foreign(NamedTuple):
    """Something known to come from outside: a library's module, class, function or value.

    `name` says what, as far as it is known ("os.path.join", "list"); `args` are the elements of containers
    and other type arguments.  A member of a foreign thing is foreign.
    """

    name: str
    args: tuple[Values, ...] = ()


class TypeVariable(NamedTuple):
    """A type parameter, still to be filled in.  `owner` declares it."""

    name: str
    owner: SymbolRef


class Closure(NamedTuple):
    """An anonymous function: what it returns is an expression of `path`."""

    path: str
    result: int
    expr: int


class Record(NamedTuple):
    """An object literal or object type: its members are those of the OBJECT expression `expr` of `path`.

    `env` fills in type parameters; `open` = the expression mentions some.
    """

    path: str
    expr: int
    env: tuple[tuple[tuple[SymbolRef, str], Values], ...] = ()
    open: bool = False


Value: TypeAlias = ClassOf | Instance | Function | Module | Package | Foreign | TypeVariable | Closure | Record
Values: TypeAlias = tuple[Value, ...]

UNKNOWN: Values = ()


def merge(*groups: Values) -> Values:
    """All the possibilities, each once, in order; at most 12 (a wider union says nothing).

    The overloads of one function are one possibility.
    """
    if len(groups) == 1:
        return groups[0]
    out = dict.fromkeys(v for g in groups for v in g)
    if len(out) > 12 and len({_whole(v) for v in out}) > 12:
        return UNKNOWN
    return tuple(out)


def as_instances(values: Values) -> Values:
    """What is declared by an expression in type position: instances of classes; other kinds of types stay what they are.

    An instance is what an alias of a type argument, or a built-in type, already stands for.
    """
    out: list[Value] = []
    for value in values:
        if isinstance(value, ClassOf):
            out.append(Instance(value.ref, value.args))
        elif isinstance(value, (Foreign, TypeVariable, Instance)):
            out.append(value)
    return tuple(dict.fromkeys(out))


def _whole(value: Value) -> object:
    """What an overload is an overload of; any other value itself."""
    return (value.ref[0], value.ref[1].partition("#")[0]) if isinstance(value, Function) else value
