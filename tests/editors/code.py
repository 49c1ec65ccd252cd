"""VS Code (code-server in headless Chromium) as a person uses it: keys, clicks, and looking at what is shown.

Each step waits for what it needs to see before the next one, so that a slow machine changes nothing but the time.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.editors import programs
from tests.npm import node_bin

sync_api = pytest.importorskip("playwright.sync_api")

SECONDS = 90.0
_TRIES = 6

# What an editor does by itself while somebody types depends on how fast it is: none of that.
_SETTINGS: dict[str, Any] = {
    "nav.palette.debounce": 50,
    "chat.disableAIFeatures": True,
    "editor.acceptSuggestionOnEnter": "off",
    "editor.autoClosingBrackets": "never",
    "editor.autoIndent": "none",
    "editor.hover.enabled": False,
    "editor.quickSuggestions": False,
    "editor.suggestOnTriggerCharacters": False,
    "files.hotExit": "off",
    "git.enabled": False,
    "telemetry.telemetryLevel": "off",
    "terminal.integrated.gpuAcceleration": "off",
    "workbench.editor.enablePreview": False,
    "workbench.quickOpen.closeOnFocusLost": False,
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
}
_SERVER = (
    "--auth",
    "none",
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-getting-started-override",
    "--disable-workspace-trust",
)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Code:
    """One VS Code with extensions, and a window on a folder."""

    def __init__(
        self,
        playwright: Any,
        environment: dict[str, str],
        repository: Path,
        folder: Path,
        extensions: list[Path],
        settings: dict[str, Any],
        pictures: Path,
    ) -> None:
        self._pictures = pictures
        self._settings = folder / "data" / "Machine" / "settings.json"
        self._settings.parent.mkdir(parents=True)
        self._values = _SETTINGS | settings
        self.set()
        node = str(node_bin() / "node")
        base = [node, str(programs.code_server()), "--user-data-dir", str(folder / "data")]
        base += ["--extensions-dir", str(folder / "extensions")]
        install = [part for one in extensions for part in ("--install-extension", str(one))]
        if install:  # without anything to install the editor itself would start
            done = subprocess.run([*base, *install], env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        port = _free_port()
        self._log = (folder / "code.log").open("w")
        self._process = subprocess.Popen(
            [*base, *_SERVER, "--bind-addr", f"127.0.0.1:{port}", str(repository)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._origin = f"http://127.0.0.1:{port}"
        self._folder = repository
        self._wait_for_port()
        self._browser = playwright.chromium.launch(
            executable_path=programs.chromium(), args=list(programs.CHROMIUM_FLAGS)
        )
        self._context = self._browser.new_context(viewport={"width": 1280, "height": 800})
        self._context.grant_permissions(["clipboard-read", "clipboard-write"], origin=self._origin)
        self._context.set_default_timeout(SECONDS * 1000)
        self.page = self.window()

    @property
    def pid(self) -> int:
        """The process of the editor."""
        return self._process.pid

    def _wait_for_port(self) -> None:
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                urllib.request.urlopen(f"{self._origin}/healthz", timeout=2).close()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def window(self) -> Any:
        """A window on the folder."""
        page = self._context.new_page()
        page.goto(f"{self._origin}/?folder={self._folder}")
        page.wait_for_selector(".monaco-workbench .statusbar-item")
        return page

    def close(self) -> None:
        """Close all windows and end the editor."""
        self._browser.close()
        os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._log.close()

    def set(self, **settings: Any) -> None:
        """Change settings (with `__` for the dots in their names)."""
        self._values |= {name.replace("__", "."): value for name, value in settings.items()}
        fresh = self._settings.with_suffix(".new")
        fresh.write_text(json.dumps(self._values))
        fresh.replace(self._settings)

    # Doing ------------------------------------------------------------------------------------------------------

    def command(self, title: str) -> None:
        """Run a command as a person does: through the command palette."""
        self._quick_input("F1", ">")
        self._box().fill(f">{title}")
        row = self.page.locator(f".quick-input-list .monaco-list-row:has-text({json.dumps(title)})").first
        row.wait_for()
        self._accept(">", lambda: row.click(timeout=1000 * SECONDS / 20))

    def answer(self, text: str) -> None:
        """Answer what is asked in an input box."""
        self._box().fill(text)
        self._box().press("Enter")

    def open(self, name: str, line: int, column: int = 1) -> None:
        """Open a file at a place."""
        tab = self.page.locator(f'.tab[data-resource-name="{name}"]')
        if tab.count() == 0:
            self.page.keyboard.press("Control+Shift+E")
            self.page.locator(f'.explorer-folders-view .monaco-list-row[aria-label^="{name}"]').dblclick()
        else:
            tab.first.click()
        self.page.wait_for_selector(f'.tab.active[data-resource-name="{name}"]')
        self.page.keyboard.press("Control+1")
        self.go(line, column)

    def go(self, line: int, column: int = 1) -> None:
        """Put the cursor of the editor somewhere."""
        self._quick_input("Control+G", ":")
        self._box().fill(f":{line}:{column}")
        self._accept(":", lambda: self.page.keyboard.press("Enter"))
        self.until(f"line {line}", lambda: f"Ln {line}, Col {column}" in self.text("[id='status.editor.selection']"))

    def _quick_input(self, key: str, prefix: str) -> None:
        for _ in range(_TRIES):
            self.page.keyboard.press(key)
            if self.soon(lambda: self._box().is_visible() and self._box().input_value().startswith(prefix)):
                return
            self.page.keyboard.press("Escape")
        raise AssertionError(f"{key} opens nothing that begins with {prefix!r}")

    def _accept(self, prefix: str, choose: Callable[[], None]) -> None:
        """Choose until the quick input is gone or is another one: it takes no notice while it looks things up.

        With patience: what is pressed once more, when it was only slow, is typed into the file.
        """
        for _ in range(_TRIES):
            with contextlib.suppress(sync_api.TimeoutError):  # rows are drawn anew under the pointer
                choose()
            if self.soon(lambda: not (self._box().is_visible() and self._box().input_value().startswith(prefix)), 3):
                return
        raise AssertionError(f"the quick input that begins with {prefix!r} takes no choice")

    def soon(self, holds: Callable[[], bool], fraction: int = 20) -> bool:
        """Whether something comes to hold in a fraction of the usual patience."""
        deadline = time.monotonic() + SECONDS / fraction
        while not holds():
            if time.monotonic() > deadline:
                return False
            self.page.wait_for_timeout(30)
        return True

    def _box(self) -> Any:
        return self.page.locator(".quick-input-widget input.input").first

    # Looking ----------------------------------------------------------------------------------------------------

    def text(self, selector: str) -> str:
        """All that is shown there, blanks as single ones."""
        return " ".join(" ".join(self.page.locator(selector).all_inner_texts()).split())

    def status(self) -> str:
        """What the status bar says of nav."""
        return self.text(".statusbar-item[id*='nav.status']")

    def active(self) -> str:
        """The name of the file that has the focus."""
        return str(
            self.page.locator(".editor-group-container.active .tab.active").first.get_attribute("data-resource-name")
        )

    def line(self) -> str:
        """The number of the line with the cursor, as the margin shows it: the status bar forgets it now and then."""
        return self.text(".editor-group-container.active .line-numbers.active-line-number")

    def tree(self) -> str:
        """What the tree in the side bar shows."""
        return self.text(".pane-body [role=treeitem]")

    def until(self, what: str, holds: Callable[[], Any]) -> Any:
        """Wait for something; raises AssertionError with its name, and takes a picture, when it does not come."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            answer = holds()
            if answer:
                return answer
            self.page.wait_for_timeout(50)
        self.picture("failed")
        told = self.page.locator(".statusbar-item[id*='nav.status'] a").get_attribute("aria-label")
        raise AssertionError(f"{what}: not within {SECONDS} s; the status bar says {told!r}")

    def picture(self, name: str) -> None:
        """Take a picture of the window."""
        self.page.screenshot(path=str(self._pictures / f"vscode-{name}.png"))

    def clipboard(self) -> str:
        """What was copied."""
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    def dismiss(self) -> None:
        """Take away notifications."""
        self.command("Notifications: Clear All Notifications")
        self.page.wait_for_selector(".notification-list-item", state="detached")
