"""Bytes in, facts out: parse, run the language's one query, let its rules read the captures in order."""

from __future__ import annotations

from functools import cache
from importlib import import_module, resources

import tree_sitter as ts
import tree_sitter_language_pack as pack

from nav_ls.syntax.builder import Builder
from nav_ls.syntax.facts import FileFacts, Flag, Problem
from nav_ls.syntax.languages import BY_NAME, Language, dialect_of
from nav_ls.syntax.rules.base import Handler, Rules
from nav_ls.text.roles import is_test


def extract(path: str, text: bytes, language: str) -> FileFacts:
    """The facts of one file.

    `path` is relative to the root with "/" between parts (only its name may matter, never its content on disk);
    `text` is normalised UTF-8.  Never fails: what could not be read is told in `problems`.
    """
    row = BY_NAME[dialect_of(path, text, language)]
    parser, query = _tools(row.grammar, row.queries or (row.name,))
    builder = Builder(text, row.name)
    rules = _rules(row)(builder)
    rules.path = path
    if is_test(path):
        builder.flags |= Flag.TEST
    prepared = rules.prepare(text)
    root = parser.parse(prepared).root_node
    if root.has_error and (mended := rules.mended(prepared)) != prepared:
        root = parser.parse(mended).root_node
    try:
        _read(rules, builder, root, query, row.grammar)
    except RecursionError:
        builder.problems.append(Problem("syntax", "nested too deeply to be read whole"))
    return builder.finish()


def _read(rules: Rules, builder: Builder, root: ts.Node, query: ts.Query, grammar: str) -> None:
    rules.begin(root)
    inner: ts.Parser | None = None

    def parse(ranges: list[tuple[int, int]]) -> ts.Node:
        nonlocal inner
        if inner is None:
            inner = ts.Parser(pack.get_language(grammar))  # type: ignore[arg-type]
        inner.included_ranges = [ts.Range((0, 0), (0, 0), start, end) for start, end in ranges]
        return inner.parse(builder.text).root_node

    events: list[tuple[int, int, int, int, Handler, ts.Node]] = []
    todo = [root]
    while todo:
        captures = ts.QueryCursor(query).captures(todo.pop())
        for order, (name, nodes) in enumerate(captures.items()):
            handler = rules.handler(name)
            if handler is not None:
                # The count makes each of them different before handlers would be compared.
                events += [
                    (node.start_byte, -node.end_byte, order, count, handler, node)
                    for count, node in enumerate(nodes, len(events))
                ]
        todo += rules.embedded(captures, parse)
    events.sort()
    move = builder.move
    for start, _, _, _, handler, node in events:
        move(start)
        handler(node)
    rules.end(root)


@cache
def _tools(grammar: str, folders: tuple[str, ...]) -> tuple[ts.Parser, ts.Query]:
    lang = pack.get_language(grammar)  # type: ignore[arg-type]
    queries = resources.files("nav_ls.syntax").joinpath("queries")
    source = "\n".join(
        part.read_text("utf-8")
        for folder in folders
        for part in sorted(queries.joinpath(folder).iterdir(), key=lambda p: p.name)
        if part.name.endswith(".scm")
    )
    return ts.Parser(lang), ts.Query(lang, source)


@cache
def _rules(row: Language) -> type[Rules]:
    module = import_module(f"nav_ls.syntax.rules.{row.rules or 'generic'}")
    rules: type[Rules] = module.RULES
    return rules
