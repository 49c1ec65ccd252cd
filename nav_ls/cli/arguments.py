"""The grammar of the command line: what can be said, and which command of the table it means."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nav_ls import __version__
from nav_ls.cli import agents, here, prose

Values = dict[str, Any]
CONFORMANCE = "conformance"
"""What `nav eval` measures instead of search; a file of that name is `./conformance`."""


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line.

    A parsed line that means a command of the table has `command` (its name, or a function from the parsed arguments
    to it) and `values` (a function from the parsed arguments to the command's parameters).
    """
    common = _common()
    root = argparse.ArgumentParser(
        prog="nav",
        description="Who calls this?  Where is X handled?  One index for people, editors and agents.",
        epilog="`nav callers NAME` is a good start: it indexes the repository first if need be.",
        parents=[common],
    )
    root.add_argument("--version", action="version", version=f"nav {__version__}")
    commands = root.add_subparsers(dest="subcommand", metavar="COMMAND")
    _graph_questions(commands, common, "nav")
    _search(commands, common)
    _eval(commands, common)
    _index(commands, common)
    _graph(commands, common)
    _conform(commands, common)
    agents.arguments(lambda name, text, command, values: _add(commands, common, name, text, command, values))
    prose.arguments(lambda name, text, command, values: _add(commands, common, name, text, command, values))
    _server(commands, common)
    agents.elsewhere(commands)
    _completion(commands, common)
    return root


def _common() -> argparse.ArgumentParser:
    # SUPPRESS keeps a subparser's default from overwriting what was said before the subcommand.
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    group = common.add_argument_group("everywhere")
    group.add_argument(
        "-C", "--repo", metavar="DIR", help="the repository (default: the one that holds the current folder)"
    )
    group.add_argument("--json", action="store_true", help="print JSON")
    group.add_argument("--color", choices=("auto", "always", "never"), help="colours in the output (default: auto)")
    group.add_argument("--no-server", action="store_true", help="do the work in this process")
    group.add_argument(
        "--no-sync", action="store_true", help="answer from the index as it is, without looking for changes"
    )
    return common


def _add(
    commands: Any,
    common: argparse.ArgumentParser,
    name: str,
    text: str,
    command: str | Callable[[argparse.Namespace], str],
    values: Callable[[argparse.Namespace], Values],
) -> argparse.ArgumentParser:
    found: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text, parents=[common])
    found.set_defaults(command=command, values=values)
    return found


def _graph_questions(commands: Any, common: argparse.ArgumentParser, prefix: str) -> None:
    def target(args: argparse.Namespace) -> Values:
        return {"target": args.target, "limit": args.limit}

    for name, text in (("callers", "who calls a definition, with evidence"), ("callees", "whom a definition calls")):
        found = _add(commands, common, name, text, f"nav.{name}", target)
        here.add_target(found)
        found.add_argument("--limit", type=_positive, default=1000, metavar="N", help="at most so many (1000)")
    if prefix != "nav":
        return
    found = _add(commands, common, "defs", "where something is defined", "nav.defs", target)
    here.add_target(found)
    found.add_argument("--limit", type=_positive, default=1000, metavar="N", help="at most so many (1000)")

    def search(args: argparse.Namespace) -> Values:
        return {"query": args.query, "limit": args.limit, "kinds": args.kind}

    found = _add(commands, common, "symbols", "definitions whose name fits a search text", "nav.symbols", search)
    found.add_argument("query", metavar="TEXT", help="a part of the name, its initials, or Owner.name")
    found.add_argument("--limit", type=_positive, default=50, metavar="N", help="at most so many (50)")
    found.add_argument(
        "--kind", action="append", default=[], metavar="KIND", help="only this kind (function, class, ...)"
    )


