"""A proxy between an editor and `nav-ls` that writes down what both say, one JSON object a line.

`python -m tests.server.record FILE [NAV-LS ARGUMENTS]` stands where an editor expects `nav-ls`.
`python -m tests.server.record --neutral FILE ROOT` prints what a replay needs: the files of the repository at ROOT
(in their last commit), then the client's messages, and of each request whether it was answered with anything; with
`${root}` for the root, and nothing that speaks of the machine.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

from nav_ls.client.framing import Frames, parse

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from nav_ls.main import nav_ls; sys.exit(nav_ls())"


def record(file: Path, arguments: list[str]) -> int:
    """Run `nav-ls` behind this process; returns its exit code."""
    server = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin is not None
    assert server.stdout is not None
    lock = threading.Lock()
    with file.open("a", encoding="utf-8") as out:

        def copy(who: str, source: BinaryIO, target: BinaryIO) -> None:
            frames = Frames()
            with contextlib.suppress(OSError):
                while data := os.read(source.fileno(), 1 << 16):
                    for body in frames.feed(data):
                        with lock:
                            out.write(json.dumps({"from": who, "message": parse(body)}) + "\n")
                            out.flush()
                    target.write(data)
                    target.flush()
            if who == "client":
                target.close()

        upstream = threading.Thread(target=copy, args=("client", sys.stdin.buffer, server.stdin), daemon=True)
        upstream.start()
        copy("server", server.stdout, sys.stdout.buffer)
        return server.wait()


def neutral(file: Path, root: Path) -> list[dict[str, Any]]:
    """The lines of a recording for a replay."""
    lines = [json.loads(line.replace(str(root), "${root}")) for line in file.read_text("utf-8").splitlines()]
    said = [line["message"] for line in lines if line["from"] == "client"]
    answers = {line["message"].get("id"): line["message"] for line in lines if _is_answer(line)}
    kept: list[dict[str, Any]] = [{"files": _files(root)}]
    for message in said:
        if "method" not in message or message["method"].startswith("$/"):
            continue  # answers and cancelled requests depend on the time that things took
        if _is_elsewhere(message):
            continue  # the editor's own settings, opened by a person or by the tests: paths of this machine
        if message["method"] == "initialize":
            message["params"] |= {"processId": None}
        kept.append({"say": message})
        if "id" in message:
            kept[-1]["answered"] = bool(answers.get(message["id"], {}).get("result"))
        if message["method"] == "exit":
            break  # what follows is another session, after the editor has loaded its window anew
    return kept


def _is_elsewhere(message: dict[str, Any]) -> bool:
    uri = message.get("params", {}).get("textDocument", {}).get("uri")
    return uri is not None and not uri.startswith("file://${root}/")


def _is_answer(line: dict[str, Any]) -> bool:
    return line["from"] == "server" and "method" not in line["message"]


def _files(root: Path) -> dict[str, str]:
    git = ["git", "-C", str(root)]
    names = subprocess.run([*git, "ls-files"], capture_output=True, text=True, check=True).stdout.split()
    shown = {name: subprocess.run([*git, "show", f"HEAD:{name}"], capture_output=True, check=True) for name in names}
    return {name: done.stdout.decode() for name, done in shown.items()}


def main(arguments: list[str]) -> int:
    """As the module says."""
    if arguments[:1] == ["--neutral"]:
        for line in neutral(Path(arguments[1]), Path(arguments[2])):
            print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
        return 0
    return record(Path(arguments[0]), arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
