"""Where things are, where the light comes from, and where the eye sees them.

x goes to the right, y away from the viewer, z up; the table is z = 0. A card or stone is about 100 units wide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


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


def standing(x: float, y: float, z: float = 0, turn: float = 0, scale: float = 1) -> Plane:
    """Return a plane upright on the table which faces the viewer, turned anticlockwise by some degrees."""
    cos, sin = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    return Plane(Vector(x, y, z), Vector(cos, sin, 0), Vector(0, 0, -scale))


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
        while len(kept) > 1 and _left(kept[-2], kept[-1], spot) <= 0:
            kept.pop()
        kept.append(spot)
    return kept


def _left(a: Spot, b: Spot, c: Spot) -> float:
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
