"""The write side: brings the database of a view up to date with its files, in one transaction.

What a cold start and an increment do is the same; they differ in how many files are extracted and linked, and
in where linking runs (in this process, or spread over workers).
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from nav_ls.graph.model import Links
from nav_ls.index import links, worker
from nav_ls.index.extraction import Extracted, decoded, extract_known, facts_key, passed_row, symbol_rows, version_of
from nav_ls.index.linking import Ids, LinkWriter, has_failure, with_failure
from nav_ls.index.links import PackedLinks
from nav_ls.index.model import Listener, Progress, Report
from nav_ls.index.pool import Lost, Pool
from nav_ls.index.scan import Changes, scan, scan_paths
from nav_ls.index.source import StoreSource
from nav_ls.index.state import Linked, State, identity, open_state
from nav_ls.store import content, database, lock
from nav_ls.store import facts as fact_store
from nav_ls.store.branch import BranchStore
from nav_ls.store.facts import FactStore
from nav_ls.store.health import collect_databases, collect_facts
from nav_ls.store.layout import Layout
from nav_ls.store.rows import Buffer, FileFlag, FileRow
from nav_ls.syntax import facts as syntax_facts
from nav_ls.syntax.facts import FileFacts, Problem
from nav_ls.syntax.languages import language_of
from nav_ls.text.admit import Limits
from nav_ls.text.errors import DamagedError, LostFactsError, NavError
from nav_ls.text.hashes import key_hash, touched
from nav_ls.text.lines import LineTable

if TYPE_CHECKING:
    from nav_ls.graph.link import Linker

_SPREAD = 80
"""From so many files on linking is spread over workers: each of them has to load all summaries first."""

_MANY_MOVED = 500
"""From so many files that come or go on everything is linked anew."""

_SLACK, _SPARE = 4, 2000
"""So many times the facts of this view, and some, may be stored before those that no view needs are dropped."""

_FACTS_BATCH = 16_000_000
"""Bytes of facts that are written in one go."""

_EXTRACTED = msgspec.msgpack.Decoder(Extracted)


class _Plan:
    """What a sync is going to write."""

    def __init__(self) -> None:
        self.touched: list[tuple[int, FileRow]] = []
        self.changed: dict[str, Extracted] = {}
        self.gone: list[str] = []

    @property
    def empty(self) -> bool:
        return not self.changed and not self.gone


class _Open(NamedTuple):
    """An unsaved buffer: its normalised text, what was found in it, and where the facts of such a text are kept."""

    text: bytes
    facts: FileFacts
    key: bytes


class Indexer:
    """Writes the index of one root.  Not for several threads at once."""

    def __init__(self, root: Path, limits: Limits | None = None, workers: int = 0) -> None:
        self.layout = Layout.find(root)
        self._limits = limits or Limits()
        self._worker_count = workers
        self._pool: Pool | None = None
        self._facts: FactStore | None = None
        self._facts_identity: tuple[int, int] | None = None
        self._state: State | None = None
        self._facts_lost = False
        self._buffers: dict[str, _Open] = {}

    def sync(
        self,
        paths: Sequence[str] | None = None,
        *,
        full: bool = False,
        progress: Listener | None = None,
        wait: float = lock.WAIT_SECONDS,
    ) -> Report:
        """Bring the index up to date with all files, or with those of `paths` (relative to the root).

        `full` links everything anew and reads every file again.  Raises BusyError when another process holds the
        lock for longer than `wait` seconds, StorageError when the index cannot be written; what was committed
        before stays as it was.
        """
        started = time.monotonic()
        tell = progress or _nobody
        self.layout.make_folder()
        with lock.writer(self.layout.folder, wait), _collector_off():
            try:
                report = self._synced(paths, full or self._facts_lost, tell)
            except (DamagedError, LostFactsError) as error:
                again = self._removed(error)
                report = msgspec.structs.replace(self._synced(None, again, tell), rebuilt=str(error))
            self._facts_lost = False
            mended = content.mend(self.layout.folder / content.NAME)
            report = msgspec.structs.replace(report, rebuilt="; ".join(filter(None, (report.rebuilt, mended))))
        return msgspec.structs.replace(report, seconds=time.monotonic() - started)

    def _synced(self, paths: Sequence[str] | None, full: bool, tell: Listener) -> Report:
        state = self._open()
        try:
            return self._sync(state, None if state.scratch else paths, full, tell)
        except BaseException:
            # Part of what was changed in memory may be missing in the database.
            self._close_state(failed=True)
            raise

    def _removed(self, error: DamagedError | LostFactsError) -> bool:
        """Remove the file that is damaged; returns whether everything has to be extracted again."""
        facts = self.layout.folder / fact_store.NAME
        if isinstance(error, LostFactsError) or error.path == facts:
            self._close_facts()
            database.remove(facts)
            return True
        database.remove(self.layout.database(self.layout.view()))
        return False

    def overlay(self, path: str, text: bytes | None) -> Buffer | None:
        """What an unsaved buffer says (None: it was closed), seen beside all other open buffers.

        `text` is normalised.  Returns None for a closed buffer and for a file of no known language.
        """
        if text is None:
            self._buffers.pop(path, None)
            return None
        language = language_of(path, text[:256])
        if language is None:
            return None
        self.layout.make_folder()  # an editor may open a file before the first sync
        facts = self._buffer_facts(path, text, language)
        state = self._reading()
        if state is not None:
            try:
                return self._linked_buffer(state, path, language, text, facts)
            except LostFactsError:
                self._lose_facts()
        return _buffer(path, language, text, facts, Links())

    def _lose_facts(self) -> None:
        self._close_state()
        self._facts_lost = True  # the next sync extracts them again

    def _linked_buffer(self, state: State, path: str, language: str, text: bytes, facts: FileFacts) -> Buffer:
        linker = self._linker_of_buffers(state)
        known = state.linked.get(path)
        if known is not None and known.facts is facts:
            return known.buffer
        answer = _link(linker, path) if path in self._buffers else None
        if not isinstance(answer, Links):
            return _buffer(path, language, text, facts, Links())
        buffer = _buffer(path, language, text, facts, answer)
        state.linked[path] = Linked(facts, buffer)
        return buffer

    def warm(self) -> None:
        """Load what the next change will need: the linker, and a worker with the grammar that most files want.

        Raises LostFactsError where the next sync will have to extract everything again.
        """
        state = self._reading()
        if state is None:
            return
        try:
            self._linker(state)
        except LostFactsError:
            self._lose_facts()
            raise
        languages = Counter(row.language for _, row in state.known.values() if row.language)
        for language, _ in languages.most_common(1):
            self.workers().extract_text("", b"", language)

    def settle(self) -> None:
        """Nothing has changed for a while: leave the files as they can stay, and no memory taken that is not needed."""
        if self._state is not None and not self._state.scratch:
            self._state.store.settle()
        if self._pool is not None and self._pool.rest():
            if self._state is not None:
                self._state.forget_linker()
            self.warm()

    def close(self) -> None:
        """Release all files and end the workers."""
        self._close_state()
        self._close_facts()

    # --- buffers

    def _buffer_facts(self, path: str, text: bytes, language: str) -> FileFacts:
        known = self._buffers.get(path)
        if known is not None and known.text == text:
            return known.facts
        key = facts_key(path, language, text)
        facts = decoded(self._fact_store().get(key))
        if facts is None:
            answer = self.workers().extract_text(path, text, language)
            if isinstance(answer, Lost):
                facts = FileFacts(language, problems=(Problem("timeout", answer.reason),))
            else:
                facts = syntax_facts.decode(answer)
        self._buffers[path] = _Open(text, facts, key)
        return facts

    def _reading(self) -> State | None:
        """The state of the current view without the right to change it; None where nothing is indexed yet."""
        view = self.layout.view()
        path = self.layout.database(view)
        if not path.exists():
            return None
        if self._state is None or not self._state.serves(view, path):
            self._close_state()
            self._state = State(view, BranchStore.open(path))
        return self._state

    def _linker_of_buffers(self, state: State) -> Linker:
        """The linker, seeing the buffers instead of their files; not one that it cannot make anything of."""
        while True:
            linker, _ = self._linker(state)
            try:
                self._lay_buffers(state, linker)
            except _UpdateError as error:
                state.forget_linker()
                self._buffers.pop(error.path, None)
            else:
                return linker

    def _lay_buffers(self, state: State, linker: Linker) -> None:
        wanted = {path: buffer.facts for path, buffer in self._buffers.items() if not _is_saved(state, path, buffer)}
        for path in [path for path in state.laid if path not in wanted]:
            self._lift_buffer(state, linker, path)
        for path, facts in wanted.items():
            if state.laid.get(path) is not facts:
                assert state.source is not None, "a linker has its source"
                state.source.lay(path, facts)
                with _updating(path):
                    state.touched(linker.update(path))
                state.laid[path] = facts

    def _lift_buffer(self, state: State, linker: Linker, path: str) -> None:
        assert state.source is not None, "a linker has its source"
        state.source.lift(path)
        with _updating(path):
            state.touched(linker.update(path))
        del state.laid[path]

    # --- opening

    def _open(self) -> State:
        view = self.layout.view()
        path = self.layout.database(view)
        state = self._state
        if state is not None and state.serves(view, path):
            state.view, state.rebuilt = view, ""
            return state
        self._let_go_of_lost_facts()
        if state is not None and len(state.known) >= _SPREAD:
            self.workers().start(2)  # another branch may differ in much: they get ready while its database is made
        self._state = None
        self._state = open_state(self.layout, view, state)
        return self._state

    def _let_go_of_lost_facts(self) -> None:
        """Somebody may have removed `.nav` under us: what is written to a file without a name is lost."""
        if self._facts is not None and identity(self._facts.path) != self._facts_identity:
            self._close_facts()

    def _close_facts(self) -> None:
        if self._pool is not None:
            self._pool.close()
            self._pool = None
        if self._facts is not None:
            self._facts.close()
            self._facts = None
        if self._state is not None:
            self._state.forget_linker()  # it reads what was closed

    def _fact_store(self) -> FactStore:
        if self._facts is None:
            self.layout.make_folder()
            path = self.layout.folder / fact_store.NAME
            try:
                self._facts = FactStore.writable(path)
            except DamagedError:
                database.remove(path)  # all of it can be made again from the sources
                self._facts = FactStore.writable(path)
            self._facts_identity = identity(path)
        return self._facts

    def workers(self) -> Pool:
        """The worker processes, which start with the first thing that they are given to do."""
        if self._pool is None:
            facts = self._fact_store()
            setup = worker.Setup(str(self.layout.root), str(facts.path), self._limits)
            self._pool = Pool(setup, self._worker_count)
        return self._pool

    def _close_state(self, *, failed: bool = False) -> None:
        if self._state is not None:
            self._state.close(failed=failed)
            self._state = None

    # --- one sync

    def _sync(self, state: State, paths: Sequence[str] | None, full: bool, tell: Listener) -> Report:
        tell(Progress("scan", 0, 0))
        outdated = state.meta.get("extractor") != self._extractor()
        changes = self._changes(state, None if full or outdated else paths, full or outdated)
        plan = self._extract(state, changes, full or outdated, tell)
        relink_all = full or self._must_relink_all(state, plan)
        if plan.empty and not relink_all and not state.scratch:
            self._note_unchanged(state, plan)
            return _report(state, plan, 0, 0, cold=False)
        return self._write(state, plan, relink_all, tell)

    def _changes(self, state: State, paths: Sequence[str] | None, everything: bool) -> Changes:
        known = {} if everything else state.known
        found = scan(self.layout.root, known) if paths is None else scan_paths(self.layout.root, known, paths)
        if everything:
            present = {*found.suspects, *(item.path for item in found.passed)}
            return Changes(found.suspects, [path for path in state.known if path not in present], found.passed)
        return found

    def _extract(self, state: State, changes: Changes, everything: bool, tell: Listener) -> _Plan:
        plan = _Plan()
        plan.gone = [path for path in changes.gone if path in state.known]
        for item in changes.passed:
            plan.changed[item.path] = Extracted(item.path, _passed(item.path, item.reason))
        total = len(changes.suspects)
        batch: list[tuple[bytes, bytes, bytes]] = []
        size = 0
        hashes = {} if everything else {path: row.hash for path, (_, row) in state.known.items() if row.hash}
        for done, found in enumerate(self._extracted(changes.suspects, hashes), 1):
            self._place(state, plan, found, everything)
            if found.data and found.file is not None:
                batch.append((found.file.facts, found.summary, found.data))
                size += len(found.data)
            if size > _FACTS_BATCH:
                self._fact_store().add(batch)
                batch, size = [], 0
            if done % 16 == 0 or done == total:
                tell(Progress("extract", done, total))
        if batch:
            self._fact_store().add(batch)
        return plan

    def _extracted(self, paths: Sequence[str], hashes: dict[str, bytes]) -> Iterator[Extracted]:
        left = []
        for path in paths:
            saved = self._saved(path) if path in self._buffers else None
            if saved is None:
                left.append(path)
            else:
                yield saved
        if not left:
            return
        for answer in self.workers().extract(left, hashes):
            if isinstance(answer, Lost):
                yield passed_row(str(self.layout.root), answer.path, answer.reason)
            else:
                yield _EXTRACTED.decode(answer)

    def _saved(self, path: str) -> Extracted | None:
        """A file that was saved as its buffer is: what was found in that holds.  None for any other."""
        buffer = self._buffers[path]
        if any(problem.kind == "timeout" for problem in buffer.facts.problems):
            return None
        return extract_known(str(self.layout.root), path, self._limits, buffer.text, buffer.facts)

    def _place(self, state: State, plan: _Plan, found: Extracted, everything: bool) -> None:
        known = state.known.get(found.path)
        if found.file is None:
            if known is not None:
                plan.gone.append(found.path)
            return
        row = found.file
        if known is not None and (found.same or (not everything and _same_content(known[1], row))):
            plan.touched.append((known[0], row))
            state.known[found.path] = (known[0], _restat(known[1], row))
            return
        plan.changed[found.path] = msgspec.structs.replace(found, data=b"", summary=b"")

    def _must_relink_all(self, state: State, plan: _Plan) -> bool:
        if state.empty or state.meta.get("linker") != version_of("nav_ls.graph"):
            return True
        if state.meta.get("root") != self.layout.root.name and _is_package(state):
            return True
        # Every file that comes or goes may change how all others find each other: many at once are a new start.
        moved = len(plan.gone) + sum(1 for path in plan.changed if path not in state.known)
        return moved > _MANY_MOVED

    def _note_unchanged(self, state: State, plan: _Plan) -> None:
        head = {"commit": state.view.commit, "branch": state.view.branch}
        if not plan.touched and all(state.meta.get(key) == value for key, value in head.items()):
            return
        with state.store.transaction():
            self._touch(state, plan)
            state.store.set_meta(head)
        state.meta.update(head)

    def _touch(self, state: State, plan: _Plan) -> None:
        state.store.touch_files(
            (row.size, row.mtime_ns, row.ctime_ns, row.inode, row.read_ns, file_id) for file_id, row in plan.touched
        )

    # --- writing

    def _write(self, state: State, plan: _Plan, relink_all: bool, tell: Listener) -> Report:
        if len(plan.changed) >= _SPREAD:
            # While rows are written here, and the linker finds out what is to be linked.
            self.workers().load(worker.Project(*_projects(_rows_after(state, plan))), helped=not relink_all)
        changed_keys = set() if relink_all else self._update_linker(state, plan)
        relink_all = relink_all or changed_keys is None
        store = state.store
        with store.transaction():
            files = self._write_files(state, plan)
            ids = Ids(store, files)
            self._write_symbols(state, plan, files, ids)
            relink = self._to_relink(state, plan, files, changed_keys or set(), relink_all)
            store.clear_links(files[path] for path in relink)
            writer = LinkWriter(store, ids)
            failed: dict[str, str] = {}
            for done, answer in enumerate(self._linked(state, plan, relink, relink_all), 1):
                if isinstance(answer, Lost):
                    failed[answer.path] = answer.reason
                else:
                    writer.add(answer)
                if done % 16 == 0 or done == len(relink):
                    tell(Progress("link", done, len(relink)))
            writer.flush()
            self._note_failures(state, relink, failed)
            tell(Progress("store", 0, 0))
            state.meta.update(self._stamp(state))
            store.set_meta(state.meta)
        report = _report(state, plan, len(relink), writer.dangling, cold=state.empty)
        self._finish(state)
        return report

    def _update_linker(self, state: State, plan: _Plan) -> set[int] | None:
        """Tell the linker about the changes; returns the hashes of the keys that changed.

        None where it could not take them in: everything has to be linked anew, by a linker that begins with them.
        """
        try:
            return {key_hash(key) for key in self._changed_keys(state, plan)}
        except _UpdateError as error:
            state.forget_linker()
            state.rebuilt = f"the change of {error.path} could not be taken in ({error})"
            return None

    def _changed_keys(self, state: State, plan: _Plan) -> set[str]:
        linker, source = self._linker(state)
        for path in list(state.laid):
            self._lift_buffer(state, linker, path)
        changed: set[str] = set()
        for path in plan.gone:
            with _updating(path):
                changed |= _told(linker, source, path, None, state.known[path][1])
        for path, found in sorted(plan.changed.items()):
            known = state.known.get(path)
            with _updating(path):
                changed |= _told(linker, source, path, found.file, known[1] if known else None)
        state.touched(changed)
        return changed

    def _linker(self, state: State) -> tuple[Linker, StoreSource]:
        if state.linker is None or state.source is None:
            from nav_ls.graph.link import Linker  # most syncs find nothing to link

            projects = _projects(row for _, row in state.known.values())
            state.source = StoreSource(self.layout.root.name, self._fact_store(), *projects)
            state.linker = Linker(state.source)
            state.source.forget_summaries()
        return state.linker, state.source

    def _write_files(self, state: State, plan: _Plan) -> dict[str, int]:
        store = state.store
        self._touch(state, plan)
        store.remove_files([state.known.pop(path)[0] for path in plan.gone])
        for path, found in sorted(plan.changed.items()):
            assert found.file is not None, "files that are gone are not among those that changed"
            known = state.known.get(path)
            file_id = store.put_file(found.file, known[0] if known else None)
            state.known[path] = (file_id, msgspec.structs.replace(found.file, lines=b""))
        return {path: file_id for path, (file_id, _) in state.known.items()}

    def _write_symbols(self, state: State, plan: _Plan, files: dict[str, int], ids: Ids) -> None:
        write = state.store.add_symbols if state.empty else state.store.replace_symbols
        names: dict[str, None] = {}
        for path, found in sorted(plan.changed.items()):
            ids.set(path, write(files[path], found.symbols))
            names.update((row.name, None) for row in found.symbols if row.key)
        state.store.add_names(names)

    def _to_relink(
        self, state: State, plan: _Plan, files: dict[str, int], changed: set[int], relink_all: bool
    ) -> list[str]:
        code = [path for path, (_, row) in state.known.items() if row.language]
        if relink_all:
            return sorted(code)
        wanted = {path for path in plan.changed if path in files}
        wanted.update(path for path in code if has_failure(state.known[path][1].problems))
        if changed:
            dependent = touched(state.store.deps(), changed)
            wanted.update(path for path in code if files[path] in dependent)
        return sorted(wanted)

    def _linked(self, state: State, plan: _Plan, paths: list[str], relink_all: bool) -> Iterator[PackedLinks | Lost]:
        code = [path for path in paths if state.known[path][1].language]
        if relink_all:
            state.forget_linker()

        def here(path: str) -> PackedLinks | Lost:
            linker, _ = self._linker(state)
            answer = self._links_of_saved(state, plan, path) or _link(linker, path)
            return links.pack(path, answer) if isinstance(answer, Links) else answer

        if len(code) < _SPREAD:
            yield from map(here, code)
            return
        project = worker.Project(*_projects(row for _, row in state.known.values()))
        yield from self.workers().link(project, code, None if relink_all else here)

    def _links_of_saved(self, state: State, plan: _Plan, path: str) -> Links | None:
        """The links of a buffer that was saved as it is, where they still hold."""
        linked, open_, changed = state.linked.get(path), self._buffers.get(path), plan.changed.get(path)
        if linked is None or open_ is None or changed is None or changed.file is None:
            return None
        same = changed.file.facts == open_.key and linked.facts is open_.facts
        return linked.buffer.links if same else None

    def _note_failures(self, state: State, paths: list[str], failed: dict[str, str]) -> None:
        """A file that cannot be linked has no links and says why; one that can be linked again says so no more."""
        changed: dict[int, str] = {}
        for path in paths:
            file_id, row = state.known[path]
            problems = with_failure(row.problems, failed.get(path))
            if problems != row.problems:
                changed[file_id] = problems
                state.known[path] = (file_id, msgspec.structs.replace(row, problems=problems))
        state.store.set_problems(changed)

    def _stamp(self, state: State) -> dict[str, object]:
        return {
            "generation": state.generation + 1,
            "root": self.layout.root.name,
            "branch": state.view.branch,
            "commit": state.view.commit,
            "tree": state.view.tree,
            "indexed_at": time.time(),
            "extractor": self._extractor(),
            "linker": version_of("nav_ls.graph"),
            "rebuilt": state.rebuilt,
        }

    def _extractor(self) -> str:
        """What decides what is found in a file: nav's own code, and what is left out as too large or too slow."""
        return f"{version_of('nav_ls.syntax')} {msgspec.json.encode(self._limits).decode()}"

    def _finish(self, state: State) -> None:
        if state.scratch:
            path = self.layout.database(state.view)
            state.publish(path)
            collect_databases(self.layout)
        else:
            state.store.checkpoint()
        state.empty = False
        self._collect(state)

    def _collect(self, state: State) -> None:
        """Keep the store of facts in bounds: every edit leaves those of the text before it behind."""
        files = sum(1 for _, row in state.known.values() if row.facts)
        if self._facts is not None and self._facts.count() > _SLACK * files + _SPARE:
            collect_facts(self.layout, self._facts)


