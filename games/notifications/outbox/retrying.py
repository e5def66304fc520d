"""What happens to a delivery that failed: retried while that can help, then dead until a person revives it."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db.models import F, QuerySet
from django.utils import timezone

from games.notifications.channels.outside import Unanswered
from games.notifications.models import Channel, Delivery

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
    note(delivery, attempts=F("attempts") + 1, due_at=due, failing_since=since, error=words)


def _pause(attempts: int, error: Exception) -> timedelta:
    """Return how long to wait after this many earlier attempts, or as long as the receiver asked for."""
    wish = (error.retry_after if isinstance(error, Unanswered) else None) or timedelta()
    ours: timedelta = min(LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(attempts, 10))
    return max(ours, min(wish, _LONGEST_WISH))


def give_up(delivery: Delivery, error: Exception) -> None:
    """Leave a claimed delivery to a person (`manage.py notices`). A dead email is the operator's concern."""
    if delivery.letter:  # the links in it are dead soon: its reader asks for another one
        log.error("given up: %s: %s", delivery.named, repr(error))
        end(delivery)
        return
    level = logging.ERROR if delivery.channel == Channel.MAIL else logging.WARNING
    log.log(level, "given up after %d attempts: %s: %s", delivery.attempts + 1, delivery, repr(error))
    note(delivery, state=Delivery.State.DEAD, attempts=F("attempts") + 1, error=repr(error)[:300])


def end(letter: Delivery) -> None:
    """Delete a letter with the links in it, unless another worker has it."""
    Delivery.objects.filter(pk=letter.pk, lease_until=letter.lease_until).delete()


def note(delivery: Delivery, **fields: object) -> None:
    """Give a delivery back with its result, unless our lease has ended and another worker has it."""
    mine = Delivery.objects.filter(pk=delivery.pk, lease_until=delivery.lease_until)
    mine.update(lease_until=None, **fields)


def revive(dead: QuerySet[Delivery]) -> int:
    """Let dead deliveries be tried again now, as if they had never failed; return how many."""
    return dead.filter(state=Delivery.State.DEAD).update(
        state=Delivery.State.WAITING, attempts=0, failing_since=None, lease_until=None, due_at=timezone.now()
    )
