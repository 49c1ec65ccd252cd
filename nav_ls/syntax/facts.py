"""What one file says: the values that `syntax` hands to the rest of nav.

Everything downstream (linking, the store, search, editors) is computed from these values; no tree,
node or query leaves the room.  All positions are byte offsets into the file's *normalised text*: the
decoded source re-encoded as UTF-8, without a byte order mark (see `nav_ls.text.source`).

Expressions form a table (`FileFacts.exprs`): an expression is a flat tuple `(op, ...)` whose operands
are strings, ints or the indexes of other expressions, so shared parts are stored once and a linker can
memoise by index.  -1 stands for "no expression" everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

NONE = -1
"""The index that points nowhere: no parent, no caller (module level), no expression."""


class Op:
    """Operators of the expression table.  `e` = index of an expression, `s` = string."""

    NAME = 0  # (NAME, s name, scope index, position): a bare name, as seen from that scope and place
    ATTR = 1  # (ATTR, e object, s name): object.name, object->name, object::name, object?.name
    CALL = 2  # (CALL, e callee, e... positional arguments)
    NEW = 3  # (NEW, e type, e... arguments): construction where the syntax says so (`new Foo(..)`, `Foo{..}`)
    INDEX = 4  # (INDEX, e object, e... keys): object[key]; in types the application of a generic
    LITERAL = 5  # (LITERAL, s type name such as "str" "int" "list" "dict" "tuple" "function", e... elements)
    AWAIT = 6  # (AWAIT, e operand)
    UNION = 7  # (UNION, e...): one of these (conditional expressions, `or`, `A | B` types)
    LAMBDA = 8  # (LAMBDA, scope index, e result or -1[, int arity]): an anonymous function; its result where it is one expression
    SUPER = 9  # (SUPER, scope index, e class or -1): the parent-class view of the receiver, from that class on
    THIS = 10  # (THIS, scope index): the receiver where the language has a keyword for it
    CAST = 11  # (CAST, e type, e value): the value seen as that type
    ELEMENT = 12  # (ELEMENT, e iterable): what iterating over it yields
    ITEM = 13  # (ITEM, e tuple, int position): the n-th part of an unpacked value, from the end where negative
    POINTER = 14  # (POINTER, e inner): pointers, references, optionals: members are those of the inner type
    FUNCTION = 15  # (FUNCTION, e result, e... parameters): a function *type*
    SYMBOL = 16  # (SYMBOL, symbol index): the definition itself (a class expression, a named function expression)
    KEYWORD = 17  # (KEYWORD, s name, e value): a keyword argument, only among CALL and NEW operands
    TEXT = 18  # (TEXT, s source): anything else that still has to be told apart by its text
    ENTER = 19  # (ENTER, e manager): what `with manager as x` binds
    SPREAD = 20  # (SPREAD, e operand): *args, ...args
    YIELD = 21  # (YIELD, e operand): the value a generator yields, only among a symbol's `returned`
    BINARY = 22  # (BINARY, s operator, e left, e right)
    ARGUMENT = 27  # (ARGUMENT, e call, int place): what a call's callee declares its n-th argument to be
    PARAMETER = (
        28  # (PARAMETER, e function type, int place): what such a function is handed there; place -1: what it returns
    )
    CONST = 23  # (CONST, s type name, s text): a short string or number whose value may matter (a key, a discriminant)
    DEREF = 24  # (DEREF, e operand, s how): what `*e` ("*"), `e->` ("->") or `e[..]` ("[]") leads to (C, C++)
    IMPORT = 30  # (IMPORT, import index): a module named inside of an expression (`require("x")`, `import("x")`)
    TYPEOF = 31  # (TYPEOF, e value): in type position, the type that a value has
    GENERIC = 32  # (GENERIC, e generic, e... type arguments): application where the syntax tells it from `x[i]`
    OBJECT = 33  # (OBJECT, scope index of members added later or -1, e... KEYWORD or SPREAD): object literal or type
    EXPECTED = 37  # (EXPECTED, e call, int place, e type): ARGUMENT of a call whose result is expected to be of a type
    FALLBACK = 38  # (FALLBACK, e first, e second): the second where nothing is known about the first
    CHOICE = 39  # (CHOICE, e, e): one of two types, undecided: what both have in common
    PARENT = 36  # (PARENT, scope index): the base class of the enclosing class, as a value
    HANDED = 40  # (HANDED, e callee, int argument, int parameter, e call): what a callee hands to a closure's parameter
    MATCHED = 41  # (MATCHED, e subject, e constructor, s field): a field that a pattern takes out of its subject
    FILLED = 43  # (FILLED, e type, e value): a declared type with gaps that the value fills
    CONSTANT = 44  # (CONSTANT, e type or value): it may not be changed through that name (C++)
    NARROWED = 45  # (NARROWED, e value, s how, e test): what a condition leaves of a value, see `Rules.narrowed`
    EXPANDED = 46  # (EXPANDED, e call, e argument): a macro (Rust) that may hand out what its one argument holds
    AS_TRAIT = 42  # (AS_TRAIT, e type, e trait): a type of which a trait's members are meant


Expr = tuple[Any, ...]


class Flag:
    """Bits of `Symbol.flags`."""

    ABSTRACT = 1 << 0
    STATIC = 1 << 1
    CLASSMETHOD = 1 << 2
    ASYNC = 1 << 3
    GETTER = 1 << 4
    SETTER = 1 << 5
    DELETER = 1 << 6
    DECLARATION = 1 << 7  # a prototype or overload signature: the definition is elsewhere
    OVERLOAD = 1 << 8
    EXPORTED = 1 << 9
    CONSTRUCTOR = 1 << 10
    GENERATOR = 1 << 11
    VIRTUAL = 1 << 12
    OVERRIDE = 1 << 13
    EXTENSION = 1 << 14  # extension method: the first parameter is the receiver
    DEFAULT = 1 << 15  # default export; default method of an interface or trait
    DECORATED = 1 << 16
    MINOR = 1 << 17  # a member of an object literal and the like: a definition, but not worth a place in an outline
    TEST = 1 << 18
    FINAL = 1 << 19
    PARTIAL = 1 << 20
    DEPRECATED = 1 << 21  # its documentation or an attribute says so
    CONSTRAINED = 1 << 22  # a template that is not there for every type (`enable_if`, `requires`)


CALLABLE_KINDS = frozenset({"function", "method", "constructor", "property", "macro"})
TYPE_KINDS = frozenset({"class", "struct", "interface", "trait", "enum", "union", "record", "object", "newtype"})
"""`newtype`: a type of its own made of another one, as Go's `type Level int`; `type` is another name of a type."""
CONTAINER_KINDS = TYPE_KINDS | {"namespace", "module"}
VALUE_KINDS = frozenset({"variable", "constant", "field", "enum_member", "type"})
"""Kinds that have a name and a place in an outline but are neither callable nor a type with members."""
SYMBOL_KINDS = CALLABLE_KINDS | CONTAINER_KINDS | VALUE_KINDS | {"impl", "anonymous"}
"""All kinds of definitions."""


