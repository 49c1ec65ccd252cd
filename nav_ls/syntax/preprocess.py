"""C and C++ text as the grammars like it: same length, with what only a preprocessor understands blanked out.

A grammar sees one configuration-less text: directives in the middle of expressions, branches that open a
bracket twice, and macros in front of, inside and behind declarations all lead it astray.  Here they become
spaces; every other byte stays where it is, so positions in the tree are positions in the file.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from typing import NamedTuple


class Directive(NamedTuple):
    """One directive: `[start, end)` with its continuation lines, `rest` without comments, lines joined."""

    name: str
    rest: str
    start: int
    end: int
    rest_start: int


class Prepared(NamedTuple):
    """The text to parse, and the directives that were taken out of it."""

    text: bytes
    directives: tuple[Directive, ...]
    conditionals: tuple[tuple[int, int], ...] = ()  # outermost, by position; include guards and `__cplusplus` aside
    openers: tuple[str, ...] = ()  # macros that stand alone where they may open a namespace


_NOISE = re.compile(
    rb"//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)"
    rb'|R"([^ ()\\\t\v\f\n]{0,16})\(.*?\)\1"'
    rb'|"(?:\\.|[^"\\\n])*"?'
    rb"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'?",
    re.S,
)
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*([a-z_]*)((?:\\\r?\n|[^\n])*)", re.M)
_NOT_SPACE = re.compile(rb"[^\s]")
_CONTINUED = re.compile(r"\\\r?\n")
_BLANKS = bytes(range(256)).translate(bytes(c if c in b"\n\r\t" else 32 for c in range(256)))


def prepare(text: bytes, cpp: bool) -> Prepared:
    """The same text for a parser: no comments, no directives, one way through conflicting branches.

    Linear in the length of the text.
    """
    out = bytearray(text)
    masked = bytearray(_NOISE.sub(partial(_masked, out), text))
    directives = tuple(_directives(bytes(masked), bytes(out)))
    for d in directives:
        _blank(out, masked, d.start, d.end)
    openers = tuple(dict.fromkeys(m[1].decode() for m in _OPENER.finditer(masked)))
    for start, end in _dropped(bytes(masked), directives, cpp):
        _blank(out, masked, start, end)
    declarations = _Declarations(bytes(masked), _empty_macros(directives), cpp)
    for start, end in declarations.blanks():
        _blank(out, masked, start, end)
    for position, byte in declarations.patches:
        out[position : position + len(byte)] = byte
    return Prepared(bytes(out), directives, _conditionals(directives), openers)


def _masked(out: bytearray, match: re.Match[bytes]) -> bytes:
    """What stands for a comment or a literal where directives are looked for; a comment is taken out of `out` too."""
    found = match.group()
    if found[:1] == b"/":
        blank = found.translate(_BLANKS)
        out[match.start() : match.end()] = blank
        return blank
    if len(found) < 2:
        return b" "
    return b'"' + found[1:-1].translate(_BLANKS) + b'"'


def _blank(out: bytearray, masked: bytearray, start: int, end: int) -> None:
    out[start:end] = out[start:end].translate(_BLANKS)
    masked[start:end] = masked[start:end].translate(_BLANKS)


def _directives(masked: bytes, text: bytes) -> list[Directive]:
    found = []
    for m in _DIRECTIVE.finditer(masked):
        rest = _CONTINUED.sub(" ", text[m.start(2) : m.end(2)].decode("utf-8", "replace")).strip()
        found.append(Directive(m[1].decode(), rest, m.start(), m.end(), m.start(2)))
    return found


# --- conditionals


class _Branch(NamedTuple):
    condition: str
    start: int
    end: int


def _dropped(masked: bytes, directives: tuple[Directive, ...], cpp: bool) -> list[tuple[int, int]]:
    """Stretches of the branches that must go so that what remains can be parsed.

    Branches that are whole declarations or statements all stay.  Of others one is taken, and what that says about
    a condition holds for the rest of the file, so that a bracket opened under it is closed under it.
    """
    dropped: list[tuple[int, int]] = []
    assumed: dict[str, bool] = {}
    for start, branches in _groups(directives):
        dropped += _losers(masked, start, branches, cpp, assumed)
    return dropped


def _conditionals(directives: tuple[Directive, ...]) -> tuple[tuple[int, int], ...]:
    """Where code holds under a condition."""
    guards = {
        d.start
        for d, after in pairwise(directives)
        if d.name in ("ifndef", "if") and after.name == "define" and after.rest.split("(")[0].split(" ")[0] in d.rest
    }
    found: list[tuple[int, int]] = []
    for start, branches in _groups(directives):
        inside = bool(found) and start < found[-1][1]
        if not inside and start not in guards and "__cplusplus" not in branches[0].condition:
            found.append((start, branches[-1].end))
    return tuple(found)


def _groups(directives: tuple[Directive, ...]) -> list[tuple[int, list[_Branch]]]:
    """The `#if` groups by position, each with its branches."""
    groups: list[tuple[int, list[_Branch]]] = []
    stack: list[tuple[int, list[_Branch]]] = []
    for d in directives:
        if d.name in ("if", "ifdef", "ifndef"):
            condition = d.rest if d.name == "if" else f"defined({d.rest})" if d.name == "ifdef" else f"!{d.rest}"
            stack.append((d.start, [_Branch(condition, d.end, d.end)]))
        elif d.name in ("elif", "else", "elifdef", "elifndef") and stack:
            branches = stack[-1][1]
            branches[-1] = branches[-1]._replace(end=d.start)
            branches.append(_Branch(d.rest if d.name != "else" else "else", d.end, d.end))
        elif d.name == "endif" and stack:
            start, branches = stack.pop()
            branches[-1] = branches[-1]._replace(end=d.start)
            groups.append((start, branches))
    return sorted(groups)


_OPENER = re.compile(rb"^[ \t]*([A-Z][A-Z0-9_]*NAMESPACE[A-Z0-9_]*)[ \t]*\r?$", re.M)
_ZERO = re.compile(r"\(?\s*(?:0|false|FALSE)\s*\)?$")
_ELSEWHERE = re.compile(
    r"WIN32|WIN64|_MSC_VER|__MINGW|CYGWIN|__APPLE__|__OS2__|__VMS|__BORLANDC__|_AIX|__sun|__MVS__|DJGPP"
)
_DEFINED = re.compile(r"^(!?)\s*(?:defined\s*)?\(?\s*(\w+)\s*\)?$")


def _losers(
    text: bytes, start: int, branches: list[_Branch], cpp: bool, assumed: dict[str, bool]
) -> list[tuple[int, int]]:
    first = branches[0].condition
    if _ZERO.match(first):
        return _taken(branches, False)
    if "__cplusplus" in first and "__cplusplus <" not in first and "__cplusplus >" not in first:
        return _taken(branches, cpp != first.startswith("!"))
    pieces = [text[b.start : b.end] for b in branches]
    before = text[max(0, start - 4000) : start].rstrip()[-1:]
    if before in (b"", b";", b"{", b"}", b":", b")", b">") and all(_complete(p) for p in pieces):
        return []
    if before in (b",", b"{", b"(") and all(not p.strip() or p.rstrip()[-1:] == b"," for p in pieces):
        return []
    known = _DEFINED.match(first)
    name, holds = (known[2], not known[1]) if known is not None else (first, True)
    if name not in assumed:
        if _ELSEWHERE.search(first) and (known is not None or "!" not in first):
            assumed[name] = False
        else:
            keep = next((i for i, p in enumerate(pieces) if p.strip()), 0)
            assumed[name] = holds if keep == 0 else not holds
            return _others(branches, keep)
    return _taken(branches, assumed[name] == holds)


def _taken(branches: list[_Branch], holds: bool) -> list[tuple[int, int]]:
    """What goes if the first condition holds, or does not."""
    return _others(branches, 0 if holds else 1)


def _others(branches: list[_Branch], keep: int) -> list[tuple[int, int]]:
    return [(b.start, b.end) for i, b in enumerate(branches) if i != keep]


def _complete(piece: bytes) -> bool:
    """Whole statements or declarations (or nothing at all)?"""
    stripped = piece.strip()
    if not stripped:
        return True
    if stripped[-1:] not in b";}" or stripped[:4] == b"else":
        return False
    return all(piece.count(a) == piece.count(b) for a, b in ((b"{", b"}"), (b"(", b")")))


# --- macros around declarations

_EMPTY_BODY = re.compile(
    r"^(?:$|inline\b|static\b|extern\b|const\b|volatile\b|__attribute__|__declspec|__inline|__forceinline|__stdcall|"
    r"__cdecl|__fastcall|\[\[|_Noreturn|noexcept|override|final|constexpr|thread_local|__thread|register)"
)


def _empty_macros(directives: tuple[Directive, ...]) -> frozenset[bytes]:
    """Object-like macros of this file that stand for nothing, an attribute or a specifier."""
    found = set()
    for d in directives:
        if d.name == "define":
            name, _, body = d.rest.partition(" ")
            if name.isidentifier() and name.upper() == name and _EMPTY_BODY.match(body.strip()):
                found.add(name.encode())
    return frozenset(found)


_ATTRIBUTE = re.compile(
    rb"\b(?:__attribute__|__attribute|__declspec|__asm__|__asm|asm|_Alignas|alignas|__nonnull|__extension__|"
    rb"__restrict__|__restrict|__inline__|__inline|__forceinline|__stdcall|__cdecl|__fastcall|__vectorcall|"
    rb"__thiscall|_Noreturn|__noreturn|__unused|__volatile__)\b"
)
_WITH_PARENS = frozenset(
    {
        b"__attribute__", b"__attribute", b"__declspec", b"__asm__", b"__asm", b"asm", b"_Alignas", b"alignas",
    }
)  # fmt: skip
_EDGE = re.compile(rb"[;{}]")
_BRACES = re.compile(rb"[{}]")
_TRAILING_COMMA = re.compile(rb",(?=\s*\))")
_CALLING_CONVENTION = re.compile(rb"\(\s*([A-Z_][A-Z0-9_]*)\s*\*\s*(?:const\s+)?\w+\s*\)\s*\(")
_LIST_HEAD = re.compile(rb"=\s*$|\benum\b[^()]*$")
_ONLY_MACRO = re.compile(rb"^\s*([A-Z_][A-Z0-9_]{3,})\s*$")
_ONLY_MACROS = re.compile(rb"^\s*(?:[A-Z_][A-Z0-9_]{2,}\s*(?:\([^()]*\))?\s*)+$")
_ONLY_CALL = re.compile(rb"^\s*((?!(?:if|for|while|switch|do|else|return|sizeof)\b)\w+)\s*\([^;{}]*\)\s*$")
_MACRO_CALL = re.compile(rb"^\s*[A-Z_][A-Z0-9_]{2,}\s*\([^;{}]*\)\s*$")
_PLAIN_TYPE_ARGUMENT = re.compile(
    rb"(?<=[(,])\s*((?:const\s+)?(?:(?:unsigned|signed|int|char|bool|long|short|float|double|void|size_t)\b[\s*&]*)+)(?=[,)])"
)
_NEW_ARRAY = re.compile(rb"\bnew\s+(?:const\s+)?[\w:]+\s*(\*+)\s*[\[(]")
_TYPE_ARGUMENT = re.compile(rb"(?:(?<=,)|(?<=\())\s*(?:(?:const\s+)?(struct|union|enum)\s+)\w+([\s*]*)(?=[,)])")
_DEFAULTED = re.compile(rb"\)[\s\w]*(=\s*default\s*;)")
_VA_ARG = re.compile(rb"\bva_arg\s*\([^(),]*,\s*([^();]*?)\s*\)")
_BEFORE_BLOCK = re.compile(rb"[;{}]\s*([A-Z_][A-Z0-9_]{2,})(?=\s*\{)")
_BEFORE_TYPE = re.compile(
    rb"[;{}]\s*([A-Z_][A-Z0-9_]{2,})\s+(?=(?:const\s+)?(?:auto|bool|char|double|float|int|long|short|unsigned|void)\b)"
)
_BEHIND_STAR = re.compile(rb"[*&]\s*([A-Z_][A-Z0-9_]{2,})\s+(?=(?:const\s+)?[A-Za-z_]\w*\s*[,)=;\[])")
_ALONE = re.compile(rb"^[ \t]*([A-Z_][A-Z0-9_]{2,})[ \t]*(\([^;{}\n]*\))?[ \t]*$", re.M)
_LOWER_MACRO = re.compile(
    rb"\b(?!(?:static|extern|inline|const|volatile|register|typedef|unsigned|signed|long|short|struct|union|enum|class|"
    rb"virtual|explicit|friend|constexpr|mutable|int|char|typename|thread_local|auto|return|new|operator|using|template|"
    rb"_Atomic|restrict|case|public|private|protected|double)\b)[A-Za-z_]\w*\s+"
    rb"(?:unsigned|signed|int|char|long|short|void|double|float|bool|struct|static|extern|size_t|u?int\d+_t|time_t)\b"
)
_STANDALONE = re.compile(
    rb"^\s*([A-Z_][A-Z0-9_]{2,}[ \t]*(?:\([^;{}\n]*\))?)[ \t]*\n\s*"
    rb"(?=(?:template|namespace|class|struct|union|enum|using|typedef|static|inline|extern|constexpr|virtual|public|private|"
    rb"protected)\b|[A-Z_][A-Z0-9_]{2,}[ \t]*[\n(])"
)
_MACRO_FOR_TYPE = re.compile(  # in front of an operator there must be a type, unless it is a conversion
    rb"^\s*(?:(?:static|inline|constexpr|friend|virtual)\s+)*([A-Z_][A-Z0-9_]{3,})\s*\([^;{}]*\)\s*operator\s*[^\w\s]"
)
_LABEL = re.compile(rb"^\s*([A-Z_][A-Z0-9_]{3,}\s*:)(?!:)")
_WRAPPED = re.compile(rb"^\s*([A-Z_][A-Z0-9_]{2,}\s*\()[\w\s*]*?\w[\s*]+\w+\s*\([^;{}]*\)\s*\)\s*$")
_CAPS = re.compile(rb"\b[A-Z_][A-Z0-9_]{2,}\b")
_ITEM = re.compile(rb"[A-Za-z_]\w*|::|[()<>*&=,:~\[\]\"]|->")
_TYPE_HEAD = re.compile(rb"\b(?:class|struct|union|enum)\b")
_NAMESPACE_HEAD = re.compile(rb"\bnamespace\b[^=;()]*$")
_EXTERN_HEAD = re.compile(rb'\bextern\s*"\s*"\s*$')
_CLASS_MACRO = re.compile(
    rb"\b(class|struct|union|enum(?:\s+class|\s+struct)?)\s+((?:[A-Z_][A-Z0-9_]*\s*(?:\([^()]*\))?\s+)+)(?=(?!final\b)[A-Za-z_])"
)
_ATTRIBUTES = re.compile(rb"^\s*(?:\[\[[^\[\]]*\]\]\s*)+")
_SPECIFIERS = frozenset(
    b"static extern inline const volatile register typedef constexpr consteval constinit mutable thread_local virtual "
    b"explicit friend auto restrict _Atomic typename template using operator public private protected signals slots "
    b"noexcept override final throw requires concept default delete goto return case else co_return namespace".split()
)
_PRIMITIVES = frozenset(
    b"void int char short long float double signed unsigned bool _Bool size_t ssize_t wchar_t auto va_list FILE "
    b"int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t ptrdiff_t off_t time_t pid_t mode_t uid_t gid_t clock_t socklen_t".split()
)
_TAGS = frozenset(b"class struct union enum".split())
_MARKS = re.compile(
    rb"API|EXPORT|IMPORT|CALL|INLINE|NORETURN|EXTERN|DECL|PUBLIC|PRIVATE|UNUSED|NONNULL|ATTR|DEPRECATED|STATIC|LINKAGE|FASTCALL|CDECL"
)


class _Declarations:
    """Walks the declarations outside of function bodies and finds the macros that the grammar would trip over."""

    def __init__(self, masked: bytes, empty: frozenset[bytes], cpp: bool):
        self.cpp = cpp
        self.text = masked
        self.empty = empty
        self.found: list[tuple[int, int]] = []
        self.patches: list[tuple[int, bytes]] = []
        self.classes: list[tuple[int, bytes]] = []  # around the place that is looked at: where each ends, its name

    def blanks(self) -> list[tuple[int, int]]:
        """The stretches to blank out."""
        for m in _ATTRIBUTE.finditer(self.text):
            self._attribute(m)
        for m in _TRAILING_COMMA.finditer(self.text):
            self.found.append(m.span())
        for pattern in (_CALLING_CONVENTION, _NEW_ARRAY, _BEHIND_STAR):
            self.found += [m.span(1) for m in pattern.finditer(self.text)]
        for m in _DEFAULTED.finditer(self.text):
            self.found.append((m.start(1), m.end(1)))
            self.patches += [(m.start(1), b"{"), (m.end(1) - 1, b"}")]
        for m in _VA_ARG.finditer(self.text):
            self.found.append(m.span(1))
            self.patches.append((m.start(1), b"0"))
        if self.found:
            work = bytearray(self.text)
            for start, end in self.found:
                work[start:end] = work[start:end].translate(_BLANKS)
            for position, byte in self.patches:
                work[position : position + len(byte)] = byte
            self.text = bytes(work)
        self._walk()
        return self.found

    def _attribute(self, m: re.Match[bytes]) -> None:
        word = m.group()
        if word in _WITH_PARENS:
            opening = _NOT_SPACE.search(self.text, m.end())
            if opening is not None and opening.group() == b"(":
                self.found.append((m.start(), self._closing(opening.start()) + 1))
            return
        self.found.append(m.span())

    def _closing(self, opening: int) -> int:
        """Where the bracket at `opening` closes (the end of the text where it does not)."""
        depth = 0
        for m in re.finditer(rb"[()]", self.text[opening : opening + 20000]):
            depth += 1 if m.group() == b"(" else -1
            if depth == 0:
                return opening + m.start()
        return opening

    def _walk(self) -> None:
        text, start, skip_to = self.text, 0, -1
        braces = self._pairs()
        for m in _EDGE.finditer(text):
            position = m.start()
            if position < skip_to:
                continue
            edge = m.group()
            head = text[start:position]
            if edge == b"}":
                if _ONLY_MACROS.match(head):
                    self.found.append((start, position))
                start = position + 1
                continue
            container = edge == b"{" and self._is_container(head)
            while self.classes and self.classes[-1][0] <= position:
                self.classes.pop()
            if head and (_CAPS.search(head) or _LOWER_MACRO.search(head)):
                self._repair(start, position, edge, container)
            if edge == b";" and _MACRO_CALL.match(head):
                self._type_arguments(start, position)
            start = position + 1
            if container:
                self.classes.append((braces.get(position, len(text)), _class_name(head)))
            if edge == b"{" and not container:
                skip_to = braces.get(position, len(text)) + 1
                start = skip_to
                if _LIST_HEAD.search(head):
                    self._list(position + 1, skip_to - 1)
                else:
                    self._body(position + 1, skip_to - 1)
                self._untyped(head, position - len(head))

    def _type_arguments(self, start: int, end: int) -> None:
        """`DEFINE_FLAG(int, limit, 3);`: what a call of a macro is given and no function could be."""
        for m in _PLAIN_TYPE_ARGUMENT.finditer(self.text, start, end):
            self.found.append(m.span(1))
            self.patches.append((m.start(1), b"0"))

    def _untyped(self, head: bytes, start: int) -> None:
        """`YY_DECL { ... }`, `TEST_IMPL(name) { ... }`: a macro that stands for a function's head."""
        alone = _ONLY_MACRO.match(head)
        if alone is not None:
            self.patches.append((start + alone.end(1) - 2, b"()"))
        called = alone or _ONLY_CALL.match(head)
        gone = any(a <= start + called.start(1) < b for a, b in self.found[-3:]) if called is not None else True
        if called is None or gone or self.cpp:
            return
        if called.start(1) > 1:
            self.patches.append((start + called.start(1) - 2, b"V "))
        elif called[1].isupper() and len(called[1]) > 4:  # no room before it: the macro's first letters make way
            self.patches.append((start + called.start(1), b"V "))

    def _list(self, start: int, end: int) -> None:
        """Macros in enumerations and initialisers that bring their own commas."""
        for m in _ALONE.finditer(self.text, start, end):
            before = self.text[max(start - 1, m.start() - 4000) : m.start()].rstrip()[-1:]
            after = self.text[m.end() : m.end() + 4000].lstrip()[:1]
            if before in (b"{", b",") and (after in (b"}", b"{", b".", b"[", b"") or after.isalnum() or after == b"_"):
                self.found.append((m.start(1), m.end()))

    def _body(self, start: int, end: int) -> None:
        """Macros that stand alone on a line of a function body: as statements they lack their semicolon."""
        for m in _TYPE_ARGUMENT.finditer(self.text, start, end):
            ends = self.text[m.end() : m.end() + 1] == b","
            if ends or self.text[m.start() - 1 : m.start()] == b",":
                self.found += [m.span(1), m.span(2)]
        for pattern in (_BEFORE_BLOCK, _BEFORE_TYPE):
            self.found += [m.span(1) for m in pattern.finditer(self.text, start - 1, end)]
        last = -1  # where the last such macro ended
        for m in _ALONE.finditer(self.text, start, end):
            before = self.text[max(start - 1, m.start() - 4000) : m.start()].rstrip()[-1:]
            after = self.text[m.end() : m.end() + 4000].lstrip()[:1]
            if last >= 0 and not self.text[last : m.start()].strip():
                before = b";"
            if before not in (b";", b"{", b"}", b":") or not (
                after in (b"", b"{", b"}") or after.isalnum() or after == b"_"
            ):
                continue
            last = m.end()
            if m[2] is None:
                self.found.append(m.span(1))
            elif after != b"{" and m.end() < end and self.text[m.end() : m.end() + 1] in (b"\n", b"\r"):
                self.patches.append((m.end(), b";"))

    def _pairs(self) -> dict[int, int]:
        pairs: dict[int, int] = {}
        stack: list[int] = []
        for m in _BRACES.finditer(self.text):
            if m.group() == b"{":
                stack.append(m.start())
            elif stack:
                pairs[stack.pop()] = m.start()
        return pairs

    def _is_container(self, head: bytes) -> bool:
        if _NAMESPACE_HEAD.search(head) or _EXTERN_HEAD.search(head):
            return True
        if not _TYPE_HEAD.search(head):
            return False
        rest = _without_templates(head)  # these may have defaults
        if b"=" in rest:
            return False
        rest = re.sub(rb"\b[A-Z_][A-Z0-9_]*\s*\([^()]*\)", b" ", rest)
        found = re.search(rb"\b(class|struct|union|enum)\b", rest)
        return found is not None and found[1] != b"enum" and b"(" not in rest

    def _repair(self, start: int, end: int, edge: bytes, container: bool) -> None:
        head = self.text[start:end]
        alone = _STANDALONE.match(head)
        while alone is not None:
            self.found.append((start + alone.start(1), start + alone.end(1)))
            start += alone.end()
            head = self.text[start:end]
            alone = _STANDALONE.match(head)
        label = _LABEL.match(head)
        if label is not None:
            self.found.append((start + label.start(1), start + label.end(1)))
            start += label.end()
            head = self.text[start:end]
        wrapped = _WRAPPED.match(head)
        if wrapped is not None:
            last = start + len(head.rstrip())
            self.found += [(start + wrapped.start(1), start + wrapped.end(1)), (last - 1, last)]
            return
        if container or edge == b"{" or head.lstrip().startswith((b"class", b"template")):
            for m in _CLASS_MACRO.finditer(head):
                if container or b"class" in m[1] or b"enum" in m[1]:
                    if b"(" in head[m.end() :] and not container:
                        continue
                    self.found.append((start + m.start(2), start + m.end(2)))
        if not container:
            typed = _MACRO_FOR_TYPE.match(_without_templates(head)) if b"operator" in head else None
            if typed is not None and _is_caps(_Item("w", 0, 0, typed[1]), self.empty):
                self.patches.append((start + head.index(typed[1]), b"auto"))
            for a, b in _specifier_macros(head, edge, self.empty, self.classes[-1][1] if self.classes else b""):
                self.found.append((start + a, start + b))


