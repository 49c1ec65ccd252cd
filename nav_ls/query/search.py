"""Search: fetch candidates by words, by meaning and by name, then let `ranking` order them.

Works with any part missing: without an embedder or a vector store the answer comes from words and the graph,
and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

import msgspec

from nav_ls.ports import Condition, PortError, Reranker
from nav_ls.query.aside import is_aside, is_foreign, mentioned, systems
from nav_ls.query.ranking import (
    DEFAULT_WEIGHTS,
    LEADING,
    Corpus,
    FileCandidate,
    Question,
    Ranked,
    UnitCandidate,
    Weights,
    joined,
    lifted,
    name_words,
    rank,
)
from nav_ls.store.units import StoredUnit, UnitReader
from nav_ls.syntax.facts import TYPE_KINDS
from nav_ls.text.errors import UsageError
from nav_ls.text.globs import ACROSS, ANY, FOLDERS, expression
from nav_ls.text.words import place_of, spoken, stem, stems

if TYPE_CHECKING:
    from concurrent.futures import Future

CANDIDATES = 200
"""Units fetched by words, and as many by meaning."""
QUICK_CANDIDATES = 150
"""The same for a quick answer."""
MATCHES = 20_000
"""Units that a question's words may bring together: each is scored, at somewhat less than a millisecond for a thousand.

Half as many would touch repositories of 9,000 units already, and cost one of them .04 of NDCG@10.
"""
FREQUENT, FREQUENT_SHARE = 1_000, 0.05
"""A word that so many units have, and so large a share of them, is not searched for where it should go quickly."""
PROJECT_SHARE = 1 / 3
"""The share of the files that mention a name, from which on it may be the project's."""
RERANKED = 30
SCAN_FILES = 400
"""A filter that leaves at most so many files is answered by comparing all of their vectors."""
MAX_QUESTION = 4_000
"""Characters of a question that are read."""
MAX_K = 200
_LONGEST_GLOB = 4_096
MODES = ("hybrid", "vector", "lexical")
PIECES = frozenset({"code", "section", "text"})


class SearchQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked.  Filters with several values take any of them."""

    query: str
    k: int = 10
    mode: str = "hybrid"
    type: tuple[str, ...] = ()
    layer: tuple[str, ...] = ()
    lang: tuple[str, ...] = ()
    framework: tuple[str, ...] = ()
    path: tuple[str, ...] = ()  # globs; a leading "!" excludes
    exclude_tests: bool = False
    threshold: float = 0.0
    per_file: int = 0  # at most so many hits of one file; 0: no limit
    expand: str = ""  # "callees" | "impact" (callers too)
    join: bool = True  # definitions that follow each other in a file and fit on a screen become one hit
    rerank: bool = True
    quick: bool = False  # fewer candidates, and none for the sake of words that very many definitions have


class Why(msgspec.Struct, frozen=True):
    """Why a hit was found.  Scores are 0 to 1 except `cosine` (-1 to 1) and `bm25` (no upper bound); None: not found so."""

    bm25: float | None = None
    cosine: float | None = None
    reranked: float | None = None
    parts: dict[str, float] = {}
    via: str = ""  # "callee of X", "caller of X"


class SearchHit(msgspec.Struct, frozen=True):
    """One hit: a whole definition or piece, or several that follow each other: then `symbol` is the best of them.

    Lines count from 1, both ends included; offsets are bytes.
    """

    path: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    layer: str
    score: float
    why: Why
    language: str = ""
    framework: str = ""
    signature: str = ""
    line: int = 0  # where `symbol` begins
    start: int = 0
    end: int = 0
    unit: int = 0
    copies: int = 0
    subject: str = ""
    own: tuple[int, int] = (0, 0)  # where `symbol` itself is
    also: tuple[str, ...] = ()  # the other definitions from `start_line` to `end_line`, in order


class SearchAnswer(msgspec.Struct, frozen=True):
    """Hits, best first.  `mode` is what was really done, `notes` say what is missing, `units` how much was searched."""

    hits: tuple[SearchHit, ...]
    mode: str
    notes: tuple[str, ...] = ()
    units: int = 0


class Meaning(Protocol):
    """Search by vectors.  What it is asked, and what is asked of a future, may raise PortError."""

    def nearest(self, text: str, limit: int, where: Sequence[Condition]) -> Future[list[tuple[bytes, float]]]:
        """(content hash, cosine) of the texts nearest to a question; they are looked for beside the search by words."""

    def cosines(self, text: str, contents: Iterable[bytes]) -> dict[bytes, float]:
        """Cosines of texts that have a vector."""


def search(
    reader: UnitReader,
    query: SearchQuery,
    meaning: Meaning | None,
    weights: Sequence[Weights] = (DEFAULT_WEIGHTS,),
    *,
    reranker: Reranker | None = None,
    texts: Callable[[StoredUnit], str] | None = None,
    missing: str = "no embedder is available",
    project: frozenset[str] = frozenset(),
) -> list[SearchAnswer]:
    """The best hits, once for each of the weights: what is ordered is fetched once.

    `texts` reads a unit's source, for reranking; `missing` says why there is no `meaning`, where there is none;
    `project`: what the project may be called, in lower case.
    Raises UsageError.
    """
    check(query)
    text = query.query[:MAX_QUESTION]
    question = Question.of(text, _project_said(reader, text, project))
    notes: list[str] = []
    if not question.terms:
        return [SearchAnswer((), query.mode, ("the question has no words",))] * len(weights)
    allowed = _allowed(reader, query)
    if allowed is not None and not allowed:
        return [SearchAnswer((), query.mode, ("no file passes the filters",))] * len(weights)
    mode = query.mode
    nearest = _nearest(question, query, meaning, allowed) if meaning is not None and mode != "lexical" else None
    corpus, lexical = _by_words(reader, question, query, mode, allowed)
    cosines: dict[int, float] = {}
    if mode != "lexical":
        try:
            if meaning is None:
                raise PortError(missing)
            cosines = _by_meaning(reader, question, query, meaning, nearest, allowed)
        except PortError as error:
            notes.append(f"{error}: answered by words and the graph")
            mode = "lexical"
            if query.mode == "vector":
                corpus, lexical = _by_words(reader, question, query, mode, allowed)
    near = meaning if mode != "lexical" else None
    found = _candidates(reader, question, query, lexical, cosines, near, allowed, mode)
    rankable = _rankable(reader, question, query, found, mode, corpus)
    answers = []
    for chosen in weights:
        hits = rankable.ranked(_of_mode(chosen, mode))
        if mode != "vector" and chosen.linked:
            hits = lifted(hits, _links(reader, hits, found), chosen.linked)
        hits = _reranked(hits, found, question, reranker if query.rerank else None, texts, notes)
        shown = [
            _hit(found[hit.id], hit, [found[id].unit for id in run])
            for hit, run in _limited(hits, found, query, chosen.screen if query.join else 0)
        ]
        if query.expand:
            shown = _expanded(reader, shown, query)
        answers.append(SearchAnswer(tuple(shown), mode, tuple(notes), corpus.units))
    return answers


def _project_said(reader: UnitReader, text: str, names: frozenset[str]) -> frozenset[str]:
    """The project's names that a question says; a folder may be called anything, so its files have to say it too."""
    files, _ = reader.totals()
    said = names.intersection(map(spoken, text.split()))
    return frozenset(name for name in said if len(reader.spread(stem(name))) >= PROJECT_SHARE * files)


def check(query: SearchQuery) -> None:
    """Raises UsageError for a query that makes no sense."""
    if not query.query.strip():
        raise UsageError("the question is empty")
    if query.mode not in MODES:
        raise UsageError(f"there is no mode {query.mode!r}; the modes are {', '.join(MODES)}")
    if not 0.0 <= query.threshold <= 1.0:
        raise UsageError(f"the threshold must be between 0 and 1, not {query.threshold:g}")
    if not 1 <= query.k <= MAX_K:
        raise UsageError(f"k must be between 1 and {MAX_K}, not {query.k}")
    if query.expand not in ("", "callees", "impact"):
        raise UsageError(f"expand must be callees or impact, not {query.expand!r}")


# -- filters ------------------------------------------------------------------------------------------------


