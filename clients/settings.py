"""Writes what the clients and the documentation say about settings, from the server's own definitions of them.

`python -m clients.settings` writes; with `--check` it only names the files that are not as they would be written.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import msgspec

from nav_ls.config.editors import EditorSettings
from nav_ls.config.settings import PERSONAL, Config

ROOT = Path(__file__).resolve().parents[1]
_MADE = "generated from nav_ls/config by `python -m clients.settings`"
_WIDTH = 78
_LONGEST_DEFAULT = 60


class Setting(NamedTuple):
    """One setting, as clients and documents need it."""

    path: tuple[str, ...]
    type: type
    choices: tuple[str, ...]
    meanings: tuple[str, ...]
    default: Any
    least: float | None
    most: float | None
    scope: str
    editors: tuple[str, ...]
    text: str


def settings_of(struct: type[msgspec.Struct], above: tuple[str, ...] = ()) -> Iterator[Setting]:
    """The settings of a struct and of its sections, in order.  Raises ValueError for one without a description."""
    texts = _descriptions(struct)
    for field in msgspec.structs.fields(struct):
        path = (*above, field.name)
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if isinstance(default, msgspec.Struct):
            yield from settings_of(type(default), path)
            continue
        if field.name == "ignored":
            continue  # what was found, not a setting
        if field.name not in texts:
            raise ValueError(f"{struct.__name__}.{field.name} has no description")
        yield _setting(path, field.type, default, texts[field.name])


def _setting(path: tuple[str, ...], bare: Any, default: Any, text: str) -> Setting:
    metas: tuple[msgspec.Meta, ...] = ()
    if hasattr(bare, "__metadata__"):
        bare, metas = bare.__origin__, bare.__metadata__
    extra: dict[str, Any] = {key: value for meta in metas for key, value in (meta.extra or {}).items()}
    choices = get_args(bare) if get_origin(bare) is Literal else ()
    return Setting(
        path,
        type(default),
        choices,
        extra.get("meanings", ()),
        default,
        next((meta.ge for meta in metas if meta.ge is not None), None),
        next((meta.le for meta in metas if meta.le is not None), None),
        extra.get("scope", ""),
        extra.get("editors", ("vscode", "neovim")),
        text,
    )


def _descriptions(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The text below each field of a class."""
    (body,) = ast.parse(inspect.getsource(struct)).body
    assert isinstance(body, ast.ClassDef)
    found = {}
    for line, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(line, ast.AnnAssign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            found[line.target.id] = " ".join(str(after.value.value).split())  # type: ignore[union-attr]
    return found


# VS Code ------------------------------------------------------------------------------------------------------------


def vscode_name(setting: Setting) -> str:
    """As in settings.json."""
    return ".".join(("nav", *map(_camel, setting.path)))


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _property(setting: Setting) -> dict[str, Any]:
    kinds: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}
    shape: dict[str, Any] = {"type": kinds[setting.type]}
    if setting.choices:
        shape["enum"] = list(setting.choices)
    if setting.meanings:
        shape["enumDescriptions"] = list(setting.meanings)
    shape["default"] = setting.default
    if setting.least is not None:
        shape["minimum"] = setting.least
    if setting.most is not None:
        shape["maximum"] = setting.most
    if setting.scope:
        shape["scope"] = setting.scope
    return shape | {"markdownDescription": setting.text}


def manifest(text: str) -> str:
    """package.json with `contributes.configuration` as the settings are."""
    package = json.loads(text)
    properties = {vscode_name(one): _property(one) for one in settings_of(EditorSettings) if "vscode" in one.editors}
    package["contributes"]["configuration"] = {"title": "Nav", "properties": properties}
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


# Neovim -------------------------------------------------------------------------------------------------------------


def neovim_name(setting: Setting) -> str:
    """As a global variable."""
    return "_".join(("nav", *setting.path))


def _neovim() -> list[Setting]:
    return [one for one in settings_of(EditorSettings) if "neovim" in one.editors]


