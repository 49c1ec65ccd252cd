"""Facts as a linker asks for them, read from the store when they are first needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from nav_ls.graph.model import Summary, summarize
from nav_ls.store.facts import FactStore, unpack
from nav_ls.syntax import facts as syntax_facts
from nav_ls.syntax.facts import FileFacts
from nav_ls.text.errors import LostFactsError

_SUMMARY = msgspec.msgpack.Decoder(Summary)


class StoreSource:
    """The files of one view.  Implements `graph.model.FactSource`.

    `code` and `manifests` map paths to the keys of their facts or texts.  Decoded facts are not kept here: the
    linker keeps what it needs.
    """

    def __init__(self, name: str, store: FactStore, code: Mapping[str, bytes], manifests: Mapping[str, bytes]) -> None:
        self.name = name
        self._store = store
        self._code = dict(code)
        self._manifests = dict(manifests)
        self._summaries: dict[bytes, bytes] | None = None
        self._laid: dict[str, FileFacts] = {}

    def paths(self) -> Iterable[str]:
        """Every path, manifests included."""
        return sorted([*self._code, *self._manifests])

    def facts(self, path: str) -> FileFacts | None:
        """The facts of a file of code, None for everything else.  Raises LostFactsError."""
        laid = self._laid.get(path)
        if laid is not None:
            return laid
        key = self._code.get(path)
        return syntax_facts.decode(self._stored(path, self._store.get(key))) if key is not None else None

    def summary(self, path: str) -> Summary | None:
        """The summary of a file of code, None for everything else.  Raises LostFactsError."""
        laid = self._laid.get(path)
        if laid is not None:
            return summarize(laid)
        key = self._code.get(path)
        return _SUMMARY.decode(self._stored(path, self._stored_summary(key))) if key is not None else None

    def text(self, path: str) -> bytes | None:
        """The text of a manifest, None for everything else.  Raises LostFactsError."""
        key = self._manifests.get(path)
        return self._stored(path, self._store.get(key)) if key is not None else None

    def _stored(self, path: str, found: bytes | None) -> bytes:
        """What the store has; to go on without it would make wrong links."""
        if found is None:
            raise LostFactsError(f"the facts of {path} are missing or damaged")
        return found

    def _stored_summary(self, key: bytes) -> bytes | None:
        if self._summaries is None:
            self._summaries = self._store.summaries()
        packed = self._summaries.get(key)
        return unpack(key, packed) if packed is not None else self._store.summary(key)

    def forget_summaries(self) -> None:
        """Release the memory that loading all summaries took: from now on they are read one by one."""
        self._summaries = {}

    def lay(self, path: str, facts: FileFacts) -> None:
        """Facts of an unsaved buffer, in the place of those of its file until `lift`."""
        self._laid[path] = facts

    def lift(self, path: str) -> None:
        """The buffer no longer counts."""
        self._laid.pop(path, None)

    def put(self, path: str, key: bytes, *, manifest: bool = False) -> None:
        """A file has other facts (or another text) from now on; they are in the store."""
        self.drop(path)
        (self._manifests if manifest else self._code)[path] = key

    def drop(self, path: str) -> None:
        """A file is gone."""
        self._code.pop(path, None)
        self._manifests.pop(path, None)
