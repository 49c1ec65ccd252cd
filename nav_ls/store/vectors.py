"""Vectors by the text that they are of: shared by all branches, and kept when everything else is built anew.

Stored as little-endian half precision: half the bytes, and a cosine changes in the fourth decimal only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from nav_ls.store.content import VECTORS, Part


class VectorCache(Part):
    """Vectors by (hash of the text, model), as bytes of half-precision floats."""

    def identity(self) -> bytes:
        """Another one for every file that was made anew."""
        return self._content.identity()

    def get(self, hashes: Iterable[bytes], model: str) -> dict[bytes, bytes]:
        """The vectors of these texts, as far as there are any."""
        found = self._content.get(VECTORS, ((text, model) for text in hashes))
        return {bytes(text): data for (text, _), data in found.items() if isinstance(text, bytes)}

    def known(self, model: str) -> set[bytes]:
        """Which texts have a vector."""
        return {key[0] for key in self._content.keys(VECTORS) if key[1] == model and isinstance(key[0], bytes)}

    def put(self, vectors: Mapping[bytes, bytes], model: str) -> None:
        """Keep vectors; they are safe when this returns."""
        self._content.put(VECTORS, {(text, model): data for text, data in vectors.items()})

    def keep_only(self, hashes: Collection[bytes], models: Collection[str]) -> int:
        """Drop the vectors of all other texts and models; returns how many were dropped."""
        where = "text_hash NOT IN (SELECT value FROM kept_texts) OR model NOT IN (SELECT value FROM kept_models)"
        return self._content.drop(VECTORS, where, {"kept_texts": hashes, "kept_models": models})
