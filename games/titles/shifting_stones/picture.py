"""The picture of the game: stones in their tray, one of them lifted, and cards beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from re import finditer

from games.painting.canvas import Canvas, lit, points
from games.painting.geometry import Camera, Plane, Vector, box, circle, lying, moved, outline, square, tilted
from games.painting.things import slab, turned
from games.titles.shifting_stones.rules.patterns import CARDS, Card

_DRAWN = Path(__file__).parent / "templates" / "shifting_stones"
_FACES = {
    "sun": ("#efbd2e", "#4a3100"), "moon": ("#2f3563", "#f1ecda"), "fish": ("#e8893a", "#401c00"),
    "bird": ("#b4342b", "#ffefe2"), "horse": ("#6d4b9e", "#f5eeff"), "boat": ("#0f7580", "#e9fbfa"),
    "seed": ("#f1e8d5", "#573f20"), "tree": ("#3f7d39", "#f3fbe9"),
}  # fmt: skip
GRID = ("sun", "fish", "tree", "seed", "horse", "boat", "bird", "boat", "seed")
"""What the nine stones show, from the top left."""
_LIFTED = 5
_VIEWS = {"banner": (1.12, 10, 4), "card": (1.32, 14, 8), "icon": (0.84, 14, 6), "social": (1.5, 8, 6)}
"""How near the scene is seen, and which place is in the middle."""
_PITCH, _HALF, _HEIGHT = 112, 47, 30
_TURN = 14
_DIGITS = {
    2: "M-2.6 -2.4A2.6 2.6 0 0 1 2.6 -2.4C2.6 -0.5 -2.6 2 -2.6 4.6H2.7",
    3: "M-2.6 -4.5H2.3L-0.3 -1C4 -1 3.6 4.7 0 4.7C-1.3 4.7 -2.3 4.2 -2.8 3.3",
}
"""The points of the cards as lines around the middle of their disc."""


@cache
def _glyph(face: str) -> tuple[tuple[str, bool], ...]:
    """Return the paths of a sign as on the board, and whether each is only a line cut into it."""
    shape = next(finditer(rf'<g id="shape-{face}">.*?</g>', (_DRAWN / "shapes.svg").read_text())).group()
    symbol = next(finditer(rf'<symbol id="glyph-{face}".*?</symbol>', (_DRAWN / "sprite.svg").read_text())).group()
    found = finditer(r'<path d="([^"]*)"[^>]*>', shape + symbol)
    return tuple((m.group(1), "art-line" in m.group(0)) for m in found)


def paint(canvas: Canvas, kind: str) -> None:
    """Paint the scene."""
    _deck(canvas, -250, 130)
    _tray(canvas)
    _card(canvas, lying(232, 40, 0, -16, 1.5), CARDS[7])
    _card(canvas, lying(268, -78, 0, -30, 1.5), CARDS[71])


def _tray(canvas: Canvas) -> None:
    wood = canvas.either("#c49355", "#6b4c2e")
    tray = lying(0, 0, 0, _TURN)
    outer = square(_PITCH * 1.5 + 16, 18)
    canvas.shadow(points(outer, tray.raised(20)), soft=9, strength=0.5)
    canvas.shadow(points(outer, tray.raised(4)), soft=3, strength=0.45)
    top = slab(canvas, outer, tray, 20, wood, soft=4, inset=square(_PITCH * 1.5 + 13, 16))
    cells = sorted(enumerate(GRID), key=lambda it: -turned(*_middle(it[0]), _TURN)[1])
    for cell, _ in cells:
        x, y = _middle(cell)
        hollow = moved(square(_HALF + 5, 17), x, -y)
        canvas.fill(hollow, top, lit(wood, -0.42))
        canvas.fill(moved(square(_HALF + 3, 16), x + 2, -y + 3), top, lit(wood, -0.24))
        canvas.line(hollow, top, lit(wood, 0.5), 1.2, ' opacity=".4"')
    for cell, face in cells:
        if cell != _LIFTED:
            _stone(canvas, cell, face)
    x, y = turned(*_middle(_LIFTED), _TURN)
    lifted = tilted(lying(x + 16, y - 22, 82, _TURN - 9), -7)
    canvas.shadow(points(square(_HALF, 15), lifted.raised(_HEIGHT)), ground=30, soft=9, strength=0.5)
    _carved(canvas, lifted, GRID[_LIFTED])


def _middle(cell: int) -> tuple[float, float]:
    return (cell % 3 - 1) * _PITCH, (1 - cell // 3) * _PITCH


def _stone(canvas: Canvas, cell: int, face: str) -> None:
    x, y = turned(*_middle(cell), _TURN)
    base = lying(x, y, 16, _TURN)
    canvas.shadow(points(square(_HALF, 15), base.raised(_HEIGHT)), ground=20, soft=4, strength=0.42)
    _carved(canvas, base, face)


def _carved(canvas: Canvas, base: Plane, face: str) -> None:
    colour = _FACES[face][0]
    if canvas.dark:
        colour = lit(colour, -0.08)
    top = slab(canvas, square(_HALF, 15), base, _HEIGHT, colour, soft=5, inset=square(_HALF - 4, 12))
    rim = square(_HALF - 10, 8)
    canvas.groove(rim, top, lit(colour, -0.5), lit(colour, 0.6), 1.3)
    _sign(canvas, top, face, 1.34)


def _sign(canvas: Canvas, plane: Plane, face: str, scale: float) -> None:
    colour, ink = _FACES[face]
    for path, cut in _glyph(face):
        drawn = moved(outline(path), -24 * scale, -24 * scale, scale)
        if cut:
            canvas.line(drawn, plane, colour, 2 * scale, ' stroke-linecap="round"')
            continue
        canvas.carve(drawn, plane, ink, lit(colour, 0.45), 1.2 * scale)
    if face == "sun":
        canvas.carve(circle(0, 0, 8.6 * scale), plane, ink, lit(colour, 0.45), 1.2 * scale)


def _card(canvas: Canvas, plane: Plane, card: Card) -> None:
    paper = canvas.either("#fffaf0", "#eadfca")
    edge = box(-34, -44, 34, 44, 6.5)
    canvas.shadow(points(edge, plane.raised(9)), soft=3, strength=0.35)
    top = slab(canvas, edge, plane, 3, paper)
    canvas.line(box(-31, -41, 31, 41, 4.5), top, lit(paper, -0.3), 0.8, ' opacity=".6"')
    _pattern(canvas, top, card.rows)
    canvas.fill(circle(-21, 31, 8), top, lit(paper, -0.75))
    number = moved(outline(_DIGITS[card.points]), -21, 31)
    canvas.line(number, top, paper, 2, ' stroke-linecap="round" stroke-linejoin="round"')


def _pattern(canvas: Canvas, top: Plane, rows: tuple[tuple[str | None, ...], ...]) -> None:
    size = 25
    for row, faces in enumerate(rows):
        for column, face in enumerate(faces):
            x, y = (column - (len(faces) - 1) / 2) * size, -8 + (row - (len(rows) - 1) / 2) * size
            if face is None:
                canvas.line(moved(square(10.5, 4), x, y), top, "#a99c86", 1.2, ' stroke-dasharray="4 3"')
                continue
            canvas.fill(moved(square(11, 4.5), x, y), top, _FACES[face][0])
            at = Plane(top.at(x, y), top.across, top.down)
            _sign(canvas, at, face, 0.36)


def _deck(canvas: Canvas, x: float, y: float) -> None:
    for number in range(7):
        plane = lying(x + number % 2, y + number % 3, 4 * number, 24 + (number * 37 % 5 - 2), 1.5)
        edge = box(-34, -44, 34, 44, 6.5)
        if not number:
            canvas.shadow(points(edge, plane.raised(30)), soft=5, strength=0.45)
        top = slab(canvas, edge, plane, 4, "#f3ead8")
    canvas.fill(box(-30, -40, 30, 40, 4), top, "#2c3158")
    back = outline("M0 -28L24 0L0 28L-24 0ZM0 -16L14 0L0 16L-14 0ZM0 -6L5 0L0 6L-5 0Z")
    canvas.line(back, top, "#e7b93c", 1.6, ' stroke-linejoin="round"')


def camera(kind: str, width: int, height: int) -> Camera:
    zoom, x, y = _VIEWS[kind]
    return Camera(Vector(x, y, 10), 1100, 47, 0, width, height, zoom)
