"""Proof that nobody changed a secret action after seeing another's: it is sealed as soon as it is chosen.

The contract, where `00` is one zero byte, so that anybody can check a seal in any language::

    seal   SHA256("tessera-seal-v1" 00 commit 00 turn 00 seat 00 text 00 salt)

with the commitment of the match in lower-case hex, `turn` (the number of the action that ended the previous turn, 0 in
the first) and `seat` in decimal, the action in canonical notation and 16 random bytes of salt.
"""

from __future__ import annotations

from hashlib import sha256

SALT_BYTES = 16
"""Of the random salt: without it anybody could try all texts."""


def seal(commit: str, turn: int, seat: int, text: str, salt: bytes) -> str:
    """Return the seal of an action, in lower-case hex.

    Raises:
        ValueError: the salt is not 16 bytes long.

    >>> seal("687fccbe1682747a8c45dc54adfbfb75cb9d93ad6489317c8c554251e011fb2d", 0, 1, "play bP1l gK5w", bytes(16))
    '7a994c7f882534a594a9ea439837a3952bfe022c1d58b801bc1419d46b91480d'
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"A salt has {SALT_BYTES} bytes, this one {len(salt)}.")
    parts = (b"tessera-seal-v1", commit.encode(), b"%d" % turn, b"%d" % seat, text.encode(), salt)
    return sha256(b"\0".join(parts)).hexdigest()
