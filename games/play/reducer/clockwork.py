"""The clocks of a match's seats: started, stopped and put back.

Functions change the seats they are given. `vacations` are those of the players, by their ids, in the order of time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from heapq import merge
from typing import Any, TypeAlias

from django.utils.translation import gettext as _

from games.engine.codec import decode, encode
from games.engine.protocol import RuleViolation, Seat as SeatNumber
from games.play.clocks import NOTHING, Rest, Span, deadline, spent
from games.play.models import Action, Match, Seat, Speed, in_company

Vacations: TypeAlias = Mapping[int, Sequence[Span]]
"""By the id of a person: when their day clocks stand still as they are away."""


def wind_up(match: Match, seats: Sequence[Seat]) -> None:
    """Set every clock of a match that begins. Bots have none, and there is none where nobody waits but bots."""
    bank = match.control.start if match.control and in_company(seats) else None
    for seat in seats:
        seat.bank = None if seat.is_bot else bank


def turn(
    match: Match,
    seat: Seat,
    to_move: Collection[SeatNumber],
    now: datetime,
    vacations: Vacations,
    *,
    acting: SeatNumber | None = None,
    sealed: bool = False,
) -> None:
    """Start or stop a seat's clock as the position demands.

    Args:
        to_move: who is to move now.
        acting: whose action led here; if it ended a turn, it earns the increment. None at the start, and after an
            undo, which costs nobody time but the player who undoes (see `take_back`).
        sealed: the action was secret. It is a whole turn, even if the next one begins at once.
    """
    if match.control is None or seat.bank is None:
        return
    runs = seat.number in to_move and not seat.has_left
    ended = seat.number == acting and (sealed or not runs)
    if seat.running_since is not None and (ended or not runs):
        if acting is not None:
            seat.bank = left_of(seat, now, vacations)
        if ended and not seat.has_left and seat.bank is not None:
            seat.bank = match.control.after_turn(seat.bank)
        halt(seat)
    if runs and seat.running_since is None:
        seat.running_since = now
        seat.rest = encode(rest_of(seat.user)) if match.speed == Speed.DAYS else ""
        set_deadline(seat, now, vacations)


def halt(seat: Seat) -> None:
    """Stop a clock, for good or until it is started again."""
    seat.running_since = seat.deadline = seat.away_until = None


def set_deadline(seat: Seat, now: datetime, vacations: Vacations) -> None:
    """Compute when a running clock will have spent its bank; repeated when a vacation begins or ends."""
    since, bank = seat.running_since, seat.bank
    if since is not None and bank is not None:
        away = _away(seat, since, vacations)
        seat.deadline = deadline(bank, since, _stops(seat, since, away))
        seat.away_until = max((end for _begin, end in away if end > now), default=None)


def moment_with_left(seat: Seat, share: float, vacations: Vacations) -> datetime | None:
    """Return when a running clock will have only this share of its time left; None if it is stopped."""
    since, bank = seat.running_since, seat.bank
    if since is None or bank is None:
        return None
    return deadline(bank * (1 - share), since, _stops(seat, since, _away(seat, since, vacations)))


def left_of(seat: Seat, now: datetime, vacations: Vacations, outages: Sequence[Span] = ()) -> timedelta | None:
    """Return what a seat has left, never negative; None without a clock."""
    since, bank = seat.running_since, seat.bank
    if since is None or bank is None:
        return bank
    stops = merge(_stops(seat, since, _away(seat, since, vacations)), outages)
    return max(NOTHING, bank - spent(since, now, stops))


def _away(seat: Seat, since: datetime, vacations: Vacations) -> list[Span]:
    """Return the vacations of a day clock's player that end after a moment."""
    spans = vacations.get(seat.user_id, ()) if seat.rest and seat.user_id is not None else ()
    return [span for span in spans if span[1] > since]


def _stops(seat: Seat, since: datetime, away: Sequence[Span]) -> Iterator[Span]:
    """Return when this seat's clock is stopped: never in live matches."""
    return merge(decode(seat.rest, Rest).stops(since), away) if seat.rest else iter(())


def rest_of(user: Any) -> Rest:
    """Return when a person's day clocks are stopped; those of deleted users always run.

    A clock keeps the rule it began to run with, so that nobody gains time by changing their nights in mid-turn.
    """
    if user is None:
        return Rest()
    sleeps = user.sleep_from is not None and user.sleep_until is not None
    sleep = (_minute(user.sleep_from), _minute(user.sleep_until)) if sleeps else None
    return Rest(user.time_zone, sleep, user.free_weekends)


def _minute(moment: Any) -> int:
    return int(moment.hour) * 60 + int(moment.minute)


def take_back(seat: Seat, action: Action, now: datetime, vacations: Vacations, outages: Sequence[Span]) -> None:
    """Put a clock back to before an action that is taken back, as if it had run on since: no time is gained.

    It has not run during outages, which cost nobody anything. A running clock stays as it is: so has it.

    Args:
        action: of this seat, the first that is taken back.
        outages: in the order of time.

    Raises:
        RuleViolation: "no-time-left": so much time has passed since then that none would be left.
    """
    if action.clock is None or seat.running_since is not None:
        return
    seat.bank, seat.running_since = action.clock, action.at
    if any(end > action.at for _begin, end in outages):
        seat.bank, seat.running_since = left_of(seat, now, vacations, outages), now
    set_deadline(seat, now, vacations)
    if overdue(seat, now):
        raise RuleViolation("no-time-left", _("You do not have enough time left to take that back."))


def overdue(seat: Seat, now: datetime) -> bool:
    """Return whether a seat's time is up."""
    return seat.deadline is not None and seat.deadline <= now
