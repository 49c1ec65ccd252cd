"""Bytes in, facts out: parse, run the language's one query, let its rules read the captures in order."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module, resources

import tree_sitter as ts
import tree_sitter_language_pack as pack

from nav_ls.syntax.builder import Builder
from nav_ls.syntax.facts import FileFacts, Flag, Problem
from nav_ls.syntax.languages import BY_NAME, Language, dialect_of
from nav_ls.syntax.names import Name, read_names
from nav_ls.syntax.rules.base import Handler, Rules
from nav_ls.text.roles import is_test

_FACTS = "facts.scm"
_NAMES = "locals.scm"
_INHERITS = re.compile(r"; inherits: (\w+)")


def extract(path: str, text: bytes, language: str) -> FileFacts:
    """The facts of one file.

    `path` is relative to the root with "/" between parts (only its name may matter, never its content on disk);
    `text` is normalised UTF-8.  Never fails: what could not be read is told in `problems`.
    """
    row = BY_NAME[dialect_of(path, text, language)]
    builder = Builder(text, row.name)
    rules = _rules(row)(builder)
    rules.path = path
    if is_test(path):
        builder.flags |= Flag.TEST
    root = _parsed(row, rules, text)
    try:
        _read(rules, builder, root, _query(row, _FACTS), row.grammar)
    except RecursionError:
        builder.problems.append(Problem("syntax", "nested too deeply to be read whole"))
    return builder.finish()


def names(path: str, text: bytes, language: str) -> tuple[Name, ...]:
    """The names in a file that may mean variables, by place; none where the language has no query for them.

    Beside `extract`, because only who looks at one file wants them: they are not stored.
    """
    row = BY_NAME[dialect_of(path, text, language)]
    query = _query(row, _NAMES)
    if query is None:
        return ()
    rules = _rules(row)(Builder(text, row.name))
    rules.path = path
    return read_names(query, _parsed(row, rules, text))


def _parsed(row: Language, rules: Rules, text: bytes) -> ts.Node:
    parser = _parser(row.grammar)
    prepared = rules.prepare(text)
    root = parser.parse(prepared).root_node
    if root.has_error and (mended := rules.mended(prepared)) != prepared:
        root = parser.parse(mended).root_node
    return root


def _read(rules: Rules, builder: Builder, root: ts.Node, query: ts.Query | None, grammar: str) -> None:
    assert query is not None, "every language has facts"
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
def _parser(grammar: str) -> ts.Parser:
    return ts.Parser(pack.get_language(grammar))  # type: ignore[arg-type]


@cache
def _query(row: Language, name: str) -> ts.Query | None:
    """The query of a name in all folders of a language, as one; None where there is none."""
    source = "\n".join(_source(folder, name) for folder in row.queries or (row.name,))
    return ts.Query(pack.get_language(row.grammar), source) if source.strip() else None  # type: ignore[arg-type]


def _source(folder: str, name: str) -> str:
    """One file of queries, behind those that its first line says it `inherits`; "" where there is none."""
    file = resources.files("nav_ls.syntax").joinpath("queries", folder, name)
    text = file.read_text("utf-8") if file.is_file() else ""
    inherited = _INHERITS.match(text)
    return f"{_source(inherited[1], name)}\n{text}" if inherited is not None else text


@cache
def _rules(row: Language) -> type[Rules]:
    module = import_module(f"nav_ls.syntax.rules.{row.rules or 'generic'}")
    rules: type[Rules] = module.RULES
    return rules
