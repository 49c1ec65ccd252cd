"""A real VS Code (code-server in headless Chromium), as a person uses it.  Screenshots are written beside."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import traceback
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors import programs
from tests.editors.code import Code
from tests.editors.conftest import bridge_pids, nav, server_pids
from tests.npm import Unavailable

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow

# Stands in for a language's own extension: it answers, with two places, what references there are in Python.
OTHER = """
const vscode = require("vscode");
exports.activate = () => vscode.languages.registerReferenceProvider("python", {
  provideReferences: ({ uri }) => [0, 2].map((line) => new vscode.Location(uri, new vscode.Position(line, 0))),
});
"""
OTHER_MANIFEST = {
    "name": "other",
    "publisher": "test",
    "version": "1.0.0",
    "engines": {"vscode": "^1.91.0"},
    "main": "./main.js",
    "activationEvents": ["onLanguage:python"],
}
VSIX_MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="other" Version="1.0.0" Publisher="test"/><DisplayName>other</DisplayName></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/><Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json"/></Assets>
</PackageManifest>
"""


def other_extension(folder: Path) -> Path:
    package = folder / "other.vsix"
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("extension.vsixmanifest", VSIX_MANIFEST)
        archive.writestr("extension/package.json", json.dumps(OTHER_MANIFEST))
        archive.writestr("extension/main.js", OTHER)
    return package


@contextlib.contextmanager
def opened(surroundings: dict[str, str], repository: Path, folder: Path, pictures: Path) -> Iterator[Code]:
    """A new VS Code, with nothing remembered, on the repository."""
    # Not left to PATH: the editor asks the user's login shell for that.
    settings = {"nav.server.path": nav(surroundings, "nav-ls"), "nav.codeLens": True}
    folder.mkdir()
    extensions = [programs.extension(), other_extension(folder)]
    with sync_api.sync_playwright() as playwright:
        vscode = Code(playwright, surroundings, repository, folder / "code", extensions, settings, pictures)
        try:
            yield vscode
        finally:
            vscode.close()


def test_a_session(surroundings: dict[str, str], repository: Path, tmp_path: Path, pictures: Path) -> None:
    """One editor start is slow, so one session goes through everything.

    A browser on a busy machine swallows a key or a click now and then: what fails in a second new editor too is ours.
    """
    try:
        programs.chromium(), programs.code_server(), programs.extension()
    except Unavailable as why:
        pytest.skip(str(why))
    try:
        with opened(surroundings, repository, tmp_path / "first", pictures) as code:
            session(code, repository, surroundings)
    except (AssertionError, sync_api.Error) as error:
        traceback.print_exception(error)
        subprocess.run(["git", "-C", str(repository), "checkout", "-q", "--", "."], check=True)
        with opened(surroundings, repository, tmp_path / "second", pictures) as code:
            session(code, repository, surroundings)


def session(code: Code, repository: Path, surroundings: dict[str, str]) -> None:
    """All that a person does, in one order."""
    fresh(code)
    find_callers(code)
    code_lens(code)
    call_hierarchy(code)
    beside_another(code)
    impact(code)
    copy_context(code)
    ask(code)
    search(code)
    save_and_see(code, repository)
    graph(code)
    status(code)
    install_hooks(code)
    two_windows(code, surroundings)
    killed_and_recovered(code, surroundings)
    missing_server(code, surroundings)


def fresh(code: Code) -> None:
    code.until("the status bar says that all is fresh", lambda: code.status() == "nav")


def find_callers(code: Code) -> None:
    code.open("till.py", 16, 6)
    code.command("Nav: Find Callers")
    code.until("callers in the tree", lambda: "refund" in code.tree() and "Till.pay" in code.tree())
    code.picture("callers")