def _without_templates(head: bytes) -> bytes:
    """Without the parameter lists of `template <...>`."""
    while True:
        at = re.search(rb"\btemplate\s*<", head)
        if at is None:
            return head
        depth, end = 0, len(head)
        for m in re.finditer(rb"[<>]", head[at.end() - 1 :]):
            depth += 1 if m.group() == b"<" else -1
            if depth == 0:
                end = at.end() - 1 + m.end()
                break
        head = head[: at.start()] + b" " + head[end:]


class _Item(NamedTuple):
    kind: str  # w word | p parentheses | s star or reference | o anything else
    start: int
    end: int
    text: bytes


def _items(head: bytes) -> list[_Item]:
    """The top level of a declaration: words (with their `::` and `<...>`), bracketed groups, signs."""
    items: list[_Item] = []
    depth = angle = opened = 0
    joined = False
    for m in _ITEM.finditer(head):
        sign = m.group()
        if (
            depth == 0
            and sign == b"<"
            and (angle or (items and items[-1].kind == "w" and items[-1].text != b"operator"))
        ):
            if angle == 0:
                opened = m.start()
            angle += 1
        elif depth == 0 and angle and sign == b">":
            angle -= 1
            if angle == 0 and items:
                last = items[-1]
                items[-1] = _Item("w", last.start, m.end(), last.text)
        elif angle:
            continue
        elif sign == b"(":
            if depth == 0:
                opened = m.start()
            depth += 1
        elif sign == b")":
            depth = max(0, depth - 1)
            if depth == 0:
                items.append(_Item("p", opened, m.end(), b""))
        elif depth:
            continue
        elif sign == b"::":
            joined = True
            continue
        elif sign[:1].isalpha() or sign[:1] == b"_":
            if joined and items and items[-1].kind == "w":
                items[-1] = _Item("w", items[-1].start, m.end(), sign)
            else:
                items.append(_Item("w", m.start(), m.end(), sign))
        elif sign in (b"*", b"&"):
            items.append(_Item("s", m.start(), m.end(), sign))
        else:
            items.append(_Item("o", m.start(), m.end(), sign))
        joined = False
    return items


