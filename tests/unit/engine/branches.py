"""Tiny games whose best play is known: any tree with its results, a guess at a hidden card, noughts and crosses."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from games.engine.open_game import OpenGame
from games.engine.protocol import (
    Chance,
    Event,
    NotationError,
    Option,
    Options,
    Outcome,
    Seat,
    Step,
    Viewer,
)

LETTERS = string.ascii_lowercase + string.digits


class Branches(OpenGame[str, str]):
    """A game told by its tree: the state is the path so far.

    Args:
        movers: the seat that moves after a path.
        places: the places at the end of a path.
    """

    slug, name, seats = "branches", "Branches", range(2, 4)
    state_type, actions = str, LETTERS

    def __init__(self, movers: Mapping[str, int], places: Mapping[str, tuple[int, ...]]) -> None:
        self.movers, self.ends = movers, places

    def begin(self, seats: int, options: Options) -> str:
        return ""

    def turn(self, state: str) -> int:
        return self.movers[state]

    def moves(self, state: str) -> Iterable[str]:
        return sorted(path[-1] for path in {*self.movers, *self.ends} if path and path[:-1] == state)

    def after(self, state: str, action: str) -> str:
        return state + action

    def standing(self, state: str) -> tuple[int, ...]:
        places = self.ends.get(state) or (0,) * len(next(iter(self.ends.values())))
        return tuple(-place for place in places)


_LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


class Crosses(OpenGame[str, str]):
    """Noughts and crosses: the state is the cells taken so far, in turn."""

    slug, name, seats = "crosses", "Crosses", range(2, 3)
    state_type, actions = str, "012345678"

    def begin(self, seats: int, options: Options) -> str:
        return ""

    def turn(self, state: str) -> int:
        return len(state) % 2

    @staticmethod
    def has_line(cells: str) -> bool:
        return any(set(line) <= set(cells) for line in _LINES)

    def moves(self, state: str) -> Iterable[str]:
        return () if any(self.standing(state)) else [cell for cell in self.actions if cell not in state]

    def after(self, state: str, action: str) -> str:
        return state + action

    def standing(self, state: str) -> tuple[int, ...]:
        return int(self.has_line(state[::2])), int(self.has_line(state[1::2]))


@dataclass(frozen=True, slots=True)
class Dealt:
    """Each seat's card, the other's being 0 in a view, and what seat 0 has said."""

    cards: tuple[int, int]
    said: str


class Guess:
    """Of the cards 1 to 5 both seats get one; seat 0 sees its own and wins if it says rightly (h, l) whether the other
    is higher or lower.
    """

    slug = "guess"
    name = "Guess"
    version = 1
    seats = range(2, 3)
    options: tuple[Option, ...] = ()
    state_type = Dealt
    view_type = Dealt
    event_types: tuple[type[Event], ...] = ()

    def start(self, seats: int, options: Options, chance: Chance) -> Step[Dealt]:
        one, other, *_ = chance.shuffle("cards", range(1, 6))
        return Step(Dealt((one, other), ""), (), reveals=True)

    def to_move(self, state: Dealt) -> frozenset[Seat]:
        return frozenset() if state.said else frozenset({Seat(0)})

    def is_sealed(self, state: Dealt) -> bool:
        return False

    def legal_actions(self, state: Dealt, seat: Seat) -> Sequence[str]:
        return "hl" if seat in self.to_move(state) else ""

    def apply(self, state: Dealt, seat: Seat, action: str, chance: Chance) -> Step[Dealt]:
        return Step(replace(state, said=action), (), reveals=True)

    def outcome(self, state: Dealt) -> Outcome | None:
        if not state.said:
            return None
        right = (state.cards[1] > state.cards[0]) == (state.said == "h")
        return Outcome((1, 2) if right else (2, 1), self.standing(state), "end")

    def standing(self, state: Dealt) -> tuple[int, ...]:
        return 0, 0

    def view_for(self, state: Dealt, viewer: Viewer) -> Dealt:
        return replace(state, cards=(state.cards[0] if viewer == 0 else 0, state.cards[1] if viewer == 1 else 0))

    def imagine(self, view: Dealt, chance: Chance) -> Dealt:
        rest = iter(chance.shuffle("cards", [card for card in range(1, 6) if card not in view.cards]))
        return replace(view, cards=(view.cards[0] or next(rest), view.cards[1] or next(rest)))

    def parse(self, text: str) -> str:
        if text not in set("hl"):
            raise NotationError("Higher or lower.")
        return text

    def notate(self, action: str) -> str:
        return action
