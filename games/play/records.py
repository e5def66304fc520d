"""A match of the database as a file."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from games.engine.protocol import Outcome
from games.engine.record import FORMAT, ActionEntry, OutcomeEntry, RatingEntry, Record, SeatEntry
from games.play.access import Table
from games.play.models import Action
from games.play.positions import standing_actions


def record_of(table: Table, ratings: Iterable[RatingEntry] = ()) -> Record:
    """Return a match as a record: all of it when it has ended, otherwise without the seed.

    Args:
        table: the match; the caller decides who may have it (while it runs: its own players).
        ratings: how ratings changed, known one level above.
    """
    match = table.match
    return Record(
        format=FORMAT,
        game=match.game,
        rules_version=match.rules_version,
        options=dict(match.options),
        seats=tuple(SeatEntry(seat.name) for seat in table.seats),
        speed=match.speed,  # type: ignore[arg-type]  # the column holds one of Speed's values
        rated=match.rated,
        commit=match.commit,
        server_seed=bytes(match.server_seed).hex() if match.has_ended else None,
        nonces=tuple(bytes(seat.nonce).hex() for seat in table.seats),
        actions=tuple(_entry(action) for action in standing_actions(match)),
        outcome=_outcome(table),
        ratings=tuple(ratings),
    )


def _entry(action: Action) -> ActionEntry:
    entry = ActionEntry(n=action.number, seat=action.seat, text=action.text, at=_moment(action.at))
    return msgspec.structs.replace(entry, by="bot") if action.by_bot else entry


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _outcome(table: Table) -> OutcomeEntry | None:
    if not table.match.is_over:
        return None
    places = tuple(seat.place or 0 for seat in table.seats)
    scores = tuple(seat.score or 0 for seat in table.seats)
    return OutcomeEntry.of(Outcome(places, scores, table.match.reason))