class _UpdateError(Exception):
    """A mistake in the linker, brought to light by the change of `path`; what it holds now may be wrong."""

    def __init__(self, path: str, cause: Exception) -> None:
        super().__init__(worker.internal(cause))
        self.path = path


@contextmanager
def _updating(path: str) -> Iterator[None]:
    try:
        yield
    except NavError:
        raise
    except Exception as error:
        raise _UpdateError(path, error) from error


def _link(linker: Linker, path: str) -> Links | Lost:
    """The links of one file; a mistake in the linker costs that file's links and not the sync."""
    try:
        return linker.link(path)
    except NavError:
        raise
    except Exception as error:
        return Lost(path, worker.internal(error))


def _told(linker: Linker, source: StoreSource, path: str, row: FileRow | None, before: FileRow | None) -> set[str]:
    """Tell a linker what became of one file; returns the keys that changed."""
    is_manifest = row is not None and bool(row.flags & FileFlag.MANIFEST)
    was_manifest = before is not None and bool(before.flags & FileFlag.MANIFEST)
    changed: set[str] = set()
    if row is not None and (row.language or is_manifest):
        source.put(path, row.facts, manifest=is_manifest)
    else:
        source.drop(path)
    if (row is not None and row.language) or (before is not None and before.language):
        changed |= linker.update(path)
    if is_manifest or was_manifest:
        changed |= linker.update_manifest(path)
    return changed


