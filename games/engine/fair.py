"""Chance and secret choices that anybody can verify afterwards, in any programming language.

The contract, where `00` is one zero byte and `||` joins bytes::

    server_seed   32 bytes, made when the match is created, never shown while it runs
    commit        SHA256("tessera-commit-v1" 00 server_seed), shown from the start
    nonce[k]      what the browser of the k-th to sit down (from 0) added after seeing the commit, empty where nothing
    final_seed    SHA256("tessera-seed-v1" 00 server_seed || for each k ascending: u16be(k) u16be(length) nonce[k])
    seats         where their order is drawn: p = shuffle(0..n-1) with the label "0:seats"; seat s belongs to the
                  p[s]-th to sit down. Where it is not drawn k is the seat
    stream(label) block i = HMAC-SHA256(final_seed, label 00 u64be(i)), read as eight big-endian u32
    below(n)      reject x >= 2^32 - (2^32 mod n), else x mod n
    shuffle(a)    for i = len-1 .. 1: j = below(i+1); swap a[i], a[j]
    label         "<action number>:<purpose>", e.g. "0:tiles", "17:reshuffle"

Chance depends on the seeds, the number of the action and the purpose alone, never on the order of requests.

An action chosen in secret is sealed at once, which proves that nobody changed it after seeing another's::

    seal          SHA256("tessera-seal-v1" 00 commit 00 turn 00 seat 00 text 00 salt)

with the commitment of the match in lower-case hex, `turn` (the number of the action that ended the previous turn, 0 in
the first) and `seat` in decimal, the action in canonical notation and 16 random bytes of salt.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from struct import Struct
from typing import Any, TypeVar

T = TypeVar("T")

SERVER_SEED_BYTES = 32
LONGEST_NONCE = 65_535
SEATS_LABEL = "0:seats"
"""Names the draw of the seats, which belongs to the match: no game may ask for it."""

_WORDS = 2**32
_BLOCK = Struct(">8I")
_INDEX = Struct(">Q")
_NONCE_HEAD = Struct(">HH")


class ChanceError(RuntimeError):
    """A game asked for chance in an invalid way: a mistake in its rules, never in what a player did."""


def commitment(server_seed: bytes) -> str:
    """Return what is shown before the match, in lower-case hex, and binds the server to its seed.

    Raises:
        ValueError: the seed is not 32 bytes long.

    >>> commitment(bytes(range(32)))
    '687fccbe1682747a8c45dc54adfbfb75cb9d93ad6489317c8c554251e011fb2d'
    """
    _check_server_seed(server_seed)
    return sha256(b"tessera-commit-v1\0" + server_seed).hexdigest()


def final_seed(server_seed: bytes, nonces: Sequence[bytes]) -> bytes:
    """Return the 32 bytes that all chance of a match comes from.

    Args:
        server_seed: the 32 bytes the server committed itself to.
        nonces: what each player's browser added after seeing the commitment, in the order of sitting down; empty
            where it added nothing.

    Raises:
        ValueError: the seed is not 32 bytes long, or a nonce is longer than 65,535.

    >>> final_seed(bytes(range(32)), [b"alice", b"bob"]).hex()
    'c19b7bc318ec76217131807966d3eff641c31452fa5a62186188d23391a64ad3'
    """
    _check_server_seed(server_seed)
    text = b"tessera-seed-v1\0" + server_seed
    for k, nonce in enumerate(nonces):
        if len(nonce) > LONGEST_NONCE:
            raise ValueError(f"Nonce {k} has {len(nonce)} bytes, {LONGEST_NONCE} are the most.")
        text += _NONCE_HEAD.pack(k, len(nonce)) + nonce
    return sha256(text).digest()


def order_of_seats(final_seed: bytes, seats: int) -> tuple[int, ...]:
    """Return who sits where when seats are drawn: for each seat, when its player sat down (from 0).

    >>> order_of_seats(final_seed(bytes(range(32)), [b"alice", b"bob"]), 5)
    (3, 0, 2, 1, 4)
    """
    return Stream(final_seed, SEATS_LABEL).shuffle(range(seats))


class Stream:
    """The endless sequence of numbers that belongs to one label.

    >>> seed = final_seed(bytes(range(32)), [b"alice", b"bob"])
    >>> Stream(seed, "0:deck").u32()
    31791483
    >>> Stream(seed, "0:deck").shuffle(range(10))
    (6, 0, 8, 1, 5, 9, 4, 7, 2, 3)
    """

    __slots__ = ("_block", "_prefix", "_ready", "_seed", "label")

    def __init__(self, final_seed: bytes, label: str) -> None:
        self.label = label
        self._seed = final_seed
        self._prefix = label.encode() + b"\0"
        self._block = 0
        self._ready: list[int] = []

    def u32(self) -> int:
        """Return the next number from 0 to 2^32 - 1."""
        if not self._ready:
            block = hmac.digest(self._seed, self._prefix + _INDEX.pack(self._block), "sha256")
            self._block += 1
            self._ready.extend(reversed(_BLOCK.unpack(block)))
        return self._ready.pop()

    def below(self, n: int) -> int:
        """Return the next number from 0 to n - 1, every one equally likely.

        Raises:
            ValueError: n is below 1 or above 2^32.
        """
        if not 1 <= n <= _WORDS:
            raise ValueError(f"Cannot draw below {n}.")
        limit = _WORDS - _WORDS % n
        while (x := self.u32()) >= limit:
            pass
        return x % n

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a random order, every order equally likely."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)


@dataclass(frozen=True, slots=True)
class Draw:
    """One question to chance and its answer, in a form that any program can repeat.

    Args:
        label: "<action number>:<purpose>", which names the stream.
        kind: "shuffle" of `n` things, or "below": numbers from 0 to `n` - 1.
        n: see `kind`.
        result: the order of the things by their index before, or the numbers drawn.
        values: the things in their new order, or the numbers again.
    """

    label: str
    kind: str
    n: int
    result: tuple[int, ...]
    values: tuple[Any, ...]


class FairChance:
    """The chance of one action of a match, as a game may ask for it (`games.engine.protocol.Chance`).

    Every purpose has its own stream, from its beginning, so the order of questions plays no part. Asking for the
    same purpose twice within one action would draw the same numbers twice and is refused as a mistake of the rules.

    Args:
        final_seed: see `final_seed`.
        number: the number of the action, 0 for the start of the match.

    >>> seed = final_seed(bytes(range(32)), [b"alice", b"bob"])
    >>> chance = FairChance(seed, 0)
    >>> chance.used
    False
    >>> chance.shuffle("deck", range(10))
    (6, 0, 8, 1, 5, 9, 4, 7, 2, 3)
    >>> chance.used, chance.labels
    (True, ('0:deck',))
    """

    __slots__ = ("_draws", "_final_seed", "_number")

    def __init__(self, final_seed: bytes, number: int) -> None:
        self._final_seed = final_seed
        self._number = number
        self._draws: list[Draw] = []

    @property
    def used(self) -> bool:
        """Whether anything was drawn."""
        return bool(self._draws)

    @property
    def draws(self) -> tuple[Draw, ...]:
        """Every draw, in the order of asking."""
        return tuple(self._draws)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels drawn from, in the order of asking."""
        return tuple(draw.label for draw in self._draws)

    def below(self, purpose: str, n: int) -> int:
        """Return one number from 0 to n - 1.

        Raises:
            ChanceError: this purpose was asked for before, or is the reserved "seats" at the start.
            ValueError: n is below 1 or above 2^32.
        """
        return self.many_below(purpose, n, 1)[0]

    def many_below(self, purpose: str, n: int, count: int) -> tuple[int, ...]:
        """Return `count` numbers from 0 to n - 1, one after the other from one stream; errors as for `below`."""
        stream = self._stream(purpose)
        numbers = tuple(stream.below(n) for _ in range(count))
        self._draws.append(Draw(stream.label, "below", n, numbers, numbers))
        return numbers

    def shuffle(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a random order; errors as for `below`."""
        stream = self._stream(purpose)
        order = stream.shuffle(range(len(items)))  # which order does not depend on what they are
        shuffled = tuple(items[index] for index in order)
        self._draws.append(Draw(stream.label, "shuffle", len(items), order, shuffled))
        return shuffled

    def _stream(self, purpose: str) -> Stream:
        label = f"{self._number}:{purpose}"
        if label == SEATS_LABEL:
            raise ChanceError(f"“{label}” is the draw of the seats and belongs to the match.")
        if label in self.labels:
            raise ChanceError(f"“{label}” was drawn twice.")
        return Stream(self._final_seed, label)


def _check_server_seed(server_seed: bytes) -> None:
    if len(server_seed) != SERVER_SEED_BYTES:
        raise ValueError(f"A server seed has 32 bytes, this one {len(server_seed)}.")


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
