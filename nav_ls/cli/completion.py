"""Completion scripts for shells, made from the parser itself."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator

_Table = dict[tuple[str, ...], list[str]]
"""What may follow each chain of subcommands."""


def script(root: argparse.ArgumentParser, shell: str, *, as_json: bool = False) -> str:
    """The script for bash, zsh or fish, by itself or in a JSON object."""
    text = _script(dict(_words(root, ())), shell)
    return json.dumps({"shell": shell, "script": text}) if as_json else text


def _script(table: _Table, shell: str) -> str:
    if shell == "fish":
        return _fish(table)
    body = _bash(table)
    return f"#compdef nav\nautoload -U +X bashcompinit && bashcompinit\n{body}" if shell == "zsh" else body


def _words(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """What may follow each chain of subcommands."""
    words: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            words += list(action.choices)
            for name, below in action.choices.items():
                yield from _words(below, (*path, name))
        elif action.option_strings:
            words += action.option_strings
        elif action.choices is not None:
            words += [str(choice) for choice in action.choices]
    yield path, words


def _bash(table: _Table) -> str:
    cases = "\n".join(
        f"    {shlex.quote(' '.join(path))}) words={shlex.quote(' '.join(words))} ;;"
        for path, words in sorted(table.items(), reverse=True)
    )
    return f"""_nav() {{
  local word chain="" words=""
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$word" in -*) ;; *) [ -n "$chain" ] && chain="$chain $word" || chain="$word" ;; esac
  done
  while :; do
    case "$chain" in
{cases}
    *) case "$chain" in *" "*) chain="${{chain% *}}" ; continue ;; *) chain="" ; continue ;; esac ;;
    esac
    break
  done
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _nav nav
"""


def _fish(table: _Table) -> str:
    lines = ["complete -c nav -f"]
    for path, words in sorted(table.items()):
        condition = " ; and ".join(f"__fish_seen_subcommand_from {name}" for name in path) or "__fish_use_subcommand"
        for word in words:
            if word.startswith("--"):
                option = f"-l {word[2:]}"
            elif word.startswith("-"):
                option = f"-s {word[1:]}"
            else:
                option = f"-a {word}"
            lines.append(f"complete -c nav -n {shlex.quote(condition)} {option}")
    return "\n".join(lines) + "\n"
