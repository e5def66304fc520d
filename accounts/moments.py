"""Dates and times: their format on every page, and the time zones to choose from.

The server writes them in the language of the page and the time zone of the account. static/site/moments.js then
rewrites them in the format of the browser's locale and, for visitors, in its time zone.

Templates have the filters `{{ match.ended_at|moment }}` and `{{ person.date_joined|moment:"date" }}`. On pages, moments
within a week are named by their day ("yesterday, 14:05"). What is read later, or cannot contain `<time>`, has
`moment_text`: emails, files, drawings and attributes.
"""

from __future__ import annotations

import zoneinfo
from datetime import UTC, date, datetime, time
from functools import cache, lru_cache
from typing import Literal

from django import template
from django.utils import timezone, translation
from django.utils.formats import date_format, time_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

REGIONS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")

Group = tuple[str, list[tuple[str, str]]]


@cache
def zone_names() -> frozenset[str]:
    """Return the names of the time zones that users can choose: the IANA names of places, and UTC."""
    places = (name for name in zoneinfo.available_timezones() if name.split("/")[0] in REGIONS and "/" in name)
    return frozenset({"UTC", *places})


@cache
def zone_groups() -> tuple[Group | tuple[str, str], ...]:
    """Return the choices of a drop-down list: UTC, then a group of places for each region."""
    groups: dict[str, list[tuple[str, str]]] = {region: [] for region in REGIONS}
    for name in sorted(zone_names() - {"UTC"}):
        region, _, place = name.partition("/")
        groups[region].append((name, place.replace("_", " ").replace("/", ", ")))
    return (("UTC", "UTC"), *groups.items())


def today() -> date:
    """Return the day in UTC: that of what is the same for everybody, as puzzles and deals."""
    return timezone.now().astimezone(UTC).date()


def known_zone(name: str) -> str:
    """Return the name of a time zone that a browser sent, UTC if users cannot choose it."""
    return name if name in zone_names() else "UTC"


def zone(name: str) -> zoneinfo.ZoneInfo:
    """Return the time zone with this name, UTC if it is unknown."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return zoneinfo.ZoneInfo("UTC")


Kind = Literal["date", "moment", "deadline", "until", "age", "left"]


DAYS_KNOWN_BY_NAME = 6
"""How many days before and after today a weekday names just one day."""

_NAMED = {-1: _("yesterday, %(time)s"), 0: _("today, %(time)s"), 1: _("tomorrow, %(time)s")}


def shown(at: datetime, kind: Kind = "moment") -> str:
    """Return an aware moment as pages show it now, in the active time zone and language.

    Args:
        at: the moment.
        kind: "date" is always in full ("21 Nov 2026"). Within a week "moment" reads "today, 14:05" or "Sat, 14:05",
            and "deadline", which stands in sentences ("opens on"), "Sat, 14:05"; else both are as `in_words` returns
            them. Three more read like a deadline until the script rewrites them: "age" ("5 minutes ago"), "left" ("in 5
            minutes"), and "until", which is short enough for a phone (beyond a week "21 Nov").
    """
    local = timezone.localtime(at)
    days = (local.date() - timezone.localdate()).days
    if kind == "date" or abs(days) > DAYS_KNOWN_BY_NAME:
        return in_words(at, kind)
    if kind == "moment" and days in _NAMED:
        return str(_NAMED[days]) % {"time": _time(local)}
    return f"{_day(local, 'D')}, {_time(local)}"


def in_words(at: datetime, kind: Kind = "moment") -> str:
    """Return an aware moment in full, as plain text in the active time zone and language.

    Args:
        at: the moment.
        kind: "date" ("21 Nov 2026"), "moment" ("21 Nov 2026, 14:05"), or any other ("Sat, 21 Nov, 14:05").
    """
    local = timezone.localtime(at)
    if kind == "date":
        return _day(local, "DATE_FORMAT")
    return f"{_day(local, 'DATE_FORMAT' if kind == 'moment' else 'MONTH_DAY_FORMAT')}, {_time(local)}"


def _day(local: datetime, form: str) -> str:
    return _day_once(local.date(), form, translation.get_language())


def _time(local: datetime) -> str:
    return _time_once(local.hour, local.minute, translation.get_language())


@lru_cache(10_000)
def _day_once(day: date, form: str, language: str | None) -> str:
    """Return a day as the active language writes it: in Italian, days of the week are not capitalised."""
    written = date_format(day, form)
    return written.lower() if language == "it" else written


@lru_cache(10_000)
def _time_once(hour: int, minute: int, _language: str | None) -> str:
    return time_format(time(hour, minute), "TIME_FORMAT")


def with_zone(at: datetime) -> str:
    """Return an aware moment in full with its time zone ("Sat, 21 Nov, 14:05 CET"), for emails and tooltips."""
    return f"{in_words(at, 'deadline')} {timezone.localtime(at):%Z}"


def element(at: datetime, kind: Kind = "moment") -> SafeString:
    """Return an aware moment as the `<time>` element that every page uses; `kind` as for `shown`."""
    return format_html(
        '<time datetime="{}" data-moment="{}">{}</time>',
        timezone.localtime(at).isoformat(timespec="seconds"),
        kind,
        shown(at, kind),
    )


def element_of_day(day: date) -> SafeString:
    """Return a day that does not depend on the time zone as a `<time>` element, written like a "date"."""
    return format_html(
        '<time datetime="{}" data-moment="day">{}</time>', day.isoformat(), date_format(day, "DATE_FORMAT")
    )


register = template.Library()
register.filter("moment", element)
register.filter("moment_text", in_words)
