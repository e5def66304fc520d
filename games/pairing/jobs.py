"""Jobs of quick pairing: pair, take back unanswered offers, withdraw those who have left, delete old waits."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from django.utils import timezone

from games.pairing.matching import groups, pools
from games.pairing.models import Lapse, Offer, Wait
from games.pairing.search import APART_FOR
from games.pairing.services import expire, leave_behind, unite, unseen
from games.play import jobs
from games.play.models import Speed
from games.play.store import writing

AGAIN = timedelta(seconds=1)
"""Until the next round while somebody waits."""

RETENTION = timedelta(days=30)


class Pairing(jobs.Periodic):
    """Pairs those who wait, in rounds."""

    name = "pairing"
    every = timedelta(seconds=0.5)

    def look(self, now: datetime) -> int:
        waited_for = pools()
        if not waited_for:
            return 0
        failing = jobs.waiting(self.name, now)
        found = [group for pool in waited_for for group in groups(pool, now, failing)]
        return sum(jobs.attempt(self.name, group[0].key, partial(unite, [it.key for it in group])) for group in found)

    def next_due(self) -> datetime | None:
        """Return when those who wait may have become more patient; the worker is woken when somebody comes."""
        return timezone.now() + AGAIN if Wait.objects.current().exists() else None


class Answers:
    """Takes back offers that not everybody has answered in time."""

    name = "pairing-answers"

    def run_due(self, now: datetime) -> int:
        late = set(Offer.objects.filter(until__lte=now).values_list("pk", flat=True))
        keys = sorted(late - jobs.waiting(self.name, now)) if late else []
        return jobs.attempt_each(self.name, keys, expire)

    def next_due(self) -> datetime | None:
        if not Offer.objects.exists():
            return None
        offers = Offer.objects.exclude(pk__in=jobs.waiting(self.name, timezone.now()))
        return offers.order_by("until").values_list("until", flat=True).first()


class Absences(jobs.Periodic):
    """Withdraws those who wait for a live match and whose every page is closed.

    As long as anybody waits, the worker looks often enough for `Pairing`.
    """

    name = "pairing-absences"
    every = timedelta(seconds=3)

    def look(self, now: datetime) -> int:
        live = Wait.objects.current().filter(unseen(now), speed=Speed.LIVE)
        away = set(live.values_list("pk", flat=True))
        keys = sorted(away - jobs.waiting(self.name, now)) if away else []
        return jobs.attempt_each(self.name, keys, leave_behind)

    def next_due(self) -> datetime | None:
        return None


class OldWaits(jobs.Periodic):
    """Deletes waits that ended long ago, and lapses that no longer count."""

    name = "old-waits"
    every = timedelta(hours=1)

    def look(self, now: datetime) -> int:
        with writing():
            count, _by_model = Wait.objects.filter(ended_at__lt=now - RETENTION).delete()
            lapses, _by_model = Lapse.objects.filter(at__lt=now - APART_FOR).delete()
        return count + lapses


for job in (Absences(), Answers(), Pairing(), OldWaits()):
    jobs.register(job)
