"""The site's own events, for which nobody has to do anything.

Leagues and ladders of each game, season after season, and a live evening every week, of the games in turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone

from games.engine.protocol import RuleViolation
from games.events.models import Entry, Event, committed_event
from games.events.services import barred_until, rating_of
from games.matchmaking.seats import check_may_play
from games.play.models import Speed
from games.play.store import writing
from games.titles import titles

OPENS_BEFORE: Final = timedelta(weeks=1)
"""How long before the end of a season the next one opens."""


def open_missing(now: datetime) -> int:
    """Open the event of each row of `EVENTS`, of each game where it is a season, that people cannot enter yet.

    Returns:
        how many were opened.
    """
    opened = 0
    for row in settings.EVENTS:
        own = Event.objects.filter(format=row["format"], season__isnull=False).order_by("season")
        if "weekday" in row:
            opened += _open_evening(row, own.last(), now)
        else:
            opened += sum(_open_season(game, row, own.filter(game=game).last(), now) for game in titles())
    return opened


def _open_evening(row: Mapping[str, Any], last: Event | None, now: datetime) -> bool:
    """Open the next evening as soon as the last one has begun."""
    if last is not None and now < last.starts_at:
        return False
    starts_at, length = first_evening(row, now), timedelta(minutes=row["minutes"])
    number = _number_after(last)
    return _opened(
        row,
        last,
        game=list(titles())[(number - 1) % len(titles())],
        season=number,
        speed=Speed.LIVE,
        rounds=row["rounds"],
        round_length=length,
        starts_at=starts_at,
        ends_at=starts_at + row["rounds"] * length,
    )


def first_evening(row: Mapping[str, Any], now: datetime) -> datetime:
    """Return when an evening begins that is opened now: at its weekday and hour, a day away or more."""
    zone = ZoneInfo(row["zone"])
    day = now.astimezone(zone).date() + timedelta(days=1)
    day += timedelta(days=(row["weekday"] - day.weekday()) % 7)
    at = datetime.combine(day, time(row["hour"]), zone)
    return (at if at >= now + timedelta(days=1) else at + timedelta(weeks=1)).astimezone(UTC)


def _open_season(game: str, row: Mapping[str, Any], last: Event | None, now: datetime) -> bool:
    """Open the next season when the last one is over, or is soon; those who still play that one are in it."""
    begins = now
    if last is not None and not last.has_ended:
        if last.ends_at is None or now < last.ends_at - OPENS_BEFORE:
            return False
        begins = max(now, last.ends_at - _AHEAD)
    starts_at = first_start(begins)
    ends_at = starts_at + timedelta(weeks=row["weeks"]) if row["weeks"] else None
    return _opened(
        row, last, game=game, season=_number_after(last), speed=Speed.DAYS, starts_at=starts_at, ends_at=ends_at
    )


def _number_after(last: Event | None) -> int:
    return 1 if last is None else (last.season or 0) + 1


def _opened(row: Mapping[str, Any], last: Event | None, **fields: Any) -> bool:
    """Store what follows the last event of a row; return whether no other worker was quicker."""
    own = {"format": row["format"], "clock": row["clock"], "want": row["seats"], "least": row["least"]}
    event = committed_event(before=last, next_at=fields["starts_at"], **own, **fields)
    try:
        with writing():
            event.save()
            if last is not None and not event.is_evening:
                _renew(event, last)
    except IntegrityError:
        return False
    return True


_AHEAD: Final = timedelta(days=3)


def first_start(now: datetime) -> datetime:
    """Return when a season starts that is opened now: the first Monday at 18:00 UTC that is three days away or more."""
    day = now.astimezone(UTC).date() + _AHEAD
    monday = day + timedelta(days=-day.weekday() % 7)
    return datetime.combine(monday, time(18), UTC)


def _renew(season: Event, last: Event) -> None:
    """Enter those who have not left the last season; in which division they begin is seen at the start."""
    now = timezone.now()
    entries = list(last.entries.exclude(state=Entry.State.OUT).exclude(user=None).select_related("user"))
    for number, entry in enumerate(entry for entry in entries if _may_play(entry.user)):
        Entry.objects.create(
            event=season,
            user=entry.user,
            number=number,
            rating=rating_of(entry.user, season, now),
            state=entry.state,
            at_a_time=entry.at_a_time,
            confirmed_at=now,
        )


def _may_play(user: Any) -> bool:
    try:
        check_may_play(user)
    except RuleViolation:
        return False
    return not user.is_bot and barred_until(user, timezone.now()) is None
