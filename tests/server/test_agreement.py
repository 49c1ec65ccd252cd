"""The benchmark that holds nav against a language server, with nav's own server in that part."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVER = f'{sys.executable} -c "import sys; from nav_ls.main import nav_ls; sys.exit(nav_ls())" --standalone'
FILES = {
    "shapes.py": """
class Shape:
    def __init__(self, sides): self.sides = sides
    def area(self): return len(self.sides)

def total(shapes: list[Shape]) -> int:
    return sum(shape.area() for shape in shapes)
""",
    "use.py": """
from shapes import Shape, total

def use(unknown, callback):
    print("\N{GRINNING FACE}", total([Shape([1]), Shape([2])]))
    unknown.area()
    callback()
""",
}


def report(root: Path, server: str) -> str:
    """What the benchmark prints."""
    command = [sys.executable, "-m", "benchmarks.agreement", root, "--server", server, "--language", "python"]
    return subprocess.check_output([*map(str, command)], text=True, cwd=ROOT)


def test_nav_agrees_with_itself(make_repo: Callable[[dict[str, str]], Path]) -> None:
    # Of nine calls, total, Shape (twice) and shape.area lead to a definition.
    assert report(make_repo(FILES), SERVER).startswith(
        "9 calls asked: same 4, other 0, missed 0 (possible 0), outside 0 (invented 0), silent 5\n"
    )


def test_what_another_server_says_is_told_apart(make_repo: Callable[[dict[str, str]], Path], tmp_path: Path) -> None:
    """A server for which all calls lead to the first line of one file: `class Shape`."""
    root = make_repo(FILES | {"shapes.py": FILES["shapes.py"].lstrip()})
    server = tmp_path / "server.py"
    server.write_text(
        f"""
import sys
from nav_ls.client.framing import Frames, frame, parse
frames = Frames()
while data := sys.stdin.buffer.read1(65536):
    for message in map(parse, frames.feed(data)):
        if "id" not in message: continue
        place = {{"uri": {(root / "shapes.py").as_uri()!r}, "range": {{"start": {{"line": 0, "character": 0}}}}}}
        result = place if message["method"] == "textDocument/definition" else None
        sys.stdout.buffer.write(frame({{"jsonrpc": "2.0", "id": message["id"], "result": result}}))
        sys.stdout.buffer.flush()
"""
    )
    said = report(root, f"{sys.executable} {server}")
    assert said.startswith("9 calls asked: same 3, other 1, missed 5 (possible 1), outside 0 (invented 0), silent 0\n")
    assert "other: use.py:5 in use: total" in said
    assert "nav     shapes.py:5 total" in said
    assert "server  shapes.py:1 Shape" in said
