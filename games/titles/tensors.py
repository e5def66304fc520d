"""A game in numbers, for programs that learn: the interface of a title's optional module `tensors`.

An action is told in words from a fixed list, one after the other, so that a program chooses among hundreds of numbers
where there are thousands of actions. A view is a row of numbers of which none is less than 0 or more than 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Tensors(Protocol):
    """What a module `tensors` has.

    Attributes:
        WORDS: every word of which actions consist, each with its meaning in it, as "tile 17" or "column 3", none twice.
    """

    WORDS: Sequence[str]

    def words(self, action: Any) -> Sequence[str]:
        """Return an action in words. No action begins with all words of another one."""

    def observed(self, view: Any) -> Sequence[float]:
        """Return what the viewer knows, a spectator as seat 0, with the viewer's own seat before those that follow.

        There are as many numbers in every view of a match.
        """


def one_hot(value: T, values: Collection[T]) -> list[float]:
    """Return 1 for the value that this is, and 0 for each other.

    >>> one_hot("b", "abc")
    [0.0, 1.0, 0.0]
    """
    return [float(value == each) for each in values]


def counts(found: Iterable[T], values: Sequence[T], most: int = 1) -> list[float]:
    """Return for each value how often it was found, as a share of the most that is counted.

    >>> counts("caac", "abc", most=2)
    [1.0, 0.0, 1.0]
    """
    number = dict.fromkeys(values, 0)
    for each in found:
        number[each] += 1
    return [share(count, most) for count in number.values()]


def share(value: float, most: float) -> float:
    """Return a number as a share of the most that is counted, 0 to 1.

    >>> share(3, 4), share(9, 4), share(-1, 4)
    (0.75, 1.0, 0.0)
    """
    return min(1.0, max(0.0, value / most))


def from_own(values: Sequence[T], viewer: int | None) -> list[T]:
    """Return what there is for each seat, that of the viewer first.

    >>> from_own("abc", 1)
    ['b', 'c', 'a']
    """
    own = viewer or 0
    return [*values[own:], *values[:own]]
