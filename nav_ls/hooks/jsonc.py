"""Small edits in JSON files that people wrote: whatever is not edited keeps every byte.

Comments and trailing commas are understood (JSONC).  All edits take a text and give a new one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

_SPACE = re.compile(r"[\s\ufeff]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_DEEPEST = 200


class SettingsError(Exception):
    """The text cannot be edited safely; the message says where and why."""


class Item(NamedTuple):
    """One member of an object (`key`, where it starts) or element of an array, and the comma behind it (-1: none)."""

    key: str
    start: int
    node: Node
    comma: int


class Node(NamedTuple):
    """A value at `[start, end)`.  kind: object | array | string | scalar."""

    kind: str
    start: int
    end: int
    items: tuple[Item, ...] = ()

    def member(self, key: str) -> Item | None:
        """The member of that name; the last one counts where there are several, as in JSON.parse."""
        found = [item for item in self.items if item.key == key]
        return found[-1] if found and self.kind == "object" else None


def parse(text: str) -> Node:
    """The tree of a text.  Raises SettingsError."""
    reader = _Reader(text)
    node, position = reader.value(reader.trivia(0), 0)
    if reader.trivia(position) != len(text):
        raise reader.error(position, "something follows the end")
    return node


def value_of(text: str, node: Node) -> Any:
    """A node's value, without its comments."""
    if node.kind == "object":
        return {item.key: value_of(text, item.node) for item in node.items}
    if node.kind == "array":
        return [value_of(text, item.node) for item in node.items]
    return json.loads(text[node.start : node.end])


def put(text: str, path: tuple[str, ...], value: Any) -> str:
    """Set the member at `path`; objects on the way are made where they are missing."""
    *parents, key = path
    text = _with_objects(text, tuple(parents))
    holder = _at(text, tuple(parents))
    present = holder.member(key)
    if present is None:
        return _append(text, holder, value, key)
    if value_of(text, present.node) == value:
        return text
    return _replace(text, present.node, value, _indent_at(text, present.start))


def add(text: str, path: tuple[str, ...], value: Any, is_ours: Callable[[Any], bool]) -> str:
    """Append `value` to the array at `path`, or renew the element that `is_ours`."""
    *parents, key = path
    text = _with_objects(text, tuple(parents))
    holder = _at(text, tuple(parents))
    present = holder.member(key)
    if present is None:
        return _append(text, holder, [value], key)
    if present.node.kind != "array":
        raise SettingsError(f"{'.'.join(path)} is no list")
    ours = [item for item in present.node.items if is_ours(value_of(text, item.node))]
    if not ours:
        return _append(text, present.node, value)
    if len(ours) == 1 and value_of(text, ours[0].node) == value:
        return text
    text = _replace(text, ours[0].node, value, _indent_at(text, ours[0].start))
    return _drop_where(text, path, is_ours, keep=1)


def drop_elements(text: str, path: tuple[str, ...], is_ours: Callable[[Any], bool]) -> str:
    """Take the elements that are ours out of the array at `path`, and what `add` made around them."""
    if _find(text, path) is None:
        return text
    after = _drop_where(text, path, is_ours, keep=0)
    return _prune(after, path) if after != text else text


def drop_member(text: str, path: tuple[str, ...]) -> str:
    """Take out the member at `path`, and what `put` made around it."""
    *parents, key = path
    holder = _find(text, tuple(parents))
    if holder is None or holder.member(key) is None:
        return text
    index = max(place for place, item in enumerate(holder.items) if item.key == key)
    return _prune(_drop(text, holder, index), tuple(parents))


