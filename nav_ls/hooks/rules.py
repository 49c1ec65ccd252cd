"""The repository's conventions where agents read rules by themselves: Cursor's rules folder, AGENTS.md."""

from __future__ import annotations

import re
from pathlib import Path

from nav_ls.hooks.install import Change

CURSOR = ".cursor/rules/nav.mdc"
AGENTS = "AGENTS.md"
_TOKENS = 1500
_HEAD = "---\ndescription: How this repository is built, as its call graph shows it (written by nav)\nalwaysApply: true\n---\n"
_BEGIN = "<!-- nav:begin (written by `nav hook rules`; edits in here are lost) -->"
_END = "<!-- nav:end -->"
_SECTION = re.compile(rf"\n*{re.escape(_BEGIN)}.*?{re.escape(_END)}\n?", re.DOTALL)
_GUIDE = (
    'Before searching by hand, ask nav (its MCP tools, or the command line): `nav search "question"`, '
    '`nav context "task"`, `nav defs NAME`, `nav callers NAME`, `nav impact NAME`, `nav outline PATH`.'
)


def plan_cursor(root: Path, *, remove: bool = False) -> list[Change]:
    """The change that writes or removes Cursor's rules file."""
    path = root / CURSOR
    before = _read(path)
    after = None if remove else f"{_HEAD}\n{_body(root)}"
    return [] if before == after else [Change(path, before, after)]


def plan_agents_md(root: Path, *, remove: bool = False) -> list[Change]:
    """The change that writes or removes nav's section of AGENTS.md; everything around it stays."""
    path = root / AGENTS
    before = _read(path)
    rest = _SECTION.sub("\n", before) if before and _BEGIN in before else before or ""
    if remove:
        after: str | None = rest if rest.strip() else None
        return [] if before is None or _BEGIN not in before else [Change(path, before, after)]
    gap = "\n" if rest and not rest.endswith("\n\n") else ""
    gap = gap if rest.endswith("\n") or not rest else "\n\n"
    after = f"{rest}{gap}{_BEGIN}\n{_body(root)}{_END}\n"
    return [] if before == after else [Change(path, before, after)]


def _body(root: Path) -> str:
    return f"# Working in this repository\n\n{_GUIDE}\n\n{_conventions(root)}\n"


def _conventions(root: Path) -> str:
    from nav_ls.commands.agents import DigestParams, TextResult
    from nav_ls.commands.model import Context
    from nav_ls.commands.table import execute, find
    from nav_ls.workspace.workspace import Workspace

    workspace = Workspace.open(root)
    try:
        result = execute(workspace, find("nav.conventions"), DigestParams(tokens=_TOKENS), Context())
    finally:
        workspace.close()
    assert isinstance(result, TextResult)
    return result.text


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
