"""The turns of bots: found in the database, claimed by a lease, thought about without a lock, and played exactly once.

A turn is due while a seat that a bot plays for is to move: nothing else has to be stored for it. A process claims it by
writing a lease under the match's lock, and plays the answer in the transaction that deletes this very lease. If the
process dies, the lease runs out and another one begins anew; if it was only slow, its lease is gone when it comes back.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from games.bots import thinking
from games.bots.models import Lease
from games.bots.thinking import Question
from games.engine.protocol import RuleViolation
from games.engine.protocol import Seat as SeatNumber
from games.play import duties
from games.play.course import positions
from games.play.course.requests import Stale
from games.play.matches import services, statements
from games.play.matches.locking import Locked, lock, try_lock
from games.play.matches.transactions import writing
from games.play.models import PLAYED_BY_BOT, Level, Match, Seat

DUTY = "bots"
"""The name of this work among what can be set back."""

STAND_IN = Level.COMPANION
"""Plays on for who has left."""

PACE = timedelta(seconds=0.7)
"""How long after the latest action a bot acts, so that people can follow. Secret actions need no pace."""

SPARE = timedelta(seconds=4)
"""What a lease is longer than the most a bot may think: for the pace, and for a machine that is busy."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A claimed turn.

    Args:
        match_id: the match.
        version: that is thought about.
        token: of the lease.
        due: when the answer is to be played, at the earliest.
        question: what the bot is asked.
    """

    match_id: int
    version: int
    token: str
    due: datetime
    question: Question


def awaited(now: datetime) -> QuerySet[Seat]:
    """Return the seats for which nobody thinks yet, the longest awaited first, except in matches that are set back."""
    seats = Seat.objects.filter(PLAYED_BY_BOT, to_move=True, match__status=Match.Status.RUNNING)
    leased = Lease.objects.filter(match=OuterRef("match"), seat=OuterRef("number"), until__gt=now)
    free = seats.filter(~Exists(leased)).exclude(match__in=duties.waiting(DUTY, now))
    return free.order_by("match__moved_at", "match", "number")


def claim_next(now: datetime) -> Turn | None:
    """Claim the turn that has waited longest; None if there is none, or others were quicker."""
    for match_id, number in list(awaited(now).values_list("match", "number")[:10]):
        claimed: list[Turn] = []
        duties.attempt(DUTY, match_id, partial(_claim_into, claimed, match_id, number))
        if claimed:
            return claimed[0]
    return None


def _claim_into(claimed: list[Turn], match_id: int, number: int) -> bool:
    """Add the turn of a seat if it can be claimed; return that nothing is done: it is when the turn is played."""
    turn = claim(match_id, number)
    if turn is not None:
        claimed.append(turn)
    return False


def claim(match_id: int, number: int) -> Turn | None:
    """Claim the turn of a seat; None if it is another's, or not a bot's to take."""
    with writing():
        if not try_lock(match_id):
            return None
        locked, now = lock(match_id), timezone.now()
        seat = locked.seats[number]
        if not (locked.match.is_running and seat.to_move and (seat.is_bot or seat.has_left)):
            return None
        if Lease.objects.filter(match=match_id, seat=number, until__gt=now).exists():
            return None
        turn = _turn(locked, seat, now)
        until = now + timedelta(seconds=settings.BOT_SECONDS) + SPARE
        Lease.objects.update_or_create(match_id=match_id, seat=number, defaults={"token": turn.token, "until": until})
        return turn


def _turn(locked: Locked, seat: Seat, now: datetime) -> Turn:
    match, number = locked.match, SeatNumber(seat.number)
    state = positions.decode_state(match)
    level = seat.bot or STAND_IN
    question = thinking.question_about(match.rules, state, number, level, settings.BOT_SECONDS, str(match))
    moved = match.moved_at or now
    due = now if match.rules.is_sealed(state) else max(now, moved + PACE)
    return Turn(match.pk, match.version, secrets.token_hex(16), due, question)


def play(turn: Turn, text: str) -> bool:
    """Play the answer to a claimed turn, unless the match has changed or the claim has passed to another process."""
    return duties.attempt(DUTY, turn.match_id, lambda: _play(turn, text))


def _play(turn: Turn, text: str) -> bool:
    try:
        return _submit(turn, text)
    except RuleViolation:
        thinking.complain(turn.question)
        return _submit(turn, thinking.by_policy(turn.question))


def _submit(turn: Turn, text: str) -> bool:
    """Submit an action in the transaction that ends the lease; raises RuleViolation, which keeps the lease."""
    with writing():
        statements.locked_version(turn.match_id)  # first the match, then the lease: as in `claim`
        deleted, _rows = Lease.objects.filter(match=turn.match_id, seat=turn.question.seat, token=turn.token).delete()
        if not deleted:
            return False
        try:
            services.submit_for_bot(turn.match_id, turn.question.seat, text, turn.version, turn.token)
        except Stale:
            return False
        return True


def give_back(turns: Iterable[Turn]) -> None:
    """Give up claims, so that other processes need not wait for them to run out."""
    Lease.objects.filter(token__in=[turn.token for turn in turns]).delete()
