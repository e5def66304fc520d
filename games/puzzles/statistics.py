"""How somebody does at the puzzles: how many they solved, with how many tries, and on how many days in a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from games.puzzles.tries import MOST, Tried


@dataclass(frozen=True, slots=True)
class Statistics:
    """What somebody has achieved.

    Args:
        played: puzzles that were solved, or on which all tries were used.
        by_tries: how many were solved with one, two and three tries.
        streak: days in a row, up to today or yesterday, on which a puzzle of the day was solved.
        longest: the most days in a row.
    """

    played: int
    by_tries: Sequence[int]
    streak: int
    longest: int

    @property
    def solved(self) -> int:
        return sum(self.by_tries)

    @property
    def share(self) -> int:
        """How many of 100 were solved."""
        return round(100 * self.solved / self.played) if self.played else 0


def statistics(tried: Mapping[tuple[str, date], Tried], today: date) -> Statistics:
    """Return what somebody has achieved in the puzzles given."""
    over = [each for each in tried.values() if each.is_over]
    solved = [len(each.tries) for each in over if each.solved]
    days = {day for (_, day), each in tried.items() if each.solved_on == day}
    runs = list(_runs(days))
    present = next((length for end, length in runs if (today - end).days <= 1), 0)
    by_tries = tuple(solved.count(number) for number in range(1, MOST + 1))
    return Statistics(len(over), by_tries, present, max((length for _, length in runs), default=0))


def _runs(days: set[date]) -> Iterable[tuple[date, int]]:
    """Yield the last day of each run of days without a gap, and its length, the latest first."""
    for end in sorted(days, reverse=True):
        if end + timedelta(days=1) not in days:
            length = 1
            while end - timedelta(days=length) in days:
                length += 1
            yield end, length
