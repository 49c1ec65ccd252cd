"""One table of our own in a TOML file of somebody else, put in and taken out without touching another byte."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping

from nav_ls.hooks.jsonc import SettingsError

_BEGIN = "# >>> nav: written by `nav mcp install`, taken out by `nav mcp uninstall`"
_END = "# <<< nav"
_BLOCK = re.compile(rf"(?P<lead>(?:\r?\n)?){re.escape(_BEGIN)}\r?\n.*?{re.escape(_END)}(?:\r?\n)?", re.DOTALL)


def put(text: str, path: tuple[str, ...], values: Mapping[str, str | list[str]]) -> str:
    """The text with a table of ours at its end, or in the place where it stands.

    Raises SettingsError for what is no TOML, and where somebody else has written that table.
    """
    known = _BLOCK.search(text)
    rest = text if known is None else text[: known.start()] + text[known.end() :]
    if _holds(rest, path):
        raise SettingsError(f"[{'.'.join(path)}] is there already, written by hand")
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [_BEGIN, f"[{'.'.join(path)}]", *(f"{key} = {_literal(value)}" for key, value in values.items()), _END, ""]
    block = newline.join(lines)
    if known is not None:
        return text[: known.start()] + known["lead"] + block + text[known.end() :]
    # A blank line where the file ends in one; else the line's end that is missing, which goes again with the block.
    return text + (newline if text else "") + block


def drop(text: str) -> str:
    """The text without our table."""
    return _BLOCK.sub("", text, count=1)


def _holds(text: str, path: tuple[str, ...]) -> bool:
    try:
        found: object = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"no TOML: {error}") from error
    for key in path:
        if not isinstance(found, dict) or key not in found:
            return False
        found = found[key]
    return True


def _literal(value: str | list[str]) -> str:
    # JSON's strings and lists of them are TOML's as well, but for a character that TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
