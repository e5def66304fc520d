"""What an action does to a locked match, and how that is stored: position, action, clocks and result together."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from games.engine import runner
from games.engine.codec import encode, encode_events
from games.engine.protocol import Seat as SeatNumber
from games.engine.seals import SALT_BYTES, seal
from games.play import duties
from games.play.matches import announce, clockwork, positions, statements
from games.play.matches.finish import abort_match, finish_match
from games.play.matches.locking import Locked
from games.play.models import AbortReason, Action, Match, Seat
from games.play.signals import action_committed, turns_began

_POSITION = ("state", "length", "moved_at", "version", "status", "started_at", "turn", "turn_version", "opened")


def act(locked: Locked, seat: SeatNumber, text: str, client_id: str | None, by_bot: bool = False) -> None:
    """Take an action and store the result; raises what `runner.play` raises."""
    seed = positions.seed_of(locked.match, locked.seats)
    play = runner.play(locked.match.rules, locked.position, seat, text, seed)
    record(locked, play, client_id, by_bot)


def record(locked: Locked, play: positions.AnyPlay, client_id: str | None, by_bot: bool = False) -> None:
    """Store an action that was played, and end the match if it ended the game."""
    match = locked.match
    salt = secrets.token_bytes(SALT_BYTES) if play.sealed else b""
    seat = locked.seats[play.seat or 0]
    action = Action(
        match=match,
        number=play.position.number,
        seat=seat.number,
        text=play.text,
        client_id=client_id,
        at=locked.now,
        clock=clockwork.left_of(seat, locked.now),
        by_bot=by_bot,
        reveals=play.reveals or play.outcome is not None,
        events=encode_events(play.events),
        seal=seal(match.commit, match.turn or 0, seat.number, play.text, salt) if play.sealed else "",
        salt=salt,
    )
    statements.insert(action)
    if locked.tail is not None:
        locked.tail = (action, *locked.tail)[: positions.KEPT]
    save_position(locked, play, acting=play.seat)
    action_committed.send(Match, match=match, seats=locked.seats, action=action)
    if play.outcome is not None:
        finish_match(match, locked.seats, play.outcome)


def save_position(locked: Locked, play: positions.AnyPlay, acting: SeatNumber | None = None) -> None:
    """Store the position after an action, signal whose turn begins, let clocks run, and announce it."""
    match = locked.match
    match.state = encode(play.position.state)
    match.length = play.position.number
    match.moved_at = locked.now
    match.version += 1
    if match.turn != play.position.turn:
        match.turn, match.turn_version = play.position.turn, match.version
    if play.opens:
        match.opened = play.number
    statements.update(match, *_POSITION)
    turned = [seat for seat in locked.seats if seat.to_move != (seat.number in play.to_move)]
    begun = [seat for seat in locked.seats if _update_seat(locked, seat, play, acting)]
    if begun:
        turns_began.send(Match, match=match, seats=begun)
    announce.waiting_changed(seat.user_id for seat in turned)
    announce.match_changed(match.pk, match.version)


def _update_seat(locked: Locked, seat: Seat, play: positions.AnyPlay, acting: SeatNumber | None) -> bool:
    """Note who is to move now and has acted, start or stop their clock; return whether a turn of theirs began.

    A secret action is a whole turn: whoever is to move again after it has begun another one.
    """
    turned = clockwork.turn(locked.match, seat, play.to_move, locked.now, acting=acting, sealed=play.sealed)
    acted = seat.acted or (seat.number == play.seat and not seat.has_left)
    to_move = seat.number in play.to_move
    begins = to_move and (not seat.to_move or (play.sealed and seat.number == acting))
    ends = seat.number == acting and not seat.has_left and (play.sealed or not to_move)
    if turned or begins or (seat.acted, seat.to_move) != (acted, to_move):
        seat.acted, seat.to_move = acted, to_move
        seat.turn = play.position.turn if begins else seat.turn
        seat.turns = max(0, seat.turns + ends - (begins and acting is None))  # an undo begins the turn once more
        statements.update(seat, "acted", "to_move", "turn", "turns", *clockwork.FIELDS)
    if turned and seat.deadline:
        duties.wake_for(seat.deadline)
    return begins


def leave(locked: Locked, play: positions.AnyPlay, client_id: str | None) -> None:
    """Store that a seat has resigned or has run out of time.

    Args:
        play: what `runner.leave` returned.
    """
    leaver = locked.seats[play.seat or 0]
    leaver.left = len(play.position.leavers)
    leaver.timed_out = play.text == runner.TIMEOUT
    leaver.no_show = not leaver.acted and len(locked.seats) > 1
    leaver.save(update_fields=["left", "timed_out", "no_show"])
    record(locked, play, client_id)


def abort(locked: Locked, reason: AbortReason, blamed: Sequence[Seat] = ()) -> None:
    """End a match without a result, and announce it.

    Args:
        blamed: the seats that caused it; those that have not acted are marked as no-shows. In a solo match there is
            nobody to let down.
    """
    for seat in blamed if len(locked.seats) > 1 else ():
        seat.no_show = not seat.acted
        seat.save(update_fields=["timed_out", "no_show"])
    abort_match(locked.match, locked.seats, reason)
    changed(locked.match)


def changed(match: Match) -> None:
    """Give a locked match a new version, and announce it."""
    match.version += 1
    match.save(update_fields=["version"])
    announce.match_changed(match.pk, match.version)