def is_untouched_shell(text: str) -> bool:
    """Whether only what an edit of an empty text leaves behind is left."""
    return text.lstrip("\ufeff") == "{\n}\n"


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def error(self, position: int, what: str) -> SettingsError:
        line = self.text.count("\n", 0, position) + 1
        return SettingsError(f"line {line}: {what}")

    def trivia(self, position: int) -> int:
        """The end of white space and comments."""
        while True:
            found = _SPACE.match(self.text, position)
            position = found.end() if found else position
            if self.text.startswith("//", position):
                ends = [end for end in (self.text.find(mark, position) for mark in "\r\n") if end >= 0]
                position = min(ends, default=len(self.text))
            elif self.text.startswith("/*", position):
                end = self.text.find("*/", position + 2)
                if end < 0:
                    raise self.error(position, "a comment that does not end")
                position = end + 2
            else:
                return position

    def value(self, position: int, depth: int) -> tuple[Node, int]:
        if depth > _DEEPEST:
            raise self.error(position, "nested too deeply")
        opening = self.text[position : position + 1]
        if opening in ("{", "["):
            return self._container(position, depth, "object" if opening == "{" else "array")
        for kind, pattern in (("string", _STRING), ("scalar", _SCALAR)):
            found = pattern.match(self.text, position)
            if found:
                return Node(kind, position, found.end()), found.end()
        raise self.error(position, "a value is missing" if opening else "the text ends too early")

    def _container(self, start: int, depth: int, kind: str) -> tuple[Node, int]:
        closing = "}" if kind == "object" else "]"
        items: list[Item] = []
        position = self.trivia(start + 1)
        while not self.text.startswith(closing, position):
            item_start = position
            key = ""
            if kind == "object":
                key, position = self._key(position)
            node, position = self.value(position, depth + 1)
            after = self.trivia(position)
            has_comma = self.text.startswith(",", after)
            items.append(Item(key, item_start, node, after if has_comma else -1))
            position = self.trivia(after + 1) if has_comma else after
            if not has_comma and not self.text.startswith(closing, position):
                raise self.error(position, f"a comma or {closing} is missing")
        return Node(kind, start, position + 1, tuple(items)), position + 1

    def _key(self, position: int) -> tuple[str, int]:
        found = _STRING.match(self.text, position)
        if not found:
            raise self.error(position, "a name in double quotes is missing")
        colon = self.trivia(found.end())
        if not self.text.startswith(":", colon):
            raise self.error(colon, "a colon is missing")
        try:
            return str(json.loads(found.group())), self.trivia(colon + 1)
        except ValueError as error:
            raise self.error(position, f"a name that is no string ({error})") from error


def _find(text: str, path: tuple[str, ...]) -> Node | None:
    if not text.strip("\ufeff \t\r\n"):
        return None
    node = parse(text)
    for key in path:
        item = node.member(key)
        if item is None:
            return None
        node = item.node
    return node


def _at(text: str, path: tuple[str, ...]) -> Node:
    node = _find(text, path)
    assert node is not None
    return node


def _with_objects(text: str, path: tuple[str, ...]) -> str:
    """The text with an object at `path` and everywhere above it."""
    if not text.strip("\ufeff \t\r\n"):
        text = "{\n}\n"
    for depth in range(len(path) + 1):
        here = path[:depth]
        node = _find(text, here)
        if node is None:
            text = _append(text, _at(text, here[:-1]), {}, here[-1])
        elif node.kind != "object":
            raise SettingsError(f"{'.'.join(here) or 'the file'} is no object")
    return text


def _append(text: str, holder: Node, value: Any, key: str | None = None) -> str:
    """Put an item behind the last one of a container."""
    label = "" if key is None else f"{json.dumps(key)}: "
    if not _spread(text, holder):
        return _append_inline(text, holder, label + _render_inline(value))
    newline = "\r\n" if "\r\n" in text else "\n"
    inner = _indent_at(text, holder.items[-1].start) if holder.items else _indent_at(text, holder.start) + _unit(text)
    rendered = f"{newline}{inner}{label}{_render(text, value, inner)}"
    if not holder.items:
        at = _last_trivia(text, holder.start + 1, holder.end - 1)
        # The closing bracket needs a line of its own; it has one where there is white space with a line's end.
        tail = "" if "\n" in text[at : holder.end - 1] else newline + _indent_at(text, holder.start)
        return text[:at] + rendered + tail + text[at:]
    last = holder.items[-1]
    start = last.node.end if last.comma < 0 else last.comma + 1
    at = _last_trivia(text, start, holder.end - 1)
    comma = "," if last.comma >= 0 else ""
    text = text[:at] + rendered + comma + text[at:]
    return text if last.comma >= 0 else text[: last.node.end] + "," + text[last.node.end :]


