"""A small repository, a private nav server, and a folder for screenshots."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.endpoints.fake_messages import fake_messages

ROOT = Path(__file__).resolve().parents[2]

TILL = '''"""Payments."""


class Till:
    """Takes money and keeps the balance."""

    def __init__(self):
        self.balance = 0

    def pay(self, amount):
        """Book a payment."""
        validate(amount)
        self.balance += amount


def validate(amount):
    """Refuse amounts that make no sense."""
    if amount <= 0:
        raise ValueError(amount)
'''
SHOP = """from till import Till, validate


def checkout(cart):
    till = Till()
    till.pay(sum(cart))


def refund(amount):
    validate(amount)


if __name__ == "__main__":
    checkout([1, 2])
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with two files."""
    root = tmp_path / "shop"
    root.mkdir()
    (root / "till.py").write_text(TILL)
    (root / "shop.py").write_text(SHOP)
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-C", str(root)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "first"], check=True)
    return root


ANSWER = """Amounts are checked by `validate` [till.py:16-19], which `Till.pay` calls [till.py:12].

They are logged, too [gone.py:3]."""


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An environment of its own: home, run-time folder, and `nav-ls` on PATH; its server is stopped afterwards.

    One for all tests of a file: a server starts once, and each test brings a repository of its own.
    """
    base = tmp_path_factory.mktemp("machine")
    home, runtime, programs = base / "home", base / "run", base / "bin"
    for folder in (home, runtime, programs):
        folder.mkdir(mode=0o700)
    for name, entry in (("nav-ls", "nav_ls"), ("nav", "nav")):
        script = programs / name
        script.write_text(
            f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom nav_ls.main import {entry}\nsys.exit({entry}())\n"
        )
        script.chmod(0o755)
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(runtime),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PYTHONPATH": str(ROOT),
        # Words find what these tests look for, and a model that loads behind them would slow everything down.
        "NAV_SEARCH_BACKGROUND": "0",
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
    }
    with fake_messages(lambda body: ANSWER) as model:
        environment |= {"NAV_LLM_URL": model.url, "NAV_LLM_KEY": "test"}
        yield environment
    subprocess.run([nav(environment), "server", "stop"], env=environment, check=False, capture_output=True)


def nav(surroundings: dict[str, str], name: str = "nav") -> str:
    """The path of a program of ours in these surroundings."""
    found = shutil.which(name, path=surroundings["PATH"])
    assert found is not None
    return found


def server_pids(surroundings: dict[str, str]) -> list[int]:
    """The processes of the nav server that runs in these surroundings."""
    return _pids("nav_ls.server", surroundings["XDG_RUNTIME_DIR"])


def bridge_pids(surroundings: dict[str, str]) -> list[int]:
    """The processes between the editors and that server, one for each editor."""
    return _pids(nav(surroundings, "nav-ls"))


def _pids(*parts: str) -> list[int]:
    """The processes whose command line holds all these parts."""
    listing = subprocess.run(["ps", "-wweo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0]) for line in listing.splitlines() if all(part in line for part in parts)]


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where screenshots go: `NAV_PICTURES`, or the test cache."""
    chosen = os.environ.get("NAV_PICTURES")
    folder = Path(chosen) if chosen else Path.home() / ".cache" / "nav-tests" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def program(name: str) -> str:
    """A program beside the interpreter or on PATH; skips the test where there is none."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found
