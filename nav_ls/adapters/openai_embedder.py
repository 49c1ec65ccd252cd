"""An embedder behind an OpenAI-compatible endpoint, over the standard library."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nav_ls.ports import PortError, Unavailable

if TYPE_CHECKING:
    from nav_ls.ports import Vector, Vectors

BATCH = 64
ATTEMPTS = 4


class OpenAIEmbedder:
    """`url` ends before `/embeddings`.  The first text asked for tells how long the vectors are."""

    max_chars = 24_000

    def __init__(
        self,
        url: str,
        name: str,
        key: str = "",
        timeout: float = 30.0,
        *,
        pause: float = 0.5,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`timeout` in seconds for each call; `pause` before the second try, doubled for each more."""
        if not url.startswith(("http://", "https://")):
            raise PortError(f"the embedder's address must start with http:// or https://, not {url!r}")
        self.model = f"openai/{name}"
        self._url, self._name, self._key, self._timeout = url.rstrip("/") + "/embeddings", name, key, timeout
        self._pause, self._sleep = pause, sleep
        self._dims = 0

    @property
    def dims(self) -> int:
        """Length of every vector; asks for one where that isn't known yet."""
        return self._dims or int(self.documents(["x"]).shape[1])

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dims)."""
        import numpy as np

        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            rows += self._asked(list(texts[start : start + BATCH]))
        if not rows:
            return np.zeros((0, self._dims), dtype=np.float32)
        matrix = np.asarray(rows, dtype=np.float32)
        self._dims = matrix.shape[1]
        unit: Vectors = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
        return unit

    def query(self, text: str) -> Vector:
        """Unit vector, shape (dims,)."""
        row: Vector = self.documents([text])[0]
        return row

    def _asked(self, texts: list[str]) -> list[list[float]]:
        body = json.dumps({"model": self._name, "input": [text or " " for text in texts]}).encode()
        for attempt in range(ATTEMPTS):
            try:
                return _vectors(self._post(body), len(texts))
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in (408, 429) and error.code < 500:
                        raise PortError(f"the embedder refused: {error.code} {error.reason}") from None
                    reason = f"{error.code} {error.reason}"
            except (OSError, TimeoutError) as error:
                reason = str(error)
            if attempt + 1 < ATTEMPTS:
                self._sleep(self._pause * 2**attempt)
        raise Unavailable(f"the embedder does not answer: {reason}")

    def _post(self, body: bytes) -> Any:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url, body, headers, method="POST")
        with _OPENER.open(request, timeout=self._timeout) as response:
            try:
                return json.loads(response.read())
            except ValueError as error:
                raise PortError("the embedder's answer is no JSON") from error


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key and the source to somebody else."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


def _vectors(answer: Any, count: int) -> list[list[float]]:
    try:
        rows = sorted(answer["data"], key=lambda row: row["index"])
        vectors = [[float(value) for value in row["embedding"]] for row in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise PortError("the embedder's answer has no embeddings") from error
    if len(vectors) != count or len({len(vector) for vector in vectors}) > 1:
        raise PortError(f"the embedder answered {len(vectors)} vectors to {count} texts")
    return vectors
