"""The wooden table everything lies on, and the light on it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from games.painting.canvas import Canvas
from games.painting.colours import lit
from games.painting.outlines import Curve, outline
from games.painting.space import Plane, Spot, lying

_PLANK = 190
_TURN = 7
_NEAR = 1.2
_STEPS = 40
_PALE = 2
"""Which vein of each board is lighter than the wood."""


def table(canvas: Canvas) -> None:
    """Paint the boards of the table over the whole picture."""
    wood = canvas.either("#d6b07a", "#553d28")
    width, height = canvas.camera.width, canvas.camera.height
    canvas.raw(f'<path d="M0 0H{width}V{height}H0Z" fill="{wood}"/>')
    plane, seen = lying(0, 0, 0, _TURN), list(_border(canvas))
    numbers = [math.floor(y / _PLANK) for _, y in seen]
    for number in range(min(numbers), max(numbers) + 1):
        ends = [x for x, y in seen if abs(y / _PLANK - number - 0.5) <= _NEAR]
        _plank(canvas, plane, number, (min(ends) - 60, max(ends) + 60), wood)


def _border(canvas: Canvas) -> Iterator[tuple[float, float]]:
    """Yield places along the border of the picture, counted along and across the boards of the table."""
    width, height = canvas.camera.width, canvas.camera.height
    cos, sin = math.cos(math.radians(_TURN)), math.sin(math.radians(_TURN))
    for share in range(_STEPS + 1):
        for spot in (
            Spot(0, height * share / _STEPS),
            Spot(width, height * share / _STEPS),
            Spot(width * share / _STEPS, 0),
            Spot(width * share / _STEPS, height),
        ):
            x, y, _ = canvas.camera.on_table(spot)
            yield x * cos + y * sin, y * cos - x * sin


def _plank(canvas: Canvas, plane: Plane, number: int, ends: tuple[float, float], wood: str) -> None:
    left, right = ends
    near, far = number * _PLANK, (number + 1) * _PLANK
    canvas.fill(_strip(left, right, near, far), plane, lit(wood, 0.16 * (_chance(number, 0) - 0.5)))
    for row in range(4):
        y = near + _PLANK * (row + 0.8) / 4.6
        paint = lit(wood, 0.3 if row == _PALE else -0.42)
        canvas.line(
            _vein(left, right, y, number * 10 + row), plane, paint, 0.8 + 2.6 * _chance(row, number), ' opacity=".17"'
        )
    canvas.fill(_strip(left, right, near - 1.6, near + 1.6), plane, lit(wood, -0.62), ' opacity=".5"')
    canvas.fill(_strip(left, right, near + 1.6, near + 3.4), plane, lit(wood, 0.35), ' opacity=".5"')


def _strip(left: float, right: float, near: float, far: float) -> tuple[Curve, ...]:
    return outline(f"M{left:.0f} {-far}H{right:.0f}V{-near}H{left:.0f}Z")


def _vein(left: float, right: float, y: float, seed: int) -> tuple[Curve, ...]:
    """Return one vein along a board, a little wavy."""
    step = 560
    knots = [
        (knot * step + 60.0 * (seed % 5), -(y + 17 * (_chance(seed, knot) - 0.5)))
        for knot in range(math.floor(left / step) - 1, math.ceil(right / step) + 1)
    ]
    drawn = [f"M{knots[0][0]:.0f} {knots[0][1]:.1f}"]
    for (x0, y0), (x1, y1) in pairwise(knots):
        drawn.append(f"C{(x0 + x1) / 2:.0f} {y0:.1f} {(x0 + x1) / 2:.0f} {y1:.1f} {x1:.0f} {y1:.1f}")
    return outline("".join(drawn))


def _chance(one: float, other: float) -> float:
    """Return a number from 0 to 1 that looks random and is always the same."""
    return math.sin(one * 127.1 + other * 311.7) * 43758.5453 % 1


def daylight(canvas: Canvas) -> None:
    """Lay light over the finished picture: it comes from the upper left and leaves the corners quiet."""
    width, height = canvas.camera.width, canvas.camera.height
    glow = canvas.either("#fff4d6", "#ffcf87")
    shade = canvas.either("#3a1c02", "#050302")
    bright, dim = (0.3, 0.34) if not canvas.dark else (0.3, 0.8)
    sun = canvas.share(
        f'<radialGradient id="?" cx=".26" cy=".08" r=".8"><stop stop-color="{glow}" stop-opacity="{bright}"/>'
        f'<stop offset="1" stop-color="{glow}" stop-opacity="0"/></radialGradient>'
    )
    corner = canvas.share(
        f'<radialGradient id="?" cx=".46" cy=".42" r=".78"><stop offset=".45" stop-color="{shade}" stop-opacity="0"/>'
        f'<stop offset="1" stop-color="{shade}" stop-opacity="{dim}"/></radialGradient>'
    )
    for name in (corner, sun):
        canvas.raw(f'<path d="M0 0H{width}V{height}H0Z" fill="url(#{name})"/>')
