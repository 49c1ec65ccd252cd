"""After any sequence of changes the index equals one that is built from nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from nav_ls.index.indexer import Indexer
from tests.index.dump import difference, dump

PYTHON = [
    "def {f}(x):\n    return {g}(x)\n",
    "class {C}({D}):\n    def {f}(self):\n        return self.{g}()\n\n    def {g}(self):\n        return {C}().{f}()\n",
    "from {m} import {f}, {C}\n\n\ndef use(a: {C}):\n    a.{f}()\n    return {f}(a)\n",
    "from {p}.{m} import {g} as {f}\nimport {m}\n\n{f}(1)\n{m}.{g}({f})\n",
    "import {p}.{m}\n\n\ndef {g}():\n    x = {p}.{m}.{C}()\n    return x.{f}(x.{g})\n",
    "from .{m} import *\nfrom . import {m}\n\n\nclass {D}({C}):\n    def {f}(self):\n        return super().{f}()\n",
    (
        "class {C}:\n    attribute = None\n\n    def __init__(self, other: '{D}'):\n        self.attribute = {D}()\n\n"
        "    def {g}(self):\n        self.attribute.{f}()\n        return self.attribute\n"
    ),
    "def {f}() -> '{C}':\n    ...\n\n\ndef {f}():\n    return {g}().{f}().{g}()\n",
    "",
    "def broken(:\n    {f}(\nclass {C}:\n    def {g}(self): {f}()\n",
]
GO = [
    "package {p}\n\nfunc {f}() int {{ return {g}() }}\n",
    "package {p}\n\ntype {C} struct {{ {D} }}\n\nfunc (c *{C}) {f}() {{ c.{g}() }}\n\nfunc (c {C}) {g}() {{}}\n",
    "package {p}\n\ntype {D} interface {{ {f}() }}\n\nfunc use(d {D}) {{ d.{f}() }}\n\nfunc {g}() {{ use(&{C}{{}}) }}\n",
    'package {p}\n\nimport "example.com/x/{m}"\n\nvar v = {m}.{f}()\n\nfunc {g}() {{ {m}.{g}(); v.{f}() }}\n',
    'package {m}\n\nimport . "example.com/x/{p}"\n\nfunc {g}() {{ var a {C}; a.{f}(); {f}() }}\n',
    "package {p}\n\nfunc init() {{ {f}() }}\n\nfunc init() {{ {g}() }}\n",
]
TYPESCRIPT = [
    "export function {f}(x: {C}): {C} {{ return {g}(x); }}\nclass {C} {{}}\n",
    "import {{ {f}, {C} as X }} from './{m}';\nexport default class {D} extends X {{ {f}() {{ return this.{g}(); }} }}\n",
    "export * from './{m}';\nexport {{ {f} as {g} }} from '../{p}/{m}';\n",
    "import * as ns from '@/{p}/{m}';\nimport d from '{p}';\nns.{f}(d.{g}());\nexport const {g} = () => new d().{f}();\n",
    "export interface {D} {{ {f}(): void }}\nexport class {C} implements {D} {{ {f}() {{}} {g}(o: {D}) {{ o.{f}(); }} }}\n",
    "const {{ {f} }} = require('./{m}');\nmodule.exports = {{ {g}: {f}, {C}: class {C} {{}} }};\n",
]
LANGUAGES = {".py": PYTHON, ".go": GO, ".ts": TYPESCRIPT}
ADDED = {
    ".py": "\n\ndef added(): return run()\n",
    ".go": "\n\nfunc added() { run() }\n",
    ".ts": "\n\nexport function added() { return run(); }\n",
}
MANIFESTS = {
    "go.mod": ["module example.com/x\n\ngo 1.22\n", "module example.com/y\n"],
    "tsconfig.json": [
        '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./*"]}}}',
        '{"compilerOptions": {}}',
        "{",
    ],
    "package.json": ['{"name": "x"}', '{"name": "p", "main": "a.ts"}'],
    "p/package.json": ['{"name": "p", "main": "b.ts"}', '{"name": "q"}'],
}

names = st.fixed_dictionaries(
    {
        "f": st.sampled_from(["run", "go", "make"]),
        "g": st.sampled_from(["run", "stop", "make"]),
        "C": st.sampled_from(["Alpha", "Beta"]),
        "D": st.sampled_from(["Beta", "Gamma", "object"]),
        "m": st.sampled_from(["a", "b", "c"]),
        "p": st.sampled_from(["p", "q"]),
    }
)
modules = st.sampled_from(["a", "b", "c", "p/a", "p/b", "p/__init__", "q/a", "q/c", "q/__init__"])
suffixes = st.sampled_from(sorted(LANGUAGES))


class Incremental(RuleBasedStateMachine):
    """Edits files of one root, and compares its index after each sync with a cold one."""

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(prefix="nav-incremental-"))
        self.root = self.base / "root"
        self.root.mkdir()
        self.indexer = Indexer(self.root, workers=1)
        self.cold = Indexer(self.base / "root", workers=1)
        self.files: set[str] = set()
        self.synced = True

    @rule(module=modules, suffix=suffixes, index=st.integers(0, 99), values=names, twice=st.booleans())
    def write(self, module: str, suffix: str, index: int, values: dict[str, str], twice: bool) -> None:
        texts = LANGUAGES[suffix]
        text = texts[index % len(texts)].format(**values)
        path = self.root / (module + suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text * 2 if twice else text)
        self.files.add(module + suffix)
        self.synced = False

    @rule(name=st.sampled_from(sorted(MANIFESTS)), index=st.integers(-1, 2))
    def manifest(self, name: str, index: int) -> None:
        path = self.root / name
        if index < 0:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(MANIFESTS[name][index % len(MANIFESTS[name])])
        self.synced = False

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def append(self, data: st.DataObject) -> None:
        path = self.root / data.draw(st.sampled_from(sorted(self.files)))
        path.write_text(path.read_text() + ADDED[path.suffix])
        self.synced = False

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.files)))
        (self.root / name).unlink()
        self.files.discard(name)
        self.synced = False

    @precondition(lambda self: self.files)
    @rule(data=st.data(), module=modules)
    def rename(self, data: st.DataObject, module: str) -> None:
        name = data.draw(st.sampled_from(sorted(self.files)))
        target = self.root / (module + Path(name).suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(self.root / name, target)
        self.files.discard(name)
        self.files.add(module + Path(name).suffix)
        self.synced = False

    @precondition(lambda self: (self.root / "p").is_dir())
    @rule()
    def remove_package(self) -> None:
        shutil.rmtree(self.root / "p")
        self.files = {name for name in self.files if not name.startswith("p/")}
        self.synced = False

    @precondition(lambda self: self.files)
    @rule(data=st.data(), index=st.integers(0, 99), values=names)
    def open_buffer(self, data: st.DataObject, index: int, values: dict[str, str]) -> None:
        name = data.draw(st.sampled_from(sorted(self.files)))
        texts = LANGUAGES[Path(name).suffix]
        self.indexer.overlay(name, texts[index % len(texts)].format(**values).encode())

    @precondition(lambda self: self.files)
    @rule(data=st.data(), index=st.integers(0, 99), values=names)
    def type_and_save(self, data: st.DataObject, index: int, values: dict[str, str]) -> None:
        name = data.draw(st.sampled_from(sorted(self.files)))
        texts = LANGUAGES[Path(name).suffix]
        text = texts[index % len(texts)].format(**values)
        self.indexer.overlay(name, text.encode())
        (self.root / name).write_text(text)
        self.synced = False

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def close_buffer(self, data: st.DataObject) -> None:
        self.indexer.overlay(data.draw(st.sampled_from(sorted(self.files))), None)

    @rule()
    def restart(self) -> None:
        self.indexer.close()
        self.indexer = Indexer(self.root, workers=1)

    @precondition(lambda self: not self.synced)
    @rule()
    def sync(self) -> None:
        report = self.indexer.sync()
        assert report.dangling == 0
        database = self.indexer.layout.database(self.indexer.layout.view())
        found = dump(database)
        folder = self.root / ".nav"
        kept = self.base / "kept"
        self.cold.close()
        os.replace(folder, kept)
        try:
            self.cold.sync()
            fresh = dump(database)
            self.cold.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            os.replace(kept, folder)
        assert not difference(found, fresh), difference(found, fresh)
        self.synced = True

    @invariant()
    def nothing_is_left_behind(self) -> None:
        assert not list((self.root / ".nav").glob("*.new*"))

    def teardown(self) -> None:
        self.indexer.close()
        self.cold.close()
        shutil.rmtree(self.base)


quick = settings(
    max_examples=8,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
long = settings(
    max_examples=int(os.environ.get("NAV_EXAMPLES", "4")),
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize="NAV_EXAMPLES" not in os.environ,
)

TestQuick = Incremental.TestCase
TestQuick.settings = quick


class TestLong(Incremental.TestCase):  # type: ignore[misc, valid-type]
    settings = long


TestLong = pytest.mark.slow(TestLong)
