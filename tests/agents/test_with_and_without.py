"""The benchmark that gives an agent the same task with and without nav, with a real agent and a fake model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents import clients
from tests.agents.fake import ToolCall, fake_model
from tests.agents.run import Sandbox
from tests.copies import COPY, HELPER

pytestmark = pytest.mark.slow

REUSE = "from rows import chunk_rows\n\n\ndef in_groups(items):\n    return chunk_rows(items, 10)\n"


def test_both_changes_are_scored(tmp_path: Path) -> None:
    try:
        program = clients.install(clients.CLAUDE)
    except clients.Unavailable as why:
        pytest.skip(str(why))
    repo, trees = tmp_path / "repo", tmp_path / "trees"
    repo.mkdir()
    (repo / "rows.py").write_text(HELPER)
    git = ["git", "-C", str(repo), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *arguments], check=True)
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text(json.dumps({"task": "Put the items into groups of ten, in groups.py"}) + "\n")
    sandbox = Sandbox(tmp_path, repo)
    written = [
        ToolCall("Write", {"file_path": str(trees / f"1-{arm}" / "groups.py"), "content": text}, where=f"1-{arm}")
        for arm, text in (("alone", COPY), ("nav", REUSE))
    ]
    with fake_model(*written) as model:
        environment = sandbox.environment(
            ANTHROPIC_API_KEY="sk-ant-fake",
            ANTHROPIC_BASE_URL=model.url,
            ANTHROPIC_MODEL="claude-fake",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_AUTOUPDATER="1",
            PYTHONPATH=os.getcwd(),
            NAV_NO_SERVER="1",
            ENABLE_TOOL_SEARCH="false",
        )
        environment["PATH"] = os.pathsep.join((str(program), environment["PATH"]))
        command = [sys.executable, "-m", "benchmarks.agents", str(repo), str(tasks), "--folder", str(trees), "--json"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        # The hooks and the MCP server of the agent have started one.
        stop = [sys.executable, "-m", "nav_ls", "server", "stop"]
        subprocess.run(stop, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    alone, helped = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [row["rule"] for row in alone["findings"]] == ["clone"], done.stdout
    assert (alone["own_calls"], helped["own_calls"]) == (0, 1), done.stdout
    assert helped["findings"] == []
    assert any(name.startswith("mcp__nav__") for name in model.tools())
    assert not list(trees.iterdir())
