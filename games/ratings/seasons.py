"""Seasons: the quarters of the calendar, by which leaderboards count who is winning lately."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

MONTHS = 3


@dataclass(frozen=True, slots=True, order=True)
class Season:
    """A quarter of a year, counted in UTC from its first moment up to that of the next.

    >>> Season(2026, 4).begin.isoformat(), Season(2026, 4).end.isoformat()
    ('2026-10-01T00:00:00+00:00', '2027-01-01T00:00:00+00:00')
    """

    year: int
    quarter: int

    @property
    def begin(self) -> datetime:
        return datetime(self.year, MONTHS * (self.quarter - 1) + 1, 1, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        return self.following.begin

    @property
    def last_day(self) -> datetime:
        """Return the noon of its last day, which is the same day in nearly every time zone."""
        return self.end - timedelta(hours=12)

    @property
    def following(self) -> Season:
        return Season(self.year + self.quarter // 4, self.quarter % 4 + 1)


def season_at(moment: datetime) -> Season:
    """Return the season of an aware moment.

    >>> season_at(datetime(2026, 11, 23, tzinfo=UTC))
    Season(year=2026, quarter=4)
    """
    utc = moment.astimezone(UTC)
    return Season(utc.year, (utc.month - 1) // MONTHS + 1)
