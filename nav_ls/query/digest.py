"""The map of a repository that an agent starts a session with, drawn from the graph alone.

One index gives one text.  Sections share the budget; what one does not need goes to the next, and lines come
whole or not at all, the most depended-on first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from nav_ls.query.calls import is_constructor
from nav_ls.query.conventions import conventions, place, render
from nav_ls.query.landmarks import counted, definition_lines, is_on_top, without_namespace
from nav_ls.query.model import Freshness, SymbolInfo
from nav_ls.query.ranks import Ranks, rank
from nav_ls.query.snapshot import Snapshot
from nav_ls.store.overview import Overview
from nav_ls.store.reader import FileInfo
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS, Flag

CHARACTERS_PER_TOKEN = 4
HABITS = "How things are done here"
MOST_PACKAGES = 24
_NAMES_PER_PACKAGE = 4
_FEWEST_IN_LAYER = 3
_MOST_BESIDE = 8
_FEWEST_LAYERS, _LAYERED_SHARE = 3, 3
"""A repository has layers if there are so many, and every third file lies in one: a few names are a chance."""
_WORTH_DOTS = 8
"""A path is written short only if that saves so many characters."""
_CANDIDATES = 400
_SHARED_NAMESPACE = 0.8
"""The share of the definitions that a namespace must hold for the map to leave it out of their names."""
_ENTRY_NAMES = ("main", "Main", "run_server", "create_app", "cli")
_STATIC_ENTRIES = ("main", "Main")
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
    aside: bool
    """Whether all of it exercises or describes the code."""


class Map(msgspec.Struct, frozen=True):
    """What the digest shows of a committed state, before it is cut to a budget."""

    size: str
    sections: tuple[Section, ...]


def digest(found: Map, freshness: Freshness, name: str, characters: int) -> str:
    """A map in at most `characters`; "" if not even its head fits."""
    return fit(_head(found.size, freshness, name), found.sections, characters)


def draw(snapshot: Snapshot, *, told: bool = True) -> Map | None:
    """The whole map; None where there is no code.  `told`: what has no doc comment may have a model's summary."""
    if snapshot.reader is None:
        return None
    ranks = rank(snapshot.reader)
    if not ranks.files:
        return None
    counts = Overview(snapshot.reader).definitions()
    best = _best_definitions(snapshot, ranks)
    top = [symbol for symbol in best if is_on_top(snapshot, symbol)]
    namespace = _namespace(top)
    folder_of = _grouped(sorted(ranks.by_id.values(), key=lambda info: info.path), ranks)
    packages = _packages(ranks, counts, top, folder_of, namespace)
    sections = (
        Section("Packages (most depended-on first)", _package_lines(packages), 0.24, "nav digest --tokens 8000"),
        Section("Layers", _layer_lines(snapshot, ranks, folder_of), 0.08),
        Section(
            "Most depended-on definitions, by file",
            definition_lines(snapshot, ranks, best, namespace, told=told),
            0.34,
            "nav graph top",
        ),
        Section("Entry points", tuple(_entry_points(snapshot, ranks)), 0.06),
        Section(HABITS, tuple(render(conventions(snapshot, ranks))), 0.28, "nav conventions"),
    )
    return Map(_size(ranks, counts, namespace), tuple(section for section in sections if section.lines))


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


def _size(ranks: Ranks, counts: dict[int, int], namespace: str) -> str:
    languages = Counter(info.language for info in ranks.by_id.values())
    mix = ", ".join(f"{language} {n:,}" for language, n in sorted(languages.items(), key=lambda p: (-p[1], p[0]))[:5])
    within = f" (names are told without their namespace {namespace})" if namespace else ""
    return f"{len(ranks.files):,} files of code ({mix}), {sum(counts.values()):,} definitions{within}"


def _head(size: str, freshness: Freshness, name: str) -> str:
    where = freshness.branch or (f"detached at {freshness.commit[:12]}" if freshness.commit else "no branch")
    commit = f" @ {freshness.commit[:12]}" if freshness.branch and freshness.commit else ""
    state = f"stale: {freshness.reason}" if freshness.stale else "index up to date"
    return f"# Map of {name}\n{size}; {where}{commit}; {state}."


