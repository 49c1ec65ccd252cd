"""Enriching one repository: what there is to describe, what is shown of it, and where the answers are kept."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from nav_ls.config.settings import LLMSettings
from nav_ls.enrich import prompts
from nav_ls.enrich.plan import Candidate, Rates
from nav_ls.enrich.prompts import Definition, Material
from nav_ls.query import digest as digests
from nav_ls.query.ranks import rank
from nav_ls.query.search import path_filter
from nav_ls.query.snapshot import Snapshot
from nav_ls.store import lock
from nav_ls.store.units import StoredUnit
from nav_ls.text.hashes import combined_hash, content_hash
from nav_ls.text.manifests import is_manifest
from nav_ls.text.source import decode
from nav_ls.text.tokens import estimate

if TYPE_CHECKING:
    from nav_ls.workspace.workspace import Workspace

LOCK = "enriching"
"""The lock of the one run that may spend money on a repository at a time."""
MAP_CHARACTERS = 12_000
DOCUMENT_CHARACTERS = 6_000
MOST_DOCUMENTS = 8
NEIGHBOURS = 6
_ASIDE = frozenset({"test", "generated"})


class Plan(msgspec.Struct, frozen=True):
    """What a run would do.  `skipped`: definitions that a batch at the provider is about."""

    candidates: tuple[Candidate, ...]
    done: int
    skipped: int


class Enriching:
    """The part of a workspace that is about prose."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.keeper = workspace.prose
        self._ranks: dict[int, float] = {}
        self._by_subject: dict[str, StoredUnit] = {}

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else enriches this repository within this.  Raises BusyError."""
        self._workspace.layout.make_folder()
        with lock.writer(self._workspace.layout.folder, 0.2, LOCK):
            yield

    def plan(self, paths: Sequence[str] = (), limit: int = 0, *, retry: bool = False) -> Plan:
        """The definitions to describe, the most depended-on first.

        Tests and generated code only count where `paths` ask for them.  With `retry` those that gave no usable answer
        count again.
        """
        done = self._settled(retry=retry)
        asked = {s for batch in self.keeper.pending() for subjects in batch.requests.values() for s in subjects}
        units = self._units(paths)
        found = [unit for subject, unit in units.items() if subject not in done and subject not in asked]
        if limit:
            found = found[:limit]
        candidates = tuple(
            Candidate(unit.subject, unit.id, self._ranks.get(unit.id, 0.0), estimate(text[: prompts.MOST_CODE]))
            for unit, text in self._texts(found)
        )
        return Plan(candidates, len(units.keys() & done), len(units.keys() & asked))

    def described(self, paths: Sequence[str] = ()) -> int:
        """How many of the definitions have been asked about."""
        return len(self._units(paths).keys() & self._settled(retry=False))

    def _settled(self, *, retry: bool) -> set[str]:
        settled = self.keeper.settled(prompts.PROMPT)
        return {subject for subject, written in settled.items() if not (retry and written.problem)}

    def _units(self, paths: Sequence[str]) -> dict[str, StoredUnit]:
        """Units by subject, in the order of their worth: where two share a subject the first one stands for both."""
        fits = path_filter([path.rstrip("/") for path in paths])
        units = [
            unit
            for unit in self._workspace.searching.definitions()
            if unit.subject and fits(unit.path) and (paths or unit.layer not in _ASIDE)
        ]
        with self._workspace.snapshot() as snapshot:
            by_symbol = rank(snapshot.reader).definitions if snapshot.reader is not None else {}
        symbols = self._workspace.searching.symbols()
        self._ranks = {unit.id: by_symbol.get(symbols.get(unit.id, 0), 0.0) for unit in units}
        units.sort(key=lambda unit: (-round(self._ranks[unit.id], 12), unit.path, unit.start))
        found: dict[str, StoredUnit] = {}
        for unit in units:
            found.setdefault(unit.subject, unit)
        self._by_subject = found
        return found

    def describe(self, candidates: Sequence[Candidate]) -> list[Definition]:
        """What is shown of definitions; those that have changed since they were indexed are left out."""
        units = [self._by_subject[item.subject] for item in candidates if item.subject in self._by_subject]
        texts = {unit.id: text for unit, text in self._texts(units)}
        with self._workspace.snapshot() as snapshot:
            return [self._definition(snapshot, unit, texts[unit.id]) for unit in units if unit.id in texts]

    def _definition(self, snapshot: Snapshot, unit: StoredUnit, text: str) -> Definition:
        calls, called_by = self._workspace.searching.around(unit, NEIGHBOURS)
        inside = [s for s in snapshot.symbols_of(unit.path) if s.key and s.parent_key == unit.symbol]
        members = tuple(s.signature or s.name for s in inside if s.span.start >= unit.end)
        return Definition(
            subject=unit.subject,
            path=unit.path,
            line=unit.first_line,
            kind=unit.kind,
            qual=unit.qual,
            code=text,
            calls=tuple(calls),
            called_by=tuple(called_by),
            members=members,
        )

    def _texts(self, units: Sequence[StoredUnit]) -> Iterator[tuple[StoredUnit, str]]:
        """Units with their source, as far as their files are as they were indexed; in the order that they came in."""
        with self._workspace.snapshot() as snapshot:
            hashes = {path: info.hash for path in {u.path for u in units} if (info := snapshot.file(path)) is not None}
        files: dict[str, bytes] = {}
        for path, known in hashes.items():
            with contextlib.suppress(OSError):
                data = (self._workspace.root / path).read_bytes()
                if content_hash(data) == known:
                    files[path] = decode(data).text
        for unit in units:
            if unit.path in files:
                yield unit, files[unit.path][unit.start : unit.end].decode("utf-8", "replace")

    # --- the project

    def material(self) -> tuple[str, Material]:
        """What the overview is made from, and its subject: the project's own documents and its packages."""
        documents = dict(self._documents())
        with self._workspace.snapshot() as snapshot:
            freshness = self._workspace.freshness(snapshot)
            # Without the prose that is there already: each answer would change the question, and be paid again.
            drawn = digests.draw(snapshot, told=False)
        name = self._workspace.root.name
        map_ = digests.digest(drawn, freshness, name, MAP_CHARACTERS) if drawn is not None else ""
        packages = [line.partition(" (")[0] for line in drawn.sections[0].lines] if drawn is not None else []
        subject = combined_hash(prompts.README_PROMPT, *documents, *documents.values(), *packages).hex()
        return subject, Material(name, documents, map_)

    def _documents(self) -> Iterator[tuple[str, str]]:
        root = self._workspace.root
        names = [path for path in self._workspace.searching.paths() if "/" not in path]
        readmes = [name for name in names if name.lower().startswith("readme")]
        manifests = [name for name in sorted(root_names(root)) if is_manifest(name)]
        for name in [*readmes, *manifests][:MOST_DOCUMENTS]:
            source = self._workspace.read(name)
            if source is not None:
                most = DOCUMENT_CHARACTERS if name in readmes else DOCUMENT_CHARACTERS // 3
                yield name, source.text[:most].decode("utf-8", "replace")


def root_names(root: Path) -> list[str]:
    """The files at the top of a folder."""
    with contextlib.suppress(OSError):
        return [item.name for item in root.iterdir() if item.is_file() and not item.is_symlink()]
    return []


def rates(settings: LLMSettings, model: str) -> Rates | None:
    """What a model costs; None where that is not known.  A model at an endpoint of one's own is taken to be free."""
    price = settings.price(model)
    if price is not None:
        return Rates(price.input, price.output, price.cache_read, price.cache_write, price.cache_min)
    return Rates() if settings.url else None
