"""The chart of each seat's chances: drawn on the server, styled by classes, so that it follows the theme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 26
_MOST_POINTS = 240


@dataclass(frozen=True, slots=True)
class Curve:
    """The chances of one seat: a path, and where it ends."""

    seat: int
    path: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment that mattered: its number in the list, the action it is about, and where it is drawn."""

    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """What the template draws: all coordinates within WIDTH x HEIGHT."""

    curves: Sequence[Curve]
    marks: Sequence[Mark]
    levels: Sequence[tuple[str, float]]
    last: int

    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    below: int = HEIGHT - 6


def chart_of(chances: Sequence[Sequence[float]], moments: Sequence[tuple[int, int]]) -> Chart:
    """Return the chart of a match.

    Args:
        chances: after each action those of every seat.
        moments: the action and the seat of each moment, in the order of their numbers.
    """
    last = len(chances) - 1
    every = -(-len(chances) // _MOST_POINTS)
    kept = [number for number in range(last + 1) if (last - number) % every == 0]
    curves = [
        _curve(seat, [(_x(number, last), _y(chances[number][seat])) for number in kept]) for seat in _seats(chances)
    ]
    marks = [
        Mark(place, _x(number, last), _y(chances[number][seat]))
        for place, (number, seat) in enumerate(moments, start=1)
    ]
    levels = [(f"{level}", _y(level / 100)) for level in (0, 25, 50, 75, 100)]
    return Chart(curves, marks, levels, last)


def _seats(chances: Sequence[Sequence[float]]) -> range:
    return range(len(chances[0]))


def _curve(seat: int, points: Sequence[tuple[float, float]]) -> Curve:
    path = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
    return Curve(seat, path, *points[-1])


def _x(number: int, last: int) -> float:
    return round(LEFT + number / max(1, last) * (WIDTH - LEFT - RIGHT), 1)


def _y(chance: float) -> float:
    return round(HEIGHT - BOTTOM - chance * (HEIGHT - BOTTOM - TOP), 1)
