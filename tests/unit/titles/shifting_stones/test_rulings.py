"""Every line of the table of rulings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from games.engine.fair import FairChance, Stream
from games.engine.protocol import Seat
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight import quick
from games.titles.shifting_stones.rules.state import CardsDrawn, PileReshuffled, TurnEnded
from tests.unit.titles.shifting_stones.choosers import play_match, waster
from tests.unit.titles.shifting_stones.positions import GRID, SEED, act, kinds, legal, position, refused

HANDS = ((1, 2, 16, 21), (3, 4, 5, 6))


def test_draw_pile_empty_the_discards_are_shuffled_into_a_new_pile() -> None:
    state = position(HANDS, deck=(30,), discards=(50, 51, 52))
    step = act(state, "flip 2 a1", "flip 1 a1", "end", number=5)
    new = Stream(SEED, "7:reshuffle").shuffle([50, 51, 52, 2, 1])
    assert step.state.hands[0] == (16, 21, 30, new[0])
    assert step.state.deck == new[1:]
    assert step.state.discards == ()
    assert PileReshuffled(None, 5) in step.events
    assert step.reveals


def test_draw_pile_empty_is_only_noticed_when_a_card_must_be_drawn() -> None:
    step = act(position(HANDS, deck=(30, 31), discards=(50,)), "flip 2 a1", "flip 1 a1", "end")
    assert (step.state.deck, step.state.discards) == ((), (50, 2, 1))
    assert "reshuffled" not in kinds(step.events)


def test_draw_pile_empty_is_not_reshuffled_when_nothing_is_drawn() -> None:
    chance = FairChance(SEED, 1)
    step = GAME.apply(position(HANDS, deck=(), discards=(50, 51)), Seat(0), GAME.parse("end"), chance)
    assert (step.state.deck, step.state.discards) == ((), (50, 51))
    assert not chance.used
    assert not step.reveals


def test_draw_pile_empty_for_a_skip() -> None:
    step = act(position(HANDS, deck=(30,), discards=(50, 51)), "skip", number=9)
    new = Stream(SEED, "9:reshuffle").shuffle([50, 51])
    assert step.state.hands[0] == (1, 2, 16, 21, 30, new[0])
    assert step.state.deck == new[1:]
    assert kinds(step.events) == ["skipped", "reshuffled", "drawn", "received"]


def test_pile_and_discards_empty_draw_what_there_is() -> None:
    state = position(((1, 2), (3, 4, 5, 6)), deck=(30,))
    step = act(state, "end")
    assert step.state.hands[0] == (1, 2, 30)
    assert CardsDrawn(None, 0, 1) in step.events


def test_pile_and_discards_empty_even_after_the_reshuffle() -> None:
    state = position(((16, 2), (3, 4, 5, 6)), deck=())
    step = act(state, "flip 2 a1", "end")
    assert step.state.hands[0] == (16, 2)
    assert (step.state.deck, step.state.discards) == ((), ())


def test_reshuffle_takes_no_chance_when_there_are_no_discards() -> None:
    chance = FairChance(SEED, 1)
    GAME.apply(position(((1, 2), (3, 4, 5, 6)), deck=()), Seat(0), GAME.parse("end"), chance)
    assert chance.labels == ()


def test_skip_never_on_two_consecutive_turns_of_ones_own() -> None:
    state = act(position(HANDS), "skip", "skip").state
    assert refused(state, "skip") == "skip-twice"
    assert "skip" not in legal(state)


def test_skip_again_after_a_turn_between() -> None:
    state = position(((1, 2), (3, 4, 5, 6)), deck=(30, 31))
    later = act(state, "skip", "end", "end", "end").state
    assert later.mover == 0
    assert "skip" in legal(later)


def test_skip_twice_comes_before_the_full_hand() -> None:
    state = act(position(HANDS), "skip", "end").state
    assert len(state.hands[0]) == 6
    assert refused(state, "skip") == "skip-twice"


@pytest.mark.parametrize("first", ["shift 1 a1 b1", "flip 1 a1", "score 16"])
def test_skip_after_acting_is_not_allowed(first: str) -> None:
    state = act(position(HANDS), first).state
    assert refused(state, "skip") == "skip-after-acting"
    assert "skip" not in legal(state)


def test_acting_after_skip_is_not_possible() -> None:
    state = act(position(HANDS), "skip").state
    assert refused(state, "flip 1 a1", seat=0) == "not-your-turn"
    assert state.mover == 1


def test_hand_above_four_at_end_is_kept_and_nothing_drawn() -> None:
    step = act(position(((1, 2, 3, 4, 5, 6), (7, 9, 10, 11))), "flip 1 a1", "end")
    assert step.state.hands[0] == (2, 3, 4, 5, 6)
    assert kinds(step.events) == ["ended"]


def test_nothing_is_ever_discarded_down() -> None:
    step = act(position(((1, 2, 3, 4, 5, 6), (7, 9, 10, 11))), "end")
    assert step.state.hands[0] == (1, 2, 3, 4, 5, 6)
    assert step.state.discards == ()


@pytest.mark.parametrize(("held", "allowed"), [(0, True), (1, True), (3, True), (4, True), (5, False), (6, False)])
def test_skip_only_with_four_or_fewer_cards_in_hand(held: int, allowed: bool) -> None:
    state = position((tuple(range(1, held + 1)), (7, 9, 10, 11)))
    assert ("skip" in legal(state)) == allowed


def test_hand_above_six_is_impossible() -> None:
    plays = [play for name in ("a", "b", "c") for play in play_match(name, [waster, quick])]
    sizes = {len(hand) for play in plays for hand in play.state.hands}
    assert max(sizes) == 6


def test_ending_without_an_action_is_legal_draws_nothing_and_is_no_skip() -> None:
    state = position(HANDS)
    step = act(state, "end")
    assert step.state == replace(state, mover=1)
    assert kinds(step.events) == ["ended"]
    assert not step.reveals
    assert "skip" in legal(act(state, "end", "end").state)


@pytest.mark.parametrize("last", ["score 16", "flip 16 a1", "shift 16 a1 b1"])
def test_hand_empty_the_turn_ends_by_itself_and_the_hand_is_refilled(last: str) -> None:
    step = act(position(((16,), (3, 4, 5, 6)), deck=(30, 31, 32, 33, 34)), last)
    assert step.state.hands[0] == (30, 31, 32, 33)
    assert step.state.mover == 1
    assert TurnEnded(None, 0, by_itself=True) in step.events
    assert step.reveals


def test_hand_empty_a_reshuffle_has_the_number_of_the_action_that_emptied_it() -> None:
    chance = FairChance(SEED, 23)
    state = position(((16,), (3, 4, 5, 6)), deck=(30,), discards=(50, 51))
    step = GAME.apply(state, Seat(0), GAME.parse("flip 16 a1"), chance)
    assert chance.labels == ("23:reshuffle",)
    assert step.state.hands[0] == (30, *Stream(SEED, "23:reshuffle").shuffle([50, 51, 16]))


def test_hand_empty_and_nothing_to_draw_the_turn_still_ends() -> None:
    state = position(((16,), (3, 4, 5, 6)), deck=())
    step = act(state, "score 16")
    assert (step.state.hands[0], step.state.mover) == ((), 1)
    assert not step.reveals
    assert legal(act(step.state, "end").state) == {"end", "skip"}


@pytest.mark.parametrize("text", ["end", "skip"])
def test_hand_empty_at_the_start_of_a_turn_ends_that_turn_once(text: str) -> None:
    step = act(position(((), (3, 4, 5, 6), (7, 9, 10, 11)), deck=()), text)
    assert step.state.mover == 1
    assert len(step.events) == 1


@pytest.mark.parametrize(("deck", "drawn"), [((), ()), ((30,), (30,)), ((30, 31), (30, 31))])
def test_skip_with_too_few_cards_left_draws_fewer_or_none(deck: Sequence[int], drawn: Sequence[int]) -> None:
    step = act(position(HANDS, deck=deck), "skip")
    assert step.state.hands[0] == (*HANDS[0], *drawn)
    assert step.state.mover == 1
    assert step.reveals == bool(drawn)
    assert kinds(step.events) == ["skipped", *(["drawn", "received"] if drawn else [])]


def test_refill_at_the_end_comes_before_the_trigger_is_checked() -> None:
    scored = (tuple(range(23, 32)), ())
    step = act(position(((16, 1, 2, 3), (4, 5, 6, 7)), scored=scored), "score 16", "end")
    assert kinds(step.events) == ["ended", "drawn", "received", "triggered"]
    assert len(step.state.hands[0]) == 4


def test_refill_even_when_the_match_ends() -> None:
    scored = ((), tuple(range(23, 32)))
    state = position(((1, 2, 3, 4), (16, 5, 6, 7)), scored=scored, mover=1)
    step = act(state, "score 16", "end")
    assert kinds(step.events) == ["ended", "drawn", "received", "triggered", "finished"]
    assert len(step.state.hands[1]) == 4


def test_useless_swaps_and_flips_are_legal() -> None:
    state = position(HANDS)
    assert GRID[3] == GRID[4]
    assert act(state, "shift 1 a2 b2").state.grid == GRID
    assert act(state, "flip 1 a1", "flip 2 a1").state.grid == GRID


def test_several_cards_in_one_turn_are_each_checked_when_revealed() -> None:
    state = act(position(HANDS), "score 16", "flip 1 b1").state
    assert refused(state, "score 16") == "card-not-in-hand"
    assert state.scored[0] == (16,)
    state = act(position(HANDS), "flip 1 b1").state
    assert refused(state, "score 16") == "pattern-not-on-grid"
    assert act(state, "score 21").state.scored[0] == (21,)


@pytest.mark.parametrize("text", ["shift 1 a1 b1", "flip 1 a1", "score 16", "end"])
def test_undo_is_free_as_long_as_no_card_was_drawn(text: str) -> None:
    assert not act(position(HANDS), text).reveals


@pytest.mark.parametrize("texts", [("skip",), ("flip 1 a1", "end")])
def test_undo_stops_where_a_card_was_drawn(texts: Sequence[str]) -> None:
    assert act(position(HANDS), *texts).reveals


def test_undo_stops_where_the_match_ends() -> None:
    state = position(HANDS, mover=1, round=100)
    step = act(state, "end")
    assert "drawn" not in kinds(step.events)
    assert step.reveals
