"""What a block does to open tables at which both people sit: one of them gets up."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from django.db import transaction

from games.engine.protocol import RuleViolation
from games.matchmaking import planning, services
from games.matchmaking.admission import seat_of
from games.matchmaking.models import Promise
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
    _part_at_planned(by, other)


def _part_at_planned(by: Any, other: Any) -> None:
    """Give back a seat at each planned table to which both wanted to come, in the same way."""
    shared = Match.objects.filter(status=Match.Status.PLANNED, promises__user=other)
    for match in list(shared.filter(pk__in=Promise.objects.filter(user=by).values("match"))):
        with suppress(RuleViolation):  # one of them has just done so
            planning.take_back(match.pk, other if match.host_id == by.pk else by)
