"""Packed keys are found by any way of looking for them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nav_ls.text.hashes import key_hash, pack_keys, touched


@given(st.sets(st.text(max_size=3), max_size=40), st.sets(st.text(max_size=3), max_size=40))
def test_packed_keys_touch_what_they_share(keys: set[str], changed: set[str]) -> None:
    packed = pack_keys(keys)
    nothing = pack_keys([])
    assert touched({1: packed, 2: nothing}, {key_hash(key) for key in changed}) == ({1} if keys & changed else set())


def test_a_key_across_the_border_of_two_others_is_none() -> None:
    packed = pack_keys(["a", "b"])
    between = int.from_bytes(packed[3:11], "little", signed=True)
    assert not touched({1: packed}, {between})
