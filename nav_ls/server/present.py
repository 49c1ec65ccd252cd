"""What a definition looks like in an editor: LSP's dicts for nav's values, apart from positions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from nav_ls.query.model import Caller, Hover, LocalHover, OutlineNode, Possible, Related, Site, SymbolInfo
from nav_ls.server.session import View
from nav_ls.store.prose import Prose
from nav_ls.syntax.facts import Flag

_TAG_DEPRECATED = 1

_SYMBOL_KINDS = {
    "file": 1,
    "module": 2,
    "namespace": 3,
    "package": 4,
    "class": 5,
    "newtype": 5,
    "record": 5,
    "object": 5,
    "method": 6,
    "property": 7,
    "field": 8,
    "constructor": 9,
    "enum": 10,
    "interface": 11,
    "trait": 11,
    "function": 12,
    "macro": 12,
    "variable": 13,
    "constant": 14,
    "enum_member": 22,
    "struct": 23,
    "union": 23,
    "type": 26,
}
_OTHER_KIND = 13
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~!&:]")

_LANGUAGE_OF_FENCE = {"tsx": "typescriptreact", "jsx": "javascriptreact", "csharp": "csharp"}

_WHY = {
    "unresolved": "the receiver's type is not known",
    "name": "only the name fits",
    "dispatch": "calls what this overrides",
}


def symbol_kind(kind: str) -> int:
    """LSP's number for a kind of definition."""
    return _SYMBOL_KINDS.get(kind, _OTHER_KIND)


def short_name(symbol: SymbolInfo) -> str:
    """The name to show: a file is shown by its own name."""
    return symbol.path.rpartition("/")[2] if symbol.is_file else symbol.name


def where(symbol: SymbolInfo) -> str:
    """The owner and the place, on one line: `Model · db/base.py:812`."""
    place = f"{symbol.path}:{symbol.name_span.line + 1}"
    owner = symbol.qual.rpartition(".")[0]
    if symbol.is_file:
        return f"module level · {symbol.path}"
    return f"{owner} · {place}" if owner else place


def hierarchy_item(view: View, symbol: SymbolInfo, detail: str = "") -> dict[str, Any]:
    """A CallHierarchyItem or TypeHierarchyItem.  `data` finds the definition again, in this or a later state."""
    return {
        "name": short_name(symbol),
        "kind": symbol_kind(symbol.kind),
        "detail": detail or where(symbol),
        "uri": view.convert.uri(symbol.path),
        "range": view.convert.range(symbol.span),
        "selectionRange": view.convert.range(symbol.name_span),
        "data": reference_to(view, symbol),
        **_tags(symbol),
    }


def reference_to(view: View, symbol: SymbolInfo) -> dict[str, Any]:
    """What finds a definition again."""
    return {
        "id": symbol.id,
        "generation": view.snapshot.generation,
        "uri": view.convert.uri(symbol.path),
        "path": symbol.path,
        "key": symbol.key,
    }


def caller_detail(caller: Caller) -> str:
    """How sure a call is, and where it comes from."""
    return f"{_sites(caller.sites, caller.evidence)} · {where(caller.symbol)}"


def possible_detail(possible: Possible) -> str:
    """Why a caller is only a possible one."""
    why = _WHY.get(possible.why, possible.why)
    via = f" ({possible.via.qual})" if possible.via is not None else ""
    return f"possible: {why}{via} · {where(possible.symbol)}"


def _sites(sites: Sequence[Site], evidence: str) -> str:
    return evidence if len(sites) < 2 else f"{evidence}, {len(sites)} sites"


def related_detail(related: Related) -> str:
    """How a type belongs to another one."""
    return f"{related.kind} ({related.evidence}) · {where(related.symbol)}"


