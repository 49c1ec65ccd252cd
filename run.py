#!/usr/bin/env python3
"""Run nav from a clone: makes the environment that it needs, then does as it is told.

    python3 run.py nav callers NAME -C REPO     the nav command, with any arguments
    python3 run.py test                         all that CI does: lint, types, layers, every test
    python3 run.py test PYTEST ARGUMENTS        some tests (say, -m "not slow")
    python3 run.py compile                      compile what only computes; from then on `run.py nav` goes by that
    python3 run.py benchmark NAME ARGUMENTS     a module of benchmarks/, with the nav that `run.py nav` would run

Needs Python 3.11 or later and a package index that pip can reach; nothing else (`compile`: a C compiler and Python's
headers, and some minutes).  Environments are kept in `$XDG_CACHE_HOME/nav-ls` (or `~/.cache/nav-ls`), one for each
clone, Python and set of dependencies.  What was compiled serves until the code of this clone is another one.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PROJECT = ROOT / "pyproject.toml"
BENCHMARK = """
import runpy, sys
del sys.argv[0]
sys.path.append(sys.argv[0])
runpy.run_module(f"benchmarks.{sys.argv.pop(1)}", run_name="__main__")
"""


def main(arguments):
    """Carry out one task; returns the exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 (who clones may have an older one)
        sys.exit("run.py: Python 3.11 or later is needed, this is " + sys.version.split()[0])
    task, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if task == "nav":
        return call(compiled() or environment(dev=False), "-P", "-m", "nav_ls.main", *rest)
    if task == "benchmark" and rest and (ROOT / "benchmarks" / f"{rest[0]}.py").is_file():
        # Its programs must find the same nav as itself, wherever it is called: no folder comes before the installed one.
        os.environ["PYTHONSAFEPATH"] = "1"
        return call(compiled() or environment(dev=False), "-c", BENCHMARK, ROOT, *rest)
    if task == "compile":
        print(compile_code())
        return 0
    if task == "test":
        python = environment(dev=True)
        return call(python, "-m", "pytest", *rest, cwd=ROOT) if rest else check(python)
    print(__doc__.strip())
    return 0 if task in ("-h", "--help") else 2


def check(python):
    """Lint, types, layers and all tests; the first that fails ends it."""
    folder = python.parent
    workers = min(4, os.cpu_count() or 1)
    pytest = [python, "-m", "pytest", "-m"]
    steps = [
        ("lint", [folder / "ruff", "check", "."]),
        ("format", [folder / "ruff", "format", "--check", "."]),
        ("layers", [folder / "lint-imports"]),
        ("types", [folder / "mypy"]),
        ("tests", [*pytest, "not slow", "-n", str(workers), "--dist=loadfile"]),
        # Two at a time, however many processors there are: each starts programs that use several, or waits for them.
        # File by file in their order, not those with the most tests first: the longest has two, and would come last.
        ("slow tests", [*pytest, "slow", "-n", "2", "--dist=loadfile", "--no-loadscope-reorder"]),
    ]
    for name, command in steps:
        print(f"== {name}", flush=True)
        code = call(*command, cwd=ROOT)
        if code:
            print(f"== {name} failed", flush=True)
            return code
    return 0


def environment(dev):
    """The Python of an environment with nav (and the tools to work on it) installed; made if it is not there yet."""
    folder = cache() / f"env-{key()}"
    python = python_of(folder)
    done = folder / ("complete-dev" if dev else "complete")
    if done.exists():
        return python
    folder.parent.mkdir(parents=True, exist_ok=True)
    with alone(folder.with_suffix(".lock")):
        if done.exists():
            return python
        print(f"run.py: making an environment in {folder} (once; a minute or two)", file=sys.stderr, flush=True)
        if not python.exists():
            quiet(sys.executable, "-P", "-m", "venv", folder)
        quiet(
            python,
            "-P",  # the folder that one stands in may hold a file named like a module
            "-m",
            "pip",
            "install",
            "--disable-pip-version-check",
            "-e",
            ROOT,
            *(dev_requirements() if dev else []),
        )
        (folder / "complete").touch()
        done.touch()
    return python


def compile_code():
    """The Python of an environment with nav compiled; made anew if the code is another one than it was made from."""
    folder = compiled_folder()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with alone(folder.with_suffix(".lock")):
        if compiled() is None:
            print(f"run.py: compiling into {folder} (some minutes)", file=sys.stderr, flush=True)
            python = python_of(folder)
            if not python.exists():
                quiet(sys.executable, "-P", "-m", "venv", folder)
            with tempfile.TemporaryDirectory() as copy:  # the build moves files of the folder that it works in
                shutil.copytree(ROOT / "nav_ls", Path(copy, "nav_ls"), ignore=shutil.ignore_patterns("__pycache__"))
                for name in (PROJECT.name, "README.md", "LICENSE"):
                    shutil.copy(ROOT / name, copy)
                install = [python, "-P", "-m", "pip", "install", "--disable-pip-version-check", copy]
                made_from = code(Path(copy))  # the clone may be edited meanwhile
                (folder / "code").unlink(missing_ok=True)
                quiet(*install, HATCH_BUILD_HOOKS_ENABLE="1")
            (folder / "code").write_text(made_from)
    return python_of(folder)


def compiled():
    """The Python of the compiled environment, None where there is none for the code as it is."""
    folder = compiled_folder()
    try:
        current = (folder / "code").read_text() == code(ROOT)
    except OSError:
        return None
    return python_of(folder) if current else None


def compiled_folder():
    """Where nav is compiled to."""
    return cache() / f"env-{key()}-compiled"


def code(root):
    """What tells the code below a folder from another."""
    digest = hashlib.sha256()
    for path in sorted(
        path for path in (root / "nav_ls").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ):
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def dev_requirements():
    """The tools to work on nav; read here because older versions of pip know nothing of dependency groups."""
    import tomllib

    return tomllib.loads(PROJECT.read_text("utf-8"))["dependency-groups"]["dev"]


def python_of(folder):
    """The interpreter of a virtual environment."""
    return folder / ("Scripts" if os.name == "nt" else "bin") / ("python.exe" if os.name == "nt" else "python")


def cache():
    """Where environments are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if base:
        return Path(base) / "nav-ls"
    try:
        return Path.home() / ".cache" / "nav-ls"
    except RuntimeError:
        return ROOT / ".venv"


def key():
    """What an environment depends on."""
    parts = [str(ROOT), sys.version, sys.executable, PROJECT.read_text("utf-8")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def call(program, *arguments, cwd=None):
    """Run a program with our own input and output; returns its exit code."""
    try:
        return subprocess.call([str(program), *map(str, arguments)], cwd=cwd)
    except KeyboardInterrupt:
        return 130


def quiet(*command, **settings):
    """Run a program whose output matters only if it fails, with some settings more in its environment."""
    done = subprocess.run(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **settings},
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"run.py: {' '.join(map(str, command))} failed:\n{done.stdout}")


@contextlib.contextmanager
def alone(path):
    """Keep others from making the same environment at the same time (where the system has file locks)."""
    with path.open("w") as file:
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