def _allowed(reader: UnitReader, query: SearchQuery) -> list[int] | None:
    """Ids of the files that the filters on files leave; None where there are none.  Raises UsageError."""
    _check_values(reader, query)
    if not query.lang and not query.path:
        return None
    files = reader.files()
    languages = {language for _, _, language, _ in files if language}
    for language in query.lang:
        if language not in languages:
            raise _unknown("language", language, sorted(languages))
    keep = path_filter(query.path)
    return [
        file_id for file_id, path, language, _ in files if (not query.lang or language in query.lang) and keep(path)
    ]


def _check_values(reader: UnitReader, query: SearchQuery) -> None:
    for column, values in (("kind", query.type), ("layer", query.layer), ("framework", query.framework)):
        if values:
            known = reader.values(column)
            for value in values:
                if value not in known:
                    raise _unknown("type" if column == "kind" else column, value, known)


def _unknown(what: str, value: str, known: Sequence[str]) -> UsageError:
    listed = ", ".join(known[:30]) or "none"
    return UsageError(f"nothing here has the {what} {value!r}; there are: {listed}")


def path_filter(globs: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path fits one of the globs and none of those with a \"!\" in front; no globs fit everything.

    Raises UsageError for a glob that is longer than any path: to compile it would take long.
    """
    if any(len(glob) > _LONGEST_GLOB for glob in globs):
        raise UsageError(f"a glob of more than {_LONGEST_GLOB} characters is longer than any path")
    take = [_glob(glob) for glob in globs if not glob.startswith("!")]
    leave = [_glob(glob[1:]) for glob in globs if glob.startswith("!")]
    return lambda path: (
        (not take or any(glob.match(path) for glob in take)) and not any(glob.match(path) for glob in leave)
    )


@lru_cache(maxsize=256)
def _glob(glob: str) -> re.Pattern[str]:
    """A glob over whole paths: ** crosses folders, * and ? don't; a folder stands for what is in it."""
    parts: list[str] = []
    i = 0
    glob = glob.removeprefix("./")
    while i < len(glob):
        if glob.startswith("**/", i) and glob[i - 1 : i] in ("", "/"):
            parts.append(FOLDERS)
            i += 3
        elif glob.startswith("**", i):
            parts.append(ACROSS)
            i += 2
        else:
            parts.append({"*": ANY, "?": "[^/]"}.get(glob[i], re.escape(glob[i])))
            i += 1
    if parts and parts[-1] == "/":
        parts.pop()
    return re.compile(expression(parts) + r"(?:/.*)?\Z", re.DOTALL)


def _passes(unit: StoredUnit, query: SearchQuery, files: frozenset[int] | None) -> bool:
    return (
        (files is None or unit.file in files)
        and (not query.type or unit.kind in query.type)
        and (not query.layer or unit.layer in query.layer)
        and (not query.framework or unit.framework in query.framework)
        and not (query.exclude_tests and unit.layer == "test")
    )


# -- candidates ---------------------------------------------------------------------------------------------


def _conditions(query: SearchQuery) -> list[Condition]:
    pairs = (("kind", query.type), ("layer", query.layer), ("framework", query.framework), ("language", query.lang))
    found = [Condition(key, values) for key, values in pairs if values]
    return [*found, Condition("layer", ("test",), negate=True)] if query.exclude_tests else found


def _nearest(
    question: Question, query: SearchQuery, meaning: Meaning, allowed: list[int] | None
) -> Future[list[tuple[bytes, float]]] | None:
    """The search for the nearest texts, under way; None where there are so few that all are compared."""
    if allowed is not None and query.path and len(allowed) <= SCAN_FILES:
        return None
    wanted = _candidates_wanted(query)
    return meaning.nearest(question.meant, wanted if allowed is None else wanted * 4, _conditions(query))


def _by_meaning(
    reader: UnitReader,
    question: Question,
    query: SearchQuery,
    meaning: Meaning,
    nearest: Future[list[tuple[bytes, float]]] | None,
    allowed: list[int] | None,
) -> dict[int, float]:
    """Cosines of the nearest units by id."""
    if nearest is None:
        contents = reader.contents_of(allowed or ())
        cosines = meaning.cosines(question.meant, {content for _, content in contents})
        near = sorted(((cosines[c], unit) for unit, c in contents if c in cosines), reverse=True)
        return {unit: cosine for cosine, unit in near[:CANDIDATES]}
    by_content = dict(nearest.result())
    files = frozenset(allowed) if allowed is not None else None
    found = {
        unit: by_content[content]
        for content, unit in reader.of_contents(by_content)
        if files is None or unit >> 16 in files
    }
    return dict(sorted(found.items(), key=lambda item: -item[1])[: _candidates_wanted(query)])


def _candidates_wanted(query: SearchQuery) -> int:
    return QUICK_CANDIDATES if query.quick else CANDIDATES


def _corpus(reader: UnitReader, question: Question, mode: str, allowed: list[int] | None) -> Corpus:
    """What is searched: how large it is, and where each word of the question occurs."""
    files, units = reader.totals()
    if allowed:
        inside = reader.sizes(allowed)
        files, units = len(inside), sum(inside.values())
    spread = {} if mode == "vector" else {term: reader.spread(term, allowed) for term in question.terms}
    return Corpus(files, units, spread)


def _by_words(
    reader: UnitReader, question: Question, query: SearchQuery, mode: str, allowed: list[int] | None
) -> tuple[Corpus, dict[int, float]]:
    """What is searched, and BM25 of the best units by id: none where only meaning counts."""
    corpus = _corpus(reader, question, mode, allowed)
    if mode == "vector":
        return corpus, {}
    limit = _candidates_wanted(query)
    terms = searched(question, corpus, quick=query.quick)
    found = reader.best(terms.everywhere, limit, allowed, in_names=terms.in_names)
    # Where all words are frequent and nothing is called so, the rarest of them has to do.
    return corpus, dict(found or reader.best(terms.in_names[:1], limit, allowed))


def _candidates(
    reader: UnitReader,
    question: Question,
    query: SearchQuery,
    lexical: Mapping[int, float],
    cosines: Mapping[int, float],
    meaning: Meaning | None,
    allowed: list[int] | None,
    mode: str,
) -> dict[int, _Found]:
    named = reader.named(question.named) if mode != "vector" else ()
    units = reader.units({*lexical, *named, *cosines})
    files = frozenset(allowed) if allowed is not None else None
    kept = {id: unit for id, unit in units.items() if _passes(unit, query, files)}
    more = _missing_cosines(question, kept, cosines, meaning)
    return {id: _Found(unit, lexical.get(id, 0.0), cosines.get(id, more.get(id, 0.0))) for id, unit in kept.items()}


class _Found(msgspec.Struct, frozen=True):
    unit: StoredUnit
    lexical: float
    cosine: float


def _missing_cosines(
    question: Question, units: Mapping[int, StoredUnit], cosines: Mapping[int, float], meaning: Meaning | None
) -> dict[int, float]:
    """Cosines of units that were found otherwise: a fair comparison needs them too."""
    rest = {id: unit.content_hash for id, unit in units.items() if id not in cosines and unit.embedded}
    if meaning is None or not rest:
        return {}
    try:
        known = meaning.cosines(question.meant, set(rest.values()))
    except PortError:
        return {}
    return {id: known[content] for id, content in rest.items() if content in known}


class Searched(msgspec.Struct, frozen=True):
    """The terms to look for: in all of a unit, or in its name only."""

    everywhere: tuple[str, ...]
    in_names: tuple[str, ...] = ()


def searched(question: Question, corpus: Corpus, *, quick: bool) -> Searched:
    """The rarest terms are looked for everywhere, as long as they don't bring too much, and the others in names.

    A quick answer does without all that say little and cost most, unless nothing else is left.
    """
    counts = {term: sum(corpus.spread[term].values()) for term in question.terms}
    most = max(FREQUENT, FREQUENT_SHARE * corpus.units)
    telling = [term for term in question.terms if quick and counts[term] <= most]
    terms = sorted(telling if any(counts[term] for term in telling) else question.terms, key=counts.__getitem__)
    totals = accumulate(counts[term] for term in terms)
    few = sum(total <= MATCHES for total in totals)
    return Searched((*terms[:few], *sorted(question.pairs)), tuple(terms[few:]))


# -- order --------------------------------------------------------------------------------------------------


class _Rankable(msgspec.Struct, frozen=True):
    """All that is needed to order what was found."""

    question: Question
    units: list[UnitCandidate]
    files: list[FileCandidate]
    corpus: Corpus

    def ranked(self, weights: Weights) -> list[Ranked]:
        """Everything, in order."""
        return rank(self.question, self.units, self.files, self.corpus, weights, len(self.units))


def _of_mode(weights: Weights, mode: str) -> Weights:
    """The weights without the parts that a mode leaves out."""
    if mode == "vector":
        return msgspec.structs.replace(weights, lexical=0.0, spread=0.0, stem=0.0, folder=0.0, named=0.0)
    return msgspec.structs.replace(weights, meaning=0.0, cosine=0.0) if mode == "lexical" else weights


def _rankable(
    reader: UnitReader,
    question: Question,
    query: SearchQuery,
    found: Mapping[int, _Found],
    mode: str,
    corpus: Corpus,
) -> _Rankable:
    said = {**mentioned(question.text), **dict.fromkeys(query.layer, True)}
    named = named_by(question, {id: item.unit.name for id, item in found.items()}) if mode != "vector" else set()
    units = [
        UnitCandidate(
            id=id,
            file=item.unit.file,
            lexical=item.lexical,
            cosine=item.cosine,
            piece=item.unit.kind in PIECES,
            named=_named(item.unit) if id in named else 0.0,
            shape=item.unit.shape,
            aside=is_aside(item.unit.layer, item.unit.kind) and not said.get(item.unit.layer),
            mentioned=item.unit.layer in said,
        )
        for id, item in found.items()
    ]
    ids = sorted({unit.file for unit in units})
    sizes = reader.sizes(ids)
    paths = {item.unit.file: item.unit.path for item in found.values()}
    asked = systems(question.text)
    files = [_file(id, paths[id], sizes.get(id, 1), asked) for id in ids]
    return _Rankable(question, units, files, corpus)


def named_by(question: Question, names: Mapping[int, str]) -> set[int]:
    """What the question names: by an identifier, or else by saying just the words of a name.

    Where something is called `TypeAdapter`, a question for that doesn't ask for `TypeAdapters`.
    """
    if written := {id for id, name in names.items() if name in question.named}:
        return written
    spoken = frozenset(stems(question.text))
    if len(spoken) < 2:
        return set()
    # A stem begins like its word: most names are told apart without being taken apart.
    starts = [word[:2] for word in spoken]
    alike = {id: name for id, name in names.items() if all(start in name.lower() for start in starts)}
    return {id for id, name in alike.items() if name_words(name) == spoken}


def _named(unit: StoredUnit) -> float:
    return 1.0 if unit.kind in TYPE_KINDS else 0.5


def _file(id: int, path: str, units: int, asked: frozenset[str]) -> FileCandidate:
    """`asked`: the operating systems that the question names."""
    stem, folders = place_words(path)
    return FileCandidate(id, stem, folders, units, is_foreign(path, asked))


@lru_cache(maxsize=65536)
def place_words(path: str) -> tuple[str, str]:
    """A file's telling name, and its nearest folders."""
    stem, folders = place_of(path)
    return stem, " ".join(folders)


def _reranked(
    hits: list[Ranked],
    found: Mapping[int, _Found],
    question: Question,
    reranker: Reranker | None,
    texts: Callable[[StoredUnit], str] | None,
    notes: list[str],
) -> list[Ranked]:
    """The first hits in the order of a cross-encoder; the fused order where there is none."""
    if reranker is None or texts is None or not hits:
        return hits
    head, tail = hits[:RERANKED], hits[RERANKED:]
    try:
        scores = reranker.scores(question.text, [texts(found[hit.id].unit) for hit in head])
    except PortError as error:
        notes.append(f"{error}: not reranked")
        return hits
    order = sorted(range(len(head)), key=lambda i: (-scores[i], i))
    steps = sorted((hit.score for hit in head), reverse=True)
    return [
        msgspec.structs.replace(head[i], score=steps[place], parts={**head[i].parts, "reranked": scores[i]})
        for place, i in enumerate(order)
    ] + tail


def _limited(
    hits: Sequence[Ranked], found: Mapping[int, _Found], query: SearchQuery, screen: int
) -> list[tuple[Ranked, list[int]]]:
    taken: dict[int, int] = {}
    out: list[tuple[Ranked, list[int]]] = []
    good = [hit for hit in hits if hit.score >= query.threshold and hit.score > 0]
    units = [found[hit.id].unit for hit in good]
    lines = {unit.id: (unit.first_line, unit.last_line) for unit in units if unit.kind not in PIECES}
    for hit, run in joined(good, lines, screen):
        file = found[hit.id].unit.file
        if query.per_file and taken.get(file, 0) >= query.per_file:
            continue
        taken[file] = taken.get(file, 0) + 1
        out.append((hit, run))
        if len(out) == query.k:
            break
    return out


def _hit(item: _Found, ranked: Ranked, run: Sequence[StoredUnit]) -> SearchHit:
    parts = {name: round(value, 4) for name, value in ranked.parts.items() if value}
    reranked = parts.pop("reranked", None)
    parts.pop("cosine", None)
    parts.pop("unit_lexical", None)
    why = Why(
        bm25=round(item.lexical, 3) if item.lexical else None,
        cosine=round(item.cosine, 4) if item.cosine else None,
        reranked=reranked,
        parts=parts,
    )
    hit = _shown(item.unit, round(min(ranked.score, 1.0), 4), why, len(ranked.copies))
    return msgspec.structs.replace(
        hit,
        start_line=run[0].first_line,
        end_line=run[-1].last_line,
        start=run[0].start,
        end=run[-1].end,
        also=tuple(dict.fromkeys(unit.qual for unit in run if unit.qual and unit.qual != hit.symbol)),
    )


def _shown(unit: StoredUnit, score: float, why: Why, copies: int = 0) -> SearchHit:
    return SearchHit(
        path=unit.path,
        start_line=unit.first_line,
        end_line=unit.last_line,
        symbol=unit.qual,
        kind=unit.kind,
        layer=unit.layer,
        score=score,
        why=why,
        language=unit.language,
        framework=unit.framework,
        signature=unit.signature,
        line=unit.first_line,
        start=unit.start,
        end=unit.end,
        own=(unit.start, unit.end),
        unit=unit.id,
        copies=copies,
        subject=unit.subject,
    )


# -- graph --------------------------------------------------------------------------------------------------

LINKS = 12
"""Callees, and as many callers, of a leading hit that come nearer: a hub that all call says little."""
EXPANDED_HITS = 3
EXPANDED_EACH = 3


def _links(reader: UnitReader, hits: Sequence[Ranked], found: Mapping[int, _Found]) -> dict[int, list[int]]:
    """What the leading hits call, and what calls them, by their ids."""
    return {
        hit.id: [
            id
            for callers in (False, True)
            for id in reader.neighbours(found[hit.id].unit, callers=callers, limit=LINKS)
        ]
        for hit in hits[:LEADING]
    }


def _expanded(reader: UnitReader, hits: list[SearchHit], query: SearchQuery) -> list[SearchHit]:
    """The hits, and behind them what the best ones call (and what calls them), marked as such."""
    seen = {hit.unit for hit in hits}
    more: list[SearchHit] = []
    directions = ((False, "callee"), (True, "caller")) if query.expand == "impact" else ((False, "callee"),)
    units = reader.units(hit.unit for hit in hits[:EXPANDED_HITS])
    for hit in hits[:EXPANDED_HITS]:
        for callers, word in directions:
            ids = [
                id for id in reader.neighbours(units[hit.unit], callers=callers, limit=EXPANDED_EACH) if id not in seen
            ]
            found = reader.units(ids)
            seen.update(found)
            via = Why(via=f"{word} of {hit.symbol or hit.path}")
            more += [_shown(found[id], round(hit.score / 2, 4), via) for id in ids if id in found]
    return [*hits, *more]
