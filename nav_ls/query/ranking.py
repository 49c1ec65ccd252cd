"""How hits are ordered: pure functions over candidates that were fetched elsewhere.

Two scores are mixed.  A *file's* score asks whether the question is about this file: the best of its
definitions taken together, how widely the question's words spread through it, what it is called, whether it
defines a symbol that the question names, and how near its definitions are in meaning.  A *unit's* score asks
whether this definition is the answer.  Then tests, documentation, generated code and code for other
platforms step back, and further hits of a file that is already listed make room for other files.  What the
best hits call, and what calls them, comes nearer (`lifted`), and neighbours that fit on a screen become one
hit (`joined`).

Every weight is a round number from a broad plateau; `benchmarks/retrieval.py` shows what each part brings.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache

import msgspec

from nav_ls.text.words import joined_pairs, named_in, question_terms, stem, stems, without


class Weights(msgspec.Struct, frozen=True):
    """What each part counts.  0 leaves it out."""

    lexical: float = 0.5  # of a file: its best units by BM25
    spread: float = 0.5  # of a file: BM25 over how many of its units hold each word
    meaning: float = 1.0  # of a file: cosines of its nearest units
    cosine: float = 0.5  # of a unit: which definition of a file is meant, words tell better than meaning
    stem: float = 0.75  # the share of the file's name that the question says
    folder: float = 0.25  # the same for its folders
    named: float = 0.5  # it defines a symbol that the question names
    file: float = 0.6  # the file's score in the mix; the unit's takes the rest
    piece: float = 0.8  # factor for what is no definition
    aside: float = 0.5  # factor for tests, documentation, examples, generated code
    mentioned: float = 0.75  # the same where the question says such a word: `test client` may well be no test
    foreign: float = 0.8  # factor for code of another operating system
    repeat: float = 0.7  # factor for a further hit of a file that is already listed
    linked: float = 0.1  # share of a leading hit's score that is added to what it calls, and to what calls it
    screen: int = 50  # lines that hits which follow each other in a file may have together to become one; 0: never


DEFAULT_WEIGHTS = Weights()


LEXICAL_DEPTH, LEXICAL_DECAY = 10, 0.8
MEANING_DEPTH, MEANING_DECAY = 5, 0.7
"""A file's units count less from one to the next: a file full of hits beats one with a single hit, within limits."""
K1, B = 1.2, 0.4
LEADING = 3
"""Hits whose callees and callers come nearer."""
JOINED = 50
"""Hits among which neighbours are looked for."""
NEAR_PREFIX = 4
"""Letters from which on one word may be the beginning of another (`util`, `utility`)."""


class Question(msgspec.Struct, frozen=True):
    """A question, taken apart once."""

    text: str
    terms: tuple[str, ...]
    words: tuple[str, ...]  # the terms without whole identifiers of several words
    named: frozenset[str]
    pairs: frozenset[str]
    project: frozenset[str] = frozenset()  # what the project is called, as far as the question says it

    @classmethod
    def of(cls, text: str, project: frozenset[str] = frozenset()) -> Question:
        """Take a question apart.  `project`: names in lower case."""
        terms, said = tuple(question_terms(text)), frozenset(stems(text))
        words = tuple(term for term in terms if term in said)
        return cls(text, terms, words, frozenset(named_in(text)), frozenset(joined_pairs(text)), project)

    @property
    def meant(self) -> str:
        """What the question asks for.

        All that is here is about the project.  Its name tells nothing of that apart, but draws the question's vector
        towards what mentions it most.
        """
        return without(self.text, self.project)


class UnitCandidate(msgspec.Struct, frozen=True):
    """What is known of a unit: BM25 (0 where it wasn't fetched), cosine (0 where unknown)."""

    id: int
    file: int
    lexical: float = 0.0
    cosine: float = 0.0
    piece: bool = False  # no definition
    named: float = 0.0  # 1: a type that the question names, 0.5: another definition
    shape: bytes = b""
    aside: bool = False  # exercises or describes the code rather than being it, and isn't asked for
    mentioned: bool = False  # the question says a word for what this is


class FileCandidate(msgspec.Struct, frozen=True):
    """What is known of a file.  `stem` and `folders` are its telling name and folders as text."""

    id: int
    stem: str
    folders: str
    units: int = 1
    foreign: bool = False


class Corpus(msgspec.Struct, frozen=True):
    """What BM25 over files needs to know of all of them."""

    files: int
    units: int
    spread: Mapping[str, Mapping[int, int]]  # term → file → units that hold it