class Param(msgspec.Struct, frozen=True, array_like=True):
    """One parameter.  `kind`: "" plain, "?" may be left out (TypeScript), "*" variadic, "**" keywords, "self" the receiver."""

    name: str
    type: int = NONE
    default: int = NONE
    kind: str = ""


class TypeParam(msgspec.Struct, frozen=True, array_like=True):
    """A type parameter with its bound and its default (expressions in type position)."""

    name: str
    bound: int = NONE
    default: int = NONE


class Symbol(msgspec.Struct, frozen=True, array_like=True):
    """A definition.  `[start, end)` is the whole of it with decorators, attributes and doc comment."""

    name: str
    qual: str  # containers joined with "." in every language; no type parameters, no parameter lists
    kind: str
    start: int
    end: int
    name_start: int
    name_end: int
    parent: int = NONE  # index of the enclosing definition in `FileFacts.symbols`
    scope: int = NONE  # index of the scope that its body opens
    signature: str = ""  # one line, white space folded
    doc: str = ""  # doc comment or docstring without its markers
    visibility: str = "public"  # public | protected | private | internal
    flags: int = 0
    params: tuple[Param, ...] = ()
    returns: int = NONE  # declared result, in type position
    returned: tuple[int, ...] = ()  # what is returned (or YIELDed), in value position
    bases: tuple[int, ...] = ()  # base classes, interfaces, embedded types, trait of an impl: in type position
    base_kinds: tuple[str, ...] = ()  # beside `bases`: inherits | implements | embeds | mixin | prepends
    decorators: tuple[int, ...] = ()
    type_params: tuple[TypeParam, ...] = ()
    receiver: int = NONE  # type expression of an explicit receiver or impl target (Go, Rust, C++ out of line)
    body_start: int = NONE  # where the header ends: `[start, body_start)` is what a caller must know


