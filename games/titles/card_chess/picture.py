"""The picture of the game: figures rise from the squares of cards in three columns."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from re import finditer

from games.painting.canvas import Canvas, lit, points
from games.painting.geometry import Camera, Curve, Plane, Vector, box, lying, moved, outline, upright
from games.painting.things import cut_out, slab, turned

_DRAWN = Path(__file__).parent / "templates" / "card_chess"
_BLUE, _GREEN = "#1d4f9f", "#1f7a49"
_SQUARES = {"l": ("#ecd9b4", "#cfb27c"), "d": ("#a0744a", "#7d5530"), "w": ("#fffdf7", "#b3aa98")}
_TURN = 12
_CARDS = (
    ("bR", "d", 0, 2), ("gK", "w", 1, 2), ("gB", "l", 2, 2),
    ("gN", "l", 0, 1), ("bQ", "d", 1, 1), ("gP", "w", 2, 1),
    ("bK", "w", 0, 0), ("gC", "d", 1, 0), ("bN", "l", 2, 0),
)  # fmt: skip
"""What stands on which square in which column and row, the nearest row being 0."""
_ROWS = {"banner": 2, "icon": 1}
"""How many rows are painted; otherwise all."""
_WIDE = ("banner", "social")
_PAIR = (("bK", "w", 0.62, 0), ("gN", "l", 1.5, 0.12))
"""What is painted on the icon."""
_VIEWS = {"banner": (1.12, 0, -100), "card": (1.14, 4, -24), "icon": (0.9, 50, -206), "social": (1.18, 0, -26)}
"""How near the scene is seen, and which place is in the middle."""


@cache
def _figure(piece: str) -> tuple[tuple[tuple[Curve, ...], str], ...]:
    """Return the paths of a figure as on the cards, its body first, each with what it is."""
    body = next(finditer(rf'id="shape-{piece}" d="([^"]*)"', (_DRAWN / "shapes.svg").read_text())).group(1)
    symbol = next(finditer(rf'<symbol id="figure-{piece}".*?</symbol>', (_DRAWN / "sprite.svg").read_text())).group()
    cuts = ((outline(m.group(2)), m.group(1)) for m in finditer(r'class="art-(\w+)" d="([^"]*)"', symbol))
    return (outline(body), "body"), *cuts


def camera(kind: str, width: int, height: int) -> Camera:
    """Return where the scene is seen from in a picture of a kind."""
    zoom, x, y = _VIEWS[kind]
    return Camera(Vector(x, y, 40), 1300, 34, 0, width, height, zoom)


def paint(canvas: Canvas, kind: str) -> None:
    """Paint the scene."""
    shown = _PAIR if kind == "icon" else [it for it in _CARDS if it[3] < _ROWS.get(kind, 3)]
    placed = sorted(((*_place(column, row), name, on) for name, on, column, row in shown), key=lambda it: -it[1])
    if kind in _WIDE:
        for number in range(5):  # the draw pile
            plane = lying(-396 + number % 2, 10 + number % 3, 7 * number, 20 + number % 3, 2.3)
            _back(canvas, plane, plain=number < 4)  # noqa: PLR2004  the uppermost
        for number, turn in enumerate((-24, -36, -48)):
            _back(canvas, lying(390 + 26 * number, -60 - 34 * number, 5 * number, turn, 2.3))
    for x, y, name, on in placed:
        _card(canvas, lying(x, y, 0, _TURN, 2.3), name[0], on)
    for x, y, name, _ in placed:
        _standing(canvas, name, x, y)


def _back(canvas: Canvas, plane: Plane, *, plain: bool = False) -> None:
    edge = box(-30, -40, 30, 40, 6)
    canvas.shadow(points(edge, plane.raised(8)), soft=4, strength=0.3)
    top = slab(canvas, edge, plane, 6, "#efe6d4")
    if not plain:
        canvas.fill(box(-27, -37, 27, 37, 4), top, "#5b4a72")
        canvas.fill(outline(_SQUARED), top, "#cdbfe0", ' opacity=".8"')


_SQUARED = "".join(
    f"M{x} {y}h11v11h-11Z" for row, y in enumerate(range(-33, 33, 11)) for x in range(-22 + 11 * (row % 2) - 5, 22, 22)
)


def _place(column: float, row: float) -> tuple[float, float]:
    return turned((column - 1) * 170, (row - 1) * 205, _TURN)


def _card(canvas: Canvas, plane: Plane, colour: str, on: str) -> None:
    paper = canvas.either("#fffaf0", "#e9e0cf")
    ink, band = (_BLUE, _BLUE) if colour == "b" else (_GREEN, lit(_GREEN, 0.75))
    edge = box(-30, -40, 30, 40, 6)
    canvas.shadow(points(edge, plane.raised(8)), soft=3, strength=0.35)
    line = f' stroke="{ink}" stroke-width="{3.6 * canvas.camera.scale(plane.origin):.1f}"'
    top = slab(canvas, edge, plane, 4, paper, inset=box(-29, -39, 29, 39, 5), more=line)
    canvas.fill(outline("M-28.5 -14V-34C-28.5 -37 -27 -38.5 -24 -38.5H24C27 -38.5 28.5 -37 28.5 -34V-14Z"), top, band)
    wood, lines = _SQUARES[on]
    canvas.fill(box(-25, -12, 25, 36), top, wood)
    canvas.line(box(-22, -9, 22, 33), top, lines, 1)


def _standing(canvas: Canvas, name: str, x: float, y: float) -> None:
    """Paint a figure: blue ones are painted all over, green ones only along their lines."""
    blue = name[0] == "b"
    ink = _BLUE if blue else _GREEN
    body, *cuts = [(moved(part, -24 * 2.9, -43.5 * 2.9, 2.9), kind) for part, kind in _figure(name[1])]
    dx, dy = turned(0, -28, _TURN)
    plane = upright(x + dx, y + dy, 4, _TURN - 4)
    foot = box(-40, -2, 40, 0)
    canvas.shadow_of(body[0], plane, 4, 5, 0.42)
    canvas.shadow(points(foot, plane) + points(foot, plane.raised(22)), ground=4, soft=3, strength=0.5)
    tones = (lit(ink, 0.28), ink, lit(ink, -0.12)) if blue else ("#fbfff3", "#dcebcf")
    edge = (lit(ink, 0.5), 1.6) if blue else (ink, 3.2)
    wide = canvas.camera.scale(plane.origin)
    face = cut_out(
        canvas,
        body[0],
        plane,
        thick=22,
        front=canvas.gradient(*tones, along=(0, 0, 0.5, 1)),
        side=lit(ink, 0.1 if blue else 0.25),
        more=f' stroke="{edge[0]}" stroke-width="{edge[1] * wide:.1f}" stroke-linejoin="round"',
    )
    cut = "#eef4ff" if blue else ink
    for part, kind in cuts:
        if kind == "hole":
            canvas.fill(part, face, cut)
        else:
            canvas.line(part, face, cut, 2.9 * 2, ' stroke-linecap="round"')
