"""Clocks in words."""

from __future__ import annotations

from datetime import timedelta

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.play.clocks.arithmetic import Control, longest_turn, with_vacations

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)
_MINUTE, _SECOND = timedelta(minutes=1), timedelta(seconds=1)


def control_in_words(control: Control) -> str:
    """Return what a clock gives, e.g. “5 min + 10 s per turn, 10 min at most”."""
    if control.increment >= _HOUR:
        words = _("%(increment)s per turn, %(cap)s at most")
    else:
        words = _("%(start)s + %(increment)s per turn, %(cap)s at most")
    return words % _spans(control)


def pace_in_words(control: Control) -> str:
    """Return in short what a clock gives, e.g. “5 min + 10 s” or “1 day per turn”."""
    words = _("%(increment)s per turn") if control.increment >= _HOUR else "%(start)s + %(increment)s"
    return words % _spans(control)


def _spans(control: Control) -> dict[str, str]:
    spans = {"start": control.start, "increment": control.increment, "cap": control.cap}
    return {name: span_in_words(span) for name, span in spans.items()}


def span_in_words(span: timedelta) -> str:
    """Return a length of time in its largest fitting unit, or in days and hours."""
    if not span % _DAY and span:
        return _days(span // _DAY)
    if span > _DAY:
        return f"{_days(span // _DAY)} {_hours(span % _DAY // _HOUR)}"
    if not span % _HOUR and span:
        return _hours(span // _HOUR)
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


def _days(count: int) -> str:
    return ngettext("%(n)d day", "%(n)d days", count) % {"n": count}


def _hours(count: int) -> str:
    return ngettext("%(n)d hour", "%(n)d hours", count) % {"n": count}


def as_on_a_clock(span: timedelta) -> str:
    """Return a length of time as live clocks show it; a second that has begun counts as whole.

    >>> [as_on_a_clock(timedelta(seconds=seconds)) for seconds in (300, 3599.1, 7)]
    ['5:00', '1:00:00', '0:07']
    """
    minutes, seconds = divmod(-(-span // _SECOND), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
