"""Settings: the user's own, over them the repository's `nav.toml` (or `[tool.nav]` in pyproject.toml), over them the
environment.  Nothing below this room reads any."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, get_origin

import msgspec

from nav_ls.text.admit import Limits
from nav_ls.text.errors import ConfigError

PREFIX = "NAV_"
"""NAV_INDEX_WORKERS=2 sets `workers` in the section `index`."""


PERSONAL = (
    ("server", "awake"),
    ("search", "embedder_url"),
    ("search", "embedder_key"),
    ("search", "download"),
    ("search", "cache"),
    ("qdrant", "url"),
    ("qdrant", "api_key"),
    ("llm", "url"),
    ("llm", "key"),
    ("llm", "models"),
    ("llm", "ask_models"),
    ("llm", "prices"),
    ("llm", "budget"),
    ("llm", "budget_tokens"),
)
"""Where text may be sent, what it may cost, what may be written outside of `.nav`, and what all repositories share: one
that was just cloned does not decide that.  These count in the user's own settings, in the environment, and in
repositories that the user trusts."""


# What is out of these ranges is refused: a repository that was just cloned asks for no thousand processes.
_Number = Annotated[int, msgspec.Meta(ge=0, le=256)]
_Positive = Annotated[int, msgspec.Meta(ge=1, le=256)]
_Bytes = Annotated[int, msgspec.Meta(ge=0, le=64_000_000_000)]
_Tokens = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
_Total = Annotated[int, msgspec.Meta(ge=0)]
_Seconds = Annotated[float, msgspec.Meta(ge=0.1, le=3_600.0)]
_Minutes = Annotated[float, msgspec.Meta(ge=0.0, le=525_600.0)]
_Money = Annotated[float, msgspec.Meta(ge=0.0)]


class IndexSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Section `index`."""

    max_file_bytes: _Bytes = 2_000_000
    """Larger files are left out."""
    max_line_bytes: _Bytes = 20_000
    """So are files that consist mostly of longer lines: minified code."""
    parse_seconds: _Seconds = 20.0
    """A file that takes longer on the processor is given up."""
    worker_memory_bytes: _Bytes = 4_000_000_000
    """A worker process that takes more is ended, and the file that it had is given up."""
    workers: _Number = 0
    """Worker processes; 0 means one per processor, eight at most."""

    def limits(self) -> Limits:
        """These settings as the index wants them."""
        return Limits(self.max_file_bytes, self.max_line_bytes, self.parse_seconds, self.worker_memory_bytes)


class ServerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Section `server`."""

    idle_minutes: _Minutes = 30.0
    """The server ends after so long without clients."""
    awake: _Positive = 8
    """So many repositories are ready at a time; the others sleep, without processes and open files, until they are
    asked."""
    sleep_minutes: _Minutes = 30.0
    """A repository that nobody has asked for so long sleeps, too."""


class HookSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Section `hooks`: what coding agents are told."""

    digest_tokens: _Tokens = 8000
    """How long the map at the start of a session may be."""
    context_tokens: _Tokens = 4000
    """How long what goes with a prompt may be."""
    blocks: _Number = 4
    """At most so many definitions go with one prompt."""
    threshold: float = 0.0
    """The relevance that the best hit of a prompt needs; 0: what was calibrated with the offline embedder."""


class SearchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Section `search`."""

    embedder: str = "minilm"
    """`minilm` (offline), `none`, the name of a fastembed model, or that of a model behind `embedder_url`."""
    embedder_url: str = ""
    """An OpenAI-compatible endpoint, up to and with `/v1`.  Source text leaves the machine when it is set."""
    embedder_key: str = ""
    """Its API key; better in the environment, as NAV_SEARCH_EMBEDDER_KEY."""
    reranker: str = ""
    """The name of a fastembed cross-encoder, or a folder with its ONNX model; "" for none."""
    download: bool = False
    """Whether models may be fetched from the network."""
    threads: _Positive = 2
    """Threads of the model that makes vectors."""
    cache: str = ""
    """Where models are kept; "" for the user's cache folder."""
    background: bool = True
    """Whether the server embeds behind everything else, in a process of low priority."""
    min_unit_bytes: _Bytes = 24
    """Smaller definitions and pieces are not searched."""


class QdrantSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Section `qdrant`."""

    url: str = ""
    """A server or cluster; "" keeps vectors in `.nav`, with the same engine in this process."""
    api_key: str = ""
    """Better in the environment, as NAV_QDRANT_API_KEY."""
    timeout_seconds: _Seconds = 5.0
    """How long a request may take."""
    project: str = ""
    """What the collection is named after; "" for the remote's address, else the first commit, else the folder."""


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model takes for a million tokens, in US dollars.

    `cache_min`: a shared beginning with fewer tokens than that is not cached.
    """

    input: float
    output: float
    cache_read: float
    cache_write: float
    cache_min: int = 1024


LIST_PRICES = {
    "claude-haiku-5-5": Price(0.10, 0.50, 0.01, 0.125, 4096),
    "claude-haiku-4-5": Price(1.0, 5.0, 0.10, 1.25, 4096),
    "claude-sonnet-5-5": Price(2.0, 10.0, 0.10, 2.5),
    "claude-sonnet-5": Price(2.0, 10.0, 0.20, 2.5),
    "claude-sonnet-4-6": Price(3.0, 15.0, 0.30, 3.75),
    "claude-sonnet-4-5": Price(3.0, 15.0, 0.30, 3.75),
    "claude-opus-5-5": Price(4.0, 20.0, 0.20, 5.0),
    "claude-opus-5": Price(5.0, 25.0, 0.50, 6.25),
}
"""List prices of November 2026, for prompts of up to 100,000 tokens; `llm.prices` comes before them."""


class LLMSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Section `llm`: who writes prose, and what that may cost.  Source text leaves the machine when there is a key."""

    url: str = ""
    """An endpoint that speaks Anthropic's Messages API, without `/v1`; "" for Anthropic's own."""
    key: str = ""
    """Its API key; better in the environment, as NAV_API_KEY or ANTHROPIC_API_KEY."""
    models: tuple[str, ...] = ("claude-haiku-5-5",)
    """Who describes definitions; the next one is asked where one has had enough."""
    ask_models: tuple[str, ...] = ("claude-sonnet-5-5",)
    """Who answers questions."""
    prices: dict[str, Price] = {}
    """By model; over the list prices."""
    budget: _Money = 5.0
    """US dollars that one run may cost."""
    budget_tokens: _Total = 0
    """Tokens that one run may take; 0 for no limit."""
    concurrency: _Positive = 4
    """Requests at a time."""
    retries: _Number = 5
    """How often a request is made again after a failure that may pass."""
    timeout_seconds: _Seconds = 180.0
    """How long one answer may take from its first byte to its last."""
    patience_seconds: _Seconds = 300.0
    """How long to wait, at most, when the provider says when to come back."""

    @property
    def configured(self) -> bool:
        """Whether there is anybody to ask.  An endpoint of one's own may do without a key."""
        return bool(self.url or self.key)

    def price(self, model: str) -> Price | None:
        """What a model costs, a dated release as the model of its name; None where that is not known."""
        name = re.sub(r"-\d{8}$", "", model)
        return self.prices.get(model) or self.prices.get(name) or LIST_PRICES.get(name)


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings."""

    index: IndexSettings = IndexSettings()
    server: ServerSettings = ServerSettings()
    hooks: HookSettings = HookSettings()
    search: SearchSettings = SearchSettings()
    qdrant: QdrantSettings = QdrantSettings()
    llm: LLMSettings = LLMSettings()
    ignored: tuple[str, ...] = ()
    """What the repository's settings say and may not decide."""


def load(root: Path, environment: Mapping[str, str] | None = None) -> Config:
    """The settings of a root.  Raises ConfigError, which names the file and the setting."""
    environment = os.environ if environment is None else environment
    own, mine = _from_user(environment)
    theirs, origin = _from_repository(root)
    trusted = any(Path(path).expanduser() == root for path in own.pop("trusted", ()))
    ignored = () if trusted else tuple(_take_personal(theirs, origin))
    _convert(own, mine)
    _convert(theirs, origin)
    merged = _merged(own, theirs)
    _merge_environment(merged, environment)
    _merge_usual_names(merged, environment)
    return msgspec.structs.replace(_convert(merged, "environment"), ignored=ignored)


