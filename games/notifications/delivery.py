"""Sending what was planned: claimed with a lease, looked at once more, sent, and tried again when that failed.

A worker that claims a delivery holds it for `LEASE`; if it dies, another claims it. Each channel sends in threads
of its own, so that a server that does not answer delays no clock, and no other channel.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from datetime import datetime

from django.db import Error, connections
from django.db.models import Max, QuerySet
from django.utils import timezone

from games.notifications import channels, outbox, validity
from games.notifications.channels import Gone, Undeliverable
from games.notifications.channels.http import Unanswered
from games.notifications.channels.mail import Mail
from games.notifications.daily import daily_kinds
from games.notifications.messages import Message, message_of, turns_for
from games.notifications.models import Channel, Delivery, Kind, Notice, Preferences
from games.notifications.outbox import (
    BUDGETS,
    channels_due,
    claim,
    delete_letter,
    fail,
    give_back,
    give_up,
    next_moment,
)
from games.notifications.planning import listing_mails
from games.notifications.services import TOLD
from games.play import jobs

log = logging.getLogger(__name__)

FINISH_WITHIN = 5.0
"""Seconds for which the end of the process waits for what is under way."""


class WorkerPool:
    """The workers of one channel in this process.

    Args:
        workers: how many there are.
    """

    def __init__(self, workers: int) -> None:
        self._workers = self._free = workers
        self._changed = threading.Condition()

    @property
    def is_full(self) -> bool:
        return self._free == 0

    @property
    def is_half_full(self) -> bool:
        """Return whether at most half of the workers are free: those are kept for hosts that work."""
        return self._free * 2 <= self._workers

    def take(self) -> None:
        """Mark a free worker as busy."""
        with self._changed:
            self._free -= 1

    def give_back(self) -> None:
        """Mark a worker as free again."""
        with self._changed:
            self._free += 1
            self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        """Wait at most this long for all workers to be free."""
        with self._changed:
            self._changed.wait_for(lambda: self._free == self._workers, max(0.0, seconds))


class Deliveries:
    """The duty of sending what is due.

    Args:
        apart: send in threads of their own; otherwise in this one.
    """

    name = "deliveries"

    def __init__(self, apart: bool = True) -> None:
        self._apart = apart
        self._lanes = {channel.value: WorkerPool(budget.workers) for channel, budget in BUDGETS.items()}
        self._looked: datetime | None = None

    def run_due(self, now: datetime) -> int:
        self._looked = now
        return sum(self._fill(channel, self._lanes[channel], now) for channel in channels_due(now))

    def _fill(self, channel: str, lane: WorkerPool, now: datetime) -> int:
        """Start as many deliveries of a channel as its budgets allow; return how many."""
        count = 0
        while not lane.is_full:
            delivery = claim(channel, now, cautious=lane.is_half_full)
            if delivery is None:
                break
            lane.take()
            self._begin(lane, delivery)
            count += 1
        return count

    def next_due(self) -> datetime | None:
        """Return when the next delivery is due, except what the last look left: a finished worker wakes us."""
        open_lanes = [channel for channel, lane in self._lanes.items() if not lane.is_full]
        return next_moment(open_lanes, after=self._looked)

    def finish(self, seconds: float = FINISH_WITHIN) -> None:
        """Wait a while for deliveries that are under way."""
        until = time.monotonic() + seconds
        for lane in self._lanes.values():
            lane.wait(until - time.monotonic())

    def _begin(self, lane: WorkerPool, delivery: Delivery) -> None:
        if self._apart:
            threading.Thread(target=self._send_apart, args=(lane, delivery), name="delivery", daemon=True).start()
        else:
            self._send(lane, delivery)

    def _send_apart(self, lane: WorkerPool, delivery: Delivery) -> None:
        try:
            self._send(lane, delivery)
        except Error as error:  # the database is away: the lease will end
            log.warning("%s: %s", delivery, error)
        finally:
            connections.close_all()

    def _send(self, lane: WorkerPool, delivery: Delivery) -> None:
        try:
            deliver(delivery)
        finally:
            lane.give_back()
            jobs.stop_sleeping()


def deliver(delivery: Delivery) -> None:
    """Send a claimed delivery, unless it is outdated or should wait; record the result."""
    now = timezone.now()  # results that come in while it is being sent are not part of it
    try:
        verdict = validity.TELL if delivery.letter else judge(delivery, now)
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
    except Exception as error:  # noqa: BLE001  # a server can answer anything, and a game's words can have a mistake
        fail(delivery, error)


def _send(delivery: Delivery, now: datetime) -> None:
    """Hand a delivery to its channel, and record whether its host worked."""
    try:
        if delivery.letter:
            Mail().send_letter(delivery)
        else:
            channels.transports()[delivery.channel].send(delivery, _message(delivery))
    except Unanswered as error:
        if error.blames_host:
            outbox.host_failed(delivery.host, error.retry_after)
        raise
    if delivery.letter:
        delete_letter(delivery)
    else:
        give_back(delivery, state=Delivery.State.SENT, sent_at=now)
    outbox.host_worked(delivery.host)


def judge(delivery: Delivery, now: datetime) -> validity.Verdict:
    """Decide again at the moment of sending."""
    preferences = Preferences.of(delivery.reader)
    kind = delivery.notice.kind if delivery.notice else delivery.kind
    if not preferences.wants(kind, delivery.channel) or not delivery.reader.is_active:
        return validity.NEVER
    if delivery.notice is not None and (delivery.channel != Channel.MAIL or kind != Kind.TURN):
        return validity.judge(delivery.notice, preferences, now)
    return _of_list(delivery, preferences, now)


def _of_list(delivery: Delivery, preferences: Preferences, now: datetime) -> validity.Verdict:
    """Decide about what comes daily, and about an email that lists what waits.

    That is sent if anything waits, even if the turn that led to it is over.
    """
    if until := validity.quiet_until(preferences, delivery.reader, now):
        return validity.Verdict(later=until)
    if delivery.notice is None:
        return validity.TELL if daily_kinds()[delivery.kind].is_due(delivery.reader) else validity.NEVER
    verdicts = [_of_turn(notice, preferences, now) for notice in _unlisted(delivery)]
    if validity.TELL in verdicts:
        return validity.TELL
    return min((v for v in verdicts if v.later), key=lambda v: v.later or now, default=validity.NEVER)


def _of_turn(notice: Notice, preferences: Preferences, now: datetime) -> validity.Verdict:
    """Decide about a turn in an email: what its player has seen meanwhile waits longer."""
    verdict = validity.judge(notice, preferences, now)
    if verdict.tell and validity.was_seen(notice) and now < (worth := validity.mail_from(notice)):
        return validity.Verdict(later=worth)
    return verdict


def _unlisted(delivery: Delivery) -> QuerySet[Notice]:
    """Return the turns that should be told by email and have not been listed in any."""
    turns = Notice.objects.filter(user=delivery.reader, kind=Kind.TURN, step=TOLD[Kind.TURN])
    last = listing_mails(delivery.reader).filter(state=Delivery.State.SENT).aggregate(last=Max("sent_at"))["last"]
    fresh = turns if last is None else turns.filter(created_at__gt=last)
    return fresh.exclude(validity.outdated()).select_related("user", "match")


def _message(delivery: Delivery) -> Message:
    if delivery.notice is None:
        return daily_kinds()[delivery.kind].message(delivery.reader)
    if delivery.channel == Channel.MAIL and delivery.notice.kind == Kind.TURN:
        return turns_for(delivery.reader)
    return message_of(delivery.notice)


_duty = Deliveries()
jobs.register(_duty)
atexit.register(_duty.finish)
