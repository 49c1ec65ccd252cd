"""Vectors on a Qdrant server or cluster (`qdrant-client`), for teams that share an index.

Everything is retried with growing pauses; when the server stays away, `Unavailable` lets search go on
without vectors.  After a failure nothing is tried for a while, so a dead server costs one time-out, not
one per question.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from nav_ls.ports import Condition, Match, Point, PortError, Unavailable

if TYPE_CHECKING:
    from nav_ls.ports import Vector

BATCH = 256
SCROLL = 1_000
REST_SECONDS = 15.0
"""How long a server that failed is left alone."""


class QdrantServer:
    """One collection on a server, made if it isn't there.  `keys` are the payload keys to filter by."""

    def __init__(
        self,
        connect: Callable[[], Any],
        collection: str,
        dims: int,
        keys: Sequence[str] = (),
        *,
        attempts: int = 3,
        pause: float = 0.2,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`connect` makes the client, at the first use.  `pause` seconds before the second try, doubled for each more."""
        self._connect, self._collection, self._dims, self._keys = connect, collection, dims, tuple(keys)
        self._attempts, self._pause, self._clock, self._sleep = attempts, pause, clock, sleep
        self._client: Any = None
        self._rests_until = 0.0

    def upsert(self, points: Sequence[Point]) -> None:
        from qdrant_client import models

        for start in range(0, len(points), BATCH):
            part = [
                models.PointStruct(id=p.id, vector=p.vector.tolist(), payload=dict(p.payload))
                for p in points[start : start + BATCH]
            ]
            self._do(partial(self._upsert, part))

    def delete(self, ids: Sequence[str]) -> None:
        from qdrant_client import models

        if ids:
            selector = models.PointIdsList(points=list(ids))
            self._do(lambda client: client.delete(self._collection, selector, wait=True))

    def search(self, vector: Vector, limit: int, where: Sequence[Condition] = ()) -> list[Match]:
        query = [float(value) for value in vector]
        found = self._do(
            lambda client: client.query_points(
                self._collection, query=query, limit=limit, query_filter=_filter(where), with_payload=False
            )
        )
        return [Match(str(hit.id), float(hit.score)) for hit in found.points]

    def ids(self) -> set[str]:
        found: set[str] = set()
        offset: Any = None
        while True:
            records, offset = self._do(partial(self._scroll, offset))
            found.update(str(record.id) for record in records)
            if offset is None:
                return found

    def count(self) -> int:
        return int(self._do(lambda client: client.count(self._collection, exact=True)).count)

    def clear(self) -> None:
        self._do(lambda client: client.delete_collection(self._collection))
        self._do(self._prepare)

    def flush(self) -> None:
        """The server writes down what it acknowledges."""

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _upsert(self, points: list[Any], client: Any) -> None:
        client.upsert(self._collection, points, wait=True)

    def _scroll(self, offset: Any, client: Any) -> Any:
        return client.scroll(self._collection, limit=SCROLL, offset=offset, with_payload=False, with_vectors=False)

    def _do(self, action: Callable[[Any], Any]) -> Any:
        """`action`'s result.  Unavailable after the last of several tries, or while the server is left alone."""
        if self._clock() < self._rests_until:
            raise Unavailable("the Qdrant server was not reachable a moment ago")
        for attempt in range(self._attempts):
            try:
                return action(self._ready())
            except Exception as error:
                if not _passing(error):
                    raise PortError(f"the Qdrant server refused: {error}") from None
                if attempt + 1 < self._attempts:
                    self._sleep(self._pause * 2**attempt)
                else:
                    self._rests_until = self._clock() + REST_SECONDS
                    raise Unavailable(f"the Qdrant server is not reachable: {error}") from None
        raise AssertionError("at least one attempt is made")

    def _ready(self) -> Any:
        if self._client is None:
            client = self._connect()
            self._prepare(client)
            self._client = client
        return self._client

    def _prepare(self, client: Any) -> None:
        from qdrant_client import models

        if client.collection_exists(self._collection):
            return
        params = models.VectorParams(size=self._dims, distance=models.Distance.COSINE)
        client.create_collection(self._collection, vectors_config=params)
        for key in self._keys:
            client.create_payload_index(self._collection, key, field_schema=models.PayloadSchemaType.KEYWORD)


def connector(url: str, api_key: str | None = None, timeout: float = 5.0) -> Callable[[], Any]:
    """A `connect` for `QdrantServer`.  TLS where the url says https; `timeout` in seconds, for each call."""

    def connect() -> Any:
        from qdrant_client import QdrantClient

        return QdrantClient(url=url, api_key=api_key, timeout=max(1, round(timeout)), check_compatibility=False)

    return connect


def _passing(error: Exception) -> bool:
    """Whether trying again may help: no answer, or the server says that it is overloaded."""
    from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

    if isinstance(error, UnexpectedResponse):
        return error.status_code in (408, 429) or (error.status_code or 0) >= 500
    return isinstance(error, ResponseHandlingException | ConnectionError | TimeoutError)


def _filter(where: Sequence[Condition]) -> Any:
    from qdrant_client import models

    if not where:
        return None
    fields = [(c, models.FieldCondition(key=c.key, match=models.MatchAny(any=list(c.any_of)))) for c in where]
    return models.Filter(
        must=[field for c, field in fields if not c.negate], must_not=[field for c, field in fields if c.negate]
    )
