"""A match of the database as a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from games.engine.protocol import Outcome
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
from games.play.course.positions import may_be_read, nonces_of
from games.play.matches.actions import standing_actions
from games.play.matches.sealed import sealed_actions
from games.play.matches.viewed import ViewedMatch
from games.play.models import Action, Match, Ruling, Seat


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
        actions=tuple(_entry(action, may_be_read(match, action, viewed.viewer)) for action in standing_actions(match)),
        outcome=_outcome(viewed, ruling),
        ratings=tuple(ratings),
        withdrawn_seals=tuple(_withdrawn_seals(match)),
        practice=match.practice,
        hints=match.hints,
        ruling=None if ruling is None else RulingEntry(None if ruling.places is None else tuple(ruling.places)),
    )


def _seat_entry(seat: Seat) -> SeatEntry:
    """Return who sits in a seat; a bot by its level, in the same words for every reader."""
    name = seat.bot or (seat.user.username if seat.user else seat.name)
    return SeatEntry(name, seat.joined, seat.bot)


def _withdrawn_seals(match: Match) -> Iterator[WithdrawnSeal]:
    for sealed in sealed_actions(match):
        if sealed.action.withdrawn:
            yield WithdrawnSeal(sealed.turn, sealed.action.seat, sealed.action.seal)


def _entry(action: Action, open_to_reader: bool) -> ActionEntry:
    """Return an action as its reader may see it: of a secret one only the seal."""
    return ActionEntry(
        n=action.number,
        seat=action.seat,
        text=action.text if open_to_reader else "",
        at=_moment(action.at),
        by="bot" if action.by_bot else None,
        seal=action.seal or None,
        salt=bytes(action.salt).hex() if action.seal and open_to_reader else None,
    )


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _outcome(viewed: ViewedMatch, ruling: Ruling | None) -> OutcomeEntry | None:
    """Return the outcome as it was played, whatever moderators have decided since."""
    if not viewed.match.is_over and ruling is None:
        return None
    scores = tuple(seat.score or 0 for seat in viewed.seats)
    if ruling is not None:
        return OutcomeEntry.of(Outcome(tuple(ruling.played["places"]), scores, ruling.played["reason"]))
    places = tuple(seat.place or 0 for seat in viewed.seats)
    return OutcomeEntry.of(Outcome(places, scores, viewed.match.reason))