def _is_caps(item: _Item, empty: frozenset[bytes]) -> bool:
    return item.kind == "w" and (
        item.text in empty or (len(item.text) > 2 and item.text.upper() == item.text and item.text not in _PRIMITIVES)
    )


def _class_name(head: bytes) -> bytes:
    """The name in the head of a class, without what it is in and what it inherits."""
    found = re.search(rb"\b(?:class|struct|union)\b(.*)", _without_templates(head), re.S)
    named = re.split(rb"(?<!:):(?!:)", found[1], maxsplit=1)[0].partition(b"<")[0] if found is not None else b""
    words = [w for w in re.findall(rb"\w+", named) if w != b"final"]
    return words[-1] if words else b""


def _specifier_macros(head: bytes, edge: bytes, empty: frozenset[bytes], owner: bytes) -> list[tuple[int, int]]:
    """Macros among the specifiers of one declaration, and behind its declarator; `owner`: the class that it is in."""
    items = _items(_ATTRIBUTES.sub(lambda m: b" " * len(m[0]), head))
    while len(items) > 1 and items[0].kind == "w" and items[1].text == b":":  # public:
        items = items[2:]
    if not items or any(i.text == b"operator" for i in items[:1]):
        return []
    blanks: list[tuple[int, int]] = []
    items = _leading_calls(items, blanks, empty)
    grouped = next((i for i in range(1, len(items) - 1) if items[i].kind == "p" and items[i + 1].kind == "p"), 0)
    if grouped:  # the declarator is in brackets: a pointer to a function
        return blanks + _among_specifiers(items[:grouped], empty) + _behind(items[grouped + 2 :], empty)
    name = _name_place(items, empty, edge)
    if name < 0:
        return blanks
    before, after = items[:name], items[name + 1 :]
    if items[name].text == b"operator":
        after = _behind_operator(after)
    written = head[items[name].start : items[name].end]
    destroys = bool(before) and before[-1].text == b"~"
    if destroys or written == owner or _constructs(written):  # no type that a macro may be
        blanks += [(i.start, i.end) for i in before if _is_caps(i, empty)]
    else:
        blanks += _among_specifiers(before, empty)
    blanks += _behind(after, empty)
    return blanks


