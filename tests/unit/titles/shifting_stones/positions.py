"""Positions for tests, laid out by hand, and playing on from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from games.engine.fair import FairChance
from games.engine.protocol import Event, RuleViolation, Seat, Step
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.rules.patterns import CARDS
from games.titles.shifting_stones.rules.state import State

SEED = bytes(range(32))

GRID = ("sun", "fish", "bird", "horse", "horse", "boat", "seed", "tree", "tree")
LYING_ONES = (16, 21, 41, 55, 67)
"""The cards of 1 point that lie on GRID."""
LYING_TWOS = (8, 37, 60, 70)
"""The cards of 2 points that lie on GRID."""
ELSEWHERE = (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 22, 23)
"""Cards that do not lie on GRID."""


def position(hands: Sequence[Sequence[int]], *, deck: Sequence[int] | None = None, **changes: Any) -> State:
    """Return a state in the first round in which seat 0 is to move and GRID is laid out.

    Args:
        hands: the cards of each seat.
        deck: the draw pile; by default every card that is nowhere else, ascending.
        changes: other fields of the state.
    """
    seats = len(hands)
    state = State(
        grid=GRID,
        hands=tuple(tuple(hand) for hand in hands),
        deck=(),
        discards=(),
        scored=((),) * seats,
        mover=0,
        acted=False,
        has_scored=False,
        skipped=(False,) * seats,
        round=1,
        triggered_by=None,
        strikes=0,
        pile=0,
        piles=(0,) * len(CARDS),
        ended=None,
    )
    state = replace(state, **changes)
    rest = tuple(card for card in CARDS if card not in Counter(all_cards(state))) if deck is None else tuple(deck)
    return replace(state, deck=rest)


def all_cards(state: State) -> list[int]:
    """Return every card of the match, wherever it is."""
    piles: Iterable[tuple[int, ...]] = (*state.hands, state.deck, state.discards, *state.scored)
    return [card for pile in piles for card in pile]


def act(state: State, *texts: str, number: int = 1) -> Step[State]:
    """Let the seat to move act each time, and return the last step; the first action has this number."""
    step: Step[State] = Step(state, (), reveals=False)
    for n, text in enumerate(texts, start=number):
        step = GAME.apply(step.state, Seat(step.state.mover), GAME.parse(text), FairChance(SEED, n))
    return step


def refused(state: State, text: str, seat: int | None = None) -> str:
    """Return the code with which the action is refused; the test fails if it is not."""
    actor = Seat(state.mover if seat is None else seat)
    with pytest.raises(RuleViolation) as caught:
        GAME.apply(state, actor, GAME.parse(text), FairChance(SEED, 1))
    return caught.value.code


def kinds(events: Iterable[Event]) -> list[str]:
    """Return the kinds of events in order."""
    return [event.kind for event in events]


def legal(state: State) -> set[str]:
    """Return the notation of the mover's legal actions."""
    return {GAME.notate(action) for action in GAME.legal_actions(state, Seat(state.mover))}
