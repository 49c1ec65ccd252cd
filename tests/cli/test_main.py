"""How `nav` is started, and which face answers."""

import importlib.util
import sys
from pathlib import Path

import pytest

from nav_ls import main
from nav_ls.workspace.embedding import Background

ROOT = Path(__file__).parents[2]


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder has a file that is named like a module of Python's; returns what is there if it was run."""
    ran = tmp_path / "ran"
    (tmp_path / "typing.py").write_text(f"open({str(ran)!r}, 'w').close()\nraise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return ran


def test_the_launcher_runs_no_code_of_the_current_folder(
    trap: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    spec = importlib.util.spec_from_file_location("run", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    launcher = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(launcher)
    monkeypatch.setattr(launcher, "environment", lambda dev: sys.executable)
    assert launcher.main(["nav", "--version"]) == 0
    assert capfd.readouterr().out.startswith("nav ")
    assert not trap.exists()


def test_the_embedding_process_runs_no_code_of_the_current_folder(trap: Path, tmp_path: Path) -> None:
    background = Background(tmp_path / "nowhere")
    background.nudge()
    child = background._child
    assert child is not None
    child.wait(60)
    background.close()
    assert not trap.exists()


@pytest.mark.parametrize(
    "words", [["-C", "DIR", "git-hook", "status"], ["git-hook", "status", "-C", "DIR"], ["--repo=DIR", "hook", "rules"]]
)
def test_options_may_stand_before_every_command(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*(word.replace("DIR", str(tmp_path)) for word in words), *(["--dry-run"] if "rules" in words else [])]
    monkeypatch.setattr(sys, "argv", ["nav", *words])
    try:
        code = main.nav()
    except SystemExit as error:
        code = int(str(error.code))
    assert code in (0, 1)
    assert "unrecognized" not in capsys.readouterr().err
