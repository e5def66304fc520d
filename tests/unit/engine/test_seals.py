"""Seals: what they are made of, as anybody can make them again."""

from __future__ import annotations

from hashlib import sha256

import pytest

from games.engine.fair import SALT_BYTES, seal

COMMIT = "ab" * 32


def test_a_seal_is_the_hash_of_the_contract() -> None:
    told = b"tessera-seal-v1\0" + COMMIT.encode() + b"\x0012\x001\0play bP1l gK5w\0" + bytes(range(16))
    assert seal(COMMIT, 12, 1, "play bP1l gK5w", bytes(range(16))) == sha256(told).hexdigest()


@pytest.mark.parametrize("length", [0, SALT_BYTES - 1, SALT_BYTES + 1, 2 * SALT_BYTES])
def test_a_salt_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"A salt has 16 bytes, this one {length}"):
        seal(COMMIT, 0, 0, "pick 1", bytes(length))