def code_lens(code: Code) -> None:
    lens = code.page.locator('.codelens-decoration a:has-text("2 callers")').first
    for _ in range(5):
        if code.soon(lens.is_visible):
            break
        # A busy editor sometimes forgets to ask for the lenses of a file that it has just opened.
        code.command("View: Close Editor")
        code.open("till.py", 16, 6)
    code.open("till.py", 10, 10)
    code.command("Nav: Find Callers")
    code.until("other callers", lambda: "refund" not in code.tree() and "checkout" in code.tree())

    def clicked() -> bool:
        with contextlib.suppress(sync_api.TimeoutError):  # lenses move while they are drawn anew
            lens.click(timeout=3000)
        return "refund" in code.tree()

    code.until("callers of the lens", clicked)


def call_hierarchy(code: Code) -> None:
    code.open("till.py", 10, 10)
    code.command("Peek Call Hierarchy")
    code.until("the peek shows the caller", lambda: "checkout" in code.text(".call-hierarchy"))
    code.picture("call-hierarchy")
    code.page.keyboard.press("Escape")
    code.page.wait_for_selector(".call-hierarchy", state="detached")
    code.open("till.py", 10, 10)
    code.command("Calls: Show Call Hierarchy")
    code.until("the tree shows the caller", lambda: "checkout" in code.tree() and "refund" not in code.tree())


def beside_another(code: Code) -> None:
    """References are two of the other extension's, and four of nav's."""
    for mode, expected in (("fill", 2), ("beside", 6), ("commands", 2)):
        code.set(nav__besideOthers=mode)
        code.open("till.py", 16, 6)

        def seen(expected: int = expected) -> bool:
            # Asked again and again: the editor takes its time to notice that a setting has changed.
            code.page.keyboard.press("Shift+F12")
            title = code.page.locator(".reference-zone-widget .peekview-title")
            title.filter(has_text="References (").wait_for()
            found = f"References ({expected})" in title.inner_text()
            code.page.keyboard.press("Escape")
            title.wait_for(state="detached")
            return found

        code.until(f"{expected} references in mode {mode}", seen)
    code.set(nav__besideOthers="fill")


def impact(code: Code) -> None:
    code.open("till.py", 16, 6)
    code.command("Nav: Show Impact")
    code.until("steps", lambda: "1 step away" in code.tree() and "2 steps away" in code.tree())
    assert "checkoutshop.py:4 · calls Till.pay" in code.tree()
    code.picture("impact")


def copy_context(code: Code) -> None:
    code.open("till.py", 16, 6)
    code.command("Nav: Copy Context for Agent")
    code.until("the notice", lambda: "the context is in the clipboard" in code.text(".notification-list-item"))
    assert "def validate(amount):" in code.clipboard()
    code.dismiss()


def ask(code: Code) -> None:
    code.command("Nav: Ask")
    code.page.locator('.quick-input-title:has-text("Nav: Ask")').wait_for()
    code.answer("who checks amounts?")
    code.until(
        "the answer", lambda: "Amounts are checked by" in code.text(".editor-group-container.active .view-lines")
    )
    code.until("what it is worth", lambda: "Model: " in code.text(".editor-group-container.active .view-lines"))
    code.picture("answer")
    code.page.locator('.detected-link:has-text("till.py:16")').first.click(modifiers=["Control"])
    code.until("the place that is cited", lambda: code.line() == "16")
    assert code.active() == "till.py"


def search(code: Code) -> None:
    code.command("Nav: Search")
    code.page.locator('.quick-input-title:has-text("Nav: Search")').wait_for()
    code.page.keyboard.type("refuse amounts that make no sense", delay=15)
    rows = ".quick-input-list .monaco-list-row"
    code.until("a hit while typing", lambda: code.text(rows).startswith("validate"))
    code.picture("search")
    code.page.keyboard.press("Enter")
    code.until("the hit", lambda: code.line() == "16")
    assert code.active() == "till.py"


def save_and_see(code: Code, repository: Path) -> None:
    code.open("shop.py", 10, 1)
    code.page.keyboard.press("Control+End")
    code.page.keyboard.type("\n\ndef audit(): validate(3)\n")
    code.page.keyboard.press("Control+S")
    code.until("saved", lambda: "def audit" in (repository / "shop.py").read_text())
    code.open("till.py", 16, 6)
    code.command("Nav: Find Callers")
    code.until("the new caller", lambda: "audit" in code.tree())


