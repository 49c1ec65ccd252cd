"""What a change reinvents, shown after a save to clients that ask for it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import Editor

from tests.copies import COPY, HELPER


@pytest.fixture
def root(make_repo: Callable[[dict[str, str]], Path], runtime: Path) -> Path:
    root = make_repo({"rows.py": HELPER, "groups.py": ""})
    commit = ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "first"]
    for arguments in (["add", "-A"], commit):
        subprocess.run(["git", "-C", str(root), *arguments], check=True)
    return root


def save(editor: Editor, root: Path, path: str, text: str) -> None:
    (root / path).write_text(text)
    editor.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri(path)}})


def told(editor: Editor, path: str, count: int) -> list[dict[str, Any]]:
    """The diagnostics of a file, once there are `count`."""

    def fits(params: dict[str, Any]) -> bool:
        return bool(params["uri"] == editor.uri(path)) and len(params["diagnostics"]) == count

    found: list[dict[str, Any]] = editor.notification("textDocument/publishDiagnostics", fits)["diagnostics"]
    return found


def test_a_copy_is_told_after_the_save_and_taken_back_when_it_is_gone(
    root: Path, ready: Callable[[Editor], Editor]
) -> None:
    with Editor(root, conform=True) as editor:
        ready(editor)
        save(editor, root, "groups.py", COPY)
        (found,) = told(editor, "groups.py", 1)
        assert (found["severity"], found["source"], found["code"]) == (3, "nav", "clone")
        assert found["range"]["start"]["line"] == 0
        assert "split_items does what chunk_rows does already" in found["message"]
        assert found["relatedInformation"][0]["location"]["uri"] == editor.uri("rows.py")
        save(editor, root, "groups.py", "")
        told(editor, "groups.py", 0)


def test_nothing_is_told_unless_asked_for(root: Path, ready: Callable[[Editor], Editor]) -> None:
    with Editor(root) as editor:
        ready(editor)
        save(editor, root, "groups.py", COPY)
        generation = editor.command("nav.status", {})["freshness"]["generation"]
        assert generation
        assert not [m for m in editor.messages if m.get("method") == "textDocument/publishDiagnostics"]
