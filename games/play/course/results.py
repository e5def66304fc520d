"""How a match ends: its result, places and scores, or none."""

from __future__ import annotations

import logging

from games.engine.protocol import Outcome
from games.play.course import clockwork
from games.play.course.draft import Draft
from games.play.course.positions import decode_state
from games.play.models import AbortReason, Match
from games.play.signals import match_aborted, match_over
from games.titles import Scene

log = logging.getLogger(__name__)


def finish(draft: Draft, outcome: Outcome) -> None:
    """End a match with an outcome."""
    _end(draft, Match.Status.OVER, outcome.reason)
    for seat, place, score in zip(draft.seats, outcome.places, outcome.scores, strict=True):
        seat.place, seat.score = place, score
    try:
        _count(draft)
    except Exception:  # a mistake in a board must not keep a match from ending
        log.exception("what was counted in match %s is lost", draft.match.slug)
    draft.tell(match_over, seats=draft.seats)


def _count(draft: Draft) -> None:
    """Keep what the game counts for statistics and for the table of best solo results."""
    match, seats, scene = draft.match, draft.seats, _last_scene(draft)
    if len(seats) == 1 and (result := match.title.board.solo_result(scene)) is not None:
        seats[0].solo_rank = result.rank
    for seat, counted in zip(seats, match.title.board.counts(scene), strict=False):  # () where nothing is counted
        seat.counts = dict(counted)


def abort(draft: Draft, reason: AbortReason) -> None:
    """End a match without a result."""
    _end(draft, Match.Status.ABORTED, reason)
    for seat in draft.seats:
        seat.to_move = False
    draft.tell(match_aborted, seats=draft.seats)


def _end(draft: Draft, status: Match.Status, reason: str) -> None:
    match = draft.match
    match.status, match.reason, match.ended_at = status, reason, draft.now
    for seat in draft.seats:
        seat.ended_at = draft.now
        clockwork.halt(seat)


def _last_scene(draft: Draft) -> Scene:
    view = draft.match.rules.view_for(decode_state(draft.match), None)
    return Scene(view=view, viewer=None, names=tuple(seat.name for seat in draft.seats))
