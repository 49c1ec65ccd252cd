"""`nav ui` in a real browser, with axe-core's accessibility checks."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.editors import programs
from tests.editors.conftest import nav
from tests.npm import Unavailable

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    try:
        chromium = programs.chromium()
    except Unavailable as why:
        pytest.skip(str(why))
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=list(programs.CHROMIUM_FLAGS))
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, surroundings: dict[str, str], repository: Path) -> Iterator[Any]:
    try:
        axe = programs.axe()
    except Unavailable as why:
        pytest.skip(str(why))
    (repository / "test_shop.py").write_text("from shop import refund\n\n\ndef test_refund():\n    refund(3)\n")
    command = [nav(surroundings), "ui", "--no-browser", "-C", str(repository)]
    with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        opened = browser.new_page(viewport={"width": 1200, "height": 400})
        opened.set_default_timeout(60_000)
        opened.add_init_script(axe.read_text("utf-8"))
        opened.goto(address)
        yield opened
        opened.close()
        process.terminate()


def violations(page: Any) -> list[str]:
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{v['id']}: {v['help']} ({v['nodes'][0]['html']})" for v in found]


def box(page: Any, name: str) -> Any:
    return page.locator(f'svg [data-id][aria-label*="{name}"]')


def look_up(page: Any, text: str) -> None:
    page.fill("#query", text)
    page.locator("#results button").first.click()
    page.locator("svg .centre").wait_for()


def test_search_expand_filter_and_save(page: Any, pictures: Path) -> None:
    assert violations(page) == []
    page.locator("#state:text-is('fresh')").wait_for()
    look_up(page, "validate")
    box(page, "Till.pay").focus()
    page.keyboard.press("Enter")
    box(page, "checkout").wait_for()
    box(page, "refund").press("Enter")
    box(page, "test_refund").wait_for()
    assert box(page, "Till.pay").get_attribute("aria-expanded") == "true"
    assert violations(page) == []
    page.screenshot(path=str(pictures / "ui-graph.png"))
    page.uncheck("[name=tests]")
    box(page, "test_refund").wait_for(state="detached")
    page.uncheck("[name=exact]")
    box(page, "Till.pay").wait_for(state="detached")
    page.check("[name=exact]")
    with page.expect_download() as download:
        page.click("#save")
    saved = Path(download.value.path()).read_text("utf-8")
    assert saved.startswith("<svg")
    assert "Till.pay" in saved
    page.goto("data:image/svg+xml," + quote(saved))
    page.screenshot(path=str(pictures / "ui-saved.png"))


def test_arrow_keys_walk_the_graph(page: Any) -> None:
    look_up(page, "validate")
    assert page.locator("svg [tabindex='0']").count() == 1
    box(page, "validate").focus()
    walked = []
    for key in ("ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        walked.append(page.evaluate("document.activeElement.getAttribute('aria-label').split(' ')[0]"))
    assert set(walked[:3]) == {"Till.pay", "refund"}
    assert walked[3] == "validate"
    page.keyboard.press("c")  # the centre stays the centre
    page.locator("#status:has-text('validate: 2 callers')").wait_for()


def test_progress_of_the_index_is_shown_and_its_end_said(page: Any, pictures: Path) -> None:
    page.locator("#state:text-is('fresh')").wait_for()
    page.evaluate("progress({state: 'indexing', percent: 43, message: 'extract 43/100'})")
    assert page.locator("#state").inner_text() == "indexing 43 %"
    assert page.locator("#progress").get_attribute("value") == "43"
    assert violations(page) == []
    page.screenshot(path=str(pictures / "ui-progress.png"))
    page.evaluate("progress({state: 'fresh', message: ''})")
    assert page.locator("#status").inner_text() == "The index is up to date."
    assert page.locator("#progress").is_hidden()


def test_dark_theme(page: Any, pictures: Path) -> None:
    page.emulate_media(color_scheme="dark")
    look_up(page, "checkout")
    assert violations(page) == []
    page.screenshot(path=str(pictures / "ui-graph-dark.png"))
