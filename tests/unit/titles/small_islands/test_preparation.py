"""Preparation: the Navigation stack, and choosing objectives in secret and all at the same time."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from games.engine.fair import FairChance, Stream
from games.engine.protocol import Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.events import (
    CardsKept,
    CardsReceived,
    ExplorationBegan,
    ObjectiveChosen,
    RoundPrepared,
)
from games.titles.small_islands.rules.state import State
from tests.unit.titles.small_islands.positions import (
    SEED,
    act,
    begin,
    choose_all,
    kinds,
    legal,
    position,
    refused,
    tiles,
    told,
)


def last_settle(seats: int = 2, **changes: Any) -> State:
    """Return a position in which the last seat settles, and then the second round is prepared."""
    board = (*begin(seats).table.board, *tiles("grey 1,-1 0 0"))
    fields: dict[str, Any] = {
        "board": board,
        "navigation": 0,
        "phase": "reward",
        "turn": seats - 1,
        "starter": 0,
        **changes,
    }
    return position(seats, **fields)


def test_everybody_has_3_objectives_and_chooses_at_the_same_time() -> None:
    state = begin(4)
    assert [len(three) for (three,) in state.dealt] == [3, 3, 3, 3]
    assert sorted(card for (three,) in state.dealt for card in three) == list(range(1, 13))
    assert GAME.to_move(state) == {0, 1, 2, 3}


def test_one_is_kept_for_this_round_and_one_put_aside_for_the_next() -> None:
    state = begin(2)
    first, second, third = state.dealt[0][0]
    after = act(state, f"choose {third} {first}").state
    assert after.kept == ((third,), ())
    assert after.aside == ((first,), ())
    assert legal(state) == {f"choose {keep} {aside}" for keep, aside in permutations((first, second, third), 2)}


def test_advanced_the_same_with_2_missions_and_2_rewards() -> None:
    state = begin(2, mode="advanced")
    missions, rewards = state.dealt[0]
    after = act(state, f"choose m{missions[2]} r{rewards[0]} m{missions[1]} r{rewards[2]}").state
    assert after.kept[0] == (missions[2], rewards[0])
    assert after.aside[0] == (missions[1], rewards[2])
    assert len(legal(state)) == 36


def test_choosing_is_sealed_until_the_last_has_chosen() -> None:
    state = begin(2)
    assert GAME.is_sealed(state)
    after = act(state, f"choose {state.dealt[0][0][0]} {state.dealt[0][0][1]}").state
    assert GAME.is_sealed(after)
    assert GAME.to_move(after) == {1}
    assert not GAME.is_sealed(choose_all(after).state)
    assert not GAME.is_sealed(begin(2, start="by_hand"))


def test_a_choice_tells_the_others_only_that_somebody_chose() -> None:
    state = begin(3)
    keep, aside, _ = state.dealt[1][0]
    step = GAME.apply(state, Seat(1), GAME.parse(f"choose {keep} {aside}"), FairChance(SEED, 1))
    assert step.events == (
        ObjectiveChosen(None, 1),
        CardsKept(frozenset({Seat(1)}), 1, (keep,), (aside,)),
    )
    assert (step.reveals, step.opens) == (False, False)
    for viewer in (None, Seat(0), Seat(2)):
        before, after = GAME.view_for(state, viewer), GAME.view_for(step.state, viewer)
        assert after == replace(before, table=replace(before.table, chosen=(False, True, False)))


def test_what_others_see_does_not_depend_on_what_is_chosen() -> None:
    state = begin(3)
    views = {
        GAME.view_for(GAME.apply(state, Seat(1), action, FairChance(SEED, 1)).state, Seat(0))
        for action in GAME.legal_actions(state, Seat(1))
    }
    assert len(views) == 1


def test_a_choice_uses_no_chance() -> None:
    state, chance = begin(2), FairChance(SEED, 1)
    for seat in map(Seat, range(2)):
        keep, aside, _ = state.dealt[seat][0]
        state = GAME.apply(state, seat, GAME.parse(f"choose {keep} {aside}"), chance).state
    assert not chance.used


def test_the_last_choice_begins_the_exploration_and_can_not_be_taken_back() -> None:
    step = choose_all(begin(3))
    assert step.reveals
    assert not step.opens
    assert kinds(step.events) == ["chosen", "kept", "exploration"]
    assert told(step, ExplorationBegan) == [ExplorationBegan(None, 0)]
    assert step.state.table.phase == "explore"


def test_a_position_does_not_depend_on_the_order_in_which_seats_chose() -> None:
    state = begin(3)
    texts = {seat: f"choose {three[1]} {three[2]}" for seat, (three,) in enumerate(state.dealt)}
    reached = set()
    for order in permutations(range(3)):
        after = state
        for number, seat in enumerate(order, start=1):
            after = GAME.apply(after, Seat(seat), GAME.parse(texts[seat]), FairChance(SEED, number)).state
        reached.add(after)
    assert len(reached) == 1


def test_nothing_else_can_be_done_while_objectives_are_chosen() -> None:
    state = begin(2)
    assert refused(state, "settle") == "not-now"
    assert refused(state, "land own 5,5") == "not-now"
    assert refused(state, f"explore 1 {state.table.row[0]} 2,0 0") == "not-now"


def test_who_has_chosen_cannot_choose_again() -> None:
    state = begin(2)
    keep, aside, third = state.dealt[0][0]
    after = act(state, f"choose {keep} {aside}").state
    assert refused(after, f"choose {third} {aside}", seat=0) == "not-your-turn"


def test_refused_card_not_dealt() -> None:
    state = begin(2)
    mine, others = state.dealt[0][0], state.dealt[1][0]
    assert refused(state, f"choose {others[0]} {mine[0]}") == "card-not-dealt"
    assert refused(state, f"choose {mine[0]} {others[0]}") == "card-not-dealt"


def test_refused_same_card() -> None:
    card = begin(2).dealt[0][0][0]
    assert refused(begin(2), f"choose {card} {card}") == "same-card"
    missions, rewards = begin(2, mode="advanced").dealt[0]
    same_reward = f"choose m{missions[0]} r{rewards[0]} m{missions[1]} r{rewards[0]}"
    assert refused(begin(2, mode="advanced"), same_reward) == "same-card"


def test_refused_wrong_mode() -> None:
    assert refused(begin(2), "choose m1 r2 m3 r4") == "wrong-mode"
    assert refused(begin(2, mode="advanced"), "choose 1 2") == "wrong-mode"


# --- later rounds ---------------------------------------------------------------------------------------------------


def test_preparation_moves_6_tiles_from_the_reserve_to_the_navigation_stack() -> None:
    state = last_settle(deck=tuple(range(20, 40)))
    after = act(state, "settle").state
    assert after.deck == state.deck
    assert (after.table.navigation, after.reserve) == (6, 14)
    assert after.table.row == state.table.row


def test_all_cards_that_nobody_put_aside_are_shuffled_in_ascending_order() -> None:
    state = last_settle(aside=((7,), (2,)))
    chance = FairChance(SEED, 23)
    after = GAME.apply(state, Seat(1), GAME.parse("settle"), chance).state
    stack = Stream(SEED, "23:objectives").shuffle([1, 3, 4, 5, 6, 8, 9, 10, 11, 12])
    assert after.dealt == (((7, *stack[0:2]),), ((2, *stack[2:4]),))
    assert chance.labels == ("23:objectives",)


def test_the_card_put_aside_is_not_binding_but_one_of_the_three() -> None:
    state = act(last_settle(aside=((7,), (2,))), "settle").state
    assert state.dealt[0][0][0] == 7
    texts = legal(state)
    assert len(texts) == 6
    assert any("7" not in text.split(" ") for text in texts)


def test_advanced_missions_and_rewards_are_shuffled_apart() -> None:
    state = last_settle(3, objective=(5, 6), aside=((1, 12), (2, 11), (3, 10)))
    after = act(state, "settle", number=40).state
    missions = Stream(SEED, "40:missions").shuffle(range(4, 13))
    rewards = Stream(SEED, "40:rewards").shuffle(range(1, 10))
    assert after.dealt[1] == ((2, *missions[2:4]), (11, *rewards[2:4]))


def test_the_player_after_the_one_who_landed_is_first_in_the_next_round() -> None:
    state = last_settle(3, starter=1, turn=0)
    step = act(state, "settle")
    assert told(step, RoundPrepared) == [RoundPrepared(None, 2, 2)]
    assert step.state.table.round == 2
    after = choose_all(step.state)
    assert told(after, ExplorationBegan) == [ExplorationBegan(None, 2)]
    assert GAME.to_move(after.state) == {2}


def test_a_new_round_deals_to_everybody_in_secret() -> None:
    step = act(last_settle(3), "settle")
    received = told(step, CardsReceived)
    assert [event.seen_by for event in received] == [frozenset({Seat(seat)}) for seat in range(3)]
    assert [event.cards for event in received] == list(step.state.dealt)
    assert step.state.kept == step.state.aside == ((), (), ())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cards_of_a_round_are_all_different(seats: int) -> None:
    state = act(last_settle(seats, aside=tuple((seat + 1,) for seat in range(seats))), "settle").state
    cards = [card for (three,) in state.dealt for card in three]
    assert len(set(cards)) == 3 * seats
