from pathlib import Path

import pytest

from nav_ls.config.settings import LIST_PRICES, Config, LLMSettings, Price, load
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
        "[index]\nworkers = -1\n",
        "[index]\nworkers = 100000\n",
        "[index]\nmax_file_bytes = 999999999999999999999\n",
        "[index]\nparse_seconds = inf\n",
        "[search]\nthreads = 0\n",
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


def test_a_repository_does_not_decide_who_writes_prose_nor_what_that_costs(
    root: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    (root / "nav.toml").write_text(
        "[llm]\nurl = 'http://evil.example'\nkey = 'k'\nmodels = ['dear']\nask_models = ['dear']\nbudget = 9999.0\n"
        "budget_tokens = 1\nconcurrency = 2\n[llm.prices.dear]\ninput = 0\noutput = 0\ncache_read = 0\ncache_write = 0\n"
    )
    found = load(root, environment)
    assert found.llm == LLMSettings(concurrency=2)
    assert len(found.ignored) == 7
    own(tmp_path, "[llm]\nkey = 'mine'\nmodels = ['a', 'b']\n")
    found = load(root, environment)
    assert (found.llm.key, found.llm.url, found.llm.models) == ("mine", "", ("a", "b"))


def test_keys_have_their_usual_names(root: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    anthropic = {"ANTHROPIC_API_KEY": "theirs"}
    assert not load(root, environment).llm.configured
    found = load(root, environment | anthropic).llm
    assert (found.key, found.url, found.configured) == ("theirs", "", True)
    found = load(root, environment | anthropic | {"ANTHROPIC_BASE_URL": "http://proxy.example"}).llm
    assert (found.key, found.url) == ("theirs", "http://proxy.example")
    assert load(root, environment | anthropic | {"NAV_API_KEY": "ours"}).llm.key == "ours"
    assert load(root, environment | {"NAV_MODEL": "claude-x"}).llm.ask_models == ("claude-x",)
    assert load(root, environment | {"NAV_LLM_MODELS": "a, b"}).llm.models == ("a", "b")


def test_a_key_for_one_endpoint_does_not_go_to_another(root: Path, environment: dict[str, str]) -> None:
    found = load(root, environment | {"ANTHROPIC_API_KEY": "theirs", "NAV_LLM_URL": "http://localhost:11434"}).llm
    assert (found.key, found.url, found.configured) == ("", "http://localhost:11434", True)


def test_a_dated_release_costs_what_its_model_costs() -> None:
    mine = LLMSettings(prices={"claude-haiku-5-5": Price(1, 2, 3, 4)})
    assert mine.price("claude-haiku-5-5-20261007") == Price(1, 2, 3, 4)
    assert LLMSettings().price("claude-sonnet-5-5-20260901") == LIST_PRICES["claude-sonnet-5-5"]
    assert LLMSettings().price("claude-sonnet-5-20260901") == LIST_PRICES["claude-sonnet-5"]
    assert LLMSettings().price("qwen3-coder") is None
