"""nav.hook: what a coding agent's hook prints.  All of it happens here; the shim only carries bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from nav_ls.commands import contracts
from nav_ls.commands.agents import digest_text
from nav_ls.commands.context import CHARACTERS_PER_TOKEN, SYNC_SECONDS, ContextResult, context_for
from nav_ls.commands.memory import Memory
from nav_ls.commands.model import Command, Context
from nav_ls.commands.show import name_of
from nav_ls.query import calls, targets
from nav_ls.query.model import SymbolInfo
from nav_ls.query.prompts import is_machine_made
from nav_ls.query.snapshot import Snapshot
from nav_ls.text import git
from nav_ls.text.errors import BusyError, DamagedError, StorageError
from nav_ls.text.fence import clean, fence
from nav_ls.text.hashes import content_hash
from nav_ls.workspace.workspace import Workspace

_MOST_LINES = 60
_SHORTEST_NAME = 4
_MOST_MEANT = 4
# A pattern that looks for one name: with word boundaries, an opening parenthesis, or the word that defines it.
_IDENTIFIER = re.compile(
    r"(?:\\b)?(?:(?:def|class|func|function|fn|struct|interface|type|enum|trait|const|let|var|new)(?:\s|\\s)[+*]?)?"
    r"(?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)*)(?:\\b|\\s[*+])*(?:\\?\()?"
)
_WRAPPER = 150
"""Characters that a host's own JSON takes around a text."""


class HookParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a host, as its shim passes it on.

    `event`: session-start | user-prompt-submit | pre-tool-use | post-tool-use; `payload`: what the host wrote to the
    hook's stdin.  `in_cursor`: Cursor runs the hook, which also runs those of others.
    """

    host: str
    event: str
    payload: dict[str, Any]
    folder: str = ""
    in_cursor: bool = False
    characters: int = 9000


class HookResult(msgspec.Struct, frozen=True):
    """`text` comes first, the shim counts on it.  Where it is empty, `reason` says why; `notes`: what the search lacked."""

    text: str
    reason: str = ""
    notes: tuple[str, ...] = ()


def run_hook(workspace: Workspace, params: HookParams, context: Context) -> HookResult:
    """What a host's hook prints.  Says nothing where there is no index: only somebody who asks for one gets one."""
    if params.host != "cursor" and (params.in_cursor or "cursor_version" in params.payload):
        return HookResult("", "Cursor has hooks of its own")
    if params.event == "user-prompt-submit" and is_machine_made(_text(params.payload, "prompt", "submitted_prompt")):
        return HookResult("", "not written by a person")
    handler = _HOOKS.get(params.event)
    if handler is None:
        return HookResult("", f"nothing to do for {params.event}")
    if not workspace.indexed:
        return HookResult("", "not indexed: run `nav index`")
    try:
        return handler(workspace, params, context)
    except DamagedError as error:
        # Building it again takes longer than a prompt waits; the server does it, or the next `nav index`.
        return HookResult("", str(error))


def _session_start(workspace: Workspace, params: HookParams, context: Context) -> HookResult:
    memory = _memory(workspace, params)
    if params.payload.get("source") != "resume":
        memory.forget()
    limit = _encoded_limit(params, workspace.config.hooks.digest_tokens)
    with workspace.snapshot() as snapshot:
        freshness = workspace.freshness(snapshot, context.behind)
        text = _encoded(lambda characters: digest_text(workspace, snapshot, freshness, characters), limit)
    return HookResult(text, "" if text else "nothing indexed")


def _prompt(workspace: Workspace, params: HookParams, context: Context) -> HookResult:
    memory = _memory(workspace, params)
    settings = workspace.config.hooks
    limit = _encoded_limit(params, settings.context_tokens)
    task = _text(params.payload, "prompt", "submitted_prompt")
    seen = memory.seen()
    found: ContextResult | None = None

    def answer(characters: int) -> str:
        nonlocal found
        found = context_for(workspace, task, characters, settings.blocks, seen)
        return found.text

    text = _encoded(answer, limit)
    if found is None or not text:
        return HookResult("", found.reason if found else "no room", found.notes if found else ())
    memory.add([block.id for block in found.blocks])
    return HookResult(text, notes=found.notes)


def _around_search(workspace: Workspace, params: HookParams, context: Context) -> HookResult:
    """With a search for an identifier: where it is defined and who calls it."""
    tool_input = params.payload.get("tool_input")
    pattern = _text(tool_input, "pattern", "query") if isinstance(tool_input, dict) else ""
    found_name = _IDENTIFIER.fullmatch(pattern.strip())
    if found_name is None or len(found_name["name"]) < _SHORTEST_NAME:
        return HookResult("", "not a search for an identifier")
    name = found_name["name"]
    with workspace.snapshot() as snapshot:
        found = targets.resolve(snapshot, name)
        if not 1 <= len(found) <= _MOST_MEANT:
            return HookResult("", "no definition, or too many")
        lines = [line for symbol in found for line in _about(snapshot, symbol)]
    return _once(workspace, params, fence(clean("\n".join(lines)), f"nav knows this about {name}."))


