"""Putting nav into the settings of coding agents, and taking it out again.

Planning and writing are apart: a plan is a list of changes that `--dry-run` shows and `apply` carries out.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from nav_ls.hooks import jsonc, tomlc
from nav_ls.hooks.hosts import AFTER_TOOL, BEFORE_TOOL, PROMPT, SESSION_START, Hook, Host

ALWAYS = (SESSION_START, PROMPT)
TOOLS = (BEFORE_TOOL, AFTER_TOOL)

_OURS = re.compile(r"nav_ls[/\\]+hooks[/\\]+shim\.py")
_MCP_MEMBER = {"servers": ("mcpServers", "nav"), "local": ("mcp", "nav"), "toml": ("mcp_servers", "nav")}
"""Where a host's settings name an MCP server, by style."""
_PLUGIN_MARK = "// Written by `nav hook install`"


class Place(msgspec.Struct, frozen=True):
    """Whose settings are meant: the user's, or those of one project."""

    home: Path
    project: Path | None = None

    def settings(self, host: Host) -> Path:
        """The file that holds a host's hooks."""
        return self.home / host.user_settings if self.project is None else self.project / host.project_settings

    def mcp(self, host: Host) -> Path:
        """The file that holds a host's MCP servers."""
        return self.home / host.user_mcp if self.project is None else self.project / host.project_mcp


class Change(msgspec.Struct, frozen=True):
    """What becomes of one file; None stands for no file."""

    path: Path
    before: str | None
    after: str | None


def command(host: Host, hook: Hook, event: str, seconds: float | None = None) -> list[str]:
    """What runs for one event: an absolute interpreter, the shim, and its arguments."""
    words = [python(), "-I", "-S", shim(), host.name, event, hook.form]
    return words if seconds is None else [*words, f"{seconds:g}"]


def python() -> str:
    """This interpreter by an absolute path; a link into a virtual environment stays one."""
    return os.path.abspath(sys.executable)


def shim() -> str:
    """The file that hosts start."""
    return program("hooks/shim.py")


def program(path: str) -> str:
    """A file of this package that is started by its path."""
    return str(Path(__file__).resolve().parent.parent / path)


def plan_hooks(place: Place, host: Host, *, tools: bool, seconds: float | None = None) -> list[Change]:
    """The changes that make a host call nav.  Raises SettingsError, OSError."""
    path = place.settings(host)
    before = _read(path)
    if host.style == "plugin":
        return _changed(path, before, plugin(host, seconds))
    after = before or ""
    if not after.strip():
        for key, value in host.preset.items():
            after = jsonc.put(after, (key,), value)
    for event in (*ALWAYS, *(TOOLS if tools else ())):
        hook = host.hooks.get(event)
        if hook is not None:
            entry = _entry(host, hook, event, seconds)
            after = _guarded(path, jsonc.add, after, ("hooks", hook.name), entry, _is_ours)
    if not tools:
        after = _without(path, host, after, TOOLS)
    return _changed(path, before, after)


def plan_removal(place: Place, host: Host) -> list[Change]:
    """The changes that take nav's hooks out.  Raises SettingsError, OSError."""
    path = place.settings(host)
    before = _read(path)
    if before is None:
        return []
    if host.style == "plugin":
        return _changed(path, before, None) if before.startswith(_PLUGIN_MARK) else []
    after = _without(path, host, before, (*ALWAYS, *TOOLS))
    if after != before:
        for key, value in host.preset.items():
            if _is_only(after, key, value):
                after = jsonc.drop_member(after, (key,))
    return _changed(path, before, None if after != before and jsonc.is_untouched_shell(after) else after)


def plan_mcp(place: Place, host: Host) -> list[Change]:
    """The changes that make a host start `nav mcp`.  Raises SettingsError, OSError."""
    path = place.mcp(host)
    before = _read(path)
    words = [python(), "-P", program("mcp/__main__.py")]
    plain: dict[str, Any] = {"command": words[0], "args": words[1:]}
    if host.mcp_style == "toml":
        after = _guarded(path, tomlc.put, before or "", _MCP_MEMBER["toml"], plain)
    else:
        value = {"type": "local", "command": words, "enabled": True} if host.mcp_style == "local" else plain
        after = _guarded(path, jsonc.put, before or "", _MCP_MEMBER[host.mcp_style], value)
    return _changed(path, before, after)


