"""What an action makes of a match: its position, the clocks of its seats, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import runner
from games.engine.codec import encode, encode_events
from games.engine.fair import seal
from games.engine.protocol import Seat as SeatNumber
from games.play.course import clockwork, positions, results
from games.play.course.aborting import lets_down
from games.play.course.draft import Draft
from games.play.models import AbortReason, Action, Seat, in_company
from games.play.signals import action_committed, deadlines_moved, turns_began


def act(  # noqa: PLR0917  # an action, who asks for it, and how
    draft: Draft, seat: SeatNumber, text: str, salt: bytes, client_id: str | None, by_bot: bool = False
) -> None:
    """Play an action; raises what `runner.play` raises.

    Args:
        draft: the match.
        seat: who acts.
        text: the action in the game's notation.
        salt: random bytes for its seal, if it is secret.
        client_id: what the player's page calls the request; None for an action of the site itself.
        by_bot: a bot acts for the seat.
    """
    seed = positions.seed_of(draft.match, draft.seats)
    play = runner.play(draft.match.rules, draft.position, seat, text, seed)
    _record(draft, play, client_id, salt, by_bot)


def leave(draft: Draft, play: positions.AnyPlay, client_id: str | None = None, by_bot: bool = False) -> None:
    """Take a seat out of the match.

    Args:
        draft: the match.
        play: what `runner.leave` returned.
        client_id, by_bot: as in `act`.
    """
    leaver = draft.seats[play.seat or 0]
    leaver.left = len(play.position.leavers)
    leaver.timed_out = play.text == runner.TIMEOUT
    leaver.no_show = lets_down(draft.seats, leaver)
    _record(draft, play, client_id, by_bot=by_bot)


def _record(
    draft: Draft, play: positions.AnyPlay, client_id: str | None, salt: bytes = b"", by_bot: bool = False
) -> None:
    """Add an action that was played, and end the match if it ended the game."""
    action = _action(draft, play, salt if play.sealed else b"")
    action.client_id, action.by_bot = client_id, by_bot
    draft.added.append(action)
    set_position(draft, play, acting=play.seat)
    draft.tell(action_committed, seats=draft.seats, action=action)
    if play.outcome is not None:
        results.finish(draft, play.outcome)


def _action(draft: Draft, play: positions.AnyPlay, salt: bytes) -> Action:
    match, seat = draft.match, draft.seats[play.seat or 0]
    return Action(
        match=match,
        number=play.position.number,
        seat=seat.number,
        text=play.text,
        at=draft.now,
        clock=clockwork.left_of(seat, draft.now, draft.before.vacations),
        reveals=play.reveals or play.outcome is not None,
        events=encode_events(play.events),
        seal=seal(match.commit, match.turn or 0, seat.number, play.text, salt) if play.sealed else "",
        salt=salt,
    )


def set_position(draft: Draft, play: positions.AnyPlay, acting: SeatNumber | None = None) -> None:
    """Put a match into the position reached: whose turn begins, and which clocks run.

    Args:
        draft: the match.
        play: how the position came about.
        acting: whose action led to it; None at the start, and after something was taken back.
    """
    match = draft.match
    match.state = encode(play.position.state)
    match.length = play.position.number
    match.moved_at = draft.now
    match.version += 1
    if match.turn != play.position.turn:
        match.turn, match.turn_version = play.position.turn, match.version
    if play.opens:
        match.opened = play.number
    begun = [seat for seat in draft.seats if _update_seat(draft, seat, play, acting)]
    if begun:
        draft.tell(turns_began, seats=begun)


def _update_seat(draft: Draft, seat: Seat, play: positions.AnyPlay, acting: SeatNumber | None) -> bool:
    """Note who is to move now and has acted, start or stop their clock; return whether a turn of theirs began.

    A secret action is a whole turn: whoever is to move again after it has begun another one.
    """
    vacations = draft.before.vacations
    clockwork.turn(draft.match, seat, play.to_move, draft.now, vacations, acting=acting, sealed=play.sealed)
    to_move = seat.number in play.to_move
    begins = to_move and (not seat.to_move or (play.sealed and seat.number == acting))
    ends = seat.number == acting and not seat.has_left and (play.sealed or not to_move) and in_company(draft.seats)
    seat.acted = seat.acted or (seat.number == play.seat and not seat.has_left)
    seat.to_move = to_move
    seat.turn = play.position.turn if begins else seat.turn
    seat.turns = max(0, seat.turns + ends - (begins and acting is None))  # an undo begins the turn once more
    return begins


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
    results.abort(draft, reason)
    draft.match.version += 1


def move_deadlines(draft: Draft, seats: Sequence[Seat]) -> None:
    """Say that running clocks of these seats got another deadline without a turn."""
    draft.tell(deadlines_moved, seats=seats)
    draft.match.version += 1
