"""Facts are found whole under their own key, or not at all."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from nav_ls.store import facts
from nav_ls.store.facts import FactStore

ONE, OTHER = b"1" * 16, b"2" * 16


def test_facts_of_another_key_are_not_taken_for_these(tmp_path: Path) -> None:
    with closing(FactStore.writable(tmp_path / facts.NAME)) as store:
        store.add([(ONE, facts.pack(ONE, b"summary"), facts.pack(ONE, b"facts"))])
        store.add([(OTHER, facts.pack(ONE, b"summary"), facts.pack(ONE, b"facts"))])
        assert (store.summary(ONE), store.get(ONE)) == (b"summary", b"facts")
        assert (store.summary(OTHER), store.get(OTHER)) == (None, None)


def test_every_flipped_bit_is_noticed() -> None:
    packed = facts.pack(ONE, b"facts of a file " * 20)
    for place in range(len(packed)):
        damaged = bytearray(packed)
        damaged[place] ^= 1 << (place % 8)
        assert facts.unpack(ONE, bytes(damaged)) is None
