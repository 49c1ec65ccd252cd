"""URIs and paths, with everything that a file's name may hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nav_ls.server.uris import Uris, path_of, uri_of

names = st.binary(min_size=1, max_size=12).map(lambda raw: os.fsdecode(raw.replace(b"/", b"_").replace(b"\0", b"_")))


@given(names)
def test_every_name_survives_the_way_there_and_back(name: str) -> None:
    path = Path("/r") / name
    if name in (".", ".."):
        return
    assert path_of(uri_of(path)) == path
    assert uri_of(path).isascii()
    assert Uris("file:///r", "file:///r", "").of(name) == uri_of(path)


@pytest.mark.parametrize(
    "uri",
    ["", "x", "untitled:1", "http://x/y", "file://host/x", "file:x", "file://[/x", "file:///a%00b", "vscode-notebook-cell:/x", "file:"],
)  # fmt: skip
def test_what_is_no_file_of_this_machine(uri: str) -> None:
    assert path_of(uri) is None


@pytest.mark.parametrize(
    "uri, path",
    [
        ("file:///a/b.py", "/a/b.py"),
        ("file://localhost/a", "/a"),
        ("FILE:///a", "/a"),
        ("file:///a/../../etc/passwd", "/etc/passwd"),
        ("file:///a%2F..%2Fb", "/b"),
        ("file:///a%20b%23c%3Fd", "/a b#c?d"),
        ("file:///%F0%9F%8E%89.py", "/🎉.py"),
        ("file:///a//b/", "/a/b"),
    ],
)
def test_paths_are_normalised(uri: str, path: str) -> None:
    assert path_of(uri) == Path(path)


def test_a_folder_inside_of_a_repository() -> None:
    uris = Uris("file:///real/repo", "file:///link", "sub")
    assert uris.of("sub/a b.py") == "file:///link/a%20b.py"
    assert uris.of("other.py") == "file:///real/repo/other.py"
    assert uris.of("subway.py") == "file:///real/repo/subway.py"
