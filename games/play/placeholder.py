"""Who acts for a player who has left a match of three or more: random legal actions, until there are real bots.

Its actions stand in the record as the seat's own, marked as a bot's.
"""

from __future__ import annotations

import secrets

from games.engine.protocol import Seat as SeatNumber
from games.play import positions, recording
from games.play.locking import Locked


def act_for_leavers(locked: Locked) -> None:
    """Act for every seat that has left and is to move, until somebody present is, or the match is over."""
    while (seat := _absent_to_move(locked)) is not None:
        text = secrets.choice(positions.legal_texts(locked.match, seat))
        recording.act(locked, seat, text, f"bot-{secrets.token_hex(8)}", by_bot=True)


def _absent_to_move(locked: Locked) -> SeatNumber | None:
    if not locked.match.is_running:
        return None
    return next((SeatNumber(seat.number) for seat in locked.seats if seat.to_move and seat.has_left), None)
