"""What happens to people in their calendar programs (RFC 5545): deadlines, planned tables, and what other apps know.

Everybody has one calendar, whose address they keep secret; what is planned can also be had as a file, alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Event

from accounts.models import User
from accounts.names import isolated
from games.notifications.messages import listed
from games.play.models import Match, Seat, Speed

REMIND_OF_DEADLINE: Final = timedelta(hours=2)
"""How long before a deadline the calendar reminds."""

LAST_CALL: Final = timedelta(minutes=15)
"""How long the entry of a deadline is; it ends with the time for the turn."""

AN_EVENING: Final = timedelta(hours=1)
"""How long the entry of a planned table is; nobody knows how long a match takes."""

REMIND_OF_BEGIN: Final = timedelta(minutes=10)
"""How long before something begins the calendar reminds."""

Source: TypeAlias = Callable[[User], Iterable[Event]]
"""Returns entries for the calendar of somebody, in the language that is active."""

_sources: list[Source] = []


def register(source: Source) -> None:
    """Add entries to everybody's calendar; apps do this when they are ready."""
    if source not in _sources:
        _sources.append(source)


# --- calendars --------------------------------------------------------------------------------------------------------


def calendar(entries: Iterable[Event]) -> Calendar:
    """Return a calendar with these entries."""
    found = Calendar()
    found.add("prodid", "-//Tessera//Deadlines//EN")
    found.add("version", "2.0")
    for entry in entries:
        found.add_component(entry)
    return found


def calendar_of(user: User) -> Calendar:
    """Return what happens to somebody: deadlines of day clocks, tables they come to, and what `register` added."""
    entries = [*_turns(user), *_tables(user), *(entry for source in _sources for entry in source(user))]
    found = calendar(entries)
    found.add("name", _("Tessera: my turns"))
    found.add("x-wr-calname", _("Tessera: my turns"))
    found.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    return found


def answer(found: Calendar, name: str = "") -> HttpResponse:
    """Return a calendar as an answer; with a name, as a file called so."""
    response = HttpResponse(found.to_ical(), content_type="text/calendar; charset=utf-8")
    if name:
        response["Content-Disposition"] = f'attachment; filename="{name}.ics"'
    return response


# --- their entries ----------------------------------------------------------------------------------------------------


def entry(key: str, begin: datetime, end: datetime, words: str, path: str, *, note: str = "") -> Event:
    """Return something that lasts a while, with a reminder of its begin.

    Args:
        key: tells it from all others of the site, and stays the same when it is moved.
        begin, end: when.
        words: what it is.
        path: of its page.
        note: more about it, stands before the address of the page.
    """
    found = _entry(key, begin, end, words, path, note=note)
    found.add_component(_alarm(words, REMIND_OF_BEGIN))
    return found


def deadline(key: str, at: datetime, words: str, path: str) -> Event:
    """Return a deadline, with a reminder; it keeps nobody from being free then. The arguments are those of `entry`."""
    found = _entry(key, at - LAST_CALL, at, words, path)
    found.add("transp", "TRANSPARENT")
    found.add_component(_alarm(words, REMIND_OF_DEADLINE, of="END"))
    return found


def table_entry(match: Match, reader: Any) -> Event:
    """Return a planned table from the time when it opens, with the names of the others who come."""
    names = listed([it.user.shown_name for it in match.promises.all() if it.user_id != reader.pk])
    words = _("%(game)s with %(names)s") if names else _("%(game)s: the table opens")
    words %= {"game": match.rules.name, "names": names}
    opens: Any = match.opens_at  # as every planned table has one
    return entry(f"{match.slug}-table", opens, opens + AN_EVENING, words, match.get_absolute_url(), note=match.note)


def _turns(user: User) -> Iterable[Event]:
    seats = Seat.objects.filter(user=user, to_move=True, left=None, deadline__isnull=False)
    seats = seats.filter(match__status=Match.Status.RUNNING, match__speed=Speed.DAYS)
    for seat in seats.order_by("deadline", "pk").select_related("match").prefetch_related("match__seats__user"):
        names = listed([it.name for it in seat.match.seats.all() if it.pk != seat.pk])
        words = _("%(game)s with %(names)s: your time runs out") % {"game": seat.match.rules.name, "names": names}
        at: Any = seat.deadline  # as only seats with one are asked for
        yield deadline(f"{seat.match.slug}-{seat.number}", at, words, seat.match.get_absolute_url())


def _tables(user: User) -> Iterable[Event]:
    tables = Match.objects.filter(promises__user=user, status=Match.Status.PLANNED).order_by("opens_at", "pk")
    return (table_entry(match, user) for match in tables.prefetch_related("promises__user"))


def _entry(key: str, begin: datetime, end: datetime, words: str, path: str, *, note: str = "") -> Event:
    address = f"{settings.SITE_URL}{path}"
    found = Event()
    found.add("uid", f"{key}@{urlsplit(settings.SITE_URL).hostname}")
    found.add("dtstamp", timezone.now())
    found.add("dtstart", begin)
    found.add("dtend", end)
    found.add("summary", words)
    found.add("url", address)
    found.add("description", " ".join(filter(None, (isolated(note), address))))
    return found


def _alarm(words: str, before: timedelta, of: str = "START") -> Alarm:
    """Return a reminder some time before the start or the end of an entry."""
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", words)
    alarm.add("trigger", -before, parameters={"RELATED": of})
    return alarm
