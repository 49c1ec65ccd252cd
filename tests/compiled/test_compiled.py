"""What `run.py compile` makes says of every case what the code says from which it was made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("cases", "syntax", "graph")
PATCHED = "tests/graph/test_circles.py"
"""Puts a method of its own into a class, which compiled classes don't allow."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"),
]


@pytest.fixture(scope="module")
def python() -> Path:
    """The interpreter of an environment with nav compiled: in the cache of `run.py`, if the code is still the same."""
    done = subprocess.run(
        [sys.executable, "-P", ROOT / "run.py", "compile"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def test_the_doctor_says_so(python: Path, tmp_path: Path) -> None:
    done = subprocess.check_output([python, "-P", "-m", "nav_ls.main", "doctor"], text=True, cwd=tmp_path)
    assert "code: compiled\n" in done


def test_compiled_code_passes_the_tests_of_its_rooms(python: Path, tmp_path: Path) -> None:
    # Away from the clone, whose code would be found first; by the interpreter of these tests, which has pytest.
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    where = "import sysconfig; print(sysconfig.get_path('platlib'))"
    compiled = subprocess.check_output([python, "-c", where], text=True, cwd=tmp_path).strip()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-q", "-m", "not slow", "--deselect", PATCHED]
        + [f"tests/{room}" for room in ROOMS],
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": compiled},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
