"""The stored actions of a match: the positions they lead to, what was sealed, and the match as a file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from games.engine import runner
from games.engine.protocol import Outcome, Seat as SeatNumber
from games.engine.record import (
    FORMAT,
    ActionEntry,
    OutcomeEntry,
    RatingEntry,
    Record,
    RulingEntry,
    SeatEntry,
    WithdrawnSeal,
)
from games.engine.runner import LEAVING
from games.play.access import ViewedMatch
from games.play.models import Action, Match, Ruling, Seat
from games.play.reducer.positions import (
    AnyPlay,
    Reached,
    decode_state,
    events_of,
    may_be_read,
    nonces_of,
    seed_of,
)


def standing_actions(match: Match) -> Any:
    """Return the actions that count, in order: those not taken back."""
    return Action.objects.filter(match=match, withdrawn=False).order_by("number")


def current_position(match: Match) -> Reached:
    """Return the current position of a match."""
    last = standing_actions(match).filter(number=match.length).first()
    events = events_of(match, last.events) if last else ()
    return Reached(match.length, decode_state(match), events)


def position_at(match: Match, seats: Sequence[Seat], number: int) -> Reached:
    """Return the position after this many actions.

    Raises:
        ValueError: the match has no such position.
    """
    if not 0 <= number <= match.length:
        raise ValueError(f"{match} has no position {number}")
    if number == match.length:
        return current_position(match)
    play = replay(match, seats, number)
    return Reached(number, play.position.state, play.events)


def replay(match: Match, seats: Sequence[Seat], number: int) -> AnyPlay:
    """Play a match again from its actions up to one of them."""
    return deque(plays(match, seats, number), maxlen=1).pop()


def plays(match: Match, seats: Sequence[Seat], last: int | None = None) -> Iterator[AnyPlay]:
    """Yield every position of a match from the start, up to the action `last` (None: all), by playing it again."""
    actions = standing_actions(match).values_list("seat", "text")
    if last is not None:
        actions = actions.filter(number__lte=last)
    pairs = ((SeatNumber(seat), text) for seat, text in actions)
    return runner.replay(match.rules, match.seat_count, match.options, seed_of(match, seats), pairs)


@dataclass(frozen=True, slots=True)
class SealedAction:
    """An action that was asked for in secret.

    `turn` is the number inside its seal: that of the action which ended the turn before, 0 in the first turn.
    """

    action: Action
    turn: int


def sealed_actions(match: Match) -> Iterator[SealedAction]:
    """Yield every action asked for in secret in the order of time, also those that were taken back."""
    turn = 0
    for action in Action.objects.filter(match=match).order_by("pk"):
        if action.seal:
            yield SealedAction(action, turn)
        # Neither what was taken back ends a turn, nor leaving a sealed one.
        if not action.withdrawn and action.text not in LEAVING and (action.reveals or not action.seal):
            turn = action.number


def record_of(viewed: ViewedMatch, ratings: Iterable[RatingEntry] = ()) -> Record:
    """Return a match as a record: all of it when it has ended, otherwise without the seed and what is sealed.

    Args:
        viewed: the match; the caller checks who may have it (while it runs: its own players).
        ratings: how ratings changed, known one level above.
    """
    match = viewed.match
    ruling = Ruling.objects.filter(match=match).first() if match.has_ended else None
    return Record(
        format=FORMAT,
        game=match.game,
        rules_version=match.rules_version,
        options=dict(match.options),
        seats=tuple(_seat_entry(seat) for seat in viewed.seats),
        seat_order="random" if all(seat.joined is not None for seat in viewed.seats) else None,
        speed=match.speed,  # type: ignore[arg-type]  # the column holds one of Speed's values
        rated=match.rated,
        commit=match.commit,
        server_seed=bytes(match.server_seed).hex() if match.has_ended else None,
        nonces=tuple(nonce.hex() for nonce in nonces_of(viewed.seats)),
        actions=tuple(
            _action_entry(action, may_be_read(match, action, viewed.viewer)) for action in standing_actions(match)
        ),
        outcome=_outcome(viewed, ruling),
        ratings=tuple(ratings),
        withdrawn_seals=tuple(
            WithdrawnSeal(sealed.turn, sealed.action.seat, sealed.action.seal)
            for sealed in sealed_actions(match)
            if sealed.action.withdrawn
        ),
        practice=match.practice,
        hints=match.hints,
        ruling=None if ruling is None else RulingEntry(None if ruling.places is None else tuple(ruling.places)),
    )


def _seat_entry(seat: Seat) -> SeatEntry:
    """Return who sits in a seat; a bot by its level, in the same words for every reader."""
    name = seat.bot or (seat.user.username if seat.user else seat.name)
    return SeatEntry(name, seat.joined, seat.bot)


def _action_entry(action: Action, open_to_reader: bool) -> ActionEntry:
    """Return an action as its reader may see it: of a secret one only the seal."""
    return ActionEntry(
        n=action.number,
        seat=action.seat,
        text=action.text if open_to_reader else "",
        at=action.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        by="bot" if action.by_bot else None,
        seal=action.seal or None,
        salt=bytes(action.salt).hex() if action.seal and open_to_reader else None,
    )


def _outcome(viewed: ViewedMatch, ruling: Ruling | None) -> OutcomeEntry | None:
    """Return the outcome as it was played, whatever moderators have decided since."""
    if not viewed.match.is_over and ruling is None:
        return None
    scores = tuple(seat.score or 0 for seat in viewed.seats)
    if ruling is not None:
        return OutcomeEntry.of(Outcome(tuple(ruling.played["places"]), scores, ruling.played["reason"]))
    places = tuple(seat.place or 0 for seat in viewed.seats)
    return OutcomeEntry.of(Outcome(places, scores, viewed.match.reason))
