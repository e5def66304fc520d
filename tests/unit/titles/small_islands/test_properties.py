"""What holds in every match, however it is played."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given, settings, strategies as st

from games.engine.contract.playouts import Chooser, random_match
from games.engine.fair import FairChance
from games.engine.protocol import RuleViolation, Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import (
    DISCOVERY_TOKENS,
    GREY_SHIP,
    OWN_SHIP,
    SHIP_FACES,
    beside,
    vertices,
)
from games.titles.small_islands.rules.events import Finished, RowRefilled
from games.titles.small_islands.rules.islands import placement
from games.titles.small_islands.rules.rounds import AUTOMATIC_START, REACHES
from games.titles.small_islands.rules.state import TOKENS, State
from tests.unit.titles.recording import server_seed
from tests.unit.titles.small_islands.choosers import Plays, random_plays
from tests.unit.titles.small_islands.positions import SEED, all_tiles, legal, position, tiles, token

ROOT = Path(__file__).parents[4]
EXAMPLES = 1000 if settings.get_current_profile_name() == "nightly" else 40
MATCHES = st.tuples(
    st.integers(1, 4),
    st.text("abcdefgh", min_size=8, max_size=8),
    st.sampled_from(["normal", "advanced"]),
    st.sampled_from(["automatic", "by_hand"]),
    st.sampled_from(["large", "small"]),
)


Drawn: TypeAlias = tuple[int, str, str, str, str]
"""Seats, the name of the match, and the options mode, start and table."""


def plays_of(match: Drawn) -> Plays:
    seats, name, mode, start, table = match
    alone = {"alexis": "night"} if seats == 1 else {}
    seed, options = server_seed(name), {"mode": mode, "start": start, "table": table, **alone}
    return random_match(GAME, seats, options, seed, Chooser(seed)).plays


def is_conserved(state: State) -> bool:
    """Return whether all pieces are where they may be, each once."""
    table, seats = state.table, state.table.seats
    kinds = Counter((mark.seat, mark.name) for mark in table.tokens)
    ships = Counter(tile.seat for tile in table.board if tile.face == OWN_SHIP)
    greys = sum(tile.face == GREY_SHIP for tile in table.board)
    return (
        sorted(all_tiles(state)) == list(range(1, 57))
        and all(len(hand) == 2 for hand in state.hands)
        and max(kinds.values(), default=1) == 1
        and all(set(table.tokens_left(seat)) <= set(TOKENS) for seat in range(seats))
        and all(table.houses_placed(seat) <= 8 for seat in range(table.players))
        and sorted((*state.values, *state.discovery_left)) == list(DISCOVERY_TOKENS)
        and max(ships.values(), default=0) <= 1
        and set(ships) <= set(range(seats))
        and greys <= 4 - seats
    )


def all_pieces_are_there(plays: Plays, _: Drawn) -> None:
    """56 tiles, 8 houses and 4 tokens each, 4 ships and 12 discovery tokens are never lost or doubled."""
    assert all(is_conserved(play.state) for play in plays)


def no_card_is_held_twice(plays: Plays, _: Drawn) -> None:
    for play in plays:
        state = play.state
        for index in range(2 if state.table.advanced else 1):
            cards = [card for hand in state.dealt for card in hand[index]]
            assert len(cards) == len(set(cards)) == 3 * state.table.seats


def the_board_is_proper(plays: Plays, _: Drawn) -> None:
    """Each cell once, all tiles hang together side by side, and all agree at every vertex."""
    table = plays[-1].state.table
    board, reach = table.board, table.reach
    assert len({placed.cell for placed in board}) == len(board)
    for number, placed in enumerate(board):
        found = placement(board[:number], reach)
        assert found.refusal(placed.face, placed.cell, placed.turn) is None
    land: dict[tuple[int, int], set[int]] = {}
    for placed in board:
        for corner, point in enumerate(vertices(placed.cell)):
            land.setdefault(point, set()).add(placed.lying.corners >> corner & 1)
    assert all(len(values) == 1 for values in land.values())


def nothing_is_placed_beyond_the_edge_and_nothing_on_the_table_is_refused_for_it(plays: Plays, match: Drawn) -> None:
    last, reach = plays[-1].state.table, REACHES[match[4]]
    assert last.reach == reach
    assert all(-reach <= x <= reach + 1 and -reach <= y <= reach + 1 for x, y in (placed.cell for placed in last.board))
    around = {beside(placed.cell, side) for placed in last.board for side in range(4)} - {p.cell for p in last.board}
    beyond = {cell for cell in around if last.placement.refusal("17", cell, 0) == "beyond-the-edge"}
    assert around - beyond == {gap.cell for gap in last.placement.gaps}
    assert all(min(cell) < -reach or max(cell) > reach + 1 for cell in beyond)


def houses_stand_on_different_house_symbols_of_islands_with_two_tiles(plays: Plays, _: Drawn) -> None:
    table = plays[-1].state.table
    sites = [house.site for house in table.houses]
    assert len(set(sites)) == len(sites)
    assert all(table.islands.symbols[site].house and table.islands.of(site).size >= 2 for site in sites)


def there_are_at_most_four_rounds_with_one_ship_each(plays: Plays, _: Drawn) -> None:
    for play in plays:
        table = play.state.table
        ships = sum(tile.face in SHIP_FACES for tile in table.board)
        assert 1 <= table.round <= 4
        assert ships - (table.phase in {"reward", "over"} and table.end != "stranded") == table.round - 1


def the_row_is_full_as_long_as_tiles_are_left(plays: Plays, _: Drawn) -> None:
    for play in plays:
        assert None not in play.state.table.row or not play.state.deck
        assert 0 <= play.state.table.navigation <= min(6, len(play.state.deck))


def public_scores_never_fall_and_the_last_event_tells_the_end(plays: Plays, match: Drawn) -> None:
    finished = [event for play in plays for event in play.events if isinstance(event, Finished)]
    assert finished == [plays[-1].events[-1]]
    outcome = plays[-1].outcome
    assert outcome is not None
    assert GAME.standing(plays[-1].state) == outcome.scores == tuple(t.total for t in finished[0].tallies)[: match[0]]
    points = [
        [sum(h.points for h in play.state.table.houses if h.seat == s) for s in range(match[0])] for play in plays
    ]
    assert all(a <= b for before, after in pairwise(points) for a, b in zip(before, after, strict=True))


def a_step_that_turns_a_tile_face_up_or_uses_chance_reveals(plays: Plays, _: Drawn) -> None:
    for play in plays:
        refilled = any(isinstance(event, RowRefilled) for event in play.events)
        assert play.reveals or not (refilled or play.draws)


CLAIMS = (
    all_pieces_are_there,
    no_card_is_held_twice,
    the_board_is_proper,
    nothing_is_placed_beyond_the_edge_and_nothing_on_the_table_is_refused_for_it,
    houses_stand_on_different_house_symbols_of_islands_with_two_tiles,
    there_are_at_most_four_rounds_with_one_ship_each,
    the_row_is_full_as_long_as_tiles_are_left,
    public_scores_never_fall_and_the_last_event_tells_the_end,
    a_step_that_turns_a_tile_face_up_or_uses_chance_reveals,
)


@given(MATCHES)
@settings(max_examples=EXAMPLES, deadline=None)
def test_what_is_claimed_of_every_match_holds_however_it_is_played(match: Drawn) -> None:
    """Each match is played once, and judged by every claim."""
    plays = plays_of(match)
    for claim in CLAIMS:
        claim(plays, match)


# --- legality, exhaustively -----------------------------------------------------------------------------------------


def accepted(state: State, texts: list[str]) -> set[str]:
    found = set()
    for text in texts:
        try:
            GAME.apply(state, Seat(0), GAME.parse(text), FairChance(SEED, 1))
        except RuleViolation:
            continue
        found.add(text)
    return found


BOARD = (*AUTOMATIC_START, *tiles("38 2,0 1", "grey 1,-1 0", "35 -1,1 1"))
"""The block with a channel, a ship and an isthmus beside it."""
STATE = position(
    row=(17, 2, 39),
    hands=((18, 44), (6, 7)),
    board=BOARD,
    navigation=0,
    tokens=(token("1 leaf leaf 1,0 fruit"), token("0 leaf port 1,1 N")),
)


def test_tokens_that_are_accepted_are_exactly_those_that_are_listed() -> None:
    place = "explore 1 17 2,1 3"
    cells = [f"{x},{y}" for x in (-1, 0, 1, 2) for y in (-1, 0, 1)]
    shown = ["flower", "fruit", "leaf", "any=flower", "any=fruit", "any=leaf"]
    resources = [
        f"{place} token {show} {cell}{part} {over}"
        for show, cell, part, over in product(shown, cells, ("", ".1", ".2"), ("flower", "fruit", "leaf"))
    ]
    ports = [f"{place} token {name}=port {cell} {side}" for name, cell, side in product(TOKENS, cells, "NESW")]
    listed = {text for text in legal(STATE) if text.startswith(f"{place} token")}
    assert accepted(STATE, resources + ports) == listed
    assert len(listed) > 40


def test_places_that_are_accepted_are_exactly_those_that_are_listed() -> None:
    cells = [f"{x},{y}" for x, y in product(range(-3, 5), range(-3, 4))]
    explore = [f"explore {slot} {tile} {cell} {turn}" for slot, tile, cell, turn in
               product((1, 2, 3), (17, 2, 39, 18, 44, 6), cells, range(4))]  # fmt: skip
    land = [f"land {ship} {cell}" for ship, cell in product(("own", "grey"), cells)]
    discard = [f"explore {slot} {tile} discard" for slot, tile in product((1, 2, 3), (17, 2, 39, 18, 44, 6))]
    listed = {text for text in legal(STATE) if "token" not in text}
    assert accepted(STATE, explore + land + discard) == listed


def test_settlements_that_are_accepted_are_exactly_those_that_are_listed() -> None:
    board = (*AUTOMATIC_START, *tiles("18 0,-3 0", "4 -1,-3 1", "5 1,-3 0", "38 5,5 0", "4 5,4 3"))
    state = position(phase="reward", board=board, objective=(1, 9))
    sites = ["0,0", "0,1", "1,0", "1,1", "-1,-3", "0,-3", "1,-3", "5,5", "5,5.1", "5,5.2", "5,4", "9,9"]
    texts = ["settle", *(f"settle {site}" for site in sites), *(f"settle {a} {b}" for a, b in product(sites, sites))]
    texts += [f"settle {a} {b} {c}" for a, b, c in product(sites, sites, sites)]
    assert accepted(state, texts) == legal(state)
    assert len(legal(state)) > 4


# --- purity ---------------------------------------------------------------------------------------------------------


def test_states_are_values() -> None:
    plays = random_plays(3, "values")
    assert len({play.state for play in plays}) == len(plays)
    assert all(isinstance(GAME.view_for(play.state, None), GAME.view_type) for play in plays)


def test_the_rules_need_no_django() -> None:
    program = "import sys, games.titles.small_islands; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("module", ["random", "secrets", "time", "datetime"])
def test_the_rules_ask_no_clock_and_no_chance_of_their_own(module: str) -> None:
    for path in (ROOT / "games" / "titles" / "small_islands").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert f"import {module}" not in text
        assert f"from {module} " not in text
