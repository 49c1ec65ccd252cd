"""The runtime folder is private, or it is not used."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from nav_ls.client.peer import is_same_user, peer_pid, peer_uid
from nav_ls.client.runtime import RuntimeFolderError, find_runtime, open_runtime, try_lock


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch) -> Path:
    with tempfile.TemporaryDirectory(prefix="nv") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


def test_it_is_made_for_the_user_alone(base: Path) -> None:
    assert find_runtime() is None
    runtime = open_runtime()
    assert runtime.folder == base / "nav"
    assert stat.S_IMODE(runtime.folder.stat().st_mode) == 0o700
    assert find_runtime() == runtime


def test_one_that_others_can_open_is_refused(base: Path) -> None:
    (base / "nav").mkdir()
    (base / "nav").chmod(0o755)
    with pytest.raises(RuntimeFolderError, match="mode 755"):
        open_runtime()
    assert find_runtime() is None


def test_a_link_is_refused(base: Path) -> None:
    (base / "elsewhere").mkdir(mode=0o700)
    (base / "nav").symlink_to("elsewhere")
    with pytest.raises(RuntimeFolderError):
        open_runtime()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_one_of_another_user_is_refused(base: Path) -> None:
    (base / "nav").mkdir(mode=0o700)
    os.chown(base / "nav", 12345, 12345)
    with pytest.raises(RuntimeFolderError, match="another user"):
        open_runtime()


def test_a_path_too_long_for_a_socket_moves(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = base / ("d" * 100)
    other = base / ("e" * 100)
    deep.mkdir()
    other.mkdir()
    folders = []
    for folder in (deep, other):
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
        monkeypatch.setattr(tempfile, "tempdir", str(base))
        folders.append(open_runtime().folder)
    assert folders[0] != folders[1]
    assert all(folder.parent == base for folder in folders)


def test_without_a_runtime_folder_of_the_system(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr(tempfile, "tempdir", str(base))
    assert open_runtime().folder == base / f"nav-{os.getuid()}"


def test_the_peer_is_known() -> None:
    left, right = socket.socketpair()
    with left, right:
        assert peer_uid(left) == os.getuid()
        assert peer_pid(left) == os.getpid()
        assert is_same_user(right)


def test_a_lock_ends_with_its_process(base: Path) -> None:
    path = base / "lock"
    code = "import fcntl,os,sys; f=os.open(sys.argv[1],os.O_RDWR|os.O_CREAT); fcntl.flock(f,2); print(1,flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with try_lock(path) as mine:
            assert not mine
        holder.kill()
    with try_lock(path, patience=2) as mine:
        assert mine
        with try_lock(path) as again:
            assert not again
