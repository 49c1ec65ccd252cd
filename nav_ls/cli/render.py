"""Results for people: one fact a line, places as `path:line:column` that terminals can click."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from nav_ls.cli import agents_view, prose
from nav_ls.cli.here import Here
from nav_ls.cli.terminal import Paint
from nav_ls.text.words import words_of

if TYPE_CHECKING:  # a command loads what it needs; to print its result takes none of the others
    from nav_ls.commands import agents, ask, calls, conform, enrich, eval_conformance, evaluate, graph, index, search
    from nav_ls.commands.model import CallerRow, Freshness, Place, PossibleRow, Symbol, SymbolsResult
    from nav_ls.store.health import Chained

_EVIDENCE_STYLE = {"exact": "green", "type": "cyan", "dispatch": "yellow", "name": "red"}
_WHY = {
    "unresolved": "the receiver is not known",
    "name": "only the name fits",
    "dispatch": "through a method that it overrides or implements",
}
_SHOWN_SKIPPED = 20
_TAB = 4
"""Columns of a tab in code."""


class Renderer:
    """Prints results of one root."""

    def __init__(self, paint: Paint, root: Path, *, detail: bool = False) -> None:
        self._paint = paint
        self._detail = detail
        self._here = Here(Path.cwd(), root)

    def lines(self, result: msgspec.Struct) -> Iterator[str]:
        """The lines for a result."""
        name = name_of(type(result))
        plain = agents_view.RENDERERS.get(name)
        if plain is not None:
            yield from plain(result)
        else:
            render: Callable[[Any], Iterator[str]] = RENDERERS[name].__get__(self)
            yield from render(result)
        freshness = getattr(result, "freshness", None)
        if freshness is not None:
            yield self._freshness(freshness)

    # --- parts

    def _path(self, path: str) -> str:
        """A path that can be clicked from the current folder."""
        return _printable(self._here.shown(path))

    def _place(self, path: str, place: Place) -> str:
        return self._paint(f"{self._path(path)}:{place.line}:{place.column}", "blue")

    def _head(self, symbol: Symbol) -> str:
        where = f"{self._path(symbol.path)}:{symbol.line}" if symbol.line else self._path(symbol.path)
        what = symbol.signature or f"{symbol.kind} {symbol.symbol}"
        return f"{self._paint(symbol.symbol, 'bold')}  {self._paint(where, 'blue')}  {self._paint(_printable(what), 'dim')}"

    def _evidence(self, evidence: str) -> str:
        return self._paint(evidence, _EVIDENCE_STYLE.get(evidence, "dim"))

    def _rows(self, rows: Sequence[CallerRow]) -> Iterator[str]:
        for row in rows:
            for site in row.sites:
                yield f"  {self._place(row.path, site)}  {_printable(row.symbol)}  {self._evidence(row.evidence)}"

    def _targets(self, rows: Sequence[CallerRow], origin: str) -> Iterator[str]:
        for row in rows:
            where = self._paint(f"{self._path(row.path)}:{row.line}", "blue")
            sites = ", ".join(f"{site.line}:{site.column}" for site in row.sites)
            yield f"  {where}  {_printable(row.symbol)}  {self._evidence(row.evidence)}  {self._paint('at ' + sites, 'dim')}"

    def _possible(self, rows: Sequence[PossibleRow]) -> Iterator[str]:
        for why in ("dispatch", "name", "unresolved"):
            group = [row for row in rows if row.why == why]
            if group:
                yield self._paint(f"possible: {_WHY[why]}", "yellow")
            for row in group:
                via = f"  {self._paint('via ' + row.via, 'dim')}" if row.via else ""
                for site in row.sites:
                    yield f"  {self._place(row.path, site)}  {_printable(row.symbol)}{via}"

    def _conform(self, result: conform.ConformResult) -> Iterator[str]:
        for row in result.findings:
            place = self._paint(f"{self._path(row.path)}:{row.line}", "blue")
            yield f"{place}  {self._paint(row.rule, 'yellow')}  {_printable(row.message)}  {self._paint(f'{row.score:.2f}', 'dim')}"
            yield self._paint(f"  {_printable(row.why)}", "dim")
            if row.instead is not None:
                where = self._paint(f"{self._path(row.instead.path)}:{row.instead.line}", "blue")
                yield f"  use {where}  {_printable(row.instead.symbol)}"
        for added in result.related:
            where = self._paint(f"{self._path(added.path)}:{added.line}", "blue")
            yield f"{where}  near in meaning to {_printable(added.symbol)}:"
            for hit in added.nearest:
                place = self._paint(f"{self._path(hit.path)}:{hit.line}", "blue")
                yield f"  {place}  {_printable(hit.symbol)}  {self._paint(f'{hit.score:.2f}', 'dim')}"
        told = f"{_count(len(result.findings), 'finding')} in {_count(result.files, 'changed file')}"
        calls = result.own_calls + result.outside_calls
        reuse = f"; {result.reuse:.0%} of the added calls reuse the repository's own code" if calls else ""
        yield f"{told}{reuse}"

    def _freshness(self, freshness: Freshness) -> str:
        branch = _printable(freshness.branch)
        words = [branch or (f"detached {_printable(freshness.commit[:10])}" if freshness.commit else "no git")]
        if freshness.branch and freshness.commit:
            words.append(freshness.commit[:10])
        words.append(f"generation {freshness.generation}")
        if freshness.stale:
            return (
                self._paint(" · ".join(words), "dim")
                + "  "
                + self._paint(f"stale: {_printable(freshness.reason)}", "yellow")
            )
        return self._paint(" · ".join([*words, "fresh"]), "dim")

    # --- results

    def _callers(self, result: calls.CallersResult) -> Iterator[str]:
        yield self._head(result.symbol)
        sites = sum(len(row.sites) for row in result.callers)
        possible = sum(len(row.sites) for row in result.possible)
        if result.callers or not possible:
            yield self._paint(f"{_count(result.total, 'caller')}, {_count(sites, 'site')}", "bold")
        else:
            yield self._paint(f"0 resolved; {_count(possible, 'possible site')}", "bold")
        yield from self._rows(result.callers)
        if result.uses:
            yield self._paint("passed as a value", "bold")
            yield from self._rows(result.uses)
        yield from self._possible(result.possible)
        cut = result.total - len(result.callers) + result.possible_total - len(result.possible)
        if cut > 0:
            yield self._paint(f"... and {cut:,} more: raise --limit to see them", "yellow")

    def _callees(self, result: calls.CalleesResult) -> Iterator[str]:
        yield self._head(result.symbol)
        yield self._paint(f"calls {_count(len(result.callees), 'definition')}", "bold")
        yield from self._targets(result.callees, result.symbol.path)
        if result.uses:
            yield self._paint("passes on as a value", "bold")
            yield from self._targets(result.uses, result.symbol.path)
        if result.unknown:
            yield self._paint("calls whose target is not known", "yellow")
        for row in result.unknown:
            sites = ", ".join(f"{site.line}:{site.column}" for site in row.sites)
            yield f"  {_printable(row.name)}  {self._paint('at ' + sites, 'dim')}"

    def _impact(self, result: agents.ImpactResult) -> Iterator[str]:
        yield self._head(result.symbol)
        for row in result.rows:
            where = self._paint(f"{self._path(row.path)}:{row.line}" if row.line else self._path(row.path), "blue")
            verb = "uses" if row.use else "calls"
            test = "  (test)" if row.test else ""
            said = _printable(f"{row.symbol}  {verb} {row.via}")
            yield f"{'  ' * row.depth}{where}  {said}  {self._evidence(row.evidence)}{test}"
        more = "; there is more: raise --limit" if result.cut else ""
        yield f"{len(result.rows):,} reached, {result.possible:,} possible sites not proved{more}"

    def _outline(self, result: agents.OutlineResult) -> Iterator[str]:
        for row in result.rows:
            where = self._paint(f"{self._path(result.path)}:{row.line}", "blue")
            yield f"{where}  {'  ' * row.depth}{_printable(row.signature or f'{row.kind} {row.symbol}')}"

    def _symbols(self, result: SymbolsResult) -> Iterator[str]:
        for symbol in result.symbols:
            where = self._paint(f"{self._path(symbol.path)}:{symbol.line}:{symbol.column}", "blue")
            yield f"{where}  {self._paint(symbol.kind, 'dim')}  {self._paint(_printable(symbol.symbol), 'bold')}"
        if not result.symbols:
            yield "nothing fits"

    def _enrich(self, result: enrich.EnrichResult) -> Iterator[str]:
        yield from prose.enriched(self._paint, result)

    def _ask(self, result: ask.AskResult) -> Iterator[str]:
        yield from prose.answered(self._paint, result, heard=self._detail)

    def _search(self, result: search.SearchResult) -> Iterator[str]:
        if result.context:
            for item in result.context:
                yield from map(_code, item.text.split("\n"))
        else:
            for hit in result.hits:
                yield from self._hit(hit)
            if not result.hits:
                yield "nothing fits"
        for note in result.notes:
            yield self._paint(_printable(note), "yellow")
        if result.waiting:
            yield self._paint(f"{result.waiting:,} texts have no vector yet: `nav embed` makes them", "yellow")

    def _hit(self, hit: search.HitRow) -> Iterator[str]:
        where = self._paint(f"{self._path(hit.path)}:{hit.line}", "blue")
        what = f"{hit.kind} {self._paint(_printable(hit.symbol), 'bold')}" if hit.symbol else hit.kind
        layer = f"  [{hit.layer}]" if hit.layer else ""
        yield f"{where}  {what}{self._paint(layer, 'magenta')}  {self._paint(f'{hit.score:.2f}', 'green')}  {_reasons(hit)}"
        shown = _said(hit.snippet)
        if hit.signature and _said(hit.signature) not in shown:
            yield f"    {self._paint(_printable(hit.signature), 'cyan')}"
        if hit.summary and _said(hit.summary) not in shown:
            yield f"    {_printable(' '.join(hit.summary.split()))}"
        if hit.also:
            yield f"    {self._paint(_printable('with ' + ', '.join(hit.also)), 'dim')}"
        for line in hit.snippet.split("\n") if hit.snippet else ():
            yield f"    {self._paint(_code(line), 'dim')}"

    def _embed(self, result: search.EmbedResult) -> Iterator[str]:
        done = result.embedded
        speed = f", {done.embedded / done.seconds:,.0f} a second" if done.seconds and done.embedded else ""
        if done.repaired:
            yield f"{done.repaired} ({done.lost:,} vectors)"
        yield f"{done.embedded:,} embedded in {done.seconds:.1f} s{speed}; {done.reused:,} were known"
        if done.waiting:
            yield f"{done.waiting:,} still wait"

    def _eval(self, result: evaluate.EvalResult) -> Iterator[str]:
        for score in result.evaluation.scores:
            cells = "  ".join(
                f"{name} {found.mean:.3f} {self._paint(f'[{found.low:.2f}, {found.high:.2f}]', 'dim')}"
                for name, found in score.metrics.items()
            )
            yield f"{score.kind:<8} {self._paint(f'{score.mode:<8}', 'bold')} {score.questions:>4}  {cells}"
        for asked in result.evaluation.questions if self._detail else ():
            ranks = ", ".join(f"{answer.mode} {answer.rank or 'missing'}" for answer in asked.answers)
            yield f"{self._paint(_printable(asked.item.query), 'bold')}  {self._paint(ranks, 'dim')}"
            for answer in asked.answers:
                for hit in answer.instead:
                    where = f"{self._path(hit.result.path)}:{hit.result.start_line}"
                    yield f"    {answer.mode:<8} {self._paint(where, 'blue')} {_printable(hit.symbol)}  {hit.why}"
        for line in result.failed:
            yield self._paint(line, "red")

    def _eval_conformance(self, result: eval_conformance.EvalResult) -> Iterator[str]:
        yield self._paint(f"{'copy':16}{'tried':>8}{'found':>8}{'recall':>9}", "bold")
        for row in result.rows:
            yield f"{row.transform:16}{row.tried:>8}{row.found:>8}{row.recall:>9.3f}"
        others = "of the other repository" if result.elsewhere else "of this repository, looked up without themselves,"
        taken = "was taken for a copy" if result.false == 1 else "were taken for copies"
        yield f"{result.false} of {_count(result.negatives, 'function')} {others} {taken}: precision {result.precision:.3f}"

    def _scaffold(self, result: evaluate.ScaffoldResult) -> Iterator[str]:
        yield from result.rows

    def _index(self, result: index.IndexResult) -> Iterator[str]:
        report = result.report
        if report.rebuilt:
            yield self._paint(f"built again: {report.rebuilt}", "yellow")
        changed = report.changed - report.others
        done = f"{changed:,} changed, {report.removed:,} removed, {report.relinked:,} linked in {report.seconds:.2f} s"
        others = (
            f"; {_count(report.others, 'other')} changed (texts, settings, what is left out)" if report.others else ""
        )
        yield f"{self._paint(_count(report.files, 'file'), 'bold')}: {done}{others}"
        if report.skipped:
            left = "is left out" if report.skipped == 1 else "are left out"
            yield f"{_count(report.skipped, 'file')} {left}; `nav status` says why"

    def _status(self, result: index.StatusResult) -> Iterator[str]:
        yield self._paint(_printable(result.root), "bold")
        if not result.indexed:
            begins = "`nav index` goes on from one of these" if result.chain else "run `nav index`"
            yield f"not indexed yet: {begins}"
            yield from self._chain(result.chain)
            return
        languages = ", ".join(f"{language} {count:,}" for language, count in result.languages.items())
        yield _count(result.files, "file") + (f" ({languages})" if languages else "")
        found = f"{_count(result.symbols, 'definition')}, {_count(result.edges, 'edge')}"
        yield f"{found}, {_count(result.unresolved, 'call')} with an unknown target"
        yield f"{sum(result.sizes.values()) / 1e6:,.1f} MB in .nav; updated {_ago(result.freshness.indexed_at)}"
        if result.described:
            yield f"{_count(result.described, 'definition')} described by a language model"
        if result.asked.questions:
            yield prose.spent(result.asked)
        if result.freshness.pending:
            waiting = "definition waits for its" if result.freshness.pending == 1 else "definitions wait for their"
            yield f"{result.freshness.pending:,} {waiting} embedding"
        yield from self._chain(result.chain)
        yield from self._files("left out", result.skipped)
        yield from self._files("not read whole", result.problems)
        for text in result.ignored_settings:
            yield self._paint(f"ignored: {_printable(text)}", "yellow")
        yield "source text leaves this machine for: " + (", ".join(result.leaves_machine) or "nobody")

    def _chain(self, chain: Sequence[Chained]) -> Iterator[str]:
        there = {item.branch or item.commit[:10] for item in chain}
        for item in chain:
            name = item.branch or f"detached {item.commit[:10]}" if item.commit or item.branch else "without git"
            name += f" in {item.tree}" if item.tree else ""
            parent = f", from {item.parent}" if item.parent else ""
            gone = ", which is gone" if item.parent and item.parent not in there else ""
            size = f"{item.size / 1e6:,.1f} MB"
            line = f"{name}: generation {item.generation}, {size}, {_ago(item.indexed_at)}{parent}{gone}"
            yield f"  {_printable(line)}"

    def _files(self, title: str, files: Sequence[index.SkippedFile]) -> Iterator[str]:
        if not files:
            return
        yield self._paint(f"{title}: {len(files):,}", "yellow")
        for item in files[:_SHOWN_SKIPPED]:
            yield f"  {self._path(item.path)}  {self._paint(_printable(item.reason), 'dim')}"
        if len(files) > _SHOWN_SKIPPED:
            yield self._paint(f"  ... and {len(files) - _SHOWN_SKIPPED:,} more: --json lists all", "dim")

    def _gc(self, result: index.GcResult) -> Iterator[str]:
        collected = result.collected
        what = f"{_count(len(collected.databases), 'database')}, facts of {_count(collected.facts, 'file')}"
        yield f"removed {what}, {_count(collected.vectors, 'vector')}"
        if collected.kept:
            yield f"vectors and descriptions were all left: {collected.kept}"
        yield f"{collected.bytes / 1e6:,.1f} MB freed"

    def _doctor(self, result: index.DoctorResult) -> Iterator[str]:
        for check in result.checks:
            mark = self._paint("ok  ", "green") if check.ok else self._paint("FAIL", "red")
            yield f"{mark}  {check.name}: {_printable(check.detail)}"

    def _deps(self, result: graph.DepsResult) -> Iterator[str]:
        yield self._paint(_some(result.files), "bold")
        for item in result.dependencies:
            parts = (["imports"] if item.imports else []) + ([_count(item.sites, "site")] if item.sites else [])
            path = item.path if item.path.startswith("pkg:") else self._path(item.path)
            yield f"  {self._paint(_printable(path), 'blue')}  {self._paint(', '.join(parts), 'dim')}"
        if not result.dependencies:
            yield "  nothing"

    def _top(self, result: graph.TopResult) -> Iterator[str]:
        for row in result.rows:
            where = self._paint(f"{self._path(row.symbol.path)}:{row.symbol.line}", "blue")
            yield f"{row.callers:>7,}  {where}  {self._paint(_printable(row.symbol.symbol), 'bold')}"
        if not result.rows:
            yield "nothing is called here"


def name_of(result: type[msgspec.Struct]) -> str:
    """A kind of result as the tables of renderers have it: its command's module and its name."""
    return f"{result.__module__.rpartition('.')[2]}.{result.__name__}"