def graph(code: Code) -> None:
    code.open("till.py", 16, 6)
    code.command("View: Toggle Primary Side Bar Visibility")
    code.command("Nav: Open Graph")
    frame = code.page.frame_locator("iframe.webview").frame_locator("iframe#active-frame")
    frame.locator("svg .centre").wait_for()
    frame.locator("#state:text-is('fresh')").wait_for()
    frame.locator('svg .node[aria-label*="Till.pay"]').click()
    frame.locator('svg .node[aria-label*="checkout"]').wait_for()
    code.picture("graph")
    frame.locator('svg .node[aria-label*="checkout"]').press("o")
    code.until("the box's file", lambda: code.active() == "shop.py")
    code.command("View: Close Editor Group")
    code.page.wait_for_selector("iframe.webview", state="detached")
    code.command("View: Toggle Primary Side Bar Visibility")


def status(code: Code) -> None:
    code.page.locator(".statusbar-item[id*='nav.status'] a").click()
    code.page.locator('.quick-input-title:has-text("Nav: Status")').wait_for()
    rows = ".quick-input-list .monaco-list-row"
    code.until("facts", lambda: "2 files" in code.text(rows) and "generation" in code.text(rows))
    code.picture("status")
    code.page.locator(rows).filter(has_text="Show Log").click()
    code.until("the log", lambda: "Nav" in code.text(".part.panel .title-actions, .part.panel .title"))
    code.command("View: Hide Panel")


def install_hooks(code: Code) -> None:
    code.command("Nav: Install Agent Hooks")
    terminal = ".xterm-rows"
    code.until("the change that it would make", lambda: "+}" in code.text(terminal))
    code.until("and what makes it, not yet run", lambda: re.search(r"hook install(?! --dry-run)", code.text(terminal)))
    code.picture("hooks")
    code.command("Terminal: Kill All Terminals")
    code.page.wait_for_selector(".xterm-rows", state="detached")


def two_windows(code: Code, surroundings: dict[str, str]) -> None:
    first, code.page = code.page, code.window()
    fresh(code)
    code.open("till.py", 16, 6)
    code.command("Nav: Find Callers")
    code.until("callers in the second window", lambda: "refund" in code.tree())
    assert len(server_pids(surroundings)) == 1
    code.page.close()
    code.page = first


def killed_and_recovered(code: Code, surroundings: dict[str, str]) -> None:
    (before,) = server_pids(surroundings)
    os.kill(before, signal.SIGKILL)
    code.until("another server", lambda: server_pids(surroundings) not in ([], [before]))
    callers_again(code)
    # The editor has not noticed; that its own child ends it does, and says so once.
    for pid in bridge_pids(surroundings):
        os.kill(pid, signal.SIGKILL)
    notice = code.page.locator('.notification-list-item:has-text("being started again")')
    notice.wait_for()
    fresh(code)
    assert notice.count() == 1
    callers_again(code)
    code.dismiss()


def callers_again(code: Code) -> None:
    for line, caller in ((16, "refund"), (10, "checkout")):
        code.open("till.py", line, 10)
        code.command("Nav: Find Callers")
        code.until("callers again", lambda caller=caller: caller in code.tree())


def missing_server(code: Code, surroundings: dict[str, str]) -> None:
    code.set(nav__server__path="/nowhere/nav-ls")
    code.until("the message", lambda: "nav-ls was not found" in code.text(".notification-list-item"))
    assert code.status() == "nav off"
    code.picture("missing")
    code.page.locator('.notification-list-item a:has-text("Show How to Install")').click()
    code.until("the walkthrough", lambda: "Install the server" in code.text(".gettingStartedContainer"))
    code.picture("walkthrough")
    code.set(nav__server__path=nav(surroundings, "nav-ls"))
    fresh(code)