# Packages -----------------------------------------------------------------------------------------------------


def _packages(
    ranks: Ranks,
    counts: dict[int, int],
    top: Sequence[SymbolInfo],
    folder_of: Mapping[str, str],
    namespace: str,
) -> list[Package]:
    groups: dict[str, list[FileInfo]] = {}
    for info in sorted(ranks.by_id.values(), key=lambda info: info.path):
        groups.setdefault(folder_of[info.path], []).append(info)
    names: dict[str, list[str]] = {}
    for symbol in top:
        known = names.setdefault(folder_of.get(symbol.path, ""), [])
        name = without_namespace(symbol, namespace)
        if len(known) < _NAMES_PER_PACKAGE and name not in known:
            known.append(name)
    uses = _package_uses(ranks, folder_of)
    has = {folder: sum(counts.get(info.id, 0) for info in members) for folder, members in groups.items()}
    found = []
    for folder, members in groups.items():
        score = sum(sorted(ranks.files[info.path] for info in members))
        definitions = has[folder]
        used = tuple(other for other in uses.get(folder, {}) if has[other])[:3]
        if not definitions:
            continue
        aside = all(info.path in ranks.aside for info in members)
        found.append(Package(folder, len(members), definitions, score, tuple(names.get(folder, ())), used, aside))
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


def _package_uses(ranks: Ranks, folder_of: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """What each package leans on, most first."""
    folder = {info.id: folder_of[info.path] for info in ranks.by_id.values()}
    found: dict[str, dict[str, int]] = {}
    for (source_id, target_id), count in ranks.links.items():
        source, target = folder[source_id], folder[target_id]
        if source != target:
            counts = found.setdefault(source, {})
            counts[target] = counts.get(target, 0) + count
    return {name: dict(sorted(used.items(), key=lambda pair: (-pair[1], pair[0]))) for name, used in found.items()}


def _package_lines(packages: Sequence[Package]) -> tuple[str, ...]:
    lines = []
    short = _short_names([package.path for package in packages])
    for package in packages:
        if package.aside:
            continue
        size = f"{counted(package.files, 'file')}, {counted(package.definitions, 'definition')}"
        names = f": {', '.join(package.names)}" if package.names else ""
        uses = f"; uses {', '.join(short[used] for used in package.uses)}" if package.uses else ""
        lines.append(f"- {package.path} ({size}){names}{uses}")
    beside = [f"{package.path} ({counted(package.files, 'file')})" for package in packages if package.aside]
    if beside:
        lines.append(f"- tests, examples and the like: {', '.join(beside[:_MOST_BESIDE])}")
    return tuple(lines)


def _short_names(paths: Iterable[str]) -> dict[str, str]:
    """Each path by as many of its last folders as no other path ends with."""
    ends: Counter[str] = Counter()
    for path in paths:
        ends.update(_ends(path))
    return {path: _abbreviated(path, next((end for end in _ends(path) if ends[end] == 1), path)) for path in paths}


def _ends(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[start:]) for start in range(len(parts) - 1, -1, -1)]


def _abbreviated(path: str, end: str) -> str:
    return f"…/{end}" if len(path) - len(end) > _WORTH_DOTS else path


# Layers -------------------------------------------------------------------------------------------------------


