"""A match as one person sees it."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.protocol import Viewer
from games.play.models import Action, Match, Seat, in_company


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
    def may_practise(self) -> bool:
        """Return whether the viewer plays against bots alone, and so may go back to any decision."""
        match, mine = self.match, self.mine
        playing = match.is_running and mine is not None and not mine.has_left
        return playing and match.has_bots and not in_company(self.seats)

    @property
    def may_have_hint(self) -> bool:
        """Return whether the viewer may be shown what to do: on their turn, against bots alone."""
        return self.may_practise and self.mine is not None and self.mine.to_move

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)
