"""What a block does to open tables at which both people sit: one of them gets up."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction

from games.matchmaking import services
from games.matchmaking.admission import seat_of
from games.play.matches.locking import lock
from games.play.matches.transactions import writing
from games.play.models import Match, Seat


def on_blocked(by: Any, other: Any, **_: Any) -> None:
    """Part two people (`accounts.signals.blocked`) once the block is stored: tables are locked before people."""
    transaction.on_commit(partial(part, by, other))


def part(by: Any, other: Any) -> None:
    """Let the other get up from tables that `by` hosts, and `by` from all others where both sit."""
    shared = Seat.objects.filter(user=other, match__status=Match.Status.OPEN, match__seats__user=by)
    for match_id in shared.values_list("match", flat=True):
        with writing():
            locked = lock(match_id)
            leaving = other if locked.match.host_id == by.pk else by
            if locked.match.is_open and all(seat_of(person, locked.seats) for person in (by, other)):
                services.get_up(locked.match, leaving, locked.seats)
