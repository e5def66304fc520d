"""The wooden table and what lies or stands on it: slabs with soft edges, sheets of card, cut-out figures."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

from games.painting.canvas import Canvas, Seen, closed, lit, points
from games.painting.geometry import LIGHT, Curve, Plane, Spot, lying, outline, rings

Pair = tuple[float, float]


def slab(
    canvas: Canvas,
    drawn: Sequence[Curve],
    plane: Plane,
    height: float,
    colour: str,
    *,
    soft: float = 0,
    inset: Sequence[Curve] = (),
    more: str = "",
) -> Plane:
    """Paint something with a convex outline that lies; return the plane on its top.

    Args:
        drawn: its outline.
        plane: what it lies on.
        height: how high it is.
        soft: how much of the height its rounded edge takes.
        inset: the outline of its flat top, when the edge is rounded.
        more: attributes of the top.
    """
    top, edge = plane.raised(height), plane.raised(height - soft)
    low, high = points(drawn, plane), points(drawn, edge)
    canvas.around([*low, *high], canvas.gradient(lit(colour, -0.22), lit(colour, -0.5), along=(0, 0, 0.3, 1)))
    if soft:
        slope = canvas.gradient(lit(colour, 0.55), lit(colour, 0.08), lit(colour, -0.3), along=(0, 0, 0.75, 1))
        canvas.around([*high, *points(inset, top)], slope)
    face = canvas.gradient(lit(colour, 0.2), colour, lit(colour, -0.1), along=(0, 0, 0.6, 1))
    canvas.fill(inset or drawn, top, face, more)
    return top


def cut_out(
    canvas: Canvas,
    drawn: Sequence[Curve],
    plane: Plane,
    *,
    thick: float,
    front: str,
    side: str,
    more: str = "",
    steps: int = 2,
) -> Plane:
    """Paint a figure sawn from a board, which stands on its plane; return the plane of its front.

    Args:
        thick: how thick the board is.
        front, side: their paints; the side is a colour.
        more: attributes of the front.
        steps: into how many a curve of the outline is cut for the side.
    """
    face = plane.raised(thick)
    strips: dict[float, list[Seen]] = defaultdict(list)
    for ring in rings(drawn, steps):
        for light, run in groupby(_lit_edges(plane, ring), key=itemgetter(0)):
            edges = [ends for _, ends in run]
            line = [edges[0][0], *(end for _, end in edges)]
            places = [*(plane.at(*pair) for pair in line), *(face.at(*pair) for pair in reversed(line))]
            strips[light] += closed([canvas.camera.see(place) for place in places])
    for light, found in sorted(strips.items()):
        paint = lit(side, light)
        canvas.path(found, paint, f' stroke="{paint}" stroke-width=".6"')
    canvas.fill(drawn, face, front, more)
    return face


def _lit_edges(plane: Plane, ring: list[Pair]) -> Iterator[tuple[float, tuple[Pair, Pair]]]:
    """Yield how light the side of each edge of an outline is, in steps, and the ends of the edge."""
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        if math.dist(a, b) > 0.01:  # noqa: PLR2004  an outline may end where it began
            along = plane.at(*b).plus(plane.at(*a), -1)
            yield round(-along.cross(plane.normal).unit().dot(LIGHT) * 3) / 9 - 0.08, (a, b)


def turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    """Return a place turned around the origin, anticlockwise."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return x * cos - y * sin, x * sin + y * cos


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
    canvas.fill(_stretch(left, right, near, far), plane, lit(wood, 0.16 * (_chance(number, 0) - 0.5)))
    for row in range(4):
        y = near + _PLANK * (row + 0.8) / 4.6
        paint = lit(wood, 0.3 if row == _PALE else -0.42)
        canvas.line(
            _vein(left, right, y, number * 10 + row), plane, paint, 0.8 + 2.6 * _chance(row, number), ' opacity=".17"'
        )
    canvas.fill(_stretch(left, right, near - 1.6, near + 1.6), plane, lit(wood, -0.62), ' opacity=".5"')
    canvas.fill(_stretch(left, right, near + 1.6, near + 3.4), plane, lit(wood, 0.35), ' opacity=".5"')


def _stretch(left: float, right: float, near: float, far: float) -> tuple[Curve, ...]:
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
    """Lay light over the finished picture: bright from the upper left, darker in the corners."""
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
