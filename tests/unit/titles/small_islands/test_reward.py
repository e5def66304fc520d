"""The Reward phase."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.engine.fair import FairChance, Stream
from games.engine.protocol import Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.events import (
    DiscoveryDrawn,
    DiscoveryKept,
    HousePlaced,
    ObjectiveRevealed,
    Settled,
)
from games.titles.small_islands.rules.rounds import AUTOMATIC_START
from games.titles.small_islands.rules.state import Discovery, House, State
from tests.unit.titles.small_islands.positions import (
    SEED,
    act,
    house,
    kinds,
    legal,
    position,
    refused,
    site,
    tiles,
    token,
    told,
)

MORE_FRUIT_THAN_LEAF = 3
FLAT, DISCOVERY, PER_PORT = 9, 11, 7

# Two islands on the block: S1 and S3 (flower, leaf, Port, houses on 0,0 and 0,1), S2 and S4 (fruit, temple, Port, a
# house on 1,0). North of them, apart: an island of three tiles with two flowers, two fruits and three houses.
NORTH = tiles("18 0,-3 0", "4 -1,-3 1", "5 1,-3 0")
BOARD = (*AUTOMATIC_START, *NORTH)


def reward(objective: tuple[int, int] = (MORE_FRUIT_THAN_LEAF, FLAT), seats: int = 2, **changes: Any) -> State:
    """Return a Reward phase that seat 0 begins, everybody with this mission and reward."""
    fields: dict[str, Any] = {"phase": "reward", "board": BOARD, "navigation": 0, **changes}
    return position(seats, objective=objective, **fields)


def test_the_reward_phase_goes_clockwise_from_the_player_who_landed() -> None:
    state = reward(seats=3, turn=1, starter=1)
    seats = []
    while state.table.phase == "reward":
        seats.append(state.table.turn)
        state = act(state, "settle").state
    assert seats == [1, 2, 0]


def test_every_seat_answers_with_settle_even_when_nothing_is_possible() -> None:
    state = reward((7, FLAT))  # a temple and two flowers: nowhere
    assert legal(state) == {"settle"}
    step = act(state, "settle")
    assert told(step, Settled) == [Settled(None, 0, 0, 4)]
    assert step.state.table.turn == 1


def test_the_objective_is_revealed() -> None:
    step = act(reward(), "settle")
    assert step.events[0] == ObjectiveRevealed(None, 0, (3, 9))
    assert step.state.table.revealed == ((3, 9), ())
    assert step.reveals


def test_houses_are_placed_on_free_house_symbols_and_give_the_reward() -> None:
    step = act(reward(), "settle 1,0")
    assert step.state.table.houses == (House(0, 1, site("1,0"), 3, 9, 6),)
    assert GAME.standing(step.state) == (6, 0)
    assert told(step, HousePlaced) == [HousePlaced(None, 0, site("1,0"), 2, 6)]


def test_any_number_of_houses_none_is_fine() -> None:
    north = ("0,-3", "-1,-3", "1,-3")
    both = {f"settle 1,0 {where}" for where in north} | {f"settle {where} 1,0" for where in north}
    assert legal(reward()) == {"settle", "settle 1,0", *(f"settle {where}" for where in north), *both}


def test_for_each_island_housed_the_reward_is_taken() -> None:
    state = act(reward(), "settle 1,0 0,-3").state
    assert GAME.standing(state) == (12, 0)


def test_refused_no_house_symbol() -> None:
    assert refused(reward(), "settle 1,1") == "no-house-symbol"


def test_refused_no_such_region_in_settle() -> None:
    assert refused(reward(), "settle 8,8") == "no-such-region"
    assert refused(reward(), "settle 1,0.1") == "no-such-region"
    channel = reward(board=tiles("38 0,0 0", "12 0,-1 3"))
    assert refused(channel, "settle 0,0") == "no-such-region"


@pytest.mark.parametrize("owner", [0, 1])
def test_refused_house_symbol_taken(owner: int) -> None:
    assert refused(reward(houses=(house(owner, "1,0"),)), "settle 1,0") == "house-symbol-taken"


def test_others_may_live_on_the_island_already() -> None:
    state = reward(houses=(house(1, "0,-3"),))
    assert GAME.standing(act(state, "settle -1,-3").state)[0] == 6


def test_refused_house_there_already() -> None:
    assert refused(reward(houses=(house(0, "0,-3"),)), "settle -1,-3") == "house-there-already"


def test_refused_same_island() -> None:
    assert refused(reward(), "settle 0,-3 -1,-3") == "same-island"
    assert refused(reward(), "settle 0,-3 0,-3") == "same-island"


def test_refused_island_too_small() -> None:
    alone = reward(board=(*AUTOMATIC_START, *tiles("5 5,5 0")))
    assert refused(alone, "settle 5,5") == "island-too-small"


def test_refused_mission_not_fulfilled() -> None:
    assert refused(reward(), "settle 0,0") == "mission-not-fulfilled"


def test_symbols_that_are_covered_do_not_fulfil_a_mission() -> None:
    covered = reward(tokens=(token("1 flower flower 1,0 fruit"),))
    assert refused(covered, "settle 1,0") == "mission-not-fulfilled"


def test_tokens_help_to_fulfil_a_mission() -> None:
    helped = reward(tokens=(token("1 fruit fruit 0,1 leaf"),))
    assert GAME.standing(act(helped, "settle 0,0").state) == (6, 0)


def test_refused_too_few_houses() -> None:
    placed = tuple(house(0, f"9,{n}") for n in range(8))
    assert refused(reward(houses=placed), "settle 1,0") == "too-few-houses"
    assert legal(reward(houses=placed)) == {"settle"}


def test_at_most_4_houses_are_in_hand_also_with_more_islands() -> None:
    """Five islands of two tips with a house each."""
    board = tiles(*(text for n in range(5) for text in (f"8 {4 * n},0 1", f"5 {4 * n + 1},0 0")))
    texts = legal(reward(board=board))
    assert max(text.count(",") for text in texts) == 4
    assert len(texts) == 1 + 10 + 10 * 8 + 10 * 8 * 6 + 10 * 8 * 6 * 4


@pytest.mark.parametrize(("before", "placed", "in_hand"), [(0, 1, 4), (2, 2, 4), (4, 1, 3), (6, 1, 1), (6, 2, 0)])
def test_then_the_hand_is_refilled_to_at_most_4_from_the_reserve(before: int, placed: int, in_hand: int) -> None:
    state = reward(houses=tuple(house(0, f"9,{n}") for n in range(before)))
    step = act(state, "settle " + " ".join(["1,0", "0,-3"][:placed]))
    assert told(step, Settled) == [Settled(None, 0, placed, in_hand)]
    assert step.state.table.houses_in_hand(0) == in_hand
    assert step.state.table.houses_in_reserve(0) == 8 - before - placed - in_hand


def test_joined_islands_that_hold_two_houses_of_one_player_both_stay_and_the_island_counts_as_housed() -> None:
    state = reward(houses=(house(0, "0,-3", 5), house(0, "1,-3", 6)))
    assert GAME.standing(state)[0] == 11
    assert refused(state, "settle -1,-3") == "house-there-already"


def test_channel_regions_are_named_in_settle() -> None:
    state = reward((1, FLAT), board=tiles("38 0,0 0", "12 0,-1 3"))
    assert legal(state) == {"settle", "settle 0,0.1"}
    assert refused(state, "settle 0,0.2") == "no-house-symbol"


def test_islands_are_those_at_the_start_of_the_action_and_points_those_of_the_island() -> None:
    state = reward((MORE_FRUIT_THAN_LEAF, PER_PORT), tokens=(token("1 any port 1,0 E"),))
    assert GAME.standing(act(state, "settle 1,0").state) == (4, 0)


# --- discovery ------------------------------------------------------------------------------------------------------

TEMPLES = tiles("25 0,0 0", "51 1,0 3", "22 0,5 0", "5 1,5 0", "25 0,9 0", "28 1,9 0")
"""An island with two temples, one without, one with one: each with more fruit than leaf and a free house."""


def discovery(**changes: Any) -> State:
    return reward((MORE_FRUIT_THAN_LEAF, DISCOVERY), **{"board": TEMPLES, **changes})


def test_discovery_draws_as_many_tokens_as_the_island_has_temples_and_keeps_the_best() -> None:
    step = act(discovery(), "settle 0,0", number=31)
    drawn = Stream(SEED, "31:discovery1").shuffle([3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8])[:2]
    assert step.state.values == (max(drawn),)
    assert step.state.table.discoveries == (Discovery(0, 2),)
    assert told(step, DiscoveryDrawn) == [DiscoveryDrawn(None, 0, 2)]
    assert told(step, DiscoveryKept) == [DiscoveryKept(frozenset({Seat(0)}), 0, max(drawn))]


def test_the_rest_of_the_tokens_is_returned() -> None:
    state = act(discovery(), "settle 0,0").state
    assert sorted((*state.discovery_left, *state.values)) == [3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8]
    assert len(state.discovery_left) == state.table.discovery_tokens_left == 11


def test_an_island_without_temples_gives_none_but_counts_for_the_label() -> None:
    chance = FairChance(SEED, 31)
    state = GAME.apply(discovery(), Seat(0), GAME.parse("settle 1,5 1,9"), chance).state
    assert chance.labels == ("31:discovery2",)
    assert state.table.discoveries == (Discovery(1, 1),)
    assert state.values == Stream(SEED, "31:discovery2").shuffle([3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8])[:1]


def test_islands_are_taken_in_the_order_written() -> None:
    chance = FairChance(SEED, 31)
    state = GAME.apply(discovery(), Seat(0), GAME.parse("settle 1,9 0,0"), chance).state
    first = Stream(SEED, "31:discovery1").shuffle([3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8])[0]
    left = sorted([3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8])
    left.remove(first)
    assert state.values == (first, max(Stream(SEED, "31:discovery2").shuffle(left)[:2]))


def test_what_is_left_if_fewer_tokens_than_temples() -> None:
    houses = tuple(house(1, f"9,{n}") for n in range(11))
    kept = tuple(Discovery(n, 1) for n in range(11))
    state = discovery(houses=houses, discoveries=kept, values=(3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7))
    step = act(state, "settle 0,0")
    assert step.state.values[-1] == 8
    assert told(step, DiscoveryDrawn) == [DiscoveryDrawn(None, 0, 1)]
    empty = act(replace(step.state, table=replace(step.state.table, turn=0)), "settle 1,9")
    assert told(empty, DiscoveryDrawn) == []


def test_discovery_values_are_hidden_until_the_end_but_from_their_owner() -> None:
    state = act(discovery(), "settle 0,0").state
    assert GAME.view_for(state, Seat(0)).values == state.values
    assert GAME.view_for(state, Seat(1)).values == GAME.view_for(state, None).values == (None,)
    assert GAME.standing(state) == (0, 0)


def test_other_rewards_draw_nothing() -> None:
    chance = FairChance(SEED, 31)
    GAME.apply(reward(board=TEMPLES), Seat(0), GAME.parse("settle 0,0"), chance)
    assert not chance.used


# --- what else ------------------------------------------------------------------------------------------------------


def test_nothing_else_can_be_done_in_the_reward_phase() -> None:
    assert refused(reward(), "land own 1,-1") == "not-now"
    assert refused(reward(), "settle", seat=1) == "not-your-turn"


def test_prospects_of_a_view_agree_with_the_rules() -> None:
    view = GAME.view_for(reward(), Seat(0))
    prospects = view.prospects
    assert [(prospect.refusal, prospect.points) for prospect in prospects] == [
        ("mission-not-fulfilled", 0),
        (None, 6),
        (None, 6),
    ]
    assert prospects[2].sites == (site("-1,-3"), site("0,-3"), site("1,-3"))
    assert {f"settle {p.sites[0].cell.x},{p.sites[0].cell.y}" for p in prospects if not p.refusal} <= legal(reward())
    assert GAME.view_for(reward(), None).prospects == ()


def test_prospects_tell_the_discovery_tokens_to_be_drawn() -> None:
    prospects = GAME.view_for(discovery(), Seat(0)).prospects
    assert [(prospect.points, prospect.tokens) for prospect in prospects] == [(0, 2), (0, 0), (0, 1)]


def test_events_of_a_settlement_stand_in_order() -> None:
    assert kinds(act(discovery(), "settle 0,0 1,5").events) == [
        "revealed",
        "house",
        "discovery",
        "discovery-value",
        "house",
        "settled",
    ]
