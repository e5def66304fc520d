"""Where things are, where the light comes from, and where the eye sees them.

x goes to the right, y away from the viewer, z up; the table is z = 0. A card or stone is about 100 units wide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from svgelements import Arc, Close, CubicBezier, Line, Move, Path, QuadraticBezier


class Vector(NamedTuple):
    """A place or a direction."""

    x: float
    y: float
    z: float

    def plus(self, other: Vector, times: float = 1) -> Vector:
        return Vector(self.x + other.x * times, self.y + other.y * times, self.z + other.z * times)

    def dot(self, other: Vector) -> float:
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vector) -> Vector:
        return Vector(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    def unit(self) -> Vector:
        length = math.sqrt(self.dot(self))
        return Vector(self.x / length, self.y / length, self.z / length)


class Spot(NamedTuple):
    """A place in the picture, in pixels from its upper left corner."""

    x: float
    y: float


LIGHT = Vector(-0.62, 0.3, 0.82).unit()
"""Towards the window: on the left, a little behind the table."""


def shadow(place: Vector, ground: float = 0) -> Vector:
    """Return where the shadow of a place falls on a level."""
    drop = (place.z - ground) / LIGHT.z
    return Vector(place.x - LIGHT.x * drop, place.y - LIGHT.y * drop, ground)


@dataclass(frozen=True)
class Camera:
    """An eye that looks at the table.

    Args:
        target: the place in the middle of the picture.
        distance: from the eye to the target.
        pitch: how far the eye looks down, in degrees; 90 is straight down.
        heading: by how many degrees the eye has walked around the table, anticlockwise.
        width, height: of the picture, in pixels.
        zoom: the length of a unit at the target, in pixels.
    """

    target: Vector
    distance: float
    pitch: float
    heading: float
    width: int
    height: int
    zoom: float

    @cached_property
    def eye(self) -> Vector:
        down, around = math.radians(self.pitch), math.radians(self.heading)
        flat = self.distance * math.cos(down)
        towards = Vector(-flat * math.sin(around), -flat * math.cos(around), self.distance * math.sin(down))
        return self.target.plus(towards)

    @cached_property
    def _axes(self) -> tuple[Vector, Vector, Vector]:
        ahead = self.target.plus(self.eye, -1).unit()
        right = ahead.cross(Vector(0, 0, 1)).unit()
        return right, right.cross(ahead), ahead

    def see(self, place: Vector) -> Spot:
        """Return where a place appears."""
        right, up, ahead = self._axes
        seen = place.plus(self.eye, -1)
        scale = self.zoom * self.distance / seen.dot(ahead)
        return Spot(self.width / 2 + scale * seen.dot(right), self.height / 2 - scale * seen.dot(up))

    def scale(self, place: Vector) -> float:
        """Return how many pixels long a unit is there."""
        return self.zoom * self.distance / place.plus(self.eye, -1).dot(self._axes[2])

    def depth(self, place: Vector) -> float:
        """Return how far away a place is, to paint farther things first."""
        return place.plus(self.eye, -1).dot(self._axes[2])

    def on_table(self, spot: Spot) -> Vector:
        """Return the place on the table that appears at a spot."""
        right, up, ahead = self._axes
        reach = self.zoom * self.distance
        ray = ahead.plus(right, (spot.x - self.width / 2) / reach).plus(up, (self.height / 2 - spot.y) / reach)
        return self.eye.plus(ray, -self.eye.z / ray.z)


@dataclass(frozen=True)
class Plane:
    """A flat surface to draw on: a place, and where its two axes lead. Like an SVG, its second axis goes down."""

    origin: Vector
    across: Vector
    down: Vector

    def at(self, x: float, y: float) -> Vector:
        return self.origin.plus(self.across, x).plus(self.down, y)

    def raised(self, height: float) -> Plane:
        """Return the plane at this distance before it: above what lies, in front of what stands."""
        return Plane(self.origin.plus(self.normal, height), self.across, self.down)

    @property
    def normal(self) -> Vector:
        return self.down.cross(self.across).unit()


def lying(x: float, y: float, z: float = 0, turn: float = 0, scale: float = 1) -> Plane:
    """Return a plane on the table around a place, turned anticlockwise by some degrees."""
    cos, sin = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    return Plane(Vector(x, y, z), Vector(cos, sin, 0), Vector(sin, -cos, 0))


def upright(x: float, y: float, z: float, turn: float) -> Plane:
    """Return a plane upright on the table which faces the viewer, turned anticlockwise by some degrees."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return Plane(Vector(x, y, z), Vector(cos, sin, 0), Vector(0, 0, -1))