def _layer_lines(snapshot: Snapshot, ranks: Ranks, folder_of: Mapping[str, str]) -> tuple[str, ...]:
    """Which part of the work is done where, and which part calls which: by the conventions of names and folders."""
    assert snapshot.reader is not None
    layer_of = _layers(ranks, Overview(snapshot.reader).layers())
    members: dict[str, list[str]] = {}
    for file_id, layer in layer_of.items():
        members.setdefault(layer, []).append(ranks.by_id[file_id].path)
    shown = {layer: paths for layer, paths in members.items() if len(paths) >= _FEWEST_IN_LAYER}
    code = len(ranks.by_id) - len(ranks.aside)
    if len(shown) < _FEWEST_LAYERS or sum(map(len, shown.values())) * _LAYERED_SHARE < code:
        return ()
    uses: dict[str, Counter[str]] = {}
    for (source, target), count in ranks.links.items():
        one, other = layer_of.get(source, ""), layer_of.get(target, "")
        if one != other and one in shown and other in shown:
            uses.setdefault(one, Counter())[other] += count
    lines = []
    for layer, paths in sorted(shown.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        folders = _most(Counter(folder_of[path] for path in paths), 3)
        called = _most(uses.get(layer, Counter()), 3)
        where = ", ".join(f"{folder} ({count:,})" for folder, count in folders)
        lines.append(f"- {layer}: {where}" + (f"; uses {', '.join(other for other, _ in called)}" if called else ""))
    return tuple(lines)


def _layers(ranks: Ranks, rows: Sequence[tuple[int, str, int]]) -> dict[int, str]:
    """The layer that most of the definitions of a file are of; tests and the like have none here."""
    counts: dict[int, Counter[str]] = {}
    for file_id, layer, count in rows:
        info = ranks.by_id.get(file_id)
        if info is not None and info.path not in ranks.aside:
            counts.setdefault(file_id, Counter())[layer] += count
    return {file_id: _most(found, 1)[0][0] for file_id, found in counts.items()}


def _most(counts: Counter[str], limit: int) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]


# Definitions --------------------------------------------------------------------------------------------------


def _best_definitions(snapshot: Snapshot, ranks: Ranks) -> list[SymbolInfo]:
    """The definitions with the highest rank; tests and the like aside."""
    candidates = sorted(ranks.definitions.items(), key=lambda pair: -pair[1])[: 4 * _CANDIDATES]
    symbols = snapshot.symbols_by_id(symbol_id for symbol_id, _ in candidates)
    wanted = CALLABLE_KINDS | TYPE_KINDS
    found = [
        symbol
        for symbol in symbols.values()
        if symbol.kind in wanted and symbol.path not in ranks.aside and not is_constructor(symbol)
    ]
    found.sort(key=lambda symbol: (-round(ranks.definitions[symbol.id], 9), symbol.path, symbol.key))
    return found[:_CANDIDATES]


def _namespace(top: Sequence[SymbolInfo]) -> str:
    """The namespace that nearly all definitions lie in, the innermost one; "" where there is none."""
    counts: Counter[str] = Counter()
    for symbol in top:
        parts = symbol.qual.split(".")[:-1]
        counts.update(".".join(parts[: depth + 1]) for depth in range(len(parts)))
    common = [name for name, count in counts.items() if count >= _SHARED_NAMESPACE * len(top)]
    return max(common, key=len, default="")


# Entry points -------------------------------------------------------------------------------------------------


def _entry_points(snapshot: Snapshot, ranks: Ranks) -> list[str]:
    """Where execution starts: functions called main and the like, and files that nobody imports but that use others."""
    assert snapshot.reader is not None
    functions = snapshot.symbols_by_id(Overview(snapshot.reader).named(_ENTRY_NAMES)).values()
    named = [symbol for symbol in functions if symbol.path not in ranks.aside and _may_start(symbol)]
    used = {target for _, target in ranks.links}
    outgoing = Counter(source for source, _ in ranks.links)
    starts = [
        info
        for info in ranks.by_id.values()
        if info.path not in ranks.aside
        and (_stem(info.path) == "__main__" or (info.id not in used and outgoing[info.id] and _is_entry(info.path)))
    ]
    ids = {info.path: info.id for info in ranks.by_id.values()}
    named.sort(key=lambda symbol: (-outgoing[ids.get(symbol.path, 0)], symbol.path, symbol.key))
    lines = [f"- {place(symbol)}" for symbol in named]
    covered = {symbol.path for symbol in named}
    starts.sort(key=lambda info: (-outgoing[info.id], info.path))
    return lines[:12] + [f"- {info.path}" for info in starts if info.path not in covered][:12]


def _may_start(symbol: SymbolInfo) -> bool:
    """Whether a function with such a name may be what a program starts with."""
    return not symbol.parent_key or (symbol.name in _STATIC_ENTRIES and bool(symbol.flags & Flag.STATIC))


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _is_entry(path: str) -> bool:
    return _stem(path) in _ENTRY_FILES