def _leading_calls(items: list[_Item], blanks: list[tuple[int, int]], empty: frozenset[bytes]) -> list[_Item]:
    """`MACRO(...)` in front of a declaration."""
    place = 0
    while place < len(items) and items[place].kind == "w" and items[place].text in _SPECIFIERS:
        place += 1
    while (
        place + 2 < len(items)
        and _is_caps(items[place], empty)
        and items[place + 1].kind == "p"
        and items[place + 2].kind == "w"
        and items[place + 2].text not in (b"const", b"noexcept", b"override", b"final")
        and not (_is_caps(items[place + 2], empty) and place + 3 >= len(items))
    ):
        blanks.append((items[place].start, items[place + 1].end))
        items = items[:place] + items[place + 2 :]
    return items


def _name_place(items: list[_Item], empty: frozenset[bytes], edge: bytes) -> int:
    """Index of the declared name: the word before the first group, `=`, `[`, `,` or `:`; a trailing macro aside."""
    end = len(items)
    for i, item in enumerate(items):
        if item.kind == "p" or (item.kind == "o" and item.text in (b"=", b"[", b",", b":")):
            end = i
            break
    place = end - 1
    while place >= 0 and items[place].kind != "w":
        place -= 1
    if place < 1:
        return place
    words = [i for i in items[:place] if i.kind == "w"]
    previous = items[place - 1]
    trailing = (
        edge == b";"
        and _is_caps(items[place], empty)
        and previous.kind == "w"
        and not _is_caps(previous, empty)
        and previous.text not in _PRIMITIVES
        and previous.text not in _SPECIFIERS
        and sum(w.text not in _SPECIFIERS | _TAGS for w in words) + sum(i.kind == "s" for i in items[:place]) > 1
    )
    return place - 1 if trailing else place