def tilted(plane: Plane, degrees: float) -> Plane:
    """Return a plane that lies, its near side lowered: turned around its first axis."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    length = math.sqrt(plane.down.dot(plane.down))
    return Plane(plane.origin, plane.across, Vector(plane.down.x * cos, plane.down.y * cos, -length * sin))


def hull(spots: Sequence[Spot]) -> list[Spot]:
    """Return the convex outline of spots."""
    ordered = sorted(set(spots))
    return _half(ordered)[:-1] + _half(ordered[::-1])[:-1]


def _half(ordered: Sequence[Spot]) -> list[Spot]:
    kept: list[Spot] = []
    for spot in ordered:
        while len(kept) > 1:
            a, b = kept[-2:]
            if (b.x - a.x) * (spot.y - a.y) > (b.y - a.y) * (spot.x - a.x):
                break  # a turn to the left
            kept.pop()
        kept.append(spot)
    return kept


Curve = tuple[str, tuple[tuple[float, float], ...]]
"""A letter of SVG's path language, M, L, C or Z, and its points."""
_ROUND = 0.5523
"""Where the control points of a curve lie that looks like a quarter of a circle."""


@cache
def outline(path: str) -> tuple[Curve, ...]:
    """Return a path of an SVG as lines and cubic curves.

    >>> outline("M0 0h4z")
    (('M', ((0.0, 0.0),)), ('L', ((4.0, 0.0),)), ('Z', ()))
    """
    read = Path(path)
    read.approximate_arcs_with_cubics()
    return tuple(_curve(segment) for segment in read)


def _curve(segment: Move | Line | CubicBezier | QuadraticBezier | Arc | Close) -> Curve:
    match segment:
        case Move():
            return "M", (_pair(segment.end),)
        case CubicBezier():
            return "C", (_pair(segment.control1), _pair(segment.control2), _pair(segment.end))
        case QuadraticBezier():
            start, bend, end = map(_pair, (segment.start, segment.control, segment.end))
            return "C", (_towards(start, bend), _towards(end, bend), end)
        case Close():
            return "Z", ()
        case _:
            return "L", (_pair(segment.end),)


def _pair(point: Spot) -> tuple[float, float]:
    return float(point.x), float(point.y)


def _towards(start: tuple[float, float], bend: tuple[float, float]) -> tuple[float, float]:
    """Return the control point of a cubic curve that equals a quadratic one."""
    return start[0] + (bend[0] - start[0]) * 2 / 3, start[1] + (bend[1] - start[1]) * 2 / 3


def box(left: float, top: float, right: float, bottom: float, radius: float = 0) -> tuple[Curve, ...]:
    """Return a rectangle with round corners."""
    if not radius:
        return outline(f"M{left} {top}H{right}V{bottom}H{left}Z")
    r, c = radius, radius * (1 - _ROUND)
    return outline(
        f"M{left + r} {top}H{right - r}C{right - c} {top} {right} {top + c} {right} {top + r}"
        f"V{bottom - r}C{right} {bottom - c} {right - c} {bottom} {right - r} {bottom}"
        f"H{left + r}C{left + c} {bottom} {left} {bottom - c} {left} {bottom - r}"
        f"V{top + r}C{left} {top + c} {left + c} {top} {left + r} {top}Z"
    )


def square(half: float, radius: float = 0) -> tuple[Curve, ...]:
    """Return a square around the origin."""
    return box(-half, -half, half, half, radius)


def circle(x: float, y: float, radius: float) -> tuple[Curve, ...]:
    """Return a circle."""
    return box(x - radius, y - radius, x + radius, y + radius, radius)


def moved(drawn: Sequence[Curve], x: float, y: float, scale: float = 1, turn: int = 0) -> tuple[Curve, ...]:
    """Return an outline turned by quarters clockwise around the origin, scaled, then moved."""

    def put(px: float, py: float) -> tuple[float, float]:
        for _ in range(turn % 4):
            px, py = -py, px
        return x + px * scale, y + py * scale

    return tuple((letter, tuple(put(*pair) for pair in pairs)) for letter, pairs in drawn)


def rings(drawn: Sequence[Curve], steps: int = 4) -> Iterator[list[tuple[float, float]]]:
    """Yield the points along each closed part of an outline; a curve is cut into `steps` parts."""
    points: list[tuple[float, float]] = []
    for letter, pairs in drawn:
        if letter == "M" and points:
            yield points
            points = []
        match letter:
            case "C":
                points += [_on_curve(points[-1], pairs, step / steps) for step in range(1, steps + 1)]
            case "M" | "L":
                points.append(pairs[0])
    yield points


def _on_curve(start: tuple[float, float], pairs: Sequence[tuple[float, float]], t: float) -> tuple[float, float]:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    points = (start, *pairs)
    return (
        sum(weight * point[0] for weight, point in zip(weights, points, strict=True)),
        sum(weight * point[1] for weight, point in zip(weights, points, strict=True)),
    )