def _after_tool(workspace: Workspace, params: HookParams, context: Context) -> HookResult:
    """After an edit: the callers of definitions whose contract has changed.  After a search: as with one.

    Some hosts hand nothing to their model that a hook says before the search.
    """
    tool_input = params.payload.get("tool_input")
    if isinstance(tool_input, dict) and "pattern" in tool_input:
        return _around_search(workspace, params, context)
    path = _edited_path(workspace, tool_input)
    if path is None or not isinstance(tool_input, dict):
        return HookResult("", "no edit of a file of this repository")
    try:
        workspace.sync([path], wait=SYNC_SECONDS)
    except (BusyError, StorageError) as error:
        return HookResult("", str(error))
    source = workspace.read(path)
    before = _text_before(workspace, path, params.payload, source.text) if source is not None else None
    if source is None or before is None:
        return HookResult("", "what the file was before is not known")
    with workspace.snapshot() as snapshot:
        symbols = contracts.changed(before, source.text, snapshot.symbols_of(path))
        told = [_about(snapshot, symbol) for symbol in symbols]
    lines = [line for about in told if len(about) > 1 for line in about]
    if not lines:
        return HookResult("", "no contract with callers has changed")
    what = "The signature of these definitions has just changed; check that their callers still fit."
    return _once(workspace, params, fence(clean("\n".join(lines[:_MOST_LINES])), what))


def _text_before(workspace: Workspace, path: str, payload: dict[str, Any], now: bytes) -> str | None:
    """The text of a file before the edit; where the edit does not tell, that of the last commit."""
    text = contracts.text_before(now.decode("utf-8", "replace"), payload["tool_input"], payload.get("tool_response"))
    if text is not None or workspace.layout.repository is None:
        return text
    # "./": the repository that nav knows may begin above or below the one that git does.
    stored = git.run(workspace.layout.repository, "show", f"HEAD:./{path}")
    return stored.decode("utf-8", "replace") if stored is not None else None


def _once(workspace: Workspace, params: HookParams, text: str) -> HookResult:
    """The text, unless the session has been told just that."""
    memory = _memory(workspace, params)
    id = f"told:{content_hash(text.encode('utf-8', 'replace')).hex()[:16]}"
    if id in memory.seen():
        return HookResult("", "told before")
    memory.add([id])
    return HookResult(text)


_HOOKS = {
    "session-start": _session_start,
    "user-prompt-submit": _prompt,
    "pre-tool-use": _around_search,
    "post-tool-use": _after_tool,
}


def _memory(workspace: Workspace, params: HookParams) -> Memory:
    session = _text(params.payload, "session_id", "conversation_id")
    return Memory(workspace.layout.folder, params.host, session)


def _text(values: dict[str, Any], *keys: str) -> str:
    for key in keys:
        value = values.get(key)
        if isinstance(value, str):
            return value
    return ""


def _edited_path(workspace: Workspace, tool_input: object) -> str | None:
    named_path = _text(tool_input, "file_path", "path", "absolute_path") if isinstance(tool_input, dict) else ""
    if not named_path:
        return None
    return workspace.relative(Path(workspace.root / named_path))


def _about(snapshot: Snapshot, symbol: SymbolInfo) -> list[str]:
    found = calls.callers(snapshot, symbol, 10)
    lines = [f"{symbol.kind} {symbol.qual} — {symbol.path}:{symbol.name_span.line + 1}: {symbol.signature}"]
    for item in found.callers:
        line = snapshot.lines(item.symbol.path)
        sites = ", ".join(str(site.span.line + 1) for site in item.sites[:4]) if line is not None else ""
        lines.append(f"  called by {name_of(item.symbol)} ({item.symbol.path}:{sites}) [{item.evidence}]")
    if found.total > len(found.callers):
        lines.append(f"  and {found.total - len(found.callers)} more callers")
    if found.possible_total:
        lines.append(f"  {found.possible_total} more possible sites by name")
    return lines


def _encoded_limit(params: HookParams, tokens: int) -> int:
    limit = tokens * CHARACTERS_PER_TOKEN
    return min(limit, params.characters - _WRAPPER) if params.characters else limit


def _encoded(make: Callable[[int], str], limit: int) -> str:
    """A text whose JSON has at most `limit` characters; hosts count what a hook prints."""
    characters = limit
    for _ in range(4):
        text = make(characters)
        excess = len(msgspec.json.encode(text).decode()) - limit
        if excess <= 0:
            return text
        characters -= excess + 16
        if characters <= 0:
            break
    return ""


COMMANDS = (Command("nav.hook", HookParams, HookResult, run_hook, "what an agent's hook prints", reads=False),)
