"""Matches that begin at once with people whom the site brought together (`games.pairing`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from accounts.relations import blocked_pairs, lock_people
from games.engine.fair import commitment
from games.engine.protocol import RuleViolation
from games.matchmaking.admission import check_may_still_play
from games.matchmaking.clock_fields import USUAL
from games.matchmaking.counting import count_paired
from games.matchmaking.seating import begin_now
from games.matchmaking.wishes import Wish
from games.play.matches.services import prepare_match
from games.play.matches.transactions import writing
from games.play.models import Match, Seat, Speed

KEPT_APART = "kept-apart"
"""The code of a refusal that nobody is told."""


class Refused(Exception):
    """One of these people may not sit down.

    Args:
        user_id: who.
        violation: why.
    """

    def __init__(self, user_id: int, violation: RuleViolation) -> None:
        super().__init__(user_id, violation.code)
        self.user_id = user_id
        self.violation = violation


@dataclass(frozen=True, slots=True)
class Announced:
    """A match whose fingerprint its players have been shown: its slug and its secret number."""

    slug: str
    server_seed: bytes


def begin_together(wish: Wish, people: Sequence[tuple[Any, bytes]], announced: Announced | None = None) -> Match:
    """Seat people, each with a nonce, in a match without a host, and begin it; all of it or nothing.

    Args:
        wish: game, seats, options, speed and whether it is rated, with the usual clock; nothing else of it matters.
        people: as many as there are seats.
        announced: what its players have been shown of the match, if anything.

    Raises:
        Refused: somebody may not sit down, as `counting.count_paired` says, or is "suspended"; `KEPT_APART` when one
            blocked another.
    """
    with writing():
        match = prepare_match(
            wish.game, wish.options, wish.seats, speed=wish.speed, clock=USUAL[Speed(wish.speed)][0], rated=wish.rated
        )
        if announced is not None:
            match.slug, match.server_seed = announced.slug, announced.server_seed
            match.commit = commitment(announced.server_seed)
        match.save()
        lock_people([user.pk for user, _nonce in people])
        _check_together([user.pk for user, _nonce in people])
        seats: list[Seat] = []
        for user, nonce in people:
            _seat(match, seats, user, nonce)
        begin_now(match, seats)
    return match


def _check_together(keys: Sequence[int]) -> None:
    """Refuse people who are to be kept apart. They are locked, so nobody blocks anybody of them meanwhile."""
    if apart := blocked_pairs(keys):
        raise Refused(min(apart)[0], RuleViolation(KEPT_APART, ""))


def _seat(match: Match, seats: list[Seat], user: Any, nonce: bytes) -> None:
    try:
        check_may_still_play(user)
        count_paired(match, seats, user)
    except RuleViolation as violation:
        raise Refused(user.pk, violation) from violation
    seats.append(Seat.objects.create(match=match, number=len(seats), user=user, nonce=nonce))
