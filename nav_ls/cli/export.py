"""The graph in formats that other tools read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

import msgspec

from nav_ls.commands.graph import EdgeRow

_ENCODER = msgspec.json.Encoder()


def lines(edges: Sequence[EdgeRow], form: str) -> Iterator[str]:
    """The lines of a file in the format jsonl, dot or graphml."""
    if form == "dot":
        return _dot(edges)
    if form == "graphml":
        return _graphml(edges)
    return (_ENCODER.encode(edge).decode() for edge in edges)


def _nodes(edges: Iterable[EdgeRow]) -> dict[tuple[str, str, int], str]:
    nodes: dict[tuple[str, str, int], str] = {}
    for edge in edges:
        for end in (_caller(edge), _callee(edge)):
            nodes.setdefault(end, f"n{len(nodes)}")
    return nodes


def _caller(edge: EdgeRow) -> tuple[str, str, int]:
    return edge.caller_path, edge.caller_name, edge.caller_line


def _callee(edge: EdgeRow) -> tuple[str, str, int]:
    return edge.callee_path, edge.callee_name, edge.callee_line


def _dot(edges: Sequence[EdgeRow]) -> Iterator[str]:
    nodes = _nodes(edges)
    yield "digraph nav {"
    for (path, name, line), node in nodes.items():
        yield f"  {node} [label={_quoted(name)}, tooltip={_quoted(f'{path}:{line}')}];"
    drawn = dict.fromkeys((nodes[_caller(edge)], nodes[_callee(edge)], edge.kind, edge.evidence) for edge in edges)
    for caller, callee, kind, evidence in drawn:
        yield f"  {caller} -> {callee} [kind={_quoted(kind)}, evidence={_quoted(evidence)}];"
    yield "}"


def _quoted(text: str) -> str:
    inner = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{inner}"'


def _graphml(edges: Sequence[EdgeRow]) -> Iterator[str]:
    nodes = _nodes(edges)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for name, of, kind in (
        ("path", "node", "string"),
        ("name", "node", "string"),
        ("line", "node", "int"),
        ("kind", "edge", "string"),
        ("evidence", "edge", "string"),
        ("site_line", "edge", "int"),
        ("site_col", "edge", "int"),
    ):
        yield f'  <key id="{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>'
    yield '  <graph edgedefault="directed">'
    for (path, name, line), node in nodes.items():
        yield f"    <node id={quoteattr(node)}>{_data(path=path, name=name, line=line)}</node>"
    for edge in edges:
        ends = f"source={quoteattr(nodes[_caller(edge)])} target={quoteattr(nodes[_callee(edge)])}"
        data = _data(kind=edge.kind, evidence=edge.evidence, site_line=edge.site_line, site_col=edge.site_col)
        yield f"    <edge {ends}>{data}</edge>"
    yield "  </graph>"
    yield "</graphml>"


def _data(**values: str | int) -> str:
    return "".join(f'<data key="{key}">{escape(_xml(str(value)))}</data>' for key, value in values.items())


def _xml(text: str) -> str:
    """Characters that XML cannot hold at all are replaced."""
    return "".join(char if char in "\t\n\r" or char >= " " else "\ufffd" for char in text)
