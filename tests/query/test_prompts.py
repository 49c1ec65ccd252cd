"""Reading prompts: who wrote them, what they name, what could be looked up."""

from __future__ import annotations

import pytest

from nav_ls.query.context import Gate, Hit, passing
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
    "prompt", ["run the tests again", "thanks, looks good", "commit and push", "no, the other one"]
)
def test_talk_has_no_words_that_find_code(prompt: str) -> None:
    assert len(read_prompt(prompt).words) < 2


def test_pasted_blocks_are_not_what_is_asked() -> None:
    assert read_prompt("Why does login fail?\n```\nTraceback: zebra\n```").question == "Why does login fail?"


GATE = Gate(cosine=0.36, strength=1.6, near=0.6)


def hit(score: float, cosine: float | None, strength: float = 0.0) -> Hit:
    return Hit("a.py", int(score * 100), score, cosine, strength)


@pytest.mark.parametrize(
    "hits, passed",
    [
        ([], 0),
        ([hit(1.0, 0.5), hit(0.7, 0.4), hit(0.7, 0.3), hit(0.5, 0.9)], 2),
        ([hit(1.0, 0.2), hit(0.9, 0.5)], 1),
        ([hit(1.0, None, 2.0), hit(0.7, None, 0.5), hit(0.5, None, 3.0)], 2),
        ([hit(1.0, None, 1.0), hit(0.9, None, 3.0)], 0),
        # Half way through embedding.
        ([hit(1.0, None, 2.0), hit(0.8, 0.5), hit(0.7, 0.1)], 2),
        ([hit(1.0, 0.5), hit(0.8, None, 2.0), hit(0.7, None, 1.0)], 2),
        ([hit(1.0, 0.1), hit(0.8, None, 2.0)], 0),
    ],
)
def test_hits_pass_by_what_is_known_of_them(hits: list[Hit], passed: int) -> None:
    assert len(passing(hits, GATE)) == passed
