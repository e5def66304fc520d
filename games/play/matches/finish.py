"""How a match ends: places and scores, inside the transaction of the action that ended it."""

from __future__ import annotations

import logging

from django.utils import timezone

from games.engine.protocol import Outcome
from games.play.matches import announce, clockwork
from games.play.matches.positions import decode_state
from games.play.models import AbortReason, Match, Seat
from games.play.signals import match_aborted, match_over
from games.titles import Scene

log = logging.getLogger(__name__)


def finish_match(match: Match, seats: list[Seat], outcome: Outcome) -> None:
    """Store the outcome and let ratings be applied."""
    _end(match, seats, Match.Status.OVER, outcome.reason)
    for seat, place, score in zip(seats, outcome.places, outcome.scores, strict=True):
        seat.place, seat.score = place, score
    try:
        _count(match, seats)
    except Exception:  # a mistake in a board must not keep a match from ending
        log.exception("what was counted in match %s is lost", match.slug)
    _save_seats(seats)
    match_over.send(Match, match=match, seats=seats)


def _count(match: Match, seats: list[Seat]) -> None:
    """Keep what the game counts for statistics and for the table of best solo results."""
    scene = _last_scene(match, seats)
    if len(seats) == 1 and (result := match.title.board.solo_result(scene)) is not None:
        seats[0].solo_rank = result.rank
    for seat, counted in zip(seats, match.title.board.counts(scene), strict=False):  # () where nothing is counted
        seat.counts = dict(counted)


def abort_match(match: Match, seats: list[Seat], reason: AbortReason) -> None:
    """End a match without a result."""
    _end(match, seats, Match.Status.ABORTED, reason)
    announce.waiting_changed(seat.user_id for seat in seats if seat.to_move)
    for seat in seats:
        seat.to_move = False
    _save_seats(seats)
    match_aborted.send(Match, match=match, seats=seats)


def _end(match: Match, seats: list[Seat], status: Match.Status, reason: str) -> None:
    match.status = status
    match.reason = reason
    match.ended_at = timezone.now()
    match.save(update_fields=["status", "reason", "ended_at"])
    for seat in seats:
        seat.ended_at = match.ended_at
        clockwork.halt(seat)


def _save_seats(seats: list[Seat]) -> None:
    for seat in seats:
        seat.save(update_fields=["to_move", "place", "score", "solo_rank", "counts", "ended_at", *clockwork.FIELDS])


def _last_scene(match: Match, seats: list[Seat]) -> Scene:
    view = match.rules.view_for(decode_state(match), None)
    return Scene(view=view, viewer=None, names=tuple(seat.name for seat in seats))
