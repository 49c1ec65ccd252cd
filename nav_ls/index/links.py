"""Links of one file in a form that is cheap to send and to store: names once, numbers for the rest."""

from __future__ import annotations

import msgspec

from nav_ls.graph.model import Links, SymbolRef
from nav_ls.store.rows import EVIDENCE_CODE, KIND_CODE, RELATION_CODE
from nav_ls.text.hashes import pack_keys

OUTSIDE = -1
"""Instead of a reference: the other end lies outside of the repository."""


class PackedLinks(msgspec.Struct, frozen=True, array_like=True):
    """The links of `path`.

    `refs` are the definitions elsewhere (and here) that are mentioned, `callers` the keys in this file.
    edges: (start, ref, kind, caller, evidence, end); unresolved: (start, name, caller, end, why);
    relations: (kind, caller, ref or OUTSIDE, name outside, evidence).  `keys`: packed hashes of what was looked up.
    """

    path: str
    refs: list[SymbolRef]
    callers: list[str]
    edges: list[tuple[int, int, int, int, int, int]]
    unresolved: list[tuple[int, str, int, int, str]]
    relations: list[tuple[int, int, int, str, int]]
    keys: bytes


def pack(path: str, links: Links) -> PackedLinks:
    """Pack the links of one file."""
    refs: dict[SymbolRef, int] = {}
    callers: dict[str, int] = {}
    edges = [
        (
            edge.start,
            refs.setdefault(edge.callee, len(refs)),
            KIND_CODE[edge.kind],
            callers.setdefault(edge.caller, len(callers)),
            EVIDENCE_CODE[edge.evidence],
            edge.end,
        )
        for edge in links.edges
    ]
    unresolved = [
        (site.start, site.name, callers.setdefault(site.caller, len(callers)), site.end, site.why)
        for site in links.unresolved
    ]
    relations = [
        (
            RELATION_CODE[relation.kind],
            callers.setdefault(relation.src, len(callers)),
            refs.setdefault(relation.dst, len(refs)) if relation.dst[0] else OUTSIDE,
            "" if relation.dst[0] else relation.dst[1],
            EVIDENCE_CODE[relation.evidence],
        )
        for relation in links.relations
    ]
    return PackedLinks(path, list(refs), list(callers), edges, unresolved, relations, pack_keys(links.keys))
