"""The MCP server: what a coding agent may ask about the repository it works in."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from nav_ls import __version__
from nav_ls.mcp import render
from nav_ls.mcp.ask import Asker, AskError, project_folder
from nav_ls.mcp.lines import make_stdin_answerable

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

INSTRUCTIONS = """\
nav keeps an index of this repository: who calls what, with evidence, and search by meaning. It knows unsaved and \
uncommitted changes. Prefer it to grep for questions about code:
- before you write code: `context` with the task in one sentence gives the definitions to reuse and to imitate;
- "where is X handled?": `search`; you know a name: `definition`;
- before you finish: `conform` tells what your change reinvents, and what to use instead;
- before you change or delete something: `callers`, or `impact` for callers of callers and the tests among them;
- a file you have not read: `outline` first; a repository you do not know: `map`, then `conventions`.
Names are given as NAME, Class.name, path:Class.name or path:line. Evidence, best first: exact, type, dispatch, name; \
"not proved" sites are calls of that name on a receiver that nav could not work out: look at them before you rely on \
there being no other caller. Every answer keeps to `tokens`; lists go on with `offset`.\
"""

Name = Annotated[str, Field(description="NAME, Class.name, path:Class.name or path:line")]
Tokens = Annotated[int, Field(description="upper bound of the answer in tokens", ge=300, le=20_000)]
Offset = Annotated[int, Field(description="how many entries of the list to skip", ge=0, le=100_000)]
_ELSEWHERE = ". `search` finds code by what it does, `outline` lists the names in a file."
_PAGE = 100
_MOST_HITS = 200

Ask = Callable[[str, dict[str, Any]], dict[str, Any]]


def build(ask: Ask, name: str) -> MCPServer:
    """The server for a repository called `name`."""
    from mcp.server.mcpserver import MCPServer
    from mcp.types import ToolAnnotations

    server = MCPServer("nav", version=__version__, instructions=INSTRUCTIONS)
    tools = Tools(ask)
    for tool in (
        tools.search,
        tools.context,
        tools.definition,
        tools.callers,
        tools.callees,
        tools.impact,
        tools.outline,
        tools.map,
        tools.conventions,
        tools.conform,
    ):
        hints = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
        server.add_tool(tool, annotations=hints, structured_output=False)
    _resources(server, tools, name)
    return server


class Tools:
    """The tools.  Each docstring is what the model reads."""

    def __init__(self, ask: Ask) -> None:
        self._ask_nav = ask

    def search(
        self,
        question: Annotated[str, Field(description="what you look for, in plain language or as a name")],
        limit: Annotated[int, Field(ge=1, le=50)] = 10,
        offset: Offset = 0,
        exclude_tests: bool = False,
        path: Annotated[str, Field(description="only paths that fit this glob, such as src/**")] = "",
        tokens: Tokens = 3000,
    ) -> str:
        """Find code by meaning, words and names: "where are expired sessions removed". Best hits first, with lines."""
        wanted = min(_MOST_HITS, offset + limit)
        params: dict[str, Any] = {"query": question, "k": wanted, "exclude_tests": exclude_tests}
        result = self._ask("nav.search", params | ({"path": [path]} if path else {}))
        lines = render.search(result, offset)
        # There may be more than was asked for; nobody counts them.
        total = len(result["hits"]) + (1 if len(result["hits"]) == wanted < _MOST_HITS else 0)
        notes = [*(f"Note: {note}." for note in result["notes"]), *render.stale(result)]
        return render.page(lines, "Search hits, best first.", tokens, offset, total, notes)

    def context(
        self,
        task: Annotated[str, Field(description="what is to be done, in a sentence or two")],
        tokens: Tokens = 4000,
    ) -> str:
        """What to know before working on a task: up to 8 whole definitions to reuse or imitate, with their callers."""
        result = self._ask("nav.context", {"task": task, "tokens": tokens, "blocks": 8})
        if not result["text"]:
            return f"Nothing: {result['reason']}. Try `search` with other words, or `map`."
        notes = [f"Note: {note}." for note in result["notes"]]
        return "\n".join([result["text"], *notes, *render.stale(result)])

    def definition(self, name: Name, tokens: Tokens = 4000) -> str:
        """The whole source of a definition (or of all that a name fits), with who calls it and what it calls."""
        result = self._ask("nav.show", {"target": name, "tokens": tokens})
        notes = [f"Note: {result['reason']}."] if result["reason"] else []
        return "\n".join([result["text"], *notes, *render.stale(result)])

    def callers(self, name: Name, offset: Offset = 0, tokens: Tokens = 3000) -> str:
        """Who calls or uses a definition, with each site's line and evidence, and sites that could not be proved."""
        result = self._ask("nav.callers", {"target": name, "limit": offset + _PAGE})
        lines = render.callers(result)
        total = result["total"] + len(result["uses"]) + result["possible_total"]
        head = f"{result['total']} proved callers, {result['possible_total']} possible sites of {_named(result)}."
        return render.page(lines[offset:], head, tokens, offset, total, render.stale(result))

    def callees(self, name: Name, offset: Offset = 0, tokens: Tokens = 3000) -> str:
        """What a definition calls, with evidence, and the calls whose target is not known."""
        result = self._ask("nav.callees", {"target": name, "limit": offset + _PAGE})
        lines = render.callees(result)
        return render.page(
            lines[offset:], f"What {_named(result)} calls.", tokens, offset, len(lines), render.stale(result)
        )

    def impact(
        self,
        name: Name,
        depth: Annotated[int, Field(description="steps of callers", ge=1, le=10)] = 3,
        offset: Offset = 0,
        tokens: Tokens = 3000,
    ) -> str:
        """What a change of a definition may touch: its callers, their callers, and the tests among them."""
        result = self._ask("nav.impact", {"target": name, "depth": depth, "limit": min(10_000, offset + 2 * _PAGE)})
        lines = render.impact(result)
        tests = sum(row["test"] for row in result["rows"])
        more = "at least " if result["cut"] else ""
        head = (
            f"{more}{len(lines)} definitions reach {_named(result)} in {depth} steps, {tests} of them tests; "
            f"{result['possible']} more sites could not be proved. Steps come first."
        )
        total = len(lines) + (1 if result["cut"] else 0)
        return render.page(lines[offset:], head, tokens, offset, total, render.stale(result))

    def outline(
        self,
        path: Annotated[str, Field(description="a file, or the end of its path")],
        depth: Annotated[int, Field(description="levels of members; 0: as many as fit whole", ge=0, le=20)] = 0,
        offset: Offset = 0,
        tokens: Tokens = 3000,
    ) -> str:
        """The definitions of a file with their lines and signatures: read this before the file."""
        result = self._ask("nav.outline", {"path": path})
        head = f"Outline of {result['path']}."
        levels = depth or render.fitting_depth(result, head, tokens)
        lines = render.outline(result, levels)
        left_out = len(result["rows"]) - len(lines)
        notes = [f"{left_out} members lie deeper; depth={levels + 1} shows more."] if left_out else []
        return render.page(lines[offset:], head, tokens, offset, len(lines), [*notes, *render.stale(result)])

    def map(self, tokens: Tokens = 4000) -> str:
        """A map of the repository: packages, entry points, the most depended-on definitions, conventions."""
        result = self._ask("nav.digest", {"tokens": tokens})
        return result["text"] or "Nothing is indexed."

    def conventions(self, tokens: Tokens = 2000) -> str:
        """How things are done here: which libraries, error types, base types, decorators, checks, how tests lie."""
        result = self._ask("nav.conventions", {"tokens": tokens})
        return result["text"] or "The repository is too small to have any."

    def conform(self, staged: bool = False, tokens: Tokens = 2000) -> str:
        """Does your uncommitted change reuse what the repository has?  Copies, second packages, bypassed layers."""
        result = self._ask("nav.conform", {"staged": staged})
        lines = render.conform(result)
        head = f"{len(lines)} findings in {result['files']} changed files."
        if not lines:
            calls = result["own_calls"] + result["outside_calls"]
            return head + (f" {result['reuse']:.0%} of the added calls reuse code of the repository." if calls else "")
        return render.page(lines, head, tokens, 0, len(lines), render.stale(result))

    def _ask(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        from mcp.server.mcpserver.exceptions import ToolError

        try:
            return self._ask_nav(command, params)
        except AskError as error:
            raise ToolError(f"{error}{_ELSEWHERE if error.missing else ''}") from error


def _named(result: dict[str, Any]) -> str:
    symbol = result["symbol"]
    return f"{symbol['symbol']} ({symbol['path']}:{symbol['line']})"


def _resources(server: MCPServer, tools: Tools, name: str) -> None:
    @server.resource("nav://map", name="map", description=f"A map of {name}", mime_type="text/plain")
    def repository_map() -> str:
        return _read(lambda: tools.map(8000))

    @server.resource("nav://conventions", name="conventions", description=f"How things are done in {name}")
    def conventions() -> str:
        return _read(lambda: tools.conventions(4000))

    @server.resource("nav://outline/{+path}", name="outline", description="The definitions of a file")
    def outline(path: str) -> str:
        return _read(lambda: tools.outline(path, tokens=8000))


def _read(tool: Callable[[], str]) -> str:
    """What a tool says, as the content of a resource: the SDK keeps the reasons of a tool's refusals to itself there."""
    from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError

    try:
        return tool()
    except ToolError as error:
        why = error.__cause__
        missing = isinstance(why, AskError) and why.missing
        raise (ResourceNotFoundError if missing else ResourceError)(str(error)) from error


def parser() -> argparse.ArgumentParser:
    """The parser of `nav mcp` itself; what installs it is a hook's business."""
    found = argparse.ArgumentParser(
        prog="nav mcp",
        description="Serve coding agents over MCP on stdin and stdout.",
        epilog="`nav mcp install` and `nav mcp uninstall` put it into the settings of coding agents, and take it out.",
    )
    found.add_argument("-C", "--repo", type=Path, metavar="DIR", help="the repository (default: the current one)")
    text = "changes nothing: speaks MCP on stdout, which is JSON by itself"
    found.add_argument("--json", action="store_true", help=text)
    return found


def main(argv: Sequence[str]) -> int:
    """Serve one client on stdin and stdout; returns the exit code."""
    args = parser().parse_args(argv)
    asker = Asker.at(args.repo or project_folder())
    server = build(asker, asker.root.name)
    make_stdin_answerable()
    server.run("stdio")
    return 0
