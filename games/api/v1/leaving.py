"""What is leaving version 1, until when it stays, and how programs are told.

Version 1 only grows, but for what has been leaving for twelve months. It begins with a line in `LEAVING`: the document
then says `deprecated`, answers carry `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), and the guide lists it. When its
time is over, the line goes together with what it names; `growth` sees to it that nothing goes before.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.conf import settings
from django.utils.http import http_date

from games.api.v1 import ROOT

NOTICE: Final = timedelta(days=366)
"""How long before something goes it is announced: twelve months, also in a leap year."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """Something that is leaving.

    Args:
        what: an operation, "GET /me/friends"; a field of a schema, "Person.guest"; a value of one, "Level=novice"; or
            the whole version, which is empty.
        since: the day on which it was announced.
        instead: what to use instead, as a sentence in English.
        told_by: for fields and values: the operations whose answers tell of it.
    """

    what: str
    since: date
    instead: str
    told_by: tuple[str, ...] = ()

    @property
    def until(self) -> date:
        """Return the day on which it may go."""
        return self.since + NOTICE

    def is_told_by(self, operation: str) -> bool:
        return self.what in {"", operation} or operation in self.told_by


LEAVING: Final[tuple[Leaving, ...]] = ()


def headers_of(operation: str) -> dict[str, str]:
    """Return the headers with which answers of an operation, as "GET /me/friends", tell of what is leaving."""
    told = [each for each in LEAVING if each.is_told_by(operation)]
    if not told:
        return {}
    since, until = (_moment(min(days)) for days in ([it.since for it in told], [it.until for it in told]))
    return {
        "Deprecation": f"@{since:.0f}",
        "Sunset": http_date(until),
        "Link": f'<{settings.SITE_URL}/api/#versions>; rel="deprecation"; type="text/html"',
    }


def _moment(day: date) -> float:
    return datetime.combine(day, time(), UTC).timestamp()


def mark(document: MutableMapping[str, Any], leaving: Sequence[Leaving]) -> None:
    """Mark in an OpenAPI document what is leaving; it is also listed as `x-leaving`, where `growth` reads it.

    Raises:
        KeyError: something is not there.
    """
    for each in leaving:
        for holder, key in places_of(document, each.what):
            if isinstance(holder, MutableMapping):
                holder[key] |= {"deprecated": True, "x-sunset": each.until.isoformat()}
    if leaving:
        document["x-leaving"] = [
            {"what": it.what, "since": it.since.isoformat(), "until": it.until.isoformat(), "instead": it.instead}
            for it in leaving
        ]


def places_of(document: Mapping[str, Any], what: str) -> list[tuple[Any, Any]]:
    """Return where something stands in a document, each time as what holds it and its key there.

    These are operations within their addresses, a field within its schema, or a value within a list.

    Raises:
        KeyError: it is not there.
    """
    if not what:
        return [(operations, method) for operations in document["paths"].values() for method in operations]
    if " " in what:
        method, path = what.split(" ")
        holder, key = document["paths"][f"{ROOT}{path}"], method.lower()
    elif "=" in what:
        name, key = what.split("=")
        holder = document["components"]["schemas"][name]["enum"]
    else:
        name, key = what.split(".")
        holder = document["components"]["schemas"][name]["properties"]
    if key not in holder:
        raise KeyError(what)
    return [(holder, holder.index(key) if isinstance(holder, list) else key)]
