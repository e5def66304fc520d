"""Gold cards, deciding challenges, all lengths, and every way a match ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from games.engine.protocol import Outcome, Step
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import Challenge
from games.titles.card_chess.rules.state import ChallengeBegun, ChallengeOver, MatchOver, State
from tests.unit.titles.card_chess.positions import BLUE_TABLE, act, pile, position, won_by

OFFICIAL = Rulings()
DECIDED = Rulings(length="decided")
SHARED = Rulings(shared=True)
ONE = Rulings(length="one_challenge")
TWO_GOLD = Rulings(length="two_gold")


def count(points: Sequence[int], before: Sequence[Challenge] = (), rulings: Rulings = OFFICIAL) -> Step[State]:
    """Play the last turn of a challenge in which nobody captures any more.

    Args:
        points: what each seat's piles are worth, a multiple of the cards in a pile.
        before: the challenges before this one.
        rulings: the options.
    """
    seats = len(points)
    cards = " ".join(["gP1l"] * (seats + 1))
    piles = tuple(pile(seat, cards) for seat, worth in enumerate(points) for _ in range(worth // (seats + 1)))
    changes: dict[str, Any] = {"piles": piles, "challenges": tuple(before), "rulings": rulings}
    if seats == 2:
        hands = (("bP1l", "bP2l"), ("bP3l", "bP4l"))
        return act(position(hands, ("bP1d",), phase=2, turn=5, kept=("bP1l", "bP3l"), **changes), "bP1l", "bP3l")
    return act(position([("bP1l", "bP2l", "bP3l")] * seats, BLUE_TABLE, **changes), *["bP1l bP2l bP3l"] * seats)


def ended(step: Step[State]) -> Outcome:
    """Return how the match ended; the test fails if it goes on."""
    outcome = GAME.outcome(step.state)
    assert outcome is not None
    assert step.events[-1] == MatchOver(None, outcome.reason, outcome.places, outcome.scores)
    assert GAME.to_move(step.state) == set()
    return outcome


def goes_on(step: Step[State], *, decider: bool = False) -> bool:
    """Return whether the next challenge has begun, as a deciding one or not."""
    begun = [event for event in step.events if isinstance(event, ChallengeBegun)]
    assert GAME.outcome(step.state) is None
    return begun == [ChallengeBegun(None, len(step.state.challenges) + 1, decider)] and step.state.is_decider == decider


def decider(*points: int) -> Challenge:
    """Return a drawn deciding challenge."""
    return Challenge(points, (0,) * len(points), None, decider=True)


TWO_TWO = won_by(0, 1, 0, 1, seats=2)
ALL_TWO = won_by(0, 1, 2, 3, 0, 1, 2, 3, seats=4)


# --- gold -----------------------------------------------------------------------------------------------------------


def test_more_points_win_the_challenge_and_one_gold_card() -> None:
    step = count((3, 6))
    assert (step.state.gold, step.state.gold_left) == ((0, 1), 3)
    assert GAME.standing(step.state) == (0, 1)
    assert goes_on(step)


def test_with_equal_highest_points_nobody_wins_and_no_gold_card_is_used_up() -> None:
    step = count((6, 6))
    (over,) = [event for event in step.events if isinstance(event, ChallengeOver)]
    assert (over.challenge.winner, over.gold) == (None, (0, 0))
    assert step.state.gold_left == 4
    assert goes_on(step)


def test_with_equal_highest_points_of_some_the_next_one_wins_nothing() -> None:
    assert count((8, 8, 4)).state.gold == (0, 0, 0)


def test_of_three_players_the_one_with_most_points_wins() -> None:
    assert count((4, 4, 8)).state.gold == (0, 0, 1)


def test_two_players_go_on_at_3_0_for_the_last_gold_card() -> None:
    step = count((3, 6), won_by(1, 1, seats=2))
    assert (step.state.gold, step.state.gold_left) == ((0, 3), 1)
    assert goes_on(step)
    assert goes_on(count((6, 6), step.state.challenges))


def test_two_players_end_when_all_four_gold_cards_are_won() -> None:
    assert ended(count((6, 3), won_by(0, 1, 0, seats=2))) == Outcome((1, 2), (3, 1), "gold")
    assert ended(count((6, 3), won_by(0, 0, 0, seats=2))) == Outcome((1, 2), (4, 0), "gold")


def test_whoever_has_more_gold_is_first_even_if_the_other_wins_the_last_challenge() -> None:
    assert ended(count((3, 6), won_by(0, 0, 0, seats=2, points=3))) == Outcome((1, 2), (3, 1), "gold")


def test_decided_stops_at_3_gold_cards() -> None:
    assert ended(count((6, 3), won_by(0, 1, 0, seats=2), DECIDED)) == Outcome((1, 2), (3, 1), "gold")
    assert ended(count((3, 6), won_by(1, 1, seats=2), DECIDED)) == Outcome((2, 1), (0, 3), "gold")
    assert goes_on(count((3, 6), won_by(0, 1, 0, seats=2), DECIDED), decider=True)


@pytest.mark.parametrize("rulings", [OFFICIAL, DECIDED], ids=["official", "decided"])
@pytest.mark.parametrize("seats", [3, 4])
def test_three_or_four_players_end_when_one_has_3_gold_cards(seats: int, rulings: Rulings) -> None:
    points = (0, seats + 1, *(0,) * (seats - 2))
    before = won_by(1, 0, 1, 0, seats=seats)
    outcome = ended(count(points, before, rulings))
    assert (outcome.reason, outcome.scores[:2], outcome.places[:2]) == ("gold", (2, 3), (2, 1))


def test_three_players_with_2_each_play_on_for_gold() -> None:
    before = won_by(0, 1, 2, 0, 1, seats=3)
    step = count((0, 0, 4), before)
    assert step.state.gold == (2, 2, 2)
    assert goes_on(step, decider=False)
    assert ended(count((4, 0, 0), step.state.challenges)).reason == "gold"


# --- deciding challenges --------------------------------------------------------------------------------------------


def test_at_2_2_one_deciding_challenge_is_played() -> None:
    step = count((3, 6), won_by(0, 1, 0, seats=2))
    assert step.state.gold == (2, 2)
    assert goes_on(step, decider=True)


def test_a_deciding_challenge_is_played_for_the_match_the_scores_stay_as_they_are() -> None:
    step = count((3, 6), TWO_TWO)
    assert ended(step) == Outcome((2, 1), (2, 2), "decider")
    assert step.state.challenges[-1].decider
    assert step.state.is_decider


def test_a_decider_is_repeated_while_drawn() -> None:
    step = count((6, 6), TWO_TWO)
    assert goes_on(step, decider=True)
    again = count((3, 3), step.state.challenges)
    assert goes_on(again, decider=True)
    assert ended(count((3, 0), again.state.challenges)) == Outcome((1, 2), (2, 2), "decider")


def test_at_2_2_2_2_a_deciding_challenge_of_all_four_is_played() -> None:
    step = count((0, 0, 0, 5), won_by(0, 1, 2, 3, 0, 1, 2, seats=4))
    assert step.state.gold == (2, 2, 2, 2)
    assert goes_on(step, decider=True)


def test_the_winner_of_the_decider_of_four_is_first_the_others_follow_by_points_of_all_challenges() -> None:
    outcome = ended(count((0, 10, 5, 5), ALL_TWO))
    assert outcome == Outcome((4, 1, 2, 2), (2, 2, 2, 2), "decider")


def test_the_decider_of_four_is_repeated_while_drawn() -> None:
    assert goes_on(count((5, 5, 5, 5), ALL_TWO), decider=True)


def test_whoever_wins_the_decider_is_first_whatever_the_points_before() -> None:
    before = won_by(0, 1, 0, 1, seats=2, points=50)
    before = (replace(before[0], points=(90, 0)), *before[1:])
    assert ended(count((0, 3), before)).places == (2, 1)


# --- the safety valve -----------------------------------------------------------------------------------------------


def test_after_20_challenges_the_match_ends_drawn_ones_included() -> None:
    before = (*won_by(0, 1, seats=2), *won_by(*[None] * 17, seats=2))
    assert goes_on(count((0, 0), before[:-1]))
    assert ended(count((0, 0), before)) == Outcome((1, 1), (1, 1), "valve")


def test_after_20_challenges_deciding_ones_count_too() -> None:
    before = (*won_by(*[None] * 14, seats=2), *TWO_TWO, decider(0, 0))
    assert len(before) == 19
    assert ended(count((3, 3), before)).reason == "valve"


def test_after_3_drawn_deciders_in_a_row_the_match_ends() -> None:
    assert goes_on(count((3, 3), (*TWO_TWO, decider(0, 0))), decider=True)
    assert ended(count((3, 3), (*TWO_TWO, decider(0, 0), decider(3, 3)))) == Outcome((1, 1), (2, 2), "valve")


def test_who_wins_the_20th_challenge_and_the_match_is_not_stopped_by_the_valve() -> None:
    before = (*won_by(*[None] * 16, seats=2), *won_by(0, 0, 0, seats=2))
    assert ended(count((3, 0), before)).reason == "gold"
    before = (*won_by(*[None] * 13, seats=2), *TWO_TWO, decider(0, 0), decider(0, 0))
    assert ended(count((3, 0), before)).reason == "decider"


def test_at_the_valve_all_are_placed_by_gold_then_by_points_of_all_challenges() -> None:
    before = won_by(0, 1, 0, *[None] * 16, seats=4)
    assert ended(count((0, 0, 10, 0), before)) == Outcome((1, 3, 2, 4), (2, 1, 1, 0), "valve")


def test_places_are_shared_after_equal_gold_and_points_and_the_next_place_is_left_out() -> None:
    before = won_by(0, *[None] * 18, seats=4)
    assert ended(count((0, 0, 0, 0), before)) == Outcome((1, 2, 2, 2), (1, 0, 0, 0), "valve")
    assert ended(count((0, 10, 10, 5), before)).places == (1, 2, 2, 4)


def test_points_of_all_challenges_decide_at_equal_gold() -> None:
    before = (Challenge((9, 12), (0, 0), 1, decider=False), *won_by(0, *[None] * 17, seats=2))
    assert ended(count((0, 0), before)) == Outcome((1, 2), (1, 1), "valve")


# --- other lengths --------------------------------------------------------------------------------------------------


def test_one_challenge_is_exactly_one() -> None:
    assert ended(count((3, 6), rulings=ONE)) == Outcome((2, 1), (0, 1), "challenge")
    assert ended(count((5, 0, 10, 5), rulings=ONE)) == Outcome((2, 4, 1, 2), (0, 0, 1, 0), "challenge")


def test_one_challenge_that_is_drawn_is_placed_by_points_then_shared() -> None:
    assert ended(count((3, 3), rulings=ONE)) == Outcome((1, 1), (0, 0), "drawn")
    assert ended(count((4, 8, 8), rulings=ONE)) == Outcome((3, 1, 1), (0, 0, 0), "drawn")
    assert ended(count((5, 5, 5, 5), rulings=ONE)).places == (1, 1, 1, 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_gold_ends_when_somebody_has_two(seats: int) -> None:
    points = (seats + 1, *(0,) * (seats - 1))
    assert goes_on(count(points, rulings=TWO_GOLD))
    outcome = ended(count(points, won_by(0, 1, seats=seats), TWO_GOLD))
    assert (outcome.reason, outcome.scores[:2], outcome.places[:2]) == ("gold", (2, 1), (1, 2))


def test_two_gold_at_1_1_the_next_challenge_is_no_decider() -> None:
    step = count((3, 6), won_by(0, seats=2), TWO_GOLD)
    assert goes_on(step, decider=False)


def test_two_gold_has_the_safety_valve_too() -> None:
    assert ended(count((0, 0), won_by(*[None] * 19, seats=2), TWO_GOLD)).reason == "valve"


# --- shared ---------------------------------------------------------------------------------------------------------


def test_shared_the_match_ends_at_2_2_and_both_are_first() -> None:
    assert ended(count((3, 6), won_by(0, 1, 0, seats=2, points=50), SHARED)) == Outcome((1, 1), (2, 2), "shared")


def test_shared_changes_nothing_before() -> None:
    assert goes_on(count((3, 6), won_by(0, 0, seats=2), SHARED))
    assert ended(count((3, 6), won_by(1, 0, 1, seats=2), SHARED)).reason == "gold"


def test_shared_at_2_2_also_when_the_match_stops_at_3() -> None:
    step = count((3, 6), won_by(0, 1, 0, seats=2), Rulings(length="decided", shared=True))
    assert ended(step) == Outcome((1, 1), (2, 2), "shared")


def test_shared_also_in_the_20th_challenge() -> None:
    before = (*won_by(*[None] * 16, seats=2), *won_by(0, 1, 0, seats=2))
    assert ended(count((3, 6), before, SHARED)).reason == "shared"


# --- the end --------------------------------------------------------------------------------------------------------


def test_a_match_that_is_over_is_neither_sealed_nor_hidden() -> None:
    step = count((3, 6), rulings=ONE)
    assert (step.reveals, step.opens) == (True, True)
    assert not GAME.is_sealed(step.state)
    assert (step.state.hands, step.state.deck, step.state.challenge) == (((), ()), (), 1)


def test_the_winner_scores_gold_cards_only() -> None:
    assert GAME.standing(count((300, 3)).state) == (1, 0)
