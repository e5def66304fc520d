"""The scene for a game without art of its own, and for the site: plain wooden pieces and a card."""

from __future__ import annotations

from games.painting.canvas import Canvas, points
from games.painting.outlines import circle, moved, outline, square
from games.painting.space import Camera, Plane, Vector, lying, standing, tilted
from games.painting.things import cut_out, slab

_HALF, _HEIGHT, _TURN = 47, 34, 18
_WOODS = ("#c49a62", "#8f6238", "#e3c793")


def camera(kind: str, width: int, height: int) -> Camera:
    """Return where the scene is seen from in a picture of a kind."""
    zoom = {"banner": 1.5, "card": 1.9, "icon": 0.82, "social": 2.1}[kind]
    return Camera(Vector(0, 0, 30), 1000, 42, 0, width, height, zoom)


def paint(canvas: Canvas, kind: str) -> None:
    """Paint the scene."""
    for x, y, wood in ((-62, 66, 0), (52, 30, 2), (-28, -46, 1)):
        _stone(canvas, lying(x, y, 0, _TURN), _WOODS[wood])
    _stone(canvas, tilted(lying(98, -66, 56, _TURN - 14), -8), "#0b655d")
    if kind != "icon":
        _pawn(canvas, -190, -20, "#b4342b")
        _pawn(canvas, 232, 40, "#1d4f9f")


def _stone(canvas: Canvas, base: Plane, wood: str) -> None:
    edge = square(_HALF, 14)
    canvas.shadow(points(edge, base.raised(_HEIGHT)), soft=4 + base.origin.z / 12, strength=0.45)
    top = slab(canvas, edge, base, _HEIGHT, wood, soft=5, inset=square(_HALF - 4, 11))
    canvas.line(square(_HALF - 11, 8), top, "#000", 1.2, ' opacity=".12"')


def _pawn(canvas: Canvas, x: float, y: float, colour: str) -> None:
    body = moved(outline("M-30 0C-30 -14 -14 -22 -11 -50H11C14 -22 30 -14 30 0Z"), 0, 0, 1.2)
    head = circle(0, -74, 25)
    plane = standing(x, y, 0, _TURN)
    for part in (body, head):
        canvas.shadow_of(part, plane, 0, 5, 0.42)
    for part in (body, head):
        cut_out(canvas, part, plane, thick=24, front=colour, side=colour)
