"""Three tiny games for tests: one with hands, a pile and a die, one with sealed choices, one that hides nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

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
    ranks,
)


class Move(NamedTuple):
    verb: str
    card: int = 0


@dataclass(frozen=True, slots=True)
class Cards:
    """Everything: hands, the pile (drawn from the front), what lies on the table, what the dice gave."""

    hands: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...]
    table: tuple[tuple[int, ...], ...]
    dice: tuple[int, ...]
    turn: int
    rounds: int


@dataclass(frozen=True, slots=True)
class CardsView:
    viewer: int | None
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    pile_size: int
    table: tuple[tuple[int, ...], ...]
    dice: tuple[int, ...]
    turn: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    kind: ClassVar[str] = "dealt"
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Laid(Event):
    kind: ClassVar[str] = "laid"
    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Drew(Event):
    kind: ClassVar[str] = "drew"
    seat: int


@dataclass(frozen=True, slots=True)
class GotCard(Event):
    kind: ClassVar[str] = "got-card"
    card: int


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    kind: ClassVar[str] = "rolled"
    seat: int
    pips: int


class HighCards:
    """In turn lay a card, draw one or roll the die; the sum of cards laid and pips wins."""

    slug = "high-cards"
    name = "High Cards"
    version = 3
    seats = range(1, 4)
    options: tuple[Option, ...] = (
        Option("rounds", "Rounds", (("two", "2"), ("four", "4"))),
        Option("long", "Twice as many", ((False, "no"), (True, "yes")), seats=frozenset({2})),
        Option("foe", "Foe", (("fox", "Fox"), ("owl", "Owl")), seats=frozenset({1}), required=True),
    )
    state_type: type[Cards] = Cards
    view_type: type[CardsView] = CardsView
    event_types: tuple[type[Event], ...] = (Dealt, Laid, Drew, GotCard, Rolled)

    def start(self, seats: int, options: Options, chance: Chance) -> Step[Cards]:
        deck = chance.shuffle("deck", range(1, 5 * seats + 5))
        hands = tuple(deck[3 * seat : 3 * seat + 3] for seat in range(seats))
        rounds = {"two": 2, "four": 4}[str(options["rounds"])] * (2 if options.get("long") else 1)
        state = Cards(hands, deck[3 * seats :], ((),) * seats, (0,) * seats, 0, rounds)
        return Step(state, tuple(Dealt(frozenset({Seat(i)}), hand) for i, hand in enumerate(hands)), reveals=True)

    def to_move(self, state: Cards) -> frozenset[Seat]:
        seats = len(state.hands)
        return frozenset() if state.turn >= seats * state.rounds else frozenset({Seat(state.turn % seats)})

    def is_sealed(self, state: Cards) -> bool:
        return False

    def legal_actions(self, state: Cards, seat: Seat) -> Iterable[Move]:
        if seat not in self.to_move(state):
            return
        yield from (Move("lay", card) for card in sorted(state.hands[seat]))
        if state.pile:
            yield Move("draw")
        yield Move("roll")

    def apply(self, state: Cards, seat: Seat, action: Move, chance: Chance) -> Step[Cards]:
        if action not in self.legal_actions(state, seat):
            raise RuleViolation("illegal", "You cannot do that now.")
        state = replace(state, turn=state.turn + 1)
        if action.verb == "lay":
            return self.lay(state, seat, action.card)
        return self.draw(state, seat) if action.verb == "draw" else self.roll(state, seat, chance)

    def lay(self, state: Cards, seat: Seat, card: int) -> Step[Cards]:
        hands = _with(state.hands, seat, tuple(c for c in state.hands[seat] if c != card))
        table = _with(state.table, seat, (*state.table[seat], card))
        return Step(replace(state, hands=hands, table=table), (Laid(None, seat, card),), reveals=False)

    def draw(self, state: Cards, seat: Seat) -> Step[Cards]:
        card, *rest = state.pile
        state = replace(state, hands=_with(state.hands, seat, (*state.hands[seat], card)), pile=tuple(rest))
        return Step(state, (Drew(None, seat), GotCard(frozenset({seat}), card)), reveals=True)

    def roll(self, state: Cards, seat: Seat, chance: Chance) -> Step[Cards]:
        pips = chance.below("die", 6) + 1
        dice = tuple(n + pips * (i == seat) for i, n in enumerate(state.dice))
        return Step(replace(state, dice=dice), (Rolled(None, seat, pips),), reveals=True)

    def outcome(self, state: Cards) -> Outcome | None:
        if self.to_move(state):
            return None
        scores = self.standing(state)
        return Outcome(ranks(-score for score in scores), scores, "rounds")

    def standing(self, state: Cards) -> tuple[int, ...]:
        return tuple(sum(cards) + pips for cards, pips in zip(state.table, state.dice, strict=True))

    def view_for(self, state: Cards, viewer: Viewer) -> CardsView:
        hand = () if viewer is None else state.hands[viewer]
        sizes = tuple(len(cards) for cards in state.hands)
        return CardsView(viewer, hand, sizes, len(state.pile), state.table, state.dice, state.turn, state.rounds)

    def imagine(self, view: CardsView, chance: Chance) -> Cards:
        known = {*view.hand, *(card for cards in view.table for card in cards)}
        unknown = [card for card in range(1, 5 * len(view.table) + 5) if card not in known]
        rest = list(chance.shuffle("unknown", unknown))
        hands = tuple(
            view.hand if seat == view.viewer else tuple(rest.pop() for _ in range(size))
            for seat, size in enumerate(view.hand_sizes)
        )
        return Cards(hands, tuple(rest), view.table, view.dice, view.turn, view.rounds)

    def parse(self, text: str) -> Move:
        verb, *cards = text.split(" ")
        if text in {"draw", "roll"}:
            return Move(text)
        if verb == "lay" and len(cards) == 1 and cards[0] in {str(card) for card in range(1, 25)}:
            return Move("lay", int(cards[0]))
        raise NotationError("Lay a card, draw or roll.")

    def notate(self, action: Move) -> str:
        return f"{action.verb} {action.card}" if action.card else action.verb


@dataclass(frozen=True, slots=True)
class Secrets:
    chosen: tuple[int | None, ...]
    scores: tuple[int, ...]
    round: int


@dataclass(frozen=True, slots=True)
class SecretsView:
    viewer: int | None
    mine: int | None
    ready: tuple[bool, ...]
    scores: tuple[int, ...]
    round: int


@dataclass(frozen=True, slots=True)
class Ready(Event):
    kind: ClassVar[str] = "ready"
    seat: int


@dataclass(frozen=True, slots=True)
class Opened(Event):
    kind: ClassVar[str] = "opened"
    scores: tuple[int, ...]


class Sealed:
    """Everybody picks 1, 2 or 3 in secret, and gets what they picked unless somebody else picked the same."""

    slug = "sealed"
    name = "Sealed"
    version = 1
    seats = range(2, 4)
    options: tuple[Option, ...] = ()
    state_type: type[Secrets] = Secrets
    view_type: type[SecretsView] = SecretsView
    event_types: tuple[type[Event], ...] = (Ready, Opened)
    rounds = 12

    def start(self, seats: int, options: Options, chance: Chance) -> Step[Secrets]:
        return Step(Secrets((None,) * seats, (0,) * seats, 0), (), reveals=False)

    def to_move(self, state: Secrets) -> frozenset[Seat]:
        if state.round >= self.rounds:
            return frozenset()
        return frozenset(Seat(seat) for seat, number in enumerate(state.chosen) if number is None)

    def is_sealed(self, state: Secrets) -> bool:
        return bool(self.to_move(state))

    def legal_actions(self, state: Secrets, seat: Seat) -> Iterable[int]:
        return (1, 2, 3) if seat in self.to_move(state) else ()

    def apply(self, state: Secrets, seat: Seat, action: int, chance: Chance) -> Step[Secrets]:
        if action not in self.legal_actions(state, seat):
            raise RuleViolation("illegal", "You cannot do that now.")
        chosen = tuple(action if i == seat else number for i, number in enumerate(state.chosen))
        if None in chosen:
            return Step(replace(state, chosen=chosen), (Ready(None, seat),), reveals=False)
        gains = [n if n is not None and chosen.count(n) == 1 else 0 for n in chosen]
        scores = tuple(score + gain for score, gain in zip(state.scores, gains, strict=True))
        opened = Secrets((None,) * len(chosen), scores, state.round + 1)
        return Step(opened, (Ready(None, seat), Opened(None, scores)), reveals=True, opens=True)

    def outcome(self, state: Secrets) -> Outcome | None:
        if self.to_move(state):
            return None
        places = ranks(-score for score in state.scores)
        return Outcome(places, state.scores, "rounds")

    def standing(self, state: Secrets) -> tuple[int, ...]:
        return state.scores

    def view_for(self, state: Secrets, viewer: Viewer) -> SecretsView:
        mine = None if viewer is None else state.chosen[viewer]
        return SecretsView(viewer, mine, tuple(n is not None for n in state.chosen), state.scores, state.round)

    def imagine(self, view: SecretsView, chance: Chance) -> Secrets:
        guesses = chance.many_below("guesses", 3, len(view.ready))
        chosen = tuple(
            view.mine if seat == view.viewer else guess + 1 if ready else None
            for seat, (ready, guess) in enumerate(zip(view.ready, guesses, strict=True))
        )
        return Secrets(chosen, view.scores, view.round)

    def parse(self, text: str) -> int:
        if text not in {"1", "2", "3"}:
            raise NotationError("Pick 1, 2 or 3.")
        return int(text)

    def notate(self, action: int) -> str:
        return str(action)


def _with(rows: tuple[tuple[int, ...], ...], seat: int, row: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*rows[:seat], row, *rows[seat + 1 :])


@dataclass(frozen=True, slots=True)
class Heap:
    left: int
    turn: int
    seats: int


class Nim(OpenGame[Heap, int]):
    """In turn take one, two or three; taking the last one wins."""

    slug, name, seats, state_type = "nim", "Nim", range(1, 4), Heap
    actions = range(1, 4)

    def begin(self, seats: int, options: Options) -> Heap:
        return Heap(21, 0, seats)

    def moves(self, state: Heap) -> Iterable[int]:
        return self.actions[: state.left]

    def after(self, state: Heap, action: int) -> Heap:
        left = state.left - action
        return Heap(left, (state.turn + 1) % state.seats if left else state.turn, state.seats)

    def standing(self, state: Heap) -> tuple[int, ...]:
        return tuple(int(not state.left and seat == state.turn) for seat in range(state.seats))

    def notate(self, action: int) -> str:
        return f"take {action}"
