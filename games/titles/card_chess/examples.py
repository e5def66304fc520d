"""The examples of the rules, played by the rules: piles, a first turn, points, and how matches end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from games.engine.fair import FairChance
from games.engine.protocol import Outcome, Seat, complete_options
from games.titles.card_chess import GAME, deal, standings
from games.titles.card_chess.capture import settle
from games.titles.card_chess.deck import DECK
from games.titles.card_chess.options import Rulings
from games.titles.card_chess.standings import Challenge
from games.titles.card_chess.state import Pile, State
from games.titles.card_chess.turns import HAND, REFILL

_SEED: Final = bytes([4] * 32)
NAMES: Final = ("Ann", "Bob", "Cleo", "Dan")

TURN: Final = ("bP3d gC#w bN5l", "bK5w gK5w gP4d")
"""What the two players play in the first turn."""

WON: Final = ("gK5w", "bP2d", "gQ9w", "gC#w", "bN5l", "gP3d", "bC#w")
"""The cards in somebody's piles at the end of a challenge: a green realm and more."""

COURSES: Final[dict[str, tuple[int, Rulings, tuple[int | None, ...]]]] = {
    "official": (2, Rulings(), (0, 0, None, 0, 1)),
    "decided": (2, Rulings(length="decided"), (0, 0, None, 0)),
    "decider": (2, Rulings(), (0, 1, 1, 0, 1)),
    "shared": (2, Rulings(shared=True), (0, 1, 1, 0)),
    "two-gold": (2, Rulings(length="two_gold"), (1, 0, 1)),
    "one": (2, Rulings(length="one_challenge"), (0,)),
    "three": (3, Rulings(), (0, 2, 0, 1, None, 0)),
    "four": (4, Rulings(), (0, 1, 2, 3, 0, 1, 2, 3, 2)),
}
"""Matches: the number of seats, the options, and who won each challenge (None: drawn)."""


def start(seats: int) -> State:
    """Return a match that has just begun."""
    return GAME.start(seats, complete_options(GAME, seats, {}), FairChance(_SEED, 0)).state


@cache
def first_turn() -> State:
    """Return the position after the first turn of two players, who play `TURN`.

    Raises:
        RuleViolation: the play is not legal, so the example is wrong.
    """
    state = start(2)
    for seat, cards in enumerate(TURN):
        state = GAME.apply(state, Seat(seat), GAME.parse(f"play {cards}"), FairChance(_SEED, seat + 1)).state
    return state


def pile(target: str, cards: str, rulings: Rulings) -> Pile:
    """Return a table card with what was played at it, settled."""
    played = tuple(cards.split())
    return Pile(1, 1, 0, target, played, *settle(target, played, rulings))


@cache
def second_phase() -> tuple[State, int]:
    """Return the position at the beginning of a second phase, and the number of discards that were shuffled.

    In the first phase both play the first cards of their hands.
    """
    state, number = start(2), 0
    while state.phase == 1:
        for seat in range(2):
            number += 1
            discards, state = state.discards, _first_cards(state, seat, number)
    piles = (card for pile in state.revealed.of_turn if pile.captor is None for card in pile.whole)
    return state, len((*discards, *piles))


def _first_cards(state: State, seat: int, number: int) -> State:
    """Let a seat play the first cards of its hand."""
    cards = " ".join(state.hands[seat][: len(state.table)])
    return GAME.apply(state, Seat(seat), GAME.parse(f"play {cards}"), FairChance(_SEED, number)).state


def last_turns() -> Iterator[tuple[int, int, int]]:
    """Yield for each last turn that a second phase can have how many cards were left to deal, and then lie on the table
    and in each hand: what is left is three discarded piles or fewer, and one card was kept.
    """
    seats, kept = 2, HAND - REFILL
    for piles in range(deal.PLACES, 0, -1):
        left = DECK[: piles * (seats + 1)]
        dealt = deal.in_rounds(left, seats)
        yield len(left), len(dealt.table), kept + len(dealt.received[0])


def turns(seats: int) -> Iterator[tuple[int, int]]:
    """Yield for each turn of the first challenge how many cards lie on the table and how many each player holds.

    Everybody plays the first cards of the hand; of a challenge of two only the first phase is told.
    """
    state, number = start(seats), 0
    while not state.challenges and state.phase == 1:
        yield len(state.table), len(state.hands[0])
        for seat in range(seats):
            number += 1
            state = _first_cards(state, seat, number)


def course(name: str) -> tuple[list[Challenge], Outcome | None]:
    """Return the challenges of a match, those played for the match itself marked, and its outcome.

    Raises:
        ValueError: the match is over before its last challenge, so the example is wrong.
    """
    seats, rulings, winners = COURSES[name]
    played: list[Challenge] = []
    reason = None
    for winner in winners:
        if reason is not None:
            raise ValueError(f"The match {name!r} ends after {len(played)} challenges.")
        played.append(_challenge(seats, winner, decider=standings.is_decider(played, seats)))
        reason = standings.ending(played, seats, rulings)
    return played, None if reason is None else standings.outcome(played, seats, reason)


def _challenge(seats: int, winner: int | None, *, decider: bool) -> Challenge:
    points: Sequence[int] = [30 if seat == winner else 20 - seat * (winner is not None) for seat in range(seats)]
    return Challenge(tuple(points), (0,) * seats, winner, decider)
