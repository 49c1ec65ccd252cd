"""Results as text for a model: one fact a line, a page at a time, within a budget, labelled as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nav_ls.text.fence import fence, overhead

CHARACTERS_PER_TOKEN = 4
_ROOM_FOR_NOTES = 400
_LONGEST_LINE = 160


def page(lines: Sequence[str], what: str, tokens: int, offset: int, total: int, notes: Sequence[str] = ()) -> str:
    """Lines from `offset` on, as many as fit whole; the end says how to go on."""
    left = _room(what, tokens)
    kept = []
    for line in lines:
        if len(line) + 1 > left:
            break
        kept.append(line)
        left -= len(line) + 1
    after = offset + len(kept)
    tail = list(notes)
    if after < total:
        tail.append(f"{offset + 1}-{after} of {total}; call again with offset={after} for the next ones.")
    if not kept:
        return "\n".join(tail) or "Nothing."
    return "\n".join([fence("\n".join(kept), what), *tail])


def _room(what: str, tokens: int) -> int:
    return tokens * CHARACTERS_PER_TOKEN - overhead(what) - _ROOM_FOR_NOTES


def stale(result: dict[str, Any]) -> list[str]:
    """A note where an answer does not speak for the files as they are."""
    freshness = result.get("freshness") or {}
    return [f"Stale: {freshness.get('reason') or 'the index is behind'}."] if freshness.get("stale") else []


def search(result: dict[str, Any], offset: int) -> list[str]:
    """One line a hit, with the lines that matched under it."""
    lines = []
    for hit in result["hits"][offset:]:
        where = f"{hit['path']}:{hit['start_line']}-{hit['end_line']}"
        layer = f", {hit['layer']}" if hit["layer"] else ""
        head = f"{hit['kind']} {hit['symbol']} ({where}{layer}) score {hit['score']:.2f}"
        snippet = "\n".join(f"    {_short(line)}" for line in hit["snippet"].splitlines()[:6])
        signature = f"\n  {hit['signature']}" if hit["signature"] else ""
        summary = f"\n  {_short(' '.join(hit['summary'].split()))}" if hit["summary"] else ""
        lines.append(head + signature + summary + (f"\n{snippet}" if snippet else ""))
    return lines


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}\u2026"


def callers(result: dict[str, Any]) -> list[str]:
    """Proved callers, uses as a value, possible sites."""
    lines = [_row(row, f"[{row['evidence']}]") for row in result["callers"]]
    lines += [_row(row, f"[{row['evidence']}] passed as a value") for row in result["uses"]]
    for row in result["possible"]:
        via = f" via {row['via']}" if row["via"] else ""
        lines.append(_row(row, f"[not proved: {row['why']}{via}]"))
    return lines


def callees(result: dict[str, Any]) -> list[str]:
    """What is called, what is passed on, what could not be found out."""
    lines = [_row(row, f"[{row['evidence']}]", "called at") for row in result["callees"]]
    lines += [_row(row, f"[{row['evidence']}] passed as a value", "at") for row in result["uses"]]
    for row in result["unknown"]:
        at = ", ".join(str(site["line"]) for site in row["sites"][:5])
        lines.append(f"{row['name']}: target unknown ({row['why']}), at line {at}")
    return lines


def impact(result: dict[str, Any]) -> list[str]:
    """What is reached, nearest first."""
    lines = []
    for row in result["rows"]:
        kind = " (test)" if row["test"] else ""
        verb = "uses" if row["use"] else "calls"
        where = f"{row['path']}:{row['line']}" if row["line"] else row["path"]
        lines.append(f"{row['depth']}: {row['symbol']} ({where}){kind} {verb} {row['via']} [{row['evidence']}]")
    return lines


def conform(result: dict[str, Any]) -> list[str]:
    """Findings, each with what to use instead."""
    lines = []
    for row in result["findings"]:
        line = f"{row['path']}:{row['line']}: {row['rule']}: {row['message']} ({row['why']})"
        instead = row["instead"]
        lines.append(f"{line}; use {instead['symbol']} ({instead['path']}:{instead['line']})" if instead else line)
    return lines


def outline(result: dict[str, Any], depth: int) -> list[str]:
    """Definitions of the first so many levels, indented as they are nested."""
    lines = []
    for row in result["rows"]:
        if row["depth"] < depth:
            what = row["signature"] or f"{row['kind']} {row['symbol']}"
            end = f"-{row['end_line']}" if row["end_line"] != row["line"] else ""
            lines.append(f"{'  ' * row['depth']}{row['line']}{end}: {what}")
    return lines


def fitting_depth(result: dict[str, Any], what: str, tokens: int) -> int:
    """How many levels of an outline fit whole into one page; at least one."""
    deepest = max((row["depth"] for row in result["rows"]), default=0) + 1
    room = _room(what, tokens)
    return next(
        (d for d in range(deepest, 1, -1) if sum(len(line) + 1 for line in outline(result, d)) <= room),
        1,
    )


def _row(row: dict[str, Any], note: str, verb: str = "at line") -> str:
    sites = ", ".join(str(site["line"]) for site in row["sites"][:8])
    rest = len(row["sites"]) - 8
    more = f" and {rest} more" if rest > 0 else ""
    where = f"{row['path']}:{row['line']}" if row["line"] else row["path"]
    return f"{row['symbol']} ({where}) {verb} {sites}{more} {note}"
