"""The chart of a review: the chances of all seats over the match, with what mattered marked on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.review.judge import WHOLE, Chances

WIDTH, HEIGHT = 640, 300
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
    """A moment that mattered: its number in the list, its name in addresses, and where it is drawn."""

    number: int
    last: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The chances of all seats, with all coordinates within WIDTH x HEIGHT.

    Args:
        curves, marks: what is drawn.
        levels: pairs of a label and its height.
        last: the number of the last action that is judged; there may be no chances for it yet.
    """

    curves: Sequence[Curve]
    marks: Sequence[Mark]
    levels: Sequence[tuple[str, float]]
    last: int

    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM
    below: int = HEIGHT - 6


def chart_of(
    chances: Sequence[Chances], ends: Sequence[int], last: int, moments: Sequence[tuple[int, int, int, int]]
) -> Chart:
    """Return the chart of a match.

    Within a turn chances go up and down with what it still needs: a line joins those after whole turns.

    Args:
        chances: those of every seat, after each action that has been judged so far.
        ends: the numbers of the actions that ended a turn, in their order.
        last: the number of the last action to be judged.
        moments: of each the number in the list, its name, the action after which it shows, and the seat.
    """
    newest = len(chances) - 1
    turns = [0, *(number for number in ends if 0 < number < newest), newest] if newest else [0]
    kept = turns[:: -(-len(turns) // _MOST_POINTS)]
    if kept[-1] != newest:
        kept.append(newest)
    curves = []
    for seat in range(len(chances[0])):
        points = [(_x(number, last), _y(chances[number][seat])) for number in kept]
        curves.append(Curve(seat, "M" + " L".join(f"{x:g} {y:g}" for x, y in points), *points[-1]))
    marks = [Mark(place, name, _x(at, last), _y(chances[at][seat])) for place, name, at, seat in moments]
    levels = [(f"{level}", _y(level * WHOLE // 100)) for level in (0, 25, 50, 75, 100)]
    return Chart(curves, marks, levels, last)


def _x(number: int, last: int) -> float:
    return round(LEFT + number / max(1, last) * (WIDTH - LEFT - RIGHT), 1)


def _y(chance: int) -> float:
    return round(HEIGHT - BOTTOM - chance / WHOLE * (HEIGHT - BOTTOM - TOP), 1)
