"""Sending what was planned: claimed with a lease, looked at once more, sent, tried again when that failed.

Whoever claims a delivery has `LEASE` for it; if they die meanwhile it is claimed again. Sending is done in threads of
its own, so that a mail server that does not answer stops no clock.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from datetime import datetime, timedelta

from django.db import Error, connection, connections
from django.db.models import F, Max, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from games.notifications import channels, messages, standing
from games.notifications.channels import Gone, Message, Undeliverable
from games.notifications.models import Channel, Delivery, Kind, Notice, Preferences
from games.notifications.outbox import TOLD
from games.notifications.planning import listing_mails
from games.play import duties
from games.play.transactions import writing

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
AT_ONCE = 4
"""Messages under way at the same time."""

PATIENCE = 5.0
"""Seconds for which the end of the process waits for what is under way."""

MOST_ATTEMPTS = 8
_FIRST_PAUSE = timedelta(seconds=10)


class Deliveries:
    """The duty of sending what is due.

    Args:
        apart: send in threads of their own; otherwise in this one.
    """

    name = "deliveries"

    def __init__(self, apart: bool = True) -> None:
        self._apart = apart
        self._free = threading.Semaphore(AT_ONCE)
        self._is_full = False

    def run_due(self, now: datetime) -> int:
        count = 0
        while not self._fill(now):
            count += 1
        return count

    def _fill(self, now: datetime) -> bool:
        """Begin with one more delivery; answer whether that was not possible."""
        self._is_full = not self._free.acquire(blocking=False)
        if self._is_full:
            return True
        delivery = claim(now)
        if delivery is None:
            self._free.release()
            return True
        self._begin(delivery)
        return False

    def next_due(self) -> datetime | None:
        if self._is_full:
            return None  # whoever is done first wakes the worker
        moment = Greatest("due_at", Coalesce("lease_until", "due_at"))
        waiting = Delivery.objects.filter(state=Delivery.State.WAITING).annotate(moment=moment)
        return waiting.order_by("moment").values_list("moment", flat=True).first()

    def finish(self, patience: float = PATIENCE) -> None:
        """Wait a while for what is under way."""
        until = time.monotonic() + patience
        for _ in range(AT_ONCE):
            self._free.acquire(timeout=max(0.0, until - time.monotonic()))

    def _begin(self, delivery: Delivery) -> None:
        if self._apart:
            threading.Thread(target=self._carry_out_apart, args=(delivery,), name="delivery", daemon=True).start()
        else:
            self._carry_out(delivery)

    def _carry_out_apart(self, delivery: Delivery) -> None:
        try:
            self._carry_out(delivery)
        except Error as error:  # the database is away: the lease will end
            log.warning("%s: %s", delivery, error)
        finally:
            connections.close_all()

    def _carry_out(self, delivery: Delivery) -> None:
        try:
            carry_out(delivery)
        finally:
            self._free.release()
            if self._is_full:
                duties.stop_sleeping()


def claim(now: datetime) -> Delivery | None:
    """Return what is due first and in nobody's hands, now in ours; None when there is nothing."""
    with writing():
        due = _due(now).order_by("due_at", "pk")
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True)
        delivery = due.first()
        if delivery is not None:
            delivery.lease_until = now + LEASE
            delivery.save(update_fields=["lease_until"])
        return delivery


def _due(now: datetime) -> QuerySet[Delivery]:
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    return Delivery.objects.filter(free, state=Delivery.State.WAITING, due_at__lte=now)


def carry_out(delivery: Delivery) -> None:
    """Send a claimed delivery, unless there is nothing to tell any more or a better time; note what came of it."""
    now = timezone.now()  # what comes about while it is being sent does not stand in it
    try:
        verdict = judge(delivery, now)
        if verdict.later:
            _note(delivery, due_at=verdict.later)
        elif verdict.tell:
            channels.ways()[delivery.channel].send(delivery, _message(delivery))
            _note(delivery, state=Delivery.State.SENT, sent_at=now)
        else:
            _note(delivery, state=Delivery.State.DROPPED)
    except (Gone, Undeliverable) as error:
        _note(delivery, state=Delivery.State.DEAD, error=repr(error)[:300])
    except Error:
        raise
    except Exception as error:  # noqa: BLE001  # whatever a server answers, or a mistake in the words of one game
        log.warning("%s: %r", delivery, error)
        _fail(delivery, error)


def judge(delivery: Delivery, now: datetime) -> standing.Verdict:
    """Decide at the moment of sending, as if it had not been decided before."""
    preferences = Preferences.of(delivery.user)
    kind = delivery.notice.kind if delivery.notice else Kind.DIGEST
    if not preferences.wants(kind, delivery.channel) or not delivery.user.is_active:
        return standing.NEVER
    if delivery.notice is not None and (delivery.channel != Channel.MAIL or kind != Kind.TURN):
        return standing.judge(delivery.notice, preferences, now)
    return _of_list(delivery, preferences, now)


def _of_list(delivery: Delivery, preferences: Preferences, now: datetime) -> standing.Verdict:
    """Decide about a mail that lists what waits: as long as anything does, the turn that led to it may be over."""
    if until := standing.quiet_until(preferences, delivery.user, now):
        return standing.Verdict(later=until)
    if delivery.notice is None:
        return standing.TELL if standing.waiting(delivery.user).exists() else standing.NEVER
    verdicts = [standing.judge(notice, preferences, now) for notice in _unlisted(delivery)]
    if standing.TELL in verdicts:
        return standing.TELL
    return min((v for v in verdicts if v.later), key=lambda v: v.later or now, default=standing.NEVER)


def _unlisted(delivery: Delivery) -> QuerySet[Notice]:
    """Return the turns that are to be told by mail and stood in none."""
    turns = Notice.objects.filter(user=delivery.user, kind=Kind.TURN, step=TOLD[Kind.TURN])
    last = listing_mails(delivery.user).filter(state=Delivery.State.SENT).aggregate(last=Max("sent_at"))["last"]
    fresh = turns if last is None else turns.filter(created_at__gt=last)
    return fresh.exclude(standing.outdated()).select_related("user", "match")


def _message(delivery: Delivery) -> Message:
    if delivery.notice is None:
        return messages.digest_for(delivery.user)
    if delivery.channel == Channel.MAIL and delivery.notice.kind == Kind.TURN:
        return messages.turns_for(delivery.user)
    return messages.message_of(delivery.notice)


def _fail(delivery: Delivery, error: Exception) -> None:
    """Try again later, longer each time; leave it to a person after too many times."""
    attempts = delivery.attempts + 1
    dead = attempts >= MOST_ATTEMPTS
    pause = _FIRST_PAUSE * 2 ** (attempts - 1)
    state = Delivery.State.DEAD if dead else Delivery.State.WAITING
    _note(delivery, state=state, attempts=F("attempts") + 1, due_at=timezone.now() + pause, error=repr(error)[:300])


def _note(delivery: Delivery, **fields: object) -> None:
    """Give a delivery back with what came of it, unless our time for it was up and somebody else has it."""
    mine = Delivery.objects.filter(pk=delivery.pk, lease_until=delivery.lease_until)
    mine.update(lease_until=None, **fields)


_duty = Deliveries()
duties.register(_duty)
atexit.register(_duty.finish)
