"""Colours as #rrggbb, mixed."""

from __future__ import annotations


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
