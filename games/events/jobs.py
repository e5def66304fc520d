"""The jobs of events: one lets each go on, one asks who still plays, one keeps the site's own seasons coming."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Min
from django.utils import timezone

from games.events import notices, rounds
from games.events.models import Event
from games.events.seasons import open_missing
from games.play import jobs


class Rounds:
    """Starts, draws, begins and ends what is due in each event."""

    name = "events"

    def run_due(self, now: datetime) -> int:
        keys = rounds.due(now).exclude(pk__in=jobs.waiting(self.name, now)).values_list("pk", flat=True)
        return jobs.attempt_each(self.name, list(keys), rounds.go_on)

    def next_due(self) -> datetime | None:
        free = Event.objects.exclude(pk__in=jobs.waiting(self.name, timezone.now()))
        first: datetime | None = free.aggregate(first=Min("next_at"))["first"]
        return first


class Confirmations(jobs.Periodic):
    """Asks those who entered early, a day before an event starts, whether they still want to play."""

    name = "confirmations"
    every = timedelta(minutes=1)

    def look(self, now: datetime) -> int:
        return notices.ask_to_confirm(now)


class Seasons(jobs.Periodic):
    """Opens the leagues and ladders that `EVENTS` names and that nobody can enter yet."""

    name = "seasons"
    every = timedelta(minutes=5)

    def look(self, now: datetime) -> int:
        return open_missing(now)


jobs.register(Rounds())
jobs.register(Confirmations())
jobs.register(Seasons())
