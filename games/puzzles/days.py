"""Which puzzle is asked on which day: the same for everybody, anew at midnight UTC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString

from accounts.moments import element_of_day
from games.engine.protocol import AnyGame, Seat
from games.engine.puzzles import Puzzle, PuzzleMaker
from games.titles import Title, games, titles
from games.titles.registry import maker_of, puzzle_position_of, puzzles_of, with_puzzles

_FIRST: Final = date(2026, 1, 1)
"""The day of the first puzzle in each file; after the last one they start over."""

KEPT: Final = 365
"""How many days the archive goes back, fewer if there are fewer puzzles: none appears in it twice."""


@dataclass(frozen=True, slots=True)
class Daily:
    """The puzzle of a game and a day."""

    slug: str
    day: date
    number: int

    @property
    def title(self) -> Title:
        return titles()[self.slug]

    @property
    def game(self) -> AnyGame:
        return games()[self.slug]

    @property
    def puzzle(self) -> Puzzle:
        return puzzles_of(self.slug)[self.number]

    @property
    def seat(self) -> Seat:
        return Seat(self.puzzle.seat)

    @property
    def maker(self) -> PuzzleMaker:
        found = maker_of(self.slug)
        if found is None:
            raise LookupError(f"{self.slug} has no puzzles.")
        return found

    @property
    def state(self) -> Any:
        """The position in which it is asked."""
        return puzzle_position_of(self.slug, self.number)

    @property
    def view(self) -> Any:
        """What the seat that is asked may know."""
        return self.game.view_for(self.state, self.seat)

    @property
    def date(self) -> str:
        """The day in words."""
        return date_format(self.day, "DATE_FORMAT")

    @property
    def day_shown(self) -> SafeString:
        """The day as every page shows it."""
        return element_of_day(self.day)

    @property
    def url(self) -> str:
        return reverse("puzzle", args=[self.slug, self.day.isoformat()])


def today() -> date:
    """Return the day whose puzzles are new."""
    return timezone.now().astimezone(UTC).date()


def next_day_begins() -> datetime:
    """Return when the next puzzles come."""
    tomorrow = today() + timedelta(days=1)
    return datetime(tomorrow.year, tomorrow.month, tomorrow.day, tzinfo=UTC)


def daily(slug: str, day: date) -> Daily | None:
    """Return the puzzle of a game and a day; None for other games, for days to come and for those long ago."""
    count = len(puzzles_of(slug)) if slug in games() else 0
    if not count or not 0 <= (today() - day).days < min(KEPT, count):
        return None
    return Daily(slug, day, (day - _FIRST).days % count)


def of_day(day: date) -> Sequence[Daily]:
    """Return the puzzles of a day, one for each game that has some."""
    found = (daily(slug, day) for slug in with_puzzles())
    return [each for each in found if each is not None]


def first_day() -> date:
    """Return the first day of the archive."""
    counts = [len(puzzles_of(slug)) for slug in with_puzzles()]
    return today() - timedelta(days=min([KEPT, *counts]) - 1)