def _append_inline(text: str, holder: Node, rendered: str) -> str:
    if not holder.items:
        return text[: holder.end - 1] + rendered + text[holder.end - 1 :]
    last = holder.items[-1]
    if last.comma >= 0:
        return text[: last.comma + 1] + f" {rendered}," + text[last.comma + 1 :]
    return text[: last.node.end] + f", {rendered}" + text[last.node.end :]


def _last_trivia(text: str, start: int, end: int) -> int:
    """The end of the last comment between two places, else `start`."""
    at, position = start, start
    while position < end:
        found = _SPACE.match(text, position)
        begin = found.end() if found else position
        if begin >= end or text[begin] != "/":
            break
        if text.startswith("//", begin):
            ends = [place for place in (text.find(mark, begin) for mark in "\r\n") if place >= 0]
            position = min(ends, default=len(text))
        else:
            position = text.find("*/", begin + 2) + 2
        at = position
    return at


def _replace(text: str, node: Node, value: Any, indent: str) -> str:
    spread = "\n" in text[node.start : node.end]
    rendered = _render(text, value, indent) if spread else json.dumps(value, ensure_ascii=False)
    return text[: node.start] + rendered + text[node.end :]


def _drop_where(text: str, path: tuple[str, ...], is_ours: Callable[[Any], bool], keep: int) -> str:
    while True:
        holder = _at(text, path)
        if holder.kind != "array":
            return text
        ours = [n for n, item in enumerate(holder.items) if is_ours(value_of(text, item.node))]
        if len(ours) <= keep:
            return text
        text = _drop(text, holder, ours[-1])


def _drop(text: str, holder: Node, index: int) -> str:
    """Take out one item with the white space before it and the comma that it needed."""
    item = holder.items[index]
    begin = len(text[: item.start].rstrip(" \t\r\n"))
    if index == 0 and len(holder.items) == 1 and not _spread(text, holder):
        begin = item.start
    end = item.comma + 1 if item.comma >= 0 else item.node.end
    last_without_comma = item.comma < 0 and index > 0
    text = text[:begin] + text[end:]
    if last_without_comma:
        comma = holder.items[index - 1].comma
        text = text[:comma] + text[comma + 1 :]
    return text


def _prune(text: str, path: tuple[str, ...]) -> str:
    """Take out containers at and above `path` that are as empty as only an edit of ours leaves them.

    What was empty from the start reads `{}` or `[]`, and stays; what an edit makes has white space inside.
    """
    while path:
        node = _at(text, path)
        if node.items or not re.fullmatch(r"[\[{]\s+[\]}]", text[node.start : node.end]):
            return text
        *parents, key = path
        holder = _at(text, tuple(parents))
        index = max(place for place, item in enumerate(holder.items) if item.key == key)
        text = _drop(text, holder, index)
        path = tuple(parents)
    return text


def _spread(text: str, holder: Node) -> bool:
    """Whether the items of a container stand on lines of their own (or will, in one that edits have made)."""
    if not holder.items:
        return "\n" in text[holder.start : holder.end]
    return "\n" in text[holder.start : holder.items[0].start]


def _indent_at(text: str, position: int) -> str:
    start = max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1
    line = text[start:position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = re.search(r"\{[^\S\n]*\r?\n([ \t]+)\S", text)
    return found.group(1) if found else "  "


def _render_inline(value: Any) -> str:
    """On one line; the outer container gets a space inside, by which it is known as ours when it is taken out."""
    rendered = json.dumps(value, ensure_ascii=False)
    return f"{rendered[0]} {rendered[1:]}" if rendered[0] in "{[" else rendered


def _render(text: str, value: Any, indent: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    # An empty container keeps a line's end inside, by which it is known as ours when it is taken out.
    rendered = (newline + indent).join(lines)
    return f"{rendered[0]}{newline}{indent}{rendered[1]}" if rendered in ("{}", "[]") else rendered
