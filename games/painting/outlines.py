"""Outlines in the plane: read from SVG paths, made from numbers, sampled as polygons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from svgelements import Arc, Close, CubicBezier, Line, Move, Path, QuadraticBezier

from games.painting.space import Spot

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
    """Yield the points along each closed part of an outline; a curve is cut into so many steps."""
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
