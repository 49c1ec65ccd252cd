"""Programs from npm that tests drive, installed into a cache outside of the clone.

The cache is `$NAV_TEST_CACHE`, or else `~/.cache/nav-tests`.  Versions are pinned: npm silently picks an older release
of a package when the Node that runs does not fit it, so Node comes from npm as well.
"""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
from pathlib import Path

NODE = "24"
_INSTALL_SECONDS = 600


class Unavailable(Exception):
    """A program cannot be had here; the message says why."""


def cache() -> Path:
    """The folder that programs are kept in."""
    chosen = os.environ.get("NAV_TEST_CACHE")
    return Path(chosen) if chosen else Path.home() / ".cache" / "nav-tests"


def install(name: str, package: str, version: str) -> Path:
    """The `node_modules` with a package, installed if it is not there yet; `name` is that of its folder.

    Raises Unavailable where there is no npm, or it cannot fetch the package.
    """
    folder = cache() / "clients"
    folder.mkdir(parents=True, exist_ok=True)
    # Two test processes must not install into one folder at once.
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        node = _node(folder)
        target = folder / f"{name}-{version}"
        modules = target / "node_modules"
        if not (modules / ".package-lock.json").exists():  # npm writes it when all is in place
            _npm(target, f"{package}@{version}", node)
        return modules


def node_bin() -> Path:
    """The folder with the Node that the programs run on."""
    return _node(cache() / "clients")


def _node(folder: Path) -> Path:
    system = {"Linux": "linux", "Darwin": "darwin"}.get(platform.system())
    machine = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine())
    if system is None or machine is None:
        raise Unavailable(f"no Node from npm for {platform.system()} on {platform.machine()}")
    package = f"node-{system}-{machine}"
    programs = folder / f"node-{NODE}" / "node_modules" / package / "bin"
    if not (programs / "node").exists():
        _npm(folder / f"node-{NODE}", f"{package}@{NODE}", None)
    return programs


def _npm(target: Path, package: str, node: Path | None) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("npm is not installed")
    environment = dict(os.environ)
    if node is not None:
        environment["PATH"] = f"{node}{os.pathsep}{environment.get('PATH', '')}"
        environment["npm_config_nodedir"] = str(node.parent)
    target.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--prefix", str(target), package],
        env=environment,
        cwd=target,  # what a package's own install script writes (lefthook: hooks) must not land in this repository
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_INSTALL_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        shutil.rmtree(target, ignore_errors=True)
        raise Unavailable(f"npm could not install {package}: {done.stderr.decode('utf-8', 'replace')[-400:]}")
