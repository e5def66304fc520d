"""Bonus tokens."""

from __future__ import annotations

from typing import Any

import pytest

from games.titles.small_islands import GAME
from games.titles.small_islands.rules.events import TokenLaid
from games.titles.small_islands.rules.islands import Token
from games.titles.small_islands.rules.rounds import AUTOMATIC_START
from tests.unit.titles.small_islands.positions import (
    act,
    choose_all,
    island_at,
    legal,
    ports_on,
    position,
    refused,
    site,
    tiles,
    token,
    told,
)

# On the block lie a flower and a house (0,0), a fruit and a house (1,0), a leaf, a Port and a house (0,1) and a temple
# and a Port (1,1). Turned 3, tile 17 (two leaves) fits on 2,1.
OPEN: dict[str, Any] = {"row": (17, 2, 38), "hands": ((18, 44), (6, 7))}
PLACE = "explore 1 17 2,1 3"


def test_a_token_may_be_placed_or_not() -> None:
    texts = legal(position(**OPEN))
    assert PLACE in texts
    assert f"{PLACE} token fruit 0,0 flower" in texts


def test_resource_side_covers_one_of_the_other_two_resources() -> None:
    state = act(position(**OPEN), f"{PLACE} token fruit 0,0 flower").state
    assert state.table.tokens == (Token(0, "fruit", "fruit", site("0,0"), "flower"),)
    assert island_at(state, "0,0").symbols.resources == (0, 1, 1)
    covering = [text.split(" token ")[1] for text in legal(position(**OPEN)) if f"{PLACE} token fruit " in text]
    assert sorted(covering) == ["fruit 0,0 flower", "fruit 0,1 leaf", "fruit 2,1 leaf"]


def test_refused_same_resource() -> None:
    assert refused(position(**OPEN), f"{PLACE} token fruit 1,0 fruit") == "same-resource"
    assert refused(position(**OPEN), f"{PLACE} token any=leaf 0,1 leaf") == "same-resource"


@pytest.mark.parametrize("shows", ["flower", "leaf"])
def test_the_any_token_takes_the_resource_its_owner_names(shows: str) -> None:
    state = act(position(**OPEN), f"{PLACE} token any={shows} 1,0 fruit").state
    assert state.table.tokens == (Token(0, "any", shows, site("1,0"), "fruit"),)
    symbols = island_at(state, "1,0").symbols
    assert (symbols.fruit, symbols.of(shows)) == (0, {"flower": 1, "leaf": 2 + 1}[shows])  # tile 17 joins with 2 leaves


def test_a_token_counts_as_the_resource_it_shows_and_may_be_covered_later() -> None:
    state = position(**OPEN, tokens=(token("1 fruit fruit 0,0 flower"),))
    later = act(state, f"{PLACE} token leaf 0,0 fruit").state
    assert island_at(later, "0,0").symbols.resources == (0, 0, 2)
    assert refused(state, f"{PLACE} token leaf 0,0 flower") == "resource-not-there"


def test_one_of_two_printed_resources_is_covered() -> None:
    state = act(position(**OPEN), f"{PLACE} token flower 2,1 leaf").state
    assert island_at(state, "2,1").symbols.resources == (1, 1, 1)


def test_refused_resource_not_there() -> None:
    assert refused(position(**OPEN), f"{PLACE} token fruit 1,1 flower") == "resource-not-there"


def test_a_token_may_lie_on_the_tile_just_placed() -> None:
    assert act(position(**OPEN), f"{PLACE} token fruit 2,1 leaf").state.table.tokens[0].site == site("2,1")
    assert act(position(**OPEN), f"{PLACE} token fruit=port 2,1 N").state.table.tokens[0].spot == "N"


def test_a_token_may_lie_on_any_landscape_or_start_tile_in_play() -> None:
    state = position(**OPEN, board=(*AUTOMATIC_START, *tiles("16 0,2 2")))
    assert {"0,0", "1,0", "0,1", "0,2", "2,1"} <= {
        text.split(" ")[7] for text in legal(state) if f"{PLACE} token" in text
    }


def test_refused_token_on_ship() -> None:
    state = position(**OPEN, board=(*AUTOMATIC_START, *tiles("grey 1,-1 0")))
    assert refused(state, f"{PLACE} token fruit 1,-1 flower") == "token-on-ship"
    assert refused(state, f"{PLACE} token fruit=port 1,-1 N") == "token-on-ship"


@pytest.mark.parametrize("use", ["fruit 5,5 flower", "fruit=port 5,5 N"])
def test_refused_no_tile_there(use: str) -> None:
    assert refused(position(**OPEN), f"{PLACE} token {use}") == "no-tile-there"


# --- Ports ----------------------------------------------------------------------------------------------------------


def test_port_side_stands_on_a_free_coast_slot() -> None:
    state = act(position(**OPEN), f"{PLACE} token leaf=port 0,0 N").state
    assert ports_on(state, "0,0") == ["N"]
    assert island_at(state, "0,0").symbols.port == 2  # and the printed one of S3
    assert state.table.tokens == (Token(0, "leaf", "port", site("0,0"), "N"),)


def test_coast_slots_are_those_of_the_tile_as_it_lies() -> None:
    """The block: S1 a shore turned 3, S2 a tip turned 2, S3 a tip, S4 a shore turned 1."""
    texts = {text.split(" token ")[1] for text in legal(position(**OPEN)) if f"{PLACE} token any=port" in text}
    block = {"0,0 N", "0,0 S", "1,0 S", "1,0 E", "0,1 W", "1,1 N"}  # but for the printed 0,1 N and 1,1 S
    assert texts == {f"any=port {spot}" for spot in (*block, "2,1 N", "2,1 S")}


