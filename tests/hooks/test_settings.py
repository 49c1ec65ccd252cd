"""Edits in settings files: everything that is not ours keeps its bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nav_ls.hooks import jsonc

ENTRY = {"hooks": [{"type": "command", "command": "nav_ls/hooks/shim.py", "timeout": 10}]}
PATH = ("hooks", "UserPromptSubmit")


def ours(entry: Any) -> bool:
    return "shim.py" in json.dumps(entry)


HAND_WRITTEN = [
    "{}",
    "{\n}\n",
    '{"a":1}',
    '{"a": 1, }',
    '{\n  "a": 1\n}\n',
    '{\r\n\t"a": 1, // why\r\n}\r\n',
    '{\n   "hooks": {\n      "UserPromptSubmit": [\n         {"hooks": []}, // mine\n      ],\n   },\n   "b": 2 /* x */\n // end\n}',
    '{"hooks":{"UserPromptSubmit":[]}}',
    '{\n "hooks": {}\n}',
    '{"hooks":{"UserPromptSubmit":[{"k":1}]}}',
    "\ufeff{\n    // nothing yet\n}\n",
    '{\n  "a": 1, "b": [1,2,\n 3]}',
    '{\n\t"hooks": {\n\t\t"UserPromptSubmit": [\n\t\t\t{"z": 1} // tail, with "quotes"\n\t\t]\n\t}\n}\n',
    '{"a": "// no comment", "b": "\\"/*", "a": 2}',
    '{ /* one */ "hooks" /* two */ : /* three */ { /* four */ } /* five */ }',
]


@pytest.mark.parametrize("text", HAND_WRITTEN)
def test_an_entry_goes_in_and_out_without_a_trace(text: str) -> None:
    once = jsonc.add(text, PATH, ENTRY, ours)
    assert jsonc.value_of(once, jsonc.parse(once))["hooks"]["UserPromptSubmit"][-1] == ENTRY
    assert jsonc.add(once, PATH, ENTRY, ours) == once
    assert jsonc.drop_elements(once, PATH, ours) == text


@pytest.mark.parametrize("text", HAND_WRITTEN)
def test_a_member_goes_in_and_out_without_a_trace(text: str) -> None:
    once = jsonc.put(text, ("mcpServers", "nav"), {"command": "nav"})
    assert jsonc.value_of(once, jsonc.parse(once))["mcpServers"]["nav"] == {"command": "nav"}
    assert jsonc.put(once, ("mcpServers", "nav"), {"command": "nav"}) == once
    assert jsonc.drop_member(once, ("mcpServers", "nav")) == text


def test_line_ends_and_indentation_are_the_files_own() -> None:
    text = jsonc.add('{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}\r\n', PATH, ENTRY, ours)
    assert "\n" not in text.replace("\r\n", "")
    assert '\r\n\t"hooks": {\r\n\t\t"UserPromptSubmit": [\r\n\t\t\t{' in text


def test_a_comment_behind_the_last_entry_stays_there() -> None:
    text = jsonc.add('{"hooks": {\n  "UserPromptSubmit": [\n    {"z": 1} // mine\n  ]}}', PATH, ENTRY, ours)
    assert '{"z": 1}, // mine\n' in text


def test_a_moved_interpreter_renews_the_entry_in_place() -> None:
    first = jsonc.add('{"hooks": {"UserPromptSubmit": [{"mine": 1}]}}', PATH, ENTRY, ours)
    moved = {"hooks": [{"type": "command", "command": "elsewhere/shim.py"}]}
    again = jsonc.add(first, PATH, moved, ours)
    assert jsonc.value_of(again, jsonc.parse(again))["hooks"]["UserPromptSubmit"] == [{"mine": 1}, moved]


def test_several_entries_of_ours_become_one() -> None:
    text = json.dumps({"hooks": {"UserPromptSubmit": [ENTRY, {"mine": 1}, ENTRY]}})
    again = jsonc.add(text, PATH, ENTRY, ours)
    assert jsonc.value_of(again, jsonc.parse(again))["hooks"]["UserPromptSubmit"] == [ENTRY, {"mine": 1}]


@pytest.mark.parametrize(
    "text",
    ["[]", '{"hooks": 1}', '{"hooks": {"UserPromptSubmit": {}}}', '{"a" 1}', '{"a": 1', "{'a': 1}", '{"a": 1} x'],
)
def test_what_cannot_be_edited_safely_is_refused(text: str) -> None:
    with pytest.raises(jsonc.SettingsError):
        jsonc.add(text, PATH, ENTRY, ours)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(jsonc.SettingsError, match="deep"):
        jsonc.parse("[" * 100_000)


_keys = st.text(max_size=6)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=3),
    max_leaves=12,
)
_groups = st.dictionaries(
    st.sampled_from(["UserPromptSubmit", "Stop"]), st.lists(st.fixed_dictionaries({"x": _values}))
)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(_keys.filter(lambda key: key != "hooks"), _values, max_size=4),
    st.none() | _groups,
    st.sampled_from([None, 1, 2, 4, "\t"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_any_settings_come_back_byte_for_byte(
    rest: dict[str, Any], hooks: Any, indent: int | str | None, newline: str
) -> None:
    value = rest if hooks is None else rest | {"hooks": hooks}
    text = json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", newline)
    once = jsonc.add(text, PATH, ENTRY, ours)
    expected = json.loads(text)
    expected.setdefault("hooks", {}).setdefault("UserPromptSubmit", []).append(ENTRY)
    assert json.loads(once) == expected
    assert jsonc.drop_elements(once, PATH, ours) == text
