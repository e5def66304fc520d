"""Positions for tests, laid out by hand, and playing on from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from games.engine.fair import FairChance
from games.engine.protocol import Event, RuleViolation, Seat, Step, Viewer
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.deck import stock, without
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import Challenge
from games.titles.card_chess.rules.state import Pile, Revealed, State

SEED = bytes(range(32))

BLUE_HAND = ("bP1l", "bP2l", "bP3l", "bP4l")
OTHER_BLUE_HAND = ("bP1d", "bP2d", "bP3d", "bP4d")
BLUE_TABLE = ("bN5l", "bN5d", "bR6l")
"""Blue cards cannot capture blue ones, so with these nobody captures anything."""


def position(
    hands: Sequence[Sequence[str]], table: Sequence[str], *, deck: Sequence[str] = (), **changes: Any
) -> State:
    """Return a state in the first turn of a match in which nobody has confirmed.

    Args:
        hands: the cards of each seat.
        table: the table cards.
        deck: the draw pile; empty if not given, so that the turn is the last one of its phase.
        changes: other fields of the state.
    """
    seats = len(hands)
    state = State(
        rulings=Rulings(),
        seats=seats,
        removed=0 if seats == 4 else None,
        challenges=(),
        phase=1,
        turn=1,
        table=tuple(table),
        piles=(),
        revealed=Revealed(0, (), ()),
        ended=None,
        hands=tuple(tuple(hand) for hand in hands),
        sealed=((),) * seats,
        deck=tuple(deck),
        kept=(),
    )
    return replace(state, **changes)


FIRST_HANDS = (("bQ9w", "bN5l", "bP1d", "gC#w"), ("bK5w", "gP4l", "gP4d", "bP2l"))
FIRST_TABLE = ("gP1l", "gN5d", "bP3d")


def first_turn() -> State:
    """Return a first turn of two players with all cards; seat 1 has confirmed, seat 0 has not."""
    state = position(FIRST_HANDS, FIRST_TABLE)
    return act(replace(state, deck=rest_of(state)), "bK5w gP4l gP4d", seats=[1]).state


def viewers(state: State) -> list[Viewer]:
    """Return every viewer: the spectator, then the seats."""
    return [None, *map(Seat, range(state.seats))]


def pile(captor: int | None, cards: str, phase: int = 1) -> Pile:
    """Return a settled pile with these cards, the table card first."""
    target, *played = cards.split()
    return Pile(phase, 1, 0, target, tuple(played), captor, "none" if captor is None else "captured")


def rest_of(state: State) -> tuple[str, ...]:
    """Return the cards of the match that are nowhere else, in the order of the data file."""
    return without(stock(state.seats, state.removed), all_cards(state))


def all_cards(state: State) -> list[str]:
    """Return every card of the match, wherever it is; the removed pawn is out of it."""
    rows = (state.table, *state.hands, *state.sealed, state.deck, *map(state.won, range(state.seats)), state.discards)
    return [card for row in rows for card in row]


def act(state: State, *texts: str, seats: Iterable[int] | None = None, number: int = 1) -> Step[State]:
    """Let seats confirm, and return the last step.

    Args:
        state: the position before.
        texts: the cards each plays, without “play”.
        seats: who confirms, in this order; all ascending if not given.
        number: of the first action.
    """
    step: Step[State] = Step(state, (), reveals=False)
    for n, seat, text in zip(count(number), count() if seats is None else seats, texts, strict=False):
        step = GAME.apply(step.state, Seat(seat), GAME.parse(f"play {text}"), FairChance(SEED, n))
    return step


def refused(state: State, seat: int, text: str) -> str:
    """Return the code with which a play is refused; the test fails if it is not."""
    with pytest.raises(RuleViolation) as caught:
        GAME.apply(state, Seat(seat), GAME.parse(f"play {text}"), FairChance(SEED, 1))
    return caught.value.code


def legal(state: State, seat: int) -> list[str]:
    """Return the notation of everything a seat may do."""
    return [GAME.notate(action) for action in GAME.legal_actions(state, Seat(seat))]


def kinds(events: Iterable[Event]) -> list[str]:
    """Return the kinds of events in order."""
    return [event.kind for event in events]


def settled(step: Step[State]) -> list[tuple[int | None, str]]:
    """Return who took each pile of the turn that a step revealed, and how."""
    return [(pile.captor, pile.result) for pile in step.state.revealed.of_turn]


def won_by(*winners: int | None, seats: int, points: int = 5) -> tuple[Challenge, ...]:
    """Return challenges won by these seats with so many points, the others getting none; None is one drawn at 0."""
    return tuple(
        Challenge(tuple(points * (seat == winner) for seat in range(seats)), (0,) * seats, winner, decider=False)
        for winner in winners
    )
