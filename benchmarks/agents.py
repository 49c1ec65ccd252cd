"""The same tasks for a coding agent with and without nav, and what each change reinvents.

    python -m benchmarks.agents REPO TASKS.jsonl [--agent claude|qwen|opencode] [--folder DIR] [--json]

A line of TASKS is `{"task": "what to do, as one would say it"}`.  Each task is done twice, in a work tree of its own
at REPO's last commit: once by the agent alone, once with nav's hooks and its MCP server in the project's settings.
Then `nav conform` looks at both changes.  The agent is taken from PATH and speaks to its model as it is configured:
that costs money, and needs its key.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

AGENTS = {
    "claude": ("claude", "--permission-mode", "acceptEdits", "-p"),
    "qwen": ("qwen", "--approval-mode", "auto-edit", "-p"),
    "opencode": ("opencode", "run"),
}
"""How to give each agent one task without a person; the task comes last."""

SERVED = {"claude": ("--mcp-config", ".mcp.json", "--allowedTools", "mcp__nav")}
"""What an agent has to be told before it uses the MCP servers of a project without a person's consent."""
ARMS = ("alone", "nav")
_IDENTITY = ("-c", "user.name=nav", "-c", "user.email=nav@localhost")


class Outcome(NamedTuple):
    """One change: the agent's exit code, its size, and what `nav conform` says of it."""

    task: int
    arm: str
    exit_code: int
    added_lines: int
    findings: list[dict[str, Any]]
    own_calls: int
    outside_calls: int
    reuse: float


def main() -> int:
    """Run all tasks and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", type=Path)
    parser.add_argument("tasks", type=Path)
    parser.add_argument("--agent", choices=tuple(AGENTS), default="claude")
    parser.add_argument("--folder", type=Path, help="where the work trees are made (default: a temporary folder)")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each change, findings included")
    arguments = parser.parse_args()
    tasks = [json.loads(line)["task"] for line in arguments.tasks.read_text("utf-8").splitlines() if line.strip()]
    if shutil.which(AGENTS[arguments.agent][0]) is None:
        sys.exit(f"there is no {AGENTS[arguments.agent][0]} on PATH")
    with tempfile.TemporaryDirectory(prefix="nav-agents-") as temporary:
        folder = (arguments.folder or Path(temporary)).resolve()
        outcomes = [
            run(arguments.repo, folder / f"{number}-{arm}", number, task, arm, arguments.agent)
            for number, task in enumerate(tasks, 1)
            for arm in ARMS
        ]
    for line in map(json.dumps, (o._asdict() for o in outcomes)) if arguments.json else table(outcomes):
        print(line)
    return 0


def run(repo: Path, tree: Path, number: int, task: str, arm: str, agent: str) -> Outcome:
    """Give a task to an agent in a work tree that is gone afterwards; look at what it did."""
    git(repo, "worktree", "add", "--detach", "--quiet", str(tree), "HEAD")
    try:
        if arm == "nav":
            for what in ("hook", "mcp"):
                nav(tree, what, "install", "--host", agent, "--project")
            nav(tree, "index")
            # Committed, so that the change holds what the agent wrote and nothing else.
            git(tree, "add", "-A")
            git(tree, *_IDENTITY, "commit", "-q", "--no-verify", "--allow-empty", "-m", "Ask nav")
        program, *options = AGENTS[agent]
        command = [program, *(SERVED.get(agent, ()) if arm == "nav" else ()), *options, task]
        code = subprocess.run(command, cwd=tree, stdin=subprocess.DEVNULL, check=False).returncode
        git(tree, "add", "-A", "--intent-to-add")
        rows = [row.split("\t")[0] for row in git(tree, "diff", "--numstat", "HEAD").splitlines()]
        found = json.loads(nav(tree, "--json", "--no-server", "conform"))
    finally:
        git(repo, "worktree", "remove", "--force", str(tree))
    lines = sum(int(added) for added in rows if added.isdigit())
    return Outcome(
        *(number, arm, code, lines, found["findings"]),
        *(found["own_calls"], found["outside_calls"], found["reuse"]),
    )


def table(outcomes: list[Outcome]) -> list[str]:
    """One row a change, and the sums of both arms."""
    lines = [f"{'task':>4}  {'arm':8}{'exit':>5}{'lines':>7}{'findings':>10}{'own calls':>11}{'others':>8}{'reuse':>7}"]
    for o in outcomes:
        counts = f"{o.exit_code:>5}{o.added_lines:>7}{len(o.findings):>10}{o.own_calls:>11}{o.outside_calls:>8}"
        lines.append(f"{o.task:>4}  {o.arm:8}{counts}{o.reuse:>7.0%}")
    for arm in ARMS:
        mine = [o for o in outcomes if o.arm == arm]
        own, others = sum(o.own_calls for o in mine), sum(o.outside_calls for o in mine)
        counts = f"{sum(o.added_lines for o in mine):>7}{sum(len(o.findings) for o in mine):>10}{own:>11}{others:>8}"
        lines.append(f" all  {arm:8}{'':5}{counts}{own / max(1, own + others):>7.0%}")
    return lines


def nav(folder: Path, *arguments: str) -> str:
    """What a nav command prints."""
    command = [sys.executable, "-m", "nav_ls.main", *arguments, "-C", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def git(folder: Path, *arguments: str) -> str:
    """What a git command prints."""
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
