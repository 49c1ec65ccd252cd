import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nav_ls.text import git
from nav_ls.text.walk import file_stat, inside, walk


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def init(root: Path) -> None:
    root.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True, env=git.environment())


def names(root: Path) -> list[str]:
    return [entry.path for entry in walk(root).entries]


FILES = {
    "a.py": "",
    "b.log": "",
    "keep.log": "",
    "sub/c.py": "",
    "sub/d.tmp": "",
    "sub/deep/e.py": "",
    "build/f.py": "",
    ".gitignore": "*.log\n!keep.log\nbuild/\n",
    "sub/.gitignore": "*.tmp\n/deep/\n",
}


@pytest.mark.parametrize("with_git", [True, False])
def test_ignore_files(tmp_path: Path, with_git: bool) -> None:
    if with_git:
        init(tmp_path)
    write(tmp_path, FILES)
    assert names(tmp_path) == [".gitignore", "a.py", "keep.log", "sub/.gitignore", "sub/c.py"]


@pytest.mark.parametrize("with_git", [True, False])
def test_navignore_excludes_tracked_files(tmp_path: Path, with_git: bool) -> None:
    if with_git:
        init(tmp_path)
    write(tmp_path, {"a.py": "", "gen/b.py": "", "gen/c.py": "", ".navignore": "gen/\n"})
    assert names(tmp_path) == [".navignore", "a.py"]


@pytest.mark.parametrize("with_git", [True, False])
def test_links_are_not_followed(tmp_path: Path, with_git: bool) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    if with_git:
        init(root)
    write(root, {"a.py": "", "d/b.py": ""})
    write(outside, {"secret.py": ""})
    (root / "loop").symlink_to(root)
    (root / "out").symlink_to(outside)
    (root / "link.py").symlink_to(outside / "secret.py")
    found = walk(root)
    assert [entry.path for entry in found.entries] == ["a.py", "d/b.py"]
    assert {passed.path: passed.reason for passed in found.passed} == dict.fromkeys(
        ("link.py", "loop", "out"), "symbolic link"
    )


def test_a_tracked_folder_replaced_by_a_link_is_not_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    init(root)
    write(root, {"d/b.py": "", "a.py": ""})
    subprocess.run(["git", "-C", root, "add", "-A"], check=True, env=git.environment())
    write(outside, {"b.py": "secret"})
    (root / "d" / "b.py").unlink()
    (root / "d").rmdir()
    (root / "d").symlink_to(outside)
    assert names(root) == ["a.py"]
    assert not inside(root, "d/b.py")
    assert inside(root, "a.py")
    assert not inside(root, "../outside/b.py")
    assert not inside(root, "/etc/passwd")


def test_nested_repositories_and_submodules_are_part_of_the_tree(tmp_path: Path) -> None:
    init(tmp_path)
    init(tmp_path / "nested")
    write(tmp_path, {"a.py": "", "nested/b.py": "", "nested/c.log": "", "nested/.gitignore": "*.log\n"})
    assert names(tmp_path) == ["a.py", "nested/.gitignore", "nested/b.py"]


def test_strange_names(tmp_path: Path) -> None:
    init(tmp_path)
    strange = ["a b.py", 'q"uote.py', "new\nline.py", "emoji😀.py", "-dash.py", "back\\slash.py"]
    write(tmp_path, dict.fromkeys(strange, ""))
    raw = os.fsencode(tmp_path) + b"/bad\xff.py"
    Path(os.fsdecode(raw)).write_text("")
    found = walk(tmp_path)
    assert [entry.path for entry in found.entries] == sorted(strange)
    assert [passed.reason for passed in found.passed] == ["its name is not valid UTF-8"]


def test_hostile_configuration_runs_nothing(tmp_path: Path) -> None:
    init(tmp_path)
    write(tmp_path, {"a.py": ""})
    ran = tmp_path.parent / "ran"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {ran}\n")
    script.chmod(0o755)
    for setting in ("core.fsmonitor", "core.pager", "diff.external", "core.sshCommand"):
        subprocess.run(["git", "-C", tmp_path, "config", setting, str(script)], check=True, env=git.environment())
    assert "a.py" in names(tmp_path)
    assert not ran.exists()


