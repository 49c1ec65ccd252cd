"""Settings: `nav.toml`, else `[tool.nav]` in pyproject.toml, then the environment.  Nothing below this room reads any."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from nav_ls.text.admit import Limits
from nav_ls.text.errors import ConfigError

PREFIX = "NAV_"
"""NAV_INDEX_WORKERS=2 sets `workers` in the section `index`."""


class IndexSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Section `index`."""

    max_file_bytes: int = 2_000_000
    max_line_bytes: int = 20_000
    parse_seconds: float = 20.0
    worker_memory_bytes: int = 4_000_000_000
    workers: int = 0
    """Worker processes; 0 means one per processor, eight at most."""

    def limits(self) -> Limits:
        """These settings as the index wants them."""
        return Limits(self.max_file_bytes, self.max_line_bytes, self.parse_seconds, self.worker_memory_bytes)


class ServerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Section `server`."""

    idle_minutes: float = 30.0
    """The server ends after so long without clients."""


class HookSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Section `hooks`: what coding agents are told."""

    digest_tokens: int = 8000
    context_tokens: int = 4000
    blocks: int = 5
    """At most so many definitions go with one prompt."""
    threshold: float = 0.0
    """The cosine that the best hit of a prompt needs; 0: the calibrated one of the embedder."""


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
    threads: int = 2
    cache: str = ""
    """Where models are kept; "" for the user's cache folder."""
    background: bool = True
    """Whether the server embeds behind everything else, in a process of low priority."""
    min_unit_bytes: int = 24
    """Smaller definitions and pieces are not searched."""


class QdrantSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Section `qdrant`."""

    url: str = ""
    """A server or cluster; "" keeps vectors in `.nav`, with the same engine in this process."""
    api_key: str = ""
    """Better in the environment, as NAV_QDRANT_API_KEY."""
    timeout_seconds: float = 5.0
    project: str = ""
    """What the collection is named after; "" for the remote's address, else the first commit, else the folder."""


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings."""

    index: IndexSettings = IndexSettings()
    server: ServerSettings = ServerSettings()
    hooks: HookSettings = HookSettings()
    search: SearchSettings = SearchSettings()
    qdrant: QdrantSettings = QdrantSettings()


def load(root: Path, environment: Mapping[str, str] | None = None) -> Config:
    """The settings of a root.  Raises ConfigError, which names the file and the setting."""
    values, origin = _from_files(root)
    _merge_environment(values, os.environ if environment is None else environment)
    try:
        return msgspec.convert(values, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{origin}: {error}") from error


def _from_files(root: Path) -> tuple[dict[str, Any], str]:
    own = root / "nav.toml"
    if own.is_file():
        return _parse(own), str(own)
    project = root / "pyproject.toml"
    tool = _parse(project).get("tool") if project.is_file() else None
    found = tool.get("nav") if isinstance(tool, dict) else None
    if isinstance(found, dict):
        return found, f"{project}: [tool.nav]"
    return {}, "environment"


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        if path.name == "pyproject.toml":
            return {}  # it belongs to others, who will complain about it themselves
        raise ConfigError(f"{path}: {error}") from error


def _merge_environment(values: dict[str, Any], environment: Mapping[str, str]) -> None:
    for section in msgspec.structs.fields(Config):
        for field in msgspec.structs.fields(section.type):
            text = environment.get(f"{PREFIX}{section.name}_{field.name}".upper())
            if text is None:
                continue
            try:
                value = msgspec.convert(text, field.type, strict=False)
            except msgspec.ValidationError as error:
                raise ConfigError(f"{PREFIX}{section.name}_{field.name}".upper() + f": {error}") from error
            below = values.setdefault(section.name, {})
            if isinstance(below, dict):
                below[field.name] = value
