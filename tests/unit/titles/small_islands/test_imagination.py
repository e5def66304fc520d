"""Full states that a viewer cannot tell from the true one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from games.engine.codec import encode
from games.engine.contract.playouts import Match
from games.engine.fair import FairChance
from games.engine.protocol import RuleViolation, Seat, Viewer
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import DISCOVERY_TOKENS, decks
from games.titles.small_islands.rules.state import State
from tests.unit.titles.small_islands.choosers import NAME, random_plays
from tests.unit.titles.small_islands.positions import SEED, act, all_tiles, begin, choose_all, legal, position, viewers


def imagined(state: State, viewer: Viewer, number: int = 7) -> State:
    return GAME.imagine(GAME.view_for(state, viewer), FairChance(SEED, number))


def test_imagined_states_look_the_same_to_the_viewer(match: Match) -> None:
    for play in match.plays:
        for viewer in viewers(play.state):
            view = GAME.view_for(play.state, viewer)
            assert encode(GAME.view_for(imagined(play.state, viewer), viewer)) == encode(view)


def test_imagined_states_hold_every_tile_and_card_once(match: Match) -> None:
    for play in match.plays:
        for viewer in viewers(play.state):
            state = imagined(play.state, viewer)
            assert sorted(all_tiles(state)) == list(range(1, 57))
            for index, deck in enumerate(decks(state.table.advanced).values()):
                cards = [card for hand in state.dealt for card in hand[index]]
                assert len(set(cards)) == len(cards) == 3 * state.table.seats
                assert set(cards) <= set(deck)
            assert sorted((*state.values, *state.discovery_left)) == list(DISCOVERY_TOKENS)


def test_imagined_choices_are_possible(match: Match) -> None:
    for play in match.plays:
        for viewer in viewers(play.state):
            state = imagined(play.state, viewer)
            for seat, (kept, aside) in enumerate(zip(state.kept, state.aside, strict=True)):
                assert bool(kept) == bool(aside) == state.table.chosen[seat]
                for keep, other, three in zip(kept, aside, state.dealt[seat], strict=False):
                    assert keep != other
                    assert {keep, other} <= set(three)


def test_imagined_hands_keep_the_tiles_everybody_saw_being_taken(match: Match) -> None:
    assert any(any(play.state.table.shown) for play in match.plays)
    for play in match.plays:
        for viewer in viewers(play.state):
            state = imagined(play.state, viewer)
            assert all(set(shown) <= set(hand) for shown, hand in zip(state.table.shown, state.hands, strict=True))
            assert all(len(hand) == 2 for hand in state.hands)


def test_imagined_objectives_are_those_revealed() -> None:
    state = act(position(3, phase="reward", objective=(7, 9)), "settle").state
    for viewer in (None, Seat(1), Seat(2)):
        assert imagined(state, viewer).kept[0] == (7, 9)


def test_imagined_stacks_keep_the_tiles_that_were_put_back() -> None:
    state = replace(position(), deck=(20, 21, 22, 4, 5), returned=2)
    assert {imagined(state, None, number).deck[-2:] for number in range(9)} == {(4, 5)}
    assert len({imagined(state, None, number).deck[:3] for number in range(9)}) > 5


def test_imagined_expeditions_are_possible() -> None:
    for play in random_plays(1, NAME, alexis="morning"):
        state = imagined(play.state, Seat(0))
        drawn = Counter((*state.expedition, *state.table.expedition_discards))
        assert (drawn[0], sum(drawn.values())) == (2, 10)
        assert max(count for card, count in drawn.items() if card) == 1


def test_once_all_expedition_cards_were_seen_only_their_order_is_unknown() -> None:
    state = position(1, expedition=(3, 7, 0), expedition_cards=(0, 0, 1, 2, 3, 4, 5, 6, 7, 8))
    state = replace(state, table=replace(state.table, expedition_discards=(0, 1, 2, 4, 5, 6, 8)))
    found = {imagined(state, Seat(0), number).expedition for number in range(30)}
    assert {tuple(sorted(stack)) for stack in found} == {(0, 3, 7)}
    assert len(found) > 3


def test_imagined_states_can_be_played_on(match: Match) -> None:
    for play in match.plays[:-1:5]:
        seat = min(play.to_move)
        state = imagined(play.state, seat)
        assert set(GAME.legal_actions(state, seat)) == set(GAME.legal_actions(play.state, seat))


def test_imagining_the_same_with_the_same_chance() -> None:
    assert imagined(begin(3), Seat(1)) == imagined(begin(3), Seat(1))
    assert imagined(begin(3), Seat(1), 8) != imagined(begin(3), Seat(1))


def test_a_refusal_does_not_depend_on_what_is_hidden() -> None:
    state = choose_all(begin(3)).state
    text = f"explore 1 {state.hands[1][0]} 2,0 3"
    assert text not in legal(state)
    answers = set()
    for number in range(5):
        with pytest.raises(RuleViolation) as caught:
            GAME.apply(imagined(state, Seat(0), number), Seat(0), GAME.parse(text), FairChance(SEED, 5))
        answers.add(caught.value.code)
    assert answers == {"tile-not-at-hand"}
