"""How many seats the heats of a round have."""

from __future__ import annotations


def sizes(people: int, want: int, least: int) -> tuple[int, ...]:
    """Return how many sit in each heat, the largest first; whoever is left over has a heat of one, a bye.

    As many heats of `want` seats as possible and the rest of one less; if that does not come out, of still fewer, but
    never below `least`; and only if that does not come out either, with as few byes as possible.

    >>> sizes(10, 4, 3), sizes(9, 4, 3), sizes(5, 4, 3), sizes(6, 5, 3)
    ((4, 3, 3), (3, 3, 3), (4, 1), (3, 3))
    >>> sizes(7, 2, 2), sizes(1, 2, 2), sizes(0, 2, 2)
    ((2, 2, 2, 1), (1,), ())
    """
    for byes in range(people):
        for smallest in range(want, least - 1, -1):
            if found := _between(people - byes, smallest, want):
                return (*found, *(1,) * byes)
    return (1,) * people


def _between(people: int, smallest: int, want: int) -> tuple[int, ...]:
    """Return sizes from `smallest` to `want` that take in exactly so many, empty if there are none."""
    heats = -(-people // want)
    if people < heats * smallest:
        return ()
    found, left = list[int](), people
    for others in range(heats - 1, -1, -1):
        found.append(min(want, left - others * smallest))
        left -= found[-1]
    return tuple(found)
