"""What extraction leaves behind."""

from __future__ import annotations

import gc

import pytest

from nav_ls.syntax.extract import extract

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
    gc.collect()
    gc.disable()
    try:
        extract("a", SOURCES[language], language)
        assert gc.collect() == 0
    finally:
        gc.enable()
