"""Random play of two compared with the known numbers; the exact numbers are in `test_capture`."""

from __future__ import annotations

from collections import Counter

import pytest

from games.engine.contract.playouts import Chooser
from games.engine.fair import FairChance
from games.engine.protocol import Seat, complete_options
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.state import State

CHALLENGES = 2500


@pytest.fixture(scope="module")
def counted() -> Counter[str]:
    """What happened in so many random challenges: piles, captures, draws, realms."""
    options = complete_options(GAME, 2, {"length": "one_challenge"})
    chooser, numbers = Chooser(bytes(32)), Counter[str]()
    for number in range(CHALLENGES):
        state = GAME.start(2, options, FairChance(number.to_bytes(32, "big"), 0)).state
        while state.ended is None:
            state = random_turn(state, chooser, number)
            piles = state.revealed.of_turn
            numbers.update(piles=len(piles), captured=sum(pile.captor is not None for pile in piles))
        numbers.update(drawn=state.ended == "drawn", realms=sum(state.challenges[0].realms))
    return numbers


def random_turn(state: State, chooser: Chooser, number: int) -> State:
    """Let both seats play anything; what is shuffled depends on the number of the match."""
    for seat in (Seat(0), Seat(1)):
        action = chooser.pick(list(GAME.legal_actions(state, seat)))
        state = GAME.apply(state, seat, action, FairChance(number.to_bytes(32, "big"), 1)).state
    return state


def test_about_36_percent_of_the_piles_are_captured(counted: Counter[str]) -> None:
    assert abs(counted["captured"] / counted["piles"] - 0.36) < 0.008


def test_about_2_6_percent_of_the_challenges_are_drawn(counted: Counter[str]) -> None:
    assert abs(counted["drawn"] / CHALLENGES - 0.026) < 0.006


def test_0_276_realms_in_a_challenge_of_both_players_together(counted: Counter[str]) -> None:
    assert abs(counted["realms"] / CHALLENGES - 0.276) < 0.02
