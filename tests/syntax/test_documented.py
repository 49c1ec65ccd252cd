"""A definition begins with its documentation, and says whether it is deprecated, in every language."""

from __future__ import annotations

import pytest

from nav_ls.syntax.extract import extract
from nav_ls.syntax.facts import Flag

DOCUMENTED = {
    "c": "/* Old. */\nstatic int old(void) { return 1; }\n",
    "cpp": "/// Old.\ntemplate <class T>\n[[nodiscard]] int old(T t) { return 1; }\n",
    "csharp": "class X {\n  /// Old.\n  [Pure]\n  void old() {}\n}\n",
    "go": "package p\n\n// Old.\nfunc old() {}\n",
    "java": "class X {\n  /** Old. */\n  @Override\n  void old() {}\n}\n",
    "javascript": "/** Old. */\nexport function old() {}\n",
    "kotlin": 'package a\nimport b.c\n\n/** Old. */\n@A\nfun old() {}\n\n/** Too. */\n@B("x")\nfun too() {}\n',
    "lua": "-- Old.\nlocal function old() end\n",
    "php": "<?php\n/** Old. */\n#[Pure]\nfunction old() {}\n",
    "ruby": "class X\n  # Old.\n  private def old; end\nend\n",
    "rust": "/// Old.\n#[inline]\npub fn old() {}\n",
    "swift": "/// Old.\nfunc old() {}\n",
    "typescript": "/** Old. */\nexport const old = () => 1;\n",
}


@pytest.mark.parametrize("language", DOCUMENTED)
def test_a_definition_begins_with_its_documentation(language: str) -> None:
    text = DOCUMENTED[language]
    found = {symbol.name: symbol for symbol in extract("a", text.encode(), language).symbols}
    for name in found.keys() & {"old", "too"}:
        doc = f"{name.capitalize()}."
        assert (found[name].doc).strip() == doc
        above = text[: found[name].start]
        assert doc not in above, "it begins in front of its documentation"
        assert not above.strip() or above.rstrip(" ").endswith("\n"), "and with a line"
    assert "old" in found


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("c", "// Above.\n\nint old(void) { return 1; }\n"),
        ("ruby", "# Above.\n\ndef old; end\n"),
        ("php", "<?php\n// Above.\n\nfunction old() {}\n"),
        ("lua", "-- Above.\n\nfunction old() end\n"),
    ],
)
def test_a_comment_further_up_is_not_its_documentation(language: str, text: str) -> None:
    (symbol,) = extract("a", text.encode(), language).symbols
    assert (symbol.doc, text[symbol.start :].split()[0]) == ("", text.split("\n\n")[1].split()[0])


DEPRECATED = {
    "cpp": '[[deprecated("x")]] void old();\nvoid fresh();\n',
    "csharp": 'class X {\n  [Obsolete("x")]\n  void old() {}\n  [Pure, System.Obsolete]\n  void older() {}\n  void fresh() {}\n}\n',
    "go": "package p\n\n// Is old.\n//\n// Deprecated: use fresh.\nfunc old() {}\n\n// Replaces the deprecated old.\nfunc fresh() {}\n",
    "java": "class X {\n  /** Old.\n   * @deprecated use fresh\n   */\n  void old() {}\n  @Deprecated void older() {}\n  /** Not deprecated. */\n  void fresh() {}\n}\n",
    "kotlin": '@Deprecated("x")\nfun old() {}\nfun fresh() {}\n',
    "php": "<?php\n/** @deprecated */\nfunction old() {}\nfunction fresh() {}\n",
    "python": '@warnings.deprecated("x")\ndef old(): ...\n\ndef older():\n    """Old.\n\n    .. deprecated:: 1.2\n    """\n\ndef fresh():\n    """Replaces the deprecated old."""\n',
    "ruby": "# @deprecated use fresh\ndef old; end\n\ndef fresh; end\n",
    "rust": '#[deprecated(since = "1")]\nfn old() {}\nfn fresh() {}\n',
    "swift": "@available(*, deprecated)\nfunc old() {}\nfunc fresh() {}\n",
    "typescript": "/** @deprecated */\nexport function old() {}\nexport function fresh() {}\n",
}


@pytest.mark.parametrize("language", DEPRECATED)
def test_deprecated_definitions_say_so(language: str) -> None:
    symbols = [s for s in extract("a", DEPRECATED[language].encode(), language).symbols if s.name != "X"]
    assert {s.name: bool(s.flags & Flag.DEPRECATED) for s in symbols} == {s.name: s.name != "fresh" for s in symbols}
    assert len(symbols) >= 2