class Scope(msgspec.Struct, frozen=True, array_like=True):
    """A region in which names live.  kind: module | class | function | block | comprehension."""

    kind: str
    parent: int
    start: int
    end: int
    owner: int = NONE  # the symbol whose body it is


MEMBER_SCOPES = frozenset({"members", "statics", "object"})
"""Scopes that code does not stand in: what is assigned to the members of a class, of itself, of an object."""
_NO_BODY = frozenset({"block", "comprehension"})


class Owner(Protocol):
    """A definition, finished or not."""

    @property
    def qual(self) -> str:
        """Its qualified name."""

    @property
    def kind(self) -> str:
        """Its kind."""

    @property
    def scope(self) -> int:
        """The scope that its body opens."""


def key_prefixes(scopes: Sequence[Scope], symbols: Sequence[Owner]) -> tuple[str | None, ...]:
    """Scope → what the keys (`FileFacts.offers`) of names bound in it begin with; None inside of a function's body.

    A block belongs to what it stands in.
    """
    owned = {s.scope: s.qual + "." for s in symbols if s.scope != NONE and s.kind not in CALLABLE_KINDS}
    out: list[str | None] = []
    for index, scope in enumerate(scopes):
        if scope.kind in MEMBER_SCOPES:
            out.append(symbols[scope.owner].qual + "." if scope.owner != NONE else "..")
        elif index == 0:
            out.append(owned.get(0, ""))
        elif scope.kind in _NO_BODY and index not in owned and 0 <= scope.parent < index:
            out.append(out[scope.parent])
        else:
            out.append(owned.get(index))
    return tuple(out)


class Binding(msgspec.Struct, frozen=True, array_like=True):
    """A name is given a value in a scope.

    It holds from `pos` on, inside `[start, end)` (the block that it stands in); outside of that block
    it is one possibility among others.  kind:
    def (`value` is a symbol index) | import (`value` is an index into `imports`) | param | local | field |
    narrow (inside `[start, end)` the name has type `type`) | typeparam | global | nonlocal | item |
    using (the name of what `value` names elsewhere)
    item: an element is stored under `name[...]` (`value` is it, `type` the key expression).
    A field is bound in the *class's* scope, also when it is assigned through `self` in a method.
    """

    scope: int
    name: str
    kind: str
    pos: int
    start: int
    end: int
    value: int = NONE  # expression (def: symbol, import: import)
    type: int = NONE  # declared type
    name_start: int = NONE
    name_end: int = NONE


class Import(msgspec.Struct, frozen=True, array_like=True):
    """One imported name.  `from .a import b as c` → module ".a", name "b", alias "c".

    name "" binds the module itself, "*" everything.  `module` is as written in the source (quotes taken off).
    """

    module: str
    name: str
    alias: str
    scope: int
    start: int
    end: int
    kind: str = ""  # "" | type | dynamic | include | system | static | reexport | require | mod | dot | blank
    level: int = 0  # leading dots of a relative import


