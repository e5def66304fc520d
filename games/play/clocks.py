"""Clocks: their arithmetic, and their terms in words. Nothing here asks for the time or the database.

One kind of clock for both speeds, Fischer's: a seat begins with `start`, and every turn it ends adds `increment`, up
to `cap`. A clock that runs can be stopped for a while by its player's sleep, weekends and vacations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from heapq import merge
from itertools import count
from zoneinfo import ZoneInfo

from django.utils.formats import number_format
from django.utils.translation import gettext as _, ngettext

LONGEST_SLEEP = timedelta(hours=10)
"""How much of each day somebody's day clocks can stand still at night."""

VACATION_DAYS = 30
"""Days of vacation in a calendar year."""

Span = tuple[datetime, datetime]
"""A span of time: its first moment, and the first moment after it."""

NOTHING = timedelta()
_SECOND, _MINUTE = timedelta(seconds=1), timedelta(minutes=1)
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_SATURDAY = 5


class ClockError(ValueError):
    """These numbers, or this text, do not describe a clock."""


@dataclass(frozen=True, slots=True)
class Control:
    """How much time a seat gets.

    Args:
        start: what everybody starts with.
        increment: what is added for each turn that is ended.
        cap: the limit up to which time is added.

    Raises:
        ClockError: no time to start with, a negative increment, or a start above the cap.
    """

    start: timedelta
    increment: timedelta
    cap: timedelta

    def __post_init__(self) -> None:
        if not NOTHING < self.start <= self.cap or self.increment < NOTHING:
            raise ClockError(f"A clock cannot be {self}.")

    def __str__(self) -> str:
        """Return the notation: seconds.

        >>> str(Control(timedelta(minutes=5), timedelta(seconds=10), timedelta(minutes=10)))
        '300+10/600'
        """
        return f"{self.start // _SECOND}+{self.increment // _SECOND}/{self.cap // _SECOND}"

    def after_turn(self, left: timedelta) -> timedelta:
        """Return what a seat has after ending a turn with this much time left."""
        return max(left, min(left + self.increment, self.cap))


@lru_cache(maxsize=1_000)
def read_control(text: str) -> Control:
    """Return the clock written by `str(control)`.

    Raises:
        ClockError: the text is not one of these.

    >>> read_control("300+10/600").increment
    datetime.timedelta(seconds=10)
    """
    try:
        start, _, rest = text.partition("+")
        increment, _, cap = rest.partition("/")
        return Control(*(timedelta(seconds=int(part)) for part in (start, increment, cap)))
    except (ValueError, OverflowError) as error:
        raise ClockError(f"“{text}” does not describe a clock.") from error


def spent(since: datetime, until: datetime, stops: Iterable[Span] = ()) -> timedelta:
    """Return how long a clock ran between two moments.

    Args:
        since, until: nothing is spent when `until` is not after `since`.
        stops: when it stood still, ordered by their beginnings; they may overlap, and there may be no last one.
    """
    total = NOTHING
    for begin, end in _running(since, stops):
        if begin >= until:
            break
        total += (until if end is None else min(end, until)) - begin
    return total


def deadline(bank: timedelta, since: datetime, stops: Iterable[Span] = ()) -> datetime:
    """Return the moment at which a clock has spent all of `bank`.

    Args:
        bank: what it had when it began to run.
        since: when it began to run.
        stops: as for `spent`; there must be time between them.
    """
    for begin, end in _running(since, stops):
        if end is None or end - begin >= bank:
            return begin + bank
        bank -= end - begin
    raise AssertionError("the last time a clock runs has no end")


def longest_turn(control: Control) -> timedelta:
    """Return how long a turn can last on a day clock at worst, without vacations.

    It begins with all that can be saved up, at bedtime before a free weekend, with the longest nights.

    >>> longest_turn(read_control("259200+86400/259200")) / timedelta(days=1)
    9.5
    """
    bedtime = datetime(2021, 1, 1, 22, tzinfo=UTC)  # a Friday
    nights = bedtime.hour * 60, ((bedtime + LONGEST_SLEEP).hour) * 60
    return deadline(control.cap, bedtime, Rest("UTC", nights, weekend=True).stops(bedtime)) - bedtime


