"""Evaluation over a workspace: its definitions as questions, its search as what is measured.

The docstring questions need an index in which the asked definitions have no docstring: it is made in a
temporary folder, a copy of the branch's database with those units replaced.  Vectors that it needs are kept
with all others, so the next evaluation finds them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from nav_ls.evaluate.evaluation import Evaluation, Found, evaluate
from nav_ls.evaluate.measures import Result
from nav_ls.evaluate.sets import CURATED, DOC, KINDS, NAME, Definition, Item, by_doc, by_name, curated
from nav_ls.query.search import MODES, SearchAnswer, SearchHit, SearchQuery
from nav_ls.store import content
from nav_ls.store.units import StoredUnit
from nav_ls.syntax.facts import CALLABLE_KINDS, TYPE_KINDS
from nav_ls.text.comments import doc_text, without_doc
from nav_ls.text.errors import NotFoundError, UsageError
from nav_ls.workspace.workspace import Workspace

DEPTH = 50
"""Hits asked for: the measures look at ten, a drill-down tells how far behind the right one was."""


class Wanted(msgspec.Struct, frozen=True):
    """What to evaluate.  `file` holds curated questions; `sample` bounds the sets that are made."""

    kinds: tuple[str, ...] = (NAME, DOC)
    file: str = ""
    sample: int = 100
    modes: tuple[str, ...] = MODES
    seed: int = 1


def definitions(workspace: Workspace) -> list[Definition]:
    """Every function and type that is searched."""
    return [
        Definition(
            unit.path, unit.first_line, unit.last_line, unit.qual, unit.name, unit.kind,
            _doc(workspace, unit), unit.layer,
        )
        for unit in workspace.searching.definitions()
        if unit.kind in CALLABLE_KINDS | TYPE_KINDS
    ]  # fmt: skip


def _doc(workspace: Workspace, unit: StoredUnit) -> str:
    return doc_text(workspace.unit_text(unit.path, unit.start, unit.end).encode("utf-8", "replace"))


def run(workspace: Workspace, wanted: Wanted, progress: Callable[[int, int], None] | None = None) -> Evaluation:
    """Evaluate search on this repository.  Raises UsageError, NotFoundError where no question can be made."""
    unknown = [kind for kind in wanted.kinds if kind not in KINDS]
    if unknown:
        raise UsageError(f"there is no kind {unknown[0]!r}; there are: {', '.join(KINDS)}")
    known = definitions(workspace)
    plain: list[Item] = []
    if NAME in wanted.kinds:
        plain += by_name(known, wanted.sample, wanted.seed)
    if wanted.file:
        plain += curated(_read(Path(wanted.file)), wanted.file)
    elif CURATED in wanted.kinds:
        raise UsageError("curated questions need a file")
    documented = by_doc(known, wanted.sample, wanted.seed) if DOC in wanted.kinds else []
    if not plain and not documented:
        raise NotFoundError("no question can be made here: no definition is long enough, or none has a doc comment")
    parts = []
    if plain:
        parts.append(evaluate(plain, wanted.modes, _asker(workspace.searching.search), progress))
    if documented:
        with without_docs(workspace, documented) as search:
            parts.append(evaluate(documented, wanted.modes, _asker(search), progress))
    return Evaluation(
        tuple(score for part in parts for score in part.scores),
        tuple(question for part in parts for question in part.questions),
    )


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error


def _asker(search: Callable[[SearchQuery], SearchAnswer]) -> Callable[[Item, str], Sequence[Found]]:
    def ask(item: Item, mode: str) -> list[Found]:
        answer = search(SearchQuery(item.query, k=DEPTH, mode=mode))
        if answer.mode != mode:
            raise NotFoundError(f"{mode} cannot be evaluated: {'; '.join(answer.notes)}; run `nav embed` first")
        return [_found(hit) for hit in answer.hits]

    return ask


def _found(hit: SearchHit) -> Found:
    said = [f"{name} {value:.2f}" for name, value in hit.why.parts.items()]
    said += [f"bm25 {hit.why.bm25:.1f}"] if hit.why.bm25 is not None else []
    said += [f"cosine {hit.why.cosine:.2f}"] if hit.why.cosine is not None else []
    return Found(Result(hit.path, hit.start_line, hit.end_line), hit.symbol, hit.score, ", ".join(said))


@contextmanager
def without_docs(workspace: Workspace, items: Iterable[Item]) -> Iterator[Callable[[SearchQuery], SearchAnswer]]:
    """Search in which the definitions of these questions have lost their doc comments."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for item in items:
        for target in item.targets:
            if target.start_line and target.end_line:
                spans.setdefault(target.path, []).append((target.start_line, target.end_line))
    with tempfile.TemporaryDirectory(prefix="nav-eval-") as folder:
        root = Path(folder) / "tree"
        _copy(workspace, root, spans)
        copy = Workspace.open(root, workspace.config)
        try:
            copy.sync()
            _share_vectors(workspace.layout.folder, copy.layout.folder)
            copy.searching.refresh()
            copy.searching.embed()
            yield copy.searching.search
        finally:
            copy.close()


def _share_vectors(source: Path, target: Path) -> None:
    """Begin with the vectors that are known: only the changed texts are embedded."""
    if (source / content.NAME).is_file():
        content.copy_to(source / content.NAME, target / content.NAME)


def _copy(workspace: Workspace, root: Path, spans: dict[str, list[tuple[int, int]]]) -> None:
    for path in workspace.searching.paths():
        found = workspace.read(path)
        if found is None:
            continue
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_blanked(found.text, spans.get(path, [])))


def _blanked(text: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """The text with the doc comments of some line ranges replaced by spaces: no line moves."""
    lines = text.split(b"\n")
    for first, last in spans:
        part = b"\n".join(lines[first - 1 : last])
        lines[first - 1 : last] = without_doc(part).split(b"\n")
    return b"\n".join(lines)
