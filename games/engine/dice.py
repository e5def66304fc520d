"""Chance for imagined play: what bots, hints, reviews and puzzles draw from when they suppose what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from games.engine.protocol import Chance

_WORDS, _WORD = 4, 1 << 32


class Dice:
    """A `Chance` for imagined play, never for a match: quick, and the same seed gives the same answers.

    It can be asked for a purpose again and again.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311  # imagined play needs no secrecy

    def below(self, purpose: str, n: int) -> int:
        return int(self._random.random() * n)

    def many_below(self, purpose: str, n: int, count: int) -> tuple[int, ...]:
        return tuple(int(self._random.random() * n) for _ in range(count))

    def shuffle(self, purpose: str, items: Sequence[Any]) -> tuple[Any, ...]:
        order = list(items)
        self._random.shuffle(order)
        return tuple(order)

    def fraction(self) -> float:
        """Return a number from 0 up to 1."""
        return self._random.random()


def dice_from(chance: Chance) -> Dice:
    """Return dice seeded by a chance, which is asked once, for "dice"."""
    seed = 0
    for word in chance.many_below("dice", _WORD, _WORDS):
        seed = seed * _WORD + word
    return Dice(seed)
