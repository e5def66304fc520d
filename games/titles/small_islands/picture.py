"""The picture of the game: an archipelago of thick tiles, with Houses and ships, and a tile to come."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from re import finditer
from typing import NamedTuple

from games.painting import geometry
from games.painting.canvas import Canvas, lit, points
from games.painting.geometry import Camera, Curve, Plane, Vector, box, circle, lying, moved, outline, upright
from games.painting.things import cut_out, slab, turned
from games.titles.small_islands.board.drawing import COASTS, LANDS

_SPRITE = Path(__file__).parent / "templates" / "small_islands" / "sprite.svg"
_TURN = 17
_VIEWS = {"banner": (1.2, 24, -6), "card": (1.22, 26, 0), "icon": (1.15, 182, 78), "social": (1.5, 28, 0)}
"""How near the scene is seen, and which place is in the middle."""
_SIDE = 100
_HEIGHT = 12
_RELIEF = 5
_SEATS = ("#1c5a9e", "#c2540a", "#0d7f63", "#a23a7c")
_LAND = (
    ".......",
    ".##..#.",
    ".###.#.",
    "..##...",
    "......#",
)
"""Where corners of tiles are land."""
_MISSING = {(0, 0), (5, 3), (0, 3)}
_SIGNS = (
    ("flower", 1, 1, 0, -6),
    ("leaf", 2, 1, -18, -22),
    ("fruit", 2, 1, 20, 14),
    ("leaf", 4, 1, 24, 12),
    ("fruit", 1, 2, 22, -26),
    ("flower", 2, 2, 2, -22),
    ("temple", 1, 0, 4, 26),
)
_UPRIGHT = (
    ("house", 0, 1.72, 1.35, 41), ("house", 1, 2.55, 2.22, 41), ("house", 0, 5.0, 1.52, 41),
    ("house", 2, 2.78, 1.55, 41), ("house", 1, 1.22, 1.75, 41),
    ("ship", 1, 3.98, 2.62, 8), ("ship", 0, 0.62, 2.72, -14), ("ship", 2, 3.72, 0.55, 20),
)  # fmt: skip
"""What stands there: of which seat, at which column and row, turned by how many degrees."""


def camera(kind: str, width: int, height: int) -> Camera:
    """Return where the scene is seen from in a picture of a kind."""
    zoom, x, y = _VIEWS[kind]
    return Camera(Vector(x, y, 10), 1200, 42, 0, width, height, zoom)


def paint(canvas: Canvas, kind: str) -> None:
    """Paint the scene."""
    tiles = [
        Tile(_plane(x, y), *_shape(x, y))
        for y in range(len(_LAND) - 1)
        for x in range(len(_LAND[0]) - 1)
        if (x, y) not in _MISSING
    ]
    _archipelago(canvas, tiles)
    for name, column, row, right, down in _SIGNS:
        plane = _plane(column, row).raised(_HEIGHT + _RELIEF)
        _sign(canvas, Plane(plane.at(right, down), plane.across, plane.down), name)
    for what, seat, x, y, turn in sorted(_UPRIGHT, key=lambda it: it[3]):
        (_house if what == "house" else _ship)(canvas, seat, *_at(x, y), turn)
    plane = geometry.tilted(lying(*_at(6.1, 3.0), 46, _TURN - 12), -7)  # the tile that is about to be placed
    _archipelago(canvas, [Tile(plane, "shore", 2)])


class Tile(NamedTuple):
    """A tile on a plane, its shape, and how many quarters it is turned."""

    plane: Plane
    shape: str
    turn: int

    def drawn(self, path: str) -> tuple[Curve, ...]:
        return moved(moved(outline(path), -50, -50), 0, 0, 1, self.turn)


def _archipelago(canvas: Canvas, tiles: list[Tile]) -> None:
    """Paint tiles that lie beside each other: what continues from one to the next is painted in one go."""
    for tile in tiles:
        edge = geometry.square(_SIDE / 2 - 0.6, 2)
        canvas.shadow(points(edge, tile.plane.raised(_HEIGHT)), soft=4 + tile.plane.origin.z / 5, strength=0.45)
        slab(canvas, edge, tile.plane, _HEIGHT, canvas.either("#e6d6b6", "#b7a37f"))
    sea = canvas.either("#6fb0c4", "#275f72")
    for tile in tiles:
        top = tile.plane.raised(_HEIGHT)
        canvas.fill(geometry.square(_SIDE / 2 - 0.6, 2), top, canvas.gradient(lit(sea, 0.12), sea, along=(0, 0, 1, 1)))
    _waters(canvas, [tile._replace(plane=tile.plane.raised(_HEIGHT)) for tile in tiles])
    _lands(canvas, [tile._replace(plane=tile.plane.raised(_HEIGHT)) for tile in tiles if tile.shape in LANDS])


def _waters(canvas: Canvas, tiles: list[Tile]) -> None:
    """Paint waves, shallows and beaches."""
    wide = canvas.camera.scale(tiles[len(tiles) // 2].plane.origin)
    waves = [
        seen
        for tile in tiles
        if tile.shape != "inland"
        for x, y in ((-30, -28), (12, 30))
        for seen in canvas.projected(moved(outline("M0 0q4-4 8 0t8 0t8 0"), x, y), tile.plane)
    ]
    foam = f' stroke="{canvas.either("#e3f2f2", "#6ba3b0")}" stroke-width="{2 * wide:.1f}"'
    canvas.path(waves, "none", f'{foam} stroke-linecap="round" opacity=".8"')
    coasts = [
        seen
        for tile in tiles
        if tile.shape in COASTS
        for seen in canvas.projected(tile.drawn(COASTS[tile.shape]), tile.plane)
    ]
    lines = ((canvas.either("#9fd2d8", "#3a7c8c"), 32), (canvas.either("#f2deab", "#cbb47e"), 14))
    canvas.again(coasts, *(f'fill="none" stroke="{paint}" stroke-width="{width * wide:.1f}"' for paint, width in lines))


def _lands(canvas: Canvas, tiles: list[Tile]) -> None:
    green = canvas.either("#8fb867", "#5d8850")
    low = [seen for it in tiles for seen in canvas.projected(it.drawn(LANDS[it.shape]), it.plane.raised(1))]
    wide = canvas.camera.scale(tiles[0].plane.origin)
    canvas.again(low, *(f'y="{-height * wide:.1f}" fill="{lit(green, -0.42)}"' for height in (0, 1, 2, 3)))
    for tile in tiles:
        paint = canvas.gradient(lit(green, 0.22), green, along=(0, 0, 0.7, 1))
        canvas.fill(tile.drawn(LANDS[tile.shape]), tile.plane.raised(_RELIEF), paint)


def _at(column: float, row: float) -> tuple[float, float]:
    """Return the place of a point of the grid on the table."""
    across, down = len(_LAND[0]) - 1, len(_LAND) - 1
    return turned((column - across / 2) * _SIDE, (down / 2 - row) * _SIDE, _TURN)


def _plane(column: int, row: int) -> Plane:
    return lying(*_at(column + 0.5, row + 0.5), 0, _TURN)


def _shape(column: int, row: int) -> tuple[str, int]:
    """Return the shape of the tile there, and how many quarters it is turned."""
    corners = [
        _LAND[y][x] == "#" for x, y in ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
    ]
    for turn in range(4):
        name = _NAMES.get(tuple(corners[turn:] + corners[:turn]))
        if name:
            return name, turn
    return "ship", 0


_NAMES: dict[tuple[bool, ...], str] = {
    (True, False, False, False): "tip",
    (True, True, False, False): "shore",
    (True, False, True, False): "isthmus",
    (True, True, True, False): "bay",
    (True, True, True, True): "inland",
}


def _sign(canvas: Canvas, plane: Plane, name: str) -> None:
    colour = {"flower": "#c25a00", "fruit": "#a8146f", "leaf": "#2b6a2c", "temple": "#544b6b"}[name]
    disc = box(-11.5, -11.5, 11.5, 11.5, 4) if name == "temple" else circle(0, 0, 11.5)
    canvas.fill(disc, plane, "#544b6b" if name == "temple" else "#fffaf0")
    for part in _parts(name):
        canvas.fill(part, plane, "#ffffff" if name == "temple" else colour)
    if name == "flower":
        canvas.fill(circle(0, 0, 2.6), plane, "#ffd24a")


@cache
def _parts(name: str) -> tuple[tuple[Curve, ...], ...]:
    text = next(m.group(1) for m in finditer(rf'<g id="sign-{name}">(.*?)</g>', _SPRITE.read_text()))
    return tuple(outline(m.group(1)) for m in finditer(rf'class="art-{name}" d="([^"]*)"', text))


def _house(canvas: Canvas, seat: int, x: float, y: float, turn: float) -> None:
    ground, scale, deep = _HEIGHT + _RELIEF, 1.35, 30
    colour = lit(_SEATS[seat], 0.06)
    front = moved(outline("M-13.5 -12L0 -25.500L13.5 -12H10.5V0H-10.5V-12Z"), 0, 0, scale)
    plane = upright(x, y, ground, turn)
    canvas.shadow(points(front, plane) + points(front, plane.raised(deep)), ground=ground, soft=3, strength=0.5)
    wall = canvas.gradient(lit(colour, 0.1), lit(colour, -0.12))
    face = cut_out(canvas, front, plane, thick=deep, front=wall, side=lit(colour, 0.05))
    canvas.fill(moved(box(-3.4, -9, 3.4, 0), 0, 0, scale), face, lit(colour, -0.55))


_HULL = outline("M-36 -14H36C30 -2 24 0 18 0H-18C-24 0 -31 -4 -36 -14Z")
_MAINSAIL = outline("M2 -64C20 -52 28 -38 28 -20H2Z")
_JIB = outline("M-4 -58C-6 -44 -13 -30 -26 -20H-4Z")
_WAKE = outline("M-44 8q6-5 12 0t12 0t12 0t12 0t12 0t12 0")


def _ship(canvas: Canvas, seat: int, x: float, y: float, turn: float) -> None:
    colour, ground, deep = _SEATS[seat], _HEIGHT, 18
    canvas.line(_WAKE, lying(x, y, ground, turn), "#fff", 2.4, ' stroke-linecap="round" opacity=".6"')
    plane = upright(x, y, ground, turn)
    middle = plane.raised(deep / 2)
    canvas.shadow(points(_HULL, plane) + points(_HULL, plane.raised(deep)), ground=ground, soft=3, strength=0.5)
    canvas.shadow_of(_MAINSAIL, middle, ground, 3, 0.35)
    painted = canvas.gradient(lit(colour, 0.1), lit(colour, -0.2))
    cut_out(canvas, _HULL, plane, thick=deep, front=painted, side="#a9743f")
    canvas.line(outline("M-1 -68V-12"), middle, "#5a3f1c", 3.4, ' stroke-linecap="round"')
    for sail, light, cloth in ((_MAINSAIL, lit(colour, 0.35), colour), (_JIB, "#ffffff", "#e0d3b8")):
        cut_out(canvas, sail, middle, thick=2, front=canvas.gradient(light, cloth, along=(0, 0, 1, 1)), side=cloth)
