"""What does the search palette feel like?  One command, any repository:

    python -m benchmarks.palette PATH [--vscode] [--copy FOLDER]

Works on a copy, which `--copy` keeps with its index for the next run: a large repository can then be measured while the
machine is calm.  Types the questions below as a person does, one request for each keystroke that the debounce lets
through (each of them, here: the worst case), in a `nav-ls` of its own, and prints how long the results take, the
server's memory and the size of the packaged extension.  With `--vscode` also the memory of the extension host of a
real VS Code that has the repository open (the editors of the tests must be there: `python -m tests.editors.programs`).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.editor import Editor
from benchmarks.processes import cpu, descendants, memory

NAV_LS = [sys.executable, "-c", "import sys; from nav_ls.main import nav_ls; sys.exit(nav_ls())"]
QUESTIONS = (
    "where is the session cookie signed",
    "parse the url pattern",
    "kind:method validate a form field",
    "retry a failed connection",
    "render a template to a string",
)
_SHORTEST = 2
"""Characters that a question has before it is worth asking."""
_LIMIT = 30


def typed(editor: Editor, question: str) -> list[float]:
    """Milliseconds from each keystroke of a question to its results."""
    times = []
    for length in range(_SHORTEST, len(question) + 1):
        arguments = [{"query": question[:length], "k": _LIMIT}, {"sync": False}]
        begun = time.perf_counter()
        editor.request("workspace/executeCommand", {"command": "nav.search", "arguments": arguments})
        times.append(1000 * (time.perf_counter() - begun))
    return times


def server(root: Path) -> list[tuple[str, str]]:
    """Figures of the server."""
    with Editor([*NAV_LS, "--standalone"], root) as editor:
        editor.wait_until_fresh()
        typed(editor, QUESTIONS[0])  # what is loaded when it is first needed is loaded now
        before = cpu(editor.pid)
        times = [taken for question in QUESTIONS for taken in typed(editor, question)]
        spent = cpu(editor.pid) - before
        pids = descendants(editor.pid)
        held = sum(memory(pid)[1] for pid in pids)
    cuts = statistics.quantiles(times, n=100)
    return [
        ("keystrokes", str(len(times))),
        ("keystroke to results, p50", f"{cuts[49]:.0f} ms"),
        ("keystroke to results, p95", f"{cuts[94]:.0f} ms"),
        ("CPU for a keystroke", f"{1000 * spent / len(times):.0f} ms"),
        ("server with its processes", f"{held / 1e6:.0f} MB ({len(pids)} processes)"),
    ]


def package() -> list[tuple[str, str]]:
    """The size of the extension."""
    from tests.editors import programs

    return [("extension, packaged", f"{programs.extension().stat().st_size / 1e3:.0f} kB")]


def vscode(root: Path, folder: Path) -> list[tuple[str, str]]:
    """The memory of VS Code's extension host, with and without nav."""
    from playwright.sync_api import sync_playwright

    from tests.editors import programs
    from tests.editors.code import Code

    nav_ls = folder / "nav-ls"
    nav_ls.write_text(f"#!{sys.executable}\nimport sys\nfrom nav_ls.main import nav_ls\nsys.exit(nav_ls())\n")
    nav_ls.chmod(0o755)
    rows = []
    for name, extensions in (("without nav", []), ("with nav", [programs.extension()])):
        settings: dict[str, Any] = {"nav.server.path": str(nav_ls)}
        with sync_playwright() as playwright:
            environment = os.environ | {"PYTHONPATH": os.getcwd()}
            code = Code(playwright, environment, root, folder / name, extensions, settings, folder)
            if extensions:
                code.until("fresh", lambda code=code: code.status() == "nav")
            code.page.wait_for_timeout(5000)
            held = [memory(pid)[1] for pid in descendants(code.pid) if "extensionHost" in _command(pid)]
            code.close()
        rows.append((f"extension host, {name}", f"{max(held) / 1e6:.0f} MB"))
    return rows


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--vscode", action="store_true")
    parser.add_argument("--copy", type=Path, metavar="FOLDER", help="keep the copy there")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nav-palette") as scratch:
        root = (args.copy or Path(scratch)) / args.path.name
        if not root.exists():
            shutil.copytree(args.path, root, symlinks=True, ignore=shutil.ignore_patterns(".nav"))
        rows = [*server(root), *package(), *(vscode(root, Path(scratch)) if args.vscode else [])]
    for name, value in rows:
        print(f"{name:32} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
