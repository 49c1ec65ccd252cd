"""Which paths are tests, by the conventions of each language."""

from __future__ import annotations

import pytest

from nav_ls.text.roles import is_test


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_a.py",
        "pkg/test_a.py",
        "pkg/a_test.py",
        "conftest.py",
        "pkg/a_test.go",
        "src/test/java/org/x/A.java",
        "src/main/java/org/x/ATest.java",
        "src/a.test.ts",
        "src/__tests__/a.js",
        "spec/models/a_spec.rb",
        "Dapper.Tests/A.cs",
        "app/src/androidTest/kotlin/A.kt",
        "Tests/A.swift",
        "tests/it.rs",
        "db/a_test.cc",
    ],
)
def test_tests(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path",
    [
        "pkg/test/client.py",
        "pkg/testing/plugin.py",
        "pkg/contest.py",
        "src/latest.ts",
        "src/attestation.go",
        "src/A.java",
    ],
)
def test_what_tests_are_written_with_and_look_alikes_are_none(path: str) -> None:
    assert not is_test(path)
