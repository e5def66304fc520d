"""The jobs of events: one lets each go on, the other keeps the site's own seasons coming."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Min

from games.events import rounds
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
        return Event.objects.aggregate(first=Min("next_at"))["first"]


class Seasons(jobs.Periodic):
    """Opens the leagues and ladders that `EVENTS` names and that nobody can enter yet."""

    name = "seasons"
    every = timedelta(minutes=5)

    def look(self, now: datetime) -> int:
        return open_missing(now)


jobs.register(Rounds())
jobs.register(Seasons())