class Ranked(msgspec.Struct, frozen=True):
    """A hit: score 0 to 1, its parts before penalties, and the ids of near-copies that it stands for."""

    id: int
    score: float
    parts: Mapping[str, float]
    copies: tuple[int, ...] = ()


def rank(
    question: Question,
    units: Sequence[UnitCandidate],
    files: Sequence[FileCandidate],
    corpus: Corpus,
    weights: Weights = DEFAULT_WEIGHTS,
    limit: int = 10,
) -> list[Ranked]:
    """The best hits first, at most `limit`."""
    units, copies = _without_copies(units)
    parts = _file_parts(question, units, files, corpus)
    by_file = _scaled({file: _weighted(found, weights) for file, found in parts.items()})
    own = _unit_scores(units, files, weights)
    foreign = {file.id for file in files if file.foreign}
    scored = []
    for unit in units:
        factor = _factor(unit, unit.file in foreign, weights)
        file_score = by_file.get(unit.file, 0.0) * factor
        piece = weights.piece if unit.piece else 1.0
        score = weights.file * file_score + (1 - weights.file) * own[unit.id] * piece
        found = {**parts.get(unit.file, {}), "unit_lexical": unit.lexical, "cosine": unit.cosine}
        scored.append(Ranked(unit.id, score, found, tuple(copies.get(unit.id, ()))))
    scored.sort(key=lambda hit: (-hit.score, hit.id))
    return _spread_out(scored, {unit.id: unit.file for unit in units}, weights.repeat)[:limit]


def lifted(hits: Sequence[Ranked], linked: Mapping[int, Collection[int]], share: float) -> list[Ranked]:
    """The hits with those nearer that the leading ones are linked to.  `linked`: a leading hit's id → ids."""
    added: dict[int, float] = {}
    for hit in hits:
        for other in linked.get(hit.id, ()):
            added[other] = max(added.get(other, 0.0), share * hit.score)
    moved = [
        msgspec.structs.replace(hit, score=hit.score + more, parts={**hit.parts, "graph": more})
        if (more := added.get(hit.id))
        else hit
        for hit in hits
    ]
    return sorted(moved, key=lambda hit: (-hit.score, hit.id))


def joined(hits: Sequence[Ranked], lines: Mapping[int, tuple[int, int]], screen: int) -> list[tuple[Ranked, list[int]]]:
    """(hit, ids in order of position that it stands for): neighbours in a file that fit on a screen are one hit.

    Ids of units that follow each other in a file do so too.  `lines`: id → first and last line of what may be joined.
    """
    rank_of = {hit.id: place for place, hit in enumerate(hits[:JOINED]) if hit.id in lines}
    runs: list[tuple[Ranked, list[int]]] = []
    taken: set[int] = set()
    for hit in hits:
        if hit.id in taken:
            continue
        run = [hit.id]
        while hit.id in rank_of:
            free = [id for id in (run[0] - 1, run[-1] + 1) if id in rank_of and id not in taken]
            fitting = [id for id in free if lines[max(id, run[-1])][1] - lines[min(id, run[0])][0] < screen]
            if not fitting:
                break
            run = sorted([*run, min(fitting, key=rank_of.__getitem__)])
        taken.update(run)
        runs.append((hit, run))
    return runs


def _factor(unit: UnitCandidate, foreign: bool, weights: Weights) -> float:
    aside = (weights.mentioned if unit.mentioned else weights.aside) if unit.aside else 1.0
    return aside * (weights.foreign if foreign else 1.0)


def _file_parts(
    question: Question, units: Sequence[UnitCandidate], files: Sequence[FileCandidate], corpus: Corpus
) -> dict[int, dict[str, float]]:
    """Each file's parts, every one scaled to 0..1 over all files."""
    members: dict[int, list[UnitCandidate]] = defaultdict(list)
    for unit in units:
        members[unit.file].append(unit)
    lexical = _scaled({f: _decayed([u.lexical for u in us], LEXICAL_DEPTH, LEXICAL_DECAY) for f, us in members.items()})
    meaning = _scaled({f: _decayed([u.cosine for u in us], MEANING_DEPTH, MEANING_DECAY) for f, us in members.items()})
    spread = _scaled(_spread_scores(question, files, corpus))
    terms = frozenset(question.terms)
    nearly = cache(lambda word: word in terms or _nearly_said(question, word))
    project = frozenset(map(stem, question.project))
    parts = {}
    for file in files:
        parts[file.id] = {
            "lexical": lexical.get(file.id, 0.0),
            "spread": spread.get(file.id, 0.0),
            "meaning": meaning.get(file.id, 0.0),
            "stem": _said(file.stem, project, nearly),
            "folder": _said(file.folders, project, terms.__contains__),
            "named": max((unit.named for unit in members.get(file.id, ())), default=0.0),
        }
    return parts


