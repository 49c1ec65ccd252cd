"""What nav asks of the outside world: small protocols, all on this page.

Every one of them may be absent; whoever uses one says what it does without it.  An adapter raises only
the errors below, so callers never catch a library's own exceptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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


class Usage(msgspec.Struct, frozen=True):
    """What a call to a language model cost, in tokens."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


class Completion(msgspec.Struct, frozen=True):
    """What a language model wrote.  `stop` is "end", "length" or "refused"."""

    text: str
    usage: Usage = Usage()
    stop: str = "end"


class LLM(Protocol):
    """Writes prose.  Only used where the user configured it: the texts leave the machine."""

    @property
    def model(self) -> str:
        """Identity of the model."""

    def complete(
        self, system: str, prompt: str, *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Completion:
        """One answer.  With `schema` (JSON Schema) the text is JSON that conforms to it.

        `system` is the same for many calls and may be cached by the provider.
        """


Progress = Callable[[int, int], None]
"""Called with (done, total)."""


def batches(items: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    """`items` in runs of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
