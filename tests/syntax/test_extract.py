"""What extraction leaves behind."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from nav_ls.graph.model import symbol_keys
from nav_ls.syntax.extract import extract
from nav_ls.syntax.languages import language_of
from tests.cases import runner

CASES = Path(runner.__file__).parent

SOURCES = {
    "python": b"class A:\n    def f(self, x=1):\n        return [g(y) for y in self.b.c(x)]\n",
    "javascript": b"const f = (a) => a.b(c);\nclass A { m() { return new B(f); } }\nmodule.exports = { f };\n",
    "tsx": b"export const V = (p: P<string>) => <W a={p.x()} />;\n",
    "go": b"package a\nfunc (t *T) M(x int) error { return t.n.Do(func() { f(x) }) }\n",
    "rust": b"impl T for A { fn m(&self) -> R { self.b.c(|x| x.d()).map(f) } }\n",
    "java": b"class A { int m(B b) { return b.c(x -> x.d()).e; } }\n",
    "csharp": b"class A { int M(B b) => b.C(x => x.D()).E; }\n",
    "cpp": b"template<class T> int A<T>::m(B b) { return b.c([&](int x) { return d(x); }); }\n",
    "c": b"#define M(x) f(x)\nstatic int g(struct a *p) { return p->q(M(1)); }\n",
    "kotlin": b"class A { fun m(b: B) = b.c { it.d() } }\n",
    "ruby": b"class A\n  def m(b)\n    b.c { |x| x.d }\n  end\nend\n",
    "php": b"<?php class A { function m(B $b) { return $b->c(fn($x) => $x->d()); } }\n",
    "lua": b"local function f(a) return a.b(c) end\n",
}


@pytest.mark.parametrize("language", SOURCES)
def test_nothing_waits_for_the_collector(language: str) -> None:
    """Workers extract with the collector off: a cycle would keep all that was found in a file until they end."""
    extract("a", SOURCES[language], language)  # what is made once stays
    # Threads that tests before have left behind may leave something too, but not each time.
    assert min(_left_to_the_collector(SOURCES[language], language) for _ in range(5)) == 0


def _left_to_the_collector(text: bytes, language: str) -> int:
    gc.collect()
    gc.disable()
    try:
        extract("a", text, language)
        return gc.collect()
    finally:
        gc.enable()


@pytest.mark.parametrize("folder", sorted(path.name for path in CASES.iterdir() if any(path.glob("*.case"))))
def test_what_lacks_its_name_takes_no_other_place(folder: str) -> None:
    """An empty key stands for the file itself, and the index has one place for each key."""
    for path in sorted((CASES / folder).glob("*.case"))[:6]:
        for name, text in runner.parse(path).files.items():
            language = language_of(name, text[:256])
            if language is None:
                continue
            for symbol in extract(name, text, language).symbols[:6]:
                broken = text[: symbol.name_start] + text[symbol.name_end :]
                facts = extract(name, broken, language)
                keys = symbol_keys(facts)
                assert len({*keys, ""}) == len(keys) + 1, broken.decode()


@pytest.mark.parametrize(
    "text",
    [
        b"typedef struct Zio ;\ntypedef struct Zio;\nextern T(a) ;\n",
        b"#define T(type) __thread type M\nextern T(t) tls;\nextern T(bool) set;\n",
    ],
)
def test_declarations_without_a_name(text: bytes) -> None:
    assert "" not in [symbol.name for symbol in extract("a.h", text, "c").symbols]


@pytest.mark.parametrize(
    ("path", "text", "signature"),
    [
        (
            "a.py",
            "def get(\n    self,\n    age: int = 14,  # days\n    tag: str = 'a#b',\n) -> None:\n    # says why\n    return 1\n",
            "def get(self, age: int = 14, tag: str = 'a#b') -> None",
        ),
        ("a.py", "def get(a, b): return a\n", "def get(a, b)"),
        ("a.ts", "function get(\n  url = 'http://a', // where\n  n: number,\n): void {\n}\n", "function get(url = 'http://a', n: number): void"),
        ("a.go", "package a\n\nfunc Get(\n\turl string, // where\n\tn int,\n) error {\n\treturn nil\n}\n", "func Get(url string, n int) error"),
        ("a.rs", "fn get(\n    url: &str, // where\n    n: usize,\n) -> bool {\n    true\n}\n", "fn get(url: &str, n: usize) -> bool"),
    ],
)  # fmt: skip
def test_a_signature_of_several_lines_is_written_as_one_of_one_line(path: str, text: str, signature: str) -> None:
    languages = {"py": "python", "ts": "typescript", "go": "go", "rs": "rust"}
    facts = extract(path, text.encode(), languages[path[2:]])
    assert next(symbol.signature for symbol in facts.symbols if symbol.name.lower() == "get") == signature
