"""Things that lie or stand on the table: slabs with soft edges, sheets of card, cut-out figures."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from games.painting.canvas import Canvas, Seen, closed, points
from games.painting.colours import lit
from games.painting.outlines import Curve, rings
from games.painting.space import LIGHT, Plane

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
        for light, run in groupby(_edges(plane, ring), key=itemgetter(0)):
            strips[light] += _strip(canvas, plane, face, [ends for _, ends in run])
    for light, found in sorted(strips.items()):
        paint = lit(side, light)
        canvas.path(found, paint, f' stroke="{paint}" stroke-width=".6"')
    canvas.fill(drawn, face, front, more)
    return face


def _edges(plane: Plane, ring: list[Pair]) -> Iterator[tuple[float, tuple[Pair, Pair]]]:
    for ends in zip(ring, [*ring[1:], ring[0]], strict=True):
        if math.dist(*ends) > 0.01:  # noqa: PLR2004  an outline may end where it began
            yield _light_on(plane, *ends), ends


def _light_on(plane: Plane, a: Pair, b: Pair) -> float:
    """Return how light the side between two points of the outline is, in steps."""
    along = plane.at(*b).plus(plane.at(*a), -1)
    return round(-along.cross(plane.normal).unit().dot(LIGHT) * 3) / 9 - 0.08


def _strip(canvas: Canvas, back: Plane, front: Plane, ends: Sequence[tuple[Pair, Pair]]) -> list[Seen]:
    """Return a run of edges, as deep as the figure."""
    line = [ends[0][0], *(end for _, end in ends)]
    places = [*(back.at(*pair) for pair in line), *(front.at(*pair) for pair in reversed(line))]
    return closed([canvas.camera.see(place) for place in places])


def turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    """Return a place turned around the origin, anticlockwise."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return x * cos - y * sin, x * sin + y * cos