def user_file(environment: Mapping[str, str]) -> Path | None:
    """Where a user's own settings are, for all repositories; None where there is no home."""
    base = environment.get("XDG_CONFIG_HOME") or environment.get("APPDATA")
    home = environment.get("HOME")
    if not base and not home:
        return None
    return (Path(base) if base else Path(str(home)) / ".config") / "nav" / "nav.toml"


def _convert(values: Mapping[str, Any], origin: str) -> Config:
    if "ignored" in values:
        raise ConfigError(f"{origin}: there is no setting `ignored`")
    try:
        return msgspec.convert(values, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{origin}: {error}") from error


def _from_user(environment: Mapping[str, str]) -> tuple[dict[str, Any], str]:
    path = user_file(environment)
    if path is None or not path.is_file():
        return {}, "environment"
    values = _parse(path)
    if not isinstance(values.get("trusted", []), list):
        raise ConfigError(f"{path}: `trusted` must be a list of folders")
    return values, str(path)


def _from_repository(root: Path) -> tuple[dict[str, Any], str]:
    own = root / "nav.toml"
    if own.is_file():
        return _parse(own), str(own)
    project = root / "pyproject.toml"
    tool = _parse(project).get("tool") if project.is_file() else None
    found = tool.get("nav") if isinstance(tool, dict) else None
    if isinstance(found, dict):
        return found, f"{project}: [tool.nav]"
    return {}, "environment"


def _take_personal(values: dict[str, Any], origin: str) -> Iterator[str]:
    """Take out what a repository may not decide; tells each."""
    for section, name in PERSONAL:
        below = values.get(section)
        if isinstance(below, dict) and name in below:
            del below[name]
            yield f"{origin} sets {section}.{name}, which only you may: put it into your own settings"


def _merged(own: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    """The repository's settings over the user's, section by section."""
    return {section: {**own.get(section, {}), **theirs.get(section, {})} for section in own.keys() | theirs.keys()}


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        if path.name == "pyproject.toml":
            return {}  # it belongs to others, who will complain about it themselves
        raise ConfigError(f"{path}: {error}") from error


def _sections() -> list[msgspec.structs.FieldInfo]:
    return [field for field in msgspec.structs.fields(Config) if isinstance(field.default, msgspec.Struct)]


def _merge_environment(values: dict[str, Any], environment: Mapping[str, str]) -> None:
    for section in _sections():
        for field in msgspec.structs.fields(section.type):
            text = environment.get(f"{PREFIX}{section.name}_{field.name}".upper())
            if text is None:
                continue
            try:
                value = msgspec.convert(_listed(text, field.type), field.type, strict=False)
            except msgspec.ValidationError as error:
                raise ConfigError(f"{PREFIX}{section.name}_{field.name}".upper() + f": {error}") from error
            below = values.setdefault(section.name, {})
            if isinstance(below, dict):
                below[field.name] = value


def _listed(text: str, kind: Any) -> str | list[str]:
    """Lists are written with commas."""
    return [part.strip() for part in text.split(",") if part.strip()] if get_origin(kind) is tuple else text


def _merge_usual_names(values: dict[str, Any], environment: Mapping[str, str]) -> None:
    """The names by which everybody calls these: NAV_API_KEY, NAV_MODEL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL."""
    llm = values.setdefault("llm", {})
    if not isinstance(llm, dict):
        return  # refused with everything else that is of the wrong kind
    if environment.get("NAV_MODEL"):
        llm["ask_models"] = [environment["NAV_MODEL"]]
    if environment.get("NAV_API_KEY"):
        llm["key"] = environment["NAV_API_KEY"]
    if not llm.get("url"):
        # The key for Anthropic's endpoint goes nowhere else than where the same environment sends it.
        llm["url"] = environment.get("ANTHROPIC_BASE_URL", "")
        llm["key"] = llm.get("key") or environment.get("ANTHROPIC_API_KEY", "")
