"""Habits of the files beside the new one: how they log, and what they raise."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nav_ls.query.conform.model import Finding
from nav_ls.query.model import SymbolInfo

_NEIGHBOURS = 4
"""Files that must share a habit before leaving it is worth a word."""

_PRINTS = {
    "python": re.compile(rb"(?<![\w.])print\("),
    "javascript": re.compile(rb"(?<![\w.])console\.(?:log|error|warn)\("),
    "typescript": re.compile(rb"(?<![\w.])console\.(?:log|error|warn)\("),
    "go": re.compile(rb"(?<![\w.])fmt\.Print(?:ln|f)?\("),
    "java": re.compile(rb"(?<![\w.])System\.(?:out|err)\.print"),
    "csharp": re.compile(rb"(?<![\w.])Console\.Write"),
    "rust": re.compile(rb"(?<![\w.])e?println!\("),
}
_LOGS = re.compile(
    rb"(?<![\w.])_?(?:log|logger|LOG|LOGGER)(?:\.|->)(?:trace|debug|info|warn(?:ing)?|error|fatal|critical|exception|Debug|Info|Warn|Error)f?\w*\("
)
_BARE = {
    "python": re.compile(rb"raise\s+(?:Exception|BaseException)\("),
    "javascript": re.compile(rb"throw\s+new\s+Error\("),
    "typescript": re.compile(rb"throw\s+new\s+Error\("),
    "java": re.compile(rb"throw\s+new\s+(?:Exception|RuntimeException|Throwable)\("),
    "csharp": re.compile(rb"throw\s+new\s+(?:Exception|SystemException)\("),
}
_NAMED = {
    "python": re.compile(rb"raise\s+(?!Exception\b|BaseException\b)([A-Z]\w+)"),
    "javascript": re.compile(rb"throw\s+new\s+(?!Error\b)(\w+)"),
    "typescript": re.compile(rb"throw\s+new\s+(?!Error\b)(\w+)"),
    "java": re.compile(rb"throw\s+new\s+(?!Exception\b|RuntimeException\b|Throwable\b)(\w+)"),
    "csharp": re.compile(rb"throw\s+new\s+(?!Exception\b|SystemException\b)(\w+)"),
}


def find(symbol: SymbolInfo, text: bytes, siblings: Sequence[bytes], is_own: Callable[[str], bool]) -> list[Finding]:
    """What a new function does otherwise than all files beside it; `is_own` tells names that this repository defines."""
    body = text[symbol.span.start : symbol.span.end]
    return [*_printing(symbol, text, body, siblings), *_raising(symbol, text, body, siblings, is_own)][:1]


def _printing(symbol: SymbolInfo, text: bytes, body: bytes, siblings: Sequence[bytes]) -> list[Finding]:
    prints = _PRINTS.get(symbol.language)
    match = prints.search(body) if prints is not None else None
    if prints is None or match is None:
        return []
    logging = sum(bool(_LOGS.search(s)) for s in siblings)
    if (
        logging < _NEIGHBOURS
        or any(prints.search(s) for s in siblings)
        or len(prints.findall(text)) > len(prints.findall(body))
    ):
        return []
    why = f"{logging} files beside it write to a logger, and none prints"
    return [_finding(symbol, body, match.start(), f"{symbol.qual} prints; the files beside it log", why, 0.75)]


def _raising(
    symbol: SymbolInfo, text: bytes, body: bytes, siblings: Sequence[bytes], is_own: Callable[[str], bool]
) -> list[Finding]:
    bare, named = _BARE.get(symbol.language), _NAMED.get(symbol.language)
    match = bare.search(body) if bare is not None else None
    if bare is None or named is None or match is None or any(bare.search(s) for s in siblings):
        return []
    raised = [set(named.findall(s)) for s in siblings]
    counts = {name: sum(name in group for group in raised) for group in raised for name in group}
    usual = max(counts, key=lambda name: (counts[name], name), default=b"")
    name = usual.decode("utf-8", "replace")
    if counts.get(usual, 0) < _NEIGHBOURS or not is_own(name):
        return []
    why = f"{counts[usual]} files beside it raise {name}, and none raises the general one"
    return [
        _finding(
            symbol,
            body,
            match.start(),
            f"{symbol.qual} raises a general error; the files beside it raise {name}",
            why,
            0.7,
        )
    ]


def _finding(symbol: SymbolInfo, body: bytes, offset: int, message: str, why: str, score: float) -> Finding:
    line = symbol.span.line + 1 + body[:offset].count(b"\n")
    return Finding("deviation", symbol.path, line, symbol.qual, score, message, why)
