"""How matches end: with places and scores, or aborted, and who is to blame for that.

Until somebody has acted, each of two players may abort the match alone, which counts as a no-show. Once another player
has acted it takes the agreement of all. A clock sees to those who never act; in a match without one, the others may
abort it without blame when a first action has been overdue for too long.

With three or more players nobody ends the match for the others alone: they can resign, and a bot takes the seat. It
also takes the seats of those who never come: without a clock, as soon as one of the others asks for it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.engine.protocol import Outcome
from games.play.models import AbortReason, Match, Seat, Speed, in_company
from games.play.reducer import clockwork
from games.play.reducer.draft import Draft
from games.play.reducer.positions import decode_state
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
    except Exception:  # a bug in a board must not keep a match from ending
        log.exception("what was counted in match %s is lost", draft.match.slug)
    draft.tell(match_over, seats=draft.seats)


def _count(draft: Draft) -> None:
    """Keep what the game counts for statistics and for the table of best solo results."""
    match, seats = draft.match, draft.seats
    view = match.rules.view_for(decode_state(match), None)
    scene = Scene(view=view, viewer=None, names=tuple(seat.name for seat in seats))
    if len(seats) == 1 and (result := match.title.board.solo_result(scene)) is not None:
        seats[0].solo_rank = result.rank
    for seat, counted in zip(seats, match.title.board.counts(scene), strict=False):  # () where nothing is counted
        seat.counts = dict(counted)


def abort(draft: Draft, reason: AbortReason, blamed: Sequence[Seat] = ()) -> None:
    """End a match without a result.

    Args:
        draft: the match.
        reason: why.
        blamed: the seats that caused it, before everybody had acted; they are marked as no-shows. Alone, or against
            bots alone, there is nobody to let down.
    """
    for seat in blamed if in_company(draft.seats) else ():
        seat.no_show = True
    _end(draft, Match.Status.ABORTED, reason)
    for seat in draft.seats:
        seat.to_move = False
    draft.tell(match_aborted, seats=draft.seats)
    draft.match.version += 1


def _end(draft: Draft, status: Match.Status, reason: str) -> None:
    match = draft.match
    match.status, match.reason, match.ended_at = status, reason, draft.now
    for seat in draft.seats:
        seat.ended_at = draft.now
        clockwork.halt(seat)


FIRST_ACTION_WITHIN = {Speed.LIVE: timedelta(minutes=5), Speed.DAYS: timedelta(days=3)}
"""How long a first action may take in a match without a clock before the others may abort it without blame."""


@dataclass(frozen=True, slots=True)
class LoneAbort:
    """What happens if one player aborts a match without asking the others.

    Args:
        reason: why the match ends, or why seats are taken out of it.
        blamed: the seats that ended it before their own first action.
        goes_on: the match does not end, but bots take the seats of those who are to blame.
    """

    reason: AbortReason
    blamed: tuple[Seat, ...]
    goes_on: bool = False


def lone_abort(match: Match, seats: Sequence[Seat], asker: int, now: datetime) -> LoneAbort | None:
    """Return what happens if one seat aborts a running match alone; None when all have to agree."""
    if match.moved_at is not None and match.moved_at + FIRST_ACTION_WITHIN[Speed(match.speed)] <= now:
        waited_for = (seat for seat in seats if seat.to_move and not seat.acted and not seat.has_left)
        missing = tuple(seat for seat in waited_for if seat.bank is None and seat.number != asker)
    else:
        missing = ()
    several = in_company(seats) and len(seats) > 2  # noqa: PLR2004  # of two, nobody would be left to play against
    if missing:
        return LoneAbort(AbortReason.NO_SHOW, missing, goes_on=several)
    if not several and not any(seat.acted for seat in seats):
        return LoneAbort(AbortReason.CALLED_OFF, (seats[asker],))
    return None


def lets_down(seats: Sequence[Seat], leaver: Seat) -> bool:
    """Return whether leaving counts as a no-show: before one's own first action, or of two before the other's.

    Otherwise one action would be enough to leave a match that is not to one's liking: it is not rated then.
    """
    if not in_company(seats):
        return False
    of_two = len(seats) == 2  # noqa: PLR2004  # with more players the match goes on
    return not leaver.acted or (of_two and not all(seat.acted for seat in seats))
