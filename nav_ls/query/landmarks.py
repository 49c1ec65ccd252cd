"""The definitions that a repository leans on most, a line for each file or for many heirs that are alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from nav_ls.query.conventions import heirs_of
from nav_ls.query.model import SymbolInfo
from nav_ls.query.ranks import Ranks
from nav_ls.query.snapshot import Snapshot
from nav_ls.store.overview import Overview
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS

_NAMES_PER_FILE = 6
_FEWEST_HEIRS = 3
_MOST_HEIRS = 12
_LONGEST = 90
"""Characters of a sentence about a definition."""
_LABEL = re.compile(r"[\w ]+::\s")
"""What a list of labels begins with, in the comments of Ruby."""
_DIRECTIVE = re.compile(r"(eslint|prettier|tslint|biome|jshint|istanbul|noinspection|nolint|pylint|phpcs|rubocop)\b")
"""What a comment for a tool begins with."""
_EMPTY_WORDS = TYPE_KINDS | {"the", "a", "an", "this", "is", "type", "function", "method", "model", "module"}

About = Callable[[SymbolInfo], str]


def definition_lines(
    snapshot: Snapshot, ranks: Ranks, best: Sequence[SymbolInfo], namespace: str, *, told: bool
) -> tuple[str, ...]:
    """One line a file, because paths are long: what it defines that others lean on, with the line of each.

    `best`: the definitions, most depended-on first; `told`: what has no doc comment may have a model's summary.
    """
    # What only its own file uses, nested functions among it, is no landmark; a tiny repository has nothing else.
    files = _by_file([symbol for symbol in best if ranks.users[symbol.id][1]] or best)
    alike = _alike(snapshot, ranks, files)
    about = _about(snapshot, told=told)
    lines: dict[str, None] = {}
    for path, symbols in files.items():
        if path in alike:
            base, heirs = alike[path]
            lines[_heirs_line(path, base.removeprefix(f"{namespace}."), heirs)] = None
        else:
            shown = symbols[:_NAMES_PER_FILE]
            names = {
                symbol.id: without_namespace(symbol, namespace)
                if is_on_top(snapshot, symbol)
                else symbol.qual.removeprefix(f"{namespace}.")
                for symbol in shown
            }
            lines[f"- {path}: {_file_line(ranks, shown, about, names)}"] = None
    return tuple(lines)


def is_on_top(snapshot: Snapshot, symbol: SymbolInfo) -> bool:
    """Whether a definition is no part of another one; namespaces and modules do not count."""
    parent = snapshot.symbol(symbol.path, symbol.parent_key) if symbol.parent_key else None
    return parent is None or parent.kind not in TYPE_KINDS | CALLABLE_KINDS


def without_namespace(symbol: SymbolInfo, namespace: str) -> str:
    """The name of a definition on top, without the namespace that all share and those that its path spells."""
    parts = symbol.qual.removeprefix(f"{namespace}.").split(".")
    folders = set(re.findall(r"\w+", _folder(symbol.path).lower()))
    while len(parts) > 1 and parts[0].lower() in folders:
        parts.pop(0)
    return ".".join(parts)


def counted(count: int, what: str) -> str:
    """A number of things, in words."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _by_file(symbols: Sequence[SymbolInfo]) -> dict[str, list[SymbolInfo]]:
    """Definitions by file, one of each name: the others are the same for another platform, or overloads."""
    files: dict[str, dict[str, SymbolInfo]] = {}
    for symbol in symbols:
        files.setdefault(symbol.path, {}).setdefault(symbol.qual, symbol)
    return {path: list(named.values()) for path, named in files.items()}


def _alike(
    snapshot: Snapshot, ranks: Ranks, files: Mapping[str, Sequence[SymbolInfo]]
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """By file: the base of the one type that others know of it, and all such heirs of that base in its folder."""
    assert snapshot.reader is not None
    alone = {found[0].id: found[0] for found in files.values() if len(found) == 1 and found[0].kind in TYPE_KINDS}
    groups: dict[tuple[str, int], list[SymbolInfo]] = {}
    for base, heirs in heirs_of(Overview(snapshot.reader), ranks).items():
        for symbol in (alone[heir] for heir in heirs & alone.keys()):
            groups.setdefault((_folder(symbol.path), base), []).append(symbol)
    large = {key: found for key, found in groups.items() if len(found) >= _FEWEST_HEIRS}
    bases = snapshot.symbols_by_id(base for _, base in large)
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for (_, base), group in sorted(large.items(), key=lambda item: (-len(item[1]), bases[item[0][1]].qual)):
        names = tuple(sorted(symbol.name for symbol in group))
        for symbol in group:
            found.setdefault(symbol.path, (bases[base].qual, names))
    return found


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or "."


def _heirs_line(path: str, base: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_HEIRS} more" if len(names) > _MOST_HEIRS else ""
    return f"- {_folder(path)}: {len(names)} heirs of {base}: {', '.join(names[:_MOST_HEIRS])}{more}"


def _file_line(ranks: Ranks, symbols: Sequence[SymbolInfo], about: About, names: Mapping[int, str]) -> str:
    """`names`: what each is called where no owner stands before it."""
    parts: list[str] = []
    owner = ""
    for symbol in symbols:
        name = symbol.qual.removeprefix(f"{owner}.") if owner else symbol.qual
        shown = f".{name}" if name != symbol.qual else names[symbol.id]
        kind = f"{symbol.kind} " if symbol.kind in TYPE_KINDS else ""
        users = ranks.users[symbol.id][1]
        used = f" ({counted(users, 'file')})" if users > 1 else ""
        said = about(symbol) if symbol.kind in TYPE_KINDS or not parts else ""
        parts.append(f"{kind}{shown}:{symbol.name_span.line + 1}{used}{f' — {said}' if said else ''}")
        owner = owner or (symbol.qual if symbol.kind in TYPE_KINDS else "")
    return "; ".join(parts)


def _about(snapshot: Snapshot, *, told: bool) -> About:
    """What there is to say of a definition in a few words."""

    def about(symbol: SymbolInfo) -> str:
        sentence = first_sentence(symbol.doc, symbol.name)
        prose = snapshot.prose(symbol) if told and not sentence else None
        return first_sentence(prose.summary, symbol.name) if prose is not None else sentence

    return about


def first_sentence(doc: str, name: str) -> str:
    """The first sentence of a comment on `name`; "" where it is none (a tag, a rule, a word to a tool, code that was
    commented out), or says nothing but the name."""
    sentence = doc.strip().partition("\n")[0].partition(". ")[0].strip(" \t/*-=#")
    is_prose = (sentence[:1].isalnum() or sentence[:1] in "`{(\"'") and not _LABEL.match(sentence)
    if not is_prose or len(sentence) > _LONGEST or sentence.endswith((";", "{")) or _DIRECTIVE.match(sentence):
        return ""
    return sentence if any(word not in _EMPTY_WORDS for word in _words(sentence, name)) else ""


def _words(sentence: str, name: str) -> Iterator[str]:
    """The words of a sentence that are not the name it is about."""
    return (word.lower() for word in re.findall(r"\w+", sentence) if word != name)
