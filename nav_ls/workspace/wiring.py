"""Which adapter stands behind each port, from the settings.  Nothing is loaded until it is asked for."""

from __future__ import annotations

import logging
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nav_ls.config.settings import Config
from nav_ls.index.collection import KEYS, collection_name
from nav_ls.ports import Corrupt, Embedder, Reranker, Unavailable, VectorStore
from nav_ls.store.layout import Layout
from nav_ls.text import git
from nav_ls.text.errors import NotConfiguredError

if TYPE_CHECKING:
    from nav_ls.adapters.anthropic_llm import AnthropicLLM

log = logging.getLogger(__name__)

OFFLINE = "minilm"
NONE = "none"
HOW_TO = (
    "this needs a language model, and none is configured: set ANTHROPIC_API_KEY (or NAV_API_KEY) in the environment, or "
    '[llm] key = "..." in your own settings (~/.config/nav/nav.toml); for a model on your machine set NAV_LLM_URL '
    "(Ollama: http://localhost:11434) and llm.models. Everything else works without"
)
VECTORS = "vectors"
"""The folder of embedded collections in `.nav`."""


def embedder(config: Config, threads: int = 0) -> Embedder:
    """The configured embedder; raises Unavailable where there is none or it cannot be loaded.

    `threads` of 0 means as many as configured.
    """
    settings = config.search
    threads = threads or settings.threads
    if settings.embedder == NONE:
        raise Unavailable("no embedder is configured")
    if settings.embedder_url:
        from nav_ls.adapters.openai_embedder import OpenAIEmbedder

        return OpenAIEmbedder(settings.embedder_url, settings.embedder, settings.embedder_key)
    if settings.embedder == OFFLINE:
        from nav_ls.adapters.minilm import MiniLM

        return MiniLM(threads, model_cache(config))
    from nav_ls.adapters.fastembed_models import FastEmbed

    return FastEmbed(settings.embedder, model_cache(config), threads, download=settings.download)


def reranker(config: Config) -> Reranker | None:
    """The configured reranker, None where none is configured."""
    settings = config.search
    if not settings.reranker:
        return None
    from nav_ls.adapters.fastembed_models import FastReranker

    return FastReranker(settings.reranker, model_cache(config), settings.threads, download=settings.download)


def llm(config: Config, models: tuple[str, ...]) -> AnthropicLLM:
    """Who writes prose.  Raises NotConfiguredError where nobody does, Rejected where there is no model."""
    settings = config.llm
    if not settings.configured:
        raise NotConfiguredError(HOW_TO)
    from nav_ls.adapters.anthropic_llm import AnthropicLLM, Limits

    limits = Limits(settings.retries, settings.timeout_seconds, settings.patience_seconds)
    return AnthropicLLM(settings.url, settings.key, models, limits)


def vector_store(config: Config, layout: Layout, model: str, dims: int) -> VectorStore:
    """The store of this project's vectors of one model.

    An embedded collection that is corrupt is begun anew.  Raises Locked where another process holds it.
    """
    name = collection_name(project_of(config, layout), model)
    if config.qdrant.url:
        from nav_ls.adapters.qdrant_server import QdrantServer, connector

        connect = connector(config.qdrant.url, config.qdrant.api_key or None, config.qdrant.timeout_seconds)
        return QdrantServer(connect, name, dims, KEYS)
    from nav_ls.adapters.qdrant_edge import QdrantEdge

    folder = layout.folder / VECTORS / name
    try:
        return QdrantEdge(folder, dims, KEYS)
    except Corrupt as error:
        log.warning("%s; it is made again from the stored vectors", error)
        return QdrantEdge(folder, dims, KEYS, anew=True)


def drop_collections(config: Config, layout: Layout, models: set[str]) -> None:
    """Remove embedded collections of models that no branch uses."""
    from nav_ls.adapters.qdrant_edge import discard

    folder = layout.folder / VECTORS
    kept = {collection_name(project_of(config, layout), model) for model in models}
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.is_dir() and path.name not in kept:
            discard(path)


def project_of(config: Config, layout: Layout) -> str:
    """What names the project: the same for every checkout of it, another one for every other project."""
    if config.qdrant.project:
        return config.qdrant.project
    if not config.qdrant.url or layout.repository is None:
        return str(layout.folder)
    if remote := _remote(layout.repository):
        return remote
    first = git.run(layout.repository, "rev-list", "--max-parents=0", "HEAD")
    roots = sorted(first.split()) if first else []
    return roots[0].decode() if roots else str(layout.folder)


def names_of(layout: Layout) -> frozenset[str]:
    """What the project may be called, in lower case: like its folder, or like the repository that it was cloned from."""
    if layout.repository is None:
        return frozenset({layout.root.name.lower()})
    remote = _remote(layout.repository)
    return frozenset({git.main_root(layout.repository).name.lower(), re.split("[/:]", remote)[-1].lower()} - {""})


def _remote(repository: git.Repository) -> str:
    """The address that a repository was cloned from, "" if it wasn't."""
    found = git.run(repository, "config", "--get", "remote.origin.url") or b""
    return found.strip().decode("utf-8", "surrogateescape").removesuffix(".git").rstrip("/")


def model_cache(config: Config) -> Path:
    """The folder in which models are kept: one for all repositories."""
    if config.search.cache:
        return Path(config.search.cache).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "nav" / "models"


def leaves_machine(config: Config) -> list[str]:
    """Where source text or vectors may be sent, as configured."""
    found = []
    if config.search.embedder_url and config.search.embedder != NONE:
        found.append(f"the embedder at {config.search.embedder_url}")
    if config.llm.configured:
        found.append(f"the language model at {config.llm.url or 'api.anthropic.com'} (only `nav enrich` and `nav ask`)")
    if config.qdrant.url:
        found.append(f"Qdrant at {config.qdrant.url} (vectors, kinds and layers; no source text)")
    return found
