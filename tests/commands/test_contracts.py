"""After an edit: which definitions have other parameters than before, in every way that hosts describe an edit."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nav_ls.commands.contracts import text_before
from nav_ls.commands.hook import HookParams, HookResult, run_hook
from nav_ls.commands.model import Context
from nav_ls.workspace.workspace import Workspace

PYTHON = """class Till:
    def charge(self, amount: int, currency="EUR") -> int:
        return round_up(amount)

def round_up(amount: int) -> int:
    return amount + 1

def pay() -> int:
    return Till().charge(round_up(3))
"""
GO = """package shop

func RoundUp(amount int) int { return amount + 1 }

func Pay() int { return RoundUp(3) }
"""
TYPESCRIPT = """export const roundUp = (amount: number): number => amount + 1;
export function keep<T>(value: T): T { return value; }
export const pay = () => keep(roundUp(3));
"""
FILES = {"till.py": PYTHON, "shop.go": GO, "shop.ts": TYPESCRIPT, "go.mod": "module shop\n"}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a commit and an index, to copy."""
    root = tmp_path_factory.mktemp("contracts") / "root"
    root.mkdir()
    for path, text in FILES.items():
        (root / path).write_text(text)
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    opened = Workspace.open(root)
    opened.sync()
    opened.close()
    return root


@pytest.fixture
def workspace(indexed: Path, tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(shutil.copytree(indexed, tmp_path / "root"))
    yield opened
    opened.close()


def edit(workspace: Workspace, path: str, old: str, new: str, session: str = "", **more: Any) -> HookResult:
    """Edit a file as a host does, and tell the hook."""
    file = workspace.root / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    tool_input = {"file_path": str(file)} | more.pop("tool_input", {"old_string": old, "new_string": new})
    payload = {"session_id": session, "tool_input": tool_input} | more
    return run_hook(workspace, HookParams("claude", "post-tool-use", payload), Context())


@pytest.mark.parametrize(
    "path, old, new, name, caller",
    [
        ("till.py", "round_up(amount: int)", "round_up(amount: int, step: int)", "round_up", "Till.charge"),
        ("till.py", 'currency="EUR"', "currency", "Till.charge", "pay"),
        ("shop.go", "(amount int)", "(amount int, step int)", "RoundUp", "Pay"),
        ("shop.ts", "(amount: number)", "(amount: number, step: number)", "roundUp", "pay"),
        ("shop.ts", "keep<T>(value: T)", "keep<T>(value: T, twice = false)", "keep", "pay"),
    ],
)
def test_callers_are_told_when_parameters_change(
    workspace: Workspace, path: str, old: str, new: str, name: str, caller: str
) -> None:
    text = edit(workspace, path, old, new).text
    assert f" {name} \u2014 {path}" in text
    assert f"called by {caller} ({path}" in text
    assert text.count(" \u2014 ") == 1


@pytest.mark.parametrize(
    "path, old, new",
    [
        ("till.py", "return amount + 1", "return amount + 2"),
        ("till.py", "amount: int, currency", "amount: int,  currency"),
        ("till.py", "def pay() -> int:", "def pay_all() -> int:"),
        ("shop.go", "RoundUp(3)", "RoundUp(4)"),
    ],
)
def test_other_edits_say_nothing(workspace: Workspace, path: str, old: str, new: str) -> None:
    assert edit(workspace, path, old, new).text == ""


def test_a_whole_file_that_is_written_is_compared_with_what_the_host_says_it_was(workspace: Workspace) -> None:
    new = PYTHON.replace("round_up(amount: int)", "round_up(amount: int, step: int)")
    told = edit(
        workspace, "till.py", PYTHON, new, tool_input={"content": new}, tool_response={"originalFile": PYTHON}
    ).text
    assert "function round_up" in told


def test_a_whole_file_that_is_written_is_compared_with_the_commit_where_the_host_says_nothing(
    workspace: Workspace,
) -> None:
    new = PYTHON.replace("round_up(amount: int)", "round_up(amount: int, step: int)")
    assert "function round_up" in edit(workspace, "till.py", PYTHON, new, tool_input={"content": new}).text


def test_a_new_file_says_nothing(workspace: Workspace) -> None:
    (workspace.root / "new.py").write_text("")
    assert edit(workspace, "new.py", "", PYTHON, tool_input={"content": PYTHON}).text == ""


def test_several_edits_at_once_are_taken_back_in_order(workspace: Workspace) -> None:
    first, second = ("amount: int)", "amount: int, a: int)"), ("amount: int, a: int)", "amount: int, a: int, b: int)")
    edits = [{"old_string": old, "new_string": new} for old, new in (first, second)]
    told = edit(workspace, "till.py", first[0], second[1], tool_input={"edits": edits}).text
    assert "function round_up" in told


def test_a_session_is_told_once(workspace: Workspace) -> None:
    old, new = "round_up(amount: int)", "round_up(amount: int, step: int)"
    assert edit(workspace, "till.py", old, new, "s").text
    again = run_hook(
        workspace,
        HookParams(
            "claude",
            "post-tool-use",
            {"session_id": "s", "tool_input": {"file_path": "till.py", "old_string": old, "new_string": new}},
        ),
        Context(),
    )
    assert again.text == ""
    assert again.reason == "told before"


@pytest.mark.parametrize(
    "values", [{}, {"old_string": 1, "new_string": 2}, {"edits": [1, "x"]}, {"old_string": "a", "new_string": ""}]
)
def test_edits_that_do_not_tell_what_was_before(values: dict[str, Any]) -> None:
    assert text_before("text", values, None) in (None, "text")


def ask_before(workspace: Workspace, pattern: str) -> str:
    payload = {"session_id": "", "tool_name": "Grep", "tool_input": {"pattern": pattern}}
    return run_hook(workspace, HookParams("claude", "pre-tool-use", payload), Context()).text


@pytest.mark.parametrize(
    "pattern",
    ["round_up", r"\bround_up\b", r"round_up\(", "round_up(", "def round_up", r"def\s+round_up\(", "Till.charge"],
)
def test_a_search_for_a_name(workspace: Workspace, pattern: str) -> None:
    assert "called by" in ask_before(workspace, pattern)


@pytest.mark.parametrize("pattern", ["TODO|FIXME", "a", "round_.*", "nothing_here", "", "import round_up as"])
def test_other_searches_say_nothing(workspace: Workspace, pattern: str) -> None:
    assert ask_before(workspace, pattern) == ""


def test_after_a_search_as_before_it_but_once(workspace: Workspace) -> None:
    payload = {"session_id": "s", "tool_input": {"pattern": "round_up", "path": "."}}
    for event, told in (("post-tool-use", True), ("pre-tool-use", False)):
        assert bool(run_hook(workspace, HookParams("qwen", event, payload), Context()).text) is told
