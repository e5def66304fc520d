"""Receivers of signals of matches: record devices that several seats share, and aborts of rated matches.

A rated match becomes unrated as soon as two of its seats are played from one device, and its page says so. That happens
in families too, so it accuses nobody. Casual matches with shared devices are only shown to moderators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from accounts.logins import acting_device, device_mark
from games.engine.elo import START
from games.fairplay.models import Abort, Finding, Use
from games.play.models import AbortReason, Action, Match, Seat, in_company
from games.play.reducer import positions
from games.ratings.models import Rating

MOST_REMEMBERED: Final = 10_000
_remembered: set[tuple[str, int, str]] = set()
"""What this process has stored already: most actions come from the same device as the one before."""


def on_action(match: Match, seats: Sequence[Seat], action: Action, **_: Any) -> None:
    """Store which device a person acted from (`games.play.signals.action_committed`)."""
    token, user = acting_device(), seats[action.seat].user_id
    if not token or user is None or action.by_bot or action.client_id is None or not in_company(seats):
        return
    key = (match.slug, user, token)
    if key in _remembered:
        return
    mark = device_mark(token)
    Use.objects.bulk_create([Use(match=match, user_id=user, mark=mark)], ignore_conflicts=True)
    if match.rated:
        others = Use.objects.filter(match=match, mark=mark).exclude(user=user)
        if (other := others.values_list("user", flat=True).first()) is not None:
            _unrate(match, other, user)

    def remember() -> None:
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        _remembered.add(key)

    transaction.on_commit(remember)


def _unrate(match: Match, other: int, user: int) -> None:
    """Make a match with two seats at one device unrated, before other receivers see it, and store a finding."""
    match.rated, match.one_device = False, True
    match.save(update_fields=["rated", "one_device"])
    about = {"game": match.game, "speed": match.speed, "facts": {"action": match.length}}
    Finding.objects.create(kind=Finding.Kind.DEVICE, first_id=other, second_id=user, match=match, **about)


def on_match_aborted(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Store who ended a rated match, with the ratings and scores at that time (`games.play.signals.match_aborted`)."""
    if not match.rated or not in_company(seats):
        return
    agreed = match.reason == AbortReason.AGREED
    enders = {seat.user_id: seat for seat in seats if seat.user_id and (seat.acted if agreed else seat.no_show)}
    if not enders:
        return
    pool = Rating.objects.filter(user__in=[seat.user_id for seat in seats if seat.user_id])
    known = dict(pool.filter(game=match.game, speed=match.speed).values_list("user", "rating"))
    ratings = {seat.number: known.get(seat.user_id or 0, START) for seat in seats}
    behind = _behind(match, seats) if agreed else {}
    Abort.objects.bulk_create(
        [
            Abort(
                match=match,
                user_id=user,
                alone=not agreed,
                above=max(ratings[other.number] for other in seats if other is not seat) - ratings[seat.number],
                behind=behind.get(seat.number),
            )
            for user, seat in enders.items()
        ]
    )


def _behind(match: Match, seats: Sequence[Seat]) -> Mapping[int, bool | None]:
    """Return for each seat whether another one is ahead of it; None while all are level."""
    scores = match.rules.standing(positions.decode_state(match))
    level = len(set(scores)) == 1
    return {seat.number: None if level else scores[seat.number] < max(scores) for seat in seats}