def lua(_: str) -> str:
    """The Lua module with names, defaults and allowed values."""
    rows = []
    for one in _neovim():
        allowed = f", allowed = {{ {', '.join(map(_quoted, one.choices))} }}" if one.choices else ""
        rows.append(f"  {'_'.join(one.path)} = {{ default = {_quoted(one.default)}{allowed} }},\n")
    return f"-- What `vim.g.nav_*` may say: {_MADE}.\nreturn {{\n{''.join(rows)}}}\n"


def _quoted(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)


def help_text(text: str) -> str:
    """The help file with its list of options as the settings are."""
    return _between(text, "*nav-options*\n", "==", "\n" + "\n".join(_help_lines()) + "\n\n")


def _help_lines() -> Iterator[str]:
    for one in _neovim():
        name = f"vim.g.{neovim_name(one)}"
        yield f"{name}{f'*g:{neovim_name(one)}*':>{_WIDTH - len(name)}}"
        words = one.text.replace("`", "") + f" Default: {_quoted(one.default)}."
        if one.choices:
            words += f" One of: {', '.join(map(_quoted, one.choices))}."
        yield from _wrapped(words, " " * 8)
        for choice, meaning in zip(one.choices, one.meanings, strict=False):
            yield from _wrapped(f"{choice}: {meaning}.", " " * 12)


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)


# Documentation ------------------------------------------------------------------------------------------------------


def page(_: str) -> str:
    """docs/settings.md."""
    editors = [
        f"| {_code(vscode_name(one)) if 'vscode' in one.editors else ''} | "
        f"{_code('vim.g.' + neovim_name(one)) if 'neovim' in one.editors else ''} | "
        f"{_shown(one.default)} | {_meaning(one)} |"
        for one in settings_of(EditorSettings)
    ]
    server = [
        f"| {_code('.'.join(one.path))} | {_code('NAV_' + '_'.join(one.path).upper())} | "
        f"{_shown(one.default)} | {one.text}{' *' if one.path in PERSONAL else ''} |"
        for one in settings_of(Config)
    ]
    return _PAGE.format(made=_MADE, editors="\n".join(editors), server="\n".join(server))


def _shown(default: Any) -> str:
    text = msgspec.json.encode(default).decode()
    return _code(text if len(text) <= _LONGEST_DEFAULT else "…")


def _code(text: str) -> str:
    return f"`{text}`"


def _meaning(one: Setting) -> str:
    choices = "; ".join(f"`{c}`: {m}" for c, m in zip(one.choices, one.meanings, strict=False))
    return f"{one.text} {choices}".strip()


_PAGE = """# Settings

<!-- {made} -->

## Of the index and the server

In `nav.toml` at the root of a repository, else in `[tool.nav]` of its `pyproject.toml`; over it environment variables,
below it your own `~/.config/nav/nav.toml`. `section.name` stands for `name` in `[section]`. For those with a *, which
decide where text may be sent, only your own settings and the environment count, unless these say
`trusted = ["/path/of/the/repository"]`.

| setting | environment | default | |
|---|---|---|---|
{server}

## Of the editors

| VS Code | Neovim | default | |
|---|---|---|---|
{editors}

In Neovim "no other server" is decided by what the other servers of a buffer can do, in VS Code by whether the other
extensions had an answer.
"""


def _between(text: str, start: str, end: str, new: str) -> str:
    head, _, rest = text.partition(start)
    if not rest or end not in rest:
        raise ValueError(f"{start!r} … {end!r} is not there")
    return head + start + new + rest[rest.index(end) :]


FILES: dict[str, Callable[[str], str]] = {
    "clients/vscode/package.json": manifest,
    "clients/nvim/lua/nav/settings.lua": lua,
    "clients/nvim/doc/nav.txt": help_text,
    "docs/settings.md": page,
}


def outdated() -> dict[Path, str]:
    """The files that are not as they should be, with the text that they should have."""
    found = {}
    for name, write in FILES.items():
        path = ROOT / name
        before = path.read_text("utf-8") if path.exists() else ""
        after = write(before)
        if after != before:
            found[path] = after
    return found


def main(arguments: list[str]) -> int:
    """Write or check; the exit code of a check is 1 if there is something to write."""
    found = outdated()
    for path, text in found.items():
        print(path.relative_to(ROOT))
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return 1 if found and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
