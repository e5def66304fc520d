"""What goes into the reducer, what it works on, and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.dispatch import Signal

from games.engine import runner
from games.play.clocks import Span
from games.play.models import Action, Match, Seat
from games.play.reducer import positions
from games.play.reducer.positions import Past


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A match at one moment, with everything that can bear on what happens next. Nobody changes its rows.

    Args:
        match: the match.
        seats: by number.
        newest: the newest actions, the latest first; None where they are not known.
        past: the positions before these, as far as they are known and can be gone back to.
        actions: all that stand, in order; only for requests that need more than `newest` and `past`.
        seals_taken_back: how many secret plays the seat that asks has taken back in this turn; only for requests that
            take something back.
        outages: during which no worker watched the clocks, in the order of time; for the same requests.
        vacations: of the players of day clocks, by their ids, in the order of time.
        unwatched_since: since when no worker has watched the clocks; None if one did just now.
    """

    match: Match
    seats: tuple[Seat, ...]
    newest: tuple[Action, ...] | None = None
    past: Past = ()
    actions: tuple[Action, ...] = ()
    seals_taken_back: int = 0
    outages: tuple[Span, ...] = ()
    vacations: Mapping[int, Sequence[Span]] = field(default_factory=dict)
    unwatched_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Happened:
    """A signal to be sent to higher levels (`games.play.signals`), with its arguments besides `match`."""

    signal: Signal
    about: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """A match before and after, and everything that is to be stored and told.

    Args:
        before: what it was made from.
        match: the row as it is to be stored.
        seats: the rows as they are to be stored, by number.
        added: new actions in order.
        newest: as in `Snapshot`.
        past: as in `Snapshot`.
        taken_back: actions to be marked as withdrawn.
        renumbered: actions that close the gaps those leave, in order.
        happened: in order.
        late: numbers of the seats whose time was up: that was all that happened.
    """

    before: Snapshot
    match: Match
    seats: tuple[Seat, ...]
    added: tuple[Action, ...] = ()
    newest: tuple[Action, ...] | None = None
    past: Past = ()
    taken_back: tuple[Action, ...] = ()
    renumbered: tuple[Action, ...] = ()
    happened: tuple[Happened, ...] = ()
    late: tuple[int, ...] = ()


class Draft:
    """A match while it changes: copies of its rows that may be changed, and what has come of it so far."""

    def __init__(self, before: Snapshot, now: datetime) -> None:
        """Copy the rows. The times of a match never run backwards, even if the machine's clock is put back."""
        self.before = before
        self.now = max(now, before.match.moved_at or now)
        self.match = copy(before.match)
        self.seats = [copy(seat) for seat in before.seats]
        self.added: list[Action] = []
        self.newest, self.past = before.newest, before.past
        self.taken_back: list[Action] = []
        self.renumbered: list[Action] = []
        self.happened: list[Happened] = []

    @property
    def position(self) -> runner.Position[Any]:
        return positions.position_of(self.match, self.seats)

    def _differs(self) -> bool:
        """Return whether anything has changed besides the version, and which request was the latest."""
        if self.added or self.taken_back or self.renumbered or self.happened:
            return True
        if _values(self.match) != {**_values(self.before.match), "version": self.match.version}:
            return True
        pairs = zip(self.seats, self.before.seats, strict=True)
        return any(_values(new) != {**_values(old), "asked": new.asked} for new, old in pairs)

    def tell(self, signal: Signal, **about: Any) -> None:
        """Send a signal to higher levels when this is stored."""
        self.happened.append(Happened(signal, about))

    def change(self, late: Sequence[int] = ()) -> Change:
        """Return what has come of it. If nothing has, all stays as it was, the version too, and nobody is told."""
        if not self._differs():
            before = self.before
            same = before.newest, before.past
            return Change(before, before.match, before.seats, (), *same, late=tuple(late))
        return Change(
            before=self.before,
            match=self.match,
            seats=tuple(self.seats),
            added=tuple(self.added),
            newest=None if self.newest is None else self.newest[: positions.NEWEST],
            past=self.past[: positions.NEWEST],
            taken_back=tuple(self.taken_back),
            renumbered=tuple(self.renumbered),
            happened=tuple(self.happened),
            late=tuple(late),
        )


def _values(row: Match | Seat) -> dict[str, Any]:
    """Return the attributes of a row without those that Django keeps beside its columns."""
    return {name: value for name, value in vars(row).items() if not name.startswith("_")}
