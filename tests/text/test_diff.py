"""Which lines a diff adds."""

from __future__ import annotations

import pytest

from nav_ls.text.diff import FileChange, parse
from nav_ls.text.errors import UsageError

EDIT = """\
diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -2 +2,2 @@ def f():
-old
+new
+newer
@@ -10,0 +12 @@
++++ a line that looks like a header
diff --git a/gone.py b/gone.py
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/new.py b/new.py
--- /dev/null
+++ b/new.py
@@ -0,0 +1,3 @@
+one
+two
+three
"""


def test_added_lines_by_file() -> None:
    assert parse(EDIT) == (FileChange("a.py", ((2, 3), (12, 12)), "a.py"), FileChange("new.py", ((1, 3),)))


@pytest.mark.parametrize("inside", ["\r", "\f", "\f\r", "a\u2028+b", "a\x1c-b", "a\x85 b", "\v"])
def test_only_line_feeds_end_lines(inside: str) -> None:
    """Form feeds between sections, and other characters that Unicode calls line ends."""
    text = f"--- a/x\n+++ b/x\n@@ -1,2 +1,4 @@\n {inside}\n-{inside}\n+{inside}\n+{inside}\n+2\n"
    assert parse(text) == (FileChange("x", ((2, 4),), "x"),)


def test_a_diff_whose_own_lines_end_in_crlf() -> None:
    text = "--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+one\n+two\n".replace("\n", "\r\n")
    assert parse(text) == (FileChange("x", ((1, 2),), "x"),)


def test_context_lines_are_not_added() -> None:
    text = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
    assert parse(text) == (FileChange("x", ((2, 2),), "x"),)


def test_where_a_file_was_before() -> None:
    text = "rename from a.py\nrename to b.py\n--- a/a.py\n+++ b/b.py\n@@ -1 +1 @@\n-x\n+y\n"
    assert parse(text) == (FileChange("b.py", ((1, 1),), "a.py"),)
    mnemonic = "--- c/a.py\n+++ i/a.py\n@@ -1 +1 @@\n-x\n+y\n"
    assert parse(mnemonic) == (FileChange("a.py", ((1, 1),), "a.py"),)


def test_quoted_names() -> None:
    text = '--- /dev/null\n+++ "b/\\303\\244 b.py"\n@@ -0,0 +1 @@\n+x\n'
    assert parse(text)[0].path == "ä b.py"


def test_share_of_new_lines() -> None:
    change = FileChange("a", ((2, 3), (6, 6)))
    assert change.share(2, 3) == 1.0
    assert change.share(1, 4) == 0.5
    assert change.share(7, 9) == 0.0


def test_what_is_no_diff_is_refused() -> None:
    with pytest.raises(UsageError, match="no unified diff"):
        parse("hello\n")
    assert parse("") == ()
    assert parse("diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n") == ()
