"""Sends deliveries: leases one within budgets, checks once more that it is wanted and true, sends it, retries failures.

Nobody's dead addresses delay the messages of others: one person uses only a few workers at a time, and hosts that have
failed lately use at most half of them.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import Error
from django.db.models import Case, F, Max, Q, QuerySet, When
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from games.notifications import planning, validity
from games.notifications.channels import Gone, Undeliverable
from games.notifications.channels.http import Unanswered
from games.notifications.channels.mail import Mail
from games.notifications.messages import Message, message_of, turns_for
from games.notifications.models import Channel, Delivery, Host, Kind, Notice, Preferences, Webhook
from games.notifications.planning import daily_kinds, listing_mails
from games.notifications.services import LAST_STEP
from games.play.store import writing

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
"""How long a worker has for a delivery; after that, for instance if it was killed, another may claim it."""

GIVE_UP_AFTER = {Channel.MAIL: timedelta(days=2), Channel.PUSH: timedelta(hours=1), Channel.WEBHOOK: timedelta(hours=1)}
"""How long a delivery is retried after its first failure."""

LONGEST_PAUSE = timedelta(minutes=15)
_FIRST_PAUSE = timedelta(seconds=10)
_LONGEST_RETRY_AFTER = timedelta(days=1)

PATIENT_FOR = 2
"""Failures in a row before a host is given a rest: one broken endpoint must not silence a host that many share."""

_FIRST_REST = timedelta(seconds=10)
LONGEST_REST = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Budget:
    """How many messages of a channel are sent at the same time.

    Args:
        workers: in one process.
        per_person, per_host: in all processes together; claims at the same moment may exceed them by a few.
    """

    workers: int
    per_person: int
    per_host: int


BUDGETS = {
    Channel.MAIL: Budget(workers=4, per_person=2, per_host=8),
    Channel.PUSH: Budget(workers=8, per_person=3, per_host=6),
    Channel.WEBHOOK: Budget(workers=6, per_person=2, per_host=3),
}


# --- the queue --------------------------------------------------------------------------------------------------------


def due(now: datetime) -> QuerySet[Delivery]:
    """Return the deliveries that are due and not leased.

    A lease that ends too far in the future was taken before the clock was put back, and does not count.
    """
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)
    return Delivery.objects.filter(free, state=Delivery.State.WAITING, due_at__lte=now)


def channels_due(now: datetime) -> Sequence[str]:
    """Return the channels that have something due and unclaimed."""
    return list(due(now).order_by("channel").values_list("channel", flat=True).distinct())


def claim(channel: str, now: datetime, *, cautious: bool = False) -> Delivery | None:
    """Lease and return the first delivery of a channel that is due and within all budgets, None if there is none.

    Args:
        channel: a `Channel`.
        now: when the lease begins.
        cautious: leave out hosts whose last message failed.
    """
    with writing():
        candidates = _within_budgets(due(now).filter(channel=channel), channel, now)
        if cautious:
            candidates = candidates.exclude(host__in=Host.objects.filter(failures__gt=0).values("name"))
        # Somebody who registers waits for their letter; a digest can wait.
        letters_first = Case(When(content__isnull=False, channel=Channel.MAIL, then=0), default=1)
        delivery = candidates.select_for_update(skip_locked=True).order_by(letters_first, "due_at", "pk").first()
        if delivery is not None:
            delivery.lease_until = now + LEASE
            delivery.save(update_fields=["lease_until"])
        return delivery


def _within_budgets(deliveries: QuerySet[Delivery], channel: str, now: datetime) -> QuerySet[Delivery]:
    """Leave out people and hosts whose budget is used up, and hosts and webhooks that have a rest."""
    budget = BUDGETS[Channel(channel)]
    leased = Delivery.objects.filter(lease_until__range=(now, now + 2 * LEASE))
    held = list(leased.filter(state=Delivery.State.WAITING, channel=channel).values_list("user_id", "host"))
    per_person, per_host = Counter(user for user, _host in held if user), Counter(host for _user, host in held if host)
    resting = Host.objects.filter(not_before__gt=now, not_before__lte=now + 2 * LONGEST_REST)
    return (
        deliveries.exclude(user__in=[user for user, count in per_person.items() if count >= budget.per_person])
        .exclude(host__in=[host for host, count in per_host.items() if count >= budget.per_host])
        .exclude(host__in=resting.values("name"))
        .exclude(webhook__in=Webhook.objects.filter(not_before__gt=now).values("pk"))
    )


def next_moment(channels: Sequence[str], after: datetime | None) -> datetime | None:
    """Return when the next delivery of these channels is due, later than a moment if one is given."""
    moment = Greatest("due_at", Coalesce("lease_until", "due_at"))
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING, channel__in=channels).annotate(moment=moment)
    if after is not None:
        waiting = waiting.filter(moment__gt=after)
    return waiting.order_by("moment").values_list("moment", flat=True).first()


def give_back(delivery: Delivery, **fields: object) -> None:
    """End the lease and store a result, unless another worker has leased the delivery since."""
    ours = Delivery.objects.filter(pk=delivery.pk, lease_until=delivery.lease_until)
    ours.update(lease_until=None, **fields)


def _delete(delivery: Delivery) -> None:
    """Delete what has content, as there can be links in it, unless another worker has leased it since."""
    Delivery.objects.filter(pk=delivery.pk, lease_until=delivery.lease_until).delete()


def revive(dead: QuerySet[Delivery]) -> int:
    """Retry dead deliveries as if they had never failed; return how many."""
    return dead.filter(state=Delivery.State.DEAD).update(
        state=Delivery.State.WAITING, attempts=0, failing_since=None, lease_until=None, due_at=timezone.now()
    )


# --- sending ----------------------------------------------------------------------------------------------------------


def deliver(delivery: Delivery) -> None:
    """Send a claimed delivery, unless it is outdated or should wait, and record the result."""
    now = timezone.now()  # before it is sent: later results are not in it
    try:
        verdict = validity.TELL if delivery.content else judge(delivery, now)
        if verdict.later:
            give_back(delivery, due_at=verdict.later)
        elif verdict.tell:
            _send(delivery, now)
        else:
            give_back(delivery, state=Delivery.State.DROPPED)
    except (Gone, Undeliverable) as error:
        give_up(delivery, error)
    except Error:
        raise
    except Exception as error:  # noqa: BLE001  # a server can answer anything, and the words of a game can raise
        fail(delivery, error)


def judge(delivery: Delivery, now: datetime) -> validity.Verdict:
    """Decide whether a delivery is still wanted, and its notice still true."""
    preferences = Preferences.of(delivery.reader)
    notice = delivery.notice
    kind = notice.kind if notice else delivery.kind
    if not preferences.wants(kind, delivery.channel) or not delivery.reader.is_active:
        return validity.NEVER
    if notice is not None and not _lists_turns(delivery):
        return validity.judge(notice, preferences, now)
    if until := validity.quiet_until(preferences, delivery.reader, now):
        return validity.Verdict(later=until)
    if notice is None:
        return validity.TELL if daily_kinds()[delivery.kind].is_due(delivery.reader) else validity.NEVER
    return _judge_list(delivery, preferences, now)


def _lists_turns(delivery: Delivery) -> bool:
    """Return whether this is an email about a turn: it lists all matches that wait."""
    return delivery.notice is not None and delivery.channel == Channel.MAIL and delivery.notice.kind == Kind.TURN


def _judge_list(delivery: Delivery, preferences: Preferences, now: datetime) -> validity.Verdict:
    """Decide about an email that lists turns: it is sent if any of them is worth one, whatever became of the first."""
    turns = Notice.objects.filter(user=delivery.reader, kind=Kind.TURN, step=LAST_STEP[Kind.TURN])
    last = listing_mails(delivery.reader).filter(state=Delivery.State.SENT).aggregate(last=Max("sent_at"))["last"]
    unlisted = turns if last is None else turns.filter(created_at__gt=last)
    later: list[datetime] = []
    for turn in unlisted.exclude(validity.outdated()).select_related("user", "match"):
        verdict = validity.judge(turn, preferences, now)
        if verdict.later:
            later.append(verdict.later)
        elif verdict.tell and validity.was_seen(turn) and now < (worth := validity.mail_from(turn)):
            later.append(worth)  # what its player has seen waits longer
        elif verdict.tell:
            return validity.TELL
    return validity.Verdict(later=min(later)) if later else validity.NEVER


def _send(delivery: Delivery, now: datetime) -> None:
    """Hand a delivery to its channel, and record whether its host worked."""
    try:
        if delivery.letter:
            Mail().send_letter(delivery)
        else:
            planning.TRANSPORTS[delivery.channel].send(delivery, _message(delivery))
    except Unanswered as error:
        if error.blames_host:
            host_failed(delivery.host, error.retry_after)
        raise
    if delivery.content:
        _delete(delivery)
    else:
        give_back(delivery, state=Delivery.State.SENT, sent_at=now)
    host_worked(delivery.host)


def _message(delivery: Delivery) -> Message:
    if delivery.content:
        return Message(**delivery.content)
    if delivery.notice is None:
        return daily_kinds()[delivery.kind].message(delivery.reader)
    return turns_for(delivery.reader) if _lists_turns(delivery) else message_of(delivery.notice)


# --- failures ---------------------------------------------------------------------------------------------------------


def fail(delivery: Delivery, error: Exception) -> None:
    """Retry a claimed delivery after a pause that doubles each time; give it up if it has failed for too long."""
    now = timezone.now()
    since = delivery.failing_since or now
    if now - since >= GIVE_UP_AFTER[Channel(delivery.channel)]:
        give_up(delivery, error)
        return
    log.warning("%s: %r", delivery, error)
    pause = min(LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(delivery.attempts, 10))
    if isinstance(error, Unanswered) and error.retry_after:
        pause = max(pause, min(error.retry_after, _LONGEST_RETRY_AFTER))
    words = repr(error)[:300]
    give_back(delivery, attempts=F("attempts") + 1, due_at=now + pause, failing_since=since, error=words)


def give_up(delivery: Delivery, error: Exception) -> None:
    """Mark a claimed delivery as dead (see `manage.py notices`). A dead email is an error for the operator."""
    level = logging.ERROR if delivery.channel == Channel.MAIL else logging.WARNING
    if delivery.content:  # links soon expire, and a reader asks for another letter; what clubs are told is news
        log.log(level, "given up: %s: %s", delivery.named, repr(error))
        _delete(delivery)
        return
    log.log(level, "given up after %d attempts: %s: %s", delivery.attempts + 1, delivery, repr(error))
    give_back(delivery, state=Delivery.State.DEAD, attempts=F("attempts") + 1, error=repr(error)[:300])


def host_failed(name: str, retry_after: timedelta | None = None) -> None:
    """Record that a host failed, and give it a rest that doubles.

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
        unforgiven = host.failures - PATIENT_FOR
        rest = min(LONGEST_REST, _FIRST_REST * 2 ** min(unforgiven - 1, 10)) if unforgiven > 0 else timedelta()
        host.not_before = now + max(rest, min(retry_after or timedelta(), LONGEST_REST))
        host.save()


def host_worked(name: str) -> None:
    """Forget the failures of a host that took a message."""
    if name:
        Host.objects.filter(name=name).delete()