def _rows_after(state: State, plan: _Plan) -> Iterator[FileRow]:
    """The files of a state as they will be when a plan is carried out."""
    passed = {*plan.changed, *plan.gone}
    yield from (row for path, (_, row) in state.known.items() if path not in passed)
    for found in plan.changed.values():
        if found.file is not None:
            yield found.file


def _projects(rows: Iterator[FileRow]) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Keys of facts by path, of code and of manifests."""
    code: dict[str, bytes] = {}
    manifests: dict[str, bytes] = {}
    for row in rows:
        if row.language:
            code[row.path] = row.facts
        elif row.flags & FileFlag.MANIFEST:
            manifests[row.path] = row.facts
    return code, manifests


def _buffer(path: str, language: str, text: bytes, facts: FileFacts, found: Links) -> Buffer:
    rows = symbol_rows(path, facts, len(text))
    return Buffer(path, language, text, text.isascii(), rows, LineTable.of(text).pack(), found)


def _is_saved(state: State, path: str, buffer: _Open) -> bool:
    """Whether a buffer holds what its file does, as far as that is indexed."""
    known = state.known.get(path)
    return known is not None and known[1].facts == buffer.key


def _is_package(state: State) -> bool:
    """Whether the root's own name is that of a Python package, by which its files import each other."""
    return "__init__.py" in state.known or "__init__.pyi" in state.known


