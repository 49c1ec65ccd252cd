"""Which files and definitions the rest of a repository leans on: PageRank over calls, uses and imports.

Rank flows between files, along everything that one mentions of another; the rank that a file hands on is then split
over the definitions that it mentions.  So a definition counts by who uses it, and the graph that has to be iterated
stays small: a repository of 30,000 files has some 200,000 links between files, and millions of calls.

The result is the same for one index, however it came about: nothing depends on row ids.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from nav_ls.store.overview import Overview, Use
from nav_ls.store.reader import FileInfo, Reader
from nav_ls.store.rows import FileFlag
from nav_ls.text import roles

DAMPING = 0.85
ROUNDS = 25
ASIDE_WEIGHT = 0.05
"""What a test or an example counts for, beside the code that it exercises."""

_ASIDE = re.compile(
    r"(^|/)(examples?|samples?|demos?|docs?|benchmarks?|bench|tutorials?|vendor|third_party|node_modules|migrations)/"
)


class Ranks(msgspec.Struct, frozen=True):
    """`files`: rank by path, summing to 1.  `definitions`: rank by symbol id.  `uses`: what was counted."""

    files: dict[str, float]
    definitions: dict[int, float]
    uses: tuple[Use, ...]
    imports: tuple[tuple[int, int], ...]
    by_id: dict[int, FileInfo]


def is_aside(info: FileInfo) -> bool:
    """Whether a file exercises or describes the code rather than being it."""
    flags = FileFlag.TEST | FileFlag.GENERATED | FileFlag.VENDORED
    return bool(info.flags & flags) or roles.is_test(info.path) or _ASIDE.search(info.path) is not None


def is_test(info: FileInfo) -> bool:
    """Whether a file is part of the tests."""
    return bool(info.flags & FileFlag.TEST) or roles.is_test(info.path)


def rank(reader: Reader) -> Ranks:
    """Ranks of everything in the committed index."""
    overview = Overview(reader)
    files = [info for info in reader.files() if info.language]
    by_id = {info.id: info for info in files}
    uses = [use for use in overview.uses() if use.file_id in by_id and use.callee_file in by_id]
    imports = [pair for pair in overview.imports() if pair[0] in by_id and pair[1] in by_id]
    place = {info.id: index for index, info in enumerate(files)}
    weights = [ASIDE_WEIGHT if is_aside(info) else 1.0 for info in files]
    scores = _iterate(_links(place, uses, imports), weights)
    definitions = _split(uses, {info.id: scores[index] for index, info in enumerate(files)})
    by_path = {info.path: scores[index] for index, info in enumerate(files)}
    return Ranks(by_path, definitions, tuple(uses), tuple(imports), by_id)


def _links(
    place: dict[int, int], uses: Sequence[Use], imports: Sequence[tuple[int, int]]
) -> list[list[tuple[int, float]]]:
    """For each file the files that it leans on, with their shares."""
    weights: list[dict[int, float]] = [{} for _ in place]
    for use in uses:
        source, target = place[use.file_id], place[use.callee_file]
        if source != target:
            weights[source][target] = weights[source].get(target, 0.0) + 1.0
    for importing, imported in imports:
        source, target = place[importing], place[imported]
        if source != target:
            weights[source][target] = weights[source].get(target, 0.0) + 1.0
    found = []
    for targets in weights:
        total = sum(targets.values())
        found.append([(target, targets[target] / total) for target in sorted(targets)])
    return found


def _iterate(links: list[list[tuple[int, float]]], weights: list[float]) -> list[float]:
    total = sum(weights)
    if not total:
        return []
    start = [weight / total for weight in weights]
    scores = start
    for _ in range(ROUNDS):
        fresh = [0.0] * len(start)
        lost = 0.0
        for index, targets in enumerate(links):
            if not targets:
                lost += scores[index]
            for target, share in targets:
                fresh[target] += share * scores[index]
        scores = [
            (1 - DAMPING) * base + DAMPING * (flow + lost * base) for base, flow in zip(start, fresh, strict=True)
        ]
    return scores


def _split(uses: Sequence[Use], scores: dict[int, float]) -> dict[int, float]:
    """Each file's rank, split over the definitions that it mentions."""
    mentioned: dict[int, int] = {}
    for use in uses:
        mentioned[use.file_id] = mentioned.get(use.file_id, 0) + 1
    shares: dict[int, list[float]] = {}
    for use in uses:
        # A definition that its own file leans on matters less than one that others lean on.
        own = 0.25 if use.file_id == use.callee_file else 1.0
        shares.setdefault(use.callee, []).append(own * scores[use.file_id] / mentioned[use.file_id])
    # Twice as many users count for more than twice the rank of one: the one may be a file that uses little else.
    return {callee: sum(sorted(parts)) * len(parts) ** 0.5 for callee, parts in shares.items()}
