"""Reading prompts: who wrote them, what they name, what could be looked up."""

from __future__ import annotations

import pytest

from nav_ls.query.context import Hit
from nav_ls.query.prompts import is_machine_made, read_prompt


@pytest.mark.parametrize(
    "prompt",
    [
        "<task-notification>\n<task-id>1</task-id>",
        "<system-reminder>x</system-reminder>",
        "/compact",
        "/review the last change",
        "  <command-name>/clear</command-name>",
        "[Request interrupted by user]",
        "!ls -la",
        "",
    ],
)
def test_machine_made(prompt: str) -> None:
    assert is_machine_made(prompt)


@pytest.mark.parametrize(
    "prompt",
    ["/usr/bin/env is missing, why?", "<Button> does not render", "Fix !important rules", "!! urgent: `save` fails"],
)
def test_made_by_people(prompt: str) -> None:
    assert not is_machine_made(prompt)


@pytest.mark.parametrize(
    "prompt, names",
    [
        ("call `url_for` in Flask.url_for", ("url_for", "Flask.url_for")),
        ("SessionInterface::open and run()", ("SessionInterface::open", "run")),
        ("the HTTP API of the app", ()),
        ("e.g. this or i.e. that", ()),
        ("getValue on the node", ("getValue",)),
        ("Continue, please", ()),
    ],
)
def test_names(prompt: str, names: tuple[str, ...]) -> None:
    assert read_prompt(prompt).names == names


def test_paths() -> None:
    assert read_prompt("see src/app/main.py, ./b.ts and v1.2 or 3.14").paths == ("src/app/main.py", "b.ts")


@pytest.mark.parametrize(
    "prompt",
    [
        "run the tests again",
        "thanks, looks good",
        "commit and push",
        "squash these commits",
        "show me the npm failures",
    ],
)
def test_talk_has_no_words_that_find_code(prompt: str) -> None:
    assert len(read_prompt(prompt).words) < 2


def test_pasted_blocks_are_not_what_is_asked() -> None:
    assert read_prompt("Why does login fail?\n```\nTraceback: zebra\n```").question == "Why does login fail?"


@pytest.mark.parametrize(
    "less, more",
    [
        (Hit("a", 0, 0.4, 1.0), Hit("a", 0, 0.5, 1.0)),
        (Hit("a", 0, 0.4, 1.0), Hit("a", 0, 0.4, 2.0)),
        # Words count twice where nothing else is known, and a text that points the other way is not worse than none.
        (Hit("a", 0, 0.0, 2.0), Hit("a", 0, None, 2.0)),
        (Hit("a", 0, 0.5, 1.0, aside=True), Hit("a", 0, 0.5, 1.0)),
    ],
)
def test_what_makes_a_hit_relevant(less: Hit, more: Hit) -> None:
    assert less.relevance < more.relevance


def test_a_vector_that_points_away_is_no_argument_against() -> None:
    assert Hit("a", 0, -0.2, 1.0).relevance == Hit("a", 0, 0.0, 1.0).relevance
