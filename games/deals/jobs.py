"""The job of deals: it makes them a day ahead, and opens the matches of those that are over."""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts.moments import today
from games.deals.kinds import kinds
from games.deals.models import Deal
from games.deals.services import make_deal, open_matches
from games.play import jobs
from games.play.store import writing


class Deals(jobs.Periodic):
    """Makes the deals of today and tomorrow, so that their commitments are known, and opens what is over."""

    name = "deals"
    every = timedelta(minutes=5)

    def look(self, now: datetime) -> int:
        days = [today(), today() + timedelta(days=1)]
        made = set(Deal.objects.filter(day__in=days).values_list("game", "day"))
        missing = [(game, day) for day in days for game in kinds() if (game, day) not in made]
        with writing():
            for game, day in missing:
                make_deal(game, day)
        over = [deal for deal in Deal.objects.filter(opened=False, day__lt=today()) if deal.is_over]
        for deal in over:
            open_matches(deal)
        return len(missing) + len(over)


jobs.register(Deals())
