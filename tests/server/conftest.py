"""Servers for tests: one of its own where a test is about the server, one for all where it is about answers."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lsp_editor import Editor

from tests.conftest import own_runtime


@pytest.fixture(scope="module")
def shared_runtime() -> Iterator[Path]:
    """A runtime folder for all tests of a module."""
    with own_runtime() as folder:
        yield folder


@pytest.fixture(scope="session")
def make_repo(tmp_path_factory: pytest.TempPathFactory) -> Callable[[dict[str, str]], Path]:
    """Makes a git repository of some files."""

    def make(files: dict[str, str]) -> Path:
        root = tmp_path_factory.mktemp("repo")
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
        return root

    return make


@pytest.fixture(scope="session")
def ready() -> Callable[[Editor], Editor]:
    """Waits until the index of an editor's repository is there."""

    def wait(editor: Editor) -> Editor:
        editor.notification("nav/status", lambda status: status["state"] == "fresh")
        return editor

    return wait
