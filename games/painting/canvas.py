"""The sheet a scene is painted on: colours, projected outlines, gradients, soft shadows, and the finished SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from games.painting.geometry import Camera, Curve, Plane, Spot, Vector, hull, rings, shadow


def mix(one: str, other: str, share: float) -> str:
    """Return a colour with a share of another.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def lit(colour: str, share: float) -> str:
    """Return a colour in more light, or less if the share is negative; shadows are brown, light is warm."""
    return mix(colour, "#fff6e0", share) if share > 0 else mix(colour, "#1c0f04", -share)


def _parts(colour: str) -> tuple[int, ...]:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])  # noqa: PLR2004  #rrggbb
    return tuple(int(digits[start : start + 2], 16) for start in (0, 2, 4))


Seen = tuple[str, tuple[Spot, ...]]
"""A letter of SVG's path language, M, L, C or Z, and its spots in the picture."""
_SPARE = 30
"""How many pixels outside the picture something may lie and still be painted."""
_SHADE = "#241002"


class Canvas:
    """A picture in the making.

    Args:
        camera: where it is seen from.
        dark: painted for the dark theme.
    """

    def __init__(self, camera: Camera, *, dark: bool) -> None:
        self.camera = camera
        self.dark = dark
        self._parts: list[str] = []
        self._shared: dict[str, str] = {}

    def either(self, light: str, dark: str) -> str:
        """Return the colour for the theme this picture is painted for."""
        return dark if self.dark else light

    # --- paint ------------------------------------------------------------------------------------------------------

    def fill(self, drawn: Sequence[Curve], plane: Plane, paint: str, more: str = "") -> None:
        """Fill an outline that lies on a plane."""
        self.path(self.projected(drawn, plane), paint, more)

    def carve(self, drawn: Sequence[Curve], plane: Plane, paint: str, rim: str, depth: float) -> None:
        """Fill an outline cut into a plane: its lower right edge catches the light, in the colour `rim`."""
        off = self._shift(plane, plane.at(depth, 1.4 * depth))
        self.again(self.projected(drawn, plane), f'{off} fill="{rim}"', f'fill="{paint}"')

    def groove(self, drawn: Sequence[Curve], plane: Plane, dark: str, bright: str, width: float) -> None:
        """Draw a line cut into a plane, with light on its lower right."""
        thick = width * self.camera.scale(plane.origin) * _length(plane.across)
        line = f'fill="none" stroke-width="{thick:.1f}" stroke-opacity=".5" stroke'
        off = self._shift(plane, plane.at(0.8 * width, width))
        self.again(self.projected(drawn, plane), f'{off} {line}="{bright}"', f'{line}="{dark}"')

    def again(self, seen: Sequence[Seen], *ways: str) -> None:
        """Add the same path in several ways, each some attributes."""
        if self._is_seen(seen):
            name = self.share(f'<path id="?" d="{_written(seen)}"/>')
            self.raw("".join(f'<use href="#{name}" {way}/>' for way in ways))

    def _shift(self, plane: Plane, place: Vector) -> str:
        here, there = self.camera.see(plane.origin), self.camera.see(place)
        return f'x="{there.x - here.x:.1f}" y="{there.y - here.y:.1f}"'

    def line(self, drawn: Sequence[Curve], plane: Plane, colour: str, width: float, more: str = "") -> None:
        """Draw along an outline; the width is in units of the plane."""
        thick = width * self.camera.scale(plane.origin) * _length(plane.across)
        self.path(self.projected(drawn, plane), "none", f' stroke="{colour}" stroke-width="{thick:.1f}"{more}')

    def around(self, places: Iterable[Vector], paint: str, more: str = "") -> None:
        """Fill the convex outline of places as they are seen."""
        seen = map(self.camera.see, places)
        self.path(closed(hull([Spot(round(spot.x, 1), round(spot.y, 1)) for spot in seen])), paint, more)

    def path(self, seen: Sequence[Seen], paint: str, more: str = "") -> None:
        """Fill what has been projected, unless it lies outside the picture."""
        if self._is_seen(seen):
            self._parts.append(f'<path d="{_written(seen)}" fill="{paint}"{more}/>')

    def raw(self, markup: str) -> None:
        """Add any markup."""
        self._parts.append(markup)

    # --- shadows ----------------------------------------------------------------------------------------------------

    def shadow(self, places: Iterable[Vector], ground: float = 0, soft: float = 5, strength: float = 0.4) -> None:
        """Paint the shadow of a convex thing on a level."""
        self.around((shadow(place, ground) for place in places), _SHADE, self.softened(soft, strength))

    def shadow_of(self, drawn: Sequence[Curve], plane: Plane, ground: float, soft: float, strength: float) -> None:
        """Paint the shadow of a flat shape that stands."""
        see = self.camera.see
        seen = _projected(drawn, lambda x, y: see(shadow(plane.at(x, y), ground)))
        self.path(seen, _SHADE, self.softened(soft, strength))

    def softened(self, soft: float, strength: float) -> str:
        """Return the attributes of a blurred, translucent shape; softness in units."""
        blur = soft * self.camera.scale(self.camera.target)
        name = self.share(
            f'<filter id="?" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="{blur:.1f}"/>'
            "</filter>"
        )
        return f' opacity="{strength:g}" filter="url(#{name})"'

    # --- what is defined once ---------------------------------------------------------------------------------------

    def share(self, definition: str) -> str:
        """Define something whose id is written as `?`, once, and return its id."""
        return self._shared.setdefault(definition, f"{chr(97 + len(self._shared) % 26)}{len(self._shared) // 26 or ''}")

    def gradient(self, *stops: str, along: tuple[float, float, float, float] = (0, 0, 0, 1)) -> str:
        """Return a paint that changes evenly between colours along a line across the shape; by default downwards."""
        last = max(1, len(stops) - 1)
        marked = "".join(f'<stop offset="{i / last:.3g}" stop-color="{stop}"/>' for i, stop in enumerate(stops))
        ends = " ".join(f'{name}="{at:g}"' for name, at in zip(("x1", "y1", "x2", "y2"), along, strict=True))
        name = self.share(f'<linearGradient id="?" {ends}>{marked}</linearGradient>')
        return f"url(#{name})"

    # --- the picture ------------------------------------------------------------------------------------------------

    def projected(self, drawn: Sequence[Curve], plane: Plane) -> list[Seen]:
        """Return an outline as it is seen."""
        return _projected(drawn, lambda x, y: self.camera.see(plane.at(x, y)))

    def svg(self) -> str:
        """Return the finished picture."""
        width, height = self.camera.width, self.camera.height
        shared = "".join(text.replace('id="?"', f'id="{name}"', 1) for text, name in self._shared.items())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
            f"<defs>{shared}</defs>{''.join(self._parts)}</svg>\n"
        )

    def _is_seen(self, seen: Sequence[Seen]) -> bool:
        spots = [spot for _, part in seen for spot in part]
        xs, ys = [spot.x for spot in spots], [spot.y for spot in spots]
        right, bottom = self.camera.width + _SPARE, self.camera.height + _SPARE
        return bool(spots) and max(xs) > -_SPARE and min(xs) < right and max(ys) > -_SPARE and min(ys) < bottom


