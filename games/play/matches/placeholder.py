"""The bot for seats whose players have left a match of three or more: random legal actions, until there are real bots.

Its actions are recorded as the seat's own, marked as a bot's. It takes one turn at a time, so that the others see what
it does, and it stops when the match ends, at the latest when its last person leaves.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from games.engine.protocol import Seat as SeatNumber
from games.engine.seals import SALT_BYTES
from games.play import duties
from games.play.course import advance, positions
from games.play.course.draft import Snapshot
from games.play.matches.locking import try_lock
from games.play.matches.snapshots import snapshot
from games.play.matches.storing import store
from games.play.matches.transactions import writing
from games.play.models import Match, Seat

THINKING = timedelta(seconds=1)
"""How long after the latest action a bot acts: long enough for people to follow."""

MOST_ACTIONS = 50
"""Actions in one go: a longer turn takes several."""

MOST = 200
"""How many matches are handled in one go."""


class BotTurns:
    """The duty of acting for seats whose players have left."""

    name = "bots"

    def run_due(self, now: datetime) -> int:
        awaited = _awaited(now).filter(match__moved_at__lte=now - THINKING)
        return duties.attempt_on_lanes(self.name, dict(awaited.values_list("match", "match__slug")[:MOST]), take_turn)

    def next_due(self) -> datetime | None:
        first = _awaited(timezone.now()).values_list("match__moved_at", flat=True).first()
        return first and first + THINKING


def _awaited(now: datetime) -> QuerySet[Seat]:
    """Return the seats where a bot is to move, the longest awaited first, except in matches that are set back."""
    seats = Seat.objects.filter(to_move=True, left__isnull=False, match__status=Match.Status.RUNNING)
    return seats.exclude(match__in=duties.waiting(BotTurns.name, now)).order_by("match__moved_at", "match")


def take_turn(match_id: int) -> bool:
    """Take one turn for a seat that has left a match; return whether there was one to take.

    A match locked by somebody else is left alone: its turn is due again at once.
    """
    with writing():
        if not try_lock(match_id):
            return False
        now = timezone.now()
        before = snapshot(match_id, now)
        seat = next((seat for seat in before.seats if seat.to_move and seat.has_left), None)
        if seat is None or not before.match.is_running:
            return False
        _act(before, seat, now)
        return True


def _act(before: Snapshot, seat: Seat, now: datetime) -> None:
    number, turn = SeatNumber(seat.number), seat.turn
    for _ in range(MOST_ACTIONS):
        text = secrets.choice(positions.legal_texts(before.match, number))
        change = advance.act_as_bot(before, number, text, secrets.token_bytes(SALT_BYTES), now)
        store(change)
        acted = change.seats[number]
        if not (change.match.is_running and acted.to_move and acted.turn == turn):
            return
        before = replace(before, match=change.match, seats=change.seats, tail=change.tail)


duties.register(BotTurns())