def test_refused_no_coast_slot() -> None:
    assert refused(position(**OPEN), f"{PLACE} token leaf=port 0,0 E") == "no-coast-slot"


def test_refused_port_there_already() -> None:
    assert refused(position(**OPEN), f"{PLACE} token leaf=port 0,1 N") == "port-there-already"
    state = position(**OPEN, tokens=(token("1 leaf port 0,0 N"),))
    assert refused(state, f"{PLACE} token leaf=port 0,0 N") == "port-there-already"


def test_at_most_2_ports_on_one_tile() -> None:
    """An isthmus has four slots."""
    state = position(**OPEN, board=(*AUTOMATIC_START, *tiles("35 2,0 1")))
    once = act(state, f"{PLACE} token leaf=port 2,0 N", "explore 2 2 0,2 2").state
    assert ports_on(once, "2,0") == ["E", "N"]
    assert refused(once, "explore 3 18 -1,0 1 token any=port 2,0 W") == "two-ports-already"


def test_a_neighbour_on_that_side_neither_blocks_nor_shares_a_coast_slot() -> None:
    """Between S1 and S3 each has a slot of its own: S1's on its south side, S3's printed Port on its north side."""
    state = act(position(**OPEN), f"{PLACE} token leaf=port 0,0 S").state
    assert (ports_on(state, "0,0"), ports_on(state, "0,1")) == (["S"], ["N"])


def test_inland_tiles_have_no_coast_slot() -> None:
    state = position(row=(52, 2, 3), hands=((55, 44), (6, 7)), board=tiles("56 0,0 0"))
    assert refused(state, "explore 1 52 1,0 0 token leaf=port 0,0 N") == "no-coast-slot"
    assert not any("port" in text for text in legal(state) if text.startswith("explore 1 52 "))


# --- channels -------------------------------------------------------------------------------------------------------


CHANNEL = tiles("38 0,0 0")  # a flower and a house in the north-west, a fruit and a Port in the south-east


def test_in_a_channel_tile_the_region_is_named_with_resource_tokens() -> None:
    state = position(**OPEN, board=CHANNEL)
    first = act(state, "explore 1 17 1,0 2 token leaf 0,0.1 flower").state
    assert first.table.islands.symbols[site("0,0.1")].resources == (0, 0, 1)
    second = act(state, "explore 1 17 1,0 2 token leaf 0,0.2 fruit").state
    assert second.table.islands.symbols[site("0,0.2")].resources == (0, 0, 1)
    assert refused(state, "explore 1 17 1,0 2 token leaf 0,0.2 flower") == "resource-not-there"


def test_refused_no_such_region() -> None:
    state = position(**OPEN, board=CHANNEL)
    assert refused(state, "explore 1 17 1,0 2 token leaf 0,0 flower") == "no-such-region"
    assert refused(state, "explore 1 17 1,0 2 token fruit 1,0.1 leaf") == "no-such-region"


def test_a_port_in_a_channel_tile_belongs_to_the_region_of_its_slot() -> None:
    state = position(**OPEN, board=CHANNEL)
    north = act(state, "explore 1 17 1,0 2 token leaf=port 0,0 N").state
    assert north.table.tokens[0].site == site("0,0.1")
    south = act(state, "explore 1 17 1,0 2 token leaf=port 0,0 S").state
    assert south.table.tokens[0].site == site("0,0.2")


def test_at_most_2_ports_on_a_channel_tile_in_both_regions_together() -> None:
    state = position(**OPEN, board=CHANNEL, tokens=(token("1 leaf port 0,0.1 N"),))
    assert refused(state, "explore 1 17 1,0 2 token leaf=port 0,0 W") == "two-ports-already"


# --- whose and when -------------------------------------------------------------------------------------------------


def test_each_token_is_used_once_whichever_side_is_up() -> None:
    state = position(**OPEN, tokens=(token("0 fruit fruit 0,0 flower"),))
    assert refused(state, f"{PLACE} token fruit 0,1 leaf") == "token-used"
    assert refused(state, f"{PLACE} token fruit=port 0,0 N") == "token-used"
    assert state.table.tokens_left(0) == ("flower", "leaf", "any")
    assert state.table.tokens_left(1) == ("flower", "fruit", "leaf", "any")


def test_one_token_per_turn_only_with_explore() -> None:
    assert all(text.count("token") <= 1 for text in legal(position(**OPEN)))
    assert not any("token" in text for text in legal(position(**OPEN, navigation=0)) if text.startswith("land"))


def test_a_token_is_told_to_everybody() -> None:
    step = act(position(**OPEN), f"{PLACE} token any=leaf 1,0 fruit")
    assert told(step, TokenLaid) == [TokenLaid(None, 0, "any", "leaf", site("1,0"), "fruit")]


def test_points_already_taken_stay_when_their_symbols_are_covered() -> None:
    """The reward gives 1 for each flower and 2; the flower is covered in the next round."""
    state = position(**OPEN, phase="reward", objective=(10, 1))
    state = choose_all(act(state, "settle 0,0", "settle").state).state
    assert GAME.standing(state) == (3, 0)
    state = act(state, f"{PLACE} token fruit 0,0 flower").state
    assert island_at(state, "0,0").symbols.flower == 0
    assert GAME.standing(state) == (3, 0)
