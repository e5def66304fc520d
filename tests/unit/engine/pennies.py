"""Matching pennies: both choose in secret, seat 0 wins if they match. The best play is to mix evenly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.protocol import Chance, Event, Option, Options, Outcome, Seat, Step, Viewer


@dataclass(frozen=True, slots=True)
class Chosen:
    sides: tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Unseen:
    mine: str | None
    ready: tuple[bool, bool]


class Pennies:
    """The game, as `games.engine.protocol.Game` asks for it."""

    slug = "pennies"
    name = "Pennies"
    version = 1
    seats = range(2, 3)
    options: tuple[Option, ...] = ()
    state_type = Chosen
    view_type = Unseen
    event_types: tuple[type[Event], ...] = ()

    def start(self, seats: int, options: Options, chance: Chance) -> Step[Chosen]:
        return Step(Chosen((None, None)), (), reveals=False)

    def to_move(self, state: Chosen) -> frozenset[Seat]:
        return frozenset(Seat(seat) for seat, side in enumerate(state.sides) if side is None)

    def is_sealed(self, state: Chosen) -> bool:
        return bool(self.to_move(state))

    def legal_actions(self, state: Chosen, seat: Seat) -> Sequence[str]:
        return "ht" if seat in self.to_move(state) else ""

    def apply(self, state: Chosen, seat: Seat, action: str, chance: Chance) -> Step[Chosen]:
        one, other = state.sides
        after = Chosen((action, other) if seat == 0 else (one, action))
        return Step(after, (), reveals=None not in after.sides, opens=None not in after.sides)

    def outcome(self, state: Chosen) -> Outcome | None:
        if None in state.sides:
            return None
        return Outcome((1, 2) if state.sides[0] == state.sides[1] else (2, 1), (0, 0), "end")

    def standing(self, state: Chosen) -> tuple[int, ...]:
        return 0, 0

    def view_for(self, state: Chosen, viewer: Viewer) -> Unseen:
        ready = (state.sides[0] is not None, state.sides[1] is not None)
        return Unseen(None if viewer is None else state.sides[viewer], ready)

    def imagine(self, view: Unseen, chance: Chance) -> Chosen:
        guesses = chance.many_below("guesses", 2, 2)
        one, other = ("ht"[guess] if ready else None for guess, ready in zip(guesses, view.ready, strict=True))
        return Chosen((one, other))

    def parse(self, text: str) -> str:
        return text

    def notate(self, action: str) -> str:
        return action
