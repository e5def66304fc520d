"""When the last person has left a match, its bots leave too: they play for nobody."""

from __future__ import annotations

from games.engine import runner
from games.engine.protocol import Seat as SeatNumber
from games.play.course.draft import Draft
from games.play.course.recording import leave
from games.play.models import Seat


def bots_follow(draft: Draft) -> None:
    """Let every bot resign if no person is left, the lowest score first, so that the highest is placed best."""
    if any(not seat.is_bot and not seat.has_left for seat in draft.seats):
        return
    for bot in _worst_first(draft):
        if not draft.match.is_running:
            return
        play = runner.leave(draft.match.rules, draft.position, SeatNumber(bot.number), runner.RESIGN)
        leave(draft, play, by_bot=True)


def _worst_first(draft: Draft) -> list[Seat]:
    scores = draft.match.rules.standing(draft.position.state)
    bots = [seat for seat in draft.seats if seat.is_bot and not seat.has_left]
    return sorted(bots, key=lambda seat: scores[seat.number])
