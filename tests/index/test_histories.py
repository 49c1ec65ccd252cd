"""Whatever happens to a repository's history, each view's index equals one that is built from nothing.

Edits, moves (also of case only), deletions, commits, branches, switches, merges, rebases, stashes, work trees,
detached commits, and processes that are killed while they index.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from numpy.typing import NDArray

from nav_ls.index.indexer import Indexer
from nav_ls.index.search_index import SearchIndex
from nav_ls.store import content, lock
from nav_ls.store.health import collect
from nav_ls.store.layout import Layout
from nav_ls.store.vectors import VectorCache
from nav_ls.text import git
from tests.index.dump import difference, dump
from tests.index.test_incremental import LANGUAGES, modules, names, suffixes

_IDENTITY = ("-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false", "-c", "gc.auto=0")
_GC = (
    "import sys; from pathlib import Path; from nav_ls.store.layout import Layout; from nav_ls.store.health import collect;"
    "from nav_ls.store import lock; layout = Layout.find(Path(sys.argv[1])); layout.make_folder()\n"
    "with lock.writer(layout.folder): collect(layout)"
)
_INDEX = "import sys; from pathlib import Path; from nav_ls.index.indexer import Indexer; Indexer(Path(sys.argv[1]), workers=1).sync()"

branches = st.sampled_from(["main", "one", "two", "Two", "a/b"])


class StandIn:
    """An embedder that costs nothing."""

    model = "stand-in"
    dims = 2

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), self.dims), np.float32)

    def query(self, text: str) -> NDArray[np.float32]:
        return self.documents([text])[0]


class Histories(RuleBasedStateMachine):
    """A repository with a main and a linked work tree; `here` is the one that is worked in."""

    steps = 0
    comparisons = 0

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(prefix="nav-histories-"))
        self.main = self.base / "main"
        self.here = self.main
        self.main.mkdir()
        self.git("init", "-q", "-b", "main")
        (self.main / "a.py").write_text("def run():\n    return run()\n")
        self.commit()
        self.indexers: dict[Path, Indexer] = {}
        self.taken = 0

    def git(self, *arguments: str) -> bool:
        """Run git in the work tree; whether it went well (a conflict, an unknown branch: it does not matter)."""
        command = ["git", "-C", str(self.here), *_IDENTITY, *arguments]
        return subprocess.run(command, env=git.environment(), capture_output=True, check=False).returncode == 0

    def files(self) -> list[str]:
        return sorted(
            path.relative_to(self.here).as_posix()
            for path in self.here.rglob("*")
            if path.is_file() and path.suffix in LANGUAGES and ".git" not in path.parts and ".nav" not in path.parts
        )

    @rule(module=modules, suffix=suffixes, index=st.integers(0, 99), values=names)
    def write(self, module: str, suffix: str, index: int, values: dict[str, str]) -> None:
        texts = LANGUAGES[suffix]
        path = self.here / (module + suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[index % len(texts)].format(**values))

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        if self.files():
            (self.here / data.draw(st.sampled_from(self.files()))).unlink()

    @rule(data=st.data(), module=modules, swap_case=st.booleans())
    def move(self, data: st.DataObject, module: str, swap_case: bool) -> None:
        if not self.files():
            return
        path = self.here / data.draw(st.sampled_from(self.files()))
        target = path.with_name(path.name.swapcase()) if swap_case else self.here / (module + path.suffix)
        target = target.with_suffix(path.suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, target)

    @rule()
    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "change")

    @rule(name=branches, create=st.booleans())
    def switch(self, name: str, create: bool) -> None:
        self.git("switch", "-q", *(["-c"] if create else []), name)

    @rule(name=branches)
    def merge(self, name: str) -> None:
        if not self.git("merge", "-q", "--no-edit", name):
            self.git("merge", "--abort")

    @rule(name=branches)
    def rebase(self, name: str) -> None:
        if not self.git("rebase", "-q", name):
            self.git("rebase", "--abort")

    @rule(pop=st.booleans())
    def stash(self, pop: bool) -> None:
        self.git("stash", *(["pop"] if pop else ["-u"]), "-q")

    @rule(back=st.integers(0, 3))
    def detach(self, back: int) -> None:
        self.git("checkout", "-q", "--detach", f"HEAD~{back}")

    @rule(name=branches)
    def remove_branch(self, name: str) -> None:
        self.git("branch", "-D", name)

    @rule(linked=st.booleans())
    def work_tree(self, linked: bool) -> None:
        tree = self.base / "linked"
        if linked and not tree.exists():
            self.git("worktree", "add", "-q", "--detach", str(tree))
        self.here = tree if linked and tree.exists() else self.main

    @rule(seed=st.integers(0, 1 << 16), code=st.sampled_from([_INDEX, _INDEX, _GC]))
    def killed(self, seed: int, code: str) -> None:
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(self.here)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(random.Random(seed).random() * 0.5)
        process.kill()
        process.wait()

    @rule()
    def restart(self) -> None:
        for indexer in self.indexers.values():
            indexer.close()
        self.indexers.clear()

    @rule()
    def gc(self) -> None:
        layout = Layout.find(self.here)
        if layout.folder.exists():
            with lock.writer(layout.folder, 10):
                collect(layout)

    @rule()
    def embed(self) -> None:
        layout = Layout.find(self.here)
        database = layout.database(layout.view())
        if not database.exists():
            return
        with contextlib.closing(SearchIndex(self.here, layout.folder, database)) as search:
            search.refresh()
            assert search.embed(StandIn()).repaired == ""
        assert self.contents("content_hash") <= self.vectors()

    def contents(self, column: str) -> set[bytes]:
        """What the units of the view say in a column."""
        layout = Layout.find(self.here)
        with contextlib.closing(sqlite3.connect(layout.database(layout.view()))) as connection:
            return {row[0] for row in connection.execute(f"SELECT {column} FROM units WHERE {column} IS NOT NULL")}

    def vectors(self) -> set[bytes]:
        """The keys of all vectors."""
        path = Layout.find(self.here).folder / content.NAME
        if not path.exists():
            return set()
        with contextlib.closing(VectorCache.readable(path)) as cache:
            return set(cache.get(cache.known(StandIn.model), StandIn.model))

    @invariant()
    def every_third_step(self) -> None:
        Histories.steps += 1
        self.taken += 1
        if self.taken % 3 == 0:
            self.sync()

    @rule()
    def sync(self) -> None:
        if not self.files():
            return
        if self.here not in self.indexers:
            self.indexers[self.here] = Indexer(self.here, workers=2)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("nav_ls.index.indexer._SPREAD", 4)  # part of the files is linked by a worker
            report = self.indexers[self.here].sync(wait=10)
        assert report.dangling == 0
        Histories.comparisons += 1
        found = self._dump()
        assert self.contents("embedded_hash") <= self.vectors()
        folder, kept = Layout.find(self.here).folder, self.base / "kept"
        with contextlib.closing(Indexer(self.here, workers=1)) as cold:
            os.replace(folder, kept)
            try:
                cold.sync()
                fresh = self._dump()
            finally:
                cold.close()
                shutil.rmtree(folder, ignore_errors=True)
                os.replace(kept, folder)
        for rows in (found, fresh):
            rows.pop("unit texts")  # those that wait depend on what was embedded before
        assert not difference(found, fresh), difference(found, fresh)

    def _dump(self) -> dict[str, list[tuple[object, ...]]]:
        layout = Layout.find(self.here)
        database = layout.database(layout.view())
        search = SearchIndex(self.here, layout.folder, database)
        try:
            search.refresh()
        finally:
            search.close()
        return dump(database)

    def teardown(self) -> None:
        self.restart()
        shutil.rmtree(self.base)


TestShort = Histories.TestCase
TestShort.settings = settings(
    max_examples=3, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


class TestLong(Histories.TestCase):  # type: ignore[misc, valid-type]
    @classmethod
    def tearDownClass(cls) -> None:
        print(f"{Histories.steps} steps, {Histories.comparisons} comparisons with a cold index")

    settings = settings(
        max_examples=int(os.environ.get("NAV_EXAMPLES", "2")),
        stateful_step_count=30,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize="NAV_EXAMPLES" not in os.environ,
    )


TestLong = pytest.mark.slow(TestLong)
