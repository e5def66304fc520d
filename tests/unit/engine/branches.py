"""Tiny games whose best play is known: any tree with its results, a guess at a hidden card, noughts and crosses."""

from __future__ import annotations

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
    RuleViolation,
    Seat,
    Step,
    Viewer,
)


class _Lettered:
    """Actions are single letters or digits."""

    def parse(self, text: str) -> str:
        if len(text) != 1:
            raise NotationError("One letter.")
        return text

    def notate(self, action: str) -> str:
        return action


class Branches(_Lettered, OpenGame[str]):
    """A game told by its tree: the state is the path so far.

    Args:
        movers: the seat that moves after a path.
        places: the places at the end of a path.
    """

    slug = "branches"
    name = "Branches"
    version = 1
    seats = range(2, 4)
    state_type = str

    def __init__(self, movers: Mapping[str, int], places: Mapping[str, tuple[int, ...]]) -> None:
        self.movers, self.ends = movers, places

    def start(self, seats: int, options: Options, chance: Chance) -> Step[str]:
        return Step("", (), reveals=False)

    def to_move(self, state: str) -> frozenset[Seat]:
        return frozenset() if state in self.ends else frozenset({Seat(self.movers[state])})

    def legal_actions(self, state: str, seat: Seat) -> Iterable[str]:
        if seat not in self.to_move(state):
            return ()
        paths = {*self.movers, *self.ends}
        return sorted(path[-1] for path in paths if path and path[:-1] == state)

    def apply(self, state: str, seat: Seat, action: str, chance: Chance) -> Step[str]:
        if action not in self.legal_actions(state, seat):
            raise RuleViolation("illegal", "There is no such branch.")
        return Step(state + action, (), reveals=False)

    def outcome(self, state: str) -> Outcome | None:
        places = self.ends.get(state)
        return None if places is None else Outcome(places, tuple(-place for place in places), "end")

    def standing(self, state: str) -> tuple[int, ...]:
        return (0,) * len(next(iter(self.ends.values())))


_LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


class Crosses(_Lettered, OpenGame[str]):
    """Noughts and crosses: the state is the cells taken so far, in turn."""

    slug = "crosses"
    name = "Crosses"
    version = 1
    seats = range(2, 3)
    state_type = str

    def start(self, seats: int, options: Options, chance: Chance) -> Step[str]:
        return Step("", (), reveals=False)

    def to_move(self, state: str) -> frozenset[Seat]:
        over = len(state) == 9 or any(map(self.has_line, (state[::2], state[1::2])))
        return frozenset() if over else frozenset({Seat(len(state) % 2)})

    @staticmethod
    def has_line(cells: str) -> bool:
        return any(set(line) <= set(cells) for line in _LINES)

    def legal_actions(self, state: str, seat: Seat) -> Iterable[str]:
        return [cell for cell in "012345678" if cell not in state] if seat in self.to_move(state) else ()

    def apply(self, state: str, seat: Seat, action: str, chance: Chance) -> Step[str]:
        if action not in self.legal_actions(state, seat):
            raise RuleViolation("illegal", "This cell is taken.")
        return Step(state + action, (), reveals=False)

    def outcome(self, state: str) -> Outcome | None:
        if self.to_move(state):
            return None
        first, second = self.has_line(state[::2]), self.has_line(state[1::2])
        return Outcome((1 + second, 1 + first), self.standing(state), "end")

    def standing(self, state: str) -> tuple[int, ...]:
        return int(self.has_line(state[::2])), int(self.has_line(state[1::2]))


@dataclass(frozen=True, slots=True)
class Dealt:
    """Each seat's card, the other's being 0 in a view, and what seat 0 has said."""

    cards: tuple[int, int]
    said: str


class Guess(_Lettered):
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