RENDERERS: dict[str, Callable[..., Iterator[str]]] = {
    "conform.ConformResult": Renderer._conform,
    "calls.CallersResult": Renderer._callers,
    "calls.CalleesResult": Renderer._callees,
    "agents.ImpactResult": Renderer._impact,
    "agents.OutlineResult": Renderer._outline,
    "model.SymbolsResult": Renderer._symbols,
    "ask.AskResult": Renderer._ask,
    "enrich.EnrichResult": Renderer._enrich,
    "search.SearchResult": Renderer._search,
    "search.EmbedResult": Renderer._embed,
    "evaluate.EvalResult": Renderer._eval,
    "eval_conformance.EvalResult": Renderer._eval_conformance,
    "evaluate.ScaffoldResult": Renderer._scaffold,
    "index.IndexResult": Renderer._index,
    "index.StatusResult": Renderer._status,
    "index.GcResult": Renderer._gc,
    "index.DoctorResult": Renderer._doctor,
    "graph.DepsResult": Renderer._deps,
    "graph.TopResult": Renderer._top,
}


def _printable(text: str) -> str:
    """Text from a repository must not move the cursor or hide what follows: control characters are spelled out."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _code(line: str) -> str:
    """A line of code; tabs would be spelled out otherwise."""
    return _printable(line.expandtabs(_TAB))


def _said(text: str) -> str:
    """The words of a text, whatever is between them."""
    return " ".join(words_of(text))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _some(files: Iterable[str]) -> str:
    shown = list(files)
    return shown[0] if len(shown) == 1 else f"{len(shown):,} files"


def _ago(moment: float) -> str:
    seconds = max(0.0, time.time() - moment)
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{_count(int(seconds // size), unit)} ago"
    return "just now"


def _reasons(hit: search.HitRow) -> str:
    """Why a hit was found, in a few words."""
    why = hit.why
    if why.via:
        return why.via
    found = [f"words {why.bm25:.1f}"] if why.bm25 is not None else []
    found += [f"meaning {why.cosine:.2f}"] if why.cosine is not None else []
    found += ["its file's name"] if why.parts.get("stem") else []
    found += ["named in the question"] if why.parts.get("named") else []
    found += [f"{hit.copies} near-copies"] if hit.copies else []
    return ", ".join(found)
