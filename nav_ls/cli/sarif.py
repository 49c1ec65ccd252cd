"""Findings as SARIF 2.1.0, which code review tools read."""

from __future__ import annotations

import json
from collections.abc import Iterator

from nav_ls import __version__
from nav_ls.commands.conform import ConformResult, FindingRow

_RULES = {
    "clone": "The function does what another one does already",
    "dependency": "A second package for a purpose that one serves already",
    "sequence": "A new function that makes the calls of another one in the same order",
    "bypass": "A call past the layer that all others go through",
    "deviation": "Another habit than that of the files beside it",
}


def lines(result: ConformResult) -> Iterator[str]:
    """The SARIF log."""
    driver = {
        "name": "nav conform",
        "version": __version__,
        "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in _RULES.items()],
    }
    run = {"tool": {"driver": driver}, "results": [_result(row) for row in result.findings]}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    yield json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2)


def _result(row: FindingRow) -> dict[str, object]:
    found: dict[str, object] = {
        "ruleId": row.rule,
        "level": "note",
        "rank": round(100 * row.score, 1),
        "message": {"text": f"{row.message}: {row.why}"},
        "locations": [_location(row.path, row.line)],
    }
    if row.instead is not None:
        found["relatedLocations"] = [_location(row.instead.path, row.instead.line)]
    return found


def _location(path: str, line: int) -> dict[str, object]:
    return {"physicalLocation": {"artifactLocation": {"uri": path}, "region": {"startLine": line}}}
