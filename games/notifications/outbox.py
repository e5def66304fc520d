"""Which delivery is sent next. Each channel has its own workers; each person and each host gets a share of them.

However many dead addresses somebody gives us, emails and push messages do not wait for them, nor do the
webhooks of others: one person holds only a few workers, and hosts that failed lately only half of them.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from games.notifications.channels.http import Unanswered
from games.notifications.models import Channel, Delivery, Host, Webhook
from games.play.store import writing

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
            open_to_us = open_to_us.exclude(host__in=failing_hosts().values("name"))
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
    resting = Host.objects.filter(not_before__gt=now, not_before__lte=now + 2 * LONGEST_REST).values("name")
    webhooks = Webhook.objects.filter(not_before__gt=now).values("pk")
    open_to_us = deliveries.exclude(user__in=people).exclude(host__in=names)
    return open_to_us.exclude(host__in=resting).exclude(webhook__in=webhooks)


def _used_up(counts: Counter[_Key], most: int) -> list[_Key]:
    return [key for key, count in counts.items() if count >= most]


log = logging.getLogger(__name__)

GIVE_UP_AFTER = {Channel.MAIL: timedelta(days=2), Channel.PUSH: timedelta(hours=1), Channel.WEBHOOK: timedelta(hours=1)}
"""How long after its first failure a delivery is still retried; before each attempt it must still be true."""

LONGEST_PAUSE = timedelta(minutes=15)
_FIRST_PAUSE = timedelta(seconds=10)
_LONGEST_WISH = timedelta(days=1)
"""The longest `Retry-After` that is honoured."""


def fail(delivery: Delivery, error: Exception) -> None:
    """Try a claimed delivery again later, longer each time, or give it up when it has failed for too long."""
    now = timezone.now()
    since = delivery.failing_since or now
    if now - since >= GIVE_UP_AFTER[Channel(delivery.channel)]:
        give_up(delivery, error)
        return
    log.warning("%s: %r", delivery, error)
    due, words = now + _pause(delivery.attempts, error), repr(error)[:300]
    give_back(delivery, attempts=F("attempts") + 1, due_at=due, failing_since=since, error=words)


def _pause(attempts: int, error: Exception) -> timedelta:
    """Return how long to wait after this many earlier attempts, or as long as the receiver asked for."""
    wish = (error.retry_after if isinstance(error, Unanswered) else None) or timedelta()
    ours: timedelta = min(LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(attempts, 10))
    return max(ours, min(wish, _LONGEST_WISH))


def give_up(delivery: Delivery, error: Exception) -> None:
    """Leave a claimed delivery to a person (`manage.py notices`). A dead email is the operator's concern."""
    if delivery.letter:  # the links in it are dead soon: its reader asks for another one
        log.error("given up: %s: %s", delivery.named, repr(error))
        delete_letter(delivery)
        return
    level = logging.ERROR if delivery.channel == Channel.MAIL else logging.WARNING
    log.log(level, "given up after %d attempts: %s: %s", delivery.attempts + 1, delivery, repr(error))
    give_back(delivery, state=Delivery.State.DEAD, attempts=F("attempts") + 1, error=repr(error)[:300])


def delete_letter(letter: Delivery) -> None:
    """Delete a letter with the links in it, unless another worker has it."""
    Delivery.objects.filter(pk=letter.pk, lease_until=letter.lease_until).delete()


def give_back(delivery: Delivery, **fields: object) -> None:
    """Give a delivery back with its result, unless our lease has ended and another worker has it."""
    mine = Delivery.objects.filter(pk=delivery.pk, lease_until=delivery.lease_until)
    mine.update(lease_until=None, **fields)


def revive(dead: QuerySet[Delivery]) -> int:
    """Let dead deliveries be tried again now, as if they had never failed; return how many."""
    return dead.filter(state=Delivery.State.DEAD).update(
        state=Delivery.State.WAITING, attempts=0, failing_since=None, lease_until=None, due_at=timezone.now()
    )


PATIENT_FOR = 2
"""Failures in a row that are forgiven: one endpoint that fails must not silence a host which many share."""

_FIRST_REST = timedelta(seconds=10)
LONGEST_REST = timedelta(minutes=10)


def host_failed(name: str, retry_after: timedelta | None = None) -> None:
    """Record that a host failed, and leave it alone for a while.

    Args:
        name: of the host; an empty name is ignored.
        retry_after: how long the host asked us to wait, granted up to `LONGEST_REST`.
    """
    if not name:
        return
    now = timezone.now()
    with writing():
        host, _made = Host.objects.select_for_update().get_or_create(name=name)
        host.failures += 1
        host.failed_at = now
        host.not_before = now + max(_rest_after(host.failures), min(retry_after or timedelta(), LONGEST_REST))
        host.save()


def _rest_after(failures: int) -> timedelta:
    """Return how long a host is left alone after this many failures in a row."""
    extra = failures - PATIENT_FOR
    return min(LONGEST_REST, _FIRST_REST * 2 ** min(extra - 1, 10)) if extra > 0 else timedelta()


def host_worked(name: str) -> None:
    """Forget the failures of a host that took a message."""
    if name:
        Host.objects.filter(name=name).delete()


def failing_hosts() -> QuerySet[Host]:
    """Return the hosts whose last message failed."""
    return Host.objects.filter(failures__gt=0)
