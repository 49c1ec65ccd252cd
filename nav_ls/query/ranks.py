"""Which files and definitions the rest of a repository leans on: PageRank over calls, uses and imports.

Rank flows between files, along everything that one mentions of another; the rank that a file hands on is then split
over the definitions that it mentions.  So a definition counts by who uses it, and the graph that has to be iterated
stays small: a repository of 30,000 files has some 200,000 links between files, and millions of calls.

The result is the same for one index, however it came about: nothing depends on row ids, and sums are made in the order
of paths.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from nav_ls.store.overview import Overview, Use
from nav_ls.store.reader import FileInfo, Reader
from nav_ls.store.rows import FileFlag
from nav_ls.text import roles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DAMPING = 0.85
ROUNDS = 25
ASIDE_WEIGHT = 0.05
"""What a test or an example counts for, beside the code that it exercises."""
OWN_WEIGHT = 0.25
"""A definition that its own file leans on matters less than one that others lean on."""

_ASIDE = re.compile(
    r"(^|/)(examples?|samples?|demos?|([a-z]+-)?docs?|benchmarks?|bench|tutorials?|vendor|third_party|node_modules|migrations)/"
)
_LICENCE = re.compile(r"(licen[cs]e|copying)([-._][^/]*)?", re.IGNORECASE)
_FAMILY = {"typescript": "javascript", "tsx": "javascript", "c": "cpp"}
"""Languages that one program is written in, by the name of one of them."""
_PORTS = frozenset(
    "bindings binding clients client sdks sdk packages crates plugins plugin apps app web ui frontend website "
    "python java go golang js javascript typescript ruby php rust node csharp dotnet swift kotlin c cpp".split()
)
"""Folders that people keep what they make for other languages in; it may have a licence of its own."""
_MAIN_SHARE = 0.1
"""A folder with a larger share of the repository's main language belongs to it."""


class Ranks(msgspec.Struct, frozen=True):
    """`files`: rank by path, summing to 1.  `definitions`: rank by symbol id.

    `links`: for (file, other file) how many definitions of the other it mentions, and 1 more if it imports it.
    `users`: for a definition (its file, the number of other files that mention it).
    `aside`: paths of the files that exercise or describe the code, or are somebody else's, rather than being it.
    """

    files: dict[str, float]
    definitions: dict[int, float]
    links: dict[tuple[int, int], int]
    users: dict[int, tuple[int, int]]
    by_id: dict[int, FileInfo]
    aside: frozenset[str]


def is_aside(info: FileInfo) -> bool:
    """Whether a file exercises or describes the code rather than being it, by what is known of it alone."""
    flags = FileFlag.TEST | FileFlag.GENERATED | FileFlag.VENDORED
    return bool(info.flags & flags) or roles.is_test(info.path) or _ASIDE.search(info.path) is not None


def is_test(info: FileInfo) -> bool:
    """Whether a file is part of the tests."""
    return bool(info.flags & FileFlag.TEST) or roles.is_test(info.path)


def rank(reader: Reader) -> Ranks:
    """Ranks of everything in the committed index."""
    overview = Overview(reader)
    files = reader.files()
    by_id = {info.id: info for info in files if info.language}
    aside = frozenset(info.path for info in by_id.values() if is_aside(info)) | _copied(files)
    place = {file_id: index for index, file_id in enumerate(by_id)}
    uses = [use for use in overview.uses() if use.file_id in place and use.callee_file in place]
    links = Counter((use.file_id, use.callee_file) for use in uses if use.file_id != use.callee_file)
    links.update((a, b) for a, b in overview.imports() if a != b and a in place and b in place)
    scores = _iterate(links, place, [ASIDE_WEIGHT if info.path in aside else 1.0 for info in by_id.values()])
    by_path = dict(zip((info.path for info in by_id.values()), scores.tolist(), strict=True))
    definitions, users = _split(uses, place, scores)
    return Ranks(by_path, definitions, dict(links), users, by_id, aside)


def _copied(files: Sequence[FileInfo]) -> frozenset[str]:
    """Code that was copied into the repository: in another language than its own, and under a licence of its own."""
    family = {info.path: _FAMILY.get(info.language, info.language) for info in files if info.language}
    if not family:
        return frozenset()
    main = max(sorted(set(family.values())), key=Counter(family.values()).__getitem__)
    found: set[str] = set()
    for folder in _licensed(files):
        below = [path for path in family if path.startswith(f"{folder}/")]
        foreign = [path for path in below if family[path] != main]
        if len(below) - len(foreign) <= _MAIN_SHARE * len(below) and _PORTS.isdisjoint(folder.split("/")):
            found.update(foreign)
    return frozenset(found)


def _licensed(files: Sequence[FileInfo]) -> set[str]:
    """The folders with a licence that is not that of the whole."""
    licences = [info for info in files if not info.language and _LICENCE.fullmatch(info.path.rpartition("/")[2])]
    ours = {info.hash for info in licences if "/" not in info.path}
    return {info.path.rpartition("/")[0] for info in licences if "/" in info.path and info.hash not in ours}


def _iterate(
    links: Mapping[tuple[int, int], int], place: Mapping[int, int], weights: Sequence[float]
) -> NDArray[np.float64]:
    """The rank of each file."""
    import numpy as np

    base = np.array(weights, dtype=np.float64)
    if not len(base):
        return base
    base /= base.sum()
    rows = sorted((place[source], place[target], count) for (source, target), count in links.items())
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    source, target, count = table[:, 0], table[:, 1], table[:, 2].astype(np.float64)
    total = np.bincount(source, weights=count, minlength=len(base))
    share = count / total[source]
    loose = total == 0
    scores = base
    for _ in range(ROUNDS):
        flow = np.bincount(target, weights=share * scores[source], minlength=len(base))
        scores = (1 - DAMPING) * base + DAMPING * (flow + scores[loose].sum() * base)
    return scores


def _split(
    uses: Sequence[Use], place: Mapping[int, int], scores: NDArray[np.float64]
) -> tuple[dict[int, float], dict[int, tuple[int, int]]]:
    """Each file's rank, split over the definitions that it mentions; and who mentions them."""
    import numpy as np

    if not uses:
        return {}, {}
    table = np.array([(place[use.file_id], use.callee, place[use.callee_file]) for use in uses], dtype=np.int64)
    # By definition, then by file: sums do not depend on the order of rows.
    table = table[np.lexsort((table[:, 0], table[:, 1]))]
    source, callee, owner = table[:, 0], table[:, 1], table[:, 2]
    own = source == owner
    part = np.where(own, OWN_WEIGHT, 1.0) * scores[source] / np.bincount(source)[source]
    first = np.flatnonzero(np.r_[True, callee[1:] != callee[:-1]])
    mentions = np.diff(np.r_[first, len(callee)])
    # Twice as many users count for more than twice the rank of one: the one may be a file that uses little else.
    shares = np.add.reduceat(part, first) * np.sqrt(mentions)
    others = np.add.reduceat(~own, first, dtype=np.int64)
    files = list(place)
    ids = callee[first].tolist()
    users = zip([files[index] for index in owner[first].tolist()], others.tolist(), strict=True)
    return dict(zip(ids, shares.tolist(), strict=True)), dict(zip(ids, users, strict=True))