class Export(msgspec.Struct, frozen=True, array_like=True):
    """A name that the file offers under `name`: a local (`value` expression) or another module's (`module`, `source`)."""

    name: str  # "default", "*" (everything of `module`), or the exported name
    value: int = NONE
    module: str = ""
    source: str = ""  # name in `module`; "*" with a `name` is a namespace export
    start: int = NONE
    end: int = NONE


class Use:
    """Kinds of `Site`."""

    CALL = "call"
    NEW = "new"
    VALUE = "value"  # named as a value: argument, stored, returned, compared
    READ = "read"  # a member is read (may run a property's getter)
    WRITE = "write"  # a member is assigned (may run a setter)
    DELETE = "delete"
    TYPE = "type"  # in a type position, base list or catch clause
    DECORATOR = "decorator"
    JSX = "jsx"
    IMPORT = "import"
    IMPLICIT = "implicit"  # a construct runs the member `name` of `expr` without naming it (`for`, `with`, `raise`)


class Site(msgspec.Struct, frozen=True, array_like=True):
    """A place that mentions something by name.  `[start, end)` is the name itself, `at` where the whole expression starts."""

    kind: str
    name: str
    expr: int  # what is called or named (a call's callee, not the call)
    start: int
    end: int
    at: int
    caller: int = NONE  # enclosing definition, -1 = module level
    call: int = NONE  # the CALL or NEW expression of a call


class Problem(msgspec.Struct, frozen=True, array_like=True):
    """Something that kept the file from being read whole: what, and where."""

    kind: str  # syntax | encoding | size | timeout | generated | binary
    message: str
    start: int = 0
    end: int = 0


class FileFacts(msgspec.Struct, frozen=True, array_like=True):
    """All that nav knows about one file without looking at another."""

    language: str
    package: str = ""  # package clause or namespace of the whole file, where the language has one
    symbols: tuple[Symbol, ...] = ()
    scopes: tuple[Scope, ...] = ()
    bindings: tuple[Binding, ...] = ()
    exprs: tuple[Expr, ...] = ()
    sites: tuple[Site, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    problems: tuple[Problem, ...] = ()
    doc: str = ""  # the file's own doc comment
    flags: int = 0  # Flag.TEST for test files
    generated: bool = False
    offers: dict[str, str] = {}  # what other files can look up here: key → hash (see `nav_ls.graph`)
    extra: dict[str, str] = {}  # the few things a single language needs (build tags, `__all__`, module kind)


def encode(facts: FileFacts) -> bytes:
    """Facts as MessagePack."""
    return _ENCODER.encode(facts)


def decode(data: bytes) -> FileFacts:
    """The inverse of `encode`; raises `msgspec.MsgspecError` on anything else."""
    return _DECODER.decode(data)


def decode_outline(data: bytes) -> FileFacts:
    """As `decode`, without expressions and sites: they are three quarters of the work."""
    found = _OUTLINE_DECODER.decode(data)
    return FileFacts(
        found.language,
        found.package,
        found.symbols,
        found.scopes,
        found.bindings,
        imports=found.imports,
        exports=found.exports,
        problems=found.problems,
        doc=found.doc,
        flags=found.flags,
        generated=found.generated,
        offers=found.offers,
        extra=found.extra,
    )


class _Outline(msgspec.Struct, frozen=True, array_like=True):
    """`FileFacts` with its largest parts left packed."""

    language: str
    package: str
    symbols: tuple[Symbol, ...]
    scopes: tuple[Scope, ...]
    bindings: tuple[Binding, ...]
    exprs: msgspec.Raw
    sites: msgspec.Raw
    imports: tuple[Import, ...]
    exports: tuple[Export, ...]
    problems: tuple[Problem, ...]
    doc: str
    flags: int
    generated: bool
    offers: dict[str, str]
    extra: dict[str, str]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(FileFacts)
_OUTLINE_DECODER = msgspec.msgpack.Decoder(_Outline)
