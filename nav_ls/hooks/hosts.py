"""The coding agents that nav knows: one row each.

What differs between hosts is data: where settings live, how a hook is written down, what it is called, in what
shape its answer is read, and how much of it arrives.  A host with command hooks is a row and nothing else.
"""

from __future__ import annotations

import msgspec

SESSION_START = "session-start"
PROMPT = "user-prompt-submit"
BEFORE_TOOL = "pre-tool-use"
AFTER_TOOL = "post-tool-use"
EVENTS = (SESSION_START, PROMPT, BEFORE_TOOL, AFTER_TOOL)
"""nav's own names of the events, in the order in which they are shown."""


class Hook(msgspec.Struct, frozen=True):
    """One event of a host.

    `name` is what the host calls it.  `form` is the shape of the answer (see the shim): `specific:NAME` puts the
    text into `hookSpecificOutput` of event NAME, `flat:KEY` under KEY, `proceed:KEY` likewise beside
    `"continue": true`, `text` is the bare text.  `timeout` is written in the host's own unit.  `matcher` limits
    tool events to tools.
    """

    name: str
    form: str
    timeout: int
    matcher: str = ""


class Host(msgspec.Struct, frozen=True):
    """One coding agent.

    style: "groups" (event → list of `{"hooks": [{"type": "command", ...}]}`), "flat" (event → list of
    `{"command": ...}`), "plugin" (a JavaScript file that starts the shim).
    Files are relative to the home folder (`user_*`) or to the root of the project (`project_*`).
    `mcp_style`: "servers" (`mcpServers.NAME = {"command", "args"}`), "local" (`mcp.NAME = {"type": "local",
    "command": [...]}`), "toml" (a table `mcp_servers.NAME`).  `characters`: the most that a hook may print, wrapper included; 0 where no limit is known.
    """

    name: str
    label: str
    style: str
    user_settings: str
    project_settings: str
    hooks: dict[str, Hook]
    mcp_style: str
    user_mcp: str
    project_mcp: str
    characters: int = 9000
    preset: dict[str, int] = {}
    """Members that the settings file needs where it is new."""
    note: str = ""
    """What is left to do by hand once the hooks are installed."""


# Claude Code and Cursor cut at 10,000 characters: the first replaces more by a reference, the second drops it.
# Project settings of Claude Code go where it keeps what is one person's own: the command names this machine's Python.
HOSTS = (
    Host(
        name="claude",
        label="Claude Code",
        style="groups",
        user_settings=".claude/settings.json",
        project_settings=".claude/settings.local.json",
        hooks={
            SESSION_START: Hook("SessionStart", "specific:SessionStart", 10),
            PROMPT: Hook("UserPromptSubmit", "specific:UserPromptSubmit", 10),
            BEFORE_TOOL: Hook("PreToolUse", "specific:PreToolUse", 5, "Grep"),
            AFTER_TOOL: Hook("PostToolUse", "specific:PostToolUse", 5, "Edit|MultiEdit|Write"),
        },
        mcp_style="servers",
        user_mcp=".claude.json",
        project_mcp=".mcp.json",
    ),
    Host(
        name="qwen",
        label="Qwen Code",
        style="groups",
        user_settings=".qwen/settings.json",
        project_settings=".qwen/settings.json",
        hooks={
            # 1000 and more are read as milliseconds, less as seconds; older versions know milliseconds only.
            SESSION_START: Hook("SessionStart", "specific:SessionStart", 10000),
            PROMPT: Hook("UserPromptSubmit", "specific:UserPromptSubmit", 10000),
            # What a hook says before a tool runs does not reach the model.
            AFTER_TOOL: Hook("PostToolUse", "specific:PostToolUse", 5000, "edit|write_file|grep_search"),
        },
        mcp_style="servers",
        user_mcp=".qwen/settings.json",
        project_mcp=".qwen/settings.json",
    ),
    Host(
        name="cursor",
        label="Cursor",
        style="flat",
        user_settings=".cursor/hooks.json",
        project_settings=".cursor/hooks.json",
        hooks={
            SESSION_START: Hook("sessionStart", "flat:additional_context", 10),
            # Documented are `continue` and `user_message` only; newer versions are reported to read the context too.
            PROMPT: Hook("beforeSubmitPrompt", "proceed:additional_context", 10),
            AFTER_TOOL: Hook("postToolUse", "flat:additional_context", 5, "Write|Grep"),
        },
        mcp_style="servers",
        user_mcp=".cursor/mcp.json",
        project_mcp=".cursor/mcp.json",
        preset={"version": 1},
    ),
    Host(
        name="opencode",
        label="OpenCode",
        style="plugin",
        user_settings=".config/opencode/plugins/nav.js",
        project_settings=".opencode/plugins/nav.js",
        hooks={
            SESSION_START: Hook("experimental.chat.system.transform", "text", 10),
            PROMPT: Hook("chat.message", "text", 10),
        },
        mcp_style="local",
        user_mcp=".config/opencode/opencode.json",
        project_mcp="opencode.json",
    ),
    Host(
        name="codex",
        label="Codex",
        style="groups",
        user_settings=".codex/hooks.json",
        project_settings=".codex/hooks.json",
        hooks={
            SESSION_START: Hook("SessionStart", "specific:SessionStart", 10),
            PROMPT: Hook("UserPromptSubmit", "specific:UserPromptSubmit", 10),
        },
        mcp_style="toml",
        user_mcp=".codex/config.toml",
        project_mcp=".codex/config.toml",
        note="Codex runs a hook only once you trust it: open /hooks in it.",
    ),
    Host(
        name="gemini",
        label="Gemini CLI",
        style="groups",
        user_settings=".gemini/settings.json",
        project_settings=".gemini/settings.json",
        hooks={
            SESSION_START: Hook("SessionStart", "specific:SessionStart", 10000),
            PROMPT: Hook("BeforeAgent", "specific:BeforeAgent", 10000),
            AFTER_TOOL: Hook(
                "AfterTool", "specific:AfterTool", 5000, "replace|write_file|grep_search|search_file_content"
            ),
        },
        mcp_style="servers",
        user_mcp=".gemini/settings.json",
        project_mcp=".gemini/settings.json",
    ),
)
BY_NAME = {host.name: host for host in HOSTS}