def with_vacations(turn: timedelta) -> timedelta:
    """Return how long such a turn can last at worst with all the vacation of each year that it touches.

    >>> with_vacations(timedelta(days=9.5)) / timedelta(days=1)
    69.5
    """
    years = 2  # it can begin just before a year does
    while True:
        away = turn + years * VACATION_DAYS * _DAY
        touched = 1 - (-away // (365 * _DAY))
        if touched <= years:
            return away
        years = touched


def _running(since: datetime, stops: Iterable[Span]) -> Iterator[tuple[datetime, datetime | None]]:
    """Yield from when to when a clock runs; the last time has no end."""
    begin = since.astimezone(UTC)  # differences within one zone would be those of its wall clock
    for stop, go in stops:
        if go <= begin:
            continue
        if stop > begin:
            yield begin, stop
        begin = go.astimezone(UTC)
    yield begin, None


@dataclass(frozen=True, slots=True)
class Rest:
    """When somebody's day clocks are stopped, on the wall clock of their zone.

    Args:
        zone: name of the time zone.
        sleep: minutes of the day at which they go to bed and get up; None if their clocks run at night.
        weekend: from Saturday to Monday at midnight.
    """

    zone: str = "UTC"
    sleep: tuple[int, int] | None = None
    weekend: bool = False

    def stops(self, since: datetime) -> Iterator[Span]:
        """Yield, without end, when clocks that have been running since `since` are stopped."""
        first = since.astimezone(ZoneInfo(self.zone)).date() - 2 * _DAY
        return merge(self._nights(first), self._weekends(first))

    def _nights(self, first: date) -> Iterator[Span]:
        if self.sleep is None:
            return
        to_bed, up = self.sleep
        for day in _days_from(first):
            night = self._at(day, to_bed), self._at(day + _DAY if up <= to_bed else day, up)
            if night[0] < night[1]:  # an hour that a change of the clocks leaves out may hold all of it
                yield night

    def _weekends(self, first: date) -> Iterator[Span]:
        for day in _days_from(first) if self.weekend else ():
            if day.weekday() == _SATURDAY:
                yield self._at(day, 0), self._at(day + 2 * _DAY, 0)

    def _at(self, day: date, minute: int) -> datetime:
        return datetime.combine(day, time(minute // 60, minute % 60), ZoneInfo(self.zone)).astimezone(UTC)


def _days_from(first: date) -> Iterator[date]:
    return (first + number * _DAY for number in count())


def control_in_words(control: Control) -> str:
    """Return what a clock gives, e.g. “5 min + 10 s per turn, 10 min at most”."""
    if control.increment >= _HOUR:
        words = _("%(increment)s per turn, %(cap)s at most")
    else:
        words = _("%(start)s + %(increment)s per turn, %(cap)s at most")
    return words % _terms(control)


def pace_in_words(control: Control) -> str:
    """Return in short what a clock gives, e.g. “5 min + 10 s” or “1 day per turn”."""
    words = _("%(increment)s per turn") if control.increment >= _HOUR else "%(start)s + %(increment)s"
    return words % _terms(control)


def _terms(control: Control) -> dict[str, str]:
    spans = {"start": control.start, "increment": control.increment, "cap": control.cap}
    return {name: span_in_words(span) for name, span in spans.items()}


def span_in_words(span: timedelta) -> str:
    """Return a length of time in its largest fitting unit, or in days and hours."""
    days, hours = span // _DAY, span % _DAY // _HOUR
    in_days = ngettext("%(n)d day", "%(n)d days", days) % {"n": days}
    in_hours = ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
    if days:
        return f"{in_days} {in_hours}" if span % _DAY else in_days
    if not span % _HOUR and span:
        return in_hours
    if not span % _MINUTE and span:
        return _("%(n)d min") % {"n": span // _MINUTE}
    return _("%(n)d s") % {"n": span // _SECOND}


def longest_turn_in_words(control: Control | None, is_over_days: bool, vacations: bool) -> str:
    """Return how long one turn can last at worst; empty without a clock.

    Args:
        control: the clock.
        is_over_days: nights and weekends can stop it.
        vacations: those can, too.
    """
    if control is None:
        return ""
    if not is_over_days:
        return span_in_words(control.cap)
    turn = longest_turn(control)
    if not vacations:
        return in_half_days(turn)
    spans = {"turn": in_half_days(turn), "vacations": in_half_days(with_vacations(turn))}
    return _("%(turn)s, with vacations %(vacations)s") % spans


def in_half_days(span: timedelta) -> str:
    """Return a length of time in days, rounded up to half a day."""
    halves = -(-span // (_DAY / 2))
    words = number_format(halves / 2, decimal_pos=halves % 2)
    return ngettext("%(n)s day", "%(n)s days", -(-halves // 2)) % {"n": words}


def as_on_a_clock(span: timedelta) -> str:
    """Return a length of time as live clocks show it; a second that has begun counts as whole.

    >>> [as_on_a_clock(timedelta(seconds=seconds)) for seconds in (300, 3599.1, 7)]
    ['5:00', '1:00:00', '0:07']
    """
    minutes, seconds = divmod(-(-span // _SECOND), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def milliseconds(moment: datetime) -> int:
    """Return a moment in milliseconds since 1970, as the page needs it."""
    return int(moment.timestamp() * 1000)
