"""The real editors that the tests drive, installed into the test cache outside of the clone.

`python -m tests.editors.programs` installs what is missing: code-server (which is VS Code, run by Node) from npm,
the packaged extension, and Chromium from the system's packages where that can be done without asking anybody.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.npm import Unavailable, cache, node_bin

CODE_SERVER = "4.139.1"  # VS Code 1.139.1
AXE = "4.14.1"
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "clients" / "vscode"
PAGE = ROOT / "nav_ls" / "ui" / "page"
LICENSE = ROOT / "LICENSE"


def folder() -> Path:
    """Where the editors are kept."""
    path = cache() / "editors"
    path.mkdir(parents=True, exist_ok=True)
    return path


def environment() -> dict[str, str]:
    """The environment in which npm and Node programs run."""
    node = node_bin()
    return {
        **os.environ,
        "PATH": f"{node}{os.pathsep}{os.environ.get('PATH', '')}",
        "npm_config_nodedir": str(node.parent),
        "npm_config_audit": "false",
        "npm_config_fund": "false",
    }


def chromium() -> str:
    """A Chromium to drive.  Raises Unavailable where there is none and none can be installed."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    if shutil.which("apt-get") and os.geteuid() == 0:
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]):
            subprocess.run(
                command, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        found = shutil.which("chromium")
        if found:
            return found
    raise Unavailable("no Chromium is installed")


def code_server() -> Path:
    """VS Code's server: the script that Node runs."""
    target = folder() / f"code-server-{CODE_SERVER}"
    entry = target / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    done = target / "complete"
    if not done.exists():
        _once(target, lambda: _install_code_server(target))
        done.touch()
    return entry


def _install_code_server(target: Path) -> None:
    _npm(["install", f"code-server@{CODE_SERVER}", "--ignore-scripts"], target)
    inner = target / "node_modules" / "code-server" / "lib" / "vscode"
    # Its own post-install script would do these, and compile native modules besides.
    for where in (inner, inner / "extensions"):
        _npm(["install", "--omit=dev", "--ignore-scripts"], where)
    system = "darwin" if sys.platform == "darwin" else "linux"
    for link, name in (
        ("bin/remote-cli/code-server", f"code-{system}.sh"),
        ("bin/helpers/browser.sh", f"browser-{system}.sh"),
    ):
        path = inner / link
        path.unlink(missing_ok=True)
        path.symlink_to(name)


def extension() -> Path:
    """The packaged extension, built from the sources as they are."""
    sources = sorted(p for base in (EXTENSION, PAGE) for p in base.rglob("*") if p.is_file() and not _built(p))
    digest = hashlib.sha256(b"".join(p.read_bytes() for p in sources)).hexdigest()[:16]
    package = folder() / f"nav-{digest}.vsix"
    if not package.exists():
        _once(folder() / f"build-{digest}", lambda: _build(folder() / f"build-{digest}", package))
    return package


def _built(path: Path) -> bool:
    return bool({"node_modules", "dist"} & set(path.parts)) or path.suffix == ".vsix"


def _build(target: Path, package: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    work = target / "clients" / "vscode"
    shutil.copytree(EXTENSION, work, ignore=lambda _, names: {n for n in names if n in ("node_modules", "dist")})
    shutil.copytree(PAGE, target / "nav_ls" / "ui" / "page")
    shutil.copy(LICENSE, target)
    _npm(["ci", "--ignore-scripts"], work)
    # esbuild's own install step only checks the program that its platform package brings.
    _run(["npm", "run", "package"], work)
    shutil.copy(work / "nav.vsix", package)
    shutil.rmtree(target)


def axe() -> Path:
    """axe-core's script, for accessibility checks."""
    target = folder() / f"axe-{AXE}"
    script = target / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        _once(target, lambda: _npm(["install", f"axe-core@{AXE}"], target))
    return script


def _once(target: Path, install: Callable[[], None]) -> None:
    import fcntl  # these tests run on Linux and macOS

    target.mkdir(parents=True, exist_ok=True)
    with (folder() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        install()


def _npm(arguments: list[str], where: Path) -> None:
    where.mkdir(parents=True, exist_ok=True)
    prefix = ["--prefix", str(where)] if arguments[0] == "install" and "@" in arguments[1] else []
    _run(["npm", *arguments, *prefix], where)


def _run(command: list[str], where: Path) -> None:
    if shutil.which(command[0]) is None:
        raise Unavailable(f"{command[0]} is not installed")
    done = subprocess.run(
        command, cwd=where, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode != 0:
        told = (done.stdout + done.stderr).decode("utf-8", "replace")[-800:]
        raise Unavailable(f"{' '.join(command)} failed in {where}: {told}")


def main() -> int:
    """Install everything; the exit code says whether all is there."""
    missing = 0
    for what in (chromium, code_server, extension, axe):
        try:
            print(f"{what.__name__}: {what()}")
        except Unavailable as why:
            missing += 1
            print(f"{what.__name__}: {why}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
