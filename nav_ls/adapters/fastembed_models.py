"""Any embedding model or cross-encoder that fastembed knows, by name.

Without leave to download, a model that isn't in the cache fails at once: fastembed itself would try the
network for half a minute first.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nav_ls.ports import PortError, Unavailable

if TYPE_CHECKING:
    from nav_ls.ports import Vector, Vectors

BATCH = 8
"""fastembed's own default of 256 takes gigabytes on code."""
PAIRS = 8


class FastEmbed:
    """An embedding model of fastembed's list, loaded when it is made."""

    max_chars = 8192

    def __init__(self, name: str, cache: Path, threads: int = 2, *, download: bool = False) -> None:
        self.model = f"fastembed/{name}"
        self._inner: Any = _load("TextEmbedding", name, cache, threads, download)
        self.dims = len(self._vectors(["x"])[0])

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dims)."""
        import numpy as np

        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        out = np.zeros((len(texts), self.dims), dtype=np.float32)
        if order:
            out[order] = self._vectors([texts[i] for i in order])
        return out

    def query(self, text: str) -> Vector:
        """Unit vector, shape (dims,)."""
        row: Vector = _unit(list(self._inner.query_embed(text)))[0]
        return row

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        return _unit(list(self._inner.embed(list(texts), batch_size=BATCH)))


class FastReranker:
    """A cross-encoder: of fastembed's list by name, or from a local folder (model.onnx and tokenizer files)."""

    def __init__(self, name: str, cache: Path, threads: int = 2, *, download: bool = False) -> None:
        self.model = f"fastembed/{name}"
        self._inner: Any = _load("TextCrossEncoder", name, cache, threads, download)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score a text; only their order means something."""
        try:
            return [float(score) for score in self._inner.rerank(question, list(texts), batch_size=PAIRS)]
        except Exception as error:
            raise PortError(f"the reranker failed: {error}") from error


def _load(kind: str, name: str, cache: Path, threads: int, download: bool) -> Any:
    options: dict[str, Any] = {"cache_dir": str(cache), "threads": threads, "local_files_only": not download}
    folder = Path(name)
    try:
        if kind == "TextEmbedding":
            from fastembed import TextEmbedding

            return TextEmbedding(name, **options)
        from fastembed.rerank.cross_encoder import TextCrossEncoder

        if folder.is_dir():
            return TextCrossEncoder(_registered(folder), specific_model_path=str(folder), **options)
        return TextCrossEncoder(name, **options)
    except Exception as error:
        hint = "" if download else " (downloads are off: set search.download)"
        raise Unavailable(f"the model {name!r} cannot be loaded{hint}: {error}") from error


def _registered(folder: Path) -> str:
    """The name under which fastembed knows a local cross-encoder; it only takes models from its list."""
    from fastembed.common.model_description import ModelSource
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    name = f"local/{folder.resolve()}"
    if name not in {row["model"] for row in TextCrossEncoder.list_supported_models()}:
        TextCrossEncoder.add_custom_model(name, sources=ModelSource(hf=name), model_file="model.onnx")
    return name


def _unit(rows: Sequence[Any]) -> Vectors:
    import numpy as np

    matrix = np.asarray(rows, dtype=np.float32)
    unit: Vectors = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    return unit
