"""The scene for a game without art of its own, and for the site: the stones of its sign, and two pawns."""

from __future__ import annotations

from games.painting.canvas import Canvas, points
from games.painting.geometry import Camera, Plane, Vector, circle, lying, moved, outline, square, tilted, upright
from games.painting.things import cut_out, slab, turned

_HALF, _HEIGHT, _TURN = 50, 34, 12
_WOOD, _GREEN = "#8f5f33", "#0e776d"
_CLOSE = ("icon", "app")


def camera(kind: str, width: int, height: int) -> Camera:
    """Return where the scene is seen from in a picture of a kind."""
    zoom = {"banner": 1.3, "card": 1.4, "icon": 0.8, "app": 1.4, "social": 1.75}[kind]
    pitch = 58 if kind in _CLOSE else 44
    return Camera(Vector(10, 10, 20), 1000, pitch, 0, width, height, zoom)


def paint(canvas: Canvas, kind: str) -> None:
    """Paint the scene."""
    if kind not in _CLOSE:
        _pawn(canvas, -196, 34, "#b4342b")
        _pawn(canvas, 216, 66, "#1d4f9f")
    for x, y in ((-54, 54), (-54, -58), (58, -58)):
        _stone(canvas, lying(*turned(x, y, _TURN), 0, _TURN), _WOOD)
    _stone(canvas, tilted(lying(*turned(66, 62, _TURN), 40, _TURN - 18), -7), _GREEN)


def _stone(canvas: Canvas, base: Plane, wood: str) -> None:
    edge = square(_HALF, 14)
    canvas.shadow(points(edge, base.raised(_HEIGHT)), soft=4 + base.origin.z / 12, strength=0.45)
    top = slab(canvas, edge, base, _HEIGHT, wood, soft=5, inset=square(_HALF - 4, 11))
    canvas.line(square(_HALF - 11, 8), top, "#000", 1.2, ' opacity=".12"')


def _pawn(canvas: Canvas, x: float, y: float, colour: str) -> None:
    body = moved(outline("M-30 0C-30 -14 -14 -22 -11 -50H11C14 -22 30 -14 30 0Z"), 0, 0, 1.2)
    head = circle(0, -74, 25)
    plane = upright(x, y, 0, _TURN)
    for part in (body, head):
        canvas.shadow_of(part, plane, 0, 5, 0.42)
    for part in (body, head):
        cut_out(canvas, part, plane, thick=24, front=colour, side=colour, steps=8)