def _behind_operator(after: list[_Item]) -> list[_Item]:
    """What stands behind the parameters of `operator=(..)` or `operator()(..)`."""
    place = next((i for i, item in enumerate(after) if item.kind == "p"), len(after))
    while place + 1 < len(after) and after[place + 1].kind == "p":
        place += 1
    return after[place + 1 :]


def _constructs(name: bytes) -> bool:
    """Is a declared name that of a constructor written outside of its class: `a::Box<T>::Box`?"""
    owner, _, last = name.rpartition(b"::")
    owner = owner.rpartition(b">::")[2].partition(b"<")[0].rpartition(b"::")[2]
    return owner != b"" and owner.strip() == last.strip()


def _among_specifiers(before: list[_Item], empty: frozenset[bytes]) -> list[tuple[int, int]]:
    words = [i for i in before if i.kind == "w" and i.text not in _SPECIFIERS]
    starred = False
    types: list[_Item] = []
    blanks: list[tuple[int, int]] = []
    tag_next = has_type = False
    for item in before:
        if item.kind == "s":
            starred = True
        elif item.kind != "w" or item.text in _SPECIFIERS:
            continue
        elif item.text in _TAGS:
            tag_next = True
        elif tag_next:
            tag_next, has_type = False, True
        elif item.text in _PRIMITIVES:
            has_type = True
        elif starred and _is_caps(item, empty):
            blanks.append((item.start, item.end))
        else:
            types.append(item)
    if not types or not words:
        return blanks
    if has_type:
        return blanks + [(i.start, i.end) for i in types if b"::" not in i.text]
    if len(types) == 1:
        special = any(i.text in (b"virtual", b"explicit", b"friend") for i in before)
        return blanks + ([(types[0].start, types[0].end)] if special and _is_caps(types[0], empty) else [])
    caps = [i for i in types if _is_caps(i, empty)]
    if len(caps) == len(types):
        keep = next((i for i in caps if i.text not in empty and not _MARKS.search(i.text)), caps[-1])
        caps = [i for i in caps if i is not keep]
    return blanks + [(i.start, i.end) for i in caps]


def _behind(after: list[_Item], empty: frozenset[bytes]) -> list[tuple[int, int]]:
    """Macros behind the declarator: `void f() REQUIRES(mu) {`, `int x GUARDED_BY(mu);`."""
    blanks: list[tuple[int, int]] = []
    for place, item in enumerate(after):
        if item.kind == "o" and item.text in (b"=", b":", b",", b"->"):
            break
        if _is_caps(item, empty):
            group = place + 1 < len(after) and after[place + 1].kind == "p"
            blanks.append((item.start, after[place + 1].end if group else item.end))
    return blanks
