"""What nav asks of the outside world: small protocols, all on this page.

Every one of them may be absent; whoever uses one says what it does without it.  An adapter raises only
the errors below, so callers never catch a library's own exceptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    """One vector, shape (dims,), unit length."""
    Vectors = NDArray[np.float32]
    """A matrix of row vectors, shape (n, dims), each of unit length."""


class PortError(Exception):
    """An outside dependency failed.  The message is fit for a user."""


class Unavailable(PortError):
    """It is away or was never there: go on without it, and try again later."""


class Locked(Unavailable):
    """Another process holds it."""


class Corrupt(PortError):
    """What it keeps on disk cannot be read: rebuild it from what it was derived from."""


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def model(self) -> str:
        """Identity of the model, its weights included.  Vectors of two identities never meet."""

    @property
    def dims(self) -> int:
        """Length of every vector."""

    @property
    def max_chars(self) -> int:
        """Characters beyond which the model will not read on, roughly: longer texts may be cut there."""

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found, in their order.  Shape (len(texts), dims)."""

    def query(self, text: str) -> Vector:
        """Vector of a question.  Shape (dims,)."""


class Point(msgspec.Struct, frozen=True):
    """A vector with its filterable payload.  `id` is a UUID in its usual text form."""

    id: str
    vector: Vector
    payload: dict[str, str | list[str]]


class Match(msgspec.Struct, frozen=True):
    """A found point.  `score` is the cosine, -1 to 1."""

    id: str
    score: float


class Condition(msgspec.Struct, frozen=True):
    """The payload's `key` (or one of its values) is among `any_of`; with `negate` none of them is."""

    key: str
    any_of: tuple[str, ...]
    negate: bool = False


class VectorStore(Protocol):
    """Points of one collection, found by cosine.  What `upsert` and `delete` acknowledged survives a crash."""

    def upsert(self, points: Sequence[Point]) -> None:
        """Add points, or replace those with the same id.  All or, after an error, possibly some of them."""

    def delete(self, ids: Sequence[str]) -> None:
        """Remove points; unknown ids are fine."""

    def search(self, vector: Vector, limit: int, where: Sequence[Condition] = ()) -> list[Match]:
        """The nearest points that meet every condition, best first."""

    def ids(self) -> set[str]:
        """The ids of all points."""

    def count(self) -> int:
        """How many points there are."""

    def clear(self) -> None:
        """Remove everything, and start an empty collection."""

    def flush(self) -> None:
        """Write down what reopening would otherwise have to replay.  May take seconds: never in a request."""

    def close(self) -> None:
        """Release files and connections.  Nothing else may be called afterwards."""


class Reranker(Protocol):
    """A cross-encoder: reads a question and a text together."""

    @property
    def model(self) -> str:
        """Identity of the model."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One score a text, higher is better; only their order means something."""


class Rejected(PortError):
    """It will never do this: a wrong key, an unknown model, a request that is too large.  Do not try again."""


class Limited(Unavailable):
    """It has had enough for now, and waiting went on for too long.  `seconds`: when it said to come back; 0: unknown."""

    def __init__(self, message: str, seconds: float = 0.0) -> None:
        super().__init__(message)
        self.seconds = seconds


class Usage(msgspec.Struct, frozen=True):
    """What calls to a language model took, in tokens.

    `input_tokens` were read at the full price, `cached_tokens` came out of the provider's cache, and
    `written_tokens` were put into it.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0

    def plus(self, other: Usage) -> Usage:
        """Both together."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.written_tokens + other.written_tokens,
        )

    @property
    def total(self) -> int:
        """All tokens."""
        return self.input_tokens + self.output_tokens + self.cached_tokens + self.written_tokens


class Turn(msgspec.Struct, frozen=True):
    """One side's words in a conversation.  `role` is "user" or "assistant"."""

    role: str
    text: str


class Request(msgspec.Struct, frozen=True):
    """What a language model is asked.

    `system` and then `shared` are the same for many requests, and a provider may keep them in its cache.  With
    `schema` (JSON Schema) the answer is to be one JSON value that conforms to it; who asks validates it anyway.
    """

    system: str
    turns: tuple[Turn, ...]
    max_tokens: int
    shared: str = ""
    schema: dict[str, object] | None = None


class Completion(msgspec.Struct, frozen=True):
    """What a language model wrote.  `stop` is "end", "length", "refused", or "broken" where the answer broke off."""

    text: str
    usage: Usage = Usage()
    stop: str = "end"
    model: str = ""


class Batch(msgspec.Struct, frozen=True):
    """A batch at the provider: `created` in seconds since the epoch, `done` of its `total` requests are answered."""

    id: str
    created: float
    ended: bool
    done: int
    total: int


class LLM(Protocol):
    """Writes prose.  Only used where the user configured it: the texts leave the machine.

    May be asked from several threads.  Secret-looking literals are taken out of every text that leaves.
    """

    @property
    def models(self) -> tuple[str, ...]:
        """The models that may answer, the wanted one first."""

    def complete(self, request: Request, listen: Callable[[str], None] | None = None) -> Completion:
        """One answer; `listen` gets its text piece by piece as it comes.

        Raises Rejected, Limited, Unavailable.  What broke off after `listen` was told something is returned as it
        is, with `stop` "broken"; everything else that may pass is tried again first.
        """

    def close(self) -> None:
        """Break off all waiting, and release connections."""


class BatchLLM(Protocol):
    """A provider that answers many requests at half the price, within a day."""

    @property
    def model(self) -> str:
        """The model that answers."""

    def submit(self, requests: Mapping[str, Request]) -> Batch:
        """Hand in requests by names of our own (letters, digits, "-", "_").  It is never tried twice: who does not
        get an answer looks for the batch with `recent`."""

    def batch(self, id: str) -> Batch:
        """How far a batch is.  Raises Rejected where there is none of that id (any more)."""

    def recent(self, since: float) -> list[Batch]:
        """Batches that were created after a time, the latest first."""

    def results(self, id: str) -> Iterable[tuple[str, Completion | PortError]]:
        """The answers of a batch that has ended, by the requests' names."""


Progress = Callable[[int, int], None]
"""Called with (done, total)."""


def batches(items: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    """`items` in runs of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
