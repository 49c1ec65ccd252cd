"""`nav hook ...`, `nav git-hook ...`, `nav mcp install` and `nav mcp uninstall`."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from nav_ls.hooks import githooks, install, rules
from nav_ls.hooks.hosts import BY_NAME, EVENTS, HOSTS, PROMPT, SESSION_START, Host
from nav_ls.hooks.install import Change, Place
from nav_ls.hooks.jsonc import SettingsError
from nav_ls.text.git import Repository, find_repository

_SAMPLE = "How is the work of this repository divided between its modules?"
_LOOKED_AT = 20
"""Definitions with the most callers among which the doctor looks for one with a telling name."""


def main(argv: Sequence[str]) -> int:
    """Run one command line that begins with `hook`, `git-hook` or `mcp`; returns the exit code."""
    args = parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int] = args.run
    try:
        return run(args)
    except (SettingsError, githooks.HookError) as error:
        print(f"nav: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"nav: {error.filename or ''}: {error.strerror or error}; nothing was changed there", file=sys.stderr)
        return 5


def parser() -> argparse.ArgumentParser:
    """The parser of all these commands."""
    root = argparse.ArgumentParser(prog="nav")
    groups = root.add_subparsers(dest="group", required=True)
    hook = groups.add_parser("hook", help="hooks of coding agents").add_subparsers(dest="action", required=True)
    _hook_actions(hook)
    mcp = groups.add_parser("mcp", help="nav as an MCP server").add_subparsers(dest="action", required=True)
    for name, run, text in (
        ("install", _mcp_install, "put `nav mcp` into the settings of coding agents"),
        ("uninstall", _mcp_uninstall, "take it out again"),
    ):
        found = mcp.add_parser(name, help=text, description=text)
        _add_scope(found)
        found.set_defaults(run=run)
    git = groups.add_parser("git-hook", help="git hooks that keep the index warm")
    actions = git.add_subparsers(dest="action", required=True)
    for name, run, text in (
        ("install", _git_install, "put nav's lines into the git hooks of this repository"),
        ("uninstall", _git_uninstall, "take them out again"),
        ("status", _git_status, "which hooks have them"),
    ):
        found = actions.add_parser(name, help=text, description=text)
        _add_common(found)
        found.add_argument("--shared", action="store_true", help="also where core.hooksPath is used by others")
        found.set_defaults(run=run)
    return root


def _hook_actions(hook: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    for name, run, text in (
        ("install", _install, "make coding agents ask nav"),
        ("uninstall", _uninstall, "take nav out of their settings"),
        ("doctor", _doctor, "run each installed hook on a sample, and show time and output"),
    ):
        found = hook.add_parser(name, help=text, description=text)
        _add_scope(found)
        if name == "install":
            found.add_argument("--tools", action="store_true", help="also before searches and after edits")
            found.add_argument("--seconds", type=float, help="the deadline of a prompt's hook (default: 1.5)")
        found.set_defaults(run=run)
    text = "what a host would get: its JSON on stdin, the answer on stdout"
    found = hook.add_parser("run", help=text, description=text)
    found.add_argument("host", choices=list(BY_NAME))
    found.add_argument("event", choices=EVENTS)
    found.add_argument(
        "--json", action="store_true", help="changes nothing: prints what the host gets, in the host's own format"
    )
    found.set_defaults(run=_run)
    text = "write the repository's conventions where agents read rules"
    found = hook.add_parser("rules", help=text, description=text)
    found.add_argument("--cursor", action="store_true", help=f"to {rules.CURSOR} (default)")
    found.add_argument("--agents-md", action="store_true", help="to a section of AGENTS.md")
    found.add_argument("--remove", action="store_true", help="take them out again")
    _add_common(found)
    found.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")
    found.set_defaults(run=_rules)


def _add_common(found: argparse.ArgumentParser) -> None:
    found.add_argument(
        "-C", "--repo", default=".", metavar="DIR", help="the repository (default: the current folder's)"
    )
    found.add_argument("--json", action="store_true", help="print JSON")


def _add_scope(found: argparse.ArgumentParser) -> None:
    found.add_argument("--host", action="append", choices=list(BY_NAME), help="only this one (default: all)")
    scope = found.add_mutually_exclusive_group()
    scope.add_argument("--user", action="store_true", help="in the settings of the user (default)")
    scope.add_argument("--project", action="store_true", help="in the settings of this project")
    _add_common(found)
    found.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")


def place_of(args: argparse.Namespace) -> Place:
    """Whose settings a command line means."""
    return Place(Path.home(), root_of(args.repo) if args.project else None)


def root_of(folder: str) -> Path:
    """The root of the repository that holds a folder, or the folder itself."""
    path = Path(folder).resolve()
    found = find_repository(path)
    return found.root if found is not None else path


def hosts_of(args: argparse.Namespace) -> list[Host]:
    """The hosts that a command line means."""
    return [BY_NAME[name] for name in args.host] if args.host else list(HOSTS)


Row = tuple[dict[str, Any], str]
"""One thing that was done or found: for JSON, and for people."""


def show(args: argparse.Namespace, name: str, rows: Iterable[Row], **others: Any) -> list[dict[str, Any]]:
    """Print rows as they come, or all of them under a name, beside `others`, as one JSON object; returns them.

    Where carrying out a row fails, the JSON tells of those before it.
    """
    told: list[dict[str, Any]] = []
    try:
        for values, text in rows:
            told.append(values)
            if not args.json:
                print(text, end="")
    finally:
        if args.json:
            print(json.dumps({name: told} | others))
    return told


def show_changes(args: argparse.Namespace, rows: Iterable[Row], **others: Any) -> int:
    """The same for changes, of which there may be none; returns the exit code."""
    if not show(args, "changes", rows, **others) and not args.json:
        print("nothing to change")
    return 0


def carry_out(args: argparse.Namespace, changes: Iterable[Change], notes: Sequence[str] = ()) -> int:
    """Show or make changes, and say what is left to do by hand then; returns the exit code."""
    notes = [] if args.dry_run else list(notes)
    code = show_changes(args, _carried_out(changes, dry_run=args.dry_run), dry_run=args.dry_run, notes=notes)
    if not args.json:
        sys.stdout.writelines(f"{note}\n" for note in notes)
    return code


def _carried_out(changes: Iterable[Change], *, dry_run: bool) -> Iterator[Row]:
    for change in changes:
        word = "removed" if change.after is None else "created" if change.before is None else "changed"
        values = {"path": str(change.path), "change": word}
        if dry_run:
            diff = install.diff(change)
            yield values | {"diff": diff}, diff
        else:
            install.apply([change])
            yield values, f"{word} {change.path}\n"


def _install(args: argparse.Namespace) -> int:
    place, hosts = place_of(args), hosts_of(args)
    changes = []
    for host in hosts:
        changes += install.plan_hooks(place, host, tools=args.tools, seconds=args.seconds)
    return carry_out(args, changes, [host.note for host in hosts if host.note])


def _uninstall(args: argparse.Namespace) -> int:
    place = place_of(args)
    changes = [change for host in hosts_of(args) for change in install.plan_removal(place, host)]
    return carry_out(args, changes)


def _mcp_install(args: argparse.Namespace) -> int:
    place = place_of(args)
    changes = [change for host in hosts_of(args) for change in install.plan_mcp(place, host)]
    return carry_out(args, changes)


def _mcp_uninstall(args: argparse.Namespace) -> int:
    place = place_of(args)
    changes = [change for host in hosts_of(args) for change in install.plan_mcp_removal(place, host)]
    return carry_out(args, changes)


def _run(args: argparse.Namespace) -> int:
    hook = BY_NAME[args.host].hooks.get(args.event)
    if hook is None:
        print(f"nav: {args.host} has no {args.event}", file=sys.stderr)
        return 2
    words = install.command(BY_NAME[args.host], hook, args.event)
    return subprocess.run(words, check=False).returncode


def _doctor(args: argparse.Namespace) -> int:
    rows = show(args, "hooks", _tried(place_of(args), hosts_of(args), root_of(args.repo)))
    return 0 if all(values.get("ok", True) for values in rows) else 1


def _tried(place: Place, hosts: Sequence[Host], root: Path) -> Iterator[Row]:
    """What running each installed hook on a sample gives, and the hosts that have none."""
    prompt = _sample_prompt(root)
    for host in hosts:
        present = install.installed(place, host)
        values: dict[str, Any] = {"host": host.name, "installed": bool(present), "path": str(place.settings(host))}
        if not present:
            yield values, f"{host.label}: not installed in {values['path']}\n"
        for event in EVENTS:
            if event in present:
                ok, text = _try(host, event, present[event], root, prompt)
                yield values | {"event": event, "ok": ok, "message": text}, f"{host.label}, {event}: {text}\n"


def _sample_prompt(root: Path) -> str:
    """A prompt that names a definition of the repository, so that a hook has something to tell."""
    from nav_ls.query.graph import most_called
    from nav_ls.text.errors import NavError
    from nav_ls.workspace.workspace import Workspace

    try:
        workspace = Workspace.open(root)
    except NavError:
        return _SAMPLE
    try:
        with workspace.snapshot() as snapshot:
            names = [item.symbol.qual for item in most_called(snapshot, _LOOKED_AT)]
    except NavError:
        return _SAMPLE
    finally:
        workspace.close()
    return f"Who calls `{max(names, key=len)}`, and what for?" if names else _SAMPLE


def _try(host: Host, event: str, line: str, root: Path, prompt: str) -> tuple[bool, str]:
    """Run what is installed for an event on a sample; whether it is sound, and what to say about it."""
    import json

    from nav_ls.hooks.samples import sample

    expected = install.command(host, host.hooks[event], event)
    if host.style != "plugin" and str(expected[3]) not in line:
        return False, "installed for another nav; run `nav hook install` again"
    payload = json.dumps(sample(host, event, root, prompt)).encode()
    command = expected if host.style == "plugin" else ["/bin/sh", "-c", line]
    start = time.perf_counter()
    environment = dict(os.environ) | ({"CURSOR_VERSION": "1"} if host.name == "cursor" else {})
    done = subprocess.run(command, input=payload, capture_output=True, cwd=root, env=environment, check=False)
    milliseconds = (time.perf_counter() - start) * 1000
    size = len(done.stdout.decode("utf-8", "replace"))
    if done.returncode:
        return False, f"exit code {done.returncode} after {milliseconds:.0f} ms"
    if not size and event in (SESSION_START, PROMPT):
        return True, f"{milliseconds:.0f} ms, no output (is the repository indexed?)"
    note = f", more than the {host.characters} that arrive" if host.characters and size > host.characters else ""
    shown = done.stdout.decode("utf-8", "replace")[:200].replace("\n", "\\n")
    return not note, f"{milliseconds:.0f} ms, {size:,} characters{note}: {shown}"


def _rules(args: argparse.Namespace) -> int:
    root = root_of(args.repo)
    changes = []
    if args.cursor or not args.agents_md:
        changes += rules.plan_cursor(root, remove=args.remove)
    if args.agents_md:
        changes += rules.plan_agents_md(root, remove=args.remove)
    return carry_out(args, changes)


def _repository(args: argparse.Namespace) -> Repository:
    found = find_repository(Path(args.repo).resolve())
    if found is None:
        raise githooks.HookError(f"{Path(args.repo).resolve()} is in no git repository")
    return found


def _git_install(args: argparse.Namespace) -> int:
    changed = githooks.install(_repository(args), shared=args.shared)
    return show_changes(args, _done("changed", changed))


def _git_uninstall(args: argparse.Namespace) -> int:
    return show_changes(args, _done("restored", githooks.uninstall(_repository(args))))


def _done(word: str, paths: Iterable[Path]) -> Iterator[Row]:
    for path in paths:
        yield {"path": str(path), "change": word}, f"{word} {path}\n"


def _git_status(args: argparse.Namespace) -> int:
    present = githooks.installed(_repository(args))
    rows = (
        ({"name": name, "installed": name in present}, f"{name}: {'yes' if name in present else 'no'}\n")
        for name in githooks.NAMES
    )
    show(args, "hooks", rows)
    return 0 if present else 1