def test_filters_of_the_repository_are_not_run(tmp_path: Path) -> None:
    root = tmp_path / "root"
    init(root)
    write(root, {"a.py": "x = 1\n", ".gitattributes": "*.py filter=evil diff=evil\n"})
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.com")
    for command in (("add", "-A"), (*identity, "commit", "-qm", "one")):
        subprocess.run(["git", "-C", root, *command], check=True, env=git.environment())
    ran = tmp_path / "ran"
    for setting in ("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv"):
        subprocess.run(["git", "-C", root, "config", setting, f"touch {ran}; cat"], check=True, env=git.environment())
    write(root, {"a.py": "x = 2\n"})
    repository = git.find_repository(root)
    assert repository is not None
    for command in (
        ("diff", "--no-ext-diff", "--no-textconv", "HEAD"),
        ("status", "--porcelain"),
        ("show", "HEAD:a.py"),
        ("ls-files", "--others"),
    ):
        assert git.run(repository, *command) is not None
    assert git.run(repository, "worktree", "add", "--detach", "-q", str(tmp_path / "tree"), "HEAD") is not None
    assert (tmp_path / "tree" / "a.py").read_text() == "x = 1\n"
    assert not ran.exists()


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A root with a file below 1,100 folders in each other."""
    root, before = tmp_path / "root", Path.cwd()
    root.mkdir()
    try:
        os.chdir(root)
        for _ in range(1_100):
            os.mkdir("d")
            os.chdir("d")
        Path("deep.py").write_text("")
    finally:
        os.chdir(before)
    yield root
    subprocess.run(["rm", "-r", root], check=True)  # pytest's own way goes through them by recursion


def test_folders_may_lie_deep_in_each_other(deep: Path) -> None:
    write(deep, {"a.py": "", ".navignore": "b.py\n"})
    found = [".navignore", "a.py", "d/" * 1_100 + "deep.py"]
    assert names(deep) == found
    init(deep)
    assert names(deep) == found
    write(deep, {".navignore": "/d/d/\n"})
    assert names(deep) == found[:2]


def test_stat_of_what_is_no_regular_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert file_stat(str(tmp_path / "link")) is None
    assert file_stat(str(tmp_path / "pipe")) is None
    assert file_stat(str(tmp_path / "missing")) is None
    assert file_stat("nul\0name") is None


pieces = st.sampled_from(
    [
        "*.py",
        "a.py",
        "c.py",
        "b",
        "d",
        "*",
        "**",
        "a*",
        "[ab]",
        "[!a]*",
        "?.py",
        "[[:alpha:]].py",
        "x",
        "\\x",
        "***",
        "[^a].py",
    ]
)
patterns = st.lists(
    st.builds(
        "{}{}{}{}".format,
        st.sampled_from(["", "", "!", "/", "!/", "# "]),
        pieces,
        st.one_of(st.just(""), pieces.map("/{}".format)),
        st.sampled_from(["", "", "/", " ", "\\ "]),
    ),
    max_size=5,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(top=patterns, below=patterns)
def test_own_walk_agrees_with_git(tmp_path_factory: pytest.TempPathFactory, top: list[str], below: list[str]) -> None:
    root = tmp_path_factory.mktemp("tree")
    files = dict.fromkeys(["a.py", "c.py", "x", "b/a.py", "b/c.py", "b/b/c.py", "d/a.py", "d/b/c.txt", "ä.py"], "")
    write(root, files | {".gitignore": "\n".join(top), "b/.gitignore": "\n".join(below)})
    alone = names(root)
    init(root)
    assert names(root) == alone


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(top=patterns, below=patterns)
def test_navignore_means_what_git_says(
    tmp_path_factory: pytest.TempPathFactory, top: list[str], below: list[str]
) -> None:
    root, twin = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("twin")
    files = dict.fromkeys(["a.py", "c.py", "x", "b/a.py", "b/c.py", "b/b/c.py", "d/a.py", "d/b/c.txt", "ä.py"], "")
    for folder, name in ((root, ".navignore"), (twin, ".gitignore")):
        init(folder)
        write(folder, files | {name: "\n".join(top), f"b/{name}": "\n".join(below)})
    asked = subprocess.run(
        ["git", "-C", twin, "check-ignore", "--no-index", "--stdin", "-z"],
        input="\0".join(files),
        capture_output=True,
        text=True,
        env=git.environment(),
    )
    expected = files.keys() - set(asked.stdout.split("\0"))
    assert {entry.path for entry in walk(root).entries if not entry.path.endswith(".navignore")} == expected


def test_own_walk_matches_bytes_as_git_does(tmp_path: Path) -> None:
    files = dict.fromkeys(["ä.py", "é/a.py", "bb/ä/cc.py", "d/x.py"], "")
    write(tmp_path, files | {".gitignore": "[^a].py\n/[!a]\n/bb/?/cc.py\n***/x.py\n", "é/.gitignore": "/b.py\n"})
    alone = names(tmp_path)
    assert alone == [".gitignore", "bb/ä/cc.py", "ä.py", "é/.gitignore", "é/a.py"]
    init(tmp_path)
    assert names(tmp_path) == alone


def test_three_stars_are_two(tmp_path: Path) -> None:
    write(tmp_path, {"a/x.py": "", "x.py": "", ".gitignore": "***/**/\n"})
    alone = names(tmp_path)
    assert alone == [".gitignore", "x.py"]
    init(tmp_path)
    assert names(tmp_path) == alone


def test_without_git_an_ignored_manifest_is_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("**/package.json\n*.js\ndist\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "dist").mkdir()
    for name in ("lib/package.json", "lib/a.ts", "lib/a.js", "dist/package.json"):
        (tmp_path / name).write_text("{}\n")
    found = {entry.path for entry in walk(tmp_path).entries}
    assert found == {".gitignore", "lib/package.json", "lib/a.ts"}
