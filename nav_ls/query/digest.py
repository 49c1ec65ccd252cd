"""The map of a repository that an agent starts a session with, drawn from the graph alone.

One index gives one text.  Sections share the budget; what one does not need goes to the next, and lines come
whole or not at all, the most depended-on first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from nav_ls.query.calls import is_constructor
from nav_ls.query.conventions import conventions, place, render
from nav_ls.query.model import Freshness, SymbolInfo
from nav_ls.query.ranks import Ranks, is_aside, rank
from nav_ls.query.snapshot import Snapshot
from nav_ls.store.overview import Overview
from nav_ls.store.reader import FileInfo
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS

CHARACTERS_PER_TOKEN = 4
HABITS = "How things are done here"
MOST_PACKAGES = 24
_NAMES_PER_PACKAGE = 4
_CANDIDATES = 400
_ENTRY_NAMES = ("main", "Main", "run_server", "create_app", "cli")
_ENTRY_FILES = ("__main__", "main", "manage", "cli", "app", "server", "index", "wsgi", "asgi")


class Section(msgspec.Struct, frozen=True):
    """A heading with lines that stand for themselves; `share` of the budget is its own."""

    title: str
    lines: tuple[str, ...]
    share: float
    more: str = ""
    """Where to look for the lines that did not fit."""


class Package(msgspec.Struct, frozen=True):
    """A folder of code."""

    path: str
    files: int
    definitions: int
    rank: float
    names: tuple[str, ...]
    uses: tuple[str, ...]


class Map(msgspec.Struct, frozen=True):
    """What the digest shows of a committed state, before it is cut to a budget."""

    size: str
    sections: tuple[Section, ...]


def digest(found: Map, freshness: Freshness, name: str, characters: int) -> str:
    """A map in at most `characters`; "" if not even its head fits."""
    return fit(_head(found.size, freshness, name), found.sections, characters)


def draw(snapshot: Snapshot) -> Map | None:
    """The whole map; None where there is no code."""
    if snapshot.reader is None:
        return None
    ranks = rank(snapshot.reader)
    if not ranks.files:
        return None
    counts = Overview(snapshot.reader).definitions()
    best = _best_definitions(snapshot, ranks)
    packages = _packages(ranks, counts, best)
    sections = (
        Section("Packages (most depended-on first)", _package_lines(packages), 0.26, "nav digest --tokens 8000"),
        Section("Most depended-on definitions", _definition_lines(ranks, best), 0.36, "nav digest --tokens 8000"),
        Section("Entry points", tuple(_entry_points(snapshot, ranks)), 0.08),
        Section(HABITS, tuple(render(conventions(snapshot, ranks))), 0.30, "nav conventions"),
    )
    return Map(_size(ranks, counts), tuple(section for section in sections if section.lines))


def habits(found: Map) -> tuple[str, ...]:
    """The lines of a map about how things are done."""
    return next((section.lines for section in found.sections if section.title == HABITS), ())


def fit(head: str, sections: Sequence[Section], characters: int) -> str:
    """A head with as many whole lines of each section as `characters` allow."""
    left = characters - len(head)
    if left < 0:
        return ""
    taken = [0] * len(sections)
    # Twice: first each section within its share, then whatever is left, in order.
    for round_ in range(2):
        for index, section in enumerate(sections):
            limit = left if round_ else min(left, int(section.share * (characters - len(head))))
            taken[index], used = _take(section, taken[index], limit)
            left -= used
    texts = [_section_text(section, count) for section, count in zip(sections, taken, strict=True) if count]
    return "".join([head, *texts])


def _take(section: Section, start: int, limit: int) -> tuple[int, int]:
    """How many lines of a section are taken within `limit` more characters, and what they cost."""
    used = 0
    end = start
    title = len(f"\n\n## {section.title}") + len(_more(section, len(section.lines)))
    for line in section.lines[start:]:
        cost = len(line) + 1 + (title if end == 0 else 0)
        if used + cost > limit:
            break
        used += cost
        end += 1
    return end, used


def _section_text(section: Section, taken: int) -> str:
    rest = len(section.lines) - taken
    lines = "\n".join(section.lines[:taken])
    return f"\n\n## {section.title}\n{lines}{_more(section, rest) if rest else ''}"


def _more(section: Section, rest: int) -> str:
    return f"\n- and {rest:,} more" + (f": {section.more}" if section.more else "")


def _size(ranks: Ranks, counts: dict[int, int]) -> str:
    languages = Counter(info.language for info in ranks.by_id.values())
    mix = ", ".join(f"{language} {n:,}" for language, n in sorted(languages.items(), key=lambda p: (-p[1], p[0]))[:5])
    return f"{len(ranks.files):,} files of code ({mix}), {sum(counts.values()):,} definitions"


def _head(size: str, freshness: Freshness, name: str) -> str:
    where = freshness.branch or (f"detached at {freshness.commit[:12]}" if freshness.commit else "no branch")
    commit = f" @ {freshness.commit[:12]}" if freshness.branch and freshness.commit else ""
    state = f"stale: {freshness.reason}" if freshness.stale else "index up to date"
    return f"# Map of {name}\n{size}; {where}{commit}; {state}."


# Packages -----------------------------------------------------------------------------------------------------


def _packages(ranks: Ranks, counts: dict[int, int], best: Sequence[SymbolInfo]) -> list[Package]:
    files = sorted(ranks.by_id.values(), key=lambda info: info.path)
    folder_of = _grouped(files, ranks)
    groups: dict[str, list[FileInfo]] = {}
    for info in files:
        groups.setdefault(folder_of[info.path], []).append(info)
    names: dict[str, list[str]] = {}
    for symbol in best:
        known = names.setdefault(folder_of.get(symbol.path, ""), [])
        if len(known) < _NAMES_PER_PACKAGE and symbol.qual not in known:
            known.append(symbol.qual)
    uses = _package_uses(ranks, folder_of)
    found = []
    for folder, members in groups.items():
        score = sum(sorted(ranks.files[info.path] for info in members))
        definitions = sum(counts.get(info.id, 0) for info in members)
        used = tuple(other for other, _ in uses.get(folder, Counter()).most_common(3))
        found.append(Package(folder, len(members), definitions, score, tuple(names.get(folder, ())), used))
    return sorted(found, key=lambda package: (-round(package.rank, 9), package.path))


def _grouped(files: Sequence[FileInfo], ranks: Ranks) -> dict[str, str]:
    """The folder that stands for each file: top folders, the weightiest split until there are enough."""
    folder_of = {info.path: info.path.partition("/")[0] if "/" in info.path else "." for info in files}
    while True:
        groups: dict[str, list[str]] = {}
        for path, folder in folder_of.items():
            groups.setdefault(folder, []).append(path)
        splits = []
        for folder, paths in groups.items():
            below = {path: _one_deeper(path, folder) for path in paths}
            parts = set(below.values())
            # A folder with nothing but one folder in it costs no line to split.
            if len(parts) > 1 or parts != {folder}:
                weight = sum(sorted(ranks.files[path] for path in paths))
                splits.append((len(parts) == 1, round(weight, 9), folder, below))
        fitting = [split for split in splits if len(groups) - 1 + len(set(split[3].values())) <= MOST_PACKAGES]
        if not fitting:
            return folder_of
        best = max(fitting, key=lambda split: (split[0], split[1], split[2]))
        folder_of.update(best[3])


def _one_deeper(path: str, folder: str) -> str:
    if folder == ".":
        return folder
    rest = path[len(folder) + 1 :]
    return f"{folder}/{rest.partition('/')[0]}" if "/" in rest else folder


def _package_uses(ranks: Ranks, folder_of: dict[str, str]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    pairs = [(use.file_id, use.callee_file) for use in ranks.uses] + list(ranks.imports)
    for source_id, target_id in pairs:
        source = folder_of[ranks.by_id[source_id].path]
        target = folder_of[ranks.by_id[target_id].path]
        if source != target:
            found.setdefault(source, Counter())[target] += 1
    ordered = {}
    for folder, counter in found.items():
        ordered[folder] = Counter(dict(sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))))
    return ordered


def _package_lines(packages: Sequence[Package]) -> tuple[str, ...]:
    lines = []
    for package in packages:
        size = f"{package.files:,} {'file' if package.files == 1 else 'files'}, {package.definitions:,} definitions"
        names = f": {', '.join(package.names)}" if package.names else ""
        uses = f"; uses {', '.join(package.uses)}" if package.uses else ""
        lines.append(f"- {package.path} ({size}){names}{uses}")
    return tuple(lines)


# Definitions --------------------------------------------------------------------------------------------------


def _best_definitions(snapshot: Snapshot, ranks: Ranks) -> list[SymbolInfo]:
    """The definitions with the highest rank; tests and the like aside."""
    candidates = sorted(ranks.definitions.items(), key=lambda pair: -pair[1])[: 4 * _CANDIDATES]
    symbols = snapshot.symbols_by_id(symbol_id for symbol_id, _ in candidates)
    asides = {info.path for info in ranks.by_id.values() if is_aside(info)}
    wanted = CALLABLE_KINDS | TYPE_KINDS
    found = [
        symbol
        for symbol in symbols.values()
        if symbol.kind in wanted and symbol.path not in asides and not is_constructor(symbol)
    ]
    found.sort(key=lambda symbol: (-round(ranks.definitions[symbol.id], 9), symbol.path, symbol.key))
    return found[:_CANDIDATES]


def _definition_lines(ranks: Ranks, best: Sequence[SymbolInfo]) -> tuple[str, ...]:
    users: Counter[int] = Counter()
    for use in ranks.uses:
        if use.file_id != use.callee_file:
            users[use.callee] += 1
    lines = []
    for symbol in best:
        used = f", used in {users[symbol.id]:,} other {'file' if users[symbol.id] == 1 else 'files'}"
        doc = _first_sentence(symbol.doc)
        about = f" — {doc}" if doc else ""
        lines.append(f"- {symbol.kind} {place(symbol)}{used if users[symbol.id] else ''}{about}")
    return tuple(lines)


def _first_sentence(doc: str) -> str:
    line = doc.strip().partition("\n")[0].strip()
    sentence = line.partition(". ")[0]
    return sentence if len(sentence) <= 90 else ""


def _entry_points(snapshot: Snapshot, ranks: Ranks) -> list[str]:
    """Where execution starts: functions called main and the like, and files that nobody imports but that use others."""
    assert snapshot.reader is not None
    asides = {info.path for info in ranks.by_id.values() if is_aside(info)}
    functions = snapshot.symbols_by_id(Overview(snapshot.reader).named(_ENTRY_NAMES)).values()
    named = [symbol for symbol in functions if symbol.path not in asides and not symbol.parent_key]
    used = {use.callee_file for use in ranks.uses if use.file_id != use.callee_file} | {
        pair[1] for pair in ranks.imports
    }
    outgoing = Counter(use.file_id for use in ranks.uses if use.file_id != use.callee_file)
    starts = [
        info
        for info in ranks.by_id.values()
        if info.path not in asides
        and (_stem(info.path) == "__main__" or (info.id not in used and outgoing[info.id] and _is_entry(info.path)))
    ]
    lines = [f"- {place(symbol)}" for symbol in sorted(named, key=lambda s: (s.path.count("/"), s.path, s.key))]
    covered = {symbol.path for symbol in named}
    starts.sort(key=lambda info: (-outgoing[info.id], info.path))
    return lines[:12] + [f"- {info.path}" for info in starts if info.path not in covered][:12]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _is_entry(path: str) -> bool:
    return _stem(path) in _ENTRY_FILES