def points(drawn: Sequence[Curve], plane: Plane, steps: int = 4) -> list[Vector]:
    """Return places along an outline on a plane."""
    return [plane.at(*pair) for ring in rings(drawn, steps) for pair in ring]


def closed(spots: Sequence[Spot]) -> list[Seen]:
    """Return a polygon in the picture."""
    return [("M", (spots[0],)), *(("L", (spot,)) for spot in spots[1:]), ("Z", ())]


def _projected(drawn: Sequence[Curve], see: Callable[[float, float], Spot]) -> list[Seen]:
    return [(letter, tuple(see(*pair) for pair in pairs)) for letter, pairs in drawn]


def _written(drawn: Iterable[Seen]) -> str:
    """Return path data. Places are relative to the last one, in fifths of a pixel: small numbers make small files."""
    data, last, before = list[str](), (0, 0), ""
    for letter, spots in drawn:
        ends = [(2 * round(5 * spot.x), 2 * round(5 * spot.y)) for spot in spots]
        if letter == "L" and ends[0] == last:
            continue
        numbers = "".join(_number(value) for x, y in ends for value in (x - last[0], y - last[1]))
        code = letter.lower()
        data.append(numbers if code == before else code + numbers.removeprefix(" "))
        before, last = code, ends[-1] if ends else last
        if letter == "M":
            start, before = last, "l"
        if letter == "Z":
            last = start
    return "".join(data)


def _number(tenths: int) -> str:
    """Return a number as path data writes it, with a separator before it.

    >>> _number(-5), _number(30)
    ('-.5', ' 3')
    """
    text = f"{abs(tenths) / 10:.1f}".removesuffix(".0").removeprefix("0") or "0"
    return ("-" if tenths < 0 else " ") + text


def _length(vector: Vector) -> float:
    return math.sqrt(vector.dot(vector))
