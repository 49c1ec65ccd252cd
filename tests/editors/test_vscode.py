"""A real VS Code (code-server in headless Chromium), as a person uses it.  Screenshots are written beside."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editors import programs
from tests.npm import Unavailable, node_bin

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow

SECONDS = 60.0
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_SETTINGS = {
    "nav.palette.debounce": 50,
    "chat.disableAIFeatures": True,
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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Code:
    """One VS Code with the extension, and a page that shows it."""

    def __init__(
        self, environment: dict[str, str], repository: Path, folder: Path, settings: dict[str, Any], pictures: Path
    ) -> None:
        self._pictures = pictures
        node = str(node_bin() / "node")
        data, extensions = folder / "data", folder / "extensions"
        (data / "Machine").mkdir(parents=True)
        (data / "Machine" / "settings.json").write_text(json.dumps({**_SETTINGS, **settings}))
        base = [node, str(programs.code_server()), "--user-data-dir", str(data), "--extensions-dir", str(extensions)]
        install = [*base, "--install-extension", str(programs.extension())]
        done = subprocess.run(install, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        self.port = free_port()
        self._log = (folder / "code.log").open("w")
        self._process = subprocess.Popen(
            [*base, *_SERVER, "--bind-addr", f"127.0.0.1:{self.port}", str(repository)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._wait_for_port()
        self._playwright = sync_api.sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=programs.chromium(), args=list(CHROMIUM_FLAGS))
        self.page = self._browser.new_page(viewport={"width": 1280, "height": 800})
        self.page.set_default_timeout(SECONDS * 1000)
        self.page.goto(f"http://127.0.0.1:{self.port}/?folder={repository}")
        self.page.wait_for_selector(".monaco-workbench")

    def _wait_for_port(self) -> None:
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=2).close()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def close(self) -> None:
        self._browser.close()
        self._playwright.stop()
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait(20)
        self._log.close()

    def command(self, title: str) -> None:
        """Run a command as a person does: through the command palette."""
        self.page.keyboard.press("F1")
        self.page.wait_for_selector(".quick-input-widget input")
        self.page.keyboard.type(title)
        self.page.locator(f".quick-input-list .monaco-list-row:has-text({json.dumps(title)})").first.wait_for()
        self.page.keyboard.press("Enter")

    def open(self, name: str, line: int, column: int = 1) -> None:
        """Open a file at a place: in the explorer, then by line and column."""
        self.page.keyboard.press("Control+Shift+E")
        self.page.locator(f'.explorer-folders-view .monaco-list-row[aria-label^="{name}"]').dblclick()
        self.page.wait_for_selector(f'.tab.active:has-text("{name}")')
        self.page.keyboard.press("Control+1")
        self.page.keyboard.press("Control+G")
        self.page.wait_for_selector(".quick-input-widget input")
        self.page.keyboard.type(f"{line}:{column}")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".quick-input-widget", state="hidden")

    def text(self, selector: str) -> str:
        return " ".join(" ".join(self.page.locator(selector).all_inner_texts()).split())

    def until(self, what: str, holds: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            answer = holds()
            if answer:
                return answer
            self.page.wait_for_timeout(150)
        self.page.screenshot(path=str(self._pictures / "vscode-failed.png"))
        told = self.page.locator(".statusbar-item[id*='nav.status'] a").get_attribute("aria-label")
        raise AssertionError(f"{what}: not within {SECONDS} s; the status bar says {told!r}")

    def status(self) -> str:
        return self.text(".statusbar-item[id*='nav.status']")


@pytest.fixture
def code(
    surroundings: dict[str, str], repository: Path, tmp_path: Path, pictures: Path, request: pytest.FixtureRequest
) -> Iterator[Code]:
    try:
        programs.chromium(), programs.code_server(), programs.extension()
    except Unavailable as why:
        pytest.skip(str(why))
    # Not left to PATH: the editor asks the user's login shell for that.
    settings = {"nav.server.path": str(tmp_path / "bin" / "nav-ls"), **getattr(request, "param", {})}
    vscode = Code(surroundings, repository, tmp_path / "code", settings, pictures)
    yield vscode
    vscode.close()


def fresh(code: Code) -> None:
    code.until("the status bar says that all is fresh", lambda: code.status() == "nav")


def test_a_session(code: Code, repository: Path, surroundings: dict[str, str], pictures: Path) -> None:
    """One editor start is slow, so one session goes through everything."""
    fresh(code)
    find_callers(code, pictures)
    call_hierarchy(code, pictures)
    search(code, pictures)
    save_and_see(code, repository)
    graph(code, pictures)
    killed_and_recovered(code, surroundings)


def find_callers(code: Code, pictures: Path) -> None:
    code.open("till.py", 16, 6)
    code.command("Nav: Find Callers")
    tree = ".pane-body [role=treeitem]"
    code.until("callers in the tree", lambda: "refund" in code.text(tree) and "Till.pay" in code.text(tree))
    code.page.screenshot(path=str(pictures / "vscode-callers.png"))


def call_hierarchy(code: Code, pictures: Path) -> None:
    code.page.keyboard.press("Control+1")
    code.open("till.py", 10, 10)
    code.command("Peek Call Hierarchy")
    code.until("the peek shows the caller", lambda: "checkout" in code.text(".call-hierarchy"))
    code.page.screenshot(path=str(pictures / "vscode-call-hierarchy.png"))
    code.page.keyboard.press("Escape")


def search(code: Code, pictures: Path) -> None:
    code.command("Nav: Search")
    code.page.locator('.quick-input-title:has-text("Nav: Search")').wait_for()
    code.page.keyboard.type("refuse amounts that make no sense", delay=15)
    rows = ".quick-input-list .monaco-list-row"
    code.until("a hit while typing", lambda: "validate" in code.text(rows))
    code.page.screenshot(path=str(pictures / "vscode-search.png"))
    code.page.keyboard.press("Enter")
    code.page.wait_for_selector('.tab.active:has-text("till.py")')


def save_and_see(code: Code, repository: Path) -> None:
    code.open("shop.py", 10, 1)
    code.page.keyboard.press("Control+End")
    # On one line: whether the editor indents the next one depends on how soon it knows the language.
    code.page.keyboard.type("\n\ndef audit(): validate(3)\n")
    code.page.keyboard.press("Control+S")
    code.until("saved", lambda: "def audit" in (repository / "shop.py").read_text())
    code.open("till.py", 16, 6)
    code.command("Nav: Find Callers")
    code.until("the new caller", lambda: "audit" in code.text(".pane-body [role=treeitem]"))


def graph(code: Code, pictures: Path) -> None:
    code.open("till.py", 16, 6)
    code.command("Nav: Open Graph")
    frame = code.page.frame_locator("iframe.webview").frame_locator("iframe#active-frame")
    frame.locator("svg .centre").wait_for()
    frame.locator('svg .node[aria-label*="Till.pay"]').click()
    frame.locator('svg .node[aria-label*="checkout"]').wait_for()
    code.page.screenshot(path=str(pictures / "vscode-graph.png"))


def killed_and_recovered(code: Code, surroundings: dict[str, str]) -> None:
    listing = subprocess.run(["ps", "-wweo", "pid,args"], capture_output=True, text=True, check=True).stdout
    servers = [
        line.split()[0]
        for line in listing.splitlines()
        if "nav_ls.server" in line and surroundings["XDG_RUNTIME_DIR"] in line
    ]
    assert servers, listing
    for pid in servers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    code.until("it is fresh again", lambda: code.status() == "nav")
    code.open("till.py", 10, 10)
    code.command("Nav: Find Callers")
    code.until("callers again", lambda: "checkout" in code.text(".pane-body [role=treeitem]"))


@pytest.mark.parametrize("code", [{"nav.server.path": "/nowhere/nav-ls"}], indirect=True)
def test_a_missing_server_is_told_with_one_button(code: Code, pictures: Path) -> None:
    code.until("the message", lambda: "nav-ls was not found" in code.text(".notification-list-item"))
    assert code.status() == "nav off"
    code.page.screenshot(path=str(pictures / "vscode-missing.png"))
    code.page.locator('.notification-list-item a:has-text("Show How to Install")').click()
    code.until("the walkthrough", lambda: "Install the server" in code.text(".gettingStartedContainer"))