def document_symbols(view: View, nodes: Sequence[OutlineNode]) -> list[dict[str, Any]]:
    """The outline as nested DocumentSymbols."""
    return [
        {
            "name": node.symbol.name,
            "detail": node.symbol.signature,
            "kind": symbol_kind(node.symbol.kind),
            "range": view.convert.range(node.symbol.span),
            "selectionRange": view.convert.range(node.symbol.name_span),
            "children": document_symbols(view, node.children),
            **_tags(node.symbol),
        }
        for node in nodes
    ]


def flat_symbols(view: View, nodes: Sequence[OutlineNode], container: str = "") -> list[dict[str, Any]]:
    """The outline as a flat list, for clients that know no other."""
    found: list[dict[str, Any]] = []
    for node in nodes:
        found.append(_information(view, node.symbol, container))
        found += flat_symbols(view, node.children, node.symbol.qual)
    return found


def workspace_symbol(view: View, symbol: SymbolInfo) -> dict[str, Any]:
    """A WorkspaceSymbol."""
    container = symbol.qual.rpartition(".")[0] or symbol.path
    return _information(view, symbol, container) | {"data": reference_to(view, symbol)}


def _information(view: View, symbol: SymbolInfo, container: str) -> dict[str, Any]:
    return {
        "name": symbol.name,
        "kind": symbol_kind(symbol.kind),
        "location": view.convert.location(symbol.name_span),
        "containerName": container,
        **_tags(symbol),
    }


def _tags(symbol: SymbolInfo) -> dict[str, Any]:
    """A deprecated definition is struck through; clients that know no tags leave them alone."""
    return {"tags": [_TAG_DEPRECATED]} if symbol.flags & Flag.DEPRECATED else {}


def hover_text(hover: Hover | LocalHover, *, markdown: bool) -> str:
    """Signature, documentation, and who calls it with which evidence; of a local the line that declares it."""
    if isinstance(hover, LocalHover):
        return _local_text(hover, markdown=markdown)
    symbol = hover.symbol
    head = symbol.signature or f"{symbol.kind} {symbol.qual or symbol.path}"
    parts = [_fenced(head, symbol.language) if markdown else head]
    if symbol.doc:
        parts.append(symbol.doc.strip())
    if hover.prose is not None:
        parts.append(_prose(hover.prose, markdown=markdown))
    parts += [callers_line(hover), where(symbol)]
    return "\n\n".join(parts)


def _local_text(hover: LocalHover, *, markdown: bool) -> str:
    owner = f" of {hover.within.qual}" if hover.within is not None else ""
    line = _fenced(hover.line, hover.language) if markdown else hover.line
    return f"{line}\n\n{hover.kind}{owner} · {hover.declared.path}:{hover.declared.line + 1}"


def _prose(prose: Prose, *, markdown: bool) -> str:
    """What a language model wrote: its words are shown, never its links, pictures or markup."""
    lines = [prose.summary, prose.why, f"Tags: {', '.join(prose.tags)}" if prose.tags else ""]
    text = "\n\n".join(line for line in lines if line)
    return _MARKUP.sub(r"\\\g<0>", text) if markdown else text


def callers_line(hover: Hover) -> str:
    """Never a bare zero while there are possible callers."""
    line = f"{_count(hover.callers, 'caller')}{_evidence(hover.evidence)}"
    if hover.possible:
        line = (
            f"{line} resolved, {hover.possible} possible" if not hover.callers else f"{line}, {hover.possible} possible"
        )
    return f"{line}, {_count(hover.uses, 'use')} as a value" if hover.uses else line


def lens_title(callers: int, possible: int) -> str:
    """What a code lens says."""
    title = _count(callers, "caller")
    return f"{title}, {possible} possible" if possible else title


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _evidence(evidence: Mapping[str, int]) -> str:
    known = [f"{evidence[name]} {name}" for name in ("exact", "type", "dispatch", "name") if evidence.get(name)]
    return f" (call sites: {', '.join(known)})" if known else ""


def _fenced(code: str, language: str) -> str:
    # A fence longer than any in the text: a signature cannot end it.
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{_LANGUAGE_OF_FENCE.get(language, language)}\n{code}\n{fence}"
