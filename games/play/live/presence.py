"""Presence: who is looking at which match. A visible tab that was touched within two minutes reports every few seconds
(match.js), and reports expire.

Reports wait in memory for the process's next heartbeat, which stores them all at once.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TypeAlias

from django.contrib.auth import get_user_model
from django.db import IntegrityError
from django.utils import timezone

from games.play import duties
from games.play.matches.transactions import writing
from games.play.models import Match, Presence
from games.play.signals import people_seen

Heard: TypeAlias = dict[tuple[int, int], datetime]
"""By (person, match): when a visible tab was last heard of."""

LOOKING = timedelta(seconds=20)
"""How recent a report must be to count as looking: pages report every 12 s, and the next heartbeat stores it."""

KEPT = timedelta(days=1)
PRUNED_EVERY = timedelta(hours=1)

_heard: Heard = {}


def hear(user_id: int, match_id: int) -> None:
    """Note that somebody is looking at a match now."""
    _heard[user_id, match_id] = timezone.now()


def take() -> Heard:
    """Return the reports since the last call; for the loop on which the sockets live."""
    heard = dict(_heard)
    _heard.clear()
    return heard


def is_waiting() -> bool:
    """Return whether there are reports to store: the last socket may have closed after sending one."""
    return bool(_heard)


def write(heard: Heard) -> None:
    """Store reports and let others react to them, in one transaction; do nothing without reports."""
    try:
        _store(heard)
    except IntegrityError:  # a person or a match has been deleted meanwhile: that must not affect anybody else
        _store(_remaining(heard))


def _remaining(heard: Heard) -> Heard:
    """Return the reports about people and matches that still exist."""
    people = set(get_user_model().objects.filter(pk__in={user for user, _ in heard}).values_list("pk", flat=True))
    matches = set(Match.objects.filter(pk__in={match for _, match in heard}).values_list("pk", flat=True))
    return {(user, match): at for (user, match), at in heard.items() if user in people and match in matches}


def _store(heard: Heard) -> None:
    if not heard:
        return
    rows = [Presence(user_id=user, match_id=match, at=at) for (user, match), at in sorted(heard.items())]
    with writing():
        Presence.objects.bulk_create(rows, update_conflicts=True, unique_fields=["user", "match"], update_fields=["at"])
        people_seen.send(Presence, heard=heard)


class Pruning:
    """The duty that forgets who looked at matches that have ended."""

    name = "presences"

    def __init__(self) -> None:
        self._next: datetime | None = None

    def run_due(self, now: datetime) -> int:
        if self._next is not None and self._next - PRUNED_EVERY <= now < self._next:
            return 0
        self._next = now + PRUNED_EVERY
        running = (Match.Status.PLANNED, Match.Status.OPEN, Match.Status.RUNNING)
        gone, _ = Presence.objects.filter(at__lt=now - KEPT).exclude(match__status__in=running).delete()
        return gone

    def next_due(self) -> datetime | None:
        return None  # the worker looks often enough anyway


duties.register(Pruning())
