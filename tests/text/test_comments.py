from __future__ import annotations

import ast

import pytest

from nav_ls.text.comments import doc_text, without_doc


@pytest.mark.parametrize(
    ("code", "doc"),
    [
        (b'def f(a):\n    """Do it.\n\n    More."""\n    return 1\n', "Do it.\n\n    More."),
        (b'class A(B):\n    r"""Raw."""\n', "Raw."),
        (b"/** Adds.\n * Numbers.\n */\nint f() {}", "Adds.\nNumbers."),
        (b"// Param is one.\n// Two.\ntype Param struct {}", "Param is one.\nTwo."),
        (b"/// Rust docs.\nfn f() {}", "Rust docs."),
        (b"# Ruby docs.\ndef f\nend", "Ruby docs."),
        (b"#[derive(Debug)]\nstruct A;", ""),
        (b'def f():\n    x = """no doc"""\n', ""),
        (b"int f() {}", ""),
        (b"", ""),
    ],
)
def test_doc_text(code: bytes, doc: str) -> None:
    assert doc_text(code) == doc


def test_what_remains_has_no_doc_and_as_many_lines() -> None:
    code = b'def f(a):\n    """Do it.\n\n    More."""\n'
    left = without_doc(code)
    assert left.count(b"\n") == code.count(b"\n")
    assert b"Do it" not in left
    ast.parse(left)
    assert without_doc(b"// gone\nint f();") == b"       \nint f();"
