"""Run a real client once, headless, against the fake endpoint, in a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.agents import clients
from tests.agents.fake import FakeModel
from tests.npm import node_bin

_SECONDS = 180


class Sandbox:
    """A home and a project that no other test shares."""

    def __init__(self, folder: Path, project: Path) -> None:
        self.home = folder / "home"
        self.project = project
        # Short: a unix socket's path may have about 100 bytes.
        self.runtime = folder / "run"
        self.home.mkdir()
        self.runtime.mkdir(mode=0o700)

    def environment(self, **extra: str) -> dict[str, str]:
        """A clean environment with the clients' Node first on the path."""
        folders = [str(node_bin()), *os.environ.get("PATH", "").split(os.pathsep)]
        home = str(self.home)
        names = ("LANG", "TMPDIR", "PYTHONPATH", "NAV_SERVER_IDLE_MINUTES")
        kept = {name: os.environ[name] for name in names if name in os.environ}
        return kept | {"PATH": os.pathsep.join(folders), "HOME": home, "XDG_RUNTIME_DIR": str(self.runtime)} | extra

    def run(self, command: Sequence[str], **extra: str) -> subprocess.CompletedProcess[str]:
        """Run a program in the project."""
        return subprocess.run(
            command,
            cwd=self.project,
            env=self.environment(**extra),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )


def claude(
    sandbox: Sandbox, model: FakeModel, prompt: str, *options: str, **extra: str
) -> subprocess.CompletedProcess[str]:
    """One prompt through Claude Code."""
    program = clients.install(clients.CLAUDE) / "claude"
    return sandbox.run(
        [str(program), "-p", *options, "--", prompt],
        ANTHROPIC_API_KEY="sk-ant-fake",
        ANTHROPIC_BASE_URL=model.url,
        ANTHROPIC_MODEL="claude-fake",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        DISABLE_AUTOUPDATER="1",
        DISABLE_TELEMETRY="1",
        **extra,
    )


def qwen(
    sandbox: Sandbox, model: FakeModel, prompt: str, *options: str, **extra: str
) -> subprocess.CompletedProcess[str]:
    """One prompt through Qwen Code."""
    program = clients.install(clients.QWEN) / "qwen"
    return sandbox.run(
        [str(program), "--auth-type", "openai", *options, "-p", prompt],
        OPENAI_API_KEY="fake",
        OPENAI_BASE_URL=f"{model.url}/v1",
        OPENAI_MODEL="fake-model",
        **extra,
    )


def opencode(sandbox: Sandbox, model: FakeModel, prompt: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """One prompt through OpenCode; writes its provider into the user's configuration."""
    program = clients.install(clients.OPENCODE) / "opencode"
    _configure_opencode(sandbox, model)
    return sandbox.run(
        [str(program), "run", prompt],
        OPENCODE_DISABLE_AUTOUPDATE="1",
        OPENCODE_DISABLE_MODELS_FETCH="1",
        OPENCODE_DISABLE_LSP_DOWNLOAD="1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS="1",
        **extra,
    )


def _configure_opencode(sandbox: Sandbox, model: FakeModel) -> None:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{model.url}/v1", "apiKey": "fake"},
        "models": {"fake-model": {}},
    }
    file = sandbox.home / ".config" / "opencode" / "opencode.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    settings = json.loads(file.read_text()) if file.exists() else {}
    settings |= {
        "provider": {"fake": provider},
        "model": "fake/fake-model",
        "small_model": "fake/fake-model",
        "autoupdate": False,
    }
    file.write_text(json.dumps(settings))
