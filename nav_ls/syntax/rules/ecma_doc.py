"""Types written in the comments of JavaScript: the tags of a doc comment, and its type expressions as tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

_TAG = re.compile(r"@(param|arg|argument|returns?|type|typedef|this|property|prop|extends|augments)\s*\{")
_OUTER = r"(?:module:)?[\w$./-]+[~#](?=[\w$])"  # `Outer~Inner` and `module:x~Inner` name what is inside
_NAME = re.compile(rf"\s*(\[?)(?:{_OUTER})*([\w$.]+|\.\.\.[\w$.]+)?")
_TOKEN = re.compile(r"""\s*(\.\.\.|=>|\.<|[\w$]+(?:\.[\w$]+)*|'[^']*'|"[^"]*"|[|&?!*=()\[\]{}<>,:;.])""")


class Tag(NamedTuple):
    """One tag with a type: `@param {type} name`."""

    kind: str  # param | returns | type | typedef | this | property | extends
    type: str
    name: str


_KINDS = {"arg": "param", "argument": "param", "return": "returns", "prop": "property", "augments": "extends"}


def tags(text: str) -> list[Tag]:
    """The tags with types of a comment."""
    out: list[Tag] = []
    for match in _TAG.finditer(text):
        end = _closing(text, match.end())
        if end < 0:
            continue
        name = _NAME.match(text, end + 1)
        word = (name[2] or "") if name is not None else ""
        out.append(Tag(_KINDS.get(match[1], match[1]), text[match.end() : end].strip(), word.lstrip(".")))
    return out


def _closing(text: str, start: int) -> int:
    depth = 1
    for place in range(start, min(len(text), start + 2000)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return -1


def tokens(text: str) -> list[str]:
    """The tokens of a type expression; empty where it is not understood."""
    out: list[str] = []
    place = 0
    text = re.sub(_OUTER, "", text).rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            return []
        out.append(match[1])
        place = match.end()
    return out[:200]


_TEMPLATE = re.compile(r"@template\s+(?:\{[^}]*\}\s*)?([\w$]+(?:\s*,\s*[\w$]+)*)")
_IMPORT = re.compile(r"""@import\s+([^"'@]+?)\s+from\s+["']([^"']+)["']""")


def templates(text: str) -> list[str]:
    """Type parameters that a comment declares: `@template T, U`."""
    return [name.strip() for match in _TEMPLATE.finditer(text) for name in match[1].split(",")]


def imports(text: str) -> list[tuple[str, str, str]]:
    """`@import A, { B as C } from "m"` → (module, imported name, local name); "" imports the module itself."""
    out: list[tuple[str, str, str]] = []
    for match in _IMPORT.finditer(text):
        clause, module = match[1], match[2]
        head, brace, rest = clause.partition("{")
        for part in rest.rpartition("}")[0].split(",") if brace else []:
            words = part.replace("*", " ").split()
            if words:
                out.append((module, words[0], words[-1]))
        head = head.strip().rstrip(",").strip()
        if head.startswith("*"):
            out.append((module, "", head.split()[-1]))
        elif head:
            out.append((module, "default", head))
    return out


class Parsed(NamedTuple):
    """A type expression: `kind` name | import | generic | union | array | function | literal | object | unknown."""

    kind: str
    name: str = ""
    parts: tuple[Parsed, ...] = ()
    member: str = ""


UNKNOWN = Parsed("unknown")


def parse(text: str) -> Parsed:
    """A type expression of a comment; unknown where it is not understood."""
    reader = _Reader(tokens(text))
    try:
        return reader.union()
    except (IndexError, RecursionError):
        return UNKNOWN


class _Reader:
    def __init__(self, found: list[str]):
        self.tokens = found
        self.place = 0

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, wanted: str = "") -> bool:
        if self.place < len(self.tokens) and (not wanted or self.tokens[self.place] == wanted):
            self.place += 1
            return True
        return False

    def union(self) -> Parsed:
        self.take("|")
        parts = [self.postfix()]
        while self.take("|") or self.take("&"):
            parts.append(self.postfix())
        return parts[0] if len(parts) == 1 else Parsed("union", "", tuple(parts))

    def postfix(self) -> Parsed:
        while self.peek() in ("?", "!", "..."):
            variadic = self.peek() == "..."
            self.place += 1
            if variadic:
                return Parsed("array", "", (self.postfix(),))
        held = self.primary()
        while True:
            if self.peek() == "[" and self.tokens[self.place + 1 : self.place + 2] == ["]"]:
                self.place += 2
                held = Parsed("array", "", (held,))
            elif self.peek() in ("=", "?"):
                self.place += 1
            else:
                return held

    def primary(self) -> Parsed:
        token = self.peek()
        self.place += 1
        if token == "(":
            return self.parenthesized()
        if token == "{":
            return self.record()
        if token == "import":
            return self.imported()
        if token == "typeof":
            return Parsed("typeof", "", (self.primary(),))
        if token == "function" and self.peek() == "(":
            return self.closure()
        if token in ("*", "") or token[0] in "'\"" or not (token[0].isalpha() or token[0] in "_$"):
            return Parsed("literal", "string") if token[:1] in ("'", '"') else UNKNOWN
        if self.peek() in ("<", ".<"):
            self.place += 1
            return Parsed("generic", token, self.list(">"))
        return Parsed("name", token)

    def list(self, end: str) -> tuple[Parsed, ...]:
        parts: list[Parsed] = []
        while self.peek() and self.peek() != end:
            parts.append(self.union())
            if not self.take(","):
                break
        self.take(end)
        return tuple(parts)

    def parenthesized(self) -> Parsed:
        start = self.place
        depth = 1
        while depth and self.place < len(self.tokens):
            depth += {"(": 1, ")": -1}.get(self.tokens[self.place], 0)
            self.place += 1
        inner = self.tokens[start : self.place - 1]
        if self.take("=>"):
            return Parsed("function", "", (self.union(), *_parameters(inner)))
        return _Reader(inner).union()

    def closure(self) -> Parsed:
        """`function(A, B): C`."""
        self.place += 1
        parts = self.list(")")
        result = self.union() if self.take(":") else UNKNOWN
        return Parsed("function", "", (result, *parts))

    def record(self) -> Parsed:
        fields: list[Parsed] = []
        while self.peek() and self.peek() != "}":
            name = self.peek()
            self.place += 1
            self.take("?")
            fields.append(Parsed("field", name, (self.union() if self.take(":") else UNKNOWN,)))
            if not (self.take(",") or self.take(";")):
                break
        self.take("}")
        return Parsed("object", "", tuple(fields))

    def imported(self) -> Parsed:
        """`import("./a")`, `import("./a").B` and `import("./a").B<C>`."""
        self.take("(")
        module = self.peek()[1:-1]
        self.place += 1
        self.take(")")
        member = ""
        if self.take("."):
            member = self.peek()
            self.place += 1
        parts: tuple[Parsed, ...] = ()
        if self.peek() in ("<", ".<"):
            self.place += 1
            parts = self.list(">")
        return Parsed("import", module, parts, member)


def _parameters(inner: list[str]) -> list[Parsed]:
    """Types of `a: A, b?: B`."""
    out: list[Parsed] = []
    reader = _Reader(inner)
    while reader.peek():
        reader.take("...")
        after = reader.tokens[reader.place + 1 : reader.place + 2]
        if after in ([":"], ["?"]):
            reader.place += 1
            reader.take("?")
            reader.take(":")
            out.append(reader.union())
        else:
            out.append(reader.union())
        if not reader.take(","):
            break
    return out
