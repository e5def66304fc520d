"""What the rules claim of their examples is what the engine makes of them."""

from __future__ import annotations

from collections import Counter

import pytest

from games.titles.shifting_stones import rules_page
from games.titles.shifting_stones.rules.patterns import CARDS, TILE_SET, TILES, matches
from games.titles.shifting_stones.rules.state import GOALS, SOLO_DECK, bonus_seats, scores
from games.titles.shifting_stones.rules.view import view_for
from games.titles.shifting_stones.rules_page import count, last_round, places


def kinds_of(grid: tuple[str, ...]) -> list[int]:
    return sorted(kind for face in grid for kind, sides in TILES.items() if face in sides)


@pytest.mark.parametrize("name", rules_page.GRIDS)
def test_every_grid_is_made_of_the_nine_stones(name: str) -> None:
    assert kinds_of(rules_page.GRIDS[name]) == sorted(TILE_SET)


def test_components_are_those_of_the_game() -> None:
    assert Counter(card.points for card in CARDS.values()) == {1: 28, 2: 26, 3: 13, 5: 5}
    assert Counter(TILE_SET) == {1: 1, 2: 2, 3: 3, 4: 3}


def test_a_match_of_two_begins_with_64_cards_in_the_pile() -> None:
    assert len(rules_page.start_position(2).deck) == 64


def test_the_whole_turn_scores_4_points_with_two_cards_and_ends_by_itself() -> None:
    moves = rules_page.moves()
    *_, (after, _events) = rules_page.played(rules_page.position(), rules_page.TURN)
    assert [move.verb for move in moves] == ["score", "flip", "shift", "score"]
    assert view_for(after, None).points[0] == 4
    assert [event.kind for event in moves[-1].events] == ["scored", "ended", "drawn", "received"]
    assert not matches(17, moves[-1].after)


@pytest.mark.parametrize(("name", "scores_now"), [("found", True), ("mirrored", False), ("turned", False)])
def test_a_pattern_is_neither_mirrored_nor_turned(name: str, scores_now: bool) -> None:
    assert matches(7, rules_page.GRIDS[name]) is scores_now


@pytest.mark.parametrize(("card", "number"), [(7, 6), (6, 3), (18, 4), (20, 1)])
def test_patterns_fit_in_as_many_places_as_are_drawn(card: int, number: int) -> None:
    assert len(rules_page.placements(card)) == number
    assert f"{number} place" in places(card, "en")


@pytest.mark.parametrize(("name", "before", "after"), [("end", 3, 4), ("skip", 4, 6), ("reshuffle", 3, 4)])
def test_hands_grow_as_the_captions_say(name: str, before: int, after: int) -> None:
    old, new, events = rules_page.drawn_hands(name)
    assert (len(old), len(new)) == (before, after)
    assert ("reshuffled" in [event.kind for event in events]) is (name == "reshuffle")


def test_in_the_last_round_bob_reaches_nine_and_cleo_ends_the_match() -> None:
    first, second, third = rules_page.last_round_states()
    assert (first.triggered_by, second.triggered_by, len(second.scored[1])) == (None, 1, GOALS[3])
    assert (first.ended, second.ended, third.ended) == (None, None, "goal")
    assert last_round("en").count("reaches 9") == 1


def test_ann_and_cleo_get_the_bonus_and_bob_wins() -> None:
    assert bonus_seats(rules_page.SCORED) == (0, 2)
    ann, bob, cleo = scores(rules_page.SCORED)
    assert bob > ann > cleo
    assert f"= {bob}<" in count("en")
    assert len({card for cards in rules_page.SCORED for card in cards}) == sum(map(len, rules_page.SCORED))


def test_alone_there_are_sixteen_cards() -> None:
    state = rules_page.start_position(1)
    dealt = Counter(CARDS[card].points for card in (*state.hands[0], *state.deck))
    assert dealt == SOLO_DECK == {1: 8, 2: 4, 3: 3, 5: 1}
