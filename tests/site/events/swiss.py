"""Swiss tournaments that go on when a test says so, without a clock that is moved."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.events import rounds, services
from games.events.models import Event, committed_event
from games.play import commands
from games.play.models import Match, Speed
from tests.people import play_on

CLOCKS = {Speed.LIVE: "300+5/600", Speed.DAYS: "86400+14400/259200"}
ACTED = 8
"""Actions after which both players of a match have acted."""


def opened(people: Iterable[User], speed: Speed = Speed.DAYS, rounds_: int = 2, nonce: bytes = b"") -> Event:
    """Return a Swiss that starts in an hour, with these people in it."""
    start = timezone.now() + timedelta(hours=1)
    plan: dict[str, Any] = {"want": 2, "least": 2, "rounds": rounds_, "starts_at": start, "next_at": start}
    event = committed_event(game="shifting-stones", format="swiss", speed=speed, clock=CLOCKS[speed], **plan)
    event.save()
    for user in people:
        services.enter(user, event.slug, nonce=nonce)
    return event


def start(event: Event) -> None:
    """Let an event start now, with everybody who has entered."""
    now = timezone.now()
    event.entries.update(confirmed_at=now)
    Event.objects.filter(pk=event.pk).update(starts_at=now, next_at=now)
    go_on(event)


def go_on(event: Event) -> None:
    """Let the job look at an event until there is nothing to do."""
    while rounds.go_on(event.pk):
        pass


def end_round(event: Event) -> None:
    """Let somebody resign in each match that runs, and the event go on."""
    for match in Match.objects.filter(heat__event=event, status=Match.Status.RUNNING):
        resign(match)
    go_on(event)


def resign(match: Match) -> None:
    """Let somebody resign a match in which all have acted: who has not counts as not having come."""
    play_on(match, ACTED)
    commands.resign(match.pk, 0, f"resigns-{match.pk}")


def in_each_state(people: Iterable[User]) -> dict[str, Event]:
    """Return a Swiss that is open, one that runs and one that is over, by state, with the same people in each."""
    found = {state: opened(people) for state in (Event.State.OPEN, Event.State.RUNNING, Event.State.OVER)}
    for state in (Event.State.RUNNING, Event.State.OVER):
        start(found[state])
        end_round(found[state])
    end_round(found[Event.State.OVER])
    return {str(state): event for state, event in found.items()}
