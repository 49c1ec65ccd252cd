"""The text that C and C++ are parsed from: as long as the file, and without what misleads a grammar."""

from __future__ import annotations

import random

import pytest

from nav_ls.syntax.extract import extract
from nav_ls.syntax.preprocess import prepare

SAMPLE = b"""#ifndef A_H
#define A_H /* spans
   two lines ( */
#include "b.h"
#define LONG(a, b) \\
    call(a, \\
         b)
#if defined(WIN) && !defined(X)
int f(int a) {
#else
int f(long a) {
#endif
    const char *s = "/* not a comment */ { // nor this";
    CHECK(a)
    return g(a, '{', R"x(raw " text)x");
}
API_EXPORT int h(void) DEPRECATED;
enum e { FIRST, LIST(X) LAST };
#endif
"""


def _kept(text: bytes) -> str:
    return " ".join(prepare(text, False).text.decode().split())


def test_length_and_lines_stay() -> None:
    for cpp in (False, True):
        out = prepare(SAMPLE, cpp).text
        assert len(out) == len(SAMPLE)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (b"int a; // x\n/* y */ int b;\n", "int a; int b;"),
        (b"#if 0\nint a;\n#endif\nint b;\n", "int b;"),
        (b"#ifdef A\nint a;\n#else\nint b;\n#endif\n", "int a; int b;"),
        (b"#ifdef A\nif (x) {\n#else\n{\n#endif\n}\n", "if (x) { }"),
        (b"#ifdef A\n{\n#endif\n;\n#ifdef A\n}\n#endif\n", "{ ; }"),
        (b"LIB_API int f(void);\n", "int f(void);"),
        (b"int f(void) NOTHROW_ATTR;\n", "int f(void) ;"),
        (b"PRINTF_LIKE(1, 2) void f(const char *s);\n", "void f(const char *s);"),
        (b"typedef UINT32 BOOL_T;\n", "typedef UINT32 BOOL_T;"),
        (b"UINT32 f(void);\n", "UINT32 f(void);"),
        (b"void f(int a) __attribute__((nonnull(1)));\n", "void f(int a) ;"),
    ],
)
def test_what_stays(text: bytes, kept: str) -> None:
    assert _kept(text) == kept


def test_includes_and_macros_are_facts() -> None:
    facts = extract("a.h", SAMPLE, "c")
    assert [i.module for i in facts.imports] == ["b.h"]
    kinds = {s.name: s.kind for s in facts.symbols}
    assert kinds["LONG"] == "macro"
    assert kinds["f"] == "function"
    assert kinds["h"] == "function"


def test_broken_text_never_fails() -> None:
    rng = random.Random(5)
    for _ in range(200):
        start, end = sorted(rng.randrange(len(SAMPLE)) for _ in range(2))
        text = SAMPLE[:start] + SAMPLE[end:]
        for language in ("c", "cpp"):
            facts = extract("a.c", text, language)
            assert all(0 <= s.start <= s.end <= len(text) for s in facts.symbols)