def _search(commands: Any, common: argparse.ArgumentParser) -> None:
    def search(args: argparse.Namespace) -> Values:
        return {
            "query": args.query or "",
            "k": args.k,
            "mode": args.mode,
            "type": args.type,
            "layer": args.layer,
            "lang": args.lang,
            "framework": args.framework,
            "path": args.path,
            "exclude_tests": args.exclude_tests,
            "threshold": args.threshold,
            "per_file": args.per_file,
            "expand": "impact" if args.impact else "callees" if args.callees else "",
            "rerank": not args.no_rerank,
            "context": args.context,
            "budget": args.budget,
        }

    text = "find code by a question in plain language"
    found = _add(commands, common, "search", text, "nav.search", search)
    found.add_argument("query", metavar="QUESTION", nargs="?", help='such as "where is the jwt refresh handled"')
    found.add_argument("-k", "--limit", dest="k", type=int, default=10, metavar="N", help="at most so many hits (10)")
    found.add_argument("--mode", choices=("hybrid", "vector", "lexical"), default="hybrid", help="default: hybrid")
    for name, what in (
        ("type", "kinds of definition: method, class, ..."),
        ("layer", "layers: service, controller, test, ..."),
        ("lang", "languages: go, python, ..."),
        ("framework", "frameworks: django, react, ..."),
        ("path", "paths, as globs such as 'src/**'; '!' in front excludes"),
    ):
        found.add_argument(f"--{name}", action="append", default=[], metavar=name.upper(), help=f"only these {what}")
    found.add_argument("--exclude-tests", action="store_true", help="leave tests out")
    found.add_argument("--threshold", type=float, default=0.0, metavar="X", help="only scores from X on (0 to 1)")
    found.add_argument("--per-file", type=_positive, default=0, metavar="N", help="at most N hits of one file")
    found.add_argument("--callees", action="store_true", help="also what the best hits call")
    found.add_argument("--impact", action="store_true", help="also what the best hits call, and what calls them")
    found.add_argument("--no-rerank", action="store_true", help="leave a configured reranker out")
    found.add_argument("--context", action="store_true", help="print the blocks that an agent would get")
    found.add_argument("--budget", type=_positive, default=4000, metavar="TOKENS", help="of --context (4000)")
    found.add_argument("--batch", metavar="FILE", help="answer the questions of a JSONL file, one JSON line for each")

    _add(commands, common, "embed", "make the vectors that are missing, now", "nav.embed", lambda args: {})


def _eval(commands: Any, common: argparse.ArgumentParser) -> None:
    def command(args: argparse.Namespace) -> str:
        if args.scaffold:
            return "nav.eval.scaffold"
        return "nav.eval.conformance" if args.file == CONFORMANCE else "nav.eval"

    def evaluation(args: argparse.Namespace) -> Values:
        if args.scaffold:
            return {"count": args.scaffold}
        if args.file == CONFORMANCE:
            return {"sample": args.sample, "seed": args.seed, "negatives": args.negatives or ""}
        return {
            "kind": args.kind or ["name", "doc"],
            "file": args.file or "",
            "sample": args.sample,
            "modes": args.modes or ["lexical", "vector", "hybrid"],
            "seed": args.seed,
            "check_mode": args.check_mode,
            "fail_under": args.fail_under,
        }

    text = "measure how well search finds things here, or how well `nav conform` knows copies"
    found = _add(commands, common, "eval", text, command, evaluation)
    found.add_argument("file", metavar="FILE", nargs="?", help=f"curated questions, JSONL; or `{CONFORMANCE}`")
    kinds = ("name", "doc", "curated")
    found.add_argument("--kind", action="append", choices=kinds, help="sets of questions (default: name and doc)")
    found.add_argument("--modes", nargs="+", choices=("lexical", "vector", "hybrid"), help="default: all")
    found.add_argument("--sample", type=_positive, default=100, metavar="N", help="questions a set (100)")
    found.add_argument("--seed", type=_positive, default=1, metavar="N", help="which ones are drawn")
    found.add_argument("--queries", action="store_true", help="show every question, and what was ranked instead")
    found.add_argument("--check-mode", choices=("lexical", "vector", "hybrid"), default="hybrid")
    found.add_argument(
        "--fail-under", default="", metavar="LIMITS", help='such as "recall@10=0.6,mrr=0.35": exit 1 under it'
    )
    found.add_argument("--html", metavar="FILE", help="write a report with plots")
    found.add_argument(
        "--scaffold", type=_positive, default=0, metavar="N", help="print N rows to write questions into"
    )
    found.add_argument(
        "--negatives", metavar="DIR", help=f"`{CONFORMANCE}`: another repository, whose functions are new here"
    )


