"""A match as one person sees it."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.protocol import Viewer
from games.play.models import Action, Match, Seat


@dataclass(frozen=True, slots=True)
class ViewedMatch:
    """A match with its seats, as one person sees it.

    `viewer` is the person's seat once the match has begun, None for a spectator (and before the start, when seats are
    not final and nothing is hidden yet). `tail` holds the newest actions, the latest first, where they are known.
    """

    match: Match
    seats: tuple[Seat, ...]
    viewer: Viewer
    tail: tuple[Action, ...] | None = None

    @property
    def mine(self) -> Seat | None:
        """Return the reader's own seat, None for a spectator."""
        return None if self.viewer is None else self.seats[self.viewer]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)
