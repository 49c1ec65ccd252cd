"""Languages with a generic outline: definitions are found, and calls are bound by name only."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from nav_ls.graph.link import Linker
from nav_ls.graph.model import Summary, summarize
from nav_ls.syntax.extract import extract
from nav_ls.syntax.facts import FileFacts
from nav_ls.syntax.languages import language_of

SOURCES = {
    "a.swift": (
        "class Box {\n func size() -> Int { return helper(1) }\n}\nfunc helper(_ n: Int) -> Int { return n }\n",
        "Box.size",
    ),
    "a.scala": ("object Main {\n def size(): Int = helper(1)\n}\ndef helper(n: Int): Int = n\n", "Main.size"),
    "a.lua": ("local M = {}\nfunction M.size() return helper(1) end\nfunction helper(n) return n end\n", "M.size"),
    "a.sh": ("size() {\n  helper 1\n}\nhelper() { echo; }\n", "size"),
    "a.ex": ("defmodule Box do\n  def size(), do: helper(1)\n  defp helper(n), do: n\nend\n", "Box.size"),
    "a.dart": ("class Box {\n  int size() { return helper(1); }\n}\nint helper(int n) { return n; }\n", "Box.size"),
    "a.zig": ("fn size() i32 { return helper(1); }\nfn helper(n: i32) i32 { return n; }\n", "size"),
    "a.jl": ("function size()\n  helper(1)\nend\nhelper(n) = n + 1\n", "size"),
    "a.pl": ("package Box;\nsub size { return helper(1); }\nsub helper { return 1; }\n", "Box.size"),
    "a.r": ("size <- function() { helper(1) }\nhelper <- function(n) n\n", "size"),
    "a.hs": ("module Box where\nsize x = helper x\nhelper y = y\n", "size"),
    "a.ml": ("let helper n = n\nlet size a = helper a\n", "size"),
    "a.erl": ("-module(box).\nsize(A) -> helper(A).\nhelper(A) -> A.\n", "size"),
    "a.m": (
        "@implementation Box\n- (int)size { return helper(1); }\n@end\nint helper(int n) { return n; }\n",
        "Box.size",
    ),
    "a.sol": (
        "contract Box { function size() public { helper(1); } function helper(uint n) internal {} }\n",
        "Box.size",
    ),
}


class _Single:
    def __init__(self, path: str, facts: FileFacts):
        self.name, self.path, self.found = "project", path, facts

    def paths(self) -> Iterable[str]:
        return [self.path]

    def facts(self, path: str) -> FileFacts | None:
        return self.found if path == self.path else None

    def summary(self, path: str) -> Summary | None:
        return summarize(self.found) if path == self.path else None

    def text(self, path: str) -> bytes | None:
        return None


@pytest.mark.parametrize("path", SOURCES)
def test_outline_and_calls(path: str) -> None:
    text, caller = SOURCES[path]
    language = language_of(path)
    assert language is not None
    facts = extract(path, text.encode(), language)
    names = {s.qual.rpartition(".")[2] for s in facts.symbols}
    assert {"size", "helper"} <= names
    assert caller in {s.qual for s in facts.symbols}
    links = Linker(_Single(path, facts)).link(path)
    calls = {(e.caller, e.callee[1].rpartition(".")[2], e.evidence) for e in links.edges if e.kind == "calls"}
    assert (caller, "helper", "name") in calls


def test_interpreters() -> None:
    assert language_of("run", b"#!/usr/bin/env bash\n") == "bash"
    assert language_of("run", b"#!/usr/bin/lua\n") == "lua"