def _index(commands: Any, common: argparse.ArgumentParser) -> None:
    def index(args: argparse.Namespace) -> Values:
        return {"full": args.full, "paths": []}

    found = _add(commands, common, "index", "bring the index up to date", "nav.index", index)
    found.add_argument("--full", action="store_true", help="read and link everything again")
    for name, text in (
        ("status", "what is indexed, how fresh it is, what is left out"),
        ("gc", "remove what no branch needs"),
        ("doctor", "check everything that nav needs"),
    ):
        _add(commands, common, name, text, f"nav.{name}", lambda args: {})


def _graph(commands: Any, common: argparse.ArgumentParser) -> None:
    graph = commands.add_parser("graph", help="the graph: dependencies, what is called most, export", parents=[common])
    below = graph.add_subparsers(dest="question", metavar="QUESTION", required=True)
    _graph_questions(below, common, "nav graph")

    def target(args: argparse.Namespace) -> Values:
        return {"target": args.target, "limit": args.limit}

    for name, text in (
        ("deps", "what a file or folder depends on"),
        ("dependents", "what depends on a file, a folder or an outside package"),
    ):
        found = _add(below, common, name, text, f"nav.graph.{name}", target)
        here.add_path(found, "target", "a file or folder (the end of its path will do), or a package")
        found.add_argument("--limit", type=_positive, default=1000, metavar="N", help="at most so many (1000)")
    found = _add(
        below,
        common,
        "top",
        "the definitions with the most callers",
        "nav.graph.top",
        lambda args: {"limit": args.limit},
    )
    found.add_argument("--limit", type=_positive, default=20, metavar="N", help="at most so many (20)")

    def export(args: argparse.Namespace) -> Values:
        return {"kinds": args.kind or ["calls"], "names": args.names}

    found = _add(below, common, "export", "all edges of the graph", "nav.graph.export", export)
    found.add_argument(
        "--format", choices=("jsonl", "dot", "graphml"), default="jsonl", help="default: jsonl, one edge a line"
    )
    found.add_argument(
        "--kind",
        action="append",
        metavar="KIND",
        help="kinds of edge: calls, accesses, references, ... (default: calls)",
    )
    found.add_argument("--names", action="store_true", help="also edges that only a name speaks for")


def _conform(commands: Any, common: argparse.ArgumentParser) -> None:
    def values(args: argparse.Namespace) -> Values:
        return {
            "range": args.range or "",
            "staged": args.staged,
            "patch": args.patch or "",
            "threshold": args.threshold,
            "related": args.related,
        }

    text = "does a change reuse what the repository has, or reinvent it?"
    found = _add(commands, common, "conform", text, "nav.conform", values)
    found.add_argument("range", nargs="?", metavar="BASE..HEAD", help="commits (default: the work tree against HEAD)")
    found.add_argument("--staged", action="store_true", help="what is staged for the next commit")
    found.add_argument("--patch", type=_contents, metavar="FILE", help="a diff (- for stdin)")
    found.add_argument("--threshold", type=_share, default=0.0, metavar="S", help="leave out findings less sure than S")
    found.add_argument(
        "--related", type=int, default=0, metavar="N", help="also N definitions near in meaning to each new function"
    )
    found.add_argument("--sarif", action="store_true", help="print SARIF, for code review")
    found.add_argument(
        "--fail-under",
        type=_share,
        metavar="R",
        help="exit with 1 if less than R of the added calls reuse the repository's own code",
    )


def _contents(path: str) -> str:
    try:
        # As bytes: a patch of a file with CRLF applies only with its own line ends.
        return (sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()).decode()
    except (OSError, UnicodeError) as error:
        raise argparse.ArgumentTypeError(f"can't read {path!r}: {error}") from error


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number between 0 and 1")
    return value


def _server(commands: Any, common: argparse.ArgumentParser) -> None:
    server = commands.add_parser("server", help="the shared server: status, stop, restart", parents=[common])
    server.add_argument("action", choices=("status", "stop", "restart"))


def _completion(commands: Any, common: argparse.ArgumentParser) -> None:
    completion = commands.add_parser("completion", help="print a completion script for a shell", parents=[common])
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))


def _positive(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number between 1 and 100000")
    return int(text)