def _weighted(parts: Mapping[str, float], weights: Weights) -> float:
    return (
        weights.lexical * parts["lexical"]
        + weights.spread * parts["spread"]
        + weights.meaning * parts["meaning"]
        + weights.stem * parts["stem"]
        + weights.folder * parts["folder"]
        + weights.named * parts["named"]
    )


def _unit_scores(units: Sequence[UnitCandidate], files: Sequence[FileCandidate], weights: Weights) -> dict[int, float]:
    """Each unit's own score, penalties included, scaled to 0..1."""
    foreign = {file.id for file in files if file.foreign}
    lexical = _scaled({unit.id: unit.lexical for unit in units})
    cosine = _scaled({unit.id: max(unit.cosine, 0.0) for unit in units})
    lexical_weight = 1.0 if weights.lexical else 0.0
    return _scaled(
        {
            unit.id: (lexical_weight * lexical[unit.id] + weights.cosine * cosine[unit.id] + weights.named * unit.named)
            * _factor(unit, unit.file in foreign, weights)
            for unit in units
        }
    )


def _spread_scores(question: Question, files: Sequence[FileCandidate], corpus: Corpus) -> dict[int, float]:
    mean = corpus.units / corpus.files if corpus.files else 1.0
    length = {file.id: K1 * (1 - B + B * file.units / mean) for file in files}
    scores: dict[int, float] = defaultdict(float)
    for term in question.terms:
        found = corpus.spread.get(term, {})
        if not found:
            continue
        idf = math.log(1 + (corpus.files - len(found) + 0.5) / (len(found) + 0.5))
        for file in length.keys() & found.keys():
            count = found[file]
            scores[file] += idf * count * (K1 + 1) / (count + length[file])
    return scores


def _said(name: str, project: frozenset[str], says: Callable[[str], bool]) -> float:
    """The share of a name's words that the question says; the project's name counts where there is no other word."""
    words = name_words(name)
    words = words - project or words
    return sum(map(says, words)) / len(words) if words else 0.0


@lru_cache(maxsize=65536)
def name_words(name: str) -> frozenset[str]:
    """The stems of the words of a name."""
    return frozenset(stems(name))


def _nearly_said(question: Question, word: str) -> bool:
    if word in question.pairs:
        return True
    if len(word) < NEAR_PREFIX:
        return False
    return any(len(said) >= NEAR_PREFIX and (said.startswith(word) or word.startswith(said)) for said in question.words)


def _without_copies(units: Sequence[UnitCandidate]) -> tuple[list[UnitCandidate], dict[int, list[int]]]:
    """Of units with the same code only the best stays: one that is no test, then the better scored."""
    best: dict[bytes, UnitCandidate] = {}
    copies: dict[int, list[int]] = {}
    kept: list[UnitCandidate] = []
    order = sorted(units, key=lambda u: (u.aside, -(u.lexical + u.cosine), u.id))
    for unit in order:
        first = best.get(unit.shape) if unit.shape else None
        if first is None:
            best[unit.shape] = unit
            kept.append(unit)
        else:
            copies.setdefault(first.id, []).append(unit.id)
    return kept, copies


def _spread_out(hits: Sequence[Ranked], file_of: Mapping[int, int], repeat: float) -> list[Ranked]:
    """Lower every hit of a file but its best, and order again."""
    seen: set[int] = set()
    out = []
    for hit in hits:
        file = file_of[hit.id]
        out.append(msgspec.structs.replace(hit, score=hit.score * repeat) if file in seen else hit)
        seen.add(file)
    return sorted(out, key=lambda hit: (-hit.score, hit.id))


def _decayed(scores: Sequence[float], depth: int, decay: float) -> float:
    best = sorted((max(score, 0.0) for score in scores), reverse=True)[:depth]
    return sum(score * decay**place for place, score in enumerate(best))


def _scaled(scores: Mapping[int, float]) -> dict[int, float]:
    top = max(scores.values(), default=0.0)
    return {key: score / top if top > 0 else 0.0 for key, score in scores.items()}
