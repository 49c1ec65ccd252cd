"""The command line: parses arguments, runs a command, prints its result.

Exit codes: 0 done; 1 something failed; 2 wrong usage; 3 not found; 4 busy; 5 storage; 6 a service fails; 130
interrupted.  `nav ask`: 3 where the code does not show the answer, 7 where a citation does not hold or there is none.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nav_ls.cli.arguments import parser
from nav_ls.cli.terminal import Bar, Paint

if TYPE_CHECKING:
    import msgspec

    from nav_ls.commands.model import Command

DEBUG = "NAV_DEBUG"
"""In the environment: unexpected errors are shown with their traceback."""

_INTERNAL_ERROR = 70


def main(argv: Sequence[str]) -> int:
    """Run one command line; returns the exit code."""
    _open_streams()
    try:
        return _run(argv)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever reads our output has had enough (`nav ... | head`): there is nobody to complain to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        return _failed(error)


def _open_streams() -> None:
    """Give output a place to go where whoever started us has closed it (`nav ... >&-`)."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (it stays open for as long as we run)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _run(argv: Sequence[str]) -> int:
    root = parser()
    args = root.parse_args(argv)
    if args.subcommand is None:
        root.print_help()
        return 0
    if args.subcommand == "completion":
        from nav_ls.cli.completion import script

        return _print([script(root, args.shell, as_json=getattr(args, "json", False))])
    if args.subcommand == "server":
        from nav_ls.cli.server import run

        return run(args.action, getattr(args, "json", False))
    return _command(args)


def _command(args: argparse.Namespace) -> int:
    from nav_ls.cli.here import Here, as_meant
    from nav_ls.commands.table import find, parse
    from nav_ls.store.layout import Layout

    if getattr(args, "batch", None):
        from nav_ls.cli.batch import run

        return run(args, Path(getattr(args, "repo", ".")))
    command = find(args.command(args) if callable(args.command) else args.command)
    repo = Path(getattr(args, "repo", "."))
    as_meant(args, Here(Path.cwd(), Layout.find(repo).root))
    params = parse(command, _text(args.values(args)))
    sync = not getattr(args, "no_sync", False)
    if args.command == "nav.enrich" and not args.dry_run and not _agreed(args, command, repo, sync=sync):
        return 0
    heard = _listener(args)
    done = _through_server(command, params, repo, sync=sync, partial=heard) if _wants_server(args) else None
    result, base = done or _in_process(command, params, repo, sync=sync, partial=heard)
    return _show(args, result, base)


def _text(value: Any) -> Any:
    """What was typed, with a mark for each byte that is no text; those would be refused later, with less of a reason."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, list):
        return [_text(item) for item in value]
    return {name: _text(item) for name, item in value.items()} if isinstance(value, dict) else value


def _listener(args: argparse.Namespace) -> Callable[[str], None] | None:
    """Shows an answer while it is written, where somebody watches."""
    if args.command != "nav.ask" or getattr(args, "json", False) or not sys.stdout.isatty():
        return None
    from nav_ls.cli.prose import live

    return live


def _agreed(args: argparse.Namespace, command: Command, repo: Path, *, sync: bool) -> bool:
    """Whether whoever pays wants to, after having seen the estimate."""
    from nav_ls.cli.prose import agreed
    from nav_ls.cli.render import Renderer
    from nav_ls.commands.table import parse

    found: Any
    found, root = _in_process(command, parse(command, args.values(args) | {"dry_run": True}), repo, sync=sync)
    lines = list(Renderer(Paint(getattr(args, "color", "auto"), sys.stderr), root).lines(found))
    return agreed(args, found, lines) or bool(
        _print(["nothing was done", *([] if found.estimate.definitions else lines)])
    )


def _wants_server(args: argparse.Namespace) -> bool:
    from nav_ls.cli.remote import wanted

    # Checking the installation is about this process; what is paid for is paid with the key in its environment.
    return args.command not in ("nav.doctor", "nav.enrich") and wanted(getattr(args, "no_server", False))


def _through_server(
    command: Command,
    params: msgspec.Struct,
    repo: Path,
    *,
    sync: bool,
    partial: Callable[[str], None] | None = None,
) -> tuple[msgspec.Struct, Path] | None:
    from nav_ls.cli.remote import run
    from nav_ls.text.errors import NotConfiguredError

    try:
        return run(command, params, repo, sync=sync, partial=partial)
    except NotConfiguredError:
        return None  # the server was started in another environment than this one, which may have a key


def _in_process(
    command: Command,
    params: msgspec.Struct,
    repo: Path,
    *,
    sync: bool,
    partial: Callable[[str], None] | None = None,
) -> tuple[msgspec.Struct, Path]:
    from nav_ls.commands.model import NOT_COMPARED, Context
    from nav_ls.commands.table import execute
    from nav_ls.workspace.workspace import Workspace

    workspace = Workspace.open(repo)
    bar = Bar()
    behind = "" if sync else NOT_COMPARED
    try:
        context = Context(
            lambda progress: bar.show(progress.phase, progress.done, progress.total), sync, partial, behind
        )
        return execute(workspace, command, params, context), workspace.root
    finally:
        bar.clear()
        workspace.close()


def _show(args: argparse.Namespace, result: Any, root: Path) -> int:
    if args.command == "nav.graph.export":
        return _export(args, result)
    if args.command == "nav.ask":
        from nav_ls.cli.prose import exit_code

        return _show_plain(args, result, root) or exit_code(result.status)
    if args.command == "nav.conform":
        return _conform(args, result, root)
    return _show_plain(args, result, root)


def _show_plain(args: argparse.Namespace, result: Any, root: Path) -> int:
    if getattr(args, "html", None):
        _write_page(Path(args.html), result, root)
    if getattr(args, "json", False):
        import msgspec

        return _print([msgspec.json.encode(result).decode()])
    from nav_ls.cli.render import Renderer

    paint = Paint(getattr(args, "color", "auto"), sys.stdout)
    detail = getattr(args, "queries", False) or _listener(args) is not None
    _print(Renderer(paint, root, detail=detail).lines(result))
    return 0 if getattr(result, "ok", True) else 1


def _write_page(path: Path, result: Any, root: Path) -> None:
    from nav_ls.evaluate.html import page
    from nav_ls.text.errors import StorageError

    try:
        path.write_text(page(result.evaluation, f"Search in {root.name}"), "utf-8")
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}") from error


def _export(args: argparse.Namespace, result: Any) -> int:
    from nav_ls.cli.export import lines

    return _print(lines(result.edges, "jsonl" if getattr(args, "json", False) else args.format))


def _conform(args: argparse.Namespace, result: Any, root: Path) -> int:
    if args.sarif:
        from nav_ls.cli.sarif import lines

        _print(lines(result))
    else:
        _show_plain(args, result, root)
    return 1 if args.fail_under is not None and result.reuse < args.fail_under else 0


def _print(lines: Iterable[str]) -> int:
    out = sys.stdout
    for line in lines:
        # Names of files and definitions may hold what the terminal's encoding cannot show.
        out.write(line.encode(out.encoding or "utf-8", "backslashreplace").decode(out.encoding or "utf-8") + "\n")
    out.flush()
    return 0


def _failed(error: Exception) -> int:
    from nav_ls.text.errors import NavError

    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exc()
    if isinstance(error, NavError):
        print(f"nav: {error}", file=sys.stderr)
        return error.exit_code
    print(
        f"nav: internal error: {type(error).__name__}: {error}\n"
        f"This should not happen: please report it, with what {DEBUG}=1 in the environment prints.",
        file=sys.stderr,
    )
    return _INTERNAL_ERROR
