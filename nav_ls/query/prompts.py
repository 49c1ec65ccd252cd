"""What a prompt is about: whether a person wrote it, what it names, and which of its words could find code."""

from __future__ import annotations

import re

import msgspec

from nav_ls.query.model import SymbolInfo
from nav_ls.query.ranks import is_aside
from nav_ls.query.snapshot import Snapshot
from nav_ls.query.targets import resolve
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS
from nav_ls.text.errors import NavError
from nav_ls.text.names import dotted, humps
from nav_ls.text.words import STOP, WORD, stem

LONGEST = 20_000
"""Characters of a prompt that are looked at: the request stands at its start or its end, pasted logs between them."""
MOST_NAMED = 8
_MOST_DEFINITIONS = 4
"""A name with more definitions than that says too little."""

# What clients put into the place of a prompt by themselves.
_MACHINE = re.compile(
    r"\s*(?:<(?:task-notification|system-reminder|local-command|command-(?:name|message|args)|bash-(?:input|stdout|stderr)"
    r"|user-memory-input|background-task|tool-result|teammate-message|session-start-hook)"
    r"|\[Request interrupted|Caveat: The messages below|This session is being continued from a previous"
    r"|/[A-Za-z][\w:-]*(?:\s|$)|![\w./])"
)
_TICKED = re.compile(r"`([^`\n]{2,120})`")
_PATH = re.compile(r"(?<![\w/])(?:[\w.@-]+/)*[\w@-][\w.@-]*\.[A-Za-z]\w{0,7}(?![\w/])")
_NAME = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#|->)[^\W\d]\w*)*(?:\(\))?")

# Words of work and of talk: they ask for an action, and name nothing that could be looked up.
_WORKING = frozenset(
    "again now ok okay yes yep sure thanks thank great good fine nice cool perfect hello hi hey continue go ahead proceed next "
    "done right wrong more less same other another one two second first last try run rerun start stop do make let give "
    "tell explain show look see check want need should must also just only still instead back keep undo redo revert "
    "commit push pull merge rebase branch pr open request review diff status log version release bump changelog "
    "test tests lint linter format formatter build compile install dependencies deploy server "
    "fix change add remove delete update write rewrite create implement refactor rename move improve clean cleanup "
    "code file files function thing things everything anything something nothing work works working fails fail "
    "error errors bug bugs issue issues problem short shorter long longer answer sentence sentences word words "
    "please today tomorrow yesterday summary summarise summarize conversation discussion "
    "git npm npx yarn pnpm pip uv cargo gradle mvn brew docker sudo squash stash amend".split()
)
_WORKING_STEMS = frozenset(stem(word) for word in _WORKING)


class Prompt(msgspec.Struct, frozen=True):
    """A prompt, read.  `names`: identifiers in their order (those in backticks first); `paths`: what looks like a file.

    `ticked`: the names in backticks; `words`: those that could find code; `question`: the text to search for.
    """

    names: tuple[str, ...]
    ticked: frozenset[str]
    paths: tuple[str, ...]
    words: tuple[str, ...]
    question: str


def is_machine_made(prompt: str) -> bool:
    """Whether a client made the prompt, or it is a command to the client: neither is about code."""
    return not prompt.strip() or _MACHINE.match(prompt) is not None


def read_prompt(prompt: str) -> Prompt:
    """Read a prompt of any length."""
    text = prompt if len(prompt) <= LONGEST else f"{prompt[: LONGEST // 2]}\n{prompt[-LONGEST // 2 :]}"
    ticked = [found.strip().removesuffix("()") for found in _TICKED.findall(text)]
    paths = dict.fromkeys(found.removeprefix("./") for found in _PATH.findall(text) if not found[0].isdigit())
    names = dict.fromkeys(name for name in ticked if _NAME.fullmatch(name))
    marked = frozenset(names)
    for found in _NAME.findall(text):
        if found.endswith("()") or _is_telling(found):
            names.setdefault(found.removesuffix("()"))
    words = dict.fromkeys(
        word.lower() for word in WORD.findall(text) if len(word) > 1 and not word.isdigit() and _finds(word.lower())
    )
    return Prompt(tuple(names), marked, tuple(paths), tuple(words), _question(text))


def named(snapshot: Snapshot, prompt: Prompt) -> list[SymbolInfo]:
    """The definitions that a prompt names, if what it says fits few enough of them; definitions before tests."""
    found: dict[tuple[str, str], SymbolInfo] = {}
    files = {info.path for path in prompt.paths for info in snapshot.files_ending(path, 4)}
    for name in prompt.names:
        fitting = _telling_ones(snapshot, _resolved(snapshot, name), marked=name in prompt.ticked)
        if files and len(fitting) > 1:
            fitting = [symbol for symbol in fitting if symbol.path in files] or fitting
        if len(fitting) <= _MOST_DEFINITIONS:
            for symbol in fitting:
                found.setdefault((symbol.path, symbol.key), symbol)
    return list(found.values())[:MOST_NAMED]


def _telling_ones(snapshot: Snapshot, symbols: list[SymbolInfo], *, marked: bool) -> list[SymbolInfo]:
    """Without tests, bundles and the like as far as something is left, and fields only if they are in backticks."""
    if not marked:
        symbols = [symbol for symbol in symbols if symbol.kind in CALLABLE_KINDS | TYPE_KINDS]
    infos = {symbol.path: snapshot.file(symbol.path) for symbol in symbols}
    return [s for s in symbols if (info := infos[s.path]) is None or not is_aside(info)] or symbols


def named_files(snapshot: Snapshot, prompt: Prompt) -> list[str]:
    """The files of code that a prompt names without doubt."""
    found: dict[str, None] = {}
    for path in prompt.paths:
        fitting = [info.path for info in snapshot.files_ending(path, 3) if info.language]
        if len(fitting) == 1:
            found.setdefault(fitting[0])
    return list(found)


def _resolved(snapshot: Snapshot, name: str) -> list[SymbolInfo]:
    spec = dotted(name)
    while spec:
        try:
            found = resolve(snapshot, spec)
        except NavError:
            return []
        if found:
            return found
        # `app.session.get` may speak of `Session.get`; a bare last part is less telling than the whole.
        spec = spec.partition(".")[2]
        if "." not in spec and not _is_telling(spec):
            return []
    return []


def _is_telling(name: str) -> bool:
    """Whether nobody writes such a word by chance: it has parts, or members."""
    if len(name) < 5 or (name.isupper() and "_" not in name):
        return False
    if "." in name or "::" in name or "->" in name or "#" in name:
        return not name.lower().startswith(("e.g", "i.e"))
    return len(humps(name)) >= 2 and not name.isdigit()


def _finds(word: str) -> bool:
    return word not in STOP and word not in _WORKING and stem(word) not in _WORKING_STEMS


def _question(text: str) -> str:
    """The text without blocks that were pasted in, as far as something is left."""
    plain = re.sub(r"```.*?(?:```|\Z)", " ", text, flags=re.DOTALL).strip()
    return (plain or text)[:2000]
