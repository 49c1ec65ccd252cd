"""What the containers, smart pointers and iterators of the C++ library hand out."""

from __future__ import annotations

from collections.abc import Callable

from nav_ls.graph.values import UNKNOWN, ClassOf, Foreign, Instance, Values, merge

Args = tuple[Values, ...]


def _first(args: Args) -> Values:
    return args[0] if args else UNKNOWN


def _pair(args: Args) -> Values:
    return (Foreign("std.pair", args[:2]),) if len(args) > 1 else UNKNOWN


_SEQUENCES = (
    "vector", "list", "deque", "forward_list", "array", "set", "multiset", "unordered_set", "unordered_multiset", "span",
    "queue", "stack", "priority_queue", "initializer_list", "valarray",
)  # fmt: skip
_MAPS = ("map", "multimap", "unordered_map", "unordered_multimap", "flat_map")

ITERATED: dict[str, Callable[[Args], Values]] = {
    **{"std." + name: _first for name in _SEQUENCES},
    **{"std." + name: _pair for name in _MAPS},
}
"""Container → what iterating over it yields."""

_OWN = frozenset({"get", "reset", "release", "use_count", "unique", "swap", "expired", "lock", "owner_before"})
SMART: dict[str, frozenset[str]] = {
    "std.unique_ptr": _OWN,
    "std.shared_ptr": _OWN,
    "std.weak_ptr": _OWN,
    "std.optional": frozenset({"value", "value_or", "has_value", "reset", "emplace"}),
    "std.reference_wrapper": frozenset({"get"}),
    "std.auto_ptr": _OWN,
    "scoped_refptr": _OWN,
}
"""Types that lead to their argument by `*` and `->`, with the members of their own."""

HANDS_OUT_POINTER = frozenset(
    {
        "std.addressof",
        *(f"{owner}.{name}" for owner, own in SMART.items() if own is _OWN for name in ("get", "release")),
    }
)
"""Functions whose result is a pointer to what they are about."""

_ELEMENT = frozenset(
    {
        "front",
        "back",
        "at",
        "top",
        "value",
        "get",
        "release",
        "load",
        "exchange",
        "emplace_back",
        "emplace_front",
        "value_or",
    }
)
_ITERATORS = frozenset(
    {"begin", "end", "cbegin", "cend", "rbegin", "rend", "find", "lower_bound", "upper_bound", "erase", "emplace_hint"}
)


ITERATORS = frozenset({"iterator", "const_iterator", "reverse_iterator", "const_reverse_iterator"})
"""The types of a container's iterators, as its members."""


def container_member(name: str, args: Args) -> Values | None:
    """What calling `std.<type>.<member>` yields; None where nothing is known."""
    owner, _, member = name.rpartition(".")
    if not args or not owner.startswith("std."):
        return None
    if owner == "std.weak_ptr" and member == "lock":
        return (Foreign("std.shared_ptr", args),)
    if owner in ITERATED and member in _ITERATORS:
        return (Foreign("iterator", (ITERATED[owner](args),)),)
    if owner in ITERATED and member in ("emplace", "insert", "try_emplace", "insert_or_assign"):
        iterator: Values = (Foreign("iterator", (ITERATED[owner](args),)),)
        return (Foreign("std.pair", (iterator, (Foreign("bool"),))),)
    if member in _ELEMENT:
        return args[1] if owner.removeprefix("std.") in _MAPS and len(args) > 1 else args[0]
    return None


_NUMBERS = frozenset(
    {
        "int", "char", "bool", "short", "long", "float", "double", "unsigned", "signed", "size_t", "ssize_t", "ptrdiff_t",
        "unsigned int", "unsigned short", "unsigned char", "unsigned long", "unsigned long long", "long long",
        "long double", "std.size_t", "wchar_t", "uintptr_t", "intptr_t", "off_t", "time_t", "uint",
    }
)  # fmt: skip
_TEXTS = frozenset(
    {"char*", "std.string", "std.string_view", "string", "std.string()", "std.string.c_str()", "std.to_string()"}
)


_SAME_TYPE = frozenset(
    "std.decay std.remove_reference std.remove_cv std.remove_cvref std.remove_const std.remove_pointer std.add_const "
    "std.type_identity std.add_lvalue_reference std.add_pointer".split()
)


def type_trait(name: str, args: Args) -> Values | None:
    """The type that a type trait computes; None where it is none of those known."""
    if name in _SAME_TYPE and args:
        found = args[0]
    elif name == "std.enable_if":
        found = args[1] if len(args) > 1 else (Foreign("void"),)
    elif name == "std.conditional" and len(args) == 3:
        found = merge(*args[1:])
    else:
        return None
    return tuple(ClassOf(v.ref, v.args) if isinstance(v, Instance) else v for v in found)


_BOTH_WAYS = frozenset({"std.stringstream", "std.fstream", "std.iostream"})
DERIVED: dict[str, frozenset[str]] = {
    "std.istream": _BOTH_WAYS | {"std.ifstream", "std.istringstream"},
    "std.ostream": _BOTH_WAYS | {"std.ofstream", "std.ostringstream"},
}
"""Class → those that inherit from it."""


def is_library_class(name: str) -> bool:
    """A class of the library that is no text (and no member or result of one)?"""
    return name.startswith("std.") and name.count(".") == 1 and "()" not in name and not is_text(name)


def is_number(name: str) -> bool:
    """An arithmetic type?"""
    return name in _NUMBERS or (name.startswith(("int", "uint", "std.int", "std.uint")) and name.endswith("_t"))


_PROMOTED = {
    "int": frozenset({"char", "short", "bool", "unsigned char", "unsigned short"}),
    "double": frozenset({"float"}),
}


def is_promoted(declared: str, given: str) -> bool:
    """Does a number become another type without being converted?"""
    return given in _PROMOTED.get(declared, ())


def is_text(name: str) -> bool:
    """A string type?"""
    return name in _TEXTS
