"""What each host writes to a hook's stdin: for `nav hook doctor`, and for tests of the contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nav_ls.hooks.hosts import AFTER_TOOL, BEFORE_TOOL, PROMPT, SESSION_START, Host

_SESSION = "nav-doctor"


def sample(host: Host, event: str, root: Path, prompt: str) -> dict[str, Any]:
    """A payload in the host's shape."""
    name = host.hooks[event].name
    if host.name == "cursor":
        return _cursor(name, event, root, prompt)
    common: dict[str, Any] = {
        "session_id": _SESSION,
        "transcript_path": "",
        "cwd": str(root),
        "hook_event_name": name,
    }
    extra: dict[str, dict[str, Any]] = {
        SESSION_START: {"source": "startup"},
        PROMPT: {"prompt": prompt, "permission_mode": "default"},
        BEFORE_TOOL: {"tool_name": "Grep", "tool_input": {"pattern": "main"}},
        AFTER_TOOL: {"tool_name": "Edit", "tool_input": {"file_path": str(root / "README.md")}, "tool_response": {}},
    }
    return common | extra[event]


def _cursor(name: str, event: str, root: Path, prompt: str) -> dict[str, Any]:
    common: dict[str, Any] = {
        "conversation_id": _SESSION,
        "generation_id": "1",
        "model": "default",
        "hook_event_name": name,
        "cursor_version": "1.0.0",
        "workspace_roots": [str(root)],
        "user_email": None,
        "transcript_path": None,
    }
    extra: dict[str, dict[str, Any]] = {
        SESSION_START: {"session_id": _SESSION, "is_background_agent": False, "composer_mode": "agent"},
        PROMPT: {"prompt": prompt, "attachments": []},
        AFTER_TOOL: {"tool_name": "Write", "tool_input": {"file_path": str(root / "README.md")}, "tool_output": "{}"},
    }
    return common | extra[event]
