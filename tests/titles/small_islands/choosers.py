"""Matches for tests, the same every time."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import TypeAlias

from games.engine import playouts, runner
from games.titles.small_islands import GAME
from games.titles.small_islands.state import State

Plays: TypeAlias = tuple[runner.Play[State], ...]


def server_seed(name: str) -> bytes:
    """Return the seed of a match that a test calls by this name."""
    return sha256(name.encode()).digest()


@cache
def random_plays(seats: int, name: str, **options: str) -> Plays:
    """Return the positions of a match played at random, the start first; alone against Alexis by his card "night"."""
    seed = server_seed(name)
    chosen = {"alexis": "night", **options} if seats == 1 else options
    return playouts.random_match(GAME, seats, chosen, seed, playouts.Chooser(seed)).plays
