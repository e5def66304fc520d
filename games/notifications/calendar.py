"""The calendar of a person's deadlines (RFC 5545), at a secret address; and of a planned table.

Only clocks over days are shown: calendar programs ask every few hours.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import Alarm, Calendar, Event

from accounts.mail import in_words_of
from accounts.models import User
from accounts.names import isolated
from games.notifications.models import Preferences
from games.play.access import access_match
from games.play.models import Match, Seat, Speed

BEFORE = timedelta(hours=2)
"""How long before a deadline the calendar reminds."""

BEFORE_TABLE = timedelta(minutes=10)
"""How long before a planned table opens the calendar reminds."""

FRESH = timedelta(minutes=15)
_AGAIN = timedelta(hours=1)


@require_safe
def personal_calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Return the calendar that a key belongs to, in its owner's language. No login: calendar programs have none.

    Calendar programs often ask for English, whoever their user is, so the request's own language is ignored.
    """
    preferences = Preferences.objects.filter(feed_key=key, user__is_active=True).select_related("user").first()
    if preferences is None:
        raise Http404
    language = preferences.user.language or preferences.language or translation.get_language()
    with in_words_of(preferences.user), translation.override(language):
        body = calendar_of(preferences.user).to_ical()
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Cache-Control"] = f"private, max-age={FRESH // timedelta(seconds=1)}"
    return response


@require_safe
def table_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a planned table as a file for a calendar program."""
    match = access_match(request.user, slug).match
    if not match.is_planned:
        raise Http404
    found = _empty()
    found.add_component(_planned(match))
    response = HttpResponse(found.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="tessera-{match.slug}.ics"'
    return response


def _empty() -> Calendar:
    found = Calendar()
    found.add("prodid", "-//Tessera//Deadlines//EN")
    found.add("version", "2.0")
    return found


def calendar_of(user: User) -> Calendar:
    """Return one event for each of a person's running day clocks, at its deadline, and for each table they come to."""
    found = _empty()
    found.add("name", _("Tessera: my turns"))
    found.add("x-wr-calname", _("Tessera: my turns"))
    found.add("refresh-interval", _AGAIN, parameters={"VALUE": "DURATION"})
    seats = Seat.objects.filter(user=user, to_move=True, left=None, deadline__isnull=False)
    seats = seats.filter(match__status=Match.Status.RUNNING, match__speed=Speed.DAYS)
    for seat in seats.order_by("deadline", "pk").select_related("match").prefetch_related("match__seats__user"):
        found.add_component(_turn(seat))
    for match in Match.objects.filter(promises__user=user, status=Match.Status.PLANNED).order_by("opens_at", "pk"):
        found.add_component(_planned(match))
    return found


def _turn(seat: Seat) -> Event:
    game, others = seat.match.rules.name, ", ".join(it.name for it in seat.match.seats.all() if it.pk != seat.pk)
    event = _event(seat.match, str(seat.number), seat.deadline, _("%(game)s: your time is up") % {"game": game})
    words = _("Your time to move against %(others)s runs out.") % {"others": others}
    event.add("description", f"{words}\n{event['url']}")
    event.add("transp", "TRANSPARENT")
    event.add_component(_alarm(_("%(game)s: your turn") % {"game": game}, BEFORE))
    return event


def _planned(match: Match) -> Event:
    """Return a planned table at the time when it opens; nobody knows how long a match takes."""
    words = _("%(game)s: the table opens") % {"game": match.rules.name}
    event = _event(match, "table", match.opens_at, words)
    event.add("description", " ".join(filter(None, (isolated(match.note), str(event["url"])))))
    event.add_component(_alarm(words, BEFORE_TABLE))
    return event


def _event(match: Match, what: str, at: datetime | None, summary: str) -> Event:
    event = Event()
    event.add("uid", f"{match.slug}-{what}@{urlsplit(settings.SITE_URL).hostname}")
    event.add("dtstamp", timezone.now())
    event.add("dtstart", at)
    event.add("summary", summary)
    event.add("url", f"{settings.SITE_URL}{match.get_absolute_url()}")
    return event


def _alarm(words: str, before: timedelta) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", words)
    alarm.add("trigger", -before)
    return alarm
