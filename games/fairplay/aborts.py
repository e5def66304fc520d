"""Who ended a rated match without a result, noted when it happens: ratings and scores of that moment are not kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.elo import START
from games.fairplay.models import Abort
from games.play.course import positions
from games.play.models import AbortReason, Match, Seat, in_company
from games.ratings.models import Rating


def on_match_aborted(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Receive a match that was aborted (`games.play.signals.match_aborted`)."""
    if not match.rated or not in_company(seats):
        return
    agreed = match.reason == AbortReason.AGREED
    enders = {seat.user_id: seat for seat in seats if seat.user_id and (seat.acted if agreed else seat.no_show)}
    if not enders:
        return
    ratings, behind = _ratings(match, seats), _behind(match, seats) if agreed else {}
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


def _ratings(match: Match, seats: Sequence[Seat]) -> Mapping[int, int]:
    people = [seat.user_id for seat in seats if seat.user_id]
    found = Rating.objects.filter(user__in=people, game=match.game, speed=match.speed)
    known = dict(found.values_list("user", "rating"))
    return {seat.number: known.get(seat.user_id, START) if seat.user_id else START for seat in seats}


def _behind(match: Match, seats: Sequence[Seat]) -> Mapping[int, bool | None]:
    """Return whether somebody is ahead of each seat; None for everybody while all are level."""
    scores = match.rules.standing(positions.decode_state(match))
    level = len(set(scores)) == 1
    return {seat.number: None if level else scores[seat.number] < max(scores) for seat in seats}
