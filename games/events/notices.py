"""What people are told of events: whether they still want to play, that they are paused, and where they have come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from games.events import formats
from games.events.access import known_to
from games.events.models import Entry, Event
from games.notifications import validity
from games.notifications.models import Kind, Notice
from games.notifications.services import notify_of_event, settle_of_event, told_of_event, withdraw_of_event
from games.play.store import writing


class Why(StrEnum):
    """Why somebody is not paired any more: the `why` of a notice of the kind "paused"."""

    ABSENT = "absent"
    UNCONFIRMED = "unconfirmed"
    BARRED = "barred"


def ask_to_confirm(now: datetime) -> int:
    """Ask those who entered early whether they still play the events that start within a day; return how many."""
    soon = Event.objects.filter(state=Event.State.OPEN, starts_at__gt=now, starts_at__lte=now + timedelta(days=1))
    return sum(_ask(key) for key in soon.values_list("pk", flat=True))


def _ask(key: int) -> int:
    with writing():
        event = Event.objects.select_for_update(no_key=True).defer("drawn").get(pk=key)
        early = event.unconfirmed().exclude(user=None)
        people = list(early.exclude(user__in=told_of_event(Kind.CONFIRM, event.slug)).values_list("user", flat=True))
        if event.is_open and people:
            notify_of_event(Kind.CONFIRM, people, **_about(event), starts_at=event.starts_at.isoformat())
            return len(people)
    return 0


def tell_paused(event: Event, people: Collection[int], why: Why) -> None:
    """Tell people that they are not paired any more, inside the transaction."""
    if people:
        notify_of_event(Kind.PAUSED, people, **_about(event), why=why)


def tell_over(event: Event, rows: Iterable[formats.Row]) -> None:
    """Tell everybody who has not left that an event is over, and where they stand; inside the transaction.

    Args:
        event: over, or called off.
        rows: its standings.
    """
    stayed = event.entries.exclude(state=Entry.State.OUT).exclude(user=None)
    people = dict(stayed.values_list("number", "user"))
    found = {row.person: row for row in rows if row.person in people or row.heats or row.byes}
    size = Counter(row.division for row in found.values())
    for number, user in people.items():
        details: dict[str, Any] = {"called_off": event.state == Event.State.CANCELLED}
        if row := found.get(number):
            details |= {"place": row.place, "of": size[row.division]}
            details |= {"division": row.division} if len(size) > 1 else {}
        notify_of_event(Kind.SEASON, [user], **_about(event), **details)


def tell_called_off(event: Event) -> None:
    """Tell everybody who has not left that its organisers have called an event off; inside the transaction."""
    stayed = event.entries.exclude(state=Entry.State.OUT).exclude(user=None)
    people = list(stayed.values_list("user", flat=True))
    if people:
        notify_of_event(Kind.SEASON, people, **_about(event), called_off=True, by_organisers=True)


def ask_again(event: Event) -> None:
    """Let everybody who has entered be asked whether they play it as it is now, inside the transaction."""
    withdraw_of_event(Kind.CONFIRM, event.slug)
    event.entries.exclude(state=Entry.State.OUT).update(confirmed_at=event.confirm_from - timedelta(seconds=1))


def settle(user: Any, event: Event) -> None:
    """Count what asked somebody for an answer as seen: they have given it."""
    settle_of_event(user, event.slug)


def _about(event: Event) -> dict[str, str]:
    return {"event": event.slug, "game": event.game}


# --- whether it is still true -----------------------------------------------------------------------------------------


def _entry(notice: Notice) -> Entry | None:
    entries = Entry.objects.filter(event__slug=notice.details["event"], user=notice.user_id)
    return entries.select_related("event").first()


def _asks(notice: Notice, now: datetime) -> bool:
    """Return whether the event has not begun, and its reader, who is in, has not confirmed."""
    entry = _entry(notice)
    return entry is not None and entry.event.lacks_confirmation(entry) and now < entry.event.starts_at


def _is_paused(notice: Notice, now: datetime) -> bool:
    entry = _entry(notice)
    if entry is None or entry.event.has_ended:
        return False
    return entry.is_out if notice.details["why"] == Why.BARRED else entry.is_paused


validity.register(Kind.CONFIRM, _asks)
validity.register(Kind.PAUSED, _is_paused)


def _may_know(notice: Notice, _now: datetime) -> bool:
    entry = _entry(notice)
    return entry is not None and known_to(notice.user).filter(pk=entry.event_id).exists()


validity.register(Kind.SEASON, _may_know)