def plan_mcp_removal(place: Place, host: Host) -> list[Change]:
    """The changes that take the MCP server out.  Raises SettingsError, OSError."""
    path = place.mcp(host)
    before = _read(path)
    if before is None:
        return []
    if host.mcp_style == "toml":
        return _changed(path, before, tomlc.drop(before) or None)
    after = _guarded(path, jsonc.drop_member, before, _MCP_MEMBER[host.mcp_style])
    return _changed(path, before, None if after != before and jsonc.is_untouched_shell(after) else after)


def installed(place: Place, host: Host) -> dict[str, str]:
    """The commands of nav in a host's settings, by event; for a plugin, its path for each event."""
    path = place.settings(host)
    text = _read(path)
    if not text or not text.strip():
        return {}
    if host.style == "plugin":
        return {event: str(path) for event in host.hooks} if text.startswith(_PLUGIN_MARK) else {}
    settings = jsonc.value_of(text, _guarded(path, jsonc.parse, text))
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    found = {}
    for event, hook in host.hooks.items():
        entries = hooks.get(hook.name) if isinstance(hooks, dict) else None
        for entry in entries if isinstance(entries, list) else []:
            ours = [line for line in _commands(entry) if _OURS.search(line)]
            if ours:
                found[event] = ours[0]
    return found


def plugin(host: Host, seconds: float | None) -> str:
    """The JavaScript of a host that knows plugins instead of commands."""
    template = files("nav_ls.hooks").joinpath("plugin.js").read_text("utf-8")
    hooks = {event: command(host, hook, event, seconds) for event, hook in host.hooks.items()}
    return template.replace('"@COMMANDS@"', msgspec.json.format(msgspec.json.encode(hooks), indent=2).decode())


def diff(change: Change) -> str:
    """A change as a unified diff."""
    before = (change.before or "").splitlines(keepends=True)
    after = (change.after or "").splitlines(keepends=True)
    old = "/dev/null" if change.before is None else str(change.path)
    new = "/dev/null" if change.after is None else str(change.path)
    lines = []
    for line in difflib.unified_diff(before, after, old, new):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def apply(changes: Iterable[Change]) -> None:
    """Carry out a plan.  Raises OSError; a file is replaced whole or not at all."""
    for change in changes:
        if change.after is None:
            change.path.unlink(missing_ok=True)
        else:
            _write(change.path, change.after)


def _entry(host: Host, hook: Hook, event: str, seconds: float | None) -> dict[str, Any]:
    words = command(host, hook, event, seconds)
    # A Python that is gone must not stop anybody's prompt: some hosts take exit code 2 for "do not send this".
    line = subprocess.list2cmdline(words) if os.name == "nt" else f"{shlex.join(words)} || exit 0"
    matcher = {"matcher": hook.matcher} if hook.matcher else {}
    if host.style == "flat":
        return {"command": line, "timeout": hook.timeout} | matcher
    return matcher | {"hooks": [{"type": "command", "command": line, "timeout": hook.timeout}]}


def _is_ours(entry: Any) -> bool:
    """Whether every command of an entry is nav's."""
    lines = _commands(entry)
    return bool(lines) and all(_OURS.search(line) for line in lines)


def _commands(entry: Any) -> list[str]:
    if not isinstance(entry, dict):
        return []
    inner = entry.get("hooks", [entry])
    found = [part.get("command") for part in inner if isinstance(part, dict)] if isinstance(inner, list) else []
    return [line for line in found if isinstance(line, str)]


def _without(path: Path, host: Host, text: str, events: Iterable[str]) -> str:
    for event in events:
        hook = host.hooks.get(event)
        if hook is not None:
            text = _guarded(path, jsonc.drop_elements, text, ("hooks", hook.name), _is_ours)
    return text


def _is_only(text: str, key: str, value: Any) -> bool:
    """Whether a settings file holds nothing but one preset."""
    node = jsonc.parse(text)
    return bool(jsonc.value_of(text, node) == {key: value})


def _guarded(path: Path, edit: Any, *arguments: Any) -> Any:
    try:
        return edit(*arguments)
    except jsonc.SettingsError as error:
        raise jsonc.SettingsError(f"{path}: {error}; nothing was changed") from error


def _changed(path: Path, before: str | None, after: str | None) -> list[Change]:
    return [] if before == after else [Change(path, before, after)]


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise jsonc.SettingsError(f"{path} is not UTF-8; nothing was changed") from error


def _write(path: Path, text: str) -> None:
    target = path.resolve()  # settings are often links into somebody's dotfiles
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
