from __future__ import annotations

from nav_ls.query.blocks import SNIPPET_LINES, snippet


def test_a_snippet_begins_at_the_margin_and_without_blank_lines() -> None:
    body = [f"        step_{number}()" for number in range(10)]
    code = "\n".join(["    def run(self):", *body, "", "        if ready:", "            send(mail)", "", "", ""])
    assert snippet(code, ["mail"]).split("\n")[-2:] == ["if ready:", "    send(mail)"]


def test_a_short_snippet_is_all_of_it() -> None:
    assert snippet("    def run(self):\n        send(mail)\n", ["mail"]) == "def run(self):\n    send(mail)"
    assert snippet("", ["mail"]) == ""


def test_the_lines_that_say_most_are_shown() -> None:
    code = "\n".join(f"word{number}" for number in range(3 * SNIPPET_LINES)) + "\nsend(mail)"
    assert snippet(code, ["mail", "send"]).split("\n")[-1] == "send(mail)"
