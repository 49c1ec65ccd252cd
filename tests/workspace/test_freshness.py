"""What counts as changed: `nav status` never says so of a file that nothing has happened to."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from nav_ls.config.settings import Config, IndexSettings
from nav_ls.text import git
from nav_ls.workspace.workspace import Workspace

CODE = b"def f():\n    return 1\n"
LEFT_OUT = {
    "binary.py": bytes(range(256)) * 10,
    "giant.py": b"x = 1\n" * 400_000,
    "minified.js": b"f();" * 10_000,
    ".env": b"PASSWORD=x\n",
    "server.pem": b"x\n",
    "key": b"-----BEGIN PRIVATE KEY-----\n" + b"A" * 64 + b"\n",
    "excluded.py": CODE,
    "latin.py": b"x = '\xe9'\n",
    "crlf.py": CODE.replace(b"\n", b"\r\n"),
    "broken.py": b"def (:\n",
    "notes.md": b"# Notes\n",
    "LICENSE": b"Do what you like.\n",
    "empty.py": b"",
    ".navignore": b"excluded.py\n",
}


def run(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "protocol.file.allow=always")
    subprocess.run(["git", "-C", root, *identity, *arguments], check=True, env=git.environment(), capture_output=True)


@pytest.fixture(params=["git", "no git"])
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder with all that is left out, or read in another way than most."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").write_bytes(CODE)
    for name, data in LEFT_OUT.items():
        (root / name).write_bytes(data)
    (root / "link.py").symlink_to("a.py")
    (root / "dangling.py").symlink_to("nowhere.py")
    (root / "folder").symlink_to(root.parent)
    os.close(os.open(os.fsencode(root) + b"/\xff.py", os.O_CREAT))
    if request.param == "git":
        run(root, "init", "-q", "-b", "main")
        run(root, "add", "-A")
        run(root, "commit", "-qm", "first")
    return root


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    # The files are seconds old at most: their stats prove nothing yet, and all of them have to be looked at.
    opened = Workspace.open(root)
    opened.sync()
    yield opened
    opened.close()


def test_nothing_has_changed_right_after_indexing(workspace: Workspace) -> None:
    assert workspace.dirty() == []
    with workspace.snapshot() as snapshot:
        assert not workspace.freshness(snapshot, check=True).stale


def test_another_date_or_mode_is_no_change(workspace: Workspace, root: Path) -> None:
    for path in root.iterdir():
        if path.is_file() and not path.is_symlink():
            os.utime(path, (1_000_000_000, 1_000_000_000))
            path.chmod(0o755)
    assert workspace.dirty() == []
    assert workspace.sync().changed == 0
    assert workspace.dirty() == []


def test_a_change_that_is_told_of_leaves_what_a_scan_finds(workspace: Workspace, root: Path) -> None:
    before = workspace.sync()
    for name in sorted({*LEFT_OUT, "link.py", "dangling.py", "folder"} - {".navignore"}):
        os.utime(root / name, (1_000_000_000, 1_000_000_000), follow_symlinks=False)
        told = workspace.sync([name])
        assert (name, told.changed, told.removed, told.skipped) == (name, 0, 0, before.skipped)
    assert workspace.dirty() == []


def test_what_has_changed_counts_until_it_is_indexed(workspace: Workspace, root: Path) -> None:
    changed = ["a.py", "binary.py", "crlf.py", "key", "notes.md"]
    for name in changed:
        with (root / name).open("ab") as file:
            file.write(b"# more\n")
    (root / "latin.py").unlink()
    (root / "link.py").unlink()
    (root / "link.py").write_bytes(CODE)
    (root / "empty.py").unlink()
    (root / "empty.py").symlink_to("a.py")
    (root / "new.py").write_bytes(CODE)
    assert workspace.dirty() == sorted([*changed, "latin.py", "link.py", "empty.py", "new.py"])
    workspace.sync()
    assert workspace.dirty() == []


def test_what_is_never_read_may_change(workspace: Workspace, root: Path) -> None:
    (root / ".env").write_bytes(b"PASSWORD=another\n")
    with (root / "giant.py").open("ab") as file:
        file.write(b"x = 2\n")
    assert workspace.dirty() == []


def test_submodules_and_clones_inside(tmp_path: Path) -> None:
    inner, root = tmp_path / "inner", tmp_path / "root"
    for folder in (inner, root):
        folder.mkdir()
        run(folder, "init", "-q", "-b", "main")
        (folder / "a.py").write_bytes(CODE)
        (folder / ".env").write_bytes(b"PASSWORD=x\n")
        run(folder, "add", "-A")
        run(folder, "commit", "-qm", "first")
    run(root, "submodule", "add", "-q", str(inner), "module")
    run(root, "clone", "-q", str(inner), "clone")
    workspace = Workspace.open(root)
    try:
        assert workspace.sync().files == 3
        assert workspace.dirty() == []
        shutil.rmtree(root / "module")
        assert workspace.dirty() == ["module/.env", "module/a.py"]
        workspace.sync()
        assert workspace.dirty() == []
    finally:
        workspace.close()


def test_line_ends_that_git_converts(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "-b", "main")
    run(tmp_path, "config", "core.autocrlf", "true")
    (tmp_path / "a.py").write_bytes(CODE.replace(b"\n", b"\r\n"))
    run(tmp_path, "add", "-A")
    run(tmp_path, "commit", "-qm", "first")
    workspace = Workspace.open(tmp_path)
    try:
        workspace.sync()
        run(tmp_path, "checkout", "-q", "--force", "HEAD", "--", ".")
        assert workspace.dirty() == []
    finally:
        workspace.close()


def test_another_limit_is_another_answer(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(CODE * 10)
    for limit, files in ((100, 0), (10_000, 1), (100, 0)):
        workspace = Workspace.open(tmp_path, Config(index=IndexSettings(max_file_bytes=limit)))
        try:
            assert workspace.sync().files == files
        finally:
            workspace.close()
