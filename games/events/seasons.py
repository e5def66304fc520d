"""The site's own events, for which nobody has to do anything: leagues and ladders of each game, season after season."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone

from games.engine.protocol import RuleViolation
from games.events import formats
from games.events.models import Entry, Event, committed_event
from games.events.rounds import heats_of, plan_of, players_of
from games.events.services import barred_until, rating_of
from games.matchmaking.seats import check_may_play
from games.play.models import Speed
from games.play.store import writing
from games.titles import titles


def open_missing(now: datetime) -> int:
    """Open an event of each game and row of `EVENTS` where there is none; return how many there were."""
    opened = 0
    for game in titles():
        for row in settings.EVENTS:
            last = Event.objects.filter(game=game, format=row["format"], season__isnull=False).order_by("season").last()
            if last is None or last.has_ended:
                opened += _open(game, row, last, now)
    return opened


def _open(game: str, row: Mapping[str, Any], last: Event | None, now: datetime) -> bool:
    """Open the next season; those who played the last one to its end are in it."""
    starts_at = first_start(now)
    season = committed_event(
        game=game,
        format=row["format"],
        season=1 if last is None else (last.season or 0) + 1,
        before=last,
        speed=Speed.DAYS,
        clock=row["clock"],
        want=row["seats"],
        least=row["least"],
        starts_at=starts_at,
        next_at=starts_at,
        ends_at=starts_at + timedelta(weeks=row["weeks"]) if row["weeks"] else None,
    )
    try:
        with writing():
            season.save()
            if last is not None:
                _renew(season, last)
    except IntegrityError:  # another worker was quicker
        return False
    return True


def first_start(now: datetime) -> datetime:
    """Return when a season starts that is opened now: the first Monday at 18:00 UTC that is three days away or more."""
    day = now.astimezone(UTC).date() + timedelta(days=3)
    monday = day + timedelta(days=-day.weekday() % 7)
    return datetime.combine(monday, time(18), UTC)


def _renew(season: Event, last: Event) -> None:
    """Enter those who were in the last season until its end, each in the division they have earned."""
    now, earned = timezone.now(), _earned(last)
    entries = list(last.entries.exclude(state=Entry.State.OUT).exclude(user=None).select_related("user"))
    for number, entry in enumerate(entry for entry in entries if _may_play(entry.user)):
        Entry.objects.create(
            event=season,
            user=entry.user,
            number=number,
            rating=rating_of(entry.user, season, now),
            state=entry.state,
            division=earned.get(entry.number),
            at_a_time=entry.at_a_time,
            confirmed_at=now,
        )


def _earned(last: Event) -> Mapping[int, int]:
    """Return in which divisions the players of a league begin the next season; of other events nothing."""
    entries = list(last.entries.all())
    plan = plan_of(last, entries)
    if plan.format is not formats.Format.LEAGUE:
        return {}
    return formats.next_divisions(formats.standings(plan, players_of(entries), heats_of(last)))


def _may_play(user: Any) -> bool:
    try:
        check_may_play(user)
    except RuleViolation:
        return False
    return not user.is_bot and barred_until(user, timezone.now()) is None