def _report(state: State, plan: _Plan, relinked: int, dangling: int, *, cold: bool) -> Report:
    rows = [row for _, row in state.known.values()]
    return Report(
        generation=state.generation,
        files=sum(1 for row in rows if row.language),
        changed=len(plan.changed),
        removed=len(plan.gone),
        relinked=relinked,
        skipped=sum(1 for row in rows if row.skip),
        seconds=0.0,
        cold=cold,
        others=sum(1 for found in plan.changed.values() if found.file is None or not found.file.language),
        dangling=dangling,
        rebuilt=state.rebuilt,
    )


def _passed(path: str, reason: str) -> FileRow:
    return FileRow(path, "", 0, 0, 0, 0, 0, skip=reason)


def _restat(row: FileRow, seen: FileRow) -> FileRow:
    return msgspec.structs.replace(
        row, size=seen.size, mtime_ns=seen.mtime_ns, ctime_ns=seen.ctime_ns, inode=seen.inode, read_ns=seen.read_ns
    )


def _same_content(known: FileRow, row: FileRow) -> bool:
    return (known.hash, known.language, known.skip, known.facts) == (row.hash, row.language, row.skip, row.facts)


def _nobody(progress: Progress) -> None:
    """The listener of those who do not want to know."""


@contextmanager
def _collector_off() -> Iterator[None]:
    # Bulk work makes millions of small objects without cycles; looking through them again and again costs a third.
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
