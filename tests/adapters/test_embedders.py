from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers

from nav_ls.adapters.fastembed_models import FastEmbed, FastReranker
from nav_ls.adapters.openai_embedder import OpenAIEmbedder
from nav_ls.ports import PortError, Unavailable


class Endpoint(HTTPServer):
    """Answers like an OpenAI-compatible server; `script` are the statuses of the first answers."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[int] = []
        self.seen: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.answer: bytes | None = None


class Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append(body)
        self.server.keys.append(self.headers.get("Authorization"))
        status = self.server.script.pop(0) if self.server.script else 200
        rows = [{"index": i, "embedding": [float(len(text)), 1.0, 0.0]} for i, text in enumerate(body["input"])]
        answer = self.server.answer or json.dumps({"data": rows[::-1]}).encode()
        self.send_response(status)
        if status in (301, 302):
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def embedder(endpoint: Endpoint, pauses: list[float]) -> OpenAIEmbedder:
    return OpenAIEmbedder(f"http://127.0.0.1:{endpoint.server_port}/v1", "m", "secret", 5.0, sleep=pauses.append)


def test_vectors_come_back_in_order_and_of_unit_length(endpoint: Endpoint) -> None:
    made = embedder(endpoint, [])
    vectors = made.documents([f"{'x' * n}" for n in range(1, 101)])
    assert vectors.shape == (100, 3)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.allclose(vectors[:, 0] / vectors[:, 1], range(1, 101), rtol=1e-4)
    assert made.dims == 3
    assert [len(body["input"]) for body in endpoint.seen] == [64, 36]
    assert set(endpoint.keys) == {"Bearer secret"}


def test_passing_failures_are_tried_again(endpoint: Endpoint) -> None:
    pauses: list[float] = []
    endpoint.script = [429, 503]
    assert embedder(endpoint, pauses).query("abc").shape == (3,)
    assert pauses == [0.5, 1.0]


def test_lasting_failures_are_told(endpoint: Endpoint) -> None:
    endpoint.script = [500] * 10
    with pytest.raises(Unavailable, match="500"):
        embedder(endpoint, []).query("abc")
    endpoint.script = [401]
    with pytest.raises(PortError, match="401"):
        embedder(endpoint, []).query("abc")


@pytest.mark.parametrize("answer", [b"<html>", b"{}", b'{"data": []}', b'{"data": [{"index": 0, "embedding": "x"}]}'])
def test_answers_that_make_no_sense_are_errors(endpoint: Endpoint, answer: bytes) -> None:
    endpoint.answer = answer
    with pytest.raises(PortError):
        embedder(endpoint, []).query("abc")


def test_the_key_is_not_carried_elsewhere(endpoint: Endpoint) -> None:
    endpoint.script = [302]
    with pytest.raises(PortError):
        embedder(endpoint, []).query("abc")


def test_only_http() -> None:
    with pytest.raises(PortError, match="http"):
        OpenAIEmbedder("file:///etc/passwd", "m")


def test_a_model_that_is_not_there_fails_at_once(tmp_path: Path) -> None:
    started = time.monotonic()
    with pytest.raises(Unavailable, match=r"search\.download"):
        FastEmbed("BAAI/bge-small-en-v1.5", tmp_path)
    assert time.monotonic() - started < 10
    with pytest.raises(Unavailable):
        FastReranker("Xenova/ms-marco-MiniLM-L-6-v2", tmp_path)


def test_a_local_cross_encoder_reranks(tmp_path: Path) -> None:
    _tiny_cross_encoder(tmp_path)
    reranker = FastReranker(str(tmp_path), tmp_path / "cache")
    scores = reranker.scores("alpha", ["beta beta", "alpha", "beta alpha alpha alpha"])
    assert len(scores) == 3
    assert scores[2] > scores[1] > scores[0]


def _tiny_cross_encoder(folder: Path) -> None:
    """A model whose score is the number of tokens `alpha`, and the tokenizer that goes with it."""
    words = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "alpha": 4, "beta": 5}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 64, "pad_token": "[PAD]"}))
    (folder / "special_tokens_map.json").write_text(json.dumps({"pad_token": "[PAD]", "unk_token": "[UNK]"}))
    names = ("input_ids", "attention_mask")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in names]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
    nodes = [
        helper.make_node("Equal", ["input_ids", "alpha"], ["is_alpha"]),
        helper.make_node("Cast", ["is_alpha"], ["as_float"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["as_float", "axis"], ["logits"], keepdims=1),
    ]
    constants = [
        numpy_helper.from_array(np.array(4, dtype=np.int64), "alpha"),
        numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
    ]
    graph = helper.make_graph(nodes, "counts", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
