"""What the worker does: pairs, ends what was not answered, withdraws who has left, and forgets old waits."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from django.utils import timezone

from games.pairing import services
from games.pairing.models import Offer, Wait
from games.pairing.pools import groups, pools
from games.play import duties
from games.play.matches.transactions import writing
from games.play.models import Speed

KEPT = timedelta(days=30)
_EVERY = timedelta(hours=1)


class Pairing:
    """The duty of pairing those who wait. Every look at the database is a round."""

    name = "pairing"

    def run_due(self, now: datetime) -> int:
        tired = duties.waiting(self.name, now)
        found = [group for pool in pools() for group in groups(pool, now, tired)]
        return sum(
            duties.attempt(self.name, group[0].key, partial(services.unite, [it.key for it in group]))
            for group in found
        )

    def next_due(self) -> datetime | None:
        """Return None: the worker looks every second, and is woken when somebody comes."""
        return None


class Answers:
    """The duty of taking back offers which not everybody has answered in time."""

    name = "pairing-answers"

    def run_due(self, now: datetime) -> int:
        late = Offer.objects.filter(until__lte=now).exclude(pk__in=duties.waiting(self.name, now))
        keys = list(late.values_list("pk", flat=True))
        return sum(duties.attempt(self.name, key, partial(services.expire, key)) for key in keys)

    def next_due(self) -> datetime | None:
        offers = Offer.objects.exclude(pk__in=duties.waiting(self.name, timezone.now()))
        return offers.order_by("until").values_list("until", flat=True).first()


class Absences:
    """The duty of withdrawing those whose every page is closed. Over days one waits without a page."""

    name = "pairing-absences"

    def run_due(self, now: datetime) -> int:
        live = Wait.objects.current().filter(speed=Speed.LIVE, seen_at__lt=now - services.AWAY_AFTER)
        keys = list(live.exclude(pk__in=duties.waiting(self.name, now)).values_list("pk", flat=True))
        return sum(duties.attempt(self.name, key, partial(services.leave_behind, key)) for key in keys)

    def next_due(self) -> datetime | None:
        return None


class OldWaits:
    """The duty of forgetting waits that ended long ago."""

    name = "old-waits"

    def __init__(self) -> None:
        self._next: datetime | None = None

    def run_due(self, now: datetime) -> int:
        if self._next is not None and now < self._next:
            return 0
        self._next = now + _EVERY
        with writing():
            count, _by_model = Wait.objects.filter(ended_at__lt=now - KEPT).delete()
        return count

    def next_due(self) -> datetime | None:
        return None


for duty in (Absences(), Answers(), Pairing(), OldWaits()):
    duties.register(duty)
