"""Which delivery is sent next. Each channel has its own workers; each person and each host gets a share of them.

However many dead addresses somebody gives us, emails and push messages do not wait for them, nor do the
webhooks of others: one person holds only a few workers, and hosts that failed lately only half of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Case, Q, QuerySet, When
from django.db.models.functions import Coalesce, Greatest

from games.notifications.channels import hosts
from games.notifications.models import Channel, Delivery, Host, Webhook
from games.play.matches.transactions import writing

LEASE = timedelta(seconds=60)
"""How long a claimed delivery is ours; if the worker dies, another claims it after that."""

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Budget:
    """How many messages of a channel are under way at the same time.

    Args:
        workers: in one process.
        per_person, per_host: in all processes together; several claiming in the same moment may exceed them by a few.
    """

    workers: int
    per_person: int
    per_host: int


BUDGETS = {
    Channel.MAIL: Budget(workers=4, per_person=2, per_host=8),
    Channel.PUSH: Budget(workers=8, per_person=3, per_host=6),
    Channel.WEBHOOK: Budget(workers=6, per_person=2, per_host=3),
}


def channels_due(now: datetime) -> Sequence[str]:
    """Return the channels that have something due and unclaimed."""
    return list(due(now).order_by("channel").values_list("channel", flat=True).distinct())


def claim(channel: str, now: datetime, *, cautious: bool = False) -> Delivery | None:
    """Claim and return what is due first on a channel, within all budgets; None when there is nothing.

    Args:
        channel: a `Channel`.
        now: the moment at which it is due; the lease begins then.
        cautious: leave out hosts whose last message failed.
    """
    with writing():
        open_to_us = _within_budgets(due(now).filter(channel=channel), channel, now)
        if cautious:
            open_to_us = open_to_us.exclude(host__in=hosts.failing().values("name"))
        locked = open_to_us.select_for_update(skip_locked=True)
        # Whoever registers waits for their letter; a digest can wait for it.
        letters_first = Case(When(content__isnull=False, then=0), default=1)
        delivery = locked.order_by(letters_first, "due_at", "pk").first()
        if delivery is not None:
            delivery.lease_until = now + LEASE
            delivery.save(update_fields=["lease_until"])
        return delivery


def next_moment(channels: Sequence[str], after: datetime | None) -> datetime | None:
    """Return when the next delivery of these channels is due, later than a moment if one is given."""
    moment = Greatest("due_at", Coalesce("lease_until", "due_at"))
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING, channel__in=channels).annotate(moment=moment)
    if after is not None:
        waiting = waiting.filter(moment__gt=after)
    return waiting.order_by("moment").values_list("moment", flat=True).first()


def due(now: datetime) -> QuerySet[Delivery]:
    """Return the deliveries that are due and unclaimed; a lease longer than any was given by a clock put back since."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)
    return Delivery.objects.filter(free, state=Delivery.State.WAITING, due_at__lte=now)


def _within_budgets(deliveries: QuerySet[Delivery], channel: str, now: datetime) -> QuerySet[Delivery]:
    """Leave out those whose share is used up, and hosts that are left alone."""
    budget = BUDGETS[Channel(channel)]
    leased = Delivery.objects.filter(lease_until__range=(now, now + 2 * LEASE))
    held = leased.filter(state=Delivery.State.WAITING, channel=channel)
    pairs = list(held.values_list("user_id", "host"))
    people = _used_up(Counter(user for user, _host in pairs if user), budget.per_person)
    names = _used_up(Counter(host for _user, host in pairs if host), budget.per_host)
    resting = Host.objects.filter(not_before__gt=now, not_before__lte=now + 2 * hosts.LONGEST_REST).values("name")
    webhooks = Webhook.objects.filter(not_before__gt=now).values("pk")
    open_to_us = deliveries.exclude(user__in=people).exclude(host__in=names)
    return open_to_us.exclude(host__in=resting).exclude(webhook__in=webhooks)


def _used_up(counts: Counter[_Key], most: int) -> list[_Key]:
    return [key for key, count in counts.items() if count >= most]
