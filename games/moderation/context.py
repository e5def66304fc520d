"""What moderators are shown before they decide.

Other apps can add sections to the pages of cases, people and matches (in `AppConfig.ready`)::

    register_section("fair-play", findings)

`findings(subject)` returns HTML, or an empty string if there is nothing to show to this reader.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, TypeAlias

from allauth.usersessions.models import UserSession
from django.db.models import Max, Q, QuerySet
from django.utils.safestring import SafeString

from accounts import logins
from accounts.models import Sanction, User
from games.chat.models import Message, Room
from games.clubs.models import Club, Member
from games.moderation.access import cases_for, deeds_for, takes_part
from games.moderation.decisions import with_replaced
from games.moderation.models import Case, Deed, Report
from games.play.models import Match, Seat

AROUND: Final = 5
"""Messages shown before and after a reported one."""

MOST: Final = 20
"""Rows shown of any other list."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A device (a browser in a network) that another account has used too."""

    person: User
    device: str


@dataclass(frozen=True, slots=True)
class ReportShown:
    """A report with the messages around it, and the matches of the two people."""

    report: Report
    messages: Sequence[Message]
    matches: Sequence[Match]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people in one match, with their other matches and the devices that both have used."""

    people: tuple[User, User]
    matches: Sequence[Match]
    devices: Sequence[str]


def reports_of(case: Case, reader: User | None) -> list[ReportShown]:
    """Return the reports of a case, the latest first, without messages from rooms that are `closed_to` the reader.

    For an operator, who may read everything, the reader is None.
    """
    closed = set(closed_to(reader).values_list("pk", flat=True))
    found = []
    for report in case.reports.select_related("by", "person", "match", "message__author", "message__room__match"):
        message = report.message
        if message is not None and message.room_id in closed:
            message, report.quote = None, ""
        found.append(ReportShown(report, around(message), between(report.by, report.person)))
    return found


def reports_for(reader: User) -> QuerySet[Report]:
    """Return the reports that a moderator may read, without those of messages in rooms that are `closed_to` them."""
    return Report.objects.filter(case__in=cases_for(reader)).exclude(message__room__in=closed_to(reader))


def closed_to(reader: User | None) -> QuerySet[Room]:
    """Return the rooms that a moderator may not read: those for spectators of a match they are playing."""
    if reader is None:
        return Room.objects.none()
    own = {"match__status": Match.Status.RUNNING, "match__seats__user": reader}
    return Room.objects.filter(kind=Room.Kind.WATCHERS, **own)


def around(message: Message | None) -> list[Message]:
    """Return a message with those before and after it, deleted ones included; nothing for None."""
    if message is None:
        return []
    room = Message.objects.filter(room=message.room).select_related("author")
    before = list(room.filter(pk__lt=message.pk).order_by("-pk")[:AROUND])
    after = list(room.filter(pk__gt=message.pk).order_by("pk")[:AROUND])
    return [*reversed(before), message, *after]


def between(one: Any, other: Any) -> list[Match]:
    """Return the latest matches in which two people both sat."""
    if one is None or other is None or one == other:
        return []
    theirs = Seat.objects.filter(user=other).values("match")
    return list(Match.objects.filter(seats__user=one, pk__in=theirs).order_by("-created_at")[:MOST])


def shared_devices(person: User) -> list[Shared]:
    """Return which other accounts have used a device of somebody, the last seen first."""
    own = set(UserSession.objects.filter(user=person).exclude(user_agent="").values_list("ip", "user_agent"))
    if not own:
        return []
    same = Q(*(Q(ip=ip, user_agent=agent) for ip, agent in own), _connector=Q.OR)
    rows = UserSession.objects.filter(same).exclude(user=person).order_by()
    latest = rows.values("user").annotate(latest=Max("last_seen_at")).order_by("-latest", "user")[:MOST]
    found: dict[int, set[str]] = {row["user"]: set() for row in latest}
    for key, agent in rows.filter(user__in=list(found)).values_list("user", "user_agent").distinct():
        found[key].add(logins.describe_device(agent))
    people = User.objects.in_bulk(found)
    return [Shared(people[key], device) for key, known in found.items() for device in sorted(known)]


def pairs_in(match: Match, seats: Sequence[Seat], reader: User | None) -> list[Pair]:
    """Return the pairs of people in a match who share devices or other matches; none if the reader takes part in it.

    For an operator, who may read everything, the reader is None.
    """
    if takes_part(reader, match):
        return []
    people = [seat.user for seat in seats if seat.user is not None]
    used: dict[int, set[tuple[str, str]]] = {person.pk: set() for person in people}
    sessions = UserSession.objects.filter(user__in=people).exclude(user_agent="")
    for key, ip, agent in sessions.values_list("user", "ip", "user_agent"):
        used[key].add((ip, agent))
    pairs = []
    for one, other in combinations(people, 2):
        matches = [met for met in between(one, other) if met != match]
        shared = sorted({logins.describe_device(agent) for _ip, agent in used[one.pk] & used[other.pk]})
        if matches or shared:
            pairs.append(Pair((one, other), matches, shared))
    return pairs


def written_by(person: User, reader: User | None) -> QuerySet[Message]:
    """Return the messages of somebody that a moderator may read, the latest first; of direct ones, those reported."""
    reported = Report.objects.exclude(message=None).values("message")
    allowed = ~Q(room__kind__in=(Room.Kind.DIRECT, Room.Kind.CLUB)) | Q(pk__in=reported)
    return _texts(reader).filter(allowed, author=person)


def written_in(match: Match, reader: User | None) -> QuerySet[Message]:
    """Return the messages in the rooms of a match that a moderator may read, the latest first."""
    return _texts(reader).filter(room__match=match)


def _texts(reader: User | None) -> QuerySet[Message]:
    found = Message.objects.exclude(text="").exclude(room__in=closed_to(reader))
    return found.select_related("author", "room__match")


def about_person(person: User, reader: User) -> dict[str, Any]:
    """Return what a moderator may know about somebody, for templates; about themselves neither reports nor deeds."""
    return {
        "subject": person,
        "sanctions": list(Sanction.objects.filter(user=person)[:MOST]),
        "reports_about": [] if person == reader else list(person.reported.select_related("by", "case")[:MOST]),
        "deeds": list(deeds_shown(reader).filter(person=person)[:MOST]),
        "shared": shared_devices(person),
        "former_names": list(person.former_names.all()[:MOST]),
        "latest": latest_of(person),
        "written": list(written_by(person, reader)[:AROUND]),
    }


def latest_of(person: User) -> list[Match]:
    """Return the latest matches in which somebody sat."""
    return list(Match.objects.filter(seats__user=person).order_by("-created_at")[:AROUND])


def about_match(match: Match, reader: User) -> dict[str, Any]:
    """Return what a moderator may know about a match, for templates."""
    seats = list(match.seats.select_related("user").order_by("number"))
    return {
        "match": match,
        "seats": seats,
        "pairs": pairs_in(match, seats, reader),
        "ruling": getattr(match, "ruling", None),
        "match_deeds": list(deeds_shown(reader).filter(match=match)[:MOST]),
        "match_messages": list(written_in(match, reader)[:MOST]),
    }


def about_club(club: Club) -> dict[str, Any]:
    """Return what a moderator may know about a club, for templates: not what its members write to each other."""
    members = club.members.select_related("user")
    return {
        "club": club,
        "owners": list(members.filter(role=Member.Role.OWNER)[:MOST]),
        "number": members.count(),
        "club_cases": list(club.cases.all()[:MOST]),
    }


def deeds_shown(reader: User) -> QuerySet[Deed]:
    """Return the deeds that a moderator may read, the latest first, with the rows they refer to and `is_replaced`."""
    return with_replaced(with_people(deeds_for(reader)))


def with_people(deeds: QuerySet[Deed]) -> QuerySet[Deed]:
    return deeds.select_related("by", "person", "match", "case", "sanction")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a page of moderators is about (a person, a match or both), and who reads it."""

    reader: User
    person: User | None = None
    match: Match | None = None


Section: TypeAlias = Callable[[Subject], SafeString]

_sections: dict[str, Section] = {}


def register_section(name: str, section: Section) -> None:
    """Add a section to the pages of moderators, or replace the one of this name."""
    _sections[name] = section


def sections_of(subject: Subject) -> list[SafeString]:
    """Return the sections that are not empty, in the order in which they were registered."""
    return [html for section in _sections.values() if (html := section(subject))]
