"""Docstrings of Python."""

from __future__ import annotations

from nav_ls.syntax.extract import extract

SOURCE = b'''"""Of the module."""


def whole(x):
    """First line.

      Indented.
    """
    return x


class Owner:
    # a comment is no docstring
    r"""Raw."""

    def plain(self):
        return 1
'''


def test_docstrings_of_modules_functions_and_classes() -> None:
    facts = extract("a.py", SOURCE, "python")
    assert facts.doc == "Of the module."
    docs = {symbol.qual: symbol.doc for symbol in facts.symbols}
    assert docs["whole"] == "First line.\n\nIndented."
    assert docs["Owner"] == "Raw."
    assert docs["Owner.plain"] == ""


def test_a_string_that_python_does_not_keep_is_no_docstring() -> None:
    facts = extract("a.py", b"def f(x):\n    f'''Hello {x}'''\n\n\ndef g():\n    b'bytes'\n", "python")
    assert [symbol.doc for symbol in facts.symbols] == ["", ""]
