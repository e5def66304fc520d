"""What the rules claim of their examples is what the engine makes of them."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.template import engines

from games.engine.protocol import complete_options
from games.titles.card_chess import GAME, board, rules_page
from games.titles.card_chess.rules import scoring
from games.titles.card_chess.rules.capture import refusal
from games.titles.card_chess.rules.deck import CARDS, DECK, stock
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import points, realms
from tests.unit.titles.card_chess.showing import whole_match
from tests.unit.titles.rules_pages import rules_html


def sources() -> str:
    """Return the templates of the rules as they are written."""
    found = (engines["django"].get_template(template).template.source for template, _ in board.RULES)  # type: ignore[attr-defined]  # of Django's own backend
    return "".join(found)


def test_components_are_those_of_the_game() -> None:
    assert len(DECK) == 38
    assert [len(stock(seats, 0 if seats == 4 else None)) for seats in (2, 3, 4)] == [38, 76, 75]
    assert scoring.GOLD == {2: 4, 3: 8, 4: 8}
    blue = Counter(CARDS[card].piece for card in DECK if card[0] == "b")
    assert blue == {
        "pawn": 8, "castle": 2, "ghost_queen": 1, "king": 1, "knight": 2, "rook": 2, "bishop": 2, "queen": 1
    }  # fmt: skip


def test_a_match_of_two_begins_with_27_cards_in_the_pile() -> None:
    state = rules_page.start_position(2)
    assert (len(state.deck), len(state.table), len(state.hands[0])) == (27, 3, 4)


def test_the_first_turn_goes_as_told() -> None:
    piles = rules_page.first_turn_position().revealed.of_turn
    assert [pile.captor for pile in piles] == [1, 1, 0]
    assert [refusal(card, pile.target, Rulings()) for pile in piles for card in pile.cards] == [
        "strength", None, None, None, None, "colour",
    ]  # fmt: skip


REASONS = {
    ("bN5l", "gN5l"): None, ("bQ9w", "bP1d"): "colour", ("bR6d", "gP3d"): None, ("bB7l", "gP3d"): "square",
    ("bB7l", "gK5w"): None, ("bP3l", "gP3l"): None, ("gC#w", "bP4d"): None, ("gC#w", "bN5d"): "strength",
    ("bG#w", "gC#w"): None,
}  # fmt: skip
PILES = {
    ("gP2l", "bP3l bN5l bP4l", ""): (1, "captured"),
    ("gP2l", "bN5l bK5w bP3l", ""): (None, "equal"),
    ("gP3d", "bN5d gQ9w", ""): (0, "captured"),
    ("gP3d", "bB7l bP2d", ""): (None, "none"),
    ("gP3d", "bN5d gQ9w", "blocking"): (None, "blocked"),
    ("gP3d", "bK5w gN5l", "blocking"): (None, "blocked"),
    ("gP2l", "bN5l bK5w bP3l", "next_strongest"): (2, "captured"),
    ("bR6l", "gR5l gP4d", "symmetric_rooks"): (0, "captured"),
}


def test_every_duel_of_the_rules_ends_as_its_caption_says() -> None:
    shown = set(re.findall(r'example "duel" "(\S+)" "(\S+)"', sources()))
    assert shown == set(REASONS)
    assert {(card, target): refusal(card, target, Rulings()) for card, target in shown} == REASONS


def test_every_pile_of_the_rules_goes_to_whom_its_caption_says() -> None:
    shown = set(re.findall(r'example "pile" "([^"]+)" "([^"]+)" "([^"]*)"', sources()))
    assert shown == set(PILES)
    for (target, cards, options), wanted in PILES.items():
        pile = rules_page.settled_pile(target, cards, Rulings(**dict.fromkeys(options.split(), True)))  # type: ignore[arg-type]  # all but `length` are flags
        assert (pile.captor, pile.result) == wanted


def test_as_printed_the_green_rook_is_too_weak() -> None:
    assert refusal("gR5l", "bR6l", Rulings()) == "strength"


def test_a_second_phase_begins_with_the_card_that_was_kept() -> None:
    state, discards = rules_page.second_phase_position()
    assert (state.phase, len(state.hands[0])) == (2, 4)
    assert state.kept[0] in state.hands[0]
    assert discards == len(state.deck) + 3 + 3 + 3
    assert f"{discards} discards are dealt again" in rules_html("card-chess")


def test_a_second_phase_leaves_no_single_card_over() -> None:
    plays = whole_match(2)
    dealt = [each.state for each in plays if each.state.phase == 2 and each.state.table]
    assert dealt
    assert all(len(state.hands[0] + state.sealed[0]) == len(state.table) + 1 for state in dealt)
    assert all(len(state.deck) % 3 == 0 for state in dealt)


def test_the_last_turns_of_a_second_phase_are_those_that_matches_have() -> None:
    plays = whole_match(2)
    last = [each.state for each in plays if each.state.phase == 2 and each.state.table and not each.state.deck]
    met = {(len(state.table), len(state.hands[0] + state.sealed[0])) for state in last}
    assert met
    assert met <= {(table, hand) for _left, table, hand in rules_page.last_deals()}
    assert list(rules_page.last_deals()) == [(9, 3, 4), (6, 2, 3), (3, 1, 2)]


@pytest.mark.parametrize(("seats", "turns", "piles"), [(2, 4, 12), (3, 6, 19), (4, 5, 15)])
def test_a_challenge_has_as_many_turns_and_piles_as_told(seats: int, turns: int, piles: int) -> None:
    dealt = list(rules_page.deals_of_turns(seats))
    assert (len(dealt), sum(table for table, _ in dealt)) == (turns, piles)
    assert (dealt[-1][0] == dealt[-1][1]) is (seats > 2)


def test_the_won_cards_make_one_realm_and_23_points() -> None:
    assert (realms(rules_page.WON), points(rules_page.WON)) == (1, 23)


@pytest.mark.parametrize(
    ("name", "places", "reason"),
    [
        ("official", (1, 2), "gold"),
        ("decided", (1, 2), "gold"),
        ("decider", (2, 1), "decider"),
        ("shared", (1, 1), "shared"),
        ("two-gold", (2, 1), "gold"),
        ("one", (1, 2), "challenge"),
        ("three", (1, 2, 3), "gold"),
        ("four", (2, 3, 1, 4), "decider"),
    ],
)
def test_matches_end_as_drawn(name: str, places: tuple[int, ...], reason: str) -> None:
    _, outcome = rules_page.played_course(name)
    assert outcome is not None
    assert (outcome.places, outcome.reason) == (places, reason)


def test_every_course_is_one_that_the_options_allow() -> None:
    for seats, rulings, _ in rules_page.COURSES.values():
        chosen = {"length": rulings.length} | ({"shared": True} if rulings.shared else {})
        assert complete_options(GAME, seats, chosen)
