from pathlib import Path

import pytest

from nav_ls.config.settings import Config, load
from nav_ls.text.errors import ConfigError


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home")}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    return root


def own(tmp_path: Path, text: str) -> None:
    path = tmp_path / "home" / ".config" / "nav" / "nav.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)


def test_without_any_settings(root: Path, environment: dict[str, str]) -> None:
    assert load(root, environment) == Config()
    assert load(root, {}) == Config()


def test_the_repository_comes_before_the_user_and_the_environment_before_both(
    root: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    own(tmp_path, "[index]\nworkers = 1\nmax_file_bytes = 10\nmax_line_bytes = 7\n")
    (root / "nav.toml").write_text("[index]\nworkers = 2\nmax_file_bytes = 20\n")
    found = load(root, environment | {"NAV_INDEX_WORKERS": "3"}).index
    assert (found.workers, found.max_file_bytes, found.max_line_bytes) == (3, 20, 7)


def test_pyproject_counts_where_there_is_no_file_of_our_own(root: Path, environment: dict[str, str]) -> None:
    (root / "pyproject.toml").write_text("[tool.nav.index]\nworkers = 4\n")
    assert load(root, environment).index.workers == 4
    (root / "nav.toml").write_text("")
    assert load(root, environment).index.workers == 0


def test_a_broken_pyproject_is_not_our_business(root: Path, environment: dict[str, str]) -> None:
    (root / "pyproject.toml").write_text("[[[")
    assert load(root, environment) == Config()


def test_a_repository_does_not_decide_where_text_goes(root: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    (root / "nav.toml").write_text("[qdrant]\nurl = 'http://evil.example'\nproject = 'x'\n[search]\ndownload = true\n")
    found = load(root, environment)
    assert (found.qdrant.url, found.qdrant.project, found.search.download) == ("", "x", False)
    assert [text.partition(" sets ")[2].partition(",")[0] for text in found.ignored] == [
        "search.download",
        "qdrant.url",
    ]
    own(tmp_path, f"trusted = ['{root}']\n")
    assert load(root, environment).qdrant.url == "http://evil.example"


def test_a_user_decides_for_all_repositories(root: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    own(tmp_path, "[qdrant]\nurl = 'http://mine.example'\n")
    assert load(root, environment).qdrant.url == "http://mine.example"


@pytest.mark.parametrize(
    "text",
    [
        "[index]\nworkers = 'many'\n",
        "[index]\nwrokers = 1\n",
        "[indexes]\n",
        "workers",
        "ignored = ['x']\n",
        "index = 3\n",
    ],
)
def test_wrong_settings_name_their_file(root: Path, environment: dict[str, str], text: str) -> None:
    (root / "nav.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"nav\.toml"):
        load(root, environment)


def test_wrong_environment_names_its_variable(root: Path, environment: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="NAV_INDEX_WORKERS"):
        load(root, environment | {"NAV_INDEX_WORKERS": "many"})


def test_trust_must_be_a_list(root: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    own(tmp_path, "trusted = true\n")
    with pytest.raises(ConfigError, match="trusted"):
        load(root, environment)
