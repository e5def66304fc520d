"""How a match can be aborted, and who is to blame for it.

Until somebody has acted, each of two players may abort the match alone, which counts as a no-show. Once another player
has acted it takes the agreement of all. A clock sees to those who never act; in a match without one, the others may
abort it without blame when a first action has been overdue for too long.

With three or more players nobody ends the match for the others alone: they can resign, and a bot takes the seat. It
also takes the seats of those who never come: without a clock, as soon as one of the others asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.play.models import AbortReason, Match, Seat, Speed, in_company

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
    missing = tuple(seat for seat in seats if seat.number != asker and _keeps_waiting(match, seat, now))
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


def _keeps_waiting(match: Match, seat: Seat, now: datetime) -> bool:
    """Return whether a seat without a clock has kept the others waiting too long for its first action."""
    if seat.acted or seat.has_left or not seat.to_move or seat.bank is not None or match.moved_at is None:
        return False
    return match.moved_at + FIRST_ACTION_WITHIN[Speed(match.speed)] <= now
