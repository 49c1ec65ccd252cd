"""`nav ui` in a real browser, with axe-core's accessibility checks."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents.clients import Unavailable
from tests.editors import programs
from tests.editors.test_vscode import CHROMIUM_FLAGS

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow


@pytest.fixture
def page(surroundings: dict[str, str], repository: Path, tmp_path: Path) -> Iterator[Any]:
    try:
        chromium, axe = programs.chromium(), programs.axe()
    except Unavailable as why:
        pytest.skip(str(why))
    command = [str(tmp_path / "bin" / "nav"), "ui", "--no-browser", "-C", str(repository)]
    with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with sync_api.sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_FLAGS))
            opened = browser.new_page(viewport={"width": 1200, "height": 600})
            opened.set_default_timeout(60_000)
            opened.add_init_script(axe.read_text("utf-8"))
            opened.goto(address)
            yield opened
            browser.close()
        process.terminate()


def violations(page: Any) -> list[str]:
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{v['id']}: {v['help']} ({v['nodes'][0]['html']})" for v in found]


def test_search_expand_filter_and_save(page: Any, pictures: Path) -> None:
    assert violations(page) == []
    page.fill("#query", "validate")
    page.locator("#results button").first.click()
    page.locator("svg .centre").wait_for()
    page.locator('svg .node[aria-label*="Till.pay"]').focus()
    page.keyboard.press("Enter")
    page.locator('svg .node[aria-label*="checkout"]').wait_for()
    assert page.locator('svg .node[aria-label*="Till.pay"]').get_attribute("aria-expanded") == "true"
    assert violations(page) == []
    page.screenshot(path=str(pictures / "ui-graph.png"))
    page.uncheck("[name=exact]")
    page.locator('svg .node[aria-label*="Till.pay"]').wait_for(state="detached")
    page.check("[name=exact]")
    with page.expect_download() as download:
        page.click("#save")
    saved = Path(download.value.path()).read_text("utf-8")
    assert saved.startswith("<svg")
    assert "Till.pay" in saved


def test_dark_theme(page: Any, pictures: Path) -> None:
    page.emulate_media(color_scheme="dark")
    page.fill("#query", "checkout")
    page.locator("#results button").first.click()
    page.locator("svg .centre").wait_for()
    assert violations(page) == []
    page.screenshot(path=str(pictures / "ui-graph-dark.png"))
